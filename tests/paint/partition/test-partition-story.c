/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Partition tells of an op in two sentences: of steps that were invented so that there is one thing to
 * tell, who had tiles, who took whose, and who waited for whom, in both lanes' words.
 */
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/views.h"

#define OP 1

/* who did tile 0, 1, …; from whose share, "." its own; how many units of time it took. %T3: three units in
 * words. */
typedef struct {
  guint side, workers;
  const char *who, *from, *took, *bold, *quiet;
  guint after; /* units of time from the last tile to the op's end */
} Story;

static const Story stories[] = {
  { 0, 2, "0000000000000000", "................", "1111111111111111",
    "Worker 0 did all 16 tiles, the other had none.", NULL },
  { 0, 4, "2222222222222222", "................", "1111111111111111",
    "Worker 2 did all 16 tiles, the others had none.", NULL },
  { 0, 4, "0000001111122222", "................", "1111111111111111", "Worker 3 had no tile.",
    "Then none was left: worker 1 waits %T1 for worker 0’s last tile." },
  { 0, 4, "1111111133333333", "................", "1111111111111111", "2 workers had no tile.",
    "No worker that had tiles waits longer than %T0." },
  { 0, 4, "0000000033333333", "................", "1111111111111111", "2 workers had no tile.",
    "No worker that had tiles waits longer than %T0." },
  { 0, 4, "0000111122223333", "................", "1111111111111111",
    "Each worker did 4 tiles, none from another.", "No worker waits longer than %T0." },
  { 0, 4, "0001111122223333", "................", "3331111112223333",
    "Each worker did 3 to 5 tiles, none from another.",
    "Then none was left: worker 1 waits %T7 for worker 3’s last tile." },
  { 0, 2, "0000001111111111", "......0.........", "2222221111111111",
    "Worker 1 was done first and took 1 tile from worker 0.",
    "Then none was left: worker 1 waits %T2 for worker 0’s last tile." },
  { 0, 3, "0000011111222222", "..........00....", "2222222222222222",
    "Worker 2 was done first and took 2 tiles from worker 0.",
    "Then none was left: worker 0 waits %T2 for worker 2’s last tile." },
  { 0, 4, "0001111111222333", "...000....0.....", "2221111111222222",
    "4 tiles were taken from others’ shares, 3 of them by worker 1.",
    "Then none was left: worker 0 waits %T1 for worker 1’s last tile." },
  /* from two of them: none of the sentences that name one */
  { 0, 3, "0000011111222222", "..........01....", "2222222222222222",
    "2 tiles were taken from others’ shares, 2 of them by worker 2.",
    "Then none was left: worker 0 waits %T2 for worker 2’s last tile." },
  { 0, 3, "0000111112222222", ".........10.....", "9111111111111111",
    "2 tiles were taken from others’ shares, 2 of them by worker 2.",
    "Then none was left: worker 1 waits %T7 for worker 0’s last tile." },
  /* it is not the worker with the long tile whose share another one took from */
  { 0, 3, "0000011111122222", "..........0.....", "2222211111151111",
    "Worker 1 was done first and took 1 tile from worker 0.",
    "Then none was left: worker 1 waits %T4 for worker 0’s last tile." },
  { 0, 2, "0000111111111111", "....0000........", "9111111111111111",
    "Worker 0 took %T9 for one tile, not %T1, so worker 1 took 4 of its tiles.",
    "No worker waits longer than %T0." },
  /* a wait for the pool, when all tiles were done, is none for anybody's tile */
  { 0, 2, "0000000011111111", "................", "1111111111111111",
    "Each worker did 8 tiles, none from another.", "No worker waits longer than %T2.", 2 },
  { 0, 2, "0000000001111111", "................", "1111111111111111",
    "Each worker did 7 to 9 tiles, none from another.",
    "Then none was left: worker 1 waits %T3 for worker 0’s last tile.", 1 },
  { 1, 2, "0000000000000000", "................", "1111111111111111",
    "Thread 0 did all 16 work-groups, the other had none.", NULL },
  { 1, 4, "3333333333333333", "................", "1111111111111111",
    "Thread 3 did all 16 work-groups, the others had none.", NULL },
  { 1, 4, "0000001111133333", "................", "1111111111111111", "Thread 2 had no work-group.",
    "Then none was left: thread 1 waits %T1 for thread 0’s last work-group." },
  { 1, 4, "0000000022222222", "................", "1111111111111111", "2 threads had no work-group.",
    "All threads are done within %T0 of each other." },
  { 1, 4, "0000111122223333", "................", "1111111111111111", "Each thread did 4 work-groups.",
    "All threads are done within %T0 of each other." },
  { 1, 4, "0000011122223333", "................", "1111122222222222", "Each thread did 3 to 5 work-groups.",
    "Then none was left: thread 0 waits %T3 for thread 2’s last work-group." },
};

/* Units of time, of which the longest worker's sum is the op's whole. */
static gint64
rewrite (LsRecording *recording, const Story *story)
{
  GArray *events = recording->lanes[story->side].events;
  guint64 at[8] = { 0 }, start = 0, end = 0, unit, most = 0, n = 0;

  for (guint i = 0; i < strlen (story->who); i++)
    {
      at[story->who[i] - '0'] += (guint64) (story->took[i] - '0');
      most = MAX (most, at[story->who[i] - '0']);
    }
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->op == OP && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL))
        {
          start = e->start_ns;
          end = e->end_ns;
        }
    }
  most += story->after;
  unit = (end - start) / most;
  for (guint w = 0; w < G_N_ELEMENTS (at); w++)
    at[w] = start + (end - start - unit * most); /* what is left over at the beginning */
  for (guint i = 0; i < events->len; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->op != OP || (e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP))
        continue;
      g_assert_cmpuint (e->tile, <, strlen (story->who));
      n++;
    }
  g_assert_cmpuint (n, ==, strlen (story->who));
  for (guint tile = 0; tile < n; tile++)
    for (guint i = 0; i < events->len; i++)
      {
        LsEvent *e = &g_array_index (events, LsEvent, i);
        if (e->op != OP || e->tile != tile || (e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP))
          continue;
        e->worker = (guint8) (story->who[tile] - '0');
        e->from = story->from[tile] == '.' ? e->worker : (guint8) (story->from[tile] - '0');
        e->start_ns = at[e->worker];
        e->end_ns = at[e->worker] += unit * (guint64) (story->took[tile] - '0');
      }
  /* the CPU lane's workers record how long they waited, here each of them twice */
  for (guint i = events->len; i-- > 0;)
    if (g_array_index (events, LsEvent, i).op == OP
        && g_array_index (events, LsEvent, i).kind == LS_EVENT_WAIT)
      g_array_remove_index (events, i);
  for (guint w = 0; story->side == 0 && w < story->workers; w++)
    if (at[w] < end)
      {
        guint i = 0;
        while (g_array_index (events, LsEvent, i).op != OP
               || g_array_index (events, LsEvent, i).kind != LS_EVENT_TILE)
          i++;
        LsEvent wait = g_array_index (events, LsEvent, i); /* of the same clock */
        wait.kind = LS_EVENT_WAIT;
        wait.worker = wait.from = (guint8) w;
        wait.start_ns = at[w];
        wait.end_ns = at[w] + (end - at[w]) / 3;
        g_array_insert_val (events, i + 1, wait);
        wait.start_ns = wait.end_ns;
        wait.end_ns = end;
        g_array_insert_val (events, i + 2, wait);
      }
  return (gint64) unit;
}

/* "%T3" as three units in words. (transfer full) */
static char *
expected (const char *words, gint64 unit)
{
  GString *text = g_string_new (NULL);

  for (const char *at = words; *at; at++)
    if (g_str_has_prefix (at, "%T"))
      {
        g_autofree char *time = ls_number_time ((double) (unit * (at[2] - '0')));
        g_string_append (text, time);
        at += 2;
      }
    else
      g_string_append_c (text, *at);
  return g_string_free (text, FALSE);
}

/* Where one worker did all there is no end to wait for. */
static void
test_stories (void)
{
  static const char *const endings[LS_SIDES][2] = { { "left: worker", "waits longer than" },
                                                    { "left: thread", "are done within" } };

  for (guint i = 0; i < G_N_ELEMENTS (stories); i++)
    {
      const Story *story = &stories[i];
      const LsFixture f
        = { LS_CORES (story->workers), .batch = 128, .tiles = 16, .groups = 16, .on_cpu = TRUE,
            .stealing = TRUE,          .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      const gint64 unit = rewrite (recording, story);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      LsPartitionState asked = { 0 };
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      query.op = OP;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      g_autofree char *still = all_texts (layout->still, " "), *moving = all_texts (layout->moving, " "),
                      *all = g_strconcat (still, " ", moving, NULL), *bold = expected (story->bold, unit),
                      *quiet = story->quiet != NULL ? expected (story->quiet, unit) : NULL;
      if (strstr (all, bold) == NULL || (quiet != NULL && strstr (all, quiet) == NULL))
        {
          g_test_message ("%s", all);
          g_error ("story %u: “%s” isn’t told", i, strstr (all, bold) == NULL ? bold : quiet);
        }
      for (guint k = 0; quiet == NULL && k < 2; k++)
        if (strstr (all, endings[story->side][k]) != NULL)
          g_error ("story %u: one worker did all, and “…%s…” is told", i, endings[story->side][k]);
    }
}

/* An op whose sums were split has two barriers: whoever's last tile ended first needn't be who waits longest,
 * and that nobody waits longer is said of who does. */
static void
test_longest (void)
{
  static const Story story = {
    0, 2, "0000000011111111", "................", "1111111111111111", "", "No worker waits longer than %T4.",
    4
  };

  for (guint idle = 0; idle < 2; idle++)
    for (guint less = 0; less < 2; less++) /* who waits a third of it only */
      {
        const LsFixture f = { LS_CORES (2 + idle), .batch = 128,     .tiles = 16, .groups = 16,
                              .on_cpu = TRUE,      .stealing = TRUE, .steps = 40 };
        g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
        GArray *events = recording->lanes[0].events;
        Story at = story;
        at.workers = 2 + idle;
        const gint64 unit = rewrite (recording, &at);
        for (guint i = events->len; i-- > 0;)
          {
            const LsEvent *e = &g_array_index (events, LsEvent, i);
            if (e->kind == LS_EVENT_WAIT && e->op == OP && e->worker == less
                && (gint64) (e->end_ns - e->start_ns) > 2 * unit)
              g_array_remove_index (events, i);
          }
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        LsPartitionState asked = { 0 };
        LsQuery query = { LS_QUERY_FIELDS, .op = OP, .state = &asked };
        g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 3840, 2160);
        g_autofree char *still = all_texts (layout->still, " "),
                        *quiet = expected (
                          idle ? "No worker that had tiles waits longer than %T4." : story.quiet, unit);
        if (strstr (still, quiet) == NULL)
          g_error ("with %u workers, where worker %u waits less than the other, “%s” isn’t told: %s",
                   2 + idle, less, quiet, still);
      }
}

/* Where each worker has its own share, the tiles of one are numbered from 1 on, in the order in which it did
 * them: whatever it did in other ops, and before. */
static void
test_own_order (void)
{
  guint seen = 0, chips = 0;

  for (guint op = 1; op < 6; op++)
    {
      const LsFixture f
        = { LS_CORES (2), .batch = 64, .tiles = 12, .groups = 32, .on_cpu = TRUE, .steps = 10 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      const LsViewLane *lane = &data->sides[0];
      LsPartitionState asked = { 0 };
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      guint n[2] = { 0 }, told[2] = { 0 }, sum[2] = { 0 };

      for (guint i = 0; i < lane->recorded->events->len; i++)
        {
          const LsEvent *e = &g_array_index (lane->recorded->events, LsEvent, i);
          if (e->op == op && e->kind == LS_EVENT_TILE)
            n[e->worker]++;
        }
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind != LS_ITEM_TEXT || item->when != LS_WHEN_DONE || item->worker > 1
              || item->type.weight > 400)
            continue;
          told[item->worker]++;
          sum[item->worker] += (guint) g_ascii_strtoull (item->text, NULL, 10);
        }
      for (guint i = 0; i < layout->still->items->len; i++) /* a worker's number is on that worker's colour */
        {
          const LsItem *number = ls_scene_get (layout->still, i), *under = NULL;

          if (number->kind != LS_ITEM_TEXT || number->ink != LS_INK_ON_WORKER || number->type.weight != 700
              || number->when != LS_WHEN_ALWAYS)
            continue;
          for (guint k = 0; k < i; k++)
            {
              const LsItem *box = ls_scene_get (layout->still, k);
              const double middle = ((double) number->x + ls_item_right (number)) / 2;
              if (box->kind == LS_ITEM_BOX
                  && ls_area_has (
                    (LsArea){ (double) box->x, (double) box->y, (double) box->w, (double) box->h }, middle,
                    (double) number->y - 2))
                under = box;
            }
          const guint w = (guint) g_ascii_strtoull (number->text, NULL, 10);
          if (under == NULL || under->ink != LS_INK_WORKER || under->value != (float) w || under->worker != w
              || number->worker != w || number->value != (float) w)
            g_error ("op %u: the number of worker %u is on the colour of %s %g", op, w,
                     under == NULL ? "nobody," : "worker", under != NULL ? (double) under->value : 0);
          chips++;
        }
      for (guint w = 0; w < 2; w++)
        if (told[w] > 0 && told[w] == n[w])
          {
            seen++;
            if (sum[w] != n[w] * (n[w] + 1) / 2)
              g_error ("op %u: the numbers of worker %u’s %u tiles add up to %u", op, w, n[w], sum[w]);
          }
    }
  g_assert_cmpuint (seen, >, 2);
  g_assert_cmpuint (chips, >=, 4);
}

/* Of work-groups that tell who and when, and not in which order, no order is told: none is the 0th. */
static void
test_no_order (void)
{
  static const LsKnown knows[] = { LS_KNOWN_UNITS, LS_KNOWN_THREADS };

  for (guint k = 0; k < G_N_ELEMENTS (knows); k++)
    for (guint without = 0; without < 2; without++)
      {
        LsFixture f = ls_fixture_desk;
        f.known = knows[k];
        g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
        const GArray *events = recording->lanes[1].events;

        for (guint i = 0; without && i < events->len; i++)
          g_array_index (events, LsEvent, i).rank = LS_RANK_NONE;
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        LsPartitionState asked = { 0 };
        LsQuery query = { LS_QUERY_FIELDS, .op = OP, .state = &asked };
        g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 3840, 2160);
        g_assert_cmpint (data->sides[1].index->ops[OP].known, ==, knows[k]);
        if (says (layout->still, "first done") == !!without
            || says (layout->still, "done 1st to ") == !!without || says (layout->still, "0th"))
          g_error ("of groups %s order it says: %s", without ? "without" : "with",
                   all_texts (layout->still, " | "));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition/stories", test_stories);
  g_test_add_func ("/paint/partition/longest", test_longest);
  g_test_add_func ("/paint/partition/own-order", test_own_order);
  g_test_add_func ("/paint/partition/no-order", test_no_order);
  return g_test_run ();
}
