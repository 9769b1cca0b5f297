/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The invented claims as a picture of their view.
 */
#pragma once

#include "tests/paint/claim_rows.h"
#include "tests/paint/fixture.h"
#include "tests/paint/picture.h"

#include "ui/paint/claims/claims_view.h"
#include "ui/paint/views.h"

static inline void
open_picture (Picture *p, gboolean live, double width, double height)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsClaims) claims = claim_rows ();
  const LsViewBeside beside = { .claims = claims };
  LsViewData *data = ls_view_data_from_recording (recording, &beside);

  data->live = live;
  start_picture (p, &ls_view_claims, data, ls_fonts_new ("Cantarell, Sans"), width, height);
}

static inline const LsClaimsPicture *
geometry (const Picture *p)
{
  return p->layout->own;
}
