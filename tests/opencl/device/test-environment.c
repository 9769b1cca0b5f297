/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program sets in its environment before a driver is loaded, and the folder for compiled kernels
 * that it names there: emptied if it is its own, and gone at the end where it is for one run.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <sched.h>
#include <unistd.h>

#include "backends/opencl/device/environment.h"
#include "core/memory.h"
#include "tests/folder.h"

/* PoCL is asked to bind its threads only where all processors are ours; what the user has set stays. */
static void
test_affinity (void)
{
  static const struct {
    const char *set, *expected;
    gboolean all;
  } cases[] = {
    { NULL, "1", TRUE },
    { NULL, NULL, FALSE },
    { "0", "0", TRUE },
    { "1", "1", FALSE },
  };
  g_autofree char *before = g_strdup (g_getenv ("POCL_AFFINITY"));
  cpu_set_t all, one;

  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  if (CPU_COUNT (&all) != (int) sysconf (_SC_NPROCESSORS_CONF) || CPU_COUNT (&all) < 2
      || !CPU_ISSET (0, &all))
    {
      g_test_skip ("not all processors are ours, or there is one");
      return;
    }
  CPU_ZERO (&one);
  CPU_SET (0, &one);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/opencl-environment/affinity/subprocess/%s",
                                               cases[i].expected ? cases[i].expected : "unset");
      if (cases[i].set != NULL)
        g_setenv ("POCL_AFFINITY", cases[i].set, TRUE);
      else
        g_unsetenv ("POCL_AFFINITY");
      g_assert_cmpint (sched_setaffinity (0, sizeof all, cases[i].all ? &all : &one), ==, 0);
      g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
    }
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
  if (before != NULL)
    g_setenv ("POCL_AFFINITY", before, TRUE);
}

static void
affinity_is (gconstpointer expected)
{
  g_assert_cmpstr (g_getenv ("POCL_AFFINITY"), ==, expected);
}

/* value: NULL: it wasn't set. */
static void
put_back (const char *name, const char *value)
{
  if (value != NULL)
    g_setenv (name, value, TRUE);
  else
    g_unsetenv (name);
}

static guint
files_in (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* A folder is emptied if the program chose it and it is called like its own; then it is as private as before,
 * and what links in it pointed to is still there. */
static void
test_wipe (void)
{
  static const struct {
    const char *name;
    gboolean chosen, wiped;
  } rows[] = { { "lockstep-pocl-abc", TRUE, TRUE },
               { "lockstep-pocl-abc", FALSE, FALSE }, /* the user's */
               { "documents", TRUE, FALSE } };
  g_autofree char *ours = g_strdup (g_getenv ("LOCKSTEP_POCL_CACHE")),
                  *used = g_strdup (g_getenv ("POCL_CACHE_DIR"));

  if (ls_memory_address_space () < G_MAXUINT64)
    {
      g_test_skip ("the address space is limited");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *top = g_dir_make_tmp ("wipe-XXXXXX", NULL),
                      *folder = g_build_filename (top, rows[i].name, NULL),
                      *inner = g_build_filename (folder, "a", "b", NULL),
                      *file = g_build_filename (inner, "kernel.so", NULL),
                      *link = g_build_filename (folder, "link", NULL),
                      *outside = g_build_filename (top, "outside", NULL),
                      *kept = g_build_filename (outside, "kept", NULL);
      GStatBuf about;

      g_assert_cmpint (g_mkdir_with_parents (inner, 0700), ==, 0);
      g_assert_cmpint (g_mkdir_with_parents (outside, 0700), ==, 0);
      g_assert_true (g_file_set_contents (file, "x", 1, NULL) && g_file_set_contents (kept, "x", 1, NULL));
      g_assert_cmpint (symlink (outside, link), ==, 0);
      g_setenv ("LOCKSTEP_POCL_CACHE", rows[i].chosen ? folder : "/nowhere", TRUE);
      g_setenv ("POCL_CACHE_DIR", folder, TRUE);
      if (ls_cl_environment_wipe () != rows[i].wiped)
        g_error ("a folder called %s %s by the program %s wiped", rows[i].name,
                 rows[i].chosen ? "chosen" : "not chosen", rows[i].wiped ? "isn't" : "is");
      g_assert_cmpuint (files_in (folder), ==, rows[i].wiped ? 0 : 2);
      g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));
      g_assert_cmpint (g_stat (folder, &about), ==, 0);
      if ((about.st_mode & 07777) != 0700)
        g_error ("the folder for compiled kernels has the rights %o", about.st_mode & 07777);
      remove_tree (top);
    }
  put_back ("LOCKSTEP_POCL_CACHE", ours);
  put_back ("POCL_CACHE_DIR", used);
}

/* Where compiled kernels may not lie: the user's cache can't be written, or others may write to one of the
 * folders in it. */
static const struct {
  const char *title;
  guint rights[2]; /* of the program's folder, and of PoCL's in it; 0: it isn't there */
  gboolean writable;
  const char *named, *words;
} places[] = {
  { "unwritable", { 0 }, FALSE, "", "can't be written, so OpenCL kernels are compiled anew in each run" },
  { "all", { 0770, 0700 }, TRUE, "/lockstep", "belongs to somebody else, or others may write to it" },
  { "all-alone", { 0702 }, TRUE, "/lockstep", "belongs to somebody else, or others may write to it" },
  { "inner",
    { 0700, 0707 },
    TRUE,
    "/lockstep/pocl-" LS_VERSION,
    "belongs to somebody else, or others may write to it" },
};

/* Compiled kernels then go into a folder for this run, which is said, with the folder that is to blame, and
 * which is gone afterwards. */
static void
test_temporary (gconstpointer data)
{
  static const char *const names[] = { "XDG_CACHE_HOME", "TMPDIR", "POCL_CACHE_DIR", "LOCKSTEP_POCL_CACHE" };
  const guint number = GPOINTER_TO_UINT (data);
  g_autofree char *folder
    = g_dir_make_tmp ("temporary-XXXXXX", NULL),
    *cache = g_dir_make_tmp ("cache-XXXXXX", NULL), *all = g_build_filename (cache, "lockstep", NULL),
    *inner = g_build_filename (all, "pocl-" LS_VERSION, NULL),
    *path = g_strdup_printf ("/opencl-environment/temporary/subprocess/%s", places[number].title);
  const char *const made[] = { all, inner };
  char *before[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (made) && places[number].rights[i] != 0; i++)
    g_assert_true (g_mkdir (made[i], 0700) == 0 && g_chmod (made[i], (gint) places[number].rights[i]) == 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      before[i] = g_strdup (g_getenv (names[i]));
      g_unsetenv (names[i]);
    }
  g_setenv ("XDG_CACHE_HOME", places[number].writable ? cache : "/proc/none", TRUE);
  g_setenv ("TMPDIR", folder, TRUE);
  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_DEFAULT);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      put_back (names[i], before[i]);
      g_free (before[i]);
    }
  g_test_trap_assert_passed ();
  if (files_in (folder) > 0)
    g_error ("a folder of compiled kernels was left in %s", folder);
  remove_tree (folder);
  remove_tree (cache);
}

static void
is_temporary (gconstpointer data)
{
  const guint number = GPOINTER_TO_UINT (data);
  const char *folder = g_getenv ("POCL_CACHE_DIR");
  g_autofree char *note = ls_cl_environment_note (), *inner = NULL, *file = NULL,
                  *said = g_strdup_printf ("the cache folder %s%s %s", g_getenv ("XDG_CACHE_HOME"),
                                           places[number].named, places[number].words);

  if (folder == NULL)
    g_error ("PoCL isn't told of a folder");
  g_assert_true (g_str_has_prefix (folder, g_getenv ("TMPDIR")));
  if (note == NULL || !g_str_has_prefix (note, said))
    g_error ("“%s” doesn't begin with “%s”", note, said);
  inner = g_build_filename (folder, "a", NULL);
  file = g_build_filename (inner, "kernel.so", NULL);
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  ls_cl_environment_setup ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl-environment/affinity", test_affinity);
  g_test_add_func ("/opencl-environment/wipe", test_wipe);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_strconcat ("/opencl-environment/temporary/", places[i].title, NULL),
                      *inner = g_strconcat ("/opencl-environment/temporary/subprocess/", places[i].title,
                                            NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_temporary);
      g_test_add_data_func (inner, GUINT_TO_POINTER (i), is_temporary);
    }
  g_test_add_data_func ("/opencl-environment/affinity/subprocess/0", "0", affinity_is);
  g_test_add_data_func ("/opencl-environment/affinity/subprocess/1", "1", affinity_is);
  g_test_add_data_func ("/opencl-environment/affinity/subprocess/unset", NULL, affinity_is);
  return g_test_run ();
}
