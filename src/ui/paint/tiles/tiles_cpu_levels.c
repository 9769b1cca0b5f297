/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the bytes lie: the micro-tile in registers with the sums so far, and each cache as a box of its whole
 * size, hatched as far as the model fills it.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

/* The sum of the call's products up to `end`, in double: close to what the registers hold. */
static double
sum_of (const LsTiles *t, gint64 row, gint64 col, gint64 first, gint64 end)
{
  double sum = 0;

  for (gint64 k = first; k < end; k++)
    sum += ls_tiles_value (&t->a, row, k) * ls_tiles_value (&t->b, k, col);
  return sum;
}

static void
value_cell (const LsTiles *t, double x, double y, double cell, double value, double top)
{
  const double gap = cell >= 6 ? 1 : 0;
  LsScene *s = t->layout->moving;

  if (isnan (value) || top <= 0)
    ls_scene_box (s, x, y, cell - gap, cell - gap, LS_INK_SOFT, t->lane);
  else
    ls_scene_box (s, x, y, cell - gap, cell - gap, LS_INK_SIGN, CLAMP (value / top, -1, 1))->evidence
      = LS_EVIDENCE_DERIVED;
}

static double
round_up (double value)
{
  const double power = value > 0 ? pow (10, floor (log10 (value))) : 1;

  return value <= 0 ? 1 : power * (value <= power ? 1 : value <= 2 * power ? 2 : value <= 5 * power ? 5 : 10);
}

typedef struct {
  gint64 row, col, k, first, end; /* of the micro-tile in C; the product in work; products added up */
  guint rows, cols;
  double x, y, cell;
  guint pick_row, pick_col; /* the picked element: a call at an edge may have smaller micro-tiles */
} Micro;

static Micro
find_micro (const LsTiles *t, const LsTilesCpuNow *now, LsArea area)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsMetrics *m = &t->layout->m;
  const LsTilesCall *call = &now->call;
  Micro micro = { cpu->row + (gint64) now->group * now->model.rows,
                  ls_tiles_cpu_first_col (t, now),
                  call->k0 + MIN ((gint64) now->step, call->k - 1),
                  call->k0,
                  call->k0 + now->step,
                  now->model.rows,
                  now->model.cols,
                  0,
                  0,
                  0,
                  MIN (t->item_row, now->model.rows - 1),
                  MIN (t->item_col, now->model.cols - 1) };
  const double axis = m->tick.px * 2.2, room_w = area.w - axis - 4 * m->unit, room_h = area.h;

  micro.cell = floor (MIN (room_w / (micro.cols + 2), room_h / (micro.rows + 1.7)));
  micro.x = area.x + axis + 2 * micro.cell;
  micro.y = area.y + 1.6 * micro.cell;
  return micro;
}

/* Returns the value that the strongest colour of C stands for. */
static double
micro_tile (const LsTiles *t, const Micro *micro)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = t->layout->moving;
  g_autofree double *sums = g_new (double, micro->rows * micro->cols);
  double most = 0;

  for (guint r = 0; r < micro->rows; r++)
    for (guint c = 0; c < micro->cols; c++)
      {
        const double sum = micro->row + r < t->gemm.m
                               && micro->col + c < MIN (t->gemm.n, t->cpu->col + t->cpu->cols)
                             ? sum_of (t, micro->row + r, micro->col + c, micro->first, micro->end)
                             : 0;
        sums[r * micro->cols + c] = sum;
        most = isfinite (sum) ? MAX (most, fabs (sum)) : most;
      }
  most = round_up (most);
  for (guint r = 0; r < micro->rows; r++)
    {
      value_cell (t, micro->x - 1.6 * micro->cell, micro->y + micro->cell * r, micro->cell,
                  ls_tiles_value (&t->a, micro->row + r, micro->k), t->a.top);
      for (guint c = 0; c < micro->cols; c++)
        value_cell (t, micro->x + micro->cell * c, micro->y + micro->cell * r, micro->cell,
                    sums[r * micro->cols + c], most);
    }
  for (guint c = 0; c < micro->cols; c++)
    value_cell (t, micro->x + micro->cell * c, micro->y - 1.6 * micro->cell, micro->cell,
                ls_tiles_value (&t->b, micro->k, micro->col + c), t->b.top);
  ls_scene_text (s, micro->x - 1.6 * micro->cell - 6,
                 micro->y + micro->cell * micro->rows / 2 + bold.px * .36, bold, LS_INK_TEXT, LS_RIGHT, "a");
  ls_scene_text (s, micro->x - 2 * m->unit, micro->y - 1.1 * micro->cell + bold.px * .36, bold, LS_INK_TEXT,
                 LS_RIGHT, "b");
  return most;
}

/* Beside the micro-tile: the picked element's three numbers with the scales of their colours, and where they
 * come from. */
static void
legend (const LsTiles *t, const Micro *micro, LsArea area, double most)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const gint64 row = micro->row + micro->pick_row, col = micro->col + micro->pick_col;
  const double values[] = { sum_of (t, row, col, micro->first, micro->end),
                            ls_tiles_value (&t->a, row, micro->k), ls_tiles_value (&t->b, micro->k, col) };
  const double tops[] = { most, t->a.top, t->b.top }, pitch = m->label.px * 1.9;
  g_autofree char *c = g_strdup_printf ("c[%u][%u]", micro->pick_row, micro->pick_col),
                  *a = g_strdup_printf ("a[%u]", micro->pick_row),
                  *b = g_strdup_printf ("b[%u]", micro->pick_col);
  const char *const names[] = { c, a, b };
  g_autofree char *source = ls_tiles_source_words (t, FALSE);
  LsScene *s = t->layout->moving;
  const double name_w = ls_scene_width (s, bold, "c[00][00]") + 2 * m->unit;
  double y = area.y + m->label.px * 1.5, value_w = ls_scene_width (s, m->label, "−0.00000");
  char *numbers[3];

  for (guint i = 0; i < 3; i++)
    {
      numbers[i] = isnan (values[i]) ? g_strdup (_("not recorded")) : ls_number_text (values[i], 3);
      value_w = MAX (value_w, ls_scene_width (s, m->label, numbers[i]));
    }
  value_w += 4 * m->unit;
  for (guint i = 0; i < 3 && area.w >= name_w + value_w && area.h >= 3 * pitch; i++, y += pitch)
    {
      ls_scene_text (s, area.x, y, bold, LS_INK_TEXT, LS_LEFT, names[i]);
      ls_text_fit (s, area.x + name_w, y, area.w - name_w, m->label, LS_INK_TEXT, LS_LEFT,
                   (const char *const[]){ numbers[i], NULL });
      if (!isnan (values[i]))
        ls_tiles_ramp (t, tops[i], area.x + name_w + value_w, y,
                       MIN (area.w - name_w - value_w, 60 * m->unit));
    }
  for (guint i = 0; i < 3; i++)
    g_free (numbers[i]);
  if (!m->projector && area.w >= name_w + value_w && area.h > 3 * pitch + m->label.px * 4.5
      && area.w > 40 * m->unit)
    {
      const double in = m->evidence + 7;
      ls_scene_evidence (s, area.x, y + m->label.px * (.35 - .36) - m->evidence / 2, m->evidence,
                         t->side < 0 ? LS_EVIDENCE_MODELLED : LS_EVIDENCE_MEASURED, LS_INK_TEXT);
      ls_text_wrapped (s, area.x + in, y - m->label.px, area.w - in, m->label, LS_INK_QUIET, source, TRUE);
    }
}

/* Beside the micro-tile or under it, wherever there is more room: the numbers, and of a convolution the image
 * that B's element was copied from. */
static void
explain (const LsTiles *t, const Micro *micro, LsArea box, double most)
{
  const LsMetrics *m = &t->layout->m;
  const double beside = micro->x + micro->cell * micro->cols + 8 * m->unit,
               under = micro->y + micro->cell * micro->rows + 5 * m->unit;
  const double right = box.x + box.w - 3 * m->unit, foot = box.y + box.h - 2 * m->unit,
               high = m->label.px * 9;
  const gboolean aside = right - beside > 50 * m->unit;
  const gboolean image = t->kind != LS_TILES_PLAIN;

  if (aside)
    legend (t, micro, (LsArea){ beside, box.y, right - beside, box.h }, most);
  else if (foot - under > m->label.px * 6)
    legend (t, micro, (LsArea){ micro->x, under, (right - micro->x) * (image ? .45 : 1), foot - under },
            most);
  if (!image || m->size == LS_SIZE_SMALL)
    return;
  const double half = micro->x + (right - micro->x) * .5;
  const LsArea place = aside ? (LsArea){ beside, box.y + high, right - beside, foot - box.y - high }
                             : (LsArea){ half, under, right - half, foot - under };
  const gint64 column = micro->col + micro->pick_col;
  if (place.h > m->heading.px * 1.6 + m->label.px * 5)
    ls_tiles_patch (t, (LsArea){ place.x, place.y, place.w, MIN (place.h, 60 * m->unit) }, micro->k,
                    MIN (column, t->b.cols - 1),
                    t->cpu->use == LS_GEMM_COLUMNS ? _("copied into the columns")
                                                   : _("read from the picture"));
}

/* "c[5][20] = 0.184 + a[5]·b[20] = 0.184 + 0.429 × −0.310 = 0.051"; once all is added up, "c[5][20] = 0.051"
 */
static char *
sum_words (const LsTiles *t, const Micro *micro)
{
  const gint64 row = micro->row + micro->pick_row, col = micro->col + micro->pick_col;
  const double a = ls_tiles_value (&t->a, row, micro->k), b = ls_tiles_value (&t->b, micro->k, col),
               sum = sum_of (t, row, col, micro->first, micro->end);
  g_autofree char *sum_text = ls_number_text (sum, 3), *a_text = ls_number_text (a, 3),
                  *b_text = ls_number_text (b, 3);
  g_autofree char *next = ls_number_text (sum + a * b, 3);

  if (micro->k < micro->end && !isnan (sum))
    return g_strdup_printf ("c[%u][%u] = %s", micro->pick_row, micro->pick_col, sum_text);
  if (isnan (sum + a * b))
    return g_strdup_printf ("c[%u][%u] += a[%u] · b[%u]", micro->pick_row, micro->pick_col, micro->pick_row,
                            micro->pick_col);
  return g_strdup_printf ("c[%u][%u] = %s + a[%u] · b[%u] = %s + %s%s%s × %s%s%s = %s", micro->pick_row,
                          micro->pick_col, sum_text, micro->pick_row, micro->pick_col, sum_text,
                          a < 0 ? "(" : "", a_text, a < 0 ? ")" : "", b < 0 ? "(" : "", b_text,
                          b < 0 ? ")" : "", next);
}

void
ls_tiles_cpu_registers (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesCpu *cpu = t->cpu;
  LsScene *s = t->layout->moving;
  const double head = m->size == LS_SIZE_SMALL ? 0 : m->heading.px * 1.5, foot = m->label.px * 2.2;
  const LsArea area = cpu->registers, box = { area.x, area.y + head, area.w, area.h - head - foot };
  const LsBlasModel *model = &now->model;
  g_autofree char *who = cpu->worker >= 0 ? g_strdup_printf (_("worker %d, now"), cpu->worker)
                                          : g_strdup (_("one worker, now"));
  g_autofree char *words = g_strdup_printf (_("%u × %u bytes; the %u×%u micro-tile takes %u of them"),
                                            model->registers, model->register_bytes, model->rows, model->cols,
                                            model->used);
  g_autofree char *brief = g_strdup_printf (_("%u×%u micro-tile"), model->rows, model->cols);
  g_autofree char *sum = NULL;
  const double base = box.y + m->label.px * 1.35, inner = m->label.px * 1.9;
  Micro micro;
  double x, y;

  if (head > 0)
    ls_text_heading (s, m, area, area.y + m->heading.px, _("Where the bytes lie"), who);
  ls_scene_box (s, box.x, box.y, box.w, box.h, LS_INK_TRACK, 0);
  ls_scene_box (s, box.x, box.y, m->unit, box.h, LS_INK_MARK, t->lane);
  x = ls_item_right (ls_scene_text (s, box.x + 3 * m->unit, base, (LsType){ m->label.px, 700 }, LS_INK_TEXT,
                                    LS_LEFT, _("Registers")))
      + 3 * m->unit;
  if (ls_text_marked (s, m, x, base, box.x + box.w - x - 2 * m->unit, LS_EVIDENCE_MODELLED, LS_INK_QUIET,
                      words)
      <= x)
    ls_text_marked (s, m, x, base, box.x + box.w - x - 2 * m->unit, LS_EVIDENCE_MODELLED, LS_INK_QUIET,
                    brief);
  micro = find_micro (
    t, now, (LsArea){ box.x + 2 * m->unit, box.y + inner, box.w - 4 * m->unit, box.h - inner - m->unit });
  y = box.y + box.h + m->label.px * 1.4;
  if (micro.cell < 3)
    return;
  if (now->stage < LS_TILES_MULTIPLY)
    {
      const char *const packing[]
        = { now->stage == LS_TILES_GATHER && cpu->use != LS_GEMM_COLUMNS
              ? _("An image is copied into a picture with zeros round it; the registers are free.")
            : now->stage == LS_TILES_GATHER ? _("Pixels are copied into columns; the registers are free.")
                                            : _("The factors are being packed; the registers are free."),
            _("packing"), NULL };
      ls_text_fit (s, box.x + 3 * m->unit, box.y + box.h / 2, box.w - 6 * m->unit, m->body, LS_INK_TEXT,
                   LS_LEFT, packing);
      return;
    }
  explain (t, &micro, (LsArea){ box.x, box.y + inner, box.w, box.h - inner }, micro_tile (t, &micro));
  ls_scene_mark (s, LS_ITEM_FRAME, micro.x + micro.cell * micro.pick_col,
                 micro.y + micro.cell * micro.pick_row, micro.cell - 1, micro.cell - 1, LS_INK_TEXT, 0);
  ls_scene_mark (s, LS_ITEM_FRAME, micro.x - 1.6 * micro.cell, micro.y + micro.cell * micro.pick_row,
                 micro.cell - 1, micro.cell - 1, LS_INK_TEXT, 0);
  ls_scene_mark (s, LS_ITEM_FRAME, micro.x + micro.cell * micro.pick_col, micro.y - 1.6 * micro.cell,
                 micro.cell - 1, micro.cell - 1, LS_INK_TEXT, 0);
  sum = sum_words (t, &micro);
  ls_text_marked (s, m, box.x, y, box.w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, sum);
}

/* ---- caches ---- */

static void
cache_row (const LsTiles *t, double y, const char *name, gint64 size, const gint64 *parts, guint n,
           const char *words)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->caches;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = t->layout->moving;
  const double base = y + m->label.px, h = m->label.px * 1.05, top = y + m->label.px * 1.5;
  g_autofree char *capacity = size > 0 ? g_format_size_full ((guint64) size, G_FORMAT_SIZE_IEC_UNITS)
                                       : g_strdup (_("size not told"));
  gint64 sum = 0;
  double x = ls_item_right (ls_scene_text (s, area.x, base, bold, LS_INK_TEXT, LS_LEFT, name)) + 3 * m->unit,
         from = area.x, right = area.x + area.w;

  x = ls_text_marked (s, m, x, base, right - x, LS_EVIDENCE_PUBLISHED, LS_INK_QUIET, capacity) + 5 * m->unit;
  ls_scene_box (s, area.x, top, area.w, h, LS_INK_TRACK, 0);
  for (guint i = 0; i < n; i++)
    sum += parts[i];
  if (size > 0)
    {
      const double share = 100.0 * (double) sum / (double) size;
      g_autofree char *number = ls_number_text (share, share < 10 ? 1 : 2),
                      *percent = g_strdup_printf (_("%s %%"), share > 100 ? ">100" : number);
      right = (double) ls_scene_text (s, right, base, bold, LS_INK_TEXT, LS_RIGHT, percent)->x - 3 * m->unit;
    }
  ls_text_marked (s, m, x, base, right - x, LS_EVIDENCE_MODELLED, LS_INK_TEXT, words);
  for (guint i = 0; size > 0 && i < n; i++)
    {
      const double w = MIN (area.w * (double) parts[i] / (double) size, area.x + area.w - from);
      if (w >= 2)
        ls_scene_mark (s, LS_ITEM_HATCH, from, top, w - 1, h, LS_INK_MARK, t->lane);
      from += w;
    }
}

void
ls_tiles_cpu_caches (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsTilesCpu *cpu = t->cpu;
  const gboolean tall = cpu->caches.h > m->label.px * 11;
  const double pitch = m->label.px * (tall ? 3.5 : 3.1);
  const LsBlasModel *model = &now->model;
  const gboolean works = now->stage >= LS_TILES_MULTIPLY, packs = model->by == LS_GEMM_BLAS;
  const gint64 k = now->call.k, done_b = !packs || now->stage > LS_TILES_PACK_B ? now->call.cols
                                         : now->stage == LS_TILES_PACK_B
                                           ? (gint64) (now->part * (double) now->call.cols)
                                           : 0;
  const gint64 done_a = !packs || now->stage > LS_TILES_PACK_A ? cpu->rows
                        : now->stage == LS_TILES_PACK_A        ? (gint64) (now->part * (double) cpu->rows)
                                                               : 0;
  const gint64 picture = 4 * ls_tiles_cpu_picture (t, now->call.rows);
  /* of a picture the rows under a micro-tile's windows; of pixels the channels that its places are of */
  const gint64 channel = t->conv.window * t->conv.window;
  const gint64 panel = cpu->use == LS_GEMM_PICTURE || cpu->use == LS_GEMM_BY_OUTPUTS
                         ? 4 * ls_tiles_cpu_picture (t, (model->cols + cpu->made_cols - 1) / cpu->made_cols)
                       : cpu->use == LS_GEMM_PIXELS
                         ? picture * MIN ((model->cols + channel - 1) / channel * t->conv.window, cpu->planes)
                             / cpu->planes
                         : 4 * k * MIN ((gint64) model->cols, now->call.cols);
  const gint64 first[2] = { works ? panel : 0, works ? 4 * k * MIN ((gint64) model->rows, cpu->rows) : 0 };
  const gint64 second[2] = { cpu->planes > 0 ? picture : 4 * k * done_b, 4 * k * done_a };
  const LsRecordedShape *shapes = t->layout->data->recording->shapes;
  const LsRecordedShape *third_of[3] = { &shapes[t->recorded->in[0]], &shapes[t->recorded->in[1]],
                                         &shapes[t->recorded->out[0]] };
  gint64 third[3];
  g_autofree char *f0 = g_format_size_full ((guint64) first[0], G_FORMAT_SIZE_IEC_UNITS),
                  *f1 = g_format_size_full ((guint64) first[1], G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *s0 = g_format_size_full ((guint64) second[0], G_FORMAT_SIZE_IEC_UNITS),
                  *s1 = g_format_size_full ((guint64) second[1], G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *l1 = g_strdup_printf (
    packs ? _("sliver of Bp %s, rows of Ap %s") : _("panel of B %s, rows of A %s"), f0, f1);
  g_autofree char *l2 = g_strdup_printf (cpu->use == LS_GEMM_PICTURE || cpu->use == LS_GEMM_BY_OUTPUTS
                                           ? _("picture %s, weights %s")
                                         : cpu->use == LS_GEMM_PIXELS  ? _("picture %s, pixels %s")
                                         : cpu->use == LS_GEMM_COLUMNS ? _("columns %s, weights %s")
                                         : packs                       ? _("Bp %s, Ap %s")
                                                                       : _("B %s, A %s"),
                                         s0, s1);
  g_autofree char *l3 = g_strdup_printf (_("%s, %s and %s whole"), third_of[0]->symbol, third_of[1]->symbol,
                                         third_of[2]->symbol);

  for (guint i = 0; i < G_N_ELEMENTS (third); i++)
    third[i] = ls_recorded_shape_bytes (third_of[i]);
  cache_row (t, cpu->caches.y, "L1", cpu->l1, first, 2, l1);
  cache_row (t, cpu->caches.y + pitch, "L2", cpu->l2, second, 2, l2);
  cache_row (t, cpu->caches.y + 2 * pitch, "L3", cpu->l3, third, 3, l3);
  const char *const note[] = {
    _("A box is the whole level, as the system reports it. What lies in it follows from the block sizes."),
    NULL
  };
  if (tall)
    ls_text_fit (t->layout->moving, cpu->caches.x, cpu->caches.y + 3 * pitch + m->label.px, cpu->caches.w,
                 m->label, LS_INK_QUIET, LS_LEFT, note);
}
