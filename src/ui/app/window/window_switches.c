/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views' own switches, above their pictures: what a view shows, and settings of the run that belong to
 * it. Choosing one of these runs with it at once, from the first step where the network's shapes change with
 * it, and both heads then say how fast the lanes were before and are now.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/app/compat.h"
#include "ui/app/widgets/lane_controls.h"
#include "ui/paint/views.h"

/* One of them on one stage, for as long as the window lives. */
typedef struct {
  LsWindow *window;
  const LsView *view;
  const LsViewSwitch *row;
  GtkWidget *question; /* before it, where there is room; or NULL */
  GtkWidget *widget;   /* a drop-down, or LsLaneControls */
  GtkStringList *list; /* the drop-down's, or NULL */
  gboolean setting;    /* the program changes what is shown */
} Switch;

static const char *const *
values_of (const LsViewSwitch *row)
{
  return row->values != NULL ? row->values : ls_options_find (row->option)->choices;
}

static void
show_switches (LsWindow *self)
{
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;

  for (guint i = 0; i < self->switches->len; i++)
    {
      const Switch *item = g_ptr_array_index (self->switches, i);
      gconstpointer state = ls_canvas_state (ls_window_canvas (self, 0), item->view);
      /* a recording was made with its own settings */
      gtk_widget_set_visible (item->widget, (item->row->shown == NULL || item->row->shown (state))
                                              && (item->row->option == NULL || live));
      if (item->question != NULL)
        gtk_widget_set_visible (item->question, self->width >= LS_WINDOW_WORDS);
    }
}

static guint
selected (const Switch *item)
{
  return item->list != NULL ? gtk_drop_down_get_selected (GTK_DROP_DOWN (item->widget))
                            : ls_lane_controls_chosen (LS_LANE_CONTROLS (item->widget));
}

static void
select_item (Switch *item, guint at)
{
  item->setting = TRUE;
  if (item->list != NULL)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (item->widget), at);
  else
    ls_lane_controls_choose (LS_LANE_CONTROLS (item->widget), at);
  item->setting = FALSE;
}

static void
chosen_cb (Switch *item)
{
  LsWindow *self = item->window;
  const guint at = selected (item);

  if (item->setting)
    return;
  if (item->row->option != NULL)
    {
      const char *const *values = values_of (item->row);
      if (at >= g_strv_length ((char **) values))
        return;
      if (item->row->lays_over)
        ls_session_lay_over_step (self->session);
      ls_window_set_option (self, item->row->option, values[at]);
      return;
    }
  ls_canvas_switch (LS_CANVAS (gtk_widget_get_ancestor (item->widget, LS_TYPE_CANVAS)), item->row, at);
  /* both stages' canvases share the view's state */
  for (guint i = 0; i < self->switches->len; i++)
    {
      Switch *other = g_ptr_array_index (self->switches, i);
      if (other != item && other->row == item->row)
        select_item (other, at);
    }
  show_switches (self);
  ls_window_update_lab (self);
}

/* As it stands on the stage that is there already. */
static GtkWidget *
keep (LsWindow *self, Switch made)
{
  Switch *item = g_memdup2 (&made, sizeof made);

  for (guint i = 0; i < self->switches->len; i++)
    {
      const Switch *other = g_ptr_array_index (self->switches, i);
      if (other->row == item->row && item->row->option == NULL)
        select_item (item, selected (other));
    }
  g_ptr_array_add (self->switches, item);
  g_signal_connect_swapped (item->widget, item->list != NULL ? "notify::selected" : "changed",
                            G_CALLBACK (chosen_cb), item);
  return item->widget;
}

static GtkWidget *
drop_down (LsWindow *self, const LsView *view, const LsViewSwitch *row, GtkWidget *question)
{
  GtkStringList *list = gtk_string_list_new (NULL);
  GtkWidget *drop;
  const char *words;

  for (guint i = 0; row->choice != NULL && (words = row->choice (i)) != NULL; i++)
    gtk_string_list_append (list, words);
  if (row->offered != NULL)
    gtk_string_list_append (list, "");
  for (guint i = 0; row->option != NULL && values_of (row)[i] != NULL; i++)
    gtk_string_list_take (list, row->words (values_of (row)[i]));
  drop = gtk_drop_down_new (G_LIST_MODEL (list), NULL);
  ls_compat_name_drop (drop, gettext (row->title));
  if (question != NULL)
    gtk_widget_set_tooltip_text (drop, gettext (row->title));
  return keep (self, (Switch){ self, view, row, question, drop, list, FALSE });
}

/* Shorter where there is no room for all; the drop-down after it has it as its name and its tip. */
static GtkWidget *
question_label (const LsViewSwitch *row)
{
  GtkWidget *label = gtk_label_new (gettext (row->title));

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* One switch alone: its choices side by side, as those of the lanes are. */
static GtkWidget *
words_side_by_side (LsWindow *self, const LsView *view, const LsViewSwitch *row)
{
  GPtrArray *words = g_ptr_array_new ();
  LsOption *option = g_new0 (LsOption, 1);
  GtkWidget *controls;
  const char *word;

  for (guint i = 0; (word = row->choice (i)) != NULL; i++)
    g_ptr_array_add (words, (gpointer) word);
  g_ptr_array_add (words, NULL);
  option->choices = (const char *const *) words->pdata;
  option->label = row->title;
  controls = ls_lane_controls_new_own (option);
  g_object_set_data_full (G_OBJECT (controls), "option", option, g_free);
  g_object_set_data_full (G_OBJECT (controls), "words", words, (GDestroyNotify) g_ptr_array_unref);
  return keep (self, (Switch){ self, view, row, NULL, controls, NULL, FALSE });
}

/* ---- from outside ---- */

void
ls_window_add_switches (LsWindow *self, LsCanvas *canvas)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsViewSwitch *row = views[i]->switches;
      if (row == NULL)
        continue;
      if (row[1].title == NULL && row->option == NULL && row->offered == NULL)
        {
          ls_canvas_set_switches (canvas, views[i], words_side_by_side (self, views[i], row));
          continue;
        }
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      for (; row->title != NULL; row++)
        {
          GtkWidget *question = row->asks ? question_label (row) : NULL;

          if (question != NULL)
            gtk_box_append (GTK_BOX (box), question);
          gtk_box_append (GTK_BOX (box), drop_down (self, views[i], row, question));
        }
      if (views[i]->edits_kernels)
        gtk_box_append (GTK_BOX (box), ls_window_kernel_button ());
      ls_canvas_set_switches (canvas, views[i], box);
    }
}

/* A value that isn't among the usual ones stands at the list's end while it holds. */
static void
show_value (Switch *item, const char *text)
{
  const char *const *values = values_of (item->row);
  const guint n = g_strv_length ((char **) values);
  g_autofree char *own = item->row->words (text);
  guint at = 0, more;

  while (at < n && strcmp (values[at], text) != 0)
    at++;
  item->setting = TRUE;
  if (at == n && g_strcmp0 (gtk_string_list_get_string (item->list, n), own) != 0)
    {
      const char *const added[] = { own, NULL };
      gtk_string_list_splice (item->list, n, g_list_model_get_n_items (G_LIST_MODEL (item->list)) - n, added);
    }
  select_item (item, at);
  item->setting = TRUE;
  more = g_list_model_get_n_items (G_LIST_MODEL (item->list)) - n;
  if (at < n && more > 0)
    gtk_string_list_splice (item->list, n, more, NULL);
  item->setting = FALSE;
}

/* What there is to choose depends on the data, and keys choose, too. */
static void
show_offered (LsWindow *self, Switch *item)
{
  const LsViewData *data = ls_session_data (self->session);
  gconstpointer state = ls_canvas_state (ls_window_canvas (self, 0), item->view);
  const guint had = g_list_model_get_n_items (G_LIST_MODEL (item->list));
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *word;
  gboolean same;

  for (guint i = 0; data != NULL && (word = item->row->offered (data, i)) != NULL; i++)
    g_ptr_array_add (words, (gpointer) word);
  if (words->len == 0)
    return;
  same = words->len == had;
  for (guint i = 0; same && i < had; i++)
    same = g_str_equal (gtk_string_list_get_string (item->list, i), words->pdata[i]);
  item->setting = TRUE;
  if (!same)
    {
      g_ptr_array_add (words, NULL);
      gtk_string_list_splice (item->list, 0, had, (const char *const *) words->pdata);
    }
  select_item (item, item->row->now (state));
}

void
ls_window_update_switches (LsWindow *self)
{
  const LsOptions *options = ls_session_options (self->session);

  for (guint i = 0; i < self->switches->len; i++)
    {
      Switch *item = g_ptr_array_index (self->switches, i);
      g_autofree char *text = item->row->option != NULL
                                ? ls_options_get (options, ls_options_find (item->row->option))
                                : NULL;
      if (text != NULL)
        show_value (item, text);
      if (item->row->offered != NULL)
        show_offered (self, item);
    }
  show_switches (self);
}
