/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all rows share: the name with what the option was, the note, and the words for a screen reader.
 */
#include "config.h"
#include "ui/app/settings/settings_row.h"

#include <glib/gi18n.h>

#include "data/dataset.h"
#include "ui/app/compat.h"
#include "ui/app/settings/settings_layout.h"

/* Quiet text is the text's own colour, thinner: 4.5:1 and more in the light, the dark and the high-contrast
 * theme. */
#define QUIET_ALPHA (guint16) (0.72 * 65535)

static PangoAttrList *
attributes (gboolean bold, gboolean quiet, gboolean small)
{
  PangoAttrList *list = pango_attr_list_new ();

  pango_attr_list_insert (list, pango_attr_weight_new (bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL));
  if (quiet)
    pango_attr_list_insert (list, pango_attr_foreground_alpha_new (QUIET_ALPHA));
  if (small)
    pango_attr_list_insert (list, pango_attr_scale_new (.9));
  return list;
}

static void
set_attributes (GtkWidget *label, gboolean bold, gboolean quiet, gboolean small)
{
  g_autoptr (PangoAttrList) list = attributes (bold, quiet, small);

  gtk_label_set_attributes (GTK_LABEL (label), list);
}

GtkWidget *
ls_settings_label_new (const char *text, gboolean quiet)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  set_attributes (label, FALSE, quiet, FALSE);
  return label;
}

/* The control's own text. */
static void
set_value_bold (LsSettingsRow *row, gboolean bold)
{
  if (row->value != NULL)
    set_attributes (row->value, bold, FALSE, FALSE);
  else if (GTK_IS_EDITABLE (row->control))
    {
      g_autoptr (PangoAttrList) list = attributes (bold, FALSE, FALSE);
      pango_attr_list_insert (list, pango_attr_font_features_new ("tnum"));
      gtk_text_set_attributes (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (row->control))), list);
    }
}

/* The widget in the control that really takes the focus: a drop-down's button, an entry's text. */
static GtkWidget *
focus_target (GtkWidget *control)
{
  if (GTK_IS_DROP_DOWN (control))
    return gtk_widget_get_first_child (control);
  if (GTK_IS_EDITABLE (control))
    return GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (control)));
  return NULL;
}

/* A spin button's own − and + are pictures. */
static void
name_arrows (LsSettingsRow *row)
{
  for (GtkWidget *w = gtk_widget_get_first_child (row->control); w != NULL;
       w = gtk_widget_get_next_sibling (w))
    if (GTK_IS_BUTTON (w))
      {
        g_autofree char *words = g_strdup_printf (
          gtk_widget_has_css_class (w, "up") ? _("%s: more") : _("%s: less"), _(row->option->label));
        ls_compat_name (w, words);
      }
}

/* Names what a screen reader meets: the control and whatever in it takes the focus. words: the value, or
 * NULL. */
static void
describe (LsSettingsRow *row, const char *words)
{
  GtkWidget *inner = focus_target (row->control);
  const char *was = gtk_label_get_text (GTK_LABEL (row->was));
  const char *note = gtk_label_get_text (GTK_LABEL (row->note));
  const char *wrong = gtk_widget_has_css_class (row->note, "error") ? note : "";
  g_autofree char *name = words != NULL ? g_strdup_printf (_("%s: %s"), _(row->option->label), words)
                                        : g_strdup (_(row->option->label));
  g_autofree char *more = *was != '\0' && *wrong != '\0'   ? g_strdup_printf (_("%s. %s"), was, wrong)
                          : *was != '\0' || *wrong != '\0' ? g_strconcat (was, wrong, NULL)
                                                           : g_strdup (note);

  ls_compat_describe (row->control, name, more);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->control), GTK_ACCESSIBLE_STATE_INVALID,
                               *wrong != '\0' ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  if (inner != NULL)
    ls_compat_describe (inner, name, more);
}

static void
describe_value (LsSettingsRow *row)
{
  g_autofree char *words = GTK_IS_DROP_DOWN (row->control) ? ls_settings_row_words (row, row->text) : NULL;

  describe (row, words); /* of a field its text is read anyway */
}

LsSettingsRow *
ls_settings_row_new (GtkWidget *parent, const LsOption *option, const LsSettingsKind *kind,
                     const LsSettingsListener *listener, gpointer data)
{
  LsSettingsRow *row = g_new0 (LsSettingsRow, 1);
  g_autofree char *id = NULL, *help = ls_data_option_help (option);

  row->option = option;
  row->kind = kind;
  row->listener = listener;
  row->data = data;
  row->text = g_strdup (option->default_text);
  row->label = ls_settings_label_new (_(option->label), FALSE);
  gtk_widget_set_hexpand (row->label, TRUE);
  row->was = ls_settings_label_new ("", TRUE);
  set_attributes (row->was, FALSE, TRUE, TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (row->was), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (row->was), 14);
  gtk_label_set_xalign (GTK_LABEL (row->was), 1);
  gtk_label_set_justify (GTK_LABEL (row->was), GTK_JUSTIFY_RIGHT);
  gtk_widget_set_visible (row->was, FALSE);
  row->name = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_box_append (GTK_BOX (row->name), row->label);
  gtk_box_append (GTK_BOX (row->name), row->was);
  row->note = ls_settings_label_new (_(option->note), TRUE);
  set_attributes (row->note, FALSE, TRUE, TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (row->note), PANGO_WRAP_WORD_CHAR);
  row->control = kind->build (row);
  id = g_strconcat (LS_SETTINGS_ID, option->name, NULL);
  gtk_widget_set_name (row->control, id);
  gtk_widget_set_tooltip_text (row->name, help);
  name_arrows (row);

  if (row->pictures != NULL)
    ls_settings_layout_add_wide (parent, row->pictures);
  gtk_widget_set_parent (row->name, parent);
  gtk_widget_set_parent (row->line != NULL ? row->line : row->control, parent);
  gtk_widget_set_parent (row->note, parent);
  if (row->below != NULL)
    ls_settings_layout_add_wide (parent, row->below);
  return row;
}

void
ls_settings_row_free (LsSettingsRow *row)
{
  g_clear_handle_id (&row->timer, g_source_remove);
  g_clear_pointer (&row->values, g_ptr_array_unref);
  g_free (row->text);
  g_free (row->more);
  g_free (row);
}

void
ls_settings_row_accept (LsSettingsRow *row, const char *text)
{
  if (text != row->text)
    {
      g_free (row->text);
      row->text = g_strdup (text);
    }
  ls_settings_row_fail (row, NULL);
}

void
ls_settings_row_show (LsSettingsRow *row, const char *text)
{
  g_clear_handle_id (&row->timer, g_source_remove);
  ls_settings_row_accept (row, text);
  row->showing = TRUE;
  row->kind->show (row, row->text);
  row->showing = FALSE;
}

void
ls_settings_row_fail (LsSettingsRow *row, const char *sentence)
{
  GtkWidget *const widgets[] = { row->control, row->note };

  gtk_label_set_text (GTK_LABEL (row->note), sentence != NULL    ? sentence
                                             : row->more != NULL ? row->more
                                                                 : _(row->option->note));
  set_attributes (row->note, FALSE, sentence == NULL, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (widgets); i++)
    if (sentence != NULL)
      gtk_widget_add_css_class (widgets[i], "error");
    else
      gtk_widget_remove_css_class (widgets[i], "error");
  describe_value (row);
}

void
ls_settings_row_set_was (LsSettingsRow *row, const char *text)
{
  g_autofree char *words = text != NULL ? ls_settings_row_words (row, text) : NULL;
  g_autofree char *was = text != NULL ? g_strdup_printf (_("was %s"), words) : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (row->was), was);
  gtk_widget_set_visible (row->was, text != NULL);
  set_attributes (row->label, text != NULL, FALSE, FALSE);
  set_value_bold (row, text != NULL);
  describe_value (row);
}

void
ls_settings_row_set_more (LsSettingsRow *row, const char *sentence)
{
  const gboolean wrong = gtk_widget_has_css_class (row->note, "error");

  g_free (row->more);
  row->more = g_strdup (sentence);
  if (!wrong)
    ls_settings_row_fail (row, NULL);
}

char *
ls_settings_row_words (LsSettingsRow *row, const char *text)
{
  return row->kind->words (row, text);
}

void
ls_settings_row_take (LsSettingsRow *row, const char *text)
{
  row->listener->take (row, text, row->data);
}
