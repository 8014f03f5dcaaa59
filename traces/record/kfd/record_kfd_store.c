/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/kfd/record_kfd_store.h"

#include <string.h>

enum {
    PREFIX_LOCK = 0xf0,
    REX = 0x40,
    REX_W = 8,
    REX_R = 4,
    MOV_REGISTER = 0x89,
    MOV_IMMEDIATE = 0xc7,
    XCHG = 0x87,
    ESCAPE = 0x0f,
    MOVNTI = 0xc3,
};

/* Bytes of ModRM, SIB and displacement at `code`; 0 when it names no memory or is cut off. */
static size_t operand_bytes(const uint8_t *code, size_t bytes)
{
    const unsigned mode = bytes > 0 ? code[0] >> 6 : 3, base = bytes > 0 ? code[0] & 7 : 0;
    size_t length = 1;

    if (mode == 3)
        return 0;
    if (base == 4) { /* SIB; its base 5 without a mode has 4 bytes instead */
        if (bytes < 2)
            return 0;
        length += mode == 0 && (code[1] & 7) == 5 ? 5 : 1;
    } else if (mode == 0 && base == 5) { /* relative to the next instruction */
        length += 4;
    }
    length += mode == 1 ? 1 : mode == 2 ? 4 : 0;
    return length <= bytes ? length : 0;
}

bool record_kfd_store_decode(const uint8_t *code, size_t bytes,
                             const uint64_t registers[RECORD_KFD_REGISTERS],
                             struct record_kfd_store *store)
{
    size_t at = 0, operand;
    unsigned rex = 0, opcode, reg;
    bool escaped;
    int32_t immediate;

    if (at < bytes && code[at] == PREFIX_LOCK)
        at++;
    if (at < bytes && (code[at] & 0xf0) == REX)
        rex = code[at++];
    escaped = at < bytes && code[at] == ESCAPE;
    at += escaped;
    if (at >= bytes)
        return false;
    opcode = code[at++];
    if (escaped ? opcode != MOVNTI
                : opcode != MOV_REGISTER && opcode != MOV_IMMEDIATE && opcode != XCHG)
        return false;
    operand = operand_bytes(code + at, bytes - at);
    if (operand == 0)
        return false;
    reg = (code[at] >> 3 & 7) | (rex & REX_R ? 8 : 0);
    at += operand;
    *store = (struct record_kfd_store){
        .bytes = rex & REX_W ? 8 : 4, .value = registers[reg], .exchanged = -1};
    if (!escaped && opcode == MOV_IMMEDIATE) {
        if ((reg & 7) != 0 || bytes - at < sizeof immediate)
            return false;
        memcpy(&immediate, code + at, sizeof immediate);
        store->value = (uint64_t)(int64_t)immediate;
        at += sizeof immediate;
    }
    if (!escaped && opcode == XCHG)
        store->exchanged = (int)reg;
    if (store->bytes == 4)
        store->value &= UINT32_MAX;
    store->length = (unsigned)at;
    return true;
}
