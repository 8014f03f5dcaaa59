/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Methods of class 9097, FERMI_A, as facts from NVIDIA/open-gpu-doc
 * classes/3d/cl9097.h
 * commit c8607fe576b53ff821ffcf97e7548d2de11c4eaf.
 * Only what differs from class 9197 (nv_class_9197.h) stands here.
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
#include "devices/nvidia/formats/nv_class_9197.h"
#endif
NV_CLASS_LIKE(9097, 9197)
NV_REMOVED(NV9197_SET_ALPHA_CIRCULAR_BUFFER_SIZE, 0x02dc)
NV_REMOVED(NV9197_SET_ZCULL_ROP_BYPASS, 0x02e4)
NV_METHOD(NV9097_SET_L1_CONFIGURATION, 0x0308, 1, 0)
  NV_FIELD(NV9097_SET_L1_CONFIGURATION, NV9097_SET_L1_CONFIGURATION_DIRECTLY_ADDRESSABLE_MEMORY, 2, 0)
    NV_VALUE(NV9097_SET_L1_CONFIGURATION, NV9097_SET_L1_CONFIGURATION_DIRECTLY_ADDRESSABLE_MEMORY, NV9097_SET_L1_CONFIGURATION_DIRECTLY_ADDRESSABLE_MEMORY_SIZE_48KB, 0x3)
