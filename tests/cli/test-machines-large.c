/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep machines` where what is assumed makes for large numbers: they have all their digits, and no power
 * of ten. And what its measured lines call a lane.
 */
#include "files/recording.h"
#include "written.h"

#include <locale.h>
#include <string.h>

#include "data/datadir.h"

static void
test_large (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-machines-XXXXXX", NULL),
                  *path = record_run (folder, 12);
  static const struct {
    const char *words, *says;
  } rows[] = {
    /* a second for each step */
    { "machines|spiking|--assume|tick=1000000,steps=100000", "\nIn all 100000 s" },
    { "machines|spiking|--assume|tick=1000000,steps=999", "\nIn all 999 s" },
    { "machines|fpga|--assume|chip=65536", ", have room on the chip: 65536 MiB\n" },
    { "machines|fpga|--assume|chip=9999", ", have room on the chip: 9999 MiB\n" },
    { "machines|spiking|--assume|event=1000000", "\nIn all 64 ms, 1920 µJ a sample (modelled)\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strdup_printf ("%s|--from|%s", rows[i].words, path);
      g_auto (Captured) said = run (line);

      g_assert_cmpstr (said.err, ==, "");
      if (strstr (said.out, rows[i].says) == NULL || strstr (said.out, "e+0") != NULL)
        g_error ("“lockstep %s” should say “%s”, and no power of ten:\n%s", rows[i].words, rows[i].says,
                 said.out);
    }
  remove_tree (folder);
}

/* A processor that plays the OpenCL device is told as that, not by what its driver calls it. */
static void
test_lanes (void)
{
  g_autofree char *path = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *words = g_strconcat ("machines|--from|", path, NULL);
  g_auto (Captured) said = run (words);
  static const char *const lines[] = { "\ncpu, measured: Intel(R) Xeon(R) Processor ",
                                       "\nopencl, measured: OpenCL on the CPU " };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    if (strstr (said.out, lines[i]) == NULL)
      g_error ("“%s” isn't in: %s", lines[i] + 1, said.out);
}

/* A recording may not say what a lane's device was called. */
static void
test_nameless (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-machines-XXXXXX", NULL),
                  *path = record_run (folder, 12), *line = g_strdup_printf ("machines|--from|%s", path);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) recording = ls_recording_load (path, &error);

  g_assert_no_error (error);
  g_clear_pointer (&recording->lanes[0].device->name, g_free);
  ls_recording_save (recording, path, &error);
  g_assert_no_error (error);
  g_auto (Captured) said = run (line);
  g_assert_cmpstr (said.err, ==, "");
  if (strstr (said.out, "(null)") != NULL || strstr (said.out, "cpu, measured: unknown device") == NULL)
    g_error ("of a lane whose device has no name is said:\n%s", said.out);
  remove_tree (folder);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines-large/large", test_large);
  g_test_add_func ("/machines-large/lanes", test_lanes);
  g_test_add_func ("/machines-large/nameless", test_nameless);
  return g_test_run ();
}
