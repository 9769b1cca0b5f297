# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faults there are: kinds, and of each kind one case for each call that an undisturbed run makes.

A case's name says all that there is to repeat it: opencl-once:serve:123 lets the 123rd OpenCL call of the process
`--opencl-child serve` fail, signal-term:program:412 sends SIGTERM after 412 thousandths of the time
that the undisturbed run takes.
"""
import collections
import itertools
import re
import zlib

CL_CODES = (-5, -6, -4, -36)  # out of resources, of host memory, of device memory; the device was lost
HANG_MS = 600000
CRASH = 11
# For whom nobody can wait: what is said to hang is stopped after that.
PATIENCE = {"LOCKSTEP_CHILD_TIMEOUT_MS": "4000", "LOCKSTEP_WATCHDOG_MS": "4000"}
MAKES = {"mkdir", "mkstemp", "fsync", "rename", "link", "ftruncate"}
WAITS = {"open", "fopen", "mkstemp", "close", "fsync", "ftruncate", "flock"}
BUILDS = ("clBuildProgram", "clCreateKernel")
SIGNALS = {"signal-term": 15, "signal-int": 2, "signal-kill": 9, "compile-kill": 9}


# What an undisturbed run has listed; where: in which process.
Call = collections.namedtuple("Call", "where group number name path")


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
        return self.signal == 9 or (self.kind == "file-kill" and self.where == "program")

    @property
    def mends(self):
        """Nothing that a program should not get over by itself: an interrupted call is made again."""
        return self.kind in ("file-eintr", "file-short")

    @property
    def may_stop_cpu(self):
        """Whether the CPU lane may miss what it needs, which is in the program."""
        return self.kind.startswith("memory") and self.where == "program"

    @property
    def leaves(self):
        """Whether a process may end in the middle of writing: its caches must do no harm to the next run."""
        return self.kind.startswith("file") or self.killed or self.kind in ("opencl-hang", "opencl-crash")

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
        word = what.split("-")[0] if group == "file" else "fail"
        return {**env, "LS_FAULT": f"{group}:{self.number}:{word}{':on' if what.endswith('on') else ''}"}


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
         "memory": ["once", "on"]}


# What was found by chance, and is always tried: kind, process, call, path.
FOUND = [("file-eintr", "program", "open", r"/out"), ("file-eintr", "program", "open", r"/out/w\..*"),
         ("file-eintr", "program", "fsync", r"/out/w\..*")]


def found_cases(calls):
    found = [next((Case(kind, where, call.number) for call in calls
                   if (call.where, call.group, call.name) == (where, kind.split("-")[0], name) and re.fullmatch(path, call.path)),
                  None) for kind, where, name, path in FOUND]
    for row, case in zip(FOUND, found):
        if case is None:
            print("no longer called:", *row)
    return [case for case in found if case is not None]


def is_slow(kind, call, last, building):
    """Whether the program then compiles kernels: since what the first try of a device finds out decides which variants there are;
    or since the cache can't be used if that call fails (or, for good, one after it: the last of its process is `last`). Or
    whether it waits for a compiler that hangs, with more patience than for all else: calls that are in `building`."""
    if call.where == "try":
        return not kind.startswith("memory") and kind not in ("file-eintr", "file-short")
    if kind == "opencl-hang":
        return call.number in building
    return call.group == "file" and (compiles(call) or (kind.endswith("-on") and call.number <= last))


def building_calls(calls):
    """Those at which a lane counts as building: a kernel is tried once it is built, which takes a few calls."""
    return {call.number + i for call in calls if call.name in BUILDS for i in range(-10, 10)}


def compiles(call):
    return bool(re.search(r"/\.writable-|/pocl-[^/]*$|/lockstep$", call.path))


def all_cases(calls, chance):
    """By kind: those that are quick, and those that are slow, each in an order by chance."""
    found, last = collections.OrderedDict(), {call.where: call.number for call in calls if compiles(call)}
    building = building_calls(calls)
    for group, kinds in KINDS.items():
        for what in kinds:
            kind, some = f"{group}-{what}", ([], [])
            for call in calls:
                if call.group == group and (group != "file" or suffers(kind, call.name)):
                    some[is_slow(kind, call, last.get(call.where, 0), building)].append(Case(kind, call.where, call.number))
            found[kind] = some
    for kind in SIGNALS:
        some = [Case(kind, "program", number) for number in range(1000)]
        found[kind] = ([], some) if kind == "compile-kill" else (some, [])
    return {kind: [by_chance(some, chance) for some in both] for kind, both in found.items()}


def by_chance(some, chance):
    """So that each process has its turn: the OpenCL lane's makes ten times as many calls as the program."""
    chance.shuffle(some)
    return in_turn([[case for case in some if case.where == where] for where in sorted({case.where for case in some})])


def in_turn(lists):
    """The first of each list, then the second …"""
    return [one for row in itertools.zip_longest(*lists) for one in row if one is not None]
