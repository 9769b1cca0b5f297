/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Busy loops: see beside.h.
 */
#include "config.h"
#include "beside.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/machine.h"

struct _LsBeside {
  guint n;
  pid_t pids[LS_BESIDE_MOST];
};

gboolean
ls_beside_read (const char *text, guint *n, GError **error)
{
  guint64 value = 0;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 0, LS_BESIDE_MOST, &value, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, "--beside takes a whole number from 0 to %u, not “%s”.",
                   LS_BESIDE_MOST, text);
      return FALSE;
    }
  *n = (guint) value;
  return TRUE;
}

/* Nothing after the fork but system calls: other threads may have held locks. */
static G_NORETURN void
loop (pid_t parent)
{
  volatile guint64 x = 0;

  if (prctl (PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid () != parent)
    _exit (1);
  setpriority (PRIO_PROCESS, 0, 0); /* refused if the benchmark itself is nicer: then as nice as that */
  for (;;)
    x++;
}

LsBeside *
ls_beside_new (guint n, GError **error)
{
  g_autoptr (LsBeside) self = g_new0 (LsBeside, 1);
  const pid_t parent = getpid ();

  for (; self->n < MIN (n, LS_BESIDE_MOST); self->n++)
    {
      const pid_t pid = fork ();

      if (pid == 0)
        loop (parent);
      if (pid < 0)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, "A busy loop can’t be started: %s",
                       g_strerror (errno));
          return NULL;
        }
      self->pids[self->n] = pid;
    }
  return g_steal_pointer (&self);
}

void
ls_beside_free (LsBeside *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    kill (self->pids[i], SIGKILL);
  for (guint i = 0; i < self->n; i++)
    while (waitpid (self->pids[i], NULL, 0) < 0 && errno == EINTR)
      ;
  g_free (self);
}

double
ls_beside_cpu_s (const LsBeside *self)
{
  double s = 0;

  for (guint i = 0; self != NULL && i < self->n; i++)
    s += ls_machine_process_s (self->pids[i]);
  return s;
}
