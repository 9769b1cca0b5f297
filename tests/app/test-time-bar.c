/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bar of machine time tells of the step that is shown, also in the moment in which another one is.
 */
#include "core/number.h"
#include "rig.h"
#include "session_rig.h"
#include "ui/app/widgets/time_bar.h"
#include "view_rig.h"

/* Plays on, which the bar follows, until a later step is shown. */
static gboolean
shows_later (const Watch *w, guint64 step)
{
  ls_session_advance (w->session, .1);
  return ls_session_shown (w->session) != NULL && ls_session_shown (w->session)->step > step;
}

static gboolean
bar_says (GtkWidget *widget, const char *words)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), words) != NULL)
    return TRUE;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    if (bar_says (w, words))
      return TRUE;
  return FALSE;
}

static void
test_another_step (void)
{
  g_autoptr (LsOptions) options = small ("cpu");
  GtkWidget *bar, *window;
  guint64 step = 0;
  Watch w;

  watch (&w);
  bar = ls_time_bar_new (w.session);
  window = rig_show (bar, 900, 60);
  rig_wait_mapped (bar, TRUE);
  ls_session_train (w.session, options);
  for (guint i = 0; i < 5; i++)
    {
      wait_for (&w, shows_later, step, "another recorded step");
      g_autofree char *span = ls_number_time ((double) ls_playhead_span (ls_session_playhead (w.session))),
                      *words = g_strdup_printf (" of %s", span);
      step = ls_session_shown (w.session)->step;
      g_test_message ("step %u: “%s”", (guint) step, words);
      g_assert_true (ls_session_playing (w.session));
      g_assert_true (bar_says (bar, words));
    }
  rig_close (window);
  watch_end (&w);
}

/* Which of the recorded steps is shown, and whether it is pinned, also where it is gone meanwhile: then it is
 * none of those that are there, and pinning it comes to nothing. */
static void
test_which_step (void)
{
  static const struct {
    guint64 shown, pinned; /* 0: none is */
    gboolean file;
    const char *words;
    gboolean active;
  } rows[] = {
    { 0, 0, FALSE, "no recorded step yet", FALSE },
    { 100, 0, FALSE, "step 100, recorded step 1 of 3", FALSE },
    { 200, 0, FALSE, "step 200, recorded step 2 of 3", FALSE },
    { 300, 300, FALSE, "step 300, recorded step 3 of 3", TRUE },
    { 300, 100, FALSE, "step 300, recorded step 3 of 3", FALSE },
    { 50, 100, FALSE, "step 50, no longer kept", FALSE },
    { 250, 200, FALSE, "step 250, no longer kept", FALSE },
    { 400, 300, FALSE, "step 400, no longer kept", FALSE },
    { 200, 0, TRUE, "step 200, from a file", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (View) view = view_new ();
      LsSession *self = view->session;
      GtkWidget *bar = ls_time_bar_new (self), *window = rig_show (bar, 900, 60), *pin;

      rig_wait_mapped (bar, TRUE);
      pin = rig_find_kind (bar, GTK_TYPE_TOGGLE_BUTTON);
      for (guint64 step = 100; step <= 300 && rows[i].shown > 0; step += 100)
        {
          g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);

          recording->step = step;
          ls_history_add (self->history, recording);
          ls_history_pin (self->history, ls_history_find (self->history, step), step == rows[i].pinned);
        }
      self->mode = rows[i].file ? LS_SESSION_PLAYBACK : LS_SESSION_LIVE;
      if (rows[i].shown > 0)
        {
          self->shown = ls_fixture_recording (&desk);
          self->shown->step = rows[i].shown;
        }
      ls_session_emit_state (self);
      if (!bar_says (bar, rows[i].words))
        g_error ("step %u of steps 100, 200 and 300: the bar doesn't say “%s”", (guint) rows[i].shown,
                 rows[i].words);
      if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (pin)) != rows[i].active)
        g_error ("step %u is%s pinned, where step %u is", (guint) rows[i].shown, rows[i].active ? "n't" : "",
                 (guint) rows[i].pinned);
      g_assert_cmpint (gtk_widget_get_visible (pin), ==, rows[i].shown > 0 && !rows[i].file);
      if (gtk_widget_get_visible (pin))
        {
          const gboolean there = ls_history_has (self->history, rows[i].shown);

          gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pin), !rows[i].active);
          if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (pin)) != (there ? !rows[i].active : FALSE))
            g_error ("step %u, %s, is pressed: the button says that it is%s pinned", (guint) rows[i].shown,
                     there ? "which is there" : "which is gone", there ? "n't" : "");
          g_assert_cmpuint (view->n_messages, ==, !there);
        }
      rig_close (window);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-bar/another-step", test_another_step);
  g_test_add_func ("/time-bar/which-step", test_which_step);
  return g_test_run ();
}
