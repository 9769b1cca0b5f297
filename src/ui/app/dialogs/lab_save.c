/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lab_save.h. The picture is the one that the terminal draws, in the window's look.
 */
#include "config.h"
#include "ui/app/dialogs/lab_save.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "files/output.h"
#include "ui/app/compat.h"
#include "ui/app/widgets/desktop_style.h"
#include "ui/app/widgets/toasts.h"
#include "ui/paint/growth/growth.h"

typedef struct {
  AdwToastOverlay *toasts;
  GPtrArray *results; /* of one */
  char *what;
} Save;

static void
save_free (Save *save)
{
  g_object_unref (save->toasts);
  g_ptr_array_unref (save->results);
  g_free (save->what);
  g_free (save);
}

static gboolean
write_file (const Save *save, const char *path, GError **error)
{
  g_autoptr (LsFonts) fonts = NULL;
  LsStyle style;

  if (strcmp (save->what, "csv") == 0)
    {
      g_autofree char *csv = ls_lab_csv (save->results);
      return ls_file_save (path, csv, strlen (csv), error);
    }
  ls_desktop_style (GTK_WIDGET (save->toasts), ls_desktop_look (), &style, &fonts);
  ls_style_init (&style, style.look, 1); /* a file has the size that it has */
  return ls_growth_export (save->results, &style, fonts, path, error);
}

static void
chosen_cb (GFile *file, gpointer data)
{
  const Save *save = data;
  g_autofree char *path = g_file_get_path (file), *sentence = NULL, *full = NULL;
  g_autoptr (GError) error = NULL;

  if (path != NULL && write_file (save, path, &error))
    {
      g_autofree char *name = g_filename_display_basename (path);
      sentence = g_strdup_printf (_("Saved “%s”."), name);
    }
  else
    sentence = g_strdup (error != NULL ? error->message : _("Choose a folder on this machine."));
  full = ls_sentence (sentence);
  ls_toasts_add (save->toasts, full, 5, NULL, NULL);
}

void
ls_lab_save (GtkWindow *parent, AdwToastOverlay *toasts, LsLabResult *result, const char *what)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", result->experiment->name, what),
                  *pattern = g_strdup_printf ("*.%s", what);
  Save *save = g_new (Save, 1);

  *save = (Save){ .toasts = g_object_ref (toasts),
                  .results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref),
                  .what = g_strdup (what) };
  g_ptr_array_add (save->results, ls_lab_result_ref (result));
  ls_compat_choose_file (parent, LS_CHOOSE_SAVE, _("Save"), name, pattern, pattern + 2, chosen_cb, save,
                         (GDestroyNotify) save_free);
}
