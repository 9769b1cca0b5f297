/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roofline's numbers against the plain formulas: what an op's intensity, rate and share are, what it is bound
 * by, and where that puts its ring.
 */
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"

#include <glib/gstdio.h>
#include <math.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

/* Of a machine that computes `flops` a second, from memory so many bytes a second. */
static void
set_roofs (LsRecording *recording, guint lane, double flops, double memory, double local)
{
  const double values[] = { flops, memory, local };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    recording->lanes[lane].device->roofs[i] = (LsFigure){ .value = values[i],
                                                          .q1 = values[i],
                                                          .q3 = values[i],
                                                          .n = 7,
                                                          .unit = ls_roof_unit ((LsRoof) i),
                                                          .evidence = LS_EVIDENCE_MEASURED };
}

static double
bytes_of (const LsRecording *recording, guint shape)
{
  double n = 4;

  for (guint i = 0; i < recording->shapes[shape].rank; i++)
    n *= (double) recording->shapes[shape].shape[i];
  return n;
}

static void
test_alone (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsViewLane *lane = &data->sides[0];
  guint without;
  g_autoptr (GArray) ops = ls_roofline_ops (data->recording, lane, &without);
  double shares = 0;

  g_assert_cmpuint (ops->len, >, 4);
  for (guint i = 0; i < ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, i);
      const LsRecordedOp *recorded = &data->recording->ops[op->op];
      const LsOpTrace *trace = &lane->index->ops[op->op];
      const double ns = (double) (trace->end_ns - trace->start_ns);

      shares += op->share;
      g_assert_cmpfloat_with_epsilon (op->share, ns / (double) lane->index->length_ns, 1e-12);
      g_assert_cmpint (op->bound, ==, LS_BOUND_UNKNOWN);
      if (op->n > 1)
        continue;
      g_assert_cmpfloat_with_epsilon (op->intensity, (double) recorded->flops / (double) recorded->bytes,
                                      1e-9);
      g_assert_cmpfloat_with_epsilon (op->rate, (double) recorded->flops / (ns * 1e-9), 1);
    }
  g_assert_cmpfloat (shares, <=, 1 + 1e-9);
  g_assert_true (ls_roofline_find (ops, lane, data->recording->n_ops) == NULL);
}

/* Z = X·Wᵀ, then H = relu(Z) in the same go: Z is written, and not read again. */
static void
test_fused (void)
{
  const LsFixture f
    = { .batch = 64, .workers = 2, .tiles = 16, .groups = 32, .units = 2, .fused = TRUE, .steps = 60 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsRecording *recording = data->recording;
  const LsViewLane *lane = &data->sides[0];
  g_autoptr (GArray) ops = ls_roofline_ops (recording, lane, NULL);
  guint groups = 0;

  for (guint i = 0; i < ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, i);
      double flops = 0, bytes = 0;
      guint n = 0;

      for (guint k = 0; k < recording->n_ops; k++)
        {
          const LsRecordedOp *own = &recording->ops[k];
          if (lane->recorded->tilings[k].leader != op->op)
            continue;
          n++;
          flops += (double) own->flops;
          bytes += (double) own->bytes;
          for (guint in = 0; in < own->n_in; in++)
            for (guint maker = op->op; maker < k; maker++)
              for (guint out = 0; out < recording->ops[maker].n_out; out++)
                if (recording->ops[maker].out[out] == own->in[in]
                    && lane->recorded->tilings[maker].leader == op->op)
                  bytes -= bytes_of (recording, own->in[in]);
          if (k != op->op)
            g_assert_true (ls_roofline_find (ops, lane, k) == op);
        }
      g_assert_cmpuint (op->n, ==, n);
      g_assert_cmpfloat_with_epsilon (op->flops, flops, .5);
      g_assert_cmpfloat_with_epsilon (op->bytes, bytes, .5);
      groups += n > 1;
    }
  g_assert_cmpuint (groups, >, 0);
}

static void
test_bound (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  const LsViewLane *lane = &data->sides[0];
  LsRoofOp op;

  {
    g_autoptr (GArray) ops = ls_roofline_ops (recording, lane, NULL);
    op = g_array_index (ops, LsRoofOp, 1);
  }
  const struct {
    double flops, memory; /* times what the op did */
    LsBound bound;
    double of_roof;
  } rows[] = { { 4, 100, LS_BOUND_COMPUTE, .25 }, { 100, 2, LS_BOUND_MEMORY, .5 },
               { 2, 2, LS_BOUND_COMPUTE, .5 },    { 10, .5, LS_BOUND_CACHE, 2 },
               { .8, 10, LS_BOUND_ABOVE, 1.25 },  { .8, .1, LS_BOUND_ABOVE, 10 } };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) ops = NULL;
      LsRoofs roofs;
      const LsRoofOp *now;

      set_roofs (recording, 0, rows[i].flops * op.rate, rows[i].memory * op.rate / op.intensity, 0);
      ops = ls_roofline_ops (recording, lane, NULL);
      now = ls_roofline_find (ops, lane, op.op);
      g_assert_cmpint (now->bound, ==, rows[i].bound);
      g_assert_cmpfloat_with_epsilon (now->of_roof, rows[i].of_roof, 1e-9);
      ls_roofline_roofs (lane, &roofs);
      g_assert_cmpfloat_with_epsilon (ls_roofline_limit (&roofs, op.intensity) / op.rate,
                                      MIN (rows[i].flops, rows[i].memory), 1e-9);
    }
  /* one that wasn't measured is no roof */
  recording->lanes[0].device->roofs[LS_ROOF_MEMORY].n = 0;
  g_autoptr (GArray) ops = ls_roofline_ops (recording, lane, NULL);
  g_assert_cmpint (ls_roofline_find (ops, lane, op.op)->bound, ==, LS_BOUND_UNKNOWN);
}

/* The centre of the ring of that op of a lane; its diameter. */
static double
find_ring (const LsLayout *layout, guint side, guint nth, double *x, double *y)
{
  const LsScene *s = layout->still;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_RINGS || (guint) item->value != side || nth-- > 0)
        continue;
      *x = (double) g_array_index (s->points, float, 2 * item->points);
      *y = (double) g_array_index (s->points, float, 2 * item->points + 1);
      g_assert_cmpint (item->evidence, ==, LS_EVIDENCE_DERIVED);
      return (double) item->size;
    }
  g_error ("lane %u has no such ring", side);
}

/* Rings stand where their numbers are on the axes, and both lanes' axes are the same. */
static void
test_places (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  double first[2][2], places[LS_SIDES][2];

  set_roofs (recording, 0, 400e9, 40e9, 400e9);
  set_roofs (recording, 1, 300e9, 80e9, 900e9);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (GArray) ops = ls_roofline_ops (recording, &data->sides[side], NULL);
      double x0 = 0, y0 = 0, size0 = 0;

      for (guint i = 0; i < ops->len; i++)
        {
          const LsRoofOp *op = &g_array_index (ops, LsRoofOp, i), *zero = &g_array_index (ops, LsRoofOp, 0);
          double x, y;
          const double size = find_ring (layout, side, i, &x, &y);

          if (i == 0)
            {
              x0 = x;
              y0 = y;
              size0 = size;
              continue;
            }
          /* right is more FLOP for each byte, up is faster */
          if (fabs (log (op->intensity / zero->intensity)) > .01)
            g_assert_cmpfloat ((x - x0) * log (op->intensity / zero->intensity), >, 0);
          if (fabs (log (op->rate / zero->rate)) > .01)
            g_assert_cmpfloat ((y - y0) * log (op->rate / zero->rate), <, 0);
          if (op->share > .02 && zero->share > .02)
            g_assert_cmpfloat_with_epsilon (size * size / (size0 * size0), op->share / zero->share, 1e-3);
        }
      /* how far apart a factor of e is, along and up */
      const LsRoofOp *a = &g_array_index (ops, LsRoofOp, 0), *b = NULL;
      for (guint i = 1; i < ops->len && b == NULL; i++)
        {
          const LsRoofOp *op = &g_array_index (ops, LsRoofOp, i);
          double x, y;
          if (fabs (log (op->intensity / a->intensity)) < 1 || fabs (log (op->rate / a->rate)) < 1)
            continue;
          b = op;
          find_ring (layout, side, i, &x, &y);
          first[side][0] = (x - x0) / log (b->intensity / a->intensity);
          first[side][1] = (y0 - y) / log (b->rate / a->rate);
          places[side][0] = x0 - first[side][0] * log (a->intensity);
          places[side][1] = y0 + first[side][1] * log (a->rate);
        }
      g_assert_nonnull (b);
    }
  g_assert_cmpfloat_with_epsilon (first[0][0], first[1][0], .01);
  g_assert_cmpfloat_with_epsilon (first[0][1], first[1][1], .01);
  g_assert_cmpfloat_with_epsilon (places[0][1], places[1][1], .5);
  g_assert_cmpfloat_with_epsilon (
    places[1][0] - places[0][0],
    (layout->width - 2 * layout->m.margin - layout->m.gutter) / 2 + layout->m.gutter, .5);
  g_assert_true (says (layout->still, "400 GFLOP/s") && says (layout->still, "300 GFLOP/s"));
  g_assert_true (says (layout->still, "memory 40.0 GB/s") && says (layout->still, "memory 80.0 GB/s"));
  /* loads from local memory are no roof over bytes from memory */
  g_assert_true (says (layout->still, "L1 400 GB/s"));
  g_assert_false (says (layout->still, "900"));
}

/* The op at the clock's hand is told, in both lanes, with what it is bound by. */
static void
test_words (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autofree char *expected = NULL, *text = NULL;
  LsQuery query = LS_QUERY_INIT;

  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  query.op = 1;
  {
    g_autoptr (GArray) ops = ls_roofline_ops (recording, &data->sides[0], NULL);
    const LsRoofOp *op = ls_roofline_find (ops, &data->sides[0], 1);
    set_roofs (recording, 0, 1000 * op->rate, 4 * op->rate / op->intensity, 0);
    expected = g_strdup_printf ("%s: ", recording->ops[op->op].equation);
  }
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  g_assert_true (says (layout->moving, expected));
  g_assert_true (says (layout->moving, "25 % of what memory allows"));
  g_assert_true (says (layout->still, "recorded without this device’s roofs")); /* the other lane */
  text = ls_layout_describe (layout);
  g_assert_nonnull (strstr (text, "GB/s from memory"));
  g_assert_nonnull (strstr (text, "The longest op is"));
}

/* Held against another recording, each op that both have has a wedge from where it was. */
static void
test_before (void)
{
  LsFixture slower = ls_fixture_cores;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores), then = NULL;
  LsQuery query = LS_QUERY_INIT;
  guint wedges = 0, moved = 0;

  slower.batch /= 4;
  then = ls_fixture_recording (&slower);
  g_autoptr (LsViewData) other = ls_view_data_from_recording (then, NULL);
  const LsViewBeside beside = { .other = other };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
  query.op = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_AREA || item->n_points != 3 || item->evidence != LS_EVIDENCE_DERIVED)
        continue;
      /* it ends where a ring is */
      const float *at = &g_array_index (layout->still->points, float, 2 * item->points);
      double x, y, nearest = HUGE_VAL;
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *ring = ls_scene_get (layout->still, k);
          if (ring->kind != LS_ITEM_RINGS)
            continue;
          x = (double) g_array_index (layout->still->points, float, 2 * ring->points);
          y = (double) g_array_index (layout->still->points, float, 2 * ring->points + 1);
          nearest = MIN (nearest, hypot (x - ((double) at[2] + (double) at[4]) / 2,
                                         y - ((double) at[3] + (double) at[5]) / 2));
        }
      g_assert_cmpfloat (nearest, <, .5);
      wedges++;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (GArray) now = ls_roofline_ops (recording, &data->sides[side], NULL),
                         before = ls_roofline_ops (then, &other->sides[side], NULL);
      g_assert_cmpuint (now->len, ==, before->len);
      for (guint i = 0; i < now->len; i++)
        moved += fabs (log (g_array_index (now, LsRoofOp, i).intensity
                            / g_array_index (before, LsRoofOp, i).intensity))
                 > .5;
    }
  g_assert_cmpuint (moved, >, 0);
  g_assert_cmpuint (wedges, >=, moved);
  g_assert_true (says (layout->moving, "; in the other recording "));
  check_layout (layout, "held against another");
  end_faults ();
}

/* All of a device's limits come back from a file. */
static void
test_kept (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores), again = NULL;
  g_autofree char *folder = g_dir_make_tmp ("roofline-XXXXXX", NULL),
                  *path = g_build_filename (folder, "r", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < LS_ROOF_N; i++)
    recording->lanes[0].device->roofs[i]
      = (LsFigure){ .value = 1e9 * (i + 1), .q1 = 1e8, .q3 = 2e9, .n = 3 + i };
  g_assert_true (ls_recording_save (recording, path, &error));
  again = ls_recording_load (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < LS_ROOF_N; i++)
    {
      const LsFigure *roof = &again->lanes[0].device->roofs[i];
      g_assert_cmpfloat (roof->value, ==, 1e9 * (i + 1));
      g_assert_cmpuint (roof->n, ==, 3 + i);
      g_assert_cmpstr (roof->unit, ==,
                       i == LS_ROOF_FLOPS || i == LS_ROOF_ONE || i == LS_ROOF_GEMM ? "FLOP/s"
                       : i == LS_ROOF_LAUNCH                                       ? "1/s"
                                                                                   : "B/s");
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* Any numbers in a file: the largest, none, times without length; roofs of nothing and without end. */
static void
test_odd (void)
{
  static const double most[] = { 0, 1e-300, 1e308 };

  for (guint i = 0; i < G_N_ELEMENTS (most); i++)
    for (guint k = 0; k < 3; k++)
      {
        g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
        LsQuery query = LS_QUERY_INIT;

        for (guint op = 0; op < recording->n_ops; op++)
          {
            recording->ops[op].flops = k == 0 ? G_MAXINT64 : k == 1 ? 0 : (gint64) op;
            recording->ops[op].bytes = k == 0 ? 1 : k == 1 ? G_MAXINT64 : 0;
          }
        set_roofs (recording, 0, most[i], most[(i + 1) % 3], most[(i + 2) % 3]);
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        for (guint size = 0; size < G_N_ELEMENTS (draw_sizes); size++)
          {
            g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT,
                                                     draw_sizes[size][0], draw_sizes[size][1]);
            check_layout (layout, "odd numbers");
          }
      }
  end_faults ();
}

/* The flat roof begins where the steepest slope ends, and every other slope meets it further right. */
static void
test_roofs_meet (void)
{
  static const LsRoof caches[] = { LS_ROOF_LOCAL, LS_ROOF_L2, LS_ROOF_L3 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsViewData) data = NULL;
  LsQuery query = LS_QUERY_INIT;
  double left = INFINITY, flat = INFINITY, top = INFINITY;
  guint slopes = 0;

  set_roofs (recording, 0, 3e11, 2e10, 0);
  for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
    recording->lanes[0].device->roofs[caches[i]]
      = (LsFigure){ .value = 4e11 / (1 << i), .n = 7, .evidence = LS_EVIDENCE_MEASURED };
  data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const float *points = (const float *) (gconstpointer) layout->still->points->data;
  for (guint turn = 0; turn < 2; turn++) /* the flat one's height, then who reaches it */
    for (guint i = 0; i < layout->still->items->len; i++)
      {
        const LsItem *item = ls_scene_get (layout->still, i);
        const float *p = points + 2 * item->points;
        if (item->kind != LS_ITEM_LINE || item->n_points != 2 || p[2] - p[0] < 20)
          continue;
        if (turn == 0 && item->ink == LS_INK_TEXT && p[1] == p[3] && (double) p[1] < top)
          {
            top = (double) p[1];
            flat = (double) p[0];
          }
        if (turn == 1 && p[1] > p[3] + 20 && fabs ((double) p[3] - top) < 1)
          {
            slopes++;
            left = fmin (left, (double) p[2]);
          }
      }
  g_assert_cmpuint (slopes, ==, 4);
  if (fabs (flat - left) > 1)
    g_error ("the steepest slope ends at %.0f, and the flat roof begins at %.0f", left, flat);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofline/alone", test_alone);
  g_test_add_func ("/roofline/fused", test_fused);
  g_test_add_func ("/roofline/bound", test_bound);
  g_test_add_func ("/roofline/places", test_places);
  g_test_add_func ("/roofline/roofs-meet", test_roofs_meet);
  g_test_add_func ("/roofline/words", test_words);
  g_test_add_func ("/roofline/before", test_before);
  g_test_add_func ("/roofline/kept", test_kept);
  g_test_add_func ("/roofline/odd", test_odd);
  return g_test_run ();
}
