# SPDX-License-Identifier: GPL-3.0-or-later
"""A lecture: for 45 minutes, or as many as are said, views and settings are changed and recordings opened while both lanes train, and each
minute tells what the window and its lanes' processes take. Runs inside session.sh:

    session.sh --size 1920x1080 --wm -- python3 lecture.py [MINUTES]

The exit status is 1 if memory grew by more than 2 % after the first ten minutes (a line fitted through the minutes), or if file
descriptors or threads did.
"""
import os
import random
import statistics
import sys
import time
import unittest

import drive
import test_lecturer

PAUSE_S = 4        # between two actions
FILLS_MINUTES = 10  # until histories and caches are full
GROWTH = 0.02


class Lecture(test_lecturer.Lecturer):
    def begin(self):
        self.window = self.open(env={"LOCKSTEP_EVENTS": "faults"})
        self.window.wait("first-step", timeout=60)
        self.main = self.window.window_ids()[-1]
        self.done, self.told = [], 0

    def frames(self, since):
        with self.window.changed:
            times = [list(map(float, event.value.split())) for event in self.window.events[since:] if event.name == "frame-times"]
        return [one[2] for one in times if one[3] > 1]

    def runTest(self):
        minutes = float(os.environ.get("LOCKSTEP_MINUTES", "45"))
        rng = random.Random(int(os.environ.get("LOCKSTEP_SEED", "1")))
        keys, entries = test_lecturer.shortcuts(), test_lecturer.menu_entries()
        rows, began, minute, since = [], time.monotonic(), 0, 0
        self.begin()
        since = self.window.mark()
        print(f"{'minute':>6} {'memory':>9} {'files':>6} {'threads':>8} {'frames/s':>9} {'actions':>8}", flush=True)
        while time.monotonic() - began < minutes * 60:
            action = rng.choice((self.press, self.press, self.choose, self.click, self.hover, self.settings))
            if action == self.press:
                self.press(rng.choice(keys))
            elif action == self.choose:
                self.choose(*rng.choice(entries))
            else:
                action(rng)
            time.sleep(PAUSE_S)
            if (time.monotonic() - began) / 60 >= minute + 1:
                minute += 1
                frames, (files, threads) = self.frames(since), self.window.handles()
                since = self.window.mark()
                rows.append((minute, self.window.rss_mb(), files, threads))
                print(f"{minute:6} {rows[-1][1]:6.0f} MB {files:6} {threads:8} "
                      f"{statistics.median(frames) if frames else float('nan'):9.0f} {len(self.done):8}", flush=True)
        self.end()
        late = [row for row in rows if row[0] > min(FILLS_MINUTES, minutes / 2)]
        if len(late) < 4:
            return
        for name, at, least in ("memory", 1, 0), ("file descriptors", 2, 4), ("threads", 3, 4):
            fit = statistics.linear_regression([row[0] for row in late], [row[at] for row in late])
            first, grown = fit.intercept + fit.slope * late[0][0], fit.slope * (late[-1][0] - late[0][0])
            print(f"{name}: {first:.0f} after {late[0][0]} minutes, {grown:+.1f} until minute {late[-1][0]} ({100 * grown / first:+.1f} %)")
            self.assertLessEqual(grown, max(GROWTH * first, least), f"{name} grow")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.environ["LOCKSTEP_MINUTES"] = sys.argv.pop()
    sys.exit(not unittest.TextTestRunner(stream=sys.stderr).run(Lecture()).wasSuccessful())
