/* SPDX-License-Identifier: MIT */
/*
 * Sites of injected faults (emu/faults/inject.h) in an NVIDIA GPU's front end.  Each name stands
 * where the unit calls machine_inject().  The rows, with fields and documentation, are in
 * nv_inject.c.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INJECT_H
#define GFE_DEVICES_NVIDIA_NV_INJECT_H

#include "devices/core/core_inject.h"

enum nv_inject_site {
    NV_INJECT_DOORBELL = CORE_INJECT_END,
    NV_INJECT_GP_PUT,
    NV_INJECT_GP_GET,
    NV_INJECT_GP_ENTRY,
    NV_INJECT_HEADER,
    NV_INJECT_DATA,
    NV_INJECT_RELEASE,
    NV_INJECT_ACQUIRE,
    NV_INJECT_RAMFC_LOAD,
    NV_INJECT_RAMFC_SAVE,
    NV_INJECT_RUNLIST_ENTRY,
    NV_INJECT_RUNLIST_SUBMIT,
    NV_INJECT_PREEMPT_DONE,
    NV_INJECT_CONTEXT_SWITCH,
    NV_INJECT_CONTEXT_SAVE,
    NV_INJECT_CONTEXT_LOAD,
    NV_INJECT_QMD,
    NV_INJECT_COPY,
    NV_INJECT_COPY_END,
    NV_INJECT_WORK_END,
    NV_INJECT_CHANNEL_RAM,
    NV_INJECT_SM,
    NV_INJECT_PTOP,
    NV_INJECT_USERD,
    NV_INJECT_RAMFC,
    NV_INJECT_PCE_MAP,
    NV_INJECT_END,
};

extern const struct inject_sites nv_inject_sites;

#endif
