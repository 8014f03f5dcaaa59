/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/kfd/record_kfd_tree.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "traces/record/record_tree_files.h"

#define TOPOLOGY "/sys/devices/virtual/kfd/kfd/topology"

enum {
    PATH_BYTES = 160,
    MAX_CPU_CLOCK_MHZ = 2400, /* ASSUMED */
    SIMDS_PER_CU = 4,
    PCIE = 2, /* CRAT's type of an IO link */
    /* HSA_CAPABILITY: doorbell type 2 (64 bits), and what else gfx9 has: ASSUMED. */
    CAPABILITY = 0x2280,
};

/* ---- properties ------------------------------------------------------------------------------ */

static void node_path(char path[PATH_BYTES], unsigned node, const char *name)
{
    snprintf(path, PATH_BYTES, TOPOLOGY "/nodes/%u/%s", node, name);
}

/* From a GPU to the CPU. */
static void make_link(struct record_tree *tree, unsigned from, unsigned to, unsigned index)
{
    char name[40], path[PATH_BYTES];

    snprintf(name, sizeof name, "io_links/%u/properties", index);
    node_path(path, from, name);
    record_tree_file(tree, path,
                     "type %d\nversion_major 0\nversion_minor 0\nnode_from %u\nnode_to %u\n"
                     "weight 20\nmin_latency 0\nmax_latency 0\nmin_bandwidth 312\n"
                     "max_bandwidth 15754\nrecommended_transfer_size 0\nflags 1\n",
                     PCIE, from, to);
}

static void make_bank(struct record_tree *tree, unsigned node, unsigned heap, uint64_t bytes,
                      unsigned width, unsigned clock_mhz)
{
    char path[PATH_BYTES];

    node_path(path, node, "mem_banks/0/properties");
    record_tree_file(tree, path,
                     "heap_type %u\nsize_in_bytes %llu\nflags 0\nwidth %u\nmem_clk_max %u\n", heap,
                     (unsigned long long)bytes, width, clock_mhz);
}

static void make_cache(struct record_tree *tree, unsigned node, unsigned index, unsigned level,
                       unsigned kib, unsigned type)
{
    char name[40], path[PATH_BYTES];

    snprintf(name, sizeof name, "caches/%u/properties", index);
    node_path(path, node, name);
    record_tree_file(tree, path,
                     "processor_id_low 0\nlevel %u\nsize %u\ncache_line_size 64\n"
                     "cache_lines_per_tag 1\nassociation 16\nlatency 1\ntype %u\nsibling_map 0\n",
                     level, kib, type);
}

/* Without links: the kernel makes one from a CPU to a GPU only where the BAR shows all video memory
 * (kfd_crat.c), and HIP's runtime, where there is one, writes small copies there itself. */
static void make_cpu(struct record_tree *tree)
{
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    char path[PATH_BYTES];

    node_path(path, 0, "gpu_id");
    record_tree_file(tree, path, "0\n");
    node_path(path, 0, "name");
    record_tree_file(tree, path, "\n");
    node_path(path, 0, "properties");
    record_tree_file(tree, path,
                     "cpu_cores_count %ld\nsimd_count 0\nmem_banks_count 1\ncaches_count 1\n"
                     "io_links_count 0\np2p_links_count 0\ncpu_core_id_base 0\nsimd_id_base 0\n"
                     "max_waves_per_simd 0\nlds_size_in_kb 0\ngds_size_in_kb 0\nnum_gws 0\n"
                     "wave_front_size 0\narray_count 0\nsimd_arrays_per_engine 0\n"
                     "cu_per_simd_array 0\nsimd_per_cu 0\nmax_slots_scratch_cu 0\n"
                     "gfx_target_version 0\nvendor_id 0\ndevice_id 0\nlocation_id 0\ndomain 0\n"
                     "drm_render_minor 0\nhive_id 0\nnum_sdma_engines 0\n"
                     "num_sdma_xgmi_engines 0\nnum_sdma_queues_per_engine 0\nnum_cp_queues 0\n"
                     "max_engine_clk_ccompute %d\n",
                     sysconf(_SC_NPROCESSORS_ONLN), MAX_CPU_CLOCK_MHZ);
    make_bank(tree, 0, 0, pages * (uint64_t)sysconf(_SC_PAGESIZE), 72, MAX_CPU_CLOCK_MHZ);
    make_cache(tree, 0, 0, 1, 32, 5);
}

static void make_gpu_properties(struct record_tree *tree, const char *path,
                                const struct record_kfd_board *board, unsigned index)
{
    record_tree_file(
        tree, path,
        "cpu_cores_count 0\nsimd_count %u\nmem_banks_count 1\ncaches_count 3\nio_links_count 1\n"
        "p2p_links_count 0\ncpu_core_id_base 0\nsimd_id_base %u\nmax_waves_per_simd %u\n"
        "lds_size_in_kb 64\ngds_size_in_kb 0\nnum_gws 64\nwave_front_size 64\narray_count %u\n"
        "simd_arrays_per_engine 1\ncu_per_simd_array %u\nsimd_per_cu %d\n"
        "max_slots_scratch_cu 32\ngfx_target_version %u\nvendor_id 4098\ndevice_id %u\n"
        "location_id %u\ndomain 0\ndrm_render_minor %u\nhive_id 0\nnum_sdma_engines %u\n"
        "num_sdma_xgmi_engines %u\nnum_sdma_queues_per_engine 8\nnum_cp_queues 24\n"
        "max_engine_clk_fcompute %u\nlocal_mem_size 0\nfw_version %u\ncapability %d\n"
        "debug_prop 0\nsdma_fw_version %u\nunique_id %u\nmax_engine_clk_ccompute %d\n",
        board->cu_count * SIMDS_PER_CU, 2147487744u + 4096 * index, board->waves_per_simd,
        board->engine_count, board->cus_per_array, SIMDS_PER_CU, board->gfx_version,
        board->pci_device, record_kfd_location(index), RECORD_KFD_RENDER_MINOR + index,
        board->sdma_engines, board->xgmi_sdma_engines, board->clock_mhz, board->firmware,
        CAPABILITY, board->sdma_firmware, index + 1, MAX_CPU_CLOCK_MHZ);
}

/* Video memory is behind a small BAR (heap type 2): the runtime then copies code with its own
 * kernels, which the stand-in carries out. */
static void make_gpu(struct record_tree *tree, const struct record_kfd_board *board, unsigned index)
{
    const unsigned node = index + 1;
    char path[PATH_BYTES];

    node_path(path, node, "gpu_id");
    record_tree_file(tree, path, "%u\n", record_kfd_gpu_id(index));
    node_path(path, node, "name");
    record_tree_file(tree, path, "%s\n", board->chip);
    node_path(path, node, "properties");
    make_gpu_properties(tree, path, board, index);
    make_bank(tree, node, 2, (uint64_t)board->vram_mib << 20, board->memory_bits,
              board->memory_clock_mhz);
    make_cache(tree, node, 0, 1, 16, 9);
    make_cache(tree, node, 1, 1, 32, 10);
    make_cache(tree, node, 2, 2, board->l2_kib, 9);
    make_link(tree, node, 0, 0);
}

/* ---- the other files ------------------------------------------------------------------------- */

static void make_render(struct record_tree *tree, const struct record_kfd_board *board,
                        unsigned index)
{
    const unsigned minor = RECORD_KFD_RENDER_MINOR + index;
    char path[PATH_BYTES], directory[80];

    record_kfd_tree_node(path, sizeof path, index + 1);
    record_tree_file(tree, path, "%s", "");
    snprintf(directory, sizeof directory, "/sys/dev/char/226:%u", minor);
    snprintf(path, sizeof path, "%s/dev", directory);
    record_tree_file(tree, path, "226:%u\n", minor);
    snprintf(path, sizeof path, "%s/uevent", directory);
    record_tree_file(tree, path, "MAJOR=226\nMINOR=%u\nDEVNAME=dri/renderD%u\nDEVTYPE=drm_minor\n",
                     minor, minor);
    snprintf(path, sizeof path, "%s/device/uevent", directory);
    record_tree_file(tree, path,
                     "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:%04X\n"
                     "PCI_SUBSYS_ID=1002:0000\nPCI_SLOT_NAME=0000:%02x:00.0\n",
                     board->pci_device, record_kfd_location(index) >> 8);
    snprintf(path, sizeof path, "%s/device/vendor", directory);
    record_tree_file(tree, path, "0x1002\n");
    snprintf(path, sizeof path, "%s/device/device", directory);
    record_tree_file(tree, path, "0x%04x\n", board->pci_device);
    snprintf(path, sizeof path, "%s/device/revision", directory);
    record_tree_file(tree, path, "0x%02x\n", board->pci_revision);
    snprintf(path, sizeof path, "%s/device/drm/renderD%u/dev", directory, minor);
    record_tree_file(tree, path, "226:%u\n", minor);
    /* libdrm_amdgpu takes two nodes for one GPU unless it finds the names of both cards here
     * (fd_compare() of its amdgpu_device.c, libdrm 2.4.114 and 2.4.124). */
    snprintf(path, sizeof path, "%s/device/drm/card%u/dev", directory, index);
    record_tree_file(tree, path, "226:%u\n", index);
}

bool record_kfd_tree_make(const char *root, const struct record_kfd_board *const *boards,
                          unsigned board_count, struct gfe_error *error)
{
    struct record_tree tree;

    if (!record_tree_begin(&tree, root, error))
        return false;
    record_tree_file(&tree, RECORD_KFD_NODE, "%s", "");
    record_tree_file(&tree, TOPOLOGY "/generation_id", "1\n");
    record_tree_file(&tree, TOPOLOGY "/system_properties",
                     "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
    make_cpu(&tree);
    for (unsigned i = 0; i < board_count; i++) {
        make_gpu(&tree, boards[i], i);
        make_render(&tree, boards[i], i);
    }
    record_tree_link(&tree, "/sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd");
    record_tree_file(&tree, "/proc/modules", "amdgpu 1 1 - Live 0x0000000000000000\n");
    record_tree_file(&tree, "/sys/module/amdgpu/initstate", "live\n");
    record_tree_file(&tree, "/sys/module/amdgpu/refcnt", "1\n");
    record_tree_file(&tree, "/sys/module/amdgpu/coresize", "1\n");
    record_tree_directories(&tree, "/sys/module/amdgpu/holders/");
    return record_tree_done(&tree);
}

/* ---- paths ----------------------------------------------------------------------------------- */

bool record_kfd_tree_has(const char *path)
{
    static const char *const prefixes[] = {
        RECORD_KFD_NODE, "/dev/dri",           "/sys/devices/virtual/kfd", "/sys/class/kfd",
        "/proc/modules", "/sys/module/amdgpu", "/sys/dev/char/226:",       NULL};

    return record_tree_path_begins(path, prefixes);
}

void record_kfd_tree_node(char *path, size_t bytes, unsigned index)
{
    if (index == 0)
        snprintf(path, bytes, "%s", RECORD_KFD_NODE);
    else
        snprintf(path, bytes, "/dev/dri/renderD%u", RECORD_KFD_RENDER_MINOR + index - 1);
}
