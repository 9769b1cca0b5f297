# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs and how fast it answers, with both lanes training at full speed, at 1920×1080, and how much of a core they
take at watch pace. Runs inside session.sh:

    session.sh --size 1920x1080 --wm -- python3 bench.py [--minutes N] [--json FILE] [--check]

Every figure is measured from outside where it can be: answers from the key or press to the line that the window writes,
processor time and memory from /proc, training speed by steps over seconds. Training in the window and in the terminal take
turns (A B A B), so that a machine that warms up or is shared disturbs both alike. --check: exit status 1 if a limit is broken.
"""
import argparse
import fcntl
import json
import os
import pty
import re
import select
import statistics
import struct
import subprocess
import sys
import termios
import time

import drive

ROUNDS = 2
TRAIN_S = 12      # in each round, on either side
WARM_UP_S = 4     # of them left out: OpenCL's start, the first steps
WATCH_S = 24      # at watch pace, where steps are few


class Results:
    """Rows of the table that is printed in the end."""

    def __init__(self):
        self.rows = []

    def add(self, name, value, unit, limit=None, at_least=False, note=""):
        kept = limit is None or value is not None and (value >= limit if at_least else value <= limit)
        self.rows.append({"name": name, "value": value, "unit": unit, "limit": limit, "at_least": at_least, "kept": kept,
                          "note": note})
        bound = "" if limit is None else f"{'≥' if at_least else '≤'} {limit:g} {unit}  {'kept' if kept else 'BROKEN'}"
        shown = "–" if value is None else f"{value:.1f} {unit}" if abs(value) < 100 else f"{value:,.0f} {unit}".replace(",", " ")
        print(f"{name:44} {shown:>20}  {bound:24} {note}", flush=True)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def open_window(pace="full"):
    """Its run has no end."""
    window = drive.Window("--pace", pace, "--steps", "1000000000")
    window.wait("first-frame", timeout=30)
    window.focus()
    return window


def close_window(window):
    window.key("ctrl+q")
    try:
        window.wait_end(20)
    finally:
        window.kill()


# ---- start ----

def measure_start(results):
    frames, steps = [], []
    for _ in range(4):
        window = open_window()
        frames.append((window.wait("first-frame").time - window.started) * 1e3)
        steps.append((window.wait("first-step", timeout=60).time - window.started) * 1e3)
        close_window(window)
    # the first start fills the caches of kernels and of the disk
    results.add("first frame after the start", statistics.median(frames[1:]), "ms", 1000, note="median of 3")
    results.add("first trained step on screen", statistics.median(steps[1:]), "ms", 2000, note="median of 3, kernel cache warm")


# ---- answers ----

def answer_ms(window, act, event, value):
    since = window.mark()
    began = time.monotonic()
    act()
    return (window.wait(event, value, since, timeout=10).time - began) * 1e3


def measure_answers(window, results):
    """By pointer and by keys. Not by the bus: there GTK shows a button pressed for a quarter of a second before it acts."""
    clicks, keys, views = [], [], list(window.views().items())
    window.key(views[0][1])
    window.click_on(window.find("push button", "Pause"))
    window.wait("playing", "no")
    for i in range(20):
        time.sleep(0.4)
        drive.xdotool("mousedown", 1)
        time.sleep(drive.HELD_S)  # see Window.click()
        clicks.append(answer_ms(window, lambda: drive.xdotool("mouseup", 1), "playing", "yes" if i % 2 == 0 else "no"))
    window.click_on(window.find("push button", "Play"))
    window.focus()
    for i in range(24):
        time.sleep(0.4)
        title, key = views[(i + 1) % len(views)]
        keys.append(answer_ms(window, lambda: window.key(key), "view", title.lower()))
    results.add("a click on Play/Pause is answered after", percentile(clicks, 0.95), "ms", 100,
                note=f"p95 of {len(clicks)}, most {max(clicks):.0f} ms; xdotool included")
    results.add("a view's key is answered after", percentile(keys, 0.95), "ms", 100,
                note=f"p95 of {len(keys)}, most {max(keys):.0f} ms; xdotool included")


# ---- frames ----

def measure_frames(window, results):
    for name, key in window.views().items():
        window.key(key)
        time.sleep(1.5)
        since = window.mark()
        time.sleep(6)
        with window.changed:
            frames = [list(map(float, event.value.split())) for event in window.events[since:] if event.name == "frame-times"]
        frames = [frame for frame in frames if frame[3] > 1]
        if not frames:
            results.add(f"{name}: paint time p95", None, "ms", note="no frames")
            continue
        note = f"p50 {statistics.median(f[0] for f in frames):.2f} ms, {statistics.median(f[2] for f in frames):.0f} frames/s; " \
               f"median of {len(frames)} seconds, worst {max(f[1] for f in frames):.1f} ms"
        results.add(f"{name}: paint time p95", statistics.median(f[1] for f in frames), "ms", 8, note=note)


# ---- training speed ----

def slope(steps):
    """Steps a second from (time, step), or None."""
    if len(steps) < 2 or steps[-1][0] <= steps[0][0]:
        return None
    return (steps[-1][1] - steps[0][1]) / (steps[-1][0] - steps[0][0])


def medians(rates):
    return {lane: statistics.median(values) for lane, values in rates.items()}


def train_in_window(pace="full", seconds=TRAIN_S):
    """(samples/s by lane as shown, steps/s by the clock, cores that lanes took, cores that the window took)"""
    window = open_window(pace)
    window.fill_screen()
    window.wait("first-step", timeout=60)
    label = window.find("label", re.compile(r"^step "))
    time.sleep(max(0, WARM_UP_S - (time.monotonic() - window.started)))
    rates, steps, since = {}, [], window.mark()
    lanes, all_threads, began = window.lanes_cpu_s(), window.cpu_s(), time.monotonic()
    while time.monotonic() - window.started < seconds:
        label.clear_cache()
        step = re.match(r"step ([\d\s]+)", label.get_name())
        if step:
            steps.append((time.monotonic(), int(re.sub(r"\s", "", step.group(1)))))
        time.sleep(0.5)
    passed = time.monotonic() - began
    lanes, all_threads = (window.lanes_cpu_s() - lanes) / passed, (window.cpu_s() - all_threads) / passed
    with window.changed:
        for event in window.events[since:]:
            if event.name == "rate":
                lane, rate = event.value.split()[:2]
                rates.setdefault(lane, []).append(float(rate))
    close_window(window)
    return medians(rates), slope(steps), lanes, all_threads - lanes


def train_in_terminal():
    """The same, by the line of progress, which a wide terminal gets ten times a second."""
    rates, steps, text = {}, [], ""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 240, 0, 0))
    process = subprocess.Popen([drive.PROGRAM, "train", "--epochs", "1000"], stdin=theirs, stdout=theirs, stderr=theirs,
                               env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    began = time.monotonic()
    while time.monotonic() - began < TRAIN_S:
        if not select.select([ours], [], [], 1)[0]:
            continue
        text += os.read(ours, 65536).decode(errors="replace")
        *lines, text = re.split(r"[\r\n]", text)
        now = time.monotonic() - began
        lanes = re.findall(r"(CPU|OpenCL) (\d+) loss [^,·]*(?:, (\d+) samples/s)?", lines[-1]) if lines else []
        if now < WARM_UP_S or not lanes:
            continue
        steps.append((now, max(int(count) for _, count, _ in lanes)))
        for lane, _, rate in lanes:
            if rate:
                rates.setdefault(lane.lower(), []).append(float(rate))
    process.kill()
    process.wait()
    os.close(ours)
    return medians(rates), slope(steps)


def measure_training(results):
    window, terminal = [], []
    for _ in range(ROUNDS):
        terminal.append(train_in_terminal())
        window.append(train_in_window())
    for lane in sorted(set(window[0][0]) & set(terminal[0][0])):
        ours = statistics.mean(rates[lane] for rates, *_ in window if lane in rates)
        theirs = statistics.mean(rates[lane] for rates, _ in terminal if lane in rates)
        results.add(f"{lane}: rate in the window", 100 * ours / theirs, "%", 85, True,
                    f"of the terminal's; {ours:,.0f} and {theirs:,.0f} samples/s, medians of steps".replace(",", " "))
    ours = [speed for _, speed, *_ in window if speed]
    theirs = [speed for _, speed in terminal if speed]
    if ours and theirs:
        results.add("both lanes: steps in the window", 100 * statistics.mean(ours) / statistics.mean(theirs), "%", 85, True,
                    f"of the terminal's; {statistics.mean(ours):.0f} and {statistics.mean(theirs):.0f} steps/s by the clock, recorded ones included")


# ---- watch pace ----

def measure_pace(results):
    """The load is that of the lanes' threads: what drawing takes is the main thread's, and is the same at any pace."""
    watch, full = [], []
    for _ in range(ROUNDS):
        full.append(train_in_window())
        watch.append(train_in_window("watch", WATCH_S))
    results.add("load at watch pace, share of a core", 100 * max(lanes for _, _, lanes, _ in watch), "%", 15,
                note=f"lanes' threads, most of {ROUNDS}; the window's own {100 * statistics.mean(own for *_, own in watch):.0f} %")
    speeds = [speed for _, speed, *_ in watch if speed]
    if speeds:
        results.add("steps at watch pace", statistics.mean(speeds), "steps/s", note="planned: an epoch in 10 s")
    for lane in sorted(set(watch[0][0]) & set(full[0][0])):
        slow, fast = ([rates[lane] for rates, *_ in runs if lane in rates] for runs in (watch, full))
        spread = 100 * (max(fast) / min(fast) - 1)
        results.add(f"{lane}: rate at watch pace, off full speed's", abs(100 * (statistics.mean(slow) / statistics.mean(fast) - 1)), "%",
                    max(3, spread), note=f"{statistics.mean(slow):,.0f} and {statistics.mean(fast):,.0f} samples/s; full speed against "
                                         f"itself {spread:.1f} %".replace(",", " "))


# ---- at rest, and over time ----

def measure_idle(window, results):
    if window.last("playing") == "yes":
        since = window.mark()
        window.key("space")
        window.wait("playing", "no", since)
    time.sleep(3)
    before, began = window.cpu_s(), time.monotonic()
    time.sleep(5)
    results.add("processor at rest, paused", 100 * (window.cpu_s() - before) / (time.monotonic() - began), "%", 1, note="over 5 s, all threads")


def measure_memory(window, results, minutes):
    since = window.mark()
    window.key("space")
    window.wait("playing", "yes", since)
    samples, began = [], time.monotonic()
    while time.monotonic() - began < minutes * 60:
        time.sleep(5)
        samples.append((time.monotonic() - began, window.rss_mb()))
    results.add(f"resident memory after {minutes:g} min", samples[-1][1], "MB", 400, note=f"most {max(mb for _, mb in samples):.0f} MB")
    # the history fills first: growth counts in the second half
    half = [sample for sample in samples if sample[0] > minutes * 30]
    if len(half) > 4:
        slope = statistics.linear_regression([t / 60 for t, _ in half], [mb for _, mb in half]).slope
        results.add("its growth in the second half", slope, "MB/min")


def main():
    parser = argparse.ArgumentParser(description="Measure the window with both lanes training")
    parser.add_argument("--minutes", type=float, default=0.5, help="of training before memory is read [0.5]")
    parser.add_argument("--json", metavar="FILE", help="write the results")
    parser.add_argument("--check", action="store_true", help="exit status 1 if a limit is broken")
    parser.add_argument("--only", metavar="PART", help="start, window, training, pace")
    args = parser.parse_args()
    results = Results()
    print(f"The window at {drive.xdotool('getdisplaygeometry').replace(' ', '×')}, {os.cpu_count()} processors, both lanes training")
    if args.only in (None, "start"):
        measure_start(results)
    if args.only in (None, "window"):
        window = open_window()
        try:
            window.fill_screen()
            window.wait("first-step", timeout=60)
            time.sleep(WARM_UP_S)
            measure_frames(window, results)
            measure_answers(window, results)
            measure_idle(window, results)
            measure_memory(window, results, args.minutes)
            close_window(window)
        finally:
            window.kill()
    if args.only in (None, "training"):
        measure_training(results)
    if args.only in (None, "pace"):
        measure_pace(results)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"format": "lockstep-window-bench", "version": 1, "processors": os.cpu_count(), "rows": results.rows}, file, indent=1)
    broken = [row["name"] for row in results.rows if not row["kept"]]
    if broken:
        print("Limits broken: " + "; ".join(broken))
    return 1 if broken and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
