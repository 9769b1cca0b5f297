/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Philox4x32-10, a counter-based random number generator: the n-th number is a function of key and counter,
 * so weights, shuffles and toy data are the same on every lane, in any order, on any machine.
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
 * Known answers (Random123's kat_vectors), checked by tests/core/test-rng:
 *   counter 0 0 0 0, key 0 0                     → 6627e8d5 e169c58d bc57ac4c 9b00dbd8
 *   counter ffffffff ×4, key ffffffff ffffffff   → 408f276d 41c83b0e a20bc7c6 6d5451fd
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The ten rounds, in place; a loop over counters side by side becomes vectors. */
static inline void
ls_philox_rounds (guint32 c[4], guint32 k0, guint32 k1)
{
  for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)
    {
      const guint64 p0 = (guint64) 0xD2511F53u * c[0], p1 = (guint64) 0xCD9E8D57u * c[2];

      c[0] = (guint32) (p1 >> 32) ^ c[1] ^ k0;
      c[1] = (guint32) p1;
      c[2] = (guint32) (p0 >> 32) ^ c[3] ^ k1;
      c[3] = (guint32) p0;
    }
}

void ls_philox (const guint32 counter[4], const guint32 key[2], guint32 out[4]);

/* Independent streams of one seed; a new use of random numbers takes a new stream. */
typedef enum {
  LS_STREAM_WEIGHTS = 1,
  LS_STREAM_SHUFFLE,
  LS_STREAM_TOY,
  LS_STREAM_TEST,
  LS_STREAM_SPLIT,
  LS_STREAM_DROPOUT, /* ops/dropout.h; kernels_cl/dropout.cl has its number */
} LsStream;

/* The index-th number of a stream's substream (a tensor's id, an epoch, a class). */
guint32 ls_rng_u32 (guint64 seed, LsStream stream, guint32 sub, guint64 index);
double ls_rng_uniform (guint64 seed, LsStream stream, guint32 sub, guint64 index); /* [0, 1), 53 bits */
double ls_rng_normal (guint64 seed, LsStream stream, guint32 sub, guint64 index);  /* mean 0, variance 1 */
/* A permutation of 0 … n−1 (Fisher-Yates), without modulo bias; a pure function of seed, stream and sub.
 * index: n. */
void ls_rng_shuffle (guint64 seed, LsStream stream, guint32 sub, guint32 *index, guint32 n);

G_END_DECLS
