/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guide is asked in tests: a step, how long it takes here, and prices as they are published.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "machines/fit.h"
#include "machines/guide/guide.h"

typedef struct {
  LsCatalogue *catalogue;
  LsModel *model;
  LsPlan *plan;
  LsGuide guide;
  LsAdvice advice;
} Asked;

/* A step of some hundred ms here, of which a month has too many for this computer: a card is needed. */
static inline void
ask (Asked *a, const char *text, guint batch)
{
  g_autoptr (GError) error = NULL;
  LsFit fit = { .in_shape = { 1, 28, 28 }, .n_classes = 10 };

  *a = (Asked){ .catalogue = ls_catalogue_load (NULL, &error) };
  g_assert_no_error (error);
  fit.model = a->model = ls_model_parse (text, &error);
  g_assert_no_error (error);
  a->plan = ls_fit_plan (&fit, batch, LS_OPTIMIZER_SGD);
  a->guide = (LsGuide){ .plan = a->plan,
                        .steps = 1e5,
                        .runs = 50,
                        .months = 24,
                        .step_here = { .value = .6, .q1 = .6, .q3 = .6, .n = 60, .unit = "s" },
                        .need = { .value = 4e9, .n = 1 },
                        .here = { .value = 16e9, .n = 1 },
                        .share = { .value = .5, .q1 = .5, .q3 = .5, .n = 60 },
                        .currency = "USD" };
}

static inline void
advise (Asked *a)
{
  ls_advice_clear (&a->advice);
  ls_guide_advise (&a->guide, &a->advice);
  g_test_message ("%s: %s", ls_advice_names[a->advice.kind], a->advice.sentence);
  g_assert_nonnull (a->advice.sentence);
  g_assert_true (g_utf8_validate (a->advice.sentence, -1, NULL));
  g_autofree char *all = g_strjoin (" ", a->advice.sentence, a->advice.change != NULL ? a->advice.change : "",
                                    a->advice.moves, NULL);
  g_assert_true (g_str_has_suffix (a->advice.sentence, "."));
  g_assert_true (a->advice.change != NULL || a->advice.moves != NULL); /* what would change it, always */
  g_assert_null (strstr (all, "nan"));
  g_assert_null (strstr (all, "inf"));
}

static inline void
leave (Asked *a)
{
  ls_advice_clear (&a->advice);
  ls_plan_unref (a->plan);
  ls_model_free (a->model);
  ls_catalogue_unref (a->catalogue);
}

#define LARGE "flatten, dense 4096, relu, dense 4096, relu, dense 10"

static inline void
priced (Asked *a, const char *own, const char *rent)
{
  a->guide.own = ls_catalogue_find (a->catalogue, own, NULL);
  a->guide.rent = ls_catalogue_find (a->catalogue, rent, NULL);
  ls_prices_published (a->guide.rent, a->guide.own, TRUE, &a->guide.prices);
}
