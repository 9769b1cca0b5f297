/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane's ops as boxes on the clock, and their names pushed apart beside them. Runs of ops too thin to see become one block
 * with a zig-zag foot and their number; names that find no room are counted.
 */
#include "config.h"
#include "ui/paint/race.h"

#include <math.h>
#include <stdlib.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"
#include "ui/paint/spread.h"

#define THIN 3.0   /* px: lower boxes are folded, if there are at least three in a row */

typedef struct {
  double y;               /* of the box's middle, then of the label */
  double middle;
  gint64 ns, t0, t1;
  gboolean differs;       /* the lanes were found to differ in it */
  char *name, *symbol;    /* the symbol where the name is too long; NULL: none */
} Label;

static void
clear_label (gpointer data)
{
  g_free (((Label *) data)->name);
  g_free (((Label *) data)->symbol);
}

static const LsSpan *
span_at (const LsRaceLane *r, guint i)
{
  return &g_array_index (r->lane->index->spans, LsSpan, i);
}

static gboolean
thin (const LsRaceLane *r, guint i)
{
  const LsSpan *span = span_at (r, i);

  return ls_race_y (r, span->end_ns) - ls_race_y (r, span->start_ns) < THIN;
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

static void
add_box (const LsRaceLane *r, guint i)
{
  const LsSpan *span = span_at (r, i);
  const double y = ls_race_y (r, span->start_ns), h = MAX (1.5, ls_race_y (r, span->end_ns) - y - 1);
  LsItem *item = ls_scene_box (r->layout->still, r->column.x, y, r->column.w, h, LS_INK_SOFT, r->side);

  item->side = (guint8) r->side;
  item->event = span->event;
  item->t0 = span->start_ns;
  item->t1 = span->end_ns;
  item->evidence = LS_EVIDENCE_MEASURED;
}

static void
add_label (const LsRaceLane *r, GArray *labels, guint first, guint n)
{
  const LsSpan *a = span_at (r, first), *b = span_at (r, first + n - 1);
  Label label = { .t0 = a->start_ns, .t1 = b->end_ns };

  for (guint i = first; i < first + n; i++)
    {
      label.ns += span_at (r, i)->end_ns - span_at (r, i)->start_ns;
      label.differs |= span_at (r, i)->kind == LS_EVENT_OP && r->layout->data->difference.side == r->side
                       && ls_stage_differs (r->layout, r->side, span_at (r, i)->op);
    }
  label.middle = label.y = (ls_race_y (r, a->start_ns) + ls_race_y (r, b->end_ns)) / 2;
  if (n == 1 && a->kind == LS_EVENT_OP)
    {
      g_autofree char *joined = joined_ops (r, a->op);
      label.symbol = g_strconcat (r->layout->data->recording->ops[a->op].symbol, joined, NULL);
    }
  else if (n == 1)
    label.symbol = g_strdup (_("copy"));
  else
    label.symbol = g_strdup_printf (_("%u short"), n);
  label.name = n == 1 ? span_name (r, a) : g_strdup_printf (_("%u short ops"), n);
  g_array_append_val (labels, label);
}

/* Boxes, or blocks of folded ones; the labels that they want. */
static void
draw_boxes (const LsRaceLane *r, GArray *labels)
{
  const guint n = r->lane->index->spans->len;

  for (guint i = 0, end; i < n; i = end)
    {
      for (end = i; end < n && thin (r, end); end++)
        ;
      if (end - i < 3)
        {
          end = i + 1;
          add_box (r, i);
          add_label (r, labels, i, 1);
          continue;
        }
      const double y = ls_race_y (r, span_at (r, i)->start_ns), foot = ls_race_y (r, span_at (r, end - 1)->end_ns);
      LsItem *item = ls_scene_box (r->layout->still, r->column.x, y, r->column.w, MAX (foot - y - 1, 4), LS_INK_SOFT, r->side);
      item->evidence = LS_EVIDENCE_MEASURED;
      ls_scene_mark (r->layout->still, LS_ITEM_ZIGZAG, r->column.x, MAX (foot, y + 5) - 5, r->column.w, 4, LS_INK_WINDOW, 0);
      add_label (r, labels, i, end - i);
    }
}

static int
shorter_first_cb (const void *a, const void *b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* Leaves the names of the `most` longest; returns how many were dropped. */
static guint
drop_labels (GArray *labels, guint most)
{
  g_autofree gint64 *times = g_new (gint64, labels->len + 1);
  guint dropped = 0;
  gint64 least;

  if (labels->len <= most)
    return 0;
  for (guint i = 0; i < labels->len; i++)
    times[i] = g_array_index (labels, Label, i).ns;
  qsort (times, labels->len, sizeof *times, shorter_first_cb);
  least = times[labels->len - most];
  for (guint i = 0; i < labels->len;)
    if (g_array_index (labels, Label, i).differs)
      i++;
    else if (g_array_index (labels, Label, i).ns < least || labels->len - i > most + labels->len)
      {
        g_array_remove_index (labels, i);
        dropped++;
      }
    else
      i++;
  while (labels->len > most)
    {
      g_array_remove_index (labels, labels->len - 1);
      dropped++;
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
  const struct { LsWhen when; LsInk ink; int weight; } states[] = {
    { LS_WHEN_DONE, LS_INK_TEXT, 400 }, { LS_WHEN_RUNNING, LS_INK_TEXT, 700 }, { LS_WHEN_AHEAD, LS_INK_QUIET, 400 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      LsItem *item = ls_scene_text (r->layout->still, x, y, (LsType){ m->body.px, states[i].weight }, states[i].ink, align, text);
      item->when = (guint8) states[i].when;
      item->t0 = label->t0;
      item->t1 = label->t1;
    }
}

static void
draw_labels (LsRaceLane *r, GArray *labels, gint64 longest)
{
  const LsMetrics *m = &r->layout->m;
  const double sign = r->side == 0 ? -1 : 1, edge = r->side == 0 ? r->column.x : r->column.x + r->column.w;
  const double number_w = ls_scene_width (r->layout->still, (LsType){ m->body.px, 700 }, "0.000 µs");
  const double number_x = edge + sign * (9 * m->unit + 6 + (r->side == 0 ? 0 : number_w));
  const double name_x = edge + sign * (9 * m->unit + 6 + number_w + 14);
  const LsAlign outward = r->side == 0 ? LS_RIGHT : LS_LEFT;

  r->labels_end = name_x;
  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      const double y = label->y + m->body.px * .36, room = sign * (r->outer - name_x);
      const LsType bold = { m->body.px, 700 };
      const char *unit, *name;
      double width;
      g_autofree char *number = ls_number_time_in ((double) label->ns, (double) longest, &unit);
      g_autofree char *first = i == 0 ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);

      ls_scene_path (r->layout->still, LS_ITEM_LINE, LS_INK_QUIET, 0, 1.2);
      ls_scene_point (r->layout->still, edge + sign * 2, label->middle);
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
          ls_scene_mark (r->layout->still, LS_ITEM_WARNING, sign > 0 ? name_x + width - z : name_x - width, y - z, z, z, LS_INK_TEXT, 0);
        }
      r->labels_end = sign > 0 ? MAX (r->labels_end, name_x + width) : MIN (r->labels_end, name_x - width);
    }
}

static void
draw_foot (const LsRaceLane *r, guint dropped)
{
  const LsMetrics *m = &r->layout->m;
  const LsStepIndex *index = r->lane->index;
  const double y = ls_race_y (r, index->length_ns), x = r->column.x + r->column.w / 2;
  g_autofree char *length = ls_number_time ((double) index->length_ns);
  g_autofree char *done = g_strdup_printf (_("step done at %s"), length);
  gint64 gaps_ns = 0, until = 0;
  guint gaps = 0;

  for (guint i = 0; i < index->spans->len; i++)
    {
      const LsSpan *span = span_at (r, i);
      if (span->start_ns > until)
        {
          gaps_ns += span->start_ns - until;
          gaps++;
        }
      until = MAX (until, span->end_ns);
    }
  if (index->length_ns > until)
    {
      gaps_ns += index->length_ns - until;
      gaps++;
    }
  g_autofree char *time = ls_number_time ((double) gaps_ns);
  g_autofree char *words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u gap: %s", "%u gaps: %s in all", gaps), gaps, time);
  g_autofree char *more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u short op not named", "%u short ops not named", dropped), dropped);
  const double room = r->column.w + 12 * m->unit, first = y + m->strong.px * 1.5, second = first + m->label.px * 1.4;

  ls_scene_box (r->layout->still, r->column.x, y, r->column.w, 3, LS_INK_TEXT, 0);
  if (ls_scene_width (r->layout->still, m->strong, done) <= room)
    ls_scene_text (r->layout->still, x, first, m->strong, LS_INK_TEXT, LS_CENTER, done);
  else
    ls_scene_text (r->layout->still, x, first, m->strong, LS_INK_TEXT, LS_CENTER, length);
  if (ls_scene_width (r->layout->still, m->label, words) <= room)
    ls_scene_text (r->layout->still, x, second, m->label, LS_INK_QUIET, LS_CENTER, words);
  if (dropped > 0 && ls_scene_width (r->layout->still, m->label, more) <= room)
    ls_scene_text (r->layout->still, x, second + m->label.px * 1.4, m->label, LS_INK_QUIET, LS_CENTER, more);
}

void
ls_race_column (LsRaceLane *r)
{
  const LsMetrics *m = &r->layout->m;
  const double pitch = MAX (m->body.px * 1.35, r->column.h > 400 ? 25 : 0);
  g_autoptr (GArray) labels = g_array_new (FALSE, TRUE, sizeof (Label));
  gint64 longest = 1;
  guint dropped;

  r->drawn = TRUE;
  g_array_set_clear_func (labels, clear_label);
  ls_scene_box (r->layout->still, r->column.x, r->column.y, r->column.w, ls_race_y (r, r->lane->index->length_ns) - r->column.y,
                LS_INK_TRACK, 0);
  draw_boxes (r, labels);
  for (guint i = 0; i < labels->len; i++)
    longest = MAX (longest, g_array_index (labels, Label, i).ns);
  /* more names than a short column has room for would be a bundle of lines */
  const double own = ls_race_y (r, r->lane->index->length_ns) - r->column.y;
  dropped = drop_labels (labels, (guint) MAX (1, MIN (r->column.h, MAX (own * 1.5, 10 * pitch)) / pitch));
  spread_labels (labels, pitch, r->column.y + pitch * .3, r->column.y + r->column.h);
  draw_labels (r, labels, longest);
  draw_foot (r, dropped);
}
