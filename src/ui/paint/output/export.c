/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only the surface differs between the formats; the painting is that of the screen. The file is made in
 * memory first, so that nothing is destroyed if it can't be finished.
 */
#include "config.h"
#include "ui/paint/output/export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/output.h"

static cairo_status_t
append_cb (void *data, const unsigned char *bytes, unsigned int n)
{
  g_byte_array_append (data, bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

/* What a file is made of, whether a view's layout or a scene by itself. */
typedef struct {
  double width, height;
  const LsLayout *layout; /* or */
  const LsScene *scene;
  const char *title, *program;
} Picture;

static void
paint (const Picture *picture, cairo_surface_t *surface, double scale)
{
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  if (picture->layout != NULL)
    {
      ls_layout_paint_still (picture->layout, cr);
      ls_layout_paint_moving (picture->layout, cr);
    }
  else
    {
      const LsColor ground = picture->scene->style->palette->view;
      const LsMoment end = { LS_TIME_END, -1, -1 };

      cairo_set_source_rgb (cr, ground.r, ground.g, ground.b);
      cairo_paint (cr);
      ls_paint_scene (picture->scene, cr, &end);
    }
  cairo_destroy (cr);
}

static cairo_surface_t *
draw_surface (const Picture *picture, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (
    CAIRO_FORMAT_ARGB32, (int) (picture->width * scale + .5), (int) (picture->height * scale + .5));

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }
  paint (picture, surface, scale);
  return surface;
}

static Picture
picture_of (const LsLayout *layout)
{
  return (Picture){ layout->width, layout->height, layout, NULL, layout->data->title, layout->data->program };
}

cairo_surface_t *
ls_export_surface (const LsLayout *layout, double scale)
{
  const Picture picture = picture_of (layout);

  return draw_surface (&picture, scale);
}

static gboolean
fail (GError **error, cairo_status_t status)
{
  g_set_error (error, LS_ERROR, status == CAIRO_STATUS_NO_MEMORY ? LS_ERROR_MEMORY : LS_ERROR_FILE,
               _("The picture can’t be drawn: %s; try a smaller size."), cairo_status_to_string (status));
  return FALSE;
}

static void
set_metadata (const Picture *picture, cairo_surface_t *surface)
{
  g_autofree char *about = picture->layout != NULL ? ls_layout_describe (picture->layout) : NULL;

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, picture->title);
  if (about != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, about);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, picture->program);
}

/* The whole file's bytes. */
static gboolean
draw_file (const Picture *picture, const char *ending, double scale, GByteArray *bytes, GError **error)
{
  cairo_surface_t *surface;
  cairo_status_t status = CAIRO_STATUS_SUCCESS;

  if (g_ascii_strcasecmp (ending, ".pdf") == 0)
    {
      surface = cairo_pdf_surface_create_for_stream (append_cb, bytes, picture->width * .75,
                                                     picture->height * .75);
      set_metadata (picture, surface);
      paint (picture, surface, .75);
    }
  else if (g_ascii_strcasecmp (ending, ".svg") == 0)
    {
      surface = cairo_svg_surface_create_for_stream (append_cb, bytes, picture->width, picture->height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      paint (picture, surface, 1);
    }
  else
    {
      surface = draw_surface (picture, scale);
      if (surface == NULL)
        return fail (error, CAIRO_STATUS_NO_MEMORY);
      status = cairo_surface_write_to_png_stream (surface, append_cb, bytes);
    }
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS || fail (error, status);
}

gboolean
ls_export_check (const char *path, GError **error)
{
  const char *ending = strrchr (path, '.');

  if (ending != NULL
      && (g_ascii_strcasecmp (ending, ".png") == 0 || g_ascii_strcasecmp (ending, ".svg") == 0
          || g_ascii_strcasecmp (ending, ".pdf") == 0))
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
               _("“%s” names no kind of picture; end it in .png, .svg or .pdf."), path);
  return FALSE;
}

static gboolean
save_picture (const Picture *picture, const char *path, double scale, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!ls_export_check (path, error) || !draw_file (picture, strrchr (path, '.'), scale, bytes, error))
    return FALSE;
  return ls_file_save (path, (const char *) bytes->data, bytes->len, error);
}

gboolean
ls_export_picture (const LsLayout *layout, const char *path, double scale, GError **error)
{
  const Picture picture = picture_of (layout);

  return save_picture (&picture, path, scale, error);
}

gboolean
ls_export_scene (const LsScene *scene, double width, double height, const char *title, const char *program,
                 const char *path, GError **error)
{
  const Picture picture = { width, height, NULL, scene, title, program };

  return save_picture (&picture, path, 1, error);
}

gboolean
ls_export_pages (const GPtrArray *scenes, double width, double height, const char *title, const char *program,
                 const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_cb, bytes, width * .75,
                                                                  height * .75);
  cairo_status_t status;

  for (guint i = 0; i < scenes->len; i++)
    {
      const Picture page = { width, height, NULL, scenes->pdata[i], title, program };

      if (i == 0)
        set_metadata (&page, surface);
      paint (&page, surface, .75);
      cairo_surface_show_page (surface);
    }
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS ? ls_file_save (path, (const char *) bytes->data, bytes->len, error)
                                        : fail (error, status);
}
