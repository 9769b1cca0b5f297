/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting a scene: the only place where marks become strokes. What is done, running and to come follows from
 * the time.
 */
#pragma once

#include "ui/paint/scene/scene.h"

G_BEGIN_DECLS

#define LS_TIME_END G_MAXINT64

typedef struct {
  gint64 time_ns; /* on the view's clock; LS_TIME_END: all is done */
  gint worker;    /* picked worker: all others fade to 20 %; −1: none */
  gint evidence;  /* chosen in the key: the rest fades; −1: none */
} LsMoment;

void ls_paint_scene (const LsScene *scene, cairo_t *cr, const LsMoment *moment);
/* Only these n of its items, in this order. */
void ls_paint_items (const LsScene *scene, cairo_t *cr, const LsMoment *moment, const guint *items, guint n);

typedef enum { LS_AHEAD, LS_RUNNING, LS_DONE } LsItemState;

static inline LsItemState
ls_item_state (const LsItem *item, const LsMoment *moment)
{
  if (moment->time_ns == LS_TIME_END || moment->time_ns >= item->t1)
    return LS_DONE;
  return moment->time_ns >= item->t0 ? LS_RUNNING : LS_AHEAD;
}

gboolean ls_item_shown (const LsItem *item, const LsMoment *moment);
gboolean ls_item_faded (const LsItem *item, const LsMoment *moment);

/* paint_extent.c */

typedef struct {
  double left, top, right, bottom; /* px */
} LsExtent;

/* All that painting the item may touch, whatever the moment. */
LsExtent ls_paint_extent (const LsScene *scene, const LsItem *item);
/* What of an item's look depends on the moment: 0: it isn't seen; else it looks the same as long as this is
 * the same. */
guint64 ls_paint_look (const LsItem *item, const LsMoment *moment);
/* Of all the rest: two items of one style look the same at the same moment when these are the same. */
guint64 ls_paint_hash (const LsScene *scene, const LsItem *item);
/* Has it edges that run neither along nor across? Where a clip cuts them, pixels on the cut may come out
 * different. */
gboolean ls_paint_slanted (const LsScene *scene, const LsItem *item);

G_END_DECLS
