# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that was computed is lost: what can't be saved is told before the first step, and what there is when all lanes
stop, or when a run is interrupted, is saved."""
import os
import re
import signal
import stat
import subprocess

from lockstep import PROGRAM, TINY, Case, load, main, run

CPU = ["--backends", "cpu", "--steps", "2"]
WILD = ["train", "--backends", "cpu", "--steps", "40", "--lr", "1e6"]
LARGE = "flatten, dense 65536, dense 256, dense 10"  # 272,903,808 bytes of weights
WRITERS = {
    "train": [[*TINY, *CPU], ["--save", "--save-initial", "--record", "--json"]],
    "plan": [TINY, ["--json"]],
    "compare": [[*TINY, "--backends", "cpu"], ["--json"]],
    "data": [["spiral"], ["--json"]],
    "devices": [[], ["--json"]],
    "hardware": [[], ["--json"]],
    "bench": [["--quick", "--backends", "cpu"], ["--json"]],
    "lab": [["batch", "--backends", "cpu", "--quick"], ["--json", "--csv", "--out"]],
    "claims": [[], ["--json", "--csv"]],
    "convert": [["int8", *TINY, "--steps", "2"], ["--json", "--csv"]],
    "machines": [["cpu", "--from", "recording"], ["--json", "--csv"]],
    "tune": [[], ["--json"]],
    "render": [["race", "--from", "recording"], ["--out"]],
    "export": [["recording"], ["--csv", "--perfetto"]],
}


class Targets(Case):
    def refuse(self, command, args, option, target, *words):
        if option == "--out":
            link = self.path("link.png")  # its ending is what --out looks at first
            if os.path.lexists(link):
                os.unlink(link)
            os.symlink(target, link)
            target = link
        before = sorted(os.listdir(self.folder))
        result = run(command, *args, option, target, timeout=20, cwd=self.folder)
        self.assertFails(result, 1, *words)
        self.assertEqual(result.stdout, "", f"{command} {option} {target} has begun")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_devices_pipes_and_folders_before_anything_is_done(self):
        os.mkfifo(self.path("fifo"))
        os.mkdir(self.path("folder"))
        for command, (args, options) in WRITERS.items():
            for option in options:
                for target in self.path("fifo"), "/dev/full", self.path("folder"):
                    with self.subTest(f"{command} {option} {target}"):
                        self.refuse(command, args, option, target, "a folder, a device or a pipe")
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("fifo")).st_mode))

    def test_folders_that_are_missing_or_take_nothing(self):
        for command, (args, options) in WRITERS.items():
            for option in options:
                for folder in self.path("missing"), "/proc/self":
                    with self.subTest(f"{command} {option} {folder}"):
                        result = run(command, *args, option, f"{folder}/x.png", timeout=20, cwd=self.folder)
                        self.assertFails(result, 1, folder)
                        self.assertEqual(result.stdout, "")

    def test_a_disk_that_is_full_by_the_end(self):
        """What the start couldn't foresee: the file can be made, and takes nothing."""
        run("train", *TINY, *CPU, "--record", self.path("recording"), check=True)
        slow = "bench", "lab", "claims", "convert", "tune"
        rows = [(command, args, option) for command, (args, options) in WRITERS.items() if command not in slow for option in options]
        for command, args, option in [*rows, ("plan", ["--cost"], "--json")]:
            with self.subTest(f"{command} {option}"):
                before = sorted(os.listdir(self.folder))
                result = run("-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh", PROGRAM, command, *args, option, "x.png",
                             program="/bin/sh", cwd=self.folder)
                self.assertFails(result, 1, "x.png")
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_what_is_saved_beside_is_tried_too(self):
        os.mkdir(self.path("w.last-finite"))
        self.assertFails(run("train", *TINY, *CPU, "--save", self.path("w")), 1, "w.last-finite")

    def test_one_file_for_two(self):
        for second in "x", "./x", f"../{os.path.basename(self.folder)}/x":
            result = run("train", *TINY, *CPU, "--save", "x", "--json", second, cwd=self.folder)
            self.assertFails(result, 2, "--save and --json", "same file")
        self.assertEqual(os.listdir(self.folder), [])

    def test_old_files_are_as_before_if_nothing_is_done(self):
        with open(self.path("w"), "w") as file:
            file.write("old")
        self.assertFails(run("train", "--backends", "cpu", "--data", "/nonexistent", "--save", self.path("w")), 2)
        with open(self.path("w")) as file:
            self.assertEqual(file.read(), "old")

    def test_weights_too_large_are_told_before_the_first_step(self):
        result = run("train", *CPU, "--model", LARGE, "--save", self.path("w"), timeout=60)
        self.assertFails(result, 1, "272903", "6 tensors are more than can be read back")
        self.assertEqual(result.stdout, "")

    def test_most_layers(self):
        model = "flatten, " + "dense 4, " * 62 + "dense 3"
        args = ["train", *CPU, "--data", "spiral", "--model", model]
        result = run(*args, "--save", self.path("w"))
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run(*args, "--load", self.path("w"))
        self.assertEqual(result.returncode, 0, result.stderr)


class AllLanesStop(Case):
    def run_wild(self, *args):
        result = run(*WILD, "--save", self.path("w"), "--record", self.path("r"), "--json", self.path("j"), *args)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("not a finite number at step 3", result.stderr)
        self.assertIn("All lanes have stopped; see above.", result.stderr)
        self.assertNotIn("nan", result.stdout)
        report = load(self.path("j"))
        self.assertEqual(report["lanes"]["cpu"]["state"], "failed")
        self.assertEqual(len(report["lanes"]["cpu"]["losses"]), 3)
        self.assertEqual(report["last_finite"]["file"], self.path("w.last-finite"))
        self.assertIn(f"after step {report['last_finite']['step']}.", result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["j", "r", "w.last-finite"])
        return report["last_finite"]["step"]

    def test_weights_of_the_last_check(self):
        self.assertEqual(self.run_wild("--check-every", "1"), 2)
        # they are those that a run which ends there has
        result = run(*WILD[:3], "--steps", "2", "--lr", "1e6", "--save", self.path("two"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("two"), "rb") as two, open(self.path("w.last-finite"), "rb") as last:
            self.assertEqual(two.read(), last.read())

    def test_initial_weights_before_the_first_check(self):
        self.assertEqual(self.run_wild(), 0)
        run("train", "--backends", "cpu", "--steps", "1", "--save-initial", self.path("initial"))
        with open(self.path("initial"), "rb") as first, open(self.path("w.last-finite"), "rb") as last:
            self.assertEqual(first.read(), last.read())

    def test_the_recording_has_the_losses(self):
        self.run_wild()
        for view in "race", "partition", "tiles", "timeline", "network", "curves", "roofline", "scaling", "crossover", "machines", "planner", "claims":
            result = run("render", view, "--from", self.path("r"), "--out", self.path("r.png"))
            self.assertEqual(result.returncode, 0, result.stderr)
        result = run("export", self.path("r"), "--csv", self.path("r.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_an_assumption_out_of_its_range_is_one_sentence(self):
        run("train", *TINY, *CPU, "--record", self.path("tiny"))
        for said, why in ("simt:units=0", "from 1 to 1024"), ("simt:unit=3", "no assumption “unit”"), ("simt", "simt:units=24"):
            result = run("render", "machines", "--from", self.path("tiny"), "--assume", said, "--out", self.path("never.png"))
            self.assertEqual(result.returncode, 2)
            self.assertIn(why, result.stderr)
            self.assertTrue(result.stderr.endswith(f", not “{said}”.\n"), result.stderr)
            self.assertNotRegex(result.stderr, r"\.[,)]")

    def test_moments_are_in_microseconds(self):
        """However long the machine took: after the end of the recorded step nothing moves any more, before it, it does."""
        run("train", "--backends", "cpu", "--steps", "2", "--record", self.path("m"))
        run("export", self.path("m"), "--perfetto", self.path("trace"))
        end_us = max(event["ts"] + event["dur"] for event in load(self.path("trace"))["traceEvents"] if "dur" in event)
        pictures = []
        for at in str(2 * end_us + 1000), str(end_us + 1), str(end_us / 2):
            result = run("render", "race", "--from", self.path("m"), "--at", at, "--out", self.path("moment.png"))
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(self.path("moment.png"), "rb") as file:
                pictures.append(file.read())
        self.assertEqual(pictures[0], pictures[1], f"the picture changes after the step's {end_us} µs")
        self.assertNotEqual(pictures[0], pictures[2], f"at half of the step's {end_us} µs all is done")

    def test_none_that_ever_trained(self):
        result = run("train", "--backends", "opencl", *TINY, "--save", self.path("w"), "--json", self.path("j"),
                     env={"OCL_ICD_VENDORS": "/nonexistent"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("No lane could train; see above.", result.stderr)
        self.assertEqual(load(self.path("j"))["lanes"]["opencl"]["state"], "failed")
        self.assertEqual(os.listdir(self.folder), ["j"])


class Interrupted(Case):
    """Before there is a recorded step: while the OpenCL lane builds its kernels, with nothing in the caches."""

    def check(self, number):
        cold = {name: self.path(name) for name in ("XDG_CACHE_HOME", "POCL_CACHE_DIR")}
        for folder in cold.values():
            os.mkdir(folder)
        child = subprocess.Popen([PROGRAM, "train", "--epochs", "1000", "--save", self.path("w"), "--record", self.path("r"),
                                  "--json", self.path("j")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, **cold})
        for line in child.stdout:
            if re.match("(CPU|OpenCL):", line):
                break
        child.send_signal(number)
        errors = child.communicate(timeout=100)[1]
        self.assertEqual(child.returncode, 130, errors)
        self.assertTrue(os.path.exists(self.path("w")), errors)
        self.assertGreaterEqual(load(self.path("j"))["target_steps"], 1000)
        if not os.path.exists(self.path("r")):
            self.assertIn("No step was recorded", errors)

    def test_ctrl_c(self):
        self.check(signal.SIGINT)

    def test_sigterm(self):
        self.check(signal.SIGTERM)


if __name__ == "__main__":
    main()
