/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data by name, the shipped MNIST or a toy set, or from a path by the loader that knows what lies there.
 */
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/datadir.h"
#include "data/prepare.h"
#include "data/toy.h"

const char *const *
ls_data_names (void)
{
  static const char *const *names;

  if (g_once_init_enter (&names))
    {
      guint n;
      const LsToy *toys = ls_toys (&n);
      const char **list = g_new0 (const char *, n + 2);

      list[0] = "mnist";
      for (guint i = 0; i < n; i++)
        list[i + 1] = toys[i].name;
      g_once_init_leave (&names, list);
    }
  return names;
}

char *
ls_data_option_help (const LsOption *option)
{
  g_autofree char *names = g_strjoinv (", ", (char **) ls_data_names ());
  GString *help = g_string_new (_(option->help));

  g_string_replace (help, "%s", names, 0);
  return g_string_free (help, FALSE);
}

gboolean
ls_data_shape (const char *what, gint64 shape[3], gint *n_classes)
{
  guint n;
  const LsToy *toys = ls_toys (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (toys[i].name, what) == 0)
      {
        shape[0] = toys[i].n_features;
        shape[1] = shape[2] = 1;
        *n_classes = toys[i].n_classes;
        return TRUE;
      }
  if (strcmp (what, "mnist") != 0)
    return FALSE;
  shape[0] = 1;
  shape[1] = shape[2] = 28;
  *n_classes = 10;
  return TRUE;
}

static const LsToy *
find_toy (const char *name)
{
  guint n;
  const LsToy *toys = ls_toys (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (toys[i].name, name) == 0)
      return &toys[i];
  return NULL;
}

LsDataRequest
ls_data_request (const LsOptions *options)
{
  return (LsDataRequest){ .what = options->data,
                          .seed = (guint64) options->seed,
                          .test_share = options->test_share,
                          .missing = (LsMissing) options->missing,
                          .label = options->label,
                          .size = options->size };
}

char *
ls_data_key (const LsDataRequest *request)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("%s\n%" G_GUINT64_FORMAT "\n%s\n%d\n%s\n%s", request->what, request->seed,
                          g_ascii_dtostr (share, sizeof share, request->test_share), (int) request->missing,
                          request->label, request->size);
}

static void
refuse_stranger (const LsDataSource *source, GError **error)
{
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    source->entries != NULL
      ? _("The folder “%s” holds no data that is known: a folder of images for each class, CIFAR’s "
           "batches, four IDX files, or NumPy’s x_train.npy and its like.")
      : _("“%s” is no data that is known: a table (CSV or TSV), NumPy’s .npz, or a batch of CIFAR."),
    source->name);
}

static gboolean
load_path (LsData *data, const char *path, const LsDataRequest *request, GError **error)
{
  g_autoptr (LsDataSource) source = ls_data_source_open (path, error);
  const LsDataLoader *loader = source != NULL ? ls_data_loader_find (source) : NULL;

  ls_data_loader_remember (request->what, loader);
  if (source == NULL)
    return FALSE;
  if (loader == NULL)
    {
      refuse_stranger (source, error);
      return FALSE;
    }
  data->format = loader->title;
  return loader->load (source, request, data, error);
}

static LsData *
read_data (const LsDataRequest *request, GError **error)
{
  g_autoptr (LsData) data = g_new0 (LsData, 1);
  const LsToy *toy = find_toy (request->what);
  g_autofree char *path = NULL;
  gboolean shipped = strcmp (request->what, "mnist") == 0, loaded;

  data->ref_count = 1;
  data->key = ls_data_key (request);
  if (toy != NULL)
    {
      data->name = g_strdup (toy->name);
      data->n_classes = toy->n_classes;
      ls_toy_make (toy, request->seed, &data->train, &data->test);
      data->format = N_("made from the seed");
      ls_data_choose_first (data);
      return g_steal_pointer (&data);
    }
  path = shipped ? ls_data_dir_find ("datasets/mnist") : g_strdup (request->what);
  if (path == NULL)
    {
      g_set_error_literal (
        error, LS_ERROR, LS_ERROR_FILE,
        _("The shipped MNIST files aren’t where they were installed; set LOCKSTEP_DATA_DIR to the "
           "folder that holds datasets/mnist."));
      return NULL;
    }
  data->name = shipped ? g_strdup (request->what) : ls_printable (ls_file_display_name (path));
  loaded = load_path (data, path, request, error);
  if (loaded)
    {
      ls_data_choose_first (data);
      loaded = ls_data_fetch_first (data, error);
    }
  ls_data_progress (request, 1);
  if (loaded)
    return g_steal_pointer (&data);
  ls_error_make_printable (error);
  return NULL;
}

/* ---- one thread after the other ----
 *
 * The window may ask for the same data again before they are read: a restart, or a folder dropped twice. They
 * are read once then; and with another seed after each other, for both would make the same cache file. */

typedef struct {
  char *key;    /* of what is being read, or was last */
  LsData *data; /* what came of it; NULL: nothing yet, or an error */
  double done;
  gboolean busy;
  guint n_users; /* threads that read or wait */
} Reading;

typedef struct {
  const LsDataRequest *request;
  Reading *reading;
} Report;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static GHashTable *readings; /* path → Reading */

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->key);
  g_clear_pointer (&reading->data, ls_data_unref);
  g_free (reading);
}

static void
report_cb (double done, gpointer data)
{
  const Report *report = data;

  pthread_mutex_lock (&mutex);
  report->reading->done = done;
  pthread_cond_broadcast (&cond);
  pthread_mutex_unlock (&mutex);
  ls_data_progress (report->request, done);
}

/* Until no other thread reads what lies at that path. */
static void
wait_for (const Reading *reading, const LsDataRequest *request, const char *key)
{
  while (reading->busy)
    {
      const double done = reading->done;
      const gboolean same = strcmp (reading->key, key) == 0;

      pthread_mutex_unlock (&mutex);
      ls_data_progress (request, same ? done : 0);
      pthread_mutex_lock (&mutex);
      if (reading->busy && reading->done <= done)
        pthread_cond_wait (&cond, &mutex);
    }
}

static LsData *
read_alone (Reading *reading, const LsDataRequest *request, const char *key, GError **error)
{
  Report report = { request, reading };
  LsDataRequest reported = *request;
  LsData *data;

  g_free (reading->key);
  g_clear_pointer (&reading->data, ls_data_unref);
  reading->key = g_strdup (key);
  reading->done = 0;
  reading->busy = TRUE;
  pthread_mutex_unlock (&mutex);
  reported.progress = report_cb;
  reported.progress_data = &report;
  data = read_data (&reported, error);
  pthread_mutex_lock (&mutex);
  reading->busy = FALSE;
  reading->data = data != NULL ? ls_data_ref (data) : NULL;
  pthread_cond_broadcast (&cond);
  return data;
}

LsData *
ls_data_load_request (const LsDataRequest *request, GError **error)
{
  g_autofree char *key = ls_data_key (request), *path = g_canonicalize_filename (request->what, NULL);
  Reading *reading;
  LsData *data;

  pthread_mutex_lock (&mutex);
  if (readings == NULL)
    readings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, reading_free);
  reading = g_hash_table_lookup (readings, path);
  if (reading == NULL)
    g_hash_table_insert (readings, g_strdup (path), reading = g_new0 (Reading, 1));
  reading->n_users++;
  wait_for (reading, request, key);
  data = reading->data != NULL && strcmp (reading->key, key) == 0 ? ls_data_ref (reading->data)
                                                                  : read_alone (reading, request, key, error);
  if (--reading->n_users == 0)
    g_hash_table_remove (readings, path);
  pthread_mutex_unlock (&mutex);
  return data;
}

LsData *
ls_data_load (const char *what, guint64 seed, GError **error)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsDataRequest request = ls_data_request (options);

  request.what = what;
  request.seed = seed;
  return ls_data_load_request (&request, error);
}
