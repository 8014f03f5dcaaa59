/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Methods of class ca6f, BLACKWELL_CHANNEL_GPFIFO_B, as facts from NVIDIA/open-gpu-kernel-modules
 * src/common/sdk/nvidia/inc/class/clca6f.h
 * commit df1c9a3de2be4b130f4fc7680f7198193d8ac6ad.
 * That header is an excerpt: what it leaves out is here as class c96f has it (INFERRED).
 * Only what differs from class c96f (nv_class_c96f.h) stands here.
 * Written by docs/tools/class_table.awk; do not edit.  Rows: see nv_class.h.
 * The file that the facts are from carries this notice:
 *
 * SPDX-FileCopyrightText: Copyright (c) 2003-2023 NVIDIA CORPORATION & AFFILIATES
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
#include "devices/nvidia/formats/nv_class_c96f.h"
#endif
NV_CLASS_LIKE(ca6f, c96f)
