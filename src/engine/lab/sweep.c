/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a sweep, and their CSV: one line a point, so that a spreadsheet can pivot it.
 */
#include "lab/sweep.h"

#include <string.h>

static const char *const names[LS_SWEEP_N] = { "batch", "width", "threads", "events" };
static const char *const lanes[LS_SWEEP_LANES] = { "cpu", "opencl" };

LsSweep *
ls_sweep_new (LsSweepKind kind, const char *network)
{
  LsSweep *sweep = g_new0 (LsSweep, 1);

  sweep->kind = kind;
  sweep->network = g_strdup (network);
  for (guint i = 0; i < LS_SWEEP_LANES; i++)
    sweep->points[i] = g_array_new (FALSE, FALSE, sizeof (LsSweepPoint));
  return sweep;
}

static void
sweep_free (LsSweep *sweep)
{
  if (sweep == NULL)
    return;
  for (guint i = 0; i < LS_SWEEP_LANES; i++)
    g_array_unref (sweep->points[i]);
  g_free (sweep->network);
  g_free (sweep);
}

LsSweepRun *
ls_sweep_run_new (void)
{
  LsSweepRun *run = g_new0 (LsSweepRun, 1);

  run->sweeps = g_ptr_array_new_with_free_func ((GDestroyNotify) sweep_free);
  return run;
}

void
ls_sweep_run_free (LsSweepRun *run)
{
  if (run == NULL)
    return;
  g_ptr_array_unref (run->sweeps);
  for (guint i = 0; i < LS_SWEEP_LANES; i++)
    g_free (run->devices[i]);
  g_free (run->machine);
  g_free (run->date);
  g_free (run->program);
  g_free (run);
}

const char *
ls_sweep_name (LsSweepKind kind)
{
  return (guint) kind < LS_SWEEP_N ? names[kind] : NULL;
}

gboolean
ls_sweep_find (const char *name, LsSweepKind *kind)
{
  for (guint i = 0; i < LS_SWEEP_N; i++)
    if (strcmp (names[i], name) == 0)
      {
        *kind = (LsSweepKind) i;
        return TRUE;
      }
  return FALSE;
}

static void
put_number (GString *csv, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (csv, ",%s", g_ascii_formatd (text, sizeof text, "%.10g", value));
}

char *
ls_sweep_csv (const LsSweepRun *run)
{
  GString *csv = g_string_new ("sweep,lane,x,samples_per_second,q1,q3,n,plain_samples_per_second\n");

  for (guint s = 0; s < run->sweeps->len; s++)
    for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
      {
        const LsSweep *sweep = g_ptr_array_index (run->sweeps, s);

        for (guint i = 0; i < sweep->points[lane]->len; i++)
          {
            const LsSweepPoint *p = &g_array_index (sweep->points[lane], LsSweepPoint, i);

            g_string_append_printf (csv, "%s,%s", names[sweep->kind], lanes[lane]);
            put_number (csv, p->x);
            put_number (csv, p->rate.value);
            put_number (csv, p->rate.q1);
            put_number (csv, p->rate.q3);
            g_string_append_printf (csv, ",%" G_GUINT64_FORMAT, p->rate.n);
            if (p->plain.n > 0)
              put_number (csv, p->plain.value);
            else
              g_string_append_c (csv, ',');
            g_string_append_c (csv, '\n');
          }
      }
  return g_string_free (csv, FALSE);
}
