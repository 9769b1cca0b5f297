/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names beside a lane's column, with their times: those of the longest ops and waits, as many as have
 * room, pushed apart; in the hall those of the few longest, and brackets over what is between them.
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/scene/spread.h"
#include "ui/paint/data/typical.h"

#define HALL_NAMES 3   /* of the longest ops, in the hall; what is between them is a bracket */
#define HALL_LEAST .01 /* of the step: a bracket of less isn't named */

typedef struct {
  double y; /* of the box's middle, then of the label */
  double middle;
  double from, to; /* of a bracket; 0, 0: a line from the middle */
  gint64 ns, t0, t1;
  guint ops;           /* that it stands for; 0: a wait */
  gboolean differs;    /* the lanes were found to differ in it */
  char *name, *symbol; /* the symbol where the name is too long; NULL: none */
} Label;

static void
clear_label (gpointer data)
{
  g_free (((Label *) data)->name);
  g_free (((Label *) data)->symbol);
}

/* ", L, dZ₃": what this lane did together with the op, and the other one by itself. (transfer full) */
static char *
joined_ops (const LsRaceLane *r, guint op)
{
  const LsStepIndex *here = r->lane->index, *there = r->layout->data->sides[1 - r->side].index;
  GString *s = g_string_new (NULL);

  for (guint i = op + 1; there != NULL && i < MIN (here->n_ops, there->n_ops); i++)
    if (ls_step_index_leader (here, i) == op && ls_step_index_leader (there, i) == i)
      g_string_append_printf (s, ", %s", r->layout->data->recording->ops[i].symbol);
  return g_string_free (s, FALSE);
}

static char *
span_name (const LsRaceLane *r, const LsSpan *span)
{
  const LsRecordedOp *op;
  g_autofree char *joined = NULL;

  if (span->kind == LS_EVENT_COPY_IN)
    return g_strdup (_("copy to the device"));
  if (span->kind == LS_EVENT_COPY_OUT)
    return g_strdup (_("copy from the device"));
  op = &r->layout->data->recording->ops[span->op];
  joined = joined_ops (r, span->op);
  return g_strconcat (op->equation[0] ? op->equation : op->symbol, joined, NULL);
}

GArray *
ls_race_labels_new (void)
{
  GArray *labels = g_array_new (FALSE, TRUE, sizeof (Label));

  g_array_set_clear_func (labels, clear_label);
  return labels;
}

/* "28 time steps, h₁ … h₂₈", backwards "28 time steps, dz₂₈ … dz₁"; brief: "h₁ … h₂₈". (transfer full) */
static char *
chain_name (const LsRaceLane *r, const LsChain *chain, gboolean brief)
{
  const LsRecording *recording = r->layout->data->recording;
  const guint first = chain->back ? chain->begin[0] : chain->begin[1] - 1,
              last = chain->back ? chain->begin[chain->n_steps - 1] : chain->begin[chain->n_steps] - 1;

  if (brief)
    return g_strdup_printf ("%s … %s", recording->ops[first].symbol, recording->ops[last].symbol);
  /* Translators: "28 time steps, h₁ … h₂₈" */
  return g_strdup_printf (_("%u time steps, %s … %s"), chain->n_steps, recording->ops[first].symbol,
                          recording->ops[last].symbol);
}

/* Of one piece. */
static void
name_piece (const LsRaceLane *r, const LsRacePiece *piece, Label *label)
{
  const LsSpan *span = ls_race_span (r, piece->first);

  label->name = piece->chain != NULL ? chain_name (r, piece->chain, FALSE) : span_name (r, span);
  if (piece->chain != NULL)
    label->symbol = chain_name (r, piece->chain, TRUE);
  else if (span->kind == LS_EVENT_OP)
    {
      g_autofree char *joined = joined_ops (r, span->op);
      label->symbol = g_strconcat (r->layout->data->recording->ops[span->op].symbol, joined, NULL);
    }
  else
    label->symbol = g_strdup (_("copy"));
}

static gint64
piece_ns (const LsRaceLane *r, guint i)
{
  return ls_race_piece (r, i)->end_ns - ls_race_piece (r, i)->start_ns;
}

void
ls_race_label (const LsRaceLane *r, GArray *labels, guint first, guint n)
{
  const LsRacePiece *a = ls_race_piece (r, first), *b = ls_race_piece (r, first + n - 1);
  Label label = { .t0 = a->start_ns, .t1 = b->end_ns };

  for (guint i = first; i < first + n; i++)
    {
      label.ns = ls_ns_add (label.ns, piece_ns (r, i));
      label.ops += ls_race_piece (r, i)->n;
    }
  for (guint i = a->first; i < b->first + b->n; i++)
    label.differs |= ls_race_span (r, i)->kind == LS_EVENT_OP && r->layout->data->difference.side == r->side
                     && ls_stage_differs (r->layout, r->side, ls_race_span (r, i)->op);
  label.middle = label.y = (ls_race_y (r, a->start_ns) + ls_race_y (r, b->end_ns)) / 2;
  if (n == 1)
    name_piece (r, a, &label);
  else
    {
      label.symbol = g_strdup_printf (_("%u short"), label.ops);
      label.name = g_strdup_printf (_("%u short ops"), label.ops);
    }
  g_array_append_val (labels, label);
}

guint
ls_race_label_longest (const LsRaceLane *r, GArray *labels)
{
  const guint n = r->pieces->len;
  gint64 least[HALL_NAMES + 1] = { 0 };
  guint dropped = 0;

  for (guint i = 0; i < n; i++)
    {
      least[HALL_NAMES] = piece_ns (r, i);
      for (guint k = HALL_NAMES; k > 0 && least[k] > least[k - 1]; k--)
        {
          const gint64 shorter = least[k - 1];
          least[k - 1] = least[k];
          least[k] = shorter;
        }
    }
  for (guint i = 0, end; i < n; i = end)
    {
      for (end = i; end < n && piece_ns (r, end) < least[HALL_NAMES - 1]; end++)
        ;
      end = MAX (end, i + 1);
      ls_race_label (r, labels, i, end - i);
      Label *label = &g_array_index (labels, Label, labels->len - 1);
      if (end - i > 1 || ls_race_piece (r, i)->chain != NULL)
        {
          label->from = ls_race_y (r, ls_race_piece (r, i)->start_ns);
          label->to = ls_race_y (r, ls_race_piece (r, end - 1)->end_ns);
        }
      if ((double) label->ns >= HALL_LEAST * (double) r->lane->index->length_ns || label->differs)
        continue;
      dropped += label->ops;
      g_array_remove_index (labels, labels->len - 1);
    }
  return dropped;
}

static int
by_place_cb (gconstpointer a, gconstpointer b)
{
  const Label *x = a, *y = b;

  return (x->middle > y->middle) - (x->middle < y->middle);
}

/* Leaves the names of the `most` longest, and of what the lanes differ in; returns how many ops lost theirs.
 */
static guint
drop_labels (GArray *labels, guint most)
{
  guint dropped = 0;

  while (labels->len > most)
    {
      guint at = labels->len - 1;

      for (guint i = labels->len; i-- > 0;)
        {
          const Label *label = &g_array_index (labels, Label, i), *least = &g_array_index (labels, Label, at);
          if (label->differs != least->differs ? least->differs : label->ns < least->ns)
            at = i;
        }
      dropped += g_array_index (labels, Label, at).ops;
      g_array_remove_index (labels, at);
    }
  return dropped;
}

static void
spread_labels (GArray *labels, double pitch, double top, double bottom)
{
  g_autofree double *y = g_new (double, labels->len + 1);

  for (guint i = 0; i < labels->len; i++)
    y[i] = g_array_index (labels, Label, i).y;
  ls_spread (y, labels->len, pitch, top, bottom);
  for (guint i = 0; i < labels->len; i++)
    g_array_index (labels, Label, i).y = y[i];
}

static void
label_text (const LsRaceLane *r, double x, double y, LsAlign align, const Label *label, const char *text)
{
  const LsMetrics *m = &r->layout->m;
  const struct {
    LsWhen when;
    LsInk ink;
    int weight;
  } states[] = {
    { LS_WHEN_DONE, LS_INK_TEXT, 400 },
    { LS_WHEN_RUNNING, LS_INK_TEXT, 700 },
    { LS_WHEN_AHEAD, LS_INK_QUIET, 400 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      LsItem *item = ls_scene_text (r->layout->still, x, y, (LsType){ m->body.px, states[i].weight },
                                    states[i].ink, align, text);
      item->when = (guint8) states[i].when;
      item->t0 = label->t0;
      item->t1 = label->t1;
    }
}

/* Of the column of times: "0.000 µs", more where one has four decimals. */
static double
times_width (const LsRaceLane *r, const GArray *labels, gint64 longest)
{
  const LsType bold = { r->layout->m.body.px, 700 };
  double width = ls_scene_width (r->layout->still, bold, "0.000 µs");

  for (guint i = 0; i < labels->len; i++)
    {
      const char *unit;
      g_autofree char *number = ls_number_time_in ((double) g_array_index (labels, Label, i).ns,
                                                   (double) longest, &unit);
      g_autofree char *text = i == 0 ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);
      width = MAX (width, ls_scene_width (r->layout->still, bold, text));
    }
  return width;
}

static void
draw_labels (LsRaceLane *r, const GArray *labels, gint64 longest)
{
  const LsMetrics *m = &r->layout->m;
  const double sign = r->side == 0 ? -1 : 1, edge = r->side == 0 ? r->column.x : r->column.x + r->column.w;
  const double number_w = times_width (r, labels, longest);
  const double number_x = edge + sign * (9 * m->unit + 6 + (r->side == 0 ? 0 : number_w));
  const double name_x = edge + sign * (9 * m->unit + 6 + number_w + 14);
  const LsAlign outward = r->side == 0 ? LS_RIGHT : LS_LEFT;

  r->labels_end = name_x;
  r->labels_bottom = labels->len > 0 ? g_array_index (labels, Label, labels->len - 1).y + m->body.px : 0;
  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      const double y = label->y + m->body.px * .36, room = sign * (r->outer - name_x);
      const LsType bold = { m->body.px, 700 };
      const char *unit, *name;
      double width;
      g_autofree char *number = ls_number_time_in ((double) label->ns, (double) longest, &unit);
      g_autofree char *first = i == 0 ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);

      if (label->to - label->from > 8)
        {
          ls_scene_path (r->layout->still, LS_ITEM_LINE, LS_INK_QUIET, 0, 2);
          ls_scene_point (r->layout->still, edge + sign * 4, label->from + 1);
          ls_scene_point (r->layout->still, edge + sign * 2 * m->unit, label->from + 1);
          ls_scene_point (r->layout->still, edge + sign * 2 * m->unit, label->to - 1);
          ls_scene_point (r->layout->still, edge + sign * 4, label->to - 1);
        }
      ls_scene_path (r->layout->still, LS_ITEM_LINE, LS_INK_QUIET, 0, 1.2);
      ls_scene_point (r->layout->still, edge + sign * (label->to - label->from > 8 ? 2 * m->unit : 2),
                      label->middle);
      ls_scene_point (r->layout->still, edge + sign * 3 * m->unit, label->middle);
      ls_scene_point (r->layout->still, edge + sign * 7 * m->unit, label->y);
      ls_scene_point (r->layout->still, edge + sign * 9 * m->unit, label->y);
      label_text (r, number_x, y, LS_RIGHT, label, first);
      name = ls_scene_width (r->layout->still, bold, label->name) <= room ? label->name : label->symbol;
      width = name != NULL ? ls_scene_width (r->layout->still, bold, name) : 0;
      if (name == NULL || width > room)
        continue;
      label_text (r, name_x, y, outward, label, name);
      if (label->differs)
        {
          const double z = bold.px * .9;
          width += 8 + z;
          ls_scene_mark (r->layout->still, LS_ITEM_WARNING, sign > 0 ? name_x + width - z : name_x - width,
                         y - z, z, z, LS_INK_TEXT, 0);
        }
      r->labels_end = sign > 0 ? MAX (r->labels_end, name_x + width) : MIN (r->labels_end, name_x - width);
    }
}

void
ls_race_label_wait (const LsRaceLane *r, GArray *labels, gint64 from, gint64 to)
{
  Label label = { .ns = to - from, .t0 = from, .t1 = to };

  if ((double) (to - from) < LS_WAIT_WORTH * (double) r->lane->index->length_ns)
    return;
  label.middle = label.y = (ls_race_y (r, from) + ls_race_y (r, to)) / 2;
  label.name = g_strdup (ls_typical_wait (ls_race_recording (r), r->lane->index, from, to));
  label.symbol = g_strdup (_("wait"));
  g_array_append_val (labels, label);
}

guint
ls_race_labels (LsRaceLane *r, GArray *labels)
{
  const LsMetrics *m = &r->layout->m;
  const double pitch = MAX (m->body.px * 1.35, r->column.h > 400 ? 25 : 0);
  /* more names than a short column has room for would be a bundle of lines */
  const double own = ls_race_y (r, r->lane->index->length_ns) - r->column.y;
  gint64 longest = 1;
  guint dropped;

  g_array_sort (labels, by_place_cb);
  for (guint i = 0; i < labels->len; i++)
    longest = MAX (longest, g_array_index (labels, Label, i).ns);
  dropped = drop_labels (labels, (guint) MAX (1, MIN (r->column.h, MAX (own * 1.5, 10 * pitch)) / pitch));
  spread_labels (labels, pitch, r->column.y + pitch * .3, r->column.y + r->column.h);
  draw_labels (r, labels, longest);
  return dropped;
}
