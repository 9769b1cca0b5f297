/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The palettes and the widths of lines. Every pair of worker colours is at least 0.075 apart in OKLab, for
 * the three kinds of colour blindness too; text reaches 4.5:1 and lane marks 3:1
 * (tests/paint/scene/test-style.c counts it all).
 */
#include "ui/paint/scene/style.h"

#include <string.h>

/* clang-format off */
#define LIGHT_WORKERS { LS_RGB (0x793064), LS_RGB (0x1FA28F), LS_RGB (0x366641), LS_RGB (0xC993D5), \
                        LS_RGB (0x6E61B7), LS_RGB (0xBFC160), LS_RGB (0x917E2F), LS_RGB (0xA4DFE2) }
#define LIGHT_ORDER   { LS_RGB (0xFCEBDD), LS_RGB (0xE88A47), LS_RGB (0x7A2E00) }
#define LIGHT_SIGN    { LS_RGB (0x824597), LS_RGB (0xF5F4F2), LS_RGB (0x0A6C49) }
#define LIGHT_FASTER  { LS_RGB (0x0B5E92), LS_RGB (0x8FC1DF), LS_RGB (0xF4F4F2), LS_RGB (0xF3AC76), \
                        LS_RGB (0xA04000) }
#define LIGHT_AMOUNT  { LS_RGB (0xEEF0F1), LS_RGB (0x1E2022) }
/* Lanes 3 to 8: greys, told apart by the patterns of their lines and by their names. */
#define LIGHT_NEUTRAL(mark) { LS_RGB (mark), LS_RGB (0x2F3437), LS_RGB (0xD9DDE0) }
#define LIGHT_NEUTRALS LIGHT_NEUTRAL (0x2F3437), LIGHT_NEUTRAL (0x6E757A), LIGHT_NEUTRAL (0x868C91), \
                       LIGHT_NEUTRAL (0x4C5256), LIGHT_NEUTRAL (0x787F84), LIGHT_NEUTRAL (0x5D6367)
#define DARK_NEUTRAL(mark) { LS_RGB (mark), LS_RGB (0xD5D8DA), LS_RGB (0x43474A) }
#define DARK_NEUTRALS DARK_NEUTRAL (0xBFC3C6), DARK_NEUTRAL (0x8E9498), DARK_NEUTRAL (0xA6ABAF), \
                      DARK_NEUTRAL (0x787E82), DARK_NEUTRAL (0xB2B7BA), DARK_NEUTRAL (0x9AA0A4)
/* clang-format on */

static const LsPalette light = {
  .window = LS_RGB (0xFAFAFA),
  .view = LS_RGB (0xFFFFFF),
  .header = LS_RGB (0xEFEFEF),
  .sidebar = LS_RGB (0xF4F4F4),
  .card = LS_RGB (0xFFFFFF),
  .text = LS_RGB (0x1E2022),
  .quiet = LS_RGB (0x5A5F63),
  .amber = LS_RGB (0x855700),
  .hairline = LS_RGB (0xE4E6E8),
  .edge = LS_RGB (0xD5D8DA),
  .track = LS_RGB (0xECEEEF),
  .chosen = LS_RGB (0xE3E5E7),
  .lanes = { { LS_RGB (0x0072B2), LS_RGB (0x005A8F), LS_RGB (0xBFDDEE) },
             { LS_RGB (0xD55E00), LS_RGB (0xA84300), LS_RGB (0xF8D3B5) },
             LIGHT_NEUTRALS },
  .workers = LIGHT_WORKERS,
  .order = LIGHT_ORDER,
  .sign = LIGHT_SIGN,
  .faster = LIGHT_FASTER,
  .amount = LIGHT_AMOUNT,
};

static const LsPalette dark = {
  .window = LS_RGB (0x242424),
  .view = LS_RGB (0x1E1E1E),
  .header = LS_RGB (0x303030),
  .sidebar = LS_RGB (0x2A2A2A),
  .card = LS_RGB (0x2E2E2E),
  .text = LS_RGB (0xF2F2F0),
  .quiet = LS_RGB (0xB4B7B9),
  .amber = LS_RGB (0xE0B83C),
  .hairline = LS_RGB (0x3A3C3E),
  .edge = LS_RGB (0x4A4D50),
  .track = LS_RGB (0x343638),
  .chosen = LS_RGB (0x3F4143),
  .lanes = { { LS_RGB (0x4BA6E0), LS_RGB (0x7CC0EC), LS_RGB (0x1F4158) },
             { LS_RGB (0xF0813A), LS_RGB (0xF8A56E), LS_RGB (0x5A3218) },
             DARK_NEUTRALS },
  .workers = { LS_RGB (0x9F4D87), LS_RGB (0x61A892), LS_RGB (0x7B7A1F), LS_RGB (0xC797CA), LS_RGB (0x7E7AC2),
               LS_RGB (0xA7BC77), LS_RGB (0xA18D49), LS_RGB (0x7BD1B6) },
  .order = { LS_RGB (0x4A2A14), LS_RGB (0xD9702A), LS_RGB (0xF0B98C) },
  .sign = { LS_RGB (0xCB90E0), LS_RGB (0x2E2E2E), LS_RGB (0x5AB78D) },
  .faster = { LS_RGB (0x4BA6E0), LS_RGB (0x3D6B87), LS_RGB (0x2E2E2E), LS_RGB (0x8F5835), LS_RGB (0xF0813A) },
  .amount = { LS_RGB (0x343638), LS_RGB (0xF2F2F0) },
};

static const LsPalette print = {
  .window = LS_RGB (0xFFFFFF),
  .view = LS_RGB (0xFFFFFF),
  .header = LS_RGB (0xFFFFFF),
  .sidebar = LS_RGB (0xFFFFFF),
  .card = LS_RGB (0xFFFFFF),
  .text = LS_RGB (0x000000),
  .quiet = LS_RGB (0x444444),
  .amber = LS_RGB (0x5C4500),
  .hairline = LS_RGB (0xCCCCCC),
  .edge = LS_RGB (0xCCCCCC),
  .track = LS_RGB (0xECEEEF),
  .chosen = LS_RGB (0xE3E5E7),
  .lanes = { { LS_RGB (0x004B79), LS_RGB (0x000000), LS_RGB (0xCFE3F0) },
             { LS_RGB (0xD9711F), LS_RGB (0x000000), LS_RGB (0xFBE3CF) },
             LIGHT_NEUTRALS },
  .workers = LIGHT_WORKERS,
  .order = LIGHT_ORDER,
  .sign = LIGHT_SIGN,
  .faster = LIGHT_FASTER,
  .amount = LIGHT_AMOUNT,
};

/* As light, on white: beamers swallow the window's grey. */
static const LsPalette projector = {
  .window = LS_RGB (0xFFFFFF),
  .view = LS_RGB (0xFFFFFF),
  .header = LS_RGB (0xF4F4F4),
  .sidebar = LS_RGB (0xF4F4F4),
  .card = LS_RGB (0xFFFFFF),
  .text = LS_RGB (0x1E2022),
  .quiet = LS_RGB (0x5A5F63),
  .amber = LS_RGB (0x855700),
  .hairline = LS_RGB (0xE4E6E8),
  .edge = LS_RGB (0xD5D8DA),
  .track = LS_RGB (0xECEEEF),
  .chosen = LS_RGB (0xE3E5E7),
  .lanes = { { LS_RGB (0x0072B2), LS_RGB (0x005A8F), LS_RGB (0xBFDDEE) },
             { LS_RGB (0xD55E00), LS_RGB (0xA84300), LS_RGB (0xF8D3B5) },
             LIGHT_NEUTRALS },
  .workers = LIGHT_WORKERS,
  .order = LIGHT_ORDER,
  .sign = LIGHT_SIGN,
  .faster = LIGHT_FASTER,
  .amount = LIGHT_AMOUNT,
};

static const struct {
  const char *name;
  const LsPalette *palette;
  double hairline, edge, data, underlay, picked;
} looks[] = {
  [LS_LOOK_LIGHT] = { "light", &light, 1, 1.5, 2, 6, 3 },
  [LS_LOOK_DARK] = { "dark", &dark, 1, 1.5, 2, 6, 3 },
  [LS_LOOK_PRINT] = { "print", &print, .7, 1.3, 2.6, 6, 3 },
  [LS_LOOK_PROJECTOR] = { "projector", &projector, 2, 3, 5, 9, 7 },
};

void
ls_style_init (LsStyle *style, LsLook look, double text_scale)
{
  *style = (LsStyle){ .look = look,
                      .palette = looks[look].palette,
                      .text_scale = CLAMP (text_scale, 0.75, 3),
                      .hairline = looks[look].hairline,
                      .edge = looks[look].edge,
                      .data = looks[look].data,
                      .underlay = looks[look].underlay,
                      .picked = looks[look].picked,
                      .dashed = look == LS_LOOK_PRINT,
                      .stands = { 0, 1 } };
}

gboolean
ls_style_equal (const LsStyle *a, const LsStyle *b)
{
  return a->look == b->look && a->palette == b->palette && a->text_scale == b->text_scale
         && a->hairline == b->hairline && a->edge == b->edge && a->data == b->data
         && a->underlay == b->underlay && a->picked == b->picked && a->dashed == b->dashed
         && a->contrast == b->contrast && memcmp (a->stands, b->stands, sizeof a->stands) == 0;
}

const char *
ls_look_name (LsLook look)
{
  return (guint) look < LS_LOOK_N ? looks[look].name : NULL;
}

gboolean
ls_look_find (const char *name, LsLook *look)
{
  for (guint i = 0; i < LS_LOOK_N; i++)
    if (strcmp (looks[i].name, name) == 0)
      {
        *look = (LsLook) i;
        return TRUE;
      }
  return FALSE;
}

void
ls_style_set_contrast (LsStyle *style, gboolean contrast)
{
  style->contrast = contrast;
  style->hairline = looks[style->look].hairline * (contrast ? 1.5 : 1);
  style->edge = looks[style->look].edge * (contrast ? 1.6 : 1);
  style->data = looks[style->look].data * (contrast ? 1.4 : 1);
}

/* What the same ink is where nothing may be quiet. */
static LsInk
stronger (LsInk ink)
{
  switch (ink)
    {
    case LS_INK_QUIET:
      return LS_INK_TEXT;
    case LS_INK_HAIRLINE:
      return LS_INK_EDGE;
    case LS_INK_EDGE:
      return LS_INK_QUIET;
    default:
      return ink;
    }
}

guint
ls_style_lane_ink (const LsStyle *style, double value)
{
  const guint of = (guint) value;

  return (of < LS_SIDES ? style->stands[of] : of - LS_SIDES) % LS_LANE_INKS;
}

static LsColor
plain_color (const LsStyle *style, LsInk ink, double value)
{
  const LsPalette *p = style->palette;

  switch (ink)
    {
    case LS_INK_QUIET:
      return p->quiet;
    case LS_INK_HAIRLINE:
      return p->hairline;
    case LS_INK_EDGE:
      return p->edge;
    case LS_INK_TRACK:
      return p->track;
    case LS_INK_CHOSEN:
      return p->chosen;
    case LS_INK_WINDOW:
      return p->window;
    case LS_INK_VIEW:
      return p->view;
    case LS_INK_HEADER:
      return p->header;
    case LS_INK_SIDEBAR:
      return p->sidebar;
    case LS_INK_CARD:
      return p->card;
    case LS_INK_MARK:
      return p->lanes[ls_style_lane_ink (style, value)].mark;
    case LS_INK_LANE:
      return p->lanes[ls_style_lane_ink (style, value)].ink;
    case LS_INK_SOFT:
      return p->lanes[ls_style_lane_ink (style, value)].soft;
    case LS_INK_WORKER:
      return p->workers[(guint) value % LS_WORKER_COLORS];
    case LS_INK_ORDER:
      return ls_color_ramp (p->order, G_N_ELEMENTS (p->order), value);
    case LS_INK_SIGN:
      return ls_color_ramp (p->sign, G_N_ELEMENTS (p->sign), (value + 1) / 2);
    case LS_INK_ON_WORKER:
      return ls_color_on (p->workers[(guint) value % LS_WORKER_COLORS]);
    case LS_INK_ON_ORDER:
      return ls_color_on (ls_color_ramp (p->order, G_N_ELEMENTS (p->order), value));
    case LS_INK_ON_MARK:
      return ls_color_on (p->lanes[ls_style_lane_ink (style, value)].mark);
    case LS_INK_ON_SOFT:
      return ls_color_on (p->lanes[ls_style_lane_ink (style, value)].soft);
    case LS_INK_AMBER:
      return style->contrast ? p->text : p->amber;
    case LS_INK_ON_TEXT:
      return ls_color_on (p->text);
    case LS_INK_AMOUNT:
      return ls_color_ramp (p->amount, G_N_ELEMENTS (p->amount), value);
    case LS_INK_ON_AMOUNT:
      return ls_color_on (ls_color_ramp (p->amount, G_N_ELEMENTS (p->amount), value));
    case LS_INK_ON_SIGN:
      return ls_color_on (ls_color_ramp (p->sign, G_N_ELEMENTS (p->sign), (value + 1) / 2));
    case LS_INK_FASTER:
      return ls_color_ramp (p->faster, G_N_ELEMENTS (p->faster), value);
    case LS_INK_ON_FASTER:
      return ls_color_on (ls_color_ramp (p->faster, G_N_ELEMENTS (p->faster), value));
    case LS_INK_NONE:
    case LS_INK_TEXT:
    case LS_INK_N:
      break;
    }
  return p->text;
}

LsColor
ls_style_color (const LsStyle *style, LsInk ink, double value)
{
  const LsColor color = plain_color (style, style->contrast ? stronger (ink) : ink, value);

  /* a third of the way to the text's colour, which is as far from the ground as it gets */
  if (style->contrast && (ink == LS_INK_MARK || ink == LS_INK_LANE || ink == LS_INK_TRACK))
    return ls_color_mix (color, style->palette->text, ink == LS_INK_TRACK ? .12 : .33);
  return color;
}

gboolean
ls_style_edge (const LsStyle *style, LsColor fill, LsColor *edge)
{
  if (style->look == LS_LOOK_PRINT)
    *edge = style->palette->text;
  else
    *edge = ls_color_mix (fill, style->palette->text, .48);
  return style->look == LS_LOOK_PRINT || style->contrast
         || ls_color_contrast (fill, style->palette->view) < 3;
}
