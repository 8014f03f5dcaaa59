/* SPDX-License-Identifier: MIT */
/*
 * A store to a page that may not be written: what it would have stored, by its machine code.  For
 * doorbells on x86-64: MOV of a register or an immediate, XCHG with a register, MOVNTI; of 4 or 8
 * bytes (Intel SDM, volume 2).  Where it goes the fault has told.
 */
#ifndef GFE_TRACES_RECORD_KFD_STORE_H
#define GFE_TRACES_RECORD_KFD_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORD_KFD_CODE_BYTES = 15, RECORD_KFD_REGISTERS = 16 };

struct record_kfd_store {
    uint64_t value;
    unsigned bytes;  /* 4 or 8 */
    unsigned length; /* of the instruction */
    int exchanged;   /* the register that gets what was there; -1: none */
};

/* `registers` as the instruction numbers them: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ... r15.
 * False when it is another instruction, or there are fewer than its bytes. */
bool record_kfd_store_decode(const uint8_t *code, size_t bytes,
                             const uint64_t registers[RECORD_KFD_REGISTERS],
                             struct record_kfd_store *store);

#endif
