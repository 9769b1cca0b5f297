/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stairs of a claim, its ways and steps; what room an opened one has; how far all rows' scale reaches.
 */
#include "claims_rig.h"

#include <math.h>
#include <string.h>

#include "tests/plain.h"

typedef struct {
  const char *words, *number;
  double seconds;
  LsItemKind kind;
  LsInk ink;
  gint side;
} Way;

static const LsItem *
exactly (const LsScene *s, const char *text)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      g_autofree char *is = ls_scene_get (s, i)->kind == LS_ITEM_TEXT
                              ? plain (g_strdup (ls_scene_get (s, i)->text))
                              : g_strdup ("");
      if (strcmp (is, text) == 0)
        return ls_scene_get (s, i);
    }
  g_error ("“%s” isn’t there", text);
}

/* Each way's mark stands in its line, by how it is known and in its lane's colour, where its time is on an
 * axis in which ten times is always as far; its number is beside it, and each step's between both ways. */
static void
test_stairs (void)
{
  Way ways[] = {
    { "interpreted loop", "10.0 s", 10, LS_ITEM_HATCH, LS_INK_TEXT, 0 },
    { "compiled loop, 1 thread", "1.31 s", 1.31, LS_ITEM_DOTS, LS_INK_MARK, 0 },
    { "OpenBLAS, 2 threads", "26.2 ms", .0262, LS_ITEM_DOTS, LS_INK_MARK, 0 },
    { "OpenCL with copies", "1.80 ms", .0018, LS_ITEM_DOTS, LS_INK_MARK, 1 },
    { "OpenCL, kernel alone", "790 µs", .00079, LS_ITEM_DOTS, LS_INK_MARK, 1 },
  };
  static const char *const steps[2][5] = { { NULL, "÷ 7.6", "÷ 50", "÷ 15", "÷ 2.3" },
                                           { NULL, "÷ 7.6", "÷ 50", "÷ 33", "× 2.3" } };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (guint slower = 0; slower < 2; slower++)
    {
      double x[5], y[5];
      if (slower) /* the last one takes longer than the one before */
        {
          LsClaimWayTime *times = p.data->claims->rows[ROW_STAIRS].result->ways, held = times[3];
          const Way way = ways[3];
          times[3].time = times[4].time;
          times[4].time = held.time;
          ways[3].number = ways[4].number;
          ways[3].seconds = ways[4].seconds;
          ways[4].number = way.number;
          ways[4].seconds = way.seconds;
        }
      ((LsClaimsState *) p.state)->open = ROW_STAIRS;
      draw (&p);
      const LsScene *s = p.layout->still;
      for (guint i = 0; i < 5; i++)
        {
          const LsItem *words = exactly (s, ways[i].words);
          gboolean numbered = FALSE;
          guint n = 0;

          y[i] = (double) words->y - (double) words->type.px * .36;
          for (guint k = 0; k < s->items->len; k++)
            {
              const LsItem *item = ls_scene_get (s, k);
              double left, top, w, h;

              ls_item_bounds (s, item, &left, &top, &w, &h);
              if (item->kind == LS_ITEM_TEXT && fabs ((double) (item->y - words->y)) < .5 && item != words)
                {
                  g_autofree char *is = plain (g_strdup (item->text));
                  if (strcmp (is, ways[i].number) != 0)
                    continue;
                  numbered = TRUE;
                  g_assert_cmpuint (item->ink, ==, i == 0 ? LS_INK_TEXT : LS_INK_LANE);
                  g_assert_cmpfloat ((double) item->value, ==, ways[i].side);
                  /* a colour that words can be read in, and clear of the step that comes down, or back, to it
                   */
                  g_assert_true (item->strong);
                  if (item->align != (slower && i == 4 ? LS_LEFT : LS_RIGHT))
                    g_error ("“%s” stands on the side of “%s” where the step comes from", is, ways[i].words);
                }
              if (item->kind != ways[i].kind || item->ink != ways[i].ink || fabs (top + h / 2 - y[i]) > .5
                  || left < ls_item_right (words))
                continue;
              g_assert_cmpfloat ((double) item->value, ==, ways[i].side);
              x[i] = left + w / 2;
              n++;
            }
          if (n != 1 || !numbered)
            g_error ("“%s” has %u marks of its kind and colour in its line, and %s %s", ways[i].words, n,
                     numbered ? "says" : "doesn’t say", ways[i].number);
        }
      for (guint i = 1; i < 5; i++)
        {
          const double wanted = x[0]
                                + (x[2] - x[0]) * log (ways[i].seconds / ways[0].seconds)
                                    / log (ways[2].seconds / ways[0].seconds);
          const LsItem *step = exactly (s, steps[slower][i]);
          if (fabs (x[i] - wanted) > 1 || x[2] >= x[0])
            g_test_fail_printf ("“%s” stands at %g, not at %g", ways[i].words, x[i], wanted);
          if ((double) step->y < y[i - 1] || (double) step->y > y[i] + (double) step->type.px)
            g_test_fail_printf ("“%s” doesn’t stand between its ways", step->text);
          if (fabs ((step->align == LS_RIGHT ? ls_item_right (step) : (double) step->x) - x[i - 1]) > 10)
            g_test_fail_printf ("“%s” doesn’t stand at the way that it leads from", step->text);
        }
    }
  close_picture (&p);
}

/* The texts of the steps, from the first way on. (transfer full) */
static char *
steps_of (const LsScene *s)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < s->items->len; i++)
    {
      g_autofree char *is = ls_scene_get (s, i)->kind == LS_ITEM_TEXT
                              ? plain (g_strdup (ls_scene_get (s, i)->text))
                              : g_strdup ("");
      if (g_str_has_prefix (is, "÷ ") || g_str_has_prefix (is, "× "))
        g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", is);
    }
  return g_string_free (all, FALSE);
}

/* A way without a time says why, or has a dash; no step leads to it or from it, nor past it. */
static void
test_untimed (void)
{
  static const struct {
    guint untimed; /* a bit for each way */
    const char *steps;
  } rows[] = {
    { 0, "÷ 7.6, ÷ 50, ÷ 15, ÷ 2.3" },  { 1 << 0, "÷ 50, ÷ 15, ÷ 2.3" },  { 1 << 1, "÷ 15, ÷ 2.3" },
    { 1 << 2, "÷ 7.6, ÷ 2.3" },         { 1 << 3, "÷ 7.6, ÷ 50" },        { 1 << 4, "÷ 7.6, ÷ 50, ÷ 15" },
    { 1 << 0 | 1 << 1, "÷ 15, ÷ 2.3" }, { 1 << 0 | 1 << 2 | 1 << 4, "" }, { 31, "" },
  };

  for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
    for (guint said = 0; said < 2; said++)
      {
        Picture p;
        guint dashes = 0, whys = 0, wanted = 0;

        open_picture (&p, FALSE, 1920, 1080);
        LsClaimRow *row = &p.data->claims->rows[ROW_STAIRS];
        for (guint i = 0; i < 5; i++)
          {
            if ((rows[k].untimed >> i & 1) == 0)
              continue;
            wanted++;
            row->result->ways[i].time.n = 0;
            row->claim->ways[i].given.n = 0;
            if (said)
              row->result->ways[i].why = g_strdup ("no such library");
          }
        ((LsClaimsState *) p.state)->open = ROW_STAIRS;
        draw (&p);
        const LsScene *s = p.layout->still;
        g_autofree char *steps = steps_of (s);
        if (strcmp (steps, rows[k].steps) != 0)
          g_error ("without the times of ways %u the steps are “%s”, not “%s”", rows[k].untimed, steps,
                   rows[k].steps);
        for (guint i = 0; i < s->items->len; i++)
          if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT)
            {
              dashes += strcmp (ls_scene_get (s, i)->text, "–") == 0;
              whys += strcmp (ls_scene_get (s, i)->text, "no such library") == 0;
            }
        if ((said ? whys : dashes) != wanted || (said ? dashes : whys) != 0)
          g_error ("of %u ways without a time %u have a dash and %u say why; why is %s", wanted, dashes, whys,
                   said ? "known" : "not known");
        close_picture (&p);
      }
}

/* A step's number stands right of the step where it has room there, else left of it, and never beyond the
 * claim's place: from 10 s to 8 µs it is a long one. */
static void
test_wide_numbers (void)
{
  guint sides[2] = { 0 };

  for (double width = 760; width <= 1920; width += 290)
    for (guint fast = 0; fast < 2; fast++)
      {
        Picture p;

        open_picture (&p, FALSE, width, 1080);
        for (guint i = 1; fast && i < 5; i++)
          p.data->claims->rows[ROW_STAIRS].result->ways[i].time.value = 8e-6 / i;
        ((LsClaimsState *) p.state)->open = ROW_STAIRS;
        draw (&p);
        const double right = geometry (&p)->area.x + geometry (&p)->area.w;
        for (guint i = 0; i < p.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (p.layout->still, i);
            if (item->kind != LS_ITEM_TEXT || !g_str_has_prefix (item->text, "÷ "))
              continue;
            if (ls_item_right (item) > right + .5)
              g_error ("%g px wide, “%s” reaches to %.1f, and the claim’s place to %.1f", width, item->text,
                       ls_item_right (item), right);
            sides[item->align == LS_RIGHT]++;
          }
        close_picture (&p);
      }
  g_assert_cmpuint (MIN (sides[0], sides[1]), >, 0);
}

/* An opened claim has the room of the plots above the rows where the window is of middling size; in a large
 * one there is room for both. */
static void
test_room (void)
{
  static const struct {
    double w, h;
    gboolean more;
  } rows[] = { { 1280, 800, TRUE }, { 1920, 1080, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Picture p;
      double room[2];

      open_picture (&p, FALSE, rows[i].w, rows[i].h);
      for (guint open = 0; open < 2; open++)
        {
          ((LsClaimsState *) p.state)->open = open ? ROW_STAIRS : -1;
          draw (&p);
          room[open] = geometry (&p)->area.h;
        }
      if ((room[1] > room[0] + 20) != rows[i].more || room[1] < room[0])
        g_error ("at %g×%g the claims have %g px, and %g when one is opened", rows[i].w, rows[i].h, room[0],
                 room[1]);
      close_picture (&p);
    }
}

/* What is below an opened claim leaves room for how many more rows there are, in windows of any height. */
static void
test_more_below (void)
{
  guint told = 0;

  for (double h = 400; h <= 900; h += 20)
    for (gint open = 0; open < N_ROWS; open++)
      {
        Picture p;

        open_picture (&p, FALSE, 1280, h);
        ((LsClaimsState *) p.state)->open = open;
        draw (&p);
        const LsClaimsPicture *c = geometry (&p);
        if (c->end < c->n && c->body.h > 0)
          {
            if (c->body.y + c->body.h > c->more_below - c->layout->m.label.px / 2
                || c->more_below > c->area.y + c->area.h + 1)
              g_error (
                "%g px high, the claim %d ends at %.1f and its place at %.1f, and “more” stands at %.1f", h,
                open, c->body.y + c->body.h, c->area.y + c->area.h, c->more_below);
            told++;
          }
        close_picture (&p);
      }
  g_assert_cmpuint (told, >, 5);
}

/* However narrow their place is, stairs stay within it: where there is no room for an axis the ways' times
 * stand below each other, each behind its mark, as far as there is room for them. */
static void
test_narrow (void)
{
  guint with = 0, without = 0, none = 0;

  for (double w = 60; w <= 600; w += 20)
    {
      const LsArea area = { 700, 300, w, 320 };
      Picture p;
      guint numbers = 0, marks = 0;

      open_picture (&p, FALSE, 1920, 1080);
      const LsScene *s = p.layout->still;
      const guint first = s->items->len;
      ls_claims_stairs (geometry (&p), ROW_STAIRS, area, TRUE);
      double column = -1;
      gboolean same = TRUE;
      for (guint i = first; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          double x, y, width, height;

          ls_item_bounds (s, item, &x, &y, &width, &height);
          if (x < area.x - 1 || x + width > area.x + area.w + 1)
            g_error ("in %.0f px from %.0f on an item of kind %d (“%s”) goes from %.1f to %.1f", w, area.x,
                     item->kind, item->kind == LS_ITEM_TEXT ? item->text : "", x, x + width);
          numbers += item->kind == LS_ITEM_TEXT && item->type.weight == 700 && item->strong;
          if (item->kind != LS_ITEM_DOTS && item->kind != LS_ITEM_HATCH)
            continue;
          marks++;
          same = same && (column < 0 || fabs (x + width / 2 - column) < .5);
          column = x + width / 2;
        }
      g_assert_cmpuint (numbers, ==, marks);
      with += marks == 5 && !same;
      without += marks > 1 && same;
      none += marks == 0;
      close_picture (&p);
    }
  g_test_message ("with an axis: %u, without: %u, no time at all: %u", with, without, none);
  g_assert_true (with > 3 && without > 0 && none > 0);
}

/* Below an opened row nothing is written below the end of its place, however low that is. */
static void
test_low (void)
{
  guint few = 0, many = 0;

  for (guint row = 0; row < N_ROWS; row++)
    {
      Picture p;

      open_picture (&p, TRUE, 1920, 1080);
      ((LsClaimsState *) p.state)->open = (gint) row;
      draw (&p);
      const LsScene *s = p.layout->still;
      for (double height = 60; height <= 620; height += 7)
        {
          const LsArea area = { 40, 2000, 1800, height };
          const double end = area.y + height - 2 * p.layout->m.unit;
          const guint first = s->items->len;
          guint texts = 0;

          ls_claims_open (geometry (&p), row, area, TRUE);
          for (guint i = first; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (item->kind != LS_ITEM_TEXT)
                continue;
              texts++;
              if ((double) item->y + item->type.px * .3 > end + .1)
                g_error ("row %u: in %.0f px “%s” stands %.1f px below the end", row, height, item->text,
                         (double) item->y + item->type.px * .3 - end);
            }
          few += texts < 4;
          many += texts > 15;
        }
      close_picture (&p);
    }
  g_assert_cmpuint (MIN (few, many), >, 0);
}

/* The scale that all rows share reaches to what is claimed, to each guess, and to each figure that was found,
 * be it a row's second one, as far as the scale goes; not to one that isn't there. */
static void
test_reach (void)
{
  static const struct {
    double first, second, guess, low, high; /* shares of what is claimed, 0: none; how far it goes */
  } rows[] = {
    { 1, 0, 0, .1, 10 },    { 1, 2e3, 0, .1, 2e3 }, { 1, 2e-3, 0, 2e-3, 10 }, { 3e3, 1, 0, .1, 3e3 },
    { 1, 1, 5e3, .1, 5e3 }, { 1, 5e9, 0, .1, 6e5 }, { 3e-3, 1, 0, 3e-3, 10 }, { 1, 1, 5e-3, 5e-3, 10 },
  };
  Picture p;

  open_picture (&p, FALSE, 1280, 800);
  for (guint i = 0; i < p.data->claims->n; i++) /* of one row alone there is something */
    {
      p.data->claims->rows[i].guessed = FALSE;
      if (i != ROW_BOTH)
        g_clear_pointer (&p.data->claims->rows[i].result, ls_claim_result_unref);
    }
  LsClaimRow *row = &p.data->claims->rows[ROW_BOTH];
  LsClaimFinding *f = row->result->findings;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      f[0].figure.value = 50 * rows[i].first;
      f[1].figure.value = rows[i].second > 0 ? 50 * rows[i].second : 5e7;
      f[1].figure.n = rows[i].second > 0 ? 30 : 0;
      row->guessed = rows[i].guess > 0;
      row->guess = 50 * rows[i].guess;
      draw (&p);
      const LsAxis *axis = &geometry (&p)->axis;
      if (axis->low > rows[i].low || axis->low < rows[i].low / 2 || axis->high < rows[i].high
          || axis->high > rows[i].high * 2)
        g_error ("found: %g, %g, guessed: %g: the scale goes from %g to %g, not %g to %g", rows[i].first,
                 rows[i].second, rows[i].guess, axis->low, axis->high, rows[i].low, rows[i].high);
    }
  close_picture (&p);
}

/* What is claimed stands in its box, unless a figure does, be it the first one or the second. */
static void
test_box_words (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimRow *row = &p.data->claims->rows[ROW_BOTH];
  LsClaimFinding *f = row->result->findings;
  row->claim->claimed.high = 500;
  g_autofree char *text = ls_claim_claimed_text (row->claim);
  for (guint k = 0; k < 8; k++)
    {
      guint words = 0;
      for (guint i = 0; i < 2; i++)
        f[i].figure.value = k >> i & 1 ? 150 : k < 4 ? 10 : 2000;
      draw (&p);
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          words += item->kind == LS_ITEM_TEXT && strcmp (item->text, text) == 0
                   && (double) item->x > geometry (&p)->scale.x;
        }
      if (words != (k % 4 == 0))
        g_error ("of figures %g and %g beside “%s” that stands in its box %u times", f[0].figure.value,
                 f[1].figure.value, text, words);
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/claims-stairs/places", test_stairs);
  g_test_add_func ("/paint/claims-stairs/untimed", test_untimed);
  g_test_add_func ("/paint/claims-stairs/wide-numbers", test_wide_numbers);
  g_test_add_func ("/paint/claims-stairs/low", test_low);
  g_test_add_func ("/paint/claims-stairs/narrow", test_narrow);
  g_test_add_func ("/paint/claims-stairs/room", test_room);
  g_test_add_func ("/paint/claims-stairs/more-below", test_more_below);
  g_test_add_func ("/paint/claims-stairs/reach", test_reach);
  g_test_add_func ("/paint/claims-stairs/box-words", test_box_words);
  return g_test_run ();
}
