/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures in a scene: so many columns and rows, a level for each value, classes as they are; and which of
 * them are the same.
 */
#include <math.h>
#include <string.h>

#include "marks.h"

#define COLS 3u
#define ROWS 2u

static const LsSceneImage *
image_of (const LsScene *s, const LsItem *item)
{
  return g_ptr_array_index (s->images, item->image);
}

static void
check (const LsScene *s, const LsItem *item, LsInk ink, const guint8 *levels, const char *what)
{
  const LsSceneImage *image = image_of (s, item);

  g_assert_cmpuint (item->kind, ==, LS_ITEM_IMAGE);
  g_assert_cmpuint (item->ink, ==, ink);
  g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MEASURED);
  g_assert_true (item->x == 5 && item->y == 6 && item->w == 30 && item->h == 20);
  if (image->cols != COLS || image->rows != ROWS)
    g_error ("%s: %u columns and %u rows, not %u and %u", what, image->cols, image->rows, COLS, ROWS);
  for (guint i = 0; i < COLS * ROWS; i++)
    if (image->levels[i] != levels[i])
      g_error ("%s: value %u has level %u, not %u", what, i, image->levels[i], levels[i]);
}

/* Amounts from 0 to the greatest, signs around the middle; what is beyond stands at the end, and what is no
 * number, or of nothing, where 0 does. */
static void
test_levels (void)
{
  static const float values[] = { 0, .5f, 1, -1, 3, NAN };
  static const struct {
    LsInk ink;
    double top;
    guint8 levels[COLS * ROWS];
  } cases[] = {
    { LS_INK_AMOUNT, 1, { 0, 128, 255, 0, 255, 0 } },    { LS_INK_AMOUNT, 4, { 0, 32, 64, 0, 191, 0 } },
    { LS_INK_AMOUNT, 0, { 0, 0, 0, 0, 0, 0 } },          { LS_INK_SIGN, 1, { 128, 192, 255, 1, 255, 128 } },
    { LS_INK_SIGN, 2, { 128, 160, 192, 64, 255, 128 } }, { LS_INK_SIGN, 0, { 128, 128, 128, 128, 128, 128 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsScene *s = ls_scene_new (fonts, &style);
      g_autofree char *what = g_strdup_printf ("case %u", i);

      check (s, ls_scene_image (s, 5, 6, 30, 20, cases[i].ink, values, COLS, ROWS, cases[i].top),
             cases[i].ink, cases[i].levels, what);
      ls_scene_free (s);
    }
}

static void
test_classes (void)
{
  static const guint8 levels[] = { 0, 31, 32, 100, 254, 255 };
  guint8 changed[COLS * ROWS];
  LsScene *s = ls_scene_new (fonts, &style);
  const guint64 hash = image_of (s, ls_scene_classes (s, 5, 6, 30, 20, levels, COLS, ROWS))->hash;

  check (s, ls_scene_get (s, 0), LS_INK_WORKER, levels, "classes");
  /* the same again; of another shape, or with one other level, it isn't */
  g_assert_cmpuint (image_of (s, ls_scene_classes (s, 0, 0, 9, 9, levels, COLS, ROWS))->hash, ==, hash);
  g_assert_cmpuint (image_of (s, ls_scene_classes (s, 0, 0, 9, 9, levels, ROWS, COLS))->hash, !=, hash);
  for (guint i = 0; i < COLS * ROWS; i++)
    {
      memcpy (changed, levels, sizeof changed);
      changed[i] ^= 1;
      g_assert_cmpuint (image_of (s, ls_scene_classes (s, 0, 0, 9, 9, changed, COLS, ROWS))->hash, !=, hash);
    }
  ls_scene_free (s);
}

/* Where a picture has more or fewer pixels than values, each pixel has the colour of the value under its
 * middle, in both directions. */
static void
test_middles (void)
{
  const guint cols = 7, rows = 5;
  guint8 levels[35];

  for (guint i = 0; i < cols * rows; i++)
    levels[i] = (guint8) (i * 7);
  for (guint w = 1; w <= 40; w++)
    for (guint h = 1; h <= 40; h += 3)
      {
        LsScene *s = ls_scene_new (fonts, &style);
        ls_scene_classes (s, 10, 12, w, h, levels, cols, rows);
        cairo_surface_t *surface = painted (s, at_time (300));
        for (guint y = 0; y < h; y++)
          for (guint x = 0; x < w; x++)
            {
              const guint col = (guint) floor ((x + .5) * cols / w),
                          row = (guint) floor ((y + .5) * rows / h);
              const guint level = levels[row * cols + col];
              g_autofree char *what = g_strdup_printf ("%u×%u pixels, column %u, row %u", w, h, col, row);
              assert_pixel (
                surface, 10 + (gint) x, 12 + (gint) y,
                mixed (ink (LS_INK_WINDOW, 0), ink (LS_INK_WORKER, level / 32), .42 * (level % 32) / 31),
                what);
            }
        assert_pixel (surface, 10 + (gint) w, 12, ground, "right of a picture");
        assert_pixel (surface, 10, 12 + (gint) h, ground, "below a picture");
        cairo_surface_destroy (surface);
      }
}

/* Pictures of amounts, of signs and of classes in one scene each have their own colours, whichever is first.
 */
static void
test_together (void)
{
  static const LsInk inks[] = { LS_INK_AMOUNT, LS_INK_SIGN, LS_INK_WORKER };
  static const float values[] = { 0, .25f, 1 };
  static const guint8 classes[] = { 31, 100, 255 };

  for (guint first = 0; first < 3; first++)
    {
      LsScene *s = ls_scene_new (fonts, &style);

      for (guint i = 0; i < 3; i++)
        {
          const guint which = (first + i) % 3;
          if (inks[which] == LS_INK_WORKER)
            ls_scene_classes (s, 10, 10 + 12 * which, 30, 10, classes, 3, 1);
          else
            ls_scene_image (s, 10, 10 + 12 * which, 30, 10, inks[which], values, 3, 1, 1);
        }
      cairo_surface_t *surface = painted (s, at_time (300));
      for (guint which = 0; which < 3; which++)
        for (guint k = 0; k < 3; k++)
          {
            const LsColor should = inks[which] == LS_INK_WORKER
                                     ? mixed (ink (LS_INK_WINDOW, 0), ink (LS_INK_WORKER, classes[k] / 32),
                                              .42 * (classes[k] % 32) / 31)
                                     : ink (inks[which], (double) values[k]);
            g_autofree char *what = g_strdup_printf ("picture %u first, value %u of picture %u", first, k,
                                                     which);
            assert_pixel (surface, 15 + 10 * (gint) k, 15 + 12 * (gint) which, should, what);
          }
      cairo_surface_destroy (surface);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/images/levels", test_levels);
  g_test_add_func ("/paint/images/classes", test_classes);
  g_test_add_func ("/paint/images/middles", test_middles);
  g_test_add_func ("/paint/images/together", test_together);
  const int result = g_test_run ();
  ls_fonts_unref (fonts);
  return result;
}
