/* SPDX-License-Identifier: MIT */
/*
 * The part of DRM's interface that the render nodes of both vendors answer; record_uapi.h has the
 * rest of it and names the sources.
 */
#ifndef GFE_TRACES_RECORD_RECORD_DRM_UAPI_H
#define GFE_TRACES_RECORD_RECORD_DRM_UAPI_H

#include <stdint.h>

#define UAPI_DRM_TYPE 'd'

struct uapi_version {
    int32_t major, minor, patch, pad;
    uint64_t name_bytes, name, date_bytes, date, text_bytes, text;
};

struct uapi_get_cap {
    uint64_t capability, value;
};

#endif
