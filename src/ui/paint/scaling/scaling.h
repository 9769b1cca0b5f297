/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling's inner parts: the laboratory's results as panels, each how something grows with one size, and the
 * law that is fitted to it.
 */
#pragma once

#include "lab/result.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* In the order in which they stand. */
typedef enum {
  LS_SCALING_THREADS,
  LS_SCALING_FLIGHT,
  LS_SCALING_BATCH,
  LS_SCALING_SIZE,
  LS_SCALING_EDGE,
  LS_SCALING_WIDTH,
  LS_SCALING_TILES,
  LS_SCALING_N,
} LsScalingKind;

/* What the view is asked for. */
typedef struct {
  gint open;     /* LsScalingKind of the panel that has all the room; −1: none */
  guint page;    /* of them, where not all have room */
  gboolean rate; /* throughput instead of latency */
} LsScalingState;

#define LS_SCALING_STATE_ALL                                                                                 \
  {                                                                                                          \
    .open = -1                                                                                               \
  }

/* scaling_state.c */
extern const LsScalingState ls_scaling_first;
extern const LsViewSwitch ls_scaling_switches[];
extern const LsViewOption ls_scaling_options[];

const LsScalingState *ls_scaling_asked (const LsQuery *query);
LsAct ls_scaling_pointed (const LsLayout *layout, double x, double y, LsQuery *query);
LsAct ls_scaling_key (const LsLayout *layout, LsViewKey key, LsQuery *query);
const LsExperiment *ls_scaling_measures (const LsQuery *query, guint i);

/* What a panel's values are, which decides its axis and words. */
typedef enum {
  LS_SCALING_SPEED_UP,
  LS_SCALING_TIME,    /* of a step or a product: `unit` says in what */
  LS_SCALING_PER_S,   /* samples/s */
  LS_SCALING_GFLOPS,  /* GFLOP/s */
  LS_SCALING_OF_ROOF, /* %, of the lane's compute roof */
  LS_SCALING_OF_BEST, /* %, of the lane's own best */
} LsScalingValue;

typedef struct {
  double x, value, low, high; /* in the panel's unit; low … high: the middle half */
  gboolean covered;           /* by the law */
} LsScalingDot;

/* How a lane grows. */
typedef struct {
  GArray *dots;     /* LsScalingDot */
  double last_rate; /* as measured at the last of them */
  gboolean fitted;  /* there were enough dots for the law, which may not hold */
  LsLabFit fit;
  double one; /* what the law's rate is divided by for the axis */
} LsScalingLane;

typedef struct {
  LsLayout *layout;
  LsScalingKind kind;
  LsArea area;
  const LsLabResult *result; /* NULL: not measured */
  const LsLabResult *beside; /* of a kernel that computes, beside the one that waits; NULL: none */
  GArray *names;             /* LsViewName of the result's lanes */
  LsScalingValue value;
  const char *unit;                                        /* of time, translated */
  double unit_ns;                                          /* that unit */
  LsLaw law;                                               /* that is tried first; LS_LAW_NONE: none fits */
  LsEvidence evidence;                                     /* of the dots */
  LsScalingLane lanes[LS_MAX_LANES], others[LS_MAX_LANES]; /* of `result` and of `beside` */
  LsAxis x, y;
  double left, right, top, bottom; /* of the plot; right ≤ left: it has no room */
} LsScalingPanel;

typedef struct {
  LsScalingPanel panels[LS_SCALING_N];
  LsArea cells[LS_SCALING_N]; /* w 0: it isn't shown */
  guint n_pages;
} LsScaling;

/* scaling_data.c */
const char *ls_scaling_title (LsScalingKind kind);
const LsExperiment *ls_scaling_experiment (LsScalingKind kind);
/* Of the data's results; area and axes are still to come. */
void ls_scaling_panel_init (LsScalingPanel *panel, LsLayout *layout, LsScalingKind kind);
void ls_scaling_panel_clear (LsScalingPanel *panel);
gboolean ls_scaling_has_dots (const LsScalingPanel *panel);
/* The value, in the panel's unit, that a rate is at x. */
double ls_scaling_value (const LsScalingPanel *panel, const LsScalingLane *lane, double x, double rate);
/* The law's value there, with the band of its uncertainty; these may be NULL. */
double ls_scaling_law (const LsScalingPanel *panel, const LsScalingLane *lane, double x, double *low,
                       double *high);

/* scaling_axes.c: from all dots and the place between left, right, top and bottom. */
void ls_scaling_axes (LsScalingPanel *panel);
double ls_scaling_ticks_width (const LsScalingPanel *panel); /* of the numbers left of it */
void ls_scaling_draw_axes (const LsScalingPanel *panel);

/* scaling_plot.c: axes, dots, law. */
void ls_scaling_plot (LsScalingPanel *panel);

/* scaling_words.c; all (transfer full) */
char *ls_scaling_subtitle (const LsScalingPanel *panel);
char *ls_scaling_axis (const LsScalingPanel *panel);
/* "4.65 ms", "5.7×": what stands at a lane's last dot. */
char *ls_scaling_last (const LsScalingPanel *panel, const LsScalingLane *lane);
/* "serial share s 5.9 % ± 0.9, never over 17×", that it doesn't fit, or that there are too few dots. */
char *ls_scaling_fit (const LsScalingPanel *panel, const LsScalingLane *lane);
/* How many lines ls_scaling_tell() takes. */
guint ls_scaling_lines (const LsScalingPanel *panel);
/* The law with its constants below each other from y on; returns the last baseline. */
double ls_scaling_tell (const LsScalingPanel *panel, LsArea area, double y);
/* In the place of a plot that isn't there: what would be measured, and how. */
void ls_scaling_empty (const LsScalingPanel *panel, LsArea area);
/* "measured on 2026-11-02, 3 weeks ago", or what is being measured of it; NULL: it is whole and not old, or,
 * unless it is asked for alone, all panels are of that day. */
char *ls_scaling_age (const LsScalingPanel *panel, gboolean alone);
/* “3 weeks ago”, “on another machine, 3 weeks ago”: of a panel with a result, where there is no room for
 * that. */
char *ls_scaling_age_brief (const LsScalingPanel *panel);
/* Why that lane has no dot, at a size or at all; NULL: it lacks none. */
char *ls_scaling_lacks (const LsScalingPanel *panel, guint lane);

/* scaling_shrink.c: what of the recorded step doesn't shrink with more workers, µs. */
typedef struct {
  double step_us;  /* the whole step */
  double alone_us; /* ops of a single tile */
  double tail_us;  /* at the end of ops, where some workers have nothing more to do */
  double gaps_us;  /* between ops */
} LsScalingShrink;

/* FALSE: the lane has no workers that could share. */
gboolean ls_scaling_shrink (const LsViewLane *lane, LsScalingShrink *shrink);
/* As a bar with its parts named; returns its height, 0: it had no room. */
double ls_scaling_shrink_bar (LsLayout *layout, const LsViewLane *lane, LsArea area);

G_END_DECLS
