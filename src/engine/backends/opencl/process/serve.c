/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lane's process: reads what it is asked from standard input, has the backend of run/ do it, and answers;
 * meanwhile a thread tells how far the building is. See process.h.
 */
#include "config.h"
#include "backends/opencl/process/serve.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/child/told.h"
#include "backends/opencl/kernels/tuned.h"
#include "backends/opencl/run/instance.h"
#include "child/say.h"
#include "core/error.h"

#define LOOK_US (30 * 1000)

/* ---- how far it is ---- */

static json_t *
progress_line (LsClServer *server, guint done, guint total)
{
  json_t *line = json_object (), *ops;
  g_autoptr (LsBuild) build = ls_backend_opencl_here.build->kernels (server->lane);

  ls_json_whole (line, "built", done);
  ls_json_whole (line, "of", total);
  if (build == NULL)
    return line;
  ls_json_whole (line, "done", build->done);
  ls_json_whole (line, "total", build->total);
  ls_json_number (line, "left", build->left_s);
  ops = ls_json_array (line, "ops");
  for (guint i = 0; i < build->n_ops; i++)
    {
      json_t *op = ls_json_object (ops, NULL);
      ls_json_whole (op, "state", build->ops[i].state);
      ls_json_text (op, "kernel", build->ops[i].kernel);
      ls_json_whole (op, "same", build->ops[i].same_as);
      ls_json_number (op, "s", build->ops[i].seconds);
    }
  return line;
}

/* Sleeps while nothing is done; a turn of steps is over before it looks. */
static gpointer
tell_progress (gpointer data)
{
  LsClServer *server = data;
  gboolean said = TRUE;

  g_mutex_lock (&server->saying);
  while (said)
    {
      guint done = 0, total = 0;

      if (!server->working)
        {
          server->asleep = TRUE;
          g_cond_wait (&server->work, &server->saying);
          server->asleep = FALSE;
        }
      g_cond_wait_until (&server->work, &server->saying, g_get_monotonic_time () + LOOK_US);
      if (server->working && server->lane != NULL)
        ls_backend_opencl_here.build->progress (server->lane, &done, &total);
      if (total == 0) /* what comes after building may hang, so its end is told, too */
        done = total = server->to_build;
      if (total > 0)
        said = ls_say (server->fd, progress_line (server, done, total));
      server->to_build = done < total ? total : 0;
    }
  g_mutex_unlock (&server->saying);
  return NULL;
}

static void
set_working (LsClServer *server, gboolean working)
{
  g_mutex_lock (&server->saying);
  server->working = working;
  server->to_build = 0;
  if (working && server->asleep)
    g_cond_signal (&server->work);
  g_mutex_unlock (&server->saying);
}

/* ---- what it is asked ---- */

static gboolean
do_open (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  g_autoptr (LsClDiscovery) discovery = NULL;
  const char *untuned;
  gint64 lane, tuned;

  server->options = ls_options_new ();
  if (!ls_told_get_options (in->head, server->options, error)
      || !ls_json_get_int (in->head, "lane", 0, G_MAXINT, &lane, error)
      || !ls_json_get_int (in->head, "tuned", 0, G_MAXUINT, &tuned, error)
      || (discovery = ls_told_get_device (in->head, error)) == NULL)
    return FALSE;
  server->number = (guint) lane;
  server->tuned = (guint) tuned;
  server->lane = ls_cl_open_discovered (server->options, server->number, discovery, error);
  if (server->lane == NULL)
    return FALSE;
  untuned = g_hash_table_lookup (ls_backend_opencl_here.device (server->lane)->facts, "warning-tuned");
  if (untuned != NULL)
    ls_json_text (out->head, "untuned", untuned);
  return TRUE;
}

static void
put_state (LsClServer *server, LsWireOut *out)
{
  guint n_rings = 0;
  guint32 capacity = 0;
  LsStepMemory memory;
  json_t *parts;

  if (server->plan == NULL)
    return;
  ls_backend_opencl_here.memory->allocated (server->lane, &memory);
  parts = ls_json_array (out->head, "memory");
  for (guint i = 0; i < LS_MEMORY_N; i++)
    ls_json_whole (parts, NULL, memory.bytes[i]);
  ls_backend_opencl_here.trace_size (server->lane, &n_rings, &capacity);
  ls_json_whole (out->head, "rings", n_rings);
  ls_json_whole (out->head, "capacity", capacity);
  ls_wire_put (out, ls_backend_opencl_here.tilings (server->lane), server->plan->n_ops * sizeof (LsTiling));
}

static gboolean
do_prepare (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  g_autoptr (LsKernelFiles) edited = ls_told_get_kernels (in->head, error);
  gboolean has_data;

  g_clear_pointer (&server->plan, ls_plan_unref);
  g_clear_pointer (&server->data, ls_data_unref);
  if (edited == NULL || !ls_json_get_bool (in->head, "data", &has_data, error)
      || (server->plan = ls_wire_get_plan (in->head, error)) == NULL
      || (has_data && (server->data = ls_wire_get_data (in, error)) == NULL))
    return FALSE;
  ls_wire_in_clear (in); /* the data set is copied, and may be large */
  ls_cl_take_kernels (server->lane, edited);
  if (!ls_backend_opencl_here.prepare (server->lane, server->plan, server->data, error))
    {
      g_clear_pointer (&server->plan, ls_plan_unref);
      return FALSE;
    }
  put_state (server, out);
  return TRUE;
}

static gboolean
do_configure (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  gint64 tuned;

  if (!ls_told_get_options (in->head, server->options, error)
      || !ls_json_get_int (in->head, "tuned", 0, G_MAXUINT, &tuned, error))
    return FALSE;
  if (server->tuned != (guint) tuned)
    ls_tuned_changed ();
  server->tuned = (guint) tuned;
  if (!ls_backend_opencl_here.configure (server->lane, server->options, error))
    return FALSE;
  put_state (server, out);
  return TRUE;
}

static gboolean
do_reload (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  g_autoptr (LsKernelFiles) edited = ls_told_get_kernels (in->head, error);

  if (edited == NULL || !ls_backend_opencl_here.edit->reload (server->lane, edited, error))
    return FALSE;
  put_state (server, out);
  return TRUE;
}

static gboolean
do_record_waits (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  ls_json_bool (out->head, "waits", ls_backend_opencl_here.build->record_waits (server->lane));
  return TRUE;
}

/* ---- the loop ---- */

static const struct {
  const char *name;
  gboolean (*act) (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error);
} acts[] = {
  { "open", do_open },
  { "prepare", do_prepare },
  { "configure", do_configure },
  { "reload", do_reload },
  { "record-waits", do_record_waits },
  { "run", ls_cl_serve_run },
  { "write", ls_cl_serve_write },
  { "read", ls_cl_serve_read },
  { "walk", ls_cl_serve_walk },
  { "roofs", ls_cl_serve_roofs },
};

static gboolean
act_on (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  const char *what = ls_json_get_string (in->head, "do", error);

  for (gsize i = 0; what != NULL && i < G_N_ELEMENTS (acts); i++)
    if (strcmp (acts[i].name, what) == 0 && (server->lane != NULL || acts[i].act == do_open))
      {
        gboolean ok;

        set_working (server, TRUE);
        ok = acts[i].act (server, in, out, error);
        set_working (server, FALSE);
        return ok;
      }
  if (what != NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("the OpenCL lane’s process doesn’t know “%s”"), what);
  return FALSE;
}

static gboolean
answer (LsClServer *server, LsWireOut *out, GError *error)
{
  gboolean said;

  if (error != NULL)
    {
      ls_wire_put_error (out->head, error);
      g_array_set_size (out->pieces, 0);
    }
  ls_wire_close (out);
  g_mutex_lock (&server->saying);
  said = ls_say (server->fd, json_incref (out->head));
  for (guint i = 0; said && i < out->pieces->len; i++)
    {
      const LsWirePiece *piece = &g_array_index (out->pieces, LsWirePiece, i);
      said = ls_say_bytes (server->fd, piece->data, piece->size);
    }
  g_mutex_unlock (&server->saying);
  return said;
}

/* The next thing that is asked. FALSE: there is no more. */
static gboolean
next (GDataInputStream *stream, LsWireIn *in)
{
  gsize length;
  g_autofree char *line = g_data_input_stream_read_line (stream, &length, NULL, NULL);
  json_t *head = line != NULL ? ls_json_parse (line, length, LS_WIRE_MAX_LINE, JSON_OBJECT, NULL) : NULL;

  *in = (LsWireIn){ 0 };
  return head != NULL && ls_wire_begin (in, head, NULL)
         && g_input_stream_read_all (G_INPUT_STREAM (stream), in->bytes, in->size, &length, NULL, NULL)
         && length == in->size;
}

/* Nothing is freed at the end: the process ends at once. */
gboolean
ls_cl_serve (int fd)
{
  LsClServer *server = g_new0 (LsClServer, 1);
  GInputStream *input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  GDataInputStream *stream = g_data_input_stream_new (input);
  gboolean said = TRUE;
  LsWireIn in;

  server->fd = fd;
  g_mutex_init (&server->saying);
  g_cond_init (&server->work);
  g_thread_unref (g_thread_new ("progress", tell_progress, server));
  while (said && next (stream, &in))
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsWireOut) out = ls_wire_out_new (NULL);

      if (!act_on (server, &in, out, &error) && error == NULL)
        g_set_error_literal (&error, LS_ERROR, LS_ERROR_DEVICE,
                             _("the OpenCL lane’s process can’t do that now"));
      said = answer (server, out, error);
      ls_wire_in_clear (&in);
    }
  ls_wire_in_clear (&in);
  return said;
}
