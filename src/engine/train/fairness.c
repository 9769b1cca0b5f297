/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of what makes a comparison fair, and who judges each line.
 */
#include "config.h"
#include "train/fairness.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "backends/kernel_files.h"
#include "core/rc_box.h"
#include "core/number.h"

#define WIDE         .25 /* a middle half over its median from which on a ratio is a matter of luck */
#define CLOCKS_APART .05
/* Other programs, on either: a window manager that draws our pictures is no competitor. */
#define OTHERS_CORES .25
#define OTHERS_SHARE .1

G_GNUC_PRINTF (3, 4)
static LsFairState
say (LsFairState state, char **words, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  *words = g_strdup_vprintf (format, list);
  va_end (list);
  return state;
}

static const LsFairLane *
first_of (const LsFairPair *pair, LsBackendKind who)
{
  for (guint side = 0; side < 2; side++)
    if (pair->lanes[side].who == who)
      return &pair->lanes[side];
  return NULL;
}

/* Both are lanes of that kind, with the same value of that option. */
static gboolean
same_on_both (const LsFairPair *pair, const char *name)
{
  const LsOption *option = ls_options_find (name);
  const LsFairLane *lanes = pair->lanes;

  if (lanes[0].who != lanes[1].who || lanes[0].options == NULL || lanes[1].options == NULL)
    return FALSE;
  g_autofree char *a = ls_options_get (lanes[0].options, option),
                  *b = ls_options_get (lanes[1].options, option);
  return strcmp (a, b) == 0;
}

/* ---- what both do ---- */

static LsFairState
judge_precision (const LsFairPair *pair, char **words)
{
  const LsFairLane *lanes = pair->lanes;
  const gboolean twice[2] = { lanes[0].backend == &ls_backend_reference_f64,
                              lanes[1].backend == &ls_backend_reference_f64 };
  const char *const stored[2] = { ls_fair_stored (&lanes[0]), ls_fair_stored (&lanes[1]) };

  if (twice[0] != twice[1])
    return say (LS_FAIR_NO, words, _("The %s lane alone computes in double precision."),
                lanes[twice[1]].name);
  if (twice[0])
    return say (LS_FAIR_YES, words, "%s", _("Both compute in double precision."));
  if (stored[0] != stored[1])
    return say (LS_FAIR_NO, words, _("The %s lane stores numbers in %s, the %s lane in %s."), lanes[0].name,
                stored[0], lanes[1].name, stored[1]);
  if (stored[0] == ls_precision_name (LS_PRECISION_FP32))
    return say (LS_FAIR_YES, words, "%s", _("Both compute in single precision (fp32)."));
  return say (LS_FAIR_YES, words, _("Both store numbers in %s and compute in fp32."), stored[0]);
}

static LsFairState
judge_batch (const LsFairPair *pair, char **words)
{
  return say (LS_FAIR_YES, words,
              ngettext ("Both train the same sample in each step.",
                        "Both train the same %u samples in each step.", pair->batch),
              pair->batch);
}

static LsFairState
judge_algorithm (const LsFairPair *pair, char **words)
{
  const LsFairLane *lanes = pair->lanes;
  const gboolean known = lanes[0].options != NULL && lanes[1].options != NULL
                         && lanes[0].who != LS_BACKEND_REFERENCE && lanes[1].who != LS_BACKEND_REFERENCE;
  const gboolean fused[2] = { known && lanes[0].options->fusion, known && lanes[1].options->fusion };

  if (fused[0] != fused[1])
    return say (LS_FAIR_NO, words, _("Ops are fused on the %s lane alone."), lanes[fused[1]].name);
  return say (LS_FAIR_YES, words, "%s",
              known && !fused[0] ? _("Both run the same ops, none of them fused, and add in the same order.")
                                 : _("Both run the same ops and add in the same order."));
}

/* What keeps a lane's kernels from being good ones, a sentence; NULL: nothing. */
static char *
poor_kernels (const LsFairLane *lane)
{
  if (lane->who == LS_BACKEND_REFERENCE)
    return g_strdup_printf (
      _("The %s lane computes with naive loops on one thread: it is there to be right."), lane->name);
  if (lane->options == NULL)
    return NULL;
  if (lane->who == LS_BACKEND_CPU && lane->options->cpu_kernels < LS_CPU_KERNELS_VECTOR)
    return g_strdup_printf (lane->options->cpu_kernels == LS_CPU_KERNELS_NAIVE
                              ? _("The %s lane computes with naive loops, one number at a time.")
                              : _("The %s lane computes with scalar loops, one number at a time."),
                            lane->name);
  if (lane->who == LS_BACKEND_OPENCL && lane->heavy != NULL && strcmp (lane->options->kernel, "auto") != 0
      && (lane->heavy->way == LS_WAY_NAIVE || lane->heavy->way == LS_WAY_TILED))
    return g_strdup_printf (_("The %s lane was told to use the kernel “%s”, a lower rung of its ladder."),
                            lane->name, lane->options->kernel);
  return NULL;
}

static LsFairState
judge_kernels (const LsFairPair *pair, char **words)
{
  const LsFairLane *lanes = pair->lanes;
  g_autofree char *a = poor_kernels (&lanes[0]), *b = poor_kernels (&lanes[1]);

  if (same_on_both (pair, lanes[0].who == LS_BACKEND_OPENCL ? "kernel" : "cpu-kernels"))
    return say (LS_FAIR_YES, words, "%s", _("Both compute with the same kernels."));
  if (a != NULL && b != NULL)
    return say (LS_FAIR_NO, words, "%s %s", a, b);
  if (a != NULL || b != NULL)
    return say (LS_FAIR_NO, words, "%s", a != NULL ? a : b);
  for (guint side = 0; side < 2; side++)
    if (lanes[side].options == NULL || lanes[side].heavy == NULL || lanes[side].device == NULL)
      return say (LS_FAIR_UNKNOWN, words, _("Which kernels the %s lane uses isn’t known."),
                  lanes[side].name);
    else if (g_hash_table_contains (lanes[side].device->facts, LS_FACT_EDITED))
      return say (LS_FAIR_UNKNOWN, words,
                  _("The %s lane runs edited kernels, and nobody knows how good they are."),
                  lanes[side].name);
  return say (LS_FAIR_YES, words, _("Both use vectorised kernels: %s against %s."), lanes[0].heavy->kernel,
              lanes[1].heavy->kernel);
}

/* ---- what they have ---- */

/* Threads that it computes on, or before its device is there that it was told to; 0: not told, or another
 * device's. */
static gint
threads_of (const LsFairLane *lane)
{
  if (lane->who == LS_BACKEND_REFERENCE)
    return 1;
  if (lane->who == LS_BACKEND_CPU && lane->device == NULL && lane->options != NULL)
    return (gint) lane->options->threads;
  return ls_fair_on_processor (lane) && lane->device != NULL ? MAX (lane->device->threads, 0) : 0;
}

static LsFairState
judge_threads (const LsFairPair *pair, char **words)
{
  const LsFairLane *lanes = pair->lanes, *all = NULL;
  const gint threads[2] = { threads_of (&lanes[0]), threads_of (&lanes[1]) };
  gint usable = lanes[0].device == NULL && lanes[1].device == NULL ? (gint) pair->processors : 0;

  for (guint side = 0; side < 2; side++)
    if (lanes[side].device != NULL && lanes[side].device->numbers[LS_DEVICE_USABLE] >= 1)
      usable = (gint) lanes[side].device->numbers[LS_DEVICE_USABLE];
  if (threads[0] > 0 && threads[0] == threads[1] && (usable == 0 || threads[0] <= usable))
    return say (LS_FAIR_YES, words,
                ngettext ("Both compute on %d thread.", "Both compute on %d threads.", (gulong) threads[0]),
                threads[0]);
  for (guint side = 0; side < 2; side++)
    if (threads[side] > 0 && usable == 0)
      return say (LS_FAIR_UNKNOWN, words, _("How many processors the %s lane could use isn’t told."),
                  lanes[side].name);
    else if (threads[side] > usable)
      return say (LS_FAIR_NO, words,
                  ngettext ("The %s lane has %d threads for %d processor.",
                            "The %s lane has %d threads for %d processors.", (gulong) usable),
                  lanes[side].name, threads[side], usable);
    else if (threads[side] > 0 && threads[side] < usable)
      return say (LS_FAIR_NO, words, _("The %s lane uses %d of %d processors."), lanes[side].name,
                  threads[side], usable);
    else if (threads[side] > 0)
      all = &lanes[side];
  if (all != NULL)
    return say (LS_FAIR_YES, words, _("The %s lane uses all processors that it may: %d."), all->name,
                usable);
  return say (LS_FAIR_UNKNOWN, words, "%s", _("How many threads the lanes use isn’t told."));
}

static LsFairState
judge_warm_up (const LsFairPair *pair, char **words)
{
  const LsFairLane *lanes = pair->lanes;

  for (guint side = 0; side < 2; side++)
    if (lanes[side].rate.n > 0 && lanes[side].rate.condition != NULL)
      return say (LS_FAIR_NO, words, _("The %s lane’s rate was measured %s."), lanes[side].name,
                  _(lanes[side].rate.condition));
  if (pair->warm_up == 0)
    return say (LS_FAIR_NO, words, "%s", _("The first steps count, while caches and clocks settle."));
  return say (LS_FAIR_YES, words, _("The first %u steps of each lane don’t count, nor do disturbed ones."),
              pair->warm_up);
}

static LsFairState
judge_transfers (const LsFairPair *pair, char **words)
{
  const LsFairLane *lane = NULL;

  for (guint side = 0; side < 2; side++)
    if (pair->lanes[side].who == LS_BACKEND_OPENCL
        && (lane == NULL
            || (pair->lanes[side].options != NULL
                && pair->lanes[side].options->batch_from == LS_BATCH_FROM_HOST)))
      lane = &pair->lanes[side];
  if (lane == NULL)
    return say (LS_FAIR_YES, words, "%s", _("Both read their batches where they lie in memory."));
  if (same_on_both (pair, "batch-from"))
    return say (LS_FAIR_YES, words, "%s", _("Both get their batches in the same way."));
  if (lane->options == NULL)
    return say (LS_FAIR_UNKNOWN, words,
                _("Whether the %s lane’s time includes copies of the batch isn’t known."), lane->name);
  if (lane->options->batch_from == LS_BATCH_FROM_HOST)
    return say (LS_FAIR_NO, words,
                _("The %s lane copies each batch from the host, and its time includes that."), lane->name);
  return say (LS_FAIR_YES, words, _("No batch is copied in a step: the %s lane’s device has all data."),
              lane->name);
}

/* ---- what goes on beside ---- */

static LsFairState
judge_turns (const LsFairPair *pair, char **words)
{
  const gboolean here = ls_fair_on_processor (&pair->lanes[0]) || ls_fair_on_processor (&pair->lanes[1]);

  if (pair->turns)
    return say (LS_FAIR_YES, words, "%s",
                pair->sharing > 1 ? _(
                  "The lanes take turns: each step has the machine to itself. Whoever goes first fetches the "
                  "batch from memory, and the next may find it in a cache.")
                                  : _("The lanes take turns: each step has the machine to itself."));
  if (here && pair->sharing > 1)
    return say (LS_FAIR_NO, words, "%s",
                _("The lanes race on the same processors, and take them from each other."));
  return say (LS_FAIR_YES, words, "%s", _("The lanes race, each on a device of its own."));
}

static LsFairState
judge_clocks (const LsFairPair *pair, char **words)
{
  const LsFairLane *lanes = pair->lanes;
  const double a = lanes[0].clock_mhz / 1000, b = lanes[1].clock_mhz / 1000;
  g_autofree char *one = ls_number_fixed (a, 2), *other = ls_number_fixed (b, 2),
                  *more = ls_number_fixed (MAX (a, b), 2), *mean = ls_number_fixed ((a + b) / 2, 2);

  if (!(a > 0) && !(b > 0))
    return say (LS_FAIR_UNKNOWN, words, "%s",
                _("How fast the processors’ clocks ran isn’t told by this system, or wasn’t looked at."));
  for (guint side = 0; side < 2; side++)
    if (!ls_fair_on_processor (&lanes[side]) || !(lanes[side].clock_mhz > 0))
      return say (LS_FAIR_UNKNOWN, words,
                  _("The processors ran at %s GHz; how fast the %s lane’s device ran isn’t told."), more,
                  lanes[side].name);
  if (fabs (a - b) > CLOCKS_APART * MIN (a, b))
    return say (LS_FAIR_NO, words,
                _("The processors ran at %s GHz for the %s lane, at %s GHz for the %s lane."), one,
                lanes[0].name, other, lanes[1].name);
  return say (LS_FAIR_YES, words, _("The processors ran at %s GHz for both."), mean);
}

static LsFairState
judge_load (const LsFairPair *pair, char **words)
{
  const gboolean busy = pair->others > MAX (OTHERS_CORES, OTHERS_SHARE * pair->processors);
  g_autofree char *used = ls_number_fixed (pair->others, 2);

  if (pair->others < 0 || pair->processors == 0)
    return say (LS_FAIR_UNKNOWN, words, "%s",
                _("How busy other programs kept the machine isn’t told, or wasn’t looked at."));
  return say (busy ? LS_FAIR_NO : LS_FAIR_YES, words,
              ngettext ("Other programs use %s of %u processor.", "Other programs use %s of %u processors.",
                        pair->processors),
              used, pair->processors);
}

static LsFairState
judge_tuned (const LsFairPair *pair, char **words)
{
  const LsFairLane *lane = first_of (pair, LS_BACKEND_OPENCL);

  if (lane == NULL)
    return say (LS_FAIR_YES, words, "%s", _("Neither lane has kernels that are tuned for a device."));
  if (same_on_both (pair, "tuned"))
    return say (LS_FAIR_YES, words, "%s", _("Both are tuned, or neither is."));
  if (lane->options == NULL || lane->heavy == NULL)
    return say (LS_FAIR_UNKNOWN, words, _("Whether the %s lane’s kernels were tuned isn’t known."),
                lane->name);
  if (!lane->options->tuned)
    return say (LS_FAIR_NO, words, _("What was tuned for its device is switched off on the %s lane."),
                lane->name);
  return say (LS_FAIR_YES, words,
              g_str_has_suffix (lane->heavy->kernel, ", tuned")
                ? _("The %s lane’s kernels were tuned for its device.")
                : _("The %s lane’s kernels are those that are shipped for such a device."),
              lane->name);
}

static LsFairState
judge_spread (const LsFairPair *pair, char **words)
{
  double share[2];

  for (guint side = 0; side < 2; side++)
    {
      const LsFigure *rate = &pair->lanes[side].rate;
      if (!ls_figure_stands (rate))
        return say (LS_FAIR_UNKNOWN, words, _("The %s lane has too few steps yet."), pair->lanes[side].name);
      share[side] = (rate->q3 - rate->q1) / rate->value;
    }
  for (guint side = 0; side < 2; side++)
    if (share[side] > WIDE)
      return say (LS_FAIR_NO, words,
                  _("The middle half of the %s lane’s rate is %.0f %% of its median wide."),
                  pair->lanes[side].name, 100 * share[side]);
  return say (LS_FAIR_YES, words,
              _("The middle halves of the rates are %.0f %% and %.0f %% of their medians wide."),
              100 * share[0], 100 * share[1]);
}

/* ---- the table ---- */

#define SETTING (-1)

/* clang-format off */
static const LsFairRow rows[] = {
  { "precision", N_("Precision"), SETTING, judge_precision, { { NULL } } },
  { "batch", N_("Batch"), SETTING, judge_batch, { { NULL } } },
  { "algorithm", N_("Algorithm"), SETTING, judge_algorithm, { { "fusion", "on", "off" } } },
  { "kernels", N_("Kernels"), SETTING, judge_kernels,
    { { "cpu-kernels", "blas", "naive" }, { "kernel", "auto", "naive" } } },
  { "threads", N_("Threads"), LS_EVIDENCE_MEASURED, judge_threads, { { "threads", "0", "1" } } },
  { "warm-up", N_("Warm-up"), SETTING, judge_warm_up, { { NULL } } },
  { "transfers", N_("Transfers"), SETTING, judge_transfers, { { "batch-from", "device", "host" } } },
  { "turns", N_("Turns"), SETTING, judge_turns, { { "turns", "auto", "race" } } },
  { "clocks", N_("Clocks"), LS_EVIDENCE_MEASURED, judge_clocks, { { NULL } } },
  { "load", N_("Other programs"), LS_EVIDENCE_MEASURED, judge_load, { { NULL } } },
  { "tuning", N_("Tuning"), SETTING, judge_tuned, { { "tuned", "on", "off" } } },
  { "spread", N_("Spread"), LS_EVIDENCE_DERIVED, judge_spread, { { NULL } } },
};
/* clang-format on */
G_STATIC_ASSERT (G_N_ELEMENTS (rows) <= LS_FAIR_MAX);

const LsFairRow *
ls_fair_rows (guint *n)
{
  *n = G_N_ELEMENTS (rows);
  return rows;
}

const char *
ls_fair_state_name (LsFairState state)
{
  static const char *const names[] = { "fair", "unknown", "unfair" };
  return names[state];
}

/* Of the first lane that has it. */
static void
find_switch (const LsFairPair *pair, const LsFairRow *row, LsFairLine *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (row->switches) && row->switches[i].option != NULL; i++)
    for (guint side = 0; side < 2; side++)
      {
        const LsOption *option = ls_options_find (row->switches[i].option);
        const LsFairLane *lane = &pair->lanes[side];
        if (lane->backend == NULL || lane->options == NULL || lane->who == LS_BACKEND_REFERENCE
            || !ls_lane_concerned (lane->backend, option))
          continue;
        g_autofree char *value = ls_options_get (lane->options, option);
        line->option = option->name;
        line->fair = row->switches[i].fair;
        line->unfair = row->switches[i].unfair;
        line->side = side;
        line->switched = strcmp (value, line->unfair) == 0;
        return;
      }
}

static void
clear_cb (gpointer data)
{
  LsFairness *self = data;

  for (guint i = 0; i < self->n; i++)
    g_free (self->lines[i].words);
}

LsFairness *
ls_fairness_new (const LsFairPair *pair)
{
  LsFairness *self = g_atomic_rc_box_new0 (LsFairness);

  for (; self->n < G_N_ELEMENTS (rows); self->n++)
    {
      const LsFairRow *row = &rows[self->n];
      LsFairLine *line = &self->lines[self->n];

      line->row = row;
      line->state = row->judge (pair, &line->words);
      self->unfair |= line->state == LS_FAIR_NO;
      find_switch (pair, row, line);
    }
  return self;
}

LS_RC_BOX (LsFairness, ls_fairness, clear_cb)

gboolean
ls_fairness_is_unfair (const LsFairness *self)
{
  return self != NULL && self->unfair;
}

char *
ls_fairness_titles (const LsFairness *self)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  for (guint i = 0; self != NULL && i < self->n; i++)
    if (self->lines[i].state == LS_FAIR_NO)
      g_string_append_printf (titles, "%s%s", titles->len > 0 ? ", " : "", _(self->lines[i].row->title));
  return titles->len > 0 ? g_strdup (titles->str) : NULL;
}
