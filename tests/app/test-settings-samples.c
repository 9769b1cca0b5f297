/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings pane with data of one's own: wished ones are read and shown by their first samples, wrong ones
 * say what is wrong and change nothing, those of the run come from the run.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "../files/tempdir.h"
#include "core/options.h"
#include "data/dataset.h"
#include "data/preview.h"
#include "settings_rig.h"
#include "ui/app/settings/settings_bar.h"
#include "ui/app/settings/settings_samples.h"

#define PATIENCE_MS 20000

static const char *
words (Rig *rig)
{
  GtkWidget *label = rig_control (rig, "data-words");

  return gtk_widget_get_visible (gtk_widget_get_parent (label)) ? gtk_label_get_text (GTK_LABEL (label)) : "";
}

static guint
n_samples (Rig *rig)
{
  guint n = 0;

  while (gtk_flow_box_get_child_at_index (GTK_FLOW_BOX (rig_control (rig, "data-samples")), (int) n) != NULL)
    n++;
  return n;
}

static void
wait_for_words (Rig *rig, const char *part)
{
  for (guint waited = 0; strstr (words (rig), part) == NULL; waited += 20)
    {
      if (waited > PATIENCE_MS)
        g_error ("“%s” was expected, not: %s", part, words (rig));
      rig_wait_ms (20);
    }
}

static char *
put_table (const TempDir *dir, const char *name, guint n)
{
  g_autoptr (GString) text = g_string_new ("length,width,kind\n");
  char *path = temp_path (dir, name);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i, i * 7 % 10,
                            i % 3 == 0   ? "oak"
                            : i % 3 == 1 ? "ash"
                                         : "elm");
  put_file (path, text->str, text->len);
  return path;
}

/* A table's row is a strip above its class, which is its name for those who don't see it. */
static void
assert_strips (Rig *rig)
{
  rig_settle ();
  for (guint i = 0; i < n_samples (rig); i++)
    {
      GtkWidget *cell = GTK_WIDGET (gtk_flow_box_get_child_at_index (
                  GTK_FLOW_BOX (rig_control (rig, "data-samples")), (int) i)),
                *picture = rig_find_kind (cell, GTK_TYPE_PICTURE);
      const int width = gtk_widget_get_width (picture), height = gtk_widget_get_height (picture);

      if (width < 4 * height || height < 8)
        g_error ("sample %u is shown by %d×%d px, which is no strip", i, width, height);
      g_assert_cmpstr (gtk_picture_get_alternative_text (GTK_PICTURE (picture)), ==, rig_label (cell, 0));
      g_assert_nonnull (strstr ("oak ash elm", rig_label (cell, 0)));
    }
}

static void
test_wished (Rig *rig, gconstpointer data)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *good = NULL, *bad = NULL;

  temp_dir_init (&dir);
  good = put_table (&dir, "trees.csv", 60);
  bad = temp_path (&dir, "bad.csv");
  put_file (bad, "1,2,x\n3,4\n", 10);
  g_assert_cmpstr (words (rig), ==, "");

  ls_settings_pane_set_data (rig->pane, good);
  wait_for_words (rig, "2 values, 3 classes; 54 samples to train, 6 to test");
  g_assert_cmpuint (n_samples (rig), ==, 20);
  assert_strips (rig);
  assert_option (rig, "model", "flatten, dense 32, relu, dense 3");
  assert_option (rig, "batch", "32");
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  /* for the run that trains with them, once */
  g_autoptr (LsData) read = ls_settings_pane_take_data (rig->pane);
  g_assert_nonnull (read);
  g_assert_cmpint (read->train.n, ==, 54);
  g_assert_null (ls_settings_pane_take_data (rig->pane));
  g_assert_cmpuint (n_samples (rig), ==, 20);

  ls_settings_pane_set_data (rig->pane, bad);
  wait_for_words (rig, "“bad.csv”, line 2 has 2 fields");
  g_assert_true (gtk_widget_has_css_class (rig_control (rig, "data-words"), "error"));
  g_assert_cmpuint (n_samples (rig), ==, 0);

  /* what isn't wished any more takes no memory */
  ls_settings_pane_set_data (rig->pane, good);
  wait_for_words (rig, "54 samples to train");
  ls_settings_pane_set_data (rig->pane, "mnist");
  ls_settings_pane_set_data (rig->pane, good);
  g_assert_null (ls_settings_pane_take_data (rig->pane));
  g_assert_cmpuint (n_samples (rig), ==, 20);
  ls_settings_pane_set_data (rig->pane, "mnist");
  g_assert_cmpstr (words (rig), ==, "");
  assert_option (rig, "batch", "128");
  /* again, after others: read anew */
  ls_settings_pane_set_data (rig->pane, good);
  ls_settings_pane_set_data (rig->pane, bad);
  ls_settings_pane_set_data (rig->pane, good);
  wait_for_words (rig, "54 samples to train");
  g_assert_false (gtk_widget_has_css_class (rig_control (rig, "data-words"), "error"));
  /* and what couldn't be read, and is mended meanwhile */
  ls_settings_pane_set_data (rig->pane, bad);
  wait_for_words (rig, "“bad.csv”, line 2 has 2 fields");
  ls_settings_pane_set_data (rig->pane, "mnist");
  put_table (&dir, "bad.csv", 30);
  ls_settings_pane_set_data (rig->pane, bad);
  wait_for_words (rig, "27 samples to train, 3 to test");
  g_assert_false (gtk_widget_has_css_class (rig_control (rig, "data-words"), "error"));
}

/* What the run has read isn't read again; going back to it shows it again. */
static void
test_running (Rig *rig, gconstpointer data)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsData) read = NULL;
  LsSettingsRead *shown;

  temp_dir_init (&dir);
  path = put_table (&dir, "trees.csv", 30);
  read = ls_data_load (path, 1, NULL);
  g_assert_nonnull (read);
  g_assert_true (ls_options_set (options, ls_options_find ("data"), path, NULL));
  ls_settings_pane_set_running (rig->pane, options);
  rig_wait_ms (300);
  g_assert_cmpstr (words (rig), ==, ""); /* the run is reading */
  shown = g_new0 (LsSettingsRead, 1);
  shown->preview = ls_data_preview_new (read);
  ls_settings_pane_set_read (rig->pane, options, shown);
  g_assert_nonnull (strstr (words (rig), "27 samples to train, 3 to test"));
  ls_settings_pane_set_data (rig->pane, "spiral");
  g_assert_cmpstr (words (rig), ==, "");
  ls_settings_pane_set_data (rig->pane, path);
  g_assert_nonnull (strstr (words (rig), "27 samples to train, 3 to test"));
  g_assert_cmpuint (n_samples (rig), ==, 20);
}

/* The pane may be closed while something is read. */
static void
test_closed (Rig *rig, gconstpointer data)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  gpointer pane = rig->pane;

  temp_dir_init (&dir);
  path = put_table (&dir, "trees.csv", 3000);
  ls_settings_pane_set_data (rig->pane, path);
  g_assert_nonnull (g_main_context_find_source_by_user_data (NULL, pane));
  rig_close (rig->window);
  rig->window = NULL;
  if (g_main_context_find_source_by_user_data (NULL, pane) != NULL)
    g_error ("the pane is gone, and is to show how much has been read");
  rig_wait_ms (300);
}

/* The first of each class in turn, enlarged values, labels. */
static void
test_preview (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = put_table (&dir, "trees.csv", 60);
  g_autoptr (LsData) trees = ls_data_load (path, 1, NULL), digits = ls_data_load ("mnist", 1, NULL);
  g_autoptr (LsDataPreview) table = ls_data_preview_new (trees), images = ls_data_preview_new (digits);

  g_assert_cmpuint (table->n, ==, 20);
  g_assert_cmpuint (table->width, ==, 2);
  g_assert_cmpuint (table->height, ==, 1);
  for (guint i = 0; i + 3 < table->n; i += 3)
    for (guint c = 0; c < 3; c++)
      g_assert_cmpstr (table->labels[i + c], !=, table->labels[i + (c + 1) % 3]);
  g_assert_cmpuint (images->width, ==, 28);
  g_assert_cmpstr (images->labels[0], ==, "5");
  g_assert_cmpint (images->n_classes, ==, 10);
  for (guint p = 0; p < 28 * 28; p++)
    for (guint c = 0; c < 3; c++)
      g_assert_cmpint (images->pixels[3 * p + c], ==, ((const guint8 *) digits->train.samples)[p]);
}

/* An image's pixels are squares of whole pixels on screen, as few as make it at least as wide as its place.
 */
static void
test_enlarged (void)
{
  static const struct {
    guint width, height, wide, high;
  } rows[]
    = { { 28, 28, 56, 56 }, { 48, 48, 48, 48 }, { 47, 10, 94, 20 }, { 49, 49, 49, 49 }, { 1, 2, 48, 96 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const guint width = rows[i].width, height = rows[i].height;
      g_autofree guint8 *pixels = g_malloc0 ((gsize) width * height * 3);
      char *labels[] = { (char *) "a", NULL }, *notes[] = { NULL };
      const LsDataPreview preview = { .shape = { 1, height, width },
                                      .n = 1,
                                      .width = width,
                                      .height = height,
                                      .pixels = pixels,
                                      .labels = labels,
                                      .notes = notes,
                                      .summary = (char *) "one" };
      GtkWidget *samples = g_object_ref_sink (ls_settings_samples_new ()), *picture;

      ls_settings_samples_show (samples, &preview);
      picture = rig_find_kind (samples, GTK_TYPE_PICTURE);
      GdkPaintable *shown = gtk_picture_get_paintable (GTK_PICTURE (picture));
      const int wide = gdk_paintable_get_intrinsic_width (shown),
                high = gdk_paintable_get_intrinsic_height (shown);
      if (wide != (int) rows[i].wide || high != (int) rows[i].high)
        g_error ("an image of %u×%u is shown as %d×%d, not as %u×%u", width, height, wide, high, rows[i].wide,
                 rows[i].high);
      g_object_unref (samples);
    }
}

/* Nothing for a second; then how much has been read, until it has. */
static void
test_bar (void)
{
  for (guint says = 0; says < 2; says++)
    {
      GtkWidget *bar = g_object_ref_sink (ls_settings_bar_new (says));
      LsSettingsPart *part = g_atomic_rc_box_new0 (LsSettingsPart);

      ls_settings_bar_tick (bar, 10 * G_USEC_PER_SEC); /* of nothing */
      g_assert_false (gtk_widget_get_visible (bar));
      ls_settings_bar_begin (bar, "/some/where/trees.csv", g_atomic_rc_box_acquire (part));
      ls_settings_bar_tick (bar, G_USEC_PER_SEC - 1);
      g_assert_false (gtk_widget_get_visible (bar));
      g_atomic_int_set (&part->permille, 340);
      ls_settings_bar_tick (bar, G_USEC_PER_SEC);
      g_assert_true (gtk_widget_get_visible (bar));
      g_assert_cmpfloat (gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (bar)), ==, .34);
      g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==,
                       says ? "Reading “trees.csv”: 34 %" : NULL);
      ls_settings_bar_begin (bar, "/another", g_atomic_rc_box_acquire (part));
      g_assert_false (gtk_widget_get_visible (bar));
      ls_settings_bar_tick (bar, 2 * G_USEC_PER_SEC);
      g_assert_true (gtk_widget_get_visible (bar));
      ls_settings_bar_end (bar);
      g_assert_false (gtk_widget_get_visible (bar));
      ls_settings_bar_tick (bar, 3 * G_USEC_PER_SEC);
      g_assert_false (gtk_widget_get_visible (bar));
      g_object_unref (bar);
      g_atomic_rc_box_release (part);
    }
}

/* By itself it comes once reading takes long, and goes on with what has been read. */
static void
test_bar_moves (void)
{
  GtkWidget *bar = g_object_ref_sink (ls_settings_bar_new (TRUE));
  LsSettingsPart *part = g_atomic_rc_box_new0 (LsSettingsPart);

  g_atomic_int_set (&part->permille, 120);
  ls_settings_bar_begin (bar, "/some/where/trees.csv", g_atomic_rc_box_acquire (part));
  for (guint permille = 120; permille <= 990; permille += 870)
    {
      g_autofree char *words = g_strdup_printf ("Reading “trees.csv”: %u %%", permille / 10);

      g_atomic_int_set (&part->permille, (int) permille);
      for (guint i = 0;
           i < 1000 && g_strcmp0 (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), words) != 0; i++)
        rig_wait_ms (10);
      if (!gtk_widget_get_visible (bar)
          || g_strcmp0 (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), words) != 0)
        g_error ("what is read for ten seconds isn't told as “%s”", words);
    }
  ls_settings_bar_end (bar);
  g_object_unref (bar);
  g_atomic_rc_box_release (part);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/settings/samples/preview", test_preview);
  g_test_add_func ("/settings/samples/enlarged", test_enlarged);
  g_test_add_func ("/settings/samples/bar", test_bar);
  g_test_add_func ("/settings/samples/bar-moves", test_bar_moves);
  g_test_add ("/settings/samples/wished", Rig, NULL, rig_set_up, test_wished, rig_tear_down);
  g_test_add ("/settings/samples/running", Rig, NULL, rig_set_up, test_running, rig_tear_down);
  g_test_add ("/settings/samples/closed", Rig, NULL, rig_set_up, test_closed, rig_tear_down);
  return g_test_run ();
}
