# SPDX-License-Identifier: GPL-3.0-or-later
"""F1 on every view, and the card of the first start, which never comes again."""
import tempfile
import time

import drive

SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32"]
# The settings are kept in a file of the session's own folder, not in memory.
FIRST = {"LOCKSTEP_FIRST_RUN": "yes", "GSETTINGS_BACKEND": "keyfile"}


class Help(drive.Case):
    def test_first_run(self):
        window = self.open(*SMALL, env=FIRST)
        window.wait("card", "yes")
        window.wait("first-step", timeout=30)  # nothing waits for the card
        since = window.mark()
        window.press(window.find("push button", "Got It"))
        window.wait("card", "no", since)
        window.key("space")  # the picture has the keys again
        window.wait("playing", "no", since)
        self.assertEqual(window.last("choices"), "yes")  # they stay
        since = window.mark()
        window.press(window.find("push button", "xor, 4 corners"))
        self.assertIn("dense 2", window.wait("run", since=since).value)
        window.wait("choices", "no", since)
        self.quit(window)
        again = self.open(*SMALL, env=FIRST)
        again.wait("first-step", timeout=30)
        self.assertIsNone(again.last("card"))
        self.quit(again)

    def test_sentences_go(self):
        """By themselves, when a step of all lanes has been played to its end."""
        with tempfile.TemporaryDirectory() as config:  # where no start has been before
            window = self.open(*SMALL, "--backends", "cpu", env=FIRST | {"XDG_CONFIG_HOME": config})
            window.wait("card", "yes")
            window.wait("first-step", timeout=30)
            window.wait("card", "no", timeout=60)
            window.press(window.find("push button", "Dismiss"))
            window.wait("choices", "no")
            self.quit(window)

    def close_help(self, window):
        """With Escape, which goes to the help window: it is the second one of the program's."""
        end = time.monotonic() + 5 * drive.PATIENCE
        while len(ids := window.window_ids()) < 2 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(len(ids), 2, window.tree())
        while len(window.window_ids()) > 1 and time.monotonic() < end:
            drive.xdotool("windowfocus", "--sync", ids[-1])
            window.key("Escape")
            time.sleep(0.1 * drive.PATIENCE)
        window.focus()
        time.sleep(0.1 * drive.PATIENCE)

    def test_help(self):
        window = self.open(*SMALL)
        window.wait("first-step", timeout=30)
        self.assertIsNone(window.last("card"))
        for title, key in window.views().items():
            since = window.mark()
            window.key(key)
            name = window.wait("view", since=since).value
            window.key("F1")
            window.wait("help", name, since)
            window.find("list", "Topics")
            # the page's first words are the view's name
            self.assertTrue([a for a in window.find_all("label", title)], window.tree())
            self.close_help(window)
        self.quit(window)


if __name__ == "__main__":
    drive.main()
