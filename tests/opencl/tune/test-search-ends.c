/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's child where all times are played: what it makes of candidates that fail, of those that ended
 * another child, of time that runs out, and of a job that can't be done.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "played_tuner.h"

/* ---- what fails ---- */

static double
plain_us (const Run *run)
{
  return g_str_has_prefix (run->words, "tiled TILE=16") ? 50 : 100;
}

static double
stops_us (const Run *run)
{
  return run->turn == 3 && g_str_equal (run->words, "tiled TILE=16") ? -1 : plain_us (run);
}

static void
test_dropped (void)
{
  g_autoptr (LsTuneJob) job = job_new (3600);

  /* wrong results: not a candidate, however fast */
  fake_begin (plain_us);
  fake.refused = "tiled TILE=16";
  {
    g_autoptr (json_t) said = child_says (job);
    g_autoptr (LsTunedEntry) entry = entry_of (said);
    g_assert_cmpuint (times_dropped (said, "matmul " WATCHED ", tiled TILE=16: it is wrong"), ==, 1);
    g_assert_cmpstr (entry->words, ==, SHIPPED);
    g_assert_cmpint (entry->refused, ==, 1);
    g_assert_cmpint (entry->tried, ==, 8); /* with that one */
    g_assert_cmpuint (times_said (said, "tiled TILE=16"), ==, 1);
  }
  fake_end ();
  /* nothing to hold others against */
  fake_begin (plain_us);
  fake.refused = SHIPPED;
  {
    g_autoptr (json_t) said = child_says (job);
    g_assert_cmpuint (times_dropped (said, "matmul " WATCHED ", " SHIPPED ": it is wrong"), ==, 1);
    g_assert_null (entry_of (said));
    g_assert_cmpuint (times_said (said, "tiled TILE=16"), ==, 0);
  }
  fake_end ();
  fake_begin (plain_us);
  fake.unready = TRUE;
  {
    g_autoptr (json_t) said = child_says (job);
    g_assert_cmpuint (times_dropped (said, "matmul " WATCHED ", " SHIPPED ": no memory"), ==, 1);
    g_assert_null (entry_of (said));
  }
  fake_end ();
  /* in the midst of the final */
  fake_begin (stops_us);
  {
    g_autoptr (json_t) said = child_says (job);
    g_assert_cmpuint (times_dropped (said, "matmul " WATCHED ", " SHIPPED ": it stopped"), ==, 1);
    g_assert_null (entry_of (said));
    g_assert_cmpuint (times_said (said, "naive"), ==, 1); /* too slow for it, beside the best */
  }
  fake_end ();
}

/* What ended another child isn't begun again, of that op; what is skipped is neither tried nor refused. */
static void
test_skipped (void)
{
  g_autoptr (LsTuneJob) job = job_new (3600);

  g_ptr_array_add (job->skip, g_strdup ("matmul tiled TILE=16"));
  g_ptr_array_add (job->skip, g_strdup ("relu naive"));
  fake_begin (plain_us);
  {
    g_autoptr (json_t) said = child_says (job);
    g_autoptr (LsTunedEntry) entry = entry_of (said);
    g_assert_cmpuint (times_said (said, "tiled TILE=16"), ==, 0);
    g_assert_cmpuint (times_said (said, "naive"), ==, 2);
    g_assert_cmpstr (entry->words, ==, SHIPPED);
    g_assert_cmpint (entry->refused, ==, 0);
    g_assert_cmpint (entry->tried, ==, 7); /* shipped, register, naive; VEC 4 and 16; 32 and 64 rows */
  }
  fake_end ();
  g_ptr_array_add (job->skip, g_strdup ("matmul " SHIPPED));
  fake_begin (plain_us);
  {
    g_autoptr (json_t) said = child_says (job);
    g_assert_cmpuint (times_said (said, SHIPPED), ==, 0);
    g_assert_cmpuint (times_said (said, "naive"), ==, 0);
    g_assert_null (entry_of (said));
  }
  fake_end ();
}

/* ---- time ---- */

static double
slow_us (G_GNUC_UNUSED const Run *run)
{
  return 50000;
}

/* A task may take twice its share of what is left; a final has five turns, also when that is over. Nothing is
 * begun after the end. */
static void
check_time (guint seconds)
{
  g_autoptr (LsTuneJob) job = job_new (seconds);
  double share = -1, last = seconds;
  gint64 n_tasks;
  json_t *line;
  gsize i;

  fake_begin (slow_us);
  g_autoptr (json_t) said = child_says (job);
  g_autoptr (LsTunedEntry) entry = entry_of (said);
  n_tasks = json_integer_value (json_object_get (json_array_get (said, 0), "tasks"));
  json_array_foreach (said, i, line) if (json_object_get (line, "left") != NULL)
  {
    const double left = json_number_value (json_object_get (line, "left"));
    g_assert_cmpfloat (left, <=, last);
    g_assert_cmpfloat (left, >=, 0);
    last = left;
    if (!is_watched (line))
      continue;
    if (share < 0)
      share = 2 * left / (double) (n_tasks - json_integer_value (json_object_get (line, "task")));
  }
  g_assert_nonnull (entry);
  g_assert_cmpuint (entry->us.n, ==, 5);
  /* three looks of 50 ms each; none is begun once the share is over */
  if (entry->tried != (gint64) ceil (share / .15))
    g_error ("within %u s, %d candidates are tried in a share of %g s", seconds, (int) entry->tried, share);
  g_assert_cmpint (entry->tried, >, 1);
  g_assert_cmpint (entry->tried, <, 9);
  fake_end ();

  /* the shipped kernel takes more than there is */
  job->wish.seconds = 1;
  fake_begin (slow_us);
  g_autoptr (json_t) cut = child_says (job);
  g_assert_cmpint (json_array_size (cut), <, json_array_size (said));
  g_assert_cmpstr (text_of (json_array_get (cut, json_array_size (cut) - 1), "end"), ==, "");
  fake_end ();
}

static void
test_time (void)
{
  static const guint seconds[] = { 3, 4, 5, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    check_time (seconds[i]);
}

/* In so many of a final's first eight turns the tiled one is twice as fast as the shipped one, and then the
 * time is up. */
static guint won;

static double
eight_us (const Run *run)
{
  if (g_str_equal (run->words, SHIPPED))
    return 100;
  if (!g_str_equal (run->words, "tiled TILE=16"))
    return 1000;
  if (run->turn == 8)
    fake.now_us += (gint64) 7200 * G_USEC_PER_SEC;
  return run->turn == 0 ? 100 : run->turn <= won ? 50 : 200;
}

/* Three turns of four are enough, no fewer. */
static void
test_eight_turns (void)
{
  for (won = 4; won <= 8; won++)
    {
      g_autoptr (LsTuneJob) job = job_new (3600);

      fake_begin (eight_us);
      g_autoptr (json_t) said = child_says (job);
      g_autoptr (LsTunedEntry) entry = entry_of (said);
      g_assert_nonnull (entry);
      g_assert_cmpuint (entry->us.n, ==, 8);
      if (g_str_equal (entry->words, SHIPPED) != (won < 6))
        g_error ("after %u of eight turns “%s” wins", won, entry->words);
      fake_end ();
    }
}

/* Why there is nothing to tune is said in the last line. */
static void
test_errors (void)
{
  g_autoptr (LsTuneJob) job = job_new (60);

  fake_begin (plain_us);
  fake.opens = FALSE;
  {
    g_autoptr (json_t) said = child_says (job);
    g_assert_cmpuint (json_array_size (said), ==, 1);
    g_assert_cmpstr (text_of (json_array_get (said, 0), "error"), ==, "there is none");
  }
  fake_end ();
  g_free ((char *) job->wish.plans[0].model);
  job->wish.plans[0].model = g_strdup ("flatten, dense nothing");
  fake_begin (plain_us);
  {
    g_autoptr (json_t) said = child_says (job);
    g_assert_nonnull (strstr (text_of (json_array_get (said, 0), "error"), "nothing"));
    g_assert_null (fake.index); /* no device was asked for */
  }
  fake_end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/dropped", test_dropped);
  g_test_add_func ("/search/skipped", test_skipped);
  g_test_add_func ("/search/time", test_time);
  g_test_add_func ("/search/eight-turns", test_eight_turns);
  g_test_add_func ("/search/errors", test_errors);
  return g_test_run ();
}
