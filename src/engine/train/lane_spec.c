/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "train/lane_spec_read.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/rc_box.h"

static void
clear_cb (gpointer data)
{
  LsLaneSpec *self = data;

  g_free (self->id);
  ls_options_free (self->own);
  ls_options_free (self->options);
  g_free (self->text);
  g_free (self->words);
  g_free (self->title);
}

LS_RC_BOX (LsLaneSpec, ls_lane_spec, clear_cb)

gboolean
ls_lane_concerned (const LsBackend *backend, const LsOption *option)
{
  return option->group == LS_OPTION_GROUP_CPU      ? backend->kind == LS_BACKEND_CPU
         : option->group == LS_OPTION_GROUP_OPENCL ? backend->kind == LS_BACKEND_OPENCL
                                                   : TRUE;
}

gboolean
ls_lane_may_have (const LsBackend *backend, const LsOption *option)
{
  return option->own != NULL && ls_lane_concerned (backend, option);
}

LsLaneSpec *
ls_lane_spec_alloc (const LsBackend *backend)
{
  LsLaneSpec *spec = g_atomic_rc_box_new0 (LsLaneSpec);

  spec->backend = backend;
  spec->own = ls_options_new ();
  return spec;
}

gboolean
ls_lane_id_taken (const GPtrArray *specs, const char *id)
{
  for (guint i = 0; i < specs->len; i++)
    if (g_strcmp0 (((LsLaneSpec *) specs->pdata[i])->id, id) == 0)
      return TRUE;
  return FALSE;
}

/* Those without a name get one: their backend's, with a number where that has several lanes. */
static void
number_lanes (GPtrArray *specs)
{
  for (guint i = 0; i < specs->len; i++)
    {
      LsLaneSpec *spec = specs->pdata[i];
      guint n = 0, number = 0;
      char *id;

      if (spec->id != NULL)
        continue;
      for (guint k = 0; k < specs->len; k++)
        {
          n += ((LsLaneSpec *) specs->pdata[k])->backend == spec->backend;
          number = k == i ? n : number;
        }
      for (id = g_strdup (spec->backend->name); n > 1 || ls_lane_id_taken (specs, id);)
        {
          g_free (id);
          id = g_strdup_printf ("%s-%u", spec->backend->name, number++);
          n = 1;
        }
      spec->id = id;
    }
}

/* Whether the id is no name that somebody gave: "cpu", "cpu-2". */
static gboolean
is_numbered (const LsLaneSpec *spec)
{
  const gsize length = strlen (spec->backend->name);
  const char *rest = spec->id + length;

  return strncmp (spec->id, spec->backend->name, length) == 0
         && (*rest == '\0'
             || (*rest == '-' && rest[1] != '\0' && strspn (rest + 1, "0123456789") == strlen (rest + 1)));
}

/* As --lanes has it. */
static char *
make_text (const LsLaneSpec *spec)
{
  GString *text = g_string_new (spec->backend->name), *own = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_options_is_given (spec->own, &rows[i]))
      {
        g_autofree char *value = ls_options_get (spec->own, &rows[i]);
        /* behind a colon a device would end at its own bracket */
        if (strcmp (rows[i].name, "device") == 0 && strchr (value, '(') == NULL)
          g_string_append_printf (text, ":%s", value);
        else
          g_string_append_printf (own, "%s%s=%s", own->len > 0 ? "," : "", rows[i].name, value);
      }
  if (own->len > 0)
    g_string_append_printf (text, "(%s)", own->str);
  g_string_free (own, TRUE);
  return g_string_free (text, FALSE);
}

/* Whether the lane is told from others by its value of that option: not where all of its backend have the
 * same, and of a device its name tells more. */
static gboolean
tells (const GPtrArray *specs, const LsLaneSpec *spec, const LsOption *option)
{
  g_autofree char *value = ls_options_get (spec->own, option);
  gboolean alone = TRUE;

  for (guint i = 0; i < specs->len; i++)
    {
      const LsLaneSpec *other = specs->pdata[i];
      g_autofree char *of_other = ls_options_get (other->own, option);

      if (other == spec || other->backend != spec->backend)
        continue;
      alone = FALSE;
      if (!ls_options_is_given (other->own, option) || strcmp (of_other, value) != 0)
        return TRUE;
    }
  return alone && strcmp (option->name, "device") != 0;
}

/* "tiled, fusion off": its own values as they are shown. */
static char *
own_words (const GPtrArray *specs, const LsLaneSpec *spec)
{
  GString *words = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_options_is_given (spec->own, &rows[i]) && tells (specs, spec, &rows[i]))
      {
        g_autofree char *value = ls_options_get (spec->own, &rows[i]);
        const char *word = ls_option_word (&rows[i], value);
        g_auto (GStrv) parts = g_strsplit (_(rows[i].own), "%s", 2);

        g_string_append_printf (words, "%s%s%s%s", words->len > 0 ? ", " : "", parts[0], word,
                                parts[0] != NULL && parts[1] != NULL ? parts[1] : "");
      }
  return g_string_free (words, FALSE);
}

static void
name_lane (const GPtrArray *specs, LsLaneSpec *spec)
{
  g_autofree char *own = ls_printable (own_words (specs, spec));

  g_free (spec->words);
  g_free (spec->title);
  spec->words = !is_numbered (spec) ? g_strdup (spec->id) : *own != '\0' ? g_steal_pointer (&own) : NULL;
  spec->title = spec->words != NULL ? g_strdup_printf ("%s (%s)", spec->backend->title, spec->words)
                                    : g_strdup (spec->backend->title);
}

static gboolean
title_taken (const GPtrArray *specs, const char *title)
{
  for (guint i = 0; i < specs->len; i++)
    if (strcmp (((const LsLaneSpec *) specs->pdata[i])->title, title) == 0)
      return TRUE;
  return FALSE;
}

/* Lanes that would be called the same are told apart by their number among them, or a later one where a lane
 * has that for a name. */
static void
part_lanes (GPtrArray *specs)
{
  g_autoptr (GHashTable) titles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < specs->len; i++)
    {
      const LsLaneSpec *spec = specs->pdata[i];
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (titles, spec->title));
      g_hash_table_insert (titles, g_strdup (spec->title), GUINT_TO_POINTER (n + 1));
    }
  for (guint i = specs->len; i-- > 0;)
    {
      LsLaneSpec *spec = specs->pdata[i];
      const char *old = spec->title;
      const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (titles, old));
      guint number = 0;

      if (n < 2)
        continue;
      for (guint k = 0; k <= i; k++)
        number += strcmp (((LsLaneSpec *) specs->pdata[k])->title, old) == 0;
      char *words = NULL, *title = NULL;
      do
        {
          g_free (words);
          g_free (title);
          words = spec->words != NULL ? g_strdup_printf ("%s, %u", spec->words, number)
                                      : g_strdup_printf ("%u", number);
          title = g_strdup_printf ("%s (%s)", spec->backend->title, words);
          number++;
      } while (title_taken (specs, title));
      g_free (spec->words);
      spec->words = words;
      g_free (spec->title);
      spec->title = title;
    }
}

static void
complete (GPtrArray *specs, const LsOptions *options)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  number_lanes (specs);
  for (guint i = 0; i < specs->len; i++)
    {
      LsLaneSpec *spec = specs->pdata[i];

      spec->options = ls_options_copy (options);
      for (guint k = 0; k < n; k++)
        if (ls_options_is_given (spec->own, &rows[k]))
          {
            g_autofree char *value = ls_options_get (spec->own, &rows[k]);
            ls_options_set (spec->options, &rows[k], value, NULL);
          }
      spec->text = make_text (spec);
      name_lane (specs, spec);
    }
  part_lanes (specs);
}

GPtrArray *
ls_lane_specs_new (const LsOptions *options, GError **error)
{
  g_autoptr (GPtrArray) specs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lane_spec_unref);

  if (!ls_lane_specs_read (specs, options->lanes, error))
    return NULL;
  complete (specs, options);
  return g_steal_pointer (&specs);
}

GPtrArray *
ls_lane_specs_of_backends (const LsOptions *options, const LsBackend *const *backends, guint n)
{
  GPtrArray *specs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lane_spec_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (specs, ls_lane_spec_alloc (backends[i]));
  complete (specs, options);
  return specs;
}

LsLaneSpec *
ls_lane_spec_of_backend (const LsOptions *options, const LsBackend *backend)
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_of_backends (options, &backend, 1);

  return ls_lane_spec_ref (specs->pdata[0]);
}

GPtrArray *
ls_lane_specs_again (const GPtrArray *specs, const LsOptions *options)
{
  GPtrArray *again = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lane_spec_unref);

  for (guint i = 0; i < specs->len; i++)
    {
      const LsLaneSpec *spec = specs->pdata[i];
      LsLaneSpec *copy = ls_lane_spec_alloc (spec->backend);

      copy->id = g_strdup (spec->id);
      ls_options_free (copy->own);
      copy->own = ls_options_copy (spec->own);
      g_ptr_array_add (again, copy);
    }
  complete (again, options);
  return again;
}

GPtrArray *
ls_lane_specs_of_recording (const LsRecording *recording)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GPtrArray) specs = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < recording->n_lanes; i++)
    g_string_append_printf (list, "%s%s=%s", i > 0 ? "," : "", recording->lanes[i].id,
                            recording->lanes[i].spec);
  ls_options_set (options, ls_options_find ("lanes"), list->str, NULL);
  /* what the run had given all lanes, as far as this program knows it */
  for (guint k = 0; recording->options != NULL && k < n; k++)
    {
      const char *value = rows[k].own != NULL ? g_hash_table_lookup (recording->options, rows[k].name) : NULL;
      if (value != NULL)
        ls_options_set (options, &rows[k], value, NULL);
    }
  specs = ls_lane_specs_new (options, NULL);
  /* A stranger's lane may have commas and brackets that make others of them. */
  for (guint i = 0; specs != NULL && i < recording->n_lanes; i++)
    if (specs->len != recording->n_lanes
        || strcmp (((const LsLaneSpec *) specs->pdata[i])->id, recording->lanes[i].id) != 0)
      return NULL;
  return g_steal_pointer (&specs);
}

gboolean
ls_lane_specs_alike (const GPtrArray *a, const GPtrArray *b)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const LsLaneSpec *x = a->pdata[i], *y = b->pdata[i];

      if (x->backend != y->backend || strcmp (x->id, y->id) != 0)
        return FALSE;
      for (guint k = 0; k < n; k++)
        {
          g_autofree char *of_x = ls_options_get (x->own, &rows[k]),
                          *of_y = ls_options_get (y->own, &rows[k]);
          if (rows[k].effect == LS_OPTION_RESTART
              && (ls_options_is_given (x->own, &rows[k]) != ls_options_is_given (y->own, &rows[k])
                  || strcmp (of_x, of_y) != 0))
            return FALSE;
        }
    }
  return TRUE;
}

/* all: also names that lanes without one would mostly get. (transfer full) */
static char *
list_with (const GPtrArray *specs, guint lane, const LsOption *option, const char *value, gboolean all)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < specs->len; i++)
    {
      const LsLaneSpec *spec = specs->pdata[i];
      g_autoptr (LsOptions) own = ls_options_copy (spec->own);
      g_autofree char *text = NULL;

      if (i == lane)
        ls_options_set (own, option, value, NULL);
      text = make_text (&(LsLaneSpec){ .backend = spec->backend, .own = own });
      const gboolean named = all || !is_numbered (spec);
      g_string_append_printf (list, "%s%s%s%s", i > 0 ? "," : "", named ? spec->id : "", named ? "=" : "",
                              text);
    }
  return g_string_free (list, FALSE);
}

/* That list's lanes are called as these ones are. */
static gboolean
keeps_ids (const GPtrArray *specs, const char *list)
{
  g_autoptr (GPtrArray) read = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lane_spec_unref);

  if (!ls_lane_specs_read (read, list, NULL) || read->len != specs->len)
    return FALSE;
  number_lanes (read);
  for (guint i = 0; i < read->len; i++)
    if (strcmp (((LsLaneSpec *) read->pdata[i])->id, ((LsLaneSpec *) specs->pdata[i])->id) != 0)
      return FALSE;
  return TRUE;
}

char *
ls_lane_specs_with (const GPtrArray *specs, guint lane, const LsOption *option, const char *value)
{
  g_autofree char *list = list_with (specs, lane, option, value, FALSE);

  return keeps_ids (specs, list) ? g_steal_pointer (&list) : list_with (specs, lane, option, value, TRUE);
}
