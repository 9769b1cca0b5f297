/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of Network share: the recorded step's tensors as a chain of layers, and where each is drawn.
 *
 * What is known: all values were read back from the lanes, after the step; so weights are those of the next
 * step, one update later than the activations beside them, and the picture says so. Connections (weight ×
 * activation) and differences between the lanes are derived.
 */
#pragma once

#include "ui/paint/data/chain.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_NETWORK_LAYERS   12 /* more than these are not drawn: the first, and the last ones */
#define LS_NETWORK_PICTURES 48 /* of weights */
#define LS_NETWORK_CLASSES  64

/* The batch's input, the output of a hidden layer, or the last layer's. Values of a sample follow each
 * other. */
typedef struct {
  const LsRecordedShape *shape;
  const float *values[LS_SIDES]; /* of all samples; NULL: not recorded */
  gint64 units;                  /* numbers, or maps of a convolution */
  gint64 rows, cols;             /* of a map; 1, 1: numbers */
  const LsRecordedShape *weight; /* that leads here, or NULL */
  const float *weights[LS_SIDES];
  gboolean dense;          /* weight is a matrix, units × all values of the layer before */
  gint64 begin_ns, end_ns; /* when they were computed in the drawn lane, since its start of the step; 0, 0:
                              not known */
  gboolean steps;          /* a map whose rows are time steps */
  double top;              /* greatest |value| of the sample */
  gboolean is_signed;      /* some are below 0 */
  LsArea area;             /* of its cells or maps; w 0: not drawn */
  gint64 shown;            /* the first units, for which there is room */
  gint64 across;           /* units in a row */
  double cell_w, cell_h;   /* from a unit to the next, px */
} LsNetworkLayer;

/* A connection: the product of a weight and the activation that it multiplies; of a map, the sum of its
 * products. */
typedef struct {
  gint layer; /* it leads to */
  gint64 from, to;
  float value;
} LsNetworkEdge;

typedef enum {
  LS_NETWORK_WALK,
  LS_NETWORK_TEST,
  LS_NETWORK_UNIT,
  LS_NETWORK_TIME, /* of a layer that reads a sequence */
  LS_NETWORK_N_PAGES
} LsNetworkPage;
/* Whose sample is shown: the batch's, by state.sample; the drawn one; the test set's, by state.test. */
typedef enum { LS_OWN_BATCH, LS_OWN_DRAWN, LS_OWN_TEST } LsOwn;

/* The view's own part of a query. */
typedef struct {
  guint page;       /* LsNetworkPage */
  guint own;        /* LsOwn */
  gint sample;      /* of the batch; −1: the first */
  gint64 test;      /* of the test set, from 0 */
  gint layer, unit; /* picked: the layer of the picture, and the unit there; −1: the most active one */
  gint step;        /* time step, from 1; 0: the last */
  gint step_unit;   /* of the layer with time steps; −1: that which says most */
} LsNetworkState;

#define LS_NETWORK_STATE_INIT                                                                                \
  {                                                                                                          \
    .sample = -1, .layer = -1, .unit = -1, .step_unit = -1                                                   \
  }

typedef struct _LsNetworkTime LsNetworkTime;

typedef struct {
  LsLayout *layout;
  const LsNetworkState *asked;
  const LsRecording *recording;
  gint side;         /* whose values are drawn: −1: nobody's, nothing was recorded */
  gboolean both;     /* the other's are there as well */
  gboolean low_room; /* for the differences there is no room */
  gint kept; /* which of the evaluation's mistakes is shown without its layers, where nobody can be asked; −1
              */
  gboolean own;                              /* the sample is the user's: `answers` are what is drawn of it */
  const LsAnswer *answers[LS_SIDES];         /* of the sides, to the same question; NULL: none */
  const LsAnswer *grids[LS_SIDES];           /* what is known of the whole plane, or NULL */
  const LsEvaluation *evaluations[LS_SIDES]; /* of the whole test set, or NULL */
  gint64 batch, sample;                      /* −1: none of the batch's */
  gint64 at;                                 /* row of the layers' values: the sample, or 0 of an answer */
  gint label;                                /* the shown sample's; −1: not known */
  const gint32 *labels;                      /* of the batch; NULL: not recorded */
  const float *inputs;                       /* the batch's own, of the drawn side */
  gint n_classes;
  char **class_names;           /* NULL: they are called by number */
  const float *probs[LS_SIDES]; /* rows as the layers' */
  const float *batch_probs[LS_SIDES];
  gint64 probs_begin_ns[LS_SIDES], probs_end_ns[LS_SIDES];
  guint n_layers;
  LsNetworkLayer layers[LS_NETWORK_LAYERS];
  GArray *chains;             /* LsChain: layers that read a sequence; NULL: there is no recording */
  float *steps[4 * LS_SIDES]; /* values of layers of steps: network_steps.c */
  guint n_steps;
  LsNetworkTime *time;           /* the page of time steps, or NULL */
  guint left_out;                /* layers that are not drawn */
  gint64 image_rows, image_cols; /* of a sample; 0: it is no image */
  gboolean plane;                /* a sample is a point of the plane */
  float low, high;               /* of the batch's values */
  gint layer, unit; /* picked, or the most active one of the first layer with curves; −1: there is none */
  gboolean picked;  /* by the user */
  guint n_pictures;
  gint64 pictures[LS_NETWORK_PICTURES]; /* units of layer 1 whose weights are drawn, by number */
  double weight_top, weight_quiet; /* |weights| of the pictures: from here on full colour; up to here none.
                                      quiet > 0: means of 3×3 */
  GArray *edges;                   /* LsNetworkEdge: pale ones; then the picked unit's */
  guint n_pale;
  guint n_drawn;                  /* of the pale ones: where both of their units are drawn */
  gint64 drawn_from_ns, drawn_ns; /* when the first and the last of them are drawn; 0: from the beginning */
  gint64 n_connections;           /* of all layers */
  gint predicted;                 /* the class that the drawn side holds most probable; −1 */
  guint *matrix;                  /* of the batch: label × said, how many samples; NULL */
  guint n_right;
  GArray *wrong; /* gint64: samples that are misclassified, the worst first */

  LsArea sample_area, picture_area, said_area, matrix_area[LS_SIDES], wrong_area;
  LsArea back, on; /* ◂ ▸ */
  LsArea strip;    /* samples of the batch under the shown one; w 0: none */
  gint64 strip_first;
  guint strip_cols, strip_rows;
  double strip_cell;                                                   /* from a sample to the next */
  LsArea tabs[LS_NETWORK_N_PAGES], go_to, to_batch, draw, undo, clear; /* w 0: not there */
  LsArea pad;                                                          /* w 0: none */
  gboolean pad_instead;                                                /* of the sample's image */
  double picture_w, picture_h; /* from a picture of weights to the next */
  guint picture_cols;
  double matrix_cell[LS_SIDES];
  double thumb_w, thumb_h; /* from a mistake to the next */
  guint thumb_cols, n_thumbs;
  gboolean thumbs_of_test; /* the evaluation's mistakes, not the batch's */
  double top, bottom;      /* of the pictures */
  double grow;             /* marks, not texts, are that much larger in a very large picture */
} LsNetwork;

/* network_data.c */
/* FALSE: there are no values to draw. */
gboolean ls_network_init (LsNetwork *n, LsLayout *layout);
void ls_network_clear (LsNetwork *n);
/* The item is seen from end_ns on. */
static inline void
ls_network_timed (LsItem *item, gint64 begin_ns, gint64 end_ns)
{
  if (end_ns <= 0)
    return;
  item->when = LS_WHEN_DONE;
  item->t0 = begin_ns;
  item->t1 = end_ns;
}

/* Values of a sample, `side` the drawn one or the other. */
const float *ls_network_values (const LsNetwork *n, const LsNetworkLayer *layer, gint side, gint64 sample);
gint64 ls_network_count (const LsNetworkLayer *layer); /* values of a sample */
/* Of a map: its greatest value. NAN: it is no number. */
double ls_network_unit_value (const LsNetwork *n, const LsNetworkLayer *layer, gint64 unit);
/* The recorded tensor of that name and side, of count values; NULL: it isn't there. */
const float *ls_network_tensor (const LsNetwork *n, guint side, const char *name, gint64 count);

/* Of the sample that is walked through, `count` values of it; of the batch's, all samples'. NULL: not known.
 */
const float *ls_network_walked (const LsNetwork *n, guint side, guint shape, gint64 count);

/* network_steps.c: layers that read a sequence. */
/* When the tensor was computed in the lane of that side, with the op that it is fused into; 0, 0: not known.
 */
void ls_network_time (const LsNetwork *n, guint side, guint shape, gint64 *begin_ns, gint64 *end_ns);
/* The op is one of a time step, forwards: a cell, or the product that it waits for. */
gboolean ls_network_is_step (const LsNetwork *n, guint op);
/* All steps' outputs, or (1) cells, or (2) gates, as a layer of one map. FALSE: they aren't known. */
gboolean ls_network_steps (LsNetwork *n, const LsChain *chain, guint output, LsNetworkLayer *layer);
void ls_network_steps_clear (LsNetwork *n);
/* How much of each lane's step they are, in a sentence or briefly. (transfer full), or NULL: there are none.
 */
char *ls_network_chain_words (const LsNetwork *n, gboolean brief);

/* network_judge.c: what is right and wrong in the batch. */
void ls_network_judge (LsNetwork *n);
/* Of the batch's samples; −1: not known. */
gint ls_network_label (const LsNetwork *n, gint64 sample);
gint ls_network_predicted (const LsNetwork *n, gint side, gint64 sample);
/* The largest of n probabilities. */
gint ls_network_largest (const float *probs, gint n);
/* What a class is called; (transfer full). The second cuts it to what fits into w, down to nothing. */
char *ls_network_class (const LsNetwork *n, gint class);
char *ls_network_class_in (const LsNetwork *n, gint class, LsType type, double w);
/* The widest of them, and w at most; of numbers the width of `digits`. */
double ls_network_class_width (const LsNetwork *n, LsType type, const char *digits, double w);

/* network_edges.c */
void ls_network_find_edges (LsNetwork *n);
void ls_network_draw_edges (LsNetwork *n);
/* The strongest connection of the picked unit to the next layer; NULL: there is none. */
const LsNetworkEdge *ls_network_way_on (const LsNetwork *n);

/* network_sample.c: the sample and the batch's points. */
void ls_network_sample (LsNetwork *n, LsArea area);
/* What stands under the sample. */
double ls_network_captions_height (const LsNetwork *n);
/* The evaluation whose mistakes are shown, or NULL. */
const LsEvaluation *ls_network_evaluation (const LsNetwork *n);
/* Values of a sample as an image; of several channels their mean. */
void ls_network_image (const LsNetwork *n, const float *values, double x, double y, double w, double h);
const float *ls_network_input (const LsNetwork *n, gint64 sample);
/* A small button: what a click may ask for. chosen: it is so already. Returns its right end; area.w 0: no
 * room up to `right`. */
double ls_network_button (const LsNetwork *n, LsArea *area, double x, double y, double right,
                          const char *text, gboolean chosen);
double ls_network_button_height (const LsNetwork *n);

/* network_plane.c: of two-dimensional data what each lane makes of the whole plane. */
/* The plane's half width. */
double ls_network_reach (const LsNetwork *n);
/* One lane's plane with the points, side −1: the points alone: a square with words above; returns its foot.
 */
double ls_network_plane (const LsNetwork *n, LsArea area, gint side);
void ls_network_planes (LsNetwork *n, LsArea area);
void ls_network_plane_describe (const LsNetwork *n, GString *text);

/* network_tabs.c: pages and what else can be chosen, where there is a pointer. Returns the height. */
double ls_network_tabs (LsNetwork *n, LsArea area);

/* network_pad.c */
gboolean ls_network_has_pad (const LsNetwork *n);
/* Beside it, what both lanes say. Returns its foot, area.y where there is no room. */
double ls_network_pad (LsNetwork *n, LsArea area, gboolean answers);
/* "CPU reads 3, OpenCL reads 3": (transfer full), or NULL: no lane has said anything of what was drawn. */
char *ls_network_pad_words (const LsNetwork *n, gboolean brief);
/* Somebody draws, or is about to: what is there of the batch is no answer to that. */
gboolean ls_network_drawing (const LsNetwork *n);
void ls_network_pad_move (const LsNetwork *n);

/* network_unit.c: the page of one unit. */
void ls_network_unit (LsNetwork *n, LsArea area);

/* network_time.c: the page of a layer that reads a sequence. */
void ls_network_time_page (LsNetwork *n, LsArea area);
void ls_network_time_move (const LsNetwork *n);
/* FALSE: nothing was meant for it. dx: to another step; dy: to another unit. */
gboolean ls_network_time_point (const LsNetwork *n, double x, double y, LsNetworkState *state);
gboolean ls_network_time_key (const LsNetwork *n, gint dx, gint dy, LsNetworkState *state);
void ls_network_time_describe (const LsNetwork *n, GString *text);

/* network_point.c */
LsAct ls_network_point (const LsLayout *layout, double x, double y, LsQuery *query);
LsAct ls_network_key (const LsLayout *layout, LsViewKey key, LsQuery *query);

/* network_layers.c */
/* Fits a layer's cells or maps into w × h, and sets the width that they take. */
void ls_network_fit_layer (LsNetwork *n, guint layer, double w, double h);
void ls_network_layer (const LsNetwork *n, guint layer);
/* The columns that make `count` squares largest in w × h, of `most` px at most, their size in *size, with the
 * gap; or that leave the fewest places empty, where that costs little size. 0: no room. */
guint ls_network_columns (guint count, double w, double h, double most, double *size);
/* A heading and, where there is room, one of the choices after it: returned, or NULL. */
LsItem *ls_network_heading (const LsNetwork *n, double x, double w, const char *heading,
                            const char *const *choices);
/* The rectangle of a unit, in its layer's picture; FALSE: it has none. */
gboolean ls_network_unit_area (const LsNetwork *n, gint layer, gint64 unit, LsArea *area);

/* network_weights.c: the pictures of the first weights; fitted likewise. */
void ls_network_fit_pictures (LsNetwork *n, double w, double h);
void ls_network_pictures (const LsNetwork *n);

/* network_prediction.c: the prediction. */
void ls_network_prediction (LsNetwork *n, LsArea area);

/* network_test.c: the confusion matrix, the worst mistakes: beside the layers, and as a page. */
void ls_network_side (LsNetwork *n, LsArea area);
void ls_network_test (LsNetwork *n, LsArea area);

/* network_foot.c */
double ls_network_foot_height (const LsNetwork *n);
void ls_network_foot (const LsNetwork *n, LsArea area);
/* max |Δ| of count values; NAN where one isn't a number. */
double ls_network_difference (const float *a, const float *b, gint64 count);

G_END_DECLS
