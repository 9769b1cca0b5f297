/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a claim: each of its ways is a lane in a process of its own (lab/lanes.h), and they take turns.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "claims/budget.h"
#include "claims/run.h"
#include "claims/tables.h"
#include "core/error.h"
#include "lab/kept.h"
#include "lab/machine.h"
#include "trace/event.h"

#define ANSWER_S 60  /* for what takes no time, on a busy machine */
#define LEARN_S  300 /* for training */
#define SEEDS    3
#define TOO_LONG 2  /* times what all turns were to take: no further round is begun */
#define BOUND    .1 /* of the time: recorded steps */
#define NO_LANE  G_MAXUINT

typedef struct {
  const LsClaimWish *wish;
  const LsClaim *claim;
  LsLabHeard heard;
  gpointer data;
  LsLabLanes lanes;
  guint lane_of[LS_CLAIM_MAX_WAYS]; /* NO_LANE: it isn't run */
  gboolean timed[LS_CLAIM_MAX_WAYS];
  GArray *samples[LS_MAX_LANES];      /* double, µs; by lane, */
  GArray *turns[LS_MAX_LANES];        /* the same in s, in the order of the rounds; NULL: none */
  GArray *learnt[LS_CLAIM_MAX_WAYS];  /* double, 0 … 1, by seed; NULL: none */
  LsLabChild *children[LS_MAX_LANES]; /* those that are timed, */
  GError *errors[LS_MAX_LANES];       /* and what went wrong */
  LsLabNews news;
  LsClaimKnown known;
  LsClaimClock *clock;
} Run;

/* ---- what is to be done ---- */

/* Of the way alone: of the run it has the device and the seed, and all else as it says itself. (transfer
 * full); NULL: no way is run. */
static LsOptions *
options_of (Run *run)
{
  static const char *const taken[] = { "device", "seed" };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (taken) && run->wish->options != NULL; i++)
    {
      const LsOption *row = ls_options_find (taken[i]);
      g_autofree char *value = ls_options_get (run->wish->options, row);

      ls_options_set (options, row, value, NULL);
    }
  for (guint i = 0; i < run->claim->n_ways; i++)
    {
      const LsClaimWay *way = &run->claim->ways[i];

      run->lane_of[i] = way->lane != NULL ? n : NO_LANE;
      run->timed[i] = ls_claim_times (run->claim, i);
      if (way->lane == NULL)
        continue;
      g_string_append_printf (list, "%s%s=%s", n > 0 ? "," : "", way->name, way->lane);
      n++;
    }
  return n > 0 && ls_options_set (options, ls_options_find ("lanes"), list->str, NULL)
           ? g_steal_pointer (&options)
           : NULL;
}

/* ---- telling ---- */

static void
say (Run *run, gboolean problem, const char *words)
{
  LsLabNews news = run->news;

  news.said = words;
  news.problem = problem;
  run->heard (&news, run->data);
}

static void
step_done (Run *run, double seconds)
{
  run->news.done++;
  run->news.seconds_left = MAX (0, run->news.seconds_left - seconds);
  run->heard (&run->news, run->data);
}

static gboolean
stopped (const Run *run)
{
  return g_cancellable_is_cancelled (run->lanes.cancel);
}

/* ---- measuring ---- */

static void
prepare (Run *run, LsClaimResult *result)
{
  for (guint i = 0; i < run->claim->n_ways; i++)
    {
      const guint lane = run->lane_of[i];
      LsLabChild *child = lane != NO_LANE ? run->lanes.children[lane] : NULL;

      if (child == NULL || stopped (run))
        continue;
      result->ways[i].device = g_strdup (ls_lab_child_title (child));
      run->known.ways[i].threads = ls_lab_child_threads (child);
      run->known.ways[i].options = ((const LsLaneSpec *) run->lanes.specs->pdata[lane])->options;
      if (ls_lab_child_prepare (child, run->claim->ways[i].run, ANSWER_S, &result->ways[i].how,
                                &run->errors[lane])
          && run->timed[i])
        run->children[lane] = child;
    }
}

/* The median of a turn is one sample: what a single step takes beside another program, or after an interrupt,
 * says little of how far the next run's median will be from this one's; how far those of the turns are apart
 * does. */
static void
take_medians (Run *run, GArray **turn)
{
  for (guint i = 0; i < run->lanes.specs->len; i++)
    if (turn[i]->len > 0)
      {
        const LsFigure us = ls_figure_of_samples ((gpointer) turn[i]->data, turn[i]->len, "µs");

        g_array_append_val (run->samples[i], us.value);
        g_array_set_size (turn[i], 0);
      }
}

static void
take_turns (Run *run, guint n_timed)
{
  const double each = run->wish->seconds / MAX (n_timed, 1) / run->wish->rounds;
  const guint64 enough = ls_clock_ns () + (guint64) (TOO_LONG * run->wish->seconds * 1e9);
  const guint n = run->lanes.specs->len;
  GArray *turn[LS_MAX_LANES];

  for (guint i = 0; i < n; i++)
    turn[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint round = 0; round < run->wish->rounds && !stopped (run); round++)
    {
      if (n_timed > 0 && (round == 0 || ls_clock_ns () < enough))
        ls_lab_take_turns (run->children, n, each, 1, ANSWER_S, turn, run->errors);
      take_medians (run, turn);
      step_done (run, each * n_timed);
    }
  for (guint i = 0; i < n; i++)
    g_array_unref (turn[i]);
}

/* Sorts them. */
static LsFigure
figure_of (GArray *samples, const char *unit)
{
  return ls_figure_of_samples ((gpointer) samples->data, samples->len, unit);
}

/* From each seed, trained on the way's lane, and converted where it says so. */
static gboolean
learn (Run *run, guint way, LsLabChild *child, GArray *right)
{
  const LsClaimWay *w = &run->claim->ways[way];
  GError **error = &run->errors[run->lane_of[way]];

  return w->bits > 0
           ? ls_claim_learn_whole (w, run->known.ways[way].options, SEEDS, run->lanes.cancel, right, error)
           : ls_lab_child_learn (child, w->steps, SEEDS, LEARN_S, right, error);
}

/* What else outcomes ask of a way. */
static void
ask (Run *run, guint way)
{
  const guint lane = run->lane_of[way];
  LsLabChild *child = lane != NO_LANE ? run->lanes.children[lane] : NULL;
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof (double)),
                     right = g_array_new (FALSE, FALSE, sizeof (double));

  if (ls_claim_asks (run->claim, LS_CLAIM_TERM_MEMORY, way))
    {
      if (child != NULL && run->errors[lane] == NULL && !stopped (run)
          && ls_lab_child_bound (child, BOUND * run->wish->seconds, bound, &run->errors[lane]))
        run->known.ways[way].bound = figure_of (bound, "");
      step_done (run, BOUND * run->wish->seconds);
    }
  if (ls_claim_asks (run->claim, LS_CLAIM_TERM_ACCURACY, way))
    {
      if (child != NULL && run->errors[lane] == NULL && !stopped (run) && learn (run, way, child, right))
        {
          run->known.ways[way].learnt = run->learnt[way] = g_array_copy (right);
          run->known.ways[way].accuracy = figure_of (right, "");
        }
      step_done (run, BOUND * run->wish->seconds);
    }
}

/* The way's figures, and why there are none. */
static void
take_way (Run *run, guint way, LsClaimResult *result)
{
  const guint lane = run->lane_of[way];
  LsClaimWayTime *time = &result->ways[way];

  if (lane == NO_LANE)
    return;
  if (run->errors[lane] != NULL)
    {
      ls_error_make_printable (&run->errors[lane]);
      time->why = ls_sentence (run->errors[lane]->message);
    }
  else if (run->lanes.children[lane] == NULL)
    time->why = g_strdup (run->lanes.why[lane]);
  else if (run->samples[lane]->len > 0)
    {
      for (guint i = 0; i < run->samples[lane]->len; i++)
        g_array_index (run->samples[lane], double, i) *= 1e-6;
      run->known.ways[way].turns = run->turns[lane] = g_array_copy (run->samples[lane]);
      time->time = figure_of (run->samples[lane], "s");
    }
  run->known.ways[way].time = time->time;
  run->known.ways[way].why = time->why;
  if (time->why != NULL && !stopped (run))
    {
      g_autofree char *sentence = g_strdup_printf ("%s: %s", run->claim->ways[way].words, time->why);
      say (run, TRUE, sentence);
    }
}

/* ---- what it needs ---- */

/* TRUE: a claim about graphics cards has none to be about here, and *why says so. */
static gboolean
lacks_gpu (const Run *run, char **why)
{
  const char *missing = NULL;

  for (guint i = 0; i < run->claim->n_ways; i++)
    {
      const guint lane = run->lane_of[i];

      if (lane == NO_LANE || run->claim->ways[i].who != LS_BACKEND_OPENCL)
        continue;
      if (run->lanes.children[lane] == NULL)
        missing = run->lanes.why[lane];
      else if (ls_lab_child_kind (run->lanes.children[lane]) == LS_DEVICE_GPU
               || ls_lab_child_kind (run->lanes.children[lane]) == LS_DEVICE_ACCELERATOR)
        return FALSE;
      else
        missing = NULL;
    }
  *why = missing != NULL ? g_strdup_printf (_("No GPU here: %s"), missing)
                         : g_strdup (ls_claim_needs_text (LS_CLAIM_NEEDS_GPU));
  return TRUE;
}

/* ---- the whole ---- */

static guint
count_timed (const Run *run)
{
  guint n = 0;

  for (guint i = 0; i < run->lanes.specs->len; i++)
    n += run->children[i] != NULL;
  return n;
}

/* FALSE: no lane works, or it was stopped. */
static gboolean
measure (Run *run, const LsOptions *options, LsClaimResult *result, GError **error)
{
  const gboolean started = ls_lab_lanes_start (&run->lanes, options, run->lanes.cancel, error);

  if (!started)
    return FALSE;
  result->busy = run->lanes.busy > LS_MACHINE_BUSY;
  if (result->busy)
    say (run, TRUE, _("The machine is busy with other programs: the figures are not those of a quiet one."));
  prepare (run, result);
  take_turns (run, count_timed (run));
  for (guint i = 0; i < run->claim->n_ways; i++)
    ask (run, i);
  if (!stopped (run))
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  return FALSE;
}

/* (transfer full); NULL: it was stopped. */
static LsClaimResult *
run_ways (Run *run, GError **error)
{
  g_autoptr (LsClaimResult) result = ls_claim_result_new (run->claim);
  g_autoptr (LsOptions) options = options_of (run);
  g_autoptr (GError) why = NULL;
  gboolean stand_in = FALSE;

  result->seconds = run->wish->seconds;
  result->rounds = run->wish->rounds;
  if (options != NULL && !measure (run, options, result, &why))
    {
      if (g_error_matches (why, LS_ERROR, LS_ERROR_CANCELLED))
        {
          if (ls_claim_clock_passed (run->clock))
            g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED,
                                 _("Its time was over before it had an outcome."));
          else
            g_propagate_error (error, g_steal_pointer (&why));
          return NULL;
        }
      result->why = ls_sentence (why->message);
    }
  for (guint i = 0; i < run->claim->n_ways && run->lanes.specs != NULL; i++)
    take_way (run, i, result);
  if (run->claim->needs > LS_CLAIM_NEEDS_GPU)
    {
      g_free (result->why); /* of ways that couldn't be measured either */
      result->why = g_strdup (ls_claim_needs_text (run->claim->needs));
    }
  else if (run->claim->needs == LS_CLAIM_NEEDS_GPU && result->why == NULL)
    stand_in = lacks_gpu (run, &result->why);
  ls_claim_conclude (&run->known, stand_in, result);
  return g_steal_pointer (&result);
}

LsClaimResult *
ls_claims_run (const LsClaimWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel, GError **error)
{
  g_autoptr (LsCatalogue) own = wish->catalogue == NULL ? ls_catalogue_load (NULL, NULL) : NULL;
  Run run = { .wish = wish, .claim = wish->claim, .heard = heard, .data = data };
  g_autoptr (LsClaimClock) clock = NULL;
  LsClaimResult *result;
  const int lock = ls_lab_lock ();

  if (lock < 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("Another program is just measuring here; both would disturb each other."));
      return NULL;
    }
  run.known.claim = wish->claim;
  run.known.round = LS_CLAIM_ALL_ROUNDS;
  run.known.catalogue = wish->catalogue != NULL ? wish->catalogue : own;
  run.clock = clock = ls_claim_clock_new (wish->limit, cancel);
  run.lanes.cancel = ls_claim_clock_cancel (clock);
  run.news.n = wish->rounds;
  run.news.seconds_left = wish->seconds;
  for (guint i = 0; i < wish->claim->n_ways; i++)
    run.news.n += ls_claim_asks (wish->claim, LS_CLAIM_TERM_MEMORY, i)
                  + ls_claim_asks (wish->claim, LS_CLAIM_TERM_ACCURACY, i);
  for (guint i = 0; i < LS_MAX_LANES; i++)
    run.samples[i] = g_array_new (FALSE, FALSE, sizeof (double));
  heard (&run.news, data);
  result = run_ways (&run, error);
  ls_lab_lanes_clear (&run.lanes);
  for (guint i = 0; i < LS_CLAIM_MAX_WAYS; i++)
    g_clear_pointer (&run.learnt[i], g_array_unref);
  for (guint i = 0; i < LS_MAX_LANES; i++)
    {
      g_array_unref (run.samples[i]);
      g_clear_pointer (&run.turns[i], g_array_unref);
      g_clear_error (&run.errors[i]);
    }
  close (lock);
  return result;
}
