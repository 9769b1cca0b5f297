/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Another version of the program may have installed its schema of what is kept: one that lacks a key isn't
 * used, for asking it would end the program.
 */
#include "config.h"
#include "window_rig.h"
#include "../folder.h"

#include <string.h>

#define LACKS "LOCKSTEP_TEST_LACKS" /* in the environment of a test's own child: the key */

static char *folder; /* of a schema */

/* The program's own schema, but for that key, as an older version's would be. */
static void
install_without (const char *key)
{
  g_autofree char *ours = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data",
                                            LS_SCHEMA_ID ".gschema.xml", NULL),
                  *theirs = g_build_filename (folder, LS_SCHEMA_ID ".gschema.xml", NULL), *text = NULL,
                  *begins = g_strdup_printf ("<key name=\"%s\"", key);
  const char *const argv[] = { "glib-compile-schemas", folder, NULL };
  g_autoptr (GString) without = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_file_get_contents (ours, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (strstr (*line, begins) == NULL)
      g_string_append_printf (without, "%s\n", *line);
  g_assert_cmpuint (without->len, <, strlen (text));
  g_file_set_contents (theirs, without->str, -1, &error);
  g_assert_no_error (error);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  g_setenv ("GSETTINGS_SCHEMA_DIR", folder, TRUE);
}

/* In the child: all that is kept is asked for, that of two views, too, and kept again. */
static void
test_child (void)
{
  LsWindow *self = window_of (1);

  window_set_width (self, LS_WINDOW_TWO);
  ls_window_set_two (self, TRUE);
  ls_window_save_state (self);
  g_assert_nonnull (self->store);
  window_gone (self);
}

static void
test_lacks (void)
{
  static const char *const keys[] = { "width", "two-views", "second-view" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_setenv (LACKS, keys[i], TRUE);
      g_test_trap_subprocess ("/window/schema/subprocess/child", 0, G_TEST_SUBPROCESS_DEFAULT);
      g_unsetenv (LACKS);
      if (!g_test_trap_has_passed ())
        g_error ("with another version's schema, which lacks the key “%s”, the window ends the program",
                 keys[i]);
    }
}

int
main (int argc, char **argv)
{
  const char *key = g_getenv (LACKS);
  int status;

  folder = g_dir_make_tmp ("lockstep-schema-XXXXXX", NULL);
  if (key != NULL)
    install_without (key);
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/schema/subprocess/child", test_child);
  g_test_add_func ("/window/schema/lacks", test_lacks);
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
