/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kernel_watch.h.
 */
#include "config.h"
#include "ui/cli/kernel_watch.h"

#include "backends/kernel_files.h"

#define LOOK_US   G_USEC_PER_SEC
#define SETTLE_US (200 * 1000) /* editors save in several steps: what hasn't changed for so long is whole */

void
ls_kernel_watch_init (LsKernelWatch *watch)
{
  const char *folder = g_getenv ("LOCKSTEP_KERNEL_DIR");

  *watch = (LsKernelWatch){ .folder = folder != NULL && *folder != '\0' ? folder : NULL };
  if (watch->folder != NULL)
    watch->known = watch->seen = ls_kernel_files_stamp (folder);
}

void
ls_kernel_watch_look (LsKernelWatch *watch, LsCoordinator *coordinator,
                      void (*complain) (const char *sentence, gpointer data), gpointer data)
{
  const gint64 now_us = g_get_monotonic_time ();
  g_autoptr (LsKernelFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  guint64 stamp;

  if (watch->folder == NULL || now_us < watch->next_us)
    return;
  stamp = ls_kernel_files_stamp (watch->folder);
  watch->next_us = now_us + (stamp == watch->seen ? LOOK_US : SETTLE_US);
  if (stamp != watch->seen || stamp == watch->known)
    {
      watch->seen = stamp;
      return;
    }
  watch->known = stamp;
  files = ls_kernel_files_read (watch->folder, &error);
  if (files != NULL)
    ls_coordinator_reload_kernels (coordinator, files);
  else
    complain (error->message, data);
}
