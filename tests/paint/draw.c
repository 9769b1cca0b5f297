/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draw.h"

#include <string.h>

#include "ui/paint/views.h"

const double draw_sizes[4][2] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };

static guint faults;

LsQuery *
asked_of (Asked *asked, const LsView *view)
{
  asked->query.state = view == &ls_view_network     ? (gpointer) &asked->network
                       : view == &ls_view_partition ? (gpointer) &asked->partition
                       : view == &ls_view_tiles     ? (gpointer) &asked->tiles
                       : view == &ls_view_scaling   ? (gpointer) &asked->scaling
                                                    : NULL;
  return &asked->query;
}

/* "rung 2, CPU": of views that have a state. (transfer full) */
static char *
state_words (const LsLayout *layout)
{
  const LsNetworkState *network = layout->query.state;
  const LsPartitionState *partition = layout->query.state;
  const LsTilesState *tiles = layout->query.state;

  return layout->view == &ls_view_network ? g_strdup_printf (", page %u, own %u", network->page, network->own)
         : layout->view == &ls_view_partition ? g_strdup (partition->finer ? ", finer" : "")
         : layout->view == &ls_view_tiles
           ? g_strdup_printf (", rung %d%s", tiles->rung, tiles->cpu_side ? ", CPU" : "")
           : g_strdup ("");
}

LsLayout *
draw_view_in (LsFonts *fonts, const LsView *view, LsViewData *data, const LsQuery *query, LsLook look,
              double w, double h)
{
  LsStyle style;

  ls_style_init (&style, look, 1);
  return ls_layout_new (view, data, query, w, h, &style, fonts);
}

LsLayout *
draw_view (const LsView *view, LsViewData *data, const LsQuery *query, LsLook look, double w, double h)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);

  return draw_view_in (fonts, view, data, query, look, w, h);
}

char *
draw_fault (const LsLayout *layout)
{
  const LsQuery *q = &layout->query;
  g_autofree char *fault = ls_layout_fault (layout);

  if (fault == NULL)
    return NULL;
  g_autofree char *state = state_words (layout);
  return g_strdup_printf (
    "%s %gx%g %s%s, letters of %.2f em, text %g, op %u%s, at %g of its time: %s",
    layout->view != NULL ? layout->view->name : "no view", layout->width, layout->height,
    ls_look_name (layout->style.look), q->chrome ? "" : ", window",
    ls_fonts_width (layout->still->fonts, (LsType){ 10, 400 }, "x") / 10, layout->style.text_scale, q->op,
    state, (double) MIN (q->time_ns, layout->span_ns) / (double) MAX (layout->span_ns, 1), fault);
}

void
check_layout (const LsLayout *layout, const char *what)
{
  g_autofree char *fault = draw_fault (layout);

  if (fault == NULL)
    return;
  g_test_message ("%s: %s", what, fault);
  faults++;
}

void
check_moments (LsLayout *layout, const double *shares, guint n, const char *what)
{
  LsQuery at = layout->query;

  for (guint i = 0; i < n; i++)
    {
      at.time_ns = (gint64) (shares[i] * (double) layout->span_ns);
      ls_layout_move (layout, &at);
      check_layout (layout, what);
    }
}

void
end_faults (void)
{
  if (faults > 0)
    g_test_fail_printf ("%u layouts have a fault", faults);
  faults = 0;
}

char *
dump_scene (const LsScene *scene)
{
  char *text = NULL;
  gsize length;
  FILE *stream = open_memstream (&text, &length);

  ls_scene_dump (scene, stream);
  fclose (stream);
  return text;
}

char *
dump_layout (const LsLayout *layout)
{
  char *text = NULL;
  gsize length;
  FILE *stream = open_memstream (&text, &length);

  ls_layout_dump (layout, stream);
  fclose (stream);
  return text;
}

guint32
pixel_at (cairo_surface_t *surface, gint x, gint y)
{
  const guint8 *row = cairo_image_surface_get_data (surface)
                      + (gssize) y * cairo_image_surface_get_stride (surface);
  guint32 p;

  memcpy (&p, row + 4 * x, 4);
  return p & 0xFFFFFF;
}
