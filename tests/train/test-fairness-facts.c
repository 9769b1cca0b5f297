/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the machine tells while lanes train: its clocks, and how busy other programs keep it; and what a
 * device is said to have.
 */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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
  static const struct {
    const char *khz;
    double mhz;
  } edges[]
    = { { "999", 0 }, { "1000", 1 }, { "100000000", 1e5 }, { "100000001", 0 }, { " 1500000 \n", 1500 } };
  g_autofree char *root = g_dir_make_tmp ("fair-XXXXXX", NULL);
  const double own = ls_machine_family_s (getpid ());

  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 0);
  put_clock (root, 0, "2000000\n");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 2000);
  put_clock (root, 1, "3000000\n");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 2500);
  put_clock (root, 1, "<unknown>\n");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 2000);
  put_clock (root, 2, "4000000\n"); /* behind one that isn't told */
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 3000);
  put_clock (root, 2, "<unknown>\n");
  put_clock (root, 0, "-5");
  g_assert_cmpfloat (ls_machine_clock_mhz (root), ==, 0);
  /* from 1 MHz to 100 GHz it is a clock */
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      put_clock (root, 0, edges[i].khz);
      if (ls_machine_clock_mhz (root) != edges[i].mhz)
        g_error ("a clock of %s kHz is told as %g MHz, not %g", edges[i].khz, ls_machine_clock_mhz (root),
                 edges[i].mhz);
    }
  remove_tree (root);
  g_assert_true (own < 0 || own >= 0.9 * ls_machine_process_s (getpid ()) - .1);
}

/* proc(5): what isn't idle and doesn't wait for disks; time of guests is in the user's. Each column is
 * another power of two. */
static void
test_parse_busy (void)
{
  static const struct {
    const char *text;
    double ticks; /* -1: nothing is told */
  } rows[] = {
    { "cpu  1 2 4 8 16 32 64 128 256 512\ncpu0 9 9 9 9 9 9 9 9 9 9\n", 1 + 2 + 4 + 32 + 64 + 128 },
    { "cpu  1 2 4 8 16 32\n", 1 + 2 + 4 + 32 },
    { "cpu  1 2 4 8\n", 1 + 2 + 4 },
    { "cpu  0 0 0 8 16 0 0 0\n", 0 },
    { "cpu  1 2 4\n", -1 },
    { "cpu  1 2 x 8 16 32 64 128\n", -1 },
    { "cpu0 1 2 4 8 16 32 64 128\n", -1 },
    { "intr 1 2 4 8 16 32 64 128\n", -1 },
    { "", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint per_s = 1; per_s <= 100; per_s *= 100)
      {
        const double busy = ls_machine_parse_busy (rows[i].text, per_s),
                     should = rows[i].ticks < 0 ? -1 : rows[i].ticks / per_s;
        if (busy != should)
          g_error ("“%s” at %u ticks a second is %g s, not %g", rows[i].text, per_s, busy, should);
      }
}

/* Of /proc/loadavg's words (proc(5)): "the number of currently runnable kernel scheduling entities", before
 * the slash. */
static void
test_parse_running (void)
{
  static const struct {
    const char *words;
    guint expected;
  } cases[] = {
    { "0.41 0.38 0.40 3/512 1234\n", 3 },
    { "12.76 2.53 2.61 128/1080 684\n", 128 },
    { "0.00 0.00 0.00 1/1 1", 1 },
    { "", 0 },
    { "0.41 0.38", 0 },
    { "0.41 0.38 0.40 nan/512 1", 0 },
    { "0.41 0.38 0.40 -3/512 1", 0 },
    { "0.41 0.38 0.40 99999999999/512 1", 0 },
    { "3/512", 0 },
    { "0.41 0.38 0.40 /512 1234", 0 },
    { "0.41 0.38 0.40 x3/512 1234", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].words);
      g_assert_cmpuint (ls_machine_parse_running (cases[i].words), ==, cases[i].expected);
    }

  const int file = ls_machine_running_open ();
  if (file >= 0)
    for (guint i = 0; i < 3; i++)
      g_assert_cmpuint (ls_machine_running (file), >=, 1); /* this thread */
  g_assert_cmpuint (ls_machine_running (-1), ==, 0);
  close (file);
}

/* The numbers 14 to 17: its own time, in programs and in the system, and that of its children that ended. */
static void
test_parse_process (void)
{
  static const struct {
    const char *text;
    double ticks;
  } rows[] = {
#define BEFORE "9000 9000 9000 0 -1 9000 9000 9000 9000 9000"
    { "42 (lockstep) S " BEFORE " 1 2 4 8 20 0 1 0 99999", 15 },
    { "42 (a ) R 7 7 (b) S " BEFORE " 1 2 4 8 20 0 1 0 99999", 15 }, /* a name may be anything */
    { "42 (lockstep) R " BEFORE " 16 0 0 0", 16 },
    { "42 (lockstep) R " BEFORE " 1 2 4", 0 },
    { "42 (lockstep) S", 0 },
    { "42 (lockstep)", 0 },
    { "42 lockstep S " BEFORE " 1 2 4 8 20", 0 },
    { "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const double used = ls_machine_parse_process (rows[i].text, 100);
      if (used != rows[i].ticks / 100)
        g_error ("“%s” has used %g s, not %g", rows[i].text, used, rows[i].ticks / 100);
    }
}

#define BURNT_S .06

/* Computes for BURNT_S of its own time, says who it is and stays. */
static void
burn (int told)
{
  const pid_t own = getpid ();
  struct timespec used;

  do
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  while (used.tv_sec == 0 && used.tv_nsec < BURNT_S * 1e9);
  if (write (told, &own, sizeof own) == sizeof own)
    pause ();
  _exit (0);
}

/* In which order a folder's names come is its own affair: the last first, if they are turned. */
static gboolean turned;

const char *__real_g_dir_read_name (GDir *dir);
const char *__wrap_g_dir_read_name (GDir *dir);

const char *
__wrap_g_dir_read_name (GDir *dir)
{
  static GPtrArray *names;
  static GDir *of;
  const char *name;

  if (!turned)
    return __real_g_dir_read_name (dir);
  if (of != dir)
    {
      g_clear_pointer (&names, g_ptr_array_unref);
      names = g_ptr_array_new_with_free_func (g_free);
      while ((name = __real_g_dir_read_name (dir)) != NULL)
        g_ptr_array_insert (names, 0, g_strdup (name));
      of = dir;
    }
  else
    g_ptr_array_remove_index (names, 0);
  if (names->len > 0)
    return names->pdata[0];
  of = NULL;
  return NULL;
}

/* Our own time is that of the processes we started, too, and of those that they did. */
static void
test_own_children (void)
{
  const double before = ls_machine_family_s (getpid ());
  int told[2];
  pid_t idle, child, grandchild;

  g_assert_cmpfloat (before, >=, 0);
  if ((idle = fork ()) == 0)
    {
      pause ();
      _exit (0);
    }
  g_assert_cmpint (pipe (told), ==, 0);
  if ((child = fork ()) == 0)
    {
      if (fork () == 0)
        burn (told[1]);
      pause ();
      _exit (0);
    }
  g_assert_cmpint ((int) read (told[0], &grandchild, sizeof grandchild), ==, (int) sizeof grandchild);
  const double own = ls_machine_family_s (getpid ()), alone = ls_machine_process_s (getpid ()),
               other = ls_machine_process_s (grandchild), family = ls_machine_family_s (child),
               nobodys = ls_machine_family_s (idle);
  turned = TRUE; /* whoever has a child is seen after it */
  const double backwards = ls_machine_family_s (getpid ());
  turned = FALSE;
  kill (grandchild, SIGKILL);
  kill (child, SIGKILL);
  kill (idle, SIGKILL);
  waitpid (child, NULL, 0);
  waitpid (idle, NULL, 0);
  close (told[0]);
  close (told[1]);
  g_assert_cmpfloat (other, >=, BURNT_S / 2);
  if (own < alone + BURNT_S / 2)
    g_error ("of %g s here and %g s of a child's child %g s are told", alone, other, own);
  if (nobodys >= BURNT_S / 2)
    g_error ("of a child that only waits, and has no children, %g s are told", nobodys);
  if (family < BURNT_S / 2)
    g_error ("of a child whose child used %g s, %g s are told", other, family);
  if (backwards < alone + BURNT_S / 2)
    g_error ("of %g s here and %g s of a child's child, which is seen before it, %g s are told", alone, other,
             backwards);
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

  if (ls_machine_busy_s () < 0 || ls_machine_family_s (getpid ()) < 0)
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
  /* of several that are as heavy, as a layer's products are, the first one */
  for (guint op = 0; op < recording->n_ops; op++)
    recording->ops[op].flops = op % 3 == 1 ? 1000 : 10 + op;
  for (guint op = 0; op < recording->n_ops; op++)
    recording->lanes[0].tilings[op].leader = op;
  ls_fair_pair_of_recording (&pair, recording, specs, 0, 1);
  g_assert_cmpstr (pair.lanes[0].heavy->kernel, ==, "cpu 1");
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
  g_test_add_func ("/train/fairness/parse-busy", test_parse_busy);
  g_test_add_func ("/train/fairness/parse-running", test_parse_running);
  g_test_add_func ("/train/fairness/parse-process", test_parse_process);
  g_test_add_func ("/train/fairness/own-children", test_own_children);
  g_test_add_func ("/train/fairness/run", test_run);
  g_test_add_func ("/train/fairness/words", test_words);
  g_test_add_func ("/train/fairness/heaviest", test_heaviest);
  return g_test_run ();
}
