/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiments with two sizes: which spots, in which order, on devices of which all is known: each step costs
 * a fixed time and so much for each sample and unit. What is measured with little time lies along the line
 * where both are equal, and the line is found where it truly is. And their results as files.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "lab/crossover.h"
#include "lab/order.h"
#include "rig.h"

typedef struct {
  double fixed_us, each_us; /* a step; a sample of a network one unit wide */
} Device;

static double
step_us (const Device *device, LsLabSpot spot)
{
  return device->fixed_us + device->each_us * spot.x * spot.y;
}

static void
add (LsLabResult *result, guint lane, LsLabSpot spot, double rate)
{
  const LsLabPoint point
    = { spot.x, spot.y, { rate, "samples/s", LS_EVIDENCE_MEASURED, 5, rate, rate }, { 0 } };

  g_assert_true (ls_lab_result_add (result, lane, &point));
}

/* As lab.c does it, with a clock that only steps and a fixed time a spot move. Returns how long it took, s.
 */
static double
measure (LsLabResult *result, const GArray *spots, const LsLabSpot *own, const Device *devices,
         double seconds)
{
  double passed = 0;
  LsLabSpot spot;

  while (ls_lab_next (result, spots, own, seconds - passed, &spot))
    {
      double spent = .3;

      g_assert_false (ls_lab_result_tried (result, spot));
      for (guint lane = 0; lane < 2; lane++)
        {
          const double us = step_us (&devices[lane], spot);
          add (result, lane, spot, 1e6 * spot.x / us);
          spent += 2 * result->rounds * us / 1e6;
        }
      g_array_append_val (result->tried, spot);
      passed += spent;
    }
  return passed;
}

static LsLabResult *
new_map (const char *lanes, GArray **spots)
{
  g_autoptr (LsOptions) options = rig_options (lanes);
  LsLabResult *result = ls_lab_result_new (&ls_experiment_crossover, options, NULL);

  *spots = ls_experiment_spots (&ls_experiment_crossover, options, NULL, 0);
  result->n_sizes = (*spots)->len;
  result->rounds = 3;
  result->seconds = 20;
  return result;
}

/* A fixed cost of a launch on one, a better rate: the line is the hyperbola x·y = cost/(difference). */
static const Device cpu = { 20, .004 }, device = { 200, .001 };

/* All that lies on the true side was measured on it; of the spots beside the line most were measured, with
 * time for a third of them all. */
static void
test_line (void)
{
  const Device devices[] = { cpu, device };
  const double line = (device.fixed_us - cpu.fixed_us) / (cpu.each_us - device.each_us);
  g_autoptr (GArray) spots = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
  const LsLabSpot own = { 128, 256 };
  guint beside = 0, measured_beside = 0;

  measure (result, spots, &own, devices, .3 * spots->len / 2);
  g_test_message ("%u of %u spots", result->tried->len, spots->len);
  g_assert_cmpuint (result->tried->len, <, spots->len * 3 / 4);
  g_assert_true (ls_lab_result_tried (result, own));
  for (guint i = 0; i < spots->len; i++)
    {
      const LsLabSpot spot = g_array_index (spots, LsLabSpot, i);
      const double apart = log2 ((double) spot.x * spot.y / line);
      double log_ratio;

      if (ls_lab_log_ratio (result, spot, &log_ratio))
        g_assert_true ((log_ratio > 0) == (apart > 0));
      if (fabs (apart) > 1)
        continue;
      beside++;
      measured_beside += ls_lab_result_tried (result, spot);
    }
  g_assert_cmpuint (beside, >, 8);
  g_test_message ("%u of %u spots beside the line", measured_beside, beside);
  g_assert_cmpuint (measured_beside, >=, beside * 9 / 10);
}

/* A spot whose step is longer than the time that is left isn't begun, so that the end comes when it is due.
 */
static void
test_time (void)
{
  const Device slow[] = { { 50, 2 }, { 500, 1 } }; /* the largest step: 16 s */
  g_autoptr (GArray) spots = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
  const double spent = measure (result, spots, NULL, slow, 20);

  g_test_message ("%.1f s for %u spots", spent, result->tried->len);
  g_assert_cmpfloat (spent, <, 24);
  g_assert_cmpuint (result->tried->len, >, 20);
  g_assert_false (ls_lab_result_tried (result, (LsLabSpot){ 2048, 4096 }));
}

/* With time enough, all. */
static void
test_all (void)
{
  const Device devices[] = { cpu, device };
  g_autoptr (GArray) spots = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);

  measure (result, spots, NULL, devices, 1e6);
  g_assert_cmpuint (result->tried->len, ==, spots->len);
  g_assert_true (ls_lab_result_whole (result));
}

/* What a spot would take is worked out from the nearest one that was measured: twice as large a batch takes
 * twice, twice as wide a network four times as long, a smaller one no less; two steps of each lane in each of
 * its turns. What takes longer than a quarter of the time left isn't begun with, and what takes longer than
 * all of it never. */
static void
test_costs (void)
{
  static const struct {
    LsLabSpot spot;
    double seconds; /* 2 steps, 3 turns, 1 s for both lanes' steps where it was measured */
  } rows[] = { { { 128, 64 }, 12 },   { { 64, 128 }, 24 }, { { 128, 128 }, 48 },
               { { 256, 256 }, 384 }, { { 32, 32 }, 6 },   { { 32, 128 }, 24 } };
  const LsLabSpot measured = { 64, 64 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) spots = NULL;
      g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
      LsLabSpot next;

      g_array_set_size (spots, 0);
      g_array_append_val (spots, measured);
      g_array_append_val (spots, rows[i].spot);
      add (result, 0, measured, 64 / .25);
      add (result, 1, measured, 64 / .75);
      g_array_append_val (result->tried, measured);
      g_test_message ("batch %u, width %u", rows[i].spot.x, rows[i].spot.y);
      g_assert_false (ls_lab_next (result, spots, NULL, .99 * rows[i].seconds, &next));
      g_assert_true (ls_lab_next (result, spots, NULL, 1.01 * rows[i].seconds, &next));
      g_assert_cmpuint (next.x, ==, rows[i].spot.x);
      g_assert_cmpuint (next.y, ==, rows[i].spot.y);
    }

  /* a small one beside a slow one, and a large one beside a fast one */
  static const LsLabSpot slow = { 64, 64 }, fast = { 512, 64 }, small = { 32, 64 }, large = { 1024, 64 };
  g_autoptr (GArray) spots = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
  LsLabSpot next;

  g_array_set_size (spots, 0);
  g_array_append_val (spots, slow);
  g_array_append_val (spots, fast);
  g_array_append_val (spots, small);
  g_array_append_val (spots, large);
  add (result, 0, slow, 64 / 3.);
  add (result, 1, slow, 64);
  add (result, 0, fast, 512 / .25);
  add (result, 1, fast, 512 / .25);
  g_array_append_val (result->tried, slow);
  g_array_append_val (result->tried, fast);
  g_assert_true (ls_lab_next (result, spots, NULL, 4 * 24 + 1, &next)); /* the one of less work, */
  g_assert_cmpuint (next.x, ==, small.x);
  g_assert_true (ls_lab_next (result, spots, NULL, 4 * 24 - 1, &next)); /* unless it takes too much of the
                                                                           time */
  g_assert_cmpuint (next.x, ==, large.x);
}

/* One lane fails everywhere: nothing is known of the ratio, and all is measured all the same. */
static void
test_one_lane (void)
{
  g_autoptr (GArray) spots = NULL, same = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots), alone = new_map ("cpu", &same);
  LsLabSpot spot;

  while (ls_lab_next (result, spots, NULL, 1e6, &spot))
    {
      add (result, 0, spot, 1000);
      ls_lab_result_add_missing (result, 1, spot, "No memory is left.");
      g_array_append_val (result->tried, spot);
    }
  g_assert_cmpuint (result->tried->len, ==, spots->len);
  g_assert_cmpstr (ls_lab_result_why (result, 1, spot), ==, "No memory is left.");
  g_assert_null (ls_lab_result_why (result, 0, spot));
  g_autofree char *words = ls_lab_crossover_text (alone, NULL);
  g_assert_cmpstr (words, ==, "One lane alone has nothing to be compared with.");
}

/* The options' own network and batch are a spot. */
static void
test_own (void)
{
  static const struct {
    const char *model, *spec;
    guint own;
  } cases[] = {
    { "mlp", "step\tmlp\tmnist\t100", 256 },
    { "flatten, dense 90, tanh, dense 10", "step\tflatten, dense 90, tanh, dense 10\tmnist\t100", 90 },
    { "conv 8 3, relu, flatten, dense 30, relu, dense 10",
      "step\tconv 8 3, relu, flatten, dense 30, relu, dense 10\tmnist\t100", 8 },
    { "flatten, dense 10", NULL, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
      g_autoptr (GArray) spots = NULL;
      LsLabSpot own;
      LsLabPlan plan;
      gboolean found = FALSE;

      g_assert_true (ls_options_set (options, ls_options_find ("model"), cases[i].model, NULL));
      g_assert_true (ls_options_set (options, ls_options_find ("batch"), "100", NULL));
      g_assert_cmpint (ls_experiment_own (&ls_experiment_crossover, options, &own), ==, cases[i].own > 0);
      spots = ls_experiment_spots (&ls_experiment_crossover, options, NULL, 0);
      g_assert_cmpuint (spots->len, <=, LS_LAB_MAX_SPOTS);
      if (cases[i].own == 0)
        continue;
      g_assert_cmpuint (own.x, ==, 100);
      g_assert_cmpuint (own.y, ==, cases[i].own);
      for (guint s = 0; s < spots->len; s++)
        {
          const LsLabSpot *spot = &g_array_index (spots, LsLabSpot, s);
          found |= spot->x == own.x && spot->y == own.y;
        }
      g_assert_true (found);
      ls_experiment_crossover.plan (options, own, &plan);
      g_assert_cmpstr (plan.spec, ==, cases[i].spec);
      g_free (plan.spec);
      own.y *= 2; /* twice as wide, every hidden layer */
      ls_experiment_crossover.plan (options, own, &plan);
      if (i == 0)
        g_assert_cmpstr (plan.spec, ==,
                         "step\tflatten, dense 512, relu, dense 256, relu, dense 10\tmnist\t100");
      if (i == 2)
        g_assert_nonnull (strstr (plan.spec, "conv 16 3, relu, flatten, dense 60, relu, dense 10\t"));
      g_free (plan.spec);
    }
}

/* The sentence: who, from where on, and the own network; a spot whose middle halves overlap is nobody's. */
static void
test_words (void)
{
  const Device devices[] = { cpu, device };
  const LsLabSpot own = { 128, 256 }, small = { 1, 32 };
  g_autoptr (GArray) spots = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
  g_autofree char *none = ls_lab_crossover_text (result, &own), *text = NULL, *other = NULL, *equal = NULL;
  LsLabCorner corner;
  double times;

  g_assert_cmpstr (none, ==, "Both lanes were measured at no spot yet.");
  measure (result, spots, &own, devices, 1e6);
  ls_lab_corner (result, &corner);
  g_assert_cmpint (corner.who, ==, LS_WINS_SECOND);
  /* the hyperbola is at 60 000: from the corner on all is beyond it, and before it in either direction not */
  g_assert_cmpuint (corner.from.x * corner.from.y, >, 60000);
  g_assert_cmpuint (corner.from.x * corner.from.y, <, 4 * 60000);
  text = ls_lab_crossover_text (result, &own);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "Here OpenCL wins from batch "));
  g_assert_cmpint (ls_lab_wins (result, own, &times), ==, LS_WINS_FIRST);
  g_assert_cmpfloat (fabs (times - (200 + 32.768) / (20 + 131.072)), <, 1e-9);
  g_assert_nonnull (strstr (text, ". Your network at batch 128 is 1.5 times as fast on CPU."));
  other = ls_lab_crossover_text (result, &small);
  g_assert_nonnull (strstr (other, ". Your network at batch 1 is 9.9 times as fast on CPU."));
  for (guint i = 0; i < result->points[0]->len; i++)
    g_array_index (result->points[0], LsLabPoint, i).rate.q1 = 1; /* as if it had been disturbed */
  g_assert_cmpint (ls_lab_wins (result, own, NULL), ==, LS_WINS_NEITHER);
  equal = ls_lab_crossover_text (result, &own);
  g_assert_nonnull (strstr (equal, "Your network at batch 128 is as fast on either."));
  g_assert_true (g_str_has_prefix (equal, "Here "));
  result->foreign = TRUE; /* whole sentences say so, which can be translated */
  g_autofree char *there = ls_lab_crossover_text (result, NULL);
  g_assert_true (g_str_has_prefix (there, "There "));
  g_assert_true (g_str_has_suffix (there, "."));
}

/* Nobody wins from a corner on where both are as fast at more than a quarter of the spots beyond it. */
static void
test_equal_beyond (void)
{
  const struct {
    guint equal; /* of eight spots */
    const char *words;
  } cases[] = { { 0, "Here CPU wins at 8 of 8 " }, { 2, "Here CPU wins at 6 of 8 " }, { 3, "at 5 of 8 " } };

  for (guint with_other = 0; with_other < 2; with_other++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr (GArray) spots = NULL;
        g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
        g_autofree char *text = NULL;
        LsLabCorner corner;

        for (guint n = 0; n < 8 + with_other; n++)
          {
            const LsLabSpot spot = n < 8 ? (LsLabSpot){ 64 << n / 2, 64 << n % 2 } : (LsLabSpot){ 1, 32 };
            add (result, 0, spot, n < 8 ? 2000 : 500);
            add (result, 1, spot, n < 8 && n >= 8 - cases[i].equal ? 2000 : 1000);
            g_array_append_val (result->tried, spot);
          }
        ls_lab_corner (result, &corner);
        if (cases[i].equal <= 2)
          g_assert_cmpint (corner.who, ==, LS_WINS_FIRST);
        text = ls_lab_crossover_text (result, NULL);
        g_test_message ("%s", text);
        if (with_other == 0)
          g_assert_nonnull (strstr (text, cases[i].words));
        else if (cases[i].equal <= 2)
          g_assert_nonnull (strstr (text, "Here CPU wins from batch 64 at width 64 upwards"));
        else
          g_assert_null (strstr (text, "wins from batch 64 at width 64"));
      }
}

/* Where neither wins from a corner on, it is counted who wins where. */
static void
test_nowhere (void)
{
  static const struct {
    guint first; /* of three small spots; at six larger ones both are as fast */
    const char *words;
  } cases[] = { { 1, "Here neither wins from some size on: CPU at 1 spot, OpenCL at 2." },
                { 2, "Here neither wins from some size on: CPU at 2 spots, OpenCL at 1." } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) spots = NULL;
      g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots);
      g_autofree char *text = NULL;

      for (guint n = 0; n < 9; n++)
        {
          const LsLabSpot spot = n < 3 ? (LsLabSpot){ 1 << n, 32 } : (LsLabSpot){ 64 << n / 2, 64 << n % 2 };
          add (result, 0, spot, n < cases[i].first ? 2000 : 1000);
          add (result, 1, spot, n < 3 && n >= cases[i].first ? 2000 : 1000);
          g_array_append_val (result->tried, spot);
        }
      text = ls_lab_crossover_text (result, NULL);
      g_assert_cmpstr (text, ==, cases[i].words);
    }
}

/* A map of lanes that aren't compared fairly says so with its sentence; that of fair ones doesn't. */
static void
test_unfair (void)
{
  const Device devices[] = { cpu, device };
  const LsLabSpot own = { 128, 256 };
  static const char *const lists[] = { "cpu,opencl", "cpu(cpu-kernels=naive),opencl(batch-from=host)" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GArray) spots = NULL;
      g_autoptr (LsLabResult) result = new_map (lists[i], &spots);
      g_autofree char *text = NULL;
      measure (result, spots, &own, devices, 1e6);
      text = ls_lab_crossover_text (result, &own);
      g_test_message ("%s", text);
      g_assert_cmpint (g_str_has_suffix (text, " Unfair: Kernels, Transfers."), ==, i == 1);
      g_assert_cmpint (strstr (text, "Unfair") != NULL, ==, i == 1);
    }
}

/* As a file and back: rows, what is missing and why, that its time was over, and the network it is about. */
static void
test_file (void)
{
  g_autoptr (GArray) spots = NULL;
  g_autoptr (LsLabResult) result = new_map ("cpu,opencl", &spots), back = NULL;
  g_autoptr (json_t) json = NULL;
  g_autoptr (GError) error = NULL;
  const LsLabSpot tried[] = { { 1, 32 }, { 8, 32 }, { 8, 4096 } };
  g_autoptr (LsOptions) other = NULL;

  g_array_append_vals (result->tried, tried, G_N_ELEMENTS (tried));
  for (gsize i = 0; i < G_N_ELEMENTS (tried); i++)
    add (result, 0, tried[i], 100 * (double) (i + 1));
  add (result, 1, tried[1], 7);
  ls_lab_result_add_missing (result, 1, tried[2], "No memory is left.");
  result->ended = TRUE;
  json = ls_lab_result_to_json (result);
  back = ls_lab_result_from_json (json, &error);
  g_assert_no_error (error);
  rig_assert_alike (result, back);
  g_assert_true (ls_lab_result_whole (back));
  g_assert_cmpstr (ls_lab_result_why (back, 1, tried[2]), ==, "No memory is left.");
  g_assert_cmpfloat (ls_lab_result_point (back, 0, tried[2])->rate.value, ==, 300);
  g_assert_null (ls_lab_result_point (back, 1, tried[0]));
  g_assert_null (ls_lab_result_point (back, 0, (LsLabSpot){ 1, 4096 }));
  other = ls_options_copy (result->options);
  g_assert_true (ls_options_set (other, ls_options_find ("model"), "cnn", NULL));
  g_assert_false (ls_lab_options_alike (&ls_experiment_crossover, result->options, other));
  g_assert_true (ls_lab_options_alike (&ls_experiment_batch, result->options, other));

  json_object_del (
    json_array_get (json_object_get (json_array_get (json_object_get (json, "lanes"), 0), "points"), 0), "y");
  g_assert_null (ls_lab_result_from_json (json, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/map/line", test_line);
  g_test_add_func ("/lab/map/time", test_time);
  g_test_add_func ("/lab/map/all", test_all);
  g_test_add_func ("/lab/map/costs", test_costs);
  g_test_add_func ("/lab/map/one-lane", test_one_lane);
  g_test_add_func ("/lab/map/own", test_own);
  g_test_add_func ("/lab/map/words", test_words);
  g_test_add_func ("/lab/map/equal-beyond", test_equal_beyond);
  g_test_add_func ("/lab/map/nowhere", test_nowhere);
  g_test_add_func ("/lab/map/unfair", test_unfair);
  g_test_add_func ("/lab/map/file", test_file);
  return g_test_run ();
}
