/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model assumes, as fields that can be changed: title, value with unit, an arrow up and one down. The
 * one whose half or double moves the end most says by how much.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

char *
ls_machines_value (const LsAssumption *row, double value)
{
  g_autofree char *number = row->whole && value >= 1000 ? ls_number_count ((guint64) value)
                                                        : ls_number_brief (value, 4);

  return *row->unit != '\0' ? g_strdup_printf ("%s %s", number, _(row->unit)) : g_steal_pointer (&number);
}

static LsEvidence
evidence_of (LsAssumedFrom from)
{
  return from == LS_ASSUMED_PUBLISHED  ? LS_EVIDENCE_PUBLISHED
         : from == LS_ASSUMED_MEASURED ? LS_EVIDENCE_MEASURED
                                       : LS_EVIDENCE_MODELLED;
}

static double
box_height (const LsMachines *p)
{
  const LsMetrics *m = &p->layout->m;

  return MAX (m->label.px * 1.6, m->control_h > 0 ? 24 : 0);
}

static void
triangle (LsScene *s, double x, double y, double size, gboolean up, LsInk ink)
{
  ls_scene_path (s, LS_ITEM_AREA, ink, 0, 0);
  ls_scene_point (s, x - size / 2, y + (up ? size / 2 : -size / 2) * .8);
  ls_scene_point (s, x + size / 2, y + (up ? size / 2 : -size / 2) * .8);
  ls_scene_point (s, x, y + (up ? -size / 2 : size / 2) * .8);
}

/* The box with the value; returns its right end, x where it has no room. */
static double
value_box (LsMachines *p, guint i, guint which, double x, double y, double w)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsAssumption *assumption = &row->machine->assumptions[which];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const gboolean own = row->assumed.from[which] == LS_ASSUMED_OWN,
                 picked = p->asked->row == (gint) i && p->asked->field == (gint) which,
                 changes = !m->projector && !p->layout->query.chrome;
  const LsType type = { m->label.px, own ? 700 : 400 };
  g_autofree char *value = ls_machines_value (assumption, row->assumed.value[which]);
  const double h = box_height (p), arrows = changes ? MAX (h * .62, 24) : 0, pad = 2 * m->unit,
               width = pad + ls_scene_width (s, type, value) + (changes ? arrows : pad);
  LsMachinesField field = { .row = i, .which = which, .area = { x, y, width, h } };

  if (width > w)
    return x;
  ls_scene_box (s, x, y, width, h, picked ? LS_INK_CHOSEN : LS_INK_TRACK, 0)->size = 4;
  ls_scene_box (s, x + 2, y + h - (picked ? 2 : 1), width - 4, picked ? 2 : 1, LS_INK_TEXT, 0);
  ls_scene_text (s, x + pad, y + h / 2 + type.px * .36, type, LS_INK_TEXT, LS_LEFT, value);
  if (changes)
    {
      const double at = x + width - arrows / 2, size = h * .26;
      triangle (s, at, y + h * .3, size, TRUE, LS_INK_QUIET);
      triangle (s, at, y + h * .7, size, FALSE, LS_INK_QUIET);
      field.up = (LsArea){ x + width - arrows, y - 3, arrows, h / 2 + 3 };
      field.down = (LsArea){ x + width - arrows, y + h / 2, arrows, h / 2 + 3 };
    }
  g_array_append_val (p->places, field);
  return x + width;
}

/* By how much the one that moves the end most does. (transfer full) */
static char *
moves_by (const LsMachinesRow *row)
{
  g_autofree char *time = ls_machines_time (row->moves_s);

  return g_strdup_printf ("±%s", time);
}

double
ls_machines_field (LsMachines *p, guint i, guint which, double x, double y, double w)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const char *title = _(row->machine->assumptions[which].title);
  const double top = y + m->tick.px * 1.35, least = ls_scene_width (s, m->tick, title);
  double right, end;

  if (least > w)
    return x;
  right = value_box (p, i, which, x, top, w);
  if (right <= x)
    return x;
  ls_scene_text (s, x, y + m->tick.px, m->tick, LS_INK_QUIET, LS_LEFT, title);
  end = MAX (right, x + least);
  if (row->moves == (gint) which)
    {
      const LsType bold = { m->label.px, 700 };
      g_autofree char *by = moves_by (row);
      const double at = right + 1.5 * m->unit, by_w = ls_scene_width (s, bold, by);

      if (at + by_w <= x + w)
        {
          ls_scene_text (s, at, top + box_height (p) / 2 + bold.px * .36, bold, LS_INK_TEXT, LS_LEFT, by);
          end = MAX (end, at + by_w);
        }
    }
  return end;
}

/* The one that moves its end most first where there is room for few; never one twice. */
void
ls_machines_fields (LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsMetrics *m = &p->layout->m;
  const double y = row->area.y + m->unit, end = p->fields.x + p->fields.w;
  double x = p->fields.x;
  guint which[4], n = 0;

  for (guint k = 0; k < G_N_ELEMENTS (row->machine->shown); k++)
    if ((gint) row->machine->shown[k] != row->moves)
      which[n++] = row->machine->shown[k];
  if (row->moves >= 0)
    {
      for (guint k = n; k > 0; k--)
        which[k] = which[k - 1];
      which[0] = (guint) row->moves;
      n++;
    }
  for (guint k = 0; k < MIN (n, 3); k++)
    {
      const double right = ls_machines_field (p, i, which[k], x, y, end - x);
      if (right > x)
        x = right + 4 * m->unit;
    }
}

/* ---- all of them ---- */

/* Whose word the value of one is; of what was published in full, or its title alone. (transfer full) */
static char *
source_of (const LsMachinesRow *row, guint which, gboolean full)
{
  const LsHardwareFigure *figure = row->assumed.of[which];
  g_autofree char *page = NULL;

  switch (row->assumed.from[which])
    {
    case LS_ASSUMED_PUBLISHED:
      page = ls_assumed_follows (&row->assumed, which)
               ? g_strdup_printf (_("follows from %s"), figure->source->title)
               : g_strdup (figure->source->title);
      return full ? g_strdup_printf (_("%s: %s, seen on %s (O opens it)"), row->device->name, page,
                                     figure->source->seen)
                  : g_steal_pointer (&page);
    case LS_ASSUMED_MEASURED:
      return g_strdup (_("measured here"));
    case LS_ASSUMED_OWN:
      return g_strdup (_("as said here; D takes it back"));
    case LS_ASSUMED_DEFAULT:
    default:
      return g_strdup (_(row->machine->assumptions[which].source));
    }
}

char **
ls_machines_told (const LsMachines *p, guint i, guint which)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsAssumption *assumption = &row->machine->assumptions[which];
  GPtrArray *out = g_ptr_array_new ();
  g_autofree char *low = ls_machines_value (assumption, assumption->min),
                  *high = ls_machines_value (assumption, assumption->max);
  const char *title = _(assumption->title);
  g_autofree char *full = source_of (row, which, TRUE), *source = source_of (row, which, FALSE);

  g_ptr_array_add (out, g_strdup_printf (_("%s: %s; from %s to %s"), title, full, low, high));
  g_ptr_array_add (out, g_strdup_printf ("%s: %s", title, full));
  g_ptr_array_add (out, g_strdup_printf ("%s: %s", title, source));
  g_ptr_array_add (out, g_steal_pointer (&source));
  g_ptr_array_add (out, g_strdup_printf (_("from %s to %s"), low, high));
  g_ptr_array_add (out, NULL);
  return (char **) g_ptr_array_free (out, FALSE);
}

const char *
ls_machines_address (const LsMachines *p, const LsMachinesState *state)
{
  const LsHardwareFigure *figure = state->row >= 0 && state->field >= 0
                                     ? p->rows[state->row].assumed.of[state->field]
                                     : NULL;

  return figure != NULL && p->rows[state->row].assumed.from[state->field] == LS_ASSUMED_PUBLISHED
           ? figure->source->address
           : NULL;
}

/* The k-th that is listed: the one that moves the end most first. */
static guint
listed (const LsMachinesRow *row, guint k)
{
  return row->moves < 0 || k > (guint) row->moves ? k : k == 0 ? (guint) row->moves : k - 1;
}

/* What the box of that value takes, with the gap before it. */
static double
value_width (const LsMachines *p, const LsMachinesRow *row, guint which)
{
  const LsMetrics *m = &p->layout->m;
  g_autofree char *text = ls_machines_value (&row->machine->assumptions[which], row->assumed.value[which]);

  return ls_scene_width (p->layout->still, (LsType){ m->label.px, 700 }, text) + 5 * m->unit
         + MAX (box_height (p) * .62, 24);
}

static double
line_width (const LsMachines *p, const LsMachinesRow *row, guint which)
{
  const LsMetrics *m = &p->layout->m;

  return m->evidence + 6
         + ls_scene_width (p->layout->still, (LsType){ m->label.px, 700 },
                           _(row->machine->assumptions[which].title))
         + value_width (p, row, which);
}

static void
list_one (LsMachines *p, guint i, guint which, double x, double y, double w)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const char *const titles[] = { _(row->machine->assumptions[which].title),
                                 row->machine->assumptions[which].name, NULL };
  const double base = y + box_height (p) / 2 + m->label.px * .36, value = value_width (p, row, which);
  const LsType bold = { m->label.px, 700 };
  double by_w = 0;

  if (row->moves == (gint) which)
    {
      g_autofree char *by = moves_by (row);
      by_w = ls_scene_width (s, bold, by) + 2 * m->unit;
      if (m->evidence + 6 + ls_scene_width (s, bold, titles[0]) + 2 * m->unit + by_w + value <= w)
        ls_scene_text (s, x + w - value, base, bold, LS_INK_TEXT, LS_RIGHT, by);
      else
        by_w = 0;
    }
  ls_scene_evidence (s, x, base - m->label.px * .36 - m->evidence / 2, m->evidence,
                     evidence_of (row->assumed.from[which]), LS_INK_QUIET);
  ls_text_fit (s, x + m->evidence + 6, base, w - value - by_w - m->evidence - 6,
               row->moves == (gint) which ? bold : m->label, LS_INK_TEXT, LS_LEFT, titles);
  value_box (p, i, which, x + w - value + 3 * m->unit, y, value - 3 * m->unit);
}

/* As many as have room, the picked one among them; in two columns, where these are wide enough. */
void
ls_machines_list (LsMachines *p, guint i, LsArea area)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const guint n = row->machine->n_assumptions;
  const double h = box_height (p), foot = p->asked->field >= 0 ? m->label.px * LS_TEXT_PITCH * 2.4 : 0,
               gap = 4 * m->unit;
  double widest = 0, room = area.h - foot, line = m->label.px * 1.6;
  guint columns, rows, first = 0, shown;

  for (guint k = 0; k < n; k++)
    widest = MAX (widest, line_width (p, row, k));
  columns = n * (h + 2) > room && 2 * widest + gap <= area.w ? 2 : 1;
  rows = (guint) MAX (room / (h + 2), 0);
  if (rows * columns < n)
    rows = (guint) MAX ((room - line) / (h + 2), 0);
  if (rows == 0)
    return;
  shown = MIN (n, rows * columns);
  rows = (shown + columns - 1) / columns;
  for (guint k = 0; k < n && p->asked->field >= 0; k++)
    if ((gint) listed (row, k) == p->asked->field && k >= shown)
      first = k + 1 - shown;
  const double w = (area.w - (columns - 1) * gap) / columns,
               pitch = MIN ((room - (shown < n ? line : 0)) / rows, h + 1.5 * m->unit);
  for (guint k = 0; k < shown; k++)
    list_one (p, i, listed (row, first + k), area.x + (k / rows) * (w + gap), area.y + (k % rows) * pitch, w);
  if (shown < n)
    {
      g_autofree char *more = g_strdup_printf (ngettext ("← → %u more", "← → %u more", n - shown), n - shown);
      ls_scene_text (s, area.x, area.y + rows * pitch + m->label.px * 1.1, m->label, LS_INK_QUIET, LS_LEFT,
                     more);
    }
  if (foot > 0)
    {
      g_auto (GStrv) told = ls_machines_told (p, i, (guint) p->asked->field);
      for (guint k = 0; told[k] != NULL; k++)
        if (ls_text_wrapped (s, 0, 0, area.w, m->label, LS_INK_QUIET, told[k], FALSE) <= foot)
          {
            ls_text_wrapped (s, area.x, area.y + area.h - foot, area.w, m->label, LS_INK_QUIET, told[k],
                             TRUE);
            if (ls_machines_address (p, p->asked) != NULL && !p->layout->query.chrome)
              ls_stage_slot (p->layout, LS_SLOT_SOURCE, -1, 0, area.x, area.y + area.h - foot, area.w, foot);
            break;
          }
    }
}

gint
ls_machines_beside (const LsMachinesRow *row, gint field, gint by)
{
  const gint n = (gint) row->machine->n_assumptions;
  gint at = by > 0 ? -1 : n;

  for (gint k = 0; k < n && field >= 0; k++)
    if ((gint) listed (row, (guint) k) == field)
      at = k;
  return (gint) listed (row, (guint) ((at + by + n) % n));
}
