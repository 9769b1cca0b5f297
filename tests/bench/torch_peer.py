# SPDX-License-Identifier: GPL-3.0-or-later
"""The peer of `lockstep bench`: PyTorch trains the same network on the same data.

784-256-128-10 with ReLU, softmax and cross-entropy, SGD with momentum, batch 128; the training set stays in memory (as
floats, which suits PyTorch best) and each step gathers its batch from it by index and reads its loss back, as the CPU
lane does. Lines in and out: see src/ui/cli/bench_peer.c.
"""
import ctypes
import gzip
import os
import sys
import time

import numpy
import torch
from torch import nn

BATCH = 128


def read_idx(path):
    data = gzip.open(path).read()
    rank = data[3]
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(rank)]
    return torch.from_numpy(numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * rank).reshape(shape).copy())


folder = sys.argv[1]
images = read_idx(os.path.join(folder, "train-images-idx3-ubyte.gz")).float().div(255)
labels = read_idx(os.path.join(folder, "train-labels-idx1-ubyte.gz")).long()

torch.manual_seed(1)
torch.set_flush_denormal(True)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
order = torch.randperm(len(images))
at = 0


def step():
    global order, at
    if at + BATCH > len(order):
        order, at = torch.randperm(len(images)), 0
    index = order[at:at + BATCH]
    at += BATCH
    start = time.perf_counter_ns()
    x, y = images[index], labels[index]
    optimizer.zero_grad(set_to_none=True)
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    loss.item()
    return (time.perf_counter_ns() - start) / 1e3


def blas():
    """The BLAS that this process has loaded, by name, and the function that sets its threads."""
    if torch.backends.mkl.is_available():
        return "MKL", lambda n: None  # follows torch.set_num_threads()
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "blas" in line.split()[-1] and ".so" in line}
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        if hasattr(library, "openblas_set_num_threads"):
            return "OpenBLAS", library.openblas_set_num_threads
    return "a BLAS without threads", lambda n: None


blas_name, set_blas_threads = blas()
print(f"PyTorch {torch.__version__} on {blas_name}\t{len(os.sched_getaffinity(0))}", flush=True)
for line in sys.stdin:
    threads, seconds = line.split()
    torch.set_num_threads(int(threads))
    set_blas_threads(int(threads))
    for _ in range(20):
        step()
    end = time.monotonic() + float(seconds)
    times = []
    while time.monotonic() < end:
        times.append(step())
    print(" ".join(f"{t:.3f}" for t in times), flush=True)
