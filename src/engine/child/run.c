/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This program as a child that does one thing and tells of it.
 */
#include "config.h"
#include "child/child.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "core/error.h"

#define MAX_OUTPUT (1u << 20) /* bytes; a child that says more is silent from there on */
#define LOOK_MS    20         /* between two looks whether anybody still wants to hear it */

/* FALSE: nobody wants to hear more. */
static gboolean
take_line (LsChild *child, const char *text, gsize length, LsChildHeard heard, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) said = ls_json_parse (text, length, MAX_OUTPUT, JSON_OBJECT, &error);

  if (said == NULL)
    {
      if (child->garbled == NULL)
        child->garbled = g_strdup (error->message);
      return TRUE;
    }
  if (child->lines->len < LS_CHILD_LINES)
    g_ptr_array_add (child->lines, json_incref (said));
  return heard == NULL || heard (said, data);
}

/* Those that are whole. */
static gboolean
take_lines (LsChild *child, LsChildHeard heard, gpointer data)
{
  gsize length;

  for (char *line; (line = ls_child_take_line (child, &length)) != NULL;)
    {
      g_autofree char *text = line;
      if (!take_line (child, text, length, heard, data))
        return FALSE;
    }
  return TRUE;
}

static guint
patience_ms (guint usual)
{
  const char *now = g_getenv ("LOCKSTEP_CHILD_TIMEOUT_MS"),
             *text = now != NULL ? now : g_getenv ("LOCKSTEP_PROBE_TIMEOUT_MS"); /* as it was called once */
  guint64 ms;

  return text && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &ms, NULL) ? (guint) ms : usual;
}

gboolean
ls_child_run (LsChild *child, const char *const *arguments, int input, guint usual_ms, LsChildHeard heard,
              gpointer data, GError **error)
{
  g_autofree char *self = ls_child_self ();
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), LS_CHILD_MARK, "1", TRUE);
  g_autoptr (GError) cause = NULL;
  const guint patience = patience_ms (usual_ms);
  gint64 deadline_us = g_get_monotonic_time () + (gint64) patience * 1000;
  gboolean alive = TRUE, wanted = TRUE;

  g_ptr_array_add (argv, self);
  g_ptr_array_add (argv, (char *) LS_CL_CHILD_COMMAND);
  for (guint i = 0; i == 0 || arguments[i - 1] != NULL; i++)
    g_ptr_array_add (argv, (char *) arguments[i]);
  if (!ls_child_start (child, (const char *const *) argv->pdata, environment, input, MAX_OUTPUT, &cause))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("OpenCL can't be tried in a process of its own: %s"),
                   cause->message);
      return FALSE;
    }
  child->patience_ms = patience;
  while (alive && wanted && g_get_monotonic_time () < deadline_us)
    {
      const gsize before = child->read;

      alive = ls_child_look (child, LOOK_MS);
      if (child->read > before && child->read < MAX_OUTPUT)
        deadline_us = g_get_monotonic_time () + (gint64) patience * 1000;
      wanted = take_lines (child, heard, data) && (!alive || heard == NULL || heard (NULL, data));
    }
  /* what a child that succeeded wrote last needn't end in a newline */
  if (!alive && wanted && child->signal == 0 && child->status == 0 && child->line->len > 0)
    take_line (child, child->line->str, child->line->len, heard, data);
  child->hung = alive;
  ls_child_end (child, 0);
  return TRUE;
}

const json_t *
ls_child_last (const LsChild *child)
{
  return child->lines->len > 0 ? child->lines->pdata[child->lines->len - 1] : NULL;
}

char *
ls_child_self (void)
{
  char path[4096];
  const char *given = g_getenv ("LOCKSTEP_SELF");
  gssize n;

  if (given && *given)
    return g_strdup (given);
  n = readlink ("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0 || n >= (gssize) sizeof path - 1)
    return g_strdup ("lockstep");
  path[n] = '\0';
  /* an update has replaced the program since: the link still leads to the one that runs */
  return g_strdup (g_str_has_suffix (path, " (deleted)") ? "/proc/self/exe" : path);
}
