/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's child where all times are played: which candidates are tried, how often, who comes into the
 * final, who wins it and what is told of it follows from the rules of tune.h alone.
 */
#include "config.h"

#include <string.h>

#include "played_tuner.h"

/* ---- the search ---- */

/* Of the registers' rung the columns 64 and 8 rows an item help, everything else hurts a little. Some are
 * slow at first, the best among them, one is fast at last: neither counts, since the middle one of three
 * does. */
#define BEST "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=8 ITEM_N=4"

static double
search_us (const Run *run)
{
  double us = 80 + run->turn;

  if (run->turn > 0 && run->run == 0)
    return 5000; /* a final's first run: of a cold kernel */
  if (g_str_has_prefix (run->words, "packed"))
    return 100 + run->turn;
  if (g_str_has_prefix (run->words, "tiled"))
    return 90;
  if (g_str_equal (run->words, "naive"))
    return 1000;
  us -= strstr (run->words, "TILE_N=64") != NULL ? 10 : 0;
  us -= strstr (run->words, "ITEM_M=8") != NULL ? 20 : 0;
  us += strstr (run->words, "TILE_M=32") == NULL ? 5 : 0;
  us += strstr (run->words, "TILE_N=16") == NULL && strstr (run->words, "TILE_N=64") == NULL ? 5 : 0;
  us += strstr (run->words, "TILE_K=16") == NULL ? 5 : 0;
  us += strstr (run->words, "ITEM_M=2") != NULL ? 5 : 0;
  us += strstr (run->words, "ITEM_N=4") == NULL ? 6 : 0;
  if (run->turn == 0 && strstr (run->words, "TILE_M=16") != NULL)
    return run->run == 2 ? 1 : us;
  if (run->turn == 0 && strstr (run->words, "TILE_M=64") != NULL)
    return run->run == 0 ? 3 * 80 : us;
  if (run->turn == 0 && strstr (run->words, "TILE_M=128") != NULL)
    return run->run == 0 ? 3 * 80 + 1 : us;
  return run->turn == 0 && run->run == 0 && g_str_equal (run->words, BEST) ? 150 : us;
}

static guint
runs_at_first (const char *words)
{
  guint n = 0;

  for (guint i = 0; i < fake.runs->len; i++)
    {
      const Run *run = &g_array_index (fake.runs, Run, i);
      n += run->turn == 0 && g_str_equal (run->words, words);
    }
  return n;
}

/* In which order, and that of each only what is needed is measured. */
static void
test_search (void)
{
  static const char *const order[] = {
    /* the shipped one is said before the reference is computed, and before it runs */
    SHIPPED, SHIPPED,
    /* rungs with their defaults, from the fastest kind on */
    "register TILE_M=32 TILE_N=16 TILE_K=16 ITEM_M=4 ITEM_N=4", "tiled TILE=16", "naive",
    /* around the best: one parameter after the other, from what was best so far */
    "register TILE_M=16 TILE_N=16 TILE_K=16 ITEM_M=4 ITEM_N=4",
    "register TILE_M=64 TILE_N=16 TILE_K=16 ITEM_M=4 ITEM_N=4",
    "register TILE_M=128 TILE_N=16 TILE_K=16 ITEM_M=4 ITEM_N=4",
    "register TILE_M=32 TILE_N=32 TILE_K=16 ITEM_M=4 ITEM_N=4",
    "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=4 ITEM_N=4",
    "register TILE_M=32 TILE_N=128 TILE_K=16 ITEM_M=4 ITEM_N=4",
    "register TILE_M=32 TILE_N=64 TILE_K=8 ITEM_M=4 ITEM_N=4",
    "register TILE_M=32 TILE_N=64 TILE_K=32 ITEM_M=4 ITEM_N=4",
    "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=2 ITEM_N=4", BEST,
    "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=8 ITEM_N=2",
    "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=8 ITEM_N=8",
    /* the final: the shipped one and the best three */
    SHIPPED, BEST, "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=8 ITEM_N=2",
    "register TILE_M=32 TILE_N=64 TILE_K=16 ITEM_M=8 ITEM_N=8"
  };
  g_autoptr (LsTuneJob) job = job_new (3600);
  g_autoptr (LsTunedEntry) entry = NULL;
  guint said_so_far = 0, finals = 0;
  json_t *line;
  gsize i;

  fake_begin (search_us);
  g_autoptr (json_t) said = child_says (job);
  g_assert_cmpstr (fake.index, ==, "3"); /* the device that the parent chose */
  json_array_foreach (said, i, line) if (is_watched (line))
  {
    g_assert_cmpuint (said_so_far, <, G_N_ELEMENTS (order));
    g_assert_cmpstr (text_of (line, "candidate"), ==, order[said_so_far]);
    said_so_far++;
  }
  g_assert_cmpuint (said_so_far, ==, G_N_ELEMENTS (order));
  /* three times as slow as the best is looked at again, more than that is not */
  g_assert_cmpuint (runs_at_first (SHIPPED), ==, 3);
  g_assert_cmpuint (runs_at_first ("naive"), ==, 1);
  g_assert_cmpuint (runs_at_first (order[6]), ==, 3);
  g_assert_cmpuint (runs_at_first (order[7]), ==, 1);
  /* a turn repeats what is short for 1.5 ms */
  for (guint r = 0; r < fake.runs->len; r++)
    {
      const Run *run = &g_array_index (fake.runs, Run, r);
      if (run->run == 0)
        g_assert_cmpuint (run->n, ==, 1);
      else if (g_str_equal (run->words, SHIPPED))
        g_assert_cmpuint (run->n, ==, 15);
      else if (g_str_equal (run->words, BEST)) /* first as often as it seems to be worth */
        g_assert_cmpuint (run->n, ==, run->turn == 0 ? 10 : 30);
    }
  /* eleven turns of A B C D, each after one run that isn't counted */
  for (guint r = 0; r < fake.runs->len; r++)
    {
      const Run *run = &g_array_index (fake.runs, Run, r);
      if (run->turn == 0)
        continue;
      g_assert_cmpstr (run->words, ==, order[G_N_ELEMENTS (order) - 4 + finals / 2 % 4]);
      g_assert_cmpuint (run->run, ==, finals % 2);
      g_assert_cmpuint (run->turn, ==, 1 + finals / 8);
      finals++;
    }
  g_assert_cmpuint (finals, ==, 11 * 4 * 2);

  entry = entry_of (said);
  g_assert_nonnull (entry);
  g_assert_cmpstr (entry->words, ==, BEST);
  g_assert_cmpstr (entry->shipped_words, ==, SHIPPED);
  g_assert_cmpstr (entry->rung, ==, "register");
  g_assert_cmpuint (entry->n_params, ==, 5);
  for (guint p = 0; p < 5; p++)
    {
      static const char *const names[] = { "TILE_M", "TILE_N", "TILE_K", "ITEM_M", "ITEM_N" };
      static const gint64 values[] = { 32, 64, 16, 8, 4 };
      g_assert_cmpstr (entry->params[p].name, ==, names[p]);
      g_assert_cmpint (entry->params[p].value, ==, values[p]);
    }
  /* the middle one of turns 1 … 11, not what was seen before */
  g_assert_cmpfloat (entry->us.value, ==, 50 + 6);
  g_assert_cmpfloat (entry->shipped_us.value, ==, 100 + 6);
  g_assert_cmpuint (entry->us.n, ==, 11);
  g_assert_cmpuint (entry->shipped_us.n, ==, 11);
  g_assert_cmpint (entry->tried, ==, 16);
  g_assert_cmpint (entry->refused, ==, 0);
  g_assert_cmpstr (entry->device, ==, "a device, its version");
  g_assert_cmpstr (entry->shape, ==, "nt 32×8×64");
  g_assert_cmpuint (strlen (entry->date), ==, strlen ("2026-11-21T10:00:00+00:00"));
  fake_end ();
}

/* What costs most is first; the last line says that all is done. */
static void
test_tasks (void)
{
  g_autoptr (LsTuneJob) job = job_new (3600);
  g_autoptr (LsModel) model = ls_model_parse (MODEL, NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, job->wish.plans[0].shape, 10, 32, LS_OPTIMIZER_SGD, NULL);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tune_task_free);
  double last = G_MAXDOUBLE;
  json_int_t number = -1;
  guint entries = 0, begun = 0;
  json_t *line;
  gsize i;

  fake_begin (search_us);
  ls_tune_task_add (tasks, plan);
  g_autoptr (json_t) said = child_says (job);
  g_assert_cmpint (json_integer_value (json_object_get (json_array_get (said, 0), "tasks")), ==, tasks->len);
  json_array_foreach (said, i, line)
  {
    entries += json_object_get (line, "entry") != NULL;
    if (json_object_get (line, "task") == NULL)
      continue;
    g_assert_cmpfloat (json_number_value (json_object_get (line, "left")), <=, 3600);
    if (json_integer_value (json_object_get (line, "task")) == number)
      continue;
    g_assert_cmpint (json_integer_value (json_object_get (line, "task")), >, number);
    number = json_integer_value (json_object_get (line, "task"));
    begun++;
    for (guint t = 0; t < tasks->len; t++)
      {
        const LsTuneTask *task = tasks->pdata[t];
        if (!g_str_equal (task->example, text_of (line, "example"))
            || !g_str_equal (task->plan->ops[0].klass->name, text_of (line, "op")))
          continue;
        if (task->cost > last)
          g_error ("%s %s is tuned after what costs less", text_of (line, "op"), task->example);
        last = task->cost;
      }
  }
  g_assert_cmpint (number, ==, tasks->len - 1);
  g_assert_cmpuint (begun, ==, tasks->len);
  g_assert_cmpuint (fake.most, ==, 200); /* however short a run is */
  g_assert_cmpuint (entries, ==, begun);
  g_assert_cmpstr (text_of (json_array_get (said, json_array_size (said) - 1), "end"), ==, "");
  g_autoptr (json_t) before = said;
  /* another child goes on at the task where one ended */
  said = NULL;
  fake_end ();
  fake_begin (search_us);
  job->first = (guint) number;
  said = child_says (job);
  g_assert_cmpint (json_integer_value (json_object_get (json_array_get (said, 1), "task")), ==, number);
  json_array_foreach (said, i, line) if (json_object_get (line, "task") != NULL)
    g_assert_cmpint (json_integer_value (json_object_get (line, "task")), >=, number);
  g_assert_cmpint (json_array_size (said), <, json_array_size (before));
  fake_end ();
}

/* ---- the final ---- */

/* Of eleven turns so many, the first or the last ones, were `share` of the shipped one's 100 µs, and the
 * others twice as long. */
typedef struct {
  double share;
  guint turns;
} Played;

static struct {
  Played tiled, naive;
  double at_register; /* at first */
  gboolean last;
} played;

static double
played_us (const Run *run)
{
  const Played *p = g_str_equal (run->words, "naive") ? &played.naive : &played.tiled;

  if (g_str_equal (run->words, SHIPPED))
    return 100;
  if (g_str_has_prefix (run->words, "register") && strstr (run->words, "TILE_M=32 TILE_N=16") != NULL)
    return played.at_register;
  if (!g_str_equal (run->words, "naive") && !g_str_equal (run->words, "tiled TILE=16"))
    return 160;
  if (run->turn == 0)
    return 100;
  return (played.last ? run->turn + p->turns > 11 : run->turn <= p->turns) ? 100 * p->share : 200;
}

static void
test_winner (void)
{
  static const struct {
    Played tiled, naive;
    const char *winner;
  } cases[] = {
    { { .96, 11 }, { 1, 11 }, "tiled TILE=16" }, /* by more than 3 % */
    { { .98, 11 }, { 1, 11 }, SHIPPED },
    { { .5, 9 }, { 1, 11 }, "tiled TILE=16" }, /* in three turns of four */
    { { .5, 8 }, { 1, 11 }, SHIPPED },
    { { .9, 11 }, { .8, 11 }, "naive" }, /* of two the faster, whichever was first */
    { { .8, 11 }, { .9, 11 }, "tiled TILE=16" },
    { { .5, 8 }, { .9, 11 }, "naive" },
    { { .9, 11 }, { .5, 8 }, "tiled TILE=16" },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsTuneJob) job = job_new (3600);
      g_autoptr (LsTunedEntry) entry = NULL;
      const char *winner = cases[i / 2].winner;

      fake_begin (played_us);
      played.tiled = cases[i / 2].tiled;
      played.naive = cases[i / 2].naive;
      played.at_register = 150 + i / 2 % 2;
      played.last = i % 2 == 1;
      g_autoptr (json_t) said = child_says (job);
      entry = entry_of (said);
      if (!g_str_equal (entry->words, winner))
        g_error ("case %u, with the %s turns: “%s” wins, not “%s”", i / 2, played.last ? "last" : "first",
                 entry->words, winner);
      g_assert_cmpfloat (entry->shipped_us.value, ==, 100);
      if (g_str_equal (entry->words, SHIPPED)) /* it is kept, and the entry says so */
        g_assert_cmpfloat (entry->us.value, ==, 100);
      /* at more than 1.5 times the best nobody comes into the final */
      g_assert_cmpuint (times_said (said, "register TILE_M=32 TILE_N=16 TILE_K=16 ITEM_M=4 ITEM_N=4"), ==,
                        i / 2 % 2 == 0 ? 2 : 1);
      g_assert_cmpuint (times_said (said, "packed VEC=4 GROUP_ROWS=128"), ==, 1);
      fake_end ();
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/order", test_search);
  g_test_add_func ("/search/tasks", test_tasks);
  g_test_add_func ("/search/winner", test_winner);
  return g_test_run ();
}
