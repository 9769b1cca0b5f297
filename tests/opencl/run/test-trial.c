/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is made of what a child said and how it ended that tried edited kernels.
 */
#include "config.h"
#include "backends/opencl/run/trial.h"
#include "backends/kernel_files.h"

#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/files/open_files.h"

/* An answer is about the kernels where a lane was opened; where none could be, the lane itself will see. */
static void
test_judged (void)
{
  static const struct {
    const char *lines[2]; /* that it said */
    int signal, status;
    gboolean hung, garbled;
    gint code; /* −1: they work */
    const char *words;
  } cases[] = {
    { { "{\"opened\": 1, \"works\": 1}" }, .code = -1 },
    { { "{\"opened\": 0, \"works\": 0, \"message\": \"busy\"}" }, .code = -1 },
    { { "{\"opened\": 1, \"works\": 0, \"code\": 6, \"message\": \"no such type\"}" },
      .code = LS_ERROR_BUILD,
      .words = "no such type" },
    { { "{\"opened\": 1, \"works\": 0, \"code\": 99, \"message\": \"odd\"}" },
      .code = LS_ERROR_DEVICE,
      .words = "odd" },
    { { "{\"opened\": 1, \"works\": 0, \"code\": 6}" },
      .code = LS_ERROR_DEVICE,
      .words = "the edited kernels don’t work" },
    { { "{\"opened\": 1}" }, .code = LS_ERROR_DEVICE, .words = "gave no answer that can be read" },
    { { "{\"works\": 1}" }, .code = LS_ERROR_DEVICE, .words = "gave no answer that can be read" },
    { { NULL }, .code = LS_ERROR_DEVICE, .words = "gave no answer that can be read" },
    { { "{\"opened\": 1, \"works\": 1}" },
      .garbled = TRUE,
      .code = LS_ERROR_DEVICE,
      .words = "gave no answer that can be read" },
    { { "{\"rung\": \"naive\"}", "{\"rung\": \"tiled\"}" },
      .signal = 11,
      .code = LS_ERROR_DEVICE,
      .words
      = "with the kernel variant “tiled” in a process of their own: it crashed (signal 11, Segmentation "
        "fault), as an index beyond an array’s end makes it do" },
    { { "{\"rung\": \"naive\"}" },
      .signal = 9,
      .hung = TRUE,
      .code = LS_ERROR_HUNG,
      .words
      = "with the kernel variant “naive” in a process of their own: it gave no sign of life for 30 s and "
        "was stopped" },
    { { NULL },
      .status = 3,
      .code = LS_ERROR_DEVICE,
      .words = "were tried in a process of their own: it ended with status 3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsChild child = { .signal = cases[i].signal,
                        .status = cases[i].status,
                        .hung = cases[i].hung,
                        .garbled = cases[i].garbled ? (char *) "its JSON is no object" : NULL,
                        .patience_ms = 30000,
                        .lines = g_ptr_array_new_with_free_func ((GDestroyNotify) json_decref) };
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < 2 && cases[i].lines[k] != NULL; k++)
        g_ptr_array_add (child.lines, json_loads (cases[i].lines[k], 0, NULL));
      g_assert_cmpint (ls_trial_judge (&child, &error), ==, cases[i].code < 0);
      if (cases[i].code < 0)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, LS_ERROR, cases[i].code);
          if (strstr (error->message, cases[i].words) == NULL)
            g_error ("“%s” doesn't say “%s”", error->message, cases[i].words);
          /* an index is suspected only where it crashed */
          g_assert_cmpint (strstr (error->message, "index beyond") != NULL, ==,
                           cases[i].signal != 0 && !cases[i].hung);
        }
      g_ptr_array_unref (child.lines);
    }
}

/* So many built of so many; all else is no progress. */
static void
test_progress (void)
{
  static const struct {
    const char *line;
    gboolean tells;
    guint done, total;
  } cases[] = {
    { "{\"built\": 3, \"of\": 7}", TRUE, 3, 7 },
    { "{\"built\": 7, \"of\": 7, \"left\": 1}", TRUE, 7, 7 },
    { "{\"built\": 0, \"of\": 0}", TRUE, 0, 0 },
    { "{\"built\": 8, \"of\": 7}", FALSE, 0, 0 },
    { "{\"built\": -1, \"of\": 7}", FALSE, 0, 0 },
    { "{\"built\": 3}", FALSE, 0, 0 },
    { "{\"of\": 7}", FALSE, 0, 0 },
    { "{\"built\": 1, \"of\": 10001}", FALSE, 0, 0 },
    { "{\"works\": 1}", FALSE, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      json_t *line = json_loads (cases[i].line, 0, NULL);
      guint done = 99, total = 98;

      if (ls_trial_progress (line, &done, &total) != cases[i].tells)
        g_error ("%s %s how far it is", cases[i].line, cases[i].tells ? "doesn't tell" : "is said to tell");
      g_assert_cmpuint (done, ==, cases[i].tells ? cases[i].done : 99);
      g_assert_cmpuint (total, ==, cases[i].tells ? cases[i].total : 98);
      json_decref (line);
    }
}

/* ---- how many children ---- */

static struct {
  const char *meminfo; /* NULL: the system has no such file */
  guint64 cgroup;
  guint processors;
  gboolean plays;
} machine;

gboolean __real_g_file_get_contents (const char *path, char **text, gsize *length, GError **error);
gboolean __wrap_g_file_get_contents (const char *path, char **text, gsize *length, GError **error);
guint64 __real_ls_memory_cgroup_left (const char *root);
guint64 __wrap_ls_memory_cgroup_left (const char *root);
guint __real_ls_topology_affinity (void);
guint __wrap_ls_topology_affinity (void);

/* Of the played machine there is no other file: none says that fewer processors may be used. */
gboolean
__wrap_g_file_get_contents (const char *path, char **text, gsize *length, GError **error)
{
  if (!machine.plays)
    return __real_g_file_get_contents (path, text, length, error);
  *text = g_str_equal (path, "/proc/meminfo") ? g_strdup (machine.meminfo) : NULL;
  return *text != NULL;
}

guint64
__wrap_ls_memory_cgroup_left (const char *root)
{
  return machine.plays ? machine.cgroup : __real_ls_memory_cgroup_left (root);
}

guint
__wrap_ls_topology_affinity (void)
{
  return machine.plays ? machine.processors : __real_ls_topology_affinity ();
}

#define MEMORY(kib) "MemTotal:       16000000 kB\nMemAvailable:   " kib " kB\nBuffers:  99999999 kB\n"

/* One at least, and no more than there is to build; four at most, one for each processor, and each with 400
 * MiB of what the system and the control group have left. */
static void
test_children (void)
{
  static const struct {
    const char *meminfo;
    guint64 cgroup;
    guint processors, missing, children;
  } rows[] = {
    { MEMORY ("9000000"), G_MAXUINT64, 8, 64, 4 },
    { MEMORY ("9000000"), G_MAXUINT64, 8, 3, 3 },
    { MEMORY ("9000000"), G_MAXUINT64, 8, 0, 1 },
    { MEMORY ("9000000"), G_MAXUINT64, 3, 64, 3 },
    { MEMORY ("1228800"), G_MAXUINT64, 8, 64, 3 },
    { MEMORY ("1228799"), G_MAXUINT64, 8, 64, 2 },
    { MEMORY ("1000"), G_MAXUINT64, 8, 64, 1 },
    { MEMORY ("9000000"), 800 << 20, 8, 64, 2 },
    { MEMORY ("9000000"), 0, 8, 64, 1 },
    { MEMORY ("500000"), 800 << 20, 8, 64, 1 },
    { NULL, 800 << 20, 8, 64, 2 },
    { "MemFree: 1 kB\n", G_MAXUINT64, 8, 64, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint children;

      machine.meminfo = rows[i].meminfo;
      machine.cgroup = rows[i].cgroup;
      machine.processors = rows[i].processors;
      machine.plays = TRUE;
      children = ls_trial_children (rows[i].missing);
      machine.plays = FALSE;
      if (children != rows[i].children)
        g_error ("row %u: %u children build, not %u", i, children, rows[i].children);
    }
}

/* What the child is told to try: the plan's shape, which way of running a step, and which walk, where the
 * wish may be for all ops, or for none. */
static void
test_order (void)
{
  static const struct {
    LsWalkWish wish;
    gint64 op, rung;
  } rows[] = { { { 3, LS_RUNG_PACKED, -1, -1 }, 3, LS_RUNG_PACKED },
               { { 0, -1, -1, -1 }, 0, 0 },
               { { LS_WALK_ROOFS, 1, -1, -1 }, LS_WALK_NO_OP, 1 } };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 4", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 2, 5, 7 }, 4, 3, LS_OPTIMIZER_SGD, NULL);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsKernelFiles) files = ls_kernel_files_new ();
  LsData data = { .train.type = LS_SAMPLE_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ls_trial_order (options, plan, i == 0 ? &data : NULL, files, "a device", 1, 2,
                                              LS_TRIAL_WALK, &rows[i].wish, i == 1);
      g_autoptr (json_t) order = json_loads (text, 0, NULL);
      const struct {
        const char *name;
        gint64 value;
      } told[] = { { "channels", 2 },      { "height", 5 },           { "width", 7 },
                   { "classes", 4 },       { "f32", i == 0 },         { "kind", LS_TRIAL_WALK },
                   { "launches", i == 1 }, { "walk-op", rows[i].op }, { "walk-rung", rows[i].rung } };
      for (guint k = 0; k < G_N_ELEMENTS (told); k++)
        {
          const json_t *value = json_object_get (order, told[k].name);
          if (!json_is_integer (value) || json_integer_value (value) != told[k].value)
            g_error ("case %u: “%s” is not %d", i, told[k].name, (int) told[k].value);
        }
    }
}

/* ---- children side by side ---- */

/* Each of them reads numbers from its input until there are none, as the real ones do. */
static struct {
  gint read[64]; /* atomic: how often a launch was read */
  gint fail_at;  /* the child that reads this one ends with status 3; −1: none does */
} played;

gboolean __wrap_ls_child_run (LsChild *child, const char *const *arguments, int input, guint patience_ms,
                              LsChildHeard heard, gpointer data, GError **error);

gboolean
__wrap_ls_child_run (LsChild *child, const char *const *arguments, int input, guint patience_ms,
                     LsChildHeard heard, gpointer data, GError **error)
{
  guint16 number;
  gboolean on = TRUE;

  *child = (LsChild){ .lines = g_ptr_array_new_with_free_func ((GDestroyNotify) json_decref) };
  g_assert_cmpstr (arguments[0], ==, "kernels");
  g_assert_cmpuint (patience_ms, ==, 1234);
  while (on && read (input, &number, sizeof number) == sizeof number)
    {
      g_autofree char *said = g_strdup_printf ("{\"begun\": %u}", number),
                      *built = g_strdup_printf ("{\"done\": %u}", number);
      g_autoptr (json_t) begun = json_loads (said, 0, NULL), done = json_loads (built, 0, NULL);

      g_assert_cmpuint (number, <, G_N_ELEMENTS (played.read));
      g_atomic_int_inc (&played.read[number]);
      if ((gint) number == played.fail_at)
        {
          child->status = 3;
          return TRUE;
        }
      on = heard (begun, data) && heard (done, data);
    }
  child->hung = !on; /* nobody wanted to hear more: it was killed */
  child->signal = on ? 0 : 9;
  if (on)
    g_ptr_array_add (child->lines, json_loads ("{\"opened\": 1, \"works\": 1}", 0, NULL));
  return TRUE;
}

typedef struct {
  gint begun[64], done[64]; /* atomic */
  gint cancelled;           /* atomic; once this one is done: */
  gint cancel_at;           /* −1: never */
} Told;

static void
told_cb (guint launch, gboolean done, gpointer data)
{
  Told *told = data;

  g_atomic_int_inc (done ? &told->done[launch] : &told->begun[launch]);
  if (done && (gint) launch == told->cancel_at)
    g_atomic_int_set (&told->cancelled, TRUE);
}

/* Each launch is built once, by whichever child is free, and told of when it is begun and done; where a child
 * fails, or it is cancelled, it has failed. Nothing of it stays open. */
static void
test_side_by_side (void)
{
  static const struct {
    guint n, n_missing;
    gint fail_at, cancel_at;
    gboolean built;
  } rows[] = { { 1, 1, -1, -1, TRUE },  { 64, 64, -1, -1, TRUE }, { 64, 1, -1, -1, TRUE },
               { 0, 0, -1, -1, TRUE },  { 64, 64, 0, -1, FALSE }, { 64, 64, 63, -1, FALSE },
               { 64, 64, -1, 5, FALSE } };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      Told told = { .cancel_at = rows[r].cancel_at };
      const guint before = count_open_files ();
      gboolean built;

      memset (&played, 0, sizeof played);
      played.fail_at = rows[r].fail_at;
      built = ls_trial_build ("{}", rows[r].n, rows[r].n_missing, 1234, told_cb, &told, &told.cancelled);
      if (built != rows[r].built)
        g_error ("row %u: %u launches are%s built", (guint) r, rows[r].n, built ? "" : "n’t");
      for (guint i = 0; i < G_N_ELEMENTS (played.read); i++)
        {
          const gboolean whole = rows[r].fail_at < 0 && rows[r].cancel_at < 0;

          if (played.read[i] > 1 || (i >= rows[r].n && played.read[i] > 0)
              || (whole && played.read[i] != (i < rows[r].n)))
            g_error ("row %u: launch %u of %u is built %d times", (guint) r, i, rows[r].n, played.read[i]);
          if (told.begun[i] != (played.read[i] && (gint) i != rows[r].fail_at) || told.done[i] > told.begun[i]
              || (whole && told.done[i] != told.begun[i]))
            g_error ("row %u: launch %u is said to be begun %d times and done %d times", (guint) r, i,
                     told.begun[i], told.done[i]);
        }
      if (count_open_files () != before)
        g_error ("row %u: %u files were open before and %u are afterwards", (guint) r, before,
                 count_open_files ());
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trial/judged", test_judged);
  g_test_add_func ("/trial/progress", test_progress);
  g_test_add_func ("/trial/children", test_children);
  g_test_add_func ("/trial/order", test_order);
  g_test_add_func ("/trial/side-by-side", test_side_by_side);
  return g_test_run ();
}
