/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What parts of the window look like with whatever is in them: sentences break, what is long is scrolled, and
 * a choice of its own stays.
 */
#include "config.h"
#include "german.h"
#include "rig.h"
#include "view_rig.h"

#include <libintl.h>
#include <string.h>

#include "ui/app/dialogs/fair_panel.h"
#include "ui/app/dialogs/help_window.h"
#include "ui/app/widgets/desktop_style.h"
#include "ui/app/widgets/lane_controls.h"
#include "ui/app/widgets/pace_switch.h"
#include "ui/app/widgets/sidebar.h"
#include "ui/help/help.h"
#include "ui/paint/parts/rates.h"

static int
natural (GtkWidget *widget, GtkOrientation orientation)
{
  int size;

  gtk_widget_measure (widget, orientation, -1, NULL, &size, NULL, NULL);
  return size;
}

static int
lines_of (GtkWidget *label)
{
  return pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (label)));
}

/* A long sentence breaks, a title and a state don't; all lines can be reached by scrolling down, and none
 * lies beside the panel. */
static void
test_fair (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *session = view->session;
  guint n;
  const LsFairRow *rows = ls_fair_rows (&n);
  GtkWidget *panel, *window, *scrolled;

  hand_over (view, running ());
  panel = ls_fair_panel_new (session);
  for (guint i = 0; i < n; i++)
    {
      LsFairLine *line = &ls_session_data (session)->fairness->lines[i];

      line->row = &rows[i];
      line->state = LS_FAIR_UNKNOWN;
      g_free (line->words);
      line->words = g_strdup (
        "It is a sentence of so many words that it needs more than one line of the panel to be "
        "read from its beginning to its end, and another one besides.");
    }
  ls_session_emit_data (session);
  window = rig_show (panel, 100, 100); /* as small as it can be */
  scrolled = rig_find_kind (panel, GTK_TYPE_SCROLLED_WINDOW);
  for (guint i = 0, k = 0; i < n; i++, k = 0)
    {
      GtkWidget *box = gtk_widget_get_parent (rig_find_nth (panel, GTK_TYPE_SWITCH, i));

      for (; k < 4; k++)
        {
          GtkWidget *label = rig_find_nth (box, GTK_TYPE_LABEL, k);

          if ((lines_of (label) > 1) != (k == 3))
            g_error ("“%s” has %d lines", gtk_label_get_text (GTK_LABEL (label)), lines_of (label));
        }
    }
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), <=, gtk_adjustment_get_page_size (across));
  g_assert_cmpfloat (gtk_adjustment_get_upper (down), >, gtk_adjustment_get_page_size (down));
  if (natural (panel, GTK_ORIENTATION_HORIZONTAL) > 700 || natural (scrolled, GTK_ORIENTATION_VERTICAL) > 520)
    g_error ("the panel wants %d px across, and its lines %d px down",
             natural (panel, GTK_ORIENTATION_HORIZONTAL), natural (scrolled, GTK_ORIENTATION_VERTICAL));
  rig_close (window);
}

/* Who is faster is said where that is known; without two lanes there is nothing to switch or to judge. */
static void
test_fair_head (void)
{
  g_autoptr (View) none = view_new (), view = view_new ();
  GtkWidget *empty = g_object_ref_sink (ls_fair_panel_new (none->session)), *panel;

  g_assert_false (gtk_widget_get_visible (rig_find_nth (empty, GTK_TYPE_LABEL, 1)));
  g_assert_false (gtk_widget_get_visible (rig_find_nth (empty, GTK_TYPE_LABEL, 3)));
  if (gtk_widget_get_visible (gtk_widget_get_last_child (empty)))
    g_error ("without lanes the fight can be made unfair");
  hand_over (view, running ());
  panel = g_object_ref_sink (ls_fair_panel_new (view->session));
  g_autofree char *ratio = ls_rates_verdict (ls_session_data (view->session), TRUE);
  g_assert_cmpstr (rig_label (panel, 1), ==, ratio != NULL ? ratio : "");
  if (gtk_widget_get_visible (rig_find_nth (panel, GTK_TYPE_LABEL, 1)) != (ratio != NULL))
    g_error ("“%s” is %s", ratio != NULL ? ratio : "", ratio != NULL ? "hidden" : "an empty line");
  g_assert_true (gtk_widget_get_visible (gtk_widget_get_last_child (panel)));
  g_assert_false (gtk_widget_get_visible (rig_find_nth (panel, GTK_TYPE_LABEL, 3))); /* it is no recording */
  g_object_unref (empty);
  g_object_unref (panel);
}

static void
changed_cb (gpointer widget, const LsOption *option, const char *text, GString *told)
{
  g_string_append_printf (told, "%s;", text);
}

/* A choice that is no setting of the run begins with the first, is told when it is another, and stays,
 * whatever the run's settings are. */
static void
test_own (void)
{
  static const char *const choices[] = { "steps", "time", "epochs", NULL };
  static const LsOption option = { .label = "Over", .choices = choices };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GString) told = g_string_new (NULL);
  GtkWidget *controls = g_object_ref_sink (ls_lane_controls_new_own (&option));

  g_signal_connect (controls, "changed", G_CALLBACK (changed_cb), told);
  g_assert_cmpuint (ls_lane_controls_chosen (LS_LANE_CONTROLS (controls)), ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      const guint k = (i + 1) % 3;
      GtkWidget *button = rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, k);

      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, choices[k]);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
      ls_lane_controls_set_options (LS_LANE_CONTROLS (controls), options);
      if (ls_lane_controls_chosen (LS_LANE_CONTROLS (controls)) != k)
        g_error ("“%s” was chosen, and “%s” is, once settings have come", choices[k],
                 choices[ls_lane_controls_chosen (LS_LANE_CONTROLS (controls))]);
    }
  g_assert_cmpstr (told->str, ==, "time;epochs;steps;");
  ls_lane_controls_choose (LS_LANE_CONTROLS (controls), 2);
  g_assert_cmpuint (ls_lane_controls_chosen (LS_LANE_CONTROLS (controls)), ==, 2);
  g_assert_true (
    gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, 2))));
  g_assert_cmpstr (told->str, ==, "time;epochs;steps;"); /* who chooses knows it */
  g_object_unref (controls);
}

/* More threads than the machine has processors may be asked for: that number is shown, and joins the list. */
static void
test_more_threads (void)
{
  static const char *const names[] = { "policy", "threads", NULL };
  static const gint64 threads[] = { 2, 17, 1, 17, 0, 9 };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GString) told = g_string_new (NULL);
  GtkWidget *controls = g_object_ref_sink (ls_lane_controls_new (names));
  GtkDropDown *drop = GTK_DROP_DOWN (rig_find_nth (controls, GTK_TYPE_DROP_DOWN, 1));

  ls_lane_controls_set_most (LS_LANE_CONTROLS (controls), 4);
  g_signal_connect (controls, "changed", G_CALLBACK (changed_cb), told);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree char *should = threads[i] == 0 ? g_strdup ("auto")
                                                : g_strdup_printf ("%d", (int) threads[i]);

      options->threads = threads[i];
      ls_lane_controls_set_options (LS_LANE_CONTROLS (controls), options);
      const char *shown = gtk_string_object_get_string (gtk_drop_down_get_selected_item (drop));
      if (strcmp (shown, should) != 0)
        g_error ("the lane has %s threads, and its switch says %s", should, shown);
    }
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (drop)), ==, 7);
  g_assert_cmpstr (told->str, ==, "");
  gtk_drop_down_set_selected (drop, 5);
  g_assert_cmpstr (told->str, ==, "17;");
  g_object_unref (controls);
}

/* It is words side by side where they have room, and a drop-down where they haven't, or where all are to be
 * short. */
static void
test_own_room (void)
{
  static const char *const choices[] = { "steps", "time", "epochs", NULL };
  static const LsOption option = { .label = "Over", .choices = choices };
  static const struct {
    int width;
    gboolean compact, words;
  } rows[] = { { 500, FALSE, TRUE }, { 500, TRUE, FALSE }, { 500, FALSE, TRUE }, { 10, FALSE, FALSE } };
  GtkWidget *controls = ls_lane_controls_new_own (&option), *window;
  GtkWidget *words = gtk_widget_get_parent (rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, 0)),
            *drop = rig_find_kind (controls, GTK_TYPE_DROP_DOWN),
            *label = rig_find_nth (controls, GTK_TYPE_LABEL, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      if (i > 0) /* as it is made it is not compact */
        ls_lane_controls_set_compact (LS_LANE_CONTROLS (controls), rows[i].compact);
      g_object_ref_sink (controls);
      gtk_box_append (GTK_BOX (box), controls);
      window = rig_show (box, rows[i].width, 60);
      if (gtk_widget_get_child_visible (words) != rows[i].words
          || gtk_widget_get_child_visible (drop) == rows[i].words)
        g_error ("row %zu, %d px wide: the choices are %s", i, gtk_widget_get_width (controls),
                 gtk_widget_get_child_visible (words) ? "words side by side" : "a drop-down");
      g_assert_true (gtk_widget_get_child_visible (label));
      gtk_box_remove (GTK_BOX (box), controls);
      rig_close (window);
    }
  g_object_unref (controls);
}

/* ---- in another language ---- */

/* Fails where the label doesn't say that in the language; another: adds to how many are other words in it. */
static void
assert_translated (GtkWidget *widget, guint i, const char *text, guint *others)
{
  if (strcmp (rig_label (widget, i), gettext (text)) != 0)
    g_error ("it says “%s”, not “%s”", rig_label (widget, i), gettext (text));
  *others += strcmp (gettext (text), text) != 0;
}

static void
assert_german (void)
{
  static const char *const choices[] = { "static", "measured", NULL };
  static const LsOption option = { .label = "Schedule", .choices = choices, .choice_words = choices };
  g_autoptr (View) view = view_new ();
  guint n, n_topics, others = 0;
  const LsFairRow *rows = ls_fair_rows (&n);
  const LsHelpTopic *const *topics = ls_help_topics (&n_topics);
  GtkWidget *panel, *help, *page, *controls;

  hand_over (view, running ());
  panel = g_object_ref_sink (ls_fair_panel_new (view->session));
  assert_translated (panel, 0, "Is This a Fair Fight?", &others);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *toggle = rig_find_nth (panel, GTK_TYPE_SWITCH, i), *box = gtk_widget_get_parent (toggle);
      const LsFairLine *line = &ls_session_data (view->session)->fairness->lines[i];
      g_autofree char *name = g_strdup_printf (gettext ("%s: unfair on purpose"), gettext (rows[i].title));

      assert_translated (box, 0, rows[i].title, &others);
      assert_translated (box, 1,
                         line->state == LS_FAIR_YES  ? "fair"
                         : line->state == LS_FAIR_NO ? "unfair"
                                                     : "not known",
                         &others);
      rig_assert_says (toggle, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
      g_assert_cmpstr (gtk_widget_get_tooltip_text (toggle), ==, gettext ("Unfair on purpose"));
    }
  g_object_unref (panel);

  help = ls_help_window_new (NULL);
  for (guint i = 0; i < n_topics; i++)
    {
      guint at = 2;

      ls_help_window_show (LS_HELP_WINDOW (help), topics[i]->name);
      page = rig_find_kind (help, ADW_TYPE_CLAMP);
      assert_translated (page, 0, topics[i]->title, &others);
      assert_translated (page, 1, topics[i]->lead, &others);
      for (const LsHelpEntry *entry = topics[i]->entries; entry->term != NULL; entry++, at += 2)
        {
          assert_translated (page, at, entry->term, &others);
          assert_translated (page, at + 1, entry->text, &others);
        }
    }
  gtk_window_destroy (GTK_WINDOW (help));

  controls = g_object_ref_sink (ls_lane_controls_new_own (&option));
  assert_translated (controls, 0, "Schedule", &others);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (rig_find_nth (controls, GTK_TYPE_TOGGLE_BUTTON, i))),
                     ==, gettext (choices[i]));
  g_object_unref (controls);
  g_assert_cmpuint (others, >, 100);
}

/* Every text of the fair panel, the help and a lane's choices is in the reader's language. */
static void
test_german (void)
{
  if (german_begin ())
    assert_german ();
  german_end ();
}

/* As a window has it: with a place, it looks at what has changed since. */
static int
width_of (GtkWidget *pace, GtkWidget *note)
{
  int width;

  gtk_widget_allocate (pace, 800, 60, -1, NULL);
  gtk_widget_measure (note, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

/* A rate of a digit less leaves its place as wide as it is, so that nothing beside it moves; another form
 * gives the room back. */
static void
test_pace_width (void)
{
  static const double us[] = { 100.2, 99.8, 100.2, 1, 1e6 };
  static const char *const words[] = { "9 980 steps/s", "10 020 steps/s", "9 980 steps/s",
                                       "1 000 000 steps/s", "1.0 steps/s" };
  g_autoptr (View) view = view_new ();
  GtkWidget *pace = g_object_ref_sink (ls_pace_switch_new (view->session));
  GtkWidget *note = rig_find_nth (rig_find_nth (pace, GTK_TYPE_TOGGLE_BUTTON, 2), GTK_TYPE_LABEL, 1);
  int before = 0;

  hand_over (view, running ());
  ls_pace_switch_set_form (LS_PACE_SWITCH (pace), LS_PACE_SWITCH_NAMED);
  for (guint i = 0; i < G_N_ELEMENTS (us); i++)
    {
      LsSnapshot *next = again (view->snapshot);
      next->turns = FALSE;
      for (guint lane = 0; lane < next->n_lanes; lane++)
        next->lanes[lane].step_us = (LsFigure){ .value = us[i], .n = 200 };
      hand_over (view, next);
      ls_session_emit_state (view->session);
      if (!g_str_equal (gtk_label_get_text (GTK_LABEL (note)), words[i]) || width_of (pace, note) < before)
        g_error ("“%s” takes %d px, where %d px were", gtk_label_get_text (GTK_LABEL (note)),
                 width_of (pace, note), before);
      before = width_of (pace, note);
    }
  ls_pace_switch_set_form (LS_PACE_SWITCH (pace), LS_PACE_SWITCH_WORDS);
  g_assert_cmpint (width_of (pace, note), <, before);
  g_object_unref (pace);
}

static void
count_cb (GtkWidget *widget)
{
  guint *n = g_object_get_data (G_OBJECT (widget), "n");

  (*n)++;
}

/* Who follows the desktop's look hears once of each part of it that is another, as long as they are there. */
static void
test_follows (void)
{
  guint n = 0;
  GtkWidget *widget = g_object_ref_sink (gtk_label_new (NULL));
  GObject *manager = G_OBJECT (adw_style_manager_get_default ()),
          *settings = G_OBJECT (gtk_settings_get_default ());
  const struct {
    GObject *of;
    const char *property;
    guint heard;
  } rows[] = { { manager, "dark", 1 },
               { manager, "high-contrast", 1 },
               { settings, "gtk-xft-dpi", 1 },
               { settings, "gtk-font-name", 1 },
               { settings, "gtk-cursor-blink", 0 } };

  g_object_set_data (G_OBJECT (widget), "n", &n);
  ls_desktop_follow (widget, G_CALLBACK (count_cb));
  for (guint there = 2; there-- > 0;)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          n = 0;
          g_object_notify (rows[i].of, rows[i].property);
          if (n != rows[i].heard * there)
            g_error ("that “%s” is another is heard %u times, not %u times", rows[i].property, n,
                     rows[i].heard * there);
        }
      if (there)
        g_object_unref (widget);
    }
}

/* Each mark of the sidebar's key says what it means, to the pointer and to a screen reader. */
static void
test_key (void)
{
  static const char *const marks[][2] = {
    { "measured", "A clock, a counter or a computed result, on this machine" },
    { "derived", "Made from two measurements, or from a count on paper" },
    { "modelled", "What a model says; never a measurement" },
    { "published", "What a system or a data sheet reports, with its source" },
  };
  GtkWidget *sidebar = g_object_ref_sink (ls_sidebar_new ());

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      GtkWidget *mark = rig_find_nth (sidebar, GTK_TYPE_TOGGLE_BUTTON, i);

      g_assert_cmpstr (rig_label (mark, 0), ==, marks[i][0]);
      g_assert_cmpstr (gtk_widget_get_tooltip_text (mark), ==, marks[i][1]);
      rig_assert_says (mark, GTK_ACCESSIBLE_PROPERTY_LABEL, marks[i][0]);
      rig_assert_says (mark, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, marks[i][1]);
    }
  g_object_unref (sidebar);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/look/pace-width", test_pace_width);
  g_test_add_func ("/look/fair", test_fair);
  g_test_add_func ("/look/fair-head", test_fair_head);
  g_test_add_func ("/look/own", test_own);
  g_test_add_func ("/look/more-threads", test_more_threads);
  g_test_add_func ("/look/own-room", test_own_room);
  g_test_add_func ("/look/german", test_german);
  g_test_add_func ("/look/key", test_key);
  g_test_add_func ("/look/follows", test_follows);
  return g_test_run ();
}
