#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# build.sh [--devel] [--no-build]: what `./dev flatpak` does. Builds the manifest, installs it, trains in it from the command
# line, and photographs its window: with the drivers there are, without any, and playing a recording.
#
# Where LOCKSTEP_FLATPAK_TOOLS (or ../shared/tools/flatpak) holds make-local-runtime.sh and build-and-shoot.sh, the runtimes are
# stand-ins that those compose of Debian's packages in an installation of their own, for a machine that reaches Debian's mirror
# and nothing else. The manifest stays as it is; one file differs: openblas.json names upstream's archive, openblas-debian.json
# Debian's, and takes its place. Elsewhere the runtimes are the user's, from Flathub.
set -eu
cd "$(dirname "$0")/.."
say () { printf 'dev: %s\n' "$*" >&2; }

id=io.github.lockstep_lab.Lockstep
build=1
for word in "$@"; do
  case $word in
    --devel) id=$id.Devel ;;
    --no-build) build= ;;
    *) say "flatpak takes --devel and --no-build, not “${word}”"; exit 2 ;;
  esac
done

out=$PWD/build-flatpak
tools=${LOCKSTEP_FLATPAK_TOOLS:-../shared/tools/flatpak}
recordings=/app/share/lockstep/recordings
manifest=flatpak/$id.json
release=$(sed -n 's/.*"runtime-version": "\(.*\)".*/\1/p' "$manifest")
mkdir -p "$out"

# What git would commit, and Debian's OpenBLAS.
copy_source ()
{
  rm -rf "$out/source"
  mkdir -p "$out/source"
  git ls-files --cached --others --exclude-standard | while read -r file; do
    [ ! -f "$file" ] || printf '%s\n' "$file"
  done | tar -c -T - | tar -x -C "$out/source"
  cp flatpak/openblas-debian.json "$out/source/flatpak/openblas.json"
}

# standin NAME [ARGUMENTS]: runs what is installed, and saves NAME.png
standin ()
{
  name=$1
  shift
  OUT=$out/check STANDIN_DIR=$STANDIN_DIR NO_BUILD=1 WAIT=25 SCREEN=1280x800x24 \
    "$tools/build-and-shoot.sh" "$out/source/$manifest" -- "$@"
  cp "$out/check/screenshot.png" "$out/$name.png"
  say "photographed: build-flatpak/$name.png"
}

with_standins ()
{
  STANDIN_DIR=${STANDIN_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/flatpak-standin}
  export STANDIN_DIR
  # The GL extensions of a GNOME release bear the name of the freedesktop release below it: 25.08 for 50.
  say "runtimes: stand-ins, in $STANDIN_DIR"
  GNOME_VERSION=$release FDO_VERSION=25.08 "$tools/make-local-runtime.sh"
  if [ -n "$build" ]; then
    copy_source
    OUT=$out/check WAIT=25 SCREEN=1280x800x24 "$tools/build-and-shoot.sh" "$out/source/$manifest"
    cp "$out/check/screenshot.png" "$out/both.png"
    say "photographed: build-flatpak/both.png"
  else
    standin both
  fi
  FLATPAK_GL_DRIVERS=none standin no-driver
  FLATPAK_GL_DRIVERS=none standin recording "$recordings/mlp.lockstep"
  FLATPAK_USER_DIR=$STANDIN_DIR/installation HOME=$out/check/home train
}

# own NAME [ARGUMENTS], with the user's installation
own ()
{
  name=$1
  shift
  tests/gui/session.sh --size 1280x800 -- env FLATPAK_USER_DIR="$FLATPAK_USER_DIR" GTK_USE_PORTAL=1 sh -c '
    picture=$1
    shift
    flatpak --user run "$@" &
    sleep 20
    import -window root "$picture"
    flatpak kill "$1"' shoot "$out/$name.png" "$id" "$@"
  say "photographed: build-flatpak/$name.png"
}

with_own_runtimes ()
{
  FLATPAK_USER_DIR=${FLATPAK_USER_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/flatpak}
  export FLATPAK_USER_DIR
  if [ -n "$build" ]; then
    say "runtimes: Flathub's, in $FLATPAK_USER_DIR"
    flatpak --user remote-add --if-not-exists flathub https://dl.flathub.org/repo/flathub.flatpakrepo
    flatpak-builder --user --install --install-deps-from=flathub --force-clean --state-dir="$out/state" "$out/app" "$manifest"
  fi
  own both
  FLATPAK_GL_DRIVERS=none own no-driver
  FLATPAK_GL_DRIVERS=none own recording "$recordings/mlp.lockstep"
  train
}

# Both lanes, in the terminal.
train ()
{
  dbus-run-session -- flatpak --user run "$id" train --steps 200
}

if [ -x "$tools/build-and-shoot.sh" ]; then
  with_standins
else
  with_own_runtimes
fi
