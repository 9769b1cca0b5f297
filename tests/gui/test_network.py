# SPDX-License-Identifier: GPL-3.0-or-later
"""Network in the real window: samples, pages, the pad by keys, the plane. Both lanes answer what they are asked."""
import re
import time

import drive

DIGITS = ["--model", "flatten, dense 32, relu, dense 10", "--data", "mnist", "--batch", "32"]
SPIRAL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32"]


class Network(drive.Case):
    def open_network(self, *args):
        window = self.open(*args)
        window.wait("first-step", timeout=30)
        try:
            window.wait("rate", lambda value: value.startswith("opencl "), timeout=60)  # a compiler's first run takes long
        except AssertionError:
            self.assertIsNone(window.process.poll(), window.report())
            self.skipTest("there is no OpenCL device")
        window.fill_screen()
        since = window.mark()
        window.key(window.views()["Network"])
        window.wait("view", "network", since)
        self.canvas = next(a for a in window.find_all(None, "Network") if a.get_role_name() not in ("list item", "label"))
        return window

    def answered(self, window, since, what):
        """Both lanes have; what each says."""
        found = [window.wait("answer", lambda value, side=side: value.startswith(f"{side} {what} "), since, 20) for side in ("cpu", "opencl")]
        return [event.value.split()[-1] for event in found]

    def test_samples(self):
        """The batch's, a mistake of the test set, the pages."""
        window = self.open_network(*DIGITS)
        self.told(window, r"Sample 1 of 32\b")
        window.key("n")
        self.told(window, r"Sample 2 of 32\b")
        window.key("N")
        self.told(window, r"Sample 1 of 32\b")
        self.told(window, r"Of the test set’s \d+ samples \d+ are right", 20)
        since = window.mark()
        window.key("m")
        first = self.told(window, r"Test sample (\d+), labelled (\d), said to be \d\..* CPU .*says \d with .* OpenCL .*says \d with").group(1)
        self.assertEqual(len(self.answered(window, since, f"test {first}")), 2)
        window.key("m")
        first = self.told(window, rf"Test sample (?!{first},)(\d+), labelled").group(1)
        since = window.mark()
        window.key("g")
        popover = window.find(None, re.compile("Test sample, 0 to")).get_parent()
        end = time.monotonic() + 10 * drive.PATIENCE
        while not any(drive.has_state(inside, drive.Atspi.StateType.FOCUSED) for inside in drive.walk(popover)):
            self.assertLess(time.monotonic(), end, "the entry has the keys")
            time.sleep(0.05)
        window.key("ctrl+a")
        window.type("123")
        window.key("Return")
        self.told(window, r"Test sample 123, labelled")
        self.answered(window, since, "test 123")
        first = 123
        for _ in range(3):  # all pages, and round to the first
            window.key("v")
            time.sleep(0.3 * drive.PATIENCE)
            self.told(window, rf"Test sample {first}, labelled")
        window.key("b")
        self.told(window, r"Sample 1 of 32\b")
        self.close(window)

    def test_pad(self):
        """A stroke by keys: both lanes read it; what was drawn can be cleared, and the batch is back."""
        window = self.open_network(*DIGITS)
        window.key("d")
        self.told(window, r"The pen is up, 50 % from the left and 50 % from the top")
        for _ in range(8):
            window.key("Up")
        since = window.mark()
        window.key("space")
        for _ in range(16):
            window.key("Down")
        self.told(window, r"What you have drawn, said to be \d\. CPU .*says \d with .* OpenCL .*says \d with .* The pen is down, 50 % from the left and 79 %")
        self.answered(window, since, "drawn")
        window.key("Delete", "Escape", "b")
        self.told(window, r"Sample 1 of 32\b")
        since = window.mark()
        self.drag(window)
        self.told(window, r"What you have drawn, said to be \d\. CPU .*says \d with .* OpenCL .*says \d with")
        self.answered(window, since, "drawn")
        self.close(window)

    def drag(self, window):
        """A stroke of the pointer over the pad."""
        x, y, size = (float(word) for word in window.last("pad").split())
        box = drive.Atspi.Component.get_extents(self.canvas, drive.Atspi.CoordType.WINDOW)
        x, y = box.x + x + size / 2, box.y + y + size / 4
        drive.xdotool("mousemove", int(x), int(y), "mousedown", 1)
        for _ in range(8):
            drive.xdotool("mousemove_relative", "--", 0, int(size / 16))
        drive.xdotool("mouseup", 1)

    def test_plane(self):
        """What each lane makes of the whole plane, beside the layers and as a page."""
        window = self.open_network(*SPIRAL)
        since = window.mark()
        self.answered(window, since, "grid")
        window.key("v")
        self.told(window, r"The plane: of [\d\s]+ points the lanes say the same of \d+|The planes are those after step \d")
        self.assertIsNone(window.last("pad"))
        self.close(window)


if __name__ == "__main__":
    drive.main()
