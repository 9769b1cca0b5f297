/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formatting of numbers. The decimal sign and the separator of thousands come from the translation, not from
 * LC_NUMERIC, which stays "C" so that files and scripts never depend on it.
 */
#include "config.h"
#include "core/number.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LONGEST 7 /* digits before the decimal sign that can still be read at a glance, */
#define LEAST   4 /* and zeros behind it */

static char *
localized (const char *ascii)
{
  const char *sign = C_ ("decimal sign", ".");
  const char *dot = strchr (ascii, '.');

  if (dot == NULL)
    return g_strdup (ascii);
  return g_strdup_printf ("%.*s%s%s", (int) (dot - ascii), ascii, sign, dot + 1);
}

char *
ls_number_fixed (double value, int decimals)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE * 4], format[8];

  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (buffer, sizeof buffer, format, value);
  return localized (buffer);
}

char *
ls_number_count (guint64 n)
{
  const char *separator = C_ ("separator of thousands", "\xe2\x80\x89"); /* THIN SPACE */
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  const gsize length = strlen (digits);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0 && length > 3)
        g_string_append (text, separator);
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

/* How many times that power of ten it is, which may be less than a number has room for. */
static double
times_power (double value, double exponent)
{
  return exponent < -300 ? value * 1e300 / pow (10, exponent + 300) : value / pow (10, exponent);
}

/* "7.91×10⁸", of a positive value. bare: "10⁸" and not "1×10⁸". */
static char *
with_power (double value, guint figures, gboolean bare)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  const double scale = pow (10, figures - 1);
  int exponent = (int) floor (log10 (value));
  double mantissa = round (times_power (value, exponent) * scale) / scale;
  g_autofree char *number = NULL;
  GString *text;

  if (mantissa >= 10)
    {
      mantissa /= 10;
      exponent++;
    }
  number = ls_number_fixed (mantissa, (int) figures - 1);
  text = g_string_new (NULL);
  if (!bare || mantissa != 1)
    g_string_append_printf (text, "%s×", number);
  g_string_append (text, "10");
  if (exponent < 0)
    g_string_append (text, "⁻");
  if (abs (exponent) >= 100)
    g_string_append (text, digits[abs (exponent) / 100 % 10]);
  if (abs (exponent) >= 10)
    g_string_append (text, digits[abs (exponent) / 10 % 10]);
  g_string_append (text, digits[abs (exponent) % 10]);
  return g_string_free (text, FALSE);
}

/* Ticks are at 1, 2, 2.5 and 5 times a power of ten, and multiples of these. */
static char *
tick_with_power (double value)
{
  const double mantissa = times_power (value, floor (log10 (value) + 1e-9));

  return with_power (value, fabs (mantissa - round (mantissa)) < 1e-6 ? 1 : 2, FALSE);
}

char *
ls_number_tick (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (value == 0) /* −0, too */
    return g_strdup ("0");
  if (value < 0)
    {
      g_autofree char *positive = ls_number_tick (-value);
      return g_strconcat ("−", positive, NULL);
    }
  if (value >= 1000 && value < 1e15 && value == floor (value))
    return ls_number_count ((guint64) value);
  if (value < 1e-3 || value >= 1e15)
    return tick_with_power (value);
  return localized (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value));
}

char *
ls_number_text (double value, guint figures)
{
  double size;

  if (!isfinite (value))
    return g_strdup (isnan (value) ? "–" : value > 0 ? "∞" : "−∞");
  if (value == 0)
    return g_strdup ("0");
  if (value < 0)
    {
      g_autofree char *positive = ls_number_text (-value, figures);
      return g_strconcat ("−", positive, NULL);
    }
  size = floor (log10 (value)) + 1;
  /* 9.996 with three figures is 10.0, not 10.00 */
  if (value + 0.5 * pow (10, size - figures) >= pow (10, size))
    size++;
  if (size > LONGEST || size < -LEAST)
    return with_power (value, figures, FALSE);
  if (size >= figures)
    return ls_number_count (
      (guint64) (round (value / pow (10, size - figures)) * pow (10, size - figures) + 0.5));
  return ls_number_fixed (value, (int) MIN (figures - size, 9));
}

char *
ls_number_brief (double value, guint figures)
{
  const double unit = isfinite (value) && value != 0 ? pow (10, floor (log10 (fabs (value))) + 1 - figures)
                                                     : 1;

  return isfinite (value) ? ls_number_tick (round (value / unit) * unit) : ls_number_text (value, figures);
}

char *
ls_number_scaled (double value)
{
  static const struct {
    double size;
    const char *suffix;
  } scales[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    if (fabs (value) >= 0.9995 * scales[i].size)
      {
        g_autofree char *number = ls_number_text (value / scales[i].size, 3);
        return g_strconcat (number, "\xc2\xa0", scales[i].suffix, NULL);
      }
  return ls_number_text (value, 3);
}

static char *
power_text (double value, gboolean bare)
{
  g_autofree char *text = NULL;

  if (!isfinite (value) || value == 0 || (fabs (value) >= 0.01 && fabs (value) < 1000))
    return ls_number_text (value, 2);
  text = with_power (fabs (value), 1, bare);
  return g_strconcat (value < 0 ? "−" : "", text, NULL);
}

char *
ls_number_power (double value)
{
  return power_text (value, FALSE);
}

char *
ls_number_power_tick (double value)
{
  return power_text (value, TRUE);
}

const char *
ls_number_time_unit (double largest, double *ns)
{
  static const struct {
    double ns;
    const char *unit;
  } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } };
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (units) && largest < 0.9995 * units[i].ns)
    i++;
  if (ns != NULL)
    *ns = units[i].ns;
  return units[i].unit;
}

char *
ls_number_time_in (double ns, double largest, const char **unit)
{
  double per;

  *unit = ls_number_time_unit (largest, &per);
  if (ns > 0 && ns < 0.01 * per)
    {
      g_autofree char *least = ls_number_text (.01, 1);
      return g_strconcat ("<", least, NULL);
    }
  return ls_number_text (ns / per, 3);
}

char *
ls_number_time (double ns)
{
  const char *unit;
  g_autofree char *number = NULL;

  if (ns > 0 && ns < 0.5)
    return g_strdup ("<1\xc2\xa0ns");
  if (ns < 999.5) /* nanoseconds are whole, and 1000 of them are 1 µs */
    return g_strdup_printf ("%.0f\xc2\xa0ns", ns);
  number = ls_number_time_in (ns, ns, &unit);
  return g_strconcat (number, "\xc2\xa0", unit, NULL);
}

char *
ls_number_dial (guint64 ns)
{
  double per;
  const char *unit = ls_number_time_unit ((double) ns, &per);
  g_autofree char *number = ls_number_tick ((double) ns / per);

  return g_strconcat (number, "\xc2\xa0", unit, NULL);
}

char *
ls_number_spread (double median, double q1, double q3)
{
  const double percent = median != 0 ? 50 * (q3 - q1) / median : 0;
  g_autofree char *number = NULL;

  if (percent <= 0.5) /* which is rounded to 0 */
    return g_strdup (_("±<1 %"));
  number = g_strdup_printf ("%.0f", percent);
  return g_strdup_printf (_("±%s %%"), number);
}

char *
ls_number_ordinal (guint64 n)
{
  g_autofree char *number = ls_number_count (n);
  const guint64 tail = n % 100;

  if (tail >= 11 && tail <= 13)
    return g_strdup_printf (C_ ("ordinal, 11th to 13th", "%sth"), number);
  switch (n % 10)
    {
    case 1:
      return g_strdup_printf (C_ ("ordinal ending in 1", "%sst"), number);
    case 2:
      return g_strdup_printf (C_ ("ordinal ending in 2", "%snd"), number);
    case 3:
      return g_strdup_printf (C_ ("ordinal ending in 3", "%srd"), number);
    default:
      return g_strdup_printf (C_ ("ordinal", "%sth"), number);
    }
}
