/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line that says what is to be measured, read back: as products, or as a plan, of a step or of a single
 * op.
 */
#include "config.h"

#include <string.h>

#include "core/error.h"
#include "lab/step.h"
#include "work.h"

#define MAX_SIZE 65536 /* of a dimension: what is larger is a mistake */

/* n whole numbers with spaces between them. */
static gboolean
read_numbers (const char *text, gint64 *numbers, guint n)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  if (g_strv_length (words) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_ascii_string_to_signed (words[i], 10, 0, G_MAXINT32, &numbers[i], NULL))
      return FALSE;
  return TRUE;
}

gboolean
ls_products_parse (const char *text, GArray *products, GError **error)
{
  g_auto (GStrv) parts = NULL;
  gint64 v[5];

  if (!g_str_has_prefix (text, "products\t"))
    return ls_lab_refuse (text, error);
  parts = g_strsplit (text + strlen ("products\t"), ";", -1);
  if (parts[0] == NULL)
    return ls_lab_refuse (text, error);
  for (char **part = parts; *part != NULL; part++)
    {
      if (!read_numbers (*part, v, 5) || v[0] > 1 || v[1] > 1 || v[2] < 1 || v[3] < 1 || v[4] < 1)
        return ls_lab_refuse (text, error);
      LsProduct p = { v[0] != 0, v[1] != 0, v[2], v[3], v[4] };
      g_array_append_val (products, p);
    }
  return TRUE;
}

static LsPlan *
product_plan (const char *spec, GError **error)
{
  g_autoptr (GArray) products = g_array_new (FALSE, FALSE, sizeof (LsProduct));
  const LsProduct *p;
  LsOpTest test = { 0 };

  if (!ls_products_parse (spec, products, error))
    return NULL;
  p = &g_array_index (products, LsProduct, 0);
  if (products->len != 1 || p->m > MAX_SIZE || p->n > MAX_SIZE || p->k > MAX_SIZE)
    {
      ls_lab_refuse (spec, error);
      return NULL;
    }
  test.in[0][0] = p->ta ? p->k : p->m;
  test.in[0][1] = p->ta ? p->m : p->k;
  test.in[1][0] = p->tb ? p->n : p->k;
  test.in[1][1] = p->tb ? p->k : p->n;
  test.attr.ta = p->ta;
  test.attr.tb = p->tb;
  return ls_plan_new_single (&ls_op_matmul, &test, error);
}

static LsPlan *
conv_plan (const char *pass, const char *sizes, const char *spec, GError **error)
{
  gint64 v[8];
  LsOpTest test = { 0 };

  if (!read_numbers (sizes, v, 8) || v[6] < 1)
    {
      ls_lab_refuse (spec, error);
      return NULL;
    }
  const gint64 x[] = { v[0], v[1], v[2], v[3] }, w[] = { v[4], v[1], v[5], v[5] };
  const gint64 y[] = { v[0], v[4], (v[2] + 2 * v[7] - v[5]) / v[6] + 1, (v[3] + 2 * v[7] - v[5]) / v[6] + 1 };

  test.attr.kernel = (gint32) v[5];
  test.attr.stride = (gint32) v[6];
  test.attr.pad = (gint32) v[7];
  if (strcmp (pass, "forward") == 0)
    {
      memcpy (test.in[0], x, sizeof x);
      memcpy (test.in[1], w, sizeof w);
      return ls_plan_new_single (&ls_op_conv2d, &test, error);
    }
  memcpy (test.in[0], y, sizeof y);
  if (strcmp (pass, "data") == 0)
    {
      memcpy (test.in[1], w, sizeof w);
      memcpy (test.in[2], x, sizeof x);
      return ls_plan_new_single (&ls_op_conv2d_dx, &test, error);
    }
  if (strcmp (pass, "weights") == 0)
    {
      memcpy (test.in[1], x, sizeof x);
      return ls_plan_new_single (&ls_op_conv2d_dw, &test, error);
    }
  ls_lab_refuse (spec, error);
  return NULL;
}

LsPlan *
ls_work_plan (const char *spec, LsData **data, LsOptimizer optimizer, guint64 seed, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, "\t", -1);
  LsPlan *plan = NULL;

  if (g_strcmp0 (words[0], "step") == 0)
    {
      g_autoptr (LsOptions) options = ls_options_new ();

      options->optimizer = (gint) optimizer;
      options->seed = (gint64) seed;
      return ls_lab_step_plan (spec, data, options, error);
    }
  if (g_strcmp0 (words[0], "products") == 0)
    plan = product_plan (spec, error);
  else if (g_strcmp0 (words[0], "conv") == 0 && g_strv_length (words) == 3)
    plan = conv_plan (words[1], words[2], spec, error);
  else
    ls_lab_refuse (spec, error);
  if (plan != NULL && data != NULL && *data == NULL
      && (*data = ls_data_load ("xor", seed, error)) == NULL) /* a backend wants to have some */
    g_clear_pointer (&plan, ls_plan_unref);
  return plan;
}
