/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See scenario.h.
 */
#include "scenario.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/folder.h"

#define DEADLINE_S 60

void
scenario_begin (void)
{
  alarm (DEADLINE_S);
}

Scenario *
scenario_run (const char *const *changes, const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) out = NULL, err = NULL;
  g_autoptr (GError) error = NULL;
  Scenario *s = g_new0 (Scenario, 1);

  g_ptr_array_add (argv, g_file_read_link ("/proc/self/exe", &error));
  g_assert_no_error (error);
  for (guint i = 0; arguments[i]; i++)
    g_ptr_array_add (argv, g_strdup (arguments[i]));
  g_ptr_array_add (argv, NULL);
  for (guint i = 0; changes[i]; i++)
    {
      g_auto (GStrv) parts = g_strsplit (changes[i], "=", 2);
      if (parts[1])
        g_subprocess_launcher_setenv (launcher, parts[0], parts[1], TRUE);
      else
        g_subprocess_launcher_unsetenv (launcher, parts[0]);
    }
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate (process, NULL, NULL, &out, &err, &error);
  g_assert_no_error (error);
  s->out = g_strndup (g_bytes_get_data (out, NULL), g_bytes_get_size (out));
  s->err = g_strndup (g_bytes_get_data (err, NULL), g_bytes_get_size (err));
  s->signal = g_subprocess_get_if_signaled (process) ? g_subprocess_get_term_sig (process) : 0;
  s->status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process) : -1;
  return s;
}

void
scenario_free (Scenario *s)
{
  g_free (s->out);
  g_free (s->err);
  g_free (s);
}

char *
scenario_get (const Scenario *s, const char *key)
{
  g_auto (GStrv) lines = g_strsplit (s->out, "\n", -1);
  g_autofree char *start = g_strconcat (key, "=", NULL);

  for (guint i = 0; lines[i]; i++)
    if (g_str_has_prefix (lines[i], start))
      return g_strdup (lines[i] + strlen (start));
  return NULL;
}

char *
scenario_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

void
scenario_remove (char *folder)
{
  remove_tree (folder);
  g_free (folder);
}

guint
scenario_files (const char *folder, void (*file) (const char *path, gpointer data), gpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        continue;
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        n += scenario_files (path, file, data);
      else if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        {
          n++;
          if (file)
            file (path, data);
        }
    }
  return n;
}
