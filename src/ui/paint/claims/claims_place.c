/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows are shown, and where: the opened one always, with as much of what is below it as there is room
 * for.
 */
#include "config.h"
#include "ui/paint/claims/claims_view.h"

/* What the body of the opened row takes; 0: none is open. */
static double
body_height (const LsClaimsPicture *c)
{
  const LsArea area = { c->area.x, 0, c->area.w, c->area.h };

  return c->asked->open >= 0 ? MIN (ls_claims_open (c, (guint) c->asked->open, area, FALSE), c->area.h) : 0;
}

/* The rows from `first` on that have room; returns one past the last. */
static guint
fit (const LsClaimsPicture *c, guint first, double body, double room)
{
  guint i = first;

  for (; i < c->n; i++)
    {
      room -= c->heights[i] + (c->asked->open == (gint) i ? body : 0);
      if (room < -.5)
        break;
    }
  return i;
}

/* Which rows are shown: those that were asked for, but the opened one always, as whole as it can be, and no
 * empty room below while there are others above. */
static void
choose_rows (LsClaimsPicture *c, double body)
{
  const double more = c->layout->m.label.px * 1.6, all = c->area.h;
  const gint open = c->asked->open;

  c->first = MIN (c->asked->first, c->n > 0 ? c->n - 1 : 0);
  if (open >= 0)
    c->first = MIN (c->first, (guint) open);
  for (;;)
    {
      const double above = c->first > 0 ? more : 0;
      c->end = fit (c, c->first, body, all - above);
      if (c->end < c->n)
        c->end = fit (c, c->first, body, all - above - more);
      if (open < 0 || (guint) open < c->end || c->first >= (guint) open)
        break;
      c->first++;
    }
  while (c->end == c->n && c->first > 0
         && fit (c, c->first - 1, body, all - (c->first > 1 ? more : 0)) == c->n)
    c->first--;
  if (open >= 0 && c->end <= (guint) open) /* it alone is more than there is room for */
    c->end = (guint) open + 1;
}

static void
place_rows (LsClaimsPicture *c, double body)
{
  const LsMetrics *m = &c->layout->m;
  const double more = m->label.px * 1.6, bottom = c->area.y + c->area.h;
  double y = c->area.y;

  if (c->first > 0)
    {
      c->more_above = y + m->label.px * 1.1;
      y += more;
    }
  for (guint i = c->first; i < c->end; i++)
    {
      c->places[i] = (LsClaimsPlace){ y, c->heights[i] };
      y += c->heights[i];
      if (c->asked->open != (gint) i)
        continue;
      c->body = (LsClaimsPlace){ y, MIN (body, bottom - (c->end < c->n ? more : 0) - y) };
      y += c->body.h;
    }
  if (c->end < c->n)
    c->more_below = y + m->label.px * 1.1;
}

void
ls_claims_place (LsClaimsPicture *c)
{
  double body;

  for (guint i = 0; i < c->n; i++)
    c->heights[i] = ls_claims_row_height (c, i);
  body = body_height (c);
  choose_rows (c, body);
  place_rows (c, body);
}
