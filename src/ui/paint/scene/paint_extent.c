/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What painting an item touches, and whether it would come out different: for whoever keeps pixels. Every
 * case here goes with one in paint.c; tests/paint/parts/test-raster.c holds them against each other.
 */
#include "ui/paint/scene/paint.h"

#include <string.h>

#define TEXT_SLACK 1.5 /* px: glyphs are set to whole pixels, and their edges are soft */

gboolean
ls_item_shown (const LsItem *item, const LsMoment *moment)
{
  const LsItemState state = item->when == LS_WHEN_ALWAYS ? LS_DONE : ls_item_state (item, moment);

  switch ((LsWhen) item->when)
    {
    case LS_WHEN_DONE:
      return state == LS_DONE;
    case LS_WHEN_RUNNING:
      return state == LS_RUNNING;
    case LS_WHEN_BEGUN:
      return state != LS_AHEAD;
    case LS_WHEN_AHEAD:
      return state == LS_AHEAD;
    case LS_WHEN_ALWAYS:
      break;
    }
  return TRUE;
}

gboolean
ls_item_faded (const LsItem *item, const LsMoment *moment)
{
  if (moment->worker >= 0 && item->worker != LS_NO_VALUE && item->worker != moment->worker)
    return TRUE;
  return moment->evidence >= 0 && item->evidence != LS_NO_VALUE && item->evidence != moment->evidence;
}

static const float *
points_of (const LsScene *scene, const LsItem *item)
{
  return (const float *) (const void *) scene->points->data + 2 * (gsize) item->points;
}

LsExtent
ls_paint_extent (const LsScene *scene, const LsItem *item)
{
  double x, y, w, h, out = 0;

  if (item->kind == LS_ITEM_TEXT)
    {
      const LsInkBox ink = ls_fonts_ink (scene->fonts, item->type, item->text);
      x = (double) item->x;
      y = (double) item->y;
      return (LsExtent){ x + ink.left - TEXT_SLACK, y + ink.top - TEXT_SLACK, x + ink.right + TEXT_SLACK,
                         y + ink.bottom + TEXT_SLACK };
    }
  ls_item_bounds (scene, item, &x, &y, &w, &h);
  switch ((LsItemKind) item->kind)
    {
    case LS_ITEM_LINE:
    case LS_ITEM_DOTS:
    case LS_ITEM_RINGS:
    case LS_ITEM_GUIDE:
      out = (double) item->size / 2;
      break;
    case LS_ITEM_FRAME: /* its halo */
      out = scene->style->picked + 1;
      break;
    case LS_ITEM_TILE:
    case LS_ITEM_BAR: /* a taken corner's edge, mitred */
      out = item->owner != LS_NO_VALUE && item->size > 0 ? 1.5 : 0;
      break;
    case LS_ITEM_EVIDENCE:
      h = w;
      break;
    default:
      break;
    }
  /* where a picture is too small for its parts, heights may be negative: painted all the same */
  return (LsExtent){ MIN (x, x + w) - out, MIN (y, y + h) - out, MAX (x, x + w) + out, MAX (y, y + h) + out };
}

/* Where in its run it is, for the marks that grow with the time. */
static guint64
progress (const LsItem *item, const LsMoment *moment)
{
  const double done = (double) item->w * (double) (moment->time_ns - item->t0)
                      / (double) (item->t1 - item->t0);
  guint64 bits;

  memcpy (&bits, &done, sizeof bits);
  return bits & ~(guint64) 15;
}

guint64
ls_paint_look (const LsItem *item, const LsMoment *moment)
{
  const guint64 faded = ls_item_faded (item, moment) ? 8 : 0;
  LsItemState state;

  if (!ls_item_shown (item, moment))
    return 0;
  if (item->kind != LS_ITEM_TILE && item->kind != LS_ITEM_BAR && item->kind != LS_ITEM_WAIT)
    return 1 | faded;
  state = ls_item_state (item, moment);
  if (state == LS_AHEAD)
    return item->kind == LS_ITEM_TILE ? 2 : 0; /* grey, whose it will be */
  if (state == LS_RUNNING)
    return 3 | faded | (item->kind == LS_ITEM_TILE ? 0 : progress (item, moment));
  return 4 | faded;
}

static guint64
mix (guint64 hash, guint64 word)
{
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

static guint64
mix_bytes (guint64 hash, const void *bytes, gsize n)
{
  const guint8 *from = bytes;
  guint64 word;

  for (; n >= 8; n -= 8, from += 8)
    {
      memcpy (&word, from, 8);
      hash = mix (hash, word);
    }
  word = 0;
  memcpy (&word, from, n);
  return n > 0 ? mix (hash, word) : hash;
}

guint64
ls_paint_hash (const LsScene *scene, const LsItem *item)
{
  const float numbers[8] = { item->x,     item->y,    item->w,     item->h,
                             item->value, item->size, item->alpha, (float) item->type.px };
  guint64 hash = item->kind | (guint64) item->ink << 8 | (guint64) item->worker << 16
                 | (guint64) item->owner << 24 | (guint64) item->type.weight << 32;

  hash = mix_bytes (mix (item->n_points, hash), numbers, sizeof numbers);
  if (item->text != NULL)
    hash = mix_bytes (mix (hash, strlen (item->text)), item->text, strlen (item->text));
  if (item->kind == LS_ITEM_IMAGE)
    hash = mix (hash, ((const LsSceneImage *) g_ptr_array_index (scene->images, item->image))->hash);
  if (item->n_points > 0)
    hash = mix_bytes (hash, points_of (scene, item), 2 * sizeof (float) * item->n_points);
  return hash;
}

gboolean
ls_paint_slanted (const LsScene *scene, const LsItem *item)
{
  const float *points = points_of (scene, item);

  switch ((LsItemKind) item->kind)
    {
    case LS_ITEM_BOX:
      return item->size > 0;
    case LS_ITEM_TILE:
    case LS_ITEM_BAR:
      return item->owner != LS_NO_VALUE && item->size > 0;
    case LS_ITEM_LINE:
      return item->n_points != 2 || !(points[0] == points[2] || points[1] == points[3]);
    case LS_ITEM_AREA:
    case LS_ITEM_DOTS:
    case LS_ITEM_EVIDENCE:
    case LS_ITEM_ZIGZAG:
    case LS_ITEM_WARNING:
    case LS_ITEM_HOLLOW:
    case LS_ITEM_HATCH:
    case LS_ITEM_DOTTED:
    case LS_ITEM_RINGS:
    case LS_ITEM_GUIDE:
      return TRUE;
    case LS_ITEM_TEXT: /* newer ones lose a glyph's faint rows at the edge of a clip */
      return cairo_version () >= CAIRO_VERSION_ENCODE (1, 17, 6);
    case LS_ITEM_WAIT:
    case LS_ITEM_DASH:
    case LS_ITEM_RAMP:
    case LS_ITEM_FRAME:
    case LS_ITEM_IMAGE: /* set to whole device pixels */
      break;
    }
  return FALSE;
}
