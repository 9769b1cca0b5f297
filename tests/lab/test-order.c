/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which the spots of an experiment with two sizes are measured: a coarse lattice by the work of
 * a step, which grows with the batch and with the square of the width, and then where the lanes are expected
 * to be closest to equal.
 */
#include "config.h"

#include "lab/order.h"
#include "rig.h"

/* Two lanes have been there, and the second is that many times as fast; 0: none has a point. */
static void
tried (LsLabResult *result, LsLabSpot spot, double times)
{
  for (guint lane = 0; lane < 2 && times > 0; lane++)
    {
      const double rate = lane == 0 ? 1e6 : 1e6 * times;
      const LsLabPoint point
        = { spot.x, spot.y, { rate, "samples/s", LS_EVIDENCE_MEASURED, 5, rate, rate }, { 0 } };

      g_assert_true (ls_lab_result_add (result, lane, &point));
    }
  g_array_append_val (result->tried, spot);
}

static LsLabResult *
new_result (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  g_autoptr (GError) error = NULL;
  LsLabResult *result = ls_lab_result_new (&ls_experiment_crossover, options, &error);

  g_assert_no_error (error);
  result->rounds = 3;
  return result;
}

static GArray *
spots_of (const guint *xs, guint n_x, const guint *ys, guint n_y)
{
  GArray *spots = g_array_new (FALSE, FALSE, sizeof (LsLabSpot));

  for (guint i = 0; i < n_x; i++)
    for (guint j = 0; j < n_y; j++)
      {
        const LsLabSpot spot = { xs[i], ys[j] };
        g_array_append_val (spots, spot);
      }
  return spots;
}

static void
expect (const LsLabResult *result, const GArray *spots, const LsLabSpot *own, LsLabSpot expected)
{
  LsLabSpot next = { 0 };

  if (!ls_lab_next (result, spots, own, 1e9, &next))
    g_error ("after %u spots none is left, not batch %u, width %u", result->tried->len, expected.x,
             expected.y);
  if (next.x != expected.x || next.y != expected.y)
    g_error ("after %u spots batch %u, width %u comes next, not batch %u, width %u", result->tried->len,
             next.x, next.y, expected.x, expected.y);
}

/* Of up to four sizes each all are coarse: batch × width², by which a wide network waits for large batches.
 */
static void
test_by_work (void)
{
  static const guint xs[] = { 8, 16, 64, 256 }, ys[] = { 16, 48, 128 };
  static const LsLabSpot order[] = { { 8, 16 },   { 16, 16 },  { 64, 16 },  { 8, 48 },
                                     { 16, 48 },  { 256, 16 }, { 8, 128 },  { 64, 48 },
                                     { 16, 128 }, { 256, 48 }, { 64, 128 }, { 256, 128 } };
  g_autoptr (LsLabResult) result = new_result ();
  g_autoptr (GArray) spots = spots_of (xs, G_N_ELEMENTS (xs), ys, G_N_ELEMENTS (ys));
  LsLabSpot next;

  g_assert_cmpuint (spots->len, ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      expect (result, spots, NULL, order[i]);
      tried (result, order[i], 0);
    }
  g_assert_false (ls_lab_next (result, spots, NULL, 1e9, &next));
}

/* Of seven sizes every other one is coarse, and so is the network's own; what is left goes by how close to
 * equal the lanes are expected to be, from what was measured nearest. */
static void
test_then_where_equal (void)
{
  static const guint xs[] = { 1, 2, 4, 8, 16, 32, 64 }, ys[] = { 32 };
  static const LsLabSpot own = { 32, 32 };
  static const struct {
    guint x;
    double times; /* as fast is the second lane */
  } orders[][7] = {
    { { 1, .125 },
      { 4, .25 },
      { 16, .9 },
      { 32, 2 },
      { 64, 4 }, /* coarse, and the network's own */
      { 8, .5 }, /* between a quarter and nearly equal */
      { 2, .2 } },
    { { 1, 1.22 },
      { 4, 1.22 },
      { 16, 1.82 },
      { 32, .135 },
      { 64, .135 },
      { 2, 1.22 }, /* nearer to equal than 8's neighbours, which those behind them don't outweigh */
      { 8, 1.5 } },
  };

  for (guint k = 0; k < G_N_ELEMENTS (orders); k++)
    {
      g_autoptr (LsLabResult) result = new_result ();
      g_autoptr (GArray) spots = spots_of (xs, G_N_ELEMENTS (xs), ys, 1);
      LsLabSpot next;

      for (guint i = 0; i < G_N_ELEMENTS (orders[k]); i++)
        {
          const LsLabSpot spot = { orders[k][i].x, ys[0] };

          g_assert_false (ls_lab_next (result, spots, &own, 0, &next)); /* no time is left */
          expect (result, spots, &own, spot);
          tried (result, spot, orders[k][i].times);
        }
      g_assert_false (ls_lab_next (result, spots, &own, 1e9, &next));
    }
}

/* Spots of another run's batch lie between two of the axis: the one that they are nearest to is measured like
 * any other. */
static void
test_beside_the_axis (void)
{
  static const guint xs[] = { 1, 2, 4, 8, 16, 32, 64 }, ys[] = { 32 };
  g_autoptr (LsLabResult) result = new_result ();
  g_autoptr (GArray) spots = spots_of (xs, G_N_ELEMENTS (xs), ys, 1);
  LsLabSpot next;

  tried (result, (LsLabSpot){ 6, 32 }, 1.5);
  for (guint i = 0; i < G_N_ELEMENTS (xs); i++)
    {
      if (!ls_lab_next (result, spots, NULL, 1e9, &next))
        g_error ("batch 6 was measured before, and now %u of %u others are left out",
                 (guint) G_N_ELEMENTS (xs) - i, (guint) G_N_ELEMENTS (xs));
      g_assert_false (ls_lab_result_tried (result, next));
      tried (result, next, 1.5);
    }
  g_assert_false (ls_lab_next (result, spots, NULL, 1e9, &next));
}

/* Of an axis both ends are coarse, and two between them as near to thirds of the way as sizes are. */
static void
test_lattice (void)
{
  static const struct {
    guint n;
    guint coarse[5]; /* places; 0 at last: no more */
  } rows[] = { { 1, { 0 } },           { 2, { 0, 1 } },         { 3, { 0, 1, 2 } },     { 4, { 0, 1, 2, 3 } },
               { 5, { 0, 1, 3, 4 } },  { 6, { 0, 2, 3, 5 } },   { 8, { 0, 2, 5, 7 } },  { 9, { 0, 3, 5, 8 } },
               { 10, { 0, 3, 6, 9 } }, { 12, { 0, 4, 7, 11 } }, { 13, { 0, 4, 8, 12 } } };
  static const guint one[] = { 32 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint up = 0; up < 2; up++)
      {
        g_autoptr (LsLabResult) result = new_result ();
        g_autoptr (GArray) spots = NULL;
        guint sizes[16];

        for (guint k = 0; k < rows[i].n; k++)
          sizes[k] = 1 << k;
        spots = up ? spots_of (one, 1, sizes, rows[i].n) : spots_of (sizes, rows[i].n, one, 1);
        for (guint k = 0; k == 0 || rows[i].coarse[k] > 0; k++)
          {
            const guint size = sizes[rows[i].coarse[k]];
            const LsLabSpot spot = up ? (LsLabSpot){ 32, size } : (LsLabSpot){ size, 32 };

            expect (result, spots, NULL, spot);
            tried (result, spot, k == 0 ? 1 : 0); /* both as fast: what is left lies beside the first */
          }
      }
}

/* What was measured between two sizes of the axis counts for the next larger one as half a step away does,
 * four times as much as a neighbour. */
static void
test_between (void)
{
  static const guint xs[] = { 1, 2, 4, 8, 16, 32, 64 }, ys[] = { 32 };
  static const struct {
    guint x;
    double times;
  } before[] = { { 1, 4 }, { 4, 4 }, { 16, 4 }, { 64, 1 }, { 7, 1.19 } };
  g_autoptr (LsLabResult) result = new_result ();
  g_autoptr (GArray) spots = spots_of (xs, G_N_ELEMENTS (xs), ys, 1);

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    tried (result, (LsLabSpot){ before[i].x, 32 }, before[i].times);
  expect (result, spots, NULL, (LsLabSpot){ 8, 32 }); /* about 2^.45; at 32 about 2^1 */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-order/by-work", test_by_work);
  g_test_add_func ("/lab-order/then-where-equal", test_then_where_equal);
  g_test_add_func ("/lab-order/beside-the-axis", test_beside_the_axis);
  g_test_add_func ("/lab-order/lattice", test_lattice);
  g_test_add_func ("/lab-order/between", test_between);
  return g_test_run ();
}
