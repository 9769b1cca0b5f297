/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bar of machine time tells of the step that is shown, also in the moment in which another one is.
 */
#include "core/number.h"
#include "rig.h"
#include "session_rig.h"
#include "ui/app/widgets/time_bar.h"

/* Plays on, which the bar follows, until a later step is shown. */
static gboolean
shows_later (const Watch *w, guint64 step)
{
  ls_session_advance (w->session, .1);
  return ls_session_shown (w->session) != NULL && ls_session_shown (w->session)->step > step;
}

static gboolean
says (GtkWidget *widget, const char *words)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), words) != NULL)
    return TRUE;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    if (says (w, words))
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
      g_assert_true (says (bar, words));
    }
  rig_close (window);
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-bar/another-step", test_another_step);
  return g_test_run ();
}
