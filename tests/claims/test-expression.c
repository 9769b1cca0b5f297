/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Outcomes: what is read, what they come to, how wide their spread is, and how they are known.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "claims/expression.h"
#include "core/error.h"

static LsClaimWay ways[] = {
  { .name = (char *) "a", .lane = (char *) "cpu", .run = (char *) "step\tmlp\tmnist\t8", .steps = 5 },
  { .name = (char *) "b-2", .lane = (char *) "opencl", .run = (char *) "product\t8" },
  { .name = (char *) "given", .given = { .value = 2, .n = 1 } },
};

static LsClaimExpression *
parse (const char *text, const char *unit, GError **error)
{
  return ls_claim_expression_new (text, ways, G_N_ELEMENTS (ways), &ls_claim_unit_find (unit)->dimension,
                                  error);
}

static void
test_wrong (void)
{
  static const struct {
    const char *text, *unit, *words;
  } wrong[] = {
    { "", "×", "character 1: a number or a term" },
    { " ", "×", "character 2: a number or a term" },
    { "time(a", "s", "character 7: a “)”" },
    { "time a", "s", "character 6: a “(”" },
    { "time()", "s", "no way “”" },
    { "time(c)", "s", "character 6: there is no way “c”" },
    { "clock(a)", "s", "character 1: there is no term “clock”" },
    { "1 2", "×", "character 3: nothing belongs here" },
    { "1 +", "×", "character 4: a number or a term" },
    { "* 1", "×", "character 1: a number or a term" },
    { "-1", "×", "character 1: a number or a term" },
    { "1 / / 2", "×", "character 5" },
    { "0x10", "×", "decimal" },
    { "inf", "×", "no term “inf”" },
    { "nan(1)", "×", "no term “nan”" },
    { "1e31", "×", "too large" },
    { "1e999", "×", "too large" },
    { "1,5", "×", "character 2" },
    { "(1", "×", "a “)”" },
    { "1)", "×", "character 2" },
    { "((((((((((((((((((1))))))))))))))))))", "×", "too many brackets" },
    { "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1", "×", "too long" },
    { "time(a) + 1", "s", "isn’t of one kind" },
    { "time(a) - flop(a)", "s", "isn’t of one kind" },
    { "time(a)", "×", "isn’t in the claim’s unit" },
    { "time(a) * time(a)", "s", "isn’t in the claim’s unit" },
    { "flop(a) / time(a)", "×", "isn’t in the claim’s unit" },
    { "accuracy(b-2)", "%", "has no “steps”" },
    { "accuracy(given)", "%", "has no “steps”" },
    { "memory_bound(b-2)", "%", "is no training step" },
    { "memory_bound(given)", "%", "isn’t run" },
    { "flop(given) / flop(a)", "×", "isn’t run" },
    { "1 + flop(given)", "×", "character 5: the way “given” isn’t run" },
    { "2 * accuracy(given)", "%", "character 5: the way “given” has no “steps”" },
    { "(memory_bound(b-2))", "%", "character 2: the way “b-2” is no training step" },
    { "1 - peak('A', fp31)", "×", "character 15: “fp31” are no numbers" },
    { "peak(A100, fp32)", "×", "a “'”" },
    { "peak('A100, fp32)", "×", "in single quotes" },
    { "peak('', fp32)", "×", "in single quotes" },
    { "peak('A100', fp31) / 1", "×", "“fp31” are no numbers" },
    { "peak('A100')", "×", "a “,”" },
    { "rate('A100', fp16, strong)", "×", "“strong” is no meaning" },
    { "catalogue('A100', compute)", "×", "goes without numbers" },
    { "catalogue('A100', speed)", "×", "goes without numbers" },
    { "catalogue('A100', bandwidth) / catalogue('A100', memory)", "×", "isn’t in the claim’s unit" },
    { "published()", "×", "a number or a term" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaimExpression) made = parse (wrong[i].text, wrong[i].unit, &error);

      if (made != NULL)
        g_error ("“%s” is read", wrong[i].text);
      g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
      if (strstr (error->message, wrong[i].words) == NULL)
        g_error ("of “%s” it says “%s”, not “%s”", wrong[i].text, error->message, wrong[i].words);
    }
}

/* So many brackets in each other, steps and letters of a device's name are read, and one more isn't; brackets
 * that are closed count no more. */
static void
test_limits (void)
{
  static const struct {
    const char *begin, *again, *middle, *after, *end;
    guint most;
    const char *words;
  } rows[] = {
    { "", "(", "1", ")", "", 16, "it has too many brackets." },
    { "", "(1)+", "1", "", "", 31, NULL },
    { "1", "+1", "", "", "", 31, NULL },
    { "peak('", "x", "", "", "', fp32) / peak('A', fp32)", 60,
      "a device’s name belongs here, in single quotes." },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    for (guint n = rows[r].most - 1; n <= rows[r].most + 1; n++)
      {
        g_autoptr (GString) text = g_string_new (rows[r].begin);
        g_autoptr (GError) error = NULL;
        g_autoptr (LsClaimExpression) made = NULL;

        for (guint i = 0; i < n; i++)
          g_string_append (text, rows[r].again);
        g_string_append (text, rows[r].middle);
        for (guint i = 0; i < n; i++)
          g_string_append (text, rows[r].after);
        g_string_append (text, rows[r].end);
        made = parse (text->str, "×", &error);
        if ((made != NULL) != (n <= rows[r].most))
          g_error ("“%s” is %s", text->str, made != NULL ? "read" : "refused");
        if (made == NULL)
          g_assert_true (
            g_str_has_suffix (error->message, rows[r].words != NULL ? rows[r].words : "it is too long."));
      }
}

/* Of 300 bytes it is read, of one more it isn't, and says why. */
static void
test_length (void)
{
  for (guint more = 0; more < 2; more++)
    {
      g_autofree char *spaces = g_strnfill (LS_CLAIM_MAX_EXPRESSION + more - 5, ' '),
                      *text = g_strdup_printf ("1%s + 2", spaces);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaimExpression) made = parse (text, "×", &error);

      g_assert_cmpuint (strlen (text), ==, 300 + more);
      if ((made != NULL) != (more == 0))
        g_error ("of %zu bytes it is %s", strlen (text), made != NULL ? "read" : "refused");
      if (more > 0)
        g_assert_true (g_str_has_suffix (error->message, "it is too long."));
    }
}

/* ---- values ---- */

static LsFigure figures[G_N_ELEMENTS (ways)];
static LsEvidence catalogue_evidence;

static LsFigure
value_cb (const LsClaimTerm *term, gpointer data, GError **error)
{
  (void) data;
  if (term->kind == LS_CLAIM_TERM_PUBLISHED)
    return (LsFigure){
      .value = term->number, .q1 = term->number, .q3 = term->number, .n = 1, .evidence = LS_EVIDENCE_PUBLISHED
    };
  if (term->kind == LS_CLAIM_TERM_PEAK)
    return (LsFigure){ .value = 1e12, .q1 = 1e12, .q3 = 1e12, .n = 1, .evidence = catalogue_evidence };
  if (term->kind == LS_CLAIM_TERM_FLOP)
    return (LsFigure){ .value = 1e9, .q1 = 1e9, .q3 = 1e9, .n = 1, .evidence = LS_EVIDENCE_DERIVED };
  if (figures[term->way].n == 0)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "It wasn't measured.");
  return figures[term->way];
}

static LsFigure
value_of (const char *text, const char *unit, GError **error)
{
  g_autoptr (LsClaimExpression) made = parse (text, unit, error);

  if (made == NULL)
    g_error ("“%s” is refused: %s", text, error != NULL ? (*error)->message : "");
  return ls_claim_expression_value (made, ls_claim_unit_find (unit), value_cb, NULL, error);
}

static void
set (guint way, double q1, double median, double q3, guint64 n)
{
  figures[way] = (LsFigure){ .value = median, .q1 = q1, .q3 = q3, .n = n, .evidence = LS_EVIDENCE_MEASURED };
}

static void
test_values (void)
{
  /* worked out by hand: a is 2, b-2 is 0.5 */
  static const struct {
    const char *text, *unit;
    double value;
  } rows[] = {
    { "1 + 2 * 3", "×", 7 },
    { "(1 + 2) * 3", "×", 9 },
    { "8 / 4 / 2", "×", 1 },
    { "8 - 4 - 2", "×", 2 },
    { "1.5e1 - 0.5", "×", 14.5 },
    { "time(a)", "s", 2 },
    { "time(a)", "ms", 2000 },
    { "time(b-2)", "µs", 500000 },
    { "time(a) / time(b-2)", "×", 4 },
    { "time(b-2) / time(a)", "%", 25 },
    { "time(a) - 3 * time(b-2)", "s", .5 },
    { "published(4)/2", "×", 2 },
    { "time(a) * peak('x', fp32) / flop(a)", "×", 2000 },
  };

  set (0, 1.5, 2, 3, 10);
  set (1, .4, .5, .6, 8);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      const LsFigure figure = value_of (rows[i].text, rows[i].unit, &error);

      g_assert_no_error (error);
      g_test_message ("%s = %g %s", rows[i].text, figure.value, rows[i].unit);
      g_assert_cmpfloat_with_epsilon (figure.value, rows[i].value, 1e-9 * rows[i].value);
      g_assert_cmpstr (figure.unit, ==, rows[i].unit);
      g_assert_cmpfloat (figure.q1, <=, figure.value);
      g_assert_cmpfloat (figure.q3, >=, figure.value);
    }
}

/* What is told of one measured figure beside its value isn't of what is worked out from it: how many samples
 * weren't counted, and beside what it was measured. */
static void
test_bare (void)
{
  static const char *const texts[] = { "time(a)", "time(a) + time(b-2)", "time(b-2) + time(a)",
                                       "2 * time(a)" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      set (0, 1.5, 2, 3, 10);
      set (1, .4, .5, .6, 8);
      figures[0].left_out = figures[1].left_out = 7;
      figures[0].condition = figures[1].condition = "beside others";
      figures[0].unit = figures[1].unit = "min";
      const LsFigure figure = value_of (texts[i], "ms", &error);
      g_assert_no_error (error);
      g_test_message ("%s", texts[i]);
      g_assert_cmpuint (figure.left_out, ==, 0);
      g_assert_cmpstr (figure.condition, ==, NULL);
      g_assert_cmpstr (figure.unit, ==, "ms");
    }
}

/* The least and the most that the middle halves give, beside a search through both. */
static void
test_spread (void)
{
  g_autoptr (GError) error = NULL;
  double least = INFINITY, most = -INFINITY;
  LsFigure figure;

  set (0, 1.5, 2, 3, 10);
  set (1, .4, .5, .6, 8);
  figure = value_of ("time(a) / time(b-2)", "×", &error);
  for (double a = 1.5; a <= 3 + 1e-9; a += .01)
    for (double b = .4; b <= .6 + 1e-9; b += .001)
      {
        least = MIN (least, a / b);
        most = MAX (most, a / b);
      }
  g_assert_cmpfloat_with_epsilon (figure.q1, least, .01);
  g_assert_cmpfloat_with_epsilon (figure.q3, most, .01);
  g_assert_cmpfloat_with_epsilon (figure.q1, 1.5 / .6, 1e-12);
  g_assert_cmpfloat_with_epsilon (figure.q3, 3 / .4, 1e-12);
  g_assert_cmpuint (figure.n, ==, 8);
  /* a difference: what is subtracted is widest at its other end */
  figure = value_of ("time(a) - time(b-2)", "s", &error);
  g_assert_cmpfloat_with_epsilon (figure.q1, 1.5 - .6, 1e-12);
  g_assert_cmpfloat_with_epsilon (figure.q3, 3 - .4, 1e-12);
  /* numbers and counts have no samples: n is that of what has */
  figure = value_of ("2 * time(a) * 3", "s", &error);
  g_assert_cmpuint (figure.n, ==, 10);
  figure = value_of ("time(a) / flop(a) * peak('x', fp32)", "×", &error);
  g_assert_cmpuint (figure.n, ==, 10);
  /* products of what may be below zero */
  figure = value_of ("(time(a) - time(a)) * time(b-2) / time(b-2) / time(b-2)", "×", &error);
  g_assert_cmpfloat (figure.q1, <, 0);
  g_assert_cmpfloat (figure.q3, >, 0);
  g_assert_no_error (error);
}

static void
test_no_value (void)
{
  g_autoptr (GError) error = NULL, zero = NULL;
  LsFigure figure;

  set (0, 1.5, 2, 3, 10);
  set (1, 0, 0, 0, 0);
  figure = value_of ("time(a) / time(b-2)", "×", &error);
  g_assert_cmpuint (figure.n, ==, 0);
  g_assert_cmpstr (error->message, ==, "It wasn't measured.");
  set (1, 1.5, 2, 3, 10);
  figure = value_of ("1 / (time(a) / time(b-2) - 1)", "×", &zero);
  g_assert_cmpuint (figure.n, ==, 0);
  g_assert_nonnull (strstr (zero->message, "zero"));
}

static void
test_evidence (void)
{
  static const struct {
    const char *text, *unit;
    LsEvidence evidence;
  } rows[] = {
    { "time(a)", "s", LS_EVIDENCE_MEASURED },
    { "time(a) / 2", "s", LS_EVIDENCE_DERIVED },
    { "time(a) / time(b-2)", "×", LS_EVIDENCE_DERIVED },
    { "published(3)", "×", LS_EVIDENCE_PUBLISHED },
    { "published(3) / published(2)", "×", LS_EVIDENCE_PUBLISHED },
    { "2 * published(3)", "×", LS_EVIDENCE_PUBLISHED },
    { "time(a) / time(b-2) / published(3)", "×", LS_EVIDENCE_MODELLED },
    { "published(3) * time(a) / time(b-2)", "×", LS_EVIDENCE_MODELLED },
    { "time(given)", "s", LS_EVIDENCE_MODELLED },
    { "time(given) / time(a)", "×", LS_EVIDENCE_MODELLED },
    { "time(a) * peak('x', fp32) / flop(a)", "×", LS_EVIDENCE_MODELLED },
    { "2", "×", LS_EVIDENCE_MODELLED },
  };

  set (0, 1.5, 2, 3, 10);
  set (1, .4, .5, .6, 8);
  set (2, 2, 2, 2, 1);
  figures[2].evidence = LS_EVIDENCE_MODELLED;
  catalogue_evidence = LS_EVIDENCE_PUBLISHED;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFigure figure = value_of (rows[i].text, rows[i].unit, NULL);

      if (figure.evidence != rows[i].evidence)
        g_error ("“%s” is %s, not %s", rows[i].text, ls_evidence_name (figure.evidence),
                 ls_evidence_name (rows[i].evidence));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/claims/expression/wrong", test_wrong);
  g_test_add_func ("/claims/expression/length", test_length);
  g_test_add_func ("/claims/expression/limits", test_limits);
  g_test_add_func ("/claims/expression/values", test_values);
  g_test_add_func ("/claims/expression/bare", test_bare);
  g_test_add_func ("/claims/expression/spread", test_spread);
  g_test_add_func ("/claims/expression/no-value", test_no_value);
  g_test_add_func ("/claims/expression/evidence", test_evidence);
  return g_test_run ();
}
