#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The rules of the house that no compiler checks, as greps over the sources: who may include what, what nobody may call,
# and that every file begins and stays as the others do. One line per breach; the exit status says whether there was one.
set -u
cd "$(dirname "$0")/.."
status=0

breach ()
{
  printf '%s\n' "$*"
  status=1
}

# forbid WHAT PATTERN ALLOWED-PATHS FILES...: PATTERN in none of FILES but those that match ALLOWED.
forbid ()
{
  what=$1 pattern=$2 allowed=$3
  shift 3
  found=$(grep -rnE --include='*.[ch]' -e "$pattern" "$@" | grep -vE "$allowed")
  [ -z "$found" ] || breach "$what:
$found"
}

forbid "the OpenCL API is for backends/opencl alone" '#include.*(CL/|opencl/device/cl\.h)' '^src/engine/backends/opencl/' src tests/model tests/train tests/cpu
forbid "OpenBLAS is for backends/cpu alone" '#include.*cblas' '^src/engine/backends/cpu/' src
forbid "gdk-pixbuf is for engine/data alone" '#include.*gdk-pixbuf' '^src/engine/data/' src
forbid "tests know the coordinator by its public face" '#include.*train/(private|lane_control)\.h' '^$' tests
forbid "the engine draws nothing" '#include.*(cairo|pango|gtk|adwaita)' '^$' src/engine
forbid "pictures and the command line know no toolkit" '#include.*(gtk|adwaita)' '^$' src/ui/cli src/ui/paint src/ui/report
forbid "reads numbers without saying where they end" '(^|[^a-z_])(atof|atoi|atol|strtod|strtof|strtol|strtoul|sscanf) *\(' '^[^:]*:[0-9]+: *(/?\*|//)' src
forbid "g_file_replace() destroys the old file on a full disk; ls_file_save() doesn't" 'g_file_replace' '^[^:]*:[0-9]+: *(/?\*|//)' src
forbid "reads a file without a limit, or waits for a pipe: core/file.h does neither (files of /proc and /sys have no length)" '(^|[^a-z_.>])(g_file_get_contents|g_mapped_file_new[a-z_]*|g_file_load_[a-z_]+|g_key_file_load_[a-z_]+|g_file_read(_async)?|g_file_open_readwrite|json_load_file|json_load_from_file|g_io_channel_new_file|(g_)?fopen|(g_)?open|openat) *\(' '^src/(engine/core/(file|memory)|engine/files/output|engine/backends/cpu/topology|engine/backends/opencl/run/builders|engine/trace/load|ui/report/json_out|ui/cli/pages)\.c:|^src/engine/lab/kept\.c:.*(O_CREAT|/dev/null)|^[^:]*:[0-9]+: *(/?\*|//)' src
forbid "the library ends the program" '(^|[^a-z_])(exit|abort) *\(' '/child_main\.c:|^[^:]*:[0-9]+: *(/?\*|//)' src/engine
forbid "who computes, and how, is an enum (LsBackendKind, LsWay), no name; --side alone reads one" '(strn?cmp|g_strcmp0|g_str_equal|g_str_has_prefix|strstr) *\(.*"(cpu|opencl|reference|reference-f64|own loops|direct|OpenCL on the CPU)"' '^src/ui/paint/tiles/tiles_state\.c:' src
forbid "words that mark unfinished work" '(^|[^A-Za-z])(TODO|FIXME|XXX)([^A-Za-z]|$)' '^$' src tests
forbid "precompiled headers (pch) include no header of our own" '#include "' '^$' src/engine/pch src/ui/paint/pch src/ui/app/pch

views=$(sed -nE 's/^  ROW \(([a-z]+)\).*/ls_view_\1/p' src/ui/help/help.h | paste -sd '|')
forbid "a view is known to its own folder and to the table of views" "(^|[^a-z_])($views)([^a-z_]|\$)" '^src/ui/paint/(views\.[ch]|[a-z]+/view_[a-z]+\.c):' src

# Tiles names the source of the loops that it walks through.
for source in $(sed -n '/^loops_of /,/^}/p' src/ui/paint/tiles/tiles_cpu_nest.c | grep -oE '"[a-z_]+"' | tr -d '"'); do
  [ -f "src/engine/backends/cpu/$source.c" ] || breach "src/ui/paint/tiles/tiles_cpu_nest.c says $source.c, which isn't there"
done

# Which folder of src may include which: one line for each, "folder: others", and only others whose own line stands above,
# so that there is no circle. ui/paint/* is every view without a line of its own.
rooms='
engine/core:
ui/help: engine/core
engine/ops: engine/core
engine/trace: engine/core
ui/paint/scene: engine/core
engine/model: engine/core engine/ops
engine/backends: engine/core engine/trace engine/model
engine/backends/cpu: engine/core engine/ops engine/trace engine/model engine/backends
engine/backends/cpu/limits: engine/core engine/trace engine/model engine/backends engine/backends/cpu
engine/backends/cpu/convolution: engine/core engine/ops engine/model engine/backends/cpu
engine/backends/cpu/stored: engine/core engine/ops engine/model engine/backends/cpu
engine/backends/opencl/device: engine/core engine/trace engine/backends
engine/backends/reference: engine/core engine/ops engine/backends
engine/files: engine/core engine/trace engine/model engine/backends
engine/child: engine/core engine/files
engine/backends/opencl/kernels: engine/core engine/model engine/backends engine/backends/opencl/device engine/files
engine/data: engine/core engine/model engine/files
engine/machines: engine/core engine/trace engine/model engine/backends engine/files engine/data
engine/backends/opencl/child: engine/core engine/backends engine/backends/opencl/device engine/files engine/child engine/backends/opencl/kernels
engine/train/lane: engine/core engine/ops engine/model engine/backends engine/files engine/data
engine/backends/opencl/run: engine/core engine/model engine/backends engine/backends/cpu engine/backends/opencl/device engine/files engine/child engine/backends/opencl/kernels engine/backends/opencl/child
engine/train: engine/core engine/trace engine/backends engine/files engine/data engine/train/lane
engine/lab: engine/core engine/trace engine/model engine/backends engine/backends/cpu engine/files engine/child engine/data engine/backends/opencl/child engine/train
engine/lab/lane: engine/core engine/trace engine/model engine/backends engine/data engine/lab
engine/machines/converted: engine/core engine/model engine/files engine/data engine/machines engine/lab engine/lab/lane
engine/machines/guide: engine/core engine/machines
engine/machines/kept: engine/core engine/model engine/files engine/machines
engine/claims: engine/core engine/trace engine/model engine/backends engine/files engine/data engine/machines engine/machines/converted engine/lab engine/train
engine/backends/opencl/tune: engine/core engine/ops engine/files engine/child engine/backends/opencl/kernels engine/backends/opencl/child engine/backends/opencl/run
engine/backends/opencl/walk: engine/core engine/backends/opencl/device engine/backends/opencl/kernels engine/backends/opencl/run
ui/paint/data: engine/core engine/trace ui/paint/scene engine/backends engine/files engine/train engine/lab engine/claims engine/machines engine/machines/kept engine/machines/converted
ui/report: engine/core engine/backends engine/files engine/train
engine/backends/opencl/process: engine/core engine/model engine/backends engine/backends/opencl/device engine/files engine/child engine/backends/opencl/kernels engine/backends/opencl/child engine/backends/opencl/run
engine/backends/opencl: engine/core engine/backends/opencl/device engine/backends/opencl/child engine/backends/opencl/run engine/backends/opencl/tune engine/backends/opencl/process engine/child
ui/app:
ui/app/settings: engine/core engine/model engine/data engine/train ui/paint/data ui/app
ui/paint/parts: engine/core ui/help ui/paint/scene ui/paint/data
ui/app/session: engine/core ui/paint/scene engine/backends engine/files engine/data engine/backends/opencl/child engine/train engine/lab engine/claims engine/machines engine/machines/converted engine/backends/opencl/tune ui/paint/data ui/paint/parts
ui/paint: ui/help ui/paint/parts
ui/paint/output: engine/core ui/paint/scene engine/files ui/paint/parts
ui/app/widgets: engine/core ui/help ui/paint/scene ui/paint/data ui/paint/parts ui/app ui/app/session ui/paint
ui/paint/claims: engine/core engine/claims ui/paint/scene ui/paint/data ui/paint/parts ui/paint
ui/paint/crossover: engine/core engine/lab ui/paint/scene ui/paint/data ui/paint/parts ui/paint
ui/paint/scaling: engine/core engine/lab ui/paint/scene ui/paint/data ui/paint/parts ui/paint
ui/paint/machines: engine/core engine/machines engine/machines/kept engine/machines/converted ui/paint/scene ui/paint/data ui/paint/parts ui/paint
ui/paint/planner: engine/core engine/machines ui/paint/scene ui/paint/data ui/paint/parts ui/paint engine/machines/guide
ui/paint/growth: engine/core engine/lab ui/paint/scene ui/paint/data ui/paint/parts ui/paint/output
ui/paint/pages: engine/core engine/claims ui/paint/scene ui/paint/parts ui/paint/output
ui/paint/*: engine/core engine/machines ui/paint/scene ui/paint/data ui/paint/parts ui/paint
ui/paint/tiles: engine/core ui/paint/scene engine/model engine/backends ui/paint/parts ui/paint
ui/app/canvas: engine/core ui/paint/parts ui/app ui/app/session ui/paint ui/paint/output ui/app/widgets
ui/app/dialogs: engine/core ui/help ui/paint/scene engine/files engine/train engine/lab ui/paint/parts ui/app ui/app/session ui/paint/growth ui/app/widgets
ui/cli/bench: engine/core engine/lab ui/report
ui/app/window: engine/core ui/help ui/paint/scene engine/backends engine/files engine/data engine/lab engine/claims ui/report ui/app ui/app/settings ui/app/session ui/paint ui/paint/output ui/paint/pages ui/app/widgets ui/app/canvas ui/app/dialogs
ui/cli: engine/core ui/help engine/lab engine/claims engine/machines engine/machines/converted ui/paint/scene engine/model engine/backends engine/files engine/backends/opencl/kernels engine/data engine/backends/opencl/child engine/train engine/backends/opencl/tune ui/report ui/paint ui/paint/output ui/paint/growth ui/paint/pages ui/cli/bench ui/app/window engine/machines/guide
'
found=$(find src -name '*.[ch]' -exec awk -v rooms="$rooms" '
  BEGIN {
    n = split (rooms, lines, "\n")
    for (i = 1; i <= n; i++)
      {
        if (split (lines[i], words, /:? +|:$/) == 0 || words[1] == "") continue
        room = words[1]
        for (k = 2; k in words && words[k] != ""; k++)
          {
            if (!(words[k] in known)) print "tests/layers.sh: " room " may not stand above " words[k] ": that is a circle"
            allowed[room, words[k]] = 1
          }
        known[room] = 1
      }
  }
  function room_of (folder) { return !(folder in known) && folder ~ /^ui\/paint\/[^\/]+$/ ? "ui/paint/*" : folder }
  FNR == 1 { folder = FILENAME; sub (/^src\//, "", folder); if (!sub (/\/[^\/]*$/, "", folder)) folder = ""; here = folder ~ /\/pch$/ ? "" : room_of(folder) }
  here != "" && !(here in known) { print FILENAME ": " here " has no line in tests/layers.sh"; here = "" }
  /^#include "[^"]*\/[^"]*"/ && here != "" {
    to = $0; sub (/^#include "/, "", to); sub (/\/[^\/]*".*$/, "", to)
    if (!(to in known) && ("engine/" to) in known) to = "engine/" to
    if (room_of(to) in known && to != folder && !((here, room_of(to)) in allowed)) print FILENAME ":" FNR ": " folder " may not include " to
  }' {} +)
[ -z "$found" ] || breach "$found"

if [ -d .git ] || git rev-parse --git-dir >/dev/null 2>&1; then
  files=$(git ls-files)
else
  files=$(find src tests kernels_cl po data -type f)
fi

sources=
for file in $files; do
  case $file in
    *.c | *.h | *.cl | *.clh | *.py | *.sh | dev) [ ! -f "$file" ] || sources="$sources $file" ;;
  esac
done
# A script's first line is for the kernel. One process for all files: hundreds would take half a minute on a busy machine.
# shellcheck disable=SC2086
found=$(awk '
  FNR <= 3 && /SPDX-License-Identifier: GPL-3.0-or-later/ { said[FILENAME] = 1 }
  { lines[FILENAME] = FNR }
  END {
    for (i = 1; i < ARGC; i++)
      {
        if (!said[ARGV[i]]) print ARGV[i] ": has no SPDX line"
        if (lines[ARGV[i]] > 450) print ARGV[i] ": " lines[ARGV[i]] " lines; split it by concern"
      }
  }' $sources)
[ -z "$found" ] || breach "$found"

# A folder that has more sources than that has more than one concern.
found=$(find src -name '*.[ch]' | sed 's|/[^/]*$||' | sort | uniq -c | awk '$1 > 40 { print $2 ": " $1 " sources; make rooms of it" }')
[ -z "$found" ] || breach "$found"

# A text for users is one literal: xgettext cuts it off at a macro that it doesn't know (those of inttypes.h it does). From
# the call to the statement's end.
found=$(find src -name '*.[ch]' -exec awk '
  FNR == 1 { text = 0 }
  /(^|[^A-Za-z_])(_|N_|C_|NC_|ngettext|g_dngettext) ?\(/ { text = 1 }
  text && /G_G[A-Z0-9]+_FORMAT|G_GINT64_MODIFIER/ { print FILENAME ":" FNR ":" $0 }
  /;[ \t]*(\/\*.*)?$/ { text = 0 }' {} +)
[ -z "$found" ] || breach "translators would see half of this text; use %lld, %llu or %zu with a cast:
$found"

# Every file with text for users is in POTFILES.in, and every file there exists.
listed=$(grep -v '^#' po/POTFILES.in)
found=$(grep -rlE --include='*.c' '(^|[^A-Za-z_])(_|N_|C_|NC_|ngettext) ?\(' src | grep -vxF -e "$listed" | sed 's|^|po/POTFILES.in: missing is |')
[ -z "$found" ] || breach "$found"
for file in $listed; do
  [ -f "$file" ] || breach "po/POTFILES.in: there is no $file"
done

exit "$status"
