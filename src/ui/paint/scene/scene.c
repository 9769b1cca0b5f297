/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building scenes, and reading them: bounds, picking, the text dump. Painting is in paint.c.
 */
#include "ui/paint/scene/scene.h"

#include <math.h>
#include <string.h>

#define TARGET_PX 24 /* the least a pointer must be offered */

LsScene *
ls_scene_new (LsFonts *fonts, const LsStyle *style)
{
  LsScene *scene = g_new0 (LsScene, 1);

  scene->fonts = ls_fonts_ref (fonts);
  scene->style = style;
  scene->items = g_array_new (FALSE, FALSE, sizeof (LsItem));
  scene->points = g_array_new (FALSE, FALSE, 2 * sizeof (float));
  scene->texts = g_string_chunk_new (4096);
  scene->images = g_ptr_array_new_with_free_func (g_free);
  return scene;
}

void
ls_scene_clear (LsScene *scene)
{
  g_array_set_size (scene->items, 0);
  g_array_set_size (scene->points, 0);
  g_string_chunk_clear (scene->texts);
  g_ptr_array_set_size (scene->images, 0);
}

void
ls_scene_free (LsScene *scene)
{
  if (scene == NULL)
    return;
  ls_fonts_unref (scene->fonts);
  g_array_unref (scene->items);
  g_array_unref (scene->points);
  g_string_chunk_free (scene->texts);
  g_ptr_array_unref (scene->images);
  g_free (scene);
}

LsItem *
ls_scene_get (const LsScene *scene, guint i)
{
  return &g_array_index (scene->items, LsItem, i);
}

static LsItem *
add (LsScene *scene, LsItemKind kind, LsInk ink, double value)
{
  LsItem item = { .kind = (guint8) kind,
                  .ink = (guint8) ink,
                  .value = (float) value,
                  .alpha = 1,
                  .worker = LS_NO_VALUE,
                  .owner = LS_NO_VALUE,
                  .side = LS_NO_VALUE,
                  .evidence = LS_NO_VALUE,
                  .event = LS_NO_EVENT,
                  .points = scene->points->len };

  g_array_append_val (scene->items, item);
  return ls_scene_get (scene, scene->items->len - 1);
}

LsItem *
ls_scene_mark (LsScene *scene, LsItemKind kind, double x, double y, double w, double h, LsInk ink,
               double value)
{
  LsItem *item = add (scene, kind, ink, value);

  if (kind == LS_ITEM_TILE || kind == LS_ITEM_BAR || kind == LS_ITEM_WAIT)
    item->evidence = LS_EVIDENCE_MEASURED;
  else if (kind == LS_ITEM_HOLLOW || kind == LS_ITEM_HATCH || kind == LS_ITEM_DOTTED)
    item->evidence = kind == LS_ITEM_HOLLOW  ? LS_EVIDENCE_DERIVED
                     : kind == LS_ITEM_HATCH ? LS_EVIDENCE_MODELLED
                                             : LS_EVIDENCE_PUBLISHED;
  item->x = (float) x;
  item->y = (float) y;
  item->w = (float) w;
  item->h = (float) h;
  return item;
}

LsItem *
ls_scene_box (LsScene *scene, double x, double y, double w, double h, LsInk ink, double value)
{
  return ls_scene_mark (scene, LS_ITEM_BOX, x, y, w, h, ink, value);
}

void
ls_item_number (LsItem *item, gint side, LsNumber number)
{
  item->side = side >= 0 ? (guint8) side : LS_NO_VALUE;
  item->number = (guint8) number;
}

LsItem *
ls_scene_evidence (LsScene *scene, double x, double y, double size, LsEvidence evidence, LsInk ink)
{
  LsItem *item = ls_scene_mark (scene, LS_ITEM_EVIDENCE, x, y, size, size, ink, (double) evidence);

  item->evidence = (guint8) evidence;
  return item;
}

double
ls_scene_width (const LsScene *scene, LsType type, const char *text)
{
  return ls_fonts_width (scene->fonts, type, text);
}

LsItem *
ls_scene_text (LsScene *scene, double x, double y, LsType type, LsInk ink, LsAlign align, const char *text)
{
  LsItem *item = add (scene, LS_ITEM_TEXT, ink, 0);
  const double width = ls_scene_width (scene, type, text);

  item->x = (float) (align == LS_LEFT ? x : align == LS_CENTER ? x - width / 2 : x - width);
  item->y = (float) y;
  item->w = (float) width;
  item->h = (float) type.px;
  item->type = type;
  item->align = (guint8) align;
  item->text = g_string_chunk_insert_const (scene->texts, text);
  return item;
}

LsItem *
ls_scene_path (LsScene *scene, LsItemKind kind, LsInk ink, double value, double width)
{
  LsItem *item = add (scene, kind, ink, value);

  item->size = (float) width;
  return item;
}

void
ls_scene_point (LsScene *scene, double x, double y)
{
  const float point[2] = { (float) x, (float) y };

  g_array_append_vals (scene->points, point, 1);
  ls_scene_get (scene, scene->items->len - 1)->n_points++;
}

LsItem *
ls_scene_segment (LsScene *scene, double x0, double y0, double x1, double y1, LsInk ink, double width)
{
  ls_scene_path (scene, LS_ITEM_LINE, ink, 0, width);
  ls_scene_point (scene, x0, y0);
  ls_scene_point (scene, x1, y1);
  return ls_scene_get (scene, scene->items->len - 1);
}

/* FNV-1a over the bytes. */
static guint64
hash_levels (guint64 hash, const guint8 *levels, gsize n)
{
  for (gsize i = 0; i < n; i++)
    hash = (hash ^ levels[i]) * 0x100000001B3u;
  return hash;
}

static void
add_image (LsScene *scene, LsItem *item, LsSceneImage *image)
{
  const guint cols = image->cols, rows = image->rows;

  image->hash = hash_levels (
    hash_levels (0xCBF29CE484222325u,
                 (const guint8[]){ cols & 255, cols >> 8 & 255, rows & 255, rows >> 8 & 255 }, 4),
    image->levels, (gsize) cols * rows);
  item->image = scene->images->len;
  item->evidence = LS_EVIDENCE_MEASURED;
  g_ptr_array_add (scene->images, image);
}

LsItem *
ls_scene_image (LsScene *scene, double x, double y, double w, double h, LsInk ink, const float *values,
                guint cols, guint rows, double top)
{
  const gsize n = (gsize) cols * rows;
  LsSceneImage *image = g_malloc (sizeof *image + n);
  LsItem *item = ls_scene_mark (scene, LS_ITEM_IMAGE, x, y, w, h, ink, 0);

  image->cols = cols;
  image->rows = rows;
  for (gsize i = 0; i < n; i++)
    {
      const double t = top > 0 && isfinite (values[i]) ? (double) values[i] / top : 0;
      image->levels[i] = (guint8) (ink == LS_INK_SIGN ? 128 + rint (127 * CLAMP (t, -1, 1))
                                                      : rint (255 * CLAMP (t, 0, 1)));
    }
  add_image (scene, item, image);
  return item;
}

LsItem *
ls_scene_classes (LsScene *scene, double x, double y, double w, double h, const guint8 *levels, guint cols,
                  guint rows)
{
  LsSceneImage *image = g_malloc (sizeof *image + (gsize) cols * rows);
  LsItem *item = ls_scene_mark (scene, LS_ITEM_IMAGE, x, y, w, h, LS_INK_WORKER, 0);

  image->cols = cols;
  image->rows = rows;
  memcpy (image->levels, levels, (gsize) cols * rows);
  add_image (scene, item, image);
  return item;
}

void
ls_item_bounds (const LsScene *scene, const LsItem *item, double *x, double *y, double *w, double *h)
{
  const float *points = (const float *) (const void *) scene->points->data + 2 * (gsize) item->points;
  double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL;

  *x = (double) item->x;
  *y = (double) item->y;
  *w = (double) item->w;
  *h = (double) item->h;
  if (item->kind == LS_ITEM_TEXT)
    {
      *y -= LS_ASCENT * item->type.px;
      *h = (LS_ASCENT + LS_DESCENT) * item->type.px;
    }
  if (item->n_points == 0)
    return;
  for (guint i = 0; i < item->n_points; i++)
    {
      left = MIN (left, (double) points[2 * i]);
      right = MAX (right, (double) points[2 * i]);
      top = MIN (top, (double) points[2 * i + 1]);
      bottom = MAX (bottom, (double) points[2 * i + 1]);
    }
  *x = left;
  *y = top;
  *w = right - left;
  *h = bottom - top;
}

const LsItem *
ls_scene_pick (const LsScene *scene, double x, double y)
{
  const LsItem *best = NULL;
  double nearest = HUGE_VAL;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const double w = (double) item->w, h = (double) item->h;
      const double dx = x - (double) item->x - w / 2, dy = y - (double) item->y - h / 2;
      const gboolean inside = fabs (dx) <= w / 2 && fabs (dy) <= h / 2;
      const double distance = inside ? -1 / (1 + hypot (dx, dy)) : hypot (dx, dy);

      if (item->event == LS_NO_EVENT || item->kind == LS_ITEM_TEXT)
        continue;
      if (fabs (dx) > MAX (w, TARGET_PX) / 2 || fabs (dy) > MAX (h, TARGET_PX) / 2 || distance >= nearest)
        continue;
      nearest = distance;
      best = item;
    }
  return best;
}

static void
dump_number (FILE *stream, const char *name, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.1f", round (value * 2) / 2);
  fprintf (stream, " %s%s", name, buffer);
}

void
ls_scene_dump (const LsScene *scene, FILE *stream)
{
  static const char *const kinds[] = { "box",      "tile",  "bar",    "text",  "line",  "area",   "dots",
                                       "evidence", "wait",  "dash",   "ramp",  "frame", "zigzag", "warning",
                                       "hollow",   "hatch", "dotted", "rings", "guide", "image" };

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      double x, y, w, h;

      ls_item_bounds (scene, item, &x, &y, &w, &h);
      fputs (kinds[item->kind], stream);
      dump_number (stream, "", x);
      dump_number (stream, "", y);
      dump_number (stream, "", w);
      dump_number (stream, "", h);
      fprintf (stream, " ink %u", item->ink);
      if (item->value != 0)
        dump_number (stream, "value ", (double) item->value * 100);
      if (item->n_points)
        fprintf (stream, " points %u", item->n_points);
      if (item->kind == LS_ITEM_IMAGE)
        {
          const LsSceneImage *image = g_ptr_array_index (scene->images, item->image);
          fprintf (stream, " of %u×%u %016" G_GINT64_MODIFIER "x", image->cols, image->rows, image->hash);
        }
      if (item->worker != LS_NO_VALUE)
        fprintf (stream, " worker %u", item->worker);
      if (item->owner != LS_NO_VALUE)
        fprintf (stream, " of %u", item->owner);
      if (item->event != LS_NO_EVENT)
        fprintf (stream, " event %u", item->event);
      if (item->when != LS_WHEN_ALWAYS || item->kind == LS_ITEM_TILE || item->kind == LS_ITEM_BAR)
        fprintf (stream, " when %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, item->when, item->t0, item->t1);
      if (item->text)
        fprintf (stream, " %g/%d “%s”", item->type.px, item->type.weight, item->text);
      fputc ('\n', stream);
    }
}
