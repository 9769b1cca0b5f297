/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results on disk come to the session and its views, each alone: of an experiment, whole or broken off, and
 * of the network in other numbers. Where nothing was and nothing is, nobody is told.
 */
#include <glib/gstdio.h>
#include <locale.h>

#include "lab/kept.h"
#include "tests/folder.h"
#include "ui/app/session/session_lab.h"
#include "view_rig.h"

#define NET "flatten, dense 16, relu, dense 3"

static void
set_options (LsOptions *options)
{
  ls_options_set (options, ls_options_find ("lanes"), "cpu", NULL);
  ls_options_set (options, ls_options_find ("data"), "spiral", NULL);
  ls_options_set (options, ls_options_find ("model"), NET, NULL);
}

static void
keep_converted (LsConvertedKind kind, const LsOptions *options)
{
  const LsConvertedWish wish = { .kind = kind, .options = options };
  g_autoptr (LsConverted) result = ls_converted_new (kind);
  g_autoptr (GError) error = NULL;

  result->key = ls_converted_key (&wish, NULL);
  result->model = g_strdup (NET);
  result->data = g_strdup ("spiral");
  result->trained = 100;
  result->n_samples = 400;
  result->n_test = 500;
  result->calibration = 321;
  result->accuracy = ls_converted_figure (97.5, 400, "%", LS_EVIDENCE_MEASURED);
  result->n_points = 1;
  result->points[0] = (LsConvertedPoint){ .at = 8,
                                          .accuracy = result->accuracy,
                                          .same = ls_converted_figure (99, 400, "%", LS_EVIDENCE_MEASURED) };
  if (kind == LS_CONVERTED_INT8)
    {
      result->n_scales = 1;
      result->scales = g_new0 (LsInt8Scales, 1);
      result->scales[0] = (LsInt8Scales){ .layer = 1, .low = .01, .high = .02, .out = .5 };
    }
  else
    {
      result->n_spiking = 16;
      result->n_steps = 8;
      result->n_neurons = 1;
      result->neurons[0] = (LsConvertedNeuron){ .layer = 1, .neuron = 3, .spikes = 5 };
      ls_converted_set_spikes (result, &result->points[0], 20, 30);
    }
  ls_converted_keep (result, &error);
  g_assert_no_error (error);
}

static void
keep_lab (gboolean whole, const LsOptions *options)
{
  g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_batch, options, NULL);
  g_autoptr (GError) error = NULL;
  const LsLabPoint point = { 64, 0, { 1000, "samples/s", LS_EVIDENCE_MEASURED, 9, 900, 1100 }, { 0 } };

  g_assert_true (ls_lab_result_add (result, 0, &point));
  g_array_append_val (result->tried, ((LsLabSpot){ 64, 0 }));
  result->n_sizes = whole ? 1 : 7;
  result->seconds = 20;
  result->rounds = 5;
  ls_lab_keep (result, &error);
  g_assert_no_error (error);
}

static void
read_kept (View *view)
{
  ls_session_read_kept (view->session);
  while (view->session->reading != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_each_alone (void)
{
  enum { WHOLE, BROKEN_OFF, INT8, SPIKING, N };

  for (guint what = 0; what < N; what++)
    {
      g_autoptr (View) view = view_new ();
      LsSession *self = view->session;
      guint n_states, n_data;

      set_options (self->options);
      hand_over (view, running ());
      n_states = view->n_states;
      n_data = view->n_data;
      read_kept (view);
      if (view->n_states != n_states || view->n_data != n_data)
        g_error ("it is told of nothing that is kept");

      if (what == INT8 || what == SPIKING)
        keep_converted (what == INT8 ? LS_CONVERTED_INT8 : LS_CONVERTED_SPIKING, self->options);
      else
        keep_lab (what == WHOLE, self->options);
      for (guint gone = 0; gone < 2; gone++)
        {
          const LsSessionKept *kept;
          const LsViewData *data;

          if (gone)
            {
              g_autofree char *of = g_build_filename (g_get_user_data_dir (), "lockstep", NULL);
              remove_tree (of);
            }
          read_kept (view);
          kept = ls_session_lab_kept (self);
          data = ls_session_data (self);
          if (view->n_states != n_states + 1 + gone || view->n_data != n_data + 1 + gone)
            g_error ("that result %u %s is told %u times to the window, %u times to views", what,
                     gone ? "is gone" : "has come", view->n_states - n_states - gone,
                     view->n_data - n_data - gone);
          g_assert_cmpuint (kept->finished->len, ==, what == WHOLE && !gone);
          g_assert_cmpuint (kept->broken_off->len, ==, what == BROKEN_OFF && !gone);
          g_assert_cmpuint (kept->foreign->len, ==, 0);
          g_assert_cmpstr (kept->unused, ==, NULL);
          for (guint kind = 0; kind < LS_CONVERTED_N; kind++)
            {
              const gboolean should = !gone && what == (kind == LS_CONVERTED_INT8 ? INT8 : SPIKING);

              if ((kept->converted[kind] != NULL) != should || (data->converted[kind] != NULL) != should)
                g_error ("%s: kept %d, in the picture %d", ls_converted_name ((LsConvertedKind) kind),
                         kept->converted[kind] != NULL, data->converted[kind] != NULL);
            }
        }
    }
}

/* What was asked for earlier comes too late, whichever is read first: nobody is told of another network's
 * results. */
static void
test_newest (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;
  gpointer first;

  set_options (self->options);
  hand_over (view, running ());
  keep_lab (TRUE, self->options);
  const guint n_states = view->n_states;
  ls_session_read_kept (self);
  first = self->reading;
  g_object_add_weak_pointer (first, &first);
  g_assert_true (ls_options_set (self->options, ls_options_find ("lanes"), "cpu(threads=7)", NULL));
  ls_session_read_kept (self);
  /* The thread that read may be the last to hold it, and wakes nobody when it lets go. */
  while (first != NULL || self->reading != NULL)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpuint (ls_session_lab_kept (self)->finished->len, ==, 0);
  if (view->n_states != n_states)
    g_error ("results that were asked for before are told %u times", view->n_states - n_states);
  read_kept (view); /* whole, and of these lanes nothing */
  g_assert_cmpuint (ls_session_lab_kept (self)->finished->len, ==, 0);
  set_options (self->options);
  read_kept (view);
  g_assert_cmpuint (ls_session_lab_kept (self)->finished->len, ==, 1);
  g_assert_cmpuint (view->n_states, ==, n_states + 1);
  g_autofree char *of = g_build_filename (g_get_user_data_dir (), "lockstep", NULL);
  remove_tree (of);
}

/* Each of what may be there is told alone, and that it is gone. */
static void
test_told (void)
{
  enum { FOREIGN, UNUSED, N };

  for (guint what = 0; what < N; what++)
    {
      g_autoptr (View) view = view_new ();
      LsSession *self = view->session;

      set_options (self->options);
      hand_over (view, running ());
      read_kept (view);
      if (what == FOREIGN)
        g_ptr_array_add (self->kept->foreign, ls_lab_result_new (&ls_experiment_batch, self->options, NULL));
      else
        self->kept->unused = g_strdup ("It can’t be read.");
      const guint n_states = view->n_states;
      read_kept (view);
      if (view->n_states != n_states + 1)
        g_error ("that %s is gone is told %u times",
                 what == FOREIGN ? "a result from elsewhere" : "a mistake", view->n_states - n_states);
      read_kept (view);
      g_assert_cmpuint (view->n_states, ==, n_states + 1);
    }
}

static LsLabResult *
result_for (LsSession *self, const LsExperiment *experiment)
{
  return ls_lab_result_new (experiment, self->options, NULL);
}

/* Of an experiment one result is shown: what is whole, else what was broken off here, else what was measured
 * elsewhere. */
static void
test_one_of_each (void)
{
  for (guint there = 1; there < 8; there++)
    {
      g_autoptr (View) view = view_new ();
      LsSession *self = view->session;

      set_options (self->options);
      hand_over (view, running ());
      read_kept (view);
      const LsSessionKept *kept = ls_session_lab_kept (self);
      GPtrArray *const lists[] = { kept->finished, kept->broken_off, kept->foreign };
      const LsLabResult *should = NULL;
      for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
        if (there & 1u << i)
          {
            LsLabResult *result = result_for (self, &ls_experiment_batch);
            g_ptr_array_add (lists[i], result);
            should = should != NULL ? should : result;
          }
      g_autoptr (GPtrArray) shown = ls_session_lab_shown (self);
      g_assert_cmpuint (shown->len, ==, 1);
      for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
        if (lists[i]->len > 0 && lists[i]->pdata[0] == shown->pdata[0] && shown->pdata[0] != should)
          g_error ("of %s%s%sresults the one that %s is shown", there & 1 ? "whole, " : "",
                   there & 2 ? "broken off, " : "", there & 4 ? "foreign " : "",
                   i == 0   ? "is whole"
                   : i == 1 ? "was broken off"
                            : "is from elsewhere");
    }
}

/* What is guessed of a claim is taken a moment later, while a run's step is shown as before there is one;
 * over a recording, of no claim, and if it is what was guessed before, it isn't. */
static void
test_guess (void)
{
  static const struct {
    const char *claim;
    double value;
    gboolean shown, file, taken;
  } rows[] = {
    { "fusion", 1.3, FALSE, FALSE, TRUE },        { "fusion", 1.3, FALSE, FALSE, FALSE },
    { "fusion", 1.5, TRUE, FALSE, TRUE },         { "fusion", 1.2, FALSE, TRUE, FALSE },
    { "fusion", 1.2, TRUE, TRUE, FALSE },         { "no-such-claim", 1.2, FALSE, FALSE, FALSE },
    { "data-parallel", 98, TRUE, FALSE, TRUE },   { "fusion", 1.2, TRUE, FALSE, TRUE },
    { "data-parallel", 98, FALSE, FALSE, FALSE },
  };
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;

  g_assert_nonnull (ls_session_claims (self));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const guint states = view->n_states;
      const LsClaimRow *row;

      self->shown = rows[i].shown ? ls_fixture_recording (&desk) : NULL;
      self->file = rows[i].file ? ls_fixture_recording (&desk) : NULL;
      ls_session_guess (self, rows[i].claim, rows[i].value);
      g_assert_cmpuint (view->n_states, ==, states); /* it may be on its way to another value */
      while (self->guess.timer != 0)
        g_main_context_iteration (NULL, TRUE);
      row = ls_claims_find (ls_session_claims (self), rows[i].claim);
      if ((view->n_states != states) != rows[i].taken
          || (rows[i].taken && (!row->guessed || ABS (row->guess - rows[i].value) > 1e-9)))
        g_error ("row %zu: that %s would be %g is %s", i, rows[i].claim, rows[i].value,
                 view->n_states != states ? "taken" : "not taken");
      g_clear_pointer (&self->shown, ls_recording_unref);
      g_clear_pointer (&self->file, ls_recording_unref);
    }
  /* moved on and back again before it has settled */
  ls_session_guess (self, "fusion", 3);
  ls_session_keep_guess (self);
  ls_session_guess (self, "fusion", 5);
  ls_session_guess (self, "fusion", 3);
  ls_session_keep_guess (self);
  if (ABS (ls_claims_find (ls_session_claims (self), "fusion")->guess - 3) > 1e-9)
    g_error ("a guess that was moved from 3 to 5 and back is kept as %g",
             ls_claims_find (ls_session_claims (self), "fusion")->guess);
  /* of two in one moment none is lost */
  ls_session_guess (self, "fusion", 2);
  ls_session_guess (self, "data-parallel", 50);
  ls_session_keep_guess (self);
  g_assert_cmpfloat (ls_claims_find (ls_session_claims (self), "fusion")->guess, ==, 2);
  g_assert_cmpfloat (ls_claims_find (ls_session_claims (self), "data-parallel")->guess, ==, 50);
  /* one that can't be kept is told of, and changes nothing */
  g_assert_cmpuint (view->n_messages, ==, 0);
  ls_session_guess (self, "fusion", -1);
  ls_session_keep_guess (self);
  g_assert_cmpuint (view->n_messages, ==, 1);
  g_assert_cmpstr (view->message, ==, "A guess is a number above zero, such as 1.5.");
  g_assert_cmpfloat (ls_claims_find (ls_session_claims (self), "fusion")->guess, ==, 2);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-results-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-results/each-alone", test_each_alone);
  g_test_add_func ("/session-results/newest", test_newest);
  g_test_add_func ("/session-results/told", test_told);
  g_test_add_func ("/session-results/one-of-each", test_one_of_each);
  g_test_add_func ("/session-results/guess", test_guess);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
