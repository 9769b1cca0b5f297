# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch as a peer of the lanes: the same network on the same data, as a child that waits for its turns.

ReLU, softmax and cross-entropy, SGD with momentum; the training set stays in memory (as floats, which suits PyTorch best),
each step gathers its batch from it by index and reads its loss back, as the lanes do. Data other than MNIST are random
numbers of the same shape. The first argument is MNIST's folder; a second one, "compile", has the network compiled by torch.compile.
Lines in and out: see src/engine/lab/worker.h.
"""
import ctypes
import gzip
import json
import os
import sys
import time

import numpy
import torch
from torch import nn

WARM = .15  # share of a turn that isn't counted
TOY_SAMPLES = 2000
COMPILE = sys.argv[2:] == ["compile"]


def read_idx(path):
    data = gzip.open(path).read()
    rank = data[3]
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(rank)]
    return torch.from_numpy(numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * rank).reshape(shape).copy())


def load(name, folder):
    """Samples and their labels."""
    if name == "mnist":
        images = read_idx(os.path.join(folder, "train-images-idx3-ubyte.gz")).float().div(255)
        return images.unsqueeze(1), read_idx(os.path.join(folder, "train-labels-idx1-ubyte.gz")).long()
    if name == "tabular":
        return torch.randn(TOY_SAMPLES, 20, 1, 1), torch.arange(TOY_SAMPLES) % 2
    raise ValueError(f"there are no data {name}")


def numbers(words):
    """{"pad": 1} and the plain numbers, of "16 3 pad 1"."""
    named, plain = {}, []
    words = iter(words)
    for word in words:
        if word.isdigit():
            plain.append(int(word))
        else:
            named[word] = int(next(words))
    return named, plain


class Sequence(nn.Module):
    """torch's LSTM over a sample's rows; its last output, or all as a plane."""

    def __init__(self, shape, units, every):
        super().__init__()
        self.lstm = nn.LSTM(shape[0] * shape[2], units, batch_first=True)
        self.every = every

    def forward(self, x):
        out, _ = self.lstm(x.permute(0, 2, 1, 3).flatten(2))
        return out.unsqueeze(1) if self.every else out[:, -1]


def layer(text, shape):
    """A module, and what it makes of a sample's shape; a flat one is (values, 1, 1)."""
    kind, *words = text.split()
    if kind == "lstm":
        units, every = int(words[0]), "all" in words
        return Sequence(shape, units, every), ((1, shape[1], units) if every else (units, 1, 1))
    if kind == "dropout":
        return nn.Dropout(float(words[0])), shape
    if kind == "layernorm":  # of planes the last dimension
        return nn.LayerNorm(shape[0] if shape[1:] == (1, 1) else shape[2]), shape
    named, plain = numbers(words)
    if kind == "flatten":
        return nn.Flatten(), (shape[0] * shape[1] * shape[2], 1, 1)
    if kind == "dense":
        return nn.Linear(shape[0], plain[0]), (plain[0], 1, 1)
    if kind == "conv":
        stride, pad = named.get("stride", 1), named.get("pad", 0)
        module = nn.Conv2d(shape[0], plain[0], plain[1], stride, pad)
        return module, (plain[0], *((n + 2 * pad - plain[1]) // stride + 1 for n in shape[1:]))
    if kind == "maxpool":
        return nn.MaxPool2d(plain[0]), (shape[0], shape[1] // plain[0], shape[2] // plain[0])
    if kind == "avgpool":
        return nn.AvgPool2d(plain[0]), (shape[0], shape[1] // plain[0], shape[2] // plain[0])
    if kind in ("relu", "tanh", "sigmoid", "gelu"):
        return {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "gelu": nn.GELU}[kind](), shape
    raise ValueError(f"there is no layer {kind}")


PRESETS = {
    "mlp": "flatten, dense 256, relu, dense 128, relu, dense 10",
    "lstm": "lstm 128, dense 10",
    "cnn": "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu, dense 10",
}


class Training:
    def __init__(self, model, samples, labels, batch):
        shape, modules = tuple(samples.shape[1:]), []
        for text in PRESETS.get(model, model).split(","):
            module, shape = layer(text.strip(), shape)
            modules.append(module)
        torch.manual_seed(1)
        self.model = nn.Sequential(*modules)
        if COMPILE:
            self.model = torch.compile(self.model, dynamic=False)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()
        self.samples, self.labels, self.batch = samples, labels, batch
        self.order, self.at = torch.randperm(len(samples)), 0

    def step(self):
        """µs that it took."""
        if self.at + self.batch > len(self.order):
            self.order, self.at = torch.randperm(len(self.order)), 0
        index = self.order[self.at:self.at + self.batch]
        self.at += self.batch
        start = time.perf_counter_ns()
        x, y = self.samples[index], self.labels[index]
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        loss.item()
        return (time.perf_counter_ns() - start) / 1e3

    def run(self, seconds):
        start = time.monotonic()
        times = []
        self.step()
        while time.monotonic() < start + WARM * seconds:
            self.step()
        while not times or time.monotonic() < start + seconds:
            times.append(self.step())
        return times


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


def say(**members):
    print(json.dumps(members), flush=True)


def main():
    torch.set_flush_denormal(True)
    if COMPILE and not hasattr(torch, "compile"):
        say(no=f"PyTorch {torch.__version__} has no torch.compile")
        return
    blas_name, set_blas_threads = blas()
    say(title=f"PyTorch {torch.__version__} on {blas_name}{', torch.compile' if COMPILE else ''}", threads=len(os.sched_getaffinity(0)))
    data, training = {}, None
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            if "prepare" in asked:
                _, model, name, batch = asked["prepare"].split("\t")
                if name not in data:
                    data[name] = load(name, sys.argv[1])
                training = Training(model, *data[name], int(batch))
                if COMPILE:
                    training.step()  # compiles
                say()
            else:
                if asked["threads"] > 0:
                    torch.set_num_threads(asked["threads"])
                    set_blas_threads(asked["threads"])
                say(us=training.run(asked["run"]))
        except Exception as error:  # whatever it is, it is an answer
            say(no=str(error))


main()
