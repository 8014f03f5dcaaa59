/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/hws/hws_packet.h"

#include <string.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"
#include "firmware-models/kfd/kfd_tables.h"

enum {
    PM4_TYPE_FILLER = 2,
    PM4_TYPE_PACKET = 3,
    NOP_OF_ONE_DWORD = 0x3fff, /* COUNT */
    DOORBELL_IDS = 16,
};
/* Selectors. */
enum {
    RESOURCES_OF_HIQ = 1,
    SLOT_BY_FIRMWARE = 1,
    COMPUTE_ENGINE = 0,
    SDMA0_ENGINE = 2,
    SDMA1_ENGINE = 3,
    ENGINE_BY_NUMBER = 1, /* EXTENDED_ENGINE_SEL: of SDMA */
    NORMAL_QUEUE = 0,
    STATIC_QUEUE = 2,
    STATIC_LOW_LATENCY_QUEUE = 3,
    ACTION_RESET = 1,
    QUERY_INTERRUPT = 0,
    QUERY_FENCE_INTERRUPT = 3,
};

/* Opcodes that may stand in the HIQ, and in a list. */
enum hws_packet_where { IN_HIQ = 1, IN_LIST = 2 };
static const struct hws_packet_form {
    uint8_t opcode, where;
    uint8_t dwords, or_dwords;
} hws_packet_forms[] = {
    {AMD_PM4_SET_RESOURCES, IN_HIQ, 8, 8}, {AMD_PM4_MAP_PROCESS, IN_LIST, 16, 21},
    {AMD_PM4_MAP_QUEUES, IN_LIST, 7, 7},   {AMD_PM4_RUN_LIST, IN_HIQ | IN_LIST, 4, 4},
    {AMD_PM4_UNMAP_QUEUES, IN_HIQ, 6, 6},  {AMD_PM4_QUERY_STATUS, IN_HIQ, 7, 7},
};

/* What the header says: how long the packet is.  *filler: there is nothing in it. */
static enum hws_packet_result hws_packet_check(uint32_t header, enum hws_packet_where where,
                                               uint32_t *dwords, bool *filler)
{
    const uint32_t opcode = AMD_PM4_OPCODE(header);

    *dwords = 1;
    *filler = AMD_PM4_TYPE(header) == PM4_TYPE_FILLER;
    if (*filler)
        return HWS_PACKET_DONE;
    if (AMD_PM4_TYPE(header) != PM4_TYPE_PACKET)
        return HWS_PACKET_BAD_TYPE;
    if (opcode == AMD_PM4_NOP) {
        *filler = true;
        if (AMD_PM4_COUNT(header) != NOP_OF_ONE_DWORD)
            *dwords = AMD_PM4_COUNT(header) + 2;
        return HWS_PACKET_DONE;
    }
    *dwords = AMD_PM4_COUNT(header) + 2;
    for (uint32_t i = 0; i < sizeof hws_packet_forms / sizeof hws_packet_forms[0]; i++)
        if (hws_packet_forms[i].opcode == opcode && (hws_packet_forms[i].where & where) != 0)
            return *dwords == hws_packet_forms[i].dwords || *dwords == hws_packet_forms[i].or_dwords
                       ? HWS_PACKET_DONE
                       : HWS_PACKET_BAD_LENGTH;
    return HWS_PACKET_BAD_OPCODE;
}

static bool hws_packet_fetch(struct hws_packets *packets, uint64_t address, uint32_t *dwords,
                             uint32_t count)
{
    uint64_t fault;

    return machine_vm_read(packets->hws->machine, packets->state->space_id, address, dwords,
                           count * sizeof *dwords, &fault);
}

static bool hws_packet_store(struct hws_packets *packets, uint64_t address, const uint32_t *dwords,
                             uint32_t count)
{
    uint64_t fault;

    return machine_vm_write(packets->hws->machine, packets->state->space_id, address, dwords,
                            count * sizeof *dwords, &fault);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Returns the engine of MAP_QUEUES or UNMAP_QUEUES, which have the fields at the same place:
 * HWS_COMPUTE, or 1 + number of the SDMA engine.  Returns HWS_NONE if there is no such engine. */
static uint32_t hws_packet_engine(const struct hws_packets *packets, const uint32_t *dwords)
{
    const uint32_t select = (uint32_t)amd_get(dwords, AMD_PM4_MAP_QUEUES_ENGINE_SEL);
    const uint32_t extended = (uint32_t)amd_get(dwords, AMD_PM4_MAP_QUEUES_EXTENDED_ENGINE_SEL);
    uint32_t engine = HWS_NONE;

    if (extended == 0 && select == COMPUTE_ENGINE)
        return HWS_COMPUTE;
    if (extended == ENGINE_BY_NUMBER)
        engine = select;
    else if (extended == 0 && (select == SDMA0_ENGINE || select == SDMA1_ENGINE))
        engine = select - SDMA0_ENGINE;
    return engine < packets->hws->sdma_engines ? 1 + engine : HWS_NONE;
}

static enum hws_packet_result hws_packet_map_queues(struct hws_packets *packets,
                                                    const uint32_t *dwords)
{
    const uint32_t type = (uint32_t)amd_get(dwords, AMD_PM4_MAP_QUEUES_QUEUE_TYPE);
    struct hws_queue queue = {
        .doorbell = (uint32_t)amd_get(dwords, AMD_PM4_MAP_QUEUES_DOORBELL_OFFSET),
        .engine = hws_packet_engine(packets, dwords),
        .mqd_address = amd_get(dwords, AMD_PM4_MAP_QUEUES_MQD_ADDR),
        .wptr_address = amd_get(dwords, AMD_PM4_MAP_QUEUES_WPTR_ADDR),
        .is_static = type != NORMAL_QUEUE,
    };

    if (amd_get(dwords, AMD_PM4_MAP_QUEUES_QUEUE_SEL) != SLOT_BY_FIRMWARE ||
        queue.engine == HWS_NONE || amd_get(dwords, AMD_PM4_MAP_QUEUES_NUM_QUEUES) != 1 ||
        (type != NORMAL_QUEUE && type != STATIC_QUEUE && type != STATIC_LOW_LATENCY_QUEUE))
        return HWS_PACKET_BAD_FIELD;
    queue.queue_id = queue.doorbell / 2;
    if (queue.engine == HWS_COMPUTE &&
        !hws_packet_fetch(packets,
                          queue.mqd_address + AMD_BITS_FIRST(AMD_MQD_V9_CP_HQD_QUEUE_PRIORITY) / 8,
                          &queue.priority, 1))
        return HWS_PACKET_BAD_ADDRESS;
    return hws_list_queue(packets->hws, &queue) ? HWS_PACKET_DONE : HWS_PACKET_BAD_LIST;
}

/* A list that is being read: where, and how far. */
struct hws_packet_list {
    uint64_t first, address;
    uint32_t dwords, at;
    uint32_t buffers;
    bool chained; /* its end is its beginning */
};

/* RUN_LIST within a list. */
static enum hws_packet_result hws_packet_chain(struct hws_packet_list *list, const uint32_t *dwords)
{
    if (!amd_get(dwords, AMD_PM4_RUN_LIST_CHAIN) || !amd_get(dwords, AMD_PM4_RUN_LIST_VALID))
        return HWS_PACKET_BAD_FIELD;
    list->address = amd_get(dwords, AMD_PM4_RUN_LIST_IB_BASE);
    list->dwords = (uint32_t)amd_get(dwords, AMD_PM4_RUN_LIST_IB_SIZE);
    list->at = 0;
    list->chained = list->address == list->first;
    return list->chained || ++list->buffers < HWS_PACKET_BUFFERS_MAX ? HWS_PACKET_DONE
                                                                     : HWS_PACKET_BAD_CHAIN;
}

/* A packet of a list passes where faults are injected, and is looked at anew.  `count` becomes 0 if
 * it is lost. */
static enum hws_packet_result hws_packet_listed_passes(struct hws_packets *packets,
                                                       uint32_t *dwords, uint32_t *count)
{
    const bool is_process = AMD_PM4_OPCODE(dwords[0]) == AMD_PM4_MAP_PROCESS;
    const uint64_t subject = is_process ? amd_get(dwords, AMD_PM4_MAP_PROCESS_PASID)
                                        : amd_get(dwords, AMD_PM4_MAP_QUEUES_DOORBELL_OFFSET) / 2;
    const struct hws *hws = packets->hws;
    enum hws_packet_result result;
    uint32_t said;
    bool filler;

    if (!machine_inject(hws->machine, hws->unit,
                        is_process ? AMD_INJECT_MAP_PROCESS : AMD_INJECT_MAP_QUEUES, subject,
                        dwords, *count * sizeof *dwords)) {
        *count = 0;
        return HWS_PACKET_DONE;
    }
    packets->state->header = dwords[0];
    result = hws_packet_check(dwords[0], IN_LIST, &said, &filler);
    if (result != HWS_PACKET_DONE || said != *count)
        return result != HWS_PACKET_DONE ? result : HWS_PACKET_BAD_LENGTH;
    *count = filler ? 0 : *count;
    return HWS_PACKET_DONE;
}

/* The next packet of a list. */
static enum hws_packet_result hws_packet_listed(struct hws_packets *packets,
                                                struct hws_packet_list *list)
{
    uint32_t dwords[HWS_PACKET_DWORDS_MAX], count;
    const uint64_t address = list->address + UINT64_C(4) * list->at;
    enum hws_packet_result result;
    bool filler;

    if (!hws_packet_fetch(packets, address, dwords, 1))
        return HWS_PACKET_BAD_ADDRESS;
    packets->state->header = dwords[0];
    result = hws_packet_check(dwords[0], IN_LIST, &count, &filler);
    if (result != HWS_PACKET_DONE)
        return result;
    if (count > list->dwords - list->at)
        return HWS_PACKET_TRUNCATED;
    list->at += count;
    if (filler)
        return HWS_PACKET_DONE;
    if (!hws_packet_fetch(packets, address, dwords, count))
        return HWS_PACKET_BAD_ADDRESS;
    if (AMD_PM4_OPCODE(dwords[0]) != AMD_PM4_RUN_LIST && packets->hws->machine->inject)
        result = hws_packet_listed_passes(packets, dwords, &count);
    if (result != HWS_PACKET_DONE || count == 0)
        return result;
    if (AMD_PM4_OPCODE(dwords[0]) == AMD_PM4_RUN_LIST)
        return hws_packet_chain(list, dwords);
    if (AMD_PM4_OPCODE(dwords[0]) == AMD_PM4_MAP_QUEUES)
        return hws_packet_map_queues(packets, dwords);
    /* What gfx90a's has of these stands where the other has it. */
    return hws_list_process(packets->hws, (uint32_t)amd_get(dwords, AMD_PM4_MAP_PROCESS_PASID),
                            (uint32_t)amd_get(dwords, AMD_PM4_MAP_PROCESS_PROCESS_QUANTUM))
               ? HWS_PACKET_DONE
               : HWS_PACKET_BAD_LIST;
}

static enum hws_packet_result hws_packet_run_list(struct hws_packets *packets,
                                                  const uint32_t *dwords)
{
    struct hws_packet_list list = {
        .first = amd_get(dwords, AMD_PM4_RUN_LIST_IB_BASE),
        .address = amd_get(dwords, AMD_PM4_RUN_LIST_IB_BASE),
        .dwords = (uint32_t)amd_get(dwords, AMD_PM4_RUN_LIST_IB_SIZE),
    };
    enum hws_packet_result result = HWS_PACKET_DONE;

    if (amd_get(dwords, AMD_PM4_RUN_LIST_CHAIN) || !amd_get(dwords, AMD_PM4_RUN_LIST_VALID))
        return HWS_PACKET_BAD_FIELD;
    hws_list_begin(packets->hws);
    while (result == HWS_PACKET_DONE && !list.chained && list.at < list.dwords)
        result = hws_packet_listed(packets, &list);
    if (result == HWS_PACKET_DONE)
        hws_list_end(packets->hws, (uint32_t)amd_get(dwords, AMD_PM4_RUN_LIST_PROCESS_CNT),
                     list.chained);
    return result;
}

/* ---- the HIQ --------------------------------------------------------------------------------- */

static enum hws_packet_result hws_packet_set_resources(struct hws_packets *packets,
                                                       const uint32_t *dwords)
{
    if (amd_get(dwords, AMD_PM4_SET_RESOURCES_QUEUE_TYPE) != RESOURCES_OF_HIQ)
        return HWS_PACKET_BAD_FIELD;
    hws_set_resources(packets->hws, (uint32_t)amd_get(dwords, AMD_PM4_SET_RESOURCES_VMID_MASK),
                      amd_get(dwords, AMD_PM4_SET_RESOURCES_QUEUE_MASK),
                      (uint32_t)amd_get(dwords, AMD_PM4_SET_RESOURCES_UNMAP_LATENCY));
    return HWS_PACKET_DONE;
}

static enum hws_packet_result hws_packet_unmap_queues(struct hws_packets *packets,
                                                      const uint32_t *dwords)
{
    static const uint32_t zeroes[DOORBELL_IDS];
    static const uint32_t doorbells[] = {AMD_PM4_UNMAP_QUEUES_DOORBELLS_DOORBELL_OFFSET0,
                                         AMD_PM4_UNMAP_QUEUES_DOORBELLS_DOORBELL_OFFSET1,
                                         AMD_PM4_UNMAP_QUEUES_DOORBELLS_DOORBELL_OFFSET2,
                                         AMD_PM4_UNMAP_QUEUES_DOORBELLS_DOORBELL_OFFSET3};
    const enum hws_select select = (enum hws_select)amd_get(dwords, AMD_PM4_UNMAP_QUEUES_QUEUE_SEL);
    const uint32_t action = (uint32_t)amd_get(dwords, AMD_PM4_UNMAP_QUEUES_ACTION);
    const uint32_t engine = hws_packet_engine(packets, dwords);
    uint32_t ids[4] = {0}, count = select == HWS_PASID;

    if (select == HWS_DOORBELLS)
        count = (uint32_t)amd_get(dwords, AMD_PM4_UNMAP_QUEUES_NUM_QUEUES);
    if (action > ACTION_RESET || count > 4 || engine == HWS_NONE)
        return HWS_PACKET_BAD_FIELD;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = (uint32_t)amd_get(dwords,
                                   select == HWS_PASID ? AMD_PM4_UNMAP_QUEUES_PASID : doorbells[i]);
    if (packets->state->hiq_mqd)
        (void)hws_packet_store(
            packets, packets->state->hiq_mqd + AMD_BITS_FIRST(AMD_MQD_V9_QUEUE_DOORBELL_ID0) / 8,
            zeroes, DOORBELL_IDS);
    hws_unmap_sdma(packets->hws, engine, select, action == ACTION_RESET, ids, count);
    return HWS_PACKET_DONE;
}

static enum hws_packet_result hws_packet_query_status(struct hws_packets *packets,
                                                      const uint32_t *dwords)
{
    const uint32_t command = (uint32_t)amd_get(dwords, AMD_PM4_QUERY_STATUS_COMMAND);
    struct amd_inject_write fence = {.address = amd_get(dwords, AMD_PM4_QUERY_STATUS_ADDR),
                                     .value = amd_get(dwords, AMD_PM4_QUERY_STATUS_DATA),
                                     .space_id = packets->state->space_id,
                                     .bytes = 8,
                                     .writer = AMD_INJECT_BY_FIRMWARE};
    uint32_t words[2];

    if (command == QUERY_INTERRUPT || command == QUERY_FENCE_INTERRUPT)
        packets->state->query_count++;
    if (command == QUERY_INTERRUPT)
        return HWS_PACKET_DONE;
    if (!machine_inject(packets->hws->machine, packets->hws->unit, AMD_INJECT_FENCE, 0, &fence,
                        sizeof fence))
        return HWS_PACKET_DONE;
    words[0] = (uint32_t)fence.value;
    words[1] = (uint32_t)(fence.value >> 32);
    MACHINE_LOG(packets->hws->machine, packets->hws->unit, EVENT_HWS_FENCE, RULE_NONE,
                fence.address, fence.value);
    return hws_packet_store(packets, fence.address, words, 2) ? HWS_PACKET_DONE
                                                              : HWS_PACKET_BAD_ADDRESS;
}

static enum hws_packet_result hws_packet_execute(struct hws_packets *packets,
                                                 const uint32_t *dwords)
{
    switch (AMD_PM4_OPCODE(dwords[0])) {
    case AMD_PM4_SET_RESOURCES:
        return hws_packet_set_resources(packets, dwords);
    case AMD_PM4_RUN_LIST:
        return hws_packet_run_list(packets, dwords);
    case AMD_PM4_UNMAP_QUEUES:
        return hws_packet_unmap_queues(packets, dwords);
    default:
        return hws_packet_query_status(packets, dwords);
    }
}

/* It passes where faults are injected, and is looked at anew. */
static enum hws_packet_result hws_packet_carry_out(struct hws_packets *packets,
                                                   const uint32_t *dwords, uint32_t count)
{
    const struct hws *hws = packets->hws;
    uint32_t passing[HWS_PACKET_DWORDS_MAX], said;
    enum hws_packet_result result;
    bool filler;

    if (!hws->machine->inject)
        return hws_packet_execute(packets, dwords);
    memcpy(passing, dwords, count * sizeof *passing);
    if (!machine_inject(hws->machine, hws->unit, AMD_INJECT_HIQ, AMD_PM4_OPCODE(dwords[0]), passing,
                        count * sizeof *passing))
        return HWS_PACKET_DONE;
    packets->state->header = passing[0];
    result = hws_packet_check(passing[0], IN_HIQ, &said, &filler);
    if (result == HWS_PACKET_DONE && said != count)
        result = HWS_PACKET_BAD_LENGTH;
    return result != HWS_PACKET_DONE || filler ? result : hws_packet_execute(packets, passing);
}

enum hws_packet_result hws_packet_read(struct hws_packets *packets, const uint32_t *dwords,
                                       uint32_t count, uint32_t *used)
{
    enum hws_packet_result result;
    uint32_t said;
    bool filler;

    *used = 0;
    if (packets->state->stopped)
        return HWS_PACKET_STOPPED;
    if (packets->hws->state->unmapping)
        return HWS_PACKET_WAITS;
    packets->state->header = dwords[0];
    result = hws_packet_check(dwords[0], IN_HIQ, &said, &filler);
    if (result == HWS_PACKET_DONE && said > count)
        return HWS_PACKET_MORE;
    if (result == HWS_PACKET_DONE && !filler)
        result = hws_packet_carry_out(packets, dwords, said);
    if (result == HWS_PACKET_DONE) {
        *used = said;
        return result;
    }
    packets->state->stopped = result;
    hws_disarm(packets->hws);
    packets->hws->state->listed = 0; /* no slot is given any more */
    MACHINE_LOG(packets->hws->machine, packets->hws->unit, EVENT_HWS_STOP, RULE_NONE, result,
                packets->state->header);
    return result;
}

void hws_packet_refused(struct hws_packets *packets, const struct hws_queue *queue, uint32_t index)
{
    if (packets->state->hiq_mqd && index < DOORBELL_IDS)
        (void)hws_packet_store(packets,
                               packets->state->hiq_mqd +
                                   AMD_BITS_FIRST(AMD_MQD_V9_QUEUE_DOORBELL_ID0) / 8 +
                                   UINT64_C(4) * index,
                               &queue->doorbell, 1);
}

void hws_packet_add(struct hws_packets *packets, struct hws *hws)
{
    *packets = (struct hws_packets){.hws = hws};
    packets->state = machine_alloc(hws->machine, sizeof *packets->state);
}

void hws_packet_begin(struct hws_packets *packets, uint32_t space_id, uint64_t hiq_mqd)
{
    *packets->state = (struct hws_packet_state){.hiq_mqd = hiq_mqd, .space_id = space_id};
}
