/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long ago a day was, in words.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From one day to another, as ISO 8601 has them ("2026-11-02", a time behind it doesn't matter); −1: one of
 * them is NULL or no date, or the second comes first. */
gint ls_age_days (const char *date, const char *today);
/* “3 weeks ago”, “today”; (transfer full). NULL: one of them is no date. */
char *ls_age_text (const char *date, const char *today);

G_END_DECLS
