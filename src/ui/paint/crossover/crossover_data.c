/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured on which axes, who is faster at a spot, and how well that was guessed.
 */
#include "config.h"
#include "ui/paint/crossover/crossover.h"

#include <math.h>

static const LsExperiment *const experiments[LS_CROSS_N_AXES]
  = { &ls_experiment_crossover, &ls_experiment_crossover_depth, &ls_experiment_crossover_image };

const LsExperiment *
ls_cross_experiment (const LsCrossState *state)
{
  return state->axes == LS_CROSS_WIDTH && state->forward ? &ls_experiment_crossover_forward
                                                         : experiments[state->axes];
}

/* The run's options, as far as the recording tells them; else the defaults. (transfer full) */
static LsOptions *
options_of (const LsViewData *data)
{
  static const char *const names[] = { "model", "data", "batch", "batch-from" };
  LsOptions *options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *text = data->recording != NULL ? g_hash_table_lookup (data->recording->options, names[i])
                                                 : NULL;
      if (text != NULL)
        ls_options_set (options, ls_options_find (names[i]), text, NULL);
    }
  if (data->recording == NULL && data->batch > 0)
    options->batch = data->batch;
  return options;
}

static void
add_tried (LsCross *c)
{
  for (guint i = 0; c->result != NULL && i < c->result->tried->len; i++)
    {
      const LsLabSpot *spot = &g_array_index (c->result->tried, LsLabSpot, i);
      c->n_x = ls_lab_insert (c->xs, c->n_x, spot->x);
      c->n_y = ls_lab_insert (c->ys, c->n_y, spot->y);
    }
}

/* The side on which the result's first lane stands. */
static gint
side_of_first (const LsCross *c)
{
  const LsLaneSpec *first = c->result != NULL && c->result->specs->len > 0 ? c->result->specs->pdata[0]
                                                                           : NULL;

  return first != NULL && g_strcmp0 (c->layout->data->sides[1].id, first->id) == 0 ? 1 : 0;
}

void
ls_cross_open (LsCross *c, LsLayout *layout)
{
  *c = (LsCross){ .layout = layout, .asked = layout->query.state };
  c->experiment = ls_cross_experiment (c->asked);
  c->result = ls_view_data_lab (layout->data, c->experiment);
  c->options = options_of (layout->data);
  c->n_x = c->experiment->sizes (c->options, 1, c->xs);
  c->n_y = c->experiment->rows (c->options, c->ys);
  add_tried (c);
  if (!ls_experiment_own (c->experiment, c->options, &c->own))
    c->own = (LsLabSpot){ 0 };
  c->at_left = side_of_first (c);
  c->largest = 2;
  for (guint i = 0; c->result != NULL && i < c->result->tried->len; i++)
    {
      double times;
      if (ls_lab_wins (c->result, g_array_index (c->result->tried, LsLabSpot, i), &times) != LS_WINS_UNKNOWN)
        c->largest = MAX (c->largest, times);
    }
}

void
ls_cross_close (LsCross *c)
{
  g_clear_pointer (&c->options, ls_options_free);
}

guint
ls_cross_lane (const LsCross *c, guint side)
{
  return side == (guint) c->at_left ? 0 : 1;
}

const char *
ls_cross_name (const LsCross *c, guint side)
{
  const guint lane = ls_cross_lane (c, side);

  if (c->result != NULL && lane < c->result->specs->len)
    return ((const LsLaneSpec *) c->result->specs->pdata[lane])->title;
  return c->layout->data->sides[side].brief;
}

gint
ls_cross_winner (const LsCross *c, LsLabSpot spot, LsLabWins *wins, double *times)
{
  *wins = c->result != NULL ? ls_lab_wins (c->result, spot, times) : LS_WINS_UNKNOWN;
  if (*wins == LS_WINS_FIRST)
    return c->at_left;
  return *wins == LS_WINS_SECOND ? 1 - c->at_left : -1;
}

void
ls_cross_judge (const LsCross *c, guint *cells, guint *right)
{
  *cells = *right = 0;
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      {
        const gint guess = c->asked->guess[c->asked->axes][row];
        LsLabWins wins;
        double times;
        const gint winner = ls_cross_winner (c, ls_cross_spot (c, col, row), &wins, &times);

        if (guess == LS_NO_GUESS || winner < 0)
          continue;
        ++*cells;
        *right += winner == ((gint) col < guess ? 0 : 1);
      }
}
