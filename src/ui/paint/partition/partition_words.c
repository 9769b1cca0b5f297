/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines round Partition's matrix: how many tiles of which size, what their numbers mean, whose they are,
 * and which shape the output has.
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <glib/gi18n-lib.h>

#include "core/options.h"
#include "core/number.h"

#define FEW_GROUPS 32
#define SWITCHES   .52 /* of the lane's width */

char *
ls_part_tiles_words (const LsPartLane *p)
{
  const LsTiling *t = p->tiling;
  const gulong all = (gulong) t->grid_rows * t->grid_cols * MAX (t->splits, 1);
  g_autofree char *n = ls_number_count (all);
  const char *knows = p->trace->known == LS_KNOWN_UNITS     ? _("unit numbers told by the device")
                      : p->trace->known == LS_KNOWN_THREADS ? _("units not told")
                      : p->trace->known == LS_KNOWN_ORDER   ? _("only their order is known")
                                                            : _("this device does not say who or when");
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, t->tile_rows,
                                           t->tile_cols);
  GString *text = g_string_new (NULL);

  /* without a caption above the matrix, which says it in whole */
  const gboolean own = !ls_lane_has_workers (p->lane) && all < FEW_GROUPS && p->caption_y <= 0;

  if (own)
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE, "%s group of %s, the kernel’s own",
                                         "%s groups of %s, the kernel’s own", all),
                            n, size);
  else
    g_string_append_printf (text,
                            ls_lane_has_workers (p->lane)
                              ? ngettext ("%s tile of %s", "%s tiles of %s", all)
                              : ngettext ("%s work-group of %s", "%s work-groups of %s", all),
                            n, size);
  if (t->splits > 1)
    g_string_append_printf (text, _(", the sum in %u parts"), t->splits);
  if (!ls_lane_has_workers (p->lane))
    g_string_append_printf (text, ", %s", knows);
  if (p->fold_rows * p->fold_cols > 1)
    g_string_append_printf (text, _("; each cell is %u×%u, shown by the last done"), p->fold_rows,
                            p->fold_cols);
  return g_string_free (text, FALSE);
}

/* The switch of the cut, where the step was recorded both ways and this op has more tiles then. Returns its
 * left end. */
static double
cut_switch (const LsPartLane *p, double y, double from)
{
  const LsLayout *layout = p->layout;
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[p->side];
  const double right = p->area.x + p->area.w, base = y + m->control_h / 2 + m->body.px * .36;
  const char *value = p->cut ? _("finer, for looking") : _("as trained");
  const LsTiling *was, *finer;

  if (lane->finer == NULL)
    return right;
  was = &lane->recorded->tilings[p->op];
  finer = &lane->finer->lane->tilings[p->op];
  if (finer->grid_rows * finer->grid_cols <= was->grid_rows * was->grid_cols)
    return right;
  if (!layout->query.chrome)
    {
      ls_stage_slot (p->layout, LS_SLOT_SWITCHES, (gint) p->side, 0, from, y, right - from, m->control_h);
      return from;
    }
  const LsType bold = { m->label.px, 700 };
  const double w = ls_scene_width (layout->still, bold, value),
               label_w = ls_scene_width (layout->still, m->label, _("Cut"));
  if (right - w - 10 - label_w < from)
    return right;
  ls_scene_text (layout->still, right - w, base, bold, LS_INK_TEXT, LS_LEFT, value);
  ls_scene_text (layout->still, right - w - 10, base, m->label, LS_INK_QUIET, LS_RIGHT, _("Cut"));
  return right - w - 10 - label_w;
}

/* Left what can be switched, as words where no window puts a switch; right what came of it. */
void
ls_part_controls (const LsPartLane *p, guint chosen, double y)
{
  LsLayout *layout = p->layout;
  const LsMetrics *m = &layout->m;
  const double base = y + m->control_h / 2 + m->body.px * .36;
  g_autofree char *policy = ls_view_data_option (layout->data, p->side, "policy");
  const char *value = ls_lane_has_workers (p->lane) ? ls_option_word (ls_options_find ("policy"), policy)
                      : p->trace != NULL            ? p->tiling->kernel
                                                    : NULL;
  const char *label = ls_lane_has_workers (p->lane) ? _("Schedule") : _("Kernel");
  LsScene *s = layout->still;
  double x = p->area.x, left = x + p->area.w * (layout->query.chrome ? .3 : SWITCHES), right;
  g_autofree char *words = NULL, *inside = NULL;

  ls_stage_slot (layout, LS_SLOT_CONTROLS, (gint) p->side, 0, x, y, p->area.w * SWITCHES, m->control_h);
  if (layout->query.chrome && value != NULL && *value)
    {
      x = ls_item_right (ls_scene_text (s, x, base, m->label, LS_INK_QUIET, LS_LEFT, label)) + 10;
      x = left = ls_item_right (
        ls_scene_text (s, x, base, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, value));
    }
  if (p->trace == NULL)
    return;
  right = cut_switch (p, y, left + 16);
  if (right < p->area.x + p->area.w)
    right -= 16;
  if (p->op != chosen)
    inside = g_strdup_printf (_("computed in %s; "), layout->data->recording->ops[p->op].symbol);
  words = ls_part_tiles_words (p);
  g_autofree char *all = g_strconcat (inside != NULL ? inside : "", words, NULL);
  g_auto (GStrv) clauses = g_strsplit (all, ", ", -1);
  /* what does not fit goes from the end, whole clauses at a time, never how many there are */
  for (guint n = g_strv_length (clauses); n > 0; n--)
    {
      g_autofree char *text = NULL;
      g_clear_pointer (&clauses[n], g_free);
      text = g_strjoinv (", ", clauses);
      if (left + 16 + ls_scene_width (s, m->label, text) > right)
        continue;
      ls_scene_text (s, right, base, m->label, LS_INK_QUIET, LS_RIGHT, text);
      return;
    }
}

/* The first and the last tile of a worker's own share; FALSE: it has none. */
static gboolean
share_of (const LsPartLane *p, guint worker, guint32 *first, guint32 *last)
{
  gboolean any = FALSE;

  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      if (ls_part_owner (e) != worker)
        continue;
      if (!any)
        *first = e->tile;
      *last = e->tile;
      any = TRUE;
    }
  return any;
}

static LsArea
tile_area (const LsPartLane *p, guint32 tile)
{
  gint64 row, n_rows, col, n_cols;

  if (!ls_tile_elements (p->tiling, tile, &row, &n_rows, &col, &n_cols))
    return p->matrix;
  return ls_matrix_cells (p, row, n_rows, col, n_cols);
}

/* A worker's number on its colour: at the left of its share of the tiles, or over it. */
static double
chip (const LsPartLane *p, guint worker, double x, double base)
{
  const LsMetrics *m = &p->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = p->layout->still;
  g_autofree char *number = g_strdup_printf ("%u", worker);
  const double w = ls_scene_width (s, bold, number) + 12, h = m->label.px * 1.3;
  LsItem *item;

  ls_scene_box (s, x, base - m->label.px * .36 - h / 2, w, h, LS_INK_WORKER, worker)->worker = worker;
  item = ls_scene_text (s, x + w / 2, base, bold, LS_INK_ON_WORKER, LS_CENTER, number);
  item->value = worker;
  item->worker = worker;
  return w;
}

static void
shares (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const double chip_h = m->label.px * 1.3;
  double end = p->matrix.x - 1, above = p->matrix.y;

  for (guint w = 0; w < p->trace->n_rows; w++)
    {
      guint32 first, last;
      LsArea from, to;

      if (!share_of (p, w, &first, &last))
        continue;
      from = tile_area (p, first);
      to = tile_area (p, last);
      if (!ls_part_beside (p))
        {
          /* the rows that are its own from the first column on */
          const double top = first % p->tiling->grid_cols == 0 ? from.y : from.y + from.h,
                       y = (MIN (top, to.y) + to.y + to.h) / 2;
          const double least = above + chip_h / 2,
                       most = p->matrix.y + p->matrix.h - (p->trace->n_rows - w - .5) * chip_h;
          const double middle = CLAMP (y, least, MAX (most, least));
          above = middle + chip_h / 2;
          chip (p, w, p->matrix.x - 8 - m->label.px * 1.4, middle + m->label.px * .36);
          continue;
        }
      if (from.x < end)
        continue;
      const double x = from.x + chip (p, w, from.x, p->caption_y) + 8;
      g_autofree char *all = g_strdup_printf (_("worker %u’s share, in its order"), w),
                      *brief = g_strdup_printf (_("worker %u’s share"), w);
      const char *words[] = { all, brief };
      end = x;
      for (guint i = 0; i < G_N_ELEMENTS (words) && end <= x; i++)
        if (x + ls_scene_width (s, m->tick, words[i]) < to.x + to.w)
          end = ls_item_right (ls_scene_text (s, x, p->caption_y, m->tick, LS_INK_QUIET, LS_LEFT, words[i]))
                + 8;
    }
  if (!ls_part_beside (p) && p->caption_y > 0)
    ls_scene_text (s, p->matrix.x, p->caption_y, m->tick, LS_INK_QUIET, LS_LEFT,
                   _("each worker’s tiles are numbered in its own order"));
}

void
ls_part_caption (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  const guint groups = p->tiling->grid_rows * p->tiling->grid_cols * MAX (p->tiling->splits, 1);

  if (p->trace == NULL)
    return;
  if (ls_lane_has_workers (p->lane))
    {
      if (p->shares)
        shares (p);
      return;
    }
  if (p->caption_y <= 0 || p->trace->known == LS_KNOWN_NOTHING || p->trace->n_ranks == 0)
    return;
  g_autofree char *last = ls_number_ordinal (p->trace->n_ranks);
  g_autofree char *order = g_strdup_printf (_("number and shade: done 1st to %s"), last);
  /* how a kernel cuts its output is its own text's doing */
  g_autofree char *all = g_strdup_printf (_("%s; groups are the kernel’s own, so no finer cut"), order);
  g_autofree char *brief = g_strdup_printf (_("done 1st to %s; the kernel’s own groups, so no finer cut"),
                                            last);
  const char *words[] = { groups < FEW_GROUPS ? all : order, groups < FEW_GROUPS ? brief : order, order };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (ls_scene_width (s, m->tick, words[i]) <= p->area.x + p->area.w - p->matrix.x)
      {
        ls_scene_text (s, p->matrix.x, p->caption_y, m->tick, LS_INK_QUIET, LS_LEFT, words[i]);
        return;
      }
}

void
ls_part_shape (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  g_autofree char *rows = ls_number_count ((guint64) p->tiling->rows),
                  *cols = ls_number_count ((guint64) p->tiling->cols);
  g_autofree char *shape = NULL, *text = NULL;

  if (p->caption_y <= 0 || p->trace == NULL)
    return;
  shape = g_strdup_printf (ngettext ("%s row of %s", "%s rows of %s", (gulong) p->tiling->rows), rows, cols);
  if (p->lying)
    text = g_strdup_printf (
      p->to_scale ? _("%s, drawn lying, true to shape") : _("%s, drawn lying, not to scale"), shape);
  else
    text = g_strdup_printf (p->to_scale ? _("%s, true to shape") : _("%s, not to scale"), shape);
  const double w = ls_scene_width (s, m->tick, text);
  /* never under the workers' numbers, which stand left of the matrix */
  const double right = p->matrix.x + MAX (p->matrix.w, w);
  if (right <= p->area.x + p->area.w + .5)
    ls_scene_text (s, right, p->matrix.y + p->matrix.h + m->tick.px * 1.2, m->tick, LS_INK_QUIET, LS_RIGHT,
                   text);
}
