/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A canvas beside another one: the same question, the same moment on the clock of its own view.
 */
#include "ui/app/canvas/canvas_private.h"

void
ls_canvas_set_strip (LsCanvas *self, LsStripPart strip)
{
  if (self->query.curves.part == strip)
    return;
  self->query.curves.part = strip;
  ls_canvas_relayout (self);
}

void
ls_canvas_own_clock (LsCanvas *self, LsPlayhead *mine)
{
  const LsViewData *data = ls_session_data (self->session);
  const guint op = ls_playhead_op (mine);
  gint64 still_ns = G_MAXINT64;
  gint64 own_ns = -1;

  if (self->view->span != NULL && data != NULL && data->recording != NULL)
    {
      self->query.op = op;
      own_ns = self->view->span (data, &self->query, &still_ns);
    }
  if (own_ns >= 0)
    {
      if (mine->own && mine->own_ns == own_ns)
        return;
      /* no moment of the other clock is one of this: the view's own choice of one */
      ls_playhead_set_own (mine, own_ns);
      ls_playhead_seek (mine, still_ns);
    }
  else if (mine->own)
    {
      ls_playhead_set_own (mine, -1);
      ls_playhead_set_by_op (mine, TRUE);
      ls_playhead_seek_op (mine, op);
      ls_playhead_seek (mine, ls_playhead_span (mine));
      ls_playhead_set_by_op (mine, self->view->by_op);
    }
  else
    ls_playhead_set_by_op (mine, self->view->by_op);
}

void
ls_canvas_follow (LsCanvas *self, LsCanvas *other)
{
  LsQuery *mine = &self->query;
  const LsQuery *its = &other->query;

  mine->hover = its->hover;
  mine->picked = its->picked;
  mine->worker = its->worker;
  mine->evidence = its->evidence;
  ls_canvas_queue_move (self);
  ls_canvas_queue_describe (self, mine->picked.side >= 0);
}
