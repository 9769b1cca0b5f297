/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The card of an op that is picked: every line of it in both lanes, counted from the events themselves, and
 * how the times of its pieces spread.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/timeline/card_line.h"
#include "tests/paint/told.h"
#include "tests/plain.h"
#include "ui/paint/timeline/timeline_card.h"
#include "ui/paint/views.h"

/* ---- its lines ---- */

static int
by_time (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* How long the op's pieces took, from the shortest to the longest. (transfer full) */
static GArray *
pieces_of (const LsViewLane *lane, guint op)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));

  for (EACH_EVENT (lane, e))
    if (e->op == op && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP))
      {
        const double ns = (double) (e->end_ns - e->start_ns);
        g_array_append_val (times, ns);
      }
  g_array_sort (times, by_time);
  return times;
}

/* What all waits that begin while the op runs take. */
static double
waits_of (const LsViewLane *lane, double start, double end)
{
  double sum = 0;

  for (EACH_EVENT (lane, e))
    if (e->kind == LS_EVENT_WAIT && ls_told_since (lane, e->start_ns) >= start
        && ls_told_since (lane, e->start_ns) < end)
      sum += (double) (e->end_ns - e->start_ns);
  return sum;
}

static gint64
flops_of (const LsRecording *recording, guint lane, guint op)
{
  gint64 flops = 0;

  for (guint i = 0; i < recording->n_ops; i++)
    if (recording->lanes[lane].tilings[i].leader == op)
      flops += recording->ops[i].flops;
  return flops;
}

/* The pieces of an op as a lane does them don't get longer one by one: the longest is the first, then the
 * shortest, and so on inwards; all are as long together as they were. */
static void
mix_pieces (LsRecordedLane *lane)
{
  guint n[64] = { 0 };

  for (guint i = 0; i < lane->events->len; i++)
    {
      LsEvent *e = &g_array_index (lane->events, LsEvent, i);

      if ((e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP) || e->op >= G_N_ELEMENTS (n))
        continue;
      const guint at = n[e->op]++;
      const guint64 ns = e->end_ns - e->start_ns;
      e->end_ns = e->start_ns + (at == 0 ? ns : at % 2 ? ns / 4 : ns / 2 + ns / 3 * (at % 5) / 10);
    }
}

/* Each line of both cards, of the op's own numbers, against the other lane's; and none that isn't so. */
static void
test_lines (void)
{
  guint ops[LS_SIDES] = { 0 }, earlier = 0, later = 0, medians = 0, waits = 0;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);

  for (guint lane = 0; lane < 2; lane++)
    mix_pieces (&recording->lanes[lane]);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);

  for (guint picked = 0; picked < LS_SIDES; picked++)
    for (guint i = 0; i < recording->lanes[picked].events->len; i++)
      {
        const LsEvent *e = &g_array_index (recording->lanes[picked].events, LsEvent, i);
        LsQuery query = LS_QUERY_INIT;

        if (!ls_told_is_work (e))
          continue;
        query.picked = (LsPick){ (gint) picked, i };
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
        ls_layout_move (layout, &query);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            const LsViewLane *lane = &data->sides[side], *across = &data->sides[1 - side];
            const gboolean tiles = side == 0;
            double start, end, start_across, end_across;

            g_assert_true (ls_told_op (lane, e->op, &start, &end));
            g_assert_true (ls_told_op (across, e->op, &start_across, &end_across));
            g_autoptr (GArray) pieces = pieces_of (lane, e->op);
            const gint64 flops = flops_of (recording, side, e->op);
            const double ns = end - start, wait = waits_of (lane, start, end),
                         median = pieces->len > 0 ? g_array_index (pieces, double, pieces->len / 2) : 0;
            g_autofree char *starts = ls_number_time (start), *runs = ls_number_time (ns),
                            *n = ls_number_count (pieces->len), *middle = ls_number_time (median),
                            *waited = ls_number_time (wait), *all = ls_number_scaled ((double) flops),
                            *rate = ls_number_text ((double) flops / ns, 3),
                            *gflops = g_strdup_printf ("%s GFLOP/s", rate),
                            *times = ls_number_text ((end_across - start_across) / ns, 2),
                            *times_name = g_strdup_printf ("times %s", across->brief),
                            *earlier_name = g_strdup_printf ("%s done earlier by", across->brief),
                            *later_name = g_strdup_printf ("%s done later by", across->brief),
                            *apart = ls_number_time (fabs (end_across - end));
            const struct {
              const char *name, *value; /* NULL: not told */
              LsEvidence evidence;
            } lines[] = {
              { "starts", starts, LS_EVIDENCE_MEASURED },
              { "runs", runs, LS_EVIDENCE_MEASURED },
              { tiles ? "tiles" : "work-groups", pieces->len > 0 ? n : NULL, LS_EVIDENCE_MEASURED },
              { tiles ? "work-groups" : "tiles", NULL, LS_EVIDENCE_MEASURED },
              { tiles ? "tile, median" : "work-group, median", pieces->len > 1 ? middle : NULL,
                LS_EVIDENCE_MEASURED },
              { tiles ? "work-group, median" : "tile, median", NULL, LS_EVIDENCE_MEASURED },
              { "workers wait, in all", wait > 0 ? waited : NULL, LS_EVIDENCE_MEASURED },
              { "FLOPs", flops > 0 ? all : NULL, LS_EVIDENCE_DERIVED },
              { "rate", flops > 0 ? gflops : NULL, LS_EVIDENCE_DERIVED },
              { times_name, times, LS_EVIDENCE_DERIVED },
              { earlier_name, end_across < end ? apart : NULL, LS_EVIDENCE_DERIVED },
              { later_name, end_across > end ? apart : NULL, LS_EVIDENCE_DERIVED },
              { "other recording", NULL, LS_EVIDENCE_MEASURED },
              { "times the other", NULL, LS_EVIDENCE_DERIVED },
            };
            for (guint k = 0; k < G_N_ELEMENTS (lines); k++)
              {
                gint evidence;
                const char *said = line_of (layout, ((const LsTimeline *) layout->own)->card[side],
                                            lines[k].name, &evidence);
                g_autofree char *plain_said = plain (g_strdup (said)),
                                *wanted = plain (g_strdup (lines[k].value));
                if (g_strcmp0 (plain_said, wanted) != 0)
                  g_error ("%s picked on side %u: on side %u “%s” is “%s”, not “%s”",
                           recording->ops[e->op].symbol, picked, side, lines[k].name, plain_said, wanted);
                if (said != NULL && evidence != (gint) lines[k].evidence)
                  g_error ("on side %u “%s” of %s has the mark of evidence %d", side, lines[k].name,
                           recording->ops[e->op].symbol, evidence);
              }
            ops[side]++;
            earlier += end_across < end;
            later += end_across > end;
            medians += pieces->len > 1;
            waits += wait > 0;
          }
      }
  g_assert_cmpuint (MIN (ops[0], ops[1]), >, 4);
  g_assert_cmpuint (MIN (earlier, later), >, 0);
  g_assert_cmpuint (MIN (medians, waits), >, 4);
}

/* An op's arithmetic is its own and that of all that was done with it; how long it was queued is told of its
 * kernel, not of a copy that it needed before. */
static void
test_op_card (void)
{
  LsFixture fused = ls_fixture_calls;
  fused.fused = TRUE;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fused);
  GArray *events = recording->lanes[1].events;
  guint together = 0, copied = 0;

  for (guint i = 0; i < events->len; i++)
    {
      LsEvent *copy = &g_array_index (events, LsEvent, i), *queued = copy;
      const guint leader = recording->lanes[1].tilings[2].leader;
      if (copy->kind != LS_EVENT_COPY_IN)
        continue;
      while (queued->kind != LS_EVENT_QUEUED)
        queued--;
      queued->op = copy->op = (guint16) leader;
      queued->tile = copy->tile = 4096;
      queued->start_ns -= 700; /* not as long as the kernel was */
      copied++;
    }
  g_assert_cmpuint (copied, >, 0);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i), *queued = NULL;
      LsQuery query = LS_QUERY_INIT;
      gint64 flops = 0;
      guint n = 0;

      if (e->kind != LS_EVENT_KERNEL || recording->lanes[1].tilings[e->op].leader != e->op)
        continue;
      for (guint k = 0; k < recording->n_ops; k++)
        if (recording->lanes[1].tilings[k].leader == e->op)
          {
            flops += recording->ops[k].flops;
            n += recording->ops[k].flops > 0;
          }
      for (guint k = 0; k < events->len && queued == NULL; k++)
        {
          const LsEvent *q = &g_array_index (events, LsEvent, k);
          if (q->kind == LS_EVENT_QUEUED && q->op == e->op && q->tile == e->tile)
            queued = q;
        }
      query.picked = (LsPick){ 1, i };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
      ls_layout_move (layout, &query);
      g_autofree char *all = ls_number_scaled ((double) flops),
                      *before = queued ? ls_number_time ((double) (queued->end_ns - queued->start_ns)) : NULL;
      gint evidence;
      const LsArea card = ((const LsTimeline *) layout->own)->card[1];
      const char *said = line_of (layout, card, "FLOPs", &evidence),
                 *waited = line_of (layout, card, "queued before", &evidence);
      if (g_strcmp0 (said, flops > 0 ? all : NULL) != 0)
        g_error ("%s does %s FLOPs, and “%s” is said", recording->ops[e->op].symbol, all, said);
      if (before != NULL && g_strcmp0 (waited, before) != 0)
        g_error ("the kernel of %s was queued for %s, and “%s” is said", recording->ops[e->op].symbol, before,
                 waited);
      together += n > 1;
    }
  g_assert_cmpuint (together, >, 0);
}

/* ---- how its pieces spread ---- */

/* The boxes of a card that were measured, which are the bars; and the texts under them. */
static guint
bars_of (const LsLayout *layout, LsArea card, const LsItem **bars, guint most, const LsItem **low,
         const LsItem **high)
{
  const LsScene *s = layout->moving;
  guint n = 0;

  *low = *high = NULL;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);

      if (!ls_area_has (card, (double) item->x, (double) item->y))
        continue;
      if (item->kind == LS_ITEM_BOX && item->evidence == LS_EVIDENCE_MEASURED)
        {
          g_assert_cmpuint (n, <, most);
          bars[n++] = item;
        }
      else if (item->kind == LS_ITEM_TEXT && n > 0)
        *(item->align == LS_LEFT ? low : high) = item;
    }
  return n;
}

/* From eight pieces on that don't all take as long: a bar for each fortieth of the way from the shortest time
 * to the longest that some take, as high as they are many, between those two times. */
static void
test_spread (void)
{
  guint seen[2] = { 0 };

  for (guint many = 0; many < 2; many++)
    for (guint alike = 0; alike < 2; alike++)
      {
        LsFixture f = ls_fixture_calls;
        f.tiles = f.groups = many ? 64 : 7;
        f.fused = FALSE;
        g_autoptr (LsRecording) recording = ls_fixture_recording (&f);

        for (guint l = 0; l < 2; l++)
          {
            guint n[64] = { 0 };
            for (guint i = 0; i < recording->lanes[l].events->len; i++)
              {
                LsEvent *e = &g_array_index (recording->lanes[l].events, LsEvent, i);
                if ((e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP) || e->op >= G_N_ELEMENTS (n))
                  continue;
                e->end_ns = e->start_ns + (alike || n[e->op] > 1 ? 1000 : n[e->op] == 1 ? 2000 : 3000);
                n[e->op]++;
              }
          }
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        for (guint i = 0; i < recording->lanes[0].events->len; i++)
          {
            const LsEvent *e = &g_array_index (recording->lanes[0].events, LsEvent, i);
            LsQuery query = LS_QUERY_INIT;

            if (e->kind != LS_EVENT_OP)
              continue;
            query.picked = (LsPick){ 0, i };
            g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560,
                                                     1440);
            ls_layout_move (layout, &query);
            for (guint side = 0; side < LS_SIDES; side++)
              {
                const LsArea card = ((const LsTimeline *) layout->own)->card[side];
                const LsItem *bars[41], *low, *high;
                g_autoptr (GArray) pieces = pieces_of (&data->sides[side], e->op);
                const guint n = bars_of (layout, card, bars, G_N_ELEMENTS (bars), &low, &high);
                const gboolean spread = pieces->len >= 8 && !alike;
                const double w = card.w - 28;

                if (n != (spread ? 3 : 0))
                  g_error ("%u pieces of %s, of %s times, spread over %u bars", pieces->len,
                           recording->ops[e->op].symbol, alike ? "the same" : "three", n);
                seen[spread]++;
                if (!spread)
                  continue;
                const double at[] = { 0, 20, 39 };
                for (guint k = 0; k < 3; k++)
                  {
                    const double tall = k == 0 ? 1 : 1. / (pieces->len - 2.);
                    if (fabs ((double) bars[k]->x - (card.x + 14 + w * at[k] / 40)) > .5)
                      g_error ("bar %u of the times of %s is at %g of 40", k, recording->ops[e->op].symbol,
                               40 * ((double) bars[k]->x - card.x - 14) / w);
                    if (fabs ((double) bars[k]->h - MAX (2, tall * (double) bars[0]->h)) > .1)
                      g_error ("bar %u of %s is %g px high, the highest is %g, of %u pieces", k,
                               recording->ops[e->op].symbol, (double) bars[k]->h, (double) bars[0]->h,
                               pieces->len);
                    g_assert_cmpfloat_with_epsilon ((double) (bars[k]->y + bars[k]->h),
                                                    (double) (bars[0]->y + bars[0]->h), .1);
                    g_assert_cmpuint ((guint) bars[k]->value, ==, side);
                  }
                g_assert_nonnull (low);
                g_assert_nonnull (high);
                g_autofree char *said_low = plain (g_strdup (low->text)),
                                *said_high = plain (g_strdup (high->text));
                g_assert_cmpstr (said_low, ==, "1.00");
                g_assert_cmpstr (said_high, ==, "3.00 µs");
                gboolean told = FALSE;
                for (guint k = 0; k < layout->moving->items->len; k++)
                  {
                    const LsItem *item = ls_scene_get (layout->moving, k);
                    told |= item->kind == LS_ITEM_TEXT
                            && ls_area_has (card, (double) item->x, (double) item->y)
                            && g_str_equal (item->text,
                                            side == 0 ? "times of its tiles" : "times of its work-groups");
                  }
                g_assert_true (told);
              }
          }
      }
  g_assert_cmpuint (MIN (seen[0], seen[1]), >, 4);
}

/* ---- a low card ---- */

/* However low a card is, nothing of it is below its foot, and what has no room is left out from the end. */
static void
test_low (void)
{
  static const char *const names[] = { "one", "two", "three", "four", "five", "six" };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
  const LsTimeline *t = layout->own;
  guint whole = 0, cut = 0;

  for (double h = 60; h <= 500; h += 10)
    {
      const LsArea area = { 100, 100, 260, h };
      gboolean left_out = FALSE;
      double foot = 0;
      guint n = 0;

      ls_scene_clear (layout->moving);
      LsCard card = ls_card_open (layout, &t->lanes[0], area, "a title", "about it");
      ls_card_why (&card, "because of a sentence that is so long that a narrow card needs many lines for it, "
                          "and then more of them, until there is no room for the last words of it");
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        ls_card_line (&card, LS_EVIDENCE_MEASURED, names[i], g_strdup ("1"));
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          if (item->kind == LS_ITEM_TEXT)
            foot = MAX (foot, (double) item->y);
          if (item->kind == LS_ITEM_TEXT
              && ((double) item->y > area.y + area.h - 8 + .1 || ls_item_right (item) > area.x + area.w))
            g_error ("“%s” is %g px below the top of a card that is %g px high", item->text,
                     (double) item->y - area.y, h);
        }
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          gint evidence;
          const gboolean said = line_of (layout, area, names[i], &evidence) != NULL;
          if (said && left_out)
            g_error ("in a card of %g px “%s” is said, and what is before it isn’t", h, names[i]);
          left_out |= !said;
          n += said;
        }
      if (left_out && foot + 3 * layout->m.body.px < area.y + area.h - 8)
        g_error ("a card of %g px ends at %g px, and lines are left out", h, foot - area.y);
      whole += n == G_N_ELEMENTS (names);
      cut += n < G_N_ELEMENTS (names);
    }
  g_assert_cmpuint (MIN (whole, cut), >, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-op-card/lines", test_lines);
  g_test_add_func ("/paint/timeline-op-card/fused", test_op_card);
  g_test_add_func ("/paint/timeline-op-card/spread", test_spread);
  g_test_add_func ("/paint/timeline-op-card/low", test_low);
  return g_test_run ();
}
