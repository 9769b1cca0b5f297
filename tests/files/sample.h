/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording of two lanes in which every field is used, for the tests of what reads and writes recordings.
 */
#pragma once

#include "files/recording.h"

#define SAMPLE_START G_GUINT64_CONSTANT (9007199254740993) /* not a double */

LsPlan *sample_plan (void);
/* Sealed: a CPU lane, and an OpenCL lane of which one op's groups are known by order only. */
LsRecording *sample_recording (void);
/* start: after SAMPLE_START. */
void sample_event (LsRecordedLane *lane, guint number, LsEventKind kind, LsClock clock, guint16 op,
                   guint32 tile, guint64 start, guint64 length);
void sample_save (const LsRecording *recording, const char *path);
/* That file is no recording: the error has the words in it; NULL: any. */
void sample_refuse (const char *path, const char *words);
