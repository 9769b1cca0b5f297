/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both lanes chase through memory: a ring in which each place tells the next one, all in one round, in
 * an order that no prefetcher guesses; a place to each cache line.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_FLIGHT_LINE 16 /* of guint32: 64 bytes */
/* More than caches hold, as far as there is so much. */
#define LS_FLIGHT_BYTES (G_GINT64_CONSTANT (128) << 20)
#define LS_FLIGHT_LEAST (G_GINT64_CONSTANT (1) << 20)
/* A launch is made so long that starting it doesn't count. */
#define LS_FLIGHT_LONG_NS 4000000

/* ring: n·LS_FLIGHT_LINE numbers, of which each line's first is the position of the next line's first. */
void ls_flight_ring (guint32 *ring, guint32 n);

G_END_DECLS
