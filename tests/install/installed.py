# SPDX-License-Identifier: GPL-3.0-or-later
"""installed.py BUILD PREFIX [PARTS]: an install below DESTDIR puts exactly the files there that installed.txt lists (and the
translations of po/LINGUAS), each once. A line of the list is `PART PATH`; PARTS are those that this build has besides "all"."""
import collections
import json
import os
import subprocess
import sys
import tempfile

build, prefix, *parts = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))


def lines(path):
    with open(path) as file:
        return [line for line in file.read().splitlines() if line and not line.startswith("#")]


expected = {path for part, path in (line.split() for line in lines(os.path.join(here, "installed.txt")))
            if part == "all" or part in parts}
for language in lines(os.path.join(here, "..", "..", "po", "LINGUAS")):
    expected.add(f"share/locale/{language}/LC_MESSAGES/lockstep.mo")

meson = os.environ.get("MESON", "meson")
plan = json.loads(subprocess.check_output([meson, "introspect", "--installed", build]))
twice = [path for path, n in collections.Counter(plan.values()).items() if n > 1]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([meson, "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", folder], check=True)
    base = os.path.join(folder, prefix.lstrip("/"))
    found = {os.path.relpath(os.path.join(where, name), base) for where, _, names in os.walk(folder) for name in names}

for path in twice:
    print(f"{path} is installed twice")
for path in sorted(expected - found):
    print(f"{path} is in installed.txt, but not installed")
for path in sorted(found - expected):
    print(f"{path} is installed, but not in installed.txt")
sys.exit(bool(twice or expected != found))
