/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Scaling can be asked for: latency or throughput, one panel or all, which page of them; by pointer, by
 * keys, by options of `render`; and which experiments its button measures.
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include <glib/gi18n-lib.h>
#include <string.h>

const LsScalingState ls_scaling_first = LS_SCALING_STATE_ALL;

const LsScalingState *
ls_scaling_asked (const LsQuery *query)
{
  return query->state != NULL ? query->state : &ls_scaling_first;
}

/* Of one panel alone, or all; the two kernels of work in flight belong together. */
const LsExperiment *
ls_scaling_measures (const LsQuery *query, guint i)
{
  const gint open = ls_scaling_asked (query)->open;
  guint at = 0;

  for (guint kind = 0; kind < LS_SCALING_N; kind++)
    {
      if (open >= 0 && (guint) open != kind)
        continue;
      if (at++ == i)
        return ls_scaling_experiment ((LsScalingKind) kind);
      if (kind == LS_SCALING_FLIGHT && at++ == i)
        return &ls_experiment_flight_compute;
    }
  return NULL;
}

LsAct
ls_scaling_pointed (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsScaling *own = layout->own;
  LsScalingState *asked = query->state;

  for (guint i = 0; i < LS_SCALING_N; i++)
    if (ls_area_has (own->cells[i], x, y))
      {
        asked->open = asked->open < 0 ? (gint) i : -1;
        return LS_ACT_CHANGED;
      }
  return LS_ACT_NONE;
}

LsAct
ls_scaling_key (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsScaling *own = layout->own;
  LsScalingState *asked = query->state;

  switch (key)
    {
    case LS_KEY_NEXT:
    case LS_KEY_PREVIOUS:
      asked->open = (asked->open + 1 + (key == LS_KEY_NEXT ? 1 : LS_SCALING_N)) % (LS_SCALING_N + 1) - 1;
      return LS_ACT_CHANGED;
    case LS_KEY_LET_GO:
      if (asked->open < 0)
        return LS_ACT_NONE;
      asked->open = -1;
      return LS_ACT_CHANGED;
    case LS_KEY_PAGE:
      if (asked->open >= 0 || own->n_pages < 2)
        return LS_ACT_NONE;
      asked->page = (MIN (asked->page, own->n_pages - 1) + 1) % own->n_pages;
      return LS_ACT_CHANGED;
    default:
      return LS_ACT_NONE;
    }
}

static const char *
shown_as (guint i)
{
  return i == 0 ? _("Latency") : i == 1 ? _("Throughput") : NULL;
}

static void
set_shown (LsQuery *query, guint i)
{
  LsScalingState *asked = query->state;

  asked->rate = i > 0;
}

const LsViewSwitch ls_scaling_switches[] = {
  { .title = N_("Shown as"), .choice = shown_as, .set = set_shown },
  { NULL },
};

static char *
read_shown (const LsViewData *data, const char *text, gpointer state)
{
  LsScalingState *asked = state;

  asked->rate = strcmp (text, "throughput") == 0;
  return asked->rate || strcmp (text, "latency") == 0 ? NULL : g_strdup (_("latency or throughput"));
}

static char *
read_panel (const LsViewData *data, const char *text, gpointer state)
{
  static const char *const names[LS_SCALING_N] = { "threads", "flight", "batch", "size",
                                                   "edge",    "width",  "tiles" };
  LsScalingState *asked = state;

  for (guint i = 0; i < LS_SCALING_N; i++)
    if (strcmp (names[i], text) == 0)
      {
        asked->open = (gint) i;
        return NULL;
      }
  return g_strdup (_("threads, flight, batch, size, edge, width or tiles"));
}

const LsViewOption ls_scaling_options[] = {
  { "shown-as", N_("KIND"), N_("What Scaling shows: latency or throughput; default latency"), read_shown },
  { "panel", N_("PANEL"),
    N_("The one panel that Scaling shows: threads, flight, batch, size, edge, width or tiles; default all"),
    read_panel },
  { NULL },
};
