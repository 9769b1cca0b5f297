/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row for each line of LsFairness: sign, title and sentence, and a switch where the line has one. What a
 * row says follows the session's data while it is shown; widgets are made once.
 */
#include "config.h"
#include "ui/app/dialogs/fair_panel.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/paint/parts/rates.h"

#define SENTENCE_CHARS 58
#define HEIGHT_PX      520

typedef struct {
  LsFairPanel *panel;
  GtkWidget *box, *sign, *title, *words, *state, *evidence, *toggle;
  guint side;
  const char *option, *fair, *unfair; /* NULL: none for these lanes */
} Row;

struct _LsFairPanel {
  GtkBox parent;
  LsSession *session;
  gulong data_handler;
  GtkWidget *ratio, *verdict, *recorded, *buttons;
  Row rows[LS_FAIR_MAX];
  guint n;
  gboolean setting; /* the program moves a switch */
};

enum { SWITCH, FIGHT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsFairPanel, ls_fair_panel, GTK_TYPE_BOX)

/* By LsFairState. A word beside each sign: neither colour nor shape alone. */
static const struct {
  const char *icon, *word, *class;
} states[] = {
  { "emblem-ok-symbolic", N_("fair"), "fair-yes" },
  { "dialog-question-symbolic", N_("not known"), "fair-unknown" },
  { "dialog-warning-symbolic", N_("unfair"), "fair-no" },
};

/* By LsEvidence. */
static const char *const evidence[] = { N_("measured"), N_("derived"), N_("modelled"), N_("published") };

static GtkWidget *
label_new (const char *class, int chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), chars > 0);
  gtk_label_set_max_width_chars (GTK_LABEL (label), chars);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void
set_text (GtkWidget *label, const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

static void
switched_cb (Row *row)
{
  const gboolean unfair = gtk_switch_get_active (GTK_SWITCH (row->toggle));

  if (!row->panel->setting && row->option != NULL)
    g_signal_emit (row->panel, signals[SWITCH], 0, row->side, row->option, unfair ? row->unfair : row->fair);
}

static void
add_row (LsFairPanel *self, GtkWidget *list, const LsFairRow *line)
{
  Row *row = &self->rows[self->n++];
  GtkWidget *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  row->panel = self;
  row->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  row->sign = gtk_image_new ();
  row->title = label_new ("fair-title", 0);
  row->state = label_new ("fair-state", 0);
  row->evidence = label_new ("fair-evidence", 0);
  row->words = label_new ("fair-words", SENTENCE_CHARS);
  row->toggle = gtk_switch_new ();
  gtk_label_set_text (GTK_LABEL (row->title), gettext (line->title));
  gtk_label_set_width_chars (GTK_LABEL (row->words), SENTENCE_CHARS);
  gtk_widget_set_valign (row->sign, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (row->toggle, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (head), row->title);
  gtk_box_append (GTK_BOX (head), row->state);
  gtk_box_append (GTK_BOX (head), row->evidence);
  gtk_box_append (GTK_BOX (text), head);
  gtk_box_append (GTK_BOX (text), row->words);
  gtk_box_append (GTK_BOX (row->box), row->sign);
  gtk_box_append (GTK_BOX (row->box), text);
  gtk_box_append (GTK_BOX (row->box), row->toggle);
  gtk_widget_set_tooltip_text (row->toggle, _("Unfair on purpose"));
  ls_compat_name (row->sign, "");
  g_signal_connect_swapped (row->toggle, "notify::active", G_CALLBACK (switched_cb), row);
  gtk_box_append (GTK_BOX (list), row->box);
}

static void
show_row (LsFairPanel *self, Row *row, const LsFairLine *line, gboolean live)
{
  row->side = line->side;
  row->option = line->option;
  row->fair = line->fair;
  row->unfair = line->unfair;
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (row->words)), line->words) != 0)
    {
      g_autofree char *name = g_strdup_printf (_("%s: unfair on purpose"), gettext (line->row->title));
      gtk_label_set_text (GTK_LABEL (row->words), line->words);
      ls_compat_describe (row->toggle, name, line->words);
    }
  set_text (row->state, gettext (states[line->state].word));
  set_text (row->evidence, line->state == LS_FAIR_UNKNOWN || line->row->evidence < 0
                             ? ""
                             : gettext (evidence[line->row->evidence]));
  gtk_image_set_from_icon_name (GTK_IMAGE (row->sign), states[line->state].icon);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (i == line->state)
      gtk_widget_add_css_class (row->box, states[i].class);
    else
      gtk_widget_remove_css_class (row->box, states[i].class);
  gtk_widget_set_visible (row->toggle, live && line->option != NULL);
  self->setting = TRUE;
  if (gtk_switch_get_active (GTK_SWITCH (row->toggle)) != line->switched)
    gtk_switch_set_active (GTK_SWITCH (row->toggle), line->switched);
  self->setting = FALSE;
}

static void
update (LsFairPanel *self)
{
  const LsViewData *data = ls_session_data (self->session);
  const LsFairness *fairness = data != NULL ? data->fairness : NULL;
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;
  g_autofree char *titles = ls_fairness_titles (fairness),
                  *unfair = g_strdup_printf (_("The rates of %s and %s aren’t compared fairly: %s."),
                                             data != NULL ? data->sides[0].brief : "",
                                             data != NULL ? data->sides[1].brief : "", titles);

  g_autofree char *ratio = data != NULL ? ls_rates_verdict (data, TRUE) : NULL;

  gtk_widget_set_visible (self->ratio, ratio != NULL);
  set_text (self->ratio, ratio != NULL ? ratio : "");
  set_text (self->verdict, fairness == NULL ? _("There are no two lanes to compare.")
                           : titles != NULL ? unfair
                                            : _("Nothing that is known makes this comparison unfair."));
  gtk_widget_set_visible (self->recorded, fairness != NULL && !live);
  gtk_widget_set_visible (self->buttons, fairness != NULL && live);
  for (guint i = 0; i < self->n; i++)
    {
      gtk_widget_set_visible (self->rows[i].box, fairness != NULL);
      if (fairness != NULL)
        show_row (self, &self->rows[i], &fairness->lines[i], live);
    }
}

static void
unfair_cb (LsFairPanel *self)
{
  g_signal_emit (self, signals[FIGHT], 0, FALSE);
}

static void
fair_cb (LsFairPanel *self)
{
  g_signal_emit (self, signals[FIGHT], 0, TRUE);
}

static GtkWidget *
make_buttons (LsFairPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *unfair = gtk_button_new (), *fair = gtk_button_new ();

  ls_compat_name_button (unfair, _("_Unfair on Purpose"));
  ls_compat_name_button (fair, _("_Fair Again"));
  gtk_widget_set_tooltip_text (unfair, _("CPU: one thread and naive loops; OpenCL: its packed kernel"));
  gtk_widget_add_css_class (fair, "run-with-these");
  g_signal_connect_swapped (unfair, "clicked", G_CALLBACK (unfair_cb), self);
  g_signal_connect_swapped (fair, "clicked", G_CALLBACK (fair_cb), self);
  gtk_box_append (GTK_BOX (box), unfair);
  gtk_box_append (GTK_BOX (box), fair);
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_widget_set_margin_top (box, 4);
  return box;
}

static void
ls_fair_panel_dispose (GObject *object)
{
  LsFairPanel *self = LS_FAIR_PANEL (object);

  if (self->session != NULL)
    g_clear_signal_handler (&self->data_handler, self->session);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_fair_panel_parent_class)->dispose (object);
}

static void
ls_fair_panel_class_init (LsFairPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ls_fair_panel_dispose;
  signals[SWITCH] = g_signal_new ("switch", LS_TYPE_FAIR_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_STRING, G_TYPE_STRING);
  signals[FIGHT] = g_signal_new ("fight", LS_TYPE_FAIR_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
ls_fair_panel_init (LsFairPanel *self)
{
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 5),
            *scrolled = ls_compat_scrolled_new (_("Is This a Fair Fight?")),
            *title = label_new ("heading", 0);
  guint n;
  const LsFairRow *rows = ls_fair_rows (&n);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_label_set_text (GTK_LABEL (title), _("Is This a Fair Fight?"));
  self->ratio = label_new ("fair-ratio", 0);
  self->verdict = label_new (NULL, SENTENCE_CHARS + 8);
  self->recorded = label_new ("dim-label", SENTENCE_CHARS + 8);
  gtk_label_set_text (GTK_LABEL (self->recorded), _("As it was recorded; nothing of it can be switched."));
  self->buttons = make_buttons (self);
  for (guint i = 0; i < n; i++)
    add_row (self, list, &rows[i]);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), HEIGHT_PX);
  gtk_widget_set_margin_end (list, 4); /* room for the focus ring */
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_box_append (GTK_BOX (self), title);
  gtk_box_append (GTK_BOX (self), self->ratio);
  gtk_box_append (GTK_BOX (self), self->verdict);
  gtk_box_append (GTK_BOX (self), self->recorded);
  gtk_box_append (GTK_BOX (self), scrolled);
  gtk_box_append (GTK_BOX (self), self->buttons);
}

GtkWidget *
ls_fair_panel_new (LsSession *session)
{
  LsFairPanel *self = g_object_new (LS_TYPE_FAIR_PANEL, NULL);

  self->session = g_object_ref (session);
  self->data_handler = g_signal_connect_swapped (session, "data", G_CALLBACK (update), self);
  update (self);
  return GTK_WIDGET (self);
}
