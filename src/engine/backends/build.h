/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBuild: how far a lane is with the kernels of its training step, op by op: what stands in its place until
 * it trains. Immutable, reference-counted.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_BUILD_NO_KERNEL, /* nothing to build: the host or the reference does the op */
  LS_BUILD_TO_COME,
  LS_BUILD_RUNNING, /* being compiled now: several ops at once where several processes compile */
  LS_BUILD_DONE,
} LsBuildState;

typedef struct {
  LsBuildState state;
  const char *kernel; /* "gemm_packed": the function that makes the op's tiles, interned; NULL:
                         LS_BUILD_NO_KERNEL */
  gint same_as; /* the op whose program it shares, or whose kernel does it, too; −1: the program is its own */
  double seconds; /* DONE: so long did it take, 0: it was in the cache. RUNNING: so far */
} LsOpBuild;

typedef struct {
  guint n_ops;       /* the plan's */
  guint done, total; /* programs of the step */
  double left_s;     /* about so much longer, from what has been compiled so far; NAN: nothing has been yet */
  LsOpBuild ops[];
} LsBuild; /* a g_atomic_rc_box */

LsBuild *ls_build_new (guint n_ops); /* all NO_KERNEL, left_s NAN */
LsBuild *ls_build_copy (const LsBuild *build);
/* Programs of the step, as its ops tell: how many are there, wherever they came from, of how many. */
void ls_build_count (const LsBuild *build, guint *done, guint *total);
LsBuild *ls_build_ref (LsBuild *build);
void ls_build_unref (LsBuild *build); /* may be NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBuild, ls_build_unref)

G_END_DECLS
