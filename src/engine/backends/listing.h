/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsListing: one function of a kernel file as people read it, each line with the phase it belongs to. The
 * files say so themselves: a comment `// phase: load` (barrier, multiply-accumulate, store) begins a phase,
 * which ends at the next such comment or where the block that it stands in ends. Those comments, the probe
 * and empty lines are left out.
 */
#pragma once

#include "backends/backend.h"

G_BEGIN_DECLS

typedef enum {
  LS_LISTING_OTHER,
  LS_LISTING_LOAD,
  LS_LISTING_BARRIER,
  LS_LISTING_MULTIPLY,
  LS_LISTING_STORE,
} LsListingPhase;

#define LS_LISTING_MAX_MARKS 8
#define LS_LISTING_NO_MARK   G_MAXUINT

typedef struct {
  guint number;   /* in the file, from 1 */
  guint indent;   /* spaces before the text */
  char *text;     /* without them */
  guint mark;     /* its phase, in the order of the text; LS_LISTING_NO_MARK: none */
  gboolean works; /* one of the statements that the phase is there for */
} LsListingLine;

typedef struct {
  GArray *lines; /* LsListingLine */
  guint n_marks;
  LsListingPhase marks[LS_LISTING_MAX_MARKS];
} LsListing;

/* NULL if the text has no such function. */
LsListing *ls_listing_new (const char *text, const char *function);
void ls_listing_free (LsListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsListing, ls_listing_free)
/* Of file and function, as that device's lane ran it, else as it is built in; NULL if there is none. device
 * may be NULL. */
LsListing *ls_listing_load (const LsDeviceInfo *device, const char *file, const char *function);

G_END_DECLS
