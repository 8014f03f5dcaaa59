#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives an H100 with tinygrad's NV device (MIT), to be recorded by capture_cuda.c; no part of CUDA runs.

    GFE_CAPTURE=out LD_PRELOAD=./capture_cuda.so PYTHONPATH=TINYGRAD python3 tinygrad_work.py [--kernels]

tinygrad looks for compute and copy classes of Ampere, Ada and Blackwell, and finds none of an H100's.  So
Hopper's take the place of Ampere's here: opening the device and copies need nothing else of them.  Its descriptors
are of version 3 and Hopper's of version 4: kernels are tried with --kernels only, after everything else.
"""
import ctypes
import sys

HOPPER = {"AMPERE_COMPUTE_B": 0xcbc0, "AMPERE_DMA_COPY_B": 0xc8b5}  # open-gpu-doc: clcbc0.h, clc8b5.h


def mark(text):
    """A note in the recording, if there is one."""
    try:
        ctypes.CDLL(None).gfe_capture_mark(text.encode())
    except AttributeError:
        pass


def use_hopper():
    from tinygrad.runtime.autogen import nv_570, nv_580, nv_610
    for layouts in (nv_570, nv_580, nv_610):
        for name, number in HOPPER.items():
            setattr(layouts, name, number)


def copies(device):
    """Copies of several sizes to the device and back; the bytes have to be the same."""
    from tinygrad.device import Buffer
    from tinygrad.dtype import dtypes
    for size in (4, 64, 4096, 65536, 1 << 20, 16 << 20):
        data = bytearray(i * 7 & 0xff for i in range(min(size, 65536))) * max(1, size // 65536)
        buffer = Buffer(device, size, dtypes.uint8)
        mark("%d bytes to the device" % size)
        buffer.allocate().copyin(memoryview(data))
        back = bytearray(size)
        mark("%d bytes to the host" % size)
        buffer.copyout(memoryview(back))
        print("%d bytes: %s" % (size, "right" if back == data else "WRONG"))
        if back != data:
            sys.exit(1)


def kernels(device):
    """Kernels one by one, and thrice as a graph of the JIT."""
    from tinygrad import Tensor, TinyJit
    mark("a kernel")
    print("sum:", (Tensor.arange(1000, device=device) + 1).sum().item())

    @TinyJit
    def step(x):
        return ((x + 1) * 2 - x).realize()

    for i in range(4):
        mark("a step of the JIT, %d" % i)
        print("step:", step(Tensor.ones(256, device=device).contiguous().realize()).sum().item())


def main():
    use_hopper()
    from tinygrad.device import Device
    from tinygrad.runtime import ops_nv
    ops_nv.NVDevice.ifaces = [ops_nv.NVKIface]  # through the kernel's driver, never past it
    mark("the device is opened")
    nv = Device["NV"]
    print("opened:", nv.arch)
    copies("NV")
    if "--kernels" in sys.argv[1:]:
        kernels("NV")
    mark("end of the program")


if __name__ == "__main__":
    main()
