/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting a scene: the only place where marks become strokes. What is done, running and to come follows from the time.
 */
#pragma once

#include "ui/paint/scene.h"

G_BEGIN_DECLS

#define LS_TIME_END G_MAXINT64

typedef struct {
  gint64 time_ns;      /* on the view's clock; LS_TIME_END: all is done */
  gint worker;         /* picked worker: all others fade to 20 %; −1: none */
  gint evidence;       /* chosen in the key: the rest fades; −1: none */
} LsMoment;

void ls_paint_scene (const LsScene *scene, cairo_t *cr, const LsMoment *moment);

G_END_DECLS
