# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line's tests share: running the built program, in a pipe or on a terminal of our own making."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = os.environ["LOCKSTEP"]
BENCH = os.environ["LOCKSTEP_BENCH"]  # the tool in tests/bench
TINY = ["--model", "flatten, dense 8, relu, dense 3", "--data", "spiral", "--batch", "16"]
NO_OPENCL = {"OCL_ICD_VENDORS": "/nonexistent"}
# one of what is said to be many; in a table stand more spaces before a word
ONE_OF_MANY = re.compile(r"(?m)(?:^|[(,;.·:] | of | in |[^\W\d]\. )1 (?!this|less|plus|does|has|was|with)[a-z]{2,}(?<![sui])s\b.*")


def run(*args, program=PROGRAM, env=None, cwd=None, timeout=120, **kwargs):
    """Runs `lockstep ARGS`; the result has returncode, stdout and stderr as text."""
    result = subprocess.run([program, *args], capture_output=True, text=True, timeout=timeout, cwd=cwd,
                            env={**os.environ, **(env or {})}, **kwargs)
    if wrong := ONE_OF_MANY.search(f"{result.stdout}\n{result.stderr}"):
        raise AssertionError(f"{args}: “{wrong.group()}” is for many")
    return result


def run_on_terminal(*args, columns=100, env=None, timeout=120):
    """Runs it on a pseudo-terminal; returns (exit status, everything it wrote)."""
    child, fd = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm", **(env or {})})
        os.environ["COLUMNS"] = str(columns)
        set_size(0, columns)  # by the child itself: the parent may come too late
        os.execv(PROGRAM, [PROGRAM, *args])
    data, end = b"", time.monotonic() + timeout
    while time.monotonic() < end:
        ready, _, _ = select.select([fd], [], [], 1)
        if not ready:
            continue
        try:
            piece = os.read(fd, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        data += piece
    else:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(fd)
    return os.waitstatus_to_exitcode(status), data.decode()


def table(text, head):
    """Cells of the table whose first line begins so: a list for each line, up to the first that has another number of them."""
    lines = text[re.search(rf"(?m)^ *{head}", text).start():].splitlines()
    rows = [re.split(r" {2,}", line.strip()) for line in lines]
    return [row for row in rows[1:next((i for i, row in enumerate(rows) if len(row) != len(rows[0])), None)]]


def load(path):
    with open(path) as file:
        return json.load(file)


def set_size(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


class Case(unittest.TestCase):
    """A test with a folder of its own, and the assertion that a failure is told as it should be."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lockstep-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def assertShows(self, cell, what, *values):
        """The numbers in a table's cell are these, rounded to the digits that are printed, of which four tell; a dash: none."""
        if values[0] is None:
            return self.assertEqual(cell, "–", what)
        numbers = re.findall(r"\d+(?:\.\d+)?", cell)
        self.assertEqual(len(numbers), len(values), f"{what}: numbers in “{cell}”")
        for number, value in zip(numbers, values):
            half = 0.5001 * 10 ** -len(number.partition(".")[2])
            self.assertLessEqual(abs(float(number) - value), half, f"{what} is “{cell}”, but {value} was measured")
            self.assertLess(half, max(0.001 * abs(value), 0.00051), f"{what}, “{cell}”, has too few digits")

    def assertShowsFigure(self, cell, what, figure):
        """As a median with its middle half."""
        if figure["n"] > 1:
            return self.assertShows(cell, what, figure["median"], figure["q1"], figure["q3"])
        self.assertShows(cell, what, figure["median"])

    def assertFails(self, result, status, *words):
        """The exit status, one sentence on stderr that names the words, and nothing that looks like a crash."""
        self.assertEqual(result.returncode, status, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("CRITICAL", result.stderr)
        self.assertNotIn("Assertion", result.stderr)
        first = result.stderr.strip().splitlines()[0]
        self.assertRegex(first, r"[.!?)]$")


def main():
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stderr, verbosity=2))
