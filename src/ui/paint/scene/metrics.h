/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsMetrics: the sizes that a picture of a certain width and height has. What does not fit is left out, never
 * shrunk: no type is under 14 px on the desk nor under 22 px on the projector.
 */
#pragma once

#include "ui/paint/scene/style.h"

G_BEGIN_DECLS

typedef enum {
  LS_SIZE_SMALL,  /* 960×600 */
  LS_SIZE_MEDIUM, /* 1280×800 */
  LS_SIZE_LARGE,  /* 1920×1080 and more */
} LsSize;

typedef struct {
  LsSize size;
  gboolean projector;
  LsType huge, rate, number, name, device, title, heading, body, label, tick, strong; /* strong: a bold
                                                                                         body */
  double margin, gutter, rule, evidence;
  double title_h, ribbon_h, control_h, strip_h, key_h;
  double bar_h; /* a row of the bars, at most */
  double unit;  /* 4 px of the grid, larger on the projector */
} LsMetrics;

/* The desktop's text scaling, as far as the picture has room: words that leave no room for themselves lie
 * over each other. */
double ls_metrics_text_scale (const LsStyle *style, double width, double height);
void ls_metrics_init (LsMetrics *metrics, const LsStyle *style, double width, double height);

G_END_DECLS
