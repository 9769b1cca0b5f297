/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lab.h.
 */
#include "config.h"
#include "lab/lab.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/kept.h"
#include "lab/machine.h"
#include "lab/measure.h"
#include "lab/order.h"
#include "lab/step.h"
#include "trace/event.h"

/* Of an experiment with two sizes, for all lanes at a spot. */
#define LEAST_SPOT_S .15
#define MOST_SPOT_S  2.0

typedef struct {
  const LsLabWish *wish;
  LsLabHeard heard;
  gpointer data;
  LsLabLanes lanes;
  LsLabNews news;
  GArray *spots;   /* LsLabSpot */
  gboolean warned; /* that it can't be kept */
} Run;

G_GNUC_PRINTF (3, 4)
static void
say (Run *run, gboolean problem, const char *format, ...)
{
  g_autofree char *text = NULL;
  LsLabNews news = run->news;
  va_list words;

  va_start (words, format);
  text = g_strdup_vprintf (format, words);
  va_end (words);
  news.said = text;
  news.problem = problem;
  run->heard (&news, run->data);
}

/* ---- before the first size ---- */

static void
tell_cb (gboolean problem, const char *sentence, gpointer data)
{
  say (data, problem, "%s", sentence);
}

/* Threads, or compute units, of each lane. */
static GArray *
spots_of (const LsLabLanes *lanes, const LsLabWish *wish)
{
  guint threads[LS_MAX_LANES] = { 0 };

  for (guint i = 0; i < lanes->specs->len; i++)
    if (lanes->children[i] != NULL)
      threads[i] = ls_lab_child_threads (lanes->children[i]);
  return ls_experiment_spots (wish->experiment, wish->options, threads, lanes->specs->len);
}

/* Those of `spots`, and those of a map's that other options had. */
static guint
count_sizes (const LsLabResult *kept, const GArray *spots)
{
  guint n = kept->tried->len;

  for (guint i = 0; i < spots->len; i++)
    n += !ls_lab_result_tried (kept, g_array_index (spots, LsLabSpot, i));
  return n;
}

/* On these devices, and of these spots, unless they are a map's, which may get further ones, as many as a
 * file may have. */
static gboolean
goes_on_with (const Run *run, const LsLabResult *kept, const LsLabResult *now)
{
  const gboolean map = run->wish->experiment->rows != NULL;
  gboolean same = map ? count_sizes (kept, run->spots) <= LS_LAB_MAX_SPOTS : kept->n_sizes == now->n_sizes;

  for (guint i = 0; i < now->specs->len; i++)
    same = same && g_strcmp0 (kept->keys[i], now->keys[i]) == 0;
  for (guint i = 0; i < kept->tried->len && !map; i++)
    {
      gboolean known = FALSE;
      const LsLabSpot *tried = &g_array_index (kept->tried, LsLabSpot, i);
      for (guint j = 0; j < run->spots->len; j++)
        {
          const LsLabSpot *spot = &g_array_index (run->spots, LsLabSpot, j);
          known |= spot->x == tried->x && spot->y == tried->y;
        }
      same = same && known;
    }
  return same;
}

/* What was broken off; of an experiment with two sizes also what its time wasn't enough for. */
static LsLabResult *
to_go_on_with (const LsLabWish *wish, char **why)
{
  LsLabResult *kept = ls_lab_kept_exactly (wish->experiment, wish->options, FALSE, wish->seconds,
                                           wish->rounds, why);

  if (kept == NULL && *why == NULL && wish->experiment->rows != NULL)
    kept = ls_lab_kept_exactly (wish->experiment, wish->options, TRUE, wish->seconds, wish->rounds, why);
  if (kept != NULL)
    kept->ended = FALSE;
  return kept;
}

/* The result to begin with: the one that was broken off, or an empty one. */
static LsLabResult *
begin (Run *run, GError **error)
{
  const LsLabWish *wish = run->wish;
  g_autoptr (LsLabResult) empty = ls_lab_result_new (wish->experiment, wish->options, error);
  g_autofree char *why = NULL, *begun = NULL;
  LsLabResult *kept;

  if (empty == NULL)
    return NULL;
  for (guint i = 0; i < run->lanes.specs->len; i++)
    if (run->lanes.children[i] != NULL)
      {
        empty->devices[i] = g_strdup (ls_lab_child_title (run->lanes.children[i]));
        empty->keys[i] = g_strdup (ls_lab_child_key (run->lanes.children[i]));
      }
  empty->n_sizes = run->news.n;
  empty->seconds = wish->seconds;
  empty->rounds = wish->rounds;
  empty->busy = run->lanes.busy > LS_MACHINE_BUSY;
  kept = wish->anew ? NULL : to_go_on_with (wish, &why);
  if (why != NULL)
    say (run, TRUE, "%s", why);
  if (kept == NULL)
    return g_steal_pointer (&empty);
  if (!goes_on_with (run, kept, empty))
    {
      say (run, TRUE,
           _("What was broken off on %s was measured on other devices or at other sizes, and isn’t used."),
           kept->date);
      ls_lab_result_unref (kept);
      return g_steal_pointer (&empty);
    }
  kept->busy |= empty->busy;
  kept->n_sizes = run->news.n = count_sizes (kept, run->spots);
  begun = g_steal_pointer (&kept->date);
  kept->date = g_strdup (empty->date);
  run->news.done = kept->tried->len;
  say (run, FALSE, _("Goes on where it was broken off on %s: %u of %u sizes are there."), begun,
       kept->tried->len, kept->n_sizes);
  return kept;
}

/* ---- size by size ---- */

static void
keep (Run *run)
{
  g_autoptr (GError) error = NULL;

  /* where nothing could be measured, what was measured before stays the last */
  if (run->warned || (ls_lab_result_whole (run->news.result) && !ls_lab_result_has_points (run->news.result))
      || ls_lab_keep (run->news.result, &error))
    return;
  run->warned = TRUE;
  say (run, TRUE, _("What is measured can’t be kept for later: %s"), error->message);
}

/* FALSE: it was cancelled meanwhile. */
static gboolean
measure (Run *run, LsLabSpot spot, double seconds)
{
  g_autofree char *what = ls_experiment_spot_text (run->wish->experiment, spot);
  g_autoptr (LsLabResult) next = ls_lab_result_copy (run->news.result);
  LsLabPoint points[LS_MAX_LANES];
  GError *errors[LS_MAX_LANES] = { NULL };
  gboolean cancelled;

  ls_lab_measure (&run->lanes, next, spot, seconds, points, errors);
  cancelled = g_cancellable_is_cancelled (run->lanes.cancel);
  for (guint i = 0; i < next->specs->len; i++)
    {
      if (points[i].rate.n > 0 && errors[i] == NULL) /* of a lane that failed in between there are too few
                                                        turns */
        ls_lab_result_add (next, i, &points[i]);
      if (errors[i] != NULL && !cancelled)
        {
          g_autofree char *title = ls_lab_lane_title (&run->lanes, i),
                          *why = ls_sentence (errors[i]->message);
          ls_lab_result_add_missing (next, i, spot, why);
          say (run, TRUE, "%s, %s: %s", title, what, why);
        }
      g_clear_error (&errors[i]);
    }
  if (cancelled)
    return FALSE;
  g_array_append_val (next->tried, spot);
  ls_lab_result_unref (run->news.result);
  run->news.result = g_steal_pointer (&next);
  run->news.done++;
  keep (run);
  return TRUE;
}

/* Each of one size has its share of the time; of two, as much as shows a difference, and the whole time is
 * the limit. */
static double
spot_seconds (const Run *run)
{
  const LsLabWish *wish = run->wish;

  return wish->experiment->rows == NULL
           ? (double) wish->seconds / run->news.n
           : CLAMP (wish->seconds * ls_experiment_times (wish->experiment) / 60.0, LEAST_SPOT_S, MOST_SPOT_S);
}

static void
measure_all (Run *run)
{
  const gboolean timed = run->wish->experiment->rows != NULL;
  const guint before = run->news.done;
  const double seconds = spot_seconds (run),
               all = run->wish->seconds * ls_experiment_times (run->wish->experiment);
  const guint64 start = ls_clock_ns ();
  LsLabResult *whole;
  LsLabSpot spot, own;
  const gboolean has_own = ls_experiment_own (run->wish->experiment, run->wish->options, &own);

  for (;;)
    {
      const guint done = run->news.done - before;
      const double passed = (double) (ls_clock_ns () - start) / 1e9,
                   each = done > 0 ? passed / done : seconds;

      if (!ls_lab_next (run->news.result, run->spots, has_own ? &own : NULL,
                        timed ? all - passed : G_MAXDOUBLE, &spot))
        break;
      run->news.spot = spot;
      run->news.seconds_left = each * (run->news.n - run->news.done);
      if (timed)
        run->news.seconds_left = MIN (run->news.seconds_left, all - passed);
      run->heard (&run->news, run->data);
      if (!measure (run, spot, seconds))
        break;
    }
  run->news.spot = (LsLabSpot){ 0 };
  run->news.seconds_left = 0;
  if (!timed || g_cancellable_is_cancelled (run->lanes.cancel) || ls_lab_result_whole (run->news.result)
      || !ls_lab_result_has_points (run->news.result))
    return;
  whole = ls_lab_result_copy (run->news.result);
  whole->ended = TRUE;
  ls_lab_result_unref (run->news.result);
  run->news.result = whole;
  keep (run);
}

LsLabResult *
ls_lab_run (const LsLabWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel, GError **error)
{
  g_autoptr (LsOptions) options = ls_lab_options (wish->experiment, wish->options);
  Run run = { .wish = wish, .heard = heard, .data = data };
  g_autoptr (LsLabResult) result = NULL;
  const int lock = ls_lab_lock ();
  gboolean started;

  if (lock < 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("Another program is just measuring here; both would disturb each other."));
      return NULL;
    }
  heard (&run.news, data);
  started = (!wish->experiment->of_network || wish->trains || ls_lab_check_step (wish->options, NULL, error))
            && ls_lab_lanes_start (&run.lanes, options, cancel, error);
  ls_lab_lanes_tell (&run.lanes, tell_cb, &run);
  if (started)
    {
      run.spots = spots_of (&run.lanes, wish);
      run.news.n = run.spots->len;
      run.news.result = begin (&run, error);
    }
  if (run.news.result != NULL)
    {
      measure_all (&run);
      heard (&run.news, data);
      result = run.news.result;
    }
  ls_lab_lanes_clear (&run.lanes);
  g_clear_pointer (&run.spots, g_array_unref);
  close (lock);
  if (result == NULL)
    return NULL;
  if (ls_lab_result_whole (result) && ls_lab_result_has_points (result))
    return g_steal_pointer (&result);
  if (g_cancellable_is_cancelled (cancel))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  else
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("No lane could do any of it."));
  return NULL;
}
