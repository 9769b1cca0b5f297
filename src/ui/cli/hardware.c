/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep hardware`: the catalogue of published figures. Without a name a line for each device; with one
 * all that is published of those that it fits, what it means, and where it was read.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/error.h"
#include "machines/hardware.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "json", N_("FILE"), N_("Write the devices as JSON"), TRUE },
  { NULL },
};

/* ---- a line for each ---- */

/* In that unit, with a star where it isn't published but derived. */
static void
add_number (LsTable *table, const LsFigure *figure, double unit)
{
  g_autofree char *digits = ls_terminal_digits (figure->value / unit, 4);

  if (figure->n == 0)
    ls_table_add (table, "–");
  else
    ls_table_add (table, "%s%s", digits, figure->evidence == LS_EVIDENCE_DERIVED ? "*" : "");
}

/* The higher one of the two kinds of numbers in 16 bits. */
static LsFigure
peak_16 (const LsHardware *device)
{
  const LsFigure fp16 = ls_hardware_peak (device, LS_NUMBERS_FP16),
                 bf16 = ls_hardware_peak (device, LS_NUMBERS_BF16);

  return bf16.value > fp16.value ? bf16 : fp16;
}

static void
print_list (const GPtrArray *devices)
{
  static const struct {
    LsHardwareKind kind;
    double unit;
  } columns[] = {
    { LS_HARDWARE_MEMORY, 1e9 },
    { LS_HARDWARE_BANDWIDTH, 1e9 },
    { LS_HARDWARE_POWER, 1 },
    { LS_HARDWARE_PRICE, 1 },
  };
  g_autoptr (LsTable) table = ls_table_new ("lrrrrrr");

  ls_table_add (table, "%s", _("Device"));
  ls_table_add (table, "%s", _("TFLOP/s fp32"));
  ls_table_add (table, "%s", _("in 16 bits"));
  ls_table_add (table, "GB");
  ls_table_add (table, "GB/s");
  ls_table_add (table, "W");
  ls_table_add (table, "USD");
  for (guint i = 0; i < devices->len; i++)
    {
      const LsHardware *device = devices->pdata[i];
      const LsFigure fp32 = ls_hardware_peak (device, LS_NUMBERS_FP32), half = peak_16 (device);

      ls_table_add (table, "%s", device->name);
      add_number (table, &fp32, 1e12);
      add_number (table, &half, 1e12);
      for (gsize k = 0; k < G_N_ELEMENTS (columns); k++)
        {
          const LsFigure figure = ls_hardware_figure (device, columns[k].kind);
          add_number (table, &figure, columns[k].unit);
        }
    }
  ls_table_print (table);
  ls_terminal_print (
    _("\nPublished, without sparsity; *: derived from cores, clock, and FLOP per core and clock. "
       "–: nobody was seen to publish it.\n“lockstep hardware NAME” says what each means, "
       "and where it was read.\n"));
}

/* ---- all of one ---- */

/* A count's unit is the line's title already. */
static char *
value_text (const LsHardwareFigure *figure)
{
  if (ls_hardware_kind_counts (figure->kind))
    return g_strdup_printf ("%.0f", figure->value);
  return g_strdup_printf (figure->value == floor (figure->value) ? "%.0f %s" : "%.6g %s", figure->value,
                          figure->unit);
}

/* "dense, boost clock; of both its GPUs together" */
static char *
means_text (const LsHardwareFigure *figure)
{
  GString *text = g_string_new (NULL);

  for (guint left = figure->means; left != 0; left &= left - 1)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                            _(ls_means_title ((LsMeans) (left & -left))));
  if (figure->note != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", figure->note);
  return g_string_free (text, FALSE);
}

/* Its number, from 1; sources grows with it. */
static guint
number_of (GPtrArray *sources, const LsHardwareSource *source)
{
  guint at;

  if (!g_ptr_array_find (sources, source, &at))
    {
      at = sources->len;
      g_ptr_array_add (sources, (gpointer) source);
    }
  return at + 1;
}

static void
add_title (LsTable *table, LsHardwareKind kind, LsNumbers numbers)
{
  ls_table_add (table, "   %s%s%s", _(ls_hardware_kind_title (kind)),
                numbers != LS_NUMBERS_UNTOLD ? " " : "", ls_numbers_names[numbers]);
}

/* What nobody published, but is a product of what somebody did. */
static void
add_derived (LsTable *table, const LsHardware *device)
{
  for (guint i = LS_NUMBERS_FP64; i < LS_NUMBERS_N; i++)
    {
      const LsFigure peak = ls_hardware_peak (device, (LsNumbers) i);
      if (peak.n == 0 || peak.evidence != LS_EVIDENCE_DERIVED)
        continue;
      add_title (table, LS_HARDWARE_COMPUTE, (LsNumbers) i);
      ls_table_add (table, "%.6g GFLOP/s", peak.value / 1e9);
      ls_table_add (table, "%s", _("derived: cores × clock × FLOP per core and clock"));
      ls_table_add (table, "%s", "");
      ls_table_add (table, "%s", "");
    }
}

static void
print_device (const LsHardware *device, GPtrArray *sources)
{
  g_autoptr (LsTable) table = ls_table_new ("lrlll");

  ls_terminal_print ("%s, %s\n", device->name, _(ls_hardware_sort_title (device->sort)));
  for (guint i = 0; i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];
      g_autofree char *value = value_text (figure), *means = means_text (figure);

      add_title (table, figure->kind, figure->numbers);
      ls_table_add (table, "%s", value);
      ls_table_add (table, "%s", means);
      ls_table_add (table, "[%u]", number_of (sources, figure->source));
      ls_table_add (table, "“%s”", figure->quote);
    }
  add_derived (table, device);
  ls_table_print (table);
  ls_terminal_print ("\n");
}

static void
print_source (const LsHardwareSource *source, guint number)
{
  ls_terminal_print ("[%u] %s\n    %s\n", number, source->title, source->address);
  if (source->copy != NULL)
    ls_terminal_print (_("    read in a copy: %s\n"), source->copy);
  if (source->published != NULL)
    ls_terminal_print (_("    published %s, seen %s\n"), source->published, source->seen);
  else
    ls_terminal_print (_("    seen %s\n"), source->seen);
}

static void
print_all (const GPtrArray *devices)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();

  for (guint i = 0; i < devices->len; i++)
    print_device (devices->pdata[i], sources);
  for (guint i = 0; i < sources->len; i++)
    print_source (sources->pdata[i], i + 1);
}

/* ---- JSON ---- */

static void
put_source (json_t *into, const LsHardwareSource *source)
{
  json_t *json = ls_json_object (into, "source");

  ls_json_text (json, "title", source->title);
  ls_json_text (json, "address", source->address);
  ls_json_text (json, "seen", source->seen);
  ls_json_text (json, "published", source->published);
  ls_json_text (json, "copy", source->copy);
}

static void
put_figure (json_t *into, const LsHardwareFigure *figure)
{
  json_t *json = ls_json_object (into, NULL), *means;

  ls_json_text (json, "what", ls_hardware_kind_name (figure->kind));
  ls_json_text (json, "numbers",
                figure->numbers != LS_NUMBERS_UNTOLD ? ls_numbers_names[figure->numbers] : NULL);
  ls_json_number (json, "value", figure->figure.value);
  ls_json_text (json, "unit", figure->figure.unit);
  ls_json_text (json, "evidence", ls_evidence_name (figure->figure.evidence));
  means = ls_json_array (json, "means");
  for (guint left = figure->means; left != 0; left &= left - 1)
    ls_json_text (means, NULL, ls_means_name ((LsMeans) (left & -left)));
  ls_json_text (json, "quote", figure->quote);
  ls_json_text (json, "note", figure->note);
  put_source (json, figure->source);
}

static gboolean
save_json (const GPtrArray *devices, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-hardware-list", 1);
  json_t *list = ls_json_array (json, "devices");

  for (guint i = 0; i < devices->len; i++)
    {
      const LsHardware *device = devices->pdata[i];
      json_t *object = ls_json_object (list, NULL), *figures;

      ls_json_text (object, "name", device->name);
      figures = ls_json_array (object, "figures");
      for (guint k = 0; k < device->n_figures; k++)
        put_figure (figures, &device->figures[k]);
    }
  return ls_json_save (json, path, error);
}

/* ---- the command ---- */

static LsExit
run (const LsArguments *arguments, GError **error)
{
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, error);
  const char *words = arguments->words[0], *json = ls_arguments_get (arguments, "json");
  g_autoptr (GPtrArray) found = NULL;

  if (catalogue == NULL)
    return LS_EXIT_FAILED;
  found = words != NULL ? ls_catalogue_search (catalogue, words) : g_ptr_array_ref (catalogue->devices);
  /* its error says that there is none */
  if (found->len == 0 && ls_catalogue_find (catalogue, words, error) == NULL)
    return LS_EXIT_USAGE;
  if (words != NULL)
    print_all (found);
  else
    print_list (found);
  return json == NULL || save_json (found, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_hardware = {
  .name = "hardware",
  .title = N_("Say what is published of graphics cards and other hardware, and where"),
  .about = N_(
    "NAME is a device’s name or parts of it, such as “a100 80”.\n"
    "The figures are those of the file hardware.json, each with its source; none of them was measured here."),
  .word = N_("[NAME]"),
  .own = own,
  .run = run,
};
