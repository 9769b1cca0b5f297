/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tuner's child says on its way, one JSON object per line, so that the parent knows which candidate
 * was at work should the child end or hang:
 *
 *   {"tasks": 23}
 *   {"task": 4, "op": "matmul", "example": "128×256×784 A·Bᵀ", "candidate": "packed VEC=8", "left": 41.5}
 *   {"dropped": "matmul 128×256×784 A·Bᵀ, packed VEC=8: …"}
 *   {"entry": {…}}
 *   {"end": ""}   or   {"error": "…"}
 */
#pragma once

#include "backends/opencl/tune/tune_task.h"

G_BEGIN_DECLS

void ls_tune_say_tasks (int fd, guint n);
void ls_tune_say_candidate (int fd, guint number, const LsTuneTask *task, const char *words, double left_s);
void ls_tune_say_dropped (int fd, const LsTuneTask *task, const char *words, const char *why);
void ls_tune_say_entry (int fd, const LsTunedEntry *entry);
void ls_tune_say_text (int fd, const char *name, const char *text);

G_END_DECLS
