/* SPDX-License-Identifier: MIT */
/* The models of GP106: see nv_gp106.c. */
#ifndef GFE_DEVICES_NVIDIA_NV_GP106_H
#define GFE_DEVICES_NVIDIA_NV_GP106_H

struct gpu_model;
extern const struct gpu_model nv_gtx1060, nv_gtx1060_3gb;

#endif
