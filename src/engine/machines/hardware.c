/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a device in the catalogue, and a figure of it.
 */
#include "config.h"
#include "machines/hardware.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "machines/tables.h"

LsCatalogue *
ls_catalogue_ref (LsCatalogue *catalogue)
{
  g_atomic_int_inc (&catalogue->ref_count);
  return catalogue;
}

void
ls_catalogue_unref (LsCatalogue *catalogue)
{
  if (!g_atomic_int_dec_and_test (&catalogue->ref_count))
    return;
  g_ptr_array_unref (catalogue->devices);
  g_ptr_array_unref (catalogue->sources);
  g_free (catalogue);
}

/* ---- finding a device ---- */

/* In lower case and without spaces, so that "RTX 3060" and "rtx3060" are alike. (transfer full) */
static char *
folded (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1), *lower = g_utf8_casefold (valid, -1);
  GString *out = g_string_new (NULL);

  for (const char *c = lower; *c != '\0'; c = g_utf8_next_char (c))
    if (!g_unichar_isspace (g_utf8_get_char (c)))
      g_string_append_unichar (out, g_utf8_get_char (c));
  return g_string_free (out, FALSE);
}

static gboolean
has_words (const char *name, char **words)
{
  guint n = 0;

  for (char **word = words; *word != NULL; word++)
    {
      g_autofree char *part = folded (*word);

      if (strstr (name, part) == NULL)
        return FALSE;
      n += *part != '\0';
    }
  return n > 0;
}

GPtrArray *
ls_catalogue_search (const LsCatalogue *catalogue, const char *words)
{
  GPtrArray *found = g_ptr_array_new ();
  g_autofree char *whole = folded (words);
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);

  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      LsHardware *device = catalogue->devices->pdata[i];
      g_autofree char *name = folded (device->name);

      if (strcmp (name, whole) == 0)
        {
          g_ptr_array_set_size (found, 0);
          g_ptr_array_add (found, device);
          break;
        }
      if (has_words (name, parts))
        g_ptr_array_add (found, device);
    }
  return found;
}

const LsHardware *
ls_catalogue_find (const LsCatalogue *catalogue, const char *words, GError **error)
{
  g_autoptr (GPtrArray) found = ls_catalogue_search (catalogue, words);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *said = ls_printable (g_utf8_make_valid (words, -1));

  if (found->len == 1)
    return found->pdata[0];
  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ((const LsHardware *) found->pdata[i])->name);
  if (found->len == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                 _("There is no device “%s” in the catalogue; “lockstep hardware” lists them."), said);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” may be one of %s; write more of its name."), said,
                 names->str);
  return NULL;
}

static gboolean
is_called (const LsHardware *device, const char *name)
{
  for (char **known = device->known_as; *known != NULL; known++)
    {
      const gsize n = strlen (*known);

      if ((*known)[n - 1] == '*' ? strncmp (name, *known, n - 1) == 0 : strcmp (name, *known) == 0)
        return TRUE;
    }
  return FALSE;
}

/* What is sold under one name isn't always one thing, and a virtual machine has some cores of its host's. */
static gboolean
agrees (const LsHardware *device, const LsHardwareHere *here)
{
  const LsFigure memory = ls_hardware_figure (device, LS_HARDWARE_MEMORY),
                 cores = ls_hardware_figure (device, LS_HARDWARE_CORES);

  if (device->sort == LS_HARDWARE_CPU)
    return cores.n > 0 && (double) here->cores == cores.value;
  return memory.n == 0 || here->memory < 0 || ABS ((double) here->memory - memory.value) <= memory.value / 8;
}

const LsHardware *
ls_catalogue_recognise (const LsCatalogue *catalogue, const LsHardwareHere *here)
{
  const LsHardware *found = NULL;

  for (guint i = 0; here->name != NULL && i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];

      if (!is_called (device, here->name) || !agrees (device, here))
        continue;
      if (found != NULL)
        return NULL;
      found = device;
    }
  return found;
}

/* ---- finding a figure ---- */

const LsHardwareFigure *
ls_hardware_get (const LsHardware *device, LsHardwareKind kind, LsNumbers numbers, guint means)
{
  for (guint i = 0; i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];

      if (figure->kind == kind && figure->numbers == numbers && (figure->means & means) == means
          && (!(figure->means & LS_MEANS_SPARSE) || means & LS_MEANS_SPARSE))
        return figure;
    }
  return NULL;
}

const LsHardwareFigure *
ls_hardware_first (const LsHardware *device, LsHardwareKind kind)
{
  return ls_hardware_get (device, kind, LS_NUMBERS_UNTOLD, 0);
}

LsFigure
ls_hardware_figure (const LsHardware *device, LsHardwareKind kind)
{
  const LsHardwareFigure *figure = ls_hardware_first (device, kind);

  return figure != NULL
           ? figure->figure
           : (LsFigure){ .unit = ls_hardware_kinds[kind].unit, .evidence = LS_EVIDENCE_PUBLISHED };
}

LsFigure
ls_hardware_step_memory (const LsHardware *device)
{
  LsFigure memory = ls_hardware_figure (device, LS_HARDWARE_MEMORY);

  if (device->parts > 1)
    {
      memory.value = memory.q1 = memory.q3 = memory.value / device->parts;
      memory.evidence = LS_EVIDENCE_DERIVED;
    }
  return memory;
}

gboolean
ls_hardware_trains (const LsHardware *device)
{
  return device->sort != LS_HARDWARE_SPIKING && device->sort != LS_HARDWARE_NPU
         && device->sort != LS_HARDWARE_FPGA;
}

static const LsHardwareFigure *
clock_of (const LsHardware *device)
{
  const LsHardwareFigure *base = ls_hardware_get (device, LS_HARDWARE_CLOCK, LS_NUMBERS_UNTOLD,
                                                  LS_MEANS_BASE);

  return base != NULL ? base : ls_hardware_get (device, LS_HARDWARE_CLOCK, LS_NUMBERS_UNTOLD, 0);
}

const LsHardwareFigure *
ls_hardware_peak_figure (const LsHardware *device, LsNumbers numbers)
{
  const LsHardwareFigure *peak = NULL;

  for (guint i = 0; i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];

      if (figure->kind == LS_HARDWARE_COMPUTE && figure->numbers == numbers
          && !(figure->means & LS_MEANS_SPARSE)
          && figure->figure.value > (peak != NULL ? peak->figure.value : 0))
        peak = figure;
    }
  return peak;
}

LsFigure
ls_hardware_peak (const LsHardware *device, LsNumbers numbers)
{
  const LsHardwareFigure *cores = ls_hardware_get (device, LS_HARDWARE_CORES, LS_NUMBERS_UNTOLD, 0),
                         *each = ls_hardware_get (device, LS_HARDWARE_PER_CLOCK, numbers, 0),
                         *clock = clock_of (device);
  const LsHardwareFigure *published = ls_hardware_peak_figure (device, numbers);
  LsFigure peak = { .unit = "FLOP/s", .evidence = LS_EVIDENCE_PUBLISHED };

  if (published != NULL)
    peak = published->figure;
  else if (cores != NULL && each != NULL && clock != NULL)
    {
      peak.value = peak.q1 = peak.q3 = cores->figure.value * each->figure.value * clock->figure.value;
      peak.evidence = LS_EVIDENCE_DERIVED;
      peak.n = 1;
    }
  return peak;
}
