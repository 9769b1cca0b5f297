/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session's files share: session.c (snapshots and recorded steps), session_typical.c (which of them
 * is shown), session_run.c (runs), session_file.c (recordings from files), session_time.c (the playhead),
 * session_pace.c (when steps are done, and the end of a run), session_change.c (what a change of settings
 * did), session_ask.c (questions to the lanes), session_walk.c (walks through products), session_tune.c (the
 * tuner), session_lab.c (the laboratory), session_kept.c (what is left of a run after a crash),
 * session_kernels.c (kernels that the user edits).
 */
#pragma once

#include "train/coordinator.h"
#include "ui/app/session/keeper.h"
#include "ui/app/session/session.h"
#include "ui/app/session/session_lab.h"

/* What the latest change of settings changed of a lane. */
typedef struct {
  char *from, *to; /* "Kernel tiled", "packed"; NULL: nothing */
  LsFigure before;
  guint64 rate_from; /* of it: a later one is of after the change. G_MAXUINT64: it began another run */
} LsLaneChange;

struct _LsSession {
  GObject parent;
  LsSessionMode mode;
  char *problem;
  LsOptions *options;         /* of the run, */
  GPtrArray *specs;           /* and LsLaneSpec that they list; NULL: nobody has asked for them yet */
  LsCoordinator *coordinator; /* NULL while it is being made */
  GTask *making;              /* not owned: the task that makes the newest run */
  GTask *opening;             /* not owned: the task that reads the newest recording; NULL: none is */
  GTask *laying;              /* likewise, of one to be laid over */
  LsData *read;               /* for the next run, or NULL */
  gboolean ended;
  guint poll;         /* the timer, or 0 */
  guint64 target;     /* steps of the run; 0 before it is made */
  gboolean over;      /* they are done */
  gboolean full_held; /* full speed, whatever the options say */

  LsSnapshot *snapshot; /* the newest */
  LsRecording *newest;  /* recorded by the run */
  LsRecording *shown;   /* in the picture */
  LsRecording *file;    /* played back; NULL: a run is shown */
  char *origin;         /* of file */
  LsHistory *history;
  GPtrArray *runs;   /* LsRunCurves of earlier runs */
  LsViewData *data;  /* what is shown */
  LsViewData *live;  /* the same of the newest recorded step: its index is used again; may be data itself */
  LsViewData *other; /* a recorded step laid over the shown one, or NULL */
  gint64 rebuilt_us; /* when it was made */
  gint64 curves_us;  /* when its curves were */
  gboolean newer;    /* snapshot is newer than data */
  const char *stands[LS_SIDES]; /* interned: the lane that was chosen for the side; NULL: none was */
  LsWish wishes[2];             /* of the stages' views, without strokes */
  LsWalkWish walk_wish;         /* what the coordinator was told last */

  LsLaneChange changes[LS_MAX_LANES]; /* by lane of the snapshot */
  char *kernel_folder;                /* watched; NULL: none is */
  GFileMonitor *kernel_monitor;       /* NULL where there is none for that folder */
  guint kernel_timer;
  guint64 kernel_stamp;        /* of what was read of it */
  gboolean kernels_found;      /* lanes find edited ones when they are opened */
  gboolean looking;            /* a thread is at it */
  gboolean write_next;         /* and files are to be copied out once it is done */
  LsKernelFiles *kernel_files; /* what lanes are to use; NULL: what they find when they are opened */
  gboolean catalogue_read;
  LsCatalogue *catalogue; /* what is published of devices; NULL: it can't be read, or wasn't yet */
  gboolean claims_read;
  LsClaims *claims; /* likewise */
  struct {
    char *claim; /* NULL: none that isn't kept yet */
    double value;
    guint timer;
  } guess;
  char *kernel_problem; /* why the folder can't be read, or NULL */

  LsSessionKept *kept;     /* experiments with the run's lanes; NULL: they are being read */
  LsSessionKept *recorded; /* those of file, or NULL */
  GTask *reading;          /* not owned: the task that reads the newest of kept */
  GTask *measuring;        /* an experiment, or NULL */
  guint measuring_tick;
  gboolean plays_later; /* once that has ended */

  LsPlayhead playhead;
  gboolean dial_chosen;   /* by the user: the program doesn't turn it any more */
  gint64 record_asked_us; /* 0: no recorded step is on its way */
  gint64 lanes_asked_us;  /* when one was asked for because a lane had come */
  LsRecording *best;      /* of the recorded steps that weren't typical so far: the nearest to the medians, or
                             NULL */
  double best_distance;
  guint tried;         /* how many those are */
  LsRecording *ready;  /* the chosen one, which is shown when the shown one has been played; or NULL */
  LsRecording *aside;  /* the newest interrupted one that wasn't shown, or NULL, */
  char *aside_words;   /* what happened to it, */
  guint aside_side;    /* on which lane, */
  guint n_aside;       /* and how many there were */
  LsOpTimes *op_times; /* of the run's recorded steps, or NULL */
  gboolean show_next;  /* the next recorded step is shown when it comes */
  struct {
    gboolean wished, newer; /* something is wished for; and it hasn't been asked yet */
    LsAsked what;
    gint64 number, n_values;
    float *values;
    double reach;         /* of the plane; 0: not known yet */
    LsQuestion *question; /* the newest that was asked */
    gint64 asked_us;
    guint64 steps; /* of all lanes then */
    guint timer;
  } ask;
  gboolean stepped; /* it was asked for by Step: shown whole */
  LsKeptRun *from;  /* the run goes on with this one's weights; NULL: it began at the first step */
  struct {
    LsKeeper *keeper;   /* NULL: runs aren't kept */
    LsKeptRun *offered; /* found, and the user hasn't decided yet; or NULL */
    gboolean decided;   /* what was found is taken or left */
    gboolean saving;
    gboolean asked;    /* for the weights of the next check */
    gboolean failed;   /* it has been said that nothing is kept */
    guint64 run, step; /* counts runs; of this one the weights after so many steps are kept; 0: none are */
    gint64 next_us;    /* when the next ones may be */
    guint timer;
  } keep;
};

void ls_session_emit_data (LsSession *self);
void ls_session_emit_time (LsSession *self);
void ls_session_emit_state (LsSession *self);
void ls_session_emit_kernels (LsSession *self, const char *sentence);
/* Lanes that train, and have begun to. */
guint ls_session_lanes_ready (const LsSnapshot *snapshot);
void ls_session_rebuild (LsSession *self);
/* start: from its beginning; otherwise the playhead stays where it is. */
void ls_session_show (LsSession *self, LsRecording *recording, gboolean start);
void ls_session_want_record (LsSession *self);
/* One has come (transfer full). */
void ls_session_take_snapshot (LsSession *self, LsSnapshot *snapshot);
/* Takes what the coordinator has published since. */
void ls_session_look (LsSession *self);
/* Polls while something can come. */
void ls_session_watch (LsSession *self);
/* A lane that still builds its kernels would take part in what is measured; it comes, fails or hangs. */
gboolean ls_session_any_comes (LsSession *self);
/* session_pace.c: the coordinator gets the options, with the pace that is held; a new one has its number of
 * steps; a snapshot that has come may be the run's last. */
void ls_session_tell_options (LsSession *self);
void ls_session_begin_run (LsSession *self);
void ls_session_look_for_end (LsSession *self);
/* session_kernels.c: a new run gets the edited kernels; LOCKSTEP_KERNEL_DIR is watched from the start; none
 * is any more; what became of them. */
void ls_session_give_kernels (LsSession *self);
void ls_session_watch_environment (LsSession *self);
void ls_session_unwatch_kernels (LsSession *self);
void ls_session_kernels_changed (LsSession *self, const LsSnapshot *before, const LsSnapshot *now);
/* session_ask.c: the lanes are asked that, or nothing any more; anew: also if they are asked already. */
void ls_session_want_answer (LsSession *self, const LsWish *wish, gboolean anew);
void ls_session_ask_nothing (LsSession *self);
/* session_walk.c: the recording is the newest step again, with one more walk: TRUE, and it takes that one's
 * place. */
gboolean ls_session_take_walked (LsSession *self, LsRecording *recording);
/* session_run.c: ls_session_train(), where an earlier run was broken off; NULL: from the first step. */
void ls_session_train_from (LsSession *self, const LsOptions *options, LsKeptRun *from);
/* session_kept.c: a snapshot has come, and its recording not yet been taken; another run begins; the session
 * ends. */
void ls_session_keep (LsSession *self);
void ls_session_keep_anew (LsSession *self);
void ls_session_end_keeping (LsSession *self);
/* session_typical.c: one has come, and is shown if it is to be. */
void ls_session_take_recording (LsSession *self, LsRecording *recording);
/* What is recorded from now on is of another way to compute, or of another run. */
void ls_session_forget_typical (LsSession *self);
void ls_session_forget_aside (LsSession *self);
/* session_change.c: before options become those; what to say of each lane (transfer full), NULL: nothing;
 * nothing any more. */
void ls_session_note_change (LsSession *self, const LsOptions *after, gboolean rerun);
void ls_session_tell_changes (const LsSession *self, LsChange changes[LS_MAX_LANES]);
void ls_session_forget_changes (LsSession *self);
/* session_lab.c: experiments with the lanes that the run has now are read; those of a recording, which are
 * parsed on any thread, (transfer full), with an error if there are some that can't be; an experiment that is
 * going on ends. */
void ls_session_read_kept (LsSession *self);
LsSessionKept *ls_session_recorded_kept (const LsRecording *recording, GError **error);
void ls_session_kept_free (LsSessionKept *kept); /* NULL: nothing */
void ls_session_end_lab (LsSession *self);
/* Of all that is kept, what the pictures show; (transfer full); NULL: it is being read. */
GPtrArray *ls_session_lab_shown (LsSession *self);
/* A line more of what is said; *text: of g_malloc(), or NULL. */
void ls_session_lab_append (char **text, const char *line);
/* What is kept and measured, for the pictures; what was told is let go of. */
void ls_session_tell_lab (LsSession *self, LsViewBeside *beside);
void ls_session_told_lab (LsViewBeside *beside);
void ls_session_forget_lab (LsSession *self);
/* That claim is being run, or is about to be. */
gboolean ls_session_is_run (LsSession *self, const char *claim);
/* session_claims.c: a guess, which is kept soon; at once; the guess and the outcome of one claim, NULL: as
 * they are. What others were guessed meanwhile stays. */
void ls_session_guess (LsSession *self, const char *claim, double value);
void ls_session_keep_guess (LsSession *self);
void ls_session_take_claims (LsSession *self, const LsClaims *claims, const char *name);
void ls_session_forget_claims (LsSession *self);
