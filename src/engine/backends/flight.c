/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See flight.h. Sattolo, "An algorithm to generate a random cyclic permutation", Information Processing
 * Letters 22 (6), 1986.
 */
#include "backends/flight.h"

#include "core/rng.h"

void
ls_flight_ring (guint32 *ring, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    ring[(gsize) i * LS_FLIGHT_LINE] = i * LS_FLIGHT_LINE;
  for (guint32 i = n; i-- > 1;)
    {
      const guint32 other = (guint32) (((guint64) ls_rng_u32 (1, LS_STREAM_TEST, 0, i) * i) >> 32);
      guint32 *a = &ring[(gsize) i * LS_FLIGHT_LINE], *b = &ring[(gsize) other * LS_FLIGHT_LINE], held = *a;

      *a = *b;
      *b = held;
    }
}
