/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Race's files share: one lane's column of ops falling down the clock.
 */
#pragma once

#include "ui/paint/parts/folds.h"

G_BEGIN_DECLS

/* The view's own part of a query. */
typedef struct {
  LsFolds folds;
} LsRaceState;

/* race_state.c */
extern const LsRaceState ls_race_first;
extern const LsViewSwitch ls_race_switches[];
extern const LsViewOption ls_race_options[];
LsAct ls_race_point (const LsLayout *layout, double x, double y, LsQuery *query);
LsAct ls_race_key (const LsLayout *layout, LsViewKey key, LsQuery *query);

/* What is drawn as one box: a span; or all those of a layer's time steps, one way. */
typedef struct {
  guint first, n; /* spans */
  gint64 start_ns, end_ns;
  const LsChain *chain; /* folded; NULL: one span */
  const LsChain *open;  /* of which this is a span, where that is open; NULL */
} LsRacePiece;

/* px, at a column's inner edge: what stands beside an open chain's boxes: a line that folds it again */
#define LS_RACE_OPEN 10.0

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane;
  guint side;
  LsArea column;        /* of the whole clock: y … y + h is 0 … span */
  double outer;         /* where labels may reach: the picture's margin on this side */
  double bottom;        /* words below the column end above this */
  double labels_end;    /* where they do */
  double labels_bottom; /* the last of them */
  gboolean drawn;       /* there is a column */
  const GArray *chains; /* LsChain, of the recording */
  GArray *pieces;       /* LsRacePiece; NULL: nothing is drawn */
  gint64 span_ns;
} LsRaceLane;

/* Where the one op's words may stand, and whose names they are at: beside the right lane's at its foot, or
 * below them. */
typedef struct {
  LsArea area;
  guint side;
  gboolean at_foot;
} LsRaceOpPlace;

static inline double
ls_race_y (const LsRaceLane *r, gint64 ns)
{
  return r->column.y + r->column.h * (double) CLAMP (ns, 0, r->span_ns) / (double) MAX (r->span_ns, 1);
}

static inline const LsSpan *
ls_race_span (const LsRaceLane *r, guint i)
{
  return &g_array_index (r->lane->index->spans, LsSpan, i);
}

static inline const LsRacePiece *
ls_race_piece (const LsRaceLane *r, guint i)
{
  return &g_array_index (r->pieces, LsRacePiece, i);
}

static inline guint
ls_race_chain_number (const LsRaceLane *r, const LsChain *chain)
{
  return (guint) (chain - (const LsChain *) (const void *) r->chains->data);
}

/* Where the piece's boxes are across. */
static inline LsArea
ls_race_across (const LsRaceLane *r, const LsRacePiece *piece)
{
  LsArea a = r->column;

  if (piece->open != NULL)
    {
      a.w -= LS_RACE_OPEN;
      a.x += r->side == 0 ? 0 : LS_RACE_OPEN;
    }
  return a;
}

/* A lane that stopped keeps a step of its own. */
static inline const LsRecording *
ls_race_recording (const LsRaceLane *r)
{
  return r->lane->held != NULL ? r->lane->held : r->layout->data->recording;
}

/* race_head.c: the heads with the huge rates, and the ratio between them, in the hall the verdict below;
 * returns their height. */
double ls_race_heads (LsLayout *layout, LsArea area, double middle);
/* race_ratio.c: between the heads, and in the hall below them, whose last baseline is `bottom`; each returns
 * the last one then. */
double ls_race_ratio (LsLayout *layout, LsArea area, double width, double bottom);
double ls_race_verdict (LsLayout *layout, LsArea area, double bottom);
/* Whether both lanes' names leave room for what stands beside them. */
gboolean ls_race_halves_fit (const LsLayout *layout, double width);
/* Both middle halves on a log scale, right is faster, 1 is the slower median; two lines and a tick high. */
void ls_race_halves (const LsLayout *layout, LsScene *scene, LsArea area, const LsFigure *left,
                     const LsFigure *right);
/* race_op.c: one op on both lanes, into the moving scene, at the area's top or foot; nothing where there is
 * no room. Returns its top, or HUGE_VAL. */
double ls_race_op (const LsLayout *layout, const LsRaceOpPlace *place);
/* The same in words. (transfer full) */
char *ls_race_op_words (const LsLayout *layout);
/* race_column.c: ops as boxes, their names beside them. */
void ls_race_column (LsRaceLane *r);
/* race_labels.c: names beside the column, in an array of their own kind. (transfer full) */
GArray *ls_race_labels_new (void);
/* Asks for the name of n pieces together. */
void ls_race_label (const LsRaceLane *r, GArray *labels, guint first, guint n);
/* The hall reads the longest ops; the others between them are counted and summed up. Returns how many aren't
 * named at all. */
guint ls_race_label_longest (const LsRaceLane *r, GArray *labels);
/* A wait that is long enough to ask why gets a label, too; ns since the step's start. */
void ls_race_label_wait (const LsRaceLane *r, GArray *labels, gint64 from, gint64 to);
/* Draws those that have room; returns how many have none. */
guint ls_race_labels (LsRaceLane *r, GArray *labels);

G_END_DECLS
