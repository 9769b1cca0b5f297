/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only the surface differs between the formats; the painting is that of the screen. The file is made in memory first, so
 * that nothing is destroyed if it can't be finished.
 */
#include "config.h"
#include "ui/paint/export.h"

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

static void
paint (const LsLayout *layout, cairo_surface_t *surface, double scale)
{
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  ls_layout_paint_still (layout, cr);
  ls_layout_paint_moving (layout, cr);
  cairo_destroy (cr);
}

cairo_surface_t *
ls_export_surface (const LsLayout *layout, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) (layout->width * scale + .5),
                                                         (int) (layout->height * scale + .5));

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }
  paint (layout, surface, scale);
  return surface;
}

static gboolean
fail (GError **error, cairo_status_t status)
{
  g_set_error (error, LS_ERROR, status == CAIRO_STATUS_NO_MEMORY ? LS_ERROR_MEMORY : LS_ERROR_FILE,
               _("The picture can’t be drawn: %s; try a smaller size."), cairo_status_to_string (status));
  return FALSE;
}

static void
set_metadata (const LsLayout *layout, cairo_surface_t *surface)
{
  g_autofree char *about = ls_layout_describe (layout);

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, layout->data->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, about);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, layout->data->program);
}

/* The whole file's bytes. */
static gboolean
draw_file (const LsLayout *layout, const char *ending, double scale, GByteArray *bytes, GError **error)
{
  cairo_surface_t *surface;
  cairo_status_t status;

  if (g_ascii_strcasecmp (ending, ".pdf") == 0)
    {
      surface = cairo_pdf_surface_create_for_stream (append_cb, bytes, layout->width * .75, layout->height * .75);
      set_metadata (layout, surface);
      paint (layout, surface, .75);
    }
  else if (g_ascii_strcasecmp (ending, ".svg") == 0)
    {
      surface = cairo_svg_surface_create_for_stream (append_cb, bytes, layout->width, layout->height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      paint (layout, surface, 1);
    }
  else
    {
      surface = ls_export_surface (layout, scale);
      if (surface == NULL)
        return fail (error, CAIRO_STATUS_NO_MEMORY);
      cairo_surface_write_to_png_stream (surface, append_cb, bytes);
    }
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS || fail (error, status);
}

gboolean
ls_export_picture (const LsLayout *layout, const char *path, double scale, GError **error)
{
  const char *ending = strrchr (path, '.');
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (ending == NULL || (g_ascii_strcasecmp (ending, ".png") != 0 && g_ascii_strcasecmp (ending, ".svg") != 0
                         && g_ascii_strcasecmp (ending, ".pdf") != 0))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” names no kind of picture; end it in .png, .svg or .pdf."), path);
      return FALSE;
    }
  if (!draw_file (layout, ending, scale, bytes, error))
    return FALSE;
  return ls_file_save (path, (const char *) bytes->data, bytes->len, error);
}
