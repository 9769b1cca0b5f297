/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every view in a language that nobody speaks (pseudo.py), a third longer than English: nothing overlaps,
 * nothing is outside, and no text is left that a translator could not reach. The font of boxes is set as wide
 * as Cantarell is on average.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#include "../paint/draw.h"
#include "../paint/states.h"
#include "core/number.h"
#include "ui/paint/views.h"

#define LIKE_CANTARELL 0.77 /* of the boxes' 0.6 em */

#define SEPARATORS " ,.;:()/="

/* Names, units, words of the model line and of options: they are the same in every language. */
static const char *const same[] = {
  "CPU",   "OpenCL", "OpenBLAS", "PoCL",    "samples[batch]", "softmax", "onehot",
  "mean",  "log",    "flatten",  "dense",   "relu",           "conv",    "maxpool",
  "mnist", "steal",  "static",   "dynamic", "fp32",           "sgd",     "adam",
  "mlp",   "cnn",    "register", "naive",   "tiled",          "packed",  "KiB",
  "MiB",   "FLOP",   "GFLOP",    NULL,
};

/* The fixture's own words, which come with the data. */
static GHashTable *given;

static void
give (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text != NULL ? text : "", SEPARATORS, -1);

  for (guint i = 0; words[i] != NULL; i++)
    g_hash_table_add (given, g_strdup (words[i]));
}

static void
give_all (const LsViewData *data)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &data->sides[side];
      give (lane->message);
      give (lane->words);
      give (lane->hint);
    }
  give (data->disagree[0]);
  give (data->disagree[1]);
  for (guint i = 0; data->runs != NULL && i < data->runs->len; i++)
    give (((const LsRunCurves *) g_ptr_array_index (data->runs, i))->label);
  give ("invented test data, digits, Test CPU, another machine");
}

static gboolean
plain_vowel (const char *word)
{
  for (const char *c = word; *c != '\0'; c++)
    if (strchr ("aeiouAEIOU", *c) != NULL)
      return TRUE;
  return FALSE;
}

/* A word of at least three letters with a plain vowel, which is no name. */
static gboolean
untranslated (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, SEPARATORS, -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint letters = 0;
      for (const char *c = words[i]; *c != '\0'; c++)
        letters += g_ascii_isalpha (*c) ? 1 : 0;
      if (letters >= 3 && letters == strlen (words[i]) && plain_vowel (words[i])
          && !g_strv_contains (same, words[i]) && !g_hash_table_contains (given, words[i]))
        return TRUE;
    }
  return FALSE;
}

static void
check_texts (const LsLayout *layout, const LsScene *scene, GHashTable *seen)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_TEXT && !item->type.code && untranslated (item->text)
          && g_hash_table_add (seen, g_strdup (item->text)))
        g_test_fail_printf ("%s: “%s” is not translated", layout->view->name, item->text);
    }
}

static void
check (LsViewData *data, const LsView *view, LsLook look, const LsQuery *query, const char *what,
       GHashTable *seen)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (LIKE_CANTARELL);
  g_autoptr (LsLayout) layout = draw_view_in (fonts, view, data, query, look, 1280, 800);

  check_texts (layout, layout->still, seen);
  check_texts (layout, layout->moving, seen);
  check_layout (layout, what);
}

static void
test_states (gconstpointer argument)
{
  const LsFixtureState state = (LsFixtureState) GPOINTER_TO_UINT (argument);
  const LsFixture f = { LS_CORES (2),     .batch = 128,  .tiles = 64,   .groups = 128, .on_cpu = TRUE,
                        .stealing = TRUE, .steps = 2000, .queue = TRUE, .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_view (&f, state);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const LsView *const *views;
  guint n;

  given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  give_all (data);
  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    for (guint i = 0; i < 4; i++)
      {
        Asked asked = ASKED_INIT;
        LsQuery query = LS_QUERY_INIT;
        query.op = 1 + 7 * (i / 2);
        query.dial_ns = 50000;
        query.chrome = query.key = i % 2 == 0;
        asked.tiles.cpu_side = i == 3;
        query.time_ns = i == 1 ? 20000 : LS_TIME_END;
        asked.query = query;
        check (data, views[v], i < 3 ? LS_LOOK_LIGHT : LS_LOOK_PROJECTOR, asked_of (&asked, views[v]),
               ls_fixture_state_name (state), seen);
      }
  g_hash_table_unref (given);
  end_faults ();
}

/* The sign between whole and part is the language's, in all forms of numbers; what is no part of the language
 * stays. */
static void
test_decimal_sign (void)
{
  g_autofree char *text = ls_number_text (1.5, 2), *scaled = ls_number_scaled (12340),
                  *tick = ls_number_tick (.25), *time = ls_number_time (1250),
                  *power = ls_number_power (2e-7);

  g_assert_cmpstr (text, ==, "1,5");
  g_assert_cmpstr (scaled, ==, "12,3\u00a0k");
  g_assert_cmpstr (tick, ==, "0,25");
  g_assert_cmpstr (time, ==, "1,25\u00a0µs");
  g_assert_cmpstr (power, ==, "2×10⁻⁷");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("LOCKSTEP_LOCALE_DIR"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_test_init (&argc, &argv, NULL);
  if (strcmp (gettext ("Race"), "Race") == 0)
    {
      g_print ("1..0 # SKIP this system's gettext translates nothing in the locale %s\n",
               setlocale (LC_MESSAGES, NULL));
      return 0;
    }
  g_test_add_func ("/pictures/decimal-sign", test_decimal_sign);
  for (guint state = 0; state < LS_STATE_N; state++)
    {
      g_autofree char *path = g_strdup_printf ("/pictures/%s",
                                               ls_fixture_state_name ((LsFixtureState) state));
      g_test_add_data_func (path, GUINT_TO_POINTER (state), test_states);
    }
  return g_test_run ();
}
