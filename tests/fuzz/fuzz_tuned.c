/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's file: what is accepted is saved and read again, and each entry is found.
 */
#include "fuzz.h"

#include "backends/opencl/kernels/tuned.h"
#include "json_mutator.h"

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return json_mutator (data, size, max, seed);
}

/* (transfer full) */
static char *
save (const LsTuned *tuned)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  fuzz_check (ls_tuned_save (tuned, fuzz_place (), &error), "not saved: %s", error->message);
  fuzz_check (g_file_get_contents (fuzz_place (), &text, NULL, NULL), "nothing was saved");
  return text;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuned) tuned = ls_tuned_load (fuzz_file (data, size), &error), again = NULL;
  g_autofree char *saved = NULL, *saved_again = NULL;

  fuzz_check_answer (tuned != NULL, error);
  if (tuned == NULL)
    return 0;
  for (guint i = 0; i < tuned->entries->len; i++)
    {
      const LsTunedEntry *found = ls_tuned_find (tuned, tuned->entries->pdata[i]);

      fuzz_check (found != NULL, "entry %u isn't found", i);
      fuzz_check_same ("the entry's op", ((const LsTunedEntry *) tuned->entries->pdata[i])->op, found->op);
    }
  saved = save (tuned);
  {
    g_autoptr (json_t) written = json_loads (saved, 0, NULL),
                       read = json_loadb ((const char *) data, size, 0, NULL);
    const char *other = json_other (written, read, NULL);

    fuzz_check (other == NULL, "“%s” was written otherwise than it was read", other);
  }
  again = ls_tuned_load (fuzz_place (), &error);
  fuzz_check (again != NULL, "what was saved isn't read: %s", error != NULL ? error->message : "");
  saved_again = save (again);
  fuzz_check_same ("the file", saved, saved_again);
  return 0;
}
