/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result as JSON, and back from what may be cut, foreign or hostile.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "lab/result.h"

#define MAX_RATE    1e15 /* samples/s */
#define MAX_X       1e9
#define MAX_POINTS  LS_LAB_MAX_SPOTS
#define MAX_RESULTS 64
#define MAX_TEXT    (4u << 20) /* bytes, of a list */

/* ---- out ---- */

static void
put_points (json_t *lane, const GArray *points)
{
  json_t *list = ls_json_array (lane, "points");

  for (guint i = 0; i < points->len; i++)
    {
      const LsLabPoint *p = &g_array_index (points, LsLabPoint, i);
      json_t *point = ls_json_object (list, NULL);

      ls_json_number (point, "x", p->x);
      if (p->y > 0)
        ls_json_whole (point, "y", p->y);
      ls_json_put_figure (point, "rate", &p->rate);
      if (p->plain.n > 0)
        ls_json_put_figure (point, "plain_rate", &p->plain);
    }
}

static void
put_missing (json_t *lane, const GPtrArray *missing)
{
  json_t *list = missing->len > 0 ? ls_json_array (lane, "missing") : NULL;

  for (guint i = 0; i < missing->len; i++)
    {
      const LsLabMissing *m = missing->pdata[i];
      json_t *object = ls_json_object (list, NULL);

      ls_json_whole (object, "x", m->spot.x);
      if (m->spot.y > 0)
        ls_json_whole (object, "y", m->spot.y);
      ls_json_text (object, "why", m->why);
    }
}

/* One size each; of an experiment with two, x and y in turn. */
static void
put_tried (json_t *json, const LsLabResult *result)
{
  json_t *list = ls_json_array (json, "tried");

  for (guint i = 0; i < result->tried->len; i++)
    {
      const LsLabSpot *spot = &g_array_index (result->tried, LsLabSpot, i);

      ls_json_whole (list, NULL, spot->x);
      if (result->experiment->rows != NULL)
        ls_json_whole (list, NULL, spot->y);
    }
}

static void
put_options (json_t *json, const LsExperiment *experiment, const LsOptions *options)
{
  json_t *into = ls_json_object (json, "options");
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (ls_experiment_depends_on (experiment, &rows[i]))
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        ls_json_text (into, rows[i].name, text);
      }
}

json_t *
ls_lab_result_to_json (const LsLabResult *result)
{
  json_t *json = json_object (), *list;

  ls_json_text (json, "format", LS_LAB_FORMAT);
  ls_json_whole (json, "version", LS_LAB_VERSION);
  ls_json_text (json, "program", result->program);
  ls_json_text (json, "date", result->date);
  ls_json_text (json, "machine", result->machine);
  ls_json_text (json, "machine_key", result->machine_key);
  ls_json_text (json, "experiment", result->experiment->name);
  put_options (json, result->experiment, result->options);
  ls_json_whole (json, "seconds", result->seconds);
  ls_json_whole (json, "rounds", result->rounds);
  if (result->cores > 0)
    ls_json_whole (json, "cores", result->cores);
  ls_json_bool (json, "busy", result->busy);
  ls_json_whole (json, "sizes", result->n_sizes);
  if (result->ended)
    ls_json_bool (json, "ended", TRUE);
  put_tried (json, result);
  list = ls_json_array (json, "lanes");
  for (guint i = 0; i < result->specs->len; i++)
    {
      json_t *lane = ls_json_object (list, NULL);
      ls_json_text (lane, "id", ((const LsLaneSpec *) result->specs->pdata[i])->id);
      ls_json_text (lane, "device", result->devices[i]);
      ls_json_text (lane, "key", result->keys[i]);
      put_points (lane, result->points[i]);
      put_missing (lane, result->missing[i]);
    }
  return json;
}

/* ---- in ---- */

/* What will be printed on a terminal, too. */
static gboolean
read_words (const json_t *json, const char *name, gboolean may_lack, const char **text, GError **error)
{
  if (!ls_json_get_string_or_null (json, name, text, error)
      || (*text == NULL && !may_lack && ls_json_get_string (json, name, error) == NULL))
    return FALSE;
  for (const char *c = *text; c != NULL && *c != '\0'; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      {
        g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” has characters that aren’t text"),
                     name);
        return FALSE;
      }
  return TRUE;
}

static gboolean
read_rate (const json_t *json, const char *name, const char *unit, LsFigure *rate, GError **error)
{
  if (!ls_json_get_figure (json, name, unit, MAX_RATE, rate, error))
    return FALSE;
  if (rate->value > 0 && rate->q1 <= rate->value && rate->value <= rate->q3)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” has no rate with its middle half"), name);
  return FALSE;
}

/* y: only of an experiment with two sizes. */
static gboolean
read_y (const json_t *json, const LsExperiment *experiment, guint *y, GError **error)
{
  gint64 value = 0;

  if (experiment->rows != NULL && !ls_json_get_int (json, "y", 1, (gint64) MAX_X, &value, error))
    return FALSE;
  *y = (guint) value;
  return TRUE;
}

/* The second name is that of version 1. */
static gboolean
read_point (const json_t *json, const LsExperiment *experiment, LsLabPoint *point, GError **error)
{
  const gboolean old = json_object_get (json, "samples_per_second") != NULL;
  const char *rate = old ? "samples_per_second" : "rate",
             *plain = old ? "plain_samples_per_second" : "plain_rate";

  *point = (LsLabPoint){ 0 };
  return ls_json_get_double (json, "x", 1, MAX_X, &point->x, error)
         && read_y (json, experiment, &point->y, error)
         && read_rate (json, rate, experiment->unit, &point->rate, error)
         && (json_object_get (json, plain) == NULL
             || read_rate (json, plain, experiment->unit, &point->plain, error));
}

static gboolean
read_missing (const json_t *json, LsLabResult *result, guint lane, GError **error)
{
  const json_t *list = json_object_get (json, "missing") != NULL
                         ? ls_json_get_array (json, "missing", 0, MAX_POINTS, error)
                         : NULL;

  if (list == NULL)
    return json_object_get (json, "missing") == NULL;
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const json_t *object = ls_json_array_object (list, i, "missing", error);
      const char *why;
      LsLabSpot spot;
      gint64 x;

      if (object == NULL || !ls_json_get_int (object, "x", 1, (gint64) MAX_X, &x, error)
          || !read_y (object, result->experiment, &spot.y, error)
          || !read_words (object, "why", FALSE, &why, error))
        return FALSE;
      spot.x = (guint) x;
      if (g_utf8_strlen (why, -1) > LS_LAB_MAX_WHY)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “why” has more than %d characters"),
                       LS_LAB_MAX_WHY);
          return FALSE;
        }
      ls_lab_result_add_missing (result, lane, spot, why);
    }
  return TRUE;
}

static gboolean
read_lane (const json_t *json, LsLabResult *result, guint lane, GError **error)
{
  const LsLaneSpec *spec = result->specs->pdata[lane];
  const char *id = ls_json_get_string (json, "id", error), *device, *key;
  const json_t *list = id != NULL ? ls_json_get_array (json, "points", 0, MAX_POINTS, error) : NULL;

  if (list == NULL || !read_words (json, "device", TRUE, &device, error)
      || !read_words (json, "key", TRUE, &key, error))
    return FALSE;
  if (!g_str_equal (id, spec->id))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is none of its lanes"), id);
      return FALSE;
    }
  result->devices[lane] = g_strdup (device);
  result->keys[lane] = g_strdup (key);
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const json_t *object = ls_json_array_object (list, i, "points", error);
      LsLabPoint point;

      if (object == NULL || !read_point (object, result->experiment, &point, error))
        return FALSE;
      if (!ls_lab_result_add (result, lane, &point))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” has a point twice"), id);
          return FALSE;
        }
    }
  return read_missing (json, result, lane, error);
}

static LsOptions *
read_options (const json_t *json, const LsExperiment *experiment, GError **error)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  const json_t *object = ls_json_get_object (json, "options", error);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; object != NULL && i < n; i++)
    if (ls_experiment_depends_on (experiment, &rows[i]))
      {
        /* a version that didn't have it yet measured with what is the default now */
        const gboolean lacks = json_object_get (object, rows[i].name) == NULL
                               && rows[i].group != LS_OPTION_GROUP_LANES;
        const char *text = lacks ? NULL : ls_json_get_string (object, rows[i].name, error);
        if (!lacks && (text == NULL || !ls_options_set (options, &rows[i], text, error)))
          return NULL;
      }
  return object != NULL ? g_steal_pointer (&options) : NULL;
}

static gboolean
read_tried (const json_t *json, LsLabResult *result, GError **error)
{
  const guint each = result->experiment->rows != NULL ? 2 : 1;
  gint64 sizes[2 * LS_LAB_MAX_SPOTS];
  guint n;

  if (!ls_json_get_ints (json, "tried", 1, G_MAXINT32, 0, each * result->n_sizes, sizes, &n, error))
    return FALSE;
  for (guint i = 0; i + each <= n; i += each)
    {
      const LsLabSpot spot = { (guint) sizes[i], each == 2 ? (guint) sizes[i + 1] : 0 };

      if (ls_lab_result_tried (result, spot))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “tried” has %u twice"), spot.x);
          return FALSE;
        }
      g_array_append_val (result->tried, spot);
    }
  return TRUE;
}

static gboolean
read_facts (const json_t *json, LsLabResult *result, GError **error)
{
  static const char *const names[] = { "program", "date", "machine", "machine_key" };
  char **texts[] = { &result->program, &result->date, &result->machine, &result->machine_key };
  gint64 seconds, rounds, sizes, cores = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *text;
      if (!read_words (json, names[i], FALSE, &text, error))
        return FALSE;
      g_free (*texts[i]);
      *texts[i] = g_strdup (text);
    }
  if (!ls_json_get_int (json, "seconds", 1, G_MAXINT32, &seconds, error)
      || !ls_json_get_int (json, "rounds", 1, G_MAXINT32, &rounds, error)
      || !ls_json_get_int (json, "sizes", 1, LS_LAB_MAX_SPOTS, &sizes, error)
      || !ls_json_get_bool (json, "busy", &result->busy, error)
      || (json_object_get (json, "cores") != NULL
          && !ls_json_get_int (json, "cores", 1, G_MAXINT32, &cores, error))
      || (json_object_get (json, "ended") != NULL
          && !ls_json_get_bool (json, "ended", &result->ended, error)))
    return FALSE;
  result->cores = (guint) cores;
  result->seconds = (guint) seconds;
  result->rounds = (guint) rounds;
  result->n_sizes = (guint) sizes;
  return TRUE;
}

static LsLabResult *
read_result (const json_t *json, GError **error)
{
  const char *format = ls_json_get_string (json, "format", NULL), *name;
  const LsExperiment *experiment;
  g_autoptr (LsOptions) options = NULL;
  g_autoptr (LsLabResult) result = NULL;
  const json_t *lanes;
  gint64 version;

  if (g_strcmp0 (format, LS_LAB_FORMAT) != 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, _("it is no result of an experiment"));
      return NULL;
    }
  if (!ls_json_get_int (json, "version", 1, LS_LAB_VERSION, &version, error)
      || (name = ls_json_get_string (json, "experiment", error)) == NULL)
    return NULL;
  experiment = ls_experiment_find (name);
  if (experiment == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("this version has no experiment “%s”"), name);
      return NULL;
    }
  options = read_options (json, experiment, error);
  result = options != NULL ? ls_lab_result_new (experiment, options, error) : NULL;
  lanes = result != NULL ? ls_json_get_array (json, "lanes", result->specs->len, result->specs->len, error)
                         : NULL;
  if (lanes == NULL || !read_facts (json, result, error) || !read_tried (json, result, error))
    return NULL;
  for (guint i = 0; i < result->specs->len; i++)
    {
      const json_t *lane = ls_json_array_object (lanes, i, "lanes", error);
      if (lane == NULL || !read_lane (lane, result, i, error))
        return NULL;
    }
  return g_steal_pointer (&result);
}

LsLabResult *
ls_lab_result_from_json (const json_t *json, GError **error)
{
  LsLabResult *result = read_result (json, error);

  if (result == NULL)
    ls_error_make_printable (error);
  return result;
}

/* ---- lists ---- */

GPtrArray *
ls_lab_results_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  g_autoptr (json_t) list = ls_json_parse (text, strlen (text), MAX_TEXT, JSON_ARRAY, error);

  if (list == NULL)
    return NULL;
  if (json_array_size (list) > MAX_RESULTS)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("they are more than %d"), MAX_RESULTS);
      return NULL;
    }
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const json_t *object = ls_json_array_object (list, i, "lab", error);
      LsLabResult *result = object != NULL ? ls_lab_result_from_json (object, error) : NULL;

      if (result == NULL)
        return NULL;
      g_ptr_array_add (results, result);
      if (!ls_lab_result_goes_with (results->pdata[0], result))
        {
          g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                               _("they are of different lanes, devices, machines or versions"));
          return NULL;
        }
    }
  return g_steal_pointer (&results);
}

char *
ls_lab_results_text (const GPtrArray *results)
{
  g_autoptr (json_t) list = json_array ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < results->len; i++)
    ls_json_put (list, NULL, ls_lab_result_to_json (results->pdata[i]));
  text = results->len > 0 ? json_dumps (list, JSON_COMPACT) : NULL;
  return g_strdup (text);
}
