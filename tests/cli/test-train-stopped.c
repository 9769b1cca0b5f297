/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep train` whose lanes have all stopped: beside what was asked for stand the last weights that are
 * finite, and the report says where, and after which step they were checked.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

#include "core/error.h"
#include "files/json.h"
#include "train/coordinator.h"

static char *folder;

/* ---- lanes that stop, and what is left of them ---- */

static enum { WORK, STOP, STOP_AND_NOTHING } lanes;
static gboolean none_begins;   /* they stop before their first step */
static gboolean second_stops;  /* of two, before its first step */
static guint n_asked, n_after; /* so many recorded steps were asked for; after the last step of the lane that
                                  works */
static guint64 done;           /* its steps in the newest snapshot */

LsSnapshot *__real_ls_coordinator_take (LsCoordinator *self);
LsSnapshot *__wrap_ls_coordinator_take (LsCoordinator *self);

LsSnapshot *
__wrap_ls_coordinator_take (LsCoordinator *self)
{
  LsSnapshot *snapshot = __real_ls_coordinator_take (self);

  for (guint i = 0; snapshot != NULL && lanes != WORK && i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].steps > 0)
      {
        snapshot->lanes[i].state = LS_LANE_FAILED;
        g_free (snapshot->lanes[i].message);
        snapshot->lanes[i].message = g_strdup ("its loss isn't finite");
      }
  for (guint i = 0; snapshot != NULL && none_begins && i < snapshot->n_lanes; i++)
    {
      snapshot->lanes[i].state = LS_LANE_FAILED;
      snapshot->lanes[i].steps = 0;
      g_free (snapshot->lanes[i].message);
      snapshot->lanes[i].message = g_strdup ("it has no memory");
    }
  if (snapshot != NULL && second_stops && snapshot->n_lanes == 2)
    {
      snapshot->lanes[1].state = LS_LANE_FAILED;
      snapshot->lanes[1].steps = 0;
      g_free (snapshot->lanes[1].message);
      snapshot->lanes[1].message = g_strdup ("its loss isn't finite");
      done = snapshot->lanes[0].steps;
    }
  return snapshot;
}

void __real_ls_coordinator_record_next (LsCoordinator *self, gboolean bare);
void __wrap_ls_coordinator_record_next (LsCoordinator *self, gboolean bare);

void
__wrap_ls_coordinator_record_next (LsCoordinator *self, gboolean bare)
{
  n_asked++;
  n_after += done >= 9;
  __real_ls_coordinator_record_next (self, bare);
}

gboolean __wrap_ls_coordinator_save_last_finite (LsCoordinator *self, const char *path, guint64 *step,
                                                 GError **error);

gboolean
__wrap_ls_coordinator_save_last_finite (LsCoordinator *self, const char *path, guint64 *step, GError **error)
{
  *step = 7;
  if (lanes == STOP_AND_NOTHING)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "none are finite.");
      return FALSE;
    }
  return g_file_set_contents (path, "weights", -1, error);
}

static gboolean
is_there (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_stopped (void)
{
  static const struct {
    const char *kept, *not ; /* the files that are there then, and not */
    int status;
  } cases[] = { { "w", "w.last-finite", 0 }, { "w.last-finite", "w", 1 }, { NULL, "w.last-finite", 1 } };

  for (lanes = WORK; lanes <= STOP_AND_NOTHING; lanes++)
    {
      g_autofree char *path
        = g_build_filename (folder, "report.json", NULL),
        *beside = g_build_filename (folder, "w.last-finite", NULL),
        *line = g_strdup_printf (
          "train|--lanes|cpu|--data|spiral|--model|flatten, dense 3|--steps|9|--save|%s/w|--json|%s", folder,
          path),
        *text = NULL;
      g_auto (Captured) said = run (line);
      gsize n;

      g_test_message ("%s%s", said.out, said.err);
      g_assert_cmpint (said.status, ==, cases[lanes].status);
      g_assert_true (g_file_get_contents (path, &text, &n, NULL));
      g_autoptr (json_t) root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
      const json_t *left = json_object_get (root, "last_finite");
      if ((left != NULL) != (lanes == STOP))
        g_error ("the lanes %s, and the report %s where the last finite weights are",
                 lanes == WORK   ? "work"
                 : lanes == STOP ? "have stopped"
                                 : "have stopped with no finite weights",
                 left != NULL ? "says" : "doesn’t say");
      if (left != NULL)
        {
          g_assert_cmpstr (json_string_value (json_object_get (left, "file")), ==, beside);
          g_assert_cmpint (json_integer_value (json_object_get (left, "step")), ==, 7);
        }
      g_assert_cmpint (strstr (said.err, "after step 7.\n") != NULL, ==, lanes == STOP);
      g_assert_cmpint (strstr (said.err, "one are finite.") != NULL, ==, lanes == STOP_AND_NOTHING);
      if (cases[lanes].kept != NULL && !is_there (cases[lanes].kept))
        g_error ("“%s” isn’t there:\n%s%s", cases[lanes].kept, said.out, said.err);
      g_assert_false (is_there (cases[lanes].not ));
      empty_folder (folder);
    }
}

/* Of lanes that never did a step there are no last finite weights to be looked for. */
static void
test_none_begins (void)
{
  g_autofree char *line = g_strdup_printf (
    "train|--lanes|cpu|--data|spiral|--model|flatten, dense 3|--steps|3|--save|%s/w", folder);

  lanes = WORK;
  none_begins = TRUE;
  g_auto (Captured) said = run (line);
  none_begins = FALSE;
  g_test_message ("%s%s", said.out, said.err);
  g_assert_cmpint (said.status, ==, 1);
  g_assert_false (is_there ("w.last-finite"));
  if (strstr (said.err, "after step") != NULL || strstr (said.out, "last-finite") != NULL)
    g_error ("no lane has done a step, and it is said:\n%s%s", said.out, said.err);
  empty_folder (folder);
}

/* By step each next one is recorded, up to the last of those who work: one who has stopped will do none. */
static void
test_by_step (void)
{
  lanes = WORK;
  second_stops = TRUE;
  g_auto (Captured) said = run ("train|--lanes|cpu,reference|--data|spiral|--model|flatten, dense 3|--steps|9"
                                "|--pace|step");
  g_test_message ("%s%s", said.out, said.err);
  g_assert_cmpuint (done, ==, 9);
  g_assert_cmpuint (n_asked, >, 0);
  if (n_after > 0)
    g_error ("after the last step another one is asked for %u times, for a lane that has stopped", n_after);
  second_stops = FALSE;
}

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-stopped-XXXXXX", NULL);
  g_test_add_func ("/train/stopped", test_stopped);
  g_test_add_func ("/train/stopped/none-begins", test_none_begins);
  g_test_add_func ("/train/stopped/by-step", test_by_step);
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
