/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a machine works, in a small picture: what the model computes for the op that the clock has come to. A
 * machine without a row here has none.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "machines/simt.h"
#include "machines/systolic.h"
#include "machines/tensor_core.h"
#include "machines/work.h"

#define WIDTH 84.0 /* px of a row's picture */

typedef struct {
  const LsMachines *p;
  const LsMachinesRow *row;
  LsArea area;
  gboolean whole;
  double now;                /* s since the step's start */
  gboolean over;             /* the step is: a moment is chosen */
  const LsMachineOp *at;     /* the op that runs; NULL: none has begun */
  const LsMachineWork *work; /* what it is; NULL: a copy */
  double passed;             /* share of it, 0 … 1 */
} Picture;

static double
value_of (const Picture *c, const char *name)
{
  const gint which = ls_machine_find_assumption (c->row->machine, name);

  return which >= 0 ? c->row->assumed.value[which] : 1;
}

/* A cell of a grid, so dark: 0 … 1. */
static void
cell (const Picture *c, double x, double y, double w, double h, double dark)
{
  LsItem *item = ls_scene_box (c->p->layout->moving, x, y, w, h, dark > 0 ? LS_INK_TEXT : LS_INK_TRACK, 0);

  item->alpha = dark > 0 ? (float) dark : 1;
  item->strong = TRUE;
}

static const char *
symbol_of (const Picture *c)
{
  return c->p->plan->ops[c->work->op].symbol;
}

/* The edge of cells of a grid in the area, which is then as large as the grid. */
static double
grid (Picture *c, guint cols, guint rows, double most)
{
  const double large = c->whole ? 1 : MAX (c->area.w / WIDTH, 1),
               edge = floor (MIN (most * large, MIN (c->area.w / cols, c->area.h / rows)));

  c->area.x += c->whole ? 0 : c->area.w - cols * edge;
  return MAX (edge, 2);
}

static char *
draw_cpu (Picture *c)
{
  const guint all = (guint) value_of (c, "cores"), n = MIN (all, c->whole ? 64 : 16), cols = n > 8 ? 8 : n;
  const double edge = grid (c, cols, (n + cols - 1) / cols, c->whole ? 28 : 14);
  g_autofree char *lanes = ls_number_count ((guint64) value_of (c, "lanes"));

  c->area.h = (n + cols - 1) / cols * edge;

  for (guint i = 0; i < n; i++)
    cell (c, c->area.x + i % cols * edge, c->area.y + i / cols * edge, edge - 2, edge - 2,
          c->at != NULL ? .85 : 0);
  return g_strdup_printf (ngettext ("%u core works on the op, %s numbers at once",
                                    "%u cores share each op, each %s numbers at once", all),
                          all, lanes);
}

/* Warps that share a scheduler, one below the other, clocks from left to right: dark issues, half-dark is
 * ready, pale waits for memory. */
static char *
draw_simt (Picture *c)
{
  static const double dark[] = { 0, .9, .5, .14, 0 };
  const double *value = c->row->assumed.value;
  LsSimtProduct product;
  LsWarpState once;

  if (c->work == NULL || c->work->k == 0)
    return NULL;
  ls_simt_product (value, c->work->m, c->work->n, c->work->k, &product);
  const guint all = ls_simt_warps_a_scheduler (value, &product), rows = MIN (all, c->whole ? 12 : 4),
              cols = c->whole ? 48 : 14, tiles = MIN (product.tiles, 3);
  g_autofree LsWarpState *states = g_new (LsWarpState, (gsize) rows * cols);
  const double clocks = ls_simt_warps (value, &product, tiles, rows, 1, 1, &once);
  const double edge = grid (c, cols, rows, c->whole ? 16 : 10);
  g_autofree char *share = ls_number_fixed (100 * product.occupancy, 0),
                  *issue = ls_number_count ((guint64) product.issue),
                  *wait = ls_number_count ((guint64) product.wait);

  ls_simt_warps (value, &product, tiles, rows, cols, clocks / cols, states);
  for (guint i = 0; i < rows * cols; i++)
    cell (c, c->area.x + i % cols * edge, c->area.y + i / cols * edge, edge - 1, edge - 1, dark[states[i]]);
  c->area.h = rows * edge;
  return g_strdup_printf (
    all == 1
      ? _("%u warp is at work on each scheduler of a unit, occupancy %s %%: loading a tile takes %s clocks, "
           "its sums %s, dark. While it waits, pale, nobody computes.")
      : _(
        "%u warps take turns on each scheduler of a unit, occupancy %s %%: loading a tile takes %s clocks, "
        "its sums %s, dark. While one waits, pale, another one computes, if one is ready."),
    all, share, wait, issue);
}

/* The product cut into the tiles of an instruction; what of those at the edges lies beyond is pale. */
static char *
draw_tensor (Picture *c)
{
  const LsTensorTile tile = { (guint) value_of (c, "tile-m"), (guint) value_of (c, "tile-n"),
                              (guint) value_of (c, "tile-k") };
  const guint most_cols = c->whole ? 24 : 10, most_rows = c->whole ? 12 : 4;

  if (c->work == NULL || c->work->k == 0)
    return NULL;
  const gint64 m = c->work->m, n = c->work->n, k = c->work->k;
  const guint cols = (guint) MIN ((n + tile.n - 1) / tile.n, most_cols),
              rows = (guint) MIN ((m + tile.m - 1) / tile.m, most_rows);
  const double edge = grid (c, cols, rows, c->whole ? 22 : 10),
               done = c->over ? cols * rows : c->passed * cols * rows;
  g_autofree char *useful = ls_number_fixed (
                    100 * ls_tensor_core_useful (&tile, (double) m, (double) n, (double) k), 0),
                  *count = ls_number_count (
                    (guint64) ls_tensor_core_instructions (&tile, (double) m, (double) n, (double) k));

  for (guint i = 0; i < cols * rows; i++)
    {
      const guint col = i % cols, r = i / cols;
      const double w = MIN (1, (double) (n - (gint64) col * tile.n) / tile.n),
                   h = MIN (1, (double) (m - (gint64) r * tile.m) / tile.m), x = c->area.x + col * edge,
                   y = c->area.y + r * edge;
      cell (c, x, y, edge - 1, edge - 1, 0);
      if (i < done)
        cell (c, x, y, w * (edge - 1), h * (edge - 1), .85);
    }
  c->area.h = rows * edge;
  return g_strdup_printf (
    _("%s in tiles of %u×%u×%u: %s instructions, %s %% of whose products lie within it"), symbol_of (c),
    tile.m, tile.n, tile.k, count, useful);
}

/* A corner of the array: numbers come in from the left, a row of cells a beat later than the one above. */
static char *
draw_systolic (Picture *c)
{
  const LsSystolic array = { (guint) value_of (c, "rows"), (guint) value_of (c, "columns") };
  const guint most = c->whole ? 10 : 6, cols = MIN (array.cols, most), rows = MIN (array.rows, most),
              coming = c->whole ? 6 : 4;

  if (c->work == NULL || c->work->k == 0)
    return NULL;
  const guint m = (guint) MIN (c->work->m, G_MAXINT32);
  const double beats = ls_systolic_beats (&array, m, (double) c->work->n, (double) c->work->k),
               edge = grid (c, cols + coming, rows, c->whole ? 22 : 10),
               since = c->over ? array.rows + 7 : floor (c->passed * beats),
               /* the next tile follows at once, as soon as its weights are there */
    beat = since < array.rows ? -1 : fmod (since - array.rows, MAX (m, array.rows));
  g_autofree char *now = ls_number_count ((guint64) since), *all = ls_number_count ((guint64) beats),
                  *used = ls_number_fixed (
                    100 * ls_systolic_used (&array, m, (double) c->work->n, (double) c->work->k), 0);

  for (guint r = 0; r < rows; r++)
    for (guint col = 0; col < cols + coming; col++)
      {
        const double x = c->area.x + col * edge, y = c->area.y + r * edge;
        const gint64 waits = (gint64) beat + (coming - col) - r,
                     at = beat < 0 || col < coming ? -1
                                                   : ls_systolic_row_at (m, (guint64) beat, r, col - coming);
        if (col >= coming)
          cell (c, x, y, edge - 1, edge - 1, at >= 0 ? .95 - .13 * (double) MIN (at, 5) : 0);
        else if (beat >= 0 && waits >= 0 && waits < m)
          cell (c, x + edge * .2, y + edge * .2, edge * .6, edge * .6, .9);
      }
  c->area.h = rows * edge;
  if (beat < 0)
    return g_strdup_printf (_("%s, beat %s of %s: the first weights are loaded, a row of cells a beat"),
                            symbol_of (c), now, all);
  return g_strdup_printf (
    _("%s, beat %s of %s; %u×%u of %u×%u cells drawn. Samples enter from the left, each "
       "row a beat later than the one above; weights stay in their cells, sums leave "
       "below. %s %% of the cells’ beats are multiplications of this product."),
    symbol_of (c), now, all, rows, cols, array.rows, array.cols, used);
}

/* Stages, each begun when the one before it has something for it. */
static char *
draw_fpga (Picture *c)
{
  const LsMachineRun *run = c->row->run;
  const guint n = MIN (run->ops->len, c->whole ? 12 : 6);
  const double w = c->area.w / n, h = MIN (c->area.h / 2, c->whole ? 40 : 14 * MAX (c->area.w / WIDTH, 1)),
               dy = n > 1 ? (MIN (c->area.h, n * h) - h) / (n - 1) : 0;

  for (guint i = 0; i < n; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      cell (c, c->area.x + i * w, c->area.y + i * dy, w - 2, h - 2, c->now >= op->start ? .85 : 0);
    }
  g_autofree char *stages = g_strdup_printf (ngettext ("%u stage", "%u stages", run->ops->len),
                                             run->ops->len);
  c->area.h = h + dy * (n - 1);
  return g_strdup_printf (_("%s, all at work at once, each on another step: the slowest sets the pace"),
                          stages);
}

/* Real weights, as they were recorded, in the numbers that the machine has. */
static char *
draw_int8 (Picture *c)
{
  const LsPlan *plan = c->p->plan;
  const LsRecording *recording = c->p->layout->data->recording;
  const guint cols = c->whole ? 28 : 12;
  const double levels = exp2 (value_of (c, "bits") - 1) - 1;
  const float *weights = recording != NULL && plan->n_params > 0
                           ? ls_held_values (recording, plan, plan->params[0].weight)
                           : NULL;
  double top = 0;

  if (weights == NULL)
    return NULL;
  const LsTensor *tensor = &plan->tensors[plan->params[0].weight];
  const gint64 n = ls_tensor_count (tensor), shown = MIN (n, cols * (c->whole ? 14 : 6)),
               from = MIN (n / 2, n - shown);
  const guint rows = (guint) ((shown + cols - 1) / cols);
  g_autofree float *values = g_new0 (float, (gsize) cols *rows);
  for (gint64 i = 0; i < n; i++)
    top = MAX (top, fabs ((double) weights[i]));
  for (gint64 i = 0; i < shown && top > 0; i++)
    values[i] = (float) (round ((double) weights[from + i] / top * levels) / levels);
  const double edge = grid (c, cols, rows, c->whole ? 14 : 7);
  ls_scene_image (c->p->layout->moving, c->area.x, c->area.y, cols * edge, rows * edge, LS_INK_SIGN, values,
                  cols, rows, 1)
    ->strong
    = TRUE;
  c->area.h = rows * edge;
  g_autofree char *name = g_strdup (tensor->symbol), *numbers = ls_number_count ((guint64) (2 * levels + 1));
  return g_strdup_printf (_("Some of the weights of %s, as one of %s whole numbers each"), name, numbers);
}

/* Neurons one below the other, time steps from left to right: a mark is a spike that was simulated here. */
static char *
draw_spiking (Picture *c)
{
  const LsConverted *result = c->p->layout->data->converted[LS_CONVERTED_SPIKING];

  if (result == NULL || result->n_neurons == 0 || result->n_steps == 0)
    return NULL;
  const guint rows = MIN (result->n_neurons, c->whole ? 16 : 6),
              cols = MIN (result->n_steps, c->whole ? 48 : 24);
  const double w = c->area.w / cols,
               h = MIN (c->area.h / rows, c->whole ? 12 : 7 * MAX (c->area.w / WIDTH, 1));

  for (guint r = 0; r < rows; r++)
    for (guint t = 0; t < cols; t++)
      if (result->neurons[r].spikes >> t & 1)
        cell (c, c->area.x + t * w, c->area.y + r * h, MAX (w * .35, 1.5), h - 2, .9);
  c->area.h = rows * h;
  return g_strdup_printf (
    _("Spikes of %u neurons in the first %u time steps with the test set’s first sample, a %u: "
       "measured, as simulated here"),
    rows, cols, result->label);
}

static const struct {
  const LsMachine *machine;
  char *(*draw) (Picture *c);
} pictures[] = {
  { &ls_machine_cpu, draw_cpu },         { &ls_machine_simt, draw_simt },
  { &ls_machine_tensor, draw_tensor },   { &ls_machine_systolic, draw_systolic },
  { &ls_machine_fpga, draw_fpga },       { &ls_machine_int8, draw_int8 },
  { &ls_machine_spiking, draw_spiking },
};

double
ls_machines_picture_width (const LsMachines *p)
{
  const LsMetrics *m = &p->layout->m;

  const double least = WIDTH * m->unit / 4;
  double widest = 0;

  for (guint i = 0; i < LS_MACHINES_N; i++)
    widest = MAX (widest, ls_scene_width (p->layout->still, m->strong, _(p->rows[i].machine->title)));
  /* the mark before a title, and the gaps, as machines_row.c has them */
  const double room = p->name.w - widest - m->evidence - 7 * m->unit;
  return room >= least ? MIN (MAX (p->bar_h * 3, least), room) : 0;
}

/* The op that runs; where the step is over, its largest product. */
static void
find_op (Picture *c)
{
  const LsMachineRun *run = c->row->run;
  double most = -1;

  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      const LsMachineWork *work = NULL;

      for (guint k = 0; k < c->p->works->len && work == NULL; k++)
        if (g_array_index (c->p->works, LsMachineWork, k).op == op->op)
          work = &g_array_index (c->p->works, LsMachineWork, k);
      if (c->over ? work != NULL && work->product > most : op->start <= c->now)
        {
          c->at = op;
          c->work = work;
          most = work != NULL ? work->product : most;
        }
    }
  if (c->at != NULL)
    c->passed = c->at->seconds > 0 ? CLAMP ((c->now - c->at->start) / c->at->seconds, 0, 1) : 1;
}

char *
ls_machines_picture (const LsMachines *p, guint i, LsArea *area, double now, gboolean whole)
{
  Picture c = { .p = p, .row = &p->rows[i], .area = *area, .whole = whole, .now = now };
  char *words = NULL;

  if (c.row->run == NULL || area->w < 24 || area->h < 12)
    return NULL;
  c.over = now >= c.row->run->seconds;
  find_op (&c);
  for (guint k = 0; k < G_N_ELEMENTS (pictures); k++)
    if (pictures[k].machine == c.row->machine)
      words = pictures[k].draw (&c);
  area->h = c.area.h;
  return words;
}
