#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh BUILD SECONDS [TARGET…]: libFuzzer on each target of a folder built with -Dfuzz=true, so many seconds each, one after
# the other. What it has learnt stays in BUILD/corpus for the next time, what it found in BUILD/findings. Status 1: there is
# a finding.
set -u
cd "$(dirname "$0")/../.."
build=$1 seconds=$2 status=0
shift 2
[ $# -gt 0 ] || set -- $(cd tests/fuzz/corpus && ls)
# Targets save and read files; what a crash leaves behind goes with the folder. In memory where it can be.
scratch=$(mktemp -d -p /dev/shm lockstep-fuzz-XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# The last number behind those words of the log; 0: none.
number ()
{
  n=$(sed -nE "s;^$1 *([0-9]+).*;\2;p" "$log" | tail -n 1)
  echo "${n:-0}"
}

mkdir -p "$build/findings"
for target; do
  program=$build/tests/fuzz/fuzz-$target log=$build/findings/$target.log
  [ -x "$program" ] || { echo "$target: there is no $program"; status=1; continue; }
  mkdir -p "$build/corpus/$target"
  if env TMPDIR="$scratch" HOME="$scratch" XDG_CACHE_HOME="$scratch" XDG_DATA_HOME="$scratch" LC_ALL=C.UTF-8 \
    ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    "$program" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$target-" \
    "$build/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
    found="no finding"
  else
    status=1
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    found="FINDING: $(grep -m 1 -aE '^fuzz: |runtime error:|ERROR: |^SUMMARY' "$log")
  in $log; the input: ${input:-none was written}; again: $program $input"
  fi
  printf '%-12s %10s runs %8s/s  %s\n' "$target" "$(number '(#|stat::number_of_executed_units:)')" \
    "$(number '(stat::average_exec_per_sec:)')" "$found"
done
exit "$status"
