/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As test-ops, of the ops of single layers: the reference loops against PyTorch's numbers.
 */
#include <math.h>

#include "loops.h"
#include "ops/dropout.h"

/* x = s (0, 1, 2, 5, 4); y = torch.nn.functional.avg_pool2d (x, 2); y.backward (s (0, *y.shape)): the fifth
 * row is of no window */
static void
test_avgpool2d (void)
{
  static const double expected[] = {
    -0.218563946290793, 0.356997133851353, 0.321267712672836, 0.0242209696029785,
    0.177917694289822,  0.215965666354633, 0.289652611360965, -0.322792313198013,
  };
  static const double gradient[] = {
    0,
    0.210367746201974,
    0.22732435670642,
    0.0352800020149668,
    -0.189200623826982,
    -0.239731068665785,
    -0.0698538745497315,
    0.164246649679697,
  };
  const LsOpTest test = { .in = { { 1, 2, 5, 4 } }, .attr = { .kernel = 2, .stride = 2 } },
                 back = { .in = { { 1, 2, 2, 2 }, { 1, 2, 5, 4 } }, .attr = { .kernel = 2, .stride = 2 } };
  double dx[40] = { 0 };
  LsLoops loops;

  ls_loops_init_single (&loops, "avgpool2d", &test, TRUE);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, expected, G_N_ELEMENTS (expected));
  ls_loops_clear (&loops);

  for (guint i = 0; i < G_N_ELEMENTS (dx); i++)
    if (i % 20 < 16)
      dx[i] = gradient[i / 20 * 4 + i % 20 / 8 * 2 + i % 4 / 2];
  ls_loops_init_single (&loops, "avgpool2d_grad", &back, TRUE);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, dx, G_N_ELEMENTS (dx));
  ls_loops_clear (&loops);
}

/* x = 3 * s (0, 9); y = torch.nn.functional.gelu (x); y.backward (s (1, 9)) */
static void
test_gelu (void)
{
  static const double expected[] = {
    0,
    2.5097850287656,
    2.71919843063258,
    0.281104153881719,
    -0.0263172816002197,
    -0.0057789291748323,
    -0.168442397132018,
    1.92293886398102,
    2.96362750350785,
  };
  static const double gradient[] = {
    -0.272010555444685,  -1.03581169501522,   -0.549004084463882, 0.343865697329174,  -0.0566846695643961,
    -0.0106019757731705, 0.00990304153595136, -1.0463521728143,   -0.760727903568265,
  };
  const LsOpTest test = { .in = { { 9 } } }, back = { .in = { { 9 }, { 9 } } };
  LsLoops loops;

  ls_loops_init_single (&loops, "gelu", &test, TRUE);
  for (gint64 i = 0; i < 9; i++)
    ls_loops_set (&loops, 0, i, 3 * sin ((double) i));
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, expected, G_N_ELEMENTS (expected));
  ls_loops_clear (&loops);

  ls_loops_init_single (&loops, "gelu_grad", &back, TRUE);
  for (gint64 i = 0; i < 9; i++)
    {
      ls_loops_set (&loops, 0, i, sin ((double) i + 10));
      ls_loops_set (&loops, 1, i, 3 * sin ((double) i));
    }
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, gradient, G_N_ELEMENTS (gradient));
  ls_loops_clear (&loops);
}

/* x = s (0, 3, 5); w = s (1, 5); b = s (2, 5); y = torch.nn.functional.layer_norm (x, (5,), w, b);
 * y.backward (s (3, 3, 5)) */
static void
test_layernorm (void)
{
  static const double expected[] = {
    1.11489683679184, -0.168093777771964, -0.607489370079291, -0.905236931297155, -2.49921694532435,
    1.78684145136535, 1.47098510863231,   -0.387229558650681, -0.3501588831735,   -0.554016719810549,
    1.21925395575742, 2.02577345745215,   0.287776195307055,  -0.526529743772406, 0.624046270074065,
  };
  static const double dx[] = {
    0.234431074409106,  0.477809273009452,  -0.629485334295734, 0.119910263788184,  -0.202665276911009,
    -0.550635819320853, 0.61104344086393,   -0.208728992515263, -0.48728881607479,  0.635610187046975,
    -0.605564264115324, 0.0878302690027296, 0.627604464715902,  -0.357574370379047, 0.24770390077574,
  };
  static const double dw[] = { 0.635061962516255, 0.411783040988464, 0.668072603875434, -0.423414686694263,
                               -0.481780990422745 };
  static const double db[] = { -0.671101133109664, -1.55443916757089, -1.00863300003094, 0.464505696188054,
                               1.51057999750953 };
  const LsOpTest test = { .in = { { 3, 5 }, { 5 }, { 5 } } },
                 back = { .in = { { 3, 5 }, { 3, 5 }, { 5 }, { 3 }, { 3 } } },
                 weights = { .in = { { 3, 5 }, { 3, 5 }, { 3 }, { 3 } } };
  LsLoops loops, gradient, of_weights;

  ls_loops_init_single (&loops, "layernorm", &test, TRUE);
  ls_loops_init_single (&gradient, "layernorm_grad", &back, TRUE);
  ls_loops_init_single (&of_weights, "layernorm_dw", &weights, TRUE);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, expected, G_N_ELEMENTS (expected));

  for (gint64 i = 0; i < 15; i++)
    {
      ls_loops_set (&gradient, 0, i, sin ((double) i + 30));
      ls_loops_set (&gradient, 1, i, sin ((double) i));
      ls_loops_set (&of_weights, 0, i, sin ((double) i + 30));
      ls_loops_set (&of_weights, 1, i, sin ((double) i));
    }
  for (gint64 i = 0; i < 5; i++)
    ls_loops_set (&gradient, 2, i, sin ((double) i + 10));
  for (gint64 row = 0; row < 3; row++)
    for (guint k = 1; k <= 2; k++)
      {
        const double value = ls_loops_get (&loops, loops.plan->ops[0].out[k], row);
        ls_loops_set (&gradient, 2 + k, row, value);
        ls_loops_set (&of_weights, 1 + k, row, value);
      }
  ls_loops_run (&gradient, 0, 1);
  ls_loops_run (&of_weights, 0, 1);
  ls_loops_assert_values (&gradient, 0, dx, G_N_ELEMENTS (dx));
  ls_loops_assert_values (&of_weights, 0, dw, G_N_ELEMENTS (dw));
  ls_loops_assert_values (&of_weights, 1, db, G_N_ELEMENTS (db));
  ls_loops_clear (&loops);
  ls_loops_clear (&gradient);
  ls_loops_clear (&of_weights);

  /* a row of equal values is β: 0 times 1/√ε, on any lane */
  ls_loops_init_single (&loops, "layernorm", &test, FALSE);
  for (gint64 i = 0; i < 15; i++)
    ls_loops_set (&loops, 0, i, 1e6);
  ls_loops_run (&loops, 0, 1);
  for (gint64 i = 0; i < 15; i++)
    g_assert_cmpfloat (ls_loops_get (&loops, loops.plan->ops[0].out[0], i), ==,
                       ls_loops_get (&loops, 2, i % 5));
  ls_loops_clear (&loops);
}

/* ---- dropout: PyTorch's own numbers can't be had, its rule can ---- */

#define DROPPED 40000

/* How many elements the step's mask leaves out; each element is X·M, and M 0 or 1/(1 − P). mask: DROPPED, or
 * NULL. */
static guint
dropped (double rate, guint64 seed, guint64 step, guint32 number, float *mask)
{
  const LsOpTest test = { .in = { { 8, DROPPED / 8 } }, .attr = { .rate = rate, .number = number } };
  const float scale = (float) (1 / (1 - rate));
  LsLoops loops;
  guint n = 0;

  ls_loops_init_single (&loops, "dropout", &test, FALSE);
  loops.hyper.seed = seed;
  loops.hyper.step = step;
  ls_loops_run (&loops, 0, 1);
  for (gint64 i = 0; i < DROPPED; i++)
    {
      const float x = (float) ls_loops_get (&loops, 0, i), y = (float) ls_loops_get (&loops, 1, i),
                  m = (float) ls_loops_get (&loops, 2, i);
      g_assert_true (m == 0 || m == scale);
      g_assert_true (y == x * m);
      n += m == 0;
      if (mask != NULL)
        mask[i] = m;
    }
  ls_loops_clear (&loops);
  return n;
}

/* The share that is left out is the one that was asked for, within four standard errors. */
static void
test_dropout_rate (void)
{
  static const double rates[] = { 0.1, 0.25, 0.5, 0.9, 0.999 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    g_assert_cmpfloat (fabs (dropped (rates[i], 1, 1, 0, NULL) - rates[i] * DROPPED), <,
                       4 * sqrt (rates[i] * (1 - rates[i]) * DROPPED));
  g_assert_cmpuint (dropped (0, 1, 1, 0, NULL), ==, 0);
  g_assert_cmpuint (dropped (0.999999, 1, 1, 0, NULL), >, DROPPED - 10);
}

/* Seed (both halves), step and dropout each give another mask; the same ones the same. Of two that are
 * independent with P = ½ half of the elements agree. */
static void
test_dropout_masks (void)
{
  static const struct {
    guint64 seed, step;
    guint32 number;
  } others[] = { { 2, 1, 0 }, { 1 + (G_GUINT64_CONSTANT (1) << 32), 1, 0 }, { 1, 2, 0 }, { 1, 1, 1 } };
  g_autofree float *first = g_new (float, DROPPED), *other = g_new (float, DROPPED);
  guint same = 0;

  dropped (0.5, 1, 1, 0, first);
  dropped (0.5, 1, 1, 0, other);
  g_assert_cmpmem (first, DROPPED * sizeof *first, other, DROPPED * sizeof *other);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++, same = 0)
    {
      dropped (0.5, others[i].seed, others[i].step, others[i].number, other);
      for (guint k = 0; k < DROPPED; k++)
        same += first[k] == other[k];
      g_assert_cmpfloat (fabs (same - 0.5 * DROPPED), <, 4 * sqrt (0.25 * DROPPED));
    }
  /* nor do neighbours, rows or spans know of each other */
  for (guint away = 1; away <= 64; away *= 2, same = 0)
    {
      for (guint k = 0; k + away < DROPPED; k++)
        same += first[k] == first[k + away];
      g_assert_cmpfloat (fabs (same - 0.5 * (DROPPED - away)), <, 4 * sqrt (0.25 * DROPPED));
    }
}

/* The numbers are Philox's, in the order that ops/dropout.h gives: kept to, lest a later version makes other
 * masks. */
static void
test_dropout_numbers (void)
{
  const LsHyper hyper = { .step = 7, .seed = 0x123456789abcdef0 };
  const LsOpAttr attr = { .number = 3 };
  const guint32 key[2] = { 0x9abcdef0, 0x12345678 };

  for (guint32 i = 0; i < 200; i++)
    {
      const guint32 counter[4] = { i / 64 * 16 + i % 16, 7, 3, 6 };
      guint32 out[4];
      ls_philox (counter, key, out);
      g_assert_cmpuint (ls_dropout_number (&hyper, &attr, i), ==, out[i % 64 / 16]);
    }
}

/* Outside of training everything passes, and what follows a dropout sees the same. */
static void
test_dropout_off (void)
{
  const LsOpTest test = { .in = { { 3, 67 } }, .attr = { .rate = 0.75 } };
  LsLoops loops;

  ls_loops_init_single (&loops, "dropout", &test, TRUE);
  loops.hyper.step = 0;
  ls_loops_run (&loops, 0, 1);
  for (gint64 i = 0; i < 3 * 67; i++)
    {
      g_assert_cmpfloat (ls_loops_get (&loops, 1, i), ==, ls_loops_get (&loops, 0, i));
      g_assert_cmpfloat (ls_loops_get (&loops, 2, i), ==, 1);
    }
  ls_loops_clear (&loops);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/avgpool2d", test_avgpool2d);
  g_test_add_func ("/ops/gelu", test_gelu);
  g_test_add_func ("/ops/layernorm", test_layernorm);
  g_test_add_func ("/ops/dropout/rate", test_dropout_rate);
  g_test_add_func ("/ops/dropout/masks", test_dropout_masks);
  g_test_add_func ("/ops/dropout/numbers", test_dropout_numbers);
  g_test_add_func ("/ops/dropout/off", test_dropout_off);
  return g_test_run ();
}
