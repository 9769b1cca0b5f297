/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane makes of the logits that its backend has for each sample of the test set
 * (train/lane/evaluate.c): which are right, how wrong the others are, and what is kept of them. The backend
 * is played.
 */
#include <math.h>
#include <string.h>

#include "files/evaluation.h"
#include "train/lane/lane.h"

#define CLASSES 3
#define BATCH   4
#define ROWS    7 /* the last batch isn't full */

static const struct {
  float logits[CLASSES];
  gint32 label;
  guint predicted;
  double loss, confidence; /* of wrong ones */
} rows[ROWS] = {
  { { 1, 5, 2 }, 1, 1, 0, 0 },
  { { 80, 0, -80 }, 1, 0, 80, 1 },          /* as far as floats go, each is as wrong as it is */
  { { 0, 0, 0 }, 2, 0, 1.0986123, 1. / 3 }, /* the first of several that are as high */
  { { 2, 1, 1 + 0x1p-20f }, 0, 0, 0, 0 },
  { { 0, 40, 0 }, 0, 1, 40, 1 },
  { { -300, 0, 300 }, 0, 2, 85.1956, 1 }, /* a probability of 0 is taken for 10⁻³⁷ */
  { { 20, 0, 0 }, 2, 0, 20, 1 },
};

static const LsPlan *plan;
static guint asked[BATCH], n_runs; /* which samples are with the backend */

static gboolean
run (gpointer lane, const LsRun *what, LsRunResult *result, GError **error)
{
  g_assert_cmpuint (what->n_ops, ==, plan->first_op[LS_PHASE_LOSS]); /* nothing is trained */
  g_assert_cmpuint (what->batches[0].n, ==, BATCH);
  memcpy (asked, what->batches[0].index, sizeof asked);
  n_runs++;
  return TRUE;
}

static gboolean
read_logits (gpointer lane, guint tensor, void *values, GError **error)
{
  g_assert_cmpuint (tensor, ==, plan->logits);
  for (guint i = 0; i < BATCH; i++)
    memcpy ((float *) values + i * CLASSES, rows[asked[i]].logits, sizeof rows[0].logits);
  return TRUE;
}

static void
test_evaluated (void)
{
  static const guint worst_first[] = { 5, 1, 4, 6, 2 };
  static guint8 bytes[2 * ROWS];
  static gint32 labels[ROWS];
  const LsBackend backend = { .name = "played", .run = run, .read = read_logits };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 3", NULL);
  g_autoptr (LsPlan) own = ls_plan_new (model, (const gint64[]){ 1, 1, 2 }, CLASSES, BATCH, LS_OPTIMIZER_SGD,
                                        NULL);
  LsData data = { .test = { .n = ROWS,
                            .shape = { 1, 1, 2 },
                            .sample_size = 2,
                            .type = LS_SAMPLE_U8,
                            .samples = bytes,
                            .labels = labels } };
  LsLane lane = { .backend = &backend, .plan = own, .data = &data };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsEvaluation) evaluation = NULL;

  plan = own;
  for (guint i = 0; i < ROWS; i++)
    {
      labels[i] = rows[i].label;
      bytes[2 * i] = (guint8) (10 * i);
      bytes[2 * i + 1] = (guint8) (200 + i);
    }
  g_assert_true (ls_lane_evaluate (&lane, &error));
  g_assert_no_error (error);
  evaluation = lane.result.evaluation.of_samples;
  g_assert_cmpuint (n_runs, ==, 2);
  g_assert_cmpuint (evaluation->n, ==, ROWS);
  g_assert_cmpuint (evaluation->n_right, ==, 2);
  g_assert_cmpfloat (lane.result.evaluation.accuracy, ==, 2. / ROWS);
  for (guint i = 0; i < ROWS; i++)
    {
      g_assert_cmpuint (evaluation->predicted[i], ==, rows[i].predicted);
      g_assert_cmpuint (evaluation->labels[i], ==, (guint) rows[i].label);
    }
  g_assert_cmpuint (evaluation->n_worst, ==, G_N_ELEMENTS (worst_first));
  for (guint i = 0; i < G_N_ELEMENTS (worst_first); i++)
    {
      const LsMistake *is = &evaluation->worst[i];
      const guint sample = worst_first[i];

      if (is->sample != sample || fabs ((double) is->loss - rows[sample].loss) > 1e-4 * rows[sample].loss
          || fabs ((double) is->confidence - rows[sample].confidence) > 1e-6)
        g_error (
          "mistake %u is sample %u with a loss of %g at a confidence of %g, not sample %u with %g at %g", i,
          is->sample, (double) is->loss, (double) is->confidence, sample, rows[sample].loss,
          rows[sample].confidence);
      for (guint k = 0; k < 2; k++)
        g_assert_cmpfloat ((double) evaluation->values[2 * i + k], ==,
                           (double) ((float) bytes[2 * sample + k] / 255));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lane/evaluated", test_evaluated);
  return g_test_run ();
}
