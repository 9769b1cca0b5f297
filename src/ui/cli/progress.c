/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line that `train` shows while it works. See progress.h.
 */
#include "config.h"
#include "ui/cli/progress.h"

#include <glib/gi18n.h>
#include <math.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "data/dataset.h"
#include "ui/report/report.h"
#include "ui/report/terminal.h"

#define BAR_MIN  10
#define BAR_MAX  40
#define AGAIN_US (G_USEC_PER_SEC / 10)

struct _LsProgress {
  gboolean live;                /* a terminal: one line, rewritten */
  gboolean shown;               /* that line stands there now */
  gboolean known[LS_MAX_LANES]; /* `state` was announced */
  LsLaneState state[LS_MAX_LANES];
  gboolean waits[LS_MAX_LANES], overdue[LS_MAX_LANES]; /* as announced, and */
  guint64 joined[LS_MAX_LANES];                        /* so is this */
  guint kernels[LS_MAX_LANES];                         /* sets of edited ones that were announced */
  gint tenth;                                          /* newest plain line; −1: none yet */
  guint64 time_ns, work;                               /* when the speed was last taken */
  guint open_lanes;                                    /* and by how many lanes at work */
  double speed;                                        /* lane steps per second, smoothed; 0: unknown */
  char *said;                                          /* the newest words of ls_progress_part(), */
  gint64 said_us;                                      /* and when */
};

LsProgress *
ls_progress_new (void)
{
  LsProgress *self = g_new0 (LsProgress, 1);
  self->live = ls_terminal_is_live ();
  self->tenth = -1;
  return self;
}

void
ls_progress_free (LsProgress *self)
{
  if (self == NULL)
    return;
  ls_progress_clear (self);
  g_free (self->said);
  g_free (self);
}

void
ls_progress_clear (LsProgress *self)
{
  if (self->shown)
    ls_terminal_rewrite ("");
  self->shown = FALSE;
}

static gboolean
is_parked (const LsLaneSnapshot *lane)
{
  return lane->state == LS_LANE_FAILED || lane->state == LS_LANE_HUNG;
}

/* A line when edited kernels are in use, or aren't; the compiler's own words as they are. */
static void
announce_kernels (LsProgress *self, const LsLaneSnapshot *lane)
{
  const char *edited = lane->facts != NULL ? g_hash_table_lookup (lane->facts->device->facts, LS_FACT_EDITED)
                                           : NULL;
  const char *title = lane->spec->title;

  ls_progress_clear (self);
  if (lane->kernels_message != NULL)
    {
      g_autofree char *sentence = ls_sentence (lane->kernels_message);
      ls_terminal_complain (_("%s: the edited kernels aren’t used, those before stay: %s\n"), title,
                            sentence);
    }
  else if (edited != NULL)
    ls_terminal_print (_("%s: kernels rebuilt in %.1f s at step %llu; edited: %s\n"), title, lane->kernels_s,
                       (unsigned long long) lane->rate_from, edited);
  else
    ls_terminal_print (_("%s: the built-in kernels are in use from step %llu on\n"), title,
                       (unsigned long long) lane->rate_from);
}

/* A line each time that a lane becomes something else. */
static void
announce (LsProgress *self, const LsSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      const char *title = lane->spec->title;

      if (lane->kernels_serial != self->kernels[i])
        announce_kernels (self, lane);
      self->kernels[i] = lane->kernels_serial;
      if (self->known[i] && self->state[i] == lane->state)
        continue;
      self->known[i] = TRUE;
      self->state[i] = lane->state;
      if (lane->state == LS_LANE_READY && lane->facts != NULL)
        {
          g_autofree char *device = ls_device_text (lane->facts->device);
          ls_progress_clear (self);
          ls_terminal_print ("%s: %s\n", title, device);
          if (g_hash_table_contains (lane->facts->device->facts, LS_FACT_EDITED))
            ls_terminal_print (
              _("%s: edited kernels: %s\n"), title,
              (const char *) g_hash_table_lookup (lane->facts->device->facts, LS_FACT_EDITED));
        }
      else if (is_parked (lane))
        {
          g_autofree char *sentence = ls_sentence (lane->message);
          ls_progress_clear (self);
          ls_terminal_complain (_("The %s lane is parked: %s\n"), title, sentence);
        }
      else if (lane->state == LS_LANE_BUILDING && !self->live)
        ls_terminal_print (_("%s: preparing, which includes building its kernels\n"), title);
    }
}

/* Whose weights a lane took over that joined late: the first other one that was there. NULL: nobody knows. */
static const char *
joined_to (const LsSnapshot *snapshot, guint lane)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (i != lane && snapshot->lanes[i].steps >= snapshot->lanes[lane].joined)
      return snapshot->lanes[i].spec->title;
  return NULL;
}

/* A line when a lane begins to wait, when the others go on without one, and when one joins them late. */
static void
announce_waits (LsProgress *self, const LsSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      const char *title = lane->spec->title, *other = lane->joined > 0 ? joined_to (snapshot, i) : NULL;

      if (lane->waits && !self->waits[i] && !self->live)
        ls_terminal_print (ngettext ("%s: %llu step trained; it goes on when the others are ready\n",
                                     "%s: %llu steps trained; it goes on when the others are ready\n",
                                     (gulong) lane->steps),
                           title, (unsigned long long) lane->steps);
      if ((lane->overdue && !self->overdue[i]) || (other != NULL && lane->joined != self->joined[i]))
        ls_progress_clear (self);
      if (lane->overdue && !self->overdue[i])
        ls_terminal_print (_("%s is still getting ready; the others go on without it\n"), title);
      if (other != NULL && lane->joined != self->joined[i])
        ls_terminal_print (_("%s joined after step %llu with the weights of %s\n"), title,
                           (unsigned long long) lane->joined, other);
      self->waits[i] = lane->waits;
      self->overdue[i] = lane->overdue;
      self->joined[i] = lane->joined;
    }
}

/* How much a line says, so that it fits. */
typedef enum { LONG, SHORT, SHORTEST } Length;

/* LONG: "CPU 606 loss 0.1234, 110070 samples/s"; SHORT: "CPU 0.1234 110k/s"; SHORTEST: "CPU 0.1234" */
static void
append_ready (GString *text, const LsLaneSnapshot *lane, Length length)
{
  if (length == LONG)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT, lane->steps);
  if (lane->steps == 0)
    return;
  g_string_append_printf (text, length == LONG ? _(" loss %.4f") : " %.4f", (double) lane->loss);
  if (lane->rate.n > 0 && length == LONG)
    g_string_append_printf (
      text, ls_figure_stands (&lane->rate) ? _(", %.0f samples/s") : _(", %.0f samples/s so far"),
      lane->rate.value);
  else if (ls_figure_stands (&lane->rate) && length == SHORT)
    g_string_append_printf (text, lane->rate.value < 1e4 ? " %.0f/s" : " %.0fk/s",
                            lane->rate.value / (lane->rate.value < 1e4 ? 1 : 1e3));
}

/* LONG: ": compiling gemm_packed, 3 of 6 kernels, about 2 s left"; SHORT: ": compiling, 3 of 6, 2 s left";
 * SHORTEST: ": 3 of 6" */
static void
append_build (GString *text, const LsLaneSnapshot *lane, Length length)
{
  const LsBuild *build = lane->build;
  guint done = lane->build_done, total = lane->build_total;
  const char *kernel = NULL;

  if (build != NULL)
    ls_build_count (build, &done, &total);
  for (guint i = 0; build != NULL && i < build->n_ops && kernel == NULL; i++)
    if (build->ops[i].state == LS_BUILD_RUNNING)
      kernel = build->ops[i].kernel;
  if (length == LONG && kernel != NULL)
    g_string_append_printf (
      text, ngettext (": compiling %s, %u of %u kernel", ": compiling %s, %u of %u kernels", total), kernel,
      done, total);
  else if (length == LONG)
    g_string_append_printf (text, ngettext (": %u of %u kernel built", ": %u of %u kernels built", total),
                            done, total);
  else
    g_string_append_printf (text, length == SHORT ? _(": compiling, %u of %u") : _(": %u of %u"), done,
                            total);
  if (build != NULL && isfinite (build->left_s) && done < total && length < SHORTEST)
    g_string_append_printf (text, length == LONG ? _(", about %.0f s left") : _(", %.0f s left"),
                            MAX (1, build->left_s));
}

/* "CPU waits after 20 steps · OpenCL: compiling gemm_packed, 3 of 6 kernels, about 2 s left" */
static char *
lanes_text (const LsSnapshot *snapshot, Length length)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];

      if (is_parked (lane))
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", lane->spec->title);
      if (lane->state == LS_LANE_BUILDING && (lane->build != NULL || lane->build_total > 0))
        append_build (text, lane, length);
      else if (lane->waits && length < SHORTEST)
        g_string_append_printf (
          text, ngettext (" waits after %llu step", " waits after %llu steps", (gulong) lane->steps),
          (unsigned long long) lane->steps);
      else if (lane->state == LS_LANE_READY)
        {
          append_ready (text, lane, length);
          if (lane->busy_s > 0)
            g_string_append_printf (
              text, lane->builds ? _(", building for %.0f s") : _(", no answer for %.0f s"), lane->busy_s);
          if (lane->kernels_coming && lane->build_total > 0 && length == LONG)
            g_string_append_printf (text, _(", building %u of %u"),
                                    MIN (lane->build_done + 1, lane->build_total), lane->build_total);
        }
      else
        g_string_append (text, lane->state == LS_LANE_BUILDING ? _(": preparing") : _(": opening"));
    }
  return g_string_free (text, FALSE);
}

/* Steps that all lanes at work have done. */
static guint64
common_step (const LsSnapshot *snapshot)
{
  guint64 step = G_MAXUINT64;

  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].state == LS_LANE_READY)
      step = MIN (step, snapshot->lanes[i].steps);
  return step < G_MAXUINT64 ? step : 0;
}

/* How much of the way is gone, counting the steps of all lanes that may still do theirs. What is left is told
 * once all of them are at work: how long a driver takes to build its kernels nobody knows. */
static double
measure (LsProgress *self, const LsSnapshot *snapshot, double *seconds_left)
{
  guint64 work = 0;
  guint lanes = 0, open_lanes = 0;
  double seconds = (double) (snapshot->time_ns - self->time_ns) / 1e9;

  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (!is_parked (&snapshot->lanes[i]))
      {
        lanes++;
        open_lanes += snapshot->lanes[i].state == LS_LANE_READY;
        work += snapshot->lanes[i].steps;
      }

  if (self->time_ns == 0 || work < self->work || open_lanes != self->open_lanes)
    {
      self->time_ns = snapshot->time_ns;
      self->work = work;
      self->open_lanes = open_lanes;
      self->speed = 0;
    }
  else if (seconds >= 0.5)
    {
      double now = (double) (work - self->work) / seconds;
      self->speed = self->speed > 0 ? 0.7 * self->speed + 0.3 * now : now;
      self->time_ns = snapshot->time_ns;
      self->work = work;
    }

  *seconds_left = self->speed > 0 && open_lanes == lanes
                    ? (double) (lanes * snapshot->target - work) / self->speed
                    : -1;
  return lanes > 0 && snapshot->target > 0 ? (double) work / (double) (lanes * snapshot->target) : 0;
}

/* What stands beside the bar. */
static char *
tail_text (const LsSnapshot *snapshot, double part, const char *left, Length length)
{
  g_autofree char *lanes = lanes_text (snapshot, length);

  if (length == LONG)
    return g_strdup_printf (
      ngettext (" %3.0f %% of %llu step · %s%s", " %3.0f %% of %llu steps · %s%s", (gulong) snapshot->target),
      floor (100 * part), (unsigned long long) snapshot->target, lanes, left);
  return g_strdup_printf (_(" %llu of %llu · %s%s"), (unsigned long long) common_step (snapshot),
                          (unsigned long long) snapshot->target, lanes, left);
}

static void
append_bar (GString *line, double part, gint width)
{
  const gint full = (gint) (part * width);

  g_string_append_c (line, '[');
  for (gint i = 0; i < width; i++)
    g_string_append_c (line, i < full ? '#' : '-');
  g_string_append_c (line, ']');
}

static void
show_live (LsProgress *self, const LsSnapshot *snapshot, double part, const char *left)
{
  gint width = ls_terminal_width () - 1, bar = 0;
  g_autofree char *tail = NULL;
  g_autoptr (GString) line = g_string_new (NULL);

  for (Length length = LONG; length <= SHORTEST && bar < BAR_MIN; length++)
    {
      g_free (tail);
      tail = tail_text (snapshot, part, left, length);
      bar = MIN (width - ls_text_width (tail) - 2, BAR_MAX);
    }
  if (bar >= BAR_MIN)
    {
      append_bar (line, part, bar);
      width -= bar + 2;
    }
  /* On a narrow terminal cut, rather than wrapped: a wrapped line can't be rewritten. */
  for (const char *c = tail; *c != '\0' && width-- > 0; c = g_utf8_next_char (c))
    g_string_append_len (line, c, g_utf8_next_char (c) - c);
  ls_terminal_rewrite (line->str);
  self->shown = TRUE;
}

void
ls_progress_update (LsProgress *self, const LsSnapshot *snapshot)
{
  double seconds_left, part = measure (self, snapshot, &seconds_left);
  g_autofree char *duration = ls_duration_text (seconds_left);
  g_autofree char *left = seconds_left >= 0 ? g_strdup_printf (_(" · %s left"), duration) : g_strdup ("");

  announce (self, snapshot);
  announce_waits (self, snapshot);
  if (self->live)
    {
      show_live (self, snapshot, part, left);
      return;
    }
  if ((gint) (10 * part) > self->tenth && part > 0)
    {
      g_autofree char *lanes = lanes_text (snapshot, LONG);
      self->tenth = (gint) (10 * part);
      ls_terminal_print (ngettext ("%.0f %% of %llu step · %s%s\n", "%.0f %% of %llu steps · %s%s\n",
                                   (gulong) snapshot->target),
                         floor (100 * part), (unsigned long long) snapshot->target, lanes,
                         part < 1 ? left : "");
    }
}

/* ---- any other work ---- */

void
ls_progress_part (LsProgress *self, const char *words, guint done, guint total)
{
  const gint64 now_us = g_get_monotonic_time ();
  const gboolean other = g_strcmp0 (self->said, words) != 0;

  if (!other && (!self->live || now_us - self->said_us < AGAIN_US))
    return;
  if (other)
    {
      g_free (self->said);
      self->said = g_strdup (words);
    }
  self->said_us = now_us;
  if (!self->live)
    ls_terminal_print ("%s\n", words);
  else
    {
      const double part = total > 0 ? (double) done / total : 0;
      g_autoptr (GString) line = g_string_new (NULL);

      append_bar (line, part, BAR_MIN);
      g_string_append_printf (line, " %s, %.0f %%", words, floor (100 * part));
      ls_terminal_rewrite (line->str);
      self->shown = TRUE;
    }
}

/* ---- reading data ---- */

#define PATIENCE_US G_USEC_PER_SEC

typedef struct {
  gint64 begin_us, shown_us;
  gint tenth;
} Reading;

static void
reading_cb (double done, gpointer data)
{
  Reading *reading = data;
  const gint64 now_us = g_get_monotonic_time ();

  if (reading->begin_us == 0)
    reading->begin_us = now_us;
  if (done < 1 && (now_us - reading->begin_us < PATIENCE_US || now_us - reading->shown_us < AGAIN_US))
    return;
  if (ls_terminal_is_live () && (done < 1 || reading->shown_us > 0))
    {
      g_autoptr (GString) bar = g_string_new (NULL), line = g_string_new (NULL);

      append_bar (bar, done, BAR_MIN);
      g_string_printf (line, _("%s reading the data, %.0f %%"), bar->str, floor (100 * done));
      ls_terminal_rewrite (done < 1 ? line->str : "");
    }
  else if (!ls_terminal_is_live () && done < 1 && (gint) (10 * done) > reading->tenth)
    ls_terminal_print (_("Reading the data: %.0f %%\n"), floor (100 * done));
  reading->tenth = (gint) (10 * done);
  reading->shown_us = now_us;
  if (done >= 1)
    *reading = (Reading){ 0 };
}

void
ls_progress_of_reading (LsDataRequest *request)
{
  static Reading reading; /* a command reads one after the other */

  request->progress = reading_cb;
  request->progress_data = &reading;
}
