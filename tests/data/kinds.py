# SPDX-License-Identifier: GPL-3.0-or-later
"""Data of each kind, as their owners ship them, made from the first digits of MNIST: a folder of PNG files, .npz as Keras has it, CIFAR's binary
batches; and a table. For the tests of the program, in the terminal and in the window; the loaders' own tests are in C."""
import gzip
import os
import struct
import zipfile
import zlib

EDGE = 28
MNIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "datasets", "mnist")


def digits(n):
    """The first n training digits: (label, 784 bytes)."""
    def head(name, skip, length):
        with gzip.open(os.path.join(MNIST, name)) as file:
            file.read(skip)
            return file.read(length)
    labels, pixels = head("train-labels-idx1-ubyte.gz", 8, n), head("train-images-idx3-ubyte.gz", 16, n * EDGE * EDGE)
    return [(labels[i], pixels[i * EDGE * EDGE:(i + 1) * EDGE * EDGE]) for i in range(n)]


def png(pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + pixels[y * EDGE:(y + 1) * EDGE] for y in range(EDGE))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", EDGE, EDGE, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def put_pngs(folder, some):
    """A folder for each class."""
    for i, (label, pixels) in enumerate(some):
        os.makedirs(os.path.join(folder, str(label)), exist_ok=True)
        with open(os.path.join(folder, str(label), f"{i:05}.png"), "wb") as file:
            file.write(png(pixels))
    return folder


def npy(shape, data):
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape!r}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + data


def put_npz(path, train, test):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, some in ("train", train), ("test", test):
            file.writestr(f"x_{name}.npy", npy((len(some), EDGE, EDGE), b"".join(pixels for _, pixels in some)))
            file.writestr(f"y_{name}.npy", npy((len(some),), bytes(label for label, _ in some)))
    return path


def put_cifar(folder, train, test):
    """In the middle of 32×32 pixels, in three colours that are alike."""
    def record(label, pixels):
        blank, side = bytes(32), bytes(2)
        plane = blank * 2 + b"".join(side + pixels[y * EDGE:(y + 1) * EDGE] + side for y in range(EDGE)) + blank * 2
        return bytes([label]) + plane * 3
    os.makedirs(folder)
    half = len(train) // 2
    for name, some in ("data_batch_1", train[:half]), ("data_batch_2", train[half:]), ("test_batch", test):
        with open(os.path.join(folder, f"{name}.bin"), "wb") as file:
            file.write(b"".join(record(*digit) for digit in some))
    with open(os.path.join(folder, "batches.meta.txt"), "w", encoding="utf-8") as file:
        file.write("".join(f"digit {i}\n" for i in range(10)))
    return folder


def put_table(path):
    """Three kinds of leaf, by length and width, with a category."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("length,width,edge,kind\n")
        for i in range(120):
            kind = i % 3
            file.write(f"{2 + 3 * kind + i % 5 / 5},{1 + kind * .5 + i % 7 / 20},{'smooth' if kind == 0 else 'rough'},{['ash', 'elm', 'oak'][kind]}\n")
    return path
