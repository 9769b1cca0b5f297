/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The toy sets. A point's numbers come from the counter-based generator, each kind from a substream of its
 * own, so point i never depends on how many points are made. To add a set: a function, a row.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/rng.h"
#include "data/toy.h"

static double
uniform (guint64 seed, guint32 which, guint64 i)
{
  return ls_rng_uniform (seed, LS_STREAM_TOY, which, i);
}

static double
noise (guint64 seed, guint32 which, guint64 i)
{
  return ls_rng_normal (seed, LS_STREAM_TOY, 16 + which, i);
}

/* Three arms, each turning 4 radians while its radius grows from 0.1 to 1. */
static void
point_spiral (guint64 seed, guint64 i, gint label, float *xy)
{
  double t = uniform (seed, 0, i);
  double radius = 0.1 + 0.9 * t;
  double angle = 4 * t + label * 2 * G_PI / 3 + 0.15 * noise (seed, 0, i);

  xy[0] = (float) (radius * sin (angle));
  xy[1] = (float) (radius * cos (angle));
}

/* A ring around a ring. */
static void
point_circles (guint64 seed, guint64 i, gint label, float *xy)
{
  double angle = 2 * G_PI * uniform (seed, 0, i);
  double radius = label == 0 ? 0.8 : 0.4;

  xy[0] = (float) (radius * cos (angle) + 0.06 * noise (seed, 0, i));
  xy[1] = (float) (radius * sin (angle) + 0.06 * noise (seed, 1, i));
}

/* Opposite quadrants are of one class; a gap of 0.1 along the axes keeps it solvable without error. */
static void
point_xor (guint64 seed, guint64 i, gint label, float *xy)
{
  double x = 0.05 + 0.95 * uniform (seed, 0, i);
  double y = 0.05 + 0.95 * uniform (seed, 1, i);
  gboolean left = uniform (seed, 2, i) < 0.5;
  gboolean below = left ^ (label == 1);

  xy[0] = (float) (left ? -x : x);
  xy[1] = (float) (below ? -y : y);
}

/* Two half circles of radius 1 that reach into each other, centred and scaled to fit. */
static void
point_moons (guint64 seed, guint64 i, gint label, float *xy)
{
  double angle = G_PI * uniform (seed, 0, i);
  double x = label == 0 ? cos (angle) : 1 - cos (angle);
  double y = label == 0 ? sin (angle) : 0.5 - sin (angle);

  xy[0] = (float) ((x - 0.5 + 0.08 * noise (seed, 0, i)) / 1.6);
  xy[1] = (float) ((y - 0.25 + 0.08 * noise (seed, 1, i)) / 1.6);
}

/* Two clouds in many dimensions, the second one's middle further out along every axis by less and less: a
 * table whose first columns tell most. */
static void
point_tabular (guint64 seed, guint64 i, gint label, float *x)
{
  for (guint32 j = 0; j < LS_TOY_MAX_FEATURES; j++)
    x[j] = (float) ((label == 0 ? -0.4 : 0.4) / (1 + 0.1 * j) + 0.2 * noise (seed, j, i));
}

static const LsToy toys[] = {
  { "spiral",
    N_("Three spiral arms"),
    3,
    2,
    point_spiral,
    { "flatten, dense 32, tanh, dense 32, tanh, dense 3", .lr = 0.1, .adam_lr = 0.01, .steps = 2000,
      .watch_s = 30, .word = N_("spiral"), .about = N_("three arms") } },
  { "circles",
    N_("Two rings"),
    2,
    2,
    point_circles,
    { "flatten, dense 16, tanh, dense 2", .lr = 0.1, .adam_lr = 0.01, .steps = 2000, .watch_s = 30,
      .word = N_("rings"), .about = N_("one in the other") } },
  { "xor",
    N_("Exclusive or"),
    2,
    2,
    point_xor,
    { "flatten, dense 16, tanh, dense 2", .lr = 0.1, .adam_lr = 0.01, .steps = 2000, .watch_s = 30,
      .word = N_("xor"), .about = N_("4 corners") } },
  { "moons",
    N_("Two half moons"),
    2,
    2,
    point_moons,
    { "flatten, dense 16, tanh, dense 2", .lr = 0.1, .adam_lr = 0.01, .steps = 2000, .watch_s = 30,
      .word = N_("half moons"), .about = N_("two of them") } },
  { "tabular",
    N_("A table of twenty columns"),
    2,
    LS_TOY_MAX_FEATURES,
    point_tabular,
    { "flatten, dense 32, relu, dense 2", .lr = 0.05, .adam_lr = 0.001, .steps = 2000, .watch_s = 30,
      .word = N_("table"), .about = N_("20 columns") } },
};

const LsToy *
ls_toys (guint *n)
{
  *n = G_N_ELEMENTS (toys);
  return toys;
}

static void
make_set (const LsToy *toy, guint64 seed, guint64 first, gint64 n, LsDataset *set)
{
  float *x = g_new (float, toy->n_features *n);

  *set = (LsDataset){
    .n = n, .shape = { toy->n_features, 1, 1 }, .sample_size = toy->n_features, .type = LS_SAMPLE_F32
  };
  set->samples = x;
  set->labels = g_new (gint32, n);
  for (gint64 i = 0; i < n; i++)
    {
      set->labels[i] = (gint32) (i % toy->n_classes);
      toy->point (seed, first + (guint64) i, set->labels[i], x + toy->n_features * i);
    }
}

void
ls_toy_make (const LsToy *toy, guint64 seed, LsDataset *train, LsDataset *test)
{
  make_set (toy, seed, 0, LS_TOY_TRAIN, train);
  make_set (toy, seed, LS_TOY_TRAIN, LS_TOY_TEST, test);
}
