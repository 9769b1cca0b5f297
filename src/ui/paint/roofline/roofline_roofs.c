/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The axes of a roofline, its roofs with their names, and how they were measured in words.
 */
#include "config.h"
#include "ui/paint/roofline/roofline.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

static const char *const cache_names[LS_ROOF_CACHES] = { "L1", "L2", "L3" };

void
ls_roof_axes (const LsRoofPlot *plot)
{
  const LsMetrics *m = &plot->layout->m;
  LsScene *s = plot->layout->still;
  double last = G_MAXDOUBLE, end = -G_MAXDOUBLE;

  ls_scene_segment (s, plot->left, plot->bottom, plot->right, plot->bottom, LS_INK_QUIET,
                    plot->layout->style.hairline);
  for (guint i = 0; i < plot->y.n_ticks; i++)
    {
      const double y = ls_axis_at (&plot->y, plot->y.ticks[i]);
      const double tick = plot->y.ticks[i];
      g_autofree char *text = tick < 1e-3 || tick > 1e4 ? ls_number_power_tick (tick) : ls_number_tick (tick);

      ls_scene_segment (s, plot->left, y, plot->right, y, LS_INK_HAIRLINE, plot->layout->style.hairline);
      if (last - y < m->tick.px * 1.3)
        continue;
      last = y;
      ls_scene_text (s, plot->left - 1.5 * m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT,
                     text);
    }
  for (double at = .0625; at <= plot->x.high; at *= 4)
    {
      g_autofree char *text = at < .1 ? g_strdup ("1/16") : at < 1 ? g_strdup ("¼") : ls_number_tick (at);
      const double x = ls_axis_at (&plot->x, at), half = ls_scene_width (s, m->tick, text) / 2;

      if (at < plot->x.low || x - half < end + 2 * m->unit)
        continue;
      ls_scene_segment (s, x, plot->bottom, x, plot->bottom + m->unit, LS_INK_QUIET,
                        plot->layout->style.hairline);
      ls_scene_text (s, MIN (x, plot->right - half), plot->bottom + m->unit + m->tick.px * 1.22, m->tick,
                     LS_INK_QUIET, LS_CENTER, text);
      end = x + half;
    }
  ls_roof_counted_caption (plot, plot->right, plot->bottom + m->unit + m->tick.px * 2.4,
                           plot->right - plot->left);
}

static gboolean
is_under_ring (const LsRoofPlot *plot, const LsArea *area)
{
  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsArea ring = ls_roof_ring_area (plot, &g_array_index (plot->ops, LsRoofOp, i));
      if (ls_area_overlaps (area, &ring))
        return TRUE;
    }
  return FALSE;
}

/* A bandwidth as a line from the left up to the compute roof, its name left of it where that has room. */
static void
slope (const LsRoofPlot *plot, double bytes, double width, const char *name, double other)
{
  const LsMetrics *m = &plot->layout->m;
  const double ridge = plot->roofs.flops / bytes, low = plot->y.low * 1e9 / bytes;
  const double from = CLAMP (low, plot->x.low, plot->x.high), to = CLAMP (ridge, from, plot->x.high);
  const LsType type = { m->tick.px, 700 };
  g_autofree char *number = ls_number_text (bytes / 1e9, 3),
                  *text = g_strdup_printf (_("%s %s GB/s"), name, number);
  const double w = ls_scene_width (plot->layout->still, type, text), gap = 2 * m->unit,
               x0 = ls_axis_at (&plot->x, from), y0 = ls_axis_at (&plot->y, from * bytes / 1e9),
               x1 = ls_axis_at (&plot->x, to), y1 = ls_axis_at (&plot->y, to * bytes / 1e9);
  /* so far along that the text ends before the line */
  const double end = MAX (x0, plot->left + w + 2 * gap), rise = x1 > x0 ? (y0 - y1) / (x1 - x0) : 0,
               y = y0 - rise * (end - x0), others = other > 0 ? (log (other / bytes) / log (4)) : 0;
  const double between = others * (ls_axis_at (&plot->x, 4) - ls_axis_at (&plot->x, 1));

  if (x1 <= x0)
    return;
  ls_scene_segment (plot->layout->still, x0, y0, x1, y1, LS_INK_TEXT, width);
  const LsArea area = { end - gap - w, y - 1.5 * type.px, w, type.px * 1.3 };
  if (end < x1 && area.y - .5 * type.px > plot->top && !is_under_ring (plot, &area)
      && (other <= 0 || between > w + 3 * gap + 1.6 * type.px / MAX (rise, .1)))
    ls_scene_text (plot->layout->still, area.x, y - type.px * .5, type, LS_INK_TEXT, LS_LEFT, text)->strong
      = TRUE;
}

/* The bandwidth of the next line above one of that; 0: there is none. */
static double
next_above (const LsRoofs *r, double bytes)
{
  double next = 0;

  for (guint i = 0; i < LS_ROOF_CACHES; i++)
    if (r->caches[i] > bytes && (next == 0 || r->caches[i] < next))
      next = r->caches[i];
  return next;
}

/* Over the flat roof from x on, where no ring lies. */
static void
name_peak (const LsRoofPlot *plot, double x, double base)
{
  static const double places[] = { 0, .25, .5, .75, 1 };
  const LsType type = { plot->layout->m.tick.px, 700 };
  LsScene *s = plot->layout->still;
  g_autofree char *number = ls_number_text (plot->roofs.flops / 1e9, 3),
                  *text = g_strdup_printf (_("%s GFLOP/s"), number);
  const double w = ls_scene_width (s, type, text), room = plot->right - x - w;

  for (guint i = 0; i < G_N_ELEMENTS (places) && room >= 0 && base - type.px > plot->top; i++)
    {
      const LsArea area = { x + places[i] * room, base - type.px, w, type.px * 1.3 };

      if (is_under_ring (plot, &area))
        continue;
      ls_scene_text (s, area.x, base, type, LS_INK_TEXT, LS_LEFT, text)->strong = TRUE;
      return;
    }
}

/* What one core alone can compute: a thin line at the right, its name under it, where no ring lies. */
static void
one_core (const LsRoofPlot *plot, double width)
{
  const LsMetrics *m = &plot->layout->m;
  const LsType type = { m->tick.px, 400 };
  LsScene *s = plot->layout->still;
  g_autofree char *number = ls_number_text (plot->roofs.one / 1e9, 3),
                  *text = g_strdup_printf (_("one core %s"), number);
  const double w = ls_scene_width (s, type, text),
               y = ls_axis_at (&plot->y, MAX (plot->roofs.one / 1e9, plot->y.low));
  const LsArea area = { plot->right - w, y + width, w, type.px * 1.5 };

  if (!(plot->roofs.one > plot->y.low * 1e9) || plot->roofs.one > .9 * plot->roofs.flops
      || area.y + area.h > plot->bottom || is_under_ring (plot, &area))
    return;
  ls_scene_segment (s, area.x, y, plot->right, y, LS_INK_QUIET, width);
  ls_scene_text (s, plot->right, y + width + type.px * 1.1, type, LS_INK_QUIET, LS_RIGHT, text)->strong
    = TRUE;
}

void
ls_roof_lines (const LsRoofPlot *plot)
{
  const LsMetrics *m = &plot->layout->m;
  const LsRoofs *r = &plot->roofs;
  const double thick = plot->layout->style.data * 1.5, thin = plot->layout->style.data * .9;
  LsScene *s = plot->layout->still;
  double best, x, y;

  if (!(r->flops > 0 && r->memory > 0))
    return;
  best = r->memory;
  slope (plot, r->memory, thick, _("memory"), next_above (r, r->memory));
  for (guint i = 0; i < LS_ROOF_CACHES; i++)
    if (r->caches[i] > r->memory)
      {
        best = MAX (best, r->caches[i]);
        slope (plot, r->caches[i], thin, cache_names[i], next_above (r, r->caches[i]));
      }
  x = ls_axis_at (&plot->x, CLAMP (r->flops / best, plot->x.low, plot->x.high));
  y = ls_axis_at (&plot->y, r->flops / 1e9);
  if (x < plot->right)
    ls_scene_segment (s, x, y, plot->right, y, LS_INK_TEXT, thick);
  name_peak (plot, x, y - m->unit - thick);
  one_core (plot, thin);
}

/* "L1 479, L2 454, L3 230"; (transfer full), NULL: none was measured. */
static char *
cache_words (const LsRoofs *r)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < LS_ROOF_CACHES; i++)
    if (r->caches[i] > 0)
      {
        g_autofree char *number = ls_number_text (r->caches[i] / 1e9, 3);
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", cache_names[i], number);
      }
  return g_string_free (text, text->len == 0);
}

/* The roofs and how they were measured, or that they weren't; how many ops the picture hasn't. */
void
ls_roof_tell (const LsRoofPlot *plot, double y)
{
  const LsMetrics *m = &plot->layout->m;
  const LsRoofs *r = &plot->roofs;
  LsScene *s = plot->layout->still;
  const double x = plot->area.x, w = plot->area.w;
  g_autofree char *n = ls_number_count (r->n), *left = ls_number_count (plot->without),
                  *flops = ls_number_text (r->flops / 1e9, 3), *memory = ls_number_text (r->memory / 1e9, 3),
                  *caches = cache_words (r);
  g_autofree char *two
    = g_strdup_printf (_("roofs, best of %s: %s GFLOP/s, memory %s GB/s"), n, flops, memory),
    *spread = g_strdup_printf (
      _("roofs, best of %s (middle half from −%.0f %%): %s GFLOP/s, memory %s GB/s"), n, 100 * r->spread,
      flops, memory),
    *launch_us = ls_number_text (r->launch_us, 2),
    *launch = r->launch_us > 0 ? g_strdup_printf (_("; a launch %s µs"), launch_us) : g_strdup ("");
  g_autofree char *cached
    = caches != NULL ? g_strdup_printf (_("%s, %s GB/s"), two, caches) : g_strdup (two),
    *most = caches != NULL ? g_strdup_printf (_("%s, %s GB/s"), spread, caches) : g_strdup (spread);
  g_autofree char *all = g_strconcat (cached, launch, NULL), *full = g_strconcat (most, launch, NULL);
  g_autofree char *without = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%s; %s op without arithmetic isn’t shown",
                 "%s; %s ops without arithmetic aren’t shown", plot->without),
    full, left);
  g_autofree char *brief = g_strdup_printf (_("roofs: the best of %s measurements each"), n);
  const char *const words[] = { plot->without > 0 ? without : full, full, all, cached, two, brief };

  for (guint i = 0; i < G_N_ELEMENTS (words) && r->flops > 0 && r->memory > 0; i++)
    if (ls_text_marked (s, m, x, y, w, LS_EVIDENCE_MEASURED, LS_INK_QUIET, words[i]) > x)
      return;
  if (r->flops > 0 && r->memory > 0)
    return;
  ls_text_fit (
    s, x, y, w, m->label, LS_INK_QUIET, LS_LEFT,
    plot->layout->data->live
      ? (const char *const[]){ _("no roofs yet: they are measured after the first recorded step"),
                               _("no roofs yet"), NULL }
      : (const char *const[]){ _("recorded without this device’s roofs"), _("no roofs recorded"), NULL });
}
