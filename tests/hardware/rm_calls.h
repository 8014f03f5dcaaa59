/* SPDX-License-Identifier: MIT
 *
 * The calls of NVIDIA's resource manager (RM) as rm_probe.c makes them: numbers and layouts.
 *
 * Own definitions of what open-gpu-kernel-modules (MIT, 580.142) publishes; behind each its file.
 * Sizes are checked at compile time: RM refuses an escape of another size.
 */
#ifndef TESTS_HARDWARE_RM_CALLS_H
#define TESTS_HARDWARE_RM_CALLS_H

#include <assert.h>
#include <stdint.h>

/* nv_escape.h, nv-ioctl-numbers.h: the number of an ioctl of type 'F' */
enum rm_escape {
    ESCAPE_ALLOC_MEMORY = 0x27,
    ESCAPE_FREE = 0x29,
    ESCAPE_CONTROL = 0x2a,
    ESCAPE_ALLOC = 0x2b,
    ESCAPE_DUP = 0x34,
    ESCAPE_MAP = 0x4e,
    ESCAPE_UNMAP = 0x4f,
    ESCAPE_MAP_DMA = 0x57,
    ESCAPE_UNMAP_DMA = 0x58,
    ESCAPE_CARD_INFO = 200,
    ESCAPE_REGISTER_FD = 201,
    ESCAPE_CHECK_VERSION = 210,
    ESCAPE_SYS_PARAMS = 214,
};

/* nvos.h */
struct rm_free {
    uint32_t client, parent, object, status;
};

struct rm_alloc {
    uint32_t client, parent, object, class_id;
    uint64_t params;
    uint32_t params_size, status;
};

struct rm_control {
    uint32_t client, object, command, flags;
    uint64_t params;
    uint32_t params_size, status;
};

struct rm_dup {
    uint32_t client, parent, object, client_source, object_source, flags, status;
};

struct rm_map {
    uint32_t client, device, memory, pad;
    uint64_t offset, length, address;
    uint32_t status, flags;
    int32_t fd; /* nv-unix-nvos-params-wrappers.h */
    uint32_t pad_end;
};

struct rm_unmap {
    uint32_t client, device, memory, pad;
    uint64_t address;
    uint32_t status, flags;
};

struct rm_map_dma {
    uint32_t client, device, dma, memory;
    uint64_t offset, length;
    uint32_t flags, flags2, kind, pad;
    uint64_t address;
    uint32_t status, pad_end;
};

struct rm_unmap_dma {
    uint32_t client, device, dma, memory, flags, pad;
    uint64_t address, size;
    uint32_t status, pad_end;
};

/* nv-ioctl.h */
struct rm_version {
    uint32_t command, reply;
    char text[64];
};

struct rm_card {
    uint8_t valid, pad[3];
    uint32_t domain;
    uint8_t bus, slot, function, pad_pci;
    uint16_t vendor, device;
    uint32_t gpu_id;
    uint16_t interrupt_line, pad_line;
    uint64_t reg_address, reg_size, fb_address, fb_size;
    uint32_t minor;
    uint8_t name[10], pad_end[2];
};

static_assert(sizeof(struct rm_free) == 16, "NVOS00");
static_assert(sizeof(struct rm_alloc) == 32, "NVOS21");
static_assert(sizeof(struct rm_control) == 32, "NVOS54");
static_assert(sizeof(struct rm_dup) == 28, "NVOS55");
static_assert(sizeof(struct rm_map) == 56, "NVOS33 and a descriptor");
static_assert(sizeof(struct rm_unmap) == 32, "NVOS34");
static_assert(sizeof(struct rm_map_dma) == 64, "NVOS46");
static_assert(sizeof(struct rm_unmap_dma) == 48, "NVOS47");
static_assert(sizeof(struct rm_version) == 72, "nv_ioctl_rm_api_version");
static_assert(sizeof(struct rm_card) == 72, "nv_ioctl_card_info");

/* Parameters of allocations: class/cl0080.h, cl2080.h, cl0070.h, nvos.h, alloc/alloc_channel.h */
struct rm_device_params {
    uint32_t device_id, client_share, target_client, target_device, flags, pad;
    uint64_t va_size, va_start, va_limit;
    uint32_t va_mode, pad_end;
};

struct rm_virtual_params {
    uint64_t offset, limit;
    uint32_t vaspace, pad;
};

struct rm_vaspace_params {
    uint32_t index, flags;
    uint64_t size, start_internal, limit_internal;
    uint32_t big_page, pad;
    uint64_t base;
    uint32_t pasid, pad_end;
};

struct rm_memory_params {
    uint32_t owner, type, flags, width, height;
    int32_t pitch;
    uint32_t attr, attr2, format, compression, zcull, pad;
    uint64_t range_lo, range_hi, size, alignment, offset, limit, address;
    uint32_t ctag, vaspace, internal, tag;
    int32_t numa;
    uint32_t pad_end;
};

struct rm_group_params {
    uint32_t error, ecc_error, vaspace, engine;
    uint8_t vgpu, pad[3];
};

struct rm_share_params {
    uint32_t vaspace, flags, subcontext;
};

struct rm_channel_params {
    uint32_t error, buffer;
    uint64_t gp_fifo;
    uint32_t entries, flags, context_share, vaspace, userd_memory[8];
    uint64_t userd_offset[8];
    uint32_t engine, cid, subdevice, ecc_error;
    uint64_t reserved[30]; /* filled in by RM; larger than it is today */
};

static_assert(sizeof(struct rm_device_params) == 56, "NV0080_ALLOC_PARAMETERS");
static_assert(sizeof(struct rm_virtual_params) == 24, "NV_MEMORY_VIRTUAL_ALLOCATION_PARAMS");
static_assert(sizeof(struct rm_vaspace_params) == 56, "NV_VASPACE_ALLOCATION_PARAMETERS");
static_assert(sizeof(struct rm_memory_params) == 128, "NV_MEMORY_ALLOCATION_PARAMS");
static_assert(sizeof(struct rm_group_params) == 20, "NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS");

/* Parameters of controls, in words: ctrl0000system.h, ctrl0080gpu.h, ctrl2080gpu.h, ctrla06c.h ...
 */
enum rm_command {
    CONTROL_NULL = 0,
    CONTROL_BUILD_VERSION = 0x13e,
    CONTROL_ATTACHED_IDS = 0x201,
    CONTROL_CLASS_LIST = 0x800292,
    CONTROL_SUBDEVICES = 0x800280,
    CONTROL_GPU_INFO = 0x20800102,
    CONTROL_GPU_NAME = 0x20800110,
    CONTROL_ENGINES = 0x20800170,
    CONTROL_PHYSICAL_CHANNELS = 0x20801108,
    CONTROL_GROUP_SCHEDULE = 0xa06c0101,
    CONTROL_GROUP_BIND = 0xa06c0102,
    CONTROL_GROUP_SET_TIMESLICE = 0xa06c0103,
    CONTROL_GROUP_GET_TIMESLICE = 0xa06c0104,
    CONTROL_GROUP_PREEMPT = 0xa06c0105,
    CONTROL_GROUP_INFO = 0xa06c0106,
    CONTROL_GROUP_SET_INTERLEAVE = 0xa06c0107,
    CONTROL_GROUP_GET_INTERLEAVE = 0xa06c0108,
    CONTROL_CHANNEL_SCHEDULE = 0xa06f0103,
    CONTROL_CHANNEL_BIND = 0xa06f0104,
    CONTROL_CHANNEL_STOP = 0xa06f0112,
    CONTROL_CHANNEL_TOKEN = 0xc36f0108,
};

enum rm_class {
    CLASS_ROOT = 0x41,
    CLASS_SYSTEM_MEMORY = 0x3e,
    CLASS_LOCAL_MEMORY = 0x40,
    CLASS_VIRTUAL_MEMORY = 0x70,
    CLASS_DEVICE = 0x80,
    CLASS_SUBDEVICE = 0x2080,
    CLASS_CONTEXT_SHARE = 0x9067,
    CLASS_VASPACE = 0x90f1,
    CLASS_CHANNEL_GROUP = 0xa06c,
    CLASS_HOPPER_USERMODE = 0xc661,
    CLASS_HOPPER_CHANNEL = 0xc86f,
    CLASS_HOPPER_COPY = 0xc8b5,
    CLASS_HOPPER_COMPUTE = 0xcbc0,
    CLASS_BLACKWELL_CHANNEL = 0xc96f,
};

#endif
