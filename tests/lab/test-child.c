/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both ends of the lines between the laboratory and its workers: what each makes of what the other says, up
 * to the limits of its numbers. Shells stand in for workers, and this program for one that tells what it is
 * asked.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "child/child.h"
#include "core/error.h"
#include "lab/child.h"
#include "lab/worker.h"

#define MOST      65536
#define PATIENT_S 60
#define HELLO     "echo '{\"title\": \"t\", \"threads\": 1}'; "

/* How long the last answer was waited for. */
static guint heard_ms;
json_t *__real_ls_child_hear (LsChild *child, guint limit_ms, GCancellable *cancel, GError **error);
json_t *__wrap_ls_child_hear (LsChild *child, guint limit_ms, GCancellable *cancel, GError **error);

json_t *
__wrap_ls_child_hear (LsChild *child, guint limit_ms, GCancellable *cancel, GError **error)
{
  heard_ms = limit_ms;
  return __real_ls_child_hear (child, limit_ms, cancel, error);
}

/* ---- what a worker answers ---- */

static LsLabChild *
start (const char *commands, const char *answer, GError **error)
{
  const char *const argv[] = { "/bin/sh", "-c", commands, NULL };
  g_autofree char *pair = g_strconcat ("ANSWER=", answer, NULL);
  const char *const environment[] = { pair, NULL };

  return ls_lab_child_new (argv, environment, PATIENT_S, NULL, error);
}

static void
test_hello (void)
{
  static const char untold[] = "Its first line doesn’t say what it is and how many threads it has.";
  static const struct {
    const char *line, *words, *title, *key; /* words: of why it isn't taken; NULL: it is */
    guint threads;
    LsDeviceKind kind;
  } rows[] = {
    { "{\"title\": \"A lane\", \"threads\": 4}", NULL, "A lane", NULL, 4, LS_DEVICE_UNKNOWN },
    { "{\"title\": \"A\\nB\\tC\\rD\", \"threads\": 1, \"key\": \"k\", \"kind\": \"GPU\"}", NULL, "A B C D",
      "k", 1, LS_DEVICE_GPU },
    { "{\"title\": \"\", \"threads\": 65536, \"kind\": \"abacus\"}", NULL, "", NULL, 65536,
      LS_DEVICE_UNKNOWN },
    { "{\"title\": \"A\", \"threads\": 65537}", untold },
    { "{\"title\": \"A\", \"threads\": 0}", untold },
    { "{\"title\": \"A\", \"threads\": \"4\"}", untold },
    { "{\"title\": \"A\"}", untold },
    { "{\"threads\": 4}", untold },
    { "{\"title\": 7, \"threads\": 4}", untold },
    { "{\"title\": null, \"threads\": 4}", untold },
    { "{}", untold },
    { "{\"no\": \"It is away.\"}", "It is away." },
    { "{\"no\": \"\", \"title\": \"A\", \"threads\": 4}", "It can’t." },
    { "{\"no\": 7}", "“no”" },
    { "hello", "JSON" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsLabChild) child = start ("printf '%s\\n' \"$ANSWER\"; cat > /dev/null", rows[i].line,
                                            &error);

      if ((child != NULL) != (rows[i].words == NULL))
        g_error ("a worker that begins with %s is %s: %s", rows[i].line, child != NULL ? "taken" : "refused",
                 error != NULL ? error->message : "");
      if (child == NULL)
        {
          if (strstr (error->message, rows[i].words) == NULL)
            g_error ("of %s it says “%s”", rows[i].line, error->message);
          continue;
        }
      g_assert_cmpstr (ls_lab_child_title (child), ==, rows[i].title);
      g_assert_cmpstr (ls_lab_child_key (child), ==, rows[i].key);
      g_assert_cmpuint (ls_lab_child_threads (child), ==, rows[i].threads);
      g_assert_cmpint (ls_lab_child_kind (child), ==, rows[i].kind);
      g_assert_false (ls_lab_child_gone (child));
    }
}

/* Asks for what the question's first letter says; numbers are put behind what is there. */
static gboolean
ask (LsLabChild *child, char question, GArray *first, GArray *second, GError **error)
{
  guint events = 0;

  switch (question)
    {
    case 'u':
      return ls_lab_child_run (child, 0, 0, PATIENT_S, first, error);
    case 's':
      return ls_lab_child_bound (child, 0, first, error);
    case 'r':
      return ls_lab_child_learn (child, 1, 1, PATIENT_S, first, error);
    default:
      return ls_lab_child_record (child, 0, first, second, &events, error)
             && (events == 7 || events == 0 || events == G_MAXUINT - 1);
    }
}

/* Numbers that can be are added to those that are there; of an answer in which one can't be none is. */
static void
test_numbers (void)
{
  static const struct {
    const char *answer;
    guint n; /* taken; 0: it is refused */
  } rows[] = {
    { "{\"us\": [1, 2.5, 999999999999]}", 3 },
    { "{\"us\": [1e12]}", 0 },
    { "{\"us\": [1, 0]}", 0 },
    { "{\"us\": [1, -1, 2]}", 0 },
    { "{\"us\": [1, \"2\"]}", 0 },
    { "{\"us\": []}", 0 },
    { "{\"us\": 7}", 0 },
    { "{\"times\": [1]}", 0 },
    { "{\"us\": [1], \"no\": \"It can’t.\"}", 0 },
    { "{\"us\": [1]", 0 },
    { "{\"shares\": [0, 1, 0.25, 1e-9]}", 4 },
    { "{\"shares\": [0.5, 1.001]}", 0 },
    { "{\"shares\": [0.5, -0.001]}", 0 },
    { "{\"shares\": [0.5, true]}", 0 },
    { "{\"shares\": [0.5, \"0.5\"]}", 0 },
    { "{\"shares\": []}", 0 },
    { "{\"shares\": {}}", 0 },
    { "{\"right\": [0.97]}", 1 },
    { "{\"right\": [97]}", 0 },
    { "{\"right\": [null]}", 0 },
    { "{\"events\": 7, \"plain_us\": [1, 2], \"recorded_us\": [3]}", 2 },
    { "{\"events\": 0, \"plain_us\": [1], \"recorded_us\": [3]}", 1 },
    { "{\"events\": 4294967294, \"plain_us\": [1], \"recorded_us\": [3]}", 1 },
    { "{\"events\": -1, \"plain_us\": [1], \"recorded_us\": [3]}", 0 },
    { "{\"events\": \"7\", \"plain_us\": [1], \"recorded_us\": [3]}", 0 },
    { "{\"events\": 7, \"plain_us\": [], \"recorded_us\": [3]}", 0 },
    { "{\"events\": 7, \"plain_us\": [0], \"recorded_us\": [3]}", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (double)),
                         second = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GError) error = NULL;
      g_autoptr (LsLabChild) child = start (
        HELLO "read question; printf '%s\\n' \"$ANSWER\"; cat > /dev/null", rows[i].answer, &error);
      const double there = 5;
      const char question = rows[i].answer[2] == 't' ? 'u' : rows[i].answer[2];

      g_assert_no_error (error);
      g_array_append_val (first, there);
      if (ask (child, question, first, second, &error) != (rows[i].n > 0))
        g_error ("the answer %s is %s: %s", rows[i].answer, rows[i].n > 0 ? "refused" : "taken",
                 error != NULL ? error->message : "");
      g_assert_cmpint (error != NULL, ==, rows[i].n == 0);
      if (first->len != 1 + rows[i].n)
        g_error ("of %s %u numbers are kept, and should be %u", rows[i].answer, first->len - 1, rows[i].n);
      g_assert_cmpfloat (g_array_index (first, double, 0), ==, 5);
      g_assert_cmpuint (second->len, ==, question == 'e' && rows[i].n > 0 ? 1 : 0);
    }
}

/* ---- what a worker is asked ---- */

typedef enum { PREPARE, SET, RUN, RECORD, BOUND, LEARN } Question;

static gboolean
put_question (LsLabChild *child, Question question, double seconds, GArray *numbers, GError **error)
{
  guint events;

  switch (question)
    {
    case PREPARE:
      return ls_lab_child_prepare (child, "product\t64", 7, NULL, error);
    case SET:
      return ls_lab_child_set (child, "batch", "16", error);
    case RUN:
      return ls_lab_child_run (child, 3, seconds, 7, numbers, error);
    case RECORD:
      return ls_lab_child_record (child, seconds, numbers, numbers, &events, error);
    case BOUND:
      return ls_lab_child_bound (child, seconds, numbers, error);
    default:
      return ls_lab_child_learn (child, 200, 3, 7, numbers, error);
    }
}

/* Each number of a question stands where the worker looks for it, and the seconds that it is to go on for
 * come on top of the patience with its answer. The shell says what it was asked as its no. */
static void
test_questions (void)
{
  static const struct {
    Question question;
    double seconds;
    const char *asked;
    guint limit_s;
  } rows[] = {
    { PREPARE, 0, "{'prepare':'product/t64'}", 7 },
    { SET, 0, "{'set':'batch','value':'16'}", 30 },
    { RUN, 0, "{'run':0.0,'threads':3}", 7 },
    { RUN, 90.5, "{'run':90.5,'threads':3}", 97 },
    { RECORD, 0, "{'record':0.0}", 30 },
    { RECORD, 90, "{'record':90.0}", 120 },
    { BOUND, 0, "{'bound':0.0}", 30 },
    { BOUND, 90, "{'bound':90.0}", 120 },
    { LEARN, 0, "{'learn':200,'seeds':3}", 7 },
  };
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabChild) child = start (
    HELLO
    "while read -r q; do printf '{\"no\": \"%s\"}\\n' \"$(printf %s \"$q\" | tr '\"\\\\' \"'/\")\"; done",
    "", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_false (put_question (child, rows[i].question, rows[i].seconds, numbers, &error));
      g_assert_cmpstr (error->message, ==, rows[i].asked);
      if (heard_ms != 1000 * rows[i].limit_s)
        g_error ("with the answer to %s it has %u ms of patience, and should have %u s", rows[i].asked,
                 heard_ms, rows[i].limit_s);
      g_assert_cmpuint (numbers->len, ==, 0);
      g_clear_error (&error);
    }
}

static gpointer
tells_open (const char *name, LsOptions *options, char **title, guint *threads, GError **error)
{
  *threads = (guint) options->threads;
  *title = g_strdup_printf ("%s of seed %d", name, (int) options->seed);
  return g_strdup (name);
}

static gboolean
tells_prepare (gpointer self, const char *spec, char **how, GError **error)
{
  *how = *spec != '\0' ? g_strdup_printf ("as %s", spec) : NULL;
  return TRUE;
}

static gboolean
tells_set (gpointer self, const char *option, const char *value, GError **error)
{
  if (strcmp (option, value) == 0)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, "%s isn't %s", option, value);
  return FALSE;
}

static void
put (GArray *to, double one, double other)
{
  g_array_append_val (to, one);
  g_array_append_val (to, other);
}

static gboolean
tells_run (gpointer self, guint threads, double seconds, GArray *times, GError **error)
{
  put (times, seconds, threads);
  return TRUE;
}

static gboolean
tells_learn (gpointer self, guint steps, guint seeds, GArray *right, GError **error)
{
  put (right, steps, seeds);
  return TRUE;
}

/* Each line is answered in its turn, and what can't be is answered with why. */
static void
test_asked (void)
{
  static const struct {
    const char *asked, *answer; /* the answer, or words of its no */
  } rows[] = {
    { "{\"prepare\": \"so\"}", "{\"how\":\"as so\"}" },
    { "{\"prepare\": \"\"}", "{}" },
    { "{\"prepare\": 7}", "“prepare”" },
    { "{\"set\": \"a\", \"value\": \"a\"}", "{}" },
    { "{\"set\": \"a\", \"value\": \"b\"}", "a isn't b" },
    { "{\"set\": \"a\"}", "“value”" },
    { "{\"run\": 0.5, \"threads\": 3}", "{\"us\":[0.5,3.0]}" },
    { "{\"run\": 0, \"threads\": 0}", "{\"us\":[0.0,0.0]}" },
    { "{\"run\": 3600, \"threads\": 1024}", "{\"us\":[3600.0,1024.0]}" },
    { "{\"run\": 3600.1, \"threads\": 1}", "“run”" },
    { "{\"run\": -0.1, \"threads\": 1}", "“run”" },
    { "{\"run\": 1, \"threads\": 1025}", "“threads”" },
    { "{\"run\": 1, \"threads\": -1}", "“threads”" },
    { "{\"run\": 1}", "“threads”" },
    { "{\"learn\": 1, \"seeds\": 1}", "{\"right\":[1.0,1.0]}" },
    { "{\"learn\": 1000000, \"seeds\": 16}", "{\"right\":[1000000.0,16.0]}" },
    { "{\"learn\": 0, \"seeds\": 1}", "“learn”" },
    { "{\"learn\": 1000001, \"seeds\": 1}", "“learn”" },
    { "{\"learn\": 1, \"seeds\": 0}", "“seeds”" },
    { "{\"learn\": 1, \"seeds\": 17}", "“seeds”" },
    { "{\"record\": 1}", "A worker isn’t asked that." }, /* this one can't */
    { "{\"bound\": 1}", "A worker isn’t asked that." },
    { "{\"sleep\": 1}", "A worker isn’t asked that." },
    { "{}", "A worker isn’t asked that." },
    { "[]", "JSON" },
    { "run", "JSON" },
    { "{\"prepare\": \"again\"}", "{\"how\":\"as again\"}" },
  };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *const argv[] = { program, LS_LAB_WORKER_COMMAND, "tells", "--threads=2", "--seed=5", NULL };
  g_autoptr (GError) error = NULL;
  LsChild child;

  g_assert_true (ls_child_start (&child, argv, NULL, LS_CHILD_PIPE, MOST, &error));
  for (guint i = 0; i <= G_N_ELEMENTS (rows); i++) /* the first line comes unasked */
    {
      const char *asked = i > 0 ? rows[i - 1].asked : NULL,
                 *answer = i > 0 ? rows[i - 1].answer : "{\"threads\":2,\"title\":\"tells of seed 5\"}";

      if (i > 0)
        g_assert_true (ls_child_send (&child, asked, strlen (asked), NULL)
                       && ls_child_send (&child, "\n", 1, NULL));
      g_autoptr (json_t) said = ls_child_hear (&child, PATIENT_S * 1000, NULL, &error);
      g_assert_no_error (error);
      g_autofree char *text = json_dumps (said, JSON_COMPACT | JSON_SORT_KEYS);
      const char *no = json_string_value (json_object_get (said, "no"));
      if (*answer == '{' ? strcmp (text, answer) != 0 : no == NULL || strstr (no, answer) == NULL)
        g_error ("to %s it says %s, not %s", asked, text, answer);
    }
  ls_child_end (&child, PATIENT_S * 1000);
  g_assert_cmpint (child.signal, ==, 0);
  g_assert_cmpint (child.status, ==, EXIT_SUCCESS);
  ls_child_clear (&child);
}

/* One that can't begin says why, and ends with that. */
static void
test_not_begun (void)
{
  static const char *const rows[][3]
    = { { "nobody", NULL, "There is no such worker." },
        { "tells", "--nothing=1", "“--nothing=1” is no option of a worker." },
        { "tells", "threads=1", "“threads=1” is no option of a worker." },
        { "tells", "--threads", "“--threads” is no option of a worker." },
        { "tells", "--threads=many", "many" } };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *const argv[] = { program, LS_LAB_WORKER_COMMAND, rows[i][0], rows[i][1], NULL };
      g_autoptr (GError) error = NULL;
      LsChild child;

      g_assert_true (ls_child_start (&child, argv, NULL, LS_CHILD_PIPE, MOST, &error));
      g_autoptr (json_t) said = ls_child_hear (&child, PATIENT_S * 1000, NULL, &error);
      g_assert_no_error (error);
      const char *no = json_string_value (json_object_get (said, "no"));
      if (no == NULL || strstr (no, rows[i][2]) == NULL)
        g_error ("with %s and %s it says “%s”", rows[i][0], rows[i][1], no);
      ls_child_end (&child, PATIENT_S * 1000);
      g_assert_cmpint (child.status, ==, EXIT_FAILURE);
      ls_child_clear (&child);
    }
}

int
main (int argc, char **argv)
{
  static const LsLabWorker tells = { .name = "tells",
                                     .open = tells_open,
                                     .close = g_free,
                                     .prepare = tells_prepare,
                                     .set = tells_set,
                                     .run = tells_run,
                                     .learn = tells_learn };
  static const LsLabWorker *const workers[] = { &tells, NULL };

  if (argc > 1 && strcmp (argv[1], LS_LAB_WORKER_COMMAND) == 0)
    return ls_lab_worker_main (argc, argv, workers);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-child/hello", test_hello);
  g_test_add_func ("/lab-child/numbers", test_numbers);
  g_test_add_func ("/lab-child/questions", test_questions);
  g_test_add_func ("/lab-child/asked", test_asked);
  g_test_add_func ("/lab-child/not-begun", test_not_begun);
  return g_test_run ();
}
