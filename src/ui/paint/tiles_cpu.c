/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU's side of Tiles: the places of its parts, and its left column: the panel's number, the stages of the nest, the
 * matrices, and the packed factors as they lie in memory.
 */
#include "config.h"
#include "ui/paint/tiles_cpu.h"

#include <math.h>
#include <glib/gi18n-lib.h>

static double
stages_h (const LsMetrics *m)
{
  return m->heading.px * 1.7 + m->label.px * 1.9;
}

static double
packed_h (const LsMetrics *m)
{
  return m->heading.px * 1.7 + 2 * m->label.px * 2.7;
}

void
ls_tiles_cpu_layout (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  LsTilesCpu *cpu = t->cpu;
  const gboolean large = m->size == LS_SIZE_LARGE && !m->projector, small = m->size == LS_SIZE_SMALL;
  const double gap = m->gutter, w = area.w - 2 * m->margin - (large ? 2 : 1) * gap, x = area.x + m->margin;
  const double left = w * (large ? .27 : .36), right = large ? w * .31 : 0, middle = w - left - right;
  const double below = (m->projector ? 0 : stages_h (m)) + (small || m->projector ? 0 : packed_h (m));
  const gboolean both = area.h - below > 44 * m->unit;

  t->corner = (LsArea){ x, area.y, left, area.h - (both ? below : 0) };
  ls_tiles_corner (t);
  t->corner.h = MIN (t->corner.h, t->at_a.y + t->at_a.h + m->label.px * 2.2 + 3 * m->unit - t->corner.y);
  if (both)
    cpu->left = (LsArea){ x, t->corner.y + t->corner.h, left, below };
  cpu->registers = (LsArea){ x + left + gap, area.y, middle, area.h };
  if (!small && !m->projector)
    {
      /* where the height is short the sentence under the boxes goes, so that the micro-tile can be seen */
      const double caches = m->label.px * (area.h > 100 * m->unit ? 3.5 * 3 + 2.8 : 3.1 * 3 + .4);
      cpu->registers.h = area.h - caches;
      cpu->caches = (LsArea){ x + left + gap, area.y + area.h - caches, middle, caches };
    }
  if (large)
    {
      const double third = area.h;
      cpu->nest = (LsArea){ x + left + middle + 2 * gap, area.y, right, third };
    }
}

/* ---- what moves ---- */

static void
stages (const LsTiles *t, const LsTilesCpuNow *now, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->left;
  const LsType bold = { m->label.px, 700 };
  const char *const names[] = { _("pack B"), _("pack A"), _("multiply") };
  const double gap = 2.5 * m->unit, w = (area.w - 2 * gap) / 3, h = m->label.px * 1.9;
  LsScene *s = t->layout->moving;

  ls_tiles_heading (s, m, area, y + m->heading.px, _("One pass of the nest"),
                    t->stamps != LS_TILES_MODELLED ? _("the call as stamped, its inside as modelled") : _("as modelled"));
  y += m->heading.px * 1.6;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const gboolean here = (guint) now->stage == i;
      const double x = area.x + i * (w + gap);
      ls_scene_box (s, x, y, w, h, here ? LS_INK_MARK : LS_INK_TRACK, 0)->size = (float) (1.5 * m->unit);
      if (ls_scene_width (s, bold, names[i]) <= w)
        ls_scene_text (s, x + w / 2, y + h / 2 + bold.px * .36, bold, here ? LS_INK_ON_MARK : LS_INK_TEXT, LS_CENTER, names[i])->value = 0;
    }
}

/* A packed factor: slivers side by side, those in work solid. done: how much of it is packed. */
static double
packed (const LsTiles *t, double y, const char *name, const char *words, guint n, double done, guint from, guint to)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->left;
  const double gap = n > 32 ? 1 : 2, w = area.w / n, h = m->label.px * 1.1;
  LsScene *s = t->layout->moving;
  const double x = ls_item_right (ls_scene_text (s, area.x, y + m->label.px, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, name));

  ls_tiles_marked (s, m, x + 2 * m->unit, y + m->label.px, area.x + area.w - x - 2 * m->unit, LS_EVIDENCE_MODELLED, LS_INK_QUIET, words);
  y += m->label.px * 1.4;
  for (guint i = 0; i < n; i++)
    {
      const double left = round (area.x + w * i), right = round (area.x + w * (i + 1)) - gap;
      const gboolean there = i + 1 <= done * n + 1e-9;
      if (!there)
        ls_scene_box (s, left, y, MAX (right - left, 1), h, LS_INK_TRACK, 0);
      else if (i >= from && i < to)
        ls_scene_box (s, left, y, MAX (right - left, 1), h, LS_INK_MARK, 0);
      else
        ls_scene_mark (s, LS_ITEM_HATCH, left, y, MAX (right - left, 1), h, LS_INK_MARK, 0)->alpha = .55f;
    }
  return y + m->label.px * 1.3;
}

static void
packed_factors (const LsTiles *t, const LsTilesCpuNow *now, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesCpu *cpu = t->cpu;
  const guint each = MAX (1, cpu->model.rows / cpu->model.sliver_rows);
  const guint slivers_a = (guint) ((cpu->rows + cpu->model.sliver_rows - 1) / cpu->model.sliver_rows);
  const gboolean works = now->stage == LS_TILES_MULTIPLY;
  const double done_b = now->stage > LS_TILES_PACK_B ? 1 : now->part, done_a = now->stage > LS_TILES_PACK_A ? 1 : now->stage == LS_TILES_PACK_A ? now->part : 0;
  g_autofree char *a = g_strdup_printf (_("%u slivers of %u rows, column after column"), slivers_a, cpu->model.sliver_rows);
  g_autofree char *b = g_strdup_printf (_("%u slivers of %u columns, row after row"), cpu->slivers, cpu->model.cols);

  ls_tiles_heading (t->layout->moving, m, cpu->left, y + m->heading.px, _("Packed, as it lies in memory"), NULL);
  y += m->heading.px * 1.5;
  y = packed (t, y, "Ap", a, slivers_a, done_a, works ? now->group * each : 0, works ? (now->group + 1) * each : 0);
  packed (t, y, "Bp", b, cpu->slivers, done_b, works ? now->sliver : 0, works ? now->sliver + 1 : 0);
}

/* Under the panel's number: which micro-tile, and how far. */
static void
where (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesCpu *cpu = t->cpu;
  const guint tile = now->sliver * cpu->groups + now->group;
  g_autofree char *text = g_strdup_printf (_("micro-tile %u of %u"), MIN (tile + 1, cpu->slivers * cpu->groups), cpu->slivers * cpu->groups);
  g_autofree char *step = g_strdup_printf (_("p = %u of %lld"), now->step, (long long) now->k);
  const double y = t->number_y + m->label.px * 1.5, w = t->number_x > t->corner.x ? t->number_w : t->at_b.x - t->corner.x - 2 * m->unit;

  const double foot = t->number_x > t->corner.x ? t->corner.y + t->corner.h : t->at_a.y - m->label.px * 2;

  if (now->stage != LS_TILES_MULTIPLY || t->at_b.y > t->number_y || y + m->label.px * 1.8 > foot || w < 20 * m->unit)
    return;
  ls_tiles_say (t->layout->moving, t->number_x, y, w, m->label, LS_INK_TEXT, LS_LEFT, (const char *const[]) { text, NULL });
  ls_tiles_say (t->layout->moving, t->number_x, y + m->label.px * 1.4, w, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { step, NULL });
}

void
ls_tiles_cpu_move (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesCpu *cpu = t->cpu;

  ls_tiles_corner_move (t, &now->at);
  where (t, now);
  if (cpu->left.h > 0 && !m->projector)
    {
      stages (t, now, cpu->left.y);
      if (cpu->left.h >= stages_h (m) + packed_h (m) - 1)
        packed_factors (t, now, cpu->left.y + stages_h (m) + m->label.px * .6);
    }
  ls_tiles_cpu_registers (t, now);
  if (cpu->caches.h > 0)
    ls_tiles_cpu_caches (t, now);
  if (cpu->nest.h > 0)
    {
      ls_tiles_cpu_nest (t, now);
      ls_tiles_cpu_bytes (t, now);
    }
}
