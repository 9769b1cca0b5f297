/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a way's network gets right once it is trained and converted to whole numbers, as "lockstep convert
 * int8" does it. It is computed in this process: nothing of it is timed.
 */
#include "config.h"

#include <string.h>

#include "claims/run.h"
#include "core/error.h"
#include "machines/converted/converted.h"

/* The options of the way's lane, with what its line "step\tMODEL\tDATA\tBATCH" trains. NULL: LS_ERROR_USAGE.
 */
static LsOptions *
options_of (const LsClaimWay *way, const LsOptions *lane, guint64 seed, GError **error)
{
  static const char *const names[] = { NULL, "model", "data", "batch" };
  g_auto (GStrv) words = g_strsplit (way->run, "\t", -1);
  g_autoptr (LsOptions) options = ls_options_copy (lane);
  g_autofree char *steps = g_strdup_printf ("%u", way->steps),
                  *from = g_strdup_printf ("%" G_GUINT64_FORMAT, seed);

  for (guint i = 1; i < G_N_ELEMENTS (names); i++)
    if (!ls_options_set (options, ls_options_find (names[i]), words[i], error))
      return NULL;
  return ls_options_set (options, ls_options_find ("steps"), steps, error)
             && ls_options_set (options, ls_options_find ("seed"), from, error)
           ? g_steal_pointer (&options)
           : NULL;
}

gboolean
ls_claim_learn_whole (const LsClaimWay *way, const LsOptions *lane, guint seeds, GCancellable *cancel,
                      GArray *right, GError **error)
{
  for (guint i = 0; i < seeds; i++)
    {
      g_autoptr (LsOptions) options = options_of (way, lane, (guint64) lane->seed + i, error);
      const LsConvertedWish wish = { .kind = LS_CONVERTED_INT8, .options = options, .bits = way->bits };
      g_autoptr (LsConverted) result = options != NULL ? ls_converted_run (&wish, NULL, NULL, cancel, error)
                                                       : NULL;

      if (result == NULL)
        return FALSE;
      const double share = result->points[result->n_points - 1].accuracy.value / 100;
      g_array_append_val (right, share);
    }
  return TRUE;
}
