/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tune` asks the tuner for, what it says on the way, and how it ends; the tuner is played.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

#include "backends/opencl/tune/tune.h"
#include "core/error.h"

static GString *asked;

gboolean __wrap_ls_tune (const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
                         LsTuneResult **result, GError **error);

gboolean
__wrap_ls_tune (const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
                LsTuneResult **result, GError **error)
{
  static const LsTuneProgress on_the_way[] = {
    { .task = 0, .n_tasks = 2, .op = "matmul", .example = "64×64", .candidate = "tiled", .seconds_left = 9 },
    { .task = 0, .n_tasks = 2, .op = "matmul", .example = "64×64", .candidate = "packed", .seconds_left = 7 },
    { .task = 1, .n_tasks = 2, .op = "conv2d", .example = "3×3", .candidate = "tiled", .seconds_left = 4 },
    { .task = 1, .n_tasks = 2, .op = "conv2d", .example = "3×3", .candidate = "packed", .seconds_left = 2 },
  };

  g_string_append_printf (asked, "%u s on “%s”", wish->seconds, wish->device);
  for (guint i = 0; i < wish->n_plans; i++)
    {
      const LsTunePlan *p = &wish->plans[i];
      g_string_append_printf (asked, "; %s of %d×%d×%d to %d, batch %u, %s", p->model, (int) p->shape[0],
                              (int) p->shape[1], (int) p->shape[2], p->n_classes, p->batch,
                              p->optimizer == LS_OPTIMIZER_ADAM ? "adam" : "sgd");
    }
  for (gsize i = 0; i < G_N_ELEMENTS (on_the_way); i++)
    report (&on_the_way[i], data);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "The device is gone");
  return FALSE;
}

/* The two usual networks, or the one that is given, on the data's samples; each op is told once. */
static void
test_asked (void)
{
  static const char *const rows[][2] = {
    { "tune", "60 s on “”; mlp of 1×28×28 to 10, batch 128, sgd; cnn of 1×28×28 to 10, batch 128, sgd" },
    { "tune|--seconds|1|--optimizer|adam|--batch|32",
      "1 s on “”; mlp of 1×28×28 to 10, batch 32, adam; cnn of 1×28×28 to 10, batch 32, adam" },
    { "tune|--model|flatten, dense 3|--data|spiral|--batch|7|--seconds|3600|--device|H200",
      "3600 s on “H200”; flatten, dense 3 of 2×1×1 to 3, batch 7, sgd" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_string_truncate (asked, 0);
      g_auto (Captured) said = run (rows[i][0]);
      if (strcmp (asked->str, rows[i][1]) != 0)
        g_error ("“%s” asks for\n  %s\nand should ask for\n  %s", rows[i][0], asked->str, rows[i][1]);
      g_assert_cmpint (said.status, ==, 1);
      assert_lines ("the tuner on its way", said.out,
                    "1 of 2: matmul 64×64, at most 9 s left\n2 of 2: conv2d 3×3, at most 4 s left\n");
      g_assert_cmpstr (said.err, ==, "lockstep tune: The device is gone.\n");
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-tune-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  asked = g_string_new (NULL);
  g_test_add_func ("/cli/tune-asked/asked", test_asked);
  const int status = g_test_run ();
  g_string_free (asked, TRUE);
  remove_tree (folder);
  return status;
}
