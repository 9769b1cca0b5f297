/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each key and each action of the window changes, and that it changes nothing else.
 */
#include "window_rig.h"

#include <string.h>

#include "ui/paint/views.h"

typedef struct {
  const char *action; /* or a key: */
  guint key;
  GdkModifierType state;
  const char *changes; /* against before */
} Row;

static void
try_rows (LsWindow *self, const Row *rows, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const Row *row = &rows[i];
      g_autofree char *before = window_words (self), *changes = NULL;
      g_autofree char *name = row->action != NULL ? g_strdup (row->action)
                                                  : gtk_accelerator_name (row->key, row->state);

      if (row->action != NULL)
        {
          if (!gtk_widget_activate_action (GTK_WIDGET (self), row->action, NULL))
            g_error ("there is no action “%s”", row->action);
        }
      else if (!window_press (self, row->key, row->state))
        g_error ("the key “%s” isn't taken", name);
      changes = window_changes (self, before);
      if (strcmp (changes, row->changes) != 0)
        g_error ("row %" G_GSIZE_FORMAT ", “%s”: “%s” instead of “%s”; it was %s", i, name, changes,
                 row->changes, before);
    }
}

#define KEY(key, state, changes)                                                                             \
  {                                                                                                          \
    NULL, GDK_KEY_##key, state, changes                                                                      \
  }
#define ACTION(name, changes)                                                                                \
  {                                                                                                          \
    "win." name, 0, 0, changes                                                                               \
  }

/* Back and forth by step and by op, at another pace; each pauses but those of the dial and of the pace. */
static void
test_time (void)
{
  static const Row rows[] = {
    KEY (Left, 0, "time end > beginning; op 14 > 0"),
    KEY (Left, 0, "step 400 > 300; time beginning > end; op 0 > 14"),
    KEY (KP_Left, 0, "time end > beginning; op 14 > 0"),
    KEY (Right, 0, "time beginning > end; op 0 > 14"),
    KEY (KP_Right, 0, "step 300 > 400"),
    ACTION ("step-back", "time end > beginning; op 14 > 0"),
    ACTION ("step", "time beginning > end; op 0 > 14"),
    ACTION ("step", "asked no > yes"),
    ACTION ("step-back", "time end > beginning; op 14 > 0"),
    /* by op: to the end of this one, then of the next */
    KEY (Down, 0, "time beginning > between; op 0 > 1"),
    KEY (Down, 0, "op 1 > 2"),
    KEY (Up, 0, "op 2 > 1"),
    KEY (KP_Down, 0, "op 1 > 2"),
    KEY (KP_Up, 0, "op 2 > 1"),
    KEY (Down, GDK_SHIFT_MASK, "op 1 > 2"),
    /* seven follow that take under 1 % of the step */
    KEY (Down, 0, "op 2 > 10"),
    KEY (Up, 0, "op 10 > 2"),
    KEY (Down, GDK_SHIFT_MASK, "op 2 > 3"),
    KEY (Up, GDK_SHIFT_MASK, "op 3 > 2"),
    ACTION ("next-op", "op 2 > 10"),
    ACTION ("previous-op", "op 10 > 2"),
    ACTION ("next-short-op", "op 2 > 3"),
    ACTION ("next-short-op", "op 3 > 4"),
    ACTION ("previous-short-op", "op 4 > 3"),
    KEY (space, 0, "plays no > yes"),
    ACTION ("play", "plays yes > no"),
    ACTION ("play", "plays no > yes"),
    KEY (plus, 0, "dial 13 > 14"),
    KEY (KP_Add, 0, "dial 14 > 15"),
    KEY (underscore, 0, "dial 15 > 14"),
    KEY (KP_Subtract, 0, "dial 14 > 13"),
    ACTION ("slower", "dial 13 > 12"),
    ACTION ("faster", "dial 12 > 13"),
    KEY (f, 0, "pace watch > full"),
    KEY (F, 0, ""),
    KEY (Left, 0, "plays yes > no; time between > beginning; op 3 > 0"),
  };
  LsWindow *self = window_of (4);

  try_rows (self, rows, G_N_ELEMENTS (rows));
  window_gone (self);
}

/* F held is full speed; let go of, with another letter or over another window, it is the pace of before. */
static void
test_held (void)
{
  LsWindow *self = window_of (1);
  static const struct {
    guint pressed, released;
    gboolean ends;
  } rows[] = { { GDK_KEY_f, GDK_KEY_f, TRUE },
               { GDK_KEY_f, GDK_KEY_F, TRUE },
               { GDK_KEY_F, GDK_KEY_f, TRUE },
               { GDK_KEY_f, GDK_KEY_g, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (window_press (self, rows[i].pressed, 0));
      g_assert_cmpint (ls_session_pace (self->session), ==, LS_PACE_FULL);
      window_release (self, rows[i].released);
      g_assert_cmpint (ls_session_pace (self->session), ==, rows[i].ends ? LS_PACE_WATCH : LS_PACE_FULL);
    }
  g_object_notify (G_OBJECT (self), "is-active");
  g_assert_cmpint (ls_session_pace (self->session), ==, LS_PACE_WATCH);
  window_gone (self);
}

/* Each view by its key and by its number, and the sidebar marks it. */
static void
test_views (void)
{
  LsWindow *self = window_of (1);
  GtkListBox *list = GTK_LIST_BOX (rig_find_kind (self->sidebar, GTK_TYPE_LIST_BOX));
  static const struct {
    guint key;
    const char *view;
  } rows[] = { { GDK_KEY_2, "partition" }, { GDK_KEY_1, "race" },        { GDK_KEY_3, "tiles" },
               { GDK_KEY_4, "timeline" },  { GDK_KEY_5, "network" },     { GDK_KEY_6, "curves" },
               { GDK_KEY_7, "roofline" },  { GDK_KEY_8, "scaling" },     { GDK_KEY_9, "crossover" },
               { GDK_KEY_0, "machines" },  { GDK_KEY_minus, "planner" }, { GDK_KEY_equal, "claims" } };
  guint n;
  const LsView *const *views = ls_views (&n);

  g_assert_cmpuint (n, >=, G_N_ELEMENTS (rows));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (window_press (self, rows[i].key, 0));
      g_assert_cmpstr (ls_canvas_view (LS_CANVAS (self->canvas))->name, ==, rows[i].view);
      const int row = gtk_list_box_row_get_index (gtk_list_box_get_selected_row (list));
      g_assert_cmpstr (views[row]->name, ==, rows[i].view);
    }
  for (guint i = 0; i < n; i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.view", "i", (gint32) i + 1);
      g_assert_true (ls_canvas_view (LS_CANVAS (self->canvas)) == views[i]);
      gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, (int) ((i + 5) % n)));
      g_assert_true (ls_canvas_view (LS_CANVAS (self->canvas)) == views[(i + 5) % n]);
    }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.view", "i", (gint32) n + 1); /* there is none */
  g_assert_true (ls_canvas_view (LS_CANVAS (self->canvas)) == views[(n + 4) % n]);
  window_gone (self);
}

/* What is opened and put away; Escape puts away one after the other, the innermost first. */
static void
test_panes (void)
{
  static const Row rows[] = {
    KEY (t, 0, "seconds no > yes"),
    ACTION ("seconds", "seconds yes > no"),
    KEY (b, 0, "two yes > no"),
    ACTION ("two", "two no > yes"),
    ACTION ("sidebar", "views yes > no"),
    ACTION ("sidebar", "views no > yes"),
    ACTION ("settings", "settings no > yes"),
    ACTION ("let-go", "settings yes > no"),
    ACTION ("settings", "settings no > yes"),
    ACTION ("settings", "settings yes > no"),
    ACTION ("settings", "settings no > yes"),
    KEY (p, 0, "projector no > yes; views yes > no; settings yes > no"),
    KEY (P, 0, "projector yes > no; views no > yes"),
    ACTION ("projector", "projector no > yes; views yes > no"),
    KEY (Return, 0, "time end > between; op 14 > 0; picked no > yes"),
    KEY (Right, 0, ""), /* to the next mark, not to the next step */
    KEY (Escape, 0, "picked yes > no"),
    KEY (Escape, 0, "projector yes > no; views no > yes"),
    KEY (Escape, 0, ""),
    ACTION ("settings", "settings no > yes"),
    ACTION ("projector", "projector no > yes; views yes > no; settings yes > no"),
    ACTION ("settings", "projector yes > no; views no > yes; settings no > yes"),
    KEY (Escape, 0, "settings yes > no"),
    KEY (KP_Enter, 0, "picked no > yes"),
    KEY (Escape, 0, "picked yes > no"),
    KEY (u, 0, "popover fair"),
  },
  last[] = { KEY (e, 0, "popover evidence") };
  LsWindow *self = window_of (2);

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  rig_settle ();
  try_rows (self, rows, G_N_ELEMENTS (rows));
  window_close_popover (self);
  try_rows (self, last, G_N_ELEMENTS (last));
  window_close_popover (self);
  window_gone (self);
}

/* With Ctrl, Alt or Super they are the application's. */
static void
test_not_ours (void)
{
  static const GdkModifierType held[] = { GDK_CONTROL_MASK, GDK_ALT_MASK, GDK_SUPER_MASK, GDK_META_MASK };
  static const guint keys[] = { GDK_KEY_space, GDK_KEY_p, GDK_KEY_f,     GDK_KEY_u,
                                GDK_KEY_b,     GDK_KEY_1, GDK_KEY_Return };
  LsWindow *self = window_of (1);

  for (gsize i = 0; i < G_N_ELEMENTS (held); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (keys); k++)
      {
        g_autofree char *before = window_words (self), *changes = NULL,
                        *name = gtk_accelerator_name (keys[k], held[i]);
        const gboolean taken = window_press (self, keys[k], held[i]);

        changes = window_changes (self, before);
        if (taken || *changes != '\0')
          g_error ("“%s” is taken: “%s”", name, changes);
      }
  g_assert_false (window_press (self, GDK_KEY_q, 0));
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/keys/time", test_time);
  g_test_add_func ("/window/keys/held", test_held);
  g_test_add_func ("/window/keys/views", test_views);
  g_test_add_func ("/window/keys/panes", test_panes);
  g_test_add_func ("/window/keys/not-ours", test_not_ours);
  return g_test_run ();
}
