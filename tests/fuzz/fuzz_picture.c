/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of recordings: the input is a recording; a member "fuzz" of its metadata, an array of numbers,
 * says which view is drawn and what is asked of it. Without one every view is drawn as `lockstep render`
 * does.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files/json.h"
#include "files/safetensors.h"
#include "recording_mutator.h"
#include "ui/paint/growth/growth.h"
#include "ui/paint/network/network.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

#define MAX_ASKED 32

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return recording_mutator (data, size, max, seed);
}

/* What is asked, number by number; 0 from the last on. */
typedef struct {
  gint64 numbers[MAX_ASKED];
  guint n, at;
} Asked;

static Asked
read_asked (const char *path)
{
  static const LsSafetensorsLimits limits
    = { .header_bytes = 1 << 24, .tensors = 1 << 16, .file_bytes = 1 << 24 };
  g_autoptr (LsSafetensors) file = ls_safetensors_open (path, &limits, NULL);
  const char *text = file != NULL ? g_hash_table_lookup (file->metadata, "fuzz") : NULL;
  g_autoptr (json_t) array = text != NULL ? json_loads (text, 0, NULL) : NULL;
  Asked asked = { .n = (guint) MIN (json_array_size (array), MAX_ASKED) };

  for (guint i = 0; i < asked.n; i++)
    asked.numbers[i] = json_integer_value (json_array_get (array, i));
  return asked;
}

static gint64
next (Asked *asked)
{
  return asked->at < asked->n ? asked->numbers[asked->at++] : 0;
}

/* One of so many. */
static guint
one_of (Asked *asked, guint n)
{
  return (guint) ((guint64) next (asked) % n);
}

/* −1 and more. */
static gint
number (Asked *asked, gint end)
{
  return (gint) one_of (asked, (guint) end + 1) - 1;
}

static LsPick
pick (Asked *asked, const LsViewData *data)
{
  const gint side = (gint) one_of (asked, LS_SIDES + 1) - 1;
  const LsStepIndex *index = side >= 0 ? data->sides[side].index : NULL;
  const guint at = (guint) next (asked);

  return index != NULL && index->n_pieces > 0 ? (LsPick){ side, index->pieces[at % index->n_pieces] }
                                              : LS_PICK_NONE;
}

/* ---- one picture ---- */

static void
check_scene (const LsScene *scene)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const double numbers[] = { (double) item->x, (double) item->y, (double) item->w, (double) item->h };

      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        fuzz_check (isfinite (numbers[k]), "item %u, of kind %u, has no place: %g, %g, %g×%g", i, item->kind,
                    numbers[0], numbers[1], numbers[2], numbers[3]);
      fuzz_check (item->text == NULL || g_utf8_validate (item->text, -1, NULL), "item %u isn't UTF-8", i);
    }
  for (guint i = 0; i < scene->points->len; i++)
    {
      const float *point = (const float *) (gconstpointer) scene->points->data + 2 * (gsize) i;

      fuzz_check (isfinite (point[0]) && isfinite (point[1]), "point %u has no place", i);
    }
}

static void
paint (const LsLayout *layout)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) layout->width,
                                                         (int) layout->height);
  cairo_t *cr = cairo_create (surface);

  ls_layout_paint_still (layout, cr);
  ls_layout_paint_moving (layout, cr);
  fuzz_check (cairo_status (cr) == CAIRO_STATUS_SUCCESS, "%s isn't painted: %s", layout->view->name,
              cairo_status_to_string (cairo_status (cr)));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
look (LsLayout *layout)
{
  g_autofree char *said = ls_layout_describe (layout), *picked = ls_pick_words (layout, layout->query.picked);

  fuzz_check (said != NULL && g_utf8_validate (said, -1, NULL), "the description isn't UTF-8");
  fuzz_check (picked == NULL || g_utf8_validate (picked, -1, NULL), "the picked piece's words aren't UTF-8");
  check_scene (layout->still);
  check_scene (layout->moving);
  paint (layout);
}

/* What a pointer and keys do there. */
static void
act (LsLayout *layout, Asked *asked)
{
  const double x = one_of (asked, 1000) * layout->width / 1000,
               y = one_of (asked, 1000) * layout->height / 1000;
  g_autofree gpointer state = ls_view_state_new (layout->view);
  LsQuery query = layout->query;
  const int dx = (int) one_of (asked, 3) - 1, dy = (int) one_of (asked, 3) - 1;

  if (state != NULL)
    memcpy (state, layout->query.state, layout->view->state_size);
  query.state = state;
  query.hover = ls_layout_pick (layout, x, y);
  query.picked = ls_layout_neighbour (layout, query.picked, dx, dy);
  query.curves.cursor = ls_layout_step_at (layout, x, y);
  query.time_ns = ls_layout_event_before (layout, query.time_ns);
  if (layout->view->point != NULL)
    layout->view->point (layout, x, y, &query);
  if (layout->view->key != NULL)
    layout->view->key (layout, (LsViewKey) one_of (asked, LS_KEY_DRAW + 1), &query);
  ls_layout_move (layout, &query);
  look (layout);
}

static void
draw (const LsView *view, LsViewData *data, const LsQuery *query, Asked *asked)
{
  static const double sizes[][2] = { { 960, 600 }, { 670, 712 }, { 320, 320 }, { 1280, 800 } };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  const guint size = one_of (asked, G_N_ELEMENTS (sizes));
  g_autoptr (LsLayout) layout = NULL;
  LsWish wish = { 0 };
  LsStyle style;

  ls_style_init (&style, (LsLook) one_of (asked, LS_LOOK_N), 1);
  if (view->wish != NULL)
    view->wish (data, query, &wish);
  layout = ls_layout_new (view, data, query, sizes[size][0], sizes[size][1], &style, fonts);
  look (layout);
  if (asked->n > 0)
    act (layout, asked);
}

static void
look_at_scene (LsScene *scene, double width, double height)
{
  const LsMoment end = { LS_TIME_END, -1, -1 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, (int) height);
  cairo_t *cr = cairo_create (surface);

  check_scene (scene);
  ls_paint_scene (scene, cr, &end);
  fuzz_check (cairo_status (cr) == CAIRO_STATUS_SUCCESS, "results aren't painted: %s",
              cairo_status_to_string (cairo_status (cr)));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  ls_scene_free (scene);
}

/* Experiments that the recording has taken along. */
static void
draw_lab (const LsRecording *recording)
{
  g_autoptr (GPtrArray) results = recording->lab != NULL ? ls_lab_results_parse (recording->lab, NULL) : NULL;
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  double width, height;
  LsStyle style;

  if (results == NULL || results->len == 0)
    return;
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  ls_growth_size (results, &width, &height);
  look_at_scene (ls_growth_scene (results, &style, fonts), width, height);
  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *said = ls_growth_describe (results->pdata[i]);

      fuzz_check (g_utf8_validate (said, -1, NULL), "the results' description isn't UTF-8");
      look_at_scene (ls_growth_scene_sized (results->pdata[i], &style, fonts, 640, 360), 640, 360);
    }
}

/* ---- what is asked ---- */

static void
draw_all (LsViewData *data)
{
  Asked nothing = { 0 };
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint v = 0; v < n; v++)
    {
      g_autofree gpointer state = ls_view_state_new (views[v]);
      LsQuery query = LS_QUERY_INIT;

      query.state = state;
      query.chrome = query.key = TRUE;
      if (views[v]->span != NULL)
        views[v]->span (data, &query, &query.time_ns);
      draw (views[v], data, &query, &nothing);
    }
}

static void
draw_asked (LsViewData *data, Asked *asked)
{
  guint n;
  const LsView *const *views = ls_views (&n);
  const LsView *view = views[one_of (asked, n)];
  g_autofree gpointer state = ls_view_state_new (view);
  LsQuery query = LS_QUERY_INIT;
  const guint flags = (guint) next (asked);

  query.state = state;
  query.op = one_of (asked, LS_RECORDING_MAX_OPS);
  query.time_ns = next (asked);
  query.dial_ns = (guint64) one_of (asked, 1 << 20);
  query.hover = pick (asked, data);
  query.picked = pick (asked, data);
  query.worker = number (asked, LS_MAX_WORKERS);
  query.evidence = number (asked, 4);
  query.zoom0_ns = MAX (next (asked), 0);
  query.zoom1_ns = MAX (next (asked), query.zoom0_ns);
  query.curves.kind = one_of (asked, LS_CURVE_N);
  query.curves.cursor = number (asked, G_MAXINT32);
  query.paused = flags & 1;
  query.chrome = query.key = (flags & 2) != 0;
  query.curves.seconds = (flags & 4) != 0;
  if (flags & 8)
    query.time_ns = LS_TIME_END;
  if (view == &ls_view_network)
    *(LsNetworkState *) state = (LsNetworkState){ .page = one_of (asked, LS_NETWORK_N_PAGES),
                                                  .own = one_of (asked, 3),
                                                  .sample = number (asked, 1024),
                                                  .test = one_of (asked, 1024),
                                                  .layer = number (asked, 64),
                                                  .unit = number (asked, 4096) };
  else if (view == &ls_view_tiles)
    *(LsTilesState *) state = (LsTilesState){ .rung = number (asked, LS_RUNG_N),
                                              .group_row = number (asked, 4096),
                                              .group_col = number (asked, 4096),
                                              .item_row = number (asked, 4096),
                                              .item_col = number (asked, 4096),
                                              .cpu_side = (gboolean) one_of (asked, 2),
                                              .pane = one_of (asked, LS_TILES_N_PANES) };
  else if (view == &ls_view_partition)
    ((LsPartitionState *) state)->finer = (gboolean) one_of (asked, 2);
  draw (view, data, &query, asked);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *path = fuzz_file (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) recording = ls_recording_load (path, &error);
  Asked asked;

  fuzz_check_answer (recording != NULL, error);
  if (recording == NULL)
    return 0;
  asked = read_asked (path);
  const LsViewBeside none = { 0 };
  g_autoptr (LsViewData) other = next (&asked) & 1 ? ls_view_data_from_recording (recording, &none) : NULL;
  const LsViewBeside beside = { .other = other };
  g_autoptr (LsViewData) shown = ls_view_data_from_recording (recording, &beside);
  if (asked.n > 0)
    draw_asked (shown, &asked);
  else
    {
      draw_all (shown);
      draw_lab (recording);
    }
  return 0;
}
