/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/scene/metrics.h"

static const LsMetrics desk[] = {
  [LS_SIZE_SMALL] = { .huge = { 54, 800 },
                      .rate = { 20, 700 },
                      .number = { 16, 700 },
                      .name = { 18, 700 },
                      .device = { 15, 400 },
                      .title = { 16, 700 },
                      .heading = { 15, 700 },
                      .body = { 15, 400 },
                      .label = { 14, 400 },
                      .tick = { 14, 400 },
                      .strong = { 15, 700 },
                      .margin = 16,
                      .gutter = 16,
                      .rule = 5,
                      .evidence = 12,
                      .title_h = 40,
                      .ribbon_h = 32,
                      .control_h = 28,
                      .strip_h = 104,
                      .key_h = 26,
                      .bar_h = 18,
                      .unit = 4 },
  [LS_SIZE_MEDIUM] = { .huge = { 72, 800 },
                       .rate = { 24, 700 },
                       .number = { 20, 700 },
                       .name = { 21, 700 },
                       .device = { 16, 400 },
                       .title = { 16, 700 },
                       .heading = { 16, 700 },
                       .body = { 15, 400 },
                       .label = { 14, 400 },
                       .tick = { 14, 400 },
                       .strong = { 15, 700 },
                       .margin = 16,
                       .gutter = 24,
                       .rule = 5,
                       .evidence = 12,
                       .title_h = 44,
                       .ribbon_h = 80,
                       .control_h = 30,
                       .strip_h = 144,
                       .key_h = 26,
                       .bar_h = 22,
                       .unit = 4 },
  [LS_SIZE_LARGE] = { .huge = { 116, 800 },
                      .rate = { 28, 700 },
                      .number = { 24, 700 },
                      .name = { 24, 700 },
                      .device = { 18, 400 },
                      .title = { 18, 700 },
                      .heading = { 17, 700 },
                      .body = { 16, 400 },
                      .label = { 15, 400 },
                      .tick = { 14, 400 },
                      .strong = { 16, 700 },
                      .margin = 16,
                      .gutter = 32,
                      .rule = 5,
                      .evidence = 13,
                      .title_h = 48,
                      .ribbon_h = 92,
                      .control_h = 34,
                      .strip_h = 192,
                      .key_h = 26,
                      .bar_h = 20,
                      .unit = 4 },
};

static const LsMetrics hall = {
  .projector = TRUE,
  .huge = { 120, 800 },
  .rate = { 60, 800 },
  .number = { 34, 700 },
  .name = { 54, 800 },
  .device = { 32, 400 },
  .title = { 54, 700 },
  .heading = { 34, 700 },
  .body = { 30, 400 },
  .label = { 28, 400 },
  .tick = { 26, 400 },
  .strong = { 30, 700 },
  .margin = 72,
  .gutter = 64,
  .rule = 9,
  .evidence = 22,
  .title_h = 100,
  .ribbon_h = 0,
  .control_h = 0,
  .strip_h = 114,
  .key_h = 0,
  .bar_h = 26,
  .unit = 7,
};

static void
scale_types (LsMetrics *m, double by, double least)
{
  LsType *types[] = { &m->huge,    &m->rate, &m->number, &m->name, &m->device, &m->title,
                      &m->heading, &m->body, &m->label,  &m->tick, &m->strong };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    types[i]->px = MAX (least, types[i]->px * by);
}

static void
scale_spaces (LsMetrics *m, double by)
{
  double *spaces[] = { &m->margin,    &m->gutter,  &m->rule,  &m->evidence, &m->title_h, &m->ribbon_h,
                       &m->control_h, &m->strip_h, &m->key_h, &m->bar_h,    &m->unit };

  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    *spaces[i] *= by;
}

/* A window of 960×600 leaves more than this for its picture, and its views need no more. */
#define LEAST_WIDTH  820.
#define LEAST_HEIGHT 490.

double
ls_metrics_text_scale (const LsStyle *style, double width, double height)
{
  if (style->look == LS_LOOK_PROJECTOR) /* its letters are twice a desk's as it is */
    return MIN (style->text_scale, 1);
  return MIN (style->text_scale, MAX (1, MIN (width / LEAST_WIDTH, height / LEAST_HEIGHT)));
}

void
ls_metrics_init (LsMetrics *m, const LsStyle *style, double width, double height)
{
  const double scale = style->text_scale;

  if (style->look == LS_LOOK_PROJECTOR)
    {
      const double by = CLAMP (MIN (width / 1920, height / 1080), .4, 4);
      *m = hall;
      scale_types (m, by * scale, 22);
      scale_spaces (m, by);
      m->evidence = MAX (m->evidence, 16);
      m->title_h = MAX (m->title_h, m->title.px * 1.8);
      m->strip_h = MAX (m->strip_h, m->body.px * 3.6);
      m->size = width < 1100 || height < 620 ? LS_SIZE_SMALL : LS_SIZE_LARGE;
      return;
    }
  LsSize by_width = width / scale < 1180   ? LS_SIZE_SMALL
                    : width / scale < 1500 ? LS_SIZE_MEDIUM
                                           : LS_SIZE_LARGE;
  LsSize by_height = height / scale < 640   ? LS_SIZE_SMALL
                     : height / scale < 860 ? LS_SIZE_MEDIUM
                                            : LS_SIZE_LARGE;
  *m = desk[MIN (by_width, by_height)];
  m->size = MIN (by_width, by_height);
  if (height > 1600)
    m->strip_h = 256;
  scale_types (m, scale, 14);
  scale_spaces (m, scale > 1 ? scale : 1);
  m->margin = desk[m->size].margin;
  m->gutter = desk[m->size].gutter;
}
