/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pane's own data: those that are wished are read beside the run and shown by their first samples; those
 * that run come from the run. A file or a folder that is dropped on the pane is wished.
 */
#include "config.h"
#include "ui/app/settings/settings_pane_private.h"

#include <string.h>
#include <glib/gi18n.h>

#include "core/error.h"
#include "ui/app/settings/settings_reading.h"
#include "ui/app/settings/settings_samples.h"
#include "ui/app/settings/settings_bar.h"

#define LOOK_MS 200

void
ls_settings_look_clear (LsSettingsLook *look)
{
  g_clear_pointer (&look->key, g_free);
  g_clear_pointer (&look->read, ls_settings_read_free);
  g_clear_pointer (&look->problem, g_free);
}

static void
show (LsSettingsPane *self, const LsSettingsLook *look)
{
  if (look->read != NULL)
    ls_settings_samples_show (self->data->below, look->read->preview);
  else
    ls_settings_samples_say (self->data->below, look->problem, TRUE);
}

static gboolean
tick_cb (gpointer data)
{
  LsSettingsPane *self = data;
  g_autofree char *words = NULL;

  if (self->reading == NULL)
    {
      self->reading_timer = 0;
      return G_SOURCE_REMOVE;
    }
  words = ls_settings_bar_words (self->wish.options->data, self->reading_part);
  ls_settings_samples_say (self->data->below, words, FALSE);
  return G_SOURCE_CONTINUE;
}

/* Who waits for what; the pane may be closed meanwhile. */
typedef struct {
  GWeakRef pane;
  char *key;
} Wait;

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Wait *wait = data;
  g_autoptr (LsSettingsPane) self = g_weak_ref_get (&wait->pane);
  g_autofree char *key = wait->key;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSettingsRead) read = ls_settings_read_data_finish (result, &error);
  g_autofree char *what = NULL;

  g_weak_ref_clear (&wait->pane);
  g_free (wait);
  if (self == NULL)
    return;
  self->busy = FALSE;
  if (g_strcmp0 (key, self->reading) != 0)
    {
      ls_settings_pane_look (self); /* others are wished by now */
      return;
    }
  g_clear_pointer (&self->reading, g_free);
  ls_settings_bar_end (ls_settings_samples_bar (self->data->below));
  ls_settings_look_clear (&self->wished);
  self->wished.key = g_steal_pointer (&key);
  self->wished.problem = read == NULL ? ls_sentence (error->message) : NULL;
  self->wished.read = g_steal_pointer (&read);
  self->shown = NULL;
  what = g_strdup (self->wish.options->data);
  if (self->wished.read != NULL)
    ls_settings_pane_set_shape (self, what, self->wished.read->preview->shape,
                                self->wished.read->preview->n_classes, self->wished.read->preview->n_train);
  else
    ls_settings_pane_update_pending (self);
}

void
ls_settings_pane_look (LsSettingsPane *self)
{
  g_autofree char *key = ls_settings_reading_key (self->wish.options),
                  *running = ls_settings_reading_key (self->wish.running);
  const LsSettingsLook *known = key == NULL                               ? NULL
                                : g_strcmp0 (key, self->running.key) == 0 ? &self->running
                                : g_strcmp0 (key, self->wished.key) == 0  ? &self->wished
                                                                          : NULL;
  Wait *wait;

  if (known != &self->wished && self->wished.read != NULL)
    g_clear_pointer (&self->wished.read->data, ls_data_unref); /* nobody wants to train with them now */
  else if (known != &self->wished)
    ls_settings_look_clear (&self->wished); /* what couldn't be read may be mended until it is wished again */
  if (key != NULL && g_strcmp0 (key, self->reading) == 0)
    return;
  g_clear_pointer (&self->reading, g_free);
  ls_settings_bar_end (ls_settings_samples_bar (self->data->below));
  if (known != NULL && known == self->shown)
    return;
  self->shown = known;
  if (known != NULL)
    show (self, known);
  else
    ls_settings_samples_say (self->data->below, NULL, FALSE);
  if (key == NULL || known != NULL || g_strcmp0 (key, running) == 0)
    return; /* the run reads them, and will tell */
  if (self->busy)
    return;
  self->busy = TRUE;
  wait = g_new0 (Wait, 1);
  g_weak_ref_init (&wait->pane, self);
  wait->key = g_strdup (key);
  self->reading = g_steal_pointer (&key);
  g_clear_pointer (&self->reading_part, g_atomic_rc_box_release);
  ls_settings_read_data (NULL, self->wish.options, self->wish.options->data, &self->reading_part, read_cb,
                         wait);
  ls_settings_bar_begin (ls_settings_samples_bar (self->data->below), self->wish.options->data,
                         g_atomic_rc_box_acquire (self->reading_part));
  if (self->reading_timer == 0)
    self->reading_timer = g_timeout_add (LOOK_MS, tick_cb, self);
}

void
ls_settings_pane_set_read (LsSettingsPane *self, const LsOptions *options, LsSettingsRead *read)
{
  ls_settings_look_clear (&self->running);
  self->running.key = ls_settings_reading_key (options);
  self->running.read = read;
  ls_settings_wish_set_shape (&self->wish, options->data, read->preview->shape, read->preview->n_classes,
                              read->preview->n_train);
  self->shown = NULL;
  ls_settings_pane_look (self);
}

LsData *
ls_settings_pane_take_data (LsSettingsPane *self)
{
  g_autofree char *key = ls_settings_reading_key (self->wish.options);
  LsSettingsLook *const looks[] = { &self->running, &self->wished };
  LsData *data = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (key != NULL && data == NULL && looks[i]->read != NULL && g_strcmp0 (looks[i]->key, key) == 0)
      data = g_steal_pointer (&looks[i]->read->data);
  return data;
}

void
ls_settings_pane_wish_file (GFile *file, gpointer pane)
{
  g_autofree char *path = g_file_get_path (file),
                  *sentence = path == NULL ? ls_settings_not_here (file) : NULL;

  if (path != NULL)
    ls_settings_pane_set_data (pane, path);
  else
    ls_settings_row_fail (LS_SETTINGS_PANE (pane)->data, sentence);
}
