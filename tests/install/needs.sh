#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# needs.sh TOOL COMMAND…: runs the command, or skips the test where there is no such tool.
command -v "$1" >/dev/null || { echo "skipped: there is no $1"; exit 77; }
shift
exec "$@"
