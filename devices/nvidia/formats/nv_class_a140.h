/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Methods of class a140, KEPLER_INLINE_TO_MEMORY_B, as facts from NVIDIA/open-gpu-doc
 * classes/inline-to-memory/cla140.h
 * commit c8607fe576b53ff821ffcf97e7548d2de11c4eaf.
 * Only what differs from class a040 (nv_class_a040.h) stands here.
 * Written by docs/tools/class_table.awk; do not edit.  Rows: see nv_class.h.
 * The file that the facts are from carries this notice:
 *
 * SPDX-FileCopyrightText: Copyright (c) 2003-2021 NVIDIA CORPORATION & AFFILIATES. All rights reserved.
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
#include "devices/nvidia/formats/nv_class_a040.h"
#endif
NV_CLASS_LIKE(a140, a040)
NV_METHOD(NVA140_SET_NOTIFY_A, 0x0104, 1, 0)
  NV_FIELD(NVA140_SET_NOTIFY_A, NVA140_SET_NOTIFY_A_ADDRESS_UPPER, 24, 0)
NV_METHOD(NVA140_OFFSET_OUT_UPPER, 0x0188, 1, 0)
  NV_FIELD(NVA140_OFFSET_OUT_UPPER, NVA140_OFFSET_OUT_UPPER_VALUE, 24, 0)
NV_METHOD(NVA140_SET_DST_ORIGIN_BYTES_X, 0x01a8, 1, 0)
  NV_FIELD(NVA140_SET_DST_ORIGIN_BYTES_X, NVA140_SET_DST_ORIGIN_BYTES_X_V, 20, 0)
NV_METHOD(NVA140_SET_DST_ORIGIN_SAMPLES_Y, 0x01ac, 1, 0)
  NV_FIELD(NVA140_SET_DST_ORIGIN_SAMPLES_Y, NVA140_SET_DST_ORIGIN_SAMPLES_Y_V, 16, 0)
NV_METHOD(NVA140_SET_I2M_SEMAPHORE_A, 0x01dc, 1, 0)
  NV_FIELD(NVA140_SET_I2M_SEMAPHORE_A, NVA140_SET_I2M_SEMAPHORE_A_OFFSET_UPPER, 24, 0)
