/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines' pictures of arrays: which cells of the systolic one are at work at a beat, and with which numbers
 * of the recorded step; which whole numbers its weights become; how far the cores are.
 */
#include "tests/paint/machines/machines_rig.h"

#include "core/half.h"
#include "machines/systolic.h"

#define CORNER 10 /* cells a side, in the opened picture */
#define FRAMED 3  /* row and column of the framed one */

/* How the array does that op; FALSE: it is no product. */
static gboolean
cut_of (const LsMachines *m, guint row, guint op, LsSystolic *array, LsSystolicCut *cut)
{
  for (guint k = 0; k < m->works->len; k++)
    {
      const LsMachineWork *work = &g_array_index (m->works, LsMachineWork, k);

      if (work->op == op && work->k > 0)
        {
          ls_systolic_machine (m->rows[row].assumed.value, work, array, cut);
          return TRUE;
        }
    }
  return FALSE;
}

/* A cell works on a row from the beat on at which the row's number has come to it, if the tile's rows are so
 * many. */
static guint
at_work (const LsSystolic *array, const LsSystolicCut *cut, double since, guint cells)
{
  const double every = MAX (cut->flows, array->rows);
  guint n = 0;

  for (guint r = 0; r < cells; r++)
    for (guint c = 0; c < cells; c++)
      for (guint tile = 0; tile < cut->tiles; tile++)
        {
          const double begun = array->rows + tile * every + r + c;
          n += since >= begun && since < begun + cut->flows;
        }
  return n;
}

/* As many cells are dark as have a row of what flows, at every tenth beat from before the first tile until
 * after the last one. */
static void
test_beats (void)
{
  Picture p;
  const guint row = row_of ("systolic");
  guint most = 0;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  /* one array has all the tiles, of which there are several, and sees more rows than it is high */
  ls_machines_say (machines_asked (&p), row,
                   (guint) ls_machine_find_assumption (&ls_machine_systolic, "arrays"), 1);
  ls_machines_say (machines_asked (&p), row,
                   (guint) ls_machine_find_assumption (&ls_machine_systolic, "rows"), 48);
  draw (&p);
  LsSystolic array = { 0 };
  LsSystolicCut cut = { 0 };
  LsMachineOp at = { 0 };
  for (guint k = 0; k < machines_of (&p)->rows[row].run->ops->len && cut.k < 1; k++)
    {
      at = g_array_index (machines_of (&p)->rows[row].run->ops, LsMachineOp, k);
      cut_of (machines_of (&p), row, at.op, &array, &cut);
    }
  g_assert_cmpuint (array.rows, ==, 48);
  g_assert_cmpfloat (cut.tiles, >, 1);
  for (double beat = 0; beat < cut.beats; beat += 10)
    {
      const double ns = (at.start + at.seconds * (beat + .5) / cut.beats) * 1e9;
      guint found = 0;

      /* the clock counts whole ns */
      const double since = floor ((floor (ns) * 1e-9 - at.start) / at.seconds * cut.beats);
      draw_moment (&p, (gint64) ns);
      const guint expected = at_work (&array, &cut, since, 6);
      const LsArea area = machines_of (&p)->rows[row].area;
      for (guint i = 0; i < p.layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->moving, i);
          const double edge = (double) item->w;
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT && fabs (edge - (double) item->h) < .1
              && (double) item->x < machines_of (&p)->clock.x && (double) item->y > area.y
              && (double) item->y < area.y + area.h
              && (double) item->x > machines_of (&p)->clock.x - 3 * p.layout->m.unit - 6 * (edge + 1) - 1)
            found++;
        }
      if (found != expected)
        g_error ("beat %g: %u cells are dark, %u of the corner work", since, found, expected);
      most = MAX (most, found);
    }
  g_assert_cmpuint (most, ==, 36);
  close_picture (&p);
}

/* Of an operand of the op as it is multiplied: row i, column j, in bfloat16. */
static float
element (const Picture *p, const LsOp *op, guint side, gint64 i, gint64 j)
{
  const LsPlan *plan = machines_of (p)->plan;
  const float *values = ls_held_values (p->data->recording, plan, op->in[side]);
  const gint64 rows = side == 0 ? op->attr.m : op->attr.k, cols = side == 0 ? op->attr.k : op->attr.n;
  const gboolean turned = side == 0 ? op->attr.ta : op->attr.tb;

  g_assert_nonnull (values);
  if (i >= rows || j >= cols)
    return 0;
  return ls_half_round (LS_BF16, values[turned ? j * rows + i : i * cols + j]);
}

/* The matrix that is drawn in the cells: how many values it has above, below and at 0. */
static void
count_signs (const LsSceneImage *image, guint *n)
{
  for (guint i = 0; i < image->cols * image->rows; i++)
    n[image->levels[i] > 128 ? 0 : image->levels[i] < 127 ? 1 : 2]++;
}

/* What stands in the frame while row `at` of what flows is there; the tile begins `below` and `right`.
 * (transfer full) */
static char *
frame_words (const Picture *p, const LsOp *op, gboolean turned, gint64 below, gint64 right, gint64 at)
{
  float sum = 0, number = 0, weight = 0, above = 0;

  for (gint64 r = 0; r <= FRAMED; r++)
    {
      const gint64 k_at = below + r, n_at = right + FRAMED;
      number = turned ? element (p, op, 1, k_at, at) : element (p, op, 0, at, k_at);
      weight = turned ? element (p, op, 0, n_at, k_at) : element (p, op, 1, k_at, n_at);
      above = sum;
      sum += number * weight;
    }
  g_autofree char *a = ls_number_text ((double) number, 3), *b = ls_number_text ((double) weight, 3),
                  *c = ls_number_text ((double) above, 3), *d = ls_number_text ((double) sum, 3);
  return g_strdup_printf ("In the frame: %s × %s + %s = %s.", a, b, c, d);
}

/* In the frame stands what the cell multiplies and adds: numbers of the recorded step, of every product,
 * whichever of its matrices stays; the cells have the signs of that one. edge: of the array; tile: the one
 * that is at work, if there are so many. */
static void
check_numbers (guint edge, guint tile)
{
  const guint row = row_of ("systolic");
  static const char *const names[] = { "rows", "columns" };
  guint products = 0, tried = 0, turned = 0, further = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    ls_machines_say (machines_asked (&p), row,
                     (guint) ls_machine_find_assumption (&ls_machine_systolic, names[i]), edge);
  machines_asked (&p)->open = (gint) row;
  draw (&p);
  for (guint k = 0; k < machines_of (&p)->rows[row].run->ops->len; k++)
    {
      const LsMachines *m = machines_of (&p);
      const LsMachineOp at = g_array_index (m->rows[row].run->ops, LsMachineOp, k);
      LsSystolic array;
      LsSystolicCut cut;

      if (!cut_of (m, row, at.op, &array, &cut))
        continue;
      const LsOp *op = &m->plan->ops[at.op];
      products++;
      if (ls_held_values (p.data->recording, m->plan, op->in[0]) == NULL
          || ls_held_values (p.data->recording, m->plan, op->in[1]) == NULL)
        continue;
      /* tiles go down before they go on to the right */
      const guint this = (guint) MIN (tile, cut.tiles - 1), down = (guint) ceil (cut.k / edge);
      const gint64 below = this % down * edge, right = this / down * edge;
      const double slow = ls_machines_slow (m, row);
      /* the third row of what flows is in the framed cell; before that the first, and before that none */
      for (gint flows = this > 0 ? 0 : -1; flows <= 2; flows++)
        {
          const double beat = array.rows + this * MAX (cut.flows, edge) + FRAMED + FRAMED + flows,
                       ns = (at.start + at.seconds * (beat + .5) / cut.beats) * slow * 1e9;
          g_autofree char *words = flows < 0 ? g_strdup ("In the frame: no number is there.")
                                             : frame_words (&p, op, cut.turned, below, right, flows);
          draw_moment (&p, (gint64) ns);
          g_autofree char *all = all_texts (p.layout->moving, " ");
          if (strstr (all, words) == NULL)
            g_error ("%s: “%s” isn't told, but: %s", op->symbol, words, all);
        }

      guint expected[3] = { 0 }, found[3] = { 0 };
      further += this > 0;
      tried++;
      turned += cut.turned;
      if (this > 0) /* some cells have the tile before still */
        continue;
      for (gint64 r = 0; r < CORNER; r++)
        for (gint64 col = 0; col < CORNER; col++)
          {
            const float value = cut.turned ? element (&p, op, 0, col, r) : element (&p, op, 1, r, col);
            expected[value > 0 ? 0 : value < 0 ? 1 : 2]++;
          }
      for (guint i = 0; i < p.layout->moving->images->len; i++)
        {
          const LsSceneImage *image = p.layout->moving->images->pdata[i];
          if (image->cols == CORNER && image->rows == CORNER)
            count_signs (image, found);
        }
      /* what is close to 0 may have its colour */
      g_assert_cmpuint (found[0] + found[1] + found[2], ==, CORNER * CORNER);
      if (found[0] > expected[0] || found[1] > expected[1]
          || found[0] + found[1] < (expected[0] + expected[1]) / 2)
        g_error ("%s: %u cells are positive, %u negative; of the numbers %u are, and %u", op->symbol,
                 found[0], found[1], expected[0], expected[1]);
      assert_faultless (p.layout);
    }
  g_test_message ("%u of %u products are recorded, of %u the first matrix stays", tried, products, turned);
  g_assert_cmpuint (tried, >=, 2);
  g_assert_true (turned > 0 || edge < 128);
  g_assert_true ((further > 0) == (tile > 0));
  close_picture (&p);
}

static void
test_numbers (void)
{
  check_numbers (128, 0);
  check_numbers (16, 0);
  check_numbers (16, 1);
  check_numbers (16, 5);
}

/* While the first weights are loaded, a cell's stands there from its beat on; nothing is at work. */
static void
test_loading (void)
{
  const guint row = row_of ("systolic");
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  machines_asked (&p)->open = (gint) row;
  draw (&p);
  const LsMachines *m = machines_of (&p);
  LsSystolic array;
  LsSystolicCut cut = { 0 };
  LsMachineOp at = { 0 };
  for (guint k = 0; k < m->rows[row].run->ops->len && cut.k < 1; k++)
    {
      at = g_array_index (m->rows[row].run->ops, LsMachineOp, k);
      cut_of (m, row, at.op, &array, &cut);
    }
  const double slow = ls_machines_slow (m, row);
  for (guint beat = 0; beat < 30; beat += 5)
    {
      guint found[3] = { 0 }, loaded = 0;
      draw_moment (&p, (gint64) ((at.start + at.seconds * (beat + .5) / cut.beats) * slow * 1e9));
      for (guint i = 0; i < p.layout->moving->images->len; i++)
        {
          const LsSceneImage *image = p.layout->moving->images->pdata[i];
          if (image->cols == CORNER && image->rows == CORNER)
            count_signs (image, found);
        }
      for (guint r = 0; r < CORNER; r++)
        for (guint c = 0; c < CORNER; c++)
          loaded += r + c <= beat;
      if (found[0] + found[1] > loaded || (beat > 0 && found[0] + found[1] < loaded / 2))
        g_error ("beat %u: %u cells have a weight, %u are loaded", beat, found[0] + found[1], loaded);
      g_autofree char *all = all_texts (p.layout->moving, " ");
      g_assert_nonnull (strstr (all, "are loaded, a row of cells a beat"));
    }
  close_picture (&p);
}

/* The layer's weights that is at work, each row by its own largest one: with as many bits as are assumed. */
static void
test_whole_numbers (void)
{
  const guint row = row_of ("int8");
  static const guint bits[] = { 8, 3 };
  guint tried = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  machines_asked (&p)->open = (gint) row;
  for (gsize b = 0; b < G_N_ELEMENTS (bits); b++)
    {
      ls_machines_say (machines_asked (&p), row,
                       (guint) ls_machine_find_assumption (&ls_machine_int8, "bits"), bits[b]);
      draw (&p);
      for (guint k = 0; k < machines_of (&p)->rows[row].run->ops->len; k++)
        {
          const LsMachines *m = machines_of (&p);
          const LsMachineOp at = g_array_index (m->rows[row].run->ops, LsMachineOp, k);
          const LsOp *op = &m->plan->ops[at.op];

          if (op->attr.k == 0)
            continue;
          const LsTensor *tensor = &m->plan->tensors[op->in[1]];
          g_assert_cmpint (tensor->role, ==, LS_ROLE_WEIGHT);
          const float *weights = ls_held_values (p.data->recording, m->plan, op->in[1]);
          const gint64 outputs = tensor->shape[0], inputs = tensor->shape[1];
          const guint cols = (guint) MIN (inputs, 28), rows = (guint) MIN (outputs, 14);
          const gint64 first = MIN (outputs / 2, outputs - rows), from = MIN (inputs / 2, inputs - cols);
          const double most = exp2 (bits[b] - 1) - 1;
          g_autofree float *values = g_new0 (float, rows *cols);
          double step = 0;
          for (guint r = rows; r-- > 0;)
            {
              double top = 0;
              for (gint64 j = 0; j < inputs; j++)
                top = fmax (top, fabs ((double) weights[(first + r) * inputs + j]));
              step = top / most;
              for (guint c = 0; c < cols; c++)
                values[r * cols + c]
                  = (float) (rint ((double) weights[(first + r) * inputs + from + c] / step) / most);
            }
          g_autofree char *symbol = g_strdup (tensor->symbol), *scale = ls_number_text (step, 2),
                          *words = g_strdup_printf (
                            "Some of the weights of %s as whole numbers, −%.0f to %.0f. "
                            "Each of its %" G_GINT64_FORMAT " rows has a scale of its own: "
                            "the first one here counts in steps of %s",
                            symbol, most, most, outputs, scale);
          draw_moment (&p, (gint64) ((at.start + at.seconds / 2) * ls_machines_slow (m, row) * 1e9));
          g_autofree char *all = all_texts (p.layout->moving, " ");
          if (strstr (all, words) == NULL)
            g_error ("“%s” isn't told, but: %s", words, all);
          LsScene *expected = ls_scene_new (p.layout->moving->fonts, p.layout->moving->style);
          ls_scene_image (expected, 0, 0, 1, 1, LS_INK_SIGN, values, cols, rows, 1);
          const LsSceneImage *want = expected->images->pdata[0];
          gboolean found = FALSE;
          for (guint i = 0; i < p.layout->moving->images->len; i++)
            {
              const LsSceneImage *image = p.layout->moving->images->pdata[i];
              found |= image->cols == cols && image->rows == rows && image->hash == want->hash;
            }
          ls_scene_free (expected);
          if (!found)
            g_error ("%s, %u bits: the picture isn't of its weights as whole numbers", symbol, bits[b]);
          tried++;
        }
    }
  g_assert_cmpuint (tried, >=, 4);
  close_picture (&p);
}

/* Each core is as full as the op at work is done. */
static void
test_cores (void)
{
  const guint row = row_of ("cpu");
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  machines_asked (&p)->open = (gint) row;
  draw (&p);
  for (guint k = 0; k < machines_of (&p)->rows[row].run->ops->len; k++)
    for (guint part = 1; part < 4; part++)
      {
        const LsMachines *m = machines_of (&p);
        const LsMachineOp at = g_array_index (m->rows[row].run->ops, LsMachineOp, k);
        const double ns = (at.start + at.seconds * part / 4) * ls_machines_slow (m, row) * 1e9,
                     expected = (floor (ns) * 1e-9 / ls_machines_slow (m, row) - at.start) / at.seconds;
        guint cores = 0;

        if (at.seconds < 1e-7) /* too short for a clock of whole ns */
          continue;
        draw_moment (&p, (gint64) ns);
        const LsArea area = machines_of (&p)->picture;
        for (guint i = 1; i < p.layout->moving->items->len; i++)
          {
            const LsItem *full = ls_scene_get (p.layout->moving, i), *core = full - 1;
            if (full->kind != LS_ITEM_BOX || full->ink != LS_INK_TEXT || core->ink != LS_INK_TRACK
                || !ls_area_has (area, (double) core->x + 1, (double) core->y + 1))
              continue;
            cores++;
            if (fabs ((double) (full->h / core->h) - expected) > .02
                || fabs ((double) (full->y + full->h - core->y - core->h)) > .01)
              g_error ("op %u is %.2f done, and its core %.2f full", k, expected,
                       (double) (full->h / core->h));
          }
        g_assert_cmpfloat (
          cores, ==,
          machines_of (&p)->rows[row].assumed.value[ls_machine_find_assumption (&ls_machine_cpu, "cores")]);
      }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines/systolic/beats", test_beats);
  g_test_add_func ("/paint/machines/systolic/numbers", test_numbers);
  g_test_add_func ("/paint/machines/systolic/loading", test_loading);
  g_test_add_func ("/paint/machines/int8/whole-numbers", test_whole_numbers);
  g_test_add_func ("/paint/machines/cpu/cores", test_cores);
  return g_test_run ();
}
