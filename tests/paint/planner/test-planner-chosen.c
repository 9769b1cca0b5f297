/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner where something else is asked for than the run's own step: another batch, optimizer or precision,
 * and what is larger than this machine could hold.
 */
#include "tests/paint/planner/planner-rig.h"

/* What this machine could never hold is estimated all the same: a step of more than 16 GiB is too large for a
 * card of 12 GB, and fits one of 80 GB; of one that it doesn't fit no break-even is drawn. */
static void
test_large (void)
{
  Picture p;
  guint too_small = 0, enough = 0;

  open_run (&p, "flatten, dense 30000, relu, dense 10", 16, TRUE);
  asked (&p)->train = 4;
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  g_test_message ("%s", planner (&p)->advice.sentence);
  g_assert_nonnull (planner (&p)->plan);
  g_assert_cmpfloat (planner (&p)->guide.need.value, >, 16. * 1073741824);
  for (asked (&p)->card = 1; asked (&p)->card <= ls_planner_n_cards (p.data->catalogue); asked (&p)->card++)
    {
      draw (&p);
      const LsHardware *card = planner (&p)->guide.own;
      const LsFigure has = ls_hardware_step_memory (card);
      const gboolean fits = planner (&p)->guide.need.value <= has.value;

      if (has.n == 0)
        continue;
      too_small += !fits;
      enough += fits;
      g_assert_cmpint (told (&p, "there is nothing to hold against each other"), ==, !fits);
      if (!fits
          && (ls_planner_compares (planner (&p)) || told (&p, "break-even") || told (&p, "owning saves")))
        g_error ("%s: a break-even of what doesn't fit", card->name);
      assert_faultless (p.layout);
    }
  g_assert_cmpuint (MIN (too_small, enough), >, 0);
  close_picture (&p);
}

/* Of two lanes whose rates stand the faster one's step is what it costs here, whichever of them it is. */
static void
test_faster (void)
{
  Picture p;

  open_run (&p, "mlp", 256, TRUE);
  for (guint turn = 0; turn < 2; turn++)
    {
      LsViewLane *lanes = p.data->sides;
      const LsFigure first = lanes[0].rate;

      lanes[0].rate = lanes[1].rate;
      lanes[1].rate = first;
      g_assert_true (ls_figure_stands (&lanes[0].rate) && ls_figure_stands (&lanes[1].rate));
      g_assert_cmpfloat (lanes[0].rate.value, !=, lanes[1].rate.value);
      draw (&p);
      g_assert_cmpfloat (planner (&p)->guide.step_here.value, ==,
                         256 / MAX (lanes[0].rate.value, lanes[1].rate.value));
    }
  close_picture (&p);
}

/* A lane stores numbers in 16 bits, and a step in 32 is asked for: it costs here what the faster lane needs,
 * if that is what it did; else nothing is known of it, and the share of its roofs is that of its own step. It
 * is all the same on which side which lane stands. */
static void
test_other_lane (void)
{
  Picture p;
  double shares[2];

  open_run (&p, "mlp", 256, TRUE);
  const LsFigure slow = { .value = 1e5, .q1 = .9e5, .q3 = 1.1e5, .n = 50, .unit = "samples/s" };
  const LsFigure fast = { .value = 2e5, .q1 = 1.9e5, .q3 = 2.1e5, .n = 50, .unit = "samples/s" };
  asked (&p)->precision = LS_PRECISION_FP32 + 1;
  for (guint half = 0; half < 2; half++)
    for (guint faster = 0; faster < 2; faster++)
      {
        for (guint side = 0; side < 2; side++)
          {
            p.data->sides[side].precision = side == half ? LS_PRECISION_BF16 : LS_PRECISION_FP32;
            p.data->sides[side].rate = side == faster ? fast : slow;
            g_assert_true (ls_figure_stands (&p.data->sides[side].rate));
          }
        draw (&p);
        const LsFigure step = planner (&p)->guide.step_here;
        if (faster == half ? step.n != 0 : step.n == 0 || fabs (step.value - 256 / fast.value) > 1e-12)
          g_error ("lane %u has 16 bits and lane %u is faster: a step in 32 takes %g s here", half, faster,
                   step.n > 0 ? step.value : (double) NAN);
        g_assert_cmpuint (planner (&p)->guide.share.n, >, 0);
        if (faster == half)
          shares[half] = planner (&p)->guide.share.value;
      }
  if (fabs (shares[0] - shares[1]) > 1e-9)
    g_error ("with 16 bits on the left a share of %g is reached, on the right of %g", shares[0], shares[1]);
  close_picture (&p);
}

/* With another optimizer or precision than the run's all is estimated anew; what lanes have allocated, and
 * how fast they were, is of their own step alone. */
static void
test_chosen (void)
{
  Picture p;
  Row rows[12];

  open_picture (&p, TRUE);
  const LsStepMemory sgd = planner (&p)->rows[0].memory;
  g_assert_cmpint (planner (&p)->own_optimizer, ==, LS_OPTIMIZER_SGD);
  g_assert_cmpuint (rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, rows, 12), ==, 2);
  g_assert_cmpuint (planner (&p)->guide.step_here.n, >, 0);

  asked (&p)->optimizer = 2;
  draw (&p);
  const LsStepMemory adam = planner (&p)->rows[0].memory;
  g_assert_cmpint (adam.bytes[LS_MEMORY_STATES], ==, 2 * sgd.bytes[LS_MEMORY_STATES]);
  g_assert_cmpint (adam.bytes[LS_MEMORY_WEIGHTS], ==, sgd.bytes[LS_MEMORY_WEIGHTS]);
  g_assert_cmpuint (rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, rows, 12), ==, 0);
  g_assert_cmpuint (planner (&p)->guide.step_here.n, ==, 0);
  g_assert_true (told (&p, "Estimated alone: no lane has allocated such a step."));
  assert_faultless (p.layout);

  asked (&p)->optimizer = 1;
  asked (&p)->precision = 2;
  draw (&p);
  const LsStepMemory half = planner (&p)->rows[0].memory;
  g_assert_true (told (&p, "a step in bf16 with SGD"));
  g_assert_cmpint (half.bytes[LS_MEMORY_ACTIVATIONS], <, sgd.bytes[LS_MEMORY_ACTIVATIONS]);
  g_assert_cmpint (half.bytes[LS_MEMORY_WEIGHTS], >, sgd.bytes[LS_MEMORY_WEIGHTS]); /* with their copies */
  g_assert_cmpuint (rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, rows, 12), ==, 0);

  asked (&p)->precision = 1; /* the run's own, by name */
  draw (&p);
  g_assert_cmpint (memcmp (&planner (&p)->rows[0].memory, &sgd, sizeof sgd), ==, 0);
  g_assert_cmpuint (rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, rows, 12), ==, 2);
  close_picture (&p);
}

/* At every size: the whole sentence, figures with their marks, what a step takes, and what owning costs. */
static void
test_everywhere (void)
{
  static const struct {
    double width, height;
    LsLook look;
    guint figures;
  } sizes[] = { { 960, 600, LS_LOOK_LIGHT, 4 },
                { 1280, 800, LS_LOOK_DARK, 7 },
                { 1920, 1080, LS_LOOK_LIGHT, 9 },
                { 1920, 1080, LS_LOOK_PROJECTOR, 4 } };
  Picture p;
  Row rows[12];

  buying (&p);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint placed = 0;

      draw_at (&p, sizes[i].width, sizes[i].height, sizes[i].look);
      g_assert_true (told (&p, planner (&p)->advice.sentence));
      for (guint k = 0; k < planner (&p)->figures->len; k++)
        placed += g_array_index (planner (&p)->figures, LsPlannerFigure, k).area.w > 0;
      if (placed < sizes[i].figures)
        g_test_fail_printf ("%g px: only %u figures have a place", sizes[i].width, placed);
      if (!told (&p, "Does it fit?") || !told (&p, "When does owning pay?") || !told (&p, "break-even"))
        g_test_fail_printf ("%g px: a half of the picture is missing", sizes[i].width);
      if (rows_of (&p, LS_ITEM_HOLLOW, LS_EVIDENCE_DERIVED, rows, 12) == 0)
        g_test_fail_printf ("%g px: no bar says what a step takes", sizes[i].width);
      assert_faultless (p.layout);
    }
  close_picture (&p);
}

/* What others published of such a step's memory stands among the figures, counted the same way, with its
 * page. */
static void
test_published (void)
{
  Picture p;
  guint n = 0;

  buying (&p);
  for (guint i = 0; i < planner (&p)->figures->len; i++)
    {
      const LsPlannerFigure *f = &g_array_index (planner (&p)->figures, LsPlannerFigure, i);

      if (strstr (f->text, "counted this way") == NULL)
        continue;
      g_test_message ("%s", f->text);
      g_assert_nonnull (f->source);
      g_assert_nonnull (strstr (f->text, n == 0 ? "6.90 M values, counted this way 6.92 M values"
                                                : "56.0 GB, counted this way 56.0 GB"));
      n++;
    }
  g_assert_cmpuint (n, ==, LS_FIT_N_CHECKS);
  close_picture (&p);
}

/* Where there isn't room for all figures, keys still reach each, and it then has a place. */
static void
test_reach (void)
{
  Picture p;
  guint hidden = 0;

  buying (&p);
  draw_at (&p, 960, 600, LS_LOOK_LIGHT);
  for (guint i = 0; i < planner (&p)->figures->len; i++)
    {
      hidden += g_array_index (planner (&p)->figures, LsPlannerFigure, i).area.w <= 0;
      g_assert_cmpint (press (&p, i == 0 ? LS_KEY_PICK : LS_KEY_RIGHT), ==, LS_ACT_CHANGED);
      g_assert_cmpint (asked (&p)->picked, ==, (gint) i);
      if (g_array_index (planner (&p)->figures, LsPlannerFigure, i).area.w <= 0)
        g_test_fail_printf ("“%s” has no place though it is picked",
                            g_array_index (planner (&p)->figures, LsPlannerFigure, i).text);
      assert_faultless (p.layout);
    }
  g_assert_cmpuint (hidden, >, 0);
  close_picture (&p);
}

/* The first number in the words, of which a narrow space parts the thousands, and where they go on. */
static double
number_in (const char *words, const char **rest)
{
  double value = 0;

  while (*words != '\0' && !g_ascii_isdigit (*words))
    words++;
  g_assert_true (*words != '\0');
  for (; g_ascii_isdigit (*words) || g_str_has_prefix (words, "\u2009"); words = g_utf8_next_char (words))
    if (g_ascii_isdigit (*words))
      value = 10 * value + g_ascii_digit_value (*words);
  *rest = words;
  return value;
}

/* What a choice says is what is reckoned with. */
static void
test_words (void)
{
  Picture p;
  const char *words, *rest;
  double epoch = 0;

  open_picture (&p, TRUE);
  for (guint i = 0; (words = ls_planner_often_word (i)) != NULL; i++)
    {
      asked (&p)->often = i;
      draw (&p);
      g_assert_cmpfloat (planner (&p)->guide.runs, ==, number_in (words, &rest));
      const double epochs = number_in (rest, &rest);
      if (i == 0)
        epoch = planner (&p)->guide.steps / epochs;
      g_assert_cmpfloat (planner (&p)->guide.steps, ==, epochs * epoch);
    }
  asked (&p)->often = 0;
  for (guint i = 0; (words = ls_planner_months_word (i)) != NULL; i++)
    {
      asked (&p)->months = i;
      draw (&p);
      g_assert_cmpfloat (planner (&p)->guide.months, ==, number_in (words, &rest));
      g_assert_cmpfloat (planner (&p)->guide.budget, ==,
                         strstr (rest, "USD") != NULL ? number_in (rest, &rest) : 0);
    }
  for (guint i = 0; (words = ls_planner_train_word (i)) != NULL; i++)
    {
      asked (&p)->train = i;
      draw (&p);
      if (strstr (words, ", batch ") != NULL)
        g_assert_cmpuint (planner (&p)->batch, ==, (guint) number_in (words, &rest));
    }
  close_picture (&p);
}

/* Samples that are rows of numbers, and only those, are a table, whose size is that of an epoch's samples. */
static void
test_table (void)
{
  static const gint64 shapes[][3]
    = { { 784, 1, 1 }, { 5, 1, 1 }, { 1, 28, 28 }, { 28, 28, 1 }, { 28, 1, 28 } };
  Picture p;

  open_picture (&p, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      for (guint k = 0; k < 3; k++)
        p.data->recording->in_shape[k] = shapes[i][k];
      draw (&p);
      const LsFigure table = planner (&p)->guide.table;
      const gboolean is_table = shapes[i][1] * shapes[i][2] == 1;
      if ((table.n > 0) != is_table)
        g_error ("samples of %d × %d × %d are%s taken for a table", (int) shapes[i][0], (int) shapes[i][1],
                 (int) shapes[i][2], is_table ? " not" : "");
      if (!is_table)
        continue;
      g_assert_cmpfloat (table.value, ==, 200. * 256 * 4 * (double) shapes[i][0]);
      g_assert_cmpstr (table.unit, ==, "B");
      g_assert_cmpuint (table.evidence, ==, LS_EVIDENCE_DERIVED);
    }
  close_picture (&p);
}

/* A batch that doesn't fit is done in as few parts as have all its samples. */
static void
test_parts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  Picture p;
  gboolean any;

  open_picture (&p, TRUE);
  LsPlanner small = *planner (&p);
  small.guide.own = ls_catalogue_find (catalogue, "gtx 580", &error);
  g_assert_no_error (error);
  const guint most = ls_fit_largest (&small.fit, small.optimizer,
                                     ls_hardware_step_memory (small.guide.own).value, &any);
  g_assert_true (most > 1 && !any);
  for (guint more = 0; more <= 1; more++)
    for (guint parts = 2; parts <= 3; parts++)
      {
        guint told_parts;

        small.batch = (parts - more) * most + more; /* one more than fits into a part less, or just as many */
        g_autofree char *words = ls_planner_miss (&small);
        g_test_message ("batch %u, at most %u: %s", small.batch, most, words);
        g_assert_cmpint (sscanf (words, "%u × batch", &told_parts), ==, 1);
        g_assert_cmpuint (told_parts, ==, parts);
      }
  close_picture (&p);
}

/* Each estimate's parts follow each other in one order, as long as their bytes, with their words where these
 * have room; the sum stands behind the last, and before the first the batch, bold where it is the one that is
 * asked for. */
static void
test_parts_of_bars (void)
{
  static const char *const words[LS_MEMORY_N] = { "W", "dW", "momentum", "activations", "workspace", "data" };
  static const double widths[] = { 960, 1280, 1920, 3840 };
  guint named[LS_MEMORY_N] = { 0 }, sums = 0;

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      Picture p;

      open_picture (&p, TRUE);
      draw_at (&p, widths[i], widths[i] * 9 / 16, LS_LOOK_LIGHT);
      const LsScene *s = p.layout->still;
      for (guint r = 0; r < planner (&p)->n_rows; r++)
        {
          const LsStepMemory *memory = &planner (&p)->rows[r].memory;
          const double sum = (double) ls_step_memory_sum (memory);
          g_autofree char *batch = ls_number_count (planner (&p)->rows[r].batch),
                          *all = ls_planner_bytes (sum);
          const LsItem *number = NULL, *boxes[LS_MEMORY_N] = { NULL }, *last = NULL, *first = NULL;
          guint part = 0;
          double bytes = 0;

          for (guint k = 0; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              if (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT
                  && item->type.px == p.layout->m.label.px && strcmp (item->text, batch) == 0)
                number = item;
            }
          if (number == NULL)
            continue; /* it has no room */
          g_assert_cmpint (number->type.weight == 700, ==,
                           planner (&p)->rows[r].batch == planner (&p)->batch);
          for (guint k = 0; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              if (item->kind != LS_ITEM_HOLLOW || item->ink != LS_INK_MARK || item->y > number->y
                  || item->y + item->h < number->y - number->type.px * .36f)
                continue;
              while (part < LS_MEMORY_N && memory->bytes[part] == 0)
                part++;
              g_assert_cmpuint (part, <, LS_MEMORY_N);
              boxes[part++] = last = item;
              first = first != NULL ? first : item;
            }
          if (first == NULL)
            continue;
          const double per_byte = (ls_item_right (last) + 1 - (double) first->x) / sum;
          for (part = 0; part < LS_MEMORY_N; part++)
            {
              const double begins = (double) first->x + bytes * per_byte;
              bytes += (double) memory->bytes[part];
              if (memory->bytes[part] == 0)
                continue;
              if (boxes[part] == NULL || fabs ((double) boxes[part]->x - begins) > 1.6
                  || fabs (ls_item_right (boxes[part]) - (double) first->x - bytes * per_byte) > 2)
                g_error ("%g px, batch %s: %s isn’t drawn from its beginning to its end", widths[i], batch,
                         words[part]);
              for (guint k = 0; k < s->items->len; k++)
                {
                  const LsItem *item = ls_scene_get (s, k);
                  if (item->kind != LS_ITEM_TEXT || !item->strong || item->y < boxes[part]->y
                      || item->y > boxes[part]->y + boxes[part]->h || item->x < boxes[part]->x
                      || ls_item_right (item) > ls_item_right (boxes[part]))
                    continue;
                  g_assert_cmpstr (item->text, ==, words[part]);
                  named[part]++;
                }
            }
          for (guint k = 0; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              if (item->kind != LS_ITEM_TEXT || fabs ((double) (item->y - number->y)) > 1
                  || (double) item->x < ls_item_right (last) || (double) item->x > ls_item_right (last) + 20)
                continue;
              g_assert_cmpstr (item->text, ==, all);
              g_assert_cmpint (item->type.weight, ==, number->type.weight);
              sums++;
            }
        }
      close_picture (&p);
    }
  g_assert_cmpuint (named[LS_MEMORY_ACTIVATIONS], >, 0);
  g_assert_cmpuint (sums, >, 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner/large", test_large);
  g_test_add_func ("/planner/faster", test_faster);
  g_test_add_func ("/planner/other-lane", test_other_lane);
  g_test_add_func ("/planner/table", test_table);
  g_test_add_func ("/planner/parts", test_parts);
  g_test_add_func ("/planner/chosen", test_chosen);
  g_test_add_func ("/planner/everywhere", test_everywhere);
  g_test_add_func ("/planner/published", test_published);
  g_test_add_func ("/planner/reach", test_reach);
  g_test_add_func ("/planner/words", test_words);
  g_test_add_func ("/paint/planner/parts-of-bars", test_parts_of_bars);
  return g_test_run ();
}
