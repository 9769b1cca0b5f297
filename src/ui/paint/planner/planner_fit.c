/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does it fit? A row for each batch: what is estimated hollow, above what lanes have allocated solid, in the
 * same order of parts; what devices have is dotted through the rows.
 */
#include "config.h"
#include "ui/paint/planner/planner.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

/* A bar: an estimate, or what a lane has allocated. */
typedef struct {
  guint batch;
  gint side; /* −1: an estimate */
  LsStepMemory memory;
} Bar;

typedef struct {
  LsPlanner *p;
  GArray *bars; /* Bar, from top to bottom */
  LsAxis x;
  double unit; /* bytes */
  double left, right, top, bar_h, pitch, end;
} Plot;

static void
add_bars (Plot *plot)
{
  LsPlanner *p = plot->p;

  for (guint i = 0; i < p->n_rows; i++)
    {
      Bar bar = { p->rows[i].batch, -1, p->rows[i].memory };

      g_array_append_val (plot->bars, bar);
      if (bar.batch != p->layout->data->batch)
        continue;
      for (guint k = 0; k < LS_SIDES; k++)
        {
          bar.side = (gint) (k == 0 ? p->side : 1 - p->side);
          if (ls_planner_is_own (p, (guint) bar.side)
              && ls_planner_allocated (p, (guint) bar.side, &bar.memory))
            g_array_append_val (plot->bars, bar);
        }
    }
}

/* Which of bars that have no room go first: estimates of other batches, then what the other lane has
 * allocated, then the run's own estimate, then what the lane that is estimated has; the batch that is asked
 * for stays. */
static guint
keeps (const LsPlanner *p, const Bar *bar)
{
  return bar->side < 0 && bar->batch == p->batch ? 4
         : bar->side >= 0                        ? ((guint) bar->side == p->side ? 3 : 1)
         : bar->batch == p->layout->data->batch  ? 2
                                                 : 0;
}

static void
drop_bars (Plot *plot, guint most)
{
  for (guint rank = 0; rank < 4; rank++)
    for (guint i = 0; plot->bars->len > most && i < plot->bars->len;)
      if (keeps (plot->p, &g_array_index (plot->bars, Bar, i)) == rank)
        g_array_remove_index (plot->bars, i);
      else
        i++;
}

static double
sum_of (const Bar *bar)
{
  return (double) ls_step_memory_sum (&bar->memory);
}

/* ---- rows ---- */

static const char *
part_word (const LsPlanner *p, guint part)
{
  static const char *const words[LS_MEMORY_N]
    = { "W", "dW", NULL, N_("activations"), N_("workspace"), N_("data") };

  return part == LS_MEMORY_STATES  ? (p->optimizer == LS_OPTIMIZER_ADAM ? "Adam" : _("momentum"))
         : part < LS_MEMORY_STATES ? words[part]
                                   : _(words[part]);
}

static void
draw_bar (const Plot *plot, const Bar *bar, double y)
{
  const LsPlanner *p = plot->p;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const guint side = bar->side >= 0 ? (guint) bar->side : p->side;
  double bytes = 0;

  for (guint i = 0; i < LS_MEMORY_N; i++)
    {
      const double x0 = ls_axis_at (&plot->x, bytes / plot->unit),
                   x1 = ls_axis_at (&plot->x, (bytes + (double) bar->memory.bytes[i]) / plot->unit),
                   w = x1 - x0 > 4 ? x1 - x0 - 1 : x1 - x0;

      bytes += (double) bar->memory.bytes[i];
      if (bar->memory.bytes[i] == 0)
        continue;
      LsItem *box = bar->side < 0
                      ? ls_scene_mark (s, LS_ITEM_HOLLOW, x0, y, w, plot->bar_h, LS_INK_MARK, side)
                      : ls_scene_box (s, x0, y, w, plot->bar_h, LS_INK_MARK, side);
      box->evidence = bar->side < 0 ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MEASURED;
      if (bar->side >= 0) /* an estimate is no lane's */
        box->side = (guint8) side;
      box->size = bar->side < 0 ? (float) MIN (p->layout->style.edge * 1.6, w / 3) : 0;
      const char *word = part_word (p, i);
      if (ls_scene_width (s, m->tick, word) + 8 < w && plot->bar_h >= m->tick.px)
        {
          LsItem *text = ls_scene_text (s, x0 + w / 2, y + plot->bar_h / 2 + m->tick.px * .36, m->tick,
                                        bar->side < 0 ? LS_INK_TEXT : LS_INK_ON_MARK, LS_CENTER, word);
          text->value = (float) side;
          text->strong = TRUE;
        }
    }
}

/* "2.74 GB  +1.2 %", and whose it is, behind the bar. */
static void
draw_sum (const Plot *plot, const Bar *bar, double y)
{
  const LsPlanner *p = plot->p;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsType bold = { m->label.px, 700 };
  const double x = ls_axis_at (&plot->x, sum_of (bar) / plot->unit) + 2 * m->unit,
               base = y + plot->bar_h / 2 + m->label.px * .36;
  g_autofree char *sum = ls_planner_bytes (sum_of (bar)), *off = NULL, *whole = NULL;
  double right;

  if (bar->side < 0)
    {
      const gboolean asked = bar->batch == p->batch;
      if (x + ls_scene_width (s, bold, sum) <= plot->end)
        ls_scene_text (s, x, base, asked ? bold : m->label, asked ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, sum);
      return;
    }
  if (x + ls_scene_width (s, bold, sum) > plot->end)
    return;
  LsItem *text = ls_scene_text (s, x, base, bold, LS_INK_LANE, LS_LEFT, sum);
  text->value = (float) bar->side;
  right = ls_item_right (text) + 2 * m->unit;
  for (guint i = 0; i < p->n_rows && (guint) bar->side == p->side; i++)
    if (p->rows[i].batch == bar->batch)
      {
        const double by = 100 * (sum_of (bar) / (double) ls_step_memory_sum (&p->rows[i].memory) - 1);
        g_autofree char *number = ls_number_fixed (fabs (by), 1);
        off = fabs (by) < .05 ? g_strdup ("±0 %") : g_strdup_printf ("%s%s %%", by < 0 ? "−" : "+", number);
      }
  whole = off != NULL ? g_strdup_printf ("%s  %s", p->layout->data->sides[bar->side].brief, off)
                      : g_strdup (p->layout->data->sides[bar->side].brief);
  const char *const choices[] = { whole, off, NULL };
  ls_text_fit (s, right, base, plot->end - right, m->label, LS_INK_QUIET, LS_LEFT, choices);
}

/* ---- what devices have ---- */

/* A text is there, which a dotted line would run through. */
static gboolean
is_taken (const LsScene *s, double x, double y)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      LsArea area;

      if (item->kind != LS_ITEM_TEXT)
        continue;
      ls_item_bounds (s, item, &area.x, &area.y, &area.w, &area.h);
      if (ls_area_has ((LsArea){ area.x - 3, area.y - 3, area.w + 6, area.h + 6 }, x, y))
        return TRUE;
    }
  return FALSE;
}

/* Its name at the line's head, from *taken on; one that is farther than the scale has its name at the right.
 */
static void
limit (const Plot *plot, double bytes, const char *name, double bottom, double *taken, double *end)
{
  const LsMetrics *m = &plot->p->layout->m;
  LsScene *s = plot->p->layout->still;
  const gboolean beyond = bytes / plot->unit > plot->x.high;
  const double x = beyond ? plot->end : ls_axis_at (&plot->x, bytes / plot->unit), step = 6,
               y = plot->top - m->label.px * .5;
  g_autofree char *has = ls_planner_bytes (bytes),
                  *whole = g_strdup_printf (beyond ? "%s %s →" : "%s %s", name, has),
                  *brief = g_strdup_printf (beyond ? "%s →" : "%s", has);
  const char *const choices[] = { whole, brief };

  if (!(bytes > 0))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      const double w = m->evidence + 7 + ls_scene_width (s, m->label, choices[i]),
                   at = beyond ? *end - w : CLAMP (x - w / 2, plot->left, MAX (*end - w, plot->left));

      if (at < *taken || at + w > *end + 1)
        continue;
      ls_text_marked (s, m, at, y, w + 1, LS_EVIDENCE_PUBLISHED, LS_INK_TEXT, choices[i]);
      if (beyond)
        *end = at - 4 * m->unit;
      else
        *taken = at + w + 3 * m->unit;
      break;
    }
  if (beyond)
    return;
  ls_scene_path (s, LS_ITEM_DOTS, LS_INK_TEXT, 0, 3)->evidence = LS_EVIDENCE_PUBLISHED;
  for (double at = plot->top; at <= bottom; at += step)
    if (!is_taken (s, x, at))
      ls_scene_point (s, x, at);
}

static void
limits (Plot *plot, double bottom)
{
  const LsPlanner *p = plot->p;
  const double here = p->guide.here.n > 0 ? p->guide.here.value : 0,
               card = p->guide.own != NULL ? ls_hardware_step_memory (p->guide.own).value : 0;
  const char *mine = _("this device"), *other = p->guide.own != NULL ? ls_planner_short (p->guide.own) : "";
  double taken = plot->left, end = plot->end;

  /* names of what is beyond the scale from the right, the farther one first; the others from the left */
  for (guint beyond = 2; beyond-- > 0;)
    for (guint i = 0; i < 2; i++)
      {
        const gboolean is_card = (i == 0) == ((card >= here) == (beyond == 1));
        const double bytes = is_card ? card : here;

        if ((bytes / plot->unit > plot->x.high) == (beyond == 1))
          limit (plot, bytes, is_card ? other : mine, bottom, &taken, &end);
      }
}

/* ---- the axis ---- */

/* As far as the longest bar, and on to what a device has, where that isn't far. */
static double
reach (const Plot *plot)
{
  const LsPlanner *p = plot->p;
  const double card = p->guide.own != NULL ? ls_hardware_step_memory (p->guide.own).value : 0,
               here = p->guide.here.n > 0 ? p->guide.here.value : 0;
  double most = 0, far = 0;

  for (guint i = 0; i < plot->bars->len; i++)
    most = MAX (most, sum_of (&g_array_index (plot->bars, Bar, i)));
  far = most;
  if (card > 0 && card < 1.6 * most)
    far = MAX (far, card);
  if (here > 0 && here < 1.6 * most)
    far = MAX (far, here);
  return far * 1.02;
}

static void
axis (Plot *plot, double bottom)
{
  const LsMetrics *m = &plot->p->layout->m;
  LsScene *s = plot->p->layout->still;
  double free_from = -1e9;

  for (guint i = 0; i < plot->x.n_ticks; i++)
    {
      const double x = ls_axis_at (&plot->x, plot->x.ticks[i]);
      g_autofree char *tick = ls_number_tick (plot->x.ticks[i]),
                      *text = i == 0 ? g_strdup_printf ("%s %s", tick, plot->unit >= 1e9 ? "GB" : "MB")
                                     : g_strdup (tick);
      const double half = ls_scene_width (s, m->tick, text) / 2;

      if (x > plot->right + 1)
        break;
      ls_scene_segment (s, x, plot->top, x, bottom, i == 0 ? LS_INK_QUIET : LS_INK_HAIRLINE,
                        plot->p->layout->style.hairline);
      if (x - half < free_from || x + half > plot->end)
        continue;
      free_from = x + half + 2 * m->unit;
      ls_scene_text (s, x, bottom + m->tick.px * 1.35, m->tick, LS_INK_QUIET, LS_CENTER, text);
    }
}

/* ---- */

/* The nearest miss, and what an older recording doesn't know. (transfer full); NULL: neither. */
static char *
foot_words (const LsPlanner *p, const char *nearest)
{
  const gboolean recorded = p->layout->data->sides[0].recorded != NULL
                            || p->layout->data->sides[1].recorded != NULL;
  const char *lacks = _("What lanes allocated isn’t in this recording.");
  LsStepMemory memory;

  if (recorded && !ls_planner_is_own (p, 0) && !ls_planner_is_own (p, 1))
    lacks = _("Estimated alone: no lane has allocated such a step.");
  else if (!recorded || ls_planner_allocated (p, 0, &memory) || ls_planner_allocated (p, 1, &memory))
    return g_strdup (nearest);
  return nearest != NULL ? g_strdup_printf ("%s %s", nearest, lacks) : g_strdup (lacks);
}

static double
heading (const LsPlanner *p, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double y = area.y + m->heading.px;
  g_autofree char *words = g_strdup_printf (_("a step in %s with %s"), ls_precision_name (p->fit.precision),
                                            p->optimizer == LS_OPTIMIZER_ADAM ? "Adam" : "SGD");
  double x = ls_text_heading (s, m, area, y, _("Does it fit?"), words) + 4 * m->unit;
  const double right = area.x + area.w;
  const char *const marks[] = { _("estimated"), _("allocated") };
  const LsEvidence evidence[] = { LS_EVIDENCE_DERIVED, LS_EVIDENCE_MEASURED };
  LsStepMemory memory;
  const gboolean any = (ls_planner_is_own (p, 0) && ls_planner_allocated (p, 0, &memory))
                       || (ls_planner_is_own (p, 1) && ls_planner_allocated (p, 1, &memory));

  for (guint i = 0; i < (any ? 2 : 1); i++)
    {
      const double end = ls_text_marked (s, m, x, y, right - x, evidence[i], LS_INK_TEXT, marks[i]);
      if (end <= x)
        return y;
      x = end + 4 * m->unit;
    }
  const char *const key[] = { _("W weights, dW gradients"), NULL };
  ls_text_fit (s, x, y, right - x, m->label, LS_INK_QUIET, LS_LEFT, key);
  return y;
}

static void
say (const LsPlanner *p, LsArea area, double y, const char *words)
{
  const LsMetrics *m = &p->layout->m;

  if (ls_text_wrapped (p->layout->still, area.x, y, area.w, m->label, LS_INK_QUIET, words, FALSE)
      < area.y + area.h)
    ls_text_wrapped (p->layout->still, area.x, y, area.w, m->label, LS_INK_QUIET, words, TRUE);
}

static void
draw_rows (Plot *plot, LsArea area)
{
  const LsMetrics *m = &plot->p->layout->m;
  LsScene *s = plot->p->layout->still;
  const LsType bold = { m->label.px, 700 };
  guint batch = 0;
  double y = plot->top + m->unit;

  for (guint i = 0; i < plot->bars->len; i++)
    {
      const Bar *bar = &g_array_index (plot->bars, Bar, i);
      const gboolean first = bar->batch != batch;

      if (first && i > 0)
        y += plot->pitch - plot->bar_h;
      if (first)
        {
          g_autofree char *n = ls_number_count (bar->batch);
          ls_scene_text (s, plot->left - 2 * m->unit, y + plot->bar_h / 2 + m->label.px * .36,
                         bar->batch == plot->p->batch ? bold : m->label, LS_INK_TEXT, LS_RIGHT, n);
        }
      batch = bar->batch;
      draw_bar (plot, bar, y);
      draw_sum (plot, bar, y);
      y += plot->bar_h + 2;
    }
}

void
ls_planner_fit (LsPlanner *p, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (Bar));
  g_autofree char *nearest = ls_planner_miss (p), *miss = foot_words (p, nearest);
  Plot plot = { .p = p, .bars = bars, .end = area.x + area.w };
  const double row = MAX (m->label.px * 1.25, 16), head = m->heading.px * 1.6 + m->label.px * 1.9,
               foot = m->tick.px * 1.9;
  double room, miss_h = 0, y;
  guint groups = 0, last = 0;

  if (area.h < head + foot + row)
    return;
  y = heading (p, area);
  add_bars (&plot);
  if (bars->len == 0)
    {
      say (p, area, y,
           p->guide.work != LS_WORK_NETWORK ? _("There is no step of a network to hold.")
           : p->model == NULL && p->layout->data->recording == NULL && p->layout->data->plan == NULL
             ? _("What a step takes is told once the lanes have their plan.")
             : _("A step of this batch is larger than any that Lockstep takes."));
      return;
    }
  if (miss != NULL)
    miss_h = ls_text_wrapped (s, 0, 0, area.w - m->evidence - 2 * m->unit, m->label, LS_INK_TEXT, miss, FALSE)
             + 2 * m->unit;
  if (area.h - head - foot - miss_h < 2 * row)
    miss_h = 0;
  room = area.h - head - foot - miss_h;
  drop_bars (&plot, (guint) MAX (room / (row + 2 + m->unit), 1));
  for (guint i = 0; i < bars->len; i++)
    {
      groups += g_array_index (bars, Bar, i).batch != last;
      last = g_array_index (bars, Bar, i).batch;
    }
  plot.bar_h = MIN ((room - groups * 2 * m->unit) / bars->len - 2, row * 1.5);
  plot.pitch = plot.bar_h + MIN (MAX ((room - bars->len * (plot.bar_h + 2)) / groups, m->unit), 8 * m->unit);
  plot.top = area.y + head;
  plot.left = area.x + ls_scene_width (s, m->label, "65 536") + 2 * m->unit;
  plot.right = plot.end - ls_scene_width (s, m->label, "999 MB  ")
               - (m->size == LS_SIZE_LARGE && !m->projector ? ls_scene_width (s, m->label, "OpenCL +0.0 %")
                                                            : 0)
               - 2 * m->unit;
  const double far = reach (&plot);
  plot.unit = far >= 1e9 ? 1e9 : 1e6;
  ls_axis_init (&plot.x, 0, far / plot.unit, plot.left, plot.right, FALSE, 6);
  const double bottom = plot.top + m->unit + bars->len * (plot.bar_h + 2)
                        + (groups - 1) * (plot.pitch - plot.bar_h) + m->unit;
  ls_scene_text (s, plot.left - 2 * m->unit, plot.top - m->label.px * .5, m->tick, LS_INK_QUIET, LS_RIGHT,
                 _("batch"));
  axis (&plot, bottom);
  draw_rows (&plot, area);
  limits (&plot, bottom);
  if (miss != NULL && miss_h > 0)
    {
      const double at = bottom + foot;
      ls_scene_evidence (s, area.x, at + m->label.px * (LS_TEXT_PITCH - .36) - m->evidence / 2, m->evidence,
                         LS_EVIDENCE_MODELLED, LS_INK_TEXT);
      ls_text_wrapped (s, area.x + m->evidence + 2 * m->unit, at, area.w - m->evidence - 2 * m->unit,
                       m->label, LS_INK_TEXT, miss, TRUE);
    }
}
