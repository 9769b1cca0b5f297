/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The busy loops that `./dev bench --beside` measures beside.
 */
#include <glib.h>
#include <sys/wait.h>

#include "beside.h"
#include "core/error.h"

/* They loop, one core each as far as there are some, and are gone afterwards. */
static void
test_beside (void)
{
  g_autoptr (GError) error = NULL;
  LsBeside *beside = ls_beside_new (2, &error);
  guint n = 7;
  double s = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < 500 && s < .1; i++)
    {
      g_usleep (10000);
      s = ls_beside_cpu_s (beside);
    }
  g_assert_cmpfloat (s, >=, .1);
  ls_beside_free (beside);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpfloat (ls_beside_cpu_s (NULL), ==, 0);
  g_assert_true (ls_beside_read (NULL, &n, &error));
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (ls_beside_read ("64", &n, &error));
  g_assert_cmpuint (n, ==, 64);
  g_assert_false (ls_beside_read ("65", &n, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/beside", test_beside);
  return g_test_run ();
}
