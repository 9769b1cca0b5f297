/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shaped runs by size, weight and text. Metrics are not hinted, so a layout is the same at every scale and on
 * paper.
 */
#include "ui/paint/scene/fonts.h"

#include <string.h>
#include <pango/pangocairo.h>

#define RUNS_MAX    4096 /* then each new run takes the place of the one that was asked for the longest ago */
#define BOX_WIDTH   0.6  /* em, in the font of boxes */
#define CODE_FAMILY "Monospace"

struct _LsFonts {
  gint ref_count;
  char *family;   /* NULL: boxes */
  double stretch; /* of words in boxes */
  PangoContext *context;
  GHashTable *runs; /* set of Run */
  GQueue recent;    /* the same, the last one asked for first; their links are the runs' own */
};

/* A text in a size and weight, shaped. */
typedef struct {
  int px16, weight; /* size in sixteenths of a px */
  gboolean code;
  guint hash;
  const char *text; /* behind the struct, or the asker's in a key */
  PangoLayout *layout;
  double width, baseline;
  LsInkBox ink;
  GList link;
} Run;

static guint
hash_cb (gconstpointer data)
{
  return ((const Run *) data)->hash;
}

static gboolean
equal_cb (gconstpointer a, gconstpointer b)
{
  const Run *x = a, *y = b;

  return x->hash == y->hash && x->px16 == y->px16 && x->weight == y->weight && x->code == y->code
         && strcmp (x->text, y->text) == 0;
}

static void
run_free (gpointer data)
{
  g_clear_object (&((Run *) data)->layout);
  g_free (data);
}

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
  fonts->runs = g_hash_table_new_full (hash_cb, equal_cb, run_free, NULL);
  g_queue_init (&fonts->recent);
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
  return BOX_WIDTH * type.px * (fonts->stretch > 1 && !type.code && has_words (text) ? fonts->stretch : 1);
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
shape (LsFonts *fonts, const Run *run)
{
  PangoLayout *layout = pango_layout_new (fonts->context);
  PangoFontDescription *font = pango_font_description_new ();
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_font_description_set_family (font, run->code ? CODE_FAMILY : fonts->family);
  pango_font_description_set_absolute_size (font, run->px16 * (PANGO_SCALE / 16));
  pango_font_description_set_weight (font, (PangoWeight) run->weight);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, run->text, -1);
  return layout;
}

static Run *
run_new (LsFonts *fonts, const Run *key)
{
  const gsize length = strlen (key->text) + 1;
  Run *run = g_malloc (sizeof *run + length);
  PangoRectangle ink, logical;

  *run = *key;
  run->link.data = run;
  run->text = memcpy (run + 1, key->text, length);
  run->layout = shape (fonts, run);
  pango_layout_get_extents (run->layout, &ink, &logical);
  run->width = (double) logical.width / PANGO_SCALE;
  run->baseline = (double) pango_layout_get_baseline (run->layout) / PANGO_SCALE;
  run->ink = (LsInkBox){ (double) ink.x / PANGO_SCALE, (double) ink.y / PANGO_SCALE - run->baseline,
                         (double) (ink.x + ink.width) / PANGO_SCALE,
                         (double) (ink.y + ink.height) / PANGO_SCALE - run->baseline };
  return run;
}

/* Forgets one at a time: all that are old at once would take as long as a frame. */
static const Run *
run_of (LsFonts *fonts, LsType type, const char *text)
{
  Run key = { .px16 = (int) (type.px * 16), .weight = type.weight, .code = type.code, .text = text }, *run;

  key.hash = g_str_hash (text) ^ (guint) key.px16 * 2654435761u ^ (guint) key.weight << 8
             ^ (key.code ? 1u << 31 : 0);
  run = g_hash_table_lookup (fonts->runs, &key);
  if (run != NULL)
    {
      g_queue_unlink (&fonts->recent, &run->link);
      g_queue_push_head_link (&fonts->recent, &run->link);
      return run;
    }
  if (fonts->recent.length >= RUNS_MAX)
    g_hash_table_remove (fonts->runs, g_queue_pop_tail_link (&fonts->recent)->data);
  run = run_new (fonts, &key);
  g_hash_table_add (fonts->runs, run);
  g_queue_push_head_link (&fonts->recent, &run->link);
  return run;
}

double
ls_fonts_width (LsFonts *fonts, LsType type, const char *text)
{
  if (fonts->family == NULL)
    return box_width (fonts, type, text) * (double) g_utf8_strlen (text, -1);
  return run_of (fonts, type, text)->width;
}

LsInkBox
ls_fonts_ink (LsFonts *fonts, LsType type, const char *text)
{
  if (fonts->family == NULL)
    return (LsInkBox){ 0, -.7 * type.px, ls_fonts_width (fonts, type, text), 0 };
  return run_of (fonts, type, text)->ink;
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
  const Run *run;

  if (fonts->family == NULL)
    {
      show_boxes (fonts, cr, type, x, y, text);
      return;
    }
  run = run_of (fonts, type, text);
  cairo_move_to (cr, x, y - run->baseline);
  pango_cairo_show_layout (cr, run->layout);
}
