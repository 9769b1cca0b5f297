/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsKernelWatch: looks once a second whether a file in LOCKSTEP_KERNEL_DIR was saved, and hands what it holds
 * then to the lanes. By times and sizes, not by notifications: a training loop in a terminal has no main
 * loop, and network folders tell nothing.
 */
#pragma once

#include "train/coordinator.h"

G_BEGIN_DECLS

typedef struct {
  const char *folder;  /* NULL: there is none to watch */
  guint64 known, seen; /* stamps: of what the lanes have, and of the latest look */
  gint64 next_us;      /* when to look again */
} LsKernelWatch;

void ls_kernel_watch_init (LsKernelWatch *watch);
/* Call often. complain is told, in one sentence, why files can't be taken. */
void ls_kernel_watch_look (LsKernelWatch *watch, LsCoordinator *coordinator,
                           void (*complain) (const char *sentence, gpointer data), gpointer data);

G_END_DECLS
