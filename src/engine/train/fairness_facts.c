/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lines are judged by, from a snapshot or a recording; and how what was measured travels in one.
 */
#include "config.h"
#include "train/fairness.h"

#include <string.h>

/* Keys of a recording's conditions. */
#define OTHERS     "others-cores"
#define PROCESSORS "processors"
#define CLOCK      "clock-mhz "

/* flops: of the first op; stride: bytes to the next one's. */
static const LsTiling *
heavy_of (const LsTiling *tilings, const gint64 *flops, gsize stride, guint n)
{
  const LsTiling *heavy = NULL;
  gint64 most = 0;

  for (guint i = 0; tilings != NULL && i < n; i++)
    {
      const gint64 f = *(const gint64 *) (const void *) ((const char *) flops + i * stride);
      if (f > most && tilings[i].leader < n)
        {
          most = f;
          heavy = &tilings[tilings[i].leader];
        }
    }
  return heavy;
}

static void
fill (LsFairLane *lane, const LsLaneSnapshot *from, const LsPlan *plan)
{
  const LsLaneFacts *facts = from->facts;

  lane->name = from->spec->title;
  lane->backend = from->spec->backend;
  lane->who = from->spec->backend->kind;
  lane->options = from->spec->options;
  lane->device = facts != NULL ? facts->device : NULL;
  if (facts != NULL && plan->n_ops > 0)
    lane->heavy = heavy_of (facts->tilings, &plan->ops[0].flops, sizeof *plan->ops, plan->n_ops);
  lane->rate = from->rate;
}

void
ls_fair_pair_of_snapshot (LsFairPair *pair, const LsSnapshot *snapshot, guint a, guint b)
{
  const guint lanes[2] = { a, b };

  *pair = (LsFairPair){ .batch = snapshot->plan->batch,
                        .turns = snapshot->turns,
                        .warm_up = LS_WARM_UP_STEPS,
                        .processors = snapshot->load.processors,
                        .others = snapshot->load.processors > 0 ? snapshot->load.others : -1 };
  for (guint side = 0; side < 2; side++)
    {
      fill (&pair->lanes[side], &snapshot->lanes[lanes[side]], snapshot->plan);
      pair->lanes[side].clock_mhz = snapshot->load.clock_mhz[lanes[side]];
    }
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      pair->sharing += lane->state == LS_LANE_READY && lane->facts != NULL && lane->facts->device->shares_cpu;
    }
}

void
ls_fair_pair_of_specs (LsFairPair *pair, const LsLaneSpec *a, const LsLaneSpec *b, guint processors)
{
  const LsLaneSpec *const specs[2] = { a, b };

  *pair = (LsFairPair){ .turns = TRUE, .warm_up = LS_WARM_UP_STEPS, .processors = processors, .others = -1 };
  for (guint side = 0; side < 2; side++)
    pair->lanes[side] = (LsFairLane){ .name = specs[side]->title,
                                      .who = specs[side]->backend->kind,
                                      .backend = specs[side]->backend,
                                      .options = specs[side]->options };
}

/* A number of a recording's conditions, which anybody may have written; missing where there is none. */
static double
noted (const LsRecording *recording, const char *key, double most, double missing)
{
  const char *text = g_hash_table_lookup (recording->conditions, key);
  char *end = NULL;
  const double value = text != NULL ? g_ascii_strtod (text, &end) : missing;

  return text == NULL || end == text || *end != '\0' || !(value >= 0 && value <= most) ? missing : value;
}

void
ls_fair_pair_of_recording (LsFairPair *pair, const LsRecording *recording, const GPtrArray *specs, guint a,
                           guint b)
{
  const guint lanes[2] = { a, b };

  *pair = (LsFairPair){ .batch = recording->batch,
                        .turns = recording->turns,
                        .warm_up = recording->warm_up,
                        .processors = (guint) noted (recording, PROCESSORS, 1e6, 0) };
  pair->others = noted (recording, OTHERS, pair->processors, -1);
  for (guint side = 0; side < 2; side++)
    {
      const LsRecordedLane *from = &recording->lanes[lanes[side]];
      const LsLaneSpec *spec = specs != NULL && lanes[side] < specs->len ? specs->pdata[lanes[side]] : NULL;
      g_autofree char *clock = g_strconcat (CLOCK, from->id, NULL);
      LsFairLane *lane = &pair->lanes[side];

      lane->name = spec != NULL ? spec->title : from->id;
      lane->who = from->device->who;
      lane->backend = spec != NULL ? spec->backend : NULL;
      lane->options = spec != NULL ? spec->options : NULL;
      lane->device = from->device;
      if (recording->n_ops > 0)
        lane->heavy = heavy_of (from->tilings, &recording->ops[0].flops, sizeof *recording->ops,
                                recording->n_ops);
      lane->clock_mhz = noted (recording, clock, 1e6, 0);
    }
  for (guint i = 0; i < recording->n_lanes; i++)
    pair->sharing += recording->lanes[i].device->shares_cpu;
}

static void
note (LsRecording *recording, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_hash_table_insert (recording->conditions, g_strdup (key),
                       g_strdup (g_ascii_formatd (text, sizeof text, "%.4g", value)));
}

void
ls_fair_note_load (LsRecording *recording, const LsMachineLoad *load)
{
  if (load->processors > 0)
    note (recording, PROCESSORS, load->processors);
  if (load->processors > 0 && load->others >= 0)
    note (recording, OTHERS, load->others);
}

void
ls_fair_note_clock (LsRecording *recording, const char *id, double mhz)
{
  g_autofree char *key = g_strconcat (CLOCK, id, NULL);

  if (mhz > 0)
    note (recording, key, mhz);
}
