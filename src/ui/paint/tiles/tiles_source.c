/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's text beside the picture, with the line that runs. Lines too long are wrapped, never cut; where
 * the height doesn't do for all, the declarations at the top give way.
 */
#include "config.h"
#include "backends/kernel_files.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/parts/text.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#define PITCH 1.32 /* of lines, in their size */

static double
letter (const LsTiles *t, LsType type)
{
  return ls_scene_width (t->layout->still, type, "0123456789") / 10;
}

/* How much of a line goes into a row with room for so many letters: all, or up to a space. */
static guint
row_length (const char *rest, guint room)
{
  guint at = room;

  if (strlen (rest) <= room)
    return (guint) strlen (rest);
  while (at > room / 2 && rest[at] != ' ')
    at--;
  if (rest[at] == ' ')
    return at;
  for (at = room; at > 1 && ((guchar) rest[at] & 0xC0) == 0x80;) /* not within a letter of several bytes */
    at--;
  return at;
}

static guint
room_in (const LsListingLine *line, guint letters, gboolean further)
{
  const guint in = line->indent + (further ? 2 : 0);

  return letters > in + 8 ? letters - in : 8;
}

/* Breaks a line into rows of at most `letters`, the further ones set in by two; rows may be NULL. Returns how
 * many. */
static guint
wrap (const LsListingLine *line, guint letters, GPtrArray *rows)
{
  const char *rest = line->text;
  guint n = 0;

  do
    {
      const guint length = row_length (rest, room_in (line, letters, n > 0));
      if (rows != NULL)
        g_ptr_array_add (rows, g_strchomp (g_strndup (rest, length)));
      rest += length + (rest[length] == ' ');
      n++;
  } while (*rest != '\0');
  return n;
}

/* Of the lines that a phase is there for, the one that is at work. LS_LISTING_NO_MARK: none. */
static guint
running_line (const LsTiles *t, const LsTilesNow *now)
{
  const GArray *lines = t->listing->lines;
  guint n = 0, wanted, first = LS_LISTING_NO_MARK;

  if (now->mark == LS_LISTING_NO_MARK)
    return LS_LISTING_NO_MARK;
  for (guint i = 0; i < lines->len; i++)
    {
      const LsListingLine *line = &g_array_index (lines, LsListingLine, i);
      if (line->mark == now->mark && first == LS_LISTING_NO_MARK)
        first = i;
      n += line->mark == now->mark && line->works;
    }
  if (n == 0)
    return first;
  wanted = MIN ((guint) (now->part * n), n - 1);
  /* of the tiled kernel each sub-group runs both loads before the next one does */
  if (now->phase == LS_LISTING_LOAD && t->cut.rung == LS_RUNG_TILED)
    wanted = (guint) (now->part * 2 * ls_tiles_sub_groups (t)) % n;
  for (guint i = 0; i < lines->len; i++)
    {
      const LsListingLine *line = &g_array_index (lines, LsListingLine, i);
      if (line->mark == now->mark && line->works && wanted-- == 0)
        return i;
    }
  return first;
}

const char *
ls_tiles_running_text (const LsTiles *t, const LsTilesNow *now)
{
  const guint running = t->listing != NULL ? running_line (t, now) : LS_LISTING_NO_MARK;

  return running != LS_LISTING_NO_MARK ? g_array_index (t->listing->lines, LsListingLine, running).text
                                       : NULL;
}

static guint
count_rows (const LsTiles *t, guint letters, guint from)
{
  guint n = 0;

  for (guint i = from; i < t->listing->lines->len; i++)
    n += wrap (&g_array_index (t->listing->lines, LsListingLine, i), letters, NULL);
  return n;
}

/* Where the text begins so that its end is seen, or, while the walk is above that, so that the loop's
 * beginning is, or as much further down as what the phase runs is below. */
static guint
first_line (const LsTiles *t, const LsTilesNow *now, guint running, guint letters, guint most)
{
  const GArray *lines = t->listing->lines;
  guint from = 0, loop = 0, first = lines->len, end = 0;

  while (count_rows (t, letters, from) > most && from + 1 < lines->len)
    from++;
  for (guint i = 0; i < lines->len && now->mark != LS_LISTING_NO_MARK; i++)
    if (g_array_index (lines, LsListingLine, i).mark == now->mark)
      {
        first = MIN (first, i);
        end = i + 1;
      }
  if (first >= from)
    return from;
  while (g_array_index (lines, LsListingLine, loop).mark == LS_LISTING_NO_MARK)
    loop++;
  loop -= MIN (loop, 2);
  while (loop < running && count_rows (t, letters, loop) - count_rows (t, letters, end) > most)
    loop++;
  return loop;
}

/* The step that is shown ran another text than what is built in. */
static gboolean
is_edited (const LsTiles *t)
{
  const LsRecordedLane *lane = ls_tiles_opencl (t->layout->data)->recorded;
  g_autofree char *fact = g_strconcat (LS_FACT_KERNEL, t->cut.file, NULL);

  return lane != NULL && g_hash_table_contains (lane->device->facts, fact);
}

double
ls_tiles_source (const LsTiles *t, LsScene *s, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsArea area = t->source;
  const LsType code = { m->tick.px, 400, TRUE }, code_bold = { m->tick.px, 700, TRUE };
  const double pitch = code.px * PITCH, head = m->heading.px * 1.6, pad = 2 * m->unit,
               margin = letter (t, code) * 3.6 + pad;
  const guint letters = (guint) MAX (16, (area.w - margin - pad) / letter (t, code));
  const guint most = (guint) MAX (0, (area.h - head - 2 * pad) / pitch);
  const guint running = t->listing != NULL ? running_line (t, now) : LS_LISTING_NO_MARK;
  g_autofree char *file = g_strdup_printf (is_edited (t) ? _("%s, edited") : _("%s, as built in"),
                                           t->cut.file);
  guint from = 0, n, drawn = 0;
  double y;

  ls_text_heading (s, m, area, area.y + m->heading.px, _("Kernel source"), file);
  if (t->listing == NULL || most < 6)
    return area.y + head;
  from = first_line (t, now, running, letters, most);
  n = MIN (count_rows (t, letters, from), most);
  ls_scene_box (s, area.x, area.y + head, area.w, pitch * n + 2 * pad, LS_INK_EDGE, 0)->size
    = (float) (1.5 * m->unit);
  ls_scene_box (s, area.x + 1, area.y + head + 1, area.w - 2, pitch * n + 2 * pad - 2, LS_INK_CARD, 0)->size
    = (float) (1.5 * m->unit - 1);
  y = area.y + head + pad;
  for (guint i = from; i < t->listing->lines->len; i++)
    {
      const LsListingLine *line = &g_array_index (t->listing->lines, LsListingLine, i);
      g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
      wrap (line, letters, rows);
      if (drawn + rows->len > n)
        break;
      g_autofree char *number = g_strdup_printf ("%u", line->number);
      const gboolean here = i == running, phase = now->mark != LS_LISTING_NO_MARK && line->mark == now->mark;

      if (here)
        {
          ls_scene_box (s, area.x + 1, y + pitch * drawn, area.w - 2, pitch * rows->len, LS_INK_SOFT,
                        t->lane);
          ls_scene_box (s, area.x + 1, y + pitch * drawn, m->unit, pitch * rows->len, LS_INK_MARK, t->lane);
        }
      for (guint k = 0; k < rows->len; k++, drawn++)
        {
          const double base = y + pitch * (drawn + .5) + code.px * .34;
          if (k == 0)
            ls_scene_text (s, area.x + margin - pad, base, code, here ? LS_INK_TEXT : LS_INK_QUIET, LS_RIGHT,
                           number);
          ls_scene_text (s, area.x + margin + letter (t, code) * (line->indent + (k > 0 ? 2 : 0)), base,
                         here ? code_bold : code,
                         phase || here || line->mark != LS_LISTING_NO_MARK ? LS_INK_TEXT : LS_INK_QUIET,
                         LS_LEFT, rows->pdata[k]);
        }
    }
  return area.y + head + pitch * n + 2 * pad;
}
