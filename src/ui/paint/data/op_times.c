/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See op_times.h. Steps of other settings or other kernels don't mix: a key tells how a step was computed.
 */
#include "config.h"
#include "ui/paint/data/op_times.h"

#include <string.h>

#include "core/file.h"
#include "ui/paint/data/step_index.h"

struct _LsOpTimes {
  gint ref_count;
  char *key;
  guint64 step;   /* the newest */
  guint n_ops, n; /* steps */
  guint n_lanes;
  const char *ids[LS_RECORDING_MAX_LANES]; /* interned */
  float *ns; /* [step][lane][n_ops + 1], the whole step behind its ops; 0: not done */
};

static float *
row (const LsOpTimes *times, guint i, guint lane)
{
  return times->ns + ((gsize) i * times->n_lanes + lane) * (times->n_ops + 1);
}

/* All that a step's times depend on. The pace isn't: bursts are computed as at full speed. */
static char *
key_of (const LsRecording *recording)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *key = g_string_new (recording->model);
  GHashTableIter iter;
  gpointer name, text;

  g_hash_table_iter_init (&iter, recording->options);
  while (g_hash_table_iter_next (&iter, &name, &text))
    if (!g_str_equal (name, "pace"))
      g_ptr_array_add (lines, g_strdup_printf ("%s=%s", (const char *) name, (const char *) text));
  g_ptr_array_sort (lines, ls_compare_texts);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (key, "\n%s", (const char *) lines->pdata[i]);
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      g_string_append_printf (key, "\n%s", recording->lanes[i].id);
      for (guint op = 0; op < recording->n_ops; op++)
        g_string_append_printf (key, " %s", recording->lanes[i].tilings[op].kernel);
    }
  return g_string_free (key, FALSE);
}

/* As the pictures have them. One of the lane's first steps, and one beside another lane's compiler, tells
 * nothing. */
static void
take_lane (const LsRecording *recording, guint lane, float *ns)
{
  const LsRecordedLane *recorded = &recording->lanes[lane];
  const guint64 step = recording->step;
  LsStepIndex *index;

  if (recorded->curve != NULL && step > 0 && step <= recorded->n_steps
      && (ls_curve_get (recorded->curve, step - 1).flags & (LS_POINT_WARM_UP | LS_POINT_DISTURBED)) != 0)
    return;
  index = ls_step_index_new (recording, lane);

  for (guint op = 0; op < MIN (index->n_ops, recording->n_ops); op++)
    if (index->ops[op].ran)
      ns[op] = (float) (index->ops[op].end_ns - index->ops[op].start_ns);
  ns[recording->n_ops] = (float) index->length_ns;
  ls_step_index_unref (index);
}

LsOpTimes *
ls_op_times_add (LsOpTimes *before, const LsRecording *recording)
{
  g_autofree char *key = key_of (recording);
  const gboolean on = before != NULL && before->n_ops == recording->n_ops && strcmp (before->key, key) == 0
                      && before->step <= recording->step;
  const guint kept = on ? MIN (before->n, LS_OP_TIMES_MOST - 1) : 0;
  LsOpTimes *times;

  if (on && before->step == recording->step)
    return ls_op_times_ref (before);
  times = g_new0 (LsOpTimes, 1);
  times->ref_count = 1;
  times->key = g_steal_pointer (&key);
  times->step = recording->step;
  times->n_ops = recording->n_ops;
  times->n_lanes = recording->n_lanes;
  times->n = kept + 1;
  times->ns = g_new0 (float, (gsize) times->n * times->n_lanes * (times->n_ops + 1));
  if (kept > 0)
    memcpy (times->ns, row (before, before->n - kept, 0),
            (gsize) kept * times->n_lanes * (times->n_ops + 1) * sizeof (float));
  for (guint i = 0; i < times->n_lanes; i++)
    {
      times->ids[i] = g_intern_string (recording->lanes[i].id);
      take_lane (recording, i, row (times, kept, i));
    }
  return times;
}

LsOpTimes *
ls_op_times_ref (LsOpTimes *times)
{
  g_atomic_int_inc (&times->ref_count);
  return times;
}

void
ls_op_times_unref (LsOpTimes *times)
{
  if (times == NULL || !g_atomic_int_dec_and_test (&times->ref_count))
    return;
  g_free (times->key);
  g_free (times->ns);
  g_free (times);
}

static LsFigure
figure_of (const LsOpTimes *times, const char *id, guint at)
{
  double values[LS_OP_TIMES_MOST];
  guint n = 0, lane = 0;

  while (lane < times->n_lanes && times->ids[lane] != id)
    lane++;
  for (guint i = 0; i < times->n && lane < times->n_lanes; i++)
    if (row (times, i, lane)[at] > 0)
      values[n++] = 1e9 / (double) row (times, i, lane)[at];
  return ls_figure_of_samples (values, n, "1/s");
}

LsFigure
ls_op_times_figure (const LsOpTimes *times, const char *id, guint op)
{
  return times != NULL && op < times->n_ops ? figure_of (times, id, op) : (LsFigure){ 0 };
}

double
ls_op_times_step_ns (const LsOpTimes *times, const char *id)
{
  const LsFigure steps = times != NULL ? figure_of (times, id, times->n_ops) : (LsFigure){ 0 };

  return steps.n >= LS_OP_TIMES_MEDIAN ? 1e9 / steps.value : 0;
}
