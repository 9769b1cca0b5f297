/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See source.h.
 */
#include "config.h"
#include "machines/source.h"

#include "machines/member.h"

#define MAX_TITLE   150
#define MAX_DATE    10
#define MAX_ADDRESS 300

void
ls_source_free (LsHardwareSource *source)
{
  if (source == NULL)
    return;
  g_free (source->id);
  g_free (source->title);
  g_free (source->address);
  g_free (source->seen);
  g_free (source->published);
  g_free (source->copy);
  g_free (source);
}

gboolean
ls_source_read (json_t *object, LsHardwareSource *source, GError **error)
{
  static const char *const known[] = { "title", "address", "seen", "published", "copy", NULL };

  return ls_member_only (object, known, error)
         && ls_member_text (object, "title", MAX_TITLE, FALSE, &source->title, error)
         && ls_member_text (object, "address", MAX_ADDRESS, FALSE, &source->address, error)
         && ls_member_address ("address", source->address, FALSE, error)
         && ls_member_text (object, "seen", MAX_DATE, FALSE, &source->seen, error)
         && ls_member_date ("seen", source->seen, TRUE, error)
         && ls_member_text (object, "published", MAX_DATE, TRUE, &source->published, error)
         && (source->published == NULL || ls_member_date ("published", source->published, FALSE, error))
         && ls_member_text (object, "copy", MAX_ADDRESS, TRUE, &source->copy, error)
         && (source->copy == NULL || ls_member_address ("copy", source->copy, TRUE, error));
}
