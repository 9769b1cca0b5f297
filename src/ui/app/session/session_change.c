/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a change of settings did to a lane: how fast it was before and is now, both measured. Kept until the
 * next change, or until the user has seen enough of it.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>
#include <string.h>

void
ls_session_forget_changes (LsSession *self)
{
  for (guint i = 0; i < LS_MAX_LANES; i++)
    {
      g_clear_pointer (&self->changes[i].from, g_free);
      g_clear_pointer (&self->changes[i].to, g_free);
    }
}

gboolean
ls_session_drop_changes (LsSession *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < LS_MAX_LANES; i++)
    any |= self->changes[i].from != NULL;
  if (!any)
    return FALSE;
  ls_session_forget_changes (self);
  ls_session_rebuild (self);
  return TRUE;
}

/* What belongs to one rung of the ladder is nothing to a lane that computes its products with others. */
static gboolean
concerns (const LsOption *option, const LsLaneSnapshot *lane, const LsPlan *plan)
{
  gboolean concerned = option->way == LS_WAY_OTHER;

  for (guint op = 0; op < plan->n_ops && !concerned; op++)
    concerned = lane->facts != NULL && plan->ops[op].attr.m > 0
                && lane->facts->tilings[op].way == option->way;
  return concerned;
}

/* FALSE: nothing that concerns how this lane computes. What it has of its own is in its options, so the list
 * of all lanes isn't looked at. */
static gboolean
describe (LsLaneChange *change, const LsOptions *before, const LsOptions *after, const LsLaneSnapshot *lane,
          const LsPlan *plan)
{
  g_autoptr (GString) from = g_string_new (NULL), to = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n), *list = ls_options_find ("lanes");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *was = ls_options_get (before, &rows[i]), *is = ls_options_get (after, &rows[i]);
      if (rows[i].label == NULL || &rows[i] == list || !ls_lane_concerned (lane->spec->backend, &rows[i])
          || g_str_equal (was, is) || *was == '\0' || *is == '\0' || !concerns (&rows[i], lane, plan))
        continue;
      g_string_append_printf (from, "%s%s %s", from->len > 0 ? ", " : "", gettext (rows[i].label),
                              ls_option_word (&rows[i], was));
      g_string_append_printf (to, "%s%s", to->len > 0 ? ", " : "", ls_option_word (&rows[i], is));
    }
  if (from->len == 0)
    return FALSE;
  change->from = g_strdup (from->str);
  change->to = g_strdup (to->str);
  return TRUE;
}

void
ls_session_note_change (LsSession *self, const LsOptions *after, gboolean rerun)
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_new (after, NULL);

  ls_session_forget_changes (self);
  for (guint i = 0; self->snapshot != NULL && i < self->snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &self->snapshot->lanes[i];
      LsLaneChange *change = &self->changes[i];
      const LsLaneSpec *now = specs != NULL && i < specs->len ? specs->pdata[i] : NULL;
      if (lane->state != LS_LANE_READY || lane->rate.n == 0 || now == NULL
          || strcmp (now->id, lane->spec->id) != 0
          || !describe (change, lane->spec->options, now->options, lane, self->snapshot->plan))
        continue;
      change->before = lane->rate;
      change->rate_from = rerun ? G_MAXUINT64 : lane->rate_from;
    }
}

void
ls_session_tell_changes (const LsSession *self, LsChange changes[LS_MAX_LANES])
{
  for (guint i = 0; i < self->snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &self->snapshot->lanes[i];
      const LsLaneChange *change = &self->changes[i];
      const LsFigure none = { .n = 0 };

      if (change->from == NULL)
        continue;
      /* figures that still hold steps of before are no answer */
      ls_change_set (&changes[i], change->from, change->to, &change->before,
                     change->rate_from == G_MAXUINT64 || lane->rate_from > change->rate_from ? &lane->rate
                                                                                             : &none);
    }
}

void
ls_session_stand (LsSession *self, guint side, const char *id)
{
  const LsViewData *data = self->data;
  const char *chosen = g_intern_string (id);

  if (data == NULL || data->sides[side].id == chosen)
    return;
  /* who stood there goes to the other side, where the chosen one comes from there */
  if (data->sides[1 - side].id == chosen)
    self->stands[1 - side] = data->sides[side].id;
  else
    self->stands[1 - side] = data->sides[1 - side].id;
  self->stands[side] = chosen;
  ls_session_forget_aside (self); /* which was told of a side */
  ls_session_rebuild (self);
  ls_playhead_set_data (&self->playhead, self->data, FALSE);
  ls_session_emit_state (self);
}

void
ls_session_configure (LsSession *self, const LsOptions *options)
{
  const gint pace = self->options->pace;
  const gboolean others = !ls_lab_options_alike (NULL, self->options, options);

  ls_session_note_change (self, options, FALSE);
  ls_options_take_live (self->options, options);
  if (strcmp (self->options->lanes, options->lanes) != 0) /* of the same lanes, with other values of their own
                                                           */
    ls_options_set (self->options, ls_options_find ("lanes"), options->lanes, NULL);
  self->options->pace = pace;
  g_clear_pointer (&self->specs, g_ptr_array_unref);
  if (others)
    {
      ls_session_kept_free (g_steal_pointer (&self->kept));
      ls_session_read_kept (self);
    }
  if (self->coordinator == NULL)
    return;
  ls_session_tell_options (self);
  if (self->file != NULL)
    return;
  /* a step that was asked for before would show the old way */
  self->record_asked_us = 0;
  ls_session_forget_typical (self);
  ls_session_forget_aside (self);
  self->show_next = TRUE;
  ls_session_want_record (self);
}
