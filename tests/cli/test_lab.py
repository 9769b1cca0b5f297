# SPDX-License-Identifier: GPL-3.0-or-later
"""`lockstep lab`: that experiments measure, go on after a kill, take any lanes, and refuse what makes no sense. No times."""
import json
import re
import resource
import signal
import time

from experiment import SHORT, LabCase
from lockstep import NO_OPENCL, TINY, main, run, table


class Lab(LabCase):
    def test_threads(self):
        result = self.lab("threads", *SHORT, "--csv", self.path("s.csv"), "--json", self.path("s.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("OpenCL lane is missing", result.stderr)
        self.assertRegex(result.stdout, r"(?m)^ +1 +[\d.]+ \[.+\] +–$")
        rows = self.points(self.path("s.csv"))
        self.assertEqual({row["experiment"] for row in rows}, {"threads"})
        self.assertEqual([int(row["x"]) for row in rows][0], 1)
        for row in rows:
            self.assertEqual(row["lane"], "cpu")
            self.assertLessEqual(float(row["q1"]), float(row["rate"]))
            self.assertGreaterEqual(float(row["q3"]), float(row["rate"]))
        shown = [cells for cells in table(result.stdout, "threads +CPU") if cells[0].isdigit()]
        self.assertEqual([cells[0] for cells in shown], [row["x"] for row in rows])
        for cells, row in zip(shown, rows):
            self.assertShows(cells[1], f"the rate at {row['x']}", *(float(row[name]) for name in ("rate", "q1", "q3")))
        with open(self.path("s.json")) as file:
            results = json.load(file)["results"]
        self.assertEqual([r["experiment"] for r in results], ["threads"])
        self.assertEqual(len(self.kept()), 1)
        self.assertNotIn(".part", self.kept()[0])
        # what is kept is shown again, to the last digit, and listed
        again = self.lab("threads", "--kept", "--csv", self.path("again.csv"))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.points(self.path("again.csv")), rows)
        self.assertRegex(self.lab("list").stdout, r"(?m)^threads .* \d{4}-\d\d-\d\d, \d+ sizes$")
        # other lanes: nothing is kept of those
        self.assertFails(self.lab("threads", "--kept", "--lanes", "cpu"), 1, "lab threads")

    def test_picture(self):
        if "--out" not in run("lab", "--help").stdout:
            self.skipTest("built without pictures")
        result = self.lab("events,threads", *SHORT, "--out", self.path("s.svg"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("samples/s of recorded steps", result.stdout)
        with open(self.path("s.svg")) as file:
            self.assertIn("<svg", file.read(400))
        self.assertFails(self.lab("events", "--out", self.path("s.txt")), 2, ".png")

    def test_any_lanes(self):
        """Two schedules and a reference: each by its id, each in its column."""
        result = self.lab("threads", *SHORT, "--lanes", "steal=cpu,cpu(policy=static),reference", "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"CPU \(steal\) +CPU \(static\) +Reference")
        lanes = {row["lane"] for row in self.points(self.path("s.csv"))}
        self.assertEqual(lanes, {"steal", "cpu-2", "reference"})

    def test_killed(self):
        """Killed at several moments, it goes on where it was, and nothing that was measured is measured again."""
        line = ["events", "--quick", "--seconds", "2", "--lanes", "cpu"]
        measured, seen = [], []
        for n in (1, 3, 2):
            process = self.start(*line)
            before = len(measured)
            for text in process.stdout:
                seen.append(text)
                if " of 11: events " in text:
                    measured.append(text.split(": ")[1].split(";")[0])
                    if len(measured) == before + n + 1:
                        time.sleep(.05)  # somewhere in the measurement of a size
                        process.send_signal(signal.SIGKILL)
                        break
            process.stdout.close()
            process.wait()
            measured.pop()  # that one wasn't finished
            self.assertEqual(len(self.kept()), 1, seen)
            self.assertIn(".part", self.kept()[0])
            with open(self.path("lockstep", "lab", self.kept()[0])) as file:
                kept = json.load(file)
            self.assertEqual(["events %d" % x for x in kept["tried"]], measured)
        self.assertIn("broken off: 6 of 11 sizes", self.lab("list", "--lanes", "cpu").stdout)
        result = self.lab(*line, "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("6 of 11 sizes are there", result.stdout)
        self.assertEqual(result.stdout.count(" of 11: "), 5)
        self.assertNotIn(".part", self.kept()[0])
        xs = [float(row["x"]) for row in self.points(self.path("s.csv"))]
        self.assertEqual(xs, sorted(set(xs)))
        # for another time, or anew: from the first size, and what was broken off stays
        self.kill_at("3 of 11", *line)
        result = self.lab("events", "--quick", "--seconds", "1", "--lanes", "cpu")
        self.assertEqual(result.stdout.count(" of 11: "), 11)
        self.assertEqual(self.lab(*line).stdout.count(" of 11: "), 9)
        self.assertEqual(self.lab(*line, "--anew").stdout.count(" of 11: "), 11)

    def test_each_killed(self):
        """Killed in the third size, the first two are kept, whatever is measured, and it goes on from there."""
        for name, n in ("size", 7), ("tiles", 9), ("flight", 11), ("flight-compute", 11):
            with self.subTest(name=name):
                line = [name, "--quick", "--seconds", "1", "--lanes", "cpu"]
                self.kill_at("3 of", *line)
                part = [kept for kept in self.kept() if kept.startswith(name + "-") and ".part" in kept]
                self.assertEqual(len(part), 1)
                with open(self.path("lockstep", "lab", part[0])) as file:
                    kept = json.load(file)
                self.assertEqual(len(kept["tried"]), 2)
                self.assertEqual(len(kept["lanes"][0]["points"]), 2)
                result = self.lab(*line, "--csv", self.path("s.csv"))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout.count(" of %d: " % n), n - 2)
                self.assertEqual(len(self.points(self.path("s.csv"))), n)

    def test_map(self):
        """Two sizes: killed in the fifth spot it goes on there; the table has a cell for each that was measured, in the lanes' words."""
        line = ["crossover", "--quick", "--seconds", "1", "--lanes", "cpu(threads=1),reference", "--model", "flatten, dense 16, relu, dense 10",
                "--batch", "24"]
        self.kill_at("5 of", *line)
        with open(self.path("lockstep", "lab", self.kept()[0])) as file:
            flat = json.load(file)["tried"]
        tried = list(zip(flat[::2], flat[1::2]))
        self.assertGreaterEqual(len(tried), 4)
        self.assertIn((24, 16), tried)  # the network's own spot is among the first
        result = self.lab(*line, "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r": %d of \d+ sizes are there" % len(tried))
        rows = self.points(self.path("s.csv"))
        rates = {(row["lane"], int(row["x"]), int(row["y"])): [float(row[name]) for name in ("rate", "q1", "q3")] for row in rows}
        spots = {spot[1:] for spot in rates}

        def times(spot):
            """How many times as fast the first lane is there; None: less than 5 %, or their quartiles overlap."""
            (a, a1, a3), (b, b1, b3) = rates[("cpu", *spot)], rates[("reference", *spot)]
            return None if 1 / 1.05 < a / b < 1.05 or (a1 <= b3 and b1 <= a3) else a / b

        self.assertLessEqual(set(tried), spots)
        self.assertGreater(len(spots), len(tried))
        # the map: a row per width that was tried, the widest first, a column per batch
        self.assertRegex(result.stdout, r"Crossover: who is faster, how many times: ◂ CPU \(threads: 1\), ▸ Reference; rows: units of")
        table = re.search(r"(?m)^ *width ╲ batch.*\n(?: *\d+ .*\n)+", result.stdout).group().splitlines()
        batches = [int(x) for x in table[0].split("batch")[1].split()]
        self.assertEqual(batches, sorted({x for x, y in spots}))
        widths = [int(row.split()[0]) for row in table[1:]]
        self.assertEqual(widths, sorted({y for x, y in spots}, reverse=True))
        for width, row in zip(widths, table[1:]):
            for batch, cell in zip(batches, row.split()[1:]):
                if (batch, width) not in spots:
                    self.assertEqual(cell, "–")
                    continue
                ratio = times((batch, width))
                self.assertEqual(cell, "equal" if ratio is None else "◂%.1f" % ratio, row)
        own = times((24, 16))
        number = own and ("%.1f" if own < 99.95 else "%.0f") % own  # three significant digits
        self.assertIn(f". Your network at batch 24 is {number} times as fast on CPU (threads: 1)." if own
                      else ". Your network at batch 24 is as fast on either.", result.stdout)
        # what can't be trained is told once, not at each spot
        self.assertFails(self.lab("crossover", *SHORT, "--lanes", "cpu,reference", "--data", "rings"), 2, "no data set")
        self.assertFails(self.lab("crossover", *SHORT, "--lanes", "cpu,reference", "--model", "flatten, dense 9"), 1, "dense 10")

    def test_out_of_memory(self):
        """The widest network's tensors (262 MB) don't fit: that size is a dash with the reason, the others are measured."""
        for megabytes in 500, 580:  # without room for OpenBLAS's buffers, and with it
            with self.subTest(megabytes=megabytes):
                result = self.lab("width", *SHORT, "--anew", "--lanes", "cpu(threads=1)", "--json", self.path("s.json"),
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertRegex(result.stdout, r"(?m)^ *4096 +–$")
                self.assertRegex(result.stdout, r"(?m)^CPU \(threads: 1\), width 4096: .*memory.*\.$")
                with open(self.path("s.json")) as file:
                    lane = json.load(file)["results"][0]["lanes"][0]
                self.assertLessEqual({64, 128, 256, 512, 1024}, {point["x"] for point in lane["points"]})
                self.assertIn([4096, "memory"], [[missing["x"], re.search("memory", missing["why"]).group()] for missing in lane["missing"]])

    def test_not_for_this_lane(self):
        """A lane that an experiment can't change has no point, and says why, once."""
        self.assertFails(self.lab("edge", *SHORT, "--lanes", "cpu"), 1, "can’t be set", "No lane")
        result = self.lab("tiles", *SHORT, "--lanes", "cpu,reference", "--json", self.path("s.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("can’t be asked"), 1)
        with open(self.path("s.json")) as file:
            lanes = json.load(file)["results"][0]["lanes"]
        self.assertEqual(len(lanes[0]["points"]), 9)
        self.assertEqual(len(lanes[1]["points"]), 0)
        self.assertIn("can’t be asked", lanes[1]["missing"][0]["why"])

    def test_list_killed(self):
        """Of several, those that were finished aren't measured again."""
        line = ["threads,events", "--quick", "--seconds", "1", "--lanes", "cpu"]
        self.kill_at("3 of 11", *line)
        result = self.lab(*line)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Threads: measured on", result.stdout)
        self.assertNotIn(": threads ", result.stdout)
        self.assertEqual(result.stdout.count(" of 11: "), 9)
        self.assertIn(": threads ", self.lab(*line).stdout)  # that one was finished: all anew

    def test_two_at_once(self):
        process = self.start("events", "--quick", "--seconds", "20", "--lanes", "cpu")
        for text in process.stdout:
            if text.startswith("1 of 11"):
                break
        self.assertFails(self.lab("threads", *SHORT, "--lanes", "cpu"), 1, "Another program")
        process.kill()
        process.stdout.close()
        process.wait()
        self.assertEqual(self.lab("threads", *SHORT, "--lanes", "cpu").returncode, 0)

    def test_own_threads(self):
        """A lane with threads of its own is never measured with others under that name."""
        result = self.lab("threads", *SHORT, "--lanes", "cpu,one=cpu(threads=1)", "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row["x"] for row in self.points(self.path("s.csv")) if row["lane"] == "one"], ["1"])

    def test_one_of_several(self):
        """What can't be measured costs its experiment alone."""
        result = self.lab("threads,events", *SHORT, "--lanes", "cpu(threads=200)", "--csv", self.path("s.csv"))
        kept = self.lab("all", "--kept", "--lanes", "cpu(threads=200)")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("events", {row["experiment"] for row in self.points(self.path("s.csv"))})
        self.assertEqual(kept.returncode, 1)
        self.assertIn("batch: Nothing is kept", kept.stderr)
        self.assertIn("samples/s of recorded steps", kept.stdout)

    def test_damaged(self):
        """A file that can't be used is told of, and stays."""
        line = ["threads", *SHORT, "--lanes", "cpu"]
        self.assertEqual(self.lab(*line).returncode, 0)
        path = self.path("lockstep", "lab", self.kept()[0])
        with open(path) as file:
            whole = file.read()
        shown = self.lab("threads", "--kept", "--lanes", "cpu").stdout
        self.assertRegex(shown, r"(?m)^CPU: .+\nMeasured on \d{4}-\d\d-\d\d by Lockstep [\d.]+,? .*3 rounds in 1 s; .+$")
        for text, words in ((whole[:200], "can’t be read"), ("", "can’t be read"), ("{}", "no result of an experiment"),
                            (whole.replace('"machine_key": "', '"machine_key": "Another '), "another machine"),
                            (whole.replace('"program": "Lockstep', '"program": "Lockstep 7'), "another version")):
            with open(path, "w") as file:
                file.write(text)
            self.assertFails(self.lab("threads", "--kept", "--lanes", "cpu"), 1, words)
            self.assertIn(words, self.lab("list", "--lanes", "cpu").stderr)
            # begun anew, a broken-off one that is damaged is told of, too
            with open(path.replace(".json", ".part"), "w") as file:
                file.write(text)
            result = self.lab(*line)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(words, result.stderr)
            for left in path + "~", path.replace(".json", ".part~"):
                with open(left) as file:
                    self.assertEqual(file.read(), text)
            self.assertEqual([name for name in self.kept() if ".part" in name and not name.endswith("~")], [])

    def test_recording(self):
        """What is kept of a recording's lanes travels with it."""
        env = {"XDG_DATA_HOME": self.folder, **NO_OPENCL}
        lanes = ["--lanes", "cpu,one=cpu(threads=1)"]
        self.assertEqual(self.lab("threads", *SHORT, *lanes, "--csv", self.path("a.csv")).returncode, 0)
        for name, chosen in ("with", lanes), ("without", ["--lanes", "cpu"]):
            result = run("train", *TINY, *chosen, "--steps", "3", "--record", self.path(name), env=env)
            self.assertEqual(result.returncode, 0, result.stderr)
        elsewhere = {"XDG_DATA_HOME": self.path("elsewhere")}
        result = self.lab("all", "--from", self.path("with"), "--csv", self.path("b.csv"), env=elsewhere)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.points(self.path("a.csv")), self.points(self.path("b.csv")))
        self.assertFails(self.lab("batch", "--from", self.path("with"), env=elsewhere), 1, "no results")
        self.assertFails(self.lab("all", "--from", self.path("without"), env=elsewhere), 1, "no results")
        self.assertFails(self.lab("all", "--from", self.path("a.csv"), env=elsewhere), 1, "a.csv")

    def test_usage(self):
        for line, words in (
            ([], "NAME"),
            (["sideways"], "sideways"),
            (["batch,"], "list"),
            (["batch", "width"], "width"),
            (["batch", "--seconds", "0"], "--seconds"),
            (["batch", "--lanes", "cpu,gpu"], "gpu"),
            (["batch", "--lanes", "cpu(batch=1)"], "batch"),
            (["batch", "--lanes", ",".join(["cpu"] * 9)], "8"),
            (["batch", "--steps", "1"], "--steps"),
            (["sweep"], "--vary"),
            (["sweep", "--vary", "batch"], "batch"),
            (["sweep", "--vary", "batch="], "no value"),
            (["sweep", "--vary", "batch=x"], "“x”"),
            (["sweep", "--vary", "=1"], "“”"),
            (["sweep", "--vary", "batch=1,1"], "twice"),
            (["sweep", "--vary", "batch=1", "--vary", "batch=2"], "twice"),
            (["sweep", "--vary", "speed=1"], "speed"),
            (["sweep", "--vary", "steps=1"], "steps"),
            (["sweep", "--vary", "lanes=cpu"], "lanes"),
            (["sweep", "--vary", "label=a,b"], "--vary label changes nothing about the data “mnist”"),
            (["sweep", "--vary", "data=xor", "--vary", "size=8x8,9x9"], "“xor”"),
            (["sweep", "--vary", "kernel=fast"], "fast"),
            (["sweep", "--vary", "threads=1,2", "--lanes", "cpu(threads=1)"], "of its own"),
            (["sweep", "--vary", "batch=" + ",".join(map(str, range(1, 258)))], "256"),
            (["sweep", "--vary", "batch=1", "--from", "x"], "--from"),
            (["batch", "--vary", "batch=1"], "sweep"),
        ):
            with self.subTest(line=line):
                self.assertFails(self.lab(*line, cwd=self.folder), 2, words)
        self.assertFails(self.lab("batch", "--csv", "/nowhere/s.csv"), 1, "/nowhere")
        self.assertFails(self.lab("batch", "--kept", "--from", "x"), 2, "--from")
        self.assertFails(self.lab("batch", "--lanes", "opencl"), 1, "No lane works", "OpenCL lane is missing")
        self.assertEqual(self.kept(), [])

    def test_cannot_be_kept(self):
        """A full or read-only home: the experiment is measured all the same."""
        with open(self.path("lockstep"), "w"):
            pass
        result = self.lab("threads", *SHORT, "--lanes", "cpu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("can’t be kept"), 1)


if __name__ == "__main__":
    main()
