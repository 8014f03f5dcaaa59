/* SPDX-License-Identifier: MIT */
/*
 * The file of saved copies: what was last told of the memory of a recording, each byte at the
 * offset of its page (record_memory.h).  A sparse file without a name; a hole stands for zeros.
 */
#ifndef GFE_TRACES_RECORD_SAVED_H
#define GFE_TRACES_RECORD_SAVED_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

/* A descriptor of a new file of `bytes` in `directory`, the caller's; -1 with a message. */
int record_saved_make(const char *directory, uint64_t bytes, struct gfe_error *error);
/* Copies from `offset` of the file on; false when they cannot be had. */
bool record_saved_read(int fd, uint64_t offset, uint8_t *to, uint64_t bytes);
/* False when the disk is full, or the program's limit for files would kill it. */
bool record_saved_write(int fd, uint64_t offset, const uint8_t *from, uint64_t bytes);

#endif
