# SPDX-License-Identifier: MIT
"""Write what PyTorch's profiler says of small programs, as Kineto's JSON and as execution traces.

    python3 torch_traces.py OUT

OUT/kineto_NAME.json is the profiler's Chrome trace, OUT/execution_NAME.json what
ExecutionTraceObserver writes (the input of MLCommons Chakra).  No stacks, no shapes of a user's
model, no paths.
"""

import sys

import torch
from torch import nn
from torch.profiler import ExecutionTraceObserver, ProfilerActivity, profile


def training():
    """Three steps of a small network, the input copied from pinned memory each time."""
    model = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(256, 512).pin_memory()
    target = torch.randint(0, 10, (256,)).pin_memory()

    def run():
        for _ in range(3):
            x, y = data.cuda(non_blocking=True), target.cuda(non_blocking=True)
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()

    return run


def streams():
    """Two streams of products, copies in a third, ordered by events."""
    a, b, c = (torch.cuda.Stream() for _ in range(3))
    x, y = (torch.randn(1024, 1024, device="cuda") for _ in range(2))
    host = torch.empty(1024, 1024).pin_memory()

    def run():
        for _ in range(4):
            with torch.cuda.stream(a):
                p = x @ y
                ready = torch.cuda.Event()
                ready.record()
            with torch.cuda.stream(b):
                q = y @ x
            b.wait_event(ready)
            with torch.cuda.stream(b):
                q = q + p
                done = torch.cuda.Event()
                done.record()
            c.wait_event(done)
            with torch.cuda.stream(c):
                host.copy_(q, non_blocking=True)
        torch.cuda.synchronize()

    return run


def priorities():
    """A long row of products at low priority and short kernels at high priority beside it."""
    low, high = torch.cuda.Stream(priority=0), torch.cuda.Stream(priority=-5)
    x = torch.randn(4096, 4096, device="cuda")
    small = torch.randn(1024, device="cuda")

    def run():
        with torch.cuda.stream(low):
            for _ in range(4):
                torch.mm(x, x)
        with torch.cuda.stream(high):
            for _ in range(20):
                small.add_(1)
        torch.cuda.synchronize()

    return run


def graph():
    """A layer of attention as a CUDA graph, launched five times."""
    layer = nn.TransformerEncoderLayer(256, 4, 512, batch_first=True).cuda().eval()
    x = torch.randn(8, 64, 256, device="cuda")
    captured = torch.cuda.CUDAGraph()
    with torch.no_grad():
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                layer(x)
        torch.cuda.current_stream().wait_stream(side)
        with torch.cuda.graph(captured):
            layer(x)

    def run():
        for _ in range(5):
            captured.replay()
        torch.cuda.synchronize()

    return run


def main():
    out = sys.argv[1]
    for make in (training, streams, priorities, graph):
        name = make.__name__
        run = make()
        run()
        torch.cuda.synchronize()
        observer = ExecutionTraceObserver().register_callback(f"{out}/execution_{name}.json")
        activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
        with profile(activities=activities, execution_trace_observer=observer) as profiler:
            run()
            torch.cuda.synchronize()
        observer.unregister_callback()
        profiler.export_chrome_trace(f"{out}/kineto_{name}.json")
        print(name, "written")


if __name__ == "__main__":
    main()
