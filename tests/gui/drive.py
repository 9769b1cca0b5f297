# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window's tests share: a running window, driven as a person drives it.

Widgets are found and pressed over the accessibility bus, by role and name; keys and pointer go through the X server (xdotool).
What the window did is read from the lines `EVENT name value` that it writes with LOCKSTEP_EVENTS=1, and from what the
accessibility bus says of it. Runs inside session.sh.
"""
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

os.environ.pop("G_DEBUG", None)  # the program's warnings count, not this script's

try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib

    from tree import Tree, actions, children, has_state, role_of, walk  # noqa: F401 - tests use them
except (ImportError, ValueError) as missing:
    print(f"skipped: {missing}", file=sys.stderr)
    sys.exit(77)

PROGRAM = os.environ.get("LOCKSTEP", "lockstep")
# A sanitizer makes everything slower, and so does much else that runs on the machine.
PATIENCE = float(os.environ.get("LOCKSTEP_GUI_PATIENCE", "1")) * min(max(1, os.getloadavg()[0] / os.cpu_count() / 2), 3)
HELD_S = 0.05  # a button, in a click

# GTK 4.8 says it of narrow keys in every program's shortcuts window.
HARMLESS = re.compile(r"GtkLabel .* reported min width -\d, but sizes must be >= 0")

Event = collections.namedtuple("Event", "time name value")


class Told:
    """Words that are put together once a test fails: a walk over all widgets takes the window and the test a while."""

    def __init__(self, tell):
        self.tell = tell

    def __str__(self):
        return self.tell()


def xdotool(*args):
    return subprocess.run(["xdotool", *map(str, args)], capture_output=True, text=True, timeout=20, check=False).stdout.strip()


def rss_mb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


class Window:
    """A running window. Everything it writes to stderr is kept, each line with the time at which it came."""

    def __init__(self, *args, env=None, folder=None, leaks=True):
        self.events, self.log, self.changed = [], [], threading.Condition()
        self.started = time.monotonic()
        env = {"LOCKSTEP_EVENTS": "1", "G_DEBUG": "fatal-criticals,resident-modules", **(env or {})}
        if not leaks:
            env["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        self.process = subprocess.Popen(
            [PROGRAM, *args], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors="replace", cwd=folder,
            env={**os.environ, **env})
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self._application = self._tree = None

    def _read(self):
        for line in self.process.stderr:
            now = time.monotonic()
            word = line.split(None, 2)
            with self.changed:
                if word[:1] == ["EVENT"] and len(word) > 1:
                    self.events.append(Event(now, word[1], word[2].strip() if len(word) > 2 else ""))
                else:
                    self.log.append(line.rstrip("\n"))
                self.changed.notify_all()

    # ---- what it says ----

    def mark(self):
        """A place among the events: what comes after it is new."""
        with self.changed:
            return len(self.events)

    def last(self, name):
        """The newest value of that event, or None."""
        with self.changed:
            values = [event.value for event in self.events if event.name == name]
        return values[-1] if values else None

    def wait(self, name, value=None, since=0, timeout=10):
        """The first event of that name after the mark `since`, whose value is `value`, or for which value(text) is true."""
        end, at = time.monotonic() + timeout * PATIENCE, since
        with self.changed:
            while True:
                while at < len(self.events):
                    event = self.events[at]
                    at += 1
                    if event.name == name and (value is None or (value(event.value) if callable(value) else event.value == value)):
                        return event
                left = end - time.monotonic()
                if left <= 0 or not (self.changed.wait(min(left, 0.2)) or self.process.poll() is None):
                    break
        raise AssertionError(f"no EVENT {name} {value if not callable(value) else ''} came\n{self.report()}")

    def wait_mark(self, name, value=None, since=0, timeout=10):
        """The same; the mark after that event."""
        event = self.wait(name, value, since, timeout)
        with self.changed:
            return self.events.index(event) + 1

    def report(self):
        """The last things that it said, for a failed test's message."""
        with self.changed:
            events = [f"  {event.time - self.started:7.3f} s {event.name} {event.value}" for event in self.events
                      if event.name not in ("frame-times", "rate")][-15:]
            log = [f"  {line}" for line in self.log[-25:]]
        state = self.process.poll()
        return "\n".join([f"exit status: {'still running' if state is None else state}", "events:", *events, "stderr:", *log])

    # ---- the accessibility bus ----

    @property
    def root(self):
        """The application on the bus."""
        end = time.monotonic() + 10 * PATIENCE
        while self._application is None:
            for candidate in children(Atspi.get_desktop(0)):
                try:
                    if candidate.get_process_id() == self.process.pid:
                        self._application = candidate
                except GLib.Error:
                    pass
            if self._application is None:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise AssertionError(f"the window isn't on the accessibility bus\n{self.report()}")
                time.sleep(0.05)
        return self._application

    def nodes(self):
        """All widgets as they are now, each before what is in it."""
        end = time.monotonic() + 5 * PATIENCE
        while True:
            if self._tree is None:
                self._tree = Tree(self.root)
            try:
                return self._tree.nodes()
            except GLib.Error as error:
                if "UnknownMethod" not in error.message or time.monotonic() > end:
                    raise AssertionError(f"the window doesn't answer on the accessibility bus: {error.message}\n{self.report()}") from None
            self._tree = self._application = None  # the root that was found has gone, or isn't there yet
            time.sleep(0.05)

    def find_all(self, role=None, name=None):
        """All of that role (None: any; a tuple: one of them) whose name is `name`, or matches it if it is a pattern."""
        return [accessible for accessible, _ in self.found(role, name)]

    def found(self, role, name):
        """Those, each with its node."""
        roles = role if isinstance(role, tuple) else (role,)
        nodes = [node for node in self.nodes() if (role is None or node.role in roles)
                 and (name is None or (name.search(node.name) if isinstance(name, re.Pattern) else node.name == name))]
        pairs = [(self._tree.accessible(node), node) for node in nodes]
        return [pair for pair in pairs if pair[0] is not None]

    def find(self, role=None, name=None, timeout=5, showing=True):
        end = time.monotonic() + timeout * PATIENCE
        while True:
            found = self.found(role, name)
            found = [pair for pair in found if not showing or pair[1].has(Atspi.StateType.VISIBLE)] or found
            if found:
                return found[0][0]
            if time.monotonic() > end:
                raise AssertionError(f"there is no {role or 'widget'} {name!r}; there is:\n{self.tree()}\n{self.report()}")
            time.sleep(0.2)  # to look takes the window a while, too

    def tree(self):
        """For a failed test's message."""
        return Told(lambda: "\n".join("  " * node.depth + f"{node.role} {node.name!r}" for node in self.nodes()))

    def press(self, accessible, action=0):
        if not Atspi.Action.do_action(accessible, action):
            raise AssertionError(f"{role_of(accessible)} {accessible.get_name()!r} can't be pressed")

    def pictures(self):
        """The stage's canvases, named after their views. Settings have such names, too, but other roles."""
        views = re.compile(f"^({'|'.join(self.views())})$")
        return [a for a, node in self.found(None, views)
                if node.role not in ("list item", "label", "spin button", "text") and node.description]

    def views(self):
        """The views' titles and their keys, as the sidebar has them."""
        rows = children(self.find("list", "Views"))
        keys = [[a.get_name() for a in walk(row) if role_of(a) == "label"][-1] for row in rows]
        return {row.get_name(): {"-": "minus", "=": "equal"}.get(key, key) for row, key in zip(rows, keys)}

    # ---- keys and pointer ----

    def window_ids(self):
        return xdotool("search", "--onlyvisible", "--pid", self.process.pid).split()

    def focus(self):
        """The newest window gets the keys; the pointer is away from everything that it could hover over."""
        ids = self.window_ids()
        xdotool("mousemove", 9999, 9999)
        if ids:
            xdotool("windowfocus", ids[-1])
        return ids

    def fill_screen(self):
        """With a window manager or without one: the window is as large as the screen."""
        width, height = xdotool("getdisplaygeometry").split()
        for window_id in self.window_ids():
            xdotool("windowmove", window_id, 0, 0)
            xdotool("windowsize", window_id, width, height)
        time.sleep(0.5 * PATIENCE)

    def key(self, *names):
        xdotool("key", "--delay", "0", *names)

    def type(self, text):
        xdotool("type", "--delay", "8", text)

    def click(self, x, y, button=1):
        """For as long as a hand takes: GTK asks the server for the pointer when a layout has changed, sees no button pressed once that is
        over, and takes back a press whose release it hasn't read yet. So one in thirty of xdotool's clicks, of 1 ms, are lost."""
        xdotool("mousemove", x, y, "mousedown", button, "sleep", HELD_S, "mouseup", button)

    def click_on(self, accessible):
        """With the pointer, in its middle, once it stays where it is. The bus tells places in the window; the window's own is the X server's to tell. Newer GTK (4.18)
        takes the window's edge off instead of adding it, and tells that of its frame; older GTK has that begin at 0. The paddings of what
        is between, which newer GTK leaves out, too, stay unknown: up to 10 px to the left and above."""
        place, end = None, time.monotonic() + 5 * PATIENCE
        while time.monotonic() < end:
            box = Atspi.Component.get_extents(accessible, Atspi.CoordType.WINDOW)
            before, place = place, (box.x, box.y, box.width)
            if place == before and box.width > 0:
                break
            time.sleep(0.1 * PATIENCE)
        frame = accessible
        while (parent := frame.get_parent()) is not None and parent.get_role_name() != "application":
            frame = parent
        edge = Atspi.Component.get_extents(frame, Atspi.CoordType.WINDOW)
        geometry = dict(line.split("=") for line in xdotool("getwindowgeometry", "--shell", self.window_ids()[-1]).splitlines() if "=" in line)
        self.click(int(geometry["X"]) + box.x - 2 * edge.x + box.width // 2, int(geometry["Y"]) + box.y - 2 * edge.y + box.height // 2)

    def open_list(self, accessible):
        """What a button lists, by a click; keys are the list's then, which has a window of its own."""
        time.sleep(0.3 * PATIENCE)  # who looks for it first sees the layout at rest
        before, end = set(self.window_ids()), time.monotonic() + 8 * PATIENCE
        self.click_on(accessible)
        while not set(self.window_ids()) - before:
            if time.monotonic() > end:
                raise AssertionError(f"a click on “{accessible.get_name()}” opens no list\n{self.report()}")
            time.sleep(0.05)
        # it has the keys once an item of it has the focus, which a busy machine takes its time for
        while not any(node.role in ("list item", "menu item") and node.has(Atspi.StateType.FOCUSED) for node in self.nodes()):
            if time.monotonic() > end:
                raise AssertionError(f"no item of the list of “{accessible.get_name()}” gets the focus\n{self.report()}")
            time.sleep(0.2)
        time.sleep(0.1 * PATIENCE)

    # ---- the process ----

    def processes(self):
        """The window's and those of its lanes: the numbers of all that are there now."""
        found = [self.process.pid]
        for entry in os.listdir("/proc"):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                    if entry.isdigit() and int(file.read().rsplit(")", 1)[1].split()[1]) == self.process.pid:
                        found.append(int(entry))
            except OSError:  # it has ended meanwhile
                pass
        return found

    def over_processes(self, read):
        """The sum of what it says of each; of one that has ended meanwhile 0."""
        total = 0
        for pid in self.processes():
            try:
                total += read(pid)
            except (OSError, AttributeError):
                pass
        return total

    def cpu_s(self):
        """Seconds of processor time that it and its lanes' processes have used, with all threads and ended children."""
        def read(pid):
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15]))
        return self.over_processes(read) / os.sysconf("SC_CLK_TCK")

    def lanes_cpu_s(self):
        """The same without the main thread, which draws: what lanes and their drivers have used."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return self.cpu_s() - (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_mb(self):
        """Of the window and its lanes' processes together."""
        return self.over_processes(rss_mb)

    def handles(self):
        """File descriptors, and threads, of both."""
        return tuple(self.over_processes(lambda pid, what=what: len(os.listdir(f"/proc/{pid}/{what}"))) for what in ("fd", "task"))

    def wait_end(self, timeout=10):
        try:
            status = self.process.wait(timeout * PATIENCE)
        except subprocess.TimeoutExpired as late:
            self.process.send_signal(signal.SIGABRT)
            raise AssertionError(f"it doesn't end\n{self.report()}") from late
        self.reader.join(5)
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)
        self.process.stderr.close()


class Case(unittest.TestCase):
    """A test with a folder and windows of its own, which end with it."""

    leaks = False  # GTK 4.8 leaks answers that it gives on the accessibility bus: only who doesn't use it can look for leaks

    first_s, ends_s, until_s = 30, 10, 20  # the first step, the end, and else what is waited for come within so long

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lockstep-gui-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def open(self, *args, env=None):
        window = Window(*args, env=env, folder=self.folder, leaks=self.leaks)
        self.addCleanup(window.kill)
        window.wait("first-frame", timeout=20)
        window.focus()
        return window

    def open_settings(self, *args, env=None):
        """A window as large as the screen that trains, its settings beside it."""
        window = self.open(*args, env=env)
        window.fill_screen()
        window.wait("first-step", timeout=self.first_s)
        window.key("ctrl+comma")
        window.find(("push button", "toggle button"), re.compile("^Hidden layers: "))
        return window

    def quit(self, window):
        window.key("ctrl+q")
        self.assertEnds(window, timeout=self.ends_s)

    def close(self, window):
        """The same; the window is given the keys first."""
        window.focus()
        self.quit(window)

    def wait_until(self, window, true, timeout=None):
        """Until true() is; what it gave."""
        end = time.monotonic() + (timeout or self.until_s) * PATIENCE
        while not (what := true()):
            self.assertLess(time.monotonic(), end, Told(lambda: f"{window.tree()}\n{window.report()}"))
            time.sleep(0.05)
        return what

    def wait_dialog(self, window, before, shown=True):
        """Until there is a window besides those before, or none any more; those."""
        end = time.monotonic() + 8 * PATIENCE
        while bool(more := set(window.window_ids()) - before) != shown:
            self.assertLess(time.monotonic(), end, f"{'no dialog came' if shown else 'the dialog stays'}\n{window.report()}")
            time.sleep(0.1)
        time.sleep(0.5 * PATIENCE)
        return more

    def save(self, window, ask, name):
        """Through the file dialog that ask() opens, as a person would; the path that the window says it saved."""
        path, since = os.path.join(self.folder, name), window.mark()
        before = set(window.window_ids())
        ask()
        xdotool("windowfocus", *self.wait_dialog(window, before))
        window.key("ctrl+a")
        window.type(path)
        window.key("Return")
        self.assertEqual(window.wait("saved", since=since, timeout=20).value, path)
        self.wait_dialog(window, before, shown=False)  # while it closes, keys may go to it
        window.focus()
        return path

    def export(self, window, item, name):
        """What that entry of the menu saves; its path."""
        def choose():
            window.key("F10")
            for one in "Export", item:
                time.sleep(0.7 * PATIENCE)
                window.press(window.find("menu item", one))
        return self.save(window, choose, name)

    def assertEnds(self, window, timeout=10):
        """It ends by itself, in peace: nothing critical was said, no sanitizer has found anything."""
        status = window.wait_end(timeout)
        self.assertEqual(status, 0, window.report())
        self.assertSane(window)

    def assertSane(self, window):
        bad = [line for line in window.log if re.search(r"CRITICAL|-WARNING|Assertion|Sanitizer|runtime error", line)
               and not HARMLESS.search(line)]
        self.assertEqual(bad, [], window.report())

    def nameless(self, window, inside=""):
        """Where widgets are that take the focus and have no name that means something; `inside` is in their place."""
        bad = re.compile(r"^(Gtk|Adw|Gdk|Ls)[A-Z]\w*$|^$|_")  # an underscore is a mnemonic in the name
        found = [node.where() for node in window.nodes() if node.has(Atspi.StateType.FOCUSABLE)
                 and node.role not in ("frame", "label") and bad.search(node.name.strip())]
        # what a drop-down's button shows of the list isn't reached by Tab
        shown = re.compile("/ (toggle button|push button) '[^']*' / .*(panel ''|'GtkListItemWidget')$")
        return [place for place in found if inside in place and not shown.search(place)]

    def told(self, window, pattern, timeout=20):
        """The description of self.canvas, as soon as the pattern is found in it."""
        end = time.monotonic() + timeout * PATIENCE
        while True:
            self.canvas.clear_cache()
            words = self.canvas.get_description()
            if match := re.search(pattern, words):
                return match
            if time.monotonic() > end:
                raise AssertionError(f"{pattern} isn't told, but: {words}\n{window.report()}")
            time.sleep(0.1)


def main():
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stderr, verbosity=2))
