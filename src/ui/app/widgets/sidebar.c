/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list box over the table of views, and four toggles with marks painted as the views paint them.
 */
#include "config.h"
#include "ui/app/widgets/sidebar.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/paint/views.h"

#define N_EVIDENCE 4

struct _LsSidebar {
  GtkWidget parent;
  GtkWidget *box, *list, *heading;
  GPtrArray *words; /* widgets that are hidden when it is narrow */
  GtkWidget *marks[N_EVIDENCE];
  gboolean setting;
};

G_DEFINE_FINAL_TYPE (LsSidebar, ls_sidebar, GTK_TYPE_WIDGET)

enum { VIEW, EVIDENCE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
selected_cb (LsSidebar *self, GtkListBoxRow *row)
{
  if (!self->setting && row != NULL)
    g_signal_emit (self, signals[VIEW], 0, (guint) gtk_list_box_row_get_index (row));
}

static GtkWidget *
add_label (LsSidebar *self, GtkWidget *box, const char *text, gboolean expand)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, expand);
  gtk_box_append (GTK_BOX (box), label);
  if (expand)
    g_ptr_array_add (self->words, label);
  return label;
}

static void
add_views (LsSidebar *self)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *icon = g_strdup_printf ("lockstep-%s-symbolic", views[i]->name);
      g_autofree char *key = ls_view_key (i);
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *number, *row = gtk_list_box_row_new ();

      gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
      add_label (self, box, gettext (views[i]->title), TRUE);
      number = add_label (self, box, key, FALSE);
      gtk_widget_add_css_class (number, "dim-label");
      gtk_widget_add_css_class (number, "numeric");
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
      gtk_widget_set_tooltip_text (row, gettext (views[i]->question));
      gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      gettext (views[i]->title), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      gettext (views[i]->question), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS,
                                      key, -1);
      gtk_list_box_append (GTK_LIST_BOX (self->list), row);
    }
}

/* ---- the key to the evidence ---- */

static void
mark_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const LsMoment moment = { LS_TIME_END, -1, -1 };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;
  LsScene *scene;

  ls_style_init (&style, dark ? LS_LOOK_DARK : LS_LOOK_LIGHT, 1);
  scene = ls_scene_new (fonts, &style);
  ls_scene_evidence (scene, (width - 13) / 2., (height - 13) / 2., 13, (LsEvidence) GPOINTER_TO_UINT (data),
                     LS_INK_TEXT);
  ls_paint_scene (scene, cr, &moment);
  ls_scene_free (scene);
}

static void
evidence_cb (GtkToggleButton *button, LsSidebar *self)
{
  gint chosen = -1;

  if (self->setting)
    return;
  self->setting = TRUE;
  for (gint i = 0; i < N_EVIDENCE; i++)
    if (self->marks[i] != GTK_WIDGET (button))
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->marks[i]), FALSE);
    else if (gtk_toggle_button_get_active (button))
      chosen = i;
  self->setting = FALSE;
  g_signal_emit (self, signals[EVIDENCE], 0, chosen);
}

static void
add_key (LsSidebar *self)
{
  static const char *const words[N_EVIDENCE] = { N_("measured"), N_("derived"), N_("modelled"),
                                                 N_("published") };
  static const char *const means[N_EVIDENCE] = {
    N_("A clock, a counter or a computed result, on this machine"),
    N_("Made from two measurements, or from a count on paper"),
    N_("What a model says; never a measurement"),
    N_("What a system or a data sheet reports, with its source"),
  };

  self->heading = gtk_label_new (_("How we know it"));
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_widget_add_css_class (self->heading, "heading");
  gtk_widget_add_css_class (self->heading, "evidence-heading");
  g_ptr_array_add (self->words, self->heading);
  gtk_box_append (GTK_BOX (self->box), self->heading);
  for (guint i = 0; i < N_EVIDENCE; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *mark = gtk_drawing_area_new ();

      gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (mark), 16);
      gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (mark), 16);
      gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (mark), mark_cb, GUINT_TO_POINTER (i), NULL);
      gtk_box_append (GTK_BOX (box), mark);
      add_label (self, box, gettext (words[i]), TRUE);
      self->marks[i] = gtk_toggle_button_new ();
      gtk_button_set_child (GTK_BUTTON (self->marks[i]), box);
      gtk_widget_add_css_class (self->marks[i], "flat");
      gtk_widget_add_css_class (self->marks[i], "evidence");
      gtk_widget_set_tooltip_text (self->marks[i], gettext (means[i]));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->marks[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      gettext (words[i]), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      gettext (means[i]), -1);
      g_signal_connect (self->marks[i], "toggled", G_CALLBACK (evidence_cb), self);
      gtk_box_append (GTK_BOX (self->box), self->marks[i]);
    }
}

void
ls_sidebar_filter (LsSidebar *self, gint evidence)
{
  gint now = -1;

  for (gint i = 0; i < N_EVIDENCE; i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->marks[i])))
      now = i;
  if (evidence < 0)
    evidence = now + 1;
  if (evidence < N_EVIDENCE)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->marks[evidence]), now != evidence);
  else
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->marks[now]), FALSE);
}

void
ls_sidebar_set_view (LsSidebar *self, guint view)
{
  self->setting = TRUE;
  gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) view));
  self->setting = FALSE;
}

void
ls_sidebar_set_narrow (LsSidebar *self, gboolean narrow)
{
  for (guint i = 0; i < self->words->len; i++)
    gtk_widget_set_visible (g_ptr_array_index (self->words, i), !narrow);
  for (guint i = 0; i < N_EVIDENCE; i++)
    gtk_widget_set_visible (self->marks[i], !narrow);
  gtk_widget_set_size_request (GTK_WIDGET (self), narrow ? 56 : 200, -1);
  if (narrow)
    gtk_widget_add_css_class (GTK_WIDGET (self), "narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "narrow");
}

static void
dispose (GObject *object)
{
  LsSidebar *self = LS_SIDEBAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->words, g_ptr_array_unref);
  G_OBJECT_CLASS (ls_sidebar_parent_class)->dispose (object);
}

static void
ls_sidebar_class_init (LsSidebarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "lockstepsidebar");
  signals[VIEW] = g_signal_new ("view", LS_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
  signals[EVIDENCE] = g_signal_new ("evidence", LS_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
ls_sidebar_init (LsSidebar *self)
{
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->words = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  ls_compat_name (self->list, _("Views"));
  gtk_box_append (GTK_BOX (self->box), self->list);
  add_views (self);
  gtk_widget_set_vexpand (space, TRUE);
  gtk_box_append (GTK_BOX (self->box), space);
  add_key (self);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (selected_cb), self);
  ls_sidebar_set_narrow (self, FALSE);
}

GtkWidget *
ls_sidebar_new (void)
{
  return g_object_new (LS_TYPE_SIDEBAR, NULL);
}
