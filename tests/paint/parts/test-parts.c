/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all views are built with: texts that must fit, blocks that fold, what is shown of the clock; and that
 * a layout's faults are found, one by one, and nothing is called a fault that is none.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/parts/folds.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/views.h"

static LsFonts *fonts;
static LsStyle style;

/* ---- texts: in the font of boxes a letter of 10 px is 6 px wide ---- */

static const LsType type = { 10, 400 };

static void
test_fit (void)
{
  static const struct {
    double w;
    const char *said;
  } cases[] = { { 100, "all of these" },
                { 72, "all of these" },
                { 71.9, "some" },
                { 24, "some" },
                { 23.9, "x" },
                { 6, "x" },
                { 5.9, NULL } };
  const char *const choices[] = { "all of these", "some", "x", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsScene *s = ls_scene_new (fonts, &style);
      const gboolean fits = ls_text_fit (s, 50, 20, cases[i].w, type, LS_INK_QUIET, LS_RIGHT, choices);

      g_assert_cmpint (fits, ==, cases[i].said != NULL);
      g_assert_cmpuint (s->items->len, ==, fits);
      if (fits)
        {
          const LsItem *item = ls_scene_get (s, 0);
          g_assert_cmpstr (item->text, ==, cases[i].said);
          g_assert_cmpfloat_with_epsilon (ls_item_right (item), 50, 1e-4);
          g_assert_cmpfloat ((double) item->y, ==, 20);
          g_assert_cmpuint (item->ink, ==, LS_INK_QUIET);
        }
      ls_scene_free (s);
    }
}

/* A sentence goes on in the next line, between words; no line is wider but one of a single word. */
static void
test_lines (void)
{
  static const struct {
    double w;
    const char *text, *lines;
  } cases[] = {
    { 600, "one two three", "one two three" },
    { 78, "one two three", "one two three" },
    { 77, "one two three", "one two|three" },
    { 42, "one two three", "one two|three" },
    { 41, "one two three", "one|two|three" },
    { 1, "one two three", "one|two|three" },
    { 30, "a longerthanthat b", "a|longerthanthat|b" },
    { 60, "", "" },
    { 24, "αβγδ ε", "αβγδ|ε" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsScene *s = ls_scene_new (fonts, &style);
      g_auto (GStrv) lines = ls_text_lines (s, type, cases[i].w, cases[i].text);
      g_autofree char *joined = g_strjoinv ("|", lines);
      const guint n = g_strv_length (lines);

      g_assert_cmpstr (joined, ==, cases[i].lines);
      const double counted = ls_text_wrapped (s, 7, 100, cases[i].w, type, LS_INK_TEXT, cases[i].text, FALSE);
      g_assert_cmpuint (s->items->len, ==, 0);
      const double drawn = ls_text_wrapped (s, 7, 100, cases[i].w, type, LS_INK_TEXT, cases[i].text, TRUE);
      g_assert_cmpfloat_with_epsilon (counted, drawn, 1e-9);
      g_assert_cmpuint (s->items->len, ==, n);
      for (guint k = 0; k < n; k++)
        {
          g_assert_cmpstr (ls_scene_get (s, k)->text, ==, lines[k]);
          g_assert_cmpfloat ((double) ls_scene_get (s, k)->x, ==, 7);
          g_assert_cmpfloat_with_epsilon ((double) ls_scene_get (s, k)->y, 100 + (drawn - 100) * (k + 1) / n,
                                          1e-3);
        }
      g_assert_cmpfloat (drawn, >=, 100 + 10 * n); /* lines don't touch */
      ls_scene_free (s);
    }
}

/* A mark of evidence stands before its text, in the middle of its letters, or neither is there; a heading's
 * words follow it where both have room. */
static void
test_marked (void)
{
  LsMetrics m;

  ls_metrics_init (&m, &style, 1920, 1080);
  for (guint wide = 0; wide < 2; wide++)
    {
      LsScene *s = ls_scene_new (fonts, &style);
      const double text = 5 * .6 * m.label.px, w = m.evidence + 7 + text - (wide ? -.01 : .01);
      const double right = ls_text_marked (s, &m, 30, 50, w, LS_EVIDENCE_MODELLED, LS_INK_QUIET, "words");

      g_assert_cmpuint (s->items->len, ==, wide ? 2 : 0);
      g_assert_cmpfloat_with_epsilon (right, wide ? 30 + w - .01 : 30, 1e-3);
      if (wide)
        {
          const LsItem *mark = ls_scene_get (s, 0), *words = ls_scene_get (s, 1);
          g_assert_cmpuint (mark->kind, ==, LS_ITEM_EVIDENCE);
          g_assert_cmpuint ((guint) mark->value, ==, LS_EVIDENCE_MODELLED);
          g_assert_cmpfloat ((double) (mark->x + mark->w), <, (double) words->x);
          g_assert_cmpfloat_with_epsilon ((double) mark->x, 30, 1e-4);
          g_assert_cmpfloat_with_epsilon ((double) (mark->y + mark->h / 2), 50 - .36 * m.label.px, .1);
        }
      ls_scene_free (s);
    }
  for (guint room = 0; room < 3; room++)
    {
      LsScene *s = ls_scene_new (fonts, &style);
      const double heading = 4 * .6 * m.heading.px, words = 3 * .6 * m.label.px + 3 * m.unit;
      const LsArea area = { 10, 0, heading + (room == 2 ? words : 0) - (room == 0 ? 1 : -1), 20 };
      const double right = ls_text_heading (s, &m, area, 15, "Head", room == 0 ? NULL : "and");

      g_assert_cmpuint (s->items->len, ==, room);
      g_assert_cmpfloat_with_epsilon (right, 10 + (room == 0 ? 0 : heading + (room == 2 ? words : 0)), 1e-3);
      g_assert_cmpint (says (s, "and"), ==, room == 2);
      ls_scene_free (s);
    }
}

/* ---- blocks that fold ---- */

static void
test_folds (void)
{
  static const struct {
    const char *text;
    gboolean each;
    guint64 opened;
  } read[] = { { "folded", FALSE, 0 },
               { "each", TRUE, 0 },
               { "1", FALSE, 1 },
               { "2", FALSE, 2 },
               { "1,2", FALSE, 3 },
               { "3,1", FALSE, 5 },
               { "64", FALSE, G_GUINT64_CONSTANT (1) << 63 },
               { "63,64", FALSE, G_GUINT64_CONSTANT (3) << 62 } };
  static const char *const wrong[] = { "", "0", "65", "x", "1,", "each,1", "1,,2", "-1", "1 2" };

  for (guint i = 0; i < G_N_ELEMENTS (read); i++)
    {
      LsFolds folds = { TRUE, 77 };
      g_autofree char *message = ls_folds_read (read[i].text, &folds);
      if (message != NULL)
        g_error ("“%s” is refused: %s", read[i].text, message);
      g_assert_cmpint (folds.each, ==, read[i].each);
      g_assert_cmpuint (folds.opened, ==, read[i].opened);
      for (guint chain = 0; chain < 4; chain++)
        g_assert_cmpint (ls_folds_open (&folds, chain), ==, read[i].each || (read[i].opened >> chain & 1));
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      LsFolds folds = { FALSE, 9 };
      g_autofree char *message = ls_folds_read (wrong[i], &folds);
      if (message == NULL)
        g_error ("“%s” is read as blocks that are open", wrong[i]);
      g_assert_cmpuint (folds.opened, ==, 9); /* as it was */
    }
  g_assert_false (ls_folds_open (NULL, 0));
  g_assert_false (ls_folds_open (&(LsFolds){ FALSE, G_MAXUINT64 }, LS_FOLDS_MOST));

  /* v: one after the other, then all, then none */
  for (guint n = 1; n <= 4; n++)
    {
      LsFolds folds = { FALSE, 0 };
      for (guint round = 0; round < 2; round++)
        {
          for (guint i = 0; i < n; i++)
            {
              g_assert_cmpint (ls_folds_key (LS_KEY_PAGE, n, &folds), ==, LS_ACT_CHANGED);
              g_assert_cmpuint (folds.opened, ==, G_GUINT64_CONSTANT (1) << i);
            }
          if (n > 1) /* of one block that is all */
            {
              ls_folds_key (LS_KEY_PAGE, n, &folds);
              g_assert_cmpuint (folds.opened, ==, (G_GUINT64_CONSTANT (1) << n) - 1);
            }
          ls_folds_key (LS_KEY_PAGE, n, &folds);
          g_assert_cmpuint (folds.opened, ==, 0);
        }
      g_assert_cmpint (ls_folds_key (LS_KEY_PICK, n, &folds), ==, LS_ACT_NONE);
      folds.opened = G_MAXUINT64; /* each, but for one that was folded and opened again */
      ls_folds_key (LS_KEY_PAGE, n, &folds);
      g_assert_cmpuint (folds.opened, ==, 0);
    }
  LsFolds none = { FALSE, 0 }, each = { TRUE, 0 };
  g_assert_cmpint (ls_folds_key (LS_KEY_PAGE, 0, &none), ==, LS_ACT_NONE);
  g_assert_cmpint (ls_folds_key (LS_KEY_PAGE, 3, &each), ==, LS_ACT_NONE);
}

/* ---- what is shown of the clock ---- */

static void
test_zoom (void)
{
  static const struct {
    gint64 zoom0, zoom1, from, to; /* of 0 … 1000000 */
  } windows[] = {
    { 0, 0, 0, 1000000 },      { 200000, 300000, 200000, 300000 },   { 200000, 0, 200000, 1000000 },
    { -5, 300000, 0, 300000 }, { 900000, 2000000, 900000, 1000000 }, { 5000000, 5100000, 900000, 1000000 },
  };
  gint64 from, to;

  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      LsQuery query = LS_QUERY_INIT;
      query.zoom0_ns = windows[i].zoom0;
      query.zoom1_ns = windows[i].zoom1;
      ls_zoom_window (&query, 1000000, &from, &to);
      if (from != windows[i].from || to != windows[i].to)
        g_error ("window %u is %" G_GINT64_FORMAT " … %" G_GINT64_FORMAT, i, from, to);
    }
  LsQuery query = LS_QUERY_INIT;
  g_assert_true (ls_zoom_is_all (&query));
  ls_zoom_pan (&query, 1000000, .5); /* all of it is as far as it goes */
  g_assert_true (ls_zoom_is_all (&query));
  /* what is pointed at stays where it is */
  for (guint at = 0; at <= 4; at++)
    {
      LsQuery by = LS_QUERY_INIT;
      ls_zoom_set (&by, 1000000, 200000, 600000);
      ls_zoom_by (&by, 1000000, at / 4., 2);
      ls_zoom_window (&by, 1000000, &from, &to);
      g_assert_cmpint (ABS (to - from - 200000), <=, 2);
      g_assert_cmpint (ABS (from + (to - from) * at / 4 - (200000 + 400000 * (gint64) at / 4)), <=, 3);
      ls_zoom_by (&by, 1000000, at / 4., .5);
      ls_zoom_window (&by, 1000000, &from, &to);
      g_assert_cmpint (ABS (from - 200000), <=, 6);
      g_assert_cmpint (ABS (to - 600000), <=, 6);
    }
  /* it is moved by a share of what is shown, up to the ends */
  ls_zoom_set (&query, 1000000, 200000, 300000);
  ls_zoom_pan (&query, 1000000, .25);
  g_assert_true (query.zoom0_ns == 225000 && query.zoom1_ns == 325000);
  ls_zoom_pan (&query, 1000000, -.5);
  g_assert_true (query.zoom0_ns == 175000 && query.zoom1_ns == 275000);
  ls_zoom_pan (&query, 1000000, -9);
  g_assert_true (query.zoom0_ns == 0 && query.zoom1_ns == 100000);
  ls_zoom_pan (&query, 1000000, 99);
  g_assert_true (query.zoom0_ns == 900000 && query.zoom1_ns == 1000000);
  /* to a place with an eighth of it on both sides */
  ls_zoom_to (&query, 1000000, 400000, 480000);
  g_assert_true (query.zoom0_ns == 390000 && query.zoom1_ns == 490000);
  /* no nearer than can be read, and all is all */
  ls_zoom_set (&query, 1000000, 500000, 500001);
  g_assert_cmpint (query.zoom1_ns - query.zoom0_ns, ==, LS_ZOOM_LEAST_NS);
  ls_zoom_set (&query, 1000000, -10, 2000000);
  g_assert_true (ls_zoom_is_all (&query));
}

/* ---- faults ---- */

/* What is laid onto a picture that has none, with two texts' states and places, and what should be said. */
typedef enum { TEXTS, TEXT_ON_TILE, TILES, STRONG, STATES, MOVING_PLATE, BARS, BOX } Case;

static void
add (LsLayout *layout, Case which, double dx, double dy)
{
  LsScene *s = layout->still;
  const LsType label = { 14, 400 };
  LsItem *item;

  switch (which)
    {
    case TEXTS:
      ls_scene_text (s, 100, 100, label, LS_INK_TEXT, LS_LEFT, "first");
      ls_scene_text (s, 100 + dx, 100 + dy, label, LS_INK_TEXT, LS_LEFT, "other");
      break;
    case TEXT_ON_TILE:
    case STRONG:
      ls_scene_mark (s, LS_ITEM_TILE, 100, 100, 50, 20, LS_INK_WORKER, 0);
      ls_scene_text (s, 100 + dx, 114 + dy, label, LS_INK_TEXT, LS_LEFT, "other")->strong = which == STRONG;
      break;
    case TILES:
      ls_scene_mark (s, LS_ITEM_TILE, 100, 100, 50, 20, LS_INK_WORKER, 0);
      ls_scene_mark (s, LS_ITEM_EVIDENCE, 100 + dx, 100 + dy, 20, 20, LS_INK_TEXT, 0);
      break;
    case STATES:
      ls_scene_text (s, 100, 100, label, LS_INK_TEXT, LS_LEFT, "first")->when = LS_WHEN_AHEAD;
      ls_scene_text (s, 100 + dx, 100 + dy, label, LS_INK_TEXT, LS_LEFT, "other")->when = LS_WHEN_DONE;
      break;
    case MOVING_PLATE:
      ls_scene_text (s, 100, 100, label, LS_INK_TEXT, LS_LEFT, "first");
      item = ls_scene_text (layout->moving, 100 + dx, 100 + dy, label, LS_INK_TEXT, LS_LEFT, "other");
      item->strong = TRUE;
      break;
    case BARS:
      ls_scene_mark (s, LS_ITEM_BAR, 100, 100, 1, 20, LS_INK_WORKER, 0);
      ls_scene_mark (s, LS_ITEM_BAR, 100 + dx, 100 + dy, 20, 20, LS_INK_WORKER, 0);
      break;
    case BOX:
      ls_scene_box (s, 90, 90, 90, 40, LS_INK_CARD, 0);
      ls_scene_text (s, 100 + dx, 114 + dy, label, LS_INK_TEXT, LS_LEFT, "other");
      break;
    }
}

static LsLayout *
empty_layout (LsLook look)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsQuery query = LS_QUERY_INIT;
  LsLayout *layout = draw_view (&ls_view_race, data, &query, look, 1280, 800);

  ls_scene_clear (layout->still);
  ls_scene_clear (layout->moving);
  g_assert_null (ls_layout_fault (layout));
  return layout;
}

static void
test_overlaps (void)
{
  static const struct {
    Case which;
    double dx, dy;
    gboolean fault;
  } cases[] = {
    { TEXTS, 0, 0, TRUE },    { TEXTS, 41, 0, TRUE },       { TEXTS, 43, 0, FALSE },
    { TEXTS, 0, 12, TRUE },   { TEXTS, 0, 14, FALSE },      { TEXTS, -41, 0, TRUE },
    { TEXTS, -43, 0, FALSE }, { TEXTS, 0, -12, TRUE },      { TEXTS, 30, 10, TRUE },
    { TEXTS, 200, 0, FALSE }, { TEXT_ON_TILE, 0, 0, TRUE }, { TEXT_ON_TILE, 51, 0, FALSE },
    { STRONG, 0, 0, FALSE },  { TILES, 0, 0, TRUE },        { TILES, 49, 0, TRUE },
    { TILES, 51, 0, FALSE },  { STATES, 0, 0, FALSE },      { MOVING_PLATE, 0, 0, FALSE },
    { BARS, 0, 0, FALSE },    { BOX, 0, 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsLayout) layout = empty_layout (LS_LOOK_LIGHT);
      g_autofree char *fault = NULL;

      add (layout, cases[i].which, cases[i].dx, cases[i].dy);
      fault = ls_layout_fault (layout);
      if ((fault != NULL) != cases[i].fault)
        g_error ("case %u, apart by %g and %g: %s", i, cases[i].dx, cases[i].dy,
                 fault != NULL ? fault : "no fault is found");
      if (fault != NULL)
        g_assert_nonnull (strstr (fault, " overlaps "));
    }
}

/* Letters for a hall are larger; what is outside, or nowhere, is found on every side. */
static void
test_places (void)
{
  static const struct {
    LsLook look;
    double x, y, px;
    const char *words;
  } cases[] = {
    { LS_LOOK_LIGHT, 100, 100, 14, NULL },
    { LS_LOOK_LIGHT, 100, 100, 13.9, "too small" },
    { LS_LOOK_PROJECTOR, 100, 100, 22, NULL },
    { LS_LOOK_PROJECTOR, 100, 100, 21.9, "too small" },
    { LS_LOOK_LIGHT, -2, 100, 14, "is outside" },
    { LS_LOOK_LIGHT, 1279, 100, 14, "is outside" },
    { LS_LOOK_LIGHT, 100, 8, 14, "is outside" },
    { LS_LOOK_LIGHT, 100, 799, 14, "is outside" },
    { LS_LOOK_LIGHT, 100, 12, 14, NULL },
    { LS_LOOK_LIGHT, 100, 796, 14, NULL },
    { LS_LOOK_LIGHT, NAN, 100, 14, "has no place" },
    { LS_LOOK_LIGHT, 100, INFINITY, 14, "has no place" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint moving = 0; moving < 2; moving++)
      {
        g_autoptr (LsLayout) layout = empty_layout (cases[i].look);
        g_autofree char *fault = NULL;

        ls_scene_text (moving ? layout->moving : layout->still, cases[i].x, cases[i].y,
                       (LsType){ cases[i].px, 400 }, LS_INK_TEXT, LS_LEFT, "a text");
        fault = ls_layout_fault (layout);
        if (cases[i].words == NULL)
          g_assert_cmpstr (fault, ==, NULL);
        else if (fault == NULL || strstr (fault, cases[i].words) == NULL
                 || strstr (fault, "“a text”") == NULL)
          g_error ("a text of %g px at %g, %g: %s, not “%s”", cases[i].px, cases[i].x, cases[i].y,
                   fault != NULL ? fault : "no fault", cases[i].words);
      }
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  g_test_add_func ("/paint/parts/fit", test_fit);
  g_test_add_func ("/paint/parts/lines", test_lines);
  g_test_add_func ("/paint/parts/marked", test_marked);
  g_test_add_func ("/paint/parts/folds", test_folds);
  g_test_add_func ("/paint/parts/zoom", test_zoom);
  g_test_add_func ("/paint/parts/overlaps", test_overlaps);
  g_test_add_func ("/paint/parts/places", test_places);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
