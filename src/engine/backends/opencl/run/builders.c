/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several children build the launches of one step side by side, since a driver's compiler uses one processor.
 * They share the work by reading from one pipe: whoever is free takes the next launch's number.
 */
#include "config.h"
#include "backends/opencl/run/trial.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/topology.h"
#include "child/child.h"
#include "core/memory.h"

#define CHILDREN_MAX 4
/* what a driver's compiler may need: PoCL 3.1 takes 250 MB for one network */
#define CHILD_BYTES  (400 << 20)
#define LAUNCHES_MAX (PIPE_BUF / sizeof (guint16)) /* what a pipe takes at once */

typedef struct {
  const char *order;
  int input; /* the pipe that all of them read */
  guint patience_ms;
  LsTrialHeard heard;
  gpointer data;
  const gint *cancelled; /* atomic; or NULL */
  gint *over;            /* atomic: one has failed: the others end, too */
} Work;

typedef struct {
  const Work *work;
  pthread_t thread;
  gboolean threaded;
} Builder;

static gboolean
builder_heard_cb (const json_t *line, gpointer data)
{
  const Work *work = ((const Builder *) data)->work;
  gint64 launch;

  if (work->heard != NULL && ls_json_get_int (line, "begun", 0, LAUNCHES_MAX, &launch, NULL))
    work->heard ((guint) launch, FALSE, work->data);
  if (work->heard != NULL && ls_json_get_int (line, "done", 0, LAUNCHES_MAX, &launch, NULL))
    work->heard ((guint) launch, TRUE, work->data);
  return !g_atomic_int_get (work->over) && (work->cancelled == NULL || !g_atomic_int_get (work->cancelled));
}

static void *
builder_thread (void *data)
{
  Builder *builder = data;
  const Work *work = builder->work;
  g_autoptr (GError) error = NULL;
  LsChild child = { 0 };

  if (!ls_trial_run (work->order, work->input, work->patience_ms, builder_heard_cb, builder, &child, &error)
      || !ls_trial_judge (&child, &error))
    {
      g_debug ("kernels weren't built aside: %s", error->message);
      g_atomic_int_set (work->over, TRUE);
    }
  ls_child_clear (&child);
  return NULL;
}

/* Bytes that the system could give without swapping; G_MAXUINT64: it doesn't say. */
static guint64
memory_available (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL)
      || (line = strstr (text, "MemAvailable:")) == NULL)
    return G_MAXUINT64;
  return g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) * 1024;
}

guint
ls_trial_children (guint n_missing)
{
  LsTopology topology;
  guint64 n;

  ls_topology_read (&topology, "", ls_topology_affinity ());
  n = MIN (MIN (topology.usable, CHILDREN_MAX),
           MIN (memory_available (), ls_memory_cgroup_left ("")) / CHILD_BYTES);
  ls_topology_clear (&topology);
  return (guint) CLAMP (n, 1, MAX (n_missing, 1));
}

gboolean
ls_trial_build (const char *order, guint n_launches, guint n_missing, guint patience_ms, LsTrialHeard heard,
                gpointer data, const gint *cancelled)
{
  const guint n = MIN (n_launches, LAUNCHES_MAX), n_children = ls_trial_children (n_missing);
  g_autofree guint16 *numbers = g_new (guint16, MAX (n, 1));
  Builder builders[CHILDREN_MAX] = { 0 };
  gint over = FALSE;
  int ends[2];
  Work work = { order, -1, patience_ms, heard, data, cancelled, &over };
  gboolean filled;

  if (!g_unix_open_pipe (ends, FD_CLOEXEC, NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    numbers[i] = (guint16) i;
  filled = write (ends[1], numbers, n * sizeof *numbers) == (gssize) (n * sizeof *numbers);
  close (ends[1]);
  work.input = ends[0];
  for (guint c = 0; filled && c < n_children; c++)
    {
      builders[c].work = &work;
      /* the last one in this thread */
      builders[c].threaded = c + 1 < n_children
                             && pthread_create (&builders[c].thread, NULL, builder_thread, &builders[c]) == 0;
    }
  if (filled)
    builder_thread (&builders[n_children - 1]);
  for (guint c = 0; c < n_children; c++)
    if (builders[c].threaded)
      pthread_join (builders[c].thread, NULL);
  close (ends[0]);
  return filled && !over;
}
