/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs that are JSON stay JSON: values, members and elements are changed, not bytes, most of the time.
 */
#pragma once

#include <jansson.h>

#include "fuzz.h"

/* One change somewhere in the tree; root is an object or an array. */
void json_mutate (json_t *root, GRand *rand);
/* As LLVMFuzzerCustomMutator(), of an input that is JSON. */
size_t json_mutator (uint8_t *data, size_t size, size_t max, unsigned int seed);
