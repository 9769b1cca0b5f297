/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of the experiments, the chosen one's picture, and one button, whose words follow from where that one
 * stands: Measure, Go On, Measure Again, Stop. The lanes are measured elsewhere (session_lab.c); a timer
 * fetches what is new.
 */
#include "config.h"
#include "ui/app/dialogs/lab_dialog_private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/error.h"
#include "train/lane_spec.h"
#include "ui/app/compat.h"
#include "ui/app/dialogs/lab_picture.h"
#include "ui/app/dialogs/lab_save.h"
#include "ui/app/session/session_lab.h"

#define WIDTH_PX  960
#define HEIGHT_PX 640
#define TICK_MS   100

G_DEFINE_FINAL_TYPE (LsLabDialog, ls_lab_dialog, ADW_TYPE_WINDOW)

/* ---- what is there ---- */

static const LsExperiment *
chosen (LsLabDialog *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  return all[row != NULL ? gtk_list_box_row_get_index (row) : 0];
}

static gboolean
played_back (LsLabDialog *self)
{
  return ls_session_mode (self->session) == LS_SESSION_PLAYBACK;
}

/* What was broken off is newer than what was finished before it. NULL: there is nothing. */
static LsLabResult *
result_of (LsLabDialog *self, const LsExperiment *experiment)
{
  const LsSessionKept *kept = ls_session_lab_kept (self->session);
  LsLabResult *part;

  if (self->measured == experiment && self->newest != NULL && !played_back (self)
      && (self->task != NULL || self->newest->tried->len > 0))
    return self->newest;
  if (kept == NULL)
    return NULL;
  part = ls_session_lab_find (kept->broken_off, experiment);
  return part != NULL ? part : ls_session_lab_find (kept->finished, experiment);
}

static gboolean
has_points (const LsLabResult *result)
{
  return result != NULL && ls_lab_result_has_points (result);
}

static char *
kept_text (LsLabDialog *self, const LsExperiment *experiment)
{
  const LsLabResult *result = result_of (self, experiment);

  if (self->task != NULL && self->measured == experiment)
    return g_strdup (_("being measured"));
  if (result == NULL || result->tried->len == 0)
    return g_strdup ("");
  return ls_lab_result_whole (result) ? g_strdup_printf (
           ngettext ("%s, %u size", "%s, %u sizes", result->n_sizes), result->date, result->n_sizes)
                                      : g_strdup_printf (_("%s, broken off: %u of %u sizes"), result->date,
                                                         result->tried->len, result->n_sizes);
}

/* ---- showing it ---- */

static const char *
empty_words (LsLabDialog *self)
{
  if (played_back (self))
    return _("The recording holds no result of this experiment.");
  if (self->task != NULL && self->measured == chosen (self))
    return _("The first point comes when every lane has had its turn at it.");
  return _("Not measured with these lanes yet. It takes about half a minute, and training rests meanwhile.");
}

static const char *
button_words (LsLabDialog *self)
{
  const LsLabResult *result = result_of (self, chosen (self));

  if (self->task != NULL)
    return _("_Stop");
  if (result == NULL || result->tried->len == 0)
    return _("_Measure");
  return ls_lab_result_whole (result) ? _("Measure _Again") : _("_Go On");
}

static void
show_rows (LsLabDialog *self)
{
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i);
      g_autofree char *kept = kept_text (self, all[i]);
      g_autofree char *name = g_strdup_printf ("%s. %s %s", _(all[i]->title), _(all[i]->about), kept);

      gtk_label_set_text (GTK_LABEL (self->kept->pdata[i]), kept);
      gtk_widget_set_visible (self->kept->pdata[i], *kept != '\0');
      ls_compat_name (row, name);
    }
}

/* How it ended, what was missing, and what is there and can't be used. */
static void
show_said (LsLabDialog *self)
{
  const LsSessionKept *kept = ls_session_lab_kept (self->session);
  const char *const parts[] = { self->words, self->said, kept != NULL ? kept->unused : NULL };
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", parts[i]);
  gtk_widget_set_visible (self->said_box, text->len > 0);
  gtk_label_set_text (GTK_LABEL (self->said_label), text->str);
}

static char *
subtitle (LsLabDialog *self)
{
  GPtrArray *specs = ls_session_specs (self->session);
  GString *text = g_string_new (NULL);

  if (played_back (self))
    g_string_append (text, _("results in the recording"));
  for (guint i = 0; !played_back (self) && specs != NULL && i < specs->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", ((const LsLaneSpec *) specs->pdata[i])->title);
  return g_string_free (text, FALSE);
}

static void
show (LsLabDialog *self)
{
  LsLabResult *result = result_of (self, chosen (self));
  g_autofree char *lanes = subtitle (self);

  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), lanes);
  show_rows (self);
  show_said (self);
  ls_lab_picture_set (LS_LAB_PICTURE (self->picture), result);
  gtk_label_set_text (GTK_LABEL (self->empty), empty_words (self));
  gtk_stack_set_visible_child (GTK_STACK (self->pages), has_points (result) ? self->picture : self->empty);
  ls_compat_name_button (self->button, button_words (self));
  gtk_widget_set_visible (self->button, !played_back (self));
  gtk_widget_set_sensitive (self->button, !g_cancellable_is_cancelled (self->cancel));
  gtk_widget_set_sensitive (self->save, has_points (result));
  gtk_widget_set_visible (self->bar, self->task != NULL);
}

/* ---- measuring ---- */

static void
take (LsLabDialog *self, const LsSessionLab *p)
{
  const gboolean newer = p->result != self->newest || g_strcmp0 (p->said, self->said) != 0;

  if (!newer)
    return;
  g_clear_pointer (&self->newest, ls_lab_result_unref);
  self->newest = p->result != NULL ? ls_lab_result_ref (p->result) : NULL;
  g_free (self->said);
  self->said = g_strdup (p->said);
}

static void
show_progress (LsLabDialog *self, const LsSessionLab *p)
{
  g_autofree char *text = NULL;

  if (g_cancellable_is_cancelled (self->cancel))
    text = g_strdup (_("stopping"));
  else if (p->words == NULL)
    text = g_strdup (_("opening the lanes"));
  else /* TRANSLATORS: “5 of 13: batch 16, 12 s left” */
    text = g_strdup_printf (_("%u of %u: %s, %d s left"), MIN (p->done + 1, p->n), p->n, p->words,
                            (int) ceil (p->seconds_left));
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->bar), text);
  if (p->n > 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), (double) p->done / p->n);
  else
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->bar));
}

static gboolean
tick_cb (gpointer data)
{
  LsLabDialog *self = data;
  LsLabResult *before = self->newest;
  LsSessionLab progress;

  if (self->task == NULL || !ls_session_lab_progress (self->task, &progress))
    return G_SOURCE_CONTINUE;
  take (self, &progress);
  show_progress (self, &progress);
  if (before != self->newest)
    show (self);
  else
    show_said (self);
  ls_session_lab_clear (&progress);
  return G_SOURCE_CONTINUE;
}

/* How it ended otherwise than it was to. (transfer full) */
static char *
end_words (const LsSessionLab *p, const GError *error)
{
  if (!g_error_matches (error, LS_ERROR, LS_ERROR_CANCELLED))
    return ls_sentence (error->message);
  if (p->result == NULL || p->result->tried->len == 0)
    return g_strdup (_("Stopped before the first size was measured."));
  return g_strdup_printf (_("Stopped: %u of %u sizes are measured and kept; the rest can follow later."),
                          p->result->tried->len, p->result->n_sizes);
}

static void
done (LsLabDialog *self, const LsSessionLab *p)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_object (&self->task);
  g_clear_object (&self->cancel);
  self->cancel = g_cancellable_new ();
  take (self, p);
  show (self);
  if (gtk_window_get_focus (GTK_WINDOW (self)) == NULL)
    gtk_widget_grab_focus (self->button);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *asked = data;
  g_autoptr (LsLabDialog) self = g_weak_ref_get (asked);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabResult) found = ls_session_lab_finish (LS_SESSION (source), result, &error);
  g_autofree char *words = NULL;
  LsSessionLab progress = { 0 };

  ls_session_lab_progress (G_TASK (result), &progress);
  words = found == NULL ? end_words (&progress, error) : NULL;
  if (self != NULL)
    {
      g_free (self->words);
      self->words = g_steal_pointer (&words);
      done (self, &progress);
    }
  else if (words != NULL) /* it was closed */
    ls_session_say (LS_SESSION (source), words);
  ls_session_lab_clear (&progress);
  g_weak_ref_clear (asked);
  g_free (asked);
}

static void
measure (LsLabDialog *self)
{
  const LsExperiment *experiment = chosen (self);
  const LsLabResult *before = result_of (self, experiment);
  const gboolean anew = before != NULL && ls_lab_result_whole (before);
  GWeakRef *asks = g_new (GWeakRef, 1); /* a closed dialog goes, and so ends it */

  g_weak_ref_init (asks, self);
  g_clear_pointer (&self->newest, ls_lab_result_unref);
  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->said, g_free);
  self->measured = experiment;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->bar), _("opening the lanes"));
  self->task = ls_session_lab (self->session, experiment, anew, self->cancel, done_cb, asks);
  self->tick = g_timeout_add (TICK_MS, tick_cb, self);
  show (self);
}

static void
stop (LsLabDialog *self)
{
  g_cancellable_cancel (self->cancel);
  show (self);
}

static void
button_cb (LsLabDialog *self)
{
  if (self->task != NULL)
    stop (self);
  else
    measure (self);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *unused, gpointer data)
{
  LsLabDialog *self = LS_LAB_DIALOG (widget);

  if (self->task != NULL)
    stop (self);
  else
    gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

static void
save (GtkWidget *widget, const char *name, GVariant *what)
{
  LsLabDialog *self = LS_LAB_DIALOG (widget);
  LsLabResult *result = ls_lab_picture_get (LS_LAB_PICTURE (self->picture));

  if (has_points (result))
    ls_lab_save (GTK_WINDOW (self), ADW_TOAST_OVERLAY (self->toasts), result,
                 g_variant_get_string (what, NULL));
}

/* ---- life ---- */

static void
row_cb (LsLabDialog *self)
{
  if (self->session == NULL) /* the list goes */
    return;
  if (self->task == NULL) /* what was said was about another */
    {
      g_clear_pointer (&self->words, g_free);
      g_clear_pointer (&self->said, g_free);
    }
  show (self);
}

static void
dispose (GObject *object)
{
  LsLabDialog *self = LS_LAB_DIALOG (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->cancel != NULL)
    g_cancellable_cancel (self->cancel);
  g_clear_object (&self->cancel);
  g_clear_object (&self->task);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_lab_dialog_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LsLabDialog *self = LS_LAB_DIALOG (object);

  g_clear_pointer (&self->newest, ls_lab_result_unref);
  g_free (self->words);
  g_free (self->said);
  g_ptr_array_unref (self->kept);
  G_OBJECT_CLASS (ls_lab_dialog_parent_class)->finalize (object);
}

static void
ls_lab_dialog_class_init (LsLabDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_w, GDK_CONTROL_MASK, "window.close",
                                       NULL);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (class), "lab.save", "s", save);
}

static void
ls_lab_dialog_init (LsLabDialog *self)
{
  self->cancel = g_cancellable_new ();
  self->kept = g_ptr_array_new ();
  ls_lab_dialog_build (self);
}

void
ls_lab_dialog_present (GtkWindow *parent, LsSession *session)
{
  LsLabDialog *self = g_object_new (LS_TYPE_LAB_DIALOG, "transient-for", parent, "modal", TRUE,
                                    "destroy-with-parent", TRUE, "default-width", WIDTH_PX, "default-height",
                                    HEIGHT_PX, "title", _("Laboratory"), NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "state", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (row_cb), self);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (button_cb), self);
  gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0));
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list))));
}
