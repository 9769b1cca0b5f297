/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What opens over the picture: help, the fair panel, the laboratory, messages; and which lane stands where.
 */
#include "config.h"
#include "lab_fixture.h"
#include "rig.h"
#include "view_rig.h"

#include <string.h>

#include "ui/app/dialogs/fair_panel.h"
#include "ui/app/dialogs/help_window.h"
#include "ui/app/dialogs/lab_dialog_private.h"
#include "ui/app/dialogs/tune_dialog.h"
#include "ui/app/widgets/toasts.h"
#include "ui/help/help.h"

static guint
n_of (GtkWidget *widget, GType type)
{
  guint n = G_TYPE_CHECK_INSTANCE_TYPE (widget, type);

  for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
    n += n_of (w, type);
  return n;
}

/* ---- help ---- */

/* Each topic by its name, and its page from its title to its last entry, each term with what it means. */
static void
test_help (void)
{
  GtkWidget *help = ls_help_window_new (NULL);
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);
  GtkListBox *list = GTK_LIST_BOX (rig_find_kind (help, GTK_TYPE_LIST_BOX));

  for (guint i = 0; i < n; i++)
    {
      const LsHelpTopic *topic = topics[(i + 5) % n];
      guint at = 2;

      ls_help_window_show (LS_HELP_WINDOW (help), topic->name);
      GtkListBoxRow *row = gtk_list_box_get_selected_row (list);
      GtkWidget *page = rig_find_kind (help, ADW_TYPE_CLAMP),
                *title = rig_find_kind (help, ADW_TYPE_WINDOW_TITLE);
      g_assert_cmpstr (rig_label (GTK_WIDGET (row), 0), ==, topic->title);
      g_assert_cmpstr (adw_window_title_get_subtitle (ADW_WINDOW_TITLE (title)), ==, topic->title);
      g_assert_cmpstr (rig_label (page, 0), ==, topic->title);
      g_assert_cmpstr (rig_label (page, 1), ==, topic->lead);
      for (const LsHelpEntry *entry = topic->entries; entry->term != NULL; entry++, at += 2)
        {
          g_assert_cmpstr (rig_label (page, at), ==, entry->term);
          g_assert_cmpstr (rig_label (page, at + 1), ==, entry->text);
        }
      g_assert_cmpuint (n_of (page, GTK_TYPE_LABEL), ==, at);
      g_assert_cmpuint (n_of (page, GTK_TYPE_DRAWING_AREA), ==, (at - 2) / 2); /* its mark */
    }
  gtk_window_destroy (GTK_WINDOW (help));
}

/* ---- the fair panel ---- */

typedef struct {
  guint n_switched, n_fought, side;
  char *option, *value;
  gboolean fair;
} Fought;

static void
switch_cb (LsFairPanel *panel, guint side, const char *option, const char *value, Fought *fought)
{
  fought->n_switched++;
  fought->side = side;
  g_free (fought->option);
  fought->option = g_strdup (option);
  g_free (fought->value);
  fought->value = g_strdup (value);
}

static void
fight_cb (LsFairPanel *panel, gboolean fair, Fought *fought)
{
  fought->n_fought++;
  fought->fair = fair;
}

/* Line i is of state (i + turn) % 3; every other one has a switch, every fourth is switched. */
static void
judge (LsSession *session, guint turn)
{
  guint n;
  const LsFairRow *rows = ls_fair_rows (&n);
  LsViewData *data = ls_session_data (session);

  for (guint i = 0; i < n; i++)
    {
      LsFairLine *line = &data->fairness->lines[i];

      line->row = &rows[i];
      line->state = turn == 3 ? LS_FAIR_YES : (LsFairState) ((i + turn) % 3);
      g_free (line->words);
      line->words = g_strdup_printf ("Sentence %u, turn %u.", i, turn);
      line->option = i % 2 == 0 ? "threads" : NULL;
      line->fair = "0";
      line->unfair = "1";
      line->side = i / 2 % 2;
      line->switched = i % 4 == 0;
    }
  data->fairness->unfair = turn < 3;
  ls_session_emit_data (session);
}

static void
test_fair (void)
{
  static const char *const states[] = { "fair", "not known", "unfair" },
                           *const classes[] = { "fair-yes", "fair-unknown", "fair-no" },
                           *const icons[] = { "emblem-ok-symbolic", "dialog-question-symbolic",
                                              "dialog-warning-symbolic" },
                           *const evidence[] = { "measured", "derived", "modelled", "published" };
  g_autoptr (View) none = view_new (), view = view_new ();
  LsSession *session = view->session;
  Fought fought = { 0 };
  guint n;
  const LsFairRow *rows = ls_fair_rows (&n);

  hand_over (view, running ());
  g_assert_nonnull (ls_session_data (session)->fairness);
  GtkWidget *empty = g_object_ref_sink (ls_fair_panel_new (none->session)),
            *panel = g_object_ref_sink (ls_fair_panel_new (session));
  g_signal_connect (panel, "switch", G_CALLBACK (switch_cb), &fought);
  g_signal_connect (panel, "fight", G_CALLBACK (fight_cb), &fought);
  g_assert_cmpstr (rig_label (empty, 2), ==, "There are no two lanes to compare.");
  GtkWidget *list = gtk_widget_get_parent (gtk_widget_get_parent (rig_find_nth (panel, GTK_TYPE_SWITCH, 0)));
  for (guint turn = 0; turn < 4; turn++)
    {
      GtkWidget *box = gtk_widget_get_first_child (list);
      const guint before_shown = fought.n_switched;

      judge (session, turn);
      if (fought.n_switched != before_shown)
        g_error ("turn %u: %u switches that the panel moved itself ask for a change", turn,
                 fought.n_switched - before_shown);
      for (guint i = 0; i < n; i++, box = gtk_widget_get_next_sibling (box))
        {
          const LsFairLine *line = &ls_session_data (session)->fairness->lines[i];
          GtkWidget *toggle = rig_find_nth (box, GTK_TYPE_SWITCH, 0),
                    *sign = rig_find_nth (box, GTK_TYPE_IMAGE, 0);

          g_assert_cmpstr (rig_label (box, 0), ==, rows[i].title);
          g_assert_cmpstr (rig_label (box, 1), ==, states[line->state]);
          g_assert_cmpstr (
            rig_label (box, 2), ==,
            line->state == LS_FAIR_UNKNOWN || rows[i].evidence < 0 ? "" : evidence[rows[i].evidence]);
          g_assert_cmpstr (rig_label (box, 3), ==, line->words);
          g_assert_cmpstr (gtk_image_get_icon_name (GTK_IMAGE (sign)), ==, icons[line->state]);
          for (guint k = 0; k < 3; k++)
            g_assert_cmpint (gtk_widget_has_css_class (box, classes[k]), ==, k == line->state);
          g_assert_cmpint (gtk_widget_get_visible (toggle), ==, line->option != NULL);
          g_assert_cmpint (gtk_switch_get_active (GTK_SWITCH (toggle)), ==, line->switched);
          g_autofree char *name = g_strdup_printf ("%s: unfair on purpose", rows[i].title);
          rig_assert_says (toggle, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
          if (line->option == NULL)
            continue;
          const guint before = fought.n_switched;
          gtk_switch_set_active (GTK_SWITCH (toggle), !line->switched);
          g_assert_cmpuint (fought.n_switched, ==, before + 1);
          g_assert_cmpuint (fought.side, ==, line->side);
          g_assert_cmpstr (fought.option, ==, "threads");
          g_assert_cmpstr (fought.value, ==, line->switched ? "0" : "1");
        }
      g_autofree char *titles = ls_fairness_titles (ls_session_data (session)->fairness);
      if (turn == 3)
        g_assert_cmpstr (rig_label (panel, 2), ==, "Nothing that is known makes this comparison unfair.");
      else
        g_assert_true (g_str_has_suffix (rig_label (panel, 2), ".") && strstr (rig_label (panel, 2), titles));
    }
  rig_click (panel, "Unfair on Purpose");
  g_assert_true (fought.n_fought == 1 && !fought.fair);
  rig_click (panel, "Fair Again");
  g_assert_true (fought.n_fought == 2 && fought.fair);
  /* nothing of a recording can be switched */
  session->mode = LS_SESSION_PLAYBACK;
  ls_session_emit_data (session);
  for (guint i = 0; i < n; i++)
    g_assert_false (gtk_widget_get_visible (rig_find_nth (panel, GTK_TYPE_SWITCH, i)));
  g_assert_true (gtk_widget_get_visible (rig_find_nth (panel, GTK_TYPE_LABEL, 3)));
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_last_child (panel)));
  g_free (fought.option);
  g_free (fought.value);
  g_object_unref (empty);
  g_object_unref (panel);
}

/* ---- the laboratory ---- */

static LsLabDialog *
open_lab (LsSession *session)
{
  ls_lab_dialog_present (NULL, session);
  LsLabDialog *self = rig_toplevel (LS_TYPE_LAB_DIALOG);
  g_assert_nonnull (self);
  return self;
}

static void
assert_lab (LsLabDialog *self, guint row, const char *kept, const char *button, gboolean picture,
            const char *empty)
{
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);
  GtkWidget *label = self->kept->pdata[row];

  gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) row));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, kept);
  g_assert_cmpint (gtk_widget_get_visible (label), ==, *kept != '\0');
  g_autofree char *name = g_strdup_printf ("%s. %s %s", all[row]->title, all[row]->about, kept);
  rig_assert_says (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) row),
                   GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  g_assert_cmpint (gtk_widget_get_visible (self->button), ==, button != NULL);
  if (button != NULL)
    g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (self->button)), ==, button);
  g_assert_true (gtk_stack_get_visible_child (GTK_STACK (self->pages))
                 == (picture ? self->picture : self->empty));
  g_assert_cmpint (gtk_widget_get_sensitive (self->save), ==, picture);
  if (!picture)
    g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (self->empty)), empty));
  g_assert_false (gtk_widget_get_visible (self->bar));
}

/* Of each experiment one is whole, the next was broken off, the next isn't there; then a recording that has
 * but one. What was broken off is newer than what was finished before it. */
static void
test_lab (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autoptr (View) view = view_new ();
  LsSession *session = view->session;
  LsSessionKept *kept = g_new0 (LsSessionKept, 1), *recorded = g_new0 (LsSessionKept, 1);
  guint n, whole = 0, broken = 0;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  for (LsSessionKept **k = (LsSessionKept *[]){ kept, recorded, NULL }; *k != NULL; k++)
    {
      (*k)->finished = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      (*k)->broken_off = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      (*k)->foreign = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
    }
  for (guint i = 0; i < n; i++)
    {
      LsLabResult *found = lab_fixture_find (results, all[i]->name);
      if (found == NULL || i % 3 == 2)
        continue;
      g_ptr_array_add (kept->finished, ls_lab_result_ref (found));
      if (i % 3 == 1)
        {
          LsLabResult *part = ls_lab_result_copy (found);
          g_array_set_size (part->tried, 2);
          part->ended = FALSE;
          g_free (part->date);
          part->date = g_strdup ("2026-02-03");
          g_ptr_array_add (kept->broken_off, part);
        }
      else if (recorded->finished->len == 0)
        g_ptr_array_add (recorded->finished, ls_lab_result_ref (found));
    }
  kept->unused = g_strdup ("“batch.json” can’t be read.");
  hand_over (view, running ());
  session->kept = kept;
  session->recorded = recorded;
  static const LsSessionMode modes[] = { LS_SESSION_LIVE, LS_SESSION_NONE, LS_SESSION_STARTING,
                                         LS_SESSION_FAILED, LS_SESSION_PLAYBACK };
  for (gsize m = 0; m < G_N_ELEMENTS (modes); m++)
    {
      const gboolean playback = modes[m] == LS_SESSION_PLAYBACK;
      LsLabDialog *self;

      session->mode = modes[m];
      session->file = playback ? ls_fixture_recording (&desk) : NULL;
      self = open_lab (session);
      for (guint i = 0; i < n; i++)
        {
          LsLabResult *found = lab_fixture_find (results, all[i]->name);
          g_autofree char *words = NULL;

          if (playback && found != NULL && found == recorded->finished->pdata[0])
            {
              words = g_strdup_printf ("%s, %u sizes", found->date, found->n_sizes);
              assert_lab (self, i, words, NULL, TRUE, NULL);
            }
          else if (playback)
            assert_lab (self, i, "", NULL, FALSE, "The recording holds no result of this experiment.");
          else if (found == NULL || i % 3 == 2)
            assert_lab (self, i, "", "_Measure", FALSE, "Not measured with these lanes yet.");
          else if (i % 3 == 1)
            {
              words = g_strdup_printf ("2026-02-03, broken off: 2 of %u sizes", found->n_sizes);
              assert_lab (self, i, words, "_Go On", TRUE, NULL);
              broken++;
            }
          else
            {
              words = g_strdup_printf ("%s, %u sizes", found->date, found->n_sizes);
              assert_lab (self, i, words, "Measure _Again", TRUE, NULL);
              whole++;
            }
        }
      g_assert_cmpint (gtk_widget_get_visible (self->said_box), ==, !playback);
      if (!playback)
        g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (self->said_label)), ==,
                         "“batch.json” can’t be read.");
      g_assert_cmpstr (adw_window_title_get_subtitle (ADW_WINDOW_TITLE (self->title)), ==,
                       playback ? "results in the recording" : "CPU, OpenCL");
      gtk_window_destroy (GTK_WINDOW (self));
      rig_settle ();
    }
  g_assert_cmpuint (whole, >, 1);
  g_assert_cmpuint (broken, >, 1);
}

/* ---- messages ---- */

/* The one that is on screen; NULL: none. */
static const char *
shown (GtkWidget *overlay)
{
  GtkWidget *child = gtk_widget_get_last_child (overlay);

  return child != NULL && n_of (child, GTK_TYPE_BUTTON) > 0 ? rig_label (child, 0) : NULL;
}

/* It comes when the one before has faded out. */
static void
wait_for (GtkWidget *overlay, const char *words)
{
  for (guint i = 0; i < 3000 && g_strcmp0 (shown (overlay), words) != 0; i++)
    rig_wait_ms (10);
  g_assert_cmpstr (shown (overlay), ==, words);
}

static void
dismiss (GtkWidget *overlay, const char *next)
{
  GtkWidget *toast = gtk_widget_get_last_child (overlay);

  g_signal_emit_by_name (rig_find_nth (toast, GTK_TYPE_BUTTON, n_of (toast, GTK_TYPE_BUTTON) - 1), "clicked");
  wait_for (overlay, next);
}

/* One after another, none twice, in plain text; one that asks for something takes the shown one's place. */
static void
test_messages (void)
{
  GtkWidget *overlay = adw_toast_overlay_new (), *window = rig_show (overlay, 500, 300);
  AdwToastOverlay *toasts = ADW_TOAST_OVERLAY (overlay);

  g_assert_null (shown (overlay));
  ls_toasts_add (toasts, "One <b> & more.", 600, NULL, NULL);
  ls_toasts_add (toasts, "Two & two.", 600, NULL, NULL);
  ls_toasts_add (toasts, "Three.", 600, NULL, NULL);
  ls_toasts_add (toasts, "Two & two.", 600, NULL, NULL);
  g_assert_cmpstr (shown (overlay), ==, "One <b> & more.");
  dismiss (overlay, "Two & two.");
  ls_toasts_add (toasts, "Four?", 600, "Yes", "win.yes");
  wait_for (overlay, "Four?");
  g_assert_cmpstr (rig_label (rig_find_nth (gtk_widget_get_last_child (overlay), GTK_TYPE_BUTTON, 0), 0), ==,
                   "Yes");
  dismiss (overlay, "Three.");
  dismiss (overlay, NULL);
  rig_settle ();
  g_assert_null (shown (overlay));
  rig_close (window);
}

/* ---- for those who hear them ---- */

/* Whatever takes the focus in a dialog has a name. */
static void
test_named (void)
{
  g_autoptr (View) view = view_new ();
  GtkWidget *help = ls_help_window_new (NULL);

  hand_over (view, running ());
  rig_assert_named (help);
  gtk_window_destroy (GTK_WINDOW (help));
  GtkWidget *panel = g_object_ref_sink (ls_fair_panel_new (view->session));
  rig_assert_named (panel);
  g_object_unref (panel);
  ls_tune_dialog_present (NULL, view->session);
  GtkWidget *tune = rig_toplevel (LS_TYPE_TUNE_DIALOG);
  rig_assert_named (tune);
  gtk_window_destroy (GTK_WINDOW (tune));
  ls_lab_dialog_present (NULL, view->session);
  GtkWidget *lab = rig_toplevel (LS_TYPE_LAB_DIALOG);
  rig_assert_named (lab);
  gtk_window_destroy (GTK_WINDOW (lab));
  rig_settle ();
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/dialogs/help", test_help);
  g_test_add_func ("/dialogs/fair", test_fair);
  g_test_add_func ("/dialogs/lab", test_lab);
  g_test_add_func ("/dialogs/messages", test_messages);
  g_test_add_func ("/dialogs/named", test_named);
  return g_test_run ();
}
