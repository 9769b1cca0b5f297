/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/error.h"

#include <string.h>

G_DEFINE_QUARK (ls_error_quark, ls_error)

char *
ls_sentence (const char *message)
{
  g_autofree char *text = g_strchomp (g_strdup (message));
  gsize length = strlen (text);

  return g_strconcat (text, length > 0 && strchr (".!?:", text[length - 1]) == NULL ? "." : "", NULL);
}
