/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race's heads: the rate as large as the hall is deep, its conditions beside it, loss and max |Δ| in both. Both heads take the
 * same lines, so that the same thing stands at the same height.
 */
#include "config.h"
#include "ui/paint/coming.h"
#include "ui/paint/race.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"
#include "ui/paint/rates.h"

#define MOST_LINES 5
#define HALL_HUGE  1.4    /* a number in the hall is larger here than elsewhere */

/* A line beside the huge number. */
typedef struct {
  LsNumber of;              /* its mark's; LS_NUMBER_NONE: it has none */
  LsEvidence evidence;
  LsType type;
  LsInk ink;
  char *text;
} Line;

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane;
  guint side;
  LsArea area;
  LsType huge;
  Line lines[MOST_LINES];
  guint n_lines;
  guint device_below;       /* lines below the name that the device takes; 0: it stands beside it */
  gboolean pair_below;      /* in the hall: loss and max |Δ| don't fit beside the name */
  gboolean numbers_below;   /* on the desk: the same */
  guint most_lines;         /* of both heads */
  gboolean beneath;         /* the lines stand under the number, not beside it */
} RaceHead;

static void
add_line (RaceHead *h, LsNumber of, LsEvidence evidence, LsType type, LsInk ink, char *text)
{
  h->lines[h->n_lines++] = (Line){ of, evidence, type, ink, text };
}

static gboolean
old (const RaceHead *h)
{
  return h->lane->stopped_at > 0;
}

static char *
rate_text (const RaceHead *h)
{
  return ls_figure_stands (&h->lane->rate) ? ls_number_scaled (h->lane->rate.value) : g_strdup ("–");
}

static double
mark_width (const RaceHead *h)
{
  return h->layout->m.evidence + 7;
}

static double
line_width (const RaceHead *h, const Line *line)
{
  return mark_width (h) + ls_scene_width (h->layout->still, line->type, line->text);
}

/* ---- loss, max |Δ| and accuracy beside the name ---- */

/* A number over its caption and mark, right-aligned at `right`; returns the left end. */
static double
column (const RaceHead *h, LsNumber of, double right, double y, const char *number, const char *caption, LsEvidence evidence,
        gboolean warning, gboolean draw)
{
  const LsMetrics *m = &h->layout->m;
  LsScene *s = h->layout->still;
  const double below = y + m->label.px * 1.45, z = m->number.px * .8;
  const double x = right - ls_scene_width (s, m->label, caption) - m->evidence - 6;
  const double left = right - ls_scene_width (s, m->number, number) - (warning ? m->number.px * 1.1 : 0);

  if (!draw)
    return MIN (x, left);
  ls_scene_text (s, right, below, m->label, LS_INK_QUIET, LS_RIGHT, caption);
  ls_item_number (ls_scene_evidence (s, x, below - m->label.px * .36 - m->evidence / 2, m->evidence, evidence, LS_INK_QUIET), (gint) h->side, of);
  ls_item_number (ls_scene_text (s, right, y, m->number, LS_INK_TEXT, LS_RIGHT, number), (gint) h->side, of);
  if (warning)
    ls_scene_mark (s, LS_ITEM_WARNING, left, y - z, z, z, LS_INK_TEXT, 0);
  return MIN (x, left);
}

/* Returns the left end of them all. */
static double
columns (const RaceHead *h, double y, gboolean draw)
{
  const LsViewLane *lane = h->lane;
  const LsMetrics *m = &h->layout->m;
  g_autofree char *loss = ls_number_text (lane->loss.value, 3), *delta = ls_number_power (lane->delta.value);
  g_autofree char *of = ls_delta_caption (lane), *step = ls_loss_caption (h->layout->data, h->side);
  double right = h->area.x + h->area.w;

  if (lane->delta.n > 0)
    right = column (h, LS_NUMBER_DELTA, right, y, delta, of, LS_EVIDENCE_DERIVED, h->layout->data->disagree[0] != NULL, draw) - 5 * m->unit;
  right = column (h, LS_NUMBER_LOSS, right, y, loss, step, LS_EVIDENCE_MEASURED, FALSE, draw) - 5 * m->unit;
  if (isfinite (lane->accuracy) && m->size == LS_SIZE_LARGE)
    {
      g_autofree char *percent = ls_number_text (100 * lane->accuracy, 3), *accuracy = g_strdup_printf (_("%s %%"), percent);
      right = column (h, LS_NUMBER_ACCURACY, right, y, accuracy, _("test accuracy"), LS_EVIDENCE_MEASURED, FALSE, draw) - 5 * m->unit;
    }
  return right;
}

/* In the hall they are words on the name's line; returns the left end. */
static double
hall_pair (const RaceHead *h, double y, gboolean draw)
{
  const LsMetrics *m = &h->layout->m;
  const Line *line = &h->lines[h->n_lines];
  LsScene *s = h->layout->still;
  double right = h->area.x + h->area.w;

  for (guint i = 0; i < 2 && h->lines[MOST_LINES - 1 - i].text != NULL; i++)
    {
      line = &h->lines[MOST_LINES - 1 - i];
      const double left = right - line_width (h, line);
      if (draw)
        {
          ls_item_number (ls_scene_evidence (s, left, y - m->label.px * .36 - m->evidence / 2, m->evidence, line->evidence, LS_INK_QUIET),
                          (gint) h->side, line->of);
          ls_item_number (ls_scene_text (s, right, y, line->type, line->ink, LS_RIGHT, line->text), (gint) h->side, line->of);
        }
      right = left - 5 * m->unit;
    }
  return right;
}

/* ---- the lines beside the number ---- */

/* On two lines where one is wider than the head. */
static void
add_halves (RaceHead *h, const char *words)
{
  const LsType type = h->layout->m.label;
  const char *gap = words + strlen (words);
  Line line = { .type = type, .text = g_strdup (words) };

  while (line_width (h, &line) > h->area.w && (gap = g_strrstr_len (words, gap - words, " ")) != NULL)
    {
      g_free (line.text);
      line.text = g_strndup (words, (gsize) (gap - words));
    }
  add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, type, LS_INK_QUIET, line.text);
  if (gap != NULL && *gap != '\0')
    add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, type, LS_INK_QUIET, g_strdup (gap + 1));
}

static void
prepare_lines (RaceHead *h)
{
  const LsMetrics *m = &h->layout->m;
  const LsViewLane *lane = h->lane;
  g_autofree char *lacking = ls_rate_lacking (h->layout, lane);
  char *condition = lacking != NULL ? g_steal_pointer (&lacking)
                    : lane->stopped_at > 0
                      ? g_strdup (_("before it stopped"))
                      : ls_rate_condition (lane, m->projector ? LS_RATE_BRIEF : LS_RATE_RANGE);

  add_line (h, LS_NUMBER_RATE, LS_EVIDENCE_MEASURED, m->projector ? m->label : (LsType){ m->device.px, 400 }, LS_INK_TEXT,
            g_strdup (_("samples per second")));
  if (m->projector && (!ls_figure_stands (&lane->rate) || old (h)))
    add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, m->label, LS_INK_QUIET, condition);
  else if (m->projector)
    {
      g_autofree char *words = lane->device[0] ? g_strdup (lane->device) : g_strjoinv (" · ", (char *[]){ lane->conditions[0], lane->conditions[0] != NULL ? lane->conditions[1] : NULL, NULL });
      g_free (condition);
      add_halves (h, words);
    }
  else
    add_line (h, LS_NUMBER_NONE, LS_EVIDENCE_MEASURED, m->label, LS_INK_QUIET, condition);
  if (!m->projector)
    return;
  /* from the last place on, in the order from the right */
  g_autofree char *loss = ls_number_text (lane->loss.value, 3), *delta = ls_number_power (lane->delta.value);
  g_autofree char *of = ls_delta_caption (lane), *step = ls_loss_caption (h->layout->data, h->side);
  guint at = MOST_LINES - 1;
  if (lane->delta.n > 0)
    h->lines[at--] = (Line){ LS_NUMBER_DELTA, LS_EVIDENCE_DERIVED, m->label, LS_INK_TEXT, g_strdup_printf ("%s %s", of, delta) };
  h->lines[at] = (Line){ LS_NUMBER_LOSS, LS_EVIDENCE_MEASURED, m->label, LS_INK_TEXT, g_strdup_printf ("%s %s", step, loss) };
}

/* Loss and max |Δ| join the lines, the loss first. */
static void
move_pair (RaceHead *h)
{
  for (guint i = MOST_LINES - 2; i < MOST_LINES; i++)
    if (h->lines[i].text != NULL && i >= h->n_lines)
      {
        Line line = h->lines[i];
        h->lines[i].text = NULL;
        h->lines[h->n_lines++] = line;
      }
}

static double
widest_line (const RaceHead *h)
{
  double width = 0;

  for (guint i = 0; i < h->n_lines; i++)
    width = MAX (width, line_width (h, &h->lines[i]));
  return width;
}

static gboolean
fits_beside (const RaceHead *h)
{
  g_autofree char *number = rate_text (h);

  return ls_scene_width (h->layout->still, h->huge, number) + 4 * h->layout->m.unit + widest_line (h) <= h->area.w;
}

/* The condition's short form, if the whole doesn't fit. */
static void
shorten (RaceHead *h)
{
  if (h->layout->m.projector || old (h) || !ls_figure_stands (&h->lane->rate) || fits_beside (h))
    return;
  static const LsRateForm forms[] = { LS_RATE_WHOLE, LS_RATE_SHORT, LS_RATE_BRIEF };
  for (guint i = 0; i < G_N_ELEMENTS (forms) && !fits_beside (h); i++)
    {
      g_free (h->lines[1].text);
      h->lines[1].text = ls_rate_condition (h->lane, forms[i]);
    }
}

/* The number and its lines; returns the last baseline. */
static double
draw_rate (const RaceHead *h, double y)
{
  const LsMetrics *m = &h->layout->m;
  LsScene *s = h->layout->still;
  const gboolean stands = ls_figure_stands (&h->lane->rate);
  const LsType dash = { h->huge.px, 300 }; /* as heavy as a number it would be a bar, which means something */
  const double pitch = m->label.px * (m->projector ? 1.35 : 1.7);
  g_autofree char *number = rate_text (h);
  LsItem *item = ls_scene_text (s, h->area.x, y, stands ? h->huge : dash, old (h) || !stands ? LS_INK_QUIET : LS_INK_LANE, LS_LEFT, number);
  const double x = h->beneath ? h->area.x : ls_item_right (item) + 4 * m->unit; /* items move when others are added */
  double line_y = h->beneath ? y + h->huge.px * LS_DESCENT + m->label.px : y - h->huge.px * .12 - (h->n_lines - 1) * pitch;

  item->value = (float) h->side;
  ls_item_number (item, (gint) h->side, LS_NUMBER_RATE);
  for (guint i = 0; i < h->n_lines; i++, line_y += pitch)
    {
      const Line *line = &h->lines[i];
      if (line->of != LS_NUMBER_NONE)
        ls_item_number (ls_scene_evidence (s, x, line_y - line->type.px * .36 - m->evidence / 2, m->evidence, line->evidence, LS_INK_QUIET),
                        (gint) h->side, line->of);
      ls_item_number (ls_scene_text (s, x + mark_width (h), line_y, line->type, line->ink, LS_LEFT, line->text), (gint) h->side, line->of);
    }
  return MAX (y + h->huge.px * LS_DESCENT - (m->projector ? 0 : m->label.px * .9), line_y - pitch);
}

/* From the number's baseline up to the top of the lines beside it. */
static double
lines_above (const RaceHead *h)
{
  const LsMetrics *m = &h->layout->m;

  return h->beneath ? 0 : h->huge.px * .12 + (h->most_lines - 1) * m->label.px * (m->projector ? 1.35 : 1.7) + m->body.px * 1.1;
}

/* Words separated by " · " on as many lines as they need; returns the last baseline. */
static double
conditions (const RaceHead *h, double y)
{
  const LsMetrics *m = &h->layout->m;
  GString *line = g_string_new (NULL);

  for (guint i = 0; h->lane->conditions[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strdup_printf ("%s · %s", line->str, h->lane->conditions[i]) : g_strdup (h->lane->conditions[i]);
      if (line->len > 0 && ls_scene_width (h->layout->still, m->label, longer) > h->area.w)
        {
          ls_scene_text (h->layout->still, h->area.x, y, m->label, LS_INK_QUIET, LS_LEFT, line->str);
          y += m->label.px * 1.4;
          g_string_assign (line, h->lane->conditions[i]);
        }
      else
        g_string_assign (line, longer);
    }
  if (line->len > 0)
    ls_scene_text (h->layout->still, h->area.x, y, m->label, LS_INK_QUIET, LS_LEFT, line->str);
  g_string_free (line, TRUE);
  return y;
}

/* Where the name and what stands beside it would collide with the numbers. */
static void
judge_name_line (RaceHead *h)
{
  const LsMetrics *m = &h->layout->m;
  const LsScene *s = h->layout->still;
  const double name = h->area.x + ls_scene_width (s, m->name, h->lane->name) + 12;

  if (m->projector)
    {
      h->pair_below = h->lane->there && hall_pair (h, 0, FALSE) < name;
      return;
    }
  h->numbers_below = h->lane->there && !ls_lane_coming (h->lane) && name > columns (h, 0, FALSE);
  const double right = h->numbers_below ? h->area.x + h->area.w : columns (h, 0, FALSE);
  h->device_below = h->lane->there && h->lane->device[0] && name + ls_scene_width (s, m->device, h->lane->device) > right
                        ? (guint) (ls_stage_wrapped (h->layout, 0, 0, h->area.w, m->device, LS_INK_TEXT, h->lane->device, FALSE) / (m->device.px * 1.35) + .5) : 0;
}

/* In the place of the numbers: what the lane does, how long it will still take, and why. As high as the numbers will be. */
static double
draw_coming (LsLayout *layout, guint side, LsArea area, double y)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[side];
  const double numbers = y + m->label.px * 1.45 + m->huge.px * .92 + m->huge.px * LS_DESCENT + m->label.px * .8;
  LsType type = { m->rate.px, 700 };

  if (m->evidence + 1.5 * m->unit + ls_scene_width (layout->still, type, lane->message) > area.w)
    type.px = m->heading.px;
  y = ls_coming_sentence (layout, side, area.x, y + m->label.px * .9, area.w, type) + m->unit;
  if (lane->hint != NULL)
    y = ls_stage_wrapped (layout, area.x, y, area.w, m->body, LS_INK_TEXT, lane->hint, TRUE);
  if (lane->words != NULL && m->size != LS_SIZE_SMALL)
    y = ls_stage_wrapped (layout, area.x, y, area.w, m->body, LS_INK_TEXT, lane->words, TRUE);
  return MAX (y, numbers);
}

static double
draw_head (const RaceHead *h)
{
  const LsMetrics *m = &h->layout->m;
  const LsViewLane *lane = h->lane;
  const LsType bold = { m->label.px, 700 };
  const double y = h->area.y + m->rule + m->name.px * (m->projector ? .98 : 1.15);
  LsScene *s = h->layout->still;
  LsItem *name;
  double last, name_end;

  ls_scene_box (s, h->area.x, h->area.y, h->area.w, m->rule, LS_INK_MARK, h->side)->side = (guint8) h->side;
  name = ls_scene_text (s, h->area.x, y, m->name, LS_INK_LANE, LS_LEFT, lane->name);
  name->value = (float) h->side;
  name_end = ls_item_right (name);
  if (!lane->there)
    return y;
  if (ls_lane_coming (lane))
    {
      if (lane->device[0] && name_end + 12 + ls_scene_width (s, m->device, lane->device) <= h->area.x + h->area.w)
        ls_scene_text (s, name_end + 12, y, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
      return draw_coming (h->layout, h->side, h->area, y);
    }
  const double numbers_y = h->numbers_below ? y + m->number.px * 1.3 : y;
  last = m->projector ? y : numbers_y + m->label.px * 1.45;
  m->projector ? hall_pair (h, y, TRUE) : columns (h, numbers_y, TRUE);
  if (!m->projector && lane->device[0] && !h->device_below)
    ls_scene_text (s, name_end + 12, y, m->device, LS_INK_TEXT, LS_LEFT, lane->device);
  else if (!m->projector && lane->device[0])
    {
      const gboolean under = h->area.x + ls_scene_width (s, m->device, lane->device) > columns (h, y, FALSE);
      ls_stage_wrapped (h->layout, h->area.x, last + m->device.px * ((under ? 1.5 : 0) - 1.35), h->area.w, m->device, LS_INK_TEXT, lane->device, TRUE);
    }
  if (h->device_below > 0)
    last += m->device.px * (1.5 + 1.35 * (h->device_below - 1));
  last = draw_rate (h, last + MAX (h->huge.px * (m->projector ? 1.0 : .92), lines_above (h)));
  if (!m->projector)
    last = conditions (h, last + m->label.px * 1.7);
  if (lane->recorded_on != NULL)
    last = ls_stage_wrapped (h->layout, h->area.x, last, h->area.w, bold, LS_INK_TEXT, lane->recorded_on, TRUE);
  if (lane->change != NULL)
    last = ls_stage_change (h->layout, h->area.x, last, h->area.w, lane->change);
  if (lane->notice != NULL)
    last = ls_stage_wrapped (h->layout, h->area.x, last, h->area.w, bold, LS_INK_TEXT, lane->notice, TRUE);
  return last;
}

/* What both heads decide together. */
static void
agree_on_lines (RaceHead heads[LS_SIDES])
{
  gboolean pair_below = FALSE, numbers_below = FALSE, beneath = FALSE;
  guint device_below = 0, most_lines = 1;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      judge_name_line (&heads[side]);
      device_below = MAX (device_below, heads[side].device_below);
      pair_below |= heads[side].pair_below;
      numbers_below |= heads[side].numbers_below;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      if (pair_below)
        move_pair (&heads[side]);
      shorten (&heads[side]);
      most_lines = MAX (most_lines, heads[side].n_lines);
      beneath |= heads[side].lane->there && !fits_beside (&heads[side]);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      heads[side].device_below = device_below;
      heads[side].numbers_below = numbers_below;
      heads[side].most_lines = most_lines;
      heads[side].beneath = beneath;
    }
}

double
ls_race_heads (LsLayout *layout, LsArea area, double middle)
{
  const LsMetrics *m = &layout->m;
  const double w = (area.w - 2 * m->margin - middle) / 2;
  RaceHead heads[LS_SIDES] = { 0 };
  double bottom = area.y;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      heads[side] = (RaceHead){ .layout = layout, .lane = &layout->data->sides[side], .side = side,
                                .area = { area.x + m->margin + side * (w + middle), area.y, w, 0 },
                                .huge = { m->huge.px * (m->projector ? HALL_HUGE : 1), m->huge.weight } };
      prepare_lines (&heads[side]);
    }
  agree_on_lines (heads);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double last = draw_head (&heads[side]);
      bottom = MAX (bottom, last);
      for (guint i = 0; i < MOST_LINES; i++)
        g_free (heads[side].lines[i].text);
    }
  bottom = m->projector ? ls_race_verdict (layout, area, bottom) : ls_race_ratio (layout, area, middle - 3, bottom);
  return bottom - area.y + m->label.px * .6;
}
