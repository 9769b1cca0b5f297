/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * safetensors files, and as such weights of a small network. What is accepted is written and read again.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "files/safetensors.h"
#include "files/weights.h"
#include "recording_mutator.h"

static const LsSafetensorsLimits limits = { .header_bytes = 1 << 20, .tensors = 512, .file_bytes = 1 << 24 };

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return recording_mutator (data, size, max, seed);
}

/* All values, by tensor. (transfer full) */
static GPtrArray *
read_all (const LsSafetensors *file)
{
  GPtrArray *values = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < file->n_tensors; i++)
    {
      const LsStTensor *tensor = &file->tensors[i];
      gpointer buffer = g_malloc ((gsize) tensor->bytes + 1);
      g_autoptr (GError) error = NULL;

      g_ptr_array_add (values, buffer);
      fuzz_check (ls_safetensors_find (file, tensor->name) == tensor, "tensor %s isn't found", tensor->name);
      fuzz_check (ls_safetensors_read (file, tensor, buffer, &error), "%s isn't read: %s", tensor->name,
                  error->message);
    }
  return values;
}

static void
write_all (const LsSafetensors *file, const GPtrArray *values)
{
  g_autoptr (LsSafetensorsWriter) writer = ls_safetensors_writer_new ();
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  gpointer key, text;

  g_hash_table_iter_init (&iter, file->metadata);
  while (g_hash_table_iter_next (&iter, &key, &text))
    ls_safetensors_writer_set (writer, key, text);
  for (guint i = 0; i < file->n_tensors; i++)
    {
      const LsStTensor *t = &file->tensors[i];

      ls_safetensors_writer_add (writer, t->name, t->dtype, t->rank, t->shape, values->pdata[i]);
    }
  fuzz_check (ls_safetensors_writer_save (writer, fuzz_place (), &limits, &error), "not saved: %s",
              error->message);
}

static void
check_again (const LsSafetensors *file, const GPtrArray *values)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) again = ls_safetensors_open (fuzz_place (), &limits, &error);
  g_autoptr (GPtrArray) read = NULL;
  GHashTableIter iter;
  gpointer key, text;

  fuzz_check (again != NULL, "what was saved isn't read: %s", error->message);
  fuzz_check (again->n_tensors == file->n_tensors, "%u tensors of %u", again->n_tensors, file->n_tensors);
  fuzz_check (g_hash_table_size (again->metadata) == g_hash_table_size (file->metadata),
              "other metadata than were saved");
  g_hash_table_iter_init (&iter, file->metadata);
  while (g_hash_table_iter_next (&iter, &key, &text))
    fuzz_check_same (key, text, g_hash_table_lookup (again->metadata, key));
  read = read_all (again);
  for (guint i = 0; i < file->n_tensors; i++)
    {
      const LsStTensor *t = &file->tensors[i], *u = ls_safetensors_find (again, t->name);

      fuzz_check (u != NULL && u->dtype == t->dtype && u->rank == t->rank && u->bytes == t->bytes
                    && memcmp (u->shape, t->shape, t->rank * sizeof *t->shape) == 0
                    && memcmp (read->pdata[u - again->tensors], values->pdata[i], (gsize) t->bytes) == 0,
                  "tensor %s came back as another", t->name);
    }
}

/* The network whose weights the seeds hold. */
static const LsPlan *
small_plan (void)
{
  static LsPlan *plan;

  if (plan == NULL)
    {
      g_autoptr (LsModel) model = ls_model_parse ("conv 2 2, relu, maxpool 2, flatten, dense 2", NULL);
      plan = ls_plan_new (model, (const gint64[]){ 1, 4, 5 }, 2, 2, LS_OPTIMIZER_SGD, NULL);
    }
  return plan;
}

static void
check_weights (const char *path)
{
  const LsPlan *plan = small_plan ();
  g_autoptr (GError) error = NULL;
  float **values = ls_weights_load (path, plan, &error), **again;

  fuzz_check_answer (values != NULL, error);
  if (values == NULL)
    return;
  fuzz_check (ls_weights_save (fuzz_place (), plan, (const float *const *) values, LS_PRECISION_FP32, &error),
              "not saved: %s", error->message);
  again = ls_weights_load (fuzz_place (), plan, &error);
  fuzz_check (again != NULL, "weights that were saved aren't read: %s", error->message);
  for (guint i = 0; i < plan->n_params; i++)
    {
      const gint64 n = ls_tensor_count (&plan->tensors[plan->params[i].weight]);

      for (gint64 k = 0; k < n; k++)
        fuzz_check (isfinite (values[i][k]), "weight %ld of parameter %u isn't finite", (long) k, i);
      fuzz_check (memcmp (values[i], again[i], (gsize) n * sizeof (float)) == 0, "parameter %u is another",
                  i);
    }
  ls_weights_free (values);
  ls_weights_free (again);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *path = fuzz_file (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) file = ls_safetensors_open (path, &limits, &error);

  fuzz_check_answer (file != NULL, error);
  if (file != NULL)
    {
      g_autoptr (GPtrArray) values = read_all (file);

      write_all (file, values);
      check_again (file, values);
    }
  check_weights (path);
  return 0;
}
