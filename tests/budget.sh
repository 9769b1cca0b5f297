#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What adding a thing may cost. Each patch of tests/budget adds one to a scratch copy of the sources; this counts the files
# that it touches by hand (lists of sources and texts to translate don't count), builds the copy once with all of them, and
# tries each. Where a patch costs more than the table below allows, the tables of the program are wrong: mend those.
# tests/budget.sh [PATCHES]: others than tests/budget. 77: skipped, nothing could be tried.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
. "$root/tests/scratch.sh"
patches=${1:-$root/tests/budget}
status=0

breach ()
{
  printf '%s\n' "$*"
  status=1
}

for tool in git meson ninja; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
keep_to "$scratch"
copy_sources "$root" "$scratch/tree" || exit 1
cd "$scratch/tree" || exit 1

# add NAME WORDS ALLOWED: applies NAME.patch.
add ()
{
  place=$(sed -n 's/.*\.place = \([0-9]*\).*/\1/p' src/engine/core/options.c | sort -n | tail -n 1)
  sed "s/@PLACE@/$((place + 1))/" "$patches/$1.patch" >"$scratch/patch"
  if ! git apply -C1 --whitespace=nowarn "$scratch/patch"; then
    breach "$1.patch no longer fits the sources; mend it"
    return
  fi
  touched=$(git apply --numstat "$scratch/patch" | cut -f 3 \
    | grep -vE '(^|/)meson\.build$|\.gresource\.xml$|^po/' | sed 's|.*/||' | sort)
  n=$(echo "$touched" | wc -l)
  # shellcheck disable=SC2086
  [ "$n" -le "$3" ] || breach "$2 touches $n files ($(echo $touched | sed 's/ /, /g')); $3 are allowed"
}

# One file, and one row; an op's word in the model's line is a row more, a view has a help topic
# and an icon.
add option "an option" 2
add schedule "a schedule" 2
add data "a data set" 2
add op "an op" 3
add kernel "an OpenCL kernel" 2
add experiment "an experiment" 2
add machine "a machine" 2
add view "a view" 4
[ "$status" = 0 ] || exit "$status" # half of an addition needn't build

found=$(sh tests/layers.sh) || breach "tests/layers.sh wants a line:
$found"
build=$scratch/build
log=$scratch/log
# No addition touches the window, which takes a third of the time to build: as on a machine without its library.
sed -i "s/'gtk4'/'no-gtk4'/" src/ui/app/meson.build
programs="src/lockstep src/lockstep-pages tests/core/test-options tests/lab/test-lab-lab tests/lab/test-lab-kept tests/cpu/test-cpu-policy tests/data/test-dataset
  tests/model/test-spec tests/model/test-ops tests/model/test-gradient tests/opencl/test-kernels"
# shellcheck disable=SC2086
if ! { CFLAGS='' meson setup "$build" -Dbuildtype=plain && ninja -C "$build" -j "$((($(nproc) + 1) / 2))" $programs; } >"$log" 2>&1; then
  tail -n 40 "$log"
  breach "the additions don't build"
  exit 1
fi

# works WHAT COMMAND…: it succeeds.
works ()
{
  what=$1
  shift
  "$@" >"$log" 2>&1 && return
  tail -n 20 "$log"
  breach "$what: $* failed"
  return 1
}

# says WHAT PATTERN COMMAND…: it succeeds, and a line of what it writes matches.
says ()
{
  what=$1 pattern=$2
  shift 2
  works "$what" "$@" && { grep -qE -e "$pattern" "$log" || breach "$what: $* doesn't say $pattern"; }
}

lockstep=$build/src/lockstep
pages=$build/src/lockstep-pages
model="flatten, dense 8, softsign, dense 2"
small ()
{
  "$lockstep" train --batch 16 --steps 5 "$@"
}

export G_TEST_SRCDIR="$scratch/tree/tests" G_TEST_BUILDDIR="$build/tests"
for test in core/test-options cpu/test-cpu-policy data/test-dataset model/test-spec model/test-ops lab/test-lab-lab lab/test-lab-kept; do
  works "$test wants a line" "$build/tests/$test"
done
works "an op" "$build/tests/model/test-gradient" -p /gradient/softsign -p /gradient/complete

# one run has them all: each is in its report, and in its recording
says "a run of all" '^CPU +5 +[0-9]' small --data chess --model "$model" --policy guided --queue-depth 3 --threads 2 \
  --backends cpu,reference --json "$scratch/report" --record "$scratch/recording"
[ -f "$scratch/recording" ] || exit 1
says "an option" '"queue-depth": 3' cat "$scratch/report"
says "an option" 'queue-depth' "$lockstep" train --help
says "an option" 'Fl -queue-depth' "$pages" man data/man/lockstep.1.in
works "an option" grep -aq queue-depth "$scratch/recording"
says "a schedule" '"policy": "guided"' cat "$scratch/report"
says "a schedule" 'One of .*, guided' "$pages" man data/man/lockstep.1.in
says "a schedule" '^  guided$' "$lockstep" help partition
says "an experiment" '^depth +Hidden layers' "$lockstep" lab list
says "an experiment" '^ +4 +[0-9]' "$lockstep" lab depth --quick --seconds 1 --lanes cpu --csv "$scratch/depth"
works "an experiment" grep -q '^depth,cpu,4,' "$scratch/depth"
says "an experiment" 'threads events depth' "$pages" bash data/completions/lockstep.bash.in
says "a machine" '^Small chip +[0-9]' "$lockstep" machines --from "$scratch/recording"
says "a machine" '^clock, clock +100 +MHz' "$lockstep" machines chip --from "$scratch/recording"
says "a data set" '"data": "chess"' cat "$scratch/report"
says "a data set" 'Data: mnist, .*chess' "$lockstep" train --help
says "a data set" '\*:--data\) .*chess' "$pages" bash data/completions/lockstep.bash.in
says "a data set" '^CPU +5 +[0-9]' small --data chess --backends cpu
says "an op" 'softsign\(A.*reference.*naive loops' "$lockstep" plan --data chess --model "$model" --batch 16 \
  --backends cpu,reference
if "$lockstep" devices >"$log" 2>&1 && grep -q OpenCL "$log"; then
  works "an OpenCL kernel" "$build/tests/opencl/test-kernels" -p /others/softsign -p /others/table
  says "an OpenCL kernel" 'softsign\(A.*naive [0-9]' "$lockstep" plan --data chess --model "$model" --batch 16 --backends opencl
  says "an OpenCL kernel" '^OpenCL +5 +[0-9]' small --data chess --model "$model" --backends opencl,reference
else
  echo "not tried: a kernel, for there is no OpenCL device"
fi
if grep -q 'HAVE_PAINT=1' "$build/build.ninja"; then
  says "a view" 'Views: .*loss' "$lockstep" render --help
  says "a view" 'What was learnt' "$lockstep" help loss
  works "a view" "$lockstep" render loss --from "$scratch/recording" --out "$scratch/loss.png"
  says "a view" 'PNG' head -c 8 "$scratch/loss.png"
else
  echo "not tried: a view, for there is no Cairo"
fi
exit "$status"
