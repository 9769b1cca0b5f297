/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops that a lane will do, in its place until it does them: as a list, as cells in a line, as a column.
 * See coming.h.
 */
#include "config.h"
#include "ui/paint/parts/coming.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/parts/coming_rows.h"
#include "core/number.h"

#define CELL_PAD 14 /* px: round a name in a cell, with the bar of the one that is being built */

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane; /* NULL: nobody's */
  guint side;
  GArray *rows;        /* LsComingRow */
  guint before, after; /* ops that have no row, for want of room */
  double pitch;
  double name_w;            /* of a box: an equation that is longer is written as its symbol */
  gboolean kernels, states; /* which of a row's other texts there is room for */
} List;

static LsType
kernel_type (const List *l, const LsComingRow *row)
{
  return (LsType){ l->layout->m.tick.px, ls_coming_runs (row) ? 700 : 400, TRUE };
}

static LsType
words_type (const List *l, const LsComingRow *row)
{
  return (LsType){ l->layout->m.label.px, ls_coming_runs (row) ? 700 : 400, FALSE };
}

static double
state_width (const List *l, const char *words)
{
  const LsMetrics *m = &l->layout->m;

  return ls_scene_width (l->layout->still, (LsType){ m->label.px, 700 }, words) + m->evidence + 5.5 * m->unit;
}

/* The widest of names, kernels and states, with what stands round each. */
static void
measure (const List *l, double *name, double *kernel, double *state)
{
  const LsMetrics *m = &l->layout->m;

  *kernel = *state = 0;
  *name = 26 * m->unit;
  if (l->lane != NULL && l->lane->build != NULL) /* as wide as while it compiles, so that nothing changes its
                                                    place meanwhile */
    {
      g_autofree char *widest = ls_coming_compiling ("00.0");
      *state = state_width (l, widest);
    }
  for (guint i = 0; i < l->rows->len; i++)
    {
      const LsComingRow *row = &g_array_index (l->rows, LsComingRow, i);
      g_autofree char *words = ls_coming_name (l->layout, row, l->name_w), *how = ls_coming_state (row);

      *name = MAX (*name,
                   ls_scene_width (l->layout->still, (LsType){ m->body.px, 700 }, words) + 7 * m->unit);
      if (row->build.kernel != NULL)
        *kernel = MAX (*kernel,
                       ls_scene_width (l->layout->still, (LsType){ m->tick.px, 700, TRUE }, row->build.kernel)
                         + 4 * m->unit);
      if (how != NULL)
        *state = MAX (*state, state_width (l, how));
    }
}

/* What doesn't fit is left out: long equations for symbols, then the kernels, then how far they are. Returns
 * the boxes' width. */
static double
choose_texts (List *l, double width)
{
  double name, kernel, state;

  l->name_w = 0;
  measure (l, &name, &kernel, &state);
  l->kernels = name + kernel + state <= width;
  l->states = name + state <= width;
  l->name_w = MIN (width * .38, width - (l->kernels ? kernel : 0) - (l->states ? state : 0))
              - 7 * l->layout->m.unit;
  measure (l, &name, &kernel, &state);
  return MIN (width, name);
}

static double
least_pitch (const LsLayout *layout)
{
  return layout->m.body.px * 1.3;
}

/* As many rows as there is room for: ops, then layers, then those round the one that is being built. */
static void
choose_rows (List *l, double height)
{
  const LsMetrics *m = &l->layout->m;
  const guint room = (guint) MAX (1, floor (height / least_pitch (l->layout)));
  guint at = 0, first, shown;

  l->rows = ls_coming_rows (l->layout->data, l->lane, FALSE);
  if (l->rows->len > room)
    {
      g_array_unref (l->rows);
      l->rows = ls_coming_rows (l->layout->data, l->lane, TRUE);
    }
  if (l->rows->len > room)
    {
      for (guint i = 0; i < l->rows->len; i++)
        if (g_array_index (l->rows, LsComingRow, i).build.state == LS_BUILD_RUNNING
            || g_array_index (l->rows, LsComingRow, i).next)
          {
            at = i;
            break;
          }
      shown = room > 3 ? room - 2 : 1; /* a line above and one below count the others */
      first = MIN (at - MIN (at, shown / 2), l->rows->len - shown);
      for (guint i = 0; i < l->rows->len; i++)
        if (i < first || i >= first + shown)
          *(i < first ? &l->before : &l->after) += g_array_index (l->rows, LsComingRow, i).count;
      g_array_remove_range (l->rows, first + shown, l->rows->len - first - shown);
      g_array_remove_range (l->rows, 0, first);
    }
  const guint lines = l->rows->len + (l->before > 0) + (l->after > 0);
  l->pitch = CLAMP (height / MAX (lines, 1), least_pitch (l->layout),
                    MAX (least_pitch (l->layout), 7.5 * m->unit));
}

/* Built: the lane's soft fill; being built: the same with a bar at its left edge; not begun: grey. TRUE:
 * soft. */
static gboolean
fill_row (const List *l, const LsComingRow *row, double x, double y, double w, double h)
{
  const gboolean soft = l->lane != NULL
                        && (ls_coming_runs (row) || row->build.state == LS_BUILD_DONE
                            || (row->known && row->build.state == LS_BUILD_NO_KERNEL));

  ls_scene_box (l->layout->still, x, y, w, h, soft ? LS_INK_SOFT : LS_INK_TRACK, l->side)->side
    = (guint8) (l->lane != NULL ? l->side : LS_NO_VALUE);
  if (ls_coming_runs (row))
    ls_scene_box (l->layout->still, x, y, MIN (w, h < 24 ? 5 : 8), h, LS_INK_MARK, l->side)->side
      = (guint8) l->side;
  return soft;
}

static void
draw_box (const List *l, const LsComingRow *row, double x, double y, double w)
{
  const LsMetrics *m = &l->layout->m;
  const double h = floor (l->pitch) - 2, base = y + h / 2 + m->body.px * .36;
  const gboolean soft = fill_row (l, row, x, y, w, h);
  g_autofree char *words = ls_coming_name (l->layout, row, l->name_w);
  const LsType type = { m->body.px, ls_coming_runs (row) ? 700 : 400 };

  if (4 * m->unit + ls_scene_width (l->layout->still, type, words) <= w)
    ls_scene_text (l->layout->still, x + 4 * m->unit, base, type, soft ? LS_INK_ON_SOFT : LS_INK_TEXT,
                   LS_LEFT, words)
      ->value
      = (float) l->side;
}

static void
draw_row (const List *l, const LsComingRow *row, LsArea area, double y, double box_w)
{
  LsScene *s = l->layout->still;
  const LsMetrics *m = &l->layout->m;
  const gboolean own = row->known && row->build.same_as < 0
                       && (row->build.state == LS_BUILD_DONE || row->build.state == LS_BUILD_RUNNING);
  const double base = y + (floor (l->pitch) - 2) / 2 + m->label.px * .36, right = area.x + area.w;
  g_autofree char *how = ls_coming_state (row);

  draw_box (l, row, area.x, y, box_w);
  if (l->kernels && row->build.kernel != NULL)
    ls_scene_text (s, area.x + box_w + 4 * m->unit, base, kernel_type (l, row),
                   own ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, row->build.kernel);
  if (!l->states || how == NULL)
    return;
  const double x = (double) ls_scene_text (s, right, base, words_type (l, row),
                                           own ? LS_INK_TEXT : LS_INK_QUIET, LS_RIGHT, how)
                     ->x;
  if (ls_coming_measured (row))
    ls_scene_evidence (s, x - 1.5 * m->unit - m->evidence, base - m->label.px * .36 - m->evidence / 2,
                       m->evidence, LS_EVIDENCE_MEASURED, LS_INK_QUIET);
}

/* (transfer full) */
static char *
more_words (guint n)
{
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u op more", "%u ops more", n), n);
}

static double
draw_others (const List *l, LsArea area, double y, guint n)
{
  const LsMetrics *m = &l->layout->m;
  g_autofree char *words = more_words (n);

  if (n == 0)
    return y;
  ls_scene_text (l->layout->still, area.x + 4 * m->unit, y + (floor (l->pitch) - 2) / 2 + m->label.px * .36,
                 m->label, LS_INK_QUIET, LS_LEFT, words);
  return y + floor (l->pitch);
}

double
ls_coming_list (LsLayout *layout, LsArea area, guint side)
{
  List l = { .layout = layout, .lane = &layout->data->sides[side], .side = side };
  double y = area.y, box_w;

  if (layout->data->plan == NULL || area.h < least_pitch (layout))
    return 0;
  choose_rows (&l, area.h);
  if (area.h < 3 * l.pitch) /* a row goes before the lines that count the others */
    l.before = 0;
  if (area.h < 2 * l.pitch)
    l.after = 0;
  box_w = choose_texts (&l, area.w);
  y = draw_others (&l, area, y, l.before);
  for (guint i = 0; i < l.rows->len; i++, y += floor (l.pitch))
    draw_row (&l, &g_array_index (l.rows, LsComingRow, i), area, y, box_w);
  y = draw_others (&l, area, y, l.after);
  g_array_unref (l.rows);
  return y - area.y;
}

/* "compiling gemm_packed, 0.30 s so far": of the first that is being built. (transfer full), NULL: none
 * is. */
static char *
running_words (const LsViewLane *lane)
{
  for (guint i = 0; lane->build != NULL && i < lane->build->n_ops; i++)
    {
      const LsOpBuild *op = &lane->build->ops[i];
      g_autofree char *seconds = ls_number_text (op->seconds, op->seconds < 10 ? 2 : 3);

      if (op->state == LS_BUILD_RUNNING && op->same_as < 0 && op->kernel != NULL)
        return op->seconds > 0 ? g_strdup_printf (_("compiling %s, %s s so far"), op->kernel, seconds)
                               : g_strdup_printf (_("compiling %s"), op->kernel);
    }
  return NULL;
}

static gboolean
names_fit (const List *l, double w)
{
  for (guint i = 0; i < l->rows->len; i++)
    {
      g_autofree char *name = ls_coming_name (l->layout, &g_array_index (l->rows, LsComingRow, i), l->name_w);
      if (ls_scene_width (l->layout->still, l->layout->m.label, name) + CELL_PAD >= w)
        return FALSE;
    }
  return TRUE;
}

double
ls_coming_cells (LsLayout *layout, LsArea area, guint side)
{
  List l = { .layout = layout, .lane = &layout->data->sides[side], .side = side };
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  const double h = m->label.px * 1.5, base = area.y + h / 2 + m->label.px * .36;
  g_autofree char *words = running_words (l.lane), *built = ls_coming_built (l.lane);
  double w;

  if (layout->data->plan == NULL || area.h < h)
    return 0;
  l.rows = ls_coming_rows (layout->data, l.lane, FALSE);
  if (!names_fit (&l, area.w / MAX (l.rows->len, 1)))
    {
      g_array_unref (l.rows);
      l.rows = ls_coming_rows (layout->data, l.lane, TRUE);
    }
  w = area.w / MAX (l.rows->len, 1);
  for (guint i = 0; i < l.rows->len; i++)
    {
      const LsComingRow *row = &g_array_index (l.rows, LsComingRow, i);
      const gboolean soft = fill_row (&l, row, area.x + i * w, area.y, MAX (1, w - 2), h);
      g_autofree char *name = ls_coming_name (l.layout, row, l.name_w);

      if (ls_scene_width (s, m->label, name) + CELL_PAD < w)
        ls_scene_text (s, area.x + (i + .5) * w, base, m->label, soft ? LS_INK_ON_SOFT : LS_INK_TEXT,
                       LS_CENTER, name)
          ->value
          = (float) side;
    }
  g_array_unref (l.rows);
  const double line = area.y + h + m->label.px * 1.35;
  if (area.h < h + m->label.px * 1.7)
    return h;
  if (layout->view->head_tells && built != NULL)
    area.w = (double) ls_scene_text (s, area.x + area.w, line, m->label, LS_INK_LANE, LS_RIGHT, built)->x
             - 3 * m->unit - area.x;
  if (layout->view->head_tells && built != NULL)
    ls_scene_get (s, s->items->len - 1)->value = (float) side;
  if (words == NULL || m->evidence + 1.5 * m->unit + ls_scene_width (s, m->label, words) > area.w)
    return built != NULL && layout->view->head_tells ? h + m->label.px * 1.7 : h;
  ls_scene_evidence (s, area.x, line - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED,
                     LS_INK_QUIET);
  ls_scene_text (s, area.x + m->evidence + 1.5 * m->unit, line, m->label, LS_INK_QUIET, LS_LEFT, words);
  return h + m->label.px * 1.7;
}

void
ls_coming_lists (LsLayout *layout, LsArea area)
{
  const LsViewLane *sides = layout->data->sides;
  const double plate = sides[0].message == NULL && sides[1].message == NULL ? 18 * layout->m.unit : 0;

  ls_stage_invite (layout, (LsArea){ area.x, area.y, area.w, plate });
  ls_area_below (&area, plate);
  area.h -= ls_coming_foot (layout, area, layout->m.gutter);
  for (guint side = 0; side < LS_SIDES; side++)
    if (sides[side].there)
      ls_coming_list (layout, ls_stage_lane (layout, area, side), side);
}

void
ls_coming_column (LsLayout *layout, LsArea column, double outer)
{
  List l = { .layout = layout };
  const LsMetrics *m = &layout->m;
  const gboolean left = outer < column.x;
  const double edge = left ? column.x - 3 * m->unit : column.x + column.w + 3 * m->unit,
               room = fabs (outer - edge);
  double y = column.y;

  if (layout->data->plan == NULL)
    {
      ls_scene_box (layout->still, column.x, column.y, column.w, column.h, LS_INK_TRACK, 0);
      return;
    }
  choose_rows (&l, column.h);
  l.pitch = column.h / MAX (l.rows->len + (l.before + l.after > 0), 1);
  l.name_w = room;
  if (l.before + l.after > 0)
    {
      g_autofree char *more = more_words (l.before + l.after);
      ls_scene_box (layout->still, column.x, column.y + column.h - l.pitch, column.w, l.pitch, LS_INK_TRACK,
                    0);
      if (l.pitch >= least_pitch (layout))
        ls_scene_text (layout->still, edge, column.y + column.h - l.pitch * .5 + m->body.px * .3, m->body,
                       LS_INK_QUIET, left ? LS_RIGHT : LS_LEFT, more);
    }
  for (guint i = 0; i < l.rows->len; i++, y += l.pitch)
    {
      g_autofree char *words = ls_coming_name (l.layout, &g_array_index (l.rows, LsComingRow, i), l.name_w);
      ls_scene_box (layout->still, column.x, y, column.w, MAX (2, l.pitch - 2), LS_INK_TRACK, 0);
      if (ls_scene_width (layout->still, m->body, words) <= room)
        ls_scene_text (layout->still, edge, y + l.pitch / 2 + m->body.px * .3, m->body, LS_INK_QUIET,
                       left ? LS_RIGHT : LS_LEFT, words);
    }
  g_array_unref (l.rows);
}
