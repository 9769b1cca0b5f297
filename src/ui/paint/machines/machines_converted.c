/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What became of the trained network in a machine's own numbers, measured here: how many of the test set it
 * still gets right, by bits or time steps, beside what floats do.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

/* The machine's name is what it is converted to. */
LsConvertedKind
ls_machines_kind (const LsMachine *machine)
{
  return ls_converted_find (machine->name);
}

const LsConverted *
ls_machines_result (const LsMachines *p, guint i)
{
  const LsConvertedKind kind = ls_machines_kind (p->rows[i].machine);

  return kind < LS_CONVERTED_N ? p->layout->data->converted[kind] : NULL;
}

/* As many bits as are assumed, or the most time steps up to those. */
const LsConvertedPoint *
ls_machines_point_of (const LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsConverted *result = ls_machines_result (p, i);
  const gboolean spikes = result != NULL && result->kind == LS_CONVERTED_SPIKING;
  const gint which = ls_machine_find_assumption (row->machine, spikes ? "steps" : "bits");
  const LsConvertedPoint *best = NULL;

  for (guint k = 0; result != NULL && which >= 0 && k < result->n_points; k++)
    if (spikes ? result->points[k].at <= row->assumed.value[which]
               : fabs (result->points[k].at - row->assumed.value[which]) < .5)
      best = &result->points[k];
  return best;
}

char *
ls_machines_right (const LsMachines *p, guint i)
{
  const LsConverted *result = ls_machines_result (p, i);
  const LsConvertedPoint *point = ls_machines_point_of (p, i);

  if (point == NULL)
    return NULL;
  g_autofree char *right = ls_number_fixed (point->accuracy.value, 1),
                  *floats = ls_number_fixed (result->accuracy.value, 1);
  return result->kind == LS_CONVERTED_SPIKING
           ? g_strdup_printf (ngettext ("measured: after %u time step %s %% right, as floats %s %%",
                                        "measured: after %u time steps %s %% right, as floats %s %%",
                                        point->at),
                              point->at, right, floats)
           : g_strdup_printf (ngettext ("measured: with %u bit %s %% right, as floats %s %%",
                                        "measured: with %u bits %s %% right, as floats %s %%", point->at),
                              point->at, right, floats);
}

/* ---- the curve ---- */

static void
plot (const LsMachines *p, const LsConverted *result, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double left = area.x + ls_scene_width (s, m->tick, "100 %") + 2 * m->unit,
               right = area.x + area.w - 3 * m->unit, bottom = area.y + area.h - m->tick.px * 1.5,
               top = area.y + m->tick.px;
  double low = result->accuracy.value, free_from = -1e9;
  LsAxis y;

  for (guint i = 0; i < result->n_points; i++)
    low = MIN (low, result->points[i].accuracy.value);
  ls_axis_init (&y, floor (low / 10) * 10, 100, bottom, top, FALSE, 4);
  for (guint i = 0; i < y.n_ticks; i++)
    {
      const double at = ls_axis_at (&y, y.ticks[i]);
      g_autofree char *number = ls_number_tick (y.ticks[i]), *text = g_strdup_printf ("%s %%", number);
      ls_scene_segment (s, left, at, right, at, LS_INK_HAIRLINE, p->layout->style.hairline);
      ls_scene_text (s, left - m->unit, at + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, text);
    }
  const double step = (right - left - 4 * m->unit) / MAX (result->n_points - 1, 1),
               first = left + 2 * m->unit, floats = ls_axis_at (&y, result->accuracy.value);
  ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_TEXT, 0, 1.5);
  ls_scene_point (s, left, floats);
  ls_scene_point (s, right, floats);
  ls_scene_path (s, LS_ITEM_LINE, LS_INK_TEXT, 0, 2)->evidence = LS_EVIDENCE_MEASURED;
  for (guint i = 0; i < result->n_points; i++)
    ls_scene_point (s, first + i * step, ls_axis_at (&y, result->points[i].accuracy.value));
  LsItem *dots = ls_scene_path (s, LS_ITEM_DOTS, LS_INK_TEXT, 0, 7);
  dots->evidence = LS_EVIDENCE_MEASURED;
  for (guint i = 0; i < result->n_points; i++)
    ls_scene_point (s, first + i * step, ls_axis_at (&y, result->points[i].accuracy.value));
  for (guint i = 0; i < result->n_points; i++)
    {
      g_autofree char *at = ls_number_count (result->points[i].at);
      const double x = first + i * step, half = ls_scene_width (s, m->tick, at) / 2;
      if (x - half < free_from)
        continue;
      ls_scene_text (s, x, area.y + area.h - m->tick.px * .2, m->tick, LS_INK_QUIET, LS_CENTER, at);
      free_from = x + half + 2 * m->unit;
    }
}

/* What is being done, and how far it is. */
static double
progress (const LsMachines *p, LsArea area)
{
  const LsViewLab *lab = &p->layout->data->measuring;
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double done = lab->n > 0 ? (double) lab->done / lab->n : 0, y = area.y + m->label.px * 1.5;
  const char *const words[]
    = { *lab->converting != '\0' ? lab->converting : _("waiting for the lanes to rest"), NULL };

  if (area.h < m->label.px * 2)
    return 0;
  ls_text_fit (s, area.x, area.y + m->label.px, area.w, m->label, LS_INK_TEXT, LS_LEFT, words);
  ls_scene_box (s, area.x, y, area.w, 4, LS_INK_TRACK, 0)->size = 2;
  ls_scene_box (s, area.x, y, area.w * CLAMP (done, 0, 1), 4, LS_INK_TEXT, 0)->size = 2;
  return m->label.px * 2.2;
}

/* The button that converts, or stops it. */
static double
button (const LsMachines *p, LsArea area)
{
  LsLayout *layout = p->layout;
  const LsMetrics *m = &layout->m;
  const gboolean runs = ls_view_lab_works (&layout->data->measuring);

  if (!layout->data->live || m->control_h <= 0 || area.h < m->control_h)
    return 0;
  ls_stage_slot (layout, LS_SLOT_LAB, -1, 0, area.x, area.y, MIN (area.w, 12 * m->label.px), m->control_h);
  g_array_index (layout->slots, LsSlot, layout->slots->len - 1).words = runs ? _("Stop")
                                                                             : _("Convert and Test");
  return m->control_h + 2 * m->unit;
}

/* Before there is a result: what the button does, and what will be seen. Returns the height. */
static double
teach (const LsMachines *p, guint i, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  const gboolean spikes = ls_machines_kind (p->rows[i].machine) == LS_CONVERTED_SPIKING;
  const char *const words[] = {
    spikes
      ? _("Not tried for this network yet. Converting trains a network of these settings anew, apart from "
           "the lanes, and makes of every relu a layer of neurons: each adds up what it is sent, and sends a "
           "spike at 1. Then it is seen after how many time steps they answer right as often as floats, and "
           "how many spikes that takes; the picture shows who spikes when.")
      : _("Not tried for this network yet. Converting trains a network of these settings anew, apart from "
           "the lanes, and rounds its weights and all between its layers to whole numbers. Then it is seen "
           "how often these answer right, beside floats."),
    _("Not tried for this network yet: converting trains one anew, apart from the lanes."),
    _("Not tried for this network yet."),
  };

  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (ls_text_wrapped (p->layout->still, 0, 0, area.w, m->label, LS_INK_QUIET, words[k], FALSE) < area.h)
      return ls_text_wrapped (p->layout->still, area.x, area.y, area.w, m->label, LS_INK_QUIET, words[k],
                              TRUE)
             + 3 * m->unit - area.y;
  return 0;
}

/* The least and the greatest of all layers' weights' scales, measured with 8 bits; NULL: there are none.
 * (transfer full) */
static char *
scales_words (const LsConverted *result)
{
  double low = (double) INFINITY, high = 0;

  for (guint i = 0; i < result->n_scales; i++)
    if (result->scales[i].high > 0)
      {
        low = MIN (low, result->scales[i].low);
        high = MAX (high, result->scales[i].high);
      }
  if (!(high > 0))
    return NULL;
  g_autofree char *least = ls_number_text (low, 2), *most = ls_number_text (high, 2);
  return g_strdup_printf (_("With %d bits the weights of an output are whole numbers times %s to %s."),
                          LS_INT8_BITS, least, most);
}

/* What the curve is of, and of which network. (transfer full) */
static char *
curve_words (const LsConverted *result)
{
  const gboolean spikes = result->kind == LS_CONVERTED_SPIKING;
  g_autofree char *trained = ls_number_count (result->trained),
                  *samples = ls_number_count (result->n_samples);

  if (result->weights != NULL)
    return g_strdup_printf (spikes ? _("right by time steps, dashed: as floats; %s samples, weights of %s")
                                   : _("right by bits, dashed: as floats; %s samples, weights of %s"),
                            samples, result->weights);
  return g_strdup_printf (
    spikes ? ngettext ("right by time steps, dashed: as floats; %s samples; a network trained anew for this, "
                       "apart from the lanes, for %s step",
                       "right by time steps, dashed: as floats; %s samples; a network trained anew for this, "
                       "apart from the lanes, for %s steps",
                       (gulong) result->trained)
           : ngettext ("right by bits, dashed: as floats; %s samples; a network trained anew for this, apart "
                       "from the lanes, for %s step",
                       "right by bits, dashed: as floats; %s samples; a network trained anew for this, apart "
                       "from the lanes, for %s steps",
                       (gulong) result->trained),
    samples, trained);
}

/* The same, and with which scales. (transfer full) */
static char *
how_words (const LsConverted *result)
{
  g_autofree char *curve = curve_words (result), *scales = scales_words (result);

  return scales != NULL ? g_strdup_printf ("%s. %s", curve, scales) : g_steal_pointer (&curve);
}

double
ls_machines_converted (LsMachines *p, guint i, LsArea area)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const LsConverted *result = ls_machines_result (p, i);
  const double top = area.y;
  g_autofree char *how = NULL;

  if (ls_machines_kind (p->rows[i].machine) == LS_CONVERTED_N)
    return 0;
  ls_area_below (&area, button (p, area));
  if (p->layout->data->measuring.converting != NULL)
    ls_area_below (&area, progress (p, area));
  if (result == NULL)
    return area.y - top + (p->layout->data->measuring.converting == NULL ? teach (p, i, area) : 0);
  how = how_words (result);
  const double words = ls_text_wrapped (s, 0, 0, area.w - m->evidence - 6, m->label, LS_INK_TEXT, how, FALSE)
                       + 2 * m->unit,
               height = 8 * m->label.px;
  if (area.h < words + height)
    return area.y - top;
  ls_stage_change (p->layout, area.x, area.y, area.w, how, NULL);
  ls_area_below (&area, words);
  plot (p, result, (LsArea){ area.x, area.y, area.w, height });
  return area.y + height + 3 * m->unit - top;
}
