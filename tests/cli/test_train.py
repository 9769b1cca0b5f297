# SPDX-License-Identifier: GPL-3.0-or-later
"""`train`: its report, its files, what it shows in a pipe and on a terminal, and Ctrl-C."""
import csv
import json
import os
import random
import re
import signal
import struct
import subprocess
import time
import zlib

from lockstep import NO_OPENCL, PROGRAM, TINY, Case, load, main, run, run_on_terminal, table


class Report(Case):
    def train(self, *args, **kwargs):
        result = run("train", *args, "--json", self.path("report.json"), **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return load(self.path("report.json"))

    def test_fields(self):
        report = self.train(*TINY, "--steps", "40", "--backends", "cpu,reference", "--check-every", "10")
        self.assertEqual((report["format"], report["version"]), ("lockstep-report", 1))
        self.assertRegex(report["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(report["options"]["batch"], 16)
        self.assertEqual(report["options"]["optimizer"], "sgd")
        self.assertGreaterEqual(report["machine"]["processors"], 1)
        self.assertEqual(list(report["lanes"]), ["cpu", "reference"])
        for lane in report["lanes"].values():
            self.assertEqual(lane["state"], "ready")
            self.assertEqual(len(lane["losses"]), 40)
            self.assertTrue(0 < lane["test_accuracy"] <= 1)
            self.assertTrue(lane["device"]["name"])
            for figure in lane["samples_per_second"], lane["step_times_us"]:
                self.assertEqual(figure["evidence"], "measured")
                self.assertEqual(figure["n"] + figure["left_out"], 40)
                if figure["n"] > 0:
                    self.assertTrue(0 < figure["q1"] <= figure["median"] <= figure["q3"])
            figure = lane["samples_per_second"]
            calm = figure["n"] >= 20 and figure["condition"] is None and figure["q3"] - figure["q1"] < 0.1 * figure["median"]
            self.assertEqual(lane["rate_stands"], calm)  # never with 50: only 40 steps are done
        agreement = report["agreement"]
        self.assertEqual(agreement["losses_compared"], 40)
        self.assertEqual((agreement["loss_tolerance"], agreement["rounding_differs_since_step"]), (0.001, 0))
        deltas = [abs(a - b) for a, b in zip(*(lane["losses"] for lane in report["lanes"].values()))]
        self.assertAlmostEqual(agreement["loss_delta_max"], max(deltas), delta=1e-12)
        self.assertLess(agreement["loss_delta_max"], 1e-3)
        self.assertGreaterEqual(agreement["weights_compared"], 1)  # more if both lanes start together

    def test_words_and_table_say_what_the_report_has(self):
        """The head's numbers are those of network, data and options; each cell is the report's number."""
        result = run("train", *TINY, "--steps", "60", "--backends", "cpu,reference", "--lr", "0.07", "--momentum", "0.8", "--seed", "3",
                     "--json", self.path("report.json"))
        report = load(self.path("report.json"))
        self.assertEqual(result.stdout.splitlines()[:3], [
            "Model flatten, dense 8, relu, dense 3 (51 parameters)", "Data spiral: 2000 samples to train, 500 to test, 3 classes",
            "60 steps of 16 samples, sgd, learning rate 0.07, momentum 0.8, seed 3"])
        rows = table(result.stdout, "Lane +steps")
        self.assertEqual(len(rows), 2)
        for cells, lane in zip(rows, report["lanes"].values()):
            self.assertEqual(cells[1], str(lane["steps"]))
            self.assertEqual(cells[2], f"{lane['losses'][-1]:.5f}")
            self.assertEqual(cells[3], f"{100 * lane['test_accuracy']:.2f} %")
            self.assertShowsFigure(cells[4], "samples/s", lane["samples_per_second"])
            self.assertShowsFigure(cells[5], "µs a step", lane["step_times_us"])
            self.assertEqual(cells[6], str(lane["step_times_us"]["n"]))
        adam = run("train", *TINY, "--steps", "1", "--backends", "cpu", "--optimizer", "adam", "--lr", "0.002")
        self.assertIn("1 step of 16 samples, adam, learning rate 0.002, seed 1\n", adam.stdout)
        adam = run("train", "--data", "spiral", "--steps", "1", "--backends", "cpu", "--optimizer", "adam")
        self.assertIn("1 step of 128 samples, adam, learning rate 0.01, seed 1\n", adam.stdout)
        self.assertIn("\nThe learning rate is 0.01, which suits adam on spiral; --lr takes another.\n", adam.stdout)

    def test_a_handful_of_steps_is_no_rate(self):
        words = run("train", *TINY, "--steps", "24", "--backends", "cpu,reference", "--json", self.path("report.json")).stdout
        self.assertRegex(words, r"The CPU lane's (rate isn't settled yet: \d+ steps count, 50 are needed|figures were measured beside)")
        self.assertRegex(words, r"The losses of 24 steps agree within 0\.001: they differ by \S+ at most, at step \d+")
        report = load(self.path("report.json"))
        left_out = sum(lane["step_times_us"]["left_out"] for lane in report["lanes"].values())
        self.assertGreater(left_out, 0)
        self.assertIn(f"{left_out} steps left out:", words, "what is left out is told of all lanes together")
        # whoever reads counts from 1, programs from 0
        deltas = [abs(a - b) for a, b in zip(*(lane["losses"] for lane in report["lanes"].values()))]
        step = report["agreement"]["loss_delta_step"]
        self.assertAlmostEqual(deltas[step], max(deltas), delta=1e-12, msg="the report tells the step with the largest difference")
        self.assertIn(f"at step {step + 1}", words, "the sentence tells the same step")

    def test_same_seed_same_losses(self):
        def losses(*args):
            return self.train(*TINY, "--backends", "cpu", "--steps", "30", *args)["lanes"]["cpu"]["losses"]
        one = losses("--policy", "static")
        self.assertEqual(one, losses("--policy", "steal"))
        self.assertEqual(one, losses("--pace", "watch"))
        self.assertEqual(one, losses("--pace", "step"))
        self.assertNotEqual(one, losses("--seed", "2"))

    def test_defaults_suit_the_data(self):
        """A data set's name is enough: its network, rate and number of steps come with it, and are said."""
        for name in "xor", "spiral", "circles", "moons", "tabular":
            result = run("train", "--data", name, "--backends", "cpu", "--json", self.path("report.json"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"The network is the one that suits {name}; --model takes another.", result.stdout)
            self.assertIn("2000 steps of 128 samples", result.stdout)
            self.assertGreater(load(self.path("report.json"))["lanes"]["cpu"]["test_accuracy"], 0.95, result.stdout)
        few = run("train", "--data", "spiral", "--backends", "cpu", "--epochs", "1")
        self.assertIn("15 steps of 128 samples", few.stdout)
        self.assertNotIn("takes another", run("train", "--steps", "1", "--backends", "cpu").stdout)

    def test_default_rate_follows_small_batches(self):
        for batch, rate in ("1", 0.05 / 128), ("32", 0.0125), ("128", 0.05), ("256", 0.05):
            result = run("train", "--batch", batch, "--steps", "1", "--backends", "cpu", "--json", self.path("report.json"))
            self.assertAlmostEqual(load(self.path("report.json"))["options"]["lr"], rate, places=9)
            told = re.search(r"follows batches below (\d+): (\S+) × (\d+) / (\d+);", result.stdout)
            self.assertEqual(told is not None, int(batch) < 128, result.stdout)
            if told is not None:
                self.assertEqual((told[1], told[3], told[4]), ("128", batch, "128"))
                self.assertAlmostEqual(float(told[2]) * int(told[3]) / int(told[4]), rate, places=9, msg="the product is the rate")
        given = self.train("--batch", "1", "--lr", "0.05", "--steps", "1", "--backends", "cpu")
        self.assertEqual(given["options"]["lr"], 0.05)
        small = self.train("--batch", "1", "--steps", "6000", "--backends", "cpu", "--threads", "1")
        self.assertGreater(small["lanes"]["cpu"]["test_accuracy"], 0.8)  # 0.1 with the rate of large batches

    def test_train_a_recordings_network(self):
        """Its network, data, batch and seed: the same losses; what is given besides counts more; without its data it says so."""
        with open(self.path("t.csv"), "w") as file:
            file.write("".join(f"{i},{i * 7 % 10},{'xyz'[i % 3]}\n" for i in range(90)))
        first = self.train("--lanes", "cpu", "--data", self.path("t.csv"), "--model", "flatten, dense 5, relu, dense 3", "--batch", "9",
                           "--seed", "4", "--optimizer", "adam", "--steps", "12", "--record", self.path("r.lockstep"))
        again = self.train("--lanes", "cpu", "--from", self.path("r.lockstep"), "--steps", "12")
        self.assertEqual(again["lanes"]["cpu"]["losses"], first["lanes"]["cpu"]["losses"])
        other = self.train("--lanes", "cpu", "--from", self.path("r.lockstep"), "--steps", "12", "--seed", "5")
        self.assertNotEqual(other["lanes"]["cpu"]["losses"], first["lanes"]["cpu"]["losses"])
        self.assertEqual(other["options"]["batch"], 9)
        os.rename(self.path("t.csv"), self.path("u.csv"))
        self.assertFails(run("train", "--lanes", "cpu", "--from", self.path("r.lockstep")), 1, "“t.csv” aren’t here, and “mnist” don’t fit")
        moved = self.train("--lanes", "cpu", "--from", self.path("r.lockstep"), "--data", self.path("u.csv"), "--steps", "12")
        self.assertEqual(moved["lanes"]["cpu"]["losses"], first["lanes"]["cpu"]["losses"])
        self.assertFails(run("train", "--lanes", "cpu", "--from", self.path("u.csv")), 1, "u.csv")

    def test_images_from_a_cache_file(self):
        """What memory has no room for is read batch by batch, and every lane computes the same bits as from memory."""
        def png(edge, pixels):
            chunks = [(b"IHDR", struct.pack(">IIBBBBB", edge, edge, 8, 0, 0, 0, 0)),
                      (b"IDAT", zlib.compress(b"".join(b"\0" + pixels[y * edge:(y + 1) * edge] for y in range(edge)))), (b"IEND", b"")]
            return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                                                    for kind, data in chunks)
        rng = random.Random(1)
        for kind in "abc":
            os.makedirs(self.path("images/" + kind))
            for i in range(40):
                with open(self.path(f"images/{kind}/{i}.png"), "wb") as file:
                    file.write(png(6, rng.randbytes(36)))
        if "gdk-pixbuf" in run("data", self.path("images")).stderr:
            self.skipTest("built without gdk-pixbuf")
        reports = []
        for memory in "100000", "1000":
            reports.append(self.train("--data", self.path("images"), "--lanes", "cpu,opencl", "--epochs", "4", "--batch", "16",
                                      env={"LOCKSTEP_DATA_MEMORY": memory, "XDG_CACHE_HOME": self.path("cache")}))
        for name, lane in reports[0]["lanes"].items():
            other = reports[1]["lanes"][name]
            self.assertEqual((lane["state"], lane["losses"], lane["test_accuracy"]), (other["state"], other["losses"], other["test_accuracy"]))
        self.assertEqual(reports[0]["lanes"]["cpu"]["state"], "ready")
        self.assertEqual(len(os.listdir(self.path("cache/lockstep/data"))), 1)

    def test_learns(self):
        report = self.train("--backends", "cpu", "--steps", "200")
        self.assertGreater(report["lanes"]["cpu"]["test_accuracy"], 0.9)


class Files(Case):
    def test_save_and_load(self):
        first = self.path("first.safetensors")
        args = [*TINY, "--backends", "cpu"]
        self.assertEqual(run("train", *args, "--steps", "25", "--save", first).returncode, 0)
        # What was saved is what is loaded: initial weights of a run that loads are those of the file.
        again = self.path("again.safetensors")
        result = run("train", *args, "--steps", "1", "--load", first, "--save-initial", again)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(first, "rb") as a, open(again, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_names_are_pytorchs(self):
        path = self.path("w.safetensors")
        self.assertEqual(run("train", *TINY, "--backends", "cpu", "--steps", "1", "--save", path).returncode, 0)
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(size))
        self.assertEqual(header["1.weight"]["shape"], [8, 2])
        self.assertEqual(header["3.weight"]["shape"], [3, 8])
        self.assertEqual(header["3.bias"]["dtype"], "F32")

    def test_save_as(self):
        path, args = self.path("h.safetensors"), [*TINY, "--backends", "cpu", "--steps", "1"]
        for name, dtype in ("bf16", "BF16"), ("fp16", "F16"), ("fp32", "F32"):
            result = run("train", *args, "--save", path, "--save-as", name)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, "rb") as file:
                header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
            self.assertEqual({header[name]["dtype"] for name in ("1.weight", "1.bias", "3.weight")}, {dtype})
            self.assertEqual(run("train", *args, "--load", path).returncode, 0)
        self.assertFails(run("train", *args, "--save-as", "fp16"), 2, "--save-as says how --save stores")
        for wrong in "", "FP16", "fp8", "fp16 ":
            self.assertFails(run("train", *args, "--save", path, "--save-as", wrong), 2,
                             f"--save-as takes one of fp32, bf16, fp16, not “{wrong}”.")

    def test_load_of_another_model(self):
        path = self.path("w.safetensors")
        run("train", *TINY, "--backends", "cpu", "--steps", "1", "--save", path)
        self.assertFails(run("train", "--backends", "cpu", "--load", path), 1)

    def test_record_and_export(self):
        recording, trace, table = self.path("r"), self.path("r.json"), self.path("r.csv")
        result = run("train", *TINY, "--backends", "cpu", "--steps", "12", "--record", recording)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run("export", recording, "--perfetto", trace, "--csv", table)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(len(load(trace)["traceEvents"]), 20)
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 20)
        self.assertIn("tile", {row["kind"] for row in rows})

    def test_export_of_something_else(self):
        path = self.path("x")
        with open(path, "wb") as file:
            file.write(b"no recording at all")
        self.assertFails(run("export", path, "--csv", self.path("x.csv")), 1)
        self.assertFalse(os.path.exists(self.path("x.csv")))


class Output(Case):
    def test_pipe_has_plain_lines(self):
        result = run("train", *TINY, "--backends", "cpu", "--steps", "3000")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("\x1b", result.stdout)
        self.assertNotIn("\r", result.stdout)
        self.assertIn("100 % of 3000 steps", result.stdout)
        self.assertLessEqual(result.stdout.count("% of 3000 steps"), 11)

    def test_terminal_has_a_bar(self):
        status, text = run_on_terminal("train", "--backends", "cpu", "--steps", "1500")
        self.assertEqual(status, 0, text)
        self.assertIn("\r\x1b[K[", text)
        self.assertRegex(text, r"\[#+-*\] +\d+ % of 1500 steps · CPU \d+ loss")
        # The bar goes away, and what stays is the table.
        tail = text.split("\x1b[K")[-1]
        self.assertIn("Lane", tail)
        self.assertNotIn("[#", tail)

    def test_time_left(self):
        """Nobody knows how long a driver builds: until it has, no time is told."""
        cold = {name: self.path(name) for name in ("XDG_CACHE_HOME", "POCL_CACHE_DIR")}
        status, text = run_on_terminal("train", "--steps", "4000", columns=120, env=cold)
        self.assertEqual(status, 0, text)
        lines = re.findall(r"\d+ (?:% of 4000 steps|of 4000) · [^\r]*", text)
        self.assertTrue(lines)
        for line in lines:
            if "opening" in line or "preparing" in line:
                self.assertNotIn(" left", line)
        self.assertTrue(any(" left" in line and "compiling" not in line for line in lines), text)

    def test_narrow_terminal_is_not_wrapped(self):
        for columns in 20, 40, 79:
            _, text = run_on_terminal("train", "--backends", "cpu", "--steps", "600", columns=columns)
            # the bar's lines, which the next one replaces; what is told for good ends with a line feed, and may be longer
            lines = re.findall(r"\r\x1b\[K([^\r\n\x1b]+)(?=\r[^\n]|\x1b|$)", text)
            self.assertTrue(lines)
            for line in lines:
                self.assertLess(len(line), columns)

    def test_dumb_terminal(self):
        _, text = run_on_terminal("train", *TINY, "--backends", "cpu", "--steps", "50", env={"TERM": "dumb"})
        self.assertNotIn("\x1b", text)

    def test_coretype_is_told(self):
        result = run("train", *TINY, "--backends", "cpu", "--steps", "1", env={"OPENBLAS_CORETYPE": "Haswell"})
        self.assertIn("OPENBLAS_CORETYPE=Haswell is ignored", result.stderr)
        result = run("train", *TINY, "--backends", "cpu", "--steps", "1", env={"LOCKSTEP_OPENBLAS_CORETYPE": "Haswell"})
        self.assertIn("as on Haswell", result.stderr)
        self.assertIn("Haswell", result.stdout)

    def test_no_opencl_trains_alone_and_says_why(self):
        result = run("train", *TINY, "--steps", "20", "--json", self.path("r.json"), env=NO_OPENCL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("OpenCL lane is parked", result.stderr)
        lanes = load(self.path("r.json"))["lanes"]
        self.assertEqual(len(lanes["cpu"]["losses"]), 20)
        self.assertEqual(lanes["opencl"]["state"], "failed")
        self.assertTrue(lanes["opencl"]["message"])

    def test_only_opencl_and_none_there(self):
        self.assertFails(run("train", *TINY, "--steps", "20", "--backends", "opencl", env=NO_OPENCL), 1)


class Interrupt(Case):
    def start(self, *args):
        """Starts a run that would last for minutes, and waits until it trains."""
        child = subprocess.Popen([PROGRAM, "train", "--backends", "cpu", "--epochs", "1000", *args], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=os.environ)
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stderr.close)
        for line in child.stdout:
            if line.startswith("CPU:"):
                break
        time.sleep(0.5)
        return child

    def check(self, number):
        weights, report, recording = self.path("w"), self.path("r.json"), self.path("rec")
        child = self.start("--save", weights, "--json", report)
        child.send_signal(number)
        self.assertEqual(child.wait(30), 130)
        steps = load(report)["lanes"]["cpu"]["steps"]
        self.assertEqual(len(load(report)["lanes"]["cpu"]["losses"]), steps)
        self.assertGreater(steps, 0)
        self.assertLess(steps, load(report)["target_steps"])
        self.assertGreater(os.path.getsize(weights), 900000)
        self.assertFalse(os.path.exists(recording))

    def test_ctrl_c(self):
        self.check(signal.SIGINT)

    def test_sigterm(self):
        self.check(signal.SIGTERM)

    def test_ctrl_c_where_weights_cant_be_written(self):
        """An interrupted run saves what there is: that it can't be written is a failure."""
        folder = self.path("gone")
        os.mkdir(folder)
        child = self.start("--save", os.path.join(folder, "w"))
        os.rmdir(folder)
        child.send_signal(signal.SIGINT)
        child.wait(30)
        errors = child.stderr.read()
        self.assertEqual(child.returncode, 1, f"the weights are lost, and it ends with {child.returncode}: {errors}")
        self.assertIn("gone/w", errors)

    def test_ctrl_c_before_the_first_step(self):
        child = subprocess.Popen([PROGRAM, "train", "--backends", "cpu", "--epochs", "1000"], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=os.environ)
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=30)
        self.assertIn(child.returncode, (130, -signal.SIGINT))


if __name__ == "__main__":
    main()
