/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bars that are painted together look as each does alone: its colour, and an edge round those that would be
 * hard to see; and how wide words are in each type, and those of another language are reckoned to be.
 */
#include "marks.h"

static LsItem *
add_bar (LsScene *s, double x, double y, double w, double h, guint worker)
{
  LsItem *bar = ls_scene_mark (s, LS_ITEM_BAR, x, y, w, h, LS_INK_WORKER, worker);

  bar->t0 = 100;
  bar->t1 = 200;
  bar->worker = (guint8) worker;
  return bar;
}

/* Corners and the middles of edges, and the middle. */
static void
check_bar (cairo_surface_t *surface, const char *what, gint x, gint y, gint w, gint h, LsColor fill,
           LsColor edge)
{
  assert_pixel (surface, x, y, edge, what);
  assert_pixel (surface, x + w - 1, y + h - 1, edge, what);
  assert_pixel (surface, x + w / 2, y, edge, what);
  assert_pixel (surface, x, y + h / 2, edge, what);
  assert_pixel (surface, x + w - 1, y + h / 2, edge, what);
  assert_pixel (surface, x + w / 2, y + h / 2, fill, what);
  assert_pixel (surface, x - 1, y + h / 2, ground, what);
  assert_pixel (surface, x + w / 2, y + h, ground, what);
}

/* In a row, each by its worker's colour; those too light against the view, and in print all, have an edge of
 * their own; those lower or narrower than 4 px none. */
static void
test_row (void)
{
  static const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_DARK, LS_LOOK_PRINT };
  guint edged = 0, plain = 0;

  for (guint l = 0; l < G_N_ELEMENTS (looks); l++)
    for (guint worker = 0; worker < 8; worker++)
      {
        LsColor fill, edge;

        ls_style_init (&style, looks[l], 1);
        fill = ink (LS_INK_WORKER, worker);
        const gboolean has = ls_style_edge (&style, fill, &edge);
        LsScene *s = ls_scene_new (fonts, &style);
        add_bar (s, 4, 4, 12, 8, worker);
        add_bar (s, 20, 4, 16, 8, worker);
        add_bar (s, 40, 4, 3, 8, worker);
        add_bar (s, 48, 4, 12, 3, worker);
        add_bar (s, 4, 20, 12, 8, worker)->t1 = 400; /* still goes on: painted by itself */
        add_bar (s, 20, 20, 12, 8, worker);
        ls_scene_box (s, 4, 40, 20, 10, LS_INK_TEXT, 0);
        cairo_surface_t *surface = painted (s, at_time (300));
        g_autofree char *what = g_strdup_printf ("look %u, worker %u", looks[l], worker);
        check_bar (surface, what, 4, 4, 12, 8, fill, has ? edge : fill);
        check_bar (surface, what, 20, 4, 16, 8, fill, has ? edge : fill);
        check_bar (surface, what, 40, 4, 3, 8, fill, fill);
        check_bar (surface, what, 48, 4, 12, 3, fill, fill);
        check_bar (surface, what, 20, 20, 12, 8, fill, has ? edge : fill);
        check_bar (surface, what, 4, 40, 20, 10, ink (LS_INK_TEXT, 0), ink (LS_INK_TEXT, 0));
        cairo_surface_destroy (surface);
        edged += has;
        plain += !has;
      }
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  if (edged == 0 || plain == 0)
    g_error ("%u colours have an edge, %u have none", edged, plain);
}

/* What is the same in all languages keeps its width: numbers, units, formulas and code have no three letters
 * in a row. */
static void
test_stretched (void)
{
  static const struct {
    const char *text;
    gboolean code, stretched;
  } cases[] = {
    { "wide", FALSE, TRUE },     { "wide", TRUE, FALSE },      { "all", FALSE, TRUE },
    { "12 ms", FALSE, FALSE },   { "ab", FALSE, FALSE },       { "a b c d", FALSE, FALSE },
    { "a1b2c3", FALSE, FALSE },  { "ab cd ef", FALSE, FALSE }, { "1 step", FALSE, TRUE },
    { "x = W y", FALSE, FALSE }, { "at the", FALSE, TRUE },    { "", FALSE, FALSE },
    { "12 kB", FALSE, FALSE },   { "of 3 ops", FALSE, TRUE },  { "0.5 ± 0.1", FALSE, FALSE },
  };
  g_autoptr (LsFonts) wide = ls_fonts_new_stretched (1.5);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsType type = { 10, 400, .code = cases[i].code };
      const double once = ls_fonts_width (fonts, type, cases[i].text),
                   is = ls_fonts_width (wide, type, cases[i].text);
      if (fabs (is - once * (cases[i].stretched ? 1.5 : 1)) > .01)
        g_error ("“%s” is %g wide, and stretched %g", cases[i].text, once, is);
    }
}

/* A text has the width of its own type, whatever else was asked for before, and of how many. */
static void
test_types (void)
{
  static const LsType types[] = { { 12, 400 },
                                  { 12, 700 },
                                  { 18, 400 },
                                  { 18, 700 },
                                  { 12.5, 400 },
                                  { 12, 400, .code = TRUE },
                                  { 18, 400, .code = TRUE } };
  static const char *const texts[] = { "width", "matmul", "12 ms" };
  g_autoptr (LsFonts) all = ls_fonts_new ("Sans");
  double own[G_N_ELEMENTS (texts)][G_N_ELEMENTS (types)];

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (types); k++)
      {
        g_autoptr (LsFonts) fresh = ls_fonts_new ("Sans");
        own[i][k] = ls_fonts_width (fresh, types[k], texts[i]);
      }
  for (guint round = 0; round < 3; round++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        for (guint k = 0; k < G_N_ELEMENTS (types); k++)
          {
            const double is = ls_fonts_width (all, types[k], texts[i]);
            if (fabs (is - own[i][k]) > 1e-9)
              g_error ("round %u: “%s” at %g px, weight %d%s, is %g px wide, and was asked for alone %g",
                       round, texts[i], types[k].px, types[k].weight, types[k].code ? ", as code" : "", is,
                       own[i][k]);
          }
      for (guint n = 0; n < 5000; n++) /* more than are kept */
        {
          g_autofree char *number = g_strdup_printf ("%u", n);
          ls_fonts_width (all, types[n % 2], number);
        }
    }
}

/* A number keeps its width while it counts: all digits are as wide as each other, also in families whose own
 * ones aren't, and in every weight. */
static void
test_digits (void)
{
  static const char *const families[] = { "Cantarell, Sans", "Sans", "Serif" };
  static const int weights[] = { 400, 700 };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (guint k = 0; k < G_N_ELEMENTS (weights); k++)
      {
        g_autoptr (LsFonts) own = ls_fonts_new (families[i]);
        const LsType type = { 20, weights[k] };
        const double zero = ls_fonts_width (own, type, "0000");

        for (char digit = '1'; digit <= '9'; digit++)
          {
            const char text[] = { digit, digit, digit, digit, '\0' };
            if (fabs (ls_fonts_width (own, type, text) - zero) > .01)
              g_error ("in %s of weight %d “%s” is %g px wide, and “0000” %g", families[i], weights[k], text,
                       ls_fonts_width (own, type, text), zero);
          }
      }
}

/* How dark a text is as it is shown, and where: the sum of what its pixels took from white. */
static double
darkness (LsFonts *of, LsType type, const char *text)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 300, 60);
  cairo_t *cr = cairo_create (surface);
  double sum = 0;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_set_source_rgb (cr, 0, 0, 0);
  ls_fonts_show (of, cr, type, 10, 40, text);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (gint y = 0; y < 60; y++)
    for (gint x = 0; x < 300; x++)
      sum += 255 - (pixel_at (surface, x, y) & 255);
  cairo_surface_destroy (surface);
  return sum / 255;
}

/* What is bold is darker than what isn't, what is twice as large about four times as dark; and as code all
 * letters are as wide as each other, which elsewhere they aren't. */
static void
test_weights (void)
{
  g_autoptr (LsFonts) own = ls_fonts_new ("Sans");
  const double plain = darkness (own, (LsType){ 16, 400 }, "matmul"),
               bold = darkness (own, (LsType){ 16, 700 }, "matmul"),
               large = darkness (own, (LsType){ 32, 400 }, "matmul"),
               thin = ls_fonts_width (own, (LsType){ 16, 400, .code = TRUE }, "iiii"),
               wide = ls_fonts_width (own, (LsType){ 16, 400, .code = TRUE }, "mmmm");

  g_assert_cmpfloat (plain, >, 20);
  if (bold < 1.1 * plain)
    g_error ("bold words have %g pixels of ink, plain ones %g", bold, plain);
  if (large < 3 * plain || large > 5 * plain)
    g_error ("words of 32 px have %g pixels of ink, of 16 px %g", large, plain);
  if (fabs (thin - wide) > .01)
    g_error ("as code “iiii” is %g px wide, “mmmm” %g", thin, wide);
  g_assert_cmpfloat (ls_fonts_width (own, (LsType){ 16, 400 }, "iiii"), <,
                     ls_fonts_width (own, (LsType){ 16, 400 }, "mmmm"));
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  g_test_add_func ("/paint/bars/row", test_row);
  g_test_add_func ("/paint/bars/stretched", test_stretched);
  g_test_add_func ("/paint/bars/types", test_types);
  g_test_add_func ("/paint/bars/digits", test_digits);
  g_test_add_func ("/paint/bars/weights", test_weights);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
