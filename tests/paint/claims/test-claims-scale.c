/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scale of Claims: a number under a tick says where it stands, each number stands beside the mark that it
 * is of, and over none of what is claimed; what a key does that leads nowhere; and words that have no room.
 */
#include "claims_rig.h"

#include <math.h>
#include <string.h>

#include "tests/paint/places.h"

static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 } };

static LsClaimsState *
asked (const Picture *p)
{
  return p->state;
}

static double
place_of (const Picture *p, double share)
{
  const LsAxis *axis = &geometry (p)->axis;

  return axis->from + (axis->to - axis->from) * log (share / axis->low) / log (axis->high / axis->low);
}

static double
middle (const LsItem *item)
{
  return (double) item->x + (double) item->w / 2;
}

static const float *
points_of (const Picture *p, const LsItem *item)
{
  return &g_array_index (p->layout->still->points, float, 2 * item->points);
}

/* What stands over 1, in as many words as there is room for. */
static gboolean
is_claimed (const LsItem *item)
{
  return item->kind == LS_ITEM_TEXT && item->type.weight == 700
         && (g_str_has_suffix (item->text, "claimed") || strcmp (item->text, "1") == 0);
}

/* "as claimed" stands over 1, "10" and "1/10" a decade beside it, and no other power is called so; a line
 * goes down from each through all rows. */
static void
test_head (void)
{
  Picture p;

  open_picture (&p, FALSE, 960, 600);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      draw_at (&p, sizes[i][0], sizes[i][1], LS_LOOK_LIGHT);
      const LsClaimsPicture *c = geometry (&p);
      const LsScene *s = p.layout->still;
      double right = -1e9, head = 0;
      guint named = 0, claimed = 0;

      for (guint k = 0; k < s->items->len; k++)
        if (is_claimed (ls_scene_get (s, k)) && (double) ls_scene_get (s, k)->y < c->area.y)
          {
            head = (double) ls_scene_get (s, k)->y;
            g_assert_cmpfloat_with_epsilon (middle (ls_scene_get (s, k)), place_of (&p, 1), 1);
            claimed++;
          }
      g_assert_cmpuint (claimed, ==, 1);
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          double share;

          if (item->kind != LS_ITEM_TEXT || fabs ((double) item->y - head) > .1
              || (double) item->x < c->scale.x - 20 || (double) item->x > c->scale.x + c->scale.w
              || is_claimed (item))
            continue;
          g_auto (GStrv) digits = g_regex_split_simple ("[^0-9/]+", item->text, 0, 0);
          g_autofree char *number = g_strjoinv ("", digits);
          share = g_str_has_prefix (number, "1/") ? 1 / g_ascii_strtod (number + 2, NULL)
                                                  : g_ascii_strtod (number, NULL);
          if (fabs (middle (item) - place_of (&p, share)) > 1)
            g_error ("%g px: “%s” stands at %.1f, and that is %.1f", sizes[i][0], item->text, middle (item),
                     place_of (&p, share));
          g_assert_cmpfloat ((double) item->x, >, right);
          right = (double) item->x + (double) item->w;
          named++;
        }
      g_assert_cmpuint (named, >=, 2);
      for (guint row = c->first; row < c->end; row++)
        for (gint power = (gint) ceil (log10 (c->axis.low)); power <= log10 (c->axis.high); power++)
          {
            guint lines = 0;
            for (guint k = 0; k < s->items->len; k++)
              {
                const LsItem *item = ls_scene_get (s, k);
                const float *at = points_of (&p, item);
                if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_HAIRLINE && item->n_points == 2)
                  lines += fabs ((double) at[0] - place_of (&p, pow (10, power))) < .5
                           && fabs ((double) at[1] - c->places[row].y) < .5
                           && fabs ((double) at[3] - c->places[row].y - c->places[row].h) < .5;
                else if (item->kind == LS_ITEM_DOTS && item->ink == LS_INK_TEXT && item->n_points > 4
                         && power == 0)
                  lines += fabs ((double) at[0] - place_of (&p, 1)) < .5 && (double) at[1] > c->places[row].y
                           && (double) at[2 * item->n_points - 1] <= c->places[row].y + c->places[row].h + .1
                           && (double) at[2 * item->n_points - 1] > c->places[row].y + c->places[row].h - 6;
              }
            if (lines != 1)
              g_error ("%g px, row %u: %u lines at 10^%d", sizes[i][0], row, lines, power);
          }
    }
  close_picture (&p);
}

/* What was found, and guessed: the number is beside its mark, on its line, and never under the line of what
 * is claimed. Of two marks the left one's is left of it, the right one's right. */
static void
test_numbers (void)
{
  guint beside = 0, pairs = 0;
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (double factor = .001; factor < 300; factor *= 1.29)
    {
      LsClaimRow *row = &p.data->claims->rows[ROW_BOTH];
      const double share[2] = { factor, factor * 30 };
      const LsItem *numbers[2] = { NULL, NULL };

      for (guint i = 0; i < 2; i++)
        row->result->findings[i].figure.value = 50 * share[i];
      row->guess = 50 * factor * 1.9;
      draw (&p);
      const LsClaimsPicture *c = geometry (&p);
      const LsClaimsPlace place = c->places[ROW_BOTH];
      g_autofree char *guess = ls_claim_guess_text (row->claim, row->guess);
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          const double y = item->kind == LS_ITEM_TEXT ? ls_text_middle (item) : -1, one = place_of (&p, 1);

          if (y < place.y || y > place.y + place.h || (double) item->x < c->scale.x - 8
              || (double) item->x >= c->scale.x + c->scale.w)
            continue;
          if ((double) item->x + (double) item->w > c->scale.x + c->scale.w + .1)
            g_error ("“%s” goes beyond the scale", item->text);
          if (one > (double) item->x - 1 && one < (double) item->x + (double) item->w + 1)
            g_error ("“%s” lies on the line of what is claimed", item->text);
          for (guint i = 0; i < 2; i++)
            {
              g_autofree char *text = ls_claim_number_text (row->claim, 50 * share[i]);
              if (strcmp (text, item->text) == 0 && item->type.weight == 700)
                numbers[i] = item;
            }
          if (item->type.weight < 700)
            {
              g_assert_cmpstr (item->text, ==, guess);
              g_assert_cmpfloat (y, <, place.y + place.h / 2);
            }
          else
            g_assert_cmpfloat (y, >, place.y + place.h / 2);
        }
      for (guint i = 0; i < 2; i++)
        {
          const double x = place_of (&p, CLAMP (share[i], c->axis.low, c->axis.high));
          if (numbers[i] == NULL)
            continue;
          const double gap
            = i == 0 ? x - (double) numbers[i]->x - (double) numbers[i]->w : (double) numbers[i]->x - x,
            other = i == 0 ? (double) numbers[i]->x - x : x - (double) numbers[i]->x - (double) numbers[i]->w;
          if (!(gap > 2 && gap < 24) && !(other > 2 && other < 24))
            g_error ("%g of what is claimed stands at %.1f, and “%s” from %.1f to %.1f", share[i], x,
                     numbers[i]->text, (double) numbers[i]->x,
                     (double) numbers[i]->x + (double) numbers[i]->w);
          /* there is room outside: where the scale doesn't end, nor the line of what is claimed is */
          const double from = i == 0 ? x - 120 : x, to = i == 0 ? x : x + 120;
          if (from > c->scale.x && to < c->scale.x + c->scale.w
              && !(place_of (&p, 1) > from - 4 && place_of (&p, 1) < to + 4) && !(gap > 2 && gap < 24))
            g_error ("%g of what is claimed: “%s” stands between both marks", share[i], numbers[i]->text);
          beside++;
        }
      pairs += numbers[0] != NULL && numbers[1] != NULL;
    }
  g_assert_cmpuint (pairs, >, 10);
  g_assert_cmpuint (beside, >, 30);
  close_picture (&p);
}

/* A line leads from the guess to what was claimed, from the ring's edge on; not where the ring is there. */
static void
test_guess_line (void)
{
  guint lines = 0;
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimRow *row = &p.data->claims->rows[ROW_GUESSED];
  for (row->guess = .01; row->guess < 100; row->guess *= 2.1)
    {
      draw (&p);
      const LsClaimsPlace place = geometry (&p)->places[ROW_GUESSED];
      const double x = place_of (&p, row->guess), one = place_of (&p, 1);
      const LsItem *line = NULL, *ring = NULL;

      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          const float *at = points_of (&p, item);
          if (item->n_points == 0 || (double) at[1] < place.y || (double) at[1] > place.y + place.h / 2 + 1)
            continue;
          ring = item->kind == LS_ITEM_RINGS && fabs ((double) at[0] - x) < 1 ? item : ring;
          line = item->kind == LS_ITEM_LINE && item->n_points == 2 && at[1] == at[3] ? item : line;
        }
      g_assert_nonnull (ring);
      g_assert_cmpint (line != NULL, ==, fabs (one - x) > (double) ring->size / 2);
      if (line == NULL)
        continue;
      const float *at = points_of (&p, line);
      g_assert_cmpfloat_with_epsilon ((double) at[2], one, .5);
      g_assert_cmpfloat_with_epsilon ((double) at[0], x + (x < one ? .5 : -.5) * (double) ring->size, .5);
      lines++;
    }
  g_assert_cmpuint (lines, >, 8);
  close_picture (&p);
}

/* A place of the scale is a value of each row, by the row's own claim; beside the scale it is none. */
static void
test_value_at (void)
{
  Picture p;

  open_picture (&p, FALSE, 1280, 800);
  const LsClaimsPicture *c = geometry (&p);
  for (guint row = 0; row < N_ROWS; row++)
    for (double share = c->axis.low; share <= c->axis.high * 1.001; share *= 10)
      {
        const double claimed = c->claims->rows[row].claim->claimed.low;
        g_assert_cmpfloat_with_epsilon (
          ls_claims_value_at (c, row, place_of (&p, share) + (share < 1 ? 1e-9 : -1e-9)), claimed * share,
          1e-6 * claimed * share);
      }
  g_assert_true (isnan (ls_claims_value_at (c, 0, c->axis.from - 1)));
  g_assert_true (isnan (ls_claims_value_at (c, 0, c->axis.to + 1)));
  close_picture (&p);
}

/* Keys with nothing to do do nothing, and say so; up from nowhere opens the last row that is seen. */
static void
test_keys (void)
{
  static const LsViewKey idle[] = { LS_KEY_LEFT,   LS_KEY_RIGHT, LS_KEY_PAGE, LS_KEY_SOURCE,
                                    LS_KEY_LET_GO, LS_KEY_DRAW,  LS_KEY_NEXT, LS_KEY_BATCH };
  Picture p;

  open_picture (&p, TRUE, 960, 420);
  for (guint i = 0; i < G_N_ELEMENTS (idle); i++)
    {
      if (press (&p, idle[i]) != LS_ACT_NONE)
        g_error ("with no row open key %u does something", idle[i]);
      g_assert_cmpint (asked (&p)->open, ==, -1);
      g_assert_cmpint (asked (&p)->guess_row, ==, -1);
    }
  const guint end = geometry (&p)->end;
  g_assert_cmpuint (end, <, N_ROWS);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->open, ==, (gint) end - 1);
  for (guint i = 0; i < N_ROWS; i++)
    press (&p, LS_KEY_UP);
  g_assert_cmpint (asked (&p)->open, ==, 0);
  g_assert_cmpint (press (&p, LS_KEY_PAGE), ==, LS_ACT_NONE); /* it has one source alone */
  g_assert_cmpint (press (&p, LS_KEY_DRAW), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED);
  g_assert_cmpint (asked (&p)->open, ==, -1);
  /* the first guess is what is claimed, the least of it, whichever key it is begun by */
  geometry (&p)->claims->rows[ROW_NOT_BEGUN].claim->claimed.high = 10;
  for (guint up = 0; up < 2; up++)
    {
      asked (&p)->open = ROW_NOT_BEGUN;
      asked (&p)->guess_row = -1;
      draw (&p);
      g_assert_cmpint (press (&p, up ? LS_KEY_RIGHT : LS_KEY_LEFT), ==, LS_ACT_CHANGED);
      g_assert_cmpint (asked (&p)->guess_row, ==, ROW_NOT_BEGUN);
      g_assert_cmpfloat (asked (&p)->guess, ==, 1);
    }
  close_picture (&p);
}

/* `render --claim` opens the one of that name; of another name it is told which there are. */
static void
test_option (void)
{
  const LsViewOption *option = ls_view_claims.options;
  Picture p;

  open_picture (&p, FALSE, 1280, 800);
  g_assert_cmpstr (option->name, ==, "claim");
  for (gint row = 0; row < N_ROWS; row++)
    {
      asked (&p)->open = -1;
      g_assert_null (option->read (p.data, p.data->claims->rows[row].claim->name, p.state));
      g_assert_cmpint (asked (&p)->open, ==, row);
    }
  g_autofree char *names = option->read (p.data, "true-", p.state);
  g_assert_cmpstr (names, ==, "range, stairs, both, true, stand-in, open, guessed, not-begun");
  close_picture (&p);
}

/* Where it was read may be longer than the lines that a row has: then its last one ends with dots, and
 * nothing goes beyond its column. */
static void
test_long (void)
{
  guint dots = 0;
  Picture p;

  open_picture (&p, FALSE, 1280, 800);
  LsClaim *claim = p.data->claims->rows[ROW_BOTH].claim;
  g_free (claim->source->title);
  claim->source->title = g_strdup ("");
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *before = claim->source->title;
      claim->source->title = g_strdup_printf ("%s%sword%u", before, i > 0 ? " " : "", i);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      draw_at (&p, sizes[i][0], sizes[i][1], LS_LOOK_LIGHT);
      const LsClaimsPicture *c = geometry (&p);
      const LsClaimsPlace place = c->places[ROW_BOTH];
      const LsItem *last = NULL;

      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          if (item->kind != LS_ITEM_TEXT || (double) item->y < place.y || (double) item->y > place.y + place.h
              || (double) item->x > c->sentence.x + c->sentence.w)
            continue;
          if ((double) item->x + (double) item->w > c->sentence.x + c->sentence.w + .5)
            g_error ("%g px: “%s” goes beyond its column", sizes[i][0], item->text);
          last = last == NULL || item->y > last->y ? item : last;
        }
      if (place.h <= 0 || strstr (last->text, "word") == NULL)
        continue;
      if (!g_str_has_suffix (last->text, " …"))
        g_error ("%g px: more follows, and the last line is “%s”", sizes[i][0], last->text);
      dots++;
      assert_faultless (p.layout);
    }
  g_assert_cmpuint (dots, >, 0);
  close_picture (&p);
}

/* However close two marks are: no number lies on either. */
static void
test_close (void)
{
  static const double apart[] = { 1.05, 1.3, 1.7, 2.5, 4, 6, 9, 14, 22 };
  guint beside = 0, between = 0;
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  for (guint k = 0; k < G_N_ELEMENTS (apart); k++)
    for (double factor = .0005; factor < 900; factor *= 1.37)
      {
        LsClaimRow *row = &p.data->claims->rows[ROW_BOTH];
        const double share[2] = { factor, factor * apart[k] };

        for (guint i = 0; i < 2; i++)
          row->result->findings[i].figure.value = 50 * share[i];
        draw (&p);
        const LsClaimsPicture *c = geometry (&p);
        const LsClaimsPlace place = c->places[ROW_BOTH];
        const double r = .38 * p.layout->m.label.px;
        double x[2];
        for (guint i = 0; i < 2; i++)
          x[i] = place_of (&p, CLAMP (share[i], c->axis.low, c->axis.high));
        for (guint i = 0; i < p.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (p.layout->still, i);
            const double y = item->kind == LS_ITEM_TEXT ? ls_text_middle (item) : -1;

            if (y < place.y + place.h / 2 || y > place.y + place.h || (double) item->x < c->scale.x - 8
                || (double) item->x >= c->scale.x + c->scale.w || item->type.weight < 700)
              continue;
            for (guint m = 0; m < 2; m++)
              if ((double) item->x < x[m] + r && ls_item_right (item) > x[m] - r)
                g_error ("marks at %.1f and %.1f px: “%s” lies on one, from %.1f to %.1f", x[0], x[1],
                         item->text, (double) item->x, ls_item_right (item));
            beside++;
            between += (double) item->x > x[0] && ls_item_right (item) < x[1];
          }
      }
  g_test_message ("%u beside, %u of them between", beside, between);
  g_assert_true (beside > 100 && between > 3);
  close_picture (&p);
}

/* What is guessed of a claim that isn't there any more is no wish. */
static void
test_gone (void)
{
  Picture p;

  open_picture (&p, TRUE, 1280, 800);
  LsClaims *claims = p.data->claims;
  const guint all = claims->n;
  for (claims->n = all; claims->n > 0; claims->n--)
    for (gint row = -1; row < (gint) all; row++)
      {
        LsQuery query = LS_QUERY_INIT;
        LsWish wish = LS_WISH_NOTHING;

        asked (&p)->guess_row = row;
        asked (&p)->guess = 7;
        query.state = p.state;
        ls_view_claims.wish (p.data, &query, &wish);
        if ((wish.guess.claim != NULL) != (row >= 0 && row < (gint) claims->n))
          g_error ("of row %d of %u “%s” is guessed", row, claims->n, wish.guess.claim);
        if (wish.guess.claim != NULL)
          g_assert_cmpstr (wish.guess.claim, ==, claims->rows[row].claim->name);
        g_assert_true (wish.guess.claim == NULL || fabs (wish.guess.value - 7) < 1e-9);
      }
  claims->n = all;
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/claims-scale/head", test_head);
  g_test_add_func ("/paint/claims-scale/numbers", test_numbers);
  g_test_add_func ("/paint/claims-scale/close", test_close);
  g_test_add_func ("/paint/claims-scale/guess-line", test_guess_line);
  g_test_add_func ("/paint/claims-scale/value-at", test_value_at);
  g_test_add_func ("/paint/claims-scale/keys", test_keys);
  g_test_add_func ("/paint/claims-scale/option", test_option);
  g_test_add_func ("/paint/claims-scale/long", test_long);
  g_test_add_func ("/paint/claims-scale/gone", test_gone);
  return g_test_run ();
}
