/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The peer of the benchmark: a script that trains the same network with another library, as a child that lives through
 * the whole benchmark and waits for its rounds. It is spoken to in lines:
 *   from it, once      TITLE <tab> THREADS          what it is; the most threads worth trying
 *   to it              THREADS SECONDS              train so
 *   from it            µs µs µs …                   of each step
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "data/datadir.h"
#include "ui/cli/bench.h"

struct _LsBenchPeer {
  GSubprocess *child;
  GDataInputStream *from;
  char *title;
  guint threads;
};

void
ls_bench_peer_free (LsBenchPeer *peer)
{
  if (peer == NULL)
    return;
  if (peer->child != NULL)
    {
      g_output_stream_close (g_subprocess_get_stdin_pipe (peer->child), NULL, NULL); /* it ends by itself then */
      g_subprocess_wait (peer->child, NULL, NULL);
    }
  g_clear_object (&peer->from);
  g_clear_object (&peer->child);
  g_free (peer->title);
  g_free (peer);
}

static char *
read_line (LsBenchPeer *peer, GError **error)
{
  g_autoptr (GError) cause = NULL;
  char *line = g_data_input_stream_read_line_utf8 (peer->from, NULL, NULL, &cause);

  if (line == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("The peer stopped: %s."),
                 cause != NULL ? cause->message : _("it ended"));
  return line;
}

static LsBenchPeer *
try_python (const char *python, const char *script, const char *folder, GError **error)
{
  g_autoptr (LsBenchPeer) peer = g_new0 (LsBenchPeer, 1);
  g_autofree char *line = NULL;
  g_auto (GStrv) parts = NULL;
  guint64 threads;

  peer->child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                  G_SUBPROCESS_FLAGS_STDERR_SILENCE, error, python, script, folder, NULL);
  if (peer->child == NULL)
    return NULL;
  peer->from = g_data_input_stream_new (g_subprocess_get_stdout_pipe (peer->child));
  line = read_line (peer, error);
  if (line == NULL)
    return NULL;
  parts = g_strsplit (line, "\t", 2);
  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[1], 10, 1, 1024, &threads, error))
    return NULL;
  peer->title = g_strdup (parts[0]);
  peer->threads = (guint) threads;
  return g_steal_pointer (&peer);
}

LsBenchPeer *
ls_bench_peer_new (const char *script, GError **error)
{
  static const char *const pythons[] = { "/usr/bin/python3", "python3" };
  g_autofree char *folder = ls_data_dir_find ("datasets/mnist");
  LsBenchPeer *peer = NULL;

  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS (pythons) && peer == NULL; i++)
    peer = try_python (pythons[i], script, folder, NULL);
  if (peer == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("PyTorch is missing: no python3 here can run %s (Debian: apt install "
                                                     "python3-torch)."),
                 script);
  return peer;
}

const char *
ls_bench_peer_title (const LsBenchPeer *peer)
{
  return peer->title;
}

guint
ls_bench_peer_threads (const LsBenchPeer *peer)
{
  return peer->threads;
}

gboolean
ls_bench_peer_train (LsBenchPeer *peer, guint threads, double seconds, GArray *times, GError **error)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *order = g_strdup_printf ("%u %s\n", threads, g_ascii_formatd (number, sizeof number, "%.3f", seconds));
  g_autofree char *line = NULL;
  g_auto (GStrv) words = NULL;

  if (!g_output_stream_write_all (g_subprocess_get_stdin_pipe (peer->child), order, strlen (order), NULL, NULL, error))
    return FALSE;
  line = read_line (peer, error);
  if (line == NULL)
    return FALSE;
  words = g_strsplit (line, " ", -1);
  for (char **word = words; *word != NULL; word++)
    {
      double us = g_ascii_strtod (*word, NULL);
      if (us > 0)
        g_array_append_val (times, us);
    }
  return TRUE;
}
