/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane's ops as boxes on the clock, and what the step took in all below them. A layer's time steps, unless
 * they are open, and runs of ops too thin to see, become one block with a zig-zag foot and their number;
 * names that find no room are counted.
 */
#include "config.h"
#include "ui/paint/race/race.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/data/typical.h"

#define THIN 3.0 /* px: lower boxes are folded, if there are at least three in a row */

/* Spans, and time steps as one. */
static GArray *
pieces_new (const LsRaceLane *r)
{
  const LsRaceState *state = r->layout->query.state;
  GArray *pieces = g_array_new (FALSE, TRUE, sizeof (LsRacePiece));

  for (guint i = 0, end; i < r->lane->index->spans->len; i = end)
    {
      const LsSpan *span = ls_race_span (r, i);
      const LsChain *of = span->kind == LS_EVENT_OP ? ls_chain_of (r->chains, span->op, NULL) : NULL;
      const gboolean open = of != NULL && state != NULL
                            && ls_folds_open (&state->folds, ls_race_chain_number (r, of));
      const LsChain *chain = open ? NULL : of;
      LsRacePiece piece
        = { .first = i, .start_ns = span->start_ns, .chain = chain, .open = open ? of : NULL };
      for (end = i + 1; chain != NULL && end < r->lane->index->spans->len; end++)
        if (ls_race_span (r, end)->kind != LS_EVENT_OP
            || ls_chain_of (r->chains, ls_race_span (r, end)->op, NULL) != chain)
          break;
      piece.n = end - i;
      piece.end_ns = ls_race_span (r, end - 1)->end_ns;
      g_array_append_val (pieces, piece);
    }
  return pieces;
}

static gboolean
thin (const LsRaceLane *r, guint i)
{
  const LsRacePiece *piece = ls_race_piece (r, i);

  return ls_race_y (r, piece->end_ns) - ls_race_y (r, piece->start_ns) < THIN;
}

static void
add_box (const LsRaceLane *r, const LsRacePiece *piece)
{
  const LsSpan *span = ls_race_span (r, piece->first);
  const double y = ls_race_y (r, span->start_ns), h = MAX (1.5, ls_race_y (r, span->end_ns) - y - 1);
  const LsArea across = ls_race_across (r, piece);
  LsItem *item = ls_scene_box (r->layout->still, across.x, y, across.w, h, LS_INK_SOFT, r->side);

  item->side = (guint8) r->side;
  item->event = span->event;
  item->t0 = span->start_ns;
  item->t1 = span->end_ns;
  item->evidence = LS_EVIDENCE_MEASURED;
}

/* Several spans, with a zig-zag foot. */
static void
add_block (const LsRaceLane *r, const LsRacePiece *first, const LsRacePiece *last)
{
  const double y = ls_race_y (r, first->start_ns), foot = ls_race_y (r, last->end_ns),
               h = MAX (foot - y - 1, 4);
  const LsArea across = ls_race_across (r, first);
  LsItem *item = ls_scene_box (r->layout->still, across.x, y, across.w, h, LS_INK_SOFT, r->side);

  item->evidence = LS_EVIDENCE_MEASURED;
  ls_scene_mark (r->layout->still, LS_ITEM_ZIGZAG, across.x, MAX (foot, y + 5) - 5, across.w, 4,
                 LS_INK_WINDOW, 0);
  if (first == last)
    ls_folds_slot (r->layout, r->side, ls_race_chain_number (r, first->chain),
                   (LsArea){ across.x, y, across.w, h });
}

/* Along the open ones, at the inner edge. */
static void
draw_open (const LsRaceLane *r)
{
  const double x = r->side == 0 ? r->column.x + r->column.w - LS_RACE_OPEN / 2
                                : r->column.x + LS_RACE_OPEN / 2;

  for (guint i = 0, end; i < r->pieces->len; i = end)
    {
      const LsChain *open = ls_race_piece (r, i)->open;

      for (end = i + 1; open != NULL && end < r->pieces->len && ls_race_piece (r, end)->open == open; end++)
        ;
      if (open == NULL)
        continue;
      const double y = ls_race_y (r, ls_race_piece (r, i)->start_ns),
                   foot = ls_race_y (r, ls_race_piece (r, end - 1)->end_ns) - 1;
      ls_scene_box (r->layout->still, x - 2, y, 4, MAX (foot - y, 4), LS_INK_QUIET, 0);
      ls_folds_slot (r->layout, r->side, ls_race_chain_number (r, open),
                     (LsArea){ x - LS_RACE_OPEN / 2, y, LS_RACE_OPEN, MAX (foot - y, 4) });
    }
}

/* Boxes, or blocks of folded ones; the labels that they want, unless NULL. */
static void
draw_boxes (const LsRaceLane *r, GArray *labels)
{
  const guint n = r->pieces->len;

  for (guint i = 0, end; i < n; i = end)
    {
      for (end = i; end < n && thin (r, end) && ls_race_piece (r, end)->open == ls_race_piece (r, i)->open;
           end++)
        ;
      if (end - i < 3)
        end = i + 1;
      if (end - i > 1 || ls_race_piece (r, i)->chain != NULL)
        add_block (r, ls_race_piece (r, i), ls_race_piece (r, end - 1));
      else
        add_box (r, ls_race_piece (r, i));
      if (labels != NULL)
        ls_race_label (r, labels, i, end - i);
    }
}

/* Labels them, too. */
static void
count_gaps (const LsRaceLane *r, GArray *labels, guint *gaps, gint64 *gaps_ns)
{
  const LsStepIndex *index = r->lane->index;
  gint64 until = 0;

  *gaps = 0;
  *gaps_ns = 0;
  for (guint i = 0; i <= index->spans->len; i++)
    {
      const gint64 start = i < index->spans->len ? ls_race_span (r, i)->start_ns : index->length_ns;
      if (start > until)
        {
          *gaps_ns += start - until;
          (*gaps)++;
          ls_race_label_wait (r, labels, until, start);
        }
      until = i < index->spans->len ? MAX (until, ls_race_span (r, i)->end_ns) : until;
    }
}

/* How far words below the column may reach beyond it on the labels' side. */
static double
foot_out (const LsRaceLane *r)
{
  return 5 * r->layout->m.unit;
}

/* Where words of that width begin: in the column's middle, or further out, so that they end where it does on
 * the other side, where the time runs; wider ones reach beyond it there. */
static double
foot_left (const LsRaceLane *r, double w)
{
  const double x = r->column.x, out = foot_out (r), left = x + (r->column.w - w) / 2;

  return r->side == 0 ? MIN (left, MAX (x + r->column.w - w, x - out))
                      : MAX (left, MIN (x, x + r->column.w + out - w));
}

/* "this step 533 µs · median 541 µs" on one line or two, where two have room. Returns the last baseline. */
static double
step_words (const LsRaceLane *r, double y, double room)
{
  const LsMetrics *m = &r->layout->m;
  const double median_ns = ls_typical_median_ns (r->layout->data, r->side);
  const gboolean cut = ls_typical_lane (r->layout->data, r->side) == LS_STEP_INTERRUPTED;
  const LsType plain = { m->strong.px, 400 };
  LsScene *s = r->layout->still;
  g_autofree char *length = ls_number_time ((double) r->lane->index->length_ns),
                  *median = ls_number_time (median_ns);
  g_autofree char *first = g_strdup_printf (cut ? _("interrupted: %s") : _("this step %s"), length);
  const double recorded_ns = ls_typical_recorded_ns (r->layout->data, r->layout->data->op_times, r->side);
  g_autofree char *recorded = ls_number_time (recorded_ns);
  g_autofree char *second = recorded_ns > 0 ? g_strdup_printf (_("median %s, recorded %s"), median, recorded)
                            : median_ns > 0 ? g_strdup_printf (_("median %s"), median)
                                            : g_strdup (_("no median yet"));
  const char *between = cut ? ", " : " · ";
  const double mark = m->evidence + 6;
  if (mark + ls_scene_width (s, m->strong, first) > room)
    {
      g_free (first);
      first = g_strdup (length);
    }
  const double first_w = ls_scene_width (s, m->strong, first);
  const double all = mark + first_w + ls_scene_width (s, plain, between) + ls_scene_width (s, plain, second);
  const gboolean one_line = all <= r->column.w + foot_out (r); /* none of it where the time runs */
  const double left = foot_left (r, one_line ? all : mark + first_w);

  ls_scene_evidence (s, left, y - m->strong.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_MEASURED,
                     LS_INK_QUIET);
  LsItem *item = ls_scene_text (s, left + mark, y, m->strong, LS_INK_LANE, LS_LEFT, first);
  item->value = (float) r->side;
  ls_item_number (item, (gint) r->side, LS_NUMBER_STEP_TIME);
  if (one_line)
    {
      g_autofree char *rest = g_strconcat (between, second, NULL);
      ls_scene_text (s, left + mark + first_w, y, plain, LS_INK_TEXT, LS_LEFT, rest);
      return y;
    }
  if (y + m->strong.px * (1.3 + LS_DESCENT) > r->bottom)
    return y;
  if (recorded_ns > 0 && ls_scene_width (s, plain, second) > room)
    {
      g_free (second);
      second = g_strdup_printf (_("median %s"), median);
    }
  ls_scene_text (s, foot_left (r, ls_scene_width (s, plain, second)), y + m->strong.px * 1.3, plain,
                 LS_INK_TEXT, LS_LEFT, second);
  return y + m->strong.px * 1.3;
}

static void
draw_foot (const LsRaceLane *r, guint dropped, guint gaps, gint64 gaps_ns)
{
  const LsMetrics *m = &r->layout->m;
  const double y = ls_race_y (r, r->lane->index->length_ns);
  const double room = r->column.w + 2 * foot_out (r);
  const LsStepKind kind = ls_typical_lane (r->layout->data, r->side);
  char *lines[3] = { NULL, NULL, NULL };
  g_autofree char *time = ls_number_time ((double) gaps_ns);
  guint n = 0;
  double line_y;

  if (kind == LS_STEP_INTERRUPTED)
    lines[n++] = ls_typical_why (ls_race_recording (r), r->lane->index);
  lines[n++] = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u gap: %s", "%u gaps: %s in all", gaps), gaps,
                                time);
  if (dropped > 0)
    lines[n++] = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u short op not named", "%u short ops not named", dropped), dropped);
  ls_scene_box (r->layout->still, r->column.x, y, r->column.w, 3, LS_INK_TEXT, 0);
  line_y = step_words (r, y + m->strong.px * 1.5, room);
  for (guint i = 0; i < n; i++)
    {
      const double next = line_y + m->label.px * 1.4,
                   w = ls_scene_width (r->layout->still, m->label, lines[i]);
      if (next + m->label.px * LS_DESCENT <= r->bottom && w <= room)
        {
          ls_scene_text (r->layout->still, foot_left (r, w), next, m->label, LS_INK_QUIET, LS_LEFT, lines[i]);
          line_y = next;
        }
      g_free (lines[i]);
    }
}

void
ls_race_column (LsRaceLane *r)
{
  const gboolean hall = r->layout->m.projector;
  g_autoptr (GArray) labels = ls_race_labels_new ();
  gint64 gaps_ns;
  guint dropped, gaps;

  r->drawn = TRUE;
  r->pieces = pieces_new (r);
  ls_scene_box (r->layout->still, r->column.x, r->column.y, r->column.w,
                ls_race_y (r, r->lane->index->length_ns) - r->column.y, LS_INK_TRACK, 0);
  draw_boxes (r, hall ? NULL : labels);
  draw_open (r);
  dropped = hall ? ls_race_label_longest (r, labels) : 0;
  count_gaps (r, labels, &gaps, &gaps_ns);
  dropped += ls_race_labels (r, labels);
  draw_foot (r, dropped, gaps, gaps_ns);
}
