/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCoordinator: runs the same steps on several lanes, in lockstep. One thread per lane (lane.h), one that
 * hands out the turns. It opens lanes in the background: whichever is ready does its first steps, at most
 * twenty, and waits for the others, for a minute at most; one that comes later than that begins with the
 * weights of the others. A lane that fails or hangs is parked; the others go on, and it can be retried.
 *
 * All functions may be called from one thread, the owner's; none of them waits for a lane, except those that
 * say so.
 */
#pragma once

#include "data/batcher.h"
#include "data/dataset.h"
#include "train/lane/compare.h"
#include "train/snapshot.h"

G_BEGIN_DECLS

typedef struct _LsCoordinator LsCoordinator;

/* How nice the lanes' threads are that start from now on, in the whole process: lane/lane.h. */
void ls_coordinator_be_nice (gint nice);
/* Around what a thread in the background does with a coordinator, ls_coordinator_new…() included, from when
 * it is asked for: lanes may start while the process ends. See ls_lane_threads(). */
void ls_coordinator_thread_begins (void);
void ls_coordinator_thread_ends (void);
/* Reads model and data, builds plan and batcher, makes lanes (not their threads). Errors: LS_ERROR_USAGE,
 * _DATA, _FILE. The lanes are those of options->lanes (train/lane_spec.h), or those of specs, at most
 * LS_MAX_LANES LsLaneSpec, or one for each of backends (tests). */
LsCoordinator *ls_coordinator_new (const LsOptions *options, GError **error);
/* The same; request: how the data are read, as the options say, with a progress; read: data that were read
 * before, or NULL: they are taken where their key is the request's. */
LsCoordinator *ls_coordinator_new_with_data (const LsOptions *options, const LsDataRequest *request,
                                             LsData *read, GError **error);
LsCoordinator *ls_coordinator_new_with_specs (const LsOptions *options, const LsDataRequest *request,
                                              LsData *read, const GPtrArray *specs, GError **error);
LsCoordinator *ls_coordinator_new_with_backends (const LsOptions *options, const LsBackend *const *backends,
                                                 guint n, GError **error);
/* Stops, joins all threads that answer, abandons those that hang. */
void ls_coordinator_free (LsCoordinator *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCoordinator, ls_coordinator_free)

LsPlan *ls_coordinator_plan (LsCoordinator *self); /* (transfer none) */
LsData *ls_coordinator_data (LsCoordinator *self);
guint64 ls_coordinator_steps_per_epoch (LsCoordinator *self);

/* Initial weights: of the seed, unless loaded before start from a safetensors file. */
gboolean ls_coordinator_load_weights (LsCoordinator *self, const char *path, GError **error);
gboolean ls_coordinator_save_initial (LsCoordinator *self, const char *path, GError **error);
/* Fails if the model's weights couldn't be saved whatever they become. LS_ERROR_DATA. */
gboolean ls_coordinator_check_weights (LsCoordinator *self, const char *path, LsPrecision as, GError **error);

/* Before start: the run goes on after so many steps, fewer than LS_CURVE_MAX, of which it knows the losses
 * that `before` has of lanes with the same ids (NULL: of none). The weights are those that were loaded;
 * optimizer states begin anew, and so do rates. LS_ERROR_MEMORY. */
gboolean ls_coordinator_go_on (LsCoordinator *self, guint64 steps, const LsRecording *before, GError **error);

/* Before start, for tests: a lane has that curve (transfer full), and begins after so many steps. */
void ls_coordinator_set_history (LsCoordinator *self, guint lane, LsCurve *curve, guint64 steps);
/* For tests, while a lane is handed a job: what that should take, for how long the others wait for it, and
 * after how long it is left behind, µs. */
void ls_coordinator_patience (const LsCoordinator *self, guint lane, double us[3]);

/* Starts the threads; lanes begin to open. */
gboolean ls_coordinator_start (LsCoordinator *self, GError **error);
/* Trains until pause(). */
#define LS_STEPS_ENDLESS G_MAXUINT64
/* Train until every lane that works has done `steps` steps since the first; wakes at once, also after
 * pause(). Each epoch's end is evaluated, and the last step. No lane does more than LS_CURVE_MAX steps, since
 * the losses of all are kept: after so many the lanes are at rest, and if more were asked for, the snapshot's
 * message says so. */
void ls_coordinator_run (LsCoordinator *self, guint64 steps);
/* The same, and the last of these steps is recorded, as record() does. It is one command because the lanes
 * may do a step between two. */
void ls_coordinator_run_recorded (LsCoordinator *self, guint64 steps);
/* The last step before the lanes come to rest is recorded on all of them: the last of run(), also of a later
 * one, or the next after pause(). If nothing runs, or it is too late for the last step, one more is done. A
 * lane that still opens when the others are at rest is waited for, unless they are paused: then it is left
 * out. */
void ls_coordinator_record (LsCoordinator *self);
/* The next step is recorded, as soon as can be, and training goes on as it would have; if nothing runs, one
 * more is done, and the lanes rest again. It is the first step that every lane that takes part has still
 * before it. Those take part that are ready and no more than a turn behind: one that still opens isn't waited
 * for, unless it is the only one, nor is one that came late and is catching up. The recording is in a later
 * snapshot; its lanes share the curves with the run, so that it costs no more after a million steps than
 * after ten. with_tensors: their values are kept, too. While a call waits for its step, further ones ask for
 * no further step. Nothing is recorded if no lane works, or LS_CURVE_MAX steps are done, or if the target is
 * reached before a step could be chosen: the call itself makes no run longer. */
void ls_coordinator_record_next (LsCoordinator *self, gboolean with_tensors);
/* From now on each step that is recorded with tensors comes with a walk of that on the lanes that have a
 * ladder of kernels, and with their devices' limits; the newest recorded step gets one, too, as soon as can
 * be, in a later snapshot. A walk that can't be made says why, and training goes on. */
void ls_coordinator_walk (LsCoordinator *self, const LsWalkWish *wish);
/* The weights that are read for the next check (check_every) come with a later snapshot, if they are finite:
 * those of the first lane that works. */
void ls_coordinator_hold_weights (LsCoordinator *self);
/* Lanes finish the turn they are in, and one that is a turn behind catches up first. */
void ls_coordinator_pause (LsCoordinator *self);
/* Every lane that has failed or hangs is opened anew: OPENING, BUILDING, READY, or parked again. It goes on
 * from where the furthest lane that works is once the new one is ready, with that one's weights and optimizer
 * states, and from there on its steps are compared as before; in its curve the steps between are marked
 * (LS_POINT_MISSING). If no other lane works, it begins anew at step 0, or where the run went on, with the
 * initial weights and an empty curve. Training goes on, or rests, as it did; wait() waits for the lane only
 * where it would train. Does nothing if no lane is parked. */
void ls_coordinator_retry (LsCoordinator *self);
/* Takes over what may change between two steps (LS_OPTION_LIVE); other options stay as they were at the
 * start. */
void ls_coordinator_configure (LsCoordinator *self, const LsOptions *options);
/* All lanes that have kernels go on with these (backends/kernel_files.h), with the weights they have, but for
 * a lane that has been found to disagree: that one takes over the furthest other lane's. They are built and
 * tried beside the lane, which goes on with those it has; if they don't work, it keeps those, and its
 * kernels_message says why. A lane that is parked is opened anew with them once they have been tried. A set
 * that is still on its way gives way to a newer one. wait() waits for them. */
void ls_coordinator_reload_kernels (LsCoordinator *self, LsKernelFiles *files);

/* Asks every lane that works, whether the run goes on or rests; what each says comes in later snapshots. A
 * newer question takes the place of one that waits; the same one may be asked again, for what the lanes say
 * by then. Lanes that are less than a turn apart answer with the weights after the same step. A question
 * waits for a few turns at most, and costs each lane its forward pass. (transfer none) */
void ls_coordinator_ask (LsCoordinator *self, LsQuestion *question);

/* Waits at most timeout_ms until there is nothing left to do: target reached by all working lanes (and
 * evaluated), paused, or no lane left. TRUE then. */
gboolean ls_coordinator_wait (LsCoordinator *self, guint timeout_ms);
/* The newest snapshot since the last call, or NULL; (transfer full). */
LsSnapshot *ls_coordinator_take (LsCoordinator *self);

/* Writes the weights of the first lane that works. Only when wait() said TRUE. Waits for lanes, but for one
 * that opens only if no other works. Errors: LS_ERROR_DEVICE if no lane works, LS_ERROR_FILE. */
gboolean ls_coordinator_save_weights (LsCoordinator *self, const char *path, LsPrecision as, GError **error);

/* What is left once all lanes have stopped: the newest weights that a lane was checked with (check_every;
 * before the first check the initial ones), and that are finite. *step: after how many steps. The same
 * conditions; LS_ERROR_DEVICE if there are none. */
gboolean ls_coordinator_save_last_finite (LsCoordinator *self, const char *path, guint64 *step,
                                          GError **error);

/* ---- op by op (train/lane/compare.c) ---- */

/* Runs one whole step op by op with fusion off on every working lane. Waits for lanes: call when wait() said
 * TRUE. Returns a GArray of LsComparison; a lane that fails is parked and named in error only if none is
 * left. */
GArray *ls_coordinator_compare (LsCoordinator *self, GError **error);

G_END_DECLS
