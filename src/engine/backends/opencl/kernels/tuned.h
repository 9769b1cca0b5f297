/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTuned: what the tuner (tune.h) found out, in one small file, XDG cache/lockstep/tuned.json: for an op of
 * a shape class on a device, the rung and the parameters that were fastest. A lane reads the file once, when
 * it is opened; an op without an entry runs with the shipped defaults.
 *
 * An entry is used only where all of its key is the same: platform, device and driver with their versions,
 * the op, its shape class, and `source`, a hash of all that makes the op's programs: kernel files, macros,
 * build options. A kernel that was changed, or a driver that was updated, is a new key, and the old entry
 * lies idle until it is replaced or forgotten. The file is input from a stranger: what isn't as it should be
 * costs a sentence, and the defaults run.
 *
 * No OpenCL type in here: the command line and the window use it.
 */
#pragma once

#include "core/figure.h"
#include "files/json.h"
#include "model/plan.h"

G_BEGIN_DECLS

#define LS_TUNED_MAX_PARAMS 8

/* All strings are UTF-8 and owned. */
typedef struct {
  char *platform; /* "Portable Computing Language, OpenCL 3.0 PoCL 3.1…" */
  char *device;   /* name and version */
  char *driver;
  char *op;     /* the class's name: "matmul" */
  char *shape;  /* ls_tuned_shape() */
  char *source; /* SHA-256, in hexadecimal */
  char *rung;
  guint n_params;
  struct {
    char *name; /* "VEC" */
    gint64 value;
  } params[LS_TUNED_MAX_PARAMS];
  char *shipped_words, *words; /* "packed VEC=16", of the default and of the best: for lists */
  char *example;               /* the shape that was measured: "128×256 = 128×784 · (256×784)ᵀ" */
  LsFigure shipped_us, us;     /* of the default and of the best, in turns: median, quartiles, n */
  gint64 tried, refused; /* candidates; and of those, that didn't build, crashed or computed something else */
  char *date;            /* ISO 8601 */
} LsTunedEntry;

LsTunedEntry *ls_tuned_entry_copy (const LsTunedEntry *entry);
void ls_tuned_entry_free (LsTunedEntry *entry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTunedEntry, ls_tuned_entry_free)

typedef struct {
  GPtrArray *entries; /* LsTunedEntry */
} LsTuned;

LsTuned *ls_tuned_new (void);
void ls_tuned_free (LsTuned *tuned);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuned, ls_tuned_free)

/* Where the file is; (transfer full). */
char *ls_tuned_path (void);
/* No file: no entries, without an error. Errors: LS_ERROR_FILE, LS_ERROR_DATA (whatever is wrong with its
 * contents). */
LsTuned *ls_tuned_load (const char *path, GError **error);
/* Atomic. Errors: LS_ERROR_FILE. */
gboolean ls_tuned_save (const LsTuned *tuned, const char *path, GError **error);

/* The entry with that key (source NULL: whatever the sources were), or NULL; (transfer none). */
const LsTunedEntry *ls_tuned_find (const LsTuned *tuned, const LsTunedEntry *key);

/* Loads the file, puts copies of the entries in, saves it. A file that can't be read is begun anew. Errors:
 * LS_ERROR_FILE. */
gboolean ls_tuned_keep (const GPtrArray *entries, GError **error);
/* Removes the file; *n: how many entries were in it. Errors: LS_ERROR_FILE. */
gboolean ls_tuned_forget (guint *n, GError **error);
/* Counts the changes that this process made to the file: a lane that sees another count than it knows reads
 * it again. */
guint ls_tuned_generation (void);
/* Counts one that another process made. */
void ls_tuned_changed (void);

/* The op's shape as a class: attributes that change the access pattern as they are, sizes to the nearest
 * power of two, so that one measurement serves its neighbours: "nt 128×256×1024" for 128×784 · (256×784)ᵀ.
 * (transfer full) */
char *ls_tuned_shape (const LsOp *op, const LsPlan *plan);
/* The very shape, for people; (transfer full). */
char *ls_tuned_example (const LsOp *op, const LsPlan *plan);

/* ---- as JSON, for the file and between the tuner's processes ---- */
json_t *ls_tuned_entry_to_json (const LsTunedEntry *entry);
LsTunedEntry *ls_tuned_entry_from_json (const json_t *json, GError **error);

G_END_DECLS
