/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as people read them: three figures, a thin space between thousands, the decimal sign of the
 * language, the unit beside the number. All return new strings.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ls_number_text (double value, guint figures); /* "0.118", "313", "12.0" */
/* The same without zeros at its end, which would say how well it is known: "0.3", "2 270". */
char *ls_number_brief (double value, guint figures);
char *ls_number_tick (double value);                /* as short as it is exact: "0.1", "250" */
char *ls_number_fixed (double value, int decimals); /* "2.40": so many behind the decimal sign, up to 9 */
char *ls_number_count (guint64 n);                  /* "4 690" */
char *ls_number_scaled (double value);              /* "313 k", "6.84 M", "52.3" */
char *ls_number_power (double value);               /* "4×10⁻⁶", "0", "0.21" */
char *ls_number_power_tick (double value);          /* the same, but "10⁻⁶" instead of "1×10⁻⁶" */
char *ls_number_time (double ns);                   /* "128 µs", "1.24 ms", "<1 ns" */
/* ns in the unit that suits `largest`, without it; the unit in *unit (static): so that a column shares one
 * unit. */
char *ls_number_time_in (double ns, double largest, const char **unit);
/* That unit alone, and how many nanoseconds it is; ns may be NULL. */
const char *ls_number_time_unit (double largest, double *ns);
char *ls_number_dial (guint64 ns);                            /* "50 µs": as short as it is exact */
char *ls_number_spread (double median, double q1, double q3); /* "±1 %": half the middle half over the
                                                                 median */
char *ls_number_ordinal (guint64 n);                          /* "94th" */

G_END_DECLS
