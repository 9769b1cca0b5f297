/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes by name: which ink each has, which two stand on stage, and that pictures of any two are whole.
 */
#include <string.h>

#include "tests/paint/states.h"
#include "ui/paint/data/view_private.h"

/* "cor": a CPU lane, an OpenCL lane, a reference. */
static GArray *
names_of (const char *kinds)
{
  GArray *names = ls_view_names_new ();

  for (guint i = 0; kinds[i] != '\0'; i++)
    {
      const char id[] = { kinds[i], (char) ('0' + i), '\0' };
      ls_view_names_add (names, id, NULL,
                         kinds[i] == 'c'   ? LS_BACKEND_CPU
                         : kinds[i] == 'o' ? LS_BACKEND_OPENCL
                                           : LS_BACKEND_REFERENCE,
                         NULL);
    }
  ls_view_names_ink (names);
  return names;
}

static void
test_inks (void)
{
  static const struct {
    const char *kinds, *inks;
  } rows[] = {
    { "c", "0" },
    { "o", "1" },
    { "co", "01" },
    { "oc", "10" },
    { "cc", "02" },
    { "oo", "12" },
    { "cr", "01" },
    { "rc", "10" },
    { "ro", "01" },
    { "rr", "01" },
    { "ccoo", "0213" },
    { "rrco", "2301" },
    { "cor", "012" },
    { "ooc", "120" },
    { "cccccccc", "02345677" },
    { "ccccoooo", "02341567" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) names = names_of (rows[i].kinds);
      g_autoptr (GString) inks = g_string_new (NULL);

      for (guint k = 0; k < names->len; k++)
        g_string_append_printf (inks, "%u", g_array_index (names, LsViewName, k).ink);
      g_test_message ("%s", rows[i].kinds);
      g_assert_cmpstr (inks->str, ==, rows[i].inks);
    }
}

/* The lanes of an experiment have the inks that the same lanes of a run have, and their own names. */
static void
test_of_specs (void)
{
  static const struct {
    const char *lanes;
    guint n, inks[3];
    const char *names[3];
  } rows[] = {
    { "cpu", 1, { 0 }, { "CPU" } },
    { "opencl", 1, { 1 }, { "OpenCL" } },
    { "cpu,opencl", 2, { 0, 1 }, { "CPU", "OpenCL" } },
    { "opencl,cpu", 2, { 1, 0 }, { "OpenCL", "CPU" } },
    { "cpu,opencl,cpu(threads=1)", 3, { 0, 1, 2 }, { "CPU", "OpenCL", "CPU (threads: 1)" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (GError) error = NULL;

      ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, &error);
      g_assert_no_error (error);
      g_autoptr (GPtrArray) specs = ls_lane_specs_new (options, &error);
      g_assert_no_error (error);
      g_autoptr (GArray) names = ls_view_names_of (specs);
      g_assert_cmpuint (names->len, ==, rows[i].n);
      for (guint k = 0; k < names->len; k++)
        {
          const LsViewName *name = &g_array_index (names, LsViewName, k);
          if (name->ink != rows[i].inks[k] || strcmp (name->brief, rows[i].names[k]) != 0)
            g_error ("of the lanes “%s”, number %u is “%s” in ink %u, not “%s” in %u", rows[i].lanes, k,
                     name->brief, name->ink, rows[i].names[k], rows[i].inks[k]);
        }
    }
}

static void
test_sides (void)
{
  static const struct {
    const char *kinds, *left, *right;
    gint sides[LS_SIDES];
  } rows[] = {
    { "c", NULL, NULL, { 0, -1 } },   { "o", NULL, NULL, { -1, 0 } },   { "oc", NULL, NULL, { 1, 0 } },
    { "cc", NULL, NULL, { 0, 1 } },   { "oo", NULL, NULL, { 0, 1 } },   { "rc", NULL, NULL, { 1, 0 } },
    { "ccoo", NULL, NULL, { 0, 2 } }, { "ccoo", "o2", "o3", { 2, 3 } }, { "ccoo", "o3", "c0", { 3, 0 } },
    { "ccoo", NULL, "c0", { 1, 0 } }, { "ccoo", "o2", NULL, { 2, 3 } }, { "co", "x9", "y9", { 0, 1 } },
    { "ccoo", "c1", "c1", { 1, 2 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) names = names_of (rows[i].kinds);
      const char *const stands[LS_SIDES] = { rows[i].left, rows[i].right };
      gint sides[LS_SIDES];

      ls_view_choose_sides (names, stands, sides);
      g_test_message ("%s, %s, %s", rows[i].kinds, rows[i].left, rows[i].right);
      g_assert_cmpint (sides[0], ==, rows[i].sides[0]);
      g_assert_cmpint (sides[1], ==, rows[i].sides[1]);
    }
}

/* What a lane has of its own is told of it, not what the run has; the chosen lanes stand in the picture, the
 * others have their curves. */
static void
test_recorded (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .steps = 60 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  g_autoptr (LsViewData) data = NULL, turned = NULL;
  g_autofree char *own = NULL, *shared = NULL;

  g_hash_table_insert (recording->options, g_strdup ("policy"), g_strdup ("dynamic"));
  g_free (recording->lanes[0].id);
  g_free (recording->lanes[0].spec);
  recording->lanes[0].id = g_strdup ("mine");
  recording->lanes[0].spec = g_strdup ("cpu(policy=static)");
  data = ls_view_data_from_recording (recording, NULL);
  own = ls_view_data_option (data, 0, "policy");
  shared = ls_view_data_option (data, 1, "policy");
  g_assert_cmpstr (own, ==, "static");
  g_assert_cmpstr (shared, ==, "dynamic");
  g_assert_cmpstr (data->sides[0].name, ==, "CPU (mine)");
  g_assert_cmpuint (data->others->len, ==, 0);
  turned = ls_view_data_from_recording (recording,
                                        &(LsViewBeside){ .stands = { recording->lanes[1].id, "mine" } });
  g_assert_cmpstr (turned->sides[1].id, ==, "mine");
  g_assert_cmpuint (turned->sides[1].ink, ==, 0); /* a lane keeps its ink */
  g_assert_cmpuint (turned->sides[0].ink, ==, 1);
}

/* A perceptron by its sizes, another network by its name, and one without by its layers; in brief by the
 * name, or by how many layers have weights. */
static void
test_titles (void)
{
  static const gint64 shape[] = { 28, 28, 1 };
  static const struct {
    const char *model, *name, *title, *brief;
  } rows[] = {
    { "flatten, dense 256, relu, dense 10", "mlp", "784 · 256 · 10 on mnist, batch 8",
      "mlp on mnist, batch 8" },
    { "conv 4 3, relu, flatten, dense 10", "cnn", "cnn on mnist, batch 8", "cnn on mnist, batch 8" },
    { "conv 4 3, relu, flatten, dense 10", NULL, "conv 4 3, relu, flatten, dense 10 on mnist, batch 8",
      "2 layers on mnist, batch 8" },
    { "conv 4 3, relu, flatten, dense 10", "", "conv 4 3, relu, flatten, dense 10 on mnist, batch 8",
      "2 layers on mnist, batch 8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *title = ls_view_title (rows[i].model, rows[i].name, shape, "mnist", 8, FALSE),
                      *brief = ls_view_title (rows[i].model, rows[i].name, shape, "/data/mnist", 8, TRUE);
      g_assert_cmpstr (title, ==, rows[i].title);
      g_assert_cmpstr (brief, ==, rows[i].brief);
    }
}

/* Of which kernel a lane's head tells: of the op with the most arithmetic; where that was fused into another
 * one, of that one's, and never of one without a kernel. */
static void
test_heavy (void)
{
  const LsTiling tilings[] = { { .leader = 0, .kernel = "packed" },
                               { .leader = 0, .tile_rows = 7 },
                               { .leader = 2, .kernel = "naive" },
                               { .leader = 3 },
                               { .leader = 2 } };
  static const struct {
    gint64 flops[5];
    gint heavy;
  } rows[] = {
    { { 9, 1, 5, 0, 0 }, 0 }, { { 1, 9, 5, 0, 0 }, 0 }, { { 1, 2, 9, 0, 3 }, 2 },  { { 1, 2, 5, 9, 0 }, 2 },
    { { 1, 2, 5, 0, 9 }, 2 }, { { 4, 2, 4, 9, 0 }, 0 }, { { 0, 0, 0, 0, 0 }, -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsTiling *heavy = ls_view_heavy_tiling (tilings, rows[i].flops, sizeof (gint64), 5);
      const gint is = heavy != NULL ? (gint) (heavy - tilings) : -1;

      if (is != rows[i].heavy)
        g_error ("row %u: the kernel of op %d is told, not that of op %d", (guint) i, is, rows[i].heavy);
    }
  g_assert_null (ls_view_heavy_tiling (NULL, rows[0].flops, sizeof (gint64), 5));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/of-specs", test_of_specs);
  g_test_add_func ("/names/inks", test_inks);
  g_test_add_func ("/names/sides", test_sides);
  g_test_add_func ("/names/recorded", test_recorded);
  g_test_add_func ("/names/titles", test_titles);
  g_test_add_func ("/paint/names/heavy", test_heavy);
  return g_test_run ();
}
