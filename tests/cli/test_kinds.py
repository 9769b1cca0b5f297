# SPDX-License-Identifier: GPL-3.0-or-later
"""More to train, from start to end: an lstm, a residual network, and data of each kind, which `data` tells of and `train` trains with."""
import json
import os
import struct
import sys

from lockstep import Case, load, main, run, table

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data"))
import kinds  # noqa: E402

RESIDUAL = "flatten, dense 64, residual(relu, dense 64), dense 10"


class Networks(Case):
    def train(self, *args, **kwargs):
        result = run("train", *args, "--json", self.path("r.json"), **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result, load(self.path("r.json"))

    def assertSame(self, report):
        """The lanes' losses are the same, bit for bit, and go down."""
        losses = [lane["losses"] for lane in report["lanes"].values()]
        self.assertEqual(len(losses), 2)
        self.assertEqual(losses[0], losses[1])
        self.assertLess(sum(losses[0][-5:]), sum(losses[0][:5]))

    def tensors(self, path):
        with open(path, "rb") as file:
            head = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        return {name: about["shape"] for name, about in head.items() if name != "__metadata__"}

    def test_lstm(self):
        """The preset, on one thread and on two; four gates apart give what one op gives."""
        result, report = self.train("--model", "lstm", "--lanes", "cpu,cpu(threads=1,fusion=off)", "--batch", "32", "--steps", "40", "--lr", "0.1",
                                    "--save", self.path("w.safetensors"))
        self.assertIn("Model lstm", result.stdout)
        self.assertSame(report)
        self.assertEqual(self.tensors(self.path("w.safetensors")), {
            "0.weight_ih_l0": [512, 28], "0.weight_hh_l0": [512, 128], "0.bias_ih_l0": [512], "0.bias_hh_l0": [512],
            "1.weight": [10, 128], "1.bias": [10]})
        again = run("train", "--model", "lstm", "--backends", "cpu", "--steps", "1", "--load", self.path("w.safetensors"))
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_residual(self):
        """Its weights are named as torch's Sequential in a Sequential has them."""
        _, report = self.train("--model", RESIDUAL, "--lanes", "cpu,cpu(threads=1)", "--batch", "32", "--steps", "30",
                               "--save", self.path("w.safetensors"))
        self.assertSame(report)
        self.assertEqual(sorted(self.tensors(self.path("w.safetensors"))), ["1.bias", "1.weight", "2.1.bias", "2.1.weight", "3.bias", "3.weight"])
        self.assertIn("add", run("plan", "--model", RESIDUAL).stdout)

    def test_half(self):
        """The same lane in bf16 beside itself: said to be stored otherwise, and close."""
        result, report = self.train("--model", "mlp", "--lanes", "cpu,cpu(precision=bf16)", "--batch", "64", "--steps", "40")
        self.assertIn("bf16", result.stdout)
        losses = [lane["losses"] for lane in report["lanes"].values()]
        self.assertNotEqual(losses[0], losses[1])
        self.assertLess(max(abs(a - b) for a, b in zip(*losses)), 0.05)
        self.assertAlmostEqual(report["agreement"]["loss_tolerance"], 0.001 + 2 ** -8)


class Kinds(Case):
    def setUp(self):
        super().setUp()
        some = kinds.digits(400)
        self.train_set, self.test_set = some[:320], some[320:]

    def check(self, path, words, shape, n_train, n_test, names, *options):
        """What `data` says of it, and that it can be learnt from."""
        result = run("data", path, "--json", self.path("d.json"), *options)
        if "was built without gdk-pixbuf" in result.stderr:
            self.skipTest("this Lockstep decodes no images")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(words, result.stdout)
        found = load(self.path("d.json"))
        self.assertEqual((found["shape"], found["train"], found["test"]), (shape, n_train, n_test))
        self.assertEqual([c["name"] for c in found["classes"]], names)
        counts = [[c["name"], str(c["train"]), str(c["test"])] for c in found["classes"]]
        self.assertEqual(table(result.stdout, "Class "), counts)
        self.assertEqual([sum(c[part] for c in found["classes"]) for part in ("train", "test")], [n_train, n_test])
        trained = run("train", "--data", path, "--backends", "cpu", "--steps", "150", "--json", self.path("r.json"), *options)
        self.assertEqual(trained.returncode, 0, trained.stderr)
        self.assertIn(f"{n_train} samples to train, {n_test} to test", trained.stdout)
        lane = load(self.path("r.json"))["lanes"]["cpu"]
        self.assertEqual(len(lane["losses"]), 150)
        self.assertGreater(lane["test_accuracy"], 0.6)
        return found

    def test_table(self):
        self.check(kinds.put_table(self.path("leaves.csv")), "a table (CSV or TSV)", [4, 1, 1], 108, 12, ["ash", "elm", "oak"])

    def test_pngs(self):
        found = self.check(kinds.put_pngs(self.path("digits"), self.train_set), "a folder of images for each class", [1, 28, 28], 288, 32,
                           [str(i) for i in range(10)])
        self.assertTrue(found["split"])

    def test_npz(self):
        found = self.check(kinds.put_npz(self.path("digits.npz"), self.train_set, self.test_set), "NumPy arrays", [1, 28, 28], 320, 80,
                           [str(i) for i in range(10)])
        self.assertFalse(found["split"])

    def test_cifar(self):
        self.check(kinds.put_cifar(self.path("cifar"), self.train_set, self.test_set), "CIFAR", [3, 32, 32], 320, 80,
                   [f"digit {i}" for i in range(10)])

    def test_few(self):
        """A batch that suits so few is suggested, not one that can't be drawn."""
        result = run("data", kinds.put_npz(self.path("few.npz"), self.train_set[:54], self.test_set))
        self.assertIn("--batch 32", result.stdout)
        trained = run("train", "--data", self.path("few.npz"), "--backends", "cpu", "--steps", "3")
        self.assertEqual(trained.returncode, 0, trained.stderr)
        self.assertIn("3 steps of 32 samples", trained.stdout)

    def test_lstm_on_images(self):
        """Rows of an image are a sequence, whatever it was read from."""
        path = kinds.put_npz(self.path("digits.npz"), self.train_set, self.test_set)
        result = run("train", "--data", path, "--model", "lstm 16, dense 10", "--lanes", "cpu,cpu(threads=1)", "--batch", "32", "--steps", "10",
                     "--json", self.path("r.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        losses = [lane["losses"] for lane in load(self.path("r.json"))["lanes"].values()]
        self.assertEqual(losses[0], losses[1])


if __name__ == "__main__":
    main()
