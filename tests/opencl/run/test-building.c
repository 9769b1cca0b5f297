/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cold start: children build the step's kernels side by side, and what is told meanwhile is true of the
 * plan. Works in a cache of its own that is empty at first.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "backends/kernel_files.h"
#include "backends/opencl/run/instance.h"
#include "tests/folder.h"

#define MODEL "flatten, dense 24, relu, dense 10"

static const gint64 shape[3] = { 1, 6, 6 };

/* What building() says until it is told to end. */
typedef struct {
  gpointer instance;
  gint over;
  guint looks, most_running, total;
  gboolean wrong; /* counts that don't fit the table, or a state that went back */
  LsBuildState states[64];
} Watch;

static void
look (Watch *watch, const LsBuild *build)
{
  guint running = 0, done = 0;

  watch->looks++;
  watch->total = MAX (watch->total, build->total);
  for (guint i = 0; i < build->n_ops; i++)
    {
      const LsOpBuild *op = &build->ops[i];
      watch->wrong |= op->state < watch->states[i] && watch->states[i] != LS_BUILD_DONE;
      watch->wrong |= (op->kernel == NULL) != (op->state == LS_BUILD_NO_KERNEL);
      watch->wrong |= op->same_as >= 0 && build->ops[op->same_as].state != op->state;
      watch->states[i] = op->state;
      running += op->same_as < 0 && op->state == LS_BUILD_RUNNING;
      done += op->same_as < 0 && op->state == LS_BUILD_DONE && op->seconds > 0;
    }
  watch->wrong |= done != build->done || build->done > build->total;
  watch->wrong |= (build->done > 0) != isfinite (build->left_s);
  watch->most_running = MAX (watch->most_running, running);
}

static gpointer
watch_thread (gpointer data)
{
  Watch *watch = data;

  while (!g_atomic_int_get (&watch->over))
    {
      g_autoptr (LsBuild) build = ls_backend_opencl_here.build->kernels (watch->instance);
      if (build != NULL)
        look (watch, build);
      g_usleep (2000);
    }
  return NULL;
}

static LsPlan *
make_plan (LsOptions *options)
{
  g_autoptr (LsModel) model = ls_model_parse (options->model, NULL);
  LsPlan *plan = ls_plan_new (model, shape, 10, (guint) options->batch, (LsOptimizer) options->optimizer,
                              NULL);

  g_assert_nonnull (plan);
  return plan;
}

static LsOptions *
make_options (void)
{
  g_autoptr (GError) error = NULL;
  LsOptions *options = ls_options_new ();

  ls_options_set (options, ls_options_find ("model"), MODEL, &error);
  g_assert_no_error (error);
  ls_options_set (options, ls_options_find ("batch"), "32", &error);
  g_assert_no_error (error);
  return options;
}

static void
test_cold (void)
{
  g_autoptr (LsOptions) options = make_options ();
  g_autoptr (LsPlan) plan = make_plan (options);
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  g_autoptr (GError) error = NULL;
  Watch watch = { .instance = ls_backend_opencl_here.open (options, 0, &error) };
  LsCl *lane = watch.instance;
  GThread *watcher;
  guint n;

  g_assert_no_error (error);
  if (!lane->device->limits.is_cpu)
    {
      g_test_skip ("the device isn't the processor: its kernels are built in the program");
      ls_backend_opencl_here.close (lane);
      return;
    }
  watcher = g_thread_new ("watch", watch_thread, &watch);
  g_assert_true (ls_backend_opencl_here.prepare (lane, plan, data, &error));
  g_assert_no_error (error);
  g_atomic_int_set (&watch.over, TRUE);
  g_thread_join (watcher);
  g_assert_false (lane->alone); /* children have built it all, */
  g_assert_cmpuint (lane->aside, ==, 1u << LS_TRIAL_STEP);
  n = ls_cl_schedule (lane, 0, plan->n_ops, TRUE);
  g_assert_false (ls_cl_any_missing (lane, n, FALSE));
  g_assert_cmpuint (watch.looks, >, 0); /* and it was told */
  g_assert_false (watch.wrong);
  g_assert_cmpuint (watch.total, >=, 3);
  for (guint i = 0; i < plan->n_ops; i++) /* of every op that a kernel does, in whatever other op's launch */
    g_assert_cmpint (watch.states[i] != LS_BUILD_NO_KERNEL, ==, lane->tilings[i].kernel[0] != '\0');
  g_assert_cmpuint (watch.most_running, >=, 1);
  g_assert_cmpuint (watch.most_running, <=, ls_trial_children (watch.total));
  g_assert_null (ls_backend_opencl_here.build->kernels (lane)); /* nothing is on any more */
  /* those of a recorded step are others */
  g_assert_true (ls_cl_record_waits (lane));
  ls_backend_opencl_here.close (lane);
}

/* Each program by one child, also where many ask for it: the marks in the cache are as many as the table has
 * programs. */
static void
test_recorded (void)
{
  g_autoptr (LsOptions) options = make_options ();
  g_autoptr (LsPlan) plan = make_plan (options);
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  g_autoptr (GError) error = NULL;
  LsKernelTrial trial = { 0 };
  const LsWalkWish step = { .op = LS_WALK_NO_OP };
  LsCl *lane = ls_backend_opencl_here.open (options, 0, &error);

  g_assert_no_error (error);
  g_assert_true (ls_backend_opencl_here.prepare (lane, plan, data, &error));
  if (lane->device->limits.is_cpu)
    {
      ls_backend_opencl_here.build->warm (options, plan, data, NULL, &step, &trial);
      g_assert_false (ls_cl_record_waits (lane));
    }
  ls_backend_opencl_here.close (lane);
}

/* Children make their plan from the options: of another batch they would build other kernels. */
static void
test_other_batch (void)
{
  g_autoptr (LsOptions) options = make_options ();
  g_autoptr (LsPlan) plan = NULL;
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  g_autoptr (GError) error = NULL;
  LsCl *lane = NULL;

  /* whose kernels nobody has built before */
  ls_options_set (options, ls_options_find ("model"), "conv 3 3, relu, flatten, dense 10", &error);
  g_assert_no_error (error);
  lane = ls_backend_opencl_here.open (options, 0, &error);
  g_assert_no_error (error);
  options->batch = 48;
  plan = make_plan (options);
  options->batch = 32;
  g_assert_true (ls_backend_opencl_here.prepare (lane, plan, data, &error));
  g_assert_no_error (error);
  if (lane->aside != 0)
    g_error ("children were to build a plan of 48 samples from options of 32");
  ls_backend_opencl_here.close (lane);
}

static gpointer
ready_thread (gpointer data)
{
  LsCl *lane = data;
  const guint n = ls_cl_schedule (lane, 0, lane->plan->n_ops, TRUE);

  return GINT_TO_POINTER (ls_cl_ready (lane, n, LS_TRIAL_RECORDED, NULL));
}

/* While children build what a recorded step needs, the lane tells that it isn't hung. The child is played by
 * a script that builds nothing as long as a file is there. */
static void
test_recorded_tells (void)
{
  g_autoptr (LsOptions) options = make_options ();
  g_autoptr (LsPlan) plan = make_plan (options);
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  g_autoptr (GError) error = NULL;
  LsCl *lane = ls_backend_opencl_here.open (options, 0, &error);
  g_autofree char *folder
    = g_dir_make_tmp ("lockstep-slow-XXXXXX", NULL),
    *before = g_strdup (g_getenv ("LOCKSTEP_SELF")), *script = g_build_filename (folder, "program", NULL),
    *file = g_build_filename (folder, "building", NULL),
    *text = g_strdup_printf ("#!/bin/sh\nwhile [ -e '%s' ]; do sleep .05; done\nexit 1\n", file);
  guint done = 0, total = 0;
  GThread *thread;

  g_assert_no_error (error);
  g_assert_true (ls_backend_opencl_here.prepare (lane, plan, data, &error));
  if (!lane->device->limits.is_cpu)
    {
      g_test_skip ("the device isn't the processor: its kernels are built in the program");
      ls_backend_opencl_here.close (lane);
      return;
    }
  g_clear_pointer (&lane->builder.cache_folder, g_free);
  lane->builder.cache_folder = g_build_filename (folder, "cache", NULL);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_true (g_file_set_contents_full (script, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("LOCKSTEP_SELF", script, TRUE);
  thread = g_thread_new ("ready", ready_thread, lane);
  for (guint i = 0; total == 0 && i < 10000; i++)
    {
      ls_backend_opencl_here.build->progress (lane, &done, &total);
      g_usleep (2000);
    }
  g_unlink (file);
  if (total == 0)
    g_error ("for 20 s a lane that builds a recorded step’s kernels didn’t tell how many there are to build");
  g_assert_cmpuint (total, >=, 3);
  g_assert_cmpuint (done, ==, 0);
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread))); /* without children it builds them itself */
  ls_backend_opencl_here.build->progress (lane, &done, &total);
  g_assert_cmpuint (total, ==, 0);
  if (lane->building.processes != 1)
    g_error ("a lane that built all by itself counts on %u processes for the time left",
             lane->building.processes);
  if (before != NULL)
    g_setenv ("LOCKSTEP_SELF", before, TRUE);
  else
    g_unsetenv ("LOCKSTEP_SELF");
  ls_backend_opencl_here.close (lane);
  remove_tree (folder);
}

/* From none done to all: how long is left is told once there is something to tell it from, and falls to
 * nothing. */
static void
test_left (void)
{
  g_autoptr (LsOptions) options = make_options ();
  g_autoptr (LsPlan) plan = make_plan (options);
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  g_autoptr (GError) error = NULL;
  LsCl *lane = ls_backend_opencl_here.open (options, 0, &error);
  double before = (double) INFINITY;
  guint n, total, done = 0;

  g_assert_no_error (error);
  g_assert_true (ls_backend_opencl_here.prepare (lane, plan, data, &error));
  n = ls_cl_schedule (lane, 0, plan->n_ops, TRUE);
  g_hash_table_remove_all (lane->programs);
  g_clear_pointer (&lane->builder.cache_folder, g_free);
  lane->builder.cache_folder = g_dir_make_tmp ("lockstep-empty-XXXXXX", NULL);
  total = ls_cl_building_begin (lane, n);
  g_assert_cmpuint (total, >=, 3);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsBuild) build = NULL, first = ls_cl_building (lane);
      const guint op = lane->schedule[i]->op;

      if (first->ops[op].same_as >= 0 || first->ops[op].state == LS_BUILD_NO_KERNEL)
        continue;
      g_assert_cmpint (first->ops[op].state, ==, LS_BUILD_TO_COME);
      g_assert_true ((done == 0) == !isfinite (first->left_s));
      ls_cl_building_mark (lane, i, LS_BUILD_RUNNING);
      g_usleep (3000);
      ls_cl_building_mark (lane, i, LS_BUILD_DONE);
      build = ls_cl_building (lane);
      g_assert_cmpuint (build->done, ==, ++done);
      g_assert_cmpfloat (build->ops[op].seconds, >=, 0.003);
      g_assert_cmpfloat (build->left_s, <, before);
      before = build->left_s + build->ops[op].seconds; /* the mean moves */
      for (guint o = 0; o < build->n_ops; o++)
        if (build->ops[o].same_as == (gint) op)
          g_assert_cmpint (build->ops[o].state, ==, LS_BUILD_DONE);
    }
  {
    g_autoptr (LsBuild) build = ls_cl_building (lane);
    g_assert_cmpuint (build->done, ==, total);
    g_assert_cmpfloat_with_epsilon (build->left_s, 0.0, 1e-9);
  }
  ls_cl_building_end (lane);
  g_assert_null (ls_cl_building (lane));
  g_rmdir (lane->builder.cache_folder);
  ls_backend_opencl_here.close (lane);
}

/* Empties the folder; what lay there: files, and how many of them hold a binary. */
static guint
empty_cache (const char *folder, guint *binaries)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  *binaries = 0;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      if (g_str_has_prefix (text, "LSCLBIN1"))
        ++*binaries;
      else
        g_assert_cmpstr (text, ==, "LSCLSRC1");
      g_unlink (path);
      n++;
    }
  return n;
}

/* PoCL has a cache of its own: in its folder is a mark of what it holds, which goes
 * with the folder. Where PoCL keeps nothing, there are binaries. */
static void
test_marks (void)
{
  static const char *const files[] = { "probe.clh", "canary.cl", NULL };
  g_autoptr (LsClDevices) devices = ls_cl_devices_new ();
  g_autoptr (LsKernelFiles) own = ls_kernel_files_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *source = ls_cl_source_load (own, files, &error);
  g_autofree char *pocl = g_strdup (g_getenv ("POCL_CACHE_DIR"));
  const char *options = LS_CL_BUILD_OPTIONS " -D MARKED=1";
  LsClBuilder builder;
  guint binaries;

  g_assert_no_error (error);
  if (devices->devices->len == 0 || ((LsClDevice *) devices->devices->pdata[0])->driver != LS_CL_DRIVER_POCL)
    {
      g_test_skip ("there is no PoCL");
      return;
    }
  g_assert_true (ls_cl_builder_init (&builder, devices->devices->pdata[0], &error));
  g_assert_true (g_str_has_prefix (builder.cache_folder, pocl));
  /* what opening devices and lanes has left */
  g_assert_cmpuint (empty_cache (builder.cache_folder, &binaries), >, 1);
  g_assert_cmpuint (binaries, ==, 0);
  for (guint wanted = 0; wanted < 2; wanted++)
    {
      if (wanted > 0)
        {
          ls_cl_builder_clear (&builder);
          g_unsetenv ("POCL_CACHE_DIR");
          g_assert_true (ls_cl_builder_init (&builder, devices->devices->pdata[0], &error));
          empty_cache (builder.cache_folder, &binaries);
        }
      g_assert_true (ls_cl_program_missing (&builder, source, options));
      cl_program program = ls_cl_program_build (&builder, "canary.cl", source, options, &error);
      g_assert_no_error (error);
      clReleaseProgram (program);
      g_assert_false (ls_cl_program_missing (&builder, source, options));
      g_assert_true (ls_cl_program_missing (&builder, source, LS_CL_BUILD_OPTIONS " -D MARKED=2"));
      g_assert_cmpuint (empty_cache (builder.cache_folder, &binaries), ==, 1);
      g_assert_cmpuint (binaries, ==, wanted);
    }
  g_assert_true (ls_cl_program_missing (&builder, source, options));
  ls_cl_builder_clear (&builder);
  g_setenv ("POCL_CACHE_DIR", pocl, TRUE);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = NULL;
  int status;

  if (argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0)
    rig_init (&argc, &argv);
  cache = g_dir_make_tmp ("lockstep-cold-XXXXXX", NULL);
  g_assert_nonnull (cache);
  g_setenv ("POCL_CACHE_DIR", cache, TRUE); /* before a driver is there */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  rig_init (&argc, &argv);
  g_test_add_func ("/building/cold", test_cold);
  g_test_add_func ("/building/recorded", test_recorded);
  g_test_add_func ("/building/recorded-tells", test_recorded_tells);
  g_test_add_func ("/building/other-batch", test_other_batch);
  g_test_add_func ("/building/left", test_left);
  g_test_add_func ("/building/marks", test_marks);
  status = g_test_run ();
  remove_tree (cache);
  return status;
}
