/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program sets in its environment before a driver is loaded.
 */
#include "config.h"

#include <glib.h>
#include <locale.h>
#include <sched.h>
#include <unistd.h>

#include "backends/opencl/device/environment.h"

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

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  ls_cl_environment_setup ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl-environment/affinity", test_affinity);
  g_test_add_data_func ("/opencl-environment/affinity/subprocess/0", "0", affinity_is);
  g_test_add_data_func ("/opencl-environment/affinity/subprocess/1", "1", affinity_is);
  g_test_add_data_func ("/opencl-environment/affinity/subprocess/unset", NULL, affinity_is);
  return g_test_run ();
}
