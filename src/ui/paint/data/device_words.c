/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "ui/paint/data/device_words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/kernel_files.h"

char *
ls_device_short_name (const char *name)
{
  static const char *const ornaments[] = { "(R)", "(r)",        "(TM)",     "(tm)", "®",
                                           "™",   " Processor", "pthread-", "cpu-" };
  GString *text = g_string_new (name != NULL ? name : "");
  char *at = strstr (text->str, " @");

  if (at != NULL)
    g_string_truncate (text, (gsize) (at - text->str));
  for (guint i = 0; i < G_N_ELEMENTS (ornaments); i++)
    g_string_replace (text, ornaments[i], "", 0);
  g_string_replace (text, " CPU ", " ", 0);
  g_string_replace (text, "  ", " ", 0);
  g_strstrip (text->str);
  return g_string_free (text, FALSE);
}

static gboolean
opencl_on_cpu (const LsDeviceInfo *device)
{
  return device != NULL && device->who == LS_BACKEND_OPENCL && device->shares_cpu;
}

char *
ls_device_lane_name (LsBackendKind who, const LsDeviceInfo *device)
{
  if (opencl_on_cpu (device))
    return g_strdup (_("OpenCL on the CPU"));
  if (who == LS_BACKEND_OPENCL)
    return g_strdup ("OpenCL");
  return g_strdup (who == LS_BACKEND_CPU ? _("CPU") : _("Reference"));
}

char *
ls_device_line (const LsDeviceInfo *device)
{
  g_autofree char *name = ls_device_short_name (device->name);
  const gint n = MAX (device->units, 1);

  if (opencl_on_cpu (device))
    return g_strdup ("");
  if (device->units < 1 || *name == '\0')
    return g_steal_pointer (&name);
  if (device->who == LS_BACKEND_CPU)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, %d core", "%s, %d cores", (gulong) n), name,
                            n);
  return g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%s, %d compute unit", "%s, %d compute units", (gulong) n), name, n);
}

/* "OpenBLAS 0.3.21 Cooperlake" without the core's name: the list of devices has it. */
static char *
driver_words (const LsDeviceInfo *device)
{
  g_auto (GStrv) words = g_strsplit (_(device->driver), " ", 3); /* "naive loops" is a driver, too */

  /* a distribution's mark on the version tells nothing here */
  if (g_strv_length (words) >= 2 && strchr (words[1], '+') != NULL)
    *strchr (words[1], '+') = '\0';
  if (g_strv_length (words) < 2)
    return g_strdup (device->driver);
  return g_strdup_printf ("%s %s", words[0], words[1]);
}

/* Who computes most of the CPU lane's step: OpenBLAS, or the program itself, and then how. */
static char *
cpu_words (const LsDeviceInfo *device, const LsTiling *heavy)
{
  switch (heavy != NULL ? heavy->way : LS_WAY_OTHER)
    {
    case LS_WAY_OWN_LOOPS:
    case LS_WAY_DIRECT:
    case LS_WAY_BY_OUTPUTS:
      return g_strdup (_("own loops"));
    case LS_WAY_NAIVE_LOOPS:
      return g_strdup (_("naive loops"));
    case LS_WAY_SCALAR_LOOPS:
      return g_strdup (_("scalar loops"));
    default:
      return driver_words (device);
    }
}

char **
ls_device_conditions (const LsDeviceInfo *device, const LsTiling *heavy, LsPrecision precision)
{
  const gboolean cpu = device->who == LS_BACKEND_CPU;
  GPtrArray *words = g_ptr_array_new ();

  if (device->threads > 0)
    g_ptr_array_add (words, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d thread", "%d threads",
                                                          (gulong) device->threads),
                                             device->threads));
  if (device->driver != NULL && *device->driver)
    g_ptr_array_add (words, cpu ? cpu_words (device, heavy) : driver_words (device));
  if (!cpu && heavy != NULL)
    g_ptr_array_add (words, g_strdup (heavy->kernel));
  g_ptr_array_add (words, g_strdup (ls_precision_name (precision)));
  if (g_hash_table_contains (device->facts, LS_FACT_EDITED))
    g_ptr_array_add (words, g_strdup_printf (_("edited: %s"), (const char *) g_hash_table_lookup (
                                                                 device->facts, LS_FACT_EDITED)));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}
