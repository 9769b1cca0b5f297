/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep convert`: what it prints, writes, keeps, and refuses; and Ctrl-C.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "files/json.h"
#include "ui/cli/command.h"
#include "ui/cli/interrupt.h"

#define NET "--data|spiral|--model|flatten, dense 16, relu, dense 3"

static char *folder;

static void
assert_says (const char *said, const char *words)
{
  if (strstr (said, words) == NULL)
    g_error ("“%s” doesn't say “%s”", said, words);
}

static void
test_refused (void)
{
  static const struct {
    const char *words, *reason;
  } wrong[] = {
    { "convert", "NAME" },
    { "convert|quantum", "There is no machine “quantum” to convert to; there are int8 and spiking" },
    { "convert|int8|--bits|1", "--bits takes a whole number from 2 to 8, not “1”" },
    { "convert|int8|--bits|9", "from 2 to 8" },
    { "convert|int8|--time|8", "--time goes with spiking alone" },
    { "convert|spiking|--bits|8", "--bits goes with int8 alone" },
    { "convert|spiking|--time|0", "--time takes a whole number from 1 to 4096" },
    { "convert|spiking|--time|4097", "--time takes a whole number from 1 to 4096" },
    { "convert|int8|--samples|-1", "--samples takes a whole number from 1" },
    { "convert|int8|--model|lstm", "layer 1 (lstm) can’t be converted" },
    { "convert|int8|--load|/nowhere/w.safetensors", "w.safetensors" },
    { "convert|int8|--kept|" NET, "Nothing is kept of this network; “lockstep convert int8” computes it" },
    { "convert|int8|--precision|fp16", "precision" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Captured) said = run (wrong[i].words);

      assert_says (said.err, wrong[i].reason);
      if (strstr (said.out, "Right") != NULL)
        g_error ("“%s” shows a table", wrong[i].words);
    }
}

/* The n-th line behind the one that begins with that. */
static char **
line_behind (const char *said, const char *head, guint n)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  guint i = 0;

  while (lines[i] != NULL && !g_str_has_prefix (g_strchug (lines[i]), head))
    i++;
  if (i + n >= g_strv_length (lines))
    g_error ("“%s” has no line %u behind “%s”", said, n, head);
  return cells_of (lines[i + n]);
}

static json_t *
read_result (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, "lockstep-convert");
  return json_incref (json_object_get (root, "result"));
}

static void
test_int8 (void)
{
  g_autofree char *csv = g_build_filename (folder, "o.csv", NULL),
                  *json = g_build_filename (folder, "o.json", NULL), *table = NULL,
                  *line = g_strdup_printf ("convert|int8|" NET "|--kept|--csv|%s|--json|%s", csv, json);
  g_auto (Captured) ran = run ("convert|int8|" NET "|--bits|4|--steps|1500"), kept = { 0 };
  g_auto (GStrv) eight = line_behind (ran.out, "Bits", 1), four = line_behind (ran.out, "Bits", 5),
                 layer = line_behind (ran.out, "Layer", 1), last = line_behind (ran.out, "Layer", 2);
  g_autofree char *with_steps = g_strconcat (line, "|--steps|1500", NULL);
  g_autoptr (json_t) result = NULL;
  const json_t *points;

  g_assert_cmpstr (ran.err, ==, "");
  assert_says (ran.out, "A machine for whole numbers: flatten, dense 16, relu, dense 3, spiral\n"
                        "Trained anew for this, for 1500 steps, seed 1\n");
  assert_says (ran.out, "the floats of the CPU lane get");
  assert_says (ran.out, "it is within 0.5 points of the floats");
  g_assert_cmpstr (eight[0], ==, "8");
  g_assert_true (g_str_has_suffix (eight[1], " %"));
  g_assert_cmpstr (four[0], ==, "4");
  g_assert_cmpstr (layer[0], ==, "2");
  g_assert_cmpstr (last[3], ==, "–"); /* its sums stay sums */

  kept = run (with_steps);
  g_assert_cmpstr (kept.err, ==, "");
  assert_says (ran.out, kept.out); /* the same, without the words of what is being done */
  result = read_result (json);
  points = json_object_get (result, "points");
  g_assert_cmpstr (json_string_value (json_object_get (result, "kind")), ==, "int8");
  g_assert_cmpuint (json_array_size (points), ==, 5);
  g_assert_cmpint (json_integer_value (json_object_get (json_array_get (points, 4), "bits")), ==, 4);
  g_assert_true (g_file_get_contents (csv, &table, NULL, NULL));
  assert_says (table, "\nint8,\"flatten, dense 16, relu, dense 3\",spiral,1500,8,bits,");
}

static void
test_spiking (void)
{
  g_autofree char *json = g_build_filename (folder, "s.json", NULL),
                  *line = g_strdup_printf ("convert|spiking|" NET "|--time|20|--samples|40|--json|%s", json);
  g_auto (Captured) ran = run (line);
  g_auto (GStrv) first = line_behind (ran.out, "Time steps", 1),
                 last = line_behind (ran.out, "Time steps", 6);
  g_autoptr (json_t) result = NULL;
  const json_t *source;

  g_assert_cmpstr (ran.err, ==, "");
  g_assert_cmpuint (g_strv_length (last), ==, 7);
  g_assert_cmpstr (first[0], ==, "1");
  g_assert_cmpstr (last[0], ==, "20");
  g_assert_true (g_str_has_suffix (last[6], "J"));
  assert_says (ran.out, "40 of ");
  assert_says (ran.out, "Energy is modelled: 23.6 pJ for each synaptic event");
  result = read_result (json);
  source = json_object_get (result, "energy_source");
  g_assert_cmpstr (json_string_value (json_object_get (source, "evidence")), ==, "modelled");
  assert_says (json_string_value (json_object_get (source, "title")), "Loihi");
  g_assert_cmpuint (json_array_size (json_object_get (json_object_get (result, "raster"), "neurons")), >, 0);
}

/* How far it is stands in one line, which is gone when the table comes. */
static void
say_cb (gconstpointer words)
{
  g_auto (GStrv) argv = g_strsplit (words, "|", -1);

  ls_cli_main ((int) g_strv_length (argv), argv);
}

static void
test_terminal (void)
{
  g_autofree char *said = capture_on_terminal (80, say_cb, "lockstep|convert|int8|" NET "|--samples|10");
  const char *bar = strstr (said, "\r\033[K["), *table = strstr (said, "A machine for whole numbers");

  g_assert_nonnull (bar);
  g_assert_nonnull (table);
  assert_says (said, "] reading the data, 0 %");
  g_assert_true (g_str_has_prefix (table - 4, "\r\033[K"));
}

/* The signal comes while it trains; until then it is ignored. */
static gpointer
interrupt_cb (gpointer data)
{
  while (!ls_interrupted ())
    {
      kill (getpid (), SIGINT);
      g_usleep (200000);
    }
  return NULL;
}

static int interrupted_status;

static void
interrupted_cb (gconstpointer unused)
{
  g_auto (GStrv) argv = g_strsplit ("lockstep|convert|int8|" NET "|--steps|1000000000", "|", -1);

  interrupted_status = ls_cli_main ((int) g_strv_length (argv), argv);
}

static void
test_interrupted (void)
{
  GThread *thread;

  signal (SIGINT, SIG_IGN);
  thread = g_thread_new ("interrupt", interrupt_cb, NULL);
  g_auto (Captured) said = capture (interrupted_cb, NULL);
  g_thread_join (thread);
  g_assert_cmpint (interrupted_status, ==, 130);
  assert_says (said.err, "Stopped; nothing of it is kept.");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  folder = g_dir_make_tmp ("lockstep-convert-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_add_func ("/convert/refused", test_refused);
  g_test_add_func ("/convert/int8", test_int8);
  g_test_add_func ("/convert/spiking", test_spiking);
  g_test_add_func ("/convert/terminal", test_terminal);
  g_test_add_func ("/convert/interrupted", test_interrupted); /* the last one: it stays interrupted */
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
