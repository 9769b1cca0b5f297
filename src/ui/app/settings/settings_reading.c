/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See settings_reading.h.
 */
#include "config.h"
#include "ui/app/settings/settings_reading.h"

#include "data/dataset.h"

typedef struct {
  LsOptions *options;
  char *what;
} Order;

static void
order_free (Order *order)
{
  ls_options_free (order->options);
  g_free (order->what);
  g_free (order);
}

static gint permille; /* atomic */

static void
progress_cb (double done, gpointer data)
{
  g_atomic_int_set (&permille, (gint) (1000 * done));
}

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Order *order = data;
  LsDataRequest request = ls_data_request (order->options);
  g_autoptr (LsData) read = NULL;
  GError *error = NULL;

  request.what = order->what;
  read = ls_data_load_request (&request, &error);
  if (read != NULL)
    g_task_return_pointer (task, ls_data_preview_new (read), (GDestroyNotify) ls_data_preview_free);
  else
    g_task_return_error (task, error);
}

void
ls_settings_read_data (gpointer source, const LsOptions *options, const char *what, GAsyncReadyCallback done,
                       gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, done, data);
  Order *order = g_new0 (Order, 1);

  order->options = ls_options_copy (options);
  order->what = g_strdup (what);
  g_task_set_task_data (task, order, (GDestroyNotify) order_free);
  g_atomic_int_set (&permille, 0);
  ls_data_set_progress (progress_cb, NULL);
  g_task_run_in_thread (task, read_thread);
}

LsDataPreview *
ls_settings_read_data_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

double
ls_settings_read_data_part (void)
{
  return g_atomic_int_get (&permille) / 1000.0;
}

char *
ls_settings_reading_key (const LsOptions *options)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);
  g_autoptr (GString) key = g_string_new (options->data);

  if (g_strv_contains (ls_data_names (), options->data))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (rows[i].group & LS_OPTION_GROUP_DATA)
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        g_string_append_printf (key, "\n%s", text);
      }
  return g_string_free (g_steal_pointer (&key), FALSE);
}
