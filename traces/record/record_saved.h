/* SPDX-License-Identifier: MIT */
/*
 * The file of saved copies: the last reported contents of a recording's memory, each byte at the
 * offset of its page (record_memory.h).  It is a sparse file without a name; a hole stands for
 * zeros.
 */
#ifndef GFE_TRACES_RECORD_RECORD_SAVED_H
#define GFE_TRACES_RECORD_RECORD_SAVED_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

/* Makes a file of `bytes` in `directory`.  Returns a descriptor, which the caller closes, or -1
 * with a message. */
int record_saved_make(const char *directory, uint64_t bytes, struct gfe_error *error);
/* Reads bytes from `offset` of the file on.  Returns false if they cannot be read. */
bool record_saved_read(int fd, uint64_t offset, uint8_t *to, uint64_t bytes);
/* Writes bytes.  Returns false if the disk is full, or if the program's limit for files would kill
 * it. */
bool record_saved_write(int fd, uint64_t offset, const uint8_t *from, uint64_t bytes);

#endif
