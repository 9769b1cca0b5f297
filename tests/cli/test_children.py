# SPDX-License-Identifier: GPL-3.0-or-later
"""The program's own children: what the terminal tells all of them is the parent's, and none outlives it."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from lockstep import PROGRAM, TINY, Case, main, run


class Children(Case):
    def serve(self, parent):
        return subprocess.Popen([PROGRAM, "--opencl-child", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, env={**os.environ, "LOCKSTEP_PARENT": str(parent)})

    def ask(self, child, **what):
        child.stdin.write(json.dumps({"bytes": 0, **what}).encode() + b"\n")
        child.stdin.flush()
        return json.loads(child.stdout.readline())

    def test_ctrl_c_is_the_parents(self):
        with self.serve(os.getpid()) as child:
            self.assertIn("fly", self.ask(child, do="fly")["message"])
            for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP:
                child.send_signal(number)
            self.assertIn("fly", self.ask(child, do="fly")["message"])
            child.stdin.close()
            self.assertEqual(child.wait(10), 0)

    def test_what_it_cannot_do(self):
        with self.serve(os.getpid()) as child:
            for what in {"do": "run"}, {"do": "open"}, {"do": 3}, {}, {"do": "open", "options": {"batch": "x"}}:
                self.assertTrue(self.ask(child, **what)["message"], what)
            child.stdin.close()
            self.assertEqual(child.wait(10), 0)

    def test_without_its_parent_it_ends(self):
        with self.serve(1) as child:
            self.assertEqual(child.wait(10), 1)
            self.assertEqual(child.stdout.read(), b"")

    def files(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.folder) for name in names)

    def test_ctrl_c_keeps_the_drivers_cache(self):
        env = {**os.environ, "XDG_CACHE_HOME": self.folder}
        env.pop("POCL_CACHE_DIR", None)  # only the program's own would be emptied
        command = [PROGRAM, "train", *TINY, "--steps", "100000"]
        result = subprocess.run([PROGRAM, "train", *TINY, "--steps", "20"], env=env, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        before = self.files()
        for i in range(8):
            child = subprocess.Popen(command, env=env, start_new_session=True, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE)
            time.sleep(0.05 + 0.1 * i)
            os.killpg(child.pid, signal.SIGINT)
            child.communicate(timeout=60)
            self.assertLessEqual(set(before), set(self.files()), f"after Ctrl-C at {0.05 + 0.1 * i:.2f} s")

    def test_program_that_was_replaced(self):
        """An update takes the program's file away while it runs: lanes are still opened."""
        copy = shutil.copy(PROGRAM, self.path("lockstep"))
        env = {name: value for name, value in os.environ.items() if name != "LOCKSTEP_SELF"}
        child = subprocess.Popen([copy, "train", *TINY, "--steps", "20", "--backends", "cpu,opencl"], env=env,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.unlink(copy)
        out, err = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 0, err)
        self.assertRegex(out, r"OpenCL +20 ", err)

    def test_kernel_that_crashes(self):
        """At once; and on values that only training makes, which no trial has seen."""
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "kernels_cl", "softmax.cl")
        mark = "  *loss = log_float (sum)"
        with open(source) as file:
            text = file.read()
        self.assertIn(mark, text)
        for when in "largest < 1e9f", "largest > 5.0f":
            with self.subTest(when), open(self.path("softmax.cl"), "w") as file:
                file.write(text.replace(mark, f"  if ({when}) *(volatile __global int *) 64 = 1;\n{mark}"))
                file.close()
                result = run("train", *TINY, "--backends", "cpu,opencl", "--kernel", "naive", "--steps", "200", "--lr", "0.5",
                             env={"LOCKSTEP_KERNEL_DIR": self.folder})
                self.assertEqual(result.returncode, 0, result.stderr)  # the other lane has done what was asked for
                self.assertRegex(result.stderr, r"edited kernels \(softmax\.cl\).*signal 11")
                self.assertRegex(result.stdout, r"CPU +200 ")

    @unittest.skipIf("LOCKSTEP_SANITIZED" in os.environ, "a sanitizer maps more than any limit")
    def test_little_memory(self):
        """Whatever the limit on the address space: it trains, or ends with a sentence, and soon."""
        for megabytes in 100, 200, 300, 400, 500, 600, 800, 1100, 1300, 2000:
            with self.subTest(megabytes):
                limit = megabytes * 1000000
                result = run("train", *TINY, "--steps", "20", "--backends", "cpu,opencl", timeout=60,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                if result.returncode == 127:  # Debian 13's libraries don't fit into 100 MB: the loader says so, before the program
                    self.assertEqual(megabytes, 100)
                    self.assertRegex(result.stderr, "while loading shared libraries")
                    continue
                if megabytes < 500:
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertRegex(result.stderr, rf"needs 500 MB of address space, and the limit is {megabytes} MB")
                    continue
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertRegex(result.stdout, r"CPU +20 ")
                if megabytes < 1200:
                    self.assertRegex(result.stderr, rf"OpenCL needs 1200 MB of address space, and the limit is {megabytes}")
                else:
                    self.assertRegex(result.stdout, r"OpenCL +20 ")


if __name__ == "__main__":
    main()
