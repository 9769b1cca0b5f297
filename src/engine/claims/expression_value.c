/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of an expression, with its spread and how it is known: see expression.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "claims/expression_steps.h"
#include "core/error.h"

/* A figure on the stack; a number that the text has says nothing of how the rest is known. */
typedef struct {
  LsFigure figure;
  gboolean is_number;
} Value;

static LsEvidence
weaker (const Value *a, const Value *b)
{
  if (a->is_number || b->is_number)
    {
      const LsEvidence known = a->is_number ? b->figure.evidence : a->figure.evidence;
      return known == LS_EVIDENCE_MEASURED ? LS_EVIDENCE_DERIVED : known;
    }
  if (a->figure.evidence == LS_EVIDENCE_PUBLISHED && b->figure.evidence == LS_EVIDENCE_PUBLISHED)
    return LS_EVIDENCE_PUBLISHED;
  return a->figure.evidence >= LS_EVIDENCE_MODELLED || b->figure.evidence >= LS_EVIDENCE_MODELLED
           ? LS_EVIDENCE_MODELLED
           : LS_EVIDENCE_DERIVED;
}

static double
calculate (LsClaimStepKind kind, double a, double b)
{
  return kind == LS_CLAIM_STEP_ADD        ? a + b
         : kind == LS_CLAIM_STEP_SUBTRACT ? a - b
         : kind == LS_CLAIM_STEP_MULTIPLY ? a * b
                                          : a / b;
}

/* FALSE: it divides by what may be zero. */
static gboolean
apply (LsClaimStepKind kind, Value *a, const Value *b)
{
  const double as[] = { a->figure.q1, a->figure.q3 }, bs[] = { b->figure.q1, b->figure.q3 };
  LsFigure out = { .q1 = G_MAXDOUBLE, .q3 = -G_MAXDOUBLE, .evidence = weaker (a, b) };

  if (kind == LS_CLAIM_STEP_DIVIDE && bs[0] <= 0 && bs[1] >= 0)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      const double corner = calculate (kind, as[i / 2], bs[i % 2]);
      out.q1 = MIN (out.q1, corner);
      out.q3 = MAX (out.q3, corner);
    }
  out.value = calculate (kind, a->figure.value, b->figure.value);
  /* a single figure, such as a count, has no spread, and says nothing of how many samples there are */
  out.n = a->figure.n <= 1 ? b->figure.n : b->figure.n <= 1 ? a->figure.n : MIN (a->figure.n, b->figure.n);
  out.n = MAX (out.n, 1);
  a->figure = out;
  a->is_number = a->is_number && b->is_number;
  return isfinite (out.value) && isfinite (out.q1) && isfinite (out.q3);
}

LsFigure
ls_claim_expression_value (const LsClaimExpression *expression, const LsClaimUnit *unit,
                           LsClaimTermValue value, gpointer data, GError **error)
{
  Value stack[LS_CLAIM_MAX_STEPS];
  LsFigure out = { .unit = unit->name };
  guint n = 0;

  for (guint i = 0; i < expression->steps->len; i++)
    {
      const LsClaimStep *step = &g_array_index (expression->steps, LsClaimStep, i);

      switch (step->kind)
        {
        case LS_CLAIM_STEP_NUMBER:
          stack[n++] = (Value){ { .value = step->number, .q1 = step->number, .q3 = step->number, .n = 1 },
                                TRUE };
          break;
        case LS_CLAIM_STEP_TERM:
          stack[n].is_number = FALSE;
          stack[n].figure = value (&g_array_index (expression->terms, LsClaimTerm, step->term), data, error);
          if (stack[n++].figure.n == 0)
            return out;
          break;
        default:
          n--;
          if (!apply (step->kind, &stack[n - 1], &stack[n]))
            {
              g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                                   _("It can’t be worked out: something in it is zero, or may be."));
              return out;
            }
        }
    }
  out = stack[0].figure;
  out.value /= unit->scale;
  out.q1 /= unit->scale;
  out.q3 /= unit->scale;
  out.unit = unit->name;
  out.condition = NULL;
  out.left_out = 0;
  if (stack[0].is_number)
    out.evidence = LS_EVIDENCE_MODELLED; /* somebody's number, with no source */
  return out;
}
