/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps on disk: what is kept is taken up again, of the very same question alone, and what is damaged is
 * told.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "lab/kept.h"
#include "lab/machine.h"
#include "lab/sweep_kept.h"
#include "sweep_rig.h"

static void
fill (LsSweep *sweep, guint done)
{
  for (guint c = 0; c < done; c++)
    {
      LsSweepCell *cells = &sweep->cells[2 * c];

      cells[0].rate = (LsFigure){ 1000. + c, "samples/s", LS_EVIDENCE_MEASURED, 7 + c, 900. + c, 1200. + c,
                                  0,         NULL };
      cells[1].why = g_strdup_printf ("It says:\n“%u”.", c);
    }
  sweep->done = done;
}

/* What take_kept() says of a sweep like the one that was kept, with that option set (NULL: none). */
static gboolean
take (const char *option, const char *value, const char *const *vary, guint seconds, guint rounds,
      LsSweep **sweep, char **why)
{
  g_autoptr (LsOptions) options = options_of ("cpu,reference");
  g_autofree char *date = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");
  gboolean taken;

  if (option != NULL)
    g_assert_true (ls_options_set (options, ls_options_find (option), value, NULL));
  *sweep = ls_sweep_new (options, vary, NULL);
  g_assert_nonnull (*sweep);
  taken = ls_sweep_take_kept (*sweep, seconds, rounds, &date, why);
  g_assert_true (taken == (date != NULL));
  if (taken && strncmp (date, today, 8) != 0)
    g_error ("it was kept on %s, not on %s", date, today);
  g_assert_cmpuint ((*sweep)->done > 0, ==, taken);
  return taken;
}

/* All that was measured comes back, lane by lane, and of the very same question alone: another value of any
 * option, other combinations or another time aren't it, which is nothing to speak of. */
static void
test_kept (void)
{
  static const char *const vary[] = { "batch=1,2", "threads=1,3,2", NULL },
                           *const turned[] = { "threads=1,3,2", "batch=1,2", NULL },
                           *const fewer[] = { "batch=1,2", "threads=1,3", NULL };
  static const struct {
    const char *option, *value;
    const char *const *vary;
    guint seconds, rounds;
    gboolean taken;
  } rows[] = {
    { NULL, NULL, vary, 20, 5, TRUE },
    { NULL, NULL, vary, 0, 0, TRUE },
    { NULL, NULL, vary, 21, 5, FALSE },
    { NULL, NULL, vary, 20, 4, FALSE },
    { NULL, NULL, turned, 0, 0, FALSE },
    { NULL, NULL, fewer, 0, 0, FALSE },
    { "lr", "0.123", vary, 0, 0, FALSE },
    { "seed", "7", vary, 0, 0, FALSE },
    { "kernel", "naive", vary, 0, 0, FALSE },
    { "policy", "static", vary, 0, 0, FALSE },
    { "optimizer", "adam", vary, 0, 0, FALSE },
    { "precision", "fp16", vary, 0, 0, FALSE },
    { "lanes", "reference,cpu", vary, 0, 0, FALSE },
  };
  g_autoptr (LsSweep) kept = sweep_new ("cpu,reference", vary);
  g_autoptr (GError) error = NULL;

  played_begin (NULL, NULL);
  fill (kept, 4);
  g_assert_true (ls_sweep_keep (kept, 20, 5, &error));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSweep) sweep = NULL;
      g_autofree char *why = NULL;

      if (take (rows[i].option, rows[i].value, rows[i].vary, rows[i].seconds, rows[i].rounds, &sweep, &why)
          != rows[i].taken)
        g_error ("with %s %s, %u s, %u rounds it is%s taken up", rows[i].option, rows[i].value,
                 rows[i].seconds, rows[i].rounds, rows[i].taken ? "n't" : "");
      g_assert_null (why);
      g_assert_cmpuint (sweep->done, ==, rows[i].taken ? 4 : 0);
      for (guint c = 0; c < sweep->n; c++)
        {
          const LsSweepCell *now = ls_sweep_cell (sweep, c, 0), *other = ls_sweep_cell (sweep, c, 1);

          g_assert_cmpuint (now->rate.n, ==, c < sweep->done ? 7 + c : 0);
          g_assert_null (now->why);
          g_assert_cmpuint (other->rate.n, ==, 0);
          if (c >= sweep->done)
            {
              g_assert_null (other->why);
              continue;
            }
          g_assert_cmpfloat (now->rate.value, ==, 1000 + c);
          g_assert_cmpfloat (now->rate.q1, ==, 900 + c);
          g_assert_cmpfloat (now->rate.q3, ==, 1200 + c);
          g_assert_cmpstr (now->rate.unit, ==, "samples/s");
          g_assert_cmpstr (other->why, ==, ls_sweep_cell (kept, c, 1)->why);
        }
    }
}

/* A file in its place that isn't this sweep's, or of this machine and version, or damaged, is told of, and
 * nothing of it is taken. */
static void
test_damaged (void)
{
  static const char *const vary[] = { "batch=1,2", NULL };
  static const struct {
    const char *from, *to, *words;
  } rows[] = {
    { "lockstep-lab-sweep-kept", "lockstep-lab", " is of another sweep, and isn’t used." },
    { "vary batch=1;2", "vary batch=2;1", " is of another sweep, and isn’t used." },
    { "\"machine_key\": \"", "\"machine_key\": \"x",
      "was measured on another machine or by another version" },
    { "\"Lockstep ", "\"Lockstep 9", "was measured on another machine or by another version" },
    { "\"seconds\": 20", "\"seconds\": 0", "seconds" },
    { "\"rounds\": 5", "\"rounds\": 1001", "rounds" },
    { "\"date\": \"", "\"dated\": \"", "date" },
    { "\"combinations\": [", "\"combinations\": [{}, {}, ", "combinations" },
    { "\"lanes\": [", "\"lanes\": [{}, ", "lanes" },
    { "\"median\": 1001.0", "\"median\": -1", "median" },
    { "\"why\": \"It says:\\n“1”.\"", "\"why\": 7", "why" },
    { "{", "{{", "can’t be read and isn’t used: " },
  };
  g_autofree char *folder = NULL, *path = NULL, *text = NULL;
  g_autoptr (LsSweep) kept = sweep_new ("cpu,reference", vary);
  g_autoptr (GDir) dir = NULL;

  played_begin (NULL, NULL);
  folder = ls_lab_folder (TRUE, NULL);
  fill (kept, 2);
  dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *old = g_build_filename (folder, name, NULL);
      g_remove (old);
    }
  g_assert_true (ls_sweep_keep (kept, 20, 5, NULL));
  g_dir_rewind (dir);
  path = g_build_filename (folder, g_dir_read_name (dir), NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *machine = ls_machine_text (), *said = g_strdup_printf ("\"machine\": \"%s\"", machine);
  if (strstr (text, said) == NULL) /* for who reads the file */
    g_error ("it isn't said on which machine (%s) this was measured: %s", machine, text);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *at = strstr (text, rows[i].from);
      g_autoptr (LsSweep) sweep = NULL;
      g_autofree char *why = NULL, *wrong = NULL;

      g_assert_nonnull (at);
      wrong = g_strdup_printf ("%.*s%s%s", (int) (at - text), text, rows[i].to, at + strlen (rows[i].from));
      g_assert_true (g_file_set_contents (path, wrong, -1, NULL));
      if (take (NULL, NULL, vary, 0, 0, &sweep, &why))
        g_error ("with “%s” for “%s” it is used", rows[i].to, rows[i].from);
      if (why == NULL || !g_str_has_prefix (why, folder) || strstr (why, rows[i].words) == NULL)
        g_error ("with “%s” for “%s” it says “%s”", rows[i].to, rows[i].from, why);
      g_assert_cmpuint (ls_sweep_cell (sweep, 0, 0)->rate.n, ==, 0);
      g_assert_null (ls_sweep_cell (sweep, 0, 1)->why);
    }
}

int
main (int argc, char **argv)
{
  int status;

  if (played_main (argc, argv, &status))
    return status;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep-kept/kept", test_kept);
  g_test_add_func ("/sweep-kept/damaged", test_damaged);
  status = g_test_run ();
  played_end ();
  return status;
}
