/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_inject.h"

#include <string.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject_state.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_qmd.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_release.h"
#include "devices/nvidia/nv_runlist.h"

#define ONCE_MORE       (INJECT_BIT(INJECT_DUPLICATE) | INJECT_BIT(INJECT_DELAY))
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

/* Writes the release now.  A fault of translation is ignored: no unit waits for it any more. */
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

/* ---- rows ------------------------------------------------------------------------------------ */

// clang-format off
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
// clang-format on
/* The method registers OFFSET_IN_UPPER to LINE_COUNT, as they lie. */
// clang-format off
static const struct inject_field copy_fields[] = {
    {"offset_in_upper", 31, 0},    {"offset_in_lower", 63, 32},  {"offset_out_upper", 95, 64},
    {"offset_out_lower", 127, 96}, {"pitch_in", 159, 128},       {"pitch_out", 191, 160},
    {"line_length_in", 223, 192},  {"line_count", 255, 224},     {NULL, 0, 0},
};
#define CHANNEL_RAM_BIT(name, bit) {name, NV_CHANNEL_RAM_##bit, NV_CHANNEL_RAM_##bit}
static const struct inject_field channel_ram_fields[] = {
    CHANNEL_RAM_BIT("enable", ENABLE),
    CHANNEL_RAM_BIT("next", NEXT),
    CHANNEL_RAM_BIT("pending", PENDING),
    CHANNEL_RAM_BIT("pbdma_faulted", PBDMA_FAULTED),
    CHANNEL_RAM_BIT("eng_faulted", ENG_FAULTED),
    CHANNEL_RAM_BIT("ctx_reload", CTX_RELOAD),
    CHANNEL_RAM_BIT("on_pbdma", ON_PBDMA),
    CHANNEL_RAM_BIT("on_eng", ON_ENG),
    CHANNEL_RAM_BIT("acquire", ACQUIRE),
    CHANNEL_RAM_BIT("busy", BUSY),
    {NULL, 0, 0},
};
#define USERD_WORD(name, offset) {name, 8 * (offset) + 31, 8 * (offset)}
static const struct inject_field userd_fields[] = {
    USERD_WORD("put", NV_RAMUSERD_PUT),
    USERD_WORD("get", NV_RAMUSERD_GET),
    USERD_WORD("ref", NV_RAMUSERD_REF),
    USERD_WORD("put_hi", NV_RAMUSERD_PUT_HI),
    USERD_WORD("top_level_get", NV_RAMUSERD_TOP_LEVEL_GET),
    USERD_WORD("top_level_get_hi", NV_RAMUSERD_TOP_LEVEL_GET_HI),
    USERD_WORD("get_hi", NV_RAMUSERD_GET_HI),
    USERD_WORD("gp_get", NV_RAMUSERD_GP_GET),
    USERD_WORD("gp_put", NV_RAMUSERD_GP_PUT),
    {NULL, 0, 0},
};
// clang-format on
/* Pascal and before have two words, others four. */
// clang-format off
#define ENTRY_FIELD(name, word, field) {name, 32 * (word) + field##_HI, 32 * (word) + field##_LO}
static const struct inject_field gk104_entry_fields[] = {
    ENTRY_FIELD("id", 0, NV_RAMRL_ENTRY_ID),
    ENTRY_FIELD("type", 0, NV_RAMRL_ENTRY_TYPE),
    ENTRY_FIELD("runqueue", 0, NV_RAMRL_ENTRY_CHAN_RUNQUEUE),
    ENTRY_FIELD("timeslice_scale", 0, NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE),
    ENTRY_FIELD("timeslice_timeout", 0, NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT),
    ENTRY_FIELD("tsg_length", 0, NV_RAMRL_ENTRY_TSG_LENGTH),
    {"word0", 31, 0},
    {"word1", 63, 32},
    {NULL, 0, 0},
};
static const struct inject_field runlist_entry_fields[] = {
    ENTRY_FIELD("id", 2, NV_RAMRL_GV100_ENTRY_ID),
    ENTRY_FIELD("type", 0, NV_RAMRL_GV100_ENTRY_TYPE),
    ENTRY_FIELD("runqueue", 0, NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE),
    ENTRY_FIELD("timeslice_scale", 0, NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE),
    ENTRY_FIELD("timeslice_timeout", 0, NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT),
    ENTRY_FIELD("tsg_length", 1, NV_RAMRL_GV100_ENTRY_TSG_LENGTH),
    {"word0", 31, 0},
    {"word1", 63, 32},
    {"word2", 95, 64},
    {"word3", 127, 96},
    {NULL, 0, 0},
};
static const struct inject_field pce_map_fields[] = {{"lce", 3, 0}, {"present", 4, 4}, {NULL, 0, 0}};
// clang-format on

static const struct inject_field *runlist_entry_fields_of(const struct machine *machine)
{
    const struct nv_host *host = nv_inject_host(machine);

    return host && host->generation->runlist_form == NV_RUNLIST_FORM_GK104 ? gk104_entry_fields
                                                                           : runlist_entry_fields;
}

// clang-format off
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
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_DUPLICATE),
         .bytes = 8,
         .subject = "channel",
         .doc = "a GP entry, as the PBDMA has fetched it; lost: it does nothing; twice: it is "
                "fetched twice",
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
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_REORDER) | ONCE_MORE,
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
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_DUPLICATE),
         .bytes = 16,
         .subject = "runlist",
         .doc = "an entry, as the runlist is read (up to Pascal 8 bytes, and fields lie elsewhere); "
                "twice: it stands there twice",
         .fields = runlist_entry_fields,
         .fields_of = runlist_entry_fields_of},
    [NV_INJECT(NV_INJECT_RUNLIST_SUBMIT)] =
        {.name = "runlist_submit",
         .unit = "runlist",
         .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP) | ONCE_MORE,
         .bytes = 16, /* the members behind them are not contents, but are kept for delivery */
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
                                             .doc = "Host's word to an engine that it is to switch "
                                                    "contexts: lost, the one that is on stays "
                                                    "(CTXSW_STATE SWITCH; LOAD if none is on)"},
    [NV_INJECT(NV_INJECT_CONTEXT_SAVE)] = {.name = "context_save",
                                           .unit = "front end",
                                           .models = INJECT_BIT(INJECT_DROP),
                                           .subject = "engine",
                                           .doc = "the end of saving the context that leaves an "
                                                  "engine (CTXSW_STATE SAVE)"},
    [NV_INJECT(NV_INJECT_CONTEXT_LOAD)] = {.name = "context_load",
                                           .unit = "front end",
                                           .models = INJECT_BIT(INJECT_DROP),
                                           .subject = "engine",
                                           .doc = "the end of loading the context that comes to an "
                                                  "engine (CTXSW_STATE LOAD)"},
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
                                       .doc = "the end of a draw or clear: lost, the engine hangs, and is not saved"},
    [NV_INJECT(NV_INJECT_SM)] = {.name = "sm",
                                 .unit = "SM",
                                 .models = INJECT_BIT(INJECT_DROP),
                                 .subject = "SM",
                                 .doc = "an SM's word that a block has ended (all: the SM hangs)"},
    [NV_INJECT(NV_INJECT_PTOP)] = {.name = "ptop",
                                   .unit = "PTOP",
                                   .models = INJECT_CHANGES,
                                   .bytes = 4,
                                   .subject = "row",
                                   .doc = "a row of PTOP, the list of engines, as the driver reads it "
                                          "(NVIDIA's)"},
    [NV_INJECT(NV_INJECT_CHANNEL_RAM)] =
        {.name = "channel_ram",
         .unit = "Host",
         .place = INJECT_VENDOR,
         .models = INJECT_CHANGES,
         .bytes = 2,
         .subject = "CHANNEL",
         .doc = "what Host knows of a channel (CCSR, CHRAM); from on_pbdma on for triggers alone",
         .fields = channel_ram_fields,
         .read_state = nv_inject_state_channel,
         .write_state = nv_inject_state_set_channel},
    [NV_INJECT(NV_INJECT_USERD)] = {.name = "userd",
                                    .unit = "PBDMA",
                                    .place = INJECT_VENDOR,
                                    .models = INJECT_CHANGES,
                                    .bytes = NV_RAMUSERD_BYTES,
                                    .subject = "CHANNEL",
                                    .doc = "a channel's USERD in memory",
                                    .fields = userd_fields,
                                    .read_state = nv_inject_state_userd,
                                    .write_state = nv_inject_state_set_userd},
    [NV_INJECT(NV_INJECT_RAMFC)] = {.name = "ramfc",
                                    .unit = "PBDMA",
                                    .place = INJECT_VENDOR,
                                    .models = INJECT_CHANGES,
                                    .bytes = NV_RAMFC_BYTES,
                                    .subject = "CHANNEL",
                                    .doc = "a channel's RAMFC in memory, while it is bound",
                                    .fields = ramfc_fields,
                                    .read_state = nv_inject_state_ramfc,
                                    .write_state = nv_inject_state_set_ramfc},
    [NV_INJECT(NV_INJECT_PCE_MAP)] = {.name = "pce_map",
                                      .unit = "copy engine",
                                      .place = INJECT_VENDOR,
                                      .models = INJECT_CHANGES,
                                      .bytes = 1,
                                      .subject = "PCE",
                                      .doc = "which copy engine a physical one serves, and whether it "
                                             "is there (from Pascal on)",
                                      .fields = pce_map_fields,
                                      .read_state = nv_inject_state_pce,
                                      .write_state = nv_inject_state_set_pce},
};
// clang-format on

const struct inject_sites nv_inject_sites = {.rows = nv_inject_rows,
                                             .count = NV_INJECT(NV_INJECT_END),
                                             .holder = "channel",
                                             .space_of = nv_inject_state_space};
