/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is in exported pictures: PNG with the very pixels, at the size that was asked for; SVG in pixels; PDF
 * in points, with title, subject and program, all pages in their order; and that a file which isn't made
 * leaves what was there.
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/output/export.h"
#include "ui/paint/views.h"

static char *folder;

static LsLayout *
race (LsViewData *data)
{
  LsQuery query = LS_QUERY_INIT;

  query.chrome = query.key = TRUE;
  return draw_view (&ls_view_race, data, &query, LS_LOOK_PRINT, 960, 600);
}

/* (transfer full) */
static char *
bytes_of (const char *path, gsize *n)
{
  char *bytes;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &bytes, n, &error);
  g_assert_no_error (error);
  return bytes;
}

/* A packed stream of the file, unpacked as far as that goes; appended. */
static void
unpack (GString *all, const char *from, gsize n)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  char out[4096];

  for (gsize at = 0, read = 0, written = 0; at < n; at += read)
    {
      const GConverterResult result = g_converter_convert (G_CONVERTER (zlib), from + at, n - at, out,
                                                           sizeof out, G_CONVERTER_INPUT_AT_END, &read,
                                                           &written, NULL);
      if (result == G_CONVERTER_ERROR)
        return;
      g_string_append_len (all, out, (gssize) written);
      if (result == G_CONVERTER_FINISHED)
        return;
    }
}

/* A PDF's text and that of all its streams: newer Cairo packs also what is about the pages. (transfer full)
 */
static GString *
pdf_of (const char *path)
{
  gsize n;
  g_autofree char *bytes = bytes_of (path, &n);
  GString *all = g_string_new_len (bytes, (gssize) n);

  for (const char *at = bytes;
       (at = memmem (at, n - (gsize) (at - bytes), "stream\n", strlen ("stream\n"))) != NULL;)
    {
      const gboolean begins = at < bytes + 3 || memcmp (at - 3, "end", 3) != 0;
      at += strlen ("stream\n");
      if (begins)
        unpack (all, at, n - (gsize) (at - bytes));
    }
  for (gsize i = 0; i < all->len; i++) /* so that it can be searched */
    if (all->str[i] == '\0')
      all->str[i] = ' ';
  return all;
}

/* What stands behind the key, in the brackets of a text. (transfer full) */
static char *
pdf_text (const GString *pdf, const char *key)
{
  const char *at = strstr (pdf->str, key), *end;

  if (at == NULL)
    g_error ("the PDF has no %s", key);
  at += strlen (key);
  at += strspn (at, " \n");
  if (*at == '(')
    {
      end = strchr (at, ')');
      return g_strndup (at + 1, (gsize) (end - at - 1));
    }
  /* "<FEFF0041…>": UTF-16 */
  GString *text = g_string_new (NULL);
  for (at += strlen ("<FEFF"); g_ascii_isxdigit (*at); at += 4)
    {
      g_autofree char *digits = g_strndup (at, 4);
      g_string_append_unichar (text, (gunichar) g_ascii_strtoull (digits, NULL, 16));
    }
  return g_string_free (text, FALSE);
}

/* The numbers behind the key. */
static void
pdf_numbers (const GString *pdf, const char *key, double *numbers, guint n)
{
  const char *at = strstr (pdf->str, key);

  if (at == NULL)
    g_error ("the PDF has no %s", key);
  at += strlen (key);
  at += strspn (at, " [\n");
  for (guint i = 0; i < n; i++)
    {
      char *end;
      numbers[i] = g_ascii_strtod (at, &end);
      at = end;
    }
}

/* ---- a view's picture ---- */

/* As large as was asked for, and pixel by pixel what the screen would show. */
static void
test_png (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autoptr (LsLayout) layout = race (data);
  g_autofree char *path = g_build_filename (folder, "race.png", NULL);

  for (guint scale = 1; scale <= 2; scale++)
    {
      g_autoptr (GError) error = NULL;
      cairo_surface_t *should = ls_export_surface (layout, scale), *is;
      guint differ = 0, inked = 0;

      ls_export_picture (layout, path, scale, &error);
      g_assert_no_error (error);
      is = cairo_image_surface_create_from_png (path);
      g_assert_cmpint (cairo_surface_status (is), ==, CAIRO_STATUS_SUCCESS);
      g_assert_cmpint (cairo_image_surface_get_width (is), ==, (gint) (960 * scale));
      g_assert_cmpint (cairo_image_surface_get_height (is), ==, (gint) (600 * scale));
      g_assert_cmpint (cairo_image_surface_get_width (should), ==, (gint) (960 * scale));
      cairo_surface_flush (is);
      cairo_surface_flush (should);
      for (gint y = 0; y < (gint) (600 * scale); y++)
        for (gint x = 0; x < (gint) (960 * scale); x++)
          {
            differ += (pixel_at (is, x, y) & 0xffffff) != (pixel_at (should, x, y) & 0xffffff);
            /* also the lower right half has something in it: it is scaled, not only larger */
            inked += x > 500 * (gint) scale && y > 300 * (gint) scale
                     && (pixel_at (is, x, y) & 0xffffff) != (pixel_at (is, 1, 1) & 0xffffff);
          }
      g_assert_cmpuint (differ, ==, 0);
      g_assert_cmpuint (inked, >, 500);
      cairo_surface_destroy (is);
      cairo_surface_destroy (should);
    }
  g_unlink (path);
}

/* Of a size that isn't whole pixels it is the nearest whole one, in both directions. */
static void
test_png_rounded (void)
{
  static const struct {
    double scale;
    gint w, h;
  } sizes[] = { { .5, 480, 300 },     { 1.0004, 960, 600 }, { 1.001, 961, 601 },
                { 1.0006, 961, 600 }, { 1.5, 1440, 900 },   { .3333, 320, 200 } };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autoptr (LsLayout) layout = race (data);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      cairo_surface_t *is = ls_export_surface (layout, sizes[i].scale);
      const gint w = cairo_image_surface_get_width (is), h = cairo_image_surface_get_height (is);

      if (w != sizes[i].w || h != sizes[i].h)
        g_error ("960×600 at a scale of %g is %d×%d pixels, not %d×%d", sizes[i].scale, w, h, sizes[i].w,
                 sizes[i].h);
      cairo_surface_destroy (is);
    }
}

/* Its size in pixels; it can be drawn at any scale, so none is asked for. */
static void
test_svg (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autoptr (LsLayout) layout = race (data);
  g_autofree char *path = g_build_filename (folder, "race.SVG", NULL);
  g_autoptr (GRegex) names = g_regex_new ("(id=\"|#)[a-z]+-?[0-9]+(-[0-9]+)*", 0, 0, NULL);
  char *drawn[2];

  for (guint scale = 1; scale <= 2; scale++)
    {
      g_autoptr (GError) error = NULL;
      gsize n;

      ls_export_picture (layout, path, scale, &error);
      g_assert_no_error (error);
      g_autofree char *svg = bytes_of (path, &n);
      if (!g_regex_match_simple ("<svg [^>]*width=\"960(px)?\" height=\"600(px)?\" viewBox=\"0 0 960 600\"",
                                 svg, 0, 0))
        g_error ("the SVG isn’t 960×600 px: %.200s", strstr (svg, "<svg"));
      drawn[scale - 1] = g_regex_replace (names, svg, -1, 0, "", 0, NULL);
    }
  if (strcmp (drawn[0], drawn[1]) != 0)
    g_error ("an SVG of twice the pixels is another picture");
  g_free (drawn[0]);
  g_free (drawn[1]);
  g_unlink (path);
}

/* A pixel is 3/4 of a point; title, subject and program are those of what is shown. */
static void
test_pdf (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autofree char *path = g_build_filename (folder, "race.pdf", NULL);
  g_autoptr (GError) error = NULL;
  double box[4];

  g_free (data->title);
  g_free (data->program);
  data->title = g_strdup ("A race of two");
  data->program = g_strdup ("Lockstep of tests");
  g_autoptr (LsLayout) layout = race (data);
  g_autofree char *about = ls_layout_describe (layout);
  ls_export_picture (layout, path, 2, &error); /* a size in pixels is no other paper */
  g_assert_no_error (error);
  g_autoptr (GString) pdf = pdf_of (path);
  pdf_numbers (pdf, "/MediaBox", box, 4);
  g_assert_cmpfloat (box[2], ==, 720);
  g_assert_cmpfloat (box[3], ==, 450);
  g_autofree char *title = pdf_text (pdf, "/Title"), *creator = pdf_text (pdf, "/Creator"),
                  *subject = pdf_text (pdf, "/Subject");
  g_assert_cmpstr (title, ==, "A race of two");
  g_assert_cmpstr (creator, ==, "Lockstep of tests");
  if (strncmp (subject, about, 40) != 0)
    g_error ("the PDF is about “%s”, not “%s”", subject, about);
  g_unlink (path);
}

/* ---- scenes ---- */

/* A page with a box at a place of its own. */
static LsScene *
page_with (LsFonts *fonts, const LsStyle *style, double x, double y)
{
  LsScene *page = ls_scene_new (fonts, style);

  ls_scene_box (page, x, y, 10, 10, LS_INK_TEXT, 0);
  return page;
}

/* A scene by itself lies on the ground of its style, as large as it is, each item where it was put. */
static void
test_scene (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autofree char *path = g_build_filename (folder, "scene.png", NULL);

  for (LsLook look = 0; look < LS_LOOK_N; look++)
    {
      g_autoptr (GError) error = NULL;
      LsStyle style;

      ls_style_init (&style, look, 1);
      const LsColor ground = style.palette->view;
      const guint32 wanted = (guint32) (lround (ground.r * 255) << 16 | lround (ground.g * 255) << 8
                                        | lround (ground.b * 255));
      LsScene *scene = page_with (fonts, &style, 60, 20);
      ls_export_scene (scene, 80, 50, "Title", "Program", path, &error);
      g_assert_no_error (error);
      cairo_surface_t *is = cairo_image_surface_create_from_png (path);
      cairo_surface_flush (is);
      g_assert_cmpint (cairo_image_surface_get_width (is), ==, 80);
      g_assert_cmpint (cairo_image_surface_get_height (is), ==, 50);
      for (gint y = 0; y < 50; y++)
        for (gint x = 0; x < 80; x++)
          {
            const gboolean inside = x >= 60 && x < 70 && y >= 20 && y < 30;
            if (((pixel_at (is, x, y) & 0xffffff) == wanted) == inside)
              g_error ("%s: at %d, %d it is %06x", ls_look_name (look), x, y, pixel_at (is, x, y) & 0xffffff);
          }
      cairo_surface_destroy (is);
      ls_scene_free (scene);
    }
  g_unlink (path);
}

/* A picture fills its paper: an item is where it was put, in points, three quarters of a pixel. */
static void
test_pdf_places (void)
{
  static const double places[][2] = { { 0, 0 }, { 60, 20 }, { 70, 40 } };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autofree char *path = g_build_filename (folder, "places.pdf", NULL);
  LsStyle style;

  ls_style_init (&style, LS_LOOK_PRINT, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      LsScene *scene = page_with (fonts, &style, places[i][0], places[i][1]);
      g_autoptr (GError) error = NULL;

      ls_export_scene (scene, 80, 50, "Title", "Program", path, &error);
      g_assert_no_error (error);
      ls_scene_free (scene);
      g_autoptr (GString) pdf = pdf_of (path);
      g_autofree char *box = g_strdup_printf (" %g %g 7.5 7.5 re", .75 * places[i][0],
                                              .75 * places[i][1]); /* from the top */
      if (strstr (pdf->str, "1 0 0 -1 0 37.5 cm") == NULL || strstr (pdf->str, box) == NULL)
        g_error ("a box of 10 px at %g, %g is nowhere on the paper as “%s”", places[i][0], places[i][1], box);
    }
  g_unlink (path);
}

/* As many pages as scenes, each of that size; the document has its title. */
static void
test_pages (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autofree char *path = g_build_filename (folder, "pages.pdf", NULL);
  LsStyle style;

  ls_style_init (&style, LS_LOOK_PRINT, 1);
  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_scene_free);
      g_autoptr (GError) error = NULL;
      double count, box[4];

      for (guint i = 0; i < n; i++)
        g_ptr_array_add (pages, page_with (fonts, &style, 10, 10));
      ls_export_pages (pages, 800, 400, "All pages", "Program", path, &error);
      g_assert_no_error (error);
      g_autoptr (GString) pdf = pdf_of (path);
      pdf_numbers (pdf, "/Count", &count, 1);
      g_assert_cmpfloat (count, ==, n);
      pdf_numbers (pdf, "/MediaBox", box, 4);
      g_assert_cmpfloat (box[2], ==, 600);
      g_assert_cmpfloat (box[3], ==, 300);
      /* the box of 10 px, at 10 px, is 3/4 as large, too */
      if (!g_regex_match_simple ("\\b7.5 [0-9.]+ 7.5 -?7.5 re", pdf->str, G_REGEX_RAW, 0))
        g_error ("no box of 7.5 pt is on the pages");
      g_autofree char *title = pdf_text (pdf, "/Title"), *creator = pdf_text (pdf, "/Creator");
      g_assert_cmpstr (title, ==, "All pages");
      g_assert_cmpstr (creator, ==, "Program");
    }
  g_unlink (path);
}

/* ---- names ---- */

static void
test_names (void)
{
  static const struct {
    const char *name;
    gboolean known;
  } names[] = { { "a.png", TRUE },      { "a.PNG", TRUE }, { "a.b.svg", TRUE }, { "a.Pdf", TRUE },
                { "a", FALSE },         { "png", FALSE },  { "a.jpg", FALSE },  { "a.svgz", FALSE },
                { "a.png.txt", FALSE }, { "a.ps", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      if (ls_export_check (names[i].name, &error) != names[i].known)
        g_test_fail_printf ("“%s” is %s", names[i].name, names[i].known ? "refused" : "taken for a picture");
      if (names[i].known)
        continue;
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_nonnull (strstr (error->message, names[i].name));
    }
}

/* A picture of which nothing can be written is no file, whatever it ends in, and leaves what was there. */
static void
test_nothing (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  g_autoptr (LsLayout) layout = race (data);
  g_autofree char *path = g_build_filename (folder, "nothing.png", NULL);
  gsize n;

  for (guint there = 0; there < 2; there++)
    {
      g_autoptr (GError) error = NULL;

      if (there > 0)
        g_assert_true (g_file_set_contents (path, "before", -1, NULL));
      if (ls_export_picture (layout, path, 1e-5, &error)) /* no pixel wide */
        g_error ("a picture without a pixel is said to be written");
      g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
      g_assert_nonnull (strstr (error->message, "can’t be drawn"));
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, there > 0);
    }
  g_autofree char *bytes = bytes_of (path, &n);
  g_assert_cmpstr (bytes, ==, "before");
  g_remove (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-export-XXXXXX", NULL);
  g_test_add_func ("/paint/export-files/png", test_png);
  g_test_add_func ("/paint/export-files/png-rounded", test_png_rounded);
  g_test_add_func ("/paint/export-files/svg", test_svg);
  g_test_add_func ("/paint/export-files/pdf", test_pdf);
  g_test_add_func ("/paint/export-files/scene", test_scene);
  g_test_add_func ("/paint/export-files/pdf-places", test_pdf_places);
  g_test_add_func ("/paint/export-files/pages", test_pages);
  g_test_add_func ("/paint/export-files/names", test_names);
  g_test_add_func ("/paint/export-files/nothing", test_nothing);
  status = g_test_run ();
  g_rmdir (folder);
  return status;
}
