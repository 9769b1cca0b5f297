/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What leads out of the picture: the header's buttons, help, files that are asked for, what can't be done at
 * the moment; and what goes from one of two views to the other.
 */
#include "config.h"
#include "window_rig.h"

#include <string.h>

#include "ui/app/canvas/canvas_private.h"
#include "ui/help/help.h"
#include "ui/paint/views.h"

/* ---- the header ---- */

static GtkWidget *
button_for (GtkWidget *widget, const char *action)
{
  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0)
    return widget;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      GtkWidget *found = button_for (w, action);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A button's sign, its words and what it does belong together. */
static void
test_buttons (void)
{
  static const struct {
    const char *action, *icon, *words;
    gboolean below; /* in the bar of machine time, not in the header */
  } rows[] = {
    { "win.sidebar", "sidebar-show-symbolic", "Views", FALSE },
    { "win.play", "media-playback-start-symbolic", "Play", FALSE },
    { "win.step-back", "media-skip-backward-symbolic", "Step Back", FALSE },
    { "win.step", "media-skip-forward-symbolic", "Step", FALSE },
    { "win.settings", "preferences-system-symbolic", "Settings", FALSE },
    { "win.two", "view-dual-symbolic", "Two Views", FALSE },
    { "win.projector", "x-office-presentation-symbolic", "For the Projector", FALSE },
    { "win.previous-op", "go-previous-symbolic", "Previous op", TRUE },
    { "win.next-op", "go-next-symbolic", "Next op", TRUE },
  };
  LsWindow *self = window_of (1);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *button = button_for (rows[i].below ? self->time_bar : self->header, rows[i].action);

      if (button == NULL)
        g_error ("no button does “%s”", rows[i].action);
      g_assert_cmpstr (gtk_button_get_icon_name (GTK_BUTTON (button)), ==, rows[i].icon);
      g_assert_cmpstr (gtk_widget_get_tooltip_text (button), ==, rows[i].words);
      rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, rows[i].words);
    }
  window_gone (self);
}

/* ---- what can be done ---- */

static void
assert_can (LsWindow *self, const char *action, gboolean should)
{
  GtkWidget *button = g_object_ref_sink (gtk_button_new ());

  /* a button of the window can be pressed where its action is there */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_parent (button, self->banner);
  if (gtk_widget_get_sensitive (button) != should)
    g_error ("“%s” can %sbe done", action, should ? "not " : "");
  gtk_widget_unparent (button);
  g_object_unref (button);
}

/* Of a recording nothing is edited or measured, and only its network can be trained. */
static void
test_enabled (void)
{
  LsWindow *self = window_of (1);
  LsSession *session = self->session;

  for (guint i = 0; i < 8; i++)
    {
      const gboolean playback = i % 2 == 1, folder = i / 2 % 2 == 1, problem = i / 4 == 1;

      session->mode = playback ? LS_SESSION_PLAYBACK : LS_SESSION_LIVE;
      g_clear_pointer (&session->kernel_folder, g_free);
      g_clear_pointer (&session->kernel_problem, g_free);
      session->kernel_folder = folder ? g_strdup ("/nonexistent") : NULL;
      session->kernel_problem = problem ? g_strdup ("There is no such folder.") : NULL;
      ls_session_emit_state (session);
      assert_can (self, "win.train-network", playback);
      assert_can (self, "win.edit-kernels", !playback);
      assert_can (self, "win.own-kernels", !playback && folder);
      assert_can (self, "win.kernel-message", problem);
      ls_window_update_lab (self);
      g_assert_cmpint (gtk_widget_get_visible (self->stages[0].measure), ==, !playback);
    }
  g_clear_pointer (&session->kernel_folder, g_free);
  window_gone (self);
}

/* ---- help ---- */

static void
test_help (void)
{
  LsWindow *self = window_of (1);
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i <= n; i++)
    {
      const LsHelpTopic *topic = ls_help_find (i < n ? views[i]->name : "methods");

      if (i < n)
        ls_window_set_view (self, i);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.help", "s", i < n ? "" : "methods");
      g_assert_nonnull (self->help);
      GtkWidget *title = rig_find_kind (self->help, ADW_TYPE_WINDOW_TITLE);
      g_assert_cmpstr (adw_window_title_get_subtitle (ADW_WINDOW_TITLE (title)), ==, topic->title);
    }
  gtk_window_destroy (GTK_WINDOW (self->help));
  window_gone (self);
}

/* ---- files ---- */

/* The dialog that is open, or NULL. */
static GtkWidget *
chooser (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (GTK_IS_FILE_CHOOSER (l->data) && gtk_widget_get_visible (l->data))
      return l->data;
  return NULL;
}

/* A file is called after what is in it. */
static void
test_names (void)
{
  static const struct {
    const char *what, *name;
  } rows[] = { { "png", "timeline.png" },
               { "svg", "timeline.svg" },
               { "pdf", "timeline.pdf" },
               { "recording", "step-200.lockstep" },
               { "perfetto", "step-200.perfetto.json" },
               { "csv", "run.csv" },
               { "json", "run.json" } };
  /* GTK's own dialog may warn of what this session lacks */
  const GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  LsWindow *self = window_of (2);

  gtk_window_present (GTK_WINDOW (self));
  ls_window_set_view (self, 3);
  rig_settle ();
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *dialog;

      gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", rows[i].what);
      for (guint k = 0; k < 1000 && chooser () == NULL; k++)
        rig_wait_ms (10);
      dialog = chooser ();
      g_assert_nonnull (dialog);
      g_autofree char *name = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (dialog));
      g_assert_cmpstr (name, ==, rows[i].name);
      g_assert_cmpint (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog)), ==,
                       GTK_FILE_CHOOSER_ACTION_SAVE);
      gtk_window_close (GTK_WINDOW (dialog));
      for (guint k = 0; k < 1000 && chooser () != NULL; k++)
        rig_wait_ms (10);
    }
  window_gone (self);
  g_log_set_always_fatal (fatal);
}

static gboolean
speaks (GtkWidget *widget, const char *words)
{
  if (GTK_IS_LABEL (widget) && strcmp (gtk_label_get_text (GTK_LABEL (widget)), words) == 0)
    return TRUE;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    if (speaks (w, words))
      return TRUE;
  return FALSE;
}

/* Where there is nothing yet, a sentence says so, and no file is asked for. */
static void
test_nothing (void)
{
  static const struct {
    const char *what, *says;
  } rows[] = {
    { "png", "There is nothing to save yet; press Play first." },
    { "csv", "There is nothing to save yet; press Play first." },
    { "recording", "No step has been recorded yet; press Play first." },
    { "measurements", "Nothing has been measured with these lanes yet; Scaling and Crossover do (Ctrl+M)." },
    { NULL, "There is nothing to copy yet; press Play first." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsWindow *self = window_of (0);

      if (rows[i].what != NULL)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", rows[i].what);
      else
        gtk_widget_activate_action (GTK_WIDGET (self), "win.copy", NULL);
      if (!speaks (self->toasts, rows[i].says))
        g_error ("it doesn't say “%s”", rows[i].says);
      g_assert_null (chooser ());
      window_gone (self);
    }
}

/* ---- two views ---- */

/* A kind of evidence, a mark that is picked and the width that there is are both views'. */
static void
test_both (void)
{
  LsWindow *self = window_of (1);

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  g_assert_cmpint (adw_clamp_get_maximum_size (ADW_CLAMP (self->stages[0].clamp)), >, 10000);
  window_set_width (self, 3200); /* until it is laid out again */
  LsCanvas *left = ls_window_canvas (self, 0), *right = ls_window_canvas (self, 1);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (adw_clamp_get_maximum_size (ADW_CLAMP (self->stages[i].clamp)), ==, 2000);
  for (gint evidence = 3; evidence >= -1; evidence--)
    {
      g_signal_emit_by_name (self->sidebar, "evidence", evidence);
      g_assert_cmpint (left->query.evidence, ==, evidence);
      g_assert_cmpint (right->query.evidence, ==, evidence);
    }
  ls_canvas_pick (left);
  g_assert_true (ls_canvas_has_pick (left));
  const LsPick picked = left->query.picked;
  g_assert_cmpint (right->query.picked.side, ==, picked.side);
  g_assert_cmpuint (right->query.picked.event, ==, picked.event);
  g_assert_true (ls_canvas_let_go (left));
  g_assert_false (ls_canvas_has_pick (right));
  right->query.picked = picked;
  g_signal_emit_by_name (right, "pick");
  g_assert_cmpint (left->query.picked.side, ==, picked.side);
  g_assert_cmpuint (left->query.picked.event, ==, picked.event);
  window_gone (self);
}

/* There is one clock, that of the view on the left; what is on the right is shown on its own, and turns the
 * other one neither when it is chosen nor when there is something new. */
static void
test_clock (void)
{
  static const struct {
    const char *left, *right;
    gboolean by_op; /* of an op of the left one's clock, not of the step */
  } rows[] = {
    { "race", "partition", FALSE },
    { "tiles", "timeline", TRUE },
    { "timeline", "tiles", FALSE },
    { "partition", "race", TRUE },
  };
  LsWindow *self = window_of (1);

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  window_set_width (self, 3200);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsPlayhead *clock = ls_session_playhead (self->session);

      ls_canvas_set_view (ls_window_canvas (self, 0), ls_view_find (rows[i].left));
      for (guint told = 0; told < 2; told++)
        {
          if (told)
            ls_session_rebuild (self->session);
          else
            ls_canvas_set_view (ls_window_canvas (self, 1), ls_view_find (rows[i].right));
          if (clock->by_op != rows[i].by_op)
            g_error ("%s on the right%s: the clock is %s, and the view on the left is %s", rows[i].right,
                     told ? " has something new" : "", clock->by_op ? "an op's" : "the step's", rows[i].left);
        }
    }
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/doors/buttons", test_buttons);
  g_test_add_func ("/window/doors/enabled", test_enabled);
  g_test_add_func ("/window/doors/help", test_help);
  g_test_add_func ("/window/doors/names", test_names);
  g_test_add_func ("/window/doors/nothing", test_nothing);
  g_test_add_func ("/window/doors/both", test_both);
  g_test_add_func ("/window/doors/clock", test_clock);
  return g_test_run ();
}
