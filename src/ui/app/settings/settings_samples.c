/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See settings_samples.h. Pictures are enlarged by whole numbers, each pixel a square, as the network sees
 * them.
 */
#include "config.h"
#include "ui/app/settings/settings_samples.h"

#include <string.h>

#include "ui/app/compat.h"
#include "ui/app/settings/settings_row.h"
#include "ui/app/settings/settings_bar.h"

#define CELL          48 /* pixels across of an image, at least */
#define BAR           12 /* pixels high is a table's row */
#define ROW           96 /* pixels across, at least */
#define COLUMNS       5  /* of images */
#define TABLE_COLUMNS 3

GtkWidget *
ls_settings_samples_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *words = ls_settings_label_new ("", TRUE),
            *grid = gtk_flow_box_new ();

  gtk_label_set_max_width_chars (GTK_LABEL (words), -1);
  gtk_label_set_wrap_mode (GTK_LABEL (words), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_name (words, LS_SETTINGS_ID "data-words");
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (grid), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (grid), TRUE);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (grid), 4);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (grid), 4);
  gtk_widget_set_name (grid, LS_SETTINGS_ID "data-samples");
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), ls_settings_bar_new (FALSE));
  gtk_box_append (GTK_BOX (box), grid);
  gtk_widget_set_visible (box, FALSE);
  return box;
}

static GtkLabel *
words_of (GtkWidget *samples)
{
  return GTK_LABEL (gtk_widget_get_first_child (samples));
}

GtkWidget *
ls_settings_samples_bar (GtkWidget *samples)
{
  return gtk_widget_get_next_sibling (GTK_WIDGET (words_of (samples)));
}

static GtkFlowBox *
grid_of (GtkWidget *samples)
{
  return GTK_FLOW_BOX (gtk_widget_get_last_child (samples));
}

static void
clear (GtkWidget *samples)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (grid_of (samples)))) != NULL)
    gtk_flow_box_remove (grid_of (samples), child);
}

void
ls_settings_samples_say (GtkWidget *samples, const char *sentence, gboolean wrong)
{
  clear (samples);
  gtk_label_set_text (words_of (samples), sentence != NULL ? sentence : "");
  if (wrong)
    gtk_widget_add_css_class (GTK_WIDGET (words_of (samples)), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (words_of (samples)), "error");
  gtk_widget_set_visible (samples, sentence != NULL);
}

static GdkTexture *
enlarge (const LsDataPreview *preview, guint i, guint across, guint down)
{
  const gsize width = (gsize) preview->width * across, height = (gsize) preview->height * down;
  const guint8 *from = preview->pixels + (gsize) i * preview->width * preview->height * 3;
  guint8 *pixels = g_malloc (width * height * 3);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, width * height * 3);

  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      memcpy (pixels + (y * width + x) * 3, from + ((y / down) * preview->width + x / across) * 3, 3);
  return gdk_memory_texture_new ((int) width, (int) height, GDK_MEMORY_R8G8B8, bytes, width * 3);
}

static GtkWidget *
make_cell (const LsDataPreview *preview, guint i, gboolean table)
{
  const guint across = MAX (1, ((table ? ROW : CELL) + preview->width - 1) / preview->width),
              down = table ? BAR : across;
  g_autoptr (GdkTexture) texture = enlarge (preview, i, across, down);
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2),
            *picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture)),
            *label = ls_settings_label_new (preview->labels[i], TRUE);

  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_size_request (picture, table ? ROW : CELL, table ? BAR : CELL);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), preview->labels[i]);
  gtk_label_set_wrap (GTK_LABEL (label), FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), table ? 12 : 6);
  gtk_label_set_xalign (GTK_LABEL (label), table ? 0 : .5f);
  gtk_widget_set_tooltip_text (cell, preview->labels[i]);
  gtk_box_append (GTK_BOX (cell), picture);
  gtk_box_append (GTK_BOX (cell), label);
  return cell;
}

void
ls_settings_samples_show (GtkWidget *samples, const LsDataPreview *preview)
{
  const gboolean table = preview->shape[1] == 1 && preview->shape[2] == 1;
  g_autofree char *notes = g_strjoinv ("\n", preview->notes);
  g_autofree char *words = *notes != '\0' ? g_strdup_printf ("%s\n%s", preview->summary, notes)
                                          : g_strdup (preview->summary);

  ls_settings_samples_say (samples, words, FALSE);
  gtk_flow_box_set_max_children_per_line (grid_of (samples), table ? TABLE_COLUMNS : COLUMNS);
  for (guint i = 0; i < preview->n; i++)
    {
      gtk_flow_box_append (grid_of (samples), make_cell (preview, i, table));
      gtk_widget_set_focusable (GTK_WIDGET (gtk_flow_box_get_child_at_index (grid_of (samples), (int) i)),
                                FALSE);
    }
}
