/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording in other programs' formats: Chrome's trace JSON, which https://ui.perfetto.dev opens, and CSV.
 */
#pragma once

#include "files/recording.h"

G_BEGIN_DECLS

/* One process per lane, a thread per worker, queue and unit; times in µs since recording->start_ns. (transfer
 * full) */
GString *ls_export_perfetto (const LsRecording *recording);
/* One row per event, with a header; what is absent is an empty cell. (transfer full) */
GString *ls_export_csv (const LsRecording *recording);

G_END_DECLS
