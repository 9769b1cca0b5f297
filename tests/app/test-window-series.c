/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The button that measures what a view shows: one experiment, claim or conversion after the other, each begun
 * once the one before is done; a second press stops all of it. The session's part is played: see
 * test-session-lab.c for that.
 */
#include "config.h"
#include "lab_fixture.h"
#include "window_rig.h"

#include <string.h>

#include "core/error.h"
#include "ui/app/canvas/canvas_private.h"
#include "ui/paint/views.h"

/* What goes on: the newest that was begun, and all of them as "lab batch anew; claim fusion; …" */
static struct {
  GTask *task; /* NULL: nothing is measured */
  GString *begun;
  guint n_stops;
  char *toast;
} series;

GTask *__wrap_ls_session_lab (LsSession *self, const LsExperiment *experiment, gboolean anew,
                              GCancellable *cancel, GAsyncReadyCallback done, gpointer data);
LsLabResult *__wrap_ls_session_lab_finish (LsSession *self, GAsyncResult *result, GError **error);
GTask *__wrap_ls_session_claim (LsSession *self, LsClaim *claim, GCancellable *cancel,
                                GAsyncReadyCallback done, gpointer data);
gboolean __wrap_ls_session_claim_finish (LsSession *self, GAsyncResult *result, GError **error);
GTask *__wrap_ls_session_convert (LsSession *self, LsConvertedKind kind, GCancellable *cancel,
                                  GAsyncReadyCallback done, gpointer data);
gboolean __wrap_ls_session_convert_finish (LsSession *self, GAsyncResult *result, GError **error);
gboolean __wrap_ls_session_lab_measures (LsSession *self);
void __wrap_ls_session_lab_stop (LsSession *self);
void __wrap_ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                           const char *action);

static GTask *
begin (LsSession *self, const char *kind, const char *name, gboolean anew, GCancellable *cancel,
       GAsyncReadyCallback done, gpointer data)
{
  GTask *task = g_task_new (self, cancel, done, data);

  if (series.task != NULL)
    g_error ("“%s” is begun while another one is measured", name);
  g_task_set_check_cancellable (task, FALSE);
  g_string_append_printf (series.begun, "%s%s %s%s", series.begun->len > 0 ? "; " : "", kind, name,
                          anew ? " anew" : "");
  series.task = g_object_ref (task);
  return task;
}

GTask *
__wrap_ls_session_lab (LsSession *self, const LsExperiment *experiment, gboolean anew, GCancellable *cancel,
                       GAsyncReadyCallback done, gpointer data)
{
  guint n, at = 0;
  const LsExperiment *const *all = ls_experiments (&n);

  while (at < n && all[at] != experiment)
    at++;
  if (at == n)
    g_error ("what is measured after “%s” is no experiment", series.begun->str);
  return begin (self, "lab", experiment->name, anew, cancel, done, data);
}

LsLabResult *
__wrap_ls_session_lab_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

GTask *
__wrap_ls_session_claim (LsSession *self, LsClaim *claim, GCancellable *cancel, GAsyncReadyCallback done,
                         gpointer data)
{
  return begin (self, "claim", claim->name, FALSE, cancel, done, data);
}

gboolean
__wrap_ls_session_claim_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error) != NULL;
}

GTask *
__wrap_ls_session_convert (LsSession *self, LsConvertedKind kind, GCancellable *cancel,
                           GAsyncReadyCallback done, gpointer data)
{
  if (kind >= LS_CONVERTED_N)
    g_error ("what the network is converted into after “%s” is nothing", series.begun->str);
  return begin (self, "convert", kind == LS_CONVERTED_INT8 ? "int8" : "spiking", FALSE, cancel, done, data);
}

gboolean
__wrap_ls_session_convert_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error) != NULL;
}

gboolean
__wrap_ls_session_lab_measures (LsSession *self)
{
  return series.task != NULL;
}

void
__wrap_ls_session_lab_stop (LsSession *self)
{
  series.n_stops++;
  g_cancellable_cancel (g_task_get_cancellable (series.task));
}

void
__wrap_ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                      const char *action)
{
  g_free (series.toast);
  series.toast = g_strdup (sentence);
}

/* The one that goes on is done, with a result of the laboratory, (transfer full), or just done, or with an
 * error. */
static void
done (LsLabResult *result, gint code, const char *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&series.task);

  g_assert_nonnull (task);
  if (error != NULL)
    g_task_return_new_error (task, LS_ERROR, code, "%s", error);
  else
    g_task_return_pointer (task, result != NULL ? (gpointer) result : &series, NULL);
  while (!g_task_get_completed (task))
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_begun (const char *words)
{
  if (strcmp (series.begun->str, words) != 0)
    g_error ("begun were “%s”, not “%s”", series.begun->str, words);
}

static void
press (LsWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.measure", NULL);
}

static LsWindow *
window_with (const LsView *view)
{
  LsWindow *self = window_of (1);
  guint n;
  const LsView *const *views = ls_views (&n);

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  for (guint i = 0; i < n; i++)
    if (views[i] == view)
      ls_window_set_view (self, i);
  g_string_truncate (series.begun, 0);
  g_clear_pointer (&series.toast, g_free);
  series.n_stops = 0;
  return self;
}

/* All of the view's experiments in its order; what is whole already is measured anew, but only where all of
 * it is. */
static void
test_experiments (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  LsWindow *self = window_with (&ls_view_scaling);
  g_autoptr (GPtrArray) list = ls_canvas_measures (LS_CANVAS (self->canvas));

  g_assert_cmpuint (list->len, >, 3);
  for (guint turn = 0; turn < 3; turn++) /* nothing is kept; the last one isn't whole; all are */
    {
      g_autoptr (GString) expected = g_string_new (NULL);
      LsSessionKept *kept = g_new0 (LsSessionKept, 1);

      kept->finished = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      kept->broken_off = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      kept->foreign = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      for (guint i = 0; i < list->len && turn > 0; i++)
        {
          LsLabResult *found = lab_fixture_find (results, ((const LsExperiment *) list->pdata[i])->name),
                      *copy = found != NULL ? ls_lab_result_copy (found) : NULL;

          g_assert_nonnull (copy);
          if (turn == 1 && i == 0) /* the first one: the last one's being whole isn't enough */
            g_array_set_size (copy->tried, copy->n_sizes - 1);
          g_ptr_array_add (kept->finished, copy);
        }
      ls_session_kept_free (self->session->kept);
      self->session->kept = kept;
      ls_session_rebuild (self->session);
      g_string_truncate (series.begun, 0);
      press (self);
      for (guint i = 0; i < list->len; i++)
        {
          g_string_append_printf (expected, "%slab %s%s", i > 0 ? "; " : "",
                                  ((const LsExperiment *) list->pdata[i])->name, turn == 2 ? " anew" : "");
          assert_begun (expected->str);
          if (i == 1) /* one that fails is told; the next ones come all the same */
            done (NULL, LS_ERROR_DEVICE, "no lane could do anything");
          else
            done (ls_lab_result_ref (results->pdata[0]), 0, NULL);
        }
      assert_begun (expected->str); /* none after the last one */
      g_assert_null (series.task);
      g_assert_cmpstr (series.toast, ==, "no lane could do anything.");
    }
  window_gone (self);
}

static LsLabResult *
any_result (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();

  return ls_lab_result_ref (results->pdata[0]);
}

/* A second press stops what goes on, and nothing comes after it; nobody is told of what he did himself. */
static void
test_stopped (void)
{
  LsWindow *self = window_with (&ls_view_scaling);

  press (self);
  g_assert_cmpuint (series.n_stops, ==, 0);
  press (self);
  g_assert_cmpuint (series.n_stops, ==, 1);
  g_autofree char *first = g_strdup (series.begun->str);
  g_assert_null (strchr (first, ';'));
  done (NULL, LS_ERROR_CANCELLED, "It was stopped.");
  assert_begun (first);
  g_assert_null (series.toast);
  /* one that was just done when it was stopped is no reason to go on either */
  press (self);
  press (self);
  g_autofree char *twice = g_strdup_printf ("%s; %s", first, first);
  done (any_result (), 0, NULL);
  assert_begun (twice);
  /* without its window nothing is begun any more */
  press (self);
  g_autofree char *thrice = g_strdup_printf ("%s; %s", twice, first);
  assert_begun (thrice);
  g_object_ref (self->session);
  LsSession *session = self->session;
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
  rig_settle ();
  done (any_result (), 0, NULL);
  assert_begun (thrice);
  g_object_unref (session);
}

/* A recording that is opened meanwhile is told to be why nothing more is measured, once and not for each. */
static void
test_recording (void)
{
  static const char refused[] = "A recording is played back; nothing is measured.";
  LsWindow *self = window_with (&ls_view_scaling);

  press (self);
  done (any_result (), 0, NULL);
  g_autofree char *both = g_strdup (series.begun->str);
  g_assert_nonnull (strchr (both, ';'));
  self->session->mode = LS_SESSION_PLAYBACK;
  done (NULL, LS_ERROR_USAGE, refused);
  assert_begun (both);
  g_assert_null (series.task);
  g_assert_cmpstr (series.toast, ==, refused);
  window_gone (self);
}

/* Of Crossover one map; of Machines the conversions; of Claims the opened one, and without a guess none. */
static void
test_others (void)
{
  static const char *const named[] = { "fusion", "data-parallel" };
  LsWindow *self = window_with (&ls_view_crossover);

  press (self);
  g_assert_true (g_str_has_prefix (series.begun->str, "lab crossover"));
  done (NULL, LS_ERROR_CANCELLED, "It was stopped.");
  g_assert_null (series.task);
  window_gone (self);
  self = window_with (&ls_view_machines);
  press (self);
  assert_begun ("convert int8");
  done (NULL, 0, NULL);
  assert_begun ("convert int8; convert spiking");
  done (NULL, LS_ERROR_DATA, "There is no room.");
  assert_begun ("convert int8; convert spiking");
  g_assert_cmpstr (series.toast, ==, "There is no room.");
  window_gone (self);
  self = window_with (&ls_view_claims);
  press (self);
  assert_begun ("");
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      LsClaims *claims = ls_session_claims (self->session);
      g_autofree char *words = g_strdup_printf ("claim %s", named[i]);

      g_assert_nonnull (ls_claims_find (claims, named[i]));
      LsClaimRow *row = (LsClaimRow *) ls_claims_find (claims, named[i]);
      row->guessed = TRUE;
      ls_session_rebuild (self->session);
      g_string_truncate (series.begun, 0);
      press (self);
      assert_begun (words);
      row->guessed = FALSE;
      done (NULL, 0, NULL);
      assert_begun (words);
    }
  window_gone (self);
  /* a view without such a button */
  self = window_with (&ls_view_race);
  press (self);
  assert_begun ("");
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  series.begun = g_string_new (NULL);
  g_test_add_func ("/window/series/experiments", test_experiments);
  g_test_add_func ("/window/series/stopped", test_stopped);
  g_test_add_func ("/window/series/recording", test_recording);
  g_test_add_func ("/window/series/others", test_others);
  return g_test_run ();
}
