/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks whose weights are multiples of 1/128, so that floats add them up exactly, in whatever order.
 */
#pragma once

#include "machines/converted/spiking.h"
#include "net_rig.h"

#define STEPS 40

static inline LsSpiking *
spiking_new (const Rig *rig)
{
  g_autoptr (GError) error = NULL;
  LsSpiking *spiking = ls_spiking_new (rig->net, rig->plan->model, &error);

  g_assert_no_error (error);
  return spiking;
}

/* Rates are what they are. */
static inline void
set_most (LsNet *net, float most)
{
  for (guint i = 0; i < net->n_layers; i++)
    net->layers[i].most = most;
}

static inline float
exact (guint p, gint64 i)
{
  return p % 2 == 0 ? rig_number (p + 1, i) : rig_number (p + 7, i) / 4;
}
