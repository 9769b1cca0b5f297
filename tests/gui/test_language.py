# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in a language that nobody speaks (languages/pseudo.py runs this): every word that is on screen, or told to a screen
reader, can be translated, and the window doesn't grow beyond a small screen for it."""
import os
import re
import time

import drive

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32", "--backends", "cpu"]
# The desktop's own words (GTK and libadwaita bring their own translations), names, and what comes from data and options' values.
OWN_ROLES = {"frame", "application", "window"}
SAME = set("""CPU OpenCL OpenBLAS PoCL spiral batch dense relu flatten conv maxpool tanh sigmoid mlp cnn mnist circles xor moons tabular sgd
adam AMD EPYC Intel Xeon Core Processor Lockstep Views Minimize Maximize Close static round robin dynamic steal sequential shuffled
on off auto turns race host device naive tiled register packed FLOP KiB MiB reference CLOCK_MONOTONIC_RAW io github lab""".split())
TOOLKIT = {"(None)", "Close the window", "Maximize the window", "Minimize the window"}  # GTK's own, which it translates itself
WIDGETS = re.compile(r"^(Gtk|Adw|Gdk|Ls)[A-Z]\w*")
WORD = re.compile(r"[A-Za-z]*[aeiouAEIOU][A-Za-z]*")


def plain(text):
    """Words with a plain vowel, of three letters or more, that are no names."""
    return [word for word in re.findall(r"[^\W\d_]+", text) if len(word) >= 3 and WORD.fullmatch(word) and word not in SAME]


class Language(drive.Case):
    def texts(self, window):
        for node in window.nodes():
            if node.role not in OWN_ROLES and not WIDGETS.match(node.name):
                yield from (text for text in (node.name, node.description) if text not in TOOLKIT)

    def look(self, window, where):
        self.found |= {f"{where}: {text!r} has {' '.join(plain(text))}" for text in self.texts(window) if plain(text)}

    def test_window(self):
        self.assertTrue(os.environ.get("LOCKSTEP_LOCALE_DIR"))
        window = self.open(*SMALL, env={"LOCKSTEP_FIRST_RUN": "yes"})
        window.wait("first-step", timeout=30)
        self.found = set()
        if not any(re.search("[áéíóú]", text) for text in self.texts(window)):
            self.skipTest("this system's gettext translates nothing in the locale C.UTF-8")
        self.look(window, "first run")
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
        for key in "123456":
            since = window.mark()
            window.key(key)
            name = window.wait("view", since=since).value
            time.sleep(2.5 * drive.PATIENCE)  # the description is told at most once in two seconds
            self.look(window, name)
        window.key("ctrl+comma")
        time.sleep(1 * drive.PATIENCE)
        self.look(window, "settings")
        width, height = drive.xdotool("getdisplaygeometry").split()
        geometry = dict(line.split("=") for line in drive.xdotool("getwindowgeometry", "--shell", window.window_ids()[-1]).splitlines() if "=" in line)
        self.assertLessEqual(int(geometry["WIDTH"]), int(width))
        self.assertLessEqual(int(geometry["HEIGHT"]), int(height))
        self.assertFalse(self.found, "\n".join(sorted(self.found)))
        self.quit(window)


if __name__ == "__main__":
    drive.main()
