/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See window_asked.h.
 */
#include "config.h"
#include "window_asked.h"

#include "lab/kept.h"
#include "ui/app/widgets/toasts.h"

WindowAsked asked;

void __wrap_ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                                   const char *pattern, const char *pattern_name, LsFileFunc done,
                                   gpointer data, GDestroyNotify free_data);
void __wrap_ls_session_train (LsSession *self, const LsOptions *options);
void __wrap_ls_session_open (LsSession *self, const char *path);
void __wrap_ls_session_lay_over (LsSession *self, const char *path);
void __wrap_ls_session_edit_kernels (LsSession *self, const char *folder);
void __wrap_ls_session_list_devices (LsSession *self, GAsyncReadyCallback done, gpointer data);
void __wrap_ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                           const char *action);
LsRecording *__wrap_ls_lab_kept_with (LsRecording *recording);
void __wrap_g_app_info_launch_default_for_uri_async (const char *uri, GAppLaunchContext *context,
                                                     GCancellable *cancel, GAsyncReadyCallback done,
                                                     gpointer data);

static void
note (char **where, const char *text)
{
  char *copy = g_strdup (text);

  g_free (*where);
  *where = copy;
}

void
__wrap_ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                              const char *pattern, const char *pattern_name, LsFileFunc done, gpointer data,
                              GDestroyNotify free_data)
{
  if (asked.title != NULL)
    g_error ("“%s” is asked while “%s” is", title, asked.title);
  asked.what = what;
  note (&asked.title, title);
  note (&asked.name, name);
  note (&asked.pattern, pattern);
  note (&asked.pattern_name, pattern_name);
  asked.done = done;
  asked.data = data;
  asked.free_data = free_data;
}

LsRecording *
__wrap_ls_lab_kept_with (LsRecording *recording)
{
  return asked.measured != NULL ? ls_recording_with_lab (recording, asked.measured)
                                : ls_recording_ref (recording);
}

/* It has them from now on, as if the run were being made. */
void
__wrap_ls_session_train (LsSession *self, const LsOptions *options)
{
  LsOptions *copy = ls_options_copy (options);

  asked.n_trained++;
  g_clear_pointer (&asked.options, ls_options_free);
  asked.options = ls_options_copy (copy);
  g_clear_pointer (&asked.read, ls_data_unref);
  asked.read = g_steal_pointer (&self->read);
  ls_options_free (self->options);
  self->options = copy;
}

void
__wrap_ls_session_open (LsSession *self, const char *path)
{
  asked.n_opened++;
  note (&asked.opened, path);
}

void
__wrap_ls_session_lay_over (LsSession *self, const char *path)
{
  asked.n_laid++;
  note (&asked.laid, path);
}

void
__wrap_ls_session_edit_kernels (LsSession *self, const char *folder)
{
  asked.n_edited++;
  note (&asked.edited, folder);
}

/* There are two. */
void
__wrap_ls_session_list_devices (LsSession *self, GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, done, data);

  asked.n_listed++;
  g_task_return_pointer (task, g_strsplit ("First;Second", ";", -1), (GDestroyNotify) g_strfreev);
}

void
__wrap_ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                      const char *action)
{
  asked.n_toasts++;
  note (&asked.toast, sentence);
  note (&asked.button, button);
  note (&asked.action, action);
}

void
__wrap_g_app_info_launch_default_for_uri_async (const char *uri, GAppLaunchContext *context,
                                                GCancellable *cancel, GAsyncReadyCallback done, gpointer data)
{
  asked.n_shown++;
  note (&asked.shown, uri);
}

/* ---- for the test ---- */

void
asked_clear (void)
{
  char *const texts[] = { asked.name,   asked.pattern, asked.pattern_name, asked.opened, asked.laid,
                          asked.edited, asked.shown,   asked.toast,        asked.button, asked.action };

  g_assert_null (asked.title);
  g_clear_pointer (&asked.options, ls_options_free);
  g_clear_pointer (&asked.read, ls_data_unref);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  asked = (WindowAsked){ 0 };
}

void
asked_answer_file (GFile *file)
{
  const WindowAsked now = asked;

  g_assert_nonnull (asked.title);
  g_clear_pointer (&asked.title, g_free);
  if (file != NULL)
    now.done (file, now.data);
  if (now.free_data != NULL)
    now.free_data (now.data);
}

void
asked_answer (const char *path)
{
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  asked_answer_file (file);
}

void
asked_assert (LsChoose what, const char *title, const char *name, const char *pattern)
{
  g_assert_cmpstr (asked.title, ==, title);
  g_assert_cmpint (asked.what, ==, what);
  g_assert_cmpstr (asked.name, ==, name);
  g_assert_cmpstr (asked.pattern, ==, pattern);
}

void
asked_wait (const guint *count, guint n)
{
  for (guint i = 0; i < 3000 && *count < n; i++)
    rig_wait_ms (10);
  if (*count != n)
    g_error ("it came %u times, not %u; “%s” was told last, %u runs were begun and “%s” was opened last",
             *count, n, asked.toast, asked.n_trained, asked.opened);
}
