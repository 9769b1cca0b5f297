/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings that are numbers. Typing counts after a pause, on Enter or when the focus goes, so that “0.05”
 * is one change and not four; the same for an arrow that is held. What can't be is told under the row and
 * changes nothing. The decimal sign is the language's; a point is understood everywhere.
 */
#include "config.h"
#include "ui/app/settings/settings_row.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n.h>

#define PAUSE_MS 400

/* As ls_options_set() wants it: no spaces around, a point, 0 for the word that means it. */
static char *
plain_text (const LsOption *option, const char *typed)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (typed));
  const char *sign = C_ ("decimal sign", ".");

  if (option->zero_word != NULL && g_utf8_collate (trimmed, _(option->zero_word)) == 0)
    return g_strdup ("0");
  if (option->type == LS_OPTION_DOUBLE && *sign != '\0' && strcmp (sign, ".") != 0)
    {
      g_auto (GStrv) parts = g_strsplit (trimmed, sign, 2);
      return g_strjoinv (".", parts);
    }
  return g_steal_pointer (&trimmed);
}

static char *
number_words (LsSettingsRow *row, const char *text)
{
  const LsOption *option = row->option;

  if (option->zero_word != NULL && strcmp (text, "0") == 0)
    return g_strdup (_(option->zero_word));
  if (option->type == LS_OPTION_DOUBLE)
    {
      g_auto (GStrv) parts = g_strsplit (text, ".", 2);
      return g_strjoinv (C_ ("decimal sign", "."), parts);
    }
  return g_strdup (text);
}

static gboolean
is_wrong (LsSettingsRow *row)
{
  return gtk_widget_has_css_class (row->control, "error");
}

static void
take_typed (LsSettingsRow *row)
{
  g_autofree char *text = plain_text (row->option, gtk_editable_get_text (GTK_EDITABLE (row->control)));

  g_clear_handle_id (&row->timer, g_source_remove);
  ls_settings_row_take (row, text);
}

/* Typing is over: what it meant is taken, and written as it is always written. */
static void
take_now (LsSettingsRow *row)
{
  g_autofree char *words = NULL;

  take_typed (row);
  words = number_words (row, row->text);
  if (is_wrong (row) || strcmp (gtk_editable_get_text (GTK_EDITABLE (row->control)), words) == 0)
    return;
  row->showing = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (row->control), words);
  row->showing = FALSE;
}

static gboolean
pause_cb (gpointer data)
{
  LsSettingsRow *row = data;

  row->timer = 0;
  take_typed (row);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (GtkEditable *editable, LsSettingsRow *row)
{
  if (row->showing)
    return;
  g_clear_handle_id (&row->timer, g_source_remove);
  row->timer = g_timeout_add (PAUSE_MS, pause_cb, row);
}

static void
flush_number (LsSettingsRow *row)
{
  if (row->timer != 0)
    take_now (row);
}

static void
activate_cb (GtkWidget *text, LsSettingsRow *row)
{
  take_now (row);
}

static void
leave_cb (GtkEventControllerFocus *focus, LsSettingsRow *row)
{
  flush_number (row);
}

static void
watch (LsSettingsRow *row)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (row->control));

  g_signal_connect (row->control, "changed", G_CALLBACK (changed_cb), row);
  g_signal_connect (text, "activate", G_CALLBACK (activate_cb), row);
  g_signal_connect (focus, "leave", G_CALLBACK (leave_cb), row);
  gtk_widget_add_controller (row->control, focus);
}

/* Leaves the text alone where it says the same already: the cursor stays where somebody types. */
static void
show_text (LsSettingsRow *row, const char *text)
{
  g_autofree char *words = number_words (row, text);
  g_autofree char *typed = plain_text (row->option, gtk_editable_get_text (GTK_EDITABLE (row->control)));

  if (strcmp (typed, text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (row->control), words);
}

/* ---- whole numbers: a spin button ---- */

/* Called by the spin button whenever it wants to know what its text means. What the option doesn't take is
 * told, and the value stays. */
static int
input_cb (GtkSpinButton *spin, double *value, LsSettingsRow *row)
{
  g_autofree char *text = plain_text (row->option, gtk_editable_get_text (GTK_EDITABLE (spin)));
  g_autoptr (LsOptions) scratch = ls_options_new ();

  if (ls_options_set (scratch, row->option, text, NULL))
    *value = (double) G_STRUCT_MEMBER (gint64, scratch, row->option->offset);
  else
    {
      *value = gtk_adjustment_get_value (gtk_spin_button_get_adjustment (spin));
      if (!row->showing && *text != '\0')
        ls_settings_row_take (row, text);
    }
  return TRUE;
}

/* Called whenever it writes its value. A mistake stays, to be seen and mended, until the value is another. */
static gboolean
output_cb (GtkSpinButton *spin, LsSettingsRow *row)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (spin));
  g_autofree char *number = g_strdup_printf (
    "%.0f", gtk_adjustment_get_value (gtk_spin_button_get_adjustment (spin)));
  g_autofree char *words = number_words (row, number);

  if (strcmp (typed, words) != 0
      && !(is_wrong (row) && !row->showing && *typed != '\0' && strcmp (number, row->text) == 0))
    gtk_editable_set_text (GTK_EDITABLE (spin), words);
  return TRUE;
}

static void
show_whole (LsSettingsRow *row, const char *text)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (row->control), g_ascii_strtod (text, NULL));
  show_text (row, text);
}

/* The pane scrolls under the wheel; numbers that pass beneath the pointer don't change by it. */
static void
drop_wheel (GtkWidget *spin)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (spin);

  for (guint i = g_list_model_get_n_items (controllers); i-- > 0;)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_widget_remove_controller (spin, controller);
    }
}

static GtkWidget *
build_whole (LsSettingsRow *row)
{
  const LsOption *option = row->option;
  const double step = option->step > 0 ? option->step : 1;
  GtkAdjustment *range = gtk_adjustment_new (g_ascii_strtod (row->text, NULL), option->min, option->max, step,
                                             8 * step, 0);

  row->control = gtk_spin_button_new (range, 0, 0);
  gtk_editable_set_width_chars (GTK_EDITABLE (row->control), 5);
  g_signal_connect (row->control, "input", G_CALLBACK (input_cb), row);
  g_signal_connect (row->control, "output", G_CALLBACK (output_cb), row);
  drop_wheel (row->control);
  watch (row);
  return row->control;
}

const LsSettingsKind ls_settings_whole = { build_whole, show_whole, flush_number, number_words };

/* ---- other numbers: a field; Up and Down go through 1, 2, 5, 10 … or by the option's step ---- */

/* The next of 1, 2, 5 × 10ⁿ above or below v. */
static double
next_decade (double v, int direction)
{
  static const double marks[] = { 1, 2, 5, 10 };
  const double power = pow (10, floor (log10 (v) + 1e-9)), mantissa = v / power;

  if (direction > 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
        if (marks[i] > mantissa * (1 + 1e-9))
          return marks[i] * power;
      return 20 * power;
    }
  for (guint i = G_N_ELEMENTS (marks); i-- > 0;)
    if (marks[i] < mantissa * (1 - 1e-9))
      return marks[i] * power;
  return power / 2;
}

static double
stepped (const LsOption *option, double v, int direction)
{
  const double least = 1e-6;

  if (option->step > 0) /* the next of its multiples, wherever it stands */
    return option->step
           * (direction > 0 ? floor (v / option->step + 1e-9) + 1 : ceil (v / option->step - 1e-9) - 1);
  if (v < least)
    return direction > 0 ? least : 0;
  return next_decade (v, direction);
}

static gboolean
key_cb (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType state, LsSettingsRow *row)
{
  const int direction = keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up       ? 1
                        : keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down ? -1
                                                                              : 0;
  g_autofree char *typed = plain_text (row->option, gtk_editable_get_text (GTK_EDITABLE (row->control)));
  g_autofree char *words = NULL;
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double v;

  if (direction == 0 || (state & (GDK_ALT_MASK | GDK_CONTROL_MASK)))
    return GDK_EVENT_PROPAGATE;
  v = CLAMP (stepped (row->option, g_ascii_strtod (typed, NULL), direction), row->option->min,
             row->option->max);
  words = number_words (row, g_ascii_formatd (text, sizeof text, "%.6g", v));
  gtk_editable_set_text (GTK_EDITABLE (row->control), words);
  gtk_editable_set_position (GTK_EDITABLE (row->control), -1);
  return GDK_EVENT_STOP;
}

static GtkWidget *
build_decimal (LsSettingsRow *row)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  row->control = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (row->control), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (row->control), 8);
  gtk_entry_set_input_purpose (GTK_ENTRY (row->control), GTK_INPUT_PURPOSE_NUMBER);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), row);
  gtk_widget_add_controller (row->control, keys);
  watch (row);
  return row->control;
}

const LsSettingsKind ls_settings_decimal = { build_decimal, show_text, flush_number, number_words };
