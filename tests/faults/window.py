# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals come to the window at random times, from its first moment on: it ends within seconds, leaves no process and no file
beside, and what it leaves in the caches does no harm. Runs inside tests/gui/session.sh; LOCKSTEP_FAULTS_S says for how long."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from run import PROGRAM, TRAIN, UNSOUND, Place, Undisturbed, Wrong, check_again, expect

SECONDS = float(os.environ.get("LOCKSTEP_FAULTS_S", "60"))
SEED = int(os.environ.get("LOCKSTEP_FAULTS_SEED", random.randrange(1 << 30)))
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)
LONGEST_S = 15  # to its end


def try_signal(number, delay, undisturbed):
    folder = tempfile.mkdtemp(prefix="lockstep-fault-")
    place = Place(folder, undisturbed.place)
    try:
        log = os.path.join(folder, "home", "log")
        with open(log, "w") as file:
            window = subprocess.Popen([PROGRAM, *TRAIN[1:-2]], cwd=place.out, env={**os.environ, **place.environment({})},
                                      stdout=file, stderr=file)
        time.sleep(delay)
        window.send_signal(number)
        try:
            status = window.wait(LONGEST_S)
        except subprocess.TimeoutExpired:
            raise Wrong(f"it had not ended {LONGEST_S} s after the signal") from None
        with open(log, errors="replace") as file:
            said = file.read()
        # before there is a window the signal does what signals do
        expect(status == -number or (status == 0 and number != signal.SIGKILL), "exit status", status, said)
        expect(not UNSOUND.search(said), "it isn't sound:", said)
        for _ in range(40):
            left = place.processes()
            if not left:
                break
            time.sleep(0.05)
        expect(not left, "processes are left:", left)
        beside = [name for name in place.beside() if not name.startswith("tmp/")]  # the toolkit's
        expect(not beside or number == signal.SIGKILL, "left over:", beside)
        check_again(place, undisturbed)
        return None
    except (Wrong, OSError, ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        place.end_processes()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    keep, chance, until = tempfile.mkdtemp(prefix="lockstep-faults-"), random.Random(SEED), time.monotonic() + SECONDS
    tried = failures = 0
    try:
        if os.path.isdir(os.environ.get("LOCKSTEP_FAULTS_WARM", "")):
            shutil.copytree(os.environ["LOCKSTEP_FAULTS_WARM"], keep, dirs_exist_ok=True)
        undisturbed = Undisturbed(keep)
        print(f"window: seed {SEED}", flush=True)
        while time.monotonic() < until:
            number, delay = chance.choice(SIGNALS), min(chance.expovariate(1 / 0.8), 5)
            wrong = try_signal(number, delay, undisturbed)
            tried += 1
            if wrong:
                failures += 1
                print(f"window: {signal.Signals(number).name} after {delay:.3f} s: {wrong}", flush=True)
    finally:
        shutil.rmtree(keep, ignore_errors=True)
    print(f"{'window':16} {tried:5} cases, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
