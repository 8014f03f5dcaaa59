/* SPDX-License-Identifier: MIT */
/*
 * Copies memory at a caller's pointer, like the kernel's copy_from_user() and copy_to_user(): a bad
 * pointer gives an error (EFAULT), not a crash of the recorded program.
 */
#ifndef GFE_TRACES_RECORD_RECORD_USER_H
#define GFE_TRACES_RECORD_RECORD_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copy bytes.  Return false if a byte of the range cannot be read or written; a part may have been
 * copied.  Where the system forbids the check (seccomp), the copy is made without it. */
bool record_user_read(void *to, uint64_t from, size_t bytes);
bool record_user_write(uint64_t to, const void *from, size_t bytes);

#endif
