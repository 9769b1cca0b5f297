/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See asking.h.
 */
#include "asking.h"

#include <gio/gio.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "backends/opencl/device/environment.h"
#include "backends/opencl/child/discovery.h"

/* ---- the program that was run once more ---- */

static void
print_devices (const GPtrArray *devices)
{
  printf ("devices=%u\n", devices->len);
  for (guint i = 0; i < devices->len; i++)
    printf ("name%u=%s\n", i, ((const LsDeviceInfo *) devices->pdata[i])->name);
}

static int
answer (const char *wish)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClDiscovery) discovery = NULL;

  scenario_begin ();
  ls_cl_environment_setup ();
  discovery = ls_cl_discover (wish, &error);
  if (discovery)
    {
      const LsDeviceInfo *chosen = discovery->devices->pdata[discovery->chosen];
      print_devices (discovery->devices);
      printf ("chosen=%u\ntells=%s\nticks=%u\n", discovery->chosen, ls_tells_name (chosen->tells),
              discovery->ticks);
      if (discovery->note)
        printf ("note=%s\n", discovery->note);
    }
  else
    {
      g_assert_true (error->domain == LS_ERROR);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      printf ("code=%d\nmessage=%s\n", error->code, error->message);
    }
  printf ("cache=%s\n", g_getenv ("POCL_CACHE_DIR"));
  return 0;
}

static int
answer_list (void)
{
  g_autofree char *verdict = NULL;
  g_autoptr (GPtrArray) devices = NULL;

  scenario_begin ();
  devices = ls_cl_discover_list (&verdict);
  print_devices (devices);
  if (verdict)
    printf ("verdict=%s\n", verdict);
  return 0;
}

/* A process that may not write to files: a full disk, as far as PoCL can see. */
static int
answer_on_full_disk (void)
{
  const struct rlimit nothing = { 0, 0 };
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &nothing);
  return answer ("");
}

gboolean
asking_begin (int *argc, char ***argv, int *status)
{
  const char *what = *argc > 1 ? (*argv)[1] : "";

  setlocale (LC_ALL, "");
  if (strcmp (what, LS_CL_CHILD_COMMAND) == 0)
    *status = ls_cl_child_main (*argc, *argv);
  else if (*argc > 2 && strcmp (what, "--ask") == 0)
    *status = answer ((*argv)[2]);
  else if (strcmp (what, "--list") == 0)
    *status = answer_list ();
  else if (strcmp (what, "--ask-on-full-disk") == 0)
    *status = answer_on_full_disk ();
  else
    {
      g_test_init (argc, argv, NULL);
      return TRUE;
    }
  return FALSE;
}

/* ---- asking ---- */

Scenario *
ask (const char *wish, const char *const *changes)
{
  const char *const arguments[] = { "--ask", wish, NULL };
  Scenario *s = scenario_run (changes, arguments);

  if (s->signal || s->status)
    g_error ("the program that asked ended with signal %d, status %d: %s", s->signal, s->status, s->err);
  return s;
}

void
assert_says (const Scenario *s, LsError code, const char *words)
{
  g_autofree char *number = scenario_get (s, "code"), *message = scenario_get (s, "message");

  g_assert_nonnull (number);
  g_test_message ("%s", message);
  g_assert_cmpint ((int) g_ascii_strtoll (number, NULL, 10), ==, (int) code);
  if (strstr (message, words) == NULL)
    g_error ("“%s” doesn't say “%s”", message, words);
}

gboolean
says (const Scenario *s, const char *key, const char *words)
{
  g_autofree char *text = scenario_get (s, key);
  return text && strstr (text, words) != NULL;
}

gboolean
works (const Scenario *s)
{
  g_autofree char *chosen = scenario_get (s, "chosen"), *message = scenario_get (s, "message");
  if (message)
    g_test_message ("%s", message);
  return chosen != NULL;
}

gboolean
have_pocl (void)
{
  const char *const changes[] = { NULL };
  g_autoptr (Scenario) s = ask ("PoCL", changes);

  if (works (s))
    return TRUE;
  g_test_skip ("there is no PoCL on this machine");
  return FALSE;
}
