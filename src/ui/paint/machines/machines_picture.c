/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a machine works, in a small picture: what the model computes for the op that the clock has come to. A
 * machine without a row here has none. machines_moving.c draws those that change within an op.
 */
#include "config.h"
#include "ui/paint/machines/machines_picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "machines/tensor_core.h"
#include "machines/work.h"

double
ls_machines_picture_value (const LsMachinesPicture *c, const char *name)
{
  const gint which = ls_machine_find_assumption (c->row->machine, name);

  return which >= 0 ? c->row->assumed.value[which] : 1;
}

void
ls_machines_picture_cell (const LsMachinesPicture *c, double x, double y, double w, double h, double dark)
{
  LsItem *item = ls_scene_box (c->p->layout->moving, x, y, w, h, dark > 0 ? LS_INK_TEXT : LS_INK_TRACK, 0);

  item->alpha = dark > 0 ? (float) dark : 1;
  item->strong = TRUE;
}

double
ls_machines_picture_grid (LsMachinesPicture *c, guint cols, guint rows, double most)
{
  const double large = c->whole ? 1 : MAX (c->area.w / LS_MACHINES_PICTURE, 1),
               edge = floor (MIN (most * large, MIN (c->area.w / cols, c->area.h / rows)));

  c->area.x += c->whole ? 0 : c->area.w - cols * edge;
  return MAX (edge, 2);
}

char *
ls_machines_picture_rest (LsMachinesPicture *c, guint cols, guint rows, double most, const char *words)
{
  const double edge = ls_machines_picture_grid (c, cols, rows, most);

  for (guint i = 0; i < cols * rows; i++)
    ls_machines_picture_cell (c, c->area.x + i % cols * edge, c->area.y + i / cols * edge, edge - 1, edge - 1,
                              0);
  c->area.h = rows * edge;
  return c->work != NULL ? g_strdup_printf ("%s: %s", c->p->plan->ops[c->work->op].symbol, words) : NULL;
}

static const char *
symbol_of (const LsMachinesPicture *c)
{
  return c->p->plan->ops[c->work->op].symbol;
}

/* Each core fills with its share of the op. */
static char *
draw_cpu (LsMachinesPicture *c)
{
  const guint all = (guint) ls_machines_picture_value (c, "cores"), n = MIN (all, c->whole ? 64 : 16),
              cols = n > 8 ? 8 : n;
  const double edge = ls_machines_picture_grid (c, cols, (n + cols - 1) / cols, c->whole ? 28 : 14);
  g_autofree char *lanes = ls_number_count ((guint64) ls_machines_picture_value (c, "lanes"));

  c->area.h = (n + cols - 1) / cols * edge;

  for (guint i = 0; i < n; i++)
    {
      const double x = c->area.x + i % cols * edge, y = c->area.y + i / cols * edge,
                   done = c->at != NULL ? c->passed * (edge - 2) : 0;
      ls_machines_picture_cell (c, x, y, edge - 2, edge - 2, 0);
      if (done > 0)
        ls_machines_picture_cell (c, x, y + edge - 2 - done, edge - 2, done, .85);
    }
  return g_strdup_printf (ngettext ("%u core works on the op, %s numbers at once",
                                    "%u cores share each op, each %s numbers at once", all),
                          all, lanes);
}

/* The product cut into the tiles of an instruction; what of those at the edges lies beyond is pale. */
static char *
draw_tensor (LsMachinesPicture *c)
{
  const LsTensorTile tile = { (guint) ls_machines_picture_value (c, "tile-m"),
                              (guint) ls_machines_picture_value (c, "tile-n"),
                              (guint) ls_machines_picture_value (c, "tile-k") };
  const guint most_cols = c->whole ? 24 : 10, most_rows = c->whole ? 12 : 4;

  if (c->work == NULL || c->work->k == 0)
    return ls_machines_picture_rest (c, most_cols, most_rows / 2, c->whole ? 22 : 10,
                                     _("no product; the ordinary lanes do it"));
  const gint64 m = c->work->m, n = c->work->n, k = c->work->k;
  const guint cols = (guint) MIN ((n + tile.n - 1) / tile.n, most_cols),
              rows = (guint) MIN ((m + tile.m - 1) / tile.m, most_rows);
  const double edge = ls_machines_picture_grid (c, cols, rows, c->whole ? 22 : 10),
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
      ls_machines_picture_cell (c, x, y, edge - 1, edge - 1, 0);
      if (i < done)
        ls_machines_picture_cell (c, x, y, w * (edge - 1), h * (edge - 1), .85);
    }
  c->area.h = rows * edge;
  return g_strdup_printf (
    _("%s in tiles of %u×%u×%u: %s instructions, %s %% of whose products lie within it"), symbol_of (c),
    tile.m, tile.n, tile.k, count, useful);
}

/* Stages, each begun when the one before it has something for it. */
static char *
draw_fpga (LsMachinesPicture *c)
{
  const LsMachineRun *run = c->row->run;
  const guint n = MIN (run->ops->len, c->whole ? 12 : 6);
  const double w = c->area.w / n,
               h = MIN (c->area.h / 2, c->whole ? 40 : 14 * MAX (c->area.w / LS_MACHINES_PICTURE, 1)),
               dy = n > 1 ? (MIN (c->area.h, n * h) - h) / (n - 1) : 0;

  for (guint i = 0; i < n; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      ls_machines_picture_cell (c, c->area.x + i * w, c->area.y + i * dy, w - 2, h - 2,
                                c->now >= op->start ? .85 : 0);
    }
  g_autofree char *stages = g_strdup_printf (ngettext ("%u stage", "%u stages", run->ops->len),
                                             run->ops->len);
  c->area.h = h + dy * (n - 1);
  return g_strdup_printf (_("%s, all at work at once, each on another step: the slowest sets the pace"),
                          stages);
}

/* The weights of the layer that is at work, else the first one's. */
static guint
weights_at (const LsMachinesPicture *c)
{
  const LsWeightsIn in = c->work != NULL && c->work->k > 0 ? c->work->weights_in : LS_WEIGHTS_NEITHER;

  return in == LS_WEIGHTS_A ? c->work->a : in == LS_WEIGHTS_B ? c->work->b : c->p->plan->params[0].weight;
}

/* Recorded weights as the whole numbers that the machine has, those of an output in a row, which has a scale
 * of its own as in machines/converted/int8.c: its largest one is the largest whole number. */
static char *
draw_int8 (LsMachinesPicture *c)
{
  const LsPlan *plan = c->p->plan;
  const LsRecording *recording = c->p->layout->data->recording;
  const double levels = exp2 (ls_machines_picture_value (c, "bits") - 1) - 1;
  const guint weight = plan->n_params > 0 ? weights_at (c) : 0;
  const float *weights = recording != NULL && plan->n_params > 0 ? ls_held_values (recording, plan, weight)
                                                                 : NULL;

  if (weights == NULL)
    return NULL;
  const LsTensor *tensor = &plan->tensors[weight];
  const gint64 outputs = tensor->shape[0], inputs = ls_tensor_count (tensor) / outputs;
  const guint cols = (guint) MIN (inputs, c->whole ? 28 : 12),
              rows = (guint) MIN (outputs, c->whole ? 14 : 6);
  const gint64 first = MIN (outputs / 2, outputs - rows), from = MIN (inputs / 2, inputs - cols);
  double scale = 0;
  g_autofree float *values = g_new0 (float, (gsize) cols *rows);
  for (guint r = 0; r < rows; r++)
    {
      const float *row = weights + (first + r) * inputs;
      double top = 0;
      for (gint64 j = 0; j < inputs; j++)
        top = MAX (top, fabs ((double) row[j]));
      for (guint col = 0; col < cols && top > 0; col++)
        values[r * cols + col] = (float) (round ((double) row[from + col] / top * levels) / levels);
      if (r == 0)
        scale = top / levels;
    }
  const double edge = ls_machines_picture_grid (c, cols, rows, c->whole ? 14 : 7);
  ls_scene_image (c->p->layout->moving, c->area.x, c->area.y, cols * edge, rows * edge, LS_INK_SIGN, values,
                  cols, rows, 1)
    ->strong
    = TRUE;
  c->area.h = rows * edge;
  g_autofree char *most = ls_number_count ((guint64) levels), *all = ls_number_count ((guint64) outputs),
                  *text = ls_number_text (scale, 2);
  return ls_machines_narrow (c->p)
           ? g_strdup_printf (_("Some of %s as whole numbers, −%s to %s"), tensor->symbol, most, most)
           : g_strdup_printf (
             _("Some of the weights of %s as whole numbers, −%s to %s. Each of its %s rows has a "
                "scale of its own: the first one here counts in steps of %s"),
             tensor->symbol, most, most, all, text);
}

static const struct {
  const LsMachine *machine;
  char *(*draw) (LsMachinesPicture *c);
} pictures[] = {
  { &ls_machine_cpu, draw_cpu },
  { &ls_machine_simt, ls_machines_draw_simt },
  { &ls_machine_tensor, draw_tensor },
  { &ls_machine_systolic, ls_machines_draw_systolic },
  { &ls_machine_fpga, draw_fpga },
  { &ls_machine_int8, draw_int8 },
  { &ls_machine_spiking, ls_machines_draw_spiking },
};

double
ls_machines_picture_width (const LsMachines *p)
{
  const LsMetrics *m = &p->layout->m;

  const double least = LS_MACHINES_PICTURE * m->unit / 4;
  double widest = 0;

  for (guint i = 0; i < LS_MACHINES_N; i++)
    widest = MAX (widest, ls_scene_width (p->layout->still, m->strong, _(p->rows[i].machine->title)));
  /* the mark before a title, and the gaps, as machines_row.c has them */
  const double room = p->name.w - widest - m->evidence - 7 * m->unit;
  return room >= least ? MIN (MAX (p->bar_h * 3, least), room) : 0;
}

/* The op that runs; where the step is over, its largest product. */
static void
find_op (LsMachinesPicture *c)
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
  LsMachinesPicture c = { .p = p, .row = &p->rows[i], .area = *area, .whole = whole, .now = now };
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
