# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that was computed is lost: what can't be saved is told before the first step."""
import os
import stat

from lockstep import TINY, Case, main, run

CPU = ["--backends", "cpu", "--steps", "2"]
LARGE = "flatten, dense 65536, dense 256, dense 10"  # 272,903,808 bytes of weights
WRITERS = {
    "train": [[*TINY, *CPU], ["--save", "--save-initial", "--record", "--json"]],
    "plan": [TINY, ["--json"]],
    "compare": [[*TINY, "--backends", "cpu"], ["--json"]],
    "devices": [[], ["--json"]],
    "bench": [["--quick", "--backends", "cpu"], ["--json"]],
    "lab": [["batch", "--backends", "cpu", "--quick"], ["--json", "--csv", "--out"]],
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


if __name__ == "__main__":
    main()
