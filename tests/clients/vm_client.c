/* SPDX-License-Identifier: MIT */
/*
 * A program that speaks nouveau's VM_BIND interface directly: it binds, unmaps and splits, and
 * copies text along two channels that wait for one another by points of a timeline, from two
 * threads. Synchronisation objects go by descriptor to a second client.  libdrm's drm.h has DRM's
 * structs; its nouveau_drm.h is older than this interface, so these are here (Linux 6.6,
 * include/uapi/drm/nouveau_drm.h).
 */
#include <config.h>

#include <drm.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct vm_init {
    uint64_t kernel_managed_addr, kernel_managed_size;
};
struct vm_bind_op {
    uint32_t op, flags, handle, pad;
    uint64_t addr, bo_offset, range;
};
struct vm_bind {
    uint32_t op_count, flags, wait_count, sig_count;
    uint64_t wait_ptr, sig_ptr, op_ptr;
};
struct exec_push {
    uint64_t va;
    uint32_t va_len, flags;
};
struct exec {
    uint32_t channel, push_count, wait_count, sig_count;
    uint64_t wait_ptr, sig_ptr, push_ptr;
};
struct sync {
    uint32_t flags, handle;
    uint64_t value;
};
struct channel_alloc {
    uint32_t fb_ctxdma, tt_ctxdma;
    int32_t channel;
    uint32_t rest[19];
};
struct gem_new {
    uint32_t handle, domain;
    uint64_t size, offset, map_handle;
    uint32_t tile_mode, tile_flags, channel_hint, align;
};
enum { MAP, UNMAP, SPARSE = 1 << 8, ASYNC = 1, TIMELINE = 1, VRAM = 2, GART = 4 };

#define NOUVEAU_CHANNEL_ALLOC DRM_IOWR(0x42, struct channel_alloc)
#define NOUVEAU_VM_INIT       DRM_IOWR(0x50, struct vm_init)
#define NOUVEAU_VM_BIND       DRM_IOWR(0x51, struct vm_bind)
#define NOUVEAU_EXEC          DRM_IOWR(0x52, struct exec)
#define NOUVEAU_GEM_NEW       DRM_IOWR(0x80, struct gem_new)

enum { PAGE = 4096, OBJECT_BYTES = 64 << 10, BUSY_BYTES = 8 << 20 };
static const uint64_t push_va = 0x3ffff00000, from_va = 0x3fffe00000, to_va = 0x3fffd00000,
                      fence_va = 0x3fffc00000, sparse_va = 0x100000000, busy_va = 0x200000000;
static const char text[] = "what one client copies, another finds";

static int node;
static uint32_t timeline;
static uint32_t channels[2];
static uint8_t *pushes;
static volatile uint32_t *fences;

static void must(int result, const char *what)
{
    if (result == 0)
        return;
    perror(what);
    exit(1);
}

static uint64_t pointer(const void *to)
{
    return (uintptr_t)to;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint32_t object_new(uint32_t domain, uint64_t size, uint8_t **bytes)
{
    struct gem_new new = {.domain = domain, .size = size};

    must(ioctl(node, NOUVEAU_GEM_NEW, &new), "GEM_NEW");
    *bytes = mmap(NULL, new.size, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t) new.map_handle);
    must(*bytes == MAP_FAILED, "mmap");
    return new.handle;
}

static void bind_all(const struct vm_bind_op *ops, uint32_t count, struct sync *wait,
                     struct sync *signal)
{
    struct vm_bind bind = {.op_count = count,
                           .flags = signal ? ASYNC : 0,
                           .wait_count = wait != NULL,
                           .sig_count = signal != NULL,
                           .wait_ptr = pointer(wait),
                           .sig_ptr = pointer(signal),
                           .op_ptr = pointer(ops)};

    must(ioctl(node, NOUVEAU_VM_BIND, &bind), "VM_BIND");
}

/* ---- work ------------------------------------------------------------------------------------ */

static uint32_t header(uint32_t subchannel, uint32_t method, uint32_t count)
{
    return 1u << 29 | count << 16 | subchannel << 13 | method / 4;
}

/* A copy of `lines` rows of `bytes`, each a row behind the other; returns where the stream goes on.
 */
static uint32_t *copy_put(uint32_t *at, uint64_t from, uint64_t to, uint32_t bytes, uint32_t lines)
{
    *at++ = header(4, 0x400, 8);
    *at++ = (uint32_t)(from >> 32);
    *at++ = (uint32_t)from;
    *at++ = (uint32_t)(to >> 32);
    *at++ = (uint32_t)to;
    *at++ = bytes;
    *at++ = bytes;
    *at++ = bytes;
    *at++ = lines;
    *at++ = header(4, 0x300, 1);
    *at++ = 0x386; /* pitch to pitch, many lines, flush, not pipelined */
    return at;
}

/* A copy of the text, and a release of `value` when it is done; returns the dwords.  In front of it
 * 4 MiB are copied, so that there is something to wait for. */
static uint32_t stream_put(uint32_t *start, uint64_t from, uint64_t to, uint32_t value)
{
    const uint64_t fence = fence_va + 16 * value;
    uint32_t *at = copy_put(start, busy_va, busy_va + BUSY_BYTES / 2, 64 << 10, 64);

    at = copy_put(at, from, to, sizeof text, 1);
    *at++ = header(0, 0x10, 4);
    *at++ = (uint32_t)(fence >> 32);
    *at++ = (uint32_t)fence;
    *at++ = value;
    *at++ = 0x01000002;
    return (uint32_t)(at - start);
}

/* Copies in two pushes on a channel: the second goes on where the first ends. */
static void copy(uint32_t channel, uint32_t offset, uint64_t from, uint64_t to, uint32_t point)
{
    struct sync wait = {TIMELINE, timeline, point - 1}, signal = {TIMELINE, timeline, point};
    const uint32_t dwords = stream_put((uint32_t *)(void *)(pushes + offset), from, to, point);
    struct exec_push push[] = {{push_va + offset, 4 * 7, 0},
                               {push_va + offset + 4 * 7, 4 * (dwords - 7), 1}};
    struct exec exec = {.channel = channel,
                        .push_count = 2,
                        .wait_count = point > 1,
                        .sig_count = 1,
                        .wait_ptr = pointer(&wait),
                        .sig_ptr = pointer(&signal),
                        .push_ptr = pointer(push)};

    must(ioctl(node, NOUVEAU_EXEC, &exec), "EXEC");
}

static int wait_point(int fd, uint32_t handle, uint64_t point, uint32_t flags, int64_t ns)
{
    struct drm_syncobj_timeline_wait wait = {
        .handles = pointer(&handle), .points = pointer(&point), .count_handles = 1, .flags = flags};
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    wait.timeout_nsec = now.tv_sec * 1000000000 + now.tv_nsec + ns;
    return ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

/* The second thread: what the first has copied, it copies on. */
static void *second(void *unused)
{
    (void)unused;
    must(wait_point(node, timeline, 1,
                    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
                    10000000000),
         "wait for the submission");
    copy(channels[1], 0x1000, to_va, to_va + 0x8000, 2);
    return NULL;
}

/* ---- synchronisation objects by descriptor --------------------------------------------------- */

static uint32_t syncobj_new(void)
{
    struct drm_syncobj_create create = {0};

    must(ioctl(node, DRM_IOCTL_SYNCOBJ_CREATE, &create), "SYNCOBJ_CREATE");
    return create.handle;
}

/* Another client waits for the same object, and through a sync file for what it stands for. */
static void pass_on(void)
{
    struct drm_syncobj_handle whole = {.handle = timeline}, file = {.handle = timeline, .flags = 1};
    struct drm_syncobj_transfer transfer = {
        .src_handle = timeline, .dst_handle = syncobj_new(), .src_point = 2, .dst_point = 7};
    const int other = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    struct drm_syncobj_create create = {0};

    must(other < 0, "open");
    must(ioctl(node, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &whole), "HANDLE_TO_FD");
    must(ioctl(node, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file), "HANDLE_TO_FD of a sync file");
    must(ioctl(other, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &whole), "FD_TO_HANDLE");
    must(wait_point(other, whole.handle, 2, 0, 10000000000), "wait of the other client");
    must(ioctl(other, DRM_IOCTL_SYNCOBJ_CREATE, &create), "SYNCOBJ_CREATE");
    file.handle = create.handle;
    must(ioctl(other, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &file), "FD_TO_HANDLE of a sync file");
    must(wait_point(other, create.handle, 0, 0, 10000000000), "wait for a sync file");
    must(ioctl(node, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer), "TRANSFER");
    must(wait_point(node, transfer.dst_handle, 7, 0, 10000000000), "wait for a transfer");
    close(whole.fd);
    close(file.fd);
    close(other);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void start(void)
{
    struct vm_init init = {1ull << 39, 1ull << 39};
    struct channel_alloc alloc = {0};

    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    must(node < 0, "/dev/dri/renderD128");
    must(ioctl(node, NOUVEAU_VM_INIT, &init), "VM_INIT");
    for (int i = 0; i < 2; i++) {
        must(ioctl(node, NOUVEAU_CHANNEL_ALLOC, &alloc), "CHANNEL_ALLOC");
        channels[i] = (uint32_t)alloc.channel;
    }
    timeline = syncobj_new();
}

int main(void)
{
    uint8_t *from, *to, *fence, *busy;
    uint32_t from_handle, to_handle, push_handle, fence_handle, busy_handle;
    pthread_t thread;

    start();
    push_handle = object_new(GART, OBJECT_BYTES, &pushes);
    from_handle = object_new(GART, OBJECT_BYTES, &from);
    to_handle = object_new(VRAM, OBJECT_BYTES, &to);
    fence_handle = object_new(GART, OBJECT_BYTES, &fence);
    busy_handle = object_new(VRAM, BUSY_BYTES, &busy);
    fences = (volatile uint32_t *)(void *)fence;
    /* The text begins at the end of page 2 and goes on in page 9, which takes the place of page 3.
     */
    memcpy(from + 3 * PAGE - 8, text, 8);
    memcpy(from + 9 * PAGE, text + 8, sizeof text - 8);
    bind_all(
        (struct vm_bind_op[]){
            {.op = MAP, .handle = push_handle, .addr = push_va, .range = OBJECT_BYTES},
            {.op = MAP, .handle = from_handle, .addr = from_va, .range = OBJECT_BYTES},
            {.op = MAP, .handle = to_handle, .addr = to_va, .range = OBJECT_BYTES},
            {.op = MAP, .handle = fence_handle, .addr = fence_va, .range = PAGE},
            {.op = MAP, .handle = busy_handle, .addr = busy_va, .range = BUSY_BYTES},
            {.op = MAP, .flags = SPARSE, .addr = sparse_va, .range = 1 << 20}},
        6, NULL, NULL);
    bind_all(&(struct vm_bind_op){.op = UNMAP, .addr = from_va + 3 * PAGE, .range = 2 * PAGE}, 1,
             NULL, NULL);
    bind_all(&(struct vm_bind_op){.op = MAP,
                                  .handle = from_handle,
                                  .addr = from_va + 3 * PAGE,
                                  .bo_offset = 9 * PAGE,
                                  .range = PAGE},
             1, NULL, NULL);
    must(pthread_create(&thread, NULL, second, NULL), "pthread_create");
    copy(channels[0], 0, from_va + 3 * PAGE - 8, to_va, 1);
    must(pthread_join(thread, NULL), "pthread_join");
    must(wait_point(node, timeline, 2, 0, 10000000000), "wait for both");
    must(fences[4] != 1 || fences[8] != 2, "the completion values");
    pass_on();
    bind_all(&(struct vm_bind_op){.op = UNMAP, .addr = from_va, .range = OBJECT_BYTES}, 1,
             &(struct sync){TIMELINE, timeline, 2}, &(struct sync){TIMELINE, timeline, 3});
    must(wait_point(node, timeline, 3, 0, 10000000000), "wait for the unmap");
    must(ioctl(node, DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){.handle = from_handle}),
         "GEM_CLOSE");
    puts("done");
    return 0;
}
