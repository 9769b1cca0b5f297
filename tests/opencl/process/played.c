/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "played.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/child/told.h"
#include "backends/opencl/process/process.h"
#include "child/say.h"
#include "core/error.h"

static gboolean
read_bytes (void *to, gsize size)
{
  for (gsize at = 0; at < size;)
    {
      const gssize n = read (STDIN_FILENO, (guint8 *) to + at, size - at);
      if (n <= 0)
        return FALSE;
      at += (gsize) n;
    }
  return TRUE;
}

static gboolean
next (LsWireIn *in)
{
  g_autoptr (GString) line = g_string_new (NULL);
  json_t *head;
  char c;

  *in = (LsWireIn){ 0 };
  while (read_bytes (&c, 1) && c != '\n')
    g_string_append_c (line, c);
  head = ls_json_parse (line->str, line->len, LS_WIRE_MAX_LINE, JSON_OBJECT, NULL);
  return head != NULL && ls_wire_begin (in, head, NULL) && read_bytes (in->bytes, in->size);
}

typedef struct {
  LsPlan *plan;
  LsData *data;
  char *kernel; /* option */
  gint64 tuned;
  guint8 tensor[4096]; /* the newest that was written */
} Played;

/* The tilings say which kernel was asked for, and are as wrong as they can be. */
static void
put_state (const Played *played, LsWireOut *out)
{
  g_autofree LsTiling *tilings = g_new0 (LsTiling, played->plan->n_ops);
  json_t *memory = ls_json_array (out->head, "memory");

  for (guint i = 0; i < played->plan->n_ops; i++)
    {
      memset (tilings[i].kernel, 'x', sizeof tilings[i].kernel);
      g_strlcpy (tilings[i].kernel, played->kernel, i == 0 ? sizeof tilings[i].kernel : 1);
      if (i > 0)
        memset (tilings[i].kernel, 'x', sizeof tilings[i].kernel);
      tilings[i].leader = i == 1 ? 0 : 1000;
      tilings[i].splits = (guint) played->tuned;
      tilings[i].rows = 100 + i;
    }
  for (guint i = 0; i < LS_MEMORY_N; i++)
    ls_json_whole (memory, NULL, 1000 + i);
  ls_json_whole (out->head, "rings", 3);
  ls_json_whole (out->head, "capacity", 77);
  ls_wire_put_copy (out, tilings, played->plan->n_ops * sizeof *tilings);
}

/* It isn’t known how long it takes. */
static gboolean
end_is_unknown (void)
{
  g_autofree char *text = NULL;

  return g_getenv (PLAYED_WAITS) != NULL && g_file_get_contents (g_getenv (PLAYED_WAITS), &text, NULL, NULL)
         && strcmp (text, "nan") == 0;
}

static void
say_progress (int fd, const Played *played)
{
  json_t *line = json_object (), *ops = ls_json_array (line, "ops");

  ls_json_whole (line, "built", 4);
  ls_json_whole (line, "of", 9);
  ls_json_whole (line, "done", 5);
  ls_json_whole (line, "total", 8);
  if (!end_is_unknown ())
    ls_json_number (line, "left", 2.5);
  for (guint i = 0; i < played->plan->n_ops; i++)
    {
      json_t *op = ls_json_object (ops, NULL);
      ls_json_whole (op, "state", i % (LS_BUILD_DONE + 1));
      ls_json_text (op, "kernel", i % 2 ? "gemm_packed" : NULL);
      ls_json_whole (op, "same", i == 3 ? 1 : -1);
      ls_json_number (op, "s", .25 * i);
    }
  ls_say (fd, line);
}

/* Each step's loss is the learning rate it was to be done with and the first value and label of its batch;
 * it ends at a thousand times its first position. */
static void
do_run (const Played *played, LsWireIn *in, LsWireOut *out)
{
  gint64 steps, rings, capacity, first, ops;
  gboolean losses, scales, fuse;
  LsLossScale scale = { 0 };
  const LsHyper *hyper;
  guint64 times[2];
  g_autofree guint64 *ends = NULL;
  g_autofree float *values = NULL;
  g_autofree gboolean *skipped = NULL;

  ls_json_get_int (in->head, "steps", 1, 99, &steps, NULL);
  ls_json_get_int (in->head, "first", 0, 99, &first, NULL);
  ls_json_get_int (in->head, "ops", 0, 99, &ops, NULL);
  ls_json_get_int (in->head, "rings", 0, 99, &rings, NULL);
  ls_json_get_int (in->head, "capacity", 0, 9999, &capacity, NULL);
  ls_json_get_bool (in->head, "losses", &losses, NULL);
  ls_json_get_bool (in->head, "scale", &scales, NULL);
  ls_json_get_bool (in->head, "fuse", &fuse, NULL);
  ends = g_new0 (guint64, steps);
  values = g_new0 (float, steps);
  skipped = g_new0 (gboolean, steps);
  hyper = ls_wire_next (in, (gsize) steps * sizeof *hyper, NULL);
  if (scales)
    ls_wire_get (in, &scale, sizeof scale, NULL);
  for (gint64 i = 0; i < steps; i++)
    {
      guint32 head[2];
      const LsDataset *set = NULL;
      LsDataset other;
      guint32 at = 0;

      ls_wire_get (in, head, sizeof head, NULL);
      if (head[0] == LS_WIRE_OTHER)
        {
          ls_wire_get (in, &other, sizeof other, NULL);
          other.labels = (gint32 *) ls_wire_next (in, head[1] * sizeof (gint32), NULL);
          other.samples = (void *) ls_wire_next (in, LS_WIRE_ALIGNED (head[1] * (gsize) other.sample_size),
                                                 NULL);
          set = &other;
          ends[i] = 7000;
        }
      else
        {
          at = *(const guint32 *) ls_wire_next (in, head[1] * sizeof (guint32), NULL);
          set = head[0] == LS_WIRE_TRAIN ? &played->data->train : &played->data->test;
          ends[i] = 1000 * at;
        }
      values[i] = (float) hyper[i].lr + ((guint8 *) set->samples)[(gint64) at * set->sample_size]
                  + 1000 * (float) set->labels[at];
      skipped[i] = i % 2 == 1;
    }
  g_assert (in->at == in->size);
  times[0] = (guint64) (1000 * first + ops);
  times[1] = (guint64) (10 * steps + fuse);
  scale.factor *= 2;
  scale.skipped += 1;
  ls_json_bool (out->head, "losses", losses);
  ls_wire_put_copy (out, times, sizeof times);
  ls_wire_put_copy (out, ends, (gsize) steps * sizeof *ends);
  ls_wire_put_copy (out, values, (gsize) steps * sizeof *values);
  ls_wire_put_copy (out, skipped, (gsize) steps * sizeof *skipped);
  if (scales)
    ls_wire_put_copy (out, &scale, sizeof scale);
  if (rings > 0)
    {
      const double clock_error = 12.5;
      ls_wire_put_copy (out, &clock_error, sizeof clock_error);
    }
  for (gint64 r = 0; r < rings; r++)
    {
      LsRing ring = { .n = (guint32) r, .dropped = (guint32) (10 + r), .tells = 1 };
      g_autofree LsEvent *events = g_new0 (LsEvent, capacity);
      if (r == rings - 1)
        ring.n = (guint32) capacity + 5; /* more than there is room for */
      ring.off_core_ns = (guint64) (100 + r);
      for (gint64 k = 0; k < capacity; k++)
        events[k] = (LsEvent){ .start_ns = (guint64) (1000 * r + k), .tile = (guint32) k };
      ls_wire_put_copy (out, &ring, sizeof ring);
      ls_wire_put_copy (out, events, MIN (ring.n, (gsize) capacity) * sizeof *events);
    }
}

/* Says which walk was asked for, and of which tensors values came with that, each with its first one. */
static void
do_walk (const Played *played, LsWireIn *in, LsWireOut *out)
{
  static LsWalk walk; /* out points to it */
  gint64 op, rung, row, col;
  g_autoptr (GString) said = g_string_new (NULL);
  guint32 tensor;

  ls_json_get_int (in->head, "op", 0, 99, &op, NULL);
  ls_json_get_int (in->head, "rung", 0, 99, &rung, NULL);
  ls_json_get_int (in->head, "row", -1, 99, &row, NULL);
  ls_json_get_int (in->head, "col", -1, 99, &col, NULL);
  g_string_printf (said, "op %d by %d at %d, %d:", (int) op, (int) rung, (int) row, (int) col);
  while (in->at < in->size && ls_wire_get (in, &tensor, sizeof tensor, NULL))
    {
      const float *values = ls_wire_next (in, ls_tensor_host_bytes (&played->plan->tensors[tensor]), NULL);
      g_string_append_printf (said, " %u=%g", tensor, values != NULL ? (double) *values : -1);
    }
  g_free (walk.message);
  walk.message = g_strdup (said->str);
  ls_wire_put_walk (out, &walk);
}

/* TRUE: what was said instead of an answer is all. */
static gboolean
ends (const LsWireIn *in, int fd)
{
  const char *text = g_getenv (PLAYED_ENDS), *what = ls_json_get_string (in->head, "do", NULL);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", 3);

  if (g_strv_length (words) < 2 || strcmp (words[0], what) != 0)
    return FALSE;
  g_printerr ("%s\n\n", PLAYED_WORDS);
  if (strcmp (words[1], "exit") == 0)
    _exit (atoi (words[2]));
  if (strcmp (words[1], "signal") == 0)
    {
      signal (atoi (words[2]), SIG_DFL);
      raise (atoi (words[2]));
    }
  if (strcmp (words[1], "line") == 0)
    {
      ls_say_bytes (fd, words[2], strlen (words[2]));
      ls_say_bytes (fd, "\n", 1);
    }
  return TRUE;
}

static gboolean
act (Played *played, LsWireIn *in, LsWireOut *out, int fd, GError **error)
{
  const char *what = ls_json_get_string (in->head, "do", NULL);
  gint64 tensor, lane;

  if (g_str_equal (what, "open") || g_str_equal (what, "configure"))
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      ls_told_get_options (in->head, options, NULL);
      g_free (played->kernel);
      played->kernel = g_strdup (options->kernel);
      ls_json_get_int (in->head, "tuned", 0, G_MAXUINT, &played->tuned, NULL);
      if (g_str_equal (what, "open"))
        {
          g_autofree char *said = NULL;
          ls_json_get_int (in->head, "lane", 0, 99, &lane, NULL);
          said = g_strdup_printf ("lane %d of %s", (int) lane, ls_json_get_string (in->head, "device", NULL));
          ls_json_text (out->head, "untuned", said);
        }
      else
        put_state (played, out);
    }
  else if (g_str_equal (what, "prepare"))
    {
      g_clear_pointer (&played->plan, ls_plan_unref);
      g_clear_pointer (&played->data, ls_data_unref);
      played->plan = ls_wire_get_plan (in->head, NULL);
      played->data = ls_wire_get_data (in, NULL);
      say_progress (fd, played);
      while (g_getenv (PLAYED_WAITS) != NULL && g_file_test (g_getenv (PLAYED_WAITS), G_FILE_TEST_EXISTS))
        g_usleep (1000);
      put_state (played, out);
    }
  else if (g_str_equal (what, "reload"))
    {
      g_autoptr (LsKernelFiles) edited = ls_told_get_kernels (in->head, NULL);
      if (g_strcmp0 (g_hash_table_lookup (edited->texts, "sum.cl"), "broken") == 0)
        {
          g_set_error_literal (error, LS_ERROR, LS_ERROR_BUILD, "it doesn't build");
          return FALSE;
        }
      put_state (played, out);
    }
  else if (g_str_equal (what, "record-waits"))
    ls_json_bool (out->head, "waits", TRUE);
  else if (g_str_equal (what, "run"))
    do_run (played, in, out);
  else if (g_str_equal (what, "walk"))
    do_walk (played, in, out);
  else if (g_str_equal (what, "write"))
    ls_wire_get (in, played->tensor, in->size, NULL);
  else if (g_str_equal (what, "read"))
    {
      ls_json_get_int (in->head, "tensor", 0, 99, &tensor, NULL);
      ls_wire_put (out, played->tensor, ls_tensor_host_bytes (&played->plan->tensors[tensor]));
    }
  else if (g_str_equal (what, "roofs"))
    {
      LsFigure roofs[LS_ROOF_N] = { 0 };
      for (guint i = 0; i < LS_ROOF_N; i++)
        roofs[i]
          = (LsFigure){ .value = 10 + i, .n = 3, .unit = (const char *) 8, .condition = (const char *) 8 };
      ls_wire_put_copy (out, roofs, sizeof roofs);
    }
  return TRUE;
}

int
played_main (int argc, char **argv)
{
  static const char device[] = "{\"devices\": [{\"name\": \"played\", \"driver\": \"d\", \"version\": \"v\", "
                               "\"kind\": 2, \"threads\": -1, \"units\": 7, \"shares_cpu\": 0, "
                               "\"global_mem\": 9, \"local_mem\": 8, \"max_alloc\": 6, \"max_group\": 5, "
                               "\"facts\": {}}], \"chosen\": 0}\n";
  const int fd = ls_say_alone ();
  Played played = { 0 };
  LsWireIn in;

  if (argc > 2 && strcmp (argv[2], "try") == 0)
    return ls_say_bytes (fd, device, sizeof device - 1) ? 0 : 1;
  while (next (&in))
    {
      g_autoptr (LsWireOut) out = ls_wire_out_new (NULL);
      g_autoptr (GError) error = NULL;

      if (ends (&in, fd))
        continue;
      if (!act (&played, &in, out, fd, &error))
        ls_wire_put_error (out->head, error);
      ls_wire_close (out);
      ls_say (fd, json_incref (out->head));
      for (guint i = 0; i < out->pieces->len; i++)
        ls_say_bytes (fd, g_array_index (out->pieces, LsWirePiece, i).data,
                      g_array_index (out->pieces, LsWirePiece, i).size);
      ls_wire_in_clear (&in);
    }
  _exit (0); /* as the real one */
}
