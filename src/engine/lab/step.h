/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A training step as a line of text, "step\tMODEL\tDATA\tBATCH", that every worker understands: MODEL as
 * --model takes it, DATA as --data, or "noise N": random images of N×N pixels, 10 classes; how DATA are read
 * say the worker's own options. A lane
 * also understands "forward\t…": the step up to the loss. "product\tN": that of two matrices of N×N,
 * "product\tM\tN\tK": of M×K and K×N (a matrix times a vector is "product\tM\t1\tK"), "copied\t…" the same
 * with both copied to the device before, and the result back; "flight\tloads\tN", "flight\tsums\tN": N
 * results under way in each unit.
 */
#pragma once

#include "core/options.h"
#include "data/dataset.h"
#include "model/plan.h"

G_BEGIN_DECLS

#define LS_LAB_MLP "step\tmlp\tmnist\t128"

/* The line, read; options: optimizer, seed, and how data are read. data: NULL, or where the set is kept from
 * one call to the next. LS_ERROR_USAGE. */
LsPlan *ls_lab_step_plan (const char *spec, LsData **data, const LsOptions *options, GError **error);
/* How many classes the options' data have, which decides their network's last layer; data: as above; a set
 * that is known without being read isn't. n_train: its samples to train with; 0: it isn't read. 0:
 * LS_ERROR_DATA, _FILE, _USAGE. */
gint ls_lab_classes (const LsOptions *options, LsData **data, gint64 *n_train, GError **error);
/* Whether the options' own network can be trained on their data: whatever makes one of them would say so only
 * once for each size. data: as above. LS_ERROR_USAGE, LS_ERROR_DATA. */
gboolean ls_lab_check_step (const LsOptions *options, LsData **data, GError **error);
/* Whether the line is one of a step, a product or flights, of data that are shipped or made, without reading
 * any: for lines that strangers wrote. LS_ERROR_USAGE. */
gboolean ls_lab_check_line (const char *spec, GError **error);
/* "copied\t4": *product is "product\t4", (transfer full); FALSE: it isn't of that kind. */
gboolean ls_lab_is_copied (const char *spec, char **product);
/* LS_ERROR_USAGE: nothing that can be measured. */
gboolean ls_lab_refuse (const char *spec, GError **error);

G_END_DECLS
