/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalogue's file, and files that only look like one. All that is in it is checked here, so that nobody
 * else needs to: lengths, numbers that can be, units that fit, a source for each figure.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "data/datadir.h"
#include "files/json.h"
#include "machines/member.h"
#include "machines/source.h"
#include "machines/tables.h"

#define FORMAT      "lockstep-hardware"
#define VERSION     1
#define MAX_BYTES   (1u << 20)
#define MAX_DEVICES 500
#define MAX_SOURCES 500
#define MAX_FIGURES 100 /* of a device */
#define MAX_NAMES   20  /* of a device's driver */
#define MAX_PARTS   64
#define MAX_NAME    60 /* characters */
#define MAX_QUOTE   150
#define MAX_NOTE    300

/* ---- what is made ---- */

static void
source_free (gpointer data)
{
  ls_source_free (data);
}

static void
device_free (gpointer data)
{
  LsHardware *device = data;

  for (guint i = 0; i < device->n_figures; i++)
    {
      g_free (device->figures[i].quote);
      g_free (device->figures[i].note);
    }
  g_free (device->figures);
  g_free (device->name);
  g_strfreev (device->known_as);
  g_free (device);
}

/* ---- sources ---- */

/* where: set to the source that is read. */
static gboolean
read_sources (const json_t *root, LsCatalogue *catalogue, GString *where, GError **error)
{
  json_t *all = ls_json_get_object (root, "sources", error), *value;
  const char *id;

  if (all == NULL)
    return FALSE;
  if (json_object_size (all) > MAX_SOURCES)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” has more than %d elements."),
                   "sources", MAX_SOURCES);
      return FALSE;
    }
  json_object_foreach (all, id, value)
    {
      LsHardwareSource *source = g_new0 (LsHardwareSource, 1);

      g_string_printf (where, "/sources/%s", id);
      g_ptr_array_add (catalogue->sources, source);
      source->id = g_strdup (id);
      if (strlen (id) > MAX_NAME || strspn (id, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen (id))
        return ls_member_refuse (error, "sources", _("has a name with other than letters, digits and “-”."));
      if (!json_is_object (value))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the source “%s” must be an object."), id);
          return FALSE;
        }
      if (!ls_source_read (value, source, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- figures ---- */

/* A text's place in a table, by its find function. */
static gboolean
read_row (const json_t *object, const char *name, gint (*find) (const char *name), gint *row, GError **error)
{
  const char *text = ls_json_get_string (object, name, error);

  if (text == NULL)
    return FALSE;
  *row = find (text);
  if (*row >= 0)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” can’t be “%s”."), name, text);
  return FALSE;
}

static gboolean
read_means (const json_t *object, guint *means, GError **error)
{
  const json_t *list = json_object_get (object, "means");

  if (list == NULL)
    return TRUE;
  if ((list = ls_json_get_array (object, "means", 1, 5, error)) == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const char *text = json_string_value (json_array_get (list, i));
      const guint flag = text != NULL ? ls_means_find (text) : 0;

      if (flag == 0 || *means & flag)
        return ls_member_refuse (error, "means", _("has a word that isn’t known, or one twice."));
      *means |= flag;
    }
  return ls_means_fit (*means)
         || ls_member_refuse (error, "means", _("has two words that exclude each other."));
}

/* The value in its unit, and in the one of its kind. */
static gboolean
read_value (const json_t *object, LsHardwareFigure *figure, GError **error)
{
  const LsHardwareKindRow *kind = &ls_hardware_kinds[figure->kind];
  const gboolean whole = figure->numbers == LS_NUMBERS_INT8 || figure->numbers == LS_NUMBERS_UNTOLD;
  const char *wanted = whole && kind->whole != NULL ? kind->whole : kind->unit,
             *name = ls_json_get_string (object, "unit", error);
  const LsHardwareUnit *unit = name != NULL ? ls_hardware_unit_find (name) : NULL;

  if (name == NULL)
    return FALSE;
  if (unit == NULL || strcmp (unit->unit, wanted) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is no unit of “%s”."), name, kind->name);
      return FALSE;
    }
  if (!ls_json_get_double (object, "value", kind->min / unit->scale, kind->max / unit->scale, &figure->value,
                           error))
    return FALSE;
  figure->unit = unit->name;
  figure->figure = (LsFigure){ .unit = wanted, .evidence = LS_EVIDENCE_PUBLISHED, .n = 1 };
  figure->figure.value = figure->figure.q1 = figure->figure.q3 = figure->value * unit->scale;
  return TRUE;
}

static gboolean
read_origin (const json_t *object, const LsCatalogue *catalogue, LsHardwareFigure *figure, GError **error)
{
  const char *id = ls_json_get_string (object, "source", error);

  for (guint i = 0; id != NULL && i < catalogue->sources->len && figure->source == NULL; i++)
    if (strcmp (((const LsHardwareSource *) catalogue->sources->pdata[i])->id, id) == 0)
      figure->source = catalogue->sources->pdata[i];
  if (id == NULL)
    return FALSE;
  if (figure->source != NULL)
    return ls_member_text (object, "quote", MAX_QUOTE, FALSE, &figure->quote, error);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("there is no source “%s”."), id);
  return FALSE;
}

/* Whether the device has such a figure already. */
static gboolean
is_twice (const LsHardware *device, const LsHardwareFigure *figure)
{
  for (const LsHardwareFigure *other = device->figures; other != figure; other++)
    if (other->kind == figure->kind && other->numbers == figure->numbers && other->means == figure->means)
      return TRUE;
  return FALSE;
}

static gboolean
read_figure (json_t *object, const LsCatalogue *catalogue, LsHardware *device, GError **error)
{
  static const char *const known[] = { "what",   "numbers", "value", "unit", "means",
                                       "source", "quote",   "note",  NULL };
  LsHardwareFigure *figure = &device->figures[device->n_figures++];
  gint kind = 0, numbers = LS_NUMBERS_UNTOLD;

  if (!ls_member_only (object, known, error)
      || !read_row (object, "what", ls_hardware_kind_find, &kind, error))
    return FALSE;
  if (json_object_get (object, "numbers") != NULL)
    {
      if (!ls_hardware_kinds[kind].has_numbers)
        return ls_member_refuse (error, "numbers", _("belongs to rates alone."));
      if (!read_row (object, "numbers", ls_numbers_find, &numbers, error))
        return FALSE;
    }
  figure->kind = (LsHardwareKind) kind;
  figure->numbers = (LsNumbers) numbers;
  if (!read_value (object, figure, error) || !read_means (object, &figure->means, error)
      || !read_origin (object, catalogue, figure, error)
      || !(json_is_string (json_object_get (object, "note"))
             ? ls_member_text (object, "note", MAX_NOTE, FALSE, &figure->note, error)
             : ls_member_words (object, "note", MAX_NOTE, TRUE, &figure->note, error)))
    return FALSE;
  return !is_twice (device, figure)
         || ls_member_refuse (error, "what", _("is there twice, with one meaning."));
}

/* ---- devices ---- */

/* What another device is called would be either. */
static gboolean
is_taken (const LsCatalogue *catalogue, const char *known)
{
  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      if (device->known_as != NULL && g_strv_contains ((const char *const *) device->known_as, known))
        return TRUE;
    }
  return FALSE;
}

static gboolean
read_known_as (const json_t *object, const LsCatalogue *catalogue, LsHardware *device, GError **error)
{
  const json_t *list = ls_json_get_array (object, "known_as", 0, MAX_NAMES, error);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const char *name = json_string_value (json_array_get (list, i));
      const char *star = name != NULL ? strchr (name, '*') : NULL;

      if (name == NULL || strlen (name) < 8 || strlen (name) > MAX_NAME || (star != NULL && star[1] != '\0')
          || is_taken (catalogue, name))
        return ls_member_refuse (
          error, "known_as",
          _("must hold names of 8 to 60 letters, a “*” at the end alone, none of another device."));
      g_strv_builder_add (names, name);
    }
  device->known_as = g_strv_builder_end (names);
  return TRUE;
}

static gboolean
read_device (json_t *object, LsCatalogue *catalogue, GString *where, GError **error)
{
  static const char *const known[] = { "name", "sort", "parts", "known_as", "figures", NULL };
  const gsize device_length = where->len;
  LsHardware *device = g_new0 (LsHardware, 1);
  const json_t *figures;
  gint64 parts = 1;
  gint sort = 0;

  g_ptr_array_add (catalogue->devices, device);
  if (!ls_member_only (object, known, error)
      || !ls_member_text (object, "name", MAX_NAME, FALSE, &device->name, error)
      || !read_row (object, "sort", ls_hardware_sort_find, &sort, error)
      || (json_object_get (object, "parts") != NULL
          && !ls_json_get_int (object, "parts", 2, MAX_PARTS, &parts, error))
      || !read_known_as (object, catalogue, device, error)
      || (figures = ls_json_get_array (object, "figures", 1, MAX_FIGURES, error)) == NULL)
    return FALSE;
  device->sort = (LsHardwareSort) sort;
  device->parts = (guint) parts;
  for (guint i = 0; i + 1 < catalogue->devices->len; i++)
    if (strcmp (((const LsHardware *) catalogue->devices->pdata[i])->name, device->name) == 0)
      return ls_member_refuse (error, "name", _("is that of another device, too."));
  device->figures = g_new0 (LsHardwareFigure, json_array_size (figures));
  for (guint i = 0; i < json_array_size (figures); i++)
    {
      json_t *figure;

      g_string_append_printf (where, "/figures/%u", i);
      figure = ls_json_array_object (figures, i, "figures", error);
      if (figure == NULL || !read_figure (figure, catalogue, device, error))
        return FALSE;
      g_string_truncate (where, device_length);
    }
  return TRUE;
}

static gboolean
read_all (const json_t *root, LsCatalogue *catalogue, GString *where, GError **error)
{
  const char *format = ls_json_get_string (root, "format", error);
  const json_t *devices;
  gint64 version;

  if (format == NULL)
    return FALSE;
  if (strcmp (format, FORMAT) != 0)
    return ls_member_refuse (error, "format", _("is another one’s: it is no catalogue."));
  if (!ls_json_get_int (root, "version", VERSION, VERSION, &version, error)
      || !read_sources (root, catalogue, where, error))
    return FALSE;
  g_string_assign (where, "/devices");
  devices = ls_json_get_array (root, "devices", 1, MAX_DEVICES, error);
  for (guint i = 0; devices != NULL && i < json_array_size (devices); i++)
    {
      json_t *device;

      g_string_printf (where, "/devices/%u", i);
      device = ls_json_array_object (devices, i, "devices", error);
      if (device == NULL || !read_device (device, catalogue, where, error))
        return FALSE;
    }
  return devices != NULL;
}

/* ---- the file ---- */

LsCatalogue *
ls_catalogue_load (const char *path, GError **error)
{
  g_autofree char *shipped = path == NULL ? ls_data_dir_find ("hardware.json") : NULL, *name = NULL;
  g_autoptr (LsCatalogue) catalogue = NULL;
  g_autoptr (GString) where = g_string_new ("");
  g_autoptr (GError) why = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (json_t) root = NULL;
  const char *text;
  gsize length;

  path = path != NULL ? path : shipped;
  if (path == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_FILE,
                           _("The catalogue “hardware.json” is missing; install the program anew."));
      return NULL;
    }
  bytes = ls_file_read (path, MAX_BYTES, error);
  if (bytes == NULL)
    return NULL;
  name = ls_file_display_name (path);
  text = g_bytes_get_data (bytes, &length);
  catalogue = g_new (LsCatalogue, 1);
  *catalogue = (LsCatalogue){ 1, g_ptr_array_new_with_free_func (device_free),
                              g_ptr_array_new_with_free_func (source_free) };
  root = ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, &why);
  if (root == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s”: %s"), name, why->message);
  else if (read_all (root, catalogue, where, &why))
    return g_steal_pointer (&catalogue);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s”, line %u: %s"), name,
                 ls_json_line (text, length, where->str), why->message);
  ls_error_make_printable (error);
  return NULL;
}
