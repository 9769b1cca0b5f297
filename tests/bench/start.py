#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a start takes until both lanes train: ./dev bench start [COMMIT] [--runs N] [--models mlp,cnn] [--json FILE].

Runs `lockstep train --steps 5` with empty caches and then with filled ones, in turn with the program as it was at COMMIT, which is
built in a folder of its own; medians, ratios pair by pair, and the load of the machine beside each. What a start needs of the
processor doesn't depend on what else is running, so that is printed, too.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BASE = "354ae0f"  # before lanes waited for each other and kernels were built side by side
PROGRAM = os.path.join("src", "lockstep")


def build_base(commit):
    """The program of that commit, built once in build-start/COMMIT."""
    folder = os.path.join(ROOT, "build-start", commit)
    source, build = os.path.join(folder, "source"), os.path.join(folder, "build")
    program = os.path.join(build, PROGRAM)
    if os.path.exists(program):
        return program
    os.makedirs(source, exist_ok=True)
    print(f"building {commit}; this takes a few minutes the first time", file=sys.stderr)
    archive = subprocess.run(["git", "-C", ROOT, "archive", commit], check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
    subprocess.run(["meson", "setup", build, source], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "--quiet", PROGRAM], check=True)
    return program


def start(program, model, cache):
    """Seconds by the clock and of the processor, of the program and its children."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = dict(os.environ, XDG_CACHE_HOME=cache)
    environment.pop("POCL_CACHE_DIR", None)
    run = subprocess.run([program, "train", "--model", model, "--steps", "5"], env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0 or "OpenCL" not in run.stdout.split("Lane", 1)[-1]:
        sys.exit(f"{program} train --model {model}: both lanes should train\n{run.stderr}{run.stdout}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(programs, model, runs):
    """Rows: kind of start → program → list of (wall, cpu, load)."""
    rows = {"cold": [[], []], "warm": [[], []]}
    for _ in range(runs):
        for which, program in enumerate(programs):
            cache = tempfile.mkdtemp(prefix="lockstep-start-")
            try:
                for kind in ("cold", "warm"):
                    load = os.getloadavg()[0]
                    rows[kind][which].append((*start(program, model, cache), load))
            finally:
                shutil.rmtree(cache, ignore_errors=True)
    return rows


def median(samples, column):
    return statistics.median(sample[column] for sample in samples)


def report(model, rows):
    result = {}
    for kind, (now, base) in rows.items():
        ratios = [a[0] / b[0] for a, b in zip(now, base)]
        result[kind] = {"now_s": median(now, 0), "base_s": median(base, 0), "ratio": statistics.median(ratios),
                        "ratio_least": min(ratios), "ratio_most": max(ratios), "now_cpu_s": median(now, 1),
                        "base_cpu_s": median(base, 1), "load": median(now + base, 2), "n": len(now)}
        r = result[kind]
        print(f"{model:4} {kind}: {r['now_s']:6.2f} s, was {r['base_s']:6.2f} s, ratio {r['ratio']:.2f} "
              f"[{r['ratio_least']:.2f} to {r['ratio_most']:.2f}]; processor {r['now_cpu_s']:.2f} s, was {r['base_cpu_s']:.2f} s; "
              f"n {r['n']}, load {r['load']:.1f}")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default=BASE)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", PROGRAM))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--models", default="mlp,cnn")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    programs = (arguments.program, build_base(arguments.commit))
    results = {model: report(model, measure(programs, model, arguments.runs)) for model in arguments.models.split(",")}
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"base": arguments.commit, "models": results}, file, indent=2)


if __name__ == "__main__":
    main()
