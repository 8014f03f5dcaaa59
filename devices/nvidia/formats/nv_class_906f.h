/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Methods of class 906f, GF100_CHANNEL_GPFIFO, as facts from NVIDIA/open-gpu-doc
 * classes/host/cl906f.h
 * commit c8607fe576b53ff821ffcf97e7548d2de11c4eaf.
 * Only what differs from class a06f (nv_class_a06f.h) stands here.
 * Written by docs/tools/class_table.awk; do not edit.  Rows: see nv_class.h.
 * The file that the facts are from carries this notice:
 *
 * Copyright (c) 2020, NVIDIA CORPORATION. All rights reserved.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL
 * THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 */
#ifdef NV_CLASS_WITH_BEFORE
#include "devices/nvidia/formats/nv_class_a06f.h"
#endif
NV_CLASS_LIKE(906f, a06f)
NV_FORMAT(NV906F_GP_ENTRY0, 0x4000)
  NV_FIELD(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_FETCH, 0, 0)
    NV_VALUE(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_FETCH, NV906F_GP_ENTRY0_FETCH_UNCONDITIONAL, 0x0)
    NV_VALUE(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_FETCH, NV906F_GP_ENTRY0_FETCH_CONDITIONAL, 0x1)
  NV_FIELD(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_NO_CONTEXT_SWITCH, 1, 1)
    NV_VALUE(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_NO_CONTEXT_SWITCH, NV906F_GP_ENTRY0_NO_CONTEXT_SWITCH_FALSE, 0x0)
    NV_VALUE(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_NO_CONTEXT_SWITCH, NV906F_GP_ENTRY0_NO_CONTEXT_SWITCH_TRUE, 0x1)
  NV_FIELD(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_GET, 31, 2)
  NV_FIELD(NV906F_GP_ENTRY0, NV906F_GP_ENTRY0_OPERAND, 31, 0)
