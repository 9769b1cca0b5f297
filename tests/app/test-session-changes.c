/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the user changes while lanes train: kernels in a folder of their own, the tuner's parameters, another
 * rung or tile.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "session_rig.h"
#include "ui/app/session/session_private.h"

static gboolean
kernels_told (const Watch *w, guint64 n)
{
  return w->n_kernels >= n;
}

static gboolean
no_text (const Watch *w, guint64 n)
{
  const char *message = ls_session_kernel_message (w->session);

  return message != NULL && strstr (message, "is no text") != NULL;
}

static gboolean
nothing_wrong (const Watch *w, guint64 n)
{
  return ls_session_kernel_message (w->session) == NULL;
}

/* Files of edited kernels are read on a thread, tried on another, and taken over by the lane's own. */
static void
test_kernels (void)
{
  g_autoptr (LsOptions) o = small ("opencl");
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-session-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "epilogue.clh", NULL);
  g_autofree char *text = NULL, *broken = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;
  Watch w;

  g_assert_no_error (error);
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  if (opencl_works (&w))
    {
      ls_session_edit_kernels (w.session, folder);
      while (!g_file_get_contents (path, &text, NULL, NULL) || *text == '\0')
        g_main_context_iteration (NULL, TRUE);
      broken = g_strconcat (text, "\nno OpenCL C\n", NULL);
      g_file_set_contents (path, broken, -1, &error);
      g_assert_no_error (error);
      wait_for (&w, kernels_told, 1, "what the compiler says");
      g_assert_nonnull (ls_session_kernel_message (w.session));
      g_file_set_contents (path, "a\0b", 3, &error);
      g_assert_no_error (error);
      wait_for (&w, no_text, 0, "that a file can't be read");
      g_file_set_contents (path, text, -1, &error);
      g_assert_no_error (error);
      wait_for (&w, nothing_wrong, 0, "that it can be read again");
      ls_session_edit_kernels (w.session, NULL);
      wait_for (&w, kernels_told, w.n_kernels + 1, "the built-in kernels");
      g_assert_null (ls_session_kernel_message (w.session));
    }
  watch_end (&w);
  dir = g_dir_open (folder, 0, &error);
  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      g_assert_cmpint (g_unlink (file), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
tick_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
tuned_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) found = ls_session_tune_finish (LS_SESSION (source), result, &error);

  g_assert_true ((found == NULL) == (error != NULL));
  *(gboolean *) data = TRUE;
}

/* The tuner's words are read while its thread writes them; cancelled, it lets training go on. */
static void
test_tune (void)
{
  g_autoptr (LsOptions) o = small ("opencl");
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GTask) task = NULL;
  LsSessionTuning progress = { 0 };
  gboolean done = FALSE;
  const guint tick = g_timeout_add (5, tick_cb, NULL);
  Watch w;

  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  if (opencl_works (&w))
    {
      task = ls_session_tune (w.session, cancel, tuned_cb, &done);
      while (!done && progress.n_tasks == 0)
        {
          g_assert_true (ls_session_tune_progress (task, &progress));
          g_main_context_iteration (NULL, TRUE);
        }
      g_assert_true (ls_session_tune_progress (task, &progress)); /* it may have ended since */
      g_assert_cmpuint (progress.n_tasks, >, 0);
      g_assert_cmpstr (progress.words, !=, "");
      g_cancellable_cancel (cancel);
      while (!done)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (ls_session_playing (w.session));
      wait_for (&w, trained, ls_session_snapshot (w.session)->lanes[0].steps + 5, "five more steps");
      g_clear_object (&task);
    }
  g_source_remove (tick);
  watch_end (&w);
}

static gboolean
rated (const Watch *w, guint64 unused)
{
  return ls_figure_stands (&ls_session_snapshot (w->session)->lanes[0].rate);
}

/* No step has been done since the change, so the rate that is there is no answer. */
static void
check_at_once (const Watch *w, const char *said)
{
  LsChange changes[LS_MAX_LANES] = { { NULL } };

  ls_session_tell_changes (w->session, changes);
  const char *words = changes[0].words;
  if (said == NULL)
    g_assert_cmpstr (words, ==, NULL);
  else if (words == NULL || strstr (words, said) == NULL || !g_str_has_suffix (words, "now not measured yet"))
    g_error ("right after the change “%s” the lane says “%s”", said, words);
  for (guint i = 0; i < LS_MAX_LANES; i++)
    ls_change_clear (&changes[i]);
}

static gboolean
shown_anew (const Watch *w, guint64 n)
{
  return w->n_data >= n;
}

/* The lane has taken the rung over: its first product is computed with it. */
static gboolean
computes_with (const Watch *w, guint64 tiled)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);
  guint op = 0;

  while (s->plan->ops[op].attr.m == 0)
    op++;
  return (s->lanes[0].facts->tilings[op].way == LS_WAY_TILED) == (tiled != 0);
}

static const struct {
  const char *option, *value, *said;
  gboolean tiled;
} cases[] = {
  { "tile-edge", "8", NULL, FALSE },
  { "kernel", "tiled", "packed → tiled", TRUE },
  { "tile-edge", "32", "8×8 → 32×32", TRUE },
};

/* What the head says is of this change, not of the one before. */
static gboolean
says (const Watch *w, guint64 i)
{
  const char *said = ls_session_data (w->session)->sides[1].change.words;

  return cases[i].said == NULL ? said == NULL : said != NULL && strstr (said, cases[i].said) != NULL;
}

/* A tile's edge is said to have changed something only where the lane has such tiles. */
static void
test_change (void)
{
  g_autoptr (LsOptions) o = small ("opencl");
  Watch w;

  g_assert_true (ls_options_set (o, ls_options_find ("kernel"), "packed", NULL));
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  for (guint i = 0; i < G_N_ELEMENTS (cases) && opencl_works (&w); i++)
    {
      const guint n_data = w.n_data;

      wait_for (&w, rated, 0, "a rate that is settled");
      g_assert_true (ls_options_set (o, ls_options_find (cases[i].option), cases[i].value, NULL));
      ls_session_configure (w.session, o);
      check_at_once (&w, cases[i].said);
      wait_for (&w, shown_anew, n_data + 2, "data after the change");
      wait_for (&w, computes_with, cases[i].tiled, "the lane's other kernels");
      wait_for (&w, says, i, "words about the change");
    }
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/kernels", test_kernels);
  g_test_add_func ("/session/tune", test_tune);
  g_test_add_func ("/session/change", test_change);
  return g_test_run ();
}
