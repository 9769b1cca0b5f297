# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faults there are: kinds, and of each kind one case for each call that an undisturbed run makes.

A case's name says all that there is to repeat it: opencl-once:serve:123 lets the 123rd OpenCL call of the process
`--opencl-child serve` fail, signal-term:program:412 sends SIGTERM after 412 thousandths of the time
that the undisturbed run takes.
"""
import collections
import zlib

CL_CODES = (-5, -6, -4, -36)  # out of resources, of host memory, of device memory; the device was lost
HANG_MS = 600000
CRASH = 11
# For whom nobody can wait: what is said to hang is stopped after that.
PATIENCE = {"LOCKSTEP_CHILD_TIMEOUT_MS": "4000", "LOCKSTEP_WATCHDOG_MS": "4000"}
MAKES = {"mkdir", "mkstemp", "fsync", "rename", "link", "ftruncate"}
WAITS = {"open", "fopen", "mkstemp", "close", "fsync", "ftruncate", "flock"}
SIGNALS = {"signal-term": 15, "signal-int": 2, "signal-kill": 9}


class Case(collections.namedtuple("Case", "kind where number")):
    @classmethod
    def read(cls, text):
        kind, where, number = text.split(":")
        return cls(kind, where, int(number))

    def __str__(self):
        return f"{self.kind}:{self.where}:{self.number}"

    @property
    def chance(self):
        """A number that is the same whenever the case is tried."""
        return zlib.crc32(str(self).encode())

    @property
    def signal(self):
        return SIGNALS.get(self.kind)

    def when(self, seconds):
        """The signal, and the time at which it is sent to a program that takes so many seconds."""
        return (self.signal, self.number / 1000 * seconds) if self.signal else None

    @property
    def killed(self):
        """Whether the program itself ends without a chance to do anything about it."""
        return self.kind == "signal-kill" or (self.kind == "file-kill" and self.where == "program")

    @property
    def mends(self):
        """Nothing that a program should not get over by itself: an interrupted call is made again."""
        return self.kind in ("file-eintr", "file-short")

    @property
    def leaves(self):
        """Whether a process may end in the middle of writing: its caches must do no harm to the next run."""
        return self.kind.startswith("file") or self.kind in ("signal-kill", "opencl-hang", "opencl-crash")

    def environment(self):
        if self.signal:
            return {}
        group, what = self.kind.split("-", 1)
        env = {"LS_FAULT_IN": self.where}
        if group == "opencl":
            code = CL_CODES[self.chance % len(CL_CODES)]
            rule = {"once": f"fail:any:{self.number}:{code}:once", "for-good": f"fail:any:{self.number}:{code}",
                    "hang": f"delay:any:{self.number}:{HANG_MS}", "crash": f"raise:any:{self.number}:{CRASH}"}[what]
            return {**env, "LS_CLFAULT": rule, **(PATIENCE if what == "hang" else {})}
        word, _, on = what.partition("-")
        return {**env, "LS_FAULT": f"{group}:{self.number}:{word if group == 'file' else 'fail'}{':on' if on else ''}"}


def suffers(kind, call):
    """Whether that file call can suffer that."""
    if kind.startswith("file-enospc"):
        return call in MAKES or call.startswith(("open", "fopen", "write", "pwrite"))
    if kind == "file-eintr":
        return call in WAITS or call.startswith(("read", "pread", "write", "pwrite"))
    if kind == "file-short":
        return call.startswith(("read", "pread", "write", "pwrite"))
    return True


KINDS = {"opencl": ["once", "for-good", "hang", "crash"],
         "file": ["enospc", "enospc-on", "eio", "eio-on", "eintr", "short", "kill"],
         "memory": ["once", "once-on"]}


def all_cases(calls):
    """By kind, in the order of the calls. calls: what the undisturbed run has listed: (process, group, number, call)."""
    found = collections.OrderedDict()
    for group, kinds in KINDS.items():
        for what in kinds:
            kind = f"{group}-{what}"
            found[kind] = [Case(kind, where, number) for where, of, number, call in calls
                           if of == group and (group != "file" or suffers(kind, call))]
    for kind in SIGNALS:
        found[kind] = [Case(kind, "program", number) for number in range(1000)]
    return found
