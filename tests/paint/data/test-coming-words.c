/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of a lane that comes, waits, is late or joined late, word for word, in every state.
 */
#include "config.h"

#include <math.h>

#include "ui/paint/data/coming_words.h"
#include "ui/paint/data/view_private.h"

typedef struct {
  LsViewData data;
  LsRecording recording;
  LsRecordedLane recorded;
  LsViewLane *lane, *other; /* OpenCL, which comes, and the CPU, which works */
} Rig;

static void
rig_init (Rig *rig)
{
  *rig = (Rig){ .recording = { .step = 5 } };
  rig->data.recording = &rig->recording;
  rig->other = &rig->data.sides[0];
  rig->lane = &rig->data.sides[1];
  *rig->other = (LsViewLane){ .there = TRUE,
                              .who = LS_BACKEND_CPU,
                              .state = LS_LANE_READY,
                              .name = (char *) "CPU",
                              .progress = (double) NAN,
                              .steps = 10,
                              .recorded = &rig->recorded };
  *rig->lane = (LsViewLane){ .there = TRUE,
                             .who = LS_BACKEND_OPENCL,
                             .state = LS_LANE_BUILDING,
                             .name = (char *) "OpenCL",
                             .progress = (double) NAN };
}

static void
rig_clear (Rig *rig)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &rig->data.sides[side];

      g_free (lane->message);
      g_free (lane->words);
      g_free (lane->hint);
      g_strfreev (lane->conditions);
      ls_build_unref (lane->build);
    }
}

/* Three programs: "d" is done, "c" was found in the cache, "r" is being compiled, "." is still to come. */
static LsBuild *
build_of (const char *states, double left_s)
{
  LsBuild *build = ls_build_new (3);

  build->left_s = left_s;
  for (guint i = 0; i < 3; i++)
    {
      build->ops[i].state = states[i] == '.'   ? LS_BUILD_TO_COME
                            : states[i] == 'r' ? LS_BUILD_RUNNING
                                               : LS_BUILD_DONE;
      build->ops[i].seconds = states[i] == 'd' ? 2 : 0;
    }
  return build;
}

/* ---- while it comes ---- */

static void
test_sentences (void)
{
  static const char first[] = "Then it trains from the same first weights.",
                    then[] = "Then it starts from CPU’s weights.",
                    processor[] = "Compiled once for this processor; the next start takes a second.",
                    device[] = "Compiled once for this device; the next start takes a second.";
  static const struct {
    LsLaneState state;
    LsBackendKind who;
    const char *states; /* of the build; NULL: none is known */
    double left_s, progress;
    gboolean overdue, shares;
    const char *message, *hint, *words;
  } rows[] = {
    { LS_LANE_OPENING, LS_BACKEND_OPENCL, NULL, 0, NAN, FALSE, FALSE, "Looking for its device.", NULL, NULL },
    { LS_LANE_OPENING, LS_BACKEND_CPU, NULL, 0, NAN, FALSE, TRUE, "Getting ready.", NULL, NULL },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, NULL, 0, NAN, FALSE, FALSE, "Getting ready.", NULL, NULL },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, NULL, 0, .5, FALSE, TRUE, "Compiling its kernels.", processor,
      first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "...", NAN, NAN, FALSE, FALSE, "Compiling its kernels.", device,
      first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "r..", NAN, NAN, FALSE, FALSE, "Compiling its kernels.", device,
      first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "cc.", NAN, NAN, FALSE, FALSE, "Loading its kernels.", NULL,
      first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "dcd", 0, NAN, FALSE, FALSE, "Loading its kernels.", NULL, first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "cr.", 7.4, NAN, FALSE, FALSE,
      "Compiling its kernels, about 7 s left.", device, first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "d..", .2, NAN, FALSE, TRUE,
      "Compiling its kernels, about 1 s left.", processor, first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "d..", 99.4, NAN, FALSE, FALSE,
      "Compiling its kernels, about 99 s left.", device, first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "d..", 150.6, NAN, FALSE, FALSE,
      "Compiling its kernels, about 3 min left.", device, first },
    { LS_LANE_BUILDING, LS_BACKEND_OPENCL, "d..", 20, NAN, TRUE, FALSE,
      "OpenCL is still compiling; CPU goes on without it.", device, then },
    { LS_LANE_OPENING, LS_BACKEND_OPENCL, NULL, 0, NAN, TRUE, FALSE,
      "OpenCL is still looking for its device; CPU goes on without it.", NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;

      rig_init (&rig);
      rig.lane->state = rows[i].state;
      rig.lane->who = rows[i].who;
      rig.lane->overdue = rows[i].overdue;
      rig.lane->shares_cpu = rows[i].shares;
      rig.lane->progress = rows[i].progress;
      rig.lane->build = rows[i].states != NULL ? build_of (rows[i].states, rows[i].left_s) : NULL;
      ls_coming_say (&rig.data);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpstr (rig.lane->message, ==, rows[i].message);
      g_assert_cmpstr (rig.lane->hint, ==, rows[i].hint);
      g_assert_cmpstr (rig.lane->words, ==, rows[i].words);
      g_assert_null (rig.other->message); /* nothing of the one that works */
      g_assert_cmpint (ls_lane_left_told (rig.lane), ==, strstr (rows[i].message, " left.") != NULL);
      rig.lane->steps = 3; /* it had trained before: it says nothing of first weights */
      ls_coming_say (&rig.data);
      g_assert_cmpstr (rig.lane->words, ==, rows[i].overdue ? rows[i].words : NULL);
      rig_clear (&rig);
    }
}

/* ---- what was recorded without it ---- */

static void
test_not_recorded (void)
{
  static const struct {
    LsBackendKind who;
    guint64 joined;
    gboolean missing; /* of its own curve at that step */
    const char *words;
  } rows[] = {
    { LS_BACKEND_OPENCL, 0, FALSE, "before OpenCL had its kernels" },
    { LS_BACKEND_OPENCL, 7, FALSE, "before OpenCL joined" },
    { LS_BACKEND_CPU, 0, FALSE, "before OpenCL was ready" },
    { LS_BACKEND_OPENCL, 0, TRUE, "while OpenCL stood still" },
    { LS_BACKEND_CPU, 4, TRUE, "while OpenCL stood still" },
    { LS_BACKEND_OPENCL, 5, TRUE, "before OpenCL joined" }, /* that step was before it did */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig rig;
      LsCurve *curve = ls_curve_new ();
      g_autofree char *wanted = g_strdup_printf ("Step 5 was recorded %s; the next recorded step shows both.",
                                                 rows[i].words);

      for (guint step = 1; step <= 8; step++)
        ls_curve_append (curve, (LsPoint){ .flags = step == 5 && rows[i].missing ? LS_POINT_MISSING : 0 });
      rig_init (&rig);
      rig.lane->state = LS_LANE_READY;
      rig.lane->who = rows[i].who;
      rig.lane->joined = rows[i].joined;
      rig.lane->curve = curve;
      rig.lane->steps = 8;
      ls_coming_say (&rig.data);
      g_assert_cmpstr (rig.lane->message, ==, wanted);
      g_assert_true (ls_lane_unrecorded (rig.lane));
      rig.lane->recorded = &rig.recorded; /* once it is, nothing is said */
      ls_coming_say (&rig.data);
      g_assert_null (rig.lane->message);
      g_assert_false (ls_lane_unrecorded (rig.lane));
      ls_curve_unref (curve);
      rig_clear (&rig);
    }
}

/* ---- the other one meanwhile, and afterwards ---- */

static void
assert_waits (const Rig *rig, const char *words, const char *why)
{
  g_autofree char *reason = NULL, *waits = ls_coming_waits (&rig->data, 0, &reason);

  g_assert_cmpstr (waits, ==, words);
  g_assert_cmpstr (reason, ==, why);
}

static void
test_waits (void)
{
  Rig rig;

  rig_init (&rig);
  assert_waits (&rig, NULL, NULL);
  rig.other->waits = TRUE;
  assert_waits (&rig, "10 steps trained, now it waits.", "It goes on when OpenCL is ready.");
  rig.other->steps = 1;
  rig.lane->build = build_of ("dr.", 5);
  assert_waits (&rig, "1 step trained, now it waits.", "It goes on when OpenCL has compiled its kernels.");
  g_autofree char *built = ls_coming_built (rig.lane), *none = ls_coming_built (rig.other);
  g_assert_cmpstr (built, ==, "1 of 3 kernels built.");
  g_assert_null (none);
  rig.lane->state = LS_LANE_READY;
  assert_waits (&rig, "1 step trained, now it waits.", "It goes on when the others have caught up with it.");
  rig.other->state = LS_LANE_OPENING; /* who isn't there doesn't wait */
  assert_waits (&rig, NULL, NULL);
  rig_clear (&rig);
}

static void
assert_curve (const Rig *rig, LsCurveKind kind, const char *words)
{
  g_autofree char *said = ls_coming_curve (&rig->data, kind);
  g_assert_cmpstr (said, ==, words);
}

static void
test_curves (void)
{
  Rig rig;

  rig_init (&rig);
  assert_curve (&rig, LS_CURVE_LOSS, "OpenCL joins at step 1, from the same weights");
  assert_curve (&rig, LS_CURVE_RATE, "OpenCL: after its first steps");
  rig.lane->overdue = TRUE;
  assert_curve (&rig, LS_CURVE_LOSS, "OpenCL joins later, with CPU’s weights");
  rig.other->there = FALSE; /* nobody's to begin with */
  assert_curve (&rig, LS_CURVE_LOSS, "OpenCL joins at step 1, from the same weights");
  rig.lane->steps = 1; /* it has a curve */
  assert_curve (&rig, LS_CURVE_LOSS, NULL);
  rig_clear (&rig);
}

/* A lane that began with another one's weights says so, last among what it ran with. */
static void
test_joined (void)
{
  Rig rig;

  rig_init (&rig);
  ls_coming_joined (rig.data.sides);
  g_assert_null (rig.lane->conditions);
  rig.lane->joined = 1200;
  rig.lane->conditions = g_strsplit ("2 threads|fp32", "|", -1);
  ls_coming_joined (rig.data.sides);
  g_assert_cmpuint (g_strv_length (rig.lane->conditions), ==, 3);
  g_assert_cmpstr (rig.lane->conditions[1], ==, "fp32");
  g_assert_cmpstr (rig.lane->conditions[2], ==,
                   "joined after step 1\xe2\x80\x89"
                   "200 with CPU’s weights");
  g_assert_null (rig.other->conditions);
  rig.other->there = FALSE;
  ls_coming_joined (rig.data.sides);
  g_assert_cmpstr (rig.lane->conditions[3], ==,
                   "joined after step 1\xe2\x80\x89"
                   "200");
  rig_clear (&rig);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/coming-words/sentences", test_sentences);
  g_test_add_func ("/coming-words/not-recorded", test_not_recorded);
  g_test_add_func ("/coming-words/waits", test_waits);
  g_test_add_func ("/coming-words/curves", test_curves);
  g_test_add_func ("/coming-words/joined", test_joined);
  return g_test_run ();
}
