/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lane_spec.h for the grammar. Whatever is wrong is told with its place in the text.
 */
#include "config.h"
#include "train/lane_spec_read.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

#define ID_MAX 32

/* A list that is being read. */
typedef struct {
  const char *text, *at;
} Reader;

G_GNUC_PRINTF (4, 5)
static gboolean
wrong (GError **error, const Reader *reader, const char *at, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = ls_printable (g_strdup_vprintf (format, arguments));
  va_end (arguments);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--lanes, character %ld: %s"),
               g_utf8_pointer_to_offset (reader->text, at) + 1, words);
  return FALSE;
}

/* The next word, which ends before one of those characters; *place is where it begins. (transfer full) */
static char *
take_word (Reader *reader, const char *ends, const char **place)
{
  const char *end;

  reader->at += strspn (reader->at, " ");
  *place = reader->at;
  end = reader->at + strcspn (reader->at, ends);
  reader->at = end;
  while (end > *place && end[-1] == ' ')
    end--;
  return g_strndup (*place, (gsize) (end - *place));
}

static gboolean
take (Reader *reader, char c)
{
  reader->at += strspn (reader->at, " ");
  if (*reader->at != c)
    return FALSE;
  reader->at++;
  return TRUE;
}

/* "kernel, tile-edge …": what a lane of that backend may have of its own. (transfer full) */
static char *
own_names (const LsBackend *backend)
{
  GString *names = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_lane_may_have (backend, &rows[i]))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", rows[i].name);
  return g_string_free (names, FALSE);
}

/* value of the option that `name` is, which stands at `place`. */
static gboolean
set_own (const Reader *reader, LsLaneSpec *spec, const char *name, const char *value, const char *place,
         GError **error)
{
  const LsOption *row = ls_options_find (name);
  g_autofree char *names = own_names (spec->backend);
  g_autoptr (GError) why = NULL;

  if (row == NULL)
    return wrong (error, reader, place, _("lanes have no option “%s”; those of %s have %s."), name,
                  spec->backend->name, names);
  if (row->own == NULL)
    return wrong (error, reader, place, _("“%s” is the same for all lanes; say --%s=%s instead."), name,
                  row->name, *value != '\0' ? value : "…");
  if (!ls_lane_may_have (spec->backend, row))
    return wrong (error, reader, place, _("lanes of %s have no option “%s”; they have %s."),
                  spec->backend->name, name, names);
  if (ls_options_is_given (spec->own, row))
    return wrong (error, reader, place, _("the lane has “%s” twice; say it once."), name);
  if (!ls_options_set (spec->own, row, value, &why))
    return wrong (error, reader, place, "%s", why->message);
  return TRUE;
}

/* What stands between the brackets. */
static gboolean
read_own (Reader *reader, LsLaneSpec *spec, GError **error)
{
  const char *open = reader->at;

  if (!take (reader, '('))
    return TRUE;
  while (!take (reader, ')'))
    {
      const char *place, *value_place;
      g_autofree char *name = take_word (reader, "=,()", &place), *value = NULL;

      if (*name == '\0' || !take (reader, '='))
        return *reader->at == '\0'
                 ? wrong (error, reader, open, _("the bracket isn’t closed; a “)” is missing."))
                 : wrong (error, reader, place,
                          _("an option and its value belong here, such as threads=1."));
      value = take_word (reader, ",)", &value_place);
      if (*reader->at == '\0')
        return wrong (error, reader, open, _("the bracket isn’t closed; a “)” is missing."));
      if (!set_own (reader, spec, name, value, place, error))
        return FALSE;
      take (reader, ',');
    }
  return TRUE;
}

static gboolean
check_id (const Reader *reader, const GPtrArray *specs, const char *id, const char *place, GError **error)
{
  const gsize length = strlen (id);

  for (gsize i = 0; i <= length; i++)
    if (length == 0 || length > ID_MAX || (i < length && !g_ascii_isalnum (id[i]) && !strchr ("-_", id[i])))
      return wrong (error, reader, place,
                    _("a lane’s name has 1 to %d letters, digits, “-” and “_”, not “%s”."), ID_MAX, id);
  return !ls_lane_id_taken (specs, id)
         || wrong (error, reader, place, _("two lanes are called “%s”; each needs a name of its own."), id);
}

static gboolean
read_lane (Reader *reader, GPtrArray *specs, GError **error)
{
  const char *place, *first;
  g_autofree char *name = take_word (reader, "=:(),", &place), *id = NULL;
  const LsBackend *backend;
  LsLaneSpec *spec;

  first = place;
  if (take (reader, '='))
    {
      if (!check_id (reader, specs, name, place, error))
        return FALSE;
      id = g_steal_pointer (&name);
      name = take_word (reader, "=:(),", &place);
    }
  backend = ls_backend_find (name);
  if (*name == '\0')
    return wrong (error, reader, place, _("a lane belongs here, such as “cpu”."));
  if (backend == NULL)
    return wrong (error, reader, place,
                  _("there is no backend “%s”; there are cpu, opencl, reference and reference-f64."), name);
  if (specs->len == LS_MAX_LANES)
    return wrong (error, reader, first, _("“%s” is one too many; at most %d lanes train together."), name,
                  LS_MAX_LANES);
  spec = ls_lane_spec_alloc (backend);
  spec->id = g_steal_pointer (&id);
  g_ptr_array_add (specs, spec);
  if (take (reader, ':'))
    {
      g_autofree char *device = take_word (reader, ",()", &place);
      if (!set_own (reader, spec, "device", device, place, error))
        return FALSE;
    }
  return read_own (reader, spec, error);
}

gboolean
ls_lane_specs_read (GPtrArray *specs, const char *text, GError **error)
{
  Reader reader = { text, text };

  do
    if (!read_lane (&reader, specs, error))
      return FALSE;
  while (take (&reader, ','));
  return *reader.at == '\0'
         || wrong (error, &reader, reader.at,
                   _("“%s” isn’t expected here; lanes stand with commas between them."), reader.at);
}
