/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep bench` and those that measure as it does take as words: workloads, and a time.
 */
#include <glib.h>
#include <string.h>

#include "core/error.h"
#include "ui/cli/bench/steps.h"

/* Names, and what they begin with before a "-"; none stands for all. */
static void
test_only (void)
{
  static const char *const names[] = { "mlp-1", "mlp-16", "wide-128", "cnn-16", "recording", NULL };
  static const struct {
    const char *only, *chosen; /* 1 for each that is; NULL: refused, */
    const char *word;          /* for this one */
  } rows[] = {
    { NULL, "11111", NULL },
    { "mlp", "11000", NULL },
    { "mlp-1", "10000", NULL },
    { "mlp-16", "01000", NULL },
    { "recording", "00001", NULL },
    { "cnn, wide-128", "00110", NULL },
    { " mlp-16 ,mlp-16", "01000", NULL },
    { "mlp,recording,mlp-1", "11001", NULL },
    { "", NULL, "“”" },
    { "mlp,", NULL, "“”" },
    { "ml", NULL, "“ml”" },
    { "mlp-", NULL, "“mlp-”" },
    { "cnn,mlp-2", NULL, "“mlp-2”" },
    { "MLP", NULL, "“MLP”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gboolean *chosen = ls_bench_choose (rows[i].only, names, &error);
      const char *only = rows[i].only != NULL ? rows[i].only : "(nothing)";

      if ((chosen == NULL) != (rows[i].chosen == NULL))
        g_error ("--only %s is %s", only, chosen == NULL ? error->message : "taken");
      for (guint k = 0; chosen != NULL && names[k] != NULL; k++)
        if (chosen[k] != (rows[i].chosen[k] == '1'))
          g_error ("--only %s chooses %s%s", only, names[k], chosen[k] ? "" : " not");
      if (chosen != NULL)
        continue;
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strstr (error->message, rows[i].word) == NULL
          || strstr (error->message, "there are mlp-1, mlp-16, wide-128, cnn-16, recording,") == NULL)
        g_error ("--only %s is refused by “%s”", only, error->message);
    }
}

static void
test_seconds (void)
{
  static const struct {
    const char *text;
    double seconds; /* 0: refused */
  } rows[] = {
    { NULL, 12.5 }, { "1", 1 },  { "10", 10 }, { "361", 361 }, { "3599", 3599 }, { "3600", 3600 }, { "0", 0 },
    { "3601", 0 },  { "-1", 0 }, { "1.5", 0 }, { "", 0 },      { "ten", 0 },     { "5 ", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      double seconds = -1;
      const gboolean taken = ls_bench_read_seconds (rows[i].text, 12.5, &seconds, &error);

      if (taken != (rows[i].seconds > 0) || (taken && ABS (seconds - rows[i].seconds) > 1e-9))
        g_error ("--seconds %s is %s, as %g s", rows[i].text != NULL ? rows[i].text : "(nothing)",
                 taken ? "taken" : error->message, seconds);
      if (taken)
        continue;
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, "--seconds takes a whole number from 1 to 3600.");
    }
}

/* A row as tables call it, and as whoever measures it reads it. */
static void
test_steps (void)
{
  guint n;
  const LsBenchStep *steps = ls_bench_steps (&n);

  g_assert_cmpuint (n, ==, 10);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = ls_bench_step_text (&steps[i]), *spec = ls_bench_step_spec (&steps[i]),
                      *called = g_strdup_printf ("%s, batch %u", steps[i].title, steps[i].batch),
                      *read = g_strdup_printf ("step\t%s\t%s\t%u", steps[i].model, steps[i].data,
                                               steps[i].batch),
                      *ends = g_strdup_printf ("-%u", steps[i].batch);

      g_assert_cmpstr (text, ==, called);
      g_assert_cmpstr (spec, ==, read);
      g_assert_true (g_str_has_suffix (steps[i].name, ends));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench-words/only", test_only);
  g_test_add_func ("/bench-words/seconds", test_seconds);
  g_test_add_func ("/bench-words/steps", test_steps);
  return g_test_run ();
}
