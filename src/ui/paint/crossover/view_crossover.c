/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crossover: from which size on does the other lane win? A map of the measured ratio over batch and width,
 * depth or image size, with the line of equality, and a guess that was drawn before.
 */
#include "config.h"
#include "ui/paint/crossover/crossover.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

#define MAP      .62 /* of the width */
#define MAP_HALL .68 /* likewise, for the projector: its type is larger */

static void
cross_free (gpointer data)
{
  ls_cross_close (data);
  g_free (data);
}

/* ---- switches ---- */

static const char *
axes_word (guint i)
{
  static const char *const words[] = { N_("width"), N_("depth"), N_("image size") };

  return i < G_N_ELEMENTS (words) ? _(words[i]) : NULL;
}

static void
set_axes (LsQuery *query, guint i)
{
  LsCrossState *state = query->state;

  state->axes = MIN (i, LS_CROSS_N_AXES - 1);
  state->picked = FALSE;
}

static const char *
pass_word (guint i)
{
  static const char *const words[] = { N_("training step"), N_("answers alone") };

  return i < G_N_ELEMENTS (words) ? _(words[i]) : NULL;
}

static void
set_pass (LsQuery *query, guint i)
{
  ((LsCrossState *) query->state)->forward = i == 1;
}

static gboolean
has_pass (gconstpointer state)
{
  return ((const LsCrossState *) state)->axes == LS_CROSS_WIDTH;
}

static const char *
click_word (guint i)
{
  static const char *const words[] = { N_("look"), N_("draw a guess") };

  return i < G_N_ELEMENTS (words) ? _(words[i]) : NULL;
}

static void
set_click (LsQuery *query, guint i)
{
  ((LsCrossState *) query->state)->guessing = i == 1;
}

static char *
batch_from_words (const char *value)
{
  return g_strdup (strcmp (value, "host") == 0 ? _("with the batch’s copy") : _("batch on the device"));
}

static const LsViewSwitch switches[] = {
  { .title = N_("What grows upwards"), .choice = axes_word, .set = set_axes },
  { .title = N_("What is measured"), .choice = pass_word, .set = set_pass, .shown = has_pass },
  { .title = N_("Whether copies count"), .option = "batch-from", .words = batch_from_words },
  { .title = N_("What a click does"), .choice = click_word, .set = set_click },
  { NULL },
};

/* ---- layout ---- */

/* The switches' place, and without a window what they are set to; returns the height. */
static double
top_line (const LsCross *c, LsArea area)
{
  LsLayout *layout = c->layout;
  const LsMetrics *m = &layout->m;
  const double wished = layout->query.switch_w,
               slot = wished > 0 ? MIN (wished, area.w) : MIN (150 * m->unit, area.w);
  double x = area.x;

  if (m->control_h > 0)
    ls_stage_slot (layout, LS_SLOT_SWITCHES, -1, 0, area.x, area.y, slot, m->control_h);
  if (!layout->query.chrome && m->control_h > 0)
    x += slot + 4 * m->unit;
  const double h = MAX (m->control_h, m->heading.px * 1.4), base = area.y + h / 2 + m->heading.px * .36;
  const LsArea rest = { x, area.y, area.x + area.w - x, h };
  g_autofree char *words = g_strdup_printf (
    c->experiment->forward ? _("each cell: the answers to one batch on both lanes, %s")
                           : _("each cell: one step on both lanes, %s"),
    c->options->batch_from == LS_BATCH_FROM_HOST ? _("with the batch’s copy")
                                                 : _("the batch on the device"));

  g_autoptr (LsFairness) fairness = c->result != NULL ? ls_lab_fairness (c->result) : NULL;
  const double z = ls_fairness_is_unfair (fairness) ? m->heading.px * .85 : 0,
               in = z > 0 ? z + 2 * m->unit : 0;

  if (in + ls_scene_width (layout->still, m->heading, _("Who is faster, how many times")) <= rest.w)
    ls_text_heading (layout->still, m, (LsArea){ rest.x + in, rest.y, rest.w - in, rest.h }, base,
                     _("Who is faster, how many times"), words);
  if (z > 0)
    ls_scene_mark (layout->still, LS_ITEM_WARNING, rest.x, base - m->heading.px * .76, z, z, LS_INK_AMBER, 0);
  return h + 2 * m->unit;
}

static void
conditions (const LsCross *c, LsArea area, double y)
{
  const LsMetrics *m = &c->layout->m;
  g_autofree char *text
    = c->result != NULL ? g_strdup_printf (
        _("%s: %s; medians of %u turns, lanes in turn. A dash: not measured; the double line is "
           "drawn only between measured cells."),
        _(c->experiment->row), _(c->experiment->row_axis), c->result->rounds)
                        : g_strdup_printf ("%s: %s", _(c->experiment->row), _(c->experiment->row_axis));

  if (ls_text_wrapped (c->layout->still, area.x, y, area.w, m->tick, LS_INK_QUIET, text, FALSE)
      < area.y + area.h)
    ls_text_wrapped (c->layout->still, area.x, y, area.w, m->tick, LS_INK_QUIET, text, TRUE);
}

static void
layout_crossover (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  LsCross *c = g_new0 (LsCross, 1);
  double end;

  layout->own = c;
  layout->free_own = cross_free;
  ls_cross_open (c, layout);
  ls_area_below (&area, 2 * m->unit);
  ls_area_below (&area, ls_stage_heads (layout, area) + 2 * m->unit);
  ls_area_below (&area, ls_stage_disagreement (layout, area));
  area = (LsArea){ area.x + m->margin, area.y, area.w - 2 * m->margin, area.h - m->unit };
  ls_area_below (&area, top_line (c, area));
  const double share = m->projector ? MAP_HALL : MAP;
  LsArea map = { area.x, area.y, area.w * share - m->gutter / 2, area.h };
  const double foot = m->tick.px * LS_TEXT_PITCH * 2.2;

  end = ls_cross_map (c, (LsArea){ map.x, map.y, map.w, map.h - (map.h > 90 * m->unit ? foot : 0) });
  conditions (c, map, end);
  ls_cross_beside (c, (LsArea){ area.x + area.w * share + m->gutter / 2, area.y,
                                area.w * (1 - share) - m->gutter / 2, area.h });
}

/* ---- pointer and keys ---- */

/* So many cells from the left are the left lane's in that row; the same again takes it back. */
static void
guess (LsCrossState *state, guint row, gint from_left)
{
  gint8 *there = &state->guess[state->axes][row];

  *there = *there == from_left ? LS_NO_GUESS : (gint8) from_left;
}

static LsAct
point_crossover (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsCross *c = layout->own;
  LsCrossState *state = query->state;
  guint col, row;

  if (!ls_cross_cell_at (c, x, y, &col, &row))
    return LS_ACT_NONE;
  if (state->guessing)
    guess (state, row, (gint) lround ((x - c->left) / c->cell_w));
  else if (state->picked && state->col == col && state->row == row)
    state->picked = FALSE;
  else
    {
      state->picked = TRUE;
      state->col = col;
      state->row = row;
    }
  return LS_ACT_CHANGED;
}

static void
move_pick (const LsCross *c, LsCrossState *state, gint dx, gint dy)
{
  state->col = (guint) CLAMP ((gint) state->col + dx, 0, (gint) c->n_x - 1);
  state->row = (guint) CLAMP ((gint) state->row + dy, 0, (gint) c->n_y - 1);
}

/* The cell that Enter picks first: one's own. */
static void
pick_first (const LsCross *c, LsCrossState *state)
{
  state->picked = TRUE;
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      if (c->own.x > 0 && c->xs[col] == c->own.x && c->ys[row] == c->own.y)
        {
          state->col = col;
          state->row = row;
          return;
        }
  state->col = c->n_x / 2;
  state->row = c->n_y / 2;
}

static LsAct
key_crossover (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsCross *c = layout->own;
  LsCrossState *state = query->state;

  switch (key)
    {
    case LS_KEY_PICK:
      if (!state->picked)
        pick_first (c, state);
      else if (state->guessing)
        guess (state, state->row, (gint) state->col);
      else
        return LS_ACT_NONE;
      return LS_ACT_CHANGED;
    case LS_KEY_LEFT:
    case LS_KEY_RIGHT:
    case LS_KEY_UP:
    case LS_KEY_DOWN:
      if (!state->picked)
        return LS_ACT_NONE;
      move_pick (c, state, (key == LS_KEY_RIGHT) - (key == LS_KEY_LEFT),
                 (key == LS_KEY_UP) - (key == LS_KEY_DOWN));
      return LS_ACT_CHANGED;
    case LS_KEY_LET_GO:
      if (!state->picked && !state->guessing)
        return LS_ACT_NONE;
      state->picked = state->guessing = FALSE;
      return LS_ACT_CHANGED;
    case LS_KEY_DRAW:
      state->guessing = !state->guessing;
      return LS_ACT_CHANGED;
    case LS_KEY_PAGE:
      state->axes = (state->axes + 1) % LS_CROSS_N_AXES;
      state->picked = FALSE;
      return LS_ACT_CHANGED;
    default:
      return LS_ACT_NONE;
    }
}

static const LsExperiment *
measures (const LsQuery *query, guint i)
{
  return i == 0 ? ls_cross_experiment (query->state) : NULL;
}

static void
move_crossover (LsLayout *layout)
{
}

static void
describe_crossover (const LsLayout *layout, GString *text)
{
  const LsCross *c = layout->own;

  if (c->result == NULL || c->result->tried->len == 0)
    g_string_append (text, _(" Nothing is measured yet."));
  else
    {
      g_autofree char *words = ls_lab_crossover_text (c->result, c->own.x > 0 ? &c->own : NULL);
      g_string_append_printf (text, " %s", words);
    }
}

/* ---- options of `render` ---- */

static char *
read_axes (const LsViewData *data, const char *text, gpointer state)
{
  static const char *const names[] = { "width", "depth", "image" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0)
      {
        ((LsCrossState *) state)->axes = i;
        return NULL;
      }
  return g_strdup (_("width, depth or image"));
}

static char *
read_pass (const LsViewData *data, const char *text, gpointer state)
{
  ((LsCrossState *) state)->forward = strcmp (text, "answers") == 0;
  return strcmp (text, "answers") == 0 || strcmp (text, "training") == 0
           ? NULL
           : g_strdup (_("training or answers"));
}

static const LsViewOption options[] = {
  { "axes", N_("AXES"), N_("What grows upwards: width, depth or image"), read_axes },
  { "of", N_("PASS"), N_("Crossover of training or answers"), read_pass },
  { NULL },
};

#define NONE_8 -1, -1, -1, -1, -1, -1, -1, -1
#define NONE_32                                                                                              \
  {                                                                                                          \
    NONE_8, NONE_8, NONE_8, NONE_8                                                                           \
  }
static const LsCrossState state_init = { .guess = { NONE_32, NONE_32, NONE_32 } };
G_STATIC_ASSERT (LS_LAB_MAX_SIZES == 32);

const LsView ls_view_crossover = {
  .name = "crossover",
  .title = N_("Crossover"),
  .question = N_("From which size on does the other lane win?"),
  .head_tells = TRUE,
  .state_size = sizeof (LsCrossState),
  .state_init = &state_init,
  .switches = switches,
  .switch_side = -1,
  .options = options,
  .measures = measures,
  .layout = layout_crossover,
  .move = move_crossover,
  .point = point_crossover,
  .key = key_crossover,
  .describe = describe_crossover,
};
