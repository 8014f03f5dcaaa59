#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the files that nvdebug would have in /proc/gpuN for a GPU of gfe.

    gfe gpus --export GPU | tests/nvdebug_files.py FOLDER [FORM]

FORM is new (default: copy_topology) or old (lce_for_pceN, shared_lce_for_grceN).  The forms are those of nvdebug's sources
(device_info_procfs.c, copy_topology_procfs.c, nvdebug_entry.c); the chip has one GPC that is disabled, the last one.
"""
import json
import os
import sys

TYPES = {"graphics": (0, "Graphics/Compute"), "mspdec": (8, "MSPDEC: Picture Decoder"), "msppp": (9, "MSPPP: Post Processing"),
         "msvld": (10, "MSVLD: Variable Length Decoder"), "msenc": (11, "MSENC: Encoder"), "sec": (13, "SEC: Sequencer"),
         "nvenc": (14, "NVENC: NVIDIA Video Encoder"), "nvdec": (16, "NVDEC: NVIDIA Video Decoder"),
         "grce": (19, "LCE: Logical Copy Engine"), "lce": (19, "LCE: Logical Copy Engine"), "nvjpg": (21, "NVJPG: NVIDIA JPEG Decoder"),
         "ofa": (22, "OFA: Optical Flow Accelerator")}
LINE = "+---------------------+"


def old_box(engine):
    """A box of the form up to Turing."""
    yield "| Engine Type:      %2d (%s)" % TYPES[engine["kind"]]
    yield "| BAR0 Base %#.8x" % int(engine["pri_base"], 16)
    yield "|           instance %d" % engine["instance"]
    for key, text, width in (("fault_id", "Fault ID:        ", 3), ("engine_id", "Host's Engine ID: ", 2), ("runlist_id", "Runlist ID:       ", 2),
                             ("intr_id", "Interrupt ID:     ", 2), ("reset_id", "Reset ID:         ", 2)):
        if engine[key] is not None:
            yield "| %s%*d" % (text, width, engine[key])
    yield LINE


def new_box(engine, base):
    """A box of the form from Ampere on."""
    yield "| Engine Type:     %3d (%s)" % TYPES[engine["kind"]]
    yield "|           instance %d" % engine["instance"]
    yield "| Fault ID:       %4d" % (engine["fault_id"] or 0)
    yield "| BAR0 Base %#.8x" % int(engine["pri_base"], 16)
    yield "| Reset ID:        %3d" % engine["reset_id"]
    yield "| Is Engine:         1"
    yield "| Runlist Eng. ID:   %1d" % engine["rleng_id"]
    yield "| RL Base:  %#.8x" % base
    yield LINE


def device_info(chip):
    """The lines of device_info; a GSP, which is no engine with a runlist, comes first."""
    bases = [int(row["pri_base"], 16) for row in chip["runlists"]]
    new = bases[0] != 0
    yield from ["| Engine Type:      20 (GSP: GPU System Processor)", "|           instance 0", "| Fault ID:          9", LINE]
    for engine in chip["engines"]:
        yield from new_box(engine, bases[engine["runlist_id"]]) if new else old_box(engine)


def copy_topology(chip):
    """The lines of copy_topology: of each LCE its last PCE, then GRCEs that share."""
    last = {lce: pce for pce, lce in enumerate(chip["pce_to_lce"]) if lce is not None}
    for lce in range(15):
        name = "GRCE%d" % lce if lce < 2 else "LCE%02d" % lce
        if lce in last:
            yield "%s -> PCE%02d" % (name, last[lce])
        elif lce < 2 and chip["grces"][lce]["is_shared"]:
            shared = chip["grces"][lce]["shared_lce"]
            yield "%s -> %s" % (name, "LCE%02d" % shared if shared >= 2 else "GRCE%d" % shared)


def main(folder, form="new"):
    """Writes the files."""
    chip = json.load(sys.stdin)
    files = {"device_info": list(device_info(chip)), "local_memory": ["%d bytes" % chip["vram_bytes"]],
             "num_gpcs": ["%#x" % (chip["gpc_count"] + 1)], "gpc_mask": ["%#x" % (1 << chip["gpc_count"])]}
    share, more = divmod(chip["tpc_count"], chip["gpc_count"])
    files["num_tpc_per_gpc"] = ["%#x" % (share + 2)]
    for gpc in range(chip["gpc_count"]):
        disabled = 1 if gpc < more else 2
        files["gpc%d_tpc_mask" % gpc] = ["%#x" % ((0xff << (share + 2)) | (1 << disabled) - 1)]
    if len(chip["pce_to_lce"]) > 0:
        files["pce_map"] = ["%#x" % ((1 << len(chip["pce_to_lce"])) - 1)]
    if form == "new":
        files["copy_topology"] = list(copy_topology(chip))
    else:
        for pce, lce in enumerate(chip["pce_to_lce"]):
            files["lce_for_pce%d" % pce] = [] if lce is None else ["%#x" % lce]
        for grce, row in enumerate(chip["grces"]):
            files["shared_lce_for_grce%d" % grce] = ["%#x" % row["shared_lce"]] if row["is_shared"] else []
    os.makedirs(folder, exist_ok=True)
    for name, lines in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
