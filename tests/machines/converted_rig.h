/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For the tests of converted networks: a small one, and the folder where results are kept.
 */
#pragma once

#include "machines/converted/converted.h"
#include "tempdir.h"

#define SMALL "flatten, dense 16, relu, dense 16, relu, dense 3"

static TempDir dir; /* the user's data, and weights */

G_GNUC_UNUSED static LsOptions *
options_of (const char *data, const char *model, const char *steps)
{
  LsOptions *options = ls_options_new ();

  g_assert_true (ls_options_set (options, ls_options_find ("data"), data, NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), model, NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("steps"), steps, NULL));
  return options;
}

G_GNUC_UNUSED static LsConverted *
run (const LsConvertedWish *wish)
{
  g_autoptr (GError) error = NULL;
  LsConverted *result = ls_converted_run (wish, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}
