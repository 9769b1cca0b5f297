/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one door to OpenBLAS: one matrix product on the calling thread. Its own threads are never used: how
 * work is shared out is what this program is about.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tells OpenBLAS to compute on the calling thread alone. For the whole process. */
void ls_blas_init (void);
/* Each of `threads` that call it has room for OpenBLAS's buffer, as far as a limit on the address space goes.
 * One that hasn't would ask the system for ever. Looked at once, for the first lane; where there is such a
 * limit the buffers are taken then, before a network's tensors need the rest of it. */
gboolean ls_blas_fits (guint threads);
/* Tells it to use so many: of a process that measures OpenBLAS itself and has no lane. */
void ls_blas_set_threads (guint threads);
/* "OpenBLAS 0.3.21 (Cooperlake)"; (transfer full). */
char *ls_blas_describe (void);
/* "Cooperlake" */
const char *ls_blas_core (void);

/* C[m×n] = op(A)[m×k]·op(B)[k×n] + β·C, all row-major; lda, ldb, ldc: elements from one row in memory to the
 * next. β = 0 overwrites C whatever it held. Any number of threads may call this at once. */
void ls_blas_gemm (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                   const float *b, gint64 ldb, float beta, float *c, gint64 ldc);

G_END_DECLS
