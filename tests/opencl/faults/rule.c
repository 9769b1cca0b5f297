/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See rule.h.
 */
#include "rule.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/child/discovery.h"
#include "clfault.h"
#include "lanes.h"

static char current_rule[128];

static void
died_cb (int sig)
{
  static const char text[] = "\n# it died under the rule ";
  if (write (STDOUT_FILENO, text, sizeof text - 1) < 0
      || write (STDOUT_FILENO, current_rule, strlen (current_rule)) < 0 || write (STDOUT_FILENO, "\n", 1) < 0)
    _exit (1);
  signal (sig, SIG_DFL);
  raise (sig);
}

void
rule_begin (int *argc, char ***argv)
{
  static const int deaths[] = { SIGSEGV, SIGABRT, SIGALRM, SIGTRAP, SIGBUS, SIGFPE };

  setlocale (LC_ALL, "");
  rig_init (argc, argv);
  for (gsize i = 0; i < G_N_ELEMENTS (deaths); i++)
    signal (deaths[i], died_cb);
}

void
rule_set (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_vsnprintf (current_rule, sizeof current_rule, format, args);
  va_end (args);
  clfault_set (current_rule);
}

void
rule_clear (void)
{
  clfault_set (NULL);
}

const char *
rule_text (void)
{
  return current_rule;
}

gboolean
have_device (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClDiscovery) discovery = NULL;

  rule_clear ();
  discovery = ls_cl_discover ("", &error);
  if (discovery == NULL)
    g_test_skip (error->message);
  return discovery != NULL;
}
