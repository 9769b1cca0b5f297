/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept from one start to the next: the window's size, the view, the dial, and the settings of the
 * run. Where the schema isn't installed (a build that runs from its folder has it there) nothing is kept, and
 * nothing breaks.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <string.h>

#include "ui/app/session/kept_options.h"
#include "ui/paint/views.h"

/* A schema that another version installed may lack a key, and asking for that would end the program. */
static gboolean
is_ours (GSettingsSchema *schema)
{
  static const char *const keys[] = { "width",       "height",  "maximized", "view",      "two-views",
                                      "second-view", "sidebar", "dial",      "first-run", "options" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (!g_settings_schema_has_key (schema, keys[i]))
      return FALSE;
  return TRUE;
}

static GSettings *
open_store (void)
{
  g_autoptr (GSettingsSchemaSource) built = NULL;
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = source != NULL
                                         ? g_settings_schema_source_lookup (source, LS_SCHEMA_ID, TRUE)
                                         : NULL;

  if (schema == NULL || !is_ours (schema))
    {
      g_clear_pointer (&schema, g_settings_schema_unref);
      built = g_settings_schema_source_new_from_directory (LS_BUILD_SCHEMA_DIR, source, FALSE, NULL);
      schema = built != NULL ? g_settings_schema_source_lookup (built, LS_SCHEMA_ID, FALSE) : NULL;
    }
  return schema != NULL && is_ours (schema) ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

void
ls_window_load_state (LsWindow *self, LsOptions *options)
{
  guint n;
  const LsView *const *views = ls_views (&n);
  g_autoptr (GVariant) kept = NULL;
  g_autofree char *view = NULL;

  self->store = open_store ();
  if (self->store == NULL)
    {
      gtk_window_set_default_size (GTK_WINDOW (self), 1280, 800);
      ls_window_set_view (self, 0);
      return;
    }
  gtk_window_set_default_size (GTK_WINDOW (self),
                               CLAMP (g_settings_get_int (self->store, "width"), 480, 16384),
                               CLAMP (g_settings_get_int (self->store, "height"), 320, 16384));
  if (g_settings_get_boolean (self->store, "maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  self->sidebar_wanted = g_settings_get_boolean (self->store, "sidebar");
  if (g_settings_get_uint64 (self->store, "dial") > 0)
    ls_session_set_dial (self->session, g_settings_get_uint64 (self->store, "dial"));
  kept = g_settings_get_value (self->store, "options");
  ls_kept_options_take (kept, options);
  self->two_wanted = g_settings_get_boolean (self->store, "two-views");
  view = g_settings_get_string (self->store, "view");
  for (guint i = 0; i < n; i++)
    if (strcmp (views[i]->name, view) == 0)
      ls_window_set_view (self, i);
  if (strcmp (ls_canvas_view (LS_CANVAS (self->canvas))->name, view) != 0
      || strcmp (views[0]->name, view) == 0)
    ls_window_set_view (self, 0);
}

void
ls_window_save_state (LsWindow *self)
{
  int width, height;

  if (self->store == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (!self->projector && !gtk_window_is_fullscreen (GTK_WINDOW (self)) && width > 0 && height > 0)
    {
      g_settings_set_int (self->store, "width", width);
      g_settings_set_int (self->store, "height", height);
      g_settings_set_boolean (self->store, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
    }
  g_settings_set_boolean (self->store, "sidebar", self->sidebar_wanted);
  g_settings_set_string (self->store, "view", ls_canvas_view (ls_window_canvas (self, 0))->name);
  g_settings_set_boolean (self->store, "two-views", self->two_wanted);
  if (ls_window_canvas (self, 1) != NULL)
    g_settings_set_string (self->store, "second-view", ls_canvas_view (ls_window_canvas (self, 1))->name);
  if (ls_session_dial_chosen (self->session))
    g_settings_set_uint64 (self->store, "dial", ls_session_playhead (self->session)->dial_ns);
  /* the session has none of its own before it trains: in a window that was opened for a recording */
  g_settings_set_value (self->store, "options",
                        ls_kept_options_new (ls_settings_pane_running (LS_SETTINGS_PANE (self->settings))));
}
