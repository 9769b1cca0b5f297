#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs test-kernels at tiny sizes inside Oclgrind, which interprets every work-item and finds data races, accesses out of
# bounds and divergent barriers. Its exit status says nothing about them: the log does. Exit 77: no Oclgrind here.
#
#   oclgrind.sh TEST-KERNELS LOG [GTEST-OPTION…]
#
# Reads of uninitialised memory (minutes; the register-blocked rungs need the second variable, because Oclgrind 21.10
# doesn't know the instruction `freeze` that optimised code has):
#   OCLGRIND_CHECKS=--uninitialized LOCKSTEP_KERNEL_OPTIONS=-cl-opt-disable oclgrind.sh …
set -u

program=$1
log=$2
shift 2
if ! command -v oclgrind > /dev/null; then
  echo "1..0 # SKIP oclgrind isn't installed"
  exit 77
fi

rm -f "$log"
LOCKSTEP_KERNEL_TEST=tiny oclgrind ${OCLGRIND_CHECKS:---data-races --check-api} --max-errors 20 --log "$log" "$program" "$@"
status=$?
if [ -s "$log" ] && grep -nE 'race|Invalid|divergence|Uninitialized|FATAL|rror' "$log"; then
  echo "Oclgrind found the above: see $log" >&2
  exit 1
fi
exit $status
