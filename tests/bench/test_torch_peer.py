# SPDX-License-Identifier: GPL-3.0-or-later
"""That PyTorch's peer knows the layers: what each makes of a batch has the shape that the next one is made for, and as many
parameters as Lockstep's; skipped where this Python has no PyTorch."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import torch
    import torch_peer
except ImportError as error:
    print(f"skipped: {error}; “./dev bench --peers” installs it")
    sys.exit(77)

BATCH = 3


class Layers(unittest.TestCase):
    def check(self, model, shape, parameters):
        x, n = torch.zeros(BATCH, *shape), 0
        for text in torch_peer.PRESETS.get(model, model).split(","):
            module, shape = torch_peer.layer(text.strip(), shape)
            x = module(x)
            n += sum(weights.numel() for weights in module.parameters())
            self.assertEqual(x.shape[0], BATCH)
            self.assertEqual(x[0].numel(), shape[0] * shape[1] * shape[2], text)
        self.assertEqual(n, parameters, model)

    def test_presets(self):
        self.check("mlp", (1, 28, 28), 784 * 256 + 256 + 256 * 128 + 128 + 128 * 10 + 10)
        self.check("lstm", (1, 28, 28), 4 * 128 * (28 + 128 + 2) + 128 * 10 + 10)

    def test_layernorm(self):
        self.check("flatten, dense 20, layernorm, relu, dense 10", (1, 28, 28), 784 * 20 + 20 + 2 * 20 + 200 + 10)
        self.check("conv 4 3, layernorm, relu, flatten, dense 10", (1, 8, 9), 36 + 4 + 2 * 7 + 4 * 6 * 7 * 10 + 10)
        self.check("lstm 16 all, layernorm, lstm 8, dense 10", (1, 28, 28),
                   4 * 16 * (28 + 16 + 2) + 2 * 16 + 4 * 8 * (16 + 8 + 2) + 90)

    def test_normalises(self):
        module, _ = torch_peer.layer("layernorm", (20, 1, 1))
        values = module(torch.rand(BATCH, 20) * 7 + 3)
        self.assertLess(values.mean(dim=1).abs().max().item(), 1e-5)
        self.assertLess((values.std(dim=1, unbiased=False) - 1).abs().max().item(), 1e-3)


if __name__ == "__main__":
    unittest.main()
