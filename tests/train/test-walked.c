/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which walks through products a lane is asked for (train/walks.c), on one that has a ladder and writes down
 * what it is asked: every product by the tiled rung and by the lane's own, or the one that is wished for;
 * each of them once, with the step's values.
 */
#include <string.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "files/recording.h"
#include "rig.h"

static GMutex lock;
typedef struct {
  guint tensor;
  const void *values;
} Input;

static GArray *inputs;  /* of all walks */
static GArray *asked;   /* LsWalkWish */
static gboolean ladder; /* its products are by rungs: register, packed, and one by none */
static guint missing;   /* inputs without values */
static gboolean builds; /* what a walk needs is built beside the lane, */
static GArray *built;   /* LsWalkWish: for which of them it was */
static LsPlan *plan;

static gboolean
prepare (gpointer lane, LsPlan *of, LsData *set, GError **error)
{
  plan = of;
  return fake_backend.prepare (lane, of, set, error);
}

/* The first product is by the register rung, the second by none, the others are packed. */
static const LsTiling *
tilings (gpointer lane)
{
  static LsTiling own[64];
  guint products = 0;

  g_assert_cmpuint (plan->n_ops, <=, G_N_ELEMENTS (own));
  memcpy (own, fake_backend.tilings (lane), plan->n_ops * sizeof *own);
  for (guint i = 0; i < plan->n_ops; i++)
    if (ladder && plan->ops[i].attr.m > 0)
      {
        own[i].way = products == 0 ? LS_WAY_REGISTER : products == 1 ? LS_WAY_OTHER : LS_WAY_PACKED;
        products++;
      }
  return own;
}

static gboolean
measure (gpointer lane, LsFigure *roofs, GError **error)
{
  memset (roofs, 0, LS_ROOF_N * sizeof *roofs);
  return TRUE;
}

static gboolean
walk (gpointer lane, const LsWalkOrder *order, LsWalk **made, GError **error)
{
  const LsWalkWish wish = { (gint) order->op, (gint) order->rung, order->row, order->col };
  const LsOp *op = &plan->ops[order->op];

  g_mutex_lock (&lock);
  for (guint j = 0; j < op->n_in; j++)
    {
      const Input input = { op->in[j], order->values[op->in[j]] };

      g_array_append_val (inputs, input);
      missing += input.values == NULL;
    }
  g_array_append_val (asked, wish);
  g_mutex_unlock (&lock);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "This lane doesn't walk.");
  return FALSE;
}

static void
build (const LsOptions *options, LsPlan *of, LsData *set, LsKernelFiles *edited, const LsWalkWish *wish,
       LsKernelTrial *trial)
{
  g_mutex_lock (&lock);
  for (guint i = 0; i < built->len; i++)
    if (g_array_index (built, LsWalkWish, i).op == wish->op
        && g_array_index (built, LsWalkWish, i).rung == wish->rung)
      g_error ("kernels for op %d by rung %d are built once more", wish->op, wish->rung);
  g_array_append_val (built, *wish);
  g_mutex_unlock (&lock);
}

static guint
count (void)
{
  guint n;

  g_mutex_lock (&lock);
  n = asked->len;
  g_mutex_unlock (&lock);
  return n;
}

/* Trains on until the newest recording has so many walks; then, and some turns later, it has no more. */
static LsSnapshot *
until (LsCoordinator *c, guint walks)
{
  for (guint i = 0; i < 60000; i++)
    {
      LsSnapshot *s = ls_coordinator_take (c);

      if (s != NULL && s->recording != NULL && s->recording->lanes[0].walks->len >= walks)
        {
          ls_coordinator_run (c, s->lanes[0].steps + 40);
          ls_snapshot_unref (s);
          s = finish (c);
          g_assert_cmpuint (s->recording->lanes[0].walks->len, ==, walks);
          return s;
        }
      ls_snapshot_unref (s);
      g_usleep (1000);
    }
  g_error ("within a minute %u walks were asked for, not %u", count (), walks);
}

/* What a step writes over is there as the op found it, not as the step left it. */
static void
assert_before (const LsRecording *recording)
{
  const GArray *before = recording->lanes[0].before;
  guint found = 0;

  g_mutex_lock (&lock);
  for (guint i = 0; i < before->len; i++)
    for (guint k = 0; k < inputs->len; k++)
      {
        const LsRecordedTensor *was = &g_array_index (before, LsRecordedTensor, i);
        const Input *is = &g_array_index (inputs, Input, k);

        if (is->tensor != was->shape)
          continue;
        found++;
        if (is->values != was->values)
          g_error ("a walk gets “%s” as the step left it", plan->tensors[is->tensor].name);
      }
  g_mutex_unlock (&lock);
  g_assert_cmpuint (found, >=, 2); /* weights */
}

/* The walks that were asked for from that one on are these, in their order. */
static void
assert_asked (guint from, const LsWalkWish *wishes, guint n)
{
  g_mutex_lock (&lock);
  if (asked->len != from + n)
    g_error ("%u walks were asked for, not %u", asked->len - from, n);
  for (guint i = 0; i < n; i++)
    {
      const LsWalkWish *is = &g_array_index (asked, LsWalkWish, from + i);
      if (is->op != wishes[i].op || is->rung != wishes[i].rung || is->row != wishes[i].row
          || is->col != wishes[i].col)
        g_error ("walk %u is of op %d by rung %d at %d, %d, not of op %d by rung %d at %d, %d", i, is->op,
                 is->rung, is->row, is->col, wishes[i].op, wishes[i].rung, wishes[i].row, wishes[i].col);
    }
  if (missing > 0)
    g_error ("a walk has no values of %u of its inputs", missing);
  g_mutex_unlock (&lock);
}

static gboolean
try_kernels (const LsOptions *options, LsPlan *of, LsData *set, LsKernelFiles *edited, LsKernelTrial *trial,
             GError **error)
{
  return TRUE;
}

static gboolean
reload (gpointer lane, LsKernelFiles *edited, GError **error)
{
  return TRUE;
}

static LsCoordinator *
begin (LsOptions *options)
{
  static const LsBackendEdit edit = { .try_kernels = try_kernels, .reload = reload };
  static const LsBackendRoofs roofs = { measure };
  static const LsBackendWalk walks = { .walk = walk };
  static LsBackendBuild building;
  static LsBackend backend;
  const LsBackend *lane = &backend;
  LsCoordinator *c;

  backend = fake_backend;
  backend.prepare = prepare;
  backend.tilings = tilings;
  backend.roofs = &roofs;
  backend.walk = &walks;
  backend.edit = &edit;
  building = *fake_backend.build;
  building.warm = build;
  backend.build = builds ? &building : NULL;
  g_clear_pointer (&asked, g_array_unref);
  g_clear_pointer (&inputs, g_array_unref);
  g_clear_pointer (&built, g_array_unref);
  built = g_array_new (FALSE, FALSE, sizeof (LsWalkWish));
  inputs = g_array_new (FALSE, FALSE, sizeof (Input));
  asked = g_array_new (FALSE, FALSE, sizeof (LsWalkWish));
  c = ls_coordinator_new_with_backends (options, &lane, 1, NULL);
  g_assert_true (ls_coordinator_start (c, NULL));
  return c;
}

/* The plan's products, of which there are so many. */
static guint
products (gint *ops)
{
  guint n = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    if (plan->ops[i].attr.m > 0)
      ops[n++] = (gint) i;
  return n;
}

/* All of them: each by the tiled rung, and by the lane's own where it is another. */
static void
test_all (gconstpointer has_ladder)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  LsWalkWish expected[32];
  gint ops[32];
  guint n = 0;

  ladder = has_ladder != NULL;
  c = begin (options);
  ls_coordinator_walk (c, &(LsWalkWish){ LS_WALK_ALL_OPS, -1, -1, -1 });
  ls_coordinator_run_recorded (c, 3);
  g_assert_true (ls_coordinator_wait (c, 20000));
  for (guint i = 0; i < products (ops); i++)
    {
      expected[n++] = (LsWalkWish){ ops[i], LS_RUNG_TILED, -1, -1 };
      if (ladder && i != 1)
        expected[n++] = (LsWalkWish){ ops[i], i == 0 ? LS_RUNG_REGISTER : LS_RUNG_PACKED, -1, -1 };
    }
  s = until (c, n);
  assert_asked (0, expected, n);
  assert_before (s->recording);
}

/* The one that is wished for, by its rung and at its place; then the next wish, of the same step. */
static void
test_one (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) first = NULL, second = NULL;
  LsWalkWish one = { 0, LS_RUNG_PACKED, 1, 2 }, none = { 0, -1, -1, -1 };
  gint ops[32];

  ladder = TRUE;
  c = begin (options);
  ls_coordinator_run_recorded (c, 3);
  ls_snapshot_unref (finish (c));
  g_assert_cmpuint (products (ops), >=, 4);
  one.op = ops[2];
  none.op = ops[0];
  ls_coordinator_walk (c, &one);
  first = until (c, 1);
  assert_asked (0, &one, 1);
  ls_coordinator_walk (c, &none); /* no rung is known to have run: the tiled one */
  second = until (c, 2);
  none.rung = LS_RUNG_TILED;
  assert_asked (1, &none, 1);
  g_assert_true (ls_recording_shares_step (first->recording, second->recording));
  for (guint i = 0; i < 2; i++)
    {
      const LsWalk *is = g_ptr_array_index (second->recording->lanes[0].walks, i);
      g_assert_cmpstr (is->message, ==, "This lane doesn't walk.");
      g_assert_cmpuint (is->op, ==, (guint) (i == 0 ? one.op : none.op));
      g_assert_cmpuint (is->rung, ==, (guint) (i == 0 ? one.rung : none.rung));
    }
}

static void
assert_built (const LsWalkWish *wishes, guint n)
{
  g_mutex_lock (&lock);
  if (built->len != n)
    g_error ("for %u walks kernels were built %u times", n, built->len);
  for (guint i = 0; i < n; i++)
    {
      const LsWalkWish *is = &g_array_index (built, LsWalkWish, i);

      if (is->op != wishes[i].op || is->rung != wishes[i].rung)
        g_error ("kernels %u were built for op %d by rung %d, not for op %d by rung %d", i, is->op, is->rung,
                 wishes[i].op, wishes[i].rung);
    }
  g_mutex_unlock (&lock);
}

/* What a walk needs is built beside the lane before it is asked for it, once for each. */
static void
test_built (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  LsWalkWish wishes[2] = { { 0, LS_RUNG_PACKED, 1, 2 }, { 0, LS_RUNG_TILED, 0, 0 } };
  gint ops[32];

  ladder = TRUE;
  builds = TRUE;
  c = begin (options);
  ls_coordinator_run_recorded (c, 3);
  ls_snapshot_unref (finish (c));
  g_assert_cmpuint (products (ops), >=, 4);
  wishes[0].op = ops[2];
  wishes[1].op = ops[0];
  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      ls_coordinator_walk (c, &wishes[i]);
      ls_snapshot_unref (until (c, i + 1));
      assert_asked (i, &wishes[i], 1);
      assert_built (wishes, i + 1);
    }
  builds = FALSE;
}

/* Another step is recorded, and the walk through it is made, too. */
static void
record_another (LsCoordinator *c, const LsWalkWish *wish)
{
  g_autoptr (LsSnapshot) s = NULL;
  static guint64 steps = 100;

  ls_coordinator_walk (c, wish);
  ls_coordinator_run_recorded (c, steps += 100);
  ls_snapshot_unref (finish (c));
  ls_coordinator_walk (c, wish);
  s = until (c, 1);
  g_assert_cmpuint (s->recording->step, ==, steps);
}

/* Of another step the same walk needs nothing new; but with the user's own kernels it does, once more. */
static void
test_built_of_edited (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsKernelFiles) files = ls_kernel_files_new ();
  LsWalkWish wish = { 0, LS_RUNG_PACKED, 1, 2 };
  gboolean loaded = FALSE;
  gint ops[32];

  ladder = TRUE;
  builds = TRUE;
  c = begin (options);
  ls_coordinator_run (c, 50);
  ls_snapshot_unref (finish (c));
  g_assert_cmpuint (products (ops), >=, 4);
  wish.op = ops[2];
  record_another (c, &wish);
  record_another (c, &wish);
  assert_built (&wish, 1);
  g_free (files->names);
  files->names = g_strdup ("gemm_packed.cl");
  ls_coordinator_reload_kernels (c, files);
  for (guint i = 0; i < 60000 && !loaded; i++)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);

      loaded = s != NULL && s->lanes[0].kernels_serial == 1 && !s->lanes[0].kernels_coming;
      g_usleep (1000);
    }
  g_assert_true (loaded);
  g_mutex_lock (&lock);
  g_array_set_size (built, 0);
  g_mutex_unlock (&lock);
  record_another (c, &wish);
  assert_built (&wish, 1);
  builds = FALSE;
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/walked/all", "ladder", test_all);
  g_test_add_data_func ("/walked/no-ladder", NULL, test_all);
  g_test_add_func ("/walked/one", test_one);
  g_test_add_func ("/walked/built", test_built);
  g_test_add_func ("/walked/built-of-edited", test_built_of_edited);
  status = g_test_run ();
  g_clear_pointer (&inputs, g_array_unref);
  g_clear_pointer (&asked, g_array_unref);
  g_clear_pointer (&built, g_array_unref);
  return status;
}
