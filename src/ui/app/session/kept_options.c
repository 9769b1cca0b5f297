/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dictionary of names and texts, as in the option table, for those that were given. What follows from
 * others isn't kept: it will follow again.
 */
#include "config.h"
#include "ui/app/session/kept_options.h"

#include <string.h>

#include "data/defaults.h"

/* In the kept options: they are those that were given. Older versions kept what differed from the table's
 * defaults, and knew no others: what they left out was the default, and stays it. */
#define GIVEN_KEY "given"

static void
take_kept (LsOptions *options, const char *name, const char *text, gboolean other_data)
{
  static const char *const of_data[] = { "model", "lr", "batch", "label", "size", NULL };
  const LsOption *option = ls_options_find (name);

  /* what was given at this start counts more; these are of the data that they were given for; a value of
   * another version that isn't one any more is passed over */
  if (option == NULL || option->group & LS_OPTION_GROUP_PACE || ls_options_is_given (options, option)
      || (other_data && g_strv_contains (of_data, name)))
    return;
  ls_options_set (options, option, text, NULL);
}

/* Where data and batch now bring another value than the older version ran with, that one is meant. */
static void
keep_as_before (LsOptions *options)
{
  static const char *const follow[] = { "model", "lr" };
  g_autoptr (LsOptions) suggested = ls_options_copy (options);

  ls_data_suggest (suggested, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (follow); i++)
    {
      const LsOption *option = ls_options_find (follow[i]);
      g_autofree char *now = ls_options_get (suggested, option);

      if (strcmp (now, option->default_text) != 0 && !ls_options_is_given (options, option))
        ls_options_set (options, option, option->default_text, NULL);
    }
}

void
ls_kept_options_take (GVariant *kept, LsOptions *options)
{
  const gboolean data_given = ls_options_is_given (options, ls_options_find ("data"));
  const char *name, *text, *data = NULL;
  gboolean older = TRUE;
  GVariantIter iter;

  g_variant_iter_init (&iter, kept);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
    {
      older &= strcmp (name, GIVEN_KEY) != 0;
      data = strcmp (name, "data") == 0 ? text : data;
    }
  data = data != NULL ? data : ls_options_find ("data")->default_text;
  g_variant_iter_init (&iter, kept);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
    take_kept (options, name, text, data_given && strcmp (options->data, data) != 0);
  if (older && g_variant_n_children (kept) > 0 && !data_given)
    keep_as_before (options);
  ls_data_suggest (options, 0, 0);
}

GVariant *
ls_kept_options_new (const LsOptions *options)
{
  GVariantBuilder builder;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < n; i++)
    if (ls_options_is_given (options, &rows[i]) && !(rows[i].group & LS_OPTION_GROUP_PACE))
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        g_variant_builder_add (&builder, "{ss}", rows[i].name, text);
      }
  g_variant_builder_add (&builder, "{ss}", GIVEN_KEY, "");
  return g_variant_builder_end (&builder);
}
