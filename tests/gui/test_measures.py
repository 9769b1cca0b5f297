#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Views that measure: the button and Ctrl+M start and stop it, training rests meanwhile and goes on, and what was measured is there
at the next start."""

import json
import os
import re
import time

import drive

SMALL = ("--lanes", "cpu,reference", "--model", "flatten, dense 16, relu, dense 10", "--batch", "8")

# To data-parallel, the fifteenth in the course of claims: nothing of it is measured here, so it takes no time.
PARALLEL = ["Down"] * 15


class Measures(drive.Case):
    def open_view(self, title):
        window = self.open(*SMALL, env={"XDG_DATA_HOME": self.folder})
        window.fill_screen()
        window.wait("first-step", timeout=30)
        window.focus()
        since = window.mark()
        window.key(window.views()[title])
        window.wait("view", title.lower(), since)
        return window

    def kept(self):
        folder = os.path.join(self.folder, "lockstep", "lab")
        return sorted(name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name != "lock")

    def begun(self, start):
        """Whether an unfinished result is kept; while it is written a file of another ending stands beside it."""
        return any(name.startswith(start) and name.endswith(".part") for name in self.kept())

    def test_crossover(self):
        window = self.open_view("Crossover")
        self.assertEqual(window.find("push button", re.compile("^Measure$")).get_name(), "Measure")
        since = window.mark()
        window.key("ctrl+m")
        window.find("push button", "Stop")
        window.wait("playing", "no", since)
        end = time.monotonic() + 60 * drive.PATIENCE
        while not self.begun("crossover-") and time.monotonic() < end:
            time.sleep(0.2)
        self.assertTrue(self.begun("crossover-"), self.kept())
        window.press(window.find("push button", "Stop"))
        window.wait("lab", lambda text: text.startswith("crossover ") and "stopped" in text, since, timeout=30)
        window.wait("playing", "yes", since)
        window.find("push button", "Go On")
        self.quit(window)
        # the next one knows of it, and says where it was broken off
        again = self.open_view("Crossover")
        again.find("push button", "Go On", timeout=20)
        self.quit(again)

    def guess_of(self, name):
        folder = os.path.join(self.folder, "lockstep", "claims")
        for file in os.listdir(folder) if os.path.isdir(folder) else []:
            if file.startswith(name):
                with open(os.path.join(folder, file)) as stream:
                    return json.load(stream)["guess"]["value"]
        return None

    def test_claims(self):
        """A guess by keys comes before the button that runs; both are kept, and then no other guess is taken."""
        window = self.open_view("Claims")
        window.key(*PARALLEL)
        window.key("Right")
        button = window.find("push button", "Run", timeout=20)
        since = window.mark()
        window.press(button)
        window.wait("claim", "data-parallel done", since, timeout=60)
        self.assertEqual(self.guess_of("data-parallel"), 100)
        window.find("push button", "Run Again", timeout=20)
        window.focus()
        window.key("Right")
        self.quit(window)
        again = self.open_view("Claims")
        again.key(*PARALLEL)
        again.find("push button", "Run Again", timeout=20)
        self.quit(again)
        self.assertEqual(self.guess_of("data-parallel"), 100)

    def test_laid_over(self):
        """What is switched above Roofline leaves the ops of before under those that come."""
        window = self.open_view("Roofline")
        self.canvas = window.pictures()[0]
        self.told(window, r"The longest op is [^;]*\.")
        window.key("space")
        since = window.mark()
        window.open_list(window.find(("push button", "toggle button"), re.compile("^Kernel fusion: ")))
        window.key("Up", "Return")
        window.focus()
        window.key("space")
        window.wait("step", since=since, timeout=30)
        self.told(window, r"The longest op is .*; in the other recording [0-9.]+")
        self.quit(window)


if __name__ == "__main__":
    drive.main()
