/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why the timeline's workers wait: waits have the cause that the events say, in invented recordings and in a
 * run of this machine.
 */
#include <string.h>

#include "core/number.h"
#include "tests/paint/fixture.h"
#include "tests/paint/live.h"
#include "ui/paint/timeline/timeline.h"

/* Of each cause, how the sentence says until when it was held up, and how long it took from there on; %H and
 * %R: these times. */
static const struct {
  LsCauseKind kind;
  const char *held, *rest;
} sentences[] = {
  { LS_CAUSE_TILE, "ends %H later", "%R after that the pool" },
  { LS_CAUSE_BARRIER, NULL, "wait for: %R until" },
  { LS_CAUSE_ALONE, "works %H longer", NULL },
  { LS_CAUSE_COMMAND, "runs %H longer", "starts %R after it" },
  { LS_CAUSE_COPY, "waits %H for the copy", "starts %R after it" },
  { LS_CAUSE_HOST, NULL, "starts it %R after the call" },
  { LS_CAUSE_START, NULL, "took %R from queued" },
  { LS_CAUSE_DEVICE, "ends %H later", "%R after that the host" },
};

static void
assert_says (const char *words, const char *pattern, double ns)
{
  g_autofree char *time = ls_number_time (ns);
  g_auto (GStrv) parts = pattern != NULL ? g_strsplit_set (pattern, "%", 2) : NULL;
  g_autofree char *should = pattern != NULL ? g_strconcat (parts[0], time, parts[1] + 1, NULL) : NULL;

  if (pattern != NULL && strstr (words, should) == NULL)
    g_error ("“%s” isn’t said, but “%s”", should, words);
}

/* The sentence has the wait up to the end of what held it up, and from there on; and names that. */
static void
check_words (const LsViewData *data, guint side, const LsEvent *wait, const LsCause *cause, const char *words)
{
  const GArray *events = data->sides[side].recorded->events;
  const LsEvent *held = cause->event != LS_NO_COMMAND ? &g_array_index (events, LsEvent, cause->event) : NULL;
  const gint64 whole = (gint64) (wait->end_ns - wait->start_ns),
               until = held == NULL || cause->kind == LS_CAUSE_START
                         ? 0
                         : CLAMP ((gint64) (held->end_ns - wait->start_ns), 0, whole);
  g_autofree char *name = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (sentences[i].kind == cause->kind)
      {
        assert_says (words, sentences[i].held, (double) until);
        assert_says (words, sentences[i].rest, (double) (whole - until));
      }
  if (held != NULL && held->kind == LS_EVENT_TILE && cause->kind != LS_CAUSE_BARRIER)
    name = g_strdup_printf ("tile %u of %s on worker %u", held->tile, data->recording->ops[held->op].symbol,
                            held->worker);
  else if (held != NULL && held->kind == LS_EVENT_KERNEL)
    name = g_strdup_printf ("the kernel of %s", data->recording->ops[held->op].symbol);
  else if (held != NULL && (held->kind == LS_EVENT_COPY_IN || held->kind == LS_EVENT_COPY_OUT))
    name = g_strdup_printf ("the copy %s the device", held->kind == LS_EVENT_COPY_IN ? "to" : "from");
  if (name != NULL && strstr (words, name) == NULL)
    g_error ("“%s” isn’t named, but “%s” is said", name, words);
}

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
      check_words (data, side, e, &cause, words);
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

/* An op of one tile: the others don't wait for a slow one, they have nothing to do. */
static void
test_alone (void)
{
  const LsFixture f = { LS_CORES (4), .batch = 64, .tiles = 1, .groups = 8, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint counts[LS_CAUSE_DEVICE + 1] = { 0 };

  check_causes (data, 0, counts);
  g_assert_cmpuint (counts[LS_CAUSE_ALONE], >, 10);
  g_assert_cmpuint (counts[LS_CAUSE_TILE], ==, 0);
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

static LsEvent *
event_at (const LsRecording *recording, guint lane, guint i)
{
  return &g_array_index (recording->lanes[lane].events, LsEvent, i);
}

/* The first wait with that cause. */
static LsCause
first_of (LsRecording *recording, guint lane, LsCauseKind kind, guint *wait)
{
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  const LsTimeIndex *times = ls_time_index_of (data->sides[lane].index);

  for (*wait = 0; *wait < recording->lanes[lane].events->len; ++*wait)
    {
      const LsCause cause = ls_time_cause (times, *wait);
      if (cause.kind == kind && cause.held > 0)
        return cause;
    }
  g_assert_not_reached ();
}

/* A wait that begins as the last tile ends waited for none. A single tile of C that is made in parts is no
 * single tile. The host waits for what ends last, whatever was begun last. */
static void
test_edges (void)
{
  const LsFixture one = { LS_CORES (4), .batch = 64, .tiles = 1, .groups = 8, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls),
                          alone = ls_fixture_recording (&one);
  guint wait, last = 0, before = 0;
  LsCause cause = first_of (recording, 0, LS_CAUSE_TILE, &wait);

  event_at (recording, 0, wait)->start_ns = event_at (recording, 0, cause.event)->end_ns;
  g_autoptr (LsViewData) begun = ls_view_data_from_recording (recording, NULL);
  cause = ls_time_cause (ls_time_index_of (begun->sides[0].index), wait);
  g_autofree char *words = ls_time_cause_words (ls_time_index_of (begun->sides[0].index), recording, &cause);
  if (cause.kind != LS_CAUSE_BARRIER || !g_str_has_prefix (words, "No tile was left to wait for"))
    g_error ("the wait begins as the last tile ends, and “%s” is said", words);

  first_of (alone, 0, LS_CAUSE_ALONE, &wait);
  alone->lanes[0].tilings[event_at (alone, 0, wait)->op].splits = 4;
  g_autoptr (LsViewData) parts = ls_view_data_from_recording (alone, NULL);
  cause = ls_time_cause (ls_time_index_of (parts->sides[0].index), wait);
  if (cause.kind != LS_CAUSE_TILE)
    g_error ("a tile that is made in four parts is said to be a single one");

  cause = first_of (recording, 1, LS_CAUSE_DEVICE, &wait);
  for (guint i = 0; i < recording->lanes[1].events->len; i++)
    if (event_at (recording, 1, i)->kind == LS_EVENT_KERNEL)
      {
        before = last;
        last = i;
      }
  g_assert_cmpuint (cause.event, ==, last);
  event_at (recording, 1, before)->end_ns = event_at (recording, 1, last)->end_ns;
  event_at (recording, 1, last)->end_ns -= 100;
  g_autoptr (LsViewData) crossed = ls_view_data_from_recording (recording, NULL);
  cause = ls_time_cause (ls_time_index_of (crossed->sides[1].index), wait);
  if (cause.kind != LS_CAUSE_DEVICE || cause.event != before)
    g_error ("the host waits for event %u, and not for %u, which ends later", cause.event, before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline/causes", test_causes);
  g_test_add_func ("/paint/timeline/alone", test_alone);
  g_test_add_func ("/paint/timeline/real", test_real);
  g_test_add_func ("/paint/timeline/causes-edges", test_edges);
  return g_test_run ();
}
