/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What makes a comparison fair: the default run is, each thing that isn't is found by its own line and by no
 * other, what isn't known is never unfair; and what was measured comes back from a recording, whatever it
 * says.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/kernel_files.h"
#include "tests/folder.h"
#include "trace/load.h"
#include "train/coordinator.h"
#include "train/fairness.h"
#include "fairness_rig.h"

/* That line alone has the state, and all others are fair; words: a pattern. */
static void
check (Case *c, const char *name, LsFairState state, const char *words)
{
  g_autoptr (LsFairness) fairness = judge (c);

  for (guint i = 0; i < fairness->n; i++)
    {
      const LsFairLine *line = &fairness->lines[i];
      const gboolean here = g_strcmp0 (line->row->name, name) == 0;

      if (line->state != (here ? state : LS_FAIR_YES) || line->words == NULL
          || !g_str_has_suffix (line->words, "."))
        g_error ("with “%s” the line “%s” is %s: %s", name, line->row->name, ls_fair_state_name (line->state),
                 line->words);
      if (here && !g_pattern_match_simple (words, line->words))
        g_error ("“%s” says “%s”, not “%s”", name, line->words, words);
    }
  g_assert_cmpint (fairness->unfair, ==, name != NULL && state == LS_FAIR_NO);
  g_autofree char *titles = ls_fairness_titles (fairness);
  g_assert_cmpint (titles != NULL, ==, fairness->unfair);
  case_clear (c);
}

/* Settings are told; what was measured, or made from measurements, says so. */
static void
test_evidence (void)
{
  static const struct {
    const char *name;
    LsEvidence evidence;
  } figures[] = { { "threads", LS_EVIDENCE_MEASURED },
                  { "clocks", LS_EVIDENCE_MEASURED },
                  { "load", LS_EVIDENCE_MEASURED },
                  { "spread", LS_EVIDENCE_DERIVED } };
  guint n, found = 0;
  const LsFairRow *rows = ls_fair_rows (&n);

  for (guint i = 0; i < n; i++)
    {
      gint evidence = -1;

      for (guint f = 0; f < G_N_ELEMENTS (figures); f++)
        if (strcmp (figures[f].name, rows[i].name) == 0)
          evidence = (gint) figures[f].evidence;
      found += evidence >= 0;
      if (rows[i].evidence != evidence)
        g_error ("“%s” has evidence %d, not %d", rows[i].name, rows[i].evidence, evidence);
    }
  g_assert_cmpuint (found, ==, G_N_ELEMENTS (figures));
}

static void
test_fair (void)
{
  static const char *const lists[] = {
    "cpu,opencl",
    "opencl,cpu",
    "cpu,cpu",
    "cpu(threads=1),cpu(threads=1)",
    "cpu(cpu-kernels=naive),cpu(cpu-kernels=naive)",
    "cpu(cpu-kernels=vector),opencl(kernel=packed)",
    "cpu(fusion=off),opencl(fusion=off)",
    "opencl(kernel=naive),opencl(kernel=naive)",
    "opencl(batch-from=host),opencl(batch-from=host)",
    "opencl(tuned=off),opencl(tuned=off)",
    "cpu(policy=static),opencl",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      Case c = case_new (lists[i]);
      check (&c, NULL, LS_FAIR_YES, NULL);
    }
}

static void
test_options (void)
{
  static const struct {
    const char *lanes, *line, *words;
  } rows[] = {
    { "cpu(threads=1),opencl", "threads", "*CPU*uses 1 of 2 processors*" },
    { "opencl,cpu(threads=1)", "threads", "*CPU*uses 1 of 2 processors*" },
    { "cpu(threads=5),opencl", "threads", "*5 threads for 2 processors*" },
    { "cpu(threads=1),cpu(threads=2)", "threads", "*uses 1 of 2*" },
    { "cpu(cpu-kernels=naive),opencl", "kernels", "*CPU (naive loops)*naive loops, one number at a time*" },
    { "opencl,cpu(cpu-kernels=scalar)", "kernels", "*scalar loops, one number at a time*" },
    { "cpu(cpu-kernels=naive),cpu", "kernels", "*naive loops*" },
    { "cpu(fusion=off),opencl", "algorithm", "*fused on the OpenCL lane alone*" },
    { "cpu,opencl(batch-from=host)", "transfers", "*copies each batch from the host*" },
    { "opencl,opencl(batch-from=host)", "transfers", "*copies each batch from the host*" },
    { "cpu,opencl(tuned=off)", "tuning", "*switched off on the OpenCL*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c = case_new (rows[i].lanes);
      check (&c, rows[i].line, LS_FAIR_NO, rows[i].words);
    }
}

/* A rung that was asked for is one thing, one that the table of kernels chose for such a device another. */
static void
test_rungs (void)
{
  static const struct {
    const char *lanes;
    LsWay way;
    gboolean unfair;
  } rows[] = {
    { "cpu,opencl(kernel=naive)", LS_WAY_NAIVE, TRUE },
    { "cpu,opencl(kernel=tiled)", LS_WAY_TILED, TRUE },
    { "cpu,opencl(kernel=register)", LS_WAY_REGISTER, FALSE },
    { "cpu,opencl", LS_WAY_TILED, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c = case_new (rows[i].lanes);
      c.heavy[1].way = rows[i].way;
      check (&c, "kernels", rows[i].unfair ? LS_FAIR_NO : LS_FAIR_YES,
             rows[i].unfair ? "*was told to use the kernel*"
                            : "*vectorised kernels: own loops against packed*");
    }
}

static void
test_beside (void)
{
  Case race = case_new ("cpu,opencl"), apart = case_new ("cpu,opencl"), busy = case_new ("cpu,opencl"),
       clocks = case_new ("cpu,opencl"), wide = case_new ("cpu,opencl"), cold = case_new ("cpu,opencl"),
       compiler = case_new ("cpu,opencl"), large = case_new ("cpu,opencl"), turns = case_new ("cpu,opencl"),
       alone = case_new ("cpu,opencl");

  check (&turns, "turns", LS_FAIR_YES, "*machine to itself.*goes first fetches the batch from memory*");
  alone.pair.sharing = 1; /* the other has memory of its own */
  check (&alone, "turns", LS_FAIR_YES, "*machine to itself.");
  race.pair.turns = FALSE;
  check (&race, "turns", LS_FAIR_NO, "*race on the same processors*");
  apart.pair.turns = FALSE;
  apart.pair.sharing = 1;
  apart.devices[1]->shares_cpu = FALSE;
  apart.devices[1]->threads = -1;
  apart.pair.lanes[1].clock_mhz = 0;
  check (&apart, "clocks", LS_FAIR_UNKNOWN, "*2.90 GHz*OpenCL lane’s device*isn’t told*");
  busy.pair.others = .6;
  check (&busy, "load", LS_FAIR_NO, "*0.60 of 2 processors*");
  large.pair.processors = 64; /* a browser on a large machine */
  large.pair.others = 1;
  check (&large, "load", LS_FAIR_YES, "*1.00 of 64*");
  clocks.pair.lanes[1].clock_mhz = 2500;
  check (&clocks, "clocks", LS_FAIR_NO, "*2.90 GHz for the CPU lane, at 2.50 GHz for the OpenCL lane*");
  wide.pair.lanes[0].rate.q3 = 130e3;
  check (&wide, "spread", LS_FAIR_NO, "*CPU lane’s rate is 32 %*");
  cold.pair.warm_up = 0;
  check (&cold, "warm-up", LS_FAIR_NO, "*The first steps count*");
  compiler.pair.lanes[1].rate.condition = "beside another lane’s compiler";
  {
    g_autoptr (LsFairness) fairness = judge (&compiler);
    g_assert_cmpint (line_of (fairness, "warm-up")->state, ==, LS_FAIR_NO);
    g_assert_cmpint (line_of (fairness, "spread")->state, ==, LS_FAIR_UNKNOWN);
  }
  case_clear (&compiler);
}

/* Nothing is told: not before the lanes are there, nor of a recording that this program can't read all of. */
static void
test_unknown (void)
{
  Case c = case_new ("cpu,opencl"), edited = case_new ("cpu,opencl"), quiet = case_new ("cpu,opencl");

  for (guint side = 0; side < 2; side++)
    {
      LsFairLane *lane = &c.pair.lanes[side];
      c.heavy[side].way = LS_WAY_OTHER;
      lane->device = NULL;
      lane->options = NULL;
      lane->backend = NULL;
      lane->rate = (LsFigure){ 0 };
      lane->clock_mhz = 0;
    }
  c.pair.others = -1;
  g_autoptr (LsFairness) fairness = judge (&c);
  g_assert_false (fairness->unfair);
  for (guint i = 0; i < fairness->n; i++)
    {
      g_assert_cmpint (fairness->lines[i].state, !=, LS_FAIR_NO);
      g_assert_nonnull (fairness->lines[i].words);
      if (strcmp (fairness->lines[i].row->name, "turns") != 0)
        g_assert_null (fairness->lines[i].option);
    }
  case_clear (&c);

  g_hash_table_insert (edited.devices[1]->facts, g_strdup (LS_FACT_EDITED), g_strdup ("gemm_packed.cl"));
  check (&edited, "kernels", LS_FAIR_UNKNOWN, "*OpenCL lane runs edited kernels*");
  quiet.pair.others = -1;
  check (&quiet, "load", LS_FAIR_UNKNOWN, "*isn’t told*");
  g_assert_false (ls_fairness_is_unfair (NULL));
}

/* A switch is an option of the table with values that it takes, of a lane that has it; and does what it says.
 */
static void
test_switches (void)
{
  static const struct {
    const char *line, *lanes;
    guint side;
  } rows[] = {
    { "threads", "cpu(threads=1),opencl", 0 },         { "threads", "opencl,cpu(threads=1)", 1 },
    { "kernels", "opencl,cpu(cpu-kernels=naive)", 1 }, { "transfers", "cpu,opencl(batch-from=host)", 1 },
    { "tuning", "cpu,opencl(tuned=off)", 1 },          { "algorithm", "cpu(fusion=off),opencl", 0 },
  };
  Case c = case_new ("cpu,opencl");
  g_autoptr (LsFairness) fairness = judge (&c);
  g_autoptr (LsOptions) options = ls_options_new ();
  guint n = 0;

  for (guint i = 0; i < fairness->n; i++)
    {
      const LsFairLine *line = &fairness->lines[i];
      if (line->option == NULL)
        continue;
      const LsOption *option = ls_options_find (line->option);
      g_assert_nonnull (option);
      g_assert_cmpint (option->effect, ==, LS_OPTION_LIVE);
      g_assert_true (ls_options_set (options, option, line->unfair, NULL));
      g_assert_true (ls_options_set (options, option, line->fair, NULL));
      g_assert_false (line->switched);
      n++;
    }
  g_assert_cmpuint (n, ==, 6);
  case_clear (&c);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case unfair = case_new (rows[i].lanes);
      g_autoptr (LsFairness) found = judge (&unfair);
      const LsFairLine *line = line_of (found, rows[i].line);
      g_assert_cmpint (line->state, ==, LS_FAIR_NO);
      g_assert_true (line->switched);
      g_assert_cmpuint (line->side, ==, rows[i].side);
      case_clear (&unfair);
    }
}

static void
test_recording (void)
{
  static const struct {
    const char *others, *processors;
    double expected;
    guint n;
  } rows[] = {
    { "0.5", "2", .5, 2 }, { NULL, NULL, -1, 0 },  { "nan", "2", -1, 2 },   { "-1", "2", -1, 2 },
    { "3", "2", -1, 2 },   { "0.5x", "2", -1, 2 }, { "", "", -1, 0 },       { "1e999", "1e999", -1, 0 },
    { "0,5", "2", -1, 2 }, { "0.5", "-7", -1, 0 }, { "0.5", "inf", -1, 0 },
  };
  g_autoptr (LsOptions) options = ls_options_new ();
  const LsMachineLoad load = { 4, 1.25, { 0 } };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 4, relu, dense 10", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 4, 4 }, 10, 8, LS_OPTIMIZER_SGD, NULL);
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 2, 1);
  g_autoptr (GPtrArray) specs = ls_lane_specs_new (options, NULL);
  LsFairPair pair;

  for (guint i = 0; i < 2; i++)
    {
      recording->lanes[i].id = g_strdup (((LsLaneSpec *) specs->pdata[i])->id);
      recording->lanes[i].device = ls_device_info_new (i ? "opencl" : "cpu");
    }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_hash_table_remove_all (recording->conditions);
      if (rows[i].others != NULL)
        g_hash_table_insert (recording->conditions, g_strdup ("others-cores"), g_strdup (rows[i].others));
      if (rows[i].processors != NULL)
        g_hash_table_insert (recording->conditions, g_strdup ("processors"), g_strdup (rows[i].processors));
      ls_fair_pair_of_recording (&pair, recording, specs, 0, 1);
      g_assert_cmpfloat (pair.others, ==, rows[i].expected);
      g_assert_cmpuint (pair.processors, ==, rows[i].n);
      LsFairness *fairness = ls_fairness_new (&pair);
      g_assert_cmpint (line_of (fairness, "load")->state, ==,
                       rows[i].expected < 0 ? LS_FAIR_UNKNOWN : LS_FAIR_NO);
      ls_fairness_unref (fairness);
    }
  ls_fair_note_load (recording, &load);
  ls_fair_note_clock (recording, "opencl", 2450);
  ls_fair_note_clock (recording, "cpu", 0);
  ls_fair_pair_of_recording (&pair, recording, specs, 0, 1);
  g_assert_cmpfloat (pair.others, ==, 1.25);
  g_assert_cmpuint (pair.processors, ==, 4);
  g_assert_cmpfloat (pair.lanes[0].clock_mhz, ==, 0);
  g_assert_cmpfloat (pair.lanes[1].clock_mhz, ==, 2450);
  ls_fair_pair_of_recording (&pair, recording, NULL, 0, 1);
  g_assert_null (pair.lanes[0].options);
  g_assert_cmpstr (pair.lanes[1].name, ==, "opencl");
}

/* Of lanes whose devices nobody has seen yet, what their options tell. */
static void
test_specs (void)
{
  static const struct {
    const char *lanes;
    guint processors;
    const char *titles;
  } rows[] = {
    { "cpu,opencl", 2, NULL },
    { "cpu(threads=1),opencl", 2, "Threads" },
    { "cpu(threads=1),opencl", 1, NULL },
    { "cpu(threads=1),opencl", 0, NULL },
    { "cpu(threads=1,cpu-kernels=naive),opencl(kernel=packed)", 2, "Kernels, Threads" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (GPtrArray) specs = NULL;
      LsFairPair pair;

      ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, NULL);
      specs = ls_lane_specs_new (options, NULL);
      ls_fair_pair_of_specs (&pair, specs->pdata[0], specs->pdata[1], rows[i].processors);
      g_autoptr (LsFairness) fairness = ls_fairness_new (&pair);
      g_autofree char *titles = ls_fairness_titles (fairness);
      g_assert_cmpstr (titles, ==, rows[i].titles);
      /* nothing has run yet, so nobody has looked */
      g_assert_cmpint (line_of (fairness, "load")->state, ==, LS_FAIR_UNKNOWN);
      g_assert_cmpint (line_of (fairness, "clocks")->state, ==, LS_FAIR_UNKNOWN);
    }
}

/* The lane that alone computes in double precision is named, on whichever side it stands. */
static void
test_double (void)
{
  for (guint side = 0; side < 2; side++)
    {
      Case c = case_new ("cpu,fast=cpu(threads=1)");
      c.pair.lanes[side].backend = &ls_backend_reference_f64;
      g_autoptr (LsFairness) fairness = judge (&c);
      const LsFairLine *line = line_of (fairness, "precision");
      g_autofree char *words = g_strdup_printf ("The %s lane alone computes in double precision.",
                                                c.pair.lanes[side].name);
      g_assert_cmpint (line->state, ==, LS_FAIR_NO);
      g_assert_cmpstr (line->words, ==, words);
      case_clear (&c);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/fairness/fair", test_fair);
  g_test_add_func ("/train/fairness/double", test_double);
  g_test_add_func ("/train/fairness/evidence", test_evidence);
  g_test_add_func ("/train/fairness/options", test_options);
  g_test_add_func ("/train/fairness/rungs", test_rungs);
  g_test_add_func ("/train/fairness/beside", test_beside);
  g_test_add_func ("/train/fairness/unknown", test_unknown);
  g_test_add_func ("/train/fairness/switches", test_switches);
  g_test_add_func ("/train/fairness/recording", test_recording);
  g_test_add_func ("/train/fairness/specs", test_specs);
  return g_test_run ();
}
