/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where there is no room for all of Tiles, the tiles with their values, the ledger and the source share one place, each behind a
 * tab. Without a window round it a picture says which one it shows; a click or the key v chooses.
 */
#include "config.h"
#include "ui/paint/tiles.h"

#include <glib/gi18n-lib.h>

double
ls_tiles_tabs (LsTiles *t, LsArea area, gboolean with_ledger)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  const char *const names[LS_TILES_N_PANES] = { with_ledger ? _("Tiles") : _("Tiles and ledger"), _("Ledger"), _("Source") };
  const LsType bold = { m->label.px, 700 };
  const double h = m->label.px * 1.7;
  double x = area.x;

  t->pane = MIN (t->layout->query.pane, LS_TILES_N_PANES - 1);
  if (!with_ledger && t->pane == LS_TILES_PANE_LEDGER)
    t->pane = LS_TILES_PANE_TILES;
  for (guint i = 0; i < LS_TILES_N_PANES; i++)
    {
      const gboolean chosen = i == t->pane;
      const double w = ls_scene_width (s, bold, names[i]) + 6 * m->unit;

      if ((i == LS_TILES_PANE_LEDGER && !with_ledger) || x + w > area.x + area.w)
        continue;
      t->tabs[i] = (LsArea){ x, area.y, w, h };
      ls_scene_box (s, x, area.y, w, h, chosen ? LS_INK_CHOSEN : LS_INK_TRACK, 0)->size = (float) (1.5 * m->unit);
      ls_scene_text (s, x + w / 2, area.y + h / 2 + m->label.px * .36, chosen ? bold : m->label, chosen ? LS_INK_TEXT : LS_INK_QUIET, LS_CENTER, names[i]);
      x += w + m->unit;
    }
  return h + 2 * m->unit;
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
