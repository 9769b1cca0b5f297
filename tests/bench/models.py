#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the model of a processor is from the CPU lane: ./dev bench models [--models mlp,cnn] [--batches 16,64] [--rounds N] [--json FILE].

Each round trains 300 steps on the CPU lane, measures the processor's roofs, and holds the model's step against the median one:
`lockstep machines cpu`. The median of the rounds' errors, the smallest and the largest; 25 % is what is asked for.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST = 0.25


def one(program, model, batch, folder):
    """Seconds of the lane's median step, of the model's, and the spread of the former."""
    path = os.path.join(folder, "machines.json")
    subprocess.run([program, "machines", "cpu", "--model", model, "--batch", str(batch), "--lanes", "cpu", "--json", path], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as stream:
        result = json.load(stream)
    step = result["lanes"][0]["step"]
    return step["median"], result["machines"][0]["seconds"], (step["q3"] - step["q1"]) / 2 / step["median"]


def main():
    parser = argparse.ArgumentParser(prog="./dev bench models", description=__doc__.split("\n\n")[0])
    parser.add_argument("--models", default="mlp,cnn")
    parser.add_argument("--batches", default="16,32,64,128,256,512")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    program, rows = os.path.join(ROOT, "build", "src", "lockstep"), []
    print(f"{'network':8} {'batch':>5} {'measured':>10} {'modelled':>10} {'error':>7}   of {arguments.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models.split(","):
            for batch in map(int, arguments.batches.split(",")):
                rounds = [one(program, model, batch, folder) for _ in range(arguments.rounds)]
                errors = sorted(modelled / measured - 1 for measured, modelled, _ in rounds)
                row = {"model": model, "batch": batch, "measured": statistics.median(r[0] for r in rounds),
                       "modelled": statistics.median(r[1] for r in rounds), "error": statistics.median(errors), "errors": errors,
                       "spread": statistics.median(r[2] for r in rounds)}
                rows.append(row)
                print(f"{model:8} {batch:5} {row['measured'] * 1e6:7.0f} µs {row['modelled'] * 1e6:7.0f} µs {row['error'] * 100:+6.0f} %"
                      f"   {errors[0] * 100:+.0f} … {errors[-1] * 100:+.0f} %{'' if abs(row['error']) <= MOST else ': more than 25 %'}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as stream:
            json.dump({"format": "lockstep-models", "version": 1, "rows": rows}, stream, indent=1)
    return 0 if all(abs(row["error"]) <= MOST for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
