/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network counts, and what it says that isn't there: layers that have no room, samples without a label,
 * rings that aren't drawn, a unit that nobody has picked.
 */
#include <string.h>

#include "core/number.h"
#include "network_told.h"
#include "tests/paint/said.h"

/* However little room there is, as many layers are said to be left out as aren't drawn. */
static void
test_left_out (void)
{
  static const char *const models[]
    = { "flatten, dense 64, relu, dense 64, relu, dense 64, relu, dense 64, relu, dense 64, relu, dense 10",
        "conv 8 3 pad 1, relu, maxpool 2, conv 16 3 pad 1, relu, maxpool 2, flatten, dense 64, relu, "
        "dense 10" };
  guint some = 0, all = 0;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (models); i++)
    for (double width = 480; width <= 1920; width += 40)
      {
        const gboolean toy = i == 1;
        const LsFixture f = { LS_CORES (2),       .model = models[i / 2], .batch = 8,  .tiles = 16,
                              .groups = 32,       .on_cpu = TRUE,         .steps = 60, .toy = toy,
                              .classes = CLASSES, .values = TRUE };
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        guint missing = 0;

        if (i == 3) /* points have no maps */
          continue;
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, width, 700);
        const LsNetwork *n = layout->own;
        if (n->side < 0)
          continue;
        const guint first = n->image_rows > 0 ? 1 : 0;
        for (guint l = first; l + 1 < n->n_layers; l++)
          missing += n->layers[l].area.w <= 0;
        if (n->left_out != missing)
          g_error ("%s: at %.0f px %u layers of %u aren't drawn, and %u are said to be left out",
                   models[i / 2], width, missing, n->n_layers - 1 - first, n->left_out);
        some += missing > 0 && missing < n->n_layers - 1 - first;
        all += missing == n->n_layers - 1 - first;
      }
  g_test_message ("some left out: %u, all: %u", some, all);
  g_assert_cmpuint (some, >, 0);
  g_assert_cmpuint (all, >, 0);
}

/* Of a batch some of whose samples have no label, or one that isn't a class, those that have one are right or
 * wrong: the share is of these, as the sentence for who can't see it has it. */
static void
test_labelled (void)
{
  static const gint32 none[] = { -1, CLASSES };

  for (guint known = 0; known <= BATCH; known += BATCH / 4)
    for (guint i = 0; i < G_N_ELEMENTS (none); i++)
      {
        const LsFixture f = { LS_CORES (2),   .batch = BATCH, .tiles = 16,   .groups = 32,
                              .on_cpu = TRUE, .steps = 60,    .values = TRUE };
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        guint right = 0;

        {
          g_autoptr (LsLayout) before = layout_of (data, &query);
          const LsNetwork *n = before->own;
          gint32 *labels = (gint32 *) n->labels;

          g_assert_nonnull (labels);
          for (guint k = 0; k < BATCH; k++)
            {
              labels[k] = k < known ? (gint32) (ls_network_predicted (n, n->side, k) + k % 2) % CLASSES
                                    : none[i];
              right += k < known && k % 2 == 0;
            }
        }
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        g_autofree char *part
          = ls_number_text (100. * right / MAX (known, 1), 3),
          *share = g_strdup_printf ("right %s %%", part), *of = g_strdup_printf ("%u of %u", right, known),
          *told = g_strdup_printf ("Of this batch %u are right, %u wrong.", right, known - right),
          *all = all_texts (layout->still, " | "), *words = ls_layout_describe (layout);
        if (strstr (words, told) == NULL)
          g_error ("%u of %u samples have a label: “%s” isn't told: %s", known, (guint) BATCH, told, words);
        if (known == 0 && strstr (all, "right ") != NULL)
          g_error ("no sample has a label, and a share of them is right: %s", all);
        if (known > 0 && (!says (layout->still, share) || !says (layout->still, of)))
          g_error ("%u of %u samples have a label: “%s, %s” isn't said, but: %s", known, (guint) BATCH, share,
                   of, all);
      }
}

/* On the page of one unit arrows go to another one, as is said there, also from the most active one that
 * nobody picked; among the layers they go from what is picked alone. */
static void
test_arrows (void)
{
  static const struct {
    LsNetworkPage page;
    gboolean picked;
    LsViewKey key;
    gint layer, unit; /* that it goes to; −1: nothing happens */
  } cases[] = {
    { LS_NETWORK_UNIT, FALSE, LS_KEY_RIGHT, 2, 3 },   { LS_NETWORK_UNIT, FALSE, LS_KEY_LEFT, 1, 7 },
    { LS_NETWORK_UNIT, FALSE, LS_KEY_DOWN, 1, 8 },    { LS_NETWORK_UNIT, FALSE, LS_KEY_UP, 1, 6 },
    { LS_NETWORK_UNIT, TRUE, LS_KEY_RIGHT, 2, 3 },    { LS_NETWORK_UNIT, TRUE, LS_KEY_LEFT, 1, 7 },
    { LS_NETWORK_UNIT, TRUE, LS_KEY_DOWN, 1, 8 },     { LS_NETWORK_UNIT, TRUE, LS_KEY_UP, 1, 6 },
    { LS_NETWORK_WALK, FALSE, LS_KEY_RIGHT, -1, -1 }, { LS_NETWORK_WALK, FALSE, LS_KEY_LEFT, -1, -1 },
    { LS_NETWORK_WALK, FALSE, LS_KEY_DOWN, -1, -1 },  { LS_NETWORK_WALK, FALSE, LS_KEY_UP, -1, -1 },
    { LS_NETWORK_TEST, FALSE, LS_KEY_RIGHT, -1, -1 }, { LS_NETWORK_TEST, FALSE, LS_KEY_DOWN, -1, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 10, relu, dense 10", FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked.page = cases[i].page;
      ((float *) recorded (data, 0, "h2"))[7] = 1e6f; /* the most active one */
      if (cases[i].picked)
        {
          asked.layer = 1;
          asked.unit = 7;
        }
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      g_assert_cmpint (n->unit, ==, 7);
      g_assert_cmpint (n->layer, ==, 1);
      if (cases[i].page == LS_NETWORK_UNIT)
        g_assert_true (says (layout->still, "arrows go to another unit"));
      const LsAct act = ls_network_key (layout, cases[i].key, &query);
      if (asked.layer != cases[i].layer || asked.unit != cases[i].unit
          || act != (cases[i].layer < 0 ? LS_ACT_NONE : LS_ACT_CHANGED))
        g_error ("case %u: on page %u key %u goes to unit %d of layer %d", i, cases[i].page, cases[i].key,
                 asked.unit, asked.layer);
    }
}

/* Where there is no room for the rings that show how far the lanes differ, no sentence says that they do. */
static void
test_rings (void)
{
  guint with = 0, without = 0;

  for (double height = 300; height <= 1080; height += 10)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 3840, height);
      const LsNetwork *n = layout->own;
      const gboolean rings = !n->low_room, told = says (layout->still, "the other differs by the rings");

      if (n->side < 0)
        continue;
      g_assert_true (n->both);
      g_assert_true (says (layout->still, "values from the CPU lane"));
      if (told && !rings)
        g_error ("%.0f px high there are no rings, and the lanes are said to differ by them", height);
      with += rings && told;
      without += !rings;
    }
  g_assert_cmpuint (with, >, 0);
  g_assert_cmpuint (without, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-counts/left-out", test_left_out);
  g_test_add_func ("/paint/network-counts/labelled", test_labelled);
  g_test_add_func ("/paint/network-counts/arrows", test_arrows);
  g_test_add_func ("/paint/network-counts/rings", test_rings);
  return g_test_run ();
}
