/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording's walks (model/walk.h): out and in again without a difference, a file of version 1 that has
 * none, and files whose walks can't be.
 */
#include "begin.h"
#include "files/recording_format.h"
#include "sample.h"
#include "tempdir.h"

#include <math.h>
#include <string.h>

/* A tile of more columns than rows. */
enum { PRODUCTS = 7, TILE = 4, WIDE = 5, ROUNDS = 2 };

/* The plan's last product in the forward direction, on the OpenCL lane, with all that a walk can have. */
static LsWalk *
make_walk (const LsRecording *recording)
{
  LsWalk *w = ls_walk_new ();

  while (strcmp (recording->ops[w->op].name, "matmul") != 0)
    w->op++;
  w->rung = LS_RUNG_TILED;
  w->rows = w->cols = 2;
  w->col = 1;
  w->splits = 1;
  w->tile_m = w->tile_k = TILE;
  w->tile_n = WIDE;
  w->item_m = w->item_n = 1;
  w->products = PRODUCTS;
  w->rounds = w->kept = ROUNDS;
  w->columns = g_new (gint64, WIDE);
  w->a = g_new (float, ROUNDS *TILE *TILE);
  w->b = g_new (float, ROUNDS *TILE *WIDE);
  w->times_ns = g_new (gint64, (ROUNDS + 1) * LS_WALK_N_STAMPS);
  for (gint i = 0; i < WIDE; i++)
    w->columns[i] = i < 3 ? i : -1;
  for (gint i = 0; i < ROUNDS * TILE * TILE; i++)
    w->a[i] = (float) i / 3;
  for (gint i = 0; i < ROUNDS * TILE * WIDE; i++)
    w->b[i] = -(float) i / 7;
  for (gint i = 0; i < (ROUNDS + 1) * LS_WALK_N_STAMPS; i++)
    w->times_ns[i] = i == 12 ? -1 : 100 * i;
  w->kernel_ns = 4321;
  w->compared = 20;
  w->same = 19;
  w->delta = 1e-7;
  return w;
}

static void
test_round_trip (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), with = NULL, loaded = NULL;
  g_autoptr (LsWalk) walk = make_walk (recording);
  g_autoptr (GError) error = NULL;
  const LsWalkWish wish = { (gint) walk->op, LS_RUNG_TILED, -1, 1 },
                   other = { (gint) walk->op, LS_RUNG_NAIVE, -1, -1 };
  const LsWalk *got;

  temp_dir_init (&dir);
  path = temp_path (&dir, "walks");
  with = ls_recording_with_walk (recording, 1, walk, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (ls_recording_walk (recording, 1, &wish));
  g_assert_true (ls_recording_walk (with, 1, &wish) == walk);
  sample_save (with, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  got = ls_recording_walk (loaded, 1, &wish);
  g_assert_nonnull (got);
  g_assert_null (ls_recording_walk (loaded, 0, &wish));
  g_assert_null (ls_recording_walk (loaded, 1, &other));
  g_assert_cmpmem (got->columns, WIDE * 8, walk->columns, WIDE * 8);
  g_assert_cmpmem (got->a, ROUNDS * TILE * TILE * 4, walk->a, ROUNDS * TILE * TILE * 4);
  g_assert_cmpmem (got->b, ROUNDS * TILE * WIDE * 4, walk->b, ROUNDS * TILE * WIDE * 4);
  g_assert_cmpmem (got->times_ns, (ROUNDS + 1) * LS_WALK_N_STAMPS * 8, walk->times_ns,
                   (ROUNDS + 1) * LS_WALK_N_STAMPS * 8);
  g_assert_cmpint (got->kernel_ns, ==, 4321);
  g_assert_cmpint (got->same, ==, 19);
  g_assert_true (got->delta >= 1e-7 && got->delta <= 1e-7);
  g_assert_cmpuint (got->col, ==, 1);
}

/* What a file of version 1 has is all that one without walks has. */
static void
test_version_1 (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;
  char *version;
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "old");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  version = g_strstr_len (bytes + 8, (gssize) n - 8, "\"version\":\"4\"");
  g_assert_nonnull (version);
  version[strlen ("\"version\":\"")] = '1';
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (loaded->lanes[1].walks->len, ==, 0);
  g_assert_cmpuint (loaded->lanes[1].events->len, ==, recording->lanes[1].events->len);
}

/* Each number of a walk set to what can't be: refused where it is made and where it is read. */
static void
test_hostile (void)
{
  static const char *const words[]
    = { "columns lie outside", "columns lie outside", "rows lie outside",
        "outside of the grid", "rounds aren’t",       "stamp of it is out of range",
        "comparison is impos", "outside of the grid", "tile has no size" };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "hostile");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), with = NULL, loaded = NULL;
      g_autoptr (LsWalk) walk = make_walk (recording);
      g_autoptr (GError) error = NULL, refused = NULL;

      with = ls_recording_with_walk (recording, 1, walk, NULL, &error);
      g_assert_no_error (error);
      switch (i)
        {
        case 0:
          walk->columns[2] = G_MAXINT64;
          break;
        case 1:
          walk->columns[0] = -2;
          break;
        case 2:
          walk->first_m = 1 << 20;
          break;
        case 3:
          walk->row = 2;
          break;
        case 4:
          walk->products = 9;
          break;
        case 5:
          walk->times_ns[3] = G_MAXINT64;
          break;
        case 6:
          walk->same = 21;
          break;
        case 7:
          walk->col = 2;
          break;
        default:
          walk->item_m = 3;
          break;
        }
      if (ls_recording_check_walks (with, 1, &refused))
        g_error ("a walk in row %u and column %u is taken, though %s", walk->row, walk->col, words[i]);
      assert_refused (&refused, LS_ERROR_DATA, words[i]);
      sample_save (with, path);
      loaded = ls_recording_load (path, &error);
      g_assert_null (loaded);
      assert_refused (&error, LS_ERROR_DATA, words[i]);
    }
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/walks/round-trip", test_round_trip);
  g_test_add_func ("/walks/version-1", test_version_1);
  g_test_add_func ("/walks/hostile", test_hostile);
  return g_test_run ();
}
