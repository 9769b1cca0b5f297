/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the parts of Tiles stand. Where there is no room for all of them, the tiles with their values, the
 * ledger, the source and the roofline share one place, each behind a tab. Without a window round it a picture
 * says which one it shows; a click or the key v chooses.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <glib/gi18n-lib.h>

static double
add_tabs (LsTiles *t, LsArea area, gboolean with_ledger)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  const char *const names[LS_TILES_N_PANES] = { with_ledger ? _("Tiles") : _("Tiles and ledger"),
                                                _("Ledger"), _("Source"), _("Roofline") };
  const LsType bold = { m->label.px, 700 };
  const double h = m->label.px * 1.7;
  double x = area.x;

  t->pane = MIN (ls_tiles_asked (&t->layout->query)->pane, LS_TILES_N_PANES - 1);
  if (!with_ledger && t->pane == LS_TILES_PANE_LEDGER)
    t->pane = LS_TILES_PANE_TILES;
  if (t->kind != LS_TILES_PLAIN && t->pane == LS_TILES_PANE_ROOF) /* a convolution has its patch in that
                                                                     place */
    t->pane = LS_TILES_PANE_SOURCE;
  for (guint i = 0; i < LS_TILES_N_PANES; i++)
    {
      const gboolean chosen = i == t->pane;
      const double w = ls_scene_width (s, bold, names[i]) + 6 * m->unit;

      if ((i == LS_TILES_PANE_LEDGER && !with_ledger)
          || (i == LS_TILES_PANE_ROOF && t->kind != LS_TILES_PLAIN) || x + w > area.x + area.w)
        continue;
      t->tabs[i] = (LsArea){ x, area.y, w, h };
      ls_scene_box (s, x, area.y, w, h, chosen ? LS_INK_CHOSEN : LS_INK_TRACK, 0)->size = (float) (1.5
                                                                                                   * m->unit);
      ls_scene_text (s, x + w / 2, area.y + h / 2 + m->label.px * .36, chosen ? bold : m->label,
                     chosen ? LS_INK_TEXT : LS_INK_QUIET, LS_CENTER, names[i]);
      x += w + m->unit;
    }
  return h + 2 * m->unit;
}

void
ls_tiles_place_large (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const double gap = m->gutter, w = area.w - 2 * m->margin - 2 * gap, x = area.x + m->margin;
  const double left = w * .27, right = w * .34, middle = w - left - right;
  const double stations = ls_tiles_stations_height (t), ledger = ls_tiles_ledger_height (t);

  t->corner = (LsArea){ x, area.y, left, area.h - stations - 2 * m->unit };
  t->local = (LsArea){ x + left + gap, area.y, middle, area.h - ledger - 2 * m->unit };
  t->ledger = (LsArea){ x + left + gap, area.y + area.h - ledger, middle, ledger };
  t->source = (LsArea){ x + left + middle + 2 * gap, area.y, right, area.h };
}

/* As high as it is wide: matrices and tiles above, as large as they can be, text below. */
void
ls_tiles_place_tall (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const double gap = m->gutter, w = area.w - 2 * m->margin - gap, x = area.x + m->margin;
  const double left = w * .36, rest = w - left, high = MIN (area.h * .58, rest * .5 + 60 * m->unit),
               below = area.y + high + 2 * m->unit;

  t->corner = (LsArea){ x, area.y, left, high };
  t->local = (LsArea){ x + left + gap, area.y, rest, high };
  t->ledger = (LsArea){ x + left + gap, below, (rest - gap) * .5, ls_tiles_ledger_height (t) };
  t->source = (LsArea){ x + left + 2 * gap + (rest - gap) * .5, below, (rest - gap) * .5 - gap,
                        area.y + area.h - below };
}

void
ls_tiles_place_medium (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const double gap = m->gutter, w = area.w - 2 * m->margin - gap, x = area.x + m->margin;
  const double left = w * .36, middle = w - left;
  const double stations = ls_tiles_stations_height (t), ledger = ls_tiles_ledger_height (t);
  const gboolean both = area.h - ledger > 56 * m->unit;
  const LsArea tabs = { x + left + gap, area.y, middle, area.h };
  const double h = add_tabs (t, tabs, !both);

  if (t->pane != LS_TILES_PANE_TILES)
    {
      const LsArea rest = { tabs.x, tabs.y + h, tabs.w, tabs.h - h };

      t->corner = (LsArea){ x, area.y, left, area.h - (both ? stations : 0) };
      if (t->pane == LS_TILES_PANE_SOURCE)
        t->source = rest;
      else if (t->pane == LS_TILES_PANE_ROOF)
        {
          /* with the ledger's sum, whose intensity is the ring's */
          const double sum = m->label.px * 1.6;
          t->roof = (LsArea){ rest.x, rest.y, rest.w, MIN (rest.h - sum, 90 * m->unit) };
          t->item_y = t->roof.y + t->roof.h + m->label.px * 1.2;
        }
      else
        t->ledger = (LsArea){ rest.x, rest.y, rest.w, MIN (ledger, rest.h) };
      return;
    }
  ls_area_below (&area, h);
  t->corner = (LsArea){ x, area.y - h, left, area.h + h - (both ? stations : 0) };
  t->local = (LsArea){ x + left + gap, area.y, middle, area.h - (both ? ledger + m->unit : 0) };
  if (both)
    t->ledger = (LsArea){ x + left + gap, area.y + area.h - ledger, middle, ledger };
}

guint
ls_tiles_next_pane (const LsTiles *t)
{
  for (guint i = 1; i < LS_TILES_N_PANES; i++)
    {
      const guint next = (t->pane + i) % LS_TILES_N_PANES;
      if (t->tabs[next].w > 0)
        return next;
    }
  return t->pane;
}
