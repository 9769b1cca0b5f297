/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the CPU lane says about itself: processor, OpenBLAS and the kernels it chose, caches, pool, and what
 * recording costs. A fact whose key begins with "warning" is meant to be shown.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include <glib/gi18n-lib.h>
#include <sys/utsname.h>

#include "backends/cpu/blas.h"
#include "backends/cpu/gemm.h"

static void
add_fact (LsDeviceInfo *info, const char *key, char *value)
{
  g_hash_table_insert (info->facts, g_strdup (key), value);
}

/* Nanoseconds that one reading of the clock takes: the best of some runs, since others may hold the core
 * meanwhile. */
static double
stamp_cost_ns (void)
{
  double best = 1e9;

  for (guint run = 0; run < 8; run++)
    {
      guint64 start_ns = ls_clock_ns (), end_ns = start_ns;
      for (guint i = 0; i < 128; i++)
        end_ns = ls_clock_ns ();
      best = MIN (best, (double) (end_ns - start_ns) / 128);
    }
  return best;
}

static void
add_warnings (LsDeviceInfo *info, const LsCpu *self)
{
  const char *core = g_getenv ("OPENBLAS_CORETYPE");
  guint threads = ls_pool_size (self->pool);

  if (core && *core)
    {
      add_fact (info, "openblas-coretype", g_strdup (core));
      add_fact (info, "warning-openblas",
                g_strdup_printf (
                  _("The environment sets OPENBLAS_CORETYPE=%s, which may keep OpenBLAS from using this "
                     "processor’s best instructions; unset it for full speed."),
                  core));
    }
  if (g_getenv ("LOCKSTEP_IGNORED_CORETYPE"))
    add_fact (info, "openblas-coretype-ignored", g_strdup (g_getenv ("LOCKSTEP_IGNORED_CORETYPE")));
  if (threads < self->threads)
    add_fact (info, "warning-threads",
              g_strdup_printf (_("The system granted %u of %u threads; the CPU lane goes on with those."),
                               threads, self->threads));
}

LsDeviceInfo *
ls_cpu_device_info (const LsCpu *self)
{
  LsDeviceInfo *info = ls_device_info_new ("cpu");
  const LsTopology *t = &self->topology;
  struct utsname machine;

  if (t->model)
    info->name = g_strdup (t->model);
  else if (uname (&machine) == 0)
    info->name = g_strdup (machine.machine);
  info->kind = LS_DEVICE_CPU;
  info->driver = self->rung->blas ? ls_blas_describe () : g_strdup (self->rung->title);
  info->core = self->rung->blas ? g_strdup (ls_blas_core ()) : NULL;
  info->tells = LS_TELLS_THREADS;
  info->threads = (gint) ls_pool_size (self->pool);
  info->units = (gint) t->affinity;
  info->shares_cpu = TRUE;
  info->own_products = !self->rung->blas || !ls_gemm_uses_blas ();
  info->numbers[LS_DEVICE_WANTED] = self->threads;
  info->numbers[LS_DEVICE_USABLE] = t->usable;
  info->numbers[LS_DEVICE_CORES] = t->cores > 0 ? (double) t->cores : -1;
  info->numbers[LS_DEVICE_QUOTA] = t->quota > 0 ? t->quota : -1;
  info->numbers[LS_DEVICE_L1D] = t->l1d > 0 ? (double) t->l1d : -1;
  info->numbers[LS_DEVICE_L2] = t->l2 > 0 ? (double) t->l2 : -1;
  info->numbers[LS_DEVICE_L3] = t->l3 > 0 ? (double) t->l3 : -1;
  info->numbers[LS_DEVICE_LOOP_FLOATS] = ls_gemm_loop_floats ();
  info->numbers[LS_DEVICE_MISSES] = ls_misses_probe ();
  info->numbers[LS_DEVICE_STAMPS] = 1;
  info->numbers[LS_DEVICE_STAMP] = stamp_cost_ns ();
  add_fact (info, "large-products",
            g_strdup (!self->rung->blas    ? self->rung->title
                      : info->own_products ? "own loops: OpenBLAS adds in another order here"
                                           : "OpenBLAS"));
  add_fact (info, "small-products", g_strdup (self->rung->title));
  add_warnings (info, self);
  return info;
}
