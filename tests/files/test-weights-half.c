/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights in 16 bits: read as other programs store them, and saved; what is of another type is refused.
 */
#include <glib/gstdio.h>
#include <math.h>

#include "core/half.h"
#include "weights_case.h"

/* The parameters of the plan as another program stores them. */
static void
save_as (const char *path, const LsPlan *plan, LsStDtype dtype, void *const *values)
{
  g_autoptr (LsSafetensorsWriter) writer = ls_safetensors_writer_new ();
  const LsSafetensorsLimits limits = { 1 << 20, 64, 1 << 24 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < plan->n_params; i++)
    {
      const LsTensor *t = &plan->tensors[plan->params[i].weight];
      ls_safetensors_writer_add (writer, t->name, dtype, t->rank, t->shape, values[i]);
    }
  g_assert_true (ls_safetensors_writer_save (writer, path, &limits, &error));
  g_assert_no_error (error);
}

/* F16 and BF16, as other programs save weights, are read into floats, exactly; what isn't finite is refused
 * as in floats. */
static void
test_half (void)
{
  static const struct {
    LsStDtype file;
    LsDtype dtype;
    guint16 infinite;
  } kinds[] = { { LS_ST_F16, LS_F16, 0x7c00 }, { LS_ST_BF16, LS_BF16, 0x7f80 } };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  float **values = make_values (plan);

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights");
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (GPtrArray) halves = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;
      float **loaded;

      for (guint i = 0; i < plan->n_params; i++)
        {
          guint16 *half = g_new (guint16, param_count (plan, i));
          ls_half_store (kinds[k].dtype, values[i], half, (gsize) param_count (plan, i));
          g_ptr_array_add (halves, half);
        }
      save_as (path, plan, kinds[k].file, halves->pdata);
      loaded = ls_weights_load (path, plan, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < plan->n_params; i++)
        for (gint64 j = 0; j < param_count (plan, i); j++)
          g_assert_cmpfloat (loaded[i][j], ==, ls_half_round (kinds[k].dtype, values[i][j]));
      ls_weights_free (loaded);
      ((guint16 *) halves->pdata[1])[2] = kinds[k].infinite;
      save_as (path, plan, kinds[k].file, halves->pdata);
      refuse (path, plan, "element 2 of tensor “0.bias” is infinite");
    }
  ls_weights_free (values);
}

/* And are saved so: each number is what it is rounded to; one beyond the dtype is refused, before the file is
 * touched. */
static void
test_save_half (void)
{
  static const struct {
    LsPrecision precision;
    LsStDtype file;
    LsDtype dtype;
    float largest, beyond; /* the last that is rounded to a finite one, and the next */
  } kinds[] = { { LS_PRECISION_FP16, LS_ST_F16, LS_F16, 65519.996f, 65520.0f },
                { LS_PRECISION_BF16, LS_ST_BF16, LS_BF16, 0x1.fefffep127f, 0x1.ffp127f } };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *whole = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  const LsSafetensorsLimits limits = { 1 << 20, 64, 1 << 24 };
  float **values = make_values (plan);

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights");
  whole = temp_path (&dir, "whole");
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsSafetensors) file = NULL;
      GStatBuf halves, floats;
      float **loaded;

      values[1][2] = -kinds[k].largest;
      values[1][3] = -0.0f;
      values[0][4] = 1e-42f;
      g_assert_true (ls_weights_check (path, plan, kinds[k].precision, &error));
      g_assert_true (ls_weights_save (path, plan, (const float *const *) values, kinds[k].precision, &error));
      g_assert_no_error (error);
      save (whole, plan, values);
      g_assert_cmpint (g_stat (path, &halves) + g_stat (whole, &floats), ==, 0);
      for (guint i = 0; i < plan->n_params; i++)
        halves.st_size += 2 * param_count (plan, i);
      g_assert_cmpint (ABS (halves.st_size - floats.st_size), <, 64); /* their headers differ by some
                                                                         characters */
      file = ls_safetensors_open (path, &limits, &error);
      for (guint i = 0; i < file->n_tensors; i++)
        g_assert_cmpint (file->tensors[i].dtype, ==, kinds[k].file);
      loaded = ls_weights_load (path, plan, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < plan->n_params; i++)
        for (gint64 j = 0; j < param_count (plan, i); j++)
          g_assert_cmpfloat (loaded[i][j], ==, ls_half_round (kinds[k].dtype, values[i][j]));
      g_assert_true (signbit (loaded[1][3]));
      ls_weights_free (loaded);

      values[1][2] = -kinds[k].beyond;
      g_assert_false (
        ls_weights_save (path, plan, (const float *const *) values, kinds[k].precision, &error));
      assert_refused (&error, LS_ERROR_DATA, "Element 2 of tensor “0.bias” is -");
      g_assert_false (
        ls_weights_save (path, plan, (const float *const *) values, kinds[k].precision, &error));
      assert_refused (&error, LS_ERROR_DATA,
                      k == 0 ? ", which is beyond fp16; save it as fp32." : "beyond bf16; save it as fp32.");
      loaded = ls_weights_load (path, plan, &error); /* the file before is still there */
      g_assert_no_error (error);
      ls_weights_free (loaded);
      /* what is no finite number itself is saved as it is, and refused where it is read */
      values[1][2] = k == 0 ? -INFINITY : NAN;
      g_assert_true (ls_weights_save (path, plan, (const float *const *) values, kinds[k].precision, &error));
      g_assert_no_error (error);
      refuse (path, plan,
              k == 0 ? "element 2 of tensor “0.bias” is infinite"
                     : "element 2 of tensor “0.bias” is not a number");
    }
  ls_weights_free (values);
}

static void
test_other_dtype (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  g_autofree guint8 *zeros = g_malloc0 (1 << 16);
  g_autofree void **values = g_new (void *, plan->n_params);

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights");
  for (guint i = 0; i < plan->n_params; i++)
    values[i] = zeros;
  save_as (path, plan, LS_ST_F64, values);
  refuse (path, plan, "“0.weight” is of dtype F64; save it as F32, F16 or BF16");
  save_as (path, plan, LS_ST_I16, values);
  refuse (path, plan, "“0.weight” is of dtype I16; save it as F32, F16 or BF16");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weights/half", test_half);
  g_test_add_func ("/weights/save-half", test_save_half);
  g_test_add_func ("/weights/other-dtype", test_other_dtype);
  return g_test_run ();
}
