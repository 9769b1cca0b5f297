/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what a user has made of the kernels, and copying them out: see kernel_files.h.
 */
#include "config.h"
#include "backends/kernel_files.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"
#include "kernels_cl/kernel-resources.h"

#define SETTLE_US (200 * 1000) /* editors save in several steps: what hasn't changed for so long is whole */
#define SETTLES   25           /* a file that never comes to rest is read at some time */

#define RESOURCES    "/io/github/lockstep_lab/Lockstep/kernels_cl/"
#define OWN_FOLDER   "lockstep-kernels"
#define NOT_EDITABLE "canary.cl"
#define MAX_BYTES    (1u << 20)

char *
ls_kernel_files_own (const char *name)
{
  g_autofree char *path = g_strconcat (RESOURCES, name, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (ls_kernels_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize size;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  return data != NULL ? g_strndup (data, size) : NULL;
}

char **
ls_kernel_files_names (void)
{
  g_auto (GStrv) all = g_resource_enumerate_children (ls_kernels_get_resource (), RESOURCES,
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  char **list;

  for (guint i = 0; all != NULL && all[i] != NULL; i++)
    if (strcmp (all[i], NOT_EDITABLE) != 0)
      g_strv_builder_add (names, all[i]);
  list = g_strv_builder_end (names);
  qsort (list, g_strv_length (list), sizeof *list, ls_compare_texts);
  return list;
}

/* ---- reading ---- */

char *
ls_kernel_files_load (const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) cause = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GStatBuf about;
  gsize length = 0;
  const char *text;

  if (g_stat (path, &about) != 0 && errno == ENOENT)
    return NULL;
  bytes = ls_file_read (path, MAX_BYTES, &cause);
  text = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  if (bytes == NULL && !g_error_matches (cause, LS_ERROR, LS_ERROR_DATA))
    g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("the kernel “%s” can't be read: %s"), path,
                 cause->message);
  else if (bytes == NULL || (length > 0 && memchr (text, '\0', length) != NULL))
    g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("the kernel “%s” is no text of at most 1 MiB"), path);
  else /* comments may be in another encoding; recordings hold UTF-8 */
    return length > 0 ? g_utf8_make_valid (text, (gssize) length) : g_strdup ("");
  ls_error_make_printable (error);
  return NULL;
}

LsKernelFiles *
ls_kernel_files_new (void)
{
  LsKernelFiles *self = g_new0 (LsKernelFiles, 1);

  self->ref_count = 1;
  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->names = g_strdup ("");
  return self;
}

void
ls_kernel_files_name (LsKernelFiles *self)
{
  g_autofree char **names = (char **) g_hash_table_get_keys_as_array (self->texts, NULL);

  qsort (names, g_hash_table_size (self->texts), sizeof *names, ls_compare_texts);
  g_free (self->names);
  self->names = g_strjoinv (", ", names);
}

LsKernelFiles *
ls_kernel_files_read (const char *folder, GError **error)
{
  g_autoptr (LsKernelFiles) self = ls_kernel_files_new ();
  g_auto (GStrv) names = ls_kernel_files_names ();

  self->folder = g_strdup (folder);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("the folder “%s” with the edited kernels isn’t there"),
                   folder);
      ls_error_make_printable (error);
      return NULL;
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) cause = NULL;
      g_autofree char *own = ls_kernel_files_own (names[i]),
                      *text = ls_kernel_files_load (folder, names[i], &cause);

      if (cause != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return NULL;
        }
      if (text != NULL && strcmp (text, own) != 0)
        g_hash_table_insert (self->texts, g_strdup (names[i]), g_steal_pointer (&text));
    }
  ls_kernel_files_name (self);
  return g_steal_pointer (&self);
}

LsKernelFiles *
ls_kernel_files_of_environment (GError **error)
{
  const char *folder = g_getenv ("LOCKSTEP_KERNEL_DIR");

  return folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR) ? ls_kernel_files_read (folder, error)
                                                                    : ls_kernel_files_new ();
}

LsKernelFiles *
ls_kernel_files_ref (LsKernelFiles *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
ls_kernel_files_unref (LsKernelFiles *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_hash_table_unref (self->texts);
  g_free (self->folder);
  g_free (self->names);
  g_free (self);
}

gboolean
ls_kernel_files_any (const LsKernelFiles *self)
{
  return self != NULL && *self->names != '\0';
}

gboolean
ls_kernel_files_equal (const LsKernelFiles *a, const LsKernelFiles *b)
{
  GHashTableIter iter;
  gpointer name, text;

  if (!ls_kernel_files_any (a) || !ls_kernel_files_any (b))
    return ls_kernel_files_any (a) == ls_kernel_files_any (b);
  if (strcmp (a->names, b->names) != 0)
    return FALSE;
  g_hash_table_iter_init (&iter, a->texts);
  while (g_hash_table_iter_next (&iter, &name, &text))
    if (g_strcmp0 (text, g_hash_table_lookup (b->texts, name)) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_ours_cb (gpointer key, gpointer value, gpointer data)
{
  return strcmp (key, LS_FACT_EDITED) == 0 || g_str_has_prefix (key, LS_FACT_KERNEL);
}

void
ls_kernel_files_tell (const LsKernelFiles *self, LsDeviceInfo *info)
{
  GHashTableIter iter;
  gpointer name, text;

  g_hash_table_foreach_remove (info->facts, is_ours_cb, NULL);
  if (!ls_kernel_files_any (self))
    return;
  g_hash_table_insert (info->facts, g_strdup (LS_FACT_EDITED), g_strdup (self->names));
  g_hash_table_iter_init (&iter, self->texts);
  while (g_hash_table_iter_next (&iter, &name, &text))
    g_hash_table_insert (info->facts, g_strconcat (LS_FACT_KERNEL, name, NULL), g_strdup (text));
}

/* ---- a folder for them ---- */

static gboolean
is_empty (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) == NULL;
}

char *
ls_kernel_files_place (const char *chosen)
{
  g_auto (GStrv) names = ls_kernel_files_names ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (chosen, names[i], NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_strdup (chosen);
    }
  return is_empty (chosen) ? g_strdup (chosen) : g_build_filename (chosen, OWN_FOLDER, NULL);
}

gboolean
ls_kernel_files_write (const char *folder, GError **error)
{
  g_auto (GStrv) names = ls_kernel_files_names ();

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("the folder “%s” can’t be made: %s"), folder,
                   g_strerror (errno));
      ls_error_make_printable (error);
      return FALSE;
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL),
                      *text = ls_kernel_files_own (names[i]);
      g_autoptr (GError) cause = NULL;

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &cause))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("the kernel “%s” can’t be written: %s"), path,
                       cause->message);
          ls_error_make_printable (error);
          return FALSE;
        }
    }
  return TRUE;
}

static void
mix (guint64 *stamp, guint64 value)
{
  *stamp = (*stamp ^ value) * 0x100000001b3u; /* FNV-1a, by words */
}

guint64
ls_kernel_files_stamp (const char *folder)
{
  g_auto (GStrv) names = ls_kernel_files_names ();
  guint64 stamp = 0xcbf29ce484222325u;

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return 0;
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      struct stat about;

      if (stat (path, &about) != 0)
        continue;
      mix (&stamp, i + 1);
      mix (&stamp, (guint64) about.st_size);
      mix (&stamp, (guint64) about.st_ino);
      mix (&stamp, (guint64) about.st_mode);
      mix (&stamp, (guint64) about.st_mtim.tv_sec);
      mix (&stamp, (guint64) about.st_mtim.tv_nsec);
    }
  return MAX (stamp, 1);
}

char *
ls_kernel_error_line (const char *message)
{
  g_auto (GStrv) lines = g_strsplit (message, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "error:") != NULL)
      return g_strdup (g_strstrip (lines[i]));
  return g_strdup (lines[0] != NULL ? g_strstrip (lines[0]) : "");
}

LsKernelFiles *
ls_kernel_files_read_changed (const char *folder, guint64 *known, GError **error)
{
  guint64 stamp = ls_kernel_files_stamp (folder), before = *known;

  if (stamp == before)
    return NULL;
  for (guint i = 0; i < SETTLES && stamp != before; i++)
    {
      g_usleep (SETTLE_US);
      before = stamp;
      stamp = ls_kernel_files_stamp (folder);
    }
  *known = stamp;
  return ls_kernel_files_read (folder, error);
}
