/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be chosen in Race: whether a layer's time steps are one block.
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <glib/gi18n-lib.h>

static const char *
steps_word (guint i)
{
  static const char *const words[] = { N_("time steps as one"), N_("each time step") };

  return i < G_N_ELEMENTS (words) ? _(words[i]) : NULL;
}

static void
set_steps (LsQuery *query, guint i)
{
  ((LsRaceState *) query->state)->folds = (LsFolds){ .each = i == 1 };
}

const LsViewSwitch ls_race_switches[] = {
  { .title = N_("Layers that read a sequence"), .choice = steps_word, .set = set_steps },
  { NULL },
};

static char *
read_steps (const LsViewData *data, const char *text, gpointer state)
{
  return ls_folds_read (text, &((LsRaceState *) state)->folds);
}

const LsViewOption ls_race_options[] = {
  { "time-steps", N_("HOW"),
    N_("How Race shows layers that read a sequence: the time steps of each, there and back, folded into a "
        "block, each one, or those of the blocks that are named by number; default folded"),
    read_steps },
  { NULL },
};

const LsRaceState ls_race_first;

LsAct
ls_race_point (const LsLayout *layout, double x, double y, LsQuery *query)
{
  return ls_folds_point (layout, x, y, &((LsRaceState *) query->state)->folds);
}

LsAct
ls_race_key (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsRecording *recording = layout->data->recording;
  g_autoptr (GArray) chains = recording != NULL ? ls_chains_new (recording) : NULL;

  return ls_folds_key (key, chains != NULL ? chains->len : 0, &((LsRaceState *) query->state)->folds);
}
