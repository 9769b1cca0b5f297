#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads weights that Lockstep saved into PyTorch's nn.Sequential of the same layers, compares the logits with
Lockstep's, and writes the weights back as PyTorch orders them. Exit status 77: no PyTorch here.

usage: torch_weights.py WEIGHTS CASE OUTPUT HALF…   (CASE holds x and logits, each HALF the same weights in 16 bits)"""
import json
import struct
import sys

try:
    import numpy as np
    import torch
    from torch import nn
except ImportError as error:
    print(error)
    sys.exit(77)

DTYPES = {"F32": np.float32, "I32": np.int32, "F16": np.float16, "BF16": np.uint16}


def load(path):
    data = open(path, "rb").read()
    n, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + n])
    metadata = header.pop("__metadata__")
    body = data[8 + n:]
    return metadata, {name: np.frombuffer(body[slice(*t["data_offsets"])], DTYPES[t["dtype"]]).reshape(t["shape"])
                      for name, t in header.items()}


def save(path, tensors):
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name in sorted(tensors, reverse=True):
        values = np.ascontiguousarray(tensors[name])
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [len(body), len(body) + values.nbytes]}
        body += values.tobytes()
    text = json.dumps(header, indent=1).encode()
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + body)


metadata, weights = load(sys.argv[1])
_, case = load(sys.argv[2])
assert metadata["format"] == "pt"
model = nn.Sequential(nn.Conv2d(2, 4, 3, stride=2, padding=1), nn.Tanh(), nn.MaxPool2d(2), nn.Flatten(),
                      nn.Linear(16, 7), nn.ReLU(), nn.Linear(7, 3))
model.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in weights.items()})  # strict
logits = model(torch.from_numpy(case["x"].copy())).detach().numpy()
worst = np.abs(logits - case["logits"]).max()
print("largest difference of a logit:", worst)
assert np.abs(logits).max() > 0.01 and worst < 1e-5, (logits, case["logits"])

for path in sys.argv[4:]:
    _, halves = load(path)
    for name, values in halves.items():
        bf16 = values.dtype == np.uint16  # which numpy doesn't know: the upper half of a float
        half = torch.from_numpy((values.astype(np.uint32) << 16).view(np.float32)).bfloat16() if bf16 \
            else torch.from_numpy(values.copy())
        assert half.dtype in (torch.float16, torch.bfloat16)
        bound = weights[name].__abs__() * (2**-8 if bf16 else 2**-11) + 2**-25
        assert (np.abs(half.float().numpy() - weights[name]) <= bound).all(), (path, name)
        halves[name] = half
    model.load_state_dict(halves)
    worst = np.abs(model(torch.from_numpy(case["x"].copy())).detach().numpy() - case["logits"]).max()
    print("largest difference of a logit in 16 bits:", worst)
    assert worst < 0.1
model.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in weights.items()})
save(sys.argv[3], {name: values.numpy() for name, values in model.state_dict().items()})
