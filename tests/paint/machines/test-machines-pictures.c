/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words below Machines' moving pictures: their numbers are those that the models reckon with.
 */
#include "config.h"

#include <math.h>

#include "machines/simt.h"
#include "machines/systolic.h"
#include "tests/paint/machines/machines_rig.h"
#include "ui/paint/machines/machines_picture.h"
#include "tests/plain.h"

/* What it says at so many seconds, with plain spaces. (transfer full) */
static char *
words_at (const Picture *p, guint row, double now)
{
  LsArea area = { 100, 100, 900, 500 };

  return plain (ls_machines_picture (machines_of (p), row, &area, now, TRUE));
}

static void
assert_says (const char *words, const char *wanted)
{
  if (words == NULL || strstr (words, wanted) == NULL)
    g_error ("“%s” doesn't say “%s”", words, wanted);
}

static void
assume (Picture *p, guint row, const char *name, double value)
{
  const LsMachine *machine = machines_of (p)->rows[row].machine;

  ls_machines_say (machines_asked (p), row, (guint) ls_machine_find_assumption (machine, name), value);
}

/* The op whose product is largest, which is shown once the step is over. */
static const LsMachineWork *
largest (const LsMachines *m)
{
  const LsMachineWork *most = NULL;

  for (guint i = 0; i < m->works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (m->works, LsMachineWork, i);
      most = most == NULL || work->product > most->product ? work : most;
    }
  if (most == NULL)
    g_error ("no op has a product");
  return most;
}

/* When that op begins. */
static double
start_of (const LsMachines *m, guint row, guint op)
{
  const GArray *ops = m->rows[row].run->ops;

  for (guint i = 0; i < ops->len; i++)
    if (g_array_index (ops, LsMachineOp, i).op == op)
      return g_array_index (ops, LsMachineOp, i).start;
  g_assert_not_reached ();
}

static void
test_cpu (void)
{
  static const struct {
    guint cores, lanes;
    const char *words;
  } rows[] = { { 1, 8, "1 core works on the op, 8 numbers at once" },
               { 12, 16, "12 cores share each op, each 16 numbers at once" } };
  const guint row = row_of ("cpu");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Picture p;

      open_machines (&p, TRUE, NULL, 1920, 1080);
      assume (&p, row, "cores", rows[i].cores);
      assume (&p, row, "lanes", rows[i].lanes);
      draw (&p);
      g_autofree char *words = words_at (&p, row, 0);
      g_assert_cmpstr (words, ==, rows[i].words);
      close_picture (&p);
    }
}

/* Warps of a scheduler, and the clocks that a tile's loads and sums take: as the model has them, each in its
 * place. */
static void
test_warps (void)
{
  static const struct {
    guint warps, group; /* in flight, of a unit with four schedulers; work-items */
    gboolean alone;
  } rows[] = { { 48, 256, FALSE }, { 4, 128, TRUE } };
  const guint row = row_of ("simt");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Picture p;
      LsSimtProduct product;

      open_machines (&p, TRUE, NULL, 1920, 1080);
      assume (&p, row, "warps", rows[i].warps);
      assume (&p, row, "group", rows[i].group);
      draw (&p);
      const LsMachines *m = machines_of (&p);
      const LsMachineWork *work = largest (m);
      const double *value = m->rows[row].assumed.value;

      ls_simt_product (value, work->m, work->n, work->k, &product);
      const guint all = ls_simt_warps_a_scheduler (value, &product);
      g_autofree char *issue
        = g_strdup_printf ("its sums %u, dark", (guint) product.issue),
        *wait = g_strdup_printf ("tile takes %u clocks", (guint) product.wait),
        *warps = g_strdup_printf (rows[i].alone ? "%u warp is at work" : "%u warps take turns", all),
        *occupancy = g_strdup_printf ("occupancy %.0f %%", 100 * product.occupancy),
        *over = words_at (&p, row, 1e9), *begins = words_at (&p, row, start_of (m, row, work->op));

      g_assert_cmpint (all == 1, ==, rows[i].alone);
      g_assert_cmpfloat (floor (product.issue), !=, floor (product.wait));
      g_assert_cmpfloat (MAX (product.issue, product.wait), <, 1000); /* or there were spaces in them */
      assert_says (over, issue);
      assert_says (over, wait);
      assert_says (over, warps);
      assert_says (over, occupancy);
      assert_says (over, m->plan->ops[work->op].symbol);
      assert_says (begins, "is being started");
      close_picture (&p);
    }
}

/* As many instructions as tiles it takes to cover all three sizes, and the share of them that lies within. */
static void
test_tiles (void)
{
  const guint row = row_of ("tensor");
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  assume (&p, row, "tile-m", 16);
  assume (&p, row, "tile-n", 8);
  assume (&p, row, "tile-k", 32);
  draw (&p);
  const LsMachineWork *work = largest (machines_of (&p));
  const double tiles = ceil ((double) work->m / 16) * ceil ((double) work->n / 8)
                       * ceil ((double) work->k / 32);
  g_autofree char *number = ls_number_count ((guint64) tiles),
                  *wanted = g_strdup_printf (
                    "%s in tiles of 16×8×32: %s instructions, %.0f %% of whose products lie within it",
                    machines_of (&p)->plan->ops[work->op].symbol, number,
                    100 * (double) work->m * (double) work->n * (double) work->k / (tiles * 16 * 8 * 32)),
                  *words = words_at (&p, row, 1e9);
  assert_said (g_strdup (wanted), words);
  close_picture (&p);
}

/* As many as there are, also beside a picture that has room for six. */
static void
test_stages (void)
{
  const guint row = row_of ("fpga");
  LsArea small = { 100, 100, 300, 80 };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const guint n = machines_of (&p)->rows[row].run->ops->len;
  g_autofree char *words = words_at (&p, row, 0),
                  *stages = g_strdup_printf ("%u stages, all at work at once", n),
                  *brief = plain (ls_machines_picture (machines_of (&p), row, &small, 0, FALSE));
  g_assert_cmpuint (n, >, 6);
  assert_says (words, stages);
  assert_says (brief, stages);
  close_picture (&p);
}

/* Which operand flows and which stays in the cells, at every product. */
static void
test_array (void)
{
  const guint row = row_of ("systolic");
  guint seen = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  assume (&p, row, "rows", 32);
  assume (&p, row, "columns", 48);
  draw (&p);
  const LsMachines *m = machines_of (&p);
  for (guint i = 0; i < m->rows[row].run->ops->len; i++)
    {
      const LsMachineOp *at = &g_array_index (m->rows[row].run->ops, LsMachineOp, i);
      const LsOp *op = at->op < m->plan->n_ops ? &m->plan->ops[at->op] : NULL;
      const LsMachineWork *work = NULL;
      const LsTensor *sides[2];
      LsSystolic array;
      LsSystolicCut cut;

      if (op == NULL || op->attr.k == 0)
        continue;
      for (guint k = 0; k < m->works->len; k++)
        if (g_array_index (m->works, LsMachineWork, k).op == at->op)
          work = &g_array_index (m->works, LsMachineWork, k);
      ls_systolic_machine (m->rows[row].assumed.value, work, &array, &cut);
      for (guint side = 0; side < 2; side++)
        sides[side] = &m->plan->tensors[op->in[side]];
      const guint stays = cut.turned ? 0 : 1; /* B's numbers are in the cells, or turned, A's */
      g_autofree char *coming = g_strdup_printf (
                        "of 32×48 cells drawn, with %s coming in, and %s in the cells",
                        sides[1 - stays]->symbol, sides[stays]->symbol),
                      *enter = g_strdup_printf ("of 32×48 cells drawn. Numbers of %s enter from the left",
                                                sides[1 - stays]->symbol),
                      *in = g_strdup_printf ("%s stays in the cells", sides[stays]->symbol);
      for (gint tenth = 1; tenth < 10; tenth++)
        {
          g_autofree char *words = words_at (&p, row, at->start + .1 * tenth * at->seconds);

          if (strstr (words, "coming in") != NULL)
            assert_says (words, coming);
          else if (strstr (words, "enter from") != NULL)
            {
              assert_says (words, enter);
              assert_says (words, in);
            }
          seen += strstr (words, "coming in") != NULL;
        }
    }
  g_assert_cmpuint (seen, >, 0);
  close_picture (&p);
}

/* An array of 4 × 7 is loaded in four beats, a wave of nine runs through it until all its cells work, and
 * another one until all are done. */
static void
test_phases (void)
{
  enum { ROWS = 4, COLS = 7, WAVE = ROWS + COLS - 2 };
  const guint row = row_of ("systolic");
  guint products = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  assume (&p, row, "rows", ROWS);
  assume (&p, row, "columns", COLS);
  draw (&p);
  const LsMachines *m = machines_of (&p);
  for (guint i = 0; i < m->rows[row].run->ops->len && products < 3; i++)
    {
      const LsMachineOp *at = &g_array_index (m->rows[row].run->ops, LsMachineOp, i);
      const LsOp *op = at->op < m->plan->n_ops ? &m->plan->ops[at->op] : NULL;
      const LsMachineWork *work = NULL;
      LsSystolic array;
      LsSystolicCut cut;

      if (op == NULL || op->attr.k == 0)
        continue;
      for (guint k = 0; k < m->works->len; k++)
        if (g_array_index (m->works, LsMachineWork, k).op == at->op)
          work = &g_array_index (m->works, LsMachineWork, k);
      ls_systolic_machine (m->rows[row].assumed.value, work, &array, &cut);
      const guint beats = (guint) cut.beats;
      g_assert_cmpuint (beats, >, ROWS + 2 * WAVE + 2);
      const struct {
        guint beat;
        const char *phase;
      } rows[] = { { 0, "loading" },
                   { ROWS - 1, "loading" },
                   { ROWS, "filling" },
                   { ROWS + WAVE - 1, "filling" },
                   { ROWS + WAVE, "running" },
                   { beats / 2, "running" },
                   { beats - WAVE - 1, "running" },
                   { beats - WAVE, "draining" },
                   { beats - 1, "draining" } };
      for (gsize k = 0; k < G_N_ELEMENTS (rows); k++)
        {
          g_autofree char *words = words_at (&p, row, at->start + (rows[k].beat + .5) / beats * at->seconds),
                          *now = ls_number_count (rows[k].beat), *all = ls_number_count (beats),
                          *wanted = plain (g_strdup_printf (", beat %s of %s on ", now, all));
          assert_says (words, wanted);
          g_autofree char *where = g_strndup (words, strcspn (words, ":;"));
          if (!g_str_has_suffix (where, rows[k].phase))
            g_error ("beat %u of %u isn’t said to be %s: %s", rows[k].beat, beats, rows[k].phase, words);
        }
      products++;
    }
  g_assert_cmpuint (products, ==, 3);
  close_picture (&p);
}

/* Ten rows and ten columns of cells are drawn, or all where there are fewer: the array needn't be square. */
static void
test_corner (void)
{
  static const guint arrays[][2] = { { 4, 7 }, { 7, 4 }, { 48, 3 }, { 3, 48 }, { 10, 11 }, { 32, 48 } };
  const guint row = row_of ("systolic");

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      Picture p;
      guint seen = 0;

      open_machines (&p, TRUE, NULL, 1920, 1080);
      assume (&p, row, "rows", arrays[i][0]);
      assume (&p, row, "columns", arrays[i][1]);
      draw (&p);
      const LsMachines *m = machines_of (&p);
      g_autofree char *drawn = g_strdup_printf ("%u×%u of %u×%u cells drawn", MIN (arrays[i][0], 10),
                                                MIN (arrays[i][1], 10), arrays[i][0], arrays[i][1]);
      for (guint k = 0; k < m->rows[row].run->ops->len; k++)
        {
          const LsMachineOp *at = &g_array_index (m->rows[row].run->ops, LsMachineOp, k);
          g_autofree char *words = words_at (&p, row, at->start + .6 * at->seconds);
          if (words == NULL || strstr (words, "cells drawn") == NULL)
            continue;
          assert_says (words, drawn);
          seen++;
        }
      if (seen == 0)
        g_error ("of an array of %u×%u cells no product is drawn", arrays[i][0], arrays[i][1]);
      close_picture (&p);
    }
}

/* Whole numbers of b bits reach 2^(b−1) − 1 to both sides; the first row that is drawn counts in steps of its
 * largest weight over that. */
static void
test_bits (void)
{
  static const guint bits[] = { 2, 4, 8, 16 };
  const guint row = row_of ("int8");

  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    {
      const double levels = pow (2, bits[i] - 1) - 1;
      Picture p;

      open_machines (&p, TRUE, NULL, 1920, 1080);
      assume (&p, row, "bits", bits[i]);
      draw (&p);
      g_autofree char *words = words_at (&p, row, 1e9), *most = ls_number_count ((guint64) levels),
                      *wanted = g_strdup_printf ("as whole numbers, −%s to %s", most, most);
      g_autoptr (GString) plain = g_string_new (wanted);
      g_string_replace (plain, "\342\200\211", " ", 0);
      if (words != NULL)
        assert_says (words, plain->str);
      else
        g_assert_null (p.data->recording->lanes[0].tensors); /* nothing was kept */
      close_picture (&p);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines-pictures/cpu", test_cpu);
  g_test_add_func ("/machines-pictures/warps", test_warps);
  g_test_add_func ("/machines-pictures/tiles", test_tiles);
  g_test_add_func ("/machines-pictures/stages", test_stages);
  g_test_add_func ("/machines-pictures/array", test_array);
  g_test_add_func ("/machines-pictures/phases", test_phases);
  g_test_add_func ("/machines-pictures/corner", test_corner);
  g_test_add_func ("/machines-pictures/bits", test_bits);
  return g_test_run ();
}
