/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OpenCL driver for tests that does what LS_FAKE_ICD says as soon as the loader opens it: abort, segv,
 * exit, quiet (exits with status 0), hang, talk (fills both standard streams, has no device), moan (dies with
 * long last words). Otherwise it has nothing to offer, and the loader passes it over.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__ ((constructor)) static void
misbehave (void)
{
  const char *how = getenv ("LS_FAKE_ICD");

  if (how == NULL)
    return;
  if (strcmp (how, "abort") == 0)
    {
      fputs ("fake: LLVM ERROR: out of luck\n\n", stderr);
      abort ();
    }
  if (strcmp (how, "segv") == 0)
    raise (SIGSEGV);
  if (strcmp (how, "exit") == 0)
    exit (3);
  if (strcmp (how, "quiet") == 0)
    exit (0);
  while (strcmp (how, "hang") == 0)
    pause ();
  for (int i = 0; strcmp (how, "talk") == 0 && i < 40000; i++)
    {
      fputs ("{\"devices\": [], \"chosen\": 0} says the fake driver\n", stdout);
      fputs ("and it complains as well, at no small length\n", stderr);
    }
  if (strcmp (how, "moan") == 0)
    {
      for (int i = 0; i < 400; i++)
        fputs (i ? "é" : "a", stderr);
      abort ();
    }
}
