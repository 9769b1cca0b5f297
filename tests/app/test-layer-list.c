/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers editor's list, without its window: brackets are rows further in; they and their layers are
 * added, moved, taken out and put in, and nothing is lost on the way.
 */
#include "ui/app/settings/layer_list.h"

#define assert_text(list, expected)                                                                          \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text_ = ls_layer_list_text (list);                                                      \
    g_assert_cmpstr (text_, ==, expected);                                                                   \
  }                                                                                                          \
  G_STMT_END

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLayerList, ls_layer_list_free)

static LsLayerList *
list_new (const char *text)
{
  LsLayerList *list = ls_layer_list_new ();

  ls_layer_list_set_input (list, (const gint64[]){ 1, 28, 28 }, 10);
  ls_layer_list_start (list, text);
  return list;
}

static void
test_moves (void)
{
  g_autoptr (LsLayerList) list = list_new ("flatten, dense 20, residual(relu, dense 20), dense 10");

  g_assert_cmpuint (ls_layer_list_n (list), ==, 6);
  g_assert_cmpint (ls_layer_list_move (list, 2, -1), ==, 1); /* all of it */
  assert_text (list, "flatten, residual(relu, dense 20), dense 20, dense 10");
  g_assert_cmpint (ls_layer_list_move (list, 1, 1), ==, 2);
  g_assert_cmpint (ls_layer_list_move (list, 2, 1), ==, 3);
  assert_text (list, "flatten, dense 20, dense 10, residual(relu, dense 20)");
  g_assert_cmpint (ls_layer_list_move (list, 3, 1), ==, -1); /* it is the last */
  g_assert_cmpint (ls_layer_list_move (list, 0, -1), ==, -1);
  g_assert_cmpint (ls_layer_list_move (list, 3, -1), ==, 2);
  g_assert_cmpint (ls_layer_list_move (list, 4, 1), ==, 4); /* out of the bracket, and in again */
  assert_text (list, "flatten, dense 20, residual(relu), dense 20, dense 10");
  g_assert_cmpint (ls_layer_list_move (list, 4, -1), ==, 4);
  g_assert_cmpint (ls_layer_list_move (list, 4, -1), ==, 3);
  assert_text (list, "flatten, dense 20, residual(dense 20, relu), dense 10");
  g_assert_cmpint (ls_layer_list_move (list, 3, -1), ==, 2); /* before it */
  assert_text (list, "flatten, dense 20, dense 20, residual(relu), dense 10");
  g_assert_cmpint (ls_layer_list_move (list, 2, 1), ==, 3); /* into it from above */
  assert_text (list, "flatten, dense 20, residual(dense 20, relu), dense 10");
  g_assert_cmpint (ls_layer_list_move (list, 99, 1), ==, -1);

  /* a bracket into another one, by its end and by its beginning */
  ls_layer_list_start (list, "residual(tanh), residual(relu), residual(sigmoid)");
  g_assert_cmpint (ls_layer_list_move (list, 2, -1), ==, 2);
  assert_text (list, "residual(tanh, residual(relu)), residual(sigmoid)");
  g_assert_cmpint (ls_layer_list_move (list, 2, 1), ==, 2);
  g_assert_cmpint (ls_layer_list_move (list, 2, 1), ==, 3);
  assert_text (list, "residual(tanh), residual(residual(relu), sigmoid)");
}

static void
test_changes (void)
{
  g_autoptr (LsLayerList) list = list_new ("flatten, dense 20, residual(dense 20, relu), dense 10");

  ls_layer_list_remove (list, 2); /* the bracket alone */
  assert_text (list, "flatten, dense 20, dense 20, relu, dense 10");
  g_assert_true (ls_layer_list_undo (list));
  assert_text (list, "flatten, dense 20, residual(dense 20, relu), dense 10");
  ls_layer_list_add (list, 3, LS_LAYER_TANH); /* behind the bracket's word: into it */
  assert_text (list, "flatten, dense 20, residual(tanh, dense 20, relu), dense 10");
  ls_layer_list_add (list, 2, LS_LAYER_RESIDUAL); /* with something in it */
  assert_text (list, "flatten, dense 20, residual(relu), residual(tanh, dense 20, relu), dense 10");

  /* what a new one has */
  ls_layer_list_start (list, "flatten, dense 10");
  ls_layer_list_add (list, 1, LS_LAYER_DROPOUT);
  ls_layer_list_add (list, 1, LS_LAYER_LAYERNORM);
  ls_layer_list_add (list, 1, LS_LAYER_GELU);
  ls_layer_list_add (list, 0, LS_LAYER_AVGPOOL);
  assert_text (list, "avgpool 2, flatten, gelu, layernorm, dropout 0.5, dense 10");

  /* emptied: said and kept; and what was typed reads back the same */
  ls_layer_list_start (list, "flatten, dense 8, residual(relu), dense 10");
  ls_layer_list_remove (list, 3);
  g_assert_cmpuint (ls_layer_list_n (list), ==, 4);
  assert_text (list, "flatten, dense 8, residual(), dense 10");
  g_autoptr (GError) error = NULL;
  gint64 shapes[8][3];
  g_assert_cmpuint (ls_layer_list_check (list, shapes, &error), ==, 0);
  g_assert_cmpstr (error->message, ==,
                   "layer 3, column 28: the bracket of residual is empty; put layers into it");
  g_assert_true (ls_layer_list_undo (list));
  g_clear_error (&error);
  g_assert_cmpuint (ls_layer_list_check (list, shapes, &error), ==, 5);
  g_assert_no_error (error);
  g_assert_cmpint (shapes[2][0], ==, 8);
  gboolean other;
  g_assert_true (ls_layer_list_read (list, "flatten,dense 8,residual( relu ),dense 10", &other, &error));
  g_assert_false (other);
  g_assert_true (
    ls_layer_list_read (list, "flatten, dense 8, residual(relu, tanh), dense 10", &other, &error));
  g_assert_true (other);
  assert_text (list, "flatten, dense 8, residual(relu, tanh), dense 10");
}

/* A layer that is changed is that one, and the change is taken back; there is none behind the last. */
static void
test_replace (void)
{
  g_autoptr (LsLayerList) list = list_new ("flatten, dense 20, residual(dense 20, relu), dense 10");
  LsLayer layer = *ls_layer_list_get (list, 3);

  layer.n = 33;
  ls_layer_list_replace (list, ls_layer_list_n (list), &layer);
  assert_text (list, "flatten, dense 20, residual(dense 20, relu), dense 10");
  g_assert_false (ls_layer_list_undo (list)); /* nothing was changed */
  for (guint i = 0; i < ls_layer_list_n (list); i++)
    g_assert_cmpint (ls_layer_list_get (list, i)->depth, ==, i == 3 || i == 4);
  ls_layer_list_replace (list, 3, &layer);
  assert_text (list, "flatten, dense 20, residual(dense 33, relu), dense 10");
  layer.depth = 0;
  ls_layer_list_replace (list, ls_layer_list_n (list) - 1, &layer);
  assert_text (list, "flatten, dense 20, residual(dense 33, relu), dense 33");
  g_assert_true (ls_layer_list_undo (list));
  assert_text (list, "flatten, dense 20, residual(dense 33, relu), dense 10");
  g_assert_true (ls_layer_list_undo (list));
  assert_text (list, "flatten, dense 20, residual(dense 20, relu), dense 10");
}

/* Of more changes than are remembered the newest 200 are undone, one by one, the last one first. */
static void
test_undo_many (void)
{
  g_autoptr (LsLayerList) list = list_new ("flatten, dense 1, dense 10");
  LsLayer layer = *ls_layer_list_get (list, 1);

  for (guint units = 2; units <= 251; units++)
    {
      layer.n = (gint) units;
      ls_layer_list_replace (list, 1, &layer);
    }
  for (gint units = 250; units >= 51; units--)
    {
      g_assert_true (ls_layer_list_undo (list));
      g_assert_cmpint (ls_layer_list_get (list, 1)->n, ==, units);
    }
  g_assert_false (ls_layer_list_undo (list));
  assert_text (list, "flatten, dense 51, dense 10");
}

/* How many layers fit, what each makes, and why not all do: also the last one's units, which the data say. */
static void
test_check (void)
{
  static const struct {
    const char *text;
    guint n_fit;
    const char *says; /* or NULL: it can be trained */
  } rows[] = {
    { "flatten, dense 10", 2, NULL },
    { "flatten, dense 9", 2,
      "layer 2, column 10: the last layer must be dense 10, one unit for each class of the data" },
    { "flatten, dense 10, dense 11", 3,
      "layer 3, column 20: the last layer must be dense 10, one unit for each class of the data" },
    { "flatten, maxpool 2, dense 10", 1, "" },
    { "maxpool 29, flatten, dense 10", 0, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsLayerList) list = list_new (rows[i].text);
      g_autoptr (GError) error = NULL;
      gint64 shapes[8][3];
      const guint n_fit = ls_layer_list_check (list, shapes, &error);

      if (n_fit != rows[i].n_fit || (error != NULL) != (rows[i].says != NULL))
        g_error ("of “%s” %u layers fit and it is said “%s”; there should fit %u", rows[i].text, n_fit,
                 error != NULL ? error->message : "", rows[i].n_fit);
      if (error != NULL && *rows[i].says != '\0')
        g_assert_cmpstr (error->message, ==, rows[i].says);
    }

  g_autoptr (LsLayerList) unknown = list_new ("flatten, dense 9");
  g_autoptr (GError) error = NULL;
  gint64 shapes[8][3];
  ls_layer_list_set_input (unknown, NULL, 0); /* what isn't known can't be wrong */
  g_assert_cmpuint (ls_layer_list_check (unknown, shapes, &error), ==, 0);
  g_assert_no_error (error);
  ls_layer_list_set_input (unknown, (const gint64[]){ 1, 2, 3 }, 9);
  g_assert_cmpuint (ls_layer_list_check (unknown, shapes, &error), ==, 2);
  g_assert_no_error (error);
  g_assert_cmpint (shapes[0][0], ==, 6);
  g_assert_cmpint (shapes[1][0], ==, 9);
  for (guint i = ls_layer_list_n (unknown); i-- > 0;)
    ls_layer_list_remove (unknown, i);
  g_assert_cmpuint (ls_layer_list_check (unknown, shapes, &error), ==, 0);
  g_assert_cmpstr (error->message, ==, "A network needs layers; add one.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layer-list/moves", test_moves);
  g_test_add_func ("/layer-list/changes", test_changes);
  g_test_add_func ("/layer-list/replace", test_replace);
  g_test_add_func ("/layer-list/undo-many", test_undo_many);
  g_test_add_func ("/layer-list/check", test_check);
  return g_test_run ();
}
