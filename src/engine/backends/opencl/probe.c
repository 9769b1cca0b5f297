/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent's side of the probe: starts children, reads their answers as input from a stranger, and says in words how they
 * ended. See probe.h.
 */
#include "config.h"
#include "backends/opencl/probe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/child.h"
#include "backends/opencl/environment.h"
#include "core/error.h"
#include "files/json.h"

#define TIMEOUT_MS        60000
#define MAX_ANSWER_BYTES  (1u << 20)
#define MAX_ANSWER_DEPTH  6

void
ls_cl_probe_free (LsClProbe *probe)
{
  if (probe == NULL)
    return;
  if (probe->devices)
    g_ptr_array_unref (probe->devices);
  g_free (probe->note);
  g_free (probe);
}

static LsClProbe *
probe_copy (const LsClProbe *probe)
{
  LsClProbe *copy = g_memdup2 (probe, sizeof *probe);
  copy->devices = g_ptr_array_copy (probe->devices, (GCopyFunc) (void (*) (void)) ls_device_info_copy, NULL);
  g_ptr_array_set_free_func (copy->devices, (GDestroyNotify) ls_device_info_free);
  copy->note = g_strdup (probe->note);
  return copy;
}

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
        g_autofree char *line = g_utf8_substring (lines[i - 1], 0, MIN (g_utf8_strlen (lines[i - 1], -1), 300));
        return g_strconcat (": ", line, NULL);
      }
  return g_strdup ("");
}

/* The child's line of answer from *text on, which moves behind it; NULL: it ended before it could write one. */
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

/* Runs one child; its answer, or what became of it. *fatal: the driver ended the child. ticks: what it wrote in a second line, if it
 * came so far; a child that ends after its first one has answered. */
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
        g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("the process in which OpenCL was tried gave no answer that can be read (%s)%s"), cause->message, words);
      else if (ticks != NULL)
        {
          g_autoptr (JsonNode) second = read_line (&text, NULL);
          *ticks = says_works (second);
        }
    }
  else if (child.hung)
    g_set_error (error, LS_ERROR, LS_ERROR_HUNG, _("the OpenCL driver gave no answer within %g s and was stopped%s"),
                 timeout_ms () / 1e3, words);
  else if (child.signal)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("the OpenCL driver crashed when it was tried (signal %d, %s)%s"),
                 child.signal, g_strsignal (child.signal), words);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("the OpenCL driver ended the process in which it was tried, with status %d%s"), child.status, words);
  *fatal = answer == NULL && !child.hung;
  ls_child_clear (&child);
  return answer;
}

static LsDeviceInfo *
read_device (JsonObject *object)
{
  g_autoptr (LsDeviceInfo) info = ls_device_info_new ("opencl");
  const char *name = ls_json_get_string (object, "name", NULL), *kind = ls_json_get_string (object, "kind", NULL);
  const char *driver = ls_json_get_string (object, "driver", NULL), *version = ls_json_get_string (object, "version", NULL);
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
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("the process in which OpenCL was tried gave a garbled answer"));
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

/* devices: filled as far as the child came. */
static LsClProbe *
probe_run (const char *wish, GPtrArray *devices, GError **error)
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
      g_set_error (error, LS_ERROR, first->code, _("%s; if it is PoCL, emptying its cache folder %s may help"), first->message,
                   shown);
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

/* A disk without room is the cause of many a failure, and no driver says so. */
static void
propagate_with_note (GError **error, GError *cause)
{
  g_autofree char *note = cause->code == LS_ERROR_NO_DEVICE ? NULL : ls_cl_environment_note ();

  if (note)
    g_set_error (error, LS_ERROR, cause->code, "%s; %s", cause->message, note);
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  g_clear_error (&cause);
}

/* What worked, for as long as the process lives: wish → LsClProbe. A lane that is opened again need not wait, and two that are
 * opened at once try the driver once. What failed is told to whoever asks first, and tried again for the next. */
static struct {
  GMutex mutex;
  GCond idle;
  gboolean busy;        /* somebody is trying the driver */
  GHashTable *known;
  char *failed_wish;
  GError *failed;
  GPtrArray *failed_devices; /* as far as the child came */
} memory;

static void
forget_failed (void)
{
  g_clear_pointer (&memory.failed_wish, g_free);
  g_clear_error (&memory.failed);
  g_clear_pointer (&memory.failed_devices, g_ptr_array_unref);
}

void
ls_cl_probe_forget (void)
{
  g_mutex_lock (&memory.mutex);
  if (!memory.busy)
    {
      g_clear_pointer (&memory.known, g_hash_table_unref);
      forget_failed ();
    }
  g_mutex_unlock (&memory.mutex);
}

/* Once `busy` is set, without the mutex. */
static void
try_driver (const char *wish)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
  GError *cause = NULL;
  LsClProbe *probe;

  ls_cl_environment_setup ();
  probe = probe_run (wish, devices, &cause);
  g_mutex_lock (&memory.mutex);
  if (memory.known == NULL)
    memory.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_cl_probe_free);
  forget_failed ();
  if (probe)
    g_hash_table_insert (memory.known, g_strdup (wish), probe);
  else
    {
      memory.failed_wish = g_strdup (wish);
      memory.failed_devices = g_steal_pointer (&devices);
      propagate_with_note (&memory.failed, cause);
    }
  memory.busy = FALSE;
  g_cond_broadcast (&memory.idle);
  g_mutex_unlock (&memory.mutex);
}

/* With the mutex. */
static const LsClProbe *
find_known (const char *wish)
{
  return memory.known != NULL ? g_hash_table_lookup (memory.known, wish) : NULL;
}

/* *devices, on an error: as far as the child came. (transfer full), both */
static LsClProbe *
probe_cached (const char *wish, GPtrArray **devices, GError **error)
{
  const LsClProbe *known;
  LsClProbe *probe;

  /* A program that doesn't know the child's command starts from the beginning, and would have children without end. */
  if (g_getenv (LS_CHILD_MARK))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                   _("OpenCL is being tried already; the program was run as “%s” and doesn't know it"), LS_CL_PROBE_COMMAND);
      return NULL;
    }
  g_mutex_lock (&memory.mutex);
  while ((known = find_known (wish)) == NULL && (memory.busy || g_strcmp0 (memory.failed_wish, wish) != 0))
    if (memory.busy)
      g_cond_wait (&memory.idle, &memory.mutex);
    else
      {
        memory.busy = TRUE;
        g_mutex_unlock (&memory.mutex);
        try_driver (wish);
        g_mutex_lock (&memory.mutex);
      }
  probe = known != NULL ? probe_copy (known) : NULL;
  if (probe == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&memory.failed));
      if (devices != NULL)
        *devices = g_steal_pointer (&memory.failed_devices);
      forget_failed ();
    }
  g_mutex_unlock (&memory.mutex);
  return probe;
}

static gpointer
ahead_thread (gpointer data)
{
  g_autofree char *wish = data;

  try_driver (wish);
  return NULL;
}

void
ls_cl_probe_ahead (const char *wish)
{
  g_autoptr (GThread) thread = NULL;

  wish = wish ? wish : "";
  if (g_getenv (LS_CHILD_MARK))
    return;
  g_mutex_lock (&memory.mutex);
  if (!memory.busy && find_known (wish) == NULL)
    {
      char *copy = g_strdup (wish);
      /* without a thread, whoever needs the device first tries it */
      thread = g_thread_try_new ("opencl-probe", ahead_thread, copy, NULL);
      memory.busy = thread != NULL;
      if (thread == NULL)
        g_free (copy);
    }
  g_mutex_unlock (&memory.mutex);
}

LsClProbe *
ls_cl_probe (const char *wish, GError **error)
{
  return probe_cached (wish ? wish : "", NULL, error);
}

GPtrArray *
ls_cl_probe_list (char **verdict)
{
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClProbe) probe = probe_cached ("", &devices, &error);

  *verdict = probe ? g_strdup (probe->note) : g_strdup (error->message);
  if (probe != NULL)
    return g_ptr_array_ref (probe->devices);
  return devices != NULL ? g_steal_pointer (&devices) : g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
}
