/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's file: who reads it, and when what is in it is used.
 */
#include "config.h"
#include "lanes.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/opencl/run/instance.h"
#include "core/error.h"

static const gint64 shape[3] = { 2, 1, 1 };

#define MODEL "flatten, dense 8, relu, dense 2"

static LsTunedEntry *
entry_new (void)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  *e = (LsTunedEntry){ g_strdup ("platform"),  g_strdup ("device"), g_strdup ("driver"), g_strdup ("matmul"),
                       g_strdup ("nt 16×8×2"), g_strdup ("hash"),   g_strdup ("packed") };
  e->n_params = 1;
  e->params[0].name = g_strdup ("VEC");
  e->params[0].value = 8;
  e->words = g_strdup ("packed VEC=8");
  e->shipped_words = g_strdup ("packed VEC=16");
  e->example = g_strdup ("16×8×2 A·Bᵀ");
  e->date = g_strdup ("2026-11-21T10:00:00+00:00");
  e->us = (LsFigure){ .value = 1.5, .q1 = 1.25, .q3 = 2, .n = 11, .unit = "µs" };
  e->shipped_us = (LsFigure){ .value = 3, .q1 = 2.5, .q3 = 4, .n = 11, .unit = "µs" };
  e->tried = 7;
  e->refused = 2;
  return e;
}

/* The file, emptied. */
static char *
fresh_path (void)
{
  guint n;
  g_autoptr (GError) error = NULL;

  ls_tuned_forget (&n, &error);
  g_assert_no_error (error);
  return ls_tuned_path ();
}

/* ---- the file ---- */

static void
test_store (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  g_autoptr (LsTunedEntry) key = entry_new ();
  g_autoptr (LsTuned) tuned = ls_tuned_load (path, &error);
  const LsTunedEntry *found;
  guint before = ls_tuned_generation (), n;
  char **const parts[] = { &key->platform, &key->device, &key->driver, &key->op, &key->shape, &key->source };

  g_assert_no_error (error);
  g_assert_cmpuint (tuned->entries->len, ==, 0);
  for (guint i = 0; i < 2; i++) /* the second replaces the first */
    {
      g_ptr_array_add (entries, entry_new ());
      g_assert_true (ls_tuned_keep (entries, &error));
    }
  g_assert_cmpuint (ls_tuned_generation (), >, before);
  ls_tuned_free (tuned);
  tuned = ls_tuned_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tuned->entries->len, ==, 1);
  found = ls_tuned_find (tuned, key);
  g_assert_nonnull (found);
  g_assert_cmpstr (found->words, ==, "packed VEC=8");
  g_assert_cmpint (found->params[0].value, ==, 8);
  g_assert_cmpfloat (found->us.q3, ==, 2);
  g_assert_cmpint (found->refused, ==, 2);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *kept = *parts[i];
      *parts[i] = g_strdup ("another");
      g_assert_null (ls_tuned_find (tuned, key));
      g_free (*parts[i]);
      *parts[i] = g_steal_pointer (&kept);
    }
  g_assert_true (ls_tuned_forget (&n, &error));
  g_assert_cmpuint (n, ==, 1);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Of more than the file may hold the newest stay, and can be read. */
static void
test_many (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuned) tuned = NULL;

  for (guint i = 0; i < 4100; i++)
    {
      g_ptr_array_add (entries, entry_new ());
      g_free (((LsTunedEntry *) entries->pdata[i])->shape);
      ((LsTunedEntry *) entries->pdata[i])->shape = g_strdup_printf ("nt %u×8×2", i);
    }
  g_assert_true (ls_tuned_keep (entries, &error));
  tuned = ls_tuned_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tuned->entries->len, ==, 4096);
  for (guint i = 0; i < entries->len; i++)
    if ((ls_tuned_find (tuned, entries->pdata[i]) != NULL) != (i >= 4))
      g_error ("of 4100 entries number %u is%s there", i, i >= 4 ? " not" : "");
}

static void
write_file (const char *path, const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
}

#define HEAD "{\"format\":\"lockstep-tuned\",\"version\":1,\"entries\":["

static void
test_hostile (void)
{
  static const char *const texts[] = {
    "",
    "{",
    "[]",
    "{\"format\":\"lockstep-tuned\",\"version\":2,\"entries\":[]}",
    "{\"format\":1,\"version\":1,\"entries\":[]}",
    HEAD "{}]}",
    HEAD "1]}",
    HEAD "{\"platform\":3}]}",
    "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]",
    "\xff\xfe{}",
  };
  g_autofree char *path = fresh_path ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      write_file (path, texts[i], -1);
      g_assert_null (ls_tuned_load (path, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
      g_assert_null (strchr (error->message, '\n'));
      g_assert_nonnull (strstr (error->message, "--forget"));
    }
}

/* No larger than it may be, and a regular file: all else is refused before it is read, or waited for. */
static void
test_no_file (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GError) large = NULL, pipe = NULL, zero = NULL;

  write_file (path, "", 0);
  g_assert_cmpint (truncate (path, (off_t) 3 << 30), ==, 0);
  g_assert_null (ls_tuned_load (path, &large));
  g_assert_error (large, LS_ERROR, LS_ERROR_DATA);
  g_assert_nonnull (strstr (large->message, "is too large: 3221225472 bytes, and at most 16777216 are read"));
  g_assert_nonnull (strstr (large->message, "--forget"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (ls_tuned_load (path, &pipe));
  g_assert_error (pipe, LS_ERROR, LS_ERROR_FILE);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  g_assert_null (ls_tuned_load (path, &zero));
  g_assert_error (zero, LS_ERROR, LS_ERROR_FILE);
  g_assert_nonnull (strstr (zero->message, "is a device or a pipe"));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* A folder where the file should be, and a file where the folder should be. */
static void
test_unwritable (void)
{
  g_autofree char *path = fresh_path (), *inside = NULL;
  g_autoptr (LsTuned) tuned = ls_tuned_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tuned->entries, entry_new ());
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_null (ls_tuned_load (path, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_clear_error (&error);
  g_assert_false (ls_tuned_save (tuned, path, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_clear_error (&error);
  g_assert_cmpint (g_rmdir (path), ==, 0);
  write_file (path, "x", 1);
  inside = g_build_filename (path, "tuned.json", NULL);
  g_assert_false (ls_tuned_save (tuned, inside, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* ---- the lane ---- */

static guint
count_tuned (RigLane *lane)
{
  const LsTiling *tilings = lane->backend->tilings (lane->instance);
  guint n = 0;

  for (guint i = 0; i < lane->plan->n_ops; i++)
    n += strstr (tilings[i].kernel, "tuned") != NULL;
  return n;
}

static void
configure (RigLane *lane)
{
  g_autoptr (GError) error = NULL;
  lane->backend->configure (lane->instance, lane->options, &error);
  g_assert_no_error (error);
}

static guint
first_product (const LsPlan *plan)
{
  guint op = 0;

  while (plan->ops[op].klass != &ls_op_matmul)
    op++;
  return op;
}

/* An entry of the lane's own device for that op; its one or two parameters are the row's that `rung`
 * names. */
static LsTunedEntry *
entry_of (RigLane *lane, guint op, const char *rung, const char *name, gint64 value, const char *second,
          gint64 second_value)
{
  LsTunedEntry *e = entry_new (), *key = g_new0 (LsTunedEntry, 1);

  ls_cl_tuned_key (lane->instance, &lane->plan->ops[op], lane->plan, key);
  key->source = ls_cl_tuned_source (NULL, lane->plan->ops[op].klass->name, NULL);
  key->rung = g_strdup (rung);
  key->n_params = second != NULL ? 2 : 1;
  key->params[0].name = g_strdup (name);
  key->params[0].value = value;
  key->params[1].name = g_strdup (second);
  key->params[1].value = second_value;
  key->us = key->shipped_us = e->us;
  key->words = g_strdup (e->words);
  key->shipped_words = g_strdup (e->shipped_words);
  key->example = g_strdup (e->example);
  key->date = g_strdup (e->date);
  ls_tuned_entry_free (e);
  return key;
}

static LsTunedEntry *
entry_for (RigLane *lane, gint64 vec)
{
  return entry_of (lane, first_product (lane->plan), "packed", "VEC", vec, "GROUP_ROWS", 32);
}

static void
keep (LsTunedEntry *entry)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (entries, entry);
  ls_tuned_keep (entries, &error);
  g_assert_no_error (error);
}

static void
test_lane (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (LsPlan) plan = rig_plan (MODEL, shape, 2, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, shape, 2);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  LsTunedEntry *entry;
  float loss, tuned_loss;
  guint n;

  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (count_tuned (lane), ==, 0);
  g_assert_true (rig_lane_run (lane, 0, 1, &loss, NULL));
  keep (entry_for (lane, 8));
  g_assert_cmpuint (count_tuned (lane), ==, 0); /* not behind the lane's back */
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), >, 0);
  rig_lane_set (lane, "tuned", "off");
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), ==, 0);
  rig_lane_set (lane, "tuned", "on");
  rig_lane_set (lane, "kernel", "tiled"); /* the entry is about another rung */
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), ==, 0);
  rig_lane_set (lane, "kernel", "packed");
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), >, 0);

  g_autoptr (RigLane) second = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_assert_cmpuint (count_tuned (second), >, 0);
  g_assert_true (rig_lane_run (second, 0, 1, &tuned_loss, NULL));
  g_assert_true (memcmp (&loss, &tuned_loss, sizeof loss) == 0);

  keep (entry_for (lane, 7)); /* no choice of the row's */
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), ==, 0);
  entry = entry_for (lane, 8);
  g_free (entry->source);
  entry->source = g_strdup ("of other kernels");
  keep (entry);
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), ==, 0);
  keep (entry_for (lane, 8));
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), >, 0);
  g_assert_true (ls_tuned_forget (&n, NULL));
  configure (lane);
  g_assert_cmpuint (count_tuned (lane), ==, 0);
}

/* The edge of its tiles is the tuner's, until the user asks for one: then that one, though it were the
 * table's own. */
static void
test_asked (void)
{
  static const struct {
    const char *asked;
    guint edge;
    gboolean tuned;
  } cases[] = {
    { "auto", 32, TRUE }, { "16", 16, FALSE }, { "8", 8, FALSE }, { "32", 32, FALSE }, { "auto", 32, TRUE },
  };
  G_GNUC_UNUSED g_autofree char *path = fresh_path ();
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 40, relu, dense 2", shape, 2, 40, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, shape, 2);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", "tiled", NULL);
  guint n;

  keep (entry_of (lane, first_product (plan), "tiled", "TILE", 32, NULL, 0));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      rig_lane_set (lane, "tile-edge", cases[i].asked);
      configure (lane);
      g_assert_cmpuint (lane->backend->tilings (lane->instance)[first_product (plan)].tile_rows, ==,
                        cases[i].edge);
      g_assert_cmpuint (count_tuned (lane) > 0, ==, cases[i].tuned);
    }
  g_assert_true (ls_tuned_forget (&n, NULL));
}

/* A rung with two rows: the entry is about the one that fits the op's shape. */
static void
test_two_rows (void)
{
  static const gint64 image[3] = { 5, 6, 6 };
  G_GNUC_UNUSED g_autofree char *path = fresh_path ();
  g_autoptr (LsPlan) plan = rig_plan ("conv 16 3 pad 1, relu, conv 3 3 pad 1, relu, flatten, dense 2", image,
                                      2, 4, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, image, 2);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", "packed", NULL);
  guint n, seen = 0;

  for (guint op = 0; op < plan->n_ops; op++)
    if (plan->ops[op].klass == &ls_op_conv2d_dw)
      keep (entry_of (lane, op, "packed", "VEC", 8, NULL, 0));
  configure (lane);
  for (guint op = 0; op < plan->n_ops; op++)
    if (plan->ops[op].klass == &ls_op_conv2d_dw)
      {
        const LsTiling *tiling = &lane->backend->tilings (lane->instance)[op];
        const gboolean fills = plan->tensors[plan->ops[op].in[1]].shape[1] == 16;

        g_assert_nonnull (strstr (tiling->kernel, "tuned"));
        g_assert_cmpint (tiling->tile_cols, ==, fills ? 9 * 8 : 9);
        seen |= fills ? 2 : 1;
      }
  g_assert_cmpuint (seen, ==, 3);
  g_assert_true (ls_tuned_forget (&n, NULL));
}

static void
test_lane_hostile (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (LsPlan) plan = rig_plan (MODEL, shape, 2, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, shape, 2);
  g_autoptr (RigLane) lane = NULL;
  float loss;

  write_file (path, "{\"format\":", -1);
  lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_assert_nonnull (g_hash_table_lookup (lane->backend->device (lane->instance)->facts, "warning-tuned"));
  g_assert_true (rig_lane_run (lane, 0, 1, &loss, NULL));
}

/* Sizes are told to the nearest power of two: 48 is nearer to 64 than to 32, 40 nearer to 32. */
static void
test_shape (void)
{
  static const struct {
    const char *model;
    const char *text;
  } rows[] = { { "flatten, dense 48, relu, dense 2", "nt 64×64×2" },
               { "flatten, dense 40, relu, dense 2", "nt 64×32×2" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = rig_plan (rows[i].model, shape, 2, 48, LS_OPTIMIZER_SGD);
      g_autofree char *text = ls_tuned_shape (&plan->ops[first_product (plan)], plan);
      g_assert_cmpstr (text, ==, rows[i].text);
    }
}

int
main (int argc, char **argv)
{
  rig_own_cache (argc, argv);
  rig_init (&argc, &argv);
  g_test_add_func ("/file/store", test_store);
  g_test_add_func ("/file/many", test_many);
  g_test_add_func ("/file/hostile", test_hostile);
  g_test_add_func ("/file/no-file", test_no_file);
  g_test_add_func ("/file/unwritable", test_unwritable);
  g_test_add_func ("/file/shape", test_shape);
  g_test_add_func ("/lane/uses", test_lane);
  g_test_add_func ("/lane/asked", test_asked);
  g_test_add_func ("/lane/two-rows", test_two_rows);
  g_test_add_func ("/lane/hostile", test_lane_hostile);
  return g_test_run ();
}
