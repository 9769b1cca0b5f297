/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of op classes, in LS_OPS's order.
 */
#include "ops/op.h"

#define ROW(name) &ls_op_##name,
static const LsOpClass *const classes[] = { LS_OPS (ROW) };
#undef ROW

const LsOpClass *const *
ls_op_classes (guint *n_classes)
{
  *n_classes = G_N_ELEMENTS (classes);
  return classes;
}

const LsOpClass *
ls_op_class_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_strcmp0 (classes[i]->name, name) == 0)
      return classes[i];
  return NULL;
}

const char *
ls_phase_name (LsPhase phase)
{
  static const char *const names[] = { "input", "forward", "loss", "backward", "update" };

  return (guint) phase < G_N_ELEMENTS (names) ? names[phase] : "unknown";
}
