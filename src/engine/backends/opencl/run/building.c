/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What others may ask while the lane makes its step's launches ready: which kernels there are, which are
 * being compiled, how long it will still take. Launches are known by their place in the schedule, as the
 * children that build them tell it.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <math.h>

void
ls_cl_building_clear (LsCl *self)
{
  LsClBuilding *b = &self->building;

  g_clear_pointer (&b->build, ls_build_unref);
  g_clear_pointer (&b->begun_us, g_free);
  g_clear_pointer (&b->op_of, g_free);
  b->n_launches = 0;
}

void
ls_cl_building_end (LsCl *self)
{
  pthread_mutex_lock (&self->building.mutex);
  ls_cl_building_clear (self);
  pthread_mutex_unlock (&self->building.mutex);
}

static void
enter_ops (LsBuild *build, const guint *ops, guint n, LsOpBuild one)
{
  for (guint i = 0; i < n; i++)
    build->ops[ops[i]] = one;
}

/* The launch's op, and those that its kernel does beside, whole chains among them: all with the program of
 * `first`. */
static void
enter_launch (const LsCl *self, LsBuild *build, const LsClLaunch *launch, guint first, LsBuildState state)
{
  const LsClKernel *row = launch->row;
  const char *function = row->passes[0].function;
  LsOpBuild one = { .state = state, .same_as = (gint) first };

  for (guint p = 0; p < launch->n_passes; p++)
    if (row->passes[p].tiles)
      function = row->passes[p].function;
  one.kernel = g_intern_string (function);
  enter_ops (build, launch->followers, launch->n_followers, one);
  enter_ops (build, launch->joins, launch->n_joins, one);
  for (guint j = 0; j < launch->n_joins; j++)
    enter_ops (build, self->chain[launch->joins[j]].followers, self->chain[launch->joins[j]].n_followers,
               one);
  one.same_as = launch->op == first ? -1 : (gint) first;
  build->ops[launch->op] = one;
}

guint
ls_cl_building_begin (LsCl *self, guint n_launches)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL); /* program →
                                                                                                    op + 1 */
  LsBuild *build = ls_build_new (self->plan->n_ops);
  guint *op_of = g_new (guint, MAX (n_launches, 1));

  for (guint i = 0; i < n_launches; i++)
    {
      const LsClLaunch *launch = self->schedule[i];
      g_autofree char *key = NULL;
      guint first;
      LsBuildState state = LS_BUILD_DONE;

      op_of[i] = launch->op;
      if (launch->row == NULL || ls_cl_op_on_host (self, launch))
        continue;
      key = ls_cl_launch_key (self, launch, FALSE);
      first = GPOINTER_TO_UINT (g_hash_table_lookup (firsts, key));
      if (first == 0)
        {
          first = launch->op + 1;
          g_hash_table_insert (firsts, g_steal_pointer (&key), GUINT_TO_POINTER (first));
          if (ls_cl_launch_missing (self, launch, FALSE))
            {
              state = LS_BUILD_TO_COME;
              build->total++;
            }
        }
      else
        state = build->ops[first - 1].state;
      op_of[i] = first - 1;
      enter_launch (self, build, launch, first - 1, state);
    }
  pthread_mutex_lock (&self->building.mutex);
  ls_cl_building_clear (self);
  self->building.build = build;
  self->building.begun_us = g_new0 (gint64, self->plan->n_ops);
  self->building.op_of = op_of;
  self->building.n_launches = n_launches;
  self->building.processes = 1;
  pthread_mutex_unlock (&self->building.mutex);
  return build->total;
}

void
ls_cl_building_mark (LsCl *self, guint launch, LsBuildState state)
{
  LsClBuilding *b = &self->building;
  const gint64 now_us = g_get_monotonic_time ();

  pthread_mutex_lock (&b->mutex);
  if (b->build != NULL && launch < b->n_launches)
    {
      const guint first = b->op_of[launch];
      LsOpBuild *op = &b->build->ops[first];

      if (state == LS_BUILD_RUNNING)
        b->begun_us[first] = now_us;
      if (state == LS_BUILD_DONE && op->state == LS_BUILD_RUNNING)
        {
          op->seconds = (double) (now_us - b->begun_us[first]) / 1e6;
          b->build->done++;
        }
      op->state = state;
      for (guint i = 0; i < b->build->n_ops; i++)
        if (b->build->ops[i].same_as == (gint) first)
          b->build->ops[i].state = state;
    }
  pthread_mutex_unlock (&b->mutex);
}

/* Each of those to come takes as long as those that are done took in the mean, or what is left of that. One
 * process builds each. */
static double
seconds_left (const LsBuild *build, guint processes)
{
  double spent = 0, ahead = 0, mean;
  guint n = 0, n_ahead = 0;

  for (guint i = 0; i < build->n_ops; i++)
    if (build->ops[i].same_as < 0 && build->ops[i].state == LS_BUILD_DONE && build->ops[i].seconds > 0)
      {
        spent += build->ops[i].seconds;
        n++;
      }
  if (n == 0)
    return (double) NAN;
  mean = spent / n;
  for (guint i = 0; i < build->n_ops; i++)
    {
      const LsOpBuild *op = &build->ops[i];
      if (op->same_as >= 0 || (op->state != LS_BUILD_TO_COME && op->state != LS_BUILD_RUNNING))
        continue;
      ahead += op->state == LS_BUILD_TO_COME ? mean : MAX (mean - op->seconds, mean / 10);
      n_ahead++;
    }
  return ahead / CLAMP (n_ahead, 1, processes);
}

LsBuild *
ls_cl_building (gpointer data)
{
  LsCl *self = data;
  LsClBuilding *b = &self->building;
  const gint64 now_us = g_get_monotonic_time ();
  LsBuild *copy;

  pthread_mutex_lock (&b->mutex);
  copy = b->build != NULL ? ls_build_copy (b->build) : NULL;
  for (guint i = 0; copy != NULL && i < copy->n_ops; i++)
    if (copy->ops[i].state == LS_BUILD_RUNNING)
      {
        const guint first = copy->ops[i].same_as < 0 ? i : (guint) copy->ops[i].same_as;
        copy->ops[i].seconds = (double) (now_us - b->begun_us[first]) / 1e6;
      }
  if (copy != NULL)
    copy->left_s = seconds_left (copy, b->processes);
  pthread_mutex_unlock (&b->mutex);
  return copy;
}
