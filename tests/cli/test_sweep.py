# SPDX-License-Identifier: GPL-3.0-or-later
"""`lockstep lab sweep`: each combination in a line, and what was done before a kill stays and goes on. No times."""
import json
import os

from experiment import SHORT, LabCase
from lockstep import main, table


class Sweep(LabCase):
    def test_combinations(self):
        """Each combination in a line, also one that fails; a lane's figure stands for all that are the same to it."""
        result = self.lab("sweep", *SHORT, "--lanes", "cpu,reference", "--vary", "batch=1,4", "--vary", "tiles-per-op=1,7",
                          "--vary", "model=dense 10;flatten, dense 8, relu, dense 10", "--csv", self.path("s.csv"),
                          "--json", self.path("s.json"))
        self.assertFails(result, 2, "model")  # an image isn't flat
        result = self.lab("sweep", *SHORT, "--lanes", "cpu,reference", "--vary", "batch=1,4", "--vary", "tiles-per-op=1,7",
                          "--vary", "model=flatten, dense 10;flatten, dense 8, relu, dense 10", "--vary", "data=xor",
                          "--csv", self.path("s.csv"), "--json", self.path("s.json"))
        self.assertFails(result, 2, "batch 1", "dense 2")
        self.assertFalse(os.path.exists(self.path("s.csv")))
        result = self.lab("sweep", *SHORT, "--lanes", "cpu,reference", "--vary", "batch=1,4", "--vary", "tiles-per-op=1,7",
                          "--vary", "model=flatten, dense 2;flatten, dense 8, relu, dense 2", "--vary", "data=xor",
                          "--csv", self.path("s.csv"), "--json", self.path("s.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.points(self.path("s.csv"))
        self.assertEqual(len(rows), 16)
        self.assertEqual([row["batch"] for row in rows], ["1"] * 8 + ["4"] * 8)
        self.assertEqual({row["model"] for row in rows}, {"flatten, dense 2", "flatten, dense 8, relu, dense 2"})
        rates = {(row["batch"], row["tiles-per-op"], row["model"], row["lane"]): [row[name] for name in ("rate", "q1", "q3", "n")]
                 for row in rows}
        for batch in "1", "4":
            for model in {row["model"] for row in rows}:  # tiles are nothing to the reference
                self.assertEqual(rates[batch, "1", model, "reference"], rates[batch, "7", model, "reference"])
        self.assertEqual(len(set(map(tuple, rates.values()))), 12)
        with open(self.path("s.json")) as file:
            data = json.load(file)
        self.assertEqual(data["format"], "lockstep-lab-sweep")
        self.assertEqual(len(data["combinations"]), 8)
        self.assertEqual(data["combinations"][0]["options"]["tiles-per-op"], "1")
        # both files have the same figures
        for row, lane in zip(rows, (lane for combination in data["combinations"] for lane in combination["lanes"])):
            self.assertEqual(row["lane"], lane["id"])
            for column, name in ("rate", "median"), ("q1", "q1"), ("q3", "q3"):
                self.assertAlmostEqual(float(row[column]) / lane["rate"][name], 1, places=5, msg=f"{column} of {row}")
        self.assertEqual(result.stdout.count(" of 8: "), 8)
        # the table says what the file has
        shown = table(result.stdout, "batch +tiles-per-op")
        self.assertEqual(len(shown), 8)
        for cells, row, other in zip(shown, rows[::2], rows[1::2]):
            self.assertEqual(cells[:3], [row["batch"], row["tiles-per-op"], row["model"]])
            for cell, one in (cells[4], row), (cells[5], other):
                self.assertShows(cell, one["lane"], *(float(one[name]) for name in ("rate", "q1", "q3")))

    def test_rates(self):
        """Samples a second are of each combination's own batch: loops that do one sample after the other do as many in each."""
        result = self.lab("sweep", *SHORT, "--lanes", "reference", "--batch", "64", "--vary", "batch=2,1024", "--model",
                          "flatten, dense 10", "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        small, large = [float(row["rate"]) for row in self.points(self.path("s.csv"))]
        self.assertTrue(1 / 8 < large / small < 8, (small, large))  # of one batch alone they were 500 times apart

    def test_reads(self):
        """How data are read can be varied, too, and each lane reads them so."""
        with open(self.path("t.csv"), "w") as file:
            file.write("a,b,c\n" + "".join(f"{i},{i % 2},{'xyz'[i % 3]}\n" for i in range(90)))
        result = self.lab("sweep", *SHORT, "--lanes", "cpu", "--data", self.path("t.csv"), "--vary", "label=b,c", "--csv",
                          self.path("s.csv"), "--batch", "8", "--seed", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([(row["label"], row["why"]) for row in self.points(self.path("s.csv"))], [("b", ""), ("c", "")])
        self.assertFails(self.lab("sweep", *SHORT, "--lanes", "cpu", "--data", self.path("t.csv"), "--vary", "label=b,d"), 2,
                         "no column “d”")

    def test_lacks(self):
        """A lane that isn't there has a dash and says why; the other goes on."""
        result = self.lab("sweep", *SHORT, "--lanes", "cpu,opencl", "--vary", "batch=1,4", "--vary", "data=xor",
                          "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.points(self.path("s.csv"))
        self.assertTrue(all(row["why"] and not row["rate"] for row in rows if row["lane"] == "opencl"))
        self.assertTrue(all(row["rate"] and not row["why"] for row in rows if row["lane"] == "cpu"))
        self.assertRegex(result.stdout, r"1 +xor +[0-9.]+ \[.*\] +–")
        self.assertIn("OpenCL, batch 1", result.stderr)

    def kept(self):
        """The file of the sweep that was measured last."""
        folder = self.path("lockstep", "lab")
        return max((os.path.join(folder, one) for one in os.listdir(folder) if one.startswith("sweep-")), key=os.path.getmtime)

    def test_killed(self):
        """What was done before it was killed is in the file."""
        sweep = ["sweep", "--seconds", "2", "--lanes", "cpu", "--vary", "batch=1,2,4,8,16,32", "--vary", "data=xor"]
        self.kill_at("4 of 6", *sweep, "--csv", self.path("s.csv"))
        before = self.points(self.path("s.csv"))
        self.assertEqual([row["batch"] for row in before], ["1", "2", "4"])
        # the same command shows it, and goes on from there
        shown = self.lab(*sweep, "--kept")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("broken off after 3 of 6", shown.stdout)
        self.assertNotIn(" of 6: ", shown.stdout)
        # one of other rounds, or of another time, begins at the first
        with open(self.kept()) as file:
            broken_off = file.read()
        for unlike in ["--quick"], ["--seconds", "3"]:
            other = self.lab(*sweep, *unlike)
            self.assertEqual(other.returncode, 0, other.stderr)
            self.assertEqual(other.stdout.count(" of 6: "), 6, other.stdout)
            with open(self.kept(), "w") as file:
                file.write(broken_off)
        other = self.lab(*sweep, "--quick", "--seconds", "1", "--vary", "kernel=tiled")
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertNotIn("Going on", other.stdout)
        result = self.lab(*sweep, "--csv", self.path("s.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Going on after 3 of 6", result.stdout)
        self.assertEqual(result.stdout.count(" of 6: "), 3)
        whole = self.points(self.path("s.csv"))
        self.assertEqual(whole[:3], before)
        self.assertEqual([row["batch"] for row in whole], ["1", "2", "4", "8", "16", "32"])
        # whole, it is shown as it was measured; without --kept it is measured anew
        shown = self.lab(*sweep, "--kept", "--csv", self.path("k.csv"))
        self.assertRegex(shown.stdout, r"Measured on \d{4}-\d\d-\d\d\.")
        self.assertEqual(self.points(self.path("k.csv")), whole)
        self.assertFails(self.lab(*sweep, "--seed", "2", "--kept"), 1, "Nothing is kept of this sweep")
        # what can't be used is said, and measured
        name = self.kept()
        with open(name) as file:
            text = file.read()
        for damaged, words in ((text[:300], "can’t be read"), (text.replace('"machine_key": "', '"machine_key": "x'), "another machine"),
                               (text.replace("batch=1;2", "batch=1;3"), "another sweep"),
                               (text.replace('"n": ', '"n": -'), "can’t be read")):
            with open(name, "w") as file:
                file.write(damaged)
            self.assertFails(self.lab(*sweep, "--kept"), 1, words)
        result = self.lab(*sweep)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("can’t be read", result.stderr)
        self.assertEqual(result.stdout.count(" of 6: "), 6)
        self.assertEqual(self.lab(*sweep, "--anew").stdout.count(" of 6: "), 6)


if __name__ == "__main__":
    main()
