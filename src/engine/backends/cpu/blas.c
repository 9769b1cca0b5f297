/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenBLAS: see blas.h. With one thread set, cblas_sgemm() runs on its caller; the only thing that concurrent
 * callers share is a table of packing buffers behind a mutex held for some ten instructions.
 */
#include "config.h"
#include "backends/cpu/blas.h"

#include <cblas.h>

#include "core/memory.h"

void
ls_blas_init (void)
{
  openblas_set_num_threads (1);
}

#define BUFFER_BYTES (140 * LS_MB) /* 0.3.21 on x86-64 takes 132 MB */
#define SPARE_BYTES  (100 * LS_MB) /* for all else that the program is yet to map */

/* OpenBLAS's own; no header has them. Weak: a library without them is used as it is. */
void *blas_memory_alloc (int position) __attribute__ ((weak));
void blas_memory_free (void *buffer) __attribute__ ((weak));

/* OpenBLAS keeps what is given back to it for whoever calls next. */
static void
take_buffers (guint threads)
{
  g_autofree void **buffers = g_new (void *, threads);

  if (blas_memory_alloc == NULL || blas_memory_free == NULL)
    return;
  for (guint i = 0; i < threads; i++)
    buffers[i] = blas_memory_alloc (0);
  for (guint i = 0; i < threads; i++)
    blas_memory_free (buffers[i]);
}

gboolean
ls_blas_fits (guint threads)
{
  static gsize verdict; /* 1: no, 2: yes */

  if (g_once_init_enter (&verdict))
    {
      const gboolean fits = ls_memory_address_space_left () >= (guint64) threads * BUFFER_BYTES + SPARE_BYTES;

      if (fits && ls_memory_address_space () != G_MAXUINT64)
        take_buffers (threads);
      g_once_init_leave (&verdict, fits ? 2 : 1);
    }
  return verdict == 2;
}

void
ls_blas_set_threads (guint threads)
{
  openblas_set_num_threads ((int) threads);
}

char *
ls_blas_describe (void)
{
  /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Cooperlake MAX_THREADS=64" */
  g_auto (GStrv) words = g_strsplit (openblas_get_config (), " ", 3);
  const char *version = words[0] && words[1] ? words[1] : "";

  return g_strdup_printf ("OpenBLAS %s (%s)", version, ls_blas_core ());
}

const char *
ls_blas_core (void)
{
  return openblas_get_corename ();
}

void
ls_blas_gemm (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
              const float *b, gint64 ldb, float beta, float *c, gint64 ldc)
{
  cblas_sgemm (CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, (int) m,
               (int) n, (int) k, 1, a, (int) lda, b, (int) ldb, beta, c, (int) ldc);
}
