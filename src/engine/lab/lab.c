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
#include "trace/event.h"

typedef struct {
  const LsLabWish *wish;
  LsLabHeard heard;
  gpointer data;
  LsLabLanes lanes;
  LsLabNews news;
  guint sizes[LS_LAB_MAX_SIZES]; /* coarse first */
  gboolean warned;               /* that it can't be kept */
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

/* That a lane has at most; PoCL can be told any number (lanes.c), and other devices say that they can't. */
static guint
most_threads (const LsLabLanes *lanes)
{
  guint most = 1;

  for (guint i = 0; i < lanes->specs->len; i++)
    if (lanes->children[i] != NULL)
      {
        const gboolean cpu = ((const LsLaneSpec *) lanes->specs->pdata[i])->backend->kind == LS_BACKEND_CPU;
        most = MAX (most, cpu ? ls_lab_child_threads (lanes->children[i]) : g_get_num_processors ());
      }
  return most;
}

/* On these devices, and of these sizes. */
static gboolean
goes_on_with (const Run *run, const LsLabResult *kept, const LsLabResult *now)
{
  gboolean same = kept->n_sizes == now->n_sizes;

  for (guint i = 0; i < now->specs->len; i++)
    same = same && g_strcmp0 (kept->keys[i], now->keys[i]) == 0;
  for (guint i = 0; i < kept->tried->len; i++)
    {
      gboolean known = FALSE;
      for (guint j = 0; j < run->news.n; j++)
        known |= run->sizes[j] == g_array_index (kept->tried, guint, i);
      same = same && known;
    }
  return same;
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
  kept = wish->anew
           ? NULL
           : ls_lab_kept_exactly (wish->experiment, wish->options, FALSE, wish->seconds, wish->rounds, &why);
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
measure (Run *run, guint size, double seconds)
{
  g_autofree char *what = ls_experiment_point_text (run->wish->experiment, size);
  g_autoptr (LsLabResult) next = ls_lab_result_copy (run->news.result);
  LsLabPoint points[LS_MAX_LANES];
  GError *errors[LS_MAX_LANES] = { NULL };
  gboolean cancelled;

  ls_lab_measure (&run->lanes, next, size, seconds, points, errors);
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
          say (run, TRUE, "%s, %s: %s", title, what, why);
        }
      g_clear_error (&errors[i]);
    }
  if (cancelled)
    return FALSE;
  g_array_append_val (next->tried, size);
  ls_lab_result_unref (run->news.result);
  run->news.result = g_steal_pointer (&next);
  run->news.done++;
  keep (run);
  return TRUE;
}

static void
measure_all (Run *run)
{
  const guint n = run->news.n, before = run->news.done;
  const double seconds = (double) run->wish->seconds / n;
  const guint64 start = ls_clock_ns ();

  for (guint i = 0; i < n; i++)
    {
      const guint done = run->news.done - before;
      const double each = done > 0 ? (double) (ls_clock_ns () - start) / 1e9 / done : seconds;

      if (ls_lab_result_tried (run->news.result, run->sizes[i]))
        continue;
      run->news.size = run->sizes[i];
      run->news.seconds_left = each * (n - run->news.done);
      run->heard (&run->news, run->data);
      if (!measure (run, run->sizes[i], seconds))
        break;
    }
  run->news.size = 0;
  run->news.seconds_left = 0;
}

LsLabResult *
ls_lab_run (const LsLabWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel, GError **error)
{
  g_autoptr (LsOptions) options = ls_lab_options (wish->options);
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
  started = ls_lab_lanes_start (&run.lanes, options, cancel, error);
  ls_lab_lanes_tell (&run.lanes, tell_cb, &run);
  if (started)
    {
      run.news.n = wish->experiment->sizes (most_threads (&run.lanes), run.sizes);
      ls_lab_coarse_first (run.sizes, run.news.n);
      run.news.result = begin (&run, error);
    }
  if (run.news.result != NULL)
    {
      measure_all (&run);
      heard (&run.news, data);
      result = run.news.result;
    }
  ls_lab_lanes_clear (&run.lanes);
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
