/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shaped runs by size, weight and text. Metrics are not hinted, so a layout is the same at every scale and on paper.
 */
#include "ui/paint/fonts.h"

#include <pango/pangocairo.h>

#define RUNS_MAX  8192    /* then the runs are forgotten and made anew */
#define BOX_WIDTH 0.6     /* em, in the font of boxes */

struct _LsFonts {
  gint ref_count;
  char *family;           /* NULL: boxes */
  double stretch;         /* of words in boxes */
  PangoContext *context;
  GHashTable *runs;       /* "size weight text" → PangoLayout */
};

LsFonts *
ls_fonts_new (const char *family)
{
  LsFonts *fonts = g_new0 (LsFonts, 1);

  fonts->ref_count = 1;
  fonts->stretch = 1;
  if (family == NULL)
    return fonts;
  cairo_font_options_t *options = cairo_font_options_create ();
  fonts->family = g_strdup (family);
  fonts->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  pango_cairo_context_set_resolution (fonts->context, 96);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (fonts->context, options);
  cairo_font_options_destroy (options);
  fonts->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return fonts;
}

LsFonts *
ls_fonts_new_stretched (double stretch)
{
  LsFonts *fonts = ls_fonts_new (NULL);

  fonts->stretch = stretch;
  return fonts;
}

/* Formulas, units and numbers are the same in all languages: they have no three letters in a row. */
static gboolean
has_words (const char *text)
{
  guint letters = 0;

  for (; *text && letters < 3; text++)
    letters = g_ascii_isalpha (*text) ? letters + 1 : 0;
  return letters == 3;
}

static double
box_width (const LsFonts *fonts, LsType type, const char *text)
{
  return BOX_WIDTH * type.px * (fonts->stretch > 1 && has_words (text) ? fonts->stretch : 1);
}

LsFonts *
ls_fonts_ref (LsFonts *fonts)
{
  g_atomic_int_inc (&fonts->ref_count);
  return fonts;
}

void
ls_fonts_unref (LsFonts *fonts)
{
  if (fonts == NULL || !g_atomic_int_dec_and_test (&fonts->ref_count))
    return;
  g_clear_object (&fonts->context);
  g_clear_pointer (&fonts->runs, g_hash_table_unref);
  g_free (fonts->family);
  g_free (fonts);
}

static PangoLayout *
run_of (LsFonts *fonts, LsType type, const char *text)
{
  g_autofree char *key = g_strdup_printf ("%d %d %s", (int) (type.px * 16), type.weight, text);
  PangoLayout *layout = g_hash_table_lookup (fonts->runs, key);
  PangoFontDescription *font;
  PangoAttrList *attributes;

  if (layout != NULL)
    return layout;
  if (g_hash_table_size (fonts->runs) >= RUNS_MAX)
    g_hash_table_remove_all (fonts->runs);
  layout = pango_layout_new (fonts->context);
  font = pango_font_description_new ();
  pango_font_description_set_family (font, fonts->family);
  pango_font_description_set_absolute_size (font, type.px * PANGO_SCALE);
  pango_font_description_set_weight (font, (PangoWeight) type.weight);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  g_hash_table_insert (fonts->runs, g_steal_pointer (&key), layout);
  return layout;
}

double
ls_fonts_width (LsFonts *fonts, LsType type, const char *text)
{
  int width;

  if (fonts->family == NULL)
    return box_width (fonts, type, text) * (double) g_utf8_strlen (text, -1);
  pango_layout_get_size (run_of (fonts, type, text), &width, NULL);
  return (double) width / PANGO_SCALE;
}

static void
show_boxes (const LsFonts *fonts, cairo_t *cr, LsType type, double x, double y, const char *text)
{
  const double width = box_width (fonts, type, text);

  for (const char *c = text; *c; c = g_utf8_next_char (c), x += width)
    if (!g_unichar_isspace (g_utf8_get_char (c)))
      cairo_rectangle (cr, x + 1, y - .7 * type.px, width - 2, .7 * type.px);
  cairo_fill (cr);
}

void
ls_fonts_show (LsFonts *fonts, cairo_t *cr, LsType type, double x, double y, const char *text)
{
  PangoLayout *layout;

  if (fonts->family == NULL)
    {
      show_boxes (fonts, cr, type, x, y, text);
      return;
    }
  layout = run_of (fonts, type, text);
  cairo_move_to (cr, x, y - (double) pango_layout_get_baseline (layout) / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
}
