#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planner and Claims in the real window, by keys: a price is changed and the sentence follows, a device and an optimizer are chosen,
a page of a published figure is told, and all verdicts are saved as a PDF."""

import datetime
import re
import time

import drive

SMALL = ("--lanes", "cpu,reference", "--model", "flatten, dense 16, relu, dense 10", "--batch", "8", "--steps", "100000000")


class Judge(drive.Case):
    def open_view(self, key, name):
        window = self.open(*SMALL, env={"XDG_DATA_HOME": self.folder})
        window.fill_screen()
        window.wait("first-step", timeout=30)
        window.focus()
        since = window.mark()
        window.key(key)
        window.wait("view", name, since)
        self.canvas = next(picture for picture in window.pictures() if picture.get_name() == name.capitalize())
        return window

    def switch(self, title):
        found = [a for a in drive.walk(self.canvas) if drive.role_of(a) in ("push button", "toggle button") and a.get_name().startswith(f"{title}: ")]
        return next(a for a in found if drive.has_state(a, drive.Atspi.StateType.VISIBLE))

    def choose(self, window, title, *keys):
        """In the drop-down of that title, which is opened by a click, with keys."""
        window.open_list(self.switch(title))
        window.key(*keys, "Return")
        time.sleep(0.7 * drive.PATIENCE)

    def pick(self, window, words):
        """Goes along Planner's figures with the keyboard to the one that begins so."""
        window.key("Return")
        for _ in range(20):
            time.sleep(0.3 * drive.PATIENCE)
            self.canvas.clear_cache()
            if re.search(rf"\. {words}[^.]*\.?[^:]*: [^:]*(seen|own|lecture|assumed)", self.canvas.get_description()):
                return
            window.key("Right")
        self.fail(f"no figure “{words}”: {self.canvas.get_description()}")

    def test_planner(self):
        window = self.open_view("minus", "planner")
        # a device by key: the card that is told of changes
        first = self.told(window, r"fits the ([^.]+)\.").group(1)
        window.key("v")
        self.told(window, rf"fits the (?!{re.escape(first)}\.)([^.]+)\.")
        # another optimizer than the run's: nobody has allocated that
        self.choose(window, "Optimizer and precision", "End")
        self.assertIn("Adam", self.switch("Optimizer and precision").get_name())
        # a lecture's sums
        self.choose(window, "What do you train?", "End")
        self.told(window, r"100 h at 3\.06 USD/h are 306 USD; a card for 2.000 USD has paid for itself after 654 h")
        # its price goes up by a tenth, with the day on which that was said, and the sums follow; D takes it back
        window.click_on(self.canvas)  # its middle, where there is nothing to be picked
        time.sleep(0.3 * drive.PATIENCE)
        self.pick(window, "price 2")
        window.key("Up")
        self.told(window, r"a card for 2.200 USD has paid for itself after 719 h")
        self.told(window, rf"your own, {datetime.date.today().isoformat()}")
        window.key("d")
        self.told(window, r"a card for 2.000 USD has paid for itself after 654 h")
        self.quit(window)

    def test_claims(self):
        window = self.open_view("equal", "claims")
        self.told(window, r"16 claims: 16 not run yet\.")
        window.key("Down")
        self.told(window, r"Opened: “GPUs are 10 to 100 times faster")  # the course begins with what is said most
        window.key("Escape")
        # all verdicts as pages for course notes, by the menu's own action
        path = self.export(window, "Verdicts on Claims as PDF…", "verdicts.pdf")
        with open(path, "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")
        self.quit(window)


if __name__ == "__main__":
    drive.main()
