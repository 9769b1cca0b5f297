/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who builds kernels beside the program, with children that are played: what whoever waits is told meanwhile,
 * what is left when they are done or have failed, and when none is asked.
 */
#include "config.h"
#include "invented.h"

#include "backends/opencl/run/trial.h"
#include "child/child.h"
#include "core/error.h"

#define MODEL "flatten, dense 8, relu, dense 10"

static struct {
  LsCl *lane;
  guint runs, builds; /* that were asked for */
  gboolean works;
} fake;

gboolean __wrap_ls_trial_run (const char *order, int input, guint patience_ms, LsChildHeard heard,
                              gpointer data, LsChild *child, GError **error);
gboolean __wrap_ls_trial_judge (const LsChild *child, GError **error);
gboolean __wrap_ls_trial_build (const char *order, guint n_launches, guint n_missing, guint patience_ms,
                                LsTrialHeard heard, gpointer data, const gint *cancelled);
guint __wrap_ls_trial_children (guint n_missing);

static void
assert_told (guint done, guint total, const char *when)
{
  guint now_done, now_total;

  ls_backend_opencl_here.build->progress (fake.lane, &now_done, &now_total);
  if (now_done != done || now_total != total)
    g_error ("%s %u of %u are built, and told is %u of %u", when, done, total, now_done, now_total);
}

gboolean
__wrap_ls_trial_run (const char *order, int input, guint patience_ms, LsChildHeard heard, gpointer data,
                     LsChild *child, GError **error)
{
  static const struct {
    const char *line;
    guint done, total; /* that are told from then on */
  } rows[] = {
    { "{\"built\": 0, \"of\": 7}", 0, 7 }, { "{\"built\": 3, \"of\": 7}", 3, 7 },
    { "{\"rung\": \"tiled\"}", 3, 7 },     { "{\"built\": 8, \"of\": 7}", 3, 7 },
    { "{\"built\": 7, \"of\": 7}", 7, 7 }, { "{\"built\": 1, \"of\": 2}", 1, 2 },
  };

  *child = (LsChild){ 0 };
  fake.runs++;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (json_t) line = json_loads (rows[i].line, 0, NULL);

      g_assert_true (heard (line, data));
      assert_told (rows[i].done, rows[i].total, rows[i].line);
    }
  return TRUE;
}

gboolean
__wrap_ls_trial_judge (const LsChild *child, GError **error)
{
  if (!fake.works)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "it crashed");
  return fake.works;
}

guint
__wrap_ls_trial_children (guint n_missing)
{
  return n_missing - 2;
}

gboolean
__wrap_ls_trial_build (const char *order, guint n_launches, guint n_missing, guint patience_ms,
                       LsTrialHeard heard, gpointer data, const gint *cancelled)
{
  fake.builds++;
  g_assert_cmpuint (n_launches, ==, 9);
  g_assert_cmpuint (n_missing, ==, 5);
  g_assert_cmpuint (fake.lane->building.processes, ==, 3);
  assert_told (0, 5, "at first");
  heard (4, FALSE, data);
  assert_told (0, 5, "once one is begun");
  heard (4, TRUE, data);
  heard (0, FALSE, data);
  assert_told (1, 5, "once one is done");
  heard (0, TRUE, data);
  assert_told (2, 5, "once two are done");
  return fake.works;
}

static void
lane_begin (Lane *lane)
{
  lane_init (lane, MODEL, 16, LS_OPTIMIZER_SGD, "auto", TRUE);
  lane->cl.edited = ls_kernel_files_new ();
  lane->cl.info = ls_device_info_new ("opencl");
  lane->cl.info->name = g_strdup ("invented");
  lane->cl.options = ls_options_new ();
  g_assert_true (ls_options_set (lane->cl.options, ls_options_find ("model"), MODEL, NULL));
  g_assert_true (ls_options_set (lane->cl.options, ls_options_find ("batch"), "16", NULL));
  lane->cl.building.processes = 1;
  fake.lane = &lane->cl;
  fake.runs = fake.builds = 0;
}

static void
lane_end (Lane *lane)
{
  ls_kernel_files_unref (lane->cl.edited);
  ls_device_info_free (lane->cl.info);
  ls_options_free (lane->cl.options);
  lane_clear (lane);
}

/* A step's launches by several, all else by one; who has failed isn't asked again. */
static void
test_kinds (void)
{
  static const struct {
    LsTrialKind kind;
    guint runs, builds;
  } rows[] = {
    { LS_TRIAL_STEP, 0, 1 }, { LS_TRIAL_SINGLE, 1, 0 }, { LS_TRIAL_RECORDED, 0, 1 }, { LS_TRIAL_WALK, 1, 0 }
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++)
    {
      const LsTrialKind kind = rows[i / 2].kind;
      Lane lane;

      lane_begin (&lane);
      fake.works = i % 2 == 0;
      ls_cl_build_aside (&lane.cl, kind, 9, 5);
      g_assert_cmpuint (fake.runs, ==, rows[i / 2].runs);
      g_assert_cmpuint (fake.builds, ==, rows[i / 2].builds);
      g_assert_cmpuint (lane.cl.aside, ==, 1u << kind);
      g_assert_cmpuint (lane.cl.building.processes, ==, 1);
      g_assert_cmpint (lane.cl.alone, ==, !fake.works);
      assert_told (0, 0, "afterwards");
      ls_cl_build_aside (&lane.cl, kind, 9, 5);
      g_assert_cmpuint (fake.runs + fake.builds, ==, fake.works ? 2 : 1);
      lane_end (&lane);
    }
}

/* None is asked where it would build another step's kernels, or where there is nothing to be saved. */
static void
test_none (void)
{
  static const char *const reasons[] = {
    "the device is no processor", "a child has failed",         "there are no kernels yet",
    "the batch is another one's", "the network is another one", "there are no data",
    "it is itself a child",
  };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      Lane lane;

      lane_begin (&lane);
      fake.works = TRUE;
      lane.device.limits.is_cpu = i != 0;
      lane.cl.alone = i == 1;
      if (i == 2)
        g_clear_pointer (&lane.cl.edited, ls_kernel_files_unref);
      if (i == 3)
        ls_options_set (lane.cl.options, ls_options_find ("batch"), "17", NULL);
      if (i == 4)
        ls_options_set (lane.cl.options, ls_options_find ("model"), "flatten, dense 10", NULL);
      lane.cl.data = i == 5 ? NULL : &lane.data;
      if (i == 6)
        g_setenv (LS_CHILD_MARK, "1", TRUE);
      ls_cl_build_aside (&lane.cl, LS_TRIAL_STEP, 9, 5);
      ls_cl_build_aside (&lane.cl, LS_TRIAL_WALK, 0, 0);
      g_unsetenv (LS_CHILD_MARK);
      if (fake.runs + fake.builds > 0 || lane.cl.aside != 0)
        g_error ("a child is asked though %s", reasons[i]);
      lane_end (&lane);
    }
}

/* A new lane is the one of several that it is said to be, in what it tells, too, and builds for nobody else.
 */
static void
test_new (void)
{
  for (guint lane = 0; lane < 9; lane += 4)
    {
      LsCl *self = ls_cl_new (lane);

      g_assert_cmpuint (self->lane, ==, lane);
      g_assert_cmpint (self->fed.input, ==, -1);
      g_assert_cmpint (self->fed.output, ==, -1);
      g_assert_cmpuint (g_hash_table_size (self->programs), ==, 0);
      g_assert_null (ls_backend_opencl_here.tilings (self));
      ls_backend_opencl_here.close (self); /* at any stage */
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/aside/kinds", test_kinds);
  g_test_add_func ("/aside/none", test_none);
  g_test_add_func ("/aside/new", test_new);
  return g_test_run ();
}
