// SPDX-License-Identifier: MIT
// Kernels of the clients that run under `gfe record --gpu radeon-vii`; they are never executed.
__kernel void touch(__global unsigned *words)
{
    words[__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x()] += 1;
}

__kernel void reduce(__global unsigned *to, __global const unsigned *from)
{
    __local unsigned part[256];
    unsigned lane = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();

    part[lane] = from[group * 256 + lane];
    for (unsigned step = 128; step; step >>= 1) {
        __builtin_amdgcn_s_barrier();
        if (lane < step)
            part[lane] += part[lane + step];
    }
    if (!lane)
        to[group] = part[0];
}
