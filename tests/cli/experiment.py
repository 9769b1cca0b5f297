# SPDX-License-Identifier: GPL-3.0-or-later
"""`lockstep lab`, in a folder of the test's own."""
import csv
import os
import subprocess

from lockstep import NO_OPENCL, PROGRAM, Case, run

SHORT = ["--quick", "--seconds", "1"]


class LabCase(Case):
    def lab(self, *args, **kwargs):
        env = {"XDG_DATA_HOME": self.folder, **kwargs.pop("env", NO_OPENCL)}
        return run("lab", *args, env=env, **kwargs)

    def kept(self):
        folder = self.path("lockstep", "lab")
        return sorted(set(os.listdir(folder)) - {"lock"}) if os.path.isdir(folder) else []

    def points(self, path):
        with open(path, newline="") as file:
            return list(csv.DictReader(file))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def start(self, *args):
        return subprocess.Popen([PROGRAM, "lab", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, **NO_OPENCL, "XDG_DATA_HOME": self.folder})

    def kill_at(self, progress, *line):
        process = self.start(*line)
        for text in process.stdout:
            if text.startswith(progress):
                process.kill()
                break
        process.stdout.close()
        process.wait()
