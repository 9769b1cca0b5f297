/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same pictures from a run that goes on: snapshots of a coordinator, before, during and after a recorded
 * step.
 */
#include <math.h>
#include <string.h>

#include "draw.h"
#include "fixture.h"
#include "live.h"
#include "ui/paint/parts/chart.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/views.h"

static void
check_views (LsViewData *data)
{
  const LsView *const *views;
  const LsQuery query = LS_QUERY_INIT;
  guint n;

  views = ls_views (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsLayout) layout = draw_view (views[i], data, &query, LS_LOOK_LIGHT, 1280, 752);
      g_autofree char *words = ls_layout_describe (layout);
      assert_faultless (layout);
      g_assert_cmpuint (strlen (words), >, 0);
    }
}

typedef struct {
  LsViewData *previous;
  guint n;
} Seen;

static gboolean
seen_cb (LsSnapshot *snapshot, gpointer user_data)
{
  Seen *seen = user_data;
  LsViewData *previous = seen->previous, *data = ls_view_data_from_snapshot (snapshot, previous, NULL);

  if (previous != NULL && previous->recording != NULL && data->recording == previous->recording)
    g_assert_true (data->sides[0].index == previous->sides[0].index);
  check_views (data);
  g_clear_pointer (&seen->previous, ls_view_data_unref);
  seen->previous = data;
  seen->n++;
  return FALSE;
}

static void
test_live (void)
{
  static const char *const options[][2]
    = { { "model", "flatten, dense 16, relu, dense 3" }, { "batch", "32" }, { NULL } };
  Seen seen = { NULL };

  live_run (options, 40, seen_cb, &seen);
  g_assert_cmpuint (seen.n, >, 0);
  g_autoptr (LsViewData) last = seen.previous;
  g_assert_nonnull (last->recording);
  g_assert_cmpuint (last->sides[0].steps, ==, 40);
  g_assert_true (isfinite (last->sides[0].loss.value));
  g_assert_cmpuint (last->sides[0].index->spans->len, >, 0);
}

/* Lines and areas of the curves view, and how wide the longest way between two neighbouring points is, in
 * pixels. */
static guint
count_pieces (LsRecording *recording, double *widest)
{
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_curves, data, &query, LS_LOOK_LIGHT, 1280, 752);
  guint n = 0;

  *widest = 0;
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if ((item->kind != LS_ITEM_LINE && item->kind != LS_ITEM_AREA) || item->ink != LS_INK_MARK)
        continue;
      n++;
      for (guint p = item->points; p + 1 < item->points + item->n_points; p++)
        {
          const float *at = &g_array_index (layout->still->points, float, 2 * p);
          *widest = MAX (*widest, fabs ((double) at[2] - (double) at[0]));
        }
    }
  return n;
}

/* Steps that a lane hasn't done, because it was retried, are a gap: nothing is drawn across. */
static void
test_gap (void)
{
  const LsFixture fixture = { LS_CORES (4), .batch = 128, .tiles = 8, .groups = 64, .steps = 3000 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);
  LsCurve *whole = recording->lanes[1].curve, *curve = ls_curve_new ();
  double widest, widest_with_gap;
  guint before = count_pieces (recording, &widest);

  for (guint64 i = 0; i < 3000; i++)
    if (i >= 1000 && i < 2000)
      ls_curve_append (curve, (LsPoint){ .loss = NAN, .flags = LS_POINT_MISSING });
    else
      ls_curve_append (curve, ls_curve_get (whole, i));
  ls_recording_set_history (recording, 1, curve, 3000);
  ls_curve_unref (curve);
  g_assert_cmpuint (count_pieces (recording, &widest_with_gap), >, before);
  g_assert_cmpfloat (widest_with_gap, <, widest + 4);
}

/* A recorded step that overflowed in fp16 has no update: nothing is drawn of it, and all else as ever. */
static void
test_no_update (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);

  for (guint l = 0; l < recording->n_lanes; l++)
    for (guint i = recording->lanes[l].events->len; i-- > 0;)
      {
        const LsEvent *e = &g_array_index (recording->lanes[l].events, LsEvent, i);
        if (e->op != LS_OP_NONE && recording->ops[e->op].phase == LS_PHASE_UPDATE)
          g_array_remove_index (recording->lanes[l].events, i);
      }
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  check_views (data);
}

/* A lane in fp16 says how many of its steps were skipped. */
static gboolean
seen_fp16_cb (LsSnapshot *snapshot, gpointer user_data)
{
  const LsLossScale was = snapshot->lanes[0].scale;

  if (snapshot->lanes[0].steps == 0 || snapshot->lanes[0].facts == NULL)
    return FALSE;
  for (guint64 skipped = 0; skipped < 1235; skipped = skipped * 1233 + 1)
    {
      snapshot->lanes[0].scale = (LsLossScale){ .factor = 32768, .skipped = skipped };
      g_autoptr (LsViewData) data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (data, 0, LS_NUMBER_LOSS);
      g_autofree char *conditions = g_strjoinv ("|", data->sides[0].conditions);
      const char *told = NULL;

      for (guint i = 0; i + 1 < facts->facts->len; i++)
        if (strcmp (facts->facts->pdata[i], "Skipped") == 0)
          told = facts->facts->pdata[i + 1];
      g_assert_nonnull (told);
      g_assert_true (g_str_has_prefix (told, skipped == 0   ? "0 of "
                                             : skipped == 1 ? "1 of "
                                                            : "1\u2009234 of "));
      g_assert_nonnull (strstr (told, "; the loss’s scale is 32\u2009768"));
      g_assert_nonnull (strstr (conditions, skipped == 0   ? "fp16"
                                            : skipped == 1 ? "fp16, 1 step skipped"
                                                           : "fp16, 1\u2009234 steps skipped"));
      g_assert_true ((strstr (conditions, "skipped") != NULL) == (skipped > 0));
      check_views (data);
    }
  snapshot->lanes[0].scale = was;
  ++*(guint *) user_data;
  return TRUE;
}

static void
test_skipped (void)
{
  static const char *const options[][2] = {
    { "model", "flatten, dense 16, relu, dense 3" }, { "batch", "32" }, { "precision", "fp16" }, { NULL }
  };
  guint n = 0;

  live_run (options, 20, seen_fp16_cb, &n);
  g_assert_cmpuint (n, >, 0);
}

/* Steps of many thousand samples a second, and no rate yet: the axis counts in thousands. */
static void
test_unmeasured (void)
{
  LsFixture fixture = ls_fixture_cores;

  fixture.steps = 7;
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);

  for (guint side = 0; side < LS_SIDES; side++)
    data->sides[side].rate = (LsFigure){ 0 };
  check_views (data);
  /* what a narrow window's title says has the batch, and is the shorter */
  g_assert_nonnull (strstr (data->brief, "batch 128"));
  g_assert_cmpuint (strlen (data->brief), <, strlen (data->title));
  g_assert_cmpstr (ls_chart_subtitle (data, LS_CURVE_RATE, FALSE, TRUE), ==, "thousand samples per second");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/live", test_live);
  g_test_add_func ("/paint/unmeasured", test_unmeasured);
  g_test_add_func ("/paint/gap", test_gap);
  g_test_add_func ("/paint/no-update", test_no_update);
  g_test_add_func ("/paint/skipped", test_skipped);
  return g_test_run ();
}
