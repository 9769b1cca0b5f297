/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of Tiles that must fit: a shorter wording takes the longer one's place, and what still doesn't fit is
 * left out.
 */
#include "ui/paint/tiles.h"

gboolean
ls_tiles_say (LsScene *s, double x, double y, double w, LsType type, LsInk ink, LsAlign align,
              const char *const *choices)
{
  for (; *choices != NULL; choices++)
    if (ls_scene_width (s, type, *choices) <= w)
      {
        ls_scene_text (s, x, y, type, ink, align, *choices);
        return TRUE;
      }
  return FALSE;
}

double
ls_tiles_heading (LsScene *s, const LsMetrics *m, LsArea area, double y, const char *heading,
                  const char *words)
{
  const double right = area.x + area.w;
  double x = area.x;

  if (x + ls_scene_width (s, m->heading, heading) <= right)
    x = ls_item_right (ls_scene_text (s, x, y, m->heading, LS_INK_TEXT, LS_LEFT, heading));
  if (words != NULL && x + 3 * m->unit + ls_scene_width (s, m->label, words) <= right)
    x = ls_item_right (ls_scene_text (s, x + 3 * m->unit, y, m->label, LS_INK_QUIET, LS_LEFT, words));
  return x;
}

double
ls_tiles_marked (LsScene *s, const LsMetrics *m, double x, double y, double w, LsEvidence evidence, LsInk ink,
                 const char *text)
{
  if (m->evidence + 7 + ls_scene_width (s, m->label, text) > w)
    return x;
  ls_scene_evidence (s, x, y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_TEXT);
  return ls_item_right (ls_scene_text (s, x + m->evidence + 7, y, m->label, ink, LS_LEFT, text));
}

double
ls_tiles_wrapped (LsScene *s, double x, double y, double w, LsType type, LsInk ink, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s %s", line->str, words[i])
                                              : g_strdup (words[i]);
      if (line->len > 0 && ls_scene_width (s, type, longer) > w)
        {
          y += type.px * 1.35;
          ls_scene_text (s, x, y, type, ink, LS_LEFT, line->str);
          g_string_assign (line, words[i]);
        }
      else
        g_string_assign (line, longer);
    }
  y += type.px * 1.35;
  ls_scene_text (s, x, y, type, ink, LS_LEFT, line->str);
  return y;
}
