/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Command lines that are refused, each with its sentence and its exit status; and pictures drawn from the
 * recording that comes with the program, read back.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

#include "files/recording.h"
#ifdef HAVE_APP
#include "ui/app/window/application.h"
#endif
#include "ui/cli/command.h"
#include "ui/help/help.h"

static char *folder, *example;

/* “@” stands for the folder, “%” for the recording, “$” for the views' names. (transfer full) */
static char *
filled (const char *words)
{
  GString *text = g_string_new (words);

  g_string_replace (text, "@", folder, 0);
  g_string_replace (text, "%", example, 0);
  g_string_replace (text, "$", ls_help_views (), 0);
  return g_string_free (text, FALSE);
}

typedef struct {
  const char *words, *says; /* after "lockstep COMMAND: " */
  int status;               /* 0: a wrong word's */
} Refused;

static void
assert_refused (const Refused *rows, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *words = filled (rows[i].words), *says = filled (rows[i].says);
      g_auto (Captured) said = run (words);
      const int status = rows[i].status != 0 ? rows[i].status : LS_EXIT_USAGE;
      g_autofree char *command = g_strndup (words, strcspn (words, "|")),
                      *expected = g_strdup_printf ("lockstep %s: %s\n", command, says);

      if (strcmp (said.err, expected) != 0 || said.status != status || *said.out != '\0')
        g_error ("“%s” says\n  %s(%d) and prints “%s”, and should say\n  %s(%d)", words, said.err,
                 said.status, said.out, expected, status);
    }
}

static void
test_refused (void)
{
  static const Refused rows[] = {
    { "export", "A word is missing: RECORDING." },
    { "export|a|b", "“b” is one word too many." },
    { "export|x.lockstep", "Say what to make from the recording: --perfetto FILE, --csv FILE, or both." },
    { "export|%|--csv|@/a|--perfetto|@/./a",
      "--perfetto and --csv name the same file “@/a”; give each one of its own." },
    { "lab|batch|--data|spiral|--csv|@/a|--json|@/./a",
      "--csv and --json name the same file “@/./a”; give each one of its own." },
    { "tune|--list|--json|@/nosuch/a", "“@/nosuch/a” can't be written: there is no folder “@/nosuch”.",
      LS_EXIT_FAILED },
    { "plan|--data|spiral|--json|@/nosuch/a", "“@/nosuch/a” can't be written: there is no folder “@/nosuch”.",
      LS_EXIT_FAILED },
    { "train|mnist", "“mnist” is one word too many." },
    { "train|--save-as|bf16", "--save-as says how --save stores; give that, too." },
    { "train|--save-as|int8|--save|@/w", "--save-as takes one of fp32, bf16, fp16, not “int8”." },
    { "train|--lanes|gpu|--data|spiral|--steps|1", "--lanes, character 1: there is no backend “gpu”; there "
                                                   "are cpu, opencl, reference and reference-f64." },
    { "data", "A word is missing: DATA." },
    { "devices|one", "“one” is one word too many." },
    { "help|nosuch", "There is no help on “nosuch”; there is on start, $, methods." },
    { "plan|--memory|--cost", "--memory and --cost are two tables; ask for one of them." },
    { "plan|--device|h100", "--device is for --memory, --cost or --lanes, and none of them is there." },
    { "lab", "A word is missing: NAME." },
    { "lab|batch|--from|%|--kept", "--from doesn’t go with --kept." },
    { "lab|sweep|--from|%", "--from doesn’t go with a sweep." },
    { "lab|sweep|--out|@/a.png", "--out doesn’t go with a sweep." },
    { "lab|batch|--vary|batch=1,2", "--vary goes with “lockstep lab sweep” alone." },
    { "lab|sweep", "A sweep takes at least one --vary, such as --vary batch=1,16,128." },
    { "lab|batch,nosuch|--data|spiral", "There is no experiment “nosuch”; “lockstep lab list” lists them." },
    { "lab|batch|--data|spiral|--from|%", "“mlp.lockstep” holds no results of these experiments.",
      LS_EXIT_FAILED },
    { "machines|nosuch|--from|%",
      "There is no machine “nosuch”; there are cpu, simt, tensor, systolic, fpga, int8, spiking." },
    { "machines|--assume|units=24|--from|%",
      "--assume goes with one machine: “lockstep machines simt --assume units=24”." },
    { "tune|--seconds|0", "--seconds takes a whole number from 1 to 3600, not “0”." },
    { "tune|--seconds|3601", "--seconds takes a whole number from 1 to 3600, not “3601”." },
    { "tune|--seconds|1.5", "--seconds takes a whole number from 1 to 3600, not “1.5”." },
    /* what is quoted moves no cursor */
    { "tune|--seconds|\033[31m9\n", "--seconds takes a whole number from 1 to 3600, not "
                                    "“\357\277\275[31m9\357\277\275”." },
    { "lab|sweep|--vary|\033[2J", "--vary takes an option and its values, such as batch=1,16,128, not "
                                  "“\357\277\275[2J”." },
  };

  assert_refused (rows, G_N_ELEMENTS (rows));
}

#ifdef HAVE_PAINT
#define DRAW "render|race|--from|%|--out|@/a.png|"

static void
test_render_refused (void)
{
#define SIZE(text)                                                                                           \
  {                                                                                                          \
    DRAW "--size|" text,                                                                                     \
      "--size takes two whole numbers from 320 to 8192, such as 1920x1080, not “" text "”."                \
  }
#define SCALE(text)                                                                                          \
  {                                                                                                          \
    DRAW "--scale|" text, "--scale takes a number from 1 to 4, not “" text "”."                            \
  }
  static const Refused rows[] = {
    { "render|race", "Say what to draw and where to: --from RECORDING --out FILE." },
    { "render|race|--from|%", "Say what to draw and where to: --from RECORDING --out FILE." },
    { "render|race|--out|@/a.png", "Say what to draw and where to: --from RECORDING --out FILE." },
    { "render|nosuch|--from|%|--out|@/a.png", "“nosuch” is no view; there are: $." },
    SIZE ("319x320"),
    SIZE ("320x319"),
    SIZE ("8193x320"),
    SIZE ("320x8193"),
    SIZE ("640"),
    SIZE ("640x480x1"),
    SIZE ("640X480"),
    SIZE ("-640x480"),
    SIZE ("640.5x480"),
    SCALE ("0.99"),
    SCALE ("4.01"),
    SCALE ("2x"),
    SCALE (""),
    SCALE ("nan"),
    { DRAW "--style|bright", "--style takes light, dark, print or projector, not “bright”." },
    { DRAW "--at|-1", "--at takes a number from 0 to 1e+12, not “-1”." },
    { DRAW "--window|100", "--window takes two numbers of microseconds, such as 100-250, not “100”." },
    { DRAW "--window|5-4", "--window takes a number from 5 to 1e+12, not “4”." },
    { DRAW "--left|gpu", "--left takes cpu, opencl, not “gpu”." },
    { DRAW "--right|gpu", "--right takes cpu, opencl, not “gpu”." },
    { DRAW "--left|cpu|--right|cpu", "--right takes another lane than --left, not “cpu”." },
  };

  assert_refused (rows, G_N_ELEMENTS (rows));
}

static char *drawn (const char *words, gsize *length);

/* By symbol or number, which counts from 1; each op of the step can be told so. */
static void
test_render_op (void)
{
  g_autoptr (LsRecording) recording = ls_recording_load (example, NULL);
  const guint numbers[] = { 0, recording->n_ops + 1 };

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *words
        = g_strdup_printf ("render|race|--from|%s|--out|@/a.png|--op|%u", example, numbers[i]),
        *says = g_strdup_printf ("--op takes the symbol of an op, or its number from 1 to %u, not “%u”.",
                                 recording->n_ops, numbers[i]);
      assert_refused (&(Refused){ words, says }, 1);
    }
  for (guint op = 0; op < recording->n_ops; op += MAX (recording->n_ops - 1, 1))
    {
#define PART "render|partition|--from|%%|--out|@/a.png|--size|640x480|--op|"
      g_autofree char *by_number = g_strdup_printf (PART "%u", op + 1),
                      *by_symbol = g_strdup_printf (PART "%s", recording->ops[op].symbol);
      gsize n, m;
      g_autofree char *one = drawn (by_number, &n), *other = drawn (by_symbol, &m);

      if (n != m || memcmp (one, other, n) != 0)
        g_error ("op %u isn’t drawn as “%s” is, which it is", op + 1, recording->ops[op].symbol);
    }
}

static guint32
big_endian (const char *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_BE (value);
}

static char *
drawn (const char *words, gsize *length)
{
  g_autofree char *line = filled (words), *out = NULL, *expected = NULL;
  const char *at = strstr (line, "--out|");
  char *text = NULL;
  g_auto (Captured) said = run (line);

  out = g_strndup (at + 6, strcspn (at + 6, "|"));
  expected = g_strdup_printf ("Saved %s\n", out);
  if (strcmp (said.out, expected) != 0 || *said.err != '\0' || said.status != 0)
    g_error ("“%s” says “%s%s” (%d)", line, said.out, said.err, said.status);
  g_assert_true (g_file_get_contents (out, &text, length, NULL));
  return text;
}

/* A PNG has the size times the scale; least and most are taken. */
static void
test_render_size (void)
{
  static const struct {
    const char *words;
    guint width, height;
  } rows[] = {
    { "render|claims|--from|%|--out|@/a.png", 1920, 1080 },
    { "render|claims|--from|%|--out|@/a.png|--size|320x320", 320, 320 },
    { "render|claims|--from|%|--out|@/a.png|--size|640x321|--scale|2", 1280, 642 },
    { "render|claims|--from|%|--out|@/a.png|--size|320x400|--scale|4", 1280, 1600 },
    { "render|claims|--from|%|--out|@/a.png|--size|400x320|--scale|1|--style|dark", 400, 320 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gsize length;
      g_autofree char *png = drawn (rows[i].words, &length);

      g_assert_cmpuint (length, >, 24);
      g_assert_cmpuint (big_endian (png + 16), ==, rows[i].width);
      g_assert_cmpuint (big_endian (png + 20), ==, rows[i].height);
    }
}

/* Microseconds: the middle of the step isn't its end, nor is it its beginning. */
static void
test_render_moment (void)
{
  g_autoptr (LsRecording) recording = ls_recording_load (example, NULL);
  double us = 0;

  for (guint i = 0; i < recording->n_lanes; i++)
    us = MAX (us, (double) (recording->lanes[i].end_ns - recording->lanes[i].start_ns) / 1e3);
  const double moments[] = { 0, us / 2, us, 1e12 };
  char *pictures[G_N_ELEMENTS (moments)];
  gsize n[G_N_ELEMENTS (moments)];
  for (gsize i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      g_autofree char *words = g_strdup_printf (
        "render|race|--from|%%|--out|@/a.png|--size|960x600|--at|%.0f", moments[i]);
      pictures[i] = drawn (words, &n[i]);
    }
  for (gsize i = 0; i + 1 < G_N_ELEMENTS (moments); i++)
    if ((n[i] == n[i + 1] && memcmp (pictures[i], pictures[i + 1], n[i]) == 0) != (i == 2))
      g_error ("at %.0f and at %.0f µs of a step of %.0f the pictures are %s", moments[i], moments[i + 1], us,
               i == 2 ? "different" : "the same");
  for (gsize i = 0; i < G_N_ELEMENTS (moments); i++)
    g_free (pictures[i]);
}

/* Another view, look, op, moment, part, side or recording is another picture; the same is the same. */
static void
test_render_asked (void)
{
#define PARTITION "render|partition|--from|%|--out|@/a.png|--size|640x480"
#define TIMELINE  "render|timeline|--from|%|--out|@/a.png|--size|1280x800"
  static const struct {
    const char *one, *other;
    gboolean same;
  } rows[] = {
    { PARTITION, PARTITION, TRUE },
    { PARTITION, TIMELINE, FALSE },
    { PARTITION, PARTITION "|--style|dark", FALSE },
    { PARTITION, PARTITION "|--style|light", TRUE },
    { PARTITION, PARTITION "|--op|2", TRUE }, /* the first layer's product: most work */
    { PARTITION "|--op|3", PARTITION "|--op|2", FALSE },
    { PARTITION "|--op|3", PARTITION "|--op|9", FALSE },
    { PARTITION, PARTITION "|--at|1", FALSE },
    { PARTITION, PARTITION "|--left|opencl", FALSE },
    { PARTITION, PARTITION "|--left|cpu|--right|opencl", TRUE },
    { PARTITION "|--right|cpu", PARTITION "|--left|opencl|--right|cpu", TRUE },
    { TIMELINE, TIMELINE "|--window|100-200", FALSE },
    { TIMELINE "|--window|100-300", TIMELINE "|--window|100-200", FALSE },
    { TIMELINE "|--window|100-200", TIMELINE "|--window|130-200", FALSE },
    { TIMELINE, TIMELINE "|--op|2", FALSE },
    { TIMELINE, TIMELINE "|--against|%", FALSE },
    { TIMELINE, TIMELINE "|--at|1e12", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gsize n, m;
      g_autofree char *one = drawn (rows[i].one, &n), *other = drawn (rows[i].other, &m);

      if ((n == m && memcmp (one, other, n) == 0) != rows[i].same)
        g_error ("“%s” and “%s” are %s picture", rows[i].one, rows[i].other,
                 rows[i].same ? "another" : "the same");
    }
}
#endif

/* Which options belong to which commands, said once more by hand. */
static void
test_options_of_commands (void)
{
  static const struct {
    const char *command, *takes, *not ;
  } rows[] = {
    { "train", "model data batch lr seed lanes threads policy kernel device pace record save turns race json",
      "csv memory out" },
    { "plan", "model data label batch lanes threads kernel memory cost json", "pace record" },
    { "data", "test-share missing label size seed json", "model batch lanes threads kernel pace" },
    { "devices", "threads policy json", "model data batch kernel lanes pace" },
    { "compare", "model data label steps lanes threads kernel json", "pace record" },
    { "lab", "model data label lanes threads kernel seconds quick anew kept from vary csv json out",
      "steps pace record" },
    { "machines", "model data lanes threads pace steps from device assume json csv", "kernel save" },
    { "tune", "model data batch optimizer device seconds list forget json", "lanes threads steps pace" },
    { "export", "perfetto csv", "json model data lanes out" },
#ifdef HAVE_PAINT
    { "render", "from out size style op window against at left right scale", "model data lanes json" },
#endif
    { "hardware", "json", "model lanes threads" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint taken = 0; taken < 2; taken++)
      {
        g_autofree char *line = g_strdup_printf ("%s|--help", rows[i].command);
        g_auto (GStrv) names = g_strsplit (taken ? rows[i].takes : rows[i].not, " ", -1);
        g_auto (Captured) said = run (line);

        for (guint k = 0; names[k] != NULL; k++)
          {
            g_autofree char *pattern = g_strdup_printf ("(?m)^  (-h, )?--%s([ =\\[]|$)", names[k]);
            if (g_regex_match_simple (pattern, said.out, 0, 0) != (gboolean) taken)
              g_error ("%s takes %s--%s", rows[i].command, taken ? "no " : "", names[k]);
          }
      }
}

#ifdef HAVE_APP
/* ---- the window ---- */

static struct {
  gboolean display;
  char *path;
  gboolean own;
  guint n;
} opened;

gboolean __wrap_ls_app_can_open (void);
int __wrap_ls_app_run (const LsOptions *options, const char *path, gboolean own);

gboolean
__wrap_ls_app_can_open (void)
{
  return opened.display;
}

int
__wrap_ls_app_run (const LsOptions *options, const char *path, gboolean own)
{
  g_free (opened.path);
  opened.path = g_strdup (path);
  opened.own = own;
  opened.n++;
  return 3;
}

/* What is given beside a recording is asked of a window of its own; a recording alone, and nothing, aren't.
 * Without a display it is trained here, which no recording can be. */
static void
test_window (void)
{
  static const struct {
    const char *words, *path;
    gboolean own;
  } rows[] = {
    { "window", NULL, FALSE },  { "window|--open|@", "@", FALSE }, { "@", "@", FALSE },
    { "--lr|0.5", NULL, TRUE }, { "@|--lr|0.5", "@", TRUE },       { "--batch|7|--lr|0.5", NULL, TRUE },
  };
  static const Refused refused[] = {
    { "window|--open|@",
      "There is no display to show “@” on; “lockstep render” draws recordings without one." },
    { "window|a", "“a” is one word too many." },
  };

  opened.display = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = filled (rows[i].words),
                      *path = rows[i].path != NULL ? filled (rows[i].path) : NULL;
      g_auto (Captured) said = run (words);

      g_assert_cmpstr (said.err, ==, "");
      g_assert_cmpint (said.status, ==, 3); /* the window's */
      g_assert_cmpuint (opened.n, ==, i + 1);
      g_assert_cmpstr (opened.path, ==, path);
      if (opened.own != rows[i].own)
        g_error ("“lockstep %s” %s a window of its own", words, opened.own ? "wants" : "wants no");
    }
  opened.display = FALSE;
  assert_refused (refused, G_N_ELEMENTS (refused));
  g_auto (Captured) here = run ("window|--lanes|cpu|--data|spiral|--model|flatten, dense 3|--steps|2");
  g_assert_cmpint (here.status, ==, 0);
  if (!g_str_has_prefix (here.err, "There is no display for the window, so this trains in the terminal.\n")
      || strstr (here.out, "\n2 steps of ") == NULL)
    g_error ("without a display it says “%s” and prints “%s”", here.err, here.out);
  g_assert_cmpuint (opened.n, ==, G_N_ELEMENTS (rows));
  g_clear_pointer (&opened.path, g_free);
}
#endif

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-commands-XXXXXX", NULL);
  example = g_test_build_filename (G_TEST_DIST, "..", "data", "recordings", "mlp.lockstep", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_add_func ("/cli/commands/refused", test_refused);
#ifdef HAVE_PAINT
  g_test_add_func ("/cli/commands/render-refused", test_render_refused);
  g_test_add_func ("/cli/commands/render-op", test_render_op);
  g_test_add_func ("/cli/commands/render-size", test_render_size);
  g_test_add_func ("/cli/commands/render-moment", test_render_moment);
  g_test_add_func ("/cli/commands/render-asked", test_render_asked);
#endif
  g_test_add_func ("/cli/commands/options-of-commands", test_options_of_commands);
#ifdef HAVE_APP
  g_test_add_func ("/cli/commands/window", test_window);
#endif
  const int status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  g_free (example);
  return status;
}
