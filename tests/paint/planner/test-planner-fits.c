/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's batches: which of them have rows, which is the largest that a card holds and what is said of it,
 * what stands where there are none; and at what height the rings of its costs are.
 */
#include "tests/paint/planner/planner-rig.h"

#include "tests/paint/states.h"

/* The batch that is asked for and the run's own, and an eighth, 2, 4, 8, 16 and 32 times what is asked for,
 * as far as they have room; each once, in order, with its own memory; none so large that the smallest can't
 * be seen. */
static void
test_rows (void)
{
  static const struct {
    guint batch, train;
  } cases[]
    = { { 256, 0 }, { 256, 1 }, { 256, 2 }, { 256, 3 }, { 128, 2 }, { 1024, 2 }, { 8, 1 }, { 32, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      static const double times[] = { .125, 1, 2, 4, 8, 16, 32 };
      gboolean own = FALSE, asks = FALSE;
      Picture p;

      open_run (&p, "flatten, dense 2048, relu, dense 2048, relu, dense 10", cases[i].batch, TRUE);
      asked (&p)->train = cases[i].train;
      draw (&p);
      const LsPlanner *q = planner (&p);
      if (q->n_rows < 2 || q->n_rows > LS_PLANNER_MAX_ROWS)
        g_error ("batch %u has %u rows", q->batch, q->n_rows);
      for (guint k = 0; k < q->n_rows; k++)
        {
          LsStepMemory memory;
          gboolean found = q->rows[k].batch == cases[i].batch || q->rows[k].batch == 1;

          for (guint t = 0; t < G_N_ELEMENTS (times); t++)
            found |= q->rows[k].batch == q->batch * times[t];
          if (!found)
            g_error ("of batch %u, in a run with %u, a row has batch %u", q->batch, cases[i].batch,
                     q->rows[k].batch);
          if (k > 0 && q->rows[k].batch <= q->rows[k - 1].batch)
            g_error ("below batch %u stands batch %u", q->rows[k - 1].batch, q->rows[k].batch);
          g_assert_true (ls_fit_estimate (&q->fit, q->rows[k].batch, q->optimizer, &memory));
          g_assert_cmpint (ls_step_memory_sum (&memory), ==, ls_step_memory_sum (&q->rows[k].memory));
          own |= q->rows[k].batch == cases[i].batch;
          asks |= q->rows[k].batch == q->batch;
        }
      if (!own || !asks)
        g_error ("of batch %u, in a run with %u, there is no row of %s", q->batch, cases[i].batch,
                 own ? "what is asked for" : "the run’s own");
      close_picture (&p);
    }
}

/* The sentence of the planner's, had it been asked of that batch. (transfer full) */
static char *
miss_of (const LsPlanner *planner, guint batch)
{
  LsPlanner other = *planner;

  other.batch = batch;
  return plain (ls_planner_miss (&other));
}

static void
assert_miss (const LsPlanner *planner, guint batch, const char *wanted)
{
  g_autofree char *words = miss_of (planner, batch), *is = plain (g_strdup (wanted));

  if (g_strcmp0 (words, is) != 0)
    g_error ("of batch %u is said “%s”, not “%s”", batch, words, is);
}

/* Which batch is the largest that fits, also where it is the one that is asked for; how many of them make up
 * one that doesn't fit; that all do, or none. */
static void
test_largest (void)
{
  static const struct {
    const char *model;
    gboolean all, none;
  } cases[] = { { "flatten, dense 4, relu, dense 10", TRUE, FALSE },
                { "flatten, dense 30000, relu, dense 10", FALSE, FALSE },
                { "flatten, dense 60000, relu, dense 60000, relu, dense 10", FALSE, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Picture p;
      gboolean any;

      open_run (&p, "flatten, dense 16, relu, dense 10", 16, TRUE);
      LsPlanner q = *planner (&p);
      g_autoptr (LsModel) model = ls_model_parse (cases[i].model, NULL);
      q.fit.model = q.model = model;
      const char *card = q.guide.own->name;
      const double has = ls_hardware_step_memory (q.guide.own).value;
      const guint largest = ls_fit_largest (&q.fit, q.optimizer, has, &any);
      if (!cases[i].none)
        g_assert_cmpint (any, ==, cases[i].all);
      g_assert_cmpint (largest == 0, ==, cases[i].none);
      g_autofree char *n = ls_number_count (largest), *more = ls_number_count (largest + 1),
                      *thrice = ls_number_count (3 * largest), *lots = ls_number_count (3 * largest + 1),
                      *largest_is = g_strdup_printf ("The largest batch that fits the %s is %s.", card, n),
                      *all = g_strdup_printf ("Every batch that Lockstep takes, up to %s, fits the %s.", n,
                                              card),
                      *none = g_strdup_printf ("Not even batch 1 fits the %s.", card);

      if (cases[i].all || cases[i].none)
        {
          assert_miss (&q, 1, cases[i].all ? all : none);
          assert_miss (&q, 512, cases[i].all ? all : none);
          assert_miss (&q, LS_FIT_MAX_BATCH, cases[i].all ? all : none);
        }
      else
        {
          static const char format[]
            = "%u × batch %s at most, gradients added up, would fit the %s: the same weights as of "
              "batch %s but for rounding.";
          g_autofree char *two = g_strdup_printf (format, 2U, n, card, more),
                          *three = g_strdup_printf (format, 3U, n, card, thrice),
                          *four = g_strdup_printf (format, 4U, n, card, lots);
          assert_miss (&q, 1, largest_is);
          assert_miss (&q, largest - 1, largest_is);
          assert_miss (&q, largest, largest_is);
          assert_miss (&q, largest + 1, two);
          assert_miss (&q, 3 * largest, three);
          assert_miss (&q, 3 * largest + 1, four);
        }
      q.guide.own = NULL;
      g_assert_null (ls_planner_miss (&q));
      q.guide.own = planner (&p)->guide.own;
      q.guide.work = LS_WORK_TREES;
      g_assert_null (ls_planner_miss (&q));
      close_picture (&p);
    }
}

/* Without bars it is said why there are none. */
static void
test_none (void)
{
  static const char *const said[] = { "There is no step of a network to hold.",
                                      "What a step takes is told once the lanes have their plan.",
                                      "A step of this batch is larger than any that Lockstep takes." };
  Picture p;

  open_run (&p, "flatten, dense 2048, relu, dense 2048, relu, dense 10", 256, TRUE);
  for (guint why = 0; why < 3; why++)
    {
      asked (&p)->train = why == 0 ? 5 : 0;
      if (why == 1) /* nothing is known yet */
        {
          ls_view_data_unref (p.data);
          p.data = ls_fixture_view (&ls_fixture_desk, LS_STATE_NOT_YET);
          g_clear_pointer (&p.data->plan, ls_plan_unref);
        }
      if (why == 2)
        {
          close_picture (&p);
          open_run (&p, "flatten, dense 16, relu, dense 10", 16, TRUE);
        }
      draw (&p);
      for (guint k = 0; k < G_N_ELEMENTS (said); k++)
        if (told (&p, said[k]) != (k == why && why < 2))
          g_error ("“%s” is%s said", said[k], k == why && why < 2 ? "n’t" : "");
    }
  close_picture (&p);
}

/* ---- costs ---- */

#define INSIDE 3. /* px: bands are so much higher than what they cover, at both sides */

/* An end of what the band covers is at that height there. */
static gboolean
is_end (const LsScene *s, const LsItem *area, double x, double y)
{
  const float *points = &g_array_index (s->points, float, 2 * area->points);

  for (guint i = 0; i < 2; i++) /* its upper edge, and its lower one, which goes back */
    {
      const float *left = i == 0 ? &points[0] : &points[6], *right = i == 0 ? &points[2] : &points[4];
      const double share = (x - (double) left[0]) / (double) (right[0] - left[0]),
                   edge = (double) left[1] + share * (double) (right[1] - left[1])
                          + (i == 0 ? INSIDE : -INSIDE);
      if (fabs (edge - y) < .7)
        return TRUE;
    }
  return FALSE;
}

/* Each ring is where an end of what renting costs meets one of what owning costs. */
static void
test_rings (void)
{
  Picture p;
  guint rings = 0;

  buying (&p);
  const LsScene *s = p.layout->still;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *ring = ls_scene_get (s, i);
      guint on = 0, areas = 0;

      if (ring->kind != LS_ITEM_RINGS || (double) ring->x > p.layout->width)
        continue;
      const double x = (double) g_array_index (s->points, float, 2 * ring->points),
                   y = (double) g_array_index (s->points, float, 2 * ring->points + 1);
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *area = ls_scene_get (s, k);
          if (area->kind != LS_ITEM_AREA || area->evidence != LS_EVIDENCE_MODELLED)
            continue;
          areas++;
          on += is_end (s, area, x, y);
        }
      if (areas != 2 || on != 2)
        g_error ("the ring at %g, %g is at the ends of %u of %u bands", x, y, on, areas);
      rings++;
    }
  g_assert_cmpuint (rings, ==, 2);
  close_picture (&p);
}

/* Of two devices whose memory is within the scale each has its name, whichever has more. */
static void
test_both_named (void)
{
  static const gint64 has[] = { 5000000000, 20000000000 };

  for (guint i = 0; i < G_N_ELEMENTS (has); i++)
    {
      Picture p;
      guint lines = 0;

      open_run (&p, "flatten, dense 8192, relu, dense 8192, relu, dense 10", 16384, TRUE);
      for (guint side = 0; side < LS_SIDES; side++)
        p.data->sides[side].recorded->device->global_mem = has[i];
      draw (&p);
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          lines += item->kind == LS_ITEM_DOTS && item->evidence == LS_EVIDENCE_PUBLISHED;
        }
      g_assert_cmpuint (lines, ==, 2);
      g_assert_true (told (&p, i == 0 ? "this device 5.00 GB" : "this device 20.0 GB"));
      g_assert_true (told (&p, "RTX 3060 12 GB 12.0 GB") && !told (&p, "→"));
      close_picture (&p);
    }
}

/* What stands behind the bands is as wide as it is: the longest line of them ends where the picture does. */
static void
test_band_words (void)
{
  Picture p;
  double right = 0;
  guint lines = 0;

  buying (&p);
  p.fonts = ls_fonts_new ("Sans"); /* of which bold letters are wider */
  draw (&p);
  const LsScene *s = p.layout->still;
  const LsItem *own = find_text (s, "own");
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, "own") == 0)
        own = item;
    }
  g_assert_nonnull (own);
  g_assert_cmpstr (own->text, ==, "own");
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_TEXT || fabs ((double) (item->x - own->x)) > .5 || item->align != LS_LEFT)
        continue;
      right = MAX (right, ls_item_right (item));
      lines++;
    }
  g_assert_cmpuint (lines, ==, 5); /* two of renting, three of owning */
  if (fabs (right - (p.layout->width - p.layout->m.margin)) > 1)
    g_error ("the longest words end at %.1f px, and the picture at %.1f", right,
             p.layout->width - p.layout->m.margin);
  close_picture (&p);
}

static gint
price_of (const Picture *p, gint figure)
{
  g_assert_cmpint (figure, >=, 0);
  g_assert_cmpint (figure, <, planner (p)->figures->len);
  return g_array_index (planner (p)->figures, LsPlannerFigure, figure).price;
}

/* The price of the figure that is marked as picked. */
static gint
marked_price (const Picture *p)
{
  const LsScene *s = p->layout->still;
  const LsArea *area = NULL;

  for (guint i = 0; i < s->items->len; i++)
    for (guint k = 0; k < planner (p)->figures->len; k++)
      {
        const LsItem *item = ls_scene_get (s, i);
        area = &g_array_index (planner (p)->figures, LsPlannerFigure, k).area;
        if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_CHOSEN && area->w > 0
            && fabs ((double) item->x - area->x) < .1
            && fabs ((double) (item->y + item->h / 2) - area->y - area->h / 2) < area->h / 2)
          return price_of (p, (gint) k);
      }
  g_error ("no figure is marked");
}

/* A price that is picked stays so when a run begins to be measured, or is no more, which brings a figure
 * before it or takes one: what ↑ changes is what is marked, and what is told. */
static void
test_stays_picked (void)
{
  for (guint kind = 0; kind < LS_PRICE_N; kind++)
    for (guint begins = 0; begins < 2; begins++)
      {
        Picture p;
        LsFigure rates[LS_SIDES];

        buying (&p);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            rates[side] = p.data->sides[side].rate;
            if (begins)
              p.data->sides[side].rate = (LsFigure){ 0 };
          }
        memset (asked (&p)->said, 0, sizeof asked (&p)->said);
        draw (&p);
        const guint before = planner (&p)->figures->len;
        press (&p, LS_KEY_PICK);
        for (guint i = 0; i < before && price_of (&p, asked (&p)->picked) != (gint) kind; i++)
          press (&p, LS_KEY_RIGHT);
        g_assert_cmpint (price_of (&p, asked (&p)->picked), ==, kind);
        g_assert_cmpint (marked_price (&p), ==, kind);
        for (guint side = 0; side < LS_SIDES; side++)
          p.data->sides[side].rate = begins ? rates[side] : (LsFigure){ 0 };
        draw (&p);
        g_assert_cmpuint (planner (&p)->figures->len, !=, before);
        if (marked_price (&p) != (gint) kind)
          g_error ("price %u was picked, and %d is once the run %s", kind, marked_price (&p),
                   begins ? "is measured" : "isn't measured any more");
        g_autofree char *words = ls_layout_describe (p.layout), *told = NULL;
        for (guint i = 0; i < planner (&p)->figures->len; i++)
          if (price_of (&p, (gint) i) == (gint) kind)
            told = g_strdup_printf (". %s: ", g_array_index (planner (&p)->figures, LsPlannerFigure, i).text);
        if (strstr (words, told) == NULL)
          g_error ("price %u is picked, and isn't told at last: %s", kind, words);
        press (&p, LS_KEY_UP);
        for (guint k = 0; k < LS_PRICE_N; k++)
          if (asked (&p)->said[k] != (k == kind))
            g_error ("price %u is picked, and ↑ changes %u", kind, k);
        g_assert_cmpint (marked_price (&p), ==, kind);
        g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED);
        g_assert_cmpint (asked (&p)->picked, ==, LS_PLANNER_NONE);
        close_picture (&p);
      }
}

/* The dotted line of what a device has leaves 3 px free on all sides of every text, and nothing else out. */
static void
test_dotted (void)
{
  guint beside[2] = { 0 }, over = 0;
  Picture p;

  open_picture (&p, TRUE);
  for (double width = 1500; width < 1920; width += 4.5)
    {
      draw_at (&p, width, 1080, LS_LOOK_LIGHT);
      const LsScene *s = p.layout->still;

      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *line = ls_scene_get (s, i);
          if (line->kind != LS_ITEM_DOTS || line->evidence != LS_EVIDENCE_PUBLISHED || line->n_points < 2)
            continue;
          const float *points = &g_array_index (s->points, float, 2 * line->points);
          const double x = (double) points[0];
          guint dot = 0;
          for (double y = (double) points[1]; dot < line->n_points; y += 6)
            {
              gboolean taken = FALSE;

              for (guint k = 0; k < s->items->len && !taken; k++)
                {
                  const LsItem *item = ls_scene_get (s, k);
                  double left, top, w, h;

                  if (item->kind != LS_ITEM_TEXT)
                    continue;
                  ls_item_bounds (s, item, &left, &top, &w, &h);
                  taken = x >= left - 3 && x < left + w + 3 && y >= top - 3 && y < top + h + 3;
                  beside[0] += taken && x < left;
                  beside[1] += taken && x > left + w;
                  over += taken && x >= left && x <= left + w;
                }
              if (fabs ((double) points[2 * dot + 1] - y) < .01)
                {
                  if (taken)
                    g_error ("%g px: a dot at %g, %g is nearer than 3 px to a text", width, x, y);
                  dot++;
                }
              else if (!taken)
                g_error ("%g px: no dot stands at %g, %g, where nothing else does", width, x, y);
            }
        }
    }
  g_test_message ("%u left of a text, %u right of one, %u over one", beside[0], beside[1], over);
  g_assert_cmpuint (MIN (beside[0], beside[1]), >, 0);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/planner-fits/band-words", test_band_words);
  g_test_add_func ("/paint/planner-fits/stays-picked", test_stays_picked);
  g_test_add_func ("/paint/planner-fits/rows", test_rows);
  g_test_add_func ("/paint/planner-fits/largest", test_largest);
  g_test_add_func ("/paint/planner-fits/none", test_none);
  g_test_add_func ("/paint/planner-fits/dotted", test_dotted);
  g_test_add_func ("/paint/planner-fits/rings", test_rings);
  g_test_add_func ("/paint/planner-fits/both-named", test_both_named);
  return g_test_run ();
}
