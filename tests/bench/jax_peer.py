# SPDX-License-Identifier: GPL-3.0-or-later
"""JAX as a peer of the lanes: the same network on the same data, as a child that waits for its turns.

ReLU, softmax and cross-entropy, SGD with momentum. The whole step is one jitted function, from the gather of the batch by index
out of the training set in memory to the new weights; these are donated, so that XLA may write them in place. Each step reads its
loss back, as the lanes do. Images are NHWC, which suits XLA's convolutions best on a CPU. XLA's threads are as many as the
process may use processors. Data other than MNIST are random numbers of the same shape. The first argument is MNIST's folder.
Lines in and out: see src/engine/lab/worker.h.
"""
import gzip
import json
import os
import sys
import time
from functools import partial

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy
from jax import lax

WARM = .15  # share of a turn that isn't counted
TOY_SAMPLES = 2000
RATE, MOMENTUM = 0.05, 0.9

PRESETS = {
    "mlp": "flatten, dense 256, relu, dense 128, relu, dense 10",
    "lstm": "lstm 128, dense 10",
    "cnn": "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu, dense 10",
}
ACTIVATIONS = {"relu": jax.nn.relu, "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid, "gelu": partial(jax.nn.gelu, approximate=False)}


def read_idx(path):
    with gzip.open(path) as stream:
        data = stream.read()
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(data[3])]
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * len(shape)).reshape(shape)


def load(name, folder):
    """Samples, NHWC, and their labels."""
    if name == "mnist":
        images = read_idx(os.path.join(folder, "train-images-idx3-ubyte.gz"))[..., None]
        return images.astype(numpy.float32) / 255, read_idx(os.path.join(folder, "train-labels-idx1-ubyte.gz")).astype(numpy.int32)
    if name == "tabular":
        return (numpy.random.default_rng(1).standard_normal((TOY_SAMPLES, 20, 1, 1), numpy.float32),
                numpy.arange(TOY_SAMPLES, dtype=numpy.int32) % 2)
    raise ValueError(f"there are no data {name}")


def uniform(random, fan_in, *shape):
    return random.uniform(-fan_in ** -.5, fan_in ** -.5, shape).astype(numpy.float32)


def lstm(w, x):
    """The last output of an LSTM over a sample's rows."""
    rows = x.reshape(x.shape[0], x.shape[1], -1).swapaxes(0, 1)
    inputs = rows @ w["x"] + w["b"]

    def one(state, row):
        h, c = state
        i, f, g, o = jnp.split(row + h @ w["h"], 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    zero = jnp.zeros((x.shape[0], w["h"].shape[0]), x.dtype)
    (h, _), _ = lax.scan(one, (zero, zero), inputs)
    return h


def layer(text, shape, random):
    """Weights, a function of them and the input, and what it makes of a sample's shape."""
    kind, *words = text.split()
    if kind in ACTIVATIONS and not words:
        return {}, lambda w, x: ACTIVATIONS[kind](x), shape
    if kind == "flatten":
        return {}, lambda w, x: x.reshape(x.shape[0], -1), (int(numpy.prod(shape)),)
    if kind == "dense":
        w = {"w": uniform(random, shape[0], shape[0], int(words[0])), "b": uniform(random, shape[0], int(words[0]))}
        return w, lambda w, x: x @ w["w"] + w["b"], (int(words[0]),)
    if kind == "lstm" and len(words) == 1:
        units, size = int(words[0]), shape[1] * shape[2]
        w = {"x": uniform(random, units, size, 4 * units), "h": uniform(random, units, units, 4 * units),
             "b": uniform(random, units, 4 * units)}
        return w, lstm, (units,)
    if kind == "conv":
        named = dict(zip(words[2::2], map(int, words[3::2])))
        out, size, stride, pad = int(words[0]), int(words[1]), named.get("stride", 1), named.get("pad", 0)
        fan_in = size * size * shape[2]
        w = {"w": uniform(random, fan_in, size, size, shape[2], out), "b": uniform(random, fan_in, out)}
        return (w, lambda w, x: lax.conv_general_dilated(x, w["w"], (stride, stride), [(pad, pad)] * 2,
                                                         dimension_numbers=("NHWC", "HWIO", "NHWC")) + w["b"],
                (*((n + 2 * pad - size) // stride + 1 for n in shape[:2]), out))
    if kind == "maxpool":
        n = int(words[0])
        return ({}, lambda w, x: lax.reduce_window(x, -jnp.inf, lax.max, (1, n, n, 1), (1, n, n, 1), "VALID"),
                (shape[0] // n, shape[1] // n, shape[2]))
    raise ValueError(f"there is no layer {text}")


def network(model, shape):
    """The weights, layer by layer, and the function of all of them and a batch."""
    weights, functions, random = [], [], numpy.random.default_rng(1)
    for text in PRESETS.get(model, model).split(","):
        w, function, shape = layer(text.strip(), shape, random)
        weights.append(w)
        functions.append(function)

    def forward(weights, x):
        for w, function in zip(weights, functions):
            x = function(w, x)
        return x

    return weights, forward


class Training:
    def __init__(self, model, samples, labels, batch):
        weights, forward = network(model, samples.shape[1:])
        self.weights = jax.device_put(weights)
        self.momenta = jax.tree_util.tree_map(jnp.zeros_like, self.weights)
        self.samples, self.labels, self.batch = samples, labels, batch
        self.random = numpy.random.default_rng(2)
        self.order, self.at = self.random.permutation(len(samples)).astype(numpy.int32), 0

        def mean_loss(weights, x, y):
            logs = jax.nn.log_softmax(forward(weights, x))
            return -jnp.mean(jnp.take_along_axis(logs, y[:, None], axis=1))

        @partial(jax.jit, donate_argnums=(0, 1))
        def step(weights, momenta, samples, labels, index):
            loss, gradients = jax.value_and_grad(mean_loss)(weights, samples[index], labels[index])
            momenta = jax.tree_util.tree_map(lambda m, g: MOMENTUM * m + g, momenta, gradients)
            return jax.tree_util.tree_map(lambda w, m: w - RATE * m, weights, momenta), momenta, loss

        self.compiled = step

    def train(self, index):
        """The loss of the batch, before the weights change."""
        self.weights, self.momenta, loss = self.compiled(self.weights, self.momenta, self.samples, self.labels, index)
        return float(loss)

    def step(self):
        """µs that it took."""
        if self.at + self.batch > len(self.order):
            self.order, self.at = self.random.permutation(len(self.order)).astype(numpy.int32), 0
        index = self.order[self.at:self.at + self.batch]
        self.at += self.batch
        start = time.perf_counter_ns()
        self.train(index)
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


def say(**members):
    print(json.dumps(members), flush=True)


def main():
    say(title=f"JAX {jax.__version__}, jit", threads=len(os.sched_getaffinity(0)))
    data, training = {}, None
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            if "prepare" in asked:
                _, model, name, batch = asked["prepare"].split("\t")
                if name not in data:
                    data[name] = tuple(map(jax.device_put, load(name, sys.argv[1])))
                training = Training(model, *data[name], int(batch))
                training.step()  # compiles
                say()
            else:
                say(us=training.run(asked["run"]))
        except Exception as error:  # whatever it is, it is an answer
            say(no=str(error))


if __name__ == "__main__":
    main()
