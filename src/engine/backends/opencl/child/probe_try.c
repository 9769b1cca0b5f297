/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One try of the driver: starts children, reads their answers as input from a stranger, and says in words how
 * they ended. See probe.h.
 */
#include "config.h"
#include "backends/opencl/child/probe_try.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/child/child.h"
#include "backends/opencl/device/environment.h"
#include "core/error.h"
#include "files/json.h"

#define TIMEOUT_MS       60000
#define MAX_ANSWER_BYTES (1u << 20)
#define MAX_ANSWER_DEPTH 6

static guint
timeout_ms (void)
{
  const char *text = g_getenv ("LOCKSTEP_PROBE_TIMEOUT_MS");
  guint64 ms;
  return text && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &ms, NULL) ? (guint) ms : TIMEOUT_MS;
}

/* The last line that the driver wrote to standard error, as “: …”, or "". */
static char *
last_words (const LsChild *child)
{
  g_autofree char *text = g_utf8_make_valid (child->err->str, (gssize) child->err->len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = g_strv_length (lines); i > 0; i--)
    if (*g_strstrip (lines[i - 1]))
      {
        g_autofree char *line = g_utf8_substring (lines[i - 1], 0,
                                                  MIN (g_utf8_strlen (lines[i - 1], -1), 300));
        return g_strconcat (": ", line, NULL);
      }
  return g_strdup ("");
}

/* The child's line of answer from *text on, which moves behind it; NULL: it ended before it could write
 * one. */
static JsonNode *
read_line (const char **text, GError **error)
{
  const char *end = strchr (*text, '\n');
  g_autoptr (GBytes) bytes = g_bytes_new (*text, end != NULL ? (gsize) (end - *text) : strlen (*text));

  *text = end != NULL ? end + 1 : *text + strlen (*text);
  return ls_json_parse_strict (bytes, MAX_ANSWER_BYTES, MAX_ANSWER_DEPTH, error);
}

static gboolean
says_works (JsonNode *answer)
{
  gint64 works;

  return answer != NULL && JSON_NODE_HOLDS_OBJECT (answer)
         && ls_json_get_int (json_node_get_object (answer), "works", 0, 1, &works, NULL) && works;
}

/* Runs one child; its answer, or what became of it. *fatal: the driver ended the child. ticks: what it wrote
 * in a second line, if it came so far; a child that ends after its first one has answered. */
static JsonNode *
ask_child (const char *const *arguments, gboolean *ticks, gboolean *fatal, GError **error)
{
  g_autofree char *self = ls_child_self (), *words = NULL;
  const char *argv[8] = { self, LS_CL_PROBE_COMMAND };
  LsChild child;
  JsonNode *answer = NULL;

  *fatal = FALSE;
  for (guint i = 0; arguments[i] && i + 3 < G_N_ELEMENTS (argv); i++)
    argv[i + 2] = arguments[i];
  if (!ls_child_run (&child, argv, timeout_ms (), error))
    {
      ls_child_clear (&child);
      return NULL;
    }
  words = last_words (&child);
  if (strchr (child.out->str, '\n') != NULL || (!child.hung && !child.signal && !child.status))
    {
      const char *text = child.out->str;
      g_autoptr (GError) cause = NULL;
      answer = read_line (&text, &cause);
      if (answer == NULL)
        g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                     _("the process in which OpenCL was tried gave no answer that can be read (%s)%s"),
                     cause->message, words);
      else if (ticks != NULL)
        {
          g_autoptr (JsonNode) second = read_line (&text, NULL);
          *ticks = says_works (second);
        }
    }
  else if (child.hung)
    g_set_error (error, LS_ERROR, LS_ERROR_HUNG,
                 _("the OpenCL driver gave no answer within %g s and was stopped%s"), timeout_ms () / 1e3,
                 words);
  else if (child.signal)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("the OpenCL driver crashed when it was tried (signal %d, %s)%s"), child.signal,
                 g_strsignal (child.signal), words);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("the OpenCL driver ended the process in which it was tried, with status %d%s"),
                 child.status, words);
  *fatal = answer == NULL && !child.hung;
  ls_child_clear (&child);
  return answer;
}

static LsDeviceInfo *
read_device (JsonObject *object)
{
  g_autoptr (LsDeviceInfo) info = ls_device_info_new ("opencl");
  const char *name = ls_json_get_string (object, "name", NULL),
             *kind = ls_json_get_string (object, "kind", NULL);
  const char *driver = ls_json_get_string (object, "driver", NULL),
             *version = ls_json_get_string (object, "version", NULL);
  JsonObject *facts = ls_json_get_object (object, "facts", NULL);
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;
  gint64 threads, units, shares;

  if (!name || !kind || !driver || !version || !facts
      || !ls_json_get_int (object, "threads", -1, G_MAXINT, &threads, NULL)
      || !ls_json_get_int (object, "units", -1, G_MAXINT, &units, NULL)
      || !ls_json_get_int (object, "shares_cpu", 0, 1, &shares, NULL)
      || !ls_json_get_int (object, "global_mem", -1, G_MAXINT64, &info->global_mem, NULL)
      || !ls_json_get_int (object, "local_mem", -1, G_MAXINT64, &info->local_mem, NULL)
      || !ls_json_get_int (object, "max_alloc", -1, G_MAXINT64, &info->max_alloc, NULL)
      || !ls_json_get_int (object, "max_group", -1, G_MAXINT64, &info->max_group, NULL))
    return NULL;
  info->name = g_strdup (name);
  info->kind = g_strdup (kind);
  info->driver = g_strdup (driver);
  info->version = g_strdup (version);
  info->threads = (gint) threads;
  info->units = (gint) units;
  info->shares_cpu = shares != 0;
  json_object_iter_init (&iter, facts);
  while (json_object_iter_next (&iter, &key, &value))
    if (JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
      g_hash_table_insert (info->facts, g_strdup (key), g_strdup (json_node_get_string (value)));
  return g_steal_pointer (&info);
}

/* Fills devices and chosen; FALSE with the child's own message, or with one about a malformed answer. */
static gboolean
read_answer (LsClProbe *probe, JsonNode *answer, GError **error)
{
  JsonObject *root = JSON_NODE_HOLDS_OBJECT (answer) ? json_node_get_object (answer) : NULL;
  JsonArray *devices = root ? ls_json_get_array (root, "devices", 0, 1024, NULL) : NULL;
  const char *message = root ? ls_json_get_string (root, "message", NULL) : NULL;
  gint64 code, chosen;

  for (guint i = 0; devices && i < json_array_get_length (devices); i++)
    {
      JsonObject *object = ls_json_array_object (devices, i, "devices", NULL);
      LsDeviceInfo *info = object ? read_device (object) : NULL;
      if (info == NULL)
        devices = NULL;
      else
        g_ptr_array_add (probe->devices, info);
    }
  if (message && ls_json_get_int (root, "code", 0, LS_ERROR_CANCELLED, &code, NULL))
    g_set_error_literal (error, LS_ERROR, (int) code, message);
  else if (devices && ls_json_get_int (root, "chosen", 0, (gint64) probe->devices->len - 1, &chosen, NULL))
    {
      probe->chosen = (guint) chosen;
      return TRUE;
    }
  else
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                         _("the process in which OpenCL was tried gave a garbled answer"));
  return FALSE;
}

static gboolean
has_ticks (const LsClProbe *probe, guint ticks)
{
  g_autofree char *source = g_strdup_printf ("%u", ticks), *index = g_strdup_printf ("%u", probe->chosen);
  const char *const arguments[] = { "ticks", source, index, NULL };
  gboolean fatal;
  g_autoptr (JsonNode) answer = ask_child (arguments, NULL, &fatal, NULL);

  return says_works (answer);
}

guint
ls_cl_probe_sources (const LsDeviceInfo *info, guint sources[LS_CL_PROBE_SOURCES])
{
  const char *platform = g_hash_table_lookup (info->facts, "platform");
  const char *extensions = g_hash_table_lookup (info->facts, "extensions");
  guint n = 0;

#if defined(__x86_64__) || defined(__i386__)
  if (platform && strcmp (platform, "Portable Computing Language") == 0 && info->shares_cpu)
    sources[n++] = 1;
#endif
  if (platform && g_str_has_prefix (platform, "NVIDIA"))
    sources[n++] = 2;
  if (platform && g_str_has_prefix (platform, "Intel") && strcmp (info->kind, "GPU") == 0)
    sources[n++] = 4;
  if (extensions && strstr (extensions, "cl_khr_kernel_clock"))
    sources[n++] = 3;
  return n;
}

/* first: the likeliest works; the child that tried the device has tried it, too. */
static guint
find_ticks (const LsClProbe *probe, gboolean first)
{
  guint sources[LS_CL_PROBE_SOURCES];
  const guint n = ls_cl_probe_sources (probe->devices->pdata[probe->chosen], sources);

  for (guint i = 0; i < n; i++)
    if (i == 0 ? first : has_ticks (probe, sources[i]))
      return sources[i];
  return 0;
}

static const char *
told_by (guint ticks)
{
  static const char *const tells[] = { "order", "threads", "unit numbers", "order", "unit numbers" };
  return tells[ticks];
}

LsClProbe *
ls_cl_probe_try (const char *wish, GPtrArray *devices, GError **error)
{
  const char *const arguments[] = { "try", wish, NULL };
  g_autoptr (LsClProbe) probe = g_new0 (LsClProbe, 1);
  g_autoptr (GError) first = NULL;
  gboolean fatal, ticks = FALSE;
  g_autoptr (JsonNode) answer = ask_child (arguments, &ticks, &fatal, &first);
  const char *users_cache = g_getenv ("POCL_CACHE_DIR");

  probe->devices = g_ptr_array_ref (devices);
  probe->note = ls_cl_environment_note ();
  /* A damaged cache makes PoCL crash. If it is our own, once more with an empty one. */
  if (answer == NULL && fatal && ls_cl_environment_wipe ())
    answer = ask_child (arguments, &ticks, &fatal, NULL);
  else if (answer == NULL && fatal && users_cache)
    {
      g_autofree char *shown = g_filename_display_name (users_cache);
      g_set_error (error, LS_ERROR, first->code,
                   _("%s; if it is PoCL, emptying its cache folder %s may help"), first->message, shown);
      return NULL;
    }
  if (answer == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return NULL;
    }
  if (!read_answer (probe, answer, error))
    return NULL;
  probe->ticks = find_ticks (probe, ticks);
  ((LsDeviceInfo *) devices->pdata[probe->chosen])->tells = g_strdup (told_by (probe->ticks));
  return g_steal_pointer (&probe);
}
