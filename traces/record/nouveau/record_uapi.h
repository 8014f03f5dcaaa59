/* SPDX-License-Identifier: MIT */
/*
 * The part of the kernel's interface that the stand-in supports: DRM, nouveau 1.4.0 and NVIF.
 *
 * Layouts and numbers are facts of libdrm 2.4.114's include/drm/drm.h and nouveau_drm.h, of its
 * nouveau/nvif/{ioctl,cl0080,class}.h and of Linux 6.6's include/uapi/drm/nouveau_drm.h, written
 * out here because libdrm's headers need not be installed where gfe is built.  x86-64 and other
 * little-endian 64-bit machines only.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_UAPI_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_UAPI_H

#include <stdint.h>

#include "traces/record/record_drm_uapi.h"

/* Numbers of the ioctls; the driver's own start at 0x40. */
enum uapi_nr {
    UAPI_VERSION = 0x00,
    UAPI_GEM_CLOSE = 0x09,
    UAPI_GEM_FLINK = 0x0a,
    UAPI_GEM_OPEN = 0x0b,
    UAPI_GET_CAP = 0x0c,
    UAPI_PRIME_HANDLE_TO_FD = 0x2d,
    UAPI_PRIME_FD_TO_HANDLE = 0x2e,
    UAPI_GETPARAM = 0x40,
    UAPI_CHANNEL_ALLOC = 0x42,
    UAPI_CHANNEL_FREE = 0x43,
    UAPI_GROBJ_ALLOC = 0x44,
    UAPI_NVIF = 0x47,
    UAPI_VM_INIT = 0x50,
    UAPI_VM_BIND = 0x51,
    UAPI_EXEC = 0x52,
    UAPI_GEM_NEW = 0x80,
    UAPI_GEM_PUSHBUF = 0x81,
    UAPI_GEM_CPU_PREP = 0x82,
    UAPI_GEM_CPU_FINI = 0x83,
    UAPI_GEM_INFO = 0x84,
    UAPI_SYNCOBJ_CREATE = 0xbf,
    UAPI_SYNCOBJ_DESTROY = 0xc0,
    UAPI_SYNCOBJ_HANDLE_TO_FD = 0xc1,
    UAPI_SYNCOBJ_FD_TO_HANDLE = 0xc2,
    UAPI_SYNCOBJ_WAIT = 0xc3,
    UAPI_SYNCOBJ_RESET = 0xc4,
    UAPI_SYNCOBJ_SIGNAL = 0xc5,
    UAPI_SYNCOBJ_TIMELINE_WAIT = 0xca,
    UAPI_SYNCOBJ_QUERY = 0xcb,
    UAPI_SYNCOBJ_TRANSFER = 0xcc,
    UAPI_SYNCOBJ_TIMELINE_SIGNAL = 0xcd,
};

struct uapi_gem_close {
    uint32_t handle, pad;
};

struct uapi_gem_flink {
    uint32_t handle, name;
};

struct uapi_gem_open {
    uint32_t name, handle;
    uint64_t size;
};

enum {
    UAPI_CAP_PRIME = 5,
    UAPI_CAP_TIMESTAMP_MONOTONIC = 6,
    UAPI_CAP_SYNCOBJ = 0x13,
    UAPI_CAP_SYNCOBJ_TIMELINE = 0x14,
};
enum { UAPI_PRIME_IMPORT = 1, UAPI_PRIME_EXPORT = 2 };

struct uapi_prime {
    uint32_t handle, flags;
    int32_t fd;
};

struct uapi_getparam {
    uint64_t param, value;
};
enum uapi_param {
    UAPI_PARAM_PCI_VENDOR = 3,
    UAPI_PARAM_PCI_DEVICE = 4,
    UAPI_PARAM_BUS_TYPE = 5,
    UAPI_PARAM_FB_SIZE = 8,
    UAPI_PARAM_AGP_SIZE = 9,
    UAPI_PARAM_CHIPSET_ID = 11,
    UAPI_PARAM_VM_VRAM_BASE = 12,
    UAPI_PARAM_GRAPH_UNITS = 13,
    UAPI_PARAM_PTIMER_TIME = 14,
    UAPI_PARAM_HAS_BO_USAGE = 15,
    UAPI_PARAM_HAS_PAGEFLIP = 16,
    UAPI_PARAM_EXEC_PUSH_MAX = 17,
    UAPI_PARAM_VRAM_BAR_SIZE = 18,
    UAPI_PARAM_VRAM_USED = 19,
    UAPI_PARAM_HAS_VMA_TILEMODE = 20,
};
enum { UAPI_BUS_PCIE = 2 };

struct uapi_channel_alloc {
    uint32_t fb_ctxdma, tt_ctxdma;
    int32_t channel;
    uint32_t pushbuf_domains, notifier;
    struct {
        uint32_t handle, class_id;
    } subchannel[8];
    uint32_t subchannel_count;
};

struct uapi_channel_free {
    int32_t channel;
};

struct uapi_grobj_alloc {
    int32_t channel;
    uint32_t handle;
    int32_t class_id;
};

enum { UAPI_DOMAIN_VRAM = 2, UAPI_DOMAIN_GART = 4 };
enum { UAPI_DOMAINS_KNOWN = 0x3f }; /* CPU, VRAM, GART, MAPPABLE, COHERENT, NO_SHARE */
enum { UAPI_DOMAIN_NO_SHARE = 0x20 };

struct uapi_gem_info {
    uint32_t handle, domain;
    uint64_t size, offset, map_handle; /* offset is the GPU virtual address */
    uint32_t tile_mode, tile_flags;
};

struct uapi_gem_new {
    struct uapi_gem_info info;
    uint32_t channel_hint, align;
};

enum {
    UAPI_PUSHBUF_BUFFERS_MAX = 1024,
    UAPI_PUSHBUF_RELOCS_MAX = 1024,
    UAPI_PUSHBUF_PUSHES_MAX = 512,
    UAPI_PUSH_NO_PREFETCH = 1 << 23, /* in the length */
};

struct uapi_gem_pushbuf {
    uint32_t channel, buffer_count;
    uint64_t buffers;
    uint32_t reloc_count, push_count;
    uint64_t relocs, pushes;
    uint32_t suffix0, suffix1;
    uint64_t vram_available, gart_available;
};

struct uapi_pushbuf_buffer {
    uint64_t user;
    uint32_t handle, read_domains, write_domains, valid_domains;
    struct {
        uint32_t valid, domain;
        uint64_t offset;
    } presumed;
};

struct uapi_pushbuf_reloc {
    uint32_t at_buffer, at_offset; /* where the address is to be written */
    uint32_t buffer, flags, data, vram_or, gart_or;
};
enum { UAPI_RELOC_LOW = 1, UAPI_RELOC_HIGH = 2, UAPI_RELOC_OR = 4 };

struct uapi_pushbuf_push {
    uint32_t buffer, pad;
    uint64_t offset, length;
};

struct uapi_cpu_prep {
    uint32_t handle, flags;
};
enum { UAPI_CPU_PREP_NOWAIT = 1 };

struct uapi_cpu_fini {
    uint32_t handle;
};

/* ---- VM_INIT, VM_BIND, EXEC ------------------------------------------------------------------ */

/* The kernel lets a job take half of a channel's GPFIFO, less one entry for its fence.  Of the
 * 1,024 entries one always stays free. */
enum {
    UAPI_EXEC_PUSH_MAX = (1024 - 1) / 2 - 1,
    UAPI_EXEC_PUSH_BYTES_MAX = 0x7fffff,
};
#define UAPI_VA_BYTES (1ull << 47) /* of a client's address space */

struct uapi_vm_init {
    uint64_t kernel_managed_addr, kernel_managed_size;
};

struct uapi_vm_bind {
    uint32_t op_count, flags, wait_count, sig_count;
    uint64_t wait_ptr, sig_ptr, op_ptr;
};
enum { UAPI_VM_BIND_RUN_ASYNC = 1 };

struct uapi_vm_bind_op {
    uint32_t op, flags, handle, pad;
    uint64_t addr, bo_offset, range;
};
enum { UAPI_VM_BIND_OP_MAP, UAPI_VM_BIND_OP_UNMAP };
enum { UAPI_VM_BIND_SPARSE = 1 << 8, UAPI_VM_BIND_KIND = 0xff }; /* in the flags of an operation */

struct uapi_exec {
    uint32_t channel, push_count, wait_count, sig_count;
    uint64_t wait_ptr, sig_ptr, push_ptr;
};

struct uapi_exec_push {
    uint64_t va;
    uint32_t va_len, flags;
};
enum { UAPI_EXEC_PUSH_NO_PREFETCH = 1 };

struct uapi_sync {
    uint32_t flags, handle;
    uint64_t timeline_value;
};
enum { UAPI_SYNC_SYNCOBJ, UAPI_SYNC_TIMELINE_SYNCOBJ, UAPI_SYNC_TYPE_MASK = 0xf };

/* ---- synchronisation objects ----------------------------------------------------------------- */

struct uapi_syncobj_create {
    uint32_t handle, flags;
};
enum { UAPI_SYNCOBJ_CREATE_SIGNALED = 1 };

struct uapi_syncobj_destroy {
    uint32_t handle, pad;
};

struct uapi_syncobj_handle {
    uint32_t handle, flags;
    int32_t fd;
    uint32_t pad;
};
enum { UAPI_SYNCOBJ_SYNC_FILE = 1 }; /* of both HANDLE_TO_FD and FD_TO_HANDLE */

struct uapi_syncobj_wait {
    uint64_t handles;
    int64_t timeout_ns; /* CLOCK_MONOTONIC */
    uint32_t count, flags, first_signaled, pad;
    uint64_t deadline_ns;
};
struct uapi_syncobj_timeline_wait {
    uint64_t handles, points;
    int64_t timeout_ns;
    uint32_t count, flags, first_signaled, pad;
    uint64_t deadline_ns;
};
enum {
    UAPI_SYNCOBJ_WAIT_ALL = 1,
    UAPI_SYNCOBJ_WAIT_FOR_SUBMIT = 2,
    UAPI_SYNCOBJ_WAIT_AVAILABLE = 4,
    UAPI_SYNCOBJ_WAIT_DEADLINE = 8, /* a hint */
};

struct uapi_syncobj_array {
    uint64_t handles;
    uint32_t count, pad;
};

struct uapi_syncobj_timeline_array {
    uint64_t handles, points;
    uint32_t count, flags;
};
enum { UAPI_SYNCOBJ_QUERY_LAST_SUBMITTED = 1 };

struct uapi_syncobj_transfer {
    uint32_t src_handle, dst_handle;
    uint64_t src_point, dst_point;
    uint32_t flags, pad;
};

/* ---- NVIF: one ioctl, whose argument is a head and the struct of the head's type ------------- */

struct uapi_nvif {
    uint8_t version, type, pad[4], owner, route;
    uint64_t token, object;
};
enum uapi_nvif_type {
    UAPI_NVIF_NOP,
    UAPI_NVIF_SCLASS,
    UAPI_NVIF_NEW,
    UAPI_NVIF_DEL,
    UAPI_NVIF_MTHD,
};
enum { UAPI_NVIF_ROUTE_CHANNEL = 0xff }; /* the parent is the channel that `token` numbers */

struct uapi_nvif_new {
    uint8_t version, pad[6], route;
    uint64_t token, object;
    uint32_t handle;
    int32_t class_id;
};
enum { UAPI_CLASS_DEVICE = 0x80, UAPI_CLASS_SOFTWARE_GF100 = -7 };

struct uapi_nvif_sclass {
    uint8_t version, count, pad[6];
};
struct uapi_nvif_sclass_row {
    int32_t class_id;
    int16_t version_min, version_max;
};

struct uapi_nvif_method {
    uint8_t version, method, pad[6];
};
enum { UAPI_DEVICE_INFO, UAPI_DEVICE_TIME };

struct uapi_device_info {
    uint8_t version, platform;
    uint16_t chipset;
    uint8_t revision, family, pad[2];
    uint64_t ram_size, ram_user;
    char chip[16], name[64];
};
enum { UAPI_PLATFORM_PCIE = 3 };

struct uapi_device_time {
    uint8_t version, pad[7];
    uint64_t time_ns;
};

_Static_assert(sizeof(struct uapi_version) == 64, "drm_version");
_Static_assert(sizeof(struct uapi_prime) == 12, "drm_prime_handle");
_Static_assert(sizeof(struct uapi_channel_alloc) == 88, "drm_nouveau_channel_alloc");
_Static_assert(sizeof(struct uapi_gem_info) == 40, "drm_nouveau_gem_info");
_Static_assert(sizeof(struct uapi_gem_new) == 48, "drm_nouveau_gem_new");
_Static_assert(sizeof(struct uapi_gem_pushbuf) == 64, "drm_nouveau_gem_pushbuf");
_Static_assert(sizeof(struct uapi_pushbuf_buffer) == 40, "drm_nouveau_gem_pushbuf_bo");
_Static_assert(sizeof(struct uapi_pushbuf_reloc) == 28, "drm_nouveau_gem_pushbuf_reloc");
_Static_assert(sizeof(struct uapi_pushbuf_push) == 24, "drm_nouveau_gem_pushbuf_push");
_Static_assert(sizeof(struct uapi_vm_init) == 16, "drm_nouveau_vm_init");
_Static_assert(sizeof(struct uapi_vm_bind) == 40, "drm_nouveau_vm_bind");
_Static_assert(sizeof(struct uapi_vm_bind_op) == 40, "drm_nouveau_vm_bind_op");
_Static_assert(sizeof(struct uapi_exec) == 40, "drm_nouveau_exec");
_Static_assert(sizeof(struct uapi_exec_push) == 16, "drm_nouveau_exec_push");
_Static_assert(sizeof(struct uapi_sync) == 16, "drm_nouveau_sync");
_Static_assert(sizeof(struct uapi_syncobj_handle) == 16, "drm_syncobj_handle");
_Static_assert(sizeof(struct uapi_syncobj_wait) == 40, "drm_syncobj_wait");
_Static_assert(sizeof(struct uapi_syncobj_timeline_wait) == 48, "drm_syncobj_timeline_wait");
_Static_assert(sizeof(struct uapi_syncobj_array) == 16, "drm_syncobj_array");
_Static_assert(sizeof(struct uapi_syncobj_timeline_array) == 24, "drm_syncobj_timeline_array");
_Static_assert(sizeof(struct uapi_syncobj_transfer) == 32, "drm_syncobj_transfer");
_Static_assert(sizeof(struct uapi_nvif) == 24, "nvif_ioctl_v0");
_Static_assert(sizeof(struct uapi_nvif_new) == 32, "nvif_ioctl_new_v0");
_Static_assert(sizeof(struct uapi_device_info) == 104, "nv_device_info_v0");

#endif
