/* SPDX-License-Identifier: MIT */
/*
 * Two contexts on one GPU: OpenGL ES's, and a neighbour's with a channel of its own, by the
 * kernel's calls alone.  (All contexts that Mesa makes for a process share one channel.)  Both draw
 * on the same engine and then copy a page; the neighbour begins, OpenGL draws, the neighbour goes
 * on, and at last OpenGL reads its words back.
 *
 * Each says how many words are not what was sent, and the neighbour when a submission of it is
 * refused.  Ends with status 0 whatever comes of it.
 */
#define _GNU_SOURCE
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "tests/clients/gl_client.h"
#include "traces/record/nouveau/record_uapi.h"

#define DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, nr, sizeof(type))

enum { WORDS = 1024, ROUNDS = 4, PUSH_BYTES = 256, OBJECTS = 3 };

/* ---- the neighbour --------------------------------------------------------------------------- */

struct object {
    struct uapi_gem_info info;
    uint32_t *words;
};

struct neighbour {
    int fd;
    int32_t channel;
    uint32_t class_3d, class_copy;
    struct object pushes, from, to;
    unsigned wrong;
};

static void die(const char *what)
{
    fprintf(stderr, "gl_neighbour: %s (%s)\n", what, strerror(errno));
    exit(1);
}

static struct object object_new(const struct neighbour *neighbour)
{
    struct uapi_gem_new wanted = {
        .info = {.size = WORDS * sizeof(uint32_t), .domain = UAPI_DOMAIN_GART}};
    struct object object;
    void *at;

    if (ioctl(neighbour->fd, DRM(UAPI_GEM_NEW, struct uapi_gem_new), &wanted) != 0)
        die("no object");
    at = mmap(NULL, wanted.info.size, PROT_READ | PROT_WRITE, MAP_SHARED, neighbour->fd,
              (off_t)wanted.info.map_handle);
    if (at == MAP_FAILED)
        die("an object cannot be mapped");
    object.info = wanted.info;
    object.words = at;
    return object;
}

/* The classes for graphics and copies of a family of chips. */
static void classes_find(struct neighbour *neighbour)
{
    static const struct {
        uint64_t first;
        uint32_t class_3d, class_copy;
    } families[] = {{0x160, 0xc597, 0xc5b5}, {0x140, 0xc397, 0xc3b5}, {0x132, 0xc197, 0xc1b5},
                    {0x120, 0xb197, 0xb0b5}, {0x110, 0xb097, 0xb0b5}, {0x0e0, 0xa097, 0xa0b5}};
    struct uapi_getparam chipset = {.param = UAPI_PARAM_CHIPSET_ID};
    size_t i = 0;

    if (ioctl(neighbour->fd, DRM(UAPI_GETPARAM, struct uapi_getparam), &chipset) != 0)
        die("no chip");
    while (i + 1 < sizeof families / sizeof families[0] && chipset.value < families[i].first)
        i++;
    neighbour->class_3d = families[i].class_3d;
    neighbour->class_copy = families[i].class_copy;
}

static void neighbour_start(struct neighbour *neighbour)
{
    struct uapi_channel_alloc alloc = {.tt_ctxdma = 1};

    neighbour->fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    if (neighbour->fd < 0)
        die("no device node");
    classes_find(neighbour);
    if (ioctl(neighbour->fd, DRM(UAPI_CHANNEL_ALLOC, struct uapi_channel_alloc), &alloc) != 0)
        die("no channel");
    neighbour->channel = alloc.channel;
    neighbour->pushes = object_new(neighbour);
    neighbour->from = object_new(neighbour);
    neighbour->to = object_new(neighbour);
}

/* A clear, behind it a copy of all words from one object to the other. */
static uint32_t push_write(const struct neighbour *neighbour, uint32_t *at)
{
    const uint64_t from = neighbour->from.info.offset, to = neighbour->to.info.offset;
    // clang-format off
    const uint32_t words[] = {
        0x20010000, neighbour->class_3d,   /* SET_OBJECT */
        0x80010674,                        /* CLEAR_SURFACE */
        0x80000044,                        /* WAIT_FOR_IDLE */
        0x20018000, neighbour->class_copy, /* SET_OBJECT on subchannel 4 */
        0x20088100, (uint32_t)(from >> 32), (uint32_t)from, (uint32_t)(to >> 32), (uint32_t)to,
        0, 0, WORDS * sizeof(uint32_t), 1, /* OFFSET_IN_UPPER ... LINE_COUNT */
        0x200180c0, 0x186,                 /* LAUNCH_DMA: pitch to pitch, flushed */
    };
    // clang-format on

    memcpy(at, words, sizeof words);
    return sizeof words;
}

static uint32_t sent(uint32_t round, uint32_t i)
{
    return (round + 1) << 24 ^ i * 2654435761u;
}

/* False: the kernel refuses it. */
static bool neighbour_submit(struct neighbour *neighbour, uint32_t round)
{
    const struct object *const used[OBJECTS] = {&neighbour->pushes, &neighbour->from,
                                                &neighbour->to};
    const uint64_t offset = round * PUSH_BYTES;
    struct uapi_pushbuf_buffer buffers[OBJECTS] = {{0}};
    struct uapi_pushbuf_push push = {.offset = offset};
    struct uapi_gem_pushbuf pushbuf = {.channel = (uint32_t)neighbour->channel,
                                       .buffer_count = OBJECTS,
                                       .buffers = (uintptr_t)buffers,
                                       .push_count = 1,
                                       .pushes = (uintptr_t)&push};

    for (uint32_t i = 0; i < OBJECTS; i++)
        buffers[i] = (struct uapi_pushbuf_buffer){.handle = used[i]->info.handle,
                                                  .read_domains = UAPI_DOMAIN_GART,
                                                  .write_domains = UAPI_DOMAIN_GART,
                                                  .valid_domains = UAPI_DOMAIN_GART};
    for (uint32_t i = 0; i < WORDS; i++)
        neighbour->from.words[i] = sent(round, i);
    push.length = push_write(neighbour, neighbour->pushes.words + offset / sizeof(uint32_t));
    if (ioctl(neighbour->fd, DRM(UAPI_GEM_PUSHBUF, struct uapi_gem_pushbuf), &pushbuf) == 0)
        return true;
    printf("neighbour: submission %u is refused (%s)\n", round + 1, strerror(errno));
    return false;
}

/* Sleeps in the kernel until the GPU is done, then looks. */
static void neighbour_wait(struct neighbour *neighbour, uint32_t round)
{
    struct uapi_cpu_prep prep = {.handle = neighbour->to.info.handle};

    if (ioctl(neighbour->fd, DRM(UAPI_GEM_CPU_PREP, struct uapi_cpu_prep), &prep) != 0)
        die("the wait failed");
    for (uint32_t i = 0; i < WORDS; i++)
        neighbour->wrong += neighbour->to.words[i] != sent(round, i);
}

static void neighbour_go_on(struct neighbour *neighbour)
{
    uint32_t round = 0;

    do
        neighbour_wait(neighbour, round++);
    while (round < ROUNDS && neighbour_submit(neighbour, round));
    printf("neighbour: %u of %u words wrong\n", neighbour->wrong, round * WORDS);
    fflush(stdout); /* what OpenGL does next may end the process */
}

/* ---- OpenGL ---------------------------------------------------------------------------------- */

static GLuint gl_buffer(GLenum target, const void *data)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, WORDS * sizeof(uint32_t), data, GL_STATIC_DRAW);
    return buffer;
}

static void gl_draw_and_copy(void)
{
    uint32_t words[WORDS];

    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = sent(ROUNDS, i);
    (void)gl_buffer(GL_COPY_READ_BUFFER, words);
    (void)gl_buffer(GL_COPY_WRITE_BUFFER, NULL);
    glClear(GL_COLOR_BUFFER_BIT);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof words);
    glFlush();
}

static unsigned gl_wrong(void)
{
    const uint32_t *got =
        glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, WORDS * sizeof(uint32_t), GL_MAP_READ_BIT);
    unsigned wrong = 0;

    for (uint32_t i = 0; i < WORDS; i++)
        wrong += !got || got[i] != sent(ROUNDS, i);
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    return wrong;
}

int main(void)
{
    struct neighbour neighbour = {0};
    struct gl_client client;

    gl_client_start(&client);
    gl_client_framebuffer(64, 64);
    neighbour_start(&neighbour);
    fflush(stdout);
    if (!neighbour_submit(&neighbour, 0))
        return 1;
    gl_draw_and_copy();
    neighbour_go_on(&neighbour);
    glFinish();
    printf("gl: %u of %d words wrong\n", gl_wrong(), WORDS);
    gl_client_end(&client, "gl_neighbour");
    return 0;
}
