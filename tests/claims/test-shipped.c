/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims that are shipped: each can be read, and says where it was read, when, and in German, too.
 */
#include "config.h"

#include <string.h>

#include "claims/claims.h"
#include "data/datadir.h"
#include "files/json.h"

#define LEAST 14

static LsClaims *
load_all (void)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  LsClaims *claims = ls_claims_load (NULL, said, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (said->len > 0 ? said->pdata[0] : NULL, ==, NULL);
  return claims;
}

static void
check_source (const char *name, const LsHardwareSource *source, const char *quote)
{
  if (source == NULL || !g_str_has_prefix (source->address, "https://") || source->seen == NULL
      || strlen (source->seen) != 10 || quote == NULL)
    {
      g_test_message ("%s has something without a source that can be opened, a day and the words", name);
      g_test_fail ();
    }
}

static void
test_sources (void)
{
  g_autoptr (LsClaims) claims = load_all ();

  g_assert_cmpuint (claims->n, >=, LEAST);
  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaim *claim = claims->rows[i].claim;

      check_source (claim->name, claim->source, claim->quote);
      for (guint k = 0; k < claim->n_instead; k++)
        if (strstr (claim->instead[k].is, "published") != NULL)
          check_source (claim->name, claim->instead[k].source, claim->instead[k].quote);
    }
}

/* Every text in English is there in German, another one. */
static void
check_german (const char *name, json_t *json)
{
  const char *member;
  json_t *value;
  gsize i;

  if (json_is_array (json))
    json_array_foreach (json, i, value) check_german (name, value);
  if (!json_is_object (json))
    return;
  if (json_object_get (json, "en") != NULL && (json_object_get (json, "de") == NULL))
    {
      g_test_message ("%s: “%s” has no German", name, json_string_value (json_object_get (json, "en")));
      g_test_fail ();
    }
  json_object_foreach (json, member, value)
    check_german (name, value);
}

static void
test_german (void)
{
  g_autoptr (LsClaims) claims = load_all ();
  g_autofree char *dir = ls_data_dir_find ("claims");

  for (guint i = 0; i < claims->n; i++)
    {
      const char *name = claims->rows[i].claim->name;
      g_autofree char *path = g_strdup_printf ("%s/%s.claim", dir, name), *text = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (json_t) json = NULL;
      gsize length;

      g_file_get_contents (path, &text, &length, &error);
      g_assert_no_error (error);
      json = ls_json_parse (text, length, length, JSON_OBJECT, &error);
      g_assert_no_error (error);
      check_german (name, json);
    }
}

/* A claim's texts come in the language of whoever reads them. */
static void
test_language (void)
{
  g_autofree char *dir = ls_data_dir_find ("claims"), *path = g_build_filename (dir, "fusion.claim", NULL);
  static const char *const languages[][2] = { { "C", "Fusion saves" },
                                              { "de_DE.UTF-8", "Fusion spart" },
                                              { "fr:de", "Fusion spart" },
                                              { "fr", "Fusion saves" } };

  for (gsize i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaim) claim = NULL;

      g_setenv ("LANGUAGE", languages[i][0], TRUE);
      claim = ls_claim_load (path, &error);
      g_assert_no_error (error);
      g_test_message ("%s: %s", languages[i][0], claim->sentence);
      g_assert_true (g_str_has_prefix (claim->sentence, languages[i][1]));
    }
  g_unsetenv ("LANGUAGE");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/claims/shipped/sources", test_sources);
  g_test_add_func ("/claims/shipped/german", test_german);
  g_test_add_func ("/claims/shipped/language", test_language);
  return g_test_run ();
}
