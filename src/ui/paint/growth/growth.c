/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture round the plots: title, the lanes' devices, caption.
 */
#include "config.h"
#include "ui/paint/growth/growth.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/data/view_data.h"
#include "ui/paint/output/export.h"

#define PANEL_W 800.0
#define PANEL_H 460.0
#define ALONE_W 1216.0 /* one plot by itself: as the widest line of words needs */
#define ALONE_H 560.0
#define MARGIN  32.0
#define HEAD_H  128.0 /* with two lanes; each further one has a line more */
#define LANE_H  24.0
#define FOOT_H  72.0

static guint
columns_of (const GPtrArray *results)
{
  return results->len > 1 ? 2 : 1;
}

static double
panel_width (const GPtrArray *results)
{
  return columns_of (results) > 1 ? PANEL_W : ALONE_W;
}

static double
panel_height (const GPtrArray *results)
{
  return columns_of (results) > 1 ? PANEL_H : ALONE_H;
}

static const LsLabResult *
first_of (const GPtrArray *results)
{
  return results->len > 0 ? results->pdata[0] : NULL;
}

static double
head_height (const GPtrArray *results)
{
  const LsLabResult *first = first_of (results);

  return HEAD_H
         + (first != NULL && first->specs->len > LS_SIDES ? (first->specs->len - LS_SIDES) * LANE_H : 0);
}

void
ls_growth_size (const GPtrArray *results, double *width, double *height)
{
  const guint columns = columns_of (results), rows = (MAX (results->len, 1) + columns - 1) / columns;

  *width = columns * panel_width (results) + (columns + 1) * MARGIN;
  *height = head_height (results) + rows * panel_height (results) + (rows - 1) * MARGIN + FOOT_H;
}

/* "Lockstep 0.1.0 · 2026-11-21", or with the first and the last of several days. (transfer full) */
static char *
made_text (const GPtrArray *results)
{
  const LsLabResult *first = first_of (results);
  const char *from = first->date, *to = first->date;

  for (guint i = 1; i < results->len; i++)
    {
      const char *date = ((const LsLabResult *) results->pdata[i])->date;
      from = strcmp (date, from) < 0 ? date : from;
      to = strcmp (date, to) > 0 ? date : to;
    }
  return strcmp (from, to) == 0 ? g_strdup_printf ("%s · %s", first->program, from)
                                : g_strdup_printf ("%s · %s … %s", first->program, from, to);
}

const char *
ls_growth_unit (const LsExperiment *experiment)
{
  return strcmp (experiment->unit, "samples/s") == 0 ? _("samples per second") : experiment->unit;
}

static gboolean
all_samples (const GPtrArray *results)
{
  gboolean samples = TRUE;

  for (guint i = 0; i < results->len; i++)
    samples = samples
              && strcmp (((const LsLabResult *) results->pdata[i])->experiment->unit, "samples/s") == 0;
  return samples;
}

static const char *
title_of (const GPtrArray *results)
{
  return all_samples (results) ? _("How rates grow: samples per second") : _("How rates grow");
}

static void
head (LsScene *s, const LsMetrics *m, const GPtrArray *results, const GArray *names, double width)
{
  const LsLabResult *first = first_of (results);
  g_autofree char *made = first != NULL ? made_text (results) : NULL;
  double y = MARGIN + m->title.px;

  ls_scene_text (s, MARGIN, y, m->title, LS_INK_TEXT, LS_LEFT, title_of (results));
  if (first == NULL)
    return;
  ls_scene_text (s, width - MARGIN, y, m->label, LS_INK_QUIET, LS_RIGHT, made);
  for (guint lane = 0; lane < names->len; lane++)
    {
      const LsViewName *name = &g_array_index (names, LsViewName, lane);
      const LsType bold = { m->label.px, 700 };
      LsItem *item;

      y += m->label.px * 1.5;
      item = ls_scene_text (s, MARGIN, y, bold, LS_INK_LANE, LS_LEFT, name->name);
      item->value = LS_INK_OF (name->ink);
      ls_scene_text (s, ls_item_right (item) + 8, y, m->label, LS_INK_QUIET, LS_LEFT,
                     first->devices[lane] != NULL ? first->devices[lane] : _("was not there"));
    }
}

const char *
ls_growth_caption (gboolean busy, gboolean brief)
{
  if (brief)
    return busy ? _("Measured beside other programs: medians, middle half.")
                : _("Measured: medians, middle half.");
  return busy ? _("Measured beside other programs: medians in the band of the middle half; the lanes in "
                   "turn at each point.")
              : _("Measured: medians in the band of the middle half; the lanes in turn at each point.");
}

/* The words that are short enough, never smaller ones. */
static void
foot (LsScene *s, const LsMetrics *m, const GPtrArray *results, double width, double height)
{
  const LsLabResult *first = first_of (results);
  gboolean busy = FALSE;
  const double base = height - FOOT_H + m->label.px * 2, x = MARGIN + m->evidence + 6;
  const char *words;

  for (guint i = 0; i < results->len; i++)
    busy |= ((const LsLabResult *) results->pdata[i])->busy;
  words = ls_growth_caption (busy, FALSE);
  if (x + ls_scene_width (s, m->label, words) > width - MARGIN)
    words = ls_growth_caption (busy, TRUE);
  ls_scene_evidence (s, MARGIN, base - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED,
                     LS_INK_QUIET);
  ls_scene_text (s, x, base, m->label, LS_INK_QUIET, LS_LEFT, words);
  ls_scene_text (s, MARGIN, base + m->label.px * 1.5, m->label, LS_INK_QUIET, LS_LEFT,
                 first != NULL ? first->machine : "");
}

LsScene *
ls_growth_scene (const GPtrArray *results, const LsStyle *style, LsFonts *fonts)
{
  LsScene *s = ls_scene_new (fonts, style);
  const guint columns = columns_of (results);
  const LsLabResult *first = first_of (results);
  g_autoptr (GArray) names = first != NULL ? ls_view_names_of (first->specs) : NULL;
  const double w = panel_width (results), h = panel_height (results);
  LsMetrics m;
  double width, height;

  ls_growth_size (results, &width, &height);
  ls_metrics_init (&m, style, MAX (width, 1280), MAX (height, 800));
  head (s, &m, results, names, width);
  for (guint i = 0; i < results->len; i++)
    {
      const LsExperiment *experiment = ((const LsLabResult *) results->pdata[i])->experiment;
      g_autofree char *words = all_samples (results) ? g_strdup (experiment->network)
                                                     : g_strdup_printf ("%s; %s", ls_growth_unit (experiment),
                                                                        experiment->network);
      const LsGrowthPanel panel = { s,
                                    &m,
                                    results->pdata[i],
                                    names,
                                    MARGIN + i % columns * (w + MARGIN),
                                    head_height (results) + i / columns * (h + MARGIN),
                                    w,
                                    h,
                                    words,
                                    FALSE };
      ls_growth_panel (&panel);
    }
  foot (s, &m, results, width, height);
  return s;
}

gboolean
ls_growth_export (const GPtrArray *results, const LsStyle *style, LsFonts *fonts, const char *path,
                  GError **error)
{
  LsScene *s = ls_growth_scene (results, style, fonts);
  double width, height;
  gboolean good;

  ls_growth_size (results, &width, &height);
  good = ls_export_scene (s, width, height, title_of (results),
                          results->len > 0 ? first_of (results)->program : NULL, path, error);
  ls_scene_free (s);
  return good;
}
