/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The training steps that are measured: chosen by name, and as a line of text.
 */
#include "config.h"
#include "ui/cli/bench/steps.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"

#define ROW(...) { __VA_ARGS__ },

static const LsBenchStep steps[] = { LS_BENCH_STEPS (ROW) };

const LsBenchStep *
ls_bench_steps (guint *n)
{
  *n = G_N_ELEMENTS (steps);
  return steps;
}

/* ---- choosing ---- */

static gboolean
is_called (const char *name, const char *word)
{
  const gsize length = strlen (word);

  return length > 0 && strncmp (name, word, length) == 0 && (name[length] == '\0' || name[length] == '-');
}

gboolean *
ls_bench_choose (const char *only, const char *const *names, GError **error)
{
  /* an empty text would split into no word at all */
  g_auto (GStrv) words = g_strsplit (only == NULL || *only == '\0' ? " " : only, ",", -1);
  g_autofree gboolean *wanted = g_new0 (gboolean, g_strv_length ((char **) names) + 1);

  for (char **word = words; *word != NULL; word++)
    {
      gboolean known = only == NULL;

      g_strstrip (*word);
      for (guint i = 0; names[i] != NULL; i++)
        if (only == NULL || is_called (names[i], *word))
          known = wanted[i] = TRUE;
      if (!known)
        {
          g_autofree char *shown = g_utf8_make_valid (*word, -1), *list = g_strjoinv (", ", (char **) names);
          g_set_error (
            error, LS_ERROR, LS_ERROR_USAGE,
            _("--only: “%s” is no workload; there are %s, and what they begin with, such as mlp."), shown,
            list);
          return NULL;
        }
    }
  return g_steal_pointer (&wanted);
}

gboolean
ls_bench_read_seconds (const char *text, double otherwise, double *seconds, GError **error)
{
  guint64 n;

  *seconds = otherwise;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 1, 3600, &n, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--seconds takes a whole number from 1 to 3600."));
      return FALSE;
    }
  *seconds = (double) n;
  return TRUE;
}

/* ---- as text ---- */

char *
ls_bench_step_text (const LsBenchStep *step)
{
  return g_strdup_printf (_("%s, batch %u"), step->title, step->batch);
}

char *
ls_bench_step_spec (const LsBenchStep *step)
{
  return g_strdup_printf ("step\t%s\t%s\t%u", step->model, step->data, step->batch);
}
