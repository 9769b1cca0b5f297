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

/* Of two walks of one product the newer one is shown, whichever its work-group is, where that isn't asked
 * for. */
static void
test_newer (void)
{
  g_autoptr (LsRecording) recording = sample_recording (), with = NULL, both = NULL;
  g_autoptr (LsWalk) first = make_walk (recording), second = make_walk (recording);
  const LsWalkWish any = { (gint) first->op, LS_RUNG_TILED, -1, -1 },
                   one = { (gint) first->op, LS_RUNG_TILED, -1, 1 };

  second->col = 0;
  with = ls_recording_with_walk (recording, 1, first, NULL, NULL);
  both = ls_recording_with_walk (with, 1, second, NULL, NULL);
  if (ls_recording_walk (both, 1, &any) != second)
    g_error ("of two walks the one of column %u is found, which is the older one",
             ls_recording_walk (both, 1, &any)->col);
  g_assert_true (ls_recording_walk (with, 1, &one) == first);
}

/* With a walk, with what the device's limits are, with both or neither: of that lane alone, and the recording
 * stays as it was. */
static void
test_with (void)
{
  LsFigure roofs[LS_ROOF_N] = { 0 };

  for (guint i = 0; i < LS_ROOF_N; i++)
    roofs[i] = (LsFigure){ .value = 7e9 + i, .q1 = 6e9, .q3 = 8e9, .n = 5 };
  for (guint k = 0; k < 4; k++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), with = NULL;
      g_autoptr (LsWalk) walk = k % 2 == 1 ? make_walk (recording) : NULL;
      const gsize before = ls_recording_bytes (recording);

      with = ls_recording_with_walk (recording, 1, walk, k / 2 == 1 ? roofs : NULL, NULL);
      for (guint lane = 0; lane < recording->n_lanes; lane++)
        {
          const guint walked = lane == 1 && walk != NULL;
          const gboolean limited = lane == 1 && k / 2 == 1;

          if (with->lanes[lane].walks->len != walked || recording->lanes[lane].walks->len != 0)
            g_error ("with%s a walk lane %u has %u", walk != NULL ? "" : "out", lane,
                     with->lanes[lane].walks->len);
          for (guint i = 0; i < LS_ROOF_N; i++)
            {
              const LsFigure *was = &recording->lanes[lane].device->roofs[i],
                             *is = &with->lanes[lane].device->roofs[i];

              if (is->value != (limited ? roofs[i].value : was->value) || was->value >= 7e9)
                g_error ("with%s limits, with%s a walk, lane %u’s limit %u is %g, and was %g",
                         k / 2 == 1 ? "" : "out", walk != NULL ? "" : "out", lane, i, is->value, was->value);
            }
        }
      g_assert_cmpuint (ls_recording_bytes (recording), ==, before);
      g_assert_true (ls_recording_shares_step (recording, with));
    }
}

/* What is kept of a step that is no longer shown has no walks, whether there are tensors beside them or not;
 * who shows it still has them. */
static void
test_without (void)
{
  g_autoptr (LsRecording) recording = sample_recording (), bare = ls_recording_without_tensors (recording);
  LsRecording *const from[] = { recording, bare };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsWalk) walk = make_walk (recording);
      g_autoptr (LsRecording) with = ls_recording_with_walk (from[i], 1, walk, NULL, NULL),
                              without = ls_recording_without_tensors (with);

      if (without->lanes[1].walks->len > 0 || ls_recording_bytes (without) != ls_recording_bytes (bare))
        g_error ("of a step with a walk%s %u walks and %zu bytes are kept, not %zu",
                 i == 0 ? " and tensors" : " alone", without->lanes[1].walks->len,
                 ls_recording_bytes (without), ls_recording_bytes (bare));
      g_assert_cmpuint (with->lanes[1].walks->len, ==, 1);
    }
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

typedef struct {
  const char *member;
  gint64 value;      /* of a whole number, or */
  double number;     /* of a fraction; */
  guint at;          /* which of several */
  const char *words; /* why it can't be; NULL: it can */
  const char *read;  /* the same of a file, where that is said otherwise */
} Change;

/* Of the op's result C = A·B: m rows, n columns. */
#define M (-((gint64) 1 << 40))
#define N (-((gint64) 1 << 50))

static void
change (LsWalk *walk, const Change *c, const LsOpAttr *attr)
{
  const struct {
    const char *name;
    guint *number;
    gint64 *numbers;
  } members[] = {
    { "row", &walk->row, NULL },           { "col", &walk->col, NULL },
    { "splits", NULL, &walk->splits },     { "item_m", &walk->item_m, NULL },
    { "item_n", &walk->item_n, NULL },     { "tile_m", &walk->tile_m, NULL },
    { "tile_n", &walk->tile_n, NULL },     { "tile_k", &walk->tile_k, NULL },
    { "products", NULL, &walk->products }, { "first_m", NULL, &walk->first_m },
    { "columns", NULL, walk->columns },    { "times", NULL, walk->times_ns },
    { "same", NULL, &walk->same },
  };
  const gint64 value = c->value < N / 2   ? attr->n + (c->value - N)
                       : c->value < M / 2 ? attr->m + (c->value - M)
                                          : c->value;

  if (strcmp (c->member, "delta") == 0)
    walk->delta = c->number;
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    if (strcmp (members[i].name, c->member) == 0 && members[i].number != NULL)
      *members[i].number = (guint) value;
    else if (strcmp (members[i].name, c->member) == 0)
      members[i].numbers[c->at] = value;
}

/* Each number of a walk set to the last that can be, and beyond: refused where it is made and where it is
 * read. */
static void
test_hostile (void)
{
#define COLUMNS    "columns lie outside"
#define ROWS       "rows lie outside"
#define GRID       "outside of the grid"
#define SIZE       "tile has no size"
#define STAMP      "stamp of it is out of range"
#define IMPOSSIBLE "comparison is impos"
  static const Change rows[] = {
    { "columns", G_MAXINT64, .at = 2, .words = COLUMNS },
    { "columns", N, .at = 0, .words = COLUMNS },
    { "columns", N, .at = WIDE - 1, .words = COLUMNS },
    { "columns", N - 1, .at = WIDE - 1 },
    { "columns", -1, .at = 0 },
    { "columns", -2, .at = 0, .words = COLUMNS },
    { "first_m", 1 << 20, .words = ROWS },
    { "first_m", M, .words = ROWS },
    { "first_m", -1, .words = ROWS, .read = "“first_m”" },
    { "first_m", M - 1 },
    { "row", 2, .words = GRID },
    { "row", 1 },
    { "col", 2, .words = GRID },
    { "col", 0 },
    { "splits", 0, .words = GRID },
    { "splits", 2 },
    { "products", TILE, .words = "rounds aren’t" },
    { "products", TILE + 1 },
    { "products", 2 * TILE },
    { "products", 2 * TILE + 1, .words = "rounds aren’t" },
    { "products", 0, .words = "rounds aren’t" },
    { "times", G_MAXINT64, .at = 3, .words = STAMP },
    { "times", G_MAXINT64 / 4 + 1, .at = (ROUNDS + 1) * LS_WALK_N_STAMPS - 1, .words = STAMP },
    { "times", G_MAXINT64 / 4, .at = (ROUNDS + 1) * LS_WALK_N_STAMPS - 1 },
    { "times", -1, .at = 0 },
    { "times", -2, .at = 0, .words = STAMP },
    { "same", 21, .words = IMPOSSIBLE },
    { "same", 20 },
    { "delta", .number = HUGE_VAL, .words = IMPOSSIBLE, .read = "“delta”" },
    { "item_m", 3, .words = SIZE },
    { "item_m", 0, .words = SIZE },
    { "item_m", 2 },
    { "item_n", 2, .words = SIZE },
    { "item_n", 0, .words = SIZE },
    { "item_n", WIDE },
    { "tile_m", 0, .words = SIZE },
    { "tile_n", 0, .words = SIZE },
    { "tile_k", 0, .words = SIZE },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "hostile");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), with = NULL, loaded = NULL;
      g_autoptr (LsWalk) walk = make_walk (recording);
      g_autoptr (GError) error = NULL, refused = NULL;

      with = ls_recording_with_walk (recording, 1, walk, NULL, &error);
      g_assert_no_error (error);
      change (walk, &rows[i], &recording->ops[walk->op].attr);
      if (ls_recording_check_walks (with, 1, &refused) && rows[i].words != NULL)
        g_error ("a walk in row %u and column %u is taken, though %s: “%s” is changed", walk->row, walk->col,
                 rows[i].words, rows[i].member);
      if (rows[i].words == NULL && refused != NULL)
        g_error ("a walk whose “%s” can be is refused: %s", rows[i].member, refused->message);
      if (rows[i].words != NULL)
        assert_refused (&refused, LS_ERROR_DATA, rows[i].words);
      sample_save (with, path);
      loaded = ls_recording_load (path, &error);
      if (loaded != NULL && rows[i].words != NULL)
        g_error ("a file with a walk is read, though %s: “%s” is changed", rows[i].words, rows[i].member);
      if (rows[i].words == NULL && error != NULL)
        g_error ("a file with a walk whose “%s” can be is refused: %s", rows[i].member, error->message);
      if (rows[i].words != NULL)
        assert_refused (&error, LS_ERROR_DATA, rows[i].read != NULL ? rows[i].read : rows[i].words);
    }
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/walks/round-trip", test_round_trip);
  g_test_add_func ("/walks/newer", test_newer);
  g_test_add_func ("/walks/with", test_with);
  g_test_add_func ("/walks/without", test_without);
  g_test_add_func ("/walks/version-1", test_version_1);
  g_test_add_func ("/walks/hostile", test_hostile);
  return g_test_run ();
}
