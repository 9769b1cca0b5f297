/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole experiment on played lanes (played.h): what is told, in which order sizes are measured, what is
 * gone on with after it was stopped, and what the result has.
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

typedef struct {
  GString *said; /* what was told, line by line; what is wrong begins with “!” */
  GArray *spots; /* LsLabSpot, as they were begun */
  guint stop_at; /* sizes that are done; 0: it isn't stopped */
  double left;   /* when the first of them was begun, s */
  GCancellable *cancel;
} Heard;

static void
heard_cb (const LsLabNews *news, gpointer data)
{
  Heard *heard = data;

  if (news->said != NULL)
    g_string_append_printf (heard->said, "%s%s\n", news->problem ? "! " : "", news->said);
  if (news->said != NULL || news->spot.x == 0)
    return;
  g_assert_cmpuint (news->result->tried->len, ==, news->done);
  g_assert_cmpuint (news->n, ==, 13);
  g_assert_cmpfloat (news->seconds_left, >, 0);
  if (heard->spots->len == 0)
    heard->left = news->seconds_left;
  g_array_append_val (heard->spots, news->spot);
  if (heard->stop_at > 0 && news->done == heard->stop_at)
    g_cancellable_cancel (heard->cancel);
}

static LsLabResult *
run (Heard *heard, guint stop_at, guint seconds, gboolean anew, GError **error)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl,reference");
  const LsLabWish wish = {
    .experiment = &ls_experiment_batch, .options = options, .seconds = seconds, .rounds = ROUNDS, .anew = anew
  };
  LsLabResult *result;

  *heard = (Heard){ .said = g_string_new (NULL),
                    .spots = g_array_new (FALSE, FALSE, sizeof (LsLabSpot)),
                    .stop_at = stop_at,
                    .cancel = g_cancellable_new () };
  result = ls_lab_run (&wish, heard_cb, heard, heard->cancel, error);
  g_object_unref (heard->cancel);
  return result;
}

static void
heard_clear (Heard *heard)
{
  g_string_free (heard->said, TRUE);
  g_array_unref (heard->spots);
}

static void
assert_said (const Heard *heard, const char *words)
{
  if (strstr (heard->said->str, words) == NULL)
    g_error ("“%s” should have been told, but this was: “%s”", words, heard->said->str);
}

/* What was kept, as if other programs had taken part in it. */
static void
mark_busy (guint seconds)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl,reference");
  g_autofree char *why = NULL;
  g_autoptr (LsLabResult) kept = ls_lab_kept_exactly (&ls_experiment_batch, options, FALSE, seconds, ROUNDS,
                                                      &why);

  if (kept == NULL)
    g_error ("what was stopped isn't kept: %s", why);
  kept->busy = TRUE;
  g_assert_true (ls_lab_keep (kept, NULL));
}

/* A lane that isn't there is said, with its reason, and so is each that is; a size that a lane can't do is
 * missing at that lane alone. What was stopped goes on at the size that it was stopped at, unless it is for
 * another time, or is wanted anew. */
static void
test_run (void)
{
  g_autoptr (GError) stopped = NULL, error = NULL;
  g_autoptr (LsLabResult) none = NULL, whole = NULL;
  Heard heard;

  played_begin ("reference open;opencl prepare step\tmlp\tmnist\t4096", NULL);
  none = run (&heard, 3, 13, FALSE, &stopped);
  g_assert_null (none);
  g_assert_error (stopped, LS_ERROR, LS_ERROR_CANCELLED);
  g_assert_cmpuint (heard.spots->len, ==, 4);
  g_assert_cmpfloat (heard.left, ==, 13); /* before anything is measured: as long as it is to take */
  g_assert_cmpuint (g_array_index (heard.spots, LsLabSpot, 0).x, ==, 1); /* ends first */
  g_assert_cmpuint (g_array_index (heard.spots, LsLabSpot, 1).x, ==, 4096);
  assert_said (&heard, "CPU lane: a played cpu\nOpenCL lane: a played opencl\n"
                       "! The Reference lane is missing: not open 4.\n");
  assert_said (&heard, "! OpenCL lane, batch 4096: not prepare step");
  const LsLabSpot last = g_array_index (heard.spots, LsLabSpot, 3);
  heard_clear (&heard);

  mark_busy (13);
  whole = run (&heard, 0, 13, FALSE, &error);
  g_assert_no_error (error);
  if (!whole->busy)
    g_error ("sizes measured beside other programs are passed off as those of a quiet machine");
  assert_said (&heard, ": 3 of 13 sizes are there.");
  g_assert_cmpuint (heard.spots->len, ==, 10);
  g_assert_cmpfloat (heard.left, ==, 10); /* of the ten that are missing */
  g_assert_cmpuint (g_array_index (heard.spots, LsLabSpot, 0).x, ==, last.x); /* it wasn't done */
  heard_clear (&heard);
  g_assert_true (ls_lab_result_whole (whole));
  g_assert_cmpuint (whole->seconds, ==, 13);
  g_assert_cmpuint (whole->rounds, ==, ROUNDS);
  g_assert_cmpstr (whole->devices[1], ==, "a played opencl");
  g_assert_cmpstr (whole->keys[1], ==, "the key of opencl");
  g_assert_null (whole->keys[2]);
  g_assert_cmpuint (whole->points[0]->len, ==, 13);
  g_assert_cmpuint (whole->points[1]->len, ==, 12);
  g_assert_cmpuint (whole->points[2]->len, ==, 0);
  for (guint lane = 0; lane < 2; lane++)
    for (guint x = 1; x <= (lane == 0 ? 4096 : 2048); x *= 2)
      played_rate ("a point", &ls_lab_result_point (whole, lane, (LsLabSpot){ x, 0 })->rate, x,
                   played_us (lane == 0 ? "cpu" : "opencl", x, PLAYED_THREADS, 0), ROUNDS, "samples/s");
  g_assert_nonnull (ls_lab_result_why (whole, 1, (LsLabSpot){ 4096, 0 }));
  g_assert_null (ls_lab_result_why (whole, 0, (LsLabSpot){ 4096, 0 }));
  g_autofree char *book = played_book ();
  g_assert_nonnull (strstr (book, "cpu run 0.111111\n")); /* 13 s, of 13 sizes, three lanes, three turns */

  /* whole, it is measured again; what was stopped under another time isn't gone on with, nor what is wanted
   * anew */
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) again = NULL;

      g_assert_null (run (&heard, 2, i == 1 ? 26 : 13, i == 2, &again));
      g_assert_error (again, LS_ERROR, LS_ERROR_CANCELLED);
      g_assert_cmpuint (heard.spots->len, ==, 3);
      g_assert_cmpuint (g_array_index (heard.spots, LsLabSpot, 0).x, ==, 1);
      heard_clear (&heard);
    }
}

/* ---- beside other programs ---- */

static double others;

double __wrap_ls_machine_others (GCancellable *cancel);

double
__wrap_ls_machine_others (GCancellable *cancel)
{
  (void) cancel;
  return others;
}

/* A result of which any part was measured beside other programs says so: its beginning, or what it was gone
 * on with. */
static void
test_busy (void)
{
  static const struct {
    double others[2]; /* cores that they took; −1: it isn't known */
    gboolean busy;
  } rows[] = { { { 0, 0 }, FALSE },   { { .11, 0 }, TRUE },  { { 0, .11 }, TRUE },
               { { .1, .1 }, FALSE }, { { -1, -1 }, FALSE }, { { 2, 2 }, TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) stopped = NULL, error = NULL;
      g_autoptr (LsLabResult) whole = NULL;
      Heard heard;

      played_begin ("reference open", NULL);
      others = rows[i].others[0];
      g_assert_null (run (&heard, 11, 13, TRUE, &stopped));
      heard_clear (&heard);
      others = rows[i].others[1];
      whole = run (&heard, 0, 13, FALSE, &error);
      g_assert_no_error (error);
      assert_said (&heard, ": 11 of 13 sizes are there.");
      heard_clear (&heard);
      if (whole->busy != rows[i].busy)
        g_error (
          "begun beside %g busy cores, and gone on with beside %g, it is said to be measured on a %s machine",
          rows[i].others[0], rows[i].others[1], whole->busy ? "busy" : "quiet");
    }
  others = 0;
}

/* ---- an experiment that has its time ---- */

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

typedef struct {
  guint over_at; /* cells that are done when the time is over; 0: never */
  guint stop_at; /* and when it is stopped; 0: never */
  GCancellable *cancel;
  guint n, begun;
} Timed;

static void
timed_cb (const LsLabNews *news, gpointer data)
{
  Timed *timed = data;

  if (news->said != NULL || news->spot.x == 0)
    return;
  timed->n = news->n;
  timed->begun++;
  g_assert_cmpuint (news->result->tried->len, ==, news->done);
  if (timed->over_at > 0 && news->done + 1 == timed->over_at)
    passed_s += 3600;
  if (timed->stop_at > 0 && news->done == timed->stop_at)
    g_cancellable_cancel (timed->cancel);
}

/* A map has as many cells as there was time for, and is whole then, while one that was stopped is broken off;
 * each is gone on with next time. */
static void
test_timed (void)
{
  static const struct {
    guint over_at, stop_at, before; /* cells that are there before */
    gboolean whole;
  } rows[]
    = { { 0, 2, 0, FALSE }, { 5, 0, 2, TRUE }, { 6, 0, 5, TRUE }, { 0, 8, 6, FALSE }, { 9, 0, 8, TRUE } };
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");

  played_begin (NULL, NULL);
  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const LsLabWish wish
        = { .experiment = &ls_experiment_crossover, .options = options, .seconds = 20, .rounds = ROUNDS };
      const guint done = rows[r].whole ? rows[r].over_at : rows[r].stop_at;
      g_autoptr (GCancellable) cancel = g_cancellable_new ();
      Timed timed = { rows[r].over_at, rows[r].stop_at, cancel, 0, 0 };
      g_autoptr (GError) error = NULL;
      g_autofree char *why = NULL;
      g_autoptr (LsLabResult) result = ls_lab_run (&wish, timed_cb, &timed, cancel, &error), kept = NULL;

      if (rows[r].whole && result == NULL)
        g_error ("row %u: a map whose time is over is no result: %s", (guint) r, error->message);
      if (!rows[r].whole && result != NULL)
        g_error ("row %u: a map that was stopped is a result", (guint) r);
      if (timed.begun != done - rows[r].before + !rows[r].whole)
        g_error ("row %u: %u cells are begun, with %u of %u there before", (guint) r, timed.begun,
                 rows[r].before, done);
      kept = ls_lab_kept_exactly (&ls_experiment_crossover, options, rows[r].whole, 20, ROUNDS, &why);
      if (kept == NULL)
        g_error ("row %u: what was measured isn’t kept as %s: %s", (guint) r,
                 rows[r].whole ? "whole" : "broken off", why != NULL ? why : "nothing is there");
      g_assert_cmpuint (kept->tried->len, ==, done);
      g_assert_cmpuint (kept->n_sizes, ==, timed.n);
      g_assert_cmpuint (timed.n, >, done);
      if (ls_lab_result_whole (kept) != rows[r].whole || kept->ended != rows[r].whole)
        g_error ("row %u: a map that was %s is said to be %s", (guint) r,
                 rows[r].whole ? "as whole as its time allowed" : "broken off",
                 ls_lab_result_whole (kept) ? "whole" : "broken off");
      if (result != NULL)
        rig_assert_alike (result, kept);
    }
}

/* A map that is gone on with at another batch has that one's cells, too: those that are there already aren't
 * counted as some of them. */
static void
test_another_batch (void)
{
  guint n[2] = { 0 };

  played_begin (NULL, NULL);
  for (guint r = 0; r < 2; r++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
      const LsLabWish wish
        = { .experiment = &ls_experiment_crossover, .options = options, .seconds = 21, .rounds = ROUNDS };
      g_autoptr (GCancellable) cancel = g_cancellable_new ();
      Timed timed = { 0, 0, cancel, 0, 0 };
      g_autoptr (GArray) spots = NULL;
      g_autoptr (LsLabResult) result = NULL;
      g_autoptr (GError) error = NULL;

      options->batch = r == 0 ? 100 : 30;
      spots = ls_experiment_spots (&ls_experiment_crossover, options, NULL, 0);
      timed.stop_at = r == 0 ? spots->len - 1 : 0; /* all but one */
      result = ls_lab_run (&wish, timed_cb, &timed, cancel, &error);
      n[r] = timed.n;
      if (r == 0)
        {
          g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
          g_assert_cmpuint (n[0], ==, spots->len);
          continue;
        }
      g_assert_no_error (error);
      if (n[1] <= n[0] || result->n_sizes != n[1])
        g_error ("a map of %u cells is gone on with at another batch, and has %u cells then, not more", n[0],
                 result->n_sizes);
      g_assert_cmpuint (result->tried->len, ==, n[1]);
      for (guint i = 0; i < spots->len; i++)
        g_assert_true (ls_lab_result_tried (result, g_array_index (spots, LsLabSpot, i)));
      g_autofree char *why = NULL;
      g_autoptr (LsLabResult) kept = ls_lab_kept_exactly (&ls_experiment_crossover, options, TRUE, 21, ROUNDS,
                                                          &why);
      if (kept == NULL)
        g_error ("a map of two batches isn't kept: %s", why != NULL ? why : "nothing is there");
    }
}

/* What was broken off on these devices and at these sizes is gone on with, however few of them are there;
 * else it is said that it isn't used, and all is measured anew. */
static void
test_goes_on (void)
{
  static const struct {
    const char *what;
    guint done;
    const char *key; /* of another device */
    LsLabSpot beside;
    guint n_sizes;
    gboolean used;
  } rows[] = {
    { "one size", 1, NULL, { 0 }, 13, TRUE },
    { "two sizes", 2, NULL, { 0 }, 13, TRUE },
    { "four sizes", 4, NULL, { 0 }, 13, TRUE },
    { "another device", 4, "another", { 0 }, 13, FALSE },
    { "a size of its own", 3, NULL, { 3, 0 }, 13, FALSE },

    { "fewer sizes", 3, NULL, { 0 }, 12, FALSE },
  };

  played_begin ("reference open", NULL);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu,opencl,reference");
      g_autoptr (LsLabResult) kept = NULL, whole = NULL;
      g_autoptr (GError) stopped = NULL, again = NULL;
      g_autofree char *why = NULL, *goes_on = g_strdup_printf (": %u of 13 sizes are there.", rows[r].done);
      Heard heard;

      g_assert_null (run (&heard, rows[r].done, 17, TRUE, &stopped));
      heard_clear (&heard);
      kept = ls_lab_kept_exactly (&ls_experiment_batch, options, FALSE, 17, ROUNDS, &why);
      if (kept == NULL)
        g_error ("%s: what was stopped isn't kept: %s", rows[r].what, why);
      g_assert_cmpuint (kept->tried->len, ==, rows[r].done);
      if (rows[r].key != NULL)
        {
          g_free (kept->keys[1]);
          kept->keys[1] = g_strdup (rows[r].key);
        }
      if (rows[r].beside.x > 0)
        g_array_append_val (kept->tried, rows[r].beside);
      kept->n_sizes = rows[r].n_sizes;
      g_assert_true (ls_lab_keep (kept, NULL));

      whole = run (&heard, rows[r].used ? rows[r].done + 1 : 1, 17, FALSE, &again);
      if (whole != NULL)
        g_error ("%s: nothing more than %u sizes is measured", rows[r].what, whole->tried->len);
      if ((strstr (heard.said->str, goes_on) != NULL) != rows[r].used
          || (strstr (heard.said->str, "! What was broken off on ") == NULL) != rows[r].used)
        g_error ("%s: it %s gone on with: “%s”", rows[r].what, rows[r].used ? "isn't" : "is",
                 heard.said->str);
      g_assert_cmpuint (heard.spots->len, ==, 2);
      g_assert_true ((g_array_index (heard.spots, LsLabSpot, 0).x == 1) == !rows[r].used);
      heard_clear (&heard);
    }
}

/* What was broken off and can't be read is said, and all is measured anew. */
static void
test_damaged (void)
{
  g_autofree char *folder = ls_lab_folder (TRUE, NULL);
  g_autoptr (GError) stopped = NULL, again = NULL;
  g_autoptr (GDir) dir = NULL;
  guint n = 0;
  Heard heard;

  played_begin ("reference open", NULL);
  g_assert_null (run (&heard, 3, 19, TRUE, &stopped));
  heard_clear (&heard);
  dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (strstr (name, "-19s-") != NULL)
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_assert_true (g_file_set_contents (path, "{", 1, NULL));
        n++;
      }
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (run (&heard, 1, 19, FALSE, &again));
  assert_said (&heard, "! ");
  assert_said (&heard, "can’t be read and isn’t used");
  g_assert_cmpuint (g_array_index (heard.spots, LsLabSpot, 0).x, ==, 1);
  heard_clear (&heard);
}

int
main (int argc, char **argv)
{
  int status;

  if (played_main (argc, argv, &status))
    return status;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-run/run", test_run);
  g_test_add_func ("/lab-run/busy", test_busy);
  g_test_add_func ("/lab-run/timed", test_timed);
  g_test_add_func ("/lab-run/another-batch", test_another_batch);
  g_test_add_func ("/lab-run/goes-on", test_goes_on);
  g_test_add_func ("/lab-run/damaged", test_damaged);
  status = g_test_run ();
  played_end ();
  return status;
}
