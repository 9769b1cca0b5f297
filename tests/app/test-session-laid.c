/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings in a session that has no lanes: laid over the shown step the newest wish counts, whichever of
 * them takes longer to read; and where and when one that is opened was recorded is told.
 */
#include <glib/gstdio.h>

#include "data/datadir.h"
#include "files/recording.h"
#include "ui/app/session/session_private.h"

static const char *const models[] = { "conv ", "flatten," };

static gboolean
tick_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Until all threads have come back: each holds the session, and may let it go after the last event. */
static void
finish (LsSession *self)
{
  const guint tick = g_timeout_add (1, tick_cb, NULL);

  while (g_atomic_int_get ((gint *) &G_OBJECT (self)->ref_count) > 1)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
}

static void
test_later (void)
{
  g_autofree char *cnn = ls_data_dir_find ("recordings/cnn.lockstep"),
                  *mlp = ls_data_dir_find ("recordings/mlp.lockstep");
  const char *const paths[] = { cnn, mlp };
  g_autoptr (LsSession) self = ls_session_new ();

  for (guint i = 0; i < 4; i++)
    {
      ls_session_lay_over (self, paths[i % 2]);
      ls_session_lay_over (self, paths[1 - i % 2]);
      finish (self);
      if (self->other == NULL || !g_str_has_prefix (self->other->recording->model, models[1 - i % 2]))
        g_error ("after “%s” “%s” was asked for, and “%s” is laid over", paths[i % 2], paths[1 - i % 2],
                 self->other != NULL ? self->other->recording->model : "nothing");
    }
  ls_session_end (self);
}

/* Taken away before it has been read, it doesn't come. */
static void
test_taken_away (void)
{
  g_autofree char *cnn = ls_data_dir_find ("recordings/cnn.lockstep");
  g_autoptr (LsSession) self = ls_session_new ();

  ls_session_lay_over (self, cnn);
  ls_session_lay_over_none (self);
  finish (self);
  if (self->other != NULL)
    g_error ("nothing was to be laid over any more, and “%s” is", self->other->recording->model);
  ls_session_lay_over (self, cnn);
  finish (self);
  g_assert_nonnull (self->other);
  ls_session_lay_over_none (self);
  g_assert_null (self->other);
  ls_session_end (self);
}

/* The machine and the day, or the day alone where it doesn't say which machine it was. */
static void
test_origin (void)
{
  g_autofree char *shipped = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *folder = g_dir_make_tmp ("session-laid-XXXXXX", NULL),
                  *path = g_build_filename (folder, "step.lockstep", NULL);

  for (guint named = 0; named < 2; named++)
    {
      g_autoptr (LsSession) self = ls_session_new ();
      g_autoptr (LsRecording) recording = ls_recording_load (shipped, NULL);
      g_autofree char *expected = g_strdup_printf ("%s%.10s", named ? "Saturn, " : "", recording->date);

      if (named)
        g_hash_table_insert (recording->conditions, g_strdup ("host"), g_strdup ("Saturn"));
      else
        g_hash_table_remove (recording->conditions, "host");
      g_assert_true (ls_recording_save (recording, path, NULL));
      ls_session_open (self, path);
      finish (self);
      g_assert_nonnull (self->file);
      if (g_strcmp0 (self->origin, expected) != 0)
        g_error ("it says that it was recorded on “%s”, and not “%s”", self->origin, expected);
      ls_session_end (self);
      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-laid/later", test_later);
  g_test_add_func ("/session-laid/taken-away", test_taken_away);
  g_test_add_func ("/session-laid/origin", test_origin);
  return g_test_run ();
}
