/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See order.h.
 */
#include "config.h"
#include "lab/order.h"

#include <math.h>

#include "lab/crossover.h"

#define LATTICE  3 /* as many steps along each axis from end to end */
#define SHARE    4 /* of the time left, that a spot of the lattice may take */
#define AT_LEAST 2 /* steps of a lane in each of its turns: one that isn't counted, and one that is */

typedef struct {
  const LsLabResult *result;
  const GArray *spots;
  guint xs[LS_LAB_MAX_SIZES], ys[LS_LAB_MAX_SIZES], n_x, n_y; /* the axes, by growing size */
  const LsLabSpot *own;                                       /* NULL: none */
  double step_s[LS_LAB_MAX_SPOTS]; /* of all lanes, at each spot that was tried; 0: no lane has a point */
} Map;

static guint
place (const guint *sizes, guint n, guint size)
{
  guint i = 0;

  while (i + 1 < n && sizes[i] < size)
    i++;
  return i;
}

static double
steps_apart (const Map *map, LsLabSpot a, LsLabSpot b)
{
  const double across = (double) place (map->xs, map->n_x, a.x) - place (map->xs, map->n_x, b.x),
               up = (double) place (map->ys, map->n_y, a.y) - place (map->ys, map->n_y, b.y);

  return hypot (across, up);
}

static gboolean
on_lattice (const guint *sizes, guint n, guint size)
{
  const guint at = place (sizes, n, size);

  for (guint k = 0; k <= LATTICE; k++)
    if (at == (guint) lround ((double) k * (n - 1) / LATTICE))
      return TRUE;
  return FALSE;
}

static gboolean
is_coarse (const Map *map, LsLabSpot spot)
{
  return (map->own != NULL && spot.x == map->own->x && spot.y == map->own->y)
         || (on_lattice (map->xs, map->n_x, spot.x) && on_lattice (map->ys, map->n_y, spot.y));
}

/* A step of every lane at a spot that was measured, s. */
static double
measured_s (const LsLabResult *result, LsLabSpot spot)
{
  LsLabPlan plan;
  double seconds = 0;

  result->experiment->plan (result->options, spot, &plan);
  g_free (plan.spec);
  for (guint lane = 0; lane < result->specs->len; lane++)
    {
      const LsLabPoint *p = ls_lab_result_point (result, lane, spot);
      seconds += p != NULL ? plan.amount / p->rate.value : 0;
    }
  return seconds;
}

/* What measuring there would take at least, s: as much as at the nearest spot that was measured, times how
 * much larger it is at most, which is linear in the one size and quadratic in the other. 0: not known. */
static double
cost_s (const Map *map, LsLabSpot spot)
{
  double nearest = G_MAXDOUBLE, seconds = 0;

  for (guint i = 0; i < MIN (map->result->tried->len, LS_LAB_MAX_SPOTS); i++)
    {
      const LsLabSpot *tried = &g_array_index (map->result->tried, LsLabSpot, i);
      const double apart = steps_apart (map, spot, *tried), step = map->step_s[i],
                   up = MAX (1, (double) spot.y / tried->y);

      if (apart >= nearest || step <= 0)
        continue;
      nearest = apart;
      seconds = step * MAX (1, (double) spot.x / tried->x) * up * up;
    }
  return AT_LEAST * map->result->rounds * seconds;
}

/* How far from equal the lanes are expected to be there, from where both were measured: near ones count most.
 * 0: nothing is known. */
static double
expected (const Map *map, LsLabSpot spot)
{
  double sum = 0, weights = 0;

  for (guint i = 0; i < map->result->tried->len; i++)
    {
      const LsLabSpot *tried = &g_array_index (map->result->tried, LsLabSpot, i);
      double log_ratio;

      if (!ls_lab_log_ratio (map->result, *tried, &log_ratio))
        continue;
      /* what another batch or width lay between may be as near as can be */
      const double apart = MAX (.5, steps_apart (map, spot, *tried)),
                   weight = 1 / (apart * apart * apart * apart);
      sum += weight * log_ratio;
      weights += weight;
    }
  return weights > 0 ? fabs (sum / weights) : 0;
}

/* Work at a spot, of no unit. */
static double
work (LsLabSpot spot)
{
  return (double) spot.x * spot.y * spot.y;
}

/* Of those that aren't too long, the one that comes first: of the lattice by its work, else by how close to
 * equal the lanes are expected to be. */
static gboolean
first_of (const Map *map, gboolean coarse, double seconds, LsLabSpot *spot)
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < map->spots->len; i++)
    {
      const LsLabSpot s = g_array_index (map->spots, LsLabSpot, i);
      double rank;

      if (ls_lab_result_tried (map->result, s) || (coarse && !is_coarse (map, s))
          || cost_s (map, s) > seconds)
        continue;
      rank = coarse ? work (s) : expected (map, s);
      if (rank < best)
        {
          best = rank;
          *spot = s;
        }
    }
  return best < G_MAXDOUBLE;
}

gboolean
ls_lab_next (const LsLabResult *result, const GArray *spots, const LsLabSpot *own, double seconds_left,
             LsLabSpot *spot)
{
  Map map = { .result = result, .spots = spots, .own = own };

  if (result->experiment->rows == NULL)
    {
      for (guint i = 0; i < spots->len; i++)
        if (!ls_lab_result_tried (result, *spot = g_array_index (spots, LsLabSpot, i)))
          return TRUE;
      return FALSE;
    }
  if (seconds_left <= 0)
    return FALSE;
  for (guint i = 0; i < spots->len; i++)
    {
      map.n_x = ls_lab_insert (map.xs, map.n_x, g_array_index (spots, LsLabSpot, i).x);
      map.n_y = ls_lab_insert (map.ys, map.n_y, g_array_index (spots, LsLabSpot, i).y);
    }
  for (guint i = 0; i < MIN (result->tried->len, LS_LAB_MAX_SPOTS); i++)
    map.step_s[i] = measured_s (result, g_array_index (result->tried, LsLabSpot, i));
  return first_of (&map, TRUE, seconds_left / SHARE, spot) || first_of (&map, FALSE, seconds_left, spot);
}
