/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No picture contradicts itself, another one, or what happened: every view of many moments drawn at random,
 * at every size, held against what was counted from the lanes' steps. A failure tells its seed;
 * LOCKSTEP_SEED=N looks at that one alone, and LOCKSTEP_LONG=1 at more of them.
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "draw.h"
#include "places.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/views.h"

#define SEEDS      300
#define SEEDS_LONG 10000
#define TOLD       2 /* contradictions of a kind; the others are counted */

static const struct {
  LsLook look;
  double w, h;
} sizes[] = {
  { LS_LOOK_LIGHT, 670, 712 }, /* beside the settings in a narrow window */
  { LS_LOOK_LIGHT, 960, 600 },  { LS_LOOK_LIGHT, 1280, 800 },
  { LS_LOOK_DARK, 1920, 1080 }, { LS_LOOK_PROJECTOR, 1920, 1080 },
};

/* ---- of a whole moment ---- */

/* A number that stands in two places, of whatever pictures, is the same there. */
static char *
same_everywhere (const GArray *claims)
{
  const LsStated *first[LS_NUMBER_N][LS_SIDES + 1] = { { NULL } };

  for (guint i = 0; i < claims->len; i++)
    {
      const LsStated *c = &g_array_index (claims, LsStated, i), **before = &first[c->number][c->side + 1];

      /* "0.118 and 0.119" are two */
      if (isnan (c->low) || (c->number == LS_NUMBER_LOSS && (c->side < 0 || !c->head)))
        continue;
      if (*before == NULL)
        *before = c;
      else if (c->low > (*before)->high || c->high < (*before)->low)
        return g_strdup_printf ("“%s” in %s and “%s” in %s are the same number of the same lane",
                                (*before)->text, (*before)->where, c->text, c->where);
    }
  return NULL;
}

/* Behind a rate's mark stand the samples that it was made from. */
static char *
samples_are_the_same (const LsScenario *s, const LsTruth *truth)
{
  for (gint side = 0; side < LS_SIDES; side++)
    {
      const LsLaneTruth *lane = &truth->lanes[side];
      if (!s->data->sides[side].there || !lane->stands)
        continue;
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (s->data, side, LS_NUMBER_RATE);
      const guint n = facts->samples->len;
      g_autofree double *sorted = g_memdup2 (facts->samples->data, n * sizeof (double));
      const LsFigure figure = ls_figure_of_samples (sorted, n, "");
      if (n != lane->n || !(fabs (figure.value - lane->rate) < 1e-3 * lane->rate))
        return g_strdup_printf (
          "behind the rate of %s stand %u samples with median %g; it is %g, of %" G_GUINT64_FORMAT,
          ls_side_name ((guint) side), n, figure.value, lane->rate, lane->n);
    }
  return NULL;
}

/* ---- running it ---- */

typedef struct {
  LsFonts *fonts;
  GHashTable *faults;      /* property → how many moments contradict it */
  guint seen[LS_NUMBER_N]; /* how often each kind of number was found in a picture */
} Run;

/* Each once for a moment. */
static void
tell (Run *run, GHashTable *told, const LsScenario *s, const char *where, const char *property, char *what)
{
  guint n;

  if (what == NULL)
    return;
  if (g_hash_table_add (told, (gpointer) property))
    {
      n = GPOINTER_TO_UINT (g_hash_table_lookup (run->faults, property)) + 1;
      g_hash_table_insert (run->faults, (gpointer) property, GUINT_TO_POINTER (n));
      if (n <= TOLD)
        g_test_message ("seed %" G_GUINT64_FORMAT
                        ", %s, “%s”: %s\n  the moment: %s\n  again: LOCKSTEP_SEED=%" G_GUINT64_FORMAT " %s",
                        s->seed, where, property, what, s->words->str, s->seed, g_get_prgname ());
    }
  g_free (what);
}

static void
look_at (Run *run, GHashTable *told, const LsScenario *s, const LsTruth *truth, const LsView *view,
         guint size, GArray *all)
{
  const LsProperty *const properties[] = { ls_properties_of_numbers, ls_properties_of_words,
                                           ls_properties_of_places,  ls_properties_of_told,
                                           ls_properties_of_lengths, ls_properties_of_cards };
  Asked asked = ls_scenario_query (s, size, size % 2 == s->seed % 2);
  g_autoptr (GArray) claims = g_array_new (FALSE, FALSE, sizeof (LsStated));
  g_autofree char *where = g_strdup_printf ("%s %gx%g %s", view->name, sizes[size].w, sizes[size].h,
                                            ls_look_name (sizes[size].look));
  g_autofree char *description = NULL;
  g_autoptr (LsLayout) layout = NULL;

  layout = draw_view_in (run->fonts, view, s->data, asked_of (&asked, view), sizes[size].look, sizes[size].w,
                         sizes[size].h);
  if (view->zooms && s->seed % 3 == 1 && layout->span_ns > 1000) /* a part of the step */
    {
      asked.query.zoom0_ns = layout->span_ns / (gint64) (3 + size);
      asked.query.zoom1_ns = asked.query.zoom0_ns + layout->span_ns / (gint64) (2 + s->seed % 7);
      ls_layout_free (layout);
      layout = draw_view_in (run->fonts, view, s->data, asked_of (&asked, view), sizes[size].look,
                             sizes[size].w, sizes[size].h);
    }
  /* what has a clock of its own is mostly at rest by then: somewhere in it is seen, too */
  if (asked.query.time_ns != LS_TIME_END && layout->query.time_ns >= layout->span_ns && layout->span_ns > 0)
    {
      LsQuery within = layout->query;
      within.time_ns = layout->span_ns * (gint64) (1 + (s->seed + size) % 9) / 10;
      within.dial_ns = MIN (within.dial_ns, (guint64) layout->span_ns * 9 / 10); /* the fastest that is
                                                                                    watched */
      ls_layout_move (layout, &within);
    }
  description = ls_layout_describe (layout);
  if (view == &ls_view_race && strstr (description, " This op alone") != NULL)
    *strstr (description, " This op alone") = '\0'; /* what is said of one op isn't said of the step */
  ls_stated_collect (claims, layout);
  const LsPicture picture = { s, truth, layout, claims, description };
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    for (const LsProperty *p = properties[i]; p->name != NULL; p++)
      tell (run, told, s, where, p->name, p->check (&picture));
  for (guint i = 0; i < claims->len; i++)
    run->seen[g_array_index (claims, LsStated, i).number]++;
  g_array_append_vals (all, claims->data, claims->len); /* which owns them */
}

static void
look_at_all (Run *run, guint64 seed)
{
  g_autoptr (LsScenario) s = ls_scenario_new (seed);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LsStated));
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  const LsTruth truth = ls_truth_of (s);
  const LsView *const *views;
  guint n;

  g_array_set_clear_func (all, ls_stated_clear);
  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      look_at (run, told, s, &truth, views[v], size, all);
  tell (run, told, s, "all pictures", "a number is the same everywhere", same_everywhere (all));
  tell (run, told, s, "popover", "behind a number stand its samples", samples_are_the_same (s, &truth));
}

static void
test_consistency (void)
{
  const char *one = g_getenv ("LOCKSTEP_SEED");
  const guint64 first = one != NULL ? g_ascii_strtoull (one, NULL, 10) : 1;
  const guint64 n = one != NULL ? 1 : g_getenv ("LOCKSTEP_LONG") != NULL ? SEEDS_LONG : SEEDS;
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (GHashTable) faults = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) all = g_string_new (NULL);
  Run run = { .fonts = fonts, .faults = faults };
  GHashTableIter iter;
  gpointer property, count;

  for (guint64 seed = first; seed < first + n; seed++)
    look_at_all (&run, seed);
  g_hash_table_iter_init (&iter, faults);
  while (g_hash_table_iter_next (&iter, &property, &count))
    g_string_append_printf (all, "\n# “%s” doesn’t hold in %u of %" G_GUINT64_FORMAT " moments",
                            (const char *) property, GPOINTER_TO_UINT (count), n);
  /* or the properties hold because nothing was found that they are about */
  for (guint i = LS_NUMBER_RATE; one == NULL && i < LS_NUMBER_N; i++)
    if (i != LS_NUMBER_OP && run.seen[i] < n)
      g_string_append_printf (all, "\n# number %u of LsNumber was found in %u pictures only", i, run.seen[i]);
  for (guint i = 0; one == NULL && i < LS_SEEN_N; i++)
    if (ls_places_seen[i] < n)
      g_string_append_printf (all, "\n# %u marks of kind %u of LsSeen were held against their data",
                              ls_places_seen[i], i);
  g_autofree char *unread = one == NULL ? ls_told_missing (5) : NULL;
  g_string_append (all, unread != NULL ? unread : "");
  if (all->len > 0)
    g_test_fail_printf ("the messages above have their seeds%s", all->str);
}

/* What the rest stands on: numbers and names are read as they are printed. */
static void
test_reading (void)
{
  static const struct {
    const char *text;
    double value;
  } numbers[] = {
    { "29.9\u00a0k", 29900 }, { "1\u2009240", 1240 }, { "4×10⁻⁷", 4e-7 },
    { "97.6 %", 97.6 },       { "−0.25", -.25 },      { "OpenCL 0.118 both", .118 },
    { "412", 412 },           { "2×10¹²", 2e12 },     { "1.2 kernels", 1.2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const char *at = numbers[i].text;
      double low, high;
      g_assert_true (ls_stated_number (&at, &low, &high));
      g_assert_cmpfloat (low, <=, numbers[i].value);
      g_assert_cmpfloat (high, >=, numbers[i].value);
      g_assert_cmpfloat (high - low, <, 1.1 * fabs (numbers[i].value));
    }
  const char *at = "samples per second", *lanes = "OpenCL on the CPU over CPU";
  double low, high;
  g_assert_false (ls_stated_number (&at, &low, &high));
  g_assert_cmpint (ls_stated_lane (&lanes), ==, 1);
  g_assert_cmpint (ls_stated_lane (&lanes), ==, 0);
  g_assert_cmpint (ls_stated_lane (&lanes), ==, -1);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/consistency/reading", test_reading);
  g_test_add_func ("/paint/consistency/random", test_consistency);
  return g_test_run ();
}
