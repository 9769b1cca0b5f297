/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep train` with what another run has left: its recording, whose network, data and settings are taken
 * unless others are given, and its weights; and what it leaves itself where the recorded step is none.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

#include "files/recording.h"
#include "core/error.h"

static char *folder;

/* ---- a recorded step that can't be used ---- */

static gboolean spoiled;

gboolean __real_ls_recording_seal (LsRecording *recording, GError **error);
gboolean __wrap_ls_recording_seal (LsRecording *recording, GError **error);

gboolean
__wrap_ls_recording_seal (LsRecording *recording, GError **error)
{
  if (!spoiled)
    return __real_ls_recording_seal (recording, error);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, "its events lie before it.");
  return FALSE;
}

/* “@” stands for the folder. */
static Captured
run_here (const char *words)
{
  g_autoptr (GString) line = g_string_new ("train|--lanes|cpu|");

  g_string_append (line, words);
  g_string_replace (line, "@", folder, 0);
  return run (line->str);
}

static void
assert_trains (const char *words)
{
  g_auto (Captured) said = run_here (words);

  if (said.status != 0)
    g_error ("“train %s” ends with %d:\n%s", words, said.status, said.err);
}

/* (transfer full) */
static char *
contents_of (const char *name, gsize *n)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *bytes = NULL;

  if (!g_file_get_contents (path, &bytes, n, NULL))
    g_error ("there is no file “%s”", name);
  return bytes;
}

static void
assert_same (const char *what, const char *name, const char *as, gboolean same)
{
  gsize n = 0, n_as = 0;
  g_autofree char *bytes = contents_of (name, &n), *others = contents_of (as, &n_as);

  if ((n == n_as && memcmp (bytes, others, n) == 0) != same)
    g_error ("%s: “%s” and “%s” %s", what, name, as, same ? "differ" : "are the same");
}

#define TWO "flatten, dense 5, tanh, dense 2"

/* What a run says of itself in its first lines. */
static void
test_taken (void)
{
  static const struct {
    const char *words;
    const char *lines[3];
  } rows[] = {
    { "--steps|3",
      { "Model " TWO " (27 parameters)", "Data xor: 2000 samples to train, 500 to test, 2 classes",
        "3 steps of 20 samples, adam, learning rate 0.02, seed 7" } },
    { "--steps|1|--batch|10",
      { "Model " TWO " (27 parameters)", "Data xor: 2000 samples to train, 500 to test, 2 classes",
        "1 step of 10 samples, adam, learning rate 0.02, seed 7" } },
    { "--steps|1|--seed|8|--lr|0.5|--optimizer|sgd|--momentum|0.25",
      { "Model " TWO " (27 parameters)", "Data xor: 2000 samples to train, 500 to test, 2 classes",
        "1 step of 20 samples, sgd, learning rate 0.5, momentum 0.25, seed 8" } },
    { "--steps|1|--model|flatten, dense 2",
      { "Model flatten, dense 2 (6 parameters)", "Data xor: 2000 samples to train, 500 to test, 2 classes",
        "1 step of 20 samples, adam, learning rate 0.02, seed 7" } },
    { "--steps|1|--data|circles",
      { "Model " TWO " (27 parameters)", "Data circles: 2000 samples to train, 500 to test, 2 classes",
        "1 step of 20 samples, adam, learning rate 0.02, seed 7" } },
  };

  assert_trains ("--data|xor|--model|" TWO "|--batch|20|--optimizer|adam|--lr|0.02|--seed|7|--steps|12"
                 "|--record|@/xor.lockstep|--save|@/first");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = g_strconcat ("--from|@/xor.lockstep|", rows[i].words, NULL);
      g_auto (Captured) said = run_here (words);
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", 4);

      if (said.status != 0 || g_strv_length (lines) < 4)
        g_error ("“train %s” ends with %d:\n%s%s", words, said.status, said.out, said.err);
      for (guint l = 0; l < 3; l++)
        if (strcmp (lines[l], rows[i].lines[l]) != 0)
          g_error ("“train %s” says\n  “%s”\nand should say\n  “%s”", words, lines[l], rows[i].lines[l]);
    }
  assert_trains ("--from|@/xor.lockstep|--steps|12|--save|@/again");
  assert_same ("the run of the recording", "again", "first", TRUE);
  assert_trains ("--from|@/xor.lockstep|--steps|12|--seed|8|--save|@/other");
  assert_same ("with another seed", "other", "first", FALSE);
}

/* ---- data that aren't here any more ---- */

static void
test_lost (void)
{
  g_autoptr (GString) table = g_string_new ("a,b,kind\n");
  g_autofree char *path = g_build_filename (folder, "gone.csv", NULL);

  for (guint i = 0; i < 90; i++)
    g_string_append_printf (table, "%u,%u,%s\n", i, i * 7 % 10, i % 2 == 0 ? "x" : "y");
  g_assert_true (g_file_set_contents (path, table->str, (gssize) table->len, NULL));
  assert_trains ("--data|@/gone.csv|--model|" TWO "|--batch|9|--lr|0.03|--steps|4|--record|@/gone.lockstep");
  g_assert_cmpint (g_unlink (path), ==, 0);

  g_auto (Captured) digits = run_here ("--from|@/gone.lockstep|--steps|1");
  g_assert_cmpint (digits.status, ==, 1);
  g_assert_cmpstr (digits.out, ==, "");
  if (strstr (digits.err, "gone.csv” aren’t here, and “mnist” don’t fit its network") == NULL)
    g_error ("without its data a run says “%s”", digits.err);
  g_auto (Captured) others = run_here ("--from|@/gone.lockstep|--data|moons|--steps|1");
  g_auto (GStrv) lines = g_strsplit (others.out, "\n", 4);
  g_assert_cmpint (others.status, ==, 0);
  g_assert_cmpstr (lines[0], ==, "Model " TWO " (27 parameters)");
  g_assert_cmpstr (lines[1], ==, "Data moons: 2000 samples to train, 500 to test, 2 classes");
  g_assert_cmpstr (lines[2], ==, "1 step of 9 samples, sgd, learning rate 0.03, momentum 0.9, seed 1");
}

static void
put_idx (const char *name, const guint8 *head, gsize n_head, gsize n, guint mod)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *path = g_build_filename (folder, "digits", name, NULL);

  g_byte_array_append (bytes, head, (guint) n_head);
  for (gsize i = 0; i < n; i++)
    g_byte_array_append (bytes, &(guint8){ (guint8) (i % mod) }, 1);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
}

/* Where nobody says which data instead, those that are taken otherwise are trained on if they fit, and it is
 * said that they aren't the recording's. */
static void
test_lost_alike (void)
{
  static const guint8 images[] = { 0, 0, 8, 3, 0, 0, 0, 40, 0, 0, 0, 28, 0, 0, 0, 28 },
                      labels[] = { 0, 0, 8, 1, 0, 0, 0, 40 };
  static const char *const parts[] = { "train", "t10k" };
  g_autofree char *path = g_build_filename (folder, "digits", NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *of_images = g_strconcat (parts[i], "-images-idx3-ubyte", NULL),
                      *of_labels = g_strconcat (parts[i], "-labels-idx1-ubyte", NULL);
      put_idx (of_images, images, sizeof images, 40 * 28 * 28, 251);
      put_idx (of_labels, labels, sizeof labels, 40, 10);
    }
  assert_trains ("--data|@/digits|--model|flatten, dense 10|--batch|8|--lr|0.03|--steps|4"
                 "|--record|@/digits.lockstep");
  remove_tree (path);

  g_auto (Captured) said = run_here ("--from|@/digits.lockstep|--steps|1");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", 4);
  if (said.status != 0 || g_strv_length (lines) < 4)
    g_error ("without its digits a run ends with %d:\n%s%s", said.status, said.out, said.err);
  g_assert_cmpstr (lines[0], ==, "Model flatten, dense 10 (7850 parameters)");
  g_assert_cmpstr (lines[1], ==, "Data mnist: 60000 samples to train, 10000 to test, 10 classes");
  g_assert_cmpstr (lines[2], ==, "1 step of 8 samples, sgd, learning rate 0.03, momentum 0.9, seed 1");
  if (!g_str_has_prefix (said.err, "The recording’s data “")
      || strstr (said.err, "digits” aren’t here; ") == NULL
      || strstr (said.err, "its network is trained on “mnist”, whose samples are of the same kind: ") == NULL)
    g_error ("on digits that aren’t the recording’s it says “%s”", said.err);
}

/* ---- what is none ---- */

static void
test_refused (void)
{
  static const struct {
    const char *words, *says;
  } rows[] = {
    { "--from|@/nothing.lockstep|--data|spiral|--steps|1", "nothing.lockstep" },
    { "--from|@/text|--data|spiral|--steps|1", "“text”" },
    { "--load|@/nothing|--data|spiral|--steps|1", "nothing" },
    { "--load|@/text|--data|spiral|--steps|1", "“text”" },
  };
  g_autofree char *path = g_build_filename (folder, "text", NULL);

  g_assert_true (g_file_set_contents (path, "no recording, and no weights\n", -1, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Captured) said = run_here (rows[i].words);

      if (said.status != 1 || *said.out != '\0' || !g_str_has_prefix (said.err, "lockstep train: ")
          || strstr (said.err, rows[i].says) == NULL)
        g_error ("“train %s” ends with %d, prints “%s” and says “%s”", rows[i].words, said.status, said.out,
                 said.err);
    }
}

/* ---- weights ---- */

#define SHORT "--data|xor|--model|" TWO "|--batch|20|--lr|0.1|--steps|5|"

static void
test_weights (void)
{
  gsize n = 0, n_half = 0;

  assert_trains (SHORT "--seed|3|--save-initial|@/initial-3|--save|@/after-3");
  assert_trains (SHORT "--seed|4|--save-initial|@/initial-4|--save|@/after-4");
  assert_same ("five steps", "after-3", "initial-3", FALSE);
  assert_same ("another seed", "initial-4", "initial-3", FALSE);
  assert_trains (SHORT "--seed|3|--load|@/initial-3|--save-initial|@/loaded-3|--save|@/again-3");
  assert_same ("weights that were loaded", "loaded-3", "initial-3", TRUE);
  assert_same ("a run from its own weights", "again-3", "after-3", TRUE);
  assert_trains (SHORT "--seed|3|--load|@/initial-4|--save-initial|@/loaded-4|--save|@/mixed");
  assert_same ("another seed's weights", "loaded-4", "initial-4", TRUE);
  assert_same ("a run from another seed's weights", "mixed", "after-3", FALSE);
  assert_trains (SHORT "--seed|3|--save-as|bf16|--save|@/half-3");
  g_autofree char *whole = contents_of ("after-3", &n), *half = contents_of ("half-3", &n_half);
  g_assert_true (whole != NULL && half != NULL);
  g_assert_cmpuint (n_half + 2 * 27, <=, n + 8); /* two bytes less for each of 27, but for the header */
}

/* It is said why there is no recording, the run has failed, and all else that was asked for is there. */
static void
test_unusable (void)
{
  static const struct {
    const char *words, *name;
  } others[] = { { "--save|@/unusable-weights|", "unusable-weights" },
                 { "--json|@/unusable-report|", "unusable-report" } };
  g_autofree char *path = g_build_filename (folder, "unusable.lockstep", NULL);

  for (guint both = 0; both < 2; both++)
    {
      g_autoptr (GString) words = g_string_new (SHORT "--record|@/unusable.lockstep");

      for (gsize i = 0; both == 1 && i < G_N_ELEMENTS (others); i++)
        g_string_prepend (words, others[i].words);
      spoiled = TRUE;
      g_auto (Captured) said = run_here (words->str);
      spoiled = FALSE;
      if (said.status != 1
          || !g_str_has_suffix (said.err, "lockstep train: The recorded step can’t be used, because its "
                                          "events lie before it.\n"))
        g_error ("a run whose recorded step can’t be used ends with %d and says “%s”", said.status, said.err);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        g_error ("a step that can’t be used is saved");
      for (gsize i = 0; both == 1 && i < G_N_ELEMENTS (others); i++)
        {
          gsize n = 0;

          g_free (contents_of (others[i].name, &n));
          if (n == 0 || strstr (said.out, others[i].name) == NULL)
            g_error ("“%s” is empty, or isn’t said to be saved in: %s", others[i].name, said.out);
        }
    }
}

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-from-XXXXXX", NULL);
  g_test_add_func ("/train-from/taken", test_taken);
  g_test_add_func ("/train-from/lost", test_lost);
  g_test_add_func ("/train-from/lost-alike", test_lost_alike);
  g_test_add_func ("/train-from/refused", test_refused);
  g_test_add_func ("/train-from/weights", test_weights);
  g_test_add_func ("/train-from/unusable", test_unusable);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
