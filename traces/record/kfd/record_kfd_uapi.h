/* SPDX-License-Identifier: MIT */
/*
 * The kernel interfaces that ROCm's runtimes use: KFD 1.9 (ioctls of type 'K') and their requests
 * to amdgpu's render node.  Numbers and layouts are those of Linux's include/uapi/linux/kfd_ioctl.h
 * and drm/amdgpu_drm.h.  They are written out here because Debian's kfd_ioctl.h needs libdrm's
 * headers.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_UAPI_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_UAPI_H

#include <stdint.h>

/*
 * The version of the interface whose calls the stand-in answers, by the list at the head of
 * kfd_ioctl.h: 1.9 added AVAILABLE_MEMORY, which the runtimes of ROCm 5.4 and later call.  Not
 * claimed, because their calls are refused: 1.10 (profiler events of SMI), 1.11 (save areas in
 * SVM), 1.12 (EXPORT_DMABUF), 1.13 (RUNTIME_ENABLE and DBG_TRAP).  1.14 counts how often an event
 * was set (last_event_age).  SVM (1.5) and CRIU (1.7) are older and refused, too: the node's
 * capabilities do not have SVM, and only a checkpoint calls CRIU.
 */
#define KFD_MINOR             9
#define KFD_STRING_OF(number) #number
#define KFD_STRING(number)    KFD_STRING_OF(number)
enum { KFD_TYPE = 'K', KFD_MAJOR = 1 };

enum kfd_nr {
    KFD_GET_VERSION = 0x01,
    KFD_CREATE_QUEUE = 0x02,
    KFD_DESTROY_QUEUE = 0x03,
    KFD_SET_MEMORY_POLICY = 0x04,
    KFD_GET_CLOCK_COUNTERS = 0x05,
    KFD_GET_APERTURES = 0x06,
    KFD_UPDATE_QUEUE = 0x07,
    KFD_CREATE_EVENT = 0x08,
    KFD_DESTROY_EVENT = 0x09,
    KFD_SET_EVENT = 0x0a,
    KFD_RESET_EVENT = 0x0b,
    KFD_WAIT_EVENTS = 0x0c,
    KFD_SET_SCRATCH_VA = 0x11,
    KFD_GET_TILE_CONFIG = 0x12,
    KFD_SET_TRAP_HANDLER = 0x13,
    KFD_GET_APERTURES_NEW = 0x14,
    KFD_ACQUIRE_VM = 0x15,
    KFD_ALLOC_MEMORY = 0x16,
    KFD_FREE_MEMORY = 0x17,
    KFD_MAP_MEMORY = 0x18,
    KFD_UNMAP_MEMORY = 0x19,
    KFD_SET_CU_MASK = 0x1a,
    KFD_ALLOC_QUEUE_GWS = 0x1e,
    KFD_SET_XNACK_MODE = 0x21,
    KFD_AVAILABLE_MEMORY = 0x23,
    KFD_NR_END,
};

struct kfd_get_version {
    uint32_t major, minor;
};

enum { KFD_QUEUE_PM4 = 0, KFD_QUEUE_SDMA = 1, KFD_QUEUE_AQL = 2, KFD_QUEUE_SDMA_XGMI = 3 };

struct kfd_create_queue {
    uint64_t ring_address, write_address, read_address, doorbell_offset;
    uint32_t ring_bytes, gpu_id, type, percentage, priority, queue_id;
    uint64_t eop_address, eop_bytes, save_address;
    uint32_t save_bytes, control_stack_bytes;
};

struct kfd_destroy_queue {
    uint32_t queue_id, pad;
};

struct kfd_update_queue {
    uint64_t ring_address;
    uint32_t queue_id, ring_bytes, percentage, priority;
};

struct kfd_set_cu_mask {
    uint32_t queue_id, bit_count;
    uint64_t mask_pointer;
};

struct kfd_queue_gws {
    uint32_t queue_id, count, first, pad;
};

struct kfd_clock_counters {
    uint64_t gpu, cpu, system, system_hz;
    uint32_t gpu_id, pad;
};

struct kfd_aperture {
    uint64_t lds_base, lds_limit, scratch_base, scratch_limit, gpuvm_base, gpuvm_limit;
    uint32_t gpu_id, pad;
};

enum { KFD_APERTURES_MAX = 7 };

struct kfd_get_apertures {
    struct kfd_aperture apertures[KFD_APERTURES_MAX];
    uint32_t count, pad;
};

struct kfd_get_apertures_new {
    uint64_t pointer;
    uint32_t count, pad;
};

struct kfd_create_event {
    uint64_t page_offset;
    uint32_t trigger_data, type, auto_reset, node_id, event_id, slot;
};

struct kfd_event_number { /* of DESTROY_EVENT, SET_EVENT, RESET_EVENT */
    uint32_t event_id, pad;
};

struct kfd_event_data {
    uint64_t reserved[4], extension; /* of exceptions */
    uint32_t event_id, pad;
};

struct kfd_wait_events {
    uint64_t pointer;
    uint32_t count, all, timeout_ms, result;
};

enum { KFD_WAIT_COMPLETE = 0, KFD_WAIT_TIMEOUT = 1, KFD_WAIT_FAIL = 2, KFD_EVENTS_MAX = 4096 };
#define KFD_TIMEOUT_NEVER UINT32_MAX

struct kfd_tile_config {
    uint64_t tile_pointer, macro_pointer;
    uint32_t tile_count, macro_count, gpu_id, gb_addr_config, bank_count, rank_count;
};

enum {
    KFD_MEMORY_VRAM = 1 << 0,
    KFD_MEMORY_GTT = 1 << 1,
    KFD_MEMORY_USERPTR = 1 << 2,
    KFD_MEMORY_DOORBELL = 1 << 3,
    KFD_MEMORY_MMIO = 1 << 4,
};

struct kfd_alloc_memory {
    uint64_t va, bytes, handle, mmap_offset;
    uint32_t gpu_id, flags;
};

struct kfd_acquire_vm {
    uint32_t render_fd, gpu_id;
};

struct kfd_free_memory {
    uint64_t handle;
};

struct kfd_map_memory { /* also of UNMAP_MEMORY */
    uint64_t handle, gpus_pointer;
    uint32_t gpu_count, success_count;
};

struct kfd_xnack_mode {
    int32_t mode;
};

struct kfd_available_memory {
    uint64_t bytes;
    uint32_t gpu_id, pad;
};

/* mmap(2) of KFD's node. */
#define KFD_MMAP_TYPE_MASK     (3ull << 62)
#define KFD_MMAP_TYPE_DOORBELL (3ull << 62)
#define KFD_MMAP_TYPE_EVENTS   (2ull << 62)
#define KFD_MMAP_GPU_SHIFT     46
#define KFD_MMAP_GPU_MASK      0xffffu

/* ---- amdgpu ---- */

enum amdgpu_nr { AMDGPU_VERSION = 0x00, AMDGPU_GET_CAP = 0x0c, AMDGPU_INFO = 0x45 };
enum {
    AMDGPU_INFO_ACCEL_WORKING = 0x00,
    AMDGPU_INFO_VRAM_GTT = 0x14,
    AMDGPU_INFO_READ_MMR = 0x15,
    AMDGPU_INFO_DEV_INFO = 0x16,
    AMDGPU_INFO_MEMORY = 0x19,
};

struct amdgpu_info {
    uint64_t pointer;
    uint32_t bytes, query, parameters[4];
};

/* The beginning of drm_amdgpu_info_device; the rest is zero. */
struct amdgpu_device_info {
    uint32_t device_id, chip_rev, external_rev, pci_rev, family, engine_count, arrays_per_engine,
        counter_khz;
    uint64_t max_engine_khz, max_memory_khz;
    uint32_t cu_count, cu_ao_mask, cu_bitmap[4][4], rb_mask, rb_count, context_count, reserved;
    uint64_t ids_flags, va_begin, va_end;
    uint32_t va_alignment, pte_fragment_bytes, gart_page_bytes, ce_ram_bytes, vram_type, vram_bits;
    uint32_t vce_harvest, double_offchip;
    uint64_t buffers[4];
    uint32_t buffer_sizes[4];
    uint32_t wave_size, vgprs, cus_per_array, tccs, vgt_depth, table_depth, gsprim_depth, waves;
    uint32_t cu_ao_bitmap[4][4];
    uint64_t high_va_begin, high_va_end;
};

#endif
