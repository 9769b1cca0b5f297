/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources, builds and the cache of built programs: see program.h.
 */
#include "config.h"
#include "backends/opencl/kernels/program.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/device/environment.h"
#include "core/error.h"
#include "core/file.h"

#define MAX_SOURCE_BYTES (1u << 20)
#define MAX_BINARY_BYTES (64u << 20)
#define CACHE_MAGIC      "LSCLBIN1"
#define MARK             "LSCLSRC1" /* of a program that the driver keeps itself */
#define MAGIC_BYTES      8
#define DIGEST_BYTES     32
#define HEADER_BYTES     (MAGIC_BYTES + DIGEST_BYTES)

/* ---- sources ---- */

/* The text names it, as a word. */
static gboolean
is_named (const char *text, const char *end, const char *name)
{
  const gsize length = strlen (name);

  for (const char *at = text; (at = g_strstr_len (at, end - at, name)) != NULL; at += length)
    if (at[-1] != '_' && !g_ascii_isalnum (at[-1]) && at[length] != '_' && !g_ascii_isalnum (at[length]))
      return TRUE;
  return FALSE;
}

/* Where the kernel that begins at this line ends: as a function, or as one of the two macros of lstm.cl,
 * which takes a line. NULL: there begins none. */
static char *
kernel_end (char *line)
{
  char *end = NULL;

  if (g_str_has_prefix (line, "__kernel ") && (end = strstr (line, "\n}\n")) != NULL)
    return end + 2;
  return g_str_has_prefix (line, "NAIVE (") || g_str_has_prefix (line, "PACKED (") ? strchr (line, '\n')
                                                                                   : NULL;
}

/* Blanks for the kernels that the row doesn't launch: a driver compiles all that it is given. */
static void
keep_launched (char *text, const LsClKernel *row)
{
  for (char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      gboolean launched = FALSE;
      char *end;

      line += *line == '\n';
      if ((end = kernel_end (line)) == NULL)
        continue;
      for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
        launched |= is_named (line, end, row->passes[p].function);
      for (; !launched && line < end; line++)
        *line = *line == '\n' ? '\n' : ' ';
    }
}

static gboolean
append_file (GString *source, const LsKernelFiles *edited, const char *name, const LsClKernel *row,
             GError **error)
{
  const char *folder = edited == NULL ? g_getenv ("LOCKSTEP_KERNEL_DIR") : NULL;
  g_autoptr (GError) cause = NULL;
  g_autofree char *text = NULL;

  if (edited != NULL)
    text = g_strdup (g_hash_table_lookup (edited->texts, name));
  else if (folder != NULL && *folder != '\0')
    text = ls_kernel_files_load (folder, name, &cause);
  if (text == NULL && cause == NULL)
    {
      if ((text = ls_kernel_files_own (name)) == NULL)
        g_set_error (&cause, LS_ERROR, LS_ERROR_FILE, _("the program has no kernel file “%s”"), name);
      else if (row != NULL)
        keep_launched (text, row);
    }
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  g_string_append_printf (source, "#line 1 \"%s\"\n%s\n", name, text);
  return TRUE;
}

static char *
load (const LsKernelFiles *edited, const char *const *names, const LsClKernel *row, GError **error)
{
  GString *source = g_string_new (NULL);

  for (guint i = 0; names[i]; i++)
    if (!append_file (source, edited, names[i], row, error))
      {
        g_string_free (source, TRUE);
        return NULL;
      }
  return g_string_free (source, FALSE);
}

char *
ls_cl_source_load (const LsKernelFiles *edited, const char *const *names, GError **error)
{
  return load (edited, names, NULL, error);
}

char *
ls_cl_source_load_row (const LsKernelFiles *edited, const LsClKernel *row, GError **error)
{
  return load (edited, row->sources, row, error);
}

/* ---- the cache ---- */

/* PoCL keeps what it has compiled. To hand out a binary it compiles every kernel of the program once more,
 * for work-groups of any size, which takes as long as the build itself and spares a later start at most a
 * tenth of a second. So programs are left to PoCL's cache, and a mark beside that says what is there. */
static gboolean
driver_keeps (const LsClDevice *device)
{
  return device->driver == LS_CL_DRIVER_POCL && g_getenv ("POCL_CACHE_DIR") != NULL;
}

static char *
cache_folder (const LsClDevice *device)
{
  g_autofree char *folder = NULL;

  if (!driver_keeps (device))
    return ls_cl_environment_cache_folder ("cl");
  folder = g_build_filename (g_getenv ("POCL_CACHE_DIR"), "lockstep", NULL);
  return g_mkdir_with_parents (folder, 0700) == 0 ? g_steal_pointer (&folder) : NULL;
}

/* PoCL forgets its built-in functions when no context is left, and the next build reads them again, for half
 * a second: the first one of the process stays. */
static void
keep_built_ins (const LsClBuilder *builder)
{
  static gsize kept;

  if (builder->device->driver == LS_CL_DRIVER_POCL && g_once_init_enter (&kept))
    {
      clRetainContext (builder->context);
      g_once_init_leave (&kept, (gsize) builder->context);
    }
}

gboolean
ls_cl_builder_init (LsClBuilder *builder, const LsClDevice *device, GError **error)
{
  const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties) device->platform,
                                               0 };
  cl_int code;

  *builder = (LsClBuilder){ .device = device };
  builder->context = clCreateContext (properties, 1, &device->id, NULL, NULL, &code);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clCreateContext", device->info->name);
  keep_built_ins (builder);
  builder->cache_folder = cache_folder (device);
  return TRUE;
}

void
ls_cl_builder_clear (LsClBuilder *builder)
{
  if (builder->context)
    clReleaseContext (builder->context);
  builder->context = NULL;
  g_clear_pointer (&builder->cache_folder, g_free);
}

static void
digest (const void *data, gsize size, guint8 out[DIGEST_BYTES])
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = DIGEST_BYTES;
  g_checksum_update (sum, data, (gssize) size);
  g_checksum_get_digest (sum, out, &length);
}

/* Each part goes in with its end marked, so that no two lists of parts run together to the same text. */
static char *
cache_path (const LsClBuilder *builder, const char *source, const char *options)
{
  const LsClDevice *device = builder->device;
  const char *const parts[] = { source,
                                options,
                                device->platform_name,
                                device->platform_version,
                                device->info->name,
                                device->info->version,
                                device->info->driver,
                                LS_VERSION };
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  if (builder->cache_folder == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  return g_build_filename (builder->cache_folder, g_checksum_get_string (sum), NULL);
}

gboolean
ls_cl_program_missing (const LsClBuilder *builder, const char *source, const char *options)
{
  g_autofree char *path = cache_path (builder, source, options);

  return path != NULL && !g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static cl_program
load_cached (const LsClBuilder *builder, const char *path, const char *options)
{
  g_autoptr (GBytes) bytes = NULL;
  guint8 sum[DIGEST_BYTES];
  gsize length, binary_length;
  const unsigned char *contents, *binary;
  cl_program program;
  cl_int code, status;

  if (path == NULL || (bytes = ls_file_read (path, HEADER_BYTES + MAX_BINARY_BYTES, NULL)) == NULL)
    return NULL;
  contents = g_bytes_get_data (bytes, &length);
  if (length <= HEADER_BYTES || memcmp (contents, CACHE_MAGIC, MAGIC_BYTES) != 0)
    return NULL;
  binary = contents + HEADER_BYTES;
  binary_length = length - HEADER_BYTES;
  digest (binary, binary_length, sum);
  if (memcmp (sum, contents + MAGIC_BYTES, DIGEST_BYTES) != 0)
    return NULL;
  program = clCreateProgramWithBinary (builder->context, 1, &builder->device->id, &binary_length, &binary,
                                       &status, &code);
  if (code != CL_SUCCESS || program == NULL)
    return NULL;
  if (status == CL_SUCCESS
      && clBuildProgram (program, 1, &builder->device->id, options, NULL, NULL) == CL_SUCCESS)
    return program;
  clReleaseProgram (program);
  return NULL;
}

static void
store_cached (const LsClBuilder *builder, const char *path, cl_program program)
{
  size_t size = 0;
  g_autofree char *contents = NULL;
  unsigned char *binary;

  if (path != NULL && driver_keeps (builder->device))
    {
      g_file_set_contents_full (path, MARK, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
      return;
    }
  if (path == NULL
      || clGetProgramInfo (program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS
      || size == 0 || size > MAX_BINARY_BYTES || (contents = g_try_malloc (HEADER_BYTES + size)) == NULL)
    return;
  binary = (unsigned char *) contents + HEADER_BYTES;
  if (clGetProgramInfo (program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) != CL_SUCCESS)
    return;
  memcpy (contents, CACHE_MAGIC, MAGIC_BYTES);
  digest (binary, size, (guint8 *) contents + MAGIC_BYTES);
  /* A cache: what a power cut takes away is built again, so no fsync. */
  g_file_set_contents_full (path, contents, (gssize) (HEADER_BYTES + size), G_FILE_SET_CONTENTS_CONSISTENT,
                            0600, NULL);
}

/* ---- building ---- */

static char *
build_log (const LsClBuilder *builder, cl_program program)
{
  size_t size = 0;
  g_autofree char *log = NULL;

  if (clGetProgramBuildInfo (program, builder->device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS
      || size > MAX_SOURCE_BYTES)
    return g_strdup ("");
  log = g_malloc0 (size + 1);
  if (clGetProgramBuildInfo (program, builder->device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL)
      != CL_SUCCESS)
    return g_strdup ("");
  return g_utf8_make_valid (g_strstrip (log), -1);
}

cl_program
ls_cl_program_build (const LsClBuilder *builder, const char *title, const char *source, const char *options,
                     GError **error)
{
  g_autofree char *path = cache_path (builder, source, options);
  cl_program program = load_cached (builder, path, options);
  cl_int code;

  if (program)
    return program;
  program = clCreateProgramWithSource (builder->context, 1, &source, NULL, &code);
  if (code != CL_SUCCESS)
    {
      ls_cl_fail (error, code, "clCreateProgramWithSource", title);
      return NULL;
    }
  code = clBuildProgram (program, 1, &builder->device->id, options, NULL, NULL);
  if (code != CL_SUCCESS)
    {
      g_autofree char *log = build_log (builder, program);
      g_set_error (error, LS_ERROR, LS_ERROR_BUILD, _("the kernel %s doesn't build for %s: %s (%d)%s%s"),
                   title, builder->device->info->name, ls_cl_error_name (code), code, *log ? "\n" : "", log);
      clReleaseProgram (program);
      return NULL;
    }
  store_cached (builder, path, program);
  return program;
}
