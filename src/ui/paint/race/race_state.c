/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be chosen in Race: whether a layer's time steps are one block.
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <string.h>
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
  ((LsRaceState *) query->state)->each = i == 1;
}

const LsViewSwitch ls_race_switches[] = {
  { .title = N_("Layers that read a sequence"), .choice = steps_word, .set = set_steps },
  { NULL },
};

static char *
read_steps (const LsViewData *data, const char *text, gpointer state)
{
  if (strcmp (text, "folded") != 0 && strcmp (text, "each") != 0)
    return g_strdup (_("folded or each"));
  ((LsRaceState *) state)->each = strcmp (text, "each") == 0;
  return NULL;
}

const LsViewOption ls_race_options[] = {
  { "time-steps", N_("HOW"),
    N_(
      "How Race shows layers that read a sequence: their time steps folded into one block, or each; default "
      "folded"),
    read_steps },
  { NULL },
};

const LsRaceState ls_race_first;
