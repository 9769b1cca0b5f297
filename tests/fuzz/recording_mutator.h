/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings and other safetensors files, changed in a way that most readers' checks let pass: the header and
 * the columns are taken apart, texts that are JSON with them, something is changed, and the file is put
 * together again with sizes, places, grids and times that fit.
 */
#pragma once

#include "fuzz.h"

/* As LLVMFuzzerCustomMutator(). */
size_t recording_mutator (uint8_t *data, size_t size, size_t max, unsigned int seed);
