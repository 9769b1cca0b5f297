/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of a lane that comes, waits, is late, or joined late. See coming.h.
 */
#include "config.h"
#include "ui/paint/data/coming_words.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"

gboolean
ls_lane_coming (const LsViewLane *lane)
{
  return lane->there && lane->recorded == NULL
         && (lane->state == LS_LANE_OPENING || lane->state == LS_LANE_BUILDING);
}

gboolean
ls_lane_unrecorded (const LsViewLane *lane)
{
  return lane->there && lane->state == LS_LANE_READY && lane->message != NULL;
}

/* All kernels are there, or so far each was found and none compiled. */
static gboolean
is_loading (const LsBuild *build)
{
  gboolean found = FALSE, compiled = FALSE;
  guint done, total;

  for (guint i = 0; i < build->n_ops; i++)
    {
      const LsOpBuild *op = &build->ops[i];
      compiled |= op->state == LS_BUILD_RUNNING || (op->state == LS_BUILD_DONE && op->seconds > 0);
      found |= op->state == LS_BUILD_DONE;
    }
  ls_build_count (build, &done, &total);
  return done == total || (found && !compiled);
}

gboolean
ls_lane_left_told (const LsViewLane *lane)
{
  return ls_lane_coming (lane) && !lane->overdue && lane->build != NULL && !is_loading (lane->build)
         && isfinite (lane->build->left_s);
}

static char *
sentence (const LsViewLane *lane, const LsViewLane *other)
{
  const LsBuild *build = lane->build;

  if (lane->overdue && other->there && other->state == LS_LANE_READY)
    return g_strdup_printf (lane->state == LS_LANE_OPENING
                              ? _("%s is still looking for its device; %s goes on without it.")
                              : _("%s is still compiling; %s goes on without it."),
                            lane->name, other->name);
  if (lane->state == LS_LANE_OPENING && lane->who == LS_BACKEND_OPENCL)
    return g_strdup (_("Looking for its device."));
  if (build == NULL)
    return g_strdup (lane->state == LS_LANE_OPENING || isnan (lane->progress) ? _("Getting ready.")
                                                                              : _("Compiling its kernels."));
  if (is_loading (build))
    return g_strdup (_("Loading its kernels."));
  if (!ls_lane_left_told (lane))
    return g_strdup (_("Compiling its kernels."));
  if (build->left_s >= 99.5)
    return g_strdup_printf (_("Compiling its kernels, about %.0f min left."), build->left_s / 60);
  return g_strdup_printf (_("Compiling its kernels, about %.0f s left."), MAX (1, build->left_s));
}

static void
say_coming (LsViewLane *lane, const LsViewLane *other)
{
  const gboolean compiles = lane->state == LS_LANE_BUILDING
                            && (lane->build != NULL || !isnan (lane->progress));

  g_free (lane->message);
  g_free (lane->words);
  g_free (lane->hint);
  lane->message = sentence (lane, other);
  lane->words = lane->hint = NULL;
  if (!compiles)
    return;
  if (lane->build == NULL || !is_loading (lane->build))
    lane->hint = g_strdup (lane->shares_cpu
                             ? _("Compiled once for this processor; the next start takes a second.")
                             : _("Compiled once for this device; the next start takes a second."));
  if (lane->overdue && other->there)
    lane->words = g_strdup_printf (_("Then it starts from %s’s weights."), other->name);
  else if (lane->steps == 0)
    lane->words = g_strdup (_("Then it trains from the same first weights."));
}

/* It works, but what is shown was recorded without it. */
static char *
not_recorded (const LsViewData *data, const LsViewLane *lane)
{
  const guint64 step = data->recording->step;
  const gboolean missing = step > 0 && step <= lane->steps
                           && (ls_view_lane_point (lane, step - 1).flags & LS_POINT_MISSING) != 0;
  g_autofree char *count = ls_number_count (step);

  if (missing && step > lane->joined)
    return g_strdup_printf (
      _("Step %s was recorded while %s stood still; the next recorded step shows both."), count, lane->name);
  if (lane->who != LS_BACKEND_OPENCL)
    return g_strdup_printf (
      _("Step %s was recorded before %s was ready; the next recorded step shows both."), count, lane->name);
  if (lane->joined > 0)
    return g_strdup_printf (_("Step %s was recorded before %s joined; the next recorded step shows both."),
                            count, lane->name);
  return g_strdup_printf (
    _("Step %s was recorded before %s had its kernels; the next recorded step shows both."), count,
    lane->name);
}

void
ls_coming_say (LsViewData *data)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &data->sides[side];

      if (ls_lane_coming (lane))
        say_coming (lane, &data->sides[1 - side]);
      else if (lane->there && lane->state == LS_LANE_READY)
        {
          g_free (lane->message);
          lane->message = lane->recorded == NULL && data->recording != NULL ? not_recorded (data, lane)
                                                                            : NULL;
        }
    }
}

void
ls_coming_joined (LsViewLane *sides)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &sides[side];
      const guint n = lane->conditions != NULL ? g_strv_length (lane->conditions) : 0;
      g_autofree char *step = ls_number_count (lane->joined);

      if (!lane->there || lane->joined == 0)
        continue;
      lane->conditions = g_renew (char *, lane->conditions, n + 2);
      lane->conditions[n] = sides[1 - side].there ? g_strdup_printf (
                              _("joined after step %s with %s’s weights"), step, sides[1 - side].name)
                                                  : g_strdup_printf (_("joined after step %s"), step);
      lane->conditions[n + 1] = NULL;
    }
}

char *
ls_coming_waits (const LsViewData *data, guint side, char **why)
{
  const LsViewLane *lane = &data->sides[side], *other = &data->sides[1 - side];
  g_autofree char *steps = ls_number_count (lane->steps);

  if (why != NULL)
    *why = NULL;
  if (!lane->there || lane->state != LS_LANE_READY || !lane->waits)
    return NULL;
  if (why != NULL)
    *why = !ls_lane_coming (other) ? g_strdup (_("It goes on when the others have caught up with it."))
           : other->build != NULL
             ? g_strdup_printf (_("It goes on when %s has compiled its kernels."), other->name)
             : g_strdup_printf (_("It goes on when %s is ready."), other->name);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s step trained, now it waits.",
                                       "%s steps trained, now it waits.", (gulong) lane->steps),
                          steps);
}

char *
ls_coming_built (const LsViewLane *lane)
{
  guint done, total;

  if (!ls_lane_coming (lane) || lane->build == NULL)
    return NULL;
  ls_build_count (lane->build, &done, &total);
  return total > 0 ? g_strdup_printf (
           g_dngettext (GETTEXT_PACKAGE, "%u of %u kernel built.", "%u of %u kernels built.", total), done,
           total)
                   : NULL;
}

char *
ls_coming_curve (const LsViewData *data, LsCurveKind kind)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &data->sides[side], *other = &data->sides[1 - side];

      if (!ls_lane_coming (lane) || lane->steps > 0)
        continue;
      if (kind == LS_CURVE_RATE)
        return g_strdup_printf (_("%s: after its first steps"), lane->name);
      if (kind == LS_CURVE_LOSS && lane->overdue && other->there)
        return g_strdup_printf (_("%s joins later, with %s’s weights"), lane->name, other->name);
      if (kind == LS_CURVE_LOSS)
        return g_strdup_printf (_("%s joins at step 1, from the same weights"), lane->name);
    }
  return NULL;
}
