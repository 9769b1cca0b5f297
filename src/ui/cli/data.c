/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep data`: what is found at a path, or under a name, without training: kind, shape, classes, how it
 * is split, what was left out, and what it would be trained with.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "data/defaults.h"
#include "data/prepare.h"
#include "ui/cli/command.h"
#include "ui/cli/progress.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define MAX_PRINTED 20 /* classes; JSON has them all */

static const LsCommandOption own[] = {
  { "json", N_("FILE"), N_("Write what was found as JSON"), TRUE },
  { NULL },
};

/* Samples of each class. */
typedef struct {
  gint64 *train, *test;
} Counts;

static void
counts_clear (Counts *counts)
{
  g_free (counts->train);
  g_free (counts->test);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Counts, counts_clear)

static void
print_shape (const LsData *data)
{
  const gint64 *shape = data->train.shape;
  const char *type = data->train.type == LS_SAMPLE_U8 ? _("bytes") : _("32-bit floats");

  if (shape[1] == 1 && shape[2] == 1)
    ls_terminal_print (
      ngettext ("Each sample: %lld value, as %s\n", "Each sample: %lld values, as %s\n", (gulong) shape[0]),
      (long long) shape[0], type);
  else
    ls_terminal_print (_("Each sample: %lld×%lld×%lld values (channels, height, width), as %s\n"),
                       (long long) shape[0], (long long) shape[1], (long long) shape[2], type);
}

static void
print_split (const LsData *data, const LsOptions *options)
{
  ls_terminal_print (_("Samples: %lld to train, %lld to test\n"), (long long) data->train.n,
                     (long long) data->test.n);
  if (data->split)
    ls_terminal_print (
      _("Split: there is no test set, so %g of each class is kept for testing, by seed %lld "
         "(--test-share, --seed)\n"),
      options->test_share, (long long) options->seed);
  else
    ls_terminal_print (_("Split: the test set is the data’s own\n"));
}

static void
print_classes (const LsData *data, const Counts *counts)
{
  g_autoptr (LsTable) table = ls_table_new ("lrr");

  ls_table_add (table, "%s", _("Class"));
  ls_table_add (table, "%s", _("to train"));
  ls_table_add (table, "%s", _("to test"));
  for (gint c = 0; c < MIN (data->n_classes, MAX_PRINTED); c++)
    {
      g_autofree char *name = ls_data_class_name (data, c);

      ls_table_add (table, "%s", name);
      ls_table_add (table, "%lld", (long long) counts->train[c]);
      ls_table_add (table, "%lld", (long long) counts->test[c]);
    }
  ls_terminal_print ("\n");
  ls_table_print (table);
  if (data->n_classes > MAX_PRINTED)
    ls_terminal_print (ngettext ("… and %d more class (--json has them all)\n",
                                 "… and %d more classes (--json has them all)\n",
                                 (gulong) (data->n_classes - MAX_PRINTED)),
                       data->n_classes - MAX_PRINTED);
}

static void
print (const LsData *data, const LsOptions *options, const Counts *counts)
{
  ls_terminal_print (_("Data %s: %s\n"), data->name, _(data->format));
  print_shape (data);
  print_split (data, options);
  print_classes (data, counts);
  if (data->notes != NULL)
    ls_terminal_print ("\n");
  for (guint i = 0; data->notes != NULL && i < data->notes->len; i++)
    ls_terminal_print ("(!) %s\n", (const char *) g_ptr_array_index (data->notes, i));
  ls_terminal_print (_("\nWhat suits it: --model \"%s\" --batch %lld --lr %g\n"), options->model,
                     (long long) options->batch, options->lr);
}

static gboolean
save_json (const LsData *data, const LsOptions *options, const Counts *counts, const char *path,
           GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-data", 1);
  json_t *list;

  ls_json_options (json, options);
  ls_json_text (json, "name", data->name);
  ls_json_text (json, "kind", data->format);
  ls_json_text (json, "values", data->train.type == LS_SAMPLE_U8 ? "U8" : "F32");
  list = ls_json_array (json, "shape");
  for (guint i = 0; i < 3; i++)
    ls_json_whole (list, NULL, data->train.shape[i]);
  ls_json_whole (json, "train", data->train.n);
  ls_json_whole (json, "test", data->test.n);
  ls_json_bool (json, "split", data->split);
  list = ls_json_array (json, "classes");
  for (gint c = 0; c < data->n_classes; c++)
    {
      g_autofree char *name = ls_data_class_name (data, c);
      json_t *class = ls_json_object (list, NULL);

      ls_json_text (class, "name", name);
      ls_json_whole (class, "train", counts->train[c]);
      ls_json_whole (class, "test", counts->test[c]);
    }
  list = ls_json_array (json, "warnings");
  for (guint i = 0; data->notes != NULL && i < data->notes->len; i++)
    ls_json_text (list, NULL, g_ptr_array_index (data->notes, i));
  return ls_json_save (json, path, error);
}

static LsExit
run (const LsArguments *arguments, GError **error)
{
  LsOptions *options = arguments->options;
  const char *json = ls_arguments_get (arguments, "json");
  g_autoptr (LsData) data = NULL;
  g_auto (Counts) counts = { 0 };
  LsDataRequest request;

  if (!ls_options_set (options, ls_options_find ("data"), arguments->words[0], error))
    return LS_EXIT_USAGE;
  request = ls_data_request (options);
  ls_progress_of_reading (&request);
  if ((data = ls_data_load_request (&request, error)) == NULL)
    return LS_EXIT_FAILED;
  ls_data_suggest (options, data->n_classes, data->train.n);
  counts.train = g_new (gint64, (gsize) data->n_classes);
  counts.test = g_new (gint64, (gsize) data->n_classes);
  ls_data_count_classes (&data->train, data->n_classes, counts.train);
  ls_data_count_classes (&data->test, data->n_classes, counts.test);
  print (data, options, &counts);
  return json == NULL || save_json (data, options, &counts, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

/* as the text below says */
G_STATIC_ASSERT (LS_DATA_MAX_BYTES == G_GINT64_CONSTANT (2) << 30 && LS_DATA_MAX_SAMPLES == 16777216
                 && LS_DATA_MAX_CLASSES == 65535 && LS_DATA_MAX_COLUMNS == 65536
                 && LS_DATA_MAX_CATEGORIES == 256 && LS_DATA_MAX_PIXELS == 33554432
                 && LS_DATA_MAX_MEMORY == 256 << 20 && LS_DATA_MAX_CACHE == G_GINT64_CONSTANT (16) << 30
                 && LS_DATA_MAX_CACHES == G_GINT64_CONSTANT (32) << 30);

const LsCommand ls_command_data = {
  .name = "data",
  .title = N_("Say what a file or folder of data holds, without training"),
  .about = N_(
    "DATA is a table (CSV or TSV), NumPy arrays (.npz, or .npy in a folder), a folder with a folder of "
    "images (PNG, JPEG, BMP) for each class, CIFAR’s binary batches, a folder with four IDX files, or a "
    "name that --data takes.\n"
    "At most 2 GiB of samples in each of the two sets, 16777216 samples, 65535 classes, 65536 columns and "
    "256 different texts in "
    "a column are read, and images of at most 33554432 pixels. Images of more than 256 MiB in all are read "
    "while training from a cache file, of 16 GiB at most; of such files the ones used longest ago are "
    "removed "
    "where they are more than 32 GiB."),
  .word = N_("DATA"),
  .groups = LS_OPTION_GROUP_DATA,
  .own = own,
  .run = run,
};
