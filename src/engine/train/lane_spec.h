/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLaneSpec: what a lane is: a name, a backend, a device, and options of its own. --lanes has a list of
 * them:
 *
 *     list    = lane { "," lane }
 *     lane    = [ name "=" ] backend [ ":" device ] [ "(" [ option "=" value { "," option "=" value } ] ")" ]
 *
 * backend: cpu, opencl, reference, reference-f64. device: as for --device, the same as (device=…). option: a
 * row of the option table that a lane may have of its own (LsOption.own). Spaces around words don't count.
 *
 * A lane's id is its name, or its backend's, with a number where several have that: cpu, or cpu-1 and cpu-2.
 * Reports, events and recordings know lanes by it.
 */
#pragma once

#include "core/options.h"
#include "files/recording.h"

G_BEGIN_DECLS

#define LS_MAX_LANES 8

/* Immutable; a g_atomic_rc_box. */
typedef struct {
  char *id;
  const LsBackend *backend;
  LsOptions *own;     /* what was given in it is the lane's own; the rest isn't looked at */
  LsOptions *options; /* the run's, with its own in their place */
  char *text;         /* as --lanes has it, without the name: "opencl:0(kernel=tiled)" */
  char *words;        /* what tells it from others of its backend, translated: "tiled"; NULL: nothing need */
  char *title;        /* "OpenCL (tiled)", "CPU" */
} LsLaneSpec;

LsLaneSpec *ls_lane_spec_ref (LsLaneSpec *spec);
void ls_lane_spec_unref (LsLaneSpec *spec);

/* Those that options->lanes lists, 1 to LS_MAX_LANES: an array of LsLaneSpec (transfer full). LS_ERROR_USAGE
 * has the wrong word and its place: “--lanes, character 5: there is no backend “gpu”; …”. */
GPtrArray *ls_lane_specs_new (const LsOptions *options, GError **error);
/* One for each of these backends, with the options' values. */
GPtrArray *ls_lane_specs_of_backends (const LsOptions *options, const LsBackend *const *backends, guint n);
/* A single one. */
LsLaneSpec *ls_lane_spec_of_backend (const LsOptions *options, const LsBackend *backend);
/* The same lanes with other options of the run. */
GPtrArray *ls_lane_specs_again (const GPtrArray *specs, const LsOptions *options);
/* The lanes of a recording, as far as this program knows them: NULL: not all. */
GPtrArray *ls_lane_specs_of_recording (const LsRecording *recording);
/* Of the same lanes on the same devices: one list's options may be taken over while the other's lanes run. */
gboolean ls_lane_specs_alike (const GPtrArray *a, const GPtrArray *b);
/* The list's text with another value for that lane's own option. (transfer full) */
char *ls_lane_specs_with (const GPtrArray *specs, guint lane, const LsOption *option, const char *value);
/* Whether the option is something to lanes of that backend; whether they may have it of their own. */
gboolean ls_lane_concerned (const LsBackend *backend, const LsOption *option);
gboolean ls_lane_may_have (const LsBackend *backend, const LsOption *option);

G_END_DECLS
