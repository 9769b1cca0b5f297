# SPDX-License-Identifier: GPL-3.0-or-later
"""`lockstep bench` and the tool in tests/bench: that they measure, name what is missing, refuse what makes no sense, and write
files that can be read. No times."""
import json
import os
import re
import stat
import subprocess

from lockstep import BENCH, NO_OPENCL, PROGRAM, Case, main, run, table

SHORT = ["--quick", "--seconds", "1"]
PEER = """#!/bin/sh
echo '{"title": "Made up 1.0", "threads": 3}'
while read -r line; do
  case $line in
    *'"run"'*) echo '{"us": [10.5, 11, 12]}' ;;
    *) echo '{}' ;;
  esac
done
"""


def compare(*args, **kwargs):
    """The benchmark against other libraries, as ./dev bench runs it."""
    return run(*args, program=BENCH, **kwargs)


class Compare(Case):
    def load(self):
        with open(self.path("b.json")) as file:
            return json.load(file)

    def peer(self, name, text):
        path = self.path(name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)

    def test_two_rows(self):
        result = compare(*SHORT, "--only", "tabular-128,gemm-128x784x256-nt,recording,events", "--peers", self.folder, "--json",
                     self.path("b.json"), env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^mlp 20-64-32-2, batch 128 +CPU lane +[\d.]+ \[")
        self.assertRegex(result.stdout, r"(?m)^128×784×256 A·Bᵀ +CPU lane +[\d.]+ \[")
        self.assertIn("recorded step takes", result.stdout)
        self.assertIn("not measured", result.stdout)
        for package in ("python3-torch", "libclblast1"):
            self.assertIn(package, result.stdout)
        bench = self.load()
        self.assertEqual([row["name"] for row in bench["rows"]], ["tabular-128", "gemm-128x784x256-nt"])
        for row in bench["rows"]:
            self.assertEqual([entry["who"] for entry in row["entries"]], ["cpu", "openblas"])
            for entry in row["entries"]:
                self.assertEqual(len(entry["round_medians_us"]), 3)
                self.assertGreater(entry["times_us"]["median"], 0)
        missing = {c["name"]: c["missing"] for c in bench["contenders"]}
        self.assertIsNone(missing["cpu"])
        for name in ("opencl", "torch", "torch-new", "torch-compile", "jax", "clblast"):
            self.assertRegex(missing[name], r"\.\)?$")
        self.assertIn("./dev bench --peers", missing["jax"])
        self.assertGreater(bench["recording_cost_cpu"]["n"], 0)
        self.assertEqual(bench["recording_cost_opencl"]["n"], 0)
        self.assertGreater(bench["memory_bytes_per_second"]["median"], 0)
        self.assertIn("OPENBLAS_CORETYPE", bench["conditions"]["unset_variables"])
        self.assertIn(bench["conditions"]["busy"], (True, False))
        self.assertEqual({t["reached"] for t in bench["targets"] if "the best peer" in t["what"]}, {"not measured"})

    def test_a_peer(self):
        """One in C's place that answers the lines; its times are what the table shows."""
        self.peer("onednn_peer", PEER)
        result = compare(*SHORT, "--only", "conv-1-forward", "--peers", self.folder, "--json", self.path("b.json"), env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("oneDNN: Made up 1.0", result.stdout)
        entry = next(e for e in self.load()["rows"][0]["entries"] if e["who"] == "onednn")
        self.assertEqual(entry["round_medians_us"], [11.0, 11.0, 11.0])

    def test_beside(self):
        """Busy loops run beside it, which heading and file say."""
        result = compare(*SHORT, "--only", "tabular-128", "--beside", "2", "--peers", self.folder, "--json", self.path("b.json"), env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Beside everything: 2 busy loops", result.stdout)
        self.assertEqual(self.load()["conditions"]["busy_loops_beside"], 2)

    def test_a_peer_that_ends(self):
        self.peer("onednn_peer", "#!/bin/sh\necho '{\"title\": \"Short lived\", \"threads\": 1}'\nread -r line\n")
        result = compare(*SHORT, "--only", "conv", "--peers", self.folder, "--json", self.path("b.json"), env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("oneDNN", result.stderr)
        rows = self.load()["rows"]
        self.assertIsNotNone(next(e for e in rows[0]["entries"] if e["who"] == "onednn")["failed"])
        self.assertNotIn("onednn", [e["who"] for e in rows[1]["entries"]])

    def test_usage(self):
        for line, words in (
            (["--only", "nothing"], "nothing"),
            (["--only", ""], "--only"),
            (["--seconds", "0"], "--seconds"),
            (["--seconds", "1e9"], "--seconds"),
            (["--seconds", "nan"], "--seconds"),
            (["--sweep"], "--sweep"),
            (["--beside", "x"], "--beside"),
            (["--beside", "65"], "--beside"),
            (["--beside", "-1"], "--beside"),
        ):
            with self.subTest(line=line):
                self.assertFails(compare(*line, cwd=self.folder), 2, words)
        self.assertFails(compare("--json", "/nowhere/b.json"), 1, "/nowhere")
        self.assertEqual(os.listdir(self.folder), [])

    def test_worker(self):
        """Whatever the lines are, each has an answer."""
        lines = ["", "run", "{", "[]", "{}", '{"run": 1}', '{"run": 1, "threads": 1}', '{"run": "x", "threads": 0}', '{"set": 1}',
                 '{"set": "model", "value": "cnn"}', '{"record": "x"}', '{"record": 1}', '{"prepare": 1}',
                 '{"prepare": "products\\t0 0 0 0 0"}', '{"prepare": "step\\tmlp\\tnowhere\\t1"}', '{"prepare": "conv\\tforward\\t1"}',
                 '{"run": 1e300, "threads": 1}', '{"run": -1, "threads": 1}', '{"set": "threads", "value": "many"}', "\xff" * 9]
        for program, kind in (BENCH, "cpu"), (BENCH, "openblas"), (PROGRAM, "cpu"), (PROGRAM, "reference"):
            result = subprocess.run([program, "--lab-worker", kind], input="\n".join(lines) + "\n", capture_output=True, text=True,
                                    timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            answers = [json.loads(line) for line in result.stdout.splitlines()]
            self.assertEqual(len(answers), 1 + len(lines))
            for line, answer in zip(lines, answers[1:]):
                self.assertRegex(answer.get("no", "nothing"), ".+", line)
                self.assertIn("no", answer, line)
        for arguments in ([], ["nobody"], ["openblas"], ["cpu", "--threads"], ["cpu", "--nothing=1"]):
            result = subprocess.run([PROGRAM, "--lab-worker", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn("no", json.loads(result.stdout))

    def test_plain_english(self):
        result = compare("--only", "nothing", env={"LC_ALL": "C.UTF-8", "LANGUAGE": "de"})
        self.assertFails(result, 2, "is no workload")


class Rates(Case):
    def test_two_rows(self):
        result = run("bench", *SHORT, "--only", "tabular-128,mlp-16,recording", "--json", self.path("r.json"), env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        told = [re.search(rf"(?m)^mlp {what} +([\d.]+) \[.+\] +–$", result.stdout)
                for what in ("784-256-128-10, batch 16", "20-64-32-2, batch 128")]
        self.assertNotIn(None, told, result.stdout)
        self.assertIn("recorded step takes", result.stdout)
        self.assertIn("OpenCL lane", result.stderr)
        with open(self.path("r.json")) as file:
            rates = json.load(file)
        self.assertEqual([row["name"] for row in rates["rows"]], ["mlp-16", "tabular-128"])
        for row in rates["rows"]:
            self.assertEqual([entry["who"] for entry in row["entries"]], ["cpu"])
            self.assertGreater(row["entries"][0]["samples_per_second"]["median"], 0)
            self.assertGreater(row["entries"][0]["times_us"]["n"], 0)
        for words, row, batch in zip(told, rates["rows"], (16, 128)):
            entry = row["entries"][0]
            self.assertAlmostEqual(entry["samples_per_second"]["median"] * entry["times_us"]["median"] / 1e6 / batch, 1, 2)
            self.assertAlmostEqual(float(words[1]) / entry["samples_per_second"]["median"], 1, 2, "what is printed isn't what is kept")
        self.assertGreater(rates["recording_cost_cpu"]["n"], 0)
        self.assertEqual(rates["recording_cost_opencl"]["n"], 0)

    def test_lanes(self):
        result = run("bench", *SHORT, "--only", "tabular-128,recording", "--lanes", "slow=cpu(threads=1),cpu(policy=static)", "--json",
                     self.path("r.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^mlp 20-64-32-2, batch 128( +[\d.]+ \[.+?\]){2}$")
        with open(self.path("r.json")) as file:
            rates = json.load(file)
        self.assertEqual([entry["who"] for entry in rates["rows"][0]["entries"]], ["slow", "cpu-2"])
        self.assertEqual(rates["options"]["lanes"], "slow=cpu(threads=1),cpu(policy=static)")
        # the table says what the file has: samples a second of a step of 128, each lane in its column
        self.assertRegex(result.stdout, r"(?m)^Step +CPU \(slow\) lane +CPU \(static\) lane$")
        (row,) = table(result.stdout, "Step ")
        for cell, entry in zip(row[1:], rates["rows"][0]["entries"]):
            figure = entry["samples_per_second"]
            self.assertShowsFigure(cell, entry["who"], figure)
            for rate, time in ("median", "median"), ("q1", "q3"), ("q3", "q1"):
                self.assertAlmostEqual(figure[rate] * entry["times_us"][time], 128e6, delta=128)
        costs = re.findall(r"(?m)^(.*) lane: a recorded step takes (\S+) % \[(\S+) … (\S+)\] more time and holds \d+ events\.$",
                           result.stdout)
        self.assertEqual([cost[0] for cost in costs], ["CPU (slow)", "CPU (static)"])
        for cost, name in zip(costs, ("recording_cost_slow", "recording_cost_cpu-2")):
            self.assertEqual(list(cost[1:]), [f"{rates[name][key]:+.1f}" for key in ("median", "q1", "q3")], name)

    def test_no_other_library(self):
        text = run("bench", "--help").stdout
        for word in "--only", "--seconds", "--quick", "--json", "--lanes":
            self.assertIn(word, text)
        self.assertNotIn("--peers", text)

    def test_usage(self):
        for line, words in (
            (["--only", "nothing"], "nothing"),
            (["--only", ""], "--only"),
            (["--only", "gemm"], "gemm"),
            (["--seconds", "0"], "--seconds"),
            (["--seconds", "1e9"], "--seconds"),
            (["--seconds", "nan"], "--seconds"),
            (["--lanes", "cpu,gpu"], "gpu"),
        ):
            with self.subTest(line=line):
                self.assertFails(run("bench", *line, cwd=self.folder), 2, words)
        self.assertFails(run("bench", "--json", "/nowhere/b.json"), 1, "/nowhere")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
