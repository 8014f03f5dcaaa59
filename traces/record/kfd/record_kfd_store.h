/* SPDX-License-Identifier: MIT */
/*
 * Decodes the machine code of a store to a page that may not be written, and finds the value that
 * it would have stored.  For doorbells on x86-64: MOV of a register or an immediate, XCHG with a
 * register, MOVNTI; of 4 or 8 bytes (Intel SDM, volume 2).  The fault itself has the address.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_STORE_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORD_KFD_CODE_BYTES = 15, RECORD_KFD_REGISTERS = 16 };

struct record_kfd_store {
    uint64_t value;
    unsigned bytes;  /* 4 or 8 */
    unsigned length; /* of the instruction */
    int exchanged;   /* the register that gets the old value; -1: none */
};

/* Decodes a store.  `registers` are in the order of their numbers: rax, rcx, rdx, rbx, rsp, rbp,
 * rsi, rdi, r8 ... r15.  Returns false if it is another instruction, or if `bytes` is less than its
 * length. */
bool record_kfd_store_decode(const uint8_t *code, size_t bytes,
                             const uint64_t registers[RECORD_KFD_REGISTERS],
                             struct record_kfd_store *store);

#endif
