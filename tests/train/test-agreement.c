/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights held against each other (train/agreement.c) in any order that lanes may come in: one far behind the
 * others, one that never comes, more than memory keeps.
 */
#include <math.h>
#include <string.h>

#include "rig.h"
#include "train/private.h"

#define LANES_N 3

typedef struct {
  LsCoordinator c;
  LsLane lanes[LANES_N];
} Rig;

/* Lanes that work, have done nothing yet, and have only zeros as weights. */
static Rig *
rig_new (const char *network)
{
  const gint64 shape[3] = { 1, 1, 2 };
  Rig *rig = g_new0 (Rig, 1);
  g_autoptr (LsModel) model = ls_model_parse (network, NULL);

  rig->c.plan = ls_plan_new (model, shape, 2, 4, LS_OPTIMIZER_SGD, NULL);
  g_assert_nonnull (rig->c.plan);
  rig->c.n_lanes = LANES_N;
  for (guint l = 0; l < LANES_N; l++)
    {
      rig->lanes[l].number = l;
      rig->lanes[l].params = ls_params_new (rig->c.plan, NULL);
      rig->c.lanes[l].lane = &rig->lanes[l];
      rig->c.lanes[l].stage = LS_STAGE_FREE;
    }
  return rig;
}

static void
rig_free (Rig *rig)
{
  for (guint l = 0; l < LANES_N; l++)
    ls_params_free (rig->lanes[l].params, rig->c.plan);
  g_clear_pointer (&rig->c.kept, g_ptr_array_unref);
  g_free (rig->c.agreement.weights_tensor);
  ls_plan_unref (rig->c.plan);
  g_free (rig);
}

/* The lane has come there, and the first weight of that parameter is so. */
static const LsAgreement *
come (Rig *rig, guint lane, guint64 steps, guint param, float value)
{
  for (guint p = 0; p < rig->c.plan->n_params; p++)
    rig->lanes[lane].params[p][0] = p == param ? value : 0;
  rig->c.lanes[lane].steps = steps;
  ls_coordinator_compare_weights (&rig->c, &rig->c.lanes[lane]);
  return &rig->c.agreement;
}

static guint
n_kept (const Rig *rig)
{
  return rig->c.kept != NULL ? rig->c.kept->len : 0;
}

static const char *
name_of (const Rig *rig, guint param)
{
  return rig->c.plan->tensors[rig->c.plan->params[param].weight].name;
}

static void
assert_told (const Rig *rig, guint64 compared, guint64 step, double delta_max, guint param)
{
  const LsAgreement *a = &rig->c.agreement;

  if (a->weights_compared != compared)
    g_error ("after step %u weights are told to have been compared %u times, not %u", (guint) step,
             (guint) a->weights_compared, (guint) compared);
  if (a->weights_step != step)
    g_error ("the weights compared last are those of step %u, told is %u", (guint) step,
             (guint) a->weights_step);
  if (a->weights_delta_max != delta_max)
    g_error ("after step %u a weight is %g off, told is %g", (guint) step, delta_max, a->weights_delta_max);
  if (g_strcmp0 (a->weights_tensor, name_of (rig, param)) != 0)
    g_error ("after step %u “%s” is furthest off, told is “%s”", (guint) step, name_of (rig, param),
             a->weights_tensor);
}

/* The third lane comes to steps that both others have left behind: what is told of each is of all three, and
 * a step that lanes came to at different times counts once. */
static void
test_far_behind (void)
{
  Rig *rig = rig_new (TINY);

  come (rig, 0, 10, 0, 0);
  g_assert_cmpuint (rig->c.agreement.weights_compared, ==, 0);
  come (rig, 1, 10, 1, .5f);
  assert_told (rig, 1, 10, .5, 1);
  come (rig, 1, 20, 0, 1);
  assert_told (rig, 1, 10, .5, 1); /* nobody else was there */
  come (rig, 0, 20, 0, 4);
  assert_told (rig, 2, 20, 3, 0);
  g_assert_cmpfloat (rig->c.agreement.weights_relative, ==, 3); /* of 1 */
  come (rig, 0, 30, 0, 0);
  come (rig, 1, 30, 2, .125f);
  assert_told (rig, 3, 30, .125, 2);
  g_assert_cmpuint (n_kept (rig), ==, 3);
  come (rig, 2, 10, 3, .25f); /* less than lane 1 was there */
  assert_told (rig, 3, 10, .5, 1);
  g_assert_cmpuint (n_kept (rig), ==, 2);
  come (rig, 2, 20, 2, 8); /* more */
  assert_told (rig, 3, 20, 8, 2);
  come (rig, 2, 30, 0, 0); /* bit for bit; lane 1 wasn't */
  assert_told (rig, 3, 30, .125, 2);
  g_assert_cmpfloat (rig->c.agreement.weights_relative, ==, .125);
  g_assert_cmpuint (n_kept (rig), ==, 0);
  come (rig, 2, 40, 0, 0);
  come (rig, 0, 40, 0, 0);
  come (rig, 1, 40, 0, 0);
  assert_told (rig, 4, 40, 0, 0);
  g_assert_cmpuint (n_kept (rig), ==, 0);
  rig_free (rig);
}

/* Weights are kept for lanes that work or are awaited, and are no further than that; not for the lane itself,
 * nor once the last one says that it won't come. */
static void
test_kept_for (void)
{
  static const struct {
    LsLaneStage stage;
    LsLaneEntry entry;
    guint64 steps;
    guint kept;
  } rows[] = { { LS_STAGE_FREE, LS_ENTRY_FIRST, 9, 1 },    { LS_STAGE_BUSY, LS_ENTRY_FIRST, 10, 1 },
               { LS_STAGE_FREE, LS_ENTRY_FIRST, 11, 0 },   { LS_STAGE_OPENING, LS_ENTRY_FIRST, 0, 1 },
               { LS_STAGE_OPENING, LS_ENTRY_JOINS, 0, 0 }, { LS_STAGE_LOADING, LS_ENTRY_OVERDUE, 0, 0 },
               { LS_STAGE_FAILED, LS_ENTRY_FIRST, 0, 0 },  { LS_STAGE_HUNG, LS_ENTRY_FIRST, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Rig *rig = rig_new (TINY);

      rig->c.lanes[1].stage = LS_STAGE_FAILED;
      rig->c.lanes[2].stage = rows[i].stage;
      rig->c.lanes[2].entry = rows[i].entry;
      rig->c.lanes[2].steps = rows[i].steps;
      come (rig, 0, 10, 0, 0);
      if (n_kept (rig) != rows[i].kept)
        g_error ("row %u: weights after 10 steps %s kept for a lane after %u", i,
                 rows[i].kept ? "aren’t" : "are", (guint) rows[i].steps);
      rig->c.lanes[2].steps = 9; /* it goes on there, as before */
      ls_coordinator_forget_weights (&rig->c, &rig->c.lanes[2]);
      g_assert_cmpuint (n_kept (rig), ==, rows[i].kept);
      rig->c.lanes[2].steps = 10; /* it was put there */
      ls_coordinator_forget_weights (&rig->c, &rig->c.lanes[2]);
      if (n_kept (rig) != 0)
        g_error ("row %u: weights stay for a lane that isn’t coming there any more", i);
      rig_free (rig);
    }
}

/* Two lanes are awaited: weights go when both have given up. */
static void
test_given_up (void)
{
  Rig *rig = rig_new (TINY);

  come (rig, 0, 10, 0, 0);
  come (rig, 0, 20, 0, 0);
  rig->c.lanes[1].steps = rig->c.lanes[2].steps = 15;
  ls_coordinator_forget_weights (&rig->c, &rig->c.lanes[1]);
  g_assert_cmpuint (n_kept (rig), ==, 2);
  ls_coordinator_forget_weights (&rig->c, &rig->c.lanes[2]);
  g_assert_cmpuint (n_kept (rig), ==, 1);
  come (rig, 1, 20, 0, 1);
  assert_told (rig, 1, 20, 1, 0);
  rig_free (rig);
}

/* The oldest ones make room, within a number of bytes, whatever a network's size: of a large one two sets
 * take more than that, and the newest stays. */
static void
test_limit (void)
{
  static const struct {
    guint units[2];
    guint kept;
  } rows[] = { { { 64, 16 }, 10 },
               { { 2000, 1500 }, 4 },
               { { 2500, 2400 }, 2 },
               { { 4000, 2000 }, 1 },
               { { 4000, 3500 }, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const guint a = rows[i].units[0], b = rows[i].units[1];
      g_autofree char *network = g_strdup_printf ("flatten, dense %u, dense %u, dense 2", a, b);
      const gsize bytes = sizeof (float) * (3 * (gsize) a + (gsize) a * b + b + 2 * b + 2);
      Rig *rig = rig_new (network);

      g_assert_cmpuint (MIN (10, MAX (1, LS_KEPT_BYTES / bytes)), ==, rows[i].kept);
      rig->c.lanes[2].stage = LS_STAGE_FAILED;
      for (guint step = 1; step <= 10; step++)
        come (rig, 0, step, 0, (float) step);
      if (n_kept (rig) != rows[i].kept)
        g_error ("weights of %u steps of %u bytes are kept in %u bytes", n_kept (rig), (guint) bytes,
                 (guint) LS_KEPT_BYTES);
      come (rig, 1, 10 - rows[i].kept, 0, 0);
      if (rig->c.agreement.weights_compared != 0)
        g_error ("a step whose weights were let go is compared");
      come (rig, 1, 10, 0, 0);
      assert_told (rig, 1, 10, 10, 0);
      rig_free (rig);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/agreement/far-behind", test_far_behind);
  g_test_add_func ("/train/agreement/kept-for", test_kept_for);
  g_test_add_func ("/train/agreement/given-up", test_given_up);
  g_test_add_func ("/train/agreement/limit", test_limit);
  return g_test_run ();
}
