/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control thread: takes the owner's commands, has jobs handed out (schedule.c) and collected (collect.c).
 * It never waits for a lane; it waits for the signal, and looks at what has happened.
 */
#include <string.h>

#include "backends/kernel_files.h"
#include "train/private.h"

#define COMING_MS   100   /* a lane that builds is looked at as often */
#define WAKE_MS     17    /* until the next snapshot may be published */
#define SLEEP_MS    60000 /* when nothing is expected */
#define LATE_MS     500   /* a wait that took so much longer than it was to: the program didn't run */
#define LAST_JOB_MS 1000  /* what a lane may take to end its last job */
#define GOODBYE_MS  800   /* and to close its device */
#define PAUSE_MS                                                                                             \
  1000 /* once paused a lane is waited for so long, and twice the time that its job should take */

/* Whether an option but the pace's changes that is something to lanes of that backend; NULL: to any. */
static gboolean
changes (const LsOptions *before, const LsOptions *after, const LsBackend *backend)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *was = ls_options_get (before, &rows[i]), *is = ls_options_get (after, &rows[i]);
      if (rows[i].effect == LS_OPTION_LIVE && !(rows[i].group & LS_OPTION_GROUP_PACE)
          && (backend == NULL || ls_lane_concerned (backend, &rows[i])) && g_strcmp0 (was, is) != 0)
        return TRUE;
    }
  return FALSE;
}

/* The lanes' specs with self's options, and those of their own that `lanes` has, if it lists the same lanes.
 */
static GPtrArray *
take_specs (LsCoordinator *self, const char *lanes)
{
  g_autoptr (GPtrArray) now = g_ptr_array_new (), specs = NULL;
  g_autoptr (LsOptions) options = ls_options_copy (self->options);

  LANES (self, control)
    g_ptr_array_add (now, control->spec);
  ls_options_set (options, ls_options_find ("lanes"), lanes, NULL);
  specs = ls_lane_specs_new (options, NULL);
  if (specs == NULL || !ls_lane_specs_alike (specs, now))
    return ls_lane_specs_again (now, self->options);
  ls_options_set (self->options, ls_options_find ("lanes"), lanes, NULL);
  return g_steal_pointer (&specs);
}

/* A pace is nothing to lanes; other options make them ready for their next step anew. */
static void
take_options (LsCoordinator *self, const LsOptions *options)
{
  const gboolean pace = self->options->pace != options->pace && !changes (self->options, options, NULL)
                        && strcmp (self->options->lanes, options->lanes) == 0;
  g_autoptr (GPtrArray) specs = NULL;

  ls_options_take_live (self->options, options);
  specs = take_specs (self, options->lanes);
  for (guint s = 0; s < self->n_lanes; s++)
    {
      LsLaneControl *control = &self->lanes[s];
      LsLaneSpec *spec = specs->pdata[s];

      control->options.configure |= !pace;
      control->options.affected |= changes (control->spec->options, spec->options, spec->backend);
      ls_lane_spec_unref (control->spec);
      control->spec = ls_lane_spec_ref (spec);
    }
}

/* Others than steps are wanted: an evaluation would go through the whole test set first. */
static void
hurry (LsCoordinator *self, gboolean pause)
{
  const guint64 now_ns = ls_clock_ns ();

  LANES (self, control)
    {
      if (control->stage != LS_STAGE_BUSY)
        continue;
      if (control->lane->request.kind == LS_JOB_EVALUATE)
        ls_lane_interrupt (control->lane);
      if (pause)
        control->watch.slow_ns = MIN (control->watch.slow_ns,
                                      now_ns + PAUSE_MS * 1000000u + 2 * control->watch.expected_ns);
    }
}

static void
take_commands (LsCoordinator *self, gboolean *quit)
{
  LsCommands want;

  pthread_mutex_lock (&self->mutex);
  want = self->want;
  if (self->seen_serial == want.serial && !want.quit)
    {
      pthread_mutex_unlock (&self->mutex);
      return;
    }
  self->seen_serial = want.serial;
  self->running = want.running;
  self->target = MIN (want.target, LS_CURVE_MAX);
  self->cut = want.target > LS_CURVE_MAX;
  *quit = want.quit;
  ls_coordinator_aim_last (self, want.record);
  self->want = (LsCommands){
    .serial = want.serial, .target = self->want.target, .running = self->want.running, .quit = want.quit
  };
  pthread_mutex_unlock (&self->mutex);
  if (!want.running || want.quit || want.options != NULL || want.request != LS_JOB_NONE)
    hurry (self, !want.running || want.quit);
  if (want.request != LS_JOB_NONE)
    {
      self->request = want.request;
      LANES (self, control)
        control->answers.request = FALSE;
    }
  if (want.options)
    take_options (self, want.options);
  ls_options_free (want.options);
  if (want.question)
    {
      ls_question_unref (self->question);
      self->question = want.question;
      self->question_number++;
    }
  if (want.next)
    ls_coordinator_ask_next (self, want.next_tensors);
  if (want.walk)
    self->walk_wish = want.walk_wish;
  self->hold |= want.hold;
  if (want.kernels)
    ls_coordinator_take_kernels (self, want.kernels);
  ls_kernel_files_unref (want.kernels);
  if (want.retry)
    ls_coordinator_reopen (self);
  ls_coordinator_choose_turns (self);
}

/* Nothing is left to do: paused or done, or nobody is left who could. A lane that is still coming will do its
 * steps; a request is for those that are there, if any is. A step that is to be recorded may have to wait for
 * a lane that comes (waiting.c), or for a slow one. TRUE if that has been told, with the snapshot to go with
 * it. */
static gboolean
tell_idle (LsCoordinator *self)
{
  gboolean any_coming = FALSE, any_working = FALSE, any_slow = FALSE;
  guint answered = 0;

  LANES (self, control)
    {
      any_coming |= ls_control_coming (control);
      any_working |= ls_control_working (control);
      any_slow |= control->stage == LS_STAGE_BUSY;
      if (self->request != LS_JOB_NONE && ls_control_working (control) && control->answers.request)
        answered |= ls_control_bit (control);
    }
  if (self->idle_serial == self->seen_serial || (any_coming && self->running)
      || ls_coordinator_kernels_coming (self) || ((any_coming || any_slow) && self->next_asked)
      || (any_coming && self->request != LS_JOB_NONE && !any_working))
    return FALSE;
  self->request = LS_JOB_NONE;
  ls_coordinator_finish_records (self, TRUE);
  /* What nobody works on any more is shown as it is. */
  ls_coordinator_show_walked (self);
  /* First the snapshot: whoever wakes takes it. */
  ls_coordinator_publish (self, TRUE);
  self->load.whole = FALSE; /* a run that has reached its end is still wished for, but nobody trains */
  pthread_mutex_lock (&self->mutex);
  self->answered = answered;
  self->idle_serial = self->seen_serial;
  pthread_cond_broadcast (&self->idle_cond);
  pthread_mutex_unlock (&self->mutex);
  return TRUE;
}

static guint64
ms_until (guint64 ns)
{
  const guint64 now_ns = ls_clock_ns ();

  return ns > now_ns ? (ns - now_ns) / 1000000 + 1 : 0;
}

/* How long may be waited: until a deadline, until what has changed may be published, and no longer than the
 * display of a lane that builds stays fresh. */
static guint
wait_ms (LsCoordinator *self, gboolean published)
{
  guint64 ms = published ? SLEEP_MS : WAKE_MS;

  if (self->pacer.rests && self->pacer.next_ns != G_MAXUINT64)
    ms = MIN (ms, ms_until (self->pacer.next_ns));
  LANES (self, control)
    {
      if (control->kernels.trial != NULL)
        ms = MIN (ms, COMING_MS);
      if (!ls_control_at_job (control) && control->stage != LS_STAGE_CLOSING)
        continue;
      ms = MIN (ms, ms_until (control->watch.deadline_ns));
      if (control->stage == LS_STAGE_BUSY)
        ms = MIN (ms, ls_control_slow (control) ? COMING_MS : ms_until (control->watch.slow_ns));
      if (ls_control_at_job (control) && ls_control_coming (control))
        ms = MIN (ms, COMING_MS);
    }
  return (guint) ms;
}

/* The time from which this look at the lanes judges. If much more passed since the last one than was to be
 * waited, the program was stopped (Ctrl-Z, a paused machine) or got no processor, and so did the lanes: that
 * time isn't taken from their patience. */
static void
look_at_clock (LsCoordinator *self, guint waited_ms)
{
  const guint64 now_ns = ls_clock_ns (), passed_ns = now_ns - self->looked_ns;

  self->looked_ns = now_ns;
  if (passed_ns < ((guint64) waited_ms + LATE_MS) * 1000000)
    return;
  LANES (self, control)
    {
      control->watch.open_ns += passed_ns;
      control->watch.slow_ns += passed_ns;
      control->watch.deadline_ns += passed_ns;
    }
}

/* Waits until all lanes of `here` (bit s: lane s) are done, but no longer than that; those that aren't. */
static guint
wait_for (LsCoordinator *self, guint here, guint ms)
{
  const guint64 until_ns = ls_clock_ns () + (guint64) ms * 1000000;
  guint64 seen = 0;

  for (;;)
    {
      LANES (self, control)
        if (here & ls_control_bit (control) && ls_lane_done (control->lane))
          here &= ~ls_control_bit (control);
      if (here == 0 || ls_clock_ns () > until_ns)
        return here;
      ls_signal_wait (self->signal, &seen, 100);
    }
}

/* Lets lanes finish what they do, then sends them home; one that doesn't answer is left behind. A driver that
 * is just being opened can't be hurried: it is left behind at once. */
static void
dismiss (LsCoordinator *self)
{
  const guint64 now_ns = ls_clock_ns ();
  guint64 until_ns = now_ns;
  guint here = 0, busy = 0, late;

  LANES (self, control)
    {
      if (control->stage == LS_STAGE_NONE || control->stage == LS_STAGE_HUNG)
        continue;
      if (ls_control_at_job (control) && ls_control_coming (control) && !ls_lane_done (control->lane))
        {
          ls_lane_abandon (control->lane);
          continue;
        }
      here |= ls_control_bit (control);
      if (ls_control_at_job (control))
        {
          busy |= ls_control_bit (control);
          until_ns = MAX (until_ns, control->watch.deadline_ns);
        }
    }
  late = wait_for (self, busy, (guint) MIN ((until_ns - now_ns) / 1000000, LAST_JOB_MS));
  LANES (self, control)
    if (late & ls_control_bit (control))
      ls_lane_abandon (control->lane);
    else if (here & ls_control_bit (control) && control->stage != LS_STAGE_CLOSING)
      ls_lane_post (control->lane, &(LsRequest){ .kind = LS_JOB_QUIT });
  wait_for (self, here & ~late, GOODBYE_MS);
}

void *
ls_coordinator_control (void *data)
{
  LsCoordinator *self = data;
  guint64 seen = 0;
  gboolean quit = FALSE, published;
  guint waited_ms = 0;

  self->run_start_ns = self->looked_ns = ls_clock_ns ();
  LANES (self, control)
    if (control->stage == LS_STAGE_OPENING)
      ls_coordinator_open (self, control);
  for (;;)
    {
      take_commands (self, &quit);
      if (quit)
        break;
      look_at_clock (self, waited_ms);
      ls_coordinator_collect (self);
      if (!ls_coordinator_schedule (self) && tell_idle (self))
        published = TRUE;
      else
        published = ls_coordinator_publish (self, FALSE);
      waited_ms = wait_ms (self, published);
      ls_signal_wait (self->signal, &seen, waited_ms);
    }
  dismiss (self);
  return NULL;
}
