#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Bugs that nobody may overlook: each patch of tests/mutants plants a plausible mistake in a copy of the sources, and the tests
# that mutants.txt names beside it must fail, with words that say what is wrong. The copy and its build are kept in
# build-mutants, so that a mutant costs a few files to compile.
# tests/mutants.sh [NAMES]: these alone. tests/mutants.sh --check [BUILD]: only whether table and patches fit each other and the
# sources, and whether no two tests of that build have one name, since the table knows them by it.
# 77: skipped, nothing could be tried.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
. "$root/tests/scratch.sh"
patches=$root/tests/mutants
status=0

breach ()
{
  printf '%s\n' "$*"
  status=1
}

# The table's rows: a patch, tests with commas between them, words.
rows ()
{
  grep -v -e '^#' -e '^$' "$patches/mutants.txt"
}

command -v git >/dev/null || { echo "skipped: there is no git"; exit 77; }

if [ "${1:-}" = --check ]; then
  keep_to "$root"
  cd "$root" || exit 1
  twice=$(rows | cut -d ' ' -f 1 | sort | uniq -d)
  [ -z "$twice" ] || breach "in mutants.txt twice:" $twice
  for patch in "$patches"/*.patch; do
    name=$(basename "$patch" .patch)
    rows | grep -q "^$name  *[^ ][^ ]*  *[^ ]" || breach "$name.patch wants a row in mutants.txt: a test, and what it says"
    sed -n 1p "$patch" | grep -q '^[A-Z].*\.$' || breach "$name.patch doesn't begin with a sentence that tells the mistake"
    git apply --check "$patch" || breach "$name.patch no longer fits the sources; mend it"
  done
  twice=$(grep -o '"name": "[^"]*"' "${2:-/nonexistent}/meson-info/intro-tests.json" 2>/dev/null | sort | uniq -d)
  [ -z "$twice" ] || breach "two tests have one name: $twice"
  for name in $(rows | cut -d ' ' -f 1); do
    [ -f "$patches/$name.patch" ] || breach "mutants.txt has a row for $name, but there is no $name.patch"
  done
  exit "$status"
fi

for tool in meson ninja; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
for name in "$@"; do
  [ -f "$patches/$name.patch" ] || { echo "There is no mutant “$name”; tests/mutants has them."; exit 2; }
done

folder=$root/build-mutants
tree=$folder/tree build=$folder/build log=$folder/log fresh=$folder/fresh
mkdir -p "$tree" || exit 1
keep_to "$folder"
trap 'rm -rf "$fresh"' EXIT
trap 'exit 1' HUP INT TERM

# Only what differs is copied, the last mutant included, so that only that is built.
rm -rf "$fresh"
copy_sources "$root" "$fresh" || exit 1
( cd "$tree" && find . -type f ) | while read -r file; do
  [ -f "$fresh/$file" ] || rm -f "$tree/$file"
done
( cd "$fresh" && find . -type f ) | while read -r file; do
  cmp -s "$fresh/$file" "$tree/$file" || { mkdir -p "$(dirname "$tree/$file")" && cp "$fresh/$file" "$tree/$file"; }
done
cd "$tree" || exit 1
[ -f "$build/build.ninja" ] || meson setup "$build" >"$log" 2>&1 || { cat "$log"; exit 1; }

# try TESTS: they are built and run. 0: they pass, 1: one fails, 2: they can't be built. The program is built,
# too: tests try OpenCL's drivers in a process of it, and without it they would skip that and pass.
try ()
{
  rm -f "$build/meson-logs/testlog.json"
  ninja -C "$build" src/lockstep >"$log" 2>&1 || return 2
  # shellcheck disable=SC2046
  meson test -C "$build" $(echo "$1" | tr ',' ' ') >"$log" 2>&1 && return
  [ -f "$build/meson-logs/testlog.json" ] && return 1
  return 2
}

chosen=$(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else rows | cut -d ' ' -f 1; fi)
row_of ()
{
  rows | grep "^$1 "
}

echo "building, and running the tests without a mutant"
tests=$(for name in $chosen; do row_of "$name"; done | awk '{ print $2 }' | tr ',' '\n' | sort -u)
if ! try "$tests"; then
  tail -n 40 "$log"
  echo "The tests fail as it is; nothing was planted."
  exit 1
fi

total=0 caught=0 missed=
for name in $chosen; do
  total=$((total + 1))
  row_of "$name" >"$folder/row"
  read -r name tests words <"$folder/row"
  if ! git apply --whitespace=nowarn "$patches/$name.patch"; then
    why="the patch no longer fits the sources"
  else
    try "$tests"
    case $? in
      0) why="$tests passes" ;;
      2) why="it doesn't build"
         grep -E 'error:' "$log" ;;
      *) if grep -v '^ok ' "$build/meson-logs/testlog.txt" | grep -qF -e "$words"; then
           why=
         else
           why="$tests fails, but doesn't say “$words”"
         fi ;;
    esac
    git apply -R --whitespace=nowarn "$patches/$name.patch" || exit 1
  fi
  if [ -z "$why" ]; then
    caught=$((caught + 1))
    echo "$name: caught"
  else
    missed="$missed
  $name: $why"
    echo "$name: not caught; $why"
  fi
done
echo "$caught of $total caught"
[ -z "$missed" ] || { echo "Not caught:$missed"; exit 1; }
