/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/nouveau/record_pass_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/nouveau/record_uapi.h"

/* The minors of render nodes, and DRM's major. */
enum { RENDER_FIRST = 128, RENDER_END = 192, DRM_MAJOR = 226, NAME_BYTES = 32 };

#define DRM_IOWR(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(type))

/* Name of the driver and its version; false when it does not answer as a DRM driver. */
static bool version_ask(int fd, char name[NAME_BYTES], struct uapi_version *version)
{
    int done;

    *version = (struct uapi_version){.name = (uintptr_t)name, .name_bytes = NAME_BYTES - 1};
    memset(name, 0, NAME_BYTES);
    RETRY(done, ioctl(fd, DRM_IOWR(UAPI_VERSION, struct uapi_version), version));
    return done == 0;
}

static bool parameter_ask(int fd, enum uapi_param param, uint64_t *value)
{
    struct uapi_getparam get = {.param = param};
    int done;

    RETRY(done, ioctl(fd, DRM_IOWR(UAPI_GETPARAM, struct uapi_getparam), &get));
    *value = get.value;
    return done == 0;
}

/* What the driver says of its chip. */
static bool device_ask(int fd, const char *gpu, struct record_pass_device *device,
                       struct gfe_error *error)
{
    uint64_t chipset, vendor, pci, vram;
    const struct record_board *board;

    if (!parameter_ask(fd, UAPI_PARAM_CHIPSET_ID, &chipset) ||
        !parameter_ask(fd, UAPI_PARAM_PCI_VENDOR, &vendor) ||
        !parameter_ask(fd, UAPI_PARAM_PCI_DEVICE, &pci) ||
        !parameter_ask(fd, UAPI_PARAM_FB_SIZE, &vram))
        return error_set_errno(error, errno, "--passthrough: %s does not name its chip",
                               device->path);
    device->chipset = (uint32_t)chipset;
    device->pci_vendor = (uint16_t)vendor;
    device->pci_device = (uint16_t)pci;
    device->vram_bytes = vram;
    board = record_board_of_device(device->chipset, device->pci_device);
    snprintf(device->gpu, sizeof device->gpu, "%s", gpu ? gpu : board ? board->gpu : "");
    return true;
}

/* One node: true when it is nouveau's, and described; else, perhaps, a message about it. */
static bool node_ask(int fd, const char *gpu, struct record_pass_device *device,
                     struct gfe_error *error)
{
    char name[NAME_BYTES];
    struct uapi_version version;
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISCHR(status.st_mode) || major(status.st_rdev) != DRM_MAJOR ||
        !version_ask(fd, name, &version))
        return error_set(error, ERROR_INPUT, "--passthrough: %s is not a GPU's node", device->path);
    if (strcmp(name, "nouveau") != 0)
        return error_set(error, ERROR_INPUT,
                         "--passthrough: %s is %s's; only what goes to nouveau can be recorded",
                         device->path, name);
    device->major = major(status.st_rdev);
    device->minor = minor(status.st_rdev);
    snprintf(device->driver, sizeof device->driver, "nouveau %d.%d.%d", version.major,
             version.minor, version.patch);
    device->is_used = device_ask(fd, gpu, device, error);
    return device->is_used;
}

bool record_pass_probe(const char *directory, const char *gpu, struct record_pass_device *device,
                       struct gfe_error *error)
{
    struct gfe_error first = {0};

    for (unsigned i = RENDER_FIRST; i < RENDER_END; i++) {
        struct gfe_error problem = {0};
        bool done = false;
        int fd;

        *device = (struct record_pass_device){0};
        if ((size_t)snprintf(device->path, sizeof device->path, "%s/renderD%u", directory, i) >=
            sizeof device->path)
            break;
        RETRY(fd, open(device->path, O_RDWR | O_CLOEXEC));
        if (fd < 0 && errno == ENOENT)
            continue;
        if (fd < 0)
            error_set_errno(&problem, errno, "--passthrough: %s", device->path);
        else
            done = node_ask(fd, gpu, device, &problem);
        if (fd >= 0)
            close(fd);
        if (done)
            return true;
        if (!first.text[0])
            first = problem;
    }
    if (!first.text[0])
        error_set(&first, ERROR_INPUT,
                  "--passthrough: there is no GPU here (%s/renderD128); without the option, gfe "
                  "record needs none",
                  directory);
    *error = first;
    return false;
}
