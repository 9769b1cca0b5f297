/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kept_rig.h"

#include <string.h>

LsSnapshot *
kept_snapshot (void)
{
  static const char *const given[][2]
    = { { "data", "spiral" }, { "model", "flatten, dense 16, relu, dense 3" },
        { "batch", "64" },    { "seed", "5" },
        { "steps", "40" },    { "lanes", "reference" },
        { "pace", "step" },   { "check-every", "10" } };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (GError) error = NULL;
  LsSnapshot *snapshot;

  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    g_assert_true (ls_options_set (options, ls_options_find (given[i][0]), given[i][1], NULL));
  options->pace = LS_PACE_FULL;
  c = ls_coordinator_new (options, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 60000));
  ls_coordinator_run (c, KEPT_STEP - 1);
  g_assert_true (ls_coordinator_wait (c, 60000));
  ls_coordinator_hold_weights (c);
  ls_coordinator_record (c); /* the next one is done for it */
  g_assert_true (ls_coordinator_wait (c, 60000));
  snapshot = ls_coordinator_take (c);
  g_assert_nonnull (snapshot->recording);
  g_assert_nonnull (snapshot->weights);
  g_assert_cmpuint (snapshot->weights->step, ==, KEPT_STEP);
  g_assert_cmpuint (snapshot->recording->step, ==, KEPT_STEP);
  return snapshot;
}

void
kept_crash (const LsSnapshot *run)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_keeper_save (keeper, run->options, run->plan, run->weights->step,
                                 (const float *const *) run->weights->values, run->recording, &error));
  g_assert_no_error (error);
}

char *
kept_runs (void)
{
  return g_build_filename (g_get_user_data_dir (), "lockstep", "runs", NULL);
}

static void
add_names (GPtrArray *names, const char *folder, const char *before)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL),
                      *shown = g_strconcat (before, name, NULL), *below = g_strconcat (shown, "/", NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        add_names (names, path, below);
      else
        g_ptr_array_add (names, g_steal_pointer (&shown));
    }
}

static gint
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
kept_list (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *runs = kept_runs ();

  add_names (names, runs, "");
  g_ptr_array_sort (names, by_name);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

void
kept_assert_list (const char *expected)
{
  g_autofree char *list = kept_list ();

  g_assert_cmpstr (list, ==, expected);
}

char *
kept_in_runs (const char *name)
{
  g_autofree char *runs = kept_runs ();

  return g_build_filename (runs, name, NULL);
}

gboolean
kept_save (const LsSnapshot *run, LsKeeper *keeper, guint64 step, LsRecording *recording, GError **error)
{
  return ls_keeper_save (keeper, run->options, run->plan, step, (const float *const *) run->weights->values,
                         recording, error);
}
