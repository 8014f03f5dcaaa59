/* SPDX-License-Identifier: MIT */
/*
 * Which methods are pure state, which a unit acts on, and which lose an effect: the lists of
 * nv_effect.h, for nv_effect.c.
 *
 * A class with new methods needs:
 *
 *   - STATE(id, "NAMES") for those that are pure state.  A '*' stands for any characters.  Names
 *     are looked for in the rows of this class and of newer ones of its kind.
 *   - MODELLED(kind, "NAME", "FIELDS") for those that a unit acts on, with the fields that it
 *     looks at or that have nothing to do here; "*" means all fields.
 *   - rows LOST(...) for the others, in the order of their offsets.
 */

/* clang-format off */

/* ---- what is lost ---------------------------------------------------------------------------- */

#define LOST_MACRO     "macros are not run: the methods that they would send"
#define LOST_MACRO_DMA "macros are not run: their own reads and writes of memory"
#define LOST_REPLAY    "the macro engine's shadow: methods with the data that it keeps"
#define LOST_CONDITION "conditions are not looked at: what they would leave out is done"
#define LOST_CACHE     "there are no caches: the time of a flush or invalidation"
#define LOST_ZCULL     "there is no ZCULL: what it saves, loads and clears"
#define LOST_PERF      "performance counters and their triggers"
#define LOST_FALCON    "calls of the engine's firmware, which writes registers"
#define LOST_PIPELINE  "the order of stages of the graphics pipeline"
#define LOST_STREAM    "stream output: the vertices that draws write to memory"
#define LOST_COUNT     "nothing is counted: reports of counters are 0"
#define LOST_LOCATION  "places in the pipeline: the report comes when all work before it is done"
#define LOST_VALUE     "values that the class does not have"
#define LOST_INTERRUPT "interrupts that depend on a value"
#define LOST_PAYLOAD   "the upper halves of payloads of 64 bits"
#define LOST_PEER      "the memory of other GPUs"
#define LOST_SYNCPOINT "syncpoints"
#define LOST_VERSION   "checks of versions: an error if the class has another one"
#define LOST_UNKNOWN   "what the method does is not published"
#define LOST_PIXELS    "draws that are not counted as work: what they draw, and their time"
#define LOST_SCHEDULE  "queues of grids, dependent grids and their counters"
#define LOST_VIRTUAL   "addresses of descriptors relative to a base"
#define LOST_PROTECTED "protected memory and encryption: the bytes are copied as they are"
#define LOST_SCRUB     "scrubbing: the memory keeps its bytes"
#define LOST_COMPRESS  "kinds of compressed memory"
#define LOST_INLINE    "words without a launch before them, or for a buffer that only a macro selected"
#define LOST_ATOMIC    "sequences that no other channel may interrupt"
#define LOST_SHARES    "shares of the SMs between graphics and compute"
#define LOST_FAULTS    "replays and cancellations of faults, and access counters"
#define LOST_TLB       "invalidations of fewer translations: more are forgotten"
#define LOST_FERMI     "grids and constants of Fermi's compute class"
#define LOST_VIDEO     "video engines: pictures are neither decoded nor encoded"

/* ---- pure state ------------------------------------------------------------------------------ */

/* What all classes of the graphics engine's front end have.  RAMs of macros (LOAD_MME_*) are state:
 * the loss is counted where a macro is called. */
#define FRONT_END                                                                                   \
    "NO_OPERATION SET_* LOAD_MME_* LINE_LENGTH_IN LINE_COUNT OFFSET_OUT OFFSET_OUT_UPPER PITCH_OUT " \
    "OFFSET_IN OFFSET_IN_UPPER PITCH_IN CALL_MME_DATA "
/* The macro engine of later classes. */
#define MACROS "SET_MME_SWITCH_STATE SET_MME_MEM_ADDRESS_* SET_MME_DATA_RAM_ADDRESS "               \
    "SET_MME_DATA_FIFO_CONFIG SET_MME_VERSION SET_MME_SHADOW_* LOAD_MME_* CALL_MME_DATA "
/* Methods whose form changed, but not their name, are not new. */
#define NV_STATES(STATE)                                                                            \
    STATE(a040, FRONT_END)                                                                          \
    STATE(9039, FRONT_END)                                                                          \
    STATE(902d, FRONT_END "COLOR_PATTERN_* RENDER_SOLID_PRIM_MODE RENDER_SOLID_PRIM_POINT_SET_X")    \
    STATE(a097, FRONT_END "D3D_SET_* OGL_SET_* X_X_X_SET_* NOOP_X_X_X_* PIPE_NOP NO_OPERATION_DATA_HI " \
          "RESERVED_* END PEER_SEMAPHORE_RELEASE_OFFSET* LOAD_PRIMITIVE_ID ADD_TO_PRIMITIVE_ID BIND_GROUP_* UNBIND_ALL "           \
          "LOAD_GA_TO_VA_* LOAD_CONSTANT_BUFFER_OFFSET")                                            \
    STATE(a297, "SET_GLOBAL_LOAD_VIA_TEXTURE SET_SM_QUADRANT_SELECTION_CONTROL SET_ITERATED_BLEND* " \
          "SET_ZCULL_SERIALIZATION LOAD_ITERATED_BLEND_* SET_CONSTANT_COLOR_RENDERING*")            \
    STATE(b197, "SET_ITERATED_BLEND* SET_ZCULL_SERIALIZATION LOAD_ITERATED_BLEND_* "                \
          "SET_CONSTANT_COLOR_RENDERING* SET_STREAM_OUT_BUFFER_* SET_HYBRID_ANTI_ALIAS_CONTROL "     \
          "SET_VIEWPORT_* SET_SCISSOR_* SET_SELECT_MAXWELL_TEXTURE_HEADERS SET_VPC_PERF_KNOB "       \
          "SET_POST_* SET_SAMPLE_MASK SET_COLOR_TARGET_* SET_TIR* SET_ANTI_ALIAS_* "                \
          "SET_TILED_CACHE_BUNDLE_CONTROL SET_STENCIL_COMPRESSION SET_MUTABLE_METHOD_CONTROL "       \
          "SET_FILL_VIA_TRIANGLE SET_CONSERVATIVE_RASTER SET_OFFSET_RENDER_TARGET_INDEX "           \
          "SET_COVERAGE_TO_COLOR SET_ZT_SPARSE SET_PIXEL_SHADER_* SET_SHADER_PERFORMANCE_COUNTER_*") \
    STATE(c097, "SET_SCREEN_STATE_MASK SET_BACK_END_COPY_* SET_SHADER_PERFORMANCE_COUNTER_*")       \
    STATE(c197, "SET_GS_MODE SET_INSTANCE_COUNT SET_POSITION_W_SCALED_OFFSET_* SET_MULTI_VIEW "     \
          "SET_GO_IDLE_TIMEOUT SET_STENCIL_ZERO_BANDWIDTH_CLEAR")                                   \
    STATE(c397, MACROS "SET_CONSERVATIVE_RASTER_CONTROL SET_PIPELINE_PROGRAM_ADDRESS_* "            \
          "SET_TRAP_HANDLER_* SET_STREAM_OUT_LAYOUT_SELECT SET_SHADER_PERFORMANCE_SNAPSHOT_*")      \
    STATE(c597, MACROS "SET_MULTI_VIEW* SET_SPARE_MULTI_VIEW_* SET_INDEX_BUFFER_SIZE_* SET_ROOT_TABLE_* " \
          "LOAD_ROOT_TABLE SET_DRAW_CONTROL_* DRAW_INDEX_BUFFER_BEGIN_END_A "                       \
          "DRAW_VERTEX_ARRAY_BEGIN_END_A SET_VARIABLE_PIXEL_RATE_* SET_COLOR_RENDER_TO_ZETA_SURFACE " \
          "SET_ZCULL_VISIBLE_PRIM_OPTIMIZATION SET_TIMESLICE_BATCH_LIMIT "                          \
          "SET_POSITION_W_SCALED_OFFSET_* SET_VERTEX_STREAM_SIZE_* SET_COLOR_TARGET_RESERVED_A "     \
          "SET_MESH_* SET_SHADING_RATE_* SET_SCG_GRAPHICS_* SET_BLEND_PER_TARGET_* "                \
          "SET_STREAM_OUT_LAYOUT_SELECT")                                                           \
    STATE(c697, "SET_PIPELINE_RESERVED_B")                                                          \
    STATE(c797, MACROS "SET_REPORT_SEMAPHORE_PAYLOAD_* SET_REPORT_SEMAPHORE_ADDRESS_* "             \
          "SET_VARIABLE_PIXEL_RATE_* SET_ROOT_TABLE_PREFETCH SET_Z_ROP_SLICE_MAP "                  \
          "SET_COLOR_TARGET_C_ROP_SLICE_MAP SET_PIPELINE_PROGRAM_PREFETCH")                         \
    STATE(cb97, "SET_TEXTURE_HEADER_VERSION")                                                       \
    STATE(cd97, "SET_ST_*")                                                                         \
    /* A descriptor's place (SEND_PCAS_*, SET_INLINE_QMD_ADDRESS_*) is read by what launches it. */  \
    STATE(91c0, "BIND_* BEGIN_GRID END_GRID LOAD_GA_TO_VA_* UNBIND_ALL LOAD_CONSTANT_BUFFER_OFFSET") \
    STATE(a0c0, FRONT_END "SEND_PCAS_A SEND_PCAS_B PIPE_NOP")                                       \
    STATE(b1c0, "SET_VALID_SPAN_OVERFLOW_AREA_* SET_COALESCE_WAITING_PERIOD_UNIT SET_GLOBAL_LOAD_VIA_TEXTURE " \
          "SET_SELECT_MAXWELL_TEXTURE_HEADERS SET_GWC_SCG_TYPE SET_WFI_CONFIG "                     \
          "SET_SCG_RENDER_ENABLE_CONTROL SET_SHADER_PERFORMANCE_COUNTER_*")                         \
    STATE(c0c0, "SET_SHADER_SHARED_MEMORY_WINDOW_* SET_INLINE_QMD_ADDRESS_* "                       \
          "SET_SHADER_LOCAL_MEMORY_WINDOW_* SET_SHADER_PERFORMANCE_COUNTER_*")                      \
    STATE(c1c0, "SCG_HYSTERESIS_CONTROL")                                                           \
    STATE(c3c0, "SET_SKED_CACHE_CONTROL SET_TRAP_HANDLER_* SET_SHADER_PERFORMANCE_SNAPSHOT_*")      \
    STATE(c5c0, "SET_QMD_VIRTUALIZATION_* SET_SCG_COMPUTE_SCHEDULING_PARAMETERS")              \
    STATE(c7c0, MACROS "SET_REPORT_SEMAPHORE_PAYLOAD_* SET_REPORT_SEMAPHORE_ADDRESS_*")             \
    STATE(cbc0, "SET_TEXTURE_HEADER_VERSION SET_MONITORED_FENCE_SIGNAL_ADDRESS_BASE_*")             \
    STATE(cec0, "SET_MME_TASK_EVENT_STATE SET_WFI_FILTER_STATE")                                    \
    STATE(90b5, "SET_APPLICATION_ID SET_WATCHDOG_TIMER ADDRESSING_MODE")                            \
    STATE(a0b5, "NOP SET_* OFFSET_* PITCH_* LINE_*")                                                \
    STATE(c1b5, "SRC_ORIGIN_* DST_ORIGIN_*")                                                        \
    STATE(c7b5, "SET_MONITORED_FENCE_* SET_SEMAPHORE_PAYLOAD_UPPER")                                \
    /* Read by a launch with COPY_TYPE or MEMORY_SCRUB_ENABLE. */                                    \
    STATE(c8b5, "SET_SECURE_COPY_MODE SET_DECRYPT_* SET_ENCRYPT_* SET_MEMORY_SCRUB_PARAMETERS")     \
    /* Operands; Kepler's MEM_OP_B acts. */                                                          \
    STATE(a06f, "NOP SEMAPHOREA SEMAPHOREB SEMAPHOREC MEM_OP_A")                                    \
    STATE(b06f, "MEM_OP_C")                                                                         \
    STATE(c06f, "MEM_OP_B SYNCPOINTA")                                                              \
    STATE(c36f, "SEM_ADDR_LO SEM_ADDR_HI SEM_PAYLOAD_LO SEM_PAYLOAD_HI")                            \
    /* Read by VBLANK_SEMAPHORE_RELEASE. */                                                          \
    STATE(906e, "VBLANK_SEMAPHORE_ADDRESS_* VBLANK_SEMAPHORE_PAYLOAD")                              \
    /* The video engines: what an EXECUTE and a SEMAPHORE_D read. */                                 \
    STATE(c9b0, "NOP SET_* H264_SET_* VP8_SET_* HEVC_SET_* VP9_SET_* AV1_SET_* "            \
          "VP9_PARSER_SET_* PASS1_SET_* PR_SET_* DH_KE_SET_* SEMAPHORE_A "        \
          "SEMAPHORE_B SEMAPHORE_C CTX_SAVE_AREA")                                                  \
    STATE(c9b7, "NOP SET_* SEMAPHORE_A SEMAPHORE_B SEMAPHORE_C CTX_SAVE_AREA")                      \
    STATE(c9d1, "NOP SET_* SEMAPHORE_A SEMAPHORE_B SEMAPHORE_C CTX_SAVE_AREA")                      \
    STATE(e7d0, "NOP SET_* SEMAPHORE_A SEMAPHORE_B SEMAPHORE_C CTX_SAVE_AREA")

/* ---- what a unit acts on --------------------------------------------------------------------- */

/* FLUSH_DISABLE, SYSMEMBAR_DISABLE and the kinds of RELEASE and ACQUIRE order accesses of caches. */
#define REPORT_FIELDS "OPERATION AWAKEN_ENABLE STRUCTURE_SIZE FLUSH_DISABLE ROP_FLUSH_DISABLE "     \
    "REDUCTION_ENABLE REDUCTION_OP RELEASE ACQUIRE COMPARISON SUB_REPORT REPORT_DWORD_NUMBER"
#define NV_MODELLED(MODELLED)                                                                       \
    MODELLED(0x97, "SET_OBJECT", "*")                                                               \
    MODELLED(0x97, "NOTIFY", "*")                                                                   \
    MODELLED(0x97, "WAIT_FOR_IDLE", "*")                                                            \
    MODELLED(0x97, "LAUNCH_DMA", "*")                                                               \
    MODELLED(0x97, "LOAD_INLINE_DATA", "*")                                                         \
    MODELLED(0x97, "LOAD_CONSTANT_BUFFER", "*")                                                     \
    MODELLED(0x97, "BEGIN", "*") /* which inline index is a draw's first */                         \
    MODELLED(0x97, "SET_REPORT_SEMAPHORE_D", REPORT_FIELDS)                                         \
    MODELLED(0x97, "REPORT_SEMAPHORE_EXECUTE", REPORT_FIELDS " PAYLOAD_SIZE64")                     \
    MODELLED(0xc0, "SET_OBJECT", "*")                                                               \
    MODELLED(0xc0, "NOTIFY", "*")                                                                   \
    MODELLED(0xc0, "WAIT_FOR_IDLE", "*")                                                            \
    MODELLED(0xc0, "WAIT_FOR_IDLE_SCG_TYPE", "*") /* ASSUMED: waits for all */                      \
    MODELLED(0xc0, "LAUNCH_DMA", "*")                                                               \
    MODELLED(0xc0, "LOAD_INLINE_DATA", "*")                                                         \
    MODELLED(0xc0, "LOAD_INLINE_QMD_DATA", "*")                                                     \
    MODELLED(0xc0, "SEND_SIGNALING_PCAS_B", "*") /* INVALIDATE: no cache of descriptors */          \
    MODELLED(0xc0, "SEND_SIGNALING_PCAS2_B", "PCAS_ACTION")                                         \
    MODELLED(0xc0, "SET_REPORT_SEMAPHORE_D", REPORT_FIELDS)                                         \
    MODELLED(0xc0, "REPORT_SEMAPHORE_EXECUTE", REPORT_FIELDS " PAYLOAD_SIZE64")                     \
    MODELLED(0x2d, "SET_OBJECT", "*")                                                               \
    MODELLED(0x2d, "NOTIFY", "*")                                                                   \
    MODELLED(0x2d, "WAIT_FOR_IDLE", "*")                                                            \
    MODELLED(0x39, "SET_OBJECT", "*")                                                               \
    MODELLED(0x40, "SET_OBJECT", "*")                                                               \
    MODELLED(0x40, "NOTIFY", "*")                                                                   \
    MODELLED(0x40, "WAIT_FOR_IDLE", "*")                                                            \
    MODELLED(0x40, "LAUNCH_DMA", "*")                                                               \
    MODELLED(0x40, "LOAD_INLINE_DATA", "*")                                                         \
    MODELLED(0xb5, "SET_RENDER_ENABLE_C", "*")                                                      \
    /* L2, PLC and flushes: there are no caches.  An unknown value raises LAUNCHERR. */              \
    MODELLED(0xb5, "LAUNCH_DMA", "DATA_TRANSFER_TYPE FLUSH_ENABLE FLUSH_TYPE SEMAPHORE_TYPE "       \
             "INTERRUPT_TYPE SRC_MEMORY_LAYOUT DST_MEMORY_LAYOUT MULTI_LINE_ENABLE REMAP_ENABLE "   \
             "*BYPASS_L2 FORCE_RMWDISABLE SRC_TYPE DST_TYPE SEMAPHORE_REDUCTION* DISABLE_PLC")      \
    MODELLED(0x6f, "SET_OBJECT", "*")                                                               \
    MODELLED(0x6f, "ILLEGAL", "*")                                                                  \
    MODELLED(0x6f, "SEMAPHORED", "*")                                                               \
    MODELLED(0x6f, "NON_STALL_INTERRUPT", "*")                                                      \
    MODELLED(0x6f, "FB_FLUSH", "*")                                                                 \
    MODELLED(0x6f, "MEM_OP_B", "*")                                                                 \
    MODELLED(0x6f, "MEM_OP_D", "*")                                                                 \
    MODELLED(0x6f, "SET_REFERENCE", "*")                                                            \
    MODELLED(0x6f, "CRC_CHECK", "*")                                                                \
    MODELLED(0x6f, "YIELD", "*")                                                                    \
    MODELLED(0x6f, "WFI", "*")                                                                      \
    MODELLED(0x6f, "SYNCPOINTA", "*") /* raise METHOD: the chips here have no syncpoints */         \
    MODELLED(0x6f, "SYNCPOINTB", "*")                                                               \
    MODELLED(0x6f, "SEM_EXECUTE", "*")                                                              \
    MODELLED(0x6f, "CLEAR_FAULTED", "*")                                                            \
    /* nouveau answers the interrupt that these raise. */                                            \
    MODELLED(0x6e, "SET_OBJECT", "*")                                                               \
    MODELLED(0x6e, "VBLANK_SEMAPHORE_RELEASE", "*")                                                 \
    MODELLED(0x6e, "PAGE_FLIP", "*")                                                                \
    MODELLED(0x6e, "REGISTER_*", "*")

/* Draws, clears and blits. */
#define NV_WORK(WORK)                                                                               \
    WORK(0x97, "CLEAR_SURFACE DRAW_VERTEX_ARRAY DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_* "            \
         "DRAW_VERTEX_ARRAY_BEGIN_END_B DRAW_AUTO DRAW_INDEX_BUFFER "                               \
         "DRAW_INDEX_BUFFER*_BEGIN_END_INSTANCE_* DRAW_INDEX_BUFFER_BEGIN_END_B "                   \
         "DRAW_INLINE_INDEX*")                                                                      \
    WORK(0x2d, "PIXELS_FROM_MEMORY_SRC_Y0_INT RENDER_SOLID_PRIM_POINT_Y")

/* ---- what is lost ---------------------------------------------------------------------------- */

/*
 * ALWAYS(kind, first offset, last offset, name, lost): methods whose names have the pattern.
 * FIELD(kind, offset, name, field, hi, lo, lost): unless the field is 0.
 * EQUAL, UNLESS, ABOVE(..., value, lost): if the field has the value, another one, a greater one.
 * REPORT(...): like FIELD, in a report of a counter.  LOCATION(...): see nv_effect.h.
 * UNIT(kind, offset, name, lost): the unit knows.
 *
 * The rows of a kind that have one offset follow each other.
 */
#define LOSS_CONDITION(R, kind, c, override)                                                        \
    R##UNLESS(kind, c, "SET_RENDER_ENABLE_C", "MODE", 2, 0, 1, LOST_CONDITION)                      \
    R##EQUAL(kind, override, "SET_RENDER_ENABLE_OVERRIDE", "MODE", 1, 0, 2, LOST_CONDITION)         \
    R##UNLESS(kind, 0x0138, "SET_GLOBAL_RENDER_ENABLE_C", "MODE", 2, 0, 1, LOST_CONDITION)
/* What all front ends have.  Firmware: Mesa's NVK has SET_FALCON04 write a register (nvk_mme.c). */
#define LOSS_FRONT_END(R, kind, falcons)                                                            \
    R##ALWAYS(kind, 0x013c, 0x013c, "SEND_GO_IDLE", LOST_PIPELINE)                                  \
    R##ALWAYS(kind, 0x0140, 0x0144, "PM_TRIGGER*", LOST_PERF)                                       \
    R##ALWAYS(kind, falcons, (falcons) + 0x7c, "SET_FALCON*", LOST_FALCON)
#define LOSS_MACROS(R, kind)                                                                        \
    R##EQUAL(kind, 0x0124, "SET_MME_SHADOW_RAM_CONTROL", "MODE", 1, 0, 3, LOST_REPLAY)              \
    R##FIELD(kind, 0x01ec, "SET_MME_SWITCH_STATE", "VALID", 0, 0, LOST_MACRO)                       \
    R##ALWAYS(kind, 0x055c, 0x0570, "MME_DMA_*", LOST_MACRO_DMA)                                    \
    R##ALWAYS(kind, 0x0dec, 0x0dec, "MME_DMA_WRITE_METHOD_BARRIER", LOST_MACRO_DMA)                 \
    R##ALWAYS(kind, 0x3800, 0x3800, "CALL_MME_MACRO", LOST_MACRO)
/* What 3D and compute have in the same places. */
#define LOSS_SHADERS(R, kind)                                                                       \
    R##ALWAYS(kind, 0x0148, 0x014c, "FE_ATOMIC_SEQUENCE_*", LOST_ATOMIC)                            \
    R##ALWAYS(kind, 0x021c, 0x021c, "INVALIDATE_SHADER_CACHES", LOST_CACHE)                         \
    R##ALWAYS(kind, 0x07fc, 0x07fc, "THROTTLE_SM", LOST_PIPELINE)                                   \
    R##ALWAYS(kind, 0x120c, 0x1210, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(kind, 0x1288, 0x1288, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(kind, 0x1330, 0x1338, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(kind, 0x1424, 0x1428, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(kind, 0x1458, 0x1460, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(kind, 0x1930, 0x1938, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ABOVE(kind, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "REDUCTION_FORMAT", 18, 17, 1, LOST_VALUE)     \
    R##FIELD(kind, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "CONDITIONAL_TRAP", 19, 19, LOST_INTERRUPT)    \
    R##REPORT(kind, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "REPORT", 27, 23, LOST_COUNT)                 \
    R##LOCATION(kind, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "PIPELINE_LOCATION", 15, 12, LOST_LOCATION) \
    R##ALWAYS(kind, 0x3334, 0x3338, "*ABLE_SHADER_PERFORMANCE_SNAPSHOT_COUNTER", LOST_PERF)         \
    R##ALWAYS(kind, 0x33e0, 0x33e4, "ST*_SHADER_PERFORMANCE_COUNTER", LOST_PERF)
#define LOSS_INLINE(R, kind, launch, data)                                                          \
    R##ABOVE(kind, launch, "LAUNCH_DMA", "COMPLETION_TYPE", 5, 4, 2, LOST_VALUE)                    \
    R##ABOVE(kind, launch, "LAUNCH_DMA", "INTERRUPT_TYPE", 9, 8, 1, LOST_VALUE)                     \
    R##ABOVE(kind, launch, "LAUNCH_DMA", "REDUCTION_FORMAT", 3, 2, 1, LOST_VALUE)                   \
    R##UNIT(kind, data, "LOAD_INLINE_DATA", LOST_INLINE)

#define LOSSES_INLINE(R)                                                                            \
    LOSS_CONDITION(R, 0x40, 0x1558, 0x1944) LOSS_FRONT_END(R, 0x40, 0x0200)                         \
    LOSS_INLINE(R, 0x40, 0x01b0, 0x01b4)                                                            \
    R##ABOVE(0x40, 0x010c, "NOTIFY", "TYPE", 31, 0, 1, LOST_VALUE)

/* Fermi's M2MF: no chip here has it. */
#define LOSSES_M2MF(R)                                                                              \
    LOSS_CONDITION(R, 0x39, 0x0340, 0x0308) LOSS_FRONT_END(R, 0x39, 0x027c) LOSS_MACROS(R, 0x39)    \
    R##ALWAYS(0x39, 0x010c, 0x0110, "*", LOST_UNKNOWN)                                              \
    R##ALWAYS(0x39, 0x0304, 0x0304, "LOAD_INLINE_DATA", LOST_UNKNOWN)                               \
    R##ALWAYS(0x39, 0x0300, 0x0300, "LAUNCH_DMA", LOST_UNKNOWN)

#define LOSSES_2D(R)                                                                                \
    LOSS_CONDITION(R, 0x2d, 0x026c, 0x02dc) LOSS_FRONT_END(R, 0x2d, 0x08e0) LOSS_MACROS(R, 0x2d)    \
    R##ABOVE(0x2d, 0x010c, "NOTIFY", "TYPE", 31, 0, 1, LOST_VALUE)                                  \
    R##ALWAYS(0x2d, 0x0228, 0x0228, "FLUSH_AND_INVALIDATE_*", LOST_CACHE)                           \
    R##ALWAYS(0x2d, 0x0240, 0x0240, "TWOD_INVALIDATE_*", LOST_CACHE)                                \
    R##ALWAYS(0x2d, 0x05e0, 0x05e0, "RENDER_SOLID_PRIM_POINT_X_Y", LOST_PIXELS)                     \
    R##ALWAYS(0x2d, 0x0860, 0x0860, "PIXELS_FROM_CPU_DATA", LOST_PIXELS)

#define LOSSES_3D(R)                                                                                \
    LOSS_CONDITION(R, 0x97, 0x1558, 0x1944) LOSS_FRONT_END(R, 0x97, 0x2300) LOSS_MACROS(R, 0x97)    \
    LOSS_SHADERS(R, 0x97) LOSS_INLINE(R, 0x97, 0x01b0, 0x01b4)                                      \
    R##ABOVE(0x97, 0x010c, "NOTIFY", "TYPE", 31, 0, 1, LOST_VALUE)                                  \
    R##REPORT(0x97, 0x0168, "REPORT_SEMAPHORE_EXECUTE", "REPORT", 11, 7, LOST_COUNT)                \
    R##LOCATION(0x97, 0x0168, "REPORT_SEMAPHORE_EXECUTE", "PIPELINE_LOCATION", 5, 2, LOST_LOCATION) \
    R##ABOVE(0x97, 0x0168, "REPORT_SEMAPHORE_EXECUTE", "REDUCTION_FORMAT", 25, 24, 1, LOST_VALUE)   \
    R##FIELD(0x97, 0x0168, "REPORT_SEMAPHORE_EXECUTE", "TRAP_TYPE", 29, 28, LOST_INTERRUPT)         \
    R##ALWAYS(0x97, 0x0200, 0x0200, "RUN_DS_NOW", LOST_PIPELINE)                                    \
    R##ALWAYS(0x97, 0x027c, 0x027c, "INVALIDATE_RASTER_CACHE_NO_WFI", LOST_CACHE)                   \
    R##ALWAYS(0x97, 0x02c8, 0x02c8, "INCREMENT_SYNC_POINT", LOST_SYNCPOINT)                         \
    R##ALWAYS(0x97, 0x02d4, 0x02d4, "FLUSH_AND_INVALIDATE_*", LOST_CACHE)                           \
    R##ALWAYS(0x97, 0x02e0, 0x02e0, "DECOMPRESS_SURFACE", LOST_COMPRESS)                            \
    R##ALWAYS(0x97, 0x02f0, 0x02f0, "PEER_SEMAPHORE_RELEASE", LOST_PEER)                            \
    R##ALWAYS(0x97, 0x02fc, 0x02fc, "ASSIGN_ZCULL_SUBREGIONS", LOST_ZCULL)                          \
    R##ALWAYS(0x97, 0x0304, 0x0304, "DRAW_ZERO_INDEX", LOST_PIXELS)                                 \
    R##FIELD(0x97, 0x0744, "SET_STREAM_OUTPUT", "ENABLE", 0, 0, LOST_STREAM)                        \
    R##ALWAYS(0x97, 0x0d98, 0x0d98, "FORCE_TRANSITION_TO_BETA", LOST_PIPELINE)                      \
    R##ALWAYS(0x97, 0x0da4, 0x0da4, "INVALIDATE_SHADER_CACHES_NO_WFI", LOST_CACHE)                  \
    R##ALWAYS(0x97, 0x0de0, 0x0de0, "PIXEL_SHADER_BARRIER", LOST_PIPELINE)                          \
    R##ALWAYS(0x97, 0x0f18, 0x0f18, "PM_LOCAL_TRIGGER", LOST_PERF)                                  \
    R##ALWAYS(0x97, 0x1014, 0x1104, "SET_RESERVED_SW_METHOD*", LOST_UNKNOWN)                        \
    R##ALWAYS(0x97, 0x1114, 0x1114, "PM_TRIGGER_END", LOST_PERF)                                    \
    R##ALWAYS(0x97, 0x1144, 0x1144, "FLUSH_PENDING_WRITES", LOST_CACHE)                             \
    R##ALWAYS(0x97, 0x11f4, 0x11f4, "FORCE_HEAVYWEIGHT_METHOD_SYNC", LOST_PIPELINE)                 \
    R##ALWAYS(0x97, 0x11fc, 0x11fc, "DECOMPRESS_ZETA_SURFACE", LOST_COMPRESS)                       \
    R##ALWAYS(0x97, 0x1274, 0x1274, "SET_BACK_END_COPY_E", LOST_UNKNOWN)                            \
    R##ALWAYS(0x97, 0x12c8, 0x12c8, "CLEAR_ZCULL_REGION", LOST_ZCULL)                               \
    R##ALWAYS(0x97, 0x142c, 0x142c, "INVALIDATE_DA_DMA_CACHE", LOST_CACHE)                          \
    R##ALWAYS(0x97, 0x1464, 0x1464, "STORE_ZCULL", LOST_ZCULL)                                      \
    R##ALWAYS(0x97, 0x1500, 0x1500, "LOAD_ZCULL", LOST_ZCULL)                                       \
    R##ALWAYS(0x97, 0x1530, 0x1530, "CLEAR_REPORT_VALUE", LOST_COUNT)                               \
    R##ALWAYS(0x97, 0x1640, 0x1640, "DRAW_INLINE_VERTEX", LOST_PIXELS)                              \
    R##ALWAYS(0x97, 0x169c, 0x169c, "LAUNCH_VERTEX", LOST_PIXELS)                                   \
    R##ALWAYS(0x97, 0x16a0, 0x16a8, "CHECK_*_VERSION", LOST_VERSION)                                \
    R##ALWAYS(0x97, 0x1794, 0x1794, "CHECK_AAM_VERSION", LOST_VERSION)                              \
    R##ALWAYS(0x97, 0x1958, 0x1958, "INVALIDATE_ZCULL", LOST_ZCULL)                                 \
    R##ALWAYS(0x97, 0x1978, 0x1978, "ZCULL_SYNC", LOST_ZCULL)                                       \
    R##ALWAYS(0x97, 0x19d4, 0x19d4, "CLEAR_CLIP_ID_SURFACE", LOST_PIXELS)                           \
    R##UNIT(0x97, 0x2390, "LOAD_CONSTANT_BUFFER", LOST_INLINE)

/* In a grid of blocks there is no counter and no place: compute has no REPORT and no ACQUIRE. */
#define LOSSES_COMPUTE(R)                                                                           \
    LOSS_CONDITION(R, 0xc0, 0x1558, 0x1944) LOSS_FRONT_END(R, 0xc0, 0x0500) LOSS_MACROS(R, 0xc0)    \
    LOSS_SHADERS(R, 0xc0) LOSS_INLINE(R, 0xc0, 0x01b0, 0x01b4)                                      \
    R##ABOVE(0xc0, 0x010c, "NOTIFY", "TYPE", 31, 0, 1, LOST_VALUE)                                  \
    R##ABOVE(0xc0, 0x0168, "REPORT_SEMAPHORE_EXECUTE", "REDUCTION_FORMAT", 11, 10, 1, LOST_VALUE)   \
    R##FIELD(0xc0, 0x0168, "REPORT_SEMAPHORE_EXECUTE", "TRAP_TYPE", 14, 13, LOST_INTERRUPT)         \
    R##EQUAL(0xc0, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "OPERATION", 1, 0, 1, LOST_VALUE)              \
    R##EQUAL(0xc0, 0x1b0c, "SET_REPORT_SEMAPHORE_D", "OPERATION", 1, 0, 2, LOST_VALUE)              \
    R##ALWAYS(0xc0, 0x01e8, 0x01e8, "SET_SM_SCG_CONTROL", LOST_SHARES)                              \
    R##ALWAYS(0xc0, 0x020c, 0x020c, "UPDATE_ALL_COMPUTE_CONTROL", LOST_UNKNOWN)                     \
    R##ALWAYS(0xc0, 0x0210, 0x0210, "PERFMON_TRANSFER", LOST_PERF)                                  \
    R##ALWAYS(0xc0, 0x0220, 0x0268, "SET_RESERVED_SW_METHOD*", LOST_UNKNOWN)                        \
    R##ALWAYS(0xc0, 0x0244, 0x0244, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(0xc0, 0x0270, 0x0270, "SET_SCG_CONTROL", LOST_SHARES)                                 \
    R##ALWAYS(0xc0, 0x0274, 0x027c, "INVALIDATE_*", LOST_CACHE)                                     \
    R##ALWAYS(0xc0, 0x0284, 0x0290, "CHECK_*_VERSION", LOST_VERSION)                                \
    R##ALWAYS(0xc0, 0x028c, 0x028c, "TEST_FOR_COMPUTE", LOST_UNKNOWN) /* Fermi's: no chip here */   \
    R##ALWAYS(0xc0, 0x0368, 0x0368, "LAUNCH", LOST_FERMI)                                           \
    R##ALWAYS(0xc0, 0x2390, 0x2390, "LOAD_CONSTANT_BUFFER", LOST_FERMI)                             \
    R##ALWAYS(0xc0, 0x0298, 0x0298, "INVALIDATE_SKED_CACHES", LOST_CACHE)                           \
    R##FIELD(0xc0, 0x029c, "SET_QMD_VIRTUALIZATION_CONTROL", NULL, 31, 0, LOST_VIRTUAL)             \
    R##EQUAL(0xc0, 0x02c0, "SEND_SIGNALING_PCAS2_B", "PCAS_ACTION", 3, 0, 6, LOST_SCHEDULE)         \
    R##EQUAL(0xc0, 0x02c0, "SEND_SIGNALING_PCAS2_B", "PCAS_ACTION", 3, 0, 7, LOST_SCHEDULE)         \
    R##ABOVE(0xc0, 0x02c0, "SEND_SIGNALING_PCAS2_B", "PCAS_ACTION", 3, 0, 11, LOST_SCHEDULE)        \
    R##FIELD(0xc0, 0x02c0, "SEND_SIGNALING_PCAS2_B", "SELECT", 13, 8, LOST_SCHEDULE)                \
    R##FIELD(0xc0, 0x02c0, "SEND_SIGNALING_PCAS2_B", "OFFSET_MINUS_ONE", 23, 14, LOST_SCHEDULE)     \
    R##ALWAYS(0xc0, 0x0360, 0x0360, "WAIT_REF_COUNT", LOST_SCHEDULE)                                \
    R##ALWAYS(0xc0, 0x074c, 0x075c, "EVENT_*_TRIGGER", LOST_PERF)                                   \
    R##ALWAYS(0xc0, 0x0ffc, 0x0ffc, "EVENT_STOP_TRIGGER_WFI", LOST_PERF)                            \
    R##ALWAYS(0xc0, 0x12a8, 0x12a8, "ACTIVATE_PERF_SETTINGS_*", LOST_PERF)                          \
    R##ALWAYS(0xc0, 0x1524, 0x1524, "PERFMON_TRANSFER", LOST_PERF)                                  \
    R##ALWAYS(0xc0, 0x1698, 0x1698, "INVALIDATE_SHADER_CACHES_NO_WFI", LOST_CACHE)

#define LOSSES_COPY(R)                                                                              \
    R##ALWAYS(0xb5, 0x0000, 0x0000, "LL_CMD1", LOST_UNKNOWN)                                        \
    R##ALWAYS(0xb5, 0x0140, 0x0140, "PM_TRIGGER", LOST_PERF)                                        \
    R##ALWAYS(0xb5, 0x1114, 0x1114, "PM_TRIGGER_END", LOST_PERF)                                    \
    R##EQUAL(0xb5, 0x0260, "SET_SRC_PHYS_MODE", "TARGET", 1, 0, 3, LOST_PEER)                       \
    R##FIELD(0xb5, 0x0260, "SET_SRC_PHYS_MODE", "BASIC_KIND", 5, 2, LOST_COMPRESS)                  \
    R##FIELD(0xb5, 0x0260, "SET_SRC_PHYS_MODE", "FLA", 9, 9, LOST_PEER)                             \
    R##EQUAL(0xb5, 0x0264, "SET_DST_PHYS_MODE", "TARGET", 1, 0, 3, LOST_PEER)                       \
    R##FIELD(0xb5, 0x0264, "SET_DST_PHYS_MODE", "BASIC_KIND", 5, 2, LOST_COMPRESS)                  \
    R##FIELD(0xb5, 0x0264, "SET_DST_PHYS_MODE", "FLA", 9, 9, LOST_PEER)                             \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "COPY_TYPE", 21, 20, LOST_PROTECTED)                       \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "VPRMODE", 23, 22, LOST_PROTECTED)                         \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "VPRMODE", 22, 22, LOST_PROTECTED)                         \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "MEMORY_SCRUB_ENABLE", 23, 23, LOST_SCRUB)                 \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "RESERVED_START_OF_COPY", 24, 24, LOST_UNKNOWN)            \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "SEMAPHORE_PAYLOAD_SIZE", 27, 27, LOST_PAYLOAD)            \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "RESERVED", 31, 28, LOST_UNKNOWN)                          \
    R##FIELD(0xb5, 0x0300, "LAUNCH_DMA", "RESERVED_ERR_CODE", 31, 28, LOST_UNKNOWN)

#define LOSSES_HOST(R)                                                                              \
    R##UNIT(0x6f, 0x0030, "MEM_OP_C", LOST_TLB)                                                     \
    R##UNIT(0x6f, 0x0034, "MEM_OP_D", LOST_FAULTS)

/* Nothing of an engine that is not modelled is looked at (NV_PBDMA, UNMODELLED_ENGINE). */
#define LOSS_VIDEO(R, kind)                                                                         \
    R##ALWAYS(kind, 0x0000, 0x1114, "EXECUTE", LOST_VIDEO)                                          \
    R##ALWAYS(kind, 0x0000, 0x1114, "SEMAPHORE_D", LOST_VIDEO)                                      \
    R##ALWAYS(kind, 0x0000, 0x1114, "CTX_SWITCH", LOST_VIDEO)                                       \
    R##ALWAYS(kind, 0x0000, 0x1114, "PM_TRIGGER*", LOST_PERF)
#define LOSSES_VIDEO(R)                                                                             \
    LOSS_VIDEO(R, 0xb0) LOSS_VIDEO(R, 0xb7) LOSS_VIDEO(R, 0xd0) LOSS_VIDEO(R, 0xd1)

#define NV_LOSSES(R)                                                                                \
    LOSSES_INLINE(R) LOSSES_M2MF(R) LOSSES_2D(R) LOSSES_3D(R) LOSSES_COMPUTE(R) LOSSES_COPY(R)      \
    LOSSES_HOST(R) LOSSES_VIDEO(R)

/* ---- descriptors ----------------------------------------------------------------------------- */

/*
 * QMD_LOST(fields, values, lost): what a field of another value than those of the bit mask loses.
 * Fields by the names of all layouts; those of no row are in QMD_MODELLED or QMD_STATE.
 */
#define LOST_SPLIT   "the split of an SM's memory into L1 and shared memory, unless nv.sm_split is held"
#define LOST_CLUSTER "clusters of the whole GPU: blocks start one by one, on any SM"
#define LOST_BLOCKS  "the order and the places that blocks are asked to take"
#define LOST_LATCH   "latches between grids"
#define LOST_THIRD   "the third release"
#define NV_QMD_LOSSES(QMD_LOST)                                                                     \
    QMD_LOST("IS_QUEUE SCHEDULE_ON_PUT_UPDATE_ENABLE", 1, LOST_SCHEDULE)                            \
    QMD_LOST("DEPENDENT_QMD_SCHEDULE_ENABLE DEPENDENT_QMD*_ENABLE DEPENDENCE_COUNTER", 1, LOST_SCHEDULE) \
    QMD_LOST("SELF_COPY_ON_COMPLETION ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST", 1, LOST_SCHEDULE)      \
    QMD_LOST("CWD_REFERENCE_COUNT_INCR_ENABLE CWD_REFERENCE_COUNT_DECR_ENABLE", 1, LOST_SCHEDULE)   \
    QMD_LOST("ENABLE_PROGRAM_PRE_EXIT PRE_EXIT_AT_LAST_CTA_LAUNCH", 1, LOST_SCHEDULE)               \
    QMD_LOST("QMD_TYPE", 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, LOST_SCHEDULE) /* QUEUE */     \
    QMD_LOST("QMD_TYPE", 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3, LOST_CLUSTER)                                    \
    QMD_LOST("ARRIVE_AT_LATCH_VALID WAIT_ON_LATCH_VALID LATCH_ACQUIRE_* LATCH_RELEASE_*", 1, LOST_LATCH) \
    QMD_LOST("HOLD_* PRIORITY_DEMOTE_UNTIL_LATCH_ACQUIRE", 1, LOST_LATCH)                           \
    QMD_LOST("NUM_SUB_TASKS_PER_TASK", 1 << 0 | 1 << 1, LOST_SCHEDULE)                              \
    QMD_LOST("RESUME_SUB_TASK_ID COMPLETED_SUB_TASK_MASK", 1, LOST_SCHEDULE)                        \
    QMD_LOST("SEQUENTIALLY_RUN_CTAS RUN_CTA_IN_ONE_SM_PARTITION LAUNCH_QUOTA_ENABLE", 1, LOST_BLOCKS) \
    QMD_LOST("CTA_RASTER_*_RESUME GRID_*_RESUME INCOMPLETE_BOX_* TPC_DISABLE_MASK_VALID", 1, LOST_BLOCKS)            \
    QMD_LOST("CTA_LAUNCH_QUEUE FREE_CTA_SLOTS_EMPTY_SM OCCUPANCY_*", 1, LOST_BLOCKS)                \
    QMD_LOST("L1_CONFIGURATION TARGET_SM_CONFIG_SHARED_MEM_SIZE", 1, LOST_SPLIT)                    \
    QMD_LOST("RELEASE2_ENABLE", 1, LOST_THIRD) /* and element 2 of RELEASE_ENABLE */                \
    QMD_LOST("RELEASE*_PAYLOAD64B", 1, LOST_PAYLOAD)                                                      \
    QMD_LOST("RELEASE*_REDUCTION_FORMAT", 1 << 0 | 1 << 1, LOST_VALUE)                              \
    QMD_LOST("RELEASE*_NON_BLOCKING_INTR_TYPE RELEASE_TRAP_TYPE", 1, LOST_INTERRUPT)                \
    QMD_LOST("SYNC_DOMAIN_ID", 1, LOST_UNKNOWN)

#define NV_QMD_MODELLED                                                                             \
    "QMD_VERSION QMD_MINOR_VERSION QMD_MAJOR_VERSION CTA_RASTER_WIDTH CTA_RASTER_HEIGHT "           \
    "CTA_RASTER_DEPTH GRID_WIDTH GRID_HEIGHT GRID_DEPTH CTA_THREAD_DIMENSION* SHARED_MEMORY_SIZE " \
    "SHARED_MEMORY_SIZE_SHIFTED7 "  \
    "REGISTER_COUNT REGISTER_COUNT_V SM_DISABLE_MASK_* PROGRAM_OFFSET PROGRAM_ADDRESS_* "           \
    "SEMAPHORE_RELEASE_ENABLE* RELEASE0_ENABLE RELEASE1_ENABLE RELEASE_ENABLE RELEASE_MEMBAR_TYPE "                           \
    "RELEASE*_ADDRESS_* RELEASE*_PAYLOAD RELEASE*_PAYLOAD_* RELEASE_SEMAPHORE* RELEASE*_STRUCTURE_SIZE "              \
    "RELEASE*_REDUCTION_ENABLE RELEASE*_REDUCTION_OP RELEASE*_MEMBAR_TYPE CONSTANT_BUFFER_VALID "   \
    "CONSTANT_BUFFER_ADDR_* CONSTANT_BUFFER_SIZE*"

/*
 * Read by programs, by debuggers, or beside a field above.  Memory is coherent here, so that what a
 * launch asks of caches (invalidations, membars, prefetches) is kept; barriers and local memory limit no block (exec_pool.h).
 * REQUIRE_SCHEDULING_PCAS is set in every descriptor (Mesa), without an effect that is known.
 * QMD_GROUP_ID is the priority on Hopper (nv_qmd.h), and has no known effect elsewhere.
 */
#define NV_QMD_STATE                                                                                \
    "QMD_RESERVED* QMD_SPARE_* SEMAPHORE_RESERVED* CONSTANT_BUFFER_RESERVED_ADDR "                  \
    "RELEASE_RESERVED_INFO HW_ONLY_* OUTER_* INNER_* QMD_GROUP_ID REQUIRE_SCHEDULING_PCAS "         \
    "DEPENDENT_QMD*_POINTER DEPENDENT_QMD*_TYPE DEPENDENT_QMD*_FIELD_COPY DEPENDENT_QMD*_ACTION "   \
    "DEPENDENT_QMD*_PREFETCH SCHEDULER_NEXT_QMD_POINTER SKED_PRIVATE_LIST_* CIRCULAR_QUEUE_* "      \
    "QUEUE_ENTRIES_* COALESCE_WAITING_PERIOD CWD_REFERENCE_COUNT_ID "                               \
    "CWD_REFERENCE_COUNT_DELTA_MINUS_ONE ARRIVE_AT_LATCH_ID WAIT_ON_LATCH_ID LAUNCH_QUOTA "         \
    "INVALIDATE_* CONSTANT_BUFFER_INVALIDATE CONSTANT_BUFFER_PREFETCH* "                                \
    "CWD_MEMBAR_* SM_GLOBAL_CACHING_ENABLE DEMOTE_L2_EVICT_LAST DISABLE_AUTO_INVALIDATE THROTTLED " \
    "PROGRAM_PREFETCH_* MIN_SM_CONFIG_* MAX_SM_CONFIG_* "            \
    "SHARED_ALLOCATION_ENABLE BARRIER_COUNT SHADER_LOCAL_MEMORY_* API_VISIBLE_CALL_LIMIT "          \
    "SAMPLER_INDEX FP32_* SHARED_MEMORY_BANK_MAPPING SASS_VERSION DEBUG_ID_* CORRELATION_ID* "     \
    "GPC_CGA_* LARGE_GPC_CGA_* GPU_CGA_* CGA_CTA_DISTRIBUTION_MODE TPC_DISABLE_MASK "               \
    "TPC_DISABLE_MASK_UPPER SUB_TASK_* VIRTUAL_RESOURCE_COUNT SHARED_MEM_BARRIER_INIT_ENABLE "      \
    "ICC_PREFETCH_SIZE CONSTANT_BANK_PREFETCH_PRE_*"

/* clang-format on */
