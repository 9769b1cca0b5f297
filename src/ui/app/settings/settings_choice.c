/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings that are chosen from a list: of the option's own choices, of networks, data sets and devices.
 * A value that isn't in the list (a network of one's own, a folder, part of a device's name) is added to it
 * while it holds.
 */
#include "config.h"
#include "ui/app/settings/settings_page.h"
#include "ui/app/settings/settings_pictures.h"
#include "ui/app/settings/settings_row.h"
#include "ui/app/settings/settings_samples.h"

#include <glib/gi18n.h>

#include "data/dataset.h"
#include "data/defaults.h"
#include "model/spec.h"
#include "ui/paint/data/device_words.h"

/* Names that come from outside are shortened in the button beyond so many characters (the tip has them
 * whole), so that one long device name doesn't decide how the pane looks; the program's own words never are.
 */
#define BUTTON_CHARS 12

/* Called once: the list has its own factory. */
static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, LsSettingsRow *row)
{
  row->value = ls_settings_label_new (NULL, FALSE);
  gtk_label_set_wrap (GTK_LABEL (row->value), FALSE); /* a drop-down has one line */
  gtk_label_set_ellipsize (GTK_LABEL (row->value), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (row->value), row->option->choices != NULL ? -1 : BUTTON_CHARS);
  gtk_widget_set_hexpand (row->value, TRUE);
  gtk_list_item_set_child (item, row->value);
}

/* In the button the room that is left is the label's, not the arrow's; and the button takes the focus, not
 * the item in it. */
static void
mend_button (LsSettingsRow *row)
{
  GtkWidget *box = gtk_widget_get_first_child (gtk_widget_get_first_child (row->control));
  GtkWidget *arrow = box != NULL ? gtk_widget_get_last_child (box) : NULL;

  ls_settings_name_parts (row->control, _(row->option->label));
  if (arrow == NULL)
    return;
  gtk_widget_set_hexpand (arrow, FALSE);
  gtk_widget_set_can_focus (box, FALSE);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, LsSettingsRow *row)
{
  const char *words = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_text (GTK_LABEL (row->value), words);
  gtk_widget_set_focusable (gtk_widget_get_parent (row->value), FALSE);
  gtk_widget_set_tooltip_text (row->control, row->option->choices != NULL ? NULL : words);
}

static GtkStringList *
items_of (LsSettingsRow *row)
{
  return GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (row->control)));
}

static void
add_item (LsSettingsRow *row, const char *value, const char *words)
{
  g_ptr_array_add (row->values, g_strdup (value));
  gtk_string_list_append (items_of (row), words);
}

/* The value's item, or GTK_INVALID_LIST_POSITION. */
static guint
find_item (LsSettingsRow *row, const char *text)
{
  for (guint i = 0; i < row->values->len; i++)
    if (g_strcmp0 (g_ptr_array_index (row->values, i), text) == 0)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

static void
select_item (LsSettingsRow *row, const char *text)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (row->control), find_item (row, text));
}

static void
selected_cb (GtkDropDown *down, GParamSpec *pspec, LsSettingsRow *row)
{
  const guint i = gtk_drop_down_get_selected (down);
  const char *value;

  if (row->showing || i == GTK_INVALID_LIST_POSITION)
    return;
  value = g_ptr_array_index (row->values, i);
  if (value != NULL)
    {
      ls_settings_row_take (row, value);
      return;
    }
  row->showing = TRUE;
  select_item (row, row->text); /* asking changes nothing yet */
  row->showing = FALSE;
  row->listener->ask (row, i - find_item (row, NULL), row->data);
}

static GtkWidget *
build_drop_down (LsSettingsRow *row)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  row->control = gtk_drop_down_new (G_LIST_MODEL (gtk_string_list_new (NULL)), NULL);
  row->values = g_ptr_array_new_with_free_func (g_free);
  /* The list keeps the toolkit's look, with its check mark; the button gets a label that breaks. */
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (row->control),
                                  gtk_drop_down_get_factory (GTK_DROP_DOWN (row->control)));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), row);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), row);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (row->control), factory);
  g_object_unref (factory);
  mend_button (row);
  g_signal_connect (row->control, "notify::selected", G_CALLBACK (selected_cb), row);
  return row->control;
}

/* Fills the list anew: the known values, the one at hand if it isn't among them, and what asks for
 * another, NULL-terminated or NULL. */
static void
fill (LsSettingsRow *row, const char *const *known, const char *text, const char *const *asking)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (items_of (row)));

  g_ptr_array_set_size (row->values, 0);
  gtk_string_list_splice (items_of (row), 0, n, NULL);
  for (guint i = 0; known[i] != NULL; i++)
    {
      g_autofree char *words = ls_settings_row_words (row, known[i]);
      add_item (row, known[i], words);
    }
  if (find_item (row, text) == GTK_INVALID_LIST_POSITION)
    {
      g_autofree char *words = ls_settings_row_words (row, text);
      add_item (row, text, words);
    }
  for (guint i = 0; asking != NULL && asking[i] != NULL; i++)
    add_item (row, NULL, asking[i]);
  select_item (row, text);
}

/* ---- the option's own choices ---- */

static char *
choice_words (LsSettingsRow *row, const char *text)
{
  return g_strdup (ls_option_word (row->option, text));
}

static GtkWidget *
build_choice (LsSettingsRow *row)
{
  GtkWidget *down = build_drop_down (row);

  row->showing = TRUE;
  fill (row, row->option->choices, row->text, NULL);
  row->showing = FALSE;
  return down;
}

const LsSettingsKind ls_settings_choice = { build_choice, select_item, NULL, choice_words };

/* ---- networks ---- */

/* The units of the hidden layers, "256 · 128"; convolutions are counted. */
static char *
network_words (LsSettingsRow *row, const char *text)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  GString *words = g_string_new (NULL);
  guint convolutions = 0, plain = model != NULL ? model->n_layers - 1 : 0; /* the last one answers */

  for (guint i = 0; i < plain; i++)
    convolutions += model->layers[i].kind == LS_LAYER_CONV;
  if (convolutions > 0)
    g_string_append_printf (words, ngettext ("%u conv", "%u conv", convolutions), convolutions);
  for (guint i = 0; i < plain; i++)
    if (model->layers[i].kind == LS_LAYER_DENSE || model->layers[i].kind == LS_LAYER_LSTM)
      g_string_append_printf (words, "%s%s%d", words->len > 0 ? " · " : "",
                              model->layers[i].kind == LS_LAYER_LSTM ? "lstm " : "", model->layers[i].n);
  if (words->len == 0)
    g_string_append (words, model != NULL ? _("none") : text);
  return g_string_free (words, FALSE);
}

static void
show_network (LsSettingsRow *row, const char *text)
{
  guint n;
  const LsModelPreset *presets = ls_model_presets (&n);
  g_autofree const char **names = g_new0 (const char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = presets[i].name;
  fill (row, names, text, (const char *const[]){ _("Layers…"), NULL });
}

const LsSettingsKind ls_settings_network = { build_drop_down, show_network, NULL, network_words };

/* ---- data sets ---- */

static char *
data_words (LsSettingsRow *row, const char *text)
{
  g_autofree char *base = NULL;

  if (*text == '\0')
    return g_strdup (_("choose…"));
  if (g_strv_contains (ls_data_names (), text))
    return g_strdup (_(ls_data_defaults (text)->word));
  base = g_path_get_basename (text);
  return g_filename_display_name (base);
}

/* Those that have no picture; while one of the others is chosen, the list asks. */
static void
show_data (LsSettingsRow *row, const char *text)
{
  const char *const *names = ls_data_names ();
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (!ls_settings_is_pictured (names[i]))
      g_ptr_array_add (rest, (gpointer) names[i]);
  g_ptr_array_add (rest, NULL);
  fill (row, (const char *const *) rest->pdata, ls_settings_is_pictured (text) ? "" : text,
        (const char *const[]){ _("Folder…"), _("File…"), NULL });
  if (row->pictures != NULL)
    ls_settings_pictures_show (row->pictures, text);
}

/* The large buttons stand above the row's own. */
static GtkWidget *
build_data (LsSettingsRow *row)
{
  row->pictures = ls_settings_pictures_new (row);
  row->below = ls_settings_samples_new ();
  return build_drop_down (row);
}

const LsSettingsKind ls_settings_data = { build_data, show_data, NULL, data_words };

/* ---- devices ---- */

static char *
device_words (LsSettingsRow *row, const char *text)
{
  return *text == '\0' ? g_strdup (_("best")) : ls_device_short_name (text);
}

/* The names are kept with the control: the row's list is filled from them whenever a value comes. */
#define NAMES_KEY "ls-devices"

static void
show_device (LsSettingsRow *row, const char *text)
{
  static const char *const best[] = { "", NULL };
  const char *const *names = g_object_get_data (G_OBJECT (row->control), NAMES_KEY);

  fill (row, names != NULL ? names : best, text, NULL);
}

void
ls_settings_device_set_names (LsSettingsRow *row, const char *const *names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add (builder, "");
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_strv_builder_add (builder, names[i]);
  g_object_set_data_full (G_OBJECT (row->control), NAMES_KEY, g_strv_builder_end (builder),
                          (GDestroyNotify) g_strfreev);
  ls_settings_row_show (row, row->text);
}

const LsSettingsKind ls_settings_device = { build_drop_down, show_device, NULL, device_words };
