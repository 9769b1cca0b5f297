/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsHelpTopic: what a view's marks mean and how its numbers were made, as a table of short texts. One text,
 * four readers: the help window (F1), `lockstep help TOPIC`, the manual page, and README's section on the
 * method, which a test holds against it. No toolkit and no Cairo in here: a mark is only named, and whoever
 * shows it paints it.
 *
 * A view's topic has the view's name. A new view is one row of LS_VIEWS: its topic is a file here, its
 * picture a folder of ui/paint.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The little picture beside an entry. */
typedef enum {
  LS_HELP_NONE,
  LS_HELP_CPU, /* the lanes' colours */
  LS_HELP_OPENCL,
  LS_HELP_BOTH,
  LS_HELP_TO_COME, /* paler: not yet, at the playhead's moment */
  LS_HELP_PLAYHEAD,
  LS_HELP_GAP,
  LS_HELP_TILE,  /* a worker's colour */
  LS_HELP_TAKEN, /* with its corner */
  LS_HELP_ORDER, /* of completion */
  LS_HELP_WAIT,
  LS_HELP_FOLDED,
  LS_HELP_PICKED,
  LS_HELP_SIGNED, /* the ramp of weights */
  LS_HELP_AMOUNT,
  LS_HELP_MEASURED, /* the four marks of evidence, in LsEvidence's order */
  LS_HELP_DERIVED,
  LS_HELP_MODELLED,
  LS_HELP_PUBLISHED,
  LS_HELP_CURVE, /* a line with its band */
  LS_HELP_DOT,
  LS_HELP_MARK_N,
} LsHelpMark;

typedef struct {
  LsHelpMark mark;
  const char *term; /* NULL ends the list */
  const char *text; /* what it means, and how it was made */
} LsHelpEntry;

/* All texts are marked for translation, and translated by whoever shows them. */
typedef struct {
  const char *name; /* "race": a view's name, or "start", "methods"; stable, for the command line */
  const char *title;
  const char *lead; /* a paragraph */
  const LsHelpEntry *entries;
} LsHelpTopic;

/* The views, in the order of their keys. NAME has a topic, ls_help_NAME, and in ui/paint/NAME its
 * ls_view_NAME. */
/* clang-format off */
#define LS_VIEWS(ROW) \
  ROW (race)          \
  ROW (partition)     \
  ROW (tiles)         \
  ROW (timeline)      \
  ROW (network)       \
  ROW (curves)        \
  ROW (roofline)      \
  ROW (scaling)       \
  ROW (crossover)     \
  ROW (machines)      \
  ROW (planner)       \
  ROW (claims)
/* clang-format on */

#define LS_HELP_DECLARE(name) extern const LsHelpTopic ls_help_##name;
LS_VIEWS (LS_HELP_DECLARE)
extern const LsHelpTopic ls_help_start, ls_help_methods;

const LsHelpTopic *const *ls_help_topics (guint *n);
/* NULL: there is none of that name. */
const LsHelpTopic *ls_help_find (const char *name);
/* "race, partition, …" */
const char *ls_help_views (void);

/* The first start's line: what this is, in three sentences that stand on one line of 1280 px. */
const LsHelpEntry *ls_help_card (void);

G_END_DECLS
