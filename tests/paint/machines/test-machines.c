/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines against plain sums: bars end where the models do, the clock fills them all to the same moment, the
 * error is that to the lane's median, and what doesn't belong on the axis leaves it.
 */
#include "tests/paint/machines/machines_rig.h"
#include "tests/paint/places.h"
#include "tests/paint/states.h"

static LsArea
lane_bar_of (const Picture *p, guint side)
{
  const LsMachines *m = machines_of (p);

  return (LsArea){ m->clock.x, m->lanes[side].y + p->layout->m.unit, m->clock.w, m->bar_h };
}

/* Of each row that stays on the axis: from its beginning to the model's end, and of both lanes. */
static void
test_bars (void)
{
  Picture p;
  double from, to;
  guint n = 0;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const LsMachines *m = machines_of (&p);
  g_assert_cmpuint (m->n_shown, ==, LS_MACHINES_N);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachinesRow *row = &m->rows[i];
      g_autoptr (LsMachineRun) run = ls_machine_run (row->machine, m->plan, &row->assumed);

      g_assert_true (extent (p.layout->still, LS_ITEM_HATCH, LS_INK_TEXT, row->bar, &from, &to));
      g_assert_cmpfloat_with_epsilon (from, x_of (&p, 0), 1.5);
      if (run->seconds > m->end)
        continue;
      g_assert_cmpfloat_with_epsilon (to, x_of (&p, run->seconds * 1e9), 3.5);
      n++;
    }
  g_assert_cmpuint (n, >, 3);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = p.data->sides[side].index;
      const LsSpan *first = &g_array_index (index->spans, LsSpan, 0),
                   *last = &g_array_index (index->spans, LsSpan, index->spans->len - 1);

      g_assert_true (extent (p.layout->still, LS_ITEM_BOX, LS_INK_SOFT, lane_bar_of (&p, side), &from, &to));
      g_assert_cmpfloat_with_epsilon (from, x_of (&p, (double) first->start_ns), 1.5);
      g_assert_cmpfloat_with_epsilon (to, x_of (&p, (double) last->end_ns), 3.5);
    }
  close_picture (&p);
}

/* At a third of the step all bars are dark up to there and no farther; at its end all of them are. */
static void
test_clock (void)
{
  Picture p;
  double from, to, pale_from, pale_to;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const gint64 now = p.layout->span_ns / 3;
  g_autofree char *words = ls_number_time ((double) now);
  draw_moment (&p, now);
  const double x = x_of (&p, (double) now);
  g_assert_true (says (p.layout->moving, words));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_assert_true (extent (p.layout->moving, LS_ITEM_BOX, LS_INK_MARK, lane_bar_of (&p, side), &from, &to));
      g_assert_cmpfloat (to, <, x + 1);
      g_assert_cmpfloat (to, >, x - 60);
    }
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachinesRow *row = &machines_of (&p)->rows[i];
      const double end = MIN (row->run->seconds * 1e9, (double) now);
      const gboolean dark = extent (p.layout->moving, LS_ITEM_HATCH, LS_INK_TEXT, row->bar, &from, &to);

      if (x_of (&p, end) - x_of (&p, 0) > 4)
        g_assert_true (dark);
      if (dark)
        g_assert_cmpfloat_with_epsilon (to, x_of (&p, end), 3.5);
    }
  draw_moment (&p, LS_TIME_END);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachinesRow *row = &machines_of (&p)->rows[i];
      g_assert_true (extent (p.layout->moving, LS_ITEM_HATCH, LS_INK_TEXT, row->bar, &from, &to));
      g_assert_true (extent (p.layout->still, LS_ITEM_HATCH, LS_INK_TEXT, row->bar, &pale_from, &pale_to));
      g_assert_cmpfloat_with_epsilon (to, pale_to, .5);
    }
  close_picture (&p);
}

/* What takes more than twice as long as the lanes has an arrow, and says how many times the axis it is. */
static void
test_beyond (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const guint fpga = row_of ("fpga");
  const gint clock = ls_machine_find_assumption (&ls_machine_fpga, "clock");
  ls_machines_say (machines_asked (&p), fpga, (guint) clock, 1);
  draw (&p);
  const LsMachines *m = machines_of (&p);
  const double seconds = m->rows[fpga].run->seconds;
  g_assert_cmpfloat (seconds, >, 2 * m->end);
  g_assert_cmpfloat (m->end, >=, m->seconds);
  g_assert_cmpfloat (m->end, <=, 2 * m->seconds);
  g_autofree char *times = ls_number_text (seconds / m->end, 2),
                  *words = g_strdup_printf ("%s times this axis", times);
  g_assert_true (says (p.layout->moving, words));
  /* nothing at its end says another time than the bar does */
  g_autofree char *time = ls_number_time (seconds * 1e9);
  for (guint i = 0; i < p.layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, i);
      if (item->kind == LS_ITEM_TEXT && fabs ((double) item->y - m->rows[fpga].bar.y - m->bar_h / 2) < 12
          && (double) item->x > m->clock.x && (double) item->x < m->fields.x - 1)
        g_error ("“%s” stands beside the bar that says %s", item->text, time);
    }
  close_picture (&p);
}

/* The processor's model is held against the CPU lane's median; with a device of the catalogue, or without
 * roofs, it isn't. */
static void
test_error (void)
{
  Picture p;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  const LsViewBeside beside = { .catalogue = catalogue };
  const guint cpu = row_of ("cpu");

  open_machines (&p, TRUE, &beside, 1920, 1080);
  const LsMachinesRow *row = &machines_of (&p)->rows[cpu];
  const double median = (double) machines_of (&p)->median[0] * 1e-9;
  g_assert_cmpfloat (median, >, 0);
  g_assert_cmpfloat_with_epsilon (row->error, row->run->seconds / median - 1, 1e-9);
  g_autofree char *error = ls_machines_error (row->error),
                  *words = g_strdup_printf ("checks the model: %s to the measured lane’s median", error);
  g_assert_true (told (&p, words));
  /* a lane that others hold up is no measure, and that is said */
  const LsFigure calm = p.data->sides[0].rate;
  p.data->sides[0].rate.q1 = .6 * calm.value;
  p.data->sides[0].rate.q3 = 1.4 * calm.value;
  draw (&p);
  g_assert_true (told (&p, "which other work disturbs: ±40 %"));
  g_assert_false (says (p.layout->still, "checks the model"));
  draw_at (&p, 960, 600, LS_LOOK_LIGHT); /* with little room as little is said */
  g_assert_true (told (&p, " % to the lane’s median"));
  p.data->sides[0].rate = calm;
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  g_assert_true (told (&p, words));
  /* nobody has a lane like these */
  for (guint i = 0; i < LS_MACHINES_N; i++)
    if (i != cpu)
      g_assert_true (isnan (machines_of (&p)->rows[i].error));
  for (guint i = 1; ls_machines_device (catalogue, i) != NULL; i++)
    if (ls_machines_device (catalogue, i)->sort == LS_HARDWARE_CPU)
      machines_asked (&p)->device = i;
  g_assert_cmpuint (machines_asked (&p)->device, >, 0);
  draw (&p);
  g_assert_true (isnan (machines_of (&p)->rows[cpu].error));
  g_assert_false (says (p.layout->still, "checks the model"));
  g_assert_true (says (p.layout->still, machines_of (&p)->rows[cpu].device->name));
  close_picture (&p);
  open_machines (&p, FALSE, NULL, 1920, 1080);
  g_assert_true (isnan (machines_of (&p)->rows[cpu].error));
  close_picture (&p);
}

/* Each that is offered fills some model, and none of another sort. */
static void
test_devices (void)
{
  Picture p;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  const LsViewBeside beside = { .catalogue = catalogue };
  const LsViewSwitch *row = ls_view_find ("machines")->switches;
  const char *word;
  guint n = 0;

  open_machines (&p, TRUE, &beside, 1920, 1080);
  g_assert_cmpuint (row->now (p.state), ==, 0);
  for (guint i = 1; (word = row->offered (p.data, i)) != NULL; i++, n++)
    {
      const LsHardware *device = ls_machines_device (catalogue, i);
      guint filled = 0;
      LsQuery query = { .state = p.state };

      g_assert_cmpstr (word, ==, device->name);
      row->set (&query, i);
      g_assert_cmpuint (row->now (p.state), ==, i);
      draw (&p);
      for (guint k = 0; k < LS_MACHINES_N; k++)
        {
          const LsMachinesRow *r = &machines_of (&p)->rows[k];
          filled += r->device == device;
          g_assert_true (r->device == NULL || r->machine->sort == device->sort);
        }
      g_assert_cmpuint (filled, >, 0);
      /* what isn't of its kind stays as it is, and is held against its lane */
      if (isnan (machines_of (&p)->rows[row_of ("cpu")].error) != (device->sort == LS_HARDWARE_CPU))
        g_error ("with %s the processor’s error is %g", device->name,
                 machines_of (&p)->rows[row_of ("cpu")].error);
    }
  g_assert_cmpuint (n, >=, 8);
  /* V goes through all of them, and on to the first again */
  machines_asked (&p)->device = 0;
  for (guint i = 1; i <= n + 1; i++)
    {
      g_assert_cmpint (press (&p, LS_KEY_PAGE), ==, LS_ACT_CHANGED);
      g_assert_cmpuint (machines_asked (&p)->device, ==, i % (n + 1));
    }
  close_picture (&p);
}

/* The values of a tensor that the recording has in other numbers, or of another size than the plan's, are
 * nobody's: neither the picture of the weights nor a proof reads them. */
static void
test_values (void)
{
  static const LsFixture fixture = { LS_DESK, .batch = 64, .steps = 40, .values = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);
  g_autoptr (LsPlan) plan = ls_held_plan (recording, NULL);
  const guint tensor = plan->params[0].weight;
  const LsRecordedShape *found = NULL;
  LsRecordedShape *shape;

  g_assert_nonnull (ls_recording_values_before (recording, 0, plan->tensors[tensor].name, &found));
  shape = (LsRecordedShape *) found;
  g_assert_true (ls_held_values (recording, plan, tensor)
                 == ls_recording_values_before (recording, 0, plan->tensors[tensor].name, NULL));
  shape->dtype = LS_BF16;
  g_assert_null (ls_held_values (recording, plan, tensor));
  shape->dtype = LS_F32;
  shape->shape[0] -= 1;
  g_assert_null (ls_held_values (recording, plan, tensor));
  shape->shape[0] = G_MAXINT64;
  g_assert_null (ls_held_values (recording, plan, tensor));
}

/* Models are computed once, however often the picture is laid out: with new data of the same run, in another
 * size, opened. */
static void
test_kept (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const guint first = ls_machine_memo_computed (p.data->modelled);
  g_assert_cmpuint (first, ==, LS_MACHINES_N + 1); /* and the plan */
  draw (&p);
  draw_at (&p, 960, 600, LS_LOOK_DARK);
  g_assert_cmpuint (ls_machine_memo_computed (p.data->modelled), ==, first);
  machines_asked (&p)->open = (gint) row_of ("tensor");
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const guint opened = ls_machine_memo_computed (p.data->modelled);
  g_assert_cmpuint (opened, >, first);
  draw (&p);
  g_assert_cmpuint (ls_machine_memo_computed (p.data->modelled), ==, opened);
  ls_machines_say (machines_asked (&p), row_of ("fpga"),
                   (guint) ls_machine_find_assumption (&ls_machine_fpga, "clock"), 100);
  machines_asked (&p)->open = LS_MACHINES_NONE;
  draw (&p);
  g_assert_cmpuint (ls_machine_memo_computed (p.data->modelled), ==, opened + 1);
  close_picture (&p);
}

/* Before anything is recorded there are models all the same; without a plan the view invites. */
static void
test_before (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  Picture p;

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "spiral", NULL));
  g_assert_true (
    ls_options_set (options, ls_options_find ("model"), "flatten, dense 16, relu, dense 3", NULL));
  start_picture (&p, ls_view_find ("machines"), ls_view_data_before (options), NULL, 1280, 800);
  if (p.data->plan != NULL)
    {
      g_assert_cmpuint (machines_of (&p)->n_shown, >, 2);
      g_assert_true (says (p.layout->still, "no step recorded yet"));
    }
  assert_faultless (p.layout);
  for (LsViewKey key = LS_KEY_LEFT; key <= LS_KEY_SOURCE; key++)
    press (&p, key);
  close_picture (&p);
}

/* What the button measures: the opened machine's numbers, or, with none opened, those of all that take others
 * than floats. */
static void
test_runs (void)
{
  static const struct {
    const char *open, *runs; /* NULL: none is open */
  } rows[] = { { NULL, "int8 spiking" }, { "int8", "int8" }, { "spiking", "spiking" }, { "cpu", "" } };
  Picture p;

  open_machines (&p, TRUE, NULL, 1280, 800);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsQuery query = LS_QUERY_INIT;

      machines_asked (&p)->open = rows[i].open != NULL ? (gint) row_of (rows[i].open) : LS_MACHINES_NONE;
      query.state = p.state;
      g_autoptr (GPtrArray) names = ls_view_machines.runs (p.data, &query);
      g_autoptr (GString) all = g_string_new (NULL);
      for (guint k = 0; k < names->len; k++)
        g_string_append_printf (all, "%s%s", k > 0 ? " " : "", (const char *) names->pdata[k]);
      if (strcmp (all->str, rows[i].runs) != 0)
        g_error ("with %s open “%s” is measured, not “%s”", rows[i].open != NULL ? rows[i].open : "none",
                 all->str, rows[i].runs);
    }
  close_picture (&p);
}

/* A row's title is whole wherever a picture stands beside it, which takes no more than what is left. */
static void
test_titles (void)
{
  guint beside = 0, narrow = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1000);
  for (double width = 600; width <= 1920; width += 12)
    {
      draw_at (&p, width, 1000, LS_LOOK_LIGHT);
      const LsMachines *m = machines_of (&p);
      const double picture = ls_machines_picture_width (m);

      for (guint i = m->shown; picture > 0 && i < m->shown + m->n_shown; i++)
        if (!says (p.layout->still, m->rows[i].machine->title))
          g_error ("in %g px “%s” isn’t said beside a picture of %g px", width, m->rows[i].machine->title,
                   picture);
      beside += picture > 0;
      narrow += picture > 0 && picture < 3 * m->bar_h - .5;
    }
  g_test_message ("%u with pictures, %u of these narrow ones", beside, narrow);
  g_assert_cmpuint (narrow, >, 0);
  close_picture (&p);
}

/* All bold words on a row's bar, of ops and of a time beyond it. (transfer full) */
static char *
on_bar (const Picture *p, guint row)
{
  const LsArea bar = machines_of (p)->rows[row].bar;
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < p->layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->moving, i);
      if (item->kind == LS_ITEM_TEXT && item->type.weight == 700 && item->ink == LS_INK_TEXT
          && ls_area_has (bar, (double) (item->x + item->w / 2), ls_text_middle (item)))
        g_string_append_printf (all, "%s; ", item->text);
    }
  return g_string_free (all, FALSE);
}

/* What stands on a row's bar is the same, whichever row is the first that is shown. */
static void
test_named (void)
{
  g_autofree char *names[LS_MACHINES_N] = { NULL };
  guint named = 0, again = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 560);
  for (guint first = 0; first < LS_MACHINES_N; first++)
    {
      machines_asked (&p)->first = first;
      draw (&p);
      const LsMachines *m = machines_of (&p);
      g_assert_cmpuint (m->n_shown, <, LS_MACHINES_N);
      for (guint i = m->shown; i < m->shown + m->n_shown; i++)
        {
          g_autofree char *is = on_bar (&p, i);

          if (names[i] != NULL && strcmp (names[i], is) != 0)
            g_error ("with row %u as the first, on the bar of row %u stands “%s”, not “%s”", m->shown, i, is,
                     names[i]);
          again += names[i] != NULL && *is != '\0';
          named += *is != '\0';
          if (names[i] == NULL)
            names[i] = g_steal_pointer (&is);
        }
    }
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachineRun *run = machines_of (&p)->rows[i].run;
      if (run != NULL && run->seconds > machines_of (&p)->end * 1.0001 && *names[i] == '\0')
        g_error ("row %u ends beyond the axis, and doesn’t say when", i);
    }
  g_test_message ("%u bars with words, %u of them twice", named, again);
  g_assert_cmpuint (again, >, 2);
  close_picture (&p);
}

/* Before any step was recorded the axis ends as the slowest model that trains does, or one that answers alone
 * and takes not twice as long. */
static void
test_no_lanes (void)
{
  Picture p;
  double slowest = 0, end = 0;
  guint longer = 0;

  start_picture (&p, ls_view_find ("machines"), ls_fixture_view (&ls_fixture_desk, LS_STATE_GETTING_READY),
                 NULL, 1920, 1080);
  const LsMachines *m = machines_of (&p);
  g_assert_cmpfloat (m->seconds, ==, 0);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    if (m->rows[i].run != NULL && !m->rows[i].machine->forward)
      slowest = MAX (slowest, m->rows[i].run->seconds);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    if (m->rows[i].run != NULL && m->rows[i].run->seconds <= 2 * slowest)
      end = MAX (end, m->rows[i].run->seconds);
    else
      longer += m->rows[i].run != NULL;
  g_assert_cmpfloat (slowest, >, 0);
  g_assert_cmpuint (longer, >, 0); /* or nothing would be told by this */
  g_assert_cmpfloat_with_epsilon (m->end, end, 1e-9 * end);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines/no-lanes", test_no_lanes);
  g_test_add_func ("/paint/machines/row-titles", test_titles);
  g_test_add_func ("/paint/machines/row-named", test_named);
  g_test_add_func ("/paint/machines/bars", test_bars);
  g_test_add_func ("/paint/machines/clock", test_clock);
  g_test_add_func ("/paint/machines/beyond", test_beyond);
  g_test_add_func ("/paint/machines/error", test_error);
  g_test_add_func ("/paint/machines/devices", test_devices);
  g_test_add_func ("/paint/machines/values", test_values);
  g_test_add_func ("/paint/machines/before", test_before);
  g_test_add_func ("/paint/machines/kept", test_kept);
  g_test_add_func ("/paint/machines/runs", test_runs);
  return g_test_run ();
}
