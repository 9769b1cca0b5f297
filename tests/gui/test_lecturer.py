# SPDX-License-Identifier: GPL-3.0-or-later
"""A lecturer who tries everything: every key and every menu entry in turn, then keys, clicks, menus, dialogs, sizes and recordings as
they come. After each the keyboard still works, and nothing in the picture overlaps or leaves it.

What there is to press is read from the list of shortcuts and from the menu, so that what is new is tried, too. The random part
draws from a fixed seed: LOCKSTEP_SEED=N is another one, LOCKSTEP_LONG=1 makes it longer. A failure lists what was done before.
"""
import os
import pathlib
import random
import time
import xml.etree.ElementTree

import drive

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32"]
UI = pathlib.Path(__file__).parents[2] / "data" / "ui"
ENDS = {"ctrl+w", "ctrl+q"}                      # tried by other tests
OPENS = {"F10", "e", "g", "ctrl+comma"}          # in the window itself: Escape closes it
FILLS = {"key F11", "key p", "menu “Full Screen”", "menu “For the Projector”"}  # the screen, and leave it
SIZES = [(960, 600), (1280, 800), (1500, 900), (1920, 1080)]
RANDOM = 500 if os.environ.get("LOCKSTEP_LONG") else 60


def shortcuts():
    """The keys of the shortcuts' window, as xdotool calls them."""
    keys = []
    for node in xml.etree.ElementTree.parse(UI / "help-overlay.ui").iter("property"):
        if node.get("name") != "accelerator":
            continue
        for key in node.text.split():
            key = key.replace("<Control>", "ctrl+").replace("<Shift>", "shift+")
            keys += [str(n) for n in range(1, 10)] if key == "1...9" else [key]
    return [key for key in dict.fromkeys(keys) if key not in ENDS]


RECORDINGS_OWN = "Train This Network"  # insensitive, and passed over by Down, unless a recording is shown


def menu_entries():
    """Each entry of the main menu: its words, and how many times Down leads to it, in each menu on the way."""
    def entries(node, way, first):
        at = first
        for child in node.iter():
            if child.tag not in ("item", "submenu") or parents[child] is not node and parents[child].tag != "section" \
                    or parents[child].tag == "section" and parents[parents[child]] is not node:
                continue
            label = next(a.text for a in child.findall("attribute") if a.get("name") == "label").replace("_", "")
            if child.tag == "submenu":
                yield from entries(child, way + [at], 1)  # the way back is the first row
            else:
                yield label, way + [at]
            at += 1
    menu = xml.etree.ElementTree.parse(UI / "menus.ui").getroot().find("menu[@id='primary']")
    parents = {child: node for node in menu.iter() for child in node}
    return list(entries(menu, [], 0))


class Lecturer(drive.Case):
    def begin(self):
        self.window = self.open(*SMALL, env={"LOCKSTEP_EVENTS": "faults"})
        self.window.wait("first-step", timeout=30)
        self.main = self.window.window_ids()[-1]
        self.done, self.told = [], 0

    def end(self):
        self.window.key("ctrl+q")
        self.assertEnds(self.window)

    def report(self):
        return "after " + ", ".join(self.done[-12:]) + "\n" + self.window.report()

    def came(self, name, since):
        with self.window.changed:
            if not any(event.name == name for event in self.window.events[since:]):
                self.window.changed.wait(0.1)
            return any(event.name == name for event in self.window.events[since:])

    def dialogs(self):
        return [i for i in self.window.window_ids() if i != self.main]

    def close_dialogs(self):
        """Windows over the main one get Escape until they are gone; the desktop gives them the keys, or it is helped."""
        start = time.monotonic()
        while others := self.dialogs():
            self.assertLess(time.monotonic(), start + 8 * drive.PATIENCE, f"a dialog doesn’t close by Escape, {self.report()}")
            if time.monotonic() > start + drive.PATIENCE:
                drive.xdotool("windowfocus", "--sync", others[-1])
            self.window.key("Escape")
            time.sleep(0.15 * drive.PATIENCE)

    def wait_for_keys(self):
        """Until the desktop has given the window the keys back: what is pressed while it still does is nobody's."""
        end = time.monotonic() + 6 * drive.PATIENCE
        while (has := drive.xdotool("getwindowfocus")) != self.main and not self.dialogs():
            self.assertLess(time.monotonic(), end, f"window {has} has the keys, and not {self.main}, {self.report()}")
            time.sleep(0.02)

    def settle(self):
        """Until the desktop has done with the window's size: GTK (4.8) takes it ill to be asked for a menu while it hasn't."""
        sizes = []
        while len(sizes) < 3 or len(set(sizes[-3:])) > 1:
            self.assertLess(len(sizes), 100, f"the window’s size doesn’t rest: {sizes[-5:]}, {self.report()}")
            sizes.append(drive.xdotool("getwindowgeometry", "--shell", self.main))
            time.sleep(0.05 * drive.PATIENCE)

    def check(self):
        """A number key, pressed once, changes the view; every text has its room."""
        self.close_dialogs()
        self.wait_for_keys()
        view = "2" if self.window.last("view") in (None, "race") else "1"
        since = self.window.mark()
        self.window.key(view)
        end = time.monotonic() + 6 * drive.PATIENCE
        while not self.came("view", since):
            self.assertLess(time.monotonic(), end, f"the keyboard is dead: key {view} doesn’t change the view, {self.report()}")
            if self.dialogs():
                self.close_dialogs()
                self.wait_for_keys()
                self.window.key(view)  # the dialog came late, and took the key
        with self.window.changed:
            faults = [e.value for e in self.window.events[self.told:] if e.name == "fault"]
            self.told = len(self.window.events)
        self.assertEqual(faults, [], self.report())

    def do(self, words, action, escapes=0):
        self.done.append(words)
        action()
        time.sleep(0.12 * drive.PATIENCE)
        self.close_dialogs()
        for _ in range(escapes):
            self.window.key("Escape")
            time.sleep(0.05 * drive.PATIENCE)
        self.check()
        if words in FILLS:
            self.settle()

    # ---- what can be done ----

    def press(self, key):
        self.do(f"key {key}", lambda: self.window.key(key), 1 if key in OPENS else 0)

    def until(self, happened, what):
        end = time.monotonic() + 10 * drive.PATIENCE
        while not happened():
            self.assertLess(time.monotonic(), end, f"{what}, {self.report()}")
            time.sleep(0.05)

    def choose(self, label, way, asks=False):
        """The menu is a window, too: it has to be there before keys are meant for it, and gone before a dialog is looked for. An entry
        that asks opens one, or says in a toast why it can't."""
        way = list(way)

        def walk():
            if self.window.last("projector") == "yes":
                seen = self.window.mark()
                self.window.key("p")  # which has no menu
                self.window.wait("projector", "no", seen)
                self.settle()
            since = self.window.mark()
            self.window.key("F10")
            self.until(self.dialogs, "the menu doesn’t open")
            menu = set(self.dialogs())
            if self.window.last("shows") != "recording":
                own = dict(menu_entries())[RECORDINGS_OWN]
                if way == own:
                    return
                way[0] -= way[0] > own[0]
            for downs in way:
                time.sleep(0.15 * drive.PATIENCE)
                self.window.key(*["Down"] * downs, "Return")
            if asks:  # others may be insensitive; Escape closes the menu then
                self.until(lambda: not menu & set(self.dialogs()), "the menu doesn’t close")
                self.until(lambda: self.dialogs() or self.came("toast", since), "no dialog came, and no reason why")
                time.sleep(0.2 * drive.PATIENCE)
        self.do(f"menu “{label}”", walk)

    def place(self, rng):
        geometry = dict(line.split("=") for line in drive.xdotool("getwindowgeometry", "--shell", self.main).splitlines() if "=" in line)
        width, height = int(geometry["WIDTH"]), int(geometry["HEIGHT"])
        return int(geometry["X"]) + rng.randrange(60, width - 60), int(geometry["Y"]) + rng.randrange(120, height - 60)

    def click(self, rng):
        x, y = self.place(rng)
        self.do(f"click at {x}, {y}", lambda: self.window.click(x, y), 1)

    def scroll(self, rng):
        x, y = self.place(rng)
        button = rng.choice((4, 5))
        self.do(f"wheel at {x}, {y}", lambda: self.window.click(x, y, button))

    def drag(self, rng):
        (x, y), (to_x, to_y) = self.place(rng), self.place(rng)
        self.do(f"drag from {x}, {y} to {to_x}, {to_y}",
                lambda: drive.xdotool("mousemove", x, y, "mousedown", 1, "mousemove", to_x, to_y, "mouseup", 1), 1)

    def hover(self, rng):
        x, y = self.place(rng)
        self.do(f"pointer at {x}, {y}", lambda: drive.xdotool("mousemove", x, y))

    def resize(self, rng):
        width, height = rng.choice(SIZES)
        self.do(f"size {width}x{height}", lambda: drive.xdotool("windowsize", self.main, width, height))

    def settings(self, rng):
        def walk():
            self.window.key("ctrl+comma")
            for _ in range(rng.randrange(8)):
                self.window.key("Tab")
        self.do("through the settings", walk, 2)

    # ---- the tests ----

    def test_every_key(self):
        self.begin()
        for key in shortcuts():
            self.press(key)
        self.end()

    def test_every_menu_entry(self):
        self.begin()
        for label, way in menu_entries():
            self.choose(label, way, asks=label.endswith("…"))
        self.end()

    def test_random(self):
        rng = random.Random(int(os.environ.get("LOCKSTEP_SEED", "1")))
        keys, entries = shortcuts(), menu_entries()
        self.begin()
        for _ in range(RANDOM):
            action = rng.choices((self.press, self.choose, self.click, self.scroll, self.drag, self.hover, self.resize, self.settings),
                                 (30, 12, 20, 5, 8, 8, 10, 7))[0]
            if action == self.press:
                self.press(rng.choice(keys))
            elif action == self.choose:
                self.choose(*rng.choice(entries))
            else:
                action(rng)
        self.end()


if __name__ == "__main__":
    drive.main()
