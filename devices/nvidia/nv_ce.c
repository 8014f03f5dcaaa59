/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_ce.h"

#include <assert.h>
#include <stdio.h>

#include "devices/core/core_events.h"
#include "devices/gpu_model.h"
#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/nv_tile.h"

enum nv_ce_event { NV_CE_COPY_END, NV_CE_RESUME };

static void nv_ce_event(void *unit, const struct event *event);
static const struct unit_ops nv_ce_ops = {.event = nv_ce_event};

void nv_ce_wire(struct nv_ce *ce, struct nv_host *host, struct nv_fe *fe, uint32_t engine_id,
                uint32_t instance)
{
    ce->machine = host->machine;
    ce->model = host->model;
    ce->host = host;
    ce->pbdmas = host->pbdmas;
    ce->fe = fe;
    ce->engine_id = engine_id;
    (void)snprintf(ce->name, sizeof ce->name, "nv_ce%u", instance);
    ce->unit = machine_add_unit(ce->machine, ce->name, &nv_ce_ops, ce);
    ce->state = machine_alloc(ce->machine, sizeof *ce->state);
}

static uint32_t nv_ce_shadow(const struct nv_ce *ce, uint32_t method)
{
    return ce->state->shadow[method / 4];
}

static bool nv_ce_known(uint32_t class_id, uint32_t method)
{
    struct nv_class_method found;

    return nv_class_lookup(nv_class_find(class_id), method, &found);
}

static bool nv_ce_reported(const struct nv_ce *ce, uint32_t method)
{
    return ce->state->reported[method / 128] >> (method / 4 % 32) & 1;
}

bool nv_ce_visible(const struct nv_ce *ce, uint32_t method)
{
    return method == NVC1B5_LAUNCH_DMA || method == NVC197_SET_OBJECT ||
           !nv_ce_known(ce->model->class_copy, method);
}

bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *intr_1_bit)
{
    const uint32_t class_id = REG_GET(method->data, NVC197_SET_OBJECT_CLASS_ID);

    if (method->method == NVC197_SET_OBJECT) {
        *intr_1_bit = NV_PPBDMA_INTR_1_HCE_ILLEGAL_CLASS_LO;
        /* GP10x takes GP100's class too (nouveau ce/gp102.c @2555693d). */
        return class_id != ce->model->class_copy && class_id != 0xc0b5;
    }
    *intr_1_bit = NV_PPBDMA_INTR_1_HCE_ILLEGAL_MTHD_LO;
    return !nv_ce_known(ce->model->class_copy, method->method);
}

void nv_ce_private(struct nv_ce *ce, const struct nv_method *method)
{
    ce->state->shadow[method->method / 4] = method->data;
}

static void nv_ce_unmodelled(struct nv_ce *ce, uint32_t method, uint32_t data, uint32_t what)
{
    if (nv_ce_reported(ce, method))
        return;
    ce->state->reported[method / 128] |= 1u << (method / 4 % 32);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_UNMODELLED, RULE_NONE, what,
                (uint64_t)ce->model->class_copy << 16 | method, data);
}

bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id)
{
    if (!ce->state->busy)
        return true;
    if (pbdma_id < GPU_PBDMAS_MAX)
        ce->state->waiting_pbdmas |= 1u << pbdma_id;
    return false;
}

/* ---- starting ------------------------------------------------------------------------------- */

static uint64_t nv_ce_address(const struct nv_ce *ce, uint32_t upper)
{
    return (uint64_t)(nv_ce_shadow(ce, upper) & 0x1ffff) << 32 | nv_ce_shadow(ce, upper + 4);
}

/* Bytes of an element: 1, or the remapped pixel's.  Source and destination have one size here. */
static uint32_t nv_ce_element_bytes(struct nv_ce *ce, uint32_t launch)
{
    const uint32_t remap = nv_ce_shadow(ce, NVC1B5_SET_REMAP_COMPONENTS);
    const uint32_t size = REG_GET(remap, NVC1B5_SET_REMAP_COMPONENTS_COMPONENT_SIZE) + 1;
    const uint32_t from = REG_GET(remap, NVC1B5_SET_REMAP_COMPONENTS_NUM_SRC_COMPONENTS) + 1;
    const uint32_t to = REG_GET(remap, NVC1B5_SET_REMAP_COMPONENTS_NUM_DST_COMPONENTS) + 1;
    bool identity = from == to;

    if (!REG_GET(launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE))
        return 1;
    for (uint32_t i = 0; i < to; i++)
        identity = identity && (remap >> (4 * i) & 7) == i;
    if (!identity)
        nv_ce_unmodelled(ce, NVC1B5_SET_REMAP_COMPONENTS, remap, UNMODELLED_FIELD);
    return size * from;
}

/* ASSUMED: widths and x origins of a surface count elements when components are remapped. */
static struct nv_ce_side nv_ce_side(struct nv_ce *ce, uint32_t launch, bool is_source)
{
    const uint32_t element = nv_ce_element_bytes(ce, launch);
    const uint32_t block =
        nv_ce_shadow(ce, is_source ? NVC1B5_SET_SRC_BLOCK_SIZE : NVC1B5_SET_DST_BLOCK_SIZE);
    const uint32_t origin =
        nv_ce_shadow(ce, is_source ? NVC1B5_SET_SRC_ORIGIN : NVC1B5_SET_DST_ORIGIN);

    return (struct nv_ce_side){
        .base = nv_ce_address(ce, is_source ? NVC1B5_OFFSET_IN_UPPER : NVC1B5_OFFSET_OUT_UPPER),
        .pitch = nv_ce_shadow(ce, is_source ? NVC1B5_PITCH_IN : NVC1B5_PITCH_OUT),
        .block_linear = is_source ? !REG_GET(launch, NVC1B5_LAUNCH_DMA_SRC_MEMORY_LAYOUT)
                                  : !REG_GET(launch, NVC1B5_LAUNCH_DMA_DST_MEMORY_LAYOUT),
        .surface =
            {
                .width_bytes =
                    nv_ce_shadow(ce, is_source ? NVC1B5_SET_SRC_WIDTH : NVC1B5_SET_DST_WIDTH) *
                    element,
                .height =
                    nv_ce_shadow(ce, is_source ? NVC1B5_SET_SRC_HEIGHT : NVC1B5_SET_DST_HEIGHT),
                .block_height_log2 = REG_GET(block, NVC1B5_SET_SRC_BLOCK_SIZE_HEIGHT),
                .block_depth_log2 = REG_GET(block, NVC1B5_SET_SRC_BLOCK_SIZE_DEPTH),
            },
        .origin_x = REG_GET(origin, NVC1B5_SET_SRC_ORIGIN_X) * element,
        .origin_y = REG_GET(origin, NVC1B5_SET_SRC_ORIGIN_Y),
        .layer = nv_ce_shadow(ce, is_source ? NVC1B5_SET_SRC_LAYER : NVC1B5_SET_DST_LAYER),
    };
}

/* The hardware would copy it; here it is a question of patience: tiled copies go in runs of 16
 * bytes. */
static void nv_ce_check_size(struct nv_ce *ce)
{
    const struct nv_ce_copy *copy = &ce->state->copy;
    const uint32_t run = copy->from.block_linear || copy->to.block_linear ? 16 : NV_CE_RUN_BYTES;
    const uint64_t runs =
        copy->line_bytes ? (uint64_t)copy->line_count * (copy->line_bytes / run + 1) : 0;

    if (copy->byte_count > machine_parameter(ce->machine, PARAM_LARGEST_COPY_BYTES) ||
        runs > machine_parameter(ce->machine, PARAM_LARGEST_COPY_RUNS))
        machine_fail(ce->machine, ERROR_LIMIT,
                     "channel %u starts a copy of %llu bytes in %llu pieces, more than "
                     "core.largest_copy_bytes or core.largest_copy_runs allow",
                     copy->channel_id, (unsigned long long)copy->byte_count,
                     (unsigned long long)runs);
}

/* Lines beyond 4 GiB do not exist: they would leave the address space. */
static uint32_t nv_ce_line_bytes(struct nv_ce *ce, uint32_t launch)
{
    const uint64_t bytes =
        (uint64_t)nv_ce_shadow(ce, NVC1B5_LINE_LENGTH_IN) * nv_ce_element_bytes(ce, launch);

    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static bool nv_ce_launch(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule)
{
    struct nv_ce_state *state = ce->state;
    const uint32_t launch = method->data;
    const bool transfers = REG_GET(launch, NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE) !=
                           NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE_NONE;
    const uint32_t lines = REG_GET(launch, NVC1B5_LAUNCH_DMA_MULTI_LINE_ENABLE)
                               ? nv_ce_shadow(ce, NVC1B5_LINE_COUNT)
                               : 1;
    struct nv_ce_copy *copy = &state->copy;
    gfe_ps end;

    if (state->busy) {
        state->waiting_pbdmas |= 1u << method->pbdma_id;
        *rule = RULE_T_C2;
        return false;
    }
    if (REG_GET(launch, NVC1B5_LAUNCH_DMA_SRC_TYPE) ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_DST_TYPE) ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_ENABLE) ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_INTERRUPT_TYPE) ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_VPRMODE))
        nv_ce_unmodelled(ce, NVC1B5_LAUNCH_DMA, launch, UNMODELLED_FIELD);
    *copy = (struct nv_ce_copy){
        .copy_id = machine_operation_id(ce->machine),
        .gp_sequence = method->gp_sequence,
        .semaphore_address = nv_ce_address(ce, NVC1B5_SET_SEMAPHORE_A),
        .semaphore_payload = nv_ce_shadow(ce, NVC1B5_SET_SEMAPHORE_PAYLOAD),
        .from = nv_ce_side(ce, launch, true),
        .to = nv_ce_side(ce, launch, false),
        .channel_id = method->channel_id,
        .space_id = method->space_id,
        .line_bytes = transfers ? nv_ce_line_bytes(ce, launch) : 0,
        .line_count = transfers ? lines : 0,
        .launch = launch,
    };
    copy->byte_count = (uint64_t)copy->line_bytes * copy->line_count;
    state->busy = 1;
    nv_ce_check_size(ce);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_QUEUE, RULE_NONE, copy->copy_id, copy->channel_id,
                ce->engine_id, copy->byte_count, copy->from.base, copy->to.base, copy->gp_sequence);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_START, RULE_T_C2, copy->copy_id, copy->channel_id,
                ce->engine_id, copy->byte_count);
    end =
        clock_add(nv_host_after(ce->host, machine_parameter(ce->machine, PARAM_COPY_SETUP_CYCLES)),
                  clock_transfer_ps(copy->byte_count, ce->model->copy_bytes_per_second));
    machine_schedule(ce->machine, ce->unit, end, NV_CE_COPY_END, 0);
    return true;
}

bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule)
{
    ce->state->shadow[method->method / 4] = method->data;
    if (method->method == NVC1B5_LAUNCH_DMA)
        return nv_ce_launch(ce, method, rule);
    assert(method->method == NVC197_SET_OBJECT); /* nv_ce_illegal() has refused all others */
    ce->state->object = REG_GET(method->data, NVC197_SET_OBJECT_CLASS_ID);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_SET_OBJECT, RULE_NV_SUBCHANNEL, method->channel_id,
                method->subchannel, ce->state->object);
    return true;
}

/* ---- moving --------------------------------------------------------------------------------- */

static uint64_t nv_ce_at(const struct nv_ce_side *side, uint32_t line, uint32_t x,
                         uint32_t *together)
{
    if (!side->block_linear)
        return side->base + (uint64_t)line * side->pitch + x;
    if (*together > nv_tile_run(side->origin_x + x))
        *together = nv_tile_run(side->origin_x + x);
    return side->base +
           nv_tile_offset(&side->surface, side->origin_x + x, side->origin_y + line, side->layer);
}

/* Moves one line.  False: a fault, the channel is stopped. */
static bool nv_ce_move_line(struct nv_ce *ce, const struct nv_ce_side *from,
                            const struct nv_ce_side *to, uint32_t line)
{
    const struct nv_ce_copy *copy = &ce->state->copy;
    uint8_t bytes[NV_CE_RUN_BYTES];

    for (uint32_t x = 0; x < copy->line_bytes;) {
        uint32_t together = copy->line_bytes - x;
        uint64_t source, destination, fault;

        if (together > sizeof bytes)
            together = sizeof bytes;
        source = nv_ce_at(from, line, x, &together);
        destination = nv_ce_at(to, line, x, &together);
        if (!machine_vm_read(ce->machine, copy->space_id, source, bytes, together, &fault)) {
            nv_fe_fault(ce->fe, copy->channel_id, fault, false);
            return false;
        }
        if (!machine_vm_write(ce->machine, copy->space_id, destination, bytes, together, &fault)) {
            nv_fe_fault(ce->fe, copy->channel_id, fault, true);
            return false;
        }
        x += together;
    }
    return true;
}

static bool nv_ce_move(struct nv_ce *ce)
{
    const struct nv_ce_copy *copy = &ce->state->copy;

    for (uint32_t line = 0; copy->line_bytes > 0 && line < copy->line_count; line++)
        if (!nv_ce_move_line(ce, &copy->from, &copy->to, line))
            return false;
    return true;
}

static void nv_ce_copy_end(struct nv_ce *ce)
{
    struct nv_ce_state *state = ce->state;
    const struct nv_ce_copy copy = state->copy;
    const uint32_t semaphore = REG_GET(copy.launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE);

    if (nv_ce_move(ce)) {
        MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_END, RULE_NONE, copy.copy_id, copy.channel_id,
                    ce->engine_id, copy.byte_count);
        if (semaphore != NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_NONE)
            (void)nv_fe_release(ce->fe, copy.channel_id, copy.space_id, copy.semaphore_address,
                                copy.semaphore_payload,
                                semaphore ==
                                    NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_RELEASE_FOUR_WORD_SEMAPHORE,
                                ce->model->class_copy, copy.gp_sequence);
    }
    state->copy = (struct nv_ce_copy){0};
    state->busy = 0;
    if (state->waiting_pbdmas)
        machine_schedule(ce->machine, ce->unit, machine_now(ce->machine), NV_CE_RESUME, 0);
}

static void nv_ce_event(void *unit, const struct event *event)
{
    struct nv_ce *ce = unit;
    const uint32_t waiting = ce->state->waiting_pbdmas;

    if (event->kind == NV_CE_COPY_END) {
        nv_ce_copy_end(ce);
        return;
    }
    assert(event->kind == NV_CE_RESUME);
    ce->state->waiting_pbdmas = 0;
    for (uint32_t i = 0; i < ce->model->pbdma_count; i++)
        if (waiting >> i & 1)
            nv_pbdma_resume(&ce->pbdmas[i]);
}
