/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights as a safetensors file that PyTorch loads unchanged: tensors are named and laid out as an
 * nn.Sequential of the same layers names them ("0.weight" out×in, convolutions O×I×H×W, "0.bias").
 *   model.load_state_dict (safetensors.torch.load_file ("weights.safetensors"))
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

#define LS_WEIGHTS_MAX_BYTES (256 << 20)

/* values[i] are plan->params[i].weight's, stored as that: what it doesn't hold is rounded to the nearest,
 * ties to even; LS_ERROR_DATA: a finite one is beyond it. Errors: LS_ERROR_FILE, LS_ERROR_MEMORY, too. */
gboolean ls_weights_save (const char *path, const LsPlan *plan, const float *const *values, LsPrecision as,
                          GError **error);
/* Fails as ls_weights_save() would whatever the values are: before the first step. */
gboolean ls_weights_check (const char *path, const LsPlan *plan, LsPrecision as, GError **error);
/* None of the values is infinite or no number: what a file may hold. */
gboolean ls_weights_finite (const LsPlan *plan, const float *const *values);
/* The parameters of the plan: an array of plan->n_params arrays, NULL-terminated. Names and
 * shapes are compared with the plan before memory is taken; values that aren't finite are refused.
 * Errors: LS_ERROR_FILE, LS_ERROR_DATA, LS_ERROR_MEMORY. */
float **ls_weights_load (const char *path, const LsPlan *plan, GError **error);
void ls_weights_free (float **values);

G_END_DECLS
