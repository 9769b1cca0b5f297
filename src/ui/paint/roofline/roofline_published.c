/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is published of a lane's device, beside its measured roofs: dotted, and in words with its own mark, so
 * that nobody takes a data sheet's peak for what this device did.
 */
#include "config.h"
#include "ui/paint/roofline/roofline.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

void
ls_roofline_published (const LsViewData *data, const LsViewLane *lane, LsRoofsPublished *published)
{
  const LsHardware *device = ls_view_data_published (data, lane);
  const LsHardwareFigure *vector;
  LsRoofs roofs;

  *published = (LsRoofsPublished){ 0 };
  ls_roofline_roofs (lane, &roofs);
  if (device == NULL || !(roofs.flops > 0 && roofs.memory > 0))
    return;
  /* the measured roof is that of ordinary cores */
  vector = ls_hardware_get (device, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32, LS_MEANS_VECTOR);
  published->flops = vector != NULL ? vector->figure : ls_hardware_peak (device, LS_NUMBERS_FP32);
  published->memory = ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH);
  if (published->flops.n > 0 || published->memory.n > 0)
    published->name = device->name;
}

/* A name or a ring is there, which a dotted line would run through. */
static gboolean
is_taken (const LsRoofPlot *plot, double x, double y)
{
  const LsScene *s = plot->layout->still;
  const LsArea dot = { x - 2, y - 2, 4, 4 };

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      LsArea area;

      if (item->kind != LS_ITEM_TEXT)
        continue;
      ls_item_bounds (s, item, &area.x, &area.y, &area.w, &area.h);
      if (ls_area_overlaps (&dot, &area))
        return TRUE;
    }
  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsArea ring = ls_roof_ring_area (plot, &g_array_index (plot->ops, LsRoofOp, i));
      if (ls_area_overlaps (&dot, &ring))
        return TRUE;
    }
  return FALSE;
}

/* In the plot's own pixels. */
static void
dots (const LsRoofPlot *plot, const LsFigure *figure, double x0, double y0, double x1, double y1)
{
  const double width = plot->layout->style.data * .9, step = 3 * width, length = hypot (x1 - x0, y1 - y0);

  if (!(length > step))
    return;
  ls_scene_path (plot->layout->still, LS_ITEM_DOTS, LS_INK_QUIET, 0, width)->evidence = figure->evidence;
  for (double at = 0; at <= length; at += step)
    {
      const double x = x0 + (x1 - x0) * at / length, y = y0 + (y1 - y0) * at / length;
      if (!is_taken (plot, x, y))
        ls_scene_point (plot->layout->still, x, y);
    }
}

void
ls_roof_published_lines (const LsRoofPlot *plot)
{
  const double flops = plot->published.flops.value, memory = plot->published.memory.value,
               top = flops > 0 ? flops : plot->y.high * 1e9;

  if (memory > 0)
    {
      const double from = CLAMP (plot->y.low * 1e9 / memory, plot->x.low, plot->x.high),
                   to = CLAMP (MIN (top, plot->y.high * 1e9) / memory, from, plot->x.high);
      dots (plot, &plot->published.memory, ls_axis_at (&plot->x, from),
            ls_axis_at (&plot->y, from * memory / 1e9), ls_axis_at (&plot->x, to),
            ls_axis_at (&plot->y, to * memory / 1e9));
    }
  if (flops > 0)
    {
      const double from = CLAMP (memory > 0 ? flops / memory : plot->x.low, plot->x.low, plot->x.high),
                   y = ls_axis_at (&plot->y, flops / 1e9);
      dots (plot, &plot->published.flops, ls_axis_at (&plot->x, from), y, plot->right, y);
    }
}

/* Nobody published the peak: it follows from cores and clock. */
static gboolean
is_derived (const LsRoofsPublished *published)
{
  return published->flops.n > 0 && published->flops.evidence == LS_EVIDENCE_DERIVED;
}

/* "19 500 GFLOP/s, memory 1 560 GB/s"; share: "82 % and 91 %" of them were measured. (transfer full) */
static char *
words (const LsRoofPlot *plot, gboolean share)
{
  const LsRoofsPublished *p = &plot->published;
  g_autofree char *flops
    = ls_number_text (share ? 100 * plot->roofs.flops / p->flops.value : p->flops.value / 1e9, share ? 2 : 3),
    *memory = ls_number_text (share ? 100 * plot->roofs.memory / p->memory.value : p->memory.value / 1e9,
                              share ? 2 : 3);

  if (p->flops.n > 0 && p->memory.n > 0)
    return g_strdup_printf (share ? _("measured: %s %% and %s %%") : _("%s GFLOP/s, memory %s GB/s"), flops,
                            memory);
  return g_strdup_printf (share            ? _("measured: %s %%")
                          : p->flops.n > 0 ? _("%s GFLOP/s")
                                           : _("memory %s GB/s"),
                          p->flops.n > 0 ? flops : memory);
}

char *
ls_roof_published_words (const LsRoofPlot *plot)
{
  g_autofree char *told = words (plot, FALSE), *share = words (plot, TRUE);

  return g_strdup_printf (is_derived (&plot->published)
                            ? _(" Derived from what is published of the %s: %s; %s of it.")
                            : _(" Published of the %s: %s; %s of it."),
                          plot->published.name, told, share);
}

void
ls_roof_published_tell (const LsRoofPlot *plot, double y)
{
  const LsMetrics *m = &plot->layout->m;
  const LsRoofsPublished *p = &plot->published;
  LsScene *s = plot->layout->still;

  if (p->name == NULL)
    return;
  const LsEvidence evidence = p->flops.n > 0 ? p->flops.evidence : p->memory.evidence;
  g_autofree char *told = words (plot, FALSE), *share = words (plot, TRUE),
                  *full = g_strdup_printf (is_derived (p) ? _("derived from what is published of the %s: %s")
                                                          : _("published of the %s: %s"),
                                           p->name, told),
                  *brief = g_strdup_printf (
                    is_derived (p) ? _("derived from published figures: %s") : _("published: %s"), told),
                  *least = g_strdup_printf (_("%s of what is published"), share);
  const char *const forms[] = { full, brief };
  const double room = ls_scene_width (s, m->label, share) + 6 * m->unit + 2 * m->label.px;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      const double end = ls_text_marked (s, m, plot->area.x, y, plot->area.w - room, evidence, LS_INK_QUIET,
                                         forms[i]);
      if (end <= plot->area.x)
        continue;
      ls_text_marked (s, m, end + 3 * m->unit, y, plot->area.x + plot->area.w - end - 3 * m->unit,
                      LS_EVIDENCE_DERIVED, LS_INK_QUIET, share);
      return;
    }
  ls_text_marked (s, m, plot->area.x, y, plot->area.w, LS_EVIDENCE_DERIVED, LS_INK_QUIET, least);
}
