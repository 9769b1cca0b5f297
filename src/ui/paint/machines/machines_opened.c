/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The opened model: how it works, its ops with what holds each of them up and its error, and all that it
 * assumes.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

/* ---- ops ---- */

#define COLUMNS 6

typedef struct {
  char *cells[COLUMNS]; /* op, modelled, recorded or how often a stage takes a sample or how much is padding,
                           error, share of its peak, what holds it up */
  double seconds;
} Line;

static void
line_clear (gpointer data)
{
  for (guint i = 0; i < COLUMNS; i++)
    g_free (((Line *) data)->cells[i]);
}

static int
by_seconds_cb (const void *a, const void *b)
{
  const Line *x = a, *y = b;

  return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* NAN: nothing was recorded. what: the op, or the whole step. (transfer full) */
static Line
line_of (const char *what, double seconds, double recorded, double interval, double useful, double used,
         const char *held_by)
{
  g_autofree char *padding = isnan (useful) ? NULL : ls_number_fixed (100 * (1 - useful), 0),
                  *share = isnan (used) ? NULL : ls_number_fixed (100 * used, 0),
                  *clocks = isnan (interval) ? NULL : ls_number_count ((guint64) interval);

  return (Line){
    .cells = { g_strdup (what), ls_machines_time (seconds),
               clocks != NULL
                 ? g_strdup_printf (ngettext ("%s clock", "%s clocks", (gulong) interval), clocks)
               : !isnan (recorded) ? ls_machines_time (recorded)
               : padding != NULL   ? g_strdup_printf ("%s %%", padding)
                                   : g_strdup (""),
               isnan (recorded) ? g_strdup ("") : ls_machines_error (ls_held_error (seconds, recorded)),
               share != NULL ? g_strdup_printf ("%s %%", share) : g_strdup ("–"), g_strdup (held_by) },
    .seconds = seconds,
  };
}

/* Of all ops, the one that takes longest first. (element-type Line) (transfer full) */
static GArray *
lines_of (const LsMachines *p, const LsMachinesRow *row)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (Line));
  const LsViewLane *lane = row->side >= 0 ? &p->layout->data->sides[row->side] : NULL;
  g_autofree double *here = lane != NULL && lane->held == NULL && p->layout->data->recording != NULL
                              ? ls_held_ops (p->layout->data->recording, lane->lane, p->plan)
                              : NULL;

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; i < row->run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (row->run->ops, LsMachineOp, i);
      const double recorded = here != NULL && op->op < p->plan->n_ops ? here[op->op] : (double) NAN;
      const Line line = line_of (ls_machine_op_symbol (p->plan, op->op), op->seconds, recorded, op->interval,
                                 row->side >= 0 ? (double) NAN : op->useful, op->used,
                                 _(ls_held_by_title (op->held_by)));
      g_array_append_val (lines, line);
    }
  qsort (lines->data, lines->len, sizeof (Line), by_seconds_cb);
  return lines;
}

/* A line's cell of the table of batches; row: which line. (transfer full) */
static char *
batch_cell (const LsMachineRun *run, guint row)
{
  g_autofree char *used = NULL;

  if (!run->machine->pipeline)
    {
      used = ls_number_text (100 * ls_machine_run_used (run), 2);
      return g_strdup_printf ("%s %%", used);
    }
  return row == 0 ? ls_machines_time (run->seconds) : ls_number_text (run->samples / run->interval, 3);
}

/* How it goes with other batches: the share of the machine's peak; of a pipeline, which is always near that,
 * how long a result takes and how many come, which are bought with each other. Returns the height. */
static double
draw_batches (const LsMachines *p, const LsMachinesRow *row, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double pitch = m->label.px * 1.5, step = ls_scene_width (s, m->label, "0.0064 %") + 3 * m->unit;
  const char *const share[] = { _("of its peak, by batch"), _("by batch"), NULL },
                    *const latency[] = { _("until a result is there"), _("until a result"), NULL },
                    *const rate[] = { _("samples/s"), NULL };
  const char *const *const words[] = { row->machine->pipeline ? latency : share, rate };
  const guint rows = row->machine->pipeline ? 2 : 1;
  double x = area.x + area.w - step * LS_MACHINE_N_BATCHES;

  if (area.h < (5 + rows) * pitch || (ls_machines_narrow (p) && row->side >= 0)
      || x < area.x + ls_scene_width (s, m->label, words[0][1]) + 2 * m->unit
      || isnan (ls_machine_run_used (row->run)))
    return 0;
  const double y = area.y + area.h - (1 + rows) * pitch;
  for (guint k = 0; k < rows; k++)
    ls_text_fit (s, area.x, y + m->label.px + (rows == 1 ? 0 : (k + 1) * pitch), x - area.x - 2 * m->unit,
                 m->label, LS_INK_QUIET, LS_LEFT, words[k]);
  if (rows > 1)
    ls_scene_text (s, area.x, y + m->label.px, m->tick, LS_INK_QUIET, LS_LEFT, _("batch"));
  for (guint i = 0; i < LS_MACHINE_N_BATCHES; i++)
    {
      g_autoptr (LsModelled) other = ls_machine_memo_get (p->layout->data->modelled, row->machine, p->plan,
                                                          ls_machine_batches[i], &row->assumed);

      x += step;
      if (other == NULL)
        continue;
      g_autofree char *n = ls_number_count (ls_machine_batches[i]);
      ls_scene_text (s, x, y + m->label.px, m->tick, LS_INK_QUIET, LS_RIGHT, n);
      for (guint k = 0; k < rows; k++)
        {
          g_autofree char *text = batch_cell (other->run, k);
          ls_scene_text (s, x, y + (k + 1) * pitch + m->label.px, m->label, LS_INK_TEXT, LS_RIGHT, text);
        }
    }
  return (1.6 + rows) * pitch;
}

/* Whether the weights have room on the chip, at the foot of the area. Returns the height. */
static double
draw_weights (const LsMachines *p, const LsMachinesRow *row, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  const double pitch = m->label.px * 1.5;

  g_auto (GStrv) words = ls_machines_weights (row);

  if (words[0] == NULL || area.h < 5 * pitch)
    return 0;
  ls_text_fit (p->layout->still, area.x, area.y + area.h - .4 * pitch, area.w, m->label, LS_INK_QUIET,
               LS_LEFT, (const char *const *) words);
  return 1.4 * pitch;
}

/* Right ends of the columns, 0: it isn't there; returns where what holds an op up begins. */
static double
place_columns (const LsMachines *p, const LsMachinesRow *row, const GArray *lines, guint n, LsArea area,
               const char *const heads[COLUMNS], double right[COLUMNS])
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  double x = area.x;

  for (guint k = 0; k < COLUMNS - 1; k++)
    {
      double w = ls_scene_width (s, m->tick, heads[k]);
      if (*heads[k] == '\0')
        continue;
      for (guint i = 0; i < n; i++)
        w = MAX (w, ls_scene_width (s, (LsType){ m->label.px, i + 1 == n && row->side >= 0 ? 700 : 400 },
                                    g_array_index (lines, Line, i).cells[k]));
      x += w;
      right[k] = x;
      x += 3 * m->unit;
    }
  return x;
}

static void
draw_line (const LsMachines *p, const Line *line, LsArea area, double y, const double right[COLUMNS],
           double x, LsType type)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const char *const why[] = { line->cells[COLUMNS - 1], NULL };

  for (guint k = 0; k < COLUMNS - 1; k++)
    if (right[k] > 0 && right[k] <= area.x + area.w)
      ls_scene_text (s, k == 0 ? area.x : right[k], y, type, LS_INK_TEXT, k == 0 ? LS_LEFT : LS_RIGHT,
                     line->cells[k]);
  ls_text_fit (s, x, y, area.x + area.w - x, m->label, LS_INK_QUIET, LS_LEFT, why);
}

/* The whole step beside the recorded one, which the ops' errors are to. */
static Line
whole_line (const LsMachines *p, const LsMachinesRow *row)
{
  const LsViewLane *lane = &p->layout->data->sides[row->side];
  const double recorded = lane->index != NULL && lane->held == NULL ? (double) lane->index->length_ns * 1e-9
                                                                    : (double) NAN;

  return line_of (_("this step"), row->run->seconds, recorded, (double) NAN, (double) NAN,
                  ls_machine_run_used (row->run), "");
}

static void
draw_ops (const LsMachines *p, const LsMachinesRow *row, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  g_autoptr (GArray) lines = lines_of (p, row);
  const gboolean held = row->side >= 0;
  const char *const heads[COLUMNS] = { _("op"),
                                       _("modelled"),
                                       row->machine->pipeline           ? _("a sample every")
                                       : held                           ? _("recorded")
                                       : ls_machine_run_pads (row->run) ? _("padding")
                                                                        : "",
                                       held ? _("error") : "",
                                       _("of its peak"),
                                       "" };

  area.h -= draw_batches (p, row, area);
  area.h -= draw_weights (p, row, area);
  const double pitch = m->label.px * 1.5;
  double right[COLUMNS] = { 0 };
  const guint all = lines->len,
              room = (guint) MAX ((area.h - pitch) / pitch, 0) - (held && area.h > 4 * pitch),
              n = all <= room ? all
                  : room > 0  ? room - 1
                              : 0;

  if (held && area.h > 4 * pitch)
    {
      /* below those that are drawn */
      const Line whole = whole_line (p, row);
      g_array_insert_val (lines, n, whole);
    }
  const guint drawn = n + (lines->len > all);
  const double x = place_columns (p, row, lines, drawn, area, heads, right);
  if (drawn == 0 || right[1] > area.x + area.w)
    return;
  for (guint k = 0; k < COLUMNS - 1; k++)
    if (right[k] > 0 && right[k] <= area.x + area.w)
      ls_scene_text (s, k == 0 ? area.x : right[k], area.y + m->tick.px, m->tick, LS_INK_QUIET,
                     k == 0 ? LS_LEFT : LS_RIGHT, heads[k]);
  for (guint i = 0; i < n; i++)
    draw_line (p, &g_array_index (lines, Line, i), area, area.y + pitch * (i + 1) + m->label.px, right, x,
               m->label);
  double y = area.y + pitch * (n + 1) + m->label.px;
  if (n < all)
    {
      double rest = 0;
      for (guint i = drawn; i < lines->len; i++)
        rest += g_array_index (lines, Line, i).seconds;
      g_autofree char *time = ls_machines_time (rest),
                      *words = g_strdup_printf (
                        ngettext ("and %u more: %s", "and %u more: %s in all", all - n), all - n, time);
      const char *const choices[] = { words, NULL };
      ls_text_fit (s, area.x, y, area.w, m->label, LS_INK_QUIET, LS_LEFT, choices);
      y += pitch;
    }
  if (drawn > n)
    draw_line (p, &g_array_index (lines, Line, n), area, y, right, x, (LsType){ m->label.px, 700 });
}

/* ---- the proof ---- */

/* Returns the height. */
static double
draw_proof (const LsMachines *p, guint i, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  g_autofree char *words = ls_machines_proof (p, i);

  if (words == NULL)
    return 0;
  const double height = ls_text_wrapped (p->layout->still, 0, 0, area.w - m->evidence - 6, m->label,
                                         LS_INK_TEXT, words, FALSE)
                        + 3 * m->unit;
  if (height > area.h * .4)
    return 0;
  ls_stage_change (p->layout, area.x, area.y, area.w, words, NULL);
  return height;
}

/* ---- the slider ---- */

/* How many of the warps may be at work; 0: the machine has none. */
static double
draw_slider (LsMachines *p, guint i, LsArea area)
{
  const LsMachinesRow *row = &p->rows[i];
  const gint which = ls_machine_find_assumption (row->machine, "occupancy");
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double h = MAX (m->control_h > 0 ? 24 : 0, m->label.px * 1.6), y = area.y + h / 2;
  const char *title = _("warps in flight, at most");
  const double text = ls_scene_width (s, m->label, title) + 3 * m->unit;

  if (which < 0 || area.h < h || area.w < text * 1.6)
    return 0;
  const double share = row->assumed.value[which];
  g_autofree char *number = ls_number_fixed (100 * share, 0), *percent = g_strdup_printf ("%s %%", number);
  const double end = ls_scene_width (s, m->label, "100 %") + 3 * m->unit, w = area.w - text - end;

  ls_scene_text (s, area.x, y + m->label.px * .36, m->label, LS_INK_QUIET, LS_LEFT, title);
  p->slider = (LsArea){ area.x + text, area.y, w, h };
  ls_scene_box (s, p->slider.x, y - 2, w, 4, LS_INK_TRACK, 0)->size = 2;
  ls_scene_box (s, p->slider.x, y - 2, w * share, 4, LS_INK_TEXT, 0)->size = 2;
  ls_scene_box (s, p->slider.x + w * share - 7, y - 7, 14, 14, LS_INK_TEXT, 0)->size = 7;
  ls_scene_text (s, p->slider.x + w + 3 * m->unit, y + m->label.px * .36, m->label, LS_INK_TEXT, LS_LEFT,
                 percent);
  return h + m->unit;
}

/* ---- */

double
ls_machines_slow (const LsMachines *p, guint i)
{
  const double times = p->seconds > 0 ? p->end / p->rows[i].run->seconds : 1;

  return times > 2 ? times : 1;
}

/* Where its bar is short on the common axis, once more on a clock of its own. */
static double
place_own (LsMachines *p, const LsMachinesRow *row, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  g_autofree char *times = ls_number_text (p->end / row->run->seconds, 2),
                  *words = g_strdup_printf (_("drawn %s times as long:"), times);
  const LsType type = m->label;
  const double text = ls_scene_width (p->layout->still, type, words) + 3 * m->unit;

  if (p->end < 2 * row->run->seconds || text > area.w * .4 || area.h < 14 * p->bar_h)
    return 0;
  ls_scene_text (p->layout->still, area.x, area.y + p->bar_h / 2 + type.px * .36, type, LS_INK_QUIET, LS_LEFT,
                 words);
  p->own = (LsArea){ area.x + text, area.y, area.w - text, p->bar_h };
  return p->bar_h + 3 * m->unit;
}

void
ls_machines_opened (LsMachines *p)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const guint i = (guint) p->asked->open;
  const LsMachinesRow *row = &p->rows[i];
  LsArea area = { p->body.x + 3 * m->unit, p->body.y + m->unit, p->body.w - 4 * m->unit,
                  p->body.h - 2 * m->unit };
  const gboolean narrow = ls_machines_narrow (p);
  /* ops that can be held against a lane's are worth more than how the machine works */
  const double share = !narrow ? 1 : row->side >= 0 ? .3 : .68;
  const double gap = 5 * m->unit, all = area.w - 2 * gap;
  double y;

  if (area.h < 4 * m->label.px || row->run == NULL)
    return;
  y = ls_text_wrapped (s, area.x, area.y, area.w, m->label, LS_INK_TEXT, _(row->machine->about), TRUE)
      + 2 * m->unit;
  ls_area_below (&area, y - area.y);
  ls_area_below (&area, draw_proof (p, i, area));
  ls_area_below (&area, place_own (p, row, area));
  p->picture = (LsArea){ area.x, area.y, narrow ? area.w * .46 : all * .27, area.h * share };
  ls_area_below (&p->picture, draw_slider (p, i, p->picture));
  ls_area_below (&p->picture, ls_machines_converted (p, i, p->picture));
  if (narrow)
    {
      draw_ops (p, row,
                (LsArea){ area.x, area.y + area.h * (share + .03), area.w * .46, area.h * (.97 - share) });
      ls_machines_list (p, i, (LsArea){ area.x + area.w * .46 + gap, area.y, area.w * .54 - gap, area.h });
      return;
    }
  draw_ops (p, row, (LsArea){ area.x + all * .27 + gap, area.y, all * .42, area.h });
  ls_machines_list (p, i, (LsArea){ area.x + all * .69 + 2 * gap, area.y, all * .31, area.h });
}

void
ls_machines_explain (LsMachines *p, double now)
{
  const LsMetrics *m = &p->layout->m;
  const double words_h = (ls_machines_narrow (p) ? 3 : 7) * m->label.px * LS_TEXT_PITCH + m->label.px * .3
                         + m->unit;
  LsArea area = p->picture;
  const guint i = (guint) p->asked->open;
  const double slow = ls_machines_slow (p, i);
  g_autofree char *words = NULL, *times = ls_number_text (slow, 2);

  now /= slow;
  if (p->own.w > 0)
    ls_machines_bar_alone (p, i, p->own, now);
  /* words go first where there is little room */
  area.h = MIN (area.h - words_h > 2 * m->label.px ? area.h - words_h : area.h, 18 * m->label.px);
  words = ls_machines_picture (p, i, &area, now, TRUE);
  if (words != NULL && slow > 1)
    {
      g_autofree char *alone = g_steal_pointer (&words);
      if (g_str_has_suffix (alone, "."))
        alone[strlen (alone) - 1] = '\0';
      words = g_strdup_printf (_("%s. Drawn %s times slower than the clock."), alone, times);
    }
  if (words != NULL
      && ls_text_wrapped (p->layout->moving, 0, area.y + area.h + m->unit, p->picture.w, m->label,
                          LS_INK_TEXT, words, FALSE)
             + m->label.px * .3
           <= p->picture.y + p->picture.h)
    ls_text_wrapped (p->layout->moving, area.x, area.y + area.h + m->unit, p->picture.w, m->label,
                     LS_INK_TEXT, words, TRUE);
}
