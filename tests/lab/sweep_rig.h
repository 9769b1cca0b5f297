/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps of a small network, for the tests of them.
 */
#pragma once

#include "core/error.h"
#include "lab/sweep.h"
#include "played.h"
#include "rig.h"

static inline LsOptions *
options_of (const char *lanes)
{
  LsOptions *options = rig_options (lanes);

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "xor", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), "flatten, dense 2", NULL));
  return options;
}

static inline LsSweep *
sweep_new (const char *lanes, const char *const *vary)
{
  g_autoptr (LsOptions) options = options_of (lanes);
  g_autoptr (GError) error = NULL;
  LsSweep *sweep = ls_sweep_new (options, vary, &error);

  g_assert_no_error (error);
  return sweep;
}
