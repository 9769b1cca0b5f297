/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must not be lost of claims at any size: words, powers of ten, numbers, which page is chosen.
 */
#include "claims_rig.h"

#include <math.h>
#include <string.h>

/* Where a share of what is claimed stands, by the scale's ends alone. */
static double
place_of (const Picture *p, double share)
{
  const LsAxis *axis = &geometry (p)->axis;

  return axis->from + (axis->to - axis->from) * log (share / axis->low) / log (axis->high / axis->low);
}

static const struct {
  double width, height;
  LsLook look;
} sizes[] = { { 960, 600, LS_LOOK_LIGHT },
              { 1280, 800, LS_LOOK_LIGHT },
              { 1920, 1080, LS_LOOK_LIGHT },
              { 1920, 1080, LS_LOOK_PROJECTOR } };

/* How one reads a sentence is whole in its row. */
static void
test_whole (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Picture p;

      open_picture (&p, FALSE, sizes[i].width, sizes[i].height);
      draw_at (&p, sizes[i].width, sizes[i].height, sizes[i].look);
      for (guint k = geometry (&p)->first; k < geometry (&p)->end; k++)
        for (guint n = 0; n < p.layout->still->items->len; n++)
          {
            const LsItem *item = ls_scene_get (p.layout->still, n);
            const LsClaimsPlace place = geometry (&p)->places[k];

            if (item->kind == LS_ITEM_TEXT && (double) item->y > place.y
                && (double) item->y < place.y + place.h && strstr (item->text, "…") != NULL
                && strstr (item->text, " … ") == NULL)
              g_test_fail_printf ("%g px: “%s” is cut", sizes[i].width, item->text);
          }
      close_picture (&p);
    }
}

/* Opened, a row gives its verdict's whole note; how many have one that is longer than the brief one. */
static guint
assert_notes (Picture *p, double width)
{
  guint n = 0;

  for (guint i = 0; i < p->data->claims->n; i++)
    {
      const LsClaimRow *row = &p->data->claims->rows[i];
      g_autofree char *note = row->result != NULL ? ls_claim_note_text (row->claim, row->result) : NULL,
                      *brief = row->result != NULL ? ls_claim_note_brief (row->claim, row->result) : NULL;

      if (note == NULL || g_strcmp0 (note, brief) == 0 || row->claim->n_instead > 2)
        continue;
      n++;
      ((LsClaimsState *) p->state)->open = (gint) i;
      draw (p);
      if (!told (p, note))
        g_test_fail_printf ("%g px: the opened row doesn't say “%s”", width, note);
    }
  return n;
}

/* There are rows to compare at every size, each with where it was read, and a row that is opened says the
 * source's whole title. */
static void
test_many (void)
{
  static const guint least[] = { 4, 5, 7, 4 };
  guint whole = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const gboolean brief = sizes[i].width < 1280 || sizes[i].look == LS_LOOK_PROJECTOR;
      Picture p;
      guint n = 0, sources = 0;

      open_picture (&p, FALSE, sizes[i].width, sizes[i].height);
      draw_at (&p, sizes[i].width, sizes[i].height, sizes[i].look);
      n = geometry (&p)->end - geometry (&p)->first;
      if (n < least[i])
        g_test_fail_printf ("%g px: only %u rows are shown", sizes[i].width, n);
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          sources += item->kind == LS_ITEM_TEXT
                     && g_str_has_prefix (item->text, brief ? "example.org" : "Lee et al.");
        }
      if (sources != n)
        g_test_fail_printf ("%g px: %u of %u rows say where they were read", sizes[i].width, sources, n);
      ((LsClaimsState *) p.state)->open = ROW_BOTH;
      draw (&p);
      if (!told (&p, "Lee et al.: Debunking the 100X GPU vs. CPU Myth"))
        g_test_fail_printf ("%g px: the opened row lacks its title", sizes[i].width);
      whole += assert_notes (&p, sizes[i].width);
      assert_faultless (p.layout);
      close_picture (&p);
    }
  g_assert_cmpuint (whole, >, 0);
}

/* In a hall an opened row has below it what came out, and as much room as that takes. */
static void
test_hall (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  ((LsClaimsState *) p.state)->open = ROW_BOTH;
  draw_at (&p, 1920, 1080, LS_LOOK_PROJECTOR);
  const LsClaimsPicture *c = geometry (&p);
  const double end = c->body.y + c->body.h, line = c->layout->m.label.px * 1.4;
  double last = 0;
  g_assert_true (told (&p, "What came out"));
  for (guint k = 0; k < p.layout->still->items->len; k++)
    {
      const LsItem *item = ls_scene_get (p.layout->still, k);
      if (item->kind == LS_ITEM_TEXT && (double) item->y > c->body.y && (double) item->y < end)
        last = MAX (last, (double) item->y);
    }
  g_assert_cmpfloat (last, >, c->body.y + line);
  if (end - last > 2.5 * line)
    g_error ("below the opened row %.0f px are left empty after the last line", end - last);
  close_picture (&p);
}

/* The powers of ten beside 1 are named at every size. */
static void
test_ticks (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Picture p;
      guint n = 0;

      open_picture (&p, FALSE, sizes[i].width, sizes[i].height);
      draw_at (&p, sizes[i].width, sizes[i].height, sizes[i].look);
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          n += item->kind == LS_ITEM_TEXT
               && (g_str_equal (item->text, "1/10") || g_str_equal (item->text, "10"));
        }
      if (n != 2)
        g_test_fail_printf ("%g px: 1/10 and 10 aren't both there", sizes[i].width);
      close_picture (&p);
    }
}

/* An outcome wherever it lies in a range: its number is there, and the range's edges aren't under it, or are
 * interrupted. */
static void
test_edges (void)
{
  Picture p;

  open_picture (&p, FALSE, 960, 600);
  LsClaimFinding *f = &((LsClaims *) geometry (&p)->claims)->rows[ROW_RANGE].result->findings[0];
  for (double value = 11; value < 100; value *= 1.1)
    {
      g_autofree char *text = NULL;
      double x = 0, w = 0;
      gboolean interrupted = FALSE;

      f->figure.value = value;
      text = ls_claim_number_text (geometry (&p)->claims->rows[ROW_RANGE].claim, value);
      draw (&p);
      for (guint k = 0; k < p.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, k);
          if (item->kind != LS_ITEM_TEXT || !g_str_equal (item->text, text))
            continue;
          x = (double) item->x;
          w = (double) item->w;
          interrupted = k > 0 && item[-1].kind == LS_ITEM_BOX && item[-1].ink == LS_INK_VIEW;
        }
      if (w <= 0)
        g_test_fail_printf ("%s isn't there", text);
      for (guint k = 0; k < 2; k++)
        if (!interrupted && place_of (&p, k == 0 ? 1 : 10) > x - 1
            && place_of (&p, k == 0 ? 1 : 10) < x + w + 1)
          g_test_fail_printf ("%s lies on the range's edge", text);
    }
  close_picture (&p);
}

/* An address is whole where it has room; else its end is left out, as little as goes, in whole letters. */
static void
test_address (void)
{
  Picture p;
  gboolean cut = FALSE;

  open_picture (&p, FALSE, 960, 700);
  LsHardwareSource *from = p.data->claims->rows[ROW_NOT_BEGUN].claim->source;
  for (guint n = 1; n < 90; n++)
    {
      GString *address = g_string_new ("https://");
      const LsItem *shown = NULL;

      for (guint i = 0; i < n; i++)
        g_string_append (address, i % 2 == 0 ? "ü" : "n");
      g_free (from->address);
      from->address = g_string_free (address, FALSE);
      ((LsClaimsState *) p.state)->open = ROW_NOT_BEGUN;
      draw (&p);
      const LsSlot *place = slot (&p, LS_SLOT_SOURCE);
      const LsScene *s = p.layout->still;
      for (guint i = 0; i < s->items->len; i++)
        if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT
            && g_str_has_prefix (ls_scene_get (s, i)->text, "https://"))
          shown = ls_scene_get (s, i);
      if (shown == NULL || place == NULL)
        g_error ("an address of %u letters isn’t there, or opens nothing", n);
      if (!g_utf8_validate (shown->text, -1, NULL))
        g_error ("of %u letters the last that is shown is half a one", n);
      const gboolean fits = ls_scene_width (s, shown->type, from->address) <= (double) place->w,
                     whole = strcmp (shown->text, from->address) == 0;
      if (whole != fits)
        g_error ("an address of %u letters, which %s, is shown as “%s”", n, fits ? "has room" : "is too long",
                 shown->text);
      if (whole)
        continue;
      cut = TRUE;
      const char *dots = strstr (shown->text, "…");
      const gsize kept = dots != NULL ? (gsize) (dots - shown->text) : 0;
      if (kept == 0 || strncmp (shown->text, from->address, kept) != 0)
        g_error ("“%s” isn’t the head of the address and dots", shown->text);
      g_autofree char *more = g_strndup (from->address,
                                         (gsize) (g_utf8_next_char (from->address + kept) - from->address));
      if (ls_item_right (shown) > (double) (place->x + place->w) + .5
          || ls_scene_width (s, shown->type, more) + ls_scene_width (s, shown->type, "…")
               <= (double) place->w)
        g_error ("“%s” ends at %g, its place at %g", shown->text, ls_item_right (shown),
                 (double) (place->x + place->w));
    }
  g_assert_true (cut);
  close_picture (&p);
}

/* From whichever row on: rows stand below each other in their place, with the lines that tell how many aren't
 * shown; and no room is left below while there are others above. */
static void
test_rows (void)
{
  guint above = 0, below = 0;

  for (double height = 380; height <= 1000; height += 20)
    for (guint first = 0; first < N_ROWS; first++)
      {
        Picture p;

        open_picture (&p, FALSE, 960, height);
        ((LsClaimsState *) p.state)->first = first;
        draw (&p);
        const LsClaimsPicture *c = geometry (&p);
        const double more = c->layout->m.label.px * 1.6, bottom = c->area.y + c->area.h;
        double y = c->area.y + (c->first > 0 ? more : 0);
        if (c->first > first || c->end > c->n)
          g_error ("%g px: from row %u on are shown rows %u to %u", height, first, c->first, c->end);
        for (guint i = c->first; i < c->end; i++)
          {
            if (c->places[i].h <= 0 || c->places[i].y < y - .1)
              g_error ("%g px, from row %u on: row %u begins at %g, where %g isn’t free yet", height, first,
                       i, c->places[i].y, y);
            y = c->places[i].y + c->places[i].h;
          }
        if (c->end > c->first && y + (c->end < c->n ? more : 0) > bottom + .1)
          g_error ("%g px, from row %u on: rows end at %g, their place at %g", height, first, y, bottom);
        if ((c->more_above > 0) != (c->first > 0) || (c->more_below > 0) != (c->end < c->n && c->end > 0))
          g_error ("%g px, from row %u on: it says wrongly whether there are more", height, first);
        above += c->first > 0;
        below += c->end < c->n;
        close_picture (&p);
      }
  g_assert_cmpuint (MIN (above, below), >, 5);
}

/* Of an opened row's pages the further one that is chosen is framed at its left, as high as its title; the
 * claim's own, which is chosen at first, is not. */
static void
test_pages (void)
{
  enum { PAGES = 2 };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimsState *asked = p.state;
  asked->open = ROW_STAND_IN;
  for (guint chosen = 0; chosen < PAGES; chosen++)
    {
      guint places[PAGES] = { 0 }, marks[PAGES] = { 0 };
      double right = 0;

      asked->source = chosen;
      draw (&p);
      for (guint k = 0; k < p.layout->slots->len; k++)
        {
          const LsSlot *page = &g_array_index (p.layout->slots, LsSlot, k);
          if (page->kind != LS_SLOT_SOURCE)
            continue;
          g_assert_cmpuint (page->op, <, PAGES);
          places[page->op]++;
          const double end = (double) (page->x + page->w); /* however far in it begins */
          if (right > 0 && fabs (end - right) > .5)
            g_error ("page %u has room until %.1f, the one above it until %.1f", page->op, end, right);
          right = end;
          for (guint i = 0; i < p.layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (p.layout->still, i);
              marks[page->op] += item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT
                                 && fabs ((double) item->w - 2) < .1 && (double) item->x < (double) page->x
                                 && (double) item->x > (double) page->x - 10
                                 && fabs ((double) (item->y + item->h / 2 - page->y - page->h / 2)) < 2;
            }
        }
      for (guint page = 0; page < PAGES; page++)
        {
          g_assert_cmpuint (places[page], >, 0);
          if (marks[page] != (page == chosen && page > 0 ? places[page] : 0))
            g_error ("page %u is chosen, and %u marks stand at page %u", chosen, marks[page], page);
        }
    }
  close_picture (&p);
}

/* Under an opened claim and all that is said of it lies a box, which is there before them. */
static void
test_box (void)
{
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimsState *asked = p.state;
  for (asked->open = -1; asked->open < (gint) p.data->claims->n; asked->open++)
    {
      guint boxes = 0, before = 0, after = 0;

      draw (&p);
      for (guint i = 0; i < p.layout->moving->items->len; i++)
        g_assert_cmpint (ls_scene_get (p.layout->moving, i)->ink, !=, LS_INK_SIDEBAR);
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          const LsClaimsPicture *c = geometry (&p);

          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_SIDEBAR && (double) item->w >= c->area.w)
            boxes++;
          if (asked->open >= 0 && item->kind == LS_ITEM_TEXT && (double) item->y > c->places[asked->open].y
              && (double) item->y < c->body.y + c->body.h)
            *(boxes > 0 ? &after : &before) += 1;
        }
      if (boxes != (asked->open >= 0))
        g_error ("with claim %d opened there are %u boxes", asked->open, boxes);
      if (asked->open >= 0 && (before > 0 || after == 0))
        g_error ("of claim %d %u texts lie under the box, and %u on it", asked->open, before, after);
    }
  close_picture (&p);
}

/* Of figures in the place of what isn't here it is said once, below the first of those that follow each
 * other.
 */
static void
test_in_place (void)
{
  static const struct {
    gboolean instead[2];
    guint said;
  } cases[]
    = { { { FALSE, FALSE }, 0 }, { { TRUE, FALSE }, 1 }, { { FALSE, TRUE }, 1 }, { { TRUE, TRUE }, 1 } };
  Picture p;

  open_picture (&p, FALSE, 1920, 1080);
  LsClaimsState *asked = p.state;
  asked->open = ROW_BOTH;
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      double first = 0, words = 0, second = 0;
      guint said = 0;

      for (guint i = 0; i < 2; i++)
        p.data->claims->rows[ROW_BOTH].result->findings[i].instead = cases[c].instead[i];
      draw (&p);
      for (guint i = 0; i < p.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (p.layout->still, i);
          if (item->kind != LS_ITEM_TEXT)
            continue;
          if (g_str_has_prefix (item->text, "CPU: 10.0"))
            first = (double) item->y;
          if (g_str_has_prefix (item->text, "OpenCL: 69.0"))
            second = (double) item->y;
          if (strcmp (item->text, "in the place of what isn’t here") == 0)
            {
              words = (double) item->y;
              said++;
            }
        }
      if (said != cases[c].said)
        g_error ("case %u: that a figure stands for another is said %u times", c, said);
      if (first <= 0 || second <= first)
        g_error ("case %u: the figures stand at %g and %g", c, first, second);
      if (said > 0 && !(words > first && (words < second) == cases[c].instead[0]))
        g_error ("case %u: what stands for another is said of the wrong figure", c);
    }
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/claims-whole/words", test_whole);
  g_test_add_func ("/paint/claims-whole/many", test_many);
  g_test_add_func ("/paint/claims-whole/hall", test_hall);
  g_test_add_func ("/paint/claims-whole/ticks", test_ticks);
  g_test_add_func ("/paint/claims-whole/edges", test_edges);
  g_test_add_func ("/paint/claims-whole/address", test_address);
  g_test_add_func ("/paint/claims-whole/rows", test_rows);
  g_test_add_func ("/paint/claims-whole/pages", test_pages);
  g_test_add_func ("/paint/claims-whole/in-place", test_in_place);
  g_test_add_func ("/paint/claims-whole/box", test_box);
  return g_test_run ();
}
