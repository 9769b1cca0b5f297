/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model's row: its name with whose figures it has, the place of its picture, a sentence below its bar.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/parts/text.h"

/* "NVIDIA A100", "as measured here", "as assumed". */
static const char *
whose (const LsMachinesRow *row)
{
  for (guint i = 0; i < row->machine->n_assumptions; i++)
    if (row->assumed.from[i] == LS_ASSUMED_OWN)
      return _("as said here");
  return row->device != NULL ? row->device->name : row->side >= 0 ? _("as measured here") : _("as assumed");
}

/* The longest on as many lines as there is room for, or the longest on one. */
static void
say (const LsMachines *p, const LsMachinesRow *row, const char *const *choices, LsInk ink)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double top = row->bar.y + row->bar.h;

  if (ls_text_wrapped (s, p->clock.x, top, p->clock.w, m->label, ink, choices[0], FALSE) + m->label.px * .3
      < row->area.y + row->area.h)
    ls_text_wrapped (s, p->clock.x, top, p->clock.w, m->label, ink, choices[0], TRUE);
  else
    ls_text_fit (s, p->clock.x, top + m->label.px * 1.25, p->clock.w, m->label, ink, LS_LEFT, choices);
}

void
ls_machines_row (LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsArea area = row->area;
  const double x = area.x + 3 * m->unit, base = row->bar.y + row->bar.h / 2 + m->strong.px * .36,
               text_x = x + m->evidence + 2 * m->unit,
               room = p->name.x + p->name.w - text_x - ls_machines_picture_width (p) - 2 * m->unit,
               detail = base + m->tick.px * 1.45;
  /* "NVIDIA A100 SXM4 40 GB", "A100 SXM4 40 GB", "A100" */
  const char *const full = whose (row), *const space = row->device != NULL ? strchr (full, ' ') : NULL;
  g_auto (GStrv) words = g_strsplit (space != NULL ? space + 1 : "", " ", 2);
  const char *const titles[] = { _(row->machine->title), NULL }, *const details[] = {
    full, space != NULL ? space + 1 : NULL, words[0], NULL
  };
  const gboolean picked = p->asked->row == (gint) i && p->asked->field >= 0 && p->asked->open < 0;
  g_auto (GStrv) sentences = ls_machines_sentences (p, i);
  g_auto (GStrv) told = picked ? ls_machines_told (p, i, (guint) p->asked->field) : NULL;

  if (p->asked->row == (gint) i || p->asked->open == (gint) i)
    ls_scene_box (s, area.x - m->unit, area.y + 1, area.w + 2 * m->unit, area.h - 2, LS_INK_SIDEBAR, 0)->size
      = 4;
  ls_scene_evidence (s, x, base - m->strong.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MODELLED,
                     LS_INK_TEXT);
  ls_text_fit (s, text_x, base, room, m->strong, LS_INK_TEXT, LS_LEFT, titles);
  if (detail + m->tick.px * .3 < area.y + area.h)
    ls_text_fit (s, text_x, detail, room, m->tick, LS_INK_QUIET, LS_LEFT, details);
  ls_machines_bar (p, i);
  say (p, row, (const char *const *) (picked ? told : sentences), picked ? LS_INK_TEXT : LS_INK_QUIET);
  if (p->asked->open != (gint) i)
    ls_machines_fields (p, i);
  if (i + 1 < p->shown + p->n_shown)
    ls_scene_box (s, area.x, area.y + area.h - p->layout->style.hairline, area.w, p->layout->style.hairline,
                  LS_INK_HAIRLINE, 0);
}
