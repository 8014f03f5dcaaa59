/* SPDX-License-Identifier: MIT */
/*
 * hsa_client [CODE]: what an HSA program can ask of a GPU, with a check of each result: copies both
 * ways and in video memory, fills, dependencies, barriers, doorbells out of order, a ring that
 * wraps, scratch, priorities and CU masks.  CODE is a code object with a kernel "reduce"; without
 * it the kernels that it dispatches are an s_endpgm that it writes itself.
 *
 * Nothing here depends on what a kernel of its own does.
 *
 * hsa_client leave: ends with status 0 while a packet waits for a signal that nothing completes,
 * and copies are under way.
 *
 * Exit status: 0 all as it should be, 1 a call failed, 2 a doorbell or an event was lost, 3 a
 * barrier did not hold or did not let go, 4 wrong bytes after a copy or fill, 5 a copy did not
 * wait, 6 a signal has another value than packets left there, 7 a read index is not the packets'
 * count.
 */
#include <config.h>

#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    WORDS = 1 << 18,
    BYTES = WORDS * 4,
    QUEUES = 3,
    RING = 1024,
    MANY = 5000,
    PAUSE_US = 20000,
    SLEEP_MS = 2000, /* of the runtime's three seconds */
    FULL_ROUNDS = 200000,
    SCRATCH_BYTES = 2064,
    FILL_WORDS = 1024,
    LEFT_COPIES = 50,
};

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const hsa_status_t status_ = (call);                                                       \
        if (status_ != HSA_STATUS_SUCCESS) {                                                       \
            printf("hsa_client: %s: %#x\n", #call, (unsigned)status_);                             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct client {
    hsa_agent_t cpu, gpu;
    hsa_amd_memory_pool_t video, system, arguments, code;
    uint32_t *sent, *got;     /* the host's */
    uint32_t *first, *second; /* the GPU's */
    void *kernarg;
    uint64_t kernel;
    hsa_queue_t *queues[QUEUES];
    hsa_signal_t a, b, c, host;
};

static void expect(int good, int status, const char *what)
{
    printf("hsa_client: %s: %s\n", what, good ? "ok" : "NO");
    fflush(stdout);
    if (!good)
        _exit(status);
}

/* ---- what there is --------------------------------------------------------------------------- */

static hsa_status_t agent_found(hsa_agent_t agent, void *context)
{
    struct client *client = context;
    hsa_device_type_t type;

    MUST(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_CPU)
        client->cpu = agent;
    else if (type == HSA_DEVICE_TYPE_GPU && client->gpu.handle == 0)
        client->gpu = agent;
    return HSA_STATUS_SUCCESS;
}

static uint32_t pool_flags(hsa_amd_memory_pool_t pool)
{
    hsa_amd_segment_t segment;
    uint32_t flags = 0;

    MUST(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment == HSA_AMD_SEGMENT_GLOBAL)
        MUST(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    return flags;
}

static hsa_status_t gpu_pool_found(hsa_amd_memory_pool_t pool, void *context)
{
    if (pool_flags(pool) & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)
        ((struct client *)context)->video = pool;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t cpu_pool_found(hsa_amd_memory_pool_t pool, void *context)
{
    struct client *client = context;
    const uint32_t flags = pool_flags(pool);

    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
        client->arguments = pool;
    else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
        client->system = pool;
    return HSA_STATUS_SUCCESS;
}

static void *memory_new(struct client *client, hsa_amd_memory_pool_t pool, size_t bytes)
{
    void *at = NULL;

    MUST(hsa_amd_memory_pool_allocate(pool, bytes, 0, &at));
    if (pool.handle != client->video.handle)
        MUST(hsa_amd_agents_allow_access(1, &client->gpu, NULL, at));
    return at;
}

static uint64_t kernel_load(struct client *client, const char *path)
{
    hsa_executable_symbol_t symbol;
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    uint64_t kernel = 0;
    const int fd = open(path, O_RDONLY);

    MUST(hsa_code_object_reader_create_from_file(fd, &reader));
    MUST(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                   &executable));
    MUST(hsa_executable_load_agent_code_object(executable, client->gpu, reader, NULL, NULL));
    MUST(hsa_executable_freeze(executable, NULL));
    MUST(hsa_executable_get_symbol_by_name(executable, "reduce.kd", &client->gpu, &symbol));
    MUST(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
    close(fd);
    return kernel;
}

/* A descriptor whose entry, 256 bytes on, is an s_endpgm. */
static uint64_t kernel_write(struct client *client)
{
    uint32_t *words = memory_new(client, client->arguments, 4096);

    memset(words, 0, 4096);
    words[2] = 16;          /* kernarg_size */
    words[4] = 256;         /* kernel_code_entry_byte_offset */
    words[64] = 0xbf810000; /* s_endpgm */
    return (uint64_t)(uintptr_t)words;
}

static void begin(struct client *client, const char *code)
{
    MUST(hsa_init());
    MUST(hsa_iterate_agents(agent_found, client));
    MUST(hsa_amd_agent_iterate_memory_pools(client->gpu, gpu_pool_found, client));
    MUST(hsa_amd_agent_iterate_memory_pools(client->cpu, cpu_pool_found, client));
    client->sent = memory_new(client, client->system, BYTES);
    client->got = memory_new(client, client->system, BYTES);
    client->first = memory_new(client, client->video, BYTES);
    client->second = memory_new(client, client->video, BYTES);
    client->kernarg = memory_new(client, client->arguments, 4096);
    client->kernel = code ? kernel_load(client, code) : kernel_write(client);
    for (int i = 0; i < WORDS; i++)
        client->sent[i] = (uint32_t)i * 2654435761u + 1;
    MUST(hsa_signal_create(1, 0, NULL, &client->a));
    MUST(hsa_signal_create(1, 0, NULL, &client->b));
    MUST(hsa_signal_create(1, 0, NULL, &client->c));
    MUST(hsa_signal_create(1, 0, NULL, &client->host));
}

/* ---- copies ---------------------------------------------------------------------------------- */

static long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits asleep: an event that is lost makes it as long as the time-out, though the value is there.
 */
static void wait_for(hsa_signal_t signal, const char *what)
{
    const long begin_ms = now_ms();
    const hsa_signal_value_t value = hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
                                                               3000000000u, HSA_WAIT_STATE_BLOCKED);

    expect(value < 1 && now_ms() - begin_ms < SLEEP_MS, 2, what);
    expect(value == 0, 6, "the signal is at 0");
}

static void copy(struct client *client, void *to, hsa_agent_t to_agent, const void *from,
                 hsa_agent_t from_agent, size_t bytes, const char *what)
{
    hsa_signal_store_relaxed(client->a, 1);
    MUST(hsa_amd_memory_async_copy(to, to_agent, from, from_agent, bytes, 0, NULL, client->a));
    wait_for(client->a, what);
}

static void forget(struct client *client)
{
    memset(client->got, 0xa5, BYTES);
}

static int same(const struct client *client)
{
    return memcmp(client->sent, client->got, BYTES) == 0;
}

static void check_copies(struct client *client)
{
    char *first = (char *)client->first, *second = (char *)client->second;

    forget(client);
    copy(client, first, client->gpu, client->sent, client->cpu, BYTES, "copy to the GPU");
    copy(client, client->got, client->cpu, first, client->gpu, BYTES, "copy from the GPU");
    expect(same(client), 4, "what came back is what went");
    copy(client, second, client->gpu, first, client->gpu, BYTES, "copy in video memory");
    forget(client);
    copy(client, client->got, client->cpu, second, client->gpu, BYTES, "copy of the copy");
    expect(same(client), 4, "the copy is the same");
    copy(client, second + 3, client->gpu, first + 1, client->gpu, 10001, "copy at odd addresses");
    forget(client);
    copy(client, client->got, client->cpu, second, client->gpu, BYTES, "and back");
    expect(memcmp((char *)client->got + 3, (char *)client->sent + 1, 10001) == 0 &&
               memcmp((char *)client->got + 10004, (char *)client->sent + 10004, BYTES - 10004) ==
                   0 &&
               memcmp(client->got, client->sent, 3) == 0,
           4, "odd bytes are where they should be, and no others");
}

static void check_fill(struct client *client)
{
    int wrong = 0;

    MUST(hsa_amd_memory_fill(client->first, 0x12345678, FILL_WORDS));
    copy(client, client->got, client->cpu, client->first, client->gpu, BYTES, "copy of a fill");
    for (int i = 0; i < WORDS; i++)
        wrong += client->got[i] != (i < FILL_WORDS ? 0x12345678 : client->sent[i]);
    expect(wrong == 0, 4, "the fill is there, and ends where it should");
}

/* SDMA's POLL_REGMEM. */
static void check_poll(struct client *client)
{
    copy(client, client->first, client->gpu, client->sent, client->cpu, BYTES, "copy to the GPU");
    forget(client);
    hsa_signal_store_relaxed(client->host, 1);
    hsa_signal_store_relaxed(client->b, 1);
    MUST(hsa_amd_memory_async_copy(client->got, client->cpu, client->first, client->gpu, BYTES, 1,
                                   &client->host, client->b));
    usleep(PAUSE_US);
    expect(hsa_signal_load_relaxed(client->b) == 1 && client->got[5] == 0xa5a5a5a5, 5,
           "a copy waits for its signal");
    hsa_signal_store_relaxed(client->host, 0);
    wait_for(client->b, "and comes when it is released");
    expect(same(client), 4, "with all bytes");
}

static void *release_later(void *context)
{
    usleep(PAUSE_US);
    hsa_signal_store_screlease(*(const hsa_signal_t *)context, 0);
    return NULL;
}

/* Falls asleep before what it waits for can have come: only the event wakes it in time. */
static void sleep_for(struct client *client, const char *what)
{
    pthread_t other;

    expect(pthread_create(&other, NULL, release_later, &client->host) == 0, 1, "a thread");
    wait_for(client->b, what);
    pthread_join(other, NULL);
}

static void check_sleep(struct client *client)
{
    hsa_signal_store_relaxed(client->host, 1);
    hsa_signal_store_relaxed(client->b, 1);
    MUST(hsa_amd_memory_async_copy(client->got, client->cpu, client->first, client->gpu, BYTES, 1,
                                   &client->host, client->b));
    sleep_for(client, "a copy wakes the sleeper");
}

/* ---- queues ---------------------------------------------------------------------------------- */

#define FENCES                                                                                     \
    (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |                           \
     HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE)
#define HEADER(type) ((type) << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER | FENCES)

/* A packet's place, empty but for its header, which is INVALID. */
static void *slot(hsa_queue_t *queue, uint64_t *index)
{
    char *packet;
    int rounds = FULL_ROUNDS;

    *index = hsa_queue_add_write_index_relaxed(queue, 1);
    while (*index - hsa_queue_load_read_index_scacquire(queue) >= queue->size && rounds-- > 0)
        usleep(10);
    if (rounds < 0)
        expect(0, 7, "a full ring gets room");
    packet = (char *)queue->base_address + (*index & (queue->size - 1)) * 64;
    memset(packet + 4, 0, 60);
    return packet;
}

static void ring(hsa_queue_t *queue, void *packet, uint32_t head, uint64_t index)
{
    __atomic_store_n((uint32_t *)packet, head, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

static void dispatch(struct client *client, hsa_queue_t *queue, uint32_t private_bytes,
                     hsa_signal_t done)
{
    uint64_t index;
    hsa_kernel_dispatch_packet_t *packet = slot(queue, &index);

    packet->workgroup_size_x = 256;
    packet->workgroup_size_y = packet->workgroup_size_z = 1;
    packet->grid_size_x = WORDS;
    packet->grid_size_y = packet->grid_size_z = 1;
    packet->private_segment_size = private_bytes;
    packet->kernel_object = client->kernel;
    packet->kernarg_address = client->kernarg;
    packet->completion_signal = done;
    ring(queue, packet, HEADER(HSA_PACKET_TYPE_KERNEL_DISPATCH) | 1u << 16, index);
}

static void barrier(hsa_queue_t *queue, unsigned type, hsa_signal_t one, hsa_signal_t other,
                    hsa_signal_t done)
{
    uint64_t index;
    hsa_barrier_and_packet_t *packet = slot(queue, &index);

    packet->dep_signal[0] = one;
    packet->dep_signal[3] = other;
    packet->completion_signal = done;
    ring(queue, packet, HEADER(type), index);
}

static void set(struct client *client, int64_t a, int64_t b, int64_t c, int64_t host)
{
    hsa_signal_store_screlease(client->a, a);
    hsa_signal_store_screlease(client->b, b);
    hsa_signal_store_screlease(client->c, c);
    hsa_signal_store_screlease(client->host, host);
}

/* `a` is the first queue's, `b` waits for it and the host, `c` for either of `b` and the host. */
static void check_barriers(struct client *client)
{
    hsa_queue_t **queues = client->queues;
    const hsa_signal_t none = {0};

    set(client, 1, 1, 1, 1);
    barrier(queues[1], HSA_PACKET_TYPE_BARRIER_AND, client->a, client->host, none);
    dispatch(client, queues[1], 0, client->b);
    barrier(queues[2], HSA_PACKET_TYPE_BARRIER_OR, client->b, client->b, client->c);
    usleep(PAUSE_US);
    expect(hsa_signal_load_scacquire(client->b) == 1, 3, "barrier-and holds");
    expect(hsa_signal_load_scacquire(client->c) == 1, 3, "barrier-or holds");
    dispatch(client, queues[0], 0, client->a);
    wait_for(client->a, "another queue works meanwhile");
    usleep(PAUSE_US);
    expect(hsa_signal_load_scacquire(client->b) == 1, 3, "barrier-and wants both");
    hsa_signal_subtract_screlease(client->host, 1);
    wait_for(client->c, "all come when the host lets go");
}

/* The barrier bit of a packet is for all in front of it, whatever they wait for. */
static void check_barrier_bit(struct client *client)
{
    const hsa_signal_t none = {0};

    set(client, 1, 1, 1, 1);
    barrier(client->queues[1], HSA_PACKET_TYPE_BARRIER_AND, client->host, none, client->a);
    dispatch(client, client->queues[1], 0, client->c);
    barrier(client->queues[1], HSA_PACKET_TYPE_BARRIER_AND, none, none, client->b);
    usleep(PAUSE_US);
    expect(hsa_signal_load_scacquire(client->c) == 1 && hsa_signal_load_scacquire(client->b) == 1,
           3, "nothing passes a packet that waits");
    sleep_for(client, "a barrier wakes the sleeper");
    expect(hsa_signal_load_scacquire(client->a) == 0 && hsa_signal_load_scacquire(client->c) == 0,
           3, "what was in front is done");
}

static void check_indices(const struct client *client)
{
    for (int i = 0; i < QUEUES; i++)
        expect(hsa_queue_load_read_index_scacquire(client->queues[i]) ==
                   hsa_queue_load_write_index_scacquire(client->queues[i]),
               7, "the read index is where the write index is");
}

static void check_barrier_value(struct client *client)
{
    uint64_t index;
    hsa_amd_barrier_value_packet_t *packet = slot(client->queues[0], &index);

    set(client, 1, 1, 1, 5);
    packet->signal = client->host;
    packet->value = 7;
    packet->mask = 0xf;
    packet->cond = HSA_SIGNAL_CONDITION_GTE;
    packet->completion_signal = client->a;
    ring(client->queues[0], packet,
         HEADER(HSA_PACKET_TYPE_VENDOR_SPECIFIC) | HSA_AMD_PACKET_TYPE_BARRIER_VALUE << 16, index);
    usleep(PAUSE_US);
    expect(hsa_signal_load_scacquire(client->a) == 1, 3, "barrier-value holds");
    hsa_signal_store_screlease(client->host, 0x107);
    wait_for(client->a, "and lets go");
}

/* Two producers: the second packet is there and rung before the first.  Then both are there and
 * rung in the wrong order while the queue is kept from looking at them: what counts is the highest
 * index, not the last. */
static void check_doorbells(struct client *client)
{
    const hsa_signal_t none = {0};
    hsa_queue_t *queue = client->queues[0];
    uint64_t one, two;
    hsa_barrier_and_packet_t *first = slot(queue, &one), *second = slot(queue, &two);

    set(client, 2, 1, 1, 1);
    first->completion_signal = second->completion_signal = client->a;
    ring(queue, second, HEADER(HSA_PACKET_TYPE_BARRIER_AND), two);
    usleep(PAUSE_US);
    expect(hsa_signal_load_scacquire(client->a) == 2, 3, "nothing runs past an invalid packet");
    ring(queue, first, HEADER(HSA_PACKET_TYPE_BARRIER_AND), one);
    wait_for(client->a, "doorbells out of order");
    set(client, 2, 1, 1, 1);
    barrier(queue, HSA_PACKET_TYPE_BARRIER_AND, client->host, none, none);
    first = slot(queue, &one);
    second = slot(queue, &two);
    first->completion_signal = second->completion_signal = client->a;
    __atomic_store_n((uint32_t *)first, HEADER(HSA_PACKET_TYPE_BARRIER_AND), __ATOMIC_RELEASE);
    ring(queue, second, HEADER(HSA_PACKET_TYPE_BARRIER_AND), two);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)one);
    hsa_signal_store_screlease(client->host, 0);
    wait_for(client->a, "doorbells in the wrong order");
}

static void check_ring(struct client *client)
{
    const hsa_signal_t none = {0};

    set(client, 1, 1, 1, 1);
    for (int i = 1; i <= MANY; i++)
        dispatch(client, client->queues[0], 0, i == MANY ? client->a : none);
    wait_for(client->a, "a ring that wraps");
    set(client, 1, 1, 1, 1);
    dispatch(client, client->queues[0], SCRATCH_BYTES, client->a);
    wait_for(client->a, "more scratch");
}

/* ---- what is left ---------------------------------------------------------------------------- */

static int leave(struct client *client)
{
    const hsa_signal_t none = {0};

    begin(client, NULL);
    MUST(hsa_queue_create(client->gpu, RING, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX,
                          UINT32_MAX, &client->queues[0]));
    barrier(client->queues[0], HSA_PACKET_TYPE_BARRIER_AND, client->host, none, client->a);
    hsa_signal_store_relaxed(client->b, LEFT_COPIES);
    for (int i = 0; i < LEFT_COPIES; i++)
        MUST(hsa_amd_memory_async_copy(client->second, client->gpu, client->first, client->gpu,
                                       BYTES, 0, NULL, client->b));
    printf("hsa_client: left\n");
    return 0;
}

int main(int argc, char **argv)
{
    const uint32_t mask[2] = {0x0000ffff, 0};
    static struct client client;

    if (argc > 1 && strcmp(argv[1], "leave") == 0)
        return leave(&client);

    begin(&client, argc > 1 ? argv[1] : NULL);
    check_copies(&client);
    check_fill(&client);
    check_poll(&client);
    check_sleep(&client);
    for (int i = 0; i < QUEUES; i++)
        MUST(hsa_queue_create(client.gpu, RING, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX,
                              UINT32_MAX, &client.queues[i]));
    MUST(hsa_amd_queue_cu_set_mask(client.queues[1], 64, mask));
    MUST(hsa_amd_queue_set_priority(client.queues[2], HSA_AMD_QUEUE_PRIORITY_HIGH));
    check_barriers(&client);
    check_barrier_bit(&client);
    check_barrier_value(&client);
    check_indices(&client);
    check_doorbells(&client);
    check_ring(&client);
    check_indices(&client);
    for (int i = 0; i < QUEUES; i++)
        MUST(hsa_queue_destroy(client.queues[i]));
    MUST(hsa_signal_destroy(client.a));
    MUST(hsa_signal_destroy(client.b));
    MUST(hsa_signal_destroy(client.c));
    MUST(hsa_signal_destroy(client.host));
    MUST(hsa_shut_down());
    printf("hsa_client: done\n");
    return 0;
}
