/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was broken off gives way to the finished result, unless it is of another machine: that one is set
 * aside. What is known of a machine goes with its results.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "backends/cpu/topology.h"
#include "lab/crossover.h"
#include "rig.h"
#include "tests/folder.h"

/* Keeps what was broken off, as measured on that machine, and then the whole; is there a file set aside? */
static gboolean
is_set_aside (const char *folder, const char *machine)
{
  g_autoptr (LsLabResult) part = rig_sample (&ls_experiment_batch, "cpu,opencl", FALSE),
                          whole = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE);
  g_autofree char *lab = g_build_filename (folder, "lockstep", "lab", NULL);

  g_assert_true (ls_lab_keep (part, NULL));
  g_autoptr (GDir) dir = g_dir_open (lab, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;
  if (name == NULL)
    g_error ("nothing is kept in %s", lab);
  g_autofree char *path = g_build_filename (lab, name, NULL), *aside = g_strconcat (path, "~", NULL);
  if (machine != NULL)
    {
      json_t *json = json_load_file (path, 0, NULL);
      json_object_set_new (json, "machine_key", json_string (machine));
      g_assert_cmpint (json_dump_file (json, path, 0), ==, 0);
      json_decref (json);
    }
  g_assert_true (ls_lab_keep (whole, NULL));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  const gboolean is = g_file_test (aside, G_FILE_TEST_EXISTS);
  remove_tree (lab);
  return is;
}

static void
test_aside (void)
{
  const char *folder = g_get_user_data_dir ();

  if (is_set_aside (folder, NULL))
    g_error ("what was broken off here is still there behind the finished result");
  if (!is_set_aside (folder, "Zilog Z80|1|1"))
    g_error ("what another machine measured was deleted");
}

/* A file's name has the experiment, and how long it may take and how often each spot is measured, by which it
 * is found: files that earlier versions left have those names. */
static void
test_names (void)
{
  g_autofree char *lab = g_build_filename (g_get_user_data_dir (), "lockstep", "lab", NULL);

  for (guint whole = 0; whole < 2; whole++)
    {
      g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", whole);
      g_autoptr (GRegex) regex = g_regex_new (
        whole ? "^batch-[0-9a-f]{12}-3600s-7\\.json$" : "^batch-[0-9a-f]{12}-3600s-7\\.part$", 0, 0, NULL);
      result->seconds = 3600;
      result->rounds = 7;
      g_assert_true (ls_lab_keep (result, NULL));
      g_autoptr (GDir) dir = g_dir_open (lab, 0, NULL);
      const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;
      if (name == NULL || !g_regex_match (regex, name, 0, NULL))
        g_error ("seven rounds of an hour are kept as %s", name != NULL ? name : "nothing");
      remove_tree (lab);
    }
}

/* A new result knows this machine, with as many cores as are this program's to use; a file says how many
 * there were, and what doesn't say it is of none known. */
static void
test_cores (void)
{
  static const guint known[] = { 0, 1, 2, 96 };
  g_autoptr (LsLabResult) here = rig_sample (&ls_experiment_batch, "cpu,opencl", TRUE);
  LsTopology topology;

  ls_topology_read (&topology, "", ls_topology_affinity ());
  g_assert_cmpuint (here->cores, ==, topology.cores);
  g_assert_cmpuint (here->cores, >, 0);
  ls_topology_clear (&topology);
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autoptr (GError) error = NULL;

      here->cores = known[i];
      g_autoptr (json_t) json = ls_lab_result_to_json (here);
      g_assert_cmpint (json_object_get (json, "cores") != NULL, ==, known[i] > 0);
      g_autoptr (LsLabResult) back = ls_lab_result_from_json (json, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (back->cores, ==, known[i]);
    }
}

static void
assert_threads (const LsLabResult *result, LsFairState state, const char *words)
{
  g_autoptr (LsFairness) fairness = ls_lab_fairness (result);
  const LsFairLine *threads = NULL;

  for (guint i = 0; i < fairness->n; i++)
    if (strcmp (fairness->lines[i].row->name, "threads") == 0)
      threads = &fairness->lines[i];
  g_assert_nonnull (threads);
  g_assert_cmpstr (threads->words, ==, words);
  g_assert_cmpint (threads->state, ==, state);
}

/* How many processors there were is known of a result of this machine alone: lanes of another one aren't
 * judged by ours. */
static void
test_foreign (void)
{
  const guint n = g_get_num_processors ();
  g_autofree char *lanes
    = g_strdup_printf ("cpu(threads=%u),opencl", n + 1),
    *here = g_strdup_printf (n == 1 ? "The CPU (threads: %u) lane has %u threads for %u processor."
                                    : "The CPU (threads: %u) lane has %u threads for %u processors.",
                             n + 1, n + 1, n),
    *there = g_strdup_printf ("How many processors the CPU (threads: %u) lane could use isn’t told.", n + 1);
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, lanes, TRUE),
                          alone = rig_sample (&ls_experiment_batch, "cpu", TRUE);

  assert_threads (result, LS_FAIR_NO, here);
  result->foreign = TRUE;
  assert_threads (result, LS_FAIR_UNKNOWN, there);
  g_assert_null (ls_lab_fairness (alone)); /* with nobody */
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lab-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/kept-aside", test_aside);
  g_test_add_func ("/lab/kept-names", test_names);
  g_test_add_func ("/lab/kept-cores", test_cores);
  g_test_add_func ("/lab/kept-foreign", test_foreign);
  const int status = g_test_run ();
  remove_tree (folder);
  return status;
}
