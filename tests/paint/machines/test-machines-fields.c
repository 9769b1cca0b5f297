/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Machines' models assume, changed by pointer, keys and words; the opened row.
 */
#include "tests/paint/machines/machines_rig.h"

static const LsMachinesField *
field_of (const Picture *p, guint row, guint which)
{
  const GArray *places = machines_of (p)->places;

  for (guint i = 0; i < places->len; i++)
    {
      const LsMachinesField *f = &g_array_index (places, LsMachinesField, i);
      if (f->row == row && f->which == which)
        return f;
    }
  return NULL;
}

/* There is one. */
static LsMachinesField
there (const Picture *p, guint row, guint which)
{
  const LsMachinesField *f = field_of (p, row, which);

  if (f == NULL)
    g_error ("assumption %u of machine %u has no field", which, row);
  return *f;
}

static double
middle (double from, double length)
{
  return from + length / 2;
}

/* A click on the arrows goes to the next value there and back, on the value picks it, once more asks. */
static void
test_arrows (void)
{
  Picture p;
  guint n = 0;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    for (guint k = 0; k < machines_of (&p)->rows[i].machine->n_assumptions; k++)
      {
        const LsMachinesField *f = field_of (&p, i, k);
        const double before = machines_of (&p)->rows[i].assumed.value[k],
                     seconds = machines_of (&p)->rows[i].run->seconds;
        const LsAssumption *row = &machines_of (&p)->rows[i].machine->assumptions[k];

        if (f == NULL)
          continue;
        n++;
        g_assert_cmpfloat (f->up.h + f->down.h, >=, 24);
        if (fabs (f->up.y + f->up.h - f->down.y) > .01 || fabs (f->up.h - f->down.h) > .01
            || fabs (f->up.x - f->down.x) > .01 || fabs (f->up.w - f->down.w) > .01)
          g_error ("machine %u, assumption %u: its arrows don’t have a half each of the same room", i, k);
        if (fabs (f->area.y - f->up.y - (f->down.y + f->down.h - f->area.y - f->area.h)) > .01)
          g_error ("machine %u, assumption %u: one arrow stands out more than the other", i, k);
        g_assert_cmpint (click (&p, middle (f->up.x, f->up.w), middle (f->up.y, f->up.h)), ==,
                         LS_ACT_CHANGED);
        g_assert_cmpfloat (machines_of (&p)->rows[i].assumed.value[k], ==,
                           ls_machines_next (row, before, TRUE));
        g_assert_cmpint (machines_asked (&p)->row, ==, i);
        g_assert_cmpint (machines_asked (&p)->field, ==, k);
        g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_CHANGED);
        g_assert_cmpfloat (machines_of (&p)->rows[i].assumed.value[k], ==, before);
        g_assert_cmpfloat (machines_of (&p)->rows[i].run->seconds, ==, seconds);
        g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_NONE);
        g_assert_cmpint (click (&p, there (&p, i, k).area.x + 4, middle (there (&p, i, k).area.y, 24)), ==,
                         LS_ACT_ASK);
        press (&p, LS_KEY_LET_GO);
        g_assert_cmpint (machines_asked (&p)->field, ==, LS_MACHINES_NONE);
        g_assert_cmpint (click (&p, there (&p, i, k).area.x + 4, middle (there (&p, i, k).area.y, 24)), ==,
                         LS_ACT_CHANGED);
        g_assert_cmpint (machines_asked (&p)->field, ==, k);
      }
  g_assert_cmpuint (n, >=, 2 * LS_MACHINES_N);
  close_picture (&p);
}

/* Up and down again is where it was, of every assumption; nothing leaves its range; counts stay whole. */
static void
test_next (void)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < machines[i]->n_assumptions; k++)
      {
        const LsAssumption *row = &machines[i]->assumptions[k];
        double value = row->max;

        for (guint steps = 0; value > row->min && steps < 200; steps++)
          {
            const double down = ls_machines_next (row, value, FALSE);
            if (!(down < value))
              break;
            g_assert_cmpfloat (down, >=, row->min);
            g_assert_cmpfloat (down, >=, value / 2.01);
            if (row->whole)
              g_assert_cmpfloat (down, ==, round (down));
            if (value < row->max && down > row->min)
              g_assert_cmpfloat_with_epsilon (ls_machines_next (row, down, TRUE), value, value * 1e-9);
            value = down;
          }
        g_assert_cmpfloat (value, <=, MAX (row->min, row->whole ? row->min : row->max / 1e6));
        g_assert_cmpfloat (ls_machines_next (row, row->max, TRUE), ==, row->max);
        g_assert_cmpfloat (ls_machines_next (row, row->min, FALSE), ==, row->min);
      }
}

static gboolean
type (Picture *p, const char *text)
{
  LsQuery query = LS_QUERY_INIT;
  gboolean taken;

  query.state = p->state;
  taken = p->view->typed (p->layout, &query, text);
  draw (p);
  return taken;
}

/* Numbers within the range, whole ones where it counts, with either decimal sign; nothing else. */
static void
test_typed (void)
{
  static const struct {
    const char *machine, *assumption, *text;
    double value; /* NAN: it isn't taken */
  } cases[] = {
    { "simt", "units", "24", 24 },      { "simt", "units", " 7 ", 7 },   { "simt", "units", "2.5", NAN },
    { "simt", "units", "2.4", NAN },    { "simt", "units", "2.6", NAN }, { "simt", "units", "0", NAN },
    { "simt", "units", "-3", NAN },     { "simt", "units", "1e9", NAN }, { "simt", "units", "", NAN },
    { "simt", "units", "many", NAN },   { "simt", "units", "24x", NAN }, { "simt", "units", "nan", NAN },
    { "simt", "units", "inf", NAN },    { "simt", "clock", "1,5", 1.5 }, { "systolic", "clock", "0.94", .94 },
    { "systolic", "rows", "256", 256 }, { "cpu", "share", "1", 1 },      { "cpu", "share", "1.01", NAN },
  };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const guint row = row_of (cases[c].machine);
      const gint which = ls_machine_find_assumption (machines_of (&p)->rows[row].machine,
                                                     cases[c].assumption);
      LsQuery query = LS_QUERY_INIT;
      g_autofree char *now = NULL, *asks = NULL;

      machines_asked (&p)->row = (gint) row;
      machines_asked (&p)->field = which;
      draw (&p);
      query.state = p.state;
      const double before = machines_of (&p)->rows[row].assumed.value[which];
      asks = p.view->asks (p.layout, &query, &now);
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (now, NULL), before, before * 1e-5);
      if (type (&p, cases[c].text) != !isnan (cases[c].value))
        g_error ("%s %s: “%s” was %staken", cases[c].machine, cases[c].assumption, cases[c].text,
                 isnan (cases[c].value) ? "" : "not ");
      g_assert_cmpfloat (machines_of (&p)->rows[row].assumed.value[which], ==,
                         isnan (cases[c].value) ? before : cases[c].value);
    }
  close_picture (&p);
}

/* The one that moves the end most stands first, and says by how much. */
static void
test_moves (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachinesRow *row = &machines_of (&p)->rows[i];
      double seconds;
      const gint which = ls_machine_moves_most (row->machine, machines_of (&p)->plan, &row->assumed,
                                                &seconds);
      g_autofree char *time = ls_number_time (seconds * 1e9), *words = g_strdup_printf ("±%s", time);

      g_assert_cmpint (row->moves, ==, which);
      g_assert_true (says (p.layout->still, words));
      for (guint k = 0; k < row->machine->n_assumptions; k++)
        {
          const LsMachinesField *f = field_of (&p, i, k);
          g_assert_true (f == NULL || f->area.x >= there (&p, i, (guint) which).area.x);
        }
      machines_asked (&p)->open = (gint) i;
      draw (&p);
      g_assert_true (says (p.layout->still, words));
      machines_asked (&p)->open = LS_MACHINES_NONE;
      draw (&p);
    }
  close_picture (&p);
}

/* All of its assumptions can be reached by keys in each size, each is shown when it is; ops are there with
 * their errors; nothing overlaps. */
static void
test_opened (void)
{
  static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 } };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (gsize size = 0; size < G_N_ELEMENTS (sizes); size++)
    for (guint i = 0; i < LS_MACHINES_N; i++)
      {
        const guint n = machines_of (&p)->rows[i].machine->n_assumptions;
        gboolean seen[LS_MACHINE_MAX_ASSUMPTIONS] = { FALSE };

        machines_asked (&p)->open = machines_asked (&p)->row = (gint) i;
        machines_asked (&p)->field = LS_MACHINES_NONE;
        draw_at (&p, sizes[size][0], sizes[size][1], size == 1 ? LS_LOOK_DARK : LS_LOOK_LIGHT);
        assert_faultless (p.layout);
        for (guint k = 0; k < n; k++)
          {
            g_assert_cmpint (press (&p, LS_KEY_RIGHT), ==, LS_ACT_CHANGED);
            const guint at = (guint) machines_asked (&p)->field;
            g_assert_cmpuint (at, <, n);
            g_assert_false (seen[at]);
            seen[at] = TRUE;
            g_assert_nonnull (field_of (&p, i, at));
            assert_faultless (p.layout);
          }
        g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED);
        g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED);
        g_assert_cmpint (machines_asked (&p)->open, ==, LS_MACHINES_NONE);
      }
  machines_asked (&p)->open = (gint) row_of ("cpu");
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  g_autofree double *here = ls_held_ops (p.data->recording, 0, machines_of (&p)->plan);
  const LsMachineRun *run = machines_of (&p)->rows[row_of ("cpu")].run;
  guint errors = 0;
  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      if (op->op >= machines_of (&p)->plan->n_ops || isnan (here[op->op]))
        continue;
      g_autofree char *time = ls_number_time (op->seconds * 1e9),
                      *recorded = ls_number_time (here[op->op] * 1e9),
                      *error = ls_machines_error (op->seconds / here[op->op] - 1);
      g_assert_true (says (p.layout->still, time) && says (p.layout->still, recorded)
                     && says (p.layout->still, error));
      errors++;
    }
  g_assert_cmpuint (errors, >, 5);
  /* of its peak, by batch: the systolic array's share grows with it */
  const guint systolic = row_of ("systolic");
  machines_asked (&p)->open = (gint) systolic;
  draw (&p);
  double before = 0;
  for (guint batch = 1; batch <= 4096; batch *= 8)
    {
      const LsPlan *plan = machines_of (&p)->plan;
      g_autoptr (LsPlan) other = ls_plan_new (plan->model, plan->in_shape, plan->n_classes, batch,
                                              plan->optimizer, NULL);
      g_autoptr (LsMachineRun) with = ls_machine_run (&ls_machine_systolic, other,
                                                      &machines_of (&p)->rows[systolic].assumed);
      const double used = ls_machine_run_used (with);
      g_autofree char *number = ls_number_text (100 * used, 2), *share = g_strdup_printf ("%s %%", number);

      g_assert_true (says (p.layout->still, share));
      g_assert_cmpfloat (used, >, before);
      g_assert_cmpfloat (used, <=, 1);
      before = used;
    }
  close_picture (&p);
}

/* Where it is clicked, so many of the warps may be at work; fewer than those at work before take longer. */
static void
test_slider (void)
{
  Picture p;
  const guint simt = row_of ("simt");
  const gint which = ls_machine_find_assumption (&ls_machine_simt, "occupancy");

  open_machines (&p, TRUE, NULL, 1920, 1080);
  g_assert_cmpfloat (machines_of (&p)->slider.w, ==, 0);
  machines_asked (&p)->open = (gint) simt;
  draw (&p);
  const LsArea slider = machines_of (&p)->slider;
  g_assert_cmpfloat (slider.w, >, 100);
  const double all = machines_of (&p)->rows[simt].run->seconds;
  g_assert_cmpint (click (&p, slider.x + slider.w * .1, middle (slider.y, slider.h)), ==, LS_ACT_CHANGED);
  g_assert_cmpfloat_with_epsilon (machines_of (&p)->rows[simt].assumed.value[which], .1, 1e-6);
  g_assert_cmpfloat (machines_of (&p)->rows[simt].run->seconds, >=, all);
  g_assert_true (says (p.layout->still, "10 %"));
  close_picture (&p);
}

/* What was measured of the network in other numbers is said, with its numbers, and becomes what is assumed.
 */
static void
test_converted (void)
{
  Picture p;
  g_autoptr (LsConverted) int8 = ls_converted_new (LS_CONVERTED_INT8),
                          spiking = ls_converted_new (LS_CONVERTED_SPIKING);
  const LsViewBeside beside = { .converted = { int8, spiking } };

  int8->accuracy = ls_converted_figure (97.3, 500, "%", LS_EVIDENCE_MEASURED);
  int8->n_points = 2;
  int8->points[0] = (LsConvertedPoint){ 8, ls_converted_figure (97.1, 500, "%", LS_EVIDENCE_MEASURED) };
  int8->points[1] = (LsConvertedPoint){ 7, ls_converted_figure (88.8, 500, "%", LS_EVIDENCE_MEASURED) };
  int8->n_samples = 500;
  int8->n_scales = 3;
  int8->scales = g_new0 (LsInt8Scales, 3);
  int8->scales[0] = (LsInt8Scales){ .layer = 1, .low = .0123, .high = .0456 };
  int8->scales[1] = (LsInt8Scales){ .layer = 2 }; /* without weights */
  int8->scales[2] = (LsInt8Scales){ .layer = 3, .low = .0078, .high = .0345 };
  spiking->accuracy = ls_converted_figure (97.3, 500, "%", LS_EVIDENCE_MEASURED);
  spiking->n_points = 3;
  for (guint i = 0; i < 3; i++)
    spiking->points[i] = (LsConvertedPoint){
      .at = 4U << i,
      .accuracy = ls_converted_figure (i == 0 ? 60.2 : 95.5 + i, 500, "%", LS_EVIDENCE_MEASURED),
      .rate = ls_converted_figure (.03 * (i + 1), 500, "", LS_EVIDENCE_DERIVED)
    };
  open_machines (&p, TRUE, &beside, 1920, 1080);
  g_assert_true (told (&p, "with 8 bits 97.1 % right, as floats 97.3 %"));
  const LsMachinesRow *row = &machines_of (&p)->rows[row_of ("spiking")];
  const gint steps = ls_machine_find_assumption (row->machine, "steps"),
             active = ls_machine_find_assumption (row->machine, "active");
  g_assert_cmpfloat (row->assumed.value[steps], ==, 8); /* from there on within a point */
  g_assert_cmpfloat_with_epsilon (row->assumed.value[active], .06, 1e-9);
  g_assert_cmpint (row->assumed.from[steps], ==, LS_ASSUMED_MEASURED);
  g_assert_true (told (&p, "after 8 time steps 96.5 % right, as floats 97.3 %"));
  /* beside the steps of whole batches every wording says that this is of one sample */
  g_auto (GStrv) wordings = ls_machines_sentences (machines_of (&p), row_of ("spiking"));
  for (guint i = 0; wordings[i] != NULL; i++)
    if (strstr (wordings[i], "one sample") == NULL && strstr (wordings[i], " a sample") == NULL)
      g_error ("“%s” doesn’t say that this is of one sample", wordings[i]);
  /* as many as are assumed, or fewer, never more */
  ls_machines_say (machines_asked (&p), row_of ("spiking"), (guint) steps, 7);
  draw (&p);
  g_assert_true (told (&p, "after 4 time steps 60.2 % right"));
  ls_machines_say (machines_asked (&p), row_of ("int8"),
                   (guint) ls_machine_find_assumption (&ls_machine_int8, "bits"), 6);
  draw (&p);
  g_assert_false (says (p.layout->still, "88.8 % right"));
  for (guint i = 0; i < 2; i++)
    {
      machines_asked (&p)->open = (gint) row_of (i == 0 ? "int8" : "spiking");
      draw (&p);
      g_assert_true (told (&p, i == 0 ? "right by bits" : "right by time steps"));
      g_assert_true (told (&p, "are whole numbers times 0.0078 to 0.046.") == (i == 0));
      assert_faultless (p.layout);
    }
  /* an output of which all weights are 0 has a scale of 0 */
  int8->scales[1] = (LsInt8Scales){ .layer = 2, .low = 0, .high = .067 };
  /* floats that are right less often than any whole numbers lie within the picture, too */
  int8->accuracy = ls_converted_figure (42, 500, "%", LS_EVIDENCE_MEASURED);
  machines_asked (&p)->open = (gint) row_of ("int8");
  draw (&p);
  g_assert_true (told (&p, "are whole numbers times 0 to 0.067."));
  if (!says (p.layout->still, "40 %"))
    g_error ("floats are right in 42 %% of the cases, and the axis doesn’t go down to 40 %%");
  close_picture (&p);
}

/* Rows are picked and opened by keys; where they don't all have room, the picked one is shown. */
static void
test_rows (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 960, 600);
  g_assert_cmpuint (machines_of (&p)->n_shown, <, LS_MACHINES_N);
  g_assert_true (says (p.layout->still, "more below"));
  for (gint i = 0; i < LS_MACHINES_N; i++)
    {
      g_assert_cmpint (press (&p, LS_KEY_DOWN), ==, LS_ACT_CHANGED);
      g_assert_cmpint (machines_asked (&p)->row, ==, i);
      g_assert_cmpfloat (machines_of (&p)->rows[i].area.h, >, 0);
      assert_faultless (p.layout);
    }
  g_assert_cmpint (press (&p, LS_KEY_DOWN), ==, LS_ACT_NONE);
  g_assert_true (says (p.layout->still, "more above"));
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED);
  g_assert_cmpint (machines_asked (&p)->open, ==, LS_MACHINES_N - 1);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpint (machines_asked (&p)->open, ==, LS_MACHINES_N - 2);
  /* a click on the row closes it */
  const LsArea area = machines_of (&p)->rows[LS_MACHINES_N - 2].area;
  g_assert_cmpint (click (&p, area.x + 30, middle (area.y, area.h)), ==, LS_ACT_CHANGED);
  g_assert_cmpint (machines_asked (&p)->open, ==, LS_MACHINES_NONE);
  close_picture (&p);
}

/* The field that is picked is drawn as chosen, and no other one. */
static void
test_chosen (void)
{
  Picture p;
  guint chosen = 0;

  open_machines (&p, TRUE, NULL, 3840, 2160);
  for (guint row = 0; row < LS_MACHINES_N; row++)
    for (guint field = 0; field < machines_of (&p)->rows[row].machine->n_assumptions; field++)
      {
        guint boxes = 0, here = 0;

        machines_asked (&p)->row = (gint) row;
        machines_asked (&p)->field = (gint) field;
        draw (&p);
        const LsMachinesField *f = field_of (&p, row, field);
        for (guint i = 0; i < p.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (p.layout->still, i);
            if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_CHOSEN)
              continue;
            boxes++;
            here += f != NULL && fabs ((double) item->x - f->area.x) < .1
                    && fabs ((double) item->y - f->area.y) < .1;
          }
        if (boxes != here || here != (f != NULL))
          g_error (
            "assumption %u of machine %u is picked, which has %s field: %u are drawn as chosen, and it "
            "is %s of them",
            field, row, f != NULL ? "a" : "no", boxes, here > 0 ? "one" : "none");
        chosen += here;
      }
  g_assert_cmpuint (chosen, >, LS_MACHINES_N);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines/arrows", test_arrows);
  g_test_add_func ("/paint/machines/next", test_next);
  g_test_add_func ("/paint/machines/typed", test_typed);
  g_test_add_func ("/paint/machines/moves", test_moves);
  g_test_add_func ("/paint/machines/opened", test_opened);
  g_test_add_func ("/paint/machines/slider", test_slider);
  g_test_add_func ("/paint/machines/converted", test_converted);
  g_test_add_func ("/paint/machines/rows", test_rows);
  g_test_add_func ("/paint/machines/chosen", test_chosen);
  return g_test_run ();
}
