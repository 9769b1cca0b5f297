/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GSubprocess would want a main context in the lane's thread; a poll loop is shorter. Both pipes are drained
 * while the child runs, so a talkative driver doesn't block; a grandchild (PoCL runs a linker) that keeps a
 * pipe open past the child's end isn't waited for.
 */
#include "config.h"
#include "backends/opencl/child/child.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

#define MAX_OUTPUT (1u << 20)
#define LOOK_MS    20 /* how often to see whether a child that says nothing has ended */

/* Reads what there is; FALSE at the end of the stream. */
static gboolean
drain (int fd, GString *into)
{
  char piece[4096];
  gssize n = read (fd, piece, sizeof piece);

  if (n < 0)
    return errno == EINTR || errno == EAGAIN;
  if (n > 0)
    g_string_append_len (into, piece, MIN (n, (gssize) (MAX_OUTPUT - into->len)));
  return n > 0;
}

/* Until both streams end, the child ends, or the deadline. Returns whether the child has been reaped. */
static gboolean
listen_to (LsChild *child, GPid pid, const int fds[2], guint timeout_ms, LsChildHeard heard, gpointer data,
           int *wstatus)
{
  gint64 deadline_us = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  gsize length = 0;
  struct pollfd polls[2] = { { .fd = fds[0], .events = POLLIN }, { .fd = fds[1], .events = POLLIN } };
  GString *into[2] = { child->out, child->err };
  gboolean reaped = FALSE;

  while (!reaped && g_get_monotonic_time () < deadline_us)
    {
      reaped = waitpid (pid, wstatus, WNOHANG) == pid;
      if (poll (polls, 2, reaped ? 0 : LOOK_MS) < 0 && errno != EINTR)
        break;
      for (guint i = 0; i < 2; i++)
        if (polls[i].fd >= 0 && (polls[i].revents & (POLLIN | POLLHUP | POLLERR)) && !drain (fds[i], into[i]))
          polls[i].fd = -1; /* poll() skips it */
      if (heard == NULL)
        continue;
      if (!heard (child->out, data))
        break;
      if (child->out->len > length)
        deadline_us = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
      length = child->out->len;
    }
  /* What was written just before the end is still in the pipes. */
  for (guint i = 0; reaped && i < 2; i++)
    while (polls[i].fd >= 0 && poll (&polls[i], 1, 0) > 0 && (polls[i].revents & POLLIN)
           && drain (fds[i], into[i]))
      continue;
  return reaped;
}

gboolean
ls_child_run (LsChild *child, const char *const *argv, guint timeout_ms, GError **error)
{
  return ls_child_run_heard (child, argv, timeout_ms, NULL, NULL, error);
}

gboolean
ls_child_run_heard (LsChild *child, const char *const *argv, guint timeout_ms, LsChildHeard heard,
                    gpointer data, GError **error)
{
  return ls_child_run_fed (child, argv, -1, timeout_ms, heard, data, error);
}

gboolean
ls_child_run_fed (LsChild *child, const char *const *argv, int input, guint timeout_ms, LsChildHeard heard,
                  gpointer data, GError **error)
{
  int fds[2], wstatus = 0;
  GPid pid;
  g_autoptr (GError) cause = NULL;
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), LS_CHILD_MARK, "1", TRUE);

  *child = (LsChild){ .out = g_string_new (NULL), .err = g_string_new (NULL) };
  if (!g_spawn_async_with_pipes_and_fds (NULL, argv, (const char *const *) environment,
                                         G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, input, -1, -1, NULL, NULL, 0,
                                         &pid, NULL, &fds[0], &fds[1], &cause))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("OpenCL can't be tried in a process of its own: %s"),
                   cause->message);
      return FALSE;
    }
  if (!listen_to (child, pid, fds, timeout_ms, heard, data, &wstatus))
    {
      child->hung = TRUE;
      kill (pid, SIGKILL);
      while (waitpid (pid, &wstatus, 0) < 0 && errno == EINTR)
        continue;
    }
  close (fds[0]);
  close (fds[1]);
  g_spawn_close_pid (pid);
  child->signal = WIFSIGNALED (wstatus) ? WTERMSIG (wstatus) : 0;
  child->status = WIFEXITED (wstatus) ? WEXITSTATUS (wstatus) : 0;
  return TRUE;
}

char *
ls_child_self (void)
{
  char path[4096];
  const char *given = g_getenv ("LOCKSTEP_SELF");
  gssize n;

  if (given && *given)
    return g_strdup (given);
  n = readlink ("/proc/self/exe", path, sizeof path);
  return n > 0 && n < (gssize) sizeof path ? g_strndup (path, (gsize) n) : g_strdup ("lockstep");
}

void
ls_child_clear (LsChild *child)
{
  if (child->out)
    g_string_free (g_steal_pointer (&child->out), TRUE);
  if (child->err)
    g_string_free (g_steal_pointer (&child->err), TRUE);
}
