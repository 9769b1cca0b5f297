# SPDX-License-Identifier: GPL-3.0-or-later
"""After every menu, popover and dialog the keys are the picture's again: number keys, Space and F10 do what they always do."""
import os
import signal
import time

import drive
from drive import Atspi

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32", "--backends", "cpu"]


class Focus(drive.Case):
    def start(self):
        window = self.open(*SMALL)
        window.fill_screen()
        window.wait("first-step", timeout=30)
        return window

    def assertDoes(self, window, key, event, after):
        since = window.mark()
        window.key(key)
        try:
            window.wait(event, since=since, timeout=4)
        except AssertionError as error:
            raise AssertionError(f"after {after} the key {key} does nothing\n{error}") from None

    def menu_is_open(self, window):
        """One of its items has the focus then."""
        return any(node.role == "menu item" and node.has(Atspi.StateType.FOCUSED) for node in window.nodes())

    def assertMenu(self, window, shown, words):
        end = time.monotonic() + 5 * drive.PATIENCE
        while self.menu_is_open(window) != shown:
            self.assertLess(time.monotonic(), end, f"{words}\n{window.report()}")
            time.sleep(0.1)
        time.sleep(0.3 * drive.PATIENCE)

    def assertKeysWork(self, window, after):
        time.sleep(0.4 * drive.PATIENCE)
        for key, event in ("2", "view"), ("1", "view"), ("space", "playing"), ("space", "playing"):
            self.assertDoes(window, key, event, after)
        window.key("F10")
        self.assertMenu(window, True, f"after {after} F10 opens no menu")
        window.key("Escape")
        self.assertMenu(window, False, f"after {after} and F10 Escape closes no menu")
        for key, event in ("space", "playing"), ("2", "view"), ("space", "playing"), ("1", "view"):
            self.assertDoes(window, key, event, f"{after}, F10 and Escape")

    def test_menus_and_dialogs(self):
        window = self.start()
        before = set(window.window_ids())

        window.key("F10")
        self.assertMenu(window, True, "F10 opens no menu")
        window.key(*["Down"] * 8, "Return")  # Export
        time.sleep(0.7 * drive.PATIENCE)
        window.key("Down", "Return")  # Picture as PNG
        self.wait_dialog(window, before)
        window.key("Escape")
        self.wait_dialog(window, before, False)
        self.assertKeysWork(window, "Menu, Export, Picture as PNG, Escape by keyboard")

        window.click_on(window.find_all(None, "Main Menu")[0])
        self.assertMenu(window, True, "a click opens no menu")
        # the bus doesn't tell where in a shifted popover they are; newer GTK tells of a submenu's only once that is open
        for item in "Export", "Picture as PNG…":
            window.press(window.find("menu item", item))
            time.sleep(0.7 * drive.PATIENCE)
        self.wait_dialog(window, before)
        drive.xdotool("mousemove", 9999, 9999)  # off the menu's button: its tooltip is a window, too, and no key closes it
        window.key("Escape")
        self.wait_dialog(window, before, False)
        self.assertKeysWork(window, "Menu, Export, Picture as PNG, Escape by pointer")

        window.click_on(window.find_all(None, "Main Menu")[0])
        self.assertMenu(window, True, "a click opens no menu")
        window.key("Escape")
        self.assertMenu(window, False, "Escape closes no menu")
        self.assertKeysWork(window, "a menu opened and closed")

        window.focus()  # off the menu's button again
        for keys in "ctrl+e", "ctrl+o", "F1", "ctrl+question":
            window.key(keys)
            self.wait_dialog(window, before)
            window.key("Escape")
            self.wait_dialog(window, before, False)
            self.assertKeysWork(window, f"{keys} and Escape")
        self.quit(window)

    def test_at_once(self):
        """The key that follows Escape without a pause is heard: the event after the one that closes the menu."""
        window = self.start()
        for keys in (["F10"], ["F10", "Down", "Down"], ["g"], ["ctrl+comma"]):
            for view in "2", "1":
                since = window.mark()
                window.key(*keys)
                time.sleep(0.4 * drive.PATIENCE)
                window.key("Escape", view)
                try:
                    window.wait("view", since=since, timeout=4)
                except AssertionError as error:
                    raise AssertionError(f"the key {view} right after {', '.join(keys)}, Escape is lost\n{error}") from None
        self.quit(window)

    def assertFocus(self, window, name, words):
        end = time.monotonic() + 5 * drive.PATIENCE
        while name not in (names := [node.name for node in window.nodes() if node.has(Atspi.StateType.FOCUSED)]):
            self.assertLess(time.monotonic(), end, f"{words}: the focus is at {names}, not at “{name}”\n{window.report()}")
            time.sleep(0.1)

    def test_escape_among_settings(self):
        """There it closes them, whatever is picked in the picture or pointed at; what is picked is let go of by the next one."""
        window = self.start()
        window.key("space")
        for x in 420, 480, 640:  # over both lanes' columns
            drive.xdotool("mousemove", x, 300, "click", 1)
            window.key("ctrl+comma")
            self.assertFocus(window, "Close the settings", "after Ctrl+,")
            time.sleep(0.5 * drive.PATIENCE)  # they slide in, and the picture under the pointer aside
            window.key("Escape")
            self.assertFocus(window, "Race", f"after one Escape, with the pointer at {x}, 300")
        self.quit(window)

    def test_messages_go_fast(self):
        """A message put away as soon as it comes, and the one that waited behind it: libadwaita 1.2 fell over its freed memory."""
        window = self.start()
        for _ in range(3):
            since = window.mark()
            window.key(*["ctrl+shift+c"] * 3)
            window.wait("toast", since=since)
            time.sleep(0.4 * drive.PATIENCE)
            for _ in range(4):
                window.key("Escape")
                time.sleep(0.06)
            time.sleep(0.8)
            self.assertDoes(window, "2", "view", "messages put away at once")
            self.assertDoes(window, "1", "view", "messages put away at once")
        for late in range(16):  # and where a frame is long in coming, as on a machine that does much else
            since = window.mark()
            window.key("ctrl+shift+c")
            window.wait("toast", since=since)
            time.sleep(0.02 * (late % 8))
            window.key("Escape")
            os.kill(window.process.pid, signal.SIGSTOP)
            time.sleep(0.6)
            os.kill(window.process.pid, signal.SIGCONT)
            time.sleep(0.5)
            self.assertIsNone(window.process.poll(), "ended by a message that was put away between two frames")
        self.assertDoes(window, "2", "view", "messages put away between two frames")
        self.quit(window)


if __name__ == "__main__":
    drive.main()
