/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsStored: samples that lie in a file, because memory has no room for them, all of one size, one behind the
 * other. LsBlock: those of the next steps, fetched from there: a data set of its own, which a step reads as
 * any other.
 */
#pragma once

#include "core/samples.h"

G_BEGIN_DECLS

/* Of what a lane fetches for a turn; a single step may need more. */
#define LS_BLOCK_BYTES (G_GINT64_CONSTANT (64) << 20)

/* n samples of so many bytes from offset on. fd: taken over. name: for messages. */
LsStored *ls_stored_new (int fd, gint64 offset, gsize sample_bytes, const char *name);
void ls_stored_free (LsStored *stored);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsStored, ls_stored_free)
/* From now on sample i is the one that was place[i]. place: (transfer full), g_free(). */
void ls_stored_choose (LsStored *stored, guint32 *place);
/* Any thread. LS_ERROR_FILE: the file was cut, or its disk fails. */
gboolean ls_stored_read (const LsStored *stored, gint64 sample, void *values, GError **error);
/* These will be read soon: the system may fetch them meanwhile. */
void ls_stored_expect (const LsStored *stored, const guint32 *index, guint n);

typedef struct {
  LsDataset set;
  guint32 *index; /* 0, 1, 2 …, as many as there is room for */
  gint64 room;    /* samples */
} LsBlock;

/* The set's samples at those n positions, in that order. LS_ERROR_FILE, LS_ERROR_MEMORY. */
gboolean ls_block_fill (LsBlock *block, const LsDataset *from, const guint32 *index, guint n, GError **error);
void ls_block_clear (LsBlock *block);

/* Of a step's batch of n samples of that set, how many at once don't exceed LS_BLOCK_BYTES; at least 1. */
guint ls_block_steps (const LsDataset *set, guint batch);

G_END_DECLS
