/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See say.h.
 */
#include "config.h"
#include "backends/opencl/child/say.h"

#include <string.h>
#include <unistd.h>

JsonBuilder *
ls_say_new (void)
{
  return json_builder_begin_object (json_builder_new ());
}

gboolean
ls_say (int fd, JsonBuilder *b)
{
  g_autoptr (JsonNode) root = json_builder_get_root (json_builder_end_object (b));
  g_autofree char *text = json_to_string (root, FALSE), *line = g_strconcat (text, "\n", NULL);
  const char *rest = line;

  g_object_unref (b);
  for (gsize left = strlen (line); left > 0;)
    {
      const gssize n = write (fd, rest, left);
      if (n <= 0)
        return FALSE;
      rest += n;
      left -= (gsize) n;
    }
  return TRUE;
}
