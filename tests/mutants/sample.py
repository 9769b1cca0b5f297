#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sample.py [--share S] [--seed N] [--suite SUITE] [PATTERN]: how many of all mistakes that a machine can make in the sources the
tests notice, and which they don't. A share of them (of about 90,000) is planted in a copy of the last commit in build-sample, at once
(plant.py), and each test that comes by a mistake is run with it alone, the shortest first, for a few seconds. What survives is
listed: a change that nobody could see is among it, and what only longer tests or other suites notice. Needs Debian's python3-clang."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import plant

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FOLDER = os.path.join(ROOT, "build-sample")
SOURCES, BUILD, MET = (os.path.join(FOLDER, name) for name in ("sources", "sources/build", "met"))
# Not tried: the loops that compute, which would be other loops; they have tests that compare each with a plain one.
LEFT_OUT = r"backends/cpu/(gemm|loops|direct|vmath)|core/half"
TRIED_S = 5  # a mistake is tried for so long
LONG_S = 2.5  # tests that take longer are left out


def run(test, limit, **more):
    """Its exit status, or None after so many seconds."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        environment = {**os.environ, **test["env"], "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder, "TMPDIR": folder, **more}
        with subprocess.Popen(test["cmd"], cwd=test["workdir"] or BUILD, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return None


def meet(test):
    """Undisturbed: how long it takes, and which mistakes it comes by, if it passes."""
    folder = os.path.join(MET, test["name"])
    os.makedirs(folder)
    begin = time.monotonic()
    if run(test, 120, LS_MUTANTS_MET=folder) != 0:
        return
    test["takes"], test["met"] = time.monotonic() - begin, set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            test["met"].update(number for number, met in enumerate(file.read()) if met)


def judge(number, mutant, tests):
    mutant["met"] = mutant["spent"] = 0
    for test in tests:
        if number not in test["met"]:
            continue
        mutant["met"] += 1
        if mutant["spent"] < TRIED_S and test["takes"] < LONG_S:
            begin = time.monotonic()
            status = run(test, 5 * test["takes"] + 1.5, LS_MUTANT=str(number))
            mutant["spent"] += time.monotonic() - begin
            if status not in (0, 77):
                mutant["by"] = test["name"]
                return


def build(options):
    """The mutants, planted and compiled."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", ROOT, SOURCES], check=True)
    with open(os.path.join(FOLDER, "ls_mutant.c"), "w", encoding="utf-8") as file:
        file.write(plant.RUNTIME.format(1))  # so that what is linked is there when Meson tries the compiler
    compile_runtime = ["cc", "-O1", "-fPIC", "-c", "-o", f"{FOLDER}/ls_mutant.o", file.name]
    subprocess.run(compile_runtime, check=True)
    subprocess.run(["meson", "setup", BUILD, SOURCES], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, CFLAGS=f"-O1 -w -I{FOLDER}", LDFLAGS=f"{FOLDER}/ls_mutant.o"))
    targets = subprocess.run(["ninja", "-C", BUILD, "-t", "targets", "all"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["ninja", "-C", BUILD, *re.findall(r"^(\S+\.h): CUSTOM_COMMAND", targets, re.M)], check=True, stdout=sys.stderr)
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as commands:
        mutants = plant.plant(SOURCES, json.load(commands), re.compile(rf"^src/(?!.*({LEFT_OUT})).*({options.pattern})"), options.share,
                              options.seed)
    for name, text in ("ls_mutant.h", plant.HEADER), ("ls_mutant.c", plant.RUNTIME):
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text.format(len(mutants) or 1))
    subprocess.run(compile_runtime, check=True)
    subprocess.run(["ninja", "-C", BUILD], check=True, stdout=sys.stderr)
    return mutants


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.01, help="of all mistakes that can be made (0.01)")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--suite", default="unit", help="the tests that are to notice them (unit)")
    parser.add_argument("pattern", nargs="?", default="", help="of the files' names; all")
    options = parser.parse_args()

    mutants = build(options)
    listed = subprocess.run(["meson", "introspect", "--tests", BUILD], check=True, capture_output=True, text=True).stdout
    # golden pictures notice everything, and say nothing
    tests = [test for test in json.loads(listed) if f"lockstep:{options.suite}" in test["suite"] and "golden" not in test["name"]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(meet, tests))
        for test in tests:
            if "met" not in test:
                print(f"{test['name']} fails undisturbed, and is left out")
        tests = sorted((test for test in tests if "met" in test), key=lambda test: test["takes"])
        list(pool.map(lambda each: judge(*each, tests), enumerate(mutants)))

    folders = collections.defaultdict(lambda: [0, 0])
    for number, mutant in enumerate(mutants):
        folders[os.path.dirname(mutant["file"])]["by" not in mutant] += 1
        if "by" not in mutant:
            print(f"{mutant['file']}:{mutant['line']}: {mutant['kind']}, met by {mutant['met']}: {mutant['was'][:100]} => {mutant['is'][:100]}")
    for folder, (noticed, overlooked) in sorted(folders.items()):
        print(f"{folder}: {noticed} noticed, {overlooked} not")
    print(f"{sum('by' in mutant for mutant in mutants)} of {len(mutants)} noticed")


if __name__ == "__main__":
    main()
