/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of OpenCL 1.2's error codes (section 5 of its specification, and the loader's −1001), with words
 * for those that a user can meet without a mistake in this program.
 */
#include "config.h"
#include "backends/opencl/device/cl_error.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

typedef struct {
  cl_int code;
  const char *name, *words;
} ErrorRow;

/* clang-format off */
#define ROW(name, words) { name, #name, words }
/* clang-format on */
static const ErrorRow rows[] = {
  ROW (CL_SUCCESS, NULL),
  ROW (CL_DEVICE_NOT_FOUND, N_("there is no such device")),
  ROW (CL_DEVICE_NOT_AVAILABLE, N_("the device is not available at present")),
  ROW (CL_COMPILER_NOT_AVAILABLE, N_("the driver has no compiler")),
  ROW (CL_MEM_OBJECT_ALLOCATION_FAILURE, N_("the device has not enough free memory")),
  ROW (CL_OUT_OF_RESOURCES, N_("the device ran out of resources, or was lost")),
  ROW (CL_OUT_OF_HOST_MEMORY, N_("the driver ran out of memory")),
  ROW (CL_PROFILING_INFO_NOT_AVAILABLE, N_("the driver has not timed this command")),
  ROW (CL_MEM_COPY_OVERLAP, NULL),
  ROW (CL_IMAGE_FORMAT_MISMATCH, NULL),
  ROW (CL_IMAGE_FORMAT_NOT_SUPPORTED, NULL),
  ROW (CL_BUILD_PROGRAM_FAILURE, N_("the kernel does not compile")),
  ROW (CL_MAP_FAILURE, NULL),
  ROW (CL_MISALIGNED_SUB_BUFFER_OFFSET, NULL),
  ROW (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, N_("an earlier command failed")),
  ROW (CL_COMPILE_PROGRAM_FAILURE, N_("the kernel does not compile")),
  ROW (CL_LINKER_NOT_AVAILABLE, N_("the driver has no linker")),
  ROW (CL_LINK_PROGRAM_FAILURE, N_("the kernel does not link")),
  ROW (CL_DEVICE_PARTITION_FAILED, NULL),
  ROW (CL_KERNEL_ARG_INFO_NOT_AVAILABLE, NULL),
  ROW (CL_INVALID_VALUE, NULL),
  ROW (CL_INVALID_DEVICE_TYPE, NULL),
  ROW (CL_INVALID_PLATFORM, NULL),
  ROW (CL_INVALID_DEVICE, NULL),
  ROW (CL_INVALID_CONTEXT, NULL),
  ROW (CL_INVALID_QUEUE_PROPERTIES, NULL),
  ROW (CL_INVALID_COMMAND_QUEUE, N_("the device was lost")),
  ROW (CL_INVALID_HOST_PTR, NULL),
  ROW (CL_INVALID_MEM_OBJECT, NULL),
  ROW (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, NULL),
  ROW (CL_INVALID_IMAGE_SIZE, NULL),
  ROW (CL_INVALID_SAMPLER, NULL),
  ROW (CL_INVALID_BINARY, N_("the driver refuses the stored kernel")),
  ROW (CL_INVALID_BUILD_OPTIONS, NULL),
  ROW (CL_INVALID_PROGRAM, NULL),
  ROW (CL_INVALID_PROGRAM_EXECUTABLE, NULL),
  ROW (CL_INVALID_KERNEL_NAME, N_("the file has no kernel of that name")),
  ROW (CL_INVALID_KERNEL_DEFINITION, NULL),
  ROW (CL_INVALID_KERNEL, NULL),
  ROW (CL_INVALID_ARG_INDEX, N_("the kernel takes fewer arguments than its row in the table says")),
  ROW (CL_INVALID_ARG_VALUE, NULL),
  ROW (CL_INVALID_ARG_SIZE, N_("the kernel's argument has another type than its row in the table says")),
  ROW (CL_INVALID_KERNEL_ARGS, N_("the kernel takes more arguments than its row in the table says")),
  ROW (CL_INVALID_WORK_DIMENSION, NULL),
  ROW (CL_INVALID_WORK_GROUP_SIZE, N_("the device can't run work-groups of this size with this kernel")),
  ROW (CL_INVALID_WORK_ITEM_SIZE, N_("the device can't run work-groups of this shape")),
  ROW (CL_INVALID_GLOBAL_OFFSET, NULL),
  ROW (CL_INVALID_EVENT_WAIT_LIST, NULL),
  ROW (CL_INVALID_EVENT, NULL),
  ROW (CL_INVALID_OPERATION, NULL),
  ROW (CL_INVALID_GL_OBJECT, NULL),
  ROW (CL_INVALID_BUFFER_SIZE, N_("the device can't hold so much in one piece")),
  ROW (CL_INVALID_MIP_LEVEL, NULL),
  ROW (CL_INVALID_GLOBAL_WORK_SIZE, NULL),
  ROW (CL_INVALID_PROPERTY, NULL),
  ROW (CL_INVALID_IMAGE_DESCRIPTOR, NULL),
  ROW (CL_INVALID_COMPILER_OPTIONS, NULL),
  ROW (CL_INVALID_LINKER_OPTIONS, NULL),
  ROW (CL_INVALID_DEVICE_PARTITION_COUNT, NULL),
  { -1001, "CL_PLATFORM_NOT_FOUND_KHR", N_("no OpenCL driver is installed") },
};
#undef ROW

static const ErrorRow *
find_row (cl_int code)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].code == code)
      return &rows[i];
  return NULL;
}

const char *
ls_cl_error_name (cl_int code)
{
  const ErrorRow *row = find_row (code);
  return row ? row->name : "unknown code";
}

/* What it means for the user, translated; NULL where the name says it all. */
static const char *
words_of (cl_int code)
{
  const ErrorRow *row = find_row (code);
  return row && row->words ? _(row->words) : NULL;
}

gboolean
ls_cl_fail (GError **error, cl_int code, const char *call, const char *what)
{
  const char *words = words_of (code);
  gboolean memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY
                    || code == CL_INVALID_BUFFER_SIZE;

  /* Translators: an OpenCL function, what it was called for, the error's name and number, and what that
   * means */
  g_set_error (error, LS_ERROR, memory ? LS_ERROR_MEMORY : LS_ERROR_DEVICE,
               _("%s failed for %s: %s (%d)%s%s"), call, what, ls_cl_error_name (code), code,
               words ? ", " : "", words ? words : "");
  return FALSE;
}
