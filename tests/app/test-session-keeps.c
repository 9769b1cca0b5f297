/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a run is kept against a crash, and what of it: the keeper and the clock are played.
 */
#include "lanes_rig.h"

/* Those weights after so many steps. */
static LsSnapshot *
with_weights (View *view, guint64 step)
{
  LsSnapshot *s = again (view->snapshot);
  LsHeldWeights *held = g_atomic_rc_box_new0 (LsHeldWeights);

  held->step = step;
  held->plan = ls_plan_ref (s->plan);
  held->values = g_new0 (float *, s->plan->n_params + 1);
  for (guint i = 0; i < s->plan->n_params; i++)
    held->values[i] = g_new0 (float, 1);
  s->weights = held;
  return s;
}

static void
wait_kept (View *view)
{
  for (guint i = 0; i < 5000 && view->session->keep.saving; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_false (view->session->keep.saving);
}

/* Newer weights are kept, five seconds after the ones before, or a hundred times as long as it took, a minute
 * at most; with the shown step, if that isn't a later one. */
static void
test_kept (void)
{
  static const struct {
    double took, pause; /* s */
  } rows[] = { { 0, 5 }, { .02, 5 }, { .2, 20 }, { .5, 50 }, { 3, 60 } };
  View *view = lanes_view ();
  LsSession *self = view->session;
  guint64 step = 100;

  self->keep.keeper = ls_keeper_new ();
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = NULL;

      lanes.saves_us = (gint64) (rows[i].took * G_USEC_PER_SEC);
      /* weights are asked for once, when it is time, and only of a run that goes on */
      hand_over (view, again (view->snapshot));
      lanes_assert_told ("hold");
      hand_over (view, again (view->snapshot));
      lanes_assert_told ("");
      step += 50;
      hand_over (view, with_weights (view, step));
      wait_kept (view);
      words = g_strdup_printf ("keep %u with -1", (guint) step);
      lanes_assert_told (words);
      lanes_pass (rows[i].pause - .001);
      g_clear_handle_id (&self->keep.timer, g_source_remove);
      hand_over (view, with_weights (view, step + 1));
      g_assert_false (self->keep.saving);
      lanes_assert_told ("");
      g_clear_handle_id (&self->keep.timer, g_source_remove);
      g_clear_pointer (&view->snapshot, ls_snapshot_unref);
      view->snapshot = ls_snapshot_ref (self->snapshot);
      lanes_pass (.002);
    }
  /* the shown step goes with them, up to that of the weights */
  lanes.saves_us = 0;
  for (gint later = -1; later <= 1; later++)
    {
      g_autoptr (LsRecording) recording = NULL;
      g_autofree char *words = NULL;

      step += 50;
      recording = lanes_step ((guint64) ((gint64) step + later));
      self->stepped = self->show_next = TRUE;
      ls_session_take_recording (self, recording);
      lanes_pass (100);
      self->keep.asked = TRUE;
      g_string_truncate (lanes.told, 0);
      hand_over (view, with_weights (view, step));
      wait_kept (view);
      words = g_strdup_printf ("keep %u with %d", (guint) step, later > 0 ? -1 : (int) recording->step);
      lanes_assert_told (words);
    }
  /* of another run than the one that is on the same step is new */
  ls_session_keep_anew (self);
  lanes_pass (100);
  self->keep.asked = TRUE;
  hand_over (view, with_weights (view, 10));
  wait_kept (view);
  lanes_assert_told ("keep 10 with -1");
  /* what was just being kept of the run before isn't this one's */
  lanes_pass (100);
  self->keep.asked = TRUE;
  hand_over (view, with_weights (view, 20));
  g_assert_true (self->keep.saving);
  ls_session_keep_anew (self);
  wait_kept (view);
  g_assert_cmpuint (self->keep.step, ==, 0);
  g_clear_handle_id (&self->keep.timer, g_source_remove);
  lanes_done (view);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-keeps/kept", test_kept);
  return g_test_run ();
}
