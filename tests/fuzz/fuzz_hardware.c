/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalogue's file: of what is accepted every figure has a source and a value that can be, and every
 * device is found by its name.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "json_mutator.h"
#include "machines/hardware.h"

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return json_mutator (data, size, max, seed);
}

static void
check_figure (const LsHardware *device, const LsHardwareFigure *figure)
{
  const LsHardwareFigure *found = ls_hardware_get (device, figure->kind, figure->numbers, figure->means);

  fuzz_check (figure->source != NULL && g_ascii_strncasecmp (figure->source->address, "https://", 8) == 0,
              "a figure of “%s” has no source", device->name);
  fuzz_check_words ("its title", figure->source->title);
  fuzz_check_words ("its quote", figure->quote);
  fuzz_check (strlen (figure->source->seen) == 10, "it was seen on “%s”", figure->source->seen);
  fuzz_check (isfinite (figure->figure.value) && figure->figure.value > 0 && figure->figure.n == 1,
              "a figure of “%s” is %g %s", device->name, figure->figure.value, figure->figure.unit);
  fuzz_check (found != NULL && found->kind == figure->kind && (found->means & figure->means) == figure->means,
              "a figure of “%s” isn't found", device->name);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (fuzz_file (data, size), &error);

  fuzz_check_answer (catalogue != NULL, error);
  for (guint i = 0; catalogue != NULL && i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      const LsHardwareHere here = { device->name, 1, 1 };
      g_autoptr (GPtrArray) found = ls_catalogue_search (catalogue, device->name);

      fuzz_check_words ("a device's name", device->name);
      fuzz_check (g_ptr_array_find (found, device, NULL) || found->len == 1, "“%s” isn't found",
                  device->name);
      for (guint k = 0; k < device->n_figures; k++)
        check_figure (device, &device->figures[k]);
      for (guint k = 0; k < LS_NUMBERS_N; k++)
        {
          const LsFigure peak = ls_hardware_peak (device, (LsNumbers) k);
          fuzz_check (peak.n == 0 || isfinite (peak.value), "the peak of “%s” is %g", device->name,
                      peak.value);
        }
      ls_catalogue_recognise (catalogue, &here);
    }
  return 0;
}
