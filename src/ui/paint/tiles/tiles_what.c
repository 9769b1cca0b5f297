/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Tiles says that it shows: which group or tile of which product, which kernel, whether the lane ran it
 * in the step or it was run again for the picture; and the line under the heads with all of that.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

char *
ls_tiles_group_words (const LsTiles *t)
{
  if (t->cpu != NULL && t->cpu->splits > 1)
    return t->cpu->worker >= 0
             ? g_strdup_printf (_("Worker %d, tile (%u, %u) of %u×%u, first of %u parts of the sum"),
                                t->cpu->worker, t->col, t->row, t->cols, t->rows, t->cpu->splits)
             : g_strdup_printf (_("Tile (%u, %u) of %u×%u, first of %u parts of the sum"), t->col, t->row,
                                t->cols, t->rows, t->cpu->splits);
  if (t->cpu == NULL && t->splits > 1)
    return g_strdup_printf (_("Work-group (%u, %u) of %u×%u, first of %lld parts of the sum"), t->col,
                            t->row, t->cols, t->rows, (long long) t->splits);
  if (t->cpu != NULL && t->cpu->worker >= 0)
    return g_strdup_printf (_("Worker %d, tile (%u, %u) of %u×%u"), t->cpu->worker, t->col, t->row, t->cols,
                            t->rows);
  if (t->cpu != NULL)
    return g_strdup_printf (_("Tile (%u, %u) of %u×%u"), t->col, t->row, t->cols, t->rows);
  return g_strdup_printf (_("Work-group (%u, %u) of %u×%u"), t->col, t->row, t->cols, t->rows);
}

static char *
product_words (const LsTiles *t)
{
  return g_strdup_printf ("%s   %lld×%lld · %lld×%lld", t->recorded->equation, (long long) t->a.rows,
                          (long long) t->a.cols, (long long) t->b.rows, (long long) t->b.cols);
}

/* What came of running the kernel again, against the lane's own result. (transfer full), NULL: nothing was
 * compared. */
static char *
proof_words (const LsTiles *t)
{
  g_autofree char *all = NULL, *same = NULL, *delta = NULL;

  if (t->walk == NULL || t->walk->compared == 0)
    return NULL;
  all = ls_number_count ((guint64) t->walk->compared);
  same = ls_number_count ((guint64) t->walk->same);
  delta = ls_number_text (t->walk->delta, 2);
  if (t->walk->same == t->walk->compared)
    return g_strdup_printf (_("all %s results have the same bits"), all);
  return g_strdup_printf (_("%s of %s results have the same bits, the others differ by %s at most"), same,
                          all, delta);
}

/* The sizes that the CPU lane's tile is made of, and who computes it. */
static char *
cpu_words (const LsTiles *t)
{
  const LsTilesCpu *cpu = t->cpu;
  g_autofree char *micro = g_strdup_printf (cpu->known ? _("micro-tile %u×%u")
                                                       : _("micro-tile of another core, %u×%u"),
                                            cpu->model.rows, cpu->model.cols);
  g_autofree char *channels = NULL, *images = NULL;

  if (t->kind == LS_TILES_PLAIN)
    return g_strdup_printf (_("tile %lld×%lld · panel %u · %s, %s"), (long long) cpu->rows,
                            (long long) cpu->cols, t->window, micro, ls_tiles_cpu_who (t));
  channels = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%lld channel", "%lld channels", (gulong) cpu->rows),
    (long long) cpu->rows);
  images = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%lld image", "%lld images", (gulong) cpu->images),
                            (long long) cpu->images);
  return g_strdup_printf ("%s × %s · %s, %s", channels, images, micro, ls_tiles_cpu_who (t));
}

/* No lane has run any kernel of the ladder in this step. */
static gboolean
only_modelled (const LsTiles *t)
{
  const LsViewData *data = t->layout->data;

  return t->cpu == NULL && (ls_tiles_opencl (data)->recorded == NULL || !ls_tiles_has_opencl (data));
}

char *
ls_tiles_modelled_words (const LsTiles *t)
{
  if (!t->modelled || t->cpu != NULL)
    return NULL;
  return only_modelled (t) ? g_strdup (_("a model, with the CPU’s numbers"))
         : t->ran >= 0
           ? g_strdup_printf (_("not in the step: the lane ran “%s”"), ls_tiles_rung_title (&t->ran_cut))
           : g_strdup (_("not in the step: the lane ran another kernel"));
}

/* The lane ran another kernel of the ladder than the one that is shown. */
static gboolean
other_ran (const LsTiles *t)
{
  return t->ran >= 0 && t->ran != (gint) t->cut.rung;
}

/* The kernel that the lane raced with, where that is another one, and that this one was run again. (transfer
 * full), NULL: there is nothing to say. */
static char *
ran_words (const LsTiles *t)
{
  const LsViewData *data = t->layout->data;
  g_autofree char *proof = t->cpu == NULL ? proof_words (t) : NULL;

  if (only_modelled (t))
    return g_strdup (data->live && ls_tiles_opencl (data)->there && ls_tiles_has_opencl (data)
                       ? _("OpenCL hasn’t come to this step yet: as modelled, with the CPU’s numbers")
                       : _("no OpenCL lane did this step: as modelled, with the CPU’s numbers"));
  if (t->cpu == NULL && t->walk == NULL && t->walk_message == NULL && ls_tiles_opencl (data)->walk_coming)
    return g_strdup (_("building this kernel for the walk; so far as modelled"));
  if (t->cpu == NULL && t->walk_message != NULL)
    return g_strdup_printf (_("“%s” couldn’t be run again: %s"), ls_tiles_rung_title (&t->cut),
                            t->walk_message);
  if (proof != NULL && other_ran (t))
    return g_strdup_printf (_("the lane ran “%s”; “%s” was run again on its inputs: %s"),
                            ls_tiles_rung_title (&t->ran_cut), ls_tiles_rung_title (&t->cut), proof);
  if (proof != NULL && t->cut.panel && t->ran_cut.tile_m > t->cut.tile_m)
    return g_strdup_printf (_("run again on the step’s inputs, with %u rows to a group, not %u: %s"),
                            t->cut.tile_m, t->ran_cut.tile_m, proof);
  if (proof != NULL)
    return g_strdup_printf (_("run again on the step’s inputs: %s"), proof);
  if (t->cpu != NULL)
    return cpu_words (t);
  if (!other_ran (t))
    return NULL;
  return g_strdup_printf (_("the lane ran “%s”; this is “%s” on the same inputs"),
                          ls_tiles_rung_title (&t->ran_cut), ls_tiles_rung_title (&t->cut));
}

double
ls_tiles_what_line (const LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  const double h = m->control_h + 2 * m->unit, base = area.y + m->control_h / 2 + m->body.px * .36,
               right = area.x + area.w - m->margin;
  g_autofree char *group = ls_tiles_group_words (t), *product = product_words (t), *ran = ran_words (t),
                  *brief = NULL;
  const double wished = t->layout->query.switch_w,
               slot = wished > 0 ? MIN (wished, area.w - 2 * m->margin) : MIN (115 * m->unit, area.w * .46);
  double x = area.x + m->margin, end = right;

  ls_stage_slot (t->layout, LS_SLOT_SWITCHES, -1, 0, x, area.y, slot, m->control_h);
  if (!t->layout->query.chrome)
    x += slot + 4 * m->unit;
  if (!t->modelled && x + ls_scene_width (s, m->strong, group) > right)
    return h;
  if (ran != NULL)
    {
      brief = t->cpu == NULL && other_ran (t)
                ? g_strdup_printf (_("the lane ran “%s”"), ls_tiles_rung_title (&t->ran_cut))
                : g_strdup (only_modelled (t) ? _("as modelled, with the CPU’s numbers") : "");
      /* what didn't happen in the step is said at every size: the group's place is in the picture, too */
      if (!t->modelled
          || x + ls_scene_width (s, m->strong, group) + 5 * m->unit + ls_scene_width (s, m->label, brief)
               <= right)
        x = ls_item_right (ls_scene_text (s, x, base, m->strong, LS_INK_TEXT, LS_LEFT, group)) + 5 * m->unit;
      g_autofree char *other = t->walk == NULL || !other_ran (t)
                                 ? g_strdup (brief)
                                 : g_strdup_printf (
                                   _("the lane ran “%s”; this is “%s”, run again on its inputs"),
                                   ls_tiles_rung_title (&t->ran_cut), ls_tiles_rung_title (&t->cut));
      const guint before = s->items->len;
      if (ls_text_fit (s, right, base, right - x, m->label, LS_INK_TEXT, LS_RIGHT,
                       (const char *const[]){ ran, other, brief, NULL }))
        end = (double) ls_scene_get (s, before)->x - 5 * m->unit;
    }
  else
    x = ls_item_right (ls_scene_text (s, x, base, m->strong, LS_INK_TEXT, LS_LEFT, group)) + 5 * m->unit;
  ls_text_fit (s, x, base, end - x, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ product, t->recorded->equation, NULL });
  return h;
}
