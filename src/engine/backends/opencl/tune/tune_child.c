/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's child: opens the device, goes through the tasks and says what it does. How it searches:
 * tune.h.
 */
#include "config.h"
#include "backends/opencl/tune/tune_task.h"

#include <string.h>

#include "child/say.h"
#include "backends/opencl/tune/tune_job.h"

#define MAX_CANDIDATES 48
#define FINALISTS      4    /* with the shipped one */
#define TURNS          11   /* of the finalists */
#define SHORT_TURNS    5    /* where the time is up */
#define TURN_US        1500 /* a turn repeats its candidate for about so long */
#define LOOKS          3    /* first measurements of a candidate */
#define HOPELESS       3.0  /* times slower than the best: not looked at further */
#define GAIN           0.97 /* of the shipped one's median: what a winner must beat */

typedef struct {
  int fd;
  const LsTuneJob *job;
  LsCl *cl;
  GPtrArray *tasks;
  gint64 end_us; /* of all the time */

  guint number; /* of the task */
  LsTuneTask *task;
  gint64 task_end_us;
  guint n, tried, refused;
  LsTuneCandidate candidates[MAX_CANDIDATES]; /* those that are right; [0] is the shipped one */
  guint best;
  GHashTable *seen; /* words of all candidates so far */
} Tuner;

static void
say_candidate (const Tuner *self, const char *words)
{
  json_t *line = json_object ();

  ls_json_whole (line, "task", self->number);
  ls_json_text (line, "op", self->task->plan->ops[0].klass->name);
  ls_json_text (line, "example", self->task->example);
  ls_json_text (line, "candidate", words);
  ls_json_number (line, "left", MAX ((double) (self->end_us - g_get_monotonic_time ()) / 1e6, 0));
  ls_say (self->fd, line);
}

static gboolean
say_text (int fd, const char *name, const char *text)
{
  json_t *line = json_object ();

  ls_json_text (line, name, text);
  return ls_say (fd, line);
}

static void
say_dropped (const Tuner *self, const char *words, const char *why)
{
  g_autofree char *text = g_strdup_printf ("%s %s, %s: %s", self->task->plan->ops[0].klass->name,
                                           self->task->example, words, why);

  say_text (self->fd, "dropped", text);
}

static void
say_entry (const Tuner *self, const LsTunedEntry *entry)
{
  json_t *line = json_object ();

  ls_json_put (line, "entry", ls_tuned_entry_to_json (entry));
  ls_say (self->fd, line);
}

/* ---- one candidate ---- */

static gboolean
time_is_up (const Tuner *self)
{
  return g_get_monotonic_time () >= self->task_end_us;
}

/* It ended a child before this one, here or at another shape. */
static gboolean
is_skipped (const Tuner *self, const char *words)
{
  g_autofree char *whole = g_strdup_printf ("%s %s", self->task->plan->ops[0].klass->name, words);

  for (guint i = 0; i < self->job->skip->len; i++)
    if (strcmp (self->job->skip->pdata[i], whole) == 0)
      return TRUE;
  return FALSE;
}

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static guint
runs_per_turn (double us)
{
  return (guint) CLAMP (TURN_US / MAX (us, 1), 1, 200);
}

/* Median of a few looks; one look where it is hopeless. The first runs, of building and of verifying, are
 * over. */
static gboolean
look (Tuner *self, LsTuneCandidate *candidate, GError **error)
{
  double us[LOOKS];
  const double best = self->n > 0 ? self->candidates[self->best].us : 0;

  for (guint i = 0; i < LOOKS; i++)
    {
      us[i] = ls_tune_time (self->task, self->cl, i == 0 ? 1 : runs_per_turn (us[0]), error);
      if (us[i] < 0)
        return FALSE;
      if (best > 0 && us[i] > HOPELESS * best)
        {
          candidate->us = us[i];
          return TRUE;
        }
    }
  qsort (us, LOOKS, sizeof *us, compare_doubles);
  candidate->us = us[LOOKS / 2];
  return TRUE;
}

/* Builds, verifies, times. TRUE if it is among the candidates now. */
static gboolean
try_candidate (Tuner *self, const LsTuneCandidate *wanted)
{
  LsTuneCandidate *candidate = &self->candidates[self->n];
  const LsOp *op = &self->task->plan->ops[0];
  g_autoptr (GError) error = NULL;

  *candidate = *wanted;
  candidate->us = 0;
  ls_tune_words (candidate);
  if (self->n == MAX_CANDIDATES - 1 || !g_hash_table_add (self->seen, g_strdup (candidate->words))
      || is_skipped (self, candidate->words)
      || (candidate->row->fits
          && !candidate->row->fits (op, self->task->plan, candidate->values, &self->cl->device->limits)))
    return FALSE;
  say_candidate (self, candidate->words);
  self->tried++;
  if (!ls_tune_install (self->cl, candidate, &error) || !ls_tune_verify (self->task, self->cl, &error)
      || !look (self, candidate, &error))
    {
      self->refused++;
      say_dropped (self, candidate->words, error->message);
      return FALSE;
    }
  if (self->n > 0 && candidate->us < self->candidates[self->best].us)
    self->best = self->n;
  self->n++;
  return TRUE;
}

/* ---- the search ---- */

static void
try_rungs (Tuner *self)
{
  static const char *const rungs[] = { "packed", "register", "tiled", "naive" };
  const LsOp *op = &self->task->plan->ops[0];

  for (guint i = 0; i < G_N_ELEMENTS (rungs) && !time_is_up (self); i++)
    {
      LsTuneCandidate candidate = { 0 };
      candidate.row = ls_cl_kernel_choose (op, self->task->plan, rungs[i], &self->cl->device->limits,
                                           candidate.values);
      if (candidate.row)
        try_candidate (self, &candidate);
    }
}

/* Each parameter's other choices around the best; a better one is where the next parameter starts. */
static void
try_params (Tuner *self)
{
  const LsClKernel *row = self->candidates[self->best].row;

  for (guint p = 0; p < LS_CL_MAX_PARAMS && row->params[p].name; p++)
    {
      const LsTuneCandidate from = self->candidates[self->best];
      for (guint c = 0;
           c < G_N_ELEMENTS (row->params[p].choices) && row->params[p].choices[c] != 0 && !time_is_up (self);
           c++)
        {
          LsTuneCandidate candidate = from;
          candidate.values[p] = row->params[p].choices[c];
          try_candidate (self, &candidate);
        }
    }
}

/* ---- the final ---- */

typedef struct {
  guint n;
  guint who[FINALISTS]; /* who[0] is the shipped one */
  double us[FINALISTS][TURNS];
  guint turns;
} Final;

static void
choose_finalists (const Tuner *self, Final *final)
{
  gboolean taken[MAX_CANDIDATES] = { TRUE };

  final->n = 1;
  final->who[0] = 0;
  while (final->n < FINALISTS)
    {
      guint next = 0;
      for (guint i = 1; i < self->n; i++)
        if (!taken[i] && (next == 0 || self->candidates[i].us < self->candidates[next].us))
          next = i;
      if (next == 0 || self->candidates[next].us > 1.5 * self->candidates[self->best].us)
        return;
      taken[next] = TRUE;
      final->who[final->n++] = next;
    }
}

static gboolean
run_final (Tuner *self, Final *final, GError **error)
{
  for (guint turn = 0; turn < TURNS && (turn < SHORT_TURNS || !time_is_up (self)); turn++)
    {
      for (guint f = 0; f < final->n; f++)
        {
          const LsTuneCandidate *candidate = &self->candidates[final->who[f]];
          double *us = &final->us[f][turn];
          if (turn == 0)
            say_candidate (self, candidate->words);
          if (!ls_tune_install (self->cl, candidate, error)
              || ls_tune_time (self->task, self->cl, 1, error) < 0
              || (*us = ls_tune_time (self->task, self->cl, runs_per_turn (candidate->us), error)) < 0)
            return FALSE;
        }
      final->turns = turn + 1;
    }
  return TRUE;
}

static double
median_of (const double *values, guint n)
{
  g_autofree double *copy = g_memdup2 (values, n * sizeof *values);
  return ls_figure_of_samples (copy, n, "µs").value;
}

/* The finalist with the smallest median; the shipped one, unless that beats it in three turns of four and by
 * GAIN. */
static guint
winner_of (const Final *final)
{
  const double shipped = median_of (final->us[0], final->turns);
  double least = GAIN * shipped;
  guint winner = 0;

  for (guint f = 1; f < final->n; f++)
    {
      double median = median_of (final->us[f], final->turns);
      guint won = 0;
      for (guint t = 0; t < final->turns; t++)
        won += final->us[f][t] < final->us[0][t];
      if (median < least && 4 * won >= 3 * final->turns)
        {
          least = median;
          winner = f;
        }
    }
  return winner;
}

static LsTunedEntry *
make_entry (const Tuner *self, Final *final)
{
  const guint winner = winner_of (final);
  const LsTuneCandidate *candidate = &self->candidates[final->who[winner]];
  const LsOp *op = &self->task->plan->ops[0];
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  LsTunedEntry *entry = g_new0 (LsTunedEntry, 1);

  ls_cl_tuned_key (self->cl, op, self->task->plan, entry);
  entry->source = ls_cl_tuned_source (self->cl->edited, op->klass->name, NULL);
  entry->rung = g_strdup (candidate->row->rung);
  for (guint p = 0; p < LS_CL_MAX_PARAMS && candidate->row->params[p].name; p++)
    {
      entry->params[p].name = g_strdup (candidate->row->params[p].name);
      entry->params[p].value = candidate->values[p];
      entry->n_params = p + 1;
    }
  entry->words = g_strdup (candidate->words);
  entry->shipped_words = g_strdup (self->candidates[0].words);
  entry->example = g_strdup (self->task->example);
  entry->date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%S%:z");
  entry->tried = self->tried;
  entry->refused = self->refused;
  entry->us = ls_figure_of_samples (final->us[winner], final->turns, "µs");
  entry->shipped_us = winner == 0 ? entry->us : ls_figure_of_samples (final->us[0], final->turns, "µs");
  return entry;
}

/* ---- a task ---- */

/* The shipped choice must build and agree with the reference; without it there is nothing to compare bits
 * with. */
static gboolean
try_shipped (Tuner *self)
{
  LsTuneCandidate shipped = { 0 };
  g_autoptr (GError) error = NULL;

  shipped.row = ls_cl_kernel_choose (&self->task->plan->ops[0], self->task->plan, "auto",
                                     &self->cl->device->limits, shipped.values);
  if (shipped.row == NULL)
    return FALSE;
  ls_tune_words (&shipped);
  if (is_skipped (self, shipped.words))
    return FALSE;
  say_candidate (self, shipped.words);
  if (ls_tune_task_start (self->task, self->cl, &error))
    return try_candidate (self, &shipped);
  say_dropped (self, shipped.words, error->message);
  return FALSE;
}

static void
tune (Tuner *self)
{
  g_autoptr (GError) error = NULL;
  Final final = { 0 };

  self->n = self->best = self->tried = self->refused = 0;
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (try_shipped (self))
    {
      try_rungs (self);
      try_params (self);
      choose_finalists (self, &final);
      if (run_final (self, &final, &error))
        {
          g_autoptr (LsTunedEntry) entry = make_entry (self, &final);
          if (entry->source)
            say_entry (self, entry);
        }
      else
        say_dropped (self, self->candidates[0].words, error->message);
    }
  ls_tune_task_stop (self->task);
  g_clear_pointer (&self->seen, g_hash_table_unref);
}

/* What costs most is tuned first, and may take twice its share of the time that is left. */
static gint
by_cost (gconstpointer a, gconstpointer b)
{
  const LsTuneTask *x = *(LsTuneTask *const *) a, *y = *(LsTuneTask *const *) b;
  return x->cost > y->cost ? -1 : x->cost < y->cost ? 1 : 0;
}

static gboolean
make_tasks (Tuner *self, GError **error)
{
  for (guint i = 0; i < self->job->wish.n_plans; i++)
    {
      const LsTunePlan *p = &self->job->wish.plans[i];
      g_autoptr (LsModel) model = ls_model_parse (p->model, error);
      g_autoptr (LsPlan) plan = model
                                  ? ls_plan_new (model, p->shape, p->n_classes, p->batch, p->optimizer, error)
                                  : NULL;
      if (plan == NULL)
        return FALSE;
      ls_tune_task_add (self->tasks, plan);
    }
  g_ptr_array_sort (self->tasks, by_cost);
  return TRUE;
}

static gboolean
open_device (LsCl *cl, guint number, GError **error)
{
  g_autofree char *index = g_strdup_printf ("%u", number);

  cl->devices = ls_cl_devices_new ();
  cl->device = ls_cl_devices_choose (cl->devices, index, error);
  if (cl->device == NULL)
    return FALSE;
  cl->info = ls_device_info_copy (cl->device->info);
  cl->rung = g_strdup ("auto");
  return ls_cl_open_queues (cl, error);
}

gboolean
ls_tune_child (int fd, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneJob) job = ls_tune_job_from_text (text, &error);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tune_task_free);
  json_t *line;
  Tuner self = { .fd = fd, .job = job, .cl = ls_cl_new (0), .tasks = tasks };

  if (job == NULL || !make_tasks (&self, &error) || !open_device (self.cl, job->device, &error))
    return say_text (fd, "error", error ? error->message : text);
  self.end_us = g_get_monotonic_time () + (gint64) job->wish.seconds * G_USEC_PER_SEC;
  line = json_object ();
  ls_json_whole (line, "tasks", tasks->len);
  ls_say (fd, line);
  for (self.number = job->first; self.number < tasks->len; self.number++)
    {
      gint64 now_us = g_get_monotonic_time (), left_us = self.end_us - now_us;
      if (left_us <= 0)
        break;
      self.task = tasks->pdata[self.number];
      self.task_end_us = now_us + MIN (left_us, 2 * left_us / (tasks->len - self.number));
      tune (&self);
    }
  return say_text (fd, "end", "");
}
