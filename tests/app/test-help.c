/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What help says with a number, with a key or with a mark of evidence is what the program does: the numbers
 * are those of the code, the keys those that test-window-keys.c presses, and a mark says how what stands
 * beside it is known.
 */
#include "config.h"

#include <string.h>

#include "core/figure.h"
#include "lab/crossover.h"
#include "machines/cost.h"
#include "train/lane/lane.h"
#include "train/snapshot.h"
#include "ui/help/help.h"
#include "ui/paint/data/decimate.h"

static const LsHelpEntry *
entry_of (const char *topic, const char *term)
{
  const LsHelpTopic *found = ls_help_find (topic);

  g_assert_nonnull (found);
  for (const LsHelpEntry *entry = found->entries; entry->term != NULL; entry++)
    if (strcmp (entry->term, term) == 0)
      return entry;
  g_error ("help on “%s” has no entry “%s”", topic, term);
}

static void
assert_says (const char *topic, const char *term, const char *words)
{
  const LsHelpEntry *entry = entry_of (topic, term);

  if (strstr (entry->text, words) == NULL)
    g_error ("help on “%s”, “%s”, doesn't say “%s” but “%s”", topic, term, words, entry->text);
}

/* ---- numbers ---- */

static void G_GNUC_PRINTF (3, 4) assert_number (const char *topic, const char *term, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  assert_says (topic, term, words);
}

static void
test_numbers (void)
{
  assert_number ("curves", "Throughput", "the median of %d of them", LS_SMOOTH_STEPS);
  assert_number ("methods", "Warm-up", "The first %d steps of a lane", LS_WARM_UP_STEPS);
  assert_number ("methods", "Recording", "under %d tiles", LS_FINER_LEAST);
  assert_number ("crossover", "A cell", "Under %.0f %%", 100 * (LS_LAB_EQUAL - 1));
  assert_number ("planner", "The sentence", "%.0f hours", LS_HOURS_A_MONTH);
  assert_number ("planner", "Hours elsewhere", "%.0f µs to start each op", 1e6 * LS_COST_LAUNCH);
  assert_number ("planner", "Hours elsewhere", "(%d %%,", 30);
  assert_number ("race", "Samples per second", "newest %d steps", 200);
  assert_number ("start", "Time", "under %d %% of the step", 1);
  assert_number ("scaling", "A double line", "in %d of 100 cases", 95);
  assert_number ("scaling", "A double line", "off by %d %%", 10);
  assert_number ("network", "Weights and filters", "the mean of %d×%d weights", 3, 3);
  assert_number ("network", "Weights and filters", "the smallest %s quarters are blank", "three");
  assert_number ("tiles", "Local memory", "of %d rows at a time", 256);
  assert_number ("machines", "One clock", "more than %s as long", "twice");
  assert_number ("machines", "Fields", "half or double %s", "moves the end most");
  assert_number ("planner", "Figures under it", "by a %s", "tenth");
}

/* ---- keys ---- */

static void
test_keys (void)
{
  static const struct {
    const char *topic, *term, *words;
  } rows[] = {
    { "race", "Time steps", "V opens one after the other" },
    { "race", "Unfair", "(or U, in every view)" },
    { "partition", "The row of bars", "Ctrl with an arrow key" },
    { "timeline", "Time steps", "V opens one after the other" },
    { "timeline", "Zooming",
      "Ctrl with plus and minus zoom; a drag or Shift with the arrows moves; Z zooms to what is picked" },
    { "timeline", "Zooming", "Home shows the whole step" },
    { "curves", "By steps or by seconds", "T switches" },
    { "scaling", "One panel alone",
      "n goes to the next one, Shift+N to the one before; Escape takes it back" },
    { "scaling", "One panel alone", "v shows the others" },
    { "crossover", "The guess", "(D, or the switch)" },
    { "machines", "Fields",
      "or Up and Down once it is picked; Enter or another click takes a number; D takes back" },
    { "machines", "Assumptions of", "V goes to the next one" },
    { "machines", "An opened row", "Enter or a click opens it" },
    { "planner", "Figures under it", "the arrow keys go from one to the next. Up and Down change a price" },
    { "planner", "Figures under it", "D takes that back" },
    { "planner", "Dotted lines", "V goes to the next card" },
    { "claims", "The sentence", "(a click, Enter, ↑ and ↓)" },
    { "claims", "The sentence", "or O, opens the page" },
    { "claims", "The sentence", "V until it is marked, then O" },
    { "claims", "The guess", "← and → in an opened row" },
    { "start", "Time",
      "Space stops and starts. The arrow keys go from step to step and back into the history; with Ctrl from "
      "op to op" },
    { "start", "Time", "passed over unless Shift is held, too. Plus and minus change the slow motion" },
    { "start", "Time", "“1 s = 50 µs” means that a second on screen is 50 microseconds of the machine" },
    { "start", "Pace", "F held is full speed" },
    { "start", "Pointing",
      "A click or Enter picks it; the arrow keys then go from mark to mark; Escape lets go" },
    { "start", "Settings", "(Ctrl+comma)" },
    { "start", "Projector", "P hides" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_says (rows[i].topic, rows[i].term, rows[i].words);
}

/* ---- marks ---- */

/* A clock or a counter: measured; made of such: derived; of a model: modelled; of a sheet: published. The
 * lanes have their own, and so has the playhead. */
static void
test_marks (void)
{
  static const struct {
    const char *topic, *term;
    LsHelpMark mark;
  } rows[] = {
    { "race", "The two columns", LS_HELP_BOTH },
    { "race", "Playhead", LS_HELP_PLAYHEAD },
    { "race", "Gaps", LS_HELP_GAP },
    { "race", "Pale blocks", LS_HELP_TO_COME },
    { "race", "Samples per second", LS_HELP_MEASURED },
    { "race", "Ratio", LS_HELP_DERIVED },
    { "race", "max |Δ|", LS_HELP_DERIVED },
    { "partition", "Tiles", LS_HELP_TILE },
    { "partition", "Corner", LS_HELP_TAKEN },
    { "partition", "Work-groups", LS_HELP_ORDER },
    { "partition", "Waiting", LS_HELP_WAIT },
    { "partition", "Times of tiles", LS_HELP_MEASURED },
    { "tiles", "Local memory", LS_HELP_SIGNED },
    { "tiles", "Work-item", LS_HELP_PICKED },
    { "tiles", "Order inside the group", LS_HELP_MODELLED },
    { "tiles", "Ledger", LS_HELP_DERIVED },
    { "tiles", "Another kernel", LS_HELP_MODELLED },
    { "tiles", "Bands of A and B", LS_HELP_OPENCL },
    { "tiles", "Cache blocks", LS_HELP_CPU },
    { "timeline", "op, worker", LS_HELP_CPU },
    { "timeline", "host, queue, copies, kernels", LS_HELP_OPENCL },
    { "timeline", "Zigzag foot", LS_HELP_FOLDED },
    { "timeline", "Waiting", LS_HELP_WAIT },
    { "timeline", "One clock", LS_HELP_PLAYHEAD },
    { "network", "Weights and filters", LS_HELP_SIGNED },
    { "network", "Sample and activations", LS_HELP_AMOUNT },
    { "network", "Prediction", LS_HELP_BOTH },
    { "network", "max |Δ| by layer", LS_HELP_DERIVED },
    { "network", "Confusion", LS_HELP_MEASURED },
    { "curves", "Loss", LS_HELP_CURVE },
    { "curves", "losses differ by", LS_HELP_DERIVED },
    { "curves", "Test accuracy", LS_HELP_DOT },
    { "roofline", "A ring", LS_HELP_DERIVED },
    { "roofline", "The roofs", LS_HELP_MEASURED },
    { "roofline", "Dotted roofs", LS_HELP_PUBLISHED },
    { "scaling", "A double line", LS_HELP_DERIVED },
    { "crossover", "A cell", LS_HELP_DERIVED },
    { "crossover", "The double line", LS_HELP_DERIVED },
    { "machines", "The pair on top", LS_HELP_MEASURED },
    { "machines", "The rows below", LS_HELP_MODELLED },
    { "machines", "Error to the lane", LS_HELP_MODELLED },
    { "machines", "Assumptions of", LS_HELP_PUBLISHED },
    { "machines", "Bit for bit", LS_HELP_MEASURED },
    { "machines", "int8 and spikes", LS_HELP_MEASURED },
    { "planner", "Figures under it", LS_HELP_PUBLISHED },
    { "planner", "Does it fit?", LS_HELP_DERIVED },
    { "planner", "Solid bars", LS_HELP_MEASURED },
    { "planner", "Dotted lines", LS_HELP_PUBLISHED },
    { "planner", "Hours elsewhere", LS_HELP_MODELLED },
    { "planner", "The bands", LS_HELP_MODELLED },
    { "claims", "The sentence", LS_HELP_PUBLISHED },
    { "claims", "The outcome", LS_HELP_MEASURED },
    { "start", "CPU lane", LS_HELP_CPU },
    { "start", "OpenCL lane", LS_HELP_OPENCL },
    { "start", "Pointing", LS_HELP_PICKED },
    { "start", "measured", LS_HELP_MEASURED },
    { "start", "derived", LS_HELP_DERIVED },
    { "start", "modelled", LS_HELP_MODELLED },
    { "start", "published", LS_HELP_PUBLISHED },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (entry_of (rows[i].topic, rows[i].term)->mark != rows[i].mark)
      g_error ("help on “%s”: “%s” has mark %d, not %d", rows[i].topic, rows[i].term,
               (int) entry_of (rows[i].topic, rows[i].term)->mark, (int) rows[i].mark);
  g_assert_cmpint (LS_HELP_DERIVED - LS_HELP_MEASURED, ==, LS_EVIDENCE_DERIVED - LS_EVIDENCE_MEASURED);
  g_assert_cmpint (LS_HELP_PUBLISHED - LS_HELP_MEASURED, ==, LS_EVIDENCE_PUBLISHED - LS_EVIDENCE_MEASURED);
}

/* Left is the CPU, blue, right OpenCL, orange; who is faster has its arrow on his side; words that another
 * entry turns round. */
static void
test_sides (void)
{
  assert_says ("start", "CPU lane", "The left side, blue");
  assert_says ("start", "OpenCL lane", "The right side, orange");
  assert_says ("crossover", "A cell", "◂ where the left lane is faster, ▸ where the right one is");
  assert_says ("crossover", "Yours", "Upwards its first hidden layer grows");
  assert_says ("network", "Confusion", "Rows are the true class, columns the one that the network said");
  assert_says ("tiles", "Roofline", "on the left the memory is the limit, on the right arithmetic");
  assert_says ("roofline", "Bound by memory, or by computing",
               "Left of the corner where the thick lines meet, memory is too slow");
  assert_says ("scaling", "Amdahl", "S(n) = 1/(s + (1 − s)/n)");
  assert_says ("scaling", "Amdahl", "no number of them makes it faster than 1/s times");
  assert_says ("scaling", "Amdahl", "σ is what they wait for each other, κ what they tell each other");
  assert_says ("scaling", "Work in flight", "as many as rate times wait keep the memory busy");
  assert_says ("planner", "Does it fit?", "weights (W), their gradients (dW)");
}

/* ---- the table ---- */

/* First how to begin, then the views in the order of their keys, at last the method; none twice; an entry's
 * text is of sentences. */
static void
test_topics (void)
{
  static const char *const names[] = { "start",    "race",    "partition", "tiles",   "timeline",
                                       "network",  "curves",  "roofline",  "scaling", "crossover",
                                       "machines", "planner", "claims",    "methods" };
  static const char *const terms[] = { "Two lanes", "Slow motion", "Evidence" };
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);
  g_auto (GStrv) views = g_strsplit (ls_help_views (), ", ", -1);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
  g_assert_cmpuint (g_strv_length (views), ==, n - 2);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpstr (topics[i]->name, ==, names[i]);
      if (i > 0 && i + 1 < n)
        g_assert_cmpstr (views[i - 1], ==, names[i]);
      g_assert_true (ls_help_find (names[i]) == topics[i]);
      g_assert_true (g_str_has_suffix (topics[i]->lead, ".") || g_str_has_suffix (topics[i]->lead, "?"));
      for (const LsHelpEntry *entry = topics[i]->entries; entry->term != NULL; entry++)
        {
          g_assert_cmpint (entry->mark, <, LS_HELP_MARK_N);
          g_assert_true (entry_of (names[i], entry->term) == entry);
          if (strstr (entry->text, "  ") != NULL
              || strchr (".:?", entry->text[strlen (entry->text) - 1]) == NULL)
            g_error ("help on “%s”, “%s”, isn't made of sentences: “%s”", names[i], entry->term, entry->text);
        }
    }
  for (guint i = 0; i <= G_N_ELEMENTS (terms); i++)
    g_assert_cmpstr (ls_help_card ()[i].term, ==, i < G_N_ELEMENTS (terms) ? terms[i] : NULL);
  g_assert_cmpint (ls_help_card ()[0].mark, ==, LS_HELP_BOTH);
  g_assert_cmpint (ls_help_card ()[1].mark, ==, LS_HELP_PLAYHEAD);
  g_assert_cmpint (ls_help_card ()[2].mark, ==, LS_HELP_MEASURED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help/numbers", test_numbers);
  g_test_add_func ("/help/keys", test_keys);
  g_test_add_func ("/help/marks", test_marks);
  g_test_add_func ("/help/sides", test_sides);
  g_test_add_func ("/help/topics", test_topics);
  return g_test_run ();
}
