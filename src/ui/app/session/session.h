/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSession: the one object of the window that talks to the coordinator. It makes runs in the background,
 * takes snapshots, asks for recorded steps, keeps their history, and moves the playhead over the one that is
 * shown. What it hands out is immutable data for the views. While nothing happens it has no timer and costs
 * nothing.
 *
 * Signals: "data" (there is other data to lay out), "time" (only the playhead moved), "state" (playing,
 * paused, other buttons may be pressed), "message" (char *: one sentence for the user), "kernels" (likewise,
 * about those that the user edits).
 */
#pragma once

#include <gio/gio.h>

#include "ui/app/session/history.h"
#include "ui/app/session/playhead.h"
#include "ui/paint/data/wish.h"

G_BEGIN_DECLS

#define LS_TYPE_SESSION (ls_session_get_type ())
G_DECLARE_FINAL_TYPE (LsSession, ls_session, LS, SESSION, GObject)

typedef enum {
  LS_SESSION_NONE,     /* nothing was asked for yet */
  LS_SESSION_STARTING, /* the run is being made: data, plan, lanes */
  LS_SESSION_LIVE,     /* a run: going on, or paused */
  LS_SESSION_PLAYBACK, /* a recording from a file */
  LS_SESSION_FAILED,   /* the run couldn't be made; ls_session_problem() says why */
} LsSessionMode;

LsSession *ls_session_new (void);
/* A new run with these options; an old one ends, its curves are kept for comparison. It plays at once, or as
 * soon as nothing is measured any more. */
void ls_session_train (LsSession *self, const LsOptions *options);
/* The next run trains with these data, if they were read as its options say: nothing is read twice. data:
 * (transfer full), or NULL. */
void ls_session_give_data (LsSession *self, LsData *data);
/* What can change between two steps, changes, but for the pace; the next recorded step shows what came of
 * it. options->lanes: the same lanes, maybe with other values of their own. */
void ls_session_configure (LsSession *self, const LsOptions *options);
/* Shows a recording from a file. A run that is on is paused, and can be gone back to. */
void ls_session_open (LsSession *self, const char *path);
void ls_session_close_file (LsSession *self);
/* Another recorded step, to hold the shown one against: from a file; the shown one itself; none any more. */
void ls_session_lay_over (LsSession *self, const char *path);
void ls_session_lay_over_step (LsSession *self);
void ls_session_lay_over_none (LsSession *self);
/* Emits "message". */
void ls_session_say (LsSession *self, const char *sentence);
/* Lanes that failed or hang are opened anew. */
void ls_session_retry (LsSession *self);
/* Shows the interrupted step that was set aside; pauses. Does nothing if there is none. */
void ls_session_look_at_aside (LsSession *self);
/* What the latest change did isn't shown any more. FALSE: nothing was. */
gboolean ls_session_drop_changes (LsSession *self);
/* Kernels that aren't in the folder yet are copied there; from now on it is watched, and what is saved there
 * goes to the lanes. NULL: the built-in ones again. */
void ls_session_edit_kernels (LsSession *self, const char *folder);
const char *ls_session_kernel_folder (LsSession *self); /* NULL: none is watched */
/* Why the newest of them aren't used: the compiler's words, of many lines; or NULL. */
const char *ls_session_kernel_message (LsSession *self);
/* Ends the run; returns when its threads are gone or given up. */
void ls_session_end (LsSession *self);

/* The names of the OpenCL devices, asked of a child process. (transfer full) */
void ls_session_list_devices (LsSession *self, GAsyncReadyCallback done, gpointer data);
char **ls_session_list_devices_finish (LsSession *self, GAsyncResult *result);

/* What the picture of one of two stages would have the live run's lanes compute; of points, answers hold the
 * whole plane, too. It comes as "data". anew: they are asked even if they have been asked the same. */
void ls_session_wish (LsSession *self, guint stage, const LsWish *wish, gboolean anew);
gboolean ls_session_asking (LsSession *self);

/* Which of the lanes (LsViewData.names) stands on that side. */
void ls_session_stand (LsSession *self, guint side, const char *id);

LsSessionMode ls_session_mode (LsSession *self);
const char *ls_session_problem (LsSession *self);
LsViewData *ls_session_data (LsSession *self); /* (transfer none); NULL before there is any */
LsData *ls_session_samples (LsSession *self);  /* (transfer none); what the live run learns; NULL likewise */
LsSnapshot *ls_session_snapshot (LsSession *self); /* (transfer none); NULL likewise */
LsRecording *ls_session_shown (LsSession *self);   /* (transfer none); the recorded step in the picture, or
                                                      NULL */
const LsOptions *ls_session_options (LsSession *self); /* of the run */
GPtrArray *ls_session_specs (LsSession *self); /* (transfer none); of its lanes (train/lane_spec.h); NULL: the
                                                  list is wrong */
const LsPlayhead *ls_session_playhead (LsSession *self);
LsHistory *ls_session_history (LsSession *self);

/* session_kept.c: from now on the run is kept on disk every few seconds, until the session ends. A run that a
 * crash has broken off is looked for: once it was found, “state” is emitted, and there are words for it; then
 * it may be gone on with, or left. One whose options aren't those that were given (NULL: none were) waits
 * for a window that is given nothing else. */
void ls_session_keep_runs (LsSession *self, const LsOptions *given);
char *ls_session_kept_words (LsSession *self); /* (transfer full), or NULL */
void ls_session_go_on (LsSession *self);
void ls_session_leave_kept (LsSession *self);

/* session_pace.c: when steps are done. Full speed may be held for a while; then that is the pace. In words:
 * what it does. (transfer full) */
LsPace ls_session_pace (LsSession *self);
void ls_session_set_pace (LsSession *self, LsPace pace);
void ls_session_hold_full (LsSession *self, gboolean held);
char *ls_session_pace_words (LsSession *self, LsPace pace);
/* The run has done the steps that it was to do, and is shown: what came of it, (transfer full), NULL
 * otherwise; as many again. */
gboolean ls_session_over (LsSession *self);
char *ls_session_learnt (LsSession *self);
void ls_session_train_on (LsSession *self);

gboolean ls_session_playing (LsSession *self);
/* A run plays only once nothing is measured any more, which is told. */
void ls_session_set_playing (LsSession *self, gboolean playing);
/* +1: to the shown step's end, then the next recorded one, at the newest trains and records one more; −1: to
 * its beginning, then the recorded one before. Pauses. */
void ls_session_step (LsSession *self, int direction);
/* By op, as ls_playhead_jump(); pauses. */
void ls_session_jump (LsSession *self, int direction, gboolean all);
void ls_session_seek (LsSession *self, gint64 time_ns); /* pauses */
/* Plays it from its beginning, or, while the clock stands, shows it finished. */
void ls_session_seek_op (LsSession *self, guint op);
void ls_session_set_dial (LsSession *self, guint64 dial_ns);
/* TRUE: the user turned it, or it was kept from an earlier start; otherwise it suits the step. */
gboolean ls_session_dial_chosen (LsSession *self);
/* The view's clock: the op's or the step's, or its own for the op (own_ns ≥ 0). */
void ls_session_set_clock (LsSession *self, gboolean by_op, gint64 own_ns);
void ls_session_toggle_pin (LsSession *self);
/* Seconds on screen have passed. */
void ls_session_advance (LsSession *self, double seconds);

G_END_DECLS
