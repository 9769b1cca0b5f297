/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a driver's error is called, what it means and what kind of failure it is: by the numbers of the OpenCL
 * 1.2 specification (its cl.h), which are stable.
 */
#include "backends/opencl/device/cl_error.h"

#include <string.h>

#include "core/error.h"

typedef struct {
  int code;
  const char *name, *words; /* NULL: the name says it all */
} Row;

static const Row table[] = {
  { -1, "CL_DEVICE_NOT_FOUND", "there is no such device" },
  { -2, "CL_DEVICE_NOT_AVAILABLE", "the device is not available" },
  { -3, "CL_COMPILER_NOT_AVAILABLE", "no compiler" },
  { -4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "the device has not enough free memory" },
  { -5, "CL_OUT_OF_RESOURCES", "ran out of resources" },
  { -6, "CL_OUT_OF_HOST_MEMORY", "the driver ran out of memory" },
  { -7, "CL_PROFILING_INFO_NOT_AVAILABLE", "not timed" },
  { -8, "CL_MEM_COPY_OVERLAP", NULL },
  { -9, "CL_IMAGE_FORMAT_MISMATCH", NULL },
  { -10, "CL_IMAGE_FORMAT_NOT_SUPPORTED", NULL },
  { -11, "CL_BUILD_PROGRAM_FAILURE", "the kernel does not compile" },
  { -12, "CL_MAP_FAILURE", NULL },
  { -13, "CL_MISALIGNED_SUB_BUFFER_OFFSET", NULL },
  { -14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "an earlier command failed" },
  { -15, "CL_COMPILE_PROGRAM_FAILURE", "the kernel does not compile" },
  { -16, "CL_LINKER_NOT_AVAILABLE", "no linker" },
  { -17, "CL_LINK_PROGRAM_FAILURE", "does not link" },
  { -18, "CL_DEVICE_PARTITION_FAILED", NULL },
  { -19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", NULL },
  { -30, "CL_INVALID_VALUE", NULL },
  { -31, "CL_INVALID_DEVICE_TYPE", NULL },
  { -32, "CL_INVALID_PLATFORM", NULL },
  { -33, "CL_INVALID_DEVICE", NULL },
  { -34, "CL_INVALID_CONTEXT", NULL },
  { -35, "CL_INVALID_QUEUE_PROPERTIES", NULL },
  { -36, "CL_INVALID_COMMAND_QUEUE", "the device was lost" },
  { -37, "CL_INVALID_HOST_PTR", NULL },
  { -38, "CL_INVALID_MEM_OBJECT", NULL },
  { -39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", NULL },
  { -40, "CL_INVALID_IMAGE_SIZE", NULL },
  { -41, "CL_INVALID_SAMPLER", NULL },
  { -42, "CL_INVALID_BINARY", "refuses the stored kernel" },
  { -43, "CL_INVALID_BUILD_OPTIONS", NULL },
  { -44, "CL_INVALID_PROGRAM", NULL },
  { -45, "CL_INVALID_PROGRAM_EXECUTABLE", NULL },
  { -46, "CL_INVALID_KERNEL_NAME", "no kernel of that name" },
  { -47, "CL_INVALID_KERNEL_DEFINITION", NULL },
  { -48, "CL_INVALID_KERNEL", NULL },
  { -49, "CL_INVALID_ARG_INDEX", "takes fewer arguments" }, /* one was set that it doesn't have */
  { -50, "CL_INVALID_ARG_VALUE", NULL },
  { -51, "CL_INVALID_ARG_SIZE", "another type" },
  { -52, "CL_INVALID_KERNEL_ARGS", "takes more arguments" }, /* some weren't set */
  { -53, "CL_INVALID_WORK_DIMENSION", NULL },
  { -54, "CL_INVALID_WORK_GROUP_SIZE", "work-groups of this size" },
  { -55, "CL_INVALID_WORK_ITEM_SIZE", "work-groups of this shape" },
  { -56, "CL_INVALID_GLOBAL_OFFSET", NULL },
  { -57, "CL_INVALID_EVENT_WAIT_LIST", NULL },
  { -58, "CL_INVALID_EVENT", NULL },
  { -59, "CL_INVALID_OPERATION", NULL },
  { -60, "CL_INVALID_GL_OBJECT", NULL },
  { -61, "CL_INVALID_BUFFER_SIZE", "so much in one piece" },
  { -62, "CL_INVALID_MIP_LEVEL", NULL },
  { -63, "CL_INVALID_GLOBAL_WORK_SIZE", NULL },
  { -64, "CL_INVALID_PROPERTY", NULL },
  { -65, "CL_INVALID_IMAGE_DESCRIPTOR", NULL },
  { -66, "CL_INVALID_COMPILER_OPTIONS", NULL },
  { -67, "CL_INVALID_LINKER_OPTIONS", NULL },
  { -68, "CL_INVALID_DEVICE_PARTITION_COUNT", NULL },
  { -1001, "CL_PLATFORM_NOT_FOUND_KHR", "no OpenCL driver is installed" },
};

/* The whole sentence, so that neither a part nor a comma is lost. */
static void
test_sentences (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const Row *row = &table[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *start = g_strdup_printf ("clSomeCall failed for dW₁: %s (%d)", row->name, row->code);

      g_assert_cmpstr (ls_cl_error_name (row->code), ==, row->name);
      g_assert_false (ls_cl_fail (&error, row->code, "clSomeCall", "dW₁"));
      g_assert_true (g_str_has_prefix (error->message, start));
      if (row->words == NULL)
        g_assert_cmpstr (error->message, ==, start);
      else if (!g_str_has_prefix (error->message + strlen (start), ", ")
               || strstr (error->message, row->words) == NULL)
        g_error ("“%s” doesn't say that it means “%s”", error->message, row->words);
    }
}

/* Want of memory is told apart: another batch or network may help, and a retry is offered. */
static void
test_kinds (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const int code = table[i].code;
      const gboolean memory = code == -4 || code == -6 || code == -61;
      g_autoptr (GError) error = NULL;

      ls_cl_fail (&error, code, "clSomeCall", "dW₁");
      if (!g_error_matches (error, LS_ERROR, memory ? LS_ERROR_MEMORY : LS_ERROR_DEVICE))
        g_error ("%s counts %s a want of memory", table[i].name, memory ? "not as" : "as");
    }
}

/* A vendor's own code has no name, and what it says of itself is its number. */
static void
test_unknown (void)
{
  static const int codes[] = { 1, -20, -29, -69, -1000, -1002, -9999, G_MININT };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *whole = g_strdup_printf ("clSomeCall failed for x: unknown code (%d)", codes[i]);

      g_assert_cmpstr (ls_cl_error_name (codes[i]), ==, "unknown code");
      ls_cl_fail (&error, codes[i], "clSomeCall", "x");
      g_assert_cmpstr (error->message, ==, whole);
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
    }
  g_assert_cmpstr (ls_cl_error_name (0), ==, "CL_SUCCESS");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl-errors/sentences", test_sentences);
  g_test_add_func ("/opencl-errors/kinds", test_kinds);
  g_test_add_func ("/opencl-errors/unknown", test_unknown);
  return g_test_run ();
}
