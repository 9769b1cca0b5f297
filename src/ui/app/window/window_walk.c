/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switches above Tiles: which side and which kernel it walks through, the batch, and on the CPU's side
 * how many tiles an op is cut into. Batch and tiles are the run's own settings: choosing one runs with it at
 * once, from the first step where the network's shapes change with it, and both heads then say how fast the
 * lanes were before and are now.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "model/ladder.h"

static const char *const batches[] = { "1", "8", "16", "32", "64", "128", "256", "512", "1024" };
static const char *const tiles[] = { "0", "1", "2", "4", "8", "16", "32", "64" };

/* The first is the one that ran. */
static gint
chosen_rung (LsStage *stage)
{
  return (gint) gtk_drop_down_get_selected (GTK_DROP_DOWN (stage->walk_rung)) - 1;
}

static void
walk_cb (LsStage *stage)
{
  const gboolean cpu = gtk_drop_down_get_selected (GTK_DROP_DOWN (stage->walk_side)) == 1;

  ls_canvas_set_walk (LS_CANVAS (stage->canvas), chosen_rung (stage), cpu);
  gtk_widget_set_visible (stage->walk_rung, !cpu);
  gtk_widget_set_visible (stage->walk_edge, !cpu && chosen_rung (stage) == LS_RUNG_TILED);
  gtk_widget_set_visible (stage->walk_tiles, cpu);
}

static char *
batch_words (const char *text)
{
  const gulong n = (gulong) g_ascii_strtoull (text, NULL, 10);

  return g_strdup_printf (_("batch %lu"), n);
}

static char *
tiles_words (const char *text)
{
  const gulong n = (gulong) g_ascii_strtoull (text, NULL, 10);

  return n == 0 ? g_strdup (_("tiles: automatic"))
                : g_strdup_printf (ngettext ("%lu tile", "%lu tiles", n), n);
}

static char *
edge_words (const char *text)
{
  return strcmp (text, "auto") == 0 ? g_strdup (_("tile: automatic"))
                                    : g_strdup_printf ("%s×%s", text, text);
}

/* A drop-down of an option's values; each item's own text is its value. */
static GtkWidget *
value_drop (LsWindow *self, char *(*in_words) (const char *text), const char *title,
            const char *const *values, guint n, GCallback chosen)
{
  GtkStringList *list = gtk_string_list_new (NULL);
  GtkWidget *drop;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = in_words (values[i]);
      gtk_string_list_append (list, words);
    }
  drop = gtk_drop_down_new (G_LIST_MODEL (list), NULL);
  ls_window_name_drop (drop, title);
  g_object_set_data (G_OBJECT (drop), "setting", GINT_TO_POINTER (TRUE)); /* until it shows the run's own
                                                                             value */
  g_signal_connect_object (drop, "notify::selected", chosen, self, G_CONNECT_SWAPPED);
  return drop;
}

static void
take (LsWindow *self, const char *name, const char *const *values, guint n, GtkDropDown *drop)
{
  const guint at = gtk_drop_down_get_selected (drop);

  if (at < n && g_object_get_data (G_OBJECT (drop), "setting") == NULL)
    ls_window_set_option (self, name, values[at]);
}

static void
batch_cb (LsWindow *self, GParamSpec *spec, GtkDropDown *drop)
{
  take (self, "batch", batches, G_N_ELEMENTS (batches), drop);
}

static void
tiles_cb (LsWindow *self, GParamSpec *spec, GtkDropDown *drop)
{
  take (self, "tiles-per-op", tiles, G_N_ELEMENTS (tiles), drop);
}

static void
edge_cb (LsWindow *self, GParamSpec *spec, GtkDropDown *drop)
{
  const char *const *edges = ls_options_find ("tile-edge")->choices;

  take (self, "tile-edge", edges, g_strv_length ((char **) edges), drop);
}

GtkWidget *
ls_window_walk_switch (LsWindow *self, LsStage *stage)
{
  const char *const sides[] = { _("Work-group"), _("CPU's cache blocks"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
            *run = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  const LsOption *kernel = ls_options_find ("kernel"); /* its choices are the ladder's rungs, after
                                                          “automatic” */
  const char *const *edges = ls_options_find ("tile-edge")->choices;
  GtkStringList *rungs = gtk_string_list_new (NULL);

  gtk_string_list_append (rungs, _("the kernel that ran"));
  for (guint i = 0; i < LS_RUNG_N; i++)
    gtk_string_list_append (rungs, kernel->choice_words != NULL ? gettext (kernel->choice_words[i + 1])
                                                                : kernel->choices[i + 1]);
  stage->walk_side = gtk_drop_down_new_from_strings (sides);
  stage->walk_rung = gtk_drop_down_new (G_LIST_MODEL (rungs), NULL);
  stage->walk_edge = value_drop (self, edge_words, _("Tile in local memory"), edges,
                                 g_strv_length ((char **) edges), G_CALLBACK (edge_cb));
  stage->walk_tiles = value_drop (self, tiles_words, _("Tiles per op on the CPU lane"), tiles,
                                  G_N_ELEMENTS (tiles), G_CALLBACK (tiles_cb));
  stage->walk_batch = value_drop (self, batch_words, _("Batch; another one trains anew from step 0"),
                                  batches, G_N_ELEMENTS (batches), G_CALLBACK (batch_cb));
  ls_window_name_drop (stage->walk_side, _("What Tiles shows"));
  ls_window_name_drop (stage->walk_rung, _("Kernel to walk through"));
  gtk_box_append (GTK_BOX (box), stage->walk_side);
  gtk_box_append (GTK_BOX (box), stage->walk_rung);
  gtk_box_append (GTK_BOX (run), stage->walk_edge);
  gtk_box_append (GTK_BOX (run), stage->walk_tiles);
  gtk_box_append (GTK_BOX (run), stage->walk_batch);
  gtk_box_append (GTK_BOX (box), run);
  gtk_box_append (GTK_BOX (box), ls_window_kernel_button ());
  gtk_widget_set_visible (stage->walk_tiles, FALSE);
  gtk_widget_set_visible (stage->walk_edge, FALSE);
  g_signal_connect_swapped (stage->walk_side, "notify::selected", G_CALLBACK (walk_cb), stage);
  g_signal_connect_swapped (stage->walk_rung, "notify::selected", G_CALLBACK (walk_cb), stage);
  return box;
}

/* A value that isn't among the usual ones joins the list's end. */
static void
show_value (GtkWidget *drop, const char *const *values, guint n, const char *text,
            char *(*words) (const char *text))
{
  GtkStringList *list = GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (drop)));
  g_autofree char *own = words (text);
  guint at = 0;

  while (at < n && strcmp (values[at], text) != 0)
    at++;
  g_object_set_data (G_OBJECT (drop), "setting", GINT_TO_POINTER (TRUE));
  if (at == n && g_strcmp0 (gtk_string_list_get_string (list, n), own) != 0)
    {
      const char *const added[] = { own, NULL };
      gtk_string_list_splice (list, n, g_list_model_get_n_items (G_LIST_MODEL (list)) - n, added);
    }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), at);
  g_object_set_data (G_OBJECT (drop), "setting", NULL);
}

void
ls_window_update_walk (LsWindow *self)
{
  const LsOptions *options = ls_session_options (self->session);
  g_autofree char *batch = ls_options_get (options, ls_options_find ("batch")),
                  *n_tiles = ls_options_get (options, ls_options_find ("tiles-per-op"));
  g_autofree char *edge = ls_options_get (options, ls_options_find ("tile-edge"));
  const char *const *edges = ls_options_find ("tile-edge")->choices;
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;

  for (guint i = 0; i < G_N_ELEMENTS (self->stages) && self->stages[i].canvas != NULL; i++)
    {
      LsStage *stage = &self->stages[i];
      show_value (stage->walk_batch, batches, G_N_ELEMENTS (batches), batch, batch_words);
      show_value (stage->walk_edge, edges, g_strv_length ((char **) edges), edge, edge_words);
      show_value (stage->walk_tiles, tiles, G_N_ELEMENTS (tiles), n_tiles, tiles_words);
      /* a recording was made with its own */
      gtk_widget_set_visible (gtk_widget_get_parent (stage->walk_batch), live);
    }
}
