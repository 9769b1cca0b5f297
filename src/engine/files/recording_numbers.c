/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device says in numbers: a member "numbers" of its object, name → value, in bytes, nanoseconds or
 * counts, and only those that are known. Before there was one, numbers were texts among the facts, and so was
 * who computes the CPU lane's products: here they are read once, and nowhere else.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "files/json.h"
#include "files/recording_format.h"
#include "files/text.h"

void
ls_recording_append_numbers (GString *out, const LsDeviceInfo *device)
{
  const char *comma = "";

  g_string_append (out, ",\"numbers\":{");
  for (guint i = 0; i < LS_DEVICE_N; i++)
    if (device->numbers[i] >= 0)
      {
        g_string_append_printf (out, "%s\"%s\":", comma, ls_device_number_names[i]);
        ls_text_append_double (out, device->numbers[i]);
        comma = ",";
      }
  g_string_append_c (out, '}');
}

/* "48.0 KiB", "16"; −1: no number. */
static double
read_text (const char *text)
{
  char *unit;
  const double value = g_ascii_strtod (text, &unit);

  if (unit == text || !(value > 0 && value < 0x1p32))
    return -1;
  while (*unit == ' ' || (guchar) *unit == 0xC2 || (guchar) *unit == 0xA0)
    unit++;
  return *unit == 'K' || *unit == 'k' ? trunc (value * 0x1p10)
         : *unit == 'M'               ? trunc (value * 0x1p20)
         : *unit == 'G'               ? trunc (value * 0x1p30)
                                      : value;
}

static void
read_before (LsDeviceInfo *device)
{
  const char *large = g_hash_table_lookup (device->facts, "large-products");
  const char *core = device->driver != NULL ? strrchr (device->driver, '(') : NULL;

  for (guint i = 0; i < LS_DEVICE_N; i++)
    {
      const char *text = g_hash_table_lookup (device->facts, ls_device_number_names[i]);
      if (text != NULL && (device->numbers[i] = read_text (text)) >= 0)
        g_hash_table_remove (device->facts, ls_device_number_names[i]);
    }
  device->own_products = large != NULL && !g_str_has_prefix (large, "OpenBLAS");
  if (device->who == LS_BACKEND_CPU && device->core == NULL && core != NULL)
    device->core = g_strndup (core + 1, strcspn (core + 1, ")"));
}

gboolean
ls_recording_read_numbers (LsDeviceInfo *device, const json_t *object, GError **error)
{
  const json_t *numbers;

  if (json_object_get (object, "numbers") == NULL)
    {
      read_before (device);
      return TRUE;
    }
  numbers = ls_json_get_object (object, "numbers", error);
  for (guint i = 0; numbers != NULL && i < LS_DEVICE_N; i++)
    if (json_object_get (numbers, ls_device_number_names[i]) != NULL
        && !ls_json_get_double (numbers, ls_device_number_names[i], 0, 0x1p62, &device->numbers[i], error))
      return FALSE;
  return numbers != NULL;
}
