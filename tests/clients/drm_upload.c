/* SPDX-License-Identifier: MIT */
/*
 * usage: drm_upload OBJECTS KIB ROUNDS BYTES [texture]
 *
 * A driver in small: makes OBJECTS buffer objects of KIB KiB and fills them.  In each round it
 * changes BYTES of one of them, in turn, at another place each time, submits 64 dwords that end
 * with a fence, and looks whether the fence came.  What it writes does not compress.  With
 * `texture` each submission copies what was written, lines of 4 KiB, into a texture.
 *
 * Prints what a submission took, and the memory that this process and the stand-in in it need:
 * mapped memory without a file (the program itself has next to none), and what the files in memory
 * hold that it has open, but for the device node, which is the memory of the GPU.
 */
#define _GNU_SOURCE
#include <config.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/nouveau/record_uapi.h"

#define DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, nr, sizeof(type))

enum { PUSH_BYTES = 256, PUSHES = 256, SUBMIT_BUFFERS = 4, LINE_BYTES = 4096 };

struct object {
    struct uapi_gem_info info;
    uint8_t *bytes;
};

struct client {
    int fd;
    int32_t channel;
    struct object pushes, fence, *objects;
    struct object texture; /* bytes NULL: nothing is copied */
    uint32_t class_3d;
    uint64_t random;
};

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
    va_list arguments;

    fputs("drm_upload: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct object object_new_in(struct client *client, uint64_t bytes, uint32_t domain)
{
    struct uapi_gem_new wanted = {.info = {.size = bytes, .domain = domain}};
    struct object object;
    void *at;

    if (ioctl(client->fd, DRM(UAPI_GEM_NEW, struct uapi_gem_new), &wanted) != 0)
        die("no object of %llu bytes", (unsigned long long)bytes);
    object.info = wanted.info;
    at = mmap(NULL, wanted.info.size, PROT_READ | PROT_WRITE, MAP_SHARED, client->fd,
              (off_t)wanted.info.map_handle);
    if (at == MAP_FAILED)
        die("an object cannot be mapped");
    object.bytes = at;
    return object;
}

static struct object object_new(struct client *client, uint64_t bytes)
{
    return object_new_in(client, bytes, UAPI_DOMAIN_GART);
}

static void start(struct client *client)
{
    struct uapi_channel_alloc alloc = {.tt_ctxdma = 1};

    client->random = 88172645463325252u;
    client->fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    if (client->fd < 0)
        die("no device node");
    if (ioctl(client->fd, DRM(UAPI_CHANNEL_ALLOC, struct uapi_channel_alloc), &alloc) != 0)
        die("no channel");
    client->channel = alloc.channel;
    client->pushes = object_new(client, (uint64_t)PUSHES * PUSH_BYTES);
    client->fence = object_new(client, 4096);
}

static void fill(struct client *client, uint8_t *at, uint64_t bytes)
{
    for (uint64_t i = 0; i + 8 <= bytes; i += 8) {
        client->random ^= client->random << 13;
        client->random ^= client->random >> 7;
        client->random ^= client->random << 17;
        memcpy(at + i, &client->random, 8);
    }
}

/* What a submission copies. */
struct upload {
    const struct object *from;
    uint64_t offset, bytes;
};

/* The copy class on subchannel 4 (open-gpu-doc clc0b5.h): lines of memory into a block-linear
 * surface of blocks of 16 GOBs.  Returns where it ends. */
static uint32_t *copy_write(const struct client *client, uint32_t *at, const struct upload *upload)
{
    const uint64_t from = upload->from->info.offset + upload->offset;
    const uint64_t to = client->texture.info.offset;
    const uint32_t lines = (uint32_t)(upload->bytes / LINE_BYTES);
    const uint32_t words[] = {
        0x20018000,
        0xc0b5, /* SET_OBJECT */
        0x20088100,
        (uint32_t)(from >> 32),
        (uint32_t)from, /* OFFSET_IN_UPPER ... */
        (uint32_t)(to >> 32),
        (uint32_t)to,
        LINE_BYTES,
        0,
        LINE_BYTES,
        lines,
        0x200681c3,
        0x1040,
        LINE_BYTES,
        lines,
        1,
        0,
        0, /* SET_DST_BLOCK_SIZE ... */
        0x200180c0,
        0x282, /* LAUNCH_DMA */
    };

    memcpy(at, words, sizeof words);
    return at + sizeof words / sizeof words[0];
}

/* The copy, if there is one, methods without effect, then a report of `value` to the fence, as Mesa
 * writes it. */
static void push_write(const struct client *client, uint32_t *at, const struct upload *upload,
                       uint32_t value)
{
    const uint64_t va = client->fence.info.offset;
    const uint32_t begin[] = {0x20010000, client->class_3d};
    const uint32_t end[] = {0x200406c0, (uint32_t)(va >> 32), (uint32_t)va, value, 0x1000f010};
    uint32_t *last = at + PUSH_BYTES / 4 - sizeof end / 4;

    memcpy(at, begin, sizeof begin);
    at += sizeof begin / 4;
    if (client->texture.bytes)
        at = copy_write(client, at, upload);
    for (; at < last; at++)
        *at = 0x80000000u | (value & 0xfff) << 16 | 0x40; /* an immediate NOP */
    memcpy(last, end, sizeof end);
}

static void submit(struct client *client, const struct upload *upload, uint32_t value)
{
    const uint64_t offset = (uint64_t)(value % PUSHES) * PUSH_BYTES;
    const uint32_t count = client->texture.bytes ? SUBMIT_BUFFERS : SUBMIT_BUFFERS - 1;
    struct uapi_pushbuf_buffer buffers[SUBMIT_BUFFERS] = {{0}};
    const struct object *const used[] = {&client->pushes, &client->fence, upload->from,
                                         &client->texture};
    const struct uapi_pushbuf_push push = {.offset = offset, .length = PUSH_BYTES};
    struct uapi_gem_pushbuf pushbuf = {.channel = (uint32_t)client->channel,
                                       .buffer_count = count,
                                       .buffers = (uintptr_t)buffers,
                                       .push_count = 1,
                                       .pushes = (uintptr_t)&push};

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t domain = used[i] == &client->texture ? UAPI_DOMAIN_VRAM : UAPI_DOMAIN_GART;
        buffers[i] = (struct uapi_pushbuf_buffer){
            .handle = used[i]->info.handle, .read_domains = domain, .valid_domains = domain};
    }
    push_write(client, (uint32_t *)(void *)(client->pushes.bytes + offset), upload, value);
    if (ioctl(client->fd, DRM(UAPI_GEM_PUSHBUF, struct uapi_gem_pushbuf), &pushbuf) != 0)
        die("submission %u is refused", (unsigned)value);
    if (*(volatile uint32_t *)(void *)client->fence.bytes != value)
        die("the fence of submission %u did not come", (unsigned)value);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long status_kib(const char *name)
{
    const size_t length = strlen(name);
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    long kib = -1;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            kib = strtol(line + length + 1, NULL, 10);
    if (file)
        fclose(file);
    return kib;
}

/* What the files in memory hold, but for the node's. */
static long files_kib(void)
{
    DIR *stream = opendir("/proc/self/fd");
    char path[300], name[300];
    struct stat status;
    long kib = 0;

    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry; entry = readdir(stream)) {
        ssize_t length;

        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        length = readlink(path, name, sizeof name - 1);
        if (length < 0)
            continue;
        name[length] = 0;
        if (strncmp(name, "/memfd:", 7) == 0 && strncmp(name, "/memfd:renderD128", 17) != 0 &&
            stat(path, &status) == 0)
            kib += (long)(status.st_blocks / 2);
    }
    if (stream)
        closedir(stream);
    return kib;
}

/* The class of 3D that the chip has: TURING_A from TU102 on, before it PASCAL_B. */
static uint32_t class_3d(const struct client *client)
{
    struct uapi_getparam chipset = {.param = UAPI_PARAM_CHIPSET_ID};

    if (ioctl(client->fd, DRM(UAPI_GETPARAM, struct uapi_getparam), &chipset) != 0)
        die("which chip is it?");
    return chipset.value >= 0x162 ? 0xc597 : 0xc197;
}

int main(int argc, char **argv)
{
    struct client client = {0};
    uint64_t count, bytes, rounds, changed, began;
    long kib;

    if (argc != 5 && !(argc == 6 && strcmp(argv[5], "texture") == 0))
        die("usage: drm_upload OBJECTS KIB ROUNDS BYTES [texture]");
    count = strtoull(argv[1], NULL, 10);
    bytes = strtoull(argv[2], NULL, 10) << 10;
    rounds = strtoull(argv[3], NULL, 10);
    changed = strtoull(argv[4], NULL, 10);
    if (count == 0 || bytes == 0 || changed == 0 || changed > bytes)
        die("there must be objects, and no more than one may change");
    if (argc == 6 && (bytes % LINE_BYTES != 0 || changed % LINE_BYTES != 0))
        die("a texture has lines of %d bytes", LINE_BYTES);
    start(&client);
    client.class_3d = class_3d(&client);
    if (argc == 6)
        client.texture = object_new_in(&client, bytes, UAPI_DOMAIN_VRAM);
    client.objects = calloc(count, sizeof *client.objects);
    if (!client.objects)
        die("no memory");
    for (uint64_t i = 0; i < count; i++) {
        client.objects[i] = object_new(&client, bytes);
        fill(&client, client.objects[i].bytes, bytes);
        submit(&client, &(struct upload){&client.objects[i], 0, bytes}, (uint32_t)i + 1);
        /* The program's own pages of it are the GPU's memory, and not counted. */
        madvise(client.objects[i].bytes, bytes, MADV_DONTNEED);
    }
    began = now_ns();
    for (uint64_t i = 0; i < rounds; i++) {
        const struct object *object = &client.objects[i % count];
        const uint64_t at = i * 4096 % (bytes - changed + 1) & ~7ull;

        fill(&client, object->bytes + at, changed);
        submit(&client, &(struct upload){object, at, changed}, (uint32_t)(count + i) + 1);
    }
    printf("ns %llu\n", rounds ? (unsigned long long)((now_ns() - began) / rounds) : 0);
    kib = status_kib("RssAnon");
    printf("anonymous %ld KiB\nfiles %ld KiB\npeak %ld KiB\n", kib, files_kib(),
           status_kib("VmHWM"));
    return 0;
}
