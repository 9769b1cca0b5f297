/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `train` says at the end, and its report as JSON, of moments made by hand: each line as it should be.
 * No two numbers of a moment are alike, so that none can stand in another's place.
 */
#include "captured.h"
#include "moment.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static void
print_cb (gconstpointer data)
{
  ls_report_print (data);
}

#define TABLE                                                                                                \
  "\n"                                                                                                       \
  "Lane       steps     loss  test accuracy                 samples/s              µs a step     n\n"       \
  "CPU            3  0.06737        97.52 %  143278 [134854 … 149113]  893.4 [858.4 … 949.2]  1393\n"    \
  "OpenCL         2  1.23457         4.49 %        1286 [1216 … 1363]  99.59 [93.89 … 105.3]    56\n"    \
  "Reference      0        –              –                         –                      –     0\n"
#define MEASURED                                                                                             \
  "Measured: the median and [middle half] of n steps, each over its lane's own time, without evaluation;\n"
#define LEFT_OUT                                                                                             \
  "12 steps left out: the first ones, recorded ones, and those beside another lane's compiler.\n"
#define TURNS "The lanes took turns: each step had the machine to itself.\n"

static void
assert_report (const char *what, const Moment *m, const char *expected)
{
  g_auto (Captured) said = capture (print_cb, &m->s);

  assert_lines (what, said.out, expected);
  g_assert_cmpstr (said.err, ==, "");
}

static void
test_agrees (void)
{
  g_autoptr (Moment) m = moment_new ();

  assert_report (
    "lanes that agree", m,
    TABLE MEASURED LEFT_OUT
    "The losses of 1403 steps agree within 0.001: they differ by 4.8e-07 at most, at step 3.\n"
    "All weights were compared 15 times; after step 1402 they are the same, bit for bit.\n" TURNS);
  m->s.agreement.loss_delta_max = 0;
  assert_report (
    "the same losses", m,
    TABLE MEASURED LEFT_OUT
    "The losses of 1403 steps are the same, bit for bit.\n"
    "All weights were compared 15 times; after step 1402 they are the same, bit for bit.\n" TURNS);
  m->s.agreement.loss_delta_max = 4.8e-7;
  m->s.agreement.weights_compared = 1;
  m->s.turns = FALSE;
  assert_report ("compared once", m,
                 TABLE MEASURED LEFT_OUT
                 "The losses of 1403 steps agree within 0.001: they differ by 4.8e-07 at most, at step 3.\n"
                 "All weights were compared 1 time; after step 1402 they are the same, bit for bit.\n"
                 "The lanes raced: they computed at the same time.\n");
  m->s.agreement.tolerance = ls_agree_loss (LS_PRECISION_BF16, LS_PRECISION_BF16);
  assert_report ("compared in bf16", m,
                 TABLE MEASURED LEFT_OUT
                 "The losses of 1403 steps agree within 0.0049: they differ by 4.8e-07 at most, at step 3.\n"
                 "All weights were compared 1 time; after step 1402 they are the same, bit for bit.\n"
                 "The lanes raced: they computed at the same time.\n");
  m->s.agreement.losses_compared = m->s.agreement.weights_compared = 0;
  assert_report ("nothing was compared", m, TABLE MEASURED LEFT_OUT);
}

static void
test_rounding (void)
{
  g_autoptr (Moment) m = moment_new ();

  m->s.agreement.apart_step = 627;
  m->s.agreement.weights_delta_max = .0012345;
  m->s.agreement.weights_relative = .003521;
  m->s.agreement.weights_tensor = (char *) "3.bias";
  assert_report (
    "rounding differs", m,
    TABLE MEASURED LEFT_OUT
    "Rounding differs since step 627: the losses of 1403 steps differ by 4.8e-07 at most, at step 3.\n"
    "All weights were compared 15 times; after step 1402 they differ by 0.0035 relative at most, in "
    "3.bias.\n" TURNS);
  m->s.agreement.weights_compared = 1;
  m->s.agreement.weights_tensor = NULL;
  assert_report (
    "rounding differs, compared once", m,
    TABLE MEASURED LEFT_OUT
    "Rounding differs since step 627: the losses of 1403 steps differ by 4.8e-07 at most, at step 3.\n"
    "All weights were compared 1 time; after step 1402 they differ by 0.0035 relative at most, in "
    "none.\n" TURNS);
}

static void
test_disagrees (void)
{
  g_autoptr (Moment) m = moment_new ();
  const LsTensor *weight = ls_plan_find_tensor (m->plan, "1.weight.grad");
  LsAgreement *a = &m->s.agreement;
  guint op = 0;

  g_assert_nonnull (weight);
  for (; m->plan->tensors + m->plan->ops[op].out[0] != weight; op++)
    g_assert_cmpuint (op + 1, <, m->plan->n_ops);
  a->disagree = a->examined = TRUE;
  a->disagree_step = 57;
  a->disagree_losses[0] = 1.23456;
  a->disagree_losses[1] = 2.98765;
  a->weights_compared = 0;
  a->loss_delta_max = 1.75309;
  a->loss_delta_step = 98;
  assert_report (
    "each op by itself is right", m,
    TABLE MEASURED LEFT_OUT
    "The losses of 1403 steps differ by 1.8 at most, at step 99.\n"
    "The lanes disagree: the losses of step 58 are 1.235 and 2.988.\n"
    "Each op by itself is right: look at what is fused (--fusion off), or at the weights.\n" TURNS);
  a->found = TRUE;
  a->first = (LsComparison){ .op = op,
                             .lane = 1,
                             .tensor = (guint) (weight - m->plan->tensors),
                             .worst = 11,
                             .value = .12345678,
                             .expected = -7.6543219,
                             .delta = 7.7,
                             .tolerance = 3.21e-6 };
  g_autofree char *found = g_strdup_printf (
    "Op %u (matmul, %s) of the OpenCL lane is the first that differs: element (5, 1) of “1.weight.grad” is "
    "0.1234568, and should be -7.654322 from the same inputs; the bound is 3.2e-06.\n",
    op + 1, m->plan->ops[op].equation); /* as “lockstep plan” counts them */
  g_autofree char *expected = g_strconcat (TABLE MEASURED LEFT_OUT
                                           "The losses of 1403 steps differ by 1.8 at most, at step 99.\n"
                                           "The lanes disagree: the losses of step 58 are 1.235 and 2.988.\n",
                                           found, TURNS, NULL);
  assert_report ("an op that differs", m, expected);
  a->examined = a->found = FALSE;
  a->loss_delta_max = HUGE_VAL;
  assert_report ("a loss that is no number", m,
                 TABLE MEASURED LEFT_OUT
                 "The lanes disagree: the losses of step 58 are 1.235 and 2.988.\n" TURNS);
}

static LsEvaluation *
evaluation_of (guint wrong, guint64 steps)
{
  LsEvaluation *evaluation = ls_evaluation_new (10, 10, 1);

  evaluation->steps = steps;
  for (guint i = 0; i < 10; i++)
    ls_evaluation_put (evaluation, i, i < wrong ? 9 - i : i, i, .9f, .1f);
  return evaluation;
}

/* Of three lanes, of which the second says most that the first doesn't; and of one that was evaluated
 * elsewhere. */
static void
test_answers (void)
{
  static const guint wrong[] = { 0, 4, 1 };
  g_autoptr (Moment) m = moment_new ();

  m->s.agreement.weights_compared = 0;
  for (guint i = 0; i < 3; i++)
    m->s.lanes[i].evaluation = evaluation_of (wrong[i], 50);
  assert_report (
    "answers of three lanes", m,
    TABLE MEASURED LEFT_OUT
    "The losses of 1403 steps agree within 0.001: they differ by 4.8e-07 at most, at step 3, 4 of "
    "10 answers differ.\n" TURNS);
  m->s.agreement.apart_step = 627;
  m->s.lanes[1].evaluation->steps = 49;
  assert_report (
    "answers of two of three lanes", m,
    TABLE MEASURED LEFT_OUT
    "Rounding differs since step 627: the losses of 1403 steps differ by 4.8e-07 at most, at step "
    "3, 1 of 10 answers differ.\n" TURNS);
}

/* Figures that may not be compared say so. */
static void
test_conditions (void)
{
  g_autoptr (Moment) m = moment_new ();

  m->options->pace = LS_PACE_WATCH;
  m->s.lanes[0].rate.n = 19;
  m->s.lanes[1].rate.condition = "beside a compiler";
  m->s.agreement.losses_compared = m->s.agreement.weights_compared = 0;
  assert_report (
    "figures that don't stand", m,
    TABLE MEASURED
    "12 steps left out: the first ones, those right after a rest, recorded ones, and those beside "
    "another lane's compiler.\n"
    "The CPU lane's rate isn't settled yet: 19 steps count, 50 are needed, or 20 with a middle half "
    "under 10 %.\n"
    "The OpenCL lane's figures were measured beside a compiler: not to be compared.\n"
    "(!) CPU and OpenCL aren’t compared fairly:\n"
    "    Warm-up: The OpenCL lane’s rate was measured beside a compiler.\n");
}

/* What is unfair about the first lane and another one, line by line. */
static void
test_unfair (void)
{
  g_autoptr (Moment) m = moment_new ();

  m->s.agreement.losses_compared = m->s.agreement.weights_compared = 0;
  m->s.lanes[1].rate = figure ("samples/s", 1285.52, 985.4, 1363.25, 57, 6);
  m->s.load = (LsMachineLoad){ .processors = 4, .others = 1.375 };
  g_auto (Captured) said = capture (print_cb, &m->s);
  const char *unfair = strstr (said.out, "(!)");

  assert_lines ("what is unfair", unfair != NULL ? unfair : "",
                "(!) CPU and OpenCL aren’t compared fairly:\n"
                "    Other programs: Other programs use 1.38 of 4 processors.\n"
                "    Spread: The middle half of the OpenCL lane’s rate is 29 % of its median wide.\n");
  /* where one of them has no rate, nothing is compared */
  for (guint i = 0; i < 2; i++)
    {
      const guint64 n = m->s.lanes[i].rate.n;

      m->s.lanes[i].rate.n = 0;
      g_auto (Captured) none = capture (print_cb, &m->s);
      if (strstr (none.out, "(!)") != NULL)
        g_error ("the %s lane has no rate, and it says: %s", i == 0 ? "first" : "second",
                 strstr (none.out, "(!)"));
      m->s.lanes[i].rate.n = n;
    }
}

/* ---- JSON ---- */

#define LANE(text, state, message)                                                                           \
  "{\"lane\":\"" text "\",\"state\":\"" state "\",\"message\":" message ",\"device\":null,"
#define FIGURE(name, median, q1, q3, n, left_out, unit)                                                      \
  "\"" name "\":{\"median\":" median ",\"q1\":" q1 ",\"q3\":" q3 ",\"n\":" n ",\"left_out\":" left_out       \
  ",\"unit\":\"" unit "\",\"evidence\":\"measured\",\"condition\":null}"

static void
test_json (void)
{
  g_autoptr (Moment) m = moment_new ();
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-report-XXXXXX", NULL);
  const LsReportLastFinite last = { "/a/folder/w.last-finite", 1377 };
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) json = NULL;
  const int fd = g_mkstemp (path);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  m->s.agreement = (LsAgreement){
    .losses_compared = 1403,
    .loss_delta_max = .25,
    .loss_delta_step = 98,
    .tolerance = LS_AGREE_LOSS,
    .apart_step = 97,
    .weights_compared = 15,
    .weights_step = 1402,
    .weights_delta_max = .5,
    .weights_relative = .125,
    .weights_tensor = (char *) "3.bias",
    .disagree = TRUE,
    .found = TRUE,
    .first = { .op = 7, .lane = 1, .worst = 11, .value = 2.5, .expected = 3.5, .tolerance = .0625 }
  };
  g_assert_true (ls_report_save (&m->s, &last, path, &error));
  g_assert_no_error (error);
  json = json_load_file (path, 0, NULL);
  g_unlink (path);
  assert_member (json, "format", "\"lockstep-report\"");
  assert_member (json, "turns", "true");
  assert_member (json, "target_steps", "1404");
  assert_member (json, "steps_per_epoch", "468");
  assert_member (
    json, "agreement",
    "{\"losses_compared\":1403,\"loss_delta_max\":0.25,\"loss_delta_step\":98,\"loss_tolerance\":0.001,"
    "\"rounding_differs_since_step\":97,\"weights_compared\":15,\"weights_step\":1402,\"weights_delta_max\":"
    "0.5,"
    "\"weights_relative\":0.125,\"weights_tensor\":\"3.bias\",\"precisions_differ\":false,\"disagree\":true,"
    "\"first_op\":7,\"first_"
    "lane\":1,"
    "\"first_element\":11,\"first_value\":2.5,\"first_expected\":3.5,\"first_tolerance\":0.0625}");
  assert_member (json, "last_finite", "{\"file\":\"/a/folder/w.last-finite\",\"step\":1377}");
  const json_t *lanes = json_object_get (json, "lanes");
  assert_member (
    lanes, "cpu",
    LANE ("cpu", "ready", "null") "\"steps\":3,\"test_accuracy\":0.975219,\"test_accuracy_step\":2," FIGURE (
      "samples_per_second", "143278.4", "134853.6", "149112.7", "1394", "4",
      "samples/s") ",\"rate_stands\":true," FIGURE ("step_times_us", "893.371", "858.419", "949.214", "1393",
                                                    "5", "µs") ",\"losses\":[1.0,1.25,1.5]}");
  assert_member (
    lanes, "opencl",
    LANE ("opencl", "ready", "null") "\"steps\":2,\"test_accuracy\":0.0449,\"test_accuracy_step\":1," FIGURE (
      "samples_per_second", "1285.52", "1216.08", "1363.25", "57", "6",
      "samples/s") ",\"rate_stands\":true," FIGURE ("step_times_us", "99.587", "93.888", "105.263", "56", "7",
                                                    "µs") ",\"losses\":[2.0,2.25]}");
  assert_member (
    lanes, "reference",
    LANE ("reference", "failed",
          "\"it has no memory.\"") "\"steps\":0,\"test_accuracy\":null,\"test_accuracy_step\":"
                                   "0," FIGURE ("samples_per_second", "null", "null", "null", "0", "0",
                                                "samples/s") ",\"rate_stands\":"
                                                             "false," FIGURE ("step_times_us", "null", "null",
                                                                              "null", "0", "0",
                                                                              "µs") ",\"losse"
                                                                                    "s\":[]"
                                                                                    "}");
  const json_t *pair = json_array_get (json_object_get (json, "fairness"), 0);
  g_assert_cmpuint (json_array_size (json_object_get (json, "fairness")), ==, 1);
  assert_member (pair, "first", "\"cpu\"");
  assert_member (pair, "second", "\"opencl\"");
  assert_member (pair, "unfair", "false");
  assert_member (json_object_get (pair, "lines"), "clocks",
                 "{\"state\":\"unknown\",\"sentence\":\"How fast the processors’ "
                 "clocks ran isn’t told by "
                 "this system, or wasn’t looked at.\"}");
  assert_member (json_object_get (pair, "lines"), "batch",
                 "{\"state\":\"fair\",\"sentence\":\"Both train the same 16 "
                 "samples in each step.\"}");
}

/* Only of what works till the end is said that it worked: not of a lane that failed on its way, nor of one
 * that has no step. */
static void
test_worked (void)
{
  for (guint state = 0; state <= LS_LANE_HUNG; state++)
    for (guint64 steps = 0; steps < 3; steps++)
      {
        const LsLaneSnapshot lane = { .state = (LsLaneState) state, .steps = steps };

        if (ls_report_lane_worked (&lane) != (state == LS_LANE_READY && steps > 0))
          g_error ("a lane in state %u after %u steps is said to have worked, or not to, which is wrong",
                   state, (guint) steps);
      }
}

/* One lane by itself has nobody to agree with, and tells the rest. */
static void
test_alone (void)
{
#define ALONE                                                                                                \
  "\n"                                                                                                       \
  "Lane  steps     loss  test accuracy                 samples/s              µs a step     n\n"            \
  "CPU       3  0.06737        97.52 %  143278 [134854 … 149113]  893.4 [858.4 … 949.2]  1393\n" MEASURED
#define LEFT_OUT_ALONE                                                                                       \
  "5 steps left out: the first ones, recorded ones, and those beside another lane's compiler.\n"
  g_autoptr (Moment) m = moment_new ();
  const LsAgreement both = m->s.agreement;

  m->s.n_lanes = 1;
  m->s.agreement = (LsAgreement){ 0 };
  assert_report ("one lane", m, ALONE LEFT_OUT_ALONE);
  m->s.lanes[0].scale = (LsLossScale){ .factor = 1024, .skipped = 2 };
  assert_report ("one lane in fp16", m,
                 ALONE LEFT_OUT_ALONE
                 "CPU: 2 of 3 steps skipped for overflowing gradients; the loss’s scale is 1024.\n");
  m->s.lanes[0].scale.factor = 0;
  m->s.lanes[0].rate.condition = "beside other programs";
  assert_report ("one lane beside others", m,
                 ALONE LEFT_OUT_ALONE
                 "The CPU lane's figures were measured beside other programs: not to be compared.\n");
  m->s.n_lanes = 3;
  m->s.agreement = both;
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/report/agrees", test_agrees);
  g_test_add_func ("/cli/report/rounding", test_rounding);
  g_test_add_func ("/cli/report/disagrees", test_disagrees);
  g_test_add_func ("/cli/report/answers", test_answers);
  g_test_add_func ("/cli/report/conditions", test_conditions);
  g_test_add_func ("/cli/report/unfair", test_unfair);
  g_test_add_func ("/cli/report/worked", test_worked);
  g_test_add_func ("/cli/report/alone", test_alone);
  g_test_add_func ("/cli/report/json", test_json);
  return g_test_run ();
}
