/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the coordinator's files share. coordinator.c is the owner's side; all others work on the control
 * thread, and the declarations below stand under the name of the file that has them.
 */
#pragma once

#include "train/coordinator.h"
#include "train/lane_control.h"
#include "train/pace.h"

/* What weights kept for lanes that are behind may take: of a cold start's minute the newest part. */
#define LS_KEPT_BYTES ((gsize) 48 << 20)

/* No step is to be recorded. */
#define LS_STEP_NONE G_MAXUINT64

/* A step that is to be recorded, and what lanes have kept of it so far. */
typedef struct {
  guint64 step;     /* from 0, or LS_STEP_NONE */
  guint lanes;      /* bit s: lane s takes part */
  gboolean tensors; /* they are kept, too */
  gboolean begun;   /* a lane is at it or has done it */
  LsLaneRecord *records[LS_MAX_LANES];
  LsLaneFacts *facts[LS_MAX_LANES]; /* as they were then, */
  LsLaneSpec *specs[LS_MAX_LANES];  /* when the lane began it; NULL: it hasn't */
  LsOptions *options;               /* when the first one did; NULL: none has; */
  gint turn_kind;                   /* LsTurns in effect then */
} LsWanted;

/* What a backend does beside its lane, on a thread, in a process of its own: edited kernels are tried, or
 * what a walk or a recorded step needs is built, while the lane trains on. */
struct _LsPreparation {
  const LsBackend *backend;
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  LsKernelFiles *files; /* that are tried, or that the lane works with; NULL: its own */
  LsSignal *signal;     /* raised at the end */
  LsWalkWish wish;
  char *key; /* of the wish, with all that it depends on; NULL: a trial */
  guint64 begun_ns;
  LsKernelTrial progress;
  GError *error; /* of a trial, once it is over */
  gint over;     /* atomic */
};

/* Whether the lane is to record that step. */
static inline gboolean
ls_wanted_from (const LsWanted *wanted, const LsLaneControl *control, guint64 step)
{
  return wanted->step == step && wanted->lanes & ls_control_bit (control);
}

/* What the owner wishes, until it is taken. */
typedef struct {
  guint64 serial; /* of the newest command */
  guint64 target;
  gboolean running, quit;
  gboolean record, one_more; /* one more: asked for while nothing ran */
  gboolean next, next_tensors;
  gboolean retry;
  gboolean walk, hold;
  LsWalkWish walk_wish;
  LsKernelFiles *kernels;
  LsJobKind request; /* LS_JOB_READ or LS_JOB_COMPARE, for every working lane */
  LsOptions *options;
  LsQuestion *question; /* the newest */
} LsCommands;

/* load.c: what was read last, and what is told of it. */
typedef struct {
  guint processors;
  guint64 looked_ns;
  gboolean whole; /* the lanes haven't rested since */
  double busy_s, own_s;
  guint n, clocks[LS_MAX_LANES]; /* looks in the means */
  LsMachineLoad told;
} LsLoadLook;

struct _LsCoordinator {
  /* fixed after new */
  LsPlan *plan;
  LsData *data;
  LsBatcher *batcher;
  float **initial; /* plan->n_params; */
  guint64 begun;   /* after so many steps */
  guint n_lanes;
  LsLaneControl lanes[LS_MAX_LANES];
  LsSignal *signal;    /* wakes the control thread */
  guint64 patience_ms; /* of the watchdog; 0: by expected time */
  gboolean started;
  pthread_t thread;

  /* under mutex */
  pthread_mutex_t mutex;
  pthread_cond_t idle_cond;
  LsCommands want;
  guint64 idle_serial; /* the command after which nothing was left to do */
  guint answered;      /* bit s: lane s has done the request; what came of it may be read */

  /* the control thread's own */
  guint64 seen_serial;
  LsOptions *options;
  gboolean running;
  guint64 target; /* at most LS_CURVE_MAX */
  gboolean cut;   /* more steps were asked for than that */
  LsWanted last;  /* what record() asks for: of all lanes, also of those that come */
  LsWanted next;  /* what record_next() asks for: of the lanes that were at that step when it was chosen */
  gboolean next_asked, next_tensors; /* the next step is still to be chosen; */
  gboolean next_of_run;              /* of those up to the target */
  LsJobKind request;
  LsQuestion *question;    /* for every lane that works, or NULL */
  guint64 question_number; /* counts how often one was asked */
  gint turn_kind;          /* LsTurns in effect */
  guint last_lane;         /* that was given steps */
  LsPacer pacer;
  guint64 run_start_ns;
  guint64 looked_ns; /* when it looked at the lanes last */
  GPtrArray *kept;   /* weights of lanes that are ahead: agreement.c */
  LsAgreement agreement;
  gboolean hold;       /* the weights of the next check are to be held: */
  LsHeldWeights *held; /* or NULL */
  LsRecording *recording;
  LsRecording *fresh; /* recorded since, waits for its walks; NULL: none */
  LsWalkWish walk_wish;
  char *recording_message; /* why there is none of the newest recorded step */
  guint64 published_ns, publish_serial;
  LsLoadLook load;

  LsSnapshot *newest; /* mailbox: exchanged atomically */
};

/* Each lane's control in turn. */
#define LANES(self, control)                                                                                 \
  for (__typeof__ (&(self)->lanes[0]) control = (self)->lanes; control < (self)->lanes + (self)->n_lanes;    \
       control++)

/* Looking for devices and compiling all kernels may take so long; so may compiling others. */
#define LS_PATIENCE_OPEN_MS 600000

/* ---- all on the control thread ---- */

/* control.c: the thread */
void *ls_coordinator_control (void *self);

/* schedule.c */
/* Hands a request over; the watchdog waits for grace_ms and 20 times the expected time. */
void ls_coordinator_post (LsCoordinator *self, LsLaneControl *control, const LsRequest *request,
                          double expected_us, guint grace_ms);
/* FALSE: nothing to do for any lane that works. */
gboolean ls_coordinator_schedule (LsCoordinator *self);
/* The lane is about to go through the test set. */
gboolean ls_coordinator_evaluates (const LsCoordinator *self, const LsLaneControl *control);

/* collect.c */
void ls_coordinator_collect (LsCoordinator *self);
void ls_coordinator_choose_turns (LsCoordinator *self);
void ls_control_park (LsLaneControl *control, LsLaneStage stage, const char *message);
/* There is no memory for another point of the curve. */
void ls_control_park_full (LsLaneControl *control);
/* As the lane's backend tells them now. */
void ls_control_update_facts (LsCoordinator *self, LsLaneControl *control);

/* agreement.c */
/* All working lanes, one at least, stand at the same step. */
void ls_coordinator_compare_losses (LsCoordinator *self);
void ls_coordinator_compare_weights (LsCoordinator *self, LsLaneControl *control);
/* The lane has been examined: what differs first, of all that have been. */
void ls_coordinator_take_examination (LsCoordinator *self, LsLaneControl *control);
/* Whether the lane is one of two that disagree, and still to be examined. */
gboolean ls_coordinator_to_examine (const LsCoordinator *self, const LsLaneControl *control);
/* The lane's params have just been read, for a check: they are held if that was asked for. */
void ls_coordinator_hold (LsCoordinator *self, const LsLaneControl *control);
/* The lane isn't coming to the steps up to its present one any more: no weights are kept for it. */
void ls_coordinator_forget_weights (LsCoordinator *self, const LsLaneControl *control);
/* What is known about the lanes together begins anew. */
void ls_coordinator_forget_agreement (LsCoordinator *self);

/* load.c */
/* Once a second, while anything runs, it reads what the system tells. */
void ls_coordinator_look_load (LsCoordinator *self);

/* publish.c */
/* At most 60 times a second unless it must be `now`. FALSE if that was too soon. */
gboolean ls_coordinator_publish (LsCoordinator *self, gboolean now);
/* The lane computes in another way from now on: so its rates begin anew. */
void ls_control_begin_figures (LsLaneControl *control);

/* recording.c: which step, what a lane kept of it, and all lanes' together. */
void ls_coordinator_aim_last (LsCoordinator *self, gboolean anew);
void ls_coordinator_ask_next (LsCoordinator *self, gboolean tensors);
void ls_coordinator_aim_next (LsCoordinator *self);
void ls_coordinator_take_record (LsCoordinator *self, LsLaneControl *control);
/* anyway: without the lanes that haven't come. */
void ls_coordinator_finish_records (LsCoordinator *self, gboolean anyway);
/* The lane has gone back to its present step: what it kept of later ones isn't its own any more. */
void ls_coordinator_forget_records (LsCoordinator *self, const LsLaneControl *control);
void ls_wanted_drop (LsWanted *wanted, const LsPlan *plan);
/* The lane is about to do that step, with the options of now. */
void ls_wanted_begin (LsWanted *wanted, const LsCoordinator *self, const LsLaneControl *control);

/* preparation.c */
/* A trial of files; or with a wish and its key what that needs, where files are the lane's.
 * NULL: the system grants no thread. */
LsPreparation *ls_preparation_new (const LsCoordinator *self, const LsLaneControl *control,
                                   LsKernelFiles *files, const LsWalkWish *wish, const char *key);
gboolean ls_preparation_over (const LsPreparation *self);
/* Has it end soon, and forgets it; *self may be NULL. */
void ls_preparation_drop (LsPreparation **self);

/* warm.c */
/* FALSE: what that walk needs is still being built beside the lane, which isn't to wait for its compiler;
 * begun if need be. */
gboolean ls_coordinator_warm_walk (LsCoordinator *self, LsLaneControl *control, const LsWalkWish *wish);
/* It has been built. */
gboolean ls_control_is_warm (const LsCoordinator *self, const LsLaneControl *control, const LsWalkWish *wish);
/* That has been going on for longer than others wait. */
gboolean ls_control_warms_long (const LsLaneControl *control);
/* What came of it, if it is over. */
void ls_control_collect_warm (LsLaneControl *control);

/* walks.c */
/* Gives the lane the next walk that is wished for; FALSE: none is. */
gboolean ls_coordinator_post_walk (LsCoordinator *self, LsLaneControl *control);
void ls_coordinator_take_walk (LsCoordinator *self, LsLaneControl *control);
/* recording (transfer full) is the newest, and is shown once it has its walks. */
void ls_coordinator_keep_fresh (LsCoordinator *self, LsRecording *recording);
void ls_coordinator_show_walked (LsCoordinator *self);

/* retry.c */
/* The lane, which has its thread, is told to open its device. */
void ls_coordinator_open (LsCoordinator *self, LsLaneControl *control);
/* Opens anew what has failed or hangs. */
void ls_coordinator_reopen (LsCoordinator *self);
/* Lanes that were closed make room for new ones. */
void ls_coordinator_replace_closed (LsCoordinator *self);
/* Puts lanes that were opened anew where another one is, once that is at no job. TRUE if that gave a
 * lane something to do. */
gboolean ls_coordinator_join (LsCoordinator *self);
/* A lane that works has saved its checkpoint: it is given to all that wait for one. */
void ls_coordinator_hand_over (LsCoordinator *self, const LsLaneControl *control);
/* Steps that the furthest lane that works has done; 0 if none works. */
guint64 ls_coordinator_furthest (const LsCoordinator *self);

/* waiting.c: lanes that open for the first time are waited for. */
/* After so many steps a lane that works waits; G_MAXUINT64: it doesn't. */
guint64 ls_coordinator_waits_after (const LsCoordinator *self);
/* That step may be recorded although a lane still comes. */
gboolean ls_coordinator_may_record (const LsCoordinator *self, guint64 step);
/* The lane stands and waits. */
gboolean ls_control_waits (const LsCoordinator *self, const LsLaneControl *control);
/* Who has taken too long isn't waited for any more. */
void ls_coordinator_look_overdue (LsCoordinator *self);

/* kernels.c: edited ones */
/* A set for all lanes that have kernels. */
void ls_coordinator_take_kernels (LsCoordinator *self, LsKernelFiles *files);
/* What came of trials. */
void ls_coordinator_collect_trials (LsCoordinator *self);
/* Some are on their way. */
gboolean ls_coordinator_kernels_coming (const LsCoordinator *self);
/* Whether the lane, a working one, was told to load some; and what came of that. */
gboolean ls_coordinator_post_kernels (LsCoordinator *self, LsLaneControl *control);
void ls_coordinator_took_kernels (LsCoordinator *self, LsLaneControl *control);
void ls_control_fill_kernels (const LsLaneControl *control, LsLaneSnapshot *lane);
