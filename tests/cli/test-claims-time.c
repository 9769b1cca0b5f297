/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How `lockstep claims --all` shares its time out: for how long each claim is measured, and by when it is
 * given up, after what those before it took beside their measuring. The claims' runs are played, and so is
 * the clock.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "claims/budget.h"
#include "claims/tables.h"
#include "core/error.h"

#define MOST 12

static char *folder;
static gint64 now_us;

/* What is asked of the claims' runs, one after the other, and what these take. */
static struct {
  guint n;
  double seconds[MOST], limit[MOST];
  const double *beside; /* s, beside measuring; below 0: it fails at once */
} played;

gint64 __wrap_g_get_monotonic_time (void);
LsClaimResult *__wrap_ls_claims_run (const LsClaimWish *wish, LsLabHeard heard, gpointer data,
                                     GCancellable *cancel, GError **error);

gint64
__wrap_g_get_monotonic_time (void)
{
  return now_us;
}

LsClaimResult *
__wrap_ls_claims_run (const LsClaimWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel,
                      GError **error)
{
  const double beside = played.beside[played.n];
  LsClaimResult *result;

  heard (&(LsLabNews){ .seconds_left = 12, .n = 2 }, data);
  heard (&(LsLabNews){ .seconds_left = 6, .done = 1, .n = 2 }, data);
  heard (&(LsLabNews){ .said = "A lane was lost.", .problem = TRUE }, data);
  heard (&(LsLabNews){ .said = "It goes on." }, data);
  played.seconds[played.n] = wish->seconds;
  played.limit[played.n++] = wish->limit;
  if (beside < 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "another program measures");
      return NULL;
    }
  now_us += (gint64) ((wish->seconds + beside) * G_USEC_PER_SEC);
  result = ls_claim_result_new (wish->claim);
  result->verdict = LS_CLAIM_NOT_MEASURABLE;
  result->why = g_strdup ("It was played.");
  return result;
}

/* A folder of so many claims, "a", "b" …. (transfer full) */
static char *
make_claims (guint n)
{
  static const char text[]
    = "{\"format\": \"lockstep-claim\", \"version\": 1, \"sentence\": {\"en\": \"It is so.\"},\n"
      " \"source\": {\"title\": \"A page\", \"address\": \"https://example.org/\", \"seen\": "
      "\"2026-11-24\"},\n"
      " \"quote\": \"so\", \"claimed\": {\"value\": 1, \"unit\": \"×\"}, \"true\": {\"from\": 1.5},\n"
      " \"ways\": [{\"name\": \"way\", \"words\": {\"en\": \"way\"}, \"lane\": \"cpu\",\n"
      "   \"run\": [\"product\", \"10\"]}],\n"
      " \"outcomes\": [{\"is\": \"time(way) / time(way)\"}]}\n";
  char *in = g_strdup_printf ("%s/%u", folder, n);

  g_assert_cmpint (g_mkdir (in, 0700), ==, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%c.claim", in, 'a' + (char) i);
      g_assert_true (g_file_set_contents (path, text, -1, NULL));
    }
  return in;
}

/* Each is measured as long as was asked, or for its share of what is left, less what those before took beside
 * in the mean, a second at least; and is given up when the time of all is over, which is longer where more
 * was asked. Those that can't begin by then are named. */
static void
test_shares (void)
{
  static const struct {
    const char *seconds; /* NULL: 10 */
    double all;          /* s */
    guint n;
    double beside[MOST];
    guint begun; /* so many of them are */
  } rows[] = {
    { NULL, 300, 3, { 0, 0, 0 }, 3 },
    { NULL, 300, 10, { 25, 23, 27, 20, 24, 26, 22, 25, 21, 24 }, 10 },
    { NULL, 300, 8, { 60, 5, 30, 10, 40, 20, 30, 25 }, 8 },
    { NULL, 300, 10, { 30, -1, 25, -1, 28, 31, 29, 30, 27, 26 }, 10 },
    { NULL, 300, 6, { 150, 147, 3, 3, 3, 3 }, 2 },
    { "20", 600, 10, { 50, 46, 54, 40, 48, 52, 44, 50, 42, 48 }, 10 },
    { "4", 300, 10, { 27, 26, 28, 27, 26, 28, 27, 26, 28, 27 }, 10 },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const double asked = rows[r].seconds != NULL ? g_ascii_strtod (rows[r].seconds, NULL) : 10;
      g_autofree char *in = make_claims (rows[r].n),
                      *line = g_strdup_printf ("claims|--all|--no-guess|--dir|%s|--seconds|%g", in, asked);
      double left = rows[r].all, beside = 0;

      played.n = 0;
      played.beside = rows[r].beside;
      now_us = 5 * G_USEC_PER_SEC;
      g_auto (Captured) said = run (line);
      gboolean fine = rows[r].begun == rows[r].n;
      g_assert_cmpuint (played.n, ==, rows[r].begun);
      for (guint i = 0; i < rows[r].n; i++)
        {
          const double mean = i > 0 ? beside / i : 0, share = CLAMP (left / (rows[r].n - i) - mean, 1, asked);
          g_autofree char *over = g_strdup_printf ("claims: %c: The time for all claims, ", 'a' + (char) i);

          if ((strstr (said.err, over) != NULL) != (i >= rows[r].begun))
            g_error ("row %zu: of claim %u is said\n%s", r, i, said.err);
          if (i >= rows[r].begun)
            continue;
          if (fabs (played.seconds[i] - share) > 1e-5 || fabs (played.limit[i] - left) > 1e-5)
            g_error ("row %zu: claim %u is measured for %g s, within %g s, not for %g s within %g s", r, i,
                     played.seconds[i], played.limit[i], share, left);
          fine &= rows[r].beside[i] >= 0;
          left -= rows[r].beside[i] >= 0 ? share + rows[r].beside[i] : 0;
          beside += MAX (rows[r].beside[i], 0);
        }
      g_assert_cmpint (said.status, ==, fine ? 0 : 1);
      remove_tree (in);
    }
}

static guint
times (const char *said, const char *words)
{
  guint n = 0;

  for (const char *at = said; (at = strstr (at, words)) != NULL; at += strlen (words))
    n++;
  return n;
}

/* One that is run alone says at its beginning how long it takes; of all, each has a line already. What the
 * laboratory says is said of both: problems to stderr. */
static void
test_heard (void)
{
  static const double beside[MOST] = { 0 };
  g_autofree char *in = make_claims (2);

  for (guint all = 0; all < 2; all++)
    {
      g_autofree char *line = g_strdup_printf ("claims|%s|--no-guess|--dir|%s", all ? "--all" : "b", in);

      played.n = 0;
      played.beside = beside;
      g_auto (Captured) said = run (line);
      g_assert_cmpint (said.status, ==, 0);
      g_assert_cmpuint (played.n, ==, all ? 2 : 1);
      if (times (said.out, "Measuring for about ") != !all
          || times (said.out, "Measuring for about 12 s…\n") != !all)
        g_error ("a claim that is run %s says how long it takes %u times:\n%s",
                 all ? "among others" : "alone", times (said.out, "Measuring for about "), said.out);
      g_assert_cmpuint (times (said.out, "It goes on.\n"), ==, played.n);
      g_assert_cmpuint (times (said.err, "It goes on."), ==, 0);
      g_assert_cmpuint (times (said.err, "A lane was lost.\n"), ==, played.n);
      g_assert_cmpuint (times (said.out, "A lane was lost."), ==, 0);
      g_assert_cmpint (g_str_has_prefix (said.out, "1 of 2: a\n"), ==, all);
      g_assert_cmpuint (times (said.out, "2 of 2: b\n"), ==, all);
    }
  remove_tree (in);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  folder = g_dir_make_tmp ("lockstep-claims-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_add_func ("/claims-time/shares", test_shares);
  g_test_add_func ("/claims-time/heard", test_heard);
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
