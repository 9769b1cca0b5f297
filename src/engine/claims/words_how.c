/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a claim is run, or was, in words.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/claims.h"
#include "claims/tables.h"
#include "core/number.h"

/* ---- what is run ---- */

/* "1 000" of digits. (transfer full) */
static char *
count_text (const char *digits)
{
  return ls_number_count (g_ascii_strtoull (digits, NULL, 10));
}

/* "product\t1000", "copied\t1000\t1\t1000"; n: its words. (transfer full) */
static char *
product_words (char *const *run, guint n)
{
  const gboolean copied = strcmp (run[0], "copied") == 0;
  g_autofree char *rows = count_text (run[1]), *cols = n == 4 ? count_text (run[2]) : NULL,
                  *inner = n == 4 ? count_text (run[3]) : g_strdup (rows), *what = NULL;

  if (cols == NULL)
    what = g_strdup_printf (_("two matrices of %s×%s multiplied"), rows, rows);
  else if (strcmp (run[2], "1") == 0)
    what = g_strdup_printf (_("a matrix of %s×%s times a vector"), rows, inner);
  else
    what = g_strdup_printf (_("matrices of %s×%s and %s×%s multiplied"), rows, inner, inner, cols);
  return copied ? g_strdup_printf (_("%s, with copies to the device and back"), what)
                : g_steal_pointer (&what);
}

/* Of a line of lab/step.h that a claim may have. (transfer full) */
static char *
run_words (const LsClaimWay *way)
{
  g_auto (GStrv) run = g_strsplit (way->run, "\t", -1);
  const guint n = g_strv_length (run);
  const gboolean forward = strcmp (run[0], "forward") == 0;
  g_autofree char *step = NULL, *batch = NULL;

  if (!forward && strcmp (run[0], "step") != 0)
    return product_words (run, n);
  batch = count_text (run[3]);
  step = g_strdup_printf (forward ? _("the way forward of “%s” on %s, batch %s")
                                  : _("a training step of “%s” on %s, batch %s"),
                          run[1], run[2], batch);
  if (way->steps == 0)
    return g_steal_pointer (&step);
  if (way->bits == 0)
    return g_strdup_printf (ngettext ("%s, %u time", "%s, %u times", way->steps), step, way->steps);
  return g_strdup_printf (ngettext ("%s, %u time, then converted to whole numbers of %u bits",
                                    "%s, %u times, then converted to whole numbers of %u bits", way->steps),
                          step, way->steps, way->bits);
}

/* ---- on what ---- */

/* Values of a lane's own options that have words; all else is said as it is written. */
static const struct {
  const char *option, *value, *words;
} values[] = {
  { "cpu-kernels", "naive", N_("plain loops") },
  { "cpu-kernels", "scalar", N_("loops in blocks, one number at a time") },
  { "fusion", "on", N_("ops fused") },
  { "fusion", "off", N_("op by op") },
  { "precision", "fp32", "fp32" },
  { "precision", "bf16", N_("numbers kept in bf16") },
  { "precision", "fp16", N_("numbers kept in fp16") },
};

/* "threads=1": (transfer full). */
static char *
option_words (const char *text)
{
  g_auto (GStrv) pair = g_strsplit (text, "=", 2);

  if (pair[0] == NULL || pair[1] == NULL)
    return g_strdup (text);
  if (strcmp (pair[0], "threads") == 0)
    {
      const guint n = (guint) g_ascii_strtoull (pair[1], NULL, 10);
      return g_strdup_printf (ngettext ("%u thread", "%u threads", n), n);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    if (strcmp (pair[0], values[i].option) == 0 && strcmp (pair[1], values[i].value) == 0)
      return g_strdup (_(values[i].words));
  return g_strdup_printf ("%s %s", pair[0], pair[1]);
}

/* "CPU lane, 1 thread, plain loops" of "cpu(threads=1,cpu-kernels=naive)". (transfer full) */
static char *
lane_words (const LsClaimWay *way)
{
  GString *text = g_string_new (way->who == LS_BACKEND_OPENCL ? _("OpenCL lane") : _("CPU lane"));
  const char *open = strchr (way->lane, '(');
  g_autofree char *inner = open != NULL ? g_strndup (open + 1, strlen (open + 1) - 1) : g_strdup ("");
  g_auto (GStrv) parts = g_strsplit (inner, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *words = option_words (g_strstrip (parts[i]));
      g_string_append_printf (text, ", %s", words);
    }
  return g_string_free (text, FALSE);
}

/* ---- lines ---- */

/* "compiled loop: two matrices of 1 000×1 000 multiplied; CPU lane, 1 thread, plain loops"; what the way
 * before it did as well isn't said again. */
static char *
way_line (const LsClaimWay *way, const LsClaimWay *before, const LsClaimWayTime *time)
{
  const gboolean same = before != NULL && before->lane != NULL && way->lane != NULL
                        && before->steps == way->steps && before->bits == way->bits
                        && strcmp (before->run, way->run) == 0;
  g_autofree char *seconds = way->given.n > 0                   ? ls_claim_time_text (way->given.value, FALSE)
                             : time != NULL && time->time.n > 0 ? ls_claim_time_text (time->time.value, FALSE)
                                                                : NULL,
                  *run = NULL, *lane = NULL;

  if (way->lane == NULL)
    return g_strdup_printf (_("%s: %s, not run"), way->words, seconds);
  run = same ? g_strdup (_("the same")) : run_words (way);
  lane = lane_words (way);
  if (seconds != NULL)
    return g_strdup_printf (_("%s: %s; %s; %s, median of %llu"), way->words, run, lane, seconds,
                            (unsigned long long) time->time.n);
  return g_strdup_printf ("%s: %s; %s", way->words, run, lane);
}

/* Of the only way that is run. */
static char *
alone_text (const LsClaimResult *result)
{
  guint64 n = 0;

  for (guint i = 0; result != NULL && i < result->n_ways; i++)
    n = MAX (n, result->ways[i].time.n);
  if (result == NULL)
    return g_strdup_printf (
      _("The way is a process of its own, measured %d times in %d s, or less often where that takes long."),
      LS_CLAIM_ROUNDS, LS_CLAIM_SECONDS);
  if (n == 0)
    return g_strdup (_("The way is a process of its own."));
  if (n >= result->rounds)
    return g_strdup_printf (ngettext ("The way is a process of its own, measured %u time in %.0f s.",
                                      "The way is a process of its own, measured %u times in %.0f s.",
                                      (gulong) n),
                            (guint) n, result->seconds);
  return g_strdup_printf (
    ngettext (
      "The way is a process of its own, measured %u time instead of %u, for it took longer than %.0f s.",
      "The way is a process of its own, measured %u times instead of %u, for it took longer than %.0f s.",
      (gulong) n),
    (guint) n, result->rounds, result->seconds);
}

/* How often they took turns: those whose turns are long have fewer than was meant. */
static char *
turns_text (const LsClaim *claim, const LsClaimResult *result)
{
  guint64 least = G_MAXUINT64, most = 0;
  guint n_run = 0, n_timed = 0;

  for (guint i = 0; i < claim->n_ways; i++)
    if (claim->ways[i].lane != NULL)
      {
        n_run++;
        n_timed += ls_claim_times (claim, i);
      }
  if (n_run == 1)
    return n_timed == 1 ? alone_text (result) : g_strdup (_("The way is a process of its own."));
  if (n_timed == 0)
    return g_strdup (_("Each way is a process of its own."));
  if (result == NULL)
    return g_strdup_printf (
      _(
        "Each way is a process of its own; they take turns, %d each in %d s, or fewer where these are long."),
      LS_CLAIM_ROUNDS, LS_CLAIM_SECONDS);
  for (guint i = 0; i < result->n_ways; i++)
    if (result->ways[i].time.n > 0)
      {
        least = MIN (least, result->ways[i].time.n);
        most = MAX (most, result->ways[i].time.n);
      }
  if (most == 0)
    return g_strdup (_("Each way is a process of its own."));
  g_autofree char *turns = least < most ? g_strdup_printf ("%llu–%llu", (unsigned long long) least,
                                                           (unsigned long long) most)
                                        : g_strdup_printf ("%llu", (unsigned long long) most);
  if (least >= result->rounds)
    return g_strdup_printf (_("Each way is a process of its own; they took turns, %s each in %.0f s."),
                            turns, result->seconds);
  return g_strdup_printf (_("Each way is a process of its own; they took turns, %s each instead of %u, for "
                             "they were longer than their share of %.0f s."),
                          turns, result->rounds, result->seconds);
}

char **
ls_claim_how_text (const LsClaim *claim, const LsClaimRow *row, gboolean times)
{
  const LsClaimResult *result = row != NULL ? row->result : NULL;
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  gboolean any = FALSE;

  for (guint i = 0; i < claim->n_ways; i++)
    {
      g_autofree char *line = way_line (&claim->ways[i], i > 0 ? &claim->ways[i - 1] : NULL,
                                        times && result != NULL ? &result->ways[i] : NULL);

      any |= claim->ways[i].lane != NULL;
      g_strv_builder_add (lines, line);
    }
  if (any)
    {
      g_autofree char *turns = turns_text (claim, result);
      g_strv_builder_add (lines, turns);
    }
  if (row != NULL && row->guessed)
    {
      g_autofree char *guess = ls_claim_guess_text (claim, row->guess),
                      *line = g_strdup_printf (_("Guess: %s, of %s, before it was run."), guess,
                                               row->guess_date);
      g_strv_builder_add (lines, line);
    }
  if (result != NULL && result->busy)
    g_strv_builder_add (lines, _("The machine was busy with other programs."));
  return g_strv_builder_end (lines);
}
