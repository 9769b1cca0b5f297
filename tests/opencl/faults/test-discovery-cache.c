/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PoCL's cache folder: one that is in the way, damaged, the user's own, on a full disk. The program says it
 * in words and lives.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "asking.h"

static char *
own_cache (const char *xdg)
{
  return g_build_filename (xdg, "lockstep", "pocl-" LS_VERSION, NULL);
}

/* A file where the folder should be. */
static void
test_cache_in_the_way (void)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *xdg = g_build_filename (folder, "cache", NULL),
                  *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL);
  const char *const changes[] = { change, "POCL_CACHE_DIR", NULL };
  g_autofree char *used = NULL, *contents = NULL;
  g_autoptr (Scenario) s = NULL;

  if (!have_pocl ())
    return;
  g_assert_true (g_file_set_contents (xdg, "mine", -1, NULL));
  s = ask ("", changes);
  g_assert_true (works (s));
  g_assert_true (says (s, "note", "can't be written, so OpenCL kernels are compiled anew in each run"));
  g_assert_true (says (s, "note", xdg));
  used = scenario_get (s, "cache");
  g_assert_true (strstr (used, "lockstep-pocl-") != NULL);
  g_assert_false (g_file_test (used, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (xdg, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "mine");
}

/* Whoever may write there could have this program run what they like: one of the two folders is open to
 * others. */
static void
test_open_to_others (void)
{
  for (guint deep = 0; deep < 2; deep++)
    {
      g_autoptr (ScenarioFolder) xdg = scenario_folder ();
      g_autofree char *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL), *cache = own_cache (xdg),
                      *above = g_path_get_dirname (cache), *used = NULL;
      const char *const changes[] = { change, "POCL_CACHE_DIR", NULL }, *open = deep ? cache : above;
      g_autoptr (Scenario) s = NULL;

      if (!have_pocl ())
        return;
      g_assert_cmpint (g_mkdir_with_parents (cache, 0700), ==, 0);
      g_assert_cmpint (g_chmod (open, 0777), ==, 0);
      s = ask ("", changes);
      g_assert_true (works (s));
      g_assert_true (says (s, "note", "others may write to it"));
      g_assert_true (says (s, "note", open));
      used = scenario_get (s, "cache");
      g_assert_nonnull (strstr (used, "lockstep-pocl-"));
      g_assert_cmpuint (scenario_files (cache, NULL, NULL), ==, 0);
    }
}

static void
damage_cb (const char *path, gpointer data)
{
  if (!data || g_str_has_suffix (path, data))
    g_assert_true (g_file_set_contents (path,
                                        "\x7f"
                                        "ELF this was a shared library once",
                                        -1, NULL));
}

/* The program's own folder: where it should be, for its user only, and emptied when PoCL can't live with what
 * is in it. */
static void
test_own_cache (void)
{
  g_autoptr (ScenarioFolder) xdg = scenario_folder ();
  g_autofree char *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL), *cache = own_cache (xdg);
  g_autofree char *mark = g_build_filename (cache, "mark", NULL),
                  *programs = g_build_filename (xdg, "lockstep", "cl", NULL);
  const char *const changes[] = { change, "POCL_CACHE_DIR", NULL };
  g_autoptr (Scenario) whole = NULL, damaged = NULL;
  GStatBuf info;

  if (!have_pocl ())
    return;
  whole = ask ("", changes);
  g_assert_true (works (whole));
  g_assert_true (says (whole, "cache", cache));
  g_assert_false (says (whole, "note", ""));
  g_assert_cmpint (g_stat (cache, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpuint (scenario_files (cache, damage_cb, (gpointer) ".so"), >, 0);
  scenario_files (programs, damage_cb, NULL);
  g_assert_true (g_file_set_contents (mark, "", -1, NULL));
  damaged = ask ("", changes);
  g_assert_true (works (damaged));
  g_assert_false (g_file_test (mark, G_FILE_TEST_EXISTS)); /* it was emptied */
}

/* The same damage in a folder that the user chose: it is said, and left alone. */
static void
test_damaged_users_cache (void)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *xdg = g_strdup_printf ("XDG_CACHE_HOME=%s/xdg", folder);
  g_autofree char *cache = g_build_filename (folder, "mine", NULL),
                  *mark = g_build_filename (cache, "mark", NULL);
  g_autofree char *change = g_strconcat ("POCL_CACHE_DIR=", cache, NULL);
  g_autofree char *programs = g_build_filename (folder, "xdg", "lockstep", "cl", NULL);
  const char *const changes[] = { xdg, change, NULL };
  g_autoptr (Scenario) whole = NULL, damaged = NULL;
  guint n;

  if (!have_pocl ())
    return;
  g_assert_cmpint (g_mkdir (cache, 0700), ==, 0);
  g_assert_true (g_file_set_contents (mark, "", -1, NULL));
  whole = ask ("", changes);
  g_assert_true (works (whole));
  g_assert_true (says (whole, "cache", cache));
  n = scenario_files (cache, damage_cb, (gpointer) ".so");
  g_assert_cmpuint (n, >, 1);
  scenario_files (programs, damage_cb, NULL);
  damaged = ask ("", changes);
  assert_says (damaged, LS_ERROR_DEVICE, "the OpenCL driver ");
  g_assert_true (says (damaged, "message", cache));
  g_assert_cmpuint (scenario_files (cache, NULL, NULL), >=, n);
  g_assert_true (g_file_test (mark, G_FILE_TEST_EXISTS));
}

/* A driver that crashes with an empty cache, too: to empty the cache is advised where it is the user's, which
 * is left alone, and not where the program has emptied its own. */
static void
test_crash (void)
{
  const char *icd = g_getenv ("LS_FAKE_ICD_PATH");
  g_autofree char *vendors = g_strconcat ("OCL_ICD_VENDORS=", icd, NULL);

  if (icd == NULL)
    {
      g_test_skip ("LS_FAKE_ICD_PATH names no driver; meson sets it");
      return;
    }
  for (guint users = 0; users < 2; users++)
    {
      g_autoptr (ScenarioFolder) folder = scenario_folder ();
      g_autofree char *xdg = g_strconcat ("XDG_CACHE_HOME=", folder, NULL),
                      *cache = users ? g_build_filename (folder, "mine", NULL) : own_cache (folder),
                      *mark = g_build_filename (cache, "mark", NULL),
                      *change = g_strconcat ("POCL_CACHE_DIR=", cache, NULL);
      const char *const changes[] = { vendors, "LS_FAKE_ICD=abort", xdg, users ? change : "POCL_CACHE_DIR",
                                      NULL };
      g_autoptr (Scenario) s = NULL;

      g_assert_cmpint (g_mkdir_with_parents (cache, 0700), ==, 0);
      g_assert_true (g_file_set_contents (mark, "", -1, NULL));
      s = ask ("", changes);
      assert_says (s, LS_ERROR_DEVICE, "it crashed (signal 6");
      g_assert_true (says (s, "cache", cache));
      g_assert_true (g_file_test (mark, G_FILE_TEST_EXISTS) == (users > 0));
      if (says (s, "message", "emptying its cache folder") != (users > 0))
        {
          g_autofree char *message = scenario_get (s, "message");
          g_error ("%s: %s",
                   users ? "nothing is said of the user’s cache"
                         : "the cache is empty, and to empty it is advised",
                   message);
        }
      g_assert_true (says (s, "message", cache) == (users > 0));
    }
}

static void
test_full_disk (void)
{
  g_autoptr (ScenarioFolder) xdg = scenario_folder ();
  g_autofree char *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL), *message = NULL;
  const char *const changes[] = { change, "POCL_CACHE_DIR", NULL }, *const arguments[]
                                                                    = { "--ask-on-full-disk", NULL };
  g_autoptr (Scenario) s = NULL;

  if (!have_pocl ())
    return;
  s = scenario_run (changes, arguments);
  g_assert_cmpint (s->signal, ==, 0);
  g_assert_cmpint (s->status, ==, 0);
  message = scenario_get (s, "message");
  g_assert_nonnull (message); /* PoCL can't compile; that is said, not suffered */
  g_test_message ("%s", message);
  g_assert_nonnull (strstr (s->out, "can't be written")); /* after the compiler's words */
}

int
main (int argc, char **argv)
{
  int status;

  if (!asking_begin (&argc, &argv, &status))
    return status;
  g_test_add_func ("/discovery-cache/in-the-way", test_cache_in_the_way);
  g_test_add_func ("/discovery-cache/open-to-others", test_open_to_others);
  g_test_add_func ("/discovery-cache/own", test_own_cache);
  g_test_add_func ("/discovery-cache/damaged-users", test_damaged_users_cache);
  g_test_add_func ("/discovery-cache/crash", test_crash);
  g_test_add_func ("/discovery-cache/full-disk", test_full_disk);
  return g_test_run ();
}
