/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner against plain sums: lengths of bars are bytes, rings stand where the costs are equal, every figure
 * has its mark and its page.
 */
#include "tests/paint/planner/planner-rig.h"

/* The middle of that text among the ticks, in the half of the picture; fails where there is none. */
static double
tick_at (const Picture *p, const char *text, gboolean right)
{
  const LsScene *s = p->layout->still;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && strcmp (item->text, text) == 0
          && item->type.px == p->layout->m.tick.px && ((double) item->x > p->layout->width * .55) == right
          && (double) item->y > p->layout->height * .45 && (double) item->y < p->layout->height * .79)
        return (double) (item->x + item->w / 2);
    }
  g_error ("there is no “%s” at an axis", text);
}

/* ---- memory ---- */

static gboolean
told_exactly (const Picture *p, const char *text)
{
  const LsScene *s = p->layout->still;

  for (guint i = 0; i < s->items->len; i++)
    if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT && strcmp (ls_scene_get (s, i)->text, text) == 0
        && ls_scene_get (s, i)->align == LS_RIGHT && ls_scene_get (s, i)->type.px == p->layout->m.label.px)
      return TRUE;
  return FALSE;
}

static void
test_bars (void)
{
  Picture p;
  Row estimated[9], allocated[9];
  LsStepMemory memory;

  open_picture (&p, TRUE);
  const guint n = rows_of (&p, LS_ITEM_HOLLOW, LS_EVIDENCE_DERIVED, estimated, 9),
              solid = rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, allocated, 9);
  const double zero = tick_at (&p, "0 MB", FALSE), a_gb = (tick_at (&p, "200", FALSE) - zero) * 5;

  g_assert_cmpuint (n, ==, planner (&p)->n_rows);
  g_assert_cmpuint (solid, ==, 2);
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (
        ls_fit_estimate (&planner (&p)->fit, planner (&p)->rows[i].batch, LS_OPTIMIZER_SGD, &memory));
      g_assert_cmpfloat_with_epsilon (estimated[i].x, zero, 1);
      g_assert_cmpfloat_with_epsilon (estimated[i].w, (double) ls_step_memory_sum (&memory) / 1e9 * a_gb, 2);
      if (i > 0)
        g_assert_cmpuint (planner (&p)->rows[i].batch, >, planner (&p)->rows[i - 1].batch);
    }
  /* the run's own: under its estimate OpenCL's, and then the CPU's */
  g_assert_true (ls_fit_estimate (&planner (&p)->fit, 256, LS_OPTIMIZER_SGD, &memory));
  const double rest = (double) (ls_step_memory_sum (&memory) - 2000000);
  g_assert_cmpfloat_with_epsilon (allocated[0].w, (rest * MORE_OPENCL + 2e6) / 1e9 * a_gb, 2);
  g_assert_cmpfloat_with_epsilon (allocated[1].w, (rest * MORE_CPU + 2e6) / 1e9 * a_gb, 2);
  g_assert_cmpfloat (allocated[1].y, >, allocated[0].y);
  g_assert_cmpfloat (allocated[0].y, >, estimated[1].y);
  g_assert_cmpfloat (allocated[1].y, <, estimated[2].y);
  g_assert_true (told (&p, "+1.3 %"));
  close_picture (&p);
}

/* What the device has is dotted at its bytes; what is beyond the scale has an arrow. */
static void
test_limits (void)
{
  Picture p;
  const LsScene *s;
  guint lines = 0;

  open_picture (&p, TRUE);
  s = p.layout->still;
  const double zero = tick_at (&p, "0 MB", FALSE), a_gb = (tick_at (&p, "200", FALSE) - zero) * 5;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_DOTS || item->evidence != LS_EVIDENCE_PUBLISHED)
        continue;
      g_assert_cmpfloat_with_epsilon ((double) g_array_index (s->points, float, 2 * item->points),
                                      zero + .2 * a_gb, 1);
      lines++;
    }
  g_assert_cmpuint (lines, ==, 1);
  g_assert_true (told (&p, "this device 200 MB"));
  g_assert_true (told (&p, "RTX 3060 12 GB 12.0 GB →"));
  g_assert_true (told (&p, "fits the NVIDIA GeForce RTX 3060 12 GB.")
                 || told (&p, "The largest batch that fits the NVIDIA GeForce RTX 3060 12 GB is"));
  close_picture (&p);
}

/* However small the picture, the batch that is asked for is there, and it is the last one to go. */
static void
test_asked_batch (void)
{
  static const double sizes[][2] = { { 960, 400 }, { 960, 440 },  { 960, 480 },  { 960, 520 },
                                     { 960, 600 }, { 1280, 720 }, { 1280, 800 }, { 1920, 1080 } };
  guint few = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint train = 0; train <= 3; train++)
      {
        Picture p;
        Row rows[16];

        open_picture (&p, TRUE);
        asked (&p)->train = train;
        draw_at (&p, sizes[i][0], sizes[i][1], LS_LOOK_LIGHT);
        const guint hollow = rows_of (&p, LS_ITEM_HOLLOW, LS_EVIDENCE_DERIVED, rows, 16);
        const guint solid = rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, rows, 16);
        g_autofree char *batch = ls_number_count (planner (&p)->batch);

        if (hollow + solid > 0)
          {
            g_test_message ("%g × %g, batch %s: %u + %u", sizes[i][0], sizes[i][1], batch, hollow, solid);
            g_assert_cmpuint (hollow, >=, 1);
            g_assert_true (told_exactly (&p, batch));
            few += hollow + solid < 4;
          }
        close_picture (&p);
      }
  g_assert_cmpuint (few, >, 0);
}

/* An older recording has no such numbers: nothing solid is drawn, and what isn't known is said. */
static void
test_older (void)
{
  Picture p;
  Row rows[9];

  open_picture (&p, FALSE);
  g_assert_cmpuint (rows_of (&p, LS_ITEM_BOX, LS_EVIDENCE_MEASURED, rows, 9), ==, 0);
  g_assert_cmpuint (rows_of (&p, LS_ITEM_HOLLOW, LS_EVIDENCE_DERIVED, rows, 9), >, 0);
  g_assert_true (told (&p, "What lanes allocated isn’t in this recording"));
  g_assert_true (told (&p, "How many steps an epoch has isn’t"));
  g_assert_cmpint (planner (&p)->advice.kind, ==, LS_ADVICE_UNKNOWN);
  close_picture (&p);
}

/* A rate that the heads don't show yet tells no hours, either. */
static void
test_stands (void)
{
  guint few = 0, many = 0;

  for (guint steps = 4; steps <= 240; steps += 4)
    {
      Picture p;

      open_steps (&p, "flatten, dense 2048, relu, dense 2048, relu, dense 10", 256, steps, TRUE);
      const LsFigure *a = &p.data->sides[0].rate, *b = &p.data->sides[1].rate;
      const gboolean stands = ls_figure_stands (a) || ls_figure_stands (b);

      few += (a->n > 0 || b->n > 0) && !stands;
      many += stands;
      g_assert_cmpint (planner (&p)->guide.step_here.n > 0, ==, stands);
      g_assert_cmpint (planner (&p)->guide.share.n > 0, ==, stands);
      close_picture (&p);
    }
  g_test_message ("%u rates don't stand, %u do", few, many);
  g_assert_cmpuint (MIN (few, many), >, 0);
}

/* ---- costs ---- */

/* Each ring stands at the month in which that end of the hours costs the same either way. */
static void
test_rings (void)
{
  Picture p;
  double months[2];
  guint n = 0;

  buying (&p);
  const LsScene *s = p.layout->still;
  const LsAdvice *a = &planner (&p)->advice;
  const double zero = tick_at (&p, "month 0", TRUE), twelve = tick_at (&p, "12", TRUE);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_RINGS || (double) item->x > p.layout->width)
        continue;
      g_assert_cmpuint (n, <, 2);
      g_assert_cmpint (item->evidence, ==, LS_EVIDENCE_MODELLED);
      months[n++] = 12 * ((double) g_array_index (s->points, float, 2 * item->points) - zero)
                    / (twelve - zero);
    }
  g_test_message ("%s", a->sentence);
  g_assert_cmpuint (n, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const LsBill *bill = i == 0 ? &a->best : &a->worst;
      const double h_rent = bill->hours_rented * .5, h_own = bill->hours_owned * bill->power / 1000 * .1545;

      g_assert_cmpfloat_with_epsilon (months[i], 500 / (h_rent - h_own), .3);
    }
  close_picture (&p);
}

/* Bands are hatched areas between the least and the most; the plan's months are where the dashes are. */
static void
test_bands (void)
{
  Picture p;
  guint bands = 0, dashes = 0;

  buying (&p);
  const LsScene *s = p.layout->still;
  const double zero = tick_at (&p, "month 0", TRUE), twelve = tick_at (&p, "12", TRUE);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *points = &g_array_index (s->points, float, 2 * item->points);

      if (item->kind == LS_ITEM_AREA && item->evidence == LS_EVIDENCE_MODELLED)
        {
          g_assert_cmpuint (item->n_points, ==, 4);
          g_assert_cmpfloat (points[5] - points[3], >=, points[7] - points[1] - 1); /* it widens */
          bands++;
        }
      if (item->kind == LS_ITEM_GUIDE && item->n_points == 2 && points[0] == points[2])
        {
          g_assert_cmpfloat_with_epsilon (12 * ((double) points[0] - zero) / (twelve - zero), 24, .2);
          dashes++;
        }
    }
  g_assert_cmpuint (bands, ==, 2);
  g_assert_cmpuint (dashes, ==, 1);
  g_assert_true (told (&p, "What moves it"));
  g_assert_true (told (&p, "at your 24 months"));
  asked (&p)->months = 1; /* six */
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  g_assert_true (told (&p, "at your 6 months"));
  asked (&p)->months = 4; /* the card alone is 500 */
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  g_assert_cmpint (planner (&p)->advice.kind, ==, LS_ADVICE_NONE);
  g_assert_true (told (&p, "Not for 300 USD: the cheaper way is to buy the NVIDIA GeForce RTX 3060 12 GB"));
  close_picture (&p);
}

/* Under each of what moves it the months from and to that follow. */
static void
test_moves (void)
{
  Picture p;

  buying (&p);
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  const LsAdvice *a = &planner (&p)->advice;
  const struct {
    const char *title;
    const double *months;
  } moves[] = { { "half the hours", a->break_half }, { "twice the hours", a->break_twice } };

  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      g_autofree char *months = ls_months_text (moves[i].months);
      const LsItem *title = find_text (p.layout->still, moves[i].title),
                   *under = find_text (p.layout->still, months);
      if (title == NULL || under == NULL || title->x != under->x)
        g_error ("“%s” doesn't stand under “%s”", months, moves[i].title);
    }
  close_picture (&p);
}

/* What renting costs a month stands under its name, on a projector, too, where it has less room. */
static void
test_rent (void)
{
  static const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_PROJECTOR };
  Picture p;

  buying (&p);
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      const LsItem *name = NULL, *cost = NULL;

      draw_at (&p, 1920, 1080, looks[i]);
      const LsScene *s = p.layout->still;
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (item->kind != LS_ITEM_TEXT)
            continue;
          if (g_str_equal (item->text, "rent a month"))
            name = item;
          else if (name != NULL && cost == NULL && item->x == name->x && item->y > name->y)
            cost = item;
        }
      g_assert_nonnull (name);
      g_assert_nonnull (cost);
      g_test_message ("%s", cost->text);
      g_assert_nonnull (strstr (cost->text, " USD"));
    }
  close_picture (&p);
}

/* ---- what it says ---- */

static void
test_sentence (void)
{
  static const struct {
    guint train, often;
    LsAdviceKind kind;
    const char *words;
  } cases[] = {
    { 0, 0, LS_ADVICE_STAY, "Buy nothing: this computer does the month’s 20 runs" },
    { 1, 0, LS_ADVICE_UNKNOWN, "Train here with batch 1 before you think of a GPU" },
    { 3, 0, LS_ADVICE_RENT, "a batch of 8192 needs 0.771 GB where this computer has 0.200" },
    { 5, 0, LS_ADVICE_WRONG, "No GPU for trees" },
    { 6, 0, LS_ADVICE_WRONG, "No GPU for preparing data" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Picture p;

      open_picture (&p, TRUE);
      asked (&p)->train = cases[i].train;
      asked (&p)->often = cases[i].often;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      g_test_message ("%u: %s", i, planner (&p)->advice.sentence);
      g_assert_cmpint (planner (&p)->advice.kind, ==, cases[i].kind);
      g_assert_true (told (&p, cases[i].words));
      g_autofree char *spoken = ls_layout_describe (p.layout);
      g_assert_nonnull (strstr (spoken, planner (&p)->advice.sentence));
      assert_faultless (p.layout);
      close_picture (&p);
    }
}

/* Each figure has its mark; one that was published tells its page, and opens it with the second click. */
static void
test_figures (void)
{
  Picture p;
  guint pages = 0, n;

  buying (&p);
  asked (&p)->said[LS_PRICE_RENT] = asked (&p)->said[LS_PRICE_CARD] = FALSE;
  draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
  n = planner (&p)->figures->len;
  g_assert_cmpuint (n, >=, 7);
  for (guint i = 0; i < n; i++)
    {
      const LsPlannerFigure f = g_array_index (planner (&p)->figures, LsPlannerFigure, i);
      g_autofree char *text = plain (g_strdup (f.text));
      const double x = f.area.x + f.area.w / 2, y = f.area.y + f.area.h / 2;
      const gboolean has_page = f.source != NULL;

      g_assert_cmpint (mark_before (p.layout->still, text), ==, (gint) f.evidence);
      g_assert_cmpfloat (f.area.h, >=, 24); /* large enough to be met */
      g_assert_cmpint (click (&p, x, y), ==, LS_ACT_CHANGED);
      g_assert_cmpint (asked (&p)->picked, ==, (gint) i);
      if (has_page)
        {
          const char *address = opens (&p);

          g_assert_true (g_str_has_prefix (address, "https://"));
          g_assert_true (told (&p, address));
          g_assert_cmpint (click (&p, x, y), ==, LS_ACT_OPEN);
          g_assert_cmpint (asked (&p)->picked, ==, (gint) i); /* and it stays picked */
          pages++;
        }
      else
        {
          g_assert_null (opens (&p));
          g_assert_cmpint (click (&p, x, y), ==, LS_ACT_CHANGED);
          g_assert_cmpint (asked (&p)->picked, ==, LS_PLANNER_NONE);
        }
    }
  g_assert_cmpuint (pages, >=, 4);
  g_assert_cmpint (click (&p, 5, 5), ==, LS_ACT_NONE);
  close_picture (&p);
}

/* ---- whatever the size ---- */

static void
test_sizes (void)
{
  static const double sizes[][2]
    = { { 960, 520 }, { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };
  Picture p;

  buying (&p);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (LsLook look = 0; look < LS_LOOK_N; look++)
      for (guint train = 0; train < 7; train += 2)
        {
          asked (&p)->train = train;
          asked (&p)->picked = train == 2 ? 3 : LS_PLANNER_NONE;
          draw_at (&p, sizes[i][0], sizes[i][1], look);
          check_layout (p.layout, "planner");
        }
  close_picture (&p);
  end_faults ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner/bars", test_bars);
  g_test_add_func ("/planner/limits", test_limits);
  g_test_add_func ("/planner/older", test_older);
  g_test_add_func ("/planner/asked-batch", test_asked_batch);
  g_test_add_func ("/planner/stands", test_stands);
  g_test_add_func ("/planner/rings", test_rings);
  g_test_add_func ("/planner/bands", test_bands);
  g_test_add_func ("/planner/moves", test_moves);
  g_test_add_func ("/planner/rent", test_rent);
  g_test_add_func ("/planner/sentence", test_sentence);
  g_test_add_func ("/planner/figures", test_figures);
  g_test_add_func ("/planner/sizes", test_sizes);
  return g_test_run ();
}
