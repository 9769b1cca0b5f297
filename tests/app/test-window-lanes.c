/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands on the window's stage besides the picture: a lane's switches and what they switch, buttons of a
 * lane that has stopped, the fair fight, and the popover that says how a number was made.
 */
#include "config.h"
#include "window_rig.h"

#include <string.h>

#include "ui/app/canvas/canvas_private.h"
#include "ui/app/dialogs/fair_panel.h"
#include "ui/app/widgets/lane_controls.h"
#include "ui/paint/views.h"

/* A run anew with those lanes, of which both sides have one; all else as at first. */
static void
set_lanes (LsWindow *self, const char *lanes)
{
  LsSession *session = self->session;
  LsSnapshot *s = running ();

  ls_options_free (session->options);
  session->options = ls_options_new ();
  ls_options_set (session->options, ls_options_find ("lanes"), lanes, NULL);
  g_clear_pointer (&session->specs, g_ptr_array_unref);
  g_clear_pointer (&session->snapshot, ls_snapshot_unref);
  session->mode = LS_SESSION_LIVE;
  const GPtrArray *specs = ls_session_specs (session);
  for (guint i = 0; i < 2; i++)
    {
      ls_lane_spec_unref (s->lanes[i].spec);
      s->lanes[i].spec = ls_lane_spec_ref (specs->pdata[i]);
    }
  window_take (self, s);
  ls_session_rebuild (session);
  for (guint side = 0; side < 2; side++)
    g_assert_cmpstr (ls_session_data (session)->sides[side].id, ==, ((LsLaneSpec *) specs->pdata[side])->id);
}

static char *
option_of (LsWindow *self, const char *name)
{
  return ls_options_get (ls_session_options (self->session), ls_options_find (name));
}

static const char *
chosen_of (GtkWidget *drop)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (drop));

  return item != NULL ? gtk_string_object_get_string (item) : "";
}

/* A lane that is the only one of its kind is switched by the run's setting; one that has a value of its own,
 * or stands beside another of its kind, alone. */
static void
test_switch (void)
{
  static const struct {
    const char *lanes;
    guint side;
    const char *option, *text;
    const char *all, *after; /* the run's value, and its lanes, afterwards */
  } rows[] = {
    { "cpu,opencl", 0, "policy", "static", "static", "cpu,opencl" },
    { "cpu,opencl", 0, "threads", "3", "3", "cpu,opencl" },
    { "cpu,opencl", 1, "kernel", "tiled", "tiled", "cpu,opencl" },
    { "cpu(threads=2),opencl", 0, "threads", "3", "0", "cpu(threads=3),opencl" },
    { "cpu(threads=2),opencl", 0, "policy", "dynamic", "dynamic", "cpu(threads=2),opencl" },
    { "cpu,cpu(threads=1)", 0, "policy", "static", "steal", "cpu(policy=static),cpu(threads=1)" },
    { "cpu,cpu(threads=1)", 1, "policy", "static", "steal", "cpu,cpu(threads=1,policy=static)" },
    { "cpu,cpu(threads=1)", 1, "threads", "2", "0", "cpu,cpu(threads=2)" },
    /* of a batch there is one for all */
    { "cpu,cpu(threads=1)", 0, "check-every", "7", "7", "cpu,cpu(threads=1)" },
  };

  LsWindow *self = window_of (0);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      set_lanes (self, rows[i].lanes);
      ls_window_switch_lane (self, rows[i].side, ls_options_find (rows[i].option), rows[i].text);
      g_autofree char *all = option_of (self, rows[i].option), *after = option_of (self, "lanes");
      if (strcmp (all, rows[i].all) != 0 || strcmp (after, rows[i].after) != 0)
        g_error ("of “%s”, %s on side %u: the run has “%s”, not “%s”; its lanes are “%s”, not “%s”",
                 rows[i].lanes, rows[i].option, rows[i].side, all, rows[i].all, after, rows[i].after);
    }
  window_gone (self);
}

/* What is chosen there is that lane's setting, and so is what was there before. */
static void
assert_switched (LsWindow *self, GtkWidget *drop, const LsOption *option)
{
  const guint before = gtk_drop_down_get_selected (GTK_DROP_DOWN (drop)), chosen[] = { before == 0, before };

  for (gsize i = 0; i < G_N_ELEMENTS (chosen); i++)
    {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), chosen[i]);
      g_autofree char *words = g_strdup_printf ("%s=%s", option->name, option->choices[chosen[i]]),
                      *lanes = option_of (self, "lanes");
      if (strstr (lanes, words) == NULL)
        g_error ("“%s” was chosen, and the lanes are “%s”", words, lanes);
    }
}

/* On each side are the switches of the lane that stands there, as that lane has them; a recording's can't be
 * switched. */
static void
test_controls (void)
{
  LsWindow *self = window_of (0);
  LsSession *session = self->session;
  LsStage *stage = &self->stages[0];

  set_lanes (self, "cpu(policy=dynamic,threads=1),opencl(kernel=tiled)");
  for (guint turned = 0; turned < 2; turned++)
    {
      const char *const ids[] = { ls_session_data (session)->sides[0].id,
                                  ls_session_data (session)->sides[1].id };

      for (guint side = 0; side < 2; side++)
        {
          const guint kind = turned ? 1 - side : side;
          GtkWidget *shown = stage->controls[side][kind], *drop = rig_find_kind (shown, GTK_TYPE_DROP_DOWN);

          g_assert_true (gtk_widget_get_visible (shown));
          g_assert_false (gtk_widget_get_visible (stage->controls[side][1 - kind]));
          g_assert_true (gtk_widget_get_sensitive (shown));
          g_assert_cmpstr (chosen_of (drop), ==, kind == 0 ? "dynamic" : "tiled");
          assert_switched (self, drop, ls_options_find (kind == 0 ? "policy" : "kernel"));
        }
      /* they change places */
      g_signal_emit_by_name (stage->choices[0], "chosen", 0, ids[1]);
      g_assert_cmpstr (ls_session_data (session)->sides[0].id, ==, ids[1]);
      g_assert_cmpstr (ls_session_data (session)->sides[1].id, ==, ids[0]);
    }
  session->mode = LS_SESSION_PLAYBACK;
  ls_window_update_lanes (self);
  for (guint i = 0; i < 4; i++)
    g_assert_false (gtk_widget_get_sensitive (stage->controls[i / 2][i % 2]));
  window_gone (self);
}

/* Only a lane that has stopped has buttons: one that ran says from which step on, and has a log; one that
 * never did may lack its driver. */
static void
test_buttons (void)
{
  static const LsLaneState states[] = { LS_LANE_READY, LS_LANE_FAILED, LS_LANE_BUILDING, LS_LANE_HUNG,
                                        LS_LANE_OPENING };
  LsWindow *self = window_of (1);

  for (guint i = 0; i < 20; i++)
    {
      const guint lane = i % 2, ran = i / 2 % 2, state = i / 4;
      const gboolean stopped = state % 2 == 1;
      LsSnapshot *s = again (ls_session_snapshot (self->session));
      const LsLaneButtons *buttons = &self->stages[0].buttons[lane];

      for (guint k = 0; k < 2; k++)
        {
          s->lanes[k].state = k == lane ? states[state] : LS_LANE_READY;
          s->lanes[k].steps = k == lane && !ran ? 0 : 60;
          s->lanes[k].retry_step = k == lane && ran ? 41 : 0;
          g_free (s->lanes[k].message);
          s->lanes[k].message = g_strdup ("It is gone.\nSo is its device.");
        }
      window_take (self, s);
      ls_session_rebuild (self->session);
      g_assert_cmpint (gtk_widget_get_visible (buttons->box), ==, stopped);
      g_assert_false (gtk_widget_get_visible (self->stages[0].buttons[1 - lane].box));
      if (!stopped)
        continue;
      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (buttons->retry)), ==,
                       ran ? "_Retry from step 42" : "_Retry");
      g_assert_cmpstr (gtk_actionable_get_action_name (GTK_ACTIONABLE (buttons->retry)), ==, "win.retry");
      g_assert_cmpint (gtk_widget_get_visible (buttons->log), ==, ran);
      g_assert_cmpint (gtk_widget_get_visible (buttons->help), ==, !ran && lane == 1);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (buttons->words)), ==, "It is gone.\nSo is its device.");
      g_assert_true (gtk_label_get_selectable (GTK_LABEL (buttons->words))); /* for whoever reports it */
    }
  window_gone (self);
}

/* The curve that is chosen where there is room for one is the one that is drawn, under its own name. */
static void
test_curve (void)
{
  static const char *const words[LS_CURVE_N] = { [LS_CURVE_LOSS] = "Loss",
                                                 [LS_CURVE_RATE] = "Throughput",
                                                 [LS_CURVE_DELTA] = "losses differ by",
                                                 [LS_CURVE_ACCURACY] = "Test accuracy" };
  LsWindow *self = window_of (1);
  LsCanvas *canvas = LS_CANVAS (self->stages[0].canvas);
  GtkWidget *drop = NULL;

  for (guint i = 0; i < canvas->placed->len; i++)
    if (PLACED (canvas, i)->kind == LS_SLOT_PLOTS)
      drop = PLACED (canvas, i)->widget;
  if (drop == NULL)
    g_error ("the curves have no switch");
  GListModel *list = gtk_drop_down_get_model (GTK_DROP_DOWN (drop));
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, LS_CURVE_N);
  for (guint i = 0; i < 2 * LS_CURVE_N; i++)
    {
      const guint kind = (i + 1) % LS_CURVE_N;
      g_autofree char *name = g_strdup_printf ("Curve: %s", words[kind]);

      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), kind);
      g_assert_cmpstr (gtk_string_list_get_string (GTK_STRING_LIST (list), kind), ==, words[kind]);
      g_assert_cmpint (canvas->query.curves.kind, ==, kind);
      rig_assert_says (drop, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
    }
  window_gone (self);
}

/* ---- the fair fight ---- */

static void
assert_options (LsWindow *self, const char *threads, const char *kernels, const char *kernel)
{
  g_autofree char *is = option_of (self, "threads"), *computes = option_of (self, "cpu-kernels"),
                  *rung = option_of (self, "kernel");

  g_assert_cmpstr (is, ==, threads);
  g_assert_cmpstr (computes, ==, kernels);
  g_assert_cmpstr (rung, ==, kernel);
}

/* The lanes run with the options that the session has now. */
static void
follow (LsWindow *self)
{
  LsSnapshot *s = again (ls_session_snapshot (self->session));

  for (guint i = 0; i < 2; i++)
    {
      ls_lane_spec_unref (s->lanes[i].spec);
      s->lanes[i].spec = ls_lane_spec_ref (ls_session_specs (self->session)->pdata[i]);
    }
  window_take (self, s);
  ls_session_rebuild (self->session);
}

/* Unfair on purpose is one thread and naive loops against the packed kernel; fair again is as it was. Twice
 * unfair doesn't make that the way it was. */
static void
test_fight (void)
{
  static const char *const before[][2]
    = { { "threads", "3" }, { "cpu-kernels", "vector" }, { "kernel", "tiled" } };
  LsWindow *self = window_of (0);

  set_lanes (self, "cpu,opencl");
  for (guint i = 0; i < 3; i++)
    ls_window_set_option (self, before[i][0], before[i][1]);
  follow (self);
  assert_options (self, "3", "vector", "tiled");
  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  g_assert_true (window_press (self, GDK_KEY_u, 0));
  GtkWidget *panel = rig_find_kind (window_popover (self), LS_TYPE_FAIR_PANEL);
  g_signal_emit_by_name (panel, "fight", FALSE);
  assert_options (self, "1", "naive", "packed");
  follow (self);
  g_signal_emit_by_name (panel, "fight", FALSE);
  follow (self);
  g_signal_emit_by_name (panel, "fight", TRUE);
  assert_options (self, "3", "vector", "tiled");
  /* what somebody has chosen since isn't what it was before the fight any more */
  for (guint again = 0; again < 2; again++)
    {
      g_signal_emit_by_name (panel, "fight", FALSE);
      ls_window_set_option (self, "threads", again ? "4" : "2");
      if (again)
        g_signal_emit_by_name (panel, "fight", FALSE);
      follow (self);
      g_signal_emit_by_name (panel, "fight", TRUE);
      assert_options (self, again ? "4" : "2", "vector", "tiled");
    }
  /* one line alone, of the lane on that side */
  g_signal_emit_by_name (panel, "switch", 1, "kernel", "naive");
  assert_options (self, "4", "vector", "naive");
  window_close_popover (self);
  window_gone (self);
}

/* ---- how a number was made ---- */

/* Every number of both sides: title, the kind of evidence in its word, each fact beside its name, and how
 * many samples there are. */
static void
test_evidence (void)
{
  static const char *const words[] = { "measured", "derived", "modelled", "published" };
  LsWindow *self = window_of (3);
  guint told = 0;

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  for (gint side = 0; side < 2; side++)
    for (LsNumber number = LS_NUMBER_RATE; number < LS_NUMBER_N; number++)
      {
        const LsEvidenceHit hit = { .side = side, .number = number, .x = 100, .y = 100, .w = 13, .h = 13 };
        g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (ls_session_data (self->session), side, number);
        g_autofree char *samples = g_strdup_printf (
          facts->samples->len == 1 ? "%u sample as a dot" : "%u samples", facts->samples->len);
        guint at = 2;

        if (number == LS_NUMBER_OP) /* of an op, whose steps are the history's */
          continue;
        ls_window_show_evidence (self, &hit);
        GtkWidget *popover = window_popover (self), *grid = rig_find_kind (popover, GTK_TYPE_GRID);
        g_assert_cmpstr (rig_label (popover, 0), ==, facts->title);
        g_assert_cmpstr (rig_label (popover, 1), ==, words[facts->evidence]);
        for (guint i = 0; i + 1 < facts->facts->len; i += 2, at += 2, told++)
          for (guint column = 0; column < 2; column++)
            {
              GtkWidget *label = gtk_grid_get_child_at (GTK_GRID (grid), (int) column, (int) i);
              g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, facts->facts->pdata[i + column]);
            }
        g_assert_cmpint (rig_find_kind (popover, GTK_TYPE_DRAWING_AREA) != NULL, ==, facts->samples->len > 1);
        if (facts->samples->len > 1)
          g_assert_true (g_str_has_prefix (rig_label (popover, at), samples));
        window_close_popover (self);
      }
  g_assert_cmpuint (told, >, 20);
  /* an op's time, over all steps of the run that are still there */
  LsRecording *steps[3];
  for (guint i = 0; i < 3; i++)
    steps[i] = ls_history_get (ls_session_history (self->session), i);
  const LsEvidenceHit op
    = { .side = 0, .number = LS_NUMBER_OP, .op = 2, .x = 100, .y = 100, .w = 13, .h = 13 };
  g_autoptr (LsEvidenceFacts) facts = ls_evidence_op_facts (ls_session_data (self->session), 0, 2, steps, 3);
  ls_window_show_evidence (self, &op);
  GtkWidget *grid = rig_find_kind (window_popover (self), GTK_TYPE_GRID);
  g_assert_cmpstr (rig_label (window_popover (self), 0), ==, facts->title);
  for (guint i = 0; i + 1 < facts->facts->len; i += 2)
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 1, (int) i))), ==,
                     facts->facts->pdata[i + 1]);
  window_close_popover (self);
  window_gone (self);
}

/* ---- the views' own switches ---- */

/* A setting of the run that belongs to a view: each value that can be chosen while the lanes go on is the
 * run's then; one from elsewhere is shown, and joins the list where it isn't among the usual ones. */
static void
test_switches (void)
{
  LsWindow *self = window_of (1);
  guint n, tried = 0, shown = 0;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    for (const LsViewSwitch *row = views[i]->switches; row != NULL && row->title != NULL; row++)
      {
        const LsOption *option = row->option != NULL ? ls_options_find (row->option) : NULL;
        GtkWidget *drop = NULL;

        if (option == NULL || option->effect != LS_OPTION_LIVE)
          continue;
        const char *const *values = row->values != NULL ? row->values : option->choices;
        const guint n_values = g_strv_length ((char **) values);
        for (guint k = 0; drop == NULL; k++)
          {
            GtkWidget *one = rig_find_nth (self->canvas, GTK_TYPE_DROP_DOWN, k);
            g_autofree char *name = g_strdup_printf ("%s: %s", row->title, chosen_of (one)),
                            *other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (one),
                                                                         GTK_ACCESSIBLE_PROPERTY_LABEL, name);
            drop = other == NULL ? one : NULL;
          }
        /* a question is a label of its own, which may be cut */
        g_assert_cmpstr (gtk_widget_get_tooltip_text (drop), ==, row->asks ? row->title : NULL);
        for (guint k = 0; values[k] != NULL; k++, tried++)
          {
            gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), k);
            g_autofree char *is = option_of (self, row->option), *words = row->words (values[k]);
            if (strcmp (is, values[k]) != 0)
              g_error ("“%s”: with “%s” the run has “%s”", row->title, words, is);
            g_assert_cmpstr (chosen_of (drop), ==, words);
          }
        for (guint k = 0; values[k] != NULL; k++)
          {
            g_assert_true (ls_options_set (self->session->options, option, values[k], NULL));
            ls_window_update_switches (self);
            g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop)), ==, k);
          }
        for (guint playback = 0; playback < 2; playback++)
          {
            gconstpointer state = ls_canvas_state (LS_CANVAS (self->canvas), views[i]);
            self->session->mode = playback ? LS_SESSION_PLAYBACK : LS_SESSION_LIVE;
            ls_window_update_switches (self);
            if (gtk_widget_get_visible (drop)
                != (!playback && (row->shown == NULL || row->shown (state)))) /* it was made with its own */
              g_error ("“%s” is %s", row->title,
                       playback ? "shown over a recording" : "not as the view wants");
            shown += gtk_widget_get_visible (drop);
          }
        self->session->mode = LS_SESSION_LIVE;
        for (guint k = 0; option->type == LS_OPTION_INT && k < 2; k++)
          {
            g_autofree char *words = row->words (k == 0 ? "13" : "17");
            g_assert_true (ls_options_set (self->session->options, option, k == 0 ? "13" : "17", NULL));
            ls_window_update_switches (self);
            g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop)), ==, n_values);
            g_assert_cmpstr (chosen_of (drop), ==, words);
            g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (drop))), ==,
                              n_values + 1);
          }
      }
  g_assert_cmpuint (tried, >, 5);
  g_assert_cmpuint (shown, >, 0);
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/lanes/switch", test_switch);
  g_test_add_func ("/window/lanes/controls", test_controls);
  g_test_add_func ("/window/lanes/buttons", test_buttons);
  g_test_add_func ("/window/lanes/curve", test_curve);
  g_test_add_func ("/window/lanes/fight", test_fight);
  g_test_add_func ("/window/lanes/evidence", test_evidence);
  g_test_add_func ("/window/lanes/switches", test_switches);
  return g_test_run ();
}
