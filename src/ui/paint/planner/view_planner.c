/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner: what do I need to buy or to rent? Three questions, one sentence, the figures that it rests on;
 * what a step takes in memory, and from which month on owning is cheaper than renting.
 */
#include "config.h"
#include "ui/paint/planner/planner.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

#define FIT      .56 /* of the width */
#define BY_TENTH 1.1

static void
planner_free (gpointer data)
{
  ls_planner_close (data);
  g_free (data);
}

/* ---- switches ---- */

/* To be answered otherwise; there may be other figures then, so that none stays picked. */
static LsPlannerState *
ask (LsQuery *query)
{
  LsPlannerState *state = query->state;

  state->picked = LS_PLANNER_NONE;
  return state;
}

static void
set_train (LsQuery *query, guint i)
{
  ask (query)->train = i;
}

static void
set_often (LsQuery *query, guint i)
{
  ask (query)->often = i;
}

static void
set_months (LsQuery *query, guint i)
{
  ask (query)->months = i;
}

static void
set_step (LsQuery *query, guint i)
{
  ls_planner_choose_step (ask (query), i);
}

static const LsViewSwitch switches[] = {
  { .title = N_("What do you train?"), .asks = TRUE, .choice = ls_planner_train_word, .set = set_train },
  { .title = N_("How much of it?"), .asks = TRUE, .choice = ls_planner_often_word, .set = set_often },
  { .title = N_("For how long?"), .asks = TRUE, .choice = ls_planner_months_word, .set = set_months },
  { .title = N_("Optimizer and precision"), .choice = ls_planner_step_word, .set = set_step },
  { NULL },
};

/* ---- layout ---- */

/* The switches' place, or the questions with their answers in words; returns the height. */
static double
questions (LsPlanner *p, LsArea area)
{
  LsLayout *layout = p->layout;
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  const LsType bold = { m->label.px, 700 };
  const char *const answers[] = { ls_planner_train_word (p->asked->train),
                                  ls_planner_often_word (p->asked->often),
                                  ls_planner_months_word (p->asked->months) };
  double x = area.x, y = area.y + m->label.px * 1.3;

  if (m->control_h > 0 && !layout->query.chrome)
    {
      ls_stage_slot (layout, LS_SLOT_SWITCHES, -1, 0, area.x, area.y, area.w, m->control_h);
      return m->control_h + 2 * m->unit;
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      const char *question = gettext (switches[i].title), *answer = answers[i] != NULL ? answers[i] : "";
      const double w = ls_scene_width (s, m->label, question) + 2 * m->unit
                       + ls_scene_width (s, bold, answer);

      if (x > area.x && x + w > area.x + area.w)
        {
          x = area.x;
          y += m->label.px * LS_TEXT_PITCH;
        }
      if (x + w > area.x + area.w)
        continue;
      x = ls_item_right (ls_scene_text (s, x, y, m->label, LS_INK_QUIET, LS_LEFT, question)) + 2 * m->unit;
      x = ls_item_right (ls_scene_text (s, x, y, bold, LS_INK_TEXT, LS_LEFT, answer)) + 7 * m->unit;
    }
  return y - area.y + m->label.px * .8;
}

static void
layout_planner (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_begin (layout);
  LsPlanner *p = g_new0 (LsPlanner, 1);
  double height, y;

  layout->own = p;
  layout->free_own = planner_free;
  ls_planner_open (p, layout);
  if (m->size != LS_SIZE_SMALL || m->projector) /* a small picture has no room for both */
    area = ls_stage_strip (layout, area, FALSE);
  area.y += 2 * m->unit;
  area.h -= 2 * m->unit;
  height = ls_stage_heads (layout, area) + m->unit;
  area.y += height;
  area.h -= height;
  height = ls_stage_disagreement (layout, area);
  area.y += height;
  area.h -= height;
  area = (LsArea){ area.x + m->margin, area.y, area.w - 2 * m->margin, area.h - m->unit };
  height = questions (p, area);
  area.y += height;
  area.h -= height;
  y = ls_planner_answer (p, area);
  area.h -= y - area.y;
  area.y = y;
  if (area.h < 8 * m->label.px)
    return;
  ls_scene_box (layout->still, area.x, area.y - 1.5 * m->unit, area.w, layout->style.hairline,
                LS_INK_HAIRLINE, 0);
  ls_planner_fit (p, (LsArea){ area.x, area.y, area.w * FIT - m->gutter, area.h });
  ls_planner_pay (p, (LsArea){ area.x + area.w * FIT, area.y, area.w * (1 - FIT), area.h });
}

static void
move_planner (LsLayout *layout)
{
}

/* ---- pointer and keys ---- */

static const LsPlannerFigure *
picked_figure (const LsPlanner *p, const LsPlannerState *state)
{
  return state->picked >= 0 && (guint) state->picked < p->figures->len
           ? &g_array_index (p->figures, LsPlannerFigure, state->picked)
           : NULL;
}

static const char *
address_planner (const LsLayout *layout, const LsQuery *query)
{
  const LsPlanner *p = layout->own;
  const LsPlannerFigure *f;

  ls_planner_follow (p, query->state);
  f = picked_figure (p, query->state);
  return f != NULL && f->source != NULL ? f->source->address : NULL;
}

/* i: LS_PLANNER_NONE or a figure. */
static void
set_picked (const LsPlanner *p, LsPlannerState *state, gint i)
{
  state->picked = i;
  state->price = i >= 0 ? (guint) (g_array_index (p->figures, LsPlannerFigure, i).price + 1) : 0;
}

/* Picks a figure; the same again opens its source, or lets go. */
static LsAct
pick (const LsPlanner *p, LsPlannerState *state, gint i)
{
  if (state->picked == i && g_array_index (p->figures, LsPlannerFigure, i).source != NULL)
    return LS_ACT_OPEN;
  set_picked (p, state, state->picked == i ? LS_PLANNER_NONE : i);
  return LS_ACT_CHANGED;
}

/* A price of one's own, with the day. */
static void
say_price (LsPlannerState *state, guint price, double value)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");

  state->said[price] = TRUE;
  state->prices[price] = value;
  g_strlcpy (state->said_on[price], today, sizeof state->said_on[price]);
}

static LsAct
change_price (const LsPlanner *p, LsPlannerState *state, gboolean up)
{
  const LsPlannerFigure *f = picked_figure (p, state);
  const LsPriceRow *row = f != NULL && f->price >= 0 ? &ls_prices_rows[f->price] : NULL;
  double value;

  if (row == NULL)
    return LS_ACT_NONE;
  value = p->guide.prices.of[f->price].figure.n > 0 ? p->guide.prices.of[f->price].figure.value : 0;
  value = value > 0 ? value * (up ? BY_TENTH : 1 / BY_TENTH) : up ? 1 : 0;
  say_price (state, (guint) f->price, CLAMP (value, row->min, row->max));
  return LS_ACT_CHANGED;
}

static LsAct
point_planner (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsPlanner *p = layout->own;

  ls_planner_follow (p, query->state);
  for (guint i = 0; i < p->figures->len; i++)
    {
      const LsPlannerFigure *f = &g_array_index (p->figures, LsPlannerFigure, i);

      if (ls_area_has (f->up, x, y) || ls_area_has (f->down, x, y))
        return change_price (p, query->state, ls_area_has (f->up, x, y));
      if (ls_area_has (f->area, x, y))
        return pick (p, query->state, (gint) i);
    }
  return LS_ACT_NONE;
}

/* Along the figures, also to those that have no place until they are picked. */
static LsAct
move_pick (const LsPlanner *p, LsPlannerState *state, gint by)
{
  const gint n = (gint) p->figures->len;

  if (n == 0)
    return LS_ACT_NONE;
  set_picked (p, state, state->picked < 0 ? (by > 0 ? 0 : n - 1) : (state->picked + by + n) % n);
  return LS_ACT_CHANGED;
}

static LsAct
key_planner (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsPlanner *p = layout->own;
  LsPlannerState *state = query->state;
  const LsPlannerFigure *f;

  ls_planner_follow (p, state);
  f = picked_figure (p, state);
  switch (key)
    {
    case LS_KEY_PICK:
      if (f != NULL)
        return f->source != NULL ? LS_ACT_OPEN : LS_ACT_NONE;
      return move_pick (p, state, 1);
    case LS_KEY_LEFT:
    case LS_KEY_RIGHT:
      return f != NULL ? move_pick (p, state, key == LS_KEY_RIGHT ? 1 : -1) : LS_ACT_NONE;
    case LS_KEY_UP:
    case LS_KEY_DOWN:
      return change_price (p, state, key == LS_KEY_UP);
    case LS_KEY_LET_GO:
      if (f == NULL)
        return LS_ACT_NONE;
      state->picked = LS_PLANNER_NONE;
      return LS_ACT_CHANGED;
    case LS_KEY_DRAW: /* as it was published */
      if (f == NULL || f->price < 0 || !state->said[f->price])
        return LS_ACT_NONE;
      state->said[f->price] = FALSE;
      return LS_ACT_CHANGED;
    case LS_KEY_PAGE:
      state->card = (state->card + 1) % (ls_planner_n_cards (layout->data->catalogue) + 1);
      state->picked = LS_PLANNER_NONE;
      return LS_ACT_CHANGED;
    default:
      return LS_ACT_NONE;
    }
}

static void
describe_planner (const LsLayout *layout, GString *text)
{
  const LsPlanner *p = layout->own;
  LsPlannerState asked = *p->asked;
  const LsPlannerFigure *f;
  g_autofree char *miss = ls_planner_miss (p);

  ls_planner_follow (p, &asked);
  f = picked_figure (p, &asked);
  g_string_append_printf (text, " %s", p->advice.sentence);
  if (p->advice.change != NULL)
    g_string_append_printf (text, " %s", p->advice.change);
  if (p->advice.moves != NULL)
    g_string_append_printf (text, " %s", p->advice.moves);
  if (miss != NULL)
    g_string_append_printf (text, " %s", miss);
  for (guint i = 0; i < p->figures->len; i++)
    g_string_append_printf (text, "%s %s", i == 0 ? "" : ",",
                            g_array_index (p->figures, LsPlannerFigure, i).text);
  if (p->figures->len > 0)
    g_string_append_c (text, '.');
  if (f != NULL)
    g_string_append_printf (text, " %s: %s.", f->text, f->told);
}

/* ---- options of `render` ---- */

static char *
read_choice (const char *text, const char *(*word) (guint i), guint *choice)
{
  guint64 number;

  for (guint i = 0; word (i) != NULL; i++)
    if (g_ascii_string_to_unsigned (text, 10, i + 1, i + 1, &number, NULL) || strcmp (text, word (i)) == 0)
      {
        *choice = i;
        return NULL;
      }
  guint n = 0;
  while (word (n) != NULL)
    n++;
  return g_strdup_printf (_("the number of a choice, 1 to %u, or its words"), n);
}

static char *
read_train (const LsViewData *data, const char *text, gpointer state)
{
  return read_choice (text, ls_planner_train_word, &((LsPlannerState *) state)->train);
}

static char *
read_often (const LsViewData *data, const char *text, gpointer state)
{
  return read_choice (text, ls_planner_often_word, &((LsPlannerState *) state)->often);
}

static char *
read_months (const LsViewData *data, const char *text, gpointer state)
{
  return read_choice (text, ls_planner_months_word, &((LsPlannerState *) state)->months);
}

static char *
read_optimizer (const LsViewData *data, const char *text, gpointer state)
{
  return read_choice (text, ls_planner_optimizer_word, &((LsPlannerState *) state)->optimizer);
}

static char *
read_precision (const LsViewData *data, const char *text, gpointer state)
{
  return read_choice (text, ls_planner_precision_word, &((LsPlannerState *) state)->precision);
}

static char *
read_card (const LsViewData *data, const char *text, gpointer state)
{
  const LsHardware *device = data->catalogue != NULL ? ls_catalogue_find (data->catalogue, text, NULL) : NULL;

  for (guint i = 1; device != NULL && i <= ls_planner_n_cards (data->catalogue); i++)
    if (ls_planner_card (data->catalogue, i) == device)
      {
        ((LsPlannerState *) state)->card = i;
        return NULL;
      }
  return g_strdup (_("a card of “lockstep hardware” that networks are trained on"));
}

static char *
read_prices (const LsViewData *data, const char *text, gpointer state)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (parts[i], "=", 2);
      gboolean known = FALSE;

      for (guint k = 0; k < LS_PRICE_N && pair[0] != NULL && pair[1] != NULL; k++)
        {
          char *end;
          const double value = g_ascii_strtod (pair[1], &end);

          if (strcmp (pair[0], ls_prices_rows[k].name) != 0 || end == pair[1] || *end != '\0'
              || !(value >= ls_prices_rows[k].min && value <= ls_prices_rows[k].max))
            continue;
          known = TRUE;
          say_price (state, k, value);
        }
      if (!known)
        return g_strdup (_("prices such as rent=3.06,price=2000,power=300,electricity=0.2"));
    }
  return NULL;
}

static const LsViewOption options[] = {
  { "train", N_("CHOICE"), N_("What Planner is asked for, by its number in the window"), read_train },
  { "often", N_("CHOICE"), N_("How much of it, likewise"), read_often },
  { "months", N_("CHOICE"), N_("For how long, likewise"), read_months },
  { "with-optimizer", N_("CHOICE"), N_("The optimizer that Planner reckons with, likewise"),
    read_optimizer },
  { "with-precision", N_("CHOICE"), N_("The precision that it reckons with, likewise"), read_precision },
  { "card", N_("NAME"), N_("The card that Planner buys; default the one that costs least"), read_card },
  { "prices", N_("LIST"), N_("Planner’s prices, such as rent=3.06,price=2000"), read_prices },
  { NULL },
};

static const LsPlannerState state_init = { .picked = LS_PLANNER_NONE };

const LsView ls_view_planner = {
  .name = "planner",
  .letter = "-",
  .title = N_("Planner"),
  .question = N_("What do I need to buy or to rent?"),
  .head_tells = TRUE,
  .state_size = sizeof (LsPlannerState),
  .state_init = &state_init,
  .switches = switches,
  .switch_side = -1,
  .options = options,
  .layout = layout_planner,
  .move = move_planner,
  .point = point_planner,
  .key = key_planner,
  .address = address_planner,
  .describe = describe_planner,
};
