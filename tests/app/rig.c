/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words are compared with what the toolkit's test accessibility context has (GTK_A11Y=test).
 */
#include "rig.h"

#include <string.h>

GtkWidget *
rig_show (GtkWidget *child, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  rig_settle ();
  return window;
}

void
rig_close (GtkWidget *window)
{
  gpointer child = gtk_window_get_child (GTK_WINDOW (window)), gone = window;

  g_object_add_weak_pointer (child, &child);
  g_object_add_weak_pointer (gone, &gone);
  gtk_window_destroy (GTK_WINDOW (window));
  rig_settle ();
  g_assert_null (child);
  g_assert_null (gone);
}

typedef gboolean (*Match) (GtkWidget *widget, gconstpointer data);

static GtkWidget *
search (GtkWidget *widget, Match match, gconstpointer data)
{
  if (match (widget, data))
    return widget;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      GtkWidget *found = search (w, match, data);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_name (GtkWidget *widget, gconstpointer name)
{
  return strcmp (gtk_widget_get_name (widget), name) == 0;
}

static gboolean
has_type (GtkWidget *widget, gconstpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, *(const GType *) type);
}

static gboolean
is_button (GtkWidget *widget, gconstpointer words)
{
  g_autofree char *other = NULL;

  if (!GTK_IS_BUTTON (widget))
    return FALSE;
  other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                              (const char *) words);
  return other == NULL;
}

GtkWidget *
rig_find (GtkWidget *widget, const char *name)
{
  return search (widget, has_name, name);
}

GtkWidget *
rig_find_kind (GtkWidget *widget, GType type)
{
  return search (widget, has_type, &type);
}

static GtkWidget *
nth (GtkWidget *widget, GType type, guint *i)
{
  if (has_type (widget, &type) && (*i)-- == 0)
    return widget;
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      GtkWidget *found = nth (w, type, i);
      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
rig_find_nth (GtkWidget *widget, GType type, guint i)
{
  GtkWidget *found = nth (widget, type, &i);

  if (found == NULL)
    g_error ("there aren't so many %s", g_type_name (type));
  return found;
}

const char *
rig_label (GtkWidget *widget, guint i)
{
  return gtk_label_get_text (GTK_LABEL (rig_find_nth (widget, GTK_TYPE_LABEL, i)));
}

void
rig_assert_says (gpointer widget, GtkAccessibleProperty property, const char *words)
{
  g_autofree char *other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), property, words);

  if (other != NULL)
    g_error ("a %s tells screen readers “%s”, not “%s”", G_OBJECT_TYPE_NAME (widget), other, words);
}

GtkWidget *
rig_find_button (GtkWidget *widget, const char *words)
{
  return search (widget, is_button, words);
}

void
rig_click (GtkWidget *widget, const char *words)
{
  GtkWidget *button = rig_find_button (widget, words);

  if (button == NULL)
    g_error ("there is no button “%s”", words);
  if (!gtk_widget_is_sensitive (button))
    g_error ("the button “%s” can't be pressed", words);
  g_signal_emit_by_name (button, "clicked");
  rig_settle ();
}

void
rig_press_shortcut (GtkWidget *widget, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  g_autoptr (GtkShortcutTrigger) trigger = gtk_keyval_trigger_new (key, 0);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) keys = g_list_model_get_item (controllers, i);
      for (guint k = 0;
           GTK_IS_SHORTCUT_CONTROLLER (keys) && k < g_list_model_get_n_items (G_LIST_MODEL (keys)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (keys), k);
          if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), trigger)
              && gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget, NULL))
            return;
        }
    }
  g_error ("nobody listens to the key %s", gdk_keyval_name (key));
}

gpointer
rig_toplevel (GType type)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (G_TYPE_CHECK_INSTANCE_TYPE (l->data, type))
      return l->data;
  return NULL;
}

void
rig_wait_bar (GtkWidget *bar, const char *words)
{
  for (guint i = 0; i < 1000 && g_strcmp0 (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), words) != 0;
       i++)
    rig_wait_ms (10);
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==, words);
  if (!gtk_progress_bar_get_show_text (GTK_PROGRESS_BAR (bar)) || !gtk_widget_get_visible (bar))
    g_error ("“%s” can't be read: the bar is %s", words,
             gtk_widget_get_visible (bar) ? "without its text" : "hidden");
  if (!gtk_test_accessible_has_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL))
    g_error ("screen readers aren't told what the bar of “%s” is of", words);
}

static gboolean
too_late_cb (gpointer data)
{
  g_error ("what was waited for didn't come in ten seconds");
  return G_SOURCE_REMOVE;
}

void
rig_wait_for (const gboolean *flag)
{
  const guint guard = g_timeout_add_seconds (10, too_late_cb, NULL);

  while (!*flag)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (guard);
}

static gboolean
raise_cb (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

void
rig_wait_ms (guint ms)
{
  gboolean over = FALSE;

  g_timeout_add (ms, raise_cb, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

void
rig_wait_mapped (GtkWidget *widget, gboolean mapped)
{
  const guint guard = g_timeout_add_seconds (10, too_late_cb, NULL);

  while (gtk_widget_get_mapped (widget) != mapped)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (guard);
}

void
rig_settle (void)
{
  rig_wait_ms (20); /* a frame: sizes are made there */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

typedef void (*Func) (GtkWidget *widget);

/* Every widget below, itself included, that is on screen. */
static void
each (GtkWidget *widget, Func func)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  func (widget);
  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    each (w, func);
}

static void
assert_whole (GtkWidget *widget)
{
  int width, height;

  if (!GTK_IS_LABEL (widget) || gtk_label_get_ellipsize (GTK_LABEL (widget)) != PANGO_ELLIPSIZE_NONE)
    return;
  pango_layout_get_pixel_size (gtk_label_get_layout (GTK_LABEL (widget)), &width, &height);
  if (width > gtk_widget_get_width (widget) + 1 || height > gtk_widget_get_height (widget) + 1)
    g_error ("“%s” needs %d×%d and has %d×%d", gtk_label_get_text (GTK_LABEL (widget)), width, height,
             gtk_widget_get_width (widget), gtk_widget_get_height (widget));
}

/* What stands in a box stands in it, each for itself. */
static void
assert_apart (GtkWidget *box)
{
  graphene_rect_t a, b,
    own = GRAPHENE_RECT_INIT (-1, -1, (float) gtk_widget_get_width (box) + 2,
                              (float) gtk_widget_get_height (box) + 2);

  if (!GTK_IS_BOX (box))
    return;
  for (GtkWidget *w = gtk_widget_get_first_child (box); w != NULL; w = gtk_widget_get_next_sibling (w))
    {
      if (!gtk_widget_get_mapped (w) || !gtk_widget_compute_bounds (w, box, &a)
          || a.size.width * a.size.height <= 0)
        continue;
      if (!graphene_rect_contains_rect (&own, &a))
        g_error ("a %s is outside of its box", G_OBJECT_TYPE_NAME (w));
      for (GtkWidget *v = gtk_widget_get_next_sibling (w); v != NULL; v = gtk_widget_get_next_sibling (v))
        if (gtk_widget_get_mapped (v) && gtk_widget_compute_bounds (v, box, &b)
            && graphene_rect_intersection (&a, &b, &b) && b.size.width > 1 && b.size.height > 1)
          g_error ("a %s and a %s overlap", G_OBJECT_TYPE_NAME (w), G_OBJECT_TYPE_NAME (v));
    }
}

void
rig_assert_whole (GtkWidget *widget)
{
  each (widget, assert_whole);
  each (widget, assert_apart);
}

/* Neither it nor what it is in says no. */
static gboolean
takes_focus (GtkWidget *widget)
{
  for (GtkWidget *w = widget; w != NULL; w = gtk_widget_get_parent (w))
    if (!gtk_widget_get_can_focus (w))
      return FALSE;
  return gtk_widget_get_focusable (widget);
}

static void
assert_named (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  if (!takes_focus (widget) || GTK_IS_WINDOW (widget))
    return;
  if (!gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL)
      && !gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    g_error ("a %s in a %s takes the focus and has no name", G_OBJECT_TYPE_NAME (widget),
             G_OBJECT_TYPE_NAME (gtk_widget_get_parent (widget)));
}

void
rig_assert_named (GtkWidget *widget)
{
  each (widget, assert_named);
}

static void
lengthen (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_label_get_ellipsize (GTK_LABEL (widget)) == PANGO_ELLIPSIZE_NONE)
    {
      const char *text = gtk_label_get_text (GTK_LABEL (widget));
      g_autofree char *tail = g_utf8_substring (text, 0, g_utf8_strlen (text, -1) * 4 / 10);
      g_autofree char *longer = g_strconcat (text, tail, NULL);
      gtk_label_set_text (GTK_LABEL (widget), longer);
    }
}

void
rig_lengthen (GtkWidget *widget)
{
  each (widget, lengthen);
}
