# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of lanes: several of one backend, each with options of its own, in report, recording, picture and messages."""
import re

from lockstep import NO_OPENCL, TINY, Case, load, main, run

FOUR = "cpu(threads=1),cpu(policy=static,threads=2),slow=cpu(threads=1,fusion=off),reference"


class Lanes(Case):
    def train(self, *args, **kwargs):
        result = run("train", *TINY, "--steps", "30", *args, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_precision(self):
        report, recording = self.path("r.json"), self.path("two.lsrec")
        words = self.train("--lanes", "cpu,cpu(precision=bf16),half=cpu(precision=bf16,threads=1)", "--check-every", "10",
                           "--json", report, "--record", recording).stdout
        lanes, agreement = load(report)["lanes"], load(report)["agreement"]
        self.assertEqual([lane["lane"] for lane in lanes.values()],
                         ["cpu", "cpu(precision=bf16)", "cpu(threads=1,precision=bf16)"])
        self.assertNotEqual(lanes["cpu-2"]["losses"], lanes["cpu-1"]["losses"])
        self.assertEqual(lanes["cpu-2"]["losses"], lanes["half"]["losses"])
        for own, first in zip(lanes["cpu-2"]["losses"], lanes["cpu-1"]["losses"]):
            self.assertAlmostEqual(own, first, delta=0.05)
        self.assertTrue(agreement["precisions_differ"])
        self.assertFalse(agreement["disagree"])
        self.assertIn("CPU (bf16) ", words)
        self.assertIn("The lanes store numbers in different precisions: the losses of", words)
        result = run("render", "race", "--from", recording, "--out", self.path("race.svg"), "--left", "cpu-1", "--right", "cpu-2")
        self.assertEqual(result.returncode, 0, result.stderr)

        for precision in "bf16", "fp16":
            result = run("compare", *TINY, "--lanes", "cpu", "--precision", precision)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn(" 0 differ,", result.stdout)
        self.assertFails(run("train", *TINY, "--precision", "fp8"), 2, "--precision takes one of fp32, bf16, fp16, not “fp8”")

    def test_skipped(self):
        report = self.path("r.json")
        words = self.train("--lanes", "cpu(threads=1),cpu(threads=2),plain=cpu(precision=fp32)", "--precision", "fp16",
                           "--json", report).stdout
        self.assertIn("CPU (threads: 1): 0 of 30 steps skipped for overflowing gradients; the loss’s scale is 65536.", words)
        self.assertNotIn("plain: 0 of", words)
        lanes = load(report)["lanes"]
        self.assertEqual([(lane.get("skipped_steps"), lane.get("loss_scale")) for lane in lanes.values()],
                         [(0, 65536), (0, 65536), (None, None)])
        self.assertEqual(lanes["cpu-1"]["losses"], lanes["cpu-2"]["losses"])

    def test_four(self):
        report, recording = self.path("r.json"), self.path("four.lsrec")
        words = self.train("--lanes", FOUR, "--check-every", "10", "--json", report, "--record", recording).stdout
        lanes = load(report)["lanes"]
        self.assertEqual(list(lanes), ["cpu-1", "cpu-2", "slow", "reference"])
        self.assertEqual([lane["lane"] for lane in lanes.values()],
                         ["cpu(threads=1)", "cpu(threads=2,policy=static)", "cpu(threads=1,fusion=off)", "reference"])
        for lane in lanes.values():
            self.assertEqual(len(lane["losses"]), 30)
            for own, first in zip(lane["losses"], lanes["cpu-1"]["losses"]):
                self.assertAlmostEqual(own, first, delta=1e-3)
        self.assertEqual([lane["device"].get("threads") for lane in lanes.values()][:3], [1, 2, 1])
        agreement = load(report)["agreement"]
        self.assertEqual(agreement["losses_compared"], 90)  # each but the first against another
        self.assertLess(agreement["loss_delta_max"], 1e-3)
        self.assertIn("The losses of 30 steps ", words.replace("the losses", "The losses"))  # not of 90
        for title in "CPU (threads: 1) ", "CPU (threads: 2, static) ", "CPU (slow) ", "Reference ":
            self.assertIn(title, words)

        for left, right in ("cpu-1", "cpu-2"), ("slow", "reference"), ("reference", "cpu-1"):
            for view in "race", "curves":
                picture = self.path(f"{view}-{left}.svg")
                result = run("render", view, "--from", recording, "--out", picture, "--left", left, "--right", right)
                self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFails(run("render", "race", "--from", recording, "--out", self.path("x.png"), "--left", "fast"), 2)
        result = run("render", "race", "--from", recording, "--out", self.path("x.png"), "--left", "slow", "--right", "slow")
        self.assertFails(result, 2)
        csv = self.path("events.csv")
        self.assertEqual(run("export", recording, "--csv", csv).returncode, 0)
        with open(csv) as file:
            names = {line.strip().split(",")[-1] for line in file.readlines()[1:]}
        self.assertEqual(names, {"cpu-1", "cpu-2", "slow", "reference"})

    def test_same_twice(self):
        report = self.path("r.json")
        self.train("--backends", "cpu,cpu", "--json", report)
        lanes = load(report)["lanes"]
        self.assertEqual(list(lanes), ["cpu-1", "cpu-2"])
        self.assertEqual(lanes["cpu-1"]["losses"], lanes["cpu-2"]["losses"])

    def test_cpu_kernels(self):
        """A rung each: the same losses, and every lane tells what it computes with, in its recording's picture, too."""
        report, recording, picture = self.path("r.json"), self.path("rungs.lsrec"), self.path("race.svg")
        words = self.train("--lanes", "cpu(cpu-kernels=naive,threads=1),cpu(cpu-kernels=scalar),cpu(cpu-kernels=vector)",
                           "--json", report, "--record", recording).stdout
        lanes = load(report)["lanes"].values()
        self.assertEqual([lane["lane"] for lane in lanes],
                         ["cpu(threads=1,cpu-kernels=naive)", "cpu(cpu-kernels=scalar)", "cpu(cpu-kernels=vector)"])
        self.assertEqual([lane["device"]["driver"] for lane in lanes], ["naive loops", "scalar loops", "own loops"])
        self.assertEqual(len({tuple(lane["losses"]) for lane in lanes}), 1)
        self.assertIn("(!) CPU (threads: 1, naive loops) and CPU (vector loops) aren’t compared fairly:\n", words)
        self.assertIn("    Kernels: The CPU (threads: 1, naive loops) lane computes with naive loops, one number at a time.\n", words)
        pair = load(report)["fairness"][1]
        self.assertEqual((pair["first"], pair["second"], pair["unfair"]), ("cpu-1", "cpu-3", True))
        self.assertEqual([pair["lines"][name]["state"] for name in ("kernels", "batch", "warm-up")], ["unfair", "fair", "fair"])
        result = run("render", "race", "--from", recording, "--out", picture, "--left", "cpu-1", "--right", "cpu-2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFails(run("train", *TINY, "--cpu-kernels", "fast"), 2)

    def test_one_without_device(self):
        """One clear sentence; the others go on."""
        report = self.path("r.json")
        result = self.train("--lanes", "cpu(threads=1),opencl:77,cpu(threads=2)", "--json", report, env=NO_OPENCL)
        self.assertEqual(len(re.findall("lane is parked", result.stderr)), 1, result.stderr)
        lanes = load(report)["lanes"]
        self.assertEqual([lane["state"] for lane in lanes.values()], ["ready", "failed", "ready"])
        self.assertEqual([len(lanes[name]["losses"]) for name in ("cpu-1", "cpu-2")], [30, 30])

    def test_wrong(self):
        """The word and its place."""
        for lanes, words in (
            ("cpu,gpu", "character 5: there is no backend “gpu”"),
            ("cpu(threads=1),cpu(thread=2)", "character 20: lanes have no option “thread”"),
            ("cpu(batch=8)", "character 5: “batch” is the same for all lanes"),
            ("cpu(threads=1", "character 4: the bracket isn’t closed"),
            ("cpu," * 8 + "cpu", "character 33: “cpu” is one too many; at most 8 lanes"),
            ("cpu(threads=999)", "character 5: --threads takes a whole number"),
        ):
            result = run("train", *TINY, "--steps", "1", "--lanes", lanes)
            self.assertFails(result, 2, words)

    def test_plan(self):
        path = self.path("plan.json")
        result = run("plan", "--model", "flatten, dense 512, relu, dense 3", "--data", "spiral", "--batch", "128",
                     "--lanes", "cpu(tiles=1),cpu(tiles=8)", "--json", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        lanes = load(path)["lanes"]
        self.assertEqual(list(lanes), ["cpu-1", "cpu-2"])
        grids = [max(tiling["grid_rows"] * tiling["grid_cols"] for tiling in lane["tilings"]) for lane in lanes.values()]
        self.assertLess(grids[0], grids[1])


if __name__ == "__main__":
    main()
