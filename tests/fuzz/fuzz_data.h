/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For the targets of the loaders: bytes as somebody's data.
 */
#pragma once

#include "data/dataset.h"
#include "fuzz.h"

/* Loads what the bytes are as a file, and checks that it is whole: labels of a class, numbers that are
 * finite, class names and notes that can be shown. NULL: it was refused. which: chooses the options. */
LsData *fuzz_load (gconstpointer bytes, gsize size, guint which);
/* The two are alike in every sample. */
void fuzz_check_same_data (const LsData *a, const LsData *b);
