/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which numbers a kind of layer has is a row of `fields`, what else can be chosen of it one of `choices`.
 * What is typed is only checked to be a whole number here; what may stand in a network is the parser's to
 * say.
 */
#include "config.h"
#include "ui/app/settings/layer_row.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/app/settings/settings_layout.h"
#include "ui/app/settings/settings_row.h"

#define PAUSE_MS  400
#define INDENT    16      /* px for each bracket around a layer */
#define INSET     3       /* as a flow box pads its children */
#define MAX_VALUE 9999999 /* more than the parser takes, so that it is the parser that refuses */

#define CONV    (1u << LS_LAYER_CONV)
#define MAXPOOL (1u << LS_LAYER_MAXPOOL)
#define AVGPOOL (1u << LS_LAYER_AVGPOOL)
#define DENSE   (1u << LS_LAYER_DENSE)
#define LSTM    (1u << LS_LAYER_LSTM)
#define DROPOUT (1u << LS_LAYER_DROPOUT)

static const struct {
  const char *label;
  gsize offset;
  guint kinds;
  gint step;
  gboolean share; /* in millionths; shown as a decimal number */
} fields[] = {
  { N_("channels"), G_STRUCT_OFFSET (LsLayer, n), CONV, 8 },
  { N_("units"), G_STRUCT_OFFSET (LsLayer, n), DENSE | LSTM, 8 },
  { N_("kernel"), G_STRUCT_OFFSET (LsLayer, kernel), CONV | MAXPOOL | AVGPOOL, 1 },
  { N_("stride"), G_STRUCT_OFFSET (LsLayer, stride), CONV | MAXPOOL, 1 },
  { N_("padding"), G_STRUCT_OFFSET (LsLayer, pad), CONV, 1 },
  { N_("left out"), G_STRUCT_OFFSET (LsLayer, share), DROPOUT, LS_MODEL_SHARES / 20, .share = TRUE },
};

/* What is so or isn't. */
static const struct {
  const char *label;
  gsize offset; /* of a gboolean */
  guint kinds;
} choices[] = {
  { N_("gives all steps"), G_STRUCT_OFFSET (LsLayer, all), LSTM },
  { N_("by columns"), G_STRUCT_OFFSET (LsLayer, by_columns), LSTM },
};

struct _LsLayerRow {
  GtkListBoxRow parent;
  LsLayer layer;
  GtkWidget *words, *shape, *numbers;
  GtkWidget *entries[G_N_ELEMENTS (fields)], *checks[G_N_ELEMENTS (choices)]; /* NULL: not of this kind */
  gboolean showing;
  guint timer;
};

G_DEFINE_FINAL_TYPE (LsLayerRow, ls_layer_row, GTK_TYPE_LIST_BOX_ROW)

enum { EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gint
field_value (const LsLayerRow *self, guint i)
{
  return G_STRUCT_MEMBER (gint, &self->layer, fields[i].offset);
}

/* (transfer full) */
static char *
field_text (guint i, gint value)
{
  return fields[i].share ? ls_layer_share_text (value) : g_strdup_printf ("%d", value);
}

static gboolean
field_read (guint i, const char *text, gint64 *value)
{
  gint share = 0;

  if (!fields[i].share)
    return g_ascii_string_to_signed (text, 10, 0, MAX_VALUE, value, NULL);
  if (!ls_layer_share_read (text, &share))
    return FALSE;
  *value = share;
  return TRUE;
}

static void
mark (GtkWidget *entry, gboolean wrong)
{
  if (wrong)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

/* What is typed, into the layer. FALSE: nothing is another, or it is no number. */
static gboolean
read_entries (LsLayerRow *self)
{
  const gint kernel = self->layer.kernel;
  gboolean other = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      gint64 value;
      gboolean right;

      if (self->entries[i] == NULL)
        continue;
      right = field_read (i, gtk_editable_get_text (GTK_EDITABLE (self->entries[i])), &value);
      mark (self->entries[i], !right);
      if (!right || value == field_value (self, i))
        continue;
      G_STRUCT_MEMBER (gint, &self->layer, fields[i].offset) = (gint) value;
      other = TRUE;
    }
  /* A pool's windows usually touch. */
  if (self->layer.kind == LS_LAYER_MAXPOOL && self->layer.kernel != kernel && self->layer.stride == kernel)
    self->layer.stride = self->layer.kernel;
  return other;
}

static void
take (LsLayerRow *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (read_entries (self))
    g_signal_emit (self, signals[EDITED], 0);
}

static gboolean
pause_cb (gpointer data)
{
  LsLayerRow *self = data;

  self->timer = 0;
  take (self);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (GtkEditable *editable, LsLayerRow *self)
{
  if (self->showing)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (PAUSE_MS, pause_cb, self);
}

static void
activate_cb (GtkWidget *entry, LsLayerRow *self)
{
  take (self);
}

static void
leave_cb (GtkEventControllerFocus *focus, LsLayerRow *self)
{
  if (self->timer != 0)
    take (self);
}

static gboolean
key_cb (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType state, LsLayerRow *self)
{
  GtkWidget *entry = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));
  const gint direction = keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up       ? 1
                         : keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down ? -1
                                                                               : 0;

  if (direction == 0 || (state & (GDK_ALT_MASK | GDK_CONTROL_MASK)))
    return GDK_EVENT_PROPAGATE;
  if (self->timer != 0)
    take (self); /* from what stands there on */
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (self->entries[i] == entry)
      {
        const gint step = fields[i].step, from = field_value (self, i),
                   value = MAX (direction > 0 ? (from / step + 1) * step : (from - 1) / step * step, 0);
        g_autofree char *text = field_text (i, value);

        gtk_editable_set_text (GTK_EDITABLE (entry), text);
        take (self);
      }
  return GDK_EVENT_STOP;
}

static GtkWidget *
make_entry (LsLayerRow *self, GtkWidget *label)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new (), *keys = gtk_event_controller_key_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 6);
  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_DIGITS);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (entry, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect (entry, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (entry, focus);
  gtk_widget_add_controller (entry, keys);
  ls_compat_name (entry, gtk_label_get_text (GTK_LABEL (label)));
  ls_compat_name (gtk_editable_get_delegate (GTK_EDITABLE (entry)), gtk_label_get_text (GTK_LABEL (label)));
  return entry;
}

static void
toggled_cb (GtkCheckButton *check, LsLayerRow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (choices) && !self->showing; i++)
    if (self->checks[i] == GTK_WIDGET (check))
      {
        G_STRUCT_MEMBER (gboolean, &self->layer, choices[i].offset) = gtk_check_button_get_active (check);
        g_signal_emit (self, signals[EDITED], 0);
      }
}

/* Not a stop of the keyboard itself: what is in it is. */
static void
add_child (LsLayerRow *self, GtkWidget *child, const char *name)
{
  gtk_flow_box_insert (GTK_FLOW_BOX (self->numbers), child, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (child), FALSE);
  ls_compat_name (gtk_widget_get_parent (child), name);
}

static void
add_fields (LsLayerRow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      GtkWidget *box, *label;

      if (!(fields[i].kinds & 1u << self->layer.kind))
        continue;
      box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
      label = ls_settings_label_new (_(fields[i].label), TRUE);
      self->entries[i] = make_entry (self, label);
      gtk_box_append (GTK_BOX (box), label);
      gtk_box_append (GTK_BOX (box), self->entries[i]);
      add_child (self, box, _(fields[i].label));
    }
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (choices[i].kinds & 1u << self->layer.kind)
      {
        self->checks[i] = gtk_check_button_new_with_label (_(choices[i].label));
        g_signal_connect (self->checks[i], "toggled", G_CALLBACK (toggled_cb), self);
        add_child (self, self->checks[i], _(choices[i].label));
      }
}

static void
ls_layer_row_dispose (GObject *object)
{
  LsLayerRow *self = LS_LAYER_ROW (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  G_OBJECT_CLASS (ls_layer_row_parent_class)->dispose (object);
}

static void
ls_layer_row_class_init (LsLayerRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_layer_row_dispose;
  signals[EDITED] = g_signal_new ("edited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
ls_layer_row_init (LsLayerRow *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);

  self->words = ls_settings_label_new (NULL, FALSE);
  self->shape = ls_settings_label_new (NULL, TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->shape), FALSE);
  gtk_label_set_xalign (GTK_LABEL (self->shape), 1);
  gtk_widget_set_margin_start (self->words, INSET);
  gtk_widget_set_margin_end (self->shape, INSET);
  self->numbers = gtk_flow_box_new ();
  ls_compat_name (self->numbers, _("The layer’s numbers"));
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->numbers), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->numbers), 2);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (self->numbers), TRUE);
  gtk_widget_set_visible (self->numbers, FALSE);
  gtk_widget_set_parent (self->words, box);
  gtk_widget_set_parent (self->shape, box);
  gtk_widget_set_parent (self->numbers, box);
  gtk_widget_set_margin_top (box, 7);
  gtk_widget_set_margin_bottom (box, 7);
  gtk_widget_set_margin_start (box, 9);
  gtk_widget_set_margin_end (box, 9);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

GtkWidget *
ls_layer_row_new (LsLayerKind kind)
{
  LsLayerRow *self = g_object_new (LS_TYPE_LAYER_ROW, NULL);

  self->layer.kind = kind;
  add_fields (self);
  return GTK_WIDGET (self);
}

void
ls_layer_row_show (LsLayerRow *self, const LsLayer *layer, guint number, const char *shape, gboolean wrong)
{
  guint n;
  LsLayer alone = *layer;
  alone.depth = 0;
  /* a bracket's layers are rows of their own */
  g_autofree char *words = ls_layer_classes (&n)[layer->kind].bracket ? g_strdup (ls_layer_word (layer->kind))
                                                                      : ls_layers_text (&alone, 1);
  g_autofree char *name = shape != NULL ? g_strdup_printf (_("Layer %u: %s, makes %s"), number, words, shape)
                          : wrong       ? g_strdup_printf (_("Layer %u: %s, doesn’t fit"), number, words)
                                        : g_strdup_printf (_("Layer %u: %s"), number, words);

  self->layer = *layer;
  gtk_label_set_text (GTK_LABEL (self->words), words);
  gtk_widget_set_margin_start (self->words, (int) layer->depth * INDENT);
  gtk_label_set_text (GTK_LABEL (self->shape), shape != NULL ? shape : "");
  if (wrong)
    gtk_widget_add_css_class (self->words, "error");
  else
    gtk_widget_remove_css_class (self->words, "error");
  ls_compat_name (self, name);

  self->showing = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *text = field_text (i, field_value (self, i));

      if (self->entries[i] == NULL
          || g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (self->entries[i])), text) == 0)
        continue;
      gtk_editable_set_text (GTK_EDITABLE (self->entries[i]), text);
      mark (self->entries[i], FALSE); /* what was wrong stands there no more */
    }
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (self->checks[i] != NULL)
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->checks[i]),
                                   G_STRUCT_MEMBER (gboolean, layer, choices[i].offset));
  self->showing = FALSE;
}

void
ls_layer_row_set_open (LsLayerRow *self, gboolean open)
{
  gtk_widget_set_visible (self->numbers, open && gtk_widget_get_first_child (self->numbers) != NULL);
}

const LsLayer *
ls_layer_row_get_layer (LsLayerRow *self)
{
  return &self->layer;
}
