/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One round of the kernel's loop as stations, in the order of its source; below, who waits at the barrier.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

static gboolean
last_barrier (const LsTiles *t, guint mark)
{
  for (guint i = mark; i-- > 0;)
    if (t->listing->marks[i] == LS_LISTING_MULTIPLY)
      return TRUE;
  return FALSE;
}

static const char *
station_name (LsListingPhase phase)
{
  switch (phase)
    {
    case LS_LISTING_LOAD:
      return _("load");
    case LS_LISTING_BARRIER:
      return _("wait");
    case LS_LISTING_MULTIPLY:
      return _("multiply");
    case LS_LISTING_STORE:
      return _("store");
    case LS_LISTING_OTHER:
      break;
    }
  return "";
}

/* "1.24 µs" */
static char *
time_words (gint64 ns)
{
  g_autofree char *number = ls_number_text (ns < 1000 ? (double) ns : (double) ns / 1e3, 3);

  return g_strdup_printf (ns < 1000 ? _("%s ns") : _("%s µs"), number);
}

/* That a work-item of a packed convolution loads at a time: towards the weights for each of its few columns,
 * or for each place of the window, which is 3 × 3 there. */
static guint
vectors_of_b (const LsTiles *t)
{
  return t->kind != LS_TILES_CONV_DW ? 2 : MIN (t->cut.tile_n, 9);
}

static char *
station_words (const LsTiles *t, const LsTilesNow *now, guint mark)
{
  const gint64 ns = t->stamps == LS_TILES_PHASES
                      ? ls_tiles_phase_ns (t, MIN (now->round, t->rounds - 1), mark)
                      : -1;

  if (ns >= 0)
    return time_words (ns);
  switch (t->listing->marks[mark])
    {
    case LS_LISTING_LOAD:
      return t->cut.local || t->cut.panel
               ? g_strdup (t->cut.local ? _("global → local") : _("B from the panel"))
               : g_strdup_printf (_("%u vectors of B"), vectors_of_b (t));
    case LS_LISTING_BARRIER:
      return last_barrier (t, mark) ? g_strdup (_("then next k"))
                                    : g_strdup_printf (_("all %u arrive"), ls_rung_items (&t->cut));
    case LS_LISTING_MULTIPLY:
      return t->cut.local ? g_strdup_printf (_("%u steps"), t->window)
                          : g_strdup (t->cut.panel ? _("A from memory") : _("from global memory"));
    case LS_LISTING_STORE:
      return g_strdup (_("C, once"));
    case LS_LISTING_OTHER:
      break;
    }
  return g_strdup ("");
}

static double
station_h (const LsMetrics *m)
{
  return m->label.px * (m->size == LS_SIZE_SMALL ? 1.9 : 3.2);
}

static gboolean
has_barrier (const LsTiles *t)
{
  for (guint i = 0; t->listing != NULL && i < t->listing->n_marks; i++)
    if (t->listing->marks[i] == LS_LISTING_BARRIER)
      return TRUE;
  return FALSE;
}

double
ls_tiles_stations_height (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;

  if (t->listing == NULL || t->listing->n_marks == 0)
    return 0;
  return m->heading.px * 1.7 + station_h (m) + (has_barrier (t) ? m->label.px * 3.4 : m->label.px);
}

/* A station for each phase of the loop; the one where the group is, is lit. */
static double
stations (const LsTiles *t, const LsTilesNow *now, LsArea area, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const guint n = t->listing->n_marks;
  const double gap = 2.5 * m->unit, w = (area.w - gap * (n - 1)) / n, h = station_h (m);
  LsScene *s = t->layout->moving;

  for (guint i = 0; i < n; i++)
    {
      const double x = area.x + i * (w + gap);
      const gboolean here = now->mark == i;
      const char *name = station_name (t->listing->marks[i]);
      g_autofree char *words = station_words (t, now, i);
      const LsInk ink = here ? LS_INK_ON_MARK : LS_INK_TEXT;
      const gboolean two = h >= m->label.px * 3 && ls_scene_width (s, m->tick, words) <= w - 4;

      ls_scene_box (s, x, y, w, h, here ? LS_INK_MARK : LS_INK_TRACK, t->lane)->size = (float) (1.5
                                                                                                * m->unit);
      /* a long word stands in plain type, up to the gaps: a station without its name says nothing */
      const LsType type = ls_scene_width (s, bold, name) <= w ? bold : m->tick;
      if (ls_scene_width (s, type, name) <= w + gap)
        ls_scene_text (s, x + w / 2, y + (two ? h * .42 : h / 2 + bold.px * .36), type, ink, LS_CENTER, name)
          ->value
          = (float) t->lane;
      if (two)
        ls_scene_text (s, x + w / 2, y + h * .82, m->tick, here ? ink : LS_INK_QUIET, LS_CENTER, words)->value
          = (float) t->lane;
      if (i + 1 == n)
        break;
      ls_scene_path (s, LS_ITEM_AREA, LS_INK_QUIET, 0, 0);
      ls_scene_point (s, x + w + gap * .25, y + h / 2 - 4);
      ls_scene_point (s, x + w + gap * .75, y + h / 2);
      ls_scene_point (s, x + w + gap * .25, y + h / 2 + 4);
    }
  return y + h;
}

/* Work-items that load together, in a row: hatched wait, solid loads, grey is to come. */
static void
barrier (const LsTiles *t, const LsTilesNow *now, LsArea area, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const guint n = ls_tiles_sub_groups (t), each = ls_rung_items (&t->cut) / n;
  const gboolean all_load = now->phase == LS_LISTING_LOAD && t->cut.rung == LS_RUNG_REGISTER;
  const gint arrived = all_load ? 0 : ls_tiles_arrived (t, now);
  const gboolean waits = now->phase == LS_LISTING_BARRIER && now->mark != LS_LISTING_NO_MARK;
  const double gap = n > 16 ? 1 : 4, w = (area.w - gap * (n - 1)) / n, h = m->label.px * .95;
  LsScene *s = t->layout->moving;
  g_autofree char *words = waits          ? g_strdup_printf (_("all %u × %u work-items are here"), n, each)
                           : all_load     ? g_strdup_printf (_("all %u × %u load"), n, each)
                           : arrived >= 0 ? g_strdup_printf (_("%d × %u wait, %u load, %d to come"), arrived,
                                                             each, each, (gint) n - arrived - 1)
                           : now->round >= t->rounds ? g_strdup (_("the loop is over"))
                                                     : g_strdup (_("nobody waits"));
  g_autofree char *brief = arrived >= 0 && !waits ? g_strdup_printf (_("%d of %u wait"), arrived, n)
                                                  : g_strdup ("");
  double x = ls_item_right (
               ls_scene_text (s, area.x, y + m->label.px, bold, LS_INK_TEXT, LS_LEFT, _("Barrier")))
             + 3 * m->unit;

  if (ls_text_marked (s, m, x, y + m->label.px, area.x + area.w - x, LS_EVIDENCE_MODELLED, LS_INK_TEXT, words)
      <= x)
    ls_text_marked (s, m, x, y + m->label.px, area.x + area.w - x, LS_EVIDENCE_MODELLED, LS_INK_TEXT, brief);
  y += m->label.px * 1.6;
  for (guint i = 0; i < n; i++)
    {
      const double from = round (area.x + i * (w + gap)), to = round (area.x + i * (w + gap) + w);
      if (waits || (gint) i < arrived)
        ls_scene_mark (s, LS_ITEM_HATCH, from, y, to - from, h, LS_INK_MARK, t->lane);
      else
        ls_scene_box (s, from, y, to - from, h, all_load || (gint) i == arrived ? LS_INK_MARK : LS_INK_TRACK,
                      t->lane);
    }
}

/* The heading, and how the times are known. */
static void
clock_words (const LsTiles *t, const LsTilesNow *now, LsArea area, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsEvidence evidence = t->stamps >= LS_TILES_ROUNDS && !t->modelled ? LS_EVIDENCE_MEASURED
                                                                           : LS_EVIDENCE_MODELLED;
  const gint64 ns = t->starts != NULL && now->round < t->rounds
                      ? t->starts[now->round + 1] - t->starts[now->round]
                      : -1;
  g_autofree char *length = ns >= 0 ? time_words (ns) : g_strdup ("");
  g_autofree char *round = g_strdup_printf (t->modelled ? _("in a run for this picture: %s")
                                            : t->stamps == LS_TILES_PHASES
                                              ? _("stamped by the device: %s")
                                              : _("stamped: %s, its phases modelled"),
                                            length);
  const char *const words[] = { ns >= 0 ? round : NULL,
                                t->modelled && t->stamps >= LS_TILES_ROUNDS ? _("of another run")
                                : t->stamps == LS_TILES_PHASES              ? _("as the device stamped them")
                                : t->stamps == LS_TILES_ROUNDS              ? _("rounds as stamped")
                                : t->stamps == LS_TILES_WHOLE ? _("phases as modelled, the whole as stamped")
                                                              : _("times as modelled"),
                                t->stamps >= LS_TILES_ROUNDS ? _("stamped") : _("modelled") };
  const double x = ls_text_heading (t->layout->moving, m, area, y, _("One round of the loop"), NULL)
                   + 3 * m->unit;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i] != NULL
        && ls_text_marked (t->layout->moving, m, x, y, area.x + area.w - x, evidence, LS_INK_QUIET, words[i])
             > x)
      return;
}

void
ls_tiles_stations_move (const LsTiles *t, const LsTilesNow *now, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  double y = area.y + m->heading.px;

  if (m->projector || t->listing == NULL || t->listing->n_marks == 0
      || area.h < ls_tiles_stations_height (t) - 1)
    return;
  clock_words (t, now, area, y);
  y = stations (t, now, area, y + m->heading.px * .7);
  if (has_barrier (t))
    barrier (t, now, area, y + m->label.px * .7);
}
