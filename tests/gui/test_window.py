# SPDX-License-Identifier: GPL-3.0-or-later
"""The real window, by keys and over the accessibility bus: time, views, lanes, files, sizes. Nothing critical may be said."""
import csv
import json
import os
import re
import struct
import subprocess
import time

import drive
import test_lecturer

# Small, so that a machine with two cores and a sanitizer has steps to show soon.
SMALL = ["--model", "flatten, dense 32, relu, dense 3", "--data", "spiral", "--batch", "32"]


def png_size(path):
    with open(path, "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR", head
    return struct.unpack(">II", head[16:24])


def nanoseconds(dial):
    """What a second stands for: "1 s = 50 µs"."""
    value, unit = re.match(r"1 s = ([\d.]+)\s(\S+)$", dial).groups()
    return float(value) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]


def recording_facts(path):
    """The text part of a recording: safetensors, whose header is JSON."""
    with open(path, "rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        return json.loads(file.read(length))["__metadata__"]


def ends_after(steps):
    return lambda text: re.search(rf"^Learnt: [\d.]+ % of 500 test samples right after {steps // 1000}\D000 steps; CPU ", text)


class Window(drive.Case):
    def open_training(self, *args, env=None):
        """A window that trains and shows a recorded step of as many lanes as there are."""
        window = self.open(*(args or SMALL), env=env)
        window.wait("first-step", timeout=30)
        window.wait("step")
        self.assertEqual(window.last("playing"), "yes")
        return window

    def pause(self, window):
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)

    def choose(self, window, way):
        """An entry of the main menu, by keys."""
        before = set(window.window_ids())
        window.key("F10")
        end = time.monotonic() + 5 * drive.PATIENCE
        while not set(window.window_ids()) - before:
            self.assertLess(time.monotonic(), end, "the menu doesn’t open")
            time.sleep(0.05)
        for downs in way:
            time.sleep(0.3)
            window.key(*["Down"] * downs, "Return")

    def shown_step(self, window):
        return int(window.last("step"))

    def moved(self, window, key):
        """Where the playhead is once the key has been heard and it has come to rest."""
        since = window.mark()
        window.key(key)
        window.wait("playhead", since=since)
        while True:
            since = window.mark()
            time.sleep(0.4 * drive.PATIENCE)
            with window.changed:
                if not any(event.name == "playhead" for event in window.events[since:]):
                    return int(window.last("playhead"))

    # ---- time ----

    def test_play_and_pause(self):
        window = self.open_training()
        since = window.mark()
        window.press(window.find("push button", "Pause"))
        window.wait("playing", "no", since)
        window.press(window.find("push button", "Play"))
        since = window.wait_mark("playing", "yes", since)
        window.key("space")
        window.wait("playing", "no", since)
        self.close(window)

    def test_steps(self):
        """Back to the beginning and to the steps before; forward again; past the newest one step is trained."""
        window = self.open_training()
        first = self.shown_step(window)
        window.wait("step", lambda value: int(value) > first, timeout=60)
        self.pause(window)
        here = self.shown_step(window)
        window.key("Left")
        window.wait("playhead", "0")
        since = window.mark()
        window.key("Left")
        before = int(window.wait("step", lambda value: int(value) < here, since).value)
        self.assertEqual(window.last("playing"), "no")
        for _ in range(400):
            since = window.mark()
            window.press(window.find("push button", "Step"))
            event = window.wait("playhead", since=since, timeout=20)
            if self.shown_step(window) > here:
                break
        self.assertGreater(self.shown_step(window), here, window.report())
        self.assertGreater(here, before)
        self.assertGreaterEqual(int(event.value), 0)
        # at the newest: its end, then one more, twice
        for _ in range(2):
            newest = self.shown_step(window)
            for _ in range(3):
                window.key("Right")
                time.sleep(0.3)
                if self.shown_step(window) > newest:
                    break
            # the lane may have to build the recorded step's kernels first
            window.wait("step", lambda value, newest=newest: int(value) > newest, timeout=180)
        self.assertEqual(window.last("playing"), "no")
        self.close(window)

    def test_pace_and_end(self):
        """By the header's switch, by F, and to the end of the run; then on, and anew."""
        window = self.open_training(*SMALL, "--steps", "3000")
        for word, what in (("by step", "step"), ("watch pace", "watch")):
            since = window.mark()
            window.click_on(window.find(name=re.compile(f"^{word}: ")))
            window.wait("pace", what, since)
        since = window.mark()
        drive.xdotool("keydown", "f")
        window.wait("pace", "full", since)
        since = window.wait_mark("over", ends_after(3000), since, timeout=60)
        window.wait("playing", "no")
        drive.xdotool("keydown", "shift", "keyup", "f", "keyup", "shift")  # another letter is let go of than was pressed
        window.wait("pace", "watch", since)
        window.press(window.find("push button", "Train On"))
        window.wait("playing", "yes", since)
        since = window.mark()
        drive.xdotool("keydown", "f")
        since = window.wait_mark("over", ends_after(6000), since, timeout=60)
        drive.xdotool("keyup", "f")
        window.press(window.find("push button", "Start Anew"))
        window.wait("playing", "yes", since)
        window.wait("first-step")
        # the keys are the picture's
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
        self.assertSane(window)

    def test_jumps_and_dial(self):
        window = self.open_training()
        self.pause(window)
        self.assertEqual(self.moved(window, "Left"), 0)
        times = [self.moved(window, "ctrl+Right") for _ in range(4)]
        self.assertEqual(times, sorted(times))  # two ops may begin together
        self.assertGreater(len(set(times)), 2)
        self.assertEqual(self.moved(window, "ctrl+Left"), times[-2])
        dial = re.compile(r"^1 s = ")
        before = window.find("label", dial).get_name()
        window.key("underscore")
        time.sleep(0.3)
        slower = window.find("label", dial).get_name()
        self.assertLess(nanoseconds(slower), nanoseconds(before), "underscore makes a second stand for less")
        window.key("plus")
        time.sleep(0.3)
        self.assertEqual(window.find("label", dial).get_name(), before, "plus takes it back")
        # the bare arrows: down the columns of Race, over ops that are long enough to be seen, and up again
        places = [self.moved(window, key) for key in ("Left", "Down", "Down", "Down")]
        self.assertEqual(places[0], 0)
        self.assertTrue(all(a < b for a, b in zip(places, places[1:])), f"Down goes to the next op: {places}")
        self.assertEqual(self.moved(window, "Up"), places[-2], f"Up goes to the op before: {places}")
        self.close(window)

    # ---- views and lanes ----

    def test_views(self):
        window = self.open_training()
        views = window.views()
        self.assertGreaterEqual(set(views), {"Race", "Partition", "Curves"})
        for title in sorted(views, key=lambda title: title[::-1]):
            since = window.mark()
            window.key(views[title])
            window.wait("view", title.lower(), since)
        time.sleep(drive.PATIENCE)  # nothing moves under the pointer
        for title in "Partition", "Race":
            since = window.mark()
            window.click_on(window.find("list item", title))
            window.wait("view", title.lower(), since)
        self.pause(window)
        window.key(views["Partition"])
        window.key("Return")  # picks a mark
        time.sleep(0.3)
        window.key("Right")
        window.key("Escape")
        self.close(window)

    def test_policy_and_kernel(self):
        """The switches on the stage change the run that is on; the next recorded step comes by itself."""
        window = self.open_training()
        window.fill_screen()  # wide enough for the switches' words
        window.key(window.views()["Partition"])
        for policy, word in ("static", "static"), ("dynamic", "dynamic"), ("steal", "stealing"):
            since, step = window.mark(), self.shown_step(window)
            button = window.find(("push button", "toggle button"), re.compile(word))
            # GTK 4.8 also lists those that have no room
            self.assertGreater(drive.Atspi.Component.get_extents(button, drive.Atspi.CoordType.WINDOW).width, 0, f"{word} is not shown")
            window.press(button)
            window.wait("policy", policy, since)
            window.wait("step", lambda value, step=step: int(value) > step, since, timeout=20)
        self.close(window)

    def test_no_device(self):
        """Without an OpenCL device the CPU lane trains, and the other says why."""
        window = self.open_training(*SMALL, env={"OCL_ICD_VENDORS": "/nonexistent"})
        window.key(window.views()["Partition"])
        since = window.mark()
        window.key(*["plus"] * 9)  # the next step is shown soon
        window.wait("step", since=since, timeout=30)
        window.find("push button", re.compile("Retry"))
        self.pause(window)
        time.sleep(drive.PATIENCE)  # what a lane was at is done
        self.check_run(window)
        self.close(window)

    # ---- files ----

    def check_run(self, window):
        """The run as a table and as JSON: each step in a line, counted from 1, with the loss that it has there, too; empty fields of a
        lane that hasn't done it."""
        with open(self.export(window, "Run as CSV…", "run.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        with open(self.export(window, "Run as JSON…", "run.json")) as file:
            lanes = json.load(file)["lanes"]
        self.assertGreater(len(rows), 0)
        self.assertEqual([row for row in rows if None in row or None in row.values()], [], "not as many fields as the head has")
        self.assertEqual([row["step"] for row in rows], [str(step) for step in range(1, len(rows) + 1)])
        for name, lane in lanes.items():
            losses = [float(row[f"{name}_loss"]) for row in rows if row[f"{name}_loss"]]
            self.assertEqual(len(losses), len(lane["losses"]))
            for one, other in zip(losses, lane["losses"]):
                self.assertAlmostEqual(one, other, delta=1e-6 * max(1, abs(other)))

    def test_exports(self):
        window = self.open_training()
        self.pause(window)
        picture = self.save(window, lambda: window.key("ctrl+e"), "picture.png")
        width, height = png_size(picture)
        self.assertGreaterEqual(width, 1920)
        self.assertGreaterEqual(height, 1080)
        recording = self.save(window, lambda: window.key("ctrl+s"), "step.lockstep")
        facts = recording_facts(recording)
        self.assertEqual(facts["format"], "lockstep.recording")
        self.assertEqual(int(facts["step"]), self.shown_step(window))
        # what the window saved, the command line draws
        drawn = os.path.join(self.folder, "drawn.png")
        subprocess.run([drive.PROGRAM, "render", "partition", "--from", recording, "--out", drawn], check=True, capture_output=True, timeout=120)
        png_size(drawn)
        self.check_run(window)
        since = window.mark()
        window.key("ctrl+shift+c")
        window.wait("toast", lambda text: "clipboard" in text, since)
        self.close(window)
        # and another window plays it back
        again = self.open(recording)
        again.wait("step", facts["step"], timeout=20)
        again.find("label", re.compile("played back"))
        self.close(again)

    def test_broken_recording(self):
        path = os.path.join(self.folder, "broken & <b>.lockstep")
        with open(path, "wb") as file:
            file.write(b"no recording")
        window = self.open(path)
        window.wait("toast", timeout=20)
        self.close(window)

    def test_own_data(self):
        """A table is trained with; one that can't be read says so, and the run goes on."""
        good, bad = os.path.join(self.folder, "trees.csv"), os.path.join(self.folder, "bad.csv")
        with open(good, "w") as file:
            file.write("".join(f"{i},{i * 7 % 10},{('oak', 'ash', 'elm')[i % 3]}\n" for i in range(90)))
        with open(bad, "w") as file:
            file.write("1,2,x\n3,4\n")
        window = self.open(good)
        window.wait("run", lambda model: model == "flatten, dense 32, relu, dense 3", timeout=20)
        window.wait("first-step", timeout=30)
        self.close(window)
        window = self.open(bad)
        toast = window.wait("toast", timeout=20).value
        self.assertIn("“bad.csv”, line 2 has 2 fields", toast)
        window.wait("first-step", timeout=30)
        self.close(window)

    def test_train_network(self):
        """The network of a recording is trained, on its data; where they aren't there any more the window says so."""
        table, recording = os.path.join(self.folder, "trees.csv"), os.path.join(self.folder, "trees.lockstep")
        with open(table, "w") as file:
            file.write("".join(f"{i},{i * 7 % 10},{('oak', 'ash', 'elm')[i % 3]}\n" for i in range(90)))
        subprocess.run([drive.PROGRAM, "train", "--lanes", "cpu", "--data", table, "--model", "flatten, dense 7, relu, dense 3",
                        "--batch", "9", "--seed", "5", "--steps", "12", "--record", recording], check=True, capture_output=True, timeout=120)
        way = dict(test_lecturer.menu_entries())["Train This Network"]
        window = self.open(recording)
        window.wait("step", timeout=20)
        since = window.mark()
        self.choose(window, way)
        begun = window.wait_mark("run", "flatten, dense 7, relu, dense 3", since, timeout=20)
        window.wait("step", since=begun, timeout=30)
        self.close(window)
        with open(table, "a") as file:
            file.write("1,2,birch\n" * 9)
        window = self.open(recording)
        window.wait("step", timeout=20)
        since = window.mark()
        self.choose(window, way)
        self.assertIn("aren’t what they were", window.wait("toast", since=since, timeout=20).value)
        os.rename(table, table + ".gone")
        since = window.mark()
        self.choose(window, way)
        self.assertIn("“trees.csv” aren’t here, and “mnist” don’t fit its network, which takes 2 values, 3 classes",
                      window.wait("toast", since=since, timeout=20).value)
        window.find("label", re.compile("played back"))
        self.close(window)

    def test_back_to_training(self):
        """A recording that is opened lets training rest; back from it, training goes on."""
        window = self.open_training(*SMALL, "--steps", "3000")
        since = window.mark()
        self.choose(window, dict(test_lecturer.menu_entries())["One Step of the MLP"])
        window.wait("shows", "recording", since, timeout=20)
        since = window.mark()
        window.press(window.find("push button", "Back to Training"))
        window.wait("shows", "run", since, timeout=20)
        window.wait("playing", "yes", since)
        drive.xdotool("keydown", "f")
        window.wait("over", ends_after(3000), since, timeout=60)
        drive.xdotool("keyup", "f")
        self.close(window)

    # ---- the window ----

    def test_projector_and_full_screen(self):
        window = self.open_training()
        for value in "yes", "no":
            since = window.mark()
            window.key("p")
            window.wait("projector", value, since)
            time.sleep(0.3)
        window.key("p")
        since = window.mark()
        window.key("Escape")
        window.wait("projector", "no", since)
        window.key("F11")
        time.sleep(0.5)
        window.key("F11")
        window.key("F9")
        window.key("F9")
        self.close(window)

    def test_settings_and_help(self):
        window = self.open_training()
        window.key("ctrl+comma")
        window.find(None, re.compile("^Settings$"))
        window.key("Escape")
        window.focus()
        before = set(window.window_ids())
        window.key("ctrl+question")
        self.wait_dialog(window, before)
        window.focus()
        window.key("Escape")
        self.wait_dialog(window, before, False)
        self.close(window)

    def test_signal(self):
        """As by a session that ends: it closes in peace."""
        window = self.open_training()
        window.process.terminate()
        self.assertEnds(window)


if __name__ == "__main__":
    drive.main()
