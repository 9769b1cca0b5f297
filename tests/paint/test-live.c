/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same pictures from a run that goes on: snapshots of a coordinator, before, during and after a recorded step.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "train/coordinator.h"

static void
check_views (LsViewData *data)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  const LsView *const *views;
  const LsQuery query = LS_QUERY_INIT;
  LsStyle style;
  guint n;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  views = ls_views (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsLayout) layout = ls_layout_new (views[i], data, &query, 1280, 752, &style, fonts);
      g_autofree char *fault = ls_layout_fault (layout), *words = ls_layout_describe (layout);
      g_assert_cmpstr (fault, ==, NULL);
      g_assert_cmpuint (strlen (words), >, 0);
    }
}

static void
test_live (void)
{
  const LsBackend *backends[] = { &ls_backend_cpu, &ls_backend_reference };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) coordinator = NULL;
  g_autoptr (LsViewData) previous = NULL;
  g_autoptr (GError) error = NULL;
  guint seen = 0;

  ls_options_set (options, ls_options_find ("data"), "spiral", &error);
  g_assert_no_error (error);
  ls_options_set (options, ls_options_find ("model"), "flatten, dense 16, relu, dense 3", &error);
  g_assert_no_error (error);
  ls_options_set (options, ls_options_find ("batch"), "32", &error);
  coordinator = ls_coordinator_new_with_backends (options, backends, G_N_ELEMENTS (backends), &error);
  g_assert_no_error (error);
  ls_coordinator_run (coordinator, 40);
  ls_coordinator_record (coordinator);
  ls_coordinator_start (coordinator, &error);
  g_assert_no_error (error);
  for (guint round = 0; round < 2000; round++)
    {
      const gboolean done = ls_coordinator_wait (coordinator, 20);
      g_autoptr (LsSnapshot) snapshot = ls_coordinator_take (coordinator);
      LsViewData *data;

      if (snapshot != NULL)
        {
          data = ls_view_data_from_snapshot (snapshot, previous);
          if (previous != NULL && previous->recording != NULL && data->recording == previous->recording)
            g_assert_true (data->sides[0].index == previous->sides[0].index);
          check_views (data);
          g_clear_pointer (&previous, ls_view_data_unref);
          previous = data;
          seen++;
        }
      if (done)
        break;
    }
  g_assert_cmpuint (seen, >, 0);
  g_assert_nonnull (previous->recording);
  g_assert_cmpuint (previous->sides[0].steps, ==, 40);
  g_assert_true (isfinite (previous->sides[0].loss.value));
  g_assert_cmpuint (previous->sides[0].index->spans->len, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/live", test_live);
  return g_test_run ();
}
