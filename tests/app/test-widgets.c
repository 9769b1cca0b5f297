/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the window's frame, each over a session without lanes or over nothing: what each shows of
 * every state, and that what is chosen arrives once.
 */
#include "config.h"
#include "rig.h"
#include "view_rig.h"

#include "ui/app/compat.h"
#include "ui/app/widgets/lane_controls.h"
#include "ui/app/widgets/pace_switch.h"
#include "ui/app/widgets/sidebar.h"
#include "ui/app/widgets/time_bar.h"
#include "ui/paint/views.h"

/* With so many recorded steps, 100 apart; the last one is shown. */
static View *
view_of (guint steps)
{
  View *view = view_new ();

  hand_over (view, running ());
  for (guint i = 1; i <= steps; i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);
      recording->step = 100 * i;
      view->session->stepped = view->session->show_next = TRUE;
      ls_session_take_recording (view->session, recording);
    }
  return view;
}

/* ---- time ---- */

/* A position of the slider is the dial's; in words it is what a second stands for. */
static void
test_dial (void)
{
  static const struct {
    guint position;
    guint64 ns;
    const char *words;
  } rows[] = { { 0, 10, "1 s = 10 ns" },          { 1, 20, "1 s = 20 ns" },
               { 2, 50, "1 s = 50 ns" },          { 3, 100, "1 s = 100 ns" },
               { 8, 5000, "1 s = 5.00 µs" },      { 10, 20000, "1 s = 20.0 µs" },
               { 11, 50000, "1 s = 50.0 µs" },    { 17, 5000000, "1 s = 5.00 ms" },
               { 23, 500000000, "1 s = 500 ms" }, { 24, 1000000000, "1 s = 1.00 s" } };
  g_autoptr (View) none = view_new (), view = view_of (1);
  GtkWidget *empty = g_object_ref_sink (ls_dial_new (none->session)),
            *dial = g_object_ref_sink (ls_dial_new (view->session));
  GtkRange *range = GTK_RANGE (rig_find_kind (dial, GTK_TYPE_SCALE));
  GtkLabel *label = GTK_LABEL (rig_find_kind (dial, GTK_TYPE_LABEL));

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (rig_find_kind (empty, GTK_TYPE_LABEL))), ==, "no step yet");
  g_assert_false (gtk_widget_get_sensitive (rig_find_kind (empty, GTK_TYPE_SCALE)));
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (range)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (gtk_range_get_adjustment (range)), ==, 24);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint by = 0; by < 2; by++)
      {
        ls_session_set_dial (view->session, i == 0 ? 1000 : 10);
        if (by == 0)
          gtk_range_set_value (range, rows[i].position - .4); /* a pointer leaves it anywhere */
        else
          ls_session_set_dial (view->session, rows[i].ns);
        g_assert_cmpuint (ls_session_playhead (view->session)->dial_ns, ==, rows[i].ns);
        g_assert_cmpfloat (gtk_range_get_value (range), ==, rows[i].position);
        g_auto (GStrv) parts = g_strsplit (gtk_label_get_text (label), "\u00a0", -1);
        g_autofree char *plain = g_strjoinv (" ", parts);
        g_assert_cmpstr (plain, ==, rows[i].words);
        rig_assert_says (range, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, gtk_label_get_text (label));
      }
  ls_session_set_dial (view->session, 50000);
  ls_dial_turn (LS_DIAL (dial), 1);
  g_assert_cmpuint (ls_session_playhead (view->session)->dial_ns, ==, 100000);
  ls_dial_turn (LS_DIAL (dial), -1);
  ls_dial_turn (LS_DIAL (dial), -1);
  g_assert_cmpuint (ls_session_playhead (view->session)->dial_ns, ==, 20000);
  g_object_unref (empty);
  g_object_unref (dial);
}

/* A drop-down offers these words, in that order. */
static void
assert_items (GtkWidget *drop, const char *const *words, guint n)
{
  GListModel *list = gtk_drop_down_get_model (GTK_DROP_DOWN (drop));

  g_assert_cmpuint (g_list_model_get_n_items (list), ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (gtk_string_list_get_string (GTK_STRING_LIST (list), i), ==, words[i]);
}

static void
count_cb (gpointer widget, guint *n)
{
  ++*n;
}

/* Each pace by its word and by the drop-down; what the session has is shown and not chosen anew. */
static void
test_pace (void)
{
  static const char *const words[] = { "by step", "watch pace", "full speed" };
  g_autoptr (View) view = view_of (1);
  GtkWidget *pace = g_object_ref_sink (ls_pace_switch_new (view->session));
  GtkDropDown *drop = GTK_DROP_DOWN (rig_find_kind (pace, GTK_TYPE_DROP_DOWN));
  GtkWidget *row = rig_find_nth (pace, GTK_TYPE_TOGGLE_BUTTON, 0);
  guint n = 0, chosen = 0;

  g_signal_connect (pace, "chosen", G_CALLBACK (count_cb), &n);
  for (guint i = 0; i < 9; i++)
    {
      const LsPace to = (LsPace) ((i * 2 + i / 3) % 3);
      const gboolean other = to != ls_session_pace (view->session);

      if (i < 3)
        ls_session_set_pace (view->session, to);
      else if (i < 6)
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rig_find_nth (pace, GTK_TYPE_TOGGLE_BUTTON, to)),
                                      TRUE);
      else
        gtk_drop_down_set_selected (drop, to);
      chosen += i >= 3 && other;
      g_assert_cmpint (ls_session_pace (view->session), ==, to);
      g_assert_cmpuint (n, ==, chosen);
      g_assert_cmpuint (gtk_drop_down_get_selected (drop), ==, to);
      for (guint k = 0; k < 3; k++)
        {
          GtkWidget *button = rig_find_nth (pace, GTK_TYPE_TOGGLE_BUTTON, k);
          g_autofree char *note = ls_session_pace_words (view->session, (LsPace) k);
          g_autofree char *name = g_strdup_printf ("%s: %s", words[k], note),
                          *all = g_strdup_printf ("Training: %s, %s", words[k], note);
          g_assert_cmpint (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)), ==, k == to);
          rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
          g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (rig_find_nth (button, GTK_TYPE_LABEL, 0))), ==,
                           words[k]);
          g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (rig_find_nth (button, GTK_TYPE_LABEL, 1))), ==,
                           note);
          /* Space goes on playing and pausing after a click */
          g_assert_false (gtk_widget_get_focus_on_click (button));
          if (k != to)
            continue;
          rig_assert_says (drop, GTK_ACCESSIBLE_PROPERTY_LABEL, all);
          rig_assert_says (gtk_widget_get_first_child (GTK_WIDGET (drop)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                           all);
          g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (drop)), ==, all);
        }
    }
  /* words or a drop-down of the same words, and before the words what they are about */
  assert_items (GTK_WIDGET (drop), words, 3);
  for (LsPaceSwitchForm form = LS_PACE_SWITCH_NAMED; form <= LS_PACE_SWITCH_DROP; form++)
    {
      ls_pace_switch_set_form (LS_PACE_SWITCH (pace), form);
      g_assert_cmpint (gtk_widget_get_visible (rig_find_nth (pace, GTK_TYPE_LABEL, 0)), ==,
                       form == LS_PACE_SWITCH_NAMED);
      g_assert_cmpint (gtk_widget_get_visible (gtk_widget_get_parent (row)), ==, form != LS_PACE_SWITCH_DROP);
      g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (drop)), ==, form == LS_PACE_SWITCH_DROP);
    }
  g_assert_true (gtk_widget_get_sensitive (pace));
  view->session->mode = LS_SESSION_PLAYBACK;
  ls_session_emit_state (view->session);
  g_assert_false (gtk_widget_get_sensitive (pace)); /* nothing is trained */
  g_object_unref (pace);
}

/* Emission hook. */
static gboolean
toggled_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer n)
{
  if (++*(guint *) n > 20)
    g_error ("as a step is shown its pin is pressed, so that it is shown anew, and so on");
  return TRUE;
}

/* Where the shown step stands in the history; its pin; how far the clock is. */
static void
test_time_bar (void)
{
  g_autoptr (View) view = view_of (4);
  LsSession *session = view->session;
  GtkWidget *bar = ls_time_bar_new (session), *window = rig_show (bar, 1000, 60);
  GtkRange *range = GTK_RANGE (rig_find_kind (bar, GTK_TYPE_SCALE));
  GtkWidget *pin = rig_find_kind (bar, GTK_TYPE_TOGGLE_BUTTON);
  const guint toggled = g_signal_lookup ("toggled", GTK_TYPE_TOGGLE_BUTTON);
  guint n_toggled = 0;
  const gulong hook = g_signal_add_emission_hook (toggled, 0, toggled_cb, &n_toggled, NULL);

  rig_wait_mapped (bar, TRUE);
  g_assert_cmpstr (rig_label (bar, 1), ==, "step 400, recorded step 4 of 4");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (pin)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pin), TRUE);
  g_assert_true (ls_history_pinned (ls_session_history (session), 3));
  ls_session_step (session, -1);
  ls_session_step (session, -1);
  g_assert_cmpstr (rig_label (bar, 1), ==, "step 300, recorded step 3 of 4");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (pin)));
  ls_session_step (session, 1);
  g_assert_cmpstr (rig_label (bar, 1), ==, "step 400, recorded step 4 of 4");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (pin)));
  g_assert_true (ls_history_pinned (ls_session_history (session), 3));
  g_assert_false (ls_history_pinned (ls_session_history (session), 2));
  /* the slider is the clock, in both directions */
  const gint64 span = ls_playhead_span (ls_session_playhead (session));
  g_assert_cmpfloat (gtk_adjustment_get_upper (gtk_range_get_adjustment (range)), ==, (double) span);
  g_assert_cmpfloat (gtk_adjustment_get_lower (gtk_range_get_adjustment (range)), ==, 0);
  gtk_range_set_value (range, (double) (span / 4));
  g_assert_cmpint (ls_session_playhead (session)->time_ns, ==, span / 4);
  ls_session_seek (session, span / 2);
  g_assert_cmpfloat (gtk_range_get_value (range), ==, (double) (span / 2));
  g_autofree char *at = g_strdup (rig_label (bar, 0));
  g_auto (GStrv) parts = g_strsplit (at, " of ", 2);
  g_assert_cmpfloat_with_epsilon (2 * g_ascii_strtod (parts[0], NULL), g_ascii_strtod (parts[1], NULL),
                                  .011 * g_ascii_strtod (parts[1], NULL));
  rig_assert_says (range, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, at);
  g_assert_true (gtk_widget_get_visible (pin));
  session->mode = LS_SESSION_PLAYBACK;
  ls_session_emit_state (session);
  g_assert_cmpstr (rig_label (bar, 1), ==, "step 400, from a file");
  g_assert_false (gtk_widget_get_visible (pin)); /* a file has no history */
  g_signal_remove_emission_hook (toggled, hook);
  rig_close (window);
}

/* ---- the sidebar ---- */

static void
told_cb (gpointer widget, gint what, GArray *told)
{
  g_array_append_val (told, what);
}

static gint
last (const GArray *told)
{
  return told->len > 0 ? g_array_index (told, gint, told->len - 1) : -99;
}

static void
test_sidebar (void)
{
  static const char *const evidence[] = { "measured", "derived", "modelled", "published" };
  g_autoptr (GArray) views_told = g_array_new (FALSE, FALSE, sizeof (gint)),
                     evidence_told = g_array_new (FALSE, FALSE, sizeof (gint));
  GtkWidget *sidebar = g_object_ref_sink (ls_sidebar_new ());
  GtkListBox *list = GTK_LIST_BOX (rig_find_kind (sidebar, GTK_TYPE_LIST_BOX));
  static const char *const keys[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-", "=" };
  guint n;
  const LsView *const *views = ls_views (&n);

  g_signal_connect (sidebar, "view", G_CALLBACK (told_cb), views_told);
  g_signal_connect (sidebar, "evidence", G_CALLBACK (told_cb), evidence_told);
  for (guint i = 0; i < n; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (list, (int) i);

      g_assert_cmpstr (rig_label (GTK_WIDGET (row), 0), ==, views[i]->title);
      if (i < G_N_ELEMENTS (keys))
        g_assert_cmpstr (rig_label (GTK_WIDGET (row), 1), ==, keys[i]);
      g_assert_cmpstr (gtk_widget_get_tooltip_text (GTK_WIDGET (row)), ==, views[i]->question);
      rig_assert_says (row, GTK_ACCESSIBLE_PROPERTY_LABEL, views[i]->title);
      rig_assert_says (row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, views[i]->question);
      rig_assert_says (row, GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS, rig_label (GTK_WIDGET (row), 1));
      ls_sidebar_set_view (LS_SIDEBAR (sidebar), i); /* the program chooses: nothing is told */
      g_assert_cmpuint (views_told->len, ==, i);
      gtk_list_box_unselect_all (list);
      gtk_list_box_select_row (list, row);
      g_assert_cmpint (last (views_told), ==, (gint) i);
    }
  /* a mark that is pressed is the only one; pressed again, all count */
  for (guint i = 0; i < 4; i++)
    {
      GtkWidget *mark = rig_find_nth (sidebar, GTK_TYPE_TOGGLE_BUTTON, i);

      g_assert_cmpstr (rig_label (mark, 0), ==, evidence[i]);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (mark), TRUE);
      g_assert_cmpuint (evidence_told->len, ==, i + 1);
      g_assert_cmpint (last (evidence_told), ==, (gint) i);
      for (guint k = 0; k < 4; k++)
        g_assert_cmpint (gtk_toggle_button_get_active (
                           GTK_TOGGLE_BUTTON (rig_find_nth (sidebar, GTK_TYPE_TOGGLE_BUTTON, k))),
                         ==, k == i);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rig_find_nth (sidebar, GTK_TYPE_TOGGLE_BUTTON, 3)), FALSE);
  g_assert_cmpint (last (evidence_told), ==, -1);
  /* the next one, and after the last one none */
  for (guint i = 0; i < 10; i++)
    {
      ls_sidebar_filter (LS_SIDEBAR (sidebar), -1);
      g_assert_cmpint (last (evidence_told), ==, i % 5 == 4 ? -1 : (gint) (i % 5));
    }
  for (guint i = 0; i < 4; i++)
    for (guint again = 0; again < 2; again++)
      {
        ls_sidebar_filter (LS_SIDEBAR (sidebar), (gint) i);
        g_assert_cmpint (last (evidence_told), ==, again ? -1 : (gint) i);
      }
  g_object_unref (sidebar);
}

/* ---- lanes ---- */

typedef struct {
  guint n;
  const char *option;
  char *text;
} Changed;

static void
changed_cb (gpointer widget, const LsOption *option, const char *text, Changed *changed)
{
  changed->n++;
  changed->option = option->name;
  g_free (changed->text);
  changed->text = g_strdup (text);
}

/* Every schedule by its word and by the drop-down, every number of threads; what the lane has is shown and
 * tells nobody. */
static void
test_controls (void)
{
  static const char *const names[] = { "policy", "threads", NULL };
  static const char *const values[] = { "static", "round-robin", "dynamic", "steal" }, *const words[] = {
    "static", "round-robin", "dynamic", "work-stealing"
  };
  static const char *const numbers[] = { "auto", "1", "2", "3", "4", "5", "6" };
  g_autoptr (LsOptions) options = ls_options_new ();
  GtkWidget *controls = g_object_ref_sink (ls_lane_controls_new (names));
  GtkDropDown *policy = GTK_DROP_DOWN (rig_find_nth (controls, GTK_TYPE_DROP_DOWN, 0)),
              *threads = GTK_DROP_DOWN (rig_find_nth (controls, GTK_TYPE_DROP_DOWN, 1));
  Changed changed = { 0 };

  g_signal_connect (controls, "changed", G_CALLBACK (changed_cb), &changed);
  ls_lane_controls_set_most (LS_LANE_CONTROLS (controls), 6);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (threads)), ==, 7);
  g_assert_cmpuint (changed.n, ==, 0);
  for (guint i = 0; i < 4; i++)
    {
      GtkWidget *button = rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, i);
      const guint k = (i + 2) % 4;

      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, words[i]);
      ls_options_set (options, ls_options_find ("policy"), values[k], NULL);
      options->threads = i + 1;
      ls_lane_controls_set_options (LS_LANE_CONTROLS (controls), options);
      g_assert_cmpuint (ls_lane_controls_chosen (LS_LANE_CONTROLS (controls)), ==, k);
      g_assert_cmpuint (gtk_drop_down_get_selected (threads), ==, i + 1);
      for (guint b = 0; b < 4; b++)
        g_assert_cmpint (gtk_toggle_button_get_active (
                           GTK_TOGGLE_BUTTON (rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, b))),
                         ==, b == k);
      g_assert_cmpuint (changed.n, ==, 2 * i);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
      g_assert_cmpuint (changed.n, ==, 2 * i + 1);
      g_assert_cmpstr (changed.option, ==, "policy");
      g_assert_cmpstr (changed.text, ==, values[i]);
      gtk_drop_down_set_selected (threads, i == 0 ? 6 : 0);
      g_assert_cmpuint (changed.n, ==, 2 * i + 2);
      g_assert_cmpstr (changed.option, ==, "threads");
      g_assert_cmpstr (changed.text, ==, i == 0 ? "6" : "0");
    }
  gtk_drop_down_set_selected (policy, 2);
  g_assert_cmpstr (changed.text, ==, "dynamic");
  assert_items (GTK_WIDGET (policy), words, 4);
  assert_items (GTK_WIDGET (threads), numbers, 7);
  g_free (changed.text);
  g_object_unref (controls);
}

/* Words where they fit, else the drop-down; what doesn't fit is left out, but never the first one. */
static void
test_controls_room (void)
{
  static const char *const names[] = { "policy", "threads", NULL };
  GtkWidget *controls = ls_lane_controls_new (names), *window = rig_show (controls, 1200, 60);
  GtkWidget *words = gtk_widget_get_parent (rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, 0)),
            *policy = rig_find_nth (controls, GTK_TYPE_DROP_DOWN, 0),
            *threads = rig_find_nth (controls, GTK_TYPE_DROP_DOWN, 1);
  int least, natural;

  gtk_widget_measure (controls, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  g_assert_cmpint (least, <, natural);
  for (guint compact = 0; compact < 2; compact++)
    for (int width = natural + 40; width >= least; width -= 20)
      {
        ls_lane_controls_set_compact (LS_LANE_CONTROLS (controls), compact);
        gtk_widget_size_allocate (controls, &(GtkAllocation){ .width = width, .height = 40 }, -1);
        const gboolean side_by_side = gtk_widget_get_child_visible (words);

        g_assert_cmpint (gtk_widget_get_child_visible (policy), ==, !side_by_side);
        if (compact)
          g_assert_false (side_by_side);
        else if (width >= natural)
          g_assert_true (side_by_side && gtk_widget_get_child_visible (threads));
        for (GtkWidget *child = gtk_widget_get_first_child (controls); child != NULL;
             child = gtk_widget_get_next_sibling (child))
          {
            graphene_rect_t at;
            if (gtk_widget_get_child_visible (child) && gtk_widget_compute_bounds (child, controls, &at)
                && at.origin.x + at.size.width > (float) width + 1.5f)
              g_error ("in %d px a %s ends at %g", width, G_OBJECT_TYPE_NAME (child),
                       (double) (at.origin.x + at.size.width));
          }
      }
  rig_close (window);
}

/* A drop-down is called by its title and what is chosen; where nothing is, by its title alone. */
static void
test_names (void)
{
  static const char *const words[] = { "Loss", "Throughput", NULL };
  static const char *const names[] = { "Curve: Loss", "Curve: Throughput", "Curve" };
  GtkWidget *drop = g_object_ref_sink (gtk_drop_down_new_from_strings (words)),
            *button = g_object_ref_sink (gtk_button_new ());

  ls_compat_name_drop (drop, "Curve");
  for (guint i = 0; i < 6; i++)
    {
      rig_assert_says (drop, GTK_ACCESSIBLE_PROPERTY_LABEL, names[i % 3]);
      rig_assert_says (gtk_widget_get_first_child (drop), GTK_ACCESSIBLE_PROPERTY_LABEL, names[i % 3]);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), i % 3 == 1 ? GTK_INVALID_LIST_POSITION : i % 3 == 0);
    }
  ls_compat_name_button (button, "Measure _Again");
  rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Measure Again");
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Measure _Again");
  g_assert_true (gtk_button_get_use_underline (GTK_BUTTON (button)));
  ls_compat_describe (button, "Again", "Measures all sizes anew.");
  rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Again");
  rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Measures all sizes anew.");
  g_object_unref (drop);
  g_object_unref (button);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/widgets/dial", test_dial);
  g_test_add_func ("/widgets/pace", test_pace);
  g_test_add_func ("/widgets/time-bar", test_time_bar);
  g_test_add_func ("/widgets/sidebar", test_sidebar);
  g_test_add_func ("/widgets/controls", test_controls);
  g_test_add_func ("/widgets/controls-room", test_controls_room);
  g_test_add_func ("/widgets/names", test_names);
  return g_test_run ();
}
