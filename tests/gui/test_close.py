# SPDX-License-Identifier: GPL-3.0-or-later
"""Closes the window while it trains, again and again, at moments that nobody has chosen: before the first step, while lanes
open or kernels are built, between steps, while a step is recorded. LOCKSTEP_GUI_CLOSES says how often; a failure names the seed."""
import os
import random
import struct
import time

import drive

TIMES = int(os.environ.get("LOCKSTEP_GUI_CLOSES", "10"))
SEED = int(os.environ.get("LOCKSTEP_GUI_SEED", random.randrange(1 << 30)))
WAYS = ("ctrl+q", "ctrl+w", "signal")


class Close(drive.Case):
    leaks = True

    def test_close_while_training(self):
        chance = random.Random(SEED)
        for i in range(TIMES):
            model, way = chance.choice(("mlp", "cnn")), chance.choice(WAYS)
            # most moments soon after the start, where most is going on
            delay = min(chance.expovariate(1 / 0.6), 4) * drive.PATIENCE
            with self.subTest(seed=SEED, number=i, model=model, way=way, delay=f"{delay:.3f} s"):
                window = self.open("--model", model)
                time.sleep(delay)
                if chance.random() < 0.3:
                    window.key(chance.choice("12345p"))
                began = time.monotonic()
                if way == "signal":
                    window.process.terminate()
                else:
                    window.key(way)
                window.wait("closed", timeout=10)
                self.assertEnds(window)
                self.assertLess(time.monotonic() - began, 8 * drive.PATIENCE)
                window.kill()


    def test_close_while_the_data_are_read(self):
        """A run's lanes may start while the process ends: what exit() has libraries clean up, they would just be using."""
        log = os.path.join(self.folder, "calls")
        for part in "train", "t10k":
            for name, shape in ("images-idx3", (8, 3, 3)), ("labels-idx1", (8,)):
                with open(os.path.join(self.folder, f"{part}-{name}-ubyte"), "wb") as file:
                    file.write(struct.pack(f">{1 + len(shape)}I", 0x800 + len(shape), *shape) + bytes(72 if len(shape) > 1 else 8))
        window = self.open("--data", self.folder, env={"LD_PRELOAD": os.environ["LS_SYSFAULT_PATH"], "LS_FAULT": "file:1:slow:on",
                                                       "LS_FAULT_UNDER": os.path.join(self.folder, "t"), "LS_FAULT_LOG": log})

        def calls():
            with open(log, encoding="utf-8") as file:
                return file.read()
        self.wait_until(window, lambda: "rain-images" in calls())
        window.process.terminate()
        self.assertEnds(window)
        self.assertNotIn("program end", calls(), "exit() cleaned up while a thread was making a run")


if __name__ == "__main__":
    drive.main()
