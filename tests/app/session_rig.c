/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session_rig.h"

#define PATIENCE_S 300 /* a kernel cache may be cold, and a sanitizer slow */

static void
data_cb (Watch *w)
{
  w->n_data++;
}

static void
state_cb (Watch *w)
{
  w->n_states++;
}

static void
message_cb (LsSession *session, const char *sentence, Watch *w)
{
  w->n_messages++;
  g_free (w->message);
  w->message = g_strdup (sentence);
}

static void
kernels_cb (LsSession *session, const char *sentence, Watch *w)
{
  w->n_kernels++;
  g_free (w->kernels);
  w->kernels = g_strdup (sentence);
}

void
watch (Watch *w)
{
  *w = (Watch){ .session = ls_session_new () };
  g_signal_connect_swapped (w->session, "data", G_CALLBACK (data_cb), w);
  g_signal_connect_swapped (w->session, "state", G_CALLBACK (state_cb), w);
  g_signal_connect (w->session, "message", G_CALLBACK (message_cb), w);
  g_signal_connect (w->session, "kernels", G_CALLBACK (kernels_cb), w);
}

void
watch_end (Watch *w)
{
  ls_session_end (w->session);
  /* a thread whose work is done lets go of it a moment after that was told */
  for (guint ms = 0; ms < 10000 && g_atomic_int_get ((gint *) &G_OBJECT (w->session)->ref_count) > 1; ms++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_finalize_object (g_steal_pointer (&w->session));
  g_free (w->message);
  g_free (w->kernels);
}

LsOptions *
small (const char *backends)
{
  LsOptions *o = ls_options_new ();

  g_free (o->model);
  g_free (o->data);
  g_free (o->lanes);
  o->model = g_strdup ("flatten, dense 64, relu, dense 32, relu, dense 3");
  o->data = g_strdup ("spiral");
  o->lanes = g_strdup (backends);
  o->batch = 64;
  o->steps = 1000000000; /* more than there will be */
  o->check_every = 16;
  return o;
}

static gboolean
tick_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Where each lane is, and why: what is waited for in vain most often waits for one of them. (transfer full)
 */
static char *
lanes_words (const Watch *w)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);
  const LsRecording *shown = ls_session_shown (w->session);
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "mode %u, shown step %" G_GINT64_FORMAT,
                          (guint) ls_session_mode (w->session), shown != NULL ? (gint64) shown->step : -1);
  for (guint i = 0; s != NULL && i < s->n_lanes; i++)
    g_string_append_printf (words, "; %s: state %u, step %" G_GUINT64_FORMAT ", %s", s->lanes[i].spec->id,
                            (guint) s->lanes[i].state, s->lanes[i].steps,
                            s->lanes[i].message != NULL ? s->lanes[i].message : "no message");
  return g_string_free (words, FALSE);
}

void
wait_for (const Watch *w, Come come, guint64 what, const char *words)
{
  const gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  const guint tick = g_timeout_add (5, tick_cb, NULL);

  while (!come (w, what))
    {
      g_main_context_iteration (NULL, TRUE);
      if (g_get_monotonic_time () > end_us)
        {
          g_autofree char *lanes = lanes_words (w);
          g_error ("Waited in vain for %s; the session's last words: %s; %s", words,
                   w->message != NULL ? w->message : "none", lanes);
        }
    }
  g_source_remove (tick);
}

gboolean
trained (const Watch *w, guint64 steps)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  for (guint i = 0; s != NULL && i < s->n_lanes; i++)
    if (s->lanes[i].state != LS_LANE_FAILED && s->lanes[i].steps < steps)
      return FALSE;
  return s != NULL;
}

gboolean
opencl_works (const Watch *w)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  if (s->lanes[0].state == LS_LANE_READY)
    return TRUE;
  g_test_skip (s->lanes[0].message);
  return FALSE;
}
