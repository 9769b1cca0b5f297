/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps in which tensors lie in each other's memory (model/places.c): the same bits as without, on every
 * policy, and everything in its own place again once somebody looks.
 */
#include <string.h>

#include "rig.h"

#define STEPS 6

static Rig *
open_rig (const char *model, const char *policy, const char *fusion)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_options_set (options, ls_options_find ("threads"), "2", NULL);
  ls_options_set (options, ls_options_find ("policy"), policy, NULL);
  ls_options_set (options, ls_options_find ("fusion"), fusion, NULL);
  return rig_new (&ls_backend_cpu, options, model, 5);
}

static void
train (Rig *rig, gboolean reuse, guint n, float *losses)
{
  guint64 ends[STEPS];
  LsRunResult result = { .losses = losses, .step_end_ns = ends };

  rig->reuse = reuse;
  rig_run (rig, n, TRUE, NULL, &result);
}

static guint
find (const Rig *rig, const char *name)
{
  for (guint i = 0; i < rig->plan->n_tensors; i++)
    if (g_str_equal (rig->plan->tensors[i].name, name))
      return i;
  g_error ("the plan has no %s", name);
}

/* (transfer full) */
static float *
read_tensor (Rig *rig, const char *name)
{
  const guint tensor = find (rig, name);
  float *values = g_malloc (ls_tensor_bytes (&rig->plan->tensors[tensor]));

  g_assert_true (rig->backend->read (rig->self, tensor, values, NULL));
  return values;
}

static gboolean
is_zero (Rig *rig, const char *name)
{
  g_autofree float *values = read_tensor (rig, name);
  const gint64 count = ls_tensor_count (&rig->plan->tensors[find (rig, name)]);

  for (gint64 i = 0; i < count; i++)
    if (values[i] != 0)
      return FALSE;
  return TRUE;
}

static void
assert_same (Rig *a, Rig *b, const char *name)
{
  g_autofree float *one = read_tensor (a, name), *other = read_tensor (b, name);

  g_assert_cmpmem (one, ls_tensor_bytes (&a->plan->tensors[find (a, name)]), other,
                   ls_tensor_bytes (&b->plan->tensors[find (b, name)]));
}

static void
test_same_bits (void)
{
  static const char *const models[]
    = { "lstm 12, dense 10",
        "lstm 12 all, lstm 7, dense 10",
        "lstm 9 all, flatten, dense 10",
        "mlp",
        "cnn",
        "flatten, dense 24, layernorm, gelu, residual(relu, dense 24), dropout 0.3, dense 10" };
  static const char *const policies[] = { "static", "steal" };
  static const LsRole kept[] = { LS_ROLE_WEIGHT, LS_ROLE_STATE };

  for (gsize m = 0; m < G_N_ELEMENTS (models); m++)
    for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
      {
        Rig *apart = open_rig (models[m], policies[p], "on"),
            *shared = open_rig (models[m], policies[p], "on"),
            *unfused = open_rig (models[m], policies[p], "off");
        float losses[3][STEPS];

        train (apart, FALSE, STEPS, losses[0]);
        train (shared, TRUE, STEPS, losses[1]);
        train (unfused, TRUE, STEPS, losses[2]); /* has nothing to reuse */
        g_test_message ("%s, %s", models[m], policies[p]);
        g_assert_cmpmem (losses[0], sizeof losses[0], losses[1], sizeof losses[1]);
        g_assert_cmpmem (losses[0], sizeof losses[0], losses[2], sizeof losses[2]);
        for (gsize r = 0; r < G_N_ELEMENTS (kept); r++)
          {
            g_assert_cmphex (rig_hash (apart, kept[r]), ==, rig_hash (shared, kept[r]));
            g_assert_cmphex (rig_hash (apart, kept[r]), ==, rig_hash (unfused, kept[r]));
          }
        assert_same (apart, shared, "logits");
        assert_same (apart, shared, "probs");
        rig_free (apart);
        rig_free (shared);
        rig_free (unfused);
      }
}

/* From one kind of step to the other and back; a recorded one has every value in its own place. */
static void
test_in_turn (void)
{
  static const char *const seen[] = { "a0",  "g0.steps", "q0.t2",    "q0.t28",
                                      "dz0", "dc0.t3",   "h0.steps", "c0.steps" };
  Rig *apart = open_rig ("lstm 12, dense 10", "steal", "on"),
      *shared = open_rig ("lstm 12, dense 10", "steal", "on");
  guint64 end;
  float loss;
  LsRunResult result = { .losses = &loss, .step_end_ns = &end };

  train (apart, FALSE, 2, NULL);
  train (shared, TRUE, 2, NULL);
  g_assert_true (is_zero (shared, "g0.steps") && is_zero (shared, "dz0") && is_zero (shared, "q0.t28"));
  g_assert_false (is_zero (apart, "g0.steps") || is_zero (apart, "dz0") || is_zero (apart, "q0.t28"));

  ls_trace_free (rig_record (apart, TRUE, &result));
  ls_trace_free (rig_record (shared, TRUE, &result));
  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    {
      g_assert_false (is_zero (shared, seen[i]));
      assert_same (apart, shared, seen[i]);
    }
  train (apart, FALSE, 2, NULL);
  train (shared, TRUE, 2, NULL);
  g_assert_cmphex (rig_hash (apart, LS_ROLE_WEIGHT), ==, rig_hash (shared, LS_ROLE_WEIGHT));

  /* part of a step, whose values are looked at: nothing is moved */
  LsHyper hyper = { .step = 5 };
  LsBatch batch = { &shared->set, shared->index, 5 };
  LsRun forward = { .n_ops = shared->plan->first_op[LS_PHASE_LOSS],
                    .n_steps = 1,
                    .batches = &batch,
                    .hyper = &hyper,
                    .fuse = TRUE,
                    .reuse = TRUE };
  for (guint i = 0; i < 5; i++)
    shared->index[i] = apart->index[i] = i;
  g_assert_true (shared->backend->run (shared->self, &forward, &result, NULL));
  batch = (LsBatch){ &apart->set, apart->index, 5 };
  forward.reuse = FALSE;
  g_assert_true (apart->backend->run (apart->self, &forward, &result, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    if (seen[i][0] != 'd')
      assert_same (apart, shared, seen[i]);
  rig_free (apart);
  rig_free (shared);
}

/* Another plan is prepared after steps that reused memory, and after ones that didn't: whether the next step
 * does is what it is asked for, not what the last one did. */
static void
test_prepared_anew (void)
{
  for (guint before = 0; before < 2; before++)
    for (guint then = 0; then < 2; then++)
      {
        Rig *rig = open_rig ("lstm 12, dense 10", "steal", "on");

        train (rig, before == 1, 2, NULL);
        g_assert_true (rig->backend->prepare (rig->self, rig->plan, NULL, NULL));
        rig_reset (rig);
        train (rig, then == 1, 2, NULL);
        if (is_zero (rig, "g0.steps") != (then == 1) || is_zero (rig, "dz0") != (then == 1))
          g_error ("prepared anew after steps that %s, a step that was %s memory %s",
                   before == 1 ? "reused memory" : "didn’t reuse memory",
                   then == 1 ? "to reuse" : "not to reuse", then == 1 ? "doesn’t" : "does");
        rig_free (rig);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reuse/same-bits", test_same_bits);
  g_test_add_func ("/reuse/in-turn", test_in_turn);
  g_test_add_func ("/reuse/prepared-anew", test_prepared_anew);
  return g_test_run ();
}
