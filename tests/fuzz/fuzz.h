/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the targets share. A target is one source with LLVMFuzzerTestOneInput(), and perhaps a mutator of its
 * own; clang's libFuzzer (./dev test --fuzz) drives it, or replay.c in the plain suite. It returns, or it
 * ends in a check that failed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* https://llvm.org/docs/LibFuzzer.html */
int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
/* The next input, made from the one in data, at most max bytes; optional. */
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed);
/* The fuzzer's own: changes some bytes; returns how many there are then, 1 to max. */
size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max);

/* A plain file with these bytes, in memory; until the next call. */
const char *fuzz_file (gconstpointer data, gsize size);
/* A name for a file to save, in a folder that is removed at the end. */
const char *fuzz_place (void);
/* The bytes up to the first NUL. (transfer full) */
char *fuzz_text (const uint8_t *data, size_t size);

/* Ends the program with those words. */
void fuzz_fail (const char *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;
#define fuzz_check(holds, ...)                                                                               \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    if (!(holds))                                                                                            \
      fuzz_fail (__VA_ARGS__);                                                                               \
  }                                                                                                          \
  G_STMT_END

/* UTF-8 of one line, without what a terminal would obey, and not empty. */
void fuzz_check_words (const char *what, const char *words);
/* Either it was accepted, and there is no error, or there is one of the engine's, in such words. */
void fuzz_check_answer (gboolean accepted, const GError *error);
/* How many answers so far were that it is accepted. */
extern guint fuzz_n_accepted;
/* The same text. */
void fuzz_check_same (const char *what, const char *a, const char *b);
