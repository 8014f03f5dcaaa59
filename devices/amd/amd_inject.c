/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_inject.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_gpu.h"
#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/amd_mec.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_pm4_fields.h"
#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/amd_sdma_tables.h"
#include "emu/base/args.h"

#define ONCE_MORE        (INJECT_BIT(INJECT_DUPLICATE) | INJECT_BIT(INJECT_DELAY))
#define AMD_INJECT(site) ((site)-INJECT_SITE_VENDOR)
#define BANK_QUEUE       (UINT32_C(1) << 31) /* of a bank: a queue is named, not a slot */

/* ---- what is late or comes twice ------------------------------------------------------------- */

/* The unit is the first micro engine, which is a part of its GPU. */
static void doorbell_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                             const void *data)
{
    char *const mec = machine->units[unit].unit;
    struct amd_inject_doorbell doorbell;

    (void)subject;
    memcpy(&doorbell, data, sizeof doorbell);
    amd_gpu_doorbell((struct amd_gpu *)(void *)(mec - offsetof(struct amd_gpu, mec)),
                     doorbell.index, doorbell.value);
}

/* Writes the word now.  A fault of translation is ignored: no unit waits for the write any more. */
static void word_write(struct machine *machine, uint32_t space_id, uint64_t address, uint64_t value,
                       size_t bytes)
{
    uint64_t fault;

    if (machine_vm_write(machine, space_id, address, &value, bytes, &fault))
        machine_completed(machine, space_id, address, (uint32_t)value);
}

static void write_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                          const void *data)
{
    struct amd_inject_write write;

    memcpy(&write, data, sizeof write);
    if (write.writer == AMD_INJECT_BY_MEC)
        MACHINE_LOG(machine, unit, EVENT_AMD_WRITE, RULE_NONE, write.slot, subject, write.address,
                    write.value, write.bytes);
    else if (write.writer == AMD_INJECT_BY_SDMA)
        MACHINE_LOG(machine, unit, EVENT_AMD_SDMA_WRITE, RULE_NONE, write.engine, write.slot,
                    subject, write.address, write.value, write.bytes);
    word_write(machine, write.space_id, write.address, write.value, write.bytes);
}

/* Decrements the signal's value of that moment.  Wakes no waiter of a queue that left its slot. */
static void signal_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                           const void *data)
{
    struct amd_mec *mec = machine->units[unit].unit;
    const uint32_t slot_id = amd_mec_slot_of(mec, (uint32_t)subject);
    struct amd_inject_signal signal;
    uint64_t value, fault;

    memcpy(&signal, data, sizeof signal);
    if (slot_id != AMD_NO_SLOT) {
        amd_mec_signal_late(mec, slot_id, signal.packet, signal.signal, signal.begin_ps);
        return;
    }
    if (!machine_vm_read(machine, signal.space_id, signal.address, &value, sizeof value, &fault))
        return;
    MACHINE_LOG(machine, unit, EVENT_AMD_SIGNAL, RULE_NONE, subject, signal.packet, signal.signal,
                value - 1, 0);
    word_write(machine, signal.space_id, signal.address, value - 1, sizeof value);
}

/* The firmware is told by an event of its own. */
static void map_queues_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                               const void *data)
{
    uint32_t dwords[7];

    (void)subject;
    memcpy(dwords, data, sizeof dwords);
    machine_schedule(machine, unit, machine_now(machine), AMD_INJECT_LISTED_AGAIN,
                     amd_get(dwords, AMD_PM4_MAP_QUEUES_DOORBELL_OFFSET));
}

/* Puts an entry into the ring, which is found by its name: an entry without a cause has no unit as
 * its sender. */
static void ih_entry_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                             const void *data)
{
    uint32_t dwords[AMD_IH_ENTRY_DWORDS];

    (void)unit;
    (void)subject;
    memcpy(dwords, data, sizeof dwords);
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, "amd_ih") == 0)
            amd_ih_put_dwords(machine->units[i].unit, dwords);
}

/* Tells the driver, whose unit is found by its name, as no unit sends this. */
static void userptr_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                            const void *data)
{
    (void)unit;
    (void)data;
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, "kfd") == 0)
            machine_schedule(machine, i, machine_now(machine), AMD_INJECT_USERPTR_MOVED, subject);
}

/* ---- slots ----------------------------------------------------------------------------------- */

static struct amd_gc *slots_of(const struct machine *machine)
{
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, "amd_gc") == 0)
            return machine->units[i].unit;
    return NULL;
}

static const struct amd_mec *mec_of(const struct machine *machine)
{
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, "amd_mec") == 0)
            return machine->units[i].unit;
    return NULL;
}

/* ME.PIPE.QUEUE, from 1.0.0 up; or a queue by its doorbell: the slot in which it is then. */
static const char *slot_parse(const struct machine *machine, const char *text, uint32_t *bank)
{
    const struct amd_chip *chip = slots_of(machine)->chip;
    const char *slash = strchr(text, '/');
    const bool form = text[0] > '0' && text[1] == '.' && text[2] >= '0' && text[3] == '.' &&
                      text[4] >= '0' && text[5] == '/';
    char number[16];
    uint64_t queue;

    (void)snprintf(number, sizeof number, "%.*s", (int)(slash ? slash - text : 0), text);
    if (slash && slash - text < (ptrdiff_t)sizeof number && args_parse_number(number, &queue) &&
        queue < BANK_QUEUE) {
        *bank = BANK_QUEUE | (uint32_t)queue;
        return slash + 1;
    }
    if (!form || (uint32_t)(text[0] - '0') > chip->mec_count ||
        (uint32_t)(text[2] - '0') >= chip->pipes_per_mec ||
        (uint32_t)(text[4] - '0') >= chip->queues_per_pipe)
        return NULL;
    *bank = amd_slot_id((uint32_t)(text[0] - '0'), (uint32_t)(text[2] - '0'),
                        (uint32_t)(text[4] - '0'));
    return text + 6;
}

static bool slot_select(struct machine *machine, uint32_t bank, uint32_t *before)
{
    struct amd_gc *gc = slots_of(machine);

    *before = gc->state->selected;
    if (bank != AMD_NO_SLOT && bank & BANK_QUEUE) {
        bank = amd_mec_slot_of(mec_of(machine), bank & ~BANK_QUEUE);
        if (bank == AMD_NO_SLOT)
            return false;
    }
    amd_gc_show(gc, bank);
    return true;
}

/* ---- fields ---------------------------------------------------------------------------------- */

// clang-format off
#define FIELD(packet, field, dword, lo, width, shift, form, names)                                 \
    {#field, (dword)*32 + (lo) + (width)-1, (dword)*32 + (lo)},
#define FIELD_R(packet, field, dword, reg) {#field, (dword)*32 + 31, (dword)*32},

static const struct inject_field doorbell_fields[] = {{"value", 63, 0}, {"index", 95, 64}, {0}};
static const struct inject_field aql_fields[] = {
    {"TYPE", 7, 0}, AMD_AQL_KERNEL_DISPATCH_FIELDS(FIELD, FIELD_R){"DEP_SIGNAL0", 127, 64},
    {"DEP_SIGNAL1", 191, 128},
    {"DEP_SIGNAL2", 255, 192},
    {"DEP_SIGNAL3", 319, 256},
    {"DEP_SIGNAL4", 383, 320},
    {0}};
static const struct inject_field kernel_fields[] = {
    {"ENTRY", 191, 128}, {"RSRC3", 383, 352}, {"RSRC1", 415, 384}, {"RSRC2", 447, 416}, {0}};
static const struct inject_field word_fields[] = {{"address", 63, 0}, {"value", 127, 64}, {0}};
static const struct inject_field pm4_fields[] = {
    {"type", 31, 30}, {"count", 29, 16}, {"opcode", 15, 8}, {"predicate", 0, 0}, {0}};
static const struct inject_field body_fields[] = {
    {"dword1", 31, 0},    {"dword2", 63, 32},   {"dword3", 95, 64},   {"dword4", 127, 96},
    {"dword5", 159, 128}, {"dword6", 191, 160}, {"dword7", 223, 192}, {0}};
static const struct inject_field mqd_fields[] = {AMD_MQD_V9_FIELDS(FIELD, FIELD_R){0}};
static const struct inject_field mask_fields[] = {
    {"se0", 31, 0},    {"se1", 63, 32},   {"se2", 95, 64},   {"se3", 127, 96},
    {"se4", 159, 128}, {"se5", 191, 160}, {"se6", 223, 192}, {"se7", 255, 224},
    {0}};
static const struct inject_field process_fields[] = {
    {"OPCODE", 15, 8}, AMD_PM4_MAP_PROCESS_FIELDS(FIELD, FIELD_R){0}};
static const struct inject_field queues_fields[] = {
    {"OPCODE", 15, 8}, AMD_PM4_MAP_QUEUES_FIELDS(FIELD, FIELD_R){0}};
static const struct inject_field hiq_fields[] = {
    {"type", 31, 30},   {"count", 29, 16},    {"opcode", 15, 8},    {"dword1", 63, 32},
    {"dword2", 95, 64}, {"dword3", 127, 96},  {"dword4", 159, 128}, {"dword5", 191, 160},
    {"dword6", 223, 192}, {0}};
static const struct inject_field ih_fields[] = {AMD_IH_ENTRY_FIELDS(FIELD, FIELD_R){0}};
static const struct inject_field ih_wptr_fields[] = {{"overflow", 0, 0}, {"offset", 17, 2}, {0}};
static const struct inject_field sdma_fields[] = {
    {"op", 7, 0},         {"sub_op", 15, 8},    {"dword1", 63, 32},   {"dword2", 95, 64},
    {"dword3", 127, 96},  {"dword4", 159, 128}, {"dword5", 191, 160}, {"dword6", 223, 192},
    {0}};
static const struct inject_field sdma_mqd_fields[] = {AMD_SDMA_MQD_FIELDS(FIELD, FIELD_R){0}};
static const struct inject_field copy_fields[] = {
    {"source", 63, 0}, {"target", 127, 64},        {"bytes", 159, 128},
    {"rows", 191, 160}, {"source_pitch", 223, 192}, {"target_pitch", 255, 224},
    {0}};
// clang-format on

/* ---- rows ------------------------------------------------------------------------------------ */

// clang-format off
static const struct inject_site amd_inject_rows[AMD_INJECT(AMD_INJECT_END)] = {
    CORE_INJECT_ROWS,
    [AMD_INJECT(AMD_INJECT_DOORBELL)] =
        {.name = "doorbell",
         .unit = "HQD",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | ONCE_MORE | INJECT_BIT(INJECT_REORDER),
         .bytes = 12,
         .subject = "queue",
         .doc = "a store to a doorbell, of a program or the driver (queue 1 is the HIQ)",
         .fields = doorbell_fields,
         .deliver = doorbell_deliver},
    [AMD_INJECT(AMD_INJECT_WPTR)] = {.name = "wptr",
                                     .unit = "HQD",
                                     .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
                                     .bytes = 8,
                                     .subject = "queue",
                                     .doc = "the write pointer, as it is read from memory when a "
                                            "queue gets its slot"},
    [AMD_INJECT(AMD_INJECT_RPTR)] = {.name = "rptr",
                                     .unit = "HQD",
                                     .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
                                     .bytes = 8,
                                     .subject = "queue",
                                     .doc = "the read pointer, on its way to the program's memory"},
    [AMD_INJECT(AMD_INJECT_AQL)] = {.name = "aql",
                                    .unit = "MEC",
                                    .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
                                    .bytes = 4 * AMD_AQL_DWORDS,
                                    .subject = "queue",
                                    .doc = "an AQL packet, as it is fetched; lost: it does nothing",
                                    .fields = aql_fields},
    [AMD_INJECT(AMD_INJECT_KERNEL)] = {.name = "kernel",
                                       .unit = "MEC",
                                       .models = INJECT_CHANGES,
                                       .bytes = 64,
                                       .subject = "queue",
                                       .doc = "a kernel's descriptor, as a dispatch reads it",
                                       .fields = kernel_fields},
    [AMD_INJECT(AMD_INJECT_ACQUIRE)] = {.name = "acquire",
                                        .unit = "MEC",
                                        .models = INJECT_CHANGES,
                                        .bytes = 8,
                                        .subject = "queue",
                                        .doc = "a signal's value, as a barrier packet reads it"},
    [AMD_INJECT(AMD_INJECT_SIGNAL)] =
        {.name = "signal",
         .unit = "MEC",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_REORDER) | ONCE_MORE,
         .bytes = 16,
         .subject = "queue",
         .doc = "the decrement of a packet's completion signal, on its way to memory",
         .fields = word_fields,
         .deliver = signal_deliver},
    [AMD_INJECT(AMD_INJECT_RELEASE)] =
        {.name = "release",
         .unit = "MEC",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_REORDER) | ONCE_MORE,
         .bytes = 16,
         .subject = "queue",
         .doc = "what RELEASE_MEM, or SDMA's FENCE or ATOMIC, writes when it is done",
         .fields = word_fields,
         .deliver = write_deliver},
    [AMD_INJECT(AMD_INJECT_PM4_HEADER)] = {.name = "pm4_header",
                                           .unit = "MEC",
                                           .models = INJECT_CHANGES,
                                           .bytes = 4,
                                           .subject = "queue",
                                           .doc = "the header of a PM4 packet, as it is fetched",
                                           .fields = pm4_fields},
    [AMD_INJECT(AMD_INJECT_PM4_BODY)] =
        {.name = "pm4_body",
         .unit = "MEC",
         .models = INJECT_CHANGES,
         .bytes = 60,
         .subject = "queue",
         .doc = "the dwords behind the header, the first 15 of them, as they are fetched",
         .fields = body_fields},
    [AMD_INJECT(AMD_INJECT_MQD_LOAD)] =
        {.name = "mqd_load",
         .unit = "HQD",
         .models = INJECT_CHANGES,
         .bytes = 4 * AMD_MQD_DWORDS,
         .subject = "queue",
         .doc = "a queue's MQD, on its way into the registers of a slot",
         .fields = mqd_fields},
    [AMD_INJECT(AMD_INJECT_MQD_SAVE)] =
        {.name = "mqd_save",
         .unit = "HQD",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 4 * AMD_MQD_DWORDS,
         .subject = "queue",
         .doc = "a queue's MQD, on its way back to memory",
         .fields = mqd_fields},
    [AMD_INJECT(AMD_INJECT_VMID)] = {.name = "vmid",
                                     .unit = "HQD",
                                     .models = INJECT_CHANGES,
                                     .bytes = 1,
                                     .subject = "queue",
                                     .doc = "the VMID with which the firmware loads a queue: whose "
                                            "page tables it sees"},
    [AMD_INJECT(AMD_INJECT_CU_MASK)] =
        {.name = "cu_mask",
         .unit = "dispatcher",
         .models = INJECT_CHANGES,
         .bytes = 4 * AMD_SHADER_ENGINES_MAX,
         .subject = "queue",
         .doc = "the CUs of each shader engine that a dispatch may have",
         .fields = mask_fields},
    [AMD_INJECT(AMD_INJECT_CU)] = {.name = "cu",
                                   .unit = "CU",
                                   .models = INJECT_BIT(INJECT_DROP),
                                   .subject = "CU",
                                   .doc = "a CU's word that a block has ended (all: the CU hangs)"},
    [AMD_INJECT(AMD_INJECT_WAVE)] =
        {.name = "wave",
         .unit = "CU",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "CU",
         .doc = "the end of a block's first wave: lost, it holds its place for months"},
    [AMD_INJECT(AMD_INJECT_SAVE_END)] =
        {.name = "save_end",
         .unit = "CWSR",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "queue",
         .doc = "the end of a save of a queue's waves: lost, it never leaves its slot"},
    [AMD_INJECT(AMD_INJECT_RESTORE_END)] =
        {.name = "restore_end",
         .unit = "CWSR",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "queue",
         .doc = "the end of their restoring: lost, the queue does not go on"},
    [AMD_INJECT(AMD_INJECT_PREEMPT)] =
        {.name = "preempt",
         .unit = "HQD",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "queue",
         .doc = "the firmware's word to a slot that its queue has to leave"},
    [AMD_INJECT(AMD_INJECT_PREEMPT_DONE)] =
        {.name = "preempt_done",
         .unit = "HQD",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "queue",
         .doc = "the slot's word that it has left: lost, the firmware waits"},
    [AMD_INJECT(AMD_INJECT_MAP_PROCESS)] =
        {.name = "map_process",
         .unit = "HWS",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 60,
         .subject = "pasid",
         .doc = "MAP_PROCESS, as the firmware reads the runlist",
         .fields = process_fields},
    [AMD_INJECT(AMD_INJECT_MAP_QUEUES)] =
        {.name = "map_queues",
         .unit = "HWS",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_DUPLICATE),
         .bytes = 28,
         .subject = "queue",
         .doc = "MAP_QUEUES, as the firmware reads the runlist; twice: the queue gets two slots",
         .fields = queues_fields,
         .deliver = map_queues_deliver},
    [AMD_INJECT(AMD_INJECT_HIQ)] =
        {.name = "hiq",
         .unit = "HWS",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 28,
         .subject = "opcode",
         .doc = "a packet of the driver's to the firmware: 0xa0 SET_RESOURCES, 0xa3 UNMAP_QUEUES, "
                "0xa4 QUERY_STATUS, 0xa5 RUN_LIST",
         .fields = hiq_fields},
    [AMD_INJECT(AMD_INJECT_FENCE)] =
        {.name = "fence",
         .unit = "HWS",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_DELAY),
         .bytes = 16,
         .doc = "what the firmware answers to QUERY_STATUS: the driver waits for it",
         .fields = word_fields,
         .deliver = write_deliver},
    [AMD_INJECT(AMD_INJECT_IH_ENTRY)] =
        {.name = "ih_entry",
         .unit = "IH",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | ONCE_MORE |
                   INJECT_BIT(INJECT_REORDER) | INJECT_BIT(INJECT_SPURIOUS),
         .bytes = 4 * AMD_IH_ENTRY_DWORDS,
         .subject = "source",
         .doc = "an interrupt, on its way into the IH ring; source_id: 181 end of pipe, 183 bad "
                "opcode, 0 page fault",
         .fields = ih_fields,
         .deliver = ih_entry_deliver},
    [AMD_INJECT(AMD_INJECT_IH_WPTR)] =
        {.name = "ih_wptr",
         .unit = "IH",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 4,
         .doc = "the IH ring's write pointer; overflow: entries are said to be written over",
         .fields = ih_wptr_fields},
    [AMD_INJECT(AMD_INJECT_SDMA_PACKET)] =
        {.name = "sdma_packet",
         .unit = "SDMA",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 4 * AMD_SDMA_FIELD_DWORDS,
         .subject = "queue",
         .doc = "an SDMA packet, as it is fetched; lost: it does nothing",
         .fields = sdma_fields},
    [AMD_INJECT(AMD_INJECT_SDMA_MQD_LOAD)] =
        {.name = "sdma_mqd_load",
         .unit = "SDMA",
         .models = INJECT_CHANGES,
         .bytes = 4 * AMD_SDMA_MQD_DWORDS,
         .subject = "queue",
         .doc = "an SDMA queue's MQD, on its way into the engine",
         .fields = sdma_mqd_fields},
    [AMD_INJECT(AMD_INJECT_SDMA_MQD_SAVE)] =
        {.name = "sdma_mqd_save",
         .unit = "SDMA",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 4 * AMD_SDMA_MQD_DWORDS,
         .subject = "queue",
         .doc = "an SDMA queue's MQD, on its way back to memory",
         .fields = sdma_mqd_fields},
    [AMD_INJECT(AMD_INJECT_COPY)] =
        {.name = "copy",
         .unit = "SDMA",
         .models = INJECT_CHANGES,
         .bytes = 32,
         .subject = "queue",
         .doc = "where an SDMA engine copies or fills, and how much: counts less one",
         .fields = copy_fields},
    [AMD_INJECT(AMD_INJECT_COPY_END)] =
        {.name = "copy_end",
         .unit = "SDMA",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "queue",
         .doc = "the end of a copy or fill: lost, the engine hangs"},
    [AMD_INJECT(AMD_INJECT_USERPTR)] =
        {.name = "userptr",
         .unit = "kernel",
         .models = INJECT_BIT(INJECT_SPURIOUS),
         .subject = "pasid",
         .doc = "an MMU notifier's word that pages of a process's user pointers move, as when memory "
                "is swapped or migrated: the driver takes its queues off until they are pinned again",
         .deliver = userptr_deliver},
};
// clang-format on

const struct inject_sites amd_inject_sites = {.rows = amd_inject_rows,
                                              .count = AMD_INJECT(AMD_INJECT_END),
                                              .holder = "queue",
                                              .bank_form = "ME.PIPE.QUEUE/ or DOORBELL/",
                                              .bank_parse = slot_parse,
                                              .bank_select = slot_select};
