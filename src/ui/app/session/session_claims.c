/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The claims in the window: read when they are first shown, a guess kept a moment after it was made, and the
 * list with an outcome more once a claim has been run (session_lab.c).
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include "ui/app/session/session_lab.h"

#define SETTLED_MS 400 /* a guess that is being moved isn't kept at every place that it passes */

LsClaims *
ls_session_claims (LsSession *self)
{
  if (!self->claims_read)
    self->claims = ls_claims_load (NULL, NULL, NULL); /* without them the view says so */
  self->claims_read = TRUE;
  return self->claims;
}

void
ls_session_take_claims (LsSession *self, const LsClaims *claims, const char *name)
{
  LsClaims *with = claims != NULL ? ls_claims_with (self->claims, claims, name) : NULL;

  if (with != NULL)
    {
      ls_claims_unref (self->claims);
      self->claims = with;
    }
  if (self->data != NULL)
    ls_session_rebuild (self);
  ls_session_emit_state (self);
}

void
ls_session_keep_guess (LsSession *self)
{
  g_autofree char *claim = g_steal_pointer (&self->guess.claim);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaims) claims = NULL;

  g_clear_handle_id (&self->guess.timer, g_source_remove);
  if (claim == NULL || self->claims == NULL)
    return;
  claims = ls_claims_guess (self->claims, claim, self->guess.value, &error);
  if (claims == NULL && self->ended) /* nobody hears it any more */
    g_warning ("%s", error->message);
  else if (claims == NULL)
    ls_session_say (self, error->message);
  else if (!self->ended)
    ls_session_take_claims (self, claims, claim);
}

static gboolean
settled_cb (gpointer data)
{
  LsSession *self = data;

  self->guess.timer = 0;
  ls_session_keep_guess (self);
  return G_SOURCE_REMOVE;
}

void
ls_session_guess (LsSession *self, const char *claim, double value)
{
  const LsClaimRow *row = self->claims != NULL ? ls_claims_find (self->claims, claim) : NULL;

  if (row == NULL || row->result != NULL || self->file != NULL || ls_session_is_run (self, claim))
    return;
  /* the same as before, where it isn't on its way to another one */
  if (row->guessed && !(row->guess < value) && !(row->guess > value)
      && g_strcmp0 (self->guess.claim, claim) != 0)
    return;
  if (self->guess.claim != NULL && !g_str_equal (self->guess.claim, claim))
    ls_session_keep_guess (self);
  g_free (self->guess.claim);
  self->guess.claim = g_strdup (claim);
  self->guess.value = value;
  g_clear_handle_id (&self->guess.timer, g_source_remove);
  self->guess.timer = g_timeout_add (SETTLED_MS, settled_cb, self);
}

void
ls_session_forget_claims (LsSession *self)
{
  ls_session_keep_guess (self);
  g_clear_pointer (&self->claims, ls_claims_unref);
}
