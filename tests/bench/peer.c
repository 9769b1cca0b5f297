/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A peer's loop. Short ops are done several at once between two looks at the clock, as the lanes do.
 */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARM        .15 /* share of a turn that isn't counted */
#define MOST        32  /* ops handed over at once */
#define MAX_SECONDS 3600

static double
now_us (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC_RAW, &t);
  return 1e6 * (double) t.tv_sec + (double) t.tv_nsec / 1e3;
}

int
peer_refuse (const char *why)
{
  printf ("no\t%s\n", why);
  fflush (stdout);
  return 1;
}

bool
peer_numbers (const char *text, long *numbers, size_t n)
{
  char *end;

  for (size_t i = 0; i < n; i++)
    {
      numbers[i] = strtol (text, &end, 10);
      if (end == text || numbers[i] < 0 || numbers[i] > 1 << 20)
        return false;
      text = end;
    }
  return *text == '\0';
}

float *
peer_floats (size_t n)
{
  float *values = aligned_alloc (64, (n * sizeof (float) + 63) / 64 * 64);

  for (size_t i = 0; values != NULL && i < n; i++)
    values[i] = (float) (i % 17) / 16 - .5f;
  return values;
}

/* The turn: its first part isn't printed. */
static bool
run (const Peer *peer, double seconds, char *why)
{
  const double start = now_us (), counted = start + WARM * seconds * 1e6, until = start + seconds * 1e6;
  unsigned n = 1;
  bool any = false;

  for (;;)
    {
      const double begin = now_us ();
      double each;

      if (any && begin >= until)
        break;
      if (!peer->run (n, why))
        return false;
      each = (now_us () - begin) / n;
      /* one that alone takes longer than the turn has had its warm-up within it */
      if (begin >= counted || each >= seconds * 1e6)
        {
          printf ("%s%.3f", any ? " " : "", each);
          any = true;
        }
      n = seconds * 1e6 / 4 / each >= MOST ? MOST : (unsigned) (seconds * 1e6 / 4 / each) + 1;
    }
  putchar ('\n');
  return true;
}

static void
answer (const Peer *peer, const char *line)
{
  char why[PEER_WHY] = "";
  char *end;

  if (strncmp (line, "run ", 4) == 0)
    {
      const unsigned long threads = strtoul (line + 4, &end, 10);
      const double seconds = strtod (end, &end);

      if (*end != '\0' || !(seconds >= 0 && seconds <= MAX_SECONDS) || threads > 1024)
        peer_refuse ("“run” wants threads and seconds");
      else
        {
          if (threads > 0 && peer->threads != NULL)
            peer->threads ((unsigned) threads);
          if (!run (peer, seconds, why))
            peer_refuse (why);
        }
    }
  else if (peer->prepare (line, why))
    puts ("ok");
  else
    peer_refuse (why);
  fflush (stdout);
}

int
peer_main (const Peer *peer, const char *title, unsigned threads)
{
  char line[4096];

  printf ("%s\t%u\n", title, threads);
  fflush (stdout);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      answer (peer, line);
    }
  return 0;
}
