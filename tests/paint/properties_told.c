/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told in numbers beside the marks: each pattern of words has what its numbers must be, counted from
 * the recorded events.
 */
#include "told.h"

#include <math.h>
#include <string.h>

#include "ui/paint/views.h"

/* ---- words ---- */

typedef struct {
  const LsPicture *p;
  const LsItem *item;
  guint side;
  const LsViewLane *lane; /* its, or NULL */
  gint64 now;             /* or LS_TIME_END */
} Said;

typedef struct {
  double low, high; /* what is printed as this lies between */
} Number;

#define NUMBERS 4

/* "*" are any words. Whether all of the text is that. */
static gboolean
reads (const char *text, const char *pattern, Number *numbers)
{
  for (; *pattern != '\0'; pattern++)
    if (*pattern == '#' || *pattern == '@')
      {
        if (!ls_told_number (&text, *pattern == '@', &numbers->low, &numbers->high))
          return FALSE;
        numbers++;
      }
    else if (*pattern == '*')
      {
        for (; *text != '\0'; text++)
          if (reads (text, pattern + 1, numbers))
            return TRUE;
        return pattern[1] == '\0';
      }
    else if (*text++ != *pattern)
      return FALSE;
  return *text == '\0';
}

static gboolean
tells_step (const Said *s, double *values)
{
  if (s->lane != NULL)
    values[0] = ls_told_step_ns (s->lane);
  return s->lane != NULL;
}

/* Where no op, no kernel and no copy ran, up to the last one's end. */
static gboolean
tells_gaps (const Said *s, double *values)
{
  double until = 0;

  if (s->lane == NULL)
    return FALSE;
  values[0] = values[1] = 0;
  for (guint i = 0; i < s->lane->index->spans->len; i++) /* by their beginning */
    {
      const LsSpan *span = &g_array_index (s->lane->index->spans, LsSpan, i);
      values[0] += (double) span->start_ns > until;
      values[1] += MAX (0, (double) span->start_ns - until);
      until = MAX (until, (double) span->end_ns);
    }
  values[0] += ls_told_step_ns (s->lane) > until;
  values[1] += MAX (0, ls_told_step_ns (s->lane) - until);
  return TRUE;
}

/* "op 3 of 8", while it runs: how many have begun. */
static gboolean
tells_begun (const Said *s, double *values)
{
  if (s->lane == NULL || s->now == LS_TIME_END)
    return FALSE;
  values[0] = 0;
  values[1] = s->lane->index->spans->len;
  for (guint i = 0; i < s->lane->index->spans->len; i++)
    values[0] += g_array_index (s->lane->index->spans, LsSpan, i).start_ns <= s->now;
  return TRUE;
}

/* "OpenCL 185 µs, 35 % of the step" */
static gboolean
tells_op (const Said *s, double *values)
{
  const LsQuery *q = &s->p->layout->query;
  guint op = q->op;

  for (guint i = 2; i-- > 0;)
    {
      const LsEvent *e = ls_layout_event (s->p->layout, i == 0 ? q->hover : q->picked);
      if (e != NULL && ls_told_is_work (e))
        op = e->op;
    }
  if (s->lane == NULL || op >= s->lane->index->n_ops)
    return FALSE;
  values[0] = ls_told_op_ns (s->lane, ls_told_leader (s->lane, op));
  values[1] = 100 * values[0] / MAX (ls_told_step_ns (s->lane), 1);
  return values[0] > 0;
}

/* "op 3 of 24": of those that any lane did by itself. */
static gboolean
tells_place (const Said *s, double *values)
{
  const LsRecording *recording = s->p->layout->data->recording;

  if (recording == NULL || s->p->layout->query.op >= recording->n_ops
      || (s->lane == NULL && ls_told_lane (s->p, 1 - s->side) == NULL))
    return FALSE;
  values[0] = values[1] = 0;
  for (guint op = 0; op < recording->n_ops; op++)
    {
      double start, end;
      gboolean ran = op == s->p->layout->query.op;
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsViewLane *lane = &s->p->s->data->sides[side];
          ran |= lane->index != NULL && lane->recorded != NULL && ls_told_op (lane, op, &start, &end);
        }
      values[1] += ran;
      values[0] += ran && op <= s->p->layout->query.op;
    }
  return TRUE;
}

/* ---- rows of Partition ---- */

/* The number left of the same row; −1: there is none. */
static gint
row_worker (const Said *s)
{
  gint worker = -1;

  for (guint i = 0; i < s->p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s->p->layout->still, i);
      double value;

      if (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT
          && fabs ((double) item->y - (double) s->item->y) < 2.5
          && ((double) item->x < s->p->layout->width / 2) == (s->side == 0)
          && ls_item_right (item) < (double) s->item->x && ls_scale_number (item->text, &value))
        worker = (gint) value;
    }
  return worker;
}

/* Its pieces of the op: how many, how many are done at the clock's hand, whether it is at one. FALSE: no
 * times are known. */
static gboolean
count_pieces (const Said *s, gint worker, guint *n, guint *done, gboolean *busy)
{
  const guint op = s->lane != NULL ? ls_told_leader (s->lane, s->p->layout->query.op) : 0;
  double start, end;

  *n = *done = 0;
  *busy = FALSE;
  if (s->lane == NULL || op >= s->lane->index->n_ops || !s->lane->index->ops[op].timed
      || !ls_told_op (s->lane, op, &start, &end))
    return FALSE;
  const LsTiling *t = &s->lane->recorded->tilings[op];
  const double now = s->now == LS_TIME_END ? end : start + (double) s->now;
  for (EACH_EVENT (s->lane, e))
    if (e->op == op && e->worker == worker && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP)
        && e->tile < t->grid_rows * t->grid_cols * MAX (t->splits, 1))
      {
        ++*n;
        *done += ls_told_since (s->lane, e->end_ns) <= now;
        *busy |= ls_told_since (s->lane, e->start_ns) <= now && ls_told_since (s->lane, e->end_ns) > now;
      }
  return TRUE;
}

static gboolean
tells_done (const Said *s, double *values)
{
  const gint worker = row_worker (s);
  gboolean busy;
  guint n, done;

  if (worker < 0 || !count_pieces (s, worker, &n, &done, &busy))
    return FALSE;
  values[0] = done;
  return TRUE;
}

static gboolean
tells_last (const Said *s, double *values)
{
  const gint worker = row_worker (s);
  gboolean busy;
  guint n, done;

  if (worker < 0 || !count_pieces (s, worker, &n, &done, &busy))
    return FALSE;
  values[0] = busy ? n : (double) NAN;
  return TRUE;
}

static gboolean
tells_groups (const Said *s, double *values)
{
  const gint worker = row_worker (s);
  gboolean busy;
  guint n, done;

  if (worker < 0 || !count_pieces (s, worker, &n, &done, &busy))
    return FALSE;
  values[0] = n / MAX (ls_told_op_ns (s->lane, ls_told_leader (s->lane, s->p->layout->query.op)) / 1e9, 1e-9);
  return TRUE;
}

/* All waits of the row's worker in the op, up to the clock's hand. */
static gboolean
tells_wait (const Said *s, double *values)
{
  const gint worker = row_worker (s);
  const guint op = s->lane != NULL ? ls_told_leader (s->lane, s->p->layout->query.op) : 0;
  double start, end;

  if (worker < 0 || s->lane == NULL || !ls_told_op (s->lane, op, &start, &end))
    return FALSE;
  values[0] = 0;
  for (EACH_EVENT (s->lane, e))
    if (e->kind == LS_EVENT_WAIT && e->op == op && e->worker == worker)
      values[0] += MAX (0, MIN (ls_told_since (s->lane, e->end_ns),
                                s->now == LS_TIME_END ? HUGE_VAL : start + (double) s->now)
                             - ls_told_since (s->lane, e->start_ns));
  return TRUE;
}

static gboolean
tells_ended (const Said *s, double *values)
{
  if (s->lane == NULL || s->now != LS_TIME_END || s->side != 0)
    return FALSE;
  values[0] = ls_told_op_ns (s->lane, ls_told_leader (s->lane, s->p->layout->query.op));
  return values[0] > 0;
}

static gboolean
tells_queue (const Said *s, double *values)
{
  double most = 0;

  s = &(Said){ s->p, s->item, 0, NULL, s->now };
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = ls_told_lane (s->p, side);
      double deepest = 0;

      for (const LsEvent *a = lane != NULL ? (gconstpointer) lane->recorded->events->data : NULL,
                         *end = lane != NULL ? a + lane->recorded->events->len : NULL;
           a < end; a++)
        {
          double depth = 0;
          for (EACH_EVENT (lane, e))
            depth += a->kind == LS_EVENT_QUEUED && e->kind == LS_EVENT_QUEUED && e->start_ns <= a->start_ns
                     && e->end_ns > a->start_ns;
          deepest = MAX (deepest, depth);
        }
      most = MAX (most, deepest);
    }
  values[0] = most;
  return most > 0;
}

static const struct {
  const char *pattern;
  const LsView *view;
  gboolean (*truth) (const Said *said, double *values); /* FALSE: it can't be judged */
} rules[] = {
  { "this step @", &ls_view_race, tells_step },
  { "interrupted: @", &ls_view_race, tells_step },
  { "# gap: @", &ls_view_race, tells_gaps },
  { "# gaps: @ in all", &ls_view_race, tells_gaps },
  { "op # of #", &ls_view_race, tells_begun },
  { "* @, # % of the step", &ls_view_race, tells_op },
  { "op # of #", &ls_view_partition, tells_place },
  { "# done", &ls_view_partition, tells_done },
  { "runs its last, the #th", &ls_view_partition, tells_last },
  { "runs its last, the #st", &ls_view_partition, tells_last },
  { "runs its last, the #nd", &ls_view_partition, tells_last },
  { "runs its last, the #rd", &ls_view_partition, tells_last },
  { "# groups/s", &ls_view_partition, tells_groups },
  { "waits @", &ls_view_partition, tells_wait },
  { "none left, waits @", &ls_view_partition, tells_wait },
  { "had no tile, waits @", &ls_view_partition, tells_wait },
  { "done at @", &ls_view_partition, tells_ended },
  { "at most # command waits", &ls_view_timeline, tells_queue },
  { "up to # commands wait", &ls_view_timeline, tells_queue },
};

/* How often each was read. */
static guint n_read[G_N_ELEMENTS (rules)];

static char *
rule_holds (const LsPicture *p, const LsItem *item, guint rule)
{
  const guint side = item->ink == LS_INK_LANE && item->value < LS_SIDES               ? (guint) item->value
                     : item->side < LS_SIDES                                          ? item->side
                     : (double) item->x + (double) item->w / 2 < p->layout->width / 2 ? 0
                                                                                      : 1;
  const Said said = { p, item, side, ls_told_lane (p, side), p->layout->query.time_ns };
  double values[NUMBERS] = { (double) NAN, (double) NAN, (double) NAN, (double) NAN };
  Number numbers[NUMBERS] = { { 0, 0 } };
  guint n = 0;

  if (rules[rule].view != p->layout->view || !reads (item->text, rules[rule].pattern, numbers)
      || !rules[rule].truth (&said, values))
    return NULL;
  for (const char *c = rules[rule].pattern; *c != '\0'; c++)
    n += *c == '#' || *c == '@';
  n_read[rule]++;
  for (guint i = 0; i < n; i++)
    if (values[i] < numbers[i].low - 1e-6 * fabs (values[i])
        || values[i] > numbers[i].high + 1e-6 * fabs (values[i]))
      return g_strdup_printf ("“%s” is said of %s, and number %u of it should be %.6g", item->text,
                              ls_side_name (side), i + 1, values[i]);
  return NULL;
}

static char *
words_are_true (const LsPicture *p)
{
  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? p->layout->still : p->layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        for (guint rule = 0; ls_scene_get (scene, i)->kind == LS_ITEM_TEXT && rule < G_N_ELEMENTS (rules);
             rule++)
          {
            char *fault = rule_holds (p, ls_scene_get (scene, i), rule);
            if (fault != NULL)
              return fault;
          }
    }
  return NULL;
}

char *
ls_told_missing (guint least)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      guint n = 0;
      for (gsize k = 0; k < G_N_ELEMENTS (rules); k++)
        n += rules[k].truth == rules[i].truth ? n_read[k] : 0; /* one and several */
      if (n < least)
        g_string_append_printf (text, "\n# “%s” was read in %u pictures of %s only", rules[i].pattern, n,
                                rules[i].view->name);
    }
  return g_string_free (text, text->len == 0);
}

const LsProperty ls_properties_of_told[] = {
  { "numbers in words are those of the events", words_are_true },
  { NULL, NULL },
};
