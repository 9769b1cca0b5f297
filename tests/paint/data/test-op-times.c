/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long each op took in several recorded steps: which of them count, and which don't mix.
 */
#include "config.h"

#include "tests/paint/fixture.h"
#include "ui/paint/data/op_times.h"
#include "ui/paint/data/step_index.h"

static LsRecording *
step_of (guint64 step, gboolean slow)
{
  LsRecording *recording = ls_fixture_recording (&ls_fixture_cores);

  recording->step = step;
  for (guint lane = 0; slow && lane < recording->n_lanes; lane++) /* twice as long from its start on */
    {
      LsRecordedLane *own = &recording->lanes[lane];

      own->end_ns += own->end_ns - own->start_ns;
      for (guint i = 0; i < own->events->len; i++)
        {
          LsEvent *e = &g_array_index (own->events, LsEvent, i);
          e->start_ns += e->start_ns - own->start_ns;
          e->end_ns += e->end_ns - own->start_ns;
        }
    }
  return recording;
}

static guint64
steps_in (const LsOpTimes *times, const LsRecording *recording)
{
  return ls_op_times_figure (times, g_intern_string (recording->lanes[0].id), 1).n;
}

static void
test_times (void)
{
  g_autoptr (LsRecording) first = step_of (10, FALSE), second = step_of (20, TRUE),
                          third = step_of (30, TRUE);
  g_autoptr (LsOpTimes) one = ls_op_times_add (NULL, first), two = ls_op_times_add (one, second),
                        three = ls_op_times_add (two, third), again = ls_op_times_add (three, third),
                        back = ls_op_times_add (three, first);

  g_assert_true (again == three); /* it is the newest already */
  g_assert_cmpuint (steps_in (one, first), ==, 1);
  g_assert_cmpuint (steps_in (two, first), ==, 2);
  g_assert_cmpuint (steps_in (three, first), ==, 3);
  g_assert_cmpuint (steps_in (back, first), ==, 1); /* an earlier one begins anew */
  for (guint lane = 0; lane < first->n_lanes; lane++)
    {
      const char *id = g_intern_string (first->lanes[lane].id);
      LsStepIndex *index = ls_step_index_new (first, lane);

      for (guint op = 0; op < first->n_ops; op++)
        {
          const double ns = (double) (index->ops[op].end_ns - index->ops[op].start_ns);
          const LsFigure f = ls_op_times_figure (three, id, op);

          g_assert_cmpuint (f.n, ==, index->ops[op].ran && ns > 0 ? 3 : 0);
          if (f.n > 0) /* two of three take twice as long */
            g_assert_cmpfloat_with_epsilon (f.value, 1e9 / (2 * ns), f.value * 1e-5);
        }
      g_assert_cmpfloat (ls_op_times_step_ns (two, id), ==, 0); /* two have no median */
      g_assert_cmpfloat_with_epsilon (ls_op_times_step_ns (three, id), 2 * (double) index->length_ns,
                                      (double) index->length_ns * 1e-5);
      ls_step_index_unref (index);
    }
  g_assert_cmpuint (ls_op_times_figure (three, g_intern_string ("nobody"), 1).n, ==, 0);
  g_assert_cmpuint (ls_op_times_figure (three, g_intern_string (first->lanes[0].id), first->n_ops).n, ==, 0);
  g_assert_cmpuint (ls_op_times_figure (NULL, g_intern_string (first->lanes[0].id), 1).n, ==, 0);
}

/* Steps that were computed in another way, or are no samples, don't mix with the others; the pace is no way
 * to compute. */
static void
test_ways (void)
{
  static const struct {
    const char *option, *kernel;
    guint flags;
    guint n; /* with two before */
    const char *model;
  } rows[] = { { "pace", NULL, 0, 3 },
               { "batch", NULL, 0, 1 },
               { "lr", NULL, 0, 1 },
               { NULL, "another", 0, 1 },
               { NULL, NULL, LS_POINT_WARM_UP, 2 },
               { NULL, NULL, LS_POINT_DISTURBED, 2 },
               { NULL, NULL, LS_POINT_RECORDED, 3 },
               { NULL, NULL, 0, 3 },
               { NULL, NULL, 0, 1, "flatten, dense 10" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) first = step_of (1, FALSE), second = step_of (2, FALSE),
                              third = step_of (3, FALSE);
      g_autoptr (LsOpTimes) one = ls_op_times_add (NULL, first), two = ls_op_times_add (one, second),
                            last = NULL;
      LsCurve *curve = ls_curve_new ();

      for (guint k = 1; k <= 4; k++)
        ls_curve_append (curve, (LsPoint){ .step_us = 1, .flags = k == 3 ? rows[i].flags : 0 });
      ls_recording_set_history (third, 0, curve, 3);
      ls_curve_unref (curve);
      if (rows[i].model != NULL)
        {
          g_free (third->model);
          third->model = g_strdup (rows[i].model);
        }
      if (rows[i].option != NULL)
        g_hash_table_insert (third->options, g_strdup (rows[i].option), g_strdup ("77"));
      if (rows[i].kernel != NULL)
        g_strlcpy (third->lanes[1].tilings[2].kernel, rows[i].kernel,
                   sizeof third->lanes[1].tilings[2].kernel);
      last = ls_op_times_add (two, third);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpuint (steps_in (last, third), ==, rows[i].n);
    }
}

/* The oldest are forgotten. */
static void
test_most (void)
{
  g_autoptr (LsOpTimes) times = NULL;
  g_autoptr (LsRecording) slow = step_of (1, TRUE), fast = step_of (1, FALSE);
  double value = 0;

  for (guint i = 1; i <= LS_OP_TIMES_MOST + 101; i++)
    {
      LsRecording *recording = i <= 101 ? slow : fast;
      g_autoptr (LsOpTimes) before = g_steal_pointer (&times);

      recording->step = i;
      times = ls_op_times_add (before, recording);
      g_assert_cmpuint (steps_in (times, recording), ==, MIN (i, LS_OP_TIMES_MOST));
      if (i == 1)
        value = ls_op_times_figure (times, g_intern_string (slow->lanes[0].id), 1).value;
    }
  const LsFigure last = ls_op_times_figure (times, g_intern_string (slow->lanes[0].id), 1);
  g_assert_cmpfloat_with_epsilon (last.q1, 2 * value, value * 1e-5); /* none of the slow ones is left */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/op-times/figures", test_times);
  g_test_add_func ("/op-times/ways", test_ways);
  g_test_add_func ("/op-times/most", test_most);
  return g_test_run ();
}
