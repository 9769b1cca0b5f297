/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that hold no recording: a header or columns that can’t be, bytes that were changed or lost, other
 * kinds of file.
 */
#include "begin.h"
#include "files/safetensors.h"
#include "sample.h"
#include "tempdir.h"

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
    { "\"version\":\"4\"", "\"version\":\"5\"",
      "version 5, made by a newer Lockstep; this one reads version 4" },
    { "\"version\":\"4\"", "\"version\":\"0\"", "unknown version 0" },
    { "\"version\":\"4\"", "\"version\":\"1.0\"", "“version” must be a whole number" },
    { "\"version\":\"4\"", "\"version\":\"-1\"", "“version” must be a whole number" },
    { ",\"version\":\"4\"", "", "lack “version”" },
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
    { "\\\"class_names\\\":\\\"circle", "\\\"class_names\\\":\\\"", "the name of class 0 can’t be shown" },
    { "\\\"class_names\\\":\\\"circle", "\\\"class_names\\\":\\\"a\\\\nb", "it has 5 names for 4 classes" },
    { "\\\"class_names\\\":\\\"circle", "\\\"class_names\\\":\\\"\\\\u001b[2J",
      "the name of class 0 can’t be shown" },
    { "\\\"class_names\\\":\\\"circle", "\\\"class_names\\\":7,\\\"other\\\":\\\"", "“class_names”" },
    { "\\\"role\\\":\\\"input\\\"", "\\\"role\\\":\\\"imput\\\"", "“role” must be one of" },
    { "\\\"phase\\\":\\\"forward\\\"", "\\\"phase\\\":\\\"foreword\\\"", "“phase” must be one of" },
    { "\\\"name\\\":\\\"0.weight\\\"", "\\\"name\\\":\\\"0.bias\\\"", "two tensors “0.bias”" },
    { "\\\"name\\\":\\\"0.weight\\\"", "\\\"name\\\":\\\"other\\\"", "2 tensors that belong to nothing" },
    { "\\\"leader\\\":0", "\\\"leader\\\":4097", "“leader”" },
    { "\\\"reference\\\":false", "\\\"reference\\\":0", "true or false" },
    { "\\\"kernel\\\":\\\"sgemm", "\\\"kernel\\\":\\\"0123456789012345678901234567890123456789 sgemm",
      "shorter than 48" },
    { "\\\"kernel\\\":\\\"sgemm per tile\\\"",
      "\\\"kernel\\\":\\\"012345678901234567890123456789012345678901234567\\\"",
      "the member “kernel” must be shorter than 48 bytes." },
    { "\\\"clock_error_ns\\\":0", "\\\"clock_error_ns\\\":null", "“clock_error_ns”" },
    { "\\\"clock_error_ns\\\":0", "\\\"clock_error_ns\\\":-1e9", "“clock_error_ns”" },
    { "\\\"backend\\\":\\\"cpu\\\"", "\\\"backend\\\":null", "“backend” must be a string" },
    { "\\\"facts\\\":{}", "\\\"facts\\\":{\\\"a\\\":{}}", "“a” of the facts" },
    { "\\\"threads\\\":-1", "\\\"threads\\\":-2", "“threads”" },
    { "lanes.0.events.tile\":{\"dtype\":\"U32\"", "lanes.0.events.tile\":{\"dtype\":\"I32\"",
      "row of at most" },
    { "lanes.0.events.tile\"", "lanes.0.events.tiles\"", "lacks the tensor “lanes.0.events.tile”" },
    { "lanes.0.losses\":{\"dtype\":\"F32\",\"shape\":[7]",
      "lanes.0.losses\":{\"dtype\":\"F32\",\"shape\":[7,1]", "row of" },
    { "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\"", "lanes.0.tensors.0.weight\":{\"dtype\":\"I32\"",
      "type and shape" },
    { "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,1,3,3]",
      "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,3,1,3]", "type and shape" },
    { "lanes.0.tensors.0.weight\"", "lanes.2.tensors.0.weight\"",
      "it holds 1 tensor that belongs to nothing." },
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
      sample_refuse (path, bad[i].words);
    }
}

/* No two tensors have one name, whichever two they are. */
static void
test_names (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = sample_recording ();
  const guint last = recording->n_shapes - 1;
  const guint pairs[][2] = { { 0, 1 }, { 0, last }, { 1, last }, { last - 1, last } }; /* its name, of whom */
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      const char *name = recording->shapes[pairs[i][0]].name;
      g_autofree char *from = g_strdup_printf ("\\\"name\\\":\\\"%s\\\"",
                                               recording->shapes[pairs[i][1]].name),
                      *to = g_strdup_printf ("\\\"name\\\":\\\"%s\\\"", name),
                      *words = g_strdup_printf ("the plan has two tensors “%s”.", name);

      edit (bytes, n, path, from, to);
      sample_refuse (path, words);
    }
}

/* As files were before they had numbers and ways: texts, which are read as those. */
static void
test_older (void)
{
  static const struct {
    const char *from, *to;
  } older[] = {
    { "\\\"facts\\\":{},\\\"numbers\\\":{}",
      "\\\"facts\\\":{\\\"cache-l1d\\\":\\\"48.0 "
      "KiB\\\",\\\"loop-floats\\\":\\\"16\\\",\\\"large-products\\\":\\\"own\\\"}" },
    { "\\\"driver\\\":null", "\\\"driver\\\":\\\"OpenBLAS 0.3 (Zen)\\\"" },
    { "\\\"tells\\\":null", "\\\"tells\\\":\\\"what nobody knows\\\"" },
    { ",\\\"way\\\":\\\"register\\\"", "" },
    { "\\\"class_names\\\":\\\"circle", "\\\"names_of_nobody\\\":\\\"circle" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), read = NULL;
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "older");
  sample_save (recording, path);
  for (guint i = 0; i < G_N_ELEMENTS (older); i++)
    {
      g_autofree char *bytes = NULL;
      gsize n;
      g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
      edit (bytes, n, path, older[i].from, older[i].to);
    }
  read = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read->lanes[0].device->who, ==, LS_BACKEND_CPU);
  g_assert_cmpfloat (read->lanes[0].device->numbers[LS_DEVICE_L1D], ==, 49152);
  g_assert_cmpfloat (read->lanes[0].device->numbers[LS_DEVICE_LOOP_FLOATS], ==, 16);
  g_assert_cmpfloat (read->lanes[0].device->numbers[LS_DEVICE_L2], ==, -1);
  g_assert_true (read->lanes[0].device->own_products);
  g_assert_cmpstr (read->lanes[0].device->core, ==, "Zen");
  g_assert_cmpint (read->lanes[0].device->tells, ==, LS_TELLS_UNKNOWN);
  g_assert_cmpint (read->lanes[1].tilings[0].way, ==, LS_WAY_REGISTER);
  g_assert_null (read->class_names);

  /* One that says its core is taken at its word. */
  g_autofree char *bytes = NULL;
  g_autoptr (LsRecording) told = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  edit (bytes, n, path, "\\\"core\\\":null", "\\\"core\\\":\\\"Haswell\\\"");
  told = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (told->lanes[0].device->core, ==, "Haswell");
}

/* Each of a device's numbers comes back, 0 too; one that isn't known stays unknown. */
static void
test_numbers (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "numbers");
  for (guint unknown = 0; unknown < LS_DEVICE_N; unknown++)
    {
      g_autoptr (LsRecording) recording = sample_recording (), read = NULL;
      g_autoptr (GError) error = NULL;
      double *numbers = recording->lanes[1].device->numbers;

      for (guint i = 0; i < LS_DEVICE_N; i++)
        numbers[i] = i == unknown ? -1 : i == (unknown + 1) % LS_DEVICE_N ? 0 : 1000 * i + 17.25;
      sample_save (recording, path);
      read = ls_recording_load (path, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < LS_DEVICE_N; i++)
        if (read->lanes[1].device->numbers[i] < numbers[i] || read->lanes[1].device->numbers[i] > numbers[i])
          g_error ("%s was %g and is read as %g", ls_device_number_names[i], numbers[i],
                   read->lanes[1].device->numbers[i]);
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
  sample_refuse (path, "has 0 elements, but there are 1 events");
}

/* What was said of the test set, without one of its columns. */
static void
test_exam_columns (void)
{
  static const char *const columns[] = { "steps", "labels", "worst.sample", "worst.confidence",
                                         "worst.loss" };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = sample_recording ();
  LsEvaluation *evaluation = recording->lanes[1].evaluation = ls_evaluation_new (9, 4, 36);
  gsize n;

  for (guint k = 0; k < 9; k++)
    ls_evaluation_put (evaluation, k, k % 4, k < 7 ? k % 4 : 2, .75f, 2);
  evaluation->values = g_new0 (float, evaluation->n_worst * 36);
  temp_dir_init (&dir);
  path = temp_path (&dir, "exam");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *from = g_strdup_printf ("lanes.1.exam.%s\"", columns[i]),
                      *to = g_strdup_printf ("lanes.1.exam.%.2s\"", columns[i]),
                      *words = g_strdup_printf ("“lanes.1.exam.%s”", columns[i]);

      edit (bytes, n, path, from, to);
      sample_refuse (path, words);
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
  sample_refuse (shorter, "lane 1 has 6 losses, but times of 7 steps");
  shorten (path, shorter, "lanes.0.step_ns");
  sample_refuse (shorter, "lane 0 has 7 losses, but times of 6 steps");
}

/* Rows of accuracies without any are none: whoever draws looks at the last. */
static void
test_no_accuracies (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *shorter = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "whole");
  shorter = temp_path (&dir, "shorter");
  g_array_append_val (list, ((LsAccuracy){ 1, .5 }));
  ls_recording_set_accuracies (recording, 1, list);
  sample_save (recording, path);
  shorten (path, shorter, "lanes.1.accuracies.steps");
  shorten (shorter, path, "lanes.1.accuracies.value");
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_null (loaded->lanes[1].accuracies);
}

/* Every version that there was is read; which others there are nobody knows. */
static void
test_versions (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *other = NULL, *bytes = NULL, *now = NULL;
  g_autoptr (LsRecording) recording = sample_recording ();
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "now");
  other = temp_path (&dir, "other");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  now = g_strdup_printf ("\"version\":\"%d\"", LS_RECORDING_VERSION);
  for (gint version = LS_RECORDING_OLDEST; version <= LS_RECORDING_VERSION; version++)
    {
      g_autofree char *then = g_strdup_printf ("\"version\":\"%d\"", version);
      g_autoptr (LsRecording) read = NULL;
      g_autoptr (GError) error = NULL;

      edit (bytes, n, other, now, then);
      read = ls_recording_load (other, &error);
      if (read == NULL)
        g_error ("a recording of version %d isn’t read: %s", version, error->message);
    }
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
  sample_refuse (path, "it is no recording");
  put_file (path, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  sample_refuse (path, "it is no recording");
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/recording-damage/header", test_bad_header);
  g_test_add_func ("/recording-damage/names", test_names);
  g_test_add_func ("/recording-damage/older", test_older);
  g_test_add_func ("/recording-damage/numbers", test_numbers);
  g_test_add_func ("/recording-damage/exam-columns", test_exam_columns);
  g_test_add_func ("/recording-damage/columns", test_columns);
  g_test_add_func ("/recording-damage/versions", test_versions);
  g_test_add_func ("/recording-damage/stranger", test_stranger);
  g_test_add_func ("/recording-damage/history", test_history);
  g_test_add_func ("/recording-damage/no-accuracies", test_no_accuracies);
  return g_test_run ();
}
