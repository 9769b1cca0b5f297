/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What sealing a recording refuses, each with its whole sentence, which says where; and what of a recording
 * its copies have and share.
 */
#include <math.h>

#include "begin.h"
#include "sample.h"
#include "tempdir.h"

/* An element of an array of the recording's. */
#define EVENT(r, lane, i) (&g_array_index ((r)->lanes[lane].events, LsEvent, i))
#define TENSOR(list, i)   (&g_array_index (list, LsRecordedTensor, i))
#define SAID(...)         g_strdup_printf (__VA_ARGS__)
#define MOST_ROWS         (1 << 24)

/* Makes one thing of it wrong; what is to be said, or NULL when there are no more. (transfer full) */
static char *
spoil (LsRecording *r, guint which)
{
  LsRecordedLane *lane = &r->lanes[1];

  switch (which)
    {
    case 0:
      lane->tilings[2].leader = 7;
      return SAID ("lane 1, op 2: its leader 7 comes after it.");
    case 1:
      lane->tilings[3].grid_cols++;
      return SAID ("lane 1, op 3: the grid isn’t what rows, columns and tile make.");
    case 2:
      lane->tilings[3].grid_rows--;
      return SAID ("lane 1, op 3: the grid isn’t what rows, columns and tile make.");
    case 3:
      r->ops[2].in[0] = r->n_shapes;
      return SAID ("op 2 reads tensor %u, of %u.", r->n_shapes, r->n_shapes);
    case 4:
      r->ops[3].out[0] = r->n_shapes;
      return SAID ("op 3 writes tensor %u, of %u.", r->n_shapes, r->n_shapes);
    case 5:
      lane->n_steps = MOST_ROWS + 1;
      return SAID ("lane 1 has more than %d events or steps.", MOST_ROWS);
    case 6:
      lane->clock_error_ns = -1;
      return SAID ("lane 1: its clock error is no positive number.");
    case 7:
      r->lanes[0].clock_error_ns = (double) NAN;
      return SAID ("lane 0: its clock error is no positive number.");
    case 8:
      g_clear_pointer (&lane->device, ls_device_info_free);
      return SAID ("lane 1 has no device.");
    case 9:
      EVENT (r, 1, 3)->lane_clock = LS_LANE_CLOCK (0, LS_CLOCK_HOST);
      return SAID ("lane 1, event 3: it is of lane 0.");
    case 10:
      EVENT (r, 1, 3)->kind = LS_EVENT_N_KINDS;
      return SAID ("lane 1, event 3: its kind 12 is unknown.");
    case 11:
      EVENT (r, 1, 3)->end_ns = EVENT (r, 1, 3)->start_ns - 1;
      return SAID ("lane 1, event 3: it ends before it starts.");
    case 12:
      EVENT (r, 0, 2)->unit = LS_UNIT_NONE - 1;
      return SAID ("lane 0, event 2: its unit is -2.");
    case 13:
      TENSOR (r->lanes[0].tensors, 1)->shape = r->n_shapes;
      return SAID ("lane 0 keeps a tensor that the plan doesn’t have.");
    case 14:
      ls_recording_take_before (r, 1, 0, g_new0 (char, 1));
      TENSOR (lane->before, 0)->shape = r->n_shapes;
      return SAID ("lane 1 keeps a tensor that the plan doesn’t have.");
    case 15:
      r->shapes[2].first = 1;
      return SAID ("tensor “%s” is no part of the tensor that it is said to be a part of.",
                   r->shapes[2].name);
    case 16:
      lane->end_ns = lane->start_ns - 1;
      return SAID ("lane 1: its step ends before it starts.");
    case 17:
      lane->device->roofs[0].value = -1;
      return SAID ("lane 1: a limit of its device is no positive number.");
    case 18:
      r->lanes[0].device->roofs[1].value = (double) INFINITY;
      return SAID ("lane 0: a limit of its device is no positive number.");
    case 19:
      g_free (lane->id);
      lane->id = g_strdup (r->lanes[0].id);
      return SAID ("two lanes are called “%s”.", lane->id);
    case 20:
      r->n_classes = 5;
      return SAID ("it has 4 names for 5 classes.");
    case 21:
      g_free (r->class_names);
      r->class_names = g_strdup ("a\nb\n\nd");
      return SAID ("the name of class 2 can’t be shown.");
    case 22:
      EVENT (r, 0, 2)->op = (guint16) r->n_ops;
      return SAID ("lane 0, event 2: its op is %u, of %u.", r->n_ops, r->n_ops);
    case 23:
      lane->finer = ls_recorded_cut_new (lane->tilings, r->n_ops, g_array_copy (lane->events), 6, 5);
      return SAID ("lane 1: its step ends before it starts.");
    case 24:
      lane->finer = ls_recorded_cut_new (lane->tilings, r->n_ops, g_array_copy (lane->events), 5, 6);
      g_array_index (lane->finer->events, LsEvent, 4).worker = LS_MAX_WORKERS;
      return SAID ("lane 1, event 4: its worker is out of range.");
    case 25:
      g_free (r->class_names);
      r->class_names = g_strdup ("a");
      return SAID ("it has 1 name for 4 classes.");
    default:
      return NULL;
    }
}

static void
test_sentences (void)
{
  for (guint which = 0;; which++)
    {
      g_autoptr (LsRecording) recording = sample_recording ();
      g_autoptr (GError) error = NULL;
      g_autofree char *what = spoil (recording, which),
                      *sentence = g_strconcat ("the recording is inconsistent: ", what, NULL);

      if (what == NULL)
        return;
      if (ls_recording_seal (recording, &error))
        g_error ("it is sealed, though “%s”", what);
      /* what walks and roofs have to say begins anew */
      if (!g_str_has_suffix (error->message, what) || !g_str_has_prefix (error->message, "the recording is"))
        g_error ("it says “%s”, not “%s”", error->message, sentence);
      g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
    }
}

/* A view lies in a tensor before it that is none itself, of its type, and ends where that one does at most.
 */
static void
test_views (void)
{
  static const struct {
    guint base;
    gint64 beyond; /* of the last place where it fits */
    gboolean base_is_view, other_type, taken;
  } rows[] = {
    { 0, 0, FALSE, FALSE, TRUE },  { 0, -1, FALSE, FALSE, TRUE }, { 0, 1, FALSE, FALSE, FALSE },
    { 0, 0, TRUE, FALSE, FALSE },  { 0, 0, FALSE, TRUE, FALSE },  { 1, 0, FALSE, FALSE, FALSE },
    { 2, 0, FALSE, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording ();
      g_autoptr (GError) error = NULL;
      LsRecordedShape *base = &recording->shapes[0], *view = &recording->shapes[1];

      base->rank = view->rank = 1;
      base->shape[0] = 12;
      view->shape[0] = 5;
      base->dtype = LS_F32;
      view->dtype = rows[i].other_type ? LS_I32 : LS_F32;
      base->is_view = rows[i].base_is_view;
      view->is_view = TRUE;
      view->base = rows[i].base;
      view->first = 7 + rows[i].beyond;
      if (ls_recording_seal (recording, &error) != rows[i].taken)
        g_error ("row %u: a view of 5 elements from %d on of %s is %s", i, (int) view->first,
                 view->base == 0 ? "12 before it" : "what isn't before it",
                 rows[i].taken ? "refused" : "taken");
    }
}

/* An lstm that was taken apart has five passes over its grid, and no sixth. */
static void
test_lstm_passes (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  LsEvent *event = EVENT (recording, 0, 2);
  const guint tiles = recording->lanes[0].tilings[event->op].grid_rows
                      * recording->lanes[0].tilings[event->op].grid_cols;

  g_assert_cmpuint (event->kind, ==, LS_EVENT_TILE);
  event->tile = 5 * tiles - 1;
  g_assert_false (ls_recording_seal (recording, NULL));
  g_free (recording->ops[event->op].name);
  recording->ops[event->op].name = g_strdup ("lstm");
  g_assert_true (ls_recording_seal (recording, NULL));
  event->tile++;
  g_assert_false (ls_recording_seal (recording, NULL));
}

static void
assert_shares (const LsRecording *copy, const LsRecording *of)
{
  g_assert_cmpstr (copy->program, ==, of->program);
  g_assert_cmpstr (copy->date, ==, of->date);
  g_assert_cmpstr (copy->model, ==, of->model);
  g_assert_cmpstr (copy->model_name, ==, of->model_name);
  g_assert_cmpstr (copy->class_names, ==, of->class_names);
  for (guint i = 0; i < of->n_shapes; i++)
    {
      g_assert_cmpstr (copy->shapes[i].name, ==, of->shapes[i].name);
      g_assert_cmpstr (copy->shapes[i].symbol, ==, of->shapes[i].symbol);
    }
  for (guint i = 0; i < of->n_ops; i++)
    {
      g_assert_cmpstr (copy->ops[i].name, ==, of->ops[i].name);
      g_assert_cmpstr (copy->ops[i].symbol, ==, of->ops[i].symbol);
      g_assert_cmpstr (copy->ops[i].equation, ==, of->ops[i].equation);
    }
  for (guint l = 0; l < of->n_lanes; l++)
    {
      g_assert_cmpstr (copy->lanes[l].id, ==, of->lanes[l].id);
      g_assert_cmpstr (copy->lanes[l].spec, ==, of->lanes[l].spec);
      g_assert_cmpstr (copy->lanes[l].device->name, ==, of->lanes[l].device->name);
      g_assert_true (copy->lanes[l].events == of->lanes[l].events);
      g_assert_true (copy->lanes[l].curve == of->lanes[l].curve);
      g_assert_cmpmem (copy->lanes[l].tilings, of->n_ops * sizeof (LsTiling), of->lanes[l].tilings,
                       of->n_ops * sizeof (LsTiling));
    }
  g_assert_true (ls_recording_shares_step (copy, of) && ls_recording_shares_step (of, copy));
}

/* Every text of the plan, of its own; without any values, which are what it weighs; and itself once it has
 * none. */
static void
test_copies (void)
{
  g_autoptr (LsRecording) recording = sample_recording (), bare = NULL, again = NULL, lab = NULL,
                          stranger = sample_recording ();
  gsize values = 0;

  g_free (recording->model_name);
  recording->model_name = g_strdup ("cnn");
  bare = ls_recording_without_tensors (recording);
  again = ls_recording_without_tensors (bare);
  lab = ls_recording_with_lab (recording, "{\"batch\":1}");
  assert_shares (bare, recording);
  assert_shares (lab, recording);
  g_assert_true (again == bare);
  g_assert_false (ls_recording_shares_step (recording, stranger));
  g_assert_cmpstr (lab->lab, ==, "{\"batch\":1}");
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpuint (bare->lanes[l].tensors->len + bare->lanes[l].before->len, ==, 0);
      g_assert_cmpuint (lab->lanes[l].tensors->len, ==, recording->lanes[l].tensors->len);
      for (guint i = 0; i < recording->lanes[l].tensors->len; i++)
        values += sizeof (LsRecordedTensor)
                  + (gsize) ls_recorded_shape_bytes (
                    &recording->shapes[TENSOR (recording->lanes[l].tensors, i)->shape]);
    }
  g_assert_cmpuint (ls_recording_bytes (recording), ==, ls_recording_bytes (bare) + values);
  /* its texts end with a byte, and what of it there is twice weighs twice */
  g_assert_cmpuint (ls_recording_bytes (lab), ==, ls_recording_bytes (recording) + strlen (lab->lab) + 1);
  ls_recording_take_before (recording, 0, 0, g_malloc0 ((gsize) ls_recorded_shape_bytes (recording->shapes)));
  g_assert_cmpuint (ls_recording_bytes (recording), ==,
                    ls_recording_bytes (bare) + values + sizeof (LsRecordedTensor)
                      + (gsize) ls_recorded_shape_bytes (recording->shapes));
}

/* How the lanes ran and how many first steps don't count, from words that anybody may have written. */
static void
test_conditions (void)
{
  static const struct {
    const char *lanes, *steps; /* NULL: not told */
    gboolean turns;
    guint warm_up;
  } rows[] = {
    { NULL, NULL, FALSE, 0 },
    { "in turn", "10", TRUE, 10 },
    { "racing", "7", FALSE, 7 },
    { "", "", FALSE, 0 },
    { "In turn", "0", FALSE, 0 },
    { "in turns", "1", FALSE, 1 },
    { "in turn", "-1", TRUE, 0 },
    { "in turn", "7 steps", TRUE, 0 },
    { NULL, "4294967295", FALSE, G_MAXUINT },
    { NULL, "4294967296", FALSE, 0 },
    { "in turn", "ten", TRUE, 0 },
  };
  TempDir dir;

  temp_dir_init (&dir);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *path = temp_path (&dir, "a.safetensors");

      g_hash_table_remove (recording->conditions, "lanes");
      g_hash_table_remove (recording->conditions, "warm-up steps");
      if (rows[i].lanes != NULL)
        g_hash_table_insert (recording->conditions, g_strdup ("lanes"), g_strdup (rows[i].lanes));
      if (rows[i].steps != NULL)
        g_hash_table_insert (recording->conditions, g_strdup ("warm-up steps"), g_strdup (rows[i].steps));
      sample_save (recording, path);
      loaded = ls_recording_load (path, &error);
      g_assert_no_error (error);
      if (loaded->turns != rows[i].turns || loaded->warm_up != rows[i].warm_up)
        g_error ("lanes that ran “%s”, with “%s” steps to warm up, %s, with %u", rows[i].lanes, rows[i].steps,
                 loaded->turns ? "took turns" : "raced", loaded->warm_up);
    }
  temp_dir_clear (&dir);
}

/* What is told in words weighs as much as its words. */
static void
test_words_weigh (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  GHashTable *const tables[] = { recording->options, recording->conditions,
                                 recording->lanes[1].device->facts };
  char **const texts[] = { &recording->shapes[1].name, &recording->shapes[1].symbol, &recording->ops[1].name,
                           &recording->ops[1].symbol, &recording->ops[1].equation };
  gsize bytes = ls_recording_bytes (recording);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      char *longer = g_strconcat (*texts[i], " and more", NULL);

      g_free (*texts[i]);
      *texts[i] = longer;
      bytes += strlen (" and more");
      g_assert_cmpuint (ls_recording_bytes (recording), ==, bytes);
    }
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_assert_true (
        g_hash_table_insert (tables[i], g_strdup ("its name"), g_strdup ("and much more of it")));
      bytes += 2 * sizeof (gpointer) + sizeof "its name" + sizeof "and much more of it";
      g_assert_cmpuint (ls_recording_bytes (recording), ==, bytes);
    }
}

/* A recording without its tensors has none of those before its step either, where it has no others, too. */
static void
test_without_values_before (void)
{
  g_autoptr (LsRecording) full = sample_recording (), bare = NULL;

  for (guint i = 0; i < full->n_lanes; i++)
    {
      g_array_set_size (full->lanes[i].tensors, 0);
      g_array_set_size (full->lanes[i].before, 0);
      g_ptr_array_set_size (full->lanes[i].walks, 0);
    }
  bare = ls_recording_without_tensors (full);
  g_assert_true (bare == full); /* nothing is left out */
  ls_recording_unref (bare);
  ls_recording_take_before (full, 1, 0, g_malloc0 ((gsize) ls_recorded_shape_bytes (&full->shapes[0])));
  bare = ls_recording_without_tensors (full);
  if (bare->lanes[1].before->len > 0)
    g_error ("a recording “without tensors” has those from before its step");
  g_assert_cmpuint (full->lanes[1].before->len, ==, 1);
}

/* Steps that a lane hasn't done, since it was opened anew where the others were, are missing in the file,
 * too: they took no time, and its rate knows nothing of them. A loss that is no number is a step's all the
 * same. */
static void
test_missing_steps (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;
  LsCurve *curve = ls_curve_new ();
  LsCounted counted;
  double us[40];
  gsize n;

  for (guint i = 0; i < 40; i++)
    ls_curve_append (curve, i >= 20 && i < 35 ? (LsPoint){ .loss = NAN, .flags = LS_POINT_MISSING }
                                              : (LsPoint){ .loss = i == 18 ? NAN : 1, .step_us = 1000 });
  ls_recording_set_history (recording, 1, curve, 40);
  ls_curve_unref (curve);
  temp_dir_init (&dir);
  path = temp_path (&dir, "missing");
  sample_save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 40; i++)
    if (((ls_curve_get (loaded->lanes[1].curve, i).flags & LS_POINT_MISSING) != 0) != (i >= 20 && i < 35))
      g_error ("step %u, which the lane has%s done, is%s missing in the file", i + 1,
               i >= 20 && i < 35 ? "n’t" : "", i >= 20 && i < 35 ? "n’t" : "");
  n = ls_curve_collect (loaded->lanes[1].curve, 0, 40, 40, 0, us, &counted);
  g_assert_cmpuint (n, ==, 40 - 15 - loaded->warm_up - 1);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (us[i], ==, 1000);
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/recording-sealed/sentences", test_sentences);
  g_test_add_func ("/recording-sealed/views", test_views);
  g_test_add_func ("/recording-sealed/lstm-passes", test_lstm_passes);
  g_test_add_func ("/recording-sealed/copies", test_copies);
  g_test_add_func ("/recording-sealed/words-weigh", test_words_weigh);
  g_test_add_func ("/recording-sealed/conditions", test_conditions);
  g_test_add_func ("/recording-sealed/without-values-before", test_without_values_before);
  g_test_add_func ("/recording-sealed/missing-steps", test_missing_steps);
  return g_test_run ();
}
