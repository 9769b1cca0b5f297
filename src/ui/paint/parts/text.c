/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See text.h.
 */
#include "ui/paint/parts/text.h"

gboolean
ls_text_fit (LsScene *s, double x, double y, double w, LsType type, LsInk ink, LsAlign align,
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
ls_text_heading (LsScene *s, const LsMetrics *m, LsArea area, double y, const char *heading,
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
ls_text_marked (LsScene *s, const LsMetrics *m, double x, double y, double w, LsEvidence evidence, LsInk ink,
                const char *text)
{
  if (m->evidence + 7 + ls_scene_width (s, m->label, text) > w)
    return x;
  ls_scene_evidence (s, x, y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_TEXT);
  return ls_item_right (ls_scene_text (s, x + m->evidence + 7, y, m->label, ink, LS_LEFT, text));
}

char *
ls_text_cut (const LsScene *s, LsType type, double w, const char *text)
{
  g_autofree char *head = g_strdup (text);
  g_autoptr (GString) cut = g_string_new (text);

  while (ls_scene_width (s, type, cut->str) > w)
    {
      char *end = g_utf8_find_prev_char (head, head + strlen (head));

      if (end == NULL || end == head)
        return g_strdup ("");
      *end = '\0';
      g_string_printf (cut, "%s…", head);
    }
  return g_strdup (cut->str);
}

char **
ls_text_lines (const LsScene *s, LsType type, double w, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GPtrArray *lines = g_ptr_array_new ();
  char *line = g_strdup ("");

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *longer = *line != '\0' ? g_strdup_printf ("%s %s", line, words[i]) : g_strdup (words[i]);

      if (*line != '\0' && ls_scene_width (s, type, longer) > w)
        {
          g_ptr_array_add (lines, line);
          g_free (longer);
          longer = g_strdup (words[i]);
        }
      else
        g_free (line);
      line = longer;
    }
  g_ptr_array_add (lines, line);
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

double
ls_text_wrapped (LsScene *s, double x, double y, double w, LsType type, LsInk ink, const char *text,
                 gboolean draw)
{
  g_auto (GStrv) lines = ls_text_lines (s, type, w, text);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      y += type.px * LS_TEXT_PITCH;
      if (draw)
        ls_scene_text (s, x, y, type, ink, LS_LEFT, lines[i]);
    }
  return y;
}
