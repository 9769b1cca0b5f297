/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window asks in words where it has room for them, and says beside its marks; and what it tells
 * tests and the benchmark on stderr.
 */
#include "window_rig.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/app/canvas/canvas_private.h"
#include "ui/paint/views.h"

/* The label with that text below, or NULL. */
static GtkWidget *
label_of (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0)
    return widget;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      GtkWidget *found = label_of (w, text);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A question stands before its choices where the window is wide, and is their name and their tip everywhere.
 */
static void
test_questions (void)
{
  static const int widths[] = { 480, 1239, 1240, 1241, 1600, 1239 };
  LsWindow *self = window_of (1);
  guint n, asked = 0;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    for (const LsViewSwitch *row = views[i]->switches; row != NULL && row->title != NULL; row++)
      for (gsize k = 0; row->asks && k < G_N_ELEMENTS (widths); k++)
        {
          GtkWidget *question, *drop;

          ls_window_set_view (self, i);
          window_set_width (self, widths[k]);
          question = label_of (self->canvas, row->title);
          if (question == NULL)
            g_error ("“%s” stands nowhere", row->title);
          if (gtk_widget_get_visible (question) != (widths[k] >= 1240))
            g_error ("%d px wide, “%s” is %s", widths[k], row->title,
                     gtk_widget_get_visible (question) ? "there" : "left out");
          drop = gtk_widget_get_next_sibling (question);
          g_autofree char *name = g_strdup_printf (
            "%s: %s", row->title,
            gtk_string_object_get_string (gtk_drop_down_get_selected_item (GTK_DROP_DOWN (drop))));
          rig_assert_says (drop, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
          g_assert_cmpstr (gtk_widget_get_tooltip_text (drop), ==, row->title);
          g_assert_true (gtk_widget_get_visible (drop));
          asked++;
        }
  g_assert_cmpuint (asked, >=, 3 * G_N_ELEMENTS (widths));
  window_gone (self);
}

/* A value that isn't among the usual ones is in the list while it holds: choosing it later would do nothing.
 */
static void
test_own_value (void)
{
  LsWindow *self = window_of (1);
  guint n, tried = 0;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    for (const LsViewSwitch *row = views[i]->switches; row != NULL && row->title != NULL; row++)
      {
        const LsOption *option = row->option != NULL ? ls_options_find (row->option) : NULL;
        GListModel *list = NULL;

        if (option == NULL || option->type != LS_OPTION_INT)
          continue;
        const char *const *values = row->values != NULL ? row->values : option->choices;
        g_autofree char *own = row->words ("13");
        const char *const set[] = { "13", values[0], "13", values[1] };
        for (gsize k = 0; k < G_N_ELEMENTS (set); k++)
          {
            guint owns = 0;

            g_assert_true (ls_options_set (self->session->options, option, set[k], NULL));
            ls_window_update_switches (self);
            for (guint d = 0; list == NULL; d++)
              {
                GtkDropDown *drop = GTK_DROP_DOWN (rig_find_nth (self->canvas, GTK_TYPE_DROP_DOWN, d));
                const char *chosen = gtk_string_object_get_string (gtk_drop_down_get_selected_item (drop));
                list = strcmp (chosen, own) == 0 ? gtk_drop_down_get_model (drop) : NULL;
              }
            for (guint item = 0; item < g_list_model_get_n_items (list); item++)
              owns += strcmp (gtk_string_list_get_string (GTK_STRING_LIST (list), item), own) == 0;
            if (owns != (k % 2 == 0))
              g_error ("“%s” is set to %s, and its list has “%s” %u times", row->title, set[k], own, owns);
            tried++;
          }
      }
  g_assert_cmpuint (tried, >, 0);
  window_gone (self);
}

/* What was written so far. (transfer full) */
static char *
written (FILE *file)
{
  char *text;
  long n;

  fflush (stderr);
  fseek (file, 0, SEEK_END);
  n = ftell (file);
  rewind (file);
  text = g_malloc0 ((gsize) n + 1);
  g_assert_cmpint ((long) fread (text, 1, (gsize) n, file), ==, n);
  return text;
}

/* The newest of that name; fails where it doesn't come. */
static char *
event_of (FILE *file, const char *name)
{
  g_autofree char *begins = g_strdup_printf ("EVENT %s ", name);

  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *text = written (file);
      const char *at = g_strrstr (text, begins);

      if (at != NULL && strchr (at, '\n') != NULL)
        return g_strndup (at + strlen (begins), strcspn (at, "\n") - strlen (begins));
      rig_wait_ms (10);
    }
  g_error ("no event “%s” has come", name);
}

/* Once a second: how long the middle frame takes and the one that 95 of 100 are no longer than, in ms, how
 * many there were in a second and in all; and each lane's rate. */
static void
test_events (void)
{
  FILE *file = tmpfile ();
  const int before = dup (STDERR_FILENO);
  LsWindow *self;
  double p50, p95, fps;
  guint n;

  fflush (stderr);
  g_assert_cmpint (dup2 (fileno (file), STDERR_FILENO), ==, STDERR_FILENO);
  g_setenv ("LOCKSTEP_EVENTS", "1", TRUE);
  self = window_of (1);
  g_unsetenv ("LOCKSTEP_EVENTS");
  for (guint i = 0; i < 500; i++)
    ls_canvas_add_frame (ls_window_canvas (self, 0), i < 400 ? 1000 : 400000);
  gtk_widget_realize (GTK_WIDGET (self));
  g_autofree char *frames = event_of (file, "frame-times");
  const LsSnapshot *snapshot = ls_session_snapshot (self->session);
  g_autoptr (GPtrArray) rates = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      g_autofree char *name = g_strdup_printf ("rate %s", snapshot->lanes[i].spec->id);
      g_ptr_array_add (rates, snapshot->lanes[i].rate.n > 0 ? event_of (file, name) : NULL);
    }
  g_autofree char *view = event_of (file, "view");
  dup2 (before, STDERR_FILENO);
  close (before);
  fclose (file);

  if (sscanf (frames, "%lf %lf %lf %u", &p50, &p95, &fps, &n) != 4 || p50 > 1.005 || p50 < .995 || p95 < 399.9
      || p95 > 400.1 || n < 500 || fps <= 0)
    g_error ("of 400 frames of 1 ms and 100 of 400 ms it tells “%s”", frames);
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (rates->pdata[i] != NULL)
      {
        g_autofree char *rate = g_strdup_printf ("%.0f", snapshot->lanes[i].rate.value);
        g_assert_cmpstr (rates->pdata[i], ==, rate);
      }
  g_assert_cmpstr (view, ==, ls_canvas_view (LS_CANVAS (self->canvas))->name);
  window_gone (self);
}

static LsAnswer *
answer_of (LsQuestion *question, float *probs)
{
  LsAnswer *answer = g_atomic_rc_box_new0 (LsAnswer);

  answer->question = ls_question_ref (question);
  answer->n_classes = 3;
  answer->probs = g_memdup2 (probs, 3 * sizeof *probs);
  return answer;
}

/* Of lanes that were asked what each says, the likeliest class, and of each that has a rate that one, also
 * where the first has none. */
static void
test_events_of_lanes (void)
{
  static float probs[][2][3] = { { { .1f, .7f, .2f }, { .6f, .3f, .1f } },
                                 { { .2f, .3f, .5f }, { .1f, .8f, .1f } },
                                 { { .7f, .1f, .2f }, { .1f, .2f, .7f } } };
  static const char *const said[][2]
    = { { "test 7 1", "test 7 0" }, { "test 7 2", "test 7 1" }, { "test 7 0", "test 7 2" } };

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      const gint64 shape[3] = { 1, 28, 28 };
      LsQuestion *question = ls_question_new (LS_ASKED_TEST, 1, shape);
      FILE *file = tmpfile ();
      const int before = dup (STDERR_FILENO);
      g_autofree char *told[2] = { NULL }, *rate = NULL;

      g_assert_nonnull (question);
      question->number = 7;
      fflush (stderr);
      g_assert_cmpint (dup2 (fileno (file), STDERR_FILENO), ==, STDERR_FILENO);
      g_setenv ("LOCKSTEP_EVENTS", "1", TRUE);
      LsWindow *self = window_of (1);
      g_unsetenv ("LOCKSTEP_EVENTS");
      LsSnapshot *s = again (ls_session_snapshot (self->session));
      for (guint lane = 0; lane < 2; lane++)
        {
          s->lanes[lane].answer = answer_of (question, probs[i][lane]);
          s->lanes[lane].rate.n = lane == i % 2 ? 0 : 9;
          s->lanes[lane].rate.value = 1234;
        }
      window_take (self, s);
      self->session->ask.wished = TRUE;
      gtk_widget_realize (GTK_WIDGET (self));
      for (guint lane = 0; lane < 2; lane++)
        {
          g_autofree char *name = g_strdup_printf ("answer %s", s->lanes[lane].spec->id);
          told[lane] = event_of (file, name);
        }
      g_autofree char *name = g_strdup_printf ("rate %s", s->lanes[!(i % 2)].spec->id);
      rate = event_of (file, name);
      self->session->ask.wished = FALSE;
      dup2 (before, STDERR_FILENO);
      close (before);
      fclose (file);
      g_assert_cmpstr (rate, ==, "1234");
      for (guint lane = 0; lane < 2; lane++)
        if (strcmp (told[lane], said[i][lane]) != 0)
          g_error ("lane %u says “%s”, not “%s”", lane, told[lane], said[i][lane]);
      ls_question_unref (question);
      window_gone (self);
    }
}

/* The settings are told once what goes into a run's network: what they know since of data that are wished
 * stays known while that run goes on. Another network's run is told anew. */
static void
test_shape_told (void)
{
  static const gint64 wished[3] = { 3, 16, 20 };
  LsWindow *self = window_of (1);
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);
  gint64 shape[3] = { 0 };
  gint n_classes = 0;

  window_live (self);
  const LsPlan *plan = ls_session_snapshot (self->session)->plan;
  g_assert_true (self->told == plan);
  ls_settings_pane_set_data (pane, "/no/such/folder");
  ls_settings_pane_set_shape (pane, "/no/such/folder", wished, 7, 100);
  for (guint i = 0; i < 2; i++)
    {
      ls_session_emit_state (self->session);
      ls_session_rebuild (self->session);
      if (!ls_settings_pane_shape (pane, shape, &n_classes) || n_classes != 7
          || memcmp (shape, wished, sizeof wished) != 0)
        g_error ("while the run goes on, it is forgotten what goes in of the data that are wished");
    }
  ls_settings_pane_set_data (pane, "mnist");
  window_gone (self);
}

/* A popover of this window is closed: the keys are the picture's again, but where they are in the settings.
 * Those of another window change nothing. */
static void
test_focus_back (void)
{
  enum { NOWHERE, HEADER, SETTINGS, OTHER, N };
  LsWindow *self = window_of (1);
  GtkWidget *other = rig_show (gtk_label_new ("another window"), 200, 100);

  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.settings", NULL);
  rig_wait_mapped (self->settings, TRUE);
  for (guint at = 0; at < N; at++)
    {
      GtkWidget *popover = gtk_popover_new (), *before;

      gtk_widget_set_parent (popover, at == OTHER ? gtk_window_get_child (GTK_WINDOW (other)) : self->canvas);
      if (at == NOWHERE)
        gtk_window_set_focus (GTK_WINDOW (self), NULL);
      else
        g_assert_true (
          gtk_widget_child_focus (at == SETTINGS ? self->settings : self->header, GTK_DIR_TAB_FORWARD));
      before = gtk_window_get_focus (GTK_WINDOW (self));
      g_assert_true (before != self->canvas);
      g_signal_emit_by_name (popover, "closed");
      rig_settle ();
      if (gtk_window_get_focus (GTK_WINDOW (self)) != (at == NOWHERE || at == HEADER ? self->canvas : before))
        g_error ("a popover %s is closed while the keys are %s, and then they %s",
                 at == OTHER ? "of another window" : "over the picture",
                 at == NOWHERE    ? "nowhere"
                 : at == SETTINGS ? "in the settings"
                                  : "in the header",
                 gtk_window_get_focus (GTK_WINDOW (self)) == self->canvas ? "are the picture's"
                                                                          : "aren't the picture's");
      gtk_widget_unparent (popover);
    }
  rig_close (other);
  window_gone (self);
}

/* The mark between the heads says whether a line is unfair, and which. */
static void
test_mark (void)
{
  LsWindow *self = window_of (1);
  GtkWidget *mark = self->stages[0].fair;

  for (guint i = 0; i < 4; i++)
    {
      const gboolean unfair = i % 2 == 1;
      LsFairness *fairness = ls_session_data (self->session)->fairness;

      for (guint k = 0; k < fairness->n; k++)
        fairness->lines[k].state = unfair && k == i ? LS_FAIR_NO : LS_FAIR_UNKNOWN;
      ls_window_update_fair (self);
      g_autofree char *words = unfair
                                 ? g_strdup_printf ("An unfair comparison: %s", fairness->lines[i].row->title)
                                 : g_strdup ("Is this a fair fight?");
      g_assert_cmpstr (gtk_widget_get_tooltip_text (mark), ==, words);
      rig_assert_says (mark, GTK_ACCESSIBLE_PROPERTY_LABEL, words);
      g_assert_cmpint (gtk_widget_has_css_class (mark, "fair-no"), ==, unfair);
      g_assert_cmpstr (gtk_button_get_icon_name (GTK_BUTTON (mark)), ==,
                       unfair ? "dialog-warning-symbolic" : "lockstep-fair-symbolic");
    }
  window_gone (self);
}

/* What waits in the settings for a new run waits on while something is switched on the stage: the run's
 * setting is the settings' own at once, and no change that waits. */
static void
test_waiting (void)
{
  static const char *const rows[][2] = { { "threads", "3" }, { "kernel", "naive" }, { "lanes", NULL } };
  LsWindow *self = window_of (1);
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);

  ls_settings_pane_set_data (pane, "spiral");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsOption *option = ls_options_find (rows[i][0]);

      if (rows[i][1] != NULL)
        ls_window_set_option (self, rows[i][0], rows[i][1]);
      else
        ls_window_set_lanes (self, "cpu(threads=2),opencl");
      g_autofree char *runs = ls_options_get (ls_settings_pane_running (pane), option),
                      *wished = ls_options_get (ls_settings_pane_options (pane), option),
                      *is = ls_options_get (ls_session_options (self->session), option);
      g_assert_cmpstr (runs, ==, is);
      g_assert_cmpstr (wished, ==, is);
      if (!ls_settings_pane_is_pending (pane)
          || strcmp (ls_settings_pane_options (pane)->data, "spiral") != 0)
        g_error ("--%s is switched on the stage, and what waited in the settings is forgotten", rows[i][0]);
    }
  ls_settings_pane_set_data (pane, ls_settings_pane_running (pane)->data);
  g_assert_false (ls_settings_pane_is_pending (pane));
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/told/questions", test_questions);
  g_test_add_func ("/window/told/own-value", test_own_value);
  g_test_add_func ("/window/told/events", test_events);
  g_test_add_func ("/window/told/events-of-lanes", test_events_of_lanes);
  g_test_add_func ("/window/told/shape", test_shape_told);
  g_test_add_func ("/window/told/focus-back", test_focus_back);
  g_test_add_func ("/window/told/mark", test_mark);
  g_test_add_func ("/window/told/waiting", test_waiting);
  return g_test_run ();
}
