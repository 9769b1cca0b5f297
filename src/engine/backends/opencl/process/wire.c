/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages, piece by piece: see wire.h.
 */
#include "config.h"
#include "backends/opencl/process/wire.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

LsWireOut *
ls_wire_out_new (const char *what)
{
  LsWireOut *out = g_new0 (LsWireOut, 1);

  out->head = json_object ();
  out->pieces = g_array_new (FALSE, FALSE, sizeof (LsWirePiece));
  out->own = g_ptr_array_new_with_free_func (g_free);
  if (what != NULL)
    ls_json_text (out->head, "do", what);
  return out;
}

void
ls_wire_out_free (LsWireOut *out)
{
  json_decref (out->head);
  g_array_unref (out->pieces);
  g_ptr_array_unref (out->own);
  g_free (out);
}

void
ls_wire_put (LsWireOut *out, gconstpointer data, gsize size)
{
  const LsWirePiece piece = { data, size };

  if (size > 0)
    g_array_append_val (out->pieces, piece);
}

void
ls_wire_put_copy (LsWireOut *out, gconstpointer data, gsize size)
{
  gpointer copy = g_memdup2 (data, size);

  g_ptr_array_add (out->own, copy);
  ls_wire_put (out, copy, size);
}

gsize
ls_wire_close (LsWireOut *out)
{
  gsize all = 0;

  for (guint i = 0; i < out->pieces->len; i++)
    all += g_array_index (out->pieces, LsWirePiece, i).size;
  ls_json_whole (out->head, "bytes", (gint64) all);
  return all;
}

void
ls_wire_in_clear (LsWireIn *in)
{
  g_clear_pointer (&in->head, json_decref);
  g_free (in->bytes);
  *in = (LsWireIn){ 0 };
}

gboolean
ls_wire_begin (LsWireIn *in, json_t *head, GError **error)
{
  gint64 size;

  *in = (LsWireIn){ .head = head };
  if (!ls_json_get_int (head, "bytes", 0, LS_WIRE_MAX_BYTES, &size, error))
    return FALSE;
  in->size = (gsize) size;
  in->bytes = g_try_malloc (MAX (in->size, 1));
  if (in->bytes != NULL)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_MEMORY, _("%zu bytes for the OpenCL lane’s process aren’t granted"),
               in->size);
  return FALSE;
}

gconstpointer
ls_wire_next (LsWireIn *in, gsize size, GError **error)
{
  const guint8 *next = in->bytes + in->at;

  if (size > in->size - in->at)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                           _("the OpenCL lane’s process sent less than it announced"));
      return NULL;
    }
  in->at += size;
  return next;
}

gboolean
ls_wire_get (LsWireIn *in, gpointer to, gsize size, GError **error)
{
  gconstpointer from = ls_wire_next (in, size, error);

  if (from != NULL && size > 0)
    memcpy (to, from, size);
  return from != NULL;
}

void
ls_wire_put_error (json_t *head, const GError *error)
{
  ls_json_whole (head, "code", error->domain == LS_ERROR ? error->code : LS_ERROR_DEVICE);
  ls_json_text (head, "message", error->message);
}

gboolean
ls_wire_get_error (const json_t *head, GError **error)
{
  const char *message = ls_json_get_string (head, "message", NULL);
  gint64 code;

  if (message == NULL)
    return TRUE;
  if (!ls_json_get_int (head, "code", 0, LS_ERROR_CANCELLED, &code, NULL))
    code = LS_ERROR_DEVICE;
  g_set_error_literal (error, LS_ERROR, (int) code, message);
  return FALSE;
}
