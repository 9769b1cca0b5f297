/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "asked.h"

void
asked_add_evaluations (LsRecording *r)
{
  const guint classes = (guint) r->n_classes;

  for (guint lane = 0; lane < r->n_lanes; lane++)
    {
      LsEvaluation *evaluation = ls_evaluation_new (ASKED_TESTS, classes,
                                                    r->in_shape[0] * r->in_shape[1] * r->in_shape[2]);

      for (guint i = 0; i < ASKED_TESTS; i++)
        ls_evaluation_put (evaluation, i, (i + (i % 11 == 0) + (lane == 1 && i == 5)) % classes, i % classes,
                           .5f + .4f * (float) (i % 7) / 7, 1 + (float) (i % 13));
      evaluation->steps = r->step;
      evaluation->values = g_new0 (float, evaluation->n_worst *(gsize) evaluation->sample_size);
      for (guint i = 0; i < evaluation->n_worst; i++)
        evaluation->values[i * evaluation->sample_size + MIN (3, evaluation->sample_size - 1)] = 1;
      r->lanes[lane].evaluation = evaluation;
    }
}

LsViewData *
asked_data (const char *model, gboolean toy)
{
  const LsFixture f = { LS_CORES (2),   .model = model, .batch = 32,    .tiles = 16, .groups = 32,
                        .on_cpu = TRUE, .steps = 60,    .values = TRUE, .toy = toy };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);

  asked_add_evaluations (recording);
  return ls_view_data_from_recording (recording, NULL);
}

static void
fill_layers (LsAnswer *answer, const LsRecording *r, guint lane)
{
  for (guint i = 0; i < r->n_shapes; i++)
    {
      const LsRecordedShape *shape = &r->shapes[i];
      const gint64 count = ls_recorded_shape_count (shape) / r->batch;
      const float *values = ls_recording_values (r, lane, shape->name, NULL);

      if (values == NULL || shape->dtype != LS_F32 || shape->shape[0] != r->batch
          || (shape->role != LS_ROLE_ACTIVATION && shape->role != LS_ROLE_INPUT))
        continue;
      answer->values[i] = g_memdup2 (values, (gsize) count * sizeof (float));
      answer->counts[i] = count;
    }
}

void
asked_add_answers (LsViewData *data, LsAsked what, gint64 number, gint said, gint64 grid)
{
  const LsRecording *r = data->recording;
  const gsize classes = (gsize) r->n_classes;
  const gint64 first = what == LS_ASKED_GRID ? 0 : 1;
  g_autoptr (LsQuestion) question = ls_question_new (what, MAX (first + grid * grid, 1), r->in_shape);

  question->number = number;
  question->label = what == LS_ASKED_TEST ? (gint) (number % r->n_classes) : -1;
  question->layers = what != LS_ASKED_GRID;
  if (grid > 0)
    ls_question_set_grid (question, grid, 2.5);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsAnswer *answer = g_atomic_rc_box_new0 (LsAnswer);

      answer->question = ls_question_ref (question);
      answer->steps = 1234;
      answer->n_classes = r->n_classes;
      answer->n_tensors = r->n_shapes;
      answer->values = g_new0 (float *, r->n_shapes);
      answer->counts = g_new0 (gint64, r->n_shapes);
      answer->probs = g_new0 (float, (gsize) question->set.n *classes);
      for (gint64 i = 0; i < question->set.n; i++)
        for (gsize c = 0; c < classes; c++)
          {
            const gboolean is = i < first || grid == 0 ? (gint) c == said
                                                       : (gint64) c == (i - first) % grid * 2 / grid;
            answer->probs[(gsize) i * classes + c] = is ? .93f
                                                        : .07f / (float) (classes - 1) + 1e-6f * (float) side;
          }
      if (question->layers && data->sides[side].recorded != NULL)
        fill_layers (answer, r, data->sides[side].lane);
      ls_answer_unref (data->sides[side].answer);
      data->sides[side].answer = answer;
    }
}

void
asked_scribble (LsStrokes *strokes)
{
  ls_strokes_begin (strokes, .3, .2);
  ls_strokes_to (strokes, .7, .2);
  ls_strokes_to (strokes, .4, .8);
  ls_strokes_begin (strokes, .3, .5);
}
