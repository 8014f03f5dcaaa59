/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_pm4.h"

#include <stddef.h>

#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_pm4_fields.h"
#include "devices/amd/formats/amd_pm4_gfx10_fields.h"

/* ---- names of values ------------------------------------------------------------------------- */

/* clang-format off */
AMD_NAMES(cache_policies, {0, "LRU"}, {1, "STREAM"}, {2, "BYPASS"});
AMD_NAMES(engines, {0, "ME"}, {1, "PFP"}, {2, "CE"});
AMD_NAMES(acquire_engines, {0, "PFP"}, {1, "ME"});
AMD_NAMES(atomic_commands, {0, "SINGLE_PASS"}, {1, "LOOP_UNTIL_COMPARE_SATISFIED"},
      {2, "WAIT_FOR_WRITE_CONFIRMATION"}, {3, "SEND_AND_CONTINUE"});
AMD_NAMES(write_dst, {0, "REGISTER"}, {1, "MEMORY_SYNC"}, {2, "TC_L2"}, {3, "GDS"}, {5, "MEMORY"});
AMD_NAMES(mem_spaces, {0, "REGISTER"}, {1, "MEMORY"});
AMD_NAMES(wait_operations, {0, "WAIT_REG_MEM"}, {1, "WR_WAIT_WR_REG"}, {3, "WAIT_MEM_PREEMPTABLE"});
AMD_NAMES(signal_types, {0, "INCREMENT"}, {1, "WRITE_1"});
AMD_NAMES(sem_sels, {6, "SIGNAL"}, {7, "WAIT"});
AMD_NAMES(copy_src, {0, "REGISTER"}, {1, "MEMORY_SYNC"}, {2, "TC_L2"}, {3, "GDS"}, {4, "PERFCOUNTER"},
      {5, "IMMEDIATE"}, {6, "ATOMIC_RETURN"}, {9, "GPU_CLOCK"});
AMD_NAMES(copy_dst, {0, "REGISTER"}, {1, "MEMORY_SYNC"}, {2, "TC_L2"}, {3, "GDS"}, {4, "PERFCOUNTER"},
      {5, "MEMORY"});
AMD_NAMES(count_sels, {0, "32_BITS"}, {1, "64_BITS"});
AMD_NAMES(write_indexes, {0, "OTHER"}, {1, "ZPASS_DONE"}, {2, "SAMPLE_PIPELINESTAT"},
      {3, "SAMPLE_STREAMOUTSTATS"}, {4, "PARTIAL_FLUSH"}, {7, "CACHE_FLUSH"});
AMD_NAMES(release_indexes, {5, "END_OF_PIPE"}, {6, "SHADER_DONE"}, {7, "AQL"});
AMD_NAMES(release_dst, {0, "MEMORY"}, {1, "TC_L2"}, {2, "QUEUE_WPTR_REGISTER"},
      {3, "QUEUE_WPTR_POLL_MASK_BIT"});
AMD_NAMES(int_sels, {0, "NONE"}, {1, "INTERRUPT_ONLY"}, {2, "INTERRUPT_AFTER_CONFIRM"},
      {3, "DATA_AFTER_CONFIRM"}, {4, "CTXID"}, {5, "CTXID_IF_32_BITS"}, {6, "CTXID_IF_64_BITS"});
AMD_NAMES(data_sels, {0, "NONE"}, {1, "32_BITS"}, {2, "64_BITS"}, {3, "GPU_CLOCK"},
      {4, "CP_PERFCOUNTER"}, {5, "GDS"});
AMD_NAMES(dma_dst, {0, "DST_ADDR"}, {1, "GDS"}, {3, "DST_ADDR_TC_L2"});
AMD_NAMES(dma_src, {0, "SRC_ADDR"}, {1, "GDS"}, {2, "DATA"}, {3, "SRC_ADDR_TC_L2"});
AMD_NAMES(frame_commands, {0, "TMZ_BEGIN"}, {1, "TMZ_END"});
AMD_NAMES(resource_queues, {0, "KIQ"}, {1, "HIQ"}, {4, "DIQ"});
AMD_NAMES(map_queue_sels, {0, "SPECIFIED_SLOT"}, {1, "HWS_DETERMINED"});
AMD_NAMES(map_queue_types, {0, "NORMAL"}, {1, "DEBUG_INTERFACE"}, {2, "NORMAL_LATENCY_STATIC"},
      {3, "LOW_LATENCY_STATIC"});
AMD_NAMES(engine_sels, {0, "COMPUTE"}, {1, "HIQ"}, {2, "SDMA0"}, {3, "SDMA1"}, {4, "GFX"});
AMD_NAMES(unmap_actions, {0, "PREEMPT"}, {1, "RESET"}, {2, "DISABLE_PROCESS"},
      {3, "PREEMPT_NO_UNMAP"});
AMD_NAMES(unmap_queue_sels, {0, "DOORBELLS"}, {1, "PASID"}, {2, "ALL"}, {3, "ALL_NON_STATIC"});
AMD_NAMES(interrupt_sels, {0, "COMPLETION_STATUS"}, {1, "PROCESS_STATUS"}, {2, "QUEUE_STATUS"});
AMD_NAMES(gli_invs, {0, "NOP"}, {1, "ALL"}, {2, "RANGE"}, {3, "FIRST_LAST"});
AMD_NAMES(gl1_ranges, {0, "ALL"}, {2, "RANGE"}, {3, "FIRST_LAST"});
AMD_NAMES(gl2_ranges, {0, "ALL"}, {1, "VOL"}, {2, "RANGE"}, {3, "FIRST_LAST"});
AMD_NAMES(gcr_seqs, {0, "PARALLEL"}, {1, "FORWARD"}, {2, "REVERSE"});
AMD_NAMES(release_policies, {0, "LRU"}, {1, "STREAM"}, {2, "NOA"}, {3, "BYPASS"});
AMD_NAMES(query_commands, {0, "INTERRUPT_ONLY"}, {1, "FENCE_IMMEDIATE"}, {2, "FENCE_AFTER_ACK"},
      {3, "FENCE_AND_INTERRUPT"});
/* VGT_EVENT_TYPE of vega10_enum.h, navi10_enum.h, soc21_enum.h and soc24_enum.h: what is the same in
 * all, and what is not. */
#define EVENT_TYPES                                                                                \
    {0x01, "SAMPLE_STREAMOUTSTATS1"},                                                              \
    {0x02, "SAMPLE_STREAMOUTSTATS2"},                                                              \
    {0x03, "SAMPLE_STREAMOUTSTATS3"},                                                              \
    {0x04, "CACHE_FLUSH_TS"},                                                                      \
    {0x05, "CONTEXT_DONE"},                                                                        \
    {0x06, "CACHE_FLUSH"},                                                                         \
    {0x07, "CS_PARTIAL_FLUSH"},                                                                    \
    {0x08, "VGT_STREAMOUT_SYNC"},                                                                  \
    {0x0a, "VGT_STREAMOUT_RESET"},                                                                 \
    {0x0b, "END_OF_PIPE_INCR_DE"},                                                                 \
    {0x0c, "END_OF_PIPE_IB_END"},                                                                  \
    {0x0d, "RST_PIX_CNT"},                                                                         \
    {0x0e, "BREAK_BATCH"},                                                                         \
    {0x0f, "VS_PARTIAL_FLUSH"},                                                                    \
    {0x10, "PS_PARTIAL_FLUSH"},                                                                    \
    {0x11, "FLUSH_HS_OUTPUT"},                                                                     \
    {0x12, "FLUSH_DFSM"},                                                                          \
    {0x13, "RESET_TO_LOWEST_VGT"},                                                                 \
    {0x14, "CACHE_FLUSH_AND_INV_TS_EVENT"},                                                        \
    {0x16, "CACHE_FLUSH_AND_INV_EVENT"},                                                           \
    {0x17, "PERFCOUNTER_START"},                                                                   \
    {0x18, "PERFCOUNTER_STOP"},                                                                    \
    {0x19, "PIPELINESTAT_START"},                                                                  \
    {0x1a, "PIPELINESTAT_STOP"},                                                                   \
    {0x1b, "PERFCOUNTER_SAMPLE"},                                                                  \
    {0x1e, "SAMPLE_PIPELINESTAT"},                                                                 \
    {0x1f, "SO_VGTSTREAMOUT_FLUSH"},                                                               \
    {0x20, "SAMPLE_STREAMOUTSTATS"},                                                               \
    {0x21, "RESET_VTX_CNT"},                                                                       \
    {0x22, "BLOCK_CONTEXT_DONE"},                                                                  \
    {0x23, "CS_CONTEXT_DONE"},                                                                     \
    {0x24, "VGT_FLUSH"},                                                                           \
    {0x25, "TGID_ROLLOVER"},                                                                       \
    {0x26, "SQ_NON_EVENT"},                                                                        \
    {0x27, "SC_SEND_DB_VPZ"},                                                                      \
    {0x28, "BOTTOM_OF_PIPE_TS"},                                                                   \
    {0x29, "FLUSH_SX_TS"},                                                                         \
    {0x2a, "DB_CACHE_FLUSH_AND_INV"},                                                              \
    {0x2b, "FLUSH_AND_INV_DB_DATA_TS"},                                                            \
    {0x2c, "FLUSH_AND_INV_DB_META"},                                                               \
    {0x2d, "FLUSH_AND_INV_CB_DATA_TS"},                                                            \
    {0x2e, "FLUSH_AND_INV_CB_META"},                                                               \
    {0x2f, "CS_DONE"},                                                                             \
    {0x30, "PS_DONE"},                                                                             \
    {0x31, "FLUSH_AND_INV_CB_PIXEL_DATA"},                                                         \
    {0x32, "SX_CB_RAT_ACK_REQUEST"},                                                               \
    {0x33, "THREAD_TRACE_START"},                                                                  \
    {0x34, "THREAD_TRACE_STOP"},                                                                   \
    {0x35, "THREAD_TRACE_MARKER"},                                                                 \
    {0x37, "THREAD_TRACE_FINISH"},                                                                 \
    {0x38, "PIXEL_PIPE_STAT_CONTROL"},                                                             \
    {0x39, "PIXEL_PIPE_STAT_DUMP"},                                                                \
    {0x3a, "PIXEL_PIPE_STAT_RESET"},                                                               \
    {0x3b, "CONTEXT_SUSPEND"},                                                                     \
    {0x3c, "OFFCHIP_HS_DEALLOC"},                                                                  \
    {0x3d, "ENABLE_NGG_PIPELINE"}
AMD_NAMES(event_types, EVENT_TYPES, {0x15, "ZPASS_DONE"}, {0x36, "THREAD_TRACE_FLUSH"},
      {0x3e, "ENABLE_LEGACY_PIPELINE"});
#define EVENT_TYPES_GFX10 \
    EVENT_TYPES, {0x1c, "FLUSH_ES_OUTPUT"}, {0x1d, "BIN_CONF_OVERRIDE_CHECK"}, \
    {0x36, "THREAD_TRACE_DRAW"}, {0x3f, "DRAW_DONE"}
AMD_NAMES(event_types_gfx10, EVENT_TYPES_GFX10, {0x09, "SET_FE_ID"}, {0x15, "ZPASS_DONE"},
      {0x3e, "ENABLE_LEGACY_PIPELINE"});
AMD_NAMES(event_types_gfx11, EVENT_TYPES_GFX10, {0x15, "WAIT_SYNC"}, {0x3e, "ENABLE_LEGACY_PIPELINE"});
AMD_NAMES(event_types_gfx12, EVENT_TYPES_GFX10, {0x09, "EVENT_STATE_CHANGE"}, {0x15, "WAIT_SYNC"},
      {0x3e, "ENABLE_PIPELINE_NOT_USED"});
/* Packets whose fields are not listed, mostly of graphics. */
static const struct amd_value others[] = {
    {0x13, "INDEX_BUFFER_SIZE"}, {0x1d, "ATOMIC_GDS"}, {0x1f, "OCCLUSION_QUERY"},
    {0x20, "SET_PREDICATION"}, {0x21, "REG_RMW"}, {0x24, "DRAW_INDIRECT"},
    {0x25, "DRAW_INDEX_INDIRECT"}, {0x26, "INDEX_BASE"}, {0x27, "DRAW_INDEX_2"},
    {0x28, "CONTEXT_CONTROL"}, {0x2a, "INDEX_TYPE"}, {0x2c, "DRAW_INDIRECT_MULTI"},
    {0x2d, "DRAW_INDEX_AUTO"}, {0x2f, "NUM_INSTANCES"}, {0x30, "DRAW_INDEX_MULTI_AUTO"},
    {0x33, "INDIRECT_BUFFER_CONST"}, {0x34, "STRMOUT_BUFFER_UPDATE"},
    {0x35, "DRAW_INDEX_OFFSET_2"}, {0x36, "DRAW_PREAMBLE"}, {0x38, "DRAW_INDEX_INDIRECT_MULTI"},
    {0x45, "COND_WRITE"}, {0x4a, "PREAMBLE_CNTL"}, {0x59, "REWIND"}, {0x5e, "LOAD_UCONFIG_REG"},
    {0x5f, "LOAD_SH_REG"}, {0x60, "LOAD_CONFIG_REG"}, {0x61, "LOAD_CONTEXT_REG"},
    {0x73, "SET_CONTEXT_REG_INDIRECT"}, {0x7d, "SCRATCH_RAM_WRITE"}, {0x7e, "SCRATCH_RAM_READ"},
    {0x80, "LOAD_CONST_RAM"}, {0x81, "WRITE_CONST_RAM"}, {0x83, "DUMP_CONST_RAM"},
    {0x84, "INCREMENT_CE_COUNTER"}, {0x85, "INCREMENT_DE_COUNTER"}, {0x86, "WAIT_ON_CE_COUNTER"},
    {0x88, "WAIT_ON_DE_COUNTER_DIFF"}, {0, NULL},
};

/* Those that gfx10 to gfx12 have beside them (nvd.h). */
static const struct amd_value others_gfx10[] = {
    {0x17, "INDIRECT_BUFFER_END"}, {0x19, "INDIRECT_BUFFER_CNST_END"},
    {0x32, "INDIRECT_BUFFER_PRIV"}, {0x3a, "DRAW_INDEX_MULTI_INST"}, {0x3b, "COPY_DW"},
    {0x41, "CP_DMA"}, {0x43, "SURFACE_SYNC"}, {0x44, "ME_INITIALIZE"}, {0x47, "EVENT_WRITE_EOP"},
    {0x48, "EVENT_WRITE_EOS"}, {0x51, "CONTEXT_REG_RMW"}, {0x52, "GFX_CNTX_UPDATE"},
    {0x53, "BLK_CNTX_UPDATE"}, {0x55, "INCR_UPDT_STATE"}, {0x5a, "INTERRUPT"},
    {0x5b, "GEN_PDEPTE"}, {0x5c, "INDIRECT_BUFFER_PASID"}, {0x5d, "PRIME_UTCL2"},
    {0x62, "LOAD_COMPUTE_STATE"}, {0x63, "LOAD_SH_REG_INDEX"}, {0x6a, "SET_CONTEXT_REG_INDEX"},
    {0x71, "SET_VGPR_REG_DI_MULTI"}, {0x72, "SET_SH_REG_DI"}, {0x74, "SET_SH_REG_DI_MULTI"},
    {0x75, "GFX_PIPE_LOCK"}, {0x7a, "SET_UCONFIG_REG_INDEX"}, {0x7c, "FORWARD_HEADER"},
    {0x8c, "DISPATCH_DRAW_PREAMBLE_ACE"}, {0x8d, "DISPATCH_DRAW_ACE"}, {0x8e, "GET_LOD_STATS"},
    {0x8f, "DRAW_MULTI_PREAMBLE"}, {0x91, "INDEX_ATTRIBUTES_INDIRECT"}, {0x93, "WAIT_REG_MEM64"},
    {0x94, "COND_PREEMPT"}, {0x95, "HDP_FLUSH"}, {0x96, "COPY_DATA_RB"}, {0x99, "AQL_PACKET"},
    {0x9a, "DMA_DATA_FILL_MULTI"}, {0x9b, "SET_SH_REG_INDEX"},
    {0x9c, "DRAW_INDIRECT_COUNT_MULTI"}, {0x9d, "DRAW_INDEX_INDIRECT_COUNT_MULTI"},
    {0x9e, "DUMP_CONST_RAM_OFFSET"}, {0x9f, "LOAD_CONTEXT_REG_INDEX"}, {0xa6, "MAP_PROCESS_VM"},
    {0, NULL},
};

/* ---- layouts --------------------------------------------------------------------------------- */

#define FIELDS(packet)                                                                             \
    static const struct amd_field packet##_fields[] = {                                            \
        AMD_PM4_##packet##_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
AMD_PM4_PACKETS(FIELDS)
AMD_PM4_GFX10_PACKETS(FIELDS)

#define LAYOUT(packet, ...)                                                                        \
    {__VA_ARGS__, packet##_fields, sizeof packet##_fields / sizeof packet##_fields[0]}
#define BARE(...) {__VA_ARGS__, NULL, 0}
static const struct amd_layout gfx9_layouts[] = {
    BARE(0x10, "NOP", 1, 1, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(SET_BASE, 0x11, "SET_BASE", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(CLEAR_STATE, 0x12, "CLEAR_STATE", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DISPATCH_DIRECT, 0x15, "DISPATCH_DIRECT", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DISPATCH_INDIRECT, 0x16, "DISPATCH_INDIRECT", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DISPATCH_INDIRECT_ME, 0x16, "DISPATCH_INDIRECT", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(ATOMIC_MEM, 0x1e, "ATOMIC_MEM", 9, 9, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COND_EXEC, 0x22, "COND_EXEC", 5, 5, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PRED_EXEC, 0x23, "PRED_EXEC", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(WRITE_DATA, 0x37, "WRITE_DATA", 4, 4, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(MEM_SEMAPHORE, 0x39, "MEM_SEMAPHORE", 3, 3, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(WAIT_REG_MEM, 0x3c, "WAIT_REG_MEM", 7, 7, AMD_TAIL_NONE, 0, AMD_PM4_WAIT_REG_MEM_MEM_SPACE, 1),
    LAYOUT(WAIT_REG_MEM_REG, 0x3c, "WAIT_REG_MEM", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(INDIRECT_BUFFER, 0x3f, "INDIRECT_BUFFER", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(COPY_DATA, 0x40, "COPY_DATA", 6, 6, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(PFP_SYNC_ME, 0x42, "PFP_SYNC_ME", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(EVENT_WRITE, 0x46, "EVENT_WRITE", 2, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(RELEASE_MEM, 0x49, "RELEASE_MEM", 7, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(DMA_DATA, 0x50, "DMA_DATA", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(ACQUIRE_MEM, 0x58, "ACQUIRE_MEM", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(SET_CONFIG_REG, 0x68, "SET_CONFIG_REG", 2, 2, AMD_TAIL_REGISTERS, 0x8000, 0, 0),
    LAYOUT(SET_CONTEXT_REG, 0x69, "SET_CONTEXT_REG", 2, 2, AMD_TAIL_REGISTERS, 0x28000, 0, 0),
    LAYOUT(SET_SH_REG, 0x76, "SET_SH_REG", 2, 2, AMD_TAIL_REGISTERS, 0xb000, 0, 0),
    LAYOUT(SET_SH_REG_OFFSET, 0x77, "SET_SH_REG_OFFSET", 2, 2, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(SET_QUEUE_REG, 0x78, "SET_QUEUE_REG", 2, 2, AMD_TAIL_DATA, 0, 0, 0),
    LAYOUT(SET_UCONFIG_REG, 0x79, "SET_UCONFIG_REG", 2, 2, AMD_TAIL_REGISTERS, 0x30000, 0, 0),
    LAYOUT(SWITCH_BUFFER, 0x8b, "SWITCH_BUFFER", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(FRAME_CONTROL, 0x90, "FRAME_CONTROL", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(INVALIDATE_TLBS, 0x98, "INVALIDATE_TLBS", 2, 2, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(SET_RESOURCES, 0xa0, "SET_RESOURCES", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(MAP_PROCESS, 0xa1, "MAP_PROCESS", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(MAP_PROCESS_GFX90A, 0xa1, "MAP_PROCESS", 21, 21, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(MAP_QUEUES, 0xa2, "MAP_QUEUES", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(UNMAP_QUEUES, 0xa3, "UNMAP_QUEUES", 6, 6, AMD_TAIL_NONE, 0, AMD_PM4_UNMAP_QUEUES_QUEUE_SEL, 1),
    LAYOUT(UNMAP_QUEUES_DOORBELLS, 0xa3, "UNMAP_QUEUES", 6, 6, AMD_TAIL_NONE, 0, AMD_PM4_UNMAP_QUEUES_DOORBELLS_QUEUE_SEL, 0),
    LAYOUT(UNMAP_QUEUES_ALL, 0xa3, "UNMAP_QUEUES", 6, 6, AMD_TAIL_NONE, 0, AMD_PM4_UNMAP_QUEUES_ALL_QUEUE_SEL, 2),
    LAYOUT(UNMAP_QUEUES_NON_STATIC, 0xa3, "UNMAP_QUEUES", 6, 6, AMD_TAIL_NONE, 0, AMD_PM4_UNMAP_QUEUES_NON_STATIC_QUEUE_SEL, 3),
    LAYOUT(QUERY_STATUS_PASID, 0xa4, "QUERY_STATUS", 7, 7, AMD_TAIL_NONE, 0, AMD_PM4_QUERY_STATUS_PASID_INTERRUPT_SEL, 1),
    LAYOUT(QUERY_STATUS, 0xa4, "QUERY_STATUS", 7, 7, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(RUN_LIST, 0xa5, "RUN_LIST", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
};
/* The other generations have no MAP_PROCESS of 21 dwords, which is gfx90a's. */
static const struct amd_layout gfx10_layouts[] = {
    LAYOUT(INDIRECT_BUFFER_GFX10, 0x3f, "INDIRECT_BUFFER", 4, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(EVENT_WRITE_GFX10, 0x46, "EVENT_WRITE", 2, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(RELEASE_MEM_GFX10, 0x49, "RELEASE_MEM", 7, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(ACQUIRE_MEM_GFX10, 0x58, "ACQUIRE_MEM", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(MAP_PROCESS, 0xa1, "MAP_PROCESS", 16, 16, AMD_TAIL_NONE, 0, 0, 0),
};
static const struct amd_layout gfx11_layouts[] = {
    LAYOUT(EVENT_WRITE_GFX11, 0x46, "EVENT_WRITE", 2, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(ACQUIRE_MEM_GFX11, 0x58, "ACQUIRE_MEM", 8, 8, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(RELEASE_MEM_GFX11, 0x49, "RELEASE_MEM", 7, 8, AMD_TAIL_NONE, 0, 0, 0),
};
static const struct amd_layout gfx12_layouts[] = {
    LAYOUT(EVENT_WRITE_GFX12, 0x46, "EVENT_WRITE", 2, 4, AMD_TAIL_NONE, 0, 0, 0),
    LAYOUT(RELEASE_MEM_GFX12, 0x49, "RELEASE_MEM", 7, 8, AMD_TAIL_NONE, 0, 0, 0),
};
/* clang-format on */

static const struct amd_layouts pm4_layouts[AMD_GENERATIONS] = {
    [AMD_GENERATION_GFX9] = AMD_LAYOUTS(gfx9_layouts, NULL),
    [AMD_GENERATION_GFX10] = AMD_LAYOUTS(gfx10_layouts, &pm4_layouts[AMD_GENERATION_GFX9]),
    [AMD_GENERATION_GFX11] = AMD_LAYOUTS(gfx11_layouts, &pm4_layouts[AMD_GENERATION_GFX10]),
    [AMD_GENERATION_GFX12] = AMD_LAYOUTS(gfx12_layouts, &pm4_layouts[AMD_GENERATION_GFX11]),
};

const struct amd_layouts *amd_pm4_layouts_of(enum amd_generation generation)
{
    return &pm4_layouts[generation];
}

static const struct amd_field head_fields[] = {
    {"PREDICATE", AMD_BITS(0, 0, 1, 0), AMD_DEC, 0, NULL},
    {"COMPUTE", AMD_BITS(0, 1, 1, 0), AMD_DEC, 0, NULL},
};
static const struct amd_field type0_fields[] = {
    {"OFFSET", AMD_BITS(0, 0, 16, 0), AMD_HEX, 0, NULL},
};
static const struct amd_layout type0_layout = {0, "TYPE0",      2, 1, AMD_TAIL_REGISTERS, 0, 0,
                                               0, type0_fields, 1};
static const struct amd_layout type2_layout = {0, "TYPE2", 1, 1, AMD_TAIL_NONE, 0, 0, 0, NULL, 0};

enum { HEADER_TYPE = 0xc0000000, HEADER_COUNT = 0x3fff0000, HEADER_OPCODE = 0xff00 };

/* ---- walking --------------------------------------------------------------------------------- */

static void pm4_type3(struct amd_packet *packet)
{
    const uint32_t count = AMD_PM4_COUNT(packet->dwords[0]);
    const char *other;

    packet->code = AMD_PM4_OPCODE(packet->dwords[0]);
    packet->header_bits = HEADER_TYPE | HEADER_COUNT | HEADER_OPCODE;
    packet->head = head_fields;
    packet->head_count = sizeof head_fields / sizeof head_fields[0];
    /* A NOP of the highest count is one dword. */
    packet->said_dwords = packet->code == AMD_PM4_NOP && count == 0x3fff ? 1 : count + 2;
    if (packet->dword_count > packet->said_dwords)
        packet->dword_count = packet->said_dwords;
    amd_packet_judge(packet,
                     amd_layouts_select(amd_pm4_layouts_of(packet->generation), packet->code,
                                        packet->dwords, packet->dword_count, packet->said_dwords));
    other = amd_value_name(others, packet->code);
    if (!other && packet->generation != AMD_GENERATION_GFX9)
        other = amd_value_name(others_gfx10, packet->code);
    if (other && !packet->layout) {
        packet->name = other;
        if (packet->problem == AMD_UNKNOWN)
            packet->problem = AMD_SOUND;
    }
}

bool amd_pm4_next(struct amd_reader *reader, struct amd_packet *packet)
{
    if (reader->at >= reader->count)
        return false;
    *packet = (struct amd_packet){.at = reader->at,
                                  .dwords = reader->dwords + reader->at,
                                  .dword_count = reader->count - reader->at,
                                  .said_dwords = 1,
                                  .generation = reader->generation,
                                  .header_bits = HEADER_TYPE};
    switch (AMD_PM4_TYPE(packet->dwords[0])) {
    case 3:
        pm4_type3(packet);
        break;
    case 2:
        packet->header_bits = UINT32_MAX;
        packet->dword_count = 1;
        amd_packet_judge(packet, &type2_layout);
        break;
    case 1:
        packet->dword_count = 1;
        amd_packet_judge(packet, NULL);
        packet->name = "TYPE1";
        packet->header_bits = UINT32_MAX;
        break;
    default:
        packet->header_bits = HEADER_TYPE | HEADER_COUNT;
        packet->said_dwords = AMD_PM4_COUNT(packet->dwords[0]) + 2;
        if (packet->dword_count > packet->said_dwords)
            packet->dword_count = packet->said_dwords;
        amd_packet_judge(packet, &type0_layout);
        break;
    }
    reader->at += packet->dword_count;
    return true;
}
