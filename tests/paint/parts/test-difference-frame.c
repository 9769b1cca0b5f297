/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frame of the element in which the lanes differ, its words beside it; and the line of a setting that was
 * changed.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/views.h"

static LsLayout *
any_layout (LsViewData **data)
{
  LsQuery query = LS_QUERY_INIT;

  *data = ls_fixture_data (&ls_fixture_desk);
  (*data)->difference
    = (LsDifference){ .found = TRUE, .op = 0, .rank = 2, .shape = { 64, 256 }, .element = 515 };
  return draw_view (&ls_view_race, *data, &query, LS_LOOK_LIGHT, 1280, 800);
}

/* The element lies in the frame's middle, however small it is; the words are beside it on whichever side has
 * room, in the picture and not on the frame; in ink that is seen on their plate. */
static void
test_frame (void)
{
  static const struct {
    LsArea at;
    gboolean named, words;
    gint right, below; /* of the frame, the words are: 1, or −1 on the other side; 0: there are none */
  } cases[] = {
    { { 300, 200, 2, 3 }, TRUE, TRUE, 1, 1 },     { { 300, 200, 2, 3 }, FALSE, FALSE, 0, 0 },
    { { 690, 200, 2, 3 }, TRUE, TRUE, -1, 1 },    { { 300, 490, 2, 3 }, TRUE, TRUE, 1, -1 },
    { { 300, 420, 2, 3 }, TRUE, TRUE, 1, 1 },     { { 560, 300, 2, 3 }, TRUE, TRUE, -1, 1 },
    { { 690, 490, 2, 3 }, TRUE, TRUE, -1, -1 },   { { 101, 101, 40, 30 }, TRUE, TRUE, 1, 1 },
    { { 650, 460, 45, 35 }, TRUE, TRUE, -1, -1 },
  };
  const LsArea within = { 100, 100, 600, 400 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (LsLayout) layout = any_layout (&data);
      const LsItem *frame = NULL, *plate = NULL, *sign = NULL, *words = NULL;
      const LsArea at = cases[i].at;

      ls_scene_clear (layout->moving);
      ls_stage_difference (layout, within, at, cases[i].named);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          *(item->kind == LS_ITEM_FRAME     ? &frame
            : item->kind == LS_ITEM_BOX     ? &plate
            : item->kind == LS_ITEM_WARNING ? &sign
                                            : &words)
            = item;
        }
      if (frame == NULL || fabsf (frame->x + frame->w / 2 - (float) (at.x + at.w / 2)) > .1f
          || fabsf (frame->y + frame->h / 2 - (float) (at.y + at.h / 2)) > .1f
          || frame->w < (float) MAX (at.w, 9) || frame->h < (float) MAX (at.h, 9))
        g_error ("case %u: the element isn’t in the middle of its frame", i);
      g_assert_cmpuint (frame->ink, ==, LS_INK_TEXT);
      if ((words != NULL) != cases[i].words || (plate != NULL) != cases[i].words
          || (sign != NULL) != cases[i].words)
        g_error ("case %u: %s words are beside the frame", i, words != NULL ? "" : "no");
      if (words == NULL)
        continue;
      if (strcmp (words->text, "element (2, 3) differs") != 0)
        g_error ("beside the frame stands “%s”", words->text);
      if (plate->x < (float) within.x || plate->y < (float) within.y
          || plate->x + plate->w > (float) (within.x + within.w)
          || plate->y + plate->h > (float) (within.y + within.h))
        g_error ("case %u: the words leave the picture, at %g, %g", i, (double) plate->x, (double) plate->y);
      const gint right = plate->x >= frame->x + frame->w   ? 1
                         : plate->x + plate->w <= frame->x ? -1
                                                           : 0,
                 below = plate->y >= frame->y + frame->h   ? 1
                         : plate->y + plate->h <= frame->y ? -1
                                                           : 0;
      if (right != cases[i].right || below != cases[i].below)
        g_error ("case %u: the words are %d to the right and %d below the frame, not %d and %d", i, right,
                 below, cases[i].right, cases[i].below);
      if (fabsf (right > 0 ? plate->x - frame->x - frame->w : frame->x - plate->x - plate->w) < 9.5f)
        g_error ("case %u: the words touch the frame", i);
      g_assert_cmpuint (plate->ink, ==, LS_INK_TEXT);
      if (sign->ink != LS_INK_ON_TEXT || words->ink != LS_INK_ON_TEXT)
        g_error ("the sign or the words are drawn in the plate’s own ink");
      if (sign->x < plate->x || sign->x + sign->w > words->x
          || ls_item_right (words) > (double) (plate->x + plate->w) || sign->y < plate->y
          || sign->y + sign->h > plate->y + plate->h || words->y < plate->y || words->y > plate->y + plate->h)
        g_error ("the sign and the words aren’t on their plate one beside the other");
    }

  /* where there is no room for words, the frame is there without them */
  g_autoptr (LsViewData) data = NULL;
  g_autoptr (LsLayout) layout = any_layout (&data);
  ls_scene_clear (layout->moving);
  ls_stage_difference (layout, (LsArea){ 100, 100, 60, 40 }, (LsArea){ 110, 110, 2, 2 }, TRUE);
  g_assert_cmpuint (layout->moving->items->len, ==, 1);
  g_assert_cmpuint (ls_scene_get (layout->moving, 0)->kind, ==, LS_ITEM_FRAME);
}

/* What changed when a setting did was measured: it has that mark, at the height of its first line, and goes
 * on below it. */
static void
test_change (void)
{
  g_autoptr (LsViewData) data = NULL;
  g_autoptr (LsLayout) layout = any_layout (&data);
  LsScene *s = layout->still;
  const double px = layout->m.label.px;

  for (guint narrow = 0; narrow < 2; narrow++)
    {
      const LsItem *mark = NULL, *first = NULL, *last = NULL;

      ls_scene_clear (s);
      const double end = ls_stage_change (layout, 40, 300, narrow ? 220 : 1200,
                                          "tiled → packed: 1.4 times as fast, from 20 k to 28 k samples/s",
                                          NULL);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          mark = item->kind == LS_ITEM_EVIDENCE ? item : mark;
          first = item->kind == LS_ITEM_TEXT && first == NULL ? item : first;
          last = item->kind == LS_ITEM_TEXT ? item : last;
          if (item->kind == LS_ITEM_TEXT
              && ((double) item->x < 40 + layout->m.evidence
                  || ls_item_right (item) > 40 + (narrow ? 220 : 1200)))
            g_error ("“%s” is from %g to %g", item->text, (double) item->x, ls_item_right (item));
        }
      if (mark == NULL || first == NULL)
        g_error ("a change has no mark, or no words");
      if ((LsEvidence) mark->value != LS_EVIDENCE_MEASURED)
        g_error ("a change that was measured has the mark of evidence %d", (gint) mark->value);
      if (fabsf (mark->x - 40) > .1f
          || fabs ((double) (mark->y + mark->h / 2) - ((double) first->y - .36 * px)) > 1)
        g_error ("the mark is at %g, %g, the first line at %g", (double) mark->x, (double) mark->y,
                 (double) first->y);
      if ((first != last) != (narrow == 1) || end < (double) last->y - .5)
        g_error ("%s it ends at %g, with its last line at %g", narrow ? "in a column" : "in a wide place",
                 end, (double) last->y);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/difference-frame/frame", test_frame);
  g_test_add_func ("/paint/difference-frame/change", test_change);
  return g_test_run ();
}
