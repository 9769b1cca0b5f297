/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a GPU is the wrong answer: a table of rules, each of which rests on a figure.
 */
#include "config.h"
#include "machines/guide/guide.h"

#include <glib/gi18n-lib.h>

/* A small batch is one up to here; it can't keep a device busy where the roofs allow less of its peak. */
#define SMALL_BATCH 8
#define SMALL_SHARE .1

/* A table is small up to what the caches of today's processors hold, and a run short that one can wait for.
 */
#define SMALL_TABLE 16e6         /* bytes */
#define SHORT_RUN   (60. / 3600) /* h */

/* Less than it takes to start a plan's ops, which are not so many that it is a second. */
static char *
short_text (double seconds)
{
  const gboolean ms = seconds >= .9995e-3;
  g_autofree char *digits = ls_digits_text (seconds * (ms ? 1e3 : 1e6));

  return g_strdup_printf ("%s %s", digits, ms ? "ms" : "µs");
}

/* As far as is known this computer does the month's runs, and holds the step. */
static gboolean
does_it (const LsGuide *g, const LsAdvice *a)
{
  return !(a->here.n > 0 && a->here.value > LS_HOURS_A_MONTH)
         && !(g->need.n > 0 && g->here.n > 0 && g->need.value > g->here.value);
}

typedef struct {
  const char *name;
  /* What to say; NULL: the rule doesn't hold. Each rests on a figure. (transfer full) */
  char *(*words) (const LsGuide *guide, const LsAdvice *advice);
  const char *change; /* translatable */
  gboolean compares;  /* with what a step takes here: until that is measured nothing is wrong yet */
} Rule;

static char *
trees (const LsGuide *g, const LsAdvice *a)
{
  return g->work == LS_WORK_TREES ? g_strdup (
           _("No GPU for trees: they compare one number after another, and 0 FLOP of that are products "
              "of matrices, which its published rates are of; more processor cores help."))
                                  : NULL;
}

static char *
preparing (const LsGuide *g, const LsAdvice *a)
{
  return g->work == LS_WORK_PREPARING ? g_strdup (
           _("No GPU for preparing data: reading, decoding and sorting are 0 FLOP of a step, and the "
              "fastest card would wait for them; more processor cores and a faster disk help."))
                                      : NULL;
}

/* Starting the ops takes a GPU as long as all of the step takes here. */
static char *
small (const LsGuide *g, const LsAdvice *a)
{
  const double start = g->plan != NULL ? g->plan->n_ops * LS_COST_LAUNCH : 0;

  if (!does_it (g, a) || g->step_here.n == 0 || a->step_own.n == 0 || g->step_here.value > start
      || a->step_own.q3 < g->step_here.value || start < a->step_own.q3 / 2)
    return NULL;
  g_autofree char *here = short_text (g->step_here.value), *there = short_text (start);
  return g_strdup_printf (
    _("No GPU for so small a step: it takes %s here, and starting its %u ops one by one "
       "takes a GPU up to %s before it has computed anything."),
    here, g->plan->n_ops, there);
}

/* Each weight is read for a few samples alone, and at worst the card is no faster than what is here. */
static char *
batch_one (const LsGuide *g, const LsAdvice *a)
{
  LsCostRoofs roofs;

  if (g->plan == NULL || g->own == NULL || g->plan->batch > SMALL_BATCH || !does_it (g, a)
      || (g->step_here.n > 0 && a->step_own.q3 < g->step_here.value))
    return NULL;
  ls_cost_roofs (g->own, g->plan->precision, &roofs);
  if (!ls_cost_roofs_known (&roofs))
    return NULL;
  const double share = (double) g->plan->flops / roofs.flops / ls_cost_roof_seconds (g->plan, &roofs);
  g_autofree char *digits = ls_digits_text (100 * share);
  if (share >= SMALL_SHARE)
    return NULL;
  return g_strdup_printf (
    g->step_here.n > 0
      ? _("No GPU for batch %u: its memory can feed it with %s %% of its peak at most, since "
           "each weight is read for so few samples.")
      : _(
        "Train here with batch %u before you think of a GPU: its memory can feed it with %s %% of its peak "
        "at most, since each weight is read for so few samples, and it may be no faster."),
    g->plan->batch, digits);
}

/* The table lies in the caches of a processor, and a run over it is short, or a card may be no faster. */
static char *
small_table (const LsGuide *g, const LsAdvice *a)
{
  if (g->table.n == 0 || g->table.value > SMALL_TABLE || !does_it (g, a))
    return NULL;
  if (g->step_here.n > 0 && a->step_own.n > 0 && a->step_own.q3 < g->step_here.value
      && !(a->run_here.n > 0 && a->run_here.value < SHORT_RUN))
    return NULL;
  g_autofree char *mb = ls_digits_text (g->table.value / 1e6),
                  *run = a->run_here.n > 0 ? ls_hours_text (&a->run_here) : NULL;
  return run != NULL
           ? g_strdup_printf (
             _("No GPU for so small a table: all of it is %s MB, which a processor’s caches "
                "hold, and a run over it takes %s here."),
             mb, run)
           : g_strdup_printf (_("Train here before you think of a GPU: all of the table is %s MB, which a "
                                 "processor’s caches hold, and a run over it may be over in moments."),
                              mb);
}

static const Rule rules[] = {
  { "trees", trees, N_("A network in their place would change that, where the table is large.") },
  { "preparing", preparing, N_("It changes where the step, not its data, takes the time.") },
  { "table", small_table, N_("A table many times as long changes that, or a network many times as wide."),
    TRUE },
  { "small", small, N_("A larger batch or a wider network changes that: Crossover measures from where on."),
    TRUE },
  { "batch", batch_one, N_("A larger batch changes that: Roofline shows how far."), TRUE },
};

gboolean
ls_guide_rule (const LsGuide *guide, LsAdvice *advice)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if ((advice->sentence = rules[i].words (guide, advice)) != NULL)
      {
        advice->kind = rules[i].compares && guide->step_here.n == 0 ? LS_ADVICE_UNKNOWN : LS_ADVICE_WRONG;
        advice->rule = rules[i].name;
        advice->change = g_strdup (_(rules[i].change));
        return TRUE;
      }
  return FALSE;
}
