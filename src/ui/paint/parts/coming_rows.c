/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which ops are rows, and the words in them. See coming_rows.h.
 */
#include "config.h"
#include "ui/paint/parts/coming_rows.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

/* Those that are a command of their own. What is done to single elements is mostly done by the op before, in
 * passing. */
static gboolean
has_row (const LsPlan *plan, const LsBuild *build, guint op)
{
  if (build == NULL || build->n_ops != plan->n_ops)
    return !plan->ops[op].klass->elementwise;
  return !plan->ops[op].klass->elementwise
         || (build->ops[op].state != LS_BUILD_NO_KERNEL && build->ops[op].same_as < 0);
}

/* What has no program of its own changes nothing but the count. */
static void
join (LsComingRow *row, const LsComingRow *with)
{
  row->count++;
  row->next |= with->next;
  if (g_strcmp0 (row->build.kernel, with->build.kernel) != 0)
    row->build.kernel = NULL;
  if (with->build.same_as >= 0 || with->build.state == LS_BUILD_NO_KERNEL)
    return;
  if (row->build.same_as < 0 && row->build.state != LS_BUILD_NO_KERNEL)
    {
      const gboolean runs = row->build.state == LS_BUILD_RUNNING || with->build.state == LS_BUILD_RUNNING;
      const gboolean done = row->build.state == LS_BUILD_DONE && with->build.state == LS_BUILD_DONE;
      row->build.state = runs ? LS_BUILD_RUNNING : done ? LS_BUILD_DONE : LS_BUILD_TO_COME;
      row->build.seconds = 0;
    }
  else
    {
      const char *kernel = row->build.kernel;
      row->build = with->build;
      row->build.kernel = kernel;
    }
}

GArray *
ls_coming_rows (const LsViewData *data, const LsViewLane *lane, gboolean by_layer)
{
  const LsPlan *plan = data->plan;
  const LsBuild *build = lane != NULL && lane->build != NULL && plan != NULL
                             && lane->build->n_ops == plan->n_ops
                           ? lane->build
                           : NULL;
  const gboolean ready = lane != NULL && lane->state == LS_LANE_READY && data->recording != NULL;
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (LsComingRow));
  gboolean next = FALSE;

  for (guint op = 0; plan != NULL && op < plan->n_ops; op++)
    {
      LsComingRow row = { .op = op,
                          .count = 1,
                          .phase = plan->ops[op].phase,
                          .layer = plan->ops[op].layer,
                          .known = build != NULL };
      LsComingRow *last = rows->len > 0 ? &g_array_index (rows, LsComingRow, rows->len - 1) : NULL;

      if (!has_row (plan, build, op))
        continue;
      row.build = build != NULL
                    ? build->ops[op]
                    : (LsOpBuild){ .state = ready ? LS_BUILD_DONE : LS_BUILD_TO_COME, .same_as = -1 };
      row.next = !next && row.build.state == LS_BUILD_TO_COME && row.build.same_as < 0;
      next |= row.next;
      if (by_layer && last != NULL && last->phase == row.phase && last->layer == row.layer)
        join (last, &row);
      else
        g_array_append_val (rows, row);
    }
  return rows;
}

char *
ls_coming_name (const LsLayout *layout, const LsComingRow *row, double width)
{
  const LsOp *op = &layout->data->plan->ops[row->op];
  const LsType bold = { layout->m.body.px, 700 };

  if (row->count > 1)
    return g_strdup_printf ("%s ×%u", op->symbol, row->count);
  return g_strdup (op->equation[0] && ls_scene_width (layout->still, bold, op->equation) <= width
                     ? op->equation
                     : op->symbol);
}

char *
ls_coming_compiling (const char *seconds)
{
  return g_strdup_printf (_("compiling, %s s so far"), seconds);
}

char *
ls_coming_state (const LsComingRow *row)
{
  const gboolean timed = row->build.seconds > 0;
  g_autofree char *seconds = ls_number_text (row->build.seconds, row->build.seconds < 10 ? 2 : 3);

  if (!row->known)
    return NULL;
  if (row->build.state == LS_BUILD_NO_KERNEL)
    return g_strdup (_("needs no kernel"));
  if (row->build.same_as >= 0)
    return g_strdup (_("the same kernel"));
  if (row->build.state == LS_BUILD_RUNNING)
    return timed ? ls_coming_compiling (seconds) : g_strdup (_("compiling"));
  if (row->build.state == LS_BUILD_DONE)
    return timed            ? g_strdup_printf (_("built in %s s"), seconds)
           : row->count > 1 ? g_strdup (_("built"))
                            : g_strdup (_("taken from the disk"));
  return g_strdup (row->next ? _("next") : _("to come"));
}

gboolean
ls_coming_measured (const LsComingRow *row)
{
  return row->known && row->build.same_as < 0 && row->build.seconds > 0
         && (row->build.state == LS_BUILD_DONE || row->build.state == LS_BUILD_RUNNING);
}

gboolean
ls_coming_runs (const LsComingRow *row)
{
  return row->build.state == LS_BUILD_RUNNING && row->build.same_as < 0;
}
