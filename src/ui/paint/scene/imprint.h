/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsImprint: what pixels show of a scene, kept without the scene: of each item its rectangle, a hash of all
 * that it looks like, and what of that depends on the moment. Two imprints held against each other give the
 * rectangles to paint again.
 */
#pragma once

#include "ui/paint/scene/paint.h"

G_BEGIN_DECLS

/* Device pixels, x0 ≤ x < x1. */
typedef struct {
  gint x0, y0, x1, y1;
} LsRect;

static inline gboolean
ls_rect_meets (LsRect a, LsRect b)
{
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

static inline LsRect
ls_rect_join (LsRect a, LsRect b)
{
  return (LsRect){ MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1), MAX (a.y1, b.y1) };
}

static inline LsRect
ls_rect_common (LsRect a, LsRect b)
{
  return (LsRect){ MAX (a.x0, b.x0), MAX (a.y0, b.y0), MIN (a.x1, b.x1), MIN (a.y1, b.y1) };
}

static inline gint64
ls_rect_area (LsRect r)
{
  return r.x0 < r.x1 && r.y0 < r.y1 ? (gint64) (r.x1 - r.x0) * (r.y1 - r.y0) : 0;
}

static inline gboolean
ls_rect_within (LsRect a, LsRect b)
{
  return a.x0 >= b.x0 && a.y0 >= b.y0 && a.x1 <= b.x1 && a.y1 <= b.y1;
}

typedef struct {
  LsRect rect;
  guint64 hash; /* whatever the moment */
  guint64 look; /* at the moment; 0: not seen */
  gboolean slanted;
} LsImprintItem;

typedef struct {
  guint n;
  LsImprintItem *items;
} LsImprint;

/* Calls are in no order; a rectangle may be empty or outside. */
typedef void (*LsDamageFunc) (gpointer data, LsRect rect);

void ls_imprint_take (LsImprint *imprint, const LsScene *scene, const LsMoment *moment, guint scale);
void ls_imprint_clear (LsImprint *imprint);
/* The same scene at another moment. */
void ls_imprint_move (LsImprint *imprint, const LsScene *scene, const LsMoment *moment, LsDamageFunc damage,
                      gpointer data);
/* What is only in one of them, or not in the same order: outside of the damage both show the same. */
void ls_imprint_compare (const LsImprint *before, const LsImprint *now, LsDamageFunc damage, gpointer data);

G_END_DECLS
