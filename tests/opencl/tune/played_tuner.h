/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's child on a device that is invented, with a clock that is played: how long each candidate of one
 * product takes is what the test says.
 */
#pragma once

#include "backends/opencl/tune/tune_job.h"
#include "backends/opencl/tune/tune_task.h"

/* A run of the watched product. */
typedef struct {
  char words[96];
  guint turn; /* times that the candidate was installed before */
  guint run;  /* runs since it was */
  guint n;    /* asked for at once */
} Run;

typedef double (*Times) (const Run *run); /* µs; negative: it fails */

typedef struct {
  LsCl cl;
  LsClDevice device;
  char *index; /* that the device was asked for by */
  gint64 now_us;
  Times times;         /* of the watched product; all else takes 10 µs, and 5 if it is naive */
  guint most;          /* runs at once of all else */
  const char *refused; /* the candidate that computes something else */
  gboolean unready;    /* the reference has no memory */
  gboolean opens;
  LsTuneTask *task, *product;
  char words[96];
  guint run;
  GHashTable *turns; /* words → how often installed */
  GArray *runs;
} PlayedTuner;

extern PlayedTuner fake;

/* A child begins, of a processor of two units and vectors of eight. */
void fake_begin (Times times);
void fake_end (void);

#define MODEL   "flatten, dense 64, dense 10"
#define WATCHED "32×10×64 A·Bᵀ" /* of the second layer */
#define SHIPPED "packed VEC=8 GROUP_ROWS=128"

/* To tune MODEL within so many seconds, on device 3. */
LsTuneJob *job_new (guint seconds);
/* What the child says of it, an array; (transfer full). */
json_t *child_says (const LsTuneJob *job);
const char *text_of (const json_t *line, const char *name);
/* The line is of the product whose times the test says. */
gboolean is_watched (const json_t *line);
/* That product's entry; NULL: there is none. (transfer full) */
LsTunedEntry *entry_of (const json_t *said);
/* How often a candidate of it is said. */
guint times_said (const json_t *said, const char *candidate);
/* How many sentences of what was dropped begin like that. */
guint times_dropped (const json_t *said, const char *begin);
