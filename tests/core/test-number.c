/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as they are shown, read back as somebody would read them: what is printed is the value, as exactly
 * as its figures promise, at every size.
 */
#include "config.h"
#include "core/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THIN "\xe2\x80\x89"
#define NBSP "\xc2\xa0"

/* The number that a text begins with; *end: what is behind it. "7.91×10⁻⁸" is one. */
static double
read_back (const char *text, const char **end)
{
  static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  g_autoptr (GString) digits = g_string_new (NULL);
  const gboolean negative = g_str_has_prefix (text, "−");
  const char *at = negative ? text + strlen ("−") : text;
  double value;
  gint power = 0, sign = 1;

  while (g_ascii_isdigit (*at) || *at == '.' || g_str_has_prefix (at, THIN))
    if (g_str_has_prefix (at, THIN))
      at += strlen (THIN);
    else
      g_string_append_c (digits, *at++);
  value = g_ascii_strtod (digits->str, NULL);
  if (g_str_has_prefix (at, "×10"))
    {
      at += strlen ("×10");
      if (g_str_has_prefix (at, "⁻"))
        {
          sign = -1;
          at += strlen ("⁻");
        }
      for (guint i = 0; i < G_N_ELEMENTS (raised);)
        if (g_str_has_prefix (at, raised[i]))
          {
            power = 10 * power + (gint) i;
            at += strlen (raised[i]);
            i = 0;
          }
        else
          i++;
    }
  if (end != NULL)
    *end = at;
  return (negative ? -1 : 1) * value * pow (10, sign * power);
}

/* Figures of a text, from the first that isn't 0 on, up to a power of ten. */
static guint
figures_of (const char *text)
{
  guint n = 0;

  for (const char *c = text; *c != '\0' && !g_str_has_prefix (c, "×"); c++)
    n += g_ascii_isdigit (*c) && (n > 0 || *c != '0');
  return n;
}

/* Takes text over. It is the value times `unit`, within half of the last of so many figures; and has `behind`
 * behind it. */
static void
assert_value (char *text, double value, double unit, guint figures, const char *behind)
{
  const char *end;
  const double back = read_back (text, &end) * unit,
               half = .5 * pow (10, floor (log10 (fabs (value))) + 1 - figures);

  g_test_message ("%.17g as “%s”", value, text);
  g_assert_cmpfloat_with_epsilon (back, value, half * (1 + 1e-6));
  g_assert_cmpstr (end, ==, behind);
  g_free (text);
}

/* From 10⁻²¹ to 10²¹, close to each power of ten, too. */
static const double steps[] = { 1, 1.2345678, 2.5, 4.449, 4.451, 9.4, 9.949, 9.951, 9.9949, 9.9951, 9.99951 };
#define EACH(value)                                                                                          \
  double power = -21, value;                                                                                 \
  power <= 20;                                                                                               \
  power++)                                                                                                   \
    for (gsize i = 0; i < G_N_ELEMENTS (steps) && (value = steps[i] * pow (10, power), TRUE); i++

static void
test_text (void)
{
  for (EACH (value))
    for (guint figures = 1; figures <= 5; figures++)
      {
        char *text = ls_number_text (value, figures), *negative = ls_number_text (-value, figures);
        const guint shown = figures_of (text);

        const double digits = floor (log10 (read_back (text, NULL)) + 1e-9) + 1;

        /* digits before the decimal sign are all there: of 1 234 with two figures 1 200 */
        if (strstr (text, "×10") == NULL && digits > figures)
          g_assert_cmpuint (shown, ==, (guint) digits);
        else
          g_assert_cmpuint (shown, ==, figures);
        /* a power of ten from eight digits, or five zeros behind the decimal sign, on; 9.99 may round to it
         */
        if (power >= 7 || power <= -7)
          g_assert_nonnull (strstr (text, "×10"));
        else if (power >= -5 && power <= 5)
          g_assert_null (strstr (text, "×10"));
        g_assert_true (g_str_has_prefix (negative, "−"));
        g_assert_cmpstr (negative + strlen ("−"), ==, text);
        g_free (negative);
        assert_value (text, value, 1, figures, "");
      }
}

/* A value that has a count's suffix, or a time's unit: 1 to 999 of it. */
static void
test_scaled (void)
{
  static const char *const suffixes[] = { "", NBSP "k", NBSP "M", NBSP "G", NBSP "T" };

  for (EACH (value))
    {
      const guint thousands = (guint) CLAMP (floor (log10 (value / .9995) / 3 + 1e-9), 0, 4);

      assert_value (ls_number_scaled (value), value, pow (1000, thousands), 3, suffixes[thousands]);
      if (power == 9)
        assert_value (ls_number_scaled (-value), -value, 1e9, 3, NBSP "G");
    }
}

static void
test_times (void)
{
  static const char *const units[] = { NBSP "ns", NBSP "µs", NBSP "ms", NBSP "s" };

  for (EACH (ns))
    {
      const guint thousands = (guint) CLAMP (floor (log10 (ns / .9995) / 3 + 1e-9), 0, 3);
      double per;

      if (power < 0 || power > 15)
        continue;
      g_assert_cmpstr (ls_number_time_unit (ns, &per), ==, units[thousands] + strlen (NBSP));
      g_assert_cmpfloat_with_epsilon (per, pow (1000, thousands), per * 1e-9);
      if (thousands == 0) /* nanoseconds are whole */
        {
          g_autofree char *text = ls_number_time (ns);
          g_assert_cmpfloat_with_epsilon (read_back (text, NULL), ns, .51);
          g_assert_true (g_str_has_suffix (text, NBSP "ns"));
        }
      else
        assert_value (ls_number_time (ns), ns, pow (1000, thousands), 3, units[thousands]);
    }
  /* in another one's unit; less than a hundredth of it is only said to be less */
  const char *unit;
  g_autofree char *in_ms = ls_number_time_in (5e4, 2e6, &unit), *less = ls_number_time_in (9e3, 2e6, &unit),
                  *none = ls_number_time_in (0, 2e6, &unit);
  g_assert_cmpstr (in_ms, ==, "0.0500");
  g_assert_cmpstr (less, ==, "<0.01");
  g_assert_cmpstr (none, ==, "0");
  g_assert_cmpstr (unit, ==, "ms");
}

static void
test_powers (void)
{
  for (EACH (value))
    {
      char *text = ls_number_power (value), *bare = ls_number_power_tick (value);
      const gboolean plain = value >= .01 && value < 1000;

      g_assert_cmpint (strstr (text, "10") != NULL && strstr (text, "×") != NULL, ==, !plain);
      if (!plain && g_str_has_prefix (text, "1×"))
        g_assert_cmpstr (bare, ==, text + strlen ("1×")); /* "10⁸" */
      else
        g_assert_cmpstr (bare, ==, text);
      g_free (bare);
      assert_value (text, value, 1, plain ? 2 : 1, "");
    }
  g_autofree char *negative = ls_number_power (-3e-7), *tick = ls_number_power_tick (-1e6);
  g_assert_cmpstr (negative, ==, "−3×10⁻⁷");
  g_assert_cmpstr (tick, ==, "−10⁶");
}

/* A tick is exact, a brief number loses the zeros at its end and nothing else; below 0 both are the same with
 * a minus before them. */
static void
test_ticks (void)
{
  static const double mantissas[] = { 1, 2, 2.5, 5 };

  for (gint power = -12; power <= 21; power++)
    for (gsize i = 0; i < G_N_ELEMENTS (mantissas); i++)
      {
        const double value = mantissas[i] * pow (10, power);
        g_autofree char *tick = ls_number_tick (value), *brief = ls_number_brief (value * 1.0001, 3),
                        *below = ls_number_tick (-value), *brief_below = ls_number_brief (-value * 1.0001, 3),
                        *minus = g_strconcat ("−", tick, NULL);
        const char *end;

        g_test_message ("%g as “%s” and “%s”", value, tick, brief);
        g_assert_cmpfloat_with_epsilon (read_back (tick, &end), value, value * 1e-9);
        g_assert_cmpstr (end, ==, "");
        g_assert_cmpstr (brief, ==, tick);
        g_assert_cmpstr (below, ==, minus);
        g_assert_cmpstr (brief_below, ==, minus);
        g_assert_false (strchr (tick, '.') != NULL && tick[strlen (tick) - 1] == '0');
      }
  g_autofree char *three = ls_number_brief (1.23456, 3), *two = ls_number_brief (98765, 2),
                  *none = ls_number_brief (0, 3), *no_less = ls_number_tick (-0.),
                  *nan = ls_number_brief ((double) NAN, 3), *dial = ls_number_dial (2500000),
                  *half = ls_number_dial (500);
  g_assert_cmpstr (three, ==, "1.23");
  g_assert_cmpstr (two, ==, "99" THIN "000");
  g_assert_cmpstr (none, ==, "0");
  g_assert_cmpstr (no_less, ==, "0");
  g_assert_cmpstr (nan, ==, "–");
  g_assert_cmpstr (dial, ==, "2.5" NBSP "ms");
  g_assert_cmpstr (half, ==, "500" NBSP "ns");
}

/* Whole numbers from a thousand on have their digits in threes; only what is longer than fifteen of them, or
 * less than a thousandth, is a power of ten. */
static void
test_tick_words (void)
{
  static const struct {
    double value;
    const char *tick;
  } rows[] = {
    { 5e-324, "4.9×10⁻³²⁴" }, /* the least that there is, which is no round number */
    { 2e-310, "2×10⁻³¹⁰" },
    { 5e-300, "5×10⁻³⁰⁰" },
    { .00025, "2.5×10⁻⁴" },
    { .0005, "5×10⁻⁴" },
    { .001, "0.001" },
    { .0025, "0.0025" },
    { 1, "1" },
    { 2.5, "2.5" },
    { 999, "999" },
    { 999.5, "999.5" },
    { 1000, "1" THIN "000" },
    { 1000.5, "1000.5" },
    { 2500, "2" THIN "500" },
    { 1e5, "100" THIN "000" },
    { 5e14, "500" THIN "000" THIN "000" THIN "000" THIN "000" },
    { 1e15, "1×10¹⁵" },
    { 2.5e15, "2.5×10¹⁵" },
    { 1e100, "1×10¹⁰⁰" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *tick = ls_number_tick (rows[i].value), *below = ls_number_tick (-rows[i].value),
                      *minus = g_strconcat ("−", rows[i].tick, NULL);

      g_assert_cmpstr (tick, ==, rows[i].tick);
      g_assert_cmpstr (below, ==, minus);
    }
}

/* Digits in threes from the right, and all of them. */
static void
test_counts (void)
{
  for (guint64 n = 0, add = 1; n < G_MAXUINT64 / 16; n = n * 3 + add, add ^= 5)
    {
      g_autofree char *text = ls_number_count (n), *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
      g_auto (GStrv) groups = g_strsplit (text, THIN, -1);
      g_autofree char *joined = g_strjoinv ("", groups);

      g_assert_cmpstr (joined, ==, digits);
      g_assert_cmpuint (strlen (groups[0]), <=, 3);
      for (guint i = 1; groups[i] != NULL; i++)
        g_assert_cmpuint (strlen (groups[i]), ==, 3);
    }
}

/* Of each ten the endings of 1st, 2nd, 3rd, but not of 11 to 13, of any hundred. */
static void
test_ordinals (void)
{
  static const char *const endings[] = { "th", "st", "nd", "rd", "th", "th", "th", "th", "th", "th" };

  for (guint n = 0; n < 1000; n++)
    {
      g_autofree char *text = ls_number_ordinal (n), *wanted = NULL;
      const gboolean teens = n / 10 % 10 == 1;

      wanted = g_strdup_printf ("%u%s", n, teens ? "th" : endings[n % 10]);
      g_assert_cmpstr (text, ==, wanted);
    }
}

/* Half of the middle half, as a share of the median. */
static void
test_spreads (void)
{
  static const struct {
    double median, q1, q3;
    const char *words;
  } rows[] = { { 100, 98, 102, "±2 %" },     { 200, 180, 220, "±10 %" },   { 100, 99.6, 100.4, "±<1 %" },
               { 100, 99.4, 100.6, "±1 %" }, { 100, 50, 250, "±100 %" },   { 0, 0, 0, "±<1 %" },
               { 50, 45, 57, "±12 %" },      { 100, 99.5, 100.5, "±<1 %" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = ls_number_spread (rows[i].median, rows[i].q1, rows[i].q3);
      g_assert_cmpstr (words, ==, rows[i].words);
    }
}

static void
test_fixed (void)
{
  static const struct {
    double value;
    int decimals;
    const char *text;
  } rows[] = { { 1.25, 1, "1.2" },
               { 1.26, 1, "1.3" },
               { -3.14159, 3, "-3.142" },
               { 2, 0, "2" },
               { 1e10, 2, "10000000000.00" },
               { .0004, 3, "0.000" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ls_number_fixed (rows[i].value, rows[i].decimals);
      g_assert_cmpstr (text, ==, rows[i].text);
    }
  g_autofree char *infinite = ls_number_text (INFINITY, 3), *negative = ls_number_text (-INFINITY, 3);
  g_assert_cmpstr (infinite, ==, "∞");
  g_assert_cmpstr (negative, ==, "−∞");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/text", test_text);
  g_test_add_func ("/number/scaled", test_scaled);
  g_test_add_func ("/number/times", test_times);
  g_test_add_func ("/number/powers", test_powers);
  g_test_add_func ("/number/ticks", test_ticks);
  g_test_add_func ("/number/tick-words", test_tick_words);
  g_test_add_func ("/number/counts", test_counts);
  g_test_add_func ("/number/ordinals", test_ordinals);
  g_test_add_func ("/number/spreads", test_spreads);
  g_test_add_func ("/number/fixed", test_fixed);
  return g_test_run ();
}
