/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of Machines' moving pictures: tiles of a product one after the other, row by row, those at the
 * edges cut; stages that begin one after the other; spikes at their neuron and their time step.
 */
#include "config.h"

#include <math.h>

#include "machines/simt.h"
#include "tests/paint/machines/machines_rig.h"
#include "ui/paint/machines/machines_picture.h"

static const LsArea room = { 100, 100, 900, 500 };

/* What the machine's picture adds at so many seconds: the first item that is its own. */
static guint
picture_at (const Picture *p, guint row, double now)
{
  const guint first = p->layout->moving->items->len;
  LsArea area = room;
  g_autofree char *words = ls_machines_picture (machines_of (p), row, &area, now, TRUE);

  g_assert_nonnull (words);
  return first;
}

static void
assume (Picture *p, guint row, const char *name, double value)
{
  const LsMachine *machine = machines_of (p)->rows[row].machine;

  ls_machines_say (machines_asked (p), row, (guint) ls_machine_find_assumption (machine, name), value);
}

/* A product of m×n is covered by tiles of 48×96, which are computed from left to right and from above down;
 * what of them lies beyond the product stays pale. */
static void
test_tiles (void)
{
  const guint row = row_of ("tensor");
  guint cut = 0, products = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  assume (&p, row, "tile-m", 48);
  assume (&p, row, "tile-n", 96);
  draw (&p);
  const LsMachines *m = machines_of (&p);
  for (guint w = 0; w < m->works->len; w++)
    {
      const LsMachineWork *work = &g_array_index (m->works, LsMachineWork, w);
      const GArray *ops = m->rows[row].run->ops;
      const LsMachineOp *at = NULL;

      for (guint i = 0; i < ops->len; i++)
        at = g_array_index (ops, LsMachineOp, i).op == work->op ? &g_array_index (ops, LsMachineOp, i) : at;
      if (work->k == 0 || at == NULL)
        continue;
      const guint cols = (guint) MIN ((work->n + 95) / 96, 24), rows = (guint) MIN ((work->m + 47) / 48, 12);
      products++;
      for (guint part = 1; part < 4; part++)
        {
          const guint first = picture_at (&p, row, at->start + at->seconds * part / 4);
          const LsScene *s = p.layout->moving;
          double left = HUGE_VAL, top = HUGE_VAL, edge = 0;
          guint tracks = 0, dark = 0;

          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_TRACK)
                continue;
              left = MIN (left, (double) item->x);
              top = MIN (top, (double) item->y);
              edge = (double) item->w + 1;
              tracks++;
            }
          if (tracks != cols * rows)
            g_error ("%lld×%lld in tiles of 48×96 is drawn as %u tiles, not %u×%u", (long long) work->m,
                     (long long) work->n, tracks, rows, cols);
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_TEXT)
                continue;
              /* the next one in the order of rows, as wide and as high as what of it lies within */
              const guint col = dark % cols, r = dark / cols;
              const double w_part = MIN (1, (double) (work->n - 96 * (gint64) col) / 96),
                           h_part = MIN (1, (double) (work->m - 48 * (gint64) r) / 48);
              if (fabs ((double) item->x - left - col * edge) > .01
                  || fabs ((double) item->y - top - r * edge) > .01)
                g_error ("tile %u is computed in column %g, row %g", dark, ((double) item->x - left) / edge,
                         ((double) item->y - top) / edge);
              g_assert_cmpfloat_with_epsilon ((double) item->w, w_part * (edge - 1), .01);
              g_assert_cmpfloat_with_epsilon ((double) item->h, h_part * (edge - 1), .01);
              cut += w_part < 1 || h_part < 1;
              dark++;
            }
          if (fabs (dark - cols * rows * part / 4.) > 1)
            g_error ("%u of %u tiles are done after %u/4 of the op", dark, cols * rows, part);
        }
    }
  g_assert_cmpuint (products, >, 3);
  g_assert_cmpuint (cut, >, 0);
  close_picture (&p);
}

/* Each warp has a row, each of the columns a moment of the last two turns, the newest right: as dark as what
 * the warp does then. */
static void
test_warps (void)
{
  static const double dark[] = { [LS_WARP_RUNS] = .9, [LS_WARP_READY] = .5, [LS_WARP_WAITS] = .14 };
  enum { COLS = 48 };
  const guint row = row_of ("simt");
  guint cells = 0, states[LS_WARP_DONE + 1] = { 0 };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const LsMachines *m = machines_of (&p);
  const double *value = m->rows[row].assumed.value,
               launch = value[ls_machine_find_assumption (&ls_machine_simt, "launch")] * 1e-6;
  for (guint w = 0; w < m->works->len; w++)
    {
      const LsMachineWork *work = &g_array_index (m->works, LsMachineWork, w);
      const GArray *ops = m->rows[row].run->ops;
      const LsMachineOp *at = NULL;
      LsSimtProduct product;

      for (guint i = 0; i < ops->len; i++)
        at = g_array_index (ops, LsMachineOp, i).op == work->op ? &g_array_index (ops, LsMachineOp, i) : at;
      if (work->k == 0 || at == NULL || at->seconds <= launch)
        continue;
      ls_simt_product (value, work->m, work->n, work->k, &product);
      const guint all = ls_simt_warps_a_scheduler (value, &product), rows = MIN (all, 12);
      const double step = 2 * ls_simt_turn (&product, all) / COLS;
      for (guint part = 1; part < 8; part += 2)
        {
          const double passed = part / 8., clock = passed * product.clocks;
          const guint first = picture_at (&p, row, at->start + launch + (at->seconds - launch) * passed);
          const LsScene *s = p.layout->moving;
          for (guint r = 0; r < rows; r++)
            for (guint col = 0; col < COLS; col++)
              {
                const double then = clock - (COLS - 1 - col) * step, near = 1e-6 * product.clocks;
                const LsWarpState is = ls_simt_warp_at (value, &product, r, then);
                const LsItem *item = ls_scene_get (s, first + r * COLS + col);
                const double shown = item->ink == LS_INK_TEXT ? (double) item->alpha : 0;

                /* on the edge of two the floats decide */
                if (ls_simt_warp_at (value, &product, r, then - near) != is
                    || ls_simt_warp_at (value, &product, r, then + near) != is)
                  continue;
                g_assert_cmpuint (item->kind, ==, LS_ITEM_BOX);
                g_assert_true (col == 0 || item->x > item[-1].x);
                if (fabs (shown - (is < G_N_ELEMENTS (dark) ? dark[is] : 0)) > .01)
                  g_error ("warp %u, %g turns ago: %g dark, not %g", r, 2. * (COLS - 1 - col) / COLS, shown,
                           is < G_N_ELEMENTS (dark) ? dark[is] : 0);
                states[is]++;
                cells++;
              }
        }
    }
  g_assert_cmpuint (cells, >, 500);
  g_assert_true (states[LS_WARP_RUNS] > 20 && states[LS_WARP_WAITS] > 20);
  close_picture (&p);
}

/* A stage is dark from its own start on; each stands right of the one before it, and below. */
static void
test_stages (void)
{
  const guint row = row_of ("fpga");
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const GArray *ops = machines_of (&p)->rows[row].run->ops;
  const guint n = MIN (ops->len, 12);
  g_assert_cmpuint (n, >, 3);
  for (guint begun = 0; begun + 1 < n; begun++)
    {
      const double start = g_array_index (ops, LsMachineOp, begun).start,
                   next = g_array_index (ops, LsMachineOp, begun + 1).start;
      if (!(next > start))
        continue;
      const guint first = picture_at (&p, row, (start + next) / 2);
      const LsScene *s = p.layout->moving;

      g_assert_cmpuint (s->items->len - first, ==, n);
      for (guint i = 0; i < n; i++)
        {
          const LsItem *item = ls_scene_get (s, first + i), *before = i > 0 ? item - 1 : NULL;
          if ((item->ink == LS_INK_TEXT) != (i <= begun))
            g_error ("when stage %u has begun and stage %u hasn’t, stage %u is %s", begun + 1, begun + 2,
                     i + 1, item->ink == LS_INK_TEXT ? "at work" : "at rest");
          if (before != NULL && (item->x <= before->x || item->y <= before->y))
            g_error ("stage %u isn’t right of the one before and below it", i + 1);
        }
    }
  close_picture (&p);
}

/* A spike stands in its neuron's row, at its time step, the newest step darkest, those to come pale; where
 * there are more steps than room the newest are shown. */
static void
test_spikes (void)
{
  static const guint steps[] = { 24, 64 };
  const guint row = row_of ("spiking");

  for (gsize k = 0; k < G_N_ELEMENTS (steps); k++)
    {
      g_autoptr (LsConverted) spiking = ls_converted_new (LS_CONVERTED_SPIKING);
      const LsViewBeside beside = { .converted = { NULL, spiking } };
      Picture p;

      spiking->accuracy = ls_converted_figure (97, 500, "%", LS_EVIDENCE_MEASURED);
      spiking->n_points = 1;
      spiking->points[0]
        = (LsConvertedPoint){ .at = steps[k],
                              .accuracy = ls_converted_figure (97, 500, "%", LS_EVIDENCE_MEASURED),
                              .spikes = ls_converted_figure (407, 500, "spikes", LS_EVIDENCE_MEASURED),
                              .events = ls_converted_figure (50000, 500, "events", LS_EVIDENCE_MEASURED),
                              .rate = ls_converted_figure (.1, 500, "", LS_EVIDENCE_DERIVED) };
      spiking->n_samples = 500;
      spiking->trained = 900;
      spiking->n_neurons = 5;
      spiking->n_steps = steps[k];
      /* neuron r spikes at 3 + 4 r, and in the end at the last step but r */
      for (guint r = 0; r < 5; r++)
        spiking->neurons[r] = (LsConvertedNeuron){ .neuron = r,
                                                   .spikes = G_GUINT64_CONSTANT (1) << (3 + 4 * r)
                                                             | G_GUINT64_CONSTANT (1) << (steps[k] - 1 - r) };
      open_machines (&p, TRUE, &beside, 1920, 1080);
      assume (&p, row, "steps", steps[k]);
      draw (&p);
      const double length = MIN (machines_of (&p)->rows[row].run->seconds, machines_of (&p)->end);
      const guint cols = MIN (steps[k], 48);
      for (guint now = 1; now <= steps[k]; now++) /* steps that have begun */
        {
          const guint from = now > cols ? now - cols : 0,
                      first = picture_at (&p, row, length * (now - .5) / steps[k]);
          const LsScene *s = p.layout->moving;
          const double w = room.w / cols;
          guint wanted = 0;
          double h = 0;

          for (guint i = first; i < s->items->len; i++)
            h = (double) ls_scene_get (s, i)->h + 2;
          for (guint r = 0; r < 5; r++)
            for (guint t = from; t < from + cols; t++)
              wanted += spiking->neurons[r].spikes >> t & 1;
          if (s->items->len - first != wanted)
            g_error ("in time step %u of %u %u spikes are drawn of %u", now, steps[k], s->items->len - first,
                     wanted);
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              const guint t = from + (guint) lround (((double) item->x - room.x) / w),
                          r = (guint) lround (((double) item->y - room.y) / h);
              if (r >= 5 || !(spiking->neurons[r].spikes >> t & 1))
                g_error ("in time step %u a spike of neuron %u at step %u is drawn, which it hasn’t", now, r,
                         t + 1);
              const double dark = t + 1 == now ? .9 : t + 1 < now ? .5 : 0;
              if ((double) item->alpha < dark || (t + 1 > now && (double) item->alpha > .3)
                  || (t + 1 < now && (double) item->alpha > .8))
                g_error ("in time step %u the spike at step %u is %g dark", now, t + 1, (double) item->alpha);
            }
        }
      close_picture (&p);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines-cells/tiles", test_tiles);
  g_test_add_func ("/paint/machines-cells/stages", test_stages);
  g_test_add_func ("/paint/machines-cells/spikes", test_spikes);
  g_test_add_func ("/paint/machines-cells/warps", test_warps);
  return g_test_run ();
}
