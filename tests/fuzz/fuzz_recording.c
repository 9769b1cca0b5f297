/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings: what is accepted is exported, saved and read again.
 */
#include "fuzz.h"

#include <string.h>

#include "files/export.h"
#include "files/json.h"
#include "files/safetensors.h"
#include "recording_mutator.h"

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return recording_mutator (data, size, max, seed);
}

/* RFC 4180: every line has as many cells as the first. */
static void
check_csv (const char *csv, gsize n_events)
{
  guint cells = 1, expected = 0;
  gsize lines = 0;
  gboolean quoted = FALSE;

  fuzz_check (g_utf8_validate (csv, -1, NULL), "the CSV isn't UTF-8");
  for (const char *c = csv; *c != '\0'; c++)
    if (*c == '"')
      quoted = !quoted;
    else if (!quoted && *c == ',')
      cells++;
    else if (!quoted && *c == '\n')
      {
        fuzz_check (c > csv && c[-1] == '\r', "a line of the CSV ends without CR");
        expected = lines == 0 ? cells : expected;
        fuzz_check (cells == expected, "line %zu of the CSV has %u cells, not %u", lines + 1, cells,
                    expected);
        cells = 1;
        lines++;
      }
  fuzz_check (!quoted && cells == 1, "the CSV ends within a line");
  fuzz_check (lines == n_events + 1, "%zu lines for %zu events", lines, n_events);
}

static void
check_exports (const LsRecording *recording)
{
  g_autoptr (GString) csv = ls_export_csv (recording), trace = ls_export_perfetto (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) json = NULL;
  gsize n = 0;

  for (guint i = 0; i < recording->n_lanes; i++)
    n += recording->lanes[i].events->len;
  fuzz_check (csv->len == strlen (csv->str), "a NUL in the CSV");
  check_csv (csv->str, n);
  json = ls_json_parse (trace->str, trace->len, G_MAXUINT32, JSON_OBJECT, &error);
  fuzz_check (json != NULL, "the trace is no JSON: %s", error->message);
  fuzz_check (json_is_array (json_object_get (json, "traceEvents")), "the trace has no events");
}

/* (transfer full) */
static GBytes *
save (const LsRecording *recording)
{
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;
  gsize n = 0;

  fuzz_check (ls_recording_save (recording, fuzz_place (), &error), "not saved: %s", error->message);
  fuzz_check (g_file_get_contents (fuzz_place (), &bytes, &n, NULL), "nothing was saved");
  return g_bytes_new_take (bytes, n);
}

/* Events and values were written as they stood in the file that was read. */
static void
check_columns (const LsSafetensors *written, const LsSafetensors *read)
{
  for (guint i = 0; i < written->n_tensors; i++)
    {
      const LsStTensor *tensor = &written->tensors[i], *from = ls_safetensors_find (read, tensor->name);
      g_autofree guint8 *bytes = g_malloc ((gsize) tensor->bytes + 1),
                        *had = g_malloc ((gsize) tensor->bytes + 1);

      /* A step's time is kept in µs, as a float. */
      if (g_str_has_suffix (tensor->name, ".step_ns"))
        continue;
      fuzz_check (from != NULL && from->bytes == tensor->bytes && from->dtype == tensor->dtype,
                  "tensor %s was written, and not read", tensor->name);
      fuzz_check (ls_safetensors_read (written, tensor, bytes, NULL)
                    && ls_safetensors_read (read, from, had, NULL),
                  "tensor %s can't be read", tensor->name);
      fuzz_check (memcmp (bytes, had, (gsize) tensor->bytes) == 0,
                  "tensor %s was written otherwise than it was read", tensor->name);
    }
}

/* Nothing is lost on the way through a file; path: where it was read from. */
static void
check_again (const LsRecording *recording, const char *path)
{
  static const LsSafetensorsLimits limits
    = { .header_bytes = 1 << 24, .tensors = 1 << 16, .file_bytes = 1 << 24 };
  g_autoptr (GBytes) saved = save (recording), saved_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) again = ls_recording_load (fuzz_place (), &error);
  g_autoptr (GString) csv = ls_export_csv (recording), csv_again = NULL;
  g_autoptr (LsSafetensors) written = ls_safetensors_open (fuzz_place (), &limits, NULL),
                            read = ls_safetensors_open (path, &limits, NULL);

  fuzz_check (again != NULL, "what was saved isn't read: %s", error->message);
  check_columns (written, read);
  csv_again = ls_export_csv (again);
  fuzz_check_same ("its events", csv->str, csv_again->str);
  fuzz_check (ls_recording_bytes (again) == ls_recording_bytes (recording),
              "%zu bytes in memory came back as %zu", ls_recording_bytes (recording),
              ls_recording_bytes (again));
  saved_again = save (again);
  fuzz_check (g_bytes_equal (saved, saved_again), "the file of what was read is another");
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *path = fuzz_file (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) recording = ls_recording_load (path, &error), lighter = NULL;

  fuzz_check_answer (recording != NULL, error);
  if (recording == NULL)
    return 0;
  fuzz_check (recording->n_lanes >= 1 && recording->n_ops >= 1, "a recording of nothing");
  check_exports (recording);
  check_again (recording, path);
  lighter = ls_recording_without_tensors (recording);
  fuzz_check (ls_recording_bytes (lighter) <= ls_recording_bytes (recording), "it is larger without tensors");
  fuzz_check (ls_recording_shares_step (lighter, recording), "it is another step without tensors");
  return 0;
}
