/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each thread has its own part of the arrays and makes passes over it for the same time; together they moved
 * so many bytes.
 */
#include "config.h"
#include "triad.h"

#include <pthread.h>
#include <stdlib.h>

#include "backends/cpu/topology.h"
#include "core/error.h"
#include "trace/event.h"

#define MIN_BYTES   ((gsize) 64 << 20) /* of one array */
#define MAX_BYTES   ((gsize) 512 << 20)
#define CACHES      4 /* as large as so many of the last cache */
#define MAX_THREADS 254
#define SLICE_NS    20000000 /* of a sample */

/* As wide as vectors get: narrower ones take several instructions, none of which waits for another. */
typedef float Vector __attribute__ ((vector_size (64)));

struct _LsTriad {
  gsize n; /* vectors in each */
  Vector *a, *b, *c;
};

typedef struct {
  const LsTriad *triad;
  gsize first, n;
  guint64 until_ns;
  guint64 passes;
} Part;

LsTriad *
ls_triad_new (GError **error)
{
  LsTriad *triad = g_new0 (LsTriad, 1);
  LsTopology topology;
  gsize bytes;

  ls_topology_read (&topology, "", ls_topology_affinity ());
  bytes = CLAMP ((gsize) MAX (topology.l3, 0) * CACHES, MIN_BYTES, MAX_BYTES);
  ls_topology_clear (&topology);
  triad->n = bytes / sizeof (Vector);
  triad->a = aligned_alloc (sizeof (Vector), bytes / sizeof (Vector) * sizeof (Vector));
  triad->b = aligned_alloc (sizeof (Vector), bytes / sizeof (Vector) * sizeof (Vector));
  triad->c = aligned_alloc (sizeof (Vector), bytes / sizeof (Vector) * sizeof (Vector));
  if (triad->a == NULL || triad->b == NULL || triad->c == NULL)
    {
      ls_triad_free (triad);
      g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY, "There is no memory to measure its bandwidth.");
      return NULL;
    }
  for (gsize i = 0; i < triad->n; i++)
    {
      triad->a[i] = (Vector){ 0 };
      triad->b[i] = triad->a[i] + 1;
      triad->c[i] = triad->a[i] + 2;
    }
  return triad;
}

void
ls_triad_free (LsTriad *triad)
{
  if (triad == NULL)
    return;
  free (triad->a);
  free (triad->b);
  free (triad->c);
  g_free (triad);
}

static void *
part_main (void *data)
{
  Part *part = data;
  Vector *restrict a = part->triad->a + part->first;
  const Vector *restrict b = part->triad->b + part->first, *restrict c = part->triad->c + part->first;

  do
    {
      for (gsize i = 0; i < part->n; i++)
        a[i] = b[i] + 3.0f * c[i];
      part->passes++;
  } while (ls_clock_ns () < part->until_ns);
  return NULL;
}

/* Bytes per ns. */
static double
measure (const LsTriad *triad, guint threads)
{
  pthread_t ids[MAX_THREADS];
  Part parts[MAX_THREADS];
  gboolean made[MAX_THREADS];
  const guint64 start = ls_clock_ns ();
  double bytes = 0;

  for (guint t = 0; t < threads; t++)
    {
      const gsize first = triad->n * t / threads, end = triad->n * (t + 1) / threads;
      parts[t] = (Part){ triad, first, end - first, start + SLICE_NS, 0 };
      made[t] = t > 0 && pthread_create (&ids[t], NULL, part_main, &parts[t]) == 0;
    }
  part_main (&parts[0]);
  for (guint t = 1; t < threads; t++)
    if (made[t])
      pthread_join (ids[t], NULL);
  for (guint t = 0; t < threads; t++)
    bytes += (double) parts[t].passes * (double) parts[t].n * 3 * sizeof (Vector);
  return bytes / (double) (ls_clock_ns () - start);
}

gboolean
ls_triad_run (LsTriad *triad, guint threads, double seconds, GArray *times, GError **error)
{
  const guint64 until = ls_clock_ns () + (guint64) (seconds * 1e9);

  threads = CLAMP (threads, 1, MAX_THREADS);
  measure (triad, threads);
  do
    {
      const double us = (double) (1 << 30) / measure (triad, threads) / 1e3;
      g_array_append_val (times, us);
  } while (ls_clock_ns () < until);
  return TRUE;
}
