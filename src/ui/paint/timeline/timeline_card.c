/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two cards: what is picked, in its lane's numbers, and the same op in the other lane, each number with
 * how it is known; why something waits; and of what is no op, the numbers.
 */
#include "config.h"
#include "ui/paint/timeline/timeline_card.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

static double
pitch_of (const LsCard *c)
{
  return c->layout->m.body.px * (c->area.h > 300 ? 1.7 : 1.45);
}

static gboolean
room (const LsCard *c, double h)
{
  return c->y + h <= c->area.y + c->area.h - 8;
}

LsItem *
ls_card_line (LsCard *c, LsEvidence evidence, const char *name, char *value)
{
  const LsMetrics *m = &c->layout->m;
  const LsType bold = { m->body.px, 700 };
  const double x = c->area.x + 14, right = c->area.x + c->area.w - 14, text = x + m->evidence + 10;
  LsScene *s = c->layout->moving;
  const double name_w = ls_scene_width (s, m->label, name), value_w = ls_scene_width (s, bold, value);

  const gboolean split = text + name_w + 10 + value_w > right;
  guint mark = G_MAXUINT;

  if (room (c, split ? m->body.px * 1.3 : 0) && text + name_w <= right && x + value_w <= right)
    {
      mark = s->items->len;
      ls_scene_evidence (s, x, c->y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence,
                         LS_INK_TEXT);
      ls_scene_text (s, text, c->y, m->label, LS_INK_QUIET, LS_LEFT, name);
      c->y += split ? m->body.px * 1.3 : 0;
      ls_scene_text (s, right, c->y, bold, LS_INK_TEXT, LS_RIGHT, value);
      c->y += pitch_of (c);
    }
  g_free (value);
  return mark < s->items->len ? ls_scene_get (s, mark) : NULL;
}

void
ls_card_wrapped (LsCard *c, LsType type, LsInk ink, double value, const char *text)
{
  const double w = c->area.w - 28;
  LsScene *s = c->layout->moving;
  g_auto (GStrv) lines = ls_text_lines (s, type, w, text);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && room (c, 0) && ls_scene_width (s, type, lines[i]) <= w)
      {
        ls_scene_text (s, c->area.x + 14, c->y, type, ink, LS_LEFT, lines[i])->value = (float) value;
        c->y += type.px * LS_TEXT_PITCH;
      }
}

LsCard
ls_card_open (LsLayout *layout, const LsTimelineLane *lane, LsArea area, const char *title, const char *about)
{
  const LsMetrics *m = &layout->m;
  LsCard c = { layout, lane, area, area.y + m->strong.px * 1.7 };
  LsScene *s = layout->moving;

  ls_scene_box (s, area.x, area.y, area.w, area.h, LS_INK_EDGE, 0)->size = 10;
  ls_scene_box (s, area.x + 1, area.y + 1, area.w - 2, area.h - 2, LS_INK_CARD, 0)->size = 9;
  ls_card_wrapped (&c, (LsType){ m->strong.px * 1.1, 700 }, LS_INK_LANE, lane->side, title);
  ls_card_wrapped (&c, m->label, LS_INK_QUIET, 0, about);
  c.y += m->label.px * .55;
  return c;
}

void
ls_card_why (LsCard *c, const char *why)
{
  const LsMetrics *m = &c->layout->m;

  if (why == NULL)
    return;
  ls_card_wrapped (c, (LsType){ m->body.px, 700 }, LS_INK_TEXT, 0, _("Why is it waiting?"));
  ls_card_wrapped (c, m->body, LS_INK_TEXT, 0, why);
  c->y += m->label.px * .7;
}

/* ---- something else: the step as a whole, a copy, the host ---- */

static gint64
busy_of (const LsTimelineLane *lane, LsTimeRowKind kind)
{
  const LsTimeRow *const *rows;
  const guint n = ls_time_index_rows (lane->times, kind, &rows);
  gint64 sum = 0;

  for (guint r = 0; r < n; r++)
    sum = ls_ns_add (sum, rows[r]->busy[rows[r]->n]);
  return sum;
}

static void
step_lines (LsCard *c)
{
  const LsTimelineLane *lane = c->lane;
  const gint64 copies = busy_of (lane, LS_ROW_COPIES), kernels = busy_of (lane, LS_ROW_KERNELS);
  const LsViewData *other = c->layout->data->other;

  ls_card_line (c, LS_EVIDENCE_MEASURED, _("step"), ls_number_time ((double) lane->lane->index->length_ns));
  if (other != NULL && other->sides[lane->side].index != NULL)
    ls_card_line (c, LS_EVIDENCE_MEASURED, _("other recording"),
                  ls_number_time ((double) other->sides[lane->side].index->length_ns));
  if (lane->times->n_waits > 0)
    {
      ls_card_line (c, LS_EVIDENCE_MEASURED, _("tiles, in all"),
                    ls_number_time ((double) busy_of (lane, LS_ROW_WORKER)));
      ls_card_line (c, LS_EVIDENCE_MEASURED, _("workers wait, in all"),
                    ls_number_time ((double) lane->times->wait_ns));
      ls_card_line (c, LS_EVIDENCE_MEASURED, _("barriers"),
                    ls_number_count ((guint64) ls_time_index_row (lane->times, LS_ROW_OPS, 0)->n));
    }
  if (kernels > 0)
    ls_card_line (c, LS_EVIDENCE_MEASURED, _("kernels, in all"), ls_number_time ((double) kernels));
  if (copies > 0)
    ls_card_line (c, LS_EVIDENCE_MEASURED, _("copies, in all"), ls_number_time ((double) copies));
  if (lane->times->commands->len > 0)
    {
      ls_card_line (c, LS_EVIDENCE_MEASURED, _("commands"), ls_number_count (lane->times->commands->len));
      ls_card_line (c, LS_EVIDENCE_MEASURED, _("most that wait"),
                    ls_number_count (lane->times->most_queued));
    }
  ls_card_line (c, LS_EVIDENCE_MEASURED, ls_lane_has_workers (lane->lane) ? _("tiles") : _("work-groups"),
                ls_number_count (lane->times->n_pieces));
  if (lane->lane->recorded->dropped > 0)
    ls_card_line (c, LS_EVIDENCE_MEASURED, _("events lost"),
                  ls_number_count (lane->lane->recorded->dropped));
}

static void
event_card (LsLayout *layout, const LsTimeline *t, LsPick pick, const LsEvent *e, const char *why)
{
  const LsTimelineLane *lane = &t->lanes[pick.side];
  const gboolean copy = ls_event_is_copy (e);
  const double ns = (double) (e->end_ns - e->start_ns);
  const LsTimeCommand *command = ls_time_index_command (lane->times, pick.event);
  const char *title = e->kind == LS_EVENT_COPY_IN     ? _("copy to the device")
                      : e->kind == LS_EVENT_COPY_OUT  ? _("copy from the device")
                      : e->kind == LS_EVENT_HOST_WAIT ? _("the host waits")
                      : e->kind == LS_EVENT_QUEUED    ? _("queued")
                                                      : _("call of the host");
  LsCard c = ls_card_open (layout, lane, t->card[pick.side], title, _("selected"));

  ls_card_why (&c, why);
  ls_card_line (&c, LS_EVIDENCE_MEASURED, _("starts"),
                ls_number_time ((double) ls_time_since (lane->times, e->start_ns)));
  ls_card_line (&c, LS_EVIDENCE_MEASURED, _("runs"), ls_number_time (ns));
  if (copy && command != NULL && command->queued != LS_NO_COMMAND)
    {
      const LsEvent *queued = ls_time_event (lane->times, command->queued);
      ls_card_line (&c, LS_EVIDENCE_MEASURED, _("queued before"),
                    ls_number_time ((double) (queued->end_ns - queued->start_ns)));
    }
  if (copy)
    ls_card_line (&c, LS_EVIDENCE_MEASURED, _("bytes"), ls_number_scaled ((double) e->tile));
  if (copy && ns > 0) /* one too short for the clock has none */
    {
      g_autofree char *rate = ls_number_scaled (1e9 * (double) e->tile / ns);
      ls_card_line (&c, LS_EVIDENCE_MEASURED, _("rate"), g_strdup_printf (_("%sB/s"), rate));
    }
}

void
ls_timeline_cards (LsLayout *layout)
{
  const LsTimeline *t = layout->own;
  const LsPick pick = ls_timeline_pick (layout);
  const LsEvent *e = pick.side >= 0 ? ls_layout_event (layout, pick) : NULL;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsTimelineLane *lane = &t->lanes[side];
      const gboolean own = e != NULL && (guint) pick.side == side;
      if (lane->times == NULL || t->card[side].h < 60)
        continue;
      const LsCause cause = own ? ls_time_cause (lane->times, pick.event)
                                : (LsCause){ .kind = LS_CAUSE_NONE };
      g_autofree char *why = ls_time_cause_words (lane->times, layout->data->recording, &cause);
      g_autofree char *about = g_strdup_printf (own ? _("%s, selected") : _("%s, the same op"),
                                                lane->lane->name);
      if (e != NULL && e->op < layout->data->recording->n_ops && !(own && ls_event_is_copy (e)))
        ls_card_op (layout, t, side, e->op, about, why);
      else if (own)
        event_card (layout, t, pick, e, why);
      else
        {
          LsCard c = ls_card_open (layout, lane, t->card[side], lane->lane->name, _("the recorded step"));
          step_lines (&c);
        }
    }
}
