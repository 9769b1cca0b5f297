/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the benches of painting share: the processor's clock, so that what else runs disturbs little, and
 * percentiles.
 */
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <time.h>

#include "core/figure.h"

static inline double
bench_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

typedef struct {
  double p50, p95, max;
} BenchSpread;

/* Sorts the values. */
static inline BenchSpread
bench_spread (double *values, guint n)
{
  qsort (values, n, sizeof *values, ls_compare_doubles);
  return (BenchSpread){ values[n / 2], values[n * 95 / 100], values[n - 1] };
}
