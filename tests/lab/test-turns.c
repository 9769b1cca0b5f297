/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is asked in which round, and when no further one begins; and how large a map may become that is gone on
 * with.
 */
#include "config.h"

#include <string.h>
#include <time.h>

#include "core/error.h"
#include "lab/kept.h"
#include "lab/lab.h"
#include "played.h"
#include "rig.h"

#define ROUNDS 3

static gint64 passed_s; /* beside what really passes */

int __real_clock_gettime (clockid_t clock, struct timespec *now);
int __wrap_clock_gettime (clockid_t clock, struct timespec *now);

int
__wrap_clock_gettime (clockid_t clock, struct timespec *now)
{
  const int code = __real_clock_gettime (clock, now);

  now->tv_sec += passed_s;
  return code;
}

/* ---- how far a map is gone on with ---- */

typedef struct {
  guint stop_at; /* cells that are there: it is stopped before another one */
  GCancellable *cancel;
  guint n, done;
  double left; /* before the first of them, s */
  gboolean unused;
} Cells;

static void
cells_cb (const LsLabNews *news, gpointer data)
{
  Cells *cells = data;

  if (news->said == NULL && news->spot.x > 0 && !(cells->left > 0))
    cells->left = news->seconds_left;
  cells->unused |= news->said != NULL && strstr (news->said, "and isn’t used") != NULL;
  if (news->said != NULL || news->spot.x == 0 || news->done < cells->stop_at)
    return;
  cells->n = news->n;
  cells->done = news->done;
  g_cancellable_cancel (cells->cancel);
}

static void
run_cells (Cells *cells, const LsOptions *options, guint seconds, guint stop_at, gboolean anew)
{
  const LsLabWish wish = { .experiment = &ls_experiment_crossover,
                           .options = options,
                           .seconds = seconds,
                           .rounds = ROUNDS,
                           .anew = anew };
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  *cells = (Cells){ .stop_at = stop_at, .cancel = cancel };
  g_assert_null (ls_lab_run (&wish, cells_cb, cells, cancel, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
}

/* A map may have cells of other batches and widths, as many as a file may have with this one's; with more it
 * begins anew, and says so. */
static void
test_most_cells (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  g_autoptr (GArray) spots = ls_experiment_spots (&ls_experiment_crossover, options, NULL, 0);

  played_begin (NULL, NULL);
  for (guint more = 0; more < 2; more++)
    {
      g_autoptr (LsLabResult) kept = NULL;
      g_autofree char *why = NULL;
      Cells cells;

      run_cells (&cells, options, 22, 2, TRUE);
      g_assert_cmpuint (cells.n, ==, spots->len);
      kept = ls_lab_kept_exactly (&ls_experiment_crossover, options, FALSE, 22, ROUNDS, &why);
      if (kept == NULL)
        g_error ("a map that was stopped isn’t kept: %s", why);
      for (guint i = 0; i < LS_LAB_MAX_SPOTS - spots->len + more; i++)
        g_array_append_val (kept->tried, ((LsLabSpot){ 5000 + i, 33 }));
      kept->n_sizes = LS_LAB_MAX_SPOTS;
      g_assert_true (ls_lab_keep (kept, NULL));
      run_cells (&cells, options, 22, 0, FALSE);
      if (cells.unused != (more > 0))
        g_error ("a map that would have %u cells is %s", LS_LAB_MAX_SPOTS + more,
                 cells.unused ? "not gone on with" : "gone on with");
      g_assert_cmpuint (cells.n, ==, more > 0 ? spots->len : LS_LAB_MAX_SPOTS);
      g_assert_cmpuint (cells.done, ==, more > 0 ? 0 : kept->tried->len);
    }
}

/* The own network and batch are among the first cells, those of a coarse lattice, though they aren't on it.
 */
static void
test_own_early (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  g_autoptr (LsLabResult) kept = NULL;
  g_autofree char *why = NULL;
  guint owns = 0;
  Cells cells;

  g_assert_true (ls_options_set (options, ls_options_find ("batch"), "100", NULL));
  played_begin (NULL, NULL);
  run_cells (&cells, options, 22, 4 * 4 + 1, TRUE);
  kept = ls_lab_kept_exactly (&ls_experiment_crossover, options, FALSE, 22, ROUNDS, &why);
  if (kept == NULL)
    g_error ("a map that was stopped isn’t kept: %s", why);
  for (guint i = 0; i < kept->tried->len; i++)
    {
      const LsLabSpot spot = g_array_index (kept->tried, LsLabSpot, i);

      owns += spot.x == 100 && spot.y == 256;
    }
  g_assert_cmpuint (kept->tried->len, ==, 4 * 4 + 1);
  if (owns != 1)
    g_error ("of the first %u cells %u are of the own network and batch", kept->tried->len, owns);
}

/* As long as all cells take, and no longer than the map's time. */
static void
assert_left (const Cells *cells, double cell, double all)
{
  if (!(cells->left <= all && cells->left <= 1.0001 * cell * cells->n)
      || (cell * cells->n < all && cells->left < .9999 * cell * cells->n))
    g_error ("of %u cells of %g s each, and %g s for all, %g s are told to be left", cells->n, cell, all,
             cells->left);
}

/* A cell has a sixtieth of a map's time, which is four times as long as other experiments', but enough to
 * show a difference, and no more than that needs; shared by all lanes' turns. */
static void
test_cell_time (void)
{
  static const struct {
    guint seconds;
    double cell;
  } rows[] = { { 1, .15 }, { 3, .2 }, { 20, 4 / 3. }, { 27, 1.8 }, { 30, 2 }, { 120, 2 } };
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *book = NULL, *expected = g_strdup_printf ("cpu run %g\n", rows[i].cell / 2 / ROUNDS);
      Cells cells;

      played_begin (NULL, NULL);
      run_cells (&cells, options, rows[i].seconds, 1, TRUE);
      assert_left (&cells, rows[i].cell, 4. * rows[i].seconds);
      book = played_book ();
      if (strstr (book, expected) == NULL)
        g_error ("with %u s a cell’s turns aren’t “%.*s”, but “%.40s”", rows[i].seconds,
                 (gint) strlen (expected) - 1, expected, strstr (book, "cpu run"));
    }
}

/* ---- lanes in turn ---- */

static guint asked_s; /* what each turn seems to take */

gboolean __real_ls_lab_child_run (LsLabChild *child, guint threads, double seconds, guint limit_s,
                                  GArray *times, GError **error);
gboolean __wrap_ls_lab_child_run (LsLabChild *child, guint threads, double seconds, guint limit_s,
                                  GArray *times, GError **error);

gboolean
__wrap_ls_lab_child_run (LsLabChild *child, guint threads, double seconds, guint limit_s, GArray *times,
                         GError **error)
{
  passed_s += asked_s;
  return __real_ls_lab_child_run (child, threads, seconds, limit_s, times, error);
}

/* Round by round, each lane that is there once in each, until one says no; no round begins once twice the
 * time of all is over, but the first one always does. */
static void
test_turns (void)
{
  static const struct {
    const char *no;
    double seconds;
    guint took_s, rounds;
    guint turns[2]; /* that are asked, of each lane */
  } rows[] = {
    { NULL, 100, 0, 5, { 5, 5 } },
    { NULL, 100, 190, 5, { 5, 5 } }, /* the fifth begins after 1520 of 2000 s */
    { NULL, 100, 260, 5, { 4, 4 } }, /* would after 2080 */
    { NULL, 100, 1500, 5, { 1, 1 } },
    { NULL, 0, 10, 5, { 1, 1 } },
    { NULL, 100, 260, 1, { 1, 1 } },
    { NULL, 50, 90, 2, { 2, 2 } },
    { "cpu run", 100, 10, 3, { 1, 3 } },    /* who says no isn't asked again, */
    { "opencl run", 100, 10, 3, { 3, 1 } }, /* and keeps nobody up */
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      LsLabChild *children[3] = { NULL }; /* the third isn't there */
      GArray *times[3];
      GError *errors[3] = { NULL };
      LsLabLanes lanes;
      g_autofree char *book = NULL;
      GString *expected = g_string_new (NULL);

      played_begin (rows[r].no, NULL);
      played_lanes (&lanes, "cpu,opencl");
      for (guint i = 0; i < 3; i++)
        {
          times[i] = g_array_new (FALSE, FALSE, sizeof (double));
          if (i < 2 && !ls_lab_lane_here (&lanes, i, &errors[i]))
            g_error ("%s", errors[i]->message);
          children[i] = lanes.children[i];
        }
      asked_s = rows[r].took_s;
      ls_lab_take_turns (children, 3, rows[r].seconds * 2 / 3, rows[r].rounds, 60, times, errors);
      asked_s = 0;
      book = played_book ();
      for (guint round = 0; round < rows[r].rounds; round++)
        for (guint i = 0; i < 2; i++)
          if (round < rows[r].turns[i])
            g_string_append (expected, i == 0 ? "c" : "o");
      g_autoptr (GString) asked = g_string_new (NULL);
      g_auto (GStrv) lines = g_strsplit (book, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        if (strstr (lines[i], " run ") != NULL)
          g_string_append_c (asked, *lines[i]);
      if (strcmp (asked->str, expected->str) != 0)
        g_error ("row %u: %u rounds of %g s that take %u s each are asked in the order “%s”, not “%s”", r,
                 rows[r].rounds, rows[r].seconds, rows[r].took_s, asked->str, expected->str);
      for (guint i = 0; i < 3; i++)
        {
          const gboolean no = rows[r].no != NULL && i < 2 && (i == 0) == (*rows[r].no == 'c');

          g_assert_cmpuint (times[i]->len, ==, i == 2 || no ? 0 : 3 * rows[r].turns[i]);
          g_assert_true ((errors[i] != NULL) == no);
          g_clear_error (&errors[i]);
          g_array_unref (times[i]);
        }
      g_string_free (expected, TRUE);
      ls_lab_lanes_clear (&lanes);
    }
}

/* A lane that is said to be missing isn't opened again; another one is opened once, and stays. */
static void
test_here (void)
{
  g_autoptr (GError) error = NULL;
  LsLabLanes lanes;
  LsLabChild *opened;

  played_begin (NULL, NULL);
  played_lanes (&lanes, "cpu,opencl");
  lanes.why[0] = g_strdup ("It is away.");
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (ls_lab_lane_here (&lanes, 0, &error));
      g_assert_no_error (error); /* it was told before */
      g_assert_null (lanes.children[0]);
    }
  g_assert_true (ls_lab_lane_here (&lanes, 1, &error));
  opened = lanes.children[1];
  g_assert_nonnull (opened);
  g_assert_true (ls_lab_lane_here (&lanes, 1, &error));
  g_assert_true (lanes.children[1] == opened);
  g_clear_pointer (&lanes.why[0], g_free);
  g_assert_true (ls_lab_lane_here (&lanes, 0, &error));
  g_assert_no_error (error);
  ls_lab_lanes_clear (&lanes);
}

int
main (int argc, char **argv)
{
  int status;

  if (played_main (argc, argv, &status))
    return status;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-turns/most-cells", test_most_cells);
  g_test_add_func ("/lab-turns/own-early", test_own_early);
  g_test_add_func ("/lab-turns/cell-time", test_cell_time);
  g_test_add_func ("/lab-turns/turns", test_turns);
  g_test_add_func ("/lab-turns/here", test_here);
  status = g_test_run ();
  played_end ();
  return status;
}
