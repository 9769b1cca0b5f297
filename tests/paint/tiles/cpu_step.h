/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step of the CPU lane with its values: two workers, one kernel for all products.
 */
#pragma once

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
