/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each row of the option table becomes a drop-down; the first also a row of linked buttons. Both show the
 * same value.
 */
#include "config.h"
#include "ui/app/widgets/lane_controls.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"

#define MAX_ROWS 3
#define SPACING  8 /* px */

typedef struct {
  LsLaneControls *owner;
  const LsOption *option;
  GtkWidget *label, *drop, *words; /* words: a linked box of toggles, or NULL */
  GPtrArray *values;               /* texts of the choices, in the drop-down's order */
  gboolean own;                    /* no row of the option table: it keeps its value itself */
} Row;

struct _LsLaneControls {
  GtkWidget parent;
  Row rows[MAX_ROWS];
  guint n_rows;
  gboolean compact; /* no words side by side */
  gboolean setting; /* the program changes what is shown */
};

G_DEFINE_FINAL_TYPE (LsLaneControls, ls_lane_controls, GTK_TYPE_WIDGET)

static guint changed_signal;

/* A choice in the words of the lecture: "work-stealing" for "steal". */
static const char *
word_of (const LsOption *option, guint choice)
{
  return option->choice_words != NULL ? gettext (option->choice_words[choice]) : option->choices[choice];
}

static void
show_choice (Row *row, guint at)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (row->drop), at);
  if (row->words == NULL)
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (row->words); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (at-- == 0)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (child), TRUE);
}

static void
choose (Row *row, guint i)
{
  if (row->owner->setting || i >= row->values->len)
    return;
  if (row->own)
    ls_lane_controls_choose (row->owner, i);
  g_signal_emit (row->owner, changed_signal, 0, row->option, g_ptr_array_index (row->values, i));
}

static void
selected_cb (Row *row)
{
  choose (row, gtk_drop_down_get_selected (GTK_DROP_DOWN (row->drop)));
}

static void
toggled_cb (GtkToggleButton *button, Row *row)
{
  if (gtk_toggle_button_get_active (button))
    choose (row, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "value")));
}

static void
add_words (Row *row)
{
  GtkWidget *first = NULL;

  row->words = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (row->words, "linked");
  gtk_widget_set_valign (row->words, GTK_ALIGN_CENTER);
  for (guint i = 0; i < row->values->len; i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (word_of (row->option, i));
      if (first == NULL)
        first = button;
      else
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
      g_object_set_data (G_OBJECT (button), "value", GUINT_TO_POINTER (i));
      g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), row);
      gtk_box_append (GTK_BOX (row->words), button);
    }
}

static void
fill_values (Row *row, guint most)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  g_ptr_array_set_size (row->values, 0);
  for (guint i = 0; row->option->choices != NULL && row->option->choices[i] != NULL; i++)
    {
      g_ptr_array_add (row->values, g_strdup (row->option->choices[i]));
      gtk_string_list_append (list, word_of (row->option, i));
    }
  for (guint i = 0; row->option->choices == NULL && i <= most; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      gtk_string_list_append (
        list, i == 0 && row->option->zero_word != NULL ? gettext (row->option->zero_word) : number);
      g_ptr_array_add (row->values, g_steal_pointer (&number));
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (row->drop), G_LIST_MODEL (list));
}

static void
add_row (LsLaneControls *self, const LsOption *option, gboolean words)
{
  Row *row = &self->rows[self->n_rows++];

  *row = (Row){ .owner = self, .option = option, .values = g_ptr_array_new_with_free_func (g_free) };
  row->label = gtk_label_new (gettext (option->label));
  gtk_widget_add_css_class (row->label, "dim-label");
  row->drop = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_valign (row->drop, GTK_ALIGN_CENTER);
  ls_compat_name_drop (row->drop, gettext (option->label));
  fill_values (row, 1);
  gtk_widget_set_parent (row->label, GTK_WIDGET (self));
  if (words)
    {
      add_words (row);
      gtk_widget_set_parent (row->words, GTK_WIDGET (self));
    }
  gtk_widget_set_parent (row->drop, GTK_WIDGET (self));
  g_signal_connect_swapped (row->drop, "notify::selected", G_CALLBACK (selected_cb), row);
}

static void
show_value (Row *row, const LsOptions *options)
{
  g_autofree char *text = row->own ? NULL : ls_options_get (options, row->option);
  guint at;

  if (text == NULL)
    return;
  if (!g_ptr_array_find_with_equal_func (row->values, text, g_str_equal, &at))
    {
      if (row->option->choices != NULL)
        return;
      at = row->values->len; /* more than there are processors */
      g_ptr_array_add (row->values, g_strdup (text));
      gtk_string_list_append (GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (row->drop))), text);
    }
  show_choice (row, at);
}

void
ls_lane_controls_set_options (LsLaneControls *self, const LsOptions *options)
{
  self->setting = TRUE;
  for (guint i = 0; i < self->n_rows; i++)
    show_value (&self->rows[i], options);
  self->setting = FALSE;
}

void
ls_lane_controls_set_compact (LsLaneControls *self, gboolean compact)
{
  if (self->compact == compact)
    return;
  self->compact = compact;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_lane_controls_set_most (LsLaneControls *self, guint most)
{
  self->setting = TRUE;
  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].option->choices == NULL && self->rows[i].values->len != most + 1)
      fill_values (&self->rows[i], most);
  self->setting = FALSE;
}

/* ---- room: words where they fit, else the drop-down; what doesn't fit beside the first switch is left out,
 * since it is among the settings, too ---- */

static int
width_of (GtkWidget *widget)
{
  int least, natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  return natural;
}

static int
row_width (const LsLaneControls *self, const Row *row, gboolean words)
{
  const gboolean label = row->words != NULL || !self->compact;

  return (label ? width_of (row->label) + SPACING : 0)
         + width_of (words && row->words != NULL ? row->words : row->drop);
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
         int *least_base, int *natural_base)
{
  LsLaneControls *self = LS_LANE_CONTROLS (widget);

  *least = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      for (guint i = 0; i < self->n_rows; i++)
        *natural += row_width (self, &self->rows[i], !self->compact) + (i > 0 ? SPACING : 0);
      *least = self->n_rows > 0 ? row_width (self, &self->rows[0], FALSE) : 0;
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int low, high;
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, &low, &high, NULL, NULL);
      *least = MAX (*least, low);
      *natural = MAX (*natural, high);
    }
}

static int
place (GtkWidget *child, gboolean shown, int x, int height)
{
  GtkAllocation a = { .x = x, .y = 0, .height = height };

  if (child == NULL)
    return x;
  gtk_widget_set_child_visible (child, shown);
  if (!shown)
    return x;
  a.width = width_of (child);
  gtk_widget_size_allocate (child, &a, -1);
  return x + a.width + SPACING;
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LsLaneControls *self = LS_LANE_CONTROLS (widget);
  int x = 0;

  for (guint i = 0; i < self->n_rows; i++)
    {
      Row *row = &self->rows[i];
      const gboolean words = row->words != NULL && !self->compact
                             && x + row_width (self, row, TRUE) <= width + 1;
      const gboolean shown = i == 0 || x + row_width (self, row, words) <= width + 1;
      x = place (row->label, shown && (row->words != NULL || !self->compact), x, height);
      x = place (row->words, shown && words, x, height);
      x = place (row->drop, shown && !words, x, height);
    }
}

static void
dispose (GObject *object)
{
  LsLaneControls *self = LS_LANE_CONTROLS (object);

  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL;)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ls_lane_controls_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LsLaneControls *self = LS_LANE_CONTROLS (object);

  for (guint i = 0; i < self->n_rows; i++)
    g_ptr_array_unref (self->rows[i].values);
  G_OBJECT_CLASS (ls_lane_controls_parent_class)->finalize (object);
}

static void
ls_lane_controls_class_init (LsLaneControlsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  GTK_WIDGET_CLASS (class)->measure = measure;
  GTK_WIDGET_CLASS (class)->size_allocate = size_allocate;
  changed_signal = g_signal_new ("changed", LS_TYPE_LANE_CONTROLS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_STRING);
}

static void
ls_lane_controls_init (LsLaneControls *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "lane-controls");
}

GtkWidget *
ls_lane_controls_new (const char *const *names)
{
  LsLaneControls *self = g_object_new (LS_TYPE_LANE_CONTROLS, NULL);

  self->setting = TRUE;
  for (guint i = 0; names[i] != NULL && i < MAX_ROWS; i++)
    add_row (self, ls_options_find (names[i]), i == 0);
  self->setting = FALSE;
  return GTK_WIDGET (self);
}

GtkWidget *
ls_lane_controls_new_own (const LsOption *option)
{
  LsLaneControls *self = g_object_new (LS_TYPE_LANE_CONTROLS, NULL);

  self->setting = TRUE;
  add_row (self, option, TRUE);
  self->rows[0].own = TRUE;
  show_choice (&self->rows[0], 0);
  self->setting = FALSE;
  return GTK_WIDGET (self);
}

guint
ls_lane_controls_chosen (LsLaneControls *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->rows[0].drop));
}

void
ls_lane_controls_choose (LsLaneControls *self, guint i)
{
  self->setting = TRUE;
  show_choice (&self->rows[0], i);
  self->setting = FALSE;
}
