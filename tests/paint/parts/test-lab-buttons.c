/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands on the button that measures, in each view that has one: while anything at all is measured, run
 * or converted it stops that, whichever view began it.
 */
#include <string.h>

#include "tests/paint/claim_rows.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/lab_fixture.h"
#include "ui/paint/claims/claims_view.h"
#include "ui/paint/crossover/crossover.h"
#include "ui/paint/machines/machines.h"
#include "ui/paint/scaling/scaling.h"
#include "ui/paint/views.h"

static const char *
words_of (const LsLayout *layout)
{
  for (guint i = 0; i < layout->slots->len; i++)
    if (g_array_index (layout->slots, LsSlot, i).kind == LS_SLOT_LAB)
      return g_array_index (layout->slots, LsSlot, i).words;
  return NULL;
}

static gint
place_of (const char *machine)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (machines[i]->name, machine) == 0)
      return (gint) i;
  g_error ("there is no machine “%s”", machine);
}

static void
test_stops (void)
{
  static const struct {
    const char *view, *words; /* where nothing is going on */
    gint open;                /* a row; −1: none */
  } cases[] = {
    { "scaling", "Measure Again", -1 },    { "scaling", "Measure Again", LS_SCALING_BATCH },
    { "crossover", "Measure", -1 },        { "claims", "Run All", -1 },
    { "claims", "Run", ROW_GUESSED },      { "claims", "Run Again", ROW_BOTH },
    { "machines", "Convert and Test", 0 }, /* int8 */
  };
  g_autoptr (LsClaims) claims = claim_rows ();
  const LsViewLab works[] = { { 0 },
                              { .experiment = &ls_experiment_batch, .n = 9 },
                              { .experiment = &ls_experiment_crossover, .n = 9 },
                              { .claim = claims->rows[ROW_GUESSED].claim->name, .n = 9 },
                              { .claim = claims->rows[ROW_TRUE].claim->name, .n = 9 },
                              { .converting = "", .n = 9 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (works); k++)
      {
        g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_desk);
        g_autoptr (GPtrArray) results = lab_fixture ();
        const LsViewBeside beside = { .lab = results, .claims = claims };
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
        const LsView *view = ls_view_find (cases[i].view);
        g_autofree gpointer state = g_memdup2 (view->state_init, view->state_size);
        LsQuery query = LS_QUERY_INIT;

        data->live = TRUE;
        data->measuring = works[k];
        query.state = state;
        if (view == &ls_view_scaling)
          ((LsScalingState *) state)->open = cases[i].open;
        else if (view == &ls_view_claims)
          ((LsClaimsState *) state)->open = cases[i].open;
        else if (view == &ls_view_machines)
          ((LsMachinesState *) state)->open = place_of ("int8");
        g_autoptr (LsLayout) layout = draw_view (view, data, &query, LS_LOOK_LIGHT, 1920, 1080);
        const char *words = words_of (layout), *expected = k == 0 ? cases[i].words : "Stop";
        if (g_strcmp0 (words, expected) != 0)
          g_error ("%s, row %d: while %s the button says “%s”, not “%s”", cases[i].view, cases[i].open,
                   k == 0                        ? "nothing is going on"
                   : works[k].experiment != NULL ? "an experiment is measured"
                   : works[k].claim != NULL      ? "a claim is run"
                                                 : "the network is converted",
                   words != NULL ? words : "nothing", expected);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/lab-buttons/stops", test_stops);
  return g_test_run ();
}
