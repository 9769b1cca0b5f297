/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function per kind of mark; what they draw is what the views draw, small.
 */
#include "ui/paint/parts/help_mark.h"

#define W LS_HELP_MARK_W
#define H LS_HELP_MARK_H

static void
blocks (LsScene *s, LsInk left, double left_value, LsInk right, double right_value)
{
  ls_scene_box (s, 0, 2, W / 2. - 1, H - 4, left, left_value);
  ls_scene_box (s, W / 2. + 1, 2, W / 2. - 1, H - 4, right, right_value);
}

static void
playhead (LsScene *s)
{
  LsItem *line;

  ls_scene_box (s, 0, 2, W / 2., H - 4, LS_INK_MARK, 0);
  ls_scene_box (s, W / 2., 2, W / 2., H - 4, LS_INK_SOFT, 0);
  line = ls_scene_segment (s, W / 2., 0, W / 2., H, LS_INK_TEXT, 2);
  line->strong = TRUE;
}

static void
taken (LsScene *s)
{
  ls_scene_box (s, 8, 1, H - 2, H - 2, LS_INK_WORKER, 0);
  ls_scene_path (s, LS_ITEM_AREA, LS_INK_WORKER, 1, 0);
  ls_scene_point (s, 8 + H - 9, 1);
  ls_scene_point (s, 8 + H - 2, 1);
  ls_scene_point (s, 8 + H - 2, 8);
}

static void
folded (LsScene *s)
{
  ls_scene_box (s, 0, 1, W, H - 2, LS_INK_ORDER, .5);
  ls_scene_mark (s, LS_ITEM_ZIGZAG, 0, H - 5, W, 4, LS_INK_VIEW, 0);
}

static void
curve (LsScene *s)
{
  static const double y[] = { 3, 8, 7, 11, 12, 14 };

  ls_scene_path (s, LS_ITEM_AREA, LS_INK_SOFT, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (y); i++)
    ls_scene_point (s, i * W / 5., y[i] - 3);
  for (guint i = G_N_ELEMENTS (y); i > 0; i--)
    ls_scene_point (s, (i - 1) * W / 5., y[i - 1] + 3);
  ls_scene_path (s, LS_ITEM_LINE, LS_INK_MARK, 0, 2);
  for (guint i = 0; i < G_N_ELEMENTS (y); i++)
    ls_scene_point (s, i * W / 5., y[i]);
}

static void
amounts (LsScene *s)
{
  for (guint i = 0; i < 4; i++)
    ls_scene_box (s, i * W / 4., 2, W / 4. - 1, H - 4, LS_INK_AMOUNT, i / 3.);
}

void
ls_scene_help_mark (LsScene *s, LsHelpMark mark)
{
  switch (mark)
    {
    case LS_HELP_CPU:
      ls_scene_box (s, 0, 2, W, H - 4, LS_INK_MARK, 0);
      break;
    case LS_HELP_OPENCL:
      ls_scene_box (s, 0, 2, W, H - 4, LS_INK_MARK, 1);
      break;
    case LS_HELP_BOTH:
      blocks (s, LS_INK_MARK, 0, LS_INK_MARK, 1);
      break;
    case LS_HELP_TO_COME:
      blocks (s, LS_INK_SOFT, 0, LS_INK_SOFT, 1);
      break;
    case LS_HELP_GAP:
      ls_scene_box (s, 0, 2, W, H - 4, LS_INK_TRACK, 0);
      break;
    case LS_HELP_PLAYHEAD:
      playhead (s);
      break;
    case LS_HELP_TILE:
      blocks (s, LS_INK_WORKER, 0, LS_INK_WORKER, 1);
      break;
    case LS_HELP_TAKEN:
      taken (s);
      break;
    case LS_HELP_ORDER:
      ls_scene_mark (s, LS_ITEM_RAMP, 0, 2, W, H - 4, LS_INK_NONE, 0);
      break;
    case LS_HELP_WAIT:
      ls_scene_mark (s, LS_ITEM_WAIT, 1, 3, W - 2, H - 6, LS_INK_QUIET, 0);
      break;
    case LS_HELP_FOLDED:
      folded (s);
      break;
    case LS_HELP_PICKED:
      ls_scene_box (s, 9, 2, H - 4, H - 4, LS_INK_TRACK, 0);
      ls_scene_mark (s, LS_ITEM_FRAME, 9, 2, H - 4, H - 4, LS_INK_TEXT, 0);
      break;
    case LS_HELP_SIGNED:
      ls_scene_mark (s, LS_ITEM_RAMP, 0, 2, W, H - 4, LS_INK_SIGN, 0);
      break;
    case LS_HELP_AMOUNT:
      amounts (s);
      break;
    case LS_HELP_MEASURED:
    case LS_HELP_DERIVED:
    case LS_HELP_MODELLED:
    case LS_HELP_PUBLISHED:
      ls_scene_evidence (s, (W - 14) / 2., (H - 14) / 2., 14, (LsEvidence) (mark - LS_HELP_MEASURED),
                         LS_INK_TEXT);
      break;
    case LS_HELP_CURVE:
      curve (s);
      break;
    case LS_HELP_DOT:
      ls_scene_path (s, LS_ITEM_DOTS, LS_INK_MARK, 1, 7);
      ls_scene_point (s, W / 2., H / 2.);
      break;
    case LS_HELP_NONE:
    case LS_HELP_MARK_N:
      break;
    }
}
