/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the machine tells while lanes train: its clocks, and how busy other programs keep it; and what a
 * device is said to have.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/kernel_files.h"
#include "tests/folder.h"
#include "trace/load.h"
#include "train/coordinator.h"
#include "train/fairness.h"

static void
put_clock (const char *root, guint cpu, const char *text)
{
  g_autofree char *folder = g_strdup_printf ("%s/sys/devices/system/cpu/cpu%u/cpufreq", root, cpu),
                  *path = g_build_filename (folder, "scaling_cur_freq", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_machine (void)
{
  g_autofree char *root = g_dir_make_tmp ("fair-XXXXXX", NULL);
  const double own = ls_machine_own_s ();

  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 0);
  put_clock (root, 0, "2000000\n");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 2000);
  put_clock (root, 1, "3000000\n");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 2500);
  put_clock (root, 1, "<unknown>\n");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 2000);
  put_clock (root, 0, "-5");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 0);
  remove_tree (root);
  g_assert_true (own < 0 || own >= 0.9 * ls_machine_process_s (getpid ()) - .1);
}

/* While lanes train the machine is looked at, within a second; and what was seen goes into a recording. */
static void
test_run (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSnapshot) last = NULL;
  const gint64 end_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  gboolean asked = FALSE;

  if (ls_machine_busy_s () < 0 || ls_machine_own_s () < 0)
    {
      g_test_message ("this system doesn't tell which programs are busy");
      return;
    }
  ls_options_set (options, ls_options_find ("data"), "spiral", NULL);
  ls_options_set (options, ls_options_find ("model"), "flatten, dense 8, relu, dense 3", NULL);
  ls_options_set (options, ls_options_find ("lanes"), "cpu(threads=1),reference", NULL);
  g_autoptr (LsCoordinator) coordinator = ls_coordinator_new (options, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (coordinator, NULL));
  ls_coordinator_run (coordinator, LS_STEPS_ENDLESS);
  while (last == NULL || last->recording == NULL)
    {
      LsSnapshot *newest = ls_coordinator_take (coordinator);
      if (newest != NULL)
        {
          ls_snapshot_unref (last);
          last = newest;
        }
      if (last != NULL && last->load.others >= 0 && last->load.processors > 0 && !asked)
        {
          asked = TRUE;
          ls_coordinator_record_next (coordinator, FALSE);
        }
      if (g_get_monotonic_time () > end_us)
        g_error ("nobody looked at the machine for a minute, or the step wasn't recorded");
      g_usleep (10000);
    }
  g_assert_cmpfloat (last->load.others, <=, last->load.processors);
  g_assert_nonnull (g_hash_table_lookup (last->recording->conditions, "others-cores"));
  g_assert_nonnull (g_hash_table_lookup (last->recording->conditions, "processors"));
}

/* Nothing is a fact, too: plain SGD keeps 0 bytes of state. What isn't known isn't there. */
static void
test_words (void)
{
  g_autoptr (LsDeviceInfo) info = ls_device_info_new ("cpu");

  info->numbers[LS_DEVICE_ALLOCATED + LS_MEMORY_STATES] = 0;
  info->numbers[LS_DEVICE_ALLOCATED] = 3 << 20;
  info->numbers[LS_DEVICE_WANTED] = 0;
  info->numbers[LS_DEVICE_STAMP] = 21.37;
  g_hash_table_insert (info->facts, g_strdup ("driver"), g_strdup ("none"));
  g_autoptr (GHashTable) words = ls_device_info_words (info);
  g_autofree char *nothing = g_format_size_full (0, G_FORMAT_SIZE_IEC_UNITS),
                  *weights = g_format_size_full (3 << 20, G_FORMAT_SIZE_IEC_UNITS);
  const struct {
    guint number;
    const char *words;
  } rows[] = { { LS_DEVICE_ALLOCATED + LS_MEMORY_STATES, nothing },
               { LS_DEVICE_ALLOCATED, weights },
               { LS_DEVICE_WANTED, "0" },
               { LS_DEVICE_STAMP, "21.4" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (g_hash_table_lookup (words, ls_device_number_names[rows[i].number]), ==, rows[i].words);
  g_assert_cmpstr (g_hash_table_lookup (words, "driver"), ==, "none");
  g_assert_cmpuint (g_hash_table_size (words), ==, 5);
}

/* The heaviest op's tiling is the one that is judged: of a fused one its leader's. What a recording tells of
 * its lanes, each its own. */
static void
test_heaviest (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 4, relu, dense 10", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 4, 4 }, 10, 8, LS_OPTIMIZER_SGD, NULL);
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 2, 1);
  g_autoptr (GPtrArray) specs = NULL;
  LsFairPair pair, swapped;

  ls_options_set (options, ls_options_find ("lanes"), "cpu(threads=1),slow=opencl", NULL);
  specs = ls_lane_specs_new (options, NULL);
  for (guint i = 0; i < 2; i++)
    {
      LsRecordedLane *lane = &recording->lanes[i];

      lane->id = g_strdup (i ? "slow" : "cpu");
      lane->device = ls_device_info_new (i ? "opencl" : "cpu");
      lane->device->shares_cpu = i == 0;
      for (guint op = 0; op < recording->n_ops; op++)
        {
          lane->tilings[op].leader = op;
          g_snprintf (lane->tilings[op].kernel, sizeof lane->tilings[op].kernel, "%s %u", lane->id, op);
        }
    }
  ls_recording_set_conditions (recording, TRUE, 7);
  ls_fair_note_clock (recording, "cpu", 1900);
  for (guint heavy = 0; heavy < recording->n_ops; heavy++)
    for (guint fused = 0; fused < 2; fused++)
      {
        const guint leader = fused ? (heavy + 1) % recording->n_ops : heavy;
        g_autofree char *first = g_strdup_printf ("cpu %u", leader),
                        *second = g_strdup_printf ("slow %u", heavy);

        for (guint op = 0; op < recording->n_ops; op++)
          {
            recording->ops[op].flops = op == heavy ? 1000 : 10 + op;
            recording->lanes[0].tilings[op].leader = op == heavy ? leader : op;
          }
        ls_fair_pair_of_recording (&pair, recording, specs, 0, 1);
        g_assert_nonnull (pair.lanes[0].heavy);
        g_assert_cmpstr (pair.lanes[0].heavy->kernel, ==, first);
        g_assert_cmpstr (pair.lanes[1].heavy->kernel, ==, second);
      }
  ls_fair_pair_of_recording (&swapped, recording, specs, 1, 0);
  g_assert_cmpuint (pair.batch, ==, 8);
  g_assert_true (pair.turns);
  g_assert_cmpuint (pair.warm_up, ==, 7);
  g_assert_cmpuint (pair.sharing, ==, 1); /* lanes on the processor's cores */
  for (guint side = 0; side < 2; side++)
    {
      const LsFairLane *lane = &pair.lanes[side], *other = &swapped.lanes[1 - side];
      const LsLaneSpec *spec = specs->pdata[side];

      g_assert_true (lane->device == recording->lanes[side].device && other->device == lane->device);
      g_assert_cmpint (lane->who, ==, side == 0 ? LS_BACKEND_CPU : LS_BACKEND_OPENCL);
      g_assert_cmpstr (lane->name, ==, side == 0 ? "CPU (threads: 1)" : "OpenCL (slow)");
      g_assert_true (lane->options == spec->options && other->options == lane->options);
      g_assert_true (lane->backend == spec->backend);
      g_assert_cmpfloat (lane->clock_mhz, ==, side == 0 ? 1900 : 0);
      g_assert_cmpfloat (other->clock_mhz, ==, lane->clock_mhz);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/fairness/machine", test_machine);
  g_test_add_func ("/train/fairness/run", test_run);
  g_test_add_func ("/train/fairness/words", test_words);
  g_test_add_func ("/train/fairness/heaviest", test_heaviest);
  return g_test_run ();
}
