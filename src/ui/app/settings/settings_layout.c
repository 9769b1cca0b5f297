/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One decision for the whole column, names beside or above, made from the widths that the children ask for;
 * then rows from top to bottom. Measuring and placing walk the same rows by the same function, so they can't
 * differ.
 */
#include "ui/app/settings/settings_layout.h"

#define ROW_GAP   6
#define NAME_GAP  8
#define ABOVE_GAP 2
#define NOTE_GAP  2
#define CONTROL_W 150 /* px, at least */

struct _LsSettingsLayout {
  GtkLayoutManager parent;
};

G_DEFINE_FINAL_TYPE (LsSettingsLayout, ls_settings_layout, GTK_TYPE_LAYOUT_MANAGER)

typedef struct {
  int name_min, name; /* the widest name: its longest word, all of it */
  int control_min, control;
  int note_min;
} Widths;

typedef struct {
  gboolean beside;
  int name; /* the column of names, if beside */
} Columns;

/* The row's widgets; FALSE at the end. */
static gboolean
next_row (GtkWidget **child, GtkWidget *row[3])
{
  for (guint i = 0; i < 3; i++)
    {
      row[i] = *child;
      if (*child == NULL)
        return FALSE;
      *child = gtk_widget_get_next_sibling (*child);
    }
  return TRUE;
}

static void
widen (GtkWidget *widget, int *widest_min, int *widest)
{
  int min = 0, natural = 0;

  if (gtk_widget_should_layout (widget))
    gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &min, &natural, NULL, NULL);
  *widest_min = MAX (*widest_min, min);
  *widest = MAX (*widest, natural);
}

/* Its control has the whole width, below the name. */
static gboolean
is_broad (GtkWidget *const row[3])
{
  return gtk_widget_get_hexpand (row[1]);
}

static Widths
measure_widths (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget), *row[3];
  Widths w = { 0 };
  int ignored = 0;

  while (next_row (&child, row))
    {
      if (gtk_widget_should_layout (row[1]) && !is_broad (row))
        {
          widen (row[0], &w.name_min, &w.name);
          widen (row[1], &w.control_min, &w.control);
        }
      else
        {
          widen (row[0], &w.note_min, &ignored);
          widen (row[1], &w.note_min, &ignored);
        }
      widen (row[2], &w.note_min, &ignored);
    }
  return w;
}

static Columns
choose_columns (const Widths *w, int width)
{
  const int left = width - NAME_GAP - MAX (w->control, CONTROL_W);

  /* A name may break between words, but not within one, and not often. */
  return (Columns){ .beside = left >= w->name_min && 5 * left >= 3 * w->name, .name = left };
}

static int
height_of (GtkWidget *widget, int width)
{
  int min = 0;

  if (gtk_widget_should_layout (widget))
    gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &min, NULL, NULL, NULL);
  return min;
}

static void
place (GtkWidget *widget, gboolean rtl, int whole, int x, int y, int width, int height)
{
  if (gtk_widget_should_layout (widget))
    gtk_widget_size_allocate (widget, &(GtkAllocation){ rtl ? whole - x - width : x, y, width, height }, -1);
}

/* Walks the rows at that width; places them if asked to. Returns the height. */
static int
walk (GtkWidget *widget, int width, gboolean placing)
{
  const Widths w = measure_widths (widget);
  const Columns c = choose_columns (&w, width);
  const gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GtkWidget *child = gtk_widget_get_first_child (widget), *row[3];
  int y = 0;

  while (next_row (&child, row))
    {
      const gboolean wide = !gtk_widget_should_layout (row[1]);
      const gboolean beside = c.beside && !wide && !is_broad (row);
      const int control_x = beside ? c.name + NAME_GAP : 0, control_w = width - control_x;
      const int name_h = height_of (row[0], beside ? c.name : width),
                control_h = height_of (row[1], control_w);
      const int note_h = height_of (row[2], width);
      const int line_h = wide ? name_h : beside ? MAX (name_h, control_h) : name_h + ABOVE_GAP + control_h;

      y += y > 0 ? ROW_GAP : 0;
      if (placing && beside)
        {
          place (row[0], rtl, width, 0, y + (line_h - name_h) / 2, c.name, name_h);
          place (row[1], rtl, width, control_x, y + (line_h - control_h) / 2, control_w, control_h);
        }
      else if (placing)
        {
          place (row[0], rtl, width, 0, y, width, name_h);
          place (row[1], rtl, width, 0, y + name_h + ABOVE_GAP, width, control_h);
        }
      y += line_h;
      if (note_h == 0)
        continue;
      if (placing)
        place (row[2], rtl, width, 0, y + NOTE_GAP, width, note_h);
      y += NOTE_GAP + note_h;
    }
  return y;
}

static void
ls_settings_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                            int for_size, int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  const Widths w = measure_widths (widget);
  const int least = MAX (MAX (w.name_min, w.control_min), w.note_min),
            usual = w.name + NAME_GAP + MAX (w.control, CONTROL_W);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = least;
      *natural = MAX (least, usual);
    }
  else
    *minimum = *natural = walk (widget, for_size < 0 ? MAX (least, usual) : MAX (least, for_size), FALSE);
}

static void
ls_settings_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                             int baseline)
{
  walk (widget, width, TRUE);
}

static GtkSizeRequestMode
ls_settings_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ls_settings_layout_class_init (LsSettingsLayoutClass *klass)
{
  GtkLayoutManagerClass *manager_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager_class->measure = ls_settings_layout_measure;
  manager_class->allocate = ls_settings_layout_allocate;
  manager_class->get_request_mode = ls_settings_layout_get_request_mode;
}

static void
ls_settings_layout_init (LsSettingsLayout *self)
{
}

GtkLayoutManager *
ls_settings_layout_new (void)
{
  return g_object_new (LS_TYPE_SETTINGS_LAYOUT, NULL);
}

void
ls_settings_layout_add_wide (GtkWidget *list, GtkWidget *child)
{
  gtk_widget_set_parent (child, list);
  for (guint i = 0; i < 2; i++) /* where others have control and note */
    {
      GtkWidget *nothing = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      gtk_widget_set_visible (nothing, FALSE);
      gtk_widget_set_parent (nothing, list);
    }
}
