/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See keeper.h.
 */
#include "config.h"
#include "ui/app/session/keeper.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/rc_box.h"
#include "files/output.h"
#include "files/weights.h"

#define LOCK_NAME "lock"
#define END_WAIT  G_USEC_PER_SEC
#define TRIES     32 /* other windows may be making one, too */

/* A folder of runs that this program holds. */
typedef struct {
  char *path; /* NULL: none */
  int lock;
} Place;

struct _LsKeeper {
  pthread_mutex_t mutex; /* of whoever is at the files */
  gint ended;            /* atomic */
  Place own, found;
  guint64 serial;             /* names of files: of what was kept last, */
  guint64 weights, recording; /* and of which the two are; 0: none */
  LsRecording *recorded;      /* what that recording's file holds */
};

static char *
runs_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "lockstep", "runs", NULL);
}

/* FALSE: another program holds it, or it can't be held. */
static gboolean
hold (Place *place, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, LOCK_NAME, NULL);
  const int lock = ls_file_lock (path);

  if (lock < 0)
    return FALSE;
  *place = (Place){ .path = g_strdup (folder), .lock = lock };
  return TRUE;
}

/* The folder is still there, with the lock that is held. */
static gboolean
is_there (const Place *place)
{
  g_autofree char *path = place->path != NULL ? g_build_filename (place->path, LOCK_NAME, NULL) : NULL;
  GStatBuf there, own;

  return path != NULL && g_stat (path, &there) == 0 && fstat (place->lock, &own) == 0
         && there.st_ino == own.st_ino && there.st_dev == own.st_dev;
}

static void
let_go (Place *place)
{
  if (place->path != NULL)
    close (place->lock);
  g_clear_pointer (&place->path, g_free);
}

/* With all that is in it, what was half written, too; first what says that there is a run, last the lock. */
static void
remove_place (Place *place)
{
  g_autofree char *run = NULL, *lock = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!is_there (place))
    {
      let_go (place);
      return;
    }
  run = g_build_filename (place->path, LS_KEPT_RUN_NAME, NULL);
  lock = g_build_filename (place->path, LOCK_NAME, NULL);
  g_unlink (run);
  dir = g_dir_open (place->path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strcmp (name, LOCK_NAME) != 0)
      {
        g_autofree char *path = g_build_filename (place->path, name, NULL);
        g_unlink (path);
      }
  g_unlink (lock);
  g_rmdir (place->path);
  let_go (place);
}

static gint
later_first (gconstpointer a, gconstpointer b)
{
  const guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x > y ? -1 : x < y;
}

/* The numbers of all folders there, the newest first. */
static GArray *
list_runs (const char *runs)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GDir) dir = g_dir_open (runs, 0, NULL);
  const char *name;
  guint64 number;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT64, &number, NULL))
      g_array_append_val (numbers, number);
  g_array_sort (numbers, later_first);
  return numbers;
}

static char *
run_folder (const char *runs, guint64 number)
{
  g_autofree char *name = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  return g_build_filename (runs, name, NULL);
}

/* One behind all that there are. */
static gboolean
make_own (LsKeeper *self, GError **error)
{
  g_autofree char *runs = runs_folder (), *shown = g_filename_display_name (runs);
  g_autoptr (GArray) numbers = NULL;
  int code = g_mkdir_with_parents (runs, 0700) == 0 ? 0 : errno;
  guint64 number;

  let_go (&self->own);
  self->weights = self->recording = 0;
  g_clear_pointer (&self->recorded, ls_recording_unref);
  numbers = list_runs (runs);
  number = numbers->len > 0 ? g_array_index (numbers, guint64, 0) : 0;
  for (guint i = 0; i < TRIES && (code == 0 || code == EEXIST || code == EWOULDBLOCK); i++)
    {
      g_autofree char *folder = run_folder (runs, ++number);

      code = g_mkdir (folder, 0700) == 0 ? 0 : errno;
      if (code == 0 && hold (&self->own, folder))
        return TRUE;
      if (code == 0)
        {
          code = errno;
          g_rmdir (folder);
        }
    }
  g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder %s can’t be made: %s."), shown,
               g_strerror (code));
  return FALSE;
}

/* ---- the keeper ---- */

LsKeeper *
ls_keeper_new (void)
{
  LsKeeper *self = g_atomic_rc_box_new0 (LsKeeper);

  pthread_mutex_init (&self->mutex, NULL);
  return self;
}

static void
keeper_clear (gpointer data)
{
  LsKeeper *self = data;

  let_go (&self->own);
  let_go (&self->found);
  g_clear_pointer (&self->recorded, ls_recording_unref);
  pthread_mutex_destroy (&self->mutex);
}

LS_RC_BOX (LsKeeper, ls_keeper, keeper_clear)

static void
remove_file (char *path)
{
  g_unlink (path);
  g_free (path);
}

/* What run.json doesn't name. */
static void
remove_unnamed (const LsKeeper *self, guint64 weights, guint64 recording)
{
  if (weights != 0 && weights != self->weights)
    remove_file (ls_kept_run_weights (self->own.path, weights));
  if (recording != 0 && recording != self->recording)
    remove_file (ls_kept_run_recording (self->own.path, recording));
}

static gboolean
write_all (LsKeeper *self, const LsOptions *options, const LsPlan *plan, guint64 step,
           const float *const *weights, LsRecording *recording, guint64 as, GError **error)
{
  const char *folder = self->own.path;
  const gboolean again = recording != NULL && recording != self->recorded;
  const guint64 of_recording = recording == NULL ? 0 : again ? as : self->recording;
  g_autofree char *of_weights = ls_kept_run_weights (folder, as),
                  *of_step = ls_kept_run_recording (folder, as),
                  *run = g_build_filename (folder, LS_KEPT_RUN_NAME, NULL),
                  *text = ls_kept_run_describe (options, plan, step, as, of_recording);

  if (!ls_weights_save (of_weights, plan, weights, LS_PRECISION_FP32, error)
      || (again && !ls_recording_save (recording, of_step, error)) || g_atomic_int_get (&self->ended)
      || !ls_file_save (run, text, strlen (text), error))
    return FALSE;
  const guint64 old_weights = self->weights, old_recording = self->recording;
  self->weights = as;
  self->recording = of_recording;
  if (recording != NULL)
    ls_recording_ref (recording);
  g_clear_pointer (&self->recorded, ls_recording_unref);
  self->recorded = recording;
  remove_unnamed (self, old_weights, old_recording);
  return TRUE;
}

gboolean
ls_keeper_save (LsKeeper *self, const LsOptions *options, const LsPlan *plan, guint64 step,
                const float *const *weights, LsRecording *recording, GError **error)
{
  gboolean saved = FALSE;

  pthread_mutex_lock (&self->mutex);
  if (!g_atomic_int_get (&self->ended) && (is_there (&self->own) || make_own (self, error)))
    {
      const guint64 as = ++self->serial;
      saved = write_all (self, options, plan, step, weights, recording, as, error);
      if (!saved)
        remove_unnamed (self, as, as);
    }
  if (g_atomic_int_get (&self->ended))
    {
      remove_place (&self->own);
      g_clear_error (error);
      saved = TRUE; /* nobody wants it any more */
    }
  pthread_mutex_unlock (&self->mutex);
  return saved;
}

LsKeptRun *
ls_keeper_find (LsKeeper *self, char **why)
{
  g_autofree char *runs = runs_folder ();
  g_autoptr (GArray) numbers = NULL;
  LsKeptRun *found = NULL;

  *why = NULL;
  pthread_mutex_lock (&self->mutex);
  numbers = g_atomic_int_get (&self->ended) ? g_array_new (FALSE, FALSE, sizeof (guint64)) : list_runs (runs);
  for (guint i = 0; i < numbers->len; i++)
    {
      g_autofree char *folder = run_folder (runs, g_array_index (numbers, guint64, i)),
                      *run = g_build_filename (folder, LS_KEPT_RUN_NAME, NULL);
      g_autoptr (GError) error = NULL;
      Place place = { 0 };

      if (!hold (&place, folder))
        continue;
      if (found == NULL && g_file_test (run, G_FILE_TEST_EXISTS))
        found = ls_kept_run_load (folder, &error);
      if (found != NULL && self->found.path == NULL)
        {
          self->found = place;
          continue;
        }
      remove_place (&place);
      if (error != NULL && *why == NULL)
        {
          g_autofree char *sentence = ls_sentence (error->message);
          *why = g_strdup_printf (
            _("The run that a crash has broken off can’t go on, and what was kept of it is removed: %s"),
            sentence);
        }
    }
  pthread_mutex_unlock (&self->mutex);
  return found;
}

void
ls_keeper_end (LsKeeper *self, gboolean decided)
{
  const gint64 until_us = g_get_monotonic_time () + END_WAIT;
  gboolean mine;

  g_atomic_int_set (&self->ended, TRUE);
  while (!(mine = pthread_mutex_trylock (&self->mutex) == 0) && g_get_monotonic_time () < until_us)
    g_usleep (1000);
  if (!mine) /* a disk that doesn't answer: whoever waits for it removes it afterwards */
    return;
  remove_place (&self->own);
  if (decided)
    remove_place (&self->found);
  else
    let_go (&self->found);
  pthread_mutex_unlock (&self->mutex);
}
