/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the toy sets look like, as their titles say, and data at a glance: the sentence, the small pictures.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "data/preview.h"
#include "data/toy.h"

typedef struct {
  guint n;
  double sum, squares;
} Mean;

static void
add (Mean *mean, double value)
{
  mean->n++;
  mean->sum += value;
  mean->squares += value * value;
}

static double
mean_of (const Mean *mean)
{
  return mean->sum / mean->n;
}

static double
deviation_of (const Mean *mean)
{
  return sqrt (mean->squares / mean->n - mean_of (mean) * mean_of (mean));
}

/* Calls for each point to train with. */
typedef void (*Look) (gint label, const float *x, gpointer data);

static void
look_at (const char *name, Look look, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) set = ls_data_load (name, 5, &error);
  const float *x;

  g_assert_no_error (error);
  x = set->train.samples;
  for (gint64 i = 0; i < set->train.n; i++)
    look (set->train.labels[i], x + i * set->train.sample_size, data);
}

/* ---- points ---- */

/* Rings of radius 0.8 and 0.4, each with a noise of 0.06 along both axes, all the way round. */
static void
look_at_rings (gint label, const float *x, gpointer data)
{
  Mean *means = data;
  const guint quarter = (x[0] > 0) + 2 * (x[1] > 0);

  add (&means[label], hypot ((double) x[0], (double) x[1]));
  add (&means[2 + quarter], hypot ((double) x[0], (double) x[1]) - (label == 0 ? .8 : .4));
}

static void
test_rings (void)
{
  Mean means[6] = { 0 };

  look_at ("circles", look_at_rings, means);
  for (guint label = 0; label < 2; label++)
    {
      g_assert_cmpfloat_with_epsilon (mean_of (&means[label]), label == 0 ? .8 : .4, .01);
      g_assert_cmpfloat_with_epsilon (deviation_of (&means[label]), .06, .006);
    }
  for (guint quarter = 0; quarter < 4; quarter++)
    {
      g_assert_cmpfloat_with_epsilon (means[2 + quarter].n, LS_TOY_TRAIN / 4., 100);
      /* in all directions alike: that of one axis isn't that of the other */
      g_assert_cmpfloat_with_epsilon (deviation_of (&means[2 + quarter]), .06, .012);
    }
}

/* From a radius of 0.1 to one of 1 an arm turns by 4 radians, a third of a turn from the next; 0 is up, and
 * angles grow to the right. */
static void
look_at_arms (gint label, const float *x, gpointer data)
{
  Mean *means = data;
  const double radius = hypot ((double) x[0], (double) x[1]), along = (radius - .1) / .9,
               angle = atan2 ((double) x[0], (double) x[1]) - 4 * along - label * 2 * G_PI / 3;

  g_assert_cmpfloat (radius, >, .1 - 1e-6);
  g_assert_cmpfloat (radius, <, 1 + 1e-6);
  add (&means[0], remainder (angle, 2 * G_PI));
  add (&means[1], radius);
}

static void
test_arms (void)
{
  Mean means[2] = { 0 };

  look_at ("spiral", look_at_arms, means);
  g_assert_cmpfloat_with_epsilon (mean_of (&means[0]), 0, .015);
  g_assert_cmpfloat_with_epsilon (deviation_of (&means[0]), .15, .01);
  g_assert_cmpfloat_with_epsilon (mean_of (&means[1]), .55, .02);
}

/* Both coordinates are 0.05 from the axes at least; where they are of one sign it is class 0. */
static void
look_at_corners (gint label, const float *x, gpointer data)
{
  guint *corners = data;

  g_assert_cmpfloat (MIN (fabsf (x[0]), fabsf (x[1])), >=, .05f);
  g_assert_cmpfloat (MAX (fabsf (x[0]), fabsf (x[1])), <=, 1);
  g_assert_cmpint (label, ==, (x[0] < 0) != (x[1] < 0));
  corners[(x[0] < 0) + 2 * (x[1] < 0)]++;
}

static void
test_corners (void)
{
  guint corners[4] = { 0 };

  look_at ("xor", look_at_corners, corners);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (corners[i], LS_TOY_TRAIN / 4., 100);
}

/* Half circles of radius 1, the upper one's middle at (0, 0), the lower one's at (1, ½), with a noise of
 * 0.08: the centre of both is taken off, and they are scaled to fit. */
static void
look_at_moons (gint label, const float *x, gpointer data)
{
  Mean *means = data;
  const double across = 1.6 * (double) x[0] + .5 - label, up = 1.6 * (double) x[1] + .25 - .5 * label;

  add (&means[label], hypot (across, up));
  add (&means[4 + (fabs (across) > fabs (up))], hypot (across, up));
  g_assert_cmpfloat (label == 0 ? up : -up, >, -.4);
  add (&means[2], (double) x[0]);
  add (&means[3], (double) x[1]);
}

static void
test_moons (void)
{
  Mean means[6] = { 0 };

  look_at ("moons", look_at_moons, means);
  for (guint label = 0; label < 2; label++)
    {
      g_assert_cmpfloat_with_epsilon (mean_of (&means[label]), 1, .01);
      g_assert_cmpfloat_with_epsilon (deviation_of (&means[label]), .08, .01);
    }
  /* at their tops as at their ends: the noise of one axis isn't that of the other */
  for (guint axis = 0; axis < 2; axis++)
    g_assert_cmpfloat_with_epsilon (deviation_of (&means[4 + axis]), .08, .01);
  g_assert_cmpfloat_with_epsilon (mean_of (&means[2]), 0, .03);
  g_assert_cmpfloat_with_epsilon (mean_of (&means[3]), 0, .03);
}

/* Two clouds: along column j their middles are 0.8 / (1 + j/10) apart, each of a deviation of 0.2. */
static void
look_at_columns (gint label, const float *x, gpointer data)
{
  for (guint j = 0; j < LS_TOY_MAX_FEATURES; j++)
    add (&((Mean *) data)[2 * j + (guint) label], (double) x[j]);
}

static void
test_columns (void)
{
  Mean means[2 * LS_TOY_MAX_FEATURES] = { 0 };

  look_at ("tabular", look_at_columns, means);
  for (guint j = 0; j < LS_TOY_MAX_FEATURES; j++)
    for (guint label = 0; label < 2; label++)
      {
        g_assert_cmpfloat_with_epsilon (mean_of (&means[2 * j + label]),
                                        (label == 0 ? -.4 : .4) / (1 + .1 * j), .025);
        g_assert_cmpfloat_with_epsilon (deviation_of (&means[2 * j + label]), .2, .02);
      }
}

/* No sample to test with is one to train with: what was learnt would be asked for. */
static void
test_apart (void)
{
  guint n;
  const LsToy *toys = ls_toys (&n);

  for (guint t = 0; t < n; t++)
    {
      g_autoptr (LsData) set = ls_data_load (toys[t].name, 5, NULL);
      const gsize bytes = (gsize) toys[t].n_features * sizeof (float);
      g_autoptr (GHashTable) known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                            (GDestroyNotify) g_bytes_unref, NULL);

      for (guint of_test = 0; of_test < 2; of_test++)
        {
          const LsDataset *own = of_test ? &set->test : &set->train;

          for (gint64 i = 0; i < own->n; i++)
            {
              float point[LS_TOY_MAX_FEATURES];

              /* the 2 000 to train with are the first ones, and those to test with come after them */
              toys[t].point (5, (guint64) (of_test * LS_TOY_TRAIN + i), own->labels[i], point);
              g_assert_cmpmem (point, bytes, (const guint8 *) own->samples + (gsize) i * bytes, bytes);
              GBytes *sample = g_bytes_new ((const guint8 *) own->samples + (gsize) i * bytes, bytes);
              if (!g_hash_table_add (known, sample))
                g_error ("%s: sample %d to %s is there twice", toys[t].name, (gint) i,
                         of_test ? "test" : "train");
            }
        }
    }
}

/* ---- at a glance ---- */

static void
test_sentences (void)
{
  static const struct {
    gint64 shape[3];
    gint n_classes;
    const char *words;
  } rows[] = {
    { { 1, 28, 28 }, 10, "28×28, 10 classes" },  { { 3, 32, 48 }, 2, "3×32×48, 2 classes" },
    { { 20, 1, 1 }, 2, "20 values, 2 classes" }, { { 1, 1, 1 }, 1, "1 value, 1 class" },
    { { 1, 1, 7 }, 3, "1×7, 3 classes" },        { { 3, 5, 1 }, 4, "3×5×1, 4 classes" },
    { { 4, 1, 2 }, 2, "4×1×2, 2 classes" },      { { 1, 9, 1 }, 2, "9×1, 2 classes" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = ls_data_shape_text (rows[i].shape, rows[i].n_classes);
      g_assert_cmpstr (words, ==, rows[i].words);
    }
}

/* A table's values from −2 to 2 are grey from black to white, one column beside the other; an image is shown
 * as it is. */
static void
test_pictures (void)
{
  static const char *const names[] = { "tabular", "mnist" };

  for (gsize d = 0; d < G_N_ELEMENTS (names); d++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) set = ls_data_load (names[d], 5, &error);
      g_autoptr (LsDataPreview) preview = NULL;
      const gboolean table = d == 0;
      const guint values = table ? 20 : 28 * 28;

      g_assert_no_error (error);
      preview = ls_data_preview_new (set);
      g_assert_cmpuint (preview->width, ==, table ? 20 : 28);
      g_assert_cmpuint (preview->height, ==, table ? 1 : 28);
      g_assert_cmpuint (preview->n, ==, set->n_first);
      g_assert_cmpint (preview->n_train, ==, set->train.n);
      g_assert_cmpint (preview->n_classes, ==, table ? 2 : 10);
      g_assert_true (g_str_has_prefix (preview->summary,
                                       table ? "20 values, 2 classes; 2000 samples to train, 500 to test ("
                                             : "28×28, 10 classes; 60000 samples to train, 10000 to test ("));
      for (guint i = 0; i < preview->n; i++)
        {
          const gint64 at = set->first[i];
          const guint8 *pixels = preview->pixels + (gsize) 3 * values * i;
          g_autofree char *label = g_strdup_printf ("%d", set->train.labels[at]);

          g_assert_cmpstr (preview->labels[i], ==, label);
          for (guint k = 0; k < values; k++)
            {
              const double value = table ? (double) ((const float *) set->train.samples)[at * values + k] : 0,
                           grey = 255 * CLAMP ((value + 2) / 4, 0, 1);

              g_test_message ("%s, sample %u, value %u", names[d], i, k);
              if (table)
                g_assert_cmpfloat_with_epsilon (pixels[3 * k], grey, .51);
              else
                g_assert_cmpuint (pixels[3 * k], ==, ((const guint8 *) set->train.samples)[at * values + k]);
              g_assert_cmpuint (pixels[3 * k + 1], ==, pixels[3 * k]);
              g_assert_cmpuint (pixels[3 * k + 2], ==, pixels[3 * k]);
            }
        }
    }
}

/* Of three channels each is a colour; what is larger than a picture loses rows and columns evenly. */
static void
test_colours (void)
{
  enum { EDGE = 2 * LS_PREVIEW_EDGE };
  g_autofree guint8 *values = g_new (guint8, 3 * EDGE * EDGE);
  gint32 label = 1;
  char *classes[] = { (char *) "cat", (char *) "dog", NULL };
  const LsData set = { .train = { .n = 1,
                                  .shape = { 3, EDGE, EDGE },
                                  .sample_size = 3 * EDGE * EDGE,
                                  .type = LS_SAMPLE_U8,
                                  .samples = values,
                                  .labels = &label },
                       .n_classes = 2,
                       .class_names = classes,
                       .format = "images",
                       .n_first = 1 };
  g_autoptr (LsDataPreview) preview = NULL;

  for (guint i = 0; i < 3 * EDGE * EDGE; i++) /* column, row, and both */
    {
      const guint row = i / EDGE % EDGE, col = i % EDGE;
      values[i] = (guint8) (i / (EDGE * EDGE) == 0 ? col : i / (EDGE * EDGE) == 1 ? row : row + col);
    }
  /* as floats they go from 0 to 1 */
  g_autofree float *shares = g_new (float, 3 * EDGE * EDGE);
  LsData floats = set;
  floats.train.type = LS_SAMPLE_F32;
  floats.train.samples = shares;
  for (guint i = 0; i < 3 * EDGE * EDGE; i++)
    shares[i] = (float) values[i] / 255;
  preview = ls_data_preview_new (&set);
  g_autoptr (LsDataPreview) same = ls_data_preview_new (&floats);
  for (guint i = 0; i < 3 * LS_PREVIEW_EDGE * LS_PREVIEW_EDGE; i++)
    if (same->pixels[i] != preview->pixels[i])
      g_error ("value %u is %u as a byte and %u as a float", i, preview->pixels[i], same->pixels[i]);
  g_assert_cmpuint (preview->width, ==, LS_PREVIEW_EDGE);
  g_assert_cmpuint (preview->height, ==, LS_PREVIEW_EDGE);
  g_assert_cmpstr (preview->labels[0], ==, "dog");
  for (guint y = 0; y < LS_PREVIEW_EDGE; y++)
    for (guint x = 0; x < LS_PREVIEW_EDGE; x++)
      {
        const guint8 *pixel = preview->pixels + 3 * (y * LS_PREVIEW_EDGE + x);

        g_assert_cmpuint (pixel[0], ==, 2 * x);
        g_assert_cmpuint (pixel[1], ==, 2 * y);
        g_assert_cmpuint (pixel[2], ==, 2 * (x + y));
      }
  /* two channels are no colours: the first one is shown as grey */
  LsData two = set;
  two.train.shape[0] = 2;
  two.train.sample_size = 2 * EDGE * EDGE;
  g_autoptr (LsDataPreview) grey = ls_data_preview_new (&two);
  for (guint i = 0; i < LS_PREVIEW_EDGE * LS_PREVIEW_EDGE; i++)
    for (guint c = 0; c < 3; c++)
      if (grey->pixels[3 * i + c] != preview->pixels[3 * i])
        g_error ("of two channels pixel %u is %u, %u, %u, not grey", i, grey->pixels[3 * i],
                 grey->pixels[3 * i + 1], grey->pixels[3 * i + 2]);
  /* four rows of eight, each as it is */
  LsData wide = set;
  wide.train.shape[0] = 1;
  wide.train.shape[1] = 4;
  wide.train.shape[2] = 8;
  wide.train.sample_size = 4 * 8;
  for (guint i = 0; i < 4 * 8; i++)
    values[i] = (guint8) i;
  g_autoptr (LsDataPreview) rows = ls_data_preview_new (&wide);
  g_assert_cmpuint (rows->width, ==, 8);
  g_assert_cmpuint (rows->height, ==, 4);
  for (guint i = 0; i < 4 * 8; i++)
    if (rows->pixels[3 * i] != i)
      g_error ("pixel %u in row %u is value %u of the sample", i % 8, i / 8, rows->pixels[3 * i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/toys/rings", test_rings);
  g_test_add_func ("/toys/arms", test_arms);
  g_test_add_func ("/toys/corners", test_corners);
  g_test_add_func ("/toys/moons", test_moons);
  g_test_add_func ("/toys/columns", test_columns);
  g_test_add_func ("/toys/apart", test_apart);
  g_test_add_func ("/preview/sentences", test_sentences);
  g_test_add_func ("/preview/pictures", test_pictures);
  g_test_add_func ("/preview/colours", test_colours);
  return g_test_run ();
}
