/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ribbon of all ops over a picture: a slot for each that a lane did by itself, in the step's order, or
 * for each layer where they are too many; both lanes' times on one scale; the chosen op is framed, counted
 * and named; and the one in which the lanes differ has its sign.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/told.h"
#include "ui/paint/views.h"

static LsFonts *fonts;

typedef struct {
  guint op, n; /* the first, and the one after the last */
  double ns[LS_SIDES];
  LsSlot place;
} Expected;

#define MOST 512

/* Does a lane do the op by itself, or is it the one that is asked for? */
static gboolean
has_own (const LsViewData *data, guint op, guint asked, double ns[LS_SIDES])
{
  gboolean any = op == asked;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      double start, end;
      ns[side] = 0;
      if (!ls_told_op (&data->sides[side], op, &start, &end))
        continue;
      ns[side] = end - start;
      any = TRUE;
    }
  return any;
}

/* Ops, or layers of one phase. */
static guint
expect (const LsViewData *data, guint asked, gboolean layers, Expected *all)
{
  const LsRecordedOp *ops = data->recording->ops;
  guint n = 0;

  for (guint op = 0; op < data->recording->n_ops; op++)
    {
      double ns[LS_SIDES];
      if (!has_own (data, op, asked, ns))
        continue;
      if (!layers || n == 0 || ops[all[n - 1].op].layer != ops[op].layer
          || ops[all[n - 1].op].phase != ops[op].phase)
        all[n++] = (Expected){ .op = op };
      all[n - 1].n = op + 1;
      for (guint side = 0; side < LS_SIDES; side++)
        all[n - 1].ns[side] += ns[side];
    }
  g_assert_cmpuint (n, <, MOST);
  return n;
}

static gboolean
within (const LsSlot *slot, double x, double y)
{
  return x >= slot->x - .5 && x <= slot->x + slot->w + .5 && y >= slot->y - .5 && y <= slot->y + slot->h + .5;
}

/* The slots, of equal width, from the left to the right; returns how many there are. */
static guint
check_slots (const LsLayout *layout, guint asked, Expected *all, gboolean *layers)
{
  guint found = 0, n;

  for (guint i = 0; i < layout->slots->len; i++)
    found += g_array_index (layout->slots, LsSlot, i).kind == LS_SLOT_OPS;
  if (found == 0)
    return 0;
  n = expect (layout->data, asked, FALSE, all);
  *layers = found < n;
  if (*layers)
    n = expect (layout->data, asked, TRUE, all);
  g_assert_cmpuint (found, ==, n);
  found = 0;
  for (guint i = 0; i < layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i),
                   *before = &all[MAX (found, 1) - 1].place;
      if (slot->kind != LS_SLOT_OPS)
        continue;
      g_assert_cmpuint (slot->op, ==, all[found].op);
      all[found].place = *slot;
      if (found > 0
          && (fabs (before->x + before->w - slot->x) > .01 || fabs (before->w - slot->w) > .01
              || before->y != slot->y || before->h != slot->h))
        g_error ("slot %u goes from %g to %g, the one before from %g to %g", found, slot->x,
                 slot->x + slot->w, before->x, before->x + before->w);
      found++;
    }
  g_assert_cmpfloat_with_epsilon (all[n - 1].place.x + all[n - 1].place.w, layout->width - layout->m.margin,
                                  .5);
  if (!*layers && (n > 48 || all[0].place.w < 14)) /* else they are joined */
    g_error ("%u ops have %g px each", n, all[0].place.w);
  return n;
}

/* Each lane's bar as long as its time, of all on one scale, from one line; the left lane's left of the
 * other's, or above it, with the time behind it. Returns how many were long enough to tell. */
static guint
check_bars (const LsLayout *layout, const Expected *all, guint n, guint *cells)
{
  const LsItem *bars[MOST][LS_SIDES] = { { NULL } };
  double longest = 0, most = 0, per_unit = 0;
  guint told = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      for (guint k = 0; k < n; k++)
        if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->side < LS_SIDES
            && within (&all[k].place, (double) (item->x + item->w / 2), (double) (item->y + item->h / 2)))
          {
            g_assert_null (bars[k][item->side]);
            g_assert_cmpuint ((guint) item->value, ==, item->side);
            bars[k][item->side] = item;
          }
    }
  /* lying where their times stand behind them, and standing where there are many */
  gboolean lying = TRUE;
  for (guint k = 0, first = 0; k < n; k++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        first = bars[first][0] == NULL && bars[first][1] == NULL ? k : first;
        const LsItem *like = bars[first][bars[first][0] == NULL];
        lying &= bars[k][side] == NULL || bars[k][side]->h == like->h;
      }
  for (guint k = 0; k < n; k++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        if ((bars[k][side] != NULL) != (all[k].ns[side] > 0))
          g_error ("slot %u has %s bar of side %u, which took %g ns", k, bars[k][side] ? "a" : "no", side,
                   all[k].ns[side]);
        if (bars[k][side] == NULL || all[k].ns[side] < longest)
          continue;
        longest = all[k].ns[side];
        most = (double) (lying ? bars[k][side]->w : bars[k][side]->h);
      }
  *cells += lying;
  const char *unit = ls_number_time_unit (longest, &per_unit);
  for (guint k = 0; k < n; k++)
    {
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsItem *bar = bars[k][side];
          if (bar == NULL)
            continue;
          const double length = (double) (lying ? bar->w : bar->h), should = most * all[k].ns[side] / longest;
          if (should > 3 && fabs (length - should) > .6)
            g_error ("slot %u: the bar of side %u is %g px long, not %g: %g of %g ns", k, side, length,
                     should, all[k].ns[side], longest);
          told += should > 3;
          if (lying)
            {
              const LsItem *number = NULL;
              g_assert_cmpfloat_with_epsilon ((double) bar->x, (double) bars[k][bars[k][0] == NULL]->x, .01);
              for (guint i = 0; i < layout->still->items->len; i++)
                {
                  const LsItem *text = ls_scene_get (layout->still, i);
                  if (text->kind == LS_ITEM_TEXT && (double) text->x > ls_item_right (bar)
                      && (double) text->x < ls_item_right (bar) + 12
                      && fabs ((double) text->y - .36 * text->type.px - (double) (bar->y + bar->h / 2)) < 2)
                    number = text;
                }
              g_assert_nonnull (number);
              g_assert_cmpfloat (ls_item_right (number), <=, all[k].place.x + all[k].place.w);
              const double is = g_ascii_strtod (number->text[0] == '<' ? "0" : number->text, NULL) * per_unit;
              if (fabs (is - all[k].ns[side])
                  > .051 * longest / 100 + .006 * all[k].ns[side] + .5 * (per_unit > 1))
                g_error ("slot %u: “%s” stands behind %g ns", k, number->text, all[k].ns[side]);
              if (k == 0)
                g_assert_true (g_str_has_suffix (number->text, unit));
            }
          else /* on one line, as wide as all */
            {
              g_assert_cmpfloat_with_epsilon (
                (double) (bar->y + bar->h),
                (double) (bars[0][bars[0][0] == NULL]->y + bars[0][bars[0][0] == NULL]->h), .01);
              if (side == 1)
                g_assert_cmpfloat ((double) bar->x, >, all[k].place.x + all[k].place.w / 2);
              else
                g_assert_cmpfloat (ls_item_right (bar), <, all[k].place.x + all[k].place.w / 2);
            }
        }
      if (lying && bars[k][0] != NULL && bars[k][1] != NULL)
        g_assert_cmpfloat ((double) (bars[k][0]->y + bars[k][0]->h), <, (double) bars[k][1]->y + 1);
    }
  return told;
}

/* The chosen slot alone is framed, or underlined; beside columns stand which op of how many was asked for and
 * both lanes' times for it, not for its slot, in their colours. Phases' names stand over their own first
 * slot. */
static void
check_words (const LsLayout *layout, guint asked, const Expected *all, guint n)
{
  static const char *const phases[] = { "input", "forward", "loss", "backward", "update" };
  const LsViewData *data = layout->data;
  const double top = all[0].place.y, bottom = top + all[0].place.h;
  guint current = 0, framed = 0, at = 0, ops, place = 0, names = 0, times = 0;
  Expected single[MOST];

  while (current + 1 < n && all[current + 1].op <= asked)
    current++;
  ops = expect (data, asked, FALSE, single);
  for (guint i = 0; i < ops; i++)
    if (single[i].op == asked)
      at = i + 1;
  g_assert_cmpuint (at, >, 0);
  const double *own = single[at - 1].ns;
  g_autofree char *which = g_strdup_printf ("op %u of %u", at, ops);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const double middle = (double) (item->x + item->w / 2);

      if ((double) item->y < top - 1 || (double) item->y > bottom)
        continue;
      if (item->kind == LS_ITEM_BOX && (item->ink == LS_INK_CHOSEN || item->ink == LS_INK_TEXT))
        {
          if (!within (&all[current].place, middle, (double) item->y))
            g_error ("slot %u is chosen, and %g is marked, of %g to %g", current, middle,
                     all[current].place.x, all[current].place.x + all[current].place.w);
          framed++;
        }
      if (item->kind != LS_ITEM_TEXT)
        continue;
      if ((double) item->x < all[0].place.x && ls_item_right (item) > all[0].place.x)
        g_error ("“%s” reaches to %.1f px, and the first slot begins at %.1f", item->text,
                 ls_item_right (item), all[0].place.x);
      place += g_str_has_prefix (item->text, "op ");
      if (g_str_has_prefix (item->text, "op "))
        g_assert_cmpstr (item->text, ==, which);
      for (guint p = 0; p < G_N_ELEMENTS (phases); p++)
        for (guint k = 0; k < n && strcmp (item->text, phases[p]) == 0; k++)
          if (within (&all[k].place, (double) item->x, (double) item->y))
            {
              if ((guint) data->recording->ops[all[k].op].phase != p
                  || (k > 0 && (guint) data->recording->ops[all[k - 1].op].phase == p))
                g_error ("“%s” stands over slot %u, of phase %u", item->text, k,
                         data->recording->ops[all[k].op].phase);
              names++;
              break;
            }
      if (item->ink == LS_INK_LANE && (double) item->x < all[0].place.x)
        {
          g_autofree char *time = ls_number_time (own[(guint) item->value]);
          g_assert_cmpstr (item->text, ==, time);
          if (!(own[(guint) item->value] > 0))
            g_error ("“%s” is said of a lane that didn't do op %u by itself", item->text, asked);
          times++;
        }
    }
  g_assert_cmpuint (framed, >=, 1);
  g_assert_cmpuint (place, <=, 1);
  if (place == 1)
    g_assert_cmpuint (times, ==, (own[0] > 0) + (own[1] > 0));
  if (all[0].place.x > layout->m.margin + 1)
    g_assert_cmpuint (place, ==, 1);
  if (layout->m.size == LS_SIZE_LARGE)
    g_assert_cmpuint (names, >=, 2);
}

/* Over each phase runs a line that is as long as it, less its name where that has room: none reaches into
 * another phase, and none is missing where there is room for it. Returns how many phases have no name. */
static guint
check_groups (const LsLayout *layout, const Expected *all, guint n)
{
  const LsRecordedOp *ops = layout->data->recording->ops;
  const LsScene *s = layout->still;
  guint nameless = 0, lines = 0;
  double height = -1;

  for (guint i = 0; i < s->items->len; i++) /* they lie over the bars, all at one height */
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *at = &g_array_index (s->points, float, 2 * item->points);
      if (item->kind == LS_ITEM_LINE && item->n_points == 2 && item->ink == LS_INK_EDGE && at[1] == at[3]
          && (double) at[1] > all[0].place.y - 1 && (double) at[1] < all[0].place.y + 2 * layout->m.tick.px
          && (double) at[0] > all[0].place.x)
        {
          guint first = 0, end;

          height = height < 0 ? (double) at[1] : height;
          if (fabs ((double) at[1] - height) > .5)
            continue;
          while (first + 1 < n && (double) at[0] > all[first].place.x + all[first].place.w)
            first++;
          for (end = first; end < n && ops[all[end].op].phase == ops[all[first].op].phase; end++)
            ;
          if ((double) at[2] > all[end - 1].place.x + all[end - 1].place.w)
            g_error ("the line over slot %u ends at %.1f, and its phase at %.1f", first, (double) at[2],
                     all[end - 1].place.x + all[end - 1].place.w);
          lines++;
        }
    }
  for (guint first = 0, end; first < n && height > 0; first = end)
    {
      gboolean named = FALSE;

      for (end = first; end < n && ops[all[end].op].phase == ops[all[first].op].phase; end++)
        ;
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          named = named
                  || (item->kind == LS_ITEM_TEXT && item->ink == LS_INK_QUIET
                      && fabs ((double) item->x - all[first].place.x - 4) < 1
                      && fabs ((double) item->y - height) < layout->m.tick.px / 2);
        }
      nameless += !named;
    }
  return lines > 0 ? nameless : 0;
}

static void
test_ribbon (void)
{
  static const char *const nets[]
    = { "flatten, dense 10", "flatten, dense 64, relu, dense 10", NULL,
        "flatten, dense 32, relu, dense 32, relu, dense 32, relu, dense 32, relu, dense 32, relu, dense 32, "
        "relu, "
        "dense 32, relu, dense 32, relu, dense 32, relu, dense 32, relu, dense 10",
        /* 37 ops: each has its place in a wide window alone */
        "flatten, dense 32, relu, dense 32, relu, dense 32, relu, dense 10" };
  guint told = 0, folded = 0, single = 0, cells = 0, nameless = 0;

  for (guint net = 0; net < G_N_ELEMENTS (nets); net++)
    for (guint size = 0; size < 3; size++)
      {
        const LsFixture f = { LS_CORES (2), .model = nets[net], .batch = 32,       .tiles = 8,
                              .groups = 16, .on_cpu = TRUE,     .fused = net == 1, .steps = 20 };
        g_autoptr (LsViewData) data = ls_fixture_data (&f);

        for (guint op = 0; op < data->recording->n_ops; op += MAX (data->recording->n_ops / 5, 1))
          {
            LsQuery query = LS_QUERY_INIT;
            Expected all[MOST];
            gboolean layers;

            query.op = op;
            g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &query,
                                                        LS_LOOK_LIGHT, draw_sizes[size][0],
                                                        draw_sizes[size][1]);
            const guint n = check_slots (layout, op, all, &layers);
            if (n == 0)
              continue;
            folded += layers;
            single += !layers;
            told += check_bars (layout, all, n, &cells);
            check_words (layout, op, all, n);
            nameless += check_groups (layout, all, n);
          }
      }
  g_test_message ("%u by layer, %u by op, %u in cells, %u bars", folded, single, cells, told);
  g_assert_cmpuint (MIN (MIN (folded, single), cells), >, 3);
  g_assert_cmpuint (told, >, 300);
  g_assert_cmpuint (nameless, >, 3);
}

/* One sign, in the slot of the op that did what differs. */
static void
test_sign (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 32, .tiles = 8, .groups = 16, .on_cpu = TRUE, .steps = 20 };

  for (guint op = 0; op < 6; op++)
    for (guint size = 0; size < 3; size++)
      {
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        LsQuery query = LS_QUERY_INIT;
        Expected all[MOST];
        gboolean layers;
        guint signs = 0;

        data->difference = (LsDifference){ .found = TRUE, .op = op, .rank = 2, .shape = { 4, 4 } };
        query.op = 1;
        g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &query, LS_LOOK_LIGHT,
                                                    draw_sizes[size][0], draw_sizes[size][1]);
        const guint n = check_slots (layout, 1, all, &layers);
        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            for (guint k = 0; k < n && item->kind == LS_ITEM_WARNING; k++)
              if (within (&all[k].place, (double) (item->x + item->w / 2), (double) (item->y + item->h / 2)))
                {
                  if (op < all[k].op || op >= all[k].n)
                    g_error ("op %u differs, and the sign is at ops %u to %u", op, all[k].op, all[k].n - 1);
                  signs++;
                }
          }
        double ns[LS_SIDES];
        if (has_own (data, op, 1, ns))
          g_assert_cmpuint (signs, ==, 1);
      }
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/ribbon/ops", test_ribbon);
  g_test_add_func ("/paint/ribbon/sign", test_sign);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
