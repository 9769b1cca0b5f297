# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# completion.sh COMPLETION: what bash offers after some words; and that the program takes every option that is offered.
# shellcheck disable=SC1090
source "$1" || exit 1
compopt () { :; } # works within a completion only
status=0

# offers EXPECTED WORDS…: the last word is being written.
offers ()
{
  local expected=$1
  shift
  COMP_WORDS=(lockstep "$@")
  COMP_CWORD=$#
  _lockstep
  if [[ "${COMPREPLY[*]}" != "$expected" ]]; then
    echo "lockstep $*: “${COMPREPLY[*]}”, not “$expected”"
    status=1
  fi
}

cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
touch step.lockstep

offers "train" tr
offers "step.lockstep" step
offers "--policy" train --pol
offers "--version" --vers
offers "static steal" train --policy st
offers "turns" train --turns = tu
offers "auto turns race" train --turns =
offers "spiral step.lockstep" train --data s
offers "auto naive tiled register packed" train --kernel ""
offers "" train --steps ""
offers "step.lockstep" export ""
if [[ "$("$LOCKSTEP" --help)" == *" window "* ]]; then
  offers "--model --momentum" --mo
  offers "spiral step.lockstep" --data s
fi
if [[ "$("$LOCKSTEP" --help)" == *" render "* ]]; then
  offers "tiles timeline" render ti
  offers "naive tiled register packed" render race --kernel ""
  offers "step.lockstep" render race --from s
fi

COMP_WORDS=(lockstep "") COMP_CWORD=1
_lockstep
for command in "${COMPREPLY[@]}"; do
  [[ $command != step.lockstep ]] || continue
  help=$("$LOCKSTEP" "$command" --help) || { echo "lockstep $command: no help"; status=1; }
  options=
  _lockstep_table "$command"
  [[ -n $options ]] || { echo "lockstep $command: no options"; status=1; }
  for option in $options; do
    [[ $help == *"$option"* ]] || { echo "lockstep $command takes no $option"; status=1; }
  done
  for option in $(grep -o '^  [^ ]*, --[a-z-]*\|^  --[a-z-]*' <<<"$help" | grep -o -e '--[a-z-]*'); do
    [[ " $options " == *" $option "* ]] || { echo "lockstep $command: $option isn't offered"; status=1; }
  done
done
exit $status
