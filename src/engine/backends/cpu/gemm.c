/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who computes a matrix product: see gemm.h. OpenBLAS divides k no further than its own blocks, which are
 * longer than LS_SUM_BLOCK, so one call per block keeps the order, if its kernels do. Those for AVX-512 add
 * one product after the other; those for AVX2 (0.3.21: Haswell, Zen) add even and odd k apart at the edges of
 * their blocks. Instead of a list of kernels and versions, a few products are computed both ways once, and
 * the bits compared. All but large ones, to LS_GEMM_LOOPS_MOST, the loops compute: they copy a panel of B at
 * most, and on tiles of 64×64×784 to 128×392×256 are 1.1 to 1.5 times as fast as OpenBLAS 0.3.21; 0.9 to 1.5
 * times as fast as its kernels for small products, but for single rows, which take half the time for adding
 * up sixteen sums in parallel; and on tiles of 500×500×1000 as fast.
 */
#include "config.h"
#include "backends/cpu/gemm.h"

#include "backends/cpu/blas.h"
#include "core/rng.h"
#include "model/blas_model.h"
#include "ops/op.h"

/* Odd sizes, so that every edge of OpenBLAS's blocks is met; TRIAL_M · TRIAL_N · LS_SUM_BLOCK > LS_BLAS_SMALL
 * (model/blas_model.h). */
#define TRIAL_M 173
#define TRIAL_N 141

#if LS_GEMM_X86
#define LS_GEMM_FUSES(loops) ((loops) != ls_gemm_loops_4)
#else
#define LS_GEMM_FUSES(loops) FALSE /* what there is, the plain ones are compiled for */
#define ls_gemm_naive_fma    ls_gemm_naive_plain
#define ls_gemm_scalar_fma   ls_gemm_scalar_plain
#endif

static LsGemmFunc
choose_loops (void)
{
#if LS_GEMM_X86
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl")
      && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512cd"))
    return ls_gemm_loops_16;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && __builtin_cpu_supports ("bmi2"))
    return ls_gemm_loops_8;
#endif
  return ls_gemm_loops_4;
}

static LsGemmFunc
loops (void)
{
  static gsize chosen;

  if (g_once_init_enter (&chosen))
    g_once_init_leave (&chosen, (gsize) choose_loops ());
  return (LsGemmFunc) chosen;
}

guint
ls_gemm_loop_floats (void)
{
  return loops () == ls_gemm_loops_4 ? 4 : loops () == ls_gemm_loops_16 ? 16 : 8;
}

static gboolean
same_bits (gboolean ta, gboolean tb, const float *a, const float *b)
{
  const gsize count = TRIAL_M * TRIAL_N;
  const gint64 lda = ta ? TRIAL_M : LS_SUM_BLOCK, ldb = tb ? LS_SUM_BLOCK : TRIAL_N;
  g_autofree float *ours = g_new (float, count), *theirs = g_new (float, count);

  loops () (ta, tb, TRIAL_M, TRIAL_N, LS_SUM_BLOCK, a, lda, b, ldb, FALSE, ours, TRIAL_N);
  ls_blas_gemm (ta, tb, TRIAL_M, TRIAL_N, LS_SUM_BLOCK, a, lda, b, ldb, 0, theirs, TRIAL_N);
  return memcmp (ours, theirs, count * sizeof (float)) == 0;
}

static gboolean
try_blas (void)
{
  const gsize count = TRIAL_M * LS_SUM_BLOCK;
  g_autofree float *a = g_new (float, count), *b = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    {
      a[i] = (float) ls_rng_uniform (0, LS_STREAM_TEST, 0, i) - 0.5f;
      b[i] = (float) ls_rng_uniform (0, LS_STREAM_TEST, 1, i) - 0.5f;
    }
  return same_bits (FALSE, FALSE, a, b) && same_bits (FALSE, TRUE, a, b) && same_bits (TRUE, FALSE, a, b)
         && same_bits (TRUE, TRUE, a, b);
}

gboolean
ls_gemm_uses_blas (void)
{
  static gsize verdict; /* 1: no, 2: yes */

  if (g_once_init_enter (&verdict))
    g_once_init_leave (&verdict, ls_blas_fits (1) && try_blas () ? 2 : 1);
  return verdict == 2;
}

gboolean
ls_gemm_calls_blas (gint64 m, gint64 n, gint64 k)
{
  return m * n * MIN (k, LS_SUM_BLOCK) > LS_GEMM_LOOPS_MOST && ls_gemm_uses_blas ();
}

/* What C holds before the block of the sum that begins with product `first`. */
static LsGemmStart
start_of (LsGemmStart start, gint64 first)
{
  return start == LS_GEMM_NEW && first > 0 ? LS_GEMM_ADD : start;
}

void
ls_gemm (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda, const float *b,
         gint64 ldb, LsGemmStart start, float *c, gint64 ldc)
{
  if (start == LS_GEMM_GO_ON || !ls_gemm_calls_blas (m, n, k))
    {
      ls_gemm_loops (ta, tb, m, n, k, a, lda, b, ldb, start, c, ldc);
      return;
    }
  for (gint64 first = 0; first < k; first += LS_SUM_BLOCK)
    {
      const gint64 count = MIN (LS_SUM_BLOCK, k - first);
      const float *a_block = a + (ta ? first * lda : first), *b_block = b + (tb ? first : first * ldb);

      if (ls_gemm_calls_blas (m, n, count))
        ls_blas_gemm (ta, tb, m, n, count, a_block, lda, b_block, ldb, start_of (start, first) == LS_GEMM_ADD,
                      c, ldc);
      else
        loops () (ta, tb, m, n, count, a_block, lda, b_block, ldb, start_of (start, first), c, ldc);
    }
}

/* Block after block of the sum. */
static void
in_blocks (LsGemmFunc block, gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
           gint64 lda, const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc)
{
  for (gint64 first = 0; first < k; first += LS_SUM_BLOCK)
    block (ta, tb, m, n, MIN (LS_SUM_BLOCK, k - first), a + (ta ? first * lda : first), lda,
           b + (tb ? first : first * ldb), ldb, start_of (start, first), c, ldc);
}

void
ls_gemm_loops (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
               const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc)
{
#if LS_GEMM_X86
  /* one row by a transposed B is turned in registers, which wider ones don't make faster */
  if (m == 1 && tb && !ta && loops () == ls_gemm_loops_16)
    {
      ls_gemm_loops_8 (ta, tb, m, n, k, a, lda, b, ldb, start, c, ldc);
      return;
    }
#endif
  loops () (ta, tb, m, n, k, a, lda, b, ldb, start, c, ldc);
}

void
ls_gemm_update (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                const float *b, gint64 ldb, float *c, gint64 ldc, const LsGemmUpdate *update)
{
#if LS_GEMM_X86
  (loops () == ls_gemm_loops_16 ? ls_gemm_update_16
   : loops () == ls_gemm_loops_8
     ? ls_gemm_update_8
     : ls_gemm_update_4) (ta, tb, m, n, k, a, lda, b, ldb, LS_GEMM_NEW, c, ldc, update);
#else
  ls_gemm_update_4 (ta, tb, m, n, k, a, lda, b, ldb, LS_GEMM_NEW, c, ldc, update);
#endif
}

/* Those without vectors are chosen with the loops, so that both fuse or neither does. */
void
ls_gemm_scalar (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc)
{
  in_blocks (LS_GEMM_FUSES (loops ()) ? ls_gemm_scalar_fma : ls_gemm_scalar_plain, ta, tb, m, n, k, a, lda, b,
             ldb, start, c, ldc);
}

void
ls_gemm_naive (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
               const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc)
{
  in_blocks (LS_GEMM_FUSES (loops ()) ? ls_gemm_naive_fma : ls_gemm_naive_plain, ta, tb, m, n, k, a, lda, b,
             ldb, start, c, ldc);
}
