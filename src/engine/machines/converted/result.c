/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result, what follows from its figures, and its CSV.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/rc_box.h"
#include "files/text.h"
#include "lab/machine.h"
#include "machines/converted/converted.h"

#define ROUNDING 1e-9 /* of a difference of percentages, which are whole numbers of samples */

static const struct {
  const char *name, *title;
} kinds[LS_CONVERTED_N] = {
  [LS_CONVERTED_INT8] = { "int8", N_("A machine for whole numbers") },
  [LS_CONVERTED_SPIKING] = { "spiking", N_("A machine of spiking neurons") },
};

/* Table 2 there is of simulations "consistent with early post-silicon characterization"; the paper itself
 * couldn't be opened where this was written: its words were read in others' transcripts of the table. */
const LsHardwareSource ls_converted_event_source = {
  .id = (char *) "davies-2018",
  .title
  = (char
       *) "Davies et al., Loihi: A Neuromorphic Manycore Processor with On-Chip Learning, IEEE Micro 38(1), "
          "2018, table 2",
  .address = (char *) "https://doi.org/10.1109/MM.2018.112130359",
  .seen = (char *) "2026-11-24",
  .published = (char *) "2018-01",
};
const char ls_converted_event_quote[] = "Energy per synaptic spike op (min) 23.6 pJ";

const char *
ls_converted_name (LsConvertedKind kind)
{
  return kinds[kind].name;
}

const char *
ls_converted_title (LsConvertedKind kind)
{
  return kinds[kind].title;
}

LsConvertedKind
ls_converted_find (const char *name)
{
  guint i = 0;

  while (i < LS_CONVERTED_N && strcmp (kinds[i].name, name) != 0)
    i++;
  return (LsConvertedKind) i;
}

static void
clear (gpointer data)
{
  LsConverted *result = data;

  g_free (result->model);
  g_free (result->data);
  g_free (result->key);
  g_free (result->weights);
  g_free (result->machine);
  g_free (result->machine_key);
  g_free (result->date);
  g_free (result->program);
  g_free (result->scales);
}

LS_RC_BOX (LsConverted, ls_converted, clear)

LsConverted *
ls_converted_new (LsConvertedKind kind)
{
  LsConverted *result = g_atomic_rc_box_new0 (LsConverted);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  result->kind = kind;
  result->machine = ls_machine_text ();
  result->machine_key = ls_machine_key ();
  result->date = g_date_time_format (now, "%Y-%m-%d");
  result->program = g_strdup ("Lockstep " LS_VERSION);
  return result;
}

LsFigure
ls_converted_figure (double value, guint n, const char *unit, LsEvidence evidence)
{
  return (LsFigure){ .value = value, .unit = unit, .evidence = evidence, .n = n, .q1 = value, .q3 = value };
}

void
ls_converted_set_spikes (const LsConverted *result, LsConvertedPoint *point, double spikes, double events)
{
  const guint n = result->n_samples;
  const double places = (double) result->n_spiking * point->at;

  point->spikes = ls_converted_figure (spikes, n, "spikes", LS_EVIDENCE_MEASURED);
  point->events = ls_converted_figure (events, n, "events", LS_EVIDENCE_MEASURED);
  point->rate = ls_converted_figure (places > 0 ? spikes / places : 0, n, "", LS_EVIDENCE_DERIVED);
  point->energy = ls_converted_figure (events * LS_CONVERTED_EVENT_J, n, "J", LS_EVIDENCE_MODELLED);
}

const LsConvertedPoint *
ls_converted_within (const LsConverted *result, double points)
{
  const gboolean falling = result->kind == LS_CONVERTED_INT8;
  const LsConvertedPoint *least = NULL;

  for (guint i = 0; i < result->n_points; i++)
    {
      const LsConvertedPoint *point = &result->points[falling ? i : result->n_points - 1 - i];

      if (result->accuracy.value - point->accuracy.value > points + ROUNDING)
        break;
      least = point;
    }
  return least;
}

static void
put_number (GString *csv, double value)
{
  g_string_append_c (csv, ',');
  ls_text_append_double (csv, value);
}

char *
ls_converted_csv (const LsConverted *result)
{
  GString *csv = g_string_new (
    "machine,network,data,trained,at,unit,accuracy,same,fp32,samples,spikes,events,energy_J\n");

  for (guint i = 0; i < result->n_points; i++)
    {
      const LsConvertedPoint *point = &result->points[i];

      g_string_append_printf (csv, "%s,", ls_converted_name (result->kind));
      ls_text_append_csv (csv, result->model);
      g_string_append_c (csv, ',');
      ls_text_append_csv (csv, result->data);
      g_string_append_printf (csv, ",%llu,%u,%s", (unsigned long long) result->trained, point->at,
                              result->kind == LS_CONVERTED_INT8 ? "bits" : "steps");
      put_number (csv, point->accuracy.value);
      put_number (csv, point->same.value);
      put_number (csv, result->accuracy.value);
      g_string_append_printf (csv, ",%u", result->n_samples);
      if (point->spikes.n == 0)
        g_string_append (csv, ",,,");
      else
        {
          put_number (csv, point->spikes.value);
          put_number (csv, point->events.value);
          put_number (csv, point->energy.value);
        }
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}
