#include "config.h"
#include "ui/app/settings_pane.h"
struct _LsSettingsPane { GtkWidget p; LsOptions *o; };
G_DEFINE_FINAL_TYPE (LsSettingsPane, ls_settings_pane, GTK_TYPE_WIDGET)
static void ls_settings_pane_class_init (LsSettingsPaneClass *c) { g_signal_new ("pending", LS_TYPE_SETTINGS_PANE, 0,0,0,0,0,G_TYPE_NONE,0); g_signal_new ("changed-live", LS_TYPE_SETTINGS_PANE, 0,0,0,0,0,G_TYPE_NONE,0); g_signal_new ("restart", LS_TYPE_SETTINGS_PANE, 0,0,0,0,0,G_TYPE_NONE,0); g_signal_new ("choose-folder", LS_TYPE_SETTINGS_PANE, 0,0,0,0,0,G_TYPE_NONE,0);}
static void ls_settings_pane_init (LsSettingsPane *s) {}
GtkWidget *ls_settings_pane_new (void) { return g_object_new (LS_TYPE_SETTINGS_PANE, NULL); }
void ls_settings_pane_set_running (LsSettingsPane *s, const LsOptions *o) { g_clear_pointer (&s->o, ls_options_free); s->o = ls_options_copy (o); }
void ls_settings_pane_set_devices (LsSettingsPane *self, const char *const *names) {}
const LsOptions *ls_settings_pane_options (LsSettingsPane *s) { return s->o; }
gboolean ls_settings_pane_is_pending (LsSettingsPane *s) { return FALSE; }
void ls_settings_pane_set_data (LsSettingsPane *s, const char *p) {}
