/* SPDX-License-Identifier: MIT
 *
 * Asks NVIDIA's resource manager (RM) right and wrong things, without CUDA, and prints what it
 * answers.
 *
 *     cc -O1 -o rm_probe rm_probe.c && ./rm_probe >rm.jsonl
 *
 * Makes a client, a device and a subdevice, memory with mappings, an address space, a channel group
 * with a channel and its classes, and asks each for what it does not have: wrong handles, parents,
 * classes, sizes and states.  It submits no work and rings no doorbell, changes no setting of the
 * GPU, and frees what it made.  One GPU is used, the first one that has a node.  Layouts:
 * rm_calls.h.
 *
 * A line is a JSON object: "step" what is asked, "ioctl" 0 or the errno, "status" RM's answer
 * ("unset" where the call did not write one).  "expected" is read from the source of
 * open-gpu-kernel-modules 580.142, in the function that "source" names; a step without it has no
 * right answer that is known before.  The last line counts.  Exit status: 0, 1 if an answer is not
 * the expected one, 2 without a GPU.
 *
 * Identities are not printed: neither the GPU's id, which holds its bus address, nor its UUID.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rm_calls.h"

enum {
    OK = 0,
    UNSET = 0xffffffff,
    ANY = 0xfffffffe,             /* no answer is known before */
    REFUSED = 0xfffffffd,         /* the ioctl itself fails with EINVAL */
    INSERT_DUPLICATE_NAME = 0x19, /* nvstatuscodes.h */
    INVALID_ARGUMENT = 0x1f,
    INVALID_CLASS = 0x22,
    INVALID_CLIENT = 0x23,
    INVALID_OBJECT_HANDLE = 0x33,
    INVALID_OBJECT_PARENT = 0x36,
    INVALID_STATE = 0x40,
    NOT_SUPPORTED = 0x56,
    OBJECT_NOT_FOUND = 0x57,

    /* handles that this program chooses */
    DEVICE = 0xcaf00001,
    SUBDEVICE = 0xcaf00002,
    VASPACE = 0xcaf00003,
    VIRTUAL = 0xcaf00004,
    LOCAL = 0xcaf00005,
    SYSTEM = 0xcaf00006,
    GROUP = 0xcaf00007,
    SHARE = 0xcaf00008,
    CHANNEL = 0xcaf00009,
    COMPUTE = 0xcaf0000a,
    COPY = 0xcaf0000b,
    USERMODE = 0xcaf0000c,
    SPARE = 0xcaf0000d,
    NOWHERE = 0xdeadbeef,

    MEMORY_BYTES = 0x200000,
    RING_ENTRIES = 1024,
    ENGINE_GRAPHICS = 1, /* NV2080_ENGINE_TYPE_GR0, cl2080_notification.h */
    ENGINE_NONE = 0x7f,
};

struct probe {
    int control_fd, device_fd;
    uint32_t client;
    uint64_t memory_va; /* of LOCAL, in VASPACE */
    unsigned steps, known, differ;
};

/* The answer to one step: prints it, and notes whether it is the expected one. */
static void answer(struct probe *probe, const char *step, int result, uint32_t status,
                   uint32_t expected, const char *source)
{
    bool agrees = expected == REFUSED ? result == EINVAL : result == 0 && status == expected;

    printf("{\"step\":\"%s\",\"ioctl\":%d,\"status\":", step, result);
    if (result != 0 || status == UNSET) {
        printf("\"unset\"");
    } else {
        printf("\"0x%x\"", status);
    }
    probe->steps++;
    if (expected != ANY) {
        probe->known++;
        probe->differ += !agrees;
        if (expected == REFUSED) {
            printf(",\"expected\":\"EINVAL\"");
        } else {
            printf(",\"expected\":\"0x%x\"", expected);
        }
        printf(",\"source\":\"%s\",\"agrees\":%s", source, agrees ? "true" : "false");
    }
    printf("}\n");
}

/* An escape of `size` bytes; returns 0 or the errno. */
static int escape(int fd, unsigned number, void *argument, size_t size)
{
    return ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, 'F', number, size), argument) ? errno : 0;
}

static void alloc_at(struct probe *probe, const char *step, uint32_t client, uint32_t parent,
                     uint32_t object, uint32_t class_id, void *params, uint32_t expected,
                     const char *source)
{
    struct rm_alloc call = {client, parent, object, class_id, (uintptr_t)params, 0, UNSET};
    int result = escape(probe->control_fd, ESCAPE_ALLOC, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
}

/* An object of the program's own client. */
static void alloc(struct probe *probe, const char *step, uint32_t parent, uint32_t object,
                  uint32_t class_id, void *params, uint32_t expected, const char *source)
{
    alloc_at(probe, step, probe->client, parent, object, class_id, params, expected, source);
}

static void control_at(struct probe *probe, const char *step, uint32_t client, uint32_t object,
                       uint32_t command, void *params, uint32_t size, uint32_t expected,
                       const char *source)
{
    struct rm_control call = {client, object, command, 0, (uintptr_t)params, size, UNSET};
    int result = escape(probe->control_fd, ESCAPE_CONTROL, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
}

static void control(struct probe *probe, const char *step, uint32_t object, uint32_t command,
                    void *params, uint32_t size, uint32_t expected, const char *source)
{
    control_at(probe, step, probe->client, object, command, params, size, expected, source);
}

static void free_at(struct probe *probe, const char *step, uint32_t client, uint32_t parent,
                    uint32_t object, uint32_t expected, const char *source)
{
    struct rm_free call = {client, parent, object, UNSET};
    int result = escape(probe->control_fd, ESCAPE_FREE, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
}

/* ---- the nodes: what is refused before RM sees it ---- */

static void ask_nodes(struct probe *probe)
{
    struct rm_version version = {.command = '2'};
    struct rm_alloc call = {0, 0, 0, CLASS_ROOT, 0, 0, UNSET};
    struct rm_card cards[32];
    uint32_t words[4] = {0};
    int result;

    result = escape(probe->control_fd, ESCAPE_CHECK_VERSION, &version, sizeof version);
    answer(probe, "the driver's version", result, OK, OK, "rm_perform_version_check");
    version.text[sizeof version.text - 1] = 0;
    printf("{\"version\":\"%s\",\"reply\":%u}\n", result ? "" : version.text, version.reply);
    version = (struct rm_version){.command = 0, .text = "1.2.3"};
    result = escape(probe->control_fd, ESCAPE_CHECK_VERSION, &version, sizeof version);
    answer(probe, "another version, strictly", result, OK, REFUSED, "rm_perform_version_check");
    memset(cards, 0, sizeof cards);
    result = escape(probe->device_fd, ESCAPE_CARD_INFO, cards, sizeof cards);
    answer(probe, "the cards, of a GPU's node", result, OK, REFUSED, "NV_CTL_DEVICE_ONLY");
    result = escape(probe->control_fd, ESCAPE_CARD_INFO, cards, sizeof cards);
    answer(probe, "the cards", result, OK, OK, "nvidia_ioctl");
    for (int i = 0; i < 32; i++) {
        if (cards[i].valid) {
            printf(
                "{\"card\":%d,\"vendor\":\"0x%x\",\"device\":\"0x%x\",\"framebuffer_bytes\":%llu}\n",
                i, cards[i].vendor, cards[i].device, (unsigned long long)cards[i].fb_size);
        }
    }
    result = escape(probe->control_fd, 0x10, words, sizeof words);
    answer(probe, "an escape that is none", result, OK, REFUSED, "RmIoctl");
    result = escape(probe->control_fd, ESCAPE_ALLOC, &call, sizeof call - 8);
    answer(probe, "an allocation of 24 bytes", result, OK, REFUSED, "RmIoctl");
    result = escape(probe->device_fd, ESCAPE_ALLOC, &call, sizeof call);
    answer(probe, "a client, of a GPU's node", result, OK, REFUSED, "RmIoctl");
    result = escape(probe->control_fd, ESCAPE_SYS_PARAMS, words, 4);
    answer(probe, "the system's parameters, of a wrong size", result, OK, REFUSED, "nvidia_ioctl");
    result = escape(probe->device_fd, ESCAPE_REGISTER_FD, &probe->device_fd, sizeof(int));
    answer(probe, "a GPU's node registered at itself", result, OK, REFUSED, "RmIoctl");
    result = escape(probe->device_fd, ESCAPE_REGISTER_FD, &probe->control_fd, sizeof(int));
    answer(probe, "a GPU's node registered", result, OK, OK, "RmIoctl");
    result = escape(probe->device_fd, ESCAPE_REGISTER_FD, &probe->control_fd, sizeof(int));
    answer(probe, "the same again", result, OK, REFUSED, "RmIoctl");
}

/* ---- clients and devices ---- */

static void make_client(struct probe *probe)
{
    struct rm_alloc call = {0, 0, 0, CLASS_ROOT, 0, 0, UNSET};
    int result = escape(probe->control_fd, ESCAPE_ALLOC, &call, sizeof call);

    answer(probe, "a client", result, call.status, OK, "serverAllocClient");
    probe->client = call.object;
}

static void ask_devices(struct probe *probe)
{
    struct rm_device_params device = {.device_id = 32, .client_share = probe->client};
    uint32_t subdevice = 0;

    alloc(probe, "device 32", probe->client, DEVICE, CLASS_DEVICE, &device, INVALID_ARGUMENT,
          "resservResourceFactory");
    device.device_id = 31;
    alloc(probe, "device 31, where no GPU is", probe->client, DEVICE, CLASS_DEVICE, &device,
          INVALID_STATE, "resservResourceFactory");
    device.device_id = 0;
    alloc(probe, "a device without parameters", probe->client, DEVICE, CLASS_DEVICE, NULL,
          INVALID_ARGUMENT, "resservResourceFactory");
    alloc_at(probe, "a device of a client that is none", NOWHERE, NOWHERE, DEVICE, CLASS_DEVICE,
             &device, INVALID_OBJECT_HANDLE, "_serverLockClientWithLockInfo");
    alloc(probe, "a device whose handle is the client's", probe->client, probe->client,
          CLASS_DEVICE, &device, INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "an object of no class", probe->client, SPARE, 0xdead, NULL, INVALID_CLASS,
          "rmapiGetClassAllocParamSize");
    alloc(probe, "a subdevice before its device", DEVICE, SUBDEVICE, CLASS_SUBDEVICE, &subdevice,
          OBJECT_NOT_FOUND, "clientGetResourceRef");
    alloc(probe, "a subdevice of the client", probe->client, SUBDEVICE, CLASS_SUBDEVICE, &subdevice,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "a device", probe->client, DEVICE, CLASS_DEVICE, &device, OK,
          "serverAllocResource");
    alloc(probe, "the same device again", probe->client, DEVICE, CLASS_DEVICE, &device,
          INSERT_DUPLICATE_NAME, "clientValidateNewResourceHandle");
    subdevice = 7;
    alloc(probe, "subdevice 7", DEVICE, SUBDEVICE, CLASS_SUBDEVICE, &subdevice, ANY, NULL);
    subdevice = 0;
    alloc(probe, "a subdevice", DEVICE, SUBDEVICE, CLASS_SUBDEVICE, &subdevice, OK,
          "serverAllocResource");
    alloc(probe, "a second subdevice of the device", DEVICE, SPARE, CLASS_SUBDEVICE, &subdevice,
          ANY, NULL);
    free_at(probe, "the second subdevice is freed", probe->client, DEVICE, SPARE, OK,
            "serverFreeResourceTree");
}

static void ask_controls(struct probe *probe)
{
    static uint32_t words[512];
    char *text = (char *)(words + 1);

    control(probe, "build version", probe->client, CONTROL_BUILD_VERSION, words, 1032, OK,
            "resControl");
    control(probe, "build version, a word less", probe->client, CONTROL_BUILD_VERSION, words, 1028,
            INVALID_ARGUMENT, "_rmapiRmControl");
    control(probe, "build version without parameters", probe->client, CONTROL_BUILD_VERSION, NULL,
            1032, INVALID_ARGUMENT, "_rmapiRmControl");
    control(probe, "build version of no size", probe->client, CONTROL_BUILD_VERSION, words, 0,
            INVALID_ARGUMENT, "_rmapiRmControl");
    control(probe, "build version to an address that is none", probe->client, CONTROL_BUILD_VERSION,
            (void *)8, 1032, ANY, NULL);
    control(probe, "build version of a device", DEVICE, CONTROL_BUILD_VERSION, words, 1032,
            NOT_SUPPORTED, "resControlLookup");
    control(probe, "the null command", probe->client, CONTROL_NULL, NULL, 0, OK, "_rmapiRmControl");
    control_at(probe, "the null command of a client that is none", NOWHERE, NOWHERE, 0x20800000,
               NULL, 0, OK, "_rmapiRmControl");
    control_at(probe, "a command of a client that is none", NOWHERE, NOWHERE, CONTROL_SUBDEVICES,
               words, 4, INVALID_CLIENT, "_rmapiRmControl");
    control(probe, "a command of an object that is none", NOWHERE, CONTROL_SUBDEVICES, words, 4,
            OBJECT_NOT_FOUND, "clientGetResourceRef");
    control(probe, "a command that is none", SUBDEVICE, 0x2080fffe, words, 4, NOT_SUPPORTED,
            "resControlLookup");
    control(probe, "a device's command of a subdevice", SUBDEVICE, CONTROL_SUBDEVICES, words, 4,
            NOT_SUPPORTED, "resControlLookup");
    control(probe, "attached GPUs", probe->client, CONTROL_ATTACHED_IDS, words, 128, OK,
            "resControl");
    control(probe, "the number of subdevices", DEVICE, CONTROL_SUBDEVICES, words, 4, OK,
            "resControl");
    printf("{\"subdevices\":%u}\n", words[0]);
    memset(words, 0, sizeof words);
    control(probe, "the classes of the device", DEVICE, CONTROL_CLASS_LIST, words, 804, OK,
            "resControl");
    printf("{\"classes\":[");
    for (uint32_t i = 0; i < words[0] && i < 200; i++) {
        printf("%s\"0x%x\"", i ? "," : "", words[1 + i]);
    }
    printf("]}\n");
    memset(words, 0, sizeof words);
    control(probe, "the name", SUBDEVICE, CONTROL_GPU_NAME, words, 132, OK, "resControl");
    text[63] = 0;
    printf("{\"name\":\"%s\"}\n", text);
    memset(words, 0, sizeof words);
    control(probe, "the engines", SUBDEVICE, CONTROL_ENGINES, words, 340, OK, "resControl");
    printf("{\"engines\":[");
    for (uint32_t i = 0; i < words[0] && i < 84; i++) {
        printf("%s%u", i ? "," : "", words[1 + i]);
    }
    printf("]}\n");
    memset(words, 0, sizeof words);
    words[0] = 71; /* one more than NV2080_CTRL_GPU_INFO_MAX_LIST_SIZE */
    control(probe, "71 values of the GPU", SUBDEVICE, CONTROL_GPU_INFO, words, 564, ANY, NULL);
    memset(words, 0, sizeof words);
    control(probe, "the number of channels", SUBDEVICE, CONTROL_PHYSICAL_CHANNELS, words, 8, OK,
            "resControl");
    printf("{\"channels\":%u,\"channels_in_use\":%u}\n", words[0], words[1]);
}

/* ---- memory ---- */

static struct rm_memory_params memory_of(const struct probe *probe, bool system)
{
    /* nvos.h: TYPE_IMAGE or TYPE_NOTIFIER; MAP_NOT_REQUIRED, MEMORY_HANDLE_PROVIDED and
     * ALIGNMENT_FORCE; LOCATION_VIDMEM, or LOCATION_PCI with PHYSICALITY_NONCONTIGUOUS */
    return (struct rm_memory_params){.owner = probe->client,
                                     .type = system ? 13 : 0,
                                     .flags = 0x00008000 | 0x00004000 | 0x00000100,
                                     .attr = system ? 1u << 25 | 1u << 27 : 0,
                                     .size = MEMORY_BYTES,
                                     .alignment = 0x1000};
}

static void ask_memory(struct probe *probe)
{
    struct rm_memory_params params = memory_of(probe, false);
    struct rm_vaspace_params space = {0};
    struct rm_virtual_params range = {.vaspace = VASPACE};

    alloc(probe, "video memory of the client", probe->client, LOCAL, CLASS_LOCAL_MEMORY, &params,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "video memory without parameters", DEVICE, LOCAL, CLASS_LOCAL_MEMORY, NULL,
          INVALID_ARGUMENT, "rmapiParamsCopyInit");
    params.size = 0;
    alloc(probe, "no bytes of video memory", DEVICE, LOCAL, CLASS_LOCAL_MEMORY, &params, ANY, NULL);
    params = memory_of(probe, false);
    params.size = 1ULL << 50;
    alloc(probe, "a PiB of video memory", DEVICE, LOCAL, CLASS_LOCAL_MEMORY, &params, ANY, NULL);
    params = memory_of(probe, false);
    alloc(probe, "video memory", DEVICE, LOCAL, CLASS_LOCAL_MEMORY, &params, OK,
          "serverAllocResource");
    params = memory_of(probe, true);
    alloc(probe, "system memory of a subdevice", SUBDEVICE, SYSTEM, CLASS_SYSTEM_MEMORY, &params,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    params = memory_of(probe, true);
    alloc(probe, "system memory", DEVICE, SYSTEM, CLASS_SYSTEM_MEMORY, &params, OK,
          "serverAllocResource");
    alloc(probe, "an address space", DEVICE, VASPACE, CLASS_VASPACE, &space, OK,
          "serverAllocResource");
    range.vaspace = NOWHERE;
    alloc(probe, "a range of an address space that is none", DEVICE, VIRTUAL, CLASS_VIRTUAL_MEMORY,
          &range, ANY, NULL);
    range.vaspace = VASPACE;
    alloc(probe, "a range of the address space", DEVICE, VIRTUAL, CLASS_VIRTUAL_MEMORY, &range, OK,
          "serverAllocResource");
}

static void map(struct probe *probe, const char *step, uint32_t memory, uint64_t offset,
                uint64_t length, int fd, uint32_t expected, const char *source, uint64_t *address)
{
    struct rm_map call = {.client = probe->client,
                          .device = DEVICE,
                          .memory = memory,
                          .offset = offset,
                          .length = length,
                          .status = UNSET,
                          .fd = fd};
    int result = escape(probe->control_fd, ESCAPE_MAP, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
    if (address) {
        *address = result || call.status ? 0 : call.address;
    }
}

static void unmap(struct probe *probe, const char *step, uint32_t memory, uint64_t address,
                  uint32_t expected, const char *source)
{
    struct rm_unmap call = {.client = probe->client,
                            .device = DEVICE,
                            .memory = memory,
                            .address = address,
                            .status = UNSET};
    int result = escape(probe->control_fd, ESCAPE_UNMAP, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
}

static void ask_mappings(struct probe *probe, const char *device_node)
{
    int fd = open(device_node, O_RDWR | O_CLOEXEC);
    uint64_t address = 0;
    void *at;

    if (fd < 0 || escape(fd, ESCAPE_REGISTER_FD, &probe->control_fd, sizeof(int))) {
        printf("{\"left_out\":\"mappings: the node can't be opened a second time\"}\n");
        return;
    }
    map(probe, "memory that is none, mapped", NOWHERE, 0, 0x1000, fd, OBJECT_NOT_FOUND,
        "clientGetResourceRef", NULL);
    map(probe, "a device, mapped", DEVICE, 0, 0x1000, fd, ANY, NULL, NULL);
    map(probe, "video memory, mapped past its end", LOCAL, MEMORY_BYTES, 0x1000, fd, ANY, NULL,
        NULL);
    map(probe, "no bytes of video memory, mapped", LOCAL, 0, 0, fd, ANY, NULL, NULL);
    map(probe, "video memory, mapped at a descriptor that is none", LOCAL, 0, 0x1000, 9999, ANY,
        NULL, NULL);
    map(probe, "video memory, mapped", LOCAL, 0, 0x1000, fd, OK, "serverMap", &address);
    at = address ? mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    printf("{\"mmap\":%s}\n", at != MAP_FAILED ? "true" : "false");
    if (at != MAP_FAILED) {
        *(volatile uint32_t *)at = 0x600df00d;
        printf("{\"reads_back\":%s}\n", *(volatile uint32_t *)at == 0x600df00d ? "true" : "false");
        munmap(at, 0x1000);
    }
    map(probe, "video memory, mapped at the same descriptor again", LOCAL, 0x1000, 0x1000, fd, ANY,
        NULL, NULL);
    unmap(probe, "a mapping that is none, unmapped", LOCAL, address + 0x10000, OBJECT_NOT_FOUND,
          "refFindCpuMappingWithFilter");
    unmap(probe, "a mapping, unmapped", LOCAL, address, OK, "serverUnmap");
    unmap(probe, "the same mapping, unmapped again", LOCAL, address, OBJECT_NOT_FOUND,
          "refFindCpuMappingWithFilter");
    close(fd);
}

static void map_dma(struct probe *probe, const char *step, uint32_t dma, uint32_t memory,
                    uint64_t offset, uint64_t length, uint32_t expected, const char *source,
                    uint64_t *address)
{
    struct rm_map_dma call = {.client = probe->client,
                              .device = DEVICE,
                              .dma = dma,
                              .memory = memory,
                              .offset = offset,
                              .length = length,
                              .status = UNSET};
    int result = escape(probe->control_fd, ESCAPE_MAP_DMA, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
    if (address) {
        *address = result || call.status ? 0 : call.address;
    }
}

static void unmap_dma(struct probe *probe, const char *step, uint64_t address, uint32_t expected,
                      const char *source)
{
    struct rm_unmap_dma call = {.client = probe->client,
                                .device = DEVICE,
                                .dma = VIRTUAL,
                                .memory = LOCAL,
                                .address = address,
                                .status = UNSET};
    int result = escape(probe->control_fd, ESCAPE_UNMAP_DMA, &call, sizeof call);

    answer(probe, step, result, call.status, expected, source);
}

static void ask_dma(struct probe *probe)
{
    uint64_t second = 0;

    map_dma(probe, "memory that is none, into the range", VIRTUAL, NOWHERE, 0, 0x1000, ANY, NULL,
            NULL);
    map_dma(probe, "video memory, into a range that is none", NOWHERE, LOCAL, 0, 0x1000, ANY, NULL,
            NULL);
    map_dma(probe, "video memory past its end, into the range", VIRTUAL, LOCAL, MEMORY_BYTES,
            0x1000, ANY, NULL, NULL);
    map_dma(probe, "video memory, into the range", VIRTUAL, LOCAL, 0, MEMORY_BYTES, OK,
            "serverInterMap", &probe->memory_va);
    map_dma(probe, "the same memory a second time", VIRTUAL, LOCAL, 0, MEMORY_BYTES, ANY, NULL,
            &second);
    if (second) {
        unmap_dma(probe, "the second time, unmapped", second, OK, "serverInterUnmap");
        unmap_dma(probe, "the second time, unmapped again", second, OBJECT_NOT_FOUND,
                  "serverInterUnmap");
    }
}

/* ---- channels ---- */

static struct rm_channel_params channel_of(const struct probe *probe)
{
    return (struct rm_channel_params){.error = SYSTEM,
                                      .gp_fifo = probe->memory_va,
                                      .entries = RING_ENTRIES,
                                      .context_share = SHARE,
                                      .userd_memory = {LOCAL},
                                      .userd_offset = {0x10000},
                                      .engine = ENGINE_GRAPHICS};
}

static void ask_group(struct probe *probe)
{
    struct rm_group_params group = {.vaspace = VASPACE, .engine = ENGINE_NONE};
    struct rm_share_params share = {.vaspace = NOWHERE,
                                    .flags = 1}; /* NV_CTXSHARE_ALLOCATION_FLAGS_SUBCONTEXT_ASYNC */

    alloc(probe, "a channel group of a subdevice", SUBDEVICE, GROUP, CLASS_CHANNEL_GROUP, &group,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "a channel group without parameters", DEVICE, GROUP, CLASS_CHANNEL_GROUP, NULL,
          INVALID_ARGUMENT, "rmapiParamsCopyInit");
    alloc(probe, "a channel group of an engine that is none", DEVICE, GROUP, CLASS_CHANNEL_GROUP,
          &group, ANY, NULL);
    free_at(probe, "the group, if there is one, is freed", probe->client, DEVICE, GROUP, OK,
            "serverFreeResourceTree");
    group = (struct rm_group_params){.vaspace = NOWHERE, .engine = ENGINE_GRAPHICS};
    alloc(probe, "a channel group of an address space that is none", DEVICE, GROUP,
          CLASS_CHANNEL_GROUP, &group, ANY, NULL);
    group.vaspace = VASPACE;
    alloc(probe, "a channel group", DEVICE, GROUP, CLASS_CHANNEL_GROUP, &group, OK,
          "serverAllocResource");
    alloc(probe, "a context share of an address space that is none", GROUP, SHARE,
          CLASS_CONTEXT_SHARE, &share, ANY, NULL);
    share.vaspace = VASPACE;
    alloc(probe, "a context share of the device", DEVICE, SHARE, CLASS_CONTEXT_SHARE, &share,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "a context share", GROUP, SHARE, CLASS_CONTEXT_SHARE, &share, OK,
          "serverAllocResource");
}

static void ask_channel(struct probe *probe)
{
    struct rm_channel_params params = channel_of(probe);

    alloc(probe, "a channel of another generation", GROUP, CHANNEL, CLASS_BLACKWELL_CHANNEL,
          &params, NOT_SUPPORTED, "resservResourceFactory");
    alloc(probe, "a channel of the subdevice", SUBDEVICE, CHANNEL, CLASS_HOPPER_CHANNEL, &params,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "a channel without parameters", GROUP, CHANNEL, CLASS_HOPPER_CHANNEL, NULL,
          INVALID_ARGUMENT, "rmapiParamsCopyInit");
    params.engine = ENGINE_GRAPHICS + 8; /* the first copy engine's */
    alloc(probe, "a channel of another engine than its group's", GROUP, CHANNEL,
          CLASS_HOPPER_CHANNEL, &params, ANY, NULL);
    params = channel_of(probe);
    params.entries = 0;
    alloc(probe, "a channel without entries", GROUP, CHANNEL, CLASS_HOPPER_CHANNEL, &params, ANY,
          NULL);
    params = channel_of(probe);
    params.entries = 1000;
    alloc(probe, "a channel with 1000 entries", GROUP, CHANNEL, CLASS_HOPPER_CHANNEL, &params, ANY,
          NULL);
    free_at(probe, "the channel, if there is one, is freed", probe->client, GROUP, CHANNEL, OK,
            "serverFreeResourceTree");
    params = channel_of(probe);
    params.userd_memory[0] = NOWHERE;
    alloc(probe, "a channel with USERD in memory that is none", GROUP, CHANNEL,
          CLASS_HOPPER_CHANNEL, &params, ANY, NULL);
    params = channel_of(probe);
    params.context_share = NOWHERE;
    alloc(probe, "a channel of a context share that is none", GROUP, CHANNEL, CLASS_HOPPER_CHANNEL,
          &params, ANY, NULL);
    params = channel_of(probe);
    alloc(probe, "a channel", GROUP, CHANNEL, CLASS_HOPPER_CHANNEL, &params, OK,
          "serverAllocResource");
    alloc(probe, "the same channel again", GROUP, CHANNEL, CLASS_HOPPER_CHANNEL, &params,
          INSERT_DUPLICATE_NAME, "clientValidateNewResourceHandle");
    alloc(probe, "the compute class of the group", GROUP, COMPUTE, CLASS_HOPPER_COMPUTE, NULL,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "the compute class", CHANNEL, COMPUTE, CLASS_HOPPER_COMPUTE, NULL, OK,
          "serverAllocResource");
    alloc(probe, "the compute class a second time", CHANNEL, SPARE, CLASS_HOPPER_COMPUTE, NULL, ANY,
          NULL);
    free_at(probe, "the second one, if there is one, is freed", probe->client, CHANNEL, SPARE, OK,
            "serverFreeResourceTree");
    alloc(probe, "the copy class", CHANNEL, COPY, CLASS_HOPPER_COPY, NULL, ANY, NULL);
    alloc(probe, "the usermode class of the device", DEVICE, USERMODE, CLASS_HOPPER_USERMODE, NULL,
          INVALID_OBJECT_PARENT, "serverAllocResourceUnderLock");
    alloc(probe, "the usermode class", SUBDEVICE, USERMODE, CLASS_HOPPER_USERMODE, NULL, OK,
          "serverAllocResource");
}

static void ask_schedule(struct probe *probe)
{
    uint8_t enable[3] = {1, 0, 0};
    uint32_t word = ENGINE_GRAPHICS;

    control(probe, "the token before the channel is scheduled", CHANNEL, CONTROL_CHANNEL_TOKEN,
            &word, 4, ANY, NULL);
    control(probe, "the channel alone is scheduled", CHANNEL, CONTROL_CHANNEL_SCHEDULE, enable, 3,
            ANY, NULL);
    word = ENGINE_NONE;
    control(probe, "the group is bound to an engine that is none", GROUP, CONTROL_GROUP_BIND, &word,
            4, ANY, NULL);
    word = ENGINE_GRAPHICS;
    control(probe, "the channel alone is bound", CHANNEL, CONTROL_CHANNEL_BIND, &word, 4, ANY,
            NULL);
    control(probe, "the group is bound", GROUP, CONTROL_GROUP_BIND, &word, 4, OK,
            "kchangrpapiCtrlCmdBind_IMPL");
    control(probe, "the group is scheduled, of a byte less", GROUP, CONTROL_GROUP_SCHEDULE, enable,
            2, INVALID_ARGUMENT, "_rmapiRmControl");
    control(probe, "the group is scheduled", GROUP, CONTROL_GROUP_SCHEDULE, enable, 3, OK,
            "kchangrpapiCtrlCmdGpFifoSchedule_IMPL");
    control(probe, "the group is scheduled again", GROUP, CONTROL_GROUP_SCHEDULE, enable, 3, ANY,
            NULL);
    control(probe, "a group's schedule of a channel", CHANNEL, CONTROL_GROUP_SCHEDULE, enable, 3,
            NOT_SUPPORTED, "resControlLookup");
    word = 0xffffffff;
    control(probe, "the token", CHANNEL, CONTROL_CHANNEL_TOKEN, &word, 4, OK,
            "kchannelCtrlCmdGpfifoGetWorkSubmitToken_IMPL");
    printf("{\"token_is_set\":%s}\n", word != 0xffffffff ? "true" : "false");
}

static void ask_timeslice(struct probe *probe)
{
    uint64_t us = 0;
    uint32_t level = 9, preempt[2] = {0x001, 0};

    control(probe, "the timeslice at first", GROUP, CONTROL_GROUP_GET_TIMESLICE, &us, 8, OK,
            "resControl");
    printf("{\"timeslice_us\":%llu}\n", (unsigned long long)us);
    for (uint64_t ask = 0; ask <= 1 << 20; ask = ask ? ask * 8 : 1) {
        char step[64];

        us = ask;
        snprintf(step, sizeof step, "a timeslice of %llu us", (unsigned long long)ask);
        control(probe, step, GROUP, CONTROL_GROUP_SET_TIMESLICE, &us, 8, ANY, NULL);
        us = 0;
        control(probe, "the timeslice", GROUP, CONTROL_GROUP_GET_TIMESLICE, &us, 8, OK,
                "resControl");
        printf("{\"timeslice_us\":%llu}\n", (unsigned long long)us);
    }
    control(probe, "the interleave level at first", GROUP, CONTROL_GROUP_GET_INTERLEAVE, &level, 4,
            OK, "resControl");
    printf("{\"interleave_level\":%u}\n", level);
    for (uint32_t ask = 0; ask <= 3; ask++) {
        char step[64];

        level = ask;
        snprintf(step, sizeof step, "interleave level %u", ask);
        control(probe, step, GROUP, CONTROL_GROUP_SET_INTERLEAVE, &level, 4, ANY, NULL);
    }
    control(probe, "the group is preempted", GROUP, CONTROL_GROUP_PREEMPT, preempt, 8, ANY, NULL);
}

static void ask_states(struct probe *probe)
{
    struct rm_channel_params params = channel_of(probe);
    struct rm_dup dup = {probe->client, DEVICE, SPARE, probe->client, NOWHERE, 0, UNSET};
    uint8_t enable[3] = {0, 0, 0}, now = 1;
    int result;

    alloc(probe, "a second channel in the scheduled group", GROUP, SPARE, CLASS_HOPPER_CHANNEL,
          &params, ANY, NULL);
    free_at(probe, "the second channel, if there is one, is freed", probe->client, GROUP, SPARE, OK,
            "serverFreeResourceTree");
    control(probe, "the group is taken off its runlist", GROUP, CONTROL_GROUP_SCHEDULE, enable, 3,
            ANY, NULL);
    control(probe, "the channel is stopped", CHANNEL, CONTROL_CHANNEL_STOP, &now, 1, ANY, NULL);
    result = escape(probe->control_fd, ESCAPE_DUP, &dup, sizeof dup);
    answer(probe, "an object that is none is duplicated", result, dup.status, ANY, NULL);
    dup = (struct rm_dup){probe->client, DEVICE, SPARE, probe->client, LOCAL, 0, UNSET};
    result = escape(probe->control_fd, ESCAPE_DUP, &dup, sizeof dup);
    answer(probe, "video memory is duplicated", result, dup.status, OK, "clientCopyResource");
    dup.status = UNSET;
    result = escape(probe->control_fd, ESCAPE_DUP, &dup, sizeof dup);
    answer(probe, "the same again", result, dup.status, ANY, NULL);
    free_at(probe, "the duplicate is freed", probe->client, DEVICE, SPARE, OK,
            "serverFreeResourceTree");
}

static void ask_free(struct probe *probe)
{
    uint32_t word = 0;

    free_at(probe, "an object of a client that is none is freed", NOWHERE, NOWHERE, NOWHERE,
            INVALID_OBJECT_HANDLE, "_serverLockClientWithLockInfo");
    free_at(probe, "an object that is none is freed", probe->client, DEVICE, NOWHERE, OK,
            "serverFreeResourceTreeLockAndFindResource");
    free_at(probe, "the address space is freed before its channel", probe->client, DEVICE, VASPACE,
            ANY, NULL);
    free_at(probe, "the channel is freed", probe->client, GROUP, CHANNEL, OK,
            "serverFreeResourceTree");
    free_at(probe, "the channel is freed again", probe->client, GROUP, CHANNEL, OK,
            "serverFreeResourceTreeLockAndFindResource");
    control(probe, "a command of the freed channel", CHANNEL, CONTROL_CHANNEL_TOKEN, &word, 4,
            OBJECT_NOT_FOUND, "clientGetResourceRef");
    alloc(probe, "a class of the freed channel", CHANNEL, COMPUTE, CLASS_HOPPER_COMPUTE, NULL,
          OBJECT_NOT_FOUND, "clientGetResourceRef");
    free_at(probe, "the device is freed with all below it", probe->client, probe->client, DEVICE,
            OK, "serverFreeResourceTree");
    control(probe, "a command of the group that went with it", GROUP, CONTROL_GROUP_INFO, &word, 4,
            OBJECT_NOT_FOUND, "clientGetResourceRef");
    free_at(probe, "the client is freed", probe->client, 0, probe->client, OK,
            "serverFreeResourceTree");
    control(probe, "a command of the freed client", probe->client, CONTROL_SUBDEVICES, &word, 4,
            INVALID_CLIENT, "_rmapiRmControl");
}

int main(void)
{
    struct probe probe = {.device_fd = -1};
    char node[32];

    probe.control_fd = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 16 && probe.device_fd < 0; i++) {
        snprintf(node, sizeof node, "/dev/nvidia%d", i);
        probe.device_fd = open(node, O_RDWR | O_CLOEXEC);
    }
    if (probe.control_fd < 0 || probe.device_fd < 0) {
        fprintf(stderr, "rm_probe: no GPU of NVIDIA's: %s can't be opened: %s\n",
                probe.control_fd < 0 ? "/dev/nvidiactl" : "/dev/nvidia0", strerror(errno));
        return 2;
    }
    ask_nodes(&probe);
    make_client(&probe);
    ask_devices(&probe);
    ask_controls(&probe);
    ask_memory(&probe);
    ask_mappings(&probe, node);
    ask_dma(&probe);
    ask_group(&probe);
    ask_channel(&probe);
    ask_schedule(&probe);
    ask_timeslice(&probe);
    ask_states(&probe);
    ask_free(&probe);
    printf("{\"steps\":%u,\"with_an_expected_answer\":%u,\"other_answers\":%u}\n", probe.steps,
           probe.known, probe.differ);
    return probe.differ > 0;
}
