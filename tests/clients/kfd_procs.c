/* SPDX-License-Identifier: MIT */
/*
 * kfd_procs MODE: speaks KFD's interface without AMD's libraries, to be recorded by several
 * processes and with signals.
 *
 * one: a queue, some packets, their signals.
 *
 * strict: packets one after another: after each its signal and the read index.
 *
 * kernels [events]: two queues of one process, kernels, and a barrier of one that waits for the
 * other's; the program waits for an event or, in the middle, looks at the signal, and sets it anew.
 *
 * fork N: N children, each with a queue of its own, beside the parent's.
 *
 * nested: a child opens KFD again behind its parent's back, its child does, too.
 *
 * inherit: a child uses its parent's descriptor, and a copy of it: EBADF; then one of its own.
 *
 * signals: a SIGSEGV of the program's own beside those of the doorbells, and a SIGALRM.
 *
 * kill: one, then it is killed, before and with no orderly end.
 *
 * strange: doorbells are rung by an instruction that is not known.
 *
 * ring N: N bursts of doorbells; prints how long one takes.
 *
 * names NODE...: opens the render nodes and keeps them open; prints the marketing name that
 * libdrm_amdgpu has for each, as AMD's libraries ask it.  77: that library is not there.
 *
 * Exit status: 0 good, 1 a packet was not done, 2 a call failed.
 */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/kfd/record_kfd_uapi.h"

enum { PAGE = 4096, MEMORY = 8 * PAGE, INDICES = PAGE, SIGNAL = 2 * PAGE, SLOTS = PAGE / 64 };
enum { DISPATCH = 2, BARRIER_AND = 3, INVALID = 1, PACKETS = 300, GPU_ID = 34567 };
/* Of MEMORY, for `kernels`: a second signal, its mailbox, a kernel's descriptor and code. */
enum { OTHER_SIGNAL = SIGNAL + 64, MAILBOX = SIGNAL + 128, KERNEL = 3 * PAGE, CODE = 256 };

struct queue {
    int kfd, render;
    uint8_t *memory;    /* GTT: the GPU sees it where the program does */
    uint8_t *doorbells; /* the process's page of them */
    volatile uint64_t *doorbell;
    uint64_t next;
};

static void must(const char *what, int good)
{
    if (good)
        return;
    printf("kfd_procs: %s: %s\n", what, strerror(errno));
    fflush(stdout);
    _exit(2);
}

static void call(int fd, unsigned nr, void *argument, size_t bytes, const char *what)
{
    must(what, ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, KFD_TYPE, nr, bytes), argument) == 0);
}
#define CALL(nr, argument) call(queue->kfd, (nr), (argument), sizeof *(argument), #nr)

/* ---- a queue --------------------------------------------------------------------------------- */

static void memory_make(struct queue *queue)
{
    uint32_t gpu = GPU_ID;
    struct kfd_alloc_memory alloc = {.bytes = MEMORY, .gpu_id = gpu, .flags = KFD_MEMORY_GTT};
    struct kfd_map_memory map = {.gpus_pointer = (uintptr_t)&gpu, .gpu_count = 1};

    queue->memory = mmap(NULL, MEMORY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alloc.va = (uintptr_t)queue->memory;
    CALL(KFD_ALLOC_MEMORY, &alloc);
    must("mmap", mmap(queue->memory, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                      queue->render, (off_t)alloc.mmap_offset) == queue->memory);
    map.handle = alloc.handle;
    CALL(KFD_MAP_MEMORY, &map);
    for (unsigned i = 0; i < SLOTS; i++)
        queue->memory[i * 64] = INVALID;
}

static void queue_make(struct queue *queue)
{
    struct kfd_create_queue create = {.ring_bytes = PAGE,
                                      .gpu_id = GPU_ID,
                                      .type = KFD_QUEUE_AQL,
                                      .percentage = 100,
                                      .priority = 7};
    struct kfd_acquire_vm acquire = {.gpu_id = GPU_ID};
    uint8_t *page;

    *queue = (struct queue){.kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC),
                            .render = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)};
    must("open", queue->kfd >= 0 && queue->render >= 0);
    acquire.render_fd = (uint32_t)queue->render;
    CALL(KFD_ACQUIRE_VM, &acquire);
    memory_make(queue);
    create.ring_address = (uintptr_t)queue->memory;
    create.write_address = create.ring_address + INDICES + 56;
    create.read_address = create.ring_address + INDICES + 128;
    CALL(KFD_CREATE_QUEUE, &create);
    page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, queue->kfd,
                (off_t)(create.doorbell_offset & ~(uint64_t)0x1fff));
    must("doorbells", page != MAP_FAILED);
    queue->doorbells = page;
    queue->doorbell = (volatile uint64_t *)(void *)(page + (create.doorbell_offset & 0x1fff));
}

static uint64_t *word(const struct queue *queue, size_t at)
{
    return (uint64_t *)(void *)(queue->memory + at);
}

/* A barrier that takes one off the signal. */
static uint64_t packet_put(struct queue *queue)
{
    const uint64_t index = queue->next++;
    uint8_t *packet = queue->memory + index % SLOTS * 64;

    while (index - __atomic_load_n(word(queue, INDICES + 128), __ATOMIC_ACQUIRE) >= SLOTS)
        usleep(50);
    memset(packet + 8, 0, 56);
    *word(queue, index % SLOTS * 64 + 56) = (uintptr_t)queue->memory + SIGNAL;
    __atomic_store_n((uint16_t *)(void *)packet, BARRIER_AND, __ATOMIC_RELEASE);
    *word(queue, INDICES + 56) = queue->next;
    return index;
}

static int queue_drain(struct queue *queue)
{
    for (int i = 0; i < 5000; i++) {
        if (__atomic_load_n(word(queue, SIGNAL + 8), __ATOMIC_ACQUIRE) == 0)
            return 0;
        usleep(1000);
    }
    printf("kfd_procs: %llu packets are not done\n", (unsigned long long)*word(queue, SIGNAL + 8));
    fflush(stdout);
    return 1;
}

static int queue_use(struct queue *queue)
{
    *word(queue, SIGNAL + 8) = PACKETS;
    for (int i = 0; i < PACKETS; i++)
        *queue->doorbell = packet_put(queue);
    return queue_drain(queue);
}

static int one(void)
{
    struct queue queue;

    queue_make(&queue);
    return queue_use(&queue);
}

/* Each packet takes one off the signal before the next is there. */
static int strict(void)
{
    enum { ROUNDS = 20, WAITS = 1000 };
    struct queue queue;

    queue_make(&queue);
    *word(&queue, SIGNAL + 8) = ROUNDS;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        int waits = 0;

        *queue.doorbell = packet_put(&queue);
        while (__atomic_load_n(word(&queue, SIGNAL + 8), __ATOMIC_ACQUIRE) == ROUNDS - i + 1 &&
               waits++ < WAITS)
            usleep(1000);
        if (*word(&queue, SIGNAL + 8) != ROUNDS - i || *word(&queue, INDICES + 128) != i) {
            printf("kfd_procs: packet %llu: signal %lld, read index %llu\n", (unsigned long long)i,
                   (long long)*word(&queue, SIGNAL + 8),
                   (unsigned long long)*word(&queue, INDICES + 128));
            return 1;
        }
    }
    return 0;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A queue beside the first: of the same process, with memory of its own. */
static void queue_beside(struct queue *queue, const struct queue *first)
{
    struct kfd_create_queue create = {.ring_bytes = PAGE,
                                      .gpu_id = GPU_ID,
                                      .type = KFD_QUEUE_AQL,
                                      .percentage = 100,
                                      .priority = 15};

    *queue =
        (struct queue){.kfd = first->kfd, .render = first->render, .doorbells = first->doorbells};
    memory_make(queue);
    create.ring_address = (uintptr_t)queue->memory;
    create.write_address = create.ring_address + INDICES + 56;
    create.read_address = create.ring_address + INDICES + 128;
    CALL(KFD_CREATE_QUEUE, &create);
    queue->doorbell =
        (volatile uint64_t *)(void *)(queue->doorbells + (create.doorbell_offset & 0x1fff));
}

/* A packet with one address at `at`, and its completion signal; its doorbell. */
static void packet_ring(struct queue *queue, uint32_t head, size_t at, const void *address,
                        const void *signal)
{
    const uint64_t index = queue->next++;
    uint8_t *packet = queue->memory + index % SLOTS * 64;
    const uint16_t sizes[] = {64, 1, 1, 0};
    const uint32_t grid[] = {64 * 8, 1, 1};

    memset(packet + 4, 0, 60);
    if ((head & 0xff) == DISPATCH) {
        memcpy(packet + 4, sizes, sizeof sizes);
        memcpy(packet + 12, grid, sizeof grid);
    }
    memcpy(packet + at, &address, sizeof address);
    memcpy(packet + 56, &signal, sizeof signal);
    __atomic_store_n((uint32_t *)(void *)packet, head, __ATOMIC_RELEASE);
    *word(queue, INDICES + 56) = queue->next;
    *queue->doorbell = index;
}

static uint32_t event_make(struct queue *queue)
{
    struct kfd_create_event create = {.auto_reset = 1};

    CALL(KFD_CREATE_EVENT, &create);
    return create.event_id;
}

static void event_wait(struct queue *queue, uint32_t event_id)
{
    struct kfd_event_data data = {.event_id = event_id};
    struct kfd_wait_events wait = {
        .pointer = (uintptr_t)&data, .count = 1, .all = 1, .timeout_ms = 5000};

    CALL(KFD_WAIT_EVENTS, &wait);
    must("the event came", wait.result == KFD_WAIT_COMPLETE);
}

/* Waits by calls, or in the middle round by looking at the signal. */
static int kernels(bool by_calls)
{
    enum { BARRIER_BIT = 1 << 8, THREE = 3, ROUNDS = 3, AT_KERNEL = 32, AT_DEPENDENCY = 8 };
    struct queue first, second;
    const uint32_t head = 1u << 16; /* one dimension */
    uint8_t *kernel, *signal, *other;
    uint32_t event_id;

    queue_make(&first);
    queue_beside(&second, &first);
    kernel = first.memory + KERNEL;
    signal = first.memory + SIGNAL;
    other = first.memory + OTHER_SIGNAL;
    *word(&first, KERNEL + 16) = CODE;
    *word(&first, KERNEL + CODE) = 0xbf810000; /* s_endpgm */
    *word(&first, OTHER_SIGNAL + 16) = (uintptr_t)first.memory + MAILBOX;
    event_id = event_make(&first);
    *word(&first, OTHER_SIGNAL + 24) = event_id;
    for (int round = 0; round < ROUNDS; round++) {
        *word(&first, SIGNAL + 8) = THREE;
        *word(&first, OTHER_SIGNAL + 8) = 1;
        packet_ring(&second, BARRIER_AND | BARRIER_BIT, AT_DEPENDENCY, signal, NULL);
        packet_ring(&second, DISPATCH | BARRIER_BIT | head, AT_KERNEL, kernel, other);
        for (int i = 0; i < THREE; i++)
            packet_ring(&first, DISPATCH | BARRIER_BIT | head, AT_KERNEL, kernel, signal);
        if (by_calls || round != 1)
            event_wait(&first, event_id);
        while (__atomic_load_n(word(&first, OTHER_SIGNAL + 8), __ATOMIC_ACQUIRE) != 0)
            usleep(50);
    }
    return *word(&first, SIGNAL + 8) != 0;
}

/* ---- processes ------------------------------------------------------------------------------- */

static int children_wait(unsigned count)
{
    int status, failed = 0;

    while (count-- > 0)
        failed |= wait(&status) < 0 || status != 0;
    return failed;
}

static int forks(unsigned count)
{
    struct queue queue;
    int failed;

    queue_make(&queue);
    failed = queue_use(&queue);
    for (unsigned i = 0; i < count; i++)
        if (fork() == 0)
            _exit(one());
    failed |= queue_use(&queue);
    return failed | children_wait(count);
}

static int nested(unsigned depth)
{
    struct queue queue;
    int failed;

    queue_make(&queue);
    failed = queue_use(&queue);
    if (depth > 0 && fork() == 0)
        _exit(nested(depth - 1));
    failed |= queue_use(&queue);
    return failed | (depth > 0 ? children_wait(1) : 0);
}

static int inherit(void)
{
    struct kfd_get_version version;
    const unsigned long request = _IOC(_IOC_READ, KFD_TYPE, KFD_GET_VERSION, sizeof version);
    struct queue queue;
    int failed;

    queue_make(&queue);
    failed = queue_use(&queue);
    if (fork() == 0) {
        const int copy = dup(queue.kfd);

        if (ioctl(queue.kfd, request, &version) == 0 || errno != EBADF ||
            ioctl(copy, request, &version) == 0 || errno != EBADF)
            _exit(1);
        _exit(one());
    }
    failed |= ioctl(dup(queue.kfd), request, &version) != 0;
    return failed | queue_use(&queue) | children_wait(1);
}

/* ---- signals --------------------------------------------------------------------------------- */

static sigjmp_buf back;
static volatile sig_atomic_t alarms;

static void on_fault(int number)
{
    siglongjmp(back, number);
}

static void on_alarm(int number)
{
    alarms += number != 0;
}

static int signals(void)
{
    const struct sigaction fault = {.sa_handler = on_fault};
    const struct sigaction alarm_action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    struct sigaction before;
    volatile int faults = 0, failed;
    struct queue queue;

    must("sigaction", sigaction(SIGSEGV, &fault, NULL) == 0);
    queue_make(&queue);
    must("the action is the program's",
         sigaction(SIGSEGV, &fault, &before) == 0 && before.sa_handler == on_fault);
    must("sigaction", sigaction(SIGALRM, &alarm_action, NULL) == 0);
    setitimer(ITIMER_REAL, &often, NULL);
    failed = queue_use(&queue);
    for (int i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0)
            *(volatile int *)(uintptr_t)(16 + (unsigned)i) = 1;
        else
            faults++;
    failed |= queue_use(&queue);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("kfd_procs: %d faults, alarms %s\n", faults, alarms > 0 ? "came" : "did not come");
    must("signal", signal(SIGSEGV, SIG_DFL) == on_fault);
    return failed | (faults != 3) | queue_use(&queue);
}

/* ---- a store that nobody knows -----------------------------------------------------------------
 */

static void store_strangely(volatile uint64_t *to, uint64_t value)
{
#ifdef __x86_64__
    __asm__ volatile("movq %1, %%xmm0\n\tmovq %%xmm0, %0" : "=m"(*to) : "r"(value) : "xmm0");
#else
    *to = value;
#endif
}

static int strange(void)
{
    struct queue queue;

    queue_make(&queue);
    *word(&queue, SIGNAL + 8) = PACKETS;
    for (int i = 0; i < PACKETS; i++)
        store_strangely(queue.doorbell, packet_put(&queue));
    return queue_drain(&queue);
}

/* ---- how long it takes ----------------------------------------------------------------------- */

static int longer(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Packets first, then their doorbells alone: the median of the bursts. */
static int ring(unsigned bursts)
{
    enum { BURST = SLOTS - 16, BURSTS_MAX = 1000 };
    static double spent_ns[BURSTS_MAX];
    struct queue queue;
    int failed = bursts == 0 || bursts > BURSTS_MAX;

    queue_make(&queue);
    for (unsigned i = 0; i < bursts && !failed; i++) {
        uint64_t first = queue.next;
        double begin_ns;

        *word(&queue, SIGNAL + 8) = BURST;
        for (int k = 0; k < BURST; k++)
            packet_put(&queue);
        begin_ns = now_ns();
        while (first < queue.next)
            *queue.doorbell = first++;
        spent_ns[i] = (now_ns() - begin_ns) / BURST;
        failed |= queue_drain(&queue);
    }
    qsort(spent_ns, failed ? 0 : bursts, sizeof *spent_ns, longer);
    printf("kfd_procs: a doorbell takes %.0f ns\n", spent_ns[bursts / 2]);
    return failed;
}

static int names(int count, char **nodes)
{
    void *library = dlopen("libdrm_amdgpu.so.1", RTLD_NOW);
    int (*initialize)(int fd, uint32_t *major, uint32_t *minor, void **device);
    const char *(*marketing_name)(void *device);

    if (!library)
        return 77;
    *(void **)&initialize = dlsym(library, "amdgpu_device_initialize");
    *(void **)&marketing_name = dlsym(library, "amdgpu_get_marketing_name");
    if (!initialize || !marketing_name)
        return 77;
    for (int i = 0; i < count; i++) {
        const int fd = open(nodes[i], O_RDWR | O_CLOEXEC);
        uint32_t major, minor;
        void *device;

        if (fd < 0 || initialize(fd, &major, &minor, &device) != 0)
            return 2;
        printf("%s\n", marketing_name(device) ? marketing_name(device) : "none");
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "one";

    if (strcmp(mode, "one") == 0)
        return one();
    if (strcmp(mode, "strict") == 0)
        return strict();
    if (strcmp(mode, "inherit") == 0)
        return inherit();
    if (strcmp(mode, "ring") == 0 && argc > 2)
        return ring((unsigned)strtoul(argv[2], NULL, 10));
    if (strcmp(mode, "kernels") == 0)
        return kernels(argc > 2 && strcmp(argv[2], "events") == 0);
    if (strcmp(mode, "fork") == 0)
        return forks(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
    if (strcmp(mode, "nested") == 0)
        return nested(2);
    if (strcmp(mode, "signals") == 0)
        return signals();
    if (strcmp(mode, "names") == 0)
        return names(argc - 2, argv + 2);
    if (strcmp(mode, "strange") == 0)
        return strange();
    if (strcmp(mode, "kill") == 0 && one() == 0) {
        usleep(100000); /* what waits in the recorder's buffer goes out */
        kill(getpid(), SIGKILL);
    }
    return 2;
}
