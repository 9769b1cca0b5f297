/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See folds.h.
 */
#include "config.h"
#include "ui/paint/parts/folds.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#define LEAST 8.0 /* px: of a place that can be clicked */

gboolean
ls_folds_open (const LsFolds *folds, guint chain)
{
  return folds != NULL
         && (folds->each
             || (chain < LS_FOLDS_MOST && (folds->opened & (G_GUINT64_CONSTANT (1) << chain)) != 0));
}

void
ls_folds_slot (LsLayout *layout, guint side, guint chain, LsArea area)
{
  const double w = MAX (area.w, LEAST), h = MAX (area.h, LEAST);

  if (chain < LS_FOLDS_MOST && !layout->query.chrome)
    ls_stage_slot (layout, LS_SLOT_FOLD, (gint) side, chain, area.x - (w - area.w) / 2,
                   area.y - (h - area.h) / 2, w, h);
}

LsAct
ls_folds_point (const LsLayout *layout, double x, double y, LsFolds *folds)
{
  const LsSlot *slot = ls_stage_slot_at (layout, LS_SLOT_FOLD, x, y);

  if (slot == NULL)
    return LS_ACT_NONE;
  if (folds->each) /* but for the one */
    *folds = (LsFolds){ .opened = G_MAXUINT64 };
  folds->opened ^= G_GUINT64_CONSTANT (1) << slot->op;
  return LS_ACT_CHANGED;
}

LsAct
ls_folds_key (LsViewKey key, guint n, LsFolds *folds)
{
  const guint64 all = n >= LS_FOLDS_MOST ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1;

  if (key != LS_KEY_PAGE || n == 0 || folds->each)
    return LS_ACT_NONE;
  folds->opened &= all; /* where all but one were open there may be more */
  if (folds->opened == 0)
    folds->opened = 1;
  else if (folds->opened == all)
    folds->opened = 0;
  else /* the next one, if only one is open */
    folds->opened = (folds->opened & (folds->opened - 1)) == 0 && (folds->opened << 1 & all) != 0
                      ? folds->opened << 1
                      : all;
  return LS_ACT_CHANGED;
}

char *
ls_folds_read (const char *text, LsFolds *folds)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  LsFolds read = { .each = strcmp (text, "each") == 0 };

  for (guint i = 0; !read.each && strcmp (text, "folded") != 0 && (words[i] != NULL || i == 0); i++)
    {
      guint64 number;

      if (words[i] == NULL || !g_ascii_string_to_unsigned (words[i], 10, 1, LS_FOLDS_MOST, &number, NULL))
        return g_strdup (_("folded, each, or which blocks are open, such as 1,2"));
      read.opened |= G_GUINT64_CONSTANT (1) << (number - 1);
    }
  *folds = read;
  return NULL;
}
