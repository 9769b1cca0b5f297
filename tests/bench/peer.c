/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A peer's loop. Short ops are done several at once between two looks at the clock, as the lanes do.
 */
#include "peer.h"

#include <jansson.h>
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

/* As a line; it is consumed. */
static void
say (json_t *said)
{
  json_dumpf (said, stdout, JSON_COMPACT);
  putchar ('\n');
  fflush (stdout);
  json_decref (said);
}

int
peer_refuse (const char *why)
{
  say (json_pack ("{s:s}", "no", why));
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

/* The turn: its first part isn't told of. */
static bool
run (const Peer *peer, double seconds, json_t *times, char *why)
{
  const double start = now_us (), counted = start + WARM * seconds * 1e6, until = start + seconds * 1e6;
  unsigned n = 1;

  for (;;)
    {
      const double begin = now_us ();
      double each;

      if (json_array_size (times) > 0 && begin >= until)
        return true;
      if (!peer->run (n, why))
        return false;
      each = (now_us () - begin) / n;
      /* one that alone takes longer than the turn has had its warm-up within it */
      if (begin >= counted || each >= seconds * 1e6)
        json_array_append_new (times, json_real (each));
      n = seconds * 1e6 / 4 / each >= MOST ? MOST : (unsigned) (seconds * 1e6 / 4 / each) + 1;
    }
}

static void
answer (const Peer *peer, const json_t *asked)
{
  const char *spec = json_string_value (json_object_get (asked, "prepare"));
  const json_t *seconds = json_object_get (asked, "run"), *threads = json_object_get (asked, "threads");
  char why[PEER_WHY] = "";
  json_t *times;

  if (spec != NULL)
    {
      if (peer->prepare (spec, why))
        say (json_object ());
      else
        peer_refuse (why);
      return;
    }
  if (!(json_number_value (seconds) >= 0 && json_number_value (seconds) <= MAX_SECONDS)
      || !json_is_number (seconds) || json_integer_value (threads) < 0 || json_integer_value (threads) > 1024)
    {
      peer_refuse ("“run” wants seconds and threads");
      return;
    }
  if (json_integer_value (threads) > 0 && peer->threads != NULL)
    peer->threads ((unsigned) json_integer_value (threads));
  times = json_array ();
  if (run (peer, json_number_value (seconds), times, why))
    say (json_pack ("{s:O}", "us", times));
  else
    peer_refuse (why);
  json_decref (times);
}

int
peer_main (const Peer *peer, const char *title, unsigned threads)
{
  char line[4096];

  say (json_pack ("{s:s, s:i}", "title", title, "threads", (int) threads));
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      json_t *asked = json_loads (line, 0, NULL);

      answer (peer, asked);
      json_decref (asked);
    }
  return 0;
}
