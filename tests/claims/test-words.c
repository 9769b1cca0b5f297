/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of claims with their units, what decides and what was done, word for word.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rig.h"
#include "tests/plain.h"

/* Times are told in the unit that suits them, whatever unit the claim has; all else in its own. */
static void
test_numbers (void)
{
  static const struct {
    const char *unit;
    double value;
    const char *known, *guessed;
  } rows[] = {
    { "s", 7200, "2.00 h", "2 h" },
    { "s", 3599, "1.00 h", "1 h" },
    { "s", 3590, "3 590 s", "3 590 s" },
    { "s", 1, "1.00 s", "1 s" },
    { "s", .9996, "1.00 s", "1 s" },
    { "s", .0044, "4.40 ms", "4.4 ms" },
    { "s", 4.4e-6, "4.40 µs", "4.4 µs" },
    { "s", 4.4e-9, "4.40 ns", "4.4 ns" },
    { "s", 4.4e-11, "0.0440 ns", "0.044 ns" },
    { "ms", 1500, "1.50 s", "1.5 s" },
    { "ms", .25, "250 µs", "250 µs" },
    { "µs", 12, "12.0 µs", "12 µs" },
    { "ns", 12000, "12.0 µs", "12 µs" },
    { "h", .5, "1 800 s", "1 800 s" },
    { "h", 3, "3.00 h", "3 h" },
    { "×", 1.5, "1.50×", "1.5×" },
    { "×", 300, "300×", "300×" },
    { "%", 69, "69.0 %", "69 %" },
    { "points", .5, "0.500 points", "0.5 points" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsClaim claim = { .claimed = { .low = 1, .high = 1, .unit = rows[i].unit } };

      g_test_message ("%g %s", rows[i].value, rows[i].unit);
      assert_said (ls_claim_number_text (&claim, rows[i].value), rows[i].known);
      assert_said (ls_claim_guess_text (&claim, rows[i].value), rows[i].guessed);
    }
}

/* What is claimed, and what is true or half true of it. */
static void
test_claimed (void)
{
  static const struct {
    LsClaimed claimed;
    LsClaimBand truth, half;
    const char *words, *thresholds;
  } rows[] = {
    { { 10, 100, "×", FALSE },
      { 10, INFINITY },
      { 5, INFINITY },
      "10–100×",
      "true: from 10× on; half true: from 5× on" },
    { { 10, 10, "s", FALSE }, { 5, 20 }, { 1, 0 }, "10 s", "true: from 5 s to 20 s" },
    { { 50, 50, "%", TRUE }, { 50, INFINITY }, { 1, 0 }, "over 50 %", "true: from 50 % on" },
    { { 50, 50, "%", TRUE },
      { 60, INFINITY },
      { 50, INFINITY },
      "over 50 %",
      "true: from 60 % on; half true: from 50 % on" },
    { { 50, 50, "%", TRUE }, { 40, INFINITY }, { 1, 0 }, "50 %", "true: from 40 % on" },
    { { 2, 2, "points", TRUE },
      { -INFINITY, 2 },
      { -INFINITY, 4 },
      "at most 2 points",
      "true: up to 2 points; half true: up to 4 points" },
    { { 2, 2, "×", TRUE },
      { 1.5, 2.5 },
      { 1, 3 },
      "2×",
      "true: from 1.5× to 2.5×; half true: from 1× to 3×" },
    { { 2, 2, "×", FALSE }, { 2, INFINITY }, { 1, 0 }, "2×", "true: from 2× on" },
    { { 4, 4, "s", FALSE }, { 3, 4 }, { 5, 5 }, "4 s", "true: from 3 s to 4 s; half true: from 5 s to 5 s" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsClaim claim = { .claimed = rows[i].claimed, .truth = rows[i].truth, .half = rows[i].half };

      assert_said (ls_claim_claimed_text (&claim), rows[i].words);
      assert_said (ls_claim_thresholds_text (&claim), rows[i].thresholds);
      g_assert_cmpfloat (ls_claim_share (&claim, 3 * rows[i].claimed.low), ==, 3); /* as many times so much */
      g_assert_cmpfloat (ls_claim_share (&claim, -1), ==, 0);
      g_assert_cmpfloat (ls_claim_share (&claim, INFINITY), ==, 0);
    }
}

/* ---- verdicts ---- */

typedef struct {
  const char *words;
  double value;
  LsClaimVerdict judged;
  gboolean aside; /* of a stand-in */
} Found;

static LsClaimResult
result_of (LsClaimVerdict verdict, const Found *found, guint n, LsClaimFinding *findings)
{
  for (guint i = 0; i < n; i++)
    findings[i] = (LsClaimFinding){ .words = (char *) found[i].words,
                                    .figure = { .value = found[i].value, .n = found[i].value > 0 },
                                    .judged = found[i].judged,
                                    .low = found[i].value / 2,
                                    .high = found[i].value * 2,
                                    .stand_in = found[i].aside };
  return (LsClaimResult){ .ref_count = 1, .verdict = verdict, .findings = findings, .n_findings = n };
}

static void
test_verdicts (void)
{
  static const struct {
    LsClaimVerdict verdict;
    Found found[3];
    const char *unit, *words;
    gboolean read_as;
  } rows[] = {
    { LS_CLAIM_TRUE,
      { { "CPU", 1.4, LS_CLAIM_TRUE }, { "OpenCL", 28, LS_CLAIM_TRUE } },
      "×",
      "True: CPU 1.40 times, OpenCL 28.0 times" },
    { LS_CLAIM_TRUE,
      { { NULL, 1.4, LS_CLAIM_TRUE }, { "OpenCL", 28, LS_CLAIM_TRUE, TRUE } },
      "%",
      "True: 1.40 %" }, /* a stand-in decides nothing */
    { LS_CLAIM_HALF,
      { { "CPU", 4, LS_CLAIM_NOT_HERE }, { "OpenCL", 28, LS_CLAIM_TRUE } },
      "×",
      "Half true: OpenCL yes, CPU no" },
    { LS_CLAIM_HALF,
      { { "CPU", 4, LS_CLAIM_HALF }, { "OpenCL", 28, LS_CLAIM_TRUE } },
      "×",
      "Half true: CPU 4.00 times, OpenCL 28.0 times" }, /* one is neither */
    { LS_CLAIM_HALF,
      { { "CPU", 4, LS_CLAIM_NOT_HERE }, { "OpenCL", 28, LS_CLAIM_TRUE }, { "both", 7, LS_CLAIM_HALF } },
      "×",
      "Half true: CPU 4.00 times, OpenCL 28.0 times, both 7.00 times" },
    { LS_CLAIM_OPEN,
      { { "CPU", 4, LS_CLAIM_OPEN }, { "OpenCL", 28, LS_CLAIM_TRUE } },
      "×",
      "Open: CPU 2.00× … 8.00×, OpenCL 28.0 times" },
    { LS_CLAIM_NOT_HERE, { { NULL, 2, LS_CLAIM_NOT_HERE } }, "s", "Not here: 5.00 times less" },
    { LS_CLAIM_NOT_HERE, { { NULL, 200, LS_CLAIM_NOT_HERE } }, "s", "Not here: 10.0 times more" },
    { LS_CLAIM_NOT_HERE,
      { { NULL, 2, LS_CLAIM_NOT_HERE }, { "OpenCL", 28, LS_CLAIM_NOT_HERE, TRUE } },
      "s",
      "Not here: 5.00 times less" }, /* nor is a stand-in a second one */
    { LS_CLAIM_NOT_HERE, { { NULL, 15, LS_CLAIM_NOT_HERE } }, "s", "Not here: 15.0 s" },
    { LS_CLAIM_NOT_HERE, { { NULL, 200, LS_CLAIM_NOT_HERE } }, "s", "Not here: 200 s", TRUE },
    { LS_CLAIM_NOT_HERE, { { NULL, 2, LS_CLAIM_NOT_HERE } }, "×", "Not here: 2.00 times" },
    { LS_CLAIM_NOT_HERE,
      { { "CPU", 2, LS_CLAIM_NOT_HERE }, { "OpenCL", 3, LS_CLAIM_NOT_HERE } },
      "s",
      "Not here: CPU 2.00 s, OpenCL 3.00 s" }, /* two have no one distance */
    { LS_CLAIM_NOT_MEASURABLE, { { NULL, 0 } }, "×", "Not measurable here" },
    { LS_CLAIM_NONE, { { NULL, 0 } }, "×", "Not run yet" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsClaim claim
        = { .claimed = { .low = 10, .high = 20, .unit = rows[i].unit, .read_as = rows[i].read_as } };
      LsClaimFinding findings[3];
      const LsClaimResult result = result_of (
        rows[i].verdict, rows[i].found,
        1 + (rows[i].found[1].words != NULL) + (rows[i].found[2].words != NULL), findings);

      assert_said (ls_claim_verdict_text (&claim, &result), rows[i].words);
    }
}

/* How far what is open may be, but for ends that look alike, which would be no range. */
static void
test_open (void)
{
  static const struct {
    double low, high;
    const char *words;
  } rows[] = {
    { 1.9, 2.1, "Open: CPU 1.90× … 2.10×" },
    { 1.99, 2.001, "Open: CPU 1.99× … 2.00×" },
    { 1.999, 2.001, "Open: CPU 2.00 times" },
    { 2, 2, "Open: CPU 2.00 times" },
  };
  const LsClaim claim = { .claimed = { .low = 2, .high = 2, .unit = "×" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsClaimFinding finding = { .words = (char *) "CPU",
                                 .figure = { .value = 2, .n = 3 },
                                 .judged = LS_CLAIM_OPEN,
                                 .low = rows[i].low,
                                 .high = rows[i].high };
      const LsClaimResult result = { .verdict = LS_CLAIM_OPEN, .findings = &finding, .n_findings = 1 };

      assert_said (ls_claim_verdict_text (&claim, &result), rows[i].words);
    }
}

/* Each verdict has its note, or that of any; of what isn't measurable why it isn't, and what stands in its
 * place. */
static void
test_notes (void)
{
  LsClaim claim = { .claimed = { .low = 10, .high = 10, .unit = "×" },
                    .truth = { 10, INFINITY },
                    .half = { 1, 0 },
                    .notes = { [LS_CLAIM_NONE] = (char *) "any", [LS_CLAIM_TRUE] = (char *) "so it is" } };
  LsClaimFinding findings[]
    = { { .figure = { .value = 8, .n = 1, .evidence = LS_EVIDENCE_PUBLISHED },
          .instead = TRUE,
          .words = (char *) "A100" },
        { .figure = { .value = 3, .n = 1, .evidence = LS_EVIDENCE_MODELLED }, .instead = TRUE },
        { .figure = { .value = 2, .n = 1 } } };
  LsClaimResult result = { .verdict = LS_CLAIM_TRUE, .findings = findings, .n_findings = 3 };

  assert_said (ls_claim_note_text (&claim, &result), "so it is");
  result.verdict = LS_CLAIM_HALF;
  assert_said (ls_claim_note_text (&claim, &result), "any");
  result.verdict = LS_CLAIM_OPEN; /* what is open says between what */
  assert_said (ls_claim_note_text (&claim, &result), "the spread lies on both sides (true: from 10× on)");
  claim.notes[LS_CLAIM_OPEN] = (char *) "who knows";
  assert_said (ls_claim_note_text (&claim, &result), "who knows");
  result.busy = TRUE;
  assert_said (ls_claim_note_text (&claim, &result),
               "the machine was busy with other programs: run it again on a quiet one");
  result.verdict = LS_CLAIM_NOT_MEASURABLE;
  assert_said (ls_claim_note_text (&claim, &result), "Published: 8.00×, A100. Modelled: 3.00×.");
  assert_said (ls_claim_note_brief (&claim, &result), "Modelled: 3.00×. Published: 8.00×, A100.");
  result.why = (char *) "No GPU here.";
  assert_said (ls_claim_note_text (&claim, &result), "No GPU here. Published: 8.00×, A100. Modelled: 3.00×.");
  result.n_findings = 0;
  assert_said (ls_claim_note_brief (&claim, &result), "No GPU here.");
  assert_said (ls_claim_note_text (&claim, NULL), "any"); /* before it is run */
}

/* Several that stand in are told from the least to the most, whatever their order is; where these look alike,
 * once; one alone with its words. */
static void
test_range (void)
{
  static const struct {
    double values[3]; /* 0: there is none */
    const char *words;
  } rows[] = {
    { { 8, 0, 0 }, "Published: 8.00×, first." },
    { { 0, 8, 0 }, "Published: 8.00×, second." },
    { { 8, 9, 0 }, "Published: 8.00× to 9.00×." },
    { { 9, 7, 8 }, "Published: 7.00× to 9.00×." },
    { { 7, 9, 8 }, "Published: 7.00× to 9.00×." },
    { { 8, 8, 0 }, "Published: 8.00×." },
    { { 8, 8.001, 0 }, "Published: 8.00×." },
    { { 8.001, 8, 8.002 }, "Published: 8.00×." },
    { { 8.01, 8, 8.002 }, "Published: 8.00× to 8.01×." },
  };
  const LsClaim claim = { .claimed = { .low = 10, .high = 10, .unit = "×" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      static const char *const names[] = { "first", "second", "third" };
      LsClaimFinding findings[3];
      const LsClaimResult result
        = { .verdict = LS_CLAIM_NOT_MEASURABLE, .findings = findings, .n_findings = 3 };

      for (guint k = 0; k < 3; k++)
        findings[k] = (LsClaimFinding){ .figure = { .value = rows[i].values[k],
                                                    .n = rows[i].values[k] > 0,
                                                    .evidence = LS_EVIDENCE_PUBLISHED },
                                        .instead = TRUE,
                                        .words = (char *) names[k] };
      assert_said (ls_claim_note_brief (&claim, &result), rows[i].words);
    }
}

/* All of them in a sentence: each verdict that there is, and last those that weren't run. */
static void
test_counts (void)
{
  static const LsClaimVerdict verdicts[] = { LS_CLAIM_NOT_MEASURABLE, LS_CLAIM_TRUE, LS_CLAIM_OPEN,
                                             LS_CLAIM_HALF,           LS_CLAIM_TRUE, LS_CLAIM_NOT_HERE };
  LsClaimResult results[G_N_ELEMENTS (verdicts)];
  LsClaimRow rows[G_N_ELEMENTS (verdicts) + 1] = { 0 };
  LsClaims claims = { .n = G_N_ELEMENTS (rows), .rows = rows };

  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
    {
      results[i] = (LsClaimResult){ .verdict = verdicts[i] };
      rows[i].result = &results[i];
    }
  assert_said (ls_claims_counts_text (&claims), "7 claims: 2 true, 1 half true, 1 not here, 1 open, "
                                                "1 not measurable here, 1 not run yet.");
  claims.n = 1;
  assert_said (ls_claims_counts_text (&claims), "1 claim: 1 not measurable here.");
}

/* ---- what is run ---- */

/* What a way does and on what; what the one before did, too, isn't said again; and how long it took. */
static void
test_how (void)
{
  static const struct {
    const char *run, *lane, *words;
    guint steps, bits;
  } rows[] = {
    { "product\t1000", "cpu(threads=1, cpu-kernels=naive)",
      "w: two matrices of 1 000×1 000 multiplied; CPU lane, 1 thread, plain loops" },
    { "product\t2000\t1\t500", "cpu(threads=8,cpu-kernels=scalar)",
      "w: a matrix of 2 000×500 times a vector; CPU lane, 8 threads, loops in blocks, one number at a time" },
    { "product\t20\t30\t40", "opencl(fusion=off)",
      "w: matrices of 20×40 and 40×30 multiplied; OpenCL lane, op by op" },
    { "copied\t64", "opencl(precision=bf16)",
      "w: two matrices of 64×64 multiplied, with copies to the device and back; OpenCL lane, numbers kept in "
      "bf16" },
    { "forward\tmlp\tmnist\t1", "opencl(precision=fp16,fusion=on)",
      "w: the way forward of “mlp” on mnist, batch 1; OpenCL lane, numbers kept in fp16, ops fused" },
    { "forward\tmlp\tmnist\t2", "cpu(threads=2, precision=fp32, cpu-kernels=naive)",
      "w: the way forward of “mlp” on mnist, batch 2; CPU lane, 2 threads, fp32, plain loops" },
    { "step\tcnn\tmnist\t1024", "cpu", "w: a training step of “cnn” on mnist, batch 1 024; CPU lane" },
    { "step\tcnn\tmnist\t32", "cpu(policy=static)",
      "w: a training step of “cnn” on mnist, batch 32, 400 times; CPU lane, policy static", 400 },
    { "step\tcnn\tmnist\t32", "cpu", "w: a training step of “cnn” on mnist, batch 32, 1 time; CPU lane", 1 },
    { "step\tcnn\tmnist\t32", "cpu(precision=fp32)",
      "w: a training step of “cnn” on mnist, batch 32, 400 times, then converted to whole numbers of 8 bits; "
      "CPU lane, fp32",
      400, 8 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsClaimWay ways[2] = { { .words = (char *) "w",
                               .lane = (char *) rows[i].lane,
                               .who = rows[i].lane[0] == 'c' ? LS_BACKEND_CPU : LS_BACKEND_OPENCL,
                               .run = (char *) rows[i].run,
                               .steps = rows[i].steps,
                               .bits = rows[i].bits } };
      const LsClaim claim = { .claimed = { 1, 1, "×", FALSE }, .ways = ways, .n_ways = 2 };

      ways[1] = ways[0];
      g_auto (GStrv) how = ls_claim_how_text (&claim, NULL, TRUE);
      assert_said (g_strdup (how[0]), rows[i].words);
      g_assert_true (g_str_has_prefix (how[1], "w: the same; "));
      g_assert_cmpuint (g_strv_length (how), ==, 3);
      ways[1].steps++;
      g_auto (GStrv) longer = ls_claim_how_text (&claim, NULL, TRUE);
      g_assert_false (g_str_has_prefix (longer[1], "w: the same; "));
    }
}

static void
test_times (void)
{
  LsClaimWay ways[] = {
    { .words = (char *) "Python", .given = { .value = 100, .n = 1 } },
    { .words = (char *) "C", .lane = (char *) "cpu", .who = LS_BACKEND_CPU, .run = (char *) "product\t8" }
  };
  LsClaimWayTime times[] = { { { 0 } }, { .time = { .value = .0012, .n = 7 } } };
  const LsClaim claim = { .claimed = { 1, 1, "ms", FALSE }, .ways = ways, .n_ways = 2 };
  LsClaimResult result = { .ways = times, .n_ways = 2, .rounds = 7, .seconds = 12, .busy = TRUE };
  const LsClaimRow row = { .claim = (LsClaim *) &claim,
                           .guessed = TRUE,
                           .guess = 2.5,
                           .guess_date = (char *) "2026-11-24T05:09Z",
                           .result = &result };
  g_auto (GStrv) how = ls_claim_how_text (&claim, &row, TRUE);

  g_assert_cmpuint (g_strv_length (how), ==, 5);
  assert_said (g_strdup (how[0]), "Python: 100 s, not run");
  assert_said (g_strdup (how[1]), "C: two matrices of 8×8 multiplied; CPU lane; 1.20 ms, median of 7");
  assert_said (g_strdup (how[2]), "The way is a process of its own, measured 7 times in 12 s.");
  assert_said (g_strdup (how[3]), "Guess: 2.5 ms, of 2026-11-24T05:09Z, before it was run.");
  assert_said (g_strdup (how[4]), "The machine was busy with other programs.");
  g_auto (GStrv) plain = ls_claim_how_text (&claim, &row, FALSE);
  assert_said (g_strdup (plain[1]), "C: two matrices of 8×8 multiplied; CPU lane");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/claims/words/numbers", test_numbers);
  g_test_add_func ("/claims/words/claimed", test_claimed);
  g_test_add_func ("/claims/words/verdicts", test_verdicts);
  g_test_add_func ("/claims/words/open", test_open);
  g_test_add_func ("/claims/words/notes", test_notes);
  g_test_add_func ("/claims/words/range", test_range);
  g_test_add_func ("/claims/words/counts", test_counts);
  g_test_add_func ("/claims/words/how", test_how);
  g_test_add_func ("/claims/words/times", test_times);
  return g_test_run ();
}
