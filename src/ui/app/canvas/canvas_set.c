/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window sets of a canvas and asks of it: the view and how it is looked at, a layout for a file, how
 * long frames took.
 */
#include "ui/app/canvas/canvas_private.h"
#include "ui/paint/views.h"

static gpointer
state_of (LsCanvas *self, const LsView *view)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    if (views[i] == view)
      return g_ptr_array_index (self->shared->states, i);
  g_return_val_if_reached (NULL);
}

gconstpointer
ls_canvas_state (LsCanvas *self, const LsView *view)
{
  return state_of (self, view);
}

void
ls_canvas_take_view (LsCanvas *self, const LsView *view)
{
  self->view = view;
  self->query.state = state_of (self, view);
}

void
ls_canvas_switch (LsCanvas *self, const LsViewSwitch *row, guint i)
{
  row->set (&self->query, i);
  if (ls_session_data (self->session) != NULL)
    ls_canvas_set_clock (self);
  ls_canvas_tell_wish (self, FALSE);
  ls_canvas_relayout (self);
}

void
ls_canvas_set_view (LsCanvas *self, const LsView *view)
{
  if (self->view == view)
    return;
  ls_canvas_take_view (self, view);
  self->query.hover = LS_PICK_NONE;
  ls_canvas_set_clock (self);
  ls_canvas_tell_wish (self, TRUE);
  ls_canvas_relayout (self);
  ls_canvas_queue_describe (self, TRUE);
}

const LsView *
ls_canvas_view (LsCanvas *self)
{
  return self->view;
}

void
ls_canvas_set_evidence (LsCanvas *self, gint evidence)
{
  self->query.evidence = evidence;
  ls_canvas_relayout (self);
}

void
ls_canvas_set_projector (LsCanvas *self, gboolean projector)
{
  self->projector = projector;
  ls_canvas_restyle (self);
}

void
ls_canvas_set_key (LsCanvas *self, gboolean key)
{
  if (self->query.key == key)
    return;
  self->query.key = key;
  ls_canvas_relayout (self);
}

void
ls_canvas_set_seconds (LsCanvas *self, gboolean seconds)
{
  self->query.curves.seconds = seconds;
  ls_canvas_relayout (self);
}

LsLayout *
ls_canvas_export_layout (LsCanvas *self, double width, double height, LsLook look)
{
  LsViewData *data = ls_session_data (self->session);
  LsQuery query = self->query;
  LsStyle style;

  if (data == NULL)
    return NULL;
  query.chrome = query.key = TRUE;
  query.pen.strokes = NULL;
  query.hover = LS_PICK_NONE;
  query.dial_ns = ls_session_playhead (self->session)->dial_ns;
  ls_style_init (&style, look, 1);
  return ls_layout_new (self->view, data, &query, width, height, &style, self->fonts);
}

void
ls_canvas_set_plot (LsCanvas *self, LsCurveKind plot)
{
  self->query.curves.kind = plot;
  ls_canvas_relayout (self);
}

gboolean
ls_canvas_seconds (LsCanvas *self)
{
  return self->query.curves.seconds;
}

void
ls_canvas_add_frame (LsCanvas *self, gint64 us)
{
  ls_frame_meter_add (&self->meter, us);
}

gboolean
ls_canvas_frame_times (LsCanvas *self, double *p50_ms, double *p95_ms, double *fps, guint *n)
{
  return ls_frame_meter_take (&self->meter, p50_ms, p95_ms, fps, n);
}
