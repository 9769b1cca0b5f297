/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines' rows where they don't all have room, and what is told while a network is converted.
 */
#include "tests/paint/machines/machines_rig.h"

#include "tests/paint/places.h"

static const LsItem *
text_with (const LsScene *s, const char *part)
{
  for (guint i = 0; i < s->items->len; i++)
    if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT && strstr (ls_scene_get (s, i)->text, part) != NULL)
      return ls_scene_get (s, i);
  return NULL;
}

/* Into the middle of its letters. */
static LsAct
click_text (Picture *p, const LsItem *item)
{
  return click (p, (double) (item->x + item->w / 2), ls_text_middle (item));
}

/* How many rows it says are above and below is how many there are; whose places aren't shown have none. */
static void
check_shown (const Picture *p)
{
  const LsMachines *m = machines_of (p);
  const guint above = m->shown, below = LS_MACHINES_N - m->shown - m->n_shown;
  g_autofree char *up = g_strdup_printf ("▴ %u more above", above),
                  *down = g_strdup_printf ("▾ %u more below", below);

  if ((text_with (p->layout->still, up) != NULL) != (above > 0)
      || (text_with (p->layout->still, "more above") != NULL) != (above > 0))
    g_error ("%u rows are above those that are shown, and it doesn’t say so", above);
  if ((text_with (p->layout->still, down) != NULL) != (below > 0)
      || (text_with (p->layout->still, "more below") != NULL) != (below > 0))
    g_error ("%u rows are below those that are shown, and it doesn’t say so", below);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    if ((m->rows[i].area.h > 0) != (i >= m->shown && i < m->shown + m->n_shown))
      g_error ("row %u of rows %u to %u %s a place", i, m->shown, m->shown + m->n_shown,
               m->rows[i].area.h > 0 ? "has" : "has no");
  if (m->n_shown == 0)
    return;
  /* one below the other, all alike, and clear of the words that say how many more there are */
  const LsArea first = m->rows[m->shown].area, last = m->rows[m->shown + m->n_shown - 1].area;
  const double line = p->layout->m.label.px;
  g_assert_cmpfloat_with_epsilon (last.y, first.y + (m->n_shown - 1) * first.h, .01);
  g_assert_cmpfloat_with_epsilon (last.h, first.h, .01);
  if (above > 0 && text_with (p->layout->still, up)->y > (float) first.y)
    g_error ("“%s” lies on row %u", up, m->shown);
  if (below > 0 && (double) text_with (p->layout->still, down)->y - line < last.y + last.h - .5)
    g_error ("“%s” lies on row %u", down, m->shown + m->n_shown - 1);
}

/* A click on what is more goes on by two rows, or as far as there are any, and picks none. */
static void
test_more (void)
{
  Picture p;
  const LsItem *more;
  guint clicks = 0;

  open_machines (&p, TRUE, NULL, 960, 600);
  check_shown (&p);
  g_assert_cmpuint (machines_of (&p)->shown, ==, 0);
  g_assert_cmpuint (machines_of (&p)->n_shown, >, 1);
  while ((more = text_with (p.layout->still, "more below")) != NULL)
    {
      const guint before = machines_of (&p)->shown, n = machines_of (&p)->n_shown;

      machines_asked (&p)->row = (gint) before;
      if (click_text (&p, more) != LS_ACT_CHANGED)
        g_error ("a click on “%s” is nothing", "more below");
      if (machines_asked (&p)->row != LS_MACHINES_NONE)
        g_error ("a click on what is more below picks row %d", machines_asked (&p)->row);
      const guint now = machines_of (&p)->shown;
      if (now <= before || now > before + 2 || (now < before + 2 && now + n < LS_MACHINES_N))
        g_error ("a click on what is more below goes from row %u to row %u", before, now);
      check_shown (&p);
      if (++clicks > LS_MACHINES_N)
        g_error ("after %u clicks there is still more below", clicks);
    }
  g_assert_cmpuint (clicks, >, 0);
  while ((more = text_with (p.layout->still, "more above")) != NULL)
    {
      const guint before = machines_of (&p)->shown;

      machines_asked (&p)->row = LS_MACHINES_NONE;
      if (click_text (&p, more) != LS_ACT_CHANGED)
        g_error ("a click on “%s” is nothing", "more above");
      const guint now = machines_of (&p)->shown;
      if (now != (before > 2 ? before - 2 : 0))
        g_error ("a click on what is more above goes from row %u to row %u", before, now);
      check_shown (&p);
    }
  g_assert_cmpuint (machines_of (&p)->shown, ==, 0);
  close_picture (&p);
}

/* Whether there is something of what moves in the row's small picture. */
static gboolean
has_picture (const Picture *p, guint row)
{
  const LsArea area = machines_of (p)->rows[row].area;
  const double right = machines_of (p)->name.x + machines_of (p)->name.w;

  for (guint i = 0; i < p->layout->moving->items->len; i++)
    {
      const LsScene *scene = p->layout->moving;
      const LsItem *item = ls_scene_get (scene, i);
      const float *at = item->n_points > 0 ? &g_array_index (scene->points, float, 2 * item->points)
                                           : &item->x;
      const double x = (double) at[0], y = (double) at[1];

      if (x < right && x >= right - ls_machines_picture_width (machines_of (p)) && y > area.y
          && y < area.y + area.h)
        return TRUE;
    }
  return FALSE;
}

/* Each row that is shown has its small picture, whichever is the first. */
static void
test_small_pictures (void)
{
  guint later = 0;

  for (double height = 400; height <= 840; height += 40)
    {
      Picture p;

      open_machines (&p, TRUE, NULL, 1920, height);
      for (guint first = 0; first < LS_MACHINES_N; first++)
        {
          machines_asked (&p)->first = first;
          draw (&p);
          const LsMachines *m = machines_of (&p);
          if (ls_machines_picture_width (m) < 24)
            continue;
          later += m->shown > 0;
          for (guint i = m->shown; i < m->shown + m->n_shown; i++)
            if (m->rows[i].machine != &ls_machine_spiking && m->rows[i].area.h - 3 * p.layout->m.unit >= 12
                && !has_picture (&p, i))
              g_error ("at 1920 × %g, of the rows %u to %u row %u has no picture", height, m->shown,
                       m->shown + m->n_shown - 1, i);
        }
      close_picture (&p);
    }
  g_assert_cmpuint (later, >, 0);
}

/* The picked row is among those that are shown, wherever these begin, in whatever height; what is said to be
 * below has room, too. */
static void
test_picked (void)
{
  for (double height = 400; height <= 840; height += 20)
    {
      Picture p;

      open_machines (&p, TRUE, NULL, 960, height);
      for (guint first = 0; first < LS_MACHINES_N; first++)
        for (gint row = LS_MACHINES_NONE; row < LS_MACHINES_N; row++)
          {
            machines_asked (&p)->first = first;
            machines_asked (&p)->row = row;
            draw (&p);
            const LsMachines *m = machines_of (&p);
            const LsItem *more = text_with (p.layout->still, "more below");
            if (row != LS_MACHINES_NONE && m->n_shown > 0
                && ((guint) row < m->shown || (guint) row >= m->shown + m->n_shown))
              g_error ("from row %u on, row %d is picked, and rows %u to %u are shown", first, row, m->shown,
                       m->shown + m->n_shown - 1);
            check_shown (&p);
            assert_faultless (p.layout);
            const double foot = m->name.y + m->name.h;
            if (more != NULL && (double) more->y > foot - p.layout->m.label.px * .3)
              g_error (
                "%g px high: with row %u as the first “%s” stands at %.0f, and the rows' place ends at %.0f",
                height, m->shown, more->text, (double) more->y, foot);
          }
      close_picture (&p);
    }
}

/* While a network is converted the opened row says what is being done and how far it is; the button stops it;
 * what was measured before stays, below that. */
static void
test_converting (void)
{
  static const struct {
    const char *converting, *says;
    guint done, n;
    double share;
  } cases[] = {
    { "training", "training", 3, 10, .3 },
    { "testing 8 bits", "testing 8 bits", 10, 10, 1 },
    { "", "waiting for the lanes to rest", 0, 0, 0 },
    { "training", "training", 12, 10, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint had = 0; had < 2; had++)
      {
        g_autoptr (LsConverted) int8 = ls_converted_new (LS_CONVERTED_INT8);
        const LsViewBeside beside = { .converted = { had ? int8 : NULL } };
        const LsItem *track = NULL, *bar = NULL;
        Picture p;

        int8->accuracy = ls_converted_figure (97.3, 500, "%", LS_EVIDENCE_MEASURED);
        int8->n_points = 1;
        int8->points[0] = (LsConvertedPoint){ 8, ls_converted_figure (97.1, 500, "%", LS_EVIDENCE_MEASURED) };
        int8->n_samples = 500;
        open_machines (&p, TRUE, &beside, 1920, 1080);
        p.data->live = TRUE;
        p.data->measuring.converting = g_intern_string (cases[i].converting);
        p.data->measuring.done = cases[i].done;
        p.data->measuring.n = cases[i].n;
        machines_asked (&p)->open = (gint) row_of ("int8");
        draw (&p);
        const LsScene *s = p.layout->still;
        const LsSlot *stop = slot (&p, LS_SLOT_LAB);
        if (stop == NULL || strcmp (stop->words, "Stop") != 0)
          g_error ("while it is converted the button says “%s”", stop != NULL ? stop->words : "nothing");
        const LsItem *words = text_with (s, cases[i].says);
        if (words == NULL || (double) words->y < (double) (stop->y + stop->h))
          g_error ("below the button isn’t said “%s”", cases[i].says);
        for (guint k = 0; k < s->items->len; k++)
          {
            const LsItem *item = ls_scene_get (s, k);
            if (item->kind != LS_ITEM_BOX || fabs ((double) item->h - 4) > .1
                || fabs ((double) (item->x - words->x)) > .1 || item->y < words->y)
              continue;
            *(item->ink == LS_INK_TRACK ? &track : &bar) = item;
          }
        if (track == NULL || bar == NULL)
          g_error ("how far “%s” is has no bar", cases[i].says);
        if (bar->y != track->y || fabs ((double) (bar->w / track->w) - cases[i].share) > .01)
          g_error ("at %u of %u the bar is %.2f long", cases[i].done, cases[i].n,
                   (double) (bar->w / track->w));
        const LsItem *curve = text_with (s, "right by bits");
        if ((curve != NULL) != had)
          g_error ("what was measured before %s", had ? "is gone" : "is told, and there is nothing");
        if (had && (double) (curve->y - curve->type.px * .8f) < (double) (track->y + track->h))
          g_error ("what was measured before lies on the bar");
        if (text_with (s, "Not tried for this network") != NULL)
          g_error ("while it is tried it says that it wasn’t");
        assert_faultless (p.layout);
        close_picture (&p);
      }
}

/* Below a curve stands what it is of: of so many samples, with a file's weights or with those that were
 * trained for it, in so many steps. */
static void
test_curve (void)
{
  for (guint spikes = 0; spikes < 2; spikes++)
    for (guint file = 0; file < 2; file++)
      {
        g_autoptr (LsConverted) int8 = ls_converted_new (LS_CONVERTED_INT8),
                                spiking = ls_converted_new (LS_CONVERTED_SPIKING);
        const LsViewBeside beside = { .converted = { int8, spiking } };
        LsConverted *result = spikes ? spiking : int8;
        const char *begin = spikes ? "right by time steps, dashed: as floats; 500 samples"
                                   : "right by bits, dashed: as floats; 500 samples",
                   *end = file ? ", weights of digits.safetensors"
                               : "; a network trained anew for this, apart from the lanes, for 321 steps";
        g_autofree char *how = g_strconcat (begin, end, NULL);
        Picture p;

        result->accuracy = ls_converted_figure (97.3, 500, "%", LS_EVIDENCE_MEASURED);
        result->n_points = 2;
        for (guint i = 0; i < 2; i++)
          result->points[i]
            = (LsConvertedPoint){ 8 - i, ls_converted_figure (87.1 - i, 500, "%", LS_EVIDENCE_MEASURED) };
        result->n_samples = 500;
        result->trained = 321;
        result->weights = file ? g_strdup ("digits.safetensors") : NULL;
        open_machines (&p, TRUE, &beside, 1920, 1080);
        machines_asked (&p)->open = (gint) row_of (spikes ? "spiking" : "int8");
        draw (&p);
        if (!told (&p, how))
          g_error ("of the curve isn’t said “%s”", how);
        /* a line through a dot for each, from left to right and downwards, as the figures are */
        const LsScene *still = p.layout->still;
        guint curves = 0;
        for (guint i = 1; i < still->items->len; i++)
          {
            const LsItem *dots = ls_scene_get (still, i), *line = ls_scene_get (still, i - 1);
            const float *at = &g_array_index (still->points, float, (gsize) 2 * line->points);
            if (dots->kind != LS_ITEM_DOTS || line->kind != LS_ITEM_LINE || dots->n_points != 2
                || line->n_points != 2)
              continue;
            g_assert_true (dots->evidence == LS_EVIDENCE_MEASURED && line->evidence == LS_EVIDENCE_MEASURED);
            g_assert_cmpmem (at, 4 * sizeof *at, at + 2 * (dots->points - line->points), 4 * sizeof *at);
            curves += at[2] > at[0] + 10 && at[3] > at[1] + 1;
            const LsItem *below = text_with (still, begin); /* they begin at the same edge, but for the scale
                                                             */
            if (below == NULL || at[0] < below->x || at[0] > below->x + 150)
              g_error ("the curve begins at %.0f px, and what is said of it at %.0f", (double) at[0],
                       below != NULL ? (double) below->x : -1);
          }
        if (curves != 1)
          g_error ("two figures, the second of which is lower, are drawn as %u curves", curves);
        /* the scale begins at the whole ten below the least that was measured */
        double low = HUGE_VAL, high = 0;
        for (guint i = 0; i < p.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (p.layout->still, i);
            if (item->kind != LS_ITEM_TEXT || !g_ascii_isdigit (item->text[0]) || strlen (item->text) > 6
                || !g_str_has_suffix (item->text, "%") || item->type.px != p.layout->m.tick.px)
              continue;
            low = MIN (low, g_ascii_strtod (item->text, NULL));
            high = MAX (high, g_ascii_strtod (item->text, NULL));
          }
        if (fabs (low - 80) > .1 || fabs (high - 100) > .1)
          g_error ("of 86.1 to 97.3 %% the scale goes from %g to %g", low, high);
        assert_faultless (p.layout);
        close_picture (&p);
      }
}

/* A machine that is like both lanes' devices is the first one's; one that is like one of them is that one's.
 */
static void
test_sides (void)
{
  for (guint both = 0; both < 2; both++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (both ? &ls_fixture_cores : &ls_fixture_desk);
      guint like = 0;
      Picture p;

      start_picture (&p, ls_view_find ("machines"), ls_view_data_from_recording (recording, NULL), NULL, 1920,
                     1080);
      for (guint i = 0; i < LS_MACHINES_N; i++)
        {
          const LsMachinesRow *row = &machines_of (&p)->rows[i];
          gint side = -1;

          for (gint k = LS_SIDES - 1; k >= 0; k--)
            if (ls_held_like (row->machine, p.data->sides[k].recorded->device))
              side = k;
          if (row->side != side)
            g_error ("%s: the machine “%s” is that of side %d, not of %d", both ? "cores" : "a desk",
                     row->machine->name, row->side, side);
          like += side >= 0;
        }
      g_assert_cmpuint (like, >, 0);
      close_picture (&p);
    }
}

/* Names, clock and assumptions share the width, with the same gap between each two. */
static void
test_columns (void)
{
  static const struct {
    double w, h;
    LsLook look;
  } sizes[] = { { 960, 600, LS_LOOK_LIGHT },
                { 1280, 800, LS_LOOK_LIGHT },
                { 1920, 1080, LS_LOOK_LIGHT },
                { 1920, 1080, LS_LOOK_PROJECTOR } };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      draw_at (&p, sizes[i].w, sizes[i].h, sizes[i].look);
      const LsMachines *m = machines_of (&p);
      const LsMetrics *metrics = &p.layout->m;
      const double gap = 3 * metrics->unit, one = m->clock.x - m->name.x - m->name.w,
                   other = m->fields.x - m->clock.x - m->clock.w;

      if (fabs (one - gap) > .01 || fabs (other - gap) > .01)
        g_error ("%g×%g: %.1f px between names and clock, %.1f between that and the assumptions, not %.1f",
                 sizes[i].w, sizes[i].h, one, other, gap);
      g_assert_cmpfloat_with_epsilon (m->name.x, metrics->margin, .01);
      g_assert_cmpfloat_with_epsilon (m->fields.x + m->fields.w, sizes[i].w - metrics->margin, .01);
      g_assert_true (m->name.w > 100 && m->clock.w > m->name.w && m->clock.w > m->fields.w);
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines-rows/small-pictures", test_small_pictures);
  g_test_add_func ("/paint/machines-rows/more", test_more);
  g_test_add_func ("/paint/machines-rows/picked", test_picked);
  g_test_add_func ("/paint/machines-rows/curve", test_curve);
  g_test_add_func ("/paint/machines-rows/sides", test_sides);
  g_test_add_func ("/paint/machines-rows/converting", test_converting);
  g_test_add_func ("/paint/machines-rows/columns", test_columns);
  return g_test_run ();
}
