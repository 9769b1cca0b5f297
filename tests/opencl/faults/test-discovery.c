/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whatever a driver does when it is tried, the program says it in words and lives.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "asking.h"
#include "backends/opencl/child/discovery.h"
#include "backends/opencl/child/discovery_try.h"

/* ---- no driver, no device ---- */

static void
test_no_driver (void)
{
  const char *const nowhere[] = { "OCL_ICD_VENDORS=/nonexistent", NULL };
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *vendors = g_strconcat ("OCL_ICD_VENDORS=", folder, NULL);
  g_autofree char *icd = g_build_filename (folder, "bad.icd", NULL);
  const char *const empty[] = { vendors, NULL };
  g_autoptr (Scenario) none = ask ("", nowhere), no_file = ask ("", empty), bad_file = NULL;

  assert_says (none, LS_ERROR_NO_DEVICE, "no OpenCL driver is installed");
  assert_says (no_file, LS_ERROR_NO_DEVICE, "no OpenCL driver is installed");
  g_assert_true (g_file_set_contents (icd, "/nonexistent/libnothing.so.1\n", -1, NULL));
  bad_file = ask ("", empty);
  assert_says (bad_file, LS_ERROR_NO_DEVICE, "no OpenCL driver is installed");
}

static void
test_list_without_driver (void)
{
  const char *const nowhere[] = { "OCL_ICD_VENDORS=/nonexistent", NULL }, *const arguments[] = { "--list",
                                                                                                 NULL };
  g_autoptr (Scenario) s = scenario_run (nowhere, arguments);

  g_assert_cmpint (s->status, ==, 0);
  g_assert_true (says (s, "devices", "0"));
  g_assert_true (says (s, "verdict", "no OpenCL driver is installed"));
}

static void
test_no_device (void)
{
  const char *const none[] = { "POCL_DEVICES=", NULL };
  g_autoptr (Scenario) s = NULL;

  if (!have_pocl ())
    return;
  s = ask ("", none);
  assert_says (s, LS_ERROR_NO_DEVICE, "Portable Computing Language has no device");
  assert_says (s, LS_ERROR_NO_DEVICE, "cache folder, /");
}

/* ---- drivers that misbehave ---- */

typedef struct {
  const char *how;
  LsError code;
  const char *words;
} Misbehaviour;

static const Misbehaviour misbehaviours[] = {
  { "abort", LS_ERROR_DEVICE,
    "in a process of its own: it crashed (signal 6, Aborted): fake: LLVM ERROR: out of luck" },
  { "segv", LS_ERROR_DEVICE, "in a process of its own: it crashed (signal 11" },
  { "exit", LS_ERROR_DEVICE, "in a process of its own: it ended with status 3" },
  { "quiet", LS_ERROR_DEVICE, "gave no answer" },
  { "hang", LS_ERROR_HUNG, "no sign of life for 0.4 s" },
  { "talk", LS_ERROR_NO_DEVICE, "no OpenCL driver is installed" },
  { "moan", LS_ERROR_DEVICE, "(signal 6, Aborted): aééé" },
};

static void
test_misbehaviour (gconstpointer data)
{
  const Misbehaviour *m = data;
  g_autofree char *vendors = g_strconcat ("OCL_ICD_VENDORS=", g_getenv ("LS_FAKE_ICD_PATH"), NULL);
  g_autofree char *how = g_strconcat ("LS_FAKE_ICD=", m->how, NULL);
  const gboolean hangs = m->code == LS_ERROR_HUNG;
  const char *const changes[] = { vendors, how, hangs ? "LOCKSTEP_CHILD_TIMEOUT_MS=400" : NULL, NULL };
  g_autoptr (Scenario) s = NULL;

  if (g_getenv ("LS_FAKE_ICD_PATH") == NULL)
    {
      g_test_skip ("LS_FAKE_ICD_PATH names no driver; meson sets it");
      return;
    }
  s = ask ("", changes);
  assert_says (s, m->code, m->words);
}

/* What the child answers is input from a stranger. The script's output stands in for it. */
static void
test_answers (void)
{
  static const struct {
    const char *answer, *words;
  } answers[] = {
    { "", "gave no answer" },
    { "{", "gave no answer" },
    { "nonsense", "gave no answer" },
    { "[]", "its JSON is no object" },
    { "garbage\n{\"code\": 4, \"message\": \"x\"}", "gave no answer" },
    { "{\"code\": 4, \"message\": \"x\"}\n{\"works\": 1", "gave no answer" },
    { "{}", "garbled" },
    { "{\"devices\": [], \"chosen\": 0}", "garbled" },
    { "{\"devices\": [], \"chosen\": -1}", "garbled" },
    { "{\"devices\": [{}], \"chosen\": 0}", "garbled" },
    { "{\"devices\": [1], \"chosen\": 0}", "garbled" },
    { "{\"devices\": {}, \"chosen\": 0}", "garbled" },
    { "{\"code\": 99, \"message\": \"x\"}", "garbled" },
    { "{\"code\": -1, \"message\": \"x\"}", "garbled" },
    { "{\"code\": 4, \"message\": 5}", "garbled" },
    { "{\"devices\": [[[[[[[[]]]]]]]], \"chosen\": 0}", "garbled" },
  };
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *self = g_build_filename (folder, "answer", NULL),
                  *change = g_strconcat ("LOCKSTEP_SELF=", self, NULL);
  const char *const changes[] = { change, "POCL_CACHE_DIR=/nonexistent", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *script = g_strdup_printf ("#!/bin/sh\ncat <<'END'\n%s\nEND\n", answers[i].answer);
      g_autoptr (Scenario) s = NULL;

      g_assert_true (g_file_set_contents (self, script, -1, NULL));
      g_assert_cmpint (g_chmod (self, 0755), ==, 0);
      s = ask ("", changes);
      assert_says (s, LS_ERROR_DEVICE, answers[i].words);
    }
}

static void
test_no_child (void)
{
  const char *const changes[] = { "LOCKSTEP_SELF=/nonexistent/lockstep", NULL };
  g_autoptr (Scenario) s = ask ("", changes);
  assert_says (s, LS_ERROR_DEVICE, "can't be tried in a process of its own");
}

/* A program that was started as a discovery's child and doesn't know it would start children without end. */
static void
test_no_grandchild (void)
{
  const char *const changes[] = { "LOCKSTEP_CHILD=1", NULL };
  g_autoptr (Scenario) s = ask ("", changes);
  assert_says (s, LS_ERROR_DEVICE, "is being tried already");
}

/* ---- choosing ---- */

static void
test_choice (void)
{
  const char *const two[] = { "POCL_DEVICES=basic pthread", NULL }, *const one[] = { NULL };
  g_autoptr (Scenario) best = NULL, first = NULL, second = NULL, third = NULL, by_name = NULL, nobody = NULL;
  g_autofree char *name0 = NULL, *name1 = NULL, *upper = NULL, *there = NULL, *other = NULL;

  if (!have_pocl ())
    return;
  best = ask ("", two);
  g_assert_true (works (best));
  g_assert_true (says (best, "devices", "2"));
  name0 = scenario_get (best, "name0"); /* PoCL 3 says “basic-…” and “pthread-…”, PoCL 6 “cpu-minimal-…” and
                                           “cpu-…” */
  name1 = scenario_get (best, "name1");
  g_assert_true (name0 != NULL && name1 != NULL && strcmp (name0, name1) != 0);
  upper = g_ascii_strup (name1, -1);
  there = g_strconcat ("no OpenCL device is called “no such thing” (--device); there is 0 “", name0, NULL);
  other = g_strconcat (", 1 “", name1, NULL);
  first = ask ("0", two);
  g_assert_true (says (first, "chosen", "0"));
  g_assert_true (says (first, "name0", name0));
  second = ask ("1", two);
  g_assert_true (says (second, "chosen", "1"));
  by_name = ask (upper, two);
  g_assert_true (says (by_name, "chosen", "1"));
  third = ask ("no such thing", two);
  assert_says (third, LS_ERROR_NO_DEVICE, there);
  assert_says (third, LS_ERROR_NO_DEVICE, other);
  nobody = ask ("4294967296", one);
  assert_says (nobody, LS_ERROR_NO_DEVICE, "is called “4294967296”");
}

/* A name that isn't UTF-8, or looks like an option, is still a name; what a terminal would obey isn't quoted.
 */
static void
test_odd_wishes (void)
{
#define GONE "\357\277\275"
  static const struct {
    const char *wish, *said;
  } rows[] = { { "\xff\xfe", GONE GONE },
               { "--help", "--help" },
               { " ", " " },
               { "0x0", "0x0" },
               { "-1", "-1" },
               { "%s%n", "%s%n" },
               { "\033[2J\nb", GONE "[2J" GONE "b" } };
  const char *const changes[] = { NULL };

  if (!have_pocl ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (Scenario) s = ask (rows[i].wish, changes);
      g_autofree char *says = g_strdup_printf ("no OpenCL device is called “%s” (--device)", rows[i].said);

      if (!works (s)) /* “ ” is part of many names */
        assert_says (s, LS_ERROR_NO_DEVICE, says);
    }
}

/* Once more in the same process: remembered, without a child. */
static void
test_remembered (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClDiscovery) first = NULL, second = NULL;
  g_autofree char *self = NULL;

  if (!have_pocl ())
    return;
  first = ls_cl_discover ("", &error);
  g_assert_no_error (error);
  self = g_strdup (g_getenv ("LOCKSTEP_SELF"));
  g_setenv ("LOCKSTEP_SELF", "/nonexistent/lockstep", TRUE);
  second = ls_cl_discover ("", &error);
  g_setenv ("LOCKSTEP_SELF", self, TRUE);
  g_assert_no_error (error);
  g_assert_cmpuint (second->devices->len, ==, first->devices->len);
  g_assert_true (second->devices != first->devices);
  g_assert_cmpuint (second->ticks, ==, first->ticks);
}

/* A program in place of this one, which counts how often it is run; `then` is what it does after that. */
static char *
counting_program (const char *folder, const char *then)
{
  g_autofree char *script = g_build_filename (folder, "program", NULL),
                  *log = g_build_filename (folder, "runs", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\necho >> '%s'\n%s\n", log, then);

  g_assert_true (g_file_set_contents_full (script, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("LOCKSTEP_SELF", script, TRUE);
  return g_steal_pointer (&log);
}

static gsize
runs (const char *log)
{
  g_autofree char *text = NULL;
  gsize n = 0;

  g_file_get_contents (log, &text, &n, NULL);
  return n;
}

/* Begun before the data set is read: the lane that opens then waits for that child and starts none of its
 * own. What it ended with is told once; who asks again tries again. */
static void
test_ahead (void)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *real = g_strdup (g_getenv ("LOCKSTEP_SELF")), *log = NULL;
  g_autofree char *go_on = g_strdup_printf ("exec '%s' \"$@\"", real);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClDiscovery) discovery = NULL;
      g_free (log);
      log = counting_program (folder, "sleep 0.2; echo no luck >&2; exit 3");
      ls_cl_discover_ahead ("0000");
      ls_cl_discover_ahead ("0000"); /* is under way */
      discovery = ls_cl_discover ("0000", &error);
      g_assert_null (discovery);
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "no luck"));
      g_assert_cmpuint (runs (log), ==, 1 + i);
    }
  if (have_pocl ())
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClDiscovery) discovery = NULL, again = NULL;
      const gsize before = runs (log);
      g_free (counting_program (folder, go_on));
      ls_cl_discover_ahead ("000");
      discovery = ls_cl_discover ("000", &error);
      g_assert_no_error (error);
      g_assert_cmpuint (runs (log), ==, before + 1);
      ls_cl_discover_ahead ("000"); /* is known */
      again = ls_cl_discover ("000", &error);
      g_assert_nonnull (again);
      g_assert_cmpuint (runs (log), ==, before + 1);
    }
  g_setenv ("LOCKSTEP_SELF", real, TRUE);
}

/* ---- ticks ---- */

/* The likeliest source of ticks has been tried with the device, others are tried after it, each by a child of
 * its own, and the first that works is used. What the work-groups then tell follows from it. */
static void
test_ticks (void)
{
  static const struct {
    const char *platform, *extensions;
    LsDeviceKind kind;
    gboolean first;    /* the likeliest works, */
    const char *other; /* and which other one */
    guint ticks;
    LsTells tells;
  } rows[] = {
    { "Somebody’s", "", LS_DEVICE_GPU, TRUE, "3", 0, LS_TELLS_ORDER },
#if defined(__x86_64__) || defined(__i386__)
    { "Portable Computing Language", "", LS_DEVICE_OPENCL_CPU, TRUE, "", 1, LS_TELLS_THREADS },
#endif
    { "NVIDIA CUDA", "", LS_DEVICE_GPU, TRUE, "", 2, LS_TELLS_UNITS },
    { "NVIDIA CUDA", "", LS_DEVICE_GPU, FALSE, "3", 0, LS_TELLS_ORDER },
    { "NVIDIA CUDA", "cl_khr_kernel_clock", LS_DEVICE_GPU, TRUE, "3", 2, LS_TELLS_UNITS },
    { "NVIDIA CUDA", "cl_khr_kernel_clock", LS_DEVICE_GPU, FALSE, "3", 3, LS_TELLS_ORDER },
    { "NVIDIA CUDA", "cl_khr_kernel_clock", LS_DEVICE_GPU, FALSE, "2", 0, LS_TELLS_ORDER },
    { "Somebody’s", "cl_khr_kernel_clock", LS_DEVICE_GPU, TRUE, "", 3, LS_TELLS_ORDER },
    { "Intel(R) OpenCL", "", LS_DEVICE_GPU, TRUE, "", 4, LS_TELLS_UNITS },
    { "Intel(R) OpenCL", "", LS_DEVICE_ACCELERATOR, TRUE, "", 0, LS_TELLS_ORDER },
  };
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *script = g_build_filename (folder, "program", NULL),
                  *real = g_strdup (g_getenv ("LOCKSTEP_SELF"));

  g_setenv ("LOCKSTEP_SELF", script, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClDiscovery) discovery = NULL;
      g_autofree char *text = g_strdup_printf (
        "#!/bin/sh\n"
        "if [ \"$2\" = ticks ]; then\n"
        "  if [ \"$3\" = \"%s\" ]; then echo '{\"works\": 1}'; else echo '{\"works\": 0}'; fi\n"
        "  exit\n"
        "fi\n"
        "echo '{\"devices\": [{\"name\": \"a\", \"driver\": \"b\", \"version\": \"c\", \"kind\": %d,"
        " \"threads\": 1, \"units\": 1, \"shares_cpu\": %d, \"global_mem\": 1, \"local_mem\": 1,"
        " \"max_alloc\": 1, \"max_group\": 1, \"facts\": {\"platform\": \"%s\", \"extensions\": \"%s\"}}],"
        " \"chosen\": 0}'\n"
        "echo '{\"works\": %d}'\n",
        rows[i].other, (int) rows[i].kind, rows[i].kind == LS_DEVICE_OPENCL_CPU, rows[i].platform,
        rows[i].extensions, rows[i].first);

      g_assert_true (g_file_set_contents_full (script, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
      discovery = ls_cl_discover_try ("", devices, &error);
      g_assert_no_error (error);
      const LsTells tells = ((const LsDeviceInfo *) devices->pdata[0])->tells;
      if (discovery->ticks != rows[i].ticks || tells != rows[i].tells)
        g_error ("row %u (%s, “%s”): ticks %u, which tell %s, and not ticks %u, which tell %s", i,
                 rows[i].platform, rows[i].extensions, discovery->ticks, ls_tells_name (tells), rows[i].ticks,
                 ls_tells_name (rows[i].tells));
    }
  g_setenv ("LOCKSTEP_SELF", real, TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  if (!asking_begin (&argc, &argv, &status))
    return status;
  g_test_add_func ("/discovery/no-driver", test_no_driver);
  g_test_add_func ("/discovery/list-without-driver", test_list_without_driver);
  g_test_add_func ("/discovery/no-device", test_no_device);
  for (gsize i = 0; i < G_N_ELEMENTS (misbehaviours); i++)
    {
      g_autofree char *path = g_strconcat ("/discovery/driver/", misbehaviours[i].how, NULL);
      g_test_add_data_func (path, &misbehaviours[i], test_misbehaviour);
    }
  g_test_add_func ("/discovery/answers", test_answers);
  g_test_add_func ("/discovery/no-child", test_no_child);
  g_test_add_func ("/discovery/no-grandchild", test_no_grandchild);
  g_test_add_func ("/discovery/choice", test_choice);
  g_test_add_func ("/discovery/odd-wishes", test_odd_wishes);
  g_test_add_func ("/discovery/remembered", test_remembered);
  g_test_add_func ("/discovery/ahead", test_ahead);
  g_test_add_func ("/discovery/ticks", test_ticks);
  return g_test_run ();
}
