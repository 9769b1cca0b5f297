/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results as JSON and back, also damaged ones; what is kept, and what of it isn't used.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "rig.h"
#include "tests/folder.h"

static void
test_json (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref),
                        back = NULL;
  g_autofree char *text = NULL, *none = NULL;
  g_autoptr (GError) error = NULL;

  none = ls_lab_results_text (results);
  g_assert_null (none);
  g_ptr_array_add (results, rig_sample (&ls_experiment_batch, "cpu(threads=1),b=cpu(policy=static)", TRUE));
  g_ptr_array_add (results,
                   rig_sample (&ls_experiment_threads, "cpu(threads=1),b=cpu(policy=static)", FALSE));
  text = ls_lab_results_text (results);
  back = ls_lab_results_parse (text, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (back->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    rig_assert_alike (results->pdata[i], back->pdata[i]);
  g_assert_cmpstr (((const LsLaneSpec *) ((LsLabResult *) back->pdata[1])->specs->pdata[1])->id, ==, "b");
}

/* A list of what doesn't belong below one head is refused. */
static void
test_mixed (void)
{
  static const char *const lanes[] = { "cpu", "cpu,cpu,cpu,opencl" };
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (lanes); i++)
    g_ptr_array_add (results, rig_sample (&ls_experiment_batch, lanes[i], TRUE));
  text = ls_lab_results_text (results);
  g_assert_null (ls_lab_results_parse (text, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
  g_assert_nonnull (strstr (error->message, "different lanes"));
}

/* What a lane says of why it can't is read again, though a compiler says it in many lines, or in many words.
 */
static void
test_reasons (void)
{
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE), back = NULL;
  g_autofree char *long_text = g_strnfill (1000, 'x'), *two_bytes = g_strnfill (2000, 'x');
  g_autoptr (GError) error = NULL;
  const LsLabSpot spots[] = { { 1, 0 }, { 8, 0 }, { 128, 0 } };

  for (guint i = 0; i < 1000; i++)
    memcpy (two_bytes + 2 * i, "é", 2);
  ls_lab_result_add_missing (result, 1, spots[0], "It says:\n\tline 3: no.\r\n\x1b[2J");
  ls_lab_result_add_missing (result, 1, spots[1], long_text);
  ls_lab_result_add_missing (result, 1, spots[2], two_bytes);
  g_autoptr (json_t) json = ls_lab_result_to_json (result);
  back = ls_lab_result_from_json (json, &error);
  if (back == NULL)
    g_error ("a result can't be read again since a lane gave its reason at length: %s", error->message);
  rig_assert_alike (result, back);
  g_assert_cmpstr (ls_lab_result_why (back, 1, spots[0]), ==, "It says:  line 3: no.  \357\277\275[2J");
  for (guint i = 1; i < 3; i++)
    {
      const char *why = ls_lab_result_why (back, 1, spots[i]);

      g_assert_cmpint (g_utf8_strlen (why, -1), ==, LS_LAB_MAX_WHY);
      g_assert_true (g_str_has_prefix (why, i == 1 ? "xxxx" : "éééé"));
      g_assert_true (g_str_has_suffix (why, "…"));
    }
}

/* One member is changed at a time; each change is told of, and nothing else happens. */
static void
test_hostile (void)
{
  static const struct {
    const char *path, *value, *words;
  } wrong[] = {
    { "format", "\"lockstep-rates\"", "no result of an experiment" },
    { "format", "7", "no result of an experiment" },
    { "version", "3", "version" },
    { "version", "0", "version" },
    { "experiment", "\"height of sand\"", "height of sand" },
    { "experiment", "null", "experiment" },
    { "options", "[]", "options" },
    { "options", "{}", "lanes" },
    { "options/lanes", "\"cpu,gpu\"", "gpu" },
    { "options/lanes", "\"cpu\"", "lanes" },
    { "options/lanes", "\"cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu\"", "lanes" },
    { "options/threads", "\"many\"", "threads" },
    { "seconds", "0", "seconds" },
    { "rounds", "-1", "rounds" },
    { "sizes", "257", "sizes" },
    { "tried", "[1, 0]", "tried" },
    { "tried", "[1.5]", "tried" },
    { "busy", "1", "busy" },
    { "program", "1", "program" },
    { "machine_key", "null", "machine_key" },
    { "lanes", "[]", "lanes" },
    { "lanes/0", "7", "lanes" },
    { "lanes/0/id", "\"opencl\"", "opencl" },
    { "lanes/0/device", "1", "device" },
    { "lanes/0/points", "{}", "points" },
    { "lanes/0/points/0/x", "0", "x" },
    { "lanes/0/points/0/x", "1e300", "x" },
    { "lanes/0/points/0/x", "8", "twice" },
    { "lanes/0/points/0/rate", "{}", "median" },
    { "lanes/0/points/0/rate/median", "0", "no rate" },
    { "lanes/0/points/0/rate", "{\"median\": 0, \"q1\": 0, \"q3\": 1, \"n\": 9}", "no rate" },
    { "lanes/0/points/0/rate/q1", "10001", "no rate" },
    { "lanes/0/points/0/rate/q3", "9999", "no rate" },
    { "lanes/0/key", "{}", "key" },
    { "lanes/0/device", "\"a\\u001b[2J\"", "aren’t text" },
    { "lanes/0/device", "\"a\\u009b2J\"", "aren’t text" }, /* terminals take that for ESC [, too */
    { "machine", "\"a\\nb\"", "aren’t text" },
    { "tried", "[1, 8, 1]", "twice" },
    { "tried", "[1, 2, 3, 4]", "tried" },
    { "lanes/0/points/0/rate/median", "-5", "median" },
    { "lanes/0/points/0/rate/n", "0", "n" },
    { "lanes/0/points/2/plain_rate", "1", "plain_rate" },
  };
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE);

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (json_t) json = ls_lab_result_to_json (result);
      g_auto (GStrv) parts = g_strsplit (wrong[i].path, "/", -1);
      json_t *at = json, *value = json_loads (wrong[i].value, JSON_DECODE_ANY, NULL);
      g_autoptr (GError) error = NULL;
      guint last = g_strv_length (parts) - 1;

      g_test_message ("%s: %s", wrong[i].path, wrong[i].value);
      g_assert_nonnull (value);
      for (guint p = 0; p < last; p++)
        at = json_is_array (at) ? json_array_get (at, (gsize) g_ascii_strtoull (parts[p], NULL, 10))
                                : json_object_get (at, parts[p]);
      if (json_is_array (at))
        json_array_set_new (at, (gsize) g_ascii_strtoull (parts[last], NULL, 10), value);
      else
        json_object_set_new (at, parts[last], value);
      g_assert_null (ls_lab_result_from_json (json, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, wrong[i].words) == NULL)
        g_error ("“%s” doesn't say what is wrong with %s", error->message, wrong[i].path);
    }
  test_mixed ();
  g_assert_null (ls_lab_results_parse ("", NULL));
  g_assert_null (ls_lab_results_parse ("{}", NULL));
  g_assert_null (ls_lab_results_parse ("[1]", NULL));
  g_assert_null (ls_lab_results_parse ("[[[[[[", NULL));
}

static char *
only_file (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;

  g_assert_nonnull (name);
  return g_build_filename (folder, name, NULL);
}

static void
assert_foreign (const LsOptions *options, gboolean foreign)
{
  g_autoptr (LsLabResult) found = ls_lab_kept_foreign (&ls_experiment_batch, options);

  g_assert_cmpint (found != NULL, ==, foreign);
  g_assert_true (found == NULL || found->foreign);
}

/* why: as it is to end after the file's name. */
static void
assert_unused (const LsOptions *options, const char *words)
{
  g_autofree char *why = NULL,
                  *lab = g_build_filename (g_get_user_data_dir (), "lockstep", "lab", "batch-", NULL);

  g_assert_null (ls_lab_kept (&ls_experiment_batch, options, TRUE, &why));
  g_assert_nonnull (why);
  const char *end = strstr (why, ".json ");
  if (!g_str_has_prefix (why, lab) || end == NULL || !g_str_has_prefix (end + strlen (".json "), words))
    g_error ("it says “%s”, not “%s….json %s”", why, lab, words);
}

static void
change_member (const char *path, const char *name, const char *text)
{
  json_t *json = json_load_file (path, 0, NULL);

  g_assert_nonnull (json);
  json_object_set_new (json, name, json_string (text));
  g_assert_cmpint (json_dump_file (json, path, 0), ==, 0);
  json_decref (json);
}

static void
test_kept (void)
{
  const char *folder = g_get_user_data_dir ();
  g_autofree char *lab = g_build_filename (folder, "lockstep", "lab", NULL), *path = NULL, *why = NULL,
                  *whole_text = NULL, *aside = NULL;
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl"), others = rig_options ("cpu");
  g_autoptr (LsLabResult) part = rig_sample (&ls_experiment_batch, "cpu,opencl", FALSE),
                          whole = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE), found = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_null (ls_lab_kept (&ls_experiment_batch, options, TRUE, &why));
  g_assert_null (why);
  g_assert_true (ls_lab_keep (part, &error));
  g_assert_no_error (error);
  found = ls_lab_kept (&ls_experiment_batch, options, FALSE, &why);
  rig_assert_alike (part, found);
  g_clear_pointer (&found, ls_lab_result_unref);
  g_assert_null (ls_lab_kept (&ls_experiment_batch, options, TRUE, &why));
  g_assert_null (ls_lab_kept (&ls_experiment_batch, others, FALSE, &why));
  g_assert_null (ls_lab_kept (&ls_experiment_width, options, FALSE, &why));
  g_assert_null (why);

  /* finished: the one that was broken off is gone */
  g_assert_true (ls_lab_keep (whole, &error));
  g_assert_null (ls_lab_kept (&ls_experiment_batch, options, FALSE, &why));
  found = ls_lab_kept (&ls_experiment_batch, options, TRUE, &why);
  rig_assert_alike (whole, found);
  g_assert_null (why);

  path = only_file (lab);
  g_autofree char *by_other = g_strdup_printf ("was measured on another machine (%s), and isn’t used.",
                                               whole->machine);
  assert_foreign (options, FALSE); /* it is of this one */
  change_member (path, "machine_key", "Zilog Z80|1|1");
  assert_unused (options, by_other);
  assert_foreign (options, TRUE);
  g_assert_true (ls_lab_keep (whole, &error)); /* that of the other machine stays beside it */
  aside = g_strconcat (path, "~", NULL);
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  change_member (path, "program", "Lockstep 9.9");
  assert_unused (options, "was measured by another version (Lockstep 9.9), and isn’t used.");
  assert_foreign (options, TRUE);
  change_member (path, "experiment", "width");
  assert_unused (options, "is of another experiment or of other lanes, and isn’t used.");
  assert_foreign (options, FALSE);
  g_assert_true (ls_lab_keep (whole, &error));

  /* cut anywhere */
  g_assert_true (g_file_get_contents (path, &whole_text, &length, NULL));
  for (gsize n = 0; n < length; n += 1 + n / 7)
    {
      g_assert_true (g_file_set_contents (path, whole_text, (gssize) n, NULL));
      assert_unused (options, "can’t be read and isn’t used: ");
    }
  g_assert_true (g_file_set_contents (path, "{\"format\": \"recipe\"}", -1, NULL));
  assert_unused (options, "can’t be read and isn’t used: it is no result of an experiment");
  g_assert_true (g_file_set_contents (path, whole_text, (gssize) length, NULL));
  {
    json_t *json = json_load_file (path, 0, NULL);
    json_array_clear (json_object_get (json, "tried"));
    g_assert_cmpint (json_dump_file (json, path, 0), ==, 0);
    json_decref (json);
  }
  assert_unused (options, "lacks sizes, and isn’t used.");
}

/* A short measurement takes no long one's place, finished or not; the newest is shown. */
static void
test_times (void)
{
  g_autoptr (LsOptions) options = rig_options ("reference");
  g_autoptr (LsLabResult) careful = rig_sample (&ls_experiment_batch, "reference", TRUE),
                          quick = rig_sample (&ls_experiment_batch, "reference", FALSE), found = NULL,
                          exact = NULL;
  g_autofree char *why = NULL;

  careful->seconds = 3600;
  quick->seconds = 5;
  g_assert_true (ls_lab_keep (careful, NULL));
  g_usleep (20000);
  g_assert_true (ls_lab_keep (quick, NULL));
  found = ls_lab_kept (&ls_experiment_batch, options, TRUE, &why);
  rig_assert_alike (careful, found);
  g_clear_pointer (&found, ls_lab_result_unref);
  quick->n_sizes = 3;
  g_assert_true (ls_lab_keep (quick, NULL));
  found = ls_lab_kept (&ls_experiment_batch, options, TRUE, &why);
  rig_assert_alike (quick, found);
  exact = ls_lab_kept_exactly (&ls_experiment_batch, options, TRUE, 3600, 5, &why);
  rig_assert_alike (careful, exact);
  /* so do more rounds of the same length */
  quick->rounds = 7;
  g_assert_true (ls_lab_keep (quick, NULL));
  g_autoptr (LsLabResult) fewer = ls_lab_kept_exactly (&ls_experiment_batch, options, TRUE, 5, 5, &why),
                          more = ls_lab_kept_exactly (&ls_experiment_batch, options, TRUE, 5, 7, &why);
  g_assert_nonnull (fewer);
  g_assert_nonnull (more);
  g_assert_cmpuint (fewer->rounds, ==, 5);
  g_assert_cmpuint (more->rounds, ==, 7);
  g_assert_null (why);
}

/* What is kept is the newest although the clock was a day ahead when the other one was. */
static void
test_clock_set_back (void)
{
  g_autoptr (LsOptions) options = rig_options ("reference");
  g_autoptr (LsLabResult) before = rig_sample (&ls_experiment_width, "reference", TRUE),
                          now = rig_sample (&ls_experiment_width, "reference", TRUE), found = NULL;
  g_autofree char *why = NULL, *lab = g_build_filename (g_get_user_data_dir (), "lockstep", "lab", NULL);
  g_autoptr (GDir) dir = NULL;
  struct timespec tomorrow[2];

  before->seconds = 3600;
  now->seconds = 5;
  g_assert_true (ls_lab_keep (before, NULL));
  clock_gettime (CLOCK_REALTIME, &tomorrow[0]);
  tomorrow[0].tv_sec += 86400;
  tomorrow[1] = tomorrow[0];
  dir = g_dir_open (lab, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (lab, name, NULL);
      if (g_str_has_prefix (name, "width-"))
        g_assert_cmpint (utimensat (AT_FDCWD, path, tomorrow, 0), ==, 0);
    }
  g_assert_true (ls_lab_keep (now, NULL));
  found = ls_lab_kept (&ls_experiment_width, options, TRUE, &why);
  g_assert_cmpuint (found->seconds, ==, 5);
  g_assert_null (why);
}

/* Options that no lane has of its own are nothing to a result; kernel fusion is. */
static void
test_depends (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu"), other = rig_options ("cpu");

  other->seed = 77;
  other->optimizer = 1;
  g_assert_true (ls_lab_options_alike (NULL, options, other));
  other->fusion = !other->fusion;
  g_assert_false (ls_lab_options_alike (NULL, options, other));
}

static void
test_lock (void)
{
  const int mine = ls_lab_lock ();

  g_assert_cmpint (mine, >=, 0);
  g_assert_cmpint (ls_lab_lock (), <, 0);
  close (mine);
  close (ls_lab_lock ());
}

/* A recording takes along what was measured with its very options, once; not where it says another thing, or
 * what this program doesn't know, of an option that results depend on. */
static void
test_with (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 4", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 2, 2 }, 4, 8, LS_OPTIMIZER_SGD, NULL);
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE);
  g_autoptr (GError) error = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  g_assert_true (ls_lab_keep (result, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++) /* as it is; other lanes; nonsense; told nothing */
    {
      g_autoptr (LsRecording) recording = ls_recording_new (plan, 1, 1);

      recording->lanes[0].device = ls_device_info_new ("cpu");
      for (guint k = 0; k < n; k++)
        g_hash_table_insert (recording->options, g_strdup (rows[k].name), ls_options_get (options, &rows[k]));
      if (i == 1)
        g_hash_table_insert (recording->options, g_strdup ("lanes"), g_strdup ("cpu(threads=1),opencl"));
      else if (i == 2)
        g_hash_table_insert (recording->options, g_strdup ("policy"), g_strdup ("whatever"));
      else if (i == 3)
        g_hash_table_remove (recording->options, "policy");
      g_autoptr (LsRecording) with = ls_lab_kept_with (recording);
      if ((with->lab != NULL) != (i == 0))
        g_error ("row %u: the recording %s", i,
                 with->lab != NULL ? "has what isn't its own" : "has no result");
      if (i > 0)
        continue;
      g_autoptr (GPtrArray) back = ls_lab_results_parse (with->lab, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (back->len, ==, 1);
      rig_assert_alike (back->pdata[0], result);
      g_autoptr (LsRecording) again = ls_lab_kept_with (with);
      g_assert_true (again == with); /* what it has stays */
    }
}

int
main (int argc, char **argv)
{
  int status;
  g_autofree char *folder = g_dir_make_tmp ("lab-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/json", test_json);
  g_test_add_func ("/lab/reasons", test_reasons);
  g_test_add_func ("/lab/hostile", test_hostile);
  g_test_add_func ("/lab/kept", test_kept);
  g_test_add_func ("/lab/with", test_with);
  g_test_add_func ("/lab/depends", test_depends);
  g_test_add_func ("/lab/times", test_times);
  g_test_add_func ("/lab/clock-set-back", test_clock_set_back);
  g_test_add_func ("/lab/lock", test_lock);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
