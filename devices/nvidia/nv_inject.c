/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_inject.h"

#include <string.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_qmd.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_release.h"
#include "devices/nvidia/nv_runlist.h"

#define ONCE_MORE (INJECT_BIT(INJECT_DUPLICATE) | INJECT_BIT(INJECT_DELAY))
#define NV_INJECT(site) ((site)-INJECT_SITE_VENDOR)

/* ---- what is late or comes twice ------------------------------------------------------------- */

static void doorbell_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                             const void *data)
{
    uint32_t channel_id;

    (void)subject;
    memcpy(&channel_id, data, sizeof channel_id);
    nv_channel_doorbell(machine->units[unit].unit, channel_id);
}

/* A fault of translation now has nobody who waits for the release any more. */
static void release_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                            const void *data)
{
    struct nv_release release;
    uint64_t fault;

    (void)subject;
    memcpy(&release, data, sizeof release);
    (void)nv_release_write(machine, unit, &release, &fault);
}

static void submit_deliver(struct machine *machine, uint32_t unit, uint64_t subject,
                           const void *data)
{
    struct nv_runlist_submission submission;

    (void)subject;
    memcpy(&submission, data, sizeof submission);
    nv_runlist_submit(machine->units[unit].unit, (enum memory_aperture)submission.aperture,
                      submission.base, submission.entry_count, submission.offset);
}

/* ---- channel RAM ------------------------------------------------------------------------------ */

enum channel_ram_bit {
    CHANNEL_RAM_ENABLE,
    CHANNEL_RAM_NEXT,
    CHANNEL_RAM_PENDING,
    CHANNEL_RAM_PBDMA_FAULTED,
    CHANNEL_RAM_ENG_FAULTED,
    CHANNEL_RAM_CTX_RELOAD,
};

static struct nv_host *channel_ram_host(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, "nv_host") == 0)
            return machine->units[i].unit;
    return NULL;
}

static bool channel_ram_read(struct machine *machine, uint64_t subject, uint32_t *word)
{
    const struct nv_host *host = channel_ram_host(machine);
    const struct nv_channel *channel =
        subject <= UINT32_MAX ? nv_channel_get(host, (uint32_t)subject) : NULL;

    if (!channel || !channel->bound)
        return false;
    *word = (uint32_t)channel->enabled << CHANNEL_RAM_ENABLE |
            (uint32_t)channel->next << CHANNEL_RAM_NEXT |
            (uint32_t)channel->pending << CHANNEL_RAM_PENDING |
            (uint32_t)channel->pbdma_faulted << CHANNEL_RAM_PBDMA_FAULTED |
            (uint32_t)channel->eng_faulted << CHANNEL_RAM_ENG_FAULTED |
            (uint32_t)channel->ctx_reload << CHANNEL_RAM_CTX_RELOAD;
    return true;
}

static void channel_ram_faulted(struct nv_host *host, uint32_t channel_id, uint32_t bit, bool one)
{
    const bool pbdma = bit == CHANNEL_RAM_PBDMA_FAULTED;

    if (one)
        nv_channel_fault(host, channel_id, pbdma, !pbdma);
    else
        nv_channel_clear_fault(host, channel_id, pbdma, !pbdma);
}

static void channel_ram_write(struct machine *machine, uint64_t subject, uint32_t word)
{
    struct nv_host *host = channel_ram_host(machine);
    const uint32_t channel_id = (uint32_t)subject;
    struct nv_channel *channel = nv_channel_get(host, channel_id);
    uint32_t before;

    if (!channel_ram_read(machine, subject, &before))
        return;
    channel->next = word >> CHANNEL_RAM_NEXT & 1;
    channel->ctx_reload = word >> CHANNEL_RAM_CTX_RELOAD & 1;
    for (uint32_t bit = CHANNEL_RAM_PBDMA_FAULTED; bit <= CHANNEL_RAM_ENG_FAULTED; bit++)
        if ((word ^ before) >> bit & 1)
            channel_ram_faulted(host, channel_id, bit, word >> bit & 1);
    nv_channel_enable(host, channel_id, word >> CHANNEL_RAM_ENABLE & 1);
    if ((word & ~before) >> CHANNEL_RAM_PENDING & 1)
        nv_channel_make_pending(host, channel_id);
    else
        channel->pending = word >> CHANNEL_RAM_PENDING & 1;
    nv_channel_changed(host, channel);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const struct inject_field gp_entry_fields[] = {
    {"fetch", 0, 0},   {"get", 31, 2},     {"get_hi", 39, 32}, {"priv", 40, 40},
    {"level", 41, 41}, {"length", 62, 42}, {"sync", 63, 63},   {NULL, 0, 0},
};
static const struct inject_field header_fields[] = {
    {"method", 11, 0}, {"subchannel", 15, 13}, {"count", 28, 16}, {"type", 31, 29}, {NULL, 0, 0}};
#define RAMFC_WORD(name, offset) {name, 8 * (offset) + 31, 8 * (offset)}
static const struct inject_field ramfc_fields[] = {
    RAMFC_WORD("gp_put", NV_PPBDMA_GP_PUT),
    RAMFC_WORD("gp_get", NV_PPBDMA_GP_GET),
    RAMFC_WORD("gp_fetch", NV_PPBDMA_GP_FETCH),
    RAMFC_WORD("gp_base", NV_PPBDMA_GP_BASE),
    RAMFC_WORD("gp_base_hi", NV_PPBDMA_GP_BASE_HI),
    RAMFC_WORD("get", NV_PPBDMA_GET),
    RAMFC_WORD("get_hi", NV_PPBDMA_GET_HI),
    RAMFC_WORD("put", NV_PPBDMA_PUT),
    RAMFC_WORD("put_hi", NV_PPBDMA_PUT_HI),
    RAMFC_WORD("userd", NV_PPBDMA_USERD),
    RAMFC_WORD("userd_hi", NV_PPBDMA_USERD_HI),
    RAMFC_WORD("signature", NV_PPBDMA_SIGNATURE),
    RAMFC_WORD("pb_header", NV_PPBDMA_PB_HEADER),
    RAMFC_WORD("pb_count", NV_PPBDMA_PB_COUNT),
    RAMFC_WORD("target", NV_PPBDMA_TARGET),
    RAMFC_WORD("acquire", NV_PPBDMA_ACQUIRE),
    {NULL, 0, 0},
};
static const struct inject_field release_fields[] = {
    {"address", 63, 0}, {"payload", 127, 64}, {NULL, 0, 0}};
static const struct inject_field submit_fields[] = {
    {"base", 63, 0}, {"length", 95, 64}, {"offset", 127, 96}, {NULL, 0, 0}};
/* The method registers OFFSET_IN_UPPER to LINE_COUNT, as they lie. */
static const struct inject_field copy_fields[] = {
    {"offset_in_upper", 31, 0},    {"offset_in_lower", 63, 32},  {"offset_out_upper", 95, 64},
    {"offset_out_lower", 127, 96}, {"pitch_in", 159, 128},       {"pitch_out", 191, 160},
    {"line_length_in", 223, 192},  {"line_count", 255, 224},     {NULL, 0, 0},
};
static const struct inject_field channel_ram_fields[] = {
    {"enable", CHANNEL_RAM_ENABLE, CHANNEL_RAM_ENABLE},
    {"next", CHANNEL_RAM_NEXT, CHANNEL_RAM_NEXT},
    {"pending", CHANNEL_RAM_PENDING, CHANNEL_RAM_PENDING},
    {"pbdma_faulted", CHANNEL_RAM_PBDMA_FAULTED, CHANNEL_RAM_PBDMA_FAULTED},
    {"eng_faulted", CHANNEL_RAM_ENG_FAULTED, CHANNEL_RAM_ENG_FAULTED},
    {"ctx_reload", CHANNEL_RAM_CTX_RELOAD, CHANNEL_RAM_CTX_RELOAD},
    {NULL, 0, 0},
};
static const struct inject_field runlist_entry_fields[] = {
    {"word0", 31, 0}, {"word1", 63, 32}, {"word2", 95, 64}, {"word3", 127, 96}, {NULL, 0, 0}};

static const struct inject_site nv_inject_rows[NV_INJECT(NV_INJECT_END)] = {
    CORE_INJECT_ROWS,
    [NV_INJECT(NV_INJECT_DOORBELL)] =
        {.name = "doorbell",
         .unit = "Host",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_REORDER) | ONCE_MORE,
         .bytes = 4,
         .subject = "channel",
         .doc = "the news that a channel's GP_PUT has moved; its contents are the channel's number",
         .deliver = doorbell_deliver},
    [NV_INJECT(NV_INJECT_GP_PUT)] = {.name = "gp_put",
                                     .unit = "PBDMA",
                                     .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
                                     .bytes = 4,
                                     .subject = "channel",
                                     .doc = "GP_PUT, as the PBDMA reads it from USERD"},
    [NV_INJECT(NV_INJECT_GP_GET)] = {.name = "gp_get",
                                     .unit = "PBDMA",
                                     .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
                                     .bytes = 4,
                                     .subject = "channel",
                                     .doc = "GP_GET, as the PBDMA writes it to USERD"},
    [NV_INJECT(NV_INJECT_GP_ENTRY)] =
        {.name = "gp_entry",
         .unit = "PBDMA",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 8,
         .subject = "channel",
         .doc = "a GP entry, as the PBDMA has fetched it; lost: it does nothing",
         .fields = gp_entry_fields},
    [NV_INJECT(NV_INJECT_HEADER)] = {.name = "header",
                                     .unit = "PBDMA",
                                     .models = INJECT_CHANGES,
                                     .bytes = 4,
                                     .subject = "channel",
                                     .doc = "a method header of the pushbuffer, as it is decoded",
                                     .fields = header_fields},
    [NV_INJECT(NV_INJECT_DATA)] = {.name = "data",
                                   .unit = "PBDMA",
                                   .models = INJECT_CHANGES,
                                   .bytes = 4,
                                   .subject = "channel",
                                   .doc = "a method's data in the pushbuffer, as it is decoded"},
    [NV_INJECT(NV_INJECT_RELEASE)] =
        {.name = "release",
         .unit = "Host",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | ONCE_MORE,
         .bytes = 16,
         .subject = "channel",
         .doc = "a semaphore release, of Host or an engine, on its way to memory",
         .fields = release_fields,
         .deliver = release_deliver},
    [NV_INJECT(NV_INJECT_ACQUIRE)] = {.name = "acquire",
                                      .unit = "Host",
                                      .models = INJECT_CHANGES,
                                      .bytes = 8,
                                      .subject = "channel",
                                      .doc = "the value that an acquire reads"},
    [NV_INJECT(NV_INJECT_RAMFC_LOAD)] =
        {.name = "ramfc_load",
         .unit = "PBDMA",
         .models = INJECT_CHANGES,
         .bytes = NV_RAMFC_BYTES,
         .subject = "channel",
         .doc = "RAMFC, on its way into a PBDMA's registers (bits as gfe regs nv_pbdma has them)",
         .fields = ramfc_fields},
    [NV_INJECT(NV_INJECT_RAMFC_SAVE)] = {.name = "ramfc_save",
                                         .unit = "PBDMA",
                                         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
                                         .bytes = NV_RAMFC_BYTES,
                                         .subject = "channel",
                                         .doc = "RAMFC, on its way back to memory",
                                         .fields = ramfc_fields},
    [NV_INJECT(NV_INJECT_RUNLIST_ENTRY)] =
        {.name = "runlist_entry",
         .unit = "runlist",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
         .bytes = 16,
         .subject = "runlist",
         .doc = "an entry, as the runlist is read (Pascal: its 8 bytes)",
         .fields = runlist_entry_fields},
    [NV_INJECT(NV_INJECT_RUNLIST_SUBMIT)] =
        {.name = "runlist_submit",
         .unit = "runlist",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | ONCE_MORE,
         .bytes = 16, /* behind them is what is no contents, but has to be held */
         .subject = "runlist",
         .doc = "software's word that a runlist is to be read",
         .fields = submit_fields,
         .deliver = submit_deliver},
    [NV_INJECT(NV_INJECT_PREEMPT_DONE)] =
        {.name = "preempt_done",
         .unit = "runlist",
         .models = INJECT_BIT(INJECT_DROP),
         .subject = "runlist",
         .doc = "the end of a preemption; lost: PENDING stays until something else moves (all: ever)"},
    [NV_INJECT(NV_INJECT_CONTEXT_SWITCH)] = {.name = "context_switch",
                                             .unit = "front end",
                                             .models = INJECT_BIT(INJECT_DROP),
                                             .subject = "engine",
                                             .doc = "the end of an engine's context switch"},
    [NV_INJECT(NV_INJECT_QMD)] = {.name = "qmd",
                                  .unit = "front end",
                                  .models = INJECT_CHANGES & ~INJECT_BIT(INJECT_VALUE),
                                  .bytes = 4 * NV_QMD_DWORDS,
                                  .subject = "channel",
                                  .doc = "a compute launch's descriptor, as the front end reads it"},
    [NV_INJECT(NV_INJECT_COPY)] =
        {.name = "copy",
         .unit = "copy engine",
         .models = INJECT_CHANGES,
         .bytes = 32,
         .subject = "channel",
         .doc = "a copy engine's OFFSET_IN_UPPER to LINE_COUNT when a copy is launched",
         .fields = copy_fields},
    [NV_INJECT(NV_INJECT_COPY_END)] = {.name = "copy_end",
                                       .unit = "copy engine",
                                       .models = INJECT_BIT(INJECT_DROP),
                                       .subject = "channel",
                                       .doc = "a copy's end: lost, it signals nothing"},
    [NV_INJECT(NV_INJECT_WORK_END)] = {.name = "work_end",
                                       .unit = "front end",
                                       .models = INJECT_BIT(INJECT_DROP),
                                       .subject = "channel",
                                       .doc = "the end of a draw or clear: lost, the engine hangs"},
    [NV_INJECT(NV_INJECT_CHANNEL_RAM)] = {.name = "channel_ram",
                                          .unit = "Host",
                                          .place = INJECT_VENDOR,
                                          .models = INJECT_CHANGES,
                                          .bytes = 4,
                                          .subject = "CHANNEL",
                                          .doc = "what Host knows of a channel (CCSR, CHRAM)",
                                          .fields = channel_ram_fields,
                                          .read_state = channel_ram_read,
                                          .write_state = channel_ram_write},
};

const struct inject_sites nv_inject_sites = {.rows = nv_inject_rows,
                                             .count = NV_INJECT(NV_INJECT_END)};
