/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A change of options for which there is no memory has failed, however often it is asked for; once there is
 * some, it is made. And how much address space OpenBLAS must find before it is called.
 */
#include "config.h"
#include "backends/cpu/blas.h"
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

static guint64 left; /* of a limited address space; 0: as the machine has it */

guint64 __real_ls_memory_address_space_left (void);
guint64 __wrap_ls_memory_address_space_left (void);

guint64
__wrap_ls_memory_address_space_left (void)
{
  return left > 0 ? left : __real_ls_memory_address_space_left ();
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

/* A buffer of 140 MB for each thread, and 100 MB for all else. */
static const struct {
  guint threads;
  guint64 left;
  gboolean fits;
} rooms[] = {
  { 0, 100000000, TRUE },      { 0, 99999999, FALSE },   { 1, 240000000, TRUE },
  { 1, 239999999, FALSE },     { 4, 660000000, TRUE },   { 4, 659999999, FALSE },
  { 1000, G_MAXUINT64, TRUE }, { 64, 9060000000, TRUE }, { 64, 9059999999, FALSE },
};

/* In a process of its own, since it's judged once: what the first lane was told, the next one is, too. */
static void
test_room_child (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);

  left = rooms[i].left;
  if (ls_blas_fits (rooms[i].threads) != rooms[i].fits)
    g_error ("OpenBLAS is said %s into %" G_GUINT64_FORMAT " bytes with %u threads",
             rooms[i].fits ? "not to fit" : "to fit", left, rooms[i].threads);
  left = rooms[i].fits ? 1 : G_MAXUINT64;
  g_assert_cmpint (ls_blas_fits (1), ==, rooms[i].fits);
}

static void
test_room (gconstpointer data)
{
  g_autofree char *path = g_strdup_printf ("/configured/room/%u/subprocess/child", GPOINTER_TO_UINT (data));

  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/configured/again", GINT_TO_POINTER (FALSE), test_again);
  g_test_add_data_func ("/configured/back", GINT_TO_POINTER (TRUE), test_again);
  for (guint i = 0; i < G_N_ELEMENTS (rooms); i++)
    {
      g_autofree char *path = g_strdup_printf ("/configured/room/%u", i),
                      *child = g_strconcat (path, "/subprocess/child", NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_room);
      g_test_add_data_func (child, GUINT_TO_POINTER (i), test_room_child);
    }
  return g_test_run ();
}
