/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See interrupt.h.
 */
#include "ui/cli/interrupt.h"

#include <signal.h>

/* The one variable that a signal handler needs. Blocking the signals and reading them from a descriptor would
 * do without, but OpenBLAS makes threads when it is loaded, before anyone can block anything, and the signal
 * would find those. */
static volatile sig_atomic_t interrupted;

static void
interrupt_cb (int number)
{
  interrupted = 1;
}

void
ls_interrupt_catch (void)
{
  struct sigaction action = { .sa_handler = interrupt_cb, .sa_flags = (int) SA_RESETHAND | SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

gboolean
ls_interrupted (void)
{
  return interrupted != 0;
}
