/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scene is made anew when the result, the size or the look is another; in between GTK keeps what was
 * painted.
 */
#include "config.h"
#include "ui/app/dialogs/lab_picture.h"

#include "ui/app/compat.h"
#include "ui/app/widgets/desktop_style.h"
#include "ui/paint/growth/growth.h"
#include "ui/paint/scene/paint.h"

#define LEAST_W 380 /* px: below it the plot has no room beside the names */
#define LEAST_H 300

struct _LsLabPicture {
  GtkDrawingArea parent;
  LsLabResult *result;
  LsStyle style;
  LsFonts *fonts;
  LsScene *scene;
  int width, height; /* of the scene */
};

G_DEFINE_FINAL_TYPE (LsLabPicture, ls_lab_picture, GTK_TYPE_DRAWING_AREA)

static void
forget (LsLabPicture *self)
{
  g_clear_pointer (&self->scene, ls_scene_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
make_scene (LsLabPicture *self, int width, int height)
{
  g_clear_pointer (&self->scene, ls_scene_free);
  ls_desktop_style (GTK_WIDGET (self), ls_desktop_look (), &self->style, &self->fonts);
  /* larger letters as far as the plot keeps its room */
  self->style.text_scale = MIN (self->style.text_scale,
                                MAX (1, MIN ((double) width / LEAST_W, (double) height / LEAST_H)));
  self->scene = ls_growth_scene_sized (self->result, &self->style, self->fonts, width, height);
  self->width = width;
  self->height = height;
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  LsLabPicture *self = data;
  const LsMoment end = { LS_TIME_END, -1, -1 };

  if (self->result == NULL)
    return;
  if (self->scene == NULL || self->width != width || self->height != height)
    make_scene (self, width, height);
  const LsColor ground = self->style.palette->view;
  cairo_set_source_rgb (cr, ground.r, ground.g, ground.b);
  cairo_paint (cr);
  ls_paint_scene (self->scene, cr, &end);
}

void
ls_lab_picture_set (LsLabPicture *self, LsLabResult *result)
{
  g_autofree char *words = NULL;

  if (result == self->result)
    return;
  g_clear_pointer (&self->result, ls_lab_result_unref);
  self->result = result != NULL ? ls_lab_result_ref (result) : NULL;
  words = result != NULL ? ls_growth_describe (result) : g_strdup ("");
  ls_compat_name (self, words);
  forget (self);
}

LsLabResult *
ls_lab_picture_get (LsLabPicture *self)
{
  return self->result;
}

static void
dispose (GObject *object)
{
  LsLabPicture *self = LS_LAB_PICTURE (object);

  g_clear_pointer (&self->scene, ls_scene_free);
  g_clear_pointer (&self->result, ls_lab_result_unref);
  g_clear_pointer (&self->fonts, ls_fonts_unref);
  G_OBJECT_CLASS (ls_lab_picture_parent_class)->dispose (object);
}

static void
ls_lab_picture_class_init (LsLabPictureClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_lab_picture_init (LsLabPicture *self)
{
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  /* numbers grow to the right, in every language */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self), LEAST_W);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self), LEAST_H);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, self, NULL);
  ls_desktop_follow (GTK_WIDGET (self), G_CALLBACK (forget));
}

GtkWidget *
ls_lab_picture_new (void)
{
  return g_object_new (LS_TYPE_LAB_PICTURE, NULL);
}
