/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/bus_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/formats/nv_qmd.h"
#include "emu/engine/reg_assign.h"
#include "emu/sim/bare_gpu.h"
#include "emu/sim/gpus.h"
#include "traces/import/import_bus.h"

enum { BAR1_USERD = 0x100000, USERD_BYTES = 512, CHANNELS = 4096, PAGE = 4096 };

/* Headers of pushbuffer dwords (source: open-gpu-doc classes/host/clc06f.h). */
#define PB_INC(subchannel, method, count)                                                          \
    (UINT32_C(1) << 29 | (uint32_t)(count) << 16 | (uint32_t)(subchannel) << 13 |                  \
     (uint32_t)(method) >> 2)
#define PB_IMMD(subchannel, method, data)                                                          \
    (UINT32_C(4) << 29 | (uint32_t)(data) << 16 | (uint32_t)(subchannel) << 13 |                   \
     (uint32_t)(method) >> 2)

/* Notes the first failure. */
static void fail(struct bus_build *build, enum error_kind kind, const char *says)
{
    if (build->error.kind == ERROR_NONE)
        error_set(&build->error, kind, "a register-level program: %s", says);
}

static bool has_register(const struct bus_build *build, const char *name)
{
    struct reg_assign reg;

    return reg_assign_named(&build->bare.machine->mmio, name, REG_ASSIGN_ANY_UNIT, 0, &reg);
}

void bus_build_line(struct bus_build *build, const char *format, ...)
{
    va_list arguments;

    if (!build->file)
        return;
    va_start(arguments, format);
    (void)vfprintf(build->file, format, arguments);
    va_end(arguments);
    fputc('\n', build->file);
}

void bus_build_begin(struct bus_build *build, const char *gpu)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);

    *build = (struct bus_build){.heap = BUS_HEAP};
    if (!model) {
        (void)gpu_missing(gpu, NULL, &build->error);
        return;
    }
    if (!bare_gpu_init(&build->bare, model, &build->error))
        return;
    build->file = text_stream_open(&build->stream);
    if (!build->file) {
        fail(build, ERROR_SYSTEM, "no memory");
        return;
    }
    build->has_blocks = has_register(build, "NV_RUNLIST_SUBMIT");
    build->has_doorbell = build->has_blocks || has_register(build, "NV_USERMODE_CFG0");
    build->long_entries = build->has_doorbell;
    bus_build_line(build, "gfe-bus 1\ngpu %s", gpu);
    if (has_register(build, "NV_PMC_PBDMA_ENABLE"))
        bus_build_line(build, "NV_PMC_PBDMA_ENABLE = 0x%x",
                       (uint32_t)((UINT64_C(1) << model->pbdma_count) - 1));
    if (has_register(build, "NV_PFIFO_INTR_EN_0"))
        bus_build_line(build, "NV_PFIFO_INTR_EN_0 = 0x7fffffff");
    if (build->has_doorbell)
        return;
    build->userd = bus_build_alloc(build, USERD_BYTES * CHANNELS);
    bus_build_line(build, "map 0 0x%x %d 0x%" PRIx64, BAR1_USERD, USERD_BYTES * CHANNELS,
                   build->userd);
    bus_build_line(build, "NV_PFIFO_BAR1_BASE PTR=0x%x VALID=1", BAR1_USERD >> 12);
}

/* ---- memory ---------------------------------------------------------------------------------- */

uint64_t bus_build_alloc(struct bus_build *build, uint64_t bytes)
{
    const uint64_t at = build->heap;

    build->heap += (bytes + PAGE - 1) / PAGE * PAGE;
    if (build->heap <= BUS_HEAP_END)
        return at;
    fail(build, ERROR_LIMIT, "the heap is full");
    build->heap = BUS_HEAP;
    return BUS_HEAP;
}

void bus_build_words(struct bus_build *build, uint64_t physical, const uint32_t *words,
                     uint32_t count)
{
    if (!build->file)
        return;
    bus_build_line(build, "words 0x%" PRIx64, physical);
    for (uint32_t i = 0; i < count; i++)
        fprintf(build->file, "%s%08x", i % 8 == 0 ? (i ? "\n  " : "  ") : " ", words[i]);
    bus_build_line(build, "\nend");
}

uint64_t bus_build_space(struct bus_build *build)
{
    const uint64_t root = bus_build_alloc(build, PAGE);

    bus_build_line(build, "map 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64, root,
                   BUS_VA + BUS_HEAP, BUS_HEAP_END - BUS_HEAP, BUS_HEAP);
    return root;
}

void bus_build_system(struct bus_build *build, uint64_t root)
{
    const uint64_t piece = BUS_SYSTEM_BYTES / 8;

    for (uint64_t at = 0; at < BUS_SYSTEM_BYTES; at += piece)
        bus_build_line(build, "map 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0 sysmem", root,
                       BUS_SYSTEM + at, piece);
}

/* ---- channels -------------------------------------------------------------------------------- */

/* RAMFC and the instance block behind it (dev_ram; nouveau's ga100.c from Ampere on, where USERD
 * stands in the runlist entry). */
static void write_instance(struct bus_build *build, const struct bus_channel *channel)
{
    const uint64_t ring = BUS_VA + channel->ring, context = BUS_VA + channel->context;
    uint32_t words[0x218 / 4] = {
        [0x10 / 4] = 0xface,
        [0x30 / 4] = 0x7ffff902,
        [0x48 / 4] = (uint32_t)ring,
        [0x4c / 4] = (uint32_t)(ring >> 32) | 8u << 16, /* 2^8 entries */
        [0x84 / 4] = 0x20400000,
        [0x94 / 4] = 0x30000001,
        [0x200 / 4] = (uint32_t)channel->root | 1u << 10,
        [0x204 / 4] = (uint32_t)(channel->root >> 32),
        [0x210 / 4] = (uint32_t)context | 4,
        [0x214 / 4] = (uint32_t)(context >> 32),
    };

    if (!build->has_blocks) {
        words[0x08 / 4] = (uint32_t)channel->userd;
        words[0x0c / 4] = (uint32_t)(channel->userd >> 32);
        words[0xac / 4] = 0x1f;
    }
    if (build->has_doorbell)
        words[0xac / 4] |= 3u << 16; /* ENG_CTX_VALID, CE_CTX_VALID: from Volta on */
    if (!build->has_doorbell) {
        words[0x9c / 4] = 0x100;
        words[0xe8 / 4] = channel->chid;
        words[0xf8 / 4] = 0x10003080;
        words[0xfc / 4] = 0x10000010;
    }
    bus_build_words(build, channel->instance, words, sizeof words / 4);
}

struct bus_channel bus_build_channel(struct bus_build *build, uint32_t runlist_id, uint32_t chid,
                                     uint64_t root)
{
    const struct bus_channel channel = {
        .runlist_id = runlist_id,
        .chid = chid,
        .root = root,
        .instance = bus_build_alloc(build, PAGE),
        .userd = build->has_doorbell ? bus_build_alloc(build, PAGE)
                                     : build->userd + USERD_BYTES * (uint64_t)chid,
        .ring = bus_build_alloc(build, 8 * BUS_RING_ENTRIES),
        .push = bus_build_alloc(build, BUS_PUSH_BYTES),
        .context = bus_build_alloc(build, 1 << 18),
    };

    write_instance(build, &channel);
    if (build->has_blocks) { /* the doorbell reaches all channels of the runlist */
        bus_build_line(build,
                       "NV_RUNLIST_VIRTUAL_CHANNEL_CFG[%u][0] MASK=0x7ff SET=0 PENDING_ENABLE=1",
                       runlist_id);
        bus_build_line(build, "NV_CHRAM_CHANNEL[%u][%u] = 2", runlist_id, chid);
    } else {
        bus_build_line(build, "NV_PCCSR_CHANNEL_INST[%u] PTR=0x%" PRIx64 " BIND=1", chid,
                       channel.instance >> 12);
        bus_build_line(build, "NV_PCCSR_CHANNEL[%u] ENABLE_SET=1", chid);
    }
    return channel;
}

void bus_build_copies_only(struct bus_build *build, const struct bus_channel *channel)
{
    bus_build_words(build, channel->instance + 0x210, (const uint32_t[]){0, 0}, 2);
}

/* ---- runlists -------------------------------------------------------------------------------- */

void bus_build_runlist_raw(struct bus_build *build, uint32_t runlist_id, const uint32_t *words,
                           uint32_t entry_count)
{
    const uint32_t entry_words = build->long_entries ? 4 : 2;
    const uint64_t base = bus_build_alloc(build, entry_count ? 4 * entry_words * entry_count : 1);
    const struct nv_chip *model = build->bare.model;
    const bool apart = !build->has_blocks && model && model->chip_id >= 0x160;

    if (entry_count > 0)
        bus_build_words(build, base, words, entry_words * entry_count);
    if (build->has_blocks) {
        bus_build_line(build, "NV_RUNLIST_SUBMIT_BASE_LO[%u] = 0x%x", runlist_id, (uint32_t)base);
        bus_build_line(build, "NV_RUNLIST_SUBMIT_BASE_HI[%u] = 0x%x", runlist_id,
                       (uint32_t)(base >> 32));
        bus_build_line(build, "NV_RUNLIST_SUBMIT[%u] = %u", runlist_id, entry_count);
    } else if (apart) {
        bus_build_line(build, "NV_PFIFO_RUNLIST_BASE_LO[%u] = 0x%x", runlist_id, (uint32_t)base);
        bus_build_line(build, "NV_PFIFO_RUNLIST_BASE_HI[%u] = 0x%x", runlist_id,
                       (uint32_t)(base >> 32));
        bus_build_line(build, "NV_PFIFO_RUNLIST_SUBMIT[%u] = %u", runlist_id, entry_count);
    } else {
        bus_build_line(build, "NV_PFIFO_RUNLIST_BASE PTR=0x%x", (uint32_t)(base >> 12));
        bus_build_line(build, "NV_PFIFO_RUNLIST ID=%u LENGTH=%u", runlist_id, entry_count);
    }
}

/* Pascal: nvgpu hw_ram_gp10b.h, nouveau gk110.c, gp100.c.  Volta and later: tu104, ga100 dev_ram.
 */
static void tsg_words(const struct bus_build *build, const struct bus_tsg *tsg, uint32_t *words)
{
    if (!build->long_entries) {
        words[0] = tsg->id | 1u << 13 | tsg->scale << 14 | tsg->timeout << 18 | tsg->count << 26;
        return;
    }
    words[0] = 1 | tsg->scale << 16 | tsg->timeout << 24;
    words[1] = tsg->count;
    words[2] = tsg->id;
}

static void channel_words(const struct bus_build *build, const struct bus_channel *channel,
                          uint32_t *words)
{
    if (!build->long_entries) {
        words[0] = channel->chid | channel->runqueue << 14;
        words[1] = (uint32_t)(channel->instance >> 12);
        return;
    }
    words[0] = channel->runqueue << 1 | (uint32_t)channel->userd;
    words[1] = (uint32_t)(channel->userd >> 32);
    words[2] = channel->chid | (uint32_t)channel->instance;
    words[3] = (uint32_t)(channel->instance >> 32);
}

void bus_build_runlist(struct bus_build *build, uint32_t runlist_id, const struct bus_tsg *tsgs,
                       uint32_t count)
{
    const uint32_t entry_words = build->long_entries ? 4 : 2;
    uint32_t entries = count, at = 0;
    uint32_t *words;

    for (uint32_t i = 0; i < count; i++)
        entries += tsgs[i].count;
    words = calloc(entries + 1, 4 * entry_words);
    if (!words) {
        fail(build, ERROR_SYSTEM, "no memory");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        tsg_words(build, &tsgs[i], words + entry_words * at++);
        for (uint32_t c = 0; c < tsgs[i].count; c++)
            channel_words(build, tsgs[i].channels[c], words + entry_words * at++);
    }
    bus_build_runlist_raw(build, runlist_id, words, entries);
    free(words);
}

/* ---- submitting ------------------------------------------------------------------------------ */

void bus_build_push(struct bus_build *build, struct bus_channel *channel, const uint32_t *dwords,
                    uint32_t count)
{
    if (channel->push_at + 4 * count > BUS_PUSH_BYTES) {
        fail(build, ERROR_LIMIT, "a pushbuffer is full");
        return;
    }
    bus_build_words(build, channel->push + channel->push_at, dwords, count);
    channel->push_at += 4 * count;
}

/* Sets a field that a descriptor has under one of two names. */
static void qmd_field(const struct nv_qmd_layout *layout, uint32_t *words, const char *name,
                      const char *other, uint32_t value)
{
    const struct nv_qmd_row *row = nv_qmd_find(layout, name);

    if (!row && other)
        row = nv_qmd_find(layout, other);
    if (row)
        nv_qmd_bits_put(words, row->hi, row->lo, value);
}

/* A descriptor of the highest version that the class takes. */
static void write_qmd(struct bus_build *build, uint64_t physical, const struct bus_launch *launch)
{
    const uint32_t class_id = build->bare.model->class_compute;
    const struct nv_qmd_layout *layout = NULL;
    uint32_t words[NV_QMD_DWORDS];

    for (uint32_t version = 0x100; version-- > 0 && !layout;) {
        memset(words, 0, sizeof words);
        nv_qmd_bits_put(words, 583, 576, version);
        layout = nv_qmd_layout_of(class_id, words);
    }
    if (!layout) {
        fail(build, ERROR_LIMIT, "the chip's compute class has no descriptor");
        return;
    }
    /* Hopper has other names for some. */
    qmd_field(layout, words, "CTA_RASTER_WIDTH", "GRID_WIDTH", launch->grid);
    qmd_field(layout, words, "CTA_RASTER_HEIGHT", "GRID_HEIGHT", 1);
    qmd_field(layout, words, "CTA_RASTER_DEPTH", "GRID_DEPTH", 1);
    qmd_field(layout, words, "CTA_THREAD_DIMENSION0", NULL, launch->threads);
    qmd_field(layout, words, "CTA_THREAD_DIMENSION1", NULL, 1);
    qmd_field(layout, words, "CTA_THREAD_DIMENSION2", NULL, 1);
    qmd_field(layout, words, "SHARED_MEMORY_SIZE", NULL, launch->shared_bytes);
    qmd_field(layout, words, "REGISTER_COUNT", "REGISTER_COUNT_V",
              launch->registers ? launch->registers : 16);
    bus_build_words(build, physical, words, NV_QMD_DWORDS);
}

void bus_build_launch(struct bus_build *build, struct bus_channel *channel,
                      const struct bus_launch *launch)
{
    const uint64_t qmd = bus_build_alloc(build, NV_QMD_BYTES);

    if (!build->file)
        return;
    write_qmd(build, qmd, launch);
    if (channel->push_at == 0)
        BUS_PUSH(build, channel, PB_INC(1, 0, 1), build->bare.model->class_compute);
    BUS_PUSH(build, channel, PB_INC(1, 0x2b4, 1), (uint32_t)((BUS_VA + qmd) >> 8),
             PB_IMMD(1, 0x2bc, 3));
}

void bus_build_copy_virtual(struct bus_build *build, struct bus_channel *channel, uint64_t from,
                            uint64_t to, uint32_t bytes)
{
    if (!build->file)
        return;
    if (channel->push_at == 0)
        BUS_PUSH(build, channel, PB_INC(4, 0, 1), build->bare.model->class_copy);
    BUS_PUSH(build, channel, PB_INC(4, 0x400, 8), (uint32_t)(from >> 32), (uint32_t)from,
             (uint32_t)(to >> 32), (uint32_t)to, bytes, bytes, bytes, 1, PB_IMMD(4, 0x300, 0x182));
}

/* A GP entry: open-gpu-doc classes/host/clc06f.h. */
/* What NOTIFY_CHANNEL_PENDING takes (dev_usermode): on a GV100 the channel's number alone. */
static uint32_t token_of(const struct bus_build *build, const struct bus_channel *channel)
{
    const struct nv_chip *model = build->bare.model;

    if (build->has_blocks)
        return channel->chid | model->runlists[channel->runlist_id].doorbell_id << 16;
    if (nv_generation_of(model->class_host, model->chip_id)->token_has_runlist)
        return channel->chid | channel->runlist_id << 16;
    return channel->chid;
}

void bus_build_kick(struct bus_build *build, struct bus_channel *channel)
{
    const uint64_t at = BUS_VA + channel->push + channel->entry_at;
    const uint32_t dwords = (channel->push_at - channel->entry_at) / 4;
    const uint32_t entry[] = {(uint32_t)at, (uint32_t)(at >> 32) | dwords << 10};
    const uint32_t put = (channel->put + 1) % BUS_RING_ENTRIES;

    if (!build->file)
        return;
    bus_build_words(build, channel->ring + 8 * (uint64_t)channel->put, entry, 2);
    channel->put = put;
    channel->entry_at = channel->push_at;
    if (!build->has_doorbell) {
        bus_build_line(build, "bar1 0x%x = %u", BAR1_USERD + USERD_BYTES * channel->chid + 0x8c,
                       put);
        return;
    }
    bus_build_words(build, channel->userd + 0x8c, &put, 1);
    bus_build_line(build, "doorbell %u 0x%x", channel->chid, token_of(build, channel));
}

/* ---- the end --------------------------------------------------------------------------------- */

const char *bus_build_text(struct bus_build *build)
{
    if (build->file) {
        build->text = text_stream_close(&build->stream, build->file);
        build->file = NULL;
        if (!build->text)
            fail(build, ERROR_SYSTEM, "no memory");
    }
    return build->error.kind == ERROR_NONE ? build->text : NULL;
}

void bus_build_fini(struct bus_build *build)
{
    (void)bus_build_text(build);
    free(build->text);
    build->text = NULL;
    bare_gpu_fini(&build->bare);
}

/* A file in memory that holds the text, to be read from its begin.  NULL on failure. */
static FILE *text_open(const char *text, size_t bytes)
{
    const int fd = memfd_create("program", MFD_CLOEXEC);
    FILE *file = NULL;

    if (fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes && lseek(fd, 0, SEEK_SET) == 0)
        file = fdopen(fd, "r");
    if (!file && fd >= 0)
        (void)close(fd);
    return file;
}

struct replay_input *bus_build_load_text(const char *text, size_t bytes, const char *name,
                                         struct gfe_error *error)
{
    const int fd = memfd_create("trace", MFD_CLOEXEC);
    FILE *file = fd >= 0 ? text_open(text, bytes) : NULL;
    struct replay_input *input = NULL;
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!file)
        error_set_errno(error, errno, "%s", name);
    else if (import_bus(file, name, fd, name, &bare_gpu_chips, error))
        input = replay_load(path, error);
    if (file)
        (void)fclose(file);
    if (fd >= 0)
        (void)close(fd);
    return input;
}
