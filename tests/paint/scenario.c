/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_draw.h"

#include <math.h>

#include "ui/paint/data/change.h"

gboolean
ls_draw_chance (const LsDraw *d, double p)
{
  return g_rand_double (d->random) < p;
}

guint
ls_draw_below (const LsDraw *d, guint n)
{
  return (guint) g_rand_int_range (d->random, 0, (gint32) n);
}

double
ls_draw_size (const LsDraw *d, double low, double high)
{
  return low * pow (high / low, g_rand_double (d->random));
}

static guint64
some_steps (const LsDraw *d)
{
  static const guint64 edges[] = { 1, 2, 3, 9, 10, 12, 19, 29, 30, 31, 49, 59, 60, 61, 75, 120 };

  return ls_draw_chance (d, .5) ? edges[ls_draw_below (d, G_N_ELEMENTS (edges))]
                                : (guint64) ls_draw_size (d, 60, 3000);
}

static void
draw_fixture (LsDraw *d)
{
  static const guint batches[] = { 1, 7, 32, 64, 128, 512 };
  static const char *const models[]
    = { NULL, "conv 4 3 pad 1, relu, maxpool 2, flatten, dense 10",
        "flatten, dense 24, tanh, dense 24, tanh, dense 24, tanh, dense 24, tanh, dense 24, tanh, dense 10",
        "flatten, dense 10", "lstm 6 all, lstm 5, dense 10" };
  LsFixture *f = &d->fixture;

  f->toy = ls_draw_chance (d, .25);
  f->model = f->toy ? "flatten, dense 16, tanh, dense 2" : models[ls_draw_below (d, G_N_ELEMENTS (models))];
  f->batch = batches[ls_draw_below (d, f->toy || f->model == NULL ? G_N_ELEMENTS (batches) : 4)];
  f->workers = 1 + ls_draw_below (d, ls_draw_chance (d, .2) ? 64 : 8);
  f->tiles = (guint) ls_draw_size (d, 1, 100);
  f->groups = (guint) ls_draw_size (d, 1, 200);
  f->units = 1 + ls_draw_below (d, 24);
  f->known = (LsKnown) ls_draw_below (d, LS_KNOWN_NOTHING + 1);
  f->on_cpu = ls_draw_chance (d, .5);
  f->stealing = ls_draw_chance (d, .5);
  f->fused = ls_draw_chance (d, .5);
  f->joined = ls_draw_chance (d, .3);
  f->queue = ls_draw_chance (d, .4);
  f->values = ls_draw_chance (d, .3);
  f->small_deltas = f->values && ls_draw_chance (d, .3);
  g_string_append_printf (d->s->words, "%s, batch %u, %u workers, %u tiles, %u groups%s%s%s",
                          f->toy             ? "toy"
                          : f->model != NULL ? f->model
                                             : "mlp",
                          f->batch, f->workers, f->tiles, f->groups, f->on_cpu ? ", on the CPU" : "",
                          f->fused ? ", fused" : "", f->values ? ", values" : "");
}

static void
draw_run (LsDraw *d)
{
  const guint trouble = ls_draw_chance (d, .85) ? 1 : 0; /* mostly the right lane's */
  const double ratio = ls_draw_chance (d, .3)   ? 1
                       : ls_draw_chance (d, .4) ? ls_draw_size (d, .9, 1.1)
                                                : ls_draw_size (d, .001, 1000);

  d->steps = some_steps (d);
  d->step_us[0] = ls_draw_size (d, ls_draw_chance (d, .1) ? .05 : 20, ls_draw_chance (d, .1) ? 1e8 : 50000);
  d->step_us[1] = d->step_us[0] * ratio;
  for (guint side = 0; side < LS_SIDES; side++)
    d->noises[side] = ls_draw_chance (d, .6) ? LS_NOISE_CALM : (LsNoise) ls_draw_below (d, LS_NOISE_N);
  d->fates[0] = d->fates[1] = LS_FATE_READY;
  if (ls_draw_chance (d, .6))
    d->fates[trouble] = (LsFate) ls_draw_below (d,
                                                trouble == 1 ? LS_FATE_MISSING + 1 : LS_FATE_NEVER_RAN + 1);
  d->s->apart = (LsApart) (ls_draw_chance (d, .5) ? LS_APART_ROUNDING
                                                  : ls_draw_below (d, LS_APART_WRONG + 1));
  d->loss_scale = ls_draw_chance (d, .1) ? ls_draw_size (d, 1e-12, 1e9) : 1;
  d->not_a_number = ls_draw_chance (d, .05) ? ls_draw_below (d, (guint) d->steps + 1) : G_MAXUINT64;
  d->drift_from = ls_draw_below (d, (guint) d->steps);
  d->epoch = 1 + ls_draw_below (d, 500);
}

static LsRecording *
record (LsDraw *d, guint64 step, gboolean both)
{
  LsFixture f = d->fixture;
  LsRecording *recording;

  f.steps = (guint) MAX (step, 1);
  f.groups = both ? f.groups : 0;
  recording = ls_fixture_recording (&f);
  for (guint i = 0; i < recording->n_lanes && d->s->seed % 5 == 0; i++)
    {
      g_free (recording->lanes[i].device->name);
      recording->lanes[i].device->name = g_strdup (
        i == 0 ? "AMD Ryzen Threadripper PRO 7995WX 96-Cores"
               : "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition");
    }
  return recording;
}

static void
add_runs (LsDraw *d, const LsRecording *of)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  const LsDraw now = *d;
  GString *words = d->s->words;

  d->s->words = g_string_new (NULL); /* theirs isn't what is looked at */
  for (guint i = 0; i < 1 + ls_draw_below (d, 2); i++)
    {
      d->steps = some_steps (d);
      d->drift_from = d->steps - 1;
      d->step_us[0] *= 1.3;
      d->fates[0] = d->fates[1] = LS_FATE_READY;
      g_autoptr (LsSnapshot) before = ls_draw_snapshot (d, NULL, of, 0);
      g_ptr_array_add (runs,
                       ls_run_curves_new (i == 0 ? "batch 32, lr 0.1" : "batch 256, lr 0.05, adam", before));
    }
  g_string_free (d->s->words, TRUE);
  *d = now;
  d->s->words = words;
  g_string_append (words, "; runs before");
  d->s->data->runs = g_ptr_array_ref (runs);
}

static void
add_change (LsDraw *d)
{
  LsFigure before = { .value = ls_draw_size (d, 100, 1e6),
                      .n = ls_draw_chance (d, .5) ? 200 : 1 + ls_draw_below (d, 60) };
  LsViewLane *lane = &d->s->data->sides[ls_draw_below (d, LS_SIDES)];
  const double noise = ls_draw_chance (d, .5) ? .02 : .3;

  if (!lane->there || lane->state != LS_LANE_READY)
    return;
  before.q1 = before.value * (1 - noise);
  before.q3 = before.value * (1 + noise);
  g_string_append (d->s->words, "; after a change");
  ls_change_clear (&lane->change);
  ls_change_set (&lane->change, "Kernel tiled", "packed", &before, &lane->rate);
}

static void
make_live (LsDraw *d)
{
  LsScenario *s = d->s;
  const guint64 least = MAX (1, d->steps / 2),
                recorded = d->fates[0] >= LS_FATE_COMPILING || d->fates[1] >= LS_FATE_FAILED
                             ? 1 + ls_draw_below (d, (guint) least)
                             : least;
  const gboolean lacks = (d->fates[1] >= LS_FATE_COMPILING && d->fates[1] <= LS_FATE_OVERDUE)
                         || d->fates[1] >= LS_FATE_NEVER_RAN || ls_draw_chance (d, .1);
  const gboolean nothing = d->fates[0] == LS_FATE_COMPILING || d->fates[0] == LS_FATE_OVERDUE
                           || d->fates[0] == LS_FATE_NEVER_RAN || ls_draw_chance (d, .1);
  g_autoptr (LsRecording) both = record (d, recorded, TRUE);
  g_autoptr (LsViewData) previous = NULL;

  s->recording = nothing ? NULL : lacks ? record (d, recorded, FALSE) : ls_recording_ref (both);
  g_string_append (s->words, nothing ? "; nothing recorded" : lacks ? "; the record lacks a lane" : "");
  if (s->recording != NULL)
    s->recording->step = recorded;
  if ((d->fates[1] == LS_FATE_FAILED || d->fates[1] == LS_FATE_HUNG) && lacks)
    {
      LsDraw before = *d;
      g_autoptr (GString) unsaid = g_string_new (NULL);
      LsScenario scratch = { .seed = s->seed, .words = unsaid, .apart = s->apart };

      before.s = &scratch;
      before.fates[0] = before.fates[1] = LS_FATE_READY;
      g_autoptr (LsSnapshot) first = ls_draw_snapshot (&before, both, both, recorded);
      previous = ls_view_data_from_snapshot (first, NULL, NULL);
    }
  s->snapshot = ls_draw_snapshot (d, s->recording, both, recorded);
  s->data = ls_view_data_from_snapshot (s->snapshot, previous, NULL);
  if (ls_draw_chance (d, .15) && s->recording != NULL && !lacks)
    {
      g_autoptr (LsRecording) earlier = record (d, recorded / 2, TRUE);
      LsViewData *now = s->data;
      earlier->step = MAX (1, recorded / 2);
      s->data = ls_view_data_with_recording (now, earlier, NULL);
      ls_view_data_unref (now);
      g_string_append (s->words, "; an earlier record is shown");
    }
  if (ls_draw_chance (d, .15))
    add_runs (d, both);
  if (ls_draw_chance (d, .15))
    add_change (d);
  if (ls_draw_chance (d, .05) && s->data->sides[1].state == LS_LANE_READY)
    {
      g_free (s->data->sides[1].notice);
      s->data->sides[1].notice = g_strdup (
        "Edited kernels aren’t used: gemm_tiled.cl:45: use of undeclared identifier.");
    }
}

static void
make_played_back (LsDraw *d)
{
  LsScenario *s = d->s;

  s->recording = record (d, d->steps, ls_draw_chance (d, .8));
  g_string_append_printf (s->words, "; played back, %u lanes, %" G_GUINT64_FORMAT " steps",
                          s->recording->n_lanes, d->steps);
  for (guint i = 0; i < s->recording->n_lanes; i++)
    {
      LsCurve *curve = ls_curve_new ();
      for (guint64 k = 0; k < d->steps; k++)
        ls_curve_append (
          curve, (LsPoint){ .step_us = (float) ls_draw_time (d, i), .loss = (float) ls_draw_loss (d, i, k) });
      ls_recording_set_history (s->recording, i, curve, d->steps);
      ls_curve_unref (curve);
    }
  g_autoptr (LsViewData) other = ls_view_data_from_recording (s->recording, NULL);
  const char *origin = ls_draw_chance (d, .5) ? "another machine, 2025-11-07" : NULL;
  s->data = ls_view_data_from_recording (
    s->recording, &(LsViewBeside){ .origin = origin, .other = ls_draw_chance (d, .3) ? other : NULL });
}

LsScenario *
ls_scenario_new (guint64 seed)
{
  const guint32 words[2] = { (guint32) seed, (guint32) (seed >> 32) };
  LsScenario *s = g_new0 (LsScenario, 1);
  LsDraw d = { .random = g_rand_new_with_seed_array (words, 2), .s = s };

  s->seed = seed;
  s->words = g_string_new (NULL);
  draw_fixture (&d);
  draw_run (&d);
  ls_draw_chance (&d, .2) ? make_played_back (&d) : make_live (&d);
  s->lane_of[0] = 0;
  s->lane_of[1] = (s->snapshot != NULL ? s->snapshot->n_lanes : s->recording->n_lanes) > 1 ? 1 : -1;
  g_rand_free (d.random);
  return s;
}

void
ls_scenario_free (LsScenario *s)
{
  if (s == NULL)
    return;
  ls_view_data_unref (s->data);
  ls_snapshot_unref (s->snapshot);
  g_clear_pointer (&s->recording, ls_recording_unref);
  g_string_free (s->words, TRUE);
  g_free (s);
}

/* ---- what is asked ---- */

static LsPick
some_piece (const LsScenario *s, GRand *random)
{
  const gint side = g_rand_int_range (random, 0, LS_SIDES);
  const LsStepIndex *index = s->data->sides[side].index;

  if (g_rand_double (random) < .02)
    return (LsPick){ side, 1000000 };
  if (index == NULL || index->n_pieces == 0 || g_rand_double (random) < .6)
    return LS_PICK_NONE;
  const guint n = (guint) g_rand_int_range (random, 0, (gint32) index->n_pieces),
              len = index->lane->events->len;
  /* or the next op, copy, wait or call of the host's */
  for (guint i = 0; n % 4 == 3 && i < len; i++)
    {
      const guint32 at = (n * 7919 + i) % len;
      const LsEvent *e = &g_array_index (index->lane->events, LsEvent, at);
      if (e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP)
        return (LsPick){ side, at };
    }
  return (LsPick){ side, index->pieces[n] };
}

Asked
ls_scenario_query (const LsScenario *s, guint n, gboolean chrome)
{
  const guint32 words[3] = { (guint32) s->seed, (guint32) (s->seed >> 32), n + 1 };
  GRand *r = g_rand_new_with_seed_array (words, 3);
  const LsRecording *recording = s->data->recording;
  Asked asked = ASKED_INIT;
  LsQuery q = LS_QUERY_INIT;

#define ONE_OF(p)  (g_rand_double (r) < (p))
#define UP_TO(end) ((guint) g_rand_int_range (r, 0, (gint32) (end)))
  /* now and then what was asked of another run, whose network is larger */
  q.op = recording != NULL ? UP_TO (recording->n_ops * (ONE_OF (.05) ? 3 : 1)) : UP_TO (40);
  q.time_ns = ONE_OF (.4) ? LS_TIME_END : (gint64) (pow (10, 2 + 5 * g_rand_double (r)));
  q.dial_ns = ONE_OF (.3) ? 0 : 50000;
  q.paused = ONE_OF (.5);
  q.hover = some_piece (s, r);
  q.picked = some_piece (s, r);
  q.worker = ONE_OF (.1) ? (gint) UP_TO (70) : -1;
  q.evidence = ONE_OF (.1) ? (gint) UP_TO (4) : -1;
  q.curves.seconds = ONE_OF (.3);
  q.curves.kind = UP_TO (LS_CURVE_N);
  q.curves.cursor = ONE_OF (.3)
                      ? 1 + (gint64) UP_TO (MAX (s->data->sides[0].steps, s->data->sides[1].steps) + 10)
                      : -1;
  asked.tiles.rung = ONE_OF (.5) ? -1 : (gint) UP_TO (4);
  asked.tiles.cpu_side = ONE_OF (.3);
  asked.tiles.group_row = ONE_OF (.5) ? -1 : (gint) UP_TO (100);
  asked.tiles.group_col = ONE_OF (.5) ? -1 : (gint) UP_TO (100);
  asked.tiles.item_row = ONE_OF (.5) ? -1 : (gint) UP_TO (70);
  asked.tiles.item_col = ONE_OF (.5) ? -1 : (gint) UP_TO (70);
  asked.network.sample = ONE_OF (.5) ? -1 : (gint) UP_TO (ONE_OF (.1) ? 600 : s->data->batch);
  asked.network.page = UP_TO (LS_NETWORK_N_PAGES);
  asked.network.layer = ONE_OF (.6) ? -1 : (gint) UP_TO (ONE_OF (.1) ? 40 : 3);
  asked.network.unit = ONE_OF (.6) ? -1 : (gint) UP_TO (ONE_OF (.1) ? 3000 : 10);
  asked.network.own = UP_TO (3);
  asked.network.test = UP_TO (1000);
  s->data->tests = ONE_OF (.5) ? 0 : 1 + UP_TO (10000);
  q.skipped = ONE_OF (.2) ? UP_TO (5) : 0;
  q.chrome = q.key = chrome;
  q.curves.part = ONE_OF (.8) ? LS_STRIP_ALONE : (LsStripPart) (1 + UP_TO (2));
#undef ONE_OF
#undef UP_TO
  g_rand_free (r);
  asked.query = q;
  return asked;
}
