/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two lanes of which everything is known, to be judged: a run with the options as they are at first, but for
 * those that are set.
 */
#pragma once

#include <string.h>

#include "train/fairness.h"

/* On two processors. */
typedef struct {
  LsFairPair pair;
  LsDeviceInfo *devices[2];
  LsTiling heavy[2];
  GPtrArray *specs;
} Case;

static inline void
case_clear (Case *c)
{
  ls_device_info_free (c->devices[0]);
  ls_device_info_free (c->devices[1]);
  g_ptr_array_unref (c->specs);
}

static inline Case
case_new (const char *lanes)
{
  Case c = { .pair = {
               .batch = 128, .turns = TRUE, .sharing = 2, .warm_up = 10, .processors = 2, .others = .02 } };
  g_autoptr (LsOptions) options = ls_options_new ();

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), lanes, NULL));
  c.specs = ls_lane_specs_new (options, NULL);
  g_assert_nonnull (c.specs);
  for (guint side = 0; side < 2; side++)
    {
      const LsLaneSpec *spec = c.specs->pdata[side];
      const gboolean cpu = spec->backend->kind == LS_BACKEND_CPU;
      LsFairLane *lane = &c.pair.lanes[side];

      c.devices[side] = ls_device_info_new (spec->backend->name);
      c.devices[side]->shares_cpu = TRUE;
      c.devices[side]->threads = cpu && spec->options->threads > 0 ? (gint) spec->options->threads : 2;
      c.devices[side]->numbers[LS_DEVICE_USABLE] = cpu ? 2 : -1;
      c.heavy[side].way = cpu ? LS_WAY_OWN_LOOPS : LS_WAY_PACKED;
      g_strlcpy (c.heavy[side].kernel, cpu ? "own loops" : "packed 128×32", sizeof c.heavy[side].kernel);
      lane->name = spec->title;
      lane->who = spec->backend->kind;
      lane->backend = spec->backend;
      lane->device = c.devices[side];
      lane->options = spec->options;
      lane->rate = (LsFigure){ .value = 1e5, .q1 = 98e3, .q3 = 102e3, .n = 200, .unit = "samples/s" };
      lane->clock_mhz = 2900;
    }
  return c;
}

/* The pair points into the case, wherever that lies now. */
static inline LsFairness *
judge (Case *c)
{
  for (guint side = 0; side < 2; side++)
    if (c->heavy[side].way != LS_WAY_OTHER)
      c->pair.lanes[side].heavy = &c->heavy[side];
  return ls_fairness_new (&c->pair);
}

static inline const LsFairLine *
line_of (const LsFairness *fairness, const char *name)
{
  for (guint i = 0; i < fairness->n; i++)
    if (strcmp (fairness->lines[i].row->name, name) == 0)
      return &fairness->lines[i];
  g_error ("there is no line “%s”", name);
}
