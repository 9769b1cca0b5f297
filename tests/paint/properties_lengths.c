/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What has a length instead of a number: the ribbon's bars, the overview's bracket, kernels without times.
 */
#include "told.h"

#include <math.h>
#include <string.h>

#include "ui/paint/views.h"

/* The ribbon's bars of both lanes are as long as their ops took. */
static char *
ribbon_is_true (const LsPicture *p)
{
  const LsRecording *recording = p->layout->data->recording;
  double per_ns = 0;
  gboolean upright = FALSE;

  for (guint pass = 0; recording != NULL && pass < 3; pass++) /* which way they go, how long, and again */
    for (guint k = 0; k < p->layout->slots->len; k++)
      {
        const LsSlot *slot = &g_array_index (p->layout->slots, LsSlot, k);
        const guint next = k + 1 < p->layout->slots->len && slot[1].kind == LS_SLOT_OPS ? slot[1].op
                                                                                        : recording->n_ops;
        double ns[LS_SIDES] = { 0, 0 }, length[LS_SIDES] = { 0, 0 }, left[LS_SIDES] = { 0, 0 };

        if (slot->kind != LS_SLOT_OPS)
          continue;
        for (guint i = 0; i < p->layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (p->layout->still, i);
            if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_MARK || item->side >= LS_SIDES
                || !ls_area_has ((LsArea){ slot->x, slot->y, slot->w, slot->h }, (double) item->x + 1,
                                 (double) item->y + 1))
              continue;
            upright |= fabs ((double) item->h - 8) > .01;
            length[item->side] = upright ? (double) item->h : (double) item->w;
            left[item->side] = (double) item->x;
          }
        if (pass == 2 && upright && length[0] > 0 && length[1] > 0 && left[0] >= left[1])
          return g_strdup_printf ("the ribbon’s bar of OpenCL for op %u stands left of the CPU’s", slot->op);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            const LsViewLane *lane = &p->s->data->sides[side];
            for (guint op = slot->op; op < next && lane->index != NULL && lane->recorded != NULL; op++)
              if (recording->ops[op].phase == recording->ops[slot->op].phase
                  && (op == slot->op || recording->ops[op].layer == recording->ops[slot->op].layer))
                ns[side] += ls_told_op_ns (lane, op);
            if (pass == 1 && ns[side] > 0)
              per_ns = MAX (per_ns, length[side] / ns[side] * (length[side] > 20));
            else if (pass == 2 && per_ns > 0 && length[side] > 0)
              {
                ls_places_seen[LS_SEEN_RIBBON]++;
                if (fabs (length[side] - MAX (2, ns[side] * per_ns)) > LS_NEAR)
                  return g_strdup_printf (
                    "the ribbon’s bar of %s for op %u is %.1f px long, and should be %.1f",
                    ls_side_name (side), slot->op, length[side], ns[side] * per_ns);
              }
          }
      }
  return NULL;
}

/* The bracket over the whole step is round what is shown of it. */
static char *
bracket_is_true (const LsPicture *p)
{
  const LsSlot *all = NULL;
  double from = 0, to = 0;
  guint n = 0;

  if (p->layout->view != &ls_view_timeline || p->layout->span_ns == 0)
    return NULL;
  for (guint i = 0; i < p->layout->slots->len; i++)
    if (g_array_index (p->layout->slots, LsSlot, i).kind == LS_SLOT_OVERVIEW)
      all = &g_array_index (p->layout->slots, LsSlot, i);
  for (guint i = 0; all != NULL && i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT && item->w == 2
          && fabs ((double) item->h - all->h) < .01 && fabs ((double) item->y - all->y) < .01)
        *(n++ == 0 ? &from : &to) = (double) item->x + 1;
    }
  if (n != 2)
    return NULL;
  const LsQuery *q = &p->layout->query;
  const double per_ns = all->w / (double) p->layout->span_ns,
               low = q->zoom1_ns > q->zoom0_ns ? (double) q->zoom0_ns : 0,
               high = q->zoom1_ns > q->zoom0_ns ? (double) q->zoom1_ns : (double) p->layout->span_ns;
  ls_places_seen[LS_SEEN_BRACKET]++;
  if (fabs (from - all->x - low * per_ns) > LS_NEAR
      || fabs (to - all->x - MAX (high * per_ns, low * per_ns + 2)) > LS_NEAR)
    return g_strdup_printf ("the bracket is round %.0f to %.0f ns, and %.0f to %.0f ns are shown",
                            (from - all->x) / per_ns, (to - all->x) / per_ns, low, high);
  return NULL;
}

/* A kernel whose work-groups have no times is as high as they can fill the device at once. */
static char *
untimed_are_true (const LsPicture *p)
{
  LsScale scale;

  if (p->layout->view != &ls_view_timeline)
    return NULL;
  g_free (ls_timeline_scale (p, &scale)); /* which is told elsewhere */
  for (guint side = 0; scale.n >= 2 && side < LS_SIDES; side++)
    {
      const LsViewLane *lane = ls_told_lane (p, side);
      double full = 0;

      for (guint op = 0; lane != NULL && op < lane->index->n_ops; op++)
        {
          const LsOpTrace *trace = &lane->index->ops[op];
          const double part = MIN (1, (double) trace->n / MAX (lane->recorded->device->units, 1));

          for (guint i = 0; trace->n > 0 && !trace->timed && i < p->layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (p->layout->still, i);
              if (item->kind != LS_ITEM_BOX || item->evidence != LS_EVIDENCE_DERIVED
                  || item->ink != LS_INK_MARK || (guint) item->value != side || (double) item->h < 6.5
                  || item->w < 4
                  || fabs (ls_item_right (item) + 1 - ls_scale_px (&scale, (double) trace->end_ns)) > LS_NEAR
                  || fabs (
                       (double) item->x
                       - ls_scale_px (&scale, ls_told_op_ns (lane, op) > 0 ? (double) trace->start_ns : 0))
                       > LS_NEAR)
                continue;
              ls_places_seen[LS_SEEN_UNTIMED]++;
              if (full > 0 && fabs ((double) item->h / part - full) > 1 / part)
                return g_strdup_printf ("%u work-groups of op %u are %.1f px high, and should be %.1f",
                                        trace->n, op, (double) item->h, full * part);
              full = MAX (full, (double) item->h / part);
            }
        }
    }
  return NULL;
}

/* Tiles' ledger: each bar is as long as the number behind it is large. */
static char *
ledger_is_true (const LsPicture *p)
{
  const LsScene *scene = p->layout->moving;
  double left = -1, per = 0;

  for (guint pass = 0; p->layout->view == &ls_view_tiles && pass < 2; pass++)
    for (guint i = 0; i + 1 < scene->items->len; i++)
      {
        const LsItem *item = ls_scene_get (scene, i), *text = ls_scene_get (scene, i + 1);
        double value;

        if (item->kind != LS_ITEM_HOLLOW || text->kind != LS_ITEM_TEXT
            || !ls_scale_number (text->text, &value) || value <= 0
            || !g_ascii_isdigit (text->text[strlen (text->text) - 1])
            || (left >= 0 && fabs ((double) item->x - left) > .01) || item->w < 6)
          continue;
        left = (double) item->x;
        if (pass == 0)
          per = MAX (per, (double) item->w / value * (item->w > 30));
        else if (per > 0)
          {
            ls_places_seen[LS_SEEN_LEDGER]++;
            if (fabs ((double) item->w - value * per) > LS_NEAR)
              return g_strdup_printf (
                "the ledger’s bar of %s is %.1f px long, and by the longest it should be %.1f", text->text,
                (double) item->w, value * per);
          }
      }
  return NULL;
}

const LsProperty ls_properties_of_lengths[] = {
  { "the ledger’s bars are as long as their numbers", ledger_is_true },
  { "the ribbon’s bars are as long as the ops", ribbon_is_true },
  { "kernels without times are as high as they fill the device", untimed_are_true },
  { "the bracket is round what is shown", bracket_is_true },
  { NULL, NULL },
};
