/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See disagreement.h. The op is named by its equation and layer, not by a number: which ops are counted
 * differs between lanes that fuse and lanes that don't.
 */
#include "config.h"
#include "ui/paint/data/disagreement.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"

/* "CPU 0.03120, OpenCL 0.2408" */
static char *
losses (const LsSnapshot *snapshot)
{
  const LsAgreement *a = &snapshot->agreement;
  g_autofree char *first = ls_number_text (a->disagree_losses[0], 4),
                  *second = ls_number_text (a->disagree_losses[1], 4);

  return g_strdup_printf ("%s %s, %s %s", snapshot->lanes[a->disagree_lanes[0]].spec->title, first,
                          snapshot->lanes[a->disagree_lanes[1]].spec->title, second);
}

/* The op that differs by itself. */
static void
found_words (const LsSnapshot *snapshot, char *words[2])
{
  const LsAgreement *a = &snapshot->agreement;
  const LsComparison *c = &a->first;
  const LsTensor *tensor = &snapshot->plan->tensors[c->tensor];
  const LsOp *op = &snapshot->plan->ops[c->op];
  const double far = ls_compare_how_far (c->value, c->expected, c->tolerance);
  g_autofree char *element = ls_tensor_element_string (tensor, c->worst),
                  *step = ls_number_count (a->first_step + 1);
  g_autofree char *value = ls_number_text (c->value, 5), *expected = ls_number_text (c->expected, 5);
  g_autofree char *bound = ls_number_power (c->tolerance), *both = losses (snapshot), *times = NULL,
                  *loss_step = NULL;

  /* op, equation, layer, step, element */
  words[0] = op->layer >= 0
               ? g_strdup_printf (_("First different: %s, %s, layer %d, at step %s, in element %s."),
                                  op->klass->name, op->equation, op->layer + 1, step, element)
               : g_strdup_printf (_("First different: %s, %s, at step %s, in element %s."), op->klass->name,
                                  op->equation, step, element);
  loss_step = ls_number_count (a->disagree_step + 1);
  if (isfinite (far))
    {
      times = far < 1e6 ? ls_number_text (far, 3) : ls_number_power (far);
      words[1] = g_strdup_printf (
        _("%s %s, should be %s from the same inputs: %s times the bound of %s. Losses of step %s: %s."),
        snapshot->lanes[c->lane].spec->title, value, expected, times, bound, loss_step, both);
    }
  else
    words[1] = g_strdup_printf (_("%s %s, should be %s from the same inputs. Losses of step %s: %s."),
                                snapshot->lanes[c->lane].spec->title, value, expected, loss_step, both);
}

void
ls_disagreement_words (const LsSnapshot *snapshot, char *words[2])
{
  const LsAgreement *a = &snapshot->agreement;

  words[0] = words[1] = NULL;
  if (!a->disagree)
    return;
  if (a->found)
    {
      found_words (snapshot, words);
      return;
    }
  g_autofree char *step = ls_number_count (a->disagree_step + 1), *bound = ls_number_tick (LS_DISAGREE_LOSS);
  g_autofree char *both = losses (snapshot);
  words[0] = g_strdup_printf (_("First different: the loss of step %s."), step);
  if (a->examined)
    words[1] = g_strdup_printf (_("%s; tolerance %s in the mean of %u steps. Each op by itself is right: "
                                   "look at what is fused, or at the weights."),
                                both, bound, (guint) LS_DISAGREE_STEPS);
  else
    words[1] = g_strdup_printf (_("%s; tolerance %s in the mean of %u steps. Looking for the op …"), both,
                                bound, (guint) LS_DISAGREE_STEPS);
}
