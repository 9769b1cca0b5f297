/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A change of options for which there is no memory has failed, however often it is asked for; once there is
 * some, it is made.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "tests/cpu/rig.h"

static gboolean refuse;

void *__real_ls_memory_new (gsize bytes);
void *__wrap_ls_memory_new (gsize bytes);

void *
__wrap_ls_memory_new (gsize bytes)
{
  return refuse ? NULL : __real_ls_memory_new (bytes);
}

static void
test_again (gconstpointer data)
{
  static const char *const changes[][2]
    = { { "tiles", "7" }, { "threads", "2" }, { "fusion", "off" }, { "cpu-kernels", "scalar" } };
  const gboolean back = GPOINTER_TO_INT (data);

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      const LsOption *row = ls_options_find (changes[i][0]);
      g_autofree char *before = NULL;
      Rig *rig;

      options->threads = 1;
      before = ls_options_get (options, row);
      rig = rig_new (&ls_backend_cpu, options, "flatten, dense 9, relu, dense 10", 4);
      g_assert_true (ls_options_set (options, row, changes[i][1], NULL));
      refuse = TRUE;
      for (guint asked = 0; asked < 3; asked++)
        {
          g_autoptr (GError) error = NULL;

          if (ls_backend_cpu.configure (rig->self, options, &error))
            g_error ("%s=%s is asked for a time more (%u), and as if it were done", changes[i][0],
                     changes[i][1], asked);
          g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
        }
      refuse = FALSE;
      if (back)
        g_assert_true (ls_options_set (options, row, before, NULL));
      g_assert_true (ls_backend_cpu.configure (rig->self, options, NULL));
      g_assert_nonnull (ls_backend_cpu.tilings (rig->self));
      rig_run (rig, 1, TRUE, NULL, &(LsRunResult){ 0 });
      rig_free (rig);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/configured/again", GINT_TO_POINTER (FALSE), test_again);
  g_test_add_data_func ("/configured/back", GINT_TO_POINTER (TRUE), test_again);
  return g_test_run ();
}
