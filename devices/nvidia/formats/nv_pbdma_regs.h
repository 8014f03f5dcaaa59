/* SPDX-License-Identifier: MIT */
/*
 * Registers of a PBDMA, one unit in each 8192 bytes from 0x40000 (Ampere: 2048).  The first 256
 * bytes are also the layout of RAMFC: dword n of RAMFC is register 4n.
 *
 * Sources: NVIDIA/open-gpu-doc @c8607fe5 manuals/volta/gv100/dev_pbdma.ref.txt (names, fields);
 * nvgpu hw_pbdma_gp106.h @6ecfb593 (differences on Pascal: SEMAPHOREA-D, FORMATS, CHID,
 * RUNLIST_TIMESLICE, PB_TIMESLICE). nouveau writes UNKNOWN_B8; its meaning is not published.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_PBDMA_REGS_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_PBDMA_REGS_H

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/engine/reg.h"

/* Up to Turing.  From Ampere on they lie closer: nv_generation.h, NV_RUNLIST_PBDMA_CONFIG. */
#define NV_PPBDMA_BASE(i) (0x040000u + 0x2000u * (i))
#define NV_PPBDMA_BASE_0  0x040000u
#define NV_PPBDMA_BYTES   0x200u
#define NV_RAMFC_BYTES    0x100u

/* clang-format off */
/* Fields of INTR_0, and of the registers that have its layout. */
#define NV_PPBDMA_INTR_0_FIELDS(FIELD, register) \
    FIELD(register##_MEMREQ, 0, 0, SAME, NV_UP_TO_TURING, "a memory request is not accepted in time") \
    FIELD(register##_MEMACK_TIMEOUT, 1, 1, SAME, NV_UP_TO_TURING, "no acknowledge of the MMU in time") \
    FIELD(register##_MEMACK_EXTRA, 2, 2, SAME, NV_UP_TO_TURING, "an acknowledge that was not waited for") \
    FIELD(register##_MEMDAT_TIMEOUT, 3, 3, SAME, NV_UP_TO_TURING, "no read data in time") \
    FIELD(register##_MEMDAT_EXTRA, 4, 4, SAME, NV_UP_TO_TURING, "read data that was not asked for") \
    FIELD(register##_MEMFLUSH, 5, 5, SAME, NV_UP_TO_TURING, "no answer to FB_FLUSH in time") \
    FIELD(register##_MEMOP, 6, 6, SAME, NV_UP_TO_TURING, "no answer to a memory operation in time") \
    FIELD(register##_LBCONNECT, 7, 7, SAME, NV_UP_TO_TURING, "no connection to the latency buffer in time") \
    FIELD(register##_LBREQ, 8, 8, SAME, NV_UP_TO_PASCAL, "a request to the latency buffer is not accepted in time") \
    FIELD(register##_LBACK_TIMEOUT, 9, 9, SAME, NV_UP_TO_TURING, "no acknowledge of the latency buffer in time") \
    FIELD(register##_LBACK_EXTRA, 10, 10, SAME, NV_UP_TO_TURING, "an acknowledge too many") \
    FIELD(register##_LBDAT_TIMEOUT, 11, 11, SAME, NV_UP_TO_TURING, "no data of the latency buffer in time") \
    FIELD(register##_LBDAT_EXTRA, 12, 12, SAME, NV_UP_TO_TURING, "data too many") \
    FIELD(register##_GPFIFO, 13, 13, "the ring crosses the end of the address space") \
    FIELD(register##_GPPTR, 14, 14, "GP_PUT, GP_GET or GP_FETCH beyond the ring") \
    FIELD(register##_GPENTRY, 15, 15, "a GP entry that means nothing") \
    FIELD(register##_GPCRC, 16, 16, "GP_CRC is not the operand") \
    FIELD(register##_PBPTR, 17, 17, "GET beyond PUT") \
    FIELD(register##_PBENTRY, 18, 18, "a pushbuffer dword that means nothing") \
    FIELD(register##_PBCRC, 19, 19, "PB_CRC is not the operand") \
    FIELD(register##_XBARCONNECT, 20, 20, SAME, NV_UP_TO_PASCAL, "no connection to an engine in time") \
    FIELD(register##_CLEAR_FAULTED_ERROR, 20, 20, SAME, NV_VOLTA_AND_TURING, "CLEAR_FAULTED of a channel without that fault") \
    FIELD(register##_METHOD, 21, 21, "a method that Host does not have") \
    FIELD(register##_METHODCRC, 22, 22, SAME, NV_UP_TO_TURING, "METHOD_CRC is not what CRC_CHECK says") \
    FIELD(register##_DEVICE, 23, 23, "a software method (subchannels 5 to 7)") \
    FIELD(register##_ENG_RESET, 24, 24, SAME, NV_FROM_VOLTA, "an engine was reset under the channel") \
    FIELD(register##_SEMAPHORE, 25, 25, "a semaphore operation that makes no sense") \
    FIELD(register##_ACQUIRE, 26, 26, "an acquire timed out") \
    FIELD(register##_PRI, 27, 27, "a register was written that processing uses") \
    FIELD(register##_SYNCPOINT_ILLEGAL, 28, 28, SAME, NV_PASCAL, "Tegra: a bad syncpoint") \
    FIELD(register##_NO_CTXSW_SEG, 29, 29, SAME, NV_UP_TO_PASCAL, "cause not published") \
    FIELD(register##_PBSEG, 30, 30, "a conditional segment begins with data") \
    FIELD(register##_SIGNATURE, 31, 31, "RAMFC is not one")

/* Fields of INTR_1, and of the registers that have its layout. */
#define NV_PPBDMA_INTR_1_FIELDS(FIELD, register) \
    FIELD(register##_HCE_RE_ILLEGAL_OP, 0, 0, "SET_RENDER_ENABLE with an unknown mode") \
    FIELD(register##_HCE_RE_ALIGNB, 1, 1, "its address is not aligned") \
    FIELD(register##_HCE_PRIV, 2, 2, "a physical copy without HCE_CTRL_PRIV_MODE") \
    FIELD(register##_HCE_ILLEGAL_MTHD, 3, 3, "the copy class has no such method") \
    FIELD(register##_HCE_ILLEGAL_CLASS, 4, 4, "SET_OBJECT with another class") \
    FIELD(register##_CTXNOTVALID, 31, 31, SAME, NV_FROM_VOLTA, "TARGET says that the engine has no context")

#define NV_PBDMA_REGS(REG, FIELD, VALUE)                                                             \
    REG(NV_PPBDMA_GP_PUT, 0x000, 1, 4, RW, 0, "index after the last GP entry, copied from USERD")      \
    REG(NV_PPBDMA_MEM_OP_A, 0x004, 1, 4, RW, 0, "")                                                    \
    REG(NV_PPBDMA_USERD, 0x008, 1, 4, RW, 0, NV_UP_TO_TURING, "where the channel's USERD lies")                         \
      FIELD(NV_PPBDMA_USERD_TARGET, 1, 0, "0 video memory, 2/3 system memory")                         \
      FIELD(NV_PPBDMA_USERD_ADDR, 31, 9, "")                                                           \
    REG(NV_PPBDMA_USERD_HI, 0x00c, 1, 4, RW, 0, NV_UP_TO_TURING, "")                                                    \
      FIELD(NV_PPBDMA_USERD_HI_ADDR, 7, 0, "")                                                         \
    REG(NV_PPBDMA_SIGNATURE, 0x010, 1, 4, RW, 0, "")                                                   \
      FIELD(NV_PPBDMA_SIGNATURE_HW, 15, 0, "")                                                         \
        VALUE(NV_PPBDMA_SIGNATURE_HW_VALID, 0xface, "what Host accepts on every chip")                 \
      FIELD(NV_PPBDMA_SIGNATURE_SW, 31, 16, "")                                                        \
    REG(NV_PPBDMA_GP_GET, 0x014, 1, 4, RW, 0, "next GP entry to process; an index")                    \
    REG(NV_PPBDMA_GET, 0x018, 1, 4, RW, 0, "pushbuffer address being processed")                       \
    REG(NV_PPBDMA_GET_HI, 0x01c, 1, 4, RW, 0, "")                                                      \
    REG(NV_PPBDMA_TOP_LEVEL_GET, 0x020, 1, 4, RW, 0, "GET of the main level")                          \
    REG(NV_PPBDMA_TOP_LEVEL_GET_HI, 0x024, 1, 4, RW, 0, "")                                            \
      FIELD(NV_PPBDMA_TOP_LEVEL_GET_HI_ADDR, 7, 0, "")                                                 \
      FIELD(NV_PPBDMA_TOP_LEVEL_GET_HI_VALID, 31, 31, "")                                              \
    REG(NV_PPBDMA_REF, 0x028, 1, 4, RW, 0, "value of the last SET_REFERENCE")                          \
    REG(NV_PPBDMA_RUNTIME, 0x02c, 1, 4, RW, 0, "")                                                     \
    REG(NV_PPBDMA_ACQUIRE, 0x030, 1, 4, RW, 0, "how a failed acquire polls and times out")             \
      FIELD(NV_PPBDMA_ACQUIRE_RETRY_MAN, 6, 0, "")                                                     \
      FIELD(NV_PPBDMA_ACQUIRE_RETRY_EXP, 10, 7, "MAN << EXP cycles between polls")                     \
      FIELD(NV_PPBDMA_ACQUIRE_TIMEOUT_EXP, 14, 11, "")                                                 \
      FIELD(NV_PPBDMA_ACQUIRE_TIMEOUT_MAN, 30, 15, "(MAN << EXP) * 1024 ns")                           \
      FIELD(NV_PPBDMA_ACQUIRE_TIMEOUT_EN, 31, 31, "")                                                  \
    REG(NV_PPBDMA_ACQUIRE_DEADLINE, 0x034, 1, 4, RW, 0, "")                                            \
    REG(NV_PPBDMA_SEMAPHOREA, 0x038, 1, 4, RW, 0, "OFFSET_UPPER; Volta: SEM_ADDR_HI (25 bits from Hopper on)")                                      \
      FIELD(NV_PPBDMA_SEMAPHOREA_OFFSET_UPPER, 7, 0, "")                                               \
    REG(NV_PPBDMA_SEMAPHOREB, 0x03c, 1, 4, RW, 0, "OFFSET_LOWER; Volta: SEM_ADDR_LO")                                      \
      FIELD(NV_PPBDMA_SEMAPHOREB_OFFSET_LOWER, 31, 2, "")                                              \
    REG(NV_PPBDMA_SEMAPHOREC, 0x040, 1, 4, RW, 0, "PAYLOAD; Volta: SEM_PAYLOAD_LO")                                           \
    REG(NV_PPBDMA_SEMAPHORED, 0x044, 1, 4, RW, 0, "the operation; Volta: SEM_EXECUTE")                                     \
      FIELD(NV_PPBDMA_SEMAPHORED_ACQUIRE_FAIL, 19, 19, "an acquire has failed; ASSUMED before Volta")          \
    REG(NV_PPBDMA_GP_BASE, 0x048, 1, 4, RW, 0, "virtual address of the GPFIFO")                        \
      FIELD(NV_PPBDMA_GP_BASE_OFFSET, 31, 3, "")                                                       \
    REG(NV_PPBDMA_GP_BASE_HI, 0x04c, 1, 4, RW, 0, "")                                                  \
      FIELD(NV_PPBDMA_GP_BASE_HI_OFFSET, 7, 0, "")                                                     \
      FIELD(NV_PPBDMA_GP_BASE_HI_LIMIT2, 20, 16, "log2 of the number of entries")                      \
    REG(NV_PPBDMA_GP_FETCH, 0x050, 1, 4, RW, 0, "next GP entry to fetch; runs ahead of GP_GET")        \
    REG(NV_PPBDMA_PB_FETCH, 0x054, 1, 4, RW, 0, "")                                                    \
      FIELD(NV_PPBDMA_PB_FETCH_CONDITIONAL, 0, 0, "")                                                  \
      FIELD(NV_PPBDMA_PB_FETCH_ADDR, 31, 2, "")                                                        \
    REG(NV_PPBDMA_PB_FETCH_HI, 0x058, 1, 4, RW, 0, "")                                                 \
      FIELD(NV_PPBDMA_PB_FETCH_HI_ADDR, 7, 0, "")                                                      \
      FIELD(NV_PPBDMA_PB_FETCH_HI_LEVEL, 9, 9, "")                                                     \
      FIELD(NV_PPBDMA_PB_FETCH_HI_SYNC, 10, 10, "")                                                    \
      FIELD(NV_PPBDMA_PB_FETCH_HI_LENGTH, 31, 11, "dwords left")                                       \
    REG(NV_PPBDMA_PUT, 0x05c, 1, 4, RW, 0, "end of the segment")                                       \
    REG(NV_PPBDMA_PUT_HI, 0x060, 1, 4, RW, 0, "")                                                      \
    REG(NV_PPBDMA_MEM_OP_B, 0x064, 1, 4, RW, 0, "")                                                    \
    REG(NV_PPBDMA_GP_CRC, 0x074, 1, 4, RW, 0, "")                                                      \
    REG(NV_PPBDMA_PB_HEADER, 0x084, 1, 4, RW, 0, "the method header being processed")                  \
      FIELD(NV_PPBDMA_PB_HEADER_METHOD, 13, 2, "dword address of the next method")                     \
      FIELD(NV_PPBDMA_PB_HEADER_SUBCH, 18, 16, "")                                                     \
      FIELD(NV_PPBDMA_PB_HEADER_LEVEL, 20, 20, "")                                                     \
      FIELD(NV_PPBDMA_PB_HEADER_FIRST, 22, 22, "first of its segment")                                 \
      FIELD(NV_PPBDMA_PB_HEADER_CONDITIONAL, 23, 23, "its segment was fetched conditionally")          \
      FIELD(NV_PPBDMA_PB_HEADER_FINAL, 24, 24, "last dword of its segment")                            \
      FIELD(NV_PPBDMA_PB_HEADER_TYPE, 31, 29, "")                                                      \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_SSDM, 0, "SET_SUBDEVICE_MASK")                                  \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_INC, 1, "")                                                     \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_STORE_SDM, 2, "")                                               \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_NON_INC, 3, "")                                                 \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_IMMD, 4, "")                                                    \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE, 5, "becomes NON_INC after the first method")          \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_USE_SDM, 6, "")                                                 \
        VALUE(NV_PPBDMA_PB_HEADER_TYPE_END_SEG, 7, "")                                                 \
    REG(NV_PPBDMA_PB_COUNT, 0x088, 1, 4, RW, 0, "")                                                    \
      FIELD(NV_PPBDMA_PB_COUNT_VALUE, 12, 0, "data dwords still to come")                              \
    REG(NV_PPBDMA_SUBDEVICE, 0x094, 1, 4, RW, 0, "")                                                   \
      FIELD(NV_PPBDMA_SUBDEVICE_ID, 11, 0, "")                                                         \
      FIELD(NV_PPBDMA_SUBDEVICE_STORED_MASK, 27, 16, "")                                               \
      FIELD(NV_PPBDMA_SUBDEVICE_STATUS, 28, 28, "methods are taken")                                   \
      FIELD(NV_PPBDMA_SUBDEVICE_CHANNEL_DMA, 29, 29, "")                                               \
    REG(NV_PPBDMA_PB_CRC, 0x098, 1, 4, RW, 0, "")                                                      \
    REG(NV_PPBDMA_FORMATS, 0x09c, 1, 4, RW, 0, "formats of GP, PB, methods; Volta: SEM_PAYLOAD_HI")                        \
    REG(NV_PPBDMA_MEM_OP_C, 0x0a0, 1, 4, RW, 0, "")                                                    \
    REG(NV_PPBDMA_SYNCPOINTA, 0x0a4, 1, 4, RW, 0, "")                                                  \
    REG(NV_PPBDMA_SYNCPOINTB, 0x0a8, 1, 4, RW, 0, "")                                                  \
    REG(NV_PPBDMA_TARGET, 0x0ac, 1, 4, RW, 0x1f, "where the last method went")                         \
      FIELD(NV_PPBDMA_TARGET_ENGINE, 4, 0, "")                                                         \
        VALUE(NV_PPBDMA_TARGET_ENGINE_SW, 31, "")                                                      \
      FIELD(NV_PPBDMA_TARGET_ENG_CTX_VALID, 16, 16, "Volta: there is a context for an engine that copies not")  \
      FIELD(NV_PPBDMA_TARGET_CE_CTX_VALID, 17, 17, "Volta: there is a method buffer for the copy engine")       \
      FIELD(NV_PPBDMA_TARGET_SHOULD_SEND_HOST_TSG_EVENT, 29, 29, SAME, NV_FROM_VOLTA, "")              \
      FIELD(NV_PPBDMA_TARGET_NEEDS_HOST_TSG_EVENT, 31, 31, SAME, NV_FROM_VOLTA, "")                    \
    REG(NV_PPBDMA_METHOD_CRC, 0x0b0, 1, 4, RW, 0, NV_UP_TO_TURING, "")                                                  \
    REG(NV_PPBDMA_UNKNOWN_B8, 0x0b8, 1, 4, RW, 0, "UNKNOWN: nouveau writes 0xf8000000")                \
    REG(NV_PPBDMA_METHOD0, 0x0c0, 1, 4, HOOK, 0, "the method that is being executed")                  \
      FIELD(NV_PPBDMA_METHOD0_INCR, 0, 0, "")                                                          \
      FIELD(NV_PPBDMA_METHOD0_ADDR, 13, 2, "dword address")                                            \
      FIELD(NV_PPBDMA_METHOD0_SUBCH, 18, 16, "")                                                       \
      FIELD(NV_PPBDMA_METHOD0_FIRST, 22, 22, "")                                                       \
      FIELD(NV_PPBDMA_METHOD0_VALID, 31, 31, "")                                                       \
    REG(NV_PPBDMA_DATA0, 0x0c4, 1, 4, RW, 0, "its data")                                               \
    REG(NV_PPBDMA_METHOD1, 0x0c8, 6, 4, RW, 0, "METHOD1, DATA1 .. METHOD3, DATA3: always empty here")  \
    REG(NV_PPBDMA_HCE_CTRL, 0x0e4, 1, 4, RW, 0, "")                                                    \
      FIELD(NV_PPBDMA_HCE_CTRL_SP_AWAITS_HCEH, 0, 0, SAME, NV_FROM_VOLTA, "")                          \
      FIELD(NV_PPBDMA_HCE_CTRL_LAUNCH_DMA_RCVD, 16, 16, SAME, NV_FROM_VOLTA, "")                       \
      FIELD(NV_PPBDMA_HCE_CTRL_NOP_RCVD, 17, 17, SAME, NV_FROM_VOLTA, "")                              \
      FIELD(NV_PPBDMA_HCE_CTRL_PM_TRIGGER_RCVD, 18, 18, SAME, NV_FROM_VOLTA, "")                       \
      FIELD(NV_PPBDMA_HCE_CTRL_PM_TRIGGER_END_RCVD, 19, 19, SAME, NV_FROM_VOLTA, "")                   \
      FIELD(NV_PPBDMA_HCE_CTRL_SET_RENDER_ENABLE_C_RCVD, 20, 20, SAME, NV_FROM_VOLTA, "")              \
      FIELD(NV_PPBDMA_HCE_CTRL_RENDER_DISABLED, 2, 2, "SET_RENDER_ENABLE has switched copies off")      \
      FIELD(NV_PPBDMA_HCE_CTRL_PRIV_MODE, 5, 5, "copies of physical addresses are allowed")            \
    REG(NV_PPBDMA_CHID, 0x0e8, 1, 4, RW, 0, "")                                                        \
      FIELD(NV_PPBDMA_CHID_ID, 11, 0, "")                                                              \
    REG(NV_PPBDMA_CONFIG, 0x0f4, 1, 4, RW, 0, "")                                                      \
      FIELD(NV_PPBDMA_CONFIG_L2_EVICT, 0, 0, "")                                                       \
      FIELD(NV_PPBDMA_CONFIG_CE_SPLIT, 4, 4, "large copies are split, so that engines switch faster")  \
        VALUE(NV_PPBDMA_CONFIG_CE_SPLIT_ENABLE, 0, "")                                                 \
        VALUE(NV_PPBDMA_CONFIG_CE_SPLIT_DISABLE, 1, "")                                                \
      FIELD(NV_PPBDMA_CONFIG_CE_THROTTLE_MODE, 5, 5, "how much a copy engine is given at a time")      \
        VALUE(NV_PPBDMA_CONFIG_CE_THROTTLE_MODE_THROTTLE, 0, "no more than it does in about 10 us")    \
        VALUE(NV_PPBDMA_CONFIG_CE_THROTTLE_MODE_NO_THROTTLE, 1, "")                                    \
      FIELD(NV_PPBDMA_CONFIG_AUTH_LEVEL, 8, 8, "")                                                     \
      FIELD(NV_PPBDMA_CONFIG_USERD_WRITEBACK, 12, 12, "")                                              \
    REG(NV_PPBDMA_RUNLIST_TIMESLICE, 0x0f8, 1, 4, RW, 0, NV_UP_TO_PASCAL, "slice of a channel outside a TSG")           \
      FIELD(NV_PPBDMA_RUNLIST_TIMESLICE_TIMEOUT, 7, 0, "")                                             \
      FIELD(NV_PPBDMA_RUNLIST_TIMESLICE_TIMESCALE, 15, 12, "")                                         \
      FIELD(NV_PPBDMA_RUNLIST_TIMESLICE_ENABLE, 28, 28, "")                                            \
    REG(NV_PPBDMA_PB_TIMESLICE, 0x0fc, 1, 4, RW, 0, NV_UP_TO_PASCAL, "")                                                \
      FIELD(NV_PPBDMA_PB_TIMESLICE_TIMEOUT, 7, 0, "")                                                  \
      FIELD(NV_PPBDMA_PB_TIMESLICE_TIMESCALE, 15, 12, "")                                              \
      FIELD(NV_PPBDMA_PB_TIMESLICE_ENABLE, 28, 28, "")                                                 \
    REG(NV_PPBDMA_STATUS, 0x100, 1, 4, RO, 0, "what its parts are at")                                 \
      FIELD(NV_PPBDMA_STATUS_GPF, 3, 0, "reading of GP entries; values as those of PBDMA") \
      FIELD(NV_PPBDMA_STATUS_GPP, 7, 4, "processing of them; values as those of PBDMA") \
      FIELD(NV_PPBDMA_STATUS_PBP, 11, 8, "processing of the pushbuffer; values as those of PBDMA") \
      FIELD(NV_PPBDMA_STATUS_MP, 15, 12, "of methods; values as those of PBDMA") \
      FIELD(NV_PPBDMA_STATUS_SEM, 19, 16, "of semaphores; values as those of PBDMA") \
      FIELD(NV_PPBDMA_STATUS_PBDMA, 31, 28, "")                                                        \
        VALUE(NV_PPBDMA_STATUS_PBDMA_EMPTY, 0, "")                                                     \
        VALUE(NV_PPBDMA_STATUS_PBDMA_SUSPENDED, 1, "")                                                 \
        VALUE(NV_PPBDMA_STATUS_PBDMA_BLOCKED, 2, "")                                                   \
        VALUE(NV_PPBDMA_STATUS_PBDMA_BUSY, 8, "")                                                      \
    REG(NV_PPBDMA_INTR_0, 0x108, 1, 4, W1C, 0, "pending interrupts; those that stall freeze the PBDMA")      \
      NV_PPBDMA_INTR_0_FIELDS(FIELD, NV_PPBDMA_INTR_0) \
    REG(NV_PPBDMA_INTR_EN_0, 0x10c, 1, 4, RW, 0, NV_UP_TO_TURING, "which of INTR_0 raise PBDMA_INTR")                   \
      NV_PPBDMA_INTR_0_FIELDS(FIELD, NV_PPBDMA_INTR_EN_0) \
    REG(NV_PPBDMA_GP_SHADOW_0, 0x110, 1, 4, RO, 0, "the last GP entry")                                \
    REG(NV_PPBDMA_GP_SHADOW_1, 0x114, 1, 4, RO, 0, "")                                                 \
    REG(NV_PPBDMA_HDR_SHADOW, 0x118, 1, 4, RO, 0, "the last header as it stood in the pushbuffer")     \
    REG(NV_PPBDMA_CHANNEL, 0x120, 1, 4, RO, 0, "")                                                     \
      FIELD(NV_PPBDMA_CHANNEL_CHID, 11, 0, "")                                                         \
      FIELD(NV_PPBDMA_CHANNEL_VALID, 13, 13, "")                                                       \
    REG(NV_PPBDMA_TIMEOUT, 0x12c, 1, 4, RW, 0x10000, NV_UP_TO_TURING, "microseconds until memory requests time out")    \
    REG(NV_PPBDMA_INTR_STALL, 0x13c, 1, 4, RW, 0xffffffff, NV_UP_TO_TURING, "which interrupts stall")                   \
      NV_PPBDMA_INTR_0_FIELDS(FIELD, NV_PPBDMA_INTR_STALL) \
    REG(NV_PPBDMA_INTR_1, 0x148, 1, 4, W1C, 0, "")                                                     \
      NV_PPBDMA_INTR_1_FIELDS(FIELD, NV_PPBDMA_INTR_1) \
    REG(NV_PPBDMA_INTR_EN_1, 0x14c, 1, 4, RW, 0, NV_UP_TO_TURING, "")                                                   \
      NV_PPBDMA_INTR_1_FIELDS(FIELD, NV_PPBDMA_INTR_EN_1) \
    REG(NV_PPBDMA_HCE_DBG0, 0x150, 1, 4, RO, 0, "method that a copy engine refused")                   \
    REG(NV_PPBDMA_HCE_DBG1, 0x154, 1, 4, RO, 0, "its data")                                          \
    REG(NV_PPBDMA_INTR_STALL_1, 0x140, 1, 4, RW, 0xffffffff, NV_UP_TO_TURING, "which of INTR_1 stall") \
      NV_PPBDMA_INTR_1_FIELDS(FIELD, NV_PPBDMA_INTR_STALL_1) \
    REG(NV_PPBDMA_INTR_NOTIFY, 0x0f8, 1, 4, RW, 0, NV_FROM_AMPERE, "what NON_STALL_INTERRUPT raises") \
      FIELD(NV_PPBDMA_INTR_NOTIFY_VECTOR, 11, 0, "in the CPU's leaves")                              \
      FIELD(NV_PPBDMA_INTR_NOTIFY_CTRL_GSP, 30, 30, "")                                              \
      FIELD(NV_PPBDMA_INTR_NOTIFY_CTRL_CPU, 31, 31, "")                                              \
    REG(NV_PPBDMA_SET_CHANNEL_INFO, 0x0fc, 1, 4, RW, 0, NV_FROM_VOLTA, "")                        \
      FIELD(NV_PPBDMA_SET_CHANNEL_INFO_VALUE, 31, 0, "")                                             \
    REG(NV_PPBDMA_CFG0, 0x104, 1, 4, RO, 0, NV_FROM_AMPERE, "")                                   \
      FIELD(NV_PPBDMA_CFG0_PBDMA_FAULT_ID, 9, 0, "")                                                 \
    REG(NV_PPBDMA_NEXT_CHANNEL, 0x124, 1, 4, RO, 0, NV_FROM_AMPERE, "")                           \
      FIELD(NV_PPBDMA_NEXT_CHANNEL_CHID, 10, 0, "")                                                  \
      FIELD(NV_PPBDMA_NEXT_CHANNEL_VALID, 13, 13, "")                                                \
      FIELD(NV_PPBDMA_NEXT_CHANNEL_GFID, 21, 16, "")                                                 \
    REG(NV_PPBDMA_STATUS_NEXT_INST, 0x138, 1, 4, RO, 0, NV_FROM_AMPERE, "")                       \
      FIELD(NV_PPBDMA_STATUS_NEXT_INST_TARGET, 1, 0, "")                                             \
        VALUE(NV_PPBDMA_STATUS_NEXT_INST_TARGET_VID_MEM, 0, "")                                      \
        VALUE(NV_PPBDMA_STATUS_NEXT_INST_TARGET_SYS_MEM_COHERENT, 2, "")                             \
        VALUE(NV_PPBDMA_STATUS_NEXT_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                          \
      FIELD(NV_PPBDMA_STATUS_NEXT_INST_VALID, 11, 11, "")                                            \
      FIELD(NV_PPBDMA_STATUS_NEXT_INST_PTR_LO, 31, 12, "")                                           \
    REG(NV_PPBDMA_STATUS_NEXT_INST_HI, 0x13c, 1, 4, RO, 0, NV_FROM_AMPERE, "")                    \
      FIELD(NV_PPBDMA_STATUS_NEXT_INST_HI_PTR_HI, 31, 0, "")                                         \
    REG(NV_PPBDMA_STATUS_NEXT_USERD, 0x140, 1, 4, RO, 0, NV_FROM_AMPERE, "")                      \
      FIELD(NV_PPBDMA_STATUS_NEXT_USERD_TARGET, 1, 0, "")                                            \
        VALUE(NV_PPBDMA_STATUS_NEXT_USERD_TARGET_VID_MEM, 0, "")                                     \
        VALUE(NV_PPBDMA_STATUS_NEXT_USERD_TARGET_VID_MEM_NVLINK_COHERENT, 1, "")                     \
        VALUE(NV_PPBDMA_STATUS_NEXT_USERD_TARGET_SYS_MEM_COHERENT, 2, "")                            \
        VALUE(NV_PPBDMA_STATUS_NEXT_USERD_TARGET_SYS_MEM_NONCOHERENT, 3, "")                         \
      FIELD(NV_PPBDMA_STATUS_NEXT_USERD_VALID, 7, 7, "")                                             \
      FIELD(NV_PPBDMA_STATUS_NEXT_USERD_PTR_LO, 31, 8, "")                                           \
    REG(NV_PPBDMA_STATUS_NEXT_USERD_HI, 0x144, 1, 4, RO, 0, NV_FROM_AMPERE, "")                   \
      FIELD(NV_PPBDMA_STATUS_NEXT_USERD_HI_PTR_HI, 31, 0, "")                                        \
    REG(NV_PPBDMA_STATUS_SCHED, 0x15c, 1, 4, RO, 0, NV_FROM_AMPERE, "whose channel is on the PBDMA") \
      FIELD(NV_PPBDMA_STATUS_SCHED_TSGID, 10, 0, "")                                                 \
      FIELD(NV_PPBDMA_STATUS_SCHED_CHAN_STATUS, 15, 13, "")                                          \
        VALUE(NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_INVALID, 0, "")                                     \
        VALUE(NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_VALID, 1, "")                                       \
        VALUE(NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_CHSW_SAVE, 5, "")                                   \
        VALUE(NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_CHSW_LOAD, 6, "")                                   \
        VALUE(NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_CHSW_SWITCH, 7, "")                                 \
      FIELD(NV_PPBDMA_STATUS_SCHED_NEXT_TSGID, 26, 16, "")                                           \
    REG(NV_PPBDMA_STATUS_INST, 0x160, 1, 4, RO, 0, NV_FROM_AMPERE, "")                            \
      FIELD(NV_PPBDMA_STATUS_INST_TARGET, 1, 0, "")                                                  \
        VALUE(NV_PPBDMA_STATUS_INST_TARGET_VID_MEM, 0, "")                                           \
        VALUE(NV_PPBDMA_STATUS_INST_TARGET_SYS_MEM_COHERENT, 2, "")                                  \
        VALUE(NV_PPBDMA_STATUS_INST_TARGET_SYS_MEM_NONCOHERENT, 3, "")                               \
      FIELD(NV_PPBDMA_STATUS_INST_VALID, 11, 11, "")                                                 \
      FIELD(NV_PPBDMA_STATUS_INST_PTR_LO, 31, 12, "")                                                \
    REG(NV_PPBDMA_STATUS_INST_HI, 0x164, 1, 4, RO, 0, NV_FROM_AMPERE, "")                         \
      FIELD(NV_PPBDMA_STATUS_INST_HI_PTR_HI, 31, 0, "")                                              \
    REG(NV_PPBDMA_STATUS_USERD, 0x168, 1, 4, RO, 0, NV_FROM_AMPERE, "")                           \
      FIELD(NV_PPBDMA_STATUS_USERD_TARGET, 1, 0, "")                                                 \
        VALUE(NV_PPBDMA_STATUS_USERD_TARGET_VID_MEM, 0, "")                                          \
        VALUE(NV_PPBDMA_STATUS_USERD_TARGET_VID_MEM_NVLINK_COHERENT, 1, "")                          \
        VALUE(NV_PPBDMA_STATUS_USERD_TARGET_SYS_MEM_COHERENT, 2, "")                                 \
        VALUE(NV_PPBDMA_STATUS_USERD_TARGET_SYS_MEM_NONCOHERENT, 3, "")                              \
      FIELD(NV_PPBDMA_STATUS_USERD_VALID, 7, 7, "")                                                  \
      FIELD(NV_PPBDMA_STATUS_USERD_PTR_LO, 31, 8, "")                                                \
    REG(NV_PPBDMA_STATUS_USERD_HI, 0x16c, 1, 4, RO, 0, NV_FROM_AMPERE, "")                        \
      FIELD(NV_PPBDMA_STATUS_USERD_HI_PTR_HI, 31, 0, "")                                             \
    REG(NV_PPBDMA_INTR_0_EN_SET_TREE, 0x170, 2, 4, SET, 0x170, NV_FROM_AMPERE, "which of INTR_0 reach tree i of the runlist; bits as there") \
    REG(NV_PPBDMA_INTR_1_EN_SET_TREE, 0x180, 2, 4, SET, 0x180, NV_FROM_AMPERE, "which of INTR_1 reach tree i of the runlist; bits as there") \
    REG(NV_PPBDMA_INTR_0_EN_CLEAR_TREE, 0x190, 2, 4, CLEAR, 0x170, NV_FROM_AMPERE, "")               \
    REG(NV_PPBDMA_INTR_1_EN_CLEAR_TREE, 0x1a0, 2, 4, CLEAR, 0x180, NV_FROM_AMPERE, "")               \
    REG(NV_PPBDMA_LB_GPBUF_CONTROL, 0x1b0, 1, 4, RO, 0, NV_FROM_AMPERE, "latency buffer for GP entries, lines of 128 bytes") \
      FIELD(NV_PPBDMA_LB_GPBUF_CONTROL_SIZE, 31, 24, "")                                             \
        VALUE(NV_PPBDMA_LB_GPBUF_CONTROL_SIZE_128B, 1, "")                                           \
    REG(NV_PPBDMA_LB_PBBUF_CONTROL, 0x1c0, 1, 4, RO, 0, NV_FROM_AMPERE, "")                       \
      FIELD(NV_PPBDMA_LB_PBBUF_CONTROL_SIZE, 31, 23, "")                                             \
        VALUE(NV_PPBDMA_LB_PBBUF_CONTROL_SIZE_128B, 1, "")                                           \
    REG(NV_PPBDMA_LB_GPBUF_STATUS, 0x1d0, 1, 4, RO, 0xfc000000, NV_FROM_AMPERE, "")               \
      FIELD(NV_PPBDMA_LB_GPBUF_STATUS_STATE, 3, 0, "")                                               \
        VALUE(NV_PPBDMA_LB_GPBUF_STATUS_STATE_EMPTY, 0, "")                                          \
        VALUE(NV_PPBDMA_LB_GPBUF_STATUS_STATE_BLOCKED, 2, "")                                        \
        VALUE(NV_PPBDMA_LB_GPBUF_STATUS_STATE_BUSY, 3, "")                                           \
      FIELD(NV_PPBDMA_LB_GPBUF_STATUS_PBDMA_REQ_COUNT, 14, 4, "")                                    \
        VALUE(NV_PPBDMA_LB_GPBUF_STATUS_PBDMA_REQ_COUNT_0, 0, "")                                    \
      FIELD(NV_PPBDMA_LB_GPBUF_STATUS_MEM_REQ_COUNT, 25, 15, "")                                     \
        VALUE(NV_PPBDMA_LB_GPBUF_STATUS_MEM_REQ_COUNT_0, 0, "")                                      \
      FIELD(NV_PPBDMA_LB_GPBUF_STATUS_PBDMA, 31, 26, "")                                             \
        VALUE(NV_PPBDMA_LB_GPBUF_STATUS_PBDMA_NONE, 0x3f, "")                                        \
    REG(NV_PPBDMA_LB_PBBUF_STATUS, 0x1e0, 1, 4, RO, 0xfc000000, NV_FROM_AMPERE, "")               \
      FIELD(NV_PPBDMA_LB_PBBUF_STATUS_STATE, 3, 0, "")                                               \
        VALUE(NV_PPBDMA_LB_PBBUF_STATUS_STATE_EMPTY, 0, "")                                          \
        VALUE(NV_PPBDMA_LB_PBBUF_STATUS_STATE_BLOCKED, 2, "")                                        \
        VALUE(NV_PPBDMA_LB_PBBUF_STATUS_STATE_BUSY, 3, "")                                           \
      FIELD(NV_PPBDMA_LB_PBBUF_STATUS_PBDMA_REQ_COUNT, 14, 4, "")                                    \
        VALUE(NV_PPBDMA_LB_PBBUF_STATUS_PBDMA_REQ_COUNT_0, 0, "")                                    \
      FIELD(NV_PPBDMA_LB_PBBUF_STATUS_MEM_REQ_COUNT, 25, 15, "")                                     \
        VALUE(NV_PPBDMA_LB_PBBUF_STATUS_MEM_REQ_COUNT_0, 0, "")                                      \
      FIELD(NV_PPBDMA_LB_PBBUF_STATUS_PBDMA, 31, 26, "")                                             \
        VALUE(NV_PPBDMA_LB_PBBUF_STATUS_PBDMA_NONE, 0x3f, "")                                        \
    REG(NV_PPBDMA_LB_PBBUF_THROTTLE, 0x1f0, 1, 4, INERT, 0xffff, NV_FROM_AMPERE, "")              \
      FIELD(NV_PPBDMA_LB_PBBUF_THROTTLE_ROWS, 15, 0, "")                                             \
        VALUE(NV_PPBDMA_LB_PBBUF_THROTTLE_ROWS_131KB, 0x1000, "")                                    \
        VALUE(NV_PPBDMA_LB_PBBUF_THROTTLE_ROWS_INVALID, 0xffff, "")
/* clang-format on */

enum { NV_PBDMA_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
extern const struct reg_list nv_pbdma_list;

#endif
