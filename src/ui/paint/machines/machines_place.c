/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns and rows: the measured pair always, below it as many models as have room, or the opened one alone
 * with what is below it.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

/* Shares of the width. */
static const struct {
  double name, fields;
} columns[] = {
  [LS_SIZE_SMALL] = { .25, .21 },
  [LS_SIZE_MEDIUM] = { .25, .29 },
  [LS_SIZE_LARGE] = { .23, .32 },
};

static void
place_columns (LsMachines *p, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  const double name = m->projector ? .3 : columns[m->size].name,
               fields = m->projector ? .2 : columns[m->size].fields, gap = 3 * m->unit;

  p->name = (LsArea){ area.x, area.y, area.w * name - gap, area.h };
  p->fields = (LsArea){ area.x + area.w * (1 - fields), area.y, area.w * fields, area.h };
  p->clock = (LsArea){ area.x + area.w * name, area.y, area.w * (1 - name - fields) - gap, area.h };
}

/* What a model's row takes at least: name and detail, bar and sentence, a field with its title. */
static double
row_height (const LsMachines *p)
{
  const LsMetrics *m = &p->layout->m;
  const double bar = p->bar_h + m->label.px * 1.5, names = m->strong.px * 1.3 + m->tick.px * 1.5,
               field = m->tick.px * 1.35 + MAX (m->label.px * 1.6, m->control_h > 0 ? 24 : 0);

  return MAX (bar, MAX (names, field)) + 3 * m->unit;
}

/* So many of those from `first` on have room. */
static guint
fit (const LsMachines *p, guint first, double room, double height, double more)
{
  const double left = room - (first > 0 ? more : 0);
  guint n = (guint) MAX (left / height, 0);

  if (n < LS_MACHINES_N - first)
    n = (guint) MAX ((left - more) / height, 0);
  return MIN (n, LS_MACHINES_N - first);
}

static void
place_rows (LsMachines *p, double y, double bottom)
{
  const LsMetrics *m = &p->layout->m;
  const double more = m->label.px * 1.6, least = row_height (p), room = bottom - y;
  double height;

  p->shown = MIN (p->asked->first, LS_MACHINES_N - 1);
  if (p->asked->row >= 0)
    p->shown = MIN (p->shown, (guint) p->asked->row);
  while (p->asked->row >= 0 && p->shown < (guint) p->asked->row
         && (guint) p->asked->row >= p->shown + fit (p, p->shown, room, least, more))
    p->shown++;
  while (p->shown > 0 && fit (p, p->shown - 1, room, least, more) == LS_MACHINES_N - p->shown + 1)
    p->shown--;
  p->n_shown = fit (p, p->shown, room, least, more);
  if (p->n_shown == 0)
    return;
  if (p->shown > 0)
    {
      p->more_above = y + m->label.px * 1.2;
      y += more;
    }
  if (p->shown + p->n_shown < LS_MACHINES_N)
    bottom -= more;
  height = MIN ((bottom - y) / p->n_shown, least * 1.6);
  for (guint i = 0; i < p->n_shown; i++, y += height)
    p->rows[p->shown + i].area = (LsArea){ p->name.x, y, p->fields.x + p->fields.w - p->name.x, height };
  if (p->shown + p->n_shown < LS_MACHINES_N)
    p->more_below = y + m->label.px * 1.2;
}

/* The opened one, and all that is left below it. */
static void
place_opened (LsMachines *p, double y, double bottom)
{
  const double height = MIN (row_height (p), bottom - y);
  const LsArea area = { p->name.x, y, p->fields.x + p->fields.w - p->name.x, height };

  p->shown = (guint) p->asked->open;
  p->n_shown = height > 0;
  p->rows[p->shown].area = area;
  p->body = (LsArea){ area.x, y + height, area.w, MAX (bottom - y - height, 0) };
}

void
ls_machines_place (LsMachines *p, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  const double head = MAX (m->control_h, m->heading.px * 1.9), bottom = area.y + area.h;
  double y = area.y + head;

  place_columns (p, area);
  p->ticks_y = area.y + head / 2 + m->heading.px * .36;
  p->bar_h = MAX (m->label.px * 1.6, m->control_h > 0 ? 22 : 0);
  /* in a large picture bars grow with their rows */
  const double rows = LS_SIDES + LS_MACHINES_N,
               spare = area.h - head - LS_SIDES * (p->bar_h + 2 * m->unit) - LS_MACHINES_N * row_height (p);
  p->bar_h = CLAMP (p->bar_h + spare / rows * .45, p->bar_h, 4 * m->label.px);
  for (guint side = 0; side < LS_SIDES; side++)
    if (p->layout->data->sides[side].there)
      {
        p->lanes[side] = (LsArea){ p->name.x, y, area.w, p->bar_h + 2 * m->unit };
        y += p->lanes[side].h;
      }
  y += m->unit;
  p->body = (LsArea){ 0 };
  if (p->asked->open >= 0)
    place_opened (p, y + m->unit, bottom);
  else
    place_rows (p, y, bottom);
  for (guint i = 0; i < p->n_shown; i++)
    {
      LsMachinesRow *row = &p->rows[p->shown + i];
      row->bar = (LsArea){ p->clock.x, row->area.y + 1.5 * m->unit, p->clock.w, p->bar_h };
    }
}
