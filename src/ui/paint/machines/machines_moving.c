/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See machines_picture.h: warps that take turns, neurons that spike. What is drawn is what the models' times
 * are of, at the moment that the clock has come to.
 */
#include "config.h"
#include "ui/paint/machines/machines_picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "machines/simt.h"

/* ---- warps ---- */

/* Clocks since the kernel's start; below 0: it is being started. */
static double
simt_clock (const LsMachinesPicture *c, const LsSimtProduct *product)
{
  const double launch = ls_machines_picture_value (c, "launch") * 1e-6, works = c->at->seconds - launch;

  if (c->over)
    return product->clocks / 2;
  /* where memory holds it up they are so many more, evenly */
  return works > 0 ? (c->now - c->at->start - launch) / works * product->clocks : product->clocks;
}

static char *
simt_words (const LsMachinesPicture *c, const LsSimtProduct *product, guint all, guint rows, double clock)
{
  g_autofree char *share = ls_number_fixed (100 * product->occupancy, 0),
                  *issue = ls_number_count ((guint64) product->issue),
                  *wait = ls_number_count ((guint64) product->wait),
                  *now = ls_number_count ((guint64) MAX (clock, 0)),
                  *end = ls_number_count ((guint64) product->clocks), *work = NULL;

  if (ls_machines_narrow (c->p))
    return g_strdup_printf (
      ngettext ("%s: %u warp on each scheduler, occupancy %s %%; dark computes, pale waits",
                "%s: %u warps take turns on each scheduler, occupancy %s %%; dark computes, pale waits", all),
      c->p->plan->ops[c->work->op].symbol, all, share);
  work = all == 1
           ? g_strdup_printf (_("%u warp is at work on each scheduler of a unit, occupancy %s %%: loading a "
                                 "tile takes %s clocks, its sums %s, dark. While it waits, pale, nobody "
                                 "computes."),
                              all, share, wait, issue)
           : g_strdup_printf (
             _("%u warps take turns on each scheduler of a unit, occupancy %s %%: loading a tile takes "
                "%s clocks, its sums %s, dark. While one waits, pale, another one computes, if one is "
                "ready."),
             all, share, wait, issue);
  if (clock < 0)
    return g_strdup_printf (_("%s is being started. %s"), c->p->plan->ops[c->work->op].symbol, work);
  return rows < all ? g_strdup_printf (_("%s, clock %s of %s, the newest right; %u of %u warps drawn. %s"),
                                       c->p->plan->ops[c->work->op].symbol, now, end, rows, all, work)
                    : g_strdup_printf (_("%s, clock %s of %s, the newest right. %s"),
                                       c->p->plan->ops[c->work->op].symbol, now, end, work);
}

/* Warps that share a scheduler, one below the other, clocks from left to right up to the one that it is now:
 * dark issues, half-dark is ready, pale waits for memory. */
char *
ls_machines_draw_simt (LsMachinesPicture *c)
{
  static const double dark[] = { 0, .9, .5, .14, 0 };
  const double *value = c->row->assumed.value;
  LsSimtProduct product;

  if (c->work == NULL || c->work->k == 0)
    return ls_machines_picture_rest (c, c->whole ? 48 : 14, 4, c->whole ? 16 : 10,
                                     _("no product; its warps load no tiles, and aren’t drawn"));
  ls_simt_product (value, c->work->m, c->work->n, c->work->k, &product);
  const guint all = ls_simt_warps_a_scheduler (value, &product), rows = MIN (all, c->whole ? 12 : 4),
              cols = c->whole ? 48 : 14;
  /* two turns of all of them are in view */
  const double clock = simt_clock (c, &product), step = 2 * ls_simt_turn (&product, all) / cols,
               edge = ls_machines_picture_grid (c, cols, rows, c->whole ? 16 : 10);

  for (guint i = 0; i < rows * cols; i++)
    {
      const double at = clock - (cols - 1 - i % cols) * step;
      const LsWarpState state = ls_simt_warp_at (value, &product, i / cols, at);

      ls_machines_picture_cell (c, c->area.x + i % cols * edge, c->area.y + i / cols * edge, edge - 1,
                                edge - 1, dark[state]);
    }
  c->area.h = rows * edge;
  return simt_words (c, &product, all, rows, clock);
}

/* ---- spikes ---- */

/* Time steps that have begun, of so many. A sample takes far longer than a step of the lanes: where it leaves
 * the axis, the axis's length stands for it. */
static guint
spiking_steps (const LsMachinesPicture *c, guint all)
{
  const double length = MIN (c->row->run->seconds, c->p->end);

  return c->over || c->now >= length ? all : (guint) MIN (floor (c->now / length * all) + 1, all);
}

/* Neurons one below the other, time steps from left to right up to the newest: a mark is a spike that was
 * simulated here. */
char *
ls_machines_draw_spiking (LsMachinesPicture *c)
{
  const LsConverted *result = c->p->layout->data->converted[LS_CONVERTED_SPIKING];

  if (result == NULL || result->n_neurons == 0 || result->n_steps == 0)
    return NULL;
  const guint rows = MIN (result->n_neurons, c->whole ? 16 : 6),
              all = (guint) ls_machines_picture_value (c, "steps"), n = MIN (all, result->n_steps),
              cols = MIN (n, c->whole ? 48 : 24), now = MIN (spiking_steps (c, all), n),
              from = now > cols ? now - cols : 0;
  const double w = c->area.w / cols,
               h = MIN (c->area.h / rows, c->whole ? 12 : 7 * MAX (c->area.w / LS_MACHINES_PICTURE, 1));

  for (guint r = 0; r < rows; r++)
    for (guint t = from; t < from + cols; t++)
      if (result->neurons[r].spikes >> t & 1)
        ls_machines_picture_cell (c, c->area.x + (t - from) * w, c->area.y + r * h, MAX (w * .35, 1.5), h - 2,
                                  t + 1 == now ? 1
                                  : t < now    ? .6
                                               : .12);
  c->area.h = rows * h;
  if (ls_machines_narrow (c->p))
    return g_strdup_printf (_("Spikes of %u neurons up to time step %u of %u, simulated here"), rows, now,
                            all);
  if (c->row->run->seconds <= c->p->end)
    return g_strdup_printf (
      _(
        "Spikes of %u neurons up to time step %u of %u, with the test set’s first sample, a %u: measured, as "
        "simulated here"),
      rows, now, all, result->label);
  return g_strdup_printf (
    _("Spikes of %u neurons up to time step %u of %u, with the test set’s first sample, a %u: measured, as "
       "simulated here, and drawn faster than the clock, in the time of the axis"),
    rows, now, all, result->label);
}
