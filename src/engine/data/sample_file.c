/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See sample_file.h.
 */
#include "config.h"
#include "data/sample_file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/stored.h"
#include "data/prepare.h"
#include "files/json.h"
#include "files/output.h"

#define MAGIC    "LSSMPL01"
#define FORMAT   "lockstep-samples"
#define TAIL     16 /* bytes: the text's length, MAGIC */
#define MAX_TEXT (16 << 20)

gint64
ls_data_memory (void)
{
  const char *given = g_getenv ("LOCKSTEP_DATA_MEMORY");
  guint64 bytes;

  return given != NULL && g_ascii_string_to_unsigned (given, 10, 1, LS_DATA_MAX_BYTES, &bytes, NULL)
           ? (gint64) bytes
           : LS_DATA_MAX_MEMORY;
}

void
ls_sample_file_init (LsSampleFile *file, const char *id, const char *name)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, id, -1),
                  *base = g_strdup_printf ("%.24s.samples", sum);

  *file = (LsSampleFile){ .fd = -1, .name = g_strdup (name) };
  file->path = g_build_filename (g_get_user_cache_dir (), "lockstep", "data", base, NULL);
}

static char *
part_of (const LsSampleFile *file)
{
  return g_strconcat (file->path, ".part", NULL);
}

void
ls_sample_file_clear (LsSampleFile *file)
{
  if (file->path != NULL && file->writing)
    {
      g_autofree char *part = part_of (file);

      g_unlink (part); /* what isn't whole only takes room */
    }
  if (file->path != NULL && file->fd >= 0)
    close (file->fd);
  file->writing = FALSE;
  file->fd = -1;
  g_clear_pointer (&file->path, g_free);
  g_clear_pointer (&file->name, g_free);
  g_clear_pointer (&file->labels, g_free);
  g_clear_pointer (&file->added, g_array_unref);
}

static gsize
sample_bytes (const LsSampleFile *file)
{
  return (gsize) file->channels * (gsize) file->pixels;
}

/* ---- reading ---- */

/* The text, where length and magic number say that it is there. */
static json_t *
read_text (int fd, gint64 size, gint64 *bytes)
{
  g_autofree char *text = NULL;
  guint8 tail[TAIL];
  guint64 n;

  if (size < TAIL || ls_file_read_at (fd, tail, TAIL, size - TAIL) != TAIL
      || memcmp (tail + 8, MAGIC, 8) != 0)
    return NULL;
  memcpy (&n, tail, 8);
  if (n > MAX_TEXT || (gint64) n > size - TAIL)
    return NULL;
  text = g_malloc (n + 1);
  *bytes = (gint64) n;
  return ls_file_read_at (fd, text, n, size - TAIL - (gint64) n) == (gssize) n
           ? ls_json_parse (text, n, MAX_TEXT, JSON_OBJECT, NULL)
           : NULL;
}

static gboolean
read_facts (LsSampleFile *file, const json_t *text, const char *fingerprint)
{
  const char *format = ls_json_get_string (text, "format", NULL),
             *its = ls_json_get_string (text, "fingerprint", NULL);
  gint64 channels;

  if (g_strcmp0 (format, FORMAT) != 0 || g_strcmp0 (its, fingerprint) != 0
      || !ls_json_get_int (text, "channels", 1, 3, &channels, NULL) || channels == 2
      || !ls_json_get_int (text, "pixels", 1, LS_DATA_MAX_EDGE * LS_DATA_MAX_EDGE, &file->pixels, NULL)
      || !ls_json_get_int (text, "samples", 1, LS_DATA_MAX_SAMPLES, &file->n, NULL)
      || !ls_json_get_int (text, "train", 1, LS_DATA_MAX_SAMPLES, &file->n_train, NULL))
    return FALSE;
  file->channels = (gint) channels;
  return file->n_train <= file->n;
}

json_t *
ls_sample_file_open (LsSampleFile *file, const char *fingerprint)
{
  g_autoptr (json_t) text = NULL;
  gint64 size, bytes, samples;

  if ((file->fd = ls_file_open (file->path, &size, NULL)) < 0)
    return NULL;
  text = read_text (file->fd, size, &bytes);
  if (text != NULL && read_facts (file, text, fingerprint))
    {
      samples = file->n * (gint64) sample_bytes (file);
      file->labels = g_try_new (gint32, (gsize) file->n);
      if (file->labels != NULL && samples + 4 * file->n + bytes + TAIL == size
          && ls_file_read_at (file->fd, file->labels, 4 * (gsize) file->n, samples) == 4 * file->n)
        {
          futimens (file->fd, NULL); /* when it was used last; see remove_old() */
          return g_steal_pointer (&text);
        }
    }
  close (file->fd);
  file->fd = -1;
  g_clear_pointer (&file->labels, g_free);
  return NULL;
}

/* ---- writing ---- */

static gboolean
refuse (const LsSampleFile *file, int code, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file->path), *shown = g_filename_display_name (folder);

  g_set_error (
    error, LS_ERROR, LS_ERROR_FILE,
    _("The images of “%s” don’t fit into memory, and the cache file for them can’t be written in “%s”: "
       "%s; make room there, or choose a smaller --size."),
    file->name, shown, g_strerror (code));
  return FALSE;
}

static gboolean
write_at (LsSampleFile *file, gconstpointer bytes, gsize n, gint64 at, GError **error)
{
  gsize done = 0;

  while (done < n)
    {
      const gssize w = pwrite (file->fd, (const guint8 *) bytes + done, n - done, at + (gint64) done);

      if (w < 0 && errno == EINTR)
        continue;
      if (w <= 0)
        return refuse (file, w < 0 ? errno : EIO, error);
      done += (gsize) w;
    }
  return TRUE;
}

gboolean
ls_sample_file_begin (LsSampleFile *file, gint channels, gint64 pixels, GError **error)
{
  g_autofree char *part = part_of (file), *folder = g_path_get_dirname (file->path);

  g_mkdir_with_parents (folder, 0700);
  file->fd = ls_file_lock (part);
  if (file->fd < 0 && errno == EWOULDBLOCK)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                   _("Another Lockstep is just making the cache file of “%s”; try again once it is done."),
                   file->name);
      return FALSE;
    }
  if (file->fd < 0 || ftruncate (file->fd, 0) != 0)
    return refuse (file, errno, error);
  file->writing = TRUE;
  file->channels = channels;
  file->pixels = pixels;
  file->added = g_array_new (FALSE, FALSE, sizeof (gint32));
  return TRUE;
}

gboolean
ls_sample_file_may (const LsSampleFile *file, gint64 n, gint64 bytes, GError **error)
{
  if (n > LS_DATA_MAX_SAMPLES)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” has %lld samples, and at most %d are read."),
                 file->name, (long long) n, LS_DATA_MAX_SAMPLES);
  else if (n > LS_DATA_MAX_CACHE / bytes)
    g_set_error (
      error, LS_ERROR, LS_ERROR_DATA,
      _("“%s” would need a cache file of more than 16 GiB, which isn’t made; use fewer or smaller "
         "images."),
      file->name);
  else
    return TRUE;
  return FALSE;
}

gboolean
ls_sample_file_add (LsSampleFile *file, const guint8 *planes, gint32 label, GError **error)
{
  const gsize bytes = sample_bytes (file);

  if (!ls_sample_file_may (file, file->n + 1, (gint64) bytes, error))
    return FALSE;
  if (!write_at (file, planes, bytes, file->n * (gint64) bytes, error))
    return FALSE;
  g_array_append_val (file->added, label);
  file->n++;
  return TRUE;
}

/* From the last one on, so that none is written over before it is read. */
gboolean
ls_sample_file_widen (LsSampleFile *file, GError **error)
{
  const gsize bytes = (gsize) file->pixels;
  g_autofree guint8 *plane = g_malloc (bytes);

  for (gint64 i = file->n - 1; i >= 0; i--)
    {
      if (ls_file_read_at (file->fd, plane, bytes, i * (gint64) bytes) != (gssize) bytes)
        return refuse (file, EIO, error);
      for (gint64 c = 0; c < 3; c++)
        if (!write_at (file, plane, bytes, (3 * i + c) * (gint64) bytes, error))
          return FALSE;
    }
  file->channels = 3;
  return TRUE;
}

typedef struct {
  char *path;
  gint64 bytes, used_us;
} Cached;

static void
cached_clear (gpointer data)
{
  g_free (((Cached *) data)->path);
}

static gint
compare_used (gconstpointer a, gconstpointer b)
{
  const gint64 x = ((const Cached *) a)->used_us, y = ((const Cached *) b)->used_us;

  return x > y ? -1 : x < y;
}

/* Beside that one: those that were used longest ago, where all are too much, and what programs that were
 * killed have left. One that is being read goes once that ends. */
static void
remove_old (const LsSampleFile *file)
{
  g_autofree char *folder = g_path_get_dirname (file->path);
  g_autoptr (GPtrArray) names = ls_data_list_folder (folder, LS_DATA_MAX_FILES, NULL);
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (Cached));
  struct stat info;
  gint64 sum = fstat (file->fd, &info) == 0 ? info.st_size : 0;

  g_array_set_clear_func (others, cached_clear);
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      gint lock;

      if (g_str_has_suffix (path, ".part") && (lock = ls_file_lock (path)) >= 0)
        {
          g_unlink (path);
          close (lock);
        }
      else if (g_str_has_suffix (path, ".samples") && strcmp (path, file->path) != 0
               && stat (path, &info) == 0)
        {
          const Cached other = { g_steal_pointer (&path), info.st_size,
                                 info.st_mtim.tv_sec * G_USEC_PER_SEC + info.st_mtim.tv_nsec / 1000 };
          g_array_append_val (others, other);
        }
    }
  g_array_sort (others, compare_used);
  for (guint i = 0; i < others->len; i++)
    if ((sum += g_array_index (others, Cached, i).bytes) > LS_DATA_MAX_CACHES)
      g_unlink (g_array_index (others, Cached, i).path);
}

gboolean
ls_sample_file_end (LsSampleFile *file, json_t *text, const char *fingerprint, GError **error)
{
  g_autoptr (json_t) owned = text;
  g_autofree char *part = part_of (file);
  const gint64 at = file->n * (gint64) sample_bytes (file), labels = 4 * file->n;
  guint8 tail[TAIL];
  guint64 length;
  char *line;
  gboolean ok;

  ls_json_text (owned, "format", FORMAT);
  ls_json_text (owned, "fingerprint", fingerprint);
  ls_json_whole (owned, "channels", file->channels);
  ls_json_whole (owned, "pixels", file->pixels);
  ls_json_whole (owned, "samples", file->n);
  ls_json_whole (owned, "train", file->n_train);
  line = json_dumps (owned, JSON_COMPACT);
  length = strlen (line);
  memcpy (tail, &length, 8);
  memcpy (tail + 8, MAGIC, 8);
  ok = write_at (file, file->added->data, (gsize) labels, at, error)
       && write_at (file, line, length, at + labels, error)
       && write_at (file, tail, TAIL, at + labels + (gint64) length, error);
  free (line);
  if (!ok)
    return FALSE;
  if (fsync (file->fd) != 0 || g_rename (part, file->path) != 0)
    return refuse (file, errno, error);
  file->writing = FALSE;
  remove_old (file);
  file->labels = g_memdup2 (file->added->data, (gsize) labels);
  return TRUE;
}

/* ---- as data ---- */

static gboolean
take_test (LsSampleFile *file, LsDataset *test, LsStored *stored, GError **error)
{
  if (file->n == file->n_train)
    {
      test->n = 0;
      return TRUE;
    }
  if (!ls_data_make_room (test, file->n - file->n_train, file->name, error))
    return FALSE;
  for (gint64 i = 0; i < test->n; i++)
    if (!ls_stored_read (stored, file->n_train + i, ls_dataset_sample (test, i), error))
      return FALSE;
  memcpy (test->labels, file->labels + file->n_train, (gsize) test->n * sizeof *test->labels);
  return TRUE;
}

gboolean
ls_sample_file_take (LsSampleFile *file, gint64 height, gint64 width, LsData *data, GError **error)
{
  LsDataset *train = &data->train;

  *train = (LsDataset){ .shape = { file->channels, height, width }, .type = LS_SAMPLE_U8 };
  train->sample_size = file->channels * file->pixels;
  data->test = *train;
  train->n = file->n_train;
  train->stored = ls_stored_new (file->fd, 0, sample_bytes (file), file->name);
  file->fd = -1;
  train->labels = g_memdup2 (file->labels, (gsize) train->n * sizeof *train->labels);
  return take_test (file, &data->test, train->stored, error);
}
