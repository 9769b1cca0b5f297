/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under the two tiles: what the picked work-item loads and multiplies, and its sum; what the colours mean,
 * and where the values come from.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

/* "As[10][5] = A[42][85] = 0.429": of the element lr, lc of its tile. */
static char *
factor_words (const LsTiles *t, const LsTilesNow *now, gboolean is_a, guint lr, guint lc,
              const LsTilesFill *fill)
{
  const LsTilesMatrix *matrix = is_a ? &t->a : &t->b;
  const gint64 k = ls_tiles_shown_round (t, now) * t->window + (is_a ? lc : lr);
  const gint64 row = is_a ? (gint64) t->row * t->cut.tile_m + lr : k,
               col = is_a ? k : ls_tiles_column (t, lc);
  const guint line = fill->by_col ? lc : lr;
  const gboolean inside = row < matrix->rows && col < matrix->cols && k < t->gemm.k;
  const double value = inside ? ls_tiles_factor (t, is_a, is_a ? lr : lc, k) : 0;
  g_autofree char *number = ls_number_text (value, 3);
  const char *state = line >= fill->done + fill->flight ? _("to come")
                      : line >= fill->done              ? _("on its way")
                      : isnan (value)                   ? _("not recorded")
                                                        : NULL;
  g_autofree char *from = g_strdup_printf ("%s[%lld][%lld]", is_a ? "A" : "B", (long long) row,
                                           (long long) col);
  g_autofree char *is = state != NULL ? g_strdup_printf (", %s", state) : g_strdup_printf (" = %s", number);

  if (!t->cut.local)
    return g_strconcat (from, is, NULL);
  return inside ? g_strdup_printf ("%s[%u][%u] = %s%s", is_a ? "As" : "Bs", lr, lc, from, is)
                : g_strdup_printf (_("%s[%u][%u] = 0, beyond the edge"), is_a ? "As" : "Bs", lr, lc);
}

static char *
sum_words (const LsTiles *t, const LsTilesNow *now)
{
  const gint64 m = (gint64) t->row * t->cut.tile_m + t->item_row, n = ls_tiles_column (t, t->item_col);
  const gint64 products = MIN (now->multiplied * t->window + now->step, t->gemm.k);
  const double sum = ls_tiles_sum (t, now);
  g_autofree char *number = ls_number_text (sum, 3), *count = ls_number_count ((guint64) products),
                  *all = ls_number_count ((guint64) t->gemm.k);

  if (isnan (sum))
    return g_strdup_printf (ngettext ("C[%lld][%lld]: %s of %s product added up",
                                      "C[%lld][%lld]: %s of %s products added up", (gulong) t->gemm.k),
                            (long long) m, (long long) n, count, all);
  return g_strdup_printf (ngettext ("sum for C[%lld][%lld] so far: %s, after %s of %s product",
                                    "sum for C[%lld][%lld] so far: %s, after %s of %s products",
                                    (gulong) t->gemm.k),
                          (long long) m, (long long) n, number, count, all);
}

void
ls_tiles_ramp (const LsTiles *t, double value, double x, double y, double w)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  g_autofree char *top = ls_number_tick (value), *low = g_strconcat ("−", top, NULL),
                  *high = g_strconcat ("+", top, NULL);
  const double left = ls_scene_width (s, m->tick, low) + 6, right = ls_scene_width (s, m->tick, high) + 6;

  if (value <= 0 || w - left - right < 40)
    return;
  ls_scene_text (s, x, y, m->tick, LS_INK_QUIET, LS_LEFT, low);
  ls_scene_mark (s, LS_ITEM_RAMP, x + left, y - m->tick.px * .78, w - left - right, m->tick.px * .9,
                 LS_INK_SIGN, 0);
  ls_scene_text (s, x + w - right + 6, y, m->tick, LS_INK_QUIET, LS_LEFT, high);
}

char *
ls_tiles_source_words (const LsTiles *t, gboolean brief)
{
  const LsRecording *recording = t->layout->data->recording;
  const LsRecordedShape *in[2] = { &recording->shapes[t->recorded->in[0]],
                                   &recording->shapes[t->recorded->in[1]] };

  if (t->cpu == NULL && t->modelled && t->walk != NULL)
    return g_strdup (brief ? _("run again, not in the step")
                           : _("of a run for this picture alone, not of the step"));
  if (t->cpu == NULL && t->modelled && t->side >= 0
      && (t->side != (gint) t->lane || !ls_tiles_has_opencl (t->layout->data)))
    return g_strdup (brief ? _("the CPU’s numbers") : _("the CPU’s numbers, in a model of the kernel"));
  if (t->walk != NULL && t->cpu == NULL)
    return g_strdup (!t->cut.local ? _("read back from the device")
                     : brief       ? _("read back from local memory")
                                   : _("values read back from the device’s local memory"));
  if (t->side < 0)
    return g_strdup (brief ? _("values not recorded") : _("no values were recorded with this step"));
  for (guint i = 0; i < 2 && !t->as_found; i++)
    if (in[i]->role == LS_ROLE_WEIGHT)
      return g_strdup_printf (brief ? _("read back: %s as updated")
                                    : _("values read back after the step: %s as updated"),
                              in[i]->symbol);
  return g_strdup (brief ? _("values read back") : _("values read back after the step"));
}

/* What the colours mean. */
static void
legend (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const double line = m->label.px * 1.55, in = m->evidence + 7, x = t->legend.x, w = t->legend.w;
  g_autofree char *source = ls_tiles_source_words (t, FALSE);
  const struct {
    gboolean there;
    LsEvidence evidence;
    const char *text;
  } notes[] = {
    { TRUE, ls_tiles_evidence (t), source },
    { t->cut.local, LS_EVIDENCE_MODELLED, _("order of the work-items inside the group") },
  };
  const struct {
    const LsTilesMatrix *matrix;
    const char *name;
  } ramps[] = { { &t->a, "A" }, { &t->b, "B" } };
  double y = t->legend.y;

  for (guint i = 0; i < G_N_ELEMENTS (ramps); i++, y += line)
    {
      ls_scene_text (s, x, y + m->label.px, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT,
                     ramps[i].name);
      ls_tiles_ramp (t, ramps[i].matrix->top, x + 4 * m->unit, y + m->label.px, w - 4 * m->unit);
    }
  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      double foot;
      if (!notes[i].there)
        continue;
      foot = ls_text_wrapped (t->layout->still, x + in, y, w - in, m->label, LS_INK_QUIET, notes[i].text,
                              FALSE);
      if (foot > t->legend.y + t->legend.h)
        return;
      ls_scene_evidence (s, x, y + m->label.px * (1.35 - .36) - m->evidence / 2, m->evidence,
                         notes[i].evidence, LS_INK_TEXT);
      ls_text_wrapped (s, x + in, y, w - in, m->label, LS_INK_QUIET, notes[i].text, TRUE);
      y = foot + m->unit;
    }
}

/* Where the values come from, in as many words as have room. */
static void
source_line (const LsTiles *t, double x, double y, double w)
{
  double right = x;

  for (guint brief = 0; brief < 2 && right <= x; brief++)
    {
      g_autofree char *words = ls_tiles_source_words (t, brief);
      right = ls_text_marked (t->layout->moving, &t->layout->m, x, y, w, ls_tiles_evidence (t), LS_INK_QUIET,
                              words);
    }
}

/* What the picked work-item multiplies. */
static void
factors (const LsTiles *t, const LsTilesNow *now, double y)
{
  const LsMetrics *m = &t->layout->m;
  const double x = t->cells_a.x, half = (t->local.x + t->local.w - x) / 2;
  LsTilesFill a, b;
  guint a_col, b_row;

  ls_tiles_fill (t, now, &a, &b);
  if (!ls_tiles_own_cells (t, now, &a_col, &b_row))
    return;
  g_autofree char *left = factor_words (t, now, TRUE, t->item_row, a_col, &a),
                  *right = factor_words (t, now, FALSE, b_row, t->item_col, &b);
  ls_text_fit (t->layout->moving, x, y, half - 8, m->label, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ left, NULL });
  ls_text_fit (t->layout->moving, x + half, y, half, m->label, LS_INK_TEXT, LS_LEFT,
               (const char *const[]){ right, NULL });
}

/* On two lines what a legend beside the tiles would say, unless the ledger stands right there. */
static void
notes (const LsTiles *t, double y)
{
  static const char *const order[] = { N_("order of the work-items inside the group"),
                                       N_("order inside the group") };
  const LsMetrics *m = &t->layout->m;
  const double x = t->cells_a.x, right = t->local.x + t->local.w, half = (right - x) / 2,
               line = m->label.px * 1.55;
  LsScene *s = t->layout->moving;
  double end = x + half;

  if (t->ledger.h > 0 && t->ledger.x < right && t->ledger.y > t->item_y - m->label.px
      && y + line > t->ledger.y)
    return;
  source_line (t, x, y, half - 8);
  for (guint i = 0; i < G_N_ELEMENTS (order) && t->cut.local && end <= x + half; i++)
    end = ls_text_marked (s, m, x + half, y, half, LS_EVIDENCE_MODELLED, LS_INK_QUIET, _(order[i]));
  ls_tiles_ramp (t, t->a.top, x, y + line, MIN (half - 16, 60 * m->unit));
  ls_tiles_ramp (t, t->b.top, x + half, y + line, MIN (half - 16, 60 * m->unit));
}

void
ls_tiles_item_move (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const gboolean small = m->size == LS_SIZE_SMALL;
  const double x = t->cells_a.x, right = t->local.x + t->local.w, line = m->label.px * 1.55;
  const LsType bold = { m->label.px, 700 };
  g_autofree char *title = g_strdup_printf (
    t->cut.item_m > 1 ? _("Work-item of (%u, %u)") : _("Work-item (%u, %u)"), t->item_col, t->item_row);
  g_autofree char *sum = sum_words (t, now);
  double y = t->item_y, after;

  after = ls_item_right (ls_scene_text (s, x, y, small ? bold : m->heading, LS_INK_TEXT, LS_LEFT, title))
          + 3 * m->unit;
  ls_text_marked (s, m, after, y, right - after, LS_EVIDENCE_DERIVED, LS_INK_TEXT, sum);
  y += line;
  if (small)
    {
      after = ls_tiles_verdict (t, now, x, y, right - x, bold) + 4 * m->unit;
      source_line (t, after, y, right - after);
      return;
    }
  factors (t, now, y);
  if (t->legend.h > 0)
    legend (t);
  else
    notes (t, y + line);
}
