/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast things may change: nothing blinks above 3 Hz (WCAG 2.2, criterion 2.3.1, allows three flashes a
 * second). A mark of an op changes three times while the op is on screen: it is to come, it runs, it is done.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_PACE_HZ      3.0
#define LS_PACE_CHANGES 3.0 /* of one mark, from one showing to the next */

/* Changes of a mark in a second on screen where `span_ns` of machine time are gone through at the dial's
 * pace, dial_ns a second; 0: nothing moves. */
double ls_pace_changes (gint64 span_ns, guint64 dial_ns);
/* Too fast to be watched: the finished state is shown, and rates instead of counts. */
gboolean ls_pace_finished (gint64 span_ns, guint64 dial_ns);
/* n changes of one text within the span: too many to be read. */
gboolean ls_pace_rolls (guint n, gint64 span_ns, guint64 dial_ns);

G_END_DECLS
