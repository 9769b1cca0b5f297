/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline's cards: each line's number is what the recorded events of its lane and op give.
 */
#include "told.h"

#include <math.h>
#include <string.h>

#include "ui/paint/views.h"

typedef struct {
  const LsPicture *p;
  const LsViewLane *lane, *across; /* across may be NULL */
  const LsEvent *picked;           /* NULL: the step as a whole */
  guint op;                        /* that did what was asked for; n_ops: none */
} Card;

static double
length (const LsEvent *e)
{
  return (double) (gint64) (e->end_ns - e->start_ns);
}

/* Of all events of the lane of that kind, of that op or of any; *n: how many they are. */
static double
sum (const Card *c, LsEventKind kind, gboolean of_op, guint *n)
{
  double all = 0;

  *n = 0;
  for (EACH_EVENT (c->lane, e))
    if (e->kind == kind && (!of_op || e->op == c->op))
      {
        all += length (e);
        ++*n;
      }
  return all;
}

static guint
pieces (const Card *c)
{
  const guint op = c->op;
  guint n = 0;

  for (EACH_EVENT (c->lane, e))
    if ((e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP) && e->op < c->lane->index->n_ops
        && (c->picked == NULL || e->op == op))
      {
        const LsTiling *t = &c->lane->recorded->tilings[e->op];
        n += e->tile < t->grid_rows * t->grid_cols * MAX (t->splits, 1);
      }
  return n;
}

static double
flops (const Card *c)
{
  double all = 0;

  for (guint op = 0; op < c->lane->index->n_ops; op++)
    all += ls_told_leader (c->lane, op) == c->op ? (double) c->p->layout->data->recording->ops[op].flops : 0;
  return all;
}

/* Of the op's pieces with times, the upper one of the two in the middle. */
static double
median_piece (const Card *c)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  const LsTiling *t = &c->lane->recorded->tilings[c->op];

  for (EACH_EVENT (c->lane, e))
    if ((e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP) && e->op == c->op
        && e->tile < t->grid_rows * t->grid_cols * MAX (t->splits, 1))
      {
        const double ns = length (e);
        g_array_append_val (times, ns);
      }
  g_array_sort (times, ls_compare_doubles);
  return times->len > 1 ? g_array_index (times, double, times->len / 2) : (double) NAN;
}

static double
op_end (const LsViewLane *lane, guint op)
{
  double start, end;

  return ls_told_op (lane, op, &start, &end) ? end : (double) NAN;
}

/* The wait in the queue of the command that ran as `run`: the queue's event of its op and kind that ended as
 * that began; −1: none was recorded. */
static double
queued (const Card *c, const LsEvent *run)
{
  for (EACH_EVENT (c->lane, e))
    if (e->kind == LS_EVENT_QUEUED && e->op == run->op && e->end_ns == run->start_ns)
      return length (e);
  return -1;
}

/* The op's kernel that began first; NULL: none. */
static const LsEvent *
kernel_of (const Card *c)
{
  const LsEvent *first = NULL;

  for (EACH_EVENT (c->lane, e))
    if (e->kind == LS_EVENT_KERNEL && e->op == c->op && (first == NULL || e->start_ns < first->start_ns))
      first = e;
  return first;
}

/* What the same op, by its symbol, took in the recording laid over this one; −1: it isn't there. */
static double
elsewhere (const Card *c)
{
  const LsViewData *other = c->p->layout->data->other;
  const guint side = c->lane == &c->p->layout->data->sides[1];
  double start, end;

  if (other == NULL || other->sides[side].index == NULL)
    return -1;
  if (c->picked == NULL)
    return ls_told_step_ns (&other->sides[side]);
  for (guint op = 0; op < other->recording->n_ops; op++)
    if (strcmp (other->recording->ops[op].symbol, c->p->layout->data->recording->ops[c->op].symbol) == 0
        && ls_told_op (&other->sides[side], ls_told_leader (&other->sides[side], op), &start, &end))
      return end - start;
  return -1;
}

/* The card's line with those words; NAN: it can't be judged. */
static double
truth (const Card *c, const char *label)
{
  const gboolean event = c->picked != NULL && c->op >= c->lane->index->n_ops,
                 op = c->picked != NULL && !event;
  const char *brief = c->across != NULL ? c->across->brief : NULL;
  double start = 0, end = 0;
  guint n;

  if (op && !ls_told_op (c->lane, c->op, &start, &end))
    return (double) NAN;
  if (event)
    {
      start = ls_told_since (c->lane, c->picked->start_ns);
      end = ls_told_since (c->lane, c->picked->end_ns);
    }
  if (strcmp (label, "step") == 0)
    return ls_told_step_ns (c->lane);
  if (strcmp (label, "starts") == 0)
    return start;
  if (strcmp (label, "runs") == 0)
    return end - start;
  if (strcmp (label, "tiles, in all") == 0)
    return sum (c, LS_EVENT_TILE, FALSE, &n);
  if (strcmp (label, "workers wait, in all") == 0)
    return sum (c, LS_EVENT_WAIT, op, &n);
  if (strcmp (label, "kernels, in all") == 0)
    return sum (c, LS_EVENT_KERNEL, FALSE, &n);
  if (strcmp (label, "copies, in all") == 0)
    return sum (c, LS_EVENT_COPY_IN, FALSE, &n) + sum (c, LS_EVENT_COPY_OUT, FALSE, &n);
  if (strcmp (label, "barriers") == 0)
    {
      sum (c, LS_EVENT_OP, FALSE, &n);
      return n;
    }
  if (strcmp (label, "events lost") == 0)
    return (double) c->lane->recorded->dropped;
  if (op && strcmp (label, "queued before") == 0)
    return kernel_of (c) != NULL ? queued (c, kernel_of (c)) : (double) NAN;
  if (event && strcmp (label, "queued before") == 0)
    return queued (c, c->picked);
  if (strcmp (label, "other recording") == 0)
    return elsewhere (c);
  if (op && strcmp (label, "times the other") == 0)
    return elsewhere (c) / (end - start);
  if (strcmp (label, "tiles") == 0 || strcmp (label, "work-groups") == 0)
    return pieces (c);
  if (op && (strcmp (label, "tile, median") == 0 || strcmp (label, "work-group, median") == 0))
    return median_piece (c);
  if (op && strcmp (label, "FLOPs") == 0)
    return flops (c);
  if (op && strcmp (label, "rate") == 0)
    return flops (c) / (end - start);
  if (event && strcmp (label, "bytes") == 0)
    return c->picked->tile;
  if (event && strcmp (label, "rate") == 0)
    return 1e9 * c->picked->tile / (end - start);
  if (op && brief != NULL && g_str_has_prefix (label, brief) && strstr (label, " done "))
    {
      const guint there = ls_told_leader (c->across, c->picked->op);
      const double later = op_end (c->across, there) - end;
      return strstr (label, "earlier") != NULL ? -later : later;
    }
  if (op && brief != NULL && g_str_has_prefix (label, "times ") && strcmp (label + 6, brief) == 0
      && ls_told_leader (c->across, c->op) == c->op)
    {
      /* where both lanes do the same with it */
      for (guint i = 0; i < c->lane->index->n_ops; i++)
        if ((ls_told_leader (c->lane, i) == c->op) != (ls_told_leader (c->across, i) == c->op))
          return (double) NAN;
      return ls_told_op_ns (c->across, c->op) / (end - start);
    }
  return (double) NAN;
}

static gboolean
open_card (const LsPicture *p, const LsItem *title, Card *card)
{
  const LsPick pick = p->layout->query.hover.side >= 0 ? p->layout->query.hover : p->layout->query.picked;
  const guint side = (guint) title->value;

  *card = (Card){ .p = p,
                  .lane = ls_told_lane (p, side),
                  .across = ls_told_lane (p, 1 - side),
                  .picked = pick.side >= 0 ? ls_layout_event (p->layout, pick) : NULL };
  if (card->lane == NULL || p->layout->data->recording == NULL)
    return FALSE;
  card->op = card->lane->index->n_ops;
  if (card->picked != NULL && card->picked->op < p->layout->data->recording->n_ops
      && card->picked->op < card->op)
    card->op = ls_told_leader (card->lane, card->picked->op);
  return TRUE;
}

static char *
cards_are_true (const LsPicture *p)
{
  const LsItem *label = NULL;
  gboolean inside = FALSE, opened = FALSE;
  Card card;

  for (guint i = 0; p->layout->view == &ls_view_timeline && i < p->layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->moving, i);

      if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_CARD && item->size == 9)
        {
          inside = TRUE;
          opened = FALSE;
        }
      if (!inside || item->kind != LS_ITEM_TEXT)
        continue;
      if (item->ink == LS_INK_LANE && item->value < LS_SIDES && !opened)
        opened = open_card (p, item, &card);
      if (opened && item->align == LS_RIGHT && label != NULL && label->ink == LS_INK_QUIET)
        {
          const gsize bytes = g_str_has_suffix (item->text, "B/s") ? strlen ("B/s") : 0;
          g_autofree char *text = g_strndup (item->text, strlen (item->text) - bytes);
          const char *at = text, *again = text;
          const double value = truth (&card, label->text);
          double low, high;

          if (isfinite (value)
              && (ls_told_number (&at, TRUE, &low, &high) || ls_told_number (&again, FALSE, &low, &high)))
            {
              ls_places_seen[LS_SEEN_CARD]++;
              if (value < low - 1e-6 * fabs (value) || value > high + 1e-6 * fabs (value))
                return g_strdup_printf ("the card of %s says “%s %s”, and it should be %.6g",
                                        card.lane->brief, label->text, item->text, value);
            }
        }
      label = item->align == LS_LEFT ? item : NULL;
    }
  return NULL;
}

const LsProperty ls_properties_of_cards[] = {
  { "a card’s numbers are those of the events", cards_are_true },
  { NULL, NULL },
};
