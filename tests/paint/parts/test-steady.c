/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * While a run goes on its figures change many times a second: what stands over and below them stays where it
 * is.
 */
#include <math.h>

#include "tests/paint/rated.h"
#include "ui/paint/views.h"

/* What a lane's head tells of a run, in the course of it. */
static const struct {
  const char *what;
  double rate, wide; /* wide: the middle half, over the median */
  guint64 n, rested, recorded;
  double loss, delta;
} moments[] = {
  { "in the middle of a run", 13.0e6, .1, 200, 12, 0, .0931, 4e-6 },
  { "with a rate of fewer digits", 9e6, .1, 200, 12, 0, .0931, 4e-6 },
  { "with a rate in another unit", 888e3, .1, 200, 12, 0, .0931, 4e-6 },
  { "with a calm rate", 13.0e6, .002, 200, 12, 0, .0931, 4e-6 },
  { "with a noisy rate", 13.0e6, .45, 200, 12, 0, .0931, 4e-6 },
  { "with fewer steps left out", 13.0e6, .1, 200, 1, 0, .0931, 4e-6 },
  { "with none left out", 13.0e6, .1, 200, 0, 0, .0931, 4e-6 },
  { "with steps left out for two reasons", 13.0e6, .1, 200, 66, 22, .0931, 4e-6 },
  { "with the first rate", 13.0e6, .1, 24, 1, 0, .0931, 4e-6 },
  { "five steps before there is a rate", 13.0e6, .45, 45, 1, 0, .0931, 4e-6 },
  { "before the first step that counts", 0, 0, 0, 0, 0, .0931, 4e-6 },
  { "with a loss of more digits", 13.0e6, .1, 200, 12, 0, .00998, 4e-6 },
  { "with a loss of fewer digits", 13.0e6, .1, 200, 12, 0, 2.3, 4e-6 },
  { "with lanes that are alike", 13.0e6, .1, 200, 12, 0, .0931, 0 },
};

static LsLayout *
layout_at (const LsView *view, LsLook look, double w, double h, guint moment, guint side,
           const LsFigure *before)
{
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  for (guint i = 0; i < LS_SIDES; i++)
    {
      const guint at = i == side ? moment : 0;
      LsViewLane *lane = &data->sides[i];
      set_rate (data, i, moments[at].rate, moments[at].wide, moments[at].n);
      lane->counted.rested = moments[at].rested;
      lane->counted.recorded = moments[at].recorded;
      lane->loss.value = moments[at].loss;
      if (before != NULL)
        ls_change_set (&lane->change, "Schedule work-stealing, Threads auto", "static, 1", before,
                       &lane->rate);
      lane->delta = (LsFigure){ .value = moments[at].delta, .n = 1, .evidence = LS_EVIDENCE_DERIVED };
    }
  return draw_view (view, data, &query, look, w, h);
}

/* Slots of a view in a window of that size, in all moments of either lane; but that of how fair the
 * comparison is, which goes with the ratio in some views. before: the rate before a change of settings, or
 * NULL. */
static void
check_slots (const LsView *view, LsLook look, double w, double h, const LsFigure *before)
{
  g_autoptr (LsLayout) first = layout_at (view, look, w, h, 0, 0, before);

  for (guint moment = 1; moment < G_N_ELEMENTS (moments); moment++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        g_autoptr (LsLayout) now = layout_at (view, look, w, h, moment, side, before);
        if (now->slots->len != first->slots->len)
          g_error ("%s, %g×%g px: %u slots, and %u in lane %u %s", view->name, w, h, first->slots->len,
                   now->slots->len, side, moments[moment].what);
        for (guint i = 0; i < now->slots->len; i++)
          {
            const LsSlot *was = &g_array_index (first->slots, LsSlot, i),
                         *is = &g_array_index (now->slots, LsSlot, i);
            if (is->kind != LS_SLOT_FAIR
                && (was->x != is->x || was->y != is->y || was->w != is->w || was->h != is->h))
              g_error ("%s, %g×%g px%s: what stands at %g, %g goes to %g, %g in lane %u %s%s", view->name, w,
                       h, look == LS_LOOK_PROJECTOR ? ", projector" : "", was->x, was->y, is->x, is->y, side,
                       moments[moment].what, before != NULL ? " after a change" : "");
          }
      }
}

/* Each view in the commonest windows; and one, whose switches stand below the heads, in windows of many
 * widths. */
static void
test_slots (void)
{
  static const LsFigure before = { .value = 12.3e6, .q1 = 12e6, .q3 = 12.5e6, .n = LS_FIGURE_NEWEST };
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint v = 0; v < n; v++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      check_slots (views[v], sizes[size].look, sizes[size].w, sizes[size].h, size % 2 == 0 ? &before : NULL);
  for (double w = 780; w <= 1600; w += 60)
    {
      check_slots (&ls_view_partition, LS_LOOK_LIGHT, w, 700, NULL);
      check_slots (&ls_view_partition, LS_LOOK_LIGHT, w + 20, 700, &before);
      check_slots (&ls_view_partition, LS_LOOK_PROJECTOR, w, 900, &before);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/steady/slots", test_slots);
  return g_test_run ();
}
