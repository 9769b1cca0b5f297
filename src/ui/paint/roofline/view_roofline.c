/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roofline: where each op of the recorded step stands under its device's roofs, both lanes on the same
 * scales. What is an op bound by, and how far from it is it?
 */
#include "config.h"
#include "ui/paint/roofline/roofline.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/data/coming_words.h"
#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/views.h"

typedef struct {
  LsRoofPlot plots[LS_SIDES];
} Roofline;

static void
roofline_free (gpointer data)
{
  Roofline *own = data;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_clear_pointer (&own->plots[side].ops, g_array_unref);
      g_clear_pointer (&own->plots[side].before, g_array_unref);
    }
  g_free (own);
}

static gboolean
has_plot (const LsViewLane *lane)
{
  return lane->index != NULL && lane->stopped_at == 0;
}

static void
widen (const GArray *ops, double *x_low, double *x_high, double *y_low, double *y_high)
{
  for (guint i = 0; ops != NULL && i < ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, i);

      *x_low = MIN (*x_low, op->intensity / 1.5);
      *x_high = MAX (*x_high, op->intensity * 1.5);
      *y_low = MIN (*y_low, op->rate / 1.5e9);
      *y_high = MAX (*y_high, op->rate * 1.5e-9);
    }
}

/* Both lanes' ops and roofs lie between these. */
static void
scale (Roofline *own)
{
  double x_low = .25, x_high = 64, y_low = 1, y_high = 10;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsRoofPlot *plot = &own->plots[side];

      y_high = MAX (y_high, MAX (plot->roofs.flops, plot->published.flops.value) / 1e9 * 1.3);
      widen (plot->ops, &x_low, &x_high, &y_low, &y_high);
      widen (plot->before, &x_low, &x_high, &y_low, &y_high);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsRoofPlot *plot = &own->plots[side];
      plot->x.low = MAX (x_low, 1e-3);
      plot->x.high = MIN (x_high, 1e6);
      plot->y.low = pow (10, MAX (floor (log10 (y_low)), -6));
      plot->y.high = pow (10, MIN (ceil (log10 (y_high)), 9));
    }
}

/* ---- switches ---- */

static char *
batch_words (const char *value)
{
  return g_strdup_printf (_("batch %lu"), (gulong) g_ascii_strtoull (value, NULL, 10));
}

static char *
kernel_words (const char *value)
{
  return g_strdup_printf (_("kernel: %s"), ls_option_word (ls_options_find ("kernel"), value));
}

static char *
fusion_words (const char *value)
{
  return g_strdup (strcmp (value, "on") == 0 ? _("fused ops") : _("ops one by one"));
}

static const char *const batches[] = { "1", "8", "16", "32", "64", "128", "256", "512", "1024", NULL };

/* What is changed here leads wedges from where the ops were. */
static const LsViewSwitch switches[] = {
  { .title = N_("Batch; another one trains anew from step 0"),
    .option = "batch",
    .values = batches,
    .words = batch_words,
    .lays_over = TRUE },
  { .title = N_("Kernel of the OpenCL lane"), .option = "kernel", .words = kernel_words, .lays_over = TRUE },
  { .title = N_("Kernel fusion"), .option = "fusion", .words = fusion_words, .lays_over = TRUE },
  { NULL },
};

/* Their line; returns its height. */
static double
switches_line (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;

  if (m->control_h <= 0 || layout->query.chrome || !layout->data->live)
    return 0;
  ls_stage_slot (layout, LS_SLOT_SWITCHES, -1, 0, area.x + m->margin, area.y + m->unit,
                 area.w - 2 * m->margin, m->control_h);
  return m->control_h + 2 * m->unit;
}

static void
layout_roofline (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  const LsRecording *recording = layout->data->recording;
  LsArea area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  Roofline *own = g_new0 (Roofline, 1);

  layout->own = own;
  layout->free_own = roofline_free;
  ls_area_below (&area, 2 * m->unit);
  ls_area_below (&area, ls_stage_heads (layout, area));
  ls_area_below (&area, ls_stage_disagreement (layout, area));
  ls_area_below (&area, switches_line (layout, area));
  if (recording == NULL)
    {
      area.h -= ls_coming_foot (layout, area, m->gutter);
      ls_coming_lists (layout, area);
      return;
    }
  area.h -= ls_coming_foot (layout, area, m->gutter);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsRoofPlot *plot = &own->plots[side];

      *plot = (LsRoofPlot){ .layout = layout,
                            .side = side,
                            .lane = &layout->data->sides[side],
                            .area = ls_stage_lane (layout, area, side) };
      if (!has_plot (plot->lane))
        continue;
      plot->ops = ls_roofline_ops (recording, plot->lane, &plot->without);
      if (layout->data->other != NULL && layout->data->other->recording != NULL
          && layout->data->other->sides[side].index != NULL)
        plot->before = ls_roofline_ops (layout->data->other->recording, &layout->data->other->sides[side],
                                        NULL);
      ls_roofline_roofs (plot->lane, &plot->roofs);
      ls_roofline_published (layout->data, plot->lane, &plot->published);
      layout->span_ns = MAX (layout->span_ns, plot->lane->index->length_ns);
    }
  scale (own);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsRoofPlot *plot = &own->plots[side];

      plot->lower = own->plots[0].published.name != NULL || own->plots[1].published.name != NULL;
      if (plot->ops != NULL)
        ls_roof_plot (plot);
      else if (ls_lane_coming (plot->lane) && plot->lane->build != NULL)
        ls_coming_list (layout, plot->area, side);
      else if (ls_lane_unrecorded (plot->lane))
        ls_coming_unrecorded (layout, plot->area, side);
      else if (plot->lane->message != NULL)
        ls_stage_lane_message (layout, plot->area, side);
    }
}

static void
move_roofline (LsLayout *layout)
{
  const Roofline *own = layout->own;

  for (guint side = 0; side < LS_SIDES; side++)
    if (own->plots[side].ops != NULL && ls_roof_plot_drawn (&own->plots[side]))
      ls_roof_plot_move (&own->plots[side]);
}

/* Both lanes' roofs, and the longest op's place under them. */
static void
describe_roofline (const LsLayout *layout, GString *text)
{
  const Roofline *own = layout->own;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsRoofPlot *plot = &own->plots[side];
      const LsRoofOp *longest = NULL;

      if (plot->ops == NULL)
        continue;
      if (plot->roofs.flops > 0 && plot->roofs.memory > 0)
        {
          g_autofree char *flops = ls_number_text (plot->roofs.flops / 1e9, 3),
                          *memory = ls_number_text (plot->roofs.memory / 1e9, 3);
          g_string_append_printf (text, _(" %s: at most %s GFLOP/s, and %s GB/s from memory."),
                                  plot->lane->name, flops, memory);
        }
      if (plot->published.name != NULL)
        {
          g_autofree char *words = ls_roof_published_words (plot);
          g_string_append (text, words);
        }
      g_autofree char *counted = ls_roof_counted_words (plot);
      if (counted != NULL)
        g_string_append (text, counted);
      for (guint i = 0; i < plot->ops->len; i++)
        if (longest == NULL || g_array_index (plot->ops, LsRoofOp, i).share > longest->share)
          longest = &g_array_index (plot->ops, LsRoofOp, i);
      if (longest != NULL)
        {
          const LsRoofOp *before = ls_roof_before (plot, longest);
          g_autofree char *words = ls_roof_words (plot, longest, FALSE), *rate = NULL, *both = NULL;
          if (before != NULL)
            {
              rate = ls_number_text (before->rate / 1e9, 3);
              both = g_strdup_printf (_("%s; in the other recording %s"), words, rate);
            }
          g_string_append_printf (text, _(" The longest op is %s."), both != NULL ? both : words);
        }
    }
}

const LsView ls_view_roofline = {
  .name = "roofline",
  .title = N_("Roofline"),
  .question = N_("What is an op bound by: computing, or memory?"),
  .needs_step = TRUE,
  .switches = switches,
  .switch_side = -1,
  .layout = layout_roofline,
  .move = move_roofline,
  .describe = describe_roofline,
};
