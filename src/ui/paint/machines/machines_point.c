/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing in Machines: rows are picked and opened, assumptions picked, changed by their arrows, by keys, by
 * the slider, or typed.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static void
pick_row (LsMachinesState *state, gint row, gint field)
{
  state->row = row;
  state->field = field;
}

static void
open_row (LsMachinesState *state, gint row)
{
  state->open = state->open == row ? LS_MACHINES_NONE : row;
  pick_row (state, row, LS_MACHINES_NONE);
}

static LsAct
change (const LsMachines *p, LsMachinesState *state, gint row, gint field, gboolean up)
{
  const LsMachinesRow *r = &p->rows[row];
  const double now = r->assumed.value[field],
               next = ls_machines_next (&r->machine->assumptions[field], now, up);

  pick_row (state, row, field);
  if (next > now || next < now)
    ls_machines_say (state, (guint) row, (guint) field, next);
  return LS_ACT_CHANGED;
}

static LsAct
point_field (const LsMachines *p, LsMachinesState *state, double x, double y)
{
  for (guint i = 0; i < p->places->len; i++)
    {
      const LsMachinesField *f = &g_array_index (p->places, LsMachinesField, i);
      const gint row = (gint) f->row, which = (gint) f->which;

      if (ls_area_has (f->up, x, y))
        return change (p, state, row, which, TRUE);
      if (ls_area_has (f->down, x, y))
        return change (p, state, row, which, FALSE);
      if (!ls_area_has (f->area, x, y))
        continue;
      if (state->row == row && state->field == which)
        return LS_ACT_ASK;
      pick_row (state, row, which);
      return LS_ACT_CHANGED;
    }
  return LS_ACT_NONE;
}

LsAct
ls_machines_point (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsMachines *p = layout->own;
  LsMachinesState *state = query->state;
  const double line = layout->m.label.px * 1.6;
  LsAct act = point_field (p, state, x, y);

  if (act != LS_ACT_NONE)
    return act;
  if (ls_stage_slot_at (layout, LS_SLOT_SOURCE, x, y) != NULL)
    return LS_ACT_OPEN;
  if (p->slider.w > 0
      && ls_area_has ((LsArea){ p->slider.x - 7, p->slider.y, p->slider.w + 14, p->slider.h }, x, y))
    {
      const gint which = ls_machine_find_assumption (p->rows[state->open].machine, "occupancy");
      return ls_machines_say (state, (guint) state->open, (guint) which, (x - p->slider.x) / p->slider.w)
               ? LS_ACT_CHANGED
               : LS_ACT_NONE;
    }
  for (guint i = p->shown; i < p->shown + p->n_shown; i++)
    if (ls_area_has (p->rows[i].area, x, y))
      {
        open_row (state, (gint) i);
        return LS_ACT_CHANGED;
      }
  if (p->more_above > 0 && y > p->more_above - line && y < p->more_above + line * .3)
    state->first = p->shown > 2 ? p->shown - 2 : 0;
  else if (p->more_below > 0 && y > p->more_below - line && y < p->more_below + line * .3)
    state->first = MIN (p->shown + 2, LS_MACHINES_N - 1);
  else
    return LS_ACT_NONE;
  pick_row (state, LS_MACHINES_NONE, LS_MACHINES_NONE);
  return LS_ACT_CHANGED;
}

/* Along the row's fields that have a place. */
static LsAct
move_field (const LsMachines *p, LsMachinesState *state, gint by)
{
  gint at = -1, first = -1, n = 0;

  if (state->open >= 0)
    {
      state->field = ls_machines_beside (&p->rows[state->open], state->field, by);
      return LS_ACT_CHANGED;
    }

  for (guint i = 0; i < p->places->len; i++)
    {
      const LsMachinesField *f = &g_array_index (p->places, LsMachinesField, i);
      if ((gint) f->row != state->row)
        continue;
      first = first < 0 ? (gint) i : first;
      if ((gint) f->which == state->field)
        at = n;
      n++;
    }
  if (n == 0)
    return LS_ACT_NONE;
  at = at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n;
  state->field = (gint) g_array_index (p->places, LsMachinesField, (guint) (first + at)).which;
  return LS_ACT_CHANGED;
}

static LsAct
move_row (LsMachinesState *state, gint by)
{
  const gint next = state->row < 0 ? (by > 0 ? 0 : LS_MACHINES_N - 1) : state->row + by;

  if (next < 0 || next >= LS_MACHINES_N)
    return LS_ACT_NONE;
  pick_row (state, next, LS_MACHINES_NONE);
  if (state->open >= 0)
    state->open = next;
  return LS_ACT_CHANGED;
}

static LsAct
let_go (LsMachinesState *state)
{
  if (state->field >= 0)
    state->field = LS_MACHINES_NONE;
  else if (state->open >= 0)
    state->open = LS_MACHINES_NONE;
  else if (state->row >= 0)
    state->row = LS_MACHINES_NONE;
  else
    return LS_ACT_NONE;
  return LS_ACT_CHANGED;
}

LsAct
ls_machines_key (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsMachines *p = layout->own;
  LsMachinesState *state = query->state;
  const gboolean field = state->row >= 0 && state->field >= 0;

  if (p->plan == NULL)
    return LS_ACT_NONE;
  switch (key)
    {
    case LS_KEY_UP:
    case LS_KEY_DOWN:
      return field ? change (p, state, state->row, state->field, key == LS_KEY_UP)
                   : move_row (state, key == LS_KEY_DOWN ? 1 : -1);
    case LS_KEY_LEFT:
    case LS_KEY_RIGHT:
      return state->row >= 0 ? move_field (p, state, key == LS_KEY_RIGHT ? 1 : -1) : LS_ACT_NONE;
    case LS_KEY_PICK:
      if (field)
        return LS_ACT_ASK;
      open_row (state, MAX (state->row, 0));
      return LS_ACT_CHANGED;
    case LS_KEY_LET_GO:
      return let_go (state);
    case LS_KEY_DRAW: /* as it is by itself */
      if (!field || !state->said[state->row][state->field])
        return LS_ACT_NONE;
      state->said[state->row][state->field] = FALSE;
      return LS_ACT_CHANGED;
    case LS_KEY_SOURCE:
      return ls_machines_address (p, state) != NULL ? LS_ACT_OPEN : LS_ACT_NONE;
    case LS_KEY_PAGE:
      state->device = ls_machines_device (layout->data->catalogue, state->device + 1) != NULL
                        ? state->device + 1
                        : 0;
      return LS_ACT_CHANGED;
    default:
      return LS_ACT_NONE;
    }
}

/* ---- typed ---- */

char *
ls_machines_ask (const LsLayout *layout, const LsQuery *query, char **now)
{
  const LsMachines *p = layout->own;
  const LsMachinesState *state = query->state;
  const LsAssumption *row = &p->rows[state->row].machine->assumptions[state->field];
  g_autofree char *low = ls_machines_value (row, row->min), *high = ls_machines_value (row, row->max);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  *now = g_strdup (
    g_ascii_formatd (text, sizeof text, "%.6g", p->rows[state->row].assumed.value[state->field]));
  return g_strdup_printf (_("%s, %s to %s"), _(row->title), low, high);
}

gboolean
ls_machines_typed (const LsLayout *layout, LsQuery *query, const char *text)
{
  const LsMachines *p = layout->own;
  LsMachinesState *state = query->state;
  const LsAssumption *row = &p->rows[state->row].machine->assumptions[state->field];
  g_autofree char *plain = g_strdelimit (g_strdup (text), ",", '.'); /* either decimal sign */
  char *end;
  const double value = g_ascii_strtod (plain, &end);

  if (end == plain || *g_strstrip (end) != '\0' || !(value >= row->min && value <= row->max)
      || (row->whole && (value < round (value) || value > round (value))))
    return FALSE;
  ls_machines_say (state, (guint) state->row, (guint) state->field, value);
  return TRUE;
}
