/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_semaphore.h"

#include <assert.h>

#include "devices/nvidia/formats/nv_methods.h"

static uint64_t nv_semaphore_mask(unsigned bits)
{
    assert(bits == 32 || bits == 64);
    return UINT64_MAX >> (64 - bits);
}

/* a < b; both already within `bits`.  Flipping the sign bits turns signed into unsigned order. */
static bool nv_semaphore_less(bool is_signed, unsigned bits, uint64_t a, uint64_t b)
{
    const uint64_t sign = is_signed ? UINT64_C(1) << (bits - 1) : 0;

    return (a ^ sign) < (b ^ sign);
}

uint64_t nv_semaphore_reduce(enum nv_reduction reduction, bool is_signed, unsigned bits,
                             uint64_t value, uint64_t payload)
{
    const uint64_t mask = nv_semaphore_mask(bits);

    value &= mask;
    payload &= mask;
    switch (reduction) {
    case NV_REDUCTION_MIN:
        return nv_semaphore_less(is_signed, bits, value, payload) ? value : payload;
    case NV_REDUCTION_MAX:
        return nv_semaphore_less(is_signed, bits, payload, value) ? value : payload;
    case NV_REDUCTION_XOR:
        return value ^ payload;
    case NV_REDUCTION_AND:
        return value & payload;
    case NV_REDUCTION_OR:
        return value | payload;
    case NV_REDUCTION_ADD:
        return (value + payload) & mask;
    case NV_REDUCTION_INC:
        return value >= payload ? 0 : value + 1;
    case NV_REDUCTION_DEC:
        return value == 0 || value > payload ? payload : value - 1;
    case NV_REDUCTION_COUNT:
        break;
    }
    assert(false && "a reduction has one of eight numbers");
    return value;
}

bool nv_semaphore_reduction_legal(enum nv_reduction reduction, bool is_signed, unsigned bits)
{
    switch (reduction) {
    case NV_REDUCTION_MIN:
    case NV_REDUCTION_MAX:
    case NV_REDUCTION_XOR:
    case NV_REDUCTION_AND:
    case NV_REDUCTION_OR:
        return true;
    case NV_REDUCTION_ADD:
        return !is_signed || bits == 32;
    case NV_REDUCTION_INC:
    case NV_REDUCTION_DEC:
        return !is_signed && bits == 32;
    case NV_REDUCTION_COUNT:
        break;
    }
    return false;
}

enum nv_reduction nv_semaphore_graphics_reduction(uint32_t field)
{
    static const enum nv_reduction order[] = {
        NV_REDUCTION_ADD, NV_REDUCTION_MIN, NV_REDUCTION_MAX, NV_REDUCTION_INC,
        NV_REDUCTION_DEC, NV_REDUCTION_AND, NV_REDUCTION_OR,  NV_REDUCTION_XOR,
    };

    assert(field < NV_REDUCTION_COUNT);
    return order[field];
}

bool nv_semaphore_acquired(enum nv_acquire test, unsigned bits, uint64_t value, uint64_t payload)
{
    const uint64_t mask = nv_semaphore_mask(bits);

    value &= mask;
    payload &= mask;
    switch (test) {
    case NV_ACQUIRE_EQUAL:
        return value == payload;
    case NV_ACQUIRE_STRICT_GEQ:
        return value >= payload;
    case NV_ACQUIRE_CIRC_GEQ:
        return ((value - payload) & mask) >> (bits - 1) == 0;
    case NV_ACQUIRE_AND:
        return (value & payload) != 0;
    case NV_ACQUIRE_NOR:
        return (~(value | payload) & mask) != 0;
    }
    assert(false && "an acquire has one of five tests");
    return false;
}

void nv_semaphore_pack(uint64_t payload, uint64_t time_ns, uint32_t words[4])
{
    words[0] = (uint32_t)payload;
    words[1] = (uint32_t)(payload >> 32);
    words[2] = (uint32_t)time_ns;
    words[3] = (uint32_t)(time_ns >> 32);
}

/* ---- Host's methods -------------------------------------------------------------------------- */

static struct nv_semaphore_operation nv_semaphore_acquire(enum nv_acquire test, unsigned bits,
                                                          bool switches)
{
    return (struct nv_semaphore_operation){.kind = NV_SEMAPHORE_ACQUIRE,
                                           .bits = bits,
                                           .test = test,
                                           .switches = switches,
                                           .alignment = bits / 8};
}

static struct nv_semaphore_operation nv_semaphore_release(unsigned bits, bool has_time, bool waits)
{
    return (struct nv_semaphore_operation){.kind = NV_SEMAPHORE_RELEASE,
                                           .bits = bits,
                                           .waits_for_idle = waits,
                                           .has_time = has_time,
                                           .alignment = has_time ? NV_SEMAPHORE_BYTES : bits / 8};
}

/* Makes a reduction of a release; INVALID when Host does not take it. */
static struct nv_semaphore_operation nv_semaphore_reduction(struct nv_semaphore_operation release,
                                                            uint32_t reduction, bool is_signed)
{
    if (reduction >= NV_REDUCTION_COUNT ||
        !nv_semaphore_reduction_legal((enum nv_reduction)reduction, is_signed, release.bits))
        return (struct nv_semaphore_operation){.kind = NV_SEMAPHORE_INVALID};
    release.reduces = true;
    release.is_signed = is_signed;
    release.reduction = (enum nv_reduction)reduction;
    return release;
}

struct nv_semaphore_operation nv_semaphore_decode_d(uint32_t data)
{
    const bool switches = nv_field(data, NVB06F_SEMAPHORED_ACQUIRE_SWITCH) != 0;
    const bool waits =
        nv_field(data, NVB06F_SEMAPHORED_RELEASE_WFI) == NVB06F_SEMAPHORED_RELEASE_WFI_EN;
    const bool has_time =
        nv_field(data, NVB06F_SEMAPHORED_RELEASE_SIZE) == NVB06F_SEMAPHORED_RELEASE_SIZE_16BYTE;
    const bool is_signed =
        nv_field(data, NVB06F_SEMAPHORED_FORMAT) == NVB06F_SEMAPHORED_FORMAT_SIGNED;

    switch (nv_field(data, NVB06F_SEMAPHORED_OPERATION)) {
    case NVB06F_SEMAPHORED_OPERATION_ACQUIRE:
        return nv_semaphore_acquire(NV_ACQUIRE_EQUAL, 32, switches);
    case NVB06F_SEMAPHORED_OPERATION_ACQ_GEQ:
        return nv_semaphore_acquire(NV_ACQUIRE_CIRC_GEQ, 32, switches);
    case NVB06F_SEMAPHORED_OPERATION_ACQ_AND:
        return nv_semaphore_acquire(NV_ACQUIRE_AND, 32, switches);
    case NVB06F_SEMAPHORED_OPERATION_RELEASE:
        return nv_semaphore_release(32, has_time, waits);
    case NVB06F_SEMAPHORED_OPERATION_REDUCTION:
        return nv_semaphore_reduction(nv_semaphore_release(32, has_time, waits),
                                      nv_field(data, NVB06F_SEMAPHORED_REDUCTION), is_signed);
    default:
        return (struct nv_semaphore_operation){.kind = NV_SEMAPHORE_INVALID};
    }
}

struct nv_semaphore_operation nv_semaphore_decode_execute(uint32_t data)
{
    const unsigned bits = nv_field(data, NVC36F_SEM_EXECUTE_PAYLOAD_SIZE) ? 64 : 32;
    const bool switches = nv_field(data, NVC36F_SEM_EXECUTE_ACQUIRE_SWITCH_TSG) != 0;
    const bool waits = nv_field(data, NVC36F_SEM_EXECUTE_RELEASE_WFI) != 0;
    const bool has_time = nv_field(data, NVC36F_SEM_EXECUTE_RELEASE_TIMESTAMP) != 0;

    switch (nv_field(data, NVC36F_SEM_EXECUTE_OPERATION)) {
    case NVC36F_SEM_EXECUTE_OPERATION_ACQUIRE:
        return nv_semaphore_acquire(NV_ACQUIRE_EQUAL, bits, switches);
    case NVC36F_SEM_EXECUTE_OPERATION_ACQ_STRICT_GEQ:
        return nv_semaphore_acquire(NV_ACQUIRE_STRICT_GEQ, bits, switches);
    case NVC36F_SEM_EXECUTE_OPERATION_ACQ_CIRC_GEQ:
        return nv_semaphore_acquire(NV_ACQUIRE_CIRC_GEQ, bits, switches);
    case NVC36F_SEM_EXECUTE_OPERATION_ACQ_AND:
        return nv_semaphore_acquire(NV_ACQUIRE_AND, bits, switches);
    case NVC36F_SEM_EXECUTE_OPERATION_ACQ_NOR:
        return nv_semaphore_acquire(NV_ACQUIRE_NOR, bits, switches);
    case NVC36F_SEM_EXECUTE_OPERATION_RELEASE:
        return nv_semaphore_release(bits, has_time, waits);
    case NVC36F_SEM_EXECUTE_OPERATION_REDUCTION:
        return nv_semaphore_reduction(nv_semaphore_release(bits, has_time, waits),
                                      nv_field(data, NVC36F_SEM_EXECUTE_REDUCTION),
                                      nv_field(data, NVC36F_SEM_EXECUTE_REDUCTION_FORMAT) == 0);
    default:
        return (struct nv_semaphore_operation){.kind = NV_SEMAPHORE_INVALID};
    }
}
