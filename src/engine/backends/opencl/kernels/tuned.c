/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's file: see tuned.h. What an entry looks like as JSON is in tuned_json.c.
 */
#include "config.h"
#include "backends/opencl/kernels/tuned.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "files/output.h"

#define FORMAT      "lockstep-tuned"
#define VERSION     1
#define MAX_BYTES   (16u << 20)
#define MAX_ENTRIES 4096 /* beyond that the oldest are forgotten */

static atomic_uint generation;

LsTuned *
ls_tuned_new (void)
{
  LsTuned *tuned = g_new0 (LsTuned, 1);
  tuned->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  return tuned;
}

void
ls_tuned_free (LsTuned *tuned)
{
  if (tuned == NULL)
    return;
  g_ptr_array_unref (tuned->entries);
  g_free (tuned);
}

guint
ls_tuned_generation (void)
{
  return atomic_load (&generation);
}

void
ls_tuned_changed (void)
{
  atomic_fetch_add (&generation, 1);
}

char *
ls_tuned_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "lockstep", "tuned.json", NULL);
}

/* ---- the file ---- */

static gboolean
read_entries (LsTuned *tuned, const char *text, gsize length, GError **error)
{
  g_autoptr (json_t) root = ls_json_parse (text, length, MAX_BYTES, JSON_OBJECT, error);
  const json_t *entries;
  const char *format;
  gint64 version;

  if (root == NULL || (format = ls_json_get_string (root, "format", error)) == NULL
      || !ls_json_get_int (root, "version", 1, G_MAXINT32, &version, error))
    return FALSE;
  if (strcmp (format, FORMAT) != 0 || version != VERSION)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("it is “%s”, version %d, and not “%s”, version %d"),
                   format, (int) version, FORMAT, VERSION);
      return FALSE;
    }
  entries = ls_json_get_array (root, "entries", 0, MAX_ENTRIES, error);
  for (guint i = 0; i < json_array_size (entries); i++)
    {
      LsTunedEntry *entry = ls_tuned_entry_from_json (json_array_get (entries, i), error);
      if (entry == NULL)
        return FALSE;
      g_ptr_array_add (tuned->entries, entry);
    }
  return entries != NULL;
}

LsTuned *
ls_tuned_load (const char *path, GError **error)
{
  g_autoptr (LsTuned) tuned = ls_tuned_new ();
  g_autoptr (GError) cause = NULL;
  g_autofree char *shown = g_filename_display_name (path);
  g_autoptr (GBytes) bytes = NULL;
  gconstpointer text;
  gsize length = 0;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&tuned);
  bytes = ls_file_read (path, MAX_BYTES, &cause);
  text = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  if (bytes == NULL || !read_entries (tuned, text, length, &cause))
    {
      g_set_error (error, LS_ERROR,
                   bytes != NULL || g_error_matches (cause, LS_ERROR, LS_ERROR_DATA) ? LS_ERROR_DATA
                                                                                     : LS_ERROR_FILE,
                   _("the tuned parameters in “%s” aren’t used (“lockstep tune --forget” removes them): %s"),
                   shown, cause->message);
      ls_error_make_printable (error);
      return NULL;
    }
  return g_steal_pointer (&tuned);
}

gboolean
ls_tuned_save (const LsTuned *tuned, const char *path, GError **error)
{
  g_autoptr (json_t) root = json_object ();
  g_autofree char *text = NULL, *folder = g_path_get_dirname (path);
  json_t *entries;

  ls_json_text (root, "format", FORMAT);
  ls_json_whole (root, "version", VERSION);
  entries = ls_json_array (root, "entries");
  for (guint i = 0; i < tuned->entries->len; i++)
    ls_json_put (entries, NULL, ls_tuned_entry_to_json (tuned->entries->pdata[i]));
  text = json_dumps (root, JSON_INDENT (2));
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      int code = errno;
      g_autofree char *shown = g_filename_display_name (folder);
      g_set_error (error, LS_ERROR, LS_ERROR_FILE,
                   _("the folder “%s” for the tuned parameters can’t be made: %s"), shown,
                   g_strerror (code));
      return FALSE;
    }
  return ls_file_save (path, text, strlen (text), error);
}

/* ---- entries ---- */

static gboolean
same_place (const LsTunedEntry *a, const LsTunedEntry *b)
{
  return strcmp (a->platform, b->platform) == 0 && strcmp (a->device, b->device) == 0
         && strcmp (a->driver, b->driver) == 0 && strcmp (a->op, b->op) == 0
         && strcmp (a->shape, b->shape) == 0;
}

const LsTunedEntry *
ls_tuned_find (const LsTuned *tuned, const LsTunedEntry *key)
{
  for (guint i = 0; i < tuned->entries->len; i++)
    {
      const LsTunedEntry *entry = tuned->entries->pdata[i];
      if (same_place (entry, key) && (key->source == NULL || strcmp (entry->source, key->source) == 0))
        return entry;
    }
  return NULL;
}

/* Takes the entry; replaces the one for the same op and shape on the same platform, device and driver. */
static void
put (LsTuned *tuned, LsTunedEntry *entry)
{
  for (guint i = tuned->entries->len; i-- > 0;)
    if (same_place (tuned->entries->pdata[i], entry))
      g_ptr_array_remove_index (tuned->entries, i);
  g_ptr_array_add (tuned->entries, entry);
}

gboolean
ls_tuned_keep (const GPtrArray *entries, GError **error)
{
  g_autofree char *path = ls_tuned_path ();
  g_autoptr (LsTuned) tuned = ls_tuned_load (path, NULL);

  if (tuned == NULL)
    tuned = ls_tuned_new ();
  for (guint i = 0; i < entries->len; i++)
    put (tuned, ls_tuned_entry_copy (entries->pdata[i]));
  if (tuned->entries->len > MAX_ENTRIES)
    g_ptr_array_remove_range (tuned->entries, 0, tuned->entries->len - MAX_ENTRIES);
  if (!ls_tuned_save (tuned, path, error))
    return FALSE;
  ls_tuned_changed ();
  return TRUE;
}

gboolean
ls_tuned_forget (guint *n, GError **error)
{
  g_autofree char *path = ls_tuned_path ();
  g_autoptr (LsTuned) tuned = ls_tuned_load (path, NULL);

  *n = tuned ? tuned->entries->len : 0;
  if (g_remove (path) != 0 && errno != ENOENT)
    {
      int code = errno;
      g_autofree char *shown = g_filename_display_name (path);
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("the tuned parameters in “%s” can’t be removed: %s"),
                   shown, g_strerror (code));
      return FALSE;
    }
  ls_tuned_changed ();
  return TRUE;
}

/* ---- shapes ---- */

static gint64
nearest_power (gint64 n)
{
  return n < 1 ? 0 : (gint64) 1 << (gint64) round (log2 ((double) n));
}

char *
ls_tuned_shape (const LsOp *op, const LsPlan *plan)
{
  const LsOpAttr *a = &op->attr;
  GString *s = g_string_new (NULL);

  if (op->klass == &ls_op_matmul)
    g_string_append_printf (s, "%c%c ", a->ta ? 't' : 'n', a->tb ? 't' : 'n');
  if (a->kernel > 0)
    g_string_append_printf (s, "k%d s%d p%d ", a->kernel, a->stride, a->pad);
  if (a->m > 0)
    g_string_append_printf (s, "%lld×%lld×%lld", (long long) nearest_power (a->m),
                            (long long) nearest_power (a->n), (long long) nearest_power (a->k));
  else
    for (guint j = 0; j < 2; j++)
      {
        guint count = j == 0 ? op->n_in : op->n_out;
        const LsTensor *t = count > 0 ? &plan->tensors[j == 0 ? op->in[0] : op->out[0]] : NULL;
        for (guint d = 0; t && d < t->rank; d++)
          g_string_append_printf (s, "%s%lld", d > 0 ? "×" : "", (long long) nearest_power (t->shape[d]));
        if (j == 0 && count > 0)
          g_string_append (s, " → ");
      }
  return g_string_free (s, FALSE);
}

char *
ls_tuned_example (const LsOp *op, const LsPlan *plan)
{
  const LsOpAttr *a = &op->attr;
  g_autofree char *out = ls_tensor_shape_string (&plan->tensors[op->out[0]]);
  g_autofree char *in = op->n_in > 0 ? ls_tensor_shape_string (&plan->tensors[op->in[0]]) : NULL;

  if (op->klass == &ls_op_matmul)
    return g_strdup_printf ("%lld×%lld×%lld %s%s", (long long) a->m, (long long) a->n, (long long) a->k,
                            a->ta ? "Aᵀ·" : "A·", a->tb ? "Bᵀ" : "B");
  return in ? g_strdup_printf ("%s → %s", in, out) : g_strdup (out);
}
