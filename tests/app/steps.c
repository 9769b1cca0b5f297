/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "steps.h"

LsViewData *
steps_fixture (LsKnown known, gboolean fused)
{
  const LsFixture fixture = { .batch = 32,
                              .workers = 2,
                              .tiles = 12,
                              .groups = 12,
                              .known = known,
                              .units = 2,
                              .fused = fused,
                              .steps = 60 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);

  return ls_view_data_from_recording (recording, NULL);
}

LsViewData *
steps_of (const gint64 *ns, guint n, gint64 gap_ns)
{
  const LsFixture fixture = { .batch = 32, .workers = 2, .tiles = 1, .steps = 2 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);
  LsRecordedLane *lane = &recording->lanes[0];
  guint64 now = lane->start_ns;

  g_assert_cmpuint (n, <=, recording->n_ops);
  g_array_set_size (lane->events, 0);
  for (guint16 i = 0; i < n; i++)
    {
      LsEvent e = { .kind = LS_EVENT_OP,
                    .op = i,
                    .start_ns = now + (guint64) gap_ns,
                    .rank = LS_RANK_NONE,
                    .unit = LS_UNIT_NONE,
                    .worker = LS_WORKER_NONE,
                    .from = LS_WORKER_NONE };

      now = e.end_ns = e.start_ns + (guint64) ns[i];
      g_array_append_val (lane->events, e);
    }
  lane->end_ns = now;
  return ls_view_data_from_recording (recording, NULL);
}

const LsPlayheadOp *
steps_op (const LsPlayhead *p, guint at)
{
  return &g_array_index (p->ops, LsPlayheadOp, at);
}

double
steps_play (LsPlayhead *p, double frame_s, guint *n_ops)
{
  gint64 last = p->time_ns;
  guint last_at = p->at;

  const double left_s = ls_playhead_left_s (p);

  p->playing = TRUE;
  *n_ops = 0;
  for (guint i = 1; i < 1000000; i++)
    {
      const LsAdvance advance = ls_playhead_advance (p, frame_s);

      if (advance == LS_ADVANCE_DONE)
        {
          g_assert_cmpfloat_with_epsilon (i * frame_s, left_s, (2 * *n_ops + 3) * frame_s);
          return i * frame_s;
        }
      g_assert_cmpint (p->time_ns, <=, ls_playhead_span (p));
      g_assert_true (p->at > last_at || (p->at == last_at && p->time_ns >= last)); /* never backwards */
      g_assert_true ((advance == LS_ADVANCE_STAYS) == (p->at == last_at && p->time_ns == last));
      g_assert_true ((advance == LS_ADVANCE_OP) == (p->at != last_at));
      *n_ops += advance == LS_ADVANCE_OP;
      last = p->time_ns;
      last_at = p->at;
    }
  g_assert_not_reached ();
}
