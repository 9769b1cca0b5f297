# SPDX-License-Identifier: GPL-3.0-or-later
"""What a screen reader is told: every widget that takes the focus has a name that means something, the canvas has its view's
name and a description that follows its state; and the keyboard alone reaches everything."""
import time

import drive
from drive import Atspi

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32", "--steps", "1000000"]


class Access(drive.Case):
    def assertNamed(self, window):
        found = self.nameless(window)
        self.assertFalse(found, "without a name:\n" + "\n".join(found))

    def test_names(self):
        window = self.open(*SMALL)
        window.wait("first-step", timeout=30)
        for key in window.views().values():
            window.key(key)
            time.sleep(0.4 * drive.PATIENCE)
            self.assertNamed(window)
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
        window.key("ctrl+comma")
        time.sleep(1)
        self.assertNamed(window)
        window.key("F10")
        window.find("menu item", "Export")
        self.assertEqual(window.find_all("menu item", ""), [], window.tree())
        window.key("Escape")
        self.close(window)

    def test_canvas(self):
        window = self.open(*SMALL)
        window.wait("first-step", timeout=30)
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
        told = set()
        for title, key in window.views().items():
            window.key(key)
            time.sleep(2.5)  # at most once in two seconds it is told anew
            canvases = window.pictures()
            self.assertEqual([a.get_name() for a in canvases], [title], window.tree())
            canvases[0].clear_cache()
            description = canvases[0].get_description()
            self.assertGreater(len(description), 40, description)
            self.assertIn("CPU", description)
            told.add(description)
        self.assertEqual(len(told), len(window.views()))
        # the picked mark is told
        window.key(window.views()["Partition"])
        time.sleep(2.5)
        canvas = window.pictures()[0]
        before = canvas.get_description()
        window.key("Return")
        time.sleep(0.5)
        canvas.clear_cache()
        self.assertNotEqual(canvas.get_description(), before)
        self.close(window)

    def test_tab_reaches_all(self):
        """Tab goes round through every part of the window and comes back to the canvas."""
        window = self.open(*SMALL)
        window.wait("first-step", timeout=30)
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
        seen = []
        for _ in range(60):
            window.key("Tab")
            time.sleep(0.05)
            focused = [node.where() for node in window.nodes() if node.has(Atspi.StateType.FOCUSED)]
            self.assertTrue(focused, f"after Tab nothing has the focus; it had been at {seen}")
            path = focused[-1]
            if path in seen:
                break
            seen.append(path)
        for part in "Play", "Step", "Main Menu", "Settings", "Machine time":
            self.assertTrue(any(part in path for path in seen), f"Tab doesn't reach “{part}”: {seen}")
        self.close(window)


if __name__ == "__main__":
    drive.main()
