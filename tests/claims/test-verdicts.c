/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What made-up figures come to, and in which words.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rig.h"

#define ONE                                                                                                  \
  "\"true\": {\"from\": 2}, \"half\": {\"from\": 1.5}, \"outcomes\": [{\"is\": \"time(a) / time(b)\"}]"
#define TWO                                                                                                  \
  "\"true\": {\"from\": 2}, \"half\": {\"from\": 1.5}, \"outcomes\": ["                                      \
  "{\"who\": \"cpu\", \"is\": \"time(a) / time(b)\"}, {\"who\": \"opencl\", \"is\": \"accuracy(a)\"}]"

static TempDir dir;

/* b takes 1 s, so that an outcome is what a takes. */
static void
test_one (void)
{
  static const struct {
    double q1, median, q3;
    LsClaimVerdict verdict;
    const char *words;
  } rows[] = {
    { 2.9, 3, 3.1, LS_CLAIM_TRUE, "True: 3.00 times" },
    { 2.08, 2.1, 2.12, LS_CLAIM_TRUE, "True: 2.10 times" },
    /* medians drift by 3 % */
    { 2.02, 2.03, 2.04, LS_CLAIM_OPEN, "Open: 1.97× … 2.09×" },
    { 1.9, 2.5, 3, LS_CLAIM_OPEN, "Open: 1.90× … 3.00×" },
    { 1.6, 1.75, 1.9, LS_CLAIM_HALF, "Half true: 1.75 times" },
    { 1.4, 1.75, 1.9, LS_CLAIM_OPEN, "Open: 1.40× … 1.90×" },
    { .9, 1, 1.1, LS_CLAIM_NOT_HERE, "Not here: 1.00 times" },
    { .9, 1.47, 1.48, LS_CLAIM_OPEN, "Open: 0.900× … 1.51×" },
    { 1.3, 1.7, 2.3, LS_CLAIM_OPEN, "Open: 1.30× … 2.30×" },
    { 999.6, 999.6, 999.6, LS_CLAIM_TRUE, "True: 1\342\200\211000 times" },
    { 99.96, 99.96, 99.96, LS_CLAIM_TRUE, "True: 100 times" },
    { 9.996, 9.996, 9.996, LS_CLAIM_TRUE, "True: 10.0 times" },
    { 1234.4, 1234.4, 1234.4, LS_CLAIM_TRUE, "True: 1\342\200\211230 times" },
  };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "one", "\"value\": 2, \"unit\": \"×\"", ONE);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      LsClaimKnown known;

      rig_known (claim, &known);
      known.ways[0].time = rig_figure (rows[i].q1, rows[i].median, rows[i].q3);
      known.ways[1].time = rig_figure (1, 1, 1);
      result = rig_conclude (&known, FALSE, NULL);
      if (result->verdict != rows[i].verdict)
        g_error ("of %g, from %g to %g, it says “%s”, not “%s”", rows[i].median, rows[i].q1, rows[i].q3,
                 ls_claim_verdict_name (result->verdict), ls_claim_verdict_name (rows[i].verdict));
      g_assert_cmpint (result->findings[0].judged, ==, result->verdict);
      g_assert_cmpint (result->findings[0].figure.evidence, ==, LS_EVIDENCE_DERIVED);
      rig_assert_text (ls_claim_verdict_text (claim, result), rows[i].words);
    }
}

/* What was measured beside other programs may be half as much again. */
static void
test_busy (void)
{
  g_autoptr (LsClaim) claim = rig_claim (&dir, "busy", "\"value\": 2, \"unit\": \"×\"", ONE);
  static const struct {
    double value;
    LsClaimVerdict quiet, busy;
  } rows[] = { { 2.5, LS_CLAIM_TRUE, LS_CLAIM_OPEN },
               { 3.1, LS_CLAIM_TRUE, LS_CLAIM_TRUE },
               { 1.1, LS_CLAIM_NOT_HERE, LS_CLAIM_OPEN },
               { .9, LS_CLAIM_NOT_HERE, LS_CLAIM_NOT_HERE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint busy = 0; busy < 2; busy++)
      {
        g_autoptr (LsClaimResult) result = ls_claim_result_new (claim);

        result->busy = busy != 0;
        result->n_findings = 1;
        result->findings[0].figure = rig_figure (rows[i].value, rows[i].value, rows[i].value);
        ls_claim_judge (claim, result);
        g_assert_cmpint (result->verdict, ==, busy ? rows[i].busy : rows[i].quiet);
        if (result->verdict == LS_CLAIM_OPEN)
          rig_assert_text (ls_claim_note_text (claim, result),
                           "the machine was busy with other programs: run it again on a quiet one");
      }
}

static void
test_two (void)
{
  static const struct {
    double cpu, opencl, spread; /* of the second */
    LsClaimVerdict verdict;
    const char *words;
  } rows[] = {
    { 3, 4, .1, LS_CLAIM_TRUE, "True: CPU 3.00 times, OpenCL 4.00 times" },
    { 1, 4, .1, LS_CLAIM_HALF, "Half true: OpenCL yes, CPU no" },
    { 4, 1, .1, LS_CLAIM_HALF, "Half true: CPU yes, OpenCL no" },
    { 1, 1, .1, LS_CLAIM_NOT_HERE, "Not here: CPU 1.00 times, OpenCL 1.00 times" },
    { 1.7, 1, .1, LS_CLAIM_HALF, "Half true: CPU 1.70 times, OpenCL 1.00 times" },
    { 3, 2, .1, LS_CLAIM_OPEN, "Open: CPU 3.00 times, OpenCL 1.90× … 2.10×" },
    /* the first isn't true, whatever the second is between half and true: half */
    { 1, 2, .1, LS_CLAIM_HALF, "Half true: CPU 1.00 times, OpenCL 2.00 times" },
    { 1, 1.5, .1, LS_CLAIM_OPEN, "Open: CPU 1.00 times, OpenCL 1.40× … 1.60×" },
  };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "two", "\"value\": 2, \"unit\": \"×\"", TWO);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      LsClaimKnown known;

      rig_known (claim, &known);
      known.ways[0].time = rig_figure (rows[i].cpu, rows[i].cpu, rows[i].cpu);
      known.ways[1].time = rig_figure (1, 1, 1);
      known.ways[0].accuracy = rig_figure (rows[i].opencl - rows[i].spread, rows[i].opencl,
                                           rows[i].opencl + rows[i].spread);
      result = rig_conclude (&known, FALSE, NULL);
      rig_assert_text (ls_claim_verdict_text (claim, result), rows[i].words);
      g_assert_cmpint (result->verdict, ==, rows[i].verdict);
    }
}

/* ---- beside a search through all that both may be ---- */

static LsClaimVerdict
brute_force (const LsClaim *claim, const LsFigure *a, const LsFigure *b)
{
  gboolean any[LS_CLAIM_N_VERDICTS] = { FALSE };
  guint n = 0;
  LsClaimVerdict only = LS_CLAIM_NONE;

  for (guint i = 0; i <= 400; i++)
    for (guint j = 0; j <= 400; j++)
      {
        const double values[] = { a->q1 + (a->q3 - a->q1) * i / 400, b->q1 + (b->q3 - b->q1) * j / 400 };
        guint n_true = 0, n_not = 0;

        for (guint k = 0; k < 2; k++)
          {
            const gboolean is = values[k] >= claim->truth.from && values[k] <= claim->truth.to,
                           half = values[k] >= claim->half.from && values[k] <= claim->half.to;
            n_true += is;
            n_not += !is && !half;
          }
        any[n_true == 2 ? LS_CLAIM_TRUE : n_not == 2 ? LS_CLAIM_NOT_HERE : LS_CLAIM_HALF] = TRUE;
      }
  for (guint i = 0; i < LS_CLAIM_N_VERDICTS; i++)
    if (any[i])
      {
        n++;
        only = (LsClaimVerdict) i;
      }
  return n == 1 ? only : LS_CLAIM_OPEN;
}

static void
test_search (void)
{
  static const char both[] = "\"true\": {\"from\": 2, \"to\": 4}, \"half\": {\"from\": 1.5, \"to\": 5}, "
                             "\"outcomes\": [{\"who\": \"cpu\", \"is\": \"accuracy(a)\"}, "
                             "{\"who\": \"opencl\", \"is\": \"accuracy(a) + memory_bound(a)\"}]";
  g_autoptr (LsClaim) claim = rig_claim (&dir, "search", "\"value\": 2, \"unit\": \"×\"", both);
  guint verdicts[LS_CLAIM_N_VERDICTS] = { 0 };

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      const double low = g_test_rand_double_range (.5, 6), other = g_test_rand_double_range (.5, 6);

      result = ls_claim_result_new (claim);
      result->n_findings = 2;
      result->findings[0].figure = rig_figure (low, low + .05, low + g_test_rand_double_range (.1, 1));
      result->findings[1].figure = rig_figure (other, other + .05, other + g_test_rand_double_range (.1, 1));
      result->findings[0].figure.value = result->findings[0].figure.q1; /* memory has a clock, and drifts */
      result->findings[1].figure.q1 = result->findings[1].figure.value / 1.03;
      result->findings[1].figure.q3 = MAX (result->findings[1].figure.q3,
                                           result->findings[1].figure.value * 1.03);
      ls_claim_judge (claim, result);
      if (result->verdict != brute_force (claim, &result->findings[0].figure, &result->findings[1].figure))
        g_error ("%g … %g and %g … %g are judged “%s”", result->findings[0].figure.q1,
                 result->findings[0].figure.q3, result->findings[1].figure.q1, result->findings[1].figure.q3,
                 ls_claim_verdict_name (result->verdict));
      verdicts[result->verdict]++;
    }
  g_assert_cmpuint (verdicts[LS_CLAIM_OPEN], >, 0);
}

/* ---- what isn't here ---- */

static void
test_stand_in (void)
{
  static const char gpu[]
    = "\"true\": {\"from\": 2}, \"needs\": \"gpu\", "
      "\"outcomes\": [{\"is\": \"time(a) / time(b)\"}], "
      "\"instead\": [{\"is\": \"2 * published(4)\", \"words\": {\"en\": \"elsewhere\"}, "
      "\"source\": {\"title\": \"B\", \"address\": \"https://example.org/b\", \"seen\": "
      "\"2026-11-24\"}, \"quote\": \"4\"}]";
  g_autoptr (LsClaim) claim = rig_claim (&dir, "stand-in", "\"low\": 2, \"high\": 9, \"unit\": \"×\"", gpu);
  g_autoptr (LsClaimResult) without = NULL, with = NULL;
  LsClaimKnown known;

  rig_known (claim, &known);
  known.ways[0].time = rig_figure (3, 3, 3);
  known.ways[1].time = rig_figure (1, 1, 1);
  without = rig_conclude (&known, TRUE, ls_claim_needs_text (LS_CLAIM_NEEDS_GPU));
  /* three times as fast on the processor itself is no verdict about graphics cards */
  g_assert_cmpint (without->verdict, ==, LS_CLAIM_NOT_MEASURABLE);
  g_assert_cmpuint (without->n_findings, ==, 2);
  g_assert_true (without->findings[0].stand_in);
  g_assert_cmpfloat (without->findings[0].figure.value, ==, 3);
  g_assert_cmpstr (without->findings[0].words, ==, "OpenCL on the CPU");
  g_assert_true (without->findings[1].instead);
  g_assert_cmpint (without->findings[1].figure.evidence, ==, LS_EVIDENCE_PUBLISHED);
  rig_assert_text (ls_claim_verdict_text (claim, without), "Not measurable here");
  rig_assert_text (ls_claim_note_text (claim, without),
                   "No GPU here: the OpenCL device is this processor. Published: 8.00×, elsewhere.");
  with = rig_conclude (&known, FALSE, NULL);
  g_assert_cmpint (with->verdict, ==, LS_CLAIM_TRUE);
  g_assert_cmpuint (with->n_findings, ==, 1);
  g_assert_false (with->findings[0].stand_in);
}

/* What failed says why; one of two that failed leaves the other. */
static void
test_failed (void)
{
  g_autoptr (LsClaim) one = rig_claim (&dir, "failed", "\"value\": 2, \"unit\": \"×\"", ONE),
                      two = rig_claim (&dir, "failed-two", "\"value\": 2, \"unit\": \"×\"", TWO);
  g_autoptr (LsClaimResult) none = NULL, half = NULL, open = NULL, missing = NULL;
  LsClaimKnown known;

  rig_known (one, &known);
  known.ways[0].time = rig_figure (3, 3, 3);
  known.ways[1].why = "There is no OpenCL device.";
  none = rig_conclude (&known, FALSE, NULL);
  g_assert_cmpint (none->verdict, ==, LS_CLAIM_NOT_MEASURABLE);
  rig_assert_text (ls_claim_note_text (one, none), "way b: There is no OpenCL device.");
  known.claim = two;
  known.ways[0].accuracy = rig_figure (3, 3, 3);
  half = rig_conclude (&known, FALSE, NULL);
  g_assert_cmpint (half->verdict, ==, LS_CLAIM_TRUE);
  rig_assert_text (ls_claim_verdict_text (two, half), "True: OpenCL 3.00 times");
  known.ways[0].accuracy = rig_figure (1, 3, 4);
  open = rig_conclude (&known, FALSE, NULL);
  rig_assert_text (ls_claim_verdict_text (two, open), "Open: OpenCL 1.00× … 4.00×");
  /* what wasn't measured stands in for nothing */
  rig_known (one, &known);
  missing = rig_conclude (&known, TRUE, "No GPU here.");
  g_assert_false (missing->findings[0].stand_in);
  g_assert_null (missing->findings[0].words);
}

/* What slows all ways of a round alike isn't in the outcome's spread. */
static void
test_rounds (void)
{
  g_autoptr (LsClaim) claim = rig_claim (&dir, "rounds", "\"value\": 2, \"unit\": \"×\"", ONE);
  g_autoptr (GArray) a = g_array_new (FALSE, FALSE, sizeof (double)),
                     b = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (LsClaimResult) result = NULL;
  LsClaimKnown known;
  const LsFigure *figure;

  for (guint i = 0; i < 9; i++)
    {
      const double busy = 1 + i % 3, times[] = { (3 + .01 * i) * busy, busy };

      g_array_append_val (a, times[0]);
      g_array_append_val (b, times[1]);
    }
  rig_known (claim, &known);
  known.ways[0].time = rig_figure (3.03, 6.04, 9.05);
  known.ways[1].time = rig_figure (1, 2, 3);
  known.ways[0].turns = a;
  known.ways[1].turns = b;
  result = rig_conclude (&known, FALSE, NULL);
  figure = &result->findings[0].figure;
  /* by hand: 3.00, 3.01 … 3.08 */
  g_assert_cmpfloat_with_epsilon (figure->value, 3.04, 1e-9);
  g_assert_cmpfloat_with_epsilon (figure->q1, 3.02, 1e-9);
  g_assert_cmpfloat_with_epsilon (figure->q3, 3.06, 1e-9);
  g_assert_cmpuint (figure->n, ==, 9);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_TRUE);
  /* one that isn't run has no rounds, and takes none of the other's: of 3.00, 3.03, 3.06, 6.02 … 9.24 */
  claim->ways[1].given = rig_figure (1, 1, 1);
  known.ways[1] = (LsClaimMeasured){ 0 };
  g_autoptr (LsClaimResult) beside = rig_conclude (&known, FALSE, NULL);
  figure = &beside->findings[0].figure;
  if (figure->n != 9 || ABS (figure->value - 6.08) + ABS (figure->q1 - 3.06) + ABS (figure->q3 - 9.06) > 1e-9)
    g_error ("beside a way that isn't run it is %g, from %g to %g, of %u rounds", figure->value, figure->q1,
             figure->q3, (guint) figure->n);
}

/* ---- words ---- */

static void
test_words (void)
{
  g_autoptr (LsClaim) time = rig_claim (
    &dir, "time", "\"value\": 10, \"unit\": \"s\"",
    "\"true\": {\"from\": 5, \"to\": 20}, \"outcomes\": [{\"is\": \"time(a)\"}], "
    "\"notes\": {\"not-here\": {\"en\": \"once\"}}, "
    "\"would\": {\"words\": {\"en\": \"more\"}, \"evidence\": \"modelled\", "
    "\"here\": {\"en\": \"here {} ns\"}, \"is\": \"time(a) / 1000\", \"unit\": \"ns\"}"),
                      share = rig_claim (&dir, "share", "\"value\": 50, \"unit\": \"%\"",
                                         "\"read_as\": {\"en\": \"half\"}, \"true\": {\"from\": 50}, "
                                         "\"outcomes\": [{\"is\": \"memory_bound(a)\"}]");
  g_autoptr (LsClaimResult) result = NULL, slow = NULL, part = NULL;
  LsClaimKnown known;

  rig_known (time, &known);
  known.ways[0].time = rig_figure (.0043, .0044, .0045);
  result = rig_conclude (&known, FALSE, NULL);
  rig_assert_text (ls_claim_verdict_text (time, result), "Not here: 2\342\200\211270 times less");
  rig_assert_text (ls_claim_note_text (time, result), "once");
  rig_assert_text (ls_claim_would_text (time, result), "here 4\342\200\211400 ns");
  rig_assert_text (ls_claim_number_text (time, result->findings[0].figure.value), "4.40\342\200\257ms");
  rig_assert_text (ls_claim_claimed_text (time), "10\342\200\257s");
  rig_assert_text (ls_claim_thresholds_text (time), "true: from 5\342\200\257s to 20\342\200\257s");
  g_assert_cmpfloat_with_epsilon (ls_claim_share (time, .0044), .00044, 1e-12);
  g_assert_cmpint (result->findings[0].figure.evidence, ==, LS_EVIDENCE_MEASURED);
  known.ways[0].time = rig_figure (39, 40, 41);
  slow = rig_conclude (&known, FALSE, NULL);
  rig_assert_text (ls_claim_verdict_text (time, slow), "Not here: 4.00 times more");
  rig_assert_text (ls_claim_verdict_text (time, NULL), "Not run yet");

  rig_known (share, &known);
  known.ways[0].bound = rig_figure (.1, .1, .1);
  part = rig_conclude (&known, FALSE, NULL);
  rig_assert_text (ls_claim_verdict_text (share, part), "Not here: 10.0\342\200\257%");
  rig_assert_text (ls_claim_claimed_text (share), "over 50\342\200\257%");
}

/* What would make it true was measured beside what decides: then the note says that, and not the other. */
static void
test_would (void)
{
  static const struct {
    double value;
    const char *note;
  } rows[] = { { .0019, "not that either" },
               { .002, "that one does" },
               { .01, "that one does" },
               { .011, "not that either" },
               { 11, NULL } };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "would", "\"value\": 10, \"unit\": \"s\"",
    "\"true\": {\"from\": 5, \"to\": 20}, \"outcomes\": [{\"is\": \"time(a)\"}], "
    "\"notes\": {\"not-here\": {\"en\": \"not that either\"}}, "
    "\"would\": {\"words\": {\"en\": \"2 to 10\"}, \"evidence\": \"modelled\", \"here\": {\"en\": \"{}\"}, "
    "\"is\": \"time(a) * 1e3\", \"unit\": \"s\", \"within\": {\"from\": 2, \"to\": 10}, "
    "\"note\": {\"en\": \"that one does\"}}");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      LsClaimKnown known;

      rig_known (claim, &known);
      known.ways[0].time = rig_figure (rows[i].value, rows[i].value, rows[i].value);
      result = rig_conclude (&known, FALSE, NULL);
      g_test_message ("%g", rows[i].value);
      rig_assert_text (ls_claim_note_text (claim, result), rows[i].note);
    }
}

/* The line that tells how often ways took turns. (transfer full) */
static char *
turns_of (const LsClaim *claim, LsClaimResult *result)
{
  LsClaimRow row = { .claim = (LsClaim *) claim, .result = result };
  g_auto (GStrv) lines = ls_claim_how_text (claim, &row, FALSE);

  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  g_assert_null (strstr (lines[0], "median")); /* times weren't asked for */
  return g_strdup (lines[2]);
}

/* As many as there were, not as were meant. */
static void
test_turns (void)
{
  static const struct {
    guint a, b;
    const char *words;
  } rows[] = { { 10, 10, "they took turns, 10 each in 10 s." },
               { 3, 3, "they took turns, 3 each instead of 10, for" },
               { 3, 10, "they took turns, 3–10 each instead of 10, for" },
               { 0, 4, "they took turns, 4 each instead of 10, for" },
               { 0, 0, "Each way is a process of its own." } };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "turns", "\"value\": 2, \"unit\": \"×\"", ONE);
  g_autofree char *before = turns_of (claim, NULL);

  g_assert_nonnull (strstr (before, "they take turns, 10 each in 10 s, or fewer"));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = ls_claim_result_new (claim);
      g_autofree char *text = NULL;

      result->seconds = 10;
      result->rounds = 10;
      result->ways[0].time.n = rows[i].a;
      result->ways[1].time.n = rows[i].b;
      text = turns_of (claim, result);
      if (strstr (text, rows[i].words) == NULL)
        g_error ("“%s” doesn't say “%s”", text, rows[i].words);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/verdicts/one", test_one);
  g_test_add_func ("/claims/verdicts/busy", test_busy);
  g_test_add_func ("/claims/verdicts/two", test_two);
  g_test_add_func ("/claims/verdicts/search", test_search);
  g_test_add_func ("/claims/verdicts/stand-in", test_stand_in);
  g_test_add_func ("/claims/verdicts/failed", test_failed);
  g_test_add_func ("/claims/verdicts/rounds", test_rounds);
  g_test_add_func ("/claims/verdicts/words", test_words);
  g_test_add_func ("/claims/verdicts/would", test_would);
  g_test_add_func ("/claims/verdicts/turns", test_turns);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
