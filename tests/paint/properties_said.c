/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words: that they are true; and that all of it has its place.
 */
#include "properties.h"
#include "said.h"
#include "ui/paint/views.h"

#include <string.h>

static char *
texts_have_room (const LsPicture *p)
{
  return ls_layout_fault (p->layout);
}

/* The lane that is called faster is; and where none is, the middle halves overlap. */
static char *
winner_is_true (const LsPicture *p)
{
  const LsLaneTruth *a = &p->truth->lanes[0], *b = &p->truth->lanes[1];

  for (guint i = 0; i < p->claims->len; i++)
    {
      const LsStated *c = ls_picture_claim (p, i);
      const char *at = c->text;
      const gboolean none = strstr (c->text, "no clear winner") != NULL
                            || strstr (c->text, "middle halves overlap") != NULL;

      if (!ls_names_winner (c))
        continue;
      if (none != p->truth->overlap || (strstr (c->text, "middle halves apart") != NULL && p->truth->overlap))
        return g_strdup_printf ("“%s” is said, but the middle halves %s: CPU %g to %g, OpenCL %g to %g",
                                c->text, p->truth->overlap ? "overlap" : "are apart", a->q1, a->q3, b->q1,
                                b->q3);
      if (!none && ls_stated_lane (&at) != p->truth->faster)
        return g_strdup_printf ("“%s” is said, but CPU does %g samples/s and OpenCL %g", c->text, a->rate,
                                b->rate);
    }
  return NULL;
}

/* The columns may name another winner than the heads only if that is said. */
static char *
columns_agree_with_heads (const LsPicture *p)
{
  const LsStepIndex *a = p->s->data->sides[0].index, *b = p->s->data->sides[1].index;
  gboolean drawn[LS_SIDES] = { FALSE, FALSE }, named = FALSE, otherwise = FALSE;

  if (p->layout->view != &ls_view_race || a == NULL || b == NULL || p->truth->faster < 0)
    return NULL;
  for (guint i = 0; i < p->claims->len; i++)
    {
      const LsStated *c = ls_picture_claim (p, i);
      otherwise |= strstr (c->text, "the other way round") != NULL;
      named |= ls_names_winner (c) && strstr (c->text, "no clear winner") == NULL;
      if (c->number == LS_NUMBER_STEP_TIME && c->side >= 0)
        drawn[c->side] = TRUE;
    }
  if (named && drawn[0] && drawn[1] && a->length_ns != b->length_ns
      && (a->length_ns < b->length_ns) != (p->truth->faster == 0) && !otherwise)
    return g_strdup_printf (
      "%s is called faster, the columns show %g ns on CPU and %g on OpenCL, and no sentence says so",
      ls_side_name ((guint) p->truth->faster), (double) a->length_ns, (double) b->length_ns);
  return NULL;
}

/* In words, or by the triangle in the heads where there is no room for them. */
static gboolean
warns (const LsLayout *layout)
{
  gboolean warning = find_text_in (layout, "First different") != NULL;

  for (guint i = 0; i < layout->still->items->len; i++)
    warning |= ls_scene_get (layout->still, i)->kind == LS_ITEM_WARNING;
  return warning;
}

/* What is said of the lanes' results; of one sample the network's view says more. */
static char *
agreement_is_true (const LsPicture *p)
{
  const LsTruth *t = p->truth;
  const gboolean differ = t->losses_differ > 0 || t->delta_weights > 0;

  if (p->layout->view != &ls_view_network && find_text_in (p->layout, "bit for bit") != NULL && differ)
    return g_strdup_printf ("“bit for bit” is said, but the losses of %" G_GUINT64_FORMAT
                            " steps differ, and weights by %g",
                            t->losses_differ, t->delta_weights);
  if ((find_text_in (p->layout, "agree") != NULL && find_text_in (p->layout, "in tolerance") != NULL)
      && (t->disagree || t->beyond))
    return g_strdup_printf ("the lanes are said to agree, but their losses differ by %g", t->delta_loss);
  if (find_text_in (p->layout, "disagree") != NULL && !t->disagree)
    return g_strdup_printf ("the lanes are said to disagree, but their losses differ by %g at most",
                            t->delta_loss);
  if (t->disagree && !warns (p->layout))
    return g_strdup ("the lanes do different work, and nothing says so");
  return NULL;
}

/* What is hatched is modelled: no mark of measured work lies in it, and nothing there is called measured. */
static char *
hatched_is_not_measured (const LsPicture *p)
{
  const LsScene *scene = p->layout->still;

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *hatch = ls_scene_get (scene, i);
      if (hatch->kind != LS_ITEM_HATCH || hatch->alpha < .9f)
        continue;
      for (guint k = 0; k < scene->items->len; k++)
        {
          const LsItem *item = ls_scene_get (scene, k);
          double x, y, w, h;
          ls_item_bounds (scene, item, &x, &y, &w, &h);
          if (x + w / 2 < (double) hatch->x || x + w / 2 > (double) (hatch->x + hatch->w)
              || y + h / 2 < (double) hatch->y || y + h / 2 > (double) (hatch->y + hatch->h))
            continue;
          if (item->kind == LS_ITEM_TILE || item->kind == LS_ITEM_BAR
              || (item->kind == LS_ITEM_EVIDENCE && item->evidence == LS_EVIDENCE_MEASURED))
            return g_strdup_printf (
              "in the hatched area at %.0f, %.0f a mark of kind %u says that it is measured",
              (double) hatch->x, (double) hatch->y, item->kind);
          if (item->kind == LS_ITEM_TEXT && strstr (item->text, "measured") != NULL
              && strstr (item->text, "not measured") == NULL)
            return g_strdup_printf ("“%s” stands in the hatched area at %.0f, %.0f", item->text,
                                    (double) hatch->x, (double) hatch->y);
        }
    }
  return NULL;
}

/* What a mark's shape says of how it is known is what the key fades it by: solid is measured, rings and
 * hollow boxes are derived, hatching is modelled, dotted edges are published; and no dot, line of a tile or
 * image of data is without. */
static char *
shapes_say_evidence (const LsPicture *p)
{
  static const struct {
    LsItemKind kind;
    guint8 evidence; /* LS_NO_VALUE: any, but there is one */
  } shapes[] = {
    { LS_ITEM_TILE, LS_EVIDENCE_MEASURED },  { LS_ITEM_BAR, LS_EVIDENCE_MEASURED },
    { LS_ITEM_WAIT, LS_EVIDENCE_MEASURED },  { LS_ITEM_HOLLOW, LS_EVIDENCE_DERIVED },
    { LS_ITEM_HATCH, LS_EVIDENCE_MODELLED }, { LS_ITEM_DOTTED, LS_EVIDENCE_PUBLISHED },
    { LS_ITEM_RINGS, LS_EVIDENCE_DERIVED },  { LS_ITEM_DOTS, LS_NO_VALUE },
    { LS_ITEM_IMAGE, LS_NO_VALUE },
  };

  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? p->layout->still : p->layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
          {
            const LsItem *item = ls_scene_get (scene, i);
            double x, y, w, h;
            if (item->kind != shapes[s].kind
                || (k == 1 && (item->kind == LS_ITEM_DOTS || item->ink == LS_INK_TEXT)) /* what is picked */
                || (shapes[s].evidence == LS_NO_VALUE ? item->evidence != LS_NO_VALUE
                                                      : item->evidence == shapes[s].evidence))
              continue;
            ls_item_bounds (scene, item, &x, &y, &w, &h);
            return g_strdup_printf (
              "a mark of kind %u at %.0f, %.0f fades as if it were known by %u, not by %u", item->kind, x, y,
              item->evidence, shapes[s].evidence);
          }
    }
  return NULL;
}

/* "CPU is 1.16 times as fast": up to `end` of the description, the last lane that is named. */
static char *
named_in (const LsPicture *p, const char *end)
{
  g_autofree char *before = g_strndup (p->description, (gsize) (end - p->description));
  const char *sentence = g_strrstr (before, ". "), *at = sentence != NULL ? sentence : before;
  const char *from = at;

  /* the ratio has a point of its own, but no space behind it */
  if (ls_stated_lane (&at) == p->truth->faster)
    return NULL;
  return g_strdup_printf ("the description says “%s …”, but CPU does %g samples/s and OpenCL %g", from,
                          p->truth->lanes[0].rate, p->truth->lanes[1].rate);
}

/* What a screen reader says of the lanes' rates, and of who is faster, is what the heads say. */
static char *
description_is_the_same (const LsPicture *p)
{
  const char *at = strstr (p->description, "times as fast"),
             *none = strstr (p->description, "no clear winner");

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &p->s->data->sides[side];
      const LsLaneTruth *truth = &p->truth->lanes[side];
      g_autofree char *start = lane->device != NULL && lane->device[0]
                                 ? g_strdup_printf (" %s, %s: ", lane->name, lane->device)
                                 : g_strdup_printf (" %s: ", lane->name);
      const char *said = strstr (p->description, start);
      LsStated claim;

      if (!lane->there)
        continue;
      if (said == NULL)
        return g_strdup_printf ("the description doesn’t tell of “%s”", start);
      said += strlen (start);
      if (!g_ascii_isdigit (*said) || !ls_stated_number (&said, &claim.low, &claim.high)
          || !g_str_has_prefix (said, " samples per second"))
        {
          if (truth->stands)
            return g_strdup_printf ("the description doesn’t tell the rate of %s, %g samples/s",
                                    ls_side_name (side), truth->rate);
          continue;
        }
      if (!truth->stands)
        return g_strdup_printf ("the description tells a rate of %s from %" G_GUINT64_FORMAT " steps",
                                ls_side_name (side), truth->n);
      if (!ls_stated_is (truth->rate, &claim))
        return g_strdup_printf ("the description says that %s does %g samples/s; its steps give %g",
                                ls_side_name (side), (claim.low + claim.high) / 2, truth->rate);
    }
  if ((at != NULL || none != NULL) && !p->truth->ratio)
    return g_strdup ("the description names a winner, or none, from too few steps");
  if (at != NULL && p->truth->overlap)
    return g_strdup ("the description names a winner, but the middle halves overlap");
  if (none != NULL && !p->truth->overlap)
    return g_strdup ("the description knows no winner, but the middle halves are apart");
  return at != NULL ? named_in (p, at) : NULL;
}

/* The largest difference of elements is max |Δ|; nothing else is written with that sign alone. */
static char *
differences_are_named (const LsPicture *p)
{
  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? p->layout->still : p->layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        {
          const char *text = ls_scene_get (scene, i)->text, *at = text != NULL ? strstr (text, "|Δ|") : NULL;
          if (at != NULL && !g_str_has_prefix (at, "|Δ| of ")
              && (at < text + 4 || !g_str_has_prefix (at - 4, "max ")))
            return g_strdup_printf ("“%s” doesn’t say which difference it is", text);
        }
    }
  return NULL;
}

/* A rate that stands is not said to be missing. Heads are left and right of the middle; Timeline's are one
 * below the other, and are looked at where both rates stand. */
static char *
absence_is_true (const LsPicture *p)
{
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const guint side = (double) item->x < p->layout->width / 2 ? 0 : 1;
      const gboolean stands = p->truth->lanes[side].stands
                              && (p->layout->view != &ls_view_timeline || p->truth->lanes[1 - side].stands);

      if (item->kind == LS_ITEM_TEXT && strstr (item->text, "not measured") != NULL
          && strstr (item->text, "accuracy") == NULL && !ls_line_of_change (p, item->text)
          && (double) item->y < p->layout->height / 2 && p->layout->plots->len == 0 && stands)
        return g_strdup_printf ("“%s” is said of %s, whose rate stands on %" G_GUINT64_FORMAT " steps",
                                item->text, ls_side_name (side), p->truth->lanes[side].n);
    }
  return NULL;
}

/* While a compiler works beside a lane, its head says so, and not only that there is no rate. */
static char *
compilers_are_told (const LsPicture *p)
{
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const guint side = (double) item->x < p->layout->width / 2 ? 0 : 1;
      const LsViewLane *lane = &p->s->data->sides[side];

      if (item->kind == LS_ITEM_TEXT
          && (strstr (item->text, "more step") != NULL || strcmp (item->text, "not measured yet") == 0)
          && strcmp (p->layout->view->name, "timeline") != 0 /* its heads are one above the other */
          && (double) item->y < p->layout->height / 2 && p->layout->plots->len == 0 && lane->steps > 0
          && !ls_line_of_change (p, item->text)
          && (ls_view_lane_point (lane, lane->steps - 1).flags & LS_POINT_DISTURBED) != 0)
        return g_strdup_printf ("“%s” is said of %s, beside which a compiler works", item->text,
                                ls_side_name (side));
    }
  return NULL;
}

/* A text that begins on a plate ends on it, and stands on it as a whole. */
static char *
texts_stay_on_plates (const LsPicture *p)
{
  for (guint k = 0; k < 2; k++)
    {
      const LsScene *scene = k == 0 ? p->layout->still : p->layout->moving;
      const LsItem *plate = NULL;

      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          double x, y, w, h;

          if (item->kind == LS_ITEM_BOX && item->size > 2 && item->h > 14)
            plate = item;
          if (item->kind != LS_ITEM_TEXT || plate == NULL)
            continue;
          ls_item_bounds (scene, item, &x, &y, &w, &h);
          const double right = (double) (plate->x + plate->w), bottom = (double) (plate->y + plate->h),
                       slack = .75;
          const gboolean begins = x >= (double) plate->x && x < right && y + h / 2 > (double) plate->y
                                  && y + h / 2 < bottom;
          const gboolean stays = x + w <= right + slack && y >= (double) plate->y - slack
                                 && y + h <= bottom + slack;
          if (begins && !stays)
            return g_strdup_printf ("“%s” at %.0f, %.0f, %.0f×%.0f leaves its plate at %.0f, %.0f, %.0f×%.0f",
                                    item->text, x, y, w, h, (double) plate->x, (double) plate->y,
                                    (double) plate->w, (double) plate->h);
        }
    }
  return NULL;
}

/* The number before it is one, and no part of a longer one or of a range; whether its word is for many, and
 * the other way round. Units of measurement have no plural. */
static char *
find_wrong_number (const char *text)
{
  static const char *const wrong[] = {
    "(?:^|\n|\\(|[,;.·] | of | in )1 (?!this|less|plus|does|has|was)[a-z]{2,}(?<![sui])s\\b",
    "(?<![.,])\\b(?:[02-9]|[1-9]\\d+) "
    "(?:tile|row|column|group|worker|step|sample|layer|unit|lane|part|barrier|"
    "epoch|thread|op|answer|run|map|filter|span|weight|month|card)\\b(?! of|-)",
  };

  static GRegex *patterns[G_N_ELEMENTS (wrong)];

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GMatchInfo) match = NULL;

      if (patterns[i] == NULL)
        patterns[i] = g_regex_new (wrong[i], G_REGEX_OPTIMIZE, 0, NULL);
      g_assert_nonnull (patterns[i]);
      if (g_regex_match (patterns[i], text, 0, &match))
        return g_match_info_fetch (match, 0);
    }
  return NULL;
}

static char *
words_have_their_number (const LsPicture *p)
{
  g_autofree char *still = all_texts (p->layout->still, "\n"), *moving = all_texts (p->layout->moving, "\n");
  const char *const said[] = { still, moving, p->description };

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      g_autofree char *wrong = find_wrong_number (said[i]);

      if (wrong != NULL)
        return g_strdup_printf ("“%s” is said in a picture or its description", wrong);
    }
  return NULL;
}

const LsProperty ls_properties_of_words[] = {
  { "every text has its room", texts_have_room },
  { "no text leaves its plate", texts_stay_on_plates },
  { "the named winner is the faster lane", winner_is_true },
  { "heads and columns name the same lane, or say why not", columns_agree_with_heads },
  { "what is said of agreement is true", agreement_is_true },
  { "nothing hatched is called measured", hatched_is_not_measured },
  { "a mark's shape says how it is known", shapes_say_evidence },
  { "the description says the same", description_is_the_same },
  { "a difference is named", differences_are_named },
  { "what is said to be missing is missing", absence_is_true },
  { "a compiler beside a lane is told", compilers_are_told },
  { "one is one, and many are many", words_have_their_number },
  { NULL, NULL },
};
