/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the CPU's side of Tiles walks through a plain product on several cores, and by the program's own loops:
 * what is packed and how far, which micro-tile it is at, what its registers and caches hold, and the bytes
 * that it has moved, each against the sizes of the tile and what is known of the core.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/plain.h"
#include "core/tiling.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"
#include "cpu_step.h"

#define MOMENTS 41

/* The micro-tile of OpenBLAS's kernels (its param.h), or of our loops; how it lies in registers. */
static const struct {
  const char *core;
  LsWay way;
  guint rows, cols, registers, bytes, used;
  guint sliver_rows;        /* of A that are packed side by side; 0: A isn't packed */
  gboolean packs_b;         /* whole, or a panel at a time */
  const char *ours, *reads; /* the loops' source; what is said of what isn't packed */
} cores[] = {
  { "Haswell", LS_WAY_OTHER, 12, 8, 16, 32, 12, 4, TRUE, NULL, NULL },
  { "Zen", LS_WAY_OTHER, 12, 8, 16, 32, 12, 4, TRUE, NULL, NULL },
  { "Cooperlake", LS_WAY_OTHER, 24, 16, 32, 64, 24, 4, TRUE, NULL, NULL },
  { "Haswell", LS_WAY_OWN_LOOPS, 6, 16, 16, 32, 12, 0, TRUE, "gemm_loops.c", "A is read where it lies." },
  { "Haswell", LS_WAY_SCALAR_LOOPS, 3, 4, 16, 4, 12, 0, TRUE, "gemm_scalar.c", "A is read where it lies." },
  { "Haswell", LS_WAY_NAIVE_LOOPS, 1, 1, 16, 4, 1, 0, FALSE, "gemm_scalar.c",
    "The loops read A and B where they lie; nothing is packed." },
};

typedef struct {
  guint core;
  const LsLayout *layout;
  const LsTiles *t;
  LsTilesCpuNow now;
  double rows, cols; /* of the tile */
} Moment;

static double
parts_of (double whole, guint each)
{
  return ceil (whole / each);
}

static char *
said (const Moment *o)
{
  g_autofree char *moving = all_texts (o->layout->moving, "\n");

  return plain (g_strdup (moving));
}

static void
assert_says (const Moment *o, const char *words, gboolean should)
{
  g_autofree char *all = said (o);

  if ((strstr (all, words) != NULL) != should)
    g_error ("on %s, stage %u: “%s” is %s:\n%s", cores[o->core].core, (guint) o->now.stage, words,
             should ? "not said" : "said", all);
}

/* ---- packed ---- */

typedef struct {
  guint n, solid, hatched, first; /* slivers; those in work, the packed ones, the first in work */
} Slivers;

/* The strip under that name: side by side from the left end of the column to its right one. */
static gboolean
find_slivers (const Moment *o, const char *name, Slivers *found)
{
  const LsScene *s = o->layout->moving;
  const LsArea *area = &o->t->cpu->left;
  const LsItem *title = NULL;
  double end = area->x;

  *found = (Slivers){ .first = G_MAXUINT };
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);

      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, name) == 0
          && fabs ((double) item->x - area->x) < 1)
        title = item;
      else if (title == NULL || (item->kind != LS_ITEM_BOX && item->kind != LS_ITEM_HATCH)
               || item->y <= title->y || item->y > title->y + (float) title->type.px
               || (double) item->x > area->x + area->w)
        continue;
      else
        {
          if ((double) item->x < end - .6 || (double) item->x > end + 3)
            g_error ("sliver %u of %s begins at %.1f, and the one before ends at %.1f", found->n, name,
                     (double) item->x, end);
          end = (double) (item->x + item->w);
          if (item->ink == LS_INK_MARK && item->kind == LS_ITEM_BOX && found->solid++ == 0)
            found->first = found->n;
          found->hatched += item->kind == LS_ITEM_HATCH;
          found->n++;
        }
    }
  if (title != NULL)
    g_assert_cmpfloat_with_epsilon (end, area->x + area->w, 3);
  return title != NULL;
}

/* A's slivers of rows and B's of columns: so many as the tile has, packed as far as the stage is, and while
 * it multiplies those of the micro-tile in work. */
static void
check_packed (const Moment *o, guint *seen)
{
  const guint each = cores[o->core].sliver_rows;
  const double n_b = parts_of (o->cols, cores[o->core].cols);
  Slivers a = { 0 }, b = { 0 };
  const gboolean has_a = find_slivers (o, "Ap", &a), has_b = find_slivers (o, "Bp", &b);

  g_assert_cmpint (has_a, ==, each > 0);
  g_assert_cmpint (has_b, ==, cores[o->core].packs_b);
  if (cores[o->core].reads != NULL)
    assert_says (o, cores[o->core].reads, TRUE);
  else
    assert_says (o, "where", FALSE);
  if (!has_b)
    return;
  g_assert_cmpfloat (b.n, ==, n_b);
  if (!has_a)
    { /* one panel after the other: those before and after are in no one’s way */
      g_autofree char *words = n_b > 1 ? g_strdup_printf (
                                 "one of %.0f panels of %u columns at a time, row after row", n_b,
                                 cores[o->core].cols)
                                       : NULL;
      assert_says (o, words, TRUE);
      g_assert_cmpuint (b.first, ==, o->now.sliver);
      return;
    }
  g_autofree char *rows
    = g_strdup_printf ("%.0f slivers of %u rows, column after column", parts_of (o->rows, each), each),
    *cols = g_strdup_printf ("%.0f slivers of %u columns, row after row", n_b, cores[o->core].cols);
  assert_says (o, rows, TRUE);
  assert_says (o, cols, TRUE);
  g_assert_cmpfloat (a.n, ==, parts_of (o->rows, each));
  switch (o->now.stage)
    {
    case LS_TILES_PACK_B:
      g_assert_cmpuint (b.hatched, ==, (guint) (o->now.part * b.n + 1e-9));
      g_assert_cmpuint (a.hatched + a.solid + b.solid, ==, 0);
      break;
    case LS_TILES_PACK_A:
      g_assert_cmpuint (b.hatched, ==, b.n);
      g_assert_cmpuint (a.hatched, ==, (guint) (o->now.part * a.n + 1e-9));
      g_assert_cmpuint (a.solid + b.solid, ==, 0);
      break;
    case LS_TILES_MULTIPLY:
      g_assert_cmpuint (b.solid, ==, 1);
      g_assert_cmpuint (b.first, ==, o->now.sliver);
      g_assert_cmpuint (a.first, ==, o->now.group * (cores[o->core].rows / each));
      g_assert_cmpuint (a.solid, ==, MIN (cores[o->core].rows / each, a.n - a.first));
      g_assert_cmpuint (a.hatched + a.solid, ==, a.n);
      g_assert_cmpuint (b.hatched + b.solid, ==, b.n);
      break;
    default:
      g_assert_cmpuint (a.hatched + b.hatched, ==, a.n + b.n);
      break;
    }
  seen[MIN (o->now.stage, LS_TILES_N_STAGES)]++;
}

/* Which micro-tile, down the rows first, and how many products; nothing while it packs. */
static void
check_where (const Moment *o, double *last, guint *seen)
{
  const double down = parts_of (o->rows, cores[o->core].rows),
               all = down * parts_of (o->cols, cores[o->core].cols);
  const char *tile = text_like (o->layout, "micro-tile ", " of "),
             *step = text_like (o->layout, "p = ", " of ");

  g_assert_cmpint (tile != NULL, ==, o->now.stage == LS_TILES_MULTIPLY);
  g_assert_cmpint (step != NULL, ==, tile != NULL);
  if (tile == NULL)
    return;
  const double at = o->now.sliver * down + o->now.group;
  ASSERT_NUMBERS ("the micro-tile", tile, at + 1, all);
  ASSERT_NUMBERS ("the products", step, o->now.step, (double) o->now.call.k);
  g_assert_cmpfloat ((double) o->now.at.round * all + at, >=, *last);
  *last = (double) o->now.at.round * all + at;
  ++*seen;
}

/* ---- registers and caches ---- */

/* While something is packed the registers are free; then they hold the micro-tile. */
static void
check_registers (const Moment *o)
{
  g_autofree char *words = g_strdup_printf ("%u × %u bytes; the %u×%u micro-tile takes %u of them",
                                            cores[o->core].registers, cores[o->core].bytes,
                                            cores[o->core].rows, cores[o->core].cols, cores[o->core].used),
                  *who = o->t->cpu->worker >= 0 ? g_strdup_printf ("worker %d, now", o->t->cpu->worker)
                                                : g_strdup ("one worker, now");

  assert_says (o, words, TRUE);
  assert_says (o, who, TRUE);
  assert_says (o, "The factors are being packed; the registers are free.", o->now.stage < LS_TILES_MULTIPLY);
  assert_says (o, "] += a[", TRUE); /* the loops' line */
  assert_says (o, "] = ", o->now.stage >= LS_TILES_MULTIPLY);
}

/* "…: sliver of Bp 6.1 KiB, rows of Ap 9.2 KiB": the bytes of both factors' parts. */
static void
check_level (const Moment *o, const char *begin, const char *then, double b, double a)
{
  const char *text = text_like (o->layout, begin, then);
  double slack;

  if (text == NULL)
    {
      g_autofree char *all = said (o);
      g_error ("nothing says “%s… %s”:\n%s", begin, then, all);
    }
  const double b_is = bytes_of (text + strlen (begin), &slack), b_slack = slack,
               a_is = bytes_of (strstr (text, then) + strlen (then), &slack);
  if (fabs (b_is - b) > b_slack || fabs (a_is - a) > slack)
    g_error ("in stage %u it says “%s”, of %.0f and %.0f bytes", (guint) o->now.stage, text, b, a);
}

/* The first cache has a micro-tile's rows and columns of all products, the second both factors' as far as
 * they are packed, the third the tensors. */
static void
check_caches (const Moment *o)
{
  const double k = 4. * (double) o->now.call.k;
  const gboolean packs = cores[o->core].sliver_rows > 0, works = o->now.stage >= LS_TILES_MULTIPLY;
  const double done_b = !packs || o->now.stage > LS_TILES_PACK_B ? o->cols
                        : o->now.stage == LS_TILES_PACK_B        ? floor (o->now.part * o->cols)
                                                                 : 0,
               done_a = !packs || o->now.stage > LS_TILES_PACK_A ? o->rows
                        : o->now.stage == LS_TILES_PACK_A        ? floor (o->now.part * o->rows)
                                                                 : 0;
  const LsRecordedShape *shapes = o->layout->data->recording->shapes;
  const LsRecordedOp *op = o->t->recorded;
  g_autofree char *whole = g_strdup_printf ("%s, %s and %s whole", shapes[op->in[0]].symbol,
                                            shapes[op->in[1]].symbol, shapes[op->out[0]].symbol);

  check_level (o, packs ? "sliver of Bp " : "panel of B ", packs ? "rows of Ap " : "rows of A ",
               works ? k * MIN (o->cols, cores[o->core].cols) : 0,
               works ? k * MIN (o->rows, cores[o->core].rows) : 0);
  check_level (o, packs ? "Bp " : "B ", packs ? ", Ap " : ", A ", k * done_b, k * done_a);
  assert_says (o, whole, TRUE);
}

/* ---- bytes ---- */

/* When all is done: each micro-tile loads a column of A's and a row of B's for each product; the first cache
 * gets B's sliver once, and A's rows for each of them; the second both factors once. A tiled kernel of 16×16
 * would load each row and column once for each tile. The bars are as long as the bytes are many. */
static void
check_bytes (const Moment *o)
{
  static const char *const names[] = { "registers ← L1", "L1 ← L2", "L2 ← beyond", "OpenCL tiled ← global" };
  const guint r = cores[o->core].rows, c = cores[o->core].cols;
  const double k = 4. * (double) o->t->gemm.k, down = parts_of (o->rows, r), across = parts_of (o->cols, c);
  const double should[] = { k * down * across * (r + c), k * across * (c + down * r), k * (o->rows + o->cols),
                            k * (o->rows * parts_of (o->cols, 16) + o->cols * parts_of (o->rows, 16)) };
  const LsScene *s = o->layout->moving;
  double slack, scale = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *text = beside (o->layout, names[i]);
      const LsItem *bar = NULL, *name = find_text (s, names[i]);

      g_assert_nonnull (text);
      const double is = bytes_of (text, &slack);
      if (fabs (is - should[i]) > slack)
        g_error ("on %s “%s” is said of %s, and %.0f bytes were moved", cores[o->core].core, text, names[i],
                 should[i]);
      for (guint k2 = 0; k2 < s->items->len; k2++)
        {
          const LsItem *item = ls_scene_get (s, k2);
          if (item->kind == LS_ITEM_HOLLOW && item->y < name->y && item->y + item->h > name->y)
            bar = item;
        }
      g_assert_nonnull (bar);
      g_assert_cmpfloat ((double) bar->value, ==, i == 3 ? 1 : 0); /* the lane that would */
      scale = i == 0 ? (double) bar->w / should[i] : scale;
      if (fabs ((double) bar->w - MAX (2, scale * should[i])) > .01 * (double) bar->w + 1)
        g_error ("%s: %s have a bar of %.0f px, not %.0f", names[i], text, (double) bar->w,
                 scale * should[i]);
    }
  const char *fewer = text_like (o->layout, "#", "× fewer from beyond L2 than into registers");
  g_assert_nonnull (fewer);
  ASSERT_NUMBERS ("how many times fewer", fewer, should[0] / should[2], 2); /* the last one is L2’s */
}

/* What is packed has been read from beyond as far as it is packed, after both factors of the calls before; a
 * tiled kernel would have loaded for all products up to this call's last one. */
static void
check_reads (const Moment *o)
{
  const double factors = (double) o->now.at.round * (o->rows + o->cols),
               here = o->now.stage == LS_TILES_PACK_B ? o->now.part * o->cols
                                                      : o->cols + o->now.part * o->rows,
               tiled = o->rows * parts_of (o->cols, 16) + o->cols * parts_of (o->rows, 16);
  const struct {
    const char *name;
    double should;
  } rows[] = { { "L2 ← beyond", 4. * (double) o->now.call.k * (factors + here) },
               { "OpenCL tiled ← global", 4. * (double) (o->now.call.k * (o->now.at.round + 1)) * tiled } };
  double slack;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *text = beside (o->layout, rows[i].name);
      if (fabs (bytes_of (text, &slack) - rows[i].should) > slack + 4)
        g_error ("in call %u “%s” are said of %s, not %.0f bytes", (guint) o->now.at.round, text,
                 rows[i].name, rows[i].should);
    }
}

/* ---- all ---- */

/* Of the second layer's product: two calls of 256 products, too many for our loops to compute; the tiles'
 * sides are no multiples of a micro-tile's. */
static LsViewData *
data_of (guint core, guint *op)
{
  LsViewData *data = make_data ("flatten, dense 512, relu, dense 336, relu, dense 10", 200, NULL);
  const LsRecordedLane *lane = data->sides[0].recorded;
  double *numbers = lane->device->numbers;
  LsTiling *tiling;

  for (*op = 0;
       g_strcmp0 (data->recording->ops[*op].name, "matmul") != 0 || data->recording->ops[*op].attr.k != 512;)
    ++*op;
  tiling = &lane->tilings[*op];
  ls_tiling_set (tiling, tiling->rows, tiling->cols, 100, 84);
  tiling->way = cores[core].way;
  g_free (lane->device->core);
  lane->device->core = g_strdup (cores[core].core);
  numbers[LS_DEVICE_L1D] = 48 * 1024;
  numbers[LS_DEVICE_L2] = 2048 * 1024;
  numbers[LS_DEVICE_L3] = 96 * 1024. * 1024;
  return data;
}

static void
test_core (gconstpointer user_data)
{
  const guint core = GPOINTER_TO_UINT (user_data);
  guint op;
  g_autoptr (LsViewData) data = data_of (core, &op);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint seen[LS_TILES_N_STAGES + 1] = { 0 }, named = 0;
  double last = 0;

  query.op = op;
  asked.cpu_side = TRUE;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  Moment o = { .core = core, .layout = layout, .t = layout->own };
  g_assert_nonnull (o.t->cpu);
  g_assert_cmpint (o.t->kind, ==, LS_TILES_PLAIN);
  o.rows = 100;
  o.cols = 84;
  for (guint i = 0; i <= MOMENTS; i++)
    {
      query.time_ns = o.t->span_ns * i / MOMENTS;
      ls_layout_move (layout, &query);
      ls_tiles_cpu_now (o.t, query.time_ns, &o.now);
      check_packed (&o, seen);
      check_where (&o, &last, &named);
      check_registers (&o);
      check_caches (&o);
      if (o.now.stage == LS_TILES_PACK_A || (o.now.stage == LS_TILES_PACK_B && cores[core].sliver_rows > 0))
        check_reads (&o);
      assert_says (&o, "the tile as stamped, its inside as modelled", TRUE);
      g_autofree char *ours = g_strdup_printf ("all ours: %s", cores[core].ours);
      assert_says (&o, cores[core].ours != NULL ? ours : "ours, and inside it OpenBLAS’s", TRUE);
    }
  check_bytes (&o);
  g_assert_cmpuint (named, >, 10);
  for (guint stage = LS_TILES_PACK_B; stage <= LS_TILES_N_STAGES && cores[core].sliver_rows > 0; stage++)
    if (seen[stage] == 0)
      g_error ("no moment of stage %u was looked at", stage);
}

/* A tile whose time isn't known, or only its order among the others, is modelled whole; and one that nobody
 * has told computed is anybody's. */
static void
test_unstamped (void)
{
  for (guint how = 0; how < 3; how++)
    {
      guint op;
      g_autoptr (LsViewData) data = data_of (0, &op);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      GArray *events = data->sides[0].recorded->events;

      for (guint i = 0; i < events->len; i++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          if (how == 0)
            e->end_ns = e->start_ns;
          else if (how == 1)
            e->lane_clock = (guint8) ((e->lane_clock & 15) | LS_CLOCK_ORDER << 4);
          else
            e->worker = LS_WORKER_NONE;
        }
      query.op = op;
      asked.cpu_side = TRUE;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const Moment o = { .layout = layout, .t = layout->own };
      g_assert_nonnull (o.t->cpu);
      g_assert_cmpint (o.t->span_ns, >, 0);
      assert_says (&o, "the tile as stamped, its inside as modelled", how == 2);
      assert_says (&o, "as modelled", TRUE);
      assert_says (&o, "one worker, now", how == 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cores); i++)
    {
      g_autofree char *name = g_strdup_printf ("/paint/tiles-cpu-packed/%u-%s", i, cores[i].core);
      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_core);
    }
  g_test_add_func ("/paint/tiles-cpu-packed/unstamped", test_unstamped);
  return g_test_run ();
}
