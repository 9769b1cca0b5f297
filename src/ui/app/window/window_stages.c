/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One view, or where the window is as wide as a 4K screen two side by side: both ask the same question, so
 * that what is pointed at or picked in one is marked in the other. The left one's clock is the session's; the
 * right one follows it on its own. Number keys, arrows and menus are for the one that was used last.
 */
#include "config.h"
#include "ui/app/window/window_private.h"
#include "ui/paint/views.h"

#define VIEW_MAX_PX  2000 /* wider than this, a picture of two lanes falls apart */
#define UNLIMITED_PX 32767

LsCanvas *
ls_window_canvas (LsWindow *self, guint stage)
{
  return self->stages[stage].canvas != NULL ? LS_CANVAS (self->stages[stage].canvas) : NULL;
}

static gboolean
two_shown (LsWindow *self)
{
  return self->stages[1].clamp != NULL && gtk_widget_get_visible (self->stages[1].clamp);
}

/* Keys and menus are for that one from now on. */
static void
use_stage (LsWindow *self, guint stage)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  self->canvas = self->stages[stage].canvas;
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    if (self->stages[i].canvas != NULL && two_shown (self) && i == stage)
      gtk_widget_add_css_class (self->stages[i].clamp, "used");
    else if (self->stages[i].canvas != NULL)
      gtk_widget_remove_css_class (self->stages[i].clamp, "used");
  for (guint i = 0; i < n; i++)
    if (views[i] == ls_canvas_view (LS_CANVAS (self->canvas)))
      ls_sidebar_set_view (LS_SIDEBAR (self->sidebar), i);
}

static void
focus_cb (LsWindow *self, GtkEventController *focus)
{
  const guint stage = gtk_event_controller_get_widget (focus) == self->stages[1].clamp;

  if (self->stages[stage].canvas != self->canvas)
    use_stage (self, stage);
}

static void
pick_cb (LsWindow *self, LsCanvas *from)
{
  if (!two_shown (self))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    if (ls_window_canvas (self, i) != from)
      ls_canvas_follow (ls_window_canvas (self, i), from);
}

static void
op_cb (LsWindow *self, guint op)
{
  ls_session_seek_op (self->session, op);
}

static void
evidence_cb (LsWindow *self, const LsEvidenceHit *hit, GtkWidget *canvas)
{
  self->canvas = canvas;
  ls_window_show_evidence (self, hit);
}

static void
make_stage (LsWindow *self, guint i)
{
  LsStage *stage = &self->stages[i];
  GtkEventController *focus = gtk_event_controller_focus_new ();

  stage->canvas = ls_canvas_new (self->session, i > 0 ? ls_window_canvas (self, 0) : NULL);
  stage->clamp = adw_clamp_new ();
  adw_clamp_set_child (ADW_CLAMP (stage->clamp), stage->canvas);
  adw_clamp_set_maximum_size (ADW_CLAMP (stage->clamp), i == 1 ? VIEW_MAX_PX : UNLIMITED_PX);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (stage->clamp), i == 1 ? VIEW_MAX_PX : UNLIMITED_PX);
  gtk_widget_set_hexpand (stage->clamp, TRUE);
  gtk_box_append (GTK_BOX (self->pair), stage->clamp);
  ls_window_add_lanes (self, stage);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (stage->clamp, focus);
  g_signal_connect_swapped (stage->canvas, "pick", G_CALLBACK (pick_cb), self);
  g_signal_connect_swapped (stage->canvas, "chosen", G_CALLBACK (ls_window_update_switches), self);
  g_signal_connect_swapped (stage->canvas, "op", G_CALLBACK (op_cb), self);
  g_signal_connect_swapped (stage->canvas, "evidence", G_CALLBACK (evidence_cb), self);
}

void
ls_window_make_stages (LsWindow *self, GtkWidget *column)
{
  self->pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_direction (self->pair, GTK_TEXT_DIR_LTR); /* as the lanes in each */
  gtk_box_append (GTK_BOX (column), self->pair);
  make_stage (self, 0);
  self->canvas = self->stages[0].canvas;
}

/* The view that was on the right last; at first, or where that is on the left, the first other one. */
static void
choose_second (LsWindow *self)
{
  g_autofree char *name = self->store != NULL ? g_settings_get_string (self->store, "second-view") : NULL;
  guint n;
  const LsView *const *views = ls_views (&n);
  const LsView *left = ls_canvas_view (ls_window_canvas (self, 0)),
               *view = name != NULL ? ls_view_find (name) : NULL;

  for (guint i = 0; i < n && (view == NULL || view == left); i++)
    view = views[i];
  ls_canvas_set_view (ls_window_canvas (self, 1), view);
}

void
ls_window_keep_apart (LsWindow *self, const LsView *view)
{
  for (guint i = 0; two_shown (self) && i < G_N_ELEMENTS (self->stages); i++)
    if (self->stages[i].canvas != self->canvas && ls_canvas_view (ls_window_canvas (self, i)) == view)
      ls_canvas_set_view (ls_window_canvas (self, i), ls_canvas_view (LS_CANVAS (self->canvas)));
}

static void
set_limit (LsStage *stage, int px)
{
  adw_clamp_set_maximum_size (ADW_CLAMP (stage->clamp), px);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (stage->clamp), px);
}

void
ls_window_show_stages (LsWindow *self)
{
  const gboolean room = self->width >= LS_WINDOW_TWO && !self->projector, two = room && self->two_wanted;

  gtk_widget_set_visible (self->two, room);
  if (two == two_shown (self))
    return;
  if (two && self->stages[1].canvas == NULL)
    {
      self->rule = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
      gtk_box_append (GTK_BOX (self->pair), self->rule);
      make_stage (self, 1);
      choose_second (self);
      ls_window_update_lanes (self);
    }
  if (!two && self->canvas == self->stages[1].canvas)
    gtk_widget_grab_focus (self->stages[0].canvas);
  gtk_widget_set_visible (self->rule, two);
  gtk_widget_set_visible (self->stages[1].clamp, two);
  set_limit (&self->stages[0], two ? VIEW_MAX_PX : UNLIMITED_PX);
  ls_canvas_set_strip (ls_window_canvas (self, 0), two ? LS_STRIP_LEFT : LS_STRIP_ALONE);
  if (two)
    ls_canvas_set_strip (ls_window_canvas (self, 1), LS_STRIP_RIGHT);
  use_stage (self, two && self->canvas == self->stages[1].canvas);
  if (two)
    ls_canvas_follow (ls_window_canvas (self, 1), ls_window_canvas (self, 0));
  ls_window_event (self, "views %s", two ? ls_canvas_view (ls_window_canvas (self, 1))->name : "one");
}

void
ls_window_set_two (LsWindow *self, gboolean two)
{
  self->two_wanted = two;
  ls_window_apply_width (self);
  ls_window_save_state (self);
}
