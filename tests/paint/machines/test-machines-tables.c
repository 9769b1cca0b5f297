/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands in the tables of Machines, line by line: an opened machine's ops with what each column says of
 * them, and how it goes by batch; and that what was proven of it keeps to its room.
 */
#include "tests/paint/machines/machines_rig.h"

static const struct {
  double w, h;
  LsLook look;
} sizes[] = {
  { 1920, 1080, LS_LOOK_LIGHT },
  { 1280, 800, LS_LOOK_DARK },
  { 960, 600, LS_LOOK_LIGHT },
  { 1920, 1080, LS_LOOK_PROJECTOR },
};

static const LsMachinesRow *
open_at (Picture *p, guint row, guint size)
{
  machines_asked (p)->open = (gint) row;
  draw_at (p, sizes[size].w, sizes[size].h, sizes[size].look);
  return &machines_of (p)->rows[row];
}

/* The text on that baseline that ends there; NULL: none. */
static const LsItem *
ends_at (const LsScene *s, double right, double y)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && fabs (ls_item_right (item) - right) < .5
          && fabs ((double) item->y - y) < .5)
        return item;
    }
  return NULL;
}

/* The leftmost text on that baseline from there on; NULL: none. */
static const LsItem *
begins_from (const LsScene *s, double x, double y)
{
  const LsItem *first = NULL;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && (double) item->x > x - .5 && fabs ((double) item->y - y) < .5
          && (first == NULL || item->x < first->x))
        first = item;
    }
  return first;
}

/* ---- ops ---- */

/* The head with these words on the line of that one; NULL: there is no such column. */
static const LsItem *
head_of (const LsScene *s, const LsItem *op, const char *words)
{
  for (guint i = 0; op != NULL && i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, words) == 0 && item->x > op->x
          && fabs ((double) (item->y - op->y)) < .5)
        return item;
    }
  return NULL;
}

/* What that column has to say on that line, with plain spaces. */
static void
check_cell (const LsScene *s, const LsItem *head, const LsItem *line, const char *should, const char *of)
{
  const LsItem *cell = head != NULL ? ends_at (s, ls_item_right (head), (double) line->y) : NULL;

  if (head != NULL && g_strcmp0 (cell != NULL ? cell->text : "", should) != 0)
    g_error ("%s, %s: under “%s” stands “%s”, not “%s”", of, line->text, head->text,
             cell != NULL ? cell->text : "", should);
}

/* (transfer full) */
static char *
percent (double share)
{
  g_autofree char *number = ls_number_fixed (100 * share, 0);

  return isnan (share) ? g_strdup ("–") : g_strdup_printf ("%s %%", number);
}

/* Its ops, the longest first, each with its time, how often it takes a sample, what was recorded and the
 * error to that, or how much is padding; the share of its peak, and what it waits for. Those without a line
 * are counted, with their time; of a lane's model the whole step stands below in bold. */
static void
test_ops (void)
{
  guint lines = 0, counted = 0, padded = 0, whole = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    for (guint i = 0; i < LS_MACHINES_N; i++)
      {
        const LsMachinesRow *row = open_at (&p, i, size);
        const LsScene *s = p.layout->still;
        const GArray *ops = row->run->ops;
        const LsPlan *plan = machines_of (&p)->plan;
        const gboolean held = row->side >= 0;
        g_autofree double *here = held ? ls_held_ops (p.data->recording, 0, plan) : NULL;
        g_autofree gboolean *seen = g_new0 (gboolean, ops->len);
        g_autofree char *of = g_strdup_printf ("%s, %g px", row->machine->name, p.width);
        const LsItem *op = NULL;
        double before = HUGE_VAL, left_s = 0, y = 0;
        guint shown = 0;

        for (guint k = 0; k < s->items->len; k++)
          if (ls_scene_get (s, k)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, k)->text, "op") == 0)
            op = ls_scene_get (s, k);
        const LsItem *modelled = head_of (s, op, "modelled"), *share = head_of (s, op, "of its peak"),
                     *third = head_of (s, op,
                                       row->machine->pipeline ? "a sample every"
                                       : held                 ? "recorded"
                                                              : "padding"),
                     *error = head_of (s, op, "error");
        if (modelled == NULL)
          continue;
        g_assert_true (error == NULL || held);
        const double why_x = MAX (ls_item_right (modelled), share != NULL ? ls_item_right (share) : 0);
        for (guint k = 0; k < s->items->len; k++)
          {
            const LsItem *line = ls_scene_get (s, k);
            const LsMachineOp *its = NULL;
            guint which;
            if (line->kind != LS_ITEM_TEXT || fabs ((double) (line->x - op->x)) > .5 || line->y <= op->y
                || ends_at (s, ls_item_right (modelled), (double) line->y) == NULL)
              continue;
            if (strcmp (line->text, "this step") == 0)
              {
                const double recorded = (double) p.data->sides[0].index->length_ns * 1e-9;
                g_autofree char *time = ls_machines_time (row->run->seconds),
                                *took = ls_machines_time (recorded),
                                *by = ls_machines_error (row->run->seconds / recorded - 1),
                                *used = percent (ls_machine_run_used (row->run));
                g_assert_true (held && line->type.weight == 700);
                g_assert_cmpfloat ((double) line->y, >, y);
                check_cell (s, modelled, line, time, of);
                check_cell (s, third, line, took, of);
                check_cell (s, error, line, by, of);
                check_cell (s, share, line, used, of);
                whole++;
                continue;
              }
            for (which = 0; which < ops->len; which++)
              if (!seen[which]
                  && strcmp (ls_machine_op_symbol (plan, g_array_index (ops, LsMachineOp, which).op),
                             line->text)
                       == 0)
                {
                  its = &g_array_index (ops, LsMachineOp, which);
                  break;
                }
            if (its == NULL)
              g_error ("%s: “%s” is none of its ops, or was there already", of, line->text);
            seen[which] = TRUE;
            shown++;
            if (y > 0)
              g_assert_cmpfloat ((double) line->y, >, y);
            if (its->seconds > before)
              g_error ("%s: “%s” stands below one that takes less time", of, line->text);
            y = (double) line->y;
            before = its->seconds;

            const double recorded = here != NULL && its->op < plan->n_ops ? here[its->op] : (double) NAN;
            g_autofree char *time = ls_machines_time (its->seconds), *used = percent (its->used),
                            *took = isnan (recorded) ? g_strdup ("") : ls_machines_time (recorded),
                            *by = isnan (recorded) ? g_strdup ("")
                                                   : ls_machines_error (its->seconds / recorded - 1),
                            *useless = percent (1 - its->useful),
                            *clocks = isnan (its->interval) ? g_strdup ("")
                                                            : ls_number_count ((guint64) its->interval),
                            *interval = g_strdup_printf ("%s clock%s", clocks, its->interval > 1 ? "s" : "");
            check_cell (s, modelled, line, time, of);
            check_cell (s, share, line, used, of);
            check_cell (s, error, line, by, of);
            check_cell (s, third, line,
                        row->machine->pipeline ? interval
                        : held                 ? took
                        : isnan (its->useful)  ? ""
                                               : useless,
                        of);
            padded += !held && third != NULL && !isnan (its->useful) && its->useful < 1;
            const LsItem *why = begins_from (s, why_x + 1, (double) line->y);
            if (why != NULL && (double) why->x < why_x + 4 * p.layout->m.unit
                && strcmp (why->text, ls_held_by_title (its->held_by)) != 0)
              g_error ("%s: of %s is said “%s”, not “%s”", of, line->text, why->text,
                       ls_held_by_title (its->held_by));
          }
        lines += shown;
        for (guint k = 0; k < ops->len; k++)
          left_s += seen[k] ? 0 : g_array_index (ops, LsMachineOp, k).seconds;
        if (shown == ops->len || shown == 0)
          continue;
        /* none of those that are left takes longer than the last that has a line */
        for (guint k = 0; k < ops->len; k++)
          g_assert_true (seen[k] || g_array_index (ops, LsMachineOp, k).seconds <= before);
        g_autofree char *time = ls_machines_time (left_s),
                        *more = g_strdup_printf (ops->len - shown == 1 ? "and %u more: %s"
                                                                       : "and %u more: %s in all",
                                                 ops->len - shown, time);
        const LsItem *rest = find_text (s, more);
        if (rest == NULL)
          g_error ("%s: nothing says “%s”", of, more);
        /* above whatever stands below the ops */
        const LsItem *batches = find_text (s, row->machine->pipeline ? "until a result" : "by batch");
        const LsArea body = machines_of (&p)->body;
        g_assert_cmpfloat ((double) rest->y, >, y);
        g_assert_cmpfloat ((double) rest->y, <, body.y + body.h);
        if (batches != NULL && (double) batches->y < (double) rest->y + (held ? 2.5 : 1.5) * rest->type.px)
          g_error ("%s: “%s” comes too near to “%s”", of, more, batches->text);
        g_assert_cmpfloat_with_epsilon ((double) rest->x, (double) op->x, .5);
        counted++;
      }
  g_assert_cmpuint (lines, >, 40);
  g_assert_cmpuint (counted, >, 0);
  g_assert_cmpuint (padded, >, 0);
  g_assert_cmpuint (whole, >, 0);
  close_picture (&p);
}

/* Under each batch, from the smallest on, stands what the machine makes of that batch: the share of its peak,
 * or of a pipeline how long a result takes, and below that how many come in a second. */
static void
test_batches (void)
{
  guint seen = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachinesRow *row = open_at (&p, i, 0);
      const LsScene *s = p.layout->still;
      const LsItem *title = find_text (s, row->machine->pipeline ? "until a result" : "by batch");
      double x = 0;

      if (title == NULL)
        continue;
      for (guint b = 0; b < LS_MACHINE_N_BATCHES; b++)
        {
          g_autoptr (LsMachineRun) run = ls_machine_run_batch (row->machine, machines_of (&p)->plan,
                                                               ls_machine_batches[b], &row->assumed);
          g_autofree char *n = ls_number_count (ls_machine_batches[b]),
                          *time = ls_machines_time (run->seconds),
                          *rate = ls_number_text (run->samples / run->interval, 3),
                          *used = ls_number_text (100 * ls_machine_run_used (run), 2),
                          *share = g_strdup_printf ("%s %%", used);
          const LsItem *head = NULL;

          for (guint k = 0; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              if (item->kind == LS_ITEM_TEXT && strcmp (item->text, n) == 0 && (double) item->x > x
                  && item->x > title->x && fabs ((double) (item->y - title->y)) < 2.5 * title->type.px)
                head = item;
            }
          if (head == NULL)
            g_error ("%s: batch %s isn't there, or not right of the one before it", row->machine->name, n);
          x = (double) head->x;
          const double pitch = title->type.px * 1.5;
          const LsItem *value = ends_at (s, ls_item_right (head), (double) head->y + pitch),
                       *below = ends_at (s, ls_item_right (head), (double) head->y + 2 * pitch);
          g_assert_cmpstr (value != NULL ? value->text : "nothing", ==,
                           row->machine->pipeline ? time : share);
          if (row->machine->pipeline)
            g_assert_cmpstr (below != NULL ? below->text : "nothing", ==, rate);
          seen++;
        }
    }
  g_assert_cmpuint (seen, >, 4 * LS_MACHINE_N_BATCHES);
  close_picture (&p);
}

/* A lane that stopped shows a step of its own: the model's is held against none that was recorded with the
 * ops above it. */
static void
test_stopped (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint stopped = 0; stopped < 2; stopped++)
    {
      guint lines = 0, filled = 0;

      if (stopped)
        p.data->sides[0].held = ls_recording_ref (p.data->recording);
      machines_asked (&p)->open = (gint) row_of ("cpu");
      draw (&p);
      const LsScene *s = p.layout->still;
      const LsItem *op = NULL;
      for (guint k = 0; k < s->items->len; k++)
        if (ls_scene_get (s, k)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, k)->text, "op") == 0)
          op = ls_scene_get (s, k);
      const LsItem *recorded = head_of (s, op, "recorded"), *error = head_of (s, op, "error");
      g_assert_true (recorded != NULL && error != NULL);
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *line = ls_scene_get (s, k);
          if (line->kind != LS_ITEM_TEXT || strcmp (line->text, "this step") != 0)
            continue;
          lines++;
          for (guint i = 0; i < 2; i++)
            {
              const LsItem *cell = ends_at (s, ls_item_right (i == 0 ? recorded : error), (double) line->y);
              filled += cell != NULL && *cell->text != '\0';
            }
        }
      if (lines != 1 || filled != (stopped ? 0 : 2))
        g_error ("of a lane that %s “this step” is said %u times, with %u of what was recorded and the error",
                 stopped ? "stopped" : "trains", lines, filled);
    }
  close_picture (&p);
}

/* What was proven of a machine has its own room, however often its words are broken. */
static void
test_proof_room (void)
{
  guint told = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    for (double w = 960; w <= 1920; w += 16)
      {
        machines_asked (&p)->open = (gint) i;
        draw_at (&p, w, 1080, LS_LOOK_LIGHT);
        g_autofree char *words = ls_machines_proof (machines_of (&p), i);
        if (words == NULL)
          break;
        const LsMachines *m = machines_of (&p);
        const double below = MIN (m->own.w > 0 ? m->own.y : m->picture.y,
                                  m->slider.w > 0 ? m->slider.y : m->picture.y);
        double left = -1;
        for (guint k = 0; k < p.layout->still->items->len; k++)
          {
            const LsItem *item = ls_scene_get (p.layout->still, k);
            if (item->kind != LS_ITEM_TEXT || (double) item->y < m->body.y
                || strstr (words, item->text) == NULL)
              continue;
            if (left < 0 && g_str_has_prefix (words, item->text))
              left = (double) item->x; /* all its lines begin there */
            if ((double) item->x != left)
              continue;
            if ((double) item->y + .25 * (double) item->type.px > below)
              g_error ("in %g px “%s” of what was proven reaches below %g", w, item->text, below);
            told++;
          }
      }
  g_assert_cmpuint (told, >, 20);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines-tables/proof-room", test_proof_room);
  g_test_add_func ("/paint/machines/tables/ops", test_ops);
  g_test_add_func ("/paint/machines/tables/batches", test_batches);
  g_test_add_func ("/paint/machines/tables/stopped", test_stopped);
  return g_test_run ();
}
