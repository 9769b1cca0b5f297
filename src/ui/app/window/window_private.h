/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window's files share: window.c (what the session says), window_build.c (widgets), window_room.c
 * (sizes), window_stages.c (one view or two), window_actions.c (menus, keys and buttons), window_focus.c
 * (where keys go), window_export.c (files out of it), window_state.c (what is kept from one start to the
 * next), window_lanes.c (switches and buttons on the stage), window_switches.c (the views' own),
 * window_evidence.c (the popover of an evidence mark), window_fair.c (what makes the comparison fair),
 * window_help.c (help), window_first.c (the first start), window_lab.c (measuring what a view shows),
 * window_kept.c (a run that a crash has broken off), window_recorded.c (training a recording's network),
 * window_kernels.c (kernels that the user edits), window_meter.c (for tests and benchmarks).
 */
#pragma once

#include "ui/app/canvas/canvas.h"
#include "ui/app/compat.h"
#include "ui/app/widgets/pace_switch.h"
#include "ui/app/session/session.h"
#include "ui/app/settings/settings_pane.h"
#include "ui/app/widgets/sidebar.h"
#include "ui/app/widgets/time_bar.h"
#include "ui/app/window/window.h"

#define LS_WINDOW_BLOWS  3    /* window_fair.c */
#define LS_WINDOW_TWO    3000 /* px from which two views have room side by side */
#define LS_WINDOW_LARGE  1600 /* px from which the sidebar has words */
#define LS_WINDOW_WORDS  1240 /* from which the pace has three words in the header */
#define LS_WINDOW_MEDIUM 1100 /* from which it stands beside the stage */

/* Under the sentence of a lane that doesn't run. */
typedef struct {
  GtkWidget *box, *retry, *help, *log, *words;
} LsLaneButtons;

/* A view with what can be switched on it. Left is the one whose clock the time bar shows. */
typedef struct {
  GtkWidget *clamp, *canvas;        /* NULL: not made yet */
  GtkWidget *controls[LS_SIDES][2]; /* by side: a CPU lane's, an OpenCL lane's */
  GtkWidget *choices[LS_SIDES];     /* LsLaneChoice */
  GtkWidget *fair;                  /* the mark between the heads */
  LsLaneButtons buttons[2];
  GtkWidget *measure;
} LsStage;

struct _LsWindow {
  AdwApplicationWindow parent;
  LsSession *session;
  GSettings *store; /* NULL where the schema isn't installed */

  GtkWidget *header, *title, *play, *toasts;
  GtkWidget *reading;        /* how far data are read that were opened: ls_settings_bar_new() */
  GtkWidget *content, *over; /* what stands side by side; what lies over it where there is no room beside */
  GtkWidget *banner, *banner_text, *banner_buttons[2];
  GtkWidget *sidebar_revealer, *sidebar;
  GPtrArray *switches;    /* of the views, on all stages: window_switches.c */
  LsStage stages[2];      /* the left one; the right one, where there is room */
  GtkWidget *canvas;      /* of the two the one that keys and menus are for */
  GtkWidget *pair, *rule; /* what holds both; the line between */
  GtkWidget *time_bar, *dial, *pace, *two;
  GtkWidget *settings_revealer, *settings;
  GtkWidget *card, *help; /* the first start's sentences and choices; the help window, or NULL */

  int width;               /* px, of the size class in effect */
  guint width_later;       /* the idle that applies it, or 0 */
  guint focus_later;       /* the idle that gives the focus back to the picture, or 0 */
  gulong closed_hook;      /* that hears of closed popovers */
  gulong settings_come;    /* hears of the settings that slide in, to give them the focus; or 0 */
  gboolean sidebar_wanted; /* by the user, where there is room beside the stage */
  gboolean two_wanted;     /* two views, where there is room */
  gboolean projector;
  gboolean events;                     /* LOCKSTEP_EVENTS: say on stderr what happened */
  gboolean run_over, offered;          /* the run's end has been told; so has a run that was broken off */
  gboolean stepped, shown, listed;     /* first step, first frame, devices asked for */
  gconstpointer devices[LS_MAX_LANES]; /* the lanes' facts that were told of; only compared */
  LsPlan *told;                        /* whose samples' shape the settings know; or NULL */
  guint opened;                        /* files and folders, counted: the newest one counts */
  gint64 started_us, frame_us;
  gboolean tells_faults; /* LOCKSTEP_EVENTS=faults: of texts that overlap or leave the picture, too */
  char *fault;           /* told last, or NULL */
  guint meter;
  char *before_fight[LS_WINDOW_BLOWS]; /* what the unfair fight has changed, as it was; or NULL */
};

/* A line for whoever drives the window: tests, benchmarks. */
void ls_window_event (LsWindow *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void ls_window_show_title (LsWindow *self);
void ls_window_toast (LsWindow *self, const char *sentence);
void ls_window_set_view (LsWindow *self, guint view);
void ls_window_set_projector (LsWindow *self, gboolean projector);
void ls_window_show_sidebar (LsWindow *self, gboolean show);
/* The row of the option table gets this value, by whoever: pane or switches. */
void ls_window_set_option (LsWindow *self, const char *name, const char *text);
/* The same lanes with other values of their own. */
void ls_window_set_lanes (LsWindow *self, const char *lanes);
void ls_window_run_again (LsWindow *self);

/* The session has begun one: settings and switches are as its options. */
void ls_window_new_run (LsWindow *self);
/* window_kept.c: what an earlier window left behind. */
void ls_window_class_add_kept (GtkWidgetClass *widget_class);

/* Something changed between two steps. */
void ls_window_live_changed (LsWindow *self);

/* window_room.c: how the widgets share the window's width. */
void ls_window_apply_width (LsWindow *self);
void ls_window_queue_width (LsWindow *self, int width);

/* window_stages.c: one view, or two side by side. */
void ls_window_make_stages (LsWindow *self, GtkWidget *column);
void ls_window_show_stages (LsWindow *self);
void ls_window_set_two (LsWindow *self, gboolean two);
/* Of the two: NULL: it isn't there. */
LsCanvas *ls_window_canvas (LsWindow *self, guint stage);
/* Before the used stage shows that view: the other one, if it does, takes the used one's. Nobody wants to see
 * the same twice. */
void ls_window_keep_apart (LsWindow *self, const LsView *view);

GtkWidget *ls_window_make_header (LsWindow *self);
GtkWidget *ls_window_make_banner (LsWindow *self);
void ls_window_make_stage (LsWindow *self);
void ls_window_add_meter (LsWindow *self);
/* Which device a lane has got, once it is another one. */
void ls_window_tell_devices (LsWindow *self);
void ls_window_class_add_actions (GtkWidgetClass *widget_class);
void ls_window_add_keys (LsWindow *self, GtkWidget *widget);
/* window_focus.c: menus and dialogs give the keys back. */
void ls_window_watch_focus (LsWindow *self);
void ls_window_forget_focus (LsWindow *self);
/* window_open.c: asks for a folder or a file with data. data: an object. */
void ls_window_choose_data (LsWindow *self, LsChoose what, LsFileFunc done, gpointer data);
/* (transfer full); NULL: it isn't on this machine, which is told. */
char *ls_window_path_here (LsWindow *self, GFile *file);
/* Another one is opened, or counts in its place: what is still being read comes too late. */
void ls_window_forget_opening (LsWindow *self);
void ls_window_show_evidence (LsWindow *self, const LsEvidenceHit *hit);
/* For a popover's "closed": GTK wants it to be unparented, but not while it still handles its closing; the
 * window may be gone before that. */
void ls_window_popover_closed_cb (GtkWidget *popover);
/* window_help.c. topic: of the help; "": that of the view. */
void ls_window_help (LsWindow *self, const char *topic);
/* window_first.c: what the first start says and asks; its sentences go once a step of all lanes has been
 * played. */
GtkWidget *ls_window_make_card (LsWindow *self);
void ls_window_show_card (LsWindow *self);
void ls_window_fit_card (LsWindow *self, gboolean narrow);
void ls_window_card_seen (LsWindow *self);
void ls_window_export (LsWindow *self, const char *what);
void ls_window_copy (LsWindow *self);
void ls_window_load_state (LsWindow *self, LsOptions *options);
void ls_window_save_state (LsWindow *self);
void ls_window_edit_kernels (LsWindow *self);
void ls_window_own_kernels (LsWindow *self);
void ls_window_kernel_message (LsWindow *self);
void ls_window_add_kernels (LsWindow *self);
/* A menu of what can be done with them. */
GtkWidget *ls_window_kernel_button (void);
/* window_switches.c: the views' own; as the run's settings are now. */
void ls_window_add_switches (LsWindow *self, LsCanvas *canvas);
void ls_window_update_switches (LsWindow *self);
/* window_recorded.c: training the network of a recording, which can be done while one is shown. */
void ls_window_class_add_recorded (GtkWidgetClass *widget_class);
void ls_window_update_recorded (LsWindow *self);
/* window_lab.c: the button of views that measure. */
void ls_window_class_add_lab (GtkWidgetClass *widget_class);
void ls_window_add_lab (LsStage *stage);
void ls_window_update_lab (LsWindow *self);
void ls_window_add_lanes (LsWindow *self, LsStage *stage);
/* Where the lane of that side is in the run's list; −1: it is no lane of the run's. */
gint ls_window_lane_on (LsWindow *self, guint side);
/* The lane on that side, alone where it has a value of its own or isn't the only one of its backend. */
void ls_window_switch_lane (LsWindow *self, guint side, const LsOption *option, const char *text);
/* window_fair.c: the panel; the mark that opens it, and how that looks now. */
void ls_window_show_fair (LsWindow *self);
GtkWidget *ls_window_fair_button (void);
void ls_window_update_fair (LsWindow *self);
void ls_window_update_lanes (LsWindow *self);
