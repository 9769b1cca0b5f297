/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why the timeline's workers wait: waits have the cause that the events say, in invented recordings and in a
 * run of this machine.
 */
#include "tests/paint/fixture.h"
#include "tests/paint/live.h"
#include "ui/paint/timeline/timeline.h"

/* What must hold of any recording: nothing else could have ended the wait later. */
static guint
check_causes (const LsViewData *data, guint side, guint counts[LS_CAUSE_DEVICE + 1])
{
  const LsTimeIndex *times = ls_time_index_of (data->sides[side].index);
  const GArray *events = data->sides[side].recorded->events;
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i), *held;
      const LsCause cause = ls_time_cause (times, i);
      g_autofree char *words = ls_time_cause_words (times, data->recording, &cause);

      g_assert_true ((words != NULL) == (cause.kind != LS_CAUSE_NONE));
      if (cause.kind == LS_CAUSE_NONE)
        continue;
      n++;
      counts[cause.kind]++;
      g_assert_cmpint (cause.to - cause.from, ==, (gint64) (e->end_ns - e->start_ns));
      g_assert_cmpint (cause.held + cause.rest, ==, cause.to - cause.from);
      held = cause.event != LS_NO_COMMAND ? &g_array_index (events, LsEvent, cause.event) : NULL;
      if (cause.kind == LS_CAUSE_TILE || cause.kind == LS_CAUSE_ALONE)
        {
          g_assert_cmpuint (held->op, ==, e->op);
          g_assert_cmpuint (held->worker, !=, e->worker);
          for (guint k = 0; k < events->len; k++)
            {
              const LsEvent *tile = &g_array_index (events, LsEvent, k);
              if (tile->kind == LS_EVENT_TILE && tile->op == e->op && tile->end_ns <= e->end_ns)
                g_assert_cmpuint (tile->end_ns, <=, held->end_ns);
            }
        }
      if (cause.kind == LS_CAUSE_COMMAND || cause.kind == LS_CAUSE_COPY)
        {
          g_assert_cmpuint (held->end_ns, >, e->start_ns);
          g_assert_cmpuint (held->end_ns, <=, e->end_ns + 1000);
        }
      if (cause.kind == LS_CAUSE_HOST)
        g_assert_cmpuint (held->kind, ==, LS_EVENT_ENQUEUE);
    }
  return n;
}

static void
test_causes (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  guint counts[LS_CAUSE_DEVICE + 1] = { 0 };

  g_assert_cmpuint (check_causes (data, 0, counts), >, 20);
  g_assert_cmpuint (counts[LS_CAUSE_TILE], >, 20);
  g_assert_cmpuint (check_causes (data, 1, counts), >, 10);
  g_assert_cmpuint (counts[LS_CAUSE_COMMAND], >, 8);
  g_assert_cmpuint (counts[LS_CAUSE_COPY], ==, 1);  /* the first kernel waits for the copy */
  g_assert_cmpuint (counts[LS_CAUSE_HOST], ==, 1);  /* the second op was queued late */
  g_assert_cmpuint (counts[LS_CAUSE_START], ==, 1); /* the copy itself */
  g_assert_cmpuint (counts[LS_CAUSE_DEVICE], ==, 1);
}

static gboolean
until_recorded_cb (LsSnapshot *snapshot, gpointer user_data)
{
  LsViewData **data = user_data;

  g_clear_pointer (data, ls_view_data_unref);
  *data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  return (*data)->recording != NULL;
}

/* A run of this machine. */
static void
test_real (void)
{
  static const char *const options[][2]
    = { { "model", "flatten, dense 64, relu, dense 3" }, { "batch", "64" }, { "threads", "2" }, { NULL } };
  g_autoptr (LsViewData) data = NULL;
  guint counts[LS_CAUSE_DEVICE + 1] = { 0 };

  live_run (options, 5, until_recorded_cb, &data);
  g_assert_nonnull (data);
  g_assert_nonnull (data->recording);
  if (check_causes (data, 0, counts) == 0)
    g_test_skip ("this machine grants one worker: nobody waits");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline/causes", test_causes);
  g_test_add_func ("/paint/timeline/real", test_real);
  return g_test_run ();
}
