# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that can't be read, places that can't be written, disks that are full: one sentence, exit status 1, nothing lost."""
import gzip
import os
import resource
import shutil
import struct

from lockstep import TINY, Case, main, run

CPU = ["--backends", "cpu", "--steps", "2"]


def idx(magic, shape, data):
    return struct.pack(">I", magic) + b"".join(struct.pack(">I", n) for n in shape) + data


class Data(Case):
    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def good(self):
        for name in "train", "t10k":
            self.write(f"{name}-images-idx3-ubyte", idx(0x803, (8, 3, 3), bytes(range(72))))
            self.write(f"{name}-labels-idx1-ubyte", idx(0x801, (8,), bytes([0, 1] * 4)))

    def train(self):
        return run("train", *CPU, "--data", self.folder, "--batch", "4", "--model", "flatten, dense 2")

    def test_good_folder_plain_and_gzip(self):
        self.good()
        self.assertEqual(self.train().returncode, 0, self.train().stderr)
        path = self.path("train-images-idx3-ubyte")
        with open(path, "rb") as source, gzip.open(path + ".gz", "wb") as target:
            shutil.copyfileobj(source, target)
        os.unlink(path)
        self.assertEqual(self.train().returncode, 0, self.train().stderr)

    def test_no_such_folder(self):
        result = run("train", *CPU, "--data", "/nonexistent/data")
        self.assertIn(result.returncode, (1, 2))
        self.assertIn("/nonexistent/data", result.stderr)

    def test_empty_folder(self):
        self.assertFails(self.train(), 1)

    def test_each_missing_file(self):
        for name in sorted(f"{a}-{b}" for a in ("train", "t10k") for b in ("images-idx3-ubyte", "labels-idx1-ubyte")):
            self.good()
            os.unlink(self.path(name))
            self.assertFails(self.train(), 1)

    def test_bad_contents(self):
        images = idx(0x803, (8, 3, 3), bytes(72))
        bad = {
            "cut short": images[:-1],
            "too long": images + b"x",
            "wrong magic": idx(0x802, (8, 3, 3), bytes(72)),
            "no dimension": idx(0x803, (8, 0, 3), b""),
            "overflow": idx(0x803, (0xffffffff, 0xffffffff, 0xffffffff), b""),
            "header cut": images[:10],
            "empty": b"",
            "more labels than images": idx(0x803, (7, 3, 3), bytes(63)),
            "cut gzip": gzip.compress(images)[:-9],
        }
        for what, data in bad.items():
            with self.subTest(what):
                self.good()
                self.write("train-images-idx3-ubyte", data)
                self.assertFails(self.train(), 1)

    def test_batch_larger_than_the_set(self):
        self.good()
        self.assertFails(run("train", *CPU, "--data", self.folder, "--model", "flatten, dense 2", "--batch", "9"), 2)

    def test_loss_that_is_no_number(self):
        result = run("train", "--backends", "cpu", "--steps", "50", "--lr", "1000000", "--json", self.path("r.json"))
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("lane is parked", result.stderr)


class Outputs(Case):
    def test_no_such_folder_is_told_before_training(self):
        for option in "--save", "--save-initial", "--record", "--json":
            result = run("train", *TINY, *CPU, option, "/nonexistent/x")
            self.assertFails(result, 1, "/nonexistent")
            self.assertNotIn("steps", result.stdout)

    def test_a_folder_is_no_file(self):
        self.assertFails(run("train", *TINY, *CPU, "--save", self.folder), 1, "folder")

    def test_device_is_not_replaced(self):
        self.assertFails(run("train", *TINY, *CPU, "--save", "/dev/null"), 1)

    def test_full_disk_keeps_the_old_file(self):
        path = self.path("weights")
        with open(path, "w") as file:
            file.write("the old file")

        def limit():  # a write beyond this fails, as on a full disk
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        result = run("train", *CPU, "--save", path, "--json", self.path("r.json"), preexec_fn=limit)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("weights", result.stderr)
        with open(path) as file:
            self.assertEqual(file.read(), "the old file")
        # The smaller file that was asked for, too, is there.
        self.assertTrue(os.path.exists(self.path("r.json")))
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.json", "weights"])

    def test_load_of_what_is_no_file(self):
        os.mkfifo(self.path("fifo"))
        for path in self.path("missing"), self.folder, "/dev/zero", self.path("fifo"):
            self.assertFails(run("train", *TINY, *CPU, "--load", path, timeout=20), 1)

    def test_hostile_weights(self):
        for header in b"{", b"[]", b'{"a":' * 5000, b'{"1.weight":{"dtype":"F32","shape":[-1,2],"data_offsets":[0,64]}}':
            with open(self.path("w"), "wb") as file:
                file.write(struct.pack("<Q", len(header)) + header)
            self.assertFails(run("train", *TINY, *CPU, "--load", self.path("w")), 1)
        with open(self.path("w"), "wb") as file:
            file.write(b"\xff" * 8)
        self.assertFails(run("train", *TINY, *CPU, "--load", self.path("w")), 1)

    def test_missing_home(self):
        env = {"HOME": "/proc/nohome", "XDG_CACHE_HOME": "/proc/nohome", "XDG_CONFIG_HOME": "/proc/nohome"}
        self.assertEqual(run("train", *TINY, *CPU, env=env).returncode, 0)


if __name__ == "__main__":
    main()
