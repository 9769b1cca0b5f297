/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the tuner's file to a launch: the key of an op on this device, and the row and values that its entry
 * names. What a stranger wrote there is used only as far as the kernel table knows it: a rung and parameters
 * that the row has, with values among their choices, and that fit the device.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

void
ls_cl_tuned_key (const LsCl *self, const LsOp *op, const LsPlan *plan, LsTunedEntry *key)
{
  const LsClDevice *device = self->device;
  g_autofree char *platform = g_strdup_printf ("%s, %s", device->platform_name, device->platform_version);
  g_autofree char *name = g_strdup_printf ("%s, %s", device->info->name, device->info->version);

  key->platform = g_utf8_make_valid (platform, -1);
  key->device = g_utf8_make_valid (name, -1);
  key->driver = g_utf8_make_valid (device->info->driver, -1);
  key->op = g_strdup (op->klass->name);
  key->shape = ls_tuned_shape (op, plan);
}

/* Each part with its end marked, as in program.c. */
static void
add (GChecksum *sum, const char *text)
{
  g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
}

char *
ls_cl_tuned_source (const LsKernelFiles *edited, const char *op, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint n;
  const LsClKernel *rows = ls_cl_kernels (&n);

  add (sum, LS_CL_BUILD_OPTIONS);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *source = NULL;
      if (strcmp (rows[i].op, op) != 0)
        continue;
      source = ls_cl_source_load (edited, rows[i].sources, error);
      if (source == NULL)
        return NULL;
      add (sum, rows[i].rung);
      add (sum, rows[i].defines ? rows[i].defines : "");
      add (sum, source);
    }
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean
is_choice (const LsClParam *param, gint64 value)
{
  for (guint i = 0; i < G_N_ELEMENTS (param->choices) && param->choices[i] != 0; i++)
    if (param->choices[i] == value)
      return TRUE;
  return value == param->value;
}

/* All of the row's parameters and no others. */
static gboolean
take_values (const LsClKernel *row, const LsTunedEntry *entry, int values[LS_CL_MAX_PARAMS])
{
  guint taken = 0;

  for (guint p = 0; p < LS_CL_MAX_PARAMS && row->params[p].name; p++)
    {
      guint i = 0;
      while (i < entry->n_params && strcmp (entry->params[i].name, row->params[p].name) != 0)
        i++;
      if (i == entry->n_params || !is_choice (&row->params[p], entry->params[i].value))
        return FALSE;
      values[p] = (int) entry->params[i].value;
      taken++;
    }
  return taken == entry->n_params;
}

/* The first row of that rung which can do the op with the entry's values, as the tuner took it. */
static const LsClKernel *
find_row (const LsOp *op, const LsPlan *plan, const LsClLimits *limits, const LsTunedEntry *entry,
          int values[LS_CL_MAX_PARAMS])
{
  guint n;
  const LsClKernel *rows = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (rows[i].op, op->klass->name) == 0 && strcmp (rows[i].rung, entry->rung) == 0
        && take_values (&rows[i], entry, values)
        && (rows[i].fits == NULL || rows[i].fits (op, plan, values, limits)))
      return &rows[i];
  return NULL;
}

/* With --kernel=RUNG only an entry of that very rung speaks. */
static const LsTunedEntry *
find_entry (const LsCl *self, const LsOp *op, const LsPlan *plan, const LsClKernel *chosen)
{
  LsTunedEntry *key = g_new0 (LsTunedEntry, 1);
  const LsTunedEntry *entry;
  gboolean any_rung = strcmp (self->rung, "auto") == 0 || *self->rung == '\0';

  ls_cl_tuned_key (self, op, plan, key);
  entry = ls_tuned_find (self->tuned, key);
  if (entry && !any_rung && strcmp (entry->rung, chosen->rung) != 0)
    entry = NULL;
  if (entry)
    {
      key->source = ls_cl_tuned_source (self->edited, op->klass->name, NULL);
      entry = key->source ? ls_tuned_find (self->tuned, key) : NULL;
    }
  ls_tuned_entry_free (key);
  return entry;
}

gboolean
ls_cl_tuned_choose (const LsCl *self, const LsOp *op, const LsPlan *plan, const LsClKernel **row, int *values)
{
  const LsTunedEntry *entry;
  const LsClKernel *wanted;
  int tuned[LS_CL_MAX_PARAMS] = { 0 };

  if (ls_cl_op_is_half (op, plan) || !self->use_tuned || self->tuned == NULL || self->tuned->entries->len == 0
      || (entry = find_entry (self, op, plan, *row)) == NULL
      || (wanted = find_row (op, plan, &self->device->limits, entry, tuned)) == NULL)
    return FALSE;
  *row = wanted;
  memcpy (values, tuned, sizeof tuned);
  return TRUE;
}
