#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --cpu-kernels naive and scalar compute one number at a time: no instruction of theirs computes with several. Whether a
# compiler kept to that, its code alone tells. never-vectorised.sh VECTORISED LIBRARY...: the first is there to see that
# one that isn't so is noticed.
set -u
packed='[[:space:]]v?(f?n?m?(add|sub|mul)(sub|add)?[0-9]*|div|sqrt|max|min)p[sd][[:space:]]'
scalar='[[:space:]]v?(f?n?m?(add|sub|mul)[0-9]*)s[sd][[:space:]]'
status=0

# disassemble FILE
disassemble ()
{
  objdump -d "$1" || { echo "objdump can't read $1"; exit 1; }
}

if ! disassemble "$1" | grep -qE "$packed"; then
  echo "$1 is vectorised, but this test doesn't see it"
  status=1
fi
shift
for library; do
  if ! disassemble "$library" | grep -qE "$scalar"; then
    echo "$library: there is nothing that computes"
    status=1
  fi
  if disassemble "$library" | grep -E "$packed" | head -n 3 | grep .; then
    echo "$library computes several numbers at once"
    status=1
  fi
done
exit $status
