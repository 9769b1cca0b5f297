/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines before the first step of `lockstep train`: what is trained, with what, and what was chosen for
 * whoever didn't say it; each said if it is so, and not otherwise.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

static char *folder;

/* What is said of a choice, and what of that stands in a run's head. */
enum { NETWORK = 1, FOLLOWS = 2, OF_ADAM = 4, SUITS = 8 };

static const struct {
  int which;
  const char *begins;
} choices[] = {
  { NETWORK, "The network is the one that suits " },
  { FOLLOWS, "The learning rate follows batches below " },
  { OF_ADAM, "The learning rate is " /* a number */ },
  { SUITS, "The learning rate is the one that suits " },
};

static const struct {
  const char *words;
  const char *model, *data, *steps; /* the first three lines */
  int said;
  const char *line; /* one of those that say what was chosen */
} rows[] = {
  /* 2·32 + 32, 32·32 + 32, 32·3 + 3 parameters */
  { "--data|spiral|--batch|16|--steps|1",
    "Model flatten, dense 32, tanh, dense 32, tanh, dense 3 (1251 parameters)",
    "Data spiral: 2000 samples to train, 500 to test, 3 classes",
    "1 step of 16 samples, sgd, learning rate 0.0125, momentum 0.9, seed 1", NETWORK | FOLLOWS,
    "The learning rate follows batches below 128: 0.1 × 16 / 128; --lr takes another." },
  { "--data|spiral|--model|flatten, dense 5, dense 3|--batch|1|--steps|2|--seed|7",
    "Model flatten, dense 5, dense 3 (33 parameters)",
    "Data spiral: 2000 samples to train, 500 to test, 3 classes",
    "2 steps of 1 sample, sgd, learning rate 0.00078125, momentum 0.9, seed 7", FOLLOWS,
    "The learning rate follows batches below 128: 0.1 × 1 / 128; --lr takes another." },
  { "--data|spiral|--batch|127|--optimizer|adam|--steps|1", NULL, NULL, NULL, NETWORK | FOLLOWS,
    "The learning rate follows batches below 128: 0.01 × 127 / 128; --lr takes another." },
  { "--data|xor|--batch|128|--optimizer|adam|--steps|1",
    "Model flatten, dense 16, tanh, dense 2 (82 parameters)",
    "Data xor: 2000 samples to train, 500 to test, 2 classes",
    "1 step of 128 samples, adam, learning rate 0.01, seed 1", NETWORK | OF_ADAM,
    "The learning rate is 0.01, which suits adam on xor; --lr takes another." },
  { "--data|circles|--batch|128|--steps|1", NULL, NULL,
    "1 step of 128 samples, sgd, learning rate 0.1, momentum 0.9, seed 1", NETWORK | SUITS,
    "The learning rate is the one that suits circles; --lr takes another." },
  { "--data|spiral|--batch|16|--lr|0.3|--momentum|0.5|--steps|1", NULL, NULL,
    "1 step of 16 samples, sgd, learning rate 0.3, momentum 0.5, seed 1", NETWORK,
    "The network is the one that suits spiral; --model takes another." },
  { "--data|@/own.csv|--batch|200|--steps|1", "Model flatten, dense 32, relu, dense 2 (162 parameters)",
    "Data own.csv: 270 samples to train, 30 to test, 2 classes", NULL, NETWORK | SUITS,
    "The network is the one that suits own.csv; --model takes another." },
  /* 60,000 samples in batches of 30,000 */
  { "--data|mnist|--model|flatten, dense 10|--batch|30000|--epochs|1",
    "Model flatten, dense 10 (7850 parameters)",
    "Data mnist: 60000 samples to train, 10000 to test, 10 classes",
    "2 steps of 30000 samples, sgd, learning rate 0.05, momentum 0.9, seed 1", 0, NULL },
};

static void
assert_line (const char *words, const char *line, const char *expected)
{
  if (expected != NULL && g_strcmp0 (line, expected) != 0)
    g_error ("“%s” says\n  “%s”\nand should say\n  “%s”", words, line, expected);
}

static void
test_head (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) words = g_string_new ("train|--lanes|cpu|");
      int chosen = 0;

      g_string_append (words, rows[i].words);
      g_string_replace (words, "@", folder, 0);
      g_auto (Captured) said = run (words->str);
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
      g_assert_cmpint (said.status, ==, 0);
      g_assert_cmpuint (g_strv_length (lines), >, 4);
      assert_line (words->str, lines[0], rows[i].model);
      assert_line (words->str, lines[1], rows[i].data);
      assert_line (words->str, lines[2], rows[i].steps);
      for (guint l = 0; lines[l] != NULL; l++)
        for (gsize c = 0; c < G_N_ELEMENTS (choices); c++)
          if (g_str_has_prefix (lines[l], choices[c].begins)
              && (choices[c].which != OF_ADAM || g_ascii_isdigit (lines[l][strlen (choices[c].begins)])))
            {
              g_assert_cmpuint (l, >=, 3);
              if (chosen & choices[c].which)
                g_error ("“%s” says twice: “%s”", words->str, lines[l]);
              chosen |= choices[c].which;
            }
      if (chosen != rows[i].said)
        g_error ("“%s” says %x of what was chosen, and should say %x:\n%s", words->str, (guint) chosen,
                 (guint) rows[i].said, said.out);
      if (rows[i].line != NULL && !g_strv_contains ((const char *const *) lines, rows[i].line))
        g_error ("“%s” doesn't say “%s”:\n%s", words->str, rows[i].line, said.out);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;
  GString *table = g_string_new ("a,b,kind\n");
  int status;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-train-XXXXXX", NULL);
  path = g_build_filename (folder, "own.csv", NULL);
  for (guint i = 0; i < 300; i++)
    g_string_append_printf (table, "%u,%u,%s\n", i * 7 % 31, i * 5 % 17, i % 2 == 0 ? "x" : "y");
  g_assert_true (g_file_set_contents (path, table->str, (gssize) table->len, NULL));
  g_string_free (table, TRUE);
  g_test_add_func ("/train-head/lines", test_head);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
