/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings that can’t be: every number is refused when it is wrong, in memory and in a file. And a device's
 * numbers, which older recordings have as texts.
 */
#include <math.h>

#include "begin.h"
#include "files/json.h"
#include "files/recording_format.h"
#include "sample.h"
#include "tempdir.h"

/* Each member of an event, set to what can't be. */
static void
test_bad_events (void)
{
  enum { TILE = 2 };
  static const struct {
    guint lane;
    LsEvent event;
    const char *words;
  } bad[] = {
    { 0, { 10, 9, 0, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "ends before it starts" },
    { 0, { 10, G_MAXUINT64, 0, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "its end is out of range" },
    { 0, { 1, 2, G_MAXUINT32, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "tile 4294967295 is outside" },
    { 0, { 1, 2, 36, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "tile 36 is outside its op’s grid of 3×12" },
    { 0, { 1, 2, 0, 0, 999, 0, LS_EVENT_TILE, 0, 0, 0 }, "its op is 999" },
    { 0, { 1, 2, 0, 0, LS_OP_NONE, 0, LS_EVENT_TILE, 0, 0, 0 }, "its op is 65535" },
    { 0, { 1, 2, 0, 0, LS_OP_NONE, 0, LS_EVENT_GROUP, 0, 0, 0 }, "its op is 65535" },
    { 0, { 1, 2, 0, 0, 999, 0, LS_EVENT_WAIT, 0, 0, 0 }, "its op is 999" },
    { 0, { 1, 2, 0, 0, 0, -2, LS_EVENT_TILE, 0, 0, 0 }, "its unit is -2" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_N_KINDS, 0, 0, 0 }, "its kind 12 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, 255, 0, 0, 0 }, "its kind 255 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, LS_LANE_CLOCK (0, 3), 0, 0 }, "its clock 3 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, LS_LANE_CLOCK (0, 15), 0, 0 }, "its clock 15 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, 0, LS_MAX_WORKERS, 0 }, "its worker is out of range" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, 0, 0, LS_MAX_WORKERS }, "its worker is out of range" },
    { 1,
      { 1, G_GUINT64_CONSTANT (1) << 32, 0, 0, 0, 0, LS_EVENT_GROUP, LS_LANE_CLOCK (1, LS_CLOCK_ORDER), 0,
        0 },
      "its end is out of range" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording ();
      g_autoptr (GError) error = NULL;
      g_autofree char *where = g_strdup_printf ("lane %u, event %d: ", bad[i].lane, TILE);

      g_array_index (recording->lanes[bad[i].lane].events, LsEvent, TILE) = bad[i].event;
      sample_save (recording, path);
      sample_refuse (path, bad[i].words);
      sample_refuse (path, where);
      g_assert_false (ls_recording_seal (recording, &error));
      g_assert_nonnull (strstr (error->message, where));
      assert_refused (&error, LS_ERROR_DATA, bad[i].words);
    }
}

/* Test accuracies that can't be. */
static void
test_accuracies (void)
{
  static const LsAccuracy wrong[][2] = { { { 1, .5 }, { 1, .6 } },       { { 2, .5 }, { 1, .6 } },
                                         { { 1, .5 }, { 1 << 30, .6 } }, { { 1, .5 }, { 2, 1.5 } },
                                         { { 1, -.5 }, { 2, .5 } },      { { 1, .5 }, { 2, (double) NAN } } };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "accuracies");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording ();

      recording->lanes[0].accuracies = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
      g_array_append_vals (recording->lanes[0].accuracies, wrong[i], 2);
      sample_save (recording, path);
      sample_refuse (path, i < 3    ? "lane 0, accuracy 1: its step isn’t between"
                           : i == 4 ? "lane 0, accuracy 0: it isn’t between 0 and 1"
                                    : "lane 0, accuracy 1: it isn’t between 0 and 1");
    }
}

/* What was said of the test set: each column wrong in turn, and a good one. */
static void
test_evaluation (void)
{
  static const char *const words[] = { NULL,
                                       "a class that the plan",
                                       "a class that the plan",
                                       "listed as a mistake isn’t",
                                       "listed as a mistake isn’t",
                                       "probability or loss",
                                       "probability or loss",
                                       "probability or loss",
                                       "probability or loss",
                                       NULL };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "exam");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
      g_autoptr (GError) error = NULL;
      LsEvaluation *evaluation = recording->lanes[1].evaluation = ls_evaluation_new (9, 4, 36);

      for (guint k = 0; k < 9; k++)
        ls_evaluation_put (evaluation, k, k % 4, k < 7 ? k % 4 : 2, .75f, 2);
      evaluation->worst[1].loss = 1.5f;
      evaluation->steps = 6;
      evaluation->values = g_new0 (float, evaluation->n_worst * 36);
      evaluation->values[40] = .25f;
      if (i == 1)
        evaluation->predicted[2] = 4;
      else if (i == 2)
        evaluation->labels[2] = 65535;
      else if (i == 3)
        evaluation->worst[0].sample = 9;
      else if (i == 4)
        evaluation->worst[0].sample = 0;
      else if (i == 5)
        evaluation->worst[0].confidence = 1.5f;
      else if (i == 6)
        evaluation->worst[1].loss = 3;
      else if (i == 7)
        evaluation->worst[0].loss = (float) NAN;
      else if (i == 8)
        evaluation->worst[1].confidence = -.01f;
      else if (i == 9) /* which can be: the least and the most, and losses that are the same */
        {
          evaluation->worst[0].confidence = 1;
          evaluation->worst[1].confidence = 0;
          evaluation->worst[0].loss = evaluation->worst[1].loss = 0;
        }
      sample_save (recording, path);
      if (words[i] != NULL)
        {
          sample_refuse (path, words[i]);
          continue;
        }
      loaded = ls_recording_load (path, &error);
      g_assert_no_error (error);
      g_assert_null (loaded->lanes[0].evaluation);
      g_assert_cmpuint (loaded->lanes[1].evaluation->steps, ==, 6);
      g_assert_cmpuint (loaded->lanes[1].evaluation->n_right, ==, evaluation->n_right);
      g_assert_cmpuint (loaded->lanes[1].evaluation->n_worst, ==, 2);
      g_assert_cmpmem (loaded->lanes[1].evaluation->predicted, 18, evaluation->predicted, 18);
      g_assert_cmpmem (loaded->lanes[1].evaluation->worst, 2 * sizeof (LsMistake), evaluation->worst,
                       2 * sizeof (LsMistake));
      g_assert_cmpmem (loaded->lanes[1].evaluation->values, 2 * 144, evaluation->values, 2 * 144);
    }
}

/* What can't be in the structs, and is found when sealed and when loaded. */
static void
corrupt (LsRecording *r, guint which)
{
  switch (which)
    {
    case 0:
      r->lanes[0].tilings[2].leader = 3;
      break;
    case 1:
      r->lanes[0].tilings[2].grid_rows++;
      break;
    case 2:
      r->lanes[0].tilings[2].tile_cols = 0;
      break;
    case 3:
      ls_tiling_set (&r->lanes[0].tilings[2], 1 << 30, 1 << 30, 1, 1);
      break;
    case 4:
      r->lanes[1].end_ns = r->lanes[1].start_ns - 1;
      break;
    case 5:
      r->ops[1].in[0] = r->n_shapes;
      break;
    case 6:
      r->ops[1].out[0] = 77777;
      break;
    case 7:
      r->shapes[0].shape[0] = G_MAXINT32;
      r->shapes[0].shape[1] = G_MAXINT32;
      r->shapes[0].shape[2] = G_MAXINT32;
      break;
    case 8:
      r->lanes[0].tilings[2].splits = 65536;
      r->lanes[0].tilings[2].rows = r->lanes[0].tilings[2].cols = 1000;
      r->lanes[0].tilings[2].tile_rows = r->lanes[0].tilings[2].tile_cols = 1;
      r->lanes[0].tilings[2].grid_rows = r->lanes[0].tilings[2].grid_cols = 1000;
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
test_bad_structs (void)
{
  static const char *const words[] = { "its leader 3 comes after",
                                       "the grid isn’t",
                                       "the grid isn’t",
                                       "too many tiles",
                                       "its step ends before",
                                       "op 1 reads tensor",
                                       "op 1 writes tensor 77777",
                                       "overflows",
                                       "too many tiles" };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording ();
      g_autoptr (GError) error = NULL;

      if (i == 7)
        for (guint l = 0; l < 2; l++)
          g_array_set_size (recording->lanes[l].tensors, 0);
      corrupt (recording, i);
      g_assert_false (ls_recording_seal (recording, &error));
      assert_refused (&error, LS_ERROR_DATA, words[i]);
      sample_save (recording, path);
      sample_refuse (path, words[i]);
    }
}

/* How texts among the facts became numbers: with the sizes' units, which are powers of 1024; what is no
 * number stays a fact. */
static void
test_older_texts (void)
{
  static const struct {
    const char *text;
    double number; /* -1: none */
  } rows[] = {
    { "48.0 KiB", 49152 },
    { "1.5 kB", 1536 },
    { "1.25 MiB", 1310720 },
    { "2.0 GiB", 2147483648.0 },
    { "33.4 KiB", 34201 }, /* 34201.6 */
    { "36.0\302\240KiB", 36864 },
    { "16", 16 },
    { "0.5", .5 },
    { "0", -1 },
    { "-3", -1 },
    { "nan", -1 },
    { "4294967296", -1 },
    { "many", -1 },
    { "", -1 },
  };
  g_autoptr (json_t) object = json_object ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const guint which = i % LS_DEVICE_N;
      const char *name = ls_device_number_names[which];
      g_autoptr (LsDeviceInfo) device = ls_device_info_new ("cpu");

      g_hash_table_insert (device->facts, g_strdup (name), g_strdup (rows[i].text));
      g_assert_true (ls_recording_read_numbers (device, object, NULL));
      if (device->numbers[which] != rows[i].number)
        g_error ("“%s” of an older recording is read as %.17g, not %.17g", rows[i].text,
                 device->numbers[which], rows[i].number);
      if (g_hash_table_contains (device->facts, name) != (rows[i].number < 0))
        g_error ("“%s” of an older recording %s among the facts", rows[i].text,
                 rows[i].number < 0 ? "doesn't stay" : "stays");
      for (guint other = 0; other < LS_DEVICE_N; other++)
        if (other != which && device->numbers[other] != -1)
          g_error ("“%s” of %s is read as %s, too", rows[i].text, name, ls_device_number_names[other]);
    }
}

/* Who computed products then, and on which core: of OpenBLAS's description, and of a processor alone. */
static void
test_older_products (void)
{
  static const struct {
    const char *lane, *large, *driver;
    gboolean own;
    const char *core;
  } rows[] = {
    { "cpu", "own loops", "OpenBLAS 0.3.21 (Zen)", TRUE, "Zen" },
    { "cpu", "OpenBLAS 0.3.21", "own loops (8) and OpenBLAS (SkylakeX) threads", FALSE, "SkylakeX" },
    { "cpu", NULL, "own loops", FALSE, NULL },
    { "cpu", NULL, NULL, FALSE, NULL },
    { "opencl", NULL, "PoCL (cpu)", FALSE, NULL },
  };
  g_autoptr (json_t) object = json_object ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsDeviceInfo) device = ls_device_info_new (rows[i].lane);

      device->driver = g_strdup (rows[i].driver);
      if (rows[i].large != NULL)
        g_hash_table_insert (device->facts, g_strdup ("large-products"), g_strdup (rows[i].large));
      g_assert_true (ls_recording_read_numbers (device, object, NULL));
      if (device->own_products != rows[i].own || g_strcmp0 (device->core, rows[i].core) != 0)
        g_error ("of “%s”, driver “%s”, products are %s, core “%s”", rows[i].large, rows[i].driver,
                 device->own_products ? "its own" : "OpenBLAS’s", device->core);
    }
}

/* What is known is written under its name, and read from there; a text of that name is a fact then. */
static void
test_numbers_by_name (void)
{
  g_autoptr (LsDeviceInfo) device = ls_device_info_new ("cpu"), read = ls_device_info_new ("cpu");
  g_autoptr (GString) text = g_string_new ("{\"who\":0");
  g_autoptr (json_t) json = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < LS_DEVICE_N; i++)
    device->numbers[i] = i % 3 == 1 ? -1 : (double) i; /* 0 is known */
  ls_recording_append_numbers (text, device);
  g_string_append_c (text, '}');
  json = json_loads (text->str, 0, NULL);
  g_assert_nonnull (json);
  for (guint i = 0; i < LS_DEVICE_N; i++)
    {
      const json_t *member = json_object_get (json_object_get (json, "numbers"), ls_device_number_names[i]);
      if ((member != NULL) != (i % 3 != 1) || (member != NULL && json_number_value (member) != i))
        g_error ("%s isn’t written as it is, in %s", ls_device_number_names[i], text->str);
    }
  g_hash_table_insert (read->facts, g_strdup (ls_device_number_names[1]), g_strdup ("16"));
  g_assert_true (ls_recording_read_numbers (read, json, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (read->numbers, sizeof read->numbers, device->numbers, sizeof device->numbers);
  g_assert_true (g_hash_table_contains (read->facts, ls_device_number_names[1]));
}

/* As many mistakes as are kept come back, each with its own numbers. */
static void
test_most_mistakes (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;
  LsEvaluation *evaluation = recording->lanes[1].evaluation = ls_evaluation_new (LS_EVALUATION_WORST + 4, 4,
                                                                                 36);

  temp_dir_init (&dir);
  path = temp_path (&dir, "mistakes");
  for (guint k = 0; k < LS_EVALUATION_WORST + 4; k++)
    ls_evaluation_put (evaluation, k, k % 4, (k + 1) % 4, .5f + .02f * (float) k, 1 + (float) (k * 7 % 20));
  evaluation->steps = 6;
  evaluation->values = g_new0 (float, LS_EVALUATION_WORST * 36);
  g_assert_cmpuint (evaluation->n_worst, ==, LS_EVALUATION_WORST);
  sample_save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (loaded->lanes[1].evaluation->n_worst, ==, LS_EVALUATION_WORST);
  for (guint k = 0; k < LS_EVALUATION_WORST; k++)
    {
      const LsMistake *mistake = &loaded->lanes[1].evaluation->worst[k];

      g_assert_cmpfloat (mistake->loss, ==, 20 - (float) k); /* the greatest first */
      g_assert_cmpfloat (mistake->loss, ==, 1 + (float) (mistake->sample * 7 % 20));
      g_assert_cmpfloat (mistake->confidence, ==, .5f + .02f * (float) mistake->sample);
    }
}

/* As many workers as there can be were off their cores for so long, each its own time; one more can't be. */
static void
test_most_workers (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "workers");
  for (guint n = LS_MAX_WORKERS; n <= LS_MAX_WORKERS + 1; n++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
      g_autoptr (GError) error = NULL;
      GArray *off = recording->lanes[0].off_core = g_array_new (FALSE, FALSE, sizeof (guint64));

      for (guint64 w = 0; w < n; w++)
        g_array_append_val (off, w);
      /* all of the step */
      g_array_index (off, guint64, 5) = recording->lanes[0].end_ns - recording->lanes[0].start_ns;
      sample_save (recording, path);
      if (n > LS_MAX_WORKERS)
        {
          sample_refuse (path, "one for each of at most 254 workers");
          break;
        }
      loaded = ls_recording_load (path, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (loaded->lanes[0].off_core->data, loaded->lanes[0].off_core->len * sizeof (guint64),
                       off->data, n * sizeof (guint64));
    }
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/recording-faults/events", test_bad_events);
  g_test_add_func ("/recording-faults/accuracies", test_accuracies);
  g_test_add_func ("/recording-faults/exam", test_evaluation);
  g_test_add_func ("/recording-faults/most-mistakes", test_most_mistakes);
  g_test_add_func ("/recording-faults/most-workers", test_most_workers);
  g_test_add_func ("/recording-faults/structs", test_bad_structs);
  g_test_add_func ("/recording-faults/older-texts", test_older_texts);
  g_test_add_func ("/recording-faults/older-products", test_older_products);
  g_test_add_func ("/recording-faults/numbers-by-name", test_numbers_by_name);
  return g_test_run ();
}
