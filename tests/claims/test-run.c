/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims that are really run, for tenths of seconds, on the CPU lane: this program is its own worker.
 */
#include "config.h"

#include <math.h>
#include <unistd.h>

#include "lab/kept.h"
#include "lab/worker.h"
#include "lab/step.h"
#include "machines/converted/converted.h"
#include "folder.h"
#include "rig.h"

static TempDir dir;

/* Of ways that the CPU lane alone runs. */
static LsClaim *
load (const char *name, const char *ways, const char *more)
{
  g_autofree char *file
    = g_strconcat (name, ".claim", NULL),
    *path = temp_path (&dir, file),
    *text = g_strdup_printf (
      "{\"format\": \"lockstep-claim\", \"version\": 1, \"sentence\": {\"en\": \"It is so.\"},\n"
      "\"source\": {\"title\": \"A page\", \"address\": \"https://example.org/\", \"seen\": "
      "\"2026-11-24\"},\n"
      "\"quote\": \"so it is\", \"ways\": [%s], %s}\n",
      ways, more);
  g_autoptr (GError) error = NULL;
  LsClaim *claim;

  put_file (path, text, strlen (text));
  claim = ls_claim_load (path, &error);
  g_assert_no_error (error);
  return claim;
}

typedef struct {
  guint heard, last_done, n, problems;
  GCancellable *cancel; /* cancelled when something is heard; NULL */
} Heard;

static void
heard_cb (const LsLabNews *news, gpointer data)
{
  Heard *heard = data;

  heard->heard++;
  heard->problems += news->said != NULL && news->problem && strstr (news->said, "busy") == NULL;
  g_assert_cmpuint (news->done, >=, heard->last_done);
  g_assert_cmpuint (news->done, <=, news->n);
  g_assert_cmpfloat (news->seconds_left, >=, 0);
  heard->last_done = news->done;
  heard->n = news->n;
  if (heard->cancel != NULL)
    g_cancellable_cancel (heard->cancel);
}

static LsClaimResult *
run (LsClaim *claim, double seconds, guint rounds, Heard *heard, GError **error)
{
  const LsClaimWish wish = { .claim = claim, .seconds = seconds, .rounds = rounds };

  return ls_claims_run (&wish, heard_cb, heard, heard->cancel, error);
}

/* A thousand multiply-adds against a million on one thread: nobody can be so disturbed that it isn't more. */
static void
test_times (void)
{
  g_autoptr (LsClaim) claim = load (
    "times",
    "{\"name\": \"large\", \"words\": {\"en\": \"large\"}, \"lane\": \"cpu(threads=1,cpu-kernels=naive)\", "
    "\"run\": [\"product\", \"100\"]}, "
    "{\"name\": \"small\", \"words\": {\"en\": \"small\"}, \"lane\": \"cpu(threads=1,cpu-kernels=naive)\", "
    "\"run\": [\"product\", \"10\"]}, "
    "{\"name\": \"copied\", \"words\": {\"en\": \"copied\"}, \"lane\": \"cpu(threads=1)\", "
    "\"run\": [\"copied\", \"10\", \"1\", \"30\"]}, "
    "{\"name\": \"told\", \"words\": {\"en\": \"told\"}, \"takes\": {\"value\": 3, \"unit\": \"s\", "
    "\"evidence\": "
    "\"modelled\"}}",
    "\"claimed\": {\"value\": 10, \"unit\": \"×\"}, \"true\": {\"from\": 3}, "
    "\"outcomes\": [{\"is\": \"time(large) / time(small)\"}], "
    "\"would\": {\"words\": {\"en\": \"x\"}, \"evidence\": \"modelled\", \"here\": {\"en\": \"{}\"}, "
    "\"is\": \"flop(copied) * threads(copied)/flop(small)\", \"unit\": \"×\"}");
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaimResult) result = run (claim, .3, 4, &heard, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (heard.problems, ==, 0);
  g_assert_cmpuint (heard.n, ==, 4);
  g_assert_cmpuint (heard.last_done, ==, 4);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (result->ways[i].time.n, >=, 1);
      g_assert_cmpuint (result->ways[i].time.n, <=, 4);
      g_assert_cmpfloat (result->ways[i].time.value, >, 0);
      g_assert_cmpint (result->ways[i].time.evidence, ==, LS_EVIDENCE_MEASURED);
      g_assert_nonnull (result->ways[i].device);
      g_assert_nonnull (result->ways[i].how);
      g_assert_null (result->ways[i].why);
    }
  g_assert_cmpuint (result->ways[3].time.n, ==, 0);
  g_assert_null (result->ways[3].device);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_TRUE);
  /* 2·10·1·30 over 2·10³ */
  g_assert_cmpfloat_with_epsilon (result->would.value, .3, 1e-9);
}

/* What is learnt is the same each time, and more than by chance; a share is a share. */
static void
test_others (void)
{
  g_autoptr (LsClaim) claim = load (
    "others",
    "{\"name\": \"a\", \"words\": {\"en\": \"a\"}, \"lane\": \"cpu(threads=1)\", \"steps\": 100, "
    "\"run\": [\"step\", \"flatten, dense 16, relu, dense 2\", \"tabular\", \"32\"]}",
    "\"claimed\": {\"value\": 50, \"unit\": \"%\"}, \"true\": {\"from\": 50}, "
    "\"outcomes\": [{\"words\": {\"en\": \"right\"}, \"is\": \"accuracy(a)\"}, "
    "{\"words\": {\"en\": \"bound\"}, \"is\": \"memory_bound(a)\"}]");
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaimResult) first = run (claim, .1, 2, &heard, &error), second = NULL;
  Heard again = { 0 };

  g_assert_no_error (error);
  second = run (claim, .1, 2, &again, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (first->findings[0].figure.n, ==, 3);
  g_assert_cmpfloat (first->findings[0].figure.value, >, 60);
  g_assert_cmpfloat (first->findings[0].figure.value, <=, 100);
  g_assert_cmpfloat (first->findings[0].figure.value, ==, second->findings[0].figure.value);
  g_assert_cmpfloat (first->findings[0].figure.q1, ==, second->findings[0].figure.q1);
  g_assert_cmpfloat (first->findings[1].figure.value, >=, 0);
  g_assert_cmpfloat (first->findings[1].figure.value, <=, 100);
  g_assert_cmpuint (first->findings[1].figure.n, >=, 5);
  g_assert_cmpuint (first->ways[0].time.n, ==, 0); /* nobody asked for it */
}

/* What a network gets right in whole numbers over what it gets right in floats, seed by seed, as converting
 * it by hand does: of 2 bits less than of its floats, so that nothing can be both. A way that isn't run
 * comes before both. */
static void
test_whole_numbers (void)
{
  static const char ways[]
    = "{\"name\": \"told\", \"words\": {\"en\": \"t\"}, \"takes\": {\"value\": 3, \"unit\": \"s\", "
      "\"evidence\": \"modelled\"}}, "
      "{\"name\": \"floats\", \"words\": {\"en\": \"f\"}, \"lane\": \"cpu(threads=1)\", \"steps\": 60, "
      "\"run\": [\"step\", \"flatten, dense 16, relu, dense 2\", \"tabular\", \"32\"]}, "
      "{\"name\": \"whole\", \"words\": {\"en\": \"w\"}, \"lane\": \"cpu(threads=1)\", \"steps\": 60, "
      "\"bits\": 2, \"run\": [\"step\", \"flatten, dense 16, relu, dense 2\", \"tabular\", \"32\"]}";
  g_autoptr (LsClaim) claim = load (
    "whole", ways,
    "\"claimed\": {\"value\": 100, \"unit\": \"%\"}, \"true\": {\"from\": 99.5}, "
    "\"outcomes\": [{\"is\": \"accuracy(whole) / accuracy(floats)\"}]");
  g_autoptr (LsOptions) options = ls_options_new ();
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaimResult) result = run (claim, .1, 2, &heard, &error);
  double by_hand[3];

  g_assert_no_error (error);
  g_assert_cmpuint (heard.problems, ==, 0);
  ls_options_set (options, ls_options_find ("threads"), "1", &error);
  ls_options_set (options, ls_options_find ("model"), "flatten, dense 16, relu, dense 2", &error);
  ls_options_set (options, ls_options_find ("data"), "tabular", &error);
  ls_options_set (options, ls_options_find ("batch"), "32", &error);
  ls_options_set (options, ls_options_find ("steps"), "60", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      const LsConvertedWish wish = { .kind = LS_CONVERTED_INT8, .options = options, .bits = 2 };
      g_autoptr (LsConverted) converted = ls_converted_run (&wish, NULL, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (converted->points[converted->n_points - 1].at, ==, 2);
      by_hand[i] = 100 * converted->points[converted->n_points - 1].accuracy.value
                   / converted->accuracy.value;
      options->seed++;
    }
  const LsFigure wanted = ls_figure_of_samples (by_hand, 3, "%");

  g_assert_cmpuint (result->findings[0].figure.n, ==, 3);
  g_assert_cmpfloat_with_epsilon (result->findings[0].figure.value, wanted.value, 1e-9);
  g_assert_cmpfloat_with_epsilon (result->findings[0].figure.q1, wanted.q1, 1e-9);
  g_assert_cmpfloat_with_epsilon (result->findings[0].figure.q3, wanted.q3, 1e-9);
  g_assert_cmpfloat (wanted.value, <, 99.5);
  g_assert_cmpint (result->findings[0].figure.evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_NOT_HERE);
}

/* A way that can't be costs itself. */
static void
test_failing (void)
{
  g_autoptr (LsClaim) claim = load (
    "failing",
    "{\"name\": \"a\", \"words\": {\"en\": \"way a\"}, \"lane\": \"cpu(threads=1)\", \"run\": [\"product\", "
    "\"8\"]}, "
    "{\"name\": \"b\", \"words\": {\"en\": \"way b\"}, \"lane\": \"cpu(threads=1)\", "
    "\"run\": [\"step\", \"flatten, dense 7\", \"tabular\", \"32\"]}",
    "\"claimed\": {\"value\": 50, \"unit\": \"×\"}, \"true\": {\"from\": 50}, "
    "\"outcomes\": [{\"is\": \"time(a) / time(b)\"}]");
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaimResult) result = run (claim, .1, 2, &heard, &error);
  g_autofree char *note = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_NOT_MEASURABLE);
  g_assert_nonnull (result->ways[1].why);
  g_assert_cmpuint (result->ways[0].time.n, >, 0);
  g_assert_cmpuint (heard.problems, ==, 1);
  note = ls_claim_note_text (claim, result);
  g_assert_true (g_str_has_prefix (note, "way b: "));
}

static void
test_stopped (void)
{
  g_autoptr (LsClaim) claim = load (
    "stopped",
    "{\"name\": \"a\", \"words\": {\"en\": \"a\"}, \"lane\": \"cpu(threads=1)\", "
    "\"run\": [\"product\", \"8\"]}",
    "\"claimed\": {\"value\": 1, \"unit\": \"s\"}, \"true\": {\"from\": 50}, "
    "\"outcomes\": [{\"is\": \"time(a)\"}]");
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  Heard heard = { .cancel = cancel };
  g_autoptr (GError) error = NULL;
  const int lock = ls_lab_lock ();

  g_assert_cmpint (lock, >=, 0);
  g_assert_null (run (claim, 100, 2, &heard, &error));
  assert_refused (&error, LS_ERROR_DEVICE, "Another program is just measuring");
  close (lock);
  g_assert_null (run (claim, 100, 2, &heard, &error));
  assert_refused (&error, LS_ERROR_CANCELLED, "stopped");
  /* also where it has a time of its own, which is far away */
  const LsClaimWish limited = { .claim = claim, .seconds = 3, .rounds = 2, .limit = 3600 };
  g_cancellable_reset (cancel);
  if (ls_claims_run (&limited, heard_cb, &heard, cancel, &error) != NULL)
    g_error ("a run with a limit goes on although it was stopped");
  assert_refused (&error, LS_ERROR_CANCELLED, "stopped");
}

/* What isn't over in its time is given up, and says so. */
static void
test_limit (void)
{
  g_autoptr (LsClaim) claim = load (
    "limit",
    "{\"name\": \"a\", \"words\": {\"en\": \"a\"}, \"lane\": \"cpu(threads=1)\", "
    "\"run\": [\"product\", \"8\"]}",
    "\"claimed\": {\"value\": 1, \"unit\": \"s\"}, \"true\": {\"from\": 50}, "
    "\"outcomes\": [{\"is\": \"time(a)\"}]");
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  const LsClaimWish wish = { .claim = claim, .seconds = 3600, .rounds = 2, .limit = .2 };

  g_assert_null (ls_claims_run (&wish, heard_cb, &heard, NULL, &error));
  assert_refused (&error, LS_ERROR_CANCELLED, "time was over");
}

/* Claims that take as long as they are given, and so much beside: all of them are measured in the time for
 * all, alike, unless what they take beside is more than that. */
static void
test_shares (void)
{
  static const struct {
    guint n;
    double asked, beside, from, to; /* what each is measured, s */
  } rows[] = {
    { 16, 10, 0, 10, 10 },  { 16, 10, 5, 10, 10 }, { 16, 10, 10, 8, 10 }, { 16, 10, 15, 3, 10 },
    { 1, 10, 290, 10, 10 }, { 300, 10, 0, 1, 1 },  { 30, .1, 0, .1, .1 },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      double left = LS_CLAIMS_LIMIT, beside = 0;

      for (guint i = 0; i < rows[r].n; i++)
        {
          const double s = ls_claims_seconds (left, rows[r].n - i, rows[r].asked, i > 0 ? beside / i : 0);

          if (s < rows[r].from - 1e-9 || s > rows[r].to + 1e-9)
            g_test_fail_printf ("case %zu: claim %u is measured for %g s", r, i, s);
          left -= s + rows[r].beside;
          beside += rows[r].beside;
        }
      if (left < -1e-6)
        g_test_fail_printf ("case %zu takes %g s too long", r, -left);
    }
  /* the time is over: not even a second is left; nothing is left to be run */
  g_assert_cmpfloat (ls_claims_seconds (.9, 3, 10, 0), ==, 0);
  g_assert_cmpfloat (ls_claims_seconds (-5, 3, 10, 0), ==, 0);
  g_assert_cmpfloat (ls_claims_seconds ((double) NAN, 3, 10, 0), ==, 0);
  g_assert_cmpfloat (ls_claims_seconds (100, 0, 10, 0), ==, 0);
  g_assert_cmpfloat (ls_claims_seconds (20, 4, 10, 100), ==, 1);
  g_assert_cmpfloat (ls_claims_seconds (20, 4, 10, -3), ==, 5); /* earlier ones took less: that isn't promised
                                                                 */
}

/* What needs what isn't here is told without measuring anything. */
static void
test_nothing_to_run (void)
{
  g_autoptr (LsClaim) claim = load (
    "nothing", "",
    "\"claimed\": {\"value\": 2, \"unit\": \"×\"}, \"true\": {\"from\": 1.8}, \"needs\": \"matrix-units\", "
    "\"outcomes\": [], \"instead\": [{\"words\": {\"en\": \"of a V100\"}, "
    "\"is\": \"rate('V100', fp16, matrix) / rate('V100', fp32, vector)\"}, "
    "{\"words\": {\"en\": \"of a 9999\"}, \"is\": \"peak('RTX 9999', fp32) / peak('V100', fp32)\"}, "
    "{\"words\": {\"en\": \"of an i9\"}, \"is\": \"peak('i9-9900K', fp32) / peak('V100', fp32)\"}]");
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaimResult) result = run (claim, 10, 2, &heard, &error);

  g_assert_no_error (error);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_NOT_MEASURABLE);
  g_assert_cmpstr (result->why, ==, "This program has no way to a device’s units for products of matrices.");
  g_assert_cmpuint (result->n_findings, ==, 3);
  /* data/hardware.json: 125 and 15.7 TFLOP/s */
  g_assert_cmpfloat_with_epsilon (result->findings[0].figure.value, 125 / 15.7, 1e-9);
  g_assert_cmpint (result->findings[0].figure.evidence, ==, LS_EVIDENCE_PUBLISHED);
  g_assert_cmpuint (result->findings[1].figure.n, ==, 0);
  g_assert_nonnull (result->findings[1].why);
  /* 8 cores × 32 × 3.6 GHz: nobody published that product */
  g_assert_cmpfloat_with_epsilon (result->findings[2].figure.value, 8 * 32 * 3.6e9 / 15.7e12, 1e-9);
  g_assert_cmpint (result->findings[2].figure.evidence, ==, LS_EVIDENCE_MODELLED);
}

/* Of several rates of a device a term is the one that it asks for, and its peak is the best dense one. */
static void
test_rates (void)
{
#define A100 "'NVIDIA A100 SXM4 40 GB'"
  g_autoptr (LsClaim) claim = load (
    "rates", "",
    "\"claimed\": {\"value\": 2, \"unit\": \"×\"}, \"true\": {\"from\": 1.8}, \"needs\": \"matrix-units\", "
    "\"outcomes\": [], \"instead\": [{\"words\": {\"en\": \"vectors\"}, "
    "\"is\": \"rate(" A100 ", fp64, vector) / rate(" A100 ", fp32, vector)\"}, "
    "{\"words\": {\"en\": \"sparse\"}, "
    "\"is\": \"rate(" A100 ", fp16, sparse) / rate(" A100 ", fp16, matrix)\"}, "
    "{\"words\": {\"en\": \"peaks\"}, \"is\": \"peak(" A100 ", fp16) / peak(" A100 ", fp64)\"}]");
  const double wanted[] = { 9.7 / 19.5, 2, 312 / 19.5 };
  Heard heard = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaimResult) result = run (claim, 10, 2, &heard, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (result->n_findings, ==, G_N_ELEMENTS (wanted));
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      if (fabs (result->findings[i].figure.value / wanted[i] - 1) > 1e-9)
        g_error ("%s: %g, and should be %g", result->findings[i].words, result->findings[i].figure.value,
                 wanted[i]);
      g_assert_cmpint (result->findings[i].figure.evidence, ==, LS_EVIDENCE_PUBLISHED);
    }
}

/* ---- what the laboratory's lines may be ---- */

static void
test_lines (void)
{
  static const char *const wrong[] = { "product",
                                       "product\t",
                                       "product\t8\t8",
                                       "product\t8\t8\t8\t8",
                                       "product\t8\t0\t8",
                                       "product\t8\t8\t99999",
                                       "copied",
                                       "copied\t8\t8",
                                       "copied\tproduct\t8",
                                       "flight\tloads\t8",
                                       "step\tmlp\tmnist",
                                       "step\tmlp\tmnist\t0",
                                       "step\tmlp\tmnist\t128\tx",
                                       "step\tmlp\t/tmp\t128",
                                       "step\tmlp\tnoise 0\t128",
                                       "forward\tmlp\tnobody\t128",
                                       "" },
                           *const right[] = { "product\t8",
                                              "product\t1\t2\t3",
                                              "copied\t8",
                                              "copied\t1\t2\t3",
                                              "step\tmlp\tmnist\t128",
                                              "forward\tmlp\tmnist\t1",
                                              "step\tflatten, dense 10\tnoise 8\t4" };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPlan) plan = ls_lab_step_plan ("product\t5\t1\t7", NULL, options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (plan->ops[0].flops, ==, 2 * 5 * 1 * 7);
  g_assert_cmpint (plan->tensors[0].shape[0], ==, 5);
  g_assert_cmpint (plan->tensors[0].shape[1], ==, 7);
  g_assert_cmpint (plan->tensors[1].shape[1], ==, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (right); i++)
    if (!ls_lab_check_line (right[i], &error))
      g_error ("“%s”: %s", right[i], error->message);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) no = NULL;

      if (ls_lab_check_line (wrong[i], &no))
        g_error ("“%s” is fine", wrong[i]);
      g_assert_error (no, LS_ERROR, LS_ERROR_USAGE);
    }
}

int
main (int argc, char **argv)
{
  int status;

  if (argc > 1 && strcmp (argv[1], LS_LAB_WORKER_COMMAND) == 0)
    return ls_lab_worker_main (argc, argv, ls_lab_workers);
  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_setenv ("XDG_DATA_HOME", dir.path, TRUE);
  g_test_add_func ("/claims/run/lines", test_lines);
  g_test_add_func ("/claims/run/nothing-to-run", test_nothing_to_run);
  g_test_add_func ("/claims/run/rates", test_rates);
  g_test_add_func ("/claims/run/times", test_times);
  g_test_add_func ("/claims/run/others", test_others);
  g_test_add_func ("/claims/run/whole-numbers", test_whole_numbers);
  g_test_add_func ("/claims/run/failing", test_failing);
  g_test_add_func ("/claims/run/stopped", test_stopped);
  g_test_add_func ("/claims/run/limit", test_limit);
  g_test_add_func ("/claims/run/shares", test_shares);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  return status;
}
