/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes that the processor counted while an op ran, beside those that follow from its formula: a square
 * at the intensity that they give, joined to the op's ring. Where nothing is counted, why.
 */
#include "config.h"
#include "ui/paint/roofline/roofline.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

/* Of a device; LS_MISSES_NONE where nothing is known of it, too. *known: it is. */
static LsMissesOf
counts (const LsRoofPlot *plot, gboolean *known)
{
  const LsDeviceInfo *device = plot->lane->recorded != NULL ? plot->lane->recorded->device : NULL;
  const double of = device != NULL ? device->numbers[LS_DEVICE_MISSES] : -1;

  *known = of >= LS_MISSES_NONE && of <= LS_MISSES_LAST;
  return *known ? (LsMissesOf) of : LS_MISSES_NONE;
}

/* Its square's place along; FALSE: nothing was counted, or so little that it lies beyond the axis. */
static gboolean
place (const LsRoofPlot *plot, const LsRoofOp *op, double *x)
{
  const double intensity = op->moved > 0 ? op->flops / op->moved : 0;

  *x = intensity > 0 ? ls_axis_at (&plot->x, CLAMP (intensity, plot->x.low, plot->x.high)) : 0;
  return intensity >= plot->x.low && intensity <= plot->x.high;
}

void
ls_roof_counted (const LsRoofPlot *plot, GArray *taken)
{
  const double side = 2 * plot->layout->m.unit;
  LsScene *s = plot->layout->still;

  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (plot->ops, LsRoofOp, i);
      const LsArea ring = ls_roof_ring_area (plot, op);
      const double y = ring.y + ring.h / 2;
      LsArea line = { 0, y - side / 2, 0, side };
      double x;

      if (!place (plot, op, &x))
        continue;
      line.x = MIN (x, ring.x + ring.w) - side / 2;
      line.w = MAX (x, ring.x) + side / 2 - line.x;
      g_array_append_val (taken, line);
      ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_QUIET, 0, plot->layout->style.hairline * 1.4);
      ls_scene_point (s, ring.x + ring.w / 2, y);
      ls_scene_point (s, x, y);
      ls_scene_box (s, x - side / 2, y - side / 2, side, side, LS_INK_MARK, plot->side);
    }
}

static guint
beyond (const LsRoofPlot *plot)
{
  guint n = 0;
  double x;

  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (plot->ops, LsRoofOp, i);
      n += op->counted && !place (plot, op, &x);
    }
  return n;
}

void
ls_roof_counted_caption (const LsRoofPlot *plot, double x, double y, double room)
{
  const LsMetrics *m = &plot->layout->m;
  gboolean known;
  const LsMissesOf of = counts (plot, &known);
  const guint n = beyond (plot);
  const char *own = !known                      ? NULL
                    : of == LS_MISSES_LAST      ? _("a square: bytes counted from memory")
                    : of == LS_MISSES_SECOND    ? _("a square: bytes counted from beyond the second cache")
                    : of == LS_MISSES_FORBIDDEN ? _("the system lets no bytes be counted")
                                                : _("this machine counts no bytes");
  g_autofree char *full
    = g_strdup_printf ("%s; %s", _("FLOP for each byte, each tensor read and written once"),
                       own != NULL ? own : ""),
    *brief = g_strdup_printf ("%s; %s", _("FLOP for each byte"), own != NULL ? own : ""),
    *more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s; %u further right", "%s; %u further right", n),
                             full, n);
  const char *words[] = {
    more, full, brief, _("FLOP for each byte, each tensor read and written once"), _("FLOP for each byte"),
    NULL
  };

  if (n == 0)
    words[0] = full;
  if (of < LS_MISSES_SECOND) /* there are no squares to explain */
    words[2] = words[3];
  ls_text_fit (plot->layout->still, x, y, room, m->tick, LS_INK_QUIET, LS_RIGHT,
               own != NULL ? words : words + 3);
}

char *
ls_roof_counted_words (const LsRoofPlot *plot)
{
  gboolean known;
  const LsMissesOf of = counts (plot, &known);
  double moved = 0, derived = 0;

  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (plot->ops, LsRoofOp, i);
      moved += op->counted ? op->moved : 0;
      derived += op->counted ? op->bytes : 0;
    }
  if (derived > 0)
    {
      g_autofree char *here = g_format_size ((guint64) moved), *paper = g_format_size ((guint64) derived);
      return g_strdup_printf (of == LS_MISSES_LAST
                                ? _(" These ops fetched %s from memory, counted; their tensors have %s.")
                                : _(" These ops fetched %s from beyond the second cache, counted; their "
                                     "tensors have %s."),
                              here, paper);
    }
  return !known                      ? NULL
         : of == LS_MISSES_FORBIDDEN ? g_strdup (_(" Bytes are derived: the system lets none be counted."))
         : of == LS_MISSES_NONE      ? g_strdup (_(" Bytes are derived: this machine counts none."))
                                     : NULL;
}
