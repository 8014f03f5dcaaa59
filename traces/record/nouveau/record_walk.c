/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/nouveau/record_walk.h"

#include <string.h>

#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/formats/nv_report.h"

enum {
    KIND_3D = 0x97,
    KIND_COMPUTE = 0xc0,
    KIND_INLINE = 0x40,
    KIND_2D = 0x2d,
    KIND_COPY = 0xb5,
    HOST_METHODS_END = 0x100, /* below it are Host's methods, whatever the subchannel */
    METHOD_SET_OBJECT = 0,
};

/* What is found goes here. */
struct walk_out {
    record_walk_found *found;
    void *context;
};

/* The methods that the classes share, as the comment in the header says. */
_Static_assert((int)NVA097_SET_REPORT_SEMAPHORE_A == (int)NVA0C0_SET_REPORT_SEMAPHORE_A &&
                   (int)NVC197_SET_REPORT_SEMAPHORE_D == (int)NVA0C0_SET_REPORT_SEMAPHORE_D,
               "3D and compute report at the same methods");
_Static_assert((int)NVA040_LAUNCH_DMA == (int)NVA0C0_LAUNCH_DMA &&
                   (int)NVA140_SET_I2M_SEMAPHORE_A == (int)NVA0C0_SET_I2M_SEMAPHORE_A &&
                   (int)NVA040_LOAD_INLINE_DATA == (int)NVA0C0_LOAD_INLINE_DATA,
               "compute has the methods of inline to memory");
_Static_assert((int)NV902D_NOTIFY == (int)NVA040_NOTIFY &&
                   (int)NV902D_NOTIFY == (int)NVA0C0_NOTIFY &&
                   (int)NV902D_NOTIFY == (int)NVA097_NOTIFY,
               "all engine classes notify at the same methods");

void record_walk_init(struct record_walk *walk, uint16_t copy_class)
{
    memset(walk, 0, sizeof *walk);
    walk->objects[RECORD_WALK_COPY_SUBCHANNEL].class_id = copy_class;
}

static uint64_t semaphore_va(const struct record_walk_semaphore *semaphore, unsigned upper_hi)
{
    return (uint64_t)nv_bits(semaphore->upper, upper_hi, 0) << 32 | semaphore->lower;
}

/* The n-th of A (upper), B (lower), C (payload) gets its data. */
static void semaphore_set(struct record_walk_semaphore *semaphore, uint32_t n, uint32_t data)
{
    if (n == 0)
        semaphore->upper = data;
    else if (n == 1)
        semaphore->lower = data;
    else
        semaphore->payload = data;
}

/* ---- Host ------------------------------------------------------------------------------------ */

/* IMIN, IMAX, IXOR, IAND, IOR, IADD, INC, DEC. */
static const uint8_t host_ops[] = {RECORD_WALK_MIN, RECORD_WALK_MAX, RECORD_WALK_XOR,
                                   RECORD_WALK_AND, RECORD_WALK_OR,  RECORD_WALK_ADD,
                                   RECORD_WALK_INC, RECORD_WALK_DEC};

static void host_execute(const struct record_walk *walk, uint32_t data, const struct walk_out *out)
{
    const uint32_t operation = nv_field(data, NVB06F_SEMAPHORED_OPERATION);
    const uint32_t op = nv_field(data, NVB06F_SEMAPHORED_REDUCTION);
    struct record_walk_write write = {
        .va = semaphore_va(&walk->host, NVA06F_SEMAPHOREA_OFFSET_UPPER_HI) & ~3ull,
        .why = TRACE_WHY_HOST_SEMAPHORE,
        .payload = walk->host.payload,
    };

    if (operation == NVB06F_SEMAPHORED_OPERATION_RELEASE) {
        write.four_words =
            nv_field(data, NVB06F_SEMAPHORED_RELEASE_SIZE) == NVB06F_SEMAPHORED_RELEASE_SIZE_16BYTE;
    } else if (operation == NVB06F_SEMAPHORED_OPERATION_REDUCTION) {
        write.reduction = true;
        write.reduction_op = op < sizeof host_ops ? host_ops[op] : RECORD_WALK_OP_COUNT;
        write.reduction_signed =
            nv_field(data, NVB06F_SEMAPHORED_FORMAT) == NVB06F_SEMAPHORED_FORMAT_SIGNED;
    } else {
        return;
    }
    out->found(out->context, &write);
}

static void host_sem_execute(const struct record_walk *walk, uint32_t data,
                             const struct walk_out *out)
{
    const uint32_t operation = nv_field(data, NVC36F_SEM_EXECUTE_OPERATION);
    const bool wide =
        nv_field(data, NVC36F_SEM_EXECUTE_PAYLOAD_SIZE) == NVC36F_SEM_EXECUTE_PAYLOAD_SIZE_64BIT;
    const uint32_t op = nv_field(data, NVC36F_SEM_EXECUTE_REDUCTION);
    struct record_walk_write write = {
        .va = semaphore_va(&walk->host, NVA06F_SEMAPHOREA_OFFSET_UPPER_HI) & ~3ull,
        .why = TRACE_WHY_HOST_SEMAPHORE,
        .payload = walk->host.payload,
    };

    if (operation == NVC36F_SEM_EXECUTE_OPERATION_RELEASE) {
        write.payload_hi = wide ? walk->host.payload_hi : 0;
        write.two_words = wide;
        write.four_words = nv_field(data, NVC36F_SEM_EXECUTE_RELEASE_TIMESTAMP) != 0;
    } else if (operation == NVC36F_SEM_EXECUTE_OPERATION_REDUCTION) {
        write.reduction = true;
        write.reduction_op = !wide && op < sizeof host_ops ? host_ops[op] : RECORD_WALK_OP_COUNT;
        write.reduction_signed = nv_field(data, NVC36F_SEM_EXECUTE_REDUCTION_FORMAT) ==
                                 NVC36F_SEM_EXECUTE_REDUCTION_FORMAT_SIGNED;
    } else {
        return;
    }
    out->found(out->context, &write);
}

static void host_method(struct record_walk *walk, uint32_t method, uint32_t data,
                        const struct walk_out *out)
{
    if (method >= NVA06F_SEMAPHOREA && method <= NVA06F_SEMAPHOREC)
        semaphore_set(&walk->host, (method - NVA06F_SEMAPHOREA) / 4, data);
    else if (method == NVB06F_SEMAPHORED)
        host_execute(walk, data, out);
    else if (method == NVC36F_SEM_ADDR_LO)
        walk->host.lower = data;
    else if (method == NVC36F_SEM_ADDR_HI)
        walk->host.upper = data;
    else if (method == NVC36F_SEM_PAYLOAD_LO)
        walk->host.payload = data;
    else if (method == NVC36F_SEM_PAYLOAD_HI)
        walk->host.payload_hi = data;
    else if (method == NVC36F_SEM_EXECUTE)
        host_sem_execute(walk, data, out);
}

/* ---- 3D and compute reports ------------------------------------------------------------------ */

/* RED_ADD, MIN, MAX, INC, DEC, AND, OR, XOR: the order of the reports and of inline to memory. */
static const uint8_t engine_ops[] = {RECORD_WALK_ADD, RECORD_WALK_MIN, RECORD_WALK_MAX,
                                     RECORD_WALK_INC, RECORD_WALK_DEC, RECORD_WALK_AND,
                                     RECORD_WALK_OR,  RECORD_WALK_XOR};

/* Compute has no REPORT_ONLY. */
static void report_execute(const struct record_walk_object *object, uint32_t data,
                           const struct walk_out *out)
{
    const bool is_3d = (object->class_id & 0xffu) == KIND_3D;
    const uint32_t operation = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_OPERATION);
    struct record_walk_write write = {
        .va = semaphore_va(&object->report, NVA097_SET_REPORT_SEMAPHORE_A_OFFSET_UPPER_HI),
        .why = TRACE_WHY_LONG_REPORT,
        .payload = object->report.payload,
    };

    if (operation != NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE &&
        (operation != NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_REPORT_ONLY || !is_3d))
        return;
    write.four_words = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_STRUCTURE_SIZE) ==
                       NVC197_SET_REPORT_SEMAPHORE_D_STRUCTURE_SIZE_FOUR_WORDS;
    if (!write.four_words)
        write.why = TRACE_WHY_SHORT_REPORT;
    if (nv_report_counts_64_bits(data)) {
        write.why = TRACE_WHY_COUNTER;
        write.payload = 0;
    }
    write.reduction = operation == NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE &&
                      nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_ENABLE) != 0;
    write.reduction_op = engine_ops[nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_OP)];
    write.reduction_signed = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_FORMAT) ==
                             NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_FORMAT_SIGNED_32;
    out->found(out->context, &write);
}

static void report_method(struct record_walk_object *object, uint32_t method, uint32_t data,
                          const struct walk_out *out)
{
    if (method >= NVA097_SET_REPORT_SEMAPHORE_A && method <= NVA097_SET_REPORT_SEMAPHORE_C)
        semaphore_set(&object->report, (method - NVA097_SET_REPORT_SEMAPHORE_A) / 4, data);
    else if (method == NVC197_SET_REPORT_SEMAPHORE_D)
        report_execute(object, data, out);
}

/* ---- inline to memory ------------------------------------------------------------------------ */

static void inline_complete(struct record_walk_object *object, const struct walk_out *out)
{
    const uint32_t launch = object->inline_launch;
    struct record_walk_write write = {
        .va = semaphore_va(&object->inline_data, NVA140_SET_I2M_SEMAPHORE_A_OFFSET_UPPER_HI),
        .why = TRACE_WHY_I2M_SEMAPHORE,
        .payload = object->inline_data.payload,
        .four_words = nv_field(launch, NVA040_LAUNCH_DMA_SEMAPHORE_STRUCT_SIZE) ==
                      NVA040_LAUNCH_DMA_SEMAPHORE_STRUCT_SIZE_FOUR_WORDS,
        .reduction = nv_field(launch, NVA040_LAUNCH_DMA_REDUCTION_ENABLE) != 0,
        .reduction_op = engine_ops[nv_field(launch, NVA040_LAUNCH_DMA_REDUCTION_OP)],
        .reduction_signed = nv_field(launch, NVA040_LAUNCH_DMA_REDUCTION_FORMAT) ==
                            NVA040_LAUNCH_DMA_REDUCTION_FORMAT_SIGNED_32,
    };

    object->inline_left_bytes = 0;
    out->found(out->context, &write);
}

static void inline_launch(struct record_walk_object *object, uint32_t data,
                          const struct walk_out *out)
{
    if (nv_field(data, NVA040_LAUNCH_DMA_COMPLETION_TYPE) !=
        NVA040_LAUNCH_DMA_COMPLETION_TYPE_RELEASE_SEMAPHORE)
        return;
    object->inline_launch = data;
    object->inline_left_bytes = (uint64_t)object->line_length * object->line_count;
    if (object->inline_left_bytes == 0)
        inline_complete(object, out);
}

static void inline_method(struct record_walk_object *object, uint32_t method, uint32_t data,
                          const struct walk_out *out)
{
    /* Any other method ends the data: what the box still lacks never comes. */
    if (object->inline_left_bytes > 0 && method != NVA040_LOAD_INLINE_DATA)
        inline_complete(object, out);
    if (method == NVA040_LINE_LENGTH_IN)
        object->line_length = data;
    else if (method == NVA040_LINE_COUNT)
        object->line_count = data;
    else if (method >= NVA140_SET_I2M_SEMAPHORE_A && method <= NVA040_SET_I2M_SEMAPHORE_C)
        semaphore_set(&object->inline_data, (method - NVA140_SET_I2M_SEMAPHORE_A) / 4, data);
    else if (method == NVA040_LAUNCH_DMA)
        inline_launch(object, data, out);
    else if (method == NVA040_LOAD_INLINE_DATA && object->inline_left_bytes > 4)
        object->inline_left_bytes -= 4;
    else if (method == NVA040_LOAD_INLINE_DATA && object->inline_left_bytes > 0)
        inline_complete(object, out);
}

/* ---- copy ------------------------------------------------------------------------------------ */

static void copy_launch(const struct record_walk_object *object, uint32_t data,
                        const struct walk_out *out)
{
    static const uint8_t ops[] = {RECORD_WALK_MIN, RECORD_WALK_MAX, RECORD_WALK_XOR,
                                  RECORD_WALK_AND, RECORD_WALK_OR,  RECORD_WALK_ADD,
                                  RECORD_WALK_INC, RECORD_WALK_DEC};
    const uint32_t type = nv_field(data, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE);
    const uint32_t op = nv_field(data, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION);
    const struct record_walk_write write = {
        .va = semaphore_va(&object->copy, NVC0B5_SET_SEMAPHORE_A_UPPER_HI),
        .why = TRACE_WHY_COPY_SEMAPHORE,
        .payload = object->copy.payload,
        .four_words = type == NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_RELEASE_FOUR_WORD_SEMAPHORE,
        .reduction = nv_field(data, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_ENABLE) != 0,
        .reduction_op = op < sizeof ops ? ops[op] : RECORD_WALK_OP_COUNT,
        .reduction_signed = nv_field(data, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_SIGN) ==
                            NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_SIGN_SIGNED,
    };

    if (write.four_words || type == NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_RELEASE_ONE_WORD_SEMAPHORE)
        out->found(out->context, &write);
}

static void copy_method(struct record_walk_object *object, uint32_t method, uint32_t data,
                        const struct walk_out *out)
{
    if (method >= NVC0B5_SET_SEMAPHORE_A && method <= NVA0B5_SET_SEMAPHORE_PAYLOAD)
        semaphore_set(&object->copy, (method - NVC0B5_SET_SEMAPHORE_A) / 4, data);
    else if (method == NVC1B5_LAUNCH_DMA)
        copy_launch(object, data, out);
}

/* ---- notifiers ------------------------------------------------------------------------------- */

static void notify_write(struct record_walk_object *object, const struct walk_out *out)
{
    /* c0c0 has 8 bits of upper address where 902d has 25; the address space has 40. */
    const struct record_walk_write write = {
        .va = semaphore_va(&object->notify, NVA097_SET_NOTIFY_A_ADDRESS_UPPER_HI),
        .why = TRACE_WHY_NOTIFY,
        .four_words = true,
    };

    object->notify_armed = false;
    out->found(out->context, &write);
}

static void notify_method(struct record_walk_object *object, uint32_t method, uint32_t data,
                          const struct walk_out *out)
{
    if (object->notify_armed)
        notify_write(object, out);
    if (method == NV902D_SET_NOTIFY_A || method == NV902D_SET_NOTIFY_B)
        semaphore_set(&object->notify, (method - NV902D_SET_NOTIFY_A) / 4, data);
    else if (method == NV902D_NOTIFY)
        object->notify_armed = true;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static void walk_method(struct record_walk *walk, uint32_t method, uint32_t data,
                        const struct walk_out *out)
{
    struct record_walk_object *object = &walk->objects[walk->header.subchannel];
    const uint32_t kind = object->class_id & 0xffu;

    if (method == METHOD_SET_OBJECT) {
        memset(object, 0, sizeof *object);
        object->class_id = (uint16_t)data; /* NVCLASS is 15:0 */
        return;
    }
    if (method < HOST_METHODS_END) {
        host_method(walk, method, data, out);
        return;
    }
    if (kind == KIND_3D || kind == KIND_COMPUTE || kind == KIND_INLINE || kind == KIND_2D)
        notify_method(object, method, data, out);
    if (kind == KIND_3D || kind == KIND_COMPUTE)
        report_method(object, method, data, out);
    if (kind == KIND_INLINE || kind == KIND_COMPUTE)
        inline_method(object, method, data, out);
    if (kind == KIND_COPY)
        copy_method(object, method, data, out);
}

void record_walk_segment(struct record_walk *walk, const uint32_t *dwords, uint64_t count,
                         record_walk_found *found, void *context)
{
    const struct walk_out out = {found, context};

    for (uint64_t i = 0; i < count; i++) {
        if (walk->data_left > 0) {
            walk->data_left--;
            walk_method(walk, nv_header_method(&walk->header, walk->data_index++), dwords[i], &out);
            continue;
        }
        walk->header = nv_header_decode(dwords[i]);
        walk->data_index = 0;
        walk->data_left = walk->header.count;
        if (walk->header.kind == NV_HEADER_IMMD)
            walk_method(walk, walk->header.method, walk->header.immediate, &out);
        else if (walk->header.kind == NV_HEADER_END_SEGMENT)
            return;
    }
}

void record_walk_idle(struct record_walk *walk, record_walk_found *found, void *context)
{
    const struct walk_out out = {found, context};

    for (int i = 0; i < RECORD_WALK_SUBCHANNELS; i++)
        if (walk->objects[i].notify_armed)
            notify_write(&walk->objects[i], &out);
}

static bool reduce_less(const struct record_walk_write *write, uint32_t left, uint32_t right)
{
    return write->reduction_signed ? (int32_t)left < (int32_t)right : left < right;
}

uint32_t record_walk_reduce(const struct record_walk_write *write, uint32_t before)
{
    const uint32_t operand = write->payload;

    switch (write->reduction_op) {
    case RECORD_WALK_MIN:
        return reduce_less(write, operand, before) ? operand : before;
    case RECORD_WALK_MAX:
        return reduce_less(write, before, operand) ? operand : before;
    case RECORD_WALK_XOR:
        return before ^ operand;
    case RECORD_WALK_AND:
        return before & operand;
    case RECORD_WALK_OR:
        return before | operand;
    case RECORD_WALK_ADD:
        return before + operand;
    case RECORD_WALK_INC:
        return before >= operand ? 0 : before + 1;
    case RECORD_WALK_DEC:
        return before == 0 || before > operand ? operand : before - 1;
    default:
        return before;
    }
}
