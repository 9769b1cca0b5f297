/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lab_table.h.
 */
#include "config.h"
#include "ui/cli/lab_table.h"

#include <glib/gi18n.h>

#include "lab/crossover.h"
#include "ui/report/terminal.h"

static const LsLabPoint *
point_at (const LsLabResult *result, guint lane, double x)
{
  for (guint i = 0; i < result->points[lane]->len; i++)
    {
      const LsLabPoint *p = &g_array_index (result->points[lane], LsLabPoint, i);
      if (p->x >= x && p->x <= x)
        return p;
    }
  return NULL;
}

static void
take_nearer (double x, double at, double *next)
{
  if (at > x && (*next <= 0 || at < *next))
    *next = at;
}

/* The next size after x that a lane has a point at, or has none and said why; 0: there is none. */
static double
next_x (const LsLabResult *result, double x)
{
  double next = 0;

  for (guint lane = 0; lane < result->specs->len; lane++)
    {
      for (guint i = 0; i < result->points[lane]->len; i++)
        take_nearer (x, g_array_index (result->points[lane], LsLabPoint, i).x, &next);
      for (guint i = 0; i < result->missing[lane]->len; i++)
        take_nearer (x, ((const LsLabMissing *) result->missing[lane]->pdata[i])->spot.x, &next);
    }
  return next;
}

static const char *
lane_title (const LsLabResult *result, guint lane)
{
  return ((const LsLaneSpec *) result->specs->pdata[lane])->title;
}

/* What the figures depend on. */
static void
print_conditions (const LsLabResult *result)
{
  for (guint lane = 0; lane < result->specs->len; lane++)
    ls_terminal_print ("%s: %s\n", lane_title (result, lane),
                       result->devices[lane] != NULL ? result->devices[lane] : _("was not there"));
  ls_terminal_print (result->busy
                       ? ngettext ("Measured on %s by %s beside other programs, %u round in %u s; %s\n",
                                   "Measured on %s by %s beside other programs, %u rounds in %u s; %s\n",
                                   result->rounds)
                       : ngettext ("Measured on %s by %s, %u round in %u s; %s\n",
                                   "Measured on %s by %s, %u rounds in %u s; %s\n", result->rounds),
                     result->date, result->program, result->rounds, result->seconds, result->machine);
}

/* Why there are dashes. */
static void
print_reasons (const LsLabResult *result)
{
  for (guint lane = 0; lane < result->specs->len; lane++)
    for (guint i = 0; i < result->missing[lane]->len; i++)
      {
        const LsLabMissing *missing = result->missing[lane]->pdata[i];
        g_autofree char *spot = ls_experiment_spot_text (result->experiment, missing->spot);
        ls_terminal_print ("%s, %s: %s\n", lane_title (result, lane), spot, missing->why);
      }
}

static void
print_fits (const LsLabResult *result)
{
  for (guint lane = 0; lane < result->specs->len; lane++)
    {
      LsLabFit fit;

      if (ls_lab_fit (result, lane, &fit))
        {
          g_autofree char *text = ls_lab_fit_text (result, &fit);
          ls_terminal_print ("%s: %s\n", lane_title (result, lane), text);
        }
    }
}

/* Who is faster at a spot, and how many times: "◂1.8" the first lane, "1.8▸" the second. (transfer full) */
static char *
ratio_text (const LsLabResult *result, LsLabSpot spot)
{
  double times;

  switch (ls_lab_wins (result, spot, &times))
    {
    case LS_WINS_FIRST:
      return g_strdup_printf ("◂%.1f", times);
    case LS_WINS_SECOND:
      return g_strdup_printf ("%.1f▸", times);
    case LS_WINS_NEITHER:
      return g_strdup (_("equal"));
    case LS_WINS_UNKNOWN:
      break;
    }
  return g_strdup ("–");
}

static gint
by_size (gconstpointer a, gconstpointer b)
{
  return *(const guint *) a < *(const guint *) b ? -1 : *(const guint *) a > *(const guint *) b;
}

/* Those that were tried along one axis, by growing size; (transfer full). */
static GArray *
sizes_tried (const LsLabResult *result, gboolean of_rows)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < result->tried->len; i++)
    {
      const LsLabSpot *spot = &g_array_index (result->tried, LsLabSpot, i);
      const guint size = of_rows ? spot->y : spot->x;
      gboolean there = FALSE;

      for (guint j = 0; j < sizes->len; j++)
        there |= g_array_index (sizes, guint, j) == size;
      if (!there)
        g_array_append_val (sizes, size);
    }
  g_array_sort (sizes, by_size);
  return sizes;
}

static void
print_map (const LsLabResult *result, const LsOptions *options)
{
  g_autoptr (GArray) xs = sizes_tried (result, FALSE), ys = sizes_tried (result, TRUE);
  LsLabSpot own;
  const gboolean alike = ls_lab_options_alike (result->experiment, result->options, options)
                         && ls_experiment_own (result->experiment, options, &own);
  g_autofree char *align = g_strnfill (xs->len + 1, 'r'),
                  *sentence = ls_lab_crossover_text (result, alike ? &own : NULL);
  g_autoptr (LsTable) table = ls_table_new (align);
  g_autoptr (LsFairness) fairness = ls_lab_fairness (result);

  ls_table_add (table, "%s ╲ %s", _(result->experiment->row), _(result->experiment->column));
  for (guint x = 0; x < xs->len; x++)
    ls_table_add (table, "%u", g_array_index (xs, guint, x));
  for (guint y = ys->len; y > 0; y--)
    {
      ls_table_add (table, "%u", g_array_index (ys, guint, y - 1));
      for (guint x = 0; x < xs->len; x++)
        {
          g_autofree char *text = ratio_text (
            result, (LsLabSpot){ g_array_index (xs, guint, x), g_array_index (ys, guint, y - 1) });
          ls_table_add (table, "%s", text);
        }
    }
  ls_terminal_print (_("\n%s: who is faster, how many times: ◂ %s, ▸ %s; rows: %s\n"),
                     _(result->experiment->title), lane_title (result, 0),
                     result->specs->len > 1 ? lane_title (result, 1) : "–", _(result->experiment->row_axis));
  if (ls_fairness_is_unfair (fairness))
    ls_terminal_print (_("(!) %s and %s aren’t compared fairly:\n"), lane_title (result, 0),
                       lane_title (result, 1));
  for (guint i = 0; fairness != NULL && i < fairness->n; i++)
    if (fairness->lines[i].state == LS_FAIR_NO)
      ls_terminal_print ("    %s: %s\n", _(fairness->lines[i].row->title), fairness->lines[i].words);
  ls_table_print (table);
  print_reasons (result);
  ls_terminal_print ("%s\n", sentence);
  print_conditions (result);
}

static void
print_result (const LsLabResult *result)
{
  const guint n = result->specs->len;
  g_autofree char *align = g_strnfill (n + 1, 'r');
  g_autoptr (LsTable) table = ls_table_new (align);
  gboolean recorded = FALSE;

  for (guint lane = 0; lane < n; lane++)
    for (guint i = 0; i < result->points[lane]->len; i++)
      recorded |= g_array_index (result->points[lane], LsLabPoint, i).plain.n > 0;
  ls_table_add (table, "%s", _(result->experiment->column));
  for (guint lane = 0; lane < n; lane++)
    ls_table_add (table, "%s", lane_title (result, lane));
  for (double x = next_x (result, 0); x > 0; x = next_x (result, x))
    {
      ls_table_add (table, "%.0f", x);
      for (guint lane = 0; lane < n; lane++)
        {
          const LsLabPoint *p = point_at (result, lane, x);
          g_autofree char *text = p != NULL ? ls_figure_text (&p->rate) : g_strdup ("–");
          ls_table_add (table, "%s", text);
        }
    }
  ls_terminal_print (recorded ? _("\n%s of recorded steps, %s: medians with [middle half]\n")
                              : _("\n%s, %s: medians with [middle half]\n"),
                     result->experiment->unit, result->experiment->network);
  ls_table_print (table);
  print_reasons (result);
  print_fits (result);
  print_conditions (result);
}

void
ls_lab_print (const LsLabResult *result, const LsOptions *options)
{
  if (result->experiment->rows != NULL)
    print_map (result, options);
  else
    print_result (result);
}
