/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs on disk that are damaged: refused in a sentence, and removed.
 */
#include "../folder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "files/weights.h"
#include "kept_rig.h"

static LsSnapshot *sample;

/* Kept by a window that crashed, it isn't used, why says a sentence with the words in it, and it goes. */
static void
assert_refused (const char *words, const char *what)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autofree char *why = NULL;
  g_autoptr (LsKeptRun) run = ls_keeper_find (keeper, &why);

  if (run != NULL || why == NULL || !g_str_has_suffix (why, ".") || strchr (why, '\n') != NULL
      || (words != NULL && strstr (why, words) == NULL))
    g_error ("%s: “%s” was expected, not: %s", what, words != NULL ? words : "a sentence",
             why != NULL ? why : "nothing");
  kept_assert_list ("");
}

static void
test_hostile (void)
{
  static const struct {
    const char *from, *to, *words;
  } rows[] = {
    { "\"format\": 1", "\"format\": 2", "format" },
    { "\"format\": 1", "\"format\": \"1\"", "format" },
    { "\"step\": 20", "\"step\": 0", "step" },
    { "\"step\": 20", "\"step\": -1", "step" },
    { "\"step\": 20", "\"step\": 16777216", "step" },
    { "\"step\": 20", "\"step\": 19", "another run" }, /* its recorded step is the 20th */
    { "\"step\": 20", "\"step\": 1e400", NULL },
    { "\"weights\": 1", "\"weights\": 0", "weights" },
    { "\"weights\": 1", "\"weights\": 2", "weights-2" },
    { "\"weights\": 1", "\"weights\": \"../../1/weights-1\"", "weights" },
    { "\"recording\": 1", "\"recording\": 3", "recording-3" },
    { "\"recording\": 1", "\"recording\": -1", "recording" },
    { "\"classes\": 3", "\"classes\": 0", "classes" },
    { "\"classes\": 3", "\"classes\": 2000000000", NULL },
    { "\"shape\": [", "\"shape\": [1000000000,", "shape" },
    { "\"64\"", "\"0\"", "batch" },
    { "\"64\"", "\"63\"", "another run" },
    { "\"64\"", "64", "batch" },
    { "\"64\"", "\"64\", \"nonsense\": \"1\"", "nonsense" },
    { "\"64\"", "\"64\", \"pace\": \"full\"", "pace" },
    { "dense 16", "dense 17", "weights-1" },
    { "dense 16", "dense 1000000000", NULL },
    { "relu", "tanh", "another run" },
    { "relu", "nonsense", "nonsense" },
    { "{", "", NULL },
    { "{", "[", NULL },
    { "\"options\": {", "\"options\": [], \"x\": {", "options" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = kept_in_runs ("1/run.json"), *text = NULL;
      const char *at;
      g_autoptr (GString) other = NULL;

      kept_crash (sample);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      at = strstr (text, rows[i].from);
      if (at == NULL)
        g_error ("“%s” isn’t in %s", rows[i].from, text);
      other = g_string_new_len (text, at - text);
      g_string_append_printf (other, "%s%s", rows[i].to, at + strlen (rows[i].from));
      g_assert_true (g_file_set_contents (path, other->str, -1, NULL));
      assert_refused (rows[i].words, rows[i].to);
    }
}

static void
test_damaged (void)
{
  static const char *const names[] = { "1/run.json", "1/weights-1", "1/recording-1" };
  static const double cuts[] = { 0, .01, .5, .99 };

  for (gsize f = 0; f < G_N_ELEMENTS (names); f++)
    {
      g_autofree char *path = kept_in_runs (names[f]);

      for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
        {
          struct stat facts;
          kept_crash (sample);
          g_assert_cmpint (stat (path, &facts), ==, 0);
          g_assert_cmpint (truncate (path, (off_t) (cuts[i] * (double) facts.st_size)), ==, 0);
          assert_refused (NULL, names[f]);
        }
      for (gsize i = 0; i < 4; i++)
        {
          kept_crash (sample);
          g_assert_cmpint (g_remove (path), ==, 0);
          if (i == 0)
            g_assert_cmpint (mkfifo (path, 0600), ==, 0);
          else if (i == 1)
            g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
          else if (i == 2)
            {
              g_assert_true (g_file_set_contents (path, "", 0, NULL));
              g_assert_cmpint (truncate (path, (off_t) 1 << 34), ==, 0); /* 16 GiB of nothing */
            }
          else if (f == 0)
            g_assert_cmpint (symlink ("run.json", path), ==, 0); /* a circle: as good as none */
          if (f > 0 || i < 3)
            assert_refused (NULL, names[f]);
          else
            {
              g_autoptr (LsKeeper) keeper = ls_keeper_new ();
              g_autofree char *why = NULL;
              g_assert_null (ls_keeper_find (keeper, &why));
            }
          kept_assert_list ("");
        }
    }
}

/* Any bit of run.json may be another one: it is refused or it is whole, and nothing is left behind. */
static void
test_flipped (void)
{
  g_autofree char *path = kept_in_runs ("1/run.json"), *text = NULL;
  gsize length, found = 0;

  kept_crash (sample);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize i = 0; i < length; i++)
    {
      g_autoptr (LsKeeper) keeper = ls_keeper_new ();
      g_autoptr (LsKeptRun) run = NULL;
      g_autofree char *why = NULL;

      if (i > 0)
        kept_crash (sample);
      text[i] = (char) (text[i] ^ 1 << i % 8);
      g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
      text[i] = (char) (text[i] ^ 1 << i % 8);
      run = ls_keeper_find (keeper, &why);
      g_assert_true ((run != NULL) != (why != NULL));
      found += run != NULL;
      ls_keeper_end (keeper, TRUE);
      kept_assert_list ("");
    }
  g_assert_cmpuint (found, <, length / 2);
}

/* What died before it had kept anything leaves nothing to speak of. */
static void
test_partial (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autofree char *path = kept_in_runs ("1/run.json"), *empty = kept_in_runs ("7"),
                  *other = kept_in_runs ("notes"), *why = NULL;

  kept_crash (sample);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  g_assert_true (g_file_set_contents (other, "not ours", -1, NULL));
  g_assert_null (ls_keeper_find (keeper, &why));
  g_assert_cmpstr (why, ==, NULL);
  kept_assert_list ("notes");
  g_assert_cmpint (g_remove (other), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("damage-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  sample = kept_snapshot ();
  g_test_add_func ("/keeper-damage/hostile", test_hostile);
  g_test_add_func ("/keeper-damage/damaged", test_damaged);
  g_test_add_func ("/keeper-damage/flipped", test_flipped);
  g_test_add_func ("/keeper-damage/partial", test_partial);
  status = g_test_run ();
  ls_snapshot_unref (sample);
  remove_tree (folder);
  return status;
}
