/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history of recorded steps: what is kept, what goes, in which order; and what a hundred steps of the two
 * networks weigh that the program comes with, recorded on two threads and, where there is one, an OpenCL
 * device.
 */
#include <string.h>

#include "fixture.h"
#include "train/coordinator.h"
#include "ui/app/session/history.h"

/* Invented, with the values of a weight of a megabyte or so. */
static LsRecording *
make (guint64 step)
{
  const LsFixture fixture = {
    .batch = 32, .workers = 2, .tiles = 12, .groups = 12, .known = LS_KNOWN_UNITS, .units = 2, .steps = 3
  };
  LsRecording *recording = ls_fixture_recording (&fixture);
  guint weight = 0;
  g_autofree void *values = NULL;

  while (recording->shapes[weight].role != LS_ROLE_WEIGHT)
    weight++;
  values = g_malloc0 ((gsize) ls_recorded_shape_count (&recording->shapes[weight]) * 4);
  recording->step = step;
  for (guint lane = 0; lane < recording->n_lanes; lane++)
    ls_recording_add_tensor (recording, lane, weight, values);
  return recording;
}

static guint
add (LsHistory *history, guint64 step)
{
  g_autoptr (LsRecording) recording = make (step);

  return ls_history_add (history, recording);
}

static gboolean
has_tensors (const LsHistory *history, guint i)
{
  const LsRecording *recording = ls_history_get (history, i);

  g_assert_cmpuint (recording->lanes[0].tensors->len, ==, recording->lanes[1].tensors->len);
  return recording->lanes[0].tensors->len > 0;
}

/* The history's own count is the sum of what it holds. */
static void
check_bytes (const LsHistory *history)
{
  gsize bytes = 0;

  for (guint i = 0; i < ls_history_n (history); i++)
    {
      bytes += ls_recording_bytes (ls_history_get (history, i));
      g_assert_true (i == 0 || ls_history_get (history, i - 1)->step < ls_history_get (history, i)->step);
    }
  g_assert_cmpuint (ls_history_bytes (history), ==, bytes);
}

static gsize
values_bytes (const LsRecording *recording, const GArray *tensors)
{
  gsize bytes = 0;

  for (guint i = 0; i < tensors->len; i++)
    bytes += (gsize) ls_recorded_shape_bytes (
      &recording->shapes[g_array_index (tensors, LsRecordedTensor, i).shape]);
  return bytes;
}

/* What a recording takes is above all its values, those before the step as those after it, and its events, of
 * both cuts; all else is small beside them. */
static void
test_bytes (void)
{
  g_autoptr (LsRecording) recording = make (7);
  GArray *events = g_array_new (FALSE, TRUE, sizeof (LsEvent));
  const guint weight = g_array_index (recording->lanes[1].tensors, LsRecordedTensor, 0).shape;
  gsize least = 0;

  g_array_set_size (events, 100000);
  recording->lanes[0].finer = ls_recorded_cut_new (recording->lanes[0].tilings, recording->n_ops, events, 1,
                                                   2);
  ls_recording_take_before (recording, 1, weight,
                            g_malloc0 ((gsize) ls_recorded_shape_bytes (&recording->shapes[weight])));
  for (guint i = 0; i < recording->n_lanes; i++)
    least += values_bytes (recording, recording->lanes[i].tensors)
             + values_bytes (recording, recording->lanes[i].before)
             + recording->lanes[i].events->len * sizeof (LsEvent);
  least += 100000 * sizeof (LsEvent) + recording->n_ops * sizeof (LsTiling);
  g_assert_cmpuint (ls_recording_bytes (recording), >, least);
  g_assert_cmpuint (ls_recording_bytes (recording), <, least + (100 << 10));
}

static void
test_without_tensors (void)
{
  g_autoptr (LsRecording) full = make (7);
  g_autoptr (LsRecording) bare = ls_recording_without_tensors (full);
  g_autoptr (LsRecording) again = ls_recording_without_tensors (bare);
  g_autoptr (GError) error = NULL;
  const LsRecordedShape *shape;
  const char *name = full->shapes[g_array_index (full->lanes[0].tensors, LsRecordedTensor, 0).shape].name;

  g_assert_true (again == bare);
  g_assert_true (bare != full);
  g_assert_true (bare->lanes[1].events == full->lanes[1].events);
  g_assert_nonnull (ls_recording_values (full, 0, name, &shape));
  g_assert_null (ls_recording_values (bare, 0, name, &shape));
  g_assert_cmpuint (ls_recording_bytes (full) - ls_recording_bytes (bare), >, 2 * 784 * 256 * 4);
  g_assert_cmpuint (ls_recording_bytes (bare), >,
                    (full->lanes[0].events->len + full->lanes[1].events->len) * sizeof (LsEvent));
  g_assert_cmpuint (bare->step, ==, 7);
  ls_recording_seal (bare, &error);
  g_assert_no_error (error);
  /* the one may go before the other */
  g_clear_pointer (&full, ls_recording_unref);
  g_assert_cmpstr (bare->lanes[1].device->name, ==, "Test GPU");
  g_assert_cmpstr (bare->ops[0].name, !=, "");
  g_assert_cmpuint (g_array_index (bare->lanes[1].events, LsEvent, 0).kind, <, LS_EVENT_N_KINDS);
  g_assert_nonnull (g_hash_table_lookup (bare->options, "policy"));
}

static void
test_order (void)
{
  g_autoptr (LsHistory) history = ls_history_new (LS_HISTORY_BYTES);
  g_autoptr (LsRecording) twice = make (20);
  LsRecording *kept;

  g_assert_cmpuint (ls_history_n (history), ==, 0);
  g_assert_cmpuint (ls_history_find (history, 5), ==, 0);
  g_assert_cmpuint (add (history, 10), ==, 0);
  g_assert_cmpuint (ls_history_add (history, twice), ==, 1);
  g_assert_cmpuint (ls_history_add (history, twice), ==, 1);
  g_assert_cmpuint (add (history, 20), ==, 1); /* another record of the same step */
  g_assert_true (ls_history_get (history, 1) == twice);
  g_assert_true (has_tensors (history, 1));
  g_assert_cmpuint (add (history, 30), ==, 2);
  g_assert_false (has_tensors (history, 1));
  kept = ls_history_get (history, 1);
  g_assert_cmpuint (ls_history_add (history, twice), ==, 1); /* with tensors again: no reason to keep it
                                                                twice */
  g_assert_true (ls_history_get (history, 1) == kept);
  g_assert_cmpuint (add (history, 15), ==, 1);
  g_assert_true (has_tensors (history, 1));
  g_assert_false (has_tensors (history, 3)); /* it was the newest */
  g_assert_cmpuint (ls_history_n (history), ==, 4);
  g_assert_cmpuint (ls_history_find (history, 1), ==, 0);
  g_assert_cmpuint (ls_history_find (history, 10), ==, 0);
  g_assert_cmpuint (ls_history_find (history, 14), ==, 0);
  g_assert_cmpuint (ls_history_find (history, 15), ==, 1);
  g_assert_cmpuint (ls_history_find (history, 29), ==, 2);
  g_assert_cmpuint (ls_history_find (history, G_MAXUINT64), ==, 3);
  check_bytes (history);
  ls_history_clear (history);
  g_assert_cmpuint (ls_history_n (history), ==, 0);
  g_assert_cmpuint (ls_history_bytes (history), ==, 0);
  g_assert_cmpuint (add (history, 1), ==, 0);
  g_assert_true (has_tensors (history, 0));
  check_bytes (history);
}

static void
test_pins (void)
{
  g_autoptr (LsHistory) history = ls_history_new (LS_HISTORY_BYTES);

  for (guint step = 1; step <= 4; step++)
    ls_history_pin (history, add (history, step), step % 2 == 0);
  add (history, 5);
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpint (has_tensors (history, i), ==, i % 2 == 1 || i == 4);
      g_assert_cmpint (ls_history_pinned (history, i), ==, i % 2 == 1);
    }
  ls_history_pin (history, 1, FALSE);
  ls_history_pin (history, 4, FALSE); /* the newest keeps them anyhow */
  g_assert_false (has_tensors (history, 1));
  g_assert_true (has_tensors (history, 4));
  ls_history_pin (history, 1, TRUE); /* gone is gone */
  g_assert_false (has_tensors (history, 1));
  check_bytes (history);
}

static void
test_budget (void)
{
  g_autoptr (LsRecording) full = make (1);
  g_autoptr (LsRecording) bare = ls_recording_without_tensors (full);
  const gsize one = ls_recording_bytes (bare), newest = ls_recording_bytes (full);
  g_autoptr (LsHistory) history = ls_history_new (newest + 5 * one);
  g_autoptr (LsHistory) tiny = ls_history_new (1);

  for (guint step = 1; step <= 20; step++)
    {
      add (history, step);
      g_assert_cmpuint (ls_history_bytes (history), <=, newest + 5 * one);
      check_bytes (history);
    }
  g_assert_cmpuint (ls_history_n (history), ==, 6);
  g_assert_cmpuint (ls_history_get (history, 0)->step, ==, 15);
  ls_history_pin (history, 1, TRUE);
  for (guint step = 21; step <= 40; step++)
    {
      const guint i = add (history, step);
      g_assert_cmpuint (i, ==, ls_history_n (history) - 1); /* also when others went */
      g_assert_cmpuint (ls_history_get (history, i)->step, ==, step);
    }
  g_assert_cmpuint (ls_history_n (history), ==, 6);
  g_assert_cmpuint (ls_history_get (history, 0)->step, ==, 16);
  g_assert_true (ls_history_pinned (history, 0));
  g_assert_cmpuint (ls_history_get (history, 1)->step, ==, 36);
  /* less than one record: the newest, and what is pinned */
  add (tiny, 1);
  g_assert_cmpuint (ls_history_n (tiny), ==, 1);
  ls_history_pin (tiny, 0, TRUE);
  add (tiny, 2);
  add (tiny, 3);
  g_assert_cmpuint (ls_history_n (tiny), ==, 2);
  g_assert_cmpuint (ls_history_get (tiny, 0)->step, ==, 1);
  g_assert_true (has_tensors (tiny, 0));
  g_assert_true (has_tensors (tiny, 1));
  ls_history_pin (tiny, 0, FALSE);
  g_assert_cmpuint (ls_history_n (tiny), ==, 1);
  g_assert_cmpuint (ls_history_get (tiny, 0)->step, ==, 3);
  check_bytes (tiny);
}

/* ---- as in the window ---- */

#define STEPS_KEPT 100

static void
set (LsOptions *options, const char *name, const char *value)
{
  g_autoptr (GError) error = NULL;

  ls_options_set (options, ls_options_find (name), value, &error);
  g_assert_no_error (error);
}

static void
wait_for_lanes (LsCoordinator *coordinator)
{
  for (gboolean coming = TRUE; coming; g_usleep (500))
    {
      g_autoptr (LsSnapshot) snapshot = ls_coordinator_take (coordinator);

      coming = snapshot == NULL;
      for (guint i = 0; snapshot != NULL && i < snapshot->n_lanes; i++)
        coming |= snapshot->lanes[i].state == LS_LANE_OPENING || snapshot->lanes[i].state == LS_LANE_BUILDING;
    }
}

/* The next recorded step after `last`, while training goes on. */
static LsRecording *
record_next (LsCoordinator *coordinator, guint64 last)
{
  ls_coordinator_record_next (coordinator, TRUE);
  for (;;)
    {
      g_autoptr (LsSnapshot) snapshot = ls_coordinator_take (coordinator);

      if (snapshot != NULL && snapshot->recording != NULL && snapshot->recording->step > last)
        return ls_recording_ref (snapshot->recording);
      g_usleep (500);
    }
}

typedef struct {
  const char *model;
  guint n_real; /* steps that are recorded; those after weigh as much as the heaviest of them */
} Weight;

static void
test_weight (gconstpointer data)
{
  const Weight *weight = data;
  g_autoptr (LsHistory) history = ls_history_new (LS_HISTORY_BYTES);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) coordinator = NULL;
  g_autoptr (LsRecording) heaviest = NULL;
  g_autoptr (GError) error = NULL;
  guint64 step = 0;

  set (options, "model", weight->model);
  set (options, "threads", "2");
  coordinator = ls_coordinator_new (options, &error);
  g_assert_no_error (error);
  ls_coordinator_start (coordinator, &error);
  g_assert_no_error (error);
  wait_for_lanes (coordinator);
  ls_coordinator_run (coordinator, LS_STEPS_ENDLESS);
  while (ls_history_n (history) < weight->n_real)
    {
      g_autoptr (LsRecording) recording = record_next (coordinator, step);

      step = recording->step;
      ls_history_add (history, recording);
      if (heaviest == NULL || ls_recording_bytes (recording) > ls_recording_bytes (heaviest))
        {
          g_clear_pointer (&heaviest, ls_recording_unref);
          heaviest = ls_recording_ref (recording);
        }
    }
  while (ls_history_n (history) < STEPS_KEPT)
    {
      g_autoptr (LsRecording) copy = ls_recording_without_tensors (heaviest);
      const guint n = ls_history_n (history);

      copy->step = ++step; /* nobody else has seen it */
      ls_history_add (history, copy);
      g_assert_cmpuint (ls_history_n (history), ==, n + 1); /* none had to go */
    }
  check_bytes (history);
  g_test_message (
    "%s, %u lanes: a step weighs %.1f MB with tensors; %u steps up to step %u are kept in %.0f MB",
    weight->model, heaviest->n_lanes, (double) ls_recording_bytes (heaviest) / 1e6, ls_history_n (history),
    (guint) step, (double) ls_history_bytes (history) / 1e6);
  g_assert_cmpuint (ls_history_bytes (history), <=, LS_HISTORY_BYTES);
}

/* What takes the newest one's place is the newest: it stays in the smallest room, with its tensors, until
 * another is newer. */
static void
test_exchanged_newest (void)
{
  LsHistory *history = ls_history_new (1);
  g_autoptr (LsRecording) before = make (7), now = make (7), next = make (8);

  ls_history_add (history, before);
  ls_history_exchange (history, before, now);
  if (ls_history_n (history) == 0 || !has_tensors (history, 0))
    g_error ("the newest step had no room, since it took the place of another");
  g_assert_cmpuint (ls_history_n (history), ==, 1);
  g_assert_true (ls_history_get (history, 0) == now);
  ls_history_add (history, next);
  g_assert_cmpuint (ls_history_n (history), ==, 1);
  g_assert_true (ls_history_get (history, 0) == next);
  check_bytes (history);
  ls_history_free (history);
}

/* Whether a later step has come, or the step is pinned: the record stays where it is with what is new in it,
 * and counts what that weighs. */
static void
test_exchanged_older (void)
{
  g_autoptr (LsHistory) history = ls_history_new (LS_HISTORY_BYTES);

  for (guint step = 1; step <= 3; step++)
    ls_history_pin (history, add (history, step), step == 2);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (LsRecording) before = ls_recording_ref (ls_history_get (history, i)), now = make (i + 1);

      ls_history_exchange (history, before, now);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpuint (ls_history_get (history, k)->step, ==, k + 1);
      g_assert_true (ls_history_get (history, i) == now);
      g_assert_true (has_tensors (history, i));
      g_assert_cmpint (ls_history_pinned (history, 1), ==, TRUE);
      check_bytes (history);
    }
  g_assert_cmpuint (ls_history_n (history), ==, 3);
}

/* With more in it there may be too little room: the oldest goes. */
static void
test_exchanged_heavier (void)
{
  g_autoptr (LsRecording) full = make (1), bare = ls_recording_without_tensors (full), heavier = make (2);
  g_autoptr (LsHistory) history = ls_history_new (ls_recording_bytes (full) + 3 * ls_recording_bytes (bare)
                                                  + 100);

  for (guint step = 1; step <= 4; step++)
    add (history, step);
  g_assert_cmpuint (ls_history_n (history), ==, 4);
  ls_history_exchange (history, ls_history_get (history, 1), heavier);
  check_bytes (history);
  g_assert_cmpuint (ls_history_n (history), ==, 2);
  g_assert_cmpuint (ls_history_get (history, 0)->step, ==, 3);
  g_assert_cmpuint (ls_history_get (history, 1)->step, ==, 4);
}

/* What has gone meanwhile doesn't come back: as the history's last one, as its first, or with all of it. */
static void
test_exchanged_gone (void)
{
  static const struct {
    guint64 gone, stays;
  } rows[] = { { 10, 5 }, { 5, 10 }, { 5, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsHistory) history = ls_history_new (1);
      g_autoptr (LsRecording) gone = make (rows[i].gone), now = make (rows[i].gone);

      ls_history_add (history, gone);
      if (rows[i].stays != 0)
        add (history, rows[i].stays); /* there is room for one */
      else
        ls_history_clear (history);
      ls_history_exchange (history, gone, now);
      g_assert_cmpuint (ls_history_n (history), ==, rows[i].stays != 0);
      check_bytes (history);
      if (rows[i].stays == 0)
        continue;
      g_assert_cmpuint (ls_history_get (history, 0)->step, ==, rows[i].stays);
      g_assert_true (has_tensors (history, 0));
    }
}

int
main (int argc, char **argv)
{
  static const Weight mlp = { "mlp", STEPS_KEPT }, cnn = { "cnn", 8 };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/history/without-tensors", test_without_tensors);
  g_test_add_func ("/app/history/bytes", test_bytes);
  g_test_add_func ("/app/history/order", test_order);
  g_test_add_func ("/app/history/pins", test_pins);
  g_test_add_func ("/app/history/budget", test_budget);
  g_test_add_data_func ("/app/history/weight/mlp", &mlp, test_weight);
  g_test_add_data_func ("/app/history/weight/cnn", &cnn, test_weight);
  g_test_add_func ("/app/history/exchanged-newest", test_exchanged_newest);
  g_test_add_func ("/app/history/exchanged-older", test_exchanged_older);
  g_test_add_func ("/app/history/exchanged-heavier", test_exchanged_heavier);
  g_test_add_func ("/app/history/exchanged-gone", test_exchanged_gone);
  return g_test_run ();
}
