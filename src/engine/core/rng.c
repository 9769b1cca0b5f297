/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Philox4x32-10: see rng.h for the source and the known answers.
 */
#include "core/rng.h"

#include <math.h>

void
ls_philox (const guint32 counter[4], const guint32 key[2], guint32 out[4])
{
  guint32 c[4] = { counter[0], counter[1], counter[2], counter[3] };

  ls_philox_rounds (c, key[0], key[1]);
  for (guint i = 0; i < 4; i++)
    out[i] = c[i];
}

/* Four numbers per block: counter = (block low, block high, substream, stream), key = seed. */
static void
rng_block (guint64 seed, LsStream stream, guint32 sub, guint64 block, guint32 out[4])
{
  guint32 counter[4] = { (guint32) block, (guint32) (block >> 32), sub, (guint32) stream };
  guint32 key[2] = { (guint32) seed, (guint32) (seed >> 32) };
  ls_philox (counter, key, out);
}

guint32
ls_rng_u32 (guint64 seed, LsStream stream, guint32 sub, guint64 index)
{
  guint32 out[4];
  rng_block (seed, stream, sub, index / 4, out);
  return out[index % 4];
}

static double
unit_interval (guint32 high, guint32 low)
{
  guint64 bits = ((guint64) high << 32 | low) >> 11;
  return (double) bits * 0x1p-53;
}

double
ls_rng_uniform (guint64 seed, LsStream stream, guint32 sub, guint64 index)
{
  guint32 out[4];
  rng_block (seed, stream, sub, index / 2, out);
  return unit_interval (out[index % 2 * 2], out[index % 2 * 2 + 1]);
}

double
ls_rng_normal (guint64 seed, LsStream stream, guint32 sub, guint64 index)
{
  guint32 out[4];
  double radius, angle;

  /* Box-Muller on the two uniforms of one block: cosine for even indices, sine for odd ones. */
  rng_block (seed, stream, sub, index / 2, out);
  radius = sqrt (-2.0 * log (1.0 - unit_interval (out[0], out[1])));
  angle = 2.0 * G_PI * unit_interval (out[2], out[3]);
  return radius * (index % 2 ? sin (angle) : cos (angle));
}

void
ls_rng_shuffle (guint64 seed, LsStream stream, guint32 sub, guint32 *index, guint32 n)
{
  guint64 next = 0;
  guint32 block[4];

  for (guint32 i = 0; i < n; i++)
    index[i] = i;
  for (guint32 i = n; i > 1; i--)
    {
      /* Lemire's multiply-shift with rejection: every j in 0 … i−1 is equally likely. */
      guint32 threshold = -i % i;
      guint64 product;
      guint32 j, swapped;
      do
        {
          if (next % 4 == 0)
            rng_block (seed, stream, sub, next / 4, block);
          product = (guint64) block[next++ % 4] * i;
      } while ((guint32) product < threshold);
      j = (guint32) (product >> 32);
      swapped = index[i - 1];
      index[i - 1] = index[j];
      index[j] = swapped;
    }
}
