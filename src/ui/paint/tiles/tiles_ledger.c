/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ledger of Tiles: what the work-group has loaded and computed so far, beside what the naive kernel would
 * have loaded for the same products, as hollow bars on one scale: all of it is counted on paper.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define MAX_ROWS 5

typedef struct {
  const char *label;
  gint64 value, most;
  gboolean own; /* in the lane's colour */
} Row;

static guint
ledger_rows (const LsTiles *t, const LsLedger *own, const LsLedger *naive, const LsLedger *all_own,
             const LsLedger *all_naive, Row *rows)
{
  guint n = 0;

  rows[n++] = (Row){ _("global loads, naive"), naive->global_loads, all_naive->global_loads, FALSE };
  if (t->cut.rung != LS_RUNG_NAIVE)
    rows[n++] = (Row){ t->cut.rung == LS_RUNG_TILED      ? _("global loads, tiled")
                       : t->cut.rung == LS_RUNG_REGISTER ? _("global loads, register")
                                                         : _("global loads, packed"),
                       own->global_loads, all_own->global_loads, TRUE };
  if (t->cut.local || t->cut.panel)
    rows[n++] = (Row){ _("local loads"), own->local_loads, all_own->local_loads, TRUE };
  rows[n++] = (Row){ "FLOP", own->flops, all_own->flops, TRUE };
  return n;
}

static double
row_h (const LsMetrics *m)
{
  return m->label.px * 1.72;
}

static guint
row_count (const LsTiles *t)
{
  return 2 + (t->cut.rung != LS_RUNG_NAIVE) + (t->cut.local || t->cut.panel);
}

double
ls_tiles_ledger_height (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;

  return m->heading.px * 1.9 + row_h (m) * row_count (t) + m->label.px * 1.6;
}

static double
label_w (const LsTiles *t, const Row *rows, guint n)
{
  double w = 0;

  for (guint i = 0; i < n; i++)
    w = MAX (w, ls_scene_width (t->layout->still, t->layout->m.label, rows[i].label));
  return w;
}

static void
count_all (const LsTiles *t, LsLedger *own, LsLedger *naive)
{
  LsTilesNow end;

  ls_tiles_now (t, LS_TIME_END, &end);
  ls_tiles_count (t, &end, own, naive);
}

static guint
all_rows (const LsTiles *t, const LsTilesNow *now, LsLedger *own, LsLedger *naive, Row *rows)
{
  LsLedger all_own, all_naive;

  count_all (t, &all_own, &all_naive);
  ls_tiles_count (t, now, own, naive);
  return ledger_rows (t, own, naive, &all_own, &all_naive, rows);
}

void
ls_tiles_ledger (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  LsTilesNow end;
  LsLedger own, naive;
  Row rows[MAX_ROWS];
  guint n;
  double w, y = t->ledger.y + m->heading.px * 1.9;

  ls_tiles_now (t, LS_TIME_END, &end);
  n = all_rows (t, &end, &own, &naive, rows);
  w = label_w (t, rows, n);
  if (m->size != LS_SIZE_SMALL)
    ls_scene_box (s, t->ledger.x, t->ledger.y, t->ledger.w, t->layout->style.hairline, LS_INK_HAIRLINE, 0);
  ls_text_heading (s, m, t->ledger, t->ledger.y + m->heading.px * 1.35,
                   _("Ledger of this work-group, so far"),
                   t->kind == LS_TILES_PLAIN ? _("counted from the kernel’s text")
                                             : _("counted from the kernel’s text, padding as loads"));
  for (guint i = 0; i < n; i++)
    ls_scene_text (s, t->ledger.x + w, y + row_h (m) * (i + .5) + m->label.px * .36, m->label, LS_INK_TEXT,
                   LS_RIGHT, rows[i].label);
}

double
ls_tiles_verdict (const LsTiles *t, const LsTilesNow *now, double x, double y, double w, LsType type)
{
  LsLedger own, naive;

  ls_tiles_count (t, now, &own, &naive);
  const double times = own.global_loads > 0 ? (double) naive.global_loads / (double) own.global_loads : 0;
  g_autofree char *number = ls_number_text (times, 2);
  g_autofree char *text = g_strdup_printf (_("%s× fewer trips to global memory"), number);
  g_autofree char *brief = g_strdup_printf (_("%s× fewer"), number);
  LsScene *s = t->layout->moving;
  const guint before = s->items->len;

  if (times <= 1
      || !ls_text_fit (s, x, y, w, type, LS_INK_LANE, LS_LEFT, (const char *const[]){ text, brief, NULL }))
    return x;
  ls_scene_get (s, before)->value = (float) t->lane;
  return ls_item_right (ls_scene_get (s, before));
}

void
ls_tiles_intensity (const LsTiles *t, const LsLedger *own, double x, double y, double w)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  g_autofree char *reuse = ls_number_text (
    own->global_loads > 0 ? (double) own->flops / 2 / (double) own->global_loads : 0, 3);
  g_autofree char *intensity = ls_number_text (ls_ledger_intensity (own), 3);
  g_autofree char *text = g_strdup_printf (
    _("%s multiply-adds for each float loaded · %s FLOP per global byte"), reuse, intensity);
  g_autofree char *brief = g_strdup_printf (_("%s FLOP per global byte"), intensity);

  if (ls_text_marked (s, m, x, y, w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, text) <= x)
    ls_text_marked (s, m, x, y, w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, brief);
}

void
ls_tiles_ledger_move (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const LsType bold = { m->label.px, 700 };
  LsLedger own, naive;
  Row rows[MAX_ROWS];
  const guint n = all_rows (t, now, &own, &naive, rows);
  gint64 most = 1;
  double y = t->ledger.y + m->heading.px * 1.9, x, w, number_w = 0, foot;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = ls_number_count ((guint64) rows[i].most);
      most = MAX (most, rows[i].most);
      number_w = MAX (number_w, ls_scene_width (s, bold, number));
    }
  x = t->ledger.x + label_w (t, rows, n) + 3 * m->unit;
  w = t->ledger.x + t->ledger.w - x - number_w - 3 * m->unit;
  for (guint i = 0; i < n && w > 20; i++)
    {
      const double top = y + row_h (m) * i + row_h (m) * .16, h = row_h (m) * .68,
                   long_w = w * (double) rows[i].value / (double) most;
      const double base = y + row_h (m) * (i + .5) + m->label.px * .36;
      g_autofree char *number = ls_number_count ((guint64) rows[i].value);
      LsItem *bar = ls_scene_mark (s, LS_ITEM_HOLLOW, x, top, MAX (long_w, 2), h,
                                   rows[i].own ? LS_INK_MARK : LS_INK_TEXT, t->lane);

      bar->size = (float) t->layout->style.data;
      const double end = ls_item_right (ls_scene_text (s, x + MAX (long_w, 2) + 2 * m->unit, base, bold,
                                                       LS_INK_TEXT, LS_LEFT, number))
                         + 4 * m->unit;
      if (i == 1 && t->cut.rung != LS_RUNG_NAIVE)
        ls_tiles_verdict (t, now, end, base, t->ledger.x + t->ledger.w - end, bold);
    }
  foot = y + row_h (m) * n + m->label.px * 1.1;
  ls_tiles_intensity (t, &own, t->ledger.x, foot, t->ledger.w);
}
