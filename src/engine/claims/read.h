/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of a claim's file share.
 */
#pragma once

#include "claims/expression.h"
#include "files/json.h"

G_BEGIN_DECLS

#define LS_CLAIM_MAX_WORDS  60 /* characters */
#define LS_CLAIM_MAX_AMOUNT 1e12

typedef struct {
  LsClaim *claim;
  GString *where; /* the member that is read, for its line */
} LsClaimReader;

/* All return FALSE with LS_ERROR_DATA, a clause. */

/* A text in languages, one of them English, each of max characters at most; the one in the user's language
 * goes to *out, (transfer full), which stays as it is where the member may lack and does. */
gboolean ls_claim_read_text (LsClaimReader *reader, const json_t *object, const char *name, guint max,
                             gboolean may_lack, char **out, GError **error);
/* *unit: static. */
gboolean ls_claim_read_unit (const json_t *object, const char *name, const LsClaimUnit **unit,
                             GError **error);
/* Of a claim or a way: 1 to 32 small letters, digits and "-", a letter first. */
gboolean ls_claim_is_name (const char *name);
/* read_ways.c: the member "ways". */
gboolean ls_claim_read_ways (LsClaimReader *reader, const json_t *root, GError **error);

G_END_DECLS
