/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a plan needs on a device beside tensors and data, from its shapes: for whoever has no device.
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

#define LS_CL_FIRST_STEPS                                                                                    \
  16 /* a lane's turns are no longer: room for as many steps' losses and positions                           \
      */

/* As in LsBackendMemory; self isn't looked at. Vectors are taken to be of 8 floats. */
gint64 ls_cl_workspace (gpointer self, const LsPlan *plan);

G_END_DECLS
