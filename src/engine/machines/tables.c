/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See tables.h.
 */
#include "config.h"
#include "machines/tables.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The bounds leave room for what may come, and none for a wrong unit. */
const LsHardwareKindRow ls_hardware_kinds[LS_HARDWARE_N] = {
  [LS_HARDWARE_COMPUTE] = { "compute", N_("compute"), "FLOP/s", "OP/s", 1e8, 1e18, TRUE },
  [LS_HARDWARE_MEMORY] = { "memory", N_("memory"), "B", NULL, 1e4, 1e14, FALSE },
  [LS_HARDWARE_BANDWIDTH] = { "bandwidth", N_("bandwidth"), "B/s", NULL, 1e8, 1e15, FALSE },
  [LS_HARDWARE_POWER] = { "power", N_("power"), "W", NULL, 1e-3, 1e5, FALSE },
  [LS_HARDWARE_PRICE] = { "price", N_("price"), "USD", NULL, 1, 1e7, FALSE },
  [LS_HARDWARE_RENT] = { "rent", N_("rent"), "USD/h", NULL, 1e-3, 1e4, FALSE },
  [LS_HARDWARE_CORES] = { "cores", N_("cores"), "cores", NULL, 1, 1e6, FALSE, TRUE },
  [LS_HARDWARE_MATRIX_CORES] = { "matrix-cores", N_("matrix cores"), "cores", NULL, 1, 1e5, FALSE, TRUE },
  [LS_HARDWARE_UNITS] = { "units", N_("units"), "units", NULL, 1, 1e5, FALSE, TRUE },
  [LS_HARDWARE_CLOCK] = { "clock", N_("clock"), "Hz", NULL, 1e6, 1e11, FALSE },
  [LS_HARDWARE_PER_CLOCK] = { "per-clock", N_("per core and clock"), "FLOP", NULL, 1, 1e5, TRUE },
  [LS_HARDWARE_NEURONS] = { "neurons", N_("neurons"), "neurons", NULL, 1, 1e12, FALSE, TRUE },
  [LS_HARDWARE_SYNAPSES] = { "synapses", N_("synapses"), "synapses", NULL, 1, 1e15, FALSE, TRUE },
  [LS_HARDWARE_EVENT] = { "event", N_("a synaptic event"), "J", NULL, 1e-16, 1e-3, FALSE },
};

static const LsHardwareUnit units[] = {
  { "GFLOP/s", "FLOP/s", 1e9 },
  { "TFLOP/s", "FLOP/s", 1e12 },
  { "TOP/s", "OP/s", 1e12 },
  { "MB", "B", 1e6 },
  { "GB", "B", 1e9 },
  { "TB", "B", 1e12 },
  { "MiB", "B", 1048576. },
  { "GiB", "B", 1073741824. },
  { "GB/s", "B/s", 1e9 },
  { "TB/s", "B/s", 1e12 },
  { "GiB/s", "B/s", 1073741824. },
  { "mW", "W", 1e-3 },
  { "W", "W", 1 },
  { "USD", "USD", 1 },
  { "USD/h", "USD/h", 1 },
  { "cores", "cores", 1 },
  { "units", "units", 1 },
  { "MHz", "Hz", 1e6 },
  { "GHz", "Hz", 1e9 },
  { "FLOP", "FLOP", 1 },
  { "neurons", "neurons", 1 },
  { "synapses", "synapses", 1 },
  { "pJ", "J", 1e-12 },
};

static const struct {
  const char *name, *title;
} means_rows[] = {
  { "dense", N_("dense") },           { "sparse", N_("sparse, half of the weights 0") },
  { "base", N_("base clock") },       { "boost", N_("boost clock") },
  { "vector", N_("vectors") },        { "matrix", N_("matrix units") },
  { "design", N_("thermal design") }, { "most", N_("at most") },
  { "launch", N_("at launch") },
};

static const struct {
  const char *name, *title;
} sorts[LS_HARDWARE_N_SORTS] = {
  [LS_HARDWARE_CPU] = { "cpu", N_("processor") },
  [LS_HARDWARE_GPU] = { "gpu", N_("graphics card") },
  [LS_HARDWARE_TPU] = { "tpu", N_("systolic array") },
  [LS_HARDWARE_NPU] = { "npu", N_("neural engine") },
  [LS_HARDWARE_SPIKING] = { "spiking", N_("spiking neurons") },
  [LS_HARDWARE_FPGA] = { "fpga", N_("FPGA") },
};

const char *const ls_numbers_names[LS_NUMBERS_N]
  = { "", "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8" };

const LsHardwareUnit *
ls_hardware_unit_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

gint
ls_hardware_kind_find (const char *name)
{
  for (gint i = 0; i < LS_HARDWARE_N; i++)
    if (strcmp (ls_hardware_kinds[i].name, name) == 0)
      return i;
  return -1;
}

gint
ls_hardware_sort_find (const char *name)
{
  for (gint i = 0; i < LS_HARDWARE_N_SORTS; i++)
    if (strcmp (sorts[i].name, name) == 0)
      return i;
  return -1;
}

gint
ls_numbers_find (const char *name)
{
  for (gint i = LS_NUMBERS_UNTOLD + 1; i < LS_NUMBERS_N; i++)
    if (strcmp (ls_numbers_names[i], name) == 0)
      return i;
  return -1;
}

guint
ls_means_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (means_rows); i++)
    if (strcmp (means_rows[i].name, name) == 0)
      return 1u << i;
  return 0;
}

gboolean
ls_means_fit (guint means)
{
  static const guint pairs[] = { LS_MEANS_DENSE | LS_MEANS_SPARSE, LS_MEANS_BASE | LS_MEANS_BOOST,
                                 LS_MEANS_VECTOR | LS_MEANS_MATRIX, LS_MEANS_DESIGN | LS_MEANS_MOST };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    if ((means & pairs[i]) == pairs[i])
      return FALSE;
  return TRUE;
}

const char *
ls_hardware_kind_name (LsHardwareKind kind)
{
  return ls_hardware_kinds[kind].name;
}

const char *
ls_hardware_kind_title (LsHardwareKind kind)
{
  return ls_hardware_kinds[kind].title;
}

gboolean
ls_hardware_kind_counts (LsHardwareKind kind)
{
  return ls_hardware_kinds[kind].counts;
}

const char *
ls_hardware_sort_title (LsHardwareSort sort)
{
  return sorts[sort].title;
}

const char *
ls_means_name (LsMeans means)
{
  return means_rows[g_bit_nth_lsf (means, -1)].name;
}

const char *
ls_means_title (LsMeans means)
{
  return means_rows[g_bit_nth_lsf (means, -1)].title;
}
