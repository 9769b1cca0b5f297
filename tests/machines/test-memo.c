/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of models is what they compute, and is computed once: as often as the same is asked for, with
 * another assumption, batch or network anew.
 */
#include "config.h"

#include "machines/kept/memo.h"

static LsPlan *
plan_with (const char *text, guint batch, gint64 width, guint n_classes, LsOptimizer optimizer)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  const gint64 shape[3] = { 1, 28, width };

  return ls_plan_new (model, shape, n_classes, batch, optimizer, NULL);
}

static LsPlan *
plan_of (const char *text, guint batch)
{
  return plan_with (text, batch, 28, 10, LS_OPTIMIZER_SGD);
}

/* The same as the model's own run, and no more is computed than the count says. */
static void
expect (LsMachineMemo *memo, const LsMachine *machine, const LsPlan *plan, guint batch,
        const LsAssumed *assumed, guint computed)
{
  g_autoptr (LsModelled) modelled = ls_machine_memo_get (memo, machine, plan, batch, assumed);
  g_autoptr (LsPlan) plain = batch != 0 ? ls_plan_new (plan->model, plan->in_shape, plan->n_classes, batch,
                                                       plan->optimizer, NULL)
                                        : NULL,
                     other = plain != NULL ? ls_plan_with_precision (plain, plan->precision) : NULL;
  g_autoptr (LsMachineRun) run = ls_machine_run (machine, other != NULL ? other : plan, assumed);
  double seconds;

  g_assert_nonnull (modelled);
  g_assert_cmpfloat (modelled->run->seconds, ==, run->seconds);
  g_assert_cmpfloat (modelled->run->interval, ==, run->interval);
  g_assert_cmpuint (modelled->run->ops->len, ==, run->ops->len);
  if (batch == 0)
    {
      g_assert_cmpint (modelled->moves, ==, ls_machine_moves_most (machine, plan, assumed, &seconds));
      g_assert_cmpfloat (modelled->moves_s, ==, seconds);
    }
  if (ls_machine_memo_computed (memo) != computed)
    g_error ("%s, %s, batch %u: %u answers were computed, not %u", machine->name, plan->model->text, batch,
             ls_machine_memo_computed (memo), computed);
}

static void
test_same (void)
{
  g_autoptr (LsMachineMemo) memo = ls_machine_memo_new ();
  guint n, computed = 0;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint turn = 0; turn < 3; turn++)
    for (guint i = 0; i < n; i++)
      {
        /* another plan each time, which is the same step */
        g_autoptr (LsPlan) plan = plan_of ("mlp", 64);
        LsAssumed assumed;

        ls_machine_assume (machines[i], &assumed);
        computed += turn == 0;
        expect (memo, machines[i], plan, 0, &assumed, computed);
        computed += turn == 0;
        expect (memo, machines[i], plan, 8, &assumed, computed);
      }
}

/* The step's own batch, asked for as another one's: what limits the step is told of the step alone. */
static void
test_own_batch (void)
{
  const LsMachine *machine = ls_machine_find ("simt");
  g_autoptr (LsPlan) plan = plan_of ("mlp", 64);
  LsAssumed assumed;

  ls_machine_assume (machine, &assumed);
  for (guint first = 0; first < 2; first++) /* whichever is asked for first */
    {
      g_autoptr (LsMachineMemo) memo = ls_machine_memo_new ();

      expect (memo, machine, plan, first == 0 ? 64 : 0, &assumed, 1);
      expect (memo, machine, plan, first == 0 ? 0 : 64, &assumed, 2);
      expect (memo, machine, plan, 64, &assumed, 2);
      expect (memo, machine, plan, 0, &assumed, 2);
    }
}

static void
test_another (void)
{
  g_autoptr (LsMachineMemo) memo = ls_machine_memo_new ();
  g_autoptr (LsPlan) mlp = plan_of ("mlp", 64);
  LsPlan *const others[] = { plan_of ("cnn", 64),
                             plan_of ("mlp", 65),
                             plan_with ("mlp", 64, 28, 10, LS_OPTIMIZER_ADAM),
                             plan_with ("mlp", 64, 28, 7, LS_OPTIMIZER_SGD),
                             plan_with ("mlp", 64, 14, 10, LS_OPTIMIZER_SGD),
                             ls_plan_with_precision (mlp, LS_PRECISION_BF16) };
  const LsMachine *machine = ls_machine_find ("simt");
  LsAssumed assumed;
  guint n = 1;

  ls_machine_assume (machine, &assumed);
  expect (memo, machine, mlp, 0, &assumed, n);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      expect (memo, machine, others[i], 0, &assumed, ++n);
      /* and of another batch: in the very numbers of the plan */
      expect (memo, machine, others[i], 8, &assumed, ++n);
      ls_plan_unref (others[i]);
    }
  assumed.value[ls_machine_find_assumption (machine, "wait")] += 1;
  expect (memo, machine, mlp, 0, &assumed, ++n);
  expect (memo, ls_machine_find ("tensor"), mlp, 0,
          &(LsAssumed){ .value = { 108, 4, 16, 16, 16, 256, 1.41, 64, 500, 40, 6000, 1555, 3 } }, ++n);
  assumed.value[ls_machine_find_assumption (machine, "wait")] -= 1;
  expect (memo, machine, mlp, 0, &assumed, n);
  /* each of its assumptions, and none that it hasn't */
  for (guint i = 0; i <= machine->n_assumptions; i++)
    {
      LsAssumed other = assumed;

      other.value[i] *= 1.5;
      other.value[i] += i == machine->n_assumptions ? 1 : 0;
      n += i < machine->n_assumptions;
      expect (memo, machine, mlp, 0, &other, n);
    }
  /* more than are kept: the first of them is computed anew, and is the same */
  for (guint i = 0; i < 200; i++)
    {
      assumed.value[ls_machine_find_assumption (machine, "clock")] += .001;
      expect (memo, machine, mlp, 0, &assumed, ++n);
    }
  ls_machine_assume (machine, &assumed);
  expect (memo, machine, mlp, 0, &assumed, ++n);
}

/* As many answers as seven models have with five batches each, and what is tried beside, are kept; of more
 * the one that was asked for longest ago goes. */
static void
test_most (void)
{
  enum { MOST = 96 };
  const LsMachine *machine = ls_machine_find ("simt");
  g_autoptr (LsMachineMemo) memo = ls_machine_memo_new ();
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 10", 1);
  LsAssumed assumed;

  ls_machine_assume (machine, &assumed);
  for (guint batch = 1; batch <= MOST; batch++)
    expect (memo, machine, plan, batch, &assumed, batch);
  expect (memo, machine, plan, 1, &assumed, MOST);
  expect (memo, machine, plan, MOST + 1, &assumed, MOST + 1);
  expect (memo, machine, plan, 1, &assumed, MOST + 1);
  expect (memo, machine, plan, 2, &assumed, MOST + 2);
}

/* ---- proofs ---- */

/* With numbers for all that the plan has. */
static LsRecording *
recording_of (const LsPlan *plan)
{
  LsRecording *recording = ls_recording_new (plan, 1, 7);

  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const gint64 n = ls_tensor_count (&plan->tensors[i]);
      float *values = g_new (float, n);

      for (gint64 k = 0; k < n; k++)
        values[k] = (float) (k % 7) / 8;
      if (plan->tensors[i].is_view || plan->tensors[i].dtype != LS_F32)
        g_free (values);
      else
        ls_recording_take_tensor (recording, 0, i, values);
    }
  return recording;
}

/* The same as the machine's own, and so many answers were computed by then. */
static void
expect_proof (LsMachineMemo *memo, const LsMachine *machine, double tile, const LsRecording *recording,
              const LsPlan *plan, double most, guint computed)
{
  LsAssumed assumed;
  LsMachineProof proof = { 0 }, own = { 0 };

  ls_machine_assume (machine, &assumed);
  assumed.value[ls_machine_find_assumption (machine, machine == &ls_machine_tensor ? "tile-k" : "rows")]
    = tile;
  const gboolean done = ls_machine_memo_prove (memo, machine, &assumed, recording, plan, most, &proof);
  g_assert_cmpint (done, ==, ls_machine_prove (machine, &assumed, recording, plan, most, &own));
  if (done)
    {
      g_assert_cmpint (proof.k, ==, own.k);
      g_assert_cmpfloat (proof.turns, ==, own.turns);
      g_assert_cmpuint (proof.different, ==, own.different);
      g_assert_cmpfloat (proof.far, ==, own.far);
    }
  if (ls_machine_memo_computed (memo) != computed)
    g_error ("%s with %g, at most %g: %u proofs were computed, not %u", machine->name, tile, most,
             ls_machine_memo_computed (memo), computed);
}

/* A proof is made once for a machine, what is assumed of it, a recording and what it may take; two are kept,
 * those that were asked for last. */
static void
test_proofs (void)
{
  const LsMachine *array = &ls_machine_systolic;
  g_autoptr (LsMachineMemo) memo = ls_machine_memo_new ();
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 10", 2);
  g_autoptr (LsRecording) recording = recording_of (plan), other = recording_of (plan),
                          none = ls_recording_new (plan, 1, 7);

  expect_proof (memo, array, 4, recording, plan, 1e9, 1);
  expect_proof (memo, array, 5, recording, plan, 1e9, 2);
  expect_proof (memo, array, 4, recording, plan, 1e9, 2);
  expect_proof (memo, array, 6, recording, plan, 1e9, 3);
  expect_proof (memo, array, 4, recording, plan, 1e9, 3); /* was asked for later than the one of 5 */
  expect_proof (memo, array, 6, recording, plan, 1e9, 3);
  expect_proof (memo, array, 5, recording, plan, 1e9, 4);
  expect_proof (memo, array, 5, recording, plan, 1e6, 5);
  expect_proof (memo, array, 5, other, plan, 1e6, 6);
  expect_proof (memo, &ls_machine_tensor, 5, other, plan, 1e6, 7);
  expect_proof (memo, &ls_machine_tensor, 5, none, plan, 1e6, 8); /* that there is none is kept, too */
  expect_proof (memo, &ls_machine_tensor, 5, none, plan, 1e6, 8);
  expect_proof (memo, &ls_machine_tensor, 5, other, plan, 1e6, 8);
}

/* Of a product that is too much, half of what is most goes, rounded up, until the rest may be done. */
static void
test_part (void)
{
  static const struct {
    double most;
    gint64 m, n, k; /* 0: not even one sum may */
  } rows[] = {
    { 15680, 2, 10, 784 }, { 15679, 2, 10, 392 }, { 7839, 2, 10, 196 }, { 3919, 2, 10, 98 },
    { 1959, 2, 10, 49 },   { 979, 2, 10, 25 },    { 499, 2, 10, 13 },   { 259, 2, 10, 7 },
    { 139, 2, 5, 7 },      { 69, 2, 5, 4 },       { 39, 2, 3, 4 },      { 23, 2, 3, 2 },
    { 11, 2, 2, 2 },       { 7, 1, 2, 2 },        { 3, 1, 1, 2 },       { 1.5, 1, 1, 1 },
    { .5, 0, 0, 0 },
  };
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 10", 2);
  g_autoptr (LsRecording) recording = recording_of (plan);
  LsAssumed assumed;

  ls_machine_assume (&ls_machine_tensor, &assumed);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsMachineProof p = { 0 };
      const gboolean done = ls_machine_prove (&ls_machine_tensor, &assumed, recording, plan, rows[i].most,
                                              &p);

      g_assert_cmpint (done, ==, rows[i].m > 0);
      if (!done)
        continue;
      if (p.m != rows[i].m || p.n != rows[i].n || p.k != rows[i].k)
        g_error ("of %g multiply-adds %d×%d×%d are done, not %d×%d×%d", rows[i].most, (gint) p.m, (gint) p.n,
                 (gint) p.k, (gint) rows[i].m, (gint) rows[i].n, (gint) rows[i].k);
      g_assert_cmpint (p.whole_m * p.whole_n * p.whole_k, ==, 2 * 10 * 784);
      g_assert_cmpint (ls_machine_proof_is_part (&p), ==, i > 0);
      g_assert_cmpuint (p.different, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/memo/same", test_same);
  g_test_add_func ("/machines/memo/own-batch", test_own_batch);
  g_test_add_func ("/machines/memo/another", test_another);
  g_test_add_func ("/machines/most", test_most);
  g_test_add_func ("/machines/memo/proofs", test_proofs);
  g_test_add_func ("/machines/memo/part", test_part);
  return g_test_run ();
}
