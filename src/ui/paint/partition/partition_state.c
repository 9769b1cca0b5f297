/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Partition can be asked for: the tiles of the step as it was trained, or of the same step cut finer.
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <glib/gi18n-lib.h>
#include <string.h>

const LsPartitionState ls_part_first = { FALSE };

gboolean
ls_part_is_cut (const LsViewData *data, const LsQuery *query, guint side)
{
  const LsPartitionState *asked = query->state != NULL ? query->state : &ls_part_first;

  return asked->finer && data->sides[side].finer != NULL;
}

static const char *
cut (guint i)
{
  return i == 0 ? _("as trained") : i == 1 ? _("finer, for looking") : NULL;
}

static void
set_cut (LsQuery *query, guint i)
{
  LsPartitionState *asked = query->state;

  asked->finer = i > 0;
  query->hover = query->picked = LS_PICK_NONE; /* pieces of the other cut */
}

const LsViewSwitch ls_part_switches[] = { { .title = N_("Cut"), .choice = cut, .set = set_cut }, { NULL } };

static char *
read_cut (const LsViewData *data, const char *text, gpointer state)
{
  LsPartitionState *asked = state;

  asked->finer = strcmp (text, "finer") == 0;
  return asked->finer || strcmp (text, "trained") == 0 ? NULL : g_strdup (_("trained or finer"));
}

const LsViewOption ls_part_options[] = {
  { "cut", N_("CUT"),
    N_("Which tiles Partition shows: trained, those of the step, or finer, of the step run once more for "
        "looking; default trained"),
    read_cut },
  { NULL },
};
