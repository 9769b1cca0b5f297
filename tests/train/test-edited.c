/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user's kernels on their way into a lane, without a compiler: they are tried beside it, and used, or not,
 * for the reason that the trial or the lane itself gave; the lane trains on in any case, and lanes that were
 * apart are put together again.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "tests/folder.h"
#include "rig.h"

static struct {
  gboolean trial_fails, reload_fails;
  gint trials, reloads; /* atomic: how many there were */
  char *names;          /* of what was reloaded last */
  gint done, total;     /* that a trial says it has built */
  gint holds;           /* atomic: trials last until it is FALSE */
} edit;

static gboolean
try_kernels (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
             LsKernelTrial *trial, GError **error)
{
  g_atomic_int_inc (&edit.trials);
  g_atomic_int_set ((gint *) &trial->done, edit.done);
  g_atomic_int_set ((gint *) &trial->total, edit.total); /* at last: whoever sees it sees the other, too */
  while (g_atomic_int_get (&edit.holds))
    g_usleep (1000);
  if (edit.trial_fails)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_BUILD, "a.cl:3: error: no such thing");
  return !edit.trial_fails;
}

static gboolean
reload (gpointer self, LsKernelFiles *edited, GError **error)
{
  g_atomic_int_inc (&edit.reloads);
  g_free (edit.names);
  edit.names = g_strdup (edited->names);
  if (edit.reload_fails)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_BUILD, "The fake doesn't take them.");
  return !edit.reload_fails;
}

static const LsBackendEdit fake_edit = { .try_kernels = try_kernels, .reload = reload };

/* Beside the reference, which has no kernels; both are there. */
static LsCoordinator *
begin (LsOptions *options)
{
  static LsBackend backend;

  g_free (edit.names);
  memset (&edit, 0, sizeof edit);
  backend = fake_backend;
  backend.edit = &fake_edit;
  return start_and_open (options, &backend);
}

/* Every file as the program has it, but for one, where that is asked for. */
static LsKernelFiles *
files_of (gboolean edited)
{
  g_autofree char *folder = g_dir_make_tmp ("kernels-XXXXXX", NULL);
  g_auto (GStrv) names = ls_kernel_files_names ();
  g_autofree char *path = g_build_filename (folder, names[0], NULL);
  g_autoptr (GError) error = NULL;
  LsKernelFiles *files;

  if (edited)
    g_assert_true (g_file_set_contents (path, "/* mine */", -1, NULL));
  files = ls_kernel_files_read (folder, &error);
  g_assert_no_error (error);
  g_assert_true (ls_kernel_files_any (files) == edited);
  remove_tree (folder);
  return files;
}

/* The snapshot after which so many sets have come to an end, and both lanes are at rest. */
static LsSnapshot *
wait_for_sets (LsCoordinator *c, guint n)
{
  for (guint i = 0; i < 20000; i++)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      if (s != NULL && s->lanes[1].kernels_serial >= n && !s->lanes[1].kernels_coming)
        return s;
      ls_snapshot_unref (s);
      g_usleep (1000);
    }
  g_error ("%u sets of kernels haven't come to an end", n);
}

/* What the user is told, who was asked, and that both lanes do the steps that they were to do. */
static void
test_ends (void)
{
  static const struct {
    gboolean edited, trial_fails, reload_fails;
    gint trials, reloads;
    const char *message; /* NULL: they are in use */
  } rows[] = {
    { TRUE, FALSE, FALSE, 1, 1, NULL },
    { FALSE, FALSE, FALSE, 0, 1, NULL }, /* the program's own need no trial */
    { TRUE, TRUE, FALSE, 1, 0, "a.cl:3: error: no such thing" },
    { TRUE, FALSE, TRUE, 1, 1, "The fake doesn't take them." },
    { FALSE, FALSE, TRUE, 0, 1, "The fake doesn't take them." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = begin (options);
      g_autoptr (LsKernelFiles) files = files_of (rows[i].edited);
      g_auto (GStrv) names = ls_kernel_files_names ();
      g_autoptr (LsSnapshot) told = NULL, last = NULL;

      edit.trial_fails = rows[i].trial_fails;
      edit.reload_fails = rows[i].reload_fails;
      ls_coordinator_run (c, 10);
      ls_snapshot_unref (finish (c));
      ls_coordinator_reload_kernels (c, files);
      told = wait_for_sets (c, 1);
      g_test_message ("row %u: %s", i, told->lanes[1].kernels_message);
      g_assert_cmpstr (told->lanes[1].kernels_message, ==, rows[i].message);
      g_assert_cmpfloat (told->lanes[1].kernels_s, >=, 0);
      g_assert_cmpuint (told->lanes[0].kernels_serial, ==, 0);
      g_assert_cmpint (g_atomic_int_get (&edit.trials), ==, rows[i].trials);
      g_assert_cmpint (g_atomic_int_get (&edit.reloads), ==, rows[i].reloads);
      if (rows[i].reloads > 0)
        g_assert_cmpstr (edit.names, ==, rows[i].edited ? names[0] : "");
      ls_coordinator_run (c, 30);
      last = finish (c);
      for (guint lane = 0; lane < 2; lane++)
        {
          g_assert_cmpint (last->lanes[lane].state, ==, LS_LANE_READY);
          g_assert_cmpuint (last->lanes[lane].steps, ==, 30);
        }
      g_assert_cmpuint (last->lanes[1].kernels_serial, ==, 1);
      g_assert_cmpuint (last->agreement.losses_compared, ==, 30);
      g_assert_false (last->agreement.disagree);
    }
}

/* A wrong kernel's weights are as far from the other lane's as they were: with another kernel the lane goes
 * on from the other's, but only if it is in use. */
static void
test_together_again (void)
{
  for (gboolean fails = FALSE; fails <= TRUE; fails++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = begin (options);
      g_autoptr (LsKernelFiles) files = files_of (TRUE);
      g_autoptr (LsSnapshot) apart = NULL, last = NULL, again = NULL;

      fake.disturb_from = 1;
      ls_coordinator_run (c, 60);
      apart = finish (c);
      g_assert_true (apart->agreement.disagree && apart->agreement.found);
      fake.disturb_from = 0;
      edit.reload_fails = fails;
      ls_coordinator_reload_kernels (c, files);
      ls_snapshot_unref (wait_for_sets (c, 1));
      ls_coordinator_run (c, 120);
      last = finish (c);
      for (guint lane = 0; lane < 2; lane++)
        g_assert_cmpuint (last->lanes[lane].steps, ==, 120);
      if (last->agreement.disagree != fails)
        g_error ("lanes that were apart %s after a kernel that %s", fails ? "agree" : "are still apart",
                 fails ? "isn't used" : "is");
      if (fails)
        continue;
      g_assert_true (last->agreement.weights_delta_max == 0);
      /* another wrong one is found as the first was */
      fake.disturb_from = 1;
      fake.disturb_last = TRUE;
      ls_coordinator_run (c, 300);
      again = finish (c);
      g_assert_true (again->agreement.disagree && again->agreement.examined);
      if (!again->agreement.found)
        g_error ("lanes that disagree once more are told that each op by itself is right");
      g_assert_cmpuint (again->agreement.first_step, >=, 120);
    }
}

/* A lane that has failed is opened anew with what came through the trial, and with nothing else. */
static void
test_failed_lane (void)
{
  for (gboolean fails = FALSE; fails <= TRUE; fails++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = begin (options);
      g_autoptr (LsKernelFiles) files = files_of (TRUE);
      g_autoptr (LsSnapshot) failed = NULL, last = NULL;

      fake.fail_at = (guint64) g_atomic_int_get (&fake.runs) + 2;
      ls_coordinator_run (c, 60);
      failed = finish (c);
      g_assert_cmpint (failed->lanes[1].state, ==, LS_LANE_FAILED);
      fake.fail_at = 0;
      edit.trial_fails = fails;
      ls_coordinator_reload_kernels (c, files);
      ls_snapshot_unref (wait_for_sets (c, 1));
      ls_coordinator_run (c, 90);
      last = finish (c);
      g_assert_cmpint (last->lanes[1].state, ==, fails ? LS_LANE_FAILED : LS_LANE_READY);
      g_assert_cmpuint (last->lanes[0].steps, ==, 90);
      g_assert_true ((last->lanes[1].steps == 90) == !fails);
      g_assert_cmpint (g_atomic_int_get (&edit.reloads), ==, fails ? 0 : 1);
    }
}

/* ---- what is measured meanwhile ---- */

static struct {
  gint let_go, trying, measured, beside; /* atomic */
} hold;

static gboolean
try_until_let_go (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                  LsKernelTrial *trial, GError **error)
{
  g_atomic_int_set (&hold.trying, 1);
  while (!g_atomic_int_get (&hold.let_go) && !g_atomic_int_get (&trial->cancelled))
    g_usleep (1000);
  g_atomic_int_set (&hold.trying, 0);
  return TRUE;
}

static gboolean
measure (gpointer self, LsFigure *roofs, GError **error)
{
  g_atomic_int_inc (&hold.measured);
  if (g_atomic_int_get (&hold.trying))
    g_atomic_int_inc (&hold.beside);
  for (guint i = 0; i < LS_ROOF_N; i++)
    roofs[i] = (LsFigure){ 0 };
  return TRUE;
}

/* What a device can do at most isn't measured while kernels are tried beside the lane, which would take its
 * share; but once that is over. */
static void
test_measured_after (void)
{
  static const LsBackendEdit edit_held = { .try_kernels = try_until_let_go, .reload = reload };
  static const LsBackendRoofs roofs = { measure };
  static LsBackend backend;
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsKernelFiles) files = files_of (TRUE);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) first = NULL, second = NULL;

  memset (&edit, 0, sizeof edit);
  backend = fake_backend;
  backend.edit = &edit_held;
  backend.roofs = &roofs;
  backend.build = NULL; /* nothing is built for it */
  c = start_and_open (options, &backend);
  ls_coordinator_reload_kernels (c, files);
  while (!g_atomic_int_get (&hold.trying))
    g_usleep (1000);
  ls_coordinator_run_recorded (c, 60);
  first = wait_for_recording (c, NULL);
  ls_coordinator_run_recorded (c, 90);
  second = wait_for_recording (c, first->recording);
  ls_coordinator_run (c, 100);
  ls_snapshot_unref (wait_for_steps (c, 100));
  g_atomic_int_set (&hold.let_go, 1);
  ls_snapshot_unref (wait_for_sets (c, 1));
  ls_coordinator_run_recorded (c, 120);
  ls_snapshot_unref (finish (c));
  for (guint i = 0; g_atomic_int_get (&hold.measured) == 0; i++)
    {
      if (i == 20000)
        g_error ("the device isn’t measured once the kernels were tried");
      g_usleep (1000);
    }
  if (g_atomic_int_get (&hold.beside) > 0)
    g_error ("the device was measured while kernels were tried beside it");
}

/* While a trial is on it is told how many of how many kernels are built, and never more than all: the process
 * that builds says both, one after the other. */
static void
test_told (void)
{
  static const struct {
    gint done, total;
    guint told;
  } cases[] = { { 0, 7, 0 }, { 3, 8, 3 }, { 9, 9, 9 }, { 12, 10, 10 }, { 1, 1, 1 } };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = begin (options);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsKernelFiles) files = files_of (TRUE);
      gboolean found = FALSE;

      edit.done = cases[i].done;
      edit.total = cases[i].total;
      g_atomic_int_set (&edit.holds, TRUE);
      ls_coordinator_reload_kernels (c, files);
      for (guint k = 0; k < 20000 && !found; k++)
        {
          g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
          const LsLaneSnapshot *lane = s != NULL ? &s->lanes[1] : NULL;
          found = lane != NULL && lane->kernels_coming && lane->build_total == (guint) cases[i].total;
          if (found && lane->build_done != cases[i].told)
            g_error ("of a trial that has built %d of %d it is told that %u of %u are", cases[i].done,
                     cases[i].total, lane->build_done, lane->build_total);
          g_usleep (found ? 0 : 1000);
        }
      if (!found)
        g_error ("of a trial that has built %d of %d nothing is told", cases[i].done, cases[i].total);
      g_atomic_int_set (&edit.holds, FALSE);
      ls_snapshot_unref (wait_for_sets (c, i + 1));
    }
}

/* Kernels that were tried are on their way until the lane, which is at a step for long, has taken them; only
 * then they have come to an end. */
static void
test_taken (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsKernelFiles) files = files_of (TRUE);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) end = NULL;
  gboolean tried = FALSE, over = FALSE;

  fake.hang_at = 5;
  c = begin (options);
  edit.done = edit.total = 7;
  g_atomic_int_set (&edit.holds, TRUE);
  ls_coordinator_run (c, 300);
  while (g_atomic_int_get (&fake.runs) < 5)
    g_usleep (1000);
  ls_coordinator_reload_kernels (c, files);
  for (guint i = 0; i < 20000 && !over; i++)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);

      if (s != NULL && s->lanes[1].build_total == 7)
        {
          tried = TRUE;
          g_assert_true (s->lanes[1].kernels_coming);
          g_atomic_int_set (&edit.holds, FALSE);
        }
      else if (s != NULL && tried)
        {
          over = TRUE;
          g_assert_cmpint (g_atomic_int_get (&edit.reloads), ==, 0);
          if (!s->lanes[1].kernels_coming)
            g_error ("kernels that the lane has still to take aren’t told of");
          g_assert_cmpuint (s->lanes[1].kernels_serial, ==, 0);
          g_assert_cmpuint (s->lanes[1].build_done, ==, 0);
        }
      g_usleep (over ? 0 : 1000);
    }
  if (!over)
    g_error ("that the trial is over isn’t told");
  g_atomic_int_set (&fake.let_go, 1);
  end = wait_for_sets (c, 1);
  g_assert_cmpint (g_atomic_int_get (&edit.reloads), ==, 1);
  g_assert_cmpstr (end->lanes[1].kernels_message, ==, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edited/ends", test_ends);
  g_test_add_func ("/edited/together-again", test_together_again);
  g_test_add_func ("/edited/failed-lane", test_failed_lane);
  g_test_add_func ("/edited/measured-after", test_measured_after);
  g_test_add_func ("/edited/told", test_told);
  g_test_add_func ("/edited/taken", test_taken);
  const int status = g_test_run ();
  g_free (edit.names);
  return status;
}
