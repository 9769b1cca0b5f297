#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a command in a desktop session of its own, and leaves nothing of it behind:
#   session.sh [--size 1280x800] [--wm] -- COMMAND [ARGUMENTS]
# An X server without a screen, whose number it chooses itself, so that many can run at once; private HOME and XDG folders
# (but the caller's cache, where compiled kernels are); a session bus that can start the accessibility bus and nothing else: with
# the system's services it would start portals, which take over dialogs and colours. --wm: openbox, if there is one, for full
# screen and the like. Exit status: the command's; 77 with a reason where something is missing.
set -u
size=1280x800 wm=
while [ $# -gt 0 ]; do
  case $1 in
    --size) size=$2; shift 2 ;;
    --wm) wm=openbox; shift ;;
    --) shift; break ;;
    *) echo "session.sh: “$1” is no option" >&2; exit 2 ;;
  esac
done

bus_service=/usr/share/dbus-1/services/org.a11y.Bus.service
for tool in Xvfb dbus-run-session xdotool; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool" >&2; exit 77; }
done
[ -f "$bus_service" ] || { echo "skipped: there is no at-spi2-core" >&2; exit 77; }

folder=$(mktemp -d "${TMPDIR:-/tmp}/lockstep-session.XXXXXX")
server=
clean_up ()
{
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

mkdir -p "$folder/home" "$folder/config/gtk-4.0" "$folder/data" "$folder/state" "$folder/run" "$folder/services"
chmod 700 "$folder/run"
cp "$bus_service" "$folder/services/"
printf '[Settings]\ngtk-font-name=Cantarell 11\n' >"$folder/config/gtk-4.0/settings.ini"
cat >"$folder/bus.conf" <<BUS
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><keep_umask/><listen>unix:dir=$folder/run</listen><auth>EXTERNAL</auth>
  <servicedir>$folder/services</servicedir>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
BUS

Xvfb -displayfd 3 -screen 0 "${size}x24" -dpi 96 -nolisten tcp -noreset 3>"$folder/display" 2>"$folder/server.log" &
server=$!
tries=0
while [ ! -s "$folder/display" ]; do
  tries=$((tries + 1))
  if [ $tries -gt 200 ] || ! kill -0 "$server" 2>/dev/null; then
    echo "session.sh: Xvfb does not start:" >&2
    cat "$folder/server.log" >&2
    exit 1
  fi
  sleep 0.05
done

# The window manager goes with the command, or the bus would wait for it.
cat >"$folder/inner.sh" <<'INNER'
wm=$1
shift
manager=
if [ -n "$wm" ] && command -v "$wm" >/dev/null; then
  "$wm" >/dev/null 2>&1 &
  manager=$!
  sleep 0.5
fi
"$@" >&5 2>&4 4>&- 5>&-
status=$?
[ -z "$manager" ] || kill "$manager" 2>/dev/null
exit $status
INNER

# The bus and its services write to a log, the command to where this script does.
exec 4>&2 5>&1
env -u WAYLAND_DISPLAY DISPLAY=":$(cat "$folder/display")" GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_USE_PORTAL=0 \
  HOME="$folder/home" XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data" XDG_STATE_HOME="$folder/state" \
  XDG_CACHE_HOME="${XDG_CACHE_HOME:-$HOME/.cache}" XDG_RUNTIME_DIR="$folder/run" GSETTINGS_BACKEND=memory LOCKSTEP_FIRST_RUN="${LOCKSTEP_FIRST_RUN:-no}" LC_ALL=C.UTF-8 \
  dbus-run-session --config-file="$folder/bus.conf" -- sh "$folder/inner.sh" "$wm" "$@" >"$folder/bus.log" 2>&1
status=$?
[ "$status" -ne 127 ] || cat "$folder/bus.log" >&2
exit "$status"
