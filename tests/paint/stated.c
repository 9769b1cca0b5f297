/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rate stands with so many counted steps, or with fewer whose middle half is narrow. */
#define STANDS      50
#define STANDS_CALM 20
#define CALM_HALF   .1
#define NEWEST      200

/* ---- reading ---- */

void
ls_stated_clear (gpointer claim)
{
  LsStated *c = claim;

  g_free (c->text);
  g_free (c->where);
}

/* Letters, in UTF-8, that may stand at `at`; how many bytes, 0: none of them. */
static gsize
skip (const char *at, const char *const *words, gint *which)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (at, words[i]))
      {
        *which = (gint) i;
        return strlen (words[i]);
      }
  return 0;
}

/* "×10⁻⁷" */
static gint
read_power (const char **at)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", NULL };
  gboolean negative;
  gint power = 0, digit;
  gsize n;

  if (!g_str_has_prefix (*at, "×10"))
    return 0;
  *at += strlen ("×10");
  negative = g_str_has_prefix (*at, "⁻");
  *at += negative ? strlen ("⁻") : 0;
  while ((n = skip (*at, digits, &digit)) > 0)
    {
      power = 10 * power + digit;
      *at += n;
    }
  return negative ? -power : power;
}

gboolean
ls_stated_number (const char **at, double *low, double *high)
{
  static const char *const suffixes[] = { "\u00a0k", "\u00a0M", "\u00a0G", "\u00a0T", " k",
                                          " M",      " G",      " T",      NULL };
  const char *p = *at;
  gboolean negative, point = FALSE;
  gint decimals = 0, figures = 0, power, suffix;
  double value = 0, unit;
  gsize n;

  while (*p != '\0' && !g_ascii_isdigit (*p) && !g_str_has_prefix (p, "∞"))
    p = g_utf8_next_char (p);
  if (*p == '\0')
    return FALSE;
  negative = p >= *at + 3 && g_str_has_prefix (p - 3, "−");
  if (g_str_has_prefix (p, "∞"))
    {
      *low = *high = negative ? -HUGE_VAL : HUGE_VAL;
      *at = p + strlen ("∞");
      return TRUE;
    }
  for (;; p++)
    if (g_ascii_isdigit (*p))
      {
        value = 10 * value + (*p - '0');
        figures += value > 0;
        decimals += point;
      }
    else if (*p == '.' && !point && g_ascii_isdigit (p[1]))
      point = TRUE;
    else if (g_str_has_prefix (p, "\u2009") && g_ascii_isdigit (p[3]))
      p += 2;
    else
      break;
  power = read_power (&p);
  n = skip (p, suffixes, &suffix);
  if (n > 0 && !g_ascii_isalpha (p[n]))
    {
      power += 3 * (suffix % 4 + 1);
      p += n;
    }
  /* a whole number of more figures was rounded to three */
  unit = pow (10, (point ? 0 : MAX (0, figures - 3)) + power - decimals);
  value *= pow (10, power - decimals);
  *low = (negative ? -value : value) - .5001 * unit;
  *high = (negative ? -value : value) + .5001 * unit;
  *at = p;
  return TRUE;
}

gint
ls_stated_lane (const char **at)
{
  const char *cpu = strstr (*at, "CPU"), *opencl = strstr (*at, "OpenCL");

  if (opencl != NULL && (cpu == NULL || opencl < cpu))
    {
      *at = opencl + strlen (g_str_has_prefix (opencl, "OpenCL on the CPU") ? "OpenCL on the CPU" : "OpenCL");
      return 1;
    }
  if (cpu == NULL)
    return -1;
  *at = cpu + strlen ("CPU");
  return 0;
}

static gboolean
read_step (const char *text, guint64 *step)
{
  const char *at = text;
  double low, high;

  if (!g_str_has_prefix (text, "loss of step ") || !ls_stated_number (&at, &low, &high))
    return FALSE;
  *step = (guint64) ((low + high) / 2 + .5);
  return TRUE;
}

/* "loss of step 1 240" stands above, below or before the number: next to it in the scene. */
static guint64
step_beside (const LsScene *scene, guint i)
{
  guint64 step = 0;

  for (gint by = -3; by <= 3 && step == 0; by++)
    if ((gint) i + by >= 0 && i + (guint) by < scene->items->len
        && ls_scene_get (scene, i + (guint) by)->kind == LS_ITEM_TEXT)
      read_step (ls_scene_get (scene, i + (guint) by)->text, &step);
  return step;
}

static void
add_claim (GArray *claims, const LsLayout *layout, guint i)
{
  const LsItem *item = ls_scene_get (layout->still, i);
  const LsNumber number = (LsNumber) item->number;
  LsStated claim = { .number = number,
                     .side = item->side == LS_NO_VALUE ? -1 : item->side,
                     .low = (double) NAN,
                     .high = (double) NAN };
  const char *at = item->text;

  claim.text = g_strdup (item->text);
  claim.where = g_strdup_printf ("%s %gx%g %s", layout->view->name, layout->width, layout->height,
                                 ls_look_name (layout->style.look));
  /* a number in a curve's label comes behind its lane's name */
  claim.head = ls_stated_lane (&at) < 0;
  if (claim.head)
    at = item->text;
  if (number == LS_NUMBER_LOSS && claim.side >= 0 && claim.head)
    {
      claim.step = step_beside (layout->still, i);
      if (strstr (at, "–") != NULL)
        at += strlen (at);
      while (ls_stated_number (&at, &claim.low, &claim.high)) /* the last one */
        ;
    }
  else if (number != LS_NUMBER_WINNER && number != LS_NUMBER_AGREEMENT)
    ls_stated_number (&at, &claim.low, &claim.high);
  g_array_append_val (claims, claim);
}

void
ls_stated_collect (GArray *claims, const LsLayout *layout)
{
  LsNumber last = LS_NUMBER_NONE;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);

      if (item->kind != LS_ITEM_TEXT || item->number == LS_NUMBER_NONE)
        continue;
      if (item->number == last && (item->number == LS_NUMBER_WINNER || item->number == LS_NUMBER_AGREEMENT))
        {
          LsStated *claim = &g_array_index (claims, LsStated, claims->len - 1);
          char *longer = g_strdup_printf ("%s %s", claim->text, item->text);
          g_free (claim->text);
          claim->text = longer;
        }
      else
        add_claim (claims, layout, i);
      last = (LsNumber) item->number;
    }
}

/* ---- what is true ---- */

static double
part (const double *sorted, guint64 n, double share)
{
  const double at = share * (double) (n - 1);
  const guint64 below = (guint64) at, above = MIN (below + 1, n - 1);

  return sorted[below] + (at - (double) below) * (sorted[above] - sorted[below]);
}

/* first … end − 1: the steps that may count. */
static void
count_rate (LsLaneTruth *lane, guint64 first, guint64 end, guint batch)
{
  double us[NEWEST];

  for (guint64 i = end; i-- > first && lane->n < NEWEST;)
    {
      const LsPoint point = ls_curve_get (lane->curve, i);
      if (point.flags == 0 && point.step_us > 0)
        {
          lane->first = i;
          lane->end = MAX (lane->end, i + 1);
          us[lane->n++] = (double) point.step_us;
        }
    }
  if (lane->n == 0)
    return;
  qsort (us, lane->n, sizeof *us, ls_compare_doubles);
  lane->rate = 1e6 * batch / part (us, lane->n, .5);
  lane->q1 = 1e6 * batch / part (us, lane->n, .75);
  lane->q3 = 1e6 * batch / part (us, lane->n, .25);
  lane->stands = lane->n >= STANDS
                 || (lane->n >= STANDS_CALM && lane->q3 - lane->q1 < CALM_HALF * lane->rate);
}

static void
lane_of_run (LsLaneTruth *lane, const LsLaneSnapshot *from, guint batch)
{
  lane->ran = from->steps > 0;
  lane->works = from->state == LS_LANE_READY;
  lane->steps = from->steps;
  lane->curve = from->curve;
  lane->accuracy = from->accuracy;
  count_rate (lane, from->rate_from, lane->steps, batch);
}

/* The engine's first steps are no samples, and the last one is the recorded one. */
static void
lane_of_recording (LsLaneTruth *lane, const LsRecording *recording, guint at)
{
  const LsRecordedLane *from = &recording->lanes[at];

  lane->ran = lane->works = TRUE;
  lane->steps = from->n_steps;
  lane->curve = from->curve;
  lane->accuracy = (double) NAN;
  if (lane->steps > 1)
    count_rate (lane, MIN ((guint64) recording->warm_up, lane->steps - 1), lane->steps - 1, recording->batch);
}

static gboolean
together (const LsLaneTruth *a, const LsLaneTruth *b)
{
  const guint64 first = MAX (a->first, b->first), end = MIN (a->end, b->end),
                shared = end > first ? end - first : 0;

  return 2 * shared >= MAX (a->end - a->first, b->end - b->first);
}

LsTruth
ls_truth_of (const LsScenario *s)
{
  LsTruth t = { .faster = -1, .delta_weights = (double) NAN };
  LsLaneTruth *a = &t.lanes[0], *b = &t.lanes[1];
  double apart[LS_DISAGREE_STEPS] = { 0 }, mean;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      t.lanes[side].accuracy = (double) NAN;
      if (s->lane_of[side] < 0)
        continue;
      if (s->snapshot != NULL)
        lane_of_run (&t.lanes[side], &s->snapshot->lanes[s->lane_of[side]], s->data->batch);
      else
        lane_of_recording (&t.lanes[side], s->recording, (guint) s->lane_of[side]);
    }
  t.common = MIN (a->steps, b->steps);
  t.ratio = a->stands && b->stands && together (a, b);
  if (a->n > 0 && b->n > 0)
    {
      t.faster = a->rate > b->rate ? 0 : a->rate < b->rate ? 1 : -1;
      t.overlap = a->q1 <= b->q3 && b->q1 <= a->q3;
    }
  for (guint64 i = 0; i < t.common; i++)
    {
      const double delta = fabs ((double) ls_curve_get (a->curve, i).loss
                                 - (double) ls_curve_get (b->curve, i).loss);
      t.delta_loss = fmax (t.delta_loss, delta);
      t.losses_differ += delta > 0;
      apart[i % LS_DISAGREE_STEPS] = isnan (delta)
                                       ? 0
                                       : delta / MAX (1, (double) ls_curve_get (a->curve, i).loss);
      mean = 0;
      for (guint k = 0; k < LS_DISAGREE_STEPS; k++)
        mean += apart[k] / LS_DISAGREE_STEPS;
      t.beyond |= mean > LS_DISAGREE_LOSS;
    }
  if (s->snapshot != NULL)
    {
      t.disagree = s->snapshot->agreement.disagree;
      if (s->snapshot->agreement.weights_compared > 0)
        t.delta_weights = s->snapshot->agreement.weights_delta_max;
    }
  return t;
}

gboolean
ls_truth_loss_at (const LsLaneTruth *lane, guint64 step, double low, double high)
{
  double loss;

  if (step == 0 || step > lane->steps)
    return FALSE;
  loss = (double) ls_curve_get (lane->curve, step - 1).loss;
  return loss >= low && loss <= high;
}
