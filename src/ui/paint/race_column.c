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
#include "ui/paint/typical.h"

#define THIN 3.0   /* px: lower boxes are folded, if there are at least three in a row */
#define HALL_NAMES 3    /* of the longest ops, in the hall; what is between them is a bracket */
#define HALL_LEAST .01  /* of the step: a bracket of less isn't named */

typedef struct {
  double y;               /* of the box's middle, then of the label */
  double middle;
  double from, to;        /* of a bracket; 0, 0: a line from the middle */
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

/* A lane that stopped keeps a step of its own. */
static const LsRecording *
recording_of (const LsRaceLane *r)
{
  return r->lane->held != NULL ? r->lane->held : r->layout->data->recording;
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

/* The hall reads the longest ops; the others between them are counted and summed up. Returns how many aren't named at all. */
static guint
hall_labels (const LsRaceLane *r, GArray *labels)
{
  const guint n = r->lane->index->spans->len;
  gint64 least[HALL_NAMES + 1] = { 0 };
  guint dropped = 0;

  for (guint i = 0; i < n; i++)
    {
      least[HALL_NAMES] = span_at (r, i)->end_ns - span_at (r, i)->start_ns;
      for (guint k = HALL_NAMES; k > 0 && least[k] > least[k - 1]; k--)
        {
          const gint64 shorter = least[k - 1];
          least[k - 1] = least[k];
          least[k] = shorter;
        }
    }
  for (guint i = 0, end; i < n; i = end)
    {
      for (end = i; end < n && span_at (r, end)->end_ns - span_at (r, end)->start_ns < least[HALL_NAMES - 1]; end++)
        ;
      end = MAX (end, i + 1);
      add_label (r, labels, i, end - i);
      Label *label = &g_array_index (labels, Label, labels->len - 1);
      if (end - i > 1)
        {
          label->from = ls_race_y (r, span_at (r, i)->start_ns);
          label->to = ls_race_y (r, span_at (r, end - 1)->end_ns);
        }
      if ((double) label->ns >= HALL_LEAST * (double) r->lane->index->length_ns || label->differs)
        continue;
      dropped += end - i;
      g_array_remove_index (labels, labels->len - 1);
    }
  return dropped;
}

/* Boxes, or blocks of folded ones; the labels that they want, unless NULL. */
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
          if (labels != NULL)
            add_label (r, labels, i, 1);
          continue;
        }
      const double y = ls_race_y (r, span_at (r, i)->start_ns), foot = ls_race_y (r, span_at (r, end - 1)->end_ns);
      LsItem *item = ls_scene_box (r->layout->still, r->column.x, y, r->column.w, MAX (foot - y - 1, 4), LS_INK_SOFT, r->side);
      item->evidence = LS_EVIDENCE_MEASURED;
      ls_scene_mark (r->layout->still, LS_ITEM_ZIGZAG, r->column.x, MAX (foot, y + 5) - 5, r->column.w, 4, LS_INK_WINDOW, 0);
      if (labels != NULL)
        add_label (r, labels, i, end - i);
    }
}

static int
shorter_first_cb (const void *a, const void *b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static int
by_place_cb (gconstpointer a, gconstpointer b)
{
  const Label *x = a, *y = b;

  return (x->middle > y->middle) - (x->middle < y->middle);
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
      ls_scene_point (r->layout->still, edge + sign * (label->to - label->from > 8 ? 2 * m->unit : 2), label->middle);
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

/* A wait that is long enough to ask why gets a label, too. */
static void
label_wait (const LsRaceLane *r, GArray *labels, gint64 from, gint64 to)
{
  Label label = { .ns = to - from, .t0 = from, .t1 = to };

  if ((double) (to - from) < LS_WAIT_WORTH * (double) r->lane->index->length_ns)
    return;
  label.middle = label.y = (ls_race_y (r, from) + ls_race_y (r, to)) / 2;
  label.name = g_strdup (ls_typical_wait (recording_of (r), r->lane->index, from, to));
  label.symbol = g_strdup (_("wait"));
  g_array_append_val (labels, label);
}

static void
count_gaps (const LsRaceLane *r, GArray *labels, guint *gaps, gint64 *gaps_ns)
{
  const LsStepIndex *index = r->lane->index;
  gint64 until = 0;

  *gaps = 0;
  *gaps_ns = 0;
  for (guint i = 0; i <= index->spans->len; i++)
    {
      const gint64 start = i < index->spans->len ? span_at (r, i)->start_ns : index->length_ns;
      if (start > until)
        {
          *gaps_ns += start - until;
          (*gaps)++;
          if (labels != NULL)
            label_wait (r, labels, until, start);
        }
      until = i < index->spans->len ? MAX (until, span_at (r, i)->end_ns) : until;
    }
}

/* "this step 533 µs · median 541 µs" on one line or two; what kind of step it was. Returns the last baseline. */
static double
step_words (const LsRaceLane *r, double y, double room)
{
  const LsMetrics *m = &r->layout->m;
  const double x = r->column.x + r->column.w / 2, median_ns = ls_typical_median_ns (r->layout->data, r->side);
  const gboolean cut = ls_typical_lane (r->layout->data, r->side) == LS_STEP_INTERRUPTED;
  const LsType plain = { m->strong.px, 400 };
  LsScene *s = r->layout->still;
  g_autofree char *length = ls_number_time ((double) r->lane->index->length_ns), *median = ls_number_time (median_ns);
  g_autofree char *first = g_strdup_printf (cut ? _("interrupted: %s") : _("this step %s"), length);
  g_autofree char *second = median_ns > 0 ? g_strdup_printf (_("median %s"), median) : g_strdup (_("no median yet"));
  const char *between = cut ? ", " : " · ";
  const double mark = m->evidence + 6;
  if (mark + ls_scene_width (s, m->strong, first) > room)
    {
      g_free (first);
      first = g_strdup (length);
    }
  const double first_w = ls_scene_width (s, m->strong, first);
  const double all = mark + first_w + ls_scene_width (s, plain, between) + ls_scene_width (s, plain, second);
  const double left = all <= room ? x - all / 2 : x - (mark + first_w) / 2;

  ls_scene_evidence (s, left, y - m->strong.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED, LS_INK_QUIET);
  LsItem *item = ls_scene_text (s, left + mark, y, m->strong, LS_INK_LANE, LS_LEFT, first);
  item->value = (float) r->side;
  ls_item_number (item, (gint) r->side, LS_NUMBER_STEP_TIME);
  if (all <= room)
    {
      g_autofree char *rest = g_strconcat (between, second, NULL);
      ls_scene_text (s, left + mark + first_w, y, plain, LS_INK_TEXT, LS_LEFT, rest);
      return y;
    }
  ls_scene_text (s, x, y + m->strong.px * 1.3, plain, LS_INK_TEXT, LS_CENTER, second);
  return y + m->strong.px * 1.3;
}

static void
draw_foot (const LsRaceLane *r, guint dropped)
{
  const LsMetrics *m = &r->layout->m;
  const double y = ls_race_y (r, r->lane->index->length_ns), x = r->column.x + r->column.w / 2;
  const double room = r->column.w + 18 * m->unit; /* the labels' lines begin there */
  const LsStepKind kind = ls_typical_lane (r->layout->data, r->side);
  char *lines[3] = { NULL, NULL, NULL };
  guint gaps, n = 0;
  gint64 gaps_ns;
  double line_y;

  count_gaps (r, NULL, &gaps, &gaps_ns);
  g_autofree char *time = ls_number_time ((double) gaps_ns);
  if (kind == LS_STEP_INTERRUPTED)
    lines[n++] = ls_typical_why (recording_of (r), r->lane->index);
  lines[n++] = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u gap: %s", "%u gaps: %s in all", gaps), gaps, time);
  if (dropped > 0)
    lines[n++] = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u short op not named", "%u short ops not named", dropped), dropped);
  ls_scene_box (r->layout->still, r->column.x, y, r->column.w, 3, LS_INK_TEXT, 0);
  line_y = step_words (r, y + m->strong.px * 1.5, r->column.w + 10 * m->unit);
  for (guint i = 0; i < n; i++)
    {
      const double next = line_y + m->label.px * 1.4;
      if (next + m->label.px * LS_DESCENT <= r->bottom && ls_scene_width (r->layout->still, m->label, lines[i]) <= room)
        {
          ls_scene_text (r->layout->still, x, next, m->label, LS_INK_QUIET, LS_CENTER, lines[i]);
          line_y = next;
        }
      g_free (lines[i]);
    }
}

void
ls_race_column (LsRaceLane *r)
{
  const LsMetrics *m = &r->layout->m;
  const double pitch = MAX (m->body.px * 1.35, r->column.h > 400 ? 25 : 0);
  g_autoptr (GArray) labels = g_array_new (FALSE, TRUE, sizeof (Label));
  gint64 longest = 1, gaps_ns;
  guint dropped, gaps;

  r->drawn = TRUE;
  g_array_set_clear_func (labels, clear_label);
  ls_scene_box (r->layout->still, r->column.x, r->column.y, r->column.w, ls_race_y (r, r->lane->index->length_ns) - r->column.y,
                LS_INK_TRACK, 0);
  draw_boxes (r, m->projector ? NULL : labels);
  dropped = m->projector ? hall_labels (r, labels) : 0;
  count_gaps (r, labels, &gaps, &gaps_ns);
  g_array_sort (labels, by_place_cb);
  for (guint i = 0; i < labels->len; i++)
    longest = MAX (longest, g_array_index (labels, Label, i).ns);
  /* more names than a short column has room for would be a bundle of lines */
  const double own = ls_race_y (r, r->lane->index->length_ns) - r->column.y;
  dropped += drop_labels (labels, (guint) MAX (1, MIN (r->column.h, MAX (own * 1.5, 10 * pitch)) / pitch));
  spread_labels (labels, pitch, r->column.y + pitch * .3, r->column.y + r->column.h);
  draw_labels (r, labels, longest);
  draw_foot (r, dropped);
}
