/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the peers written in C share: the lines in and out (src/lab/worker.h) and the timing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PEER_WHY 256

typedef struct {
  /* Gets ready for a line; false with why in words. */
  bool (*prepare) (const char *spec, char *why);
  /* May be NULL. */
  void (*threads) (unsigned n);
  /* Does it n times and waits for the last; false with why. */
  bool (*run) (unsigned n, char *why);
} Peer;

/* Says who it is and answers until its input ends; what main() returns. */
int peer_main (const Peer *peer, const char *title, unsigned threads);
/* {"no": why}, and what main() returns. */
int peer_refuse (const char *why);
/* Reads n whole numbers with spaces or semicolons between, up to the end of the line. */
bool peer_numbers (const char *text, long *numbers, size_t n);
/* Allocates n floats between −½ and ½, on a cache line. */
float *peer_floats (size_t n);
