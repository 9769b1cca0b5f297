/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep lab sweep --vary …`: steps under all combinations of options' values.
 */
#pragma once

#include "files/json.h"
#include "lab/sweep.h"
#include "ui/cli/command.h"

G_BEGIN_DECLS

LsExit ls_lab_sweep (const LsArguments *arguments, guint seconds, guint rounds, GError **error);

/* lab_sweep_files.c: "batch,kernel,lane,rate,unit,q1,q3,n,why", a line for each combination that is done and
 * lane; (transfer full). */
char *ls_lab_sweep_csv (const LsSweep *sweep);
/* (transfer full) */
json_t *ls_lab_sweep_json (const LsSweep *sweep);

G_END_DECLS
