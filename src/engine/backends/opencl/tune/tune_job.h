/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tuner's parent tells its child: the wish, and where an earlier child got to. As JSON on the
 * command line.
 */
#pragma once

#include "backends/opencl/tune/tune.h"

G_BEGIN_DECLS

typedef struct {
  LsTuneWish wish; /* texts owned by the job */
  guint device;    /* index in the list of devices */
  guint first;     /* task to begin with */
  GPtrArray *skip; /* char *: "matmul packed VEC=8": what ended a child, and is left out from then on */
} LsTuneJob;

void ls_tune_job_free (LsTuneJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuneJob, ls_tune_job_free)

char *ls_tune_job_to_text (const LsTuneJob *job);
/* Errors: LS_ERROR_DATA. */
LsTuneJob *ls_tune_job_from_text (const char *text, GError **error);

G_END_DECLS
