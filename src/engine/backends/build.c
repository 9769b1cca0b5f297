/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backends/build.h"

#include <math.h>
#include <string.h>

LsBuild *
ls_build_new (guint n_ops)
{
  LsBuild *build = g_atomic_rc_box_alloc0 (sizeof *build + n_ops * sizeof build->ops[0]);

  build->n_ops = n_ops;
  build->left_s = (double) NAN;
  for (guint i = 0; i < n_ops; i++)
    build->ops[i].same_as = -1;
  return build;
}

LsBuild *
ls_build_copy (const LsBuild *build)
{
  LsBuild *copy = ls_build_new (build->n_ops);

  memcpy (copy, build, sizeof *build + build->n_ops * sizeof build->ops[0]);
  return copy;
}

void
ls_build_count (const LsBuild *build, guint *done, guint *total)
{
  *done = *total = 0;
  for (guint i = 0; i < build->n_ops; i++)
    if (build->ops[i].state != LS_BUILD_NO_KERNEL && build->ops[i].same_as < 0)
      {
        *done += build->ops[i].state == LS_BUILD_DONE;
        ++*total;
      }
}

LsBuild *
ls_build_ref (LsBuild *build)
{
  return g_atomic_rc_box_acquire (build);
}

void
ls_build_unref (LsBuild *build)
{
  if (build != NULL)
    g_atomic_rc_box_release (build);
}
