/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the window's parts share its width, at and around each width from which something changes; and what its
 * heads say of the session: title, play button, banner.
 */
#include "window_rig.h"

#include <string.h>

#include "ui/app/canvas/canvas_private.h"
#include "ui/app/session/kept_run.h"
#include "ui/app/widgets/lane_controls.h"
#include "ui/paint/views.h"

typedef struct {
  int px;
  gboolean sheets;  /* panes lie over the stage, and views are there when they are asked for */
  gboolean icons;   /* the views beside the stage have no words */
  const char *pace; /* "drop", "words", "named" */
  gboolean key;     /* the picture has the key to the evidence: no sidebar tells it */
  gboolean two;
} Room;

static const Room rooms[] = {
  { 480, TRUE, FALSE, "drop", TRUE, FALSE },     { 1099, TRUE, FALSE, "drop", TRUE, FALSE },
  { 1100, FALSE, TRUE, "drop", TRUE, FALSE },    { 1239, FALSE, TRUE, "drop", TRUE, FALSE },
  { 1240, FALSE, TRUE, "words", TRUE, FALSE },   { 1599, FALSE, TRUE, "words", TRUE, FALSE },
  { 1600, FALSE, FALSE, "named", FALSE, FALSE }, { 2999, FALSE, FALSE, "named", FALSE, FALSE },
  { 3000, FALSE, FALSE, "named", FALSE, TRUE },
};

static const char *
pace_form (LsWindow *self)
{
  GtkWidget *box = gtk_widget_get_first_child (self->pace), *name = gtk_widget_get_first_child (box),
            *drop = gtk_widget_get_last_child (box), *words = gtk_widget_get_prev_sibling (drop);
  const gboolean named = gtk_widget_get_visible (name), side_by_side = gtk_widget_get_visible (words);

  g_assert_true (GTK_IS_DROP_DOWN (drop));
  g_assert_cmpint (gtk_widget_get_visible (drop), ==, !side_by_side);
  return named && side_by_side ? "named" : named ? "a name alone" : side_by_side ? "words" : "drop";
}

static void
assert_yes (const Room *room, const char *what, gboolean is, gboolean should)
{
  if (is != should)
    g_error ("%d px wide, %s: %s", room->px, what, is ? "yes" : "no");
}

static void
assert_room (LsWindow *self, const Room *room)
{
  const LsViewData *data = ls_session_data (self->session);
  const LsCanvas *canvas = LS_CANVAS (self->stages[0].canvas);
  const char *title = adw_window_title_get_title (ADW_WINDOW_TITLE (self->title)),
             *tip = gtk_widget_get_tooltip_text (self->title);
  GtkWidget *mark = rig_find_kind (self->sidebar, GTK_TYPE_TOGGLE_BUTTON);
  int dial_w;

  assert_yes (room, "the views lie over the stage",
              gtk_widget_get_parent (self->sidebar_revealer) == self->over, room->sheets);
  assert_yes (room, "the settings lie over it", gtk_widget_get_parent (self->settings_revealer) == self->over,
              room->sheets);
  assert_yes (room, "both look so",
              gtk_widget_has_css_class (self->sidebar, "sheet")
                && gtk_widget_has_css_class (self->settings, "sheet"),
              room->sheets);
  assert_yes (room, "the views are shown",
              gtk_revealer_get_reveal_child (GTK_REVEALER (self->sidebar_revealer)), !room->sheets);
  assert_yes (room, "the views are icons alone", !gtk_widget_get_visible (mark), room->icons);
  g_assert_cmpint (gtk_widget_has_css_class (self->sidebar, "narrow"), ==, room->icons);
  g_assert_cmpstr (pace_form (self), ==, room->pace);
  assert_yes (room, "the picture has the key", canvas->query.key, room->key);
  assert_yes (room, "there is a button for two views", gtk_widget_get_visible (self->two), room->two);
  assert_yes (room, "there are two views",
              self->stages[1].clamp != NULL && gtk_widget_get_visible (self->stages[1].clamp), room->two);
  g_assert_cmpint (canvas->query.curves.part, ==, room->two ? LS_STRIP_LEFT : LS_STRIP_ALONE);
  /* the batch is never left out, the sizes are where there is no room */
  g_assert_cmpstr (title, ==, room->sheets ? data->brief : data->title);
  g_assert_cmpstr (tip, ==, room->sheets ? data->title : NULL);
  g_assert_cmpstr (adw_window_title_get_subtitle (ADW_WINDOW_TITLE (self->title)), ==, data->when);
  gtk_widget_get_size_request (rig_find_kind (self->dial, GTK_TYPE_SCALE), &dial_w, NULL);
  g_assert_cmpint (dial_w, ==, room->sheets ? 64 : 96);
  /* where the settings stand beside the stage they are on its right, the views on its left */
  if (!room->sheets)
    {
      g_assert_true (gtk_widget_get_first_child (self->content) == self->sidebar_revealer);
      g_assert_true (gtk_widget_get_last_child (self->content) == self->settings_revealer);
    }
  else
    {
      g_assert_cmpint (gtk_widget_get_halign (self->sidebar_revealer), ==, GTK_ALIGN_START);
      g_assert_cmpint (gtk_widget_get_halign (self->settings_revealer), ==, GTK_ALIGN_END);
    }
}

/* From any width to any other. */
static void
test_widths (void)
{
  LsWindow *self = window_of (1);

  for (gsize i = 0; i < G_N_ELEMENTS (rooms); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (rooms); k++)
      {
        window_set_width (self, rooms[i].px);
        window_set_width (self, rooms[k].px);
        assert_room (self, &rooms[k]);
      }
  window_gone (self);
}

/* A change within one class of widths costs nothing; one into another is applied once, when there is time. */
static void
test_classes (void)
{
  LsWindow *self = window_of (1);

  for (gsize i = 0; i + 1 < G_N_ELEMENTS (rooms); i++)
    {
      const gboolean other = i % 2 == 1; /* the table has pairs of one class */

      window_set_width (self, rooms[i].px);
      g_assert_cmpuint (self->width_later, ==, 0);
      ls_window_queue_width (self, rooms[i + 1].px);
      assert_yes (&rooms[i + 1], "is of another class", self->width_later != 0, other);
      g_assert_cmpint (self->width, ==, rooms[i + 1].px);
      while (self->width_later != 0)
        g_main_context_iteration (NULL, FALSE);
      assert_room (self, &rooms[i + 1]);
    }
  window_gone (self);
}

/* In a narrow window the views open over the stage and go when one is chosen; in others they stay as they
 * were wanted. */
static void
test_sidebar (void)
{
  LsWindow *self = window_of (1);
  GtkRevealer *views = GTK_REVEALER (self->sidebar_revealer);
  GtkWidget *mark = rig_find_kind (self->sidebar, GTK_TYPE_TOGGLE_BUTTON);

  window_set_width (self, 800);
  ls_window_show_sidebar (self, TRUE);
  g_assert_true (gtk_revealer_get_reveal_child (views));
  g_assert_true (gtk_widget_get_visible (mark)); /* with its words */
  ls_window_set_view (self, 3);
  g_assert_false (gtk_revealer_get_reveal_child (views));
  g_assert_true (self->sidebar_wanted);
  window_set_width (self, 1300);
  g_assert_true (gtk_revealer_get_reveal_child (views));
  ls_window_set_view (self, 2);
  g_assert_true (gtk_revealer_get_reveal_child (views));
  ls_window_show_sidebar (self, FALSE);
  window_set_width (self, 1700);
  g_assert_false (gtk_revealer_get_reveal_child (views));
  g_assert_true (LS_CANVAS (self->canvas)->query.key); /* nothing else tells it then */
  ls_window_show_sidebar (self, TRUE);
  g_assert_false (LS_CANVAS (self->canvas)->query.key);
  window_gone (self);
}

/* For the projector the picture stands alone, at any width, and what was there comes back. */
static void
test_projector (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rooms); i++)
    {
      LsWindow *self = window_of (1);

      window_set_width (self, rooms[i].px);
      ls_window_set_projector (self, TRUE);
      assert_yes (&rooms[i], "on the projector the views are shown",
                  gtk_revealer_get_reveal_child (GTK_REVEALER (self->sidebar_revealer)), FALSE);
      assert_yes (&rooms[i], "on the projector there is a header", gtk_widget_get_visible (self->header),
                  FALSE);
      assert_yes (&rooms[i], "on the projector there is a time bar", gtk_widget_get_visible (self->time_bar),
                  FALSE);
      assert_yes (&rooms[i], "on the projector there are two views",
                  self->stages[1].clamp != NULL && gtk_widget_get_visible (self->stages[1].clamp), FALSE);
      assert_yes (&rooms[i], "on the projector there is a key", LS_CANVAS (self->canvas)->query.key, FALSE);
      g_assert_true (LS_CANVAS (self->canvas)->projector);
      ls_window_set_projector (self, FALSE);
      assert_yes (&rooms[i], "afterwards there is a header", gtk_widget_get_visible (self->header), TRUE);
      assert_yes (&rooms[i], "afterwards there is a time bar", gtk_widget_get_visible (self->time_bar), TRUE);
      assert_room (self, &rooms[i]);
      window_gone (self);
    }
}

/* Two views are never the same one, and keys are for the one that was used last. */
static void
test_two (void)
{
  LsWindow *self = window_of (1), *same = window_of (1);
  const char *const words[] = { "left", "right" };

  /* the view of the left one isn't shown again on the right */
  g_settings_set_string (same->store, "second-view", "race");
  window_set_width (same, 3200);
  g_assert_cmpstr (ls_canvas_view (ls_window_canvas (same, 1))->name, ==, "partition");
  window_gone (same);
  g_settings_set_string (self->store, "second-view", "timeline");
  window_set_width (self, 3200);
  LsCanvas *left = ls_window_canvas (self, 0), *right = ls_window_canvas (self, 1);
  g_assert_cmpstr (ls_canvas_view (left)->name, ==, "race");
  g_assert_cmpstr (ls_canvas_view (right)->name, ==, "timeline");
  g_assert_cmpint (right->query.curves.part, ==, LS_STRIP_RIGHT);
  g_assert_true (self->canvas == GTK_WIDGET (left));
  for (guint used = 0; used < 2; used++)
    {
      self->canvas = self->stages[used].canvas;
      for (guint view = 0; view < 6; view++)
        {
          LsCanvas *one = ls_window_canvas (self, used), *other = ls_window_canvas (self, 1 - used);
          const LsView *before = ls_canvas_view (one), *beside = ls_canvas_view (other);

          ls_window_set_view (self, view);
          if (ls_canvas_view (one) == ls_canvas_view (other))
            g_error ("both show %s after it was chosen on the %s", ls_canvas_view (one)->name, words[used]);
          g_assert_true (ls_canvas_view (other) == (ls_canvas_view (one) == beside ? before : beside));
        }
    }
  /* the right one goes: keys are the left one's again */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.two", NULL);
  g_assert_true (self->canvas == GTK_WIDGET (left));
  g_assert_false (gtk_widget_get_visible (self->stages[1].clamp));
  g_assert_true (gtk_widget_get_visible (self->two)); /* the way back */
  window_gone (self);
}

static GtkWidget *
label_of (GtkWidget *widget, const char *words)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LABEL (widget) && strcmp (gtk_label_get_text (GTK_LABEL (widget)), words) == 0)
    return widget;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL && found == NULL;
       w = gtk_widget_get_next_sibling (w))
    found = label_of (w, words);
  return found;
}

/* What a view asks stands before the list of answers where there is room for it, and is the list's tip. */
static void
test_questions (void)
{
  LsWindow *self = window_of (1);
  guint n, asked = 0;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    for (const LsViewSwitch *row = views[i]->switches; row != NULL && row->title != NULL; row++)
      {
        GtkWidget *question = row->asks ? label_of (self->canvas, row->title) : NULL, *answers;

        if (!row->asks)
          continue;
        if (question == NULL)
          g_error ("%s doesn't ask “%s”", views[i]->name, row->title);
        answers = gtk_widget_get_next_sibling (question);
        g_assert_true (GTK_IS_DROP_DOWN (answers));
        g_assert_cmpstr (gtk_widget_get_tooltip_text (answers), ==, row->title);
        for (gsize r = 0; r < G_N_ELEMENTS (rooms); r++, asked++)
          {
            window_set_width (self, rooms[r].px);
            assert_yes (&rooms[r], row->title, gtk_widget_get_visible (question),
                        strcmp (rooms[r].pace, "drop") != 0);
            g_assert_true (gtk_widget_get_visible (answers));
          }
      }
  g_assert_cmpuint (asked, >, 0);
  window_gone (self);
}

/* ---- what is said of the session ---- */

static void
assert_button (GtkWidget *button, const char *words, const char *action)
{
  g_assert_cmpint (gtk_widget_get_visible (button), ==, words != NULL);
  if (words == NULL)
    return;
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, words);
  g_assert_cmpstr (gtk_actionable_get_action_name (GTK_ACTIONABLE (button)), ==, action);
}

/* Screen readers are told of what a button is, besides its own words. */
static void
assert_described (GtkWidget *button, GtkWidget *by)
{
  g_autofree char *other = gtk_test_accessible_check_relation (
    GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, by, NULL);

  if (other != NULL)
    g_error ("the button “%s” is described by “%s”, not by the banner's words",
             gtk_button_get_label (GTK_BUTTON (button)), other);
  if (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    g_error ("the button “%s” has another's words as its name", gtk_button_get_label (GTK_BUTTON (button)));
}

static void
test_banner (void)
{
  enum { RUN, OVER, PLAYBACK, FAILED, KEPT, KEPT_IN_PLAYBACK, N };
  static const struct {
    const char *begins; /* NULL: nothing is said */
    const char *words[2], *actions[2];
  } rows[N] = {
    [OVER] = { "Learnt: ", { "Train _On", "Start _Anew" }, { "win.train-on", "win.run-again" } },
    [PLAYBACK] = { "A recording is played back; nothing is trained.",
                   { "Back to _Training" },
                   { "win.close-recording" } },
    [FAILED] = { "There is no such folder.", { "_Settings" }, { "win.settings" } },
    [KEPT] = { "The last run was broken off; its weights after step 234 and its settings are still there.",
               { "_Go On with It", "_Leave It" },
               { "win.go-on", "win.leave-kept" } },
    [KEPT_IN_PLAYBACK] = { "A recording is played back; nothing is trained.",
                           { "Back to _Training" },
                           { "win.close-recording" } },
  };

  for (guint i = 0; i < N; i++)
    {
      LsWindow *self = window_of (1);
      LsSession *session = self->session;
      const gboolean playback = i == PLAYBACK || i == KEPT_IN_PLAYBACK;

      session->over = i == OVER;
      session->mode = playback ? LS_SESSION_PLAYBACK : i == FAILED ? LS_SESSION_FAILED : LS_SESSION_LIVE;
      session->problem = i == FAILED ? g_strdup ("There is no such folder.") : NULL;
      if (i == KEPT || i == KEPT_IN_PLAYBACK)
        {
          session->keep.offered = g_atomic_rc_box_new0 (LsKeptRun);
          session->keep.offered->step = 234;
          session->keep.offered->options = ls_options_new ();
        }
      ls_session_emit_state (session);
      g_assert_cmpint (gtk_revealer_get_reveal_child (GTK_REVEALER (self->banner)), ==,
                       rows[i].begins != NULL);
      if (rows[i].begins != NULL)
        {
          const char *says = gtk_label_get_text (GTK_LABEL (self->banner_text));
          if (!g_str_has_prefix (says, rows[i].begins))
            g_error ("it says “%s”, not “%s”", says, rows[i].begins);
          for (guint b = 0; b < 2; b++)
            {
              assert_button (self->banner_buttons[b], rows[i].words[b], rows[i].actions[b]);
              assert_described (self->banner_buttons[b], self->banner_text);
            }
        }
      g_assert_cmpint (self->offered, ==, i == KEPT);
      g_assert_cmpint (self->run_over, ==, i == OVER);
      ls_window_set_projector (self, TRUE);
      g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (self->banner)));
      window_gone (self);
    }
}

/* What a press does, in words and as a sign; before there is a plan. */
static void
test_heads (void)
{
  LsWindow *self = window_of (0);
  GtkAccessible *play = GTK_ACCESSIBLE (self->play);

  window_set_width (self, 1700);
  ls_session_emit_state (self->session);
  g_assert_cmpstr (adw_window_title_get_title (ADW_WINDOW_TITLE (self->title)), ==, "Lockstep");
  g_assert_cmpstr (adw_window_title_get_subtitle (ADW_WINDOW_TITLE (self->title)), ==, "getting ready");
  for (guint i = 0; i < 4; i++)
    {
      const gboolean playing = i % 2 == 0;
      const char *words = playing ? "Pause" : "Play";

      ls_session_set_playing (self->session, playing);
      g_assert_cmpstr (gtk_button_get_icon_name (GTK_BUTTON (self->play)), ==,
                       playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
      g_assert_cmpstr (gtk_widget_get_tooltip_text (self->play), ==, words);
      g_autofree char *wrong = gtk_test_accessible_check_property (play, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                                                   words);
      g_assert_null (wrong);
    }
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/room/widths", test_widths);
  g_test_add_func ("/window/room/classes", test_classes);
  g_test_add_func ("/window/room/sidebar", test_sidebar);
  g_test_add_func ("/window/room/projector", test_projector);
  g_test_add_func ("/window/room/two", test_two);
  g_test_add_func ("/window/room/questions", test_questions);
  g_test_add_func ("/window/room/banner", test_banner);
  g_test_add_func ("/window/room/heads", test_heads);
  return g_test_run ();
}
