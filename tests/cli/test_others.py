# SPDX-License-Identifier: GPL-3.0-or-later
"""`compare`, `plan`, `data` and `devices`: what they print, their JSON, and what is missing on a machine without OpenCL."""

import re

from lockstep import NO_OPENCL, TINY, Case, load, main, run


class Compare(Case):
    def test_cpu_agrees_with_the_reference(self):
        result = run("compare", *TINY, "--backends", "cpu", "--steps", "3", "--json", self.path("c.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"[1-9]\d* outputs agree with the reference in double precision, 0 differ")
        rows = load(self.path("c.json"))["comparisons"]
        verdicts = [row["verdict"] for row in rows]
        self.assertIn(f"\n{verdicts.count('agree')} outputs agree with the reference in double precision, "
                      f"{verdicts.count('differ')} differ, {verdicts.count('cannot tell')} are nearly all zero", result.stdout)
        self.assertIn("matmul", {row["class"] for row in rows})
        for row in rows:
            self.assertIn(row["verdict"], ("agree", "cannot tell"))
            self.assertLessEqual(row["delta"], row["tolerance"])
        # the loss is one number: what the norms tell is |Δ| of |x|
        loss = next(row for row in rows if row["tensor"] == "loss")
        self.assertAlmostEqual(loss["relative"] * abs(loss["expected"]) / (loss["delta"] or 1),
                               1 if loss["delta"] > 0 else 0, 5, "‖Δ‖/‖x‖ of the loss is its |Δ| of its size")
        # the same numbers as in the table: |Δ|, tolerance, ‖Δ‖/‖x‖
        table = [line.split() for line in result.stdout.splitlines() if re.match(r" *\d+  \w", line)]
        self.assertEqual(len(rows), len(table))
        for row, words in zip(rows, table):
            self.assertEqual([f"{row[key]:.1e}" for key in ("delta", "tolerance", "relative")], words[-5:-2],
                             f"delta, tolerance and relative of {row['tensor']}")
            self.assertEqual([str(row["op"] + 1), row["class"], row["tensor"], "CPU"], words[:4], f"which output {row['tensor']} is")
            self.assertEqual([row["verdict"], str(row["worst"])], [" ".join(words[4:-8]), words[-8]], f"verdict on {row['tensor']}")
            self.assertEqual([f"{row[key]:.7g}" for key in ("value", "expected")], words[-7:-5], f"value and expected of {row['tensor']}")
            # of an element whose value is told, the difference is told, to what seven digits leave
            self.assertAlmostEqual(abs(row["value"] - row["expected"]), row["delta"], delta=1e-9, msg=f"|Δ| of {row['tensor']}")
            self.assertEqual(f"{100 * row['zeros']:.0f}", words[-2], f"per cent of zeros in {row['tensor']}")
        self.assertIn(True, [.01 < row["zeros"] < 1 for row in rows])

    def test_nearly_all_zero(self):
        """Units that died tell nothing, which is no difference."""
        result = run("compare", *TINY, "--backends", "cpu", "--steps", "20", "--lr", "30", "--json", self.path("c.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        verdicts = [row["verdict"] for row in load(self.path("c.json"))["comparisons"]]
        self.assertGreater(verdicts.count("cannot tell"), 0)
        self.assertIn(f"\n{verdicts.count('agree')} outputs agree with the reference in double precision, 0 differ, "
                      f"{verdicts.count('cannot tell')} are nearly all zero", result.stdout)

    def test_without_steps(self):
        self.assertEqual(run("compare", *TINY, "--backends", "cpu").returncode, 0)

    def test_no_lane(self):
        self.assertFails(run("compare", *TINY, "--backends", "opencl", env=NO_OPENCL), 1)


class Plan(Case):
    def test_flop_per_byte(self):
        result = run("plan", *TINY, "--json", self.path("p.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        ops = load(self.path("p.json"))["ops"]
        table = [line.split() for line in result.stdout.splitlines() if re.match(r" *\d+  \w", line)]
        self.assertEqual(len(ops), len(table))
        for op, words in zip(ops, table):
            self.assertEqual(f"{op['flop'] / op['bytes']:.2f}", words[-1], f"FLOP/byte of {op['equation']}")


class Data(Case):
    def put(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def test_table(self):
        table = self.put("t.csv", "a,b,kind\n" + "".join(f"{i},{i % 7},{'xyz'[i % 3]}\n" for i in range(60)) + "1,,x\n")
        result = run("data", table, "--test-share", "0.2", "--json", self.path("d.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Data t.csv: a table (CSV or TSV)\nEach sample: 2 values, as 32-bit floats\n"
                      "Samples: 48 to train, 12 to test\nSplit: there is no test set, so 0.2 of each class", result.stdout)
        self.assertIn("(!) 1 of 61 rows is left out: it has gaps", result.stdout)
        self.assertIn('--model "flatten, dense 32, relu, dense 3" --batch 32', result.stdout)
        found = load(self.path("d.json"))
        self.assertEqual(found["shape"], [2, 1, 1])
        self.assertEqual([(c["name"], c["train"] + c["test"]) for c in found["classes"]], [("x", 20), ("y", 20), ("z", 20)])
        self.assertEqual((found["train"], found["test"], found["split"], found["values"]), (48, 12, True, "F32"))
        self.assertEqual(len(found["warnings"]), 1)
        self.assertIn("Samples: 49 to train, 12 to test",
                      run("data", table, "--test-share", "0.2", "--missing", "mean").stdout)
        self.assertIn("Class  to train", run("data", table, "--label", "b").stdout)

    def test_trained_with(self):
        table = self.put("t.csv", "".join(f"{i};{i % 5},5;{'low' if i < 30 else 'high'}\n" for i in range(60)))
        result = run("train", "--data", table, "--backends", "cpu", "--steps", "200", "--json", self.path("r.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(load(self.path("r.json"))["lanes"]["cpu"]["test_accuracy"], 1)

    def test_names(self):
        result = run("data", "mnist")
        self.assertIn("Samples: 60000 to train, 10000 to test\nSplit: the test set is the data’s own\n", result.stdout)
        self.assertIn("Each sample: 1×28×28 values (channels, height, width), as bytes\n", result.stdout)

    def test_refused(self):
        self.assertFails(run("data"), 2, "DATA")
        self.assertFails(run("data", "/nonexistent"), 2, "There is no data set, no file and no folder")
        self.assertFails(run("data", self.put("t.csv", "1,2,x\n3,4\n")), 1, "“t.csv”, line 2 has 2 fields")
        self.assertFails(run("data", self.put("t.csv", "1,2,x\n3,4,y\n5,6,y\n"), "--label", "zz"), 2, "no column “zz”")
        self.assertFails(run("data", "mnist", "--test-share", "1"), 2, "--test-share takes a number from 0.001 to 0.9")
        self.assertFails(run("data", "mnist", "--missing", "zero"), 2, "--missing takes one of drop, mean")


class Devices(Case):
    def test_list(self):
        result = run("devices", "--json", self.path("d.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("CPU lane:", result.stdout)
        devices = load(self.path("d.json"))
        self.assertGreaterEqual(devices["cpu"]["device"]["threads"], 1)
        # each fact in its line, of the device under whose name it stands
        blocks = re.split(r"(?m)^(?:CPU lane|OpenCL device (\d+)|OpenCL): (.*)$", result.stdout)[1:]
        entries = [devices["cpu"], *devices["opencl"]]
        for i, entry in enumerate(entries):
            device, number, title, text = entry["device"], *blocks[3 * i:3 * i + 3]
            self.assertEqual((number, title), (None if i == 0 else str(i - 1), device["name"]))
            facts = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in text.splitlines() if line)
            sizes = {"memory": "global_mem_bytes", "local memory": "local_mem_bytes", "largest buffer": "max_alloc_bytes"}
            for name, key in sizes.items():
                if key not in device:
                    self.assertNotIn(name, facts)
                    continue
                shown = re.fullmatch(r"([\d.]+)\s(bytes|[KMGT]iB)", facts.pop(name))
                unit = 1024 ** ("bytes KiB MiB GiB TiB".split().index(shown.group(2)))
                self.assertAlmostEqual(float(shown.group(1)) * unit, device[key], delta=.051 * unit, msg=name)
            facts.pop("tuned", None)
            cores = facts.pop("cores", None)
            self.assertEqual(cores is not None, device["shares_cpu"])
            words = {"kind": "kind", "driver": "driver", "version": "version", "workers": "threads", "compute units": "units",
                     "largest work-group": "max_group", "work-groups tell": "tells"}
            told = {name: str(device[key]) for name, key in words.items() if device.get(key) not in (None, "")}
            self.assertEqual({key: value.strip() for key, value in facts.items()}, told | device["facts"])

    def test_no_opencl(self):
        result = run("devices", env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\nOpenCL: .+\.\n")
        self.assertNotIn("OpenCL device 0", result.stdout)

    def test_unknown_device(self):
        result = run("train", *TINY, "--steps", "5", "--device", "no such device")
        self.assertEqual(result.returncode, 0)
        self.assertIn("OpenCL lane is parked", result.stderr)


class Tune(Case):
    def tune(self, *args, **env):
        return run("tune", *args, env={"XDG_CACHE_HOME": self.path("cache"), **env})

    def test_list_keep_forget(self):
        self.assertIn("Nothing has been tuned", self.tune("--list").stdout)
        result = self.tune(*TINY[:2], "--data", "spiral", "--batch", "16", "--seconds", "8", "--json", self.path("t.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        entries = load(self.path("t.json"))["entries"]
        self.assertTrue(entries, "there was time for one at least")
        listed = self.tune("--list").stdout
        for entry in entries:
            self.assertLessEqual(entry["us"]["q1"], entry["us"]["q3"])
            self.assertIn("\n" + entry["op"] + " ", listed)
        plan = run("plan", *TINY, "--backends", "opencl", env={"XDG_CACHE_HOME": self.path("cache")})
        self.assertIn(", tuned", plan.stdout)
        # as many as there are, of that device, and the newest day
        days = [entry["date"] for entry in entries]
        told = run("devices", env={"XDG_CACHE_HOME": self.path("cache")}).stdout
        starts = {len(line) for line in re.findall(r"(?m)^(   (?:driver|tuned) {2,})\S", told[told.index("OpenCL device 0"):])}
        self.assertEqual(len(starts), 1, "it stands in the column of the other facts")
        self.assertRegex(told, rf"(?m)^   tuned +{len(entries)} ops? and shapes?, last on {re.escape(max(days))}$")
        # one task after the other, none twice, with the time that is left
        said = re.findall(r"(?m)^(\d+) of (\d+): \S+ .*, at most \d+ s left$", result.stdout)
        tasks = [int(i) for i, n in said]
        self.assertEqual(tasks, sorted(set(tasks)))
        self.assertEqual(tasks[0], 1)
        self.assertEqual(len({n for i, n in said}), 1)
        self.assertLessEqual(tasks[-1], int(said[0][1]))
        self.assertRegex(self.tune("--forget").stdout, r"^\d+ results? forgotten")
        self.assertIn("Nothing has been tuned", self.tune("--list").stdout)

    def test_presets(self):
        """Without a network the ops of both presets are tuned, those that they share once."""
        tasks = {}
        for model in "mlp", "cnn", None:
            result = self.tune(*(["--model", model] if model else []), "--seconds", "1")
            tasks[model] = int(re.search(r"(?m)^1 of (\d+): ", result.stdout)[1])
        self.assertTrue(max(tasks["mlp"], tasks["cnn"]) < tasks[None] <= tasks["mlp"] + tasks["cnn"], tasks)

    def test_mistakes(self):
        for words in (["--seconds", "0"], ["--seconds", "much"], ["--model", "dense nothing"], ["--data", "nowhere"]):
            self.assertNotEqual(self.tune(*words).returncode, 0)
        self.assertFails(self.tune(OCL_ICD_VENDORS="/nonexistent"), 1)


class Machines(Case):
    def test_steps(self):
        """What is measured here takes as many steps as asked for: of seven there is no median yet."""
        for steps, told in (["--steps", "7"], False), ([], True):
            result = run("machines", *TINY, "--lanes", "cpu", *steps, env=NO_OPENCL)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"(?m)^cpu, measured: ")
            self.assertEqual("no median yet" not in result.stdout, told, result.stdout)


if __name__ == "__main__":
    main()
