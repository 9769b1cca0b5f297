/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The button on the stage that measures what a view shows, one experiment after the other, or stops it. The
 * picture fills meanwhile; training rests (session_lab.c).
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "ui/app/compat.h"
#include "ui/app/session/session_lab.h"

/* What one press of the button asked for. */
typedef struct {
  GWeakRef window;
  GPtrArray *list; /* const LsExperiment; or names of claims, or of what the network is converted to */
  gboolean claims, converts;
  guint at;
  gboolean anew;
  GCancellable *cancel;
} Series;

static void
series_free (Series *series)
{
  g_weak_ref_clear (&series->window);
  g_ptr_array_unref (series->list);
  g_object_unref (series->cancel);
  g_free (series);
}

static void next (LsSession *session, Series *series);

/* The experiment, claim or conversion that it is at. */
static const char *
name_of (const Series *series)
{
  return series->claims || series->converts ? series->list->pdata[series->at]
                                            : ((const LsExperiment *) series->list->pdata[series->at])->name;
}

static gboolean
finish (LsSession *session, const Series *series, GAsyncResult *result, GError **error)
{
  g_autoptr (LsLabResult) found = NULL;

  if (series->claims)
    return ls_session_claim_finish (session, result, error);
  if (series->converts)
    return ls_session_convert_finish (session, result, error);
  found = ls_session_lab_finish (session, result, error);
  return found != NULL;
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *session = LS_SESSION (source);
  Series *series = data;
  g_autoptr (LsWindow) window = g_weak_ref_get (&series->window);
  g_autoptr (GError) error = NULL;
  const gboolean found = finish (session, series, result, &error);

  if (window != NULL)
    {
      ls_window_event (window, "%s %s %s",
                       series->claims     ? "claim"
                       : series->converts ? "convert"
                                          : "lab",
                       name_of (series), found ? "done" : error->message);
      if (!found && !g_error_matches (error, LS_ERROR, LS_ERROR_CANCELLED))
        {
          g_autofree char *sentence = ls_sentence (error->message);
          ls_window_toast (window, sentence);
        }
    }
  /* over a recording that was opened meanwhile each of the others would only be refused, too */
  if (window == NULL || g_cancellable_is_cancelled (series->cancel)
      || (!found && ls_session_mode (session) == LS_SESSION_PLAYBACK) || ++series->at == series->list->len)
    series_free (series);
  else
    next (session, series);
  if (window != NULL)
    ls_window_update_lab (window);
}

static void
next (LsSession *session, Series *series)
{
  const LsClaims *claims = series->claims ? ls_session_claims (session) : NULL;
  const LsClaimRow *row = claims != NULL ? ls_claims_find (claims, name_of (series)) : NULL;

  if (series->converts)
    {
      g_object_unref (ls_session_convert (session, ls_converted_find (name_of (series)), series->cancel,
                                          measured_cb, series));
      return;
    }
  g_object_unref (row != NULL ? ls_session_claim (session, row->claim, series->cancel, measured_cb, series)
                              : ls_session_lab (session, series->list->pdata[series->at], series->anew,
                                                series->cancel, measured_cb, series));
}

/* All that it measures is there already, on this machine and by this version: the press wants it once more.
 */
static gboolean
is_whole (LsWindow *self, const GPtrArray *list)
{
  const LsViewData *data = ls_session_data (self->session);
  gboolean whole = TRUE;

  for (guint i = 0; i < list->len; i++)
    {
      const LsLabResult *result = data != NULL ? ls_view_data_lab (data, list->pdata[i]) : NULL;
      whole = whole && result != NULL && result->tried->len >= result->n_sizes;
    }
  return whole;
}

static void
measure (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);
  GPtrArray *list;
  Series *series;

  if (ls_session_lab_measures (self->session))
    {
      ls_session_lab_stop (self->session);
      return;
    }
  list = ls_canvas_runs (LS_CANVAS (self->canvas));
  const gboolean converts = list != NULL && ls_canvas_view (LS_CANVAS (self->canvas))->converts,
                 claims = list != NULL && !converts;
  if (list == NULL)
    list = ls_canvas_measures (LS_CANVAS (self->canvas));
  if (list->len == 0)
    {
      g_ptr_array_unref (list);
      return;
    }
  series = g_new0 (Series, 1);
  g_weak_ref_init (&series->window, self);
  series->list = list;
  series->claims = claims;
  series->converts = converts;
  series->anew = !claims && !converts && is_whole (self, list);
  series->cancel = g_cancellable_new ();
  next (self->session, series);
  ls_window_update_lab (self);
}

void
ls_window_class_add_lab (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.measure", NULL, measure);
}

void
ls_window_add_lab (LsStage *stage)
{
  stage->measure = gtk_button_new_with_label (_("Measure"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (stage->measure), "win.measure");
  ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_LAB, -1, stage->measure);
}

void
ls_window_update_lab (LsWindow *self)
{
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;

  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    {
      GtkWidget *button = self->stages[i].measure;
      const char *words = button != NULL
                            ? ls_canvas_slot_words (LS_CANVAS (self->stages[i].canvas), LS_SLOT_LAB)
                            : NULL;

      if (button == NULL)
        continue;
      gtk_widget_set_visible (button, live);
      if (words != NULL && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), words) != 0)
        gtk_button_set_label (GTK_BUTTON (button), words);
    }
}
