# SPDX-License-Identifier: GPL-3.0-or-later
"""The fair fight: its panel by key in every view and by the mark between the heads; one line made unfair on purpose and fair again,
then all of them; signs have words, switches have names, and the run goes on."""
import re
import time

import drive

TWO = ["--lanes", "cpu(threads=1),cpu(threads=1,policy=static)", "--model", "flatten, dense 32, relu, dense 3", "--data", "spiral",
       "--batch", "32", "--steps", "100000000"]
MARK = re.compile("^(Is this a fair fight|An unfair comparison)")


class Fair(drive.Case):
    ends_s = 20

    def open_panel(self, window):
        since = window.mark()
        window.key("u")
        window.wait("fair", "open", since)
        time.sleep(0.5 * drive.PATIENCE)

    def labels(self, window):
        return [label.get_name() for label in window.find_all("label")]

    def switch(self, window, line):
        window.press(window.find(None, f"{line}: unfair on purpose"))

    def test_switches(self):
        window = self.open(*TWO)
        window.fill_screen()
        window.wait("first-step", timeout=30)
        window.focus()
        self.open_panel(window)
        words = self.labels(window)
        for said in "Is This a Fair Fight?", "Threads", "Both compute on 1 thread.", "Both compute with the same kernels.", "fair":
            self.assertIn(said, words)

        since = window.mark()
        self.switch(window, "Kernels")
        window.wait("lanes", "cpu(threads=1,cpu-kernels=naive),cpu(threads=1,policy=static)", since)
        window.wait("comparison", lambda value: "Kernels" in value, since)
        time.sleep(0.5 * drive.PATIENCE)
        words = self.labels(window)
        self.assertIn("unfair", words)
        self.assertTrue([said for said in words if "naive loops, one number at a time" in said], words)
        since = window.mark()
        self.switch(window, "Kernels")
        window.wait("lanes", "cpu(threads=1,cpu-kernels=blas),cpu(threads=1,policy=static)", since)
        window.wait("comparison", lambda value: "Kernels" not in value, since)

        since = window.mark()
        window.press(window.find(None, "Unfair on Purpose"))
        window.wait("fight", "unfair", since)
        window.wait("comparison", lambda value: "Kernels" in value, since)
        since = window.mark()
        window.press(window.find(None, "Fair Again"))
        window.wait("fight", "fair", since)
        window.wait("lanes", "cpu(threads=1,cpu-kernels=blas),cpu(threads=1,policy=static)", since)
        window.key("Escape")

        for view, key in window.views().items():
            since = window.mark()
            window.key(key)
            window.wait("view", view.lower(), since)
            time.sleep(0.5 * drive.PATIENCE)
            since = window.mark()
            window.press([mark for mark in window.find_all(("push button", "button"), MARK)][0])
            window.wait("fair", "open", since)
            time.sleep(0.3 * drive.PATIENCE)
            window.key("Escape")
            time.sleep(0.5 * drive.PATIENCE)
        step = int(window.last("step"))
        window.wait("step", lambda value: int(value) > step, timeout=30)
        self.close(window)

    def test_unknown(self):
        """What isn't known has no evidence; what is, has. Before a step there is no spread."""
        window = self.open(*TWO, "--pace", "step")
        window.fill_screen()
        window.wait("first-step", timeout=30)
        window.focus()
        self.open_panel(window)
        words = self.labels(window)
        states = [i for i, word in enumerate(words) if word in ("fair", "unfair", "not known")]
        self.assertIn("not known", words)
        for i in states:
            after = words[i + 1] if i + 1 < len(words) else ""
            if words[i] == "not known":
                self.assertNotIn(after, ("measured", "derived"), words)
        self.assertTrue([i for i in states if words[i] != "not known" and words[i + 1] in ("measured", "derived")], words)
        window.key("Escape")
        self.close(window)

    def test_right_lane(self):
        """A line about the right lane changes that one, and no other."""
        window = self.open("--lanes", "cpu(threads=1),opencl(batch-from=device)", *TWO[2:])
        window.fill_screen()
        window.wait("first-step", timeout=60)
        window.wait("device", lambda value: value.startswith("opencl"), timeout=180)  # its kernels may have to be compiled
        window.focus()
        self.open_panel(window)
        for source in "host", "device":
            since = window.mark()
            self.switch(window, "Transfers")
            window.wait("lanes", f"cpu(threads=1),opencl(batch-from={source})", since, timeout=30)
        window.key("Escape")
        self.close(window)


if __name__ == "__main__":
    drive.main()
