/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long each worker was off its core, in a recording's file: one number a worker, as a tensor of its own.
 * A recording without it is of a lane that doesn't tell, or of an older program.
 */
#include "config.h"
#include "files/recording_format.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

#define NAME "lanes.%u.off_core.ns"

void
ls_recording_write_off_core (const LsRecordedLane *lane, LsSafetensorsWriter *writer, guint number)
{
  const gint64 n = lane->off_core != NULL ? lane->off_core->len : 0;
  char name[64];

  if (n == 0)
    return;
  g_snprintf (name, sizeof name, NAME, number);
  ls_safetensors_writer_add (writer, name, LS_ST_U64, 1, &n, lane->off_core->data);
}

gboolean
ls_recording_read_off_core (LsSafetensors *file, guint number, LsRecordedLane *lane, guint *used,
                            GError **error)
{
  g_autofree char *name = g_strdup_printf (NAME, number);
  const LsStTensor *tensor = ls_safetensors_find (file, name);
  g_autoptr (GArray) off = NULL;

  if (tensor == NULL)
    return TRUE;
  if (tensor->dtype != LS_ST_U64 || tensor->rank != 1 || tensor->count > LS_MAX_WORKERS)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("tensor “%s” must be a row of U64, one for each of at most %d workers."), name,
                   LS_MAX_WORKERS);
      return FALSE;
    }
  *used += 1;
  off = g_array_sized_new (FALSE, TRUE, sizeof (guint64), (guint) tensor->count);
  g_array_set_size (off, (guint) tensor->count);
  if (!ls_safetensors_read (file, tensor, off->data, error))
    return FALSE;
  lane->off_core = g_steal_pointer (&off);
  return TRUE;
}

/* What is wrong with it, as a clause; NULL: nothing. (transfer full) */
char *
ls_recording_check_off_core (const LsRecording *recording, guint number)
{
  const LsRecordedLane *lane = &recording->lanes[number];

  for (guint w = 0; lane->off_core != NULL && w < lane->off_core->len; w++)
    if (g_array_index (lane->off_core, guint64, w) > lane->end_ns - lane->start_ns)
      return g_strdup_printf (_("lane %u, worker %u: it was off its core for longer than the step took."),
                              number, w);
  return NULL;
}
