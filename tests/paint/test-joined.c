/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane that does in one what the other does op by op: the race names all of them, and the timeline's card
 * of a picked op compares the lanes only where they did the same.
 */
#include <string.h>

#include "draw.h"
#include "fixture.h"
#include "said.h"
#include "core/number.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

static const LsFixture joined = { LS_CORES (2),  .batch = 64,    .tiles = 16,  .groups = 16, .on_cpu = TRUE,
                                  .fused = TRUE, .joined = TRUE, .steps = 120, .queue = TRUE };

static guint
find_op (const LsViewData *data, const char *name)
{
  for (guint i = 0; i < data->recording->n_ops; i++)
    if (g_str_equal (data->recording->ops[i].name, name))
      return i;
  g_assert_not_reached ();
}

static gint64
took (const LsViewData *data, guint side, guint op)
{
  const LsOpTrace *trace = &data->sides[side].index->ops[op];

  return trace->end_ns - trace->start_ns;
}

/* What is written in the cards while that op's bar is picked in that lane. */
static char *
cards (LsViewData *data, guint side, guint op)
{
  const GArray *events = data->sides[side].recorded->events;
  g_autoptr (LsLayout) layout = NULL;
  LsQuery query = LS_QUERY_INIT;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->op == op && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL))
        query.picked = (LsPick){ (gint) side, i };
    }
  layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  return all_texts (layout->moving, "\n");
}

static void
test_race (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&joined);
  const LsRecordedOp *ops = data->recording->ops;
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1280, 1600);
  g_autofree char *fused = g_strdup_printf (", %s", ops[find_op (data, "relu")].symbol);
  guint n = 0;
  g_autofree char *all = g_strdup_printf ("%s, %s, %s", ops[find_op (data, "softmax_xent")].symbol,
                                          ops[find_op (data, "mean")].symbol,
                                          ops[find_op (data, "softmax_xent_grad")].symbol);

  assert_faultless (layout);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      g_assert_false (item->kind == LS_ITEM_TEXT && g_str_has_suffix (item->text, fused)); /* so did the other
                                                                                              lane */
      if (item->kind != LS_ITEM_TEXT || !g_str_has_suffix (item->text, all))
        continue;
      g_assert_cmpfloat (item->x, >, 640); /* in that lane only */
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

static void
test_unlike (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&joined);
  const guint loss = find_op (data, "softmax_xent"), mean = find_op (data, "mean"),
              gradient = find_op (data, "softmax_xent_grad");
  const gint64 cpu = took (data, 0, loss) + took (data, 0, mean) + took (data, 0, gradient);
  g_autofree char *factor = ls_number_text ((double) cpu / (double) took (data, 1, loss), 2);
  g_autofree char *time = ls_number_time ((double) cpu);
  g_autofree char *line = g_strdup_printf ("\nCPU, in 3 ops\n%s\ntimes CPU\n%s\n", time, factor);
  g_autofree char *of_opencl = cards (data, 1, loss), *of_cpu = cards (data, 0, loss),
                  *of_mean = cards (data, 0, mean);
  g_autofree char *alike = cards (data, 0, find_op (data, "matmul"));

  g_assert_nonnull (strstr (of_opencl, line)); /* against all three that the CPU lane did one by one */
  g_assert_nonnull (strstr (of_opencl, "CPU done"));
  g_assert_null (strstr (of_cpu, "times OpenCL")); /* OpenCL did more in that time */
  g_assert_null (strstr (of_mean, "times OpenCL"));
  g_assert_nonnull (strstr (of_cpu, "OpenCL done"));
  g_assert_nonnull (strstr (alike, "times OpenCL"));
  g_assert_null (strstr (alike, "OpenCL, in ")); /* its card says the same */
}

/* What the lanes differ in is marked at the op in which each lane did it: of the gradient, in OpenCL, the
 * loss. */
static void
test_difference (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&joined);
  const guint loss = find_op (data, "softmax_xent"), gradient = find_op (data, "softmax_xent_grad"),
              in[LS_SIDES] = { gradient, loss };
  const LsQuery query = LS_QUERY_INIT;

  data->difference.op = gradient;
  for (guint found = 0; found < 2; found++)
    {
      data->difference.found = found > 0;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1280, 800);
      for (guint side = 0; side < LS_SIDES; side++)
        for (guint op = 0; op < data->recording->n_ops; op++)
          if (ls_stage_differs (layout, side, op) != (found > 0 && op == in[side]))
            g_error ("a difference in %s is %s at %s of %s", data->recording->ops[gradient].symbol,
                     op == in[side] && found > 0 ? "not marked" : "marked", data->recording->ops[op].symbol,
                     data->sides[side].brief);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/joined/race", test_race);
  g_test_add_func ("/paint/joined/timeline", test_unlike);
  g_test_add_func ("/paint/joined/difference", test_difference);
  return g_test_run ();
}
