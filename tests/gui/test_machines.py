#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines in the real window: rows and assumptions by keys, a number that is typed, a device of the catalogue, and the network that
is converted and tested while training rests, or stopped."""

import os
import re
import time

import drive

SMALL = ("--lanes", "cpu,reference", "--model", "flatten, dense 16, relu, dense 10", "--batch", "8")
# Short: trained quickly where it is converted. At watch pace an epoch takes 10 s, so the window's run isn't over before that.
SHORT, ENDLESS = ("--epochs", "4"), ("--steps", "100000000")


class Machines(drive.Case):
    def open_machines(self, length=SHORT):
        window = self.open(*SMALL, *length, env={"XDG_DATA_HOME": self.folder})
        window.fill_screen()
        window.wait("first-step", timeout=30)
        window.focus()
        since = window.mark()
        self.assertEqual(window.views()["Machines"], "0")
        window.key("0")
        window.wait("view", "machines", since)
        self.canvas = next(a for a in window.find_all(None, "Machines") if a.get_role_name() not in ("list item", "label"))
        return window

    def test_assumptions(self):
        window = self.open_machines()
        self.told(window, r"Processor, modelled: [\d.]+.µs; .*Spiking neurons, modelled: ")
        for _ in range(2):
            window.key("Down")
        self.told(window, r"Picked: SIMT GPU\.")
        window.key("Right")
        before = self.told(window, r"Picked: .* It is ([\d.]+)").group(1)
        window.key("Up")
        more = self.told(window, rf"Picked: .*as said here.* It is (?!{re.escape(before)}\b)([\d.]+)").group(1)
        self.assertGreater(float(more), float(before))
        window.key("d")
        self.told(window, rf"It is {re.escape(before)}\b")
        # opened: the same one, with a number that is typed; one that can't be is asked for again
        window.key("Escape")
        window.key("Return")
        window.key("Right")
        self.told(window, r"Picked: .* It is ")
        for text, taken in ("many", False), ("7", True):
            if not taken:
                window.key("Return")
                popover = window.find(None, re.compile(r"^to start a kernel, 0 µs to|^\D+, [\d.]+.* to [\d.]+")).get_parent()
                self.assertIsNotNone(popover)
            window.key("ctrl+a")
            window.type(text)
            window.key("Return")
        self.told(window, r"as said here.* It is 7\b")
        # a device of the catalogue by key, and the drop-down follows
        window.key("Escape")
        drop = lambda: [a for a in window.find_all(None, re.compile("Assumptions of")) if a.get_role_name() not in ("label",)]
        self.assertTrue(drop(), window.tree())
        window.key("v")
        end = time.monotonic() + 10 * drive.PATIENCE
        while any(node.has(drive.Atspi.StateType.VISIBLE) for _, node in window.found("label", re.compile("each machine"))):
            self.assertLess(time.monotonic(), end, window.tree())
            time.sleep(0.1)
        self.quit(window)

    def converted(self):
        folder = os.path.join(self.folder, "lockstep", "machines")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def test_convert(self):
        window = self.open_machines()
        for _ in range(6):
            window.key("Down")
        self.told(window, r"Picked: NPU, int8 array\.")
        window.key("Return")
        window.find("push button", "Convert and Test", timeout=20)
        since = window.mark()
        window.key("ctrl+m")
        window.wait("playing", "no", since)
        window.wait("convert", "int8 done", since, timeout=120)
        window.wait("playing", "yes", since)
        self.assertTrue(any(name.startswith("int8-") for name in self.converted()), self.converted())
        self.told(window, r"with 8 bits [\d.]+ % right, as floats [\d.]+ %")
        self.quit(window)
        again = self.open_machines()
        self.told(again, r"with 8 bits [\d.]+ % right", timeout=30)
        self.quit(again)

    def test_stop(self):
        """While it is being trained; nothing of it is kept, and the run goes on."""
        window = self.open_machines(ENDLESS)
        for _ in range(7):
            window.key("Down")
        window.key("Return")
        window.find("push button", "Convert and Test", timeout=20)
        since = window.mark()
        window.key("ctrl+m")
        window.press(window.find("push button", "Stop", timeout=20))
        window.wait("convert", lambda text: text.startswith("spiking ") and "done" not in text, since, timeout=60)
        window.wait("playing", "yes", since)
        self.assertEqual(self.converted(), [])
        self.quit(window)


if __name__ == "__main__":
    drive.main()
