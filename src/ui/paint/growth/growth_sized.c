/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One result in a window's place of any size: the plot, and below it what its figures depend on, as long as
 * the plot keeps most of the room.
 */
#include "config.h"
#include "ui/paint/growth/growth.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/data/view_data.h"
#include "ui/paint/parts/text.h"
#include "core/number.h"

#define PLOT  .5  /* of the height, before devices are told */
#define GAP   10. /* between the plot and what is below it */
#define PITCH 1.5 /* from line to line, in sizes */

typedef struct {
  LsScene *s;
  LsMetrics m;
  const LsLabResult *result;
  GArray *names; /* LsViewName */
  double left, width, line;
  char **caption, **made; /* lines */
  guint n_caption, n_made;
  gboolean devices; /* there is room for a line of each lane */
} Sized;

static double
device_left (const Sized *z, guint lane)
{
  const LsType bold = { z->m.label.px, 700 };

  return ls_scene_width (z->s, bold, g_array_index (z->names, LsViewName, lane).name) + 8;
}

static const char *
device_of (const Sized *z, guint lane)
{
  return z->result->devices[lane] != NULL ? z->result->devices[lane] : _("was not there");
}

/* Its name alone stands at its line's end already. */
static gboolean
fits (const Sized *z, guint lane)
{
  return device_left (z, lane) + ls_scene_width (z->s, z->m.label, device_of (z, lane)) <= z->width;
}

static void
draw_lane (const Sized *z, guint lane, double y)
{
  const LsViewName *name = &g_array_index (z->names, LsViewName, lane);
  const LsType bold = { z->m.label.px, 700 };

  ls_scene_text (z->s, z->left, y, bold, LS_INK_LANE, LS_LEFT, name->name)->value = LS_INK_OF (name->ink);
  ls_scene_text (z->s, z->left + device_left (z, lane), y, z->m.label, LS_INK_QUIET, LS_LEFT,
                 device_of (z, lane));
}

static void
draw_foot (const Sized *z, double y)
{
  const double mark = z->m.evidence + 6;

  for (guint lane = 0; z->devices && lane < z->names->len; lane++)
    if (fits (z, lane))
      {
        draw_lane (z, lane, y);
        y += z->line;
      }
  ls_scene_evidence (z->s, z->left, y - z->m.label.px * .36 - z->m.evidence / 2, z->m.evidence,
                     LS_EVIDENCE_MEASURED, LS_INK_QUIET);
  for (guint i = 0; i < z->n_caption; i++, y += z->line)
    ls_scene_text (z->s, z->left + mark, y, z->m.label, LS_INK_QUIET, LS_LEFT, z->caption[i]);
  for (guint i = 0; i < z->n_made; i++, y += z->line)
    ls_scene_text (z->s, z->left, y, z->m.label, LS_INK_QUIET, LS_LEFT, z->made[i]);
}

LsScene *
ls_growth_scene_sized (const LsLabResult *result, const LsStyle *style, LsFonts *fonts, double width,
                       double height)
{
  Sized z = { .s = ls_scene_new (fonts, style), .result = result, .names = ls_view_names_of (result->specs) };
  g_autofree char *made = g_strdup_printf ("%s · %s · %s", result->program, result->date, result->machine);
  g_autofree char *words = g_strdup_printf ("%s; %s", ls_growth_unit (result->experiment),
                                            result->experiment->network);
  double foot, lanes = 0;

  ls_metrics_init (&z.m, style, MAX (width, 1280), MAX (height, 800));
  z.left = z.m.margin;
  z.width = width - 2 * z.left;
  z.line = z.m.label.px * PITCH;
  z.caption = ls_text_lines (z.s, z.m.label, z.width - z.m.evidence - 6,
                             ls_growth_caption (result->busy, FALSE));
  if (g_strv_length (z.caption) > 1)
    {
      g_strfreev (z.caption);
      z.caption = ls_text_lines (z.s, z.m.label, z.width - z.m.evidence - 6,
                                 ls_growth_caption (result->busy, TRUE));
    }
  z.made = ls_text_lines (z.s, z.m.label, z.width, made);
  z.n_caption = g_strv_length (z.caption);
  z.n_made = g_strv_length (z.made);
  foot = (z.n_caption + z.n_made) * z.line;
  for (guint lane = 0; lane < z.names->len; lane++)
    lanes += fits (&z, lane) ? z.line : 0;
  z.devices = height - 2 * z.left - GAP - foot - lanes >= PLOT * height;
  foot += z.devices ? lanes : 0;
  ls_growth_panel (&(LsGrowthPanel){ .s = z.s,
                                     .m = &z.m,
                                     .result = result,
                                     .names = z.names,
                                     .left = z.left,
                                     .top = z.left,
                                     .width = z.width,
                                     .height = height - 2 * z.left - GAP - foot,
                                     .words = words,
                                     .tight = TRUE });
  draw_foot (&z, height - z.left - foot + z.m.label.px);
  g_strfreev (z.caption);
  g_strfreev (z.made);
  g_array_unref (z.names);
  return z.s;
}

/* ---- in words ---- */

static char *
at_text (const LsLabPoint *point)
{
  g_autofree char *rate = ls_number_scaled (point->rate.value), *size = ls_number_count ((guint64) point->x);

  /* TRANSLATORS: a rate and a size: “308 k at 4 096” */
  return g_strdup_printf (_("%s at %s"), rate, size);
}

static char *
lane_text (const LsLabResult *result, guint lane, const char *name)
{
  const GArray *points = result->points[lane];
  g_autofree char *first = NULL, *last = NULL;

  if (points->len == 0)
    return g_strdup_printf (_("%s: not measured."), name);
  first = at_text (&g_array_index (points, LsLabPoint, 0));
  last = at_text (&g_array_index (points, LsLabPoint, points->len - 1));
  /* TRANSLATORS: a lane’s name, its first and its last figure */
  return points->len > 1 ? g_strdup_printf (_("%s: from %s to %s."), name, first, last)
                         : g_strdup_printf (_("%s: %s."), name, first);
}

char *
ls_growth_describe (const LsLabResult *result)
{
  g_autoptr (GArray) names = ls_view_names_of (result->specs);
  GString *text = g_string_new (NULL);

  /* TRANSLATORS: an experiment’s title, what is measured, what grows: “Batch: samples per second by samples
   * in a step.” */
  g_string_printf (text, _("%s: %s by %s."), gettext (result->experiment->title),
                   ls_growth_unit (result->experiment), gettext (result->experiment->axis));
  for (guint lane = 0; lane < names->len; lane++)
    {
      g_autofree char *words = lane_text (result, lane, g_array_index (names, LsViewName, lane).name);

      g_string_append_printf (text, " %s", words);
    }
  g_string_append_printf (text, " %s %s · %s · %s.", ls_growth_caption (result->busy, TRUE), result->program,
                          result->date, result->machine);
  return g_string_free (text, FALSE);
}
