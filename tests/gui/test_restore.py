# SPDX-License-Identifier: GPL-3.0-or-later
"""A window that is killed while it trains: the next one offers to go on with that run, its settings, weights and recorded step.
Whoever ends in peace leaves nothing; two windows at once know nothing of each other; a disk that is full or gone is told of once."""
import json
import os
import re
import shutil
import signal
import time

import drive
from drive import Atspi

OPTIONS = ["--data", "spiral", "--model", "flatten, dense 300, relu, dense 300, relu, dense 3", "--batch", "48", "--steps", "900000", "--lanes",
           "cpu,cpu(threads=1)"]
FULL = ["--pace", "full"]
OTHERS = ["--data", "moons", "--model", "flatten, dense 200, relu, dense 200, relu, dense 2", "--lanes", "cpu,cpu(threads=1)", "--steps", "900000"]


class Restore(drive.Case):
    until_s = 70  # where a save takes long the next one comes 60 s later

    def setUp(self):
        super().setUp()
        self.home = os.path.join(self.folder, "data")
        self.env = {"XDG_DATA_HOME": self.home}
        self.runs = os.path.join(self.home, "lockstep", "runs")

    def kept(self):
        """What is kept, by folder: run.json's contents."""
        found = {}
        for name in sorted(os.listdir(self.runs) if os.path.isdir(self.runs) else [], key=int):
            try:
                with open(os.path.join(self.runs, name, "run.json"), encoding="utf-8") as file:
                    found[name] = json.load(file)
            except FileNotFoundError:
                found[name] = None
        return found

    def crash(self, *options):
        """A window trains until a later step than the first that was kept is, and its recorded step; then it is killed."""
        window = self.open(*options, env=self.env)
        window.wait("first-step", timeout=30)
        first = self.wait_until(window, lambda: [run for run in self.kept().values() if run])[-1]
        run = self.wait_until(window, lambda: [run for run in self.kept().values()
                                               if run and run["step"] > first["step"] and run["recording"]])[-1]
        window.process.send_signal(signal.SIGKILL)
        window.wait_end()
        kept = [run for run in self.kept().values() if run][-1]  # or a newer one, saved meanwhile
        self.assertGreaterEqual(kept["step"], run["step"])
        return kept

    def test_go_on(self):
        kept = self.crash(*OPTIONS, *FULL)
        window = self.open(env=self.env)
        words = window.wait("kept").value
        count = re.search(r"after step ([\d\W]+),", words).group(1)
        self.assertEqual(int(re.sub(r"\D", "", count)), kept["step"], words)
        button = window.find("push button", "Go On with It")
        self.assertTrue(drive.has_state(button, Atspi.StateType.FOCUSABLE))
        described = [relation.get_target(0).get_name() for relation in button.get_relation_set()
                     if relation.get_relation_type() == Atspi.RelationType.DESCRIBED_BY]
        self.assertEqual(described, [words])
        since = window.mark()
        window.key("alt+g")
        window.wait("kept", "taken", since)
        window.wait("run", "flatten, dense 300, relu, dense 300, relu, dense 3", since)
        toast = window.wait("toast", lambda text: "goes on after step" in text, since).value
        self.assertIn(count, toast)
        # the recorded step is there at once, before another is recorded, and it is of before the crash
        first = int(window.wait("step", since=since, timeout=30).value)
        self.assertLessEqual(first, kept["step"])
        self.assertGreater(first, 0)
        # the run is kept again, from there on, with the same settings
        again = self.wait_until(window, lambda: [run for name, run in self.kept().items() if run and run["step"] > kept["step"]])[-1]
        self.assertEqual(again["options"], {name: value for name, value in kept["options"].items() if name != "pace"})
        for name, value in zip(OPTIONS[::2], OPTIONS[1::2]):
            self.assertEqual(again["options"][name[2:]], value)
        # and asks no more
        self.assertEqual([event.value for event in window.events if event.name == "kept"], [words, "taken"])
        self.close(window)
        self.assertEqual(self.kept(), {})

    def test_in_peace(self):
        window = self.open(*OPTIONS, env=self.env)
        self.wait_until(window, lambda: any(self.kept().values()))
        self.close(window)
        self.assertEqual(self.kept(), {})
        window = self.open(*OPTIONS, env=self.env)
        window.wait("first-step", timeout=30)
        time.sleep(1)
        self.assertIsNone(window.last("kept"))
        window.process.terminate()
        window.wait("closed")
        self.assertEnds(window)
        self.assertEqual(self.kept(), {})

    def test_left(self):
        self.crash(*OPTIONS)
        # whoever asks for something else isn't asked, and what was kept isn't touched as long as that window is there
        window = self.open(*OTHERS, env=self.env)
        window.wait("first-step", timeout=30)
        time.sleep(1)
        self.assertIsNone(window.last("kept"))
        self.assertEqual(next(iter(self.kept().values()))["options"]["data"], "spiral")
        window.kill()
        # killed, too, before anything of it was kept or after: the newest is offered
        window = self.open(env=self.env)
        window.wait("kept")
        window.press(window.find("push button", "Leave It"))
        window.wait("kept", "left")
        window.focus()
        window.key("alt+g")  # nobody asks any more
        time.sleep(0.5 * drive.PATIENCE)
        self.assertEqual(window.last("kept"), "left")
        self.close(window)
        self.assertEqual(self.kept(), {})

    def test_two_windows(self):
        one = self.open(*OPTIONS, env=self.env)
        self.wait_until(one, lambda: any(self.kept().values()))
        two = self.open(*OTHERS, env=self.env)
        self.wait_until(two, lambda: len([run for run in self.kept().values() if run]) == 2)
        self.assertEqual([one.last("kept"), two.last("kept")], [None, None])
        self.assertEqual([run["options"]["data"] for run in self.kept().values()], ["spiral", "moons"])
        one.kill()
        self.assertEqual(len(self.kept()), 2)
        # a third one finds the killed one's, and leaves that of the one that lives alone
        three = self.open(env=self.env)
        self.assertIn("after step", three.wait("kept").value)
        self.close(three)
        # who hasn't decided is asked again
        four = self.open(env=self.env)
        four.wait("kept")
        four.press(four.find("push button", "Leave It"))
        four.wait("kept", "left")
        self.close(four)
        self.assertEqual([run["options"]["data"] for run in self.kept().values()], ["moons"])
        two.process.terminate()
        two.wait("closed")
        self.assertEnds(two)
        self.assertEqual(self.kept(), {})

    def test_damaged(self):
        run = self.crash(*OPTIONS)
        folder = os.path.join(self.runs, next(iter(self.kept())))
        weights = f"weights-{run['weights']}"  # newer ones that run.json doesn't name yet may lie beside them
        with open(os.path.join(folder, weights), "r+b") as file:
            file.truncate(100)
        window = self.open(*OPTIONS, env=self.env)
        toast = window.wait("toast", lambda text: "can’t go on" in text).value
        self.assertIn(weights, toast)
        self.assertIsNone(window.last("kept"))
        self.assertFalse(os.path.exists(folder))
        self.close(window)

    def test_home_goes(self):
        """A home that can't be written to is told of once; training goes on, and so does keeping once it is back."""
        with open(self.home, "w", encoding="utf-8"):
            pass
        window = self.open(*OPTIONS, env=self.env)
        toast = window.wait("toast", lambda text: "After a crash" in text, timeout=30)
        window.wait("first-step", timeout=30)
        time.sleep(7)
        os.remove(self.home)
        self.wait_until(window, lambda: any(self.kept().values()))
        shutil.rmtree(self.home)
        self.wait_until(window, lambda: any(self.kept().values()))
        self.assertEqual([event.value for event in window.events if event.name == "toast" and "After a crash" in event.value],
                         [toast.value])
        self.close(window)
        self.assertEqual(self.kept(), {})


if __name__ == "__main__":
    drive.main()
