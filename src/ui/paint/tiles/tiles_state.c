/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Tiles can be asked for: the switches above it, and its options of `render`. Which side and which
 * kernel it walks through is the view's own; batch and tiles are the run's settings.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/options.h"

const LsTilesState ls_tiles_first = LS_TILES_STATE_INIT;

const LsTilesState *
ls_tiles_asked (const LsQuery *query)
{
  return query->state != NULL ? query->state : &ls_tiles_first;
}

/* ---- switches ---- */

/* What was picked belongs to what is no longer shown. */
static void
pick_anew (LsTilesState *asked)
{
  asked->group_row = asked->group_col = asked->item_row = asked->item_col = -1;
}

static void
set_side (LsQuery *query, guint choice)
{
  LsTilesState *asked = query->state;

  asked->cpu_side = choice > 0;
  pick_anew (asked);
}

static void
set_rung (LsQuery *query, guint choice)
{
  LsTilesState *asked = query->state;

  asked->rung = (gint) choice - 1;
  pick_anew (asked);
}

static gboolean
on_cpu (gconstpointer state)
{
  return ((const LsTilesState *) state)->cpu_side;
}

static gboolean
on_opencl (gconstpointer state)
{
  return !on_cpu (state);
}

static gboolean
is_tiled (gconstpointer state)
{
  return on_opencl (state) && ((const LsTilesState *) state)->rung == LS_RUNG_TILED;
}

static const char *
side (guint i)
{
  return i == 0 ? _("Work-group") : i == 1 ? _("CPU's cache blocks") : NULL;
}

/* The ladder's rungs are the choices of the run's own option, after “automatic”. */
static const char *
rung (guint i)
{
  return i == 0           ? _("the kernel that ran")
         : i <= LS_RUNG_N ? _(ls_options_find ("kernel")->choice_words[i])
                          : NULL;
}

static char *
batch_words (const char *value)
{
  return g_strdup_printf (_("batch %lu"), (gulong) g_ascii_strtoull (value, NULL, 10));
}

static char *
tiles_words (const char *value)
{
  const gulong n = (gulong) g_ascii_strtoull (value, NULL, 10);

  return n == 0 ? g_strdup (_("tiles: automatic"))
                : g_strdup_printf (ngettext ("%lu tile", "%lu tiles", n), n);
}

static char *
edge_words (const char *value)
{
  return strcmp (value, "auto") == 0 ? g_strdup (_("tile: automatic"))
                                     : g_strdup_printf ("%s×%s", value, value);
}

static const char *const batches[] = { "1", "8", "16", "32", "64", "128", "256", "512", "1024", NULL },
                         *const tiles[] = { "0", "1", "2", "4", "8", "16", "32", "64", NULL };

const LsViewSwitch ls_tiles_switches[] = {
  { .title = N_("What Tiles shows"), .choice = side, .set = set_side },
  { .title = N_("Kernel to walk through"), .choice = rung, .set = set_rung, .shown = on_opencl },
  { .title = N_("Tile in local memory"), .option = "tile-edge", .words = edge_words, .shown = is_tiled },
  { .title = N_("Tiles per op on the CPU lane"),
    .option = "tiles-per-op",
    .values = tiles,
    .words = tiles_words,
    .shown = on_cpu },
  { .title = N_("Batch; another one trains anew from step 0"),
    .option = "batch",
    .values = batches,
    .words = batch_words },
  { NULL },
};

/* ---- options of `render` ---- */

static char *
read_kernel (const LsViewData *data, const char *text, gpointer state)
{
  LsTilesState *asked = state;

  asked->rung = ls_rung_find (text);
  return asked->rung < 0 ? g_strdup (_("naive, tiled, register or packed")) : NULL;
}

static char *
read_side (const LsViewData *data, const char *text, gpointer state)
{
  LsTilesState *asked = state;

  asked->cpu_side = strcmp (text, "cpu") == 0;
  return asked->cpu_side || strcmp (text, "opencl") == 0 ? NULL : g_strdup (_("opencl or cpu"));
}

static char *
read_pane (const LsViewData *data, const char *text, gpointer state)
{
  static const char *const panes[LS_TILES_N_PANES] = { "tiles", "ledger", "source", "roofline" };
  LsTilesState *asked = state;

  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    if (strcmp (panes[i], text) == 0)
      {
        asked->pane = i;
        return NULL;
      }
  return g_strdup (_("tiles, ledger, source or roofline"));
}

const LsViewOption ls_tiles_options[] = {
  { "kernel", N_("RUNG"),
    N_("The kernel that Tiles walks through: naive, tiled, register or packed; default the one that ran"),
    read_kernel },
  { "side", N_("SIDE"),
    N_("What Tiles shows: opencl, a work-group, or cpu, the cache blocks; default opencl"), read_side },
  { "pane", N_("PANE"),
    N_("What Tiles shows where there is no room for all: tiles, ledger, source or roofline; default tiles"),
    read_pane },
  { NULL },
};
