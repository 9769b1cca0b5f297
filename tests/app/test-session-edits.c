/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder in which kernels are edited, watched by a session that has no lanes: what is saved there is
 * taken over, and what is dropped, or lies in another folder by now, isn't, also where it was just being
 * read; and what is told where two lanes have them.
 */
#include "../folder.h"

#include <glib/gstdio.h>
#include <string.h>

#include "backends/kernel_files.h"
#include "view_rig.h"

#define EDITED "epilogue.clh"

static void
write_edited (const char *folder, const char *after)
{
  g_autofree char *path = g_build_filename (folder, EDITED, NULL), *own = ls_kernel_files_own (EDITED),
                  *text = g_strconcat (own, after, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static char *
folder_of_edits (const char *after)
{
  char *folder = g_dir_make_tmp ("session-edits-XXXXXX", NULL);

  write_edited (folder, after);
  return folder;
}

/* Until what is being read is there. */
static void
look (const LsSession *self)
{
  while (self->looking)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_edited (const LsSession *self, const char *after, const char *when)
{
  const char *text = self->kernel_files != NULL ? g_hash_table_lookup (self->kernel_files->texts, EDITED)
                                                : NULL;

  if ((text != NULL) != (after != NULL) || (after != NULL && !g_str_has_suffix (text, after)))
    g_error ("%s, the session has %s", when,
             text == NULL ? "the built-in kernels" : "kernels that were edited otherwise");
}

/* Dropped while the folder is read: what was read isn't taken over afterwards. */
static void
test_dropped (void)
{
  g_autofree char *folder = folder_of_edits ("\n/* dropped */\n");
  g_autoptr (LsSession) self = ls_session_new ();

  ls_session_edit_kernels (self, folder);
  g_assert_cmpstr (ls_session_kernel_folder (self), ==, folder);
  ls_session_edit_kernels (self, NULL);
  g_assert_null (ls_session_kernel_folder (self));
  look (self);
  assert_edited (self, NULL, "dropped before they were read");
  /* nobody looks there any more */
  g_assert_cmpuint (self->kernel_timer, ==, 0);
  g_assert_null (self->kernel_monitor);
  ls_session_end (self);
  remove_tree (folder);
}

/* Dropped and taken up again, in the same folder, which is as it was. */
static void
test_again (void)
{
  g_autofree char *folder = folder_of_edits ("\n/* kept */\n");
  g_autoptr (LsSession) self = ls_session_new ();

  for (guint turn = 0; turn < 2; turn++)
    {
      ls_session_edit_kernels (self, folder);
      look (self);
      assert_edited (self, "\n/* kept */\n", turn == 0 ? "edited" : "edited again");
      ls_session_edit_kernels (self, NULL);
      assert_edited (self, NULL, "dropped");
    }
  ls_session_end (self);
  remove_tree (folder);
}

/* Another folder while the first is read: those of the first come to nothing, and what the other one lacks is
 * copied out into it, as into any. */
static void
test_other (void)
{
  g_auto (GStrv) names = ls_kernel_files_names ();
  g_autofree char *first = folder_of_edits ("\n/* first */\n"), *other = folder_of_edits ("\n/* other */\n");
  g_autoptr (LsSession) self = ls_session_new ();

  ls_session_edit_kernels (self, first);
  ls_session_edit_kernels (self, other);
  g_assert_cmpstr (ls_session_kernel_folder (self), ==, other);
  look (self);
  assert_edited (self, "\n/* other */\n", "in another folder before the first one was read");
  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *path = g_build_filename (other, *name, NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_error ("“%s” isn't in the other folder, where it is to be edited", *name);
    }
  ls_session_end (self);
  remove_tree (first);
  remove_tree (other);
}

static void
count_cb (LsSession *self, guint *n)
{
  ++*n;
}

/* A file that can't be read is told of as long as it is so: once it is as it was before, or the built-in
 * kernels are wanted, the picture is made anew without it, also where no lane trains. */
static void
test_problem (void)
{
  g_autofree char *folder = folder_of_edits ("\n/* kept */\n"),
                  *path = g_build_filename (folder, EDITED, NULL);
  g_autoptr (LsSession) self = ls_session_new ();
  guint n_data = 0, n_told = 0;

  g_signal_connect (self, "data", G_CALLBACK (count_cb), &n_data);
  for (guint turn = 0; turn < 2; turn++)
    {
      ls_session_edit_kernels (self, folder);
      look (self);
      g_assert_null (ls_session_kernel_message (self));
      g_assert_cmpint (g_unlink (path), ==, 0);
      g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      n_told = n_data;
      ls_session_edit_kernels (self, folder);
      look (self);
      if (ls_session_kernel_message (self) == NULL || n_data == n_told)
        g_error ("a kernel that can't be read isn't told of");
      assert_edited (self, "\n/* kept */\n", "while a kernel can't be read");
      g_assert_cmpint (g_rmdir (path), ==, 0);
      write_edited (folder, "\n/* kept */\n");
      n_told = n_data;
      ls_session_edit_kernels (self, turn == 0 ? folder : NULL);
      look (self);
      if (ls_session_kernel_message (self) != NULL || n_data == n_told)
        g_error ("%s, it still stands in the picture that a kernel can't be read",
                 turn == 0 ? "mended" : "with the built-in kernels");
    }
  ls_session_end (self);
  remove_tree (folder);
}

/* Lanes that found edited kernels when they were opened get the built-in ones once nothing is edited any
 * more; those that found none keep what they have. */
static void
test_found (void)
{
  for (guint edited = 0; edited < 2; edited++)
    {
      g_autofree char *folder = folder_of_edits (edited ? "\n/* found */\n" : "");
      g_setenv ("LOCKSTEP_KERNEL_DIR", folder, TRUE);
      g_autoptr (LsSession) self = ls_session_new ();

      g_unsetenv ("LOCKSTEP_KERNEL_DIR");
      g_assert_cmpstr (ls_session_kernel_folder (self), ==, folder);
      g_assert_null (self->kernel_files);
      write_edited (folder, "");
      ls_session_edit_kernels (self, folder);
      look (self);
      if ((self->kernel_files != NULL) != edited)
        g_error ("lanes that found %s kernels are told%s to use the built-in ones",
                 edited ? "edited" : "no edited", edited ? " nothing, not" : "");
      assert_edited (self, NULL, "with the built-in kernels in the folder");
      ls_session_end (self);
      remove_tree (folder);
    }
}

static void
told_cb (LsSession *session, const char *sentence, GPtrArray *told)
{
  g_ptr_array_add (told, g_strdup (sentence));
}

/* Of two lanes with edited kernels the second one's compiler is heard, too, also where the first one uses
 * them; that both do is told once. */
static void
test_kernels_of_two (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_options_set (options, ls_options_find ("lanes"), "opencl(kernel=tiled),opencl(kernel=packed)", NULL);
  g_autoptr (GPtrArray) specs = ls_lane_specs_new (options, NULL);
  for (guint refuses = 0; refuses < 4; refuses++) /* bits: of the lanes */
    {
      g_autoptr (View) view = view_new ();
      g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
      const char *message = refuses == 0 ? NULL : refuses & 1 ? "first: error" : "second: error";

      g_signal_connect (view->session, "kernels", G_CALLBACK (told_cb), told);
      for (guint turn = 0; turn < 3; turn++) /* as they were; the first one has built; both have */
        {
          LsSnapshot *s = turn == 0 ? running () : again (view->snapshot);
          LsLaneSnapshot *lane = &s->lanes[turn - 1];

          for (guint i = 0; turn == 0 && i < 2; i++)
            {
              ls_lane_spec_unref (s->lanes[i].spec);
              s->lanes[i].spec = ls_lane_spec_ref (specs->pdata[i]);
            }
          if (turn > 0)
            {
              lane->kernels_serial++;
              lane->kernels_message = refuses & turn ? g_strdup (turn == 1 ? "first: error" : "second: error")
                                                     : NULL;
            }
          hand_over (view, s);
        }
      g_assert_cmpuint (told->len, ==, refuses & 2 ? 2 : 1);
      g_assert_cmpstr (ls_session_kernel_message (view->session), ==, message);
      g_assert_cmpint (strstr (told->pdata[told->len - 1], "error") != NULL, ==, refuses > 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-edits/dropped", test_dropped);
  g_test_add_func ("/session-edits/again", test_again);
  g_test_add_func ("/session-edits/other", test_other);
  g_test_add_func ("/session-edits/problem", test_problem);
  g_test_add_func ("/session-edits/found", test_found);
  g_test_add_func ("/session-edits/of-two", test_kernels_of_two);
  return g_test_run ();
}
