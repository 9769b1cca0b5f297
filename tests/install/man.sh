#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# man.sh PAGE: no warning about the manual page, by mandoc or by man, whichever is there.
set -u
if command -v mandoc >/dev/null; then
  exec mandoc -Tlint -W warning "$1"
elif command -v man >/dev/null; then
  warnings=$(LC_ALL=C.UTF-8 man --warnings -l -Tutf8 -Z "$1" 2>&1 >/dev/null)
  [ -z "$warnings" ] || { printf '%s\n' "$warnings"; exit 1; }
else
  echo "skipped: there is neither mandoc nor man"
  exit 77
fi
