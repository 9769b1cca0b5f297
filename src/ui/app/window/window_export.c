/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be taken along: the picture, the recorded step, the run's numbers, the verdicts on all claims.
 * Each is made from what is shown at the moment of asking, so that the dialog may stay open as long as it
 * likes.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "lab/kept.h"
#include "files/export.h"
#include "files/output.h"
#include "ui/app/compat.h"
#include "ui/app/session/session_lab.h"
#include "ui/report/report.h"
#include "ui/paint/output/export.h"
#include "ui/paint/pages/claims_pages.h"

/* A picture for a page is drawn at this size, whatever the window's is, unless that is larger. */
#define PICTURE_W 1920
#define PICTURE_H 1080

typedef struct {
  LsWindow *window;
  LsLayout *layout;
  LsRecording *recording;
  LsSnapshot *snapshot;
  GPtrArray *lab; /* LsLabResult */
  LsClaims *claims;
  char *what;
} Export;

static void
free_export (Export *export)
{
  ls_layout_free (export->layout);
  g_clear_pointer (&export->recording, ls_recording_unref);
  g_clear_pointer (&export->snapshot, ls_snapshot_unref);
  g_clear_pointer (&export->lab, g_ptr_array_unref);
  g_clear_pointer (&export->claims, ls_claims_unref);
  g_object_unref (export->window);
  g_free (export->what);
  g_free (export);
}

static gboolean
save_text (GString *text, const char *path, GError **error)
{
  const gboolean saved = ls_file_save (path, text->str, text->len, error);

  g_string_free (text, TRUE);
  return saved;
}

/* One row per step, one group of columns per lane; numbers as C prints them. */
static GString *
run_table (const LsSnapshot *snapshot)
{
  GString *text = g_string_new ("step");
  guint64 most = 0;

  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const char *name = snapshot->lanes[i].spec->id;
      g_string_append_printf (text, ",%s_loss,%s_step_us,%s_end_ms,%s_flags", name, name, name, name);
      most = MAX (most, snapshot->lanes[i].steps);
    }
  g_string_append_c (text, '\n');
  for (guint64 step = 0; step < most; step++)
    {
      g_string_append_printf (text, "%llu", (unsigned long long) step + 1);
      for (guint i = 0; i < snapshot->n_lanes; i++)
        {
          char loss[G_ASCII_DTOSTR_BUF_SIZE], time[G_ASCII_DTOSTR_BUF_SIZE];
          LsPoint point;
          if (step >= snapshot->lanes[i].steps)
            {
              g_string_append (text, ",,,,");
              continue;
            }
          point = ls_curve_get (snapshot->lanes[i].curve, step);
          g_string_append_printf (
            text, ",%s,%s,%u,%u", g_ascii_formatd (loss, sizeof loss, "%.9g", (double) point.loss),
            g_ascii_formatd (time, sizeof time, "%.9g", (double) point.step_us), point.end_ms, point.flags);
        }
      g_string_append_c (text, '\n');
    }
  return text;
}

/* Pages of paper, as the command line writes them. */
static gboolean
save_claims (const LsClaims *claims, const char *path, GError **error)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Cantarell, Sans");
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  LsStyle style;

  ls_style_init (&style, LS_LOOK_PRINT, 1);
  return ls_claims_export (claims, catalogue, &style, fonts, path, error);
}

static gboolean
write_export (const Export *export, const char *path, GError **error)
{
  if (export->claims != NULL)
    return save_claims (export->claims, path, error);
  if (export->layout != NULL)
    return ls_export_picture (export->layout, path, 1, error);
  if (strcmp (export->what, "recording") == 0)
    return ls_recording_save (export->recording, path, error);
  if (strcmp (export->what, "perfetto") == 0)
    return save_text (ls_export_perfetto (export->recording), path, error);
  if (export->lab != NULL)
    {
      g_autofree char *csv = ls_lab_csv (export->lab);
      return ls_file_save (path, csv, strlen (csv), error);
    }
  if (strcmp (export->what, "csv") == 0)
    return save_text (run_table (export->snapshot), path, error);
  return ls_report_save (export->snapshot, NULL, path, error);
}

static void
chosen (GFile *file, gpointer data)
{
  Export *export = data;
  g_autofree char *path = g_file_get_path (file), *sentence = NULL;
  g_autoptr (GError) error = NULL;

  if (path != NULL && write_export (export, path, &error))
    {
      g_autofree char *name = g_filename_display_basename (path);
      sentence = g_strdup_printf (_("Saved “%s”."), name);
      ls_window_event (export->window, "saved %s", path);
    }
  else
    sentence = g_strdup (error != NULL ? error->message : _("Choose a folder on this machine."));
  ls_window_toast (export->window, sentence);
}

static char *
file_name (LsWindow *self, const char *what)
{
  const LsRecording *shown = ls_session_shown (self->session);
  const LsView *view = ls_canvas_view (LS_CANVAS (self->canvas));
  const unsigned long long step = shown != NULL ? shown->step : 0;

  if (strcmp (what, "recording") == 0)
    return g_strdup_printf ("step-%llu.lockstep", step);
  if (strcmp (what, "perfetto") == 0)
    return g_strdup_printf ("step-%llu.perfetto.json", step);
  if (strcmp (what, "csv") == 0 || strcmp (what, "json") == 0)
    return g_strdup_printf ("run.%s", what);
  if (strcmp (what, "measurements") == 0)
    return g_strdup ("measurements.csv");
  if (strcmp (what, "claims") == 0)
    return g_strdup ("claims.pdf");
  return g_strdup_printf ("%s.%s", view->name, what);
}

static LsLayout *
picture (LsWindow *self, gboolean as_shown)
{
  const LsLook look = ls_canvas_look (LS_CANVAS (self->canvas));
  const int width = gtk_widget_get_width (self->canvas), height = gtk_widget_get_height (self->canvas);

  if (as_shown)
    return ls_canvas_export_layout (LS_CANVAS (self->canvas), MAX (width, 960), MAX (height, 600), look);
  return ls_canvas_export_layout (LS_CANVAS (self->canvas), MAX (width, PICTURE_W), MAX (height, PICTURE_H),
                                  look);
}

void
ls_window_export (LsWindow *self, const char *what)
{
  const gboolean run = strcmp (what, "csv") == 0 || strcmp (what, "json") == 0;
  const gboolean step = strcmp (what, "recording") == 0 || strcmp (what, "perfetto") == 0;
  const LsViewData *data = ls_session_data (self->session);
  const gboolean measurements = strcmp (what, "measurements") == 0, verdicts = strcmp (what, "claims") == 0;
  LsClaims *claims = verdicts ? ls_session_claims (self->session) : NULL;
  LsRecording *shown = ls_session_shown (self->session);
  LsSnapshot *snapshot = ls_session_snapshot (self->session);
  LsLayout *layout = run || step || measurements || verdicts ? NULL : picture (self, FALSE);
  g_autofree char *name = file_name (self, what), *pattern = NULL;
  Export *export;

  if (measurements && (data == NULL || data->lab == NULL || data->lab->len == 0))
    {
      ls_window_toast (
        self, _("Nothing has been measured with these lanes yet; Scaling and Crossover do (Ctrl+M)."));
      return;
    }
  if (verdicts && claims == NULL)
    {
      ls_window_toast (self, _("The claims can’t be read; “lockstep claims” says why."));
      return;
    }
  if ((run && snapshot == NULL) || (step && shown == NULL)
      || (!run && !step && !measurements && !verdicts && layout == NULL))
    {
      ls_window_toast (self, step ? _("No step has been recorded yet; press Play first.")
                                  : _("There is nothing to save yet; press Play first."));
      return;
    }
  export = g_new (Export, 1);
  *export = (Export){ .window = g_object_ref (self),
                      .layout = layout,
                      .what = g_strdup (what),
                      .recording = shown == NULL ? NULL
                                   : ls_session_mode (self->session) == LS_SESSION_PLAYBACK
                                     ? ls_recording_ref (shown)
                                     : ls_lab_kept_with (shown),
                      .snapshot = snapshot != NULL ? ls_snapshot_ref (snapshot) : NULL,
                      .lab = measurements ? g_ptr_array_ref (data->lab) : NULL,
                      .claims = verdicts ? ls_claims_ref (claims) : NULL };
  pattern = g_strdup_printf ("*%s", strrchr (name, '.'));
  ls_compat_choose_file (GTK_WINDOW (self), LS_CHOOSE_SAVE, _("Save"), name, pattern, pattern + 2, chosen,
                         export, (GDestroyNotify) free_export);
}

void
ls_window_copy (LsWindow *self)
{
  g_autoptr (LsLayout) layout = picture (self, TRUE);
  cairo_surface_t *surface = layout != NULL
                               ? ls_export_surface (layout, gtk_widget_get_scale_factor (self->canvas))
                               : NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (surface == NULL)
    {
      ls_window_toast (self, _("There is nothing to copy yet; press Play first."));
      return;
    }
  cairo_surface_flush (surface);
  const int width = cairo_image_surface_get_width (surface),
            height = cairo_image_surface_get_height (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface), (gsize) stride * (gsize) height);
  texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) stride);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (self)), texture);
  cairo_surface_destroy (surface);
  ls_window_toast (self, _("The picture is on the clipboard."));
}
