#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# session.sh COMMAND…: a test that speaks TAP, in a desktop session of its own (../gui/session.sh). Where there can be none,
# it is skipped in TAP's words. Without GL, which these tests don't need: its drivers keep memory until the process ends.
export GDK_DEBUG=gl-disable GDK_DISABLE=gl
reason=$(mktemp) || exit 1
"$(dirname "$0")/../gui/session.sh" -- "$@" 2>"$reason"
status=$?
if [ "$status" -eq 77 ]; then
  echo "1..0 # SKIP $(sed -n 's/^skipped: //p' "$reason" | head -n 1)"
  status=0
fi
cat "$reason" >&2
rm -f "$reason"
exit "$status"
