/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What most tests do with a view: draw it, look for faults in it, tell it as text, look at a pixel.
 */
#pragma once

#include "ui/paint/network/network.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/scaling/scaling.h"
#include "ui/paint/tiles/tiles.h"

/* What may be asked of any view. */
typedef struct {
  LsQuery query;
  LsNetworkState network;
  LsPartitionState partition;
  LsTilesState tiles;
  LsScalingState scaling;
} Asked;

#define ASKED_INIT                                                                                           \
  {                                                                                                          \
    .query = LS_QUERY_INIT, .network = LS_NETWORK_STATE_INIT, .tiles = LS_TILES_STATE_INIT,                  \
    .scaling = LS_SCALING_STATE_ALL                                                                          \
  }

/* Of that view; it points into asked. */
LsQuery *asked_of (Asked *asked, const LsView *view);

/* 960×600, 1280×800, 1920×1080, 3840×2160. */
extern const double draw_sizes[4][2];

/* In the font of boxes. (transfer full) */
LsLayout *draw_view (const LsView *view, LsViewData *data, const LsQuery *query, LsLook look, double w,
                     double h);
LsLayout *draw_view_in (LsFonts *fonts, const LsView *view, LsViewData *data, const LsQuery *query,
                        LsLook look, double w, double h);

/* ls_layout_fault(), and in which picture it is. (transfer full) */
char *draw_fault (const LsLayout *layout);
#define assert_faultless(layout)                                                                             \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *fault_ = draw_fault (layout);                                                           \
    g_assert_cmpstr (fault_, ==, NULL);                                                                      \
  }                                                                                                          \
  G_STMT_END

/* A fault is told and counted, with those words, so that a test names all that it finds; at these shares of
 * the layout's time. */
void check_layout (const LsLayout *layout, const char *what);
void check_moments (LsLayout *layout, const double *shares, guint n, const char *what);
/* Fails the test if any were counted; the next one begins with none. */
void end_faults (void);

/* As text. (transfer full) */
char *dump_scene (const LsScene *scene);
char *dump_layout (const LsLayout *layout);
/* Of a flushed image: 0xRRGGBB. */
guint32 pixel_at (cairo_surface_t *surface, gint x, gint y);
