/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops round the CPU's micro-tile with the level that each of them fills, the bytes that they have moved so far, and how
 * much arithmetic each level's byte was used for.
 */
#include "config.h"
#include "ui/paint/tiles_cpu.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"

typedef struct {
  char *text;
  const char *level;
  LsTilesStage stage;      /* at which it runs; LS_TILES_N_STAGES: never alone */
  gboolean own;            /* the program's own loop, not OpenBLAS's */
} Line;

static guint
nest_lines (const LsTiles *t, const LsTilesCpuNow *now, Line lines[12])
{
  const LsTilesCpu *cpu = t->cpu;
  guint n = 0;

  lines[n++] = (Line){ g_strdup_printf ("for (k = 0; k < %lld; k += %d)", (long long) t->gemm.k, LS_SUM_BLOCK), NULL, LS_TILES_N_STAGES, TRUE };
  lines[n++] = (Line){ g_strdup_printf ("  sgemm (%lld×%lld, %lld)", (long long) cpu->rows, (long long) cpu->cols, (long long) now->k), NULL, LS_TILES_N_STAGES, TRUE };
  lines[n++] = (Line){ g_strdup_printf ("    pack_B (Bp, %lld×%lld)", (long long) now->k, (long long) cpu->cols), "L2", LS_TILES_PACK_B, FALSE };
  lines[n++] = (Line){ g_strdup_printf ("    pack_A (Ap, %lld×%lld)", (long long) cpu->rows, (long long) now->k), "L2", LS_TILES_PACK_A, FALSE };
  lines[n++] = (Line){ g_strdup_printf ("    for (j = 0; j < %lld; j += %u)", (long long) cpu->cols, cpu->model.cols), "L1", LS_TILES_N_STAGES, FALSE };
  lines[n++] = (Line){ g_strdup_printf ("      for (i = 0; i < %lld; i += %u)", (long long) cpu->rows, cpu->model.rows), NULL, LS_TILES_N_STAGES, FALSE };
  lines[n++] = (Line){ g_strdup_printf ("        for (p = 0; p < %lld; p++)", (long long) now->k), NULL, LS_TILES_N_STAGES, FALSE };
  lines[n++] = (Line){ g_strdup_printf ("          c[%u][%u] += a[%u]·b[%u]", cpu->model.rows, cpu->model.cols, cpu->model.rows, cpu->model.cols), _("regs"),
                       LS_TILES_MULTIPLY, FALSE };
  return n;
}

void
ls_tiles_cpu_nest (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->cpu->nest;
  const LsType code = { m->tick.px, 400, TRUE }, code_bold = { m->tick.px, 700, TRUE }, bold = { m->label.px, 700 };
  const double pitch = code.px * 1.5, head = m->heading.px * 1.6, pad = 2 * m->unit;
  LsScene *s = t->layout->moving;
  Line lines[12];
  const guint n = nest_lines (t, now, lines);
  double y = area.y + head + pad;

  ls_tiles_heading (s, m, area, area.y + m->heading.px, _("Loop nest"), _("ours, and inside it OpenBLAS’s"));
  ls_scene_box (s, area.x, area.y + head, area.w, pitch * n + 2 * pad, LS_INK_EDGE, 0)->size = (float) (1.5 * m->unit);
  ls_scene_box (s, area.x + 1, area.y + head + 1, area.w - 2, pitch * n + 2 * pad - 2, LS_INK_CARD, 0)->size = (float) (1.5 * m->unit - 1);
  for (guint i = 0; i < n; i++, y += pitch)
    {
      const gboolean here = lines[i].stage == now->stage && now->stage < LS_TILES_N_STAGES;
      const double base = y + pitch / 2 + code.px * .34, x = area.x + pad + m->evidence + 2 * m->unit;
      double right = area.x + area.w - pad;

      if (here)
        {
          ls_scene_box (s, area.x + 1, y, area.w - 2, pitch, LS_INK_SOFT, 0);
          ls_scene_box (s, area.x + 1, y, m->unit, pitch, LS_INK_MARK, 0);
        }
      ls_scene_evidence (s, area.x + pad + 2, y + pitch / 2 - m->evidence / 2, m->evidence, lines[i].own ? LS_EVIDENCE_MEASURED : LS_EVIDENCE_MODELLED, LS_INK_QUIET);
      if (lines[i].level != NULL)
        {
          LsItem *level = ls_scene_text (s, right, base, bold, LS_INK_LANE, LS_RIGHT, lines[i].level);
          level->value = 0;
          right = (double) level->x - pad;
        }
      ls_tiles_say (s, x, base, right - x, here ? code_bold : code, LS_INK_TEXT, LS_LEFT, (const char *const[]) { lines[i].text, NULL });
      g_free (lines[i].text);
    }
  t->cpu->bytes = (LsArea){ area.x, y + pad + 4 * m->unit, area.w, area.y + area.h - y - pad - 4 * m->unit };
}

/* What the 16×16 tiled kernel would load from global memory for the same part of C and the same products. */
static gint64
tiled_bytes (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsRungCut cut = ls_rung_cut (LS_RUNG_TILED, 0);
  const LsGemm part = { cpu->rows, cpu->cols, now->at.round >= t->rounds ? t->gemm.k : now->k0 + now->k };

  return 4 * ls_ledger_total (&cut, &part).global_loads;
}

static void
rings (const LsTiles *t, const LsBlasTraffic *moved, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const char *const names[] = { _("registers"), "L1", "L2" };
  const gint64 bytes[] = { moved->registers, moved->l1, moved->l2 };
  const double row = m->label.px * 1.7, head = m->heading.px * 1.6, label = ls_scene_width (t->layout->still, m->label, names[0]) + 3 * m->unit;
  LsScene *s = t->layout->moving;
  LsAxis axis;
  double y = area.y + head;

  if (area.h < head + 3 * row + m->tick.px * 1.5)
    return;
  ls_tiles_heading (s, m, area, area.y + m->heading.px, _("FLOP per byte"), _("reached; needed is not measured here"));
  ls_axis_init (&axis, 1, 256, area.x + label, area.x + area.w - 12 * m->unit, TRUE, 9);
  for (double at = 1; at <= 256; at *= 4)
    {
      g_autofree char *text = ls_number_tick (at);
      ls_scene_segment (s, ls_axis_at (&axis, at), y, ls_axis_at (&axis, at), y + 3 * row, LS_INK_HAIRLINE, t->layout->style.hairline);
      ls_scene_text (s, ls_axis_at (&axis, at), y + 3 * row + m->tick.px * 1.2, m->tick, LS_INK_QUIET, LS_CENTER, text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const double middle = y + row * (i + .5), base = middle + m->label.px * .36;
      const double reached = bytes[i] > 0 ? (double) moved->flops / (double) bytes[i] : 0;
      g_autofree char *number = ls_number_text (reached, 3);

      ls_scene_text (s, area.x + label - 3 * m->unit, base, m->label, LS_INK_TEXT, LS_RIGHT, names[i]);
      if (reached < 1)
        continue;
      ls_scene_path (s, LS_ITEM_RINGS, LS_INK_MARK, 0, 13)->evidence = LS_EVIDENCE_DERIVED;
      ls_scene_point (s, ls_axis_at (&axis, MIN (reached, 256)), middle);
      ls_scene_text (s, ls_axis_at (&axis, MIN (reached, 256)) + 12, base, bold, LS_INK_TEXT, LS_LEFT, number);
    }
}

void
ls_tiles_cpu_bytes (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const LsArea area = t->cpu->bytes;
  const LsBlasTraffic moved = ls_tiles_cpu_count (t, now);
  const struct { const char *label; gint64 bytes; guint lane; } rows[] = {
    { _("registers ← L1"), moved.registers, 0 }, { _("L1 ← L2"), moved.l1, 0 }, { _("L2 ← beyond"), moved.l2, 0 },
    { _("OpenCL tiled ← global"), tiled_bytes (t, now), 1 },
  };
  const double row = m->label.px * 1.72, head = m->heading.px * 1.6;
  LsScene *s = t->layout->moving;
  double label = 0, number_w = 0, x, w, y = area.y + head;
  gint64 most = 1;

  if (area.h < head + 5 * row)
    return;
  ls_tiles_heading (s, m, area, area.y + m->heading.px, _("Bytes moved so far"), _("this tile, counted in the loops"));
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
      const double base = y + row / 2 + m->label.px * .36, length = MAX (2, w * (double) rows[i].bytes / (double) most);
      g_autofree char *text = g_format_size_full ((guint64) rows[i].bytes, G_FORMAT_SIZE_IEC_UNITS);
      ls_scene_text (s, area.x + label, base, m->label, LS_INK_TEXT, LS_RIGHT, rows[i].label);
      ls_scene_mark (s, LS_ITEM_HOLLOW, x, y + row * .16, length, row * .68, LS_INK_MARK, rows[i].lane)->size = (float) t->layout->style.data;
      ls_scene_text (s, x + length + 2 * m->unit, base, bold, LS_INK_TEXT, LS_LEFT, text);
    }
  if (moved.l2 > 0 && moved.registers > 0)
    {
      g_autofree char *times = ls_number_text ((double) moved.registers / (double) moved.l2, 2);
      g_autofree char *text = g_strdup_printf (_("%s× fewer from beyond L2 than into registers"), times), *brief = g_strdup_printf (_("%s× fewer"), times);
      const guint before = s->items->len;
      if (ls_tiles_say (s, area.x, y + m->label.px * 1.1, area.w, bold, LS_INK_LANE, LS_LEFT, (const char *const[]) { text, brief, NULL }))
        ls_scene_get (s, before)->value = 0;
    }
  y += m->label.px * 2.2;
  rings (t, &moved, (LsArea){ area.x, y, area.w, area.y + area.h - y });
}
