/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pooling: the loops for each width of vectors that this processor has, against windows taken one by one; and
 * steps in which convolutions pool what they have just made, and keep none of it: the same bits as steps in
 * which every op is done by itself.
 */
#include "config.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/direct.h"

#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "rig.h"
#include "usable.h"

#define STEPS  4
#define POISON 12345.0f

/* ---- loops ---- */

/* Few different numbers, so that maxima occur twice, with both zeros, infinities and NaN. */
static float
any_number (guint64 key, gint64 i)
{
  static const float some[] = { -0.f, 0.f, -1.f, 1.f, 2.f, -INFINITY, INFINITY, NAN };
  const guint32 which = ls_rng_u32 (7, LS_STREAM_TEST, key, (guint64) i) % 12;

  return which < G_N_ELEMENTS (some) ? some[which]
                                     : (float) ls_rng_normal (7, LS_STREAM_TEST, key, (guint64) i);
}

static float *
numbers (gint64 n, guint64 key)
{
  float *f = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    f[i] = any_number (key, i);
  return f;
}

/* Windows one after the other, in reading order. */
static void
pool_plainly (const LsWindows *w, gint64 n, const float *x, float *y, gint32 *index)
{
  for (gint64 p = 0; p < n; p++, x += w->height * w->width)
    for (gint32 r = 0; r < w->rows; r++)
      for (gint32 s = 0; s < w->cols; s++)
        {
          gint32 best = 2 * (r * w->width + s);

          for (gint32 place = 1; place < 4; place++)
            {
              const gint32 at = 2 * (r * w->width + s) + place / 2 * w->width + place % 2;
              if (x[at] > x[best] || isnan (x[at]))
                best = at;
            }
          *index++ = best;
          *y++ = x[best];
        }
}

static void
unpool_plainly (const LsWindows *w, gint64 n, const float *dy, const gint32 *index, const float *mask,
                float *dx)
{
  memset (dx, 0, (gsize) (n * w->height * w->width) * sizeof (float));
  for (gint64 p = 0; p < n; p++, dx += w->height * w->width)
    for (gint32 i = 0; i < w->rows * w->cols; i++, dy++, index++)
      {
        dx[*index] += mask != NULL && *mask <= 0 ? 0 : *dy;
        mask += mask != NULL;
      }
}

static void
check_loops (const LsDirectLoops *loops, gint32 height, gint32 width, gint64 n)
{
  const LsWindows w = { 2, 2, height, width, height / 2, width / 2 };
  const gsize in = (gsize) (n * height * width), out = (gsize) (n * w.rows * w.cols);
  g_autofree float *x = numbers ((gint64) in, 1), *dy = numbers ((gint64) out, 2), *y = g_new (float, out),
                   *want_y = g_new (float, out), *dx = g_new (float, in + 1), *want_dx = g_new (float, in);
  g_autofree gint32 *index = g_new (gint32, out + 1), *want = g_new (gint32, out);
  const float *masks[] = { NULL, want_y };

  g_test_message ("vectors of %d, %d planes of %d×%d", (int) loops->floats, (int) n, height, width);
  pool_plainly (&w, n, x, want_y, want);
  index[out] = -1;
  loops->pool (&w, n, x, y, index);
  g_assert_cmpmem (index, out * sizeof (gint32), want, out * sizeof (gint32));
  g_assert_cmpmem (y, out * sizeof (float), want_y, out * sizeof (float));
  g_assert_cmpint (index[out], ==, -1); /* nothing is written behind the planes */
  for (gsize m = 0; m < G_N_ELEMENTS (masks); m++)
    {
      for (gsize i = 0; i <= in; i++)
        dx[i] = POISON;
      unpool_plainly (&w, n, dy, want, masks[m], want_dx);
      loops->unpool (&w, n, dy, want, masks[m], dx);
      g_assert_cmpmem (dx, in * sizeof (float), want_dx, in * sizeof (float));
      g_assert_true (dx[in] == POISON);
    }
}

/* One window; rows that fill vectors, nearly and more than one; a row and a column in no window. */
static void
test_loops (void)
{
  static const gint32 sizes[] = { 2, 3, 4, 5, 7, 8, 9, 14, 15, 16, 17, 28, 31, 32, 33, 34, 47, 64, 66 };
  const LsDirectLoops *loops[3];
  const guint n = usable (loops);

  for (guint l = 0; l < n; l++)
    for (gsize h = 0; h < G_N_ELEMENTS (sizes); h++)
      for (gsize w = 0; w < G_N_ELEMENTS (sizes); w++)
        for (gint64 planes = 1; planes < 6; planes += 2)
          check_loops (loops[l], sizes[h], sizes[w], planes);
}

/* ---- steps ---- */

static Rig *
open_rig (const char *model, const char *policy, const char *tiles, guint batch)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_options_set (options, ls_options_find ("threads"), "3", NULL);
  ls_options_set (options, ls_options_find ("policy"), policy, NULL);
  ls_options_set (options, ls_options_find ("tiles-per-op"), tiles, NULL);
  return rig_new (&ls_backend_cpu, options, model, batch);
}

static void
train (Rig *rig, gboolean reuse, guint n, float *losses)
{
  guint64 ends[STEPS];
  LsRunResult result = { .losses = losses, .step_end_ns = ends };

  rig->reuse = reuse;
  rig_run (rig, n, TRUE, NULL, &result);
}

/* So many convolutions pool, by so many poolings' gradients relu_grad is done, and so many of these by the
 * weights' gradients; −1: that depends on the processor's vectors. */
typedef struct {
  const char *model;
  gint pooled, masked, undone;
} Network;

static void
check_counts (const Rig *rig, const Network *network)
{
  const LsCpu *cpu = rig->self;
  gint pooled = 0, masked = 0, undone = 0;

  for (guint i = 0; i < rig->plan->n_ops; i++)
    {
      const LsOpClass *klass = rig->plan->ops[i].klass;
      const LsCpuPooled *p = &cpu->fused[i].pooled;

      pooled += klass == &ls_op_conv2d && p->by_this != NULL;
      undone += klass == &ls_op_conv2d_dw && p->by_this != NULL;
      masked += p->mask != NULL;
    }
  g_assert_cmpint (pooled, ==, network->pooled);
  g_assert_cmpint (masked, ==, network->masked);
  if (network->undone >= 0)
    g_assert_cmpint (undone, ==, network->undone);
}

static void
check_network (const Network *network, const char *policy, const char *tiles, guint batch)
{
  Rig *apart = open_rig (network->model, policy, tiles, batch),
      *pooled = open_rig (network->model, policy, tiles, batch);
  float losses[2][STEPS];

  g_test_message ("%s, batch %u, %s tiles", network->model, batch, tiles);
  train (apart, FALSE, STEPS, losses[0]);
  train (pooled, TRUE, 2, losses[1]);
  check_counts (pooled, network);
  train (pooled, FALSE, 1, losses[1] + 2);
  check_counts (pooled, &(Network){ network->model, 0, 0, 0 });
  train (pooled, TRUE, STEPS - 3, losses[1] + 3);
  g_assert_cmpmem (losses[0], sizeof losses[0], losses[1], sizeof losses[1]);
  g_assert_cmphex (rig_hash (apart, LS_ROLE_WEIGHT), ==, rig_hash (pooled, LS_ROLE_WEIGHT));
  g_assert_cmphex (rig_hash (apart, LS_ROLE_STATE), ==, rig_hash (pooled, LS_ROLE_STATE));
  rig_free (apart);
  rig_free (pooled);
}

/* Other windows, planes with a row too many, blocks of outputs, other layers before or behind the pooling,
 * two of them, and convolutions of which nothing else is known. */
static void
test_same_bits (void)
{
  static const Network networks[] = {
    { "cnn", 2, 2, 1 },
    { "conv 16 3 pad 2, relu, maxpool 2 stride 1, flatten, dense 10", 1, 1, 1 },
    { "conv 48 3 pad 1, relu, maxpool 2, flatten, dense 10", 1, 1, 1 },
    { "conv 16 27, relu, maxpool 2, flatten, dense 10", 1, 1, 1 },
    { "conv 16 3 pad 1, relu, maxpool 2, conv 32 1, relu, maxpool 2, conv 16 3, relu, flatten, dense 10", 2,
      2, 1 },
    { "conv 5 3, relu, maxpool 2, conv 17 4, relu, maxpool 2, flatten, dense 10", 2, 2, -1 },
    { "conv 4 3 pad 1, maxpool 2, relu, flatten, dense 10", 1, 0, 0 },
    { "conv 4 3 pad 1, relu, maxpool 2, relu, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, relu, maxpool 2, sigmoid, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, maxpool 2, flatten, dense 10", 1, 0, 0 },
    { "conv 4 3 pad 1, avgpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, relu, maxpool 2, avgpool 2, flatten, dense 10", 1, 1, -1 },
    { "conv 4 3 pad 1, relu, maxpool 2, maxpool 2, flatten, dense 10", 1, 1, -1 },
    { "conv 3 3 pad 1, relu, maxpool 3 stride 2, conv 4 3, relu, maxpool 3 stride 1, flatten, dense 10", 2, 2,
      -1 },
    { "conv 3 5 stride 2, relu, maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, dropout 0.3, maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, relu, dropout 0.3, maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, relu, maxpool 2, dropout 0.3, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, tanh, maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, gelu, maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, relu, relu, maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "conv 4 3 pad 1, relu, avgpool 2, conv 4 3 pad 1, relu, maxpool 2, flatten, dense 10", 1, 1, 0 },
    { "conv 4 3 pad 1, relu, residual(conv 4 3 pad 1), maxpool 2, flatten, dense 10", 0, 0, 0 },
    { "relu, maxpool 2, flatten, dense 10", 0, 0, 0 },
  };
  static const guint batches[] = { 1, 37 };
  static const char *const tiles[] = { "0", "5", "70" };

  for (gsize i = 0; i < G_N_ELEMENTS (networks); i++)
    for (gsize b = 0; b < G_N_ELEMENTS (batches); b++)
      for (gsize t = 0; t < G_N_ELEMENTS (tiles); t++)
        check_network (&networks[i], t == 1 ? "static" : "steal", tiles[t], batches[b]);
}

static float *
read_tensor (Rig *rig, const char *name, gsize *count)
{
  for (guint i = 0; i < rig->plan->n_tensors; i++)
    if (g_str_equal (rig->plan->tensors[i].name, name))
      {
        float *values = g_malloc (ls_tensor_bytes (&rig->plan->tensors[i]));

        *count = (gsize) ls_tensor_count (&rig->plan->tensors[i]);
        g_assert_true (rig->backend->read (rig->self, i, values, NULL));
        return values;
      }
  g_error ("the plan has no %s", name);
}

static void
assert_same (Rig *a, Rig *b, const char *name)
{
  gsize n;
  g_autofree float *one = read_tensor (a, name, &n), *other = read_tensor (b, name, &n);

  g_test_message ("%s", name);
  g_assert_cmpmem (one, n * sizeof (float), other, n * sizeof (float));
}

/* Of how many of 12 images there is anything. */
static guint
images_in (Rig *rig, const char *name)
{
  gsize count;
  g_autofree float *values = read_tensor (rig, name, &count);
  guint n = 0;

  for (gsize image = 0; image < 12; image++)
    for (gsize i = 0; i < count / 12; i++)
      if (values[image * (count / 12) + i] != 0)
        {
          n++;
          break;
        }
  g_test_message ("%s: %u", name, n);
  return n;
}

/* What was pooled isn't kept; as soon as somebody looks, it is, and so is every gradient. */
static void
test_kept (void)
{
  static const char *const seen[] = { "h1", "h2", "h4", "h5", "dc0", "dc3", "dh2" };
  Rig *apart = open_rig ("cnn", "steal", "2", 12), *pooled = open_rig ("cnn", "steal", "2", 12);
  guint64 end;
  float loss;
  LsRunResult result = { .losses = &loss, .step_end_ns = &end };

  train (apart, FALSE, 2, NULL);
  train (pooled, TRUE, 2, NULL);
  /* two tiles of six images each make all of them in the first one's place; so do the weights' gradient's
   * tiles, of parts that shapes say */
  g_assert_cmpuint (images_in (pooled, "h1"), ==, 2);
  g_assert_cmpuint (images_in (pooled, "h4"), ==, 2);
  g_assert_cmpuint (images_in (pooled, "dc0"), <, 12);
  g_assert_cmpuint (images_in (apart, "h1"), ==, 12);
  g_assert_cmpuint (images_in (apart, "dc0"), ==, 12);
  ls_trace_free (rig_record (apart, TRUE, &result));
  ls_trace_free (rig_record (pooled, TRUE, &result));
  for (gsize i = 0; i < G_N_ELEMENTS (seen); i++)
    assert_same (apart, pooled, seen[i]);
  train (apart, FALSE, 2, NULL);
  train (pooled, TRUE, 2, NULL);
  g_assert_cmphex (rig_hash (apart, LS_ROLE_WEIGHT), ==, rig_hash (pooled, LS_ROLE_WEIGHT));
  rig_free (apart);
  rig_free (pooled);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pooled/loops", test_loops);
  g_test_add_func ("/pooled/same-bits", test_same_bits);
  g_test_add_func ("/pooled/kept", test_kept);
  return g_test_run ();
}
