/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each line of the comparison says, in full: the figures that are in it, the lane that it names, and the
 * last value that is still fair. The sentences are what a reader has to go by; a wrong one accuses the wrong
 * lane.
 */
#include "backends/kernel_files.h"
#include "fairness_rig.h"

static void
bf16 (Case *c)
{
  for (guint side = 0; side < 2; side++)
    ls_options_set (((LsLaneSpec *) c->specs->pdata[side])->options, ls_options_find ("precision"), "bf16",
                    NULL);
}

static void
first_bf16 (Case *c)
{
  ls_options_set (((LsLaneSpec *) c->specs->pdata[0])->options, ls_options_find ("precision"), "bf16", NULL);
}

static void
both_double (Case *c)
{
  c->pair.lanes[0].backend = c->pair.lanes[1].backend = &ls_backend_reference_f64;
}

static void
first_double (Case *c)
{
  c->pair.lanes[0].backend = &ls_backend_reference_f64;
}

static void
one_sample (Case *c)
{
  c->pair.batch = 1;
}

static void
first_reference (Case *c)
{
  c->pair.lanes[0].who = LS_BACKEND_REFERENCE;
}

static void
tiled (Case *c)
{
  c->heavy[1].way = LS_WAY_TILED;
}

static void
edited (Case *c)
{
  g_hash_table_insert (c->devices[1]->facts, g_strdup (LS_FACT_EDITED), g_strdup ("gemm.cl"));
}

static void
second_unseen (Case *c)
{
  c->pair.lanes[1].device = NULL;
}

static void
both_unseen (Case *c)
{
  c->pair.lanes[0].device = c->pair.lanes[1].device = NULL;
}

static void
second_unset (Case *c)
{
  c->pair.lanes[1].options = NULL;
}

static void
tuned (Case *c)
{
  g_strlcpy (c->heavy[1].kernel, "packed 128×32, tuned", sizeof c->heavy[1].kernel);
}

static void
one_processor (Case *c)
{
  c->devices[0]->numbers[LS_DEVICE_USABLE] = 1;
}

static void
usable_untold (Case *c)
{
  c->devices[0]->numbers[LS_DEVICE_USABLE] = -1;
  c->devices[0]->threads = 1;
}

/* this machine's processors say nothing of a device that doesn't tell, whatever the other lane's is */
static void
usable_untold_beside_none (Case *c)
{
  usable_untold (c);
  c->pair.lanes[1].device = NULL;
}

static void
threads_untold (Case *c)
{
  c->devices[0]->threads = c->devices[1]->threads = -1;
}

/* A device of its own beside: how many threads it has isn't a matter of the processor's. */
static void
card_beside (Case *c)
{
  c->devices[1]->shares_cpu = FALSE;
  c->devices[1]->threads = 1;
  c->pair.sharing = 1;
}

static void
still_building (Case *c)
{
  c->pair.lanes[1].rate.condition = "beside another lane’s compiler";
}

static void
no_warm_up (Case *c)
{
  c->pair.warm_up = 0;
}

static void
race (Case *c)
{
  c->pair.turns = FALSE;
}

static void
race_apart (Case *c)
{
  race (c);
  card_beside (c);
}

static void
turns_alone (Case *c)
{
  c->pair.sharing = 1;
}

static void
first_clock_untold (Case *c)
{
  c->pair.lanes[0].clock_mhz = 0;
}

static void
clocks_untold (Case *c)
{
  first_clock_untold (c);
  c->pair.lanes[1].clock_mhz = 0;
}

/* 5 % of the slower one is still alike. */
static void
clocks_near (Case *c)
{
  c->pair.lanes[0].clock_mhz = 2000;
  c->pair.lanes[1].clock_mhz = 2099;
}

static void
clocks_apart (Case *c)
{
  c->pair.lanes[0].clock_mhz = 2000;
  c->pair.lanes[1].clock_mhz = 2101;
}

static void
large_busy (Case *c)
{
  c->pair.processors = 64;
  c->pair.others = 6.5;
}

static void
load_untold (Case *c)
{
  c->pair.others = -1;
}

static void
processors_untold (Case *c)
{
  c->pair.processors = 0;
}

static void
quarter_wide (Case *c)
{
  c->pair.lanes[0].rate = (LsFigure){ .value = 1e5, .q1 = 90e3, .q3 = 115e3, .n = 200 };
}

static void
second_wide (Case *c)
{
  c->pair.lanes[1].rate = (LsFigure){ .value = 2e5, .q1 = 170e3, .q3 = 230e3, .n = 200 };
}

static void
second_young (Case *c)
{
  c->pair.lanes[1].rate.n = 3;
}

static const struct {
  const char *lanes, *line;
  void (*twist) (Case *c);
  LsFairState state;
  const char *words;
  double others;    /* cores that other programs use, */
  guint processors; /* of so many; 0: as they are */
} said[] = {
  { "cpu,opencl", "precision", NULL, LS_FAIR_YES, "Both compute in single precision (fp32)." },
  { "cpu,opencl", "precision", bf16, LS_FAIR_YES, "Both store numbers in bf16 and compute in fp32." },
  { "cpu,opencl", "precision", first_bf16, LS_FAIR_NO,
    "The CPU lane stores numbers in bf16, the OpenCL lane in fp32." },
  { "opencl,cpu", "precision", first_bf16, LS_FAIR_NO,
    "The OpenCL lane stores numbers in bf16, the CPU lane in fp32." },
  { "cpu,opencl", "precision", both_double, LS_FAIR_YES, "Both compute in double precision." },
  { "cpu,opencl", "precision", first_double, LS_FAIR_NO, "The CPU lane alone computes in double precision." },

  { "cpu,opencl", "batch", NULL, LS_FAIR_YES, "Both train the same 128 samples in each step." },
  { "cpu,opencl", "batch", one_sample, LS_FAIR_YES, "Both train the same sample in each step." },

  { "cpu,opencl", "algorithm", NULL, LS_FAIR_YES, "Both run the same ops and add in the same order." },
  { "cpu(fusion=off),opencl(fusion=off)", "algorithm", NULL, LS_FAIR_YES,
    "Both run the same ops, none of them fused, and add in the same order." },
  { "cpu,opencl(fusion=off)", "algorithm", NULL, LS_FAIR_NO, "Ops are fused on the CPU lane alone." },
  { "cpu(fusion=off),opencl", "algorithm", NULL, LS_FAIR_NO, "Ops are fused on the OpenCL lane alone." },
  /* A reference has nothing to fuse, whatever its options say. */
  { "cpu(fusion=off),opencl", "algorithm", first_reference, LS_FAIR_YES,
    "Both run the same ops and add in the same order." },

  { "cpu,opencl", "kernels", NULL, LS_FAIR_YES,
    "Both use vectorised kernels: own loops against packed 128×32." },
  { "opencl,cpu", "kernels", NULL, LS_FAIR_YES,
    "Both use vectorised kernels: packed 128×32 against own loops." },
  { "cpu,fast=cpu(threads=1)", "kernels", NULL, LS_FAIR_YES, "Both compute with the same kernels." },
  { "opencl,slow=opencl(tuned=off)", "kernels", NULL, LS_FAIR_YES, "Both compute with the same kernels." },
  { "a=cpu(cpu-kernels=naive),opencl", "kernels", NULL, LS_FAIR_NO,
    "The CPU (a) lane computes with naive loops, one number at a time." },
  { "opencl,a=cpu(cpu-kernels=scalar)", "kernels", NULL, LS_FAIR_NO,
    "The CPU (a) lane computes with scalar loops, one number at a time." },
  { "a=cpu(cpu-kernels=scalar),b=opencl(kernel=tiled)", "kernels", tiled, LS_FAIR_NO,
    "The CPU (a) lane computes with scalar loops, one number at a time. "
    "The OpenCL (b) lane was told to use the kernel “tiled”, a lower rung of its ladder." },
  { "cpu,opencl", "kernels", first_reference, LS_FAIR_NO,
    "The CPU lane computes with naive loops on one thread: it is there to be right." },
  { "cpu,opencl", "kernels", edited, LS_FAIR_UNKNOWN,
    "The OpenCL lane runs edited kernels, and nobody knows how good they are." },
  { "cpu,opencl", "kernels", second_unseen, LS_FAIR_UNKNOWN,
    "Which kernels the OpenCL lane uses isn’t known." },
  { "opencl,cpu", "kernels", second_unset, LS_FAIR_UNKNOWN, "Which kernels the CPU lane uses isn’t known." },

  { "cpu,opencl", "threads", NULL, LS_FAIR_YES, "Both compute on 2 threads." },
  { "a=cpu(threads=1),b=cpu(threads=1)", "threads", NULL, LS_FAIR_YES, "Both compute on 1 thread." },
  { "a=cpu(threads=1),opencl", "threads", NULL, LS_FAIR_NO, "The CPU (a) lane uses 1 of 2 processors." },
  { "opencl,a=cpu(threads=5)", "threads", NULL, LS_FAIR_NO,
    "The CPU (a) lane has 5 threads for 2 processors." },
  { "cpu,opencl", "threads", one_processor, LS_FAIR_NO, "The CPU lane has 2 threads for 1 processor." },
  { "cpu,opencl", "threads", card_beside, LS_FAIR_YES, "The CPU lane uses all processors that it may: 2." },
  { "opencl,cpu", "threads", card_beside, LS_FAIR_NO, "The CPU lane uses 1 of 2 processors." },
  { "cpu,opencl", "threads", usable_untold, LS_FAIR_UNKNOWN,
    "How many processors the CPU lane could use isn’t told." },
  { "cpu,opencl", "threads", usable_untold_beside_none, LS_FAIR_UNKNOWN,
    "How many processors the CPU lane could use isn’t told." },
  { "cpu,opencl", "threads", threads_untold, LS_FAIR_UNKNOWN, "How many threads the lanes use isn’t told." },
  { "a=cpu(threads=2),opencl", "threads", both_unseen, LS_FAIR_YES,
    "The CPU (a) lane uses all processors that it may: 2." },

  { "cpu,opencl", "warm-up", NULL, LS_FAIR_YES,
    "The first 10 steps of each lane don’t count, nor do disturbed ones." },
  { "cpu,opencl", "warm-up", no_warm_up, LS_FAIR_NO,
    "The first steps count, while caches and clocks settle." },
  { "cpu,opencl", "warm-up", still_building, LS_FAIR_NO,
    "The OpenCL lane’s rate was measured beside another lane’s compiler." },

  { "a=cpu,b=cpu(threads=1)", "transfers", NULL, LS_FAIR_YES,
    "Both read their batches where they lie in memory." },
  { "cpu,opencl", "transfers", NULL, LS_FAIR_YES,
    "No batch is copied in a step: the OpenCL lane’s device has all data." },
  { "opencl,b=opencl(tuned=off)", "transfers", NULL, LS_FAIR_YES, "Both get their batches in the same way." },
  { "a=opencl,b=opencl(batch-from=host)", "transfers", NULL, LS_FAIR_NO,
    "The OpenCL (b) lane copies each batch from the host, and its time includes that." },
  { "a=opencl(batch-from=host),b=opencl", "transfers", NULL, LS_FAIR_NO,
    "The OpenCL (a) lane copies each batch from the host, and its time includes that." },
  { "cpu,opencl", "transfers", second_unset, LS_FAIR_UNKNOWN,
    "Whether the OpenCL lane’s time includes copies of the batch isn’t known." },

  { "cpu,opencl", "turns", NULL, LS_FAIR_YES,
    "The lanes take turns: each step has the machine to itself. Whoever goes first fetches the batch from "
    "memory, and the next may find it in a cache." },
  { "cpu,opencl", "turns", turns_alone, LS_FAIR_YES,
    "The lanes take turns: each step has the machine to itself." },
  { "cpu,opencl", "turns", race, LS_FAIR_NO,
    "The lanes race on the same processors, and take them from each other." },
  { "cpu,opencl", "turns", race_apart, LS_FAIR_YES, "The lanes race, each on a device of its own." },

  { "cpu,opencl", "clocks", NULL, LS_FAIR_YES, "The processors ran at 2.90 GHz for both." },
  { "cpu,opencl", "clocks", clocks_near, LS_FAIR_YES, "The processors ran at 2.05 GHz for both." },
  { "cpu,opencl", "clocks", clocks_apart, LS_FAIR_NO,
    "The processors ran at 2.00 GHz for the CPU lane, at 2.10 GHz for the OpenCL lane." },
  { "cpu,opencl", "clocks", clocks_untold, LS_FAIR_UNKNOWN,
    "How fast the processors’ clocks ran isn’t told by this system, or wasn’t looked at." },
  { "cpu,opencl", "clocks", first_clock_untold, LS_FAIR_UNKNOWN,
    "The processors ran at 2.90 GHz; how fast the CPU lane’s device ran isn’t told." },
  { "cpu,opencl", "clocks", card_beside, LS_FAIR_UNKNOWN,
    "The processors ran at 2.90 GHz; how fast the OpenCL lane’s device ran isn’t told." },

  /* a quarter of a core on a small machine, a tenth of the processors on a large one */
  { "cpu,opencl", "load", NULL, LS_FAIR_YES, "Other programs use 0.25 of 2 processors.", .25, 2 },
  { "cpu,opencl", "load", NULL, LS_FAIR_NO, "Other programs use 0.26 of 2 processors.", .26, 2 },
  { "cpu,opencl", "load", NULL, LS_FAIR_YES, "Other programs use 6.38 of 64 processors.", 6.375, 64 },
  { "cpu,opencl", "load", NULL, LS_FAIR_NO, "Other programs use 6.50 of 64 processors.", 6.5, 64 },
  { "cpu,opencl", "load", NULL, LS_FAIR_NO, "Other programs use 0.50 of 1 processor.", .5, 1 },
  { "cpu,opencl", "load", load_untold, LS_FAIR_UNKNOWN,
    "How busy other programs kept the machine isn’t told, or wasn’t looked at." },
  { "cpu,opencl", "load", processors_untold, LS_FAIR_UNKNOWN,
    "How busy other programs kept the machine isn’t told, or wasn’t looked at." },

  { "a=cpu,b=cpu(threads=1)", "tuning", NULL, LS_FAIR_YES,
    "Neither lane has kernels that are tuned for a device." },
  { "opencl,b=opencl(batch-from=host)", "tuning", NULL, LS_FAIR_YES, "Both are tuned, or neither is." },
  { "cpu,opencl", "tuning", NULL, LS_FAIR_YES,
    "The OpenCL lane’s kernels are those that are shipped for such a device." },
  { "cpu,opencl", "tuning", tuned, LS_FAIR_YES, "The OpenCL lane’s kernels were tuned for its device." },
  { "cpu,a=opencl(tuned=off)", "tuning", NULL, LS_FAIR_NO,
    "What was tuned for its device is switched off on the OpenCL (a) lane." },
  { "cpu,opencl", "tuning", second_unset, LS_FAIR_UNKNOWN,
    "Whether the OpenCL lane’s kernels were tuned isn’t known." },

  { "cpu,opencl", "spread", NULL, LS_FAIR_YES,
    "The middle halves of the rates are 4 % and 4 % of their medians wide." },
  { "cpu,opencl", "spread", quarter_wide, LS_FAIR_YES,
    "The middle halves of the rates are 25 % and 4 % of their medians wide." },
  { "cpu,opencl", "spread", second_wide, LS_FAIR_NO,
    "The middle half of the OpenCL lane’s rate is 30 % of its median wide." },
  { "cpu,opencl", "spread", second_young, LS_FAIR_UNKNOWN, "The OpenCL lane has too few steps yet." },
};

static void
test_words (void)
{
  guint n;
  const LsFairRow *rows = ls_fair_rows (&n);

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      Case c = case_new (said[i].lanes);

      if (said[i].processors > 0)
        {
          c.pair.processors = said[i].processors;
          c.pair.others = said[i].others;
        }
      if (said[i].twist != NULL)
        said[i].twist (&c);
      g_autoptr (LsFairness) fairness = judge (&c);
      const LsFairLine *line = line_of (fairness, said[i].line);
      if (line->state != said[i].state || strcmp (line->words, said[i].words) != 0)
        g_error ("row %u, %s: “%s” is %s and says “%s”, not %s “%s”", i, said[i].lanes, said[i].line,
                 ls_fair_state_name (line->state), line->words, ls_fair_state_name (said[i].state),
                 said[i].words);
      case_clear (&c);
    }
  for (guint r = 0; r < n; r++) /* a line that is added has its sentences here, too */
    {
      guint found = 0;

      for (guint i = 0; i < G_N_ELEMENTS (said); i++)
        found += strcmp (said[i].line, rows[r].name) == 0;
      if (found == 0)
        g_error ("nothing is held of what the line “%s” says", rows[r].name);
    }
}

/* Titles stand in the order of the table, between commas; and which switch is whose. */
static void
test_titles (void)
{
  static const struct {
    const char *line, *title, *lanes, *option, *fair, *unfair;
    guint side;
  } rows[] = {
    { "precision", "Precision", "cpu,opencl", NULL, NULL, NULL, 0 },
    { "batch", "Batch", "cpu,opencl", NULL, NULL, NULL, 0 },
    { "algorithm", "Algorithm", "cpu,opencl", "fusion", "on", "off", 0 },
    { "kernels", "Kernels", "cpu,opencl", "cpu-kernels", "blas", "naive", 0 },
    { "kernels", "Kernels", "opencl,cpu", "cpu-kernels", "blas", "naive", 1 },
    { "kernels", "Kernels", "opencl,slow=opencl", "kernel", "auto", "naive", 0 },
    { "threads", "Threads", "opencl,cpu", "threads", "0", "1", 1 },
    { "threads", "Threads", "opencl,slow=opencl", NULL, NULL, NULL, 0 },
    { "warm-up", "Warm-up", "cpu,opencl", NULL, NULL, NULL, 0 },
    { "transfers", "Transfers", "cpu,opencl", "batch-from", "device", "host", 1 },
    { "turns", "Turns", "cpu,opencl", "turns", "auto", "race", 0 },
    { "clocks", "Clocks", "cpu,opencl", NULL, NULL, NULL, 0 },
    { "load", "Other programs", "cpu,opencl", NULL, NULL, NULL, 0 },
    { "tuning", "Tuning", "cpu,opencl", "tuned", "on", "off", 1 },
    { "spread", "Spread", "cpu,opencl", NULL, NULL, NULL, 0 },
  };
  Case all = case_new ("cpu(cpu-kernels=naive,threads=1,fusion=off),opencl(batch-from=host,tuned=off)");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Case c = case_new (rows[i].lanes);
      g_autoptr (LsFairness) fairness = judge (&c);
      const LsFairLine *line = line_of (fairness, rows[i].line);

      g_assert_cmpstr (line->row->title, ==, rows[i].title);
      if (g_strcmp0 (line->option, rows[i].option) != 0 || g_strcmp0 (line->fair, rows[i].fair) != 0
          || g_strcmp0 (line->unfair, rows[i].unfair) != 0 || line->side != rows[i].side || line->switched)
        g_error ("with %s “%s” is switched by %s=%s or %s of lane %u (%s now)", rows[i].lanes, rows[i].line,
                 line->option, line->fair, line->unfair, line->side, line->switched ? "unfair" : "fair");
      case_clear (&c);
    }
  race (&all);
  no_warm_up (&all);
  clocks_apart (&all);
  large_busy (&all);
  second_wide (&all);
  first_double (&all);
  g_autoptr (LsFairness) fairness = judge (&all);
  g_autofree char *titles = ls_fairness_titles (fairness);
  g_assert_cmpstr (titles, ==,
                   "Precision, Algorithm, Kernels, Threads, Warm-up, Transfers, Turns, Clocks, "
                   "Other programs, Tuning, Spread");
  case_clear (&all);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/fairness/words", test_words);
  g_test_add_func ("/train/fairness/titles", test_titles);
  return g_test_run ();
}
