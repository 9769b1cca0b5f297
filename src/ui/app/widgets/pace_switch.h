/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPaceSwitch: in the header bar, beside the dial and not to be confused with it: when steps are done, in
 * three words, each with what it does beneath; in a narrow window a drop-down of the words.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/app/session/session.h"

G_BEGIN_DECLS

#define LS_TYPE_PACE_SWITCH (ls_pace_switch_get_type ())
G_DECLARE_FINAL_TYPE (LsPaceSwitch, ls_pace_switch, LS, PACE_SWITCH, GtkWidget)

/* The words side by side; else the drop-down. */
typedef enum { LS_PACE_SWITCH_DROP, LS_PACE_SWITCH_WORDS, LS_PACE_SWITCH_NAMED } LsPaceSwitchForm;

/* Signal "chosen": by the user. */
GtkWidget *ls_pace_switch_new (LsSession *session);
void ls_pace_switch_set_form (LsPaceSwitch *self, LsPaceSwitchForm form);

G_END_DECLS
