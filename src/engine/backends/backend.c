/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of backends, and what they have in common.
 */
#include "backends/backend.h"

#include <string.h>

static const LsBackend *const backends[] = {
  &ls_backend_cpu,
  &ls_backend_opencl,
  &ls_backend_reference,
  &ls_backend_reference_f64,
};

const LsBackend *const *
ls_backends (guint *n)
{
  *n = G_N_ELEMENTS (backends);
  return backends;
}

const LsBackend *
ls_backend_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (backends); i++)
    if (strcmp (backends[i]->name, name) == 0)
      return backends[i];
  return NULL;
}

LsBackendKind
ls_backend_kind (const char *name)
{
  const LsBackend *backend = name != NULL ? ls_backend_find (name) : NULL;

  return backend != NULL ? backend->kind : LS_BACKEND_UNKNOWN;
}
