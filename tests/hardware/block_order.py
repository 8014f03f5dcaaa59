# SPDX-License-Identifier: MIT
"""On which SMs an H100 starts the blocks of a kernel, as far as the data show a rule.  Read by findings.py.

The 132 SMs are those of twelve groups: eight of 4, 8 or 9 TPCs, here A to H, and four of one TPC each, here together S.
NVIDIA's open kernel modules know eight virtual GPCs by their number of TPCs, and a mask of singletons beside them
(NV2080_CTRL_INTERNAL_GRMGR_SKYLINE_INFO of ctrl2080internal.h); that the groups are these is INFERRED.
"""

TPCS = {"A": 4, "B": 8, "C": 8, "D": 8, "E": 8, "F": 8, "G": 9, "H": 9}
SINGLETONS = 4
# S begins again when so many of the other groups have had their turn; it is never more than this many turns ahead.
S_AT = (0, 5, 11, 17, 23, 29, 35, 41)
# The same in the first kernel of a process, up to the rest of its blocks, which do not fill all SMs.
S_AT_FIRST = (0, 2, 5, 8, 13, 19, 25, 31, 62)


def groups():
    """Returns the TPCs of each group, each the number of its first SM: SMs are numbered TPC by TPC, round the groups."""
    tpcs, sm = {name: [] for name in TPCS}, 0
    for turn in range(max(TPCS.values())):
        for name, count in TPCS.items():
            if turn < count:
                tpcs[name].append(sm)
                sm += 2
    tpcs["S"] = [sm + 2 * i for i in range(SINGLETONS)]
    return tpcs


def share(blocks, tpcs):
    """How many of `blocks` each group gets when all SMs are alike and fewer blocks are left than SMs.

    S is filled first.  The others get one each by turns, from A, on SMs whose TPC has none; when no group has such a
    TPC, on the second SMs.  Returns the SMs of each group, in the order in which they are given out."""
    result = {"S": [sm for tpc in tpcs["S"] for sm in (tpc, tpc + 1)][:blocks]}
    left, given = blocks - len(result["S"]), {name: 0 for name in TPCS}
    for second in (False, True):
        while left and any(given[name] < (1 + second) * TPCS[name] for name in TPCS):
            for name in TPCS:
                if left and given[name] < (1 + second) * TPCS[name]:
                    given[name] += 1
                    left -= 1
    for name, count in given.items():
        both = max(0, count - TPCS[name])
        firsts = tpcs[name][:count]
        result[name] = [sm for i, tpc in enumerate(firsts) for sm in (tpc, tpc + 1)[:1 + (i < both)]]
    return result


def runs(sms, tpcs):
    """Cuts a list of SMs into runs of one group each; a group that was there in full begins anew."""
    of = {tpc + i: name for name, list_ in tpcs.items() for tpc in list_ for i in (0, 1)}
    result = []
    for sm in sms:
        if not result or of[sm] != result[-1][0] or sm in result[-1][1]:
            result.append((of[sm], []))
        result[-1][1].append(sm)
    return result


def whole_turns(rows, tpcs):
    """Kernels that fill the GPU: each turn gives every SM of a group one block; returns (turns, those that do)."""
    turns = good = 0
    for row in rows[1:]:  # the very first kernel begins while the GPU is still being set up
        others, singles, full = [], [], 132 * min(8, row["fit"])
        for name, sms in runs(row["sms"][:full], tpcs):
            turns += 1
            good += (sorted(sms) if name == "S" else sms) == [tpc + i for tpc in tpcs[name] for i in (0, 1)]
            (singles if name == "S" else others).append(len(others) if name == "S" else name)
        turns += 2
        good += "".join(others) == "".join(sorted(TPCS)) * min(8, row["fit"])
        good += tuple(singles) == S_AT[:min(8, row["fit"])]
    return turns, good


def first_kernel(row, tpcs):
    """Returns whether the first kernel of a process has S_AT_FIRST, and the others' turns in order."""
    others, singles = [], []
    for name, sms in runs(row["sms"], tpcs):
        if len(sms) == (2 * SINGLETONS if name == "S" else 2 * TPCS[name]):
            (singles if name == "S" else others).append(len(others) if name == "S" else name)
    return tuple(singles) == S_AT_FIRST and "".join(others) == "".join(sorted(TPCS)) * (len(others) // len(TPCS))


def parts(rows, tpcs):
    """Kernels that do not fill it, or fill it once and a part: returns (kernels, those whose SMs are as share() says)."""
    kernels = good = 0
    for row in rows:
        sms = row["first_sms"]
        if len(sms) > 132:
            sms = sms[132:]
        expected = share(len(sms), tpcs)
        found = {}
        for name, list_ in runs(sms, tpcs):
            found.setdefault(name, []).extend(list_)
        kernels += 1
        good += all(found.get(name, []) == expected[name] or
                    (name == "S" and len(found.get("S", [])) == len(expected["S"])) for name in expected)
    return kernels, good
