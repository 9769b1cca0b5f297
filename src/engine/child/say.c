/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See say.h.
 */
#include "config.h"
#include "child/say.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
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

int
ls_say_alone (void)
{
  const int fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

  dup2 (STDERR_FILENO, STDOUT_FILENO);
  return fd;
}
