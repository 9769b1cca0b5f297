/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of results in flight on each worker: independent chases through memory, or independent chains of
 * multiply-adds. A core has as many misses under way as its line-fill buffers allow, and of arithmetic as
 * many as units times latency.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/flight.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/unroll.h"
#include "trace/event.h"

#define MOST  4096 /* chains of a worker */
#define BLOCK 64   /* of sums: more don't stay in registers, and follow each other */

typedef struct {
  LsCpu *cpu;
  gboolean loads;
  guint workers, chains;
  guint64 turns;
  guint32 *ring; /* NULL: sums */
  guint32 n;     /* lines of it */
  guint32 *at;   /* MOST for each worker */
  float *sums;
} Flight;

static void
chase_cb (gpointer data, guint worker)
{
  const Flight *f = data;
  const guint32 *ring = f->ring;
  const guint n = f->chains;
  guint32 *at = f->at + (gsize) worker * MOST;

  for (guint64 turn = 0; turn < f->turns; turn++)
    for (guint i = 0; i < n; i++)
      at[i] = ring[at[i]];
}

/* A number of chains that the compiler knows stays in registers. */
#define SUMS(N)                                                                                              \
  static void sums_##N (float *values, guint64 turns)                                                        \
  {                                                                                                          \
    float v[N];                                                                                              \
    memcpy (v, values, sizeof v);                                                                            \
    for (guint64 turn = 0; turn < turns; turn++)                                                             \
      LS_UNROLL                                                                                              \
    for (guint i = 0; i < N; i++)                                                                            \
      v[i] = v[i] * .999f + 1e-3f;                                                                           \
    memcpy (values, v, sizeof v);                                                                            \
  }
SUMS (1)
SUMS (2)
SUMS (4)
SUMS (8)
SUMS (16)
SUMS (32)
SUMS (64)

static void
sums_cb (gpointer data, guint worker)
{
  static void (*const forms[]) (float *values, guint64 turns) = { sums_1,  sums_2,  sums_4, sums_8,
                                                                  sums_16, sums_32, sums_64 };
  const Flight *f = data;
  guint log = 0;

  while ((2u << log) <= MIN (f->chains, BLOCK))
    log++;
  for (guint from = 0; from < f->chains; from += 1u << log)
    forms[log](f->sums + (gsize) worker * MOST + from, f->turns);
}

static void
flight_end (gpointer data)
{
  Flight *f = data;

  g_free (f->ring);
  g_free (f->at);
  g_free (f->sums);
  g_free (f);
}

static gpointer
flight_begin (gpointer self, gboolean loads, GError **error)
{
  Flight *f = g_new0 (Flight, 1);
  const guint64 room = MIN (ls_memory_cgroup_left (""), ls_memory_address_space_left ()) / 4;
  const gint64 bytes = (gint64) CLAMP (room, (guint64) LS_FLIGHT_LEAST, (guint64) LS_FLIGHT_BYTES);

  f->cpu = self;
  f->loads = loads;
  f->workers = ls_pool_size (f->cpu->pool);
  f->n = (guint32) (bytes / (LS_FLIGHT_LINE * 4));
  f->at = g_new0 (guint32, (gsize) f->workers * MOST);
  f->sums = g_new0 (float, (gsize) f->workers *MOST);
  if (!loads)
    return f;
  f->ring = g_try_malloc ((gsize) bytes);
  if (f->ring == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY,
                           _("There is too little memory to chase through."));
      flight_end (f);
      return NULL;
    }
  ls_flight_ring (f->ring, f->n);
  return f;
}

/* The launch's length, ns. Each chain begins at a place of its own, and goes on where it was. */
static double
launch (Flight *f)
{
  const guint64 start = ls_clock_ns ();

  ls_pool_run (f->cpu->pool, f->loads ? chase_cb : sums_cb, f);
  return (double) MAX (ls_clock_ns () - start, 1);
}

static gboolean
flight_measure (gpointer data, guint in_flight, double seconds, GArray *us, GError **error)
{
  Flight *f = data;
  const guint64 until = ls_clock_ns () + (guint64) (seconds * 1e9);
  const guint all = f->workers * in_flight;

  if (in_flight == 0 || in_flight > MOST)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("A core is kept at %d chains at most."), MOST);
      return FALSE;
    }
  f->chains = in_flight;
  for (guint i = 0; i < all; i++)
    f->at[(gsize) (i / in_flight) * MOST + i % in_flight] = (guint32) ((guint64) f->n * i / all)
                                                            * LS_FLIGHT_LINE;
  f->turns = MAX (1, 4096 / in_flight);
  while (launch (f) < LS_FLIGHT_LONG_NS)
    f->turns *= 2;
  do
    {
      const double each = launch (f) / 1e3 / ((double) f->turns * all);
      g_array_append_val (us, each);
  } while (ls_clock_ns () < until || us->len < 3);
  ls_pool_park (f->cpu->pool);
  return TRUE;
}

const LsBackendFlight ls_cpu_flight = { flight_begin, flight_measure, flight_end };
