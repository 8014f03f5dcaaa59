/* SPDX-License-Identifier: MIT */
/*
 * What a channel gets for an operation: a QMD and a pushbuffer in the context's heap, a GP entry, a
 * doorbell.  Each stream has a place of its own there, as it has one operation at a time with the
 * GPU:
 *
 *     +0x000  the QMD (256 bytes)            +0x3f0  blocks that have started
 *     +0x200  the pushbuffer                 +0x3f8  the semaphore
 *
 * Methods: open-gpu-doc classes/compute/clc0c0.h to clcbc0.h and classes/dma-copy/clc0b5.h.
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/formats/nv_qmd.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/cuda/cuda_shared.h"
#include "firmware-models/cuda/cuda_split.h"
#include "firmware-models/rm/rm_tables.h"

enum {
    PROGRAM_BYTES = 256, /* of a kernel's code, in the heap from its start */
    ROOMY_CONTEXTS = 6,  /* with heaps of the default size; of more each has what it needs */
    PLACE_BYTES = 1024,
    PUSHBUFFER = 0x200,
    STARTED = 0x3c0, /* a constant buffer: a multiple of 64 */
    SEMAPHORE = 0x3f8,
    DWORDS_MAX = 64,
    CLIENT_COPY = 2, /* channels for each direction of copies, of a client of MPS from Volta on */
    COMPUTE = 1,     /* subchannels */
    COPY = 4,
};
/* Addresses of a descriptor, as the GPU sees them. */
struct qmd_addresses {
    uint64_t semaphore, started, program;
    uint32_t program_offset; /* from the start of the heap */
};
/* Where a process's copies go to and come from. */
#define DEVICE_VA UINT64_C(0x1000000000)
#define HOST_VA   UINT64_C(0x2000000000)

struct cuda_push {
    uint32_t dwords[DWORDS_MAX];
    uint32_t count;
};

static void push(struct cuda_push *push, uint32_t dword)
{
    assert(push->count < DWORDS_MAX);
    push->dwords[push->count++] = dword;
}

static void push_header(struct cuda_push *to, uint32_t subchannel, uint32_t method, uint32_t count)
{
    push(to, 1u << 29 | count << 16 | subchannel << 13 | method >> 2);
}

static void push_address(struct cuda_push *to, uint64_t address)
{
    push(to, (uint32_t)(address >> 32));
    push(to, (uint32_t)address);
}

/* That has the context. */
static struct cuda_process_state *cuda_process(const struct cuda *cuda, uint32_t stream)
{
    return &cuda->processes[cuda_context_of(cuda, cuda->program->streams[stream].process)];
}

static bool cuda_roomy(const struct cuda *cuda)
{
    return cuda_mps_shared(cuda) || cuda->program->process_count <= ROOMY_CONTEXTS;
}

/* Where the data of copies in pushbuffers lie in a heap, which all streams share: behind the
 * kernels' code.  No copy's bytes matter to the front end: they are zeros. */
static uint64_t cuda_inline_data(const struct cuda *cuda)
{
    const uint32_t kernels = cuda_roomy(cuda) ? CUDA_KERNELS_MAX : cuda->kernel_count;
    const uint64_t bytes = (uint64_t)kernels * PROGRAM_BYTES;

    return (bytes + MEMORY_PAGE_BYTES - 1) & ~(uint64_t)(MEMORY_PAGE_BYTES - 1);
}

/* Where the streams' places begin in a heap. */
static uint64_t cuda_places(const struct cuda *cuda)
{
    return cuda_inline_data(cuda) + cuda->inline_bytes;
}

/* Returns the bytes of heap that a context needs, or 0 if the default is enough. */
static uint64_t cuda_heap_bytes(const struct cuda *cuda, uint32_t context)
{
    const uint64_t streams =
        cuda_context_end_stream(cuda, context) - (uint64_t)cuda_context_first_stream(cuda, context);
    const uint64_t bytes = cuda_places(cuda) + streams * PLACE_BYTES;

    return cuda_roomy(cuda) ? 0 : (bytes + MEMORY_PAGE_BYTES) & ~(uint64_t)(MEMORY_PAGE_BYTES - 1);
}

/* Returns the offset of the stream's place from the start of the heap. */
static uint64_t cuda_place(const struct cuda *cuda, uint32_t stream)
{
    const uint32_t context = cuda_context_of(cuda, cuda->program->streams[stream].process);

    return cuda_places(cuda) +
           (uint64_t)PLACE_BYTES * (stream - cuda_context_first_stream(cuda, context));
}

static void cuda_poke(struct cuda *cuda, uint32_t stream, uint32_t offset, const void *data,
                      size_t bytes)
{
    (void)machine_write(cuda->machine, MEMORY_VRAM,
                        cuda_process(cuda, stream)->context.heap_physical +
                            cuda_place(cuda, stream) + offset,
                        data, bytes);
}

static uint32_t cuda_peek(struct cuda *cuda, uint32_t stream, uint32_t offset)
{
    uint32_t value = 0;

    (void)machine_read(cuda->machine, MEMORY_VRAM,
                       cuda_process(cuda, stream)->context.heap_physical +
                           cuda_place(cuda, stream) + offset,
                       &value, sizeof value);
    return value;
}

static uint64_t cuda_va(const struct cuda *cuda, uint32_t stream, uint32_t offset)
{
    return cuda_process(cuda, stream)->context.heap_va + cuda_place(cuda, stream) + offset;
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void cuda_map(struct cuda *cuda, uint32_t space_id, uint64_t va,
                     enum memory_aperture aperture)
{
    const struct address_space_range range = {
        .space_id = space_id, .va = va, .size_bytes = cuda->data_bytes, .aperture = aperture};

    if (cuda->data_bytes > 0 &&
        address_space_map(&cuda->machine->spaces, &range) != ADDRESS_SPACE_OK)
        machine_fail(cuda->machine, ERROR_LIMIT, "no room to map the data of a process");
}

/* Its blocks count themselves as they start: B.C1. */
static struct cost cuda_cost(const struct cuda *cuda, const struct cuda_kernel *kernel)
{
    const struct clock_domain clock = clock_make(cuda->model->sm_hz, 0);
    struct cost cost = {.amount = kernel->amount, .kind = COST_CYCLES, .counts_starts = 1};

    if (kernel->time == CUDA_TIME_DEFAULT)
        cost.kind = COST_DEFAULT;
    else if (kernel->time == CUDA_TIME_CLOCK)
        cost.kind = COST_CLOCK;
    else if (kernel->time == CUDA_TIME_WORK)
        cost.amount = clock_cycle_at(&clock, kernel->amount);
    else
        cost.amount *= cuda_parameter(cuda, PARAM_CUDA_LOOP_CYCLES);
    return cost;
}

static void cuda_set_costs(struct cuda *cuda, const struct rm_cuda_context *context)
{
    for (uint32_t i = 0; i < cuda->kernel_count; i++) {
        const struct cost cost = cuda_cost(cuda, &cuda->kernels[i]);

        if (!cost_set(cuda->costs, context->space_id,
                      context->heap_va + (uint64_t)PROGRAM_BYTES * i, &cost))
            machine_fail(cuda->machine, ERROR_LIMIT,
                         "the processes together have more than %d kernels", COST_ROWS_MAX);
    }
}

/* Sets the share of the SMs that a client of MPS may have. */
static void cuda_set_share(struct cuda *cuda, uint32_t process)
{
    const uint32_t sm_count = cuda_mps_sms(cuda, process);

    if (sm_count < cuda->model->sm_count &&
        !cost_set_share(cuda->costs, cuda->processes[process].context.space_id, sm_count))
        machine_fail(cuda->machine, ERROR_LIMIT, "more than %d clients have shares",
                     COST_SHARES_MAX);
}

/* Returns true if no process of that context launches a kernel, sets memory or makes copies by its
 * compute channels. */
static bool cuda_copies_only(const struct cuda *cuda, uint32_t context)
{
    const struct cuda_program *program = cuda->program;

    for (uint32_t i = 0; i < program->call_count; i++) {
        const struct cuda_call *call = &program->calls[i];

        const bool in_compute = cuda->routes[i].way != CUDA_BY_ENGINE && !call->graphics;

        if ((in_compute || call->kind == CUDA_MEMSET) &&
            cuda_context_of(cuda, program->streams[call->stream].process) == context)
            return false;
    }
    return true;
}

/* Makes the context of a process that has one of its own.  Returns false, and fails the machine, if
 * there is no room. */
static bool cuda_make(struct cuda *cuda, uint32_t process)
{
    const bool mps = cuda_mps(cuda);
    struct rm_cuda_context *context = &cuda->processes[process].context;
    const struct rm_context_options options = {
        .compute_count = cuda_channel_made(cuda),
        .copy_count = mps && !cuda_mps_shared(cuda) ? CLIENT_COPY : RM_CONTEXT_COPY,
        .heap_bytes = cuda_heap_bytes(cuda, process),
        .copies_only = cuda_copies_only(cuda, process),
        .server = mps && process > 0 ? &cuda->processes[0].context : NULL,
    };

    if (!rm_cuda_context_build_with(cuda->rm, context, &options))
        return false;
    cuda_map(cuda, context->space_id, DEVICE_VA, MEMORY_VRAM);
    cuda_map(cuda, context->space_id, HOST_VA, MEMORY_SYSMEM);
    cuda_set_costs(cuda, context);
    cuda_set_share(cuda, process);
    return !machine_failed(cuda->machine);
}

void cuda_submit_start(struct cuda *cuda)
{
    for (uint32_t i = 0; i < cuda->program->process_count; i++) {
        if (cuda_context_of(cuda, i) != i)
            continue;
        if (cuda->program->starts_ps[i] > 0)
            machine_schedule(cuda->machine, cuda->unit, cuda->program->starts_ps[i],
                             i * CUDA_EVENT_KINDS + CUDA_MAKES, 0);
        else if (!cuda_make(cuda, i))
            return;
    }
}

/* The driver's part of the work is in the last of the context's compute channels: as many GP
 * entries as it has pieces are taken. */
static void cuda_took_entries(struct cuda *cuda, uint32_t process, uint32_t count)
{
    struct cuda_process_state *state = &cuda->processes[process];
    const uint32_t channel = state->context.compute_count - 1;

    state->put[channel] = (state->put[channel] + count) % RM_CONTEXT_RING_ENTRIES;
    state->entries[channel] += count;
}

void cuda_submit_make(struct cuda *cuda, uint32_t process)
{
    if (cuda_make(cuda, process) &&
        rm_cuda_context_init(cuda->rm, &cuda->processes[process].context)) {
        cuda_took_entries(cuda, process,
                          (uint32_t)cuda_parameter(cuda, PARAM_RM_CONTEXT_INIT_PIECES));
        cuda_channel_tell(cuda, process);
    }
}

void cuda_submit_allocate(struct cuda *cuda, uint32_t process, uint64_t bytes)
{
    const uint32_t owner = cuda_context_of(cuda, process);
    const struct rm_cuda_context *context = &cuda->processes[owner].context;
    const uint32_t put = cuda->processes[owner].put[context->compute_count - 1];

    if (rm_cuda_context_allocate(cuda->rm, context, put, bytes))
        cuda_took_entries(cuda, owner, 1);
}

uint32_t cuda_submit_channel_id(const struct cuda *cuda, uint32_t process, uint32_t channel)
{
    const struct rm_context_channel *of =
        &cuda->processes[cuda_context_of(cuda, process)].context.channels[channel];

    return rm_channel_full_id(cuda->rm, of->channel);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void qmd_put(const struct nv_qmd_layout *layout, uint32_t *words, const char *name,
                    uint32_t value)
{
    const struct nv_qmd_row *field = nv_qmd_find(layout, name);

    assert(field);
    nv_qmd_bits_put(words, field->hi, field->lo, value);
}

/* Returns the layout with that version; it must exist (asserted). */
static const struct nv_qmd_layout *qmd_layout(uint32_t major, uint32_t minor)
{
    const struct nv_qmd_layout *layout = NULL;

    for (size_t i = 0; i < nv_qmd_layout_count() && !layout; i++)
        if (nv_qmd_layout_at(i)->major == major && nv_qmd_layout_at(i)->minor == minor)
            layout = nv_qmd_layout_at(i);
    assert(layout);
    return layout;
}

/* Returns the layout of a kernel's descriptor.  INFERRED: one with a mask has the layout whose mask
 * has a bit for each TPC, which on Ada is V03_00. */
static const struct nv_qmd_layout *qmd_layout_for(const struct cuda *cuda,
                                                  const struct cuda_kernel *kernel)
{
    if (!mask128_any(&kernel->sm_mask))
        return cuda->layout;
    return cuda->model->class_compute == ADA_COMPUTE_A ? qmd_layout(3, 0) : cuda->layout;
}

/* The mask of TPCs: 64 bits, 72 on Ada (clc9c0qmd.h: SM_DISABLE_MASK_EXT_LOWER, 377:372, and
 * _UPPER, 380:379), or more on Hopper. */
static void qmd_put_mask(const struct cuda *cuda, const struct nv_qmd_layout *layout,
                         uint32_t *words, const struct mask128 *mask)
{
    const struct nv_qmd_row *field = nv_qmd_find(layout, "TPC_DISABLE_MASK");

    for (uint32_t i = 0; field && i < 4; i++)
        nv_qmd_bits_put(words, field->hi + i * field->stride, field->lo + i * field->stride,
                        (uint32_t)(mask->word[i / 2] >> 32 * (i % 2)));
    if (field) {
        qmd_put(layout, words, "TPC_DISABLE_MASK_VALID", mask128_any(mask));
        return;
    }
    qmd_put(layout, words, "SM_DISABLE_MASK_LOWER", (uint32_t)mask->word[0]);
    qmd_put(layout, words, "SM_DISABLE_MASK_UPPER", (uint32_t)(mask->word[0] >> 32));
    if (cuda->model->class_compute == ADA_COMPUTE_A && layout->major == 3) {
        nv_qmd_bits_put(words, 377, 372, (uint32_t)mask->word[1] & 0x3f);
        nv_qmd_bits_put(words, 380, 379, (uint32_t)mask->word[1] >> 6 & 3);
    }
}

/* V04_00: other names, and the first constant buffer's address in units of 64 bytes. */
static void qmd_put_v04(const struct nv_qmd_layout *layout, uint32_t *words,
                        const struct cuda_kernel *kernel, const struct qmd_addresses *at,
                        uint32_t payload)
{
    qmd_put(layout, words, "QMD_MINOR_VERSION", layout->minor);
    qmd_put(layout, words, "GRID_WIDTH", (uint32_t)kernel->block_count);
    qmd_put(layout, words, "GRID_HEIGHT", 1);
    qmd_put(layout, words, "GRID_DEPTH", 1);
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_LOWER_SHIFTED6", (uint32_t)(at->started >> 6));
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_UPPER_SHIFTED6", (uint32_t)(at->started >> 38));
    qmd_put(layout, words, "RELEASE_ENABLE", 1);
    qmd_put(layout, words, "RELEASE_STRUCTURE_SIZE", 1); /* SEMAPHORE_ONE_WORD */
    qmd_put(layout, words, "RELEASE_SEMAPHORE0_ADDR_LOWER", (uint32_t)at->semaphore);
    qmd_put(layout, words, "RELEASE_SEMAPHORE0_ADDR_UPPER", (uint32_t)(at->semaphore >> 32));
    qmd_put(layout, words, "RELEASE_SEMAPHORE0_PAYLOAD_LOWER", payload);
}

/* Fields that V03 calls otherwise than the layouts before it. */
static void qmd_put_v03(const struct nv_qmd_layout *layout, uint32_t *words,
                        const struct cuda_kernel *kernel, const struct qmd_addresses *at,
                        uint32_t payload)
{
    const bool v03 = layout->major == 3;

    qmd_put(layout, words, "QMD_VERSION", layout->minor);
    qmd_put(layout, words, "CTA_RASTER_WIDTH", (uint32_t)kernel->block_count);
    qmd_put(layout, words, "CTA_RASTER_HEIGHT", 1);
    qmd_put(layout, words, "CTA_RASTER_DEPTH", 1);
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_LOWER", (uint32_t)at->started);
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_UPPER", (uint32_t)(at->started >> 32));
    qmd_put(layout, words, "RELEASE0_ADDRESS_LOWER", (uint32_t)at->semaphore);
    qmd_put(layout, words, "RELEASE0_ADDRESS_UPPER", (uint32_t)(at->semaphore >> 32));
    qmd_put(layout, words, "RELEASE0_STRUCTURE_SIZE", 1); /* ONE_WORD */
    qmd_put(layout, words, v03 ? "RELEASE0_ENABLE" : "SEMAPHORE_RELEASE_ENABLE0", 1);
    qmd_put(layout, words, v03 ? "RELEASE0_PAYLOAD_LOWER" : "RELEASE0_PAYLOAD", payload);
}

/* Programs have offsets up to Pascal, then addresses. */
static void qmd_put_program(const struct nv_qmd_layout *layout, uint32_t *words,
                            const struct qmd_addresses *at)
{
    if (layout->major > 2 || (layout->major == 2 && layout->minor >= 2)) {
        qmd_put(layout, words, "PROGRAM_ADDRESS_LOWER", (uint32_t)at->program);
        qmd_put(layout, words, "PROGRAM_ADDRESS_UPPER", (uint32_t)(at->program >> 32));
    } else {
        qmd_put(layout, words, "PROGRAM_OFFSET", at->program_offset);
    }
}

static uint32_t cuda_registers(const struct cuda *cuda, const struct cuda_kernel *kernel)
{
    return kernel->registers ? kernel->registers
                             : (uint32_t)cuda_parameter(cuda, PARAM_CUDA_REGISTERS);
}

/* The splits of L1 and shared memory, in units of 4 KiB plus one, which the GPU reads where an SM
 * keeps its split. */
static void qmd_put_split(const struct cuda *cuda, const struct nv_qmd_layout *layout,
                          uint32_t *words, const struct cuda_kernel *kernel)
{
    const struct exec_limits *sm = &cuda->model->sm;
    struct cuda_split split;

    if (cuda->machine->choices[CHOICE_NV_SM_SPLIT] != NV_SM_SPLIT_HELD || sm->split_count == 0)
        return;
    split = cuda_split_of(cuda, kernel, cuda_registers(cuda, kernel));
    qmd_put(layout, words, "MIN_SM_CONFIG_SHARED_MEM_SIZE", split.least_kib / 4 + 1);
    qmd_put(layout, words, "MAX_SM_CONFIG_SHARED_MEM_SIZE",
            sm->splits_kib[sm->split_count - 1] / 4u + 1);
    qmd_put(layout, words, "TARGET_SM_CONFIG_SHARED_MEM_SIZE", split.chosen_kib / 4 + 1);
}

static void cuda_write_qmd(struct cuda *cuda, uint32_t stream, uint32_t kernel_index)
{
    const struct cuda_kernel *kernel = &cuda->kernels[kernel_index];
    const struct nv_qmd_layout *layout = qmd_layout_for(cuda, kernel);
    const uint32_t offset = PROGRAM_BYTES * kernel_index;
    const struct qmd_addresses at = {
        .semaphore = cuda_va(cuda, stream, SEMAPHORE),
        .started = cuda_va(cuda, stream, STARTED),
        .program = cuda_process(cuda, stream)->context.heap_va + offset,
        .program_offset = offset,
    };
    uint32_t words[NV_QMD_MAX_DWORDS] = {0};
    struct mask128 mask;

    qmd_put(layout, words, "QMD_MAJOR_VERSION", layout->major);
    qmd_put(layout, words, "CTA_THREAD_DIMENSION0", kernel->block_threads);
    qmd_put(layout, words, "CTA_THREAD_DIMENSION1", 1);
    qmd_put(layout, words, "CTA_THREAD_DIMENSION2", 1);
    qmd_put(layout, words, "SHARED_MEMORY_SIZE",
            kernel->shared_bytes + cuda_shared_of(cuda->model).driver_bytes);
    qmd_put(layout, words,
            nv_qmd_find(layout, "REGISTER_COUNT_V") ? "REGISTER_COUNT_V" : "REGISTER_COUNT",
            cuda_registers(cuda, kernel));
    qmd_put(layout, words, "CONSTANT_BUFFER_VALID", 1);
    (layout->major >= 4 ? qmd_put_v04 : qmd_put_v03)(layout, words, kernel, &at,
                                                     cuda->streams[stream].payload);
    qmd_put_program(layout, words, &at);
    qmd_put_split(cuda, layout, words, kernel);
    mask = mask128_or(kernel->sm_mask, cuda_mps_mask(cuda, cuda->program->streams[stream].process));
    qmd_put_mask(cuda, layout, words, &mask);
    if (cuda->model->class_compute == HOPPER_COMPUTE_A) {
        qmd_put(layout, words, "QMD_TYPE", 2); /* GRID_CTA */
        qmd_put(layout, words, "QMD_GROUP_ID",
                nv_qmd_group_of(cuda->program->streams[stream].priority));
    }
    cuda_poke(cuda, stream, 0, words, 4 * (size_t)layout->dwords);
    cuda_poke(cuda, stream, STARTED, &(uint32_t){0}, sizeof(uint32_t));
}

/* A channel's first pushbuffer of a kind makes its object known, and up to Pascal where programs
 * lie. */
static void cuda_push_object(const struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                             uint32_t subchannel)
{
    const bool compute = subchannel == COMPUTE;

    push_header(to, subchannel, NVA06F_SET_OBJECT, 1);
    push(to, compute ? cuda->model->class_compute : cuda->model->class_copy);
    if (compute && cuda->model->class_compute < VOLTA_COMPUTE_A) {
        push_header(to, subchannel, NVC0C0_SET_PROGRAM_REGION_A, 2);
        push_address(to, cuda_process(cuda, stream)->context.heap_va);
    }
}

/* From Ampere on with the method that CUDA's driver sends to an H100 (recorded: tests/hardware;
 * that it does so from Ampere on is INFERRED). */
static void cuda_push_kernel(struct cuda *cuda, uint32_t stream, struct cuda_push *to)
{
    const bool ampere = cuda->model->class_compute >= AMPERE_COMPUTE_A;

    push_header(to, COMPUTE, NVA0C0_SEND_PCAS_A, 1);
    push(to, (uint32_t)(cuda_va(cuda, stream, 0) >> 8));
    push_header(to, COMPUTE,
                ampere ? (uint32_t)NVC6C0_SEND_SIGNALING_PCAS2_B
                       : (uint32_t)NVA0C0_SEND_SIGNALING_PCAS_B,
                1);
    push(to,
         ampere
             ? (uint32_t)NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_INVALIDATE_PREFETCH_COPY_SCHEDULE
             : 3); /* INVALIDATE, SCHEDULE */
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* From the process's place of the one kind to that of the other; a memset writes a constant. */
static void cuda_push_copy(struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                           const struct cuda_call *call)
{
    const bool sets = call->kind == CUDA_MEMSET;
    const uint32_t rows = call->rows > 1 ? call->rows : 1;
    const uint64_t from = !sets && call->direction == CUDA_HOST_TO_DEVICE ? HOST_VA : DEVICE_VA;
    const uint64_t target = !sets && call->direction == CUDA_DEVICE_TO_HOST ? HOST_VA : DEVICE_VA;

    push_header(to, COPY, NVC0B5_SET_SEMAPHORE_A, 3);
    push_address(to, cuda_va(cuda, stream, SEMAPHORE));
    push(to, cuda->streams[stream].payload);
    if (sets) {
        push_header(to, COPY, NVA0B5_SET_REMAP_CONST_A, 1);
        push(to, 0);
        push_header(to, COPY, NVA0B5_SET_REMAP_COMPONENTS, 1);
        push(to, 4); /* one component of one byte: CONST_A */
    }
    push_header(to, COPY, NVC0B5_OFFSET_IN_UPPER, 4);
    push_address(to, from);
    push_address(to, target);
    if (rows > 1) {
        push_header(to, COPY, NVA0B5_PITCH_IN, 2); /* the rows lie one behind the other */
        push(to, (uint32_t)(call->bytes / rows));
        push(to, (uint32_t)(call->bytes / rows));
    }
    push_header(to, COPY, NVA0B5_LINE_LENGTH_IN, 2);
    push(to, (uint32_t)(call->bytes / rows));
    push(to, rows);
    push_header(to, COPY, NVC1B5_LAUNCH_DMA, 1);
    /* NON_PIPELINED, FLUSH_ENABLE, RELEASE_ONE_WORD_SEMAPHORE, PITCH both, MULTI_LINE_ENABLE for
     * rows, for a memset REMAP */
    push(to, 2 | 1u << 2 | 1u << 3 | 1u << 7 | 1u << 8 | (uint32_t)(rows > 1) << 9 |
                 (uint32_t)sets << 10);
}

/* ---- copies in the pushbuffer ---------------------------------------------------------------- */

enum { INLINE_DWORDS = 8191 }; /* of one header */

/* Returns the number of headers of data that a copy needs. */
static uint32_t cuda_inline_count(const struct cuda_call *call)
{
    return ((uint32_t)call->bytes + 4 * INLINE_DWORDS - 1) / (4 * INLINE_DWORDS);
}

/* Returns the number of dwords behind header `index` of a copy's data. */
static uint32_t cuda_inline_dwords(const struct cuda_call *call, uint32_t index)
{
    const uint32_t left = ((uint32_t)call->bytes + 3) / 4 - index * INLINE_DWORDS;

    return left < INLINE_DWORDS ? left : INLINE_DWORDS;
}

/* The transfer, with a release when it is complete, and then the headers of its data, each of which
 * is a segment of its own.  Methods: recorded (tests/hardware/data, h100, capture_copies), but for
 * the release, which is a report there. */
static void cuda_push_inline(const struct cuda *cuda, uint32_t stream, struct cuda_push *to,
                             const struct cuda_call *call)
{
    push_header(to, COMPUTE, NVA0C0_OFFSET_OUT_UPPER, 2);
    push_address(to, DEVICE_VA);
    push_header(to, COMPUTE, NVA0C0_LINE_LENGTH_IN, 2);
    push(to, (uint32_t)call->bytes);
    push(to, 1);
    push_header(to, COMPUTE, NVA0C0_SET_I2M_SEMAPHORE_A, 3);
    push_address(to, cuda_va(cuda, stream, SEMAPHORE));
    push(to, cuda->streams[stream].payload);
    push_header(to, COMPUTE, NVA0C0_LAUNCH_DMA, 1);
    push(to, 1 | 2u << 4 | 1u << 12); /* PITCH, RELEASE_SEMAPHORE, ONE_WORD */
    for (uint32_t i = 0; i < cuda_inline_count(call); i++)
        push(to, 3u << 29 | cuda_inline_dwords(call, i) << 16 | COMPUTE << 13 |
                     NVA0C0_LOAD_INLINE_DATA >> 2); /* the same method for each dword */
}

/* Returns the channel of the process for a call: for kernels the channel of the stream, for copies
 * one of four by direction. */
static uint32_t cuda_channel_for(const struct cuda *cuda, uint32_t stream,
                                 const struct cuda_operation *operation)
{
    const struct cuda_call *call = cuda_call_of(cuda, operation);
    const struct rm_cuda_context *context = &cuda_process(cuda, stream)->context;
    const uint32_t place =
        stream - cuda_context_first_stream(
                     cuda, cuda_context_of(cuda, cuda->program->streams[stream].process));
    const uint32_t tsg =
        call->kind == CUDA_MEMSET ? (uint32_t)CUDA_DEVICE_TO_DEVICE : (uint32_t)call->direction;

    if (cuda_computes(cuda, operation))
        return cuda->streams[stream].channel;
    return context->compute_count + context->copy_count * tsg + place % context->copy_count;
}

/* ---- submitting ------------------------------------------------------------------------------ */

/* Writes a GP entry; the channel is not told. */
static void cuda_put_entry(struct cuda *cuda, uint32_t stream, uint32_t channel, uint64_t va,
                           uint32_t dword_count)
{
    struct cuda_process_state *process = cuda_process(cuda, stream);
    const uint64_t entry =
        process->context.channels[channel].ring_physical + 8 * (uint64_t)process->put[channel];

    rm_poke(cuda->rm, entry, (uint32_t)va);
    rm_poke(cuda->rm, entry + 4, (uint32_t)(va >> 32) | dword_count << 10);
    process->put[channel] = (process->put[channel] + 1) % RM_CONTEXT_RING_ENTRIES;
    process->entries[channel]++;
}

/* Sends what was pushed; of a copy in the pushbuffer with its data, each piece behind its header,
 * which are the last dwords that were pushed. */
static void cuda_send(struct cuda *cuda, uint32_t stream, uint32_t channel,
                      const struct cuda_push *from, const struct cuda_call *inlined)
{
    const struct cuda_process_state *process = cuda_process(cuda, stream);
    const uint64_t va = cuda_va(cuda, stream, PUSHBUFFER);
    const uint32_t pieces = inlined ? cuda_inline_count(inlined) : 1;
    const uint32_t first = from->count - pieces + 1; /* dwords of the first segment */

    cuda_poke(cuda, stream, PUSHBUFFER, from->dwords, 4 * from->count);
    for (uint32_t i = 0; i < pieces; i++) {
        cuda_put_entry(cuda, stream, channel, i == 0 ? va : va + 4 * (uint64_t)(first + i - 1),
                       i == 0 ? first : 1);
        if (inlined)
            cuda_put_entry(cuda, stream, channel, process->context.heap_va + cuda_inline_data(cuda),
                           cuda_inline_dwords(inlined, i));
    }
    rm_channel_kick(cuda->rm, process->context.channels[channel].channel, process->put[channel]);
}

void cuda_submit_watch(struct cuda *cuda, uint32_t stream)
{
    machine_watch(cuda->machine, cuda->unit, stream * CUDA_EVENT_KINDS + CUDA_DONE, 0, MEMORY_VRAM,
                  cuda_process(cuda, stream)->context.heap_physical + cuda_place(cuda, stream) +
                      SEMAPHORE);
}

void cuda_submit_watch_started(struct cuda *cuda, uint32_t stream)
{
    machine_watch(
        cuda->machine, cuda->unit, stream * CUDA_EVENT_KINDS + CUDA_STARTED, 0, MEMORY_VRAM,
        cuda_process(cuda, stream)->context.heap_physical + cuda_place(cuda, stream) + STARTED);
}

uint32_t cuda_submit_semaphore(struct cuda *cuda, uint32_t stream)
{
    return cuda_peek(cuda, stream, SEMAPHORE);
}

uint32_t cuda_submit_started(struct cuda *cuda, uint32_t stream)
{
    return cuda_peek(cuda, stream, STARTED);
}

void cuda_submit(struct cuda *cuda, uint32_t stream)
{
    struct cuda_stream_state *state = &cuda->streams[stream];
    struct cuda_operation *operation = cuda_operation(cuda, state->first);
    const struct cuda_call *call = cuda_call_of(cuda, operation);
    const bool kernel = cuda_way_of(cuda, operation) == CUDA_BY_KERNEL;
    struct cuda_process_state *process = cuda_process(cuda, stream);
    const uint32_t channel = cuda_channel_for(cuda, stream, operation);
    const bool inlined = cuda_way_of(cuda, operation) == CUDA_INLINE;
    /* Of the entry with which the operation ends. */
    const uint64_t sequence =
        process->entries[channel] + (inlined ? 2 * cuda_inline_count(call) - 1 : 0);
    const uint32_t subchannel = kernel || inlined ? COMPUTE : COPY;
    struct cuda_push to = {.count = 0};

    state->payload++;
    state->dispatched = 0;
    if (cuda_channel_static(cuda) &&
        cuda_computes(cuda, operation)) /* other streams have the channel, too */
        cost_set_priority(
            cuda->costs,
            cuda_submit_channel_id(cuda, cuda->program->streams[stream].process, channel),
            cuda->program->streams[stream].priority);
    if (!(process->objects[channel] & 1u << subchannel))
        cuda_push_object(cuda, stream, &to, subchannel);
    process->objects[channel] |= 1u << subchannel;
    if (kernel) {
        cuda_write_qmd(cuda, stream, cuda->routes[operation->call].kernel);
        cuda_push_kernel(cuda, stream, &to);
        if (!cuda_channel_static(cuda)) /* B.C1 */
            cuda_submit_watch_started(cuda, stream);
    } else if (inlined) {
        cuda_push_inline(cuda, stream, &to, call);
    } else {
        cuda_push_copy(cuda, stream, &to, call);
    }
    cuda_submit_watch(cuda, stream);
    operation->sent = 1;
    operation->channel_id =
        cuda_submit_channel_id(cuda, cuda->program->streams[stream].process, channel);
    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_SUBMIT,
                kernel ? cuda_rule_head(cuda) : RULE_T_C1, operation->operation_id,
                operation->channel_id, sequence, kernel ? cuda_va(cuda, stream, 0) : 0);
    cuda_send(cuda, stream, channel, &to, inlined ? call : NULL);
}
