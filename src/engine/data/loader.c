/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table, and how a path is looked at: a folder by its names, a file by its first bytes.
 */
#include "config.h"
#include "data/loader.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "files/input.h"

#define ROW(name) &ls_loader_##name,
static const LsDataLoader *const loaders[] = { LS_DATA_LOADERS (ROW) };

GPtrArray *
ls_data_list_folder (const char *folder, guint max, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *entry;

  if (dir == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The data folder can’t be opened: %s."),
                   local->message);
      return NULL;
    }
  while ((entry = g_dir_read_name (dir)) != NULL)
    {
      if (*entry == '.')
        continue;
      if (entries->len >= max)
        {
          g_autofree char *name = ls_file_display_name (folder);

          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("The folder “%s” has more than %u entries, which aren’t all read; share them out."),
                       name, max);
          return NULL;
        }
      g_ptr_array_add (entries, g_strdup (entry));
    }
  g_ptr_array_sort (entries, ls_compare_texts);
  return g_steal_pointer (&entries);
}

static gboolean
read_head (LsDataSource *source, GError **error)
{
  g_autoptr (LsInput) input = ls_input_open (source->path, error);
  GStatBuf about;
  gssize got;

  if (input == NULL)
    return FALSE;
  source->head = g_malloc (LS_SOURCE_HEAD);
  got = ls_input_read (input, source->head, LS_SOURCE_HEAD, error);
  if (got < 0)
    return FALSE;
  source->head_bytes = (gsize) got;
  source->file_bytes = g_stat (source->path, &about) == 0 ? about.st_size : 0;
  return TRUE;
}

LsDataSource *
ls_data_source_open (const char *path, GError **error)
{
  g_autoptr (LsDataSource) source = g_new0 (LsDataSource, 1);

  source->path = g_strdup (path);
  source->name = ls_file_display_name (path);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      source->entries = ls_data_list_folder (path, LS_DATA_MAX_FILES, error);
      return source->entries != NULL ? g_steal_pointer (&source) : NULL;
    }
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_autofree char *shown = g_filename_display_name (path);
      g_autofree char *known = g_strjoinv (", ", (char **) ls_data_names ());

      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("There is no data set, no file and no folder “%s”; the data sets are %s."), shown,
                   known);
      return NULL;
    }
  return read_head (source, error) ? g_steal_pointer (&source) : NULL;
}

void
ls_data_source_free (LsDataSource *source)
{
  g_free (source->path);
  g_free (source->name);
  g_free (source->head);
  g_clear_pointer (&source->entries, g_ptr_array_unref);
  g_free (source);
}

const LsDataLoader *
ls_data_loader_find (const LsDataSource *source)
{
  for (gsize i = 0; i < G_N_ELEMENTS (loaders); i++)
    if (loaders[i]->recognises (source))
      return loaders[i];
  return NULL;
}

/* Path → loader, of all that were looked at: the window asks for a path's defaults with every picture, and
 * must never wait for a disk. */
static GMutex mutex;
static GHashTable *known;

void
ls_data_loader_remember (const char *path, const LsDataLoader *loader)
{
  g_mutex_lock (&mutex);
  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_insert (known, g_strdup (path), (gpointer) loader);
  g_mutex_unlock (&mutex);
}

const LsDataLoader *
ls_data_loader_of (const char *path)
{
  const LsDataLoader *loader;

  g_mutex_lock (&mutex);
  loader = known != NULL ? g_hash_table_lookup (known, path) : NULL;
  g_mutex_unlock (&mutex);
  return loader;
}

gboolean
ls_data_look (const char *what)
{
  g_autoptr (LsDataSource) source = NULL;
  const LsDataLoader *loader = NULL;

  if (g_strv_contains (ls_data_names (), what))
    return TRUE;
  if ((source = ls_data_source_open (what, NULL)) != NULL)
    loader = ls_data_loader_find (source);
  ls_data_loader_remember (what, loader);
  return loader != NULL;
}

void
ls_data_progress (const LsDataRequest *request, double done)
{
  if (request->progress != NULL)
    request->progress (done, request->progress_data);
}
