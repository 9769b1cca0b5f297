/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network's pad: what both lanes read of what was drawn, and that nothing of the batch is taken for an answer
 * to it.
 */
#include <string.h>

#include "asked.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };

static LsViewData *
data_of (void)
{
  const LsFixture f = { .batch = 32,
                        .workers = 2,
                        .tiles = 16,
                        .groups = 32,
                        .known = LS_KNOWN_THREADS,
                        .units = 2,
                        .on_cpu = TRUE,
                        .steps = 60,
                        .values = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);

  asked_add_exams (recording);
  return ls_view_data_from_recording (recording);
}

static LsLayout *
layout_of (LsViewData *data, const LsQuery *query, LsLook look, const double *size)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;

  ls_style_init (&style, look, 1);
  return ls_layout_new (&ls_view_network, data, query, size[0], size[1], &style, fonts);
}

static gboolean
says (const LsLayout *layout, const char *text)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    if (ls_scene_get (layout->still, i)->text != NULL
        && strstr (ls_scene_get (layout->still, i)->text, text) != NULL)
      return TRUE;
  return FALSE;
}

static void
scribble (LsStrokes *strokes)
{
  ls_strokes_begin (strokes, .3, .2);
  ls_strokes_to (strokes, .7, .2);
  ls_strokes_to (strokes, .4, .8);
  ls_strokes_begin (strokes, .3, .5);
}

/* What was drawn is the sample, each lane's answer has its digit, and the batch's label is nowhere. */
static void
test_drawn (void)
{
  g_autoptr (LsViewData) data = data_of ();
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = NULL, nobody = NULL;
  g_autofree char *words = NULL;
  const LsNetwork *n;

  scribble (strokes);
  query.tests = ASKED_TESTS;
  query.strokes = strokes;
  query.own = LS_OWN_DRAWN;
  nobody = layout_of (data, &query, LS_LOOK_LIGHT, sizes[1]); /* nothing has been answered yet */
  g_assert_false (((const LsNetwork *) nobody->own)->own);
  asked_add_answers (data, LS_ASKED_DRAWN, -1, 7, 0);
  layout = layout_of (data, &query, LS_LOOK_LIGHT, sizes[1]);
  n = layout->own;
  g_assert_true (n->own);
  g_assert_cmpint (n->said, ==, 7);
  g_assert_cmpint (n->label, ==, -1);
  g_assert_true (n->both);
  g_assert_cmpuint (n->n_layers, ==, 4);
  g_assert_true (says (layout, "reads"));
  g_assert_true (says (layout, "7: 0.93")); /* beside each lane's name */
  for (guint pen = 0; pen < 2; pen++)
    {
      /* the batch's label is no answer to what was drawn, nor to what will be */
      query.own = pen > 0 ? LS_OWN_BATCH : LS_OWN_DRAWN;
      query.drawing = pen > 0;
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        {
          g_autoptr (LsLayout) drawing = layout_of (data, &query, LS_LOOK_LIGHT, sizes[s]);
          g_assert_false (says (drawing, "labelled"));
          g_assert_false (says (drawing, "the label"));
          g_assert_false (says (drawing, ", right"));
        }
    }
  query.own = LS_OWN_DRAWN;
  query.drawing = FALSE;
  g_assert_false (says (nobody, "labelled"));
  g_assert_false (says (nobody, ", right"));
  g_assert_cmpfloat (n->pad.w, >, 80);
  words = ls_layout_describe (layout);
  g_assert_nonnull (strstr (
    words, "What you have drawn, said to be 7. CPU says 7 with 93 %. OpenCL on the CPU says 7 with 93 %."));
  g_assert_true (ls_network_point (layout, n->clear.x + 3, n->clear.y + 3, &query));
  g_assert_cmpint (query.act, ==, LS_ACT_CLEAR);
  g_assert_cmpuint (layout->moving->items->len, >=, 2); /* two strokes */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-pad/drawn", test_drawn);
  return g_test_run ();
}
