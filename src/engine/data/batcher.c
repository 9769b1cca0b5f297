/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Batches by number. The permutation of the epoch at hand is kept, since it costs n random numbers to draw;
 * asking for any other step draws that step's epoch anew, so the result never depends on what was asked
 * before.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/rng.h"
#include "data/batcher.h"

struct _LsBatcher {
  guint32 n;
  guint batch;
  LsOrder order;
  guint64 seed;
  guint64 epoch; /* of `permutation`, if that is drawn */
  gboolean drawn;
  guint32 *permutation; /* n; NULL when sequential */
};

LsBatcher *
ls_batcher_new (gint64 n, guint batch, LsOrder order, guint64 seed, GError **error)
{
  g_autoptr (LsBatcher) batcher = NULL;

  if (batch < 1)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("A batch holds at least one sample."));
      return NULL;
    }
  if (n > G_MAXUINT32)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("A data set of %" PRId64 " samples is too large."), n);
      return NULL;
    }
  if (n < (gint64) batch)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("A batch of %u samples can’t be drawn from %" PRId64 "; choose a smaller --batch."),
                   batch, n);
      return NULL;
    }
  batcher = g_new0 (LsBatcher, 1);
  batcher->n = (guint32) n;
  batcher->batch = batch;
  batcher->order = order;
  batcher->seed = seed;
  if (order == LS_ORDER_SHUFFLED)
    {
      batcher->permutation = g_try_new (guint32, (gsize) n);
      if (batcher->permutation == NULL)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                       _("The order of %" PRId64 " samples needs more memory than there is."), n);
          return NULL;
        }
    }
  return g_steal_pointer (&batcher);
}

void
ls_batcher_free (LsBatcher *batcher)
{
  if (batcher == NULL)
    return;
  g_free (batcher->permutation);
  g_free (batcher);
}

guint64
ls_batcher_steps_per_epoch (const LsBatcher *batcher)
{
  return batcher->n / batcher->batch;
}

void
ls_batcher_get (LsBatcher *batcher, guint64 step, guint32 *index)
{
  guint64 steps = ls_batcher_steps_per_epoch (batcher);
  guint64 epoch = step / steps;
  guint32 first = (guint32) (step % steps) * batcher->batch;

  if (batcher->order == LS_ORDER_SEQUENTIAL)
    {
      for (guint i = 0; i < batcher->batch; i++)
        index[i] = first + i;
      return;
    }
  if (!batcher->drawn || batcher->epoch != epoch)
    {
      ls_rng_shuffle (batcher->seed, LS_STREAM_SHUFFLE, (guint32) epoch, batcher->permutation, batcher->n);
      batcher->epoch = epoch;
      batcher->drawn = TRUE;
    }
  memcpy (index, batcher->permutation + first, batcher->batch * sizeof *index);
}
