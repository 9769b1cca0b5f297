/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Case: an op on one of its test shapes, perhaps with followers that are to be fused, with inputs, and with
 * what must come out and how far off it may be: 4·√K·ε·Σ|x·y| for sums of K products, the OpenCL
 * specification's ulp for functions.
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

#define CASE_MAX_CHAIN 3

typedef struct {
  LsPlan *plan;
  guint n_followers;
  guint followers[CASE_MAX_CHAIN]; /* op numbers; the leader is op 0 */
  guint last_op;
  float **values;   /* per tensor: a float or gint32 each; outputs: unset */
  LsArena expected; /* doubles */
  double **error;   /* per tensor: how far each element may be off */
  LsHyper hyper;
  LsDataset set; /* gather */
  guint32 *index;
  LsBatch batch;
} Case;

/* chain: names of followers, NULL-terminated; NULL if such a chain makes no sense here. */
Case *case_new (const LsOpClass *klass, const LsOpTest *test, const char *const *chain, LsSampleType samples);
void case_free (Case *c);

/* got holds tensor's values. Says in *why where the largest violation is. */
gboolean case_agrees (const Case *c, guint tensor, const void *got, char **why);

G_END_DECLS
