/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every mark can be traced: random marks of a picture are looked up in the recording's file by a reader that
 * knows nothing of the views' index. And a picture is the same each time, and not the same when it is
 * shifted.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "draw.h"
#include "fixture.h"
#include "ui/paint/output/export.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

#define PICKS 1000

static LsRecording *
recording_of (LsKnown known)
{
  const LsFixture f = { .batch = 64,
                        .workers = 4,
                        .tiles = 64,
                        .groups = 128,
                        .known = known,
                        .units = 4,
                        .stealing = TRUE,
                        .fused = TRUE,
                        .on_cpu = TRUE,
                        .steps = 200 };

  return ls_fixture_recording (&f);
}

static LsLayout *
layout_of (const LsView *view, LsRecording *recording, LsFonts *fonts)
{
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  LsQuery query = LS_QUERY_INIT;

  query.op = 1;
  query.chrome = query.key = TRUE;
  return draw_view_in (fonts, view, data, &query, LS_LOOK_LIGHT, 1280, 800);
}

/* Which event of the file says just this? Looks at all of them. */
static guint
count_in_file (const LsRecording *file, guint lane, const LsEvent *wanted)
{
  const GArray *events = file->lanes[lane].events;
  guint found = 0;

  for (guint i = 0; i < events->len; i++)
    found += memcmp (&g_array_index (events, LsEvent, i), wanted, sizeof *wanted) == 0;
  return found;
}

/* What a tile says must be what the event says: place, time, worker, share. */
static void
check_mark (const LsLayout *layout, const LsItem *item, const LsEvent *e)
{
  const LsViewLane *lane = &layout->data->sides[item->side];

  if (layout->view->zooms) /* has a test of its own */
    return;
  if (item->kind == LS_ITEM_WAIT)
    g_assert_cmpint (e->kind, ==, LS_EVENT_WAIT);
  if (layout->view == &ls_view_partition && item->side == 0
      && (item->kind == LS_ITEM_TILE || item->kind == LS_ITEM_BAR))
    {
      g_assert_cmpint (e->kind, ==, LS_EVENT_TILE);
      g_assert_cmpuint (item->worker, ==, e->worker);
      g_assert_cmpuint ((guint) item->value, ==, e->worker);
      if (item->owner != LS_NO_VALUE)
        g_assert_cmpuint (item->owner, ==, e->from);
      g_assert_cmpint (item->t1 - item->t0, ==, (gint64) (e->end_ns - e->start_ns));
    }
  if (item->side == 1 && item->kind == LS_ITEM_TILE && e->rank != LS_RANK_NONE)
    {
      const guint n = lane->index->ops[e->op].n_ranks;
      g_assert_cmpfloat (fabs ((double) item->value - (double) e->rank / (n - 1)), <, 1e-6);
    }
  if (item->kind == LS_ITEM_TILE && layout->view == &ls_view_partition)
    {
      /* the middle of the tile's place in the matrix is where the picture has it */
      const LsTiling *t = &lane->recorded->tilings[e->op];
      g_assert_cmpuint (e->tile, <, t->grid_rows * t->grid_cols);
    }
}

static void
test_pick (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-test-pick.lockstep", NULL);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  const LsView *const *views;
  guint n_views, tried = 0;

  views = ls_views (&n_views);
  for (guint known = LS_KNOWN_UNITS; known <= LS_KNOWN_NOTHING; known++)
    {
      g_autoptr (LsRecording) recording = recording_of ((LsKnown) known), file = NULL;
      g_autoptr (GError) error = NULL;

      ls_recording_save (recording, path, &error);
      g_assert_no_error (error);
      file = ls_recording_load (path, &error);
      g_assert_no_error (error);
      for (guint v = 0; v < n_views; v++)
        {
          g_autoptr (LsLayout) layout = layout_of (views[v], recording, fonts);
          g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint));

          for (guint i = 0; i < layout->still->items->len; i++)
            if (ls_scene_get (layout->still, i)->event != LS_NO_EVENT)
              g_array_append_val (marks, i);
          for (guint k = 0; marks->len > 0 && k < PICKS / 4; k++)
            {
              const LsItem *item = ls_scene_get (
                layout->still,
                g_array_index (marks, guint, (guint) g_test_rand_int_range (0, (gint32) marks->len)));
              const LsPick pick = ls_layout_pick (layout, (double) (item->x + item->w / 2),
                                                  (double) (item->y + item->h / 2));
              const LsEvent *e = ls_layout_event (layout, pick);
              g_autofree char *words = ls_pick_words (layout, pick);

              g_assert_nonnull (e);
              g_assert_cmpuint (count_in_file (file, layout->data->sides[pick.side].lane, e), ==, 1);
              check_mark (layout, item, ls_layout_event (layout, (LsPick){ item->side, item->event }));
              g_assert_cmpuint (strlen (words), >, 0);
              g_assert_cmpint (words[0], !=, ':'); /* nor are they of nobody */
              if (item->kind == LS_ITEM_TILE)
                g_assert_true (pick.event == item->event && pick.side == item->side);
              tried++;
            }
        }
    }
  g_unlink (path);
  g_assert_cmpuint (tried, >=, PICKS);
}

/* All tiles of the op are in the picture, each once, where their numbers stand in the matrix. */
static void
test_tiles_complete (void)
{
  g_autoptr (LsRecording) recording = recording_of (LS_KNOWN_THREADS);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = layout_of (&ls_view_partition, recording, fonts);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const GArray *events = recording->lanes[side].events;
      guint in_file = 0, in_picture = 0;

      for (guint i = 0; i < events->len; i++)
        {
          const LsEvent *e = &g_array_index (events, LsEvent, i);
          in_file += e->op == 1 && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP);
        }
      for (guint i = 0; i < layout->still->items->len; i++)
        in_picture += ls_scene_get (layout->still, i)->kind == LS_ITEM_TILE
                      && ls_scene_get (layout->still, i)->side == side;
      g_assert_cmpuint (in_picture, ==, in_file);
    }
}

static guint
differing_pixels (cairo_surface_t *a, cairo_surface_t *b)
{
  const int stride = cairo_image_surface_get_stride (a), h = cairo_image_surface_get_height (a);
  const guint32 *x, *y;
  guint n = 0;

  cairo_surface_flush (a);
  cairo_surface_flush (b);
  x = (const guint32 *) (const void *) cairo_image_surface_get_data (a);
  y = (const guint32 *) (const void *) cairo_image_surface_get_data (b);
  for (int i = 0; i < stride / 4 * h; i++)
    n += x[i] != y[i];
  return n;
}

/* Pure: twice the same, as text and as pixels. And a chart that is one pixel off is noticed, by both. */
static void
test_same_and_shifted (void)
{
  g_autoptr (LsRecording) recording = recording_of (LS_KNOWN_THREADS);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) one = layout_of (&ls_view_partition, recording, fonts),
                       two = layout_of (&ls_view_partition, recording, fonts);
  g_autofree char *first = dump_layout (one), *second = dump_layout (two), *shifted = NULL;
  cairo_surface_t *a = ls_export_surface (one, 1), *b = ls_export_surface (two, 1), *c;

  g_assert_cmpstr (first, ==, second);
  g_assert_cmpuint (differing_pixels (a, b), ==, 0);
  for (guint i = 0; i < two->still->items->len; i++)
    if (ls_scene_get (two->still, i)->kind == LS_ITEM_TILE)
      ls_scene_get (two->still, i)->x += 1;
  shifted = dump_layout (two);
  c = ls_export_surface (two, 1);
  g_assert_cmpstr (first, !=, shifted);
  g_assert_cmpuint (differing_pixels (a, c), >, 100);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
  cairo_surface_destroy (c);
}

/* The clock: nothing done before it starts, everything at its end, and never less later than before. */
static void
test_clock (void)
{
  g_autoptr (LsRecording) recording = recording_of (LS_KNOWN_THREADS);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = layout_of (&ls_view_partition, recording, fonts);
  guint last = 0, tiles = 0;

  g_assert_cmpint (layout->span_ns, >, 0);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_TILE)
        continue;
      tiles++;
      g_assert_cmpint (item->t0, >=, 0);
      g_assert_cmpint (item->t1, <=, layout->span_ns);
      g_assert_cmpint (item->t0, <=, item->t1);
    }
  for (gint64 t = 0; t <= layout->span_ns; t += MAX (layout->span_ns / 20, 1))
    {
      guint done = 0;
      for (guint i = 0; i < layout->still->items->len; i++)
        done += ls_scene_get (layout->still, i)->kind == LS_ITEM_TILE
                && ls_scene_get (layout->still, i)->t1 <= t;
      g_assert_cmpuint (done, >=, last);
      last = done;
    }
  g_assert_cmpuint (tiles, >, 0);
}

/* A picture in each format; an ending that says none is refused. */
static void
test_export (void)
{
  static const struct {
    const char *ending, *begins;
  } formats[] = { { "png", "\x89PNG" }, { "svg", "<?xml" }, { "pdf", "%PDF" } };
  g_autoptr (LsRecording) recording = recording_of (LS_KNOWN_ORDER);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = layout_of (&ls_view_race, recording, fonts);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/lockstep-test-picture.%s", g_get_tmp_dir (),
                                               formats[i].ending);
      g_autofree char *bytes = NULL;
      ls_export_picture (layout, path, 1, &error);
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
      g_assert_true (memcmp (bytes, formats[i].begins, strlen (formats[i].begins)) == 0);
      g_unlink (path);
    }
  g_assert_false (ls_export_picture (layout, "picture.jpeg", 1, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
}

static void
test_describe (void)
{
  g_autoptr (LsRecording) recording = recording_of (LS_KNOWN_THREADS);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = layout_of (&ls_view_partition, recording, fonts);
  LsQuery query = layout->query;
  g_autofree char *plain = ls_layout_describe (layout), *picked = NULL;
  LsPick pick = ls_layout_neighbour (layout, LS_PICK_NONE, 1, 0), next;

  g_assert_cmpint (pick.side, >=, 0);
  next = ls_layout_neighbour (layout, pick, 1, 0);
  g_assert_true (next.event != pick.event || next.side != pick.side);
  query.picked = pick;
  ls_layout_move (layout, &query);
  picked = ls_layout_describe (layout);
  g_assert_nonnull (strstr (plain, "samples per second"));
  g_assert_true (g_str_has_prefix (picked, plain));
  g_assert_cmpuint (strlen (picked), >, strlen (plain));
}

/* Whatever a step consists of has words of its own, with or without an op. */
static void
test_words (void)
{
  static const LsFixture device = { .batch = 32,
                                    .workers = 2,
                                    .tiles = 8,
                                    .groups = 8,
                                    .known = LS_KNOWN_THREADS,
                                    .on_cpu = TRUE,
                                    .steps = 20,
                                    .queue = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&device);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = layout_of (&ls_view_timeline, recording, fonts);

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < layout->data->sides[side].recorded->events->len; i++)
      {
        g_autofree char *words = ls_pick_words (layout, (LsPick){ (gint) side, i });
        g_assert_true (words[0] != '\0' && words[0] != ':' && words[0] != ' ');
      }
}

/* An op's time is that from its first kernel's start to its last one's end, whichever of them is picked. */
static void
test_kernels (void)
{
  const LsFixture device
    = { .batch = 32, .workers = 2, .tiles = 8, .groups = 8, .on_cpu = TRUE, .steps = 20 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&device);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  GArray *events = recording->lanes[1].events;
  guint first = 0;

  while (g_array_index (events, LsEvent, first).kind != LS_EVENT_KERNEL)
    first++;
  LsEvent *one = &g_array_index (events, LsEvent, first), two = *one;
  one->end_ns = two.start_ns = (one->start_ns + 2 * one->end_ns) / 3;
  g_array_insert_val (events, first + 1, two);
  g_autoptr (LsLayout) layout = layout_of (&ls_view_timeline, recording, fonts);
  const LsOpTrace *trace = &layout->data->sides[1].index->ops[two.op];
  g_autofree char *time = ls_number_time ((double) (trace->end_ns - trace->start_ns));
  for (guint i = first; i <= first + 1; i++)
    {
      g_autofree char *words = ls_pick_words (layout, (LsPick){ 1, i });
      if (!g_str_has_suffix (words, time))
        g_error ("“%s” is said of an op of two kernels that takes %s", words, time);
    }
}

/* ---- marks of evidence ---- */

/* Every mark of a picture is found where it is and up to 12 px from its middle, the nearest of several; what
 * is farther away is none. */
static void
test_hits (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (double));
  guint marks = 0, sides = 0, off = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *mark = ls_scene_get (layout->still, i);
      LsEvidenceHit hit;

      if (mark->kind != LS_ITEM_EVIDENCE || mark->number == LS_NUMBER_NONE)
        continue;
      const double x = (double) (mark->x + mark->w / 2), y = (double) (mark->y + mark->h / 2);
      g_assert_true (ls_layout_evidence (layout, x, y, &hit));
      if (hit.number != mark->number || (hit.side < 0 ? LS_NO_VALUE : (guint) hit.side) != mark->side
          || (float) hit.x != mark->x || (float) hit.y != mark->y || (float) hit.w != mark->w
          || (float) hit.h != mark->h)
        g_error ("the mark at %.0f, %.0f is of number %u, and number %u at %.0f, %.0f is found there", x, y,
                 mark->number, hit.number, hit.x, hit.y);
      g_assert_cmpuint (hit.op, ==, 0); /* none is picked */
      g_array_append_val (points, x);
      g_array_append_val (points, y);
      sides |= 1u << CLAMP (hit.side + 1, 0, 2);
      marks++;
    }
  g_assert_cmpuint (marks, >=, 6);
  g_assert_cmpuint (sides & 6, ==, 6);
  /* two close together */
  for (guint i = 0, had = layout->still->items->len; i < had; i++)
    {
      const LsItem mark = *ls_scene_get (layout->still, i);
      if (mark.kind == LS_ITEM_EVIDENCE && mark.number == LS_NUMBER_LOSS)
        ls_item_number (ls_scene_evidence (layout->still, (double) mark.x + 10, (double) mark.y + 4,
                                           (double) mark.w, LS_EVIDENCE_DERIVED, LS_INK_QUIET),
                        1, LS_NUMBER_DELTA);
    }
  /* wherever one points near them: the nearest of all marks, or none within 12 px */
  for (guint p = 0; p + 1 < points->len; p += 2)
    for (gint k = 0; k < 25; k++)
      {
        const double x = g_array_index (points, double, p) + k % 5 * 7 - 14,
                     y = g_array_index (points, double, p + 1) + k / 5 * 7 - 14;
        double nearest = HUGE_VAL;
        LsEvidenceHit hit;
        const gboolean found = ls_layout_evidence (layout, x, y, &hit);

        for (guint i = 0; i < layout->still->items->len + layout->moving->items->len; i++)
          {
            const guint n = layout->still->items->len;
            const LsItem *mark = i < n ? ls_scene_get (layout->still, i)
                                       : ls_scene_get (layout->moving, i - n);
            if (mark->kind == LS_ITEM_EVIDENCE && mark->number != LS_NUMBER_NONE)
              nearest = MIN (
                nearest, hypot (x - (double) (mark->x + mark->w / 2), y - (double) (mark->y + mark->h / 2)));
          }
        if (fabs (nearest - 12) > .01 && found != (nearest < 12))
          g_error ("%.1f px from the nearest mark there is %s", nearest, found ? "one" : "none");
        if (found)
          g_assert_cmpfloat_with_epsilon (hypot (x - hit.x - hit.w / 2, y - hit.y - hit.h / 2), nearest, .01);
        off += found && nearest > 8;
      }
  g_assert_cmpuint (off, >, 4);
  /* the time of an op is the picked one's */
  const LsTimeRow *ops = ls_time_index_row (ls_time_index_of (data->sides[0].index), LS_ROW_OPS, 0);
  LsQuery picked = LS_QUERY_INIT;
  picked.picked = (LsPick){ 0, ops->event[ops->n - 1] };
  g_autoptr (LsLayout) of_op = draw_view (&ls_view_timeline, data, &picked, LS_LOOK_LIGHT, 1920, 1080);
  const guint op = ls_layout_event (of_op, picked.picked)->op;
  g_assert_cmpuint (op, >, 0);
  for (guint i = 0; i < of_op->moving->items->len; i++)
    {
      const LsItem *mark = ls_scene_get (of_op->moving, i);
      LsEvidenceHit hit;
      if (mark->kind != LS_ITEM_EVIDENCE || mark->number != LS_NUMBER_OP)
        continue;
      g_assert_true (
        ls_layout_evidence (of_op, (double) (mark->x + mark->w / 2), (double) (mark->y + mark->h / 2), &hit));
      g_assert_cmpuint (hit.op, ==, op);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/pick/traced", test_pick);
  g_test_add_func ("/paint/pick/complete", test_tiles_complete);
  g_test_add_func ("/paint/pick/same-and-shifted", test_same_and_shifted);
  g_test_add_func ("/paint/pick/clock", test_clock);
  g_test_add_func ("/paint/pick/words", test_words);
  g_test_add_func ("/paint/pick/kernels", test_kernels);
  g_test_add_func ("/paint/pick/export", test_export);
  g_test_add_func ("/paint/pick/describe", test_describe);
  g_test_add_func ("/paint/pick/evidence", test_hits);
  return g_test_run ();
}
