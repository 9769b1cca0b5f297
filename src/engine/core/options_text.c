/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An option's value from text, and as text. Numbers are read in the C locale and must be used up to the last
 * character: “0,5” and “12 steps” are mistakes, not 0 and 12.
 */
#include "config.h"
#include "core/options.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

static gboolean
set_int (LsOptions *options, const LsOption *option, const char *text, GError **error)
{
  gint64 value;

  /* g_ascii_string_to_signed() takes a sign and digits, and nothing before or after them. */
  if (!g_ascii_string_to_signed (text, 10, (gint64) option->min, (gint64) option->max, &value, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--%s takes a whole number from %.0f to %.0f, not “%s”."), option->name, option->min,
                   option->max, text);
      return FALSE;
    }
  G_STRUCT_MEMBER (gint64, options, option->offset) = value;
  return TRUE;
}

static gboolean
set_double (LsOptions *options, const LsOption *option, const char *text, GError **error)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);

  /* strtod() skips spaces and takes “inf”, “nan” and “0x1p3”: not for us. */
  if (*text == '\0' || strspn (text, "0123456789.+-eE") != strlen (text) || end == text || *end != '\0'
      || !isfinite (value) || value < option->min || value > option->max)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--%s takes a number from %g to %g such as 0.05, not “%s”."), option->name, option->min,
                   option->max, text);
      return FALSE;
    }
  G_STRUCT_MEMBER (double, options, option->offset) = value;
  return TRUE;
}

/* The position of text among the row's choices; −1 with an error that lists them. */
static gint
find_choice (const LsOption *option, const char *text, GError **error)
{
  for (gint i = 0; option->choices[i] != NULL; i++)
    if (strcmp (option->choices[i], text) == 0)
      return i;

  g_autofree char *list = g_strjoinv (", ", (char **) option->choices);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s takes one of %s, not “%s”."), option->name, list,
               text);
  return -1;
}

static gboolean
set (LsOptions *options, const LsOption *option, const char *text, GError **error)
{
  gint choice = 0;

  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("The value of --%s is not valid UTF-8 text."),
                   option->name);
      return FALSE;
    }
  if (option->choices != NULL && (choice = find_choice (option, text, error)) < 0)
    return FALSE;

  switch (option->type)
    {
    case LS_OPTION_INT:
      return set_int (options, option, text, error);
    case LS_OPTION_DOUBLE:
      return set_double (options, option, text, error);
    case LS_OPTION_CHOICE:
      G_STRUCT_MEMBER (gint, options, option->offset) = choice;
      return TRUE;
      case LS_OPTION_STRING: {
        char **field = G_STRUCT_MEMBER_P (options, option->offset);
        char *copy = g_strdup (text); /* before the old one goes: text may be the field itself */
        g_free (*field);
        *field = copy;
        return TRUE;
      }
    default:
      g_return_val_if_reached (FALSE);
    }
}

gboolean
ls_options_set (LsOptions *options, const LsOption *option, const char *text, GError **error)
{
  if (!set (options, option, text, error))
    {
      ls_error_make_printable (error);
      return FALSE;
    }
  options->given |= ls_option_bit (option);
  return TRUE;
}

char *
ls_options_get (const LsOptions *options, const LsOption *option)
{
  switch (option->type)
    {
    case LS_OPTION_INT:
      return g_strdup_printf ("%" G_GINT64_FORMAT, G_STRUCT_MEMBER (gint64, options, option->offset));
      case LS_OPTION_DOUBLE: {
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        double value = G_STRUCT_MEMBER (double, options, option->offset);

        /* The short form where it is the same number: 0.1, not 0.10000000000000001. */
        g_ascii_formatd (text, sizeof text, "%g", value);
        if (g_ascii_strtod (text, NULL) < value || g_ascii_strtod (text, NULL) > value)
          g_ascii_dtostr (text, sizeof text, value);
        return g_strdup (text);
      }
    case LS_OPTION_CHOICE:
      return g_strdup (option->choices[G_STRUCT_MEMBER (gint, options, option->offset)]);
    case LS_OPTION_STRING:
      return g_strdup (G_STRUCT_MEMBER (char *, options, option->offset));
    default:
      g_return_val_if_reached (NULL);
    }
}

const char *
ls_option_word (const LsOption *option, const char *text)
{
  for (gint i = 0; option->choice_words != NULL && option->choices[i] != NULL; i++)
    if (g_strcmp0 (option->choices[i], text) == 0)
      return _(option->choice_words[i]);
  return option->zero_word != NULL && g_strcmp0 (text, "0") == 0 ? _(option->zero_word) : text;
}
