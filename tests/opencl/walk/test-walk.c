/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk's values are the tiles of the operands, on every rung, of every kind of product, at ragged edges,
 * too; its result has the lane's own bits where it is the lane's own rung; its stamps are in order; and
 * training goes on as without it.
 */
#include "config.h"
#include "factors.h"
#include "lanes.h"

#include <math.h>
#include <string.h>
#include <glib/gstdio.h>

#include "backends/kernel_files.h"
#include "core/error.h"

typedef struct {
  RigLane *lane;
  void **values; /* as the step's ops found or left them */
} Step;

static gboolean
is_weight (const LsTensor *t)
{
  return t->role == LS_ROLE_WEIGHT;
}

/* One recorded step, with the weights as it found them. */
static void
step_make (Step *step, RigLane *lane)
{
  const LsPlan *plan = lane->plan;
  LsRunResult result = { 0 };

  step->lane = lane;
  step->values = g_new0 (void *, plan->n_tensors);
  for (guint i = 0; i < plan->n_tensors; i++)
    if (is_weight (&plan->tensors[i]))
      step->values[i] = rig_lane_read (lane, i);
  ls_trace_free (rig_lane_record (lane, 0, &result));
  for (guint i = 0; i < plan->n_tensors; i++)
    if (!is_weight (&plan->tensors[i]))
      step->values[i] = rig_lane_read (lane, i);
}

static void
step_clear (Step *step)
{
  for (guint i = 0; i < step->lane->plan->n_tensors; i++)
    g_free (step->values[i]);
  g_free (step->values);
}

static void
check_values (const LsWalk *walk, const Factors *f)
{
  const gint64 m_all = f->op->attr.m, k_all = MIN (walk->products, f->op->attr.k);

  for (gint64 k = 0; k < (gint64) walk->kept * walk->tile_k; k++)
    {
      for (guint i = 0; i < walk->tile_m; i++)
        {
          const gint64 m = walk->first_m + i;
          const double got = (double) walk->a[k * walk->tile_m + i];
          /* the packed rungs repeat C's last row */
          const double should = k >= k_all                     ? 0
                                : m < m_all                    ? factors_a (f, m, k)
                                : walk->rung == LS_RUNG_PACKED ? factors_a (f, m_all - 1, k)
                                                               : 0;
          if (got != should)
            g_error ("%s, rung %u, group (%u, %u): A[%d][%d] is %g, not %g", f->op->symbol, walk->rung,
                     walk->row, walk->col, (int) m, (int) k, got, should);
        }
      for (guint j = 0; j < walk->tile_n; j++)
        {
          const gint64 n = walk->columns[j];
          const double got = (double) walk->b[k * walk->tile_n + j],
                       should = k < k_all && n >= 0 ? factors_b (f, k, n) : 0;
          if (got != should && n >= 0)
            g_error ("%s, rung %u, group (%u, %u): B[%d][%d] is %g, not %g", f->op->symbol, walk->rung,
                     walk->row, walk->col, (int) k, (int) n, got, should);
        }
    }
}

static void
check_times (const LsWalk *walk, const RigLane *lane)
{
  const gboolean ticks = lane->backend->device (lane->instance)->tells != LS_TELLS_ORDER;
  gint64 sum = 0;

  g_assert_true (walk->times_ns == NULL || ticks);
  if (lane->backend->device (lane->instance)->tells == LS_TELLS_THREADS)
    g_assert_nonnull (walk->times_ns);
  if (walk->times_ns == NULL)
    return;
  g_assert_cmpint (ls_walk_span_ns (walk), >, 0);
  if (walk->rung == LS_RUNG_NAIVE)
    return;
  for (guint round = 0; round <= walk->rounds; round++)
    {
      g_assert_cmpint (ls_walk_round_ns (walk, round), >=, 0);
      sum += ls_walk_round_ns (walk, round);
      for (guint phase = 0; round < walk->rounds && walk->rung != LS_RUNG_PACKED && phase < LS_WALK_N_STAMPS;
           phase++)
        if (phase != LS_WALK_PASSED)
          g_assert_cmpint (ls_walk_phase_ns (walk, round, (LsWalkStamp) phase), >=, 0);
    }
  g_assert_cmpint (sum, ==, ls_walk_span_ns (walk));
}

static LsWalk *
walk_make (const Step *step, guint op, LsRung rung, gint row, gint col, GError **error)
{
  const LsWalkOrder order = { op, rung, row, col, (const void *const *) step->values };
  LsWalk *walk = NULL;

  return step->lane->backend->walk->walk (step->lane->instance, &order, &walk, error) ? walk : NULL;
}

/* The lane updates weights in the epilogue of that product and never writes the gradient. */
static gboolean
is_unseen (const Step *step, guint op)
{
  const LsPlan *plan = step->lane->plan;
  const LsTiling *tilings = step->lane->backend->tilings (step->lane->instance);

  for (guint i = op + 1; i < plan->n_ops; i++)
    if (tilings[i].leader == op && plan->ops[i].klass->in_place[0] >= 0)
      return TRUE;
  return FALSE;
}

static void
check_op (const Step *step, guint op, LsRung rung, const char *own, guint edge)
{
  static const gint places[][2] = { { -1, -1 }, { 0, 0 }, { 1000000, 1000000 } };
  Factors f;

  if (!factors_init (&f, step->lane->plan, step->values, op))
    return;
  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsWalk) walk = walk_make (step, op, rung, places[p][0], places[p][1], &error);

      g_assert_no_error (error);
      if (walk == NULL)
        continue;
      g_assert_cmpuint (walk->rung, ==, rung);
      if (rung == LS_RUNG_TILED)
        g_assert_true (walk->tile_m == edge && walk->tile_n == edge && walk->tile_k == edge);
      if (rung == LS_RUNG_PACKED && f.op->klass == &ls_op_conv2d_dw)
        {
          /* 16 channels fill vectors and have a kernel of their own; else outputs do */
          const gboolean channels = f.op->attr.kernel == 3 && f.op->attr.stride == 1 && f.x[1] == 16;
          g_assert_cmpuint (channels ? walk->tile_n / 9 : walk->tile_m, >=, 4);
          g_assert_cmpuint (channels ? walk->tile_m : walk->tile_n, ==, channels ? 2 : 9);
        }
      g_assert_cmpuint (walk->kept, ==, walk->rounds);
      g_assert_cmpint (walk->compared, ==,
                       is_unseen (step, op) ? 0 : ls_tensor_count (&step->lane->plan->tensors[f.op->out[0]]));
      if (strcmp (own, ls_rung_cut (rung, 0).name) == 0)
        g_assert_cmpint (walk->same, ==, walk->compared);
      g_assert_cmpfloat (walk->delta, <, 1e-4);
      check_values (walk, &f);
      check_times (walk, step->lane);
    }
}

/* edge: of the tiled rung's tiles, as the option says it; NULL: as the kernels' table has it. */
static void
check_tiled (const char *model, const gint64 shape[3], guint batch, const char *own, const char *edge)
{
  g_autoptr (LsPlan) plan = rig_plan (model, shape, 10, batch, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", own,
                                           edge != NULL ? "tile-edge" : NULL, edge, NULL);
  float walked[3], straight[3];
  Step step;

  step_make (&step, lane);
  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    for (guint op = 0; op < plan->n_ops; op++)
      check_op (&step, op, (LsRung) rung, own, edge != NULL ? (guint) atoi (edge) : 16);
  /* training goes on as if nothing had been asked */
  g_autoptr (RigLane) other = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", own,
                                            edge != NULL ? "tile-edge" : NULL, edge, NULL);
  LsRunResult result = { 0 };
  ls_trace_free (rig_lane_record (other, 0, &result));
  g_assert_true (rig_lane_run (lane, 1, 3, walked, NULL) && rig_lane_run (other, 1, 3, straight, NULL));
  g_assert_cmpmem (walked, sizeof walked, straight, sizeof straight);
  step_clear (&step);
}

static void
check_model (const char *model, const gint64 shape[3], guint batch, const char *own)
{
  check_tiled (model, shape, batch, own, NULL);
}

static const gint64 digit[3] = { 1, 28, 28 }, small[3] = { 2, 9, 11 }, point[3] = { 2, 1, 1 };

static void
test_matmul (void)
{
  check_model ("flatten, dense 37, relu, dense 10", digit, 29, "packed");
}

/* Sums shorter than a tile, fewer rows than a tile has. */
static void
test_short (void)
{
  check_model ("flatten, dense 5, relu, dense 10", point, 3, "tiled");
}

/* So small that Oclgrind can interpret it. */
static void
test_short_conv (void)
{
  static const gint64 tiny[3] = { 2, 4, 4 };

  check_model ("conv 3 3 pad 1, relu, conv 2 3 stride 2, relu, flatten, dense 10", tiny, 2, "packed");
  check_model ("conv 16 1, relu, conv 3 3, relu, flatten, dense 10", tiny, 1, "packed");
}

static void
test_conv (void)
{
  check_model ("conv 5 3 pad 1, relu, conv 9 3 stride 2, relu, flatten, dense 10", small, 3, "packed");
  check_model ("conv 16 3 pad 1, relu, conv 5 3 pad 1, relu, flatten, dense 10", small, 3, "packed");
}

/* Tiles of another edge than the table's: of the lane's own rung, and of one that it doesn't run. */
static void
test_tile (void)
{
  check_tiled ("flatten, dense 33, relu, dense 10", digit, 9, "tiled", "8");
  check_tiled ("flatten, dense 33, relu, dense 10", digit, 33, "packed", "32");
  check_tiled ("conv 5 3 pad 1, relu, flatten, dense 10", small, 3, "tiled", "32");
}

/* While a lane trains its tiles may get another edge, and the first one again: what it computes stays
 * right. */
static void
test_tile_live (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 37, relu, dense 10", digit, 10, 29, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, digit, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", "tiled", NULL);
  static const char *const edges[] = { "32", "8", "16" };
  gint64 groups[G_N_ELEMENTS (edges)] = { 0 };

  for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
    {
      g_autoptr (GError) error = NULL;
      const LsTiling *tilings;
      gint at = -1;

      rig_lane_set (lane, "tile-edge", edges[e]);
      g_assert_true (lane->backend->configure (lane->instance, lane->options, &error));
      g_assert_no_error (error);
      tilings = lane->backend->tilings (lane->instance);
      for (guint op = 0; op < plan->n_ops && at < 0; op++)
        if (plan->ops[op].klass == &ls_op_matmul)
          at = (gint) op;
      g_assert_cmpint (tilings[at].tile_rows, ==, MIN (atoi (edges[e]), 29));
      g_assert_cmpint (tilings[at].tile_cols, ==, atoi (edges[e]));
      groups[e] = (gint64) tilings[at].grid_rows * tilings[at].grid_cols;
      g_assert_true (rig_lane_run (lane, e * 2, 2, NULL, &error));
      g_assert_no_error (error);
    }
  g_assert_cmpint (groups[0], ==, 1 * 2);
  g_assert_cmpint (groups[1], ==, 4 * 5);
  g_assert_cmpint (groups[2], ==, 2 * 3);
}

/* What can't be walked through is said in one sentence. */
static void
test_missing (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 10", point, 10, 4, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (16, point, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_autoptr (GError) error = NULL;
  Step step;

  step_make (&step, lane);
  for (guint i = 0; i < plan->n_tensors; i++)
    g_clear_pointer (&step.values[i], g_free);
  for (guint op = 0; op < plan->n_ops; op++)
    if (plan->ops[op].klass == &ls_op_matmul && error == NULL)
      g_assert_null (walk_make (&step, op, LS_RUNG_TILED, -1, -1, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
  step_clear (&step);
}

/* A kernel of the user's own has no marks for a walk: it is trained with and can't be walked through; others
 * can. */
static void
test_edited (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 10", point, 10, 4, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (16, point, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", "tiled", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-XXXXXX", NULL),
                  *path = g_build_filename (folder, "gemm_tiled.cl", NULL);
  g_autofree char *own = ls_kernel_files_own ("gemm_tiled.cl");
  g_auto (GStrv) parts = g_strsplit (own, " LS_WALK_ARG", 2);
  g_autofree char *text = g_strjoinv (
    "\n#undef LS_WALK_STAMP\n#undef LS_WALK_KEEP\n#define LS_WALK_STAMP(r, s)\n#define LS_WALK_KEEP(w, k, t, "
    "i, v)\n"
    "#undef LS_WALK_BEGIN\n#define LS_WALK_BEGIN\n#undef LS_WALK_REST\n#define LS_WALK_REST(m, k)\n"
    "#undef LS_WALK_LOOP_OVER\n#define LS_WALK_LOOP_OVER\n#undef LS_WALK_END\n#define LS_WALK_END\n",
    parts);
  g_autoptr (LsKernelFiles) files = NULL;
  guint op = 0;
  Step step;

  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  files = ls_kernel_files_read (folder, &error);
  g_assert_no_error (error);
  g_assert_true (lane->backend->edit->reload (lane->instance, files, &error));
  g_assert_no_error (error);
  step_make (&step, lane);
  while (plan->ops[op].klass != &ls_op_matmul)
    op++;
  g_assert_null (walk_make (&step, op, LS_RUNG_TILED, -1, -1, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_test_message ("%s", error->message);
  g_clear_error (&error);
  g_autoptr (LsWalk) walk = walk_make (&step, op, LS_RUNG_NAIVE, -1, -1, &error);
  g_assert_no_error (error);
  g_assert_nonnull (walk);
  g_assert_true (rig_lane_run (lane, 1, 2, NULL, &error));
  step_clear (&step);
  g_unlink (path);
  g_rmdir (folder);
}

static void
check_roofs (const LsBackend *backend, guint n)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 10", point, 10, 4, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (16, point, 10);
  g_autoptr (RigLane) lane = rig_lane_new (backend, plan, data, NULL);
  g_autoptr (GError) error = NULL;
  LsFigure roofs[LS_ROOF_N] = { 0 };

  g_assert_true (backend->roofs->measure (lane->instance, roofs, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      g_test_message ("%s roof %u: %.3g %s, n = %u", backend->name, i, roofs[i].value, roofs[i].unit,
                      (guint) roofs[i].n);
      g_assert_cmpuint (roofs[i].n, >, 0);
      g_assert_true (isfinite (roofs[i].value) && roofs[i].value > 0);
      g_assert_cmpint (roofs[i].evidence, ==, LS_EVIDENCE_MEASURED);
    }
}

static void
test_roofs (void)
{
  check_roofs (&ls_backend_opencl_here, LS_ROOF_OLDEST_N);
  check_roofs (&ls_backend_cpu, LS_ROOF_OLDEST_N);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/walk/matmul", test_matmul);
  g_test_add_func ("/walk/short/matmul", test_short);
  g_test_add_func ("/walk/short/conv", test_short_conv);
  g_test_add_func ("/walk/conv", test_conv);
  g_test_add_func ("/walk/tile", test_tile);
  g_test_add_func ("/walk/tile/live", test_tile_live);
  g_test_add_func ("/walk/missing", test_missing);
  g_test_add_func ("/walk/edited", test_edited);
  g_test_add_func ("/walk/roofs", test_roofs);
  return g_test_run ();
}
