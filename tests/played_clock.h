/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock that ls_clock_ns() reads is played: it stands at `played_ns`, and goes on by `reading_ns` each
 * time that it is read. For programs that are linked with --wrap=clock_gettime.
 */
#pragma once

#include <glib.h>
#include <time.h>

static guint64 played_ns, reading_ns;

int __wrap_clock_gettime (clockid_t id, struct timespec *t);
int __real_clock_gettime (clockid_t id, struct timespec *t);

int
__wrap_clock_gettime (clockid_t id, struct timespec *t)
{
  if (id != CLOCK_MONOTONIC_RAW)
    return __real_clock_gettime (id, t);
  t->tv_sec = (time_t) (played_ns / 1000000000u);
  t->tv_nsec = (long) (played_ns % 1000000000u);
  played_ns += reading_ns;
  return 0;
}
