/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race: both lanes' recorded step falling down one clock, each from its own start, under the rates of the
 * whole run. Who is faster, and do they agree?
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/scene/axis.h"
#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/pace.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

#define COLUMN_MIN 60 /* units of the grid */

typedef struct {
  LsRaceLane lanes[LS_SIDES];
  double middle;    /* x of the clock */
  LsRaceOpPlace op; /* no height: nowhere */
  double aside_top; /* where the words of a step that was set aside begin; HUGE_VAL: there are none */
  GArray *chains;   /* LsChain; NULL: there is no recording */
} Race;

/* In the moving scene, since the pill with the time takes a tick's place. */
static void
draw_clock (LsLayout *layout, const Race *race, const LsRaceLane *any, double pill_y, double pill_h)
{
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->moving;
  double per_unit;
  const char *unit = ls_number_time_unit ((double) any->span_ns, &per_unit);
  LsAxis axis;

  ls_axis_init (&axis, 0, (double) any->span_ns / per_unit, any->column.y, any->column.y + any->column.h,
                FALSE, MAX (2, (guint) (any->column.h / (m->body.px * 4.5))));
  for (guint i = 0; i < axis.n_ticks; i++)
    {
      const double y = ls_axis_at (&axis, axis.ticks[i]);
      g_autofree char *number = ls_number_tick (axis.ticks[i]);
      g_autofree char *text = i == 0 ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);
      const double half = ls_scene_width (s, m->label, text) / 2 + 8;
      const double left = race->lanes[0].column.x + race->lanes[0].column.w + 4,
                   right = race->lanes[1].column.x - 4;

      if (i > 0 && y - any->column.y < m->label.px * 1.2)
        continue;
      if (fabs (y - pill_y) < (pill_h + m->label.px) / 2 + 2)
        continue;
      ls_scene_text (s, race->middle, y + m->label.px * .36, m->label, LS_INK_QUIET, LS_CENTER, text);
      if (race->middle - half - 4 > left)
        {
          ls_scene_segment (s, left, y, MIN (left + 14, race->middle - half), y, LS_INK_QUIET, 1.2);
          ls_scene_segment (s, MAX (right - 14, race->middle + half), y, right, y, LS_INK_QUIET, 1.2);
        }
    }
}

static void
place_columns (LsLayout *layout, Race *race, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double foot = m->strong.px * 1.5 + m->label.px * 3.2;
  const double half = ls_scene_width (layout->still, m->label, "0000 µs") / 2 + 6 * m->unit;
  const double w = MIN (300 * MAX (1, m->unit / 4), (area.w / 2 - half - m->margin) * .42);

  race->middle = area.x + area.w / 2;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsRaceLane *r = &race->lanes[side];
      *r = (LsRaceLane){ .layout = layout,
                         .lane = &layout->data->sides[side],
                         .side = side,
                         .span_ns = layout->span_ns,
                         .chains = race->chains,
                         .column = { side == 0 ? race->middle - half - w : race->middle + half,
                                     area.y + m->label.px, w,
                                     MAX (area.h - foot - m->label.px, 2 * m->unit) },
                         .bottom = area.y + area.h,
                         .outer = side == 0 ? area.x + m->margin : area.x + area.w - m->margin };
    }
}

/* A lane without a column of its own. One that comes shows its ops; one that works on but wasn't recorded
 * says why above them. */
static void
draw_missing (LsLayout *layout, const LsRaceLane *r, LsArea area, double heads_w)
{
  const LsMetrics *m = &layout->m;
  const double inner = r->side == 0 ? r->column.x + r->column.w
                                    : MAX (r->column.x + 3 * m->unit, area.x + area.w - m->margin - heads_w);
  LsArea place = { r->side == 0 ? r->outer : inner, r->column.y, fabs (r->outer - inner),
                   area.y + area.h - r->column.y };

  if (ls_lane_coming (r->lane) && r->lane->build != NULL)
    ls_coming_list (layout, place, r->side);
  else if (r->lane->message == NULL || ls_lane_coming (r->lane))
    ls_coming_column (layout, r->column, r->outer);
  else if (ls_lane_unrecorded (r->lane))
    ls_coming_unrecorded (layout, place, r->side);
  else
    ls_stage_lane_message (layout, place, r->side);
}

#define ASIDE_W  170.0 /* px: the least that its words need beside the labels */
#define BUTTON_H 34.0
#define OP_W     140.0 /* px: the least that one op's words need */
#define OP_LINES 15    /* and the most lines of theirs */

/* The interrupted step that isn't shown, and the place of the button that shows it; returns the last
 * baseline. */
static double
draw_aside (LsLayout *layout, LsArea area, gboolean draw)
{
  const LsMetrics *m = &layout->m;
  const double x = area.x + 5 * m->unit, w = area.w - 5 * m->unit, line = m->label.px * 1.4;
  const guint n = layout->data->n_aside;
  g_autofree char *title = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u step set aside", "%u steps set aside", n), n);
  g_autofree char *words = g_strdup_printf (_("%s; not shown"), layout->data->aside);
  double y = area.y + line;

  if (draw)
    {
      ls_scene_text (layout->still, x, y, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, title);
      ls_stage_zigzag (layout, area.x + 6, y + m->label.px * .13, m->label.px * 1.08,
                       layout->data->aside_side);
    }
  y = ls_text_wrapped (layout->still, x, y, w, m->label, LS_INK_QUIET, words, draw);
  if (layout->query.chrome || m->projector)
    return y;
  if (draw)
    ls_stage_slot (layout, LS_SLOT_ASIDE, -1, 0, x, y + 2 * m->unit, w, BUTTON_H);
  return y + 2 * m->unit + BUTTON_H;
}

/* Beside the left lane's names, where there is room; else below its column. Returns where it begins;
 * HUGE_VAL: it isn't there. */
static double
place_aside (LsLayout *layout, const LsRaceLane *r, LsArea area)
{
  const LsMetrics *m = &layout->m;
  LsArea at = { area.x + m->margin, 0, r->labels_end - area.x - m->margin - 24, 0 };

  if (layout->data->aside == NULL || m->projector || !r->drawn)
    return HUGE_VAL;
  if (at.w < ASIDE_W || m->size != LS_SIZE_LARGE)
    {
      at.w = r->column.x - at.x - 6 * m->unit;
      at.y = MAX (r->labels_bottom, ls_race_y (r, r->lane->index->length_ns)) + m->unit;
      if (draw_aside (layout, at, FALSE) > area.y + area.h)
        return HUGE_VAL;
      draw_aside (layout, at, TRUE);
      return at.y;
    }
  at.y = area.y + area.h - draw_aside (layout, at, FALSE) - 4 * m->unit;
  draw_aside (layout, at, TRUE);
  return at.y;
}

/* How far outwards from x what stands between those heights goes. */
static double
outer_end (const LsScene *scene, guint side, double x, double top, double bottom)
{
  double end = x;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const double left = (double) item->x, right = ls_item_right (item);
      if (item->kind != LS_ITEM_TEXT || (double) item->y <= top || (double) item->y >= bottom)
        continue;
      if (side > 0 && right > end)
        end = right;
      if (side == 0 && left < end && right > x)
        end = left;
    }
  return end;
}

/* The one op's words stand beside the right lane's names, or below the names of the lane whose column is the
 * shorter one. */
static void
place_op (LsLayout *layout, Race *race, LsArea area, gboolean aside)
{
  const LsMetrics *m = &layout->m;
  const LsRaceLane *right = &race->lanes[1];
  const double bottom = area.y + area.h - 2 * m->unit;
  const double most = MIN (OP_LINES * 1.4 * m->label.px, area.h - 8 * m->unit),
               end = outer_end (layout->still, 1, right->column.x + right->column.w,
                                bottom - most - m->label.px, bottom + m->label.px)
                     + 24;
  const LsArea beside = { end, bottom - most, right->outer - end, most };

  if (m->projector || m->size == LS_SIZE_SMALL)
    return;
  if (right->drawn && beside.w >= OP_W)
    {
      race->op = (LsRaceOpPlace){ beside, 1, TRUE };
      return;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsRaceLane *r = &race->lanes[side];
      const double top = MAX (r->labels_bottom, area.y) + m->unit,
                   inner = outer_end (layout->still, side,
                                      side == 0 ? r->column.x - 6 * m->unit
                                                : r->column.x + r->column.w + 6 * m->unit,
                                      top, bottom + m->label.px);
      const LsArea below = { MIN (r->outer, inner), top, fabs (r->outer - inner), bottom - top };
      if (r->drawn && (side > 0 || !aside) && below.w >= OP_W && below.h > race->op.area.h)
        race->op = (LsRaceOpPlace){ below, side, FALSE };
    }
}

static void
race_free (gpointer data)
{
  Race *race = data;

  for (guint side = 0; side < LS_SIDES; side++)
    g_clear_pointer (&race->lanes[side].pieces, g_array_unref);
  g_clear_pointer (&race->chains, g_array_unref);
  g_free (race);
}

/* Where there are time steps: whether each has its own box. Returns the height. */
static double
switches (LsLayout *layout, const Race *race, LsArea area)
{
  const LsMetrics *m = &layout->m;

  if (race->chains == NULL || race->chains->len == 0 || layout->query.chrome || m->control_h <= 0)
    return 0;
  ls_stage_slot (layout, LS_SLOT_SWITCHES, -1, 0, area.x + m->margin, area.y, area.w / 2 - 2 * m->margin,
                 m->control_h);
  return m->control_h + 2 * m->unit;
}

static void
layout_race (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  const double middle = (m->size == LS_SIZE_LARGE    ? 208
                         : m->size == LS_SIZE_MEDIUM ? 150
                                                     : 130)
                        * m->unit / 4;
  LsArea area = ls_stage_strip (layout, ls_stage_begin (layout), TRUE);
  Race *race = g_new0 (Race, 1);
  double heads, stopped;

  layout->own = race;
  layout->free_own = race_free;
  if (layout->data->recording != NULL)
    race->chains = ls_chains_new (layout->data->recording);
  ls_area_below (&area, 2 * m->unit);
  /* a small picture for the hall has no room for large numbers */
  ls_area_below (&area, m->projector && m->size == LS_SIZE_SMALL
                          ? ls_stage_heads (layout, area) + m->unit
                          : ls_race_heads (layout, area, m->projector ? m->gutter : middle));
  heads = ls_stage_disagreement (layout, area);
  stopped = ls_stage_stopped_height (layout, area.w / 2 - 2 * m->margin);
  if (area.h - heads - stopped < COLUMN_MIN * m->unit)
    stopped = 0; /* no room for both: then the words, in the column's place */
  area.y += heads;
  area.h -= heads + stopped;
  ls_area_below (&area, switches (layout, race, area));
  area.h -= ls_coming_foot (layout, area, m->projector ? m->gutter : middle);
  for (guint side = 0; side < LS_SIDES; side++)
    if (layout->data->sides[side].index != NULL)
      layout->span_ns = MAX (layout->span_ns, layout->data->sides[side].index->length_ns);
  place_columns (layout, race, area);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsRaceLane *r = &race->lanes[side];
      if (r->lane->index != NULL && layout->span_ns > 0 && (r->lane->stopped_at == 0 || stopped > 0))
        {
          LsArea lane = ls_stage_lane (layout, area, side);
          lane.y = area.y + area.h;
          lane.h = stopped;
          ls_race_column (r);
          if (r->lane->stopped_at > 0)
            ls_stage_lane_message (layout, lane, side);
        }
      else
        draw_missing (layout, r, area, m->projector ? HUGE_VAL : (area.w - 2 * m->margin - middle) / 2);
    }
  race->aside_top = place_aside (layout, &race->lanes[0], area);
  place_op (layout, race, area, race->aside_top < HUGE_VAL);
  ls_stage_invite (layout, area);
}

/* What is done, solid; each lane's place in its list, above `end`. */
static void
move_lane (LsLayout *layout, const LsRaceLane *r, gint64 now, double end)
{
  const LsMetrics *m = &layout->m;
  const GArray *spans = r->lane->index->spans;
  LsScene *s = layout->moving;
  guint at = 0;

  for (guint i = 0; i < r->pieces->len && ls_race_piece (r, i)->start_ns <= now; i++)
    {
      const LsRacePiece *piece = ls_race_piece (r, i);
      const double y = ls_race_y (r, piece->start_ns), end_y = ls_race_y (r, piece->end_ns);
      const double h = piece->end_ns > now ? MIN (end_y - y - 1, ls_race_y (r, now) - y)
                                           : MAX (1.5, end_y - y - 1);

      for (guint k = piece->first; k < piece->first + piece->n && ls_race_span (r, k)->start_ns <= now; k++)
        at = k + 1;
      const LsArea across = ls_race_across (r, piece);
      ls_scene_box (s, across.x, y, across.w, MAX (h, 0), LS_INK_MARK, r->side)->strong = TRUE;
      if (piece->chain != NULL && piece->end_ns <= now)
        ls_scene_mark (s, LS_ITEM_ZIGZAG, across.x, MAX (end_y, y + 5) - 5, across.w, 4, LS_INK_WINDOW, 0)
          ->strong
          = TRUE;
    }
  if (layout->query.time_ns == LS_TIME_END || at == 0 || m->size != LS_SIZE_LARGE || m->projector
      || ls_pace_rolls (spans->len, layout->span_ns, ls_query_pace (&layout->query)))
    return;
  g_autofree char *words = g_strdup_printf (_("op %u of %u"), at, spans->len);
  const double width = ls_scene_width (s, m->number, words);
  const gboolean room = r->side == 0 ? r->outer + width + 16 < r->labels_end
                                     : r->outer - width - 16 > r->labels_end;
  const double y = MIN (ls_race_y (r, now), ls_race_y (r, r->lane->index->length_ns)) + m->number.px * .36;
  if (room && y < end)
    ls_scene_text (s, r->outer, y, m->number, LS_INK_LANE, r->side == 0 ? LS_LEFT : LS_RIGHT, words)->value
      = (float) r->side;
}

/* Over the lane's column while it runs; once it is done, words stand below it. */
static void
now_line (LsLayout *layout, const LsRaceLane *r, double middle, double y, gint64 now)
{
  const gboolean runs = r->drawn && now <= r->lane->index->length_ns;
  const double inner = r->side == 0 ? r->column.x + r->column.w + 4 : r->column.x - 4;
  const double end = !runs ? inner : r->side == 0 ? r->column.x - 8 : r->column.x + r->column.w + 8;

  ls_scene_segment (layout->moving, MIN (middle, end), y, MAX (middle, end), y, LS_INK_TEXT, 2.5)->strong
    = TRUE;
}

static void
move_race (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  const Race *race = layout->own;
  const gint64 now = MIN (layout->query.time_ns, layout->span_ns);
  const LsPick pick = layout->query.hover.side >= 0 ? layout->query.hover : layout->query.picked;
  const LsType type = { m->strong.px, 700 };
  LsScene *s = layout->moving;

  const double op_top = ls_race_op (layout, &race->op) - m->label.px;
  for (guint side = 0; side < LS_SIDES; side++)
    if (race->lanes[side].drawn)
      move_lane (layout, &race->lanes[side], now,
                 MIN (side == race->op.side ? op_top : HUGE_VAL,
                      side == 0 ? race->aside_top - m->number.px * .3 : HUGE_VAL));
  for (guint i = 0; pick.side >= 0 && i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->event == pick.event && item->side == pick.side)
        ls_scene_mark (s, LS_ITEM_FRAME, (double) item->x, (double) item->y, (double) item->w,
                       (double) item->h, LS_INK_TEXT, 0)
          ->strong
          = TRUE;
    }
  if (layout->span_ns == 0)
    return;
  const double y = ls_race_y (&race->lanes[0], now), h = type.px * 1.7;
  if (layout->query.time_ns == LS_TIME_END)
    {
      draw_clock (layout, race, &race->lanes[0], -HUGE_VAL, 0);
      return;
    }
  draw_clock (layout, race, &race->lanes[0], y, h);
  g_autofree char *text = ls_number_time ((double) now);
  const double w = ls_scene_width (s, type, text) + 24;
  for (guint side = 0; side < LS_SIDES; side++)
    now_line (layout, &race->lanes[side], race->middle, y, now);
  ls_scene_box (s, race->middle - w / 2, y - h / 2, w, h, LS_INK_TEXT, 0)->size = (float) (h / 2);
  ls_scene_text (s, race->middle, y + type.px * .36, type, LS_INK_ON_TEXT, LS_CENTER, text)->strong = TRUE;
}

/* What must be done one after the other, and how long each lane took for it. */
static void
describe_chains (const LsLayout *layout, GString *text)
{
  const Race *race = layout->own;

  for (guint c = 0; race->chains != NULL && c < race->chains->len; c++)
    {
      const LsChain *chain = &g_array_index (race->chains, LsChain, c);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsViewLane *lane = &layout->data->sides[side];
          gint64 start, end;
          if (lane->index == NULL || !ls_chain_time (chain, lane->index, 0, chain->n_steps, &start, &end))
            continue;
          g_autofree char *time = ls_number_time ((double) (end - start));
          g_string_append_printf (text,
                                  chain->back
                                    ? _(" %s: the %u time steps back took %s, one after the other.")
                                    : _(" %s: the %u time steps took %s, one after the other."),
                                  lane->name, chain->n_steps, time);
        }
    }
}

static void
describe_race (const LsLayout *layout, GString *text)
{
  for (guint side = 0; side < LS_SIDES; side++)
    if (layout->data->sides[side].index != NULL)
      {
        const LsStepIndex *index = layout->data->sides[side].index;
        g_autofree char *time = ls_number_time ((double) index->length_ns);
        g_string_append_printf (text,
                                ngettext (" %s: the recorded step took %s in %u part.",
                                          " %s: the recorded step took %s in %u parts.", index->spans->len),
                                layout->data->sides[side].name, time, index->spans->len);
      }
  describe_chains (layout, text);
  g_autofree char *op = ls_race_op_words (layout);
  g_string_append (text, op);
}

const LsView ls_view_race = {
  .name = "race",
  .title = N_("Race"),
  .question = N_("Who is faster, and do they agree?"),
  .needs_step = TRUE,
  .state_size = sizeof ls_race_first,
  .state_init = &ls_race_first,
  .switches = ls_race_switches,
  .switch_side = -1,
  .options = ls_race_options,
  .point = ls_race_point,
  .key = ls_race_key,
  .layout = layout_race,
  .move = move_race,
  .describe = describe_race,
};
