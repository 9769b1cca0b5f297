/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings that can’t be: every field is refused when it is wrong, in memory and in a file.
 */
#include <math.h>

#include "begin.h"
#include "files/export.h"
#include "files/safetensors.h"
#include "sample.h"
#include "tempdir.h"

static void
refuse (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_recording_load (path, &error));
  assert_refused (&error, LS_ERROR_DATA, words);
}

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
    { 1, { 1, G_GUINT64_CONSTANT (1) << 32, 0, 0, 0, 0, LS_EVENT_GROUP, LS_LANE_CLOCK (1, LS_CLOCK_ORDER), 0, 0 },
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

      g_array_index (recording->lanes[bad[i].lane].events, LsEvent, TILE) = bad[i].event;
      sample_save (recording, path);
      refuse (path, bad[i].words);
      g_assert_false (ls_recording_seal (recording, &error));
      assert_refused (&error, LS_ERROR_DATA, bad[i].words);
    }
}

/* Test accuracies that can't be. */
static void
test_accuracies (void)
{
  static const LsAccuracy wrong[][2] = { { { 1, .5 }, { 1, .6 } }, { { 2, .5 }, { 1, .6 } }, { { 1, .5 }, { 1 << 30, .6 } },
                                         { { 1, .5 }, { 2, 1.5 } }, { { 1, -.5 }, { 2, .5 } }, { { 1, .5 }, { 2, (double) NAN } } };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "accuracies");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording ();

      recording->lanes[1].accuracies = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
      g_array_append_vals (recording->lanes[1].accuracies, wrong[i], 2);
      sample_save (recording, path);
      refuse (path, i < 3 ? "its step isn’t between" : "it isn’t between 0 and 1");
    }
}

/* What was said of the test set: each column wrong in turn, and a good one. */
static void
test_exam (void)
{
  static const char *const words[] = { NULL, "a class that the plan", "a class that the plan", "a mistake isn’t one", "a mistake isn’t one",
                                       "probability or loss", "probability or loss", "probability or loss" };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "exam");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
      g_autoptr (GError) error = NULL;
      LsExam *exam = recording->lanes[1].exam = ls_exam_new (9, 4, 36);

      for (guint k = 0; k < 9; k++)
        ls_exam_put (exam, k, k % 4, k < 7 ? k % 4 : 2, .75f, 2);
      exam->worst[1].loss = 1.5f;
      exam->steps = 6;
      exam->values = g_new0 (float, exam->n_worst * 36);
      exam->values[40] = .25f;
      if (i == 1)
        exam->said[2] = 4;
      else if (i == 2)
        exam->labels[2] = 65535;
      else if (i == 3)
        exam->worst[0].sample = 9;
      else if (i == 4)
        exam->worst[0].sample = 0;
      else if (i == 5)
        exam->worst[0].confidence = 1.5f;
      else if (i == 6)
        exam->worst[1].loss = 3;
      else if (i == 7)
        exam->worst[0].loss = (float) NAN;
      sample_save (recording, path);
      if (words[i] != NULL)
        {
          refuse (path, words[i]);
          continue;
        }
      loaded = ls_recording_load (path, &error);
      g_assert_no_error (error);
      g_assert_null (loaded->lanes[0].exam);
      g_assert_cmpuint (loaded->lanes[1].exam->steps, ==, 6);
      g_assert_cmpuint (loaded->lanes[1].exam->n_right, ==, exam->n_right);
      g_assert_cmpuint (loaded->lanes[1].exam->n_worst, ==, 2);
      g_assert_cmpmem (loaded->lanes[1].exam->said, 18, exam->said, 18);
      g_assert_cmpmem (loaded->lanes[1].exam->worst, 2 * sizeof (LsMistake), exam->worst, 2 * sizeof (LsMistake));
      g_assert_cmpmem (loaded->lanes[1].exam->values, 2 * 144, exam->values, 2 * 144);
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
  static const char *const words[] = { "its leader 3 comes after", "the grid isn’t", "the grid isn’t", "too many tiles",
                                       "its step ends before", "op 1 reads tensor", "op 1 writes tensor 77777",
                                       "overflows", "too many tiles" };
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
      refuse (path, words[i]);
    }
}

/* The file again with `from` replaced by `to` in its header, the first time it occurs. */
static void
edit (const char *bytes, gsize n, const char *path, const char *from, const char *to)
{
  guint64 length;
  g_autofree char *header = NULL;
  g_autoptr (GString) edited = NULL;
  g_autoptr (GByteArray) file = g_byte_array_new ();

  memcpy (&length, bytes, 8);
  header = g_strndup (bytes + 8, length);
  edited = g_string_new (header);
  if (g_string_replace (edited, from, to, 1) != 1)
    g_error ("no “%s” in the header", from);
  length = edited->len;
  g_byte_array_append (file, (guint8 *) &length, 8);
  g_byte_array_append (file, (const guint8 *) edited->str, (guint) edited->len);
  g_byte_array_append (file, (const guint8 *) bytes + 8 + strlen (header), (guint) (n - 8 - strlen (header)));
  put_file (path, file->data, file->len);
}

static void
test_bad_header (void)
{
  static const struct {
    const char *from, *to, *words;
  } bad[] = {
    { "\"format\":\"lockstep.recording\"", "\"format\":\"pt\"", "it is no recording" },
    { "\"format\":\"lockstep.recording\",", "", "it is no recording" },
    { "\"version\":\"3\"", "\"version\":\"4\"", "version 4, made by a newer Lockstep; this one reads version 3" },
    { "\"version\":\"3\"", "\"version\":\"0\"", "unknown version 0" },
    { "\"version\":\"3\"", "\"version\":\"1.0\"", "“version” must be a whole number" },
    { "\"version\":\"3\"", "\"version\":\"-1\"", "“version” must be a whole number" },
    { ",\"version\":\"3\"", "", "lack “version”" },
    { "\"date\":", "\"dat\":", "lack “date”" },
    { "\"program\":", "\"prog\":", "lack “program”" },
    { "\"step\":\"7\"", "\"step\":\"x\"", "“step” must be a whole number" },
    { "\"start_ns\":\"9007199254740993\"", "\"start_ns\":\"9007199254740992\"", "start_ns isn’t" },
    { "\"plan\":\"{", "\"plan\":\"[", "“plan”" },
    { "\"plan\":\"{", "\"plan\":\"// {", "“plan”" },
    { "\"lanes\":\"[", "\"lanes\":\"{}[", "“lanes”" },
    { "\"lanes\":\"[", "\"lanes\":\"[0,", "element 0 of “lanes”" },
    { "\"options\":\"{", "\"options\":\"{\\\"a\\\":1,", "“a” of the options must be text" },
    { "\"conditions\":\"{", "\"conditions\":\"[{", "“conditions”" },
    { "\\\"optimizer\\\":\\\"sgd\\\"", "\\\"optimizer\\\":\\\"sdg\\\"", "must be one of sgd, adam" },
    { "\\\"batch\\\":5", "\\\"batch\\\":0", "“batch” must be a whole number from 1" },
    { "\\\"batch\\\":5", "\\\"batch\\\":\\\"5\\\"", "“batch”" },
    { "\\\"in_shape\\\":[1,6,6]", "\\\"in_shape\\\":[1,6]", "“in_shape”" },
    { "\\\"in_shape\\\":[1,6,6]", "\\\"in_shape\\\":[1,6,0]", "“in_shape”" },
    { "\\\"n_classes\\\":4", "\\\"n_classes\\\":4.5", "“n_classes”" },
    { "\\\"model_name\\\":null", "\\\"model_name\\\":7", "“model_name”" },
    { "\\\"role\\\":\\\"input\\\"", "\\\"role\\\":\\\"imput\\\"", "“role” must be one of" },
    { "\\\"phase\\\":\\\"forward\\\"", "\\\"phase\\\":\\\"foreword\\\"", "“phase” must be one of" },
    { "\\\"name\\\":\\\"0.weight\\\"", "\\\"name\\\":\\\"0.bias\\\"", "two tensors “0.bias”" },
    { "\\\"name\\\":\\\"0.weight\\\"", "\\\"name\\\":\\\"other\\\"", "2 tensors that belong to nothing" },
    { "\\\"leader\\\":0", "\\\"leader\\\":4097", "“leader”" },
    { "\\\"reference\\\":false", "\\\"reference\\\":0", "true or false" },
    { "\\\"kernel\\\":\\\"sgemm", "\\\"kernel\\\":\\\"0123456789012345678901234567890123456789 sgemm", "shorter than 48" },
    { "\\\"clock_error_ns\\\":0", "\\\"clock_error_ns\\\":null", "“clock_error_ns”" },
    { "\\\"clock_error_ns\\\":0", "\\\"clock_error_ns\\\":-1e9", "“clock_error_ns”" },
    { "\\\"backend\\\":\\\"cpu\\\"", "\\\"backend\\\":null", "“backend” must be a string" },
    { "\\\"facts\\\":{}", "\\\"facts\\\":{\\\"a\\\":{}}", "“a” of the facts" },
    { "\\\"threads\\\":-1", "\\\"threads\\\":-2", "“threads”" },
    { "lanes.0.events.tile\":{\"dtype\":\"U32\"", "lanes.0.events.tile\":{\"dtype\":\"I32\"", "row of at most" },
    { "lanes.0.events.tile\"", "lanes.0.events.tiles\"", "lacks the tensor “lanes.0.events.tile”" },
    { "lanes.0.losses\":{\"dtype\":\"F32\",\"shape\":[7]", "lanes.0.losses\":{\"dtype\":\"F32\",\"shape\":[7,1]", "row of" },
    { "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\"", "lanes.0.tensors.0.weight\":{\"dtype\":\"I32\"", "type and shape" },
    { "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,1,3,3]",
      "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,3,1,3]", "type and shape" },
    { "lanes.0.tensors.0.weight\"", "lanes.2.tensors.0.weight\"", "1 tensors that belong to nothing" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = sample_recording ();
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      edit (bytes, n, path, bad[i].from, bad[i].to);
      refuse (path, bad[i].words);
    }
}

/* A column that is shorter than the others. */
static void
test_columns (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL, *from = NULL, *to = NULL;
  g_autoptr (LsPlan) plan = sample_plan ();
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 1, 1);
  g_autoptr (GError) error = NULL;
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "columns");
  recording->lanes[0].device = ls_device_info_new ("cpu");
  sample_event (&recording->lanes[0], 0, LS_EVENT_STEP, LS_CLOCK_HOST, LS_OP_NONE, 0, 0, 5);
  g_assert_true (ls_recording_seal (recording, &error));
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  /* Of one event: start_ns, end_ns, tile … from, the last at the file's end. */
  n--;
  from = g_strdup ("lanes.0.events.from\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[31,32]}");
  to = g_strdup ("lanes.0.events.from\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[31,31]}");
  edit (bytes, n, path, from, to);
  refuse (path, "has 0 elements, but there are 1 events");
}

static void
test_mutations (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = sample_recording ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);
  guint64 header;
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "mutated");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  memcpy (&header, bytes, 8);
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *copy = g_memdup2 (bytes, n);
      g_autoptr (LsRecording) loaded = NULL;
      gint end = i % 2 == 0 ? (gint) header : (gint) n;

      copy[g_rand_int_range (rand, 0, end)] = (char) g_rand_int_range (rand, 32, 127);
      put_file (path, copy, n);
      loaded = ls_recording_load (path, NULL);
      if (loaded != NULL)
        {
          g_autoptr (GString) csv = ls_export_csv (loaded), json = ls_export_perfetto (loaded);

          g_assert_cmpuint (csv->len, >, 0);
          g_assert_cmpuint (json->len, >, 0);
        }
      put_file (path, bytes, (gsize) g_rand_int_range (rand, 0, (gint) n));
      refuse (path, NULL);
    }
}

/* The file once more, one of its columns shorter by its last element. */
static void
shorten (const char *from, const char *to, const char *column)
{
  static const LsSafetensorsLimits limits = { 1 << 20, 4096, 1 << 24 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) file = ls_safetensors_open (from, &limits, &error);
  g_autoptr (LsSafetensorsWriter) writer = ls_safetensors_writer_new ();
  g_autoptr (GPtrArray) data = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer key, text;

  g_assert_no_error (error);
  g_hash_table_iter_init (&iter, file->metadata);
  while (g_hash_table_iter_next (&iter, &key, &text))
    ls_safetensors_writer_set (writer, key, text);
  for (guint i = 0; i < file->n_tensors; i++)
    {
      const LsStTensor *tensor = &file->tensors[i];
      const gint64 shorter = tensor->shape[0] - 1;
      gpointer values = g_malloc ((gsize) tensor->bytes + 1);

      g_ptr_array_add (data, values);
      g_assert_true (ls_safetensors_read (file, tensor, values, &error));
      ls_safetensors_writer_add (writer, tensor->name, tensor->dtype, tensor->rank,
                                 strcmp (tensor->name, column) == 0 ? &shorter : tensor->shape, values);
    }
  g_assert_true (ls_safetensors_writer_save (writer, to, &limits, &error));
  g_assert_no_error (error);
}

static void
test_history (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *shorter = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "whole");
  shorter = temp_path (&dir, "shorter");
  sample_save (recording, path);
  shorten (path, shorter, "none of them");
  loaded = ls_recording_load (shorter, &error);
  g_assert_no_error (error);
  shorten (path, shorter, "lanes.1.losses");
  refuse (shorter, "lane 1 has 6 losses, but times of 7 steps");
  shorten (path, shorter, "lanes.0.step_ns");
  refuse (shorter, "lane 0 has 7 losses, but times of 6 steps");
}

/* The wrong file chosen: a text, a picture. */
static void
test_stranger (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "text");
  put_file (path, "# Lockstep, a text\n", 19);
  refuse (path, "it is no recording");
  put_file (path, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  refuse (path, "it is no recording");
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/recording-faults/events", test_bad_events);
  g_test_add_func ("/recording-faults/accuracies", test_accuracies);
  g_test_add_func ("/recording-faults/exam", test_exam);
  g_test_add_func ("/recording-faults/structs", test_bad_structs);
  g_test_add_func ("/recording-faults/header", test_bad_header);
  g_test_add_func ("/recording-faults/columns", test_columns);
  g_test_add_func ("/recording-faults/stranger", test_stranger);
  g_test_add_func ("/recording-faults/history", test_history);
  g_test_add_func ("/recording-faults/mutations", test_mutations);
  return g_test_run ();
}
