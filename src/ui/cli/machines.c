/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep machines`: a training step on models of other hardware, beside what was measured here. Without a
 * name a line for each; with one its ops and its assumptions.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/error.h"
#include "data/defaults.h"
#include "data/recorded_run.h"
#include "train/coordinator.h"
#include "ui/cli/command.h"
#include "ui/cli/machines_asked.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "from", N_("RECORDING"), N_("The recorded run whose step it is, and what it took here") },
  { "device", N_("NAME"),
    N_("A device of the catalogue, whose published figures take the place of assumptions") },
  { "assume", N_("NAME=NUMBER"), N_("Other assumptions, with commas"), .many = TRUE },
  { "json", N_("FILE"), N_("Write machines, assumptions and ops as JSON"), TRUE },
  { "csv", N_("FILE"), N_("Write the ops of each machine as CSV"), TRUE },
  { NULL },
};

gint
ls_asked_lane (const LsMachinesAsked *asked, const LsMachine *machine)
{
  for (guint i = 0; asked->recording != NULL && i < asked->recording->n_lanes; i++)
    if (ls_held_like (machine, asked->recording->lanes[i].device))
      return (gint) i;
  return -1;
}

gboolean
ls_asked_assume (const LsMachinesAsked *asked, const LsMachine *machine, LsAssumed *assumed, GError **error)
{
  const gint lane = asked->device == NULL ? ls_asked_lane (asked, machine) : -1;

  if (!ls_held_assume (machine, asked->device, lane >= 0 ? asked->recording->lanes[lane].device : NULL,
                       ls_held_turns (asked->recording), assumed)
      && asked->device != NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("The model “%s” can’t be put on %s: it takes none of what the catalogue has of it. "
                      "“lockstep hardware” lists other devices."),
                   machine->name, asked->device->name);
      return FALSE;
    }
  return (asked->assume == NULL || ls_machine_say (machine, asked->assume, assumed, error))
         && ls_machine_check (machine, assumed, error);
}

double
ls_asked_error (const LsMachinesAsked *asked, const LsMachineRun *run)
{
  const gint lane = ls_asked_lane (asked, run->machine);
  const LsFigure step = lane >= 0 ? ls_held_median (asked->recording, (guint) lane) : (LsFigure){ 0 };

  return asked->device == NULL && step.n > 0 ? ls_held_error (run->seconds, step.value) : (double) NAN;
}

double
ls_asked_error_recorded (const LsMachinesAsked *asked, const LsMachineRun *run)
{
  const gint lane = ls_asked_lane (asked, run->machine);

  return asked->device == NULL && lane >= 0
           ? ls_held_error (run->seconds, ls_held_recorded (asked->recording, (guint) lane))
           : (double) NAN;
}

gboolean
ls_asked_has_batches (const LsMachine *machine)
{
  return !machine->forward || machine == &ls_machine_int8;
}

gboolean
ls_asked_has (const LsMachinesAsked *asked, const LsMachine *machine)
{
  LsAssumed assumed;

  if (asked->only != NULL)
    return machine == asked->only;
  return asked->device == NULL || ls_held_assume (machine, asked->device, NULL, 1, &assumed);
}

/* ---- the command ---- */

#define STEPS   300 /* of a run that is measured here */
#define TICK_MS 100

/* Some steps on all lanes, the last one recorded, and what the devices can do at most. (transfer full) */
static LsRecording *
measure_here (const LsOptions *options, GError **error)
{
  g_autoptr (LsCoordinator) coordinator = ls_coordinator_new (options, error);
  g_autoptr (LsSnapshot) newest = NULL;
  gboolean done = FALSE;

  if (coordinator == NULL || !ls_coordinator_start (coordinator, error))
    return NULL;
  ls_coordinator_walk (coordinator, &(LsWalkWish){ LS_WALK_ROOFS, -1, -1, -1 });
  ls_coordinator_run_recorded (coordinator, options->steps > 0 ? (guint64) options->steps : STEPS);
  while (!done)
    {
      LsSnapshot *next;

      done = ls_coordinator_wait (coordinator, TICK_MS);
      next = ls_coordinator_take (coordinator);
      if (next != NULL)
        {
          g_clear_pointer (&newest, ls_snapshot_unref);
          newest = next;
        }
    }
  if (newest == NULL || newest->recording == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("No lane could train; “lockstep train” says why."));
      return NULL;
    }
  return ls_recording_ref (newest->recording);
}

/* The word is a machine's name, as is --model's where it is one. */
static gboolean
find_machine (const LsArguments *arguments, LsMachinesAsked *asked, GError **error)
{
  const char *word = arguments->words[0] != NULL                           ? arguments->words[0]
                     : ls_machine_find (arguments->options->model) != NULL ? arguments->options->model
                                                                           : NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  if (word == NULL)
    return TRUE;
  asked->only = ls_machine_find (word);
  if (asked->only != NULL)
    return TRUE;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", machines[i]->name);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("There is no machine “%s”; there are %s."), word,
               names->str);
  return FALSE;
}

/* As the lanes take them: --device is the catalogue's here, and --model may be a machine's name. */
static LsOptions *
options_of (const LsArguments *arguments)
{
  LsOptions *options = ls_options_copy (arguments->options);
  const LsOption *model = ls_options_find ("model"), *device = ls_options_find ("device");

  ls_options_set (options, device, device->default_text, NULL);
  ls_options_forget (options, device);
  if (ls_machine_find (options->model) != NULL)
    {
      ls_options_set (options, model, model->default_text, NULL);
      ls_options_forget (options, model);
      ls_data_suggest (options, 0, 0); /* the one that suits the data, as without a machine's name */
    }
  return options;
}

static LsExit
machines (const LsArguments *arguments, GError **error)
{
  const char *from = ls_arguments_get (arguments, "from"), *json = ls_arguments_get (arguments, "json"),
             *csv = ls_arguments_get (arguments, "csv"), *device = ls_arguments_get (arguments, "device");
  LsMachinesAsked asked = { .assume = ls_arguments_get (arguments, "assume") };
  g_autoptr (LsOptions) options = options_of (arguments);
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (LsPlan) plan = NULL;
  g_autoptr (LsCatalogue) catalogue = NULL;

  if (!find_machine (arguments, &asked, error))
    return LS_EXIT_USAGE;
  if (asked.assume != NULL && asked.only == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("--assume goes with one machine: “lockstep machines simt --assume units=24”."));
      return LS_EXIT_USAGE;
    }
  if (device != NULL)
    {
      catalogue = ls_catalogue_load (NULL, error);
      asked.device = catalogue != NULL ? ls_catalogue_find (catalogue, device, error) : NULL;
      if (asked.device == NULL)
        return LS_EXIT_FAILED;
      if (asked.only != NULL && asked.only->sort != asked.device->sort)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("%s isn’t what “%s” is a model of."),
                       asked.device->name, asked.only->name);
          return LS_EXIT_USAGE;
        }
    }
  recording = from != NULL ? ls_recording_load (from, error) : measure_here (options, error);
  if (recording == NULL || (plan = ls_held_plan (recording, error)) == NULL)
    return LS_EXIT_FAILED;
  ls_recorded_run_take (recording, TRUE, options);
  asked.plan = plan;
  asked.recording = recording;
  ls_terminal_print (_("Model %s, batch %u\n\n"), plan->model->text, plan->batch);
  if (!(asked.only != NULL ? ls_machines_print_one (&asked, error) : ls_machines_print_list (&asked, error))
      || (json != NULL && !ls_machines_save (&asked, options, json, error))
      || (csv != NULL && !ls_machines_save_csv (&asked, csv, error)))
    return LS_EXIT_FAILED;
  return LS_EXIT_DONE;
}

const LsCommand ls_command_machines = {
  .name = "machines",
  .title = N_("Show what other machines would make of a step"),
  .about = N_(
    "Models of a processor, a GPU, tensor cores, a systolic array, an FPGA, an int8 array and spiking "
    "neurons, each with what it assumes, beside what was measured here. Without a recording some "
    "steps are trained first."),
  .word = "[NAME]",
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_LANES | LS_OPTION_GROUP_PACE
            | LS_OPTION_GROUP_CPU,
  .own = own,
  .run = machines,
};
