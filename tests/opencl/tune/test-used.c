/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a lane uses what the tuner found out, on a device that is invented.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

#include "backends/opencl/kernels/kernels.h"
#include "product.h"

typedef struct {
  LsCl cl;
  LsClDevice device;
  LsDeviceInfo *info;
  LsPlan *plan;
  const LsClKernel *row;
  int values[LS_CL_MAX_PARAMS];
} Lane;

static void
lane_init (Lane *lane)
{
  memset (lane, 0, sizeof *lane);
  lane->info = ls_device_info_new ("opencl");
  lane->info->name = g_strdup ("name");
  lane->info->version = g_strdup ("version");
  lane->info->driver = g_strdup ("driver");
  lane->device = (LsClDevice){ .platform_name = (char *) "platform",
                               .platform_version = (char *) "of 2026",
                               .info = lane->info,
                               .limits = { .is_cpu = TRUE,
                                           .max_group = 4096,
                                           .max_item = { 4096, 4096, 4096 },
                                           .local_mem = 1 << 20,
                                           .vector_width = 8,
                                           .units = 2 } };
  lane->cl.device = &lane->device;
  lane->cl.use_tuned = TRUE;
  lane->cl.rung = (char *) "auto";
  lane->cl.tuned = ls_tuned_new ();
  lane->plan = product (64, 64, 64, FALSE, TRUE);
}

static void
lane_clear (Lane *lane)
{
  ls_device_info_free (lane->info);
  ls_tuned_free (lane->cl.tuned);
  ls_plan_unref (lane->plan);
}

/* The only entry: for the lane's own device and product. */
static LsTunedEntry *
put_entry (Lane *lane, const char *rung, const char *first, gint64 value, const char *second, gint64 other)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  g_ptr_array_set_size (lane->cl.tuned->entries, 0);
  ls_cl_tuned_key (&lane->cl, lane->plan->ops, lane->plan, e);
  e->source = ls_cl_tuned_source (NULL, "matmul", NULL);
  e->rung = g_strdup (rung);
  e->n_params = second != NULL ? 2 : first != NULL ? 1 : 0;
  e->params[0].name = g_strdup (first);
  e->params[0].value = value;
  e->params[1].name = g_strdup (second);
  e->params[1].value = other;
  g_ptr_array_add (lane->cl.tuned->entries, e);
  return e;
}

static gboolean
chosen (Lane *lane)
{
  lane->row = ls_cl_kernel_choose (lane->plan->ops, lane->plan, lane->cl.rung, &lane->device.limits,
                                   lane->values);
  return ls_cl_tuned_choose (&lane->cl, lane->plan->ops, lane->plan, &lane->row, lane->values);
}

/* A stranger's numbers are used only as far as the table has them, all of a row's, and the device can do it;
 * else all stays as it was. */
static void
test_believed (void)
{
  static const struct {
    const char *rung, *first;
    gint64 value;
    const char *second;
    gint64 other;
    gboolean used;
  } cases[] = {
    { "packed", "VEC", 16, "GROUP_ROWS", 64, TRUE },
    { "packed", "GROUP_ROWS", 32, "VEC", 4, TRUE }, /* in any order */
    { "packed", "VEC", 16, "GROUP_ROWS", 8, TRUE }, /* the table's own value */
    { "packed", "VEC", 16, "GROUP_ROWS", 16, FALSE },
    { "packed", "VEC", 5, "GROUP_ROWS", 64, FALSE },
    { "packed", "VEC", 0, "GROUP_ROWS", 64, FALSE },
    { "packed", "VEC", 16, NULL, 0, FALSE },
    { "packed", "VEC", 16, "TILE", 16, FALSE },
    { "tiled", "TILE", 32, NULL, 0, TRUE },
    { "tiled", "TILE", 32, "VEC", 8, FALSE },
    { "naive", NULL, 0, NULL, 0, TRUE },
    { "naive", "TILE", 16, NULL, 0, FALSE },
    { "fastest", "VEC", 16, "GROUP_ROWS", 64, FALSE },
  };
  Lane lane;

  lane_init (&lane);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsClKernel *before;
      put_entry (&lane, cases[i].rung, cases[i].first, cases[i].value, cases[i].second, cases[i].other);
      if (chosen (&lane) != cases[i].used)
        g_error ("%s %s=%d %s=%d is %s", cases[i].rung, cases[i].first, (int) cases[i].value, cases[i].second,
                 (int) cases[i].other, cases[i].used ? "not used" : "used");
      before = lane.row;
      g_assert_cmpstr (before->rung, ==, cases[i].used ? cases[i].rung : "packed");
      for (guint p = 0; p < LS_CL_MAX_PARAMS && before->params[p].name != NULL; p++)
        {
          const gboolean first = g_strcmp0 (before->params[p].name, cases[i].first) == 0;
          if (cases[i].used)
            g_assert_cmpint (lane.values[p], ==, first ? cases[i].value : cases[i].other);
          else if (g_str_equal (before->params[p].name, "VEC"))
            g_assert_cmpint (lane.values[p], ==, 8);
        }
    }
  /* what doesn't fit: tiles of 32² are 1024 work-items */
  put_entry (&lane, "tiled", "TILE", 32, NULL, 0);
  lane.device.limits.max_group = 1023;
  g_assert_false (chosen (&lane));
  lane.device.limits.max_group = 1024;
  g_assert_true (chosen (&lane));
  lane_clear (&lane);
}

/* Only where tuning is wanted, of the rung that is asked for, in 32 bits, of these very kernels, device,
 * driver and platform. */
static void
test_used (void)
{
  Lane lane;
  LsTunedEntry *e;

  lane_init (&lane);
  e = put_entry (&lane, "packed", "VEC", 16, "GROUP_ROWS", 64);
  g_assert_cmpstr (e->platform, ==, "platform, of 2026");
  g_assert_cmpstr (e->device, ==, "name, version");
  g_assert_cmpstr (e->driver, ==, "driver");
  g_assert_cmpstr (e->op, ==, "matmul");
  g_assert_cmpstr (e->shape, ==, "nt 64×64×64");
  g_assert_cmpuint (strlen (e->source), ==, 64);
  g_assert_true (chosen (&lane));
  lane.cl.use_tuned = FALSE;
  g_assert_false (chosen (&lane));
  lane.cl.use_tuned = TRUE;
  put_entry (&lane, "tiled", "TILE", 32, NULL, 0);
  lane.cl.rung = (char *) ""; /* any */
  g_assert_true (chosen (&lane));
  e = put_entry (&lane, "packed", "VEC", 16, "GROUP_ROWS", 64);
  lane.cl.rung = (char *) "packed";
  g_assert_true (chosen (&lane));
  lane.cl.rung = (char *) "naive";
  g_assert_false (chosen (&lane));
  lane.cl.rung = (char *) "auto";
  e->source[5] ^= 1;
  g_assert_false (chosen (&lane));
  e->source[5] ^= 1;
  g_assert_true (chosen (&lane));
  lane.device.platform_version = (char *) "of 2027";
  g_assert_false (chosen (&lane));
  lane_clear (&lane);

  lane_init (&lane);
  put_entry (&lane, "packed", "VEC", 16, "GROUP_ROWS", 64);
  lane.cl.edited = ls_kernel_files_new ();
  g_assert_true (chosen (&lane)); /* none is edited */
  g_hash_table_insert (lane.cl.edited->texts, g_strdup ("gemm_tiled.cl"), g_strdup ("/* mine */"));
  g_assert_false (chosen (&lane));
  g_clear_pointer (&lane.cl.edited, ls_kernel_files_unref);
  g_autoptr (LsPlan) plain = g_steal_pointer (&lane.plan);
  lane.plan = ls_plan_with_precision (plain, LS_PRECISION_FP16);
  g_assert_false (chosen (&lane));
  lane_clear (&lane);

  /* other ops have other sources; an edited file is another source, whichever op it is of */
  g_autofree char *matmul = ls_cl_tuned_source (NULL, "matmul", NULL),
                  *conv = ls_cl_tuned_source (NULL, "conv2d", NULL), *edited = NULL, *same = NULL;
  g_autoptr (LsKernelFiles) files = ls_kernel_files_new ();
  g_hash_table_insert (files->texts, g_strdup ("gemm_tiled.cl"), g_strdup ("/* mine */"));
  edited = ls_cl_tuned_source (files, "matmul", NULL);
  same = ls_cl_tuned_source (files, "relu", NULL);
  g_assert_cmpstr (matmul, !=, conv);
  g_assert_cmpstr (matmul, !=, edited);
  g_autofree char *relu = ls_cl_tuned_source (NULL, "relu", NULL);
  g_assert_cmpstr (same, ==, relu);
}

/* Ops that share a file differ in what is defined for it, and that is counted in: what one op's kernels are
 * built of is not what another's are. Asked again, it is the same. */
static void
test_sources (void)
{
  static const char *const pairs[][2] = {
    { "relu", "relu_grad" },   { "gelu", "gelu_grad" },      { "sequence", "planes" },
    { "conv2d", "conv2d_dx" }, { "conv2d_dx", "conv2d_dw" }, { "bias_grad", "mean" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      char *sources[3];

      for (guint k = 0; k < 3; k++)
        {
          g_autoptr (GError) error = NULL;
          sources[k] = ls_cl_tuned_source (NULL, pairs[i][k % 2], &error);
          g_assert_no_error (error);
        }
      if (strcmp (sources[0], sources[1]) == 0)
        g_error ("%s and %s are built of the same, by what is told of their sources", pairs[i][0],
                 pairs[i][1]);
      g_assert_cmpstr (sources[0], ==, sources[2]);
      for (guint k = 0; k < 3; k++)
        g_free (sources[k]);
    }
}

/* An edge of tiles that is asked for is taken, whatever the tuner found, by the rung that has one; all else
 * is the tuner's. */
static void
test_asked (void)
{
  static const struct {
    const char *rung;
    int tile;                   /* that is asked for; 0: none is */
    const char *tuned_rung;     /* of the tuner's entry */
    const char *first, *second; /* its parameters */
    gint64 value, other;
    const char *taken;
    int edge; /* of the tiled rung */
    gboolean tuned;
  } rows[] = {
    { "tiled", 0, "tiled", "TILE", NULL, 32, 0, "tiled", 32, TRUE },
    { "tiled", 8, "tiled", "TILE", NULL, 32, 0, "tiled", 8, FALSE },
    { "tiled", 32, "tiled", "TILE", NULL, 8, 0, "tiled", 32, FALSE },
    { "tiled", 8, "packed", "VEC", "GROUP_ROWS", 16, 64, "tiled", 8, FALSE },
    { "auto", 8, "packed", "VEC", "GROUP_ROWS", 16, 64, "packed", 0, TRUE },
    { "auto", 8, "tiled", "TILE", NULL, 32, 0, "tiled", 32, TRUE },
    { "auto", 0, "tiled", "TILE", NULL, 32, 0, "tiled", 32, TRUE },
    { "packed", 8, "tiled", "TILE", NULL, 32, 0, "packed", 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsClLaunch *launch;
      Lane lane;

      lane_init (&lane);
      lane.cl.plan = lane.plan;
      lane.cl.rung = (char *) rows[i].rung;
      lane.cl.tile = rows[i].tile;
      put_entry (&lane, rows[i].tuned_rung, rows[i].first, rows[i].value, rows[i].second, rows[i].other);
      ls_cl_launches_derive (&lane.cl);
      launch = &lane.cl.single[0];
      if (strcmp (launch->row->rung, rows[i].taken) != 0 || !launch->tuned != !rows[i].tuned
          || (rows[i].edge > 0 && launch->values[LS_CL_TILED_TILE] != rows[i].edge)
          || (strstr (launch->tiling.kernel, "tuned") != NULL) != rows[i].tuned)
        g_error ("row %zu: of %s with tiles of %d, and %s found by the tuner, “%s” is taken (%d)", i,
                 rows[i].rung, rows[i].tile, rows[i].tuned_rung, launch->tiling.kernel,
                 launch->values[LS_CL_TILED_TILE]);
      ls_cl_launches_clear (&lane.cl);
      lane_clear (&lane);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/used/believed", test_believed);
  g_test_add_func ("/used/where", test_used);
  g_test_add_func ("/used/sources", test_sources);
  g_test_add_func ("/used/asked", test_asked);
  return g_test_run ();
}
