/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was changed in the pane: a row's text goes into the wished options; what follows from a difference to
 * those that run (a signal now, or bold letters and “Run with these”) is the option's own effect, from its
 * row of the table.
 */
#include "config.h"
#include "ui/app/settings/settings_pane_private.h"

#include <string.h>
#include <glib/gi18n.h>

#include "data/defaults.h"

static void
count_changes (LsSettingsPane *self, guint n)
{
  g_autofree char *state = n > 0 ? g_strdup_printf (
                             ngettext ("%u changed, not run yet", "%u changed, not run yet", n), n)
                                 : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (self->state), state);
}

/* While it is nobody's, the rate says where it comes from. */
static void
explain_rate (LsSettingsPane *self)
{
  const LsOptions *options = self->wish.options;
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *usual = ls_settings_row_words (
    self->lr, g_ascii_formatd (text, sizeof text, "%g", ls_data_usual_lr (options)));
  g_autofree char *words = g_strdup_printf (_("Follows batches below %d: %s × %d / %d."),
                                            LS_DEFAULT_LR_BATCH, usual, (int) options->batch,
                                            LS_DEFAULT_LR_BATCH);
  const gboolean follows = options->batch < LS_DEFAULT_LR_BATCH
                           && !ls_options_is_given (options, self->lr->option);

  ls_settings_row_set_more (self->lr, follows ? words : NULL);
}

/* "--lr takes a number …" is the terminal's wording; here the row's name stands in the option's place. */
static char *
in_words (const LsOption *option, const char *message)
{
  g_autofree char *flag = g_strconcat ("--", option->name, NULL);
  const char *at = strstr (message, flag);

  if (at == NULL)
    return g_strdup (message);
  return g_strdup_printf ("%.*s%s%s", (int) (at - message), message, _(option->label), at + strlen (flag));
}

/* The rows that keep a new run from being say why; the network's only once something waits. */
static gboolean
check (LsSettingsPane *self, gboolean any)
{
  g_autoptr (GError) network = NULL, lanes = NULL;
  const gboolean fits = ls_settings_wish_check (&self->wish, &network);
  const gboolean right = ls_settings_wish_check_lanes (&self->wish, &lanes);
  g_autofree char *sentence = right ? NULL : in_words (self->lanes->option, lanes->message);

  ls_settings_row_fail (self->network, any && !fits ? network->message : NULL);
  ls_settings_row_fail (self->lanes, sentence);
  return fits && right;
}

void
ls_settings_pane_update_pending (LsSettingsPane *self)
{
  guint n = 0;
  gboolean fits;

  for (guint i = 0; i < self->rows->len; i++)
    {
      LsSettingsRow *row = g_ptr_array_index (self->rows, i);
      const gboolean other = ls_settings_wish_is_other (&self->wish, row->option);
      g_autofree char *was = other ? ls_options_get (self->wish.running, row->option) : NULL;

      ls_settings_row_set_was (row, was);
      n += other;
    }
  fits = check (self, n > 0);
  ls_settings_pane_look (self);
  explain_rate (self);
  count_changes (self, n);
  ls_settings_foot_show (&self->foot, n, fits, self->wish.options->seed == self->wish.running->seed);
  if ((n > 0) == self->pending)
    return;
  self->pending = n > 0;
  g_signal_emit_by_name (self, "pending");
}

void
ls_settings_pane_show_all (LsSettingsPane *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      LsSettingsRow *row = g_ptr_array_index (self->rows, i);
      g_autofree char *text = ls_options_get (self->wish.options, row->option);

      ls_settings_row_show (row, text);
    }
  ls_settings_pane_update_pending (self);
}

/* The row itself stays as it is: somebody may be typing. */
void
ls_settings_pane_follow (LsSettingsPane *self, const LsSettingsRow *row)
{
  LsSettingsRow *const rows[] = { self->network, self->lr, self->batch, self->data };

  ls_settings_wish_follow (&self->wish, row == self->data);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ls_options_get (self->wish.options, rows[i]->option);
      if (rows[i] == self->data || (rows[i] != row && strcmp (rows[i]->text, text) != 0))
        ls_settings_row_show (rows[i], text);
    }
}

void
ls_settings_pane_take_cb (LsSettingsRow *row, const char *text, gpointer data)
{
  LsSettingsPane *self = data;
  g_autofree char *before = ls_options_get (self->wish.options, row->option), *after = NULL;
  const guint64 given = self->wish.options->given;
  g_autoptr (GError) error = NULL;

  if (row == self->data && *text == '\0') /* “choose…” itself */
    {
      ls_settings_row_show (row, before);
      return;
    }
  if (!ls_options_set (self->wish.options, row->option, text, &error))
    {
      g_autofree char *sentence = in_words (row->option, error->message);
      ls_settings_row_fail (row, sentence);
      return;
    }
  after = ls_options_get (self->wish.options, row->option);
  ls_settings_row_accept (row, after);
  if (strcmp (before, after) == 0)
    {
      self->wish.options->given = given; /* looked at, not chosen */
      return;
    }
  if (row->option->effect == LS_OPTION_LIVE)
    {
      ls_options_set (self->wish.running, row->option, after, NULL);
      g_signal_emit_by_name (self, "changed-live");
    }
  else
    ls_settings_pane_follow (self, row);
  ls_settings_pane_update_pending (self);
}
