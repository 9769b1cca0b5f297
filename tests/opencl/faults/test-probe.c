/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whatever a driver does when it is tried, the program says it in words and lives. Each case is this program once more
 * (`--ask WISH`), which asks ls_cl_probe() in an environment of its own and prints what it is told; the probe in turn runs it
 * as its child.
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "backends/opencl/environment.h"
#include "backends/opencl/probe.h"
#include "core/error.h"
#include "scenario.h"

/* ---- the child ---- */

static void
print_devices (const GPtrArray *devices)
{
  printf ("devices=%u\n", devices->len);
  for (guint i = 0; i < devices->len; i++)
    printf ("name%u=%s\n", i, ((const LsDeviceInfo *) devices->pdata[i])->name);
}

static int
ask (const char *wish)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClProbe) probe = NULL;

  scenario_begin ();
  ls_cl_environment_setup ();
  probe = ls_cl_probe (wish, &error);
  if (probe)
    {
      const LsDeviceInfo *chosen = probe->devices->pdata[probe->chosen];
      print_devices (probe->devices);
      printf ("chosen=%u\ntells=%s\nticks=%u\n", probe->chosen, chosen->tells, probe->ticks);
      if (probe->note)
        printf ("note=%s\n", probe->note);
    }
  else
    {
      g_assert_true (error->domain == LS_ERROR);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      printf ("code=%d\nmessage=%s\n", error->code, error->message);
    }
  printf ("cache=%s\n", g_getenv ("POCL_CACHE_DIR"));
  return 0;
}

static int
ask_for_list (void)
{
  g_autofree char *verdict = NULL;
  g_autoptr (GPtrArray) devices = NULL;

  scenario_begin ();
  devices = ls_cl_probe_list (&verdict);
  print_devices (devices);
  if (verdict)
    printf ("verdict=%s\n", verdict);
  return 0;
}

/* A process that may not write to files: a full disk, as far as PoCL can see. */
static int
ask_on_full_disk (void)
{
  const struct rlimit nothing = { 0, 0 };
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &nothing);
  return ask ("");
}

/* ---- asking ---- */

static Scenario *
run (const char *wish, const char *const *changes)
{
  const char *const arguments[] = { "--ask", wish, NULL };
  Scenario *s = scenario_run (changes, arguments);

  if (s->signal || s->status)
    g_error ("the program that asked ended with signal %d, status %d: %s", s->signal, s->status, s->err);
  return s;
}

/* The verdict is an error of this kind, whose message has these words. */
static void
assert_says (const Scenario *s, LsError code, const char *words)
{
  g_autofree char *number = scenario_get (s, "code"), *message = scenario_get (s, "message");

  g_assert_nonnull (number);
  g_test_message ("%s", message);
  g_assert_cmpint ((int) g_ascii_strtoll (number, NULL, 10), ==, (int) code);
  if (strstr (message, words) == NULL)
    g_error ("“%s” doesn't say “%s”", message, words);
}

static gboolean
says (const Scenario *s, const char *key, const char *words)
{
  g_autofree char *text = scenario_get (s, key);
  return text && strstr (text, words) != NULL;
}

static gboolean
works (const Scenario *s)
{
  g_autofree char *chosen = scenario_get (s, "chosen"), *message = scenario_get (s, "message");
  if (message)
    g_test_message ("%s", message);
  return chosen != NULL;
}

/* TRUE if this machine has a device by PoCL, which most cases need. */
static gboolean
have_pocl (void)
{
  const char *const changes[] = { NULL };
  g_autoptr (Scenario) s = run ("PoCL", changes);

  if (works (s))
    return TRUE;
  g_test_skip ("there is no PoCL on this machine");
  return FALSE;
}

/* ---- no driver, no device ---- */

static void
test_no_driver (void)
{
  const char *const nowhere[] = { "OCL_ICD_VENDORS=/nonexistent", NULL };
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *vendors = g_strconcat ("OCL_ICD_VENDORS=", folder, NULL);
  g_autofree char *icd = g_build_filename (folder, "bad.icd", NULL);
  const char *const empty[] = { vendors, NULL };
  g_autoptr (Scenario) none = run ("", nowhere), no_file = run ("", empty), bad_file = NULL;

  assert_says (none, LS_ERROR_NO_DEVICE, "no OpenCL driver is installed");
  assert_says (no_file, LS_ERROR_NO_DEVICE, "no OpenCL driver is installed");
  g_assert_true (g_file_set_contents (icd, "/nonexistent/libnothing.so.1\n", -1, NULL));
  bad_file = run ("", empty);
  assert_says (bad_file, LS_ERROR_NO_DEVICE, "no OpenCL driver is installed");
}

static void
test_list_without_driver (void)
{
  const char *const nowhere[] = { "OCL_ICD_VENDORS=/nonexistent", NULL }, *const arguments[] = { "--list", NULL };
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
  s = run ("", none);
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
  { "abort", LS_ERROR_DEVICE, "crashed when it was tried (signal 6, Aborted): fake: LLVM ERROR: out of luck" },
  { "segv", LS_ERROR_DEVICE, "crashed when it was tried (signal 11" },
  { "exit", LS_ERROR_DEVICE, "ended the process in which it was tried, with status 3" },
  { "quiet", LS_ERROR_DEVICE, "gave no answer" },
  { "hang", LS_ERROR_HUNG, "no answer within 0.4 s" },
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
  const char *const changes[] = { vendors, how, hangs ? "LOCKSTEP_PROBE_TIMEOUT_MS=400" : NULL, NULL };
  g_autoptr (Scenario) s = NULL;

  if (g_getenv ("LS_FAKE_ICD_PATH") == NULL)
    {
      g_test_skip ("LS_FAKE_ICD_PATH names no driver; meson sets it");
      return;
    }
  s = run ("", changes);
  assert_says (s, m->code, m->words);
}

/* What the child answers is input from a stranger. The script's output stands in for it. */
static void
test_answers (void)
{
  static const struct { const char *answer, *words; } answers[] = {
    { "", "gave no answer" },
    { "{", "gave no answer" },
    { "nonsense", "gave no answer" },
    { "[]", "garbled" },
    { "{}", "garbled" },
    { "{\"devices\": [], \"chosen\": 0}", "garbled" },
    { "{\"devices\": [], \"chosen\": -1}", "garbled" },
    { "{\"devices\": [{}], \"chosen\": 0}", "garbled" },
    { "{\"devices\": [1], \"chosen\": 0}", "garbled" },
    { "{\"devices\": {}, \"chosen\": 0}", "garbled" },
    { "{\"code\": 99, \"message\": \"x\"}", "garbled" },
    { "{\"code\": -1, \"message\": \"x\"}", "garbled" },
    { "{\"code\": 4, \"message\": 5}", "garbled" },
    { "{\"devices\": [[[[[[[[]]]]]]]], \"chosen\": 0}", "gave no answer" },
  };
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *self = g_build_filename (folder, "answer", NULL), *change = g_strconcat ("LOCKSTEP_SELF=", self, NULL);
  const char *const changes[] = { change, "POCL_CACHE_DIR=/nonexistent", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *script = g_strdup_printf ("#!/bin/sh\ncat <<'END'\n%s\nEND\n", answers[i].answer);
      g_autoptr (Scenario) s = NULL;

      g_assert_true (g_file_set_contents (self, script, -1, NULL));
      g_assert_cmpint (g_chmod (self, 0755), ==, 0);
      s = run ("", changes);
      assert_says (s, LS_ERROR_DEVICE, answers[i].words);
    }
}

static void
test_no_child (void)
{
  const char *const changes[] = { "LOCKSTEP_SELF=/nonexistent/lockstep", NULL };
  g_autoptr (Scenario) s = run ("", changes);
  assert_says (s, LS_ERROR_DEVICE, "can't be tried in a process of its own");
}

/* A program that was started as a probe's child and doesn't know it would start children without end. */
static void
test_no_grandchild (void)
{
  const char *const changes[] = { "LOCKSTEP_PROBE_CHILD=1", NULL };
  g_autoptr (Scenario) s = run ("", changes);
  assert_says (s, LS_ERROR_DEVICE, "is being tried already");
}

/* ---- choosing ---- */

static void
test_choice (void)
{
  const char *const two[] = { "POCL_DEVICES=basic pthread", NULL }, *const one[] = { NULL };
  g_autoptr (Scenario) best = NULL, first = NULL, second = NULL, third = NULL, by_name = NULL, nobody = NULL;

  if (!have_pocl ())
    return;
  best = run ("", two);
  g_assert_true (works (best));
  g_assert_true (says (best, "devices", "2"));
  first = run ("0", two);
  g_assert_true (says (first, "chosen", "0"));
  g_assert_true (says (first, "name0", "basic"));
  second = run ("1", two);
  g_assert_true (says (second, "chosen", "1"));
  by_name = run ("PTHREAD", two);
  g_assert_true (says (by_name, "chosen", "1"));
  third = run ("no such thing", two);
  assert_says (third, LS_ERROR_NO_DEVICE, "no OpenCL device is called “no such thing” (--device); there is 0 “basic");
  assert_says (third, LS_ERROR_NO_DEVICE, ", 1 “pthread");
  nobody = run ("4294967296", one);
  assert_says (nobody, LS_ERROR_NO_DEVICE, "is called “4294967296”");
}

/* A name that isn't UTF-8, or looks like an option, is still a name. */
static void
test_odd_wishes (void)
{
  static const char *const wishes[] = { "\xff\xfe", "--help", " ", "0x0", "-1", "%s%n" };
  const char *const changes[] = { NULL };

  if (!have_pocl ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr (Scenario) s = run (wishes[i], changes);
      if (!works (s)) /* “ ” is part of many names */
        assert_says (s, LS_ERROR_NO_DEVICE, "no OpenCL device is called “");
    }
}

/* ---- PoCL's cache folder ---- */

static char *
own_cache (const char *xdg)
{
  return g_build_filename (xdg, "lockstep", "pocl-" LS_VERSION, NULL);
}

/* A file where the folder should be. */
static void
test_cache_in_the_way (void)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *xdg = g_build_filename (folder, "cache", NULL), *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL);
  const char *const changes[] = { change, "POCL_CACHE_DIR", NULL };
  g_autofree char *used = NULL, *contents = NULL;
  g_autoptr (Scenario) s = NULL;

  if (!have_pocl ())
    return;
  g_assert_true (g_file_set_contents (xdg, "mine", -1, NULL));
  s = run ("", changes);
  g_assert_true (works (s));
  g_assert_true (says (s, "note", "can't be written, so OpenCL kernels are compiled anew in each run"));
  g_assert_true (says (s, "note", xdg));
  used = scenario_get (s, "cache");
  g_assert_true (strstr (used, "lockstep-pocl-") != NULL);
  g_assert_false (g_file_test (used, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (xdg, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "mine");
}

static void
damage_cb (const char *path, gpointer data)
{
  if (!data || g_str_has_suffix (path, data))
    g_assert_true (g_file_set_contents (path, "\x7f" "ELF this was a shared library once", -1, NULL));
}

/* The program's own folder: where it should be, for its user only, and emptied when PoCL can't live with what is in it. */
static void
test_own_cache (void)
{
  g_autoptr (ScenarioFolder) xdg = scenario_folder ();
  g_autofree char *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL), *cache = own_cache (xdg);
  g_autofree char *mark = g_build_filename (cache, "mark", NULL), *programs = g_build_filename (xdg, "lockstep", "cl", NULL);
  const char *const changes[] = { change, "POCL_CACHE_DIR", NULL };
  g_autoptr (Scenario) whole = NULL, damaged = NULL;
  GStatBuf info;

  if (!have_pocl ())
    return;
  whole = run ("", changes);
  g_assert_true (works (whole));
  g_assert_true (says (whole, "cache", cache));
  g_assert_false (says (whole, "note", ""));
  g_assert_cmpint (g_stat (cache, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpuint (scenario_files (cache, damage_cb, (gpointer) ".so"), >, 0);
  scenario_files (programs, damage_cb, NULL);
  g_assert_true (g_file_set_contents (mark, "", -1, NULL));
  damaged = run ("", changes);
  g_assert_true (works (damaged));
  g_assert_false (g_file_test (mark, G_FILE_TEST_EXISTS)); /* it was emptied */
}

/* The same damage in a folder that the user chose: it is said, and left alone. */
static void
test_damaged_users_cache (void)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *xdg = g_strdup_printf ("XDG_CACHE_HOME=%s/xdg", folder);
  g_autofree char *cache = g_build_filename (folder, "mine", NULL), *mark = g_build_filename (cache, "mark", NULL);
  g_autofree char *change = g_strconcat ("POCL_CACHE_DIR=", cache, NULL);
  g_autofree char *programs = g_build_filename (folder, "xdg", "lockstep", "cl", NULL);
  const char *const changes[] = { xdg, change, NULL };
  g_autoptr (Scenario) whole = NULL, damaged = NULL;
  guint n;

  if (!have_pocl ())
    return;
  g_assert_cmpint (g_mkdir (cache, 0700), ==, 0);
  g_assert_true (g_file_set_contents (mark, "", -1, NULL));
  whole = run ("", changes);
  g_assert_true (works (whole));
  g_assert_true (says (whole, "cache", cache));
  n = scenario_files (cache, damage_cb, (gpointer) ".so");
  g_assert_cmpuint (n, >, 1);
  scenario_files (programs, damage_cb, NULL);
  damaged = run ("", changes);
  assert_says (damaged, LS_ERROR_DEVICE, "the OpenCL driver ");
  g_assert_true (says (damaged, "message", cache));
  g_assert_cmpuint (scenario_files (cache, NULL, NULL), >=, n);
  g_assert_true (g_file_test (mark, G_FILE_TEST_EXISTS));
}

static void
test_full_disk (void)
{
  g_autoptr (ScenarioFolder) xdg = scenario_folder ();
  g_autofree char *change = g_strconcat ("XDG_CACHE_HOME=", xdg, NULL), *message = NULL;
  const char *const changes[] = { change, "POCL_CACHE_DIR", NULL }, *const arguments[] = { "--ask-on-full-disk", NULL };
  g_autoptr (Scenario) s = NULL;

  if (!have_pocl ())
    return;
  s = scenario_run (changes, arguments);
  g_assert_cmpint (s->signal, ==, 0);
  g_assert_cmpint (s->status, ==, 0);
  message = scenario_get (s, "message");
  g_assert_nonnull (message); /* PoCL can't compile; that is said, not suffered */
  g_test_message ("%s", message);
  g_assert_nonnull (strstr (s->out, "can't be written")); /* after the compiler's words */
}

/* Once more in the same process: remembered, without a child. */
static void
test_remembered (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClProbe) first = NULL, second = NULL;

  if (!have_pocl ())
    return;
  first = ls_cl_probe ("", &error);
  g_assert_no_error (error);
  g_setenv ("LOCKSTEP_SELF", "/nonexistent/lockstep", TRUE);
  second = ls_cl_probe ("", &error);
  g_unsetenv ("LOCKSTEP_SELF");
  g_assert_no_error (error);
  g_assert_cmpuint (second->devices->len, ==, first->devices->len);
  g_assert_true (second->devices != first->devices);
  g_assert_cmpuint (second->ticks, ==, first->ticks);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  if (argc > 1 && strcmp (argv[1], LS_CL_PROBE_COMMAND) == 0)
    return ls_cl_probe_main (argc, argv);
  if (argc > 2 && strcmp (argv[1], "--ask") == 0)
    return ask (argv[2]);
  if (argc > 1 && strcmp (argv[1], "--list") == 0)
    return ask_for_list ();
  if (argc > 1 && strcmp (argv[1], "--ask-on-full-disk") == 0)
    return ask_on_full_disk ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe/no-driver", test_no_driver);
  g_test_add_func ("/probe/list-without-driver", test_list_without_driver);
  g_test_add_func ("/probe/no-device", test_no_device);
  for (gsize i = 0; i < G_N_ELEMENTS (misbehaviours); i++)
    {
      g_autofree char *path = g_strconcat ("/probe/driver/", misbehaviours[i].how, NULL);
      g_test_add_data_func (path, &misbehaviours[i], test_misbehaviour);
    }
  g_test_add_func ("/probe/answers", test_answers);
  g_test_add_func ("/probe/no-child", test_no_child);
  g_test_add_func ("/probe/no-grandchild", test_no_grandchild);
  g_test_add_func ("/probe/choice", test_choice);
  g_test_add_func ("/probe/odd-wishes", test_odd_wishes);
  g_test_add_func ("/probe/cache/in-the-way", test_cache_in_the_way);
  g_test_add_func ("/probe/cache/own", test_own_cache);
  g_test_add_func ("/probe/cache/damaged-users", test_damaged_users_cache);
  g_test_add_func ("/probe/cache/full-disk", test_full_disk);
  g_test_add_func ("/probe/remembered", test_remembered);
  return g_test_run ();
}
