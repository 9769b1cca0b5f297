# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels edited while the window trains: copied out, saved with a mistake, mended, and given up for the built-in ones."""
import os
import re
import time

import drive

SMALL = ["--model", "flatten, dense 32, tanh, dense 3", "--data", "spiral", "--batch", "32", "--kernel", "naive"]
FILE = "gemm_naive.cl"
# Building kernels on two busy cores takes its time.
BUILD = 120


class Kernels(drive.Case):
    def edit(self, path, old, new):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))

    def wait_until(self, true, timeout=15):
        end = time.monotonic() + timeout * drive.PATIENCE
        while not true():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def described(self, window):
        found = window.find_all(None, re.compile(f"^({'|'.join(window.views())})$"))
        for accessible in found:
            accessible.clear_cache()
        return " ".join(accessible.get_description() or "" for accessible in found)

    def test_edit(self):
        folder = os.path.join(self.folder, "kernels")
        window = self.open(*SMALL, env={"LOCKSTEP_KERNEL_DIR": folder})
        window.wait("first-step", timeout=30)
        window.key("3")
        window.wait("view", "tiles")
        window.find("push button", "Edit Kernels")  # Tiles has a button for it, too

        since = window.mark()
        window.key("ctrl+k")
        window.wait("kernels", folder, since)
        window.wait("toast", lambda text: folder in text, since)
        path = os.path.join(folder, FILE)
        self.wait_until(lambda: os.path.exists(path))
        self.wait_until(lambda: len(os.listdir(folder)) > 20)

        # a mistake: the compiler's words come, and the lane goes on
        since = window.mark()
        self.edit(path, "__kernel", "__kernel mistaken_word")
        said = window.wait("toast", lambda text: FILE in text, since, timeout=BUILD).value
        self.assertRegex(said, r"aren’t used.*error")
        self.wait_until(lambda: "Edited kernels aren’t used" in self.described(window))
        first = window.last("step")
        self.assertIsNone(window.process.poll())
        since = window.mark()
        window.press(window.find("push button", re.compile("^Message")))
        window.wait("kernel-message", since=since)
        text = window.find("text", "Compiler’s Message")
        self.assertIn("mistaken_word", drive.Atspi.Text.get_text(text, 0, -1))
        window.key("Escape")

        # mended
        since = window.mark()
        self.edit(path, "__kernel mistaken_word", "/* mended */ __kernel")
        window.wait("toast", lambda text: text.startswith("Kernels rebuilt in") and FILE in text, since, timeout=BUILD)
        self.wait_until(lambda: "Edited kernels aren’t used" not in self.described(window))
        window.wait("step", lambda step: step != first, since)

        # a folder that goes away: said, and the kernels stay
        since = window.mark()
        os.rename(folder, folder + "-gone")
        window.wait("toast", lambda text: "isn’t there" in text, since, timeout=30)
        os.rename(folder + "-gone", folder)

        # and back
        since = window.mark()
        window.press([a for a in window.find_all(("push button", "toggle button"), "Edit Kernels") if drive.actions(a)][0])
        item = window.find(("menu item", "push button"), re.compile("Built-In|^$"))  # GTK 4.18 tells no names of menu items
        window.press(item if item.get_name() else window.find_all("menu item")[-1])
        window.wait("kernels", "built-in", since)
        window.wait("toast", lambda text: "built-in kernels are in use" in text, since, timeout=BUILD)
        self.quit(window)


if __name__ == "__main__":
    drive.main()
