/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture round the plots: title, the lanes' devices, caption.
 */
#include "config.h"
#include "ui/paint/growth/growth.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/output/export.h"

#define PANEL_W 800.0
#define PANEL_H 460.0
#define ALONE_W 1216.0 /* one plot by itself: as the widest line of words needs */
#define ALONE_H 560.0
#define MARGIN  32.0
#define HEAD_H  128.0
#define FOOT_H  72.0

static guint
columns_of (const LsSweepRun *run)
{
  return run->sweeps->len > 1 ? 2 : 1;
}

static double
panel_width (const LsSweepRun *run)
{
  return columns_of (run) > 1 ? PANEL_W : ALONE_W;
}

static double
panel_height (const LsSweepRun *run)
{
  return columns_of (run) > 1 ? PANEL_H : ALONE_H;
}

void
ls_growth_size (const LsSweepRun *run, double *width, double *height)
{
  const guint columns = columns_of (run), rows = (MAX (run->sweeps->len, 1) + columns - 1) / columns;

  *width = columns * panel_width (run) + (columns + 1) * MARGIN;
  *height = HEAD_H + rows * panel_height (run) + (rows - 1) * MARGIN + FOOT_H;
}

static void
head (LsScene *s, const LsMetrics *m, const LsSweepRun *run, double width)
{
  g_autofree char *made = g_strdup_printf ("%s · %s", run->program, run->date);
  static const char *const names[LS_SWEEP_LANES] = { N_("CPU"), "OpenCL" };
  double y = MARGIN + m->title.px;

  ls_scene_text (s, MARGIN, y, m->title, LS_INK_TEXT, LS_LEFT, _("How rates grow: samples per second"));
  ls_scene_text (s, width - MARGIN, y, m->label, LS_INK_QUIET, LS_RIGHT, made);
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      const LsType bold = { m->label.px, 700 };
      LsItem *item;

      y += m->label.px * 1.5;
      item = ls_scene_text (s, MARGIN, y, bold, LS_INK_LANE, LS_LEFT, gettext (names[lane]));
      item->value = (float) lane;
      ls_scene_text (s, ls_item_right (item) + 8, y, m->label, LS_INK_QUIET, LS_LEFT,
                     run->devices[lane] != NULL ? run->devices[lane] : _("was not there"));
    }
}

/* The words that are short enough, never smaller ones. */
static void
foot (LsScene *s, const LsMetrics *m, const LsSweepRun *run, double width, double height)
{
  const double base = height - FOOT_H + m->label.px * 2, x = MARGIN + m->evidence + 6;
  const char *words
    = run->busy ? _("Measured beside other programs: medians in the band of the middle half; the lanes in "
                     "turn at each point.")
                : _("Measured: medians in the band of the middle half; the lanes in turn at each point.");

  if (x + ls_scene_width (s, m->label, words) > width - MARGIN)
    words = run->busy ? _("Measured beside other programs: medians, middle half.")
                      : _("Measured: medians, middle half.");
  ls_scene_evidence (s, MARGIN, base - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED,
                     LS_INK_QUIET);
  ls_scene_text (s, x, base, m->label, LS_INK_QUIET, LS_LEFT, words);
  ls_scene_text (s, MARGIN, base + m->label.px * 1.5, m->label, LS_INK_QUIET, LS_LEFT, run->machine);
}

LsScene *
ls_growth_scene (const LsSweepRun *run, const LsStyle *style, LsFonts *fonts)
{
  LsScene *s = ls_scene_new (fonts, style);
  const guint columns = columns_of (run);
  const double w = panel_width (run), h = panel_height (run);
  LsMetrics m;
  double width, height;

  ls_growth_size (run, &width, &height);
  ls_metrics_init (&m, style, MAX (width, 1280), MAX (height, 800));
  head (s, &m, run, width);
  for (guint i = 0; i < run->sweeps->len; i++)
    {
      const LsGrowthPanel panel = { s,
                                    &m,
                                    g_ptr_array_index (run->sweeps, i),
                                    MARGIN + i % columns * (w + MARGIN),
                                    HEAD_H + i / columns * (h + MARGIN),
                                    w,
                                    h };
      ls_growth_panel (&panel);
    }
  foot (s, &m, run, width, height);
  return s;
}

gboolean
ls_growth_export (const LsSweepRun *run, const LsStyle *style, LsFonts *fonts, const char *path,
                  GError **error)
{
  LsScene *s = ls_growth_scene (run, style, fonts);
  double width, height;
  gboolean good;

  ls_growth_size (run, &width, &height);
  good = ls_export_scene (s, width, height, _("How rates grow: samples per second"), run->program, path,
                          error);
  ls_scene_free (s);
  return good;
}
