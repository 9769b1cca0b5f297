/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of one's own: what the lanes say of them is what a forward pass with their weights says; training
 * doesn't notice; it works while they train and while they rest. And the evaluation: what is said of each
 * test sample adds up to the accuracy.
 */
#include <math.h>
#include <glib/gstdio.h>

#include "rig.h"
#include "files/weights.h"
#include "train/lane/lane.h"

#define GRID 9

static LsQuestion *
question_of (LsCoordinator *c, gint64 number)
{
  const LsData *data = ls_coordinator_data (c);
  LsQuestion *q = ls_question_new (LS_ASKED_TEST, 1 + GRID * GRID, data->test.shape);

  q->number = number;
  q->label = data->test.labels[number];
  q->layers = TRUE;
  ls_question_copy (q, 0, &data->test, number);
  ls_question_set_grid (q, GRID, 2);
  return q;
}

/* Waits until all lanes have answered the question with weights of at least so many steps. */
static LsSnapshot *
wait_for_answers (LsCoordinator *c, const LsQuestion *question, guint n_lanes, guint64 steps)
{
  for (guint i = 0; i < 20000; i++)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      guint n = 0;
      for (guint l = 0; s != NULL && l < s->n_lanes; l++)
        n += s->lanes[l].answer != NULL && s->lanes[l].answer->question == question
             && s->lanes[l].answer->steps >= steps;
      if (n == n_lanes)
        return s;
      ls_snapshot_unref (s);
      g_usleep (1000);
    }
  g_assert_not_reached ();
}

/* The tiny network by hand, in double: tanh (W x + b), then the logits' softmax. */
static void
by_hand (float *const *w, const float *x, double probs[2])
{
  double logits[2] = { (double) w[3][0], (double) w[3][1] }, sum = 0;

  for (guint u = 0; u < 8; u++)
    {
      const double h = tanh ((double) w[0][2 * u] * (double) x[0] + (double) w[0][2 * u + 1] * (double) x[1]
                             + (double) w[1][u]);
      for (guint k = 0; k < 2; k++)
        logits[k] += (double) w[2][8 * k + u] * h;
    }
  for (guint k = 0; k < 2; k++)
    sum += exp (logits[k] - logits[0]);
  for (guint k = 0; k < 2; k++)
    probs[k] = exp (logits[k] - logits[0]) / sum;
}

static void
assert_answer (LsCoordinator *c, const LsAnswer *answer, const LsQuestion *question)
{
  const LsPlan *plan = ls_coordinator_plan (c);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-ask.safetensors", NULL);
  float **w = NULL;

  g_assert_true (ls_coordinator_save_weights (c, path, LS_PRECISION_FP32, &error));
  w = ls_weights_load (path, plan, &error);
  g_assert_no_error (error);
  g_unlink (path);
  for (gint64 i = 0; i < question->set.n; i++)
    {
      double probs[2];
      by_hand (w, ls_question_sample (question, i), probs);
      for (guint k = 0; k < 2; k++)
        g_assert_cmpfloat (fabs (probs[k] - (double) answer->probs[2 * i + k]), <, 1e-5);
    }
  g_assert_cmpint (answer->counts[plan->x], ==, 2);
  g_assert_cmpmem (answer->values[plan->x], 8, ls_question_sample (question, 0), 8);
  g_assert_nonnull (answer->values[plan->logits]);
  ls_params_free (w, plan);
}

/* A sample of a data set comes into a question as the numbers that lanes read, a byte as its 255th part; of
 * one that is longer than the question's samples what they have room for, of a shorter one all there is. */
static void
test_copied (void)
{
  static const guint8 bytes[] = { 0, 51, 102, 153, 204, 255 };
  static const float floats[] = { 0, .2f, .4f, .6f, .8f, 1 };
  const LsDataset sets[] = {
    { .n = 2, .shape = { 3, 1, 1 }, .sample_size = 3, .type = LS_SAMPLE_U8, .samples = (gpointer) bytes },
    { .n = 2, .shape = { 3, 1, 1 }, .sample_size = 3, .type = LS_SAMPLE_F32, .samples = (gpointer) floats }
  };

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    for (gint64 size = 1; size <= 5; size++)
      {
        g_autoptr (LsQuestion) question = ls_question_new (LS_ASKED_TEST, 3, (const gint64[]){ 1, size, 1 });

        for (gint64 i = 0; i < 3 * size; i++)
          ls_question_sample (question, 0)[i] = -1;
        ls_question_copy (question, 2, &sets[s], 0);
        ls_question_copy (question, 1, &sets[s], 1);
        for (gint64 to = 0; to < 3; to++)
          for (gint64 k = 0; k < size; k++)
            {
              const float is = ls_question_sample (question, to)[k],
                          should = to == 0 || k >= 3 ? -1 : floats[3 * (to == 1 ? 1 : 0) + k];
              if (is < should || is > should)
                g_error ("of %s, value %d of sample %d with room for %d is %g, not %g",
                         s == 0 ? "bytes" : "floats", (int) k, (int) to, (int) size, (double) is,
                         (double) should);
            }
      }
}

/* The plane's points, which are the last samples, lie in the middles of its cells: row by row from the top,
 * in a row from the left. */
static void
test_grid (void)
{
  static const float points[9][2] = { { -2, 2 }, { 0, 2 },   { 2, 2 },  { -2, 0 }, { 0, 0 },
                                      { 2, 0 },  { -2, -2 }, { 0, -2 }, { 2, -2 } };
  g_autoptr (LsQuestion) question = ls_question_new (LS_ASKED_TEST, 11, (const gint64[]){ 2, 1, 1 }),
                         one = ls_question_new (LS_ASKED_TEST, 1, (const gint64[]){ 2, 1, 1 });

  ls_question_set_grid (question, 3, 3);
  g_assert_cmpint (question->grid, ==, 3);
  g_assert_cmpfloat (question->reach, ==, 3);
  for (gint64 i = 0; i < 11; i++)
    for (guint d = 0; d < 2; d++)
      {
        const float is = ls_question_sample (question, i)[d], should = i < 2 ? 0 : points[i - 2][d];
        if (fabs ((double) (is - should)) > 1e-6)
          g_error ("%s of sample %d is %g, not %g", d == 0 ? "x" : "y", (int) i, (double) is,
                   (double) should);
      }
  ls_question_set_grid (one, 1, 7);
  g_assert_cmpfloat (ls_question_sample (one, 0)[0], ==, 0);
  g_assert_cmpfloat (ls_question_sample (one, 0)[1], ==, 0);
}

/* What an answer keeps of a layer is the first sample's. Of steps, which lie one after the other with all
 * samples in each, that is no piece of memory: nothing is kept. */
static void
test_steps_apart (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsQuestion) question = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  guint kept = 0, apart = 0;

  g_assert_true (
    ls_options_set (options, ls_options_find ("model"), "lstm 3 all, lstm 4 columns, dense 2", NULL));
  options->fusion = FALSE;
  c = start_and_open (options, NULL);
  question = question_of (c, 3);
  ls_coordinator_ask (c, question);
  s = finish (c);
  g_assert_nonnull (s->lanes[0].answer);
  for (guint i = 0; i < s->plan->first_op[LS_PHASE_LOSS]; i++)
    {
      const guint id = s->plan->ops[i].out[0];
      const LsTensor *t = &s->plan->tensors[id];
      const gboolean first = t->shape[0] == s->plan->batch, there = s->lanes[0].answer->values[id] != NULL;

      if (there != first)
        g_error ("of “%s”, whose first dimension is %d, the answer keeps %s", t->name, (int) t->shape[0],
                 there ? "something" : "nothing");
      kept += there;
      apart += !first;
    }
  g_assert_cmpuint (kept, >, 0);
  g_assert_cmpuint (apart, >, 0);
}

static void
test_at_rest (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsQuestion) question = question_of (c, 3);
  g_autoptr (LsSnapshot) before = NULL, s = NULL, after = NULL;

  ls_coordinator_ask (c, question); /* before the first step */
  before = finish (c);
  g_assert_nonnull (before->lanes[0].answer);
  g_assert_cmpuint (before->lanes[0].answer->steps, ==, 0);
  ls_coordinator_run (c, 40);
  ls_snapshot_unref (finish (c));
  ls_coordinator_ask (c, question);
  s = finish (c);
  for (guint l = 0; l < 2; l++)
    {
      g_assert_true (s->lanes[l].answer->question == question);
      g_assert_cmpuint (s->lanes[l].answer->steps, ==, 40);
      g_assert_cmpuint (s->lanes[l].steps, ==, 40);
      assert_answer (c, s->lanes[l].answer, question);
    }
  g_assert_cmpmem (s->lanes[0].answer->probs, question->set.n * 8, s->lanes[1].answer->probs,
                   question->set.n * 8);
  ls_coordinator_run (c, 50);
  after = finish (c); /* the old answer is still the newest */
  g_assert_true (after->lanes[0].answer == s->lanes[0].answer);
}

/* The same losses to the last bit, however often somebody asks. */
static void
test_training_goes_on (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) quiet = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) alone = NULL;

  ls_coordinator_run (quiet, 600);
  alone = finish (quiet);
  g_clear_pointer (&quiet, ls_coordinator_free);
  for (guint turns = 0; turns < 2; turns++)
    {
      g_autoptr (LsOptions) again = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      again->turns = turns ? LS_TURNS_TURNS : LS_TURNS_RACE;
      c = start_and_open (again, &fake_backend);
      ls_coordinator_run (c, 600);
      for (guint i = 0; i < 20; i++)
        {
          g_autoptr (LsQuestion) question = question_of (c, 7); /* one of its own: no answer is an older one's
                                                                 */
          ls_coordinator_ask (c, question);
          g_autoptr (LsSnapshot) one = wait_for_answers (c, question, 2, 0);
          g_assert_cmpuint (one->lanes[0].answer->steps, ==, one->lanes[1].answer->steps);
        }
      ls_coordinator_run (c, 610);
      s = finish (c);
      g_assert_cmpuint (s->lanes[1].steps, ==, 610);
      for (guint64 i = 0; i < 600; i++)
        g_assert_true (ls_curve_get (alone->lanes[0].curve, i).loss
                       == ls_curve_get (s->lanes[0].curve, i).loss);
      g_assert_true (s->agreement.loss_delta_max == 0);
    }
}

/* The newest question is what counts; the lane that isn't there answers when it comes. */
static void
test_newest (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsQuestion) first = NULL, second = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 100;
  c = start (options, &fake_backend);
  first = question_of (c, 1);
  second = question_of (c, 2);
  ls_coordinator_ask (c, first);
  ls_coordinator_ask (c, second);
  s = wait_for_answers (c, second, 2, 0);
  g_assert_cmpint (s->lanes[1].answer->question->number, ==, 2);
}

static void
test_lane_fails_at_it (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsQuestion) question = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_at = 1;
  c = start_and_open (options, &fake_backend);
  question = question_of (c, 0);
  ls_coordinator_ask (c, question);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_null (s->lanes[1].answer);
  g_assert_nonnull (s->lanes[0].answer);
}

static void
test_evaluation (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;
  const LsData *data = ls_coordinator_data (c);
  const LsEvaluation *evaluation;
  guint counts[4], right = 0;

  ls_coordinator_run_recorded (c, 30);
  s = finish (c);
  evaluation = s->lanes[0].evaluation;
  g_assert_cmpuint (evaluation->n, ==, data->test.n);
  g_assert_cmpuint (evaluation->steps, ==, 30);
  g_assert_cmpmem (evaluation->predicted, evaluation->n * 2, s->lanes[1].evaluation->predicted,
                   evaluation->n * 2);
  for (guint i = 0; i < evaluation->n; i++)
    {
      g_assert_cmpint (evaluation->labels[i], ==, data->test.labels[i]);
      right += evaluation->predicted[i] == evaluation->labels[i];
    }
  g_assert_cmpuint (right, ==, evaluation->n_right);
  g_assert_true (s->lanes[0].accuracy == (double) right / evaluation->n);
  ls_evaluation_count (evaluation, counts);
  g_assert_cmpuint (counts[0] + counts[3], ==, right);
  g_assert_cmpuint (counts[0] + counts[1] + counts[2] + counts[3], ==, evaluation->n);
  g_assert_cmpuint (evaluation->n_worst, ==, MIN (evaluation->n - right, LS_EVALUATION_WORST));
  for (guint i = 0; i < evaluation->n_worst; i++)
    {
      const LsMistake *m = &evaluation->worst[i];
      g_assert_cmpuint (evaluation->predicted[m->sample], !=, evaluation->labels[m->sample]);
      g_assert_true (i == 0 || evaluation->worst[i - 1].loss >= m->loss);
      g_assert_cmpfloat (fabsf (expf (-m->loss) + m->confidence - 1), <, 1e-4f); /* of two classes */
      g_assert_cmpmem (evaluation->values + 2 * i, 8, (const float *) data->test.samples + 2 * m->sample, 8);
    }
}

/* More mistakes than are kept: the worst of them, in order. */
static void
test_worst (void)
{
  g_autoptr (LsEvaluation) evaluation = ls_evaluation_new (1000, 3, 4);

  for (guint i = 0; i < 1000; i++)
    ls_evaluation_put (evaluation, i, 1, i % 4 == 0 ? 1 : 2, .5f, (float) (i * 7919 % 1009));
  g_assert_cmpuint (evaluation->n_right, ==, 250);
  g_assert_cmpuint (evaluation->n_worst, ==, LS_EVALUATION_WORST);
  for (guint i = 0; i < LS_EVALUATION_WORST; i++)
    {
      guint worse = 0;
      for (guint k = 0; k < 1000; k++)
        worse += k % 4 != 0 && (float) (k * 7919 % 1009) > evaluation->worst[i].loss;
      g_assert_cmpuint (worse, ==, i);
    }
}

/* Of mistakes that are as bad the earlier ones are kept, and come first. */
static void
test_as_bad (void)
{
  g_autoptr (LsEvaluation) evaluation = ls_evaluation_new (100, 3, 4);

  for (guint i = 0; i < 100; i++)
    ls_evaluation_put (evaluation, i, 1, 2, .5f, i == 7 ? 3 : 2);
  g_assert_cmpuint (evaluation->n_worst, ==, LS_EVALUATION_WORST);
  for (guint i = 0; i < LS_EVALUATION_WORST; i++)
    {
      const guint expected = i == 0 ? 7 : i <= 7 ? i - 1 : i;

      if (evaluation->worst[i].sample != expected)
        g_error ("mistake %u is sample %u, not %u, which is as bad and came before", i,
                 evaluation->worst[i].sample, expected);
    }
}

/* Answers are held against each other only if they are of the same samples after as many steps. */
static void
test_differ (void)
{
  g_autoptr (LsEvaluation) a = ls_evaluation_new (5, 3, 4), b = ls_evaluation_new (5, 3, 4),
                           fewer = ls_evaluation_new (4, 3, 4);

  a->steps = b->steps = fewer->steps = 30;
  for (guint i = 0; i < 5; i++)
    {
      ls_evaluation_put (a, i, 1, 1, .5f, 1);
      ls_evaluation_put (b, i, i < 2 ? 2 : 1, 1, .5f, 1);
    }
  g_assert_cmpint (ls_evaluation_differ (a, b), ==, 2);
  g_assert_cmpint (ls_evaluation_differ (a, fewer), ==, -1);
  g_assert_cmpint (ls_evaluation_differ (a, NULL), ==, -1);
  b->steps = 31;
  g_assert_cmpint (ls_evaluation_differ (a, b), ==, -1);
}

/* The last samples of a question are a plane's: row by row from the top left, each in the middle of its
 * square; those before them stay. */
static void
test_squares (void)
{
  static const gint64 two[3] = { 1, 1, 2 };
  static const float expected[][2] = { { -2, 2 }, { 0, 2 },   { 2, 2 },  { -2, 0 }, { 0, 0 },
                                       { 2, 0 },  { -2, -2 }, { 0, -2 }, { 2, -2 } };
  LsQuestion *question = ls_question_new (LS_ASKED_GRID, 2 + 9, two);

  ls_question_sample (question, 1)[0] = 7;
  ls_question_set_grid (question, 3, 3);
  g_assert_cmpint (question->grid, ==, 3);
  g_assert_cmpfloat (question->reach, ==, 3);
  g_assert_cmpfloat (ls_question_sample (question, 1)[0], ==, 7);
  for (guint i = 0; i < 9; i++)
    {
      const float *xy = ls_question_sample (question, 2 + i);

      for (guint k = 0; k < 2; k++)
        if (ABS (xy[k] - expected[i][k]) > 1e-6f)
          g_error ("square %u of the plane is asked about at (%g, %g), not (%g, %g)", i, (double) xy[0],
                   (double) xy[1], (double) expected[i][0], (double) expected[i][1]);
    }
  ls_question_unref (question);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ask/copied", test_copied);
  g_test_add_func ("/ask/grid", test_grid);
  g_test_add_func ("/ask/steps-apart", test_steps_apart);
  g_test_add_func ("/ask/at-rest", test_at_rest);
  g_test_add_func ("/ask/training-goes-on", test_training_goes_on);
  g_test_add_func ("/ask/newest", test_newest);
  g_test_add_func ("/ask/lane-fails-at-it", test_lane_fails_at_it);
  g_test_add_func ("/exam/adds-up", test_evaluation);
  g_test_add_func ("/exam/worst", test_worst);
  g_test_add_func ("/exam/as-bad", test_as_bad);
  g_test_add_func ("/exam/differ", test_differ);
  g_test_add_func ("/ask/squares", test_squares);
  return g_test_run ();
}
