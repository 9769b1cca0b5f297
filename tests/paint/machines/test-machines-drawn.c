/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines' bars, piece by piece: each begins where the one before it ends, has its own op's name in its
 * middle, and an arrow where it goes on; the lines that the clock crosses; and where keys lead from field to
 * field of a row that isn't opened.
 */
#include "tests/paint/machines/machines_rig.h"

#include "machines/systolic.h"
#include "tests/paint/places.h"

static const float *
points_of (const LsScene *s, const LsItem *item)
{
  return &g_array_index (s->points, float, 2 * item->points);
}

/* The bar that the item lies in; LS_MACHINES_N: none. */
static guint
bar_of (const Picture *p, double y)
{
  const LsMachines *m = machines_of (p);
  guint i = m->shown;

  while (i < m->shown + m->n_shown && (y < m->rows[i].bar.y || y > m->rows[i].bar.y + m->rows[i].bar.h))
    i++;
  return i < m->shown + m->n_shown ? i : LS_MACHINES_N;
}

/* Pale from the beginning to the end of its run, without a gap that could be seen and without lying over one
 * another; what is dark when all is over is the same. */
static void
test_pieces (void)
{
  static const double widths[] = { 960, 1280, 1920 };
  guint pieces = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    {
      draw_at (&p, widths[w], widths[w] / 16 * 10, LS_LOOK_LIGHT);
      const LsMachines *m = machines_of (&p);
      for (guint i = m->shown; i < m->shown + m->n_shown; i++)
        for (guint dark = 0; dark < 2; dark++)
          {
            const LsScene *s = dark ? p.layout->moving : p.layout->still;
            double right = x_of (&p, 0);

            for (guint k = 0; k < s->items->len; k++)
              {
                const LsItem *item = ls_scene_get (s, k);
                if (item->kind != LS_ITEM_HATCH || bar_of (&p, (double) item->y + 1) != i)
                  continue;
                if (fabs ((double) item->x - right) > (dark ? 1e9 : 3.5) || (double) item->x < right - .6)
                  g_error ("%s: a piece begins at %.1f px, and the one before it ends at %.1f",
                           m->rows[i].machine->name, (double) item->x, right);
                g_assert_cmpfloat ((double) item->w, >, 0);
                right = (double) item->x + (double) item->w;
                pieces++;
              }
            if (!dark && fabs (right - x_of (&p, MIN (m->rows[i].run->seconds, m->end) * 1e9)) > 3.5)
              g_error ("%s: its bar ends at %.1f px, and its run at %.1f", m->rows[i].machine->name, right,
                       x_of (&p, m->rows[i].run->seconds * 1e9));
          }
    }
  g_assert_cmpuint (pieces, >, 40);
  close_picture (&p);
}

/* Each name stands in the middle of the time that its op takes, on a plate of its own. */
static void
test_names (void)
{
  guint names = 0, plates = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  draw_moment (&p, LS_TIME_END);
  const LsMachines *m = machines_of (&p);
  const LsScene *s = p.layout->moving;
  for (guint k = 0; k < s->items->len; k++)
    {
      const LsItem *item = ls_scene_get (s, k);
      const gboolean text = item->kind == LS_ITEM_TEXT;
      const double x = (double) item->x + (double) item->w / 2,
                   y = text ? ls_text_middle (item) : (double) item->y + (double) item->h / 2;
      const guint i = bar_of (&p, y);

      if (i == LS_MACHINES_N || m->rows[i].run->seconds > m->end
          || (!text && (item->kind != LS_ITEM_BOX || item->ink != LS_INK_WINDOW)))
        continue;
      g_assert_cmpfloat_with_epsilon (y, m->rows[i].bar.y + m->rows[i].bar.h / 2, .6);
      g_assert_cmpfloat ((double) item->h, <=, m->rows[i].bar.h);
      const GArray *ops = m->rows[i].run->ops;
      const LsMachineOp *at = NULL;
      for (guint o = 0; o < ops->len; o++)
        {
          const LsMachineOp *op = &g_array_index (ops, LsMachineOp, o);
          if (x >= x_of (&p, op->start * 1e9) && x <= x_of (&p, (op->start + op->seconds) * 1e9))
            at = op;
        }
      g_assert_nonnull (at);
      if (fabs (x - x_of (&p, (at->start + at->seconds / 2) * 1e9)) > 2)
        g_error ("%s: “%s” isn't in the middle of its piece", m->rows[i].machine->name,
                 text ? item->text : "a plate");
      if (text && strcmp (item->text, ls_machine_op_symbol (m->plan, at->op)) != 0)
        g_error ("%s: “%s” stands on the piece of %s", m->rows[i].machine->name, item->text,
                 ls_machine_op_symbol (m->plan, at->op));
      names += text;
      plates += !text;
    }
  g_assert_cmpuint (names, >, 3);
  if (plates != names)
    g_error ("%u names stand on %u plates in the middle of their bars", names, plates);
  close_picture (&p);
}

/* What takes longer than the axis goes on: an arrow at the bar's end, as high as that, its tip to the right.
 */
static void
test_arrow (void)
{
  const guint fpga = row_of ("fpga");
  guint arrows = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  ls_machines_say (machines_asked (&p), fpga, (guint) ls_machine_find_assumption (&ls_machine_fpga, "clock"),
                   1);
  draw (&p);
  const LsMachines *m = machines_of (&p);
  const LsArea bar = m->rows[fpga].bar;
  const double end = x_of (&p, m->end * 1e9);
  for (guint k = 0; k < p.layout->still->items->len; k++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, k);
      const float *at = points_of (p.layout->still, item);

      if (item->kind != LS_ITEM_AREA || item->n_points != 3 || bar_of (&p, (double) at[3]) != fpga
          || (double) at[0] >= m->fields.x)
        continue;
      if (fabs ((double) at[0] - end) > 2 || fabs ((double) at[4] - end) > 2 || (double) at[2] <= end + 3)
        g_error ("the arrow goes from %.1f to %.1f px, and the bar ends at %.1f", (double) at[0],
                 (double) at[2], end);
      g_assert_cmpfloat_with_epsilon ((double) (at[5] - at[1]), bar.h, .5);
      g_assert_cmpfloat_with_epsilon ((double) at[3], bar.y + bar.h / 2, .5);
      g_assert_cmpuint (item->evidence, ==, LS_EVIDENCE_MODELLED);
      arrows++;
    }
  g_assert_cmpuint (arrows, ==, 1);
  close_picture (&p);
}

/* The moment's line crosses each bar that isn't over, and goes round the time that stands behind one that is;
 * the moment stands at the axis above it, in the place of any number there. */
static void
test_line (void)
{
  enum { MOMENTS = 100 };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  const double zero = x_of (&p, 0), scale = (x_of (&p, 1e5) - zero) / 1e5;
  for (guint share = 1; share < MOMENTS; share++)
    {
      draw_moment (&p, p.layout->span_ns * share / MOMENTS);
      const LsMachines *m = machines_of (&p);
      const LsScene *s = p.layout->moving;
      const double now = (double) (p.layout->span_ns * share / MOMENTS), x = zero + scale * now;
      guint crossed[LS_MACHINES_N + 1] = { 0 };
      const LsItem *plate = NULL;

      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          const float *at = points_of (s, item);
          if (item->kind == LS_ITEM_LINE && item->n_points == 2 && fabs ((double) at[0] - x) < 1.5)
            {
              g_assert_cmpfloat ((double) at[0], ==, (double) at[2]);
              crossed[bar_of (&p, (double) (at[1] + at[3]) / 2)]++;
            }
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT
              && fabs ((double) item->y + (double) item->h / 2 - m->ticks_y) < 10)
            plate = item;
        }
      for (guint i = m->shown; i < m->shown + m->n_shown; i++)
        {
          const double seconds = m->rows[i].run->seconds * 1e9;
          if (seconds > now
                ? crossed[i] != 1
                : x > zero + scale * seconds + 1.5 && x < zero + scale * seconds + 40 && crossed[i] != 0)
            g_error ("at %u of 100 the line crosses the bar of %s %u times", share, m->rows[i].machine->name,
                     crossed[i]);
        }
      if (plate == NULL)
        g_error ("at %u of 100 the moment has no plate", share);
      g_assert_cmpfloat ((double) plate->x, >=, m->clock.x - .1);
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          if (item->kind == LS_ITEM_TEXT && item->ink == LS_INK_QUIET
              && fabs ((double) item->y - m->ticks_y) < 1
              && (double) item->x < (double) (plate->x + plate->w) + m->layout->m.unit
              && (double) (item->x + item->w) > (double) plate->x - m->layout->m.unit)
            g_error ("at %u of 100 the moment stands over, or close at, “%s”", share, item->text);
        }
    }
  close_picture (&p);
}

/* Right goes from each field of the picked row to the one right of it, and from the last to the first; left
 * goes back. Nothing is picked: there is nowhere to go but to a row. */
static void
test_keys (void)
{
  guint rows = 0;
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  g_assert_cmpint (press (&p, LS_KEY_LEFT), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_NONE);
  g_assert_cmpint (press (&p, LS_KEY_UP), ==, LS_ACT_CHANGED);
  g_assert_cmpint (machines_asked (&p)->row, ==, LS_MACHINES_N - 1);
  for (gint row = 0; row < LS_MACHINES_N; row++)
    {
      guint fields[LS_MACHINE_MAX_ASSUMPTIONS], n = 0;
      const GArray *places = machines_of (&p)->places;

      for (guint i = 0; i < places->len; i++)
        if ((gint) g_array_index (places, LsMachinesField, i).row == row)
          {
            fields[n++] = g_array_index (places, LsMachinesField, i).which;
            if (n > 1)
              g_assert_cmpfloat (g_array_index (places, LsMachinesField, i).area.x, >,
                                 g_array_index (places, LsMachinesField, i - 1).area.x);
          }
      if (n < 2)
        continue;
      rows++;
      for (guint back = 0; back < 2; back++)
        {
          machines_asked (&p)->row = row;
          machines_asked (&p)->field = LS_MACHINES_NONE;
          draw (&p);
          for (guint k = 0; k <= n; k++)
            {
              const guint should = fields[back ? (2 * n - 1 - k) % n : k % n];
              g_assert_cmpint (press (&p, back ? LS_KEY_LEFT : LS_KEY_RIGHT), ==, LS_ACT_CHANGED);
              if (machines_asked (&p)->row != row || machines_asked (&p)->field != (gint) should)
                g_error ("%s: %u times to the %s leads to field %d, not %u",
                         machines_of (&p)->rows[row].machine->name, k + 1, back ? "left" : "right",
                         machines_asked (&p)->field, should);
            }
        }
      g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_ASK);
      g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED); /* the field, then the row */
      g_assert_cmpint (machines_asked (&p)->row, ==, row);
      g_assert_cmpint (machines_asked (&p)->field, ==, LS_MACHINES_NONE);
      g_assert_cmpint (press (&p, LS_KEY_UP), ==, row > 0 ? LS_ACT_CHANGED : LS_ACT_NONE);
      g_assert_cmpint (machines_asked (&p)->row, ==, MAX (row - 1, 0));
      g_assert_cmpint (press (&p, LS_KEY_LET_GO), ==, LS_ACT_CHANGED);
      g_assert_cmpint (machines_asked (&p)->row, ==, LS_MACHINES_NONE);
    }
  g_assert_cmpuint (rows, >, 4);
  g_assert_cmpint (press (&p, LS_KEY_PICK), ==, LS_ACT_CHANGED); /* the first, where none is picked */
  g_assert_cmpint (machines_asked (&p)->open, ==, 0);
  g_assert_cmpint (machines_asked (&p)->row, ==, 0);
  close_picture (&p);
}

/* ---- the opened row ---- */

/* As far along the slider as it says: what is dark, the knob in its middle, and the number behind it. */
static void
test_slider (void)
{
  static const double shares[] = { .05, .3, .75, 1 };
  const guint simt = row_of ("simt");
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  machines_asked (&p)->open = (gint) simt;
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      guint dark = 0, knobs = 0, tracks = 0;

      ls_machines_say (machines_asked (&p), simt,
                       (guint) ls_machine_find_assumption (&ls_machine_simt, "occupancy"), shares[i]);
      draw (&p);
      const LsArea at = machines_of (&p)->slider;
      g_autofree char *words = g_strdup_printf ("%.0f %%", 100 * shares[i]);
      const LsItem *number = NULL;
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          const double middle = (double) item->y + (double) item->h / 2, x = (double) item->x;

          if (item->kind == LS_ITEM_TEXT && x > at.x + at.w
              && fabs (ls_text_middle (item) - at.y - at.h / 2) < 1)
            number = number == NULL || item->x < number->x ? item : number;
          if (item->kind != LS_ITEM_BOX || fabs (middle - at.y - at.h / 2) > .6 || x < at.x - 10
              || x > at.x + at.w)
            continue;
          tracks += item->ink == LS_INK_TRACK && fabs (x - at.x) < .1 && fabs ((double) item->w - at.w) < .1;
          dark += item->ink == LS_INK_TEXT && item->h < 8 && fabs (x - at.x) < .1
                  && fabs ((double) item->w - at.w * shares[i]) < .1;
          knobs += item->ink == LS_INK_TEXT && item->h == item->w && item->h > 8
                   && fabs (x + (double) item->w / 2 - at.x - at.w * shares[i]) < .6;
        }
      if (tracks != 1 || dark != 1 || knobs != 1)
        g_error ("%s: %u tracks, %u dark parts as long as that, %u knobs there", words, tracks, dark, knobs);
      g_assert_nonnull (number);
      if (g_ascii_strtod (number->text, NULL) != round (100 * shares[i]))
        g_error ("“%s” stands behind a slider at %s", number->text, words);
    }
  close_picture (&p);
}

/* Beat by beat the array says where it is, what stays, what flows; below its cells are the sums, as wide as
 * they are, and the frame is around one of the cells. */
static void
test_systolic (void)
{
  const guint row = row_of ("systolic");
  Picture p;
  guint loading = 0, running = 0;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  machines_asked (&p)->open = (gint) row;
  draw (&p);
  for (guint k = 0; k < machines_of (&p)->works->len; k++)
    {
      const LsMachines *m = machines_of (&p);
      const LsMachineWork *work = &g_array_index (m->works, LsMachineWork, k);
      LsMachineOp at = { 0 };
      LsSystolic array;
      LsSystolicCut cut;

      for (guint o = 0; o < m->rows[row].run->ops->len; o++)
        if (g_array_index (m->rows[row].run->ops, LsMachineOp, o).op == work->op)
          at = g_array_index (m->rows[row].run->ops, LsMachineOp, o);
      if (work->k == 0 || at.seconds <= 0)
        continue;
      ls_systolic_machine (m->rows[row].assumed.value, work, &array, &cut);
      const char *a = m->plan->tensors[work->a].symbol, *b = m->plan->tensors[work->b].symbol;
      g_autofree char *op = g_strdup (m->plan->ops[work->op].symbol),
                      *tiles = ls_number_count ((guint64) cut.tiles), *stays = g_strdup (cut.turned ? a : b),
                      *flows = g_strdup (cut.turned ? b : a);
      for (guint share = 0; share < 8; share++)
        {
          const double beat = share == 0 ? array.rows / 2 + .5 : cut.beats * share / 8.;
          const double slow = ls_machines_slow (machines_of (&p), row);

          draw_moment (&p, (gint64) ((at.start + at.seconds * beat / cut.beats) * slow * 1e9));
          g_autofree char *all = all_texts (p.layout->moving, " "),
                          *begin = g_strdup_printf ("%s, beat ", op),
                          *of = g_strdup_printf (" on each of 2 arrays, tile %s of %s, ",
                                                 share == 0 ? "1" : "", tiles),
                          *first = g_strdup_printf ("loading: the first numbers of %s are loaded, a row of "
                                                    "cells a beat.",
                                                    stays),
                          *coming = g_strdup_printf ("with %s coming in, and %s in the cells.", flows, stays),
                          *enter = g_strdup_printf ("Numbers of %s enter from the left", flows);
          if (strstr (all, begin) == NULL)
            g_error ("“%s” isn't said: %s", begin, all);
          if (share == 0)
            {
              if (strstr (all, of) == NULL || strstr (all, first) == NULL)
                g_error ("“%s”, “%s” isn't said: %s", of, first, all);
              loading++;
            }
          else if (beat > array.rows + 1)
            {
              const double since = floor (beat) - array.rows, every = MAX (cut.flows, (double) array.rows);
              g_autofree char *nth = ls_number_count ((guint64) MIN (1 + floor (since / every), cut.tiles)),
                              *now = g_strdup_printf (", tile %s of %s, ", nth, tiles);

              /* the moment is rounded, where a tile begins it is the one or the other */
              if (fmod (since, every) > 2 && fmod (since, every) < every - 2 && strstr (all, now) == NULL)
                g_error ("%.0f beats after the array was loaded isn't said “%s”: %s", since, now, all);
              if (strstr (all, coming) == NULL && strstr (all, enter) == NULL)
                g_error ("neither “%s” nor “%s” is said: %s", coming, enter, all);
              running++;
            }
          const LsItem *cells = NULL, *sums = NULL, *frame = NULL;
          for (guint i = 0; i < p.layout->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (p.layout->moving, i);
              if (item->kind == LS_ITEM_IMAGE && item->ink == LS_INK_SIGN)
                *(cells == NULL ? &cells : &sums) = item;
              frame = item->kind == LS_ITEM_FRAME && cells != NULL ? item : frame;
            }
          if (cells == NULL)
            continue;
          if (sums == NULL || frame == NULL)
            g_error ("%s: the cells have no %s", op, sums == NULL ? "sums below them" : "frame");
          g_assert_cmpfloat ((double) sums->x, ==, (double) cells->x);
          g_assert_cmpfloat ((double) sums->w, ==, (double) cells->w);
          g_assert_cmpfloat ((double) sums->y, >, (double) (cells->y + cells->h));
          g_assert_true (frame->x > cells->x && frame->x + frame->w < cells->x + cells->w);
          g_assert_true (frame->y > cells->y && frame->y + frame->h < cells->y + cells->h);
        }
    }
  g_assert_cmpuint (MIN (loading, running), >, 2);
  close_picture (&p);
}

/* Of each assumption is told from where to where it may go, the least first. */
static void
test_told (void)
{
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    for (guint k = 0; k < machines_of (&p)->rows[i].machine->n_assumptions; k++)
      {
        const LsAssumption *row = &machines_of (&p)->rows[i].machine->assumptions[k];
        g_auto (GStrv) told_words = ls_machines_told (machines_of (&p), i, k);
        g_autofree char *least = ls_machines_value (row, row->min), *most = ls_machines_value (row, row->max),
                        *range = g_strdup_printf ("from %s to %s", least, most);

        g_assert_true (g_str_has_suffix (told_words[0], range)
                       && g_str_has_prefix (told_words[0], row->title));
        g_assert_cmpstr (told_words[g_strv_length (told_words) - 1], ==, range);
        for (guint w = 1; told_words[w] != NULL && w < 4; w++) /* ever shorter */
          g_assert_cmpuint (strlen (told_words[w]), <=, strlen (told_words[w - 1]));
      }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines-drawn/pieces", test_pieces);
  g_test_add_func ("/paint/machines-drawn/names", test_names);
  g_test_add_func ("/paint/machines-drawn/arrow", test_arrow);
  g_test_add_func ("/paint/machines-drawn/line", test_line);
  g_test_add_func ("/paint/machines-drawn/keys", test_keys);
  g_test_add_func ("/paint/machines-drawn/slider", test_slider);
  g_test_add_func ("/paint/machines-drawn/systolic", test_systolic);
  g_test_add_func ("/paint/machines-drawn/told", test_told);
  return g_test_run ();
}
