/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The little picture beside a help entry, painted with the same marks as the views.
 */
#pragma once

#include "ui/help/help.h"
#include "ui/paint/scene/scene.h"

G_BEGIN_DECLS

#define LS_HELP_MARK_W 34
#define LS_HELP_MARK_H 18

/* At the scene's origin, LS_HELP_MARK_W × LS_HELP_MARK_H px. LS_HELP_NONE: nothing. */
void ls_scene_help_mark (LsScene *scene, LsHelpMark mark);

G_END_DECLS
