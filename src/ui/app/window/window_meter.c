/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With LOCKSTEP_EVENTS set the window tells on stderr what happens and how long its frames take: tests and
 * the benchmark drive it by that.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <stdarg.h>

void
ls_window_event (LsWindow *self, const char *format, ...)
{
  va_list arguments;
  g_autofree char *text = NULL;

  if (!self->events)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  fprintf (stderr, "EVENT %s\n", text);
}

static void
before_paint_cb (LsWindow *self)
{
  self->frame_us = g_get_monotonic_time ();
}

/* Once for each: the clock may run through it. */
static void
tell_faults (LsWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    {
      LsCanvas *canvas = ls_window_canvas (self, i);
      g_autofree char *fault = canvas != NULL && gtk_widget_get_mapped (GTK_WIDGET (canvas))
                                 ? ls_canvas_fault (canvas)
                                 : NULL;

      if (fault == NULL || g_strcmp0 (fault, self->fault) == 0)
        continue;
      ls_window_event (self, "fault %s %dx%d %s", ls_canvas_view (canvas)->name,
                       gtk_widget_get_width (GTK_WIDGET (canvas)),
                       gtk_widget_get_height (GTK_WIDGET (canvas)), fault);
      g_free (self->fault);
      self->fault = g_steal_pointer (&fault);
    }
}

static void
after_paint_cb (LsWindow *self)
{
  ls_canvas_add_frame (ls_window_canvas (self, 0), g_get_monotonic_time () - self->frame_us);
  if (!self->shown)
    {
      self->shown = TRUE;
      ls_window_event (self, "first-frame %lld",
                       (long long) (g_get_monotonic_time () - self->started_us) / 1000);
    }
  if (self->tells_faults)
    tell_faults (self);
}

void
ls_window_tell_devices (LsWindow *self)
{
  LsSnapshot *snapshot = ls_session_snapshot (self->session);

  for (guint i = 0; self->events && snapshot != NULL && i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].facts != NULL && snapshot->lanes[i].facts != self->devices[i])
      {
        self->devices[i] = snapshot->lanes[i].facts;
        ls_window_event (self, "device %s %s", snapshot->lanes[i].spec->id,
                         snapshot->lanes[i].facts->device->name);
      }
}

/* Where the pad is in the picture, and what each lane said last of what it was asked about. */
static void
tell_network (LsWindow *self, const LsSnapshot *snapshot)
{
  static const char *const asked[]
    = { [LS_ASKED_GRID] = "grid", [LS_ASKED_DRAWN] = "drawn", [LS_ASKED_TEST] = "test" };
  double x, y, size;

  if (ls_canvas_pad (ls_window_canvas (self, 0), &x, &y, &size))
    ls_window_event (self, "pad %.0f %.0f %.0f", x, y, size);
  for (guint i = 0; snapshot != NULL && ls_session_asking (self->session) && i < snapshot->n_lanes; i++)
    {
      const LsAnswer *answer = snapshot->lanes[i].answer;
      gint said = 0;

      if (answer == NULL)
        continue;
      for (gint class = 1; class < answer->n_classes; class ++)
        said = answer->probs[class] > answer->probs[said] ? class : said;
      ls_window_event (self, "answer %s %s %lld %d", snapshot->lanes[i].spec->id,
                       asked[answer->question->what], (long long) answer->question->number, said);
    }
}

static gboolean
meter_cb (gpointer data)
{
  LsWindow *self = data;
  LsSnapshot *snapshot = ls_session_snapshot (self->session);
  double p50, p95, fps;
  guint n;

  if (ls_canvas_frame_times (ls_window_canvas (self, 0), &p50, &p95, &fps, &n))
    ls_window_event (self, "frame-times %.2f %.2f %.1f %u", p50, p95, fps, n);
  for (guint i = 0; snapshot != NULL && i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].rate.n > 0)
      ls_window_event (self, "rate %s %.0f", snapshot->lanes[i].spec->id, snapshot->lanes[i].rate.value);
  tell_network (self, snapshot);
  return G_SOURCE_CONTINUE;
}

void
ls_window_add_meter (LsWindow *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  g_signal_connect_object (clock, "before-paint", G_CALLBACK (before_paint_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (clock, "after-paint", G_CALLBACK (after_paint_cb), self, G_CONNECT_SWAPPED);
  self->meter = g_timeout_add_seconds (1, meter_cb, self);
}
