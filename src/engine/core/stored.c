/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stored.h. Never mapped: a file that is cut meanwhile is an error, not the program's end.
 */
#include "config.h"
#include "core/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"

struct _LsStored {
  int fd;
  gint64 offset;
  gsize sample_bytes;
  guint32 *place; /* NULL: sample i is the i-th */
  char *name;
};

LsStored *
ls_stored_new (int fd, gint64 offset, gsize sample_bytes, const char *name)
{
  LsStored *stored = g_new0 (LsStored, 1);

  *stored = (LsStored){ .fd = fd, .offset = offset, .sample_bytes = sample_bytes, .name = g_strdup (name) };
  return stored;
}

void
ls_stored_free (LsStored *stored)
{
  if (stored == NULL)
    return;
  close (stored->fd);
  g_free (stored->place);
  g_free (stored->name);
  g_free (stored);
}

void
ls_stored_choose (LsStored *stored, guint32 *place)
{
  g_free (stored->place);
  stored->place = place;
}

static gint64
where (const LsStored *stored, gint64 sample)
{
  const gint64 at = stored->place != NULL ? stored->place[sample] : sample;

  return stored->offset + at * (gint64) stored->sample_bytes;
}

gboolean
ls_stored_read (const LsStored *stored, gint64 sample, void *values, GError **error)
{
  const gssize got = ls_file_read_at (stored->fd, values, stored->sample_bytes, where (stored, sample));

  if (got == (gssize) stored->sample_bytes)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_FILE,
               _("The cache file of “%s” can’t be read any more: %s; start anew, and it is made again."),
               stored->name, got < 0 ? g_strerror (errno) : _("it was cut"));
  return FALSE;
}

void
ls_stored_expect (const LsStored *stored, const guint32 *index, guint n)
{
  for (guint i = 0; i < n; i++)
    posix_fadvise (stored->fd, where (stored, index[i]), (off_t) stored->sample_bytes, POSIX_FADV_WILLNEED);
}

/* ---- blocks ---- */

void
ls_block_clear (LsBlock *block)
{
  g_clear_pointer (&block->set.samples, g_free);
  g_clear_pointer (&block->set.labels, g_free);
  g_clear_pointer (&block->index, g_free);
  block->room = 0;
}

static gboolean
make_room (LsBlock *block, const LsDataset *from, guint n, GError **error)
{
  const gsize bytes = (gsize) from->sample_size * ls_dataset_value_bytes (from);

  if (block->room >= n && block->set.sample_size == from->sample_size && block->set.type == from->type)
    return TRUE;
  ls_block_clear (block);
  block->set = (LsDataset){ .sample_size = from->sample_size, .type = from->type };
  for (guint i = 0; i < G_N_ELEMENTS (from->shape); i++)
    block->set.shape[i] = from->shape[i];
  block->set.samples = g_try_malloc (MAX (n * bytes, 1));
  block->set.labels = g_try_new (gint32, MAX (n, 1));
  block->index = g_try_new (guint32, MAX (n, 1));
  if (block->set.samples == NULL || block->set.labels == NULL || block->index == NULL)
    {
      ls_block_clear (block);
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("A batch of %u samples needs more memory than there is; choose a smaller --batch."), n);
      return FALSE;
    }
  block->room = n;
  for (guint i = 0; i < n; i++)
    block->index[i] = i;
  return TRUE;
}

gboolean
ls_block_fill (LsBlock *block, const LsDataset *from, const guint32 *index, guint n, GError **error)
{
  const gsize bytes = (gsize) from->sample_size * ls_dataset_value_bytes (from);

  if (!make_room (block, from, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (!ls_stored_read (from->stored, index[i], (guint8 *) block->set.samples + i * bytes, error))
        return FALSE;
      block->set.labels[i] = from->labels[index[i]];
    }
  block->set.n = n;
  return TRUE;
}

guint
ls_block_steps (const LsDataset *set, guint batch)
{
  const gint64 bytes = set->sample_size * (gint64) ls_dataset_value_bytes (set) * batch;

  return (guint) CLAMP (LS_BLOCK_BYTES / MAX (bytes, 1), 1, G_MAXUINT);
}
