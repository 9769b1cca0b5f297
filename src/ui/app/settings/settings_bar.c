/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See settings_bar.h. A plain GtkProgressBar with what it needs bound to it, so that it goes with it.
 */
#include "config.h"
#include "ui/app/settings/settings_bar.h"

#include <glib/gi18n.h>

#define TICK_MS 200
#define KEY     "lockstep-reading"

typedef struct {
  GtkWidget *bar; /* which owns this */
  gboolean says;
  char *path;
  LsSettingsPart *part; /* NULL: nothing is read */
  gint64 begun_us;
  guint timer;
} Reading;

static Reading *
reading_of (GtkWidget *bar)
{
  return g_object_get_data (G_OBJECT (bar), KEY);
}

static void
forget (Reading *reading)
{
  g_clear_handle_id (&reading->timer, g_source_remove);
  g_clear_pointer (&reading->part, g_atomic_rc_box_release);
  g_clear_pointer (&reading->path, g_free);
}

static void
reading_free (gpointer data)
{
  forget (data);
  g_free (data);
}

GtkWidget *
ls_settings_bar_new (gboolean says)
{
  GtkWidget *bar = gtk_progress_bar_new ();
  Reading *reading = g_new0 (Reading, 1);

  reading->bar = bar;
  reading->says = says;
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (bar), says);
  gtk_progress_bar_set_ellipsize (GTK_PROGRESS_BAR (bar), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_visible (bar, FALSE);
  g_object_set_data_full (G_OBJECT (bar), KEY, reading, reading_free);
  return bar;
}

char *
ls_settings_bar_words (const char *path, const LsSettingsPart *part)
{
  g_autofree char *name = g_filename_display_basename (path);

  return g_strdup_printf (_("Reading “%s”: %.0f %%"), name, g_atomic_int_get (&part->permille) / 10.0);
}

void
ls_settings_bar_tick (GtkWidget *bar, gint64 since_us)
{
  const Reading *reading = reading_of (bar);
  gint permille;

  if (reading->part == NULL || since_us < LS_SETTINGS_BAR_US)
    return;
  permille = g_atomic_int_get (&reading->part->permille);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), permille / 1000.0);
  if (reading->says)
    {
      g_autofree char *words = ls_settings_bar_words (reading->path, reading->part);
      gtk_progress_bar_set_text (GTK_PROGRESS_BAR (bar), words);
    }
  gtk_widget_set_visible (bar, TRUE);
}

static gboolean
tick_cb (gpointer data)
{
  const Reading *reading = data;

  ls_settings_bar_tick (reading->bar, g_get_monotonic_time () - reading->begun_us);
  return G_SOURCE_CONTINUE;
}

void
ls_settings_bar_begin (GtkWidget *bar, const char *path, LsSettingsPart *part)
{
  Reading *reading = reading_of (bar);

  ls_settings_bar_end (bar);
  reading->path = g_strdup (path);
  reading->part = part;
  reading->begun_us = g_get_monotonic_time ();
  reading->timer = g_timeout_add (TICK_MS, tick_cb, reading);
}

void
ls_settings_bar_end (GtkWidget *bar)
{
  forget (reading_of (bar));
  gtk_widget_set_visible (bar, FALSE);
}
