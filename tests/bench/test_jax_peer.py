# SPDX-License-Identifier: GPL-3.0-or-later
"""That JAX's peer does the lanes' step: the same losses, step by step from the same weights, as the same training written out in
numpy with double precision; skipped where this Python has no JAX."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import jax_peer
    import numpy
except ImportError as error:
    print(f"skipped: {error}; “./dev bench --peers” installs it")
    sys.exit(77)

BATCH, STEPS, RATE, MOMENTUM = 16, 12, 0.05, 0.9


def softmax_loss(z, y):
    """The mean cross-entropy and its gradient."""
    z = z - z.max(axis=1, keepdims=True)
    p = numpy.exp(z) / numpy.exp(z).sum(axis=1, keepdims=True)
    loss = -numpy.log(p[numpy.arange(len(y)), y]).mean()
    p[numpy.arange(len(y)), y] -= 1
    return loss, p / len(y)


def patches(x, size, pad):
    """im2col of NHWC, for stride 1: rows are outputs, columns are size × size × channels."""
    n, h, w, c = x.shape
    padded = numpy.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    out = numpy.stack([padded[:, i:i + h, j:j + w] for i in range(size) for j in range(size)], axis=3)
    return out.reshape(n * h * w, size * size * c)


class Reference:
    """A network of conv (stride 1, padded to the same size), relu, maxpool 2, flatten and dense, trained by hand."""

    def __init__(self, model, weights):
        self.kinds = [text.split()[0] for text in jax_peer.PRESETS.get(model, model).split(", ")]
        self.weights = [{k: numpy.array(v, float) for k, v in w.items()} for w in weights]
        self.momenta = [{k: numpy.zeros_like(v) for k, v in w.items()} for w in self.weights]

    def step(self, x, y):
        kept, x = [], x.astype(float)
        for kind, w in zip(self.kinds, self.weights):
            if kind == "conv":
                kept.append((patches(x, 3, 1), x.shape))
                x = (kept[-1][0] @ w["w"].reshape(-1, w["w"].shape[-1]) + w["b"]).reshape(*x.shape[:3], -1)
                continue
            kept.append(x)
            if kind == "dense":
                x = x @ w["w"] + w["b"]
            elif kind == "relu":
                x = numpy.maximum(x, 0)
            elif kind == "flatten":
                x = x.reshape(len(x), -1)
            else:  # maxpool 2
                n, h, v, c = x.shape
                x = x.reshape(n, h // 2, 2, v // 2, 2, c).max(axis=(2, 4))
        loss, d = softmax_loss(x, y)
        for kind, w, m, x in reversed(list(zip(self.kinds, self.weights, self.momenta, kept))):
            g = {}
            if kind == "dense":
                g, d = {"w": x.T @ d, "b": d.sum(axis=0)}, d @ w["w"].T
            elif kind == "relu":
                d = d * (x > 0)
            elif kind == "flatten":
                d = d.reshape(x.shape)
            elif kind == "maxpool":
                n, h, v, c = x.shape
                blocks = x.reshape(n, h // 2, 2, v // 2, 2, c).transpose(0, 1, 3, 5, 2, 4).reshape(-1, 4)
                spread = numpy.zeros_like(blocks)
                spread[numpy.arange(len(blocks)), blocks.argmax(axis=1)] = d.reshape(-1)
                d = spread.reshape(n, h // 2, v // 2, c, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(x.shape)
            else:  # conv: its input's gradient is the convolution with the turned kernel
                columns, shape = x
                flat = d.reshape(-1, d.shape[-1])
                g = {"w": (columns.T @ flat).reshape(w["w"].shape), "b": flat.sum(axis=0)}
                turned = w["w"][::-1, ::-1].transpose(0, 1, 3, 2)
                d = (patches(d, 3, 1) @ turned.reshape(-1, shape[-1])).reshape(shape)
            for k, v in g.items():
                m[k] = MOMENTUM * m[k] + v
                w[k] -= RATE * m[k]
        return loss


class SameWork(unittest.TestCase):
    def compare(self, model, shape, classes):
        random = numpy.random.default_rng(5)
        samples = random.random((64, *shape), numpy.float32)
        labels = random.integers(0, classes, 64).astype(numpy.int32)
        training = jax_peer.Training(model, samples, labels, BATCH)
        reference = Reference(model, training.weights)
        for step in range(STEPS):
            index = random.permutation(64)[:BATCH].astype(numpy.int32)
            loss, expected = training.train(index), reference.step(samples[index], labels[index])
            self.assertAlmostEqual(loss, expected, delta=2e-4 * max(1, expected), msg=f"{model}: step {step}")

    def test_mlp(self):
        self.compare("mlp", (28, 28, 1), 10)

    def test_wide(self):
        self.compare("flatten, dense 1024, relu, dense 1024, relu, dense 10", (28, 28, 1), 10)

    def test_cnn(self):
        self.compare("cnn", (28, 28, 1), 10)

    def test_tabular(self):
        self.compare("flatten, dense 64, relu, dense 32, relu, dense 2", (20, 1, 1), 2)

    def test_lstm(self):
        """The last output of a loop written out."""
        random = numpy.random.default_rng(6)
        weights, forward = jax_peer.network("lstm 7", (5, 4, 1))
        x, w, h, c = random.random((3, 5, 4, 1), numpy.float32), weights[0], numpy.zeros((3, 7)), numpy.zeros((3, 7))
        for row in range(5):
            i, f, g, o = numpy.split(x[:, row, :, 0] @ w["x"] + w["b"] + h @ w["h"], 4, axis=1)
            c = c / (1 + numpy.exp(-f)) + numpy.tanh(g) / (1 + numpy.exp(-i))
            h = numpy.tanh(c) / (1 + numpy.exp(-o))
        numpy.testing.assert_allclose(forward(weights, x), h, atol=1e-5)

    def test_refused(self):
        for model in ("dropout .5", "dense", "relu 3", "nothing"):
            with self.subTest(model=model), self.assertRaises((ValueError, IndexError)):
                jax_peer.network(model, (28, 28, 1))


if __name__ == "__main__":
    unittest.main()
