#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# session.sh [--size WxH] COMMAND…: runs the command on a display of its own (Xvfb, which picks a free number), with its own
# home and session bus, so that the desktop at hand neither sees it nor shapes it, and leaves nothing behind. Without Xvfb
# or dbus-run-session the test is skipped, in TAP's words.
set -u
size=1280x1000
if [ "${1:-}" = --size ]; then
  size=$2
  shift 2
fi
for tool in Xvfb dbus-run-session; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "1..0 # SKIP $tool is not installed; on Debian: apt-get install xvfb dbus"
    exit 0
  fi
done

home=$(mktemp -d "${TMPDIR:-/tmp}/lockstep-session.XXXXXX") || exit 1
server=
finish ()
{
  [ -z "$server" ] || kill "$server" 2>/dev/null
  [ -z "$server" ] || wait "$server" 2>/dev/null
  rm -rf "$home"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir -m 700 "$home/config" "$home/data" "$home/state" "$home/run" "$home/services"
# A bus that starts nothing but the accessibility bus: the system's own services would bring portals and their settings.
printf '[D-BUS Service]\nName=org.a11y.Bus\nExec=/usr/libexec/at-spi-bus-launcher\n' >"$home/services/org.a11y.Bus.service"
cat >"$home/bus.conf" <<EOF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:dir=$home/run</listen><auth>EXTERNAL</auth>
<servicedir>$home/services</servicedir><policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
EOF

Xvfb -displayfd 3 -screen 0 "${size}x24" -dpi 96 -nolisten tcp -noreset 3>"$home/display" 2>"$home/xvfb.log" &
server=$!
tries=0
while [ ! -s "$home/display" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 200 ] || ! kill -0 "$server" 2>/dev/null; then
    cat "$home/xvfb.log" >&2
    echo "Bail out! Xvfb did not start"
    exit 1
  fi
  sleep 0.05
done

HOME=$home XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data XDG_STATE_HOME=$home/state XDG_RUNTIME_DIR=$home/run \
DISPLAY=:$(cat "$home/display") GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_USE_PORTAL=0 ADW_DISABLE_PORTAL=1 \
GSETTINGS_BACKEND=memory \
  dbus-run-session --config-file="$home/bus.conf" -- "$@" 2>"$home/stderr"
status=$?
grep -v -e 'dbus-daemon\[' -e 'SpiRegistry daemon' "$home/stderr" >&2
exit "$status"
