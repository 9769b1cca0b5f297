/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of lanes: what they say, what they are called, and what is wrong with a wrong one, with its place.
 */
#include <string.h>

#include "core/error.h"
#include "train/lane_spec.h"

static LsOptions *
options_of (const char *lanes)
{
  LsOptions *options = ls_options_new ();

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), lanes, NULL));
  return options;
}

static GPtrArray *
specs_of (const char *lanes)
{
  g_autoptr (LsOptions) options = options_of (lanes);
  g_autoptr (GError) error = NULL;
  GPtrArray *specs = ls_lane_specs_new (options, &error);

  g_assert_no_error (error);
  return specs;
}

static char *
value_of (const LsOptions *options, const char *name)
{
  return ls_options_get (options, ls_options_find (name));
}

static void
test_names (void)
{
  static const struct {
    const char *lanes, *ids, *titles, *texts;
  } rows[] = {
    { "cpu", "cpu", "CPU", "cpu" },
    { "cpu,opencl", "cpu opencl", "CPU|OpenCL", "cpu opencl" },
    { " cpu , opencl : 0 ", "cpu opencl", "CPU|OpenCL", "cpu opencl:0" },
    { "cpu,cpu", "cpu-1 cpu-2", "CPU (1)|CPU (2)", "cpu cpu" },
    { "cpu(threads=1),cpu(threads=2)", "cpu-1 cpu-2", "CPU (threads: 1)|CPU (threads: 2)",
      "cpu(threads=1) cpu(threads=2)" },
    { "cpu(threads=1),cpu(threads=1)", "cpu-1 cpu-2", "CPU (1)|CPU (2)", "cpu(threads=1) cpu(threads=1)" },
    { "opencl:0(kernel=tiled),opencl:0(kernel=packed)", "opencl-1 opencl-2", "OpenCL (tiled)|OpenCL (packed)",
      "opencl:0(kernel=tiled) opencl:0(kernel=packed)" },
    { "opencl:0,opencl:1", "opencl-1 opencl-2", "OpenCL (device 0)|OpenCL (device 1)", "opencl:0 opencl:1" },
    { "slow=cpu(threads=1, policy=static),cpu", "slow cpu-2", "CPU (slow)|CPU",
      "cpu(threads=1,policy=static) cpu" },
    { "cpu-2=cpu,cpu,cpu", "cpu-2 cpu-3 cpu-4", "CPU (1)|CPU (2)|CPU (3)", "cpu cpu cpu" },
    { "cpu,2=cpu,cpu", "cpu-1 2 cpu-3", "CPU (1)|CPU (2)|CPU (3)", "cpu cpu cpu" },
    { "opencl(device=a (b)", "opencl", "OpenCL", "opencl(device=a (b)" },
    { "opencl:a\tb,opencl", "opencl-1 opencl-2", "OpenCL (device a\ufffdb)|OpenCL", "opencl:a\tb opencl" },
    { "cpu(),reference", "cpu reference", "CPU|Reference", "cpu reference" },
    { "cpu(cpu-kernels=naive,threads=1),opencl:0(kernel=packed)", "cpu opencl",
      "CPU (threads: 1, naive loops)|OpenCL (packed)",
      "cpu(threads=1,cpu-kernels=naive) opencl:0(kernel=packed)" },
    { "cpu(tiles=8)", "cpu", "CPU (tiles: 8)", "cpu(tiles-per-op=8)" },
    { "cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu", "cpu-1 cpu-2 cpu-3 cpu-4 cpu-5 cpu-6 cpu-7 cpu-8",
      "CPU (1)|CPU (2)|CPU (3)|CPU (4)|CPU (5)|CPU (6)|CPU (7)|CPU (8)", "cpu cpu cpu cpu cpu cpu cpu cpu" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) specs = specs_of (rows[i].lanes);
      g_autoptr (GString) ids = g_string_new (NULL), titles = g_string_new (NULL),
                          texts = g_string_new (NULL);

      for (guint k = 0; k < specs->len; k++)
        {
          const LsLaneSpec *spec = specs->pdata[k];
          g_string_append_printf (ids, "%s%s", k > 0 ? " " : "", spec->id);
          g_string_append_printf (titles, "%s%s", k > 0 ? "|" : "", spec->title);
          g_string_append_printf (texts, "%s%s", k > 0 ? " " : "", spec->text);
        }
      g_assert_cmpstr (ids->str, ==, rows[i].ids);
      g_assert_cmpstr (titles->str, ==, rows[i].titles);
      g_assert_cmpstr (texts->str, ==, rows[i].texts);
    }
}

/* A lane's own values stand before the run's, which all others have. */
static void
test_values (void)
{
  g_autoptr (LsOptions) options = options_of ("cpu(threads=1),cpu,opencl(fusion=off)");
  g_autoptr (GPtrArray) specs = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("threads"), "3", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("batch"), "17", NULL));
  specs = ls_lane_specs_new (options, NULL);
  for (guint i = 0; i < 3; i++)
    {
      const LsOptions *own = ((LsLaneSpec *) specs->pdata[i])->options;
      g_assert_cmpint (own->threads, ==, i == 0 ? 1 : 3);
      g_assert_cmpint (own->batch, ==, 17);
      g_assert_cmpint (own->fusion, ==, i < 2);
    }
}

static void
test_wrong (void)
{
  static const struct {
    const char *lanes;
    guint place; /* character, from 1 */
    const char *words;
  } rows[] = {
    { "", 1, "a lane belongs here, such as “cpu”." },
    { "cpu,", 5, "a lane belongs here, such as “cpu”." },
    { "cpu,,opencl", 5, "a lane belongs here, such as “cpu”." },
    { "cpu,gpu", 5, "there is no backend “gpu”; there are cpu, opencl, reference and reference-f64." },
    { "cpü", 1, "there is no backend “cpü”; there are cpu, opencl, reference and reference-f64." },
    { "ü=cpu", 1, "a lane’s name has 1 to 32 letters, digits, “-” and “_”, not “ü”." },
    { "cpu(threads=1),cpu(thread=2)", 20,
      "lanes have no option “thread”; those of cpu have threads, policy, tiles-per-op, cpu-kernels, "
      "precision, fusion." },
    { "cpu(batch=8)", 5, "“batch” is the same for all lanes; say --batch=8 instead." },
    { "cpu(batch=)", 5, "“batch” is the same for all lanes; say --batch=… instead." },
    { "cpu(lanes=cpu)", 5, "“lanes” is the same for all lanes; say --lanes=cpu instead." },
    { "cpu(kernel=tiled)", 5,
      "lanes of cpu have no option “kernel”; they have threads, policy, tiles-per-op, cpu-kernels, "
      "precision, fusion." },
    { "cpu(cpu-kernels=fast)", 5, "--cpu-kernels takes one of naive, scalar, vector, blas, not “fast”." },
    { "opencl(cpu-kernels=naive)", 8,
      "lanes of opencl have no option “cpu-kernels”; they have precision, fusion, device, kernel, tile-edge, "
      "tuned, batch-from." },
    { "cpu,opencl(threads=2)", 12,
      "lanes of opencl have no option “threads”; they have precision, fusion, device, kernel, tile-edge, "
      "tuned, batch-from." },
    { "reference(threads=2)", 11,
      "lanes of reference have no option “threads”; they have precision, fusion." },
    { "cpu(threads=x)", 5, "--threads takes a whole number from 0 to 254, not “x”." },
    { "cpu(threads=1,threads=2)", 15, "the lane has “threads” twice; say it once." },
    { "opencl:0(device=1)", 10, "the lane has “device” twice; say it once." },
    { "cpu(threads=1", 4, "the bracket isn’t closed; a “)” is missing." },
    { "cpu(threads", 4, "the bracket isn’t closed; a “)” is missing." },
    { "cpu(", 4, "the bracket isn’t closed; a “)” is missing." },
    { "cpu(threads)", 5, "an option and its value belong here, such as threads=1." },
    { "cpu(=1)", 5, "an option and its value belong here, such as threads=1." },
    { "cpu)", 4, "“)” isn’t expected here; lanes stand with commas between them." },
    { "cpu(threads=1)x", 15, "“x” isn’t expected here; lanes stand with commas between them." },
    { "a=cpu,a=opencl", 7, "two lanes are called “a”; each needs a name of its own." },
    { "=cpu", 1, "a lane’s name has 1 to 32 letters, digits, “-” and “_”, not “”." },
    { "g\n\x1b[2J", 1,
      "there is no backend “g\ufffd\ufffd[2J”; there are cpu, opencl, reference and reference-f64." },
    { "a b=cpu", 1, "a lane’s name has 1 to 32 letters, digits, “-” and “_”, not “a b”." },
    { "a=b=cpu", 3, "there is no backend “b”; there are cpu, opencl, reference and reference-f64." },
    { "cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,opencl", 33,
      "“opencl” is one too many; at most 8 lanes train together." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = options_of (rows[i].lanes);
      g_autofree char *message = g_strdup_printf ("--lanes, character %u: %s", rows[i].place, rows[i].words);
      g_autoptr (GError) error = NULL;

      g_test_message ("“%s”", rows[i].lanes);
      g_assert_null (ls_lane_specs_new (options, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strcmp (message, error->message) != 0)
        g_error ("“%s”: expected “%s”, not “%s”", rows[i].lanes, message, error->message);
    }
}

/* A name may be as long as the message says, and no longer; and letters are those that every file name may
 * have. */
static void
test_name_length (void)
{
  static const char *const good[] = { "a=cpu", "A-9_z=cpu", "abcdefghijklmnopqrstuvwxyz012345=cpu" };
  g_autoptr (LsOptions) longer = options_of ("abcdefghijklmnopqrstuvwxyz0123456=cpu");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GPtrArray) specs = specs_of (good[i]);
      const LsLaneSpec *spec = specs->pdata[0];
      g_autofree char *again = g_strdup_printf ("%s=cpu", spec->id);

      g_assert_cmpstr (again, ==, good[i]);
      g_assert_cmpstr (spec->words, ==, spec->id);
    }
  g_assert_null (ls_lane_specs_new (longer, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
}

/* A value that tells a lane from others is in its name; one that all of its kind share isn't, nor is what
 * only one of them could have. */
static void
test_words (void)
{
  static const struct {
    const char *lanes, *words[3];
  } rows[] = {
    { "cpu", { NULL } },
    { "cpu,cpu", { "1", "2" } },
    { "cpu(threads=1),opencl", { "threads: 1", NULL } },
    { "opencl:0,cpu", { NULL, NULL } }, /* the only one, whose device's name tells more */
    { "cpu(threads=1,policy=static),cpu(threads=2,policy=static)", { "threads: 1", "threads: 2" } },
    { "cpu(threads=1,fusion=off),cpu(threads=2),opencl(fusion=off)",
      { "threads: 1, fusion off", "threads: 2", "fusion off" } },
    { "cpu(threads=1),a=cpu(threads=1),cpu(threads=2)", { "threads: 1", "a", "threads: 2" } },
    { "cpu(threads=2),cpu(threads=2),cpu(threads=1)", { "threads: 2, 1", "threads: 2, 2", "threads: 1" } },
    { "cpu,cpu,2=cpu", { "1", "3", "2" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) specs = specs_of (rows[i].lanes);

      for (guint k = 0; k < specs->len; k++)
        {
          const char *words = ((const LsLaneSpec *) specs->pdata[k])->words;
          if (g_strcmp0 (words, rows[i].words[k]) != 0)
            g_error ("of “%s” lane %u is called “%s”, not “%s”", rows[i].lanes, k, words, rows[i].words[k]);
        }
    }
}

/* What a spec says is read back as the same, and a value changed in one lane changes in that alone. */
static void
test_with (void)
{
  g_autoptr (GPtrArray) specs = specs_of ("slow=cpu(threads=1),cpu,opencl:0(kernel=tiled)");
  g_autofree char *same = ls_lane_specs_with (specs, 9, ls_options_find ("threads"), "7");
  g_autofree char *threads = ls_lane_specs_with (specs, 0, ls_options_find ("threads"), "7");
  g_autofree char *kernel = ls_lane_specs_with (specs, 2, ls_options_find ("kernel"), "packed");
  g_autofree char *device = ls_lane_specs_with (specs, 2, ls_options_find ("device"), "1");
  g_autoptr (GPtrArray) other = specs_of (threads), third = specs_of (device), fewer = specs_of ("slow=cpu"),
                        renamed = specs_of ("fast=cpu(threads=1),cpu,opencl:0(kernel=tiled)");

  g_assert_cmpstr (same, ==, "slow=cpu(threads=1),cpu,opencl:0(kernel=tiled)");
  g_assert_cmpstr (threads, ==, "slow=cpu(threads=7),cpu,opencl:0(kernel=tiled)");
  g_assert_cmpstr (kernel, ==, "slow=cpu(threads=1),cpu,opencl:0(kernel=packed)");
  g_assert_true (ls_lane_specs_alike (specs, other));
  g_assert_false (ls_lane_specs_alike (specs, third));
  g_assert_false (ls_lane_specs_alike (specs, fewer));
  g_assert_false (ls_lane_specs_alike (specs, renamed));
}

/* Whatever lanes are called, also as if they had been numbered in another order: they stay the same ones. */
static void
test_with_numbers (void)
{
  static const char *const lists[] = { "cpu,cpu,opencl",   "cpu-2=cpu,cpu,cpu", "cpu-2=cpu,cpu-1=cpu,opencl",
                                       "cpu-7=cpu,opencl", "cpu-=cpu,opencl",   "opencl,cpu-1=cpu" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GPtrArray) specs = specs_of (lists[i]);

      for (guint lane = 0; lane < specs->len; lane++)
        {
          const gboolean cpu = ((const LsLaneSpec *) specs->pdata[lane])->backend->kind == LS_BACKEND_CPU;
          const LsOption *option = ls_options_find (cpu ? "threads" : "kernel");
          g_autofree char *list = ls_lane_specs_with (specs, lane, option, cpu ? "3" : "tiled"),
                          *value = NULL;
          g_autoptr (GPtrArray) with = specs_of (list);

          value = value_of (((const LsLaneSpec *) with->pdata[lane])->options, option->name);
          if (!ls_lane_specs_alike (specs, with) || strcmp (value, cpu ? "3" : "tiled") != 0)
            g_error ("lanes “%s” become others, “%s”, when lane %u gets another %s", lists[i], list, lane,
                     option->name);
        }
    }
}

/* What a lane is built of anew, or what it is called, makes it another one, also where it says of its own
 * what all have: theirs may change. What can be changed while it runs doesn't. */
static void
test_alike (void)
{
  static const struct {
    const char *a, *b;
    gboolean alike;
  } rows[] = {
    { "cpu,opencl", "cpu,opencl", TRUE },
    { "cpu,opencl", "opencl,cpu", FALSE },
    { "cpu,opencl", "cpu", FALSE },
    { "cpu", "reference", FALSE },
    { "a=cpu", "b=cpu", FALSE },
    { "cpu(threads=1)", "cpu(threads=2)", TRUE },
    { "cpu(threads=1)", "cpu", TRUE },
    { "cpu(precision=bf16)", "cpu(precision=fp16)", FALSE },
    { "cpu(precision=bf16)", "cpu", FALSE },
    { "cpu(precision=fp32)", "cpu", FALSE },
    { "cpu,cpu(precision=fp32)", "cpu,cpu", FALSE },
    { "opencl:0", "opencl:1", FALSE },
    { "opencl:0", "opencl", FALSE },
    { "opencl:0(kernel=tiled)", "opencl:0(kernel=packed)", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) a = specs_of (rows[i].a), b = specs_of (rows[i].b);

      if (ls_lane_specs_alike (a, b) != rows[i].alike || ls_lane_specs_alike (b, a) != rows[i].alike)
        g_error ("“%s” and “%s” %s the same lanes", rows[i].a, rows[i].b, rows[i].alike ? "aren’t" : "are");
    }
}

static void
test_again (void)
{
  g_autoptr (GPtrArray) specs = specs_of ("slow=cpu(threads=1),cpu,cpu"), again = NULL;
  g_autoptr (LsOptions) options = options_of ("reference");

  g_assert_true (ls_options_set (options, ls_options_find ("policy"), "static", NULL));
  again = ls_lane_specs_again (specs, options);
  g_assert_true (ls_lane_specs_alike (specs, again));
  for (guint i = 0; i < 3; i++)
    {
      const LsLaneSpec *spec = again->pdata[i];
      g_autofree char *policy = value_of (spec->options, "policy");

      g_assert_cmpstr (spec->title, ==, ((LsLaneSpec *) specs->pdata[i])->title);
      g_assert_cmpstr (policy, ==, "static");
      g_assert_cmpint (spec->options->threads, ==, i == 0);
    }
}

/* The list's brackets and commas may stand in what a stranger's recording calls a lane. */
static void
test_of_recording (void)
{
  static const struct {
    const char *ids[2], *specs[2];
    gboolean known;
  } rows[] = {
    { { "slow", "opencl" }, { "cpu(threads=1)", "opencl:0" }, TRUE },
    { { "slow", "policy" }, { "cpu(threads=1", "static)" }, FALSE },
    { { "a", "b" }, { "cpu,c=cpu", "cpu" }, FALSE },
    { { "a", "b" }, { "cpu", "gpu" }, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsRecordedLane lanes[2] = { { .id = (char *) rows[i].ids[0], .spec = (char *) rows[i].specs[0] },
                                  { .id = (char *) rows[i].ids[1], .spec = (char *) rows[i].specs[1] } };
      const LsRecording recording = { .n_lanes = 2, .lanes = lanes };
      g_autoptr (GPtrArray) specs = ls_lane_specs_of_recording (&recording);

      g_test_message ("%s", rows[i].specs[0]);
      g_assert_cmpint (specs != NULL, ==, rows[i].known);
    }
}

/* What all lanes were given counts for each, but for what it has of its own; nonsense is left out. */
static void
test_options_of_recording (void)
{
  LsRecordedLane lanes[2] = { { .id = (char *) "plain", .spec = (char *) "cpu" },
                              { .id = (char *) "own", .spec = (char *) "cpu(precision=bf16,threads=3)" } };
  const LsRecording recording
    = { .n_lanes = 2, .lanes = lanes, .options = g_hash_table_new (g_str_hash, g_str_equal) };

  g_hash_table_insert (recording.options, (char *) "precision", (char *) "fp16");
  g_hash_table_insert (recording.options, (char *) "fusion", (char *) "off");
  g_hash_table_insert (recording.options, (char *) "threads", (char *) "many");
  g_hash_table_insert (recording.options, (char *) "lanes", (char *) "reference");
  g_autoptr (GPtrArray) specs = ls_lane_specs_of_recording (&recording);
  g_assert_nonnull (specs);
  g_assert_cmpuint (specs->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const LsOptions *options = ((const LsLaneSpec *) specs->pdata[i])->options;
      g_assert_cmpint (options->precision, ==, i == 0 ? LS_PRECISION_FP16 : LS_PRECISION_BF16);
      g_assert_false (options->fusion);
      g_assert_cmpint (options->threads, ==, i == 0 ? 0 : 3);
    }
  g_hash_table_unref (recording.options);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lane-spec/names", test_names);
  g_test_add_func ("/lane-spec/values", test_values);
  g_test_add_func ("/lane-spec/wrong", test_wrong);
  g_test_add_func ("/lane-spec/name-length", test_name_length);
  g_test_add_func ("/lane-spec/words", test_words);
  g_test_add_func ("/lane-spec/with", test_with);
  g_test_add_func ("/lane-spec/with-numbers", test_with_numbers);
  g_test_add_func ("/lane-spec/alike", test_alike);
  g_test_add_func ("/lane-spec/again", test_again);
  g_test_add_func ("/lane-spec/of-recording", test_of_recording);
  g_test_add_func ("/lane-spec/options-of-recording", test_options_of_recording);
  return g_test_run ();
}
