/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/log_scenes.h"

#include <check.h>
#include <stdlib.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"

#define NS(n) ((uint64_t)(n)*1000)
#define US(n) ((uint64_t)(n)*1000000)
#define MS(n) ((uint64_t)(n)*1000000000)

/* Blocks are placed ahead of time, but events must be added in order: these wait for their turn. */
enum { PENDING_MAX = 64 };

struct pending {
    uint64_t time_ps, grid_id, block_index, sm_index, slot_index;
};

struct stage {
    struct log_fixture *fixture;
    struct pending pending[PENDING_MAX]; /* blocks that end, by time */
    uint32_t count;
};

/* Ends the blocks that are due by then. */
static void ends_until(struct stage *stage, uint64_t time_ps)
{
    while (stage->count > 0 && stage->pending[0].time_ps <= time_ps) {
        const struct pending *end = &stage->pending[0];
        LOG_ADD(stage->fixture, end->time_ps, EVENT_BLOCK_END, RULE_NONE, end->grid_id,
                end->block_index, end->sm_index, end->slot_index);
        stage->count--;
        for (uint32_t i = 0; i < stage->count; i++)
            stage->pending[i] = stage->pending[i + 1];
    }
}

static void block(struct stage *stage, uint64_t begin_ps, uint64_t end_ps, uint64_t grid_id,
                  uint64_t block_index, uint64_t sm_index)
{
    uint32_t at = 0;

    ends_until(stage, begin_ps);
    LOG_ADD(stage->fixture, begin_ps, EVENT_BLOCK_START, RULE_NONE, grid_id, block_index, sm_index,
            block_index % 8);
    ck_assert_uint_lt(stage->count, PENDING_MAX);
    while (at < stage->count && stage->pending[at].time_ps <= end_ps)
        at++;
    for (uint32_t i = stage->count; i > at; i--)
        stage->pending[i] = stage->pending[i - 1];
    stage->pending[at] = (struct pending){end_ps, grid_id, block_index, sm_index, block_index % 8};
    stage->count++;
}

static void grid_end(struct stage *stage, uint64_t time_ps, uint64_t grid_id, uint64_t channel_id)
{
    ends_until(stage, time_ps);
    LOG_ADD(stage->fixture, time_ps, EVENT_GRID_END, RULE_NONE, grid_id, channel_id, 0, 0);
}

/* ---- compute --------------------------------------------------------------------------------- */

/* The driver's call, and the PBDMA that takes up its first GP entry. */
static void submission(struct log_fixture *fixture, uint64_t at, uint64_t id)
{
    LOG_ADD(fixture, at, EVENT_CPU_SUBMIT, RULE_NONE, id, 2, 1, 640, 0);
    LOG_ADD(fixture, at + US(4), EVENT_NV_DOORBELL, RULE_NONE, 2, id * 2);
    LOG_ADD(fixture, at + US(5), EVENT_CPU_SUBMIT_RETURN, RULE_NONE, id, 2, 0);
    LOG_ADD(fixture, at + US(5), EVENT_NV_CHANNEL_LOAD, RULE_NONE, 2, 0, 0, id * 2 - 2, id * 2);
    LOG_ADD(fixture, at + NS(5500), EVENT_NV_GP_FETCH, RULE_NONE, 2, 0, id * 2 - 2, 0x10000, 160,
            0);
    LOG_ADD(fixture, at + NS(5600), EVENT_NV_GP_FETCH, RULE_NONE, 2, 0, id * 2 - 1, 0x20000, 8, 0);
}

/* Blocks of 256 threads, as many on each of four SMs as come to it. */
static void compute_blocks(struct stage *stage, uint64_t at, uint64_t grid_id, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        block(stage, at + i * NS(20), at + i * NS(20) + US(3) + NS(i % 4 * 150), grid_id, i, i % 4);
}

static void first_submission(struct log_fixture *fixture, uint64_t at)
{
    struct stage stage = {.fixture = fixture};

    submission(fixture, at, 1);
    LOG_ADD(fixture, at + NS(6200), EVENT_NV_INLINE_WRITE, RULE_NONE, 2, 0x40000, 512, 0xa140, 1);
    LOG_ADD(fixture, at + NS(6900), EVENT_GRID_QUEUE, RULE_NONE, 11, 2, 30, 256, 1024, 8, 1,
            0x51000);
    LOG_ADD(fixture, at + NS(7200), EVENT_GRID_START, RULE_NONE, 11, 2);
    compute_blocks(&stage, at + NS(7200), 11, 30);
    ends_until(&stage, at + US(8));
    LOG_ADD(fixture, at + NS(8100), EVENT_CPU_WAIT_BEGIN, RULE_NONE, 1, 1, 0, 0);
    LOG_ADD(fixture, at + NS(8200), EVENT_NV_SEGMENT_END, RULE_NONE, 2, 0, 0, 140);
    grid_end(&stage, at + NS(11230), 11, 2);
    LOG_ADD(fixture, at + NS(11230), EVENT_WAIT, RULE_T_X1, at + NS(8200), SUBJECT_CHANNEL, 2,
            SUBJECT_GRID, 11);
    LOG_ADD(fixture, at + NS(11300), EVENT_WORK_START, RULE_NONE, 12, 2, 0, 0xc197, 0x1588, 1);
    LOG_ADD(fixture, at + NS(12800), EVENT_WORK_END, RULE_NONE, 12, 2, 0);
    LOG_ADD(fixture, at + NS(13000), EVENT_NV_RELEASE, RULE_NONE, 2, 0x60000, 1, 4, 0xc06f, 1);
    LOG_ADD(fixture, at + NS(13100), EVENT_NV_SEGMENT_END, RULE_NONE, 2, 0, 1, 6);
    LOG_ADD(fixture, at + NS(13600), EVENT_CPU_WAIT_END, RULE_NONE, 1, 1, 0, NS(5500));
    LOG_ADD(fixture, at + NS(13700), EVENT_NV_CHANNEL_SAVE, RULE_NONE, 2, 0, 0, 2, 2);
}

static void second_submission(struct log_fixture *fixture, uint64_t at)
{
    struct stage stage = {.fixture = fixture};

    submission(fixture, at, 2);
    LOG_ADD(fixture, at + NS(6100), EVENT_COPY_QUEUE, RULE_NONE, 21, 2, 1, 65536, 0x1000, 0x2000,
            2);
    LOG_ADD(fixture, at + NS(6100), EVENT_COPY_START, RULE_NONE, 21, 2, 1, 65536);
    LOG_ADD(fixture, at + NS(6900), EVENT_GRID_QUEUE, RULE_NONE, 22, 2, 7, 1024, 0, 32, 2, 0x52000);
    LOG_ADD(fixture, at + NS(7000), EVENT_GRID_START, RULE_NONE, 22, 2);
    compute_blocks(&stage, at + NS(7000), 22, 7);
    LOG_ADD(fixture, at + NS(7500), EVENT_NV_SEGMENT_END, RULE_NONE, 2, 0, 2, 90);
    ends_until(&stage, at + NS(9500));
    LOG_ADD(fixture, at + NS(9500), EVENT_COPY_END, RULE_NONE, 21, 2, 1, 65536);
    grid_end(&stage, at + NS(10570), 22, 2);
    LOG_ADD(fixture, at + NS(10570), EVENT_WAIT, RULE_T_R2, at + NS(7000), SUBJECT_GRID, 22,
            SUBJECT_NONE, 0);
    fixture->origin = ORIGIN_MODELLED;
    LOG_ADD(fixture, at + NS(10700), EVENT_DRIVER_FENCE, RULE_NONE, 2, 0x70000, 1, 2);
    fixture->origin = ORIGIN_RECORDED;
    LOG_ADD(fixture, at + NS(10900), EVENT_NV_RELEASE, RULE_NONE, 2, 0x70000, 1, 16, 0xc06f, 2);
    LOG_ADD(fixture, at + NS(11000), EVENT_NV_SEGMENT_END, RULE_NONE, 2, 0, 3, 6);
    LOG_ADD(fixture, at + NS(11000), EVENT_UNMODELLED, RULE_NONE, 2, 0x1234, 7);
    LOG_ADD(fixture, at + NS(11200), EVENT_NV_CHANNEL_SAVE, RULE_NONE, 2, 0, 0, 4, 4);
}

void log_scene_compute(struct log_fixture *fixture)
{
    first_submission(fixture, MS(12) + US(300));
    second_submission(fixture, MS(26) + US(125));
    LOG_ADD(fixture, MS(26) + US(140), EVENT_FENCE, RULE_NONE, 2, 0x60000, 1, 1, 1);
    LOG_ADD(fixture, MS(26) + US(140), EVENT_FENCE, RULE_NONE, 2, 0x70000, 1, 1, 1);
    LOG_ADD(fixture, MS(26) + US(140), EVENT_RUN_END, RULE_NONE, 2, 2, 1, 0);
}

/* ---- paper ----------------------------------------------------------------------------------- */

struct paper_block {
    uint64_t begin_ms, end_ms, grid_id, block_index, sm_index;
};

struct paper_grid {
    uint64_t block_count, threads, shared_bytes, begin_ms, end_ms;
};

static const struct paper_grid paper_grids[] = {
    {6, 768, 0, 100, 2100},       {4, 256, 32768, 1100, 2100}, {2, 512, 0, 2100, 3100},
    {2, 1024, 32768, 2100, 3600}, {1, 256, 0, 3100, 4100},     {1, 64, 0, 3100, 4150}};

enum { PAPER_GRIDS = sizeof paper_grids / sizeof paper_grids[0] };

/* Starts and ends the grids that are due. */
static void paper_until(struct stage *stage, uint64_t from_ms, uint64_t to_ms)
{
    for (uint64_t ms = from_ms; ms <= to_ms; ms += 50) {
        ends_until(stage, MS(ms));
        for (uint64_t id = 1; id <= PAPER_GRIDS; id++)
            if (paper_grids[id - 1].end_ms == ms)
                LOG_ADD(stage->fixture, MS(ms), EVENT_GRID_END, RULE_NONE, id, (id + 1) / 2, 0, 0);
        for (uint64_t id = 1; id <= PAPER_GRIDS; id++)
            if (paper_grids[id - 1].begin_ms == ms)
                LOG_ADD(stage->fixture, MS(ms), EVENT_GRID_START, RULE_NONE, id, (id + 1) / 2);
    }
}

void log_scene_paper(struct log_fixture *fixture)
{
    static const struct paper_block blocks[] = {
        {100, 1100, 1, 0, 0},  {100, 1100, 1, 1, 1},  {100, 1100, 1, 2, 0},  {100, 1100, 1, 3, 1},
        {1100, 2100, 1, 4, 0}, {1100, 2100, 1, 5, 1}, {1100, 2100, 2, 0, 0}, {1100, 2100, 2, 1, 1},
        {1100, 2100, 2, 2, 0}, {1100, 2100, 2, 3, 1}, {2100, 3100, 3, 0, 0}, {2100, 3100, 3, 1, 1},
        {2100, 3600, 4, 0, 0}, {2150, 3600, 4, 1, 1}, {3100, 4100, 5, 0, 0}, {3100, 4150, 6, 0, 1},
    };
    struct stage stage = {.fixture = fixture};
    uint64_t now_ms = 100;

    for (uint64_t id = 1; id <= PAPER_GRIDS; id++) {
        const struct paper_grid *grid = &paper_grids[id - 1];
        LOG_ADD(fixture, MS(id * 10), EVENT_GRID_QUEUE, RULE_NONE, id, (id + 1) / 2,
                grid->block_count, grid->threads, grid->shared_bytes, 16, id, 0);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        const struct paper_block *row = &blocks[i];
        if (row->begin_ms >= now_ms) {
            paper_until(&stage, now_ms, row->begin_ms);
            now_ms = row->begin_ms + 50;
        }
        if (row->grid_id == 2 && row->block_index == 0)
            LOG_ADD(fixture, MS(row->begin_ms), EVENT_WAIT, RULE_T_X1, MS(20), SUBJECT_GRID, 2,
                    SUBJECT_GRID, 1);
        block(&stage, MS(row->begin_ms), MS(row->end_ms), row->grid_id, row->block_index,
              row->sm_index);
    }
    paper_until(&stage, now_ms, 4150);
}

/* ---- many ------------------------------------------------------------------------------------ */

void log_scene_many_blocks(struct log_fixture *fixture, uint32_t block_count)
{
    const uint64_t count = block_count / 4;

    LOG_ADD(fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, block_count, 128, 0, 8, 1, 0);
    LOG_ADD(fixture, 0, EVENT_GRID_START, RULE_NONE, 1, 0);
    for (uint64_t i = 0; i < count; i++) {
        for (uint64_t slot = 0; slot < 4; slot++)
            LOG_ADD(fixture, i * US(1), EVENT_BLOCK_START, RULE_NONE, 1, 4 * i + slot, 0, slot);
        for (uint64_t slot = 0; slot < 4; slot++)
            LOG_ADD(fixture, (i + 1) * US(1), EVENT_BLOCK_END, RULE_NONE, 1, 4 * i + slot, 0, slot);
    }
    LOG_ADD(fixture, count * US(1), EVENT_GRID_END, RULE_NONE, 1, 0, 0, 0);
}

/* ---- AMD ------------------------------------------------------------------------------------- */

static void amd_slots(struct log_fixture *fixture)
{
    LOG_ADD(fixture, 0, EVENT_AMD_QUEUE_LOAD, RULE_NONE, 32, 1, 0, 0, 0x1000, 2048, 0);
    LOG_ADD(fixture, US(1), EVENT_AMD_DOORBELL, RULE_NONE, 1, 32, 12);
    LOG_ADD(fixture, US(1), EVENT_AMD_PACKET, RULE_NONE, 32, 1, 0, 0, 0xa5, 0x1000);
    LOG_ADD(fixture, US(1), EVENT_HWS_MAP, RULE_NONE, 1024, 7, 0, 2, 8, 0);
    LOG_ADD(fixture, US(1), EVENT_HWS_MAP, RULE_NONE, 1025, 7, 1, 2, 8, 0);
    LOG_ADD(fixture, US(3), EVENT_AMD_QUEUE_LOAD, RULE_NONE, 2, 1024, 8, 1, 0x8000, 4096, 0);
    LOG_ADD(fixture, US(3), EVENT_AMD_QUEUE_LOAD, RULE_NONE, 10, 1025, 8, 1, 0x9000, 4096, 0);
}

static void amd_dispatch(struct log_fixture *fixture)
{
    LOG_ADD(fixture, US(10), EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 1, 128, 0);
    LOG_ADD(fixture, US(10), EVENT_AMD_DOORBELL, RULE_NONE, 1024, 2, 2);
    LOG_ADD(fixture, US(11), EVENT_AMD_PACKET, RULE_NONE, 2, 1024, 0, 1, 2, 0x8000);
    LOG_ADD(fixture, US(12), EVENT_GRID_QUEUE, RULE_NONE, 1, 2, 4, 128, 0, 8, 0, 0);
    LOG_ADD(fixture, US(12), EVENT_AMD_DISPATCH, RULE_NONE, 1, 0, 2, 2, 16, 0, 0, 0);
    LOG_ADD(fixture, US(12), EVENT_AMD_LAUNCH, RULE_NONE, 2, 1024, 0, 1, 0x5000);
    LOG_ADD(fixture, US(12), EVENT_GRID_START, RULE_NONE, 1, 2);
    LOG_ADD(fixture, US(12), EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(fixture, US(12), EVENT_BLOCK_START, RULE_NONE, 1, 1, 3, 0);
    LOG_ADD(fixture, US(12), EVENT_BLOCK_START, RULE_NONE, 1, 2, 1, 0);
    LOG_ADD(fixture, US(18), EVENT_WAIT, RULE_A_D5, US(12), SUBJECT_GRID, 1, 0, 0);
    LOG_ADD(fixture, US(20), EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(fixture, US(20), EVENT_WAIT, RULE_A_D5, US(13), SUBJECT_GRID, 1, 0, 0);
    LOG_ADD(fixture, US(20), EVENT_BLOCK_START, RULE_NONE, 1, 3, 0, 0);
    LOG_ADD(fixture, US(20), EVENT_GRID_DISPATCHED, RULE_NONE, 1, 2);
    LOG_ADD(fixture, US(22), EVENT_BLOCK_END, RULE_NONE, 1, 1, 3, 0);
    LOG_ADD(fixture, US(22), EVENT_BLOCK_END, RULE_NONE, 1, 2, 1, 0);
}

static void amd_rotation(struct log_fixture *fixture)
{
    LOG_ADD(fixture, US(30), EVENT_HWS_PREEMPT, RULE_NONE, 1024, 7, 0, 2, 1);
    LOG_ADD(fixture, US(32), EVENT_AMD_BLOCK_STOP, RULE_NONE, 1, 3, 0, 0, 2, 512);
    LOG_ADD(fixture, US(32), EVENT_AMD_QUEUE_SAVE, RULE_NONE, 2, 1024, 1, 2, 512, US(4));
    LOG_ADD(fixture, US(36), EVENT_AMD_QUEUE_LEAVE, RULE_NONE, 2, 1024, 3, 1);
    LOG_ADD(fixture, US(38), EVENT_HWS_MAP, RULE_NONE, 1024, 7, 1, 3, 8, US(8));
    LOG_ADD(fixture, US(40), EVENT_AMD_QUEUE_LOAD, RULE_NONE, 11, 1024, 8, 1, 0x8000, 4096, 1);
    LOG_ADD(fixture, US(40), EVENT_AMD_QUEUE_RESTORE, RULE_NONE, 11, 1024, 1, 2, 512, US(5));
    LOG_ADD(fixture, US(45), EVENT_AMD_BLOCK_GO_ON, RULE_NONE, 1, 3, 4, 0, 2, US(32));
    LOG_ADD(fixture, US(45), EVENT_WAIT, RULE_AMD_CWSR, US(32), SUBJECT_GRID, 1, 0, 0);
}

void log_scene_amd(struct log_fixture *fixture)
{
    amd_slots(fixture);
    amd_dispatch(fixture);
    amd_rotation(fixture);
    LOG_ADD(fixture, US(50), EVENT_AMD_SDMA_DOORBELL, RULE_NONE, 1280, 1, 0, 64);
    LOG_ADD(fixture, US(50), EVENT_COPY_QUEUE, RULE_NONE, 7, 1280, 1, 4096, 0, 0, 0);
    LOG_ADD(fixture, US(50), EVENT_COPY_START, RULE_NONE, 7, 1280, 1, 4096, 4096, 0, 0);
    LOG_ADD(fixture, US(55), EVENT_COPY_END, RULE_NONE, 7, 1280, 1, 4096, 0);
    LOG_ADD(fixture, US(60), EVENT_BLOCK_END, RULE_NONE, 1, 3, 4, 0);
    LOG_ADD(fixture, US(60), EVENT_GRID_END, RULE_NONE, 1, 2, US(12), US(12));
    LOG_ADD(fixture, US(61), EVENT_AMD_PACKET_END, RULE_NONE, 11, 1024, 0, 2);
    LOG_ADD(fixture, US(61), EVENT_AMD_SIGNAL, RULE_NONE, 1024, 0, 0x7000, 0, 5);
    LOG_ADD(fixture, US(61), EVENT_AMD_PACKET, RULE_NONE, 11, 1024, 1, 1, 3, 0x8040);
    LOG_ADD(fixture, US(62), EVENT_WAIT, RULE_A_Q3, US(12), SUBJECT_QUEUE, 1024, 0, 0);
    LOG_ADD(fixture, US(64), EVENT_AMD_PACKET_END, RULE_NONE, 11, 1024, 1, 3);
    LOG_ADD(fixture, US(64), EVENT_AMD_SIGNAL, RULE_NONE, 1024, 1, 0x7008, 0, 0);
}
