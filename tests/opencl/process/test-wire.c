/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program and its OpenCL lane's process say to each other comes out as it went in, whatever there is
 * of it; and what a kernel that ran wild may have made of it is refused before it is used.
 */
#include "backends/opencl/process/wire.h"

#include <string.h>

#include "core/error.h"

/* What the other side reads. */
static void
cross (LsWireOut *out, LsWireIn *in)
{
  const gsize size = ls_wire_close (out);
  gsize at = 0;
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_wire_begin (in, json_deep_copy (out->head), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (in->size, ==, size);
  for (guint i = 0; i < out->pieces->len; i++)
    {
      const LsWirePiece *piece = &g_array_index (out->pieces, LsWirePiece, i);
      memcpy (in->bytes + at, piece->data, piece->size);
      at += piece->size;
    }
  g_assert_cmpuint (at, ==, size);
}

/* In the order that they were put; a copy is as it was then; and no byte more than there are. */
static void
test_pieces (void)
{
  g_autoptr (LsWireOut) out = ls_wire_out_new ("sing");
  g_autoptr (GError) error = NULL;
  char changes[] = "abc", got[8] = "";
  LsWireIn in;

  ls_wire_put (out, "12", 2);
  ls_wire_put (out, "nothing", 0);
  ls_wire_put_copy (out, changes, 3);
  ls_wire_put (out, changes, 1);
  changes[0] = 'x';
  cross (out, &in);
  g_assert_cmpstr (ls_json_get_string (in.head, "do", NULL), ==, "sing");
  g_assert_cmpuint (in.size, ==, 6);
  g_assert_true (ls_wire_get (&in, got, 2, &error));
  g_assert_cmpstr (got, ==, "12");
  g_assert_nonnull (ls_wire_next (&in, 0, &error));
  g_assert_true (ls_wire_get (&in, got, 4, &error));
  g_assert_cmpstr (got, ==, "abcx");
  g_assert_no_error (error);
  g_assert_null (ls_wire_next (&in, 1, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
  g_clear_error (&error);
  g_assert_false (ls_wire_get (&in, got, G_MAXSIZE, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
  ls_wire_in_clear (&in);
  g_assert_null (in.head);
}

static void
test_announced (void)
{
  static const gint64 sizes[] = { -1, (gint64) LS_WIRE_MAX_BYTES + 1, G_MAXINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      json_t *head = json_object ();
      g_autoptr (GError) error = NULL;
      LsWireIn in;

      ls_json_whole (head, "bytes", sizes[i]);
      g_assert_false (ls_wire_begin (&in, head, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
      ls_wire_in_clear (&in);
    }
}

static void
test_error (void)
{
  for (gint code = 0; code <= LS_ERROR_CANCELLED; code++)
    {
      g_autoptr (GError) put = g_error_new (LS_ERROR, code, "what %d", code), got = NULL;
      json_t *head = json_object ();

      g_assert_true (ls_wire_get_error (head, &got)); /* there is none */
      ls_wire_put_error (head, put);
      g_assert_false (ls_wire_get_error (head, &got));
      g_assert_error (got, LS_ERROR, code);
      g_assert_cmpstr (got->message, ==, put->message);
      json_decref (head);
    }
  /* one of another library is a device's, and so is a number that there isn't */
  g_autoptr (GError) other = g_error_new (G_FILE_ERROR, G_FILE_ERROR_NOENT, "gone"), got = NULL, odd = NULL;
  json_t *head = json_object ();
  ls_wire_put_error (head, other);
  g_assert_false (ls_wire_get_error (head, &got));
  g_assert_error (got, LS_ERROR, LS_ERROR_DEVICE);
  ls_json_whole (head, "code", LS_ERROR_CANCELLED + 1);
  g_assert_false (ls_wire_get_error (head, &odd));
  g_assert_error (odd, LS_ERROR, LS_ERROR_DEVICE);
  json_decref (head);
}

/* ---- a plan ---- */

static LsPlan *
plan_of (const char *text, const gint64 shape[3], gint classes, guint batch, LsOptimizer optimizer,
         LsPrecision precision)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);
  g_autoptr (LsPlan) plain = ls_plan_new (model, shape, classes, batch, optimizer, &error);

  g_assert_no_error (error);
  return ls_plan_with_precision (plain, precision);
}

/* Whatever the numbers are, the other side makes the same plan of them; all of them count: a convolution
 * tells height from width, and both from channels. */
static void
test_plan (void)
{
  static const char model[] = "conv 4 3, relu, conv 2 3 stride 2, flatten, dropout 0.25, dense 7";
  static const gint64 shape[3] = { 2, 9, 14 };

  for (guint optimizer = 0; optimizer <= LS_OPTIMIZER_ADAM; optimizer++)
    for (guint precision = 0; precision < LS_PRECISION_N; precision++)
      {
        g_autoptr (LsPlan) plan = plan_of (model, shape, 7, 5, (LsOptimizer) optimizer,
                                           (LsPrecision) precision);
        g_autoptr (LsPlan) got = NULL;
        g_autoptr (GError) error = NULL;
        json_t *head = json_object ();

        ls_wire_put_plan (head, plan);
        got = ls_wire_get_plan (head, &error);
        g_assert_no_error (error);
        json_decref (head);
        g_assert_cmpuint (got->batch, ==, 5);
        g_assert_cmpint (got->n_classes, ==, 7);
        g_assert_cmpint (got->optimizer, ==, (gint) optimizer);
        g_assert_cmpint (got->precision, ==, (gint) precision);
        for (guint d = 0; d < 3; d++)
          g_assert_cmpint (got->in_shape[d], ==, shape[d]);
        g_assert_cmpuint (got->n_tensors, ==, plan->n_tensors);
        for (guint t = 0; t < plan->n_tensors; t++)
          {
            g_assert_cmpint (got->tensors[t].dtype, ==, plan->tensors[t].dtype);
            g_assert_cmpuint (got->tensors[t].rank, ==, plan->tensors[t].rank);
            g_assert_cmpmem (got->tensors[t].shape, sizeof got->tensors[t].shape, plan->tensors[t].shape,
                             sizeof plan->tensors[t].shape);
          }
      }
}

/* One number of a plan is another: where it isn't refused for itself, the plan isn't the one that was
 * meant. */
static void
test_other_plan (void)
{
  static const struct {
    const char *member;
    gint64 value;
    gint code;
  } cases[] = {
    { "channels", 0, LS_ERROR_DATA },
    { "height", 0, LS_ERROR_DATA },
    { "width", -1, LS_ERROR_DATA },
    { "classes", 0, LS_ERROR_DATA },
    { "batch", 0, LS_ERROR_DATA },
    { "optimizer", LS_OPTIMIZER_ADAM + 1, LS_ERROR_DATA },
    { "precision", LS_PRECISION_N, LS_ERROR_DATA },
    { "classes", 6, LS_ERROR_USAGE },
    { "channels", 1, LS_ERROR_DEVICE },
    { "height", 10, LS_ERROR_DEVICE },
    { "batch", 6, LS_ERROR_DEVICE },
    { "optimizer", LS_OPTIMIZER_ADAM, LS_ERROR_DEVICE },
    { "precision", LS_PRECISION_FP16, LS_ERROR_DEVICE },
    { "ops", 1, LS_ERROR_DEVICE },
    { "arena", 64, LS_ERROR_DEVICE },
  };
  static const gint64 shape[3] = { 2, 9, 14 };
  g_autoptr (LsPlan) plan = plan_of ("conv 4 3, relu, flatten, dense 7", shape, 7, 5, LS_OPTIMIZER_SGD,
                                     LS_PRECISION_FP32);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      json_t *head = json_object ();

      ls_wire_put_plan (head, plan);
      json_object_set_new (json_object_get (head, "plan"), cases[i].member, json_integer (cases[i].value));
      g_assert_null (ls_wire_get_plan (head, &error));
      if (!g_error_matches (error, LS_ERROR, cases[i].code))
        g_error ("%s: %d is refused as “%s”", cases[i].member, (int) cases[i].value, error->message);
      if (cases[i].code == LS_ERROR_DEVICE)
        g_assert_nonnull (strstr (error->message, "another plan of “conv 4 3, relu, flatten, dense 7”"));
      json_decref (head);
    }
}

/* ---- data ---- */

static void
fill_set (LsDataset *set, gint64 n, const gint64 shape[3], LsSampleType type, guint first)
{
  gsize bytes;

  *set = (LsDataset){ .n = n, .shape = { shape[0], shape[1], shape[2] }, .type = type };
  set->sample_size = shape[0] * shape[1] * shape[2];
  bytes = (gsize) (n * set->sample_size) * ls_dataset_value_bytes (set);
  set->samples = g_malloc (bytes);
  set->labels = g_new (gint32, n);
  for (gsize i = 0; i < bytes; i++)
    ((guint8 *) set->samples)[i] = (guint8) (first + i);
  for (gint64 i = 0; i < n; i++)
    set->labels[i] = (gint32) (first + 3 * i);
}

static void
assert_same_set (const LsDataset *a, const LsDataset *b)
{
  const gsize bytes = (gsize) (b->n * b->sample_size) * ls_dataset_value_bytes (b);

  g_assert_cmpint (a->n, ==, b->n);
  g_assert_cmpint (a->type, ==, b->type);
  g_assert_cmpint (a->sample_size, ==, b->sample_size);
  g_assert_cmpmem (a->shape, sizeof a->shape, b->shape, sizeof b->shape);
  g_assert_cmpmem (a->samples, bytes, b->samples, bytes);
  g_assert_cmpmem (a->labels, (gsize) b->n * sizeof (gint32), b->labels, (gsize) b->n * sizeof (gint32));
}

/* Both sets, of bytes and of floats, of unlike sizes; of samples that are stored those that are here. */
static void
test_data (void)
{
  static const gint64 shape[3] = { 3, 2, 5 };

  for (guint type = LS_SAMPLE_U8; type <= LS_SAMPLE_F32; type++)
    for (guint stored = 0; stored < 2; stored++)
      {
        g_autoptr (LsWireOut) out = ls_wire_out_new (NULL);
        g_autoptr (LsData) data = g_new0 (LsData, 1), got = NULL;
        g_autoptr (GError) error = NULL;
        LsWireIn in;

        data->ref_count = 1;
        data->name = g_strdup ("a “name”");
        data->n_classes = 11;
        data->n_first = 4;
        fill_set (&data->train, 7, shape, (LsSampleType) type, 1);
        fill_set (&data->test, 3, shape, (LsSampleType) type, 100);
        data->train.stored = stored ? (LsStored *) data : NULL;
        ls_wire_put_data (out, data);
        data->train.stored = NULL;
        cross (out, &in);
        got = ls_wire_get_data (&in, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (in.at, ==, in.size);
        g_assert_cmpstr (got->name, ==, "a “name”");
        g_assert_cmpint (got->n_classes, ==, 11);
        g_assert_null (got->train.stored);
        data->train.n = stored ? 4 : 7;
        assert_same_set (&got->train, &data->train);
        assert_same_set (&got->test, &data->test);
        ls_wire_in_clear (&in);
      }
}

/* Less than was announced, at any of its ends. */
static void
test_cut_data (void)
{
  static const gint64 shape[3] = { 1, 2, 2 };
  g_autoptr (LsWireOut) out = ls_wire_out_new (NULL);
  g_autoptr (LsData) data = g_new0 (LsData, 1);
  LsWireIn in;
  gsize all;

  data->ref_count = 1;
  data->name = g_strdup ("x");
  data->n_classes = 2;
  fill_set (&data->train, 3, shape, LS_SAMPLE_U8, 1);
  fill_set (&data->test, 2, shape, LS_SAMPLE_U8, 9);
  ls_wire_put_data (out, data);
  cross (out, &in);
  all = in.size;
  for (in.size = 0; in.size < all; in.size++)
    {
      g_autoptr (GError) error = NULL;
      in.at = 0;
      g_assert_null (ls_wire_get_data (&in, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
    }
  ls_wire_in_clear (&in);
}

/* ---- a walk ---- */

/* Of 2 kept rounds of 3, tiles 2 × 4, 5 products a round; every number is another one. */
static LsWalk *
walk_new (gboolean values, gboolean times)
{
  LsWalk *walk = ls_walk_new ();

  walk->op = 12;
  walk->rung = LS_RUNG_REGISTER;
  walk->row = 21;
  walk->col = 22;
  walk->rows = 31;
  walk->cols = 32;
  walk->splits = 41;
  walk->tile_m = 2;
  walk->tile_n = 4;
  walk->tile_k = 5;
  walk->item_m = 51;
  walk->item_n = 52;
  walk->first_m = 61;
  walk->products = 14;
  walk->rounds = 3;
  walk->kept = 2;
  walk->kernel_ns = 71;
  walk->alone = TRUE;
  walk->compared = 81;
  walk->same = 80;
  walk->delta = .125;
  if (values)
    {
      walk->columns = g_new (gint64, 4);
      walk->a = g_new (float, 2 * 5 * 2);
      walk->b = g_new (float, 2 * 5 * 4);
      for (gint i = 0; i < 4; i++)
        walk->columns[i] = 900 + i;
      for (gint i = 0; i < 2 * 5 * 2; i++)
        walk->a[i] = (float) (100 + i);
      for (gint i = 0; i < 2 * 5 * 4; i++)
        walk->b[i] = (float) (200 + i);
    }
  if (times)
    {
      walk->times_ns = g_new (gint64, 4 * LS_WALK_N_STAMPS);
      for (gint i = 0; i < 4 * LS_WALK_N_STAMPS; i++)
        walk->times_ns[i] = 1000 + i;
    }
  return walk;
}

static void
test_walk (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (LsWireOut) out = ls_wire_out_new (NULL);
      g_autoptr (LsWalk) walk = walk_new (i & 1, i & 2), got = NULL;
      g_autoptr (GError) error = NULL;
      LsWireIn in;

      walk->message = g_strdup (i == 0 ? "why there is nothing" : NULL);
      walk->ref_count = 7; /* of those who have it there */
      ls_wire_put_walk (out, walk);
      cross (out, &in);
      walk->ref_count = 1;
      got = ls_wire_get_walk (&in, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (in.at, ==, in.size);
      g_assert_cmpint (got->ref_count, ==, 1);
      g_assert_cmpstr (got->message, ==, walk->message);
      g_assert_true (got->op == 12 && got->rung == LS_RUNG_REGISTER && got->row == 21 && got->col == 22);
      g_assert_true (got->rows == 31 && got->cols == 32 && got->splits == 41 && got->first_m == 61);
      g_assert_true (got->item_m == 51 && got->item_n == 52 && got->products == 14 && got->kernel_ns == 71);
      g_assert_true (got->alone && got->compared == 81 && got->same == 80 && got->delta == .125);
      g_assert_true ((got->a != NULL) == (i & 1) && (got->times_ns != NULL) == (i >> 1));
      if (i & 1)
        {
          g_assert_cmpmem (got->columns, 4 * sizeof (gint64), walk->columns, 4 * sizeof (gint64));
          g_assert_cmpmem (got->a, 20 * sizeof (float), walk->a, 20 * sizeof (float));
          g_assert_cmpmem (got->b, 40 * sizeof (float), walk->b, 40 * sizeof (float));
        }
      if (i & 2)
        g_assert_cmpmem (got->times_ns, 4 * LS_WALK_N_STAMPS * sizeof (gint64), walk->times_ns,
                         4 * LS_WALK_N_STAMPS * sizeof (gint64));
      ls_wire_in_clear (&in);
    }
}

/* One past what there may be of each; the most that may be isn't refused for that. */
static void
test_wild_walk (void)
{
  static const struct {
    const char *what;
    gsize offset;
    guint most;
  } cases[] = {
    { "rows of a tile", G_STRUCT_OFFSET (LsWalk, tile_m), LS_WALK_MAX_EDGE },
    { "columns of a tile", G_STRUCT_OFFSET (LsWalk, tile_n), LS_WALK_MAX_EDGE },
    { "products of a round", G_STRUCT_OFFSET (LsWalk, tile_k), LS_WALK_MAX_EDGE },
    { "rounds", G_STRUCT_OFFSET (LsWalk, rounds), LS_WALK_MAX_ROUNDS },
    { "kept rounds", G_STRUCT_OFFSET (LsWalk, kept), 3 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsWireOut) out = ls_wire_out_new (NULL);
      g_autoptr (LsWalk) walk = walk_new (FALSE, FALSE), got = NULL;
      g_autoptr (GError) error = NULL;
      LsWireIn in;

      G_STRUCT_MEMBER (guint, walk, cases[i / 2].offset) = cases[i / 2].most + i % 2;
      ls_wire_put_walk (out, walk);
      cross (out, &in);
      got = ls_wire_get_walk (&in, &error);
      if ((got != NULL) != (i % 2 == 0))
        g_error ("a walk with %u %s is %s", cases[i / 2].most + i % 2, cases[i / 2].what,
                 got != NULL ? "believed" : "refused");
      if (got == NULL)
        g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
      ls_wire_in_clear (&in);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/pieces", test_pieces);
  g_test_add_func ("/wire/announced", test_announced);
  g_test_add_func ("/wire/error", test_error);
  g_test_add_func ("/wire/plan", test_plan);
  g_test_add_func ("/wire/other-plan", test_other_plan);
  g_test_add_func ("/wire/data", test_data);
  g_test_add_func ("/wire/cut-data", test_cut_data);
  g_test_add_func ("/wire/walk", test_walk);
  g_test_add_func ("/wire/wild-walk", test_wild_walk);
  return g_test_run ();
}
