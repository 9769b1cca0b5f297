/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What leaves the window: the file that is asked for has what was shown when it was asked for, and a toast
 * says where it is or why it isn't; the kernels' folder, and what the compiler says of them; files elsewhere.
 */
#include "config.h"
#include "lab_fixture.h"
#include "tests/folder.h"
#include "ui/app/settings/settings_row.h"
#include "window_asked.h"

#include <jansson.h>
#include <string.h>

static char *folder;

static char *
contents_of (const char *path)
{
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    g_error ("“%s” wasn't written", path);
  return text;
}

static LsWindow *
shown_window (guint steps)
{
  LsWindow *self = window_of (steps);

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  asked_clear ();
  return self;
}

/* Asks for it, and answers with a file of that name. (transfer full) */
static char *
save_as (LsWindow *self, const char *what, const char *proposed, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *pattern = g_strdup_printf ("*%s", strrchr (proposed, '.')),
                  *said = g_strdup_printf ("Saved “%s”.", name);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", what);
  asked_assert (LS_CHOOSE_SAVE, "Save", proposed, pattern);
  g_assert_cmpstr (asked.pattern_name, ==, pattern + 2);
  asked_answer (path);
  g_assert_cmpstr (asked.toast, ==, said);
  return path;
}

/* ---- files ---- */

static void
test_pictures (void)
{
  static const struct {
    const char *what, *name, *begins;
  } rows[] = { { "png", "curves.png", "\x89PNG" },
               { "svg", "curves.svg", "<?xml" },
               { "pdf", "curves.pdf", "%PDF" } };
  LsWindow *self = shown_window (1);

  ls_window_set_view (self, 5);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = save_as (self, rows[i].what, rows[i].name, rows[i].name),
                      *text = contents_of (path);

      if (!g_str_has_prefix (text, rows[i].begins))
        g_error ("“%s” begins otherwise than such a picture", path);
    }
  /* drawn for a page: no smaller than full HD, whatever the window has */
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autofree char *png = g_build_filename (folder, "curves.png", NULL);
  picture = gdk_pixbuf_new_from_file (png, NULL);
  g_assert_nonnull (picture);
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, MAX (1920, gtk_widget_get_width (self->canvas)));
  g_assert_cmpint (gdk_pixbuf_get_height (picture), ==, MAX (1080, gtk_widget_get_height (self->canvas)));
  window_gone (self);
}

/* The step that is shown, not the newest one. */
static void
test_step (void)
{
  LsWindow *self = shown_window (3);
  g_autoptr (LsRecording) saved = NULL;

  ls_session_step (self->session, -1);
  ls_session_step (self->session, -1);
  const guint64 step = ls_session_shown (self->session)->step;
  g_autofree char *name = g_strdup_printf ("step-%u.lockstep", (guint) step),
                  *trace = g_strdup_printf ("step-%u.perfetto.json", (guint) step);
  g_assert_cmpuint (step, <, 300);
  g_autofree char *path = save_as (self, "recording", name, "one.lockstep"),
                  *json = save_as (self, "perfetto", trace, "one.json"), *text = contents_of (json);
  saved = ls_recording_load (path, NULL);
  g_assert_nonnull (saved);
  g_assert_cmpuint (saved->step, ==, step);
  g_assert_nonnull (strstr (text, "\"traceEvents\""));
  window_gone (self);
}

/* A step of this run takes along what was measured with its lanes; one that is played back stays as it came,
 * whose lanes may be another machine's. */
static void
test_measured (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autofree char *text = ls_lab_results_text (results);

  for (guint playback = 0; playback < 2; playback++)
    {
      LsWindow *self = shown_window (1);
      g_autoptr (LsRecording) saved = NULL;

      asked.measured = text;
      if (playback)
        self->session->mode = LS_SESSION_PLAYBACK;
      g_autofree char *path = save_as (self, "recording", "step-100.lockstep", "measured.lockstep");
      saved = ls_recording_load (path, NULL);
      g_assert_nonnull (saved);
      if ((saved->lab == NULL) != playback)
        g_error ("a step %s is saved %s this machine's measurements",
                 playback ? "played back" : "of this run", playback ? "with" : "without");
      asked.measured = NULL;
      window_gone (self);
    }
}

/* A line for each step, from 1 on; of a lane that isn't so far its columns are empty. */
static void
test_run (void)
{
  LsWindow *self = shown_window (1);
  LsSnapshot *s = again (ls_session_snapshot (self->session));
  const guint n = (guint) s->lanes[0].steps;

  s->lanes[1].steps -= 7;
  window_take (self, s);
  g_autofree char *path = save_as (self, "csv", "run.csv", "run.csv"), *text = contents_of (path),
                  *json = save_as (self, "json", "run.json", "run.json"), *report = contents_of (json),
                  *head = g_strdup_printf ("step,%s_loss,%s_step_us,%s_end_ms,%s_flags,%s_loss,%s_step_us,"
                                           "%s_end_ms,%s_flags",
                                           s->lanes[0].spec->id, s->lanes[0].spec->id, s->lanes[0].spec->id,
                                           s->lanes[0].spec->id, s->lanes[1].spec->id, s->lanes[1].spec->id,
                                           s->lanes[1].spec->id, s->lanes[1].spec->id);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, n + 1);
  g_assert_cmpstr (lines[0], ==, head);
  for (guint i = 1; i <= n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 9);
      g_assert_cmpuint ((guint) g_ascii_strtoull (cells[0], NULL, 10), ==, i);
      for (guint lane = 0; lane < 2; lane++)
        {
          char **cell = cells + 1 + 4 * lane;

          if (i > s->lanes[lane].steps)
            {
              for (guint k = 0; k < 4; k++)
                g_assert_cmpstr (cell[k], ==, "");
              continue;
            }
          const LsPoint point = ls_curve_get (s->lanes[lane].curve, i - 1);
          g_assert_cmpfloat ((float) g_ascii_strtod (cell[0], NULL), ==, point.loss);
          g_assert_cmpfloat ((float) g_ascii_strtod (cell[1], NULL), ==, point.step_us);
          g_assert_cmpuint ((guint) g_ascii_strtoull (cell[2], NULL, 10), ==, point.end_ms);
          g_assert_cmpuint ((guint) g_ascii_strtoull (cell[3], NULL, 10), ==, point.flags);
        }
    }
  json_t *whole = json_loads (report, 0, NULL);
  g_assert_true (json_is_object (whole));
  json_decref (whole);
  window_gone (self);
}

/* A run can be saved before one of its steps was recorded; such a step can't. */
static void
test_run_alone (void)
{
  LsWindow *self = shown_window (0);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", "csv");
  g_assert_cmpstr (asked.toast, ==, "There is nothing to save yet; press Play first.");
  window_live (self);
  g_assert_null (ls_session_shown (self->session));
  g_autofree char *path = save_as (self, "csv", "run.csv", "alone.csv"), *text = contents_of (path);
  g_assert_true (g_str_has_prefix (text, "step,"));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", "recording");
  g_assert_cmpstr (asked.toast, ==, "No step has been recorded yet; press Play first.");
  window_gone (self);
}

/* What was measured with these lanes, and what became of the claims. */
static void
test_measurements (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  LsWindow *self = shown_window (1);
  LsSessionKept *kept = g_new0 (LsSessionKept, 1);

  kept->finished = g_ptr_array_ref (results);
  kept->broken_off = g_ptr_array_new ();
  kept->foreign = g_ptr_array_new ();
  ls_session_kept_free (self->session->kept);
  self->session->kept = kept;
  ls_session_rebuild (self->session);
  g_autofree char *path = save_as (self, "measurements", "measurements.csv", "measurements.csv"),
                  *text = contents_of (path);
  g_assert_true (g_str_has_prefix (text, "experiment,lane,x,y,"));
  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *line = g_strdup_printf ("\n%s,",
                                               ((LsLabResult *) results->pdata[i])->experiment->name);
      if (strstr (text, line) == NULL)
        g_error ("“%s” isn't among the measurements", ((LsLabResult *) results->pdata[i])->experiment->name);
    }
  g_autofree char *pages = save_as (self, "claims", "claims.pdf", "claims.pdf"), *pdf = contents_of (pages);
  g_assert_true (g_str_has_prefix (pdf, "%PDF"));
  window_gone (self);
}

/* What was shown when it was asked for; no file, and why. */
static void
test_elsewhere (void)
{
  LsWindow *self = shown_window (1);
  g_autofree char *path = g_build_filename (folder, "late.lockstep", NULL),
                  *nowhere = g_build_filename (folder, "no", "such", "run.csv", NULL);
  g_autoptr (GFile) far = g_file_new_for_uri ("http://example.org/run.csv");
  g_autoptr (LsRecording) saved = NULL;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", "recording");
  window_record (self, 200);
  asked_answer (path);
  saved = ls_recording_load (path, NULL);
  g_assert_nonnull (saved);
  g_assert_cmpuint (saved->step, ==, 100);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", "csv");
  asked_answer_file (far);
  g_assert_cmpstr (asked.toast, ==, "Choose a folder on this machine.");
  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", "csv");
  asked_answer (nowhere);
  g_assert_nonnull (strstr (asked.toast, "run.csv"));
  g_assert_false (g_str_has_prefix (asked.toast, "Saved"));
  const guint n = asked.n_toasts;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.export", "s", "csv");
  asked_answer (NULL);
  g_assert_cmpuint (asked.n_toasts, ==, n); /* cancelled */
  window_gone (self);
}

/* ---- kernels ---- */

/* A folder is asked for once; from then on it is shown, and its lane watches it. */
static void
test_kernels (void)
{
  LsWindow *self = shown_window (1);
  g_autofree char *chosen = g_build_filename (folder, "edited", NULL),
                  *full = g_build_filename (folder, "full", NULL),
                  *other = g_build_filename (full, "a.txt", NULL),
                  *below = g_build_filename (full, "lockstep-kernels", NULL),
                  *said = g_strdup_printf (
                    "The kernels are in “%s”; the lane rebuilds them whenever one is saved.", chosen),
                  *uri = g_strdup_printf ("file://%s", chosen);

  g_mkdir_with_parents (full, 0700);
  g_mkdir_with_parents (chosen, 0700);
  g_assert_true (g_file_set_contents (other, "a", -1, NULL));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  asked_assert (LS_CHOOSE_FOLDER, "Choose a Folder for the Kernels", NULL, NULL);
  asked_answer (NULL);
  g_assert_cmpuint (asked.n_edited + asked.n_shown + asked.n_toasts, ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  asked_answer (chosen);
  g_assert_cmpstr (asked.edited, ==, chosen);
  g_assert_cmpstr (asked.toast, ==, said);
  g_assert_cmpstr (asked.shown, ==, uri);
  /* among other files they get a folder of their own */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  asked_answer (full);
  g_assert_cmpstr (asked.edited, ==, below);
  /* where they are already, nobody is asked; nor where the environment says where */
  self->session->kernel_folder = g_strdup (chosen);
  g_setenv ("LOCKSTEP_KERNEL_DIR", full, TRUE);
  ls_session_emit_state (self->session);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  g_assert_null (asked.title);
  g_assert_cmpstr (asked.edited, ==, chosen);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.own-kernels", NULL);
  g_assert_cmpuint (asked.n_edited, ==, 4);
  g_assert_cmpstr (asked.edited, ==, NULL);
  g_clear_pointer (&self->session->kernel_folder, g_free);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  g_assert_null (asked.title);
  g_assert_cmpstr (asked.edited, ==, full);
  g_setenv ("LOCKSTEP_KERNEL_DIR", "", TRUE);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  asked_assert (LS_CHOOSE_FOLDER, "Choose a Folder for the Kernels", NULL, NULL);
  asked_answer (NULL);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  window_gone (self);
}

/* What is chosen on another machine is told of, wherever it is asked for. */
static void
test_far (void)
{
  static const char sentence[] = "“http://example.org/a” is not a file on this machine; copy it here first.";
  g_autoptr (GFile) far = g_file_new_for_uri ("http://example.org/a");
  LsWindow *self = shown_window (1);
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);
  GtkWidget *data = rig_find (self->settings, LS_SETTINGS_ID "data");

  gtk_widget_activate_action (GTK_WIDGET (self), "win.lay-over", "s", "file");
  asked_answer_file (far);
  g_assert_cmpuint (asked.n_laid, ==, 0);
  g_assert_cmpstr (asked.toast, ==, sentence);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-kernels", NULL);
  asked_answer_file (far);
  g_assert_cmpuint (asked.n_edited, ==, 0);
  g_assert_cmpuint (asked.n_toasts, ==, 2);
  g_signal_emit_by_name (pane, "choose-file");
  asked_answer_file (far);
  g_assert_false (ls_settings_pane_is_pending (pane));
  /* beside the row that it was to be for */
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_next_sibling (data))), ==, sentence);
  window_gone (self);
}

static GtkWidget *
message_window (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (g_strcmp0 (gtk_window_get_title (l->data), "Compiler’s Message") == 0)
      return l->data;
  return NULL;
}

static void
copied_cb (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* A sentence of the kernels has a button where there is more to read; it is there whole, and can be copied.
 */
static void
test_message (void)
{
  const char *words = "gemm.cl:3:1: error: <unknown>\n  mistaken\n  ^\n";
  LsWindow *self = shown_window (1);
  char *copied = NULL;

  ls_session_emit_kernels (self->session, "The built-in kernels are in use");
  g_assert_cmpstr (asked.toast, ==, "The built-in kernels are in use.");
  g_assert_null (asked.button);
  g_assert_null (asked.action);
  self->session->kernel_problem = g_strdup (words);
  ls_session_emit_state (self->session);
  ls_session_emit_kernels (self->session, "They aren’t used.");
  g_assert_cmpstr (asked.toast, ==, "They aren’t used.");
  g_assert_cmpstr (asked.button, ==, "Message");
  g_assert_cmpstr (asked.action, ==, "win.kernel-message");
  g_assert_null (message_window ());
  gtk_widget_activate_action (GTK_WIDGET (self), asked.action, NULL);
  GtkWidget *window = message_window (), *view = rig_find_kind (window, GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_assert_cmpstr (text, ==, words);
  g_assert_false (gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
  rig_click (window, "Copy");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (view), NULL, copied_cb, &copied);
  for (guint i = 0; i < 1000 && copied == NULL; i++)
    rig_wait_ms (10);
  g_assert_cmpstr (copied, ==, words);
  g_free (copied);
  rig_press_shortcut (window, GDK_KEY_Escape);
  rig_settle ();
  g_assert_null (message_window ());
  window_gone (self);
}

int
main (int argc, char **argv)
{
  int status;

  window_rig_init (&argc, &argv);
  folder = g_dir_make_tmp ("lockstep-saved-XXXXXX", NULL);
  g_test_add_func ("/window/saved/pictures", test_pictures);
  g_test_add_func ("/window/saved/step", test_step);
  g_test_add_func ("/window/saved/measured", test_measured);
  g_test_add_func ("/window/saved/run", test_run);
  g_test_add_func ("/window/saved/run-alone", test_run_alone);
  g_test_add_func ("/window/saved/measurements", test_measurements);
  g_test_add_func ("/window/saved/elsewhere", test_elsewhere);
  g_test_add_func ("/window/saved/kernels", test_kernels);
  g_test_add_func ("/window/saved/far", test_far);
  g_test_add_func ("/window/saved/message", test_message);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
