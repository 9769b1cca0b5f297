/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GSubprocess would want a main context in the lane's thread; a poll loop is shorter. Both pipes are drained
 * while the child runs, so a talkative driver doesn't block; a grandchild (PoCL runs a linker) that keeps a
 * pipe open past the child's end isn't waited for.
 */
#include "config.h"
#include "child/child.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/say.h"
#include "core/error.h"

#define MAX_ERRORS  (1u << 20) /* bytes of its standard error that are kept */
#define MOST_PIECES 4096       /* of 64 KiB, at one look */
#define END_MS      1000       /* from the end of its output to its own */
#define LOOK_MS     50         /* how often to see whether a child that says nothing has ended */

enum { IN, OUT, ERRORS };

/* ---- its output ---- */

static void
close_fd (LsChild *child, guint i)
{
  if (child->fds[i] >= 0)
    close (child->fds[i]);
  child->fds[i] = -1;
}

/* Reads what there is; FALSE at the end of the stream. */
static gboolean
drain (LsChild *child, guint i)
{
  GString *into = i == OUT ? child->line : child->err;
  const gsize most = i == OUT ? child->most : MAX_ERRORS;
  char piece[65536];
  gssize n = read (child->fds[i], piece, sizeof piece);

  if (n < 0)
    return errno == EINTR || errno == EAGAIN;
  g_string_append_len (into, piece, MIN (n, (gssize) (most - MIN (most, into->len))));
  child->read += i == OUT ? (gsize) n : 0;
  return n > 0;
}

static void
take_end (LsChild *child, int wstatus)
{
  g_spawn_close_pid (child->pid);
  child->pid = 0;
  child->signal = WIFSIGNALED (wstatus) ? WTERMSIG (wstatus) : 0;
  child->status = WIFEXITED (wstatus) ? WEXITSTATUS (wstatus) : 0;
}

/* Also where nobody may reap: whoever started this program ignores the ends of its children. */
static gboolean
is_over (const LsChild *child, int *wstatus)
{
  const pid_t pid = child->pid != 0 ? waitpid (child->pid, wstatus, WNOHANG) : 0;

  return child->pid == 0 || pid == child->pid || (pid < 0 && errno == ECHILD);
}

gboolean
ls_child_look (LsChild *child, int look_ms)
{
  struct pollfd polls[2] = { { .fd = child->fds[OUT], .events = POLLIN },
                             { .fd = child->fds[ERRORS], .events = POLLIN } };
  int wstatus = 0;
  const gboolean ended = is_over (child, &wstatus);

  /* what was written just before the end is still in the pipes; what its own children go on writing isn't
   * waited for */
  for (guint i = 0; i < MOST_PIECES && poll (polls, 2, ended ? 0 : look_ms) > 0; i++)
    {
      for (guint p = 0; p < 2; p++)
        if (polls[p].fd >= 0 && polls[p].revents != 0 && !drain (child, OUT + p))
          {
            close_fd (child, OUT + p);
            polls[p].fd = -1;
          }
      if (!ended)
        break;
    }
  if (ended && child->pid != 0)
    take_end (child, wstatus);
  return !ended;
}

char *
ls_child_take_line (LsChild *child, gsize *length)
{
  const char *end = memchr (child->line->str + child->searched, '\n', child->line->len - child->searched);
  char *line;

  if (end == NULL)
    {
      child->searched = child->line->len;
      return NULL;
    }
  *length = (gsize) (end - child->line->str);
  line = g_memdup2 (child->line->str, *length + 1);
  line[*length] = '\0';
  g_string_erase (child->line, 0, (gssize) *length + 1);
  child->searched = 0;
  return line;
}

/* ---- its life ---- */

gboolean
ls_child_start (LsChild *child, const char *const *argv, char **environment, int input, gsize most,
                GError **error)
{
  g_autofree char *self = g_strdup_printf ("%d", (int) getpid ());
  g_auto (GStrv) told = g_environ_setenv (environment != NULL ? g_strdupv (environment) : g_get_environ (),
                                          LS_SAY_PARENT, self, TRUE);
  g_autoptr (GError) cause = NULL;

  *child = (LsChild){ .fds = { -1, -1, -1 },
                      .line = g_string_new (NULL),
                      .err = g_string_new (NULL),
                      .lines = g_ptr_array_new_with_free_func ((GDestroyNotify) json_decref),
                      .most = most };
  if (g_spawn_async_with_pipes_and_fds (
        NULL, argv, (const char *const *) told,
        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_CLOEXEC_PIPES, NULL, NULL, MAX (input, -1),
        -1, -1, NULL, NULL, 0, &child->pid, input == LS_CHILD_PIPE ? &child->fds[IN] : NULL, &child->fds[OUT],
        &child->fds[ERRORS], &cause))
    {
      if (child->fds[IN] >= 0)
        g_unix_set_fd_nonblocking (child->fds[IN], TRUE, NULL); /* one that hangs doesn't read */
      return TRUE;
    }
  child->pid = 0;
  g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("Its process can’t be started: %s"), cause->message);
  return FALSE;
}

gboolean
ls_child_send (LsChild *child, gconstpointer bytes, gsize size, GCancellable *cancel)
{
  const char *rest = bytes;

  while (size > 0)
    {
      struct pollfd room = { .fd = child->fds[IN], .events = POLLOUT };
      const gssize n = child->pid != 0 && room.fd >= 0 ? write (room.fd, rest, size) : 0;

      if (n > 0)
        {
          rest += n;
          size -= (gsize) n;
          continue;
        }
      if (n == 0 || (errno != EINTR && errno != EAGAIN) || g_cancellable_is_cancelled (cancel))
        return FALSE;
      /* meanwhile it may have much to tell of its own */
      if (poll (&room, 1, LOOK_MS) == 0 && !ls_child_look (child, 0))
        return FALSE;
    }
  return TRUE;
}

gboolean
ls_child_say (LsChild *child, json_t *said)
{
  g_autofree char *text = json_dumps (said, JSON_COMPACT), *line = g_strconcat (text, "\n", NULL);

  json_decref (said);
  return ls_child_send (child, line, strlen (line), NULL);
}

static void
kill_it (LsChild *child)
{
  int wstatus = 0;

  kill (child->pid, SIGKILL);
  while (waitpid (child->pid, &wstatus, 0) < 0 && errno == EINTR)
    continue;
  take_end (child, wstatus);
}

void
ls_child_end (LsChild *child, guint grace_ms)
{
  const gint64 deadline_us = g_get_monotonic_time () + (gint64) grace_ms * 1000;

  close_fd (child, IN);
  while (child->pid != 0 && g_get_monotonic_time () < deadline_us && ls_child_look (child, 10))
    {
      g_string_truncate (child->line, 0); /* nobody wants to hear more */
      child->searched = 0;
    }
  if (child->pid != 0)
    kill_it (child);
  close_fd (child, OUT);
  close_fd (child, ERRORS);
}

void
ls_child_clear (LsChild *child)
{
  if (child->line == NULL) /* it was never started: its descriptors are none */
    return;
  ls_child_end (child, 0);
  g_clear_pointer (&child->lines, g_ptr_array_unref);
  g_clear_pointer (&child->garbled, g_free);
  g_string_free (g_steal_pointer (&child->line), TRUE);
  g_string_free (g_steal_pointer (&child->err), TRUE);
}

/* ---- asked ---- */

static void
tell_end (const LsChild *child, GError **error)
{
  g_autofree char *fate = ls_child_fate (child), *words = ls_child_last_words (child);

  if (fate == NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It stopped without an answer."));
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("It stopped without an answer: %s%s"), fate, words);
}

/* Why there is no answer; it is ended, if it hasn't. */
static void
tell_why (LsChild *child, GCancellable *cancel, GError **error)
{
  ls_child_end (child, 0);
  if (child->hung)
    g_set_error (error, LS_ERROR, LS_ERROR_HUNG, _("It had no answer after %g s and was stopped."),
                 child->patience_ms / 1e3);
  else if (g_cancellable_is_cancelled (cancel))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  else
    tell_end (child, error);
}

json_t *
ls_child_hear (LsChild *child, guint patience_ms, GCancellable *cancel, GError **error)
{
  const gint64 deadline_us = g_get_monotonic_time () + (gint64) patience_ms * 1000;

  for (gboolean alive = child->pid != 0;;)
    {
      gsize length;
      g_autofree char *line = ls_child_take_line (child, &length);

      if (line != NULL)
        return ls_json_parse (line, length, child->most, JSON_OBJECT, error);
      if (!alive)
        break;
      if (child->line->len >= child->most)
        {
          ls_child_end (child, 0);
          g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, _("It wrote a line without an end."));
          return NULL;
        }
      if (g_cancellable_is_cancelled (cancel) || g_get_monotonic_time () >= deadline_us)
        {
          child->hung = !g_cancellable_is_cancelled (cancel);
          child->patience_ms = patience_ms;
          break;
        }
      alive = ls_child_look (child, LOOK_MS);
    }
  tell_why (child, cancel, error);
  return NULL;
}

gboolean
ls_child_take (LsChild *child, gpointer to, gsize size, GCancellable *cancel, GError **error)
{
  char *rest = to;
  gsize n = MIN (size, child->line->len);

  memcpy (rest, child->line->str, n);
  g_string_erase (child->line, 0, (gssize) n);
  child->searched = 0;
  while ((size -= n) > 0)
    {
      struct pollfd more = { .fd = child->fds[OUT], .events = POLLIN };
      gssize got;

      rest += n;
      n = 0;
      if (g_cancellable_is_cancelled (cancel) || more.fd < 0)
        break;
      if (poll (&more, 1, LOOK_MS) <= 0)
        continue;
      got = read (more.fd, rest, size);
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
        break;
      n = (gsize) MAX (got, 0);
    }
  if (size == 0)
    return TRUE;
  /* its output has ended, so it has, too, or is about to */
  for (guint i = 0; i < END_MS / LOOK_MS && !g_cancellable_is_cancelled (cancel) && ls_child_look (child, 0);
       i++)
    g_usleep (LOOK_MS * 1000);
  tell_why (child, cancel, error);
  return FALSE;
}

/* ---- how it ended ---- */

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

gboolean
ls_child_crashed (const LsChild *child)
{
  switch (child->signal)
    {
    case 0:
      return !child->hung && child->status != 0;
    case SIGINT:
    case SIGQUIT:
    case SIGTERM:
    case SIGHUP:
    case SIGKILL:
      return FALSE;
    default:
      return TRUE;
    }
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
