# SPDX-License-Identifier: GPL-3.0-or-later
"""The program under faults, from end to end: one training on both lanes, saved, recorded and reported, while one call of it or of
its children fails, hangs, or ends it; or while a signal comes.

Whatever happens: each of its files is absent, the old one, or a whole new one that the program reads back; nothing is left beside,
no process either; the exit status is that which README promises, with a sentence where something failed; what the lane without
the fault computed is what it computes undisturbed, bit for bit; and what is left in the caches does no harm to the next run.

    run.py --sample             one case of each kind, always the same, and those that found something once
    run.py [--seconds 600]      as many as there is time for, the quick ones first; --seed: those of an earlier time;
                                --kinds opencl-hang,file-kill: only these
    run.py --case KIND:WHERE:N  one case, and what the program said

LOCKSTEP, LS_CLFAULT_PATH and LS_SYSFAULT_PATH name the program and the libraries.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import cases

PROGRAM = os.environ["LOCKSTEP"]
LIBRARIES = [os.environ["LS_SYSFAULT_PATH"], os.environ["LS_CLFAULT_PATH"]]
TRAIN = ["train", "--data", "xor", "--model", "flatten, dense 8, tanh, dense 2", "--batch", "64", "--steps", "60"]
OUTPUTS = {"--save": "w", "--record": "r", "--json": "j"}
MARK = "LS_FAULT_CASE"  # in the environment of all processes of a case
HANG_S = 55  # after 4 s without an answer a lane is given up; one that builds has a minute for each kernel
LONGEST_S = 300  # a case that takes longer hangs; all kernels may have to be compiled
SAMPLE, SAMPLE_SEED = 1, 18  # of each kind
BESIDE = re.compile(r"\.(writable-)?[A-Za-z0-9]{6}$")  # what a file is called until it is whole
UNSOUND = re.compile(r"CRITICAL|Assertion|\*\*|terminate called|stack smashing|double free|corrupted")


class Wrong(Exception):
    pass


def expect(true, *words):
    if not true:
        raise Wrong(" ".join(map(str, words)))


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Place:
    """A folder with all that the program writes: outputs, caches, data, temporary files."""

    def __init__(self, folder, warm=None):
        self.folder, self.out = folder, os.path.join(folder, "out")
        if warm is not None:
            shutil.copytree(os.path.join(warm.folder, "cache"), os.path.join(folder, "cache"))
        for name in "out", "home", "tmp", "cache":
            os.makedirs(os.path.join(folder, name), exist_ok=True)

    def forget_kernels(self, chance):
        """Some have to be compiled anew, so that a driver writes to its cache."""
        found = sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.path("cache")) for name in names
                       if name.endswith(".so"))
        for path in chance.sample(found, min(3, len(found))):
            os.unlink(path)

    def train(self):
        """With whole paths: what is relative isn't seen to be under the folder."""
        return [*TRAIN, *(word for option, name in OUTPUTS.items() for word in (option, os.path.join(self.out, name)))]

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def environment(self, env):
        kept = {name: value for name, value in os.environ.items()
                if name in ("PATH", "OCL_ICD_VENDORS", "G_DEBUG", "LOCKSTEP_DATA_DIR")}
        own = {"HOME": self.path("home"), "TMPDIR": self.path("tmp"), "LC_ALL": "C.UTF-8", MARK: self.folder}
        return {**kept, **own, **{f"XDG_{name.upper()}_HOME": self.path(name) for name in ("cache", "config", "data")}, **env}

    def run(self, args, env=None, send=None):
        """The program's end: its status, what it said, the seconds it took. send: (signal, after so many seconds)."""
        began = time.monotonic()
        process = subprocess.Popen([PROGRAM, *args], cwd=self.out, env=self.environment(env or {}), text=True, errors="replace",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if send is not None:
            threading.Timer(send[1], process.send_signal, [send[0]]).start()
        try:
            out, err = process.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.end_processes()
            raise Wrong(f"it had not ended after {LONGEST_S} s") from None
        return End(process.returncode, out, err, time.monotonic() - began)

    def processes(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if f"{MARK}={self.folder}".encode() in read(f"/proc/{pid}/environ").split(b"\0"):
                    found.append(int(pid))
            except OSError:  # gone, or somebody else's
                pass
        return found

    def end_processes(self):
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)

    def beside(self):
        """Files that were to become others."""
        found = []
        for folder, _, names in os.walk(self.folder):
            parts = os.path.relpath(folder, self.folder).split(os.sep)
            foreign = parts[0] == "cache" and len(parts) > 3 and parts[3] != "lockstep"  # a driver's own
            if not foreign and parts[0] != "tmp":
                found += [os.path.join(*parts, name) for name in names if BESIDE.search(name)]
        return found + [os.path.join("tmp", name) for name in os.listdir(self.path("tmp"))]


End = collections.namedtuple("End", "status out err seconds")


class Undisturbed:
    """What comes of a run without faults, and which calls it makes."""

    def __init__(self, keep):
        shutil.rmtree(os.path.join(keep, "out"), ignore_errors=True)
        self.place = Place(keep)
        end = self.place.run(self.place.train())
        expect(end.status == 0, "the undisturbed run failed:", end.err)
        for name in *OUTPUTS.values(), "../log":
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        log = self.place.path("log")
        end = self.place.run(self.place.train(), {"LD_PRELOAD": " ".join(LIBRARIES), "LS_FAULT_LOG": log,
                                                "LS_FAULT_UNDER": self.place.folder})
        expect(end.status == 0, "the run that is listened to failed:", end.err)
        self.seconds = end.seconds
        self.report = json.loads(read(self.path("j")))
        self.losses = {name: lane["losses"] for name, lane in self.report["lanes"].items()}
        self.weights = {"cpu": read(self.path("w")), "opencl": self.weights_of("opencl")}
        self.calls = []
        for line in read(log).decode().splitlines():
            where, group, number, call, path = line.split(" ")[:5]
            self.calls.append(cases.Call(where, group, int(number), call, path))
        self.building = cases.building_calls(self.calls)
        self.both = "opencl" in self.losses and self.report["lanes"]["opencl"]["state"] == "ready"

    def weights_of(self, lane):
        """Alone: each lane computes the same whoever is beside it."""
        end = self.place.run([*TRAIN, "--backends", lane, "--save", self.path("alone")])
        expect(end.status == 0, f"the undisturbed run of {lane} failed:", end.err)
        return read(self.path("alone"))

    def weights_after(self, case):
        """Those of the first lane, or of the other where that one may have stopped."""
        return self.weights.values() if case.may_stop_cpu else [self.weights["cpu"]]

    def path(self, name):
        return os.path.join(self.place.out, name)


# ---- what must hold ----

def check_outputs(place, old, undisturbed, case):
    """Which of the outputs are new; each is absent, as it was, or whole, and there are no others."""
    new = set()
    for name in OUTPUTS.values():
        path = os.path.join(place.out, name)
        if not os.path.exists(path):
            expect(name not in old, name, "was there and is gone")
            continue
        content = read(path)
        if content == old.get(name):
            continue
        new.add(name)
        if name == "j":
            try:
                check_report(json.loads(content), undisturbed, case)
            except (ValueError, KeyError) as error:
                raise Wrong(f"the report can't be read back: {type(error).__name__}, {len(content)} bytes") from None
        elif name == "w" and content not in undisturbed.weights_after(case):
            expect(case.signal, "the weights are not those of the undisturbed run")
            end = place.run(["train", *TRAIN[1:-1], "1", "--backends", "cpu", "--load", path])
            expect(end.status == 0, "the weights can't be read back:", end.err)
        elif name == "r":
            end = place.run(["export", path, "--csv", place.path("home", "r.csv")])
            expect(end.status == 0, "the recording can't be read back:", end.err)
    extra = {name for name in os.listdir(place.out) if not BESIDE.search(name)} - set(OUTPUTS.values())
    extra -= {"w.last-finite"} if case.may_stop_cpu else set()
    expect(not extra, "nobody asked for", sorted(extra))
    return new


def check_report(report, undisturbed, case):
    lanes = report["lanes"]
    cpu = lanes["cpu"]
    if not case.may_stop_cpu:
        expect(cpu["state"] == undisturbed.report["lanes"]["cpu"]["state"], "the CPU lane is", cpu["state"], cpu["message"])
        expect(case.signal or len(cpu["losses"]) == len(undisturbed.losses["cpu"]), "the CPU lane did", len(cpu["losses"]), "steps")
    for name, lane in lanes.items():
        losses = lane["losses"]
        expect(losses == undisturbed.losses[name][:len(losses)], f"the losses of {name} are not those of the undisturbed run")
        expect(lane["state"] != "failed" or lane["message"], f"{name} failed, and nothing says why")


def check_end(place, end, new, case, struck):
    if case.killed:
        done = end.status == 0 and len(new) == len(OUTPUTS) and not struck  # it was faster
        expect(end.status == -signal.SIGKILL or done, "exit status", end.status, "with", sorted(new))
        return
    expect(not UNSOUND.search(end.err), "it isn't sound:", end.err)
    if case.signal:
        # before training is set up, nothing has been done, and the signal does what signals do
        done = end.status in (0, 130) or (end.status == -case.signal and not new)
        expect(done, "exit status", end.status, "with", sorted(new))
        expect(end.status != 0 or len(new) == len(OUTPUTS), "done, but only", sorted(new), "are there")
        return
    expect(end.status in (0, 1), "exit status", end.status)
    if end.status == 0:
        expect(len(new) == len(OUTPUTS), "status 0, but only", sorted(new), "are new")
    else:
        expect(re.search(r"^lockstep.*[.!?)]$", end.err, re.M), "status 1 without a sentence:", end.err)
        expect(len(new) < len(OUTPUTS) or not harmless(case, struck), "status 1, though all was saved:", end.err)
        expect(not harmless(case, struck), "status 1, though nothing that was asked for can't be had:", end.err)
    if "j" in new:
        tell_of_lanes(place, end)


def tell_of_lanes(place, end):
    """What a lane failed of isn't told in the report alone."""
    for lane in json.loads(read(os.path.join(place.out, "j")))["lanes"].values():
        if lane["state"] == "failed":
            expect(lane["message"][:40] in end.err + end.out, "it doesn't say that a lane failed:", lane["message"])


def harmless(case, struck):
    """All that was asked for can be done: the other lane is whole, or only caches suffer."""
    if case.kind.startswith("opencl") or case.where != "program" or case.mends:
        return True
    return case.kind.startswith("file") and not any(path.startswith("/out") for path in struck)


def check_again(place, undisturbed):
    """With the caches as the fault left them."""
    end = place.run([*TRAIN, "--json", "again"])
    expect(end.status == 0, "the next run failed:", end.status, end.err)
    report = json.loads(read(os.path.join(place.out, "again")))
    for name, lane in report["lanes"].items():
        expect(lane["losses"] == undisturbed.losses[name], f"in the next run {name} is {lane['state']}:", lane["message"])


def struck_paths(log):
    if not os.path.exists(log):
        return []
    return [line.split(" ")[4] for line in read(log).decode(errors="replace").splitlines() if line.endswith(" !")]


def try_case(case, undisturbed, keep=None):
    """What is wrong, or None; and the seconds that the disturbed run took."""
    folder = tempfile.mkdtemp(prefix="lockstep-fault-")
    place, old, end = Place(folder, undisturbed.place), {}, None
    try:
        if case.chance & 16:
            for name in OUTPUTS.values():
                old[name] = b"an old file: " + name.encode()
                with open(os.path.join(place.out, name), "wb") as file:
                    file.write(old[name])
        if case.kind == "compile-kill":
            place.forget_kernels(random.Random(case.chance))
        log = place.path("log")
        env = {} if case.signal else {"LD_PRELOAD": " ".join(LIBRARIES), "LS_FAULT_UNDER": folder, "LS_FAULT_LOG": log}
        end = place.run(place.train(), {**env, **case.environment()}, case.when(undisturbed.seconds))
        struck = struck_paths(log)
        for _ in range(40):
            left = place.processes()
            if not left:
                break
            time.sleep(0.05)
        expect(not left, "processes are left:", left)
        if case.kind == "opencl-hang" and case.where == "serve" and case.number not in undisturbed.building:
            expect(end.seconds < HANG_S, f"it waited {end.seconds:.0f} s for a lane that hangs, as if it were building kernels")
        new = check_outputs(place, old, undisturbed, case)
        check_end(place, end, new, case, struck)
        beside = place.beside()
        # a child that is ended can't clear up; the next run may find what it was at
        expect(not beside or case.killed or case.kind in ("file-kill", "opencl-hang", "opencl-crash") or removal_failed(log),
               "left over:", beside)
        if case.leaves:
            check_again(place, undisturbed)
        return None, end.seconds
    except Wrong as wrong:
        return str(wrong), end.seconds if end else LONGEST_S
    except (OSError, ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}", end.seconds if end else LONGEST_S
    finally:
        place.end_processes()
        if keep is not None and end is not None:
            print(end.out, end.err, f"exit status {end.status}, {end.seconds:.1f} s; struck: {struck_paths(place.path('log'))}; {folder}",
                  sep="\n")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def removal_failed(log):
    return any(re.search(r" file \d+ unlink .* !$", line) for line in read(log).decode(errors="replace").splitlines()) \
        if os.path.exists(log) else False


# ---- how many ----

def run_all(chosen, undisturbed, seconds, jobs):
    counts, failures, slowest = collections.Counter(), collections.defaultdict(list), {}
    until, lock, queue = time.monotonic() + seconds, threading.Lock(), iter(cases.in_turn(chosen.values()))

    def work():
        while time.monotonic() < until:
            with lock:
                case = next(queue, None)
            if case is None:
                return
            wrong, took = try_case(case, undisturbed)
            with lock:
                counts[case.kind] += 1
                slowest[case.kind] = max(slowest.get(case.kind, (0, "")), (took, str(case)))
                if wrong:
                    failures[case.kind].append(case)
                    print(f"{case}: {wrong.strip()[:2000]}\n  again: {os.path.relpath(__file__)} --case {case}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(work) for _ in range(jobs)]:
            future.result()
    for kind, some in chosen.items():
        print(f"{kind:16} {counts[kind]:5} of {len(some):5} cases, {len(failures[kind])} failures",
              "; slowest: {1}, {0:.1f} s".format(*slowest[kind]) if counts[kind] else "", sep="")
    return sum(map(len, failures.values()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--case", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="a folder for the warm caches, for the next time")
    args = parser.parse_args()
    own = None if args.keep else tempfile.mkdtemp(prefix="lockstep-faults-")
    try:
        undisturbed = Undisturbed(os.path.abspath(args.keep or own))
        if not undisturbed.both:
            print("skipped: there is no OpenCL device")
            return 77
        if args.case:
            wrong = [try_case(cases.Case.read(text), undisturbed, keep=True)[0] for text in args.case]
            print(*[f"{text}: {what or 'as promised'}" for text, what in zip(args.case, wrong)], sep="\n")
            return int(any(wrong))
        seed = SAMPLE_SEED if args.sample else random.randrange(1 << 30) if args.seed is None else args.seed
        chosen = {kind: quick[:SAMPLE] if args.sample else quick + slow
                  for kind, (quick, slow) in cases.all_cases(undisturbed.calls, random.Random(seed)).items()}
        for case in cases.found_cases(undisturbed.calls):
            chosen[case.kind].insert(0, case)
        if args.kinds:
            chosen = {kind: some for kind, some in chosen.items() if kind in args.kinds.split(",")}
        print(f"seed {seed}; a run takes {undisturbed.seconds:.1f} s; {sum(map(len, chosen.values()))} cases", flush=True)
        return int(run_all(chosen, undisturbed, 1e9 if args.sample else args.seconds, args.jobs) > 0)
    finally:
        if own:
            shutil.rmtree(own, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
