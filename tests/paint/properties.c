/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers: that they are what the lanes' steps give.
 */
#include "properties.h"
#include "ui/paint/views.h"

#include <math.h>
#include <string.h>

const char *
ls_side_name (guint side)
{
  return side == 0 ? "CPU" : "OpenCL";
}

gboolean
ls_stated_is (double value, const LsStated *claim)
{
  /* a value that ends in a five may be rounded either way, and floats have seven figures */
  return value >= claim->low - 1e-6 * fabs (value) && value <= claim->high + 1e-6 * fabs (value);
}

gboolean
ls_names_winner (const LsStated *claim)
{
  return (claim->number == LS_NUMBER_WINNER || claim->number == LS_NUMBER_RATIO)
         && (strstr (claim->text, "is faster") != NULL || strstr (claim->text, "times as fast") != NULL
             || strstr (claim->text, "no clear winner") != NULL);
}

gboolean
ls_line_of_change (const LsPicture *p, const char *line)
{
  for (guint side = 0; side < LS_SIDES; side++)
    if (p->s->data->sides[side].change.words != NULL
        && strstr (p->s->data->sides[side].change.words, line) != NULL)
      return TRUE;
  return FALSE;
}

/* A rate, an accuracy or a ratio is the one that the lanes' steps give. */
static char *
numbers_are_true (const LsPicture *p)
{
  for (guint i = 0; i < p->claims->len; i++)
    {
      const LsStated *c = ls_picture_claim (p, i);
      const LsLaneTruth *lane = c->side >= 0 ? &p->truth->lanes[c->side] : NULL;
      const LsLaneTruth *a = &p->truth->lanes[0], *b = &p->truth->lanes[1];
      double value;

      if (isnan (c->low))
        continue;
      if (c->number == LS_NUMBER_RATE && lane != NULL)
        value = lane->rate;
      else if (c->number == LS_NUMBER_ACCURACY && lane != NULL && p->s->snapshot != NULL)
        value = 100 * lane->accuracy;
      else if (c->number == LS_NUMBER_RATIO)
        value = MAX (a->rate, b->rate) / MIN (a->rate, b->rate);
      else
        continue;
      if (!ls_stated_is (value, c))
        return g_strdup_printf ("“%s” is said of %s, but its steps give %g", c->text,
                                lane != NULL ? ls_side_name ((guint) c->side) : "both lanes", value);
    }
  return NULL;
}

/* A rate, a ratio or a verdict needs enough steps. */
static char *
nothing_from_a_handful (const LsPicture *p)
{
  for (guint i = 0; i < p->claims->len; i++)
    {
      const LsStated *c = ls_picture_claim (p, i);
      if (c->number == LS_NUMBER_RATE && c->side >= 0 && !isnan (c->low) && !p->truth->lanes[c->side].stands)
        return g_strdup_printf ("the rate “%s” of %s stands on %" G_GUINT64_FORMAT " steps", c->text,
                                ls_side_name ((guint) c->side), p->truth->lanes[c->side].n);
      if (((c->number == LS_NUMBER_RATIO && !isnan (c->low)) || ls_names_winner (c)) && !p->truth->ratio)
        return g_strdup_printf ("“%s” is said, but the lanes have %" G_GUINT64_FORMAT
                                " and %" G_GUINT64_FORMAT " counted steps, from %" G_GUINT64_FORMAT
                                " and %" G_GUINT64_FORMAT " on",
                                c->text, p->truth->lanes[0].n, p->truth->lanes[1].n, p->truth->lanes[0].first,
                                p->truth->lanes[1].first);
    }
  return NULL;
}

/* A rate that stands is told, in every view; for a hall Tiles shows one lane. */
static char *
what_stands_is_told (const LsPicture *p)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const gboolean alone = p->layout->view == &ls_view_tiles && p->layout->style.look == LS_LOOK_PROJECTOR;
      gboolean told = !p->truth->lanes[side].stands || !p->s->data->sides[side].there || alone;
      for (guint i = 0; i < p->claims->len; i++)
        told |= ls_picture_claim (p, i)->number == LS_NUMBER_RATE
                && ls_picture_claim (p, i)->side == (gint) side && !isnan (ls_picture_claim (p, i)->low);
      if (!told)
        return g_strdup_printf ("%s has a rate of %g samples/s, of %" G_GUINT64_FORMAT
                                " steps, and it isn’t told",
                                ls_side_name (side), p->truth->lanes[side].rate, p->truth->lanes[side].n);
    }
  return NULL;
}

/* Of a lane that has done no step nothing is measured: no number stands in its head, no mark of its work in
 * its place. */
static char *
nothing_of_absent_lanes (const LsPicture *p)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &p->s->data->sides[side];

      if (p->truth->lanes[side].ran || lane->recorded != NULL)
        continue;
      for (guint i = 0; i < p->claims->len; i++)
        if (ls_picture_claim (p, i)->side == (gint) side && !isnan (ls_picture_claim (p, i)->low))
          return g_strdup_printf ("“%s” is said of %s, which has done no step", ls_picture_claim (p, i)->text,
                                  ls_side_name (side));
      for (guint i = 0; i < p->layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p->layout->still, i);
          if (item->side == side && item->event != LS_NO_EVENT)
            return g_strdup_printf (
              "a mark of kind %u at %.0f, %.0f stands for work of %s, which has done no step", item->kind,
              (double) item->x, (double) item->y, ls_side_name (side));
        }
    }
  return NULL;
}

/* The losses in both heads are of the same step, or each says its own. */
static char *
losses_of_one_step (const LsPicture *p)
{
  const LsStated *heads[LS_SIDES] = { NULL, NULL };
  const LsTruth *t = p->truth;

  for (guint i = 0; i < p->claims->len; i++)
    {
      const LsStated *c = ls_picture_claim (p, i);
      const char *at;
      double low, high;
      guint n = 0;

      if (c->number != LS_NUMBER_LOSS || isnan (c->low))
        continue;
      if (c->side >= 0)
        {
          const LsLaneTruth *lane = &t->lanes[c->side];
          if (c->step > 0 && !ls_truth_loss_at (lane, c->step, c->low, c->high))
            return g_strdup_printf ("“%s” is said of %s at step %" G_GUINT64_FORMAT ", whose loss isn’t that",
                                    c->text, ls_side_name ((guint) c->side), c->step);
          if (c->step == 0 && !ls_truth_loss_at (lane, lane->steps, c->low, c->high)
              && !ls_truth_loss_at (lane, t->common, c->low, c->high))
            return g_strdup_printf (
              "“%s” is said of %s, but its newest step has loss %g", c->text, ls_side_name ((guint) c->side),
              lane->steps > 0 ? (double) ls_curve_get (lane->curve, lane->steps - 1).loss : (double) NAN);
          if (c->head && c->step == 0)
            heads[c->side] = c;
          continue;
        }
      /* "0.118 on both", "0.118 and 0.119", "0.851 (step 327), 1.50 (step 139)": the left one first; a dash
       * is none */
      for (at = c->text; n < 2 && !strstr (c->text, "–") && ls_stated_number (&at, &low, &high); n++)
        if (g_str_has_prefix (at, " (step "))
          {
            double from, to;
            if (ls_stated_number (&at, &from, &to)
                && !ls_truth_loss_at (&t->lanes[n], (guint64) ((from + to) / 2 + .5), low, high))
              return g_strdup_printf ("“%s”: that isn’t the loss of %s there", c->text, ls_side_name (n));
          }
        else if (t->common > 0 && p->s->data->sides[n].there
                 && !ls_truth_loss_at (&t->lanes[n], t->common, low, high))
          return g_strdup_printf (
            "“%s” is said of both lanes, but %s has loss %g at their newest common step %" G_GUINT64_FORMAT,
            c->text, ls_side_name (n), (double) ls_curve_get (t->lanes[n].curve, t->common - 1).loss,
            t->common);
    }
  if (heads[0] == NULL || heads[1] == NULL)
    return NULL;
  for (guint side = 0; side < LS_SIDES; side++)
    if (!ls_truth_loss_at (&t->lanes[side], t->common, heads[side]->low, heads[side]->high))
      return g_strdup_printf (
        "the losses “%s” and “%s” stand side by side, but the newest step that both lanes have done is "
        "%" G_GUINT64_FORMAT ", with %g and %g",
        heads[0]->text, heads[1]->text, t->common,
        t->common > 0 ? (double) ls_curve_get (t->lanes[0].curve, t->common - 1).loss : (double) NAN,
        t->common > 0 ? (double) ls_curve_get (t->lanes[1].curve, t->common - 1).loss : (double) NAN);
  return NULL;
}

/* "median of 200": of as many steps as count. */
static char *
counts_are_true (const LsPicture *p)
{
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const char *at = item->kind == LS_ITEM_TEXT ? strstr (item->text, "median of ") : NULL;
      double low, high;

      /* "median of 61 steps" is how a curve is smoothed */
      if (at == NULL || ls_line_of_change (p, item->text) || !ls_stated_number (&at, &low, &high)
          || g_str_has_prefix (at, " steps") || g_str_has_prefix (at, " over single"))
        continue;
      const double n[LS_SIDES] = { (double) p->truth->lanes[0].n, (double) p->truth->lanes[1].n };
      if ((n[0] < low || n[0] > high) && (n[1] < low || n[1] > high))
        return g_strdup_printf ("“%s” is said, but %g and %g steps count", item->text, n[0], n[1]);
    }
  return NULL;
}

/* "median of 200" alone is of the newest 200: where steps were passed over among them, it says so, or tells
 * no count. */
static char *
left_out_is_told (const LsPicture *p)
{
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const LsItem *next = i + 1 < p->layout->still->items->len ? ls_scene_get (p->layout->still, i + 1)
                                                                : item;
      g_autofree char *text = item->kind == LS_ITEM_TEXT ? g_strjoin (
                                " ", item->text, next->kind == LS_ITEM_TEXT ? next->text : "", NULL)
                                                         : g_strdup ("");
      const char *at = strstr (text, "median of "); /* a sentence may go on on the next line */
      gboolean whole = FALSE;
      double low, high;

      if (at == NULL || at >= text + strlen (item->text) || ls_line_of_change (p, item->text)
          || !ls_stated_number (&at, &low, &high) || g_str_has_prefix (at, " steps")
          || g_str_has_prefix (at, " over single") || g_str_has_prefix (at, " without "))
        continue;
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsViewLane *lane = &p->s->data->sides[side];
          const LsCounted *c = &lane->counted;
          whole |= lane->rate.n >= low && lane->rate.n <= high
                   && c->warm_up + c->recorded + c->rested + c->disturbed == 0;
        }
      if (!whole)
        return g_strdup_printf ("“%s” doesn’t say that steps were left out", item->text);
    }
  return NULL;
}

/* "Stopped at step 66.": the one after the last that the lane has done. */
static char *
stop_is_true (const LsPicture *p)
{
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const char *at = item->kind == LS_ITEM_TEXT ? strstr (item->text, "topped at step ") : NULL;
      gboolean right = FALSE;
      double low, high;

      if (at == NULL || !ls_stated_number (&at, &low, &high))
        continue;
      for (guint side = 0; side < LS_SIDES; side++)
        right |= !p->truth->lanes[side].works && (double) p->truth->lanes[side].steps + 1 >= low
                 && (double) p->truth->lanes[side].steps + 1 <= high;
      if (!right)
        return g_strdup_printf ("“%s” is said, but the lanes have done %" G_GUINT64_FORMAT
                                " and %" G_GUINT64_FORMAT " steps",
                                item->text, p->truth->lanes[0].steps, p->truth->lanes[1].steps);
    }
  return NULL;
}

/* Where the pointer reads out a step, every lane's number is that step's. */
static char *
cursor_is_true (const LsPicture *p)
{
  const gint64 step = p->layout->query.curves.cursor;

  for (guint i = 0; step > 0 && i < p->layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->moving, i);
      const char *at = item->kind == LS_ITEM_TEXT && item->ink == LS_INK_LANE ? item->text : NULL;
      const gint side = at != NULL && item->number == LS_NUMBER_LOSS ? ls_stated_lane (&at) : -1;
      double low, high;

      if (side >= 0 && ls_stated_number (&at, &low, &high)
          && !ls_truth_loss_at (&p->truth->lanes[side], (guint64) step, low, high))
        return g_strdup_printf ("“%s” is read out at step %" G_GINT64_FORMAT ", whose loss isn’t that",
                                item->text, step);
    }
  return NULL;
}

/* What evidence the mark beside a number says it has. */
static char *
evidence_is_true (const LsPicture *p)
{
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const gboolean derived = item->number == LS_NUMBER_RATIO || item->number == LS_NUMBER_DELTA;
      const gboolean measured = item->number == LS_NUMBER_RATE || item->number == LS_NUMBER_LOSS
                                || item->number == LS_NUMBER_ACCURACY;

      if (item->kind == LS_ITEM_EVIDENCE
          && ((derived && item->evidence != LS_EVIDENCE_DERIVED)
              || (measured && item->evidence != LS_EVIDENCE_MEASURED)))
        return g_strdup_printf ("the mark at %.0f, %.0f says that number %u is %s", (double) item->x,
                                (double) item->y, item->number,
                                ls_evidence_name ((LsEvidence) item->evidence));
    }
  return NULL;
}

/* "48 tiles of 16×16", "128 work-groups of 8×16": as many as the op was cut into. */
static char *
tiles_are_counted (const LsPicture *p)
{
  const LsViewData *data = p->s->data;

  if (p->layout->view != &ls_view_partition)
    return NULL;
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const guint side = (double) item->x < p->layout->width / 2 ? 0 : 1;
      const LsViewLane *lane = &data->sides[side];
      const char *at = item->text;
      double low, high;

      if (item->kind != LS_ITEM_TEXT || !g_ascii_isdigit (*at) || lane->index == NULL
          || (strstr (at, side == 0 ? " tiles of " : " work-groups of ") == NULL
              && strstr (at, side == 0 ? " tile of " : " work-group of ") == NULL)
          || !ls_stated_number (&at, &low, &high))
        continue;
      const LsTiling *tiling
        = &lane->recorded->tilings[ls_step_index_leader (lane->index, p->layout->query.op)];
      const double n = (double) tiling->grid_rows * tiling->grid_cols * MAX (tiling->splits, 1);
      if (n < low || n > high)
        return g_strdup_printf ("“%s” is said of %s, but op %u was cut into %g", item->text,
                                ls_side_name (side), p->layout->query.op, n);
    }
  return NULL;
}

/* What is said of the test set is what the lanes answered. */
static char *
answers_are_counted (const LsPicture *p)
{
  const LsEvaluation *a = p->s->data->sides[0].evaluation, *b = p->s->data->sides[1].evaluation;
  guint differ = 0;

  if (p->layout->view != &ls_view_network
      || ((const LsNetworkState *) p->layout->query.state)->page != LS_NETWORK_TEST || a == NULL || b == NULL
      || a->steps != b->steps)
    return NULL;
  for (guint i = 0; i < a->n; i++)
    differ += a->predicted[i] != b->predicted[i];
  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      const char *at = item->text;
      double low, high;

      if (item->kind != LS_ITEM_TEXT)
        continue;
      if (strstr (at, "said otherwise") != NULL && ls_stated_number (&at, &low, &high)
          && (differ < low || differ > high))
        return g_strdup_printf ("“%s”, but %u answers differ", item->text, differ);
      if ((strcmp (at, "the lanes say the same") == 0 || strcmp (at, "both lanes the same") == 0)
          && differ > 0)
        return g_strdup_printf ("“%s”, but %u answers differ", item->text, differ);
      if (!g_str_has_prefix (at, "right ") || !ls_stated_number (&at, &low, &high))
        continue;
      const double left = 100. * a->n_right / a->n, right = 100. * b->n_right / b->n;
      if ((left < low || left > high) && (right < low || right > high))
        return g_strdup_printf ("“%s”, but %g %% and %g %% are right", item->text, left, right);
    }
  return NULL;
}

const LsProperty ls_properties_of_numbers[] = {
  { "what stands is told", what_stands_is_told },
  { "numbers are true", numbers_are_true },
  { "nothing stands on a handful of steps", nothing_from_a_handful },
  { "nothing is measured of a lane that has done nothing", nothing_of_absent_lanes },
  { "losses side by side are of one step", losses_of_one_step },
  { "counts are true", counts_are_true },
  { "a count says what was left out", left_out_is_told },
  { "a lane stopped where it is said", stop_is_true },
  { "what the pointer reads out is of its step", cursor_is_true },
  { "a number has its mark of evidence", evidence_is_true },
  { "tiles are counted", tiles_are_counted },
  { "answers are counted", answers_are_counted },
  { NULL, NULL },
};
