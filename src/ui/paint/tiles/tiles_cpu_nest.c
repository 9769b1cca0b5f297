/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops round the CPU's micro-tile with the level that each of them fills, the bytes that they have moved
 * so far, and how much arithmetic each level's byte was used for.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

typedef struct {
  char *text;
  const char *level;
  LsTilesStage stage; /* at which it runs; LS_TILES_N_STAGES: never alone */
  gboolean own;       /* the program's own loop, not OpenBLAS's */
} Line;

const char *
ls_tiles_cpu_who (const LsTiles *t)
{
  switch (t->cpu->model.by)
    {
    case LS_GEMM_BLAS:
      return _("OpenBLAS");
    case LS_GEMM_BLAS_SMALL:
      return _("OpenBLAS’s kernel for small products");
    case LS_GEMM_SCALAR:
      return _("our scalar loops");
    case LS_GEMM_NAIVE:
      return _("our naive loops");
    case LS_GEMM_LOOPS:
      break;
    }
  return _("our own loops");
}

/* The source, without its ending, of the loops that compute a call; NULL: OpenBLAS does. */
static const char *
loops_of (const LsTiles *t, const LsBlasModel *model)
{
  switch (model->by)
    {
    case LS_GEMM_BLAS:
    case LS_GEMM_BLAS_SMALL:
      return NULL;
    case LS_GEMM_SCALAR:
    case LS_GEMM_NAIVE:
      return "gemm_scalar";
    case LS_GEMM_LOOPS:
      break;
    }
  return t->cpu->use == LS_GEMM_PICTURE ? "direct_loops"
         : t->cpu->planes > 0           ? "direct_outputs"
                                        : "gemm_loops";
}

G_GNUC_PRINTF (5, 6)
static void
add_line (GArray *lines, const char *level, LsTilesStage stage, gboolean own, const char *format, ...)
{
  Line line = { NULL, level, stage, own };
  va_list list;

  va_start (list, format);
  line.text = g_strdup_vprintf (format, list);
  va_end (list);
  g_array_append_val (lines, line);
}

/* Round the calls: what was recorded, or follows from the program's own text. Returns how far the call is
 * indented. */
static int
outer_lines (const LsTiles *t, const LsTilesCpuNow *now, GArray *lines)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsTilesCall *call = &now->call;
  const LsRecordedShape *shapes = t->layout->data->recording->shapes;

  if (t->kind == LS_TILES_PLAIN)
    {
      add_line (lines, NULL, LS_TILES_N_STAGES, TRUE, "for (k = 0; k < %lld; k += %d)", (long long) t->gemm.k,
                LS_SUM_BLOCK);
      return 2;
    }
  add_line (lines, NULL, LS_TILES_N_STAGES, TRUE, "for (b = %lld; b < %lld; b++)", (long long) cpu->image,
            (long long) (cpu->image + cpu->images));
  add_line (lines, NULL, LS_TILES_N_STAGES, TRUE, "  for (r = 0; r < %lld; r += %lld)",
            (long long) cpu->made_rows, (long long) cpu->strip);
  if (cpu->planes > 0)
    {
      const char *image = shapes[t->recorded->in[t->kind == LS_TILES_CONV_DW ? 1 : 0]].symbol;

      add_line (lines, "L2", LS_TILES_GATHER, TRUE, "    make_picture (%s[b], r)  // %lld×%lld×%lld", image,
                (long long) cpu->planes, (long long) (call->rows + t->conv.window - 1),
                (long long) cpu->picture_cols);
      if (cpu->use == LS_GEMM_PIXELS)
        add_line (lines, "L2", LS_TILES_GATHER, TRUE, "    turn (%s[b], r)  // %lld×%lld",
                  shapes[t->recorded->in[0]].symbol, (long long) call->k, (long long) cpu->rows);
      return 4;
    }
  add_line (lines, "L2", LS_TILES_GATHER, TRUE, "    make_columns (%s[b], r)  // %lld×%lld",
            shapes[t->recorded->in[t->kind == LS_TILES_CONV_DW ? 1 : 0]].symbol,
            (long long) (cpu->along ? call->k : call->cols), (long long) (cpu->along ? call->cols : call->k));
  return 4;
}

static GArray *
nest_lines (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsBlasModel *model = &now->model;
  const long long m = cpu->rows, n = now->call.cols, k = now->call.k;
  const char *loops = loops_of (t, model);
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  int in = outer_lines (t, now, lines);

  add_line (lines, NULL, LS_TILES_N_STAGES, TRUE, "%*s%s (%lld×%lld, %lld)", in, "",
            loops != NULL ? loops : "sgemm", m, n, k);
  in += 2;
  if (model->by == LS_GEMM_BLAS)
    {
      add_line (lines, "L2", LS_TILES_PACK_B, FALSE, "%*spack_B (Bp, %lld×%lld)", in, "", k, n);
      add_line (lines, "L2", LS_TILES_PACK_A, FALSE, "%*spack_A (Ap, %lld×%lld)", in, "", m, k);
    }
  add_line (lines, "L1", LS_TILES_N_STAGES, FALSE, "%*sfor (j = 0; j < %lld; j += %u)", in, "", n,
            model->cols);
  if (loops != NULL && model->packs_b)
    add_line (lines, "L1", LS_TILES_PACK_B, FALSE, "%*s  copy_B (Bp, %lld×%u)", in, "", k, model->cols);
  add_line (lines, NULL, LS_TILES_N_STAGES, FALSE, "%*s  for (i = 0; i < %lld; i += %u)", in, "", m,
            model->rows);
  add_line (lines, NULL, LS_TILES_N_STAGES, FALSE, "%*s    for (p = 0; p < %lld; p++)", in, "", k);
  add_line (lines, _("regs"), LS_TILES_MULTIPLY, FALSE, "%*s      c[%u][%u] += a[%u]·b[%u]", in, "",
            model->rows, model->cols, model->rows, model->cols);
  if (cpu->use == LS_GEMM_BY_OUTPUTS)
    add_line (lines, "L1", LS_TILES_N_STAGES, FALSE, "%*sturn (%s[b], r)", in, "",
              t->layout->data->recording->shapes[t->recorded->out[0]].symbol);
  return lines;
}

double
ls_tiles_cpu_nest_height (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsTilesCpuNow now;
  g_autoptr (GArray) lines = NULL;
  double h;

  ls_tiles_cpu_now (t, 0, &now);
  lines = nest_lines (t, &now);
  h = m->heading.px * 1.6 + m->tick.px * 1.42 * lines->len + 4 * m->unit;
  for (guint i = 0; i < lines->len; i++)
    g_free (g_array_index (lines, Line, i).text);
  return h;
}

double
ls_tiles_cpu_bytes_height (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;

  return m->heading.px * 1.6 + m->label.px * (1.6 * 4 + 1.4);
}

void
ls_tiles_cpu_nest (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->nest;
  const LsType code = { m->tick.px, 400, TRUE }, code_bold = { m->tick.px, 700, TRUE },
               bold = { m->label.px, 700 };
  const double pitch = code.px * 1.42, head = m->heading.px * 1.6, pad = 2 * m->unit;
  LsScene *s = t->layout->moving;
  g_autoptr (GArray) all = nest_lines (t, now);
  const Line *lines = (const Line *) (void *) all->data;
  const guint n = all->len;
  const char *source = loops_of (t, &now->model);
  g_autofree char *ours = source != NULL ? g_strdup_printf (_("all ours: %s.c"), source) : NULL;
  double y = area.y + head + pad;

  ls_text_heading (s, m, area, area.y + m->heading.px, _("Loop nest"),
                   ours != NULL ? ours : _("ours, and inside it OpenBLAS’s"));
  ls_scene_box (s, area.x, area.y + head, area.w, pitch * n + 2 * pad, LS_INK_EDGE, 0)->size
    = (float) (1.5 * m->unit);
  ls_scene_box (s, area.x + 1, area.y + head + 1, area.w - 2, pitch * n + 2 * pad - 2, LS_INK_CARD, 0)->size
    = (float) (1.5 * m->unit - 1);
  for (guint i = 0; i < n; i++, y += pitch)
    {
      const gboolean here = lines[i].stage == now->stage && now->stage < LS_TILES_N_STAGES;
      const double base = y + pitch / 2 + code.px * .34, x = area.x + pad + m->evidence + 2 * m->unit;
      double right = area.x + area.w - pad;

      if (here)
        {
          ls_scene_box (s, area.x + 1, y, area.w - 2, pitch, LS_INK_SOFT, t->lane);
          ls_scene_box (s, area.x + 1, y, m->unit, pitch, LS_INK_MARK, t->lane);
        }
      ls_scene_evidence (s, area.x + pad + 2, y + pitch / 2 - m->evidence / 2, m->evidence,
                         lines[i].own ? LS_EVIDENCE_MEASURED : LS_EVIDENCE_MODELLED, LS_INK_QUIET);
      if (lines[i].level != NULL)
        {
          LsItem *level = ls_scene_text (s, right, base, bold, LS_INK_LANE, LS_RIGHT, lines[i].level);
          level->value = (float) t->lane;
          right = (double) level->x - pad;
        }
      ls_text_fit (s, x, base, right - x, here ? code_bold : code, LS_INK_TEXT, LS_LEFT,
                   (const char *const[]){ lines[i].text, NULL });
      g_free (lines[i].text);
    }
}

/* What the 16×16 tiled kernel would load from global memory for the same part of C and the same
 * products. */
static gint64
tiled_bytes (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsRungCut cut = ls_rung_cut (LS_RUNG_TILED, 0);
  const LsGemm part = { cpu->rows, cpu->along ? now->call.col + now->call.cols - cpu->col : cpu->cols,
                        cpu->along || now->at.round >= t->rounds ? t->gemm.k : now->call.k0 + now->call.k };

  return 4 * ls_ledger_total (&cut, &part).global_loads;
}

void
ls_tiles_cpu_bytes (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const LsArea area = t->cpu->bytes;
  const LsBlasTraffic moved = ls_tiles_cpu_count (t, now);
  const struct {
    const char *label;
    gint64 bytes;
    guint lane;
  } rows[] = {
    { _("registers ← L1"), moved.registers, t->lane },
    { _("L1 ← L2"), moved.l1, t->lane },
    { _("L2 ← beyond"), moved.l2, t->lane },
    { _("OpenCL tiled ← global"), tiled_bytes (t, now), 1 - t->lane },
  };
  const double row = m->label.px * 1.6, head = m->heading.px * 1.6;
  LsScene *s = t->layout->moving;
  double label = 0, number_w = 0, x, w, y = area.y + head;
  gint64 most = 1;

  if (area.h < head + 4 * row)
    return;
  ls_text_heading (s, m, area, area.y + m->heading.px, _("Bytes moved so far"),
                   _("this tile, counted in the loops"));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_format_size_full ((guint64) rows[i].bytes, G_FORMAT_SIZE_IEC_UNITS);
      label = MAX (label, ls_scene_width (s, m->label, rows[i].label));
      number_w = MAX (number_w, ls_scene_width (s, bold, text));
      most = MAX (most, rows[i].bytes);
    }
  x = area.x + label + 3 * m->unit;
  w = area.x + area.w - x - number_w - 3 * m->unit;
  for (guint i = 0; i < G_N_ELEMENTS (rows) && w > 20; i++, y += row)
    {
      const double base = y + row / 2 + m->label.px * .36,
                   length = MAX (2, w * (double) rows[i].bytes / (double) most);
      g_autofree char *text = g_format_size_full ((guint64) rows[i].bytes, G_FORMAT_SIZE_IEC_UNITS);
      ls_scene_text (s, area.x + label, base, m->label, LS_INK_TEXT, LS_RIGHT, rows[i].label);
      ls_scene_mark (s, LS_ITEM_HOLLOW, x, y + row * .16, length, row * .68, LS_INK_MARK, rows[i].lane)->size
        = (float) t->layout->style.data;
      ls_scene_text (s, x + length + 2 * m->unit, base, bold, LS_INK_TEXT, LS_LEFT, text);
    }
  if (moved.l2 > 0 && moved.registers > moved.l2)
    {
      g_autofree char *times = ls_number_text ((double) moved.registers / (double) moved.l2, 2);
      g_autofree char *text = g_strdup_printf (_("%s× fewer from beyond L2 than into registers"), times),
                      *brief = g_strdup_printf (_("%s× fewer"), times);
      const guint before = s->items->len;
      if (ls_text_fit (s, area.x, y + m->label.px * 1.1, area.w, bold, LS_INK_LANE, LS_LEFT,
                       (const char *const[]){ text, brief, NULL }))
        ls_scene_get (s, before)->value = (float) t->lane;
    }
  if (t->cpu->rings.h > 0)
    ls_tiles_cpu_balance (t, &moved);
  if (t->roof.h > 0)
    ls_tiles_roof_move (t, moved.l2 > 0 ? (double) moved.flops / (double) moved.l2 : 0);
}
