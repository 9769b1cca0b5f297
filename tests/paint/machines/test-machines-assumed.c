/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a machine assumes, each with its value in a box: all of an opened one's in a list, and the few that
 * stand in the other rows: which these are, in which order, how they are known, and what moves the end most.
 */
#include "tests/paint/machines/machines_rig.h"

static const struct {
  double w, h;
  LsLook look;
} sizes[] = {
  { 1920, 1080, LS_LOOK_LIGHT }, { 1280, 800, LS_LOOK_DARK },       { 960, 600, LS_LOOK_LIGHT },
  { 2600, 560, LS_LOOK_LIGHT },  { 1920, 1080, LS_LOOK_PROJECTOR }, { 2600, 440, LS_LOOK_LIGHT },
};

static const LsMachinesRow *
open_at (Picture *p, guint row, guint size)
{
  machines_asked (p)->open = (gint) row;
  draw_at (p, sizes[size].w, sizes[size].h, sizes[size].look);
  return &machines_of (p)->rows[row];
}

/* What makes the value known. */
static LsEvidence
known_by (LsAssumedFrom from)
{
  switch (from)
    {
    case LS_ASSUMED_PUBLISHED:
      return LS_EVIDENCE_PUBLISHED;
    case LS_ASSUMED_MEASURED:
      return LS_EVIDENCE_MEASURED;
    case LS_ASSUMED_DEFAULT:
    case LS_ASSUMED_OWN:
    default:
      return LS_EVIDENCE_MODELLED;
    }
}

/* The value in the field's box, bold where it was said; returns it. */
static const LsItem *
check_box (const Picture *p, const LsMachinesField *f)
{
  const LsMachinesRow *row = &machines_of (p)->rows[f->row];
  const LsScene *s = p->layout->still;
  g_autofree char *should = ls_machines_value (&row->machine->assumptions[f->which],
                                               row->assumed.value[f->which]);
  const LsItem *value = NULL;
  guint arrows = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double x, y, w, h;

      ls_item_bounds (s, item, &x, &y, &w, &h);
      if (x < f->area.x - .5 || x + w > f->area.x + f->area.w + .5 || y < f->area.y - 1
          || y + h > f->area.y + f->area.h + 1)
        continue;
      if (item->kind == LS_ITEM_TEXT)
        value = item;
      if (item->kind == LS_ITEM_AREA)
        {
          /* the tips of both arrows point away from each other */
          const gboolean upper = y + h / 2 < f->area.y + f->area.h / 2;
          const float *points = &g_array_index (s->points, float, 2 * item->points);
          double tip = (double) points[1];
          for (guint k = 0; k < item->n_points; k++)
            tip = upper ? MIN (tip, (double) points[2 * k + 1]) : MAX (tip, (double) points[2 * k + 1]);
          guint at_tip = 0;
          for (guint k = 0; k < item->n_points; k++)
            at_tip += fabs ((double) points[2 * k + 1] - tip) < .1;
          g_assert_cmpuint (at_tip, ==, 1);
          arrows++;
          g_assert_true (ls_area_has (upper ? f->up : f->down, x + w / 2, y + h / 2));
        }
    }
  if (value == NULL || strcmp (value->text, should) != 0)
    g_error ("%s, %s: in its box stands “%s”, not “%s”", row->machine->name,
             row->machine->assumptions[f->which].name, value != NULL ? value->text : "", should);
  g_assert_cmpint (value->type.weight == 700, ==, row->assumed.from[f->which] == LS_ASSUMED_OWN);
  g_assert_cmpuint (arrows, ==, p->layout->m.projector ? 0 : 2);
  return value;
}

/* The one that moves the end most comes first, and says by how much, in bold; the others follow in the
 * machine's order, column by column; each has its title and says before it how it is known. What has no room
 * is counted. */
static void
test_list (void)
{
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  const LsViewBeside beside = { .catalogue = catalogue };
  guint known[LS_EVIDENCE_PUBLISHED + 2] = { 0 }, columns = 0, more = 0, both = 0;
  Picture p;

  open_machines (&p, TRUE, &beside, 1920, 1080);
  do
    machines_asked (&p)->device++;
  while (strcmp (ls_machines_device (catalogue, machines_asked (&p)->device)->name, "NVIDIA A100 SXM4 40 GB")
         != 0);
  ls_machines_say (machines_asked (&p), row_of ("simt"), 1, 96);
  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    for (guint i = 0; i < LS_MACHINES_N; i++)
      {
        const LsMachinesRow *row = open_at (&p, i, size);
        const LsScene *s = p.layout->still;
        const guint n = row->machine->n_assumptions;
        const LsMachinesField *before = NULL;
        double top = 0;
        gint last = -1;
        guint shown = 0, first = 0; /* in the first of two columns */

        for (guint k = 0; k < machines_of (&p)->places->len; k++)
          {
            const LsMachinesField *f = &g_array_index (machines_of (&p)->places, LsMachinesField, k);
            const LsItem *mark = NULL, *title = NULL, *by = NULL;
            const LsAssumption *of = &row->machine->assumptions[f->which];

            if (f->row != i || f->area.y < machines_of (&p)->body.y)
              continue;
            const LsItem *value = check_box (&p, f);
            const double left = before != NULL && f->area.x > before->area.x + before->area.w
                                  ? before->area.x + before->area.w
                                  : 0;
            for (guint j = 0; j < s->items->len; j++)
              {
                const LsItem *item = ls_scene_get (s, j);
                if ((double) item->x >= f->area.x || (double) item->x < left)
                  continue;
                if (item->kind == LS_ITEM_EVIDENCE
                    && fabs ((double) (item->y + item->h / 2) - f->area.y - f->area.h / 2) < 2
                    && (mark == NULL || item->x > mark->x))
                  mark = item;
                if (item->kind != LS_ITEM_TEXT || fabs ((double) (item->y - value->y)) > .5)
                  continue;
                if (strcmp (item->text, of->title) == 0 || strcmp (item->text, of->name) == 0)
                  title = item;
                if (g_str_has_prefix (item->text, "±") && title != NULL && item->x > title->x)
                  by = item;
              }
            if (mark == NULL || title == NULL || mark->x > title->x)
              g_error ("%s, %s: it has no title with a mark before it", row->machine->name, of->name);
            g_assert_cmpuint ((guint) mark->value, ==, known_by (row->assumed.from[f->which]));
            known[(guint) mark->value]++;
            const gboolean moves = row->moves == (gint) f->which;
            g_assert_cmpint (title->type.weight == 700, ==, moves);
            g_assert_true (by == NULL || (moves && ls_item_right (by) < f->area.x && by->type.weight == 700));
            if (shown == 0 && row->moves >= 0)
              g_assert_true (moves);
            else
              {
                g_assert_cmpint ((gint) f->which, >, last);
                last = (gint) f->which;
              }
            /* below the one before it, or at the second column’s top */
            if (before != NULL && left == 0)
              {
                g_assert_cmpfloat (f->area.y, >=, before->area.y + before->area.h);
                g_assert_cmpfloat_with_epsilon (f->area.x + f->area.w, before->area.x + before->area.w, 24);
              }
            if (left > 0)
              {
                g_assert_cmpfloat_with_epsilon (f->area.y, top, .01);
                first = shown;
              }
            top = shown == 0 ? f->area.y : top;
            columns += left > 0;
            shown++;
            before = f;
          }
        if (first > 0 && first != (shown + 1) / 2)
          g_error ("%s, %g px: of %u that are there %u are in the first column", row->machine->name, p.width,
                   shown, first);
        both += first > 0 && shown < n;
        g_autofree char *others = g_strdup_printf ("← → %u more", n - shown);
        if (shown > 0 && says (s, others) != (shown < n))
          g_error ("%s, %g px: of %u assumptions %u are there, and of others is said %s", row->machine->name,
                   p.width, n, shown, says (s, others) ? others : "nothing");
        more += shown < n && shown > 0 && first == 0;
      }
  g_assert_cmpuint (known[LS_EVIDENCE_PUBLISHED], >, 0);
  g_assert_cmpuint (known[LS_EVIDENCE_MODELLED], >, 0);
  g_assert_cmpuint (columns, >, 0);
  g_assert_cmpuint (more, >, 0);
  g_assert_cmpuint (both, >, 0);
  close_picture (&p);
  /* without a device the processor's are measured */
  open_machines (&p, TRUE, NULL, 1920, 1080);
  const LsMachinesRow *cpu = open_at (&p, row_of ("cpu"), 0);
  guint measured = 0;
  for (guint k = 0; k < cpu->machine->n_assumptions; k++)
    measured += cpu->assumed.from[k] == LS_ASSUMED_MEASURED;
  g_assert_cmpuint (measured, >, 1);
  close_picture (&p);
}

/* The keys go through an opened machine's assumptions as they are listed, round and round: onwards from the
 * first, back from the last. */
static void
test_keys (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    for (guint back = 0; back < 2; back++)
      {
        const LsMachinesRow *row = open_at (&p, i, 0);
        const guint n = row->machine->n_assumptions;
        GArray *order = g_array_new (FALSE, FALSE, sizeof (gint));

        if (row->moves >= 0)
          g_array_append_val (order, row->moves);
        for (gint k = 0; k < (gint) n; k++)
          if (k != row->moves)
            g_array_append_val (order, k);
        machines_asked (&p)->row = (gint) i;
        machines_asked (&p)->field = LS_MACHINES_NONE;
        for (guint k = 0; k <= n; k++)
          {
            const gint wanted = g_array_index (order, gint, back ? (2 * n - 1 - k) % n : k % n);

            press (&p, back ? LS_KEY_LEFT : LS_KEY_RIGHT);
            if (machines_asked (&p)->field != wanted)
              g_error ("%s: the %s key, pressed %u times, goes to assumption %d, not to %d",
                       machines_of (&p)->rows[i].machine->name, back ? "left" : "right", k + 1,
                       machines_asked (&p)->field, wanted);
          }
        machines_asked (&p)->field = LS_MACHINES_NONE;
        g_array_unref (order);
      }
  close_picture (&p);
}

/* In a row that isn't opened: the one that moves its end most, with by how much beside it, then those that
 * the machine shows; none twice, three at most, one beside the other, each with its title above. */
static void
test_fields (void)
{
  guint seen = 0, said = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  machines_asked (&p)->open = LS_MACHINES_NONE;
  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      draw_at (&p, sizes[size].w, sizes[size].h, sizes[size].look);
      const LsMachines *m = machines_of (&p);
      const LsScene *s = p.layout->still;
      for (guint i = 0; i < LS_MACHINES_N; i++)
        {
          const LsMachinesRow *row = &m->rows[i];
          const LsMachinesField *before = NULL;
          guint n = 0;

          for (guint k = 0; k < m->places->len; k++)
            {
              const LsMachinesField *f = &g_array_index (m->places, LsMachinesField, k);
              const LsAssumption *of;
              const LsItem *title = NULL, *by = NULL;
              gboolean listed = FALSE;

              if (f->row != i)
                continue;
              of = &row->machine->assumptions[f->which];
              for (guint j = 0; j < G_N_ELEMENTS (row->machine->shown); j++)
                listed |= row->machine->shown[j] == f->which;
              if (n == 0 && before == NULL)
                g_assert_cmpint ((gint) f->which, ==, row->moves);
              else
                g_assert_true (listed && (gint) f->which != row->moves);
              check_box (&p, f);
              for (guint j = 0; j < s->items->len; j++)
                {
                  const LsItem *item = ls_scene_get (s, j);
                  if (item->kind != LS_ITEM_TEXT)
                    continue;
                  if (strcmp (item->text, of->title) == 0 && fabs ((double) item->x - f->area.x) < .5
                      && (double) item->y < f->area.y + 1 && (double) item->y > f->area.y - f->area.h)
                    title = item;
                  if (g_str_has_prefix (item->text, "±") && (double) item->x > f->area.x + f->area.w
                      && (double) item->x < f->area.x + f->area.w + 3 * p.layout->m.unit
                      && (double) item->y > f->area.y && (double) item->y < f->area.y + f->area.h)
                    by = item;
                }
              if (title == NULL)
                g_error ("%s, %g px: “%s” doesn't stand above its value", row->machine->name, p.width,
                         of->title);
              if (by != NULL)
                {
                  g_autofree char *time = ls_machines_time (row->moves_s),
                                  *words = g_strdup_printf ("±%s", time);
                  g_assert_cmpint ((gint) f->which, ==, row->moves);
                  g_assert_cmpstr (by->text, ==, words);
                  g_assert_cmpfloat (ls_item_right (by), <=, m->fields.x + m->fields.w + .5);
                  said++;
                }
              g_assert_cmpfloat (f->area.x, >=, m->fields.x);
              g_assert_cmpfloat (f->area.x + f->area.w, <=, m->fields.x + m->fields.w + .5);
              g_assert_true (f->area.y >= row->area.y && f->area.y + f->area.h <= row->area.y + row->area.h);
              if (before != NULL)
                {
                  g_assert_cmpfloat (f->area.x, >, before->area.x + before->area.w);
                  g_assert_cmpfloat (f->area.y, ==, before->area.y);
                }
              before = f;
              n++;
            }
          g_assert_cmpuint (n, <=, 3);
          seen += n;
        }
    }
  g_assert_cmpuint (seen, >, 30);
  g_assert_cmpuint (said, >, 5);
  close_picture (&p);
}

/* Up and down change the picked assumption to its next value there, and no other. */
static void
test_field_keys (void)
{
  guint changed = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    for (guint k = 0; k < machines_of (&p)->rows[i].machine->n_assumptions; k++)
      for (guint up = 0; up < 2; up++)
        {
          const LsMachine *machine = machines_of (&p)->rows[i].machine;
          const LsAssumed before = machines_of (&p)->rows[i].assumed;
          const double next = ls_machines_next (&machine->assumptions[k], before.value[k], up);

          machines_asked (&p)->row = (gint) i;
          machines_asked (&p)->field = (gint) k;
          g_assert_cmpint (press (&p, up ? LS_KEY_UP : LS_KEY_DOWN), ==, LS_ACT_CHANGED);
          const LsAssumed *after = &machines_of (&p)->rows[i].assumed;
          for (guint other = 0; other < machine->n_assumptions; other++)
            if (other != k && after->from[other] == LS_ASSUMED_OWN)
              g_error ("%s: a key at “%s” sets “%s”", machine->name, machine->assumptions[k].name,
                       machine->assumptions[other].name);
          if (fabs (after->value[k] - next) > 1e-12 * fabs (next))
            g_error ("%s: from %g the key goes %s to %g, not %g", machine->name, before.value[k],
                     up ? "up" : "down", after->value[k], next);
          g_assert_cmpint (machines_asked (&p)->row, ==, (gint) i);
          g_assert_cmpint (machines_asked (&p)->field, ==, (gint) k);
          changed += fabs (next - before.value[k]) > 0;
          machines_asked (&p)->said[i][k] = FALSE;
        }
  g_assert_cmpuint (changed, >, 2 * LS_MACHINES_N);
  close_picture (&p);
}

/* In two columns, which stand side by side where both are wide enough, no title gives way to its short name.
 */
static void
test_two_columns (void)
{
  guint two = 0, one = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 560);
  machines_asked (&p)->open = (gint) row_of ("simt");
  for (double w = 700; w <= 1500; w += 10)
    {
      double left = HUGE_VAL, right = 0;

      draw_at (&p, w, 560, LS_LOOK_LIGHT);
      const GArray *places = machines_of (&p)->places;
      for (guint pass = 0; pass < 2; pass++)
        for (guint k = 0; k < places->len; k++)
          {
            const LsMachinesField *f = &g_array_index (places, LsMachinesField, k);
            const LsMachine *machine = machines_of (&p)->rows[f->row].machine;

            if ((gint) f->row != machines_asked (&p)->open || f->area.y < machines_of (&p)->body.y)
              continue;
            left = MIN (left, f->area.x + f->area.w);
            right = MAX (right, f->area.x + f->area.w);
            if (pass > 0 && right - left > 60
                && !says (p.layout->still, machine->assumptions[f->which].title))
              g_error ("in two columns, of a picture of %g px, “%s” isn’t said", w,
                       machine->assumptions[f->which].title);
          }
      two += right - left > 60;
      one += right > 0 && right - left <= 60;
    }
  g_test_message ("%u in two columns, %u in one", two, one);
  g_assert_true (two > 0 && one > 0);
  close_picture (&p);
}

/* What is beyond an assumption's range models nothing; back within it the model is there again. */
static void
test_beyond (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachine *machine = machines_of (&p)->rows[i].machine;
      const gboolean runs = machines_of (&p)->rows[i].run != NULL;

      for (guint k = 0; k < machine->n_assumptions; k++)
        for (guint within = 0; within < 2; within++)
          {
            machines_asked (&p)->said[i][k] = TRUE;
            machines_asked (&p)->value[i][k] = within ? machine->assumptions[k].max
                                                      : machine->assumptions[k].max * 2 + 1;
            draw (&p);
            if ((machines_of (&p)->rows[i].run != NULL) != (runs && within))
              g_error ("%s: with “%s” %s its range there is %s model", machine->name,
                       machine->assumptions[k].name, within ? "at the end of" : "beyond",
                       within ? "no" : "a");
            machines_asked (&p)->said[i][k] = FALSE;
          }
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines/assumed/list", test_list);
  g_test_add_func ("/paint/machines/assumed/keys", test_keys);
  g_test_add_func ("/paint/machines/assumed/fields", test_fields);
  g_test_add_func ("/paint/machines-assumed/keys", test_field_keys);
  g_test_add_func ("/paint/machines-assumed/two-columns", test_two_columns);
  g_test_add_func ("/paint/machines-assumed/beyond", test_beyond);
  return g_test_run ();
}
