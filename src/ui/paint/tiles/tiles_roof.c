/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small roofline in Tiles: FLOP per global byte along, GFLOP/s up, both logarithmic. Rings stand where the
 * op ran in the recorded step; a dashed line stands at the walk's intensity so far, and its ring on the roof:
 * no kernel of that intensity can be faster. The roofs are the device's own, measured by kernels that do
 * nothing else; until then they are left out. A bar on the axis stands where they meet: with fewer FLOP for
 * each byte the device waits for its memory. On the CPU's side a byte counts when it comes from beyond the
 * second cache.
 *
 * Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", CACM 2009.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

typedef struct {
  LsAxis x, y;
  double left, right, top, bottom;
  double rates[LS_SIDES];     /* GFLOP/s of the op in the recorded step; 0: not known */
  double peak, memory, local; /* GFLOP/s, GB/s; 0: not measured */
} Roof;

static double
recorded_rate (const LsTiles *t, guint side)
{
  const LsStepIndex *index = t->layout->data->sides[side].index;
  const LsOpTrace *trace;

  if (index == NULL || t->op >= index->n_ops)
    return 0;
  trace = &index->ops[ls_step_index_leader (index, t->op)];
  if (!trace->ran || trace->end_ns <= trace->start_ns)
    return 0;
  return (double) t->recorded->flops / (double) (trace->end_ns - trace->start_ns);
}

static gboolean
has_device (const LsTiles *t)
{
  return t->layout->data->sides[t->lane].there && (t->cpu != NULL || ls_tiles_has_opencl (t->layout->data));
}

static double
limit (const LsTiles *t, LsRoof roof)
{
  const LsViewLane *lane = &t->layout->data->sides[t->lane];
  const LsFigure *figure = has_device (t) && lane->recorded != NULL ? &lane->recorded->device->roofs[roof]
                                                                    : NULL;

  return figure != NULL && figure->n > 0 ? figure->value / 1e9 : 0;
}

/* GFLOP/s under the roof at that intensity; 0: there is none. */
static double
roof_at (const Roof *roof, double intensity)
{
  return MIN (roof->peak, roof->memory * intensity);
}

/* Of the whole op, as the lane did it. */
static double
final_intensity (const LsTiles *t)
{
  if (t->cpu != NULL)
    {
      LsTilesCpuNow end;
      ls_tiles_cpu_now (t, LS_TIME_END, &end);
      const LsBlasTraffic moved = ls_tiles_cpu_count (t, &end);
      return moved.l2 > 0 ? (double) moved.flops / (double) moved.l2 : 0;
    }
  const LsGemm gemm = { t->gemm.m, t->gemm.n, t->recorded->attr.k };
  LsLedger total = ls_ledger_total (&t->ran_cut, &gemm);

  total.flops = 2 * gemm.m * gemm.n * gemm.k;
  return ls_ledger_intensity (&total);
}

static void
place (const LsTiles *t, Roof *roof)
{
  const LsMetrics *m = &t->layout->m;
  double most = 10, least = 1;

  roof->peak = limit (t, LS_ROOF_FLOPS);
  roof->memory = limit (t, LS_ROOF_MEMORY);
  roof->local = limit (t, LS_ROOF_LOCAL);
  most = MAX (most, roof->peak * 1.2);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      roof->rates[side] = recorded_rate (t, side);
      most = MAX (most, roof->rates[side] * 2);
      least = roof->rates[side] > 0 ? MIN (least, roof->rates[side] / 2) : least;
    }
  roof->left = t->roof.x + ls_scene_width (t->layout->still, m->tick, "10 000") + 2 * m->unit;
  roof->right = t->roof.x + t->roof.w - 2 * m->unit;
  roof->top = t->roof.y + m->heading.px * 1.6 + m->label.px * 1.9;
  roof->bottom = t->roof.y + t->roof.h - m->tick.px * 1.7;
  ls_axis_init (&roof->x, .125, 64, roof->left, roof->right, TRUE, 8);
  ls_axis_init (&roof->y, pow (10, floor (log10 (least))), pow (10, ceil (log10 (most))), roof->bottom,
                roof->top, TRUE, 4);
}

/* The device's limits in words, or that they aren't known. */
static void
limit_words (const LsTiles *t, const Roof *roof)
{
  const LsMetrics *m = &t->layout->m;
  const double y = t->roof.y + m->heading.px * 1.25 + m->label.px * 1.3,
               w = t->roof.x + t->roof.w - roof->left;
  g_autofree char *peak = ls_number_text (roof->peak, 3), *memory = ls_number_text (roof->memory, 3),
                  *local = ls_number_text (roof->local, 3);
  g_autofree char *all = g_strdup_printf (t->cpu != NULL
                                            ? _("%s GFLOP/s, memory %s GB/s, L1 %s GB/s")
                                            : _("%s GFLOP/s, memory %s GB/s, local memory %s GB/s"),
                                          peak, memory, local);
  g_autofree char *brief = g_strdup_printf (_("%s GFLOP/s, memory %s GB/s"), peak, memory);
  const char *const words[] = { all, brief };

  for (guint i = roof->local > 0 ? 0 : 1; i < G_N_ELEMENTS (words) && roof->peak > 0 && roof->memory > 0; i++)
    if (ls_text_marked (t->layout->still, m, roof->left, y, w, LS_EVIDENCE_MEASURED, LS_INK_TEXT, words[i])
        > roof->left)
      return;
  if (roof->peak > 0 && roof->memory > 0)
    return;
  ls_text_fit (
    t->layout->still, roof->left, y, w, m->label, LS_INK_QUIET, LS_LEFT,
    !has_device (t) ? (const char *const[]){ _("there is no such device here to measure"),
                                             _("no such device here"), NULL }
    : t->layout->data->live
      ? (const char *const[]){ _("this device’s roofs are not measured yet"), _("roofs not measured yet"),
                               NULL }
      : (const char *const[]){ _("this device’s roofs were not measured"), _("roofs not measured"), NULL });
}

static void
draw_roof (const LsTiles *t, const Roof *roof)
{
  const double ridge = roof->memory > 0 ? roof->peak / roof->memory : 0, width = t->layout->style.data;
  const double low = pow (10, floor (log10 (roof->y.ticks[0]))) / roof->memory;
  const double from = CLAMP (MAX (.125, low), .125, 64), to = CLAMP (ridge, from, 64);
  const double y0 = CLAMP (ls_axis_at (&roof->y, MAX (roof_at (roof, from), 1e-9)), roof->top, roof->bottom),
               y1 = ls_axis_at (&roof->y, roof_at (roof, to));

  if (!(roof->peak > 0 && roof->memory > 0))
    return;
  ls_scene_segment (t->layout->still, ls_axis_at (&roof->x, from), y0, ls_axis_at (&roof->x, to), y1,
                    LS_INK_TEXT, width);
  if (to < 64)
    ls_scene_segment (t->layout->still, ls_axis_at (&roof->x, to), y1, roof->right, y1, LS_INK_TEXT, width);
}

void
ls_tiles_roof (const LsTiles *t)
{
  static const struct {
    double at;
    const char *text;
  } ticks[] = { { .25, "¼" }, { 1, "1" }, { 4, "4" }, { 16, "16" }, { 64, "64" } };
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  double last = G_MAXDOUBLE;
  Roof roof;

  place (t, &roof);
  if (roof.bottom - roof.top < 3 * m->label.px)
    return;
  ls_text_heading (s, m, t->roof, t->roof.y + m->heading.px, _("Roofline of this op"),
                   t->cpu != NULL ? _("GFLOP/s by FLOP per byte from beyond L2")
                                  : _("GFLOP/s by FLOP per global byte"));
  limit_words (t, &roof);
  ls_scene_segment (s, roof.left, roof.bottom, roof.right, roof.bottom, LS_INK_QUIET,
                    t->layout->style.hairline);
  for (guint i = 0; i < roof.y.n_ticks; i++)
    {
      const double y = ls_axis_at (&roof.y, roof.y.ticks[i]);
      g_autofree char *text = ls_number_tick (roof.y.ticks[i]);
      ls_scene_segment (s, roof.left, y, roof.right, y, LS_INK_HAIRLINE, t->layout->style.hairline);
      if (last - y < m->tick.px * 1.3)
        continue;
      last = y;
      ls_scene_text (s, roof.left - 1.5 * m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT,
                     text);
    }
  draw_roof (t, &roof);
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    ls_scene_text (s, ls_axis_at (&roof.x, ticks[i].at), roof.bottom + m->tick.px * 1.25, m->tick,
                   LS_INK_QUIET, LS_CENTER, ticks[i].text);
}

/* A text of that width and height would lie across the roof, or beyond the picture. */
static gboolean
is_crossed (const Roof *roof, double x, double base, double w, double px)
{
  if (x < roof->left || x + w > roof->right || base - px < roof->top - px || base > roof->bottom)
    return TRUE;
  for (guint i = 0; i <= 8 && roof->peak > 0 && roof->memory > 0; i++)
    {
      const double at
        = x + w * i / 8,
        y = ls_axis_at (
          &roof->y,
          MAX (roof_at (roof, .125 * pow (64 / .125, (at - roof->left) / (roof->right - roof->left))), 1e-9));
      if (y > base - px && y < base + px * .3)
        return TRUE;
    }
  return FALSE;
}

/* A name beside a point, where neither the roof nor the walk's line lies across it; G_MAXDOUBLE: nowhere.
 * Returns its left end. */
static double
find_place (const Roof *roof, double x, double y, double w, double px, double line_x, double *base)
{
  const double gap = 11, lifts[] = { 0, px * 1.25, -px * 1.25, px * 2 },
               sides[] = { x + gap, x - gap - w, x - w / 2, MIN (x, line_x) - gap - w };

  /* beyond the line only where there is no place at the point itself */
  for (guint far = 0; far < 2; far++)
    for (guint i = 0; i < G_N_ELEMENTS (lifts); i++)
      for (guint side = far == 0 ? 0 : 3; side < (far == 0 ? (i == 0 ? 2 : 3) : 4); side++)
        {
          *base = y + px * .36 + lifts[i];
          if (!is_crossed (roof, sides[side], *base, w, px)
              && !(line_x > sides[side] - 9 && line_x < sides[side] + w + 9))
            return sides[side];
        }
  return G_MAXDOUBLE;
}

/* The lane's recorded rate at the intensity of what it ran. */
static void
ran_ring (const LsTiles *t, const Roof *roof, double line_x)
{
  const LsMetrics *m = &t->layout->m;
  const double recorded = roof->rates[t->lane],
               intensity = t->cpu != NULL || t->ran >= 0 ? final_intensity (t) : 0;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = t->layout->moving;
  g_autofree char *rate = ls_number_text (recorded, 3);
  g_autofree char *text = NULL;
  double x, y, left, base;

  if (intensity <= 0 || recorded <= 0)
    return;
  text = g_strdup_printf ("%s %s", t->cpu != NULL ? _("recorded") : ls_rung_cut ((LsRung) t->ran, 8).name,
                          rate);
  x = ls_axis_at (&roof->x, CLAMP (intensity, .125, 64));
  y = ls_axis_at (&roof->y, recorded);
  ls_scene_path (s, LS_ITEM_RINGS, LS_INK_MARK, t->lane, 13)->evidence = LS_EVIDENCE_DERIVED;
  ls_scene_point (s, x, y);
  left = find_place (roof, x, y, ls_scene_width (s, bold, text), m->label.px, line_x, &base);
  if (left < G_MAXDOUBLE)
    ls_scene_text (s, left, base, bold, LS_INK_LANE, LS_LEFT, text)->value = (float) t->lane;
}

/* A bar on the axis where the two roofs meet. */
static void
needed (const LsTiles *t, const Roof *roof, double line_x)
{
  const LsMetrics *m = &t->layout->m;
  const double ridge = roof->memory > 0 ? roof->peak / roof->memory : 0, high = 3 * m->unit,
               gap = 2 * m->unit;
  const double x = ls_axis_at (&roof->x, CLAMP (ridge, .125, 64)), base = roof->bottom - 1.5 * m->unit;
  g_autofree char *number = ls_number_text (ridge, 2), *text = g_strdup_printf (_("needed %s"), number);
  const double w = ls_scene_width (t->layout->moving, m->tick, text);
  const gboolean after = x + gap + w < roof->right && !(line_x > x && line_x < x + gap + w);

  if (ridge < .125 || ridge > 64)
    return;
  ls_scene_box (t->layout->moving, x - 2, roof->bottom - high, 4, high, LS_INK_TEXT, 0);
  if (roof->bottom - high - roof->top > 3 * m->tick.px && (after || !(line_x < x && line_x > x - gap - w)))
    ls_scene_text (t->layout->moving, after ? x + gap : x - gap, base, m->tick, LS_INK_TEXT,
                   after ? LS_LEFT : LS_RIGHT, text);
}

/* What a kernel of the walk's intensity can do at most, at the foot of its line. */
static void
most_words (const LsTiles *t, const Roof *roof, double x, double most)
{
  const LsMetrics *m = &t->layout->m;
  g_autofree char *number = ls_number_text (most, 3),
                  *text = g_strdup_printf (_("so far: at most %s"), number);
  const gboolean after = x < (roof->left + roof->right) / 2;
  const double y = roof->bottom - m->label.px * .6 - 4 * m->unit, gap = 2 * m->unit;

  if (roof->rates[t->lane] > 0 && fabs (ls_axis_at (&roof->y, roof->rates[t->lane]) - y) < 2 * m->label.px)
    return;
  ls_text_fit (t->layout->moving, after ? x + gap : x - gap, y,
               after ? roof->right - x - gap : x - gap - roof->left, m->label, LS_INK_TEXT,
               after ? LS_LEFT : LS_RIGHT, (const char *const[]){ text, NULL });
}

void
ls_tiles_roof_move (const LsTiles *t, double intensity)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  Roof roof;
  double x, most;

  place (t, &roof);
  if (roof.bottom - roof.top < 3 * m->label.px)
    return;
  x = ls_axis_at (&roof.x, CLAMP (intensity, .125, 64));
  ran_ring (t, &roof, x);
  needed (t, &roof, x);
  if (intensity < .125)
    return;
  ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_TEXT, 0, t->layout->style.hairline * 1.4);
  ls_scene_point (s, x, roof.top);
  ls_scene_point (s, x, roof.bottom);
  ls_scene_path (s, LS_ITEM_RINGS, LS_INK_TEXT, 0, 13)->evidence = LS_EVIDENCE_DERIVED;
  most = roof_at (&roof, intensity);
  ls_scene_point (s, x, most > 0 ? CLAMP (ls_axis_at (&roof.y, most), roof.top, roof.bottom) : roof.bottom);
  if (most > 0)
    most_words (t, &roof, x, most);
}
