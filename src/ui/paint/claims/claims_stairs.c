/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same thing done in several ways, on one time axis: stairs from the slowest to the fastest, each step
 * with how many times it is.
 */
#include "config.h"
#include "ui/paint/claims/claims_view.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

#define PITCH 2.1 /* from way to way, in sizes */
#define DOT   .8  /* in sizes */
#define APART 8.
#define EDGE  1.5 /* beyond the outermost time, as a factor */

typedef struct {
  const LsClaim *claim;
  const LsClaimResult *result; /* NULL: not run yet */
  LsAxis axis;
  double pitch;
} Stairs;

/* What is known of the way's time, s. */
static LsFigure
time_of (const Stairs *st, guint i)
{
  return st->result != NULL && i < st->result->n_ways && st->result->ways[i].time.n > 0
           ? st->result->ways[i].time
           : st->claim->ways[i].given;
}

/* What a way does, without how large it is: "product" of "product\t1000", "step cnn" of "step\tcnn\t…", so
 * that a step down is between two ways of one thing. (transfer full) */
static char *
task_of (const LsClaimWay *way)
{
  g_auto (GStrv) parts = NULL;

  if (way->run == NULL)
    return NULL;
  parts = g_strsplit (way->run, "\t", -1);
  if (g_str_equal (parts[0], "copied"))
    return g_strdup_printf ("product\t%s", way->run + strlen ("copied\t"));
  return g_strdup (way->run);
}

/* Both do the same thing; one that isn't run here but told does whatever stands beside it. */
static gboolean
alike (const Stairs *st, guint a, guint b)
{
  g_autofree char *first = task_of (&st->claim->ways[a]), *second = task_of (&st->claim->ways[b]);

  return first == NULL || second == NULL || g_str_equal (first, second);
}

static gboolean
make_axis (Stairs *st, double from, double to)
{
  double low = G_MAXDOUBLE, high = 0;

  for (guint i = 0; i < st->claim->n_ways; i++)
    {
      const LsFigure f = time_of (st, i);
      if (f.n > 0 && f.value > 0)
        {
          low = MIN (low, f.value * 1e9);
          high = MAX (high, f.value * 1e9);
        }
    }
  if (high <= 0 || to - from < 40)
    return FALSE;
  ls_axis_init (&st->axis, low / EDGE, high * EDGE, from, to, TRUE, 7);
  return TRUE;
}

static void
draw_axis (const Stairs *st, const LsMetrics *m, LsScene *s, double top, double bottom)
{
  double last = -G_MAXDOUBLE;

  for (guint i = 0; i < st->axis.n_ticks; i++)
    {
      const double x = ls_axis_at (&st->axis, st->axis.ticks[i]);
      g_autofree char *text = ls_number_dial ((guint64) llround (st->axis.ticks[i]));
      const double w = ls_scene_width (s, m->tick, text) / 2;

      if (st->axis.ticks[i] < 1 || x - w < last + 2 * m->unit)
        continue;
      last = x + w;
      ls_scene_segment (s, x, top, x, bottom, LS_INK_HAIRLINE, s->style->hairline);
      ls_scene_text (s, x, bottom + m->tick.px * 1.2, m->tick, LS_INK_QUIET, LS_CENTER, text);
    }
}

/* How many times the way before takes as long, beside the step down. */
static void
step (const Stairs *st, const LsMetrics *m, LsScene *s, double x0, double y0, double x1, double y1,
      double times, double right)
{
  const double r = DOT * m->label.px / 2, mid = (y0 + y1) / 2 + m->tick.px * .36;
  g_autofree char *number = ls_number_text (times >= 1 ? times : 1 / times, 2),
                  *text = g_strdup_printf (times >= 1 ? "÷ %s" : "× %s", number);
  const double w = ls_scene_width (s, m->tick, text);
  const gboolean fits_right = x0 + 6 + w <= right;

  ls_scene_segment (s, x0, y0 + r, x0, y1, LS_INK_QUIET, s->style->hairline * 1.4);
  if (fabs (x1 - x0) > r)
    ls_scene_segment (s, x0, y1, x1 < x0 ? x1 + r : x1 - r, y1, LS_INK_QUIET, s->style->hairline * 1.4);
  if (st->pitch >= m->label.px + m->tick.px * 1.1 && (times > 1.05 || times < 1 / 1.05))
    ls_scene_text (s, fits_right ? x0 + 6 : x0 - 6, mid, m->tick, LS_INK_QUIET,
                   fits_right ? LS_LEFT : LS_RIGHT, text);
}

/* FALSE: there is no room for one, and marks stand below each other. */
static gboolean
has_axis (const Stairs *st)
{
  return st->axis.to > st->axis.from;
}

static void
way (const LsClaimsPicture *c, const Stairs *st, guint i, LsArea area, double labels, double y)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const LsClaimWay *w = &st->claim->ways[i];
  const LsFigure f = time_of (st, i);
  const double base = y + m->label.px * .36;
  const gint side = w->lane != NULL ? ls_claims_side (c, w->who) : -1;
  const LsType bold = { m->label.px, 700 };

  g_autofree char *words = ls_text_cut (s, m->label, labels, w->words);
  ls_scene_text (s, area.x + labels, base, m->label, LS_INK_TEXT, LS_RIGHT, words);
  if (f.n == 0)
    {
      const char *why = st->result != NULL && i < st->result->n_ways ? st->result->ways[i].why : NULL;
      const double left = area.x + labels + APART, room = area.x + area.w - left;

      ls_scene_text (s, left, base, m->label, LS_INK_QUIET, LS_LEFT,
                     why != NULL && ls_scene_width (s, m->label, why) <= room ? why : "–");
      return;
    }
  g_autofree char *number = ls_number_time (f.value * 1e9);
  const double wide = ls_scene_width (s, bold, number), dot = DOT * m->label.px, gap = dot / 2 + APART / 2,
               x = has_axis (st) ? ls_axis_at (&st->axis, f.value * 1e9) : area.x + labels + APART + dot / 2;
  if (!has_axis (st) && x + gap + wide > area.x + area.w)
    return;
  const LsFigure before = i > 0 ? time_of (st, i - 1) : (LsFigure){ 0 };
  /* on the side that the step down to it doesn't come from */
  const gboolean slower = before.n > 0 && f.value > before.value && x + gap + wide <= area.x + area.w,
                 left = !slower && x - gap - wide >= area.x + labels + APART;
  LsItem *item = ls_scene_text (s, left ? x - gap : x + gap, base, bold, side < 0 ? LS_INK_TEXT : LS_INK_LANE,
                                left ? LS_RIGHT : LS_LEFT, number);

  item->value = (float) MAX (side, 0);
  item->strong = TRUE;
  ls_claims_mark (c, x, y, dot, side, f.evidence, FALSE);
}

double
ls_claims_stairs (const LsClaimsPicture *c, guint row, LsArea area, gboolean draw)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  Stairs st = { c->claims->rows[row].claim, c->claims->rows[row].result, { 0 }, PITCH * m->label.px };
  const double head = m->heading.px * 1.9, foot = m->tick.px * 1.7;
  double labels = 0;

  if (st.claim->n_ways == 0)
    return area.y;
  if (!draw)
    return area.y + head + st.claim->n_ways * st.pitch + foot;
  for (guint i = 0; i < st.claim->n_ways; i++)
    labels = MAX (labels, ls_scene_width (s, m->label, st.claim->ways[i].words));
  labels = MIN (labels, area.w * .55);
  st.pitch = MIN (st.pitch, (area.h - head - foot) / st.claim->n_ways);
  if (st.pitch < m->label.px * 1.15)
    return area.y;
  ls_text_heading (s, m, area, area.y + m->heading.px,
                   st.claim->ways_title != NULL ? st.claim->ways_title : _("The same, done in several ways"),
                   _("time of doing it once, median"));
  const double top = area.y + head, bottom = top + st.claim->n_ways * st.pitch;
  const LsType bold = { m->label.px, 700 };
  const double in = ls_scene_width (s, bold, "000 ms") + 2 * APART,
               out = ls_scene_width (s, m->tick, "÷ 000") + APART;
  if (!make_axis (&st, area.x + labels + in, area.x + area.w - out))
    {
      for (guint i = 0; i < st.claim->n_ways; i++)
        way (c, &st, i, area, labels, top + (i + .5) * st.pitch);
      return bottom;
    }
  draw_axis (&st, m, s, top, bottom);
  for (gint i = 0, last = -1; i < (gint) st.claim->n_ways; i++)
    {
      const LsFigure f = time_of (&st, (guint) i);
      if (f.n == 0)
        continue;
      if (last == i - 1 && last >= 0 && alike (&st, (guint) last, (guint) i))
        {
          const LsFigure before = time_of (&st, (guint) last);
          step (&st, m, s, ls_axis_at (&st.axis, before.value * 1e9), top + (last + .5) * st.pitch,
                ls_axis_at (&st.axis, f.value * 1e9), top + (i + .5) * st.pitch, before.value / f.value,
                area.x + area.w);
        }
      last = i;
    }
  for (guint i = 0; i < st.claim->n_ways; i++)
    way (c, &st, i, area, labels, top + (i + .5) * st.pitch);
  return bottom + foot;
}
