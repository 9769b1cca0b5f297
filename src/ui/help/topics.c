/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of help topics: how to begin, the views in the order of their keys, and the method.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>
#include <string.h>

#define TOPIC(name) &ls_help_##name,
#define WORD(name)  ", " #name

/* clang-format off */
static const LsHelpTopic *const topics[] = { &ls_help_start, LS_VIEWS (TOPIC) &ls_help_methods };
/* clang-format on */

const LsHelpTopic *const *
ls_help_topics (guint *n)
{
  *n = G_N_ELEMENTS (topics);
  return topics;
}

const LsHelpTopic *
ls_help_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (strcmp (topics[i]->name, name) == 0)
      return topics[i];
  return NULL;
}

const char *
ls_help_views (void)
{
  return &(LS_VIEWS (WORD))[strlen (", ")];
}

const LsHelpEntry *
ls_help_card (void)
{
  static const LsHelpEntry card[] = {
    { LS_HELP_BOTH, N_("Two lanes"), N_("Two lanes train the same network on the same batches.") },
    { LS_HELP_PLAYHEAD, N_("Slow motion"), N_("What moves is one recorded step, slowed down.") },
    { LS_HELP_MEASURED, N_("Evidence"), N_("A number’s mark says how it is known: click it.") },
    { 0 },
  };

  return card;
}
