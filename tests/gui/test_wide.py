# SPDX-License-Identifier: GPL-3.0-or-later
"""A window as wide as a 4K screen: two views side by side, which ask the same question."""
import time

import drive

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32"]


class Wide(drive.Case):
    def open_wide(self):
        window = self.open(*SMALL)
        window.wait("first-step", timeout=30)
        window.fill_screen()
        window.wait("views")
        window.wait("step")
        return window

    def descriptions(self, window):
        for picture in window.pictures():
            picture.clear_cache()
        return [picture.get_description() for picture in window.pictures()]

    def test_two_views(self):
        """Race and Partition at first; number keys are for the one that was clicked; one view again, and two."""
        window = self.open_wide()
        self.assertEqual(window.last("views"), "partition")
        pictures = window.pictures()
        self.assertEqual([picture.get_name() for picture in pictures], ["Race", "Partition"])
        since = window.mark()
        window.click_on(pictures[1])
        window.key(window.views()["Curves"])
        window.wait("view", "curves", since)
        self.assertEqual([picture.get_name() for picture in window.pictures()], ["Race", "Curves"])
        since = window.mark()
        window.click_on(pictures[0])
        window.key(window.views()["Timeline"])
        window.wait("view", "timeline", since)
        self.assertEqual([picture.get_name() for picture in window.pictures()], ["Timeline", "Curves"])
        since = window.mark()
        window.key(window.views()["Curves"])
        window.wait("view", "curves", since)
        # the same isn't shown twice: they change places
        self.assertEqual([picture.get_name() for picture in window.pictures()], ["Curves", "Timeline"])
        since = window.mark()
        window.key(window.views()["Timeline"])
        window.wait("view", "timeline", since)
        since = window.mark()
        window.key("b")
        window.wait("views", "one", since)
        window.key("b")
        window.wait("views", "curves", since)
        self.close(window)

    def test_one_pick(self):
        """A mark that is picked in one is said of the other, too."""
        window = self.open_wide()
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
        window.click_on(window.pictures()[1])
        window.key("Escape")
        end = time.monotonic() + 60 * drive.PATIENCE
        while True:  # what is said follows; and a lane that is only now built changes it
            time.sleep(2.5 * drive.PATIENCE)
            before = self.descriptions(window)
            if not any("Compiling" in words for words in before):
                break
            self.assertLess(time.monotonic(), end, before)
        window.key("Return")
        time.sleep(2.5 * drive.PATIENCE)
        picked = self.descriptions(window)
        for was, now in zip(before, picked):
            self.assertTrue(now.startswith(was) and len(now) > len(was) + 10, (was, now))
        self.assertEqual(picked[0][len(before[0]):], picked[1][len(before[1]):])
        window.key("Escape")
        time.sleep(2.5 * drive.PATIENCE)
        self.assertEqual(self.descriptions(window), before)
        self.close(window)

    def switches(self, window, title):
        """Those above Tiles, on whichever side that is. Of the other side's, which are hidden, older GTK tells, too."""
        tiles = next(picture for picture in window.pictures() if picture.get_name() == "Tiles")
        found = [a for a in drive.walk(tiles) if drive.role_of(a) in ("push button", "toggle button") and a.get_name().startswith(f"{title}: ")]
        return [a for a in found if drive.has_state(a, drive.Atspi.StateType.VISIBLE)]

    def test_one_state(self):
        """What is chosen above a view stays chosen when that goes to the other side, and its switch there says so."""
        window = self.open_wide()
        since = window.mark()
        window.click_on(window.pictures()[0])
        window.key(window.views()["Tiles"])
        window.wait("view", "tiles", since)
        for stage, way, there in (0, "Down", "Tiles per op on the CPU lane"), (1, "Up", "Kernel to walk through"):
            window.open_list(self.switches(window, "What Tiles shows")[0])
            window.key(way, "Return")
            time.sleep(0.7 * drive.PATIENCE)
            self.assertTrue(self.wait_until(window, lambda there=there: self.switches(window, there)),
                            f"stage {stage}: {way} has chosen nothing")
            if stage == 0:
                since = window.mark()
                window.click_on(window.pictures()[1])
                window.key(window.views()["Tiles"])
                window.wait("view", "tiles", since)
                time.sleep(0.7 * drive.PATIENCE)
        self.close(window)


if __name__ == "__main__":
    drive.main()
