/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording's network trained again: which options are the recording's, what a strange one can't do, and
 * which other data will do.
 */
#include <string.h>

#include "core/error.h"
#include "data/datadir.h"
#include "data/dataset.h"
#include "data/recorded_run.h"

static LsRecording *
example (void)
{
  g_autofree char *path = ls_data_dir_find ("recordings/cnn.lockstep");
  g_autoptr (GError) error = NULL;
  LsRecording *recording = ls_recording_load (path, &error);

  g_assert_no_error (error);
  return recording;
}

static void
put (LsRecording *recording, const char *name, const char *text)
{
  g_hash_table_insert (recording->options, g_strdup (name), g_strdup (text));
}

static void
choose (LsOptions *options, const char *name, const char *text)
{
  g_assert_true (ls_options_set (options, ls_options_find (name), text, NULL));
}

#define assert_option(options, name, expected)                                                               \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text_ = ls_options_get (options, ls_options_find (name));                               \
    g_assert_cmpstr (text_, ==, expected);                                                                   \
  }                                                                                                          \
  G_STMT_END

static void
test_take (void)
{
  g_autoptr (LsRecording) recording = example ();
  g_autoptr (LsOptions) options = ls_options_new (), given = ls_options_new ();

  put (recording, "data", "/nowhere/trees.csv");
  put (recording, "label", "kind");
  put (recording, "seed", "77");
  put (recording, "lr", "0.25");
  put (recording, "momentum", "0.5");
  put (recording, "order", "sequential");
  put (recording, "threads", "63"); /* of another machine */
  put (recording, "lanes", "reference");
  recording->optimizer = LS_OPTIMIZER_ADAM;
  recording->batch = 24;
  ls_recorded_run_take (recording, TRUE, options);
  assert_option (options, "model", "cnn");
  assert_option (options, "data", "/nowhere/trees.csv");
  assert_option (options, "label", "kind");
  assert_option (options, "seed", "77");
  assert_option (options, "lr", "0.25");
  assert_option (options, "momentum", "0.5");
  assert_option (options, "order", "sequential");
  assert_option (options, "optimizer", "adam");
  assert_option (options, "batch", "24");
  assert_option (options, "threads", "0");
  assert_option (options, "lanes", "cpu,opencl");
  g_assert_true (ls_options_is_given (options, ls_options_find ("batch"))); /* it follows nothing any more */
  /* what is said at this start counts more, unless the network is to be just that one */
  choose (given, "batch", "8");
  choose (given, "data", "spiral");
  ls_recorded_run_take (recording, FALSE, given);
  assert_option (given, "batch", "8");
  assert_option (given, "data", "spiral");
  assert_option (given, "seed", "77");
  assert_option (given, "model", "cnn");
  ls_recorded_run_take (recording, TRUE, given);
  assert_option (given, "batch", "24");
  assert_option (given, "data", "/nowhere/trees.csv");
}

/* Values that can't be, options that aren't any: as if they weren't there. */
static void
test_strange (void)
{
  g_autoptr (LsRecording) recording = example ();
  g_autoptr (LsOptions) options = ls_options_new ();

  g_clear_pointer (&recording->model_name, g_free);
  g_hash_table_remove (recording->options, "data");
  put (recording, "seed", "-4");
  put (recording, "lr", "1e999");
  put (recording, "test-share", "nan");
  put (recording, "nothing", "1");
  put (recording, "sequence", "columns"); /* in the network's text, if anywhere */
  ls_recorded_run_take (recording, TRUE, options);
  assert_option (options, "model", recording->model);
  assert_option (options, "data", "mnist");
  assert_option (options, "seed", "1");
  assert_option (options, "test-share", "0.1");
  g_assert_false (ls_options_is_given (options, ls_options_find ("sequence")));
  assert_option (options, "lr", "0.05");
}

/* How a table is read says nothing about another one: the recording's label isn't looked for in own data. */
static void
test_other_data (void)
{
  g_autoptr (LsRecording) recording = example ();
  g_autoptr (LsOptions) given = ls_options_new (), taken = ls_options_new (), own = ls_options_new ();

  put (recording, "data", "/nowhere/trees.csv");
  put (recording, "label", "kind");
  put (recording, "size", "16x16");
  put (recording, "seed", "77");
  choose (given, "data", "/home/you/wine.csv");
  ls_recorded_run_take (recording, FALSE, given);
  assert_option (given, "data", "/home/you/wine.csv");
  assert_option (given, "label", "");
  assert_option (given, "size", "");
  assert_option (given, "seed", "77");
  choose (given, "data", "/nowhere/trees.csv"); /* its own, said again */
  ls_recorded_run_take (recording, FALSE, given);
  assert_option (given, "label", "kind");

  choose (own, "data", "/home/you/wine.csv");
  choose (own, "label", "wine");
  choose (own, "seed", "5");
  ls_recorded_run_take (recording, TRUE, taken);
  assert_option (taken, "label", "kind");
  ls_recorded_run_other_data (taken, own);
  assert_option (taken, "data", "/home/you/wine.csv");
  assert_option (taken, "label", "wine");
  assert_option (taken, "size", "");
  assert_option (taken, "seed", "77"); /* of the run, not of the data */
  assert_option (taken, "model", "cnn");
  g_assert_true (ls_options_is_given (taken, ls_options_find ("label")));
  g_assert_false (ls_options_is_given (taken, ls_options_find ("size")));
}

static void
test_instead (void)
{
  g_autoptr (LsRecording) recording = example ();
  g_autoptr (GError) error = NULL, unknown = NULL;
  const gint64 image[3] = { 1, 28, 28 }, colour[3] = { 3, 28, 28 }, flat[3] = { 784, 1, 1 };
  g_autofree char *sentence = NULL;

  g_assert_true (ls_recorded_run_fits (recording, image, 10));
  g_assert_false (ls_recorded_run_fits (recording, image, 9));
  g_assert_false (ls_recorded_run_fits (recording, colour, 10));
  g_assert_false (ls_recorded_run_fits (recording, flat, 10));
  sentence = ls_recorded_run_instead (recording, "/home/you/digits", "mnist", image, 10, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (
    sentence, ==,
    "The recording’s data “digits” aren’t here; its network is trained on “mnist”, whose samples "
    "are of the same kind: 28×28, 10 classes.");
  g_assert_null (ls_recorded_run_instead (recording, "/home/you/digits", "blobs", flat, 10, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
  g_assert_nonnull (strstr (error->message, "“blobs” don’t fit its network, which takes 28×28, 10 classes"));
  g_assert_null (ls_recorded_run_instead (recording, "digits", "trees.csv", NULL, 0, &unknown));
  g_assert_error (unknown, LS_ERROR, LS_ERROR_DATA);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorded-run/take", test_take);
  g_test_add_func ("/recorded-run/strange", test_strange);
  g_test_add_func ("/recorded-run/other-data", test_other_data);
  g_test_add_func ("/recorded-run/instead", test_instead);
  return g_test_run ();
}
