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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/opencl/child/discovery.h"
#include "core/error.h"

#define MAX_OUTPUT (1u << 20)
#define LOOK_MS    20 /* how often to see whether a child that says nothing has ended */

typedef struct {
  LsChild *child;
  GString *line; /* that isn't whole yet */
  gsize read;    /* bytes of standard output in all */
  LsChildHeard heard;
  gpointer data;
} Listener;

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

/* FALSE: nobody wants to hear more. */
static gboolean
take_line (Listener *self, const char *text, gsize length)
{
  LsChild *child = self->child;
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) said = ls_json_parse (text, length, MAX_OUTPUT, JSON_OBJECT, &error);

  if (said == NULL)
    {
      if (child->garbled == NULL)
        child->garbled = g_strdup (error->message);
      return TRUE;
    }
  if (child->lines->len < LS_CHILD_LINES)
    g_ptr_array_add (child->lines, json_incref (said));
  return self->heard == NULL || self->heard (said, self->data);
}

/* Those that are whole; at the end also what follows them. */
static gboolean
take_lines (Listener *self, gboolean at_end)
{
  const char *end;

  while ((end = memchr (self->line->str, '\n', self->line->len)) != NULL)
    {
      const gsize length = (gsize) (end - self->line->str);
      const gboolean more = take_line (self, self->line->str, length);
      g_string_erase (self->line, 0, (gssize) length + 1);
      if (!more)
        return FALSE;
    }
  return !at_end || self->line->len == 0 || take_line (self, self->line->str, self->line->len);
}

/* Until both streams end, the child ends, or it is silent for too long. Returns whether the child has been
 * reaped. */
static gboolean
listen_to (Listener *self, GPid pid, const int fds[2], int *wstatus)
{
  const gint64 patience_us = (gint64) self->child->patience_ms * 1000;
  gint64 deadline_us = g_get_monotonic_time () + patience_us;
  struct pollfd polls[2] = { { .fd = fds[0], .events = POLLIN }, { .fd = fds[1], .events = POLLIN } };
  GString *into[2] = { self->line, self->child->err };
  gboolean reaped = FALSE;

  while (!reaped && g_get_monotonic_time () < deadline_us)
    {
      const gsize before = self->line->len;
      reaped = waitpid (pid, wstatus, WNOHANG) == pid;
      if (poll (polls, 2, reaped ? 0 : LOOK_MS) < 0 && errno != EINTR)
        break;
      for (guint i = 0; i < 2; i++)
        if (polls[i].fd >= 0 && (polls[i].revents & (POLLIN | POLLHUP | POLLERR)) && !drain (fds[i], into[i]))
          polls[i].fd = -1; /* poll() skips it */
      self->read += self->line->len - before;
      if (self->line->len > before && self->read < MAX_OUTPUT)
        deadline_us = g_get_monotonic_time () + patience_us;
      if (!take_lines (self, FALSE) || (self->heard != NULL && !self->heard (NULL, self->data)))
        break;
    }
  /* What was written just before the end is still in the pipes. */
  for (guint i = 0; reaped && i < 2; i++)
    while (polls[i].fd >= 0 && poll (&polls[i], 1, 0) > 0 && (polls[i].revents & POLLIN)
           && drain (fds[i], into[i]))
      continue;
  if (reaped)
    take_lines (self, WIFEXITED (*wstatus) && WEXITSTATUS (*wstatus) == 0);
  return reaped;
}

static guint
patience_ms (guint usual)
{
  const char *now = g_getenv ("LOCKSTEP_CHILD_TIMEOUT_MS"),
             *text = now != NULL ? now : g_getenv ("LOCKSTEP_PROBE_TIMEOUT_MS"); /* as it was called once */
  guint64 ms;

  return text && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &ms, NULL) ? (guint) ms : usual;
}

gboolean
ls_child_run (LsChild *child, const char *const *arguments, int input, guint usual_ms, LsChildHeard heard,
              gpointer data, GError **error)
{
  g_autofree char *self = ls_child_self ();
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) cause = NULL;
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), LS_CHILD_MARK, "1", TRUE);
  Listener listener = { child, line, 0, heard, data };
  int fds[2], wstatus = 0;
  GPid pid;

  *child = (LsChild){ .lines = g_ptr_array_new_with_free_func ((GDestroyNotify) json_decref),
                      .err = g_string_new (NULL),
                      .patience_ms = patience_ms (usual_ms) };
  g_ptr_array_add (argv, self);
  g_ptr_array_add (argv, (char *) LS_CL_CHILD_COMMAND);
  for (guint i = 0; i == 0 || arguments[i - 1] != NULL; i++)
    g_ptr_array_add (argv, (char *) arguments[i]);
  if (!g_spawn_async_with_pipes_and_fds (
        NULL, (const char *const *) argv->pdata, (const char *const *) environment, G_SPAWN_DO_NOT_REAP_CHILD,
        NULL, NULL, input, -1, -1, NULL, NULL, 0, &pid, NULL, &fds[0], &fds[1], &cause))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("OpenCL can't be tried in a process of its own: %s"),
                   cause->message);
      return FALSE;
    }
  if (!listen_to (&listener, pid, fds, &wstatus))
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

const json_t *
ls_child_last (const LsChild *child)
{
  return child->lines->len > 0 ? child->lines->pdata[child->lines->len - 1] : NULL;
}

char *
ls_child_fate (const LsChild *child)
{
  if (child->hung)
    return g_strdup_printf (_("it gave no sign of life for %g s and was stopped"), child->patience_ms / 1e3);
  if (child->signal)
    return g_strdup_printf (_("it crashed (signal %d, %s)"), child->signal, g_strsignal (child->signal));
  if (child->status)
    return g_strdup_printf (_("it ended with status %d"), child->status);
  return NULL;
}

char *
ls_child_last_words (const LsChild *child)
{
  g_autofree char *text = g_utf8_make_valid (child->err->str, (gssize) child->err->len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = g_strv_length (lines); i > 0; i--)
    if (*g_strstrip (lines[i - 1]))
      {
        g_autofree char *line = g_utf8_substring (lines[i - 1], 0,
                                                  MIN (g_utf8_strlen (lines[i - 1], -1), 300));
        return g_strconcat (": ", line, NULL);
      }
  return g_strdup ("");
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
  g_clear_pointer (&child->lines, g_ptr_array_unref);
  g_clear_pointer (&child->garbled, g_free);
  if (child->err)
    g_string_free (g_steal_pointer (&child->err), TRUE);
}
