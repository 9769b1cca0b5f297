/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a claim's ways are asked, in which order and for how long, and what is made of what they answer: on
 * played lanes (../lab/played.h), whose answers anybody knows.
 */
#include "config.h"

#include <string.h>

#include "../lab/played.h"
#include "lab/machine.h"
#include "rig.h"

#define SECONDS 2
#define ROUNDS  4

static TempDir dir;

typedef struct {
  guint n, done;
  double first, left; /* s */
  GString *problems;  /* line by line, but for what is said of a busy machine: */
  guint busy;         /* how often */
} Heard;

static double others; /* processors that other programs take */

double __wrap_ls_machine_others (GCancellable *cancel);

double
__wrap_ls_machine_others (GCancellable *cancel)
{
  return others;
}

static void
heard_cb (const LsLabNews *news, gpointer data)
{
  Heard *heard = data;

  if (news->said != NULL)
    {
      if (news->problem && strstr (news->said, "busy") != NULL)
        heard->busy++;
      else if (news->problem)
        g_string_append_printf (heard->problems, "%s\n", news->said);
      return;
    }
  if (heard->n == 0)
    heard->first = heard->left = news->seconds_left;
  heard->n = news->n;
  g_assert_true (news->done == 0 || news->done == heard->done + 1);
  heard->done = news->done;
  g_assert_cmpfloat (news->seconds_left, <=, heard->left);
  heard->left = news->seconds_left;
}

static LsClaimResult *
run (LsClaim *claim, const LsOptions *options, Heard *heard)
{
  const LsClaimWish wish = { .claim = claim, .options = options, .seconds = SECONDS, .rounds = ROUNDS };
  g_autoptr (GError) error = NULL;
  LsClaimResult *result;

  *heard = (Heard){ .problems = g_string_new (NULL) };
  result = ls_claims_run (&wish, heard_cb, heard, NULL, &error);
  g_assert_no_error (error);
  return result;
}

#define A "step\tflatten, dense 4, relu, dense 2\ttabular\t8"

/* Turn by turn, each its share of the time; then what else the outcomes ask of each way. */
static void
test_all (void)
{
  static const char outcomes[] = "\"true\": {\"from\": 2}, \"outcomes\": ["
                                 "{\"who\": \"cpu\", \"is\": \"time(b) / time(a)\"}, "
                                 "{\"who\": \"opencl\", \"is\": \"accuracy(a)\"}, "
                                 "{\"words\": {\"en\": \"bound\"}, \"is\": \"memory_bound(a)\"}]";
  g_autoptr (LsClaim) claim = rig_claim (&dir, "all", "\"value\": 2, \"unit\": \"×\"", outcomes);
  g_autoptr (LsOptions) options = ls_options_new ();
  const double a = played_us ("cpu", 8, 1, 0), b = played_us ("opencl", 8, PLAYED_THREADS, 0);
  g_autoptr (LsClaimResult) result = NULL;
  Heard heard;

  g_assert_true (ls_options_set (options, ls_options_find ("seed"), "7", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("device"), "2", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("batch"), "99", NULL)); /* no claim's affair */
  played_begin (NULL, NULL);
  result = run (claim, options, &heard);
  g_autofree char *book = played_book ();
  g_assert_cmpstr (book, ==,
                   "cpu open 1 device 2 seed 7\nopencl open 4 device 2 seed 7\ncpu prepare " A
                   "\nopencl prepare product\t8\n"
                   "cpu run 0.25\nopencl run 0.25\ncpu run 0.25\nopencl run 0.25\n"
                   "cpu run 0.25\nopencl run 0.25\ncpu run 0.25\nopencl run 0.25\n"
                   "cpu bound 0.2\ncpu learn 20 3\n");
  g_assert_cmpuint (heard.n, ==, ROUNDS + 2);
  g_assert_cmpuint (heard.done, ==, ROUNDS + 2);
  g_assert_cmpfloat (heard.first, ==, SECONDS);
  g_assert_cmpstr (heard.problems->str, ==, "");
  /* the median of a turn is one sample: its slowest step is in none */
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (result->ways[i].time.n, ==, ROUNDS);
      g_assert_cmpfloat_with_epsilon (result->ways[i].time.value, (i == 0 ? a : b) / 1e6, 1e-12);
      g_assert_cmpfloat (result->ways[i].time.q1, ==, result->ways[i].time.q3);
      g_assert_cmpstr (result->ways[i].how, ==, "by heart");
    }
  g_assert_cmpstr (result->ways[0].device, ==, "a played cpu");
  g_assert_cmpstr (result->ways[1].device, ==, "a played opencl");
  g_assert_cmpuint (result->n_findings, ==, 3);
  g_assert_cmpfloat_with_epsilon (result->findings[0].figure.value, b / a, 1e-9);
  g_assert_cmpuint (result->findings[0].figure.n, ==, ROUNDS);
  g_assert_cmpfloat_with_epsilon (result->findings[1].figure.value, .75, 1e-9); /* of .75, .5, .875 */
  g_assert_cmpfloat_with_epsilon (result->findings[1].figure.q1, .625, 1e-9);
  g_assert_cmpfloat_with_epsilon (result->findings[1].figure.q3, .8125, 1e-9);
  g_assert_cmpfloat_with_epsilon (result->findings[2].figure.value, .25, 1e-9); /* of .2, .3, .25 */
  g_assert_cmpfloat_with_epsilon (result->findings[2].figure.q1, .225, 1e-9);
  g_assert_cmpfloat_with_epsilon (result->findings[2].figure.q3, .275, 1e-9);
  g_string_free (heard.problems, TRUE);
}

/* A way that is asked for something else isn't timed, and its share of the time is the others'. */
static void
test_untimed (void)
{
  static const char outcomes[] = "\"true\": {\"from\": 2}, \"outcomes\": [{\"is\": \"accuracy(a)\"}]";
  g_autoptr (LsClaim) claim = rig_claim (&dir, "untimed", "\"value\": 2, \"unit\": \"×\"", outcomes);
  g_autoptr (LsClaimResult) result = NULL;
  Heard heard;

  played_begin (NULL, NULL);
  result = run (claim, NULL, &heard);
  g_autofree char *book = played_book ();
  g_assert_cmpstr (book, ==,
                   "cpu open 1\nopencl open 4\ncpu prepare " A "\nopencl prepare product\t8\n"
                   "opencl run 0.5\nopencl run 0.5\nopencl run 0.5\nopencl run 0.5\ncpu learn 20 3\n");
  g_assert_cmpuint (heard.n, ==, ROUNDS + 1);
  g_assert_cmpuint (result->ways[0].time.n, ==, 0);
  g_assert_null (result->ways[0].why);
  g_assert_cmpuint (result->ways[1].time.n, ==, ROUNDS);
  g_string_free (heard.problems, TRUE);
}

static const char gpu[] = "\"true\": {\"from\": 2}, \"needs\": \"gpu\", \"outcomes\": ["
                          "{\"words\": {\"en\": \"the card's\"}, \"is\": \"time(a) / time(b)\"}, "
                          "{\"words\": {\"en\": \"the processor's\"}, \"is\": \"time(a) / time(a)\"}, "
                          "{\"words\": {\"en\": \"by unit\"}, "
                          "\"is\": \"time(a) / time(a) * threads(b) / threads(b)\"}]";

/* A claim about graphics cards: with one it is judged; where the device is this processor, that device's
 * figures stand in, and decide nothing; where it is missing, why is said. */
static void
test_gpu (void)
{
  static const struct {
    const char *gpu; /* 2: an accelerator, which is as good */
    const char *no, *why;
    gboolean stand_in;
  } rows[] = { { "1", NULL, NULL, FALSE },
               { "2", NULL, NULL, FALSE },
               { NULL, NULL, "No GPU here: the OpenCL device is this processor.", TRUE },
               { NULL, "opencl open", "No GPU here: not open 4.", FALSE },
               /* where nothing works at all that is what is said */
               { NULL, "cpu open;opencl open", "No lane works, so there is nothing to measure.", FALSE } };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "gpu", "\"value\": 2, \"unit\": \"×\"", gpu);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      Heard heard;

      played_begin (rows[i].no, NULL);
      if (rows[i].gpu != NULL)
        g_setenv (PLAYED_GPU, rows[i].gpu, TRUE);
      else
        g_unsetenv (PLAYED_GPU);
      result = run (claim, NULL, &heard);
      g_test_message ("%s", result->why);
      g_assert_cmpstr (result->why, ==, rows[i].why);
      g_assert_true (result->findings[0].stand_in == rows[i].stand_in);
      g_assert_false (result->findings[1].stand_in); /* no time of OpenCL's is in it */
      if (result->findings[2].stand_in != rows[i].stand_in)
        g_error (
          "row %u: the units of an OpenCL device that is this processor aren't taken for a card's stand-in",
          (guint) i);
      g_assert_cmpint (result->findings[0].figure.n > 0, ==, rows[i].no == NULL);
      g_assert_cmpint (result->verdict, ==,
                       rows[i].gpu != NULL ? LS_CLAIM_NOT_HERE : LS_CLAIM_NOT_MEASURABLE);
      g_string_free (heard.problems, TRUE);
    }
  g_unsetenv (PLAYED_GPU);
}

/* What other programs take is told once, before anything is measured, and kept with the result. */
static void
test_busy (void)
{
  static const struct {
    double others;
    gboolean busy;
  } rows[] = { { 0, FALSE }, { LS_MACHINE_BUSY, FALSE }, { LS_MACHINE_BUSY + .01, TRUE }, { 1, TRUE } };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "busy", "\"value\": 2, \"unit\": \"×\"",
    "\"true\": {\"from\": 2}, \"outcomes\": [{\"is\": \"time(a) / time(b)\"}]");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      Heard heard;

      others = rows[i].others;
      played_begin (NULL, NULL);
      result = run (claim, NULL, &heard);
      if (result->busy != rows[i].busy || heard.busy != (rows[i].busy ? 1 : 0))
        g_error ("with %g processors taken the result is of a %s machine, and %u times a busy one is told of",
                 others, result->busy ? "busy" : "quiet", heard.busy);
      g_string_free (heard.problems, TRUE);
    }
  others = 0;
}

/* A way that isn't run takes no lane: the card of the one behind it is found all the same. */
static void
test_told_first (void)
{
  static const char text[]
    = "{\"format\": \"lockstep-claim\", \"version\": 1, \"sentence\": {\"en\": \"It is so.\"}, "
      "\"source\": {\"title\": \"A page\", \"address\": \"https://example.org/\", \"seen\": \"2026-11-24\"}, "
      "\"quote\": \"so\", \"claimed\": {\"value\": 2, \"unit\": \"×\"}, \"true\": {\"from\": 2}, "
      "\"needs\": \"gpu\", \"ways\": [{\"name\": \"told\", \"words\": {\"en\": \"told\"}, "
      "\"takes\": {\"value\": 3, \"unit\": \"s\", \"evidence\": \"modelled\"}}, "
      "{\"name\": \"card\", \"words\": {\"en\": \"card\"}, \"lane\": \"opencl\", "
      "\"run\": [\"product\", \"8\"]}], \"outcomes\": [{\"is\": \"time(told) / time(card)\"}]}";
  g_autofree char *path = temp_path (&dir, "told-first.claim");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaim) claim = NULL;
  g_autoptr (LsClaimResult) result = NULL;
  Heard heard;

  put_file (path, text, strlen (text));
  claim = ls_claim_load (path, &error);
  g_assert_no_error (error);
  played_begin (NULL, NULL);
  g_setenv (PLAYED_GPU, "1", TRUE);
  result = run (claim, NULL, &heard);
  g_unsetenv (PLAYED_GPU);
  g_assert_cmpstr (result->why, ==, NULL);
  g_assert_false (result->findings[0].stand_in);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_TRUE);
  g_assert_cmpuint (result->ways[0].time.n, ==, 0);
  g_assert_cmpuint (result->ways[1].time.n, ==, ROUNDS);
  g_string_free (heard.problems, TRUE);
}

/* A way that fails has no time, though it had some before, and is said once with its words; the other has all
 * of its turns. */
static void
test_failing (void)
{
  static const struct {
    const char *no, *ends, *why;
  } rows[] = { { "opencl run", NULL, "not run 0.25." },
               { "opencl prepare", NULL, "not prepare product\357\277\2758." },
               { "opencl open", NULL, "not open 4." } };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "failing", "\"value\": 2, \"unit\": \"×\"",
                                         "\"true\": {\"from\": 2}, \"outcomes\": "
                                         "[{\"is\": \"time(a) / time(b)\"}]");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      g_autofree char *problem = g_strdup_printf ("way b: %s\n", rows[i].why);
      Heard heard;

      played_begin (rows[i].no, rows[i].ends);
      result = run (claim, NULL, &heard);
      g_assert_cmpstr (heard.problems->str, ==, problem);
      g_assert_cmpstr (result->ways[1].why, ==, rows[i].why);
      g_assert_cmpuint (result->ways[1].time.n, ==, 0);
      g_assert_null (result->ways[0].why);
      g_assert_cmpuint (result->ways[0].time.n, ==, ROUNDS);
      g_assert_cmpint (result->verdict, ==, LS_CLAIM_NOT_MEASURABLE);
      g_assert_cmpstr (result->why, ==, result->findings[0].why);
      g_string_free (heard.problems, TRUE);
    }
}

/* A way that has failed is asked for nothing more, and what it would have told is missing, each with why;
 * what was told before stays. */
static void
test_failed_before (void)
{
  static const struct {
    const char *no, *asked, *why;
    guint n[3]; /* of the outcomes' figures */
  } rows[] = { { "cpu run", "", "way a: not run 0.25.", { 0, 0, 0 } },
               { "cpu bound", "cpu bound 0.2\n", "way a: not bound 0.2.", { 0, 0, 0 } },
               { "cpu learn", "cpu bound 0.2\ncpu learn 20 3\n", "way a: not learn 20 3.", { 0, 3, 0 } } };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "failed-before", "\"value\": 2, \"unit\": \"×\"",
                                         "\"true\": {\"from\": 2}, \"outcomes\": ["
                                         "{\"words\": {\"en\": \"time\"}, \"is\": \"time(a) / time(b)\"}, "
                                         "{\"words\": {\"en\": \"bound\"}, \"is\": \"memory_bound(a)\"}, "
                                         "{\"words\": {\"en\": \"right\"}, \"is\": \"accuracy(a)\"}]");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = NULL;
      g_autofree char *book = NULL;
      const char *end;
      Heard heard;

      played_begin (rows[i].no, NULL);
      result = run (claim, NULL, &heard);
      book = played_book ();
      end = g_strrstr (book, " run ");
      if (strcmp (end != NULL ? strchr (end, '\n') + 1 : "no turns", rows[i].asked) != 0)
        g_error ("after a no to “%s” the lanes are asked\n%s", rows[i].no, book);
      g_assert_cmpuint (heard.n, ==, ROUNDS + 2);
      g_assert_cmpuint (heard.done, ==, ROUNDS + 2);
      for (guint k = 0; k < 3; k++)
        {
          g_assert_cmpuint (result->findings[k].figure.n, ==, rows[i].n[k]);
          g_assert_cmpstr (result->findings[k].why, ==, rows[i].n[k] == 0 ? rows[i].why : NULL);
        }
      g_string_free (heard.problems, TRUE);
    }
}

int
main (int argc, char **argv)
{
  int status;

  if (played_main (argc, argv, &status))
    return status;
  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/asked/all", test_all);
  g_test_add_func ("/claims/asked/untimed", test_untimed);
  g_test_add_func ("/claims/asked/gpu", test_gpu);
  g_test_add_func ("/claims/asked/busy", test_busy);
  g_test_add_func ("/claims/asked/told-first", test_told_first);
  g_test_add_func ("/claims/asked/failing", test_failing);
  g_test_add_func ("/claims/asked/failed-before", test_failed_before);
  status = g_test_run ();
  temp_dir_clear (&dir);
  played_end ();
  return status;
}
