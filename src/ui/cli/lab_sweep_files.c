/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sweep as CSV, a line for each combination and lane, and as JSON.
 */
#include "ui/cli/lab_sweep.h"

#include "files/text.h"
#include "lab/machine.h"
#include "ui/report/json_out.h"

static void
put_number (GString *csv, double value)
{
  ls_text_append_double (csv, value);
  g_string_append_c (csv, ',');
}

char *
ls_lab_sweep_csv (const LsSweep *sweep)
{
  GString *csv = g_string_new (NULL);

  for (guint i = 0; i < sweep->axes->len; i++)
    g_string_append_printf (csv, "%s,", g_array_index (sweep->axes, LsSweepAxis, i).option->name);
  g_string_append (csv, "lane,rate,unit,q1,q3,n,why\n");
  for (guint c = 0; c < sweep->done; c++)
    for (guint lane = 0; lane < sweep->specs->len; lane++)
      {
        const LsSweepCell *cell = ls_sweep_cell (sweep, c, lane);

        for (guint i = 0; i < sweep->axes->len; i++)
          {
            ls_text_append_csv (csv, ls_sweep_value (sweep, c, i));
            g_string_append_c (csv, ',');
          }
        ls_text_append_csv (csv, ((const LsLaneSpec *) sweep->specs->pdata[lane])->id);
        g_string_append_c (csv, ',');
        if (cell->rate.n > 0)
          {
            put_number (csv, cell->rate.value);
            g_string_append_printf (csv, "%s,", cell->rate.unit);
            put_number (csv, cell->rate.q1);
            put_number (csv, cell->rate.q3);
            g_string_append_printf (csv, "%" G_GUINT64_FORMAT ",", cell->rate.n);
          }
        else
          g_string_append (csv, ",,,,,");
        ls_text_append_csv (csv, cell->why);
        g_string_append_c (csv, '\n');
      }
  return g_string_free (csv, FALSE);
}

json_t *
ls_lab_sweep_json (const LsSweep *sweep)
{
  json_t *json = ls_json_new ("lockstep-lab-sweep", 1), *list;
  g_autofree char *machine = ls_machine_text ();

  ls_json_text (json, "machine", machine);
  list = ls_json_array (json, "combinations");
  for (guint c = 0; c < sweep->done; c++)
    {
      json_t *combination = ls_json_object (list, NULL), *values = ls_json_object (combination, "options"),
             *lanes = ls_json_array (combination, "lanes");

      for (guint i = 0; i < sweep->axes->len; i++)
        ls_json_text (values, g_array_index (sweep->axes, LsSweepAxis, i).option->name,
                      ls_sweep_value (sweep, c, i));
      for (guint lane = 0; lane < sweep->specs->len; lane++)
        {
          const LsSweepCell *cell = ls_sweep_cell (sweep, c, lane);
          json_t *one = ls_json_object (lanes, NULL);

          ls_json_text (one, "id", ((const LsLaneSpec *) sweep->specs->pdata[lane])->id);
          if (cell->rate.n > 0)
            {
              ls_json_put_figure (one, "rate", &cell->rate);
              ls_json_text (one, "unit", cell->rate.unit);
            }
          else
            ls_json_text (one, "why", cell->why);
        }
    }
  return json;
}
