#include "ui/paint/raster.h"
struct _LsRaster { LsBrick b; };
LsRaster *ls_raster_new (void) { return g_new0 (LsRaster, 1); }
void ls_raster_free (LsRaster *r) { g_clear_pointer (&r->b.surface, cairo_surface_destroy); g_free (r); }
guint ls_raster_update (LsRaster *r, const LsLayout *l, guint scale)
{
  g_clear_pointer (&r->b.surface, cairo_surface_destroy);
  r->b.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) l->width * scale, (int) l->height * scale);
  cairo_surface_set_device_scale (r->b.surface, scale, scale);
  cairo_t *cr = cairo_create (r->b.surface);
  ls_layout_paint_still (l, cr); ls_layout_paint_moving (l, cr);
  cairo_destroy (cr);
  r->b.w = l->width; r->b.h = l->height; r->b.serial++;
  return 1;
}
const LsBrick *ls_raster_bricks (const LsRaster *r, guint *n) { *n = r->b.surface ? 1 : 0; return &r->b; }
