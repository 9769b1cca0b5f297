/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From kernel files to programs, and the cache in between: a second build comes from it, damage is built
 * over, and a cache that can't be had costs time only. clfault counts which way a program came.
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/opencl/device/environment.h"
#include "backends/opencl/kernels/kernel.h"
#include "backends/opencl/kernels/program.h"
#include "clfault.h"
#include "core/error.h"
#include "program_rig.h"

#define HEADER_BYTES 40 /* of a cached program: magic word, digest */

/* ---- the cache ---- */

static void
test_second_build (void)
{
  Rig rig;

  if (!rig_open (&rig))
    return;
  empty_cache (&rig);
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_false (from_cache ());
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_true (from_cache ());
  build (&rig, LS_CL_BUILD_OPTIONS " -D OTHER=1"); /* another program */
  g_assert_false (from_cache ());
  build (&rig, LS_CL_BUILD_OPTIONS " -D OTHER=1");
  g_assert_true (from_cache ());
  g_assert_cmpuint (scenario_files (rig.builder.cache_folder, NULL, NULL), ==, 2);
  rig_close (&rig);
}

/* What was compiled for another device, or by another version of the driver or its compiler, isn't taken; and
 * what was there before is, once it is the same again. */
static void
test_whose (void)
{
  Rig rig;

  if (!rig_open (&rig))
    return;
  LsClDevice *device = rig.devices->devices->pdata[0];
  const struct {
    char **where;
    const char *what;
  } rows[] = { { &device->platform_name, "platform" },
               { &device->platform_version, "platform’s version" },
               { &device->info->name, "device" },
               { &device->info->version, "device’s version" },
               { &device->info->driver, "driver" } };

  empty_cache (&rig);
  build (&rig, LS_CL_BUILD_OPTIONS);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      char *before = *rows[i].where, *another = g_strconcat (before, "1", NULL);

      *rows[i].where = another;
      build (&rig, LS_CL_BUILD_OPTIONS);
      if (from_cache ())
        g_error ("what was compiled for another %s is taken", rows[i].what);
      build (&rig, LS_CL_BUILD_OPTIONS);
      g_assert_true (from_cache ());
      *rows[i].where = before;
      g_free (another);
      build (&rig, LS_CL_BUILD_OPTIONS);
      g_assert_true (from_cache ());
    }
  g_assert_cmpuint (scenario_files (rig.builder.cache_folder, NULL, NULL), ==, 1 + G_N_ELEMENTS (rows));
  rig_close (&rig);
}

/* Cut anywhere, a bit turned over anywhere: built anew, and whole afterwards. */
static void
test_damage (void)
{
  Rig rig;
  g_autofree char *path = NULL, *whole = NULL;
  gsize length;

  if (!rig_open (&rig))
    return;
  empty_cache (&rig);
  build (&rig, LS_CL_BUILD_OPTIONS);
  path = cached_file (&rig);
  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  g_assert_cmpuint (length, >, HEADER_BYTES);
  {
    const gsize cuts[] = { 0,          1,         7, 8, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1,
                           length / 2, length - 1 };
    for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
      {
        g_assert_true (g_file_set_contents (path, whole, (gssize) cuts[i], NULL));
        build (&rig, LS_CL_BUILD_OPTIONS);
        g_assert_false (from_cache ());
        build (&rig, LS_CL_BUILD_OPTIONS);
        g_assert_true (from_cache ());
      }
  }
  {
    const gsize places[] = { 0, 7, 8, HEADER_BYTES - 1, HEADER_BYTES, length / 2, length - 1 };
    for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
      {
        whole[places[i]] ^= 4;
        g_assert_true (g_file_set_contents (path, whole, (gssize) length, NULL));
        whole[places[i]] ^= 4;
        build (&rig, LS_CL_BUILD_OPTIONS);
        g_assert_false (from_cache ());
      }
  }
  rig_close (&rig);
}

/* A file that is in order, with a binary that no driver takes: another version's, perhaps. */
static void
test_foreign_binary (void)
{
  static const char binary[] = "this is no program for any device";
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GString) file = g_string_new ("LSCLBIN1");
  guint8 digest[32];
  gsize length = sizeof digest;
  g_autofree char *path = NULL;
  Rig rig;

  if (!rig_open (&rig))
    return;
  empty_cache (&rig);
  build (&rig, LS_CL_BUILD_OPTIONS);
  path = cached_file (&rig);
  g_checksum_update (sum, (const guchar *) binary, sizeof binary);
  g_checksum_get_digest (sum, digest, &length);
  g_string_append_len (file, (const char *) digest, (gssize) length);
  g_string_append_len (file, binary, sizeof binary);
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_cmpuint (clfault_count ("binary"), ==, 1);
  g_assert_cmpuint (clfault_count ("source"), ==, 1);
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_true (from_cache ());
  rig_close (&rig);
}

/* No folder, none any more, a file in its place, a folder in the file's place. */
static void
test_no_cache (void)
{
  g_autofree char *folder = NULL, *path = NULL;
  Rig rig;

  if (!rig_open (&rig))
    return;
  empty_cache (&rig);
  build (&rig, LS_CL_BUILD_OPTIONS);
  path = cached_file (&rig);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_false (from_cache ());
  g_assert_cmpint (g_rmdir (path), ==, 0);

  folder = g_steal_pointer (&rig.builder.cache_folder);
  build (&rig, LS_CL_BUILD_OPTIONS);
  rig.builder.cache_folder = g_build_filename (folder, "gone", NULL);
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_true (g_file_set_contents (rig.builder.cache_folder, "a file", -1, NULL));
  build (&rig, LS_CL_BUILD_OPTIONS);
  g_assert_false (from_cache ());
  rig_close (&rig);
}

/* What is no regular file, or larger than a program, in the file's place: neither waited for nor read, and
 * replaced. Of drivers that keep programs themselves, too, whose files are marks. */
static void
test_no_file (void)
{
  Rig rig;

  if (!rig_open (&rig))
    return;
  for (guint marks = 0; marks < 2; marks++)
    {
      g_autofree char *path = NULL;

      ((LsClDevice *) rig.devices->devices->pdata[0])->driver = marks ? LS_CL_DRIVER_POCL
                                                                      : LS_CL_DRIVER_OTHER;
      empty_cache (&rig);
      build (&rig, LS_CL_BUILD_OPTIONS);
      path = cached_file (&rig);
      for (guint what = 0; what < 3; what++)
        {
          g_assert_cmpint (g_unlink (path), ==, 0);
          if (what == 0)
            g_assert_cmpint (mkfifo (path, 0600), ==, 0);
          else if (what == 1)
            g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
          else
            {
              g_assert_true (g_file_set_contents (path, "", 0, NULL));
              g_assert_cmpint (truncate (path, (off_t) 3 << 30), ==, 0);
            }
          if (what < 2)
            g_assert_true (ls_cl_program_missing (&rig.builder, rig.source, LS_CL_BUILD_OPTIONS));
          build (&rig, LS_CL_BUILD_OPTIONS);
          g_assert_false (from_cache ());
          g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
          g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
          build (&rig, LS_CL_BUILD_OPTIONS);
          g_assert_true (marks || from_cache ());
        }
    }
  rig_close (&rig);
}

/* ---- kernels of the user's ---- */

/* The error of loading and building canary.cl with that text for it, of that length, in LOCKSTEP_KERNEL_DIR;
 * NULL: a folder. */
static GError *
build_override (Rig *rig, const char *text, gssize length)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *path = g_build_filename (folder, "canary.cl", NULL), *source = NULL;
  GError *error = NULL;
  cl_program program = NULL;

  if (text)
    g_assert_true (g_file_set_contents (path, text, length, NULL));
  else
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_setenv ("LOCKSTEP_KERNEL_DIR", folder, TRUE);
  source = ls_cl_source_load (NULL, canary_files, &error);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  if (source)
    program = ls_cl_program_build (&rig->builder, "canary.cl", source, LS_CL_BUILD_OPTIONS, &error);
  if (program)
    clReleaseProgram (program);
  g_assert_true ((program == NULL) == (error != NULL));
  if (error)
    {
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_test_message ("%s", error->message);
    }
  return error;
}

static void
assert_error (GError *error, LsError code, const char *words)
{
  g_assert_error (error, LS_ERROR, (int) code);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” doesn't say “%s”", error->message, words);
}

static void
test_broken_kernel (void)
{
  g_autoptr (GError) syntax = NULL, good = NULL;
  Rig rig;

  if (!rig_open (&rig))
    return;
  syntax = build_override (
    &rig, "/* one\n   two */\n__kernel void canary (__global float *y) { y[0] = nonsuch; }\n", -1);
  assert_error (syntax, LS_ERROR_BUILD, "the kernel canary.cl doesn't build for ");
  assert_error (syntax, LS_ERROR_BUILD, "CL_BUILD_PROGRAM_FAILURE (-11)");
  assert_error (syntax, LS_ERROR_BUILD, "canary.cl:3:");
  assert_error (syntax, LS_ERROR_BUILD, "undeclared identifier 'nonsuch'");
  good = build_override (&rig, "__kernel void canary (__global float *y) { y[0] = 1.0f; }\n", -1);
  g_assert_no_error (good);
  build (&rig, LS_CL_BUILD_OPTIONS); /* the program's own again */
  rig_close (&rig);
}

static void
test_hostile_kernel_files (void)
{
  g_autofree char *huge = g_strnfill ((1u << 20) + 1, ' ');
  g_autoptr (GError) folder = NULL, nul = NULL, big = NULL, bytes = NULL;
  Rig rig;

  if (!rig_open (&rig))
    return;
  folder = build_override (&rig, NULL, 0);
  assert_error (folder, LS_ERROR_FILE, "is a folder");
  assert_error (folder, LS_ERROR_FILE, "canary.cl");
  nul = build_override (&rig, "__kernel\0void", 13);
  assert_error (nul, LS_ERROR_FILE, "is no text of at most 1 MiB");
  big = build_override (&rig, huge, -1);
  assert_error (big, LS_ERROR_FILE, "is no text of at most 1 MiB");
  bytes = build_override (&rig, "\xff\xfe\xfd #error \xff", -1); /* the log holds it; the message is UTF-8 all
                                                                    the same */
  assert_error (bytes, LS_ERROR_BUILD, "doesn't build");
  rig_close (&rig);
}

/* ---- calls that fail ---- */

static void
test_faults (void)
{
  static const struct {
    const char *rule;
    LsError code;
    const char *words;
  } faults[] = {
    { "fail:source:1:-6", LS_ERROR_MEMORY,
      "clCreateProgramWithSource failed for canary.cl: CL_OUT_OF_HOST_MEMORY (-6)" },
    { "fail:build:1:-5", LS_ERROR_BUILD, "canary.cl doesn't build for " },
    { "fail:build:1:-77", LS_ERROR_BUILD, "unknown code (-77)" },
  };
  Rig rig;
  g_autoptr (GError) lost = NULL;
  LsClBuilder none;

  if (!rig_open (&rig))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (GError) error = NULL;
      empty_cache (&rig);
      clfault_set (faults[i].rule);
      g_assert_null (
        ls_cl_program_build (&rig.builder, "canary.cl", rig.source, LS_CL_BUILD_OPTIONS, &error));
      assert_error (error, faults[i].code, faults[i].words);
      g_assert_cmpuint (scenario_files (rig.builder.cache_folder, NULL, NULL), ==, 0);
    }
  build (&rig, LS_CL_BUILD_OPTIONS);
  clfault_set ("fail:binary:1:-42:once"); /* the driver refuses what it once made */
  clReleaseProgram (ls_cl_program_build (&rig.builder, "canary.cl", rig.source, LS_CL_BUILD_OPTIONS, NULL));
  g_assert_cmpuint (clfault_count ("source"), ==, 1);
  clfault_set ("fail:info:1:-30"); /* it won't say how large the binary is: nothing is stored */
  empty_cache (&rig);
  clReleaseProgram (ls_cl_program_build (&rig.builder, "canary.cl", rig.source, LS_CL_BUILD_OPTIONS, NULL));
  g_assert_cmpuint (scenario_files (rig.builder.cache_folder, NULL, NULL), ==, 0);
  clfault_set ("fail:context:1:-5");
  g_assert_false (ls_cl_builder_init (&none, rig.builder.device, &lost));
  assert_error (lost, LS_ERROR_DEVICE, "clCreateContext failed for ");
  ls_cl_builder_clear (&none);
  rig_close (&rig);
}

int
main (int argc, char **argv)
{
  g_autoptr (ScenarioFolder) xdg = scenario_folder ();

  setlocale (LC_ALL, "");
  g_setenv ("XDG_CACHE_HOME", xdg, TRUE);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  ls_cl_environment_setup ();
  g_test_init (&argc, &argv, NULL);
  scenario_begin ();
  g_test_add_func ("/program/second-build", test_second_build);
  g_test_add_func ("/program/whose", test_whose);
  g_test_add_func ("/program/damage", test_damage);
  g_test_add_func ("/program/foreign-binary", test_foreign_binary);
  g_test_add_func ("/program/no-cache", test_no_cache);
  g_test_add_func ("/program/no-file", test_no_file);
  g_test_add_func ("/program/broken-kernel", test_broken_kernel);
  g_test_add_func ("/program/hostile-kernel-files", test_hostile_kernel_files);
  g_test_add_func ("/program/faults", test_faults);
  return g_test_run ();
}
