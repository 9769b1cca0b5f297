/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One window with one button, whose words follow from where it stands: Start, Stop, Close. The tuner itself
 * works elsewhere (session_tune.c); a timer fetches its progress.
 */
#include "config.h"
#include "ui/app/dialogs/tune_dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/error.h"
#include "ui/app/compat.h"
#include "ui/app/session/session_tune.h"

#define WIDTH_PX  460
#define HEIGHT_PX 440
#define TICK_MS   100
#define MOST_ROWS 12 /* of the results; the terminal's list has all */

typedef enum { READY, WORKING, STOPPING, DONE } Stage;

struct _LsTuneDialog {
  AdwWindow parent;
  LsSession *session;
  Stage stage;
  GCancellable *cancel;
  GTask *task;
  guint tick;
  GtkWidget *words, *bar, *detail, *results, *button;
};

G_DEFINE_FINAL_TYPE (LsTuneDialog, ls_tune_dialog, ADW_TYPE_WINDOW)

static GtkWidget *
text_new (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 52);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void
set_stage (LsTuneDialog *self, Stage stage)
{
  static const char *const words[] = { N_("_Start"), N_("_Stop"), N_("_Stop"), N_("_Close") };

  self->stage = stage;
  gtk_button_set_label (GTK_BUTTON (self->button), _(words[stage]));
  gtk_widget_set_sensitive (self->button, stage != STOPPING);
  gtk_widget_set_visible (self->bar, stage == WORKING || stage == STOPPING);
  gtk_widget_set_visible (self->detail, stage == WORKING || stage == STOPPING);
  if (stage == READY)
    gtk_widget_add_css_class (self->button, "suggested-action");
  else
    gtk_widget_remove_css_class (self->button, "suggested-action");
}

/* ---- progress ---- */

static gboolean
tick_cb (gpointer data)
{
  LsTuneDialog *self = data;
  LsSessionTuning p;

  if (self->task == NULL || !ls_session_tune_progress (self->task, &p))
    return G_SOURCE_CONTINUE;
  if (p.n_tasks == 0)
    {
      gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->bar));
      return G_SOURCE_CONTINUE;
    }
  g_autofree char *text = g_strdup_printf (_("%u of %u, at most %d s left"), MIN (p.task + 1, p.n_tasks),
                                           p.n_tasks, (int) ceil (p.seconds_left));
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), (double) p.task / p.n_tasks);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->bar), text);
  gtk_label_set_text (GTK_LABEL (self->detail), p.words);
  return G_SOURCE_CONTINUE;
}

static void
stop_ticking (LsTuneDialog *self)
{
  if (self->tick != 0)
    g_source_remove (self->tick);
  self->tick = 0;
}

/* ---- results ---- */

static double
gain_of (const LsTunedEntry *e)
{
  return e->us.value > 0 ? e->shipped_us.value / e->us.value : 1;
}

static gboolean
is_better (const LsTunedEntry *e)
{
  return !g_str_equal (e->words, e->shipped_words);
}

static gint
by_gain (gconstpointer a, gconstpointer b)
{
  const LsTunedEntry *x = *(LsTunedEntry *const *) a, *y = *(LsTunedEntry *const *) b;
  const double x_us = x->shipped_us.value - x->us.value, y_us = y->shipped_us.value - y->us.value;

  return x_us > y_us ? -1 : x_us < y_us;
}

static void
show_row (LsTuneDialog *self, const LsTunedEntry *e)
{
  g_autofree char *head = g_strdup_printf ("%s %s: %s", e->op, e->example, e->words);
  /* medians, with their middle halves */
  g_autofree char *line = g_strdup_printf (
    _("%.1f µs [%.1f … %.1f] instead of %.1f µs [%.1f … %.1f]: %.2f times as fast"), e->us.value, e->us.q1,
    e->us.q3, e->shipped_us.value, e->shipped_us.q1, e->shipped_us.q3, gain_of (e));

  gtk_box_append (GTK_BOX (self->results), text_new (head, NULL));
  gtk_box_append (GTK_BOX (self->results), text_new (line, "dim-label"));
}

static void
show_results (LsTuneDialog *self, const LsTuneResult *result)
{
  guint better = 0, tried = 0;

  g_ptr_array_sort (result->entries, by_gain);
  for (guint i = 0; i < result->entries->len; i++)
    {
      const LsTunedEntry *e = result->entries->pdata[i];
      tried += (guint) e->tried;
      if (is_better (e) && better++ < MOST_ROWS)
        show_row (self, e);
    }
  g_autofree char *head = g_strdup_printf (
    ngettext ("%u of %u ops runs on a better kernel from now on; %u candidates were tried.",
              "%u of %u ops run on better kernels from now on; %u candidates were tried.", better),
    better, result->entries->len, tried);
  gtk_label_set_text (GTK_LABEL (self->words), head);
  gtk_box_append (
    GTK_BOX (self->results),
    text_new (_("“lockstep tune --list” shows all of them, “--forget” removes them."), "dim-label"));
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LsTuneDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) found = ls_session_tune_finish (LS_SESSION (source), result, &error);

  stop_ticking (self);
  g_clear_object (&self->task);
  if (self->button == NULL)
    return; /* the dialog was closed */
  set_stage (self, DONE);
  gtk_widget_grab_focus (self->button); /* which it lost while it could not be pressed */
  if (found != NULL)
    show_results (self, found);
  else if (g_error_matches (error, LS_ERROR, LS_ERROR_CANCELLED))
    gtk_label_set_text (GTK_LABEL (self->words), _("Stopped. What was kept from earlier is as it was."));
  else
    gtk_label_set_text (GTK_LABEL (self->words), error->message);
}

static void
start (LsTuneDialog *self)
{
  gtk_label_set_text (GTK_LABEL (self->words), _("Training rests while kernels are tried."));
  set_stage (self, WORKING);
  self->cancel = g_cancellable_new ();
  self->tick = g_timeout_add (TICK_MS, tick_cb, self);
  self->task = ls_session_tune (self->session, self->cancel, done_cb, g_object_ref (self));
}

static void
button_cb (LsTuneDialog *self)
{
  if (self->stage == READY)
    start (self);
  else if (self->stage == DONE)
    gtk_window_close (GTK_WINDOW (self));
  else
    {
      g_cancellable_cancel (self->cancel);
      set_stage (self, STOPPING);
    }
}

/* ---- the window ---- */

static void
ls_tune_dialog_dispose (GObject *object)
{
  LsTuneDialog *self = LS_TUNE_DIALOG (object);

  stop_ticking (self);
  if (self->cancel != NULL)
    g_cancellable_cancel (self->cancel);
  g_clear_object (&self->cancel);
  g_clear_object (&self->session);
  self->words = self->bar = self->detail = self->results = self->button = NULL;
  G_OBJECT_CLASS (ls_tune_dialog_parent_class)->dispose (object);
}

/* The task keeps the dialog until it is done. */
static gboolean
close_request (GtkWindow *window)
{
  LsTuneDialog *self = LS_TUNE_DIALOG (window);

  if (self->cancel != NULL)
    g_cancellable_cancel (self->cancel);
  return GTK_WINDOW_CLASS (ls_tune_dialog_parent_class)->close_request (window);
}

static void
ls_tune_dialog_class_init (LsTuneDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ls_tune_dialog_dispose;
  GTK_WINDOW_CLASS (class)->close_request = close_request;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
ls_tune_dialog_init (LsTuneDialog *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scrolled = ls_compat_scrolled_new (_("Tune This Device"));

  self->words = text_new (
    _("Tries other kernels and sizes for the network that is training, and keeps the fastest for this and "
       "all later runs on this device. It takes up to half a minute, and training rests meanwhile. Every "
       "candidate must compute the same bits, so the numbers stay what they are."),
    NULL);
  self->bar = gtk_progress_bar_new ();
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (self->bar), TRUE);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->bar), _("starting"));
  ls_compat_name (self->bar, _("Tuning"));
  self->detail = text_new ("", "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (self->detail), FALSE);
  self->results = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  self->button = gtk_button_new_with_mnemonic (_("_Start"));
  gtk_button_set_use_underline (GTK_BUTTON (self->button), TRUE);
  gtk_widget_set_halign (self->button, GTK_ALIGN_END);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (button_cb), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->results);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), self->detail);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), self->button);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 18);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_box_append (GTK_BOX (column), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (column), box);
  adw_window_set_content (ADW_WINDOW (self), column);
  set_stage (self, READY);
}

void
ls_tune_dialog_present (GtkWindow *parent, LsSession *session)
{
  LsTuneDialog *self = g_object_new (LS_TYPE_TUNE_DIALOG, "transient-for", parent, "modal", TRUE,
                                     "destroy-with-parent", TRUE, "default-width", WIDTH_PX, "default-height",
                                     HEIGHT_PX, "title", _("Tune This Device"), NULL);

  self->session = g_object_ref (session);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (self->button);
}
