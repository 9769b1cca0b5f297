/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step of the CPU lane with its values: two workers, one kernel for all products. Sizes that its
 * picture says.
 */
#pragma once

#include <string.h>

#include "tests/paint/fixture.h"

/* (transfer full) */
static inline LsViewData *
make_data (const char *model, guint batch, const char *kernel)
{
  const LsFixture f = { LS_CORES (2), .model = model, .batch = batch, .tiles = 8,
                        .groups = 32, .on_cpu = TRUE, .steps = 40,    .cpu_kernel = kernel };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);

  ls_fixture_add_values (recording);
  return ls_view_data_from_recording (recording, NULL);
}

/* Bytes of "12.5 KiB", and half of its last digit's unit. */
static inline double
bytes_of (const char *text, double *slack)
{
  static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
  const char *unit = NULL, *point = strchr (text, '.');
  char *end;
  const double number = g_ascii_strtod (text, &end);
  double by = 1;

  for (guint i = 0; i < G_N_ELEMENTS (units) && unit == NULL; i++, by *= unit == NULL ? 1024 : 1)
    unit = g_str_has_prefix (end + strlen ("\u00a0"), units[i]) || g_str_has_prefix (end + 1, units[i])
             ? units[i]
             : NULL;
  if (unit == NULL)
    g_error ("“%s” is no size", text);
  *slack = point != NULL && point < end ? by * .0501 : by == 1 ? 0 : by * .51;
  return number * by;
}
