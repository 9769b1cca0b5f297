/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be chosen in Timeline: which blocks of time steps are open.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <glib/gi18n-lib.h>

static char *
read_steps (const LsViewData *data, const char *text, gpointer state)
{
  return ls_folds_read (text, &((LsTimelineState *) state)->folds);
}

const LsViewOption ls_timeline_options[] = {
  { "timeline-steps", N_("HOW"),
    N_("How Timeline shows layers that read a sequence, in the same words as --time-steps"), read_steps },
  { NULL },
};

const LsTimelineState ls_timeline_first;

LsAct
ls_timeline_point (const LsLayout *layout, double x, double y, LsQuery *query)
{
  return ls_folds_point (layout, x, y, &((LsTimelineState *) query->state)->folds);
}

LsAct
ls_timeline_key (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsTimeline *t = layout->own;

  return ls_folds_key (key, t->chains[0] != NULL ? t->chains[0]->len : 0,
                       &((LsTimelineState *) query->state)->folds);
}
