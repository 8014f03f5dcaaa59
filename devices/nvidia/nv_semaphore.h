/* SPDX-License-Identifier: MIT */
/*
 * Semaphores as arithmetic: the test of an acquire, the reductions, the sixteen bytes of a release
 * with the time, and the operations of Host's two generations of semaphore methods.  No function
 * here touches a machine; nv_release.h writes memory.
 *
 * Described in open-gpu-doc classes/host/clc06f.h (SEMAPHOREA to D, up to Pascal; RELEASE_WFI of 0
 * means "wait"), classes/host/clc36f.h and turing/tu104/dev_pbdma.ref.txt (SEM_EXECUTE, from Volta
 * on; RELEASE_WFI of 1 means "wait").  The manual's table of legal combinations has the opposite
 * polarity in places; the class headers' enumerants are followed.
 *
 * Not modelled: reductions with floating point (the copy class's FADD).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_SEMAPHORE_H
#define GFE_DEVICES_NVIDIA_NV_SEMAPHORE_H

#include <stdbool.h>
#include <stdint.h>

/* Reductions, numbered as in the fields of Host and of the copy classes (Host: REDUCTION; copies:
 * SEMAPHORE_REDUCTION). */
enum nv_reduction {
    NV_REDUCTION_MIN,
    NV_REDUCTION_MAX,
    NV_REDUCTION_XOR,
    NV_REDUCTION_AND,
    NV_REDUCTION_OR,
    NV_REDUCTION_ADD,
    NV_REDUCTION_INC, /* up to the payload, then 0 again */
    NV_REDUCTION_DEC, /* down to 0, then the payload again */
    NV_REDUCTION_COUNT,
};

/* Returns the new value of a semaphore.  `bits` is 32 or 64 (asserted); value and payload are taken
 * modulo 2^bits.  XOR, AND, OR and ADD give the same result signed and unsigned.  INC and DEC are
 * unsigned whatever is_signed is. */
uint64_t nv_semaphore_reduce(enum nv_reduction reduction, bool is_signed, unsigned bits,
                             uint64_t value, uint64_t payload);
/* Returns true if Host accepts the combination.  INC and DEC are unsigned and of 32 bits only; a
 * signed ADD is of 32 bits only. */
bool nv_semaphore_reduction_legal(enum nv_reduction reduction, bool is_signed, unsigned bits);
/* Converts a reduction number of the graphics engine (REDUCTION_OP of SET_REPORT_SEMAPHORE_D, of
 * LAUNCH_DMA of inline-to-memory and of a QMD): ADD MIN MAX INC DEC AND OR XOR.  `field` < 8
 * (asserted). */
enum nv_reduction nv_semaphore_graphics_reduction(uint32_t field);

enum nv_acquire {
    NV_ACQUIRE_EQUAL,
    NV_ACQUIRE_STRICT_GEQ, /* unsigned */
    NV_ACQUIRE_CIRC_GEQ,   /* value - payload, as a signed number, is not negative */
    NV_ACQUIRE_AND,        /* value & payload is not 0 */
    NV_ACQUIRE_NOR,        /* ~(value | payload) is not 0 */
};

/* Returns true if the value in memory lets the acquire pass.  `bits` is 32 or 64 (asserted). */
bool nv_semaphore_acquired(enum nv_acquire test, unsigned bits, uint64_t value, uint64_t payload);

enum { NV_SEMAPHORE_BYTES = 16 };
/* Packs a semaphore with the time: payload in the first eight bytes (the upper four are 0 for one
 * of 32 bits), PTIMER's nanoseconds in the last eight. */
void nv_semaphore_pack(uint64_t payload, uint64_t time_ns, uint32_t words[4]);

enum nv_semaphore_kind { NV_SEMAPHORE_INVALID, NV_SEMAPHORE_ACQUIRE, NV_SEMAPHORE_RELEASE };

/* An operation of Host, decoded from the method that starts it.  Members that the kind does not use
 * are 0. */
struct nv_semaphore_operation {
    enum nv_semaphore_kind kind;
    unsigned bits;        /* 32 or 64: bits compared or written */
    enum nv_acquire test; /* ACQUIRE */
    bool switches;        /* ACQUIRE: ACQUIRE_SWITCH or ACQUIRE_SWITCH_TSG */
    bool waits_for_idle;  /* RELEASE */
    bool has_time;        /* RELEASE: sixteen bytes */
    bool reduces;         /* RELEASE: a reduction instead of the plain payload */
    bool is_signed;
    enum nv_reduction reduction;
    uint32_t alignment; /* bytes; Host raises SEMAPHORE for an address that is not a multiple */
};

/* Decodes SEMAPHORED of classes 906f to c06f.  The kind is INVALID if Host raises SEMAPHORE: an
 * operation that is not one of the five, or a reduction that does not exist or not in that format.
 */
struct nv_semaphore_operation nv_semaphore_decode_d(uint32_t data);
/* Decodes SEM_EXECUTE of classes from c36f on.  The kind is INVALID if Host raises SEMAPHORE. */
struct nv_semaphore_operation nv_semaphore_decode_execute(uint32_t data);

#endif
