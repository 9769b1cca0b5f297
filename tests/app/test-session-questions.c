/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session asks the lanes about samples that the user chose, and when it asks again.
 */
#include <math.h>
#include <string.h>

#include "lanes_rig.h"

static void
wish_sample (View *view, guint stage, gint64 number, gboolean anew)
{
  LsWish wish = LS_WISH_NOTHING;

  wish.answer.wanted = number >= 0;
  wish.answer.what = LS_ASKED_TEST;
  wish.answer.number = number;
  ls_session_wish (view->session, stage, &wish, anew);
}

/* Of a sample of the test set, with its label and its values; a number that isn't there is the nearest; the
 * plane beside it where data are points: coarser while they train, and a little wider than the samples. */
static void
test_questions (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;
  const LsDataset *test = &lanes.data->test, *train = &lanes.data->train;
  double most = 0;

  ((float *) train->samples)[5] = -2.5f; /* the farthest is on the negative side */
  for (gint64 i = 0; i < train->n * 2; i++)
    most = MAX (most, ABS ((double) ((const float *) train->samples)[i]));
  for (guint i = 0; i < 4; i++)
    {
      const gint64 number = i == 3 ? test->n + 5 : 7 + i, should = MIN (number, test->n - 1);

      self->playhead.playing = i % 2 == 0;
      wish_sample (view, 0, number, TRUE);
      lanes_assert_told (""); /* soon, not at once */
      lanes_wait_told ();
      lanes_assert_told ("ask");
      g_assert_cmpint (lanes.asked->what, ==, LS_ASKED_TEST);
      g_assert_cmpint (lanes.asked->number, ==, should);
      g_assert_cmpint (lanes.asked->label, ==, test->labels[should]);
      g_assert_cmpmem (ls_question_sample (lanes.asked, 0), 8, (const float *) test->samples + 2 * should, 8);
      g_assert_true (lanes.asked->layers);
      g_assert_cmpint (lanes.asked->grid, ==, i % 2 == 0 ? 64 : 128);
      g_assert_cmpint (lanes.asked->set.n, ==, 1 + lanes.asked->grid * lanes.asked->grid);
      g_assert_cmpfloat_with_epsilon (lanes.asked->reach, 1.06 * most, 1e-6);
      ls_session_ask_nothing (self);
      g_assert_false (ls_session_asking (self));
    }
  self->playhead.playing = FALSE;
  /* what the other stage doesn't want is no answer to this one */
  wish_sample (view, 0, 3, TRUE);
  wish_sample (view, 1, -1, TRUE);
  g_assert_true (ls_session_asking (self));
  wish_sample (view, 0, -1, TRUE);
  g_assert_false (ls_session_asking (self));
  wish_sample (view, 1, 3, TRUE);
  g_assert_true (ls_session_asking (self));
  /* over a recording nobody is asked */
  self->file = lanes_step (7);
  wish_sample (view, 1, 4, TRUE);
  g_assert_false (ls_session_asking (self));
  g_clear_pointer (&self->file, ls_recording_unref);
  lanes_done (view);
}

/* The plane is as wide as the samples that are there when it is asked: those of another run may reach
 * farther. */
static void
test_reach (void)
{
  View *view = lanes_view ();
  float *first = (float *) lanes.data->train.samples;
  const float before = *first;

  for (guint i = 0; i < 3; i++)
    {
      *first = 10 * (float) (i + 1);
      wish_sample (view, 0, 3, TRUE);
      g_string_truncate (lanes.told, 0);
      lanes_wait_told ();
      lanes_assert_told ("ask");
      if (fabs (lanes.asked->reach - 10.6 * (i + 1)) > 1e-5)
        g_error ("the samples reach to %g, and the plane to %g", (double) *first, lanes.asked->reach);
      ls_session_ask_nothing (view->session);
    }
  *first = before;
  lanes_done (view);
}

/* What is drawn is asked as an image of the run's size, the same in each channel, as it was when it was
 * wished; if the data are others meanwhile, it isn't asked. */
static void
test_drawn (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;
  LsDataset *train = &lanes.data->train;
  const LsDataset points = *train;
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  float image[8 * 9];

  for (guint turn = 0; turn < 2; turn++)
    {
      LsWish wish = LS_WISH_NOTHING;

      train->shape[0] = 2;
      train->shape[1] = 8;
      train->shape[2] = 9;
      train->sample_size = 2 * 8 * 9;
      ls_strokes_clear (strokes);
      ls_strokes_begin (strokes, .3, .2);
      ls_strokes_to (strokes, .7, turn == 0 ? .8 : .1);
      g_assert_true (ls_strokes_image (strokes, 8, 9, image));
      wish.answer.wanted = TRUE;
      wish.answer.what = LS_ASKED_DRAWN;
      wish.answer.strokes = strokes;
      ls_session_wish (self, 0, &wish, TRUE);
      ls_strokes_clear (strokes);
      if (turn == 1)
        *train = points;
      while (self->ask.newer)
        g_main_context_iteration (NULL, TRUE);
      lanes_assert_told (turn == 0 ? "ask" : "");
      if (turn == 0)
        {
          g_assert_cmpint (lanes.asked->what, ==, LS_ASKED_DRAWN);
          g_assert_cmpint (lanes.asked->set.n, ==, 1); /* images have no plane */
          g_assert_true (lanes.asked->layers);
          for (guint channel = 0; channel < 2; channel++)
            g_assert_cmpmem (ls_question_sample (lanes.asked, 0) + channel * G_N_ELEMENTS (image),
                             sizeof image, image, sizeof image);
        }
      g_clear_pointer (&lanes.asked, ls_question_unref);
      ls_session_ask_nothing (self);
    }
  *train = points;
  lanes_done (view);
}

/* One that says nothing of any class. (transfer full) */
static LsAnswer *
answer_to (LsQuestion *question, const LsPlan *plan)
{
  LsAnswer *answer = g_atomic_rc_box_new0 (LsAnswer);

  answer->question = ls_question_ref (question);
  answer->n_classes = plan->n_classes;
  answer->n_tensors = plan->n_tensors;
  answer->values = g_new0 (float *, plan->n_tensors);
  answer->counts = g_new0 (gint64, plan->n_tensors);
  answer->probs = g_new0 (float, (gsize) question->set.n *(gsize) plan->n_classes);
  return answer;
}

/* Both lanes answer what was asked last. */
static void
answer_all (View *view)
{
  LsSnapshot *s = again (view->snapshot);

  for (guint i = 0; i < s->n_lanes; i++)
    s->lanes[i].answer = answer_to (lanes.asked, s->plan);
  hand_over (view, s);
}

static void
assert_asks (gint64 number, const char *when)
{
  lanes_wait_told ();
  lanes_assert_told ("ask");
  if (lanes.asked->number != number)
    g_error ("%s, sample %d is asked about, not %d", when, (gint) lanes.asked->number, (gint) number);
}

/* Another wish takes the place of the one before, and is asked once that is answered, or isn't for long; the
 * same picture once more, which wishes nothing anew, changes nothing. */
static void
test_another_wish (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;

  self->playhead.playing = TRUE;
  wish_sample (view, 0, 3, TRUE);
  assert_asks (3, "first");
  wish_sample (view, 0, 9, FALSE);
  if (self->ask.newer || self->ask.number != 3)
    g_error ("the same picture once more is asked about sample %d", (gint) self->ask.number);
  wish_sample (view, 0, 9, TRUE);
  answer_all (view);
  g_string_truncate (lanes.told, 0);
  assert_asks (9, "another sample was wished meanwhile");
  /* the newest of several, also while nobody answers */
  wish_sample (view, 0, 10, TRUE);
  wish_sample (view, 0, 11, TRUE);
  lanes_pass (2);
  for (guint i = 0; i < 4; i++)
    g_main_context_iteration (NULL, TRUE);
  lanes_assert_told ("");
  lanes_pass (1.5);
  assert_asks (11, "the one before wasn't answered for three seconds");
  /* one that is taken back isn't asked */
  wish_sample (view, 0, 12, TRUE);
  wish_sample (view, 0, -1, FALSE);
  g_assert_false (ls_session_asking (self));
  g_assert_cmpuint (self->ask.timer, ==, 0);
  lanes_assert_told ("");
  lanes_done (view);
}

/* While they train the same is asked again, whichever of the lanes does: the first one may have failed. */
static void
test_asked_again (void)
{
  for (guint works = 0; works < 2; works++)
    {
      View *view = lanes_view ();
      LsSession *self = view->session;
      LsSnapshot *s = again (view->snapshot);

      s->lanes[!works].state = LS_LANE_FAILED;
      hand_over (view, s);
      self->playhead.playing = TRUE;
      wish_sample (view, 0, 3, TRUE);
      g_string_truncate (lanes.told, 0);
      lanes_wait_told ();
      lanes_assert_told ("ask");
      s = again (view->snapshot);
      s->lanes[works].steps++;
      s->lanes[works].answer = answer_to (lanes.asked, s->plan);
      hand_over (view, s);
      lanes_pass (1);
      g_string_truncate (lanes.told, 0);
      lanes_wait_told ();
      if (strcmp (lanes.told->str, "ask") != 0)
        g_error ("only the %s lane trains, and it isn't asked again", works == 0 ? "first" : "second");
      g_string_truncate (lanes.told, 0);
      ls_session_ask_nothing (self);
      lanes_done (view);
    }
}

/* The same is asked again five times a second at most, and for less than a sixteenth of the lanes' time,
 * which answer one after the other; and not before a step has been trained. */
static void
test_how_often (void)
{
  static const struct {
    guint took_ms[2];
    double passed;
    gboolean trained, again;
  } rows[] = { { { 1, 1 }, .199, TRUE, FALSE },  { { 1, 1 }, .2, TRUE, TRUE },
               { { 1, 1 }, 9, FALSE, FALSE },    { { 20, 20 }, .639, TRUE, FALSE },
               { { 20, 20 }, .64, TRUE, TRUE },  { { 0, 40 }, .639, TRUE, FALSE },
               { { 40, 0 }, .639, TRUE, FALSE }, { { 40, 0 }, .64, TRUE, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      View *view = lanes_view ();
      LsSession *self = view->session;
      LsSnapshot *s;

      self->playhead.playing = TRUE;
      wish_sample (view, 0, 3, TRUE);
      assert_asks (3, "first");
      s = again (view->snapshot);
      for (guint lane = 0; lane < 2; lane++)
        {
          s->lanes[lane].steps += rows[i].trained;
          s->lanes[lane].answer = answer_to (lanes.asked, s->plan);
          s->lanes[lane].answer->took_ns = rows[i].took_ms[lane] * G_GUINT64_CONSTANT (1000000);
        }
      hand_over (view, s);
      lanes_pass (rows[i].passed);
      g_string_truncate (lanes.told, 0);
      for (guint ms = 0; ms < (rows[i].again ? 2000 : 200) && lanes.told->len == 0; ms++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (1000);
        }
      if ((lanes.told->len > 0) != rows[i].again)
        g_error ("answers of %u and %u ms, %g s later%s: the lanes are %sasked again", rows[i].took_ms[0],
                 rows[i].took_ms[1], rows[i].passed, rows[i].trained ? "" : ", with nothing trained",
                 rows[i].again ? "not " : "");
      g_string_truncate (lanes.told, 0);
      ls_session_ask_nothing (self);
      lanes_done (view);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-questions/sample", test_questions);
  g_test_add_func ("/session-questions/reach", test_reach);
  g_test_add_func ("/session-questions/drawn", test_drawn);
  g_test_add_func ("/session-questions/another-wish", test_another_wish);
  g_test_add_func ("/session-questions/asked-again", test_asked_again);
  g_test_add_func ("/session-questions/how-often", test_how_often);
  return g_test_run ();
}
