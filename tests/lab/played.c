/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See played.h.
 */
#include "config.h"
#include "played.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "rig.h"

#define BOOK    "LOCKSTEP_PLAYED_BOOK"
#define NO      "LOCKSTEP_PLAYED_NO"
#define ENDS    "LOCKSTEP_PLAYED_ENDS"
#define DIVIDES "POCL_MAX_PTHREAD_COUNT"

double
played_us (const char *lane, double amount, guint threads, guint tiles)
{
  if (strcmp (lane, "cpu") == 0)
    return 40 + 2 * amount + 60. / threads + tiles;
  return strcmp (lane, "opencl") == 0 ? 500 + amount : 25 * amount;
}

/* ---- the workers ---- */

typedef struct {
  const char *name;
  double amount; /* of what is prepared */
  guint threads, tiles;
} Played;

static gboolean
is_listed (const char *variable, const char *line)
{
  g_auto (GStrv) lines = g_strsplit (g_getenv (variable) != NULL ? g_getenv (variable) : "", ";", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && g_str_has_prefix (line, lines[i]))
      return TRUE;
  return FALSE;
}

/* FALSE: the answer is no. */
G_GNUC_PRINTF (3, 4)
static gboolean
note (const Played *lane, GError **error, const char *format, ...)
{
  g_autofree char *words = NULL, *line = NULL;
  FILE *book = fopen (g_getenv (BOOK), "a");
  va_list list;

  va_start (list, format);
  words = g_strdup_vprintf (format, list);
  va_end (list);
  line = g_strdup_printf ("%s %s", lane->name, words);
  fprintf (book, "%s\n", line);
  fclose (book);
  if (is_listed (ENDS, line))
    _exit (1);
  if (!is_listed (NO, line))
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, "not %s", words);
  return FALSE;
}

static gpointer
played_open (const char *name, LsOptions *options, char **title, guint *threads, GError **error)
{
  Played *lane = g_new0 (Played, 1);
  const char *divided = strcmp (name, "opencl") == 0 ? g_getenv (DIVIDES) : NULL;
  g_autoptr (GString) asked = g_string_new (NULL); /* what isn't as usual */

  lane->name = name;
  lane->threads = options->threads > 0 && strcmp (name, "cpu") == 0 ? (guint) options->threads
                                                                    : PLAYED_THREADS;
  if (divided != NULL && strcmp (divided, "3") != 0) /* what can't be cut into three isn't */
    lane->threads = (guint) atoi (divided);
  if (options->device != NULL && *options->device != '\0')
    g_string_append_printf (asked, " device %s", options->device);
  if (options->seed != 1)
    g_string_append_printf (asked, " seed %d", (int) options->seed);
  if (!note (lane, error, "open %u%s", lane->threads, asked->str))
    {
      g_free (lane);
      return NULL;
    }
  *threads = lane->threads;
  *title = g_strdup_printf ("a played %s", name);
  return lane;
}

static gboolean
played_prepare (gpointer self, const char *spec, char **how, GError **error)
{
  Played *lane = self;

  lane->amount = g_ascii_strtod (strrchr (spec, '\t') + 1, NULL);
  *how = g_strdup ("by heart");
  return note (lane, error, "prepare %s", spec);
}

static gboolean
played_set (gpointer self, const char *option, const char *value, GError **error)
{
  Played *lane = self;

  if (strcmp (option, "tiles-per-op") == 0)
    lane->tiles = (guint) atoi (value);
  return note (lane, error, "set %s %s", option, value);
}

static void
add_times (const Played *lane, double times, GArray *us)
{
  static const double each[] = { 1, .9, 1.3 };

  for (gsize i = 0; i < G_N_ELEMENTS (each); i++)
    {
      const double one = each[i] * times * played_us (lane->name, lane->amount, lane->threads, lane->tiles);
      g_array_append_val (us, one);
    }
}

static gboolean
played_run (gpointer self, guint threads, double seconds, GArray *times, GError **error)
{
  if (!note (self, error, "run %g", seconds))
    return FALSE;
  add_times (self, 1, times);
  return TRUE;
}

static gboolean
played_record (gpointer self, double seconds, GArray *plain, GArray *recorded, guint *events, GError **error)
{
  const Played *lane = self;

  if (!note (lane, error, "record %g", seconds))
    return FALSE;
  add_times (lane, 1, plain);
  add_times (lane, PLAYED_RECORDED, recorded);
  *events = PLAYED_EVENTS + lane->tiles;
  return TRUE;
}

static char *
played_key (gpointer self)
{
  return g_strdup_printf ("the key of %s", ((const Played *) self)->name);
}

static LsDeviceKind
played_kind (gpointer self)
{
  return strcmp (((const Played *) self)->name, "opencl") != 0 ? LS_DEVICE_CPU
         : g_strcmp0 (g_getenv (PLAYED_GPU), "2") == 0         ? LS_DEVICE_ACCELERATOR
         : g_getenv (PLAYED_GPU) != NULL                       ? LS_DEVICE_GPU
                                                               : LS_DEVICE_OPENCL_CPU;
}

static gboolean
played_bound (gpointer self, double seconds, GArray *shares, GError **error)
{
  static const double each[] = { .2, .3, .25 };

  g_array_append_vals (shares, each, G_N_ELEMENTS (each));
  return note (self, error, "bound %g", seconds);
}

static gboolean
played_learn (gpointer self, guint steps, guint seeds, GArray *right, GError **error)
{
  static const double each[] = { .75, .5, .875 };

  g_array_append_vals (right, each, MIN (seeds, G_N_ELEMENTS (each)));
  return note (self, error, "learn %u %u", steps, seeds);
}

#define ROW(name)                                                                                            \
  {                                                                                                          \
    name, played_open, g_free, played_prepare, played_set, played_run, played_record, played_key,            \
      played_kind, played_bound, played_learn                                                                \
  }

gboolean
played_main (int argc, char **argv, int *status)
{
  static const LsLabWorker rows[] = { ROW ("cpu"), ROW ("opencl"), ROW ("reference") };
  static const LsLabWorker *const workers[] = { &rows[0], &rows[1], &rows[2], NULL };

  if (argc < 2 || strcmp (argv[1], LS_LAB_WORKER_COMMAND) != 0)
    return FALSE;
  *status = ls_lab_worker_main (argc, argv, workers);
  return TRUE;
}

/* ---- the tests' side ---- */

static char *folder;

void
played_begin (const char *no, const char *ends)
{
  g_autofree char *path = NULL;

  if (folder == NULL)
    {
      folder = g_dir_make_tmp ("lockstep-played-XXXXXX", NULL);
      /* GLib reads it once: what is kept of these lanes is kept here */
      g_setenv ("XDG_DATA_HOME", folder, TRUE);
      g_assert_cmpstr (g_get_user_data_dir (), ==, folder);
    }
  path = g_build_filename (folder, "book", NULL);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_setenv (BOOK, path, TRUE);
  g_setenv (NO, no != NULL ? no : "", TRUE);
  g_setenv (ENDS, ends != NULL ? ends : "", TRUE);
}

char *
played_book (void)
{
  char *text;

  g_assert_true (g_file_get_contents (g_getenv (BOOK), &text, NULL, NULL));
  return text;
}

static void
remove_in (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *one = g_build_filename (path, name, NULL);

      remove_in (one);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_remove (path);
}

void
played_end (void)
{
  if (folder != NULL)
    remove_in (folder);
  g_clear_pointer (&folder, g_free);
}

void
played_lanes (LsLabLanes *lanes, const char *list)
{
  g_autoptr (LsOptions) options = rig_options (list);
  g_autoptr (GError) error = NULL;

  *lanes = (LsLabLanes){ .specs = ls_lane_specs_new (options, &error) };
  g_assert_no_error (error);
}

void
played_rate (const char *what, const LsFigure *rate, double amount, double us, guint turns, const char *unit)
{
  g_test_message ("%s: %g %s of %" G_GUINT64_FORMAT, what, rate->value, rate->unit, rate->n);
  g_assert_cmpuint (rate->n, ==, 3 * turns);
  g_assert_cmpstr (rate->unit, ==, unit);
  g_assert_cmpint (rate->evidence, ==, LS_EVIDENCE_MEASURED);
  g_assert_cmpfloat_with_epsilon (rate->value, amount / us * 1e6, 1e-6 * rate->value);
  g_assert_cmpfloat_with_epsilon (rate->q1, amount / ((turns > 1 ? 1.3 : 1.15) * us) * 1e6,
                                  1e-6 * rate->value);
  g_assert_cmpfloat_with_epsilon (rate->q3, amount / ((turns > 1 ? .9 : .95) * us) * 1e6, 1e-6 * rate->value);
}
