/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs that are JSON stay JSON: values, members and elements are changed, not bytes, most of the time.
 */
#pragma once

#include <jansson.h>

#include "fuzz.h"

/* The name of a member of `written` that `read` has otherwise, or not at all, at any depth; NULL: there is
 * none. Numbers are compared as such, null is as good as nothing, and what is called `but` isn't looked at.
 */
const char *json_other (const json_t *written, const json_t *read, const char *but);
/* One change somewhere in the tree; root is an object or an array. */
void json_mutate (json_t *root, GRand *rand);
/* As LLVMFuzzerCustomMutator(), of an input that is JSON. */
size_t json_mutator (uint8_t *data, size_t size, size_t max, unsigned int seed);
