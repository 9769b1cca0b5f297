/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See expression.h. The text becomes a list of steps for a stack, once and for all: what can go wrong with
 * a file is found while it is read.
 */
#include "config.h"
#include "claims/expression_steps.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "machines/tables.h"

#define MAX_DEPTH  16 /* brackets */
#define MAX_DEVICE 60 /* bytes */

typedef struct {
  const char *text, *at;
  const LsClaimWay *ways;
  guint n_ways, depth;
  LsClaimExpression *made;
} Reader;

#define ROW(constant, name, arguments, s, flop, bytes) { name, arguments, { s, flop, bytes, 0, 0 } },
static const struct {
  const char *name, *arguments;
  LsClaimDimension dimension;
} rows[LS_CLAIM_N_TERMS] = { LS_CLAIM_TERMS (ROW) };
#undef ROW

static const LsClaimUnit units[] = {
  { "×", 1, { 0 } },          { "%", .01, { 0 } },        { "points", .01, { 0 } },
  { "ns", 1e-9, { .s = 1 } }, { "µs", 1e-6, { .s = 1 } }, { "ms", 1e-3, { .s = 1 } },
  { "s", 1, { .s = 1 } },     { "h", 3600, { .s = 1 } },
};

const LsClaimUnit *
ls_claim_unit_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

/* ---- reading ---- */

G_GNUC_PRINTF (4, 5)
static gboolean
wrong (GError **error, const Reader *reader, const char *at, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s”, character %ld: %s"), reader->text,
               g_utf8_pointer_to_offset (reader->text, at) + 1, words);
  return FALSE;
}

static gboolean
take (Reader *reader, char c)
{
  reader->at += strspn (reader->at, " ");
  if (*reader->at != c)
    return FALSE;
  reader->at++;
  return TRUE;
}

static gboolean
need (Reader *reader, char c, GError **error)
{
  return take (reader, c) || wrong (error, reader, reader->at, _("a “%c” belongs here."), c);
}

/* FALSE: it has too many. */
static gboolean
add_step (Reader *reader, LsClaimStep step, GError **error)
{
  if (reader->made->steps->len >= LS_CLAIM_MAX_STEPS)
    return wrong (error, reader, reader->at, _("it is too long."));
  g_array_append_val (reader->made->steps, step);
  return TRUE;
}

/* In the C locale; no sign, nothing that strtod() takes beside decimal numbers. */
static gboolean
take_number (Reader *reader, double *number, GError **error)
{
  const char *begins;
  char *end = NULL;

  reader->at += strspn (reader->at, " ");
  begins = reader->at;
  if (!g_ascii_isdigit (*begins))
    return wrong (error, reader, begins, _("a number or a term belongs here."));
  if (begins[0] == '0' && (begins[1] == 'x' || begins[1] == 'X'))
    return wrong (error, reader, begins, _("numbers are decimal."));
  *number = g_ascii_strtod (begins, &end);
  reader->at = end;
  return (isfinite (*number) && *number < 1e30)
         || wrong (error, reader, begins, _("the number is too large."));
}

/* Letters, digits, "-" and "_". (transfer full) */
static char *
take_word (Reader *reader)
{
  const char *begins;

  reader->at += strspn (reader->at, " ");
  begins = reader->at;
  while (g_ascii_isalnum (*reader->at) || *reader->at == '_' || *reader->at == '-')
    reader->at++;
  return g_strndup (begins, (gsize) (reader->at - begins));
}

static gboolean
take_device (Reader *reader, LsClaimTerm *term, GError **error)
{
  const char *begins;
  gsize n;

  if (!need (reader, '\'', error))
    return FALSE;
  begins = reader->at;
  n = strcspn (begins, "'");
  if (n == 0 || n > MAX_DEVICE || begins[n] == '\0')
    return wrong (error, reader, begins, _("a device’s name belongs here, in single quotes."));
  term->device = g_strndup (begins, n);
  reader->at += n + 1;
  return TRUE;
}

/* A word that one of the catalogue's tables has, or the name of a way. */
static gboolean
take_name (Reader *reader, char argument, LsClaimTerm *term, GError **error)
{
  g_autofree char *word = take_word (reader);
  const char *begins = reader->at - strlen (word);
  gint row;

  switch (argument)
    {
    case 'k':
      row = ls_hardware_kind_find (word);
      if (row < 0 || ls_hardware_kinds[row].has_numbers)
        return wrong (error, reader, begins,
                      _("“%s” is no figure of the catalogue that goes without numbers."), word);
      term->what = (LsHardwareKind) row;
      return TRUE;
    case 'n':
      row = ls_numbers_find (word);
      if (row < 0)
        return wrong (error, reader, begins, _("“%s” are no numbers of the catalogue."), word);
      term->numbers = (LsNumbers) row;
      return TRUE;
    case 'm':
      term->means = ls_means_find (word);
      return term->means != 0
             || wrong (error, reader, begins, _("“%s” is no meaning that the catalogue knows."), word);
    default:
      for (guint i = 0; i < reader->n_ways; i++)
        if (strcmp (reader->ways[i].name, word) == 0)
          {
            term->way = i;
            return TRUE;
          }
      return wrong (error, reader, begins, _("there is no way “%s”."), word);
    }
}

/* What a way must have for that term. */
static gboolean
check_way (const Reader *reader, const LsClaimTerm *term, const char *at, GError **error)
{
  const LsClaimWay *way = &reader->ways[term->way];

  if (term->kind == LS_CLAIM_TERM_ACCURACY && way->steps == 0)
    return wrong (error, reader, at, _("the way “%s” has no “steps”."), way->name);
  if (term->kind != LS_CLAIM_TERM_TIME && way->lane == NULL)
    return wrong (error, reader, at, _("the way “%s” isn’t run."), way->name);
  if ((term->kind == LS_CLAIM_TERM_ACCURACY || term->kind == LS_CLAIM_TERM_MEMORY)
      && !g_str_has_prefix (way->run, "step\t"))
    return wrong (error, reader, at, _("the way “%s” is no training step."), way->name);
  return TRUE;
}

static gboolean
read_term (Reader *reader, GError **error)
{
  const char *begins = reader->at;
  g_autofree char *name = take_word (reader);
  LsClaimTerm term = { .kind = LS_CLAIM_N_TERMS };
  LsClaimStep step = { .kind = LS_CLAIM_STEP_TERM, .term = reader->made->terms->len };
  gboolean fine;

  for (guint i = 0; i < LS_CLAIM_N_TERMS; i++)
    if (strcmp (rows[i].name, name) == 0)
      term.kind = (LsClaimTermKind) i;
  if (term.kind == LS_CLAIM_N_TERMS)
    return wrong (error, reader, begins, _("there is no term “%s”."), name);
  fine = need (reader, '(', error);
  for (const char *a = rows[term.kind].arguments; fine && *a != '\0'; a++)
    fine = (a == rows[term.kind].arguments || need (reader, ',', error))
           && (*a == 'd'   ? take_device (reader, &term, error)
               : *a == 'x' ? take_number (reader, &term.number, error)
                           : take_name (reader, *a, &term, error));
  fine = fine && need (reader, ')', error);
  if (fine && rows[term.kind].arguments[0] == 'w')
    fine = check_way (reader, &term, begins, error);
  if (!fine)
    {
      g_free (term.device);
      return FALSE;
    }
  g_array_append_val (reader->made->terms, term);
  return add_step (reader, step, error);
}

static gboolean read_sum (Reader *reader, GError **error);

static gboolean
read_factor (Reader *reader, GError **error)
{
  LsClaimStep step = { .kind = LS_CLAIM_STEP_NUMBER };

  if (take (reader, '('))
    {
      if (++reader->depth > MAX_DEPTH)
        return wrong (error, reader, reader->at, _("it has too many brackets."));
      if (!read_sum (reader, error) || !need (reader, ')', error))
        return FALSE;
      reader->depth--;
      return TRUE;
    }
  if (g_ascii_isalpha (*reader->at))
    return read_term (reader, error);
  return take_number (reader, &step.number, error) && add_step (reader, step, error);
}

static gboolean
read_product (Reader *reader, GError **error)
{
  if (!read_factor (reader, error))
    return FALSE;
  for (;;)
    {
      LsClaimStep step = { .kind = LS_CLAIM_STEP_MULTIPLY };

      if (!take (reader, '*'))
        {
          if (!take (reader, '/'))
            return TRUE;
          step.kind = LS_CLAIM_STEP_DIVIDE;
        }
      if (!read_factor (reader, error) || !add_step (reader, step, error))
        return FALSE;
    }
}

static gboolean
read_sum (Reader *reader, GError **error)
{
  if (!read_product (reader, error))
    return FALSE;
  for (;;)
    {
      LsClaimStep step = { .kind = LS_CLAIM_STEP_ADD };

      if (!take (reader, '+'))
        {
          if (!take (reader, '-'))
            return TRUE;
          step.kind = LS_CLAIM_STEP_SUBTRACT;
        }
      if (!read_product (reader, error) || !add_step (reader, step, error))
        return FALSE;
    }
}

/* ---- dimensions ---- */

static gboolean
alike (const LsClaimDimension *a, const LsClaimDimension *b)
{
  return a->s == b->s && a->flop == b->flop && a->bytes == b->bytes && a->watt == b->watt && a->usd == b->usd;
}

/* sign 1: a·b; −1: a/b. At most LS_CLAIM_MAX_STEPS are multiplied, so that nothing overflows. */
static LsClaimDimension
combined (const LsClaimDimension *a, const LsClaimDimension *b, gint sign)
{
  return (LsClaimDimension){ (gint8) (a->s + sign * b->s), (gint8) (a->flop + sign * b->flop),
                             (gint8) (a->bytes + sign * b->bytes), (gint8) (a->watt + sign * b->watt),
                             (gint8) (a->usd + sign * b->usd) };
}

static LsClaimDimension
dimension_of (const LsClaimTerm *term)
{
  static const LsClaimDimension kinds[LS_HARDWARE_N] = {
    [LS_HARDWARE_MEMORY] = { .bytes = 1 },      [LS_HARDWARE_BANDWIDTH] = { .s = -1, .bytes = 1 },
    [LS_HARDWARE_POWER] = { .watt = 1 },        [LS_HARDWARE_PRICE] = { .usd = 1 },
    [LS_HARDWARE_RENT] = { .s = -1, .usd = 1 }, [LS_HARDWARE_CLOCK] = { .s = -1 },
  };

  return term->kind == LS_CLAIM_TERM_CATALOGUE ? kinds[term->what] : rows[term->kind].dimension;
}

static gboolean
check_dimension (const Reader *reader, const LsClaimDimension *wanted, GError **error)
{
  const GArray *steps = reader->made->steps;
  LsClaimDimension stack[LS_CLAIM_MAX_STEPS];
  guint n = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      const LsClaimStep *step = &g_array_index (steps, LsClaimStep, i);

      if (step->kind == LS_CLAIM_STEP_NUMBER || step->kind == LS_CLAIM_STEP_TERM)
        {
          stack[n] = (LsClaimDimension){ 0 };
          if (step->kind == LS_CLAIM_STEP_TERM)
            stack[n] = dimension_of (&g_array_index (reader->made->terms, LsClaimTerm, step->term));
          n++;
          continue;
        }
      n--;
      if (step->kind == LS_CLAIM_STEP_MULTIPLY || step->kind == LS_CLAIM_STEP_DIVIDE)
        stack[n - 1] = combined (&stack[n - 1], &stack[n], step->kind == LS_CLAIM_STEP_MULTIPLY ? 1 : -1);
      else if (!alike (&stack[n - 1], &stack[n]))
        return wrong (error, reader, reader->text, _("what is added or subtracted isn’t of one kind."));
    }
  return alike (&stack[0], wanted)
         || wrong (error, reader, reader->text, _("what comes out isn’t in the claim’s unit."));
}

/* ---- the whole ---- */

static void
clear_term (gpointer data)
{
  g_free (((LsClaimTerm *) data)->device);
}

void
ls_claim_expression_free (LsClaimExpression *expression)
{
  if (expression == NULL)
    return;
  g_array_unref (expression->steps);
  g_array_unref (expression->terms);
  g_free (expression);
}

LsClaimExpression *
ls_claim_expression_new (const char *text, const LsClaimWay *ways, guint n_ways,
                         const LsClaimDimension *dimension, GError **error)
{
  g_autoptr (LsClaimExpression) made = g_new (LsClaimExpression, 1);
  Reader reader = { .text = text, .at = text, .ways = ways, .n_ways = n_ways, .made = made };

  made->steps = g_array_new (FALSE, FALSE, sizeof (LsClaimStep));
  made->terms = g_array_new (FALSE, FALSE, sizeof (LsClaimTerm));
  g_array_set_clear_func (made->terms, clear_term);
  if (strlen (text) > LS_CLAIM_MAX_EXPRESSION)
    {
      wrong (error, &reader, text, _("it is too long."));
      return NULL;
    }
  if (!read_sum (&reader, error))
    return NULL;
  if (*reader.at != '\0')
    {
      wrong (error, &reader, reader.at, _("nothing belongs here, or one of + − * /."));
      return NULL;
    }
  return check_dimension (&reader, dimension, error) ? g_steal_pointer (&made) : NULL;
}

const LsClaimTerm *
ls_claim_expression_terms (const LsClaimExpression *expression, guint *n)
{
  *n = expression->terms->len;
  return (const LsClaimTerm *) (gconstpointer) expression->terms->data;
}

gboolean
ls_claim_expression_has (const LsClaimExpression *expression, LsClaimTermKind kind, guint way)
{
  for (guint i = 0; i < expression->terms->len; i++)
    {
      const LsClaimTerm *term = &g_array_index (expression->terms, LsClaimTerm, i);

      if (term->kind == kind && (rows[kind].arguments[0] != 'w' || term->way == way))
        return TRUE;
    }
  return FALSE;
}
