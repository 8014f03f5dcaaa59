/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/debug/kfd_inspect.h"

#include <inttypes.h>
#include <stdlib.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_decode.h"
#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "emu/sim/amd_node.h"
#include "emu/engine/inspect_regs.h"

/* A view of the one GPU. */
static json_t *new_view(const char *name, const struct inspect_subject *subject)
{
    json_t *view = inspect_new(name);

    if (view && json_object_set_new(view, "node", json_integer(AMD_NODE_NUMBER)) == 0 &&
        json_object_set_new(view, "gpu_id", json_integer(subject->node->gpu_id)) == 0)
        return view;
    json_decref(view);
    return NULL;
}

static json_t *dwords_json(const uint32_t *dwords, uint32_t count)
{
    json_t *json = json_array();

    for (uint32_t i = 0; json && i < count; i++)
        if (json_array_append_new(json, json_integer(dwords[i])) != 0) {
            json_decref(json);
            return NULL;
        }
    return json;
}

/* ---- hqds ------------------------------------------------------------------------------------ */

/* Adds the registers of [first, last], byte offsets; false when memory is short. */
static bool add_registers(json_t *registers, struct machine *machine, uint32_t first, uint32_t last)
{
    for (uint32_t offset = first; offset <= last; offset += 4) {
        struct reg_assign reg;
        const bool known = reg_assign_find(&machine->mmio, offset, &reg);
        const uint32_t value = known ? machine_read32(machine, offset) : 0;
        json_t *json =
            json_pack("{so si sI so}", "register", known ? json_string(reg.row->name) : json_null(),
                      "offset", (int)offset, "value", (json_int_t)value, "fields",
                      known ? inspect_fields_json(&reg, value) : json_object());

        if (json_array_append_new(registers, json) != 0)
            return false;
    }
    return true;
}

static json_t *block_row(const char *block, uint32_t me, uint32_t pipe, uint32_t queue)
{
    return json_pack("{ss si si si si so}", "block", block, "inst", 0, "mec", (int)me, "pipe",
                     (int)pipe, "queue", (int)queue, "registers", json_array());
}

/* kgd_gfx_v9_hqd_dump(). */
static bool add_slot(json_t *view, struct machine *machine, const char *block, uint32_t me,
                     uint32_t pipe, uint32_t queue)
{
    json_t *row = block_row(block, me, pipe, queue);
    uint32_t control = REG_PUT(0, GRBM_GFX_CNTL__MEID, me);
    bool good;

    control = REG_PUT(control, GRBM_GFX_CNTL__PIPEID, pipe);
    control = REG_PUT(control, GRBM_GFX_CNTL__QUEUEID, queue);
    machine_write32(machine, GRBM_GFX_CNTL, control);
    good = row && add_registers(json_object_get(row, "registers"), machine, CP_MQD_BASE_ADDR,
                                CP_HQD_PQ_WPTR_HI);
    machine_write32(machine, GRBM_GFX_CNTL, 0);
    if (good)
        return inspect_add(view, row);
    json_decref(row);
    return false;
}

/* kgd_hqd_sdma_dump(), kgd_arcturus_hqd_sdma_dump(): Aldebaran's queues are shown with Arcturus's
 * offsets, so MIDCMD_DATA9 where MIDCMD_CNTL would be. */
static bool add_sdma(json_t *view, const struct amd_node *node, uint32_t engine, uint32_t queue)
{
    static const struct {
        uint32_t first, last;
    } parts[] = {{SDMA0_RLC0_RB_CNTL, SDMA0_RLC0_DOORBELL},
                 {SDMA0_RLC0_STATUS, SDMA0_RLC0_CSA_ADDR_HI},
                 {SDMA0_RLC0_IB_SUB_REMAIN, SDMA0_RLC0_MINOR_PTR_UPDATE},
                 {SDMA0_RLC0_MIDCMD_DATA0, SDMA0_RLC0_MIDCMD_CNTL}};
    const uint32_t base =
        amd_sdma_register(&node->gpu.sdma[engine], queue, parts[0].first) - parts[0].first;
    json_t *row = json_pack("{ss si si so}", "block", "SDMA", "engine", (int)engine, "queue",
                            (int)queue, "registers", json_array());
    bool good = row != NULL;

    for (uint32_t i = 0; good && i < sizeof parts / sizeof parts[0]; i++)
        good = add_registers(json_object_get(row, "registers"), node->machine,
                             base + parts[i].first, base + parts[i].last);
    if (good)
        return inspect_add(view, row);
    json_decref(row);
    return false;
}

static bool add_sdmas(json_t *view, const struct amd_node *node)
{
    bool good = true;

    for (uint32_t engine = 0; engine < node->gpu.sdma_links.engine_count; engine++)
        for (uint32_t queue = 0; good && queue < node->kfd->chip->sdma_queues_per_engine; queue++)
            good = add_sdma(view, node, engine, queue);
    return good;
}

static json_t *build_hqds(const struct inspect_subject *subject)
{
    const struct amd_node *node = subject->node;
    const struct amd_chip *chip = node->kfd->chip;
    const uint64_t slots = kfd_slot_mask(node->kfd);
    json_t *view = new_view("hqds", subject);
    bool good = view && add_slot(view, node->machine, "HIQ", 2, 0, 0);

    for (uint32_t pipe = 0; pipe < chip->pipes_per_mec; pipe++)
        for (uint32_t queue = 0; good && queue < chip->queues_per_pipe; queue++)
            if (slots >> (pipe * AMD_QUEUES_PER_PIPE_MAX + queue) & 1)
                good = add_slot(view, node->machine, "CP", 1, pipe, queue);
    return good && add_sdmas(view, node) ? view : inspect_no_memory(view, subject->error);
}

/* ---- mqds ------------------------------------------------------------------------------------ */

/* What a decoder finds in dwords, those themselves left out; NULL when memory is short. */
static json_t *packet_json(const struct amd_packet *packet)
{
    json_t *json = amd_decode_json(packet, UINT64_C(4) * packet->at);

    if (json)
        (void)json_object_del(json, "dwords");
    return json;
}

static json_t *mqd_row(const struct amd_node *node, uint32_t index)
{
    const struct kfd_queue *queue = &node->kfd->state->queues[index];
    const bool is_sdma = kfd_mqd_is_sdma(&queue->mqd);
    const uint32_t dwords = is_sdma ? AMD_SDMA_MQD_DWORDS : AMD_MQD_DWORDS;
    uint32_t mqd[AMD_MQD_DWORDS];
    struct amd_reader reader = {mqd, dwords, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    kfd_queue_read_mqd(node->kfd, index, mqd);
    (void)(is_sdma ? amd_sdma_mqd_next : amd_mqd_next)(&reader, &packet);
    return json_pack("{ss si si so so so}", "type", is_sdma ? "sdma" : "compute", "gpu_id",
                     (int)node->gpu_id, "queue_id", (int)kfd_queue_id(queue), "mqd_address",
                     json_sprintf("0x%" PRIx64, queue->mqd.mqd_address), "dwords",
                     dwords_json(mqd, dwords), "mqd", packet_json(&packet));
}

static json_t *process_row(const struct amd_node *node, uint32_t index)
{
    const struct kfd_process *process = &node->kfd->state->processes[index];
    json_t *queues = json_array();
    bool good = queues != NULL;

    for (uint32_t i = process->first_queue; good && i != KFD_NONE;
         i = node->kfd->state->queues[i].next)
        good = json_array_append_new(queues, mqd_row(node, i)) == 0;
    if (good)
        return json_pack("{si si so}", "process", (int)index + 1, "pasid", (int)process->pasid,
                         "queues", queues);
    json_decref(queues);
    return NULL;
}

static json_t *build_mqds(const struct inspect_subject *subject)
{
    json_t *view = new_view("mqds", subject);
    bool good = view != NULL;

    for (uint32_t i = 0; good && i < KFD_PROCESSES_MAX; i++)
        if (subject->node->kfd->state->processes[i].used)
            good = inspect_add(view, process_row(subject->node, i));
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- rls ------------------------------------------------------------------------------------- */

/* Adds `dwords` and the packets that they are. */
static bool add_list(json_t *view, const uint32_t *dwords, uint32_t count)
{
    struct amd_reader reader = {dwords, count, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    if (json_object_set_new(view, "dwords", dwords_json(dwords, count)) != 0)
        return false;
    while (amd_pm4_next(&reader, &packet))
        if (!inspect_add(view, packet_json(&packet)))
            return false;
    return true;
}

static json_t *build_rls(const struct inspect_subject *subject)
{
    const struct amd_node *node = subject->node;
    uint64_t physical;
    const uint32_t bytes = kfd_list(node->kfd, &physical);
    json_t *view = new_view("rls", subject);
    uint32_t *dwords = malloc(bytes + 4);
    bool good = view && dwords && json_object_set_new(view, "active", json_boolean(bytes > 0)) == 0;

    if (good && bytes > 0)
        good = machine_read(node->machine, MEMORY_SYSMEM, physical, dwords, bytes) &&
               json_object_set_new(view, "address",
                                   json_sprintf("0x%" PRIx64, kfd_va(node->kfd, physical))) == 0 &&
               add_list(view, dwords, bytes / 4);
    free(dwords);
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- all of them ----------------------------------------------------------------------------- */

const struct inspect_view kfd_inspect_views[] = {
    {"hqds", NULL, "registers of the hardware's queue slots, as in KFD's debugfs", build_hqds,
     kfd_inspect_print_hqds, false, INSPECT_AMD},
    {"mqds", NULL, "descriptors of each process's queues, as in KFD's debugfs", build_mqds,
     kfd_inspect_print_mqds, false, INSPECT_AMD},
    {"rls", NULL, "the list of queues that the firmware has, as in KFD's debugfs", build_rls,
     kfd_inspect_print_rls, false, INSPECT_AMD},
};
const uint32_t kfd_inspect_view_count = sizeof kfd_inspect_views / sizeof kfd_inspect_views[0];
