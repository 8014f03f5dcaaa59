/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Methods of class a197, KEPLER_B, as facts from NVIDIA/open-gpu-doc
 * classes/3d/cla197.h
 * commit c8607fe576b53ff821ffcf97e7548d2de11c4eaf.
 * Only what differs from class a097 (nv_class_a097.h) stands here.
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
#include "devices/nvidia/formats/nv_class_a097.h"
#endif
NV_CLASS_LIKE(a197, a097)
NV_METHOD(NVA197_SET_VAB_TEX_COORD4F, 0x02b0, 5, 4)
  NV_FIELD(NVA197_SET_VAB_TEX_COORD4F, NVA197_SET_VAB_TEX_COORD4F_V, 31, 0)
NV_METHOD(NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE, 0x02c4, 1, 0)
  NV_FIELD(NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE, NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE_ENABLE, 0, 0)
    NV_VALUE(NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE, NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE_ENABLE, NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE_ENABLE_FALSE, 0x0)
    NV_VALUE(NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE, NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE_ENABLE, NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE_ENABLE_TRUE, 0x1)
  NV_FIELD(NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE, NVA197_SET_GLOBAL_LOAD_VIA_TEXTURE_HEADER_INDEX, 23, 4)
NV_METHOD(NVA197_SET_SM_QUADRANT_SELECTION_CONTROL, 0x0ddc, 1, 0)
  NV_FIELD(NVA197_SET_SM_QUADRANT_SELECTION_CONTROL, NVA197_SET_SM_QUADRANT_SELECTION_CONTROL_MAX_PIXEL_WARPS, 7, 0)
