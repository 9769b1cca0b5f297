/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording without its tensors, the parts that recordings share, and what one weighs: for whoever keeps
 * many. A step's events are some hundred kilobytes, its tensors some megabytes. The copy shares the events;
 * the plan's facts are small and copied.
 */
#include "files/recording_format.h"

#include <string.h>

#include "core/rc_box.h"

LsRecordedCut *
ls_recorded_cut_new (const LsTiling *tilings, guint n_ops, GArray *events, guint64 start_ns, guint64 end_ns)
{
  LsRecordedCut *cut = g_new0 (LsRecordedCut, 1);

  *cut = (LsRecordedCut){ .ref_count = 1,
                          .tilings = g_memdup2 (tilings, n_ops * sizeof *tilings),
                          .events = events,
                          .start_ns = start_ns,
                          .end_ns = end_ns };
  return cut;
}

static LsRecordedCut *
cut_ref (LsRecordedCut *cut)
{
  g_atomic_int_inc (&cut->ref_count);
  return cut;
}

void
ls_recorded_cut_unref (LsRecordedCut *cut)
{
  if (cut == NULL || !g_atomic_int_dec_and_test (&cut->ref_count))
    return;
  g_free (cut->tilings);
  g_array_unref (cut->events);
  g_free (cut);
}

static void
copy_facts (LsRecording *copy, const LsRecording *from)
{
  copy->program = g_strdup (from->program);
  copy->date = g_strdup (from->date);
  copy->model = g_strdup (from->model);
  copy->model_name = g_strdup (from->model_name);
  copy->class_names = g_strdup (from->class_names);
  copy->shapes = g_memdup2 (from->shapes, from->n_shapes * sizeof *from->shapes);
  for (guint i = 0; i < from->n_shapes; i++)
    {
      copy->shapes[i].name = g_strdup (from->shapes[i].name);
      copy->shapes[i].symbol = g_strdup (from->shapes[i].symbol);
    }
  copy->ops = g_memdup2 (from->ops, from->n_ops * sizeof *from->ops);
  for (guint i = 0; i < from->n_ops; i++)
    {
      copy->ops[i].name = g_strdup (from->ops[i].name);
      copy->ops[i].symbol = g_strdup (from->ops[i].symbol);
      copy->ops[i].equation = g_strdup (from->ops[i].equation);
    }
}

/* A recording of its own whose large parts are shared. */
static LsRecording *
share (LsRecording *recording)
{
  LsRecording *copy = ls_counted_copy (recording, sizeof *recording);

  copy_facts (copy, recording);
  copy->lanes = g_memdup2 (recording->lanes, recording->n_lanes * sizeof *recording->lanes);
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      LsRecordedLane *lane = &copy->lanes[i];

      lane->id = g_strdup (lane->id);
      lane->spec = g_strdup (lane->spec);
      lane->device = ls_device_info_copy (lane->device);
      lane->tilings = g_memdup2 (lane->tilings, recording->n_ops * sizeof *lane->tilings);
      g_array_ref (lane->events);
      if (lane->accuracies != NULL)
        g_array_ref (lane->accuracies);
      if (lane->off_core != NULL)
        g_array_ref (lane->off_core);
      if (lane->evaluation != NULL)
        ls_evaluation_ref (lane->evaluation);
      if (lane->finer != NULL)
        cut_ref (lane->finer);
      if (lane->curve != NULL)
        ls_curve_ref (lane->curve);
      g_array_ref (lane->tensors);
      g_array_ref (lane->before);
      g_ptr_array_ref (lane->walks);
    }
  g_hash_table_ref (copy->options);
  g_hash_table_ref (copy->conditions);
  copy->lab = g_strdup (recording->lab);
  return copy;
}

LsRecording *
ls_recording_without_tensors (LsRecording *recording)
{
  LsRecording *copy;
  gboolean any = FALSE;

  for (guint i = 0; i < recording->n_lanes; i++)
    any |= recording->lanes[i].tensors->len + recording->lanes[i].before->len + recording->lanes[i].walks->len
           > 0;
  if (!any)
    return ls_recording_ref (recording);
  copy = share (recording);
  for (guint i = 0; i < copy->n_lanes; i++)
    {
      LsRecordedLane *lane = &copy->lanes[i];

      g_array_unref (lane->tensors);
      g_array_unref (lane->before);
      g_ptr_array_unref (lane->walks);
      lane->tensors = g_array_new (FALSE, FALSE, sizeof (LsRecordedTensor));
      lane->before = g_array_new (FALSE, FALSE, sizeof (LsRecordedTensor));
      lane->walks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_walk_unref);
    }
  return copy;
}

LsRecording *
ls_recording_with_walk (LsRecording *recording, guint lane, LsWalk *walk, const LsFigure *roofs,
                        GError **error)
{
  g_autoptr (LsRecording) copy = share (recording);
  LsRecordedLane *own = &copy->lanes[lane];

  if (roofs != NULL)
    memcpy (own->device->roofs, roofs, sizeof own->device->roofs);
  if (walk != NULL)
    {
      GPtrArray *walks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_walk_unref);
      for (guint i = 0; i < own->walks->len; i++)
        g_ptr_array_add (walks, ls_walk_ref (own->walks->pdata[i]));
      g_ptr_array_add (walks, ls_walk_ref (walk));
      g_ptr_array_unref (own->walks);
      own->walks = walks;
    }
  return ls_recording_check_walks (copy, lane, error) ? g_steal_pointer (&copy) : NULL;
}

LsRecording *
ls_recording_with_lab (LsRecording *recording, const char *lab)
{
  LsRecording *copy = share (recording);

  g_free (copy->lab);
  copy->lab = g_strdup (lab);
  return copy;
}

gboolean
ls_recording_shares_step (const LsRecording *a, const LsRecording *b)
{
  return a->n_lanes == b->n_lanes && a->lanes[0].events == b->lanes[0].events;
}

static gsize
text_bytes (const char *text)
{
  return text != NULL ? strlen (text) + 1 : 0;
}

static gsize
table_bytes (GHashTable *table)
{
  GHashTableIter iter;
  gpointer key, value;
  gsize bytes = 0;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    bytes += 2 * sizeof (gpointer) + text_bytes (key) + text_bytes (value);
  return bytes;
}

static gsize
lane_bytes (const LsRecording *recording, const LsRecordedLane *lane)
{
  gsize bytes = sizeof *lane + recording->n_ops * sizeof *lane->tilings + lane->events->len * sizeof (LsEvent)
                + sizeof *lane->device + table_bytes (lane->device->facts);

  if (lane->finer != NULL)
    bytes += sizeof *lane->finer + recording->n_ops * sizeof *lane->tilings
             + lane->finer->events->len * sizeof (LsEvent);
  for (guint list = 0; list < 2; list++)
    {
      const GArray *tensors = list == 0 ? lane->tensors : lane->before;
      for (guint i = 0; i < tensors->len; i++)
        bytes += sizeof (LsRecordedTensor)
                 + (gsize) ls_recorded_shape_bytes (
                   &recording->shapes[g_array_index (tensors, LsRecordedTensor, i).shape]);
    }
  for (guint i = 0; i < lane->walks->len; i++)
    bytes += ls_walk_bytes (lane->walks->pdata[i]);
  return bytes;
}

gsize
ls_recording_bytes (const LsRecording *recording)
{
  gsize bytes = sizeof *recording + table_bytes (recording->options) + table_bytes (recording->conditions)
                + text_bytes (recording->model) + text_bytes (recording->lab);

  for (guint i = 0; i < recording->n_shapes; i++)
    bytes += sizeof *recording->shapes + text_bytes (recording->shapes[i].name)
             + text_bytes (recording->shapes[i].symbol);
  for (guint i = 0; i < recording->n_ops; i++)
    bytes += sizeof *recording->ops + text_bytes (recording->ops[i].name)
             + text_bytes (recording->ops[i].symbol) + text_bytes (recording->ops[i].equation);
  for (guint i = 0; i < recording->n_lanes; i++)
    bytes += lane_bytes (recording, &recording->lanes[i]);
  return bytes;
}
