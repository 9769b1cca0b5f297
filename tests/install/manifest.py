# SPDX-License-Identifier: GPL-3.0-or-later
"""manifest.py FOLDER APP_ID: what flatpak-builder would only notice while it builds, or never: the manifests' names and
places, pinned sources, and what the sandbox lets in. With flatpak-builder there, it too reads them, without a word."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

folder, app_id = sys.argv[1:]
MUST = {"--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--device=dri",
        "--env=RUSTICL_ENABLE=iris,radeonsi,llvmpipe"}
EXTRA = {app_id: set(), app_id + ".Devel": {"--allow=devel"}}
problems = []


def check(condition, sentence):
    if not condition:
        problems.append(sentence)


def read(name):
    """A file of the folder; a name that stands twice in an object, of which JSON would keep the last, is a mistake."""
    def pairs(found):
        names = [key for key, _ in found]
        check(len(names) == len(set(names)), f"{name}: a name stands twice among {', '.join(names)}")
        return dict(found)
    with open(os.path.join(folder, name)) as file:
        return json.load(file, object_pairs_hook=pairs)


def modules(manifest):
    for module in manifest["modules"]:
        if isinstance(module, dict):
            yield "lockstep", module
        elif os.path.isfile(os.path.join(folder, module)):
            yield module, read(module)
        else:
            check(False, f"{manifest['id']}: there is no {module}")


def check_source(where, source):
    if source["type"] == "dir":
        path = os.path.join(folder, source["path"])
        check(os.path.isfile(os.path.join(path, "meson.build")), f"{where}: {source['path']} is not the source")
    else:
        check(source["type"] == "archive", f"{where}: a source of type {source['type']}")
        check(re.fullmatch("[0-9a-f]{64}", source.get("sha256", "")), f"{where}: a source without a sha256")


def check_manifest(name):
    manifest = read(name)
    given = set(manifest["finish-args"])
    wanted = MUST | EXTRA[name.removesuffix(".json")]
    check(name == manifest["id"] + ".json", f"{name}: the id is {manifest['id']}")
    check(manifest["runtime"] == "org.gnome.Platform" and manifest["sdk"] == "org.gnome.Sdk", f"{name}: another runtime")
    check(int(manifest["runtime-version"]) >= 50, f"{name}: GNOME {manifest['runtime-version']} isn't kept up any more")
    check(manifest["command"] == "lockstep", f"{name}: starts {manifest['command']}")
    for argument in sorted(given ^ wanted):
        check(False, f"{name}: {argument} is {'too much' if argument in given else 'missing'} in finish-args")
    for where, module in modules(manifest):
        for source in module["sources"]:
            check_source(f"{name}, {where}", source)
    return manifest["runtime-version"]


def check_with_builder(name):
    with tempfile.TemporaryDirectory() as empty:
        run = subprocess.run(["flatpak-builder", "--show-manifest", os.path.abspath(os.path.join(folder, name))],
                             capture_output=True, text=True, cwd=empty, check=False)
    check(run.returncode == 0 and not run.stderr, f"{name}: flatpak-builder says: {run.stderr.strip()}")


found = {name for name in os.listdir(folder) if name.startswith(app_id)}
check(found == {name + ".json" for name in EXTRA}, f"the manifests are {', '.join(sorted(found))}")
versions = {check_manifest(name) for name in sorted(found)}
check(len(versions) == 1, f"the manifests name different runtimes: {', '.join(sorted(versions))}")

# The substitute differs in where it comes from, and in nothing else.
real, debian = read("openblas.json"), read("openblas-debian.json")
check_source("openblas-debian.json", debian["sources"][0])
for module in (real, debian):
    del module["sources"], module["//why"]
check(real == debian, "openblas-debian.json builds otherwise than openblas.json")

if shutil.which("flatpak-builder"):
    for name in sorted(found):
        check_with_builder(name)
print("\n".join(problems))
sys.exit(bool(problems))
