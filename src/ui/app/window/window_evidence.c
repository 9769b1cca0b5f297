/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The popover of an evidence mark: how the number beside it was made, and every sample as a dot.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"

#define PLOT_W 380
#define PLOT_H 92

static void
plot_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const LsMoment moment = { LS_TIME_END, -1, -1 };
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  LsStyle style;
  LsScene *scene;

  ls_style_init (&style, dark ? LS_LOOK_DARK : LS_LOOK_LIGHT, 1);
  scene = ls_scene_new (fonts, &style);
  ls_evidence_plot (data, scene, width, height);
  ls_paint_scene (scene, cr, &moment);
  ls_scene_free (scene);
}

static GtkWidget *
label (const char *text, const char *class, int width)
{
  GtkWidget *widget = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (widget), 0);
  gtk_label_set_yalign (GTK_LABEL (widget), 0);
  gtk_label_set_wrap (GTK_LABEL (widget), width > 0);
  gtk_label_set_max_width_chars (GTK_LABEL (widget), width);
  if (class != NULL)
    gtk_widget_add_css_class (widget, class);
  return widget;
}

static GtkWidget *
facts_grid (const LsEvidenceFacts *facts)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (guint i = 0; i + 1 < facts->facts->len; i += 2)
    {
      gtk_grid_attach (GTK_GRID (grid), label (g_ptr_array_index (facts->facts, i), "dim-label", 0), 0,
                       (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), label (g_ptr_array_index (facts->facts, i + 1), NULL, 44), 1, (int) i,
                       1, 1);
    }
  return grid;
}

static const char *
evidence_word (LsEvidence evidence)
{
  static const char *const words[] = { N_("measured"), N_("derived"), N_("modelled"), N_("published") };

  return gettext (words[evidence]);
}

static gboolean
unparent_cb (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

void
ls_window_popover_closed_cb (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_cb, g_object_ref (popover), g_object_unref);
}

/* Over all recorded steps of the run that are still kept. */
static LsEvidenceFacts *
op_facts (LsWindow *self, const LsViewData *data, const LsEvidenceHit *hit)
{
  const LsHistory *history = ls_session_history (self->session);
  const guint n = data->live ? ls_history_n (history) : 0;
  g_autofree LsRecording **steps = g_new (LsRecording *, n + 1);

  for (guint i = 0; i < n; i++)
    steps[i] = ls_history_get (history, i);
  return ls_evidence_op_facts (data, hit->side, hit->op, steps, n);
}

void
ls_window_show_evidence (LsWindow *self, const LsEvidenceHit *hit)
{
  LsViewData *data = ls_session_data (self->session);
  const GdkRectangle at = { (int) hit->x, (int) hit->y, (int) hit->w, (int) hit->h };
  GtkWidget *popover, *box;
  LsEvidenceFacts *facts;

  if (data == NULL)
    return;
  facts = hit->number == LS_NUMBER_OP ? op_facts (self, data, hit)
                                      : ls_evidence_facts (data, hit->side, hit->number);
  popover = gtk_popover_new ();
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  gtk_widget_add_css_class (popover, "evidence-popover");
  gtk_box_append (GTK_BOX (box), label (facts->title, "heading", 0));
  gtk_box_append (GTK_BOX (box), label (evidence_word (facts->evidence), "dim-label", 0));
  gtk_box_append (GTK_BOX (box), facts_grid (facts));
  if (facts->samples->len > 1)
    {
      GtkWidget *plot = gtk_drawing_area_new ();
      const guint stride = ls_evidence_stride (facts);
      g_autofree char *words
        = stride > 1
            ? g_strdup_printf (_("%u samples, one in %u as a dot"), facts->samples->len, stride)
            : g_strdup_printf (ngettext ("%u sample as a dot", "%u samples as dots", facts->samples->len),
                               facts->samples->len);
      gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (plot), PLOT_W);
      gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (plot), PLOT_H);
      ls_compat_name (plot, words);
      gtk_box_append (GTK_BOX (box), label (words, "dim-label", 0));
      gtk_box_append (GTK_BOX (box), plot);
      gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (plot), plot_cb, facts, NULL);
    }
  g_object_set_data_full (G_OBJECT (popover), "facts", facts, (GDestroyNotify) ls_evidence_facts_free);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_widget_set_parent (popover, self->canvas);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
  g_signal_connect (popover, "closed", G_CALLBACK (ls_window_popover_closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  ls_window_event (self, "evidence %s", facts->title);
}
