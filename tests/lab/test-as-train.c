/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A measured lane (lab/lane/worker_lane.c) does the work that `train` does: from the same weights, with the
 * same batches, rates and scale, it has the same weights after as many steps, to the last bit.
 */
#include "config.h"

#include <string.h>

#include "data/picture.h"
#include "lab/lane/worker_lane.h"
#include "rig.h"
#include "sample_file_rig.h"
#include "train/coordinator.h"

#define STEPS 19 /* three turns */

static const char model[] = "flatten, dense 8, dropout 0.25, tanh, dense 2";

/* “optimizer=adam seed=7” */
static LsOptions *
options_of (const char *words)
{
  LsOptions *options = ls_options_new ();
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  g_free (options->model);
  g_free (options->data);
  options->model = g_strdup (model);
  options->data = g_strdup ("moons");
  options->batch = 16;
  options->lr = .05;
  options->check_every = STEPS;
  for (guint i = 0; list[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (list[i], "=", 2);
      g_autoptr (GError) error = NULL;

      ls_options_set (options, ls_options_find (pair[0]), pair[1], &error);
      g_assert_no_error (error);
    }
  return options;
}

static LsHeldWeights *
trained (LsOptions *options)
{
  const LsBackend *reference = &ls_backend_reference;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCoordinator) c = ls_coordinator_new_with_backends (options, &reference, 1, &error);
  g_autoptr (LsSnapshot) s = NULL;

  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, NULL));
  ls_coordinator_hold_weights (c);
  ls_coordinator_run (c, STEPS);
  while (!ls_coordinator_wait (c, 1000))
    ;
  s = ls_coordinator_take (c);
  if (s == NULL || s->weights == NULL)
    g_error ("no weights are held");
  g_assert_cmpuint (s->weights->step, ==, STEPS);
  return ls_held_weights_ref (s->weights);
}

static void
test_same (gconstpointer words)
{
  g_autoptr (LsOptions) options = options_of (words);
  LsHeldWeights *expected = trained (options);
  g_autofree char *spec = g_strdup_printf ("step\t%s\tmoons\t16", model), *title = NULL, *how = NULL;
  g_autoptr (GError) error = NULL;
  guint threads;
  LsLabLane *lane = rig_worker ()->open ("reference", options, &title, &threads, &error);
  double us;

  if (lane == NULL)
    g_error ("the reference can't be opened: %s", error->message);
  rig_worker ()->prepare (lane, spec, &how, &error);
  g_assert_no_error (error);
  for (guint done = 0; done < STEPS; done += MIN (LS_LAB_TURN, STEPS - done))
    {
      g_assert_true (ls_lab_lane_turn (lane, MIN (LS_LAB_TURN, STEPS - done), NULL, &us, &error));
      g_assert_cmpfloat (us, >, 0);
    }
  g_assert_cmpuint (lane->step, ==, STEPS);
  for (guint p = 0; p < lane->plan->n_params; p++)
    {
      const LsTensor *t = &lane->plan->tensors[lane->plan->params[p].weight];
      float values[64];

      g_assert_cmpint (ls_tensor_count (t), <=, G_N_ELEMENTS (values));
      g_assert_true (lane->backend->read (lane->self, lane->plan->params[p].weight, values, NULL));
      for (gint64 i = 0; i < ls_tensor_count (t); i++)
        if (values[i] != expected->values[p][i])
          g_error ("after %d steps with “%s” element %d of “%s” is %g, and %g where it is trained", STEPS,
                   (const char *) words, (gint) i, t->name, (double) values[i],
                   (double) expected->values[p][i]);
    }
  rig_worker ()->close (lane);
  ls_held_weights_unref (expected);
}

/* All weights after so many steps, in turns. (element-type float) (transfer full) */
static GArray *
weights_after (LsOptions *options, gboolean stored)
{
  g_autofree char *spec = g_strdup_printf ("step\t%s\t%s\t%d", options->model, options->data,
                                           (gint) options->batch),
                  *title = NULL, *how = NULL;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (float));
  g_autoptr (GError) error = NULL;
  guint threads;
  LsLabLane *lane;
  double us;

  g_setenv ("LOCKSTEP_DATA_MEMORY", stored ? "100" : "1000000", TRUE);
  lane = rig_worker ()->open ("reference", options, &title, &threads, &error);
  g_assert_no_error (error);
  rig_worker ()->prepare (lane, spec, &how, &error);
  g_assert_no_error (error);
  g_unsetenv ("LOCKSTEP_DATA_MEMORY");
  g_assert_cmpint (lane->data->train.stored != NULL, ==, stored);
  for (guint done = 0; done < STEPS; done += MIN (LS_LAB_TURN, STEPS - done))
    {
      ls_lab_lane_turn (lane, MIN (LS_LAB_TURN, STEPS - done), NULL, &us, &error);
      g_assert_no_error (error);
    }
  for (guint p = 0; p < lane->plan->n_params; p++)
    {
      const LsTensor *t = &lane->plan->tensors[lane->plan->params[p].weight];
      const guint before = all->len;

      g_array_set_size (all, before + (guint) ls_tensor_count (t));
      g_assert_true (lane->backend->read (lane->self, lane->plan->params[p].weight,
                                          &g_array_index (all, float, before), NULL));
    }
  rig_worker ()->close (lane);
  return all;
}

/* Images that memory has no room for come from a file, several batches of a turn at once: the very same ones.
 */
static void
test_stored (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (LsOptions) options = NULL;

  if (!ls_picture_can ())
    {
      g_test_skip ("built without images");
      return;
    }
  tree_init (&tree);
  put_noise (&tree, ".", 40, 1, FALSE);
  options = options_of ("order=shuffled");
  g_free (options->model);
  g_free (options->data);
  options->model = g_strdup ("flatten, dense 4, tanh, dense 3");
  options->data = g_strdup (tree.path);
  options->batch = 5;
  g_autoptr (GArray) held = weights_after (options, FALSE), stored = weights_after (options, TRUE);
  g_assert_cmpuint (held->len, >, 4 * EDGE * EDGE);
  g_assert_cmpuint (held->len, ==, stored->len);
  for (guint i = 0; i < held->len; i++)
    if (g_array_index (held, float, i) != g_array_index (stored, float, i))
      g_error ("after %d steps weight %u is %g of images in memory, and %g of the same in a file", STEPS, i,
               (double) g_array_index (held, float, i), (double) g_array_index (stored, float, i));
}

/* Results are kept of a device as it was: with another number of threads it is another one. */
static void
test_keys (void)
{
  const LsLabWorker *cpu = NULL;
  char *keys[3] = { NULL };

  for (const LsLabWorker *const *w = ls_lab_workers; *w != NULL; w++)
    cpu = strcmp ((*w)->name, "cpu") == 0 ? *w : cpu;
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autofree char *title = NULL;
      g_autoptr (GError) error = NULL;
      guint threads = 0;
      gpointer lane;

      options->threads = i == 1 ? 2 : 1;
      lane = cpu->open ("cpu", options, &title, &threads, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (threads, ==, options->threads);
      keys[i] = cpu->key (lane);
      cpu->close (lane);
    }
  if (strcmp (keys[0], keys[1]) == 0)
    g_error ("one thread has the key of two: %s", keys[0]);
  g_assert_cmpstr (keys[0], ==, keys[2]);
  g_assert_true (g_str_has_prefix (keys[0], "cpu|"));
  for (guint i = 0; i < 3; i++)
    g_free (keys[i]);
}

int
main (int argc, char **argv)
{
  static const char *const all[]
    = { "optimizer=sgd",  "optimizer=adam",   "momentum=0.5",
        "seed=7",         "order=sequential", "precision=fp16",
        "precision=bf16", "fusion=off",       "optimizer=adam precision=fp16 seed=3" };

  g_auto (Tree) home = { 0 };

  tree_init (&home);
  g_setenv ("XDG_CACHE_HOME", home.path, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree char *path = g_strconcat ("/lab-as-train/", all[i], NULL);
      g_test_add_data_func (path, all[i], test_same);
    }
  g_test_add_func ("/lab-as-train/keys", test_keys);
  g_test_add_func ("/lab-as-train/stored", test_stored);
  return g_test_run ();
}
