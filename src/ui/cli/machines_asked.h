/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep machines` was asked, and what its pages print.
 */
#pragma once

#include "machines/held.h"

G_BEGIN_DECLS

typedef struct {
  const LsPlan *plan;
  const LsRecording *recording; /* NULL: nothing was measured */
  const LsMachine *only;        /* NULL: all */
  const LsHardware *device;     /* NULL: none */
  const char *assume;           /* NULL: nothing */
} LsMachinesAsked;

/* The lane that a model may be held against; −1: there is none. */
gint ls_asked_lane (const LsMachinesAsked *asked, const LsMachine *machine);
/* What is assumed: published of the device, else measured here; what was said counts most. LS_ERROR_USAGE. */
gboolean ls_asked_assume (const LsMachinesAsked *asked, const LsMachine *machine, LsAssumed *assumed,
                          GError **error);
/* As ls_held_error(), to that lane's median step; NAN, too: it has no median that stands. */
double ls_asked_error (const LsMachinesAsked *asked, const LsMachineRun *run);
/* To the recorded step, which the errors of ops are to. */
double ls_asked_error_recorded (const LsMachinesAsked *asked, const LsMachineRun *run);
/* Its times with other batches say something: the spiking one answers samples one by one. */
gboolean ls_asked_has_batches (const LsMachine *machine);
/* It is one of those that were asked for. */
gboolean ls_asked_has (const LsMachinesAsked *asked, const LsMachine *machine);

/* machines_print.c: a line for each; or all of the one that was asked for */
gboolean ls_machines_print_list (const LsMachinesAsked *asked, GError **error);
gboolean ls_machines_print_one (const LsMachinesAsked *asked, GError **error);
/* machines_json.c */
gboolean ls_machines_save (const LsMachinesAsked *asked, const LsOptions *options, const char *path,
                           GError **error);
/* "machine,op,seconds,held_by,used,useful,recorded_s,error", a line for each op. */
gboolean ls_machines_save_csv (const LsMachinesAsked *asked, const char *path, GError **error);

G_END_DECLS
