/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Batches: every epoch a permutation, every step a pure function of its number, the partial batch left out.
 */
#include <string.h>

#include "core/error.h"
#include "data/batcher.h"

static const struct {
  gint64 n;
  guint batch;
} sizes[] = { { 1, 1 }, { 7, 7 }, { 8, 7 }, { 13, 7 }, { 97, 10 }, { 1000, 128 }, { 10, 1 }, { 60000, 128 } };

static LsBatcher *
make (gint64 n, guint batch, LsOrder order, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  LsBatcher *batcher = ls_batcher_new (n, batch, order, seed, &error);

  g_assert_no_error (error);
  return batcher;
}

static void
test_sequential (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      guint batch = sizes[s].batch;
      g_autoptr (LsBatcher) batcher = make (sizes[s].n, batch, LS_ORDER_SEQUENTIAL, 1);
      guint64 steps = ls_batcher_steps_per_epoch (batcher);
      g_autofree guint32 *index = g_new (guint32, batch);

      g_assert_cmpuint (steps, ==, (guint64) sizes[s].n / batch);
      for (guint64 step = 0; step < 3 * steps; step++)
        {
          ls_batcher_get (batcher, step, index);
          for (guint i = 0; i < batch; i++)
            g_assert_cmpuint (index[i], ==, (step % steps) * batch + i);
        }
    }
}

/* No position twice in an epoch, none out of range. */
static void
test_permutation (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      guint batch = sizes[s].batch;
      g_autoptr (LsBatcher) batcher = make (sizes[s].n, batch, LS_ORDER_SHUFFLED, 5);
      guint64 steps = ls_batcher_steps_per_epoch (batcher);
      g_autofree guint32 *index = g_new (guint32, batch);

      for (guint64 epoch = 0; epoch < 3; epoch++)
        {
          g_autofree guint8 *seen = g_malloc0 ((gsize) sizes[s].n);

          for (guint64 step = 0; step < steps; step++)
            {
              ls_batcher_get (batcher, epoch * steps + step, index);
              for (guint i = 0; i < batch; i++)
                {
                  g_assert_cmpuint (index[i], <, sizes[s].n);
                  g_assert_cmpuint (seen[index[i]]++, ==, 0);
                }
            }
        }
    }
}

/* Asked backwards, and of another batcher, the answers are the same. */
static void
test_pure (void)
{
  enum { BATCH = 7, STEPS = 60 };
  g_autoptr (LsBatcher) a = make (50, BATCH, LS_ORDER_SHUFFLED, 9),
                        b = make (50, BATCH, LS_ORDER_SHUFFLED, 9);
  g_autoptr (LsBatcher) other = make (50, BATCH, LS_ORDER_SHUFFLED, 10);
  guint32 forward[STEPS][BATCH], index[BATCH];
  guint alike = 0;

  for (guint step = 0; step < STEPS; step++)
    ls_batcher_get (a, step, forward[step]);
  for (guint step = STEPS; step-- > 0;)
    {
      ls_batcher_get (b, step, index);
      g_assert_cmpmem (index, sizeof index, forward[step], sizeof index);
      ls_batcher_get (a, step, index);
      g_assert_cmpmem (index, sizeof index, forward[step], sizeof index);
      ls_batcher_get (other, step, index);
      alike += memcmp (index, forward[step], sizeof index) == 0;
    }
  g_assert_cmpuint (alike, <, 3);
  /* Epochs differ from each other. */
  g_assert_cmpint (memcmp (forward[0], forward[7], sizeof forward[0]), !=, 0);
  /* Far steps are no different. */
  ls_batcher_get (a, G_MAXUINT64, index);
  ls_batcher_get (b, G_MAXUINT64, forward[0]);
  g_assert_cmpmem (index, sizeof index, forward[0], sizeof index);
}

static void
test_refused (void)
{
  static const struct {
    gint64 n;
    guint batch;
  } bad[] = { { 10, 0 }, { 10, 11 }, { 0, 1 }, { -1, 1 }, { G_MAXINT64, 1 }, { 1, G_MAXUINT } };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_batcher_new (bad[i].n, bad[i].batch, LS_ORDER_SHUFFLED, 1, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/batcher/sequential", test_sequential);
  g_test_add_func ("/batcher/permutation", test_permutation);
  g_test_add_func ("/batcher/pure", test_pure);
  g_test_add_func ("/batcher/refused", test_refused);
  return g_test_run ();
}
