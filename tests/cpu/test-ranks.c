/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which a recorded step's tiles were done, from stamps that no machine has to give.
 */
#include "backends/cpu/cpu.h"

/* Whichever tile of an op was done first ranks first, whoever did it, and whenever it was begun. */
static void
test_ranks (void)
{
  static const struct {
    guint worker;
    guint16 op;
    guint64 start_ns, end_ns;
    guint32 rank;
  } tiles[] = {
    { 0, 3, 100, 900, 2 }, { 1, 3, 110, 300, 0 }, { 1, 3, 310, 600, 1 },
    { 0, 3, 910, 950, 3 }, { 0, 4, 990, 996, 1 }, { 1, 4, 991, 995, 0 },
  };
  g_autoptr (LsTrace) trace = ls_trace_new (0, 3, 8, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    ls_ring_add (&trace->rings[1 + tiles[i].worker], &(LsEvent){ .kind = LS_EVENT_TILE,
                                                                 .tile = i,
                                                                 .op = tiles[i].op,
                                                                 .worker = (guint8) tiles[i].worker,
                                                                 .start_ns = tiles[i].start_ns,
                                                                 .end_ns = tiles[i].end_ns });
  ls_cpu_rank_tiles (trace);
  for (guint r = 1; r < 3; r++)
    for (guint i = 0; i < trace->rings[r].n; i++)
      {
        const LsEvent *e = &trace->rings[r].events[i];
        g_assert_cmpuint (e->rank, ==, tiles[e->tile].rank);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/ranks", test_ranks);
  return g_test_run ();
}
