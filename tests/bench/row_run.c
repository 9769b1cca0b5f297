/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row is run: everybody prepares, whose best thread count isn't known looks for it, then they take turns.
 */
#include "config.h"
#include "row.h"

#include <unistd.h>

#include "core/error.h"
#include "trace/event.h"
#include "lab/machine.h"
#include "ui/report/terminal.h"

#define SETTLE_US 30000 /* until threads that spin after their turn sleep */
#define LEAST_S   .02   /* a turn */
#define TRIES     3     /* of each thread count, in turn: a library may be fast or slow with the same one */
#define TRY_SHARE .15   /* of a turn, for each of them */
#define ANSWER_S  30    /* beyond its time, until a child is taken to hang */

typedef struct {
  LsBenchRow *row;
  LsContender *contenders;
  const LsBeside *beside;
  guint lane_threads; /* with which OpenBLAS is compared */
} Run;

static void
fail (Run *run, guint i, const GError *error)
{
  LsContender *c = &run->contenders[i];
  LsBenchEntry *entry = &run->row->entries[i];
  g_autofree char *text = ls_work_text (run->row->work);

  entry->here = FALSE;
  g_free (entry->failed);
  entry->failed = ls_sentence (error->message);
  ls_terminal_complain ("%s, %s: %s\n", c->peer->title, text, entry->failed);
  if (ls_lab_child_gone (c->child))
    {
      c->missing = g_strdup_printf ("%s stopped at %s: %s", c->peer->title, text, entry->failed);
      g_clear_pointer (&c->child, ls_lab_child_free);
    }
}

/* OpenBLAS does a step's products, and a convolution as a product. */
static void
prepare (Run *run, guint i)
{
  LsContender *c = &run->contenders[i];
  LsBenchEntry *entry = &run->row->entries[i];
  const LsPeer *peer = c->peer;
  g_autofree char *spec = i == LS_PEER_OPENBLAS ? ls_products_spec (run->row->cost.products)
                                                : ls_work_spec (run->row->work);
  g_autoptr (GError) error = NULL;
  const guint64 start = ls_clock_ns ();

  if (c->spent_s > peer->budget_s)
    {
      c->missing = g_strdup_printf ("%s was left out from here on: it took %.0f s beyond its turns.",
                                    peer->title, c->spent_s);
      ls_terminal_complain ("%s\n", c->missing);
      g_clear_pointer (&c->child, ls_lab_child_free);
      return;
    }
  entry->here = ls_lab_child_prepare (c->child, spec, peer->limit_s, &entry->how, &error);
  c->spent_s += (double) (ls_clock_ns () - start) / 1e9;
  if (!entry->here)
    fail (run, i, error);
}

/* What this benchmark itself has used, with the loops that it runs beside. */
static double
own_s (const Run *run, const LsContender *c)
{
  return ls_machine_process_s (getpid ()) + ls_lab_child_cpu_s (c->child) + ls_beside_cpu_s (run->beside);
}

/* Runs a turn; the cores that others used meanwhile, −1: not known. */
static double
turn (Run *run, guint i, guint threads, double seconds, GArray *times)
{
  LsContender *c = &run->contenders[i];
  const double busy = ls_machine_busy_s (), own = own_s (run, c);
  const guint64 start = ls_clock_ns ();
  g_autoptr (GError) error = NULL;
  double others = -1, took;
  gboolean good;

  good = ls_lab_child_run (c->child, threads, seconds, ANSWER_S, times, &error);
  took = (double) (ls_clock_ns () - start) / 1e9;
  c->spent_s += MAX (0, took - seconds);
  if (!good)
    fail (run, i, error);
  else if (busy >= 0)
    {
      const double all = ls_machine_busy_s () - busy, mine = own_s (run, c) - own;
      /* two ticks: what the system's own accounting may be off by */
      others = MAX (0, all - mine - 2.0 / (double) sysconf (_SC_CLK_TCK)) / MAX (took, 1e-3);
    }
  if (c->peer->spins)
    g_usleep (SETTLE_US);
  return others;
}

static void
try_threads (Run *run, guint i, guint threads, double seconds, double *best)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  LsFigure figure;

  turn (run, i, threads, MAX (seconds, LEAST_S), times);
  figure = ls_figure_of_samples ((gpointer) times->data, times->len, "µs");
  if (figure.n == 0 || figure.value >= *best)
    return;
  *best = figure.value;
  run->row->entries[i].threads = threads;
}

/* 1, 2, 3 … 8, 16 … and all: the one with the least median of all tries. */
static void
find_threads (Run *run, guint i, double seconds)
{
  const LsBenchEntry *entry = &run->row->entries[i];
  const guint most = run->contenders[i].threads;
  double best = G_MAXDOUBLE;

  for (guint attempt = 0; attempt < TRIES; attempt++)
    for (guint n = 1; entry->here && n <= most; n = n < 8 || n == most ? n + 1 : MIN (2 * n, most))
      try_threads (run, i, n, seconds, &best);
}

static void
one_round (Run *run, guint r, double seconds)
{
  LsBenchRow *row = run->row;

  row->others[r] = -1;
  for (guint i = 0; i < LS_PEER_N; i++)
    if (row->entries[i].here)
      {
        double others;

        row->entries[i].rounds[r] = g_array_new (FALSE, FALSE, sizeof (double));
        others = turn (run, i, row->entries[i].threads, seconds, row->entries[i].rounds[r]);
        row->others[r] = MAX (row->others[r], others);
      }
}

void
ls_bench_row_run (LsBenchRow *row, LsContender contenders[LS_PEER_N], double seconds, guint rounds,
                  const LsBeside *beside)
{
  Run run = { row, contenders, beside, contenders[LS_PEER_CPU].threads };
  guint here = 0;
  double turn_s;

  row->n_rounds = CLAMP (rounds, 1, LS_ROUNDS_MAX);
  for (guint i = 0; i < LS_PEER_N; i++)
    if (contenders[i].child != NULL && (contenders[i].peer->kinds & row->work->kind))
      {
        prepare (&run, i);
        here += row->entries[i].here;
      }
  turn_s = MAX (seconds / row->n_rounds / MAX (here, 1), LEAST_S);
  row->entries[LS_PEER_OPENBLAS].threads = MAX (run.lane_threads, 1);
  for (guint i = 0; i < LS_PEER_N; i++)
    if (row->entries[i].here && contenders[i].peer->tries_threads)
      find_threads (&run, i, turn_s * TRY_SHARE);
  for (guint r = 0; r < row->n_rounds; r++)
    one_round (&run, r, turn_s);
  ls_bench_row_finish (row);
}
