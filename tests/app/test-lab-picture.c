/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a laboratory's result, as large as its place and with letters as large as the desktop's.
 */
#include "config.h"
#include "lab_fixture.h"
#include "rig.h"

#include <string.h>

#include "ui/app/dialogs/lab_picture.h"
#include "ui/app/widgets/desktop_style.h"
#include "ui/paint/growth/growth.h"
#include "ui/paint/scene/paint.h"

/* What the picture paints in a place of that size. */
static cairo_surface_t *
painted (GtkWidget *picture, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);

  gtk_widget_size_allocate (picture, &(GtkAllocation){ 0, 0, width, height }, -1);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GTK_WIDGET_GET_CLASS (picture)->snapshot (picture, snapshot);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    g_error ("the picture is empty");
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  return surface;
}

/* As it should be with letters so much larger. */
static cairo_surface_t *
wanted (GtkWidget *picture, const LsLabResult *result, double scale, int width, int height)
{
  const LsMoment end = { LS_TIME_END, -1, -1 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  LsFonts *fonts = NULL;
  LsStyle style;

  ls_desktop_style (picture, ls_desktop_look (), &style, &fonts);
  style.text_scale = scale;
  LsScene *scene = ls_growth_scene_sized (result, &style, fonts, width, height);
  cairo_set_source_rgb (cr, style.palette->view.r, style.palette->view.g, style.palette->view.b);
  cairo_paint (cr);
  ls_paint_scene (scene, cr, &end);
  ls_scene_free (scene);
  ls_fonts_unref (fonts);
  cairo_destroy (cr);
  return surface;
}

/* The desktop's larger letters are in the picture, as far as the plot keeps its room both ways; another
 * result is another picture, and in words too. */
static void
test_picture (void)
{
  static const struct {
    int percent, width, height;
    double scale;
  } rows[]
    = { { 100, 760, 600, 1 },   { 200, 760, 600, 2 },   { 200, 760, 300, 1 },    { 200, 380, 600, 1 },
        { 200, 570, 600, 1.5 }, { 200, 760, 360, 1.2 }, { 125, 760, 600, 1.25 }, { 100, 760, 600, 1 } };
  g_autoptr (GPtrArray) results = lab_fixture ();
  GtkWidget *picture = ls_lab_picture_new (), *window = rig_show (picture, 760, 600);

  g_assert_cmpint (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (picture)), ==,
                   GTK_ACCESSIBLE_ROLE_IMG);
  for (guint k = 0; k < 2; k++)
    {
      LsLabResult *result = lab_fixture_find (results,
                                              k == 0 ? ls_experiment_batch.name : ls_experiment_width.name);
      g_autofree char *words = ls_growth_describe (result);

      ls_lab_picture_set (LS_LAB_PICTURE (picture), result);
      g_assert_true (ls_lab_picture_get (LS_LAB_PICTURE (picture)) == result);
      rig_assert_says (picture, GTK_ACCESSIBLE_PROPERTY_LABEL, words);
      for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          const int w = rows[i].width, h = rows[i].height;

          /* else its size alone is another, or the result */
          if (i == 0 ? k == 0 : rows[i].percent != rows[i - 1].percent)
            g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * rows[i].percent / 100,
                          NULL);
          cairo_surface_t *is = painted (picture, w, h),
                          *should = wanted (picture, result, rows[i].scale, w, h);
          cairo_surface_flush (is);
          cairo_surface_flush (should);
          if (memcmp (cairo_image_surface_get_data (is), cairo_image_surface_get_data (should),
                      (gsize) (cairo_image_surface_get_stride (is) * h))
              != 0)
            g_error (
              "at %d %% in %d×%d px the picture isn't that of result %u with letters %g times as large",
              rows[i].percent, w, h, k, rows[i].scale);
          cairo_surface_destroy (is);
          cairo_surface_destroy (should);
        }
    }
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
  ls_lab_picture_set (LS_LAB_PICTURE (picture), NULL);
  g_assert_null (ls_lab_picture_get (LS_LAB_PICTURE (picture)));
  rig_assert_says (picture, GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  rig_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/lab-picture/picture", test_picture);
  return g_test_run ();
}
