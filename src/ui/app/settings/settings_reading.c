/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See settings_reading.h.
 */
#include "config.h"
#include "ui/app/settings/settings_reading.h"

#include <glib/gi18n.h>

#include "data/dataset.h"

typedef struct {
  LsOptions *options;
  char *what;
  LsSettingsPart *part;
} Order;

static void
order_free (Order *order)
{
  ls_options_free (order->options);
  g_free (order->what);
  g_atomic_rc_box_release (order->part);
  g_free (order);
}

void
ls_settings_read_free (LsSettingsRead *read)
{
  g_clear_pointer (&read->data, ls_data_unref);
  ls_data_preview_free (read->preview);
  g_free (read);
}

static void
progress_cb (double done, gpointer data)
{
  LsSettingsPart *part = data;

  g_atomic_int_set (&part->permille, (gint) (1000 * done));
}

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Order *order = data;
  LsDataRequest request = ls_data_request (order->options);
  g_autoptr (LsSettingsRead) read = g_new0 (LsSettingsRead, 1);
  GError *error = NULL;

  request.what = order->what;
  request.progress = progress_cb;
  request.progress_data = order->part;
  read->data = ls_data_load_request (&request, &error);
  if (read->data == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  read->preview = ls_data_preview_new (read->data);
  g_task_return_pointer (task, g_steal_pointer (&read), (GDestroyNotify) ls_settings_read_free);
}

void
ls_settings_read_data (gpointer source, const LsOptions *options, const char *what, LsSettingsPart **part,
                       GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, done, data);
  Order *order = g_new0 (Order, 1);

  order->options = ls_options_copy (options);
  order->what = g_strdup (what);
  order->part = g_atomic_rc_box_new0 (LsSettingsPart);
  if (part != NULL)
    *part = g_atomic_rc_box_acquire (order->part);
  g_task_set_task_data (task, order, (GDestroyNotify) order_free);
  g_task_run_in_thread (task, read_thread);
}

LsSettingsRead *
ls_settings_read_data_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

char *
ls_settings_reading_key (const LsOptions *options)
{
  const LsDataRequest request = ls_data_request (options);

  return g_strv_contains (ls_data_names (), options->data) ? NULL : ls_data_key (&request);
}

char *
ls_settings_not_here (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  return g_strdup_printf (_("“%s” is not a file on this machine; copy it here first."), uri);
}
