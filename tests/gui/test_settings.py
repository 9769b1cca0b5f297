# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set in the pane beside the stage, in the real window: another OpenCL device, its tuning, and a network edited layer by layer."""
import os
import re
import subprocess
import time

import drive

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32"]

DROP = ("push button", "toggle button")  # a drop-down's button, by GTK's version


class Settings(drive.Case):
    ends_s = 20

    def choose(self, window, row, *keys):
        """An item of a drop-down, by keys; what the row says then."""
        window.focus()
        window.open_list(window.find(DROP, re.compile(f"^{row}: ")))
        window.key(*keys)
        time.sleep(0.7 * drive.PATIENCE)
        window.focus()
        rows = window.find_all(DROP, re.compile(f"^{row}: "))  # none: another page has opened, and newer GTK tells no hidden ones
        return rows[0].get_name() if rows else None

    def run_with_these(self, window):
        """The new run's network; a mark from which on all that comes is the new run's. Until then the old one goes on: while the
        button is looked for, its lanes may still come, or tell of their devices once more."""
        since = window.mark()
        window.press(window.find("push button", "Run with these"))
        since = window.wait_mark("run", since=since)
        return window.events[since - 1].value, since

    def test_tune(self):
        """The tuner by keys: stopped, then to its end. What it says that it keeps is what is kept."""
        env = {"XDG_CACHE_HOME": self.folder}
        window = self.open_settings("--model", "flatten, dense 3", "--data", "spiral", "--batch", "32", env=env)
        before = set(window.window_ids())

        def start():
            window.press(window.find("push button", "Tune this device…"))
            drive.xdotool("windowfocus", *self.wait_dialog(window, before))
            window.key("Return")
            window.find("progress bar", "Tuning")

        start()
        window.key("Return")  # stops
        window.find("label", "Stopped. What was kept from earlier is as it was.", timeout=60)
        window.key("Return")  # closes
        self.wait_dialog(window, before, shown=False)
        self.assertIn("Nothing has been tuned", self.kept(env))

        start()
        said = window.find("label", re.compile("candidates were tried"), timeout=120).get_name()
        better, ops, tried = map(int, re.findall(r"\d+", said))
        self.assertIn("runs on a better kernel" if better == 1 else "run on better kernels", said)
        self.assertLessEqual(better, ops)
        self.assertGreater(tried, ops)
        rows = [re.match(r"([\d.]+) µs .* instead of ([\d.]+) µs .*: ([\d.]+) times as fast$", label.get_name())
                for label in window.find_all("label", re.compile("times as fast"))]
        self.assertEqual(len(rows), min(better, 12))
        won = [float(row[2]) - float(row[1]) for row in rows]
        # of numbers with one decimal
        for above, below in zip(won, won[1:]):
            self.assertGreaterEqual(above, below - 0.2, f"the rows aren't in the order of what they win: {won}")
        kept = re.findall(r"^\S+ .*\[.* … .*\] +(shipped is best|[\d.]+) +(\d+), \d+$", self.kept(env), re.MULTILINE)
        self.assertEqual((len([gain for gain, _ in kept if gain != "shipped is best"]), len(kept), sum(int(n) for _, n in kept)),
                         (better, ops, tried), said + "\n" + self.kept(env))
        window.key("Return")
        self.wait_dialog(window, before, shown=False)
        self.close(window)

    def kept(self, env):
        return subprocess.run([os.environ["LOCKSTEP"], "tune", "--list"], env={**os.environ, **env}, capture_output=True, check=True,
                              encoding="utf-8").stdout

    def test_device(self):
        """PoCL offers its devices as often as it is asked to; the one that is chosen is the one that runs."""
        window = self.open_settings(env={"POCL_DEVICES": "basic pthread"})
        width, height = map(int, drive.xdotool("getdisplaygeometry").split())
        drive.xdotool("mousemove", width - 200, height // 2, "click", "--repeat", 30, "--delay", 20, 5)  # the row is far down
        time.sleep(1 * drive.PATIENCE)
        for _ in range(2):
            before = window.find(DROP, re.compile("^Device: ")).get_name()
            end = time.monotonic() + 20 * drive.PATIENCE
            # the list has them once a process of its own has been asked
            while (label := self.choose(window, "Device", "Down", "Return")) == before:
                self.assertLess(time.monotonic(), end, window.tree())
            _, since = self.run_with_these(window)
            # its kernels may have to be compiled, on a machine that does other things too
            device = window.wait("device", lambda value: value.startswith("opencl"), since, timeout=180).value
            self.assertEqual("basic" in device, "basic" in label, f"“{label}” was chosen, {device} runs\n{window.report()}")
            window.wait("step", since=since, timeout=60)
        self.close(window)

    def test_layers(self):
        """A layer removed, undone, moved; a network typed that doesn't fit, and one that does, which runs."""
        window = self.open_settings(*SMALL)
        self.choose(window, "Hidden layers", "End", "Return")
        rows = window.find("list", "Layers")
        self.assertEqual(len(drive.children(rows)), 4, window.tree())
        window.click_on(drive.children(rows)[1])
        window.press(window.find("push button", "Remove the layer"))
        self.assertRows(window, 3)
        window.press(window.find("push button", "Undo the last change of the layers"))
        self.assertRows(window, 4)
        self.type_network(window, "flatten, danse 8, relu, dense 3")
        window.find("label", re.compile("danse"))
        self.type_network(window, "flatten, dense 8, relu, dense 3")
        self.assertRows(window, 4)
        window.click_on(drive.children(window.find("list", "Layers"))[1])
        window.click_on(window.find("push button", "Add a layer"))
        time.sleep(0.5 * drive.PATIENCE)
        window.key("Return")
        self.assertRows(window, 5)
        network, since = self.run_with_these(window)
        self.assertRegex(network, r"^flatten, dense 8, .*relu, dense 3$|^flatten, dense 8, \w+( \d+)?, relu, dense 3$")
        window.wait("step", since=since, timeout=60)
        self.close(window)

    def assertRows(self, window, n):
        end = time.monotonic() + 5 * drive.PATIENCE
        while (found := len(drive.children(window.find("list", "Layers")))) != n:
            self.assertLess(time.monotonic(), end, drive.Told(lambda: f"{found} rows\n{window.tree()}"))
            time.sleep(0.1)

    def type_network(self, window, text):
        window.focus()
        entry, end = window.find("text", "Network as text"), time.monotonic() + 8 * drive.PATIENCE
        while not drive.has_state(entry, drive.Atspi.StateType.FOCUSED):
            self.assertLess(time.monotonic(), end, f"clicks don’t get to the text\n{window.report()}")
            window.click_on(entry)
            time.sleep(0.3 * drive.PATIENCE)
        window.key("ctrl+a")
        window.type(text)
        time.sleep(1.5 * drive.PATIENCE)


if __name__ == "__main__":
    drive.main()
