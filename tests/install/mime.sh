#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# mime.sh PACKAGE: a recording is known by its contents whatever it is called, and by its name; weights are no recording.
set -eu
for tool in update-mime-database gio; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/share/mime/packages"
cp "$1" "$folder/share/mime/packages/"
export XDG_DATA_HOME="$folder/share"
update-mime-database "$folder/share/mime"

type_of ()
{
  gio info -a standard::content-type "$1" | sed -n 's/.*standard::content-type: //p'
}

cd "$folder"
"$LOCKSTEP" train --backends cpu --model "flatten, dense 3" --data spiral --steps 2 --record recording --save weights >/dev/null
echo x >by-name.lockstep
status=0
for file in recording by-name.lockstep; do
  [ "$(type_of $file)" = application/x-lockstep-recording ] || { echo "$file: $(type_of $file)"; status=1; }
done
[ "$(type_of weights)" != application/x-lockstep-recording ] || { echo "weights: taken for a recording"; status=1; }
exit $status
