/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep train`: the same steps on all lanes, watched, and saved.
 *
 * Ctrl-C: the lanes finish their step, what was asked for is saved, and the exit status is 130. A second
 * Ctrl-C finds the signal as it was before and ends the program.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "data/defaults.h"
#include "data/recorded_run.h"
#include "files/output.h"
#include "lab/kept.h"
#include "train/coordinator.h"
#include "ui/cli/command.h"
#include "ui/cli/interrupt.h"
#include "ui/cli/progress.h"
#include "ui/report/json_out.h"
#include "ui/report/report.h"
#include "ui/report/terminal.h"

#define TICK_MS     100
#define LAST_FINITE ".last-finite" /* after the name that --save gives */
#define LOOK_US     G_USEC_PER_SEC /* between two looks at the kernels' folder */

static const LsCommandOption own[] = {
  { "save", N_("FILE"), N_("Write the trained weights, as safetensors that PyTorch loads"), TRUE },
  { "save-as", N_("NAME"), N_("What --save stores each number in: fp32, bf16 or fp16; fp32 loses none") },
  { "save-initial", N_("FILE"), N_("Write the initial weights, before the first step"), TRUE },
  { "from", N_("RECORDING"),
    N_("Train this recording’s network, on its data, with its batch, optimizer, rates and seed; what else "
        "is given "
        "counts more") },
  { "load", N_("FILE"), N_("Start from these weights instead of the seed's") },
  { "record", N_("FILE"),
    N_("Record the last step, for the window, “lockstep render” and “lockstep export”"), TRUE },
  { "json", N_("FILE"), N_("Write the whole report, with every step's loss"), TRUE },
  { NULL },
};

/* Where the recording's data aren't there, those that are taken otherwise will do if they fit. */
static gboolean
take_from (const char *path, LsOptions *options, GError **error)
{
  g_autoptr (LsRecording) recording = ls_recording_load (path, error);
  g_autoptr (LsOptions) before = ls_options_copy (options);
  g_autofree char *sentence = NULL;
  gint64 shape[3];
  gint n_classes;

  if (recording == NULL)
    return FALSE;
  ls_recorded_run_take (recording, FALSE, options);
  if (strcmp (options->data, before->data) != 0 && !ls_data_look (options->data)
      && ls_data_shape (before->data, shape, &n_classes))
    {
      sentence = ls_recorded_run_instead (recording, options->data, before->data, shape, n_classes, error);
      if (sentence == NULL)
        return FALSE;
      ls_terminal_complain ("%s\n", sentence);
      ls_recorded_run_other_data (options, before);
    }
  ls_data_suggest (options, 0, 0);
  return TRUE;
}

static LsCoordinator *
prepare (const LsArguments *arguments, GError **error)
{
  const char *from = ls_arguments_get (arguments, "from"), *load = ls_arguments_get (arguments, "load"),
             *save = ls_arguments_get (arguments, "save"),
             *initial = ls_arguments_get (arguments, "save-initial");
  LsDataRequest request;
  g_autofree char *last_finite = save != NULL ? g_strconcat (save, LAST_FINITE, NULL) : NULL;
  g_autoptr (LsCoordinator) coordinator = NULL;
  LsPrecision as;

  if (!ls_arguments_precision (arguments, "save-as", "save", &as, error))
    return NULL;
  if (save != NULL && !ls_file_try_save (last_finite, error))
    return NULL;

  if (from != NULL && !take_from (from, arguments->options, error))
    return NULL;
  request = ls_data_request (arguments->options);
  ls_progress_of_reading (&request);
  coordinator = ls_coordinator_new_with_data (arguments->options, &request, NULL, error);
  if (coordinator == NULL)
    return NULL;
  /* only now what lies at a path is known */
  ls_data_suggest (arguments->options, 0, ls_coordinator_data (coordinator)->train.n);
  if (save != NULL && !ls_coordinator_check_weights (coordinator, save, as, error))
    return NULL;
  if (load != NULL && !ls_coordinator_load_weights (coordinator, load, error))
    return NULL;
  if (initial != NULL && !ls_coordinator_save_initial (coordinator, initial, error))
    return NULL;
  return g_steal_pointer (&coordinator);
}

static void
print_head (LsCoordinator *coordinator, const LsOptions *options, guint64 steps)
{
  const LsPlan *plan = ls_coordinator_plan (coordinator);
  const LsData *data = ls_coordinator_data (coordinator);
  const char *name = plan->model->name;
  g_autofree char *times = NULL, *samples = NULL;
  gint64 parameters = 0;

  for (guint i = 0; i < plan->n_params; i++)
    parameters += ls_tensor_count (&plan->tensors[plan->params[i].weight]);
  ls_terminal_print (_("Model %s%s%s (%lld parameters)\n"), name != NULL ? name : "",
                     name != NULL ? ": " : "", plan->model->text, (long long) parameters);
  ls_terminal_print (_("Data %s: %lld samples to train, %lld to test, %d classes\n"), data->name,
                     (long long) data->train.n, (long long) data->test.n, data->n_classes);
  times = g_strdup_printf (ngettext ("%llu step", "%llu steps", (gulong) steps), (unsigned long long) steps);
  samples = g_strdup_printf (ngettext ("of %u sample", "of %u samples", (gulong) options->batch),
                             (guint) options->batch);
  if (options->optimizer == LS_OPTIMIZER_SGD)
    /* "20 steps", "of 16 samples" */
    ls_terminal_print (_("%s %s, sgd, learning rate %g, momentum %g, seed %lld\n"), times, samples,
                       options->lr, options->momentum, (long long) options->seed);
  else
    ls_terminal_print (_("%s %s, adam, learning rate %g, seed %lld\n"), times, samples, options->lr,
                       (long long) options->seed);
}

static gboolean
is_given (const LsOptions *options, const char *name)
{
  return ls_options_is_given (options, ls_options_find (name));
}

/* What follows from data and batch, where it isn't what it always is. */
static void
print_chosen (const LsOptions *options, const char *model)
{
  const LsDataDefaults *usual = ls_data_defaults (options->data);
  g_autofree char *data = g_filename_display_basename (options->data);

  if (!is_given (options, "model") && g_strcmp0 (model, ls_options_find ("model")->default_text) != 0)
    ls_terminal_print (_("The network is the one that suits %s; --model takes another.\n"), data);
  if (is_given (options, "lr"))
    return;
  if (options->batch < LS_DEFAULT_LR_BATCH)
    ls_terminal_print (_("The learning rate follows batches below %d: %g × %d / %d; --lr takes another.\n"),
                       LS_DEFAULT_LR_BATCH, ls_data_usual_lr (options), (int) options->batch,
                       LS_DEFAULT_LR_BATCH);
  else if (options->optimizer == LS_OPTIMIZER_ADAM)
    ls_terminal_print (_("The learning rate is %g, which suits adam on %s; --lr takes another.\n"),
                       usual->adam_lr, data);
  else if (usual->lr > ls_data_defaults ("mnist")->lr || usual->lr < ls_data_defaults ("mnist")->lr)
    ls_terminal_print (_("The learning rate is the one that suits %s; --lr takes another.\n"), data);
}

/* Hands the lanes what was saved in LOCKSTEP_KERNEL_DIR, which was *known before. */
static void
look_for_kernels (LsCoordinator *coordinator, LsProgress *progress, const char *folder, guint64 *known)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernelFiles) files = ls_kernel_files_read_changed (folder, known, &error);

  if (files != NULL)
    ls_coordinator_reload_kernels (coordinator, files);
  if (error == NULL)
    return;
  g_autofree char *sentence = ls_sentence (error->message);
  ls_progress_clear (progress);
  ls_terminal_complain (_("The kernels before stay in use: %s\n"), sentence);
}

/* Of the lanes that work. */
static guint64
least_steps (const LsSnapshot *snapshot)
{
  guint64 least = G_MAXUINT64;

  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].state == LS_LANE_READY)
      least = MIN (least, snapshot->lanes[i].steps);
  return least;
}

/* Lets the lanes work; returns the last snapshot. */
static LsSnapshot *
watch (LsCoordinator *coordinator)
{
  g_autoptr (LsProgress) progress = ls_progress_new ();
  LsSnapshot *newest = NULL;
  gboolean done = FALSE, stopping = FALSE;
  const char *folder = g_getenv ("LOCKSTEP_KERNEL_DIR");
  const gboolean edited = folder != NULL && *folder != '\0';
  guint64 known = edited ? ls_kernel_files_stamp (folder) : 0;
  gint64 look_us = g_get_monotonic_time () + LOOK_US;

  while (!done)
    {
      LsSnapshot *next;

      if (edited && g_get_monotonic_time () >= look_us)
        {
          look_for_kernels (coordinator, progress, folder, &known);
          look_us = g_get_monotonic_time () + LOOK_US;
        }
      done = ls_coordinator_wait (coordinator, TICK_MS);
      next = ls_coordinator_take (coordinator);
      if (next != NULL)
        {
          g_clear_pointer (&newest, ls_snapshot_unref);
          newest = next;
          ls_progress_update (progress, newest);
          /* by step: nobody looks at pictures here, so one follows the other */
          if (newest->options->pace == LS_PACE_STEP && !stopping && least_steps (newest) < newest->target)
            ls_coordinator_record_next (coordinator, FALSE);
        }
      if (!done && !stopping && ls_interrupted ())
        {
          stopping = TRUE;
          ls_progress_clear (progress);
          ls_terminal_complain (_("Stopping after this step; once more ends the program at once.\n"));
          ls_coordinator_pause (coordinator);
        }
    }
  return newest;
}

/* Tells how a save went; takes the error. FALSE if that is a failure: what isn't there yet when the run is
 * interrupted is none. */
static gboolean
tell (gboolean saved, const char *path, GError *error)
{
  const gboolean fine = saved || (ls_interrupted () && g_error_matches (error, LS_ERROR, LS_ERROR_DEVICE));
  g_autofree char *name = ls_printable (g_filename_display_name (path)),
                  *sentence = saved ? NULL : ls_printable (ls_sentence (error->message));

  if (saved)
    ls_terminal_print (_("Saved %s\n"), name);
  else
    ls_terminal_complain ("lockstep train: %s\n", sentence);
  g_clear_error (&error);
  return fine;
}

static gboolean
save_recording (const LsSnapshot *snapshot, const char *path, GError **error)
{
  if (snapshot->recording != NULL)
    {
      g_autoptr (LsRecording) whole = ls_lab_kept_with (snapshot->recording);
      return ls_recording_save (whole, path, error);
    }
  if (snapshot->recording_message != NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, snapshot->recording_message);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("No step was recorded, so there is nothing to write to “%s”."), path);
  return FALSE;
}

/* None works or will. */
static gboolean
all_stopped (const LsSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].state < LS_LANE_FAILED)
      return FALSE;
  return TRUE;
}

static gboolean
any_steps (const LsSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].steps > 0)
      return TRUE;
  return FALSE;
}

/* Beside what was asked for, which is what a whole run makes. */
static gboolean
save_last_finite (LsCoordinator *coordinator, const char *path, LsReportLastFinite *saved, GError **error)
{
  g_autofree char *name = ls_printable (g_filename_display_name (path));

  if (!ls_coordinator_save_last_finite (coordinator, path, &saved->step, error))
    return FALSE;
  saved->path = path;
  ls_terminal_complain (
    _("All lanes have stopped: “%s” holds the last weights that were checked and are finite, those "
       "after step %llu.\n"),
    name, (unsigned long long) saved->step);
  return TRUE;
}

/* Saves what was asked for, with what there is; one that fails doesn't keep the others from being saved. */
static gboolean
save (const LsArguments *arguments, LsCoordinator *coordinator, const LsSnapshot *snapshot)
{
  g_autofree char *beside = NULL;
  LsReportLastFinite last_finite = { 0 };
  const char *weights = ls_arguments_get (arguments, "save"),
             *record = ls_arguments_get (arguments, "record"), *json = ls_arguments_get (arguments, "json");
  gboolean all = TRUE, saved;
  GError *error = NULL;

  if (weights != NULL && all_stopped (snapshot) && any_steps (snapshot))
    {
      beside = g_strconcat (weights, LAST_FINITE, NULL);
      saved = save_last_finite (coordinator, beside, &last_finite, &error);
      all &= tell (saved, beside, g_steal_pointer (&error));
    }
  else if (weights != NULL)
    {
      LsPrecision as;
      saved = ls_arguments_precision (arguments, "save-as", "save", &as, &error)
              && ls_coordinator_save_weights (coordinator, weights, as, &error);
      all &= tell (saved, weights, g_steal_pointer (&error));
    }
  if (record != NULL)
    {
      saved = save_recording (snapshot, record, &error);
      all &= tell (saved, record, g_steal_pointer (&error));
    }
  if (json != NULL)
    {
      saved = ls_report_save (snapshot, &last_finite, json, &error);
      all &= tell (saved, json, g_steal_pointer (&error));
    }
  return all;
}

static gboolean
any_lane_worked (const LsSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if (ls_report_lane_worked (&snapshot->lanes[i]))
      return TRUE;
  return FALSE;
}

static LsExit
train (const LsArguments *arguments, GError **error)
{
  const LsOptions *options = arguments->options;
  g_autoptr (LsCoordinator) coordinator = prepare (arguments, error);
  g_autoptr (LsSnapshot) last = NULL;
  guint64 steps;
  gboolean saved;

  if (coordinator == NULL)
    return LS_EXIT_FAILED;
  steps = ls_data_run_steps (options, ls_coordinator_steps_per_epoch (coordinator));
  print_head (coordinator, options, steps);
  print_chosen (options, ls_coordinator_plan (coordinator)->model->name);
  if (g_getenv ("LOCKSTEP_IGNORED_CORETYPE") != NULL)
    ls_terminal_complain (
      _("OPENBLAS_CORETYPE=%s is ignored, so that OpenBLAS computes as suits this processor; "
         "LOCKSTEP_OPENBLAS_CORETYPE is for those who want another.\n"),
      g_getenv ("LOCKSTEP_IGNORED_CORETYPE"));
  if (g_getenv ("OPENBLAS_CORETYPE") != NULL)
    ls_terminal_complain (
      _("OpenBLAS computes as on %s, which may be slower than what suits this processor.\n"),
      g_getenv ("OPENBLAS_CORETYPE"));

  ls_interrupt_catch ();
  if (!ls_coordinator_start (coordinator, error))
    return LS_EXIT_FAILED;
  if (ls_arguments_get (arguments, "record") != NULL)
    {
      ls_coordinator_walk (coordinator, &(LsWalkWish){ LS_WALK_ALL_OPS, -1, -1, -1 });
      ls_coordinator_run_recorded (coordinator, steps);
    }
  else
    ls_coordinator_run (coordinator, steps);
  last = watch (coordinator);

  if (ls_interrupted () || any_steps (last))
    ls_report_print (last);
  saved = save (arguments, coordinator, last);
  if (!ls_interrupted () && !any_lane_worked (last))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           any_steps (last) ? _("All lanes have stopped; see above.")
                                            : _("No lane could train; see above."));
      return LS_EXIT_FAILED;
    }
  if (last->message != NULL)
    ls_terminal_complain ("lockstep train: %s\n", last->message);
  return !saved || last->message != NULL ? LS_EXIT_FAILED
         : ls_interrupted ()             ? LS_EXIT_INTERRUPTED
                                         : LS_EXIT_DONE;
}

const LsCommand ls_command_train = {
  .name = "train",
  .title = N_("Train a network on all lanes in lockstep"),
  .about = N_("Ctrl-C finishes the step, saves what was asked for, and exits with status 130.\n"
               "Where no OpenCL device works, the CPU lane trains alone and says why."),
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_RUN | LS_OPTION_GROUP_LANES
            | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL | LS_OPTION_GROUP_PACE,
  .own = own,
  .run = train,
};
