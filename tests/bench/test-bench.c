/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark's arithmetic and its tables, on made-up rounds: nothing is timed here.
 */
#include <glib.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/error.h"
#include "bench.h"
#include "lab/machine.h"

static const char *const extras[] = { "recording", NULL };

static const LsWork *
work_called (const char *name)
{
  guint n;
  const LsWork *works = ls_works (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (works[i].name, name) == 0)
      return &works[i];
  g_assert_not_reached ();
}

/* A row in which `who` took these times, one a round. */
static void
add_rounds (LsBenchRow *row, LsPeerId who, const double *us, guint n)
{
  row->n_rounds = n;
  row->entries[who].here = TRUE;
  for (guint r = 0; r < n; r++)
    {
      row->entries[who].rounds[r] = g_array_new (FALSE, FALSE, sizeof (double));
      g_array_append_val (row->entries[who].rounds[r], us[r]);
    }
}

static LsBenchRow *
new_row (const char *name)
{
  g_autoptr (GError) error = NULL;
  LsBenchRow *row = ls_bench_row_new (work_called (name), &error);

  g_assert_no_error (error);
  return row;
}

/* Ratios are made round by round: a machine that slows both down doesn't change them. */
static void
test_ratio (void)
{
  g_autoptr (LsBenchRow) row = new_row ("mlp-128");
  LsFigure ratio;

  add_rounds (row, LS_PEER_CPU, (const double[]){ 100, 200, 400, 800, 1600 }, 5);
  add_rounds (row, LS_PEER_TORCH, (const double[]){ 300, 600, 800, 2400, 4800 }, 5);
  ls_bench_row_finish (row);
  ratio = ls_bench_row_ratio (row, LS_PEER_CPU, LS_PEER_TORCH);
  g_assert_cmpfloat (ratio.value, ==, 3);
  g_assert_cmpfloat (ratio.q1, ==, 3);
  g_assert_cmpuint (ratio.n, ==, 5);
  g_assert_cmpint (ratio.evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpfloat (row->entries[LS_PEER_CPU].us.value, ==, 400);
  g_assert_cmpuint (ls_bench_row_ratio (row, LS_PEER_CPU, LS_PEER_ONEDNN).n, ==, 0);
}

/* Disturbed rounds are left out while three quiet ones remain; else all count, and it is said. */
static void
test_disturbed (void)
{
  g_autoptr (LsBenchRow) row = new_row ("mlp-128");

  add_rounds (row, LS_PEER_CPU, (const double[]){ 10, 20, 30, 900, 800 }, 5);
  add_rounds (row, LS_PEER_TORCH, (const double[]){ 20, 40, 60, 900, 800 }, 5);
  row->others[3] = row->others[4] = 1.5;
  row->others[1] = -1;
  ls_bench_row_finish (row);
  g_assert_cmpuint (row->n_disturbed, ==, 2);
  g_assert_true (row->left_out);
  g_assert_cmpfloat (row->entries[LS_PEER_CPU].us.value, ==, 20);
  g_assert_cmpuint (row->entries[LS_PEER_CPU].us.left_out, ==, 2);
  g_assert_null (row->entries[LS_PEER_CPU].us.condition);
  g_assert_cmpfloat (ls_bench_row_ratio (row, LS_PEER_CPU, LS_PEER_TORCH).value, ==, 2);

  row->others[0] = 1;
  ls_bench_row_finish (row);
  g_assert_false (row->left_out);
  g_assert_cmpfloat (row->entries[LS_PEER_CPU].us.value, ==, 30);
  g_assert_cmpuint (row->entries[LS_PEER_CPU].us.left_out, ==, 0);
  g_assert_nonnull (row->entries[LS_PEER_CPU].us.condition);
}

static void
test_rate (void)
{
  const LsFigure us = { .value = 200, .n = 9, .q1 = 100, .q3 = 400 };
  const LsFigure rate = ls_figure_per_second (&us, 128, "samples/s"),
                 none = ls_figure_per_second (&(LsFigure){ 0 }, 1, "");

  g_assert_cmpfloat (rate.value, ==, 640000);
  g_assert_cmpfloat (rate.q1, ==, 320000);
  g_assert_cmpfloat (rate.q3, ==, 1280000);
  g_assert_cmpuint (none.n, ==, 0);
}

/* What a step of the mlp costs can be counted by hand: three layers forward, three gradients of weights, two
 * of inputs. */
static void
test_limit (void)
{
  g_autoptr (LsBenchRow) row = new_row ("mlp-128");
  LsBench bench = { .bandwidth = { .value = 1e9, .n = 1 } };
  LsFigure share;

  g_assert_cmpuint (row->cost.products->len, ==, 8);
  g_assert_cmpint (row->cost.flops, ==, 2 * 128LL * (2 * 784 * 256 + 3 * 256 * 128 + 3 * 128 * 10));
  g_assert_cmpint (row->cost.bytes, >, 4 * (784 * 256 + 128 * 784));
  add_rounds (row, LS_PEER_CPU, (const double[]){ 1e6 }, 1);
  ls_bench_row_finish (row);
  share = ls_bench_memory_share (&bench, row, LS_PEER_CPU);
  g_assert_cmpfloat (fabs (share.value - (double) row->cost.bytes / 1e9), <, 1e-12);
  bench.bandwidth.n = 0;
  g_assert_cmpuint (ls_bench_memory_share (&bench, row, LS_PEER_CPU).n, ==, 0);
}

/* Every row's line is read back as the plan that costs what the row says, and is understood by the BLAS where
 * it is one. */
static void
test_specs (void)
{
  static const char *const wrong[] = { "",
                                       "step",
                                       "step\tmlp",
                                       "step\tmlp\tmnist\t0",
                                       "step\tmlp\tmnist\tx",
                                       "step\tdense\tmnist\t1",
                                       "step\tmlp\tnowhere\t8",
                                       "products\t",
                                       "products\t1 2 3",
                                       "products\t0 0 0 1 1",
                                       "products\t2 0 1 1 1",
                                       "products\t0 0 1 1 99999999999",
                                       "products\t0 0 -1 1 1",
                                       "products\t0 1 8 8 8;0 1 8 8 8",
                                       "conv\tforward\t1 1 1",
                                       "conv\tup\t1 1 8 8 1 3 1 1",
                                       "conv\tforward\t1 1 2 2 1 9 1 0",
                                       "conv\tforward\t1 1 8 8 1 3 0 1" };
  guint n;
  const LsWork *works = ls_works (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *spec = ls_work_spec (&works[i]), *text = ls_work_text (&works[i]), *products = NULL;
      g_autoptr (LsBenchRow) row = new_row (works[i].name);
      g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (LsProduct));

      g_assert_null (strchr (spec, '\n'));
      g_assert_cmpuint (strlen (text), >, 0);
      g_assert_cmpint (row->cost.flops, >, 0);
      products = ls_products_spec (row->cost.products);
      g_assert_true (ls_products_parse (products, read, NULL));
      g_assert_cmpuint (read->len, ==, row->cost.products->len);
      g_assert_cmpmem (read->data, read->len * sizeof (LsProduct), row->cost.products->data,
                       read->len * sizeof (LsProduct));
      if (works[i].kind == LS_WORK_PRODUCT)
        g_assert_cmpmem (read->data, sizeof (LsProduct), &works[i].product, sizeof (LsProduct));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("“%s”", wrong[i]);
      g_assert_null (ls_work_plan (wrong[i], NULL, LS_OPTIMIZER_SGD, 1, &error));
      g_assert_nonnull (error);
    }
}

static void
test_only (void)
{
  static const char *const wrong[] = { "", "mlp,", "ml", "mlp-12", "gemm-", "\xff\xfe", "mlp,nothing" };
  g_autoptr (GPtrArray) all = NULL, some = NULL, none = NULL;
  guint wanted, n;

  ls_works (&n);
  all = ls_works_choose (NULL, extras, &wanted, NULL);
  g_assert_cmpuint (all->len, ==, n);
  g_assert_cmpuint (wanted & 1, ==, 1);
  some = ls_works_choose ("gemm-128x784x256, mlp-16 ,mlp-16", extras, &wanted, NULL);
  g_assert_cmpuint (some->len, ==, 4);
  g_assert_cmpstr (((const LsWork *) some->pdata[0])->name, ==, "mlp-16");
  g_assert_cmpuint (wanted, ==, 0);
  none = ls_works_choose ("recording", extras, &wanted, NULL);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (wanted, ==, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_works_choose (wrong[i], extras, &wanted, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static LsReached
reached (double value, guint64 n, double least, double aim, gboolean most)
{
  const LsTarget target = { NULL, least, aim, most, { .value = value, .n = n } };

  return ls_target_reached (&target);
}

static void
test_targets (void)
{
  LsBench bench = { .vector = 16,
                    .rows = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bench_row_free) };
  LsBenchRow *row = new_row ("mlp-128");
  g_autoptr (GArray) targets = NULL;
  guint best = 0;

  g_assert_cmpint (reached (2.5, 3, 2, 2.5, FALSE), ==, LS_REACHED_AIM);
  g_assert_cmpint (reached (2.4, 3, 2, 2.5, FALSE), ==, LS_REACHED_LEAST);
  g_assert_cmpint (reached (1.9, 3, 2, 2.5, FALSE), ==, LS_REACHED_NOT);
  g_assert_cmpint (reached (1.9, 0, 2, 2.5, FALSE), ==, LS_REACHED_UNKNOWN);
  g_assert_cmpint (reached ((double) NAN, 1, 2, 2.5, FALSE), ==, LS_REACHED_UNKNOWN);
  g_assert_cmpint (reached (1, 3, (double) NAN, 1.3, FALSE), ==, LS_REACHED_NOT);
  g_assert_cmpint (reached (1, 3, (double) NAN, (double) NAN, FALSE), ==, LS_REACHED_NO_TARGET);
  g_assert_cmpint (reached (2.9, 3, 3, (double) NAN, TRUE), ==, LS_REACHED_LEAST);
  g_assert_cmpint (reached (3.1, 3, 3, (double) NAN, TRUE), ==, LS_REACHED_NOT);
  for (guint i = 0; i <= LS_REACHED_NO_TARGET; i++)
    g_assert_nonnull (ls_reached_name ((LsReached) i));

  add_rounds (row, LS_PEER_CPU, (const double[]){ 100, 100, 100 }, 3);
  add_rounds (row, LS_PEER_OPENBLAS, (const double[]){ 50, 50, 50 }, 3);
  ls_bench_row_finish (row);
  g_assert_cmpint (ls_bench_row_best (row), ==, LS_PEER_N);
  add_rounds (row, LS_PEER_TORCH, (const double[]){ 260, 250, 240 }, 3);
  add_rounds (row, LS_PEER_JAX, (const double[]){ 110, 110, 110 }, 3);
  ls_bench_row_finish (row);
  g_assert_cmpint (ls_bench_row_best (row), ==, LS_PEER_JAX);
  g_ptr_array_add (bench.rows, row);
  targets = ls_bench_targets (&bench);
  for (guint i = 0; i < targets->len; i++)
    {
      const LsTarget *t = &g_array_index (targets, LsTarget, i);

      if (strstr (t->what, "best peer, JAX: mlp") == NULL)
        continue;
      best++;
      g_assert_cmpfloat (t->figure.value, ==, 1.1);
      g_assert_cmpfloat (t->least, ==, 1.5);
      g_assert_cmpint (ls_target_reached (t), ==, LS_REACHED_NOT);
    }
  g_assert_cmpuint (best, ==, 1);
  /* narrower vectors have targets of their own, but for what isn't held against a peer's step */
  bench.vector = 8;
  g_array_unref (g_steal_pointer (&targets));
  targets = ls_bench_targets (&bench);
  for (guint i = 0; i < targets->len; i++)
    {
      const LsTarget *t = &g_array_index (targets, LsTarget, i);

      if (ls_target_reached (t) != LS_REACHED_UNKNOWN)
        g_assert_cmpfloat (t->least, ==, strstr (t->what, "best peer") != NULL ? 1.3 : .55);
    }
  g_assert_cmpuint (targets->len, ==, 3); /* the third: OpenCL's, which wasn't measured */
  g_ptr_array_unref (bench.rows);
}

static void
test_machine (void)
{
  g_assert_cmpfloat (ls_machine_parse_busy ("cpu  100 20 30 9999 7 1 2 40 0 0\ncpu0 1 2 3\n", 100), ==, 1.93);
  g_assert_cmpfloat (ls_machine_parse_busy ("cpu  100 20 30 9999\n", 100), ==, 1.5);
  g_assert_cmpfloat (ls_machine_parse_busy ("intr 1\n", 100), <, 0);
  g_assert_cmpfloat (ls_machine_parse_busy ("", 100), <, 0);
  g_assert_cmpfloat (ls_machine_parse_process ("7 (a) b) S 1 1 1 0 -1 0 0 0 0 0 300 200 50 25 20 0", 100), ==,
                     5.75);
  g_assert_cmpfloat (ls_machine_parse_process ("7 (a", 100), ==, 0);
  g_assert_cmpfloat (ls_machine_parse_process ("7 (a)", 100), ==, 0);
  g_assert_cmpfloat (ls_machine_parse_process ("7 (a) S 1 2", 100), ==, 0);
  g_assert_cmpfloat (ls_machine_process_s (0x7fffffff), ==, 0);
}

/* ---- children that are other than they should be ---- */

static LsLabChild *
shell (const char *script, GError **error)
{
  const char *const argv[] = { "/bin/sh", "-c", script, NULL };

  return ls_lab_child_new (argv, NULL, 2, NULL, error);
}

#define HELLO "echo '{\"title\": \"a\", \"threads\": 2}'; read x; "

static void
test_children (void)
{
  static const char *const bad[] = { "exit 0",
                                     "echo",
                                     "echo no",
                                     "echo '{\"no\": \"why it is\"}'",
                                     "echo '{\"no\": 1}'",
                                     "echo '{\"title\": \"a\"}'",
                                     "echo '{\"title\": \"a\", \"threads\": 0}'",
                                     "echo '{\"title\": 1, \"threads\": 1}'",
                                     "printf '{\"title\": \"a\", \"threads\": 1}'",
                                     "printf '{\"title\": \"\\377\", \"threads\": 1}\n'",
                                     "kill -9 $$",
                                     "head -c 100000 /dev/zero" };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", bad[i]);
      g_assert_null (shell (bad[i], &error));
      g_assert_nonnull (error);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  static const struct {
    const char *script;
    gboolean good, gone;
  } answers[] = {
    { HELLO "echo '{\"us\": [1.5, 2]}'; read x", TRUE, FALSE },
    { HELLO "echo; read x", FALSE, TRUE },
    { HELLO "echo '{}'; read x", FALSE, FALSE },
    { HELLO "echo '{\"us\": []}'; read x", FALSE, FALSE },
    { HELLO "echo '{\"us\": 5}'; read x", FALSE, FALSE },
    { HELLO "echo '{\"us\": [1, 2, \"x\"]}'; read x", FALSE, FALSE },
    { HELLO "echo '{\"us\": [1, -1]}'; read x", FALSE, FALSE },
    { HELLO "echo '{\"us\": [1, 1e300]}'; read x", FALSE, FALSE },
    { HELLO "echo '{\"no\": \"idea\"}'; read x", FALSE, FALSE },
    { HELLO, FALSE, TRUE },
    { HELLO "exec sleep 20", FALSE, TRUE },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsLabChild) child = shell (answers[i].script, &error);

      g_test_message ("%s", answers[i].script);
      g_assert_no_error (error);
      g_assert_cmpuint (ls_lab_child_threads (child), ==, 2);
      g_array_set_size (times, 0);
      g_assert_cmpint (ls_lab_child_run (child, 1, 0, 1, times, &error), ==, answers[i].good);
      g_assert_cmpint (error == NULL, ==, answers[i].good);
      g_assert_cmpint (times->len > 0, ==, answers[i].good);
      g_assert_cmpint (ls_lab_child_gone (child), ==, answers[i].gone);
      g_clear_error (&error);
      if (answers[i].gone)
        g_assert_false (ls_lab_child_prepare (child, "x", 1, NULL, &error));
    }
}

/* What ended it is told, with its last words. */
static void
test_fates (void)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabChild) child = shell (HELLO "echo some words >&2; kill -11 $$", &error);

  g_assert_no_error (error);
  g_assert_false (ls_lab_child_run (child, 1, 0, 5, times, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "signal 11"));
  g_assert_nonnull (strstr (error->message, ": some words"));
}

static gpointer
cancel_soon (gpointer cancel)
{
  g_usleep (50000);
  g_cancellable_cancel (cancel);
  return NULL;
}

/* One that ends between two questions is gone with the next. */
static void
test_ended_before (void)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabChild) child = shell ("echo '{\"title\": \"a\", \"threads\": 2}'; exit 3", &error);

  g_assert_no_error (error);
  g_usleep (200000);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (ls_lab_child_run (child, 1, 0, 5, times, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_true (ls_lab_child_gone (child));
      g_clear_error (&error);
    }
}

/* Whoever doesn't want to wait any longer needn't wait for the child's limit. */
static void
test_cancelled (void)
{
  const char *const argv[] = { "/bin/sh", "-c", HELLO "exec sleep 600", NULL };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabChild) child = ls_lab_child_new (argv, NULL, 5, cancel, &error);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancel);

  g_assert_no_error (error);
  g_assert_false (ls_lab_child_run (child, 1, 0, 500, times, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
  g_assert_true (ls_lab_child_gone (child));
  g_thread_join (thread);
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN); /* as the program does */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/ratio", test_ratio);
  g_test_add_func ("/bench/disturbed", test_disturbed);
  g_test_add_func ("/bench/rate", test_rate);
  g_test_add_func ("/bench/limit", test_limit);
  g_test_add_func ("/bench/specs", test_specs);
  g_test_add_func ("/bench/only", test_only);
  g_test_add_func ("/bench/targets", test_targets);
  g_test_add_func ("/bench/machine", test_machine);
  g_test_add_func ("/bench/children", test_children);
  g_test_add_func ("/bench/fates", test_fates);
  g_test_add_func ("/bench/ended-before", test_ended_before);
  g_test_add_func ("/bench/cancelled", test_cancelled);
  return g_test_run ();
}
