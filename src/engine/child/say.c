/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See say.h.
 */
#include "config.h"
#include "child/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

gboolean
ls_say_bytes (int fd, gconstpointer bytes, gsize size)
{
  const char *rest = bytes;

  while (size > 0)
    {
      const gssize n = write (fd, rest, size);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      rest += n;
      size -= (gsize) n;
    }
  return TRUE;
}

gboolean
ls_say (int fd, json_t *said)
{
  g_autofree char *text = json_dumps (said, JSON_COMPACT), *line = g_strconcat (text, "\n", NULL);

  json_decref (said);
  return ls_say_bytes (fd, line, strlen (line));
}

void
ls_say_settle (void)
{
  static const int left_to_parent[] = { SIGINT, SIGQUIT, SIGHUP };
  const char *parent = g_getenv (LS_SAY_PARENT);
  guint64 pid;

  for (gsize i = 0; i < G_N_ELEMENTS (left_to_parent); i++)
    signal (left_to_parent[i], SIG_IGN);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (parent != NULL && g_ascii_string_to_unsigned (parent, 10, 1, G_MAXINT, &pid, NULL)
      && (guint64) getppid () != pid)
    _exit (1); /* it went before that call */
}

int
ls_say_alone (void)
{
  const int fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

  dup2 (STDERR_FILENO, STDOUT_FILENO);
  return fd;
}
