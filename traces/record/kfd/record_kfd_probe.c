/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/kfd/record_kfd_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/kfd/record_kfd_tree.h"
#include "traces/record/kfd/record_kfd_uapi.h"

enum { NODES_MAX = 256, BANKS_MAX = 16, TEXT_BYTES = 4096, VENDOR = 0x1002, HEAP_SYSTEM = 0 };
#define TOPOLOGY "/sys/devices/virtual/kfd/kfd/topology"

/* ---- the topology's files -------------------------------------------------------------------- */

/* A small file; false when it cannot be read, which is so for GPUs that are others'. */
static bool file_read(const char *path, char text[TEXT_BYTES])
{
    FILE *file = fopen(path, "re");
    size_t bytes;

    if (!file)
        return false;
    bytes = fread(text, 1, TEXT_BYTES - 1, file);
    text[bytes] = 0;
    fclose(file);
    return true;
}

/* The number behind a name at the start of a line, 0 when there is none. */
static uint64_t property(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = text; line && *line;) {
        if (strncmp(line, name, length) == 0 && line[length] == ' ')
            return strtoull(line + length + 1, NULL, 10);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return 0;
}

static uint32_t memory_mib(const char *directory, unsigned node, uint64_t bank_count)
{
    char path[PATH_MAX], text[TEXT_BYTES];
    uint64_t bytes = 0;

    for (unsigned i = 0; i < bank_count && i < BANKS_MAX; i++) {
        snprintf(path, sizeof path, "%s/nodes/%u/mem_banks/%u/properties", directory, node, i);
        if (file_read(path, text) && property(text, "heap_type") != HEAP_SYSTEM)
            bytes += property(text, "size_in_bytes");
    }
    return (uint32_t)(bytes >> 20);
}

/* True when the node is a GPU that may be used; *end behind the last node. */
static bool node_read(const char *directory, unsigned node, struct record_kfd_real_gpu *gpu,
                      bool *end)
{
    char path[PATH_MAX], text[TEXT_BYTES];

    snprintf(path, sizeof path, "%s/nodes/%u/gpu_id", directory, node);
    *end = !file_read(path, text);
    gpu->gpu_id = *end ? 0 : (uint32_t)strtoul(text, NULL, 10);
    snprintf(path, sizeof path, "%s/nodes/%u/properties", directory, node);
    if (gpu->gpu_id == 0 || !file_read(path, text) || property(text, "vendor_id") != VENDOR)
        return false;
    gpu->gfx_version = (uint32_t)property(text, "gfx_target_version");
    gpu->pci_device = (uint16_t)property(text, "device_id");
    gpu->location_id = (uint32_t)property(text, "location_id");
    gpu->vram_mib = memory_mib(directory, node, property(text, "mem_banks_count"));
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *name_of(const struct record_kfd_real_gpu *gpu)
{
    const struct record_kfd_board *board;

    for (unsigned i = 0; (board = record_kfd_board_at(i)) != NULL; i++)
        if (board->pci_device == gpu->pci_device && board->gfx_version == gpu->gfx_version)
            return board->gpu;
    return "";
}

bool record_kfd_probe_topology(const char *directory, const char *names,
                               struct record_kfd_device *device, struct gfe_error *error)
{
    const struct record_kfd_board *boards[RECORD_KFD_GPUS_MAX];
    const unsigned named = names ? record_kfd_board_list(names, boards) : 0;
    bool end = false;

    device->gpu_count = 0;
    for (unsigned node = 0; node < NODES_MAX && !end; node++) {
        struct record_kfd_real_gpu gpu = {0};

        if (!node_read(directory, node, &gpu, &end) || device->gpu_count == RECORD_KFD_GPUS_MAX)
            continue;
        snprintf(gpu.gpu, sizeof gpu.gpu, "%s",
                 device->gpu_count < named ? boards[device->gpu_count]->gpu : name_of(&gpu));
        device->gpus[device->gpu_count++] = gpu;
    }
    return device->gpu_count > 0 ||
           error_set(error, ERROR_INPUT,
                     "--passthrough: %s/nodes has no GPU of AMD's that may be used", directory);
}

/* ---- the node -------------------------------------------------------------------------------- */

bool record_kfd_probe_is_there(void)
{
    return access(RECORD_KFD_NODE, F_OK) == 0;
}

bool record_kfd_probe(const char *names, struct record_kfd_device *device, struct gfe_error *error)
{
    const unsigned long request =
        _IOC(_IOC_READ, KFD_TYPE, KFD_GET_VERSION, sizeof(struct kfd_get_version));
    struct kfd_get_version version = {0};
    struct stat status;
    bool done = false;
    int fd;

    *device = (struct record_kfd_device){0};
    RETRY(fd, open(RECORD_KFD_NODE, O_RDWR | O_CLOEXEC));
    if (fd < 0)
        return error_set_errno(error, errno, "--passthrough: %s", RECORD_KFD_NODE);
    if (fstat(fd, &status) != 0 || !S_ISCHR(status.st_mode))
        error_set(error, ERROR_INPUT, "--passthrough: %s is not a device", RECORD_KFD_NODE);
    else if (ioctl(fd, request, &version) != 0)
        error_set_errno(error, errno, "--passthrough: %s does not tell its version",
                        RECORD_KFD_NODE);
    else
        done = record_kfd_probe_topology(TOPOLOGY, names, device, error);
    close(fd);
    if (!done)
        return false;
    device->major = major(status.st_rdev);
    device->minor = minor(status.st_rdev);
    snprintf(device->driver, sizeof device->driver, "kfd %u.%u", (unsigned)version.major,
             (unsigned)version.minor);
    return true;
}
