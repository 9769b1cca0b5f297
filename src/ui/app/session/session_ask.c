/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking the lanes of the live run about samples that the user chose. The newest wish counts; a question
 * follows the one before as soon as that is answered, at most 30 times a second, so a stroke is read as it
 * grows. While the lanes train, the same is asked again, five times a second at most and for less than a
 * sixteenth of their time. At rest there is no timer.
 */
#include "ui/app/session/session_private.h"

#include <math.h>
#include <string.h>

#define SOON_MS     33
#define LATER_MS    100
#define AGAIN_US    (200 * 1000)
#define SHARE       16 /* of the lanes' time, at most one part */
#define PATIENCE_US (3 * G_USEC_PER_SEC)
#define GRID        64   /* points to a side of the plane, while the lanes train */
#define GRID_FINE   128  /* and at rest */
#define MARGIN      1.06 /* of the plane around the data */

static gboolean tick_cb (gpointer data);

static void
arm (LsSession *self, guint ms)
{
  if (self->ask.timer == 0)
    self->ask.timer = g_timeout_add (ms, tick_cb, self);
}

LsData *
ls_session_samples (LsSession *self)
{
  return self->coordinator != NULL ? ls_coordinator_data (self->coordinator) : NULL;
}

static gboolean
is_plane (const LsData *data)
{
  return data->train.sample_size == 2 && data->train.type == LS_SAMPLE_F32;
}

static double
reach_of (const LsDataset *set)
{
  const float *values = set->samples;
  double most = 0;

  for (gint64 i = 0; i < set->n * set->sample_size; i++)
    most = fmax (most, fabs ((double) values[i]));
  return MARGIN * (most > 0 ? most : 1);
}

/* What the wish asks for; NULL: nothing, or no memory. */
static LsQuestion *
make_question (LsSession *self)
{
  const LsData *data = ls_coordinator_data (self->coordinator);
  const gint64 size = data->train.sample_size, side = !is_plane (data)         ? 0
                                                      : self->playhead.playing ? GRID
                                                                               : GRID_FINE;
  const gboolean sample = self->ask.what != LS_ASKED_GRID;
  LsQuestion *question;

  if (self->ask.what == LS_ASKED_DRAWN && (self->ask.values == NULL || self->ask.n_values != size))
    return NULL;
  if (side == 0 && !sample)
    return NULL;
  question = ls_question_new (self->ask.what, (sample ? 1 : 0) + side * side, data->train.shape);
  if (question == NULL)
    return NULL;
  question->layers = sample;
  if (self->ask.what == LS_ASKED_DRAWN)
    memcpy (ls_question_sample (question, 0), self->ask.values, (gsize) size * sizeof (float));
  else if (self->ask.what == LS_ASKED_TEST)
    {
      question->number = CLAMP (self->ask.number, 0, data->test.n - 1);
      question->label = data->test.labels[question->number];
      ls_question_copy (question, 0, &data->test, question->number);
    }
  if (side > 0)
    {
      if (!(self->ask.reach > 0))
        self->ask.reach = reach_of (&data->train);
      ls_question_set_grid (question, side, self->ask.reach);
    }
  return question;
}

/* Of all lanes together: some of them may have stopped. */
static guint64
steps_done (const LsSession *self)
{
  guint64 steps = 0;

  for (guint i = 0; self->snapshot != NULL && i < self->snapshot->n_lanes; i++)
    steps += self->snapshot->lanes[i].steps;
  return steps;
}

static void
ask (LsSession *self)
{
  LsQuestion *question = make_question (self);

  self->ask.newer = FALSE;
  g_clear_pointer (&self->ask.question, ls_question_unref);
  if (question == NULL)
    return;
  self->ask.question = question;
  self->ask.asked_us = g_get_monotonic_time ();
  self->ask.steps = steps_done (self);
  ls_coordinator_ask (self->coordinator, question);
}

/* Whether every lane that works has answered; how long all of them took. */
static gboolean
answered (const LsSession *self, guint64 *took_ns)
{
  *took_ns = 0;
  for (guint i = 0; self->snapshot != NULL && i < self->snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &self->snapshot->lanes[i];
      if (lane->state == LS_LANE_READY
          && (lane->answer == NULL || lane->answer->question != self->ask.question))
        return FALSE;
      if (lane->state == LS_LANE_READY)
        *took_ns += lane->answer->took_ns;
    }
  return self->snapshot != NULL;
}

static void
take_answers (LsSession *self)
{
  LsViewData *data;

  if (self->data == NULL || self->snapshot == NULL || self->file != NULL || self->ask.question == NULL)
    return;
  data = ls_view_data_with_answers (self->data, self->snapshot);
  if (data == NULL)
    return;
  ls_view_data_unref (self->data);
  self->data = data;
  ls_session_emit_data (self);
}

static gboolean
tick_cb (gpointer user_data)
{
  LsSession *self = user_data;
  const gint64 now = g_get_monotonic_time ();
  guint64 took_ns;
  gboolean all;

  self->ask.timer = 0;
  if (self->coordinator == NULL || self->file != NULL || !self->ask.wished)
    return G_SOURCE_REMOVE;
  ls_session_look (self);
  take_answers (self);
  all = self->ask.question == NULL || answered (self, &took_ns);
  if (!all && now - self->ask.asked_us < PATIENCE_US)
    {
      arm (self, SOON_MS);
      return G_SOURCE_REMOVE;
    }
  if (self->ask.newer)
    {
      ask (self);
      arm (self, SOON_MS);
      return G_SOURCE_REMOVE;
    }
  if (self->ask.question == NULL)
    return G_SOURCE_REMOVE;
  if (self->playhead.playing && now - self->ask.asked_us >= MAX (AGAIN_US, SHARE * (gint64) took_ns / 1000)
      && steps_done (self) != self->ask.steps)
    ask (self);
  /* at rest the plane is asked for once more, finer, and with the last weights */
  else if (!self->playhead.playing && steps_done (self) != self->ask.steps)
    ask (self);
  else if (!self->playhead.playing && !self->snapshot->running)
    {
      if (self->ask.question->grid != GRID)
        return G_SOURCE_REMOVE;
      ask (self);
    }
  arm (self, LATER_MS);
  return G_SOURCE_REMOVE;
}

/* As an image of the run's samples; every channel is the same. */
static void
take_strokes (LsSession *self, const LsStrokes *strokes)
{
  const gint64 *shape = ls_coordinator_data (self->coordinator)->train.shape;
  const gsize size = (gsize) (shape[1] * shape[2]), n = size * (gsize) shape[0];

  g_free (self->ask.values);
  self->ask.values = g_new0 (float, n);
  self->ask.n_values = (gint64) n;
  ls_strokes_image (strokes, (guint) shape[1], (guint) shape[2], self->ask.values);
  for (gsize c = 1; c < (gsize) shape[0]; c++)
    memcpy (self->ask.values + c * size, self->ask.values, size * sizeof (float));
}

void
ls_session_want_answer (LsSession *self, const LsWish *wish, gboolean anew)
{
  if (!wish->answer.wanted || self->coordinator == NULL || self->file != NULL)
    {
      if (self->ask.wished)
        ls_session_ask_nothing (self);
      return;
    }
  if (self->ask.wished && !anew)
    return;
  self->ask.what = wish->answer.what;
  self->ask.number = wish->answer.number;
  if (self->ask.what == LS_ASKED_DRAWN)
    take_strokes (self, wish->answer.strokes);
  self->ask.newer = self->ask.wished = TRUE;
  arm (self, SOON_MS);
}

gboolean
ls_session_asking (LsSession *self)
{
  return self->ask.wished;
}

void
ls_session_ask_nothing (LsSession *self)
{
  g_clear_handle_id (&self->ask.timer, g_source_remove);
  g_clear_pointer (&self->ask.question, ls_question_unref);
  g_clear_pointer (&self->ask.values, g_free);
  self->ask.wished = self->ask.newer = FALSE;
  self->ask.reach = 0;
}
