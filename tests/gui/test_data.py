# SPDX-License-Identifier: GPL-3.0-or-later
"""Data of one's own in the real window: a table through the pane's dialog, a folder of images and the same digits as .npz that the window is opened
with; what was found and the first samples stand in the pane, and what is chosen there the next run trains with."""
import os
import re
import sys
import time

import drive

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data"))
import kinds  # noqa: E402

TWO_CLASSES = ["--data", "xor", "--batch", "32", "--lanes", "cpu,cpu(threads=1)"]
DROP = ("push button", "toggle button")


class Data(drive.Case):
    first_s, ends_s = 60, 20

    def assertSamples(self, window, words, names, n=20):
        """The sentence, and so many samples, each with its class below it."""
        window.find("label", re.compile(words), timeout=20)
        labels = [a.get_name() for cell in window.find_all("table cell") for a in drive.walk(cell)
                  if a.get_role_name() == "label" and a.get_name() in names]
        self.assertEqual(len(labels), n, window.tree())
        self.assertEqual(set(labels), set(names))

    def test_table_by_dialog(self):
        path = kinds.put_table(os.path.join(self.folder, "leaves.csv"))
        window = self.open_settings(*TWO_CLASSES)
        before = len(window.window_ids())
        window.focus()
        window.open_list(window.find(DROP, re.compile("^Other data: ")))
        window.key("End", "Return")
        end = time.monotonic() + 20 * drive.PATIENCE
        while len(window.window_ids()) == before:
            self.assertLess(time.monotonic(), end, window.tree())
            time.sleep(0.1)
        time.sleep(1 * drive.PATIENCE)
        window.focus()
        window.key("ctrl+l")
        time.sleep(0.5 * drive.PATIENCE)
        window.key("ctrl+a")
        window.type(path)
        time.sleep(1 * drive.PATIENCE)
        window.key("shift+End", "Delete", "Return")  # without what GTK has completed (4.18: also where typing was faster)
        self.assertSamples(window, "4 values, 3 classes; 108 samples to train, 12 to test", ("ash", "elm", "oak"))
        since = window.mark()
        window.focus()
        window.press(window.find("push button", "Run with these"))
        since = window.wait_mark("run", lambda model: model.endswith("dense 3"), since)  # one unit a class
        window.wait("step", since=since, timeout=60)
        self.close(window)

    def test_pictures(self):
        """A folder of PNG files; the network, which was given, reads their rows."""
        path = kinds.put_pngs(os.path.join(self.folder, "digits"), kinds.digits(300))
        window = self.open_settings("--data", path, "--model", "lstm 8, dense 10", "--batch", "32", "--lanes", "cpu,cpu(threads=1)",
                                    "--steps", "900000")
        self.assertSamples(window, "28×28, 10 classes; 270 samples to train, 30 to test", [str(i) for i in range(10)])
        keys = {title.lower(): key for title, key in window.views().items()}
        for view in "timeline", "network", "race":
            window.focus()
            since = window.mark()
            window.key(keys[view])
            window.wait("view", view, since)
        self.close(window)

    def test_arrays(self):
        some = kinds.digits(300)
        path = kinds.put_npz(os.path.join(self.folder, "digits.npz"), some[:240], some[240:])
        window = self.open_settings("--data", path, "--lanes", "cpu,cpu(threads=1)", "--steps", "900000")
        self.assertSamples(window, "28×28, 10 classes; 240 samples to train, 60 to test", [str(i) for i in range(10)])
        self.close(window)


if __name__ == "__main__":
    drive.main()
