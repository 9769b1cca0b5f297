/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture round the plots: title, the lanes' devices, caption.
 */
#include "config.h"
#include "ui/paint/growth.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/export.h"

#define PANEL_W 800.0
#define PANEL_H 460.0
#define MARGIN 32.0
#define HEAD_H 128.0
#define FOOT_H 72.0

static guint
columns_of (const LsSweepRun *run)
{
  return run->sweeps->len > 1 ? 2 : 1;
}

void
ls_growth_size (const LsSweepRun *run, double *width, double *height)
{
  const guint columns = columns_of (run), rows = (MAX (run->sweeps->len, 1) + columns - 1) / columns;

  *width = columns * PANEL_W + (columns + 1) * MARGIN;
  *height = HEAD_H + rows * PANEL_H + (rows - 1) * MARGIN + FOOT_H;
}

static void
head (LsScene *s, const LsMetrics *m, const LsSweepRun *run)
{
  static const char *const names[LS_SWEEP_LANES] = { N_("CPU"), "OpenCL" };
  double y = MARGIN + m->title.px;

  ls_scene_text (s, MARGIN, y, m->title, LS_INK_TEXT, LS_LEFT, _("How cost grows: samples per second"));
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

/* One line or two, never a shrunk one. */
static void
foot (LsScene *s, const LsMetrics *m, const LsSweepRun *run, double height)
{
  const double base = height - FOOT_H + m->label.px * 2;
  g_autofree char *conditions = g_strdup_printf ("%s · %s · %s", run->machine, run->program, run->date);
  double x = MARGIN;

  ls_scene_evidence (s, x, base - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED, LS_INK_QUIET);
  x += m->evidence + 6;
  ls_scene_text (s, x, base, m->label, LS_INK_QUIET, LS_LEFT,
                 run->busy ? _("Measured beside other programs: medians in the band of the middle half; the lanes in turn at each point.")
                           : _("Measured: medians in the band of the middle half; the lanes in turn at each point."));
  ls_scene_text (s, MARGIN, base + m->label.px * 1.5, m->label, LS_INK_QUIET, LS_LEFT, conditions);
}

LsScene *
ls_growth_scene (const LsSweepRun *run, const LsStyle *style, LsFonts *fonts)
{
  LsScene *s = ls_scene_new (fonts, style);
  const guint columns = columns_of (run);
  LsMetrics m;
  double width, height;

  ls_growth_size (run, &width, &height);
  ls_metrics_init (&m, style, MAX (width, 1280), MAX (height, 800));
  head (s, &m, run);
  for (guint i = 0; i < run->sweeps->len; i++)
    {
      const LsGrowthPanel panel = { s, &m, g_ptr_array_index (run->sweeps, i), MARGIN + i % columns * (PANEL_W + MARGIN),
                                    HEAD_H + i / columns * (PANEL_H + MARGIN), PANEL_W, PANEL_H };
      ls_growth_panel (&panel);
    }
  foot (s, &m, run, height);
  return s;
}

gboolean
ls_growth_export (const LsSweepRun *run, const LsStyle *style, LsFonts *fonts, const char *path, GError **error)
{
  LsScene *s = ls_growth_scene (run, style, fonts);
  double width, height;
  gboolean good;

  ls_growth_size (run, &width, &height);
  good = ls_export_scene (s, width, height, _("How cost grows: samples per second"), run->program, path, error);
  ls_scene_free (s);
  return good;
}
