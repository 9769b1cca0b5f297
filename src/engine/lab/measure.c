/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See measure.h.
 */
#include "config.h"
#include "lab/measure.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

#define ANSWER_S 120 /* a step of the widest network on a slow machine, and its preparation */

typedef struct {
  LsLabLanes *lanes;
  LsLabPlan plan;
  const char *unit;
  LsLabSpot spot;
  LsLabChild *children[LS_MAX_LANES]; /* who takes part */
  GArray *times[LS_MAX_LANES];        /* double, µs */
} Measuring;

/* The lane has that option of its own: then the size can't have it. */
static gboolean
has_own (const Measuring *m, guint lane, const char *option)
{
  const LsLaneSpec *spec = m->lanes->specs->pdata[lane];

  return ls_options_is_given (spec->own, ls_options_find (option));
}

/* The option's name in "kernel=tiled"; (transfer full). */
static char *
name_of (const char *setting)
{
  return g_strndup (setting, strcspn (setting, "="));
}

/* Whether the size changes what the lane does: it is of the option's kind and has none of its own. */
static gboolean
follows (const Measuring *m, guint lane)
{
  const LsLaneSpec *spec = m->lanes->specs->pdata[lane];
  const LsOption *row = m->plan.option != NULL ? ls_options_find (m->plan.option) : NULL;
  g_autofree char *beside = m->plan.with != NULL ? name_of (m->plan.with) : NULL;

  if (row == NULL)
    return TRUE;
  return spec->backend->kind == (row->group == LS_OPTION_GROUP_OPENCL ? LS_BACKEND_OPENCL : LS_BACKEND_CPU)
         && !has_own (m, lane, m->plan.option) && (beside == NULL || !has_own (m, lane, beside));
}

/* One with threads of its own has a point at their number alone. */
static gboolean
is_wanted (const Measuring *m, guint lane, const LsLabResult *result)
{
  const LsLaneSpec *spec = m->lanes->specs->pdata[lane];

  /* no more than it has; and one that can't be divided can't at any other number either */
  if (m->plan.threads > 0
      && ((m->lanes->children[lane] != NULL
           && m->plan.threads > ls_lab_child_threads (m->lanes->children[lane]))
          || (result->points[lane]->len == 0 && result->missing[lane]->len > 0)))
    return FALSE;
  if (m->plan.threads > 0 && spec->backend->kind == LS_BACKEND_CPU && has_own (m, lane, "threads"))
    return spec->options->threads == (gint64) m->plan.threads;
  return follows (m, lane) || (m->plan.unless == NULL && result->points[lane]->len == 0);
}

/* Said once of a lane that no size of the experiment changes. */
static void
say_unless (const Measuring *m, guint lane, const LsLabResult *result, GError **error)
{
  if (m->plan.unless != NULL && !follows (m, lane) && result->missing[lane]->len == 0)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, gettext (m->plan.unless));
}

static gboolean
set_options (const Measuring *m, LsLabChild *child, GError **error)
{
  g_autofree char *size = g_strdup_printf ("%u", m->spot.x),
                  *beside = m->plan.with != NULL ? name_of (m->plan.with) : NULL;

  return (beside == NULL || ls_lab_child_set (child, beside, m->plan.with + strlen (beside) + 1, error))
         && ls_lab_child_set (child, m->plan.option, size, error);
}

static void
prepare (Measuring *m, guint lane, GError **error)
{
  LsLabChild *child;

  if (m->plan.threads == 0 && !ls_lab_lane_here (m->lanes, lane, error))
    return;
  child = m->plan.threads > 0 ? ls_lab_lane_with_threads (m->lanes, lane, m->plan.threads, error)
                              : m->lanes->children[lane];
  if (child == NULL)
    {
      if (*error == NULL)
        g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                             _("Its device can’t be told how many threads or units to use."));
      return;
    }
  m->children[lane] = child;
  if (ls_lab_child_prepare (child, m->plan.spec, ANSWER_S, NULL, error)
      && (m->plan.option == NULL || !follows (m, lane) || set_options (m, child, error)))
    return;
  if (m->plan.threads > 0)
    ls_lab_child_free (child);
  m->children[lane] = NULL;
}

static void
take_rate (const Measuring *m, LsLabPoint *point, double x, GArray *times, GArray *plain)
{
  LsFigure us = ls_figure_of_samples ((gpointer) times->data, times->len, "µs");

  *point
    = (LsLabPoint){ .x = x, .y = m->spot.y, .rate = ls_figure_per_second (&us, m->plan.amount, m->unit) };
  if (plain == NULL)
    return;
  us = ls_figure_of_samples ((gpointer) plain->data, plain->len, "µs");
  point->plain = ls_figure_per_second (&us, m->plan.amount, m->unit);
}

/* A recorded step and a plain one in turn: the child does that itself. */
static void
record (Measuring *m, guint lane, double seconds, LsLabPoint *point, GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double));
  guint events;

  if (ls_lab_child_record (m->children[lane], seconds, plain, m->times[lane], &events, error))
    take_rate (m, point, events, m->times[lane], plain);
}

void
ls_lab_measure (LsLabLanes *lanes, const LsLabResult *result, LsLabSpot spot, double seconds,
                LsLabPoint *points, GError **errors)
{
  const guint n = lanes->specs->len;
  Measuring m = { .lanes = lanes, .unit = result->experiment->unit, .spot = spot };

  result->experiment->plan (result->options, spot, &m.plan);
  for (guint i = 0; i < n; i++)
    {
      points[i] = (LsLabPoint){ 0 };
      m.times[i] = g_array_new (FALSE, FALSE, sizeof (double));
      if (lanes->why[i] == NULL && is_wanted (&m, i, result))
        prepare (&m, i, &errors[i]);
      else if (lanes->why[i] == NULL)
        say_unless (&m, i, result, &errors[i]);
    }
  if (!m.plan.recorded)
    ls_lab_take_turns (m.children, n, seconds / n / result->rounds, result->rounds, ANSWER_S, m.times,
                       errors);
  for (guint i = 0; i < n; i++)
    {
      if (m.children[i] != NULL && m.plan.recorded)
        record (&m, i, seconds / n, &points[i], &errors[i]);
      else if (m.times[i]->len > 0)
        take_rate (&m, &points[i], spot.x, m.times[i], NULL);
      g_array_unref (m.times[i]);
      if (m.plan.threads > 0)
        g_clear_pointer (&m.children[i], ls_lab_child_free);
    }
  g_free (m.plan.spec);
}
