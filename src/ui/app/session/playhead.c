/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A moment is an op (`at`) and a time on the view's clock. On the step's clock the time decides which op that
 * is: the last one that had begun. On the op's clock the ops follow each other, each from its own start,
 * without the gaps between them.
 *
 * The dial never lies: while a finished op is held so that it can be seen, machine time goes on, and the ops
 * that pass meanwhile are counted and left out. The next one that is shown begins at its beginning.
 */
#include "ui/app/session/playhead.h"

#include <math.h>

#include "ui/paint/parts/ribbon.h"

#define LONGEST_GAP_S    1.0
#define STEP_ON_SCREEN_S 10
#define SHORT_PARTS      100 /* an op that takes less than so many parts of the step is passed over */

static const LsPlayheadOp *
op_at (const LsPlayhead *playhead, guint at)
{
  return &g_array_index (playhead->ops, LsPlayheadOp, at);
}

static gboolean
is_empty (const LsPlayhead *playhead)
{
  return playhead->ops->len == 0 && playhead->step_ns == 0;
}

void
ls_playhead_init (LsPlayhead *playhead)
{
  *playhead = (LsPlayhead){ .dial_ns = ls_dial_ns (ls_dial_for_step (0)),
                            .ops = g_array_new (FALSE, TRUE, sizeof (LsPlayheadOp)) };
}

void
ls_playhead_clear (LsPlayhead *playhead)
{
  g_clear_pointer (&playhead->ops, g_array_unref);
}

gint64
ls_playhead_span (const LsPlayhead *playhead)
{
  if (playhead->own)
    return playhead->own_ns;
  if (!playhead->by_op)
    return playhead->step_ns;
  return playhead->ops->len > 0 ? op_at (playhead, playhead->at)->span_ns : 0;
}

guint
ls_playhead_op (const LsPlayhead *playhead)
{
  return playhead->ops->len > 0 ? op_at (playhead, playhead->at)->op : 0;
}

gboolean
ls_playhead_at_end (const LsPlayhead *playhead)
{
  return playhead->time_ns >= ls_playhead_span (playhead)
         && (playhead->own || !playhead->by_op || playhead->at + 1 >= playhead->ops->len);
}

static gboolean
at_start (const LsPlayhead *playhead)
{
  return playhead->time_ns == 0 && (playhead->own || !playhead->by_op || playhead->at == 0);
}

/* The last op that had begun by then, on the step's clock. */
static guint
find_at (const LsPlayhead *playhead, gint64 time_ns)
{
  for (guint i = playhead->ops->len; i-- > 1;)
    if (op_at (playhead, i)->start_ns <= time_ns)
      return i;
  return 0;
}

/* The last op of the list that isn't after `op` in the plan. */
static guint
find_op (const LsPlayhead *playhead, guint op)
{
  for (guint i = playhead->ops->len; i-- > 1;)
    if (op_at (playhead, i)->op <= op)
      return i;
  return 0;
}

static void
place (LsPlayhead *playhead, guint at, gint64 time_ns)
{
  playhead->at = at;
  playhead->time_ns = CLAMP (time_ns, 0, ls_playhead_span (playhead));
  playhead->rest_ns = 0;
  playhead->held_s = 0;
  playhead->skipped = 0;
}

static void
place_at_edge (LsPlayhead *playhead, int direction)
{
  if (playhead->own)
    place (playhead, playhead->at, direction < 0 ? 0 : G_MAXINT64);
  else
    place (playhead, direction < 0 || playhead->ops->len == 0 ? 0 : playhead->ops->len - 1,
           direction < 0 ? 0 : G_MAXINT64);
}

static gint64
beginning_of (const LsPlayhead *playhead, guint at)
{
  return playhead->by_op || playhead->ops->len == 0 ? 0 : op_at (playhead, at)->start_ns;
}

/* ---- another step ---- */

static gboolean
collect_op (const LsViewData *data, guint op, LsPlayheadOp *collected)
{
  gboolean ran = FALSE;

  *collected = (LsPlayheadOp){ .op = op };
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      const LsOpTrace *trace = index != NULL ? &index->ops[op] : NULL;

      if (trace == NULL || !trace->ran)
        continue;
      /* a device's clock, mapped onto the host's, may say that it began a little before the step */
      collected->start_ns = ran ? MIN (collected->start_ns, MAX (trace->start_ns, 0))
                                : MAX (trace->start_ns, 0);
      collected->end_ns = MAX (collected->end_ns, trace->end_ns);
      collected->span_ns = MAX (collected->span_ns, trace->end_ns - trace->start_ns);
      collected->sum_ns += trace->end_ns - trace->start_ns;
      ran = TRUE;
    }
  return ls_ribbon_has (data, op);
}

static GArray *
collect_ops (const LsViewData *data, gint64 *step_ns)
{
  GArray *ops = g_array_new (FALSE, TRUE, sizeof (LsPlayheadOp));

  *step_ns = 0;
  if (data == NULL || data->recording == NULL)
    return ops;
  for (guint side = 0; side < LS_SIDES; side++)
    if (data->sides[side].index != NULL)
      *step_ns = MAX (*step_ns, data->sides[side].index->length_ns);
  for (guint op = 0; op < data->recording->n_ops; op++)
    {
      LsPlayheadOp collected;

      if (!collect_op (data, op, &collected))
        continue;
      *step_ns = MAX (*step_ns, collected.start_ns + collected.span_ns);
      g_array_append_val (ops, collected);
    }
  return ops;
}

static gboolean
same_ops (const GArray *a, const GArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const LsPlayheadOp *x = &g_array_index (a, LsPlayheadOp, i), *y = &g_array_index (b, LsPlayheadOp, i);
      if (x->op != y->op || x->start_ns != y->start_ns || x->end_ns != y->end_ns || x->span_ns != y->span_ns)
        return FALSE;
    }
  return TRUE;
}

void
ls_playhead_set_data (LsPlayhead *playhead, const LsViewData *data, gboolean start)
{
  gint64 step_ns, since_ns;
  g_autoptr (GArray) ops = collect_ops (data, &step_ns);
  const gboolean was_empty = is_empty (playhead), finished = playhead->time_ns >= ls_playhead_span (playhead);
  const guint op = ls_playhead_op (playhead);
  guint at;

  /* new curves over the same recorded step move nothing */
  if (!start && step_ns == playhead->step_ns && same_ops (ops, playhead->ops))
    return;
  since_ns = playhead->time_ns - beginning_of (playhead, playhead->at);
  g_array_unref (playhead->ops);
  playhead->ops = g_steal_pointer (&ops);
  playhead->step_ns = step_ns;
  at = find_op (playhead, op);
  if (playhead->own)
    place (playhead, at, start ? 0 : playhead->time_ns);
  else if (start || was_empty || is_empty (playhead))
    place_at_edge (playhead, -1);
  else if (playhead->ops->len == 0)
    place (playhead, 0, playhead->time_ns);
  else if (finished)
    place (playhead, playhead->by_op ? at : playhead->ops->len - 1, G_MAXINT64);
  else
    place (playhead, at, beginning_of (playhead, at) + MIN (since_ns, op_at (playhead, at)->span_ns));
}

void
ls_playhead_set_by_op (LsPlayhead *playhead, gboolean by_op)
{
  const gboolean at_end = ls_playhead_at_end (playhead), start = at_start (playhead);
  const guint at = playhead->at;
  const gint64 start_ns = playhead->ops->len > 0 ? op_at (playhead, at)->start_ns : 0;

  if (by_op == playhead->by_op)
    return;
  playhead->by_op = by_op;
  if (start || at_end)
    place_at_edge (playhead, start ? -1 : 1);
  else
    place (playhead, at, by_op ? playhead->time_ns - start_ns : start_ns + playhead->time_ns);
}

void
ls_playhead_set_own (LsPlayhead *playhead, gint64 own_ns)
{
  const gboolean finished = playhead->own && playhead->time_ns >= playhead->own_ns && playhead->own_ns > 0;

  if (playhead->own == (own_ns >= 0) && (!playhead->own || playhead->own_ns == own_ns))
    return;
  playhead->own = own_ns >= 0;
  playhead->own_ns = MAX (own_ns, 0);
  /* a clock of its own has no moments in common with the op's */
  place (playhead, playhead->at, finished ? G_MAXINT64 : 0);
}

/* ---- the clock ---- */

/* After a finished op's hold: the first one that wouldn't have passed meanwhile, or the last. */
static guint
after_hold (const LsPlayhead *playhead, guint at)
{
  const guint last = playhead->ops->len - 1;
  double passed_ns = LS_PLAYHEAD_HOLD_S * (double) playhead->dial_ns;
  guint to = at + 1;

  while (to < last && (double) op_at (playhead, to)->span_ns <= passed_ns)
    passed_ns -= (double) op_at (playhead, to++)->span_ns;
  return to;
}

double
ls_playhead_left_s (const LsPlayhead *playhead)
{
  gint64 left_ns = ls_playhead_span (playhead) - playhead->time_ns;
  double held_s = LS_PLAYHEAD_HOLD_S - playhead->held_s;

  for (guint at = playhead->at; playhead->by_op && !playhead->own && at + 1 < playhead->ops->len;
       held_s += LS_PLAYHEAD_HOLD_S)
    {
      at = after_hold (playhead, at);
      left_ns += op_at (playhead, at)->span_ns;
    }
  return MAX (held_s, 0) + (double) left_ns / (double) MAX (playhead->dial_ns, 1);
}

LsAdvance
ls_playhead_advance (LsPlayhead *playhead, double seconds)
{
  const gint64 span_ns = ls_playhead_span (playhead);
  const guint at = playhead->at;
  double ns;

  if (!playhead->playing || playhead->dial_ns == 0 || is_empty (playhead)
      || !(seconds > 0 && seconds <= LONGEST_GAP_S))
    return LS_ADVANCE_STAYS;
  if (playhead->time_ns >= span_ns)
    {
      playhead->held_s += seconds;
      if (playhead->held_s < LS_PLAYHEAD_HOLD_S)
        return LS_ADVANCE_STAYS;
      if (ls_playhead_at_end (playhead))
        return LS_ADVANCE_DONE;
      place (playhead, after_hold (playhead, at), 0);
      playhead->skipped = playhead->at - at - 1;
      return LS_ADVANCE_OP;
    }
  ns = seconds * (double) playhead->dial_ns + playhead->rest_ns;
  playhead->rest_ns = ns - floor (ns);
  if (ns < 1)
    return LS_ADVANCE_STAYS;
  playhead->time_ns = MIN (playhead->time_ns + (gint64) floor (ns), span_ns);
  if (!playhead->by_op)
    playhead->at = find_at (playhead, playhead->time_ns);
  return playhead->at != at ? LS_ADVANCE_OP : LS_ADVANCE_MOVED;
}

void
ls_playhead_seek (LsPlayhead *playhead, gint64 time_ns)
{
  place (playhead, playhead->by_op ? playhead->at : find_at (playhead, time_ns), time_ns);
}

void
ls_playhead_seek_op (LsPlayhead *playhead, guint op)
{
  const guint at = find_op (playhead, op);

  place (playhead, at, beginning_of (playhead, at));
}

static void
place_done (LsPlayhead *playhead, guint at)
{
  place (playhead, at, playhead->by_op || playhead->own ? G_MAXINT64 : op_at (playhead, at)->end_ns);
}

void
ls_playhead_finish (LsPlayhead *playhead)
{
  if (playhead->ops->len > 0)
    place_done (playhead, playhead->at);
}

void
ls_playhead_rest (LsPlayhead *playhead)
{
  guint longest = 0;

  for (guint i = 1; i < playhead->ops->len; i++)
    if (op_at (playhead, i)->sum_ns > op_at (playhead, longest)->sum_ns)
      longest = i;
  if (playhead->ops->len > 0)
    place_done (playhead, longest);
}

/* An op is stopped at from here on; where all are short, at the longest ones. */
static gint64
shortest (const LsPlayhead *playhead)
{
  gint64 longest_ns = 0;

  for (guint i = 0; i < playhead->ops->len; i++)
    longest_ns = MAX (longest_ns, op_at (playhead, i)->span_ns);
  return MIN (playhead->step_ns / SHORT_PARTS, longest_ns);
}

/* Op i is done after the playhead's moment, or, direction < 0, was done before it. */
static gboolean
lies (const LsPlayhead *playhead, guint i, int direction)
{
  const gint64 end_ns = op_at (playhead, i)->end_ns;

  if (!playhead->by_op && !playhead->own)
    return direction > 0 ? end_ns > playhead->time_ns : end_ns < playhead->time_ns;
  if (i == playhead->at)
    return direction > 0 && playhead->time_ns < ls_playhead_span (playhead);
  return (i > playhead->at) == (direction > 0);
}

gboolean
ls_playhead_jump (LsPlayhead *playhead, int direction, gboolean all)
{
  const gint64 least_ns = all ? 0 : shortest (playhead);
  const guint n = playhead->ops->len;

  for (guint k = 0; k < n; k++)
    {
      const guint i = direction > 0 ? k : n - 1 - k;

      if (op_at (playhead, i)->span_ns < least_ns || !lies (playhead, i, direction))
        continue;
      place_done (playhead, i);
      return TRUE;
    }
  if (n == 0 || direction > 0 || playhead->time_ns == 0)
    return FALSE;
  place (playhead, playhead->by_op || playhead->own ? playhead->at : 0, 0);
  return TRUE;
}

gboolean
ls_playhead_to_edge (LsPlayhead *playhead, int direction)
{
  if (is_empty (playhead) || (direction < 0 ? at_start (playhead) : ls_playhead_at_end (playhead)))
    return FALSE;
  place_at_edge (playhead, direction);
  return TRUE;
}

/* ---- the dial ---- */

static const guint64 dial[] = {
  10,       20,       50,       100,       200,       500,       1000,       2000,    5000,
  10000,    20000,    50000,    100000,    200000,    500000,    1000000,    2000000, 5000000,
  10000000, 20000000, 50000000, 100000000, 200000000, 500000000, 1000000000,
};

guint
ls_dial_n (void)
{
  return G_N_ELEMENTS (dial);
}

guint64
ls_dial_ns (guint position)
{
  return dial[MIN (position, G_N_ELEMENTS (dial) - 1)];
}

/* By ratio: 14 is nearer to 10 than to 20, 15 isn't. */
guint
ls_dial_position (guint64 ns)
{
  guint position = 0;

  while (position + 1 < G_N_ELEMENTS (dial)
         && (double) ns * (double) ns >= (double) dial[position] * (double) dial[position + 1])
    position++;
  return position;
}

guint
ls_dial_for_step (gint64 step_ns)
{
  return ls_dial_position ((guint64) MAX (step_ns, 0) / STEP_ON_SCREEN_S);
}
