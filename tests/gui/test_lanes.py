# SPDX-License-Identifier: GPL-3.0-or-later
"""Three lanes, of which two stand on stage: another one is chosen with the keyboard, and its switches change that lane alone."""
import re
import time

import drive

THREE = ["--lanes", "cpu,cpu,reference", "--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32", "--steps", "100000000"]
BUTTON = ("push button", "toggle button")  # a menu's and a drop-down's, by GTK's version


class Lanes(drive.Case):
    ends_s = 20

    def place(self, accessible):
        return drive.Atspi.Component.get_extents(accessible, drive.Atspi.CoordType.WINDOW)

    def leftmost(self, window, name):
        """Of those with that name on the stage that have room (GTK 4.8 also lists the others), once it stays where it is."""
        end, before = time.monotonic() + 10 * drive.PATIENCE, None
        while True:
            places = [(place.x, place.y, a) for a in window.find_all(BUTTON, name) if (place := self.place(a)).width > 0]
            left = min(places, key=lambda place: place[:2], default=None)
            if left and before and left[:2] == before[:2]:
                return left[2]
            before = left
            self.assertLess(time.monotonic(), end, window.tree())
            time.sleep(0.3)

    def choose(self, window, name, *keys):
        """An item of what that button opens, by keys."""
        window.focus()
        window.open_list(self.leftmost(window, name))
        window.key(*keys)

    def test_stands_and_switches(self):
        window = self.open(*THREE)
        window.fill_screen()
        window.wait("first-step", timeout=30)
        window.key(window.views()["Partition"])
        window.wait("view", "partition")

        for chosen, keys in ("reference", ["Down", "Down", "Return"]), ("cpu-2", ["Down", "Return"]):
            since = window.mark()
            self.choose(window, re.compile("^Lane on the left: "), *keys)
            window.wait("stands", f"0 {chosen}", since)
            time.sleep(0.7 * drive.PATIENCE)

        since = window.mark()
        self.choose(window, re.compile("^Schedule: "), "Home", "Return")
        window.wait("lanes", "cpu,cpu(policy=static),reference", since)
        window.wait("step", since=since, timeout=30)
        time.sleep(0.7 * drive.PATIENCE)
        since = window.mark()
        self.choose(window, re.compile("^Threads: "), "Down", "Return")
        window.wait("lanes", "cpu,cpu(threads=1,policy=static),reference", since)
        step = int(window.last("step"))
        window.wait("step", lambda value: int(value) > step, since, timeout=30)  # the run goes on

        self.close(window)


if __name__ == "__main__":
    drive.main()
