/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU's side of Tiles: the places of its parts, and its left column: the panel's number, the stages of
 * the nest, the matrices, and the packed factors as they lie in memory.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/parts/text.h"

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

/* The loops, what they move, and as much as there is room for of: the balance, the roofline. */
static void
place_right (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  LsTilesCpu *cpu = t->cpu;
  const double gap = 3.5 * m->unit, least = m->heading.px * 1.6 + m->label.px * 6.2 + m->tick.px * 1.7,
               foot = area.y + area.h;
  const double balance = ls_tiles_cpu_balance_height (t);
  double y = area.y;

  cpu->nest = (LsArea){ area.x, y, area.w, ls_tiles_cpu_nest_height (t) };
  y += cpu->nest.h + gap;
  cpu->bytes = (LsArea){ area.x, y, area.w, MIN (ls_tiles_cpu_bytes_height (t), foot - y) };
  y += cpu->bytes.h + gap;
  if (foot - y >= balance && (foot - y >= balance + gap + least || foot - y < least))
    {
      cpu->rings = (LsArea){ area.x, y, area.w, balance };
      y += balance + gap;
    }
  if (foot - y >= least)
    {
      t->roof = (LsArea){ area.x, y, area.w, MIN (foot - y, 90 * m->unit) };
      ls_tiles_roof (t);
    }
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
      cpu->registers.h = MIN (area.h - caches, MAX (middle * .8, 90 * m->unit));
      cpu->caches = (LsArea){ x + left + gap, area.y + cpu->registers.h, middle, caches };
    }
  if (large)
    place_right (t, (LsArea){ x + left + middle + 2 * gap, area.y, right, area.h });
}

/* ---- what moves ---- */

static const char *
stage_name (const LsTiles *t, const LsTilesCpuNow *now, LsTilesStage stage)
{
  switch (stage)
    {
    case LS_TILES_GATHER:
      return t->cpu->use == LS_GEMM_COLUMNS ? _("make columns") : _("make picture");
    case LS_TILES_PACK_B:
      return now->model.by >= LS_GEMM_LOOPS ? _("copy B") : _("pack B");
    case LS_TILES_PACK_A:
      return _("pack A");
    case LS_TILES_MULTIPLY:
      return _("multiply");
    case LS_TILES_N_STAGES:
      break;
    }
  return "";
}

static void
stages (const LsTiles *t, const LsTilesCpuNow *now, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->left;
  const LsType bold = { m->label.px, 700 };
  const double gap = 2.5 * m->unit, h = m->label.px * 1.9;
  LsScene *s = t->layout->moving;
  guint n = 0;
  double x = area.x, w;

  ls_text_heading (s, m, area, y + m->heading.px, _("One pass of the nest"),
                   t->stamps != LS_TILES_MODELLED ? _("the tile as stamped, its inside as modelled")
                                                  : _("as modelled"));
  y += m->heading.px * 1.6;
  for (guint i = 0; i < LS_TILES_N_STAGES; i++)
    n += ls_tiles_cpu_has (t, now, (LsTilesStage) i);
  w = (area.w - (n - 1) * gap) / n;
  for (guint i = 0; i < LS_TILES_N_STAGES; i++)
    {
      const gboolean here = (guint) now->stage == i;
      if (!ls_tiles_cpu_has (t, now, (LsTilesStage) i))
        continue;
      ls_scene_box (s, x, y, w, h, here ? LS_INK_MARK : LS_INK_TRACK, t->lane)->size = (float) (1.5
                                                                                                * m->unit);
      if (ls_scene_width (s, bold, stage_name (t, now, (LsTilesStage) i)) <= w)
        ls_scene_text (s, x + w / 2, y + h / 2 + bold.px * .36, bold, here ? LS_INK_ON_MARK : LS_INK_TEXT,
                       LS_CENTER, stage_name (t, now, (LsTilesStage) i))
          ->value
          = (float) t->lane;
      x += w + gap;
    }
}

/* A packed factor: slivers side by side, those in work solid. done: how much of it is packed. */
static double
packed (const LsTiles *t, double y, const char *name, const char *words, guint n, double done, guint from,
        guint to)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->left;
  const double gap = n > 32 ? 1 : 2, w = area.w / n, h = m->label.px * 1.1;
  LsScene *s = t->layout->moving;
  const double x = ls_item_right (
    ls_scene_text (s, area.x, y + m->label.px, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, name));

  ls_text_marked (s, m, x + 2 * m->unit, y + m->label.px, area.x + area.w - x - 2 * m->unit,
                  LS_EVIDENCE_MODELLED, LS_INK_QUIET, words);
  y += m->label.px * 1.4;
  for (guint i = 0; i < n; i++)
    {
      const double left = round (area.x + w * i), right = round (area.x + w * (i + 1)) - gap;
      const gboolean there = i + 1 <= done * n + 1e-9;
      if (!there && !(i >= from && i < to))
        ls_scene_box (s, left, y, MAX (right - left, 1), h, LS_INK_TRACK, 0);
      else if (i >= from && i < to)
        ls_scene_box (s, left, y, MAX (right - left, 1), h, LS_INK_MARK, t->lane);
      else
        ls_scene_mark (s, LS_ITEM_HATCH, left, y, MAX (right - left, 1), h, LS_INK_MARK, t->lane)->alpha
          = .55f;
    }
  return y + m->label.px * 1.3;
}

/* A convolution's columns: how much of the strip is made. Returns the next baseline. */
static double
columns (const LsTiles *t, const LsTilesCpuNow *now, double y)
{
  const gint64 high = t->cpu->along ? now->call.k : t->b.cols, wide = now->call.rows * t->cpu->made_cols;
  const guint n = (guint) MIN (now->call.rows, 64);
  const double done = now->stage == LS_TILES_GATHER ? now->part : 1;
  g_autofree char *bytes = g_format_size_full ((guint64) (4 * high * wide), G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *words = g_strdup_printf (_("%lld×%lld, %s: pixels of one strip, side by side"),
                                            (long long) high, (long long) wide, bytes);
  const guint at = now->stage == LS_TILES_GATHER ? (guint) (now->part * n) : n;

  return packed (t, y, _("columns"), words, n, done, at, at + 1);
}

/* Of what is copied before the multiplication begins, so much is made: first a picture, then pixels. */
static double
made (const LsTiles *t, const LsTilesCpuNow *now, double y, const char *name, const char *words, gint64 parts,
      double before, double share)
{
  const guint n = (guint) MIN (parts, 64);
  const double done = now->stage == LS_TILES_GATHER ? CLAMP ((now->part - before) / share, 0, 1) : 1;
  const guint at = done > 0 ? (guint) (done * n) : n;

  return packed (t, y, name, words, n, done, at, at + 1);
}

/* A convolution's picture, plane after plane, and of the gradient towards the weights dY's pixels. */
static double
picture (const LsTiles *t, const LsTilesCpuNow *now, double y)
{
  const LsTilesCpu *cpu = t->cpu;
  const gint64 floats = ls_tiles_cpu_picture (t, now->call.rows);
  const double share = (double) floats / (double) ls_tiles_cpu_copied (t, &now->call);
  g_autofree char *bytes = g_format_size_full ((guint64) (4 * floats), G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *words = g_strdup_printf (
    ngettext ("%lld×%lld×%lld, %s: %d of each channel", "%lld×%lld×%lld, %s: %d of each channel, shifted",
              (gulong) cpu->copies),
    (long long) cpu->planes, (long long) (now->call.rows + t->conv.window - 1), (long long) cpu->picture_cols,
    bytes, (int) cpu->copies);

  y = made (t, now, y, _("picture"), words, cpu->planes, 0, share);
  if (cpu->use == LS_GEMM_PIXELS)
    {
      g_autofree char *some = g_format_size_full ((guint64) (4 * now->call.k * cpu->rows),
                                                  G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *outputs = g_strdup_printf (_("%lld×%lld, %s: each with its outputs side by side"),
                                                  (long long) now->call.k, (long long) cpu->rows, some);
      y = made (t, now, y, _("pixels"), outputs, now->call.rows, share, 1 - share);
    }
  return y;
}

/* What is copied before it is multiplied, in memory. */
static void
packed_factors (const LsTiles *t, const LsTilesCpuNow *now, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesCpu *cpu = t->cpu;
  const LsBlasModel *model = &now->model;
  const guint each = MAX (1, model->rows / model->sliver_rows);
  const guint slivers_a = (guint) ((cpu->rows + model->sliver_rows - 1) / model->sliver_rows);
  const gboolean works = now->stage == LS_TILES_MULTIPLY, loops = model->by >= LS_GEMM_LOOPS;
  const double done_b = now->stage > LS_TILES_PACK_B ? 1 : now->stage == LS_TILES_PACK_B ? now->part : 0;
  const double done_a = now->stage > LS_TILES_PACK_A ? 1 : now->stage == LS_TILES_PACK_A ? now->part : 0;
  g_autofree char *a = g_strdup_printf (ngettext ("%u sliver of %u rows, column after column",
                                                  "%u slivers of %u rows, column after column", slivers_a),
                                        slivers_a, model->sliver_rows);
  g_autofree char *b = g_strdup_printf (
    loops ? ngettext ("%u panel of %u columns, row after row",
                      "one of %u panels of %u columns at a time, row after row", now->slivers)
          : ngettext ("%u sliver of %u columns, row after row", "%u slivers of %u columns, row after row",
                      now->slivers),
    now->slivers, model->cols);

  ls_text_heading (t->layout->moving, m, cpu->left, y + m->heading.px, _("Packed, as it lies in memory"),
                   NULL);
  y += m->heading.px * 1.5;
  if (cpu->use == LS_GEMM_COLUMNS)
    y = columns (t, now, y);
  else if (cpu->planes > 0)
    y = picture (t, now, y);
  if (loops && model->packs_b)
    y = packed (t, y, "Bp", b, now->slivers, 1, now->sliver, now->sliver + 1);
  else if (model->packs_b)
    {
      if (cpu->use == LS_GEMM_PLAIN)
        y = packed (t, y, "Ap", a, slivers_a, done_a, works ? now->group * each : 0,
                    works ? (now->group + 1) * each : 0);
      y = packed (t, y, "Bp", b, now->slivers, done_b, works ? now->sliver : 0, works ? now->sliver + 1 : 0);
    }
  if (!model->packs_a && y + m->label.px * 1.4 <= cpu->left.y + cpu->left.h)
    ls_text_wrapped (
      t->layout->moving, cpu->left.x, y, cpu->left.w, m->label, LS_INK_QUIET,
      cpu->use == LS_GEMM_PICTURE ? _(
        "The loops read pixels as they lie in the picture, and weights in the order in which they need them.")
      : cpu->use == LS_GEMM_BY_OUTPUTS ? _(
          "A pixel of the picture is loaded once for three places side by side and multiplied by the weights "
          "of all a vector’s outputs; these are turned into planes in the end.")
      : cpu->use == LS_GEMM_PIXELS
        ? _("A place’s pixel of the picture is multiplied by all outputs of dY’s pixel; rows of zeros are "
             "left out, though counted here.")
      : !loops         ? _("OpenBLAS reads factors this small where they lie; nothing is packed.")
      : model->packs_b ? _("A is read where it lies.")
                       : _("The loops read A and B where they lie; nothing is packed."),
      TRUE);
}

/* Under the panel's number: which micro-tile, and how far. */
static void
where (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const guint tile = now->sliver * now->groups + now->group;
  g_autofree char *text = g_strdup_printf (
    _("micro-tile %u of %u"), MIN (tile + 1, now->slivers * now->groups), now->slivers * now->groups);
  g_autofree char *step = g_strdup_printf (_("p = %u of %lld"), now->step, (long long) now->call.k);
  const double y = t->number_y + m->label.px * 1.5,
               w = t->number_x > t->corner.x ? t->number_w : t->at_b.x - t->corner.x - 2 * m->unit;

  const double foot = t->number_x > t->corner.x ? t->corner.y + t->corner.h : t->at_a.y - m->label.px * 2;

  if (now->stage != LS_TILES_MULTIPLY || t->at_b.y > t->number_y || y + m->label.px * 1.8 > foot
      || w < 20 * m->unit)
    return;
  ls_text_fit (t->layout->moving, t->number_x, y, w, m->label, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ text, NULL });
  ls_text_fit (t->layout->moving, t->number_x, y + m->label.px * 1.4, w, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ step, NULL });
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
