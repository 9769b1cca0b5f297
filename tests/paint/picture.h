/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One view's picture that a test clicks into and draws again.
 */
#pragma once

#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"

typedef struct {
  const LsView *view;
  LsViewData *data;
  LsFonts *fonts; /* NULL: the font of boxes */
  gpointer state; /* the view's own */
  double width, height;
  LsLook look;
  LsLayout *layout;
} Picture;

static inline void
draw (Picture *p)
{
  LsQuery query = LS_QUERY_INIT;

  g_clear_pointer (&p->layout, ls_layout_free);
  query.state = p->state;
  p->layout = p->fonts != NULL
                ? draw_view_in (p->fonts, p->view, p->data, &query, p->look, p->width, p->height)
                : draw_view (p->view, p->data, &query, p->look, p->width, p->height);
}

static inline void
draw_at (Picture *p, double width, double height, LsLook look)
{
  p->width = width;
  p->height = height;
  p->look = look;
  draw (p);
}

/* data, fonts: (transfer full). */
static inline void
start_picture (Picture *p, const LsView *view, LsViewData *data, LsFonts *fonts, double width, double height)
{
  *p = (Picture){ .view = view, .data = data, .fonts = fonts, .state = ls_view_state_new (view) };
  draw_at (p, width, height, LS_LOOK_LIGHT);
}

static inline void
close_picture (Picture *p)
{
  ls_layout_free (p->layout);
  ls_view_data_unref (p->data);
  if (p->fonts != NULL)
    ls_fonts_unref (p->fonts);
  g_free (p->state);
}

/* Also where it goes over several lines. */
static inline gboolean
told (const Picture *p, const char *words)
{
  g_autofree char *all = all_texts (p->layout->still, " ");

  if (strstr (all, words) == NULL)
    g_test_message ("no “%s” in: %s", words, all);
  return strstr (all, words) != NULL;
}

/* The first of that kind; NULL: there is none. */
static inline const LsSlot *
slot (const Picture *p, LsSlotKind kind)
{
  for (guint i = 0; i < p->layout->slots->len; i++)
    if (g_array_index (p->layout->slots, LsSlot, i).kind == kind)
      return &g_array_index (p->layout->slots, LsSlot, i);
  return NULL;
}

/* The page that is opened by what is asked for. */
static inline const char *
opens (const Picture *p)
{
  LsQuery query = LS_QUERY_INIT;

  query.state = p->state;
  return p->view->address (p->layout, &query);
}

static inline LsAct
click (Picture *p, double x, double y)
{
  LsQuery query = LS_QUERY_INIT;
  LsAct act;

  query.state = p->state;
  act = p->view->point (p->layout, x, y, &query);
  draw (p);
  return act;
}

static inline LsAct
press (Picture *p, LsViewKey key)
{
  LsQuery query = LS_QUERY_INIT;
  LsAct act;

  query.state = p->state;
  act = p->view->key (p->layout, key, &query);
  draw (p);
  return act;
}
